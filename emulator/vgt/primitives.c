/* SPDX-License-Identifier: MIT */
/*
 * A draw's numbered primitives (vgt.h): cuts its indices into segments, and quads, strips, fans and
 * polygons into points, lines and triangles.
 *
 * Vertex order and provoking vertex are those of the OpenGL specification (compatibility profile,
 * tables of "provoking vertex"): quads follow the convention, polygons always use the first.
 */
#include "vgt/vgt.h"

#include <string.h>

#include "memory/vm.h"
#include "memory/pool.h"
#include "port/draw.h"
#include "port/state.h"
#include "vgt/front.h"
#include "vgt/geometry.h"

uint32_t
vgt_prims(uint8_t topology, uint32_t count)
{
   switch (topology) {
   case TOPOLOGY_POINTS:
      return count;
   case TOPOLOGY_LINES:
      return count / 2;
   case TOPOLOGY_LINE_STRIP:
      return count >= 2 ? count - 1 : 0;
   case TOPOLOGY_LINE_LOOP:
      return count >= 2 ? count : 0;
   case TOPOLOGY_TRIANGLES:
   case TOPOLOGY_RECTANGLES:
      return count / 3;
   case TOPOLOGY_TRIANGLE_STRIP:
   case TOPOLOGY_TRIANGLE_FAN:
   case TOPOLOGY_POLYGON:
      return count >= 3 ? count - 2 : 0;
   case TOPOLOGY_QUADS:
      return count / 4 * 2;
   case TOPOLOGY_QUAD_STRIP:
      return count >= 4 ? (count - 2) / 2 * 2 : 0;
   case TOPOLOGY_LINES_ADJACENCY:
      return count / 4;
   case TOPOLOGY_LINE_STRIP_ADJACENCY:
      return count >= 4 ? count - 3 : 0;
   case TOPOLOGY_TRIANGLES_ADJACENCY:
      return count / 6;
   case TOPOLOGY_TRIANGLE_STRIP_ADJACENCY:
      return count >= 6 ? (count - 4) / 2 : 0;
   default:
      return 0;
   }
}

/* The same triangle, one vertex further: streamout writes a triangle so that its provoking vertex
 * comes first or last, as the convention is. */
static struct vgt_prim
rotate(struct vgt_prim p)
{
   const uint32_t first = p.pos[0];

   p.pos[0] = p.pos[1];
   p.pos[1] = p.pos[2];
   p.pos[2] = first;
   p.provoking = (p.provoking + 2) % 3;
   p.edges = (p.edges >> 1 | p.edges << 2) & 7;
   return p;
}

/* Halves of the quad a b c d (in order around it); the provoking vertex is in both. */
static struct vgt_prim
quad_half(const uint32_t q[4], unsigned provoking, unsigned half)
{
   struct vgt_prim p;

   p.pos[0] = q[provoking];
   p.pos[1] = q[(provoking + 1 + half) & 3];
   p.pos[2] = q[(provoking + 2 + half) & 3];
   p.provoking = 0;
   p.edges = half ? 0x6 : 0x3; /* first half: 0-1, 1-2; second: 1-2, 2-0 */
   return p;
}

