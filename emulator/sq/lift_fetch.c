/* SPDX-License-Identifier: MIT */
/*
 * Lifts fetch clauses: textures, vertex buffers, scratch and the scatter buffer, the global data
 * share (HD 6900 ISA guide 5, 6, 8.5).
 */
#include "chip/cayman/descriptors/map.h"
#include "sq/lift.h"
#include "sq/numbers.h"

#include <string.h>

/* A reserved selector writes nothing, as the mask does. */
static uint8_t
write_sel(unsigned sel)
{
   return sel == 6 ? CAYMAN_SEL_MASK : (uint8_t)sel;
}

static void
read_sel(struct lift *l, const struct fetch *f, unsigned sel)
{
   if (sel > 3)
      return;
   if (f->src_rel) {
      l->p->clear_gprs = 128;
      l->p->head.core.lane_varying = true;
   } else {
      lift_read(l, f->src_gpr, sel);
   }
}

static void
write_dst(struct lift *l, const struct fetch *f, bool certain)
{
   for (unsigned c = 0; c < 4; c++) {
      if (f->dst_sel[c] == CAYMAN_SEL_MASK)
         continue;
      if (f->dst_rel)
         l->p->clear_gprs = 128;
      else if (certain)
         lift_write(l, f->dst_gpr, c);
   }
}

static bool
implicit_lod(unsigned op)
{
   switch (op) {
   case CAYMAN_TEX_SAMPLE:
   case CAYMAN_TEX_SAMPLE_LB:
   case CAYMAN_TEX_SAMPLE_C:
   case CAYMAN_TEX_SAMPLE_C_LB:
   case CAYMAN_TEX_GET_LOD:
   case CAYMAN_TEX_GET_GRADIENTS_H:
   case CAYMAN_TEX_GET_GRADIENTS_V:
   case CAYMAN_TEX_KEEP_GRADIENTS:
      return true;
   default:
      return false;
   }
}

/* The number of a reference in the program's list: neighbours that bind the same share one. */
static uint32_t
find_tex(struct lift *l, const struct sq_tex_ref *ref)
{
   uint32_t *count = &l->p->head.num_tex;

   for (uint32_t n = *count; n-- > 0 && *count - n <= TD_SERIES_MAX;)
      if (!memcmp(&l->tex[n], ref, sizeof(*ref)))
         return n;
   if (!uop_grow(&l->b, (void **)&l->tex, *count, &l->cap_tex, sizeof(*l->tex)))
      return 0;
   memcpy(&l->tex[*count], ref, sizeof(*ref));
   return (*count)++;
}

static bool
gathers(unsigned op)
{
   return op == CAYMAN_TEX_GATHER4 || op == CAYMAN_TEX_GATHER4_C || op == CAYMAN_TEX_GATHER4_O ||
          op == CAYMAN_TEX_GATHER4_C_O;
}

/* What an instruction writes to component c.  The texels of a GATHER4 are x0y1, x1y1, x1y0, x0y0;
 * on five-slot chips x1y0, x0y1, x1y1, x0y0. */
static unsigned
tex_write(const struct lift *l, const struct cayman_tex *t, unsigned c)
{
   static const uint8_t five_slots[] = { 2, 0, 1, 3 };
   const unsigned sel = t->dst_sel[c] & 7;

   return cayman_five_slots(l->vliw) && gathers(t->op) && sel < 4 ? five_slots[sel] : sel;
}

static void
lift_tex(struct lift *l, const struct cayman_tex *t, struct fetch *f)
{
   f->kind = FETCH_TEX;
   f->op = t->op;
   f->inst_mod = t->inst_mod;
   f->src_gpr = t->src_gpr, f->src_rel = t->src_rel;
   f->dst_gpr = t->dst_gpr, f->dst_rel = t->dst_rel;
   f->whole_quad = t->fetch_whole_quad;
   f->resource_index = t->resource_index_mode;
   f->sampler_index = t->sampler_index_mode;
   for (unsigned c = 0; c < 4; c++) {
      f->src_sel[c] = t->src_sel[c];
      f->dst_sel[c] = write_sel(t->dst_sel[c]);
      read_sel(l, f, t->src_sel[c]);
   }
   if (implicit_lod(t->op) || t->fetch_whole_quad)
      l->p->head.core.needs_helpers = true;
   if (t->alt_const)
      lift_error(l, "resources of another stage");

   switch (t->op) {
   case CAYMAN_TEX_GET_GRADIENTS_H:
   case CAYMAN_TEX_GET_GRADIENTS_V:
      f->kind = FETCH_GRADIENTS;
      l->p->head.core.lane_varying = true;
      write_dst(l, f, true);
      return;
   case CAYMAN_TEX_SET_GRADIENTS_H:
   case CAYMAN_TEX_SET_GRADIENTS_V:
      f->kind = FETCH_SET_GRADIENTS;
      return;
   case CAYMAN_TEX_KEEP_GRADIENTS:
      f->kind = FETCH_KEEP_GRADIENTS;
      return;
   case CAYMAN_TEX_SET_TEXTURE_OFFSETS:
      f->kind = FETCH_SET_OFFSETS;
      return;
   case CAYMAN_TEX_SAMPLE_G:
   case CAYMAN_TEX_SAMPLE_G_LB:
   case CAYMAN_TEX_SAMPLE_C_G:
   case CAYMAN_TEX_SAMPLE_C_G_LB:
      f->uses_gradients = l->latches = true;
      break;
   case CAYMAN_TEX_GATHER4_O:
   case CAYMAN_TEX_GATHER4_C_O:
      f->uses_offsets = l->latches = true;
      break;
   default:
      break;
   }

   struct sq_tex_ref made, *ref = &made;
   memset(ref, 0, sizeof(*ref));
   ref->resource = t->resource_id;
   ref->sampler = t->sampler_id;
   ref->indexed = t->resource_index_mode || t->sampler_index_mode;
   ref->lookup.op = cayman_td_op[t->op & 31];
   ref->lookup.modifier = t->inst_mod;
   ref->lookup.lod_bias = t->lod_bias;
   ref->lookup.normalized = t->coord_type & 7;
   for (unsigned c = 0; c < 3; c++)
      ref->lookup.offset[c] = t->offset[c];
   for (unsigned c = 0; c < 4; c++)
      ref->lookup.swizzle[c] = cayman_write[tex_write(l, t, c)];
   f->ref = find_tex(l, ref);
   write_dst(l, f, true);
}

