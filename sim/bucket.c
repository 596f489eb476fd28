/* SPDX-License-Identifier: MIT */
#include "sim/bucket.h"

#define NS_PER_S 1e9

void bucket_init(struct bucket *bucket, const struct bucket_profile *profile)
{
	*bucket = (struct bucket){ .credit = profile->initial,
				   .dry_ns = INT64_MAX };
}

static void earn(struct bucket *bucket, const struct bucket_profile *profile,
		 double seconds)
{
	bucket->credit += profile->baseline_per_s * seconds;
	if (bucket->credit > profile->capacity)
		bucket->credit = profile->capacity;
}

/* Seconds that the units take, and the credit they cost. */
static double spend(struct bucket *bucket, const struct bucket_profile *profile,
		    double units)
{
	double baseline = profile->baseline_per_s;
	double peak = profile->peak_per_s;
	double cost = units * (1 - baseline / peak);
	double burst_s;

	if (cost <= bucket->credit) {
		bucket->credit -= cost;
		return units / peak;
	}
	burst_s = bucket->credit / (peak - baseline);
	bucket->credit = 0;
	if (bucket->dry_ns == INT64_MAX)
		bucket->dry_ns =
			bucket->free_ns + (int64_t)(burst_s * NS_PER_S);
	return burst_s + (units - burst_s * peak) / baseline;
}

int64_t bucket_pass(struct bucket *bucket, const struct bucket_profile *profile,
		    int64_t start_ns, double units)
{
	double taken_ns;
	int64_t whole_ns;

	if (start_ns > bucket->free_ns) {
		double idle_ns = (double)(start_ns - bucket->free_ns) -
				 bucket->fraction_ns;

		earn(bucket, profile, idle_ns / NS_PER_S);
		bucket->free_ns = start_ns;
		bucket->fraction_ns = 0;
	}
	bucket->units += units;
	taken_ns =
		spend(bucket, profile, units) * NS_PER_S + bucket->fraction_ns;
	whole_ns = (int64_t)taken_ns;
	bucket->free_ns += whole_ns;
	bucket->fraction_ns = taken_ns - (double)whole_ns;
	return bucket->free_ns;
}
