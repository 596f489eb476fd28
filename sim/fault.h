/* SPDX-License-Identifier: MIT */
/*
 * A fault is what a person is told about their own mistake or the world's
 * refusal: said once, where it was found, and passed up unchanged beside a
 * negative errno. The macro formats with snprintf of the room that uses it;
 * the model itself never does.
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stddef.h>

struct fault {
	const char *file; /* borrowed: the input's name, or NULL */
	int line;	  /* 1-based; 0 when there is none */
	char text[400];
};

/* Fills the fault unless it is filled already: the first cause wins. */
#define fault_set(target, name, at_line, ...)                                  \
	do {                                                                   \
		struct fault *fault_ = (target);                               \
		if (fault_ && !fault_->text[0]) {                              \
			fault_->file = (name);                                 \
			fault_->line = (at_line);                              \
			snprintf(fault_->text, sizeof(fault_->text),           \
				 __VA_ARGS__);                                 \
		}                                                              \
	} while (0)

#endif
