/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/learn/mlp.h"
#include "sim/random.h"

#define INPUTS 6
#define HIDDEN 8
#define CLASSES 3
#define BATCH 16

static const struct mlp_shape shape = { .inputs = INPUTS,
					.hidden = HIDDEN,
					.classes = CLASSES,
					.batch = BATCH,
					.networks = 2,
					.momentum = 0.9f };
static const float rates[] = { 0.05f, 0.2f };

/* Class 0 or 1 by the sign of a product of inputs, which no single layer
 * can tell; class 2 far out. */
static void fill(float *inputs, uint8_t *labels, uint32_t count, uint64_t seed)
{
	struct random_stream stream = random_stream(seed, RANDOM_LEARN_VIEW);
	uint64_t index = 0;

	for (uint32_t i = 0; i < count; i++) {
		float *x = inputs + i * INPUTS;

		for (int j = 0; j < INPUTS; j++)
			x[j] = (float)(2 * random_unit(random_bits(stream,
								   index++)) -
				       1);
		labels[i] = x[0] * x[1] > 0 ? 1 : 0;
		if (x[2] > 0.7f)
			labels[i] = 2;
	}
}

static struct mlp *open_filled(uint64_t seed)
{
	struct mlp *mlp = mlp_open(&shape, rates, seed);

	assert_non_null(mlp);
	fill(mlp_inputs(mlp), mlp_labels(mlp), BATCH, 7);
	return mlp;
}

/* The slope of the loss along one weight, from the loss on both sides. */
static void check_gradient(struct mlp *mlp, uint32_t network, uint32_t layer,
			   uint32_t from, uint32_t to)
{
	const float step = 1e-2f;
	float *weight = mlp_weight(mlp, network, layer, from, to);
	float at = *weight;
	double gradient, above, below;

	gradient = (double)mlp_gradient(mlp, network, layer, from, to);
	*weight = at + step;
	above = mlp_batch_loss(mlp, network);
	*weight = at - step;
	below = mlp_batch_loss(mlp, network);
	*weight = at;
	if (fabs(gradient - (above - below) / (2 * (double)step)) > 3e-3)
		fail_msg("layer %u, %u to %u: gradient %g, slope %g", layer,
			 from, to, gradient,
			 (above - below) / (2 * (double)step));
}

static void the_gradient_is_the_slope_of_the_loss(void **state)
{
	struct mlp *mlp = open_filled(1);

	(void)state;
	for (uint32_t i = 0; i < INPUTS * HIDDEN; i++)
		check_gradient(mlp, i % 2, 0, i / HIDDEN, i % HIDDEN);
	for (uint32_t i = 0; i < HIDDEN * CLASSES; i++)
		check_gradient(mlp, i % 2, 1, i / CLASSES, i % CLASSES);
	mlp_close(mlp);
}

/* Two steps: the first by rate x gradient, the second also by what is left of
 * the first, as plain momentum has it. */
static void a_step_keeps_its_momentum(void **state)
{
	struct mlp *mlp = open_filled(2);
	float *weight = mlp_weight(mlp, 1, 1, 0, 0);
	float start = *weight, middle, first, second;

	(void)state;
	first = mlp_gradient(mlp, 1, 1, 0, 0);
	assert_true(fabsf(first) > 1e-3f);
	mlp_step(mlp);
	middle = *weight;
	second = mlp_gradient(mlp, 1, 1, 0, 0);
	mlp_step(mlp);
	assert_true(fabsf(start - middle - rates[1] * first) < 1e-6f);
	assert_true(fabsf(middle - *weight -
			  rates[1] * (second + 0.9f * first)) < 1e-6f);
	mlp_close(mlp);
}

/* Before anything is learned the loss is near that of guessing. */
static void it_learns_what_one_layer_cannot(void **state)
{
	static float inputs[1000 * INPUTS];
	static uint8_t labels[1000];
	struct mlp *mlp = mlp_open(&shape, rates, 3);
	double before[2], after[2];

	(void)state;
	fill(inputs, labels, 1000, 1);
	mlp_losses(mlp, inputs, labels, 1000, before);
	for (uint64_t step = 0; step < 3000; step++) {
		fill(mlp_inputs(mlp), mlp_labels(mlp), BATCH, 100 + step);
		mlp_step(mlp);
	}
	mlp_losses(mlp, inputs, labels, 1000, after);
	assert_true(before[0] == before[1]); /* the same weights at first */
	assert_true(before[0] > 0.8);
	assert_true(after[0] < 0.35);
	mlp_close(mlp);
}

