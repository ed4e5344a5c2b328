/* SPDX-License-Identifier: MIT */
/*
 * Prints one line of a listing in AMD's format (R600-family assembly language guide): slots of ALU
 * groups, fetches, and by way of print_cf.c control flow.
 *
 * Clause temporaries R124-R127 are T3-T0; kcache operands name the set and the constant's index in
 * the set's window.  After what the guide shows stand properties for every other field that is not
 * zero, and BITS for what no property says, so that a listing gives its words back.
 */
#include "print.h"

#include <stdio.h>
#include <string.h>

#include <atoll/float_bits.h>

static const char chan_name[4] = { 'x', 'y', 'z', 'w' };
static const char sel_name[8] = { 'x', 'y', 'z', 'w', '0', '1', '?', '_' };

void
cayman_print_gpr(struct isa_text *t, unsigned gpr, bool rel, unsigned index_mode)
{
   if (gpr >= 124) {
      text_char(t, 'T');
      text_uint(t, 127 - gpr, 0, ' ');
   } else {
      text_char(t, 'R');
      text_uint(t, gpr, 0, ' ');
   }
   if (rel) {
      text_char(t, '[');
      text_str(t, cayman_index_name[index_mode % 12]);
      text_char(t, ']');
   }
}

static void
print_chan(struct isa_text *t, unsigned chan)
{
   char s[2] = { '.', chan_name[chan & 3] };
   text_add(t, s, 2);
}

static void
print_float(struct isa_text *t, uint32_t bits)
{
   float value;
   char s[40];
   memcpy(&value, &bits, sizeof(value));
   if ((bits & F32_MAGNITUDE) > F32_INFINITY) {
      text_str(t, bits >> 31 ? "-1.#QNANf" : "1.#QNANf");
   } else if ((bits & F32_MAGNITUDE) == F32_INFINITY) {
      text_str(t, bits >> 31 ? "-1.#INFf" : "1.#INFf");
   } else {
      int n = snprintf(s, sizeof(s), "%.10g", (double)value);
      text_add(t, s, (size_t)n);
      text_str(t, strpbrk(s, ".e") ? "f" : ".0f");
   }
}

void
cayman_respell(struct isa_text *t, size_t start, const struct cayman_span *written)
{
   const char *w = written->text, *end = written->length ? w + written->length : w;
   size_t at = start;

   for (; w < end; w++) {
      while (at < t->size && t->data[at] == ' ')
         at++;
      if (*w == ' ' || *w == '\t')
         continue;
      if (at == t->size || t->data[at] != *w)
         break;
      at++;
   }
   if (written->text && (w < end || at < t->size)) {
      t->size = start;
      text_add(t, written->text, written->length);
   }
}

static void
print_alu_src(struct isa_text *t, const struct cayman_item *item, unsigned n)
{
   const struct cayman_alu *alu = &item->slot.alu;
   const struct cayman_alu_src *src = &alu->src[n];
   const struct cayman_span *text = &item->slot.operand_text[n];
   const char *special;
   unsigned set, index;

   if (src->neg)
      text_char(t, '-');
   if (src->abs)
      text_char(t, '|');
   if (cayman_src_is_gpr(src->sel)) {
      cayman_print_gpr(t, src->sel, src->rel, alu->index_mode);
      print_chan(t, src->chan);
   } else if (cayman_src_is_kcache(src->sel, &set, &index)) {
      text_str(t, "KC");
      text_uint(t, set, 0, ' ');
      text_char(t, '[');
      if (src->rel) {
         text_str(t, cayman_index_name[alu->index_mode % 12]);
         text_char(t, '+');
      }
      text_uint(t, index, 0, ' ');
      text_char(t, ']');
      print_chan(t, src->chan);
   } else if (src->sel == CAYMAN_SRC_LITERAL) {
      text_char(t, '(');
      if (text->text) {
         text_add(t, text->text, text->length);
      } else {
         text_hex(t, item->slot.literal[n], 8);
         text_str(t, ", ");
         print_float(t, item->slot.literal[n]);
      }
      text_char(t, ')');
      print_chan(t, src->chan);
   } else if (src->sel == CAYMAN_SRC_PV || src->sel == CAYMAN_FOREIGN_PS ||
              (src->sel == CAYMAN_SRC_PS && cayman_five_slots(item->vliw))) {
      if (text->text) {
         text_add(t, text->text, text->length);
      } else {
         text_str(t, src->sel == CAYMAN_SRC_PV ? "PV" : "PS");
         if (item->slot.previous[n] >= 0)
            text_uint(t, (uint32_t)item->slot.previous[n], 0, ' ');
      }
      if (src->sel == CAYMAN_SRC_PV || src->chan)
         print_chan(t, src->chan);
   } else if (src->sel >= CAYMAN_SRC_PARAM && src->sel <= CAYMAN_SRC_PARAM_LAST) {
      text_str(t, "Param");
      text_uint(t, src->sel - CAYMAN_SRC_PARAM, 0, ' ');
      print_chan(t, src->chan);
   } else if (src->sel >= CAYMAN_FOREIGN_CONST) {
      text_char(t, 'C');
      text_uint(t, src->sel - CAYMAN_FOREIGN_CONST, 0, ' ');
      if (src->rel) {
         text_char(t, '[');
         text_str(t, cayman_index_name[alu->index_mode % 12]);
         text_char(t, ']');
      }
      print_chan(t, src->chan);
   } else if (text->text) {
      text_add(t, text->text, text->length);
   } else if ((special = cayman_source_name(src->sel)) != NULL) {
      text_str(t, special);
      if (src->chan)
         print_chan(t, src->chan);
   } else {
      text_str(t, "SRC");
      text_uint(t, src->sel, 0, ' ');
      print_chan(t, src->chan);
   }
   if (src->abs)
      text_char(t, '|');
}

