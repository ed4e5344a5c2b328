/* SPDX-License-Identifier: MIT */
/*
 * AMD IL to ATTILA machine code: the library's whole interface.
 *
 * Vertex and pixel programs of OpenGL 2.1 and ES 2.0; where a program finds what it reads is in
 * docs/attila-chip.rst.  What it cannot say is refused with a message.
 */
#ifndef ATTILA_COMPILE_H
#define ATTILA_COMPILE_H

#include "compiler/shader.h"

/** The back end.  In `struct shader_code`, words are four to an instruction, `num_gprs` counts
 * temporaries, and `icb` holds literals after IL's immediate constants. */
extern const struct shader_compiler attila_compiler;

/** What ATTILA has of IL's groups (il/lower/lower.h). */
extern const struct il_target_caps attila_caps;

/* Constants: buffer 0, and from here on the driver's. */
#define ATTILA_DRIVER_CONSTANTS 256
#define ATTILA_CONSTANT_WINDOW  256 /* vectors of each */
/* Inputs, outputs and temporaries, of a program. */
#define ATTILA_REGISTERS 117

/* Registers of a vertex program's outputs: positions, then parameters. */
#define ATTILA_VS_PARAMETER 4

/* Registers of a pixel program's inputs; parameter n is n after one of them. */
#define ATTILA_PS_POSITION        0
#define ATTILA_PS_FACE            1
#define ATTILA_PS_PERSP           2
#define ATTILA_PS_PERSP_CENTROID  34
#define ATTILA_PS_LINEAR          66
#define ATTILA_PS_LINEAR_CENTROID 98

/* A texture unit's number, and what is added to it. */
#define ATTILA_UNITS         16
#define ATTILA_UNIT_COMPARES 16
#define ATTILA_UNIT_TEXELS   32

#endif
