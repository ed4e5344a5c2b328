/* SPDX-License-Identifier: MIT */
/*
 * AMD IL to Valhall machine code: the library's whole interface.
 *
 * Input: an IL program (il/il.h, with the meaning il/conventions.h gives it) and nothing else. 
 * Output: the program's words and what the driver needs to program the device around it.  What a
 * program and its device agree on is in docs/valhall-chip.rst.
 */
#ifndef VALHALL_COMPILE_H
#define VALHALL_COMPILE_H

#include "compiler/shader.h"

/* Threads that x_ballot is of: a warp. */
#define VALHALL_WAVE 16u

/** The back end. */
extern const struct shader_compiler valhall_compiler;

#endif /* VALHALL_COMPILE_H */
