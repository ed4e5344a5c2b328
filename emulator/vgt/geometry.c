/* SPDX-License-Identifier: MIT */
/*
 * The geometry stages of a draw: sizes of its batches, input primitives and storage (see
 * geometry.h).
 *
 * Item sizes come from a stream of commands and may be anything: a batch has fewer primitives where
 * they are large, at least one, and an item never reaches into the next.
 */
#include "vgt/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "port/state.h"

/* Primitives that a patch counts as before its factors are known: more than most make, less than
 * the 8192 that are possible. */
#define PATCH_WEIGHT 2048u

unsigned
geometry_in_verts(uint8_t topology)
{
   switch (topology) {
   case TOPOLOGY_POINTS:
      return 1;
   case TOPOLOGY_LINES:
   case TOPOLOGY_LINE_STRIP:
   case TOPOLOGY_LINE_LOOP:
      return 2;
   case TOPOLOGY_LINES_ADJACENCY:
   case TOPOLOGY_LINE_STRIP_ADJACENCY:
      return 4;
   case TOPOLOGY_TRIANGLES_ADJACENCY:
   case TOPOLOGY_TRIANGLE_STRIP_ADJACENCY:
      return 6;
   default:
      return 3;
   }
}

void
geometry_primitive(uint8_t topology, uint32_t count, uint32_t n, uint32_t pos[GEOMETRY_IN_VERTS])
{
   /* Last vertex convention: with it strips and fans keep their vertices' order. */
   const struct vgt_prim p = vgt_primitive(topology, true, count, n);

   for (unsigned k = 0; k < GEOMETRY_IN_VERTS; k++)
      pos[k] = k < 3 ? p.pos[k] : 0;
   switch (topology) {
   case TOPOLOGY_LINES_ADJACENCY:
      for (unsigned k = 0; k < 4; k++)
         pos[k] = 4 * n + k;
      break;
   case TOPOLOGY_LINE_STRIP_ADJACENCY:
      for (unsigned k = 0; k < 4; k++)
         pos[k] = n + k;
      break;
   case TOPOLOGY_TRIANGLES_ADJACENCY:
      for (unsigned k = 0; k < 6; k++)
         pos[k] = 6 * n + k;
      break;
   case TOPOLOGY_TRIANGLE_STRIP_ADJACENCY: {
      /* Triangle 2n, 2n + 2, 2n + 4.  Its neighbours: the vertex before, or vertex 1 for the
       * first; the vertex after, or the last of all; and the one between.  An odd triangle is
       * handed over from its smallest position on, against the order of an even one; a shader
       * that wants OpenGL's order rotates it. */
      const uint32_t before = n ? 2 * n - 2 : 1;
      const uint32_t between = 2 * n + 3;
      const uint32_t after = n + 1 < vgt_prims(topology, count) ? 2 * n + 6 : 2 * n + 5;

      if (n & 1) {
         pos[0] = 2 * n;
         pos[1] = between;
         pos[2] = 2 * n + 4;
         pos[3] = after;
         pos[4] = 2 * n + 2;
         pos[5] = before;
      } else {
         pos[0] = 2 * n;
         pos[1] = before;
         pos[2] = 2 * n + 2;
         pos[3] = after;
         pos[4] = 2 * n + 4;
         pos[5] = between;
      }
      break;
   }
   default:
      break;
   }
}

static uint32_t
min_u(uint64_t a, uint64_t b)
{
   return (uint32_t)(a < b ? a : b);
}