/* An element in the instruction's format or in the buffer's, or how many the buffer has. */
static void
decode_vtx(struct td_fetch *fetch, const struct cayman_vtx *v)
{
   *fetch = (struct td_fetch){
      .kind = v->op == CAYMAN_VTX_GET_BUFFER_RESINFO                      ? TD_FETCH_COUNT
              : v->op == CAYMAN_VTX_FETCH || v->op == CAYMAN_VTX_SEMANTIC ? TD_FETCH_ELEMENTS
                                                                          : TD_FETCH_NOTHING,
      .buffer_format = v->use_const_fields,
      .format = cayman_format[v->data_format & 63],
      .conversion = cayman_conversion[v->num_format_all & 3],
      .sign = cayman_sign[v->format_comp_all & 1],
      .no_zero = v->srf_mode_all,
      .byte_swap = cayman_byte_swap[v->endian_swap & 3],
      .no_stride = v->const_buf_no_stride,
      .offset = v->offset,
   };
   for (unsigned c = 0; c < 4; c++)
      fetch->swizzle[c] = cayman_write[v->dst_sel[c] & 7];
}

/* R600 and R700 count the vertex buffers of a fetch subroutine after the resources of the stage. */
#define OLD_FETCH_RESOURCES 160u

static uint16_t
fetch_resource(const struct lift *l, unsigned id)
{
   if (cayman_old_words(l->vliw))
      return (uint16_t)(id < OLD_FETCH_RESOURCES ? id
                                                 : SQ_FETCH_RESOURCE + id - OLD_FETCH_RESOURCES);
   return (uint16_t)(id + (l->fetch_shader ? SQ_FETCH_RESOURCE : 0));
}

static void
lift_vtx(struct lift *l, const struct cayman_vtx *v, struct fetch *f)
{
   f->kind = FETCH_VTX;
   f->op = v->op;
   f->src_gpr = v->src_gpr, f->src_rel = v->src_rel;
   f->dst_gpr = v->dst_gpr, f->dst_rel = v->dst_rel;
   f->src_sel[0] = v->src_sel_x;
   f->whole_quad = v->fetch_whole_quad;
   f->resource_index = v->buffer_index_mode;
   for (unsigned c = 0; c < 4; c++)
      f->dst_sel[c] = write_sel(v->dst_sel[c]);
   read_sel(l, f, v->src_sel_x);
   if (v->lds_req || v->structured_read || v->alt_const) {
      lift_error(l, "not implemented: vertex fetch %s",
                 v->lds_req     ? "to LDS"
                 : v->alt_const ? "of another stage"
                                : "of structures");
      return;
   }
   if (v->op == CAYMAN_VTX_SEMANTIC) {
      /* Which register it writes is for the draw's table to say. */
      f->kind = FETCH_SEMANTIC;
      f->semantic = v->semantic_id;
      f->dst_rel = false;
      l->p->head.uses_semantics = true;
      l->p->clear_gprs = 128;
   }
   uint32_t *count = &l->p->head.num_vtx;
   if (!uop_grow(&l->b, (void **)&l->vtx, *count, &l->cap_vtx, sizeof(*l->vtx)))
      return;
   struct sq_vtx_ref *ref = &l->vtx[*count];
   memset(ref, 0, sizeof(*ref));
   ref->resource = fetch_resource(l, v->buffer_id);
   ref->indexed = v->buffer_index_mode != CAYMAN_CF_INDEX_NONE;
   ref->adds = v->fetch_type;
   decode_vtx(&ref->fetch, v);
   f->ref = (*count)++;
   write_dst(l, f, f->kind != FETCH_SEMANTIC);
}

