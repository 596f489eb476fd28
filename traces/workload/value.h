/* SPDX-License-Identifier: MIT */
/* A value of a workload file to the member that its key describes. Numbers are
 * bare there, times are seconds or a map that says how they are spread. */
#ifndef TRACES_WORKLOAD_VALUE_H
#define TRACES_WORKLOAD_VALUE_H

#include "traces/value.h"
#include "traces/workload/workload.h"

/* 0, or -EINVAL and a fault that says the key, what was found and what was
 * expected. */
int workload_value_read(const struct reader *reader,
			const struct workload_key *row,
			const struct yaml_value *value,
			struct workload *workload)
	__attribute__((warn_unused_result));

#endif
