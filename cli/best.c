/* SPDX-License-Identifier: MIT */
#include "cli/best.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/law/best.h"
#include "cli/interrupt.h"
#include "traces/echo.h"

/* The place's costs are those of the scenario's first strategy there. */
static struct echo echo_at(const struct scenario *scenario,
			   enum echo_place place)
{
	struct echo echo;
	uint32_t i;

	echo_init(&echo);
	echo.place = place;
	for (i = 0; i < scenario->echo_count; i++) {
		if (scenario->echoes[i].place != place)
			continue;
		echo.repeat_cost_ns = scenario->echoes[i].repeat_cost_ns;
		echo.shuffle_batches = scenario->echoes[i].shuffle_batches;
		break;
	}
	return echo;
}

static int search_place(struct runner *runner, struct echo *echo,
			const struct result *none, struct result *result,
			struct fault *fault)
{
	double high = best_high(runner->law, echo->place);
	struct best_search search;
	int error;

	best_begin(&search, burst_judged(none), high);
	while (best_next(&search, &echo->factor) && !interrupt_stop) {
		error = runner_sim(runner, echo, result, fault);
		if (error)
			return error;
		best_tell(&search, echo->factor, burst_judged(result));
		free(result->sustained);
		result->sustained = NULL;
	}
	echo->factor = best_factor(&search);
	if (echo->factor >= high)
		notes_add(&runner->notes,
			  "%s: the best factor is the largest that the law "
			  "covers, %.4g; a larger one may be better still.",
			  echo_place_name(echo->place), high);
	return 0;
}

int best_find(struct runner *runner, struct echo *echoes, uint32_t *count,
	      struct fault *fault)
{
	struct result *none = calloc(2, sizeof(*none));
	struct echo echo;
	int place, error;

	if (!none)
		return -ENOMEM;
	*count = 0;
	echoes[(*count)++] = echo_at(&runner->scenario, ECHO_NONE);
	error = runner_sim(runner, &echoes[0], &none[0], fault);
	for (place = ECHO_NONE + 1; place <= ECHO_BATCH && !error; place++) {
		echo = echo_at(&runner->scenario, (enum echo_place)place);
		error = search_place(runner, &echo, &none[0], &none[1], fault);
		if (error || interrupt_stop)
			break;
		if (echo.factor > 1)
			echoes[(*count)++] = echo;
		else
			notes_add(&runner->notes,
				  "%s: no factor is better than no echo.",
				  echo_place_name(echo.place));
	}
	free(none[1].sustained);
	free(none[0].sustained);
	free(none);
	return error;
}
