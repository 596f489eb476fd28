/* SPDX-License-Identifier: MIT */
#include "analysis/learn/mlp.h"

#include <cblas.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/math.h"
#include "sim/random.h"

#define MEAN_SHARE 10.0f      /* the mean is over the last of so many parts */
#define PROBABILITY_MIN 1e-30 /* below what a float holds, no infinity */

/* Matrices are row-major. The first layers stand side by side: a row of
 * `first` is an input, its columns the hidden units of network 0, 1, ... The
 * second layers stand one after the other. */
struct layer {
	float *weights;
	float *gradient;
	float *speed;
	float *mean; /* of the weights, over the last steps */
	size_t count;
};

struct mlp {
	struct mlp_shape shape;
	uint32_t width; /* hidden units of all networks */
	uint64_t steps; /* taken */
	float *memory;
	struct layer first;	  /* inputs x width */
	struct layer first_bias;  /* width */
	struct layer second;	  /* networks x hidden x classes */
	struct layer second_bias; /* networks x classes */
	float *inputs;		  /* batch x inputs */
	float *hidden;		  /* batch x width */
	float *hidden_gradient;	  /* batch x width */
	float *outputs;		  /* batch x classes, of one network */
	float *rates;		  /* by network */
	uint8_t *labels;	  /* batch */
};

/* Cuts the next piece off the memory; only counts when there is none yet. */
static float *cut(float *memory, size_t *used, size_t count)
{
	float *piece = memory ? memory + *used : NULL;

	*used += count;
	return piece;
}

static void cut_layer(struct layer *layer, float *memory, size_t *used,
		      size_t count)
{
	layer->count = count;
	layer->weights = cut(memory, used, count);
	layer->gradient = cut(memory, used, count);
	layer->speed = cut(memory, used, count);
	layer->mean = cut(memory, used, count);
}

static size_t cut_all(struct mlp *mlp, float *memory)
{
	const struct mlp_shape *shape = &mlp->shape;
	size_t networks = shape->networks, batch = shape->batch;
	size_t used = 0;

	cut_layer(&mlp->first, memory, &used,
		  (size_t)shape->inputs * mlp->width);
	cut_layer(&mlp->first_bias, memory, &used, mlp->width);
	cut_layer(&mlp->second, memory, &used,
		  networks * shape->hidden * shape->classes);
	cut_layer(&mlp->second_bias, memory, &used, networks * shape->classes);
	mlp->inputs = cut(memory, &used, batch * shape->inputs);
	mlp->hidden = cut(memory, &used, batch * mlp->width);
	mlp->hidden_gradient = cut(memory, &used, batch * mlp->width);
	mlp->outputs = cut(memory, &used, batch * shape->classes);
	mlp->rates = cut(memory, &used, networks);
	return used;
}

/* He et al.: variance 2 / inputs. The same for every network. */
static void draw_weights(struct mlp *mlp, uint64_t seed)
{
	const struct mlp_shape *shape = &mlp->shape;
	struct random_stream stream = random_stream(seed, RANDOM_LEARN_WEIGHTS);
	uint32_t second = shape->hidden * shape->classes;
	uint64_t index = 0;
	double scale = math_sqrt(2.0 / shape->inputs);
	uint32_t i, network;

	for (i = 0; i < shape->inputs * shape->hidden; i++, index++)
		for (network = 0; network < shape->networks; network++)
			*mlp_weight(mlp, network, 0, i / shape->hidden,
				    i % shape->hidden) =
				(float)(scale *
					math_normal_quantile(random_unit(
						random_bits(stream, index))));
	scale = math_sqrt(2.0 / shape->hidden);
	for (i = 0; i < second; i++, index++)
		for (network = 0; network < shape->networks; network++)
			mlp->second.weights[network * second + i] =
				(float)(scale *
					math_normal_quantile(random_unit(
						random_bits(stream, index))));
}

/* Before the first step the mean is what the weights are. */
static void begin_means(struct layer *layer)
{
	memcpy(layer->mean, layer->weights,
	       layer->count * sizeof(*layer->mean));
}

/* Puts the means in the weights' place, or back. */
static void exchange_means(struct mlp *mlp)
{
	struct layer *const layers[] = { &mlp->first, &mlp->first_bias,
					 &mlp->second, &mlp->second_bias };
	size_t i;

	for (i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
		float *weights = layers[i]->weights;

		layers[i]->weights = layers[i]->mean;
		layers[i]->mean = weights;
	}
}

static __typeof__(&cblas_sgemm) sgemm;

int mlp_load(struct fault *fault)
{
	void *library;

	setenv("OPENBLAS_NUM_THREADS", "1", 1); /* it looks as it is loaded */
	library = dlopen("libopenblas.so.0", RTLD_NOW);
	if (library)
		*(void **)&sgemm = dlsym(library, "cblas_sgemm");
	if (sgemm)
		return 0;
	fault_set(fault, NULL, 0,
		  "learn wants OpenBLAS (Debian package libopenblas0): %s",
		  dlerror());
	return -ELIBACC;
}