struct vgt_prim
vgt_primitive(uint8_t topology, bool provoking_last, uint32_t count, uint32_t n)
{
   struct vgt_prim p = { { n, n + 1, n + 2 }, 0, 7 };
   const bool odd = n & 1;

   switch (topology) {
   case TOPOLOGY_LINES:
      p.pos[0] = 2 * n;
      p.pos[1] = 2 * n + 1;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case TOPOLOGY_LINE_STRIP:
      p.provoking = provoking_last ? 1 : 0;
      break;
   case TOPOLOGY_LINE_LOOP:
      if (n + 1 == count)
         p.pos[1] = 0;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case TOPOLOGY_LINES_ADJACENCY:
      p.pos[0] = 4 * n + 1;
      p.pos[1] = 4 * n + 2;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case TOPOLOGY_LINE_STRIP_ADJACENCY:
      p.pos[0] = n + 1;
      p.pos[1] = n + 2;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case TOPOLOGY_TRIANGLES:
   case TOPOLOGY_RECTANGLES:
      p.pos[0] = 3 * n;
      p.pos[1] = 3 * n + 1;
      p.pos[2] = 3 * n + 2;
      p.provoking = provoking_last ? 2 : 0;
      break;
   case TOPOLOGY_TRIANGLES_ADJACENCY:
      p.pos[0] = 6 * n;
      p.pos[1] = 6 * n + 2;
      p.pos[2] = 6 * n + 4;
      p.provoking = provoking_last ? 2 : 0;
      break;
   case TOPOLOGY_TRIANGLE_STRIP:
      if (provoking_last) {
         p.pos[0] = odd ? n + 1 : n;
         p.pos[1] = odd ? n : n + 1;
         p.provoking = 2;
      } else {
         p.pos[1] = odd ? n + 2 : n + 1;
         p.pos[2] = odd ? n + 1 : n + 2;
      }
      break;
   case TOPOLOGY_TRIANGLE_STRIP_ADJACENCY:
      p.pos[0] = odd ? 2 * n + 2 : 2 * n;
      p.pos[1] = odd ? 2 * n : 2 * n + 2;
      p.pos[2] = 2 * n + 4;
      p.provoking = provoking_last ? 2 : odd ? 1 : 0;
      break;
   case TOPOLOGY_TRIANGLE_FAN:
      p.pos[0] = 0;
      p.pos[1] = n + 1;
      p.pos[2] = n + 2;
      p.provoking = provoking_last ? 2 : 1;
      if (!provoking_last)
         p = rotate(p);
      break;
   case TOPOLOGY_POLYGON:
      p.pos[0] = 0;
      p.pos[1] = n + 1;
      p.pos[2] = n + 2;
      p.edges = 0x2 | (n == 0 ? 0x1 : 0) | (n + 3 == count ? 0x4 : 0);
      if (provoking_last)
         p = rotate(p);
      break;
   case TOPOLOGY_QUADS: {
      const uint32_t b = n / 2 * 4;
      const uint32_t q[4] = { b, b + 1, b + 2, b + 3 };

      p = quad_half(q, provoking_last ? 3 : 0, odd);
      if (provoking_last)
         p = rotate(p);
      break;
   }
   case TOPOLOGY_QUAD_STRIP: {
      const uint32_t b = n / 2 * 2;
      const uint32_t q[4] = { b, b + 1, b + 3, b + 2 };

      p = quad_half(q, provoking_last ? 2 : 0, odd);
      if (provoking_last)
         p = rotate(p);
      break;
   }
   default:
      break;
   }
   return p;
}

/* Primitives that `count` vertices of the draw make. */
static uint32_t
count_prims(const struct vgt_state *s, uint32_t count)
{
   return s->topology == TOPOLOGY_PATCHES ? count / s->in_verts : vgt_prims(s->topology, count);
}

/* Between two looks at whether to go on, indices. */
#define LOOK_INDICES (UINT64_C(1) << 16)

/* The first restart from `at` on of those of `end` indices that are in memory; `end`: none. */
static uint64_t
next_restart(const struct vgt_state *s, uint64_t at, uint64_t end)
{
   const uint32_t *words = (const uint32_t *)s->indices;
   const uint16_t *halves = (const uint16_t *)s->indices;

   if (s->index_bytes == 4)
      while (at < end && words[at] != s->restart_index)
         at++;
   else
      while (at < end && halves[at] != s->restart_index)
         at++;
   return at;
}

/* Goes through the segments of `count` indices: how many have primitives, how many restarts there
 * are.  `out`, if not NULL, takes as many as were found before: others may write the indices.
 * Beyond memory all indices are 0, and need not be looked at one by one.  False: there is no
 * time. */
static bool
walk_segments(struct vgt_state *s, uint64_t count, struct vgt_segment *out,
              const struct core_watch *watch)
{
   const uint32_t most = out ? s->num_segments : UINT32_MAX;
   const uint64_t mapped = s->indices_mapped < count ? s->indices_mapped : count;
   const bool zeros = mapped < count && s->restart_index == 0; /* all others are restarts */
   uint64_t start = 0, restarts = 0, at = 0;
   uint32_t num = 0, prims = 0;

   for (bool last = false; !last;) {
      /* Ends of segments: a restart, or the end of all. */
      uint64_t end = at;

      do {
         const uint64_t part = mapped - end < LOOK_INDICES ? mapped : end + LOOK_INDICES;

         end = next_restart(s, end, part);
         if (core_expired(watch))
            return false;
         if (end < part)
            break;
      } while (end < mapped);
      last = end == mapped;
      restarts += last ? (zeros ? count - mapped : 0) : 1;
      if (last && !zeros)
         end = count;

      const uint32_t n = count_prims(s, (uint32_t)(end - start));

      if (n && num < most) {
         if (out)
            out[num] = (struct vgt_segment){
               .first = (uint32_t)start,
               .count = (uint32_t)(end - start),
               .first_prim = prims,
            };
         num++;
         prims += n;
      }
      start = at = end + 1;
   }
   s->segments = out;
   s->num_segments = num;
   s->prims_per_instance = prims;
   s->segments_read += mapped;
   /* Restart indices are no vertices. */
   s->ia_vertices = (uint32_t)(count - restarts);
   return true;
}

