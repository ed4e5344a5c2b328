/* SPDX-License-Identifier: MIT */
/*
 * AMD IL to machine code of Cayman and of the five-slot chips: the library's whole interface.
 *
 * Input: an IL program (il/il.h, with the meaning il/conventions.h gives it) and nothing else.
 * Output: the program's words and what the driver needs to program the device around it.  No Mesa,
 * no device.
 */
#ifndef CAYMAN_COMPILE_H
#define CAYMAN_COMPILE_H

#include "compiler/shader.h"

/** The back ends: Cayman's, and the one of the five-slot chips before it. */
extern const struct shader_compiler cayman_compiler;
extern const struct shader_compiler evergreen_compiler;

/** What Cayman has of IL's groups, and those chips; programs are legalised for it
 *  (il/lower/lower.h). */
extern const struct il_target_caps cayman_caps;
extern const struct il_target_caps evergreen_caps;

/* Where the compiled code expects its resources, relative to the stage's base
 * (SET_RESOURCE index / 8).  Buffers that are read through the fetch unit (indexed constants) are
 * resource = constant buffer number, stride 16, format 32_32_32_32_FLOAT. */
#define CAYMAN_RESOURCE_CONST   0  /* .. 16: constant buffer n */
#define CAYMAN_RESOURCE_RING    17 /* ESGS ring of a GS, GSVS ring of its copy shader: stride 4 */
#define CAYMAN_RESOURCE_TEXTURE 18 /* + n: texture or texture buffer n */
/* .. 111, + n: what operations on UAV n return (its entry's CB_IMMED_BASE); stride 4 */
#define CAYMAN_RESOURCE_UAV_RETURN 64
/* .. 159, + n: UAV n, read: a buffer with stride 4 if it is raw or structured, a buffer of texels,
 * or for other types of texels a texture that has x, y and the layer or slice */
#define CAYMAN_RESOURCE_UAV 112

/* Vertex element i arrives in this GPR. */
#define CAYMAN_VS_INPUT_GPR(i) (1 + (i))

/** shader_compiler.compile() and .compile_copy() of Cayman, and of five-slot chips. */
bool cayman_compile(const struct il_program *il, unsigned flags, struct shader_code *out,
                    char *error, size_t error_size);
bool cayman_compile_copy(const struct il_program *il, unsigned flags, struct shader_code *out,
                         char *error, size_t error_size);
bool evergreen_compile(const struct il_program *il, unsigned flags, struct shader_code *out,
                       char *error, size_t error_size);
bool evergreen_compile_copy(const struct il_program *il, unsigned flags, struct shader_code *out,
                            char *error, size_t error_size);

/* ------------------------------------------------------------------------------------------------
 * Fetch shader: the subroutine that a vertex shader calls first (CALL_FS)
 */

struct cayman_vertex_element {
   uint8_t resource;    /* BUFFER_ID in the fetch shader's resource range */
   uint16_t offset;     /* bytes into the vertex */
   uint8_t data_format; /* enum cayman_data_format */
   uint8_t num_format;  /* enum cayman_num_format */
   bool is_signed;
   bool srf_no_zero; /* SRF_MODE_ALL */
   uint8_t endian_swap;
   uint8_t dst_sel[4];        /* enum cayman_sel, which component or constant lands in x, y, z, w */
   uint32_t instance_divisor; /* 0: per vertex; n: one element every n instances */
   /* The stride is twice the resource's.  The fetch adds the first instance but once: the driver
    * moves the resource on by as many strides. */
   bool twice;
};

/** Words of a fetch shader of Cayman, or of five-slot chips, for `count` elements (at most 32),
 * element i into GPR 1 + i.  Returns the number of dwords, with malloc()ed words in `*words`, or 0
 * if memory is out or a value does not fit.  Without elements it is a lone RETURN. */
unsigned cayman_build_fetch_shader(const struct cayman_vertex_element *elements, unsigned count,
                                   uint32_t **words);
unsigned evergreen_build_fetch_shader(const struct cayman_vertex_element *elements, unsigned count,
                                      uint32_t **words);

#endif /* CAYMAN_COMPILE_H */