struct mlp *mlp_open(const struct mlp_shape *shape, const float *rates,
		     uint64_t seed)
{
	struct mlp *mlp = calloc(1, sizeof(*mlp));
	size_t size;

	CHECK(sgemm);
	if (!mlp)
		return NULL;
	mlp->shape = *shape;
	mlp->width = shape->hidden * shape->networks;
	size = cut_all(mlp, NULL);
	mlp->memory = calloc(size, sizeof(float));
	mlp->labels = calloc(shape->batch, 1);
	if (!mlp->memory || !mlp->labels) {
		mlp_close(mlp);
		return NULL;
	}
	cut_all(mlp, mlp->memory);
	memcpy(mlp->rates, rates, shape->networks * sizeof(*rates));
	draw_weights(mlp, seed);
	begin_means(&mlp->first);
	begin_means(&mlp->second);
	return mlp;
}

void mlp_close(struct mlp *mlp)
{
	if (!mlp)
		return;
	free(mlp->memory);
	free(mlp->labels);
	free(mlp);
}

float *mlp_inputs(struct mlp *mlp)
{
	return mlp->inputs;
}

uint8_t *mlp_labels(struct mlp *mlp)
{
	return mlp->labels;
}

/* C (rows x columns) = A x B, either of them turned or not. */
static void multiply(CBLAS_TRANSPOSE a_turned, CBLAS_TRANSPOSE b_turned,
		     uint32_t rows, uint32_t columns, uint32_t inner,
		     const float *a, uint32_t a_width, const float *b,
		     uint32_t b_width, float *c, uint32_t c_width)
{
	sgemm(CblasRowMajor, a_turned, b_turned, (int)rows, (int)columns,
	      (int)inner, 1, a, (int)a_width, b, (int)b_width, 0, c,
	      (int)c_width);
}

static void add_bias_and_rectify(float *row, const float *bias, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		row[i] += bias[i];
		row[i] = row[i] > 0 ? row[i] : 0;
	}
}

static void run_first(struct mlp *mlp, const float *inputs, uint32_t count)
{
	uint32_t i;

	multiply(CblasNoTrans, CblasNoTrans, count, mlp->width,
		 mlp->shape.inputs, inputs, mlp->shape.inputs,
		 mlp->first.weights, mlp->width, mlp->hidden, mlp->width);
	for (i = 0; i < count; i++)
		add_bias_and_rectify(mlp->hidden + (size_t)i * mlp->width,
				     mlp->first_bias.weights, mlp->width);
}

/* Outputs become probabilities; returns -log of that of the class. */
static double soften(float *outputs, const float *bias, uint32_t classes,
		     uint32_t label)
{
	double sum = 0, most;
	uint32_t i;

	for (i = 0; i < classes; i++)
		outputs[i] += bias[i];
	most = (double)outputs[0];
	for (i = 1; i < classes; i++)
		most = (double)outputs[i] > most ? (double)outputs[i] : most;
	for (i = 0; i < classes; i++) {
		outputs[i] = (float)math_exp((double)outputs[i] - most);
		sum += (double)outputs[i];
	}
	for (i = 0; i < classes; i++)
		outputs[i] = (float)((double)outputs[i] / sum);
	return -math_log((double)outputs[label] + PROBABILITY_MIN);
}

/* The second layer of one network, after run_first(); the sum of losses. */
static double run_second(struct mlp *mlp, uint32_t network,
			 const uint8_t *labels, uint32_t count)
{
	const struct mlp_shape *shape = &mlp->shape;
	const float *weights = mlp->second.weights +
			       (size_t)network * shape->hidden * shape->classes;
	const float *bias =
		mlp->second_bias.weights + (size_t)network * shape->classes;
	double sum = 0;
	uint32_t i;

	multiply(CblasNoTrans, CblasNoTrans, count, shape->classes,
		 shape->hidden, mlp->hidden + (size_t)network * shape->hidden,
		 mlp->width, weights, shape->classes, mlp->outputs,
		 shape->classes);
	for (i = 0; i < count; i++)
		sum += soften(mlp->outputs + (size_t)i * shape->classes, bias,
			      shape->classes, labels[i]);
	return sum;
}

static void sum_columns(const float *matrix, uint32_t rows, uint32_t columns,
			float *sums)
{
	uint32_t i, j;

	memset(sums, 0, columns * sizeof(*sums));
	for (i = 0; i < rows; i++)
		for (j = 0; j < columns; j++)
			sums[j] += matrix[(size_t)i * columns + j];
}

