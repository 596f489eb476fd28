/* SPDX-License-Identifier: MIT */
#include "analysis/metric_workers.h"

static struct metric_value of_crew(const struct result *result, double mean,
				   double whole)
{
	return result->figures.crew.workers ? value_ratio(mean, whole) :
					      value_unknown();
}

struct metric_value metric_workers_count(const struct result *result)
{
	uint32_t workers = result->figures.crew.workers;

	return workers ? value_count(workers) : value_unknown();
}

struct metric_value metric_workers_busy(const struct result *result)
{
	const struct crew_figures *crew = &result->figures.crew;

	return of_crew(result, crew->busy_mean, crew->workers);
}

struct metric_value metric_workers_held(const struct result *result)
{
	const struct crew_figures *crew = &result->figures.crew;

	return of_crew(result, crew->held_mean, crew->workers);
}

struct metric_value metric_workers_blocked(const struct result *result)
{
	const struct crew_figures *crew = &result->figures.crew;

	return of_crew(result, crew->blocked_mean, crew->workers);
}

struct metric_value metric_workers_out(const struct result *result)
{
	return of_crew(result, result->figures.crew.out_mean, 1);
}