static void
print_alu_name(struct isa_text *t, enum cayman_vliw vliw, const struct cayman_alu *alu)
{
   static const char *const omod[4] = { "", "*2", "*4", "/2" };
   const char *name = cayman_alu_listing_name(vliw, alu->op);

   if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      name = cayman_lds_info(alu->lds_op)->name;
      if (name) {
         text_str(t, name);
      } else {
         text_str(t, "LDS_OP_");
         text_uint(t, alu->lds_op, 0, ' ');
      }
      return;
   }
   if (name) {
      text_str(t, name);
   } else {
      text_str(t, alu->op >= CAYMAN_OP3_BASE ? "OP3_" : "OP2_");
      text_uint(t, alu->op & 0xff, 0, ' ');
   }
   text_str(t, omod[alu->omod & 3]);
}

void
cayman_print_extras(struct isa_text *t, const struct cayman_item *item)
{
   for (unsigned i = 0; i < item->num_extras; i++) {
      text_char(t, ' ');
      text_add(t, item->extra[i].text, item->extra[i].length);
   }
}

void
cayman_print_bits(struct isa_text *t, const struct cayman_item *item)
{
   for (unsigned i = 0; i < item->num_bits; i++) {
      text_str(t, i ? ", " : " BITS(");
      text_hex(t, item->bits[i], 8);
   }
   if (item->num_bits)
      text_char(t, ')');
}

void
cayman_text_slot(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_alu *alu = &item->slot.alu;

   text_char(t, alu->trans ? 't' : chan_name[alu->dst_chan & 3]);
   text_str(t, ": ");
   size_t start = t->size;
   if (item->slot.name.text)
      text_add(t, item->slot.name.text, item->slot.name.length);
   else
      print_alu_name(t, item->vliw, alu);
   text_pad(t, start, 11);
   text_char(t, ' ');

   if (alu->op == CAYMAN_ALU_MOVA_INT) {
      text_str(t, cayman_mova_name[alu->mova_dst & 7]);
   } else if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      text_str(t, "OFFSET(");
      text_uint(t, alu->lds_offset, 0, ' ');
      text_char(t, ')');
   } else if (!alu->write_mask) {
      size_t at = t->size;
      text_str(t, "____");
      cayman_respell(t, at, &item->written);
   } else {
      cayman_print_gpr(t, alu->dst_gpr, alu->dst_rel, alu->index_mode);
      print_chan(t, alu->dst_chan);
   }
   for (unsigned i = 0; i < item->slot.num_src; i++) {
      text_str(t, ",  ");
      print_alu_src(t, item, i);
   }
   if (!alu->write_mask && alu->dst_gpr) {
      text_char(t, ' ');
      text_property(t, "GPR", alu->dst_gpr);
   }
   if (alu->clamp)
      text_str(t, "  CLAMP");
   if (alu->pred_sel >= CAYMAN_PRED_SEL_ZERO)
      text_str(t, alu->pred_sel == CAYMAN_PRED_SEL_ZERO ? "  PRED_SEL(0)" : "  PRED_SEL(1)");
   if (alu->update_exec_mask) {
      text_str(t, "  ");
      text_str(t, cayman_execute_name[alu->execute_mask_op & 3]);
   }
   if (alu->update_pred)
      text_str(t, "  UPDATE_PRED");
   const unsigned bank =
      alu->bank_swizzle +
      (alu->trans && cayman_five_slots(item->vliw) ? CAYMAN_BANK_SWIZZLE_COUNT : 0u);
   if (alu->bank_swizzle && bank < 10) {
      text_str(t, "  ");
      text_str(t, cayman_bank_name[bank]);
   }
   cayman_print_extras(t, item);
   cayman_print_bits(t, item);
}

