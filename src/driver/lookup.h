/* SPDX-License-Identifier: MIT */
/* Textures, looked up by the processor: see lookup.c. */
#ifndef ATOLL_LOOKUP_H
#define ATOLL_LOOKUP_H

#include "pipe/p_context.h"
#include "pipe/p_state.h"

/** A texel, or what a lookup gives: of integer formats integers. */
union atoll_texel {
   float f[4];
   int32_t i[4];
   uint32_t u[4];
};

/** The operands of one lookup. */
struct atoll_lookup {
   float coord[4];   /* as in the shader: coordinates, then the layer */
   float ref;        /* to compare depth with */
   float lod;        /* level, in which the sampler's bias is not */
   int8_t offset[3]; /* texels */
   int gather;       /* -1: filter; otherwise the component that is gathered */
};

/** Texel x, y, z (of arrays the layer) of a level of the view. Whatever is out of range is 0. */
union atoll_texel atoll_fetch_texel(struct pipe_context *pipe, const struct pipe_sampler_view *view,
                                    int level, int x, int y, int z);

/** What a sampler makes of the view. */
union atoll_texel atoll_sample(struct pipe_context *pipe, const struct pipe_sampler_view *view,
                               const struct pipe_sampler_state *state,
                               const struct atoll_lookup *lookup);

/** Width, height, depth (of arrays the layers, as the shader counts them) and levels. */
void atoll_view_size(const struct pipe_sampler_view *view, int level, int size[4]);

/** About the logarithm to base 2 of a positive number, to a tenth: which level, no more. */
float atoll_level_of(float texels);

#endif
