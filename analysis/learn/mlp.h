/* SPDX-License-Identifier: MIT */
/*
 * A bank of small networks that see the same batches and differ in their
 * learning rate: two layers, the first rectified, softmax and cross entropy at
 * the end, minibatch gradient descent with momentum. That they share their
 * input makes one matrix product of their first layers.
 *
 * Single precision, one thread: equal calls give equal bits on one machine;
 * OpenBLAS picks its kernels by the processor, so another may differ in the
 * last digits.
 */
#ifndef ANALYSIS_MLP_H
#define ANALYSIS_MLP_H

#include <stdint.h>

#include "sim/fault.h"

struct mlp;

struct mlp_shape {
	uint32_t inputs;
	uint32_t hidden;
	uint32_t classes;
	uint32_t batch;	   /* examples in a step */
	uint32_t networks; /* in the bank */
	float momentum;
};

/* Once, before any thread trains: loads OpenBLAS, which starts no threads of
 * its own. It is not linked, for it takes longer to load than many a run of
 * echosim. Negative errno and a fault when it is not there. */
int mlp_load(struct fault *fault) __attribute__((warn_unused_result));

/* All networks begin with the same weights, drawn from the seed; rates has one
 * learning rate a network. NULL: no memory. */
struct mlp *mlp_open(const struct mlp_shape *shape, const float *rates,
		     uint64_t seed);
void mlp_close(struct mlp *mlp);

/* Where the next batch goes: batch x inputs numbers, and the classes. */
float *mlp_inputs(struct mlp *mlp);
uint8_t *mlp_labels(struct mlp *mlp);

/* One step on that batch. */
void mlp_step(struct mlp *mlp);

/* Mean cross entropy of every network over `count` examples, with the mean of
 * its weights over about the last tenth of all steps (Polyak and Juditsky
 * 1992): at a constant rate the weights themselves jump around where they are
 * going, and the more often one looks the earlier one of the jumps is below a
 * target. Not a number: that network has diverged. */
void mlp_losses(struct mlp *mlp, const float *inputs, const uint8_t *labels,
		uint32_t count, double *losses);

/* The mean loss of one network on its batch, and by how much it changes with
 * one weight (of the first layer, or else the second): for tests of the
 * gradient against differences. Call after mlp_inputs() are filled. */
double mlp_batch_loss(struct mlp *mlp, uint32_t network);
float *mlp_weight(struct mlp *mlp, uint32_t network, uint32_t layer,
		  uint32_t from, uint32_t to);
float mlp_gradient(struct mlp *mlp, uint32_t network, uint32_t layer,
		   uint32_t from, uint32_t to);

#endif
