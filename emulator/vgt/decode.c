/* SPDX-License-Identifier: MIT */
/*
 * Decodes a draw into numbered primitives (vgt.h), and cuts quads, strips, fans and polygons into
 * points, lines and triangles.
 *
 * Vertex order and provoking vertex are those of the OpenGL specification (compatibility profile,
 * tables of "provoking vertex"): quads follow the convention, polygons always use the first.
 */
#include "vgt/vgt.h"

#include <atoll/cayman/enums.h>

#include "memory/vm.h"
#include "memory/pool.h"
#include "port/draw.h"
#include "vgt/front.h"
#include "vgt/geometry.h"

uint32_t
vgt_prims(uint8_t prim_type, uint32_t count)
{
   switch (prim_type) {
   case DI_PT_POINTLIST:
      return count;
   case DI_PT_LINELIST:
      return count / 2;
   case DI_PT_LINESTRIP:
      return count >= 2 ? count - 1 : 0;
   case DI_PT_LINELOOP:
      return count >= 2 ? count : 0;
   case DI_PT_TRILIST:
   case DI_PT_RECTLIST:
   case DI_PT_TRI_WITH_WFLAGS:
      return count / 3;
   case DI_PT_TRISTRIP:
   case DI_PT_TRIFAN:
   case DI_PT_POLYGON:
      return count >= 3 ? count - 2 : 0;
   case DI_PT_QUADLIST:
      return count / 4 * 2;
   case DI_PT_QUADSTRIP:
      return count >= 4 ? (count - 2) / 2 * 2 : 0;
   case DI_PT_LINELIST_ADJ:
      return count / 4;
   case DI_PT_LINESTRIP_ADJ:
      return count >= 4 ? count - 3 : 0;
   case DI_PT_TRILIST_ADJ:
      return count / 6;
   case DI_PT_TRISTRIP_ADJ:
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
vgt_primitive(uint8_t prim_type, bool provoking_last, uint32_t count, uint32_t n)
{
   struct vgt_prim p = { { n, n + 1, n + 2 }, 0, 7 };
   const bool odd = n & 1;

   switch (prim_type) {
   case DI_PT_LINELIST:
      p.pos[0] = 2 * n;
      p.pos[1] = 2 * n + 1;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case DI_PT_LINESTRIP:
      p.provoking = provoking_last ? 1 : 0;
      break;
   case DI_PT_LINELOOP:
      if (n + 1 == count)
         p.pos[1] = 0;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case DI_PT_LINELIST_ADJ:
      p.pos[0] = 4 * n + 1;
      p.pos[1] = 4 * n + 2;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case DI_PT_LINESTRIP_ADJ:
      p.pos[0] = n + 1;
      p.pos[1] = n + 2;
      p.provoking = provoking_last ? 1 : 0;
      break;
   case DI_PT_TRILIST:
   case DI_PT_RECTLIST:
   case DI_PT_TRI_WITH_WFLAGS:
      p.pos[0] = 3 * n;
      p.pos[1] = 3 * n + 1;
      p.pos[2] = 3 * n + 2;
      p.provoking = provoking_last ? 2 : 0;
      break;
   case DI_PT_TRILIST_ADJ:
      p.pos[0] = 6 * n;
      p.pos[1] = 6 * n + 2;
      p.pos[2] = 6 * n + 4;
      p.provoking = provoking_last ? 2 : 0;
      break;
   case DI_PT_TRISTRIP:
      if (provoking_last) {
         p.pos[0] = odd ? n + 1 : n;
         p.pos[1] = odd ? n : n + 1;
         p.provoking = 2;
      } else {
         p.pos[1] = odd ? n + 2 : n + 1;
         p.pos[2] = odd ? n + 1 : n + 2;
      }
      break;
   case DI_PT_TRISTRIP_ADJ:
      p.pos[0] = odd ? 2 * n + 2 : 2 * n;
      p.pos[1] = odd ? 2 * n : 2 * n + 2;
      p.pos[2] = 2 * n + 4;
      p.provoking = provoking_last ? 2 : odd ? 1 : 0;
      break;
   case DI_PT_TRIFAN:
      p.pos[0] = 0;
      p.pos[1] = n + 1;
      p.pos[2] = n + 2;
      p.provoking = provoking_last ? 2 : 1;
      if (!provoking_last)
         p = rotate(p);
      break;
   case DI_PT_POLYGON:
      p.pos[0] = 0;
      p.pos[1] = n + 1;
      p.pos[2] = n + 2;
      p.edges = 0x2 | (n == 0 ? 0x1 : 0) | (n + 3 == count ? 0x4 : 0);
      if (provoking_last)
         p = rotate(p);
      break;
   case DI_PT_QUADLIST: {
      const uint32_t b = n / 2 * 4;
      const uint32_t q[4] = { b, b + 1, b + 2, b + 3 };

      p = quad_half(q, provoking_last ? 3 : 0, odd);
      if (provoking_last)
         p = rotate(p);
      break;
   }
   case DI_PT_QUADSTRIP: {
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
   return s->prim_type == DI_PT_PATCH ? count / s->in_verts : vgt_prims(s->prim_type, count);
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
         const uint64_t piece = mapped - end < LOOK_INDICES ? mapped : end + LOOK_INDICES;

         end = next_restart(s, end, piece);
         if (core_expired(watch))
            return false;
         if (end < piece)
            break;
      } while (end < mapped);
      last = end == mapped;
      restarts += last ? (zeros ? count - mapped : 0) : 1;
      if (last && !zeros)
         end = count;

      const uint32_t n = count_prims(s, (uint32_t)(end - start));

      if (n && num < most) {
         if (out)
            out[num] = (struct vgt_segment){ (uint32_t)start, (uint32_t)(end - start), prims };
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
      return "out of memory";
   return walk_segments(s, count, segments, watch) ? NULL : no_time;
}

/* VGT_SHADER_STAGES_EN of a pipeline. */
static uint32_t
stages_of(bool gs, bool tess)
{
   const unsigned es = tess ? ES_STAGE_DS : ES_STAGE_REAL, vs = tess ? VS_STAGE_DS : VS_STAGE_REAL;

   return REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, tess ? LS_STAGE_ON : LS_STAGE_OFF) |
          REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, tess) |
          REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, gs ? es : ES_STAGE_OFF) |
          REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, gs) |
          REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, gs ? VS_STAGE_COPY_SHADER : vs);
}

