/* SPDX-License-Identifier: MIT */
/*
 * Kernel builds.  The device's hot code (every source listed as a kernel in meson.build) is
 * compiled three times, for SSE2, AVX2 and AVX-512, from one source.  A kernel's functions that
 * other files call are named K(name), which appends the build's name; code outside the kernels
 * reaches them only through struct kernels.
 *
 * Results are equal bit for bit between the builds: vector width may change how many lanes one
 * instruction does, never what is computed for a lane.
 */
#ifndef ATOLL_KERNEL_H
#define ATOLL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_CAT_(a, b) a##_##b
#define KERNEL_CAT(a, b)  KERNEL_CAT_(a, b)
/* ATOLL_SIMD is defined by the build: sse2, avx2 or avx512. */
#define K(name) KERNEL_CAT(name, ATOLL_SIMD)

struct batch;
struct elements;
struct sampler;
struct texture;
struct worker;
struct pass;
struct draw_state;
struct sq_program;
struct sq_program_source;
struct td_lookup;
struct td_tex_bind;
struct td_element;
struct td_vtx_bind;
struct tile;

/* What code outside the kernels may call of one build. */
struct kernels {
   const char *name;
   /* Reads a byte of every page of its code, which the system then maps: what a draw needs first
    * does not have to be waited for. */
   void (*touch)(void);

   /* SQ: lifts a program and binds it to this build; see sq/sq.h. */
   struct sq_program *(*sq_lift)(const struct sq_program_source *source);
   /* Binds a program that was lifted otherwise; `native`: as machine code, where that is known
    * how.  False: no memory. */
   bool (*sq_bind)(struct sq_program *program, bool native);
   void (*sq_program_free)(struct sq_program *program);

   /* TD: chooses the specialised sampler or vertex fetch; see port/fetch.h and port/texture.h. */
   void (*td_bind_tex)(struct td_tex_bind *bind, const struct td_lookup *lookup,
                       const struct texture *texture, const struct sampler *sampler);
   void (*td_bind_vtx)(struct td_vtx_bind *bind, const struct elements *elements);
   /* Where the element of an index lies from the start of its buffer, and what is read of it. */
   void (*td_vtx_element)(const struct td_vtx_bind *bind, uint32_t index, struct td_element *e);
   /* The same of the texel that LD reads, at coordinates and a level; its size is 0 if there is no
    * such texel.  False: it is not known. */
   bool (*td_tex_texel)(const struct td_tex_bind *bind, const uint32_t at[4], struct td_element *e);

   /* Front end of one batch: VS waves, assembly, clip, setup, binning; see pass/pass.h. */
   void (*front_run)(struct worker *worker, struct draw_state *draw, struct batch *batch);
   /* All of a pass's work in one tile; see pass/tile.h. */
   void (*tile_run)(struct worker *worker, struct pass *pass, unsigned tile_x, unsigned tile_y);
   /* What a pixel program's wave finds in a sample of its pixels, its own stores included: the
    * components of colour target 0 to 7, or in the first depth (255) or stencil (254); zero where
    * nothing is.  Numbers are floats, but those of integer formats. */
   void (*tile_load)(const struct tile *tile, unsigned target, unsigned sample, uint64_t lanes,
                     uint32_t *const out[4]);
};

extern const struct kernels kernels_sse2, kernels_avx2, kernels_avx512;

/* The widest build this CPU runs, or the one that ATOLL_SIMD names (sse2, avx2, avx512) if the
 * CPU runs it. */
const struct kernels *kernels_choose(void);

#endif