static void
print_sels(struct isa_text *t, const uint8_t *sel, unsigned count)
{
   text_char(t, '.');
   for (unsigned i = 0; i < count; i++)
      text_char(t, sel_name[sel[i] & 7]);
}

static void
print_dst_sels(struct isa_text *t, const uint8_t sel[4])
{
   if (sel[0] != 0 || sel[1] != 1 || sel[2] != 2 || sel[3] != 3)
      print_sels(t, sel, 4);
}

void
cayman_print_dst(struct isa_text *t, unsigned gpr, bool rel, const uint8_t sel[4])
{
   cayman_print_gpr(t, gpr, rel, CAYMAN_INDEX_LOOP);
   print_dst_sels(t, sel);
}

/* A signed fixed-point number; exact in decimal. */
static void
print_fixed(struct isa_text *t, const char *name, int value, unsigned fraction_bits)
{
   char s[40];
   if (value) {
      snprintf(s, sizeof(s), " %s(%g)", name, (double)value / (1 << fraction_bits));
      text_str(t, s);
   }
}

static void
print_coords(struct isa_text *t, const char *name, unsigned mask)
{
   if (mask) {
      text_str(t, name);
      for (unsigned i = 0; i < 4; i++)
         if (mask >> i & 1)
            text_char(t, "XYZW"[i]);
      text_char(t, ')');
   }
}

static void
print_index_mode(struct isa_text *t, const char *name, unsigned mode)
{
   if (mode) {
      text_char(t, ' ');
      text_str(t, name);
      text_str(t, "(IDX");
      text_uint(t, mode - 1, 0, ' ');
      text_char(t, ')');
   }
}

static void
print_tex(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_tex *tex = &item->fetch.tex;

   size_t start = t->size;
   text_str(t, cayman_tex_info(tex->op)->name);
   cayman_respell(t, start, &item->written);
   text_char(t, ' ');
   cayman_print_dst(t, tex->dst_gpr, tex->dst_rel, tex->dst_sel);
   if (!item->omitted) {
      text_str(t, ", ");
      cayman_print_dst(t, tex->src_gpr, tex->src_rel, tex->src_sel);
   }
   text_str(t, ", t");
   text_uint(t, tex->resource_id, 0, ' ');
   text_str(t, ", s");
   text_uint(t, tex->sampler_id, 0, ' ');
   cayman_print_extras(t, item);
   print_index_mode(t, "RIM", tex->resource_index_mode);
   print_index_mode(t, "SIM", tex->sampler_index_mode);
   switch (tex->op) {
   case CAYMAN_TEX_GATHER4:
   case CAYMAN_TEX_GATHER4_C:
   case CAYMAN_TEX_GATHER4_O:
   case CAYMAN_TEX_GATHER4_C_O:
      text_str(t, " COMP(");
      text_char(t, "XYZW"[tex->inst_mod & 3]);
      text_char(t, ')');
      break;
   case CAYMAN_TEX_LD:
   case CAYMAN_TEX_GET_GRADIENTS_H:
   case CAYMAN_TEX_GET_GRADIENTS_V:
      if (tex->inst_mod == 1) {
         text_str(t, tex->op == CAYMAN_TEX_LD ? " LDFPTR" : " FINE");
         break;
      }
      /* fallthrough */
   default:
      if (tex->inst_mod)
         text_property(t, "INST_MOD", tex->inst_mod);
      break;
   }
   print_coords(t, " UNNORM(", ~tex->coord_type & 15);
   print_coords(t, " NORM(", tex->coord_type);
   print_fixed(t, "XOFFSET", tex->offset[0], 1);
   print_fixed(t, "YOFFSET", tex->offset[1], 1);
   print_fixed(t, "ZOFFSET", tex->offset[2], 1);
   print_fixed(t, "LOD", tex->lod_bias, 4);
   if (tex->fetch_whole_quad)
      text_str(t, " WHOLE_QUAD");
   if (tex->alt_const)
      text_str(t, " ALT_CONST");
}

