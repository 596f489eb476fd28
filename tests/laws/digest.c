/* SPDX-License-Identifier: MIT */
#include "tests/laws/digest.h"

#include "sim/device.h"
#include "sim/distribution.h"
#include "sim/histogram.h"
#include "sim/layout.h"
#include "sim/math.h"
#include "sim/permutation.h"
#include "sim/random.h"
#include "sim/throttle.h"

#define DRAWS 20000

/* FNV-1a over 64-bit words, and the words' places by the multiplication. */
uint64_t fold(uint64_t hash, uint64_t word)
{
	for (int byte = 0; byte < 8; byte++) {
		hash ^= (word >> (8 * byte)) & 0xff;
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}

uint64_t fold_double(uint64_t hash, double value)
{
	union {
		double value;
		uint64_t bits;
	} number = { .value = value };

	return fold(hash, number.bits);
}

static uint64_t fold_random(uint64_t hash)
{
	struct random_stream stream = random_stream(7, RANDOM_SHUFFLE);

	for (uint64_t i = 0; i < DRAWS; i++) {
		uint64_t bits = random_bits(random_substream(stream, i % 5), i);

		hash = fold(hash, bits);
		hash = fold_double(hash, random_unit(bits));
		hash = fold(hash, random_below(bits, i + 1));
	}
	return hash;
}

/* Every bit of the model's own functions: draws are rounded to whole numbers,
 * which would hide a difference in the last place. */
static uint64_t fold_math(uint64_t hash)
{
	struct random_stream stream = random_stream(6, RANDOM_STEP_TIME);

	for (uint64_t i = 0; i < DRAWS; i++) {
		double unit = random_unit(random_bits(stream, i));

		hash = fold_double(hash, math_log(unit));
		hash = fold_double(hash, math_exp(20 * unit - 10));
		hash = fold_double(hash, math_normal_quantile(unit));
		hash = fold_double(hash, math_sqrt(unit));
	}
	return hash;
}

/* Every kind of distribution, in the order of its enum. */
static const struct distribution kinds[] = {
	{ .kind = DISTRIBUTION_CONSTANT, .mean = 1234567.0 },
	{ .kind = DISTRIBUTION_UNIFORM, .low = 1e3, .high = 1e9 },
	{ .kind = DISTRIBUTION_EXPONENTIAL, .mean = 8e6 },
	{ .kind = DISTRIBUTION_NORMAL, .mean = 3e6, .stdev = 2e6 },
	{ .kind = DISTRIBUTION_LOGNORMAL, .mean = 114688, .stdev = 71680 },
	{ .kind = DISTRIBUTION_QUANTILES,
	  .p50 = 1e6,
	  .p90 = 3e6,
	  .p99 = 2e7,
	  .p999 = 9e7 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static uint64_t fold_distributions(uint64_t hash)
{
	struct random_stream stream = random_stream(8, RANDOM_STEP_TIME);

	for (uint64_t kind = 0; kind < KINDS; kind++) {
		struct distribution distribution = kinds[kind];

		distribution_prepare(&distribution);
		hash = fold_double(hash, distribution_mean(&distribution));
		for (uint64_t i = 0; i < DRAWS; i++)
			hash = fold(hash, (uint64_t)distribution_draw(
						  &distribution,
						  random_bits(stream, i)));
	}
	return hash;
}

static uint64_t fold_orders(uint64_t hash)
{
	for (uint64_t count = 1; count < 4000; count = 3 * count + 1) {
		struct permutation order = permutation_make(
			count, random_stream(count, RANDOM_EPOCH_ORDER));

		for (uint64_t i = 0; i < count; i++)
			hash = fold(hash, permutation_at(&order, i));
	}
	return hash;
}

static uint64_t fold_layout(uint64_t hash)
{
	struct layout layout;
	struct layout_block block;

	layout_compute(&layout, 100000, &kinds[DISTRIBUTION_LOGNORMAL], 1.7,
		       1 << 20, 1251, 9);
	for (uint64_t i = 0; i < layout.blocks; i++) {
		layout_block(&layout, i, &block);
		hash = fold(hash, block.first_example);
		hash = fold(hash, block.offset_bytes);
		hash = fold(hash, block.stored_bytes);
		hash = fold(hash, block.content_bytes);
	}
	return hash;
}

/* A device in every constraint, its latencies as a throttle sees them. */
static uint64_t fold_device(uint64_t hash)
{
	static int64_t slots[16];
	static struct throttle throttle;
	struct device_profile profile = {
		.bandwidth_bytes_per_s = 150 * 1000 * 1000,
		.iops = 3000,
		.io_unit_bytes = 256 * 1024,
		.latency_ns = kinds[DISTRIBUTION_QUANTILES],
		.max_inflight = 16,
	};
	struct random_stream gaps = random_stream(10, RANDOM_DECODE_TIME);
	struct device device;
	int64_t now_ns = 0;

	device_init(&device, &profile, 11, slots);
	for (uint64_t i = 0; i < DRAWS; i++) {
		uint64_t bits = random_bits(gaps, i);
		struct device_request request = {
			.number = i,
			.position_bytes = i << 20,
			.bytes = random_below(bits, 1 << 20),
		};
		int64_t due_ns;

		now_ns += (int64_t)random_below(bits, 8 * 1000 * 1000);
		due_ns = device_submit(&device, now_ns, &request).at_ns;
		hash = fold(hash, (uint64_t)due_ns);
		hash = fold(hash, (uint64_t)throttle_stamp(
					  &throttle, now_ns, due_ns,
					  now_ns + (int64_t)(bits >> 40)));
	}
	hash = fold(hash, throttle.late);
	throttle.elapsed_ns = now_ns;
	hash = fold(hash, (uint64_t)throttle.disturbed_ns);
	hash = fold(hash, throttle_held(&throttle));
	for (int i = 0; i <= 100; i++)
		hash = fold(hash, histogram_quantile(&throttle.lateness_ns,
						     i / 100.0));
	return fold_double(hash, histogram_mean(&throttle.lateness_ns));
}

uint64_t digest(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = fold_random(hash);
	hash = fold_math(hash);
	hash = fold_distributions(hash);
	hash = fold_orders(hash);
	hash = fold_layout(hash);
	hash = fold_device(hash);
	hash = digest_engine(hash);
	return hash;
}