/* Whole groups. */
static void
begin_tess(struct geometry *g, struct vgt_state *vgt)
{
   vgt_see(vgt, g->tess.topology == TESS_OUT_POINT ? TOPOLOGY_POINTS
                : g->tess.topology == TESS_OUT_LINE || g->tess.domain == TESS_DOMAIN_ISOLINE
                   ? TOPOLOGY_LINES
                   : TOPOLOGY_TRIANGLES);
   g->gs_verts = vgt->verts_per_prim;
   g->group_patches += !g->group_patches;
   g->batch_groups = GEOMETRY_PATCHES / g->group_patches;
   g->batch_groups += !g->batch_groups;
   g->factor_dwords = g->tess.domain == TESS_DOMAIN_ISOLINE    ? 2
                      : g->tess.domain == TESS_DOMAIN_TRIANGLE ? 4
                                                               : 6;
   vgt->batch_prims = g->batch_groups * g->group_patches;
   vgt->weight = PATCH_WEIGHT;
}

static void
begin_gs(struct geometry *g, struct vgt_state *vgt)
{
   vgt_see(vgt, g->out_topology);
   g->invocations += !g->invocations;
   g->max_verts = min_u(g->max_verts, CORE_EMIT_VERTS - 1);
   for (unsigned s = 0; s < CORE_STREAMS; s++) {
      const uint64_t size = (uint64_t)g->vert_item[s] * g->max_verts;

      g->stream_first[s] = min_u(g->stream_first[s], g->gs_item);
      g->stream_item[s] = min_u(size, g->gs_item - g->stream_first[s]);
   }

   const uint64_t es_each = (uint64_t)g->gs_verts * g->es_item;
   const uint64_t gs_each = (uint64_t)g->invocations * g->gs_item;
   const uint64_t each = es_each > gs_each ? es_each : gs_each;
   uint64_t prims = GEOMETRY_LANES / g->invocations;

   if (each && prims > GEOMETRY_RING / each)
      prims = GEOMETRY_RING / each;
   g->gs_prims = prims ? (uint32_t)prims : 1;
   if (!g->has_tess)
      vgt->batch_prims = g->gs_prims;
   vgt->weight *= g->invocations * (g->max_verts ? g->max_verts : 1);
}

void
geometry_begin(struct geometry *g, struct vgt_state *vgt)
{
   g->gs_verts = vgt->in_verts;
   if (g->has_tess)
      begin_tess(g, vgt);
   if (g->has_gs)
      begin_gs(g, vgt);
}

static bool
grow(uint32_t **ring, uint64_t *have, uint64_t *used, uint64_t want)
{
   if (*ring && *have >= want)
      return true;
   free(*ring);
   *have = *used = 0;
   *ring = calloc(want + 16, sizeof **ring);
   if (*ring)
      *have = want;
   return *ring;
}

static void *
make(size_t size)
{
   const size_t whole = (size + 63) & ~(size_t)63;
   void *p = aligned_alloc(64, whole);

   if (p)
      memset(p, 0, whole);
   return p;
}

bool
geometry_reserve(struct geometry_store **store, const struct geometry *g)
{
   struct geometry_store *s = *store;

   if (!s)
      s = *store = make(sizeof(*s));
   if (!s)
      return false;
   if (g->has_tess) {
      const uint64_t lds = (uint64_t)g->batch_groups * g->lds_bytes;
      struct geometry_patches *p = s->patches;

      if (!p)
         p = s->patches = make(sizeof(*p));
      if (!p)
         return false;
      if (!p->lds || p->lds_capacity < lds) {
         free(p->lds);
         p->lds = make(lds + 64);
         p->lds_capacity = p->lds ? lds : 0;
      }
      if (!p->lds)
         return false;
   }
   return !g->has_gs || (grow(&s->esgs, &s->esgs_dwords, &s->esgs_used,
                              (uint64_t)g->gs_prims * g->gs_verts * g->es_item) &&
                         grow(&s->gsvs, &s->gsvs_dwords, &s->gsvs_used,
                              (uint64_t)g->gs_prims * g->invocations * g->gs_item));
}

void
geometry_free(struct geometry_store *store)
{
   if (!store)
      return;
   if (store->patches)
      free(store->patches->lds);
   free(store->patches);
   free(store->esgs);
   free(store->gsvs);
   free(store);
}