static void
print_format(struct isa_text *t, unsigned format, unsigned num_format, bool is_signed, bool srf,
             unsigned endian, bool named)
{
   if (named) {
      text_str(t, " FORMAT(");
      text_hex(t, format, 0);
      text_char(t, ')');
   }
   if (num_format) {
      text_str(t, num_format == CAYMAN_NUM_FORMAT_INT      ? " NUM_FORMAT_ALL(INT)"
                  : num_format == CAYMAN_NUM_FORMAT_SCALED ? " NUM_FORMAT_ALL(SCALED)"
                                                           : " NUM_FORMAT_ALL(3)");
   }
   if (is_signed)
      text_str(t, " FORMAT_COMP_ALL(SIGNED)");
   if (srf)
      text_str(t, " OGL");
   if (endian)
      text_str(t, endian == 1 ? " ENDIAN(8IN16)" : endian == 2 ? " ENDIAN(8IN32)" : " ENDIAN(3)");
}

/* What a read of a buffer or of memory may say, and programs do not. */
static void
print_read_options(struct isa_text *t, unsigned src_sel_y, bool lds_req, bool coalesced)
{
   if (src_sel_y)
      text_property(t, "SRC_SEL_Y", src_sel_y);
   if (lds_req)
      text_str(t, " LDS_REQ");
   if (coalesced)
      text_str(t, " COALESCED_READ");
}

static void
print_vtx(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_vtx *v = &item->fetch.vtx;

   size_t start = t->size;
   text_str(t, v->op == CAYMAN_VTX_SEMANTIC ? "VSEMANTIC"
               : v->op == CAYMAN_VTX_FETCH  ? "VFETCH"
                                            : "RESINFO_BUFFER");
   cayman_respell(t, start, &item->written);
   if (v->op == CAYMAN_VTX_SEMANTIC) {
      text_str(t, " SemId");
      text_uint(t, v->semantic_id, 0, ' ');
      print_dst_sels(t, v->dst_sel);
   } else {
      text_char(t, ' ');
      cayman_print_dst(t, v->dst_gpr, v->dst_rel, v->dst_sel);
   }
   text_str(t, ", ");
   cayman_print_gpr(t, v->src_gpr, v->src_rel, CAYMAN_INDEX_LOOP);
   print_chan(t, v->src_sel_x);
   if (!item->omitted) {
      text_str(t, ", f");
      text_uint(t, v->buffer_id, 0, ' ');
   }
   cayman_print_extras(t, item);
   print_index_mode(t, "BIM", v->buffer_index_mode);
   if (v->structured_read)
      text_property(t, "STRUCTURED_READ", v->structured_read);
   print_read_options(t, v->src_sel_y, v->lds_req, v->coalesced_read);
   if (v->mega_fetch)
      text_property(t, "MEGAFETCH", v->mega_fetch_count);
   if (v->const_buf_no_stride)
      text_str(t, " CONST_BUF_NO_STRIDE");
   if (v->offset) {
      text_str(t, " OFFSET(");
      text_hex(t, v->offset, 0);
      text_char(t, ')');
   }
   print_format(t, v->data_format, v->num_format_all, v->format_comp_all, v->srf_mode_all,
                v->endian_swap, !v->use_const_fields);
   if (v->fetch_type) {
      text_str(t, v->fetch_type == CAYMAN_FETCH_INSTANCE_DATA     ? " FETCHTYPE(INSTANCE_DATA)"
                  : v->fetch_type == CAYMAN_FETCH_NO_INDEX_OFFSET ? " FETCHTYPE(NO_INDEX_OFFSET)"
                                                                  : " FETCHTYPE(3)");
   }
   if (v->fetch_whole_quad)
      text_str(t, " WHOLE_QUAD");
   if (v->alt_const)
      text_str(t, " ALT_CONST");
}

