/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analysis/law/law.h"
#include "sim/math.h"

#define BATCH_UNIT 1024.0
#define POWER_MIN 1.0
#define POWER_MAX 2.0

double law_envelope_gain(double reuse_limit, double factor)
{
	return 1 + reuse_limit * (1 - math_exp(-(factor - 1) / reuse_limit));
}

static double power(double base, double exponent)
{
	return math_exp(exponent * math_log(base));
}

/* What the second use is worth, fresh = 1. */
static double second_value(const struct law *law, const struct law_query *query)
{
	const struct law_model *model = &law->model;
	double batch = (double)query->batch;
	double floor = batch / (batch + model->batch_half);
	double most = model->value_max;

	if (query->place == ECHO_EXAMPLE_AFTER_AUGMENT && !law->plain)
		most = model->value_max_after;
	if (most < floor)
		most = floor;
	return floor + (most - floor) * query->lag_steps /
			       (query->lag_steps + model->lag_half);
}

double law_model_gain(const struct law *law, const struct law_query *query)
{
	const struct law_model *model = &law->model;
	double value = second_value(law, query);
	double more = query->factor - 1;
	double exponent =
		model->power *
		power((double)query->batch / BATCH_UNIT, -model->power_batch);
	double envelope = law_envelope_gain(LAW_REUSE_LIMIT, query->factor);
	double gain;

	if (more <= 0)
		return 1;
	if (exponent < POWER_MIN)
		exponent = POWER_MIN;
	if (exponent > POWER_MAX)
		exponent = POWER_MAX;
	gain = query->factor /
	       (1 + (1 - value) / (1 + value) * power(more, exponent));
	return gain < envelope ? gain : envelope;
}

/* Between the copies of an example that entered a random buffer together lie
 * S/(e-1), S/(e-2), ... S examples on average. */
double law_point_lag(const struct law_point *point)
{
	double copies = point->factor - 1;
	double sum = 0, k;

	if (point->place == ECHO_BATCH)
		return point->shuffle_batches > 1 ?
			       (double)point->shuffle_batches - 1 :
			       0;
	if (copies <= 0 || !point->batch)
		return 0;
	for (k = 1; k <= copies; k++)
		sum += 1 / k;
	if (sum == 0) /* less than one copy */
		sum = copies = 1;
	return (double)point->shuffle_examples / (double)point->batch * sum /
	       copies;
}

double law_model_rms(const struct law *law)
{
	const struct law_point *point;
	struct law_answer answer;
	struct law_query query;
	double sum = 0, error;
	size_t count = 0, i;

	if (law->model.batch_half <= 0)
		return 0;
	for (i = 0; i < law->point_count; i++) {
		point = &law->points[i];
		if (point->factor <= 1 || !point->batch)
			continue;
		query = (struct law_query){
			.place = point->place,
			.factor = point->factor,
			.batch = point->batch,
			.lag_steps = law_point_lag(point),
		};
		law_point_gain(law, point, &answer);
		error = math_log(law_model_gain(law, &query) / answer.gain);
		sum += error * error;
		count++;
	}
	return count ? math_sqrt(sum / (double)count) : 0;
}
