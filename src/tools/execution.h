/* SPDX-License-Identifier: MIT */
/*
 * What coverage asks of the device: whether it takes a program.
 *
 * Declared here and defined where the device is (emulator/tools/execution.c), since nothing in src/
 * looks into the emulator; a tool that lists coverage links that.
 */
#ifndef ATOLL_TOOL_EXECUTION_H
#define ATOLL_TOOL_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "isa/isa.h"

struct il_program;

/** Whether the device's lifter takes machine code; false: `error` says why not. */
bool execution_takes(const struct isa *isa, enum isa_stage stage, const struct isa_binary *binary,
                     char *error, size_t size);

/** The same for IL that runs as it is. */
bool execution_takes_il(const struct il_program *program, char *error, size_t size);

/** Why no IL instruction of an opcode runs as it is, whatever its operands; NULL if some do. */
const char *execution_il_refusal(unsigned opcode);

#endif /* ATOLL_TOOL_EXECUTION_H */
