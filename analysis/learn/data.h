/* SPDX-License-Identifier: MIT */
/*
 * What the small network learns from. An example has a number, as in any
 * dataset of echosim, and a view: what augmentation made of it this time. The
 * same number and view are the same pixels, whoever asks and whenever.
 *
 *   digits   1,797 handwritten digits of 8x8 pixels (UCI, CC BY 4.0), every
 *            fifth held out; a view is turned by up to 15 degrees, shifted by
 *            up to a pixel and noisy. 1,438 examples: epoch after epoch.
 *   teacher  points of 32 normal numbers and the class that a fixed random
 *            network gives them; a view adds noise. No example comes twice.
 */
#ifndef ANALYSIS_LEARN_DATA_H
#define ANALYSIS_LEARN_DATA_H

#include <stddef.h>
#include <stdint.h>

enum learn_set {
	LEARN_DIGITS,
	LEARN_TEACHER,
	LEARN_SET_COUNT,
};

struct learn_data {
	enum learn_set set;
	uint32_t inputs;
	uint32_t classes;
	uint64_t examples;     /* to train on, in an epoch */
	uint32_t held_count;   /* to measure on */
	const float *held;     /* held_count x inputs */
	const uint8_t *labels; /* of the held ones */
	/* Private. */
	float *pixels;
	uint8_t *classes_of;
	float *teacher;
};

/* "digits", "teacher"; NULL beyond. */
const char *learn_set_name(enum learn_set set);

/* Negative errno. */
int learn_data_open(struct learn_data *data, enum learn_set set)
	__attribute__((warn_unused_result));
void learn_data_close(struct learn_data *data);

/* One use of an example: fills `x` (inputs numbers) with the view and returns
 * the class. `view` is 0 wherever copies share their augmentation. */
uint32_t learn_data_view(const struct learn_data *data, uint64_t seed,
			 uint64_t epoch, uint64_t example, uint32_t view,
			 float *x);

#endif
