/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of devices: the files of traces/devices, compiled in. A file is
 * a profile as any person could write it; its name without .yaml is the
 * device's.
 */
#ifndef TRACES_DEVICES_H
#define TRACES_DEVICES_H

#include "traces/embedded.h"

extern const struct embedded devices;

#endif
