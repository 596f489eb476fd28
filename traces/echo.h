/* SPDX-License-Identifier: MIT */
/*
 * The list of echo strategies of a scenario: "echo:" in a file, --set echo=..,
 * --set echo.0.factor=.. . A key that would have no effect in its strategy is
 * a mistake, for whoever wrote it believes that it has one.
 */
#ifndef TRACES_ECHO_H
#define TRACES_ECHO_H

#include "traces/scenario.h"
#include "traces/value.h"

/* The defaults of the echo rows in the field table. */
void echo_init(struct echo *echo);

/* Replaces the scenario's strategies by a list of maps, or, for a key such as
 * "echo.0.factor", one member of a strategy that is there. 0 or -EINVAL. */
int echo_read(const struct reader *reader, struct scenario *scenario,
	      const char *key, const struct yaml_value *value)
	__attribute__((warn_unused_result));

/* Is any member set that has no effect in this strategy? `index` is the
 * strategy's place in its list. 0 or -EINVAL. */
int echo_check(const struct echo *echo, uint32_t index, const char *name,
	       struct fault *fault) __attribute__((warn_unused_result));

/* Has a member, by its name, an effect in this strategy? */
bool echo_counts(const struct echo *echo, const char *name);

/* Would the two do the same? */
bool echo_equal(const struct echo *one, const struct echo *other);

#endif