static void
print_mem(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_mem *m = &item->fetch.mem;

   text_str(t, m->op == CAYMAN_MEM_RD_SCRATCH ? "MEM_SCRATCH_READ" : "MEM_SCATTER_READ");
   text_str(t, m->indexed ? "_IND " : " ");
   cayman_print_dst(t, m->dst_gpr, m->dst_rel, m->dst_sel);
   text_str(t, ", VEC_PTR[");
   text_uint(t, m->array_base, 0, ' ');
   if (m->indexed) {
      text_char(t, '+');
      cayman_print_gpr(t, m->src_gpr, m->src_rel, CAYMAN_INDEX_LOOP);
      print_chan(t, m->src_sel_x);
   }
   text_str(t, "],");
   text_property(t, "ARRAY_SIZE", m->array_size);
   text_property(t, "ELEM_SIZE", m->elem_size);
   if (m->burst_count)
      text_property(t, "BURSTCNT", m->burst_count);
   print_read_options(t, m->src_sel_y, m->lds_req, m->coalesced_read);
   print_format(t, m->data_format, m->num_format_all, m->format_comp_all, m->srf_mode_all,
                m->endian_swap, true);
   if (m->uncached)
      text_str(t, " UNCACHED");
   if (m->fetch_whole_quad)
      text_str(t, " WHOLE_QUAD");
}

static void
print_gds(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_gds *g = &item->fetch.gds;

   if (g->op == CAYMAN_MEM_TF_WRITE) {
      text_str(t, "TF_WRITE ");
   } else {
      text_str(t, "GDS_");
      text_str(t, cayman_gds_info(g->gds_op)->name);
      text_char(t, ' ');
      cayman_print_dst(t, g->dst_gpr, g->dst_rel_mode & 1, g->dst_sel);
      text_str(t, ", ");
   }
   cayman_print_gpr(t, g->src_gpr, g->src_rel_mode & 1, CAYMAN_INDEX_LOOP);
   print_sels(t, g->src_sel, 3);
   if (g->src_gpr2)
      text_property(t, "SRC_GPR", g->src_gpr2);
   print_index_mode(t, "UIM", g->uav_index_mode);
   if (g->alloc_consume) {
      text_str(t, " ALLOC_CONSUME");
      text_property(t, "UAV", g->uav_id);
   }
   if (g->bcast_first_req)
      text_str(t, " BCAST_FIRST_REQ");
}

void
cayman_text_fetch(struct isa_text *t, const struct cayman_item *item)
{
   if (item->undefined) {
      text_str(t, "UNDEFINED");
   } else {
      switch (item->fetch.kind) {
      case CAYMAN_FETCH_TEX:
         print_tex(t, item);
         break;
      case CAYMAN_FETCH_VTX:
         print_vtx(t, item);
         break;
      case CAYMAN_FETCH_MEM:
         print_mem(t, item);
         break;
      default:
         print_gds(t, item);
         break;
      }
   }
   cayman_print_bits(t, item);
}

static void
print_words(struct isa_text *t, const struct cayman_item *item,
            const struct cayman_listing *listing)
{
   const uint32_t *words =
      item->words.words ? item->words.words : listing->pool + item->words.first;

   text_str(t, item->kind == CAYMAN_ITEM_WORDS ? "WORDS" : "         WORDS");
   if (item->kind == CAYMAN_ITEM_WORDS)
      text_property(t, "ADDR", item->words.addr);
   text_char(t, ':');
   for (uint32_t i = 0; i < item->words.count; i++) {
      text_char(t, ' ');
      text_hex(t, words[i], 8);
   }
}

void
cayman_print_item(struct isa_text *t, const struct cayman_item *item,
                  const struct cayman_listing *listing)
{
   switch (item->kind) {
   case CAYMAN_ITEM_TEXT:
      if (item->numbered) {
         text_uint(t, item->number, 2, '0');
         text_char(t, ' ');
      }
      text_add(t, item->text.text, item->text.length);
      break;
   case CAYMAN_ITEM_CF:
      if (item->numbered) {
         text_uint(t, item->number, 2, '0');
         text_char(t, ' ');
      }
      cayman_text_cf(t, item);
      break;
   case CAYMAN_ITEM_END:
      text_str(t, "END_OF_PROGRAM");
      if (!item->cf.barrier)
         text_str(t, " NO_BARRIER");
      cayman_print_bits(t, item);
      break;
   case CAYMAN_ITEM_SLOT:
   case CAYMAN_ITEM_FETCH:
      if (item->numbered) {
         text_uint(t, item->number, 7, ' ');
         text_str(t, "  ");
      } else {
         text_str(t, "         ");
      }
      if (item->kind == CAYMAN_ITEM_SLOT)
         cayman_text_slot(t, item);
      else
         cayman_text_fetch(t, item);
      break;
   default:
      print_words(t, item, listing);
      break;
   }
   if (item->comment.text) {
      text_char(t, ' ');
      text_add(t, item->comment.text, item->comment.length);
   }
   text_char(t, '\n');
}
