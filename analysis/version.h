/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_VERSION_H
#define ANALYSIS_VERSION_H

#define ECHOSIM_VERSION "0.1.0"

#endif
