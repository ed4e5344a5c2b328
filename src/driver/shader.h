/* SPDX-License-Identifier: MIT */
/*
 * Shaders: what a CSO keeps, its variants, and what the rest of the driver needs to know of one.
 *
 * A CSO can be used by several contexts at once. It holds the NIR, made final at creation, and a
 * list of variants by key, which grows under a lock and is never shortened before the CSO dies.
 */
#ifndef ATOLL_SHADER_H
#define ATOLL_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/simple_mtx.h"

#include "compiler/cayman/cayman_compile.h"
#include "il/conventions.h"

struct atoll_bo;
struct atoll_context;
struct atoll_screen;
struct nir_shader;

/** What a variant depends on beside its CSO. All of it becomes NIR or a declaration in the IL. */
struct atoll_key {
   uint8_t poly_stipple : 1; /* PS */
   uint8_t point_smooth : 1; /* PS, drawing points */
   uint8_t line_smooth : 1;  /* PS, drawing lines */
   uint8_t poly_smooth : 1;  /* PS, drawing polygons */
   uint8_t alpha_to_one : 1; /* PS */
   uint8_t edge_flags : 1;   /* VS: polygon mode is not fill */
   uint8_t color_count;      /* PS: targets that gl_FragColor goes to */
};

/** One PS input, in SPI order. */
struct atoll_ps_input {
   uint8_t slot; /* enum il_link */
   uint8_t mode; /* enum cayman_ps_input_mode */
};

/** What the driver programs the device with; plain data, as the disk cache stores it. */
struct atoll_program {
   uint8_t num_gprs, stack;
   uint8_t num_params;  /* VS */
   uint8_t num_inputs;  /* PS */
   uint32_t scratch_dw; /* per lane */
   uint32_t num_icb;    /* vec4s of immediate constants behind the driver's own */
   uint32_t num_dwords;
   uint16_t const_buffers, const_buffers_fetch;

   /* VS */
   uint8_t param_slot[32];
   uint32_t pa_cl_vs_out_cntl; /* less the enables of single distances */
   uint8_t clip_mask, cull_mask;
   bool window_space;
   bool streamout;
   uint8_t so_buffers;
   uint16_t so_stride[4]; /* dwords */

   /* PS */
   struct atoll_ps_input inputs[32];
   uint32_t spi_in_control_0, spi_in_control_1, spi_baryc_cntl, spi_input_z;
   uint32_t exports_ps, shader_mask, db_shader_control;
   bool per_sample;

   /* shader-db's line */
   uint32_t num_alu_groups, num_loops, num_cf;
};

struct atoll_variant {
   struct atoll_variant *next;
   struct atoll_key key;
   uint32_t id;
   struct atoll_bo *bo; /* machine code, NULL: compilation failed */
   struct atoll_program p;
   uint32_t *icb; /* p.num_icb vec4s */
};

struct atoll_shader {
   struct atoll_screen *screen;
   unsigned stage; /* enum pipe_shader_type */
   struct nir_shader *nir;
   struct pipe_stream_output_info so;
   uint8_t sha1[20];       /* of the final NIR and streamout */
   bool writes_frag_color; /* PS: gl_FragColor */
   bool writes_edge_flag;  /* VS */
   simple_mtx_t lock;
   struct atoll_variant *variants;
};

/** A primitive type beside enum mesa_prim: three corners of a rectangle. */
#define ATOLL_PRIM_RECTLIST 31

/** Chooses the variants of the bound shaders for a draw of `prim`; false: nothing can be drawn. */
bool atoll_update_shaders(struct atoll_context *ctx, unsigned prim);
void atoll_init_screen_shaders(struct atoll_screen *screen);
void atoll_finish_screen_shaders(struct atoll_screen *screen);

#endif