static void equal_seeds_give_equal_bits(void **state)
{
	struct mlp *one = open_filled(5), *other = open_filled(5);
	struct mlp *third = open_filled(6);
	double first, second;

	(void)state;
	for (int i = 0; i < 10; i++) {
		mlp_step(one);
		mlp_step(other);
		mlp_step(third);
	}
	first = mlp_batch_loss(one, 1);
	second = mlp_batch_loss(other, 1);
	assert_memory_equal(&first, &second, sizeof(first));
	assert_true(mlp_batch_loss(third, 1) != first);
	mlp_close(one);
	mlp_close(other);
	mlp_close(third);
}

/* Networks of a bank do not touch each other. */
static void a_network_that_diverges_leaves_the_others_alone(void **state)
{
	static const float wild[] = { 0.05f, 1e30f };
	struct mlp *mlp = mlp_open(&shape, wild, 1);
	struct mlp *calm = mlp_open(&shape, rates, 1);

	(void)state;
	for (uint64_t i = 0; i < 50; i++) {
		fill(mlp_inputs(mlp), mlp_labels(mlp), BATCH, i);
		fill(mlp_inputs(calm), mlp_labels(calm), BATCH, i);
		mlp_step(mlp);
		mlp_step(calm);
	}
	assert_true(mlp_batch_loss(mlp, 0) == mlp_batch_loss(calm, 0));
	assert_false(mlp_batch_loss(mlp, 1) < 1);
	mlp_close(mlp);
	mlp_close(calm);
}

static void a_set_of_odd_size_is_measured_whole(void **state)
{
	static float inputs[37 * INPUTS];
	static uint8_t labels[37];
	struct mlp *mlp = mlp_open(&shape, rates, 1);
	double whole[2], part[2], sum = 0;

	(void)state;
	fill(inputs, labels, 37, 2);
	mlp_losses(mlp, inputs, labels, 37, whole);
	for (uint32_t i = 0; i < 37; i++) {
		mlp_losses(mlp, inputs + i * INPUTS, labels + i, 1, part);
		sum += part[0];
	}
	assert_true(fabs(whole[0] - sum / 37) < 1e-5);
	mlp_close(mlp);
}

/* Over the first steps the mean is the last weights themselves. Later, at a
 * rate that makes those jump, the loss of the mean goes its way much more
 * evenly: the sum of its ups and downs is a small part of theirs. */
static void the_loss_is_that_of_mean_weights(void **state)
{
	static const float wild[] = { 0.05f, 0.5f };
	struct mlp *mlp = mlp_open(&shape, wild, 4);
	double last = 0, last_mean = 0, now, means[2];
	double jumps = 0, mean_jumps = 0;

	(void)state;
	for (int step = 1; step <= 1000; step++) {
		fill(mlp_inputs(mlp), mlp_labels(mlp), BATCH, (uint64_t)step);
		mlp_step(mlp);
		/* Always the same batch to measure on. */
		fill(mlp_inputs(mlp), mlp_labels(mlp), BATCH, 7);
		now = mlp_batch_loss(mlp, 1);
		mlp_losses(mlp, mlp_inputs(mlp), mlp_labels(mlp), BATCH, means);
		assert_true(step > 10 || fabs(now - means[1]) < 1e-5);
		if (step > 100) {
			jumps += fabs(now - last);
			mean_jumps += fabs(means[1] - last_mean);
		}
		last = now;
		last_mean = means[1];
	}
	assert_true(mean_jumps < 0.2 * jumps);
	assert_true(mlp_batch_loss(mlp, 1) == now); /* looking moves nothing */
	mlp_close(mlp);
}

static int load(void **state)
{
	struct fault fault = { 0 };

	(void)state;
	return mlp_load(&fault);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_gradient_is_the_slope_of_the_loss),
		cmocka_unit_test(a_step_keeps_its_momentum),
		cmocka_unit_test(it_learns_what_one_layer_cannot),
		cmocka_unit_test(equal_seeds_give_equal_bits),
		cmocka_unit_test(
			a_network_that_diverges_leaves_the_others_alone),
		cmocka_unit_test(the_loss_is_that_of_mean_weights),
		cmocka_unit_test(a_set_of_odd_size_is_measured_whole),
	};

	return cmocka_run_group_tests(tests, load, NULL);
}
