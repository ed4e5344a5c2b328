/* SPDX-License-Identifier: MIT */
/*
 * What a stage's instructions find under numbers: textures, samplers and buffers, whatever
 * descriptors a chip has of them.
 *
 * A chip answers with the texture unit's own structures (texture.h).  Any number has an answer.
 */
#ifndef ATOLL_TD_VIEWS_H
#define ATOLL_TD_VIEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel.h"
#include "port/state.h"
#include "td/td.h"
#include "td/tex_op.h"
#include "td/texture.h"

/* From this number on they are the buffers of vertex fetches. */
#define TD_VERTEX_BUFFERS 1024u

struct td_views;

/* What can be asked of a texture, without its texels. */
struct td_query {
   uint8_t dim;                   /* enum texture_dim */
   uint32_t width, height, depth; /* of its first level; depth: slices or layers */
   uint32_t levels, samples;
};

struct td_views_ops {
   /* A texture, in *room or elsewhere: it lasts until the next is asked for.  NULL: it is none, nor
    * a buffer, of which the size may be asked for.  With `base_only` no level but the first is
    * read. */
   const struct texture *(*texture)(const struct td_views *views, uint32_t n, bool base_only,
                                    struct texture *room);

   /* The same of a sampler.  What is not there has zeros in all fields. */
   const struct sampler *(*sampler)(const struct td_views *views, uint32_t n, struct sampler *room);

   /* Its bytes, stride, format and swizzle; nothing is added to an index, and no offset.  False: it
    * is no buffer. */
   bool (*buffer)(const struct td_views *views, uint32_t n, struct elements *out);

   /* False: it is neither texture nor buffer. */
   bool (*query)(const struct td_views *views, uint32_t n, struct td_query *out);
};

/* A chip's own follows. */
struct td_views {
   const struct td_views_ops *ops;
   const struct vm *vm;
   uint32_t count; /* of those that are not for vertex fetches */
};

/** Binds a texture instruction that names a texture and a sampler; of no views, none. */
static inline void
td_views_bind_tex(const struct td_views *views, const struct kernels *kernels,
                  struct td_tex_bind *bind, const struct td_lookup *lookup, uint32_t texture,
                  uint32_t sampler)
{
   static const struct sampler none;
   struct texture texture_room;
   struct sampler sampler_room;
   const struct texture *t = NULL;
   const struct sampler *s = &none;

   if (views) {
      s = views->ops->sampler(views, sampler, &sampler_room);
      t = views->ops->texture(
         views, texture, s->mip == MIP_FILTER_NONE && td_op_samples(lookup->op), &texture_room);
   }
   kernels->td_bind_tex(bind, lookup, t, s);
}

#endif