const char *
vgt_decode(struct vgt_state *s, const struct gfx_draw *draw, struct pool *pool,
           const struct core_watch *watch)
{
   const struct regs *r = draw->regs;
   const uint32_t stages = reg(r, R_VGT_SHADER_STAGES_EN);
   uint32_t count = draw->count;

   *s = (struct vgt_state){ 0 };
   s->gs = REG_FIELD_GET(stages, VGT_SHADER_STAGES_EN, GS_EN);
   s->tess = REG_FIELD_GET(stages, VGT_SHADER_STAGES_EN, HS_EN);
   if ((stages & 0xff) != stages_of(s->gs, s->tess))
      return "VGT_SHADER_STAGES_EN names no combination of stages";

   s->prim_type = REG_FIELD_GET(reg(r, R_VGT_PRIMITIVE_TYPE), VGT_PRIMITIVE_TYPE, PRIM_TYPE);
   switch (s->prim_type) {
   case DI_PT_POINTLIST:
      s->topology = VGT_POINTS;
      s->verts_per_prim = 1;
      break;
   case DI_PT_LINELIST:
   case DI_PT_LINESTRIP:
   case DI_PT_LINELOOP:
   case DI_PT_LINELIST_ADJ:
   case DI_PT_LINESTRIP_ADJ:
      s->topology = VGT_LINES;
      s->verts_per_prim = 2;
      break;
   case DI_PT_RECTLIST:
      s->topology = VGT_RECTS;
      s->verts_per_prim = 3;
      break;
   case DI_PT_PATCH:
      break;
   case DI_PT_NONE:
      return "no primitive type";
   default:
      s->topology = VGT_TRIANGLES;
      s->verts_per_prim = 3;
      break;
   }
   if (s->tess != (s->prim_type == DI_PT_PATCH))
      return "patches go through tessellation, and only they do";
   s->batch_prims = BATCH_PRIMS;
   s->weight = 1;
   s->in_verts = s->tess
                    ? REG_FIELD_GET(reg(r, R_VGT_LS_HS_CONFIG), VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP)
                 : s->gs ? geometry_in_verts(s->prim_type)
                         : s->verts_per_prim;
   if (!s->in_verts)
      return "a patch has no control points";
   s->provoking_last =
      REG_FIELD_GET(reg(r, R_PA_SU_SC_MODE_CNTL), PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST);
   s->instances = draw->instances ? draw->instances : 1;
   s->indexed = draw->indexed || draw->immediate;
   s->index_offset = reg(r, R_VGT_INDX_OFFSET);
   s->index_min = reg(r, R_VGT_MIN_VTX_INDX);
   s->index_max = reg(r, R_VGT_MAX_VTX_INDX);
   s->primitive_id =
      REG_FIELD_GET(reg(r, R_VGT_PRIMITIVEID_EN), VGT_PRIMITIVEID_EN, PRIMITIVEID_EN);
   s->stream = reg(r, R_VGT_STRMOUT_CONFIG) & 0xf;
   for (unsigned n = 0; n < 4; n++)
      s->stream_buffers |= (reg(r, R_VGT_STRMOUT_CONFIG) >> n & 1) &&
                           (reg(r, R_VGT_STRMOUT_BUFFER_CONFIG) >> 4 * n & 0xf);

   if (s->indexed) {
      s->index_bytes = draw->index_bytes == 4 ? 4 : 2;
      if (draw->immediate) {
         const uint64_t bytes = (uint64_t)count * s->index_bytes;
         void *copy = pool_alloc(pool, bytes + 4);

         if (!copy)
            return "out of memory";
         memcpy(copy, draw->immediate, bytes);
         s->indices = copy;
         s->indices_mapped = count;
      } else {
         uint64_t want = (uint64_t)count;

         if (draw->index_max < want)
            want = draw->index_max;
         s->indices_mapped =
            vm_extent(draw->vm, draw->index_va, want * s->index_bytes) / s->index_bytes;
         if (s->indices_mapped && (draw->index_va & (s->index_bytes - 1)) == 0)
            s->indices = vm_pointer(draw->vm, draw->index_va);
         else
            s->indices_mapped = 0;
      }
      s->restart =
         REG_FIELD_GET(reg(r, R_VGT_MULTI_PRIM_IB_RESET_EN), VGT_MULTI_PRIM_IB_RESET_EN, RESET_EN);
      s->restart_index = reg(r, R_VGT_MULTI_PRIM_IB_RESET_INDX);
      if (s->index_bytes == 2)
         s->restart_index &= 0xffff;
   }
   s->reuse = !s->stream_buffers && !s->primitive_id;

   s->ia_vertices = count;
   if (s->restart) {
      const char *why = find_segments(s, count, pool, watch);

      if (why)
         return why;
   } else {
      struct vgt_segment *one = pool_alloc(pool, sizeof(*one));

      if (!one)
         return "out of memory";
      *one = (struct vgt_segment){ 0, count, 0 };
      s->segments = one;
      s->num_segments = 1;
      s->prims_per_instance = count_prims(s, count);
   }
   s->ia_prims = s->prim_type == DI_PT_QUADLIST || s->prim_type == DI_PT_QUADSTRIP
                    ? s->prims_per_instance / 2
                 : s->prim_type == DI_PT_POLYGON ? s->num_segments
                                                 : s->prims_per_instance;
   return NULL;
}
