/* SPDX-License-Identifier: MIT */
/*
 * Whether the device takes a program, of each instruction set.
 */
#ifndef EXECUTION_ISA_H
#define EXECUTION_ISA_H

#include "isa/isa.h"

/** NULL, or why the device's lifter does not take a program; *error has room for a reason. */
typedef const char *execution_lift_fn(enum isa_stage stage, const struct isa_binary *binary,
                                      char *error, size_t size);

#define ISA(NAME, name) execution_lift_fn execution_lift_##name;
#define STOCK_ISA       ISA
#include <atoll/isas.def>

#endif /* EXECUTION_ISA_H */
