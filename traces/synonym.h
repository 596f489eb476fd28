/* SPDX-License-Identifier: MIT */
/*
 * Other programs' words: what PyTorch, tf.data, DALI and DLIO call something
 * that a scenario has under another name.
 */
#ifndef TRACES_SYNONYM_H
#define TRACES_SYNONYM_H

struct synonym {
	const char *word; /* as elsewhere, the last part of a key */
	const char *key;  /* as in a scenario, in full */
};

/* Ended by a word of NULL. */
extern const struct synonym synonyms[];

/* The key that a word means; NULL: none that is known. Capitals and dashes
 * do not matter. */
const char *synonym_find(const char *word);

#endif
