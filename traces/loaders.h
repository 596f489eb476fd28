/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of loaders: the files of traces/loaders, compiled in. A file is
 * a preset: keys as under pipeline.loader, and what is known of the loader; its
 * name without .yaml is the loader's. It names what makes that loader what it
 * is and leaves out how large it is, so that workers and prefetch_factor of a
 * scenario outlive a change of loader.
 */
#ifndef TRACES_LOADERS_H
#define TRACES_LOADERS_H

#include "traces/embedded.h"

extern const struct embedded loaders;

#endif
