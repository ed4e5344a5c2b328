/* SPDX-License-Identifier: MIT */
/*
 * The table of one kernel build (kernel.h).
 */
#include "kernel.h"
#include "pass/tile.h"

void K(front_run)(struct worker *worker, struct draw_state *draw, struct batch *batch);
struct sq_program *K(sq_lift)(const struct sq_program_source *source);
bool K(sq_bind)(struct sq_program *program, bool native);
void K(sq_program_free)(struct sq_program *program);
void K(td_bind_tex)(struct td_tex_bind *bind, const struct td_tex_desc *desc);
void K(td_bind_vtx)(struct td_vtx_bind *bind, const struct td_vtx_desc *desc);

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const struct kernels K(kernels) = {
   .name = STRING(ATOLL_SIMD),
   .sq_lift = K(sq_lift),
   .sq_bind = K(sq_bind),
   .sq_program_free = K(sq_program_free),
   .td_bind_tex = K(td_bind_tex),
   .td_bind_vtx = K(td_bind_vtx),
   .front_run = K(front_run),
   .tile_run = K(tile_run),
   .tile_load = K(tile_load),
};