/* Restart cuts the stream wherever the restart index occurs.  NULL, or why there is nothing. */
static const char *
find_segments(struct vgt_state *s, uint32_t count, struct pool *pool,
              const struct core_watch *watch)
{
   static const char no_time[] = "the time of the submission is used up";
   struct vgt_segment *segments;

   if (!walk_segments(s, count, NULL, watch))
      return no_time;
   segments = pool_alloc(pool, (size_t)s->num_segments * sizeof(*segments));
   if (!segments)
      return NO_MEMORY;
   return walk_segments(s, count, segments, watch) ? NULL : no_time;
}

/* What PA sees of a topology. */
struct seen {
   uint8_t kind, verts;
};
static const struct seen seen_of[TOPOLOGIES] = {
   [TOPOLOGY_POINTS] = { VGT_POINTS, 1 },
   [TOPOLOGY_LINES] = { VGT_LINES, 2 },
   [TOPOLOGY_LINE_STRIP] = { VGT_LINES, 2 },
   [TOPOLOGY_LINE_LOOP] = { VGT_LINES, 2 },
   [TOPOLOGY_TRIANGLES] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_TRIANGLE_STRIP] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_TRIANGLE_FAN] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_QUADS] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_QUAD_STRIP] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_POLYGON] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_RECTANGLES] = { VGT_RECTS, 3 },
   [TOPOLOGY_LINES_ADJACENCY] = { VGT_LINES, 2 },
   [TOPOLOGY_LINE_STRIP_ADJACENCY] = { VGT_LINES, 2 },
   [TOPOLOGY_TRIANGLES_ADJACENCY] = { VGT_TRIANGLES, 3 },
   [TOPOLOGY_TRIANGLE_STRIP_ADJACENCY] = { VGT_TRIANGLES, 3 },
};

void
vgt_see(struct vgt_state *s, uint8_t topology)
{
   s->kind = seen_of[topology].kind;
   s->verts_per_prim = seen_of[topology].verts;
}

/* Where the draw's indices are.  False: no memory. */
static bool
find_indices(struct vgt_state *s, const struct gfx_draw *draw, struct pool *pool)
{
   s->index_bytes = draw->index_bytes == 4 ? 4 : 2;
   if (s->index_bytes == 2)
      s->restart_index &= 0xffff;
   if (draw->immediate) {
      const uint64_t bytes = (uint64_t)draw->count * s->index_bytes;
      void *copy = pool_alloc(pool, bytes + 4);

      if (!copy)
         return false;
      memcpy(copy, draw->immediate, bytes);
      s->indices = copy;
      s->indices_mapped = draw->count;
      return true;
   }

   const uint64_t want = draw->index_max < draw->count ? draw->index_max : draw->count;

   s->indices_mapped = vm_extent(draw->vm, draw->index_va, want * s->index_bytes) / s->index_bytes;
   if (s->indices_mapped && (draw->index_va & (s->index_bytes - 1)) == 0) {
      s->indices = vm_pointer(draw->vm, draw->index_va);
      s->index_va = draw->index_va;
   } else {
      s->indices_mapped = 0;
   }
   return true;
}

const char *
vgt_begin(struct vgt_state *s, const struct gfx_draw *draw, struct pool *pool,
          const struct core_watch *watch)
{
   const uint32_t count = draw->count;

   if (s->topology == TOPOLOGY_NONE || s->topology >= TOPOLOGIES)
      return "no topology";
   if (s->tess != (s->topology == TOPOLOGY_PATCHES))
      return "patches go through tessellation, and only they do";
   vgt_see(s, s->topology);
   s->batch_prims = BATCH_PRIMS;
   s->weight = 1;
   s->in_verts = s->tess ? s->patch_verts
                 : s->gs ? geometry_in_verts(s->topology)
                         : s->verts_per_prim;
   if (!s->in_verts)
      return "a patch has no control points";
   s->instances = draw->instances ? draw->instances : 1;
   s->indexed = draw->indexed || draw->immediate;
   s->restart &= s->indexed;
   if (s->indexed && !find_indices(s, draw, pool))
      return NO_MEMORY;
   s->reuse = !s->streams.buffers && !s->primitive_id;

   s->ia_vertices = count;
   if (s->restart) {
      const char *why = find_segments(s, count, pool, watch);

      if (why)
         return why;
   } else {
      struct vgt_segment *one = pool_alloc(pool, sizeof(*one));

      if (!one)
         return NO_MEMORY;
      *one = (struct vgt_segment){ .count = count };
      s->segments = one;
      s->num_segments = 1;
      s->prims_per_instance = count_prims(s, count);
   }
   s->ia_prims = s->topology == TOPOLOGY_QUADS || s->topology == TOPOLOGY_QUAD_STRIP
                    ? s->prims_per_instance / 2
                 : s->topology == TOPOLOGY_POLYGON ? s->num_segments
                                                   : s->prims_per_instance;
   return NULL;
}

