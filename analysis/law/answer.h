/* SPDX-License-Identifier: MIT */
/*
 * What a law of training says about one run: how many fresh examples its
 * strategy needs to the target, where that number is from, and what a reader
 * must know of it.
 */
#ifndef ANALYSIS_LAW_ANSWER_H
#define ANALYSIS_LAW_ANSWER_H

#define LAW_WARNING_MAX 400

enum gain_source {
	GAIN_NONE,	   /* no law says anything */
	GAIN_TABLE,	   /* measured under exactly these conditions */
	GAIN_INTERPOLATED, /* between measured points of one series */
	GAIN_MODEL,	   /* a formula fitted to measurements */
	GAIN_USER,	   /* a law file of the user's own */
	GAIN_MEASURED,	   /* a law file that `learn` wrote */
};

struct law_answer {
	enum gain_source source;
	double gain;	 /* fresh examples without echo / with it */
	double gain_min; /* 0: no spread is known */
	double gain_max;
	double fresh;	  /* fresh examples to the target; 0: not known */
	double fresh_min; /* 0: no spread is known */
	double fresh_max;
	/* Where the law was asked beyond what was measured: what it was asked
	 * and its range. "" when nowhere. */
	char warning[LAW_WARNING_MAX];
};

/* "none", "table", "interpolated", "model", "user", "measured" */
const char *gain_source_name(enum gain_source source);

#endif
