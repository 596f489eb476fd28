/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of workloads: the files of traces/workloads, compiled in. Each
 * is a workload file as DLIO would read it, with the source of its figures; its
 * name without .yaml is the workload's.
 */
#ifndef TRACES_WORKLOADS_H
#define TRACES_WORKLOADS_H

#include "traces/embedded.h"

extern const struct embedded workloads;

#endif
