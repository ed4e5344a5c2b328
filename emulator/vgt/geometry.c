/* SPDX-License-Identifier: MIT */
/*
 * Decodes the geometry stages of a draw and sizes its batches (see geometry.h).
 *
 * Item sizes come from a stream of commands and may be anything: a batch has fewer primitives where
 * they are large, at least one, and an item never reaches into the next.
 */
#include "vgt/geometry.h"

#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/enums.h>

#include "regs.h"

#define ITEM_MAX   0x7fffu /* of the item size registers */
#define OFFSET_MAX 0x7fffu

/* Primitives that a patch counts as before its factors are known: more than most make, less than
 * the 8192 that are possible. */
#define PATCH_WEIGHT 2048u

unsigned
geometry_in_verts(uint8_t prim_type)
{
   switch (prim_type) {
   case DI_PT_POINTLIST:
      return 1;
   case DI_PT_LINELIST:
   case DI_PT_LINESTRIP:
   case DI_PT_LINELOOP:
      return 2;
   case DI_PT_LINELIST_ADJ:
   case DI_PT_LINESTRIP_ADJ:
      return 4;
   case DI_PT_TRILIST_ADJ:
   case DI_PT_TRISTRIP_ADJ:
      return 6;
   default:
      return 3;
   }
}

void
geometry_primitive(uint8_t prim_type, uint32_t count, uint32_t n, uint32_t pos[GEOMETRY_IN_VERTS])
{
   /* Last vertex convention: it is the one whose strips and fans keep their vertices' order. */
   const struct vgt_prim p = vgt_primitive(prim_type, true, count, n);

   for (unsigned k = 0; k < GEOMETRY_IN_VERTS; k++)
      pos[k] = k < 3 ? p.pos[k] : 0;
   switch (prim_type) {
   case DI_PT_LINELIST_ADJ:
      for (unsigned k = 0; k < 4; k++)
         pos[k] = 4 * n + k;
      break;
   case DI_PT_LINESTRIP_ADJ:
      for (unsigned k = 0; k < 4; k++)
         pos[k] = n + k;
      break;
   case DI_PT_TRILIST_ADJ:
      for (unsigned k = 0; k < 6; k++)
         pos[k] = 6 * n + k;
      break;
   case DI_PT_TRISTRIP_ADJ: {
      /* Triangle 2n, 2n + 2, 2n + 4.  Its neighbours: the vertex before, or vertex 1 for the
       * first; the vertex after, or the last of all; and the one between.  An odd triangle is
       * handed over from its smallest position on, against the order of an even one; a shader
       * that wants OpenGL's order rotates it. */
      const uint32_t before = n ? 2 * n - 2 : 1;
      const uint32_t between = 2 * n + 3;
      const uint32_t after = n + 1 < vgt_prims(prim_type, count) ? 2 * n + 6 : 2 * n + 5;

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

static void
decode_streamout(struct geometry_streamout *out, const struct regs *r)
{
   const uint32_t config = reg(r, R_VGT_STRMOUT_CONFIG),
                  buffers = reg(r, R_VGT_STRMOUT_BUFFER_CONFIG);

   out->streams = config & 0xf;
   for (unsigned n = 0; n < CORE_STREAMS; n++) {
      out->buffers[n] = out->streams >> n & 1 ? buffers >> 4 * n & 0xf : 0;
      out->size[n] = (uint64_t)reg(r, REG_AT(VGT_STRMOUT_BUFFER_SIZE_0, n)) * 4;
      out->stride[n] = REG_FIELD_GET(reg(r, REG_AT(VGT_STRMOUT_VTX_STRIDE_0, n)),
                                     VGT_STRMOUT_VTX_STRIDE_0, STRIDE) *
                       4;
   }
}

static const char *
decode_tess(struct geometry *g, struct vgt_state *vgt, const struct regs *r)
{
   const uint32_t param = reg(r, R_VGT_TF_PARAM), config = reg(r, R_VGT_LS_HS_CONFIG);

   g->in_cp = vgt->in_verts;
   g->out_cp = REG_FIELD_GET(config, VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP);
   /* Stock r600 writes bytes there, and has four times what it wants. */
   g->lds_bytes = core_patch_lds_bytes(reg(r, R_SQ_LDS_ALLOC));
   g->tess = (struct tess_config){
      .domain = REG_FIELD_GET(param, VGT_TF_PARAM, TYPE),
      .partitioning = REG_FIELD_GET(param, VGT_TF_PARAM, PARTITIONING),
      .topology = REG_FIELD_GET(param, VGT_TF_PARAM, TOPOLOGY),
   };
   g->tess_min = reg_float(r, R_VGT_HOS_MIN_TESS_LEVEL);
   g->tess_max = reg_float(r, R_VGT_HOS_MAX_TESS_LEVEL);
   if (g->tess.topology > TESS_OUT_TRIANGLE_CCW || g->tess.domain > TESS_DOMAIN_QUAD)
      return "VGT_TF_PARAM names no domain or topology";

   if (g->tess.topology == TESS_OUT_POINT) {
      vgt->topology = VGT_POINTS;
      vgt->verts_per_prim = 1;
   } else if (g->tess.topology == TESS_OUT_LINE || g->tess.domain == TESS_DOMAIN_ISOLINE) {
      vgt->topology = VGT_LINES;
      vgt->verts_per_prim = 2;
   } else {
      vgt->topology = VGT_TRIANGLES;
      vgt->verts_per_prim = 3;
   }
   g->gs_verts = vgt->verts_per_prim;
   /* Whole groups. */
   g->group_patches = REG_FIELD_GET(config, VGT_LS_HS_CONFIG, NUM_PATCHES);
   g->group_patches += !g->group_patches;
   g->batch_groups = GEOMETRY_PATCHES / g->group_patches;
   g->batch_groups += !g->batch_groups;
   g->factor_dwords = g->tess.domain == TESS_DOMAIN_ISOLINE    ? 2
                      : g->tess.domain == TESS_DOMAIN_TRIANGLE ? 4
                                                               : 6;
   vgt->batch_prims = g->batch_groups * g->group_patches;
   vgt->weight = PATCH_WEIGHT;
   return NULL;
}

static const char *
decode_gs(struct geometry *g, struct vgt_state *vgt, const struct regs *r)
{
   const uint32_t instances = reg(r, R_VGT_GS_INSTANCE_CNT);

   switch (REG_FIELD_GET(reg(r, R_VGT_GS_OUT_PRIM_TYPE), VGT_GS_OUT_PRIM_TYPE, OUTPRIM_TYPE)) {
   case OUTPRIM_TYPE_POINTLIST:
      g->out_type = DI_PT_POINTLIST;
      vgt->topology = VGT_POINTS;
      vgt->verts_per_prim = 1;
      break;
   case OUTPRIM_TYPE_LINESTRIP:
      g->out_type = DI_PT_LINESTRIP;
      vgt->topology = VGT_LINES;
      vgt->verts_per_prim = 2;
      break;
   case OUTPRIM_TYPE_TRISTRIP:
      g->out_type = DI_PT_TRISTRIP;
      vgt->topology = VGT_TRIANGLES;
      vgt->verts_per_prim = 3;
      break;
   default:
      return "VGT_GS_OUT_PRIM_TYPE names no type";
   }
   g->invocations = 1;
   if (REG_FIELD_GET(instances, VGT_GS_INSTANCE_CNT, ENABLE) &&
       REG_FIELD_GET(instances, VGT_GS_INSTANCE_CNT, CNT))
      g->invocations = REG_FIELD_GET(instances, VGT_GS_INSTANCE_CNT, CNT);
   g->max_verts =
      min_u(REG_FIELD_GET(reg(r, R_VGT_GS_MAX_VERT_OUT), VGT_GS_MAX_VERT_OUT, MAX_VERT_OUT),
            CORE_EMIT_VERTS - 1);
   g->es_item = reg(r, R_SQ_ESGS_RING_ITEMSIZE) & ITEM_MAX;
   g->gs_item = reg(r, R_SQ_GSVS_RING_ITEMSIZE) & ITEM_MAX;

   for (unsigned s = 0; s < CORE_STREAMS; s++) {
      uint64_t size;

      g->vert_item[s] = reg(r, R_SQ_GS_VERT_ITEMSIZE + 4 * s) & ITEM_MAX;
      g->stream_first[s] =
         s ? min_u(reg(r, R_SQ_GSVS_RING_OFFSET_1 + 4 * (s - 1)) & OFFSET_MAX, g->gs_item) : 0;
      size = (uint64_t)g->vert_item[s] * g->max_verts;
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
   return NULL;
}

const char *
geometry_decode(struct geometry *g, struct vgt_state *vgt, const struct regs *r)
{
   const uint32_t config = reg(r, R_VGT_STRMOUT_CONFIG);
   const char *why = NULL;

   g->has_gs = vgt->gs;
   g->has_tess = vgt->tess;
   g->gs_verts = vgt->in_verts;
   g->raster_streams = REG_FIELD_GET(config, VGT_STRMOUT_CONFIG, USE_RAST_STREAM_MASK)
                          ? REG_FIELD_GET(config, VGT_STRMOUT_CONFIG, RAST_STREAM_MASK)
                          : 1u << (REG_FIELD_GET(config, VGT_STRMOUT_CONFIG, RAST_STREAM) & 7);
   decode_streamout(&g->out, r);
   if (g->has_tess)
      why = decode_tess(g, vgt, r);
   if (g->has_gs && !why)
      why = decode_gs(g, vgt, r);
   return why;
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