static void
lift_mem(struct lift *l, const struct cayman_mem *m, struct fetch *f)
{
   bool scatter = m->op == CAYMAN_MEM_RD_SCATTER;
   f->kind = scatter ? FETCH_SCATTER : FETCH_SCRATCH;
   f->op = m->op;
   f->src_gpr = m->src_gpr, f->src_rel = m->src_rel;
   f->dst_gpr = m->dst_gpr, f->dst_rel = m->dst_rel;
   f->src_sel[0] = m->src_sel_x;
   f->whole_quad = m->fetch_whole_quad;
   f->indexed = m->indexed;
   f->elem_size = m->elem_size & 3;
   f->burst = m->burst_count;
   f->array_base = m->array_base;
   f->array_size = m->array_size;
   for (unsigned c = 0; c < 4; c++)
      f->dst_sel[c] = write_sel(m->dst_sel[c]);
   if (m->indexed)
      read_sel(l, f, m->src_sel_x);
   if (m->lds_req)
      lift_error(l, "not implemented: memory read to LDS");
   if (scatter)
      lift_scatter(l);
   else
      lift_scratch(l, m->array_base, m->array_size, m->burst_count, f->elem_size + 1u);
   l->p->head.core.lane_varying = true;
   struct fetch g = *f;
   for (unsigned b = 0; b <= f->burst && f->dst_gpr + b < 128; b++) {
      g.dst_gpr = (uint8_t)(f->dst_gpr + b);
      write_dst(l, &g, true);
   }
}

static void
lift_gds(struct lift *l, const struct cayman_gds *g, struct fetch *f)
{
   const struct cayman_op_info *info = cayman_gds_info(g->gds_op);
   bool tf = g->op == CAYMAN_MEM_TF_WRITE;
   uint32_t offset = 0;
   f->kind = tf ? FETCH_TF_WRITE : FETCH_GDS;
   f->op = (uint8_t)sq_share_op(g->gds_op, &offset);
   f->src_gpr = g->src_gpr, f->src_rel = g->src_rel_mode == 1;
   f->dst_gpr = g->dst_gpr, f->dst_rel = g->dst_rel_mode == 1;
   unsigned num_src = tf ? 2 : info->num_src;
   for (unsigned c = 0; c < 3; c++) {
      f->src_sel[c] = c < num_src ? g->src_sel[c] : CAYMAN_SEL_0;
      read_sel(l, f, f->src_sel[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      f->dst_sel[c] = !tf && info->returns ? write_sel(g->dst_sel[c]) : CAYMAN_SEL_MASK;
   l->p->head.core.lane_varying = true;
   if (tf)
      return;
   l->p->head.core.writes_memory = l->p->head.uses_gds = true;
   /* Of operations that return nothing Cayman ignores the bit (9.6); five-slot chips do not. */
   f->append = g->alloc_consume && (info->returns || cayman_five_slots(l->vliw));
   /* One commutative operation may be done by all waves at once, as on random access targets. */
   f->commutes = core_atomic_commutes(f->op) && !info->returns && !f->append && !g->bcast_first_req;
   if (f->commutes && (!l->gds_op || l->gds_op == f->op + 1))
      l->gds_op = (uint8_t)(f->op + 1);
   else
      l->p->head.core.ordered = true;
   l->p->head.counts_gds = !l->p->head.core.ordered;
   f->counter = g->uav_id;
   f->resource_index = g->uav_index_mode;
   f->ordered = g->gds_op == CAYMAN_GDS_ATOMIC_ORDERED_ALLOC_RET;
   f->first_lane = g->bcast_first_req || f->ordered;
   if (f->append && g->uav_index_mode > CAYMAN_CF_INDEX_1)
      lift_error(l, "append counter with index mode %u", g->uav_index_mode);
   write_dst(l, f, true);
}

void
lift_fetch_clause(struct lift *l, const uint32_t *words, unsigned count, struct sq_cf *out)
{
   struct program *p = l->p;
   out->first_fetch = p->num_fetches;
   for (unsigned n = 0; n < count && !p->head.core.error; n++) {
      struct cayman_fetch d;
      int status = cayman_decode_fetch(l->vliw, words + 4 * n, &d);
      if (status < 0) {
         lift_error(l, "fetch %u: %s", n, cayman_status_name(status));
         return;
      }
      if (!uop_grow(&l->b, (void **)&p->fetches, p->num_fetches, &l->cap_fetches,
                    sizeof(*p->fetches)))
         return;
      struct fetch *f = &p->fetches[p->num_fetches];
      memset(f, 0, sizeof(*f));
      f->origin = l->origin + (uint32_t)(words - l->words) + 4 * n;
      switch (d.kind) {
      case CAYMAN_FETCH_TEX:
         lift_tex(l, &d.tex, f);
         break;
      case CAYMAN_FETCH_VTX:
         lift_vtx(l, &d.vtx, f);
         break;
      case CAYMAN_FETCH_MEM:
         lift_mem(l, &d.mem, f);
         break;
      case CAYMAN_FETCH_GDS:
         lift_gds(l, &d.gds, f);
         break;
      default:
         lift_error(l, "fetch %u: not a fetch of this clause", n);
         return;
      }
      p->num_fetches++;
      out->num_fetches++;
      out->cost += 16;
   }
}
