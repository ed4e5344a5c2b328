/* SPDX-License-Identifier: MIT */
/*
 * What a stage's instructions find under numbers: textures, samplers and buffers, whatever
 * descriptors a chip has of them.
 *
 * A chip answers with the texture unit's own structures (texture.h).  Any number has an answer.
 */
#ifndef ATOLL_PORT_VIEWS_H
#define ATOLL_PORT_VIEWS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernel.h"
#include "port/format.h"
#include "port/state.h"
#include "port/fetch.h"
#include "port/tex_op.h"
#include "port/texture.h"

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

   /* False: it is neither texture nor buffer.  NULL: the texture says all that can be asked. */
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

/** What can be asked of view n; false: it is neither texture nor buffer. */
static inline bool
td_views_query(const struct td_views *views, uint32_t n, struct td_query *out)
{
   struct texture room;

   if (views->ops->query)
      return views->ops->query(views, n, out);

   const struct texture *t = views->ops->texture(views, n, false, &room);

   if (t) {
      const unsigned l = t->base_level, layers = t->dim == TEXTURE_3D ? t->depth >> l : t->layers;

      *out = (struct td_query){
         .dim = t->dim,
         .width = t->width >> l ? t->width >> l : 1,
         .height = t->height >> l ? t->height >> l : 1,
         .depth = layers ? layers : 1,
         .levels = t->last_level - l + 1u,
         .samples = t->samples,
      };
   }
   return t;
}

/** What a fetch reads of a buffer, or of none: what has no format reads zero.  `add` is added to
 *  the index. */
static inline void
td_fetch_elements(struct elements *e, const struct td_fetch *f, const struct elements *buffer,
                  uint32_t add)
{
   const bool reads = buffer && f->kind != TD_FETCH_NOTHING;

   *e = reads ? *buffer : (struct elements){ .format = FORMAT_NONE };
   if (!reads || f->kind == TD_FETCH_COUNT) {
      memcpy(e->swizzle, f->swizzle, sizeof(e->swizzle));
      e->counted = reads;
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      const unsigned sel = f->swizzle[i];

      e->swizzle[i] = f->buffer_format && sel <= SWIZZLE_W ? buffer->swizzle[sel] : sel;
   }
   if (!f->buffer_format) {
      e->format = f->format;
      e->conversion = f->conversion;
      e->sign = f->sign;
      e->no_zero = f->no_zero;
      e->byte_swap = f->byte_swap;
   }
   if (f->no_stride)
      e->stride = 0;
   e->offset = f->offset;
   e->add = add;
}

/** Binds a fetch to a buffer, or to none. */
static inline void
td_bind_fetch(const struct kernels *kernels, struct td_vtx_bind *bind, const struct td_fetch *fetch,
              const struct elements *buffer, uint32_t add)
{
   struct elements elements;

   td_fetch_elements(&elements, fetch, buffer, add);
   kernels->td_bind_vtx(bind, &elements);
}

/** The same, to view n, or to no views. */
static inline void
td_views_bind_fetch(const struct td_views *views, const struct kernels *kernels,
                    struct td_vtx_bind *bind, const struct td_fetch *fetch, uint32_t n,
                    uint32_t add)
{
   struct elements buffer;
   const bool there = views && views->ops->buffer(views, n, &buffer);

   td_bind_fetch(kernels, bind, fetch, there ? &buffer : NULL, add);
}

#endif
