/* SPDX-License-Identifier: MIT */
#include "analysis/learn/data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learn/texts.h"
#include "sim/check.h"
#include "sim/math.h"
#include "sim/random.h"

#define SIDE 8
#define PIXELS (SIDE * SIDE)
#define PIXEL_MAX 16.0f
#define HELD_EVERY 5
#define TURN 0.268f /* tangent of 15 degrees */
#define SHIFT 1.0f  /* pixels */
#define NOISE 0.3f

#define TEACHER_SEED 3
#define TEACHER_INPUTS 32
#define TEACHER_HIDDEN 4
#define TEACHER_CLASSES 4
#define TEACHER_HELD 1000
#define TEACHER_EXAMPLES (UINT64_C(1) << 24)
#define TEACHER_NOISE 0.5f

const char *learn_set_name(enum learn_set set)
{
	static const char *const names[] = { "digits", "teacher" };

	return set < LEARN_SET_COUNT ? names[set] : NULL;
}

/* Uniform in -1..1. */
static float draw(struct random_stream stream, uint64_t index)
{
	return (float)(2 * random_unit(random_bits(stream, index)) - 1);
}

static float draw_normal(struct random_stream stream, uint64_t index)
{
	return (float)math_normal_quantile(
		random_unit(random_bits(stream, index)));
}

/* Digits. */

/* Calls for every image of the text: a line of letters and a class. */
static uint32_t for_each_digit(void (*take)(struct learn_data *data,
					    uint32_t number, const char *line),
			       struct learn_data *data)
{
	const struct embedded_file *text =
		embedded_find(&learn_texts, "digits");
	const char *line = text->text, *end = text->text + text->size, *next;
	uint32_t count = 0;

	for (; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		CHECK(next);
		if (*line == '#')
			continue;
		CHECK(next - line == PIXELS + 1);
		if (take)
			take(data, count, line);
		count++;
	}
	return count;
}

/* The held-out ones stand behind those to train on. */
static void take_digit(struct learn_data *data, uint32_t number,
		       const char *line)
{
	uint64_t held = number / HELD_EVERY;
	uint64_t at = number % HELD_EVERY == HELD_EVERY - 1 ?
			      data->examples + held :
			      number - held;
	int i;

	for (i = 0; i < PIXELS; i++)
		data->pixels[at * PIXELS + (uint64_t)i] =
			(float)(line[i] - 'A') / PIXEL_MAX;
	data->classes_of[at] = (uint8_t)(line[PIXELS] - '0');
}

static int open_digits(struct learn_data *data)
{
	uint32_t count = for_each_digit(NULL, data);

	data->inputs = PIXELS;
	data->classes = 10;
	data->held_count = count / HELD_EVERY;
	data->examples = count - data->held_count;
	data->pixels = calloc((size_t)count * PIXELS, sizeof(float));
	data->classes_of = calloc(count, 1);
	if (!data->pixels || !data->classes_of)
		return -ENOMEM;
	for_each_digit(take_digit, data);
	return 0;
}

static float pixel_at(const float *image, int row, int column)
{
	if (row < 0 || row >= SIDE || column < 0 || column >= SIDE)
		return 0;
	return image[row * SIDE + column];
}

/* Straight between the four pixels around. */
static float between(const float *image, float row, float column)
{
	int top = (int)(row + SIDE) - SIDE, left = (int)(column + SIDE) - SIDE;
	float down = row - (float)top, right = column - (float)left;

	return (1 - down) * ((1 - right) * pixel_at(image, top, left) +
			     right * pixel_at(image, top, left + 1)) +
	       down * ((1 - right) * pixel_at(image, top + 1, left) +
		       right * pixel_at(image, top + 1, left + 1));
}

static void view_digit(const float *image, struct random_stream stream,
		       float *x)
{
	const float middle = (SIDE - 1) / 2.0f;
	float tangent = TURN * draw(stream, 0);
	float cosine =
		(float)(1 / math_sqrt(1 + (double)tangent * (double)tangent));
	float down = SHIFT * draw(stream, 1), right = SHIFT * draw(stream, 2);
	float row, column;
	int i;

	for (i = 0; i < PIXELS; i++) {
		row = (float)(i / SIDE) - middle;
		column = (float)(i % SIDE) - middle;
		x[i] = between(image,
			       cosine * (row + tangent * column) + middle +
				       down,
			       cosine * (column - tangent * row) + middle +
				       right) +
		       NOISE * draw(stream, (uint64_t)i + 3);
	}
}

