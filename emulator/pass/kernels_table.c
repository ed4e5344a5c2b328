/* SPDX-License-Identifier: MIT */
/*
 * The table of one kernel build (emulator/kernel.h).
 */
#include "kernel.h"
#include "pass/tile.h"
#include "port/quads.h"
#include "td/samplers.h"
#include "td/texel.h"

void K(front_run)(struct worker *worker, struct draw_state *draw, struct batch *batch);
struct sq_program *K(sq_lift)(const struct sq_program_source *source);
bool K(sq_bind)(struct sq_program *program, bool native);
void K(sq_program_free)(struct sq_program *program);
void K(td_bind_vtx)(struct td_vtx_bind *bind, const struct elements *elements);
void K(td_vtx_element)(const struct td_vtx_bind *bind, uint32_t index, struct td_element *e);

/* A page that is not mapped brings its neighbours: by Linux' default, 64 KiB. */
#define MAPPED_AT_ONCE 0x10000u

/* The build's code is one range of addresses, in the order in which the linker finds that it needs
 * a file: from the lowest to the highest of the functions that most draws come to. */
static void
touch(void)
{
   const uintptr_t functions[] = {
      (uintptr_t)K(tile_run),
      (uintptr_t)K(front_run),
      (uintptr_t)K(spi_run),
      (uintptr_t)K(td_bind_tex),
      (uintptr_t)K(td_choose_sampler),
      (uintptr_t)K(td_series_point_BYTES_4),
      (uintptr_t)K(db_lanes),
      (uintptr_t)K(cb_lanes),
#if VW > 4
      (uintptr_t)K(cb_block),
#endif
   };
   uintptr_t first = UINTPTR_MAX, last = 0;

   for (unsigned i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
      first = functions[i] < first ? functions[i] : first;
      last = functions[i] > last ? functions[i] : last;
   }
   for (uintptr_t at = first; at <= last; at = (at | (MAPPED_AT_ONCE - 1)) + 1)
      (void)*(const volatile uint8_t *)at;
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const struct kernels K(kernels) = {
   .name = STRING(ATOLL_SIMD),
   .touch = touch,
   .sq_lift = K(sq_lift),
   .sq_bind = K(sq_bind),
   .sq_program_free = K(sq_program_free),
   .td_bind_tex = K(td_bind_tex),
   .td_bind_vtx = K(td_bind_vtx),
   .td_vtx_element = K(td_vtx_element),
   .td_tex_texel = K(td_tex_texel),
   .front_run = K(front_run),
   .tile_run = K(tile_run),
   .tile_load = K(tile_load),
};
