/* SPDX-License-Identifier: MIT */
#include "analysis/crew.h"

static struct metric_value of_crew(const struct result *result, double mean,
				   double whole)
{
	return result->figures.crew.workers ? value_ratio(mean, whole) :
					      value_unknown();
}

struct metric_value crew_workers(const struct result *result)
{
	uint32_t workers = result->figures.crew.workers;

	return workers ? value_count(workers) : value_unknown();
}

struct metric_value crew_busy(const struct result *result)
{
	const struct crew_figures *crew = &result->figures.crew;

	return of_crew(result, crew->busy_mean, crew->workers);
}

struct metric_value crew_held(const struct result *result)
{
	const struct crew_figures *crew = &result->figures.crew;

	return of_crew(result, crew->held_mean, crew->workers);
}

struct metric_value crew_blocked(const struct result *result)
{
	const struct crew_figures *crew = &result->figures.crew;

	return of_crew(result, crew->blocked_mean, crew->workers);
}

struct metric_value crew_out(const struct result *result)
{
	return of_crew(result, result->figures.crew.out_mean, 1);
}