/* From probabilities to gradients of one network, down to its hidden units. */
static void learn_second(struct mlp *mlp, uint32_t network)
{
	const struct mlp_shape *shape = &mlp->shape;
	size_t at = (size_t)network * shape->hidden * shape->classes;
	size_t hidden_at = (size_t)network * shape->hidden;
	float share = 1 / (float)shape->batch;
	uint32_t i, size = shape->batch * shape->classes;

	for (i = 0; i < shape->batch; i++)
		mlp->outputs[i * shape->classes + mlp->labels[i]] -= 1;
	for (i = 0; i < size; i++)
		mlp->outputs[i] *= share;
	multiply(CblasTrans, CblasNoTrans, shape->hidden, shape->classes,
		 shape->batch, mlp->hidden + hidden_at, mlp->width,
		 mlp->outputs, shape->classes, mlp->second.gradient + at,
		 shape->classes);
	sum_columns(mlp->outputs, shape->batch, shape->classes,
		    mlp->second_bias.gradient +
			    (size_t)network * shape->classes);
	multiply(CblasNoTrans, CblasTrans, shape->batch, shape->hidden,
		 shape->classes, mlp->outputs, shape->classes,
		 mlp->second.weights + at, shape->classes,
		 mlp->hidden_gradient + hidden_at, mlp->width);
}

static void learn_first(struct mlp *mlp)
{
	const struct mlp_shape *shape = &mlp->shape;
	size_t i, size = (size_t)shape->batch * mlp->width;

	for (i = 0; i < size; i++)
		mlp->hidden_gradient[i] =
			mlp->hidden[i] > 0 ? mlp->hidden_gradient[i] : 0;
	multiply(CblasTrans, CblasNoTrans, shape->inputs, mlp->width,
		 shape->batch, mlp->inputs, shape->inputs, mlp->hidden_gradient,
		 mlp->width, mlp->first.gradient, mlp->width);
	sum_columns(mlp->hidden_gradient, shape->batch, mlp->width,
		    mlp->first_bias.gradient);
}

static void compute_gradients(struct mlp *mlp)
{
	uint32_t network;

	run_first(mlp, mlp->inputs, mlp->shape.batch);
	for (network = 0; network < mlp->shape.networks; network++) {
		run_second(mlp, network, mlp->labels, mlp->shape.batch);
		learn_second(mlp, network);
	}
	learn_first(mlp);
}

/* A row of the layer holds `each` weights of network 0, then of 1, ... */
static void move(const struct mlp *mlp, struct layer *layer, size_t each)
{
	float share = MEAN_SHARE / (float)mlp->steps;
	float momentum = mlp->shape.momentum;
	size_t row = each * mlp->shape.networks;
	size_t start, i, network;

	share = share < 1 ? share : 1;
	for (start = 0; start < layer->count; start += row)
		for (network = 0; network < mlp->shape.networks; network++) {
			size_t from = start + network * each;
			float rate = mlp->rates[network];

			for (i = from; i < from + each; i++) {
				layer->speed[i] = momentum * layer->speed[i] +
						  layer->gradient[i];
				layer->weights[i] -= rate * layer->speed[i];
				layer->mean[i] += share * (layer->weights[i] -
							   layer->mean[i]);
			}
		}
}

void mlp_step(struct mlp *mlp)
{
	size_t hidden = mlp->shape.hidden, classes = mlp->shape.classes;

	compute_gradients(mlp);
	mlp->steps++;
	move(mlp, &mlp->first, hidden);
	move(mlp, &mlp->first_bias, hidden);
	move(mlp, &mlp->second, hidden * classes);
	move(mlp, &mlp->second_bias, classes);
}

void mlp_losses(struct mlp *mlp, const float *inputs, const uint8_t *labels,
		uint32_t count, double *losses)
{
	const struct mlp_shape *shape = &mlp->shape;
	uint32_t network, done, part;

	exchange_means(mlp);
	memset(losses, 0, shape->networks * sizeof(*losses));
	for (done = 0; done < count; done += part) {
		part = count - done < shape->batch ? count - done :
						     shape->batch;
		run_first(mlp, inputs + (size_t)done * shape->inputs, part);
		for (network = 0; network < shape->networks; network++)
			losses[network] +=
				run_second(mlp, network, labels + done, part);
	}
	for (network = 0; network < shape->networks; network++)
		losses[network] /= count;
	exchange_means(mlp);
}

double mlp_batch_loss(struct mlp *mlp, uint32_t network)
{
	run_first(mlp, mlp->inputs, mlp->shape.batch);
	return run_second(mlp, network, mlp->labels, mlp->shape.batch) /
	       mlp->shape.batch;
}

static size_t place(const struct mlp *mlp, uint32_t network, uint32_t layer,
		    uint32_t from, uint32_t to)
{
	const struct mlp_shape *shape = &mlp->shape;

	if (!layer)
		return (size_t)from * mlp->width + network * shape->hidden + to;
	return ((size_t)network * shape->hidden + from) * shape->classes + to;
}

float *mlp_weight(struct mlp *mlp, uint32_t network, uint32_t layer,
		  uint32_t from, uint32_t to)
{
	struct layer *of = layer ? &mlp->second : &mlp->first;

	return &of->weights[place(mlp, network, layer, from, to)];
}

float mlp_gradient(struct mlp *mlp, uint32_t network, uint32_t layer,
		   uint32_t from, uint32_t to)
{
	struct layer *of = layer ? &mlp->second : &mlp->first;

	compute_gradients(mlp);
	return of->gradient[place(mlp, network, layer, from, to)];
}