/* ---- Draws that continue others ---- */

/* Of all such draws together, so that one is not much longer than others. */
#define CONTINUED_SEGMENTS 4096u
#define CONTINUED_PRIMS    (1u << 16)

/* Whether a draw of one instance has nothing about its primitives that their number tells. */
static bool
is_plain(const struct vgt_state *s)
{
   return !s->restart && !s->gs && !s->tess && !s->streams.on && s->topology != TOPOLOGY_POLYGON;
}

/* Whether the draw's indices follow those of `s` in memory, all of them mapped. */
static bool
follows_indices(const struct vgt_state *s, const struct gfx_draw *draw)
{
   const uint64_t bytes = (uint64_t)draw->count * s->index_bytes;
   const uint64_t ahead = draw->index_va - s->index_va;

   return s->index_va && s->indices_mapped >= s->segments[0].count &&
          s->index_bytes == draw->index_bytes && draw->index_va >= s->index_va &&
          ahead % s->index_bytes == 0 && ahead / s->index_bytes <= INT32_MAX - draw->count &&
          draw->count <= draw->index_max && vm_extent(draw->vm, draw->index_va, bytes) == bytes;
}

static bool
reserve_segment(struct vgt_state *s, struct pool *pool)
{
   if (s->num_segments < s->room_segments)
      return true;

   const uint32_t room = s->num_segments < 8 ? 16 : 2 * s->num_segments;
   struct vgt_segment *segments = pool_alloc(pool, room * sizeof(*segments));

   if (!segments)
      return false;
   memcpy(segments, s->segments, s->num_segments * sizeof(*segments));
   s->segments = segments;
   s->room_segments = room;
   return true;
}

bool
vgt_may_continue(const struct vgt_state *s, const struct gfx_draw *draw)
{
   const struct vgt_state *next = draw->vgt;
   const bool indexed = draw->indexed && !draw->immediate;
   uint32_t prims;

   if (!is_plain(s) || !is_plain(next) || s->instances != 1 || draw->instances > 1 ||
       draw->immediate || s->topology != next->topology || s->indexed != indexed ||
       s->provoking_last != next->provoking_last || s->primitive_id != next->primitive_id ||
       s->index_min != next->index_min || s->index_max != next->index_max ||
       draw->count > INT32_MAX || (indexed && !follows_indices(s, draw)))
      return false;
   prims = count_prims(s, draw->count);
   return prims && s->num_segments < CONTINUED_SEGMENTS && prims <= CONTINUED_PRIMS &&
          s->prims_per_instance <= CONTINUED_PRIMS;
}

bool
vgt_continue(struct vgt_state *s, const struct gfx_draw *draw, const struct core_bind *vs,
             struct pool *pool)
{
   const struct vgt_state *next = draw->vgt;
   uint32_t prims, first = 0;

   if (!vgt_may_continue(s, draw) || !reserve_segment(s, pool))
      return false;
   prims = count_prims(s, draw->count);
   if (s->indexed) {
      first = (uint32_t)((draw->index_va - s->index_va) / s->index_bytes);
      if (s->indices_mapped < first + draw->count)
         s->indices_mapped = first + draw->count;
   }
   if (!vs)
      vs = s->segments[s->num_segments - 1].vs;
   s->rebinds |= vs != NULL;
   /* The pool's, and this draw's alone: reserve_segment(). */
   ((struct vgt_segment *)s->segments)[s->num_segments++] = (struct vgt_segment){
      .first = first,
      .count = draw->count,
      .first_prim = s->prims_per_instance,
      .offset = next->index_offset - s->index_offset,
      .before = s->prims_per_instance,
      .vs = vs,
   };
   s->prims_per_instance += prims;
   s->ia_vertices += draw->count;
   s->ia_prims +=
      s->topology == TOPOLOGY_QUADS || s->topology == TOPOLOGY_QUAD_STRIP ? prims / 2 : prims;
   return true;
}
