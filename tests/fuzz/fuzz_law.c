/* SPDX-License-Identifier: MIT */
/*
 * A law file, from hostile bytes. What is taken for a law must have an answer
 * to every question, and the answers must be sound.
 */
#include <stddef.h>
#include <stdint.h>

#include "analysis/law/law.h"
#include "sim/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void ask(const struct law *law, enum echo_place place, double factor,
		uint64_t batch, uint64_t shuffle, double lag)
{
	const struct law_query query = { .place = place,
					 .asked = factor,
					 .factor = factor,
					 .batch = batch,
					 .shuffle_examples = shuffle,
					 .shuffle_batches = 1,
					 .lag_steps = lag };
	struct law_answer answer;

	law_ask(law, &query, &answer);
	CHECK(answer.source == GAIN_NONE || answer.gain > 0);
	CHECK(answer.gain_min <= answer.gain || answer.gain_min == 0);
	CHECK(answer.gain_max >= answer.gain || answer.gain_max == 0);
	CHECK(answer.fresh >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct law law;
	struct fault fault = { 0 };
	int place;

	if (law_parse(&law, "fuzz", (const char *)bytes, size, &fault)) {
		CHECK(fault.text[0]);
		return 0;
	}
	for (place = ECHO_NONE; place <= ECHO_BATCH; place++) {
		ask(&law, (enum echo_place)place, 1, 32, 0, 0);
		ask(&law, (enum echo_place)place, 2, 1024, 100000, 97);
		ask(&law, (enum echo_place)place, 1.5, 1, 1, 1e9);
		ask(&law, (enum echo_place)place, 1024, UINT32_MAX, 512, 0);
	}
	return 0;
}
