/* SPDX-License-Identifier: MIT */
/*
 * VGT's vertex list of a batch: numbers vertices as primitives name them, each once where reuse is
 * allowed.  `key` and `group` identify a vertex; its entry values are made of them.
 */
#ifndef ATOLL_GATHER_H
#define ATOLL_GATHER_H

#include <string.h>

#include "port/state.h"
#include "vgt/front.h"
#include "vgt/vgt.h"

/* Vertices from here on are none of those before. */
static inline void
gather_part(struct front *f)
{
   if (++f->stamp == 0) {
      memset(f->hash_stamp, 0, sizeof(f->hash_stamp));
      f->stamp = 1;
   }
}

/* Forgets all vertices and primitives. */
static inline void
gather_start(struct front *f)
{
   f->num_verts = 0;
   f->num_prims = 0;
   f->num_runs = 0;
   gather_part(f);
}

/* R0.x is `key`, R0.w is `group`, R0.z `prim_id`. */
static inline unsigned
gather_add(struct front *f, uint32_t key, uint32_t group, uint32_t prim_id)
{
   const unsigned n = f->num_verts++;

   f->index[n] = key;
   f->instance[n] = group;
   f->prim_id[n] = prim_id;
   return n;
}

/* The vertex of this key and group, added if it is new. */
static inline unsigned
gather_reuse(struct front *f, uint32_t key, uint32_t group, uint32_t prim_id)
{
   uint32_t h = (key * 0x9e3779b1u ^ group * 0x85ebca6bu) >> 16 & (FRONT_HASH - 1);

   while (f->hash_stamp[h] == f->stamp) {
      const unsigned n = f->hash_vertex[h];

      if (f->index[n] == key && f->instance[n] == group)
         return n;
      h = (h + 1) & (FRONT_HASH - 1);
   }
   f->hash_stamp[h] = f->stamp;
   f->hash_vertex[h] = f->num_verts;
   return gather_add(f, key, group, prim_id);
}

static inline uint32_t
gather_fetch(const struct vgt_state *s, uint32_t pos)
{
   if (!s->indexed)
      return pos;
   if (pos >= s->indices_mapped)
      return 0;
   return s->index_bytes == 4 ? ((const uint32_t *)s->indices)[pos]
                              : ((const uint16_t *)s->indices)[pos];
}

/* The index at a position of the stream: VGT adds the offset, then clamps. */
static inline uint32_t
gather_index(const struct vgt_state *s, const struct vgt_segment *seg, uint32_t pos)
{
   uint32_t index = gather_fetch(s, pos) + s->index_offset + seg->offset;

   if (index < s->index_min)
      index = s->index_min;
   if (index > s->index_max)
      index = s->index_max;
   return index;
}

/* Where a walk over a draw's primitives is. */
struct gather_walk {
   const struct vgt_state *s;
   const struct vgt_segment *seg;
   uint32_t instance, prim; /* prim: within the instance */
};

/* The walk from primitive `first` of the draw on. */
static inline struct gather_walk
gather_walk(const struct vgt_state *s, uint64_t first)
{
   struct gather_walk w = {
      .s = s,
      .instance = (uint32_t)(first / s->prims_per_instance),
      .prim = (uint32_t)(first % s->prims_per_instance),
   };
   uint32_t lo = 0, hi = s->num_segments;

   while (hi - lo > 1) {
      const uint32_t mid = lo + (hi - lo) / 2;

      if (s->segments[mid].first_prim <= w.prim)
         lo = mid;
      else
         hi = mid;
   }
   w.seg = &s->segments[lo];
   return w;
}

/* PrimitiveID.  Quads and polygons are one primitive, whatever they are cut into. */
static inline uint32_t
gather_prim_id(const struct gather_walk *w)
{
   const uint32_t prim = w->prim - w->seg->before;

   switch (w->s->topology) {
   case TOPOLOGY_QUADS:
   case TOPOLOGY_QUAD_STRIP:
      return prim / 2;
   case TOPOLOGY_POLYGON:
      return (uint32_t)(w->seg - w->s->segments);
   default:
      return prim;
   }
}

static inline void
gather_next(struct gather_walk *w)
{
   const struct vgt_state *s = w->s;

   if (++w->prim == s->prims_per_instance) {
      w->prim = 0;
      w->instance++;
      w->seg = s->segments;
   } else if (w->seg + 1 < s->segments + s->num_segments && w->prim >= w->seg[1].first_prim) {
      w->seg++;
   }
}

/* Primitive `i` of the batch is the walk's. */
static inline struct vgt_prim
gather_primitive(struct front *f, const struct gather_walk *w, uint32_t i)
{
   const struct vgt_state *s = w->s;
   const uint32_t in_seg = w->prim - w->seg->first_prim;
   const struct vgt_prim p = vgt_primitive(s->topology, s->provoking_last, w->seg->count, in_seg);
   const uint32_t id = gather_prim_id(w);

   for (unsigned k = 0; k < s->verts_per_prim; k++) {
      const uint32_t index = gather_index(s, w->seg, w->seg->first + p.pos[k]);

      f->prim[i][k] =
         s->reuse ? gather_reuse(f, index, w->instance, id) : gather_add(f, index, w->instance, id);
   }
   f->provoking[i] = p.provoking;
   f->edges[i] = p.edges;
   f->first_of_strip[i] = in_seg == 0;
   f->prim_number[i] = id;
   return p;
}

/* A strip's triangles reuse vertices: each has two of the one before. */
static inline void
gather_strip(struct front *f, struct gather_walk *w)
{
   const struct vgt_state *s = w->s;
   const bool last = s->provoking_last;
   uint16_t v[3] = { 0, 0, 0 }; /* of the three corners, as they follow each other */

   for (uint32_t i = 0; i < f->num_prims; i++, gather_next(w)) {
      const uint32_t n = w->prim - w->seg->first_prim;

      if (i == 0 || n == 0) {
         const struct vgt_prim p = gather_primitive(f, w, i);

         for (unsigned k = 0; k < 3; k++)
            v[p.pos[k] - n] = f->prim[i][k];
         continue;
      }
      const uint32_t index = gather_index(s, w->seg, w->seg->first + n + 2);

      v[0] = v[1];
      v[1] = v[2];
      v[2] = (uint16_t)gather_reuse(f, index, w->instance, gather_prim_id(w));
      /* Two vertices of every second triangle are exchanged: not the provoking one. */
      const unsigned odd = n & 1;

      f->prim[i][0] = v[last ? odd : 0];
      f->prim[i][1] = v[last ? 1 - odd : 1 + odd];
      f->prim[i][2] = v[last ? 2 : 2 - odd];
      f->provoking[i] = last ? 2 : 0;
      f->edges[i] = 7;
      f->first_of_strip[i] = false;
      f->prim_number[i] = gather_prim_id(w);
   }
}

#endif
