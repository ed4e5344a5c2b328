/* SPDX-License-Identifier: MIT */
/*
 * Layouts of what stages hand each other in memory.  See front.h.
 *
 * A flat hull program (dcl_x_flat_hs) has the patch's outputs in vpc#, and the factors in vpc30 (of
 * the edges) and vpc31 (of the inside), x first.  Others declare outputs as factors.
 */
#include "front.h"

#define FLAT_OUTER 30
#define FLAT_INNER 31

/* --- geometry --------------------------------------------------------------------------------- */

const char *
front_lay_out_streams(struct shader_code *out, const struct il_declared *d, struct front_slots *s,
                      uint32_t *at)
{
   unsigned depth = 0;

   /* Stream 0 has all outputs, the others have what is captured from them. */
   for (unsigned n = 0; n < IL_MAX_OUTPUTS; n++)
      if (d->output[n])
         s->stream[0].slots |= UINT64_C(1) << n;
   for (uint32_t n = 0; n < d->il->ninsts; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      depth = il_block_depth(depth, inst->op);
      if (inst->op == IL_OP_DCL_X_STREAMOUT && inst->ndst && inst->dst[0].r.num < IL_MAX_OUTPUTS &&
          il_streamout_stream(inst))
         s->stream[il_streamout_stream(inst)].slots |= UINT64_C(1) << inst->dst[0].r.num;
      if (!il_emits(inst) && !il_cuts(inst))
         continue;
      if (il_stream_of(inst) > 3) {
         *at = n;
         return "stream above 3";
      }
      struct front_stream *stream = &s->stream[il_stream_of(inst)];
      stream->used |= il_emits(inst);
      stream->in_block |= il_emits(inst) && depth;
      stream->emits += il_emits(inst);
   }
   for (unsigned n = 0; n < 4; n++) {
      const unsigned vec4s = front_slot_count(s->stream[n].slots);
      /* An item without dwords would be a stream that is off. */
      out->gs.vertex_dwords[n] = s->stream[n].used || n == 0 ? (vec4s ? vec4s : 1) * 4 : 0;
   }
   return NULL;
}

/* --- tessellation ----------------------------------------------------------------------------- */

static void
note_slot(struct il_src *src, void *data)
{
   struct front_slots *s = data;

   if (!src->dim2 || src->dim2->num >= IL_LINK_COUNT)
      return;
   const uint64_t bit = UINT64_C(1) << src->dim2->num;
   if (src->r.type == IL_REGTYPE_OUTPUTCP)
      s->written |= bit; /* what a hull program reads back, it must have a slot for */
   else
      s->read |= bit;
}

void
front_scan_slots(const struct il_declared *d, struct front_slots *s)
{
   for (uint32_t n = 0; n < d->il->ninsts; n++) {
      const struct il_op_info *info = il_op_info(d->il->insts[n].op);
      if (info && info->category != IL_CAT_DECL)
         il_visit_srcs(&d->il->insts[n], note_slot, s);
   }
}

const char *
front_lay_out_patch(struct shader_code *out, const struct il_declared *d, struct front_slots *s)
{
   if (out->stage == SHADER_STAGE_HS) {
      if (!out->tess.output_points)
         return "a hull program without dcl_num_ocp";
      for (unsigned n = 0; n < IL_MAX_OUTPUTS && !s->link; n++)
         s->written |= d->output[n] ? UINT64_C(1) << n : 0;
      if (s->link) {
         s->own = s->written & ~s->link;
         s->written = s->link;
      }
   }
   out->tess.input_slots = s->read;
   out->tess.input_bytes = 16 * front_slot_count(s->read);
   out->tess.output_bytes = 16 * front_slot_count(s->written);
   out->tess.own_bytes = 16 * front_slot_count(s->own);
   out->tess.patch_bytes = FRONT_PATCH_BYTES;
   return NULL;
}

/* Of isolines the device takes the detail (GL's second) before the density. */
static void
find_flat_factors(const struct shader_code *out, int dword[FRONT_FACTORS])
{
   const unsigned domain = out->tess.domain;
   const int edges = domain == IL_TS_DOMAIN_QUAD ? 4 : domain == IL_TS_DOMAIN_TRI ? 3 : 2;
   const int insides = domain == IL_TS_DOMAIN_QUAD ? 2 : domain == IL_TS_DOMAIN_TRI ? 1 : 0;

   for (int k = 0; k < edges; k++)
      dword[k] = 4 * FLAT_OUTER + (domain == IL_TS_DOMAIN_ISOLINE ? 1 - k : k);
   for (int k = 0; k < insides; k++)
      dword[edges + k] = 4 * FLAT_INNER + k;
}

const char *
front_find_factors(const struct shader_code *out, const struct il_declared *d,
                   int dword[FRONT_FACTORS])
{
   unsigned edge = 0, inside = out->tess.domain == IL_TS_DOMAIN_QUAD ? 4 : 3, k;
   uint32_t seen = 0;

   for (k = 0; k < FRONT_FACTORS; k++)
      dword[k] = -1;
   if (d->tess.flat) {
      find_flat_factors(out, dword);
      return NULL;
   }
   for (uint32_t n = 0; n < d->il->ninsts; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      if (inst->op != IL_OP_DCL_OUTPUT || !inst->ndst || inst->dst[0].r.num >= 32 ||
          seen >> inst->dst[0].r.num & 1)
         continue;
      switch (il_usage(inst)) {
      case IL_IMPORTUSAGE_DETAIL_TESSFACTOR:
         k = 0;
         break;
      case IL_IMPORTUSAGE_DENSITY_TESSFACTOR:
         k = 1;
         break;
      case IL_IMPORTUSAGE_EDGE_TESSFACTOR:
         k = edge++;
         break;
      case IL_IMPORTUSAGE_INSIDE_TESSFACTOR:
         k = inside++;
         break;
      default:
         continue;
      }
      seen |= 1u << inst->dst[0].r.num;
      if (k >= FRONT_FACTORS)
         return "more tessellation factors than a domain has";
      dword[k] = 4 * (int)inst->dst[0].r.num;
   }
   return NULL;
}