/* The teacher. */

static struct random_stream teacher_stream(uint64_t index)
{
	return random_substream(
		random_stream(TEACHER_SEED, RANDOM_LEARN_TEACHER), index);
}

static void point(uint64_t number, float *x)
{
	struct random_stream stream =
		random_substream(teacher_stream(0), number);
	uint64_t i;

	for (i = 0; i < TEACHER_INPUTS; i++)
		x[i] = draw_normal(stream, i);
}

/* What the fixed network makes of a point: its largest output. */
static uint32_t teach(const float *weights, const float *x)
{
	const float *second = weights + TEACHER_INPUTS * TEACHER_HIDDEN;
	float hidden[TEACHER_HIDDEN], best = 0, output;
	uint32_t class = 0;
	int i, j;

	for (j = 0; j < TEACHER_HIDDEN; j++) {
		hidden[j] = 0;
		for (i = 0; i < TEACHER_INPUTS; i++)
			hidden[j] += x[i] * weights[i * TEACHER_HIDDEN + j];
		/* Odd, so that no class comes more often than others. */
		hidden[j] /= 1 + (hidden[j] > 0 ? hidden[j] : -hidden[j]);
	}
	for (i = 0; i < TEACHER_CLASSES; i++) {
		output = 0;
		for (j = 0; j < TEACHER_HIDDEN; j++)
			output += hidden[j] * second[j * TEACHER_CLASSES + i];
		if (i == 0 || output > best) {
			best = output;
			class = (uint32_t)i;
		}
	}
	return class;
}

static int open_teacher(struct learn_data *data)
{
	size_t weights = TEACHER_HIDDEN * (TEACHER_INPUTS + TEACHER_CLASSES);
	uint64_t i;

	data->inputs = TEACHER_INPUTS;
	data->classes = TEACHER_CLASSES;
	data->held_count = TEACHER_HELD;
	data->examples = TEACHER_EXAMPLES;
	data->teacher = calloc(weights, sizeof(float));
	data->pixels =
		calloc((size_t)TEACHER_HELD * TEACHER_INPUTS, sizeof(float));
	data->classes_of = calloc(TEACHER_HELD, 1);
	if (!data->teacher || !data->pixels || !data->classes_of)
		return -ENOMEM;
	for (i = 0; i < weights; i++)
		data->teacher[i] = draw_normal(teacher_stream(1), i);
	for (i = 0; i < TEACHER_HELD; i++) {
		point(TEACHER_EXAMPLES + i, data->pixels + i * TEACHER_INPUTS);
		data->classes_of[i] = (uint8_t)teach(
			data->teacher, data->pixels + i * TEACHER_INPUTS);
	}
	return 0;
}

/* Both. */

int learn_data_open(struct learn_data *data, enum learn_set set)
{
	uint64_t held_at;
	int error;

	*data = (struct learn_data){ .set = set };
	error = set == LEARN_DIGITS ? open_digits(data) : open_teacher(data);
	if (error) {
		learn_data_close(data);
		return error;
	}
	held_at = set == LEARN_DIGITS ? data->examples : 0;
	data->held = data->pixels + held_at * data->inputs;
	data->labels = data->classes_of + held_at;
	return 0;
}

void learn_data_close(struct learn_data *data)
{
	free(data->pixels);
	free(data->classes_of);
	free(data->teacher);
	*data = (struct learn_data){ 0 };
}

uint32_t learn_data_view(const struct learn_data *data, uint64_t seed,
			 uint64_t epoch, uint64_t example, uint32_t view,
			 float *x)
{
	struct random_stream stream = random_substream(
		random_substream(
			random_substream(random_stream(seed, RANDOM_LEARN_VIEW),
					 epoch),
			example),
		view);
	uint32_t class;
	uint64_t i;

	if (data->set == LEARN_DIGITS) {
		view_digit(data->pixels + example * PIXELS, stream, x);
		return data->classes_of[example];
	}
	point(epoch * TEACHER_EXAMPLES + example, x);
	class = teach(data->teacher, x);
	for (i = 0; i < TEACHER_INPUTS; i++)
		x[i] += TEACHER_NOISE * draw(stream, i);
	return class;
}
