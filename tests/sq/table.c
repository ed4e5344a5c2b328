/* SPDX-License-Identifier: MIT */
/*
 * The kernel table of one build with SQ alone in it, so that its tests need no other block.
 */
#include "kernel.h"
#include "sq/engine.h"

#include <stddef.h>

static void
no_tex(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
}
static void
no_vtx(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
       uint64_t lanes)
{
}
static void
bind_tex(struct td_tex_bind *bind, const struct td_lookup *lookup, const struct texture *texture,
         const struct sampler *sampler)
{
   bind->run = no_tex;
   bind->run_series = NULL;
}
static void
bind_vtx(struct td_vtx_bind *bind, const struct elements *elements)
{
   bind->run = no_vtx;
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const struct kernels K(kernels) = {
   .name = STRING(ATOLL_SIMD),
   .sq_lift = K(sq_lift),
   .sq_bind = K(sq_bind),
   .sq_program_free = K(sq_program_free),
   .td_bind_tex = bind_tex,
   .td_bind_vtx = bind_vtx,
};
