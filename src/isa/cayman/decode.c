/* SPDX-License-Identifier: MIT */
/*
 * Decoder: microcode words to the structures of cayman.h.  Total: every bit pattern gives a filled
 * structure and a status.  Reserved bits are ignored, as the hardware does.
 */
#include "cayman.h"

#include "r600.h"

#include <string.h>

const uint8_t cayman_bank_cycle[CAYMAN_BANK_SWIZZLE_COUNT][3] = {
   [CAYMAN_VEC_012] = { 0, 1, 2 }, [CAYMAN_VEC_021] = { 0, 2, 1 }, [CAYMAN_VEC_120] = { 1, 2, 0 },
   [CAYMAN_VEC_102] = { 1, 0, 2 }, [CAYMAN_VEC_201] = { 2, 0, 1 }, [CAYMAN_VEC_210] = { 2, 1, 0 },
};

/* Of slot t: the cycle of each operand, as the name says. */
const uint8_t cayman_scalar_cycle[CAYMAN_SCALAR_SWIZZLE_COUNT][3] = {
   [CAYMAN_SCL_210] = { 2, 1, 0 },
   [CAYMAN_SCL_122] = { 1, 2, 2 },
   [CAYMAN_SCL_212] = { 2, 1, 2 },
   [CAYMAN_SCL_221] = { 2, 2, 1 },
};

#define GET(word, field) cayman_get(word, CAYMAN_##field)

static void
decode_branch(uint32_t w0, uint32_t w1, struct cayman_cf *cf)
{
   cf->addr = GET(w0, CF_WORD0__ADDR);
   cf->jumptable_sel = GET(w0, CF_WORD0__JUMPTABLE_SEL);
   cf->pop_count = GET(w1, CF_WORD1__POP_COUNT);
   cf->cf_const = GET(w1, CF_WORD1__CF_CONST);
   cf->cond = GET(w1, CF_WORD1__COND);
   cf->count = GET(w1, CF_WORD1__COUNT);
   cf->valid_pixel_mode = GET(w1, CF_WORD1__VALID_PIXEL_MODE);
}

static void
decode_gws(uint32_t w0, uint32_t w1, struct cayman_cf *cf)
{
   decode_branch(0, w1, cf);
   cf->gws_value = GET(w0, CF_GWS_WORD0__VALUE);
   cf->gws_resource = GET(w0, CF_GWS_WORD0__RESOURCE);
   cf->gws_sign = GET(w0, CF_GWS_WORD0__SIGN);
   cf->gws_val_index_mode = GET(w0, CF_GWS_WORD0__VAL_INDEX_MODE);
   cf->gws_rsrc_index_mode = GET(w0, CF_GWS_WORD0__RSRC_INDEX_MODE);
   cf->gws_op = GET(w0, CF_GWS_WORD0__GWS_OPCODE);
}

static void
decode_cf_alu(uint32_t w0, uint32_t w1, struct cayman_cf *cf)
{
   cf->addr = GET(w0, CF_ALU_WORD0__ADDR);
   cf->kcache[0].bank = GET(w0, CF_ALU_WORD0__KCACHE_BANK0);
   cf->kcache[1].bank = GET(w0, CF_ALU_WORD0__KCACHE_BANK1);
   cf->kcache[0].mode = GET(w0, CF_ALU_WORD0__KCACHE_MODE0);
   cf->kcache[1].mode = GET(w1, CF_ALU_WORD1__KCACHE_MODE1);
   cf->kcache[0].addr = GET(w1, CF_ALU_WORD1__KCACHE_ADDR0);
   cf->kcache[1].addr = GET(w1, CF_ALU_WORD1__KCACHE_ADDR1);
   cf->count = GET(w1, CF_ALU_WORD1__COUNT);
   cf->alt_const = GET(w1, CF_ALU_WORD1__ALT_CONST);
   cf->whole_quad_mode = GET(w1, CF_ALU_WORD1__WHOLE_QUAD_MODE);
}

static void
decode_cf_alu_ext(uint32_t w0, uint32_t w1, struct cayman_cf *cf)
{
   cf->kcache[0].index_mode = GET(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE0);
   cf->kcache[1].index_mode = GET(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE1);
   cf->kcache[2].index_mode = GET(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE2);
   cf->kcache[3].index_mode = GET(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE3);
   cf->kcache[2].bank = GET(w0, CF_ALU_WORD0_EXT__KCACHE_BANK2);
   cf->kcache[3].bank = GET(w0, CF_ALU_WORD0_EXT__KCACHE_BANK3);
   cf->kcache[2].mode = GET(w0, CF_ALU_WORD0_EXT__KCACHE_MODE2);
   cf->kcache[3].mode = GET(w1, CF_ALU_WORD1_EXT__KCACHE_MODE3);
   cf->kcache[2].addr = GET(w1, CF_ALU_WORD1_EXT__KCACHE_ADDR2);
   cf->kcache[3].addr = GET(w1, CF_ALU_WORD1_EXT__KCACHE_ADDR3);
}

static void
decode_export(uint32_t w0, uint32_t w1, struct cayman_cf *cf)
{
   cf->type = GET(w0, CF_ALLOC_EXPORT_WORD0__TYPE);
   cf->rw_gpr = GET(w0, CF_ALLOC_EXPORT_WORD0__RW_GPR);
   cf->rw_rel = GET(w0, CF_ALLOC_EXPORT_WORD0__RW_REL);
   cf->index_gpr = GET(w0, CF_ALLOC_EXPORT_WORD0__INDEX_GPR);
   cf->elem_size = GET(w0, CF_ALLOC_EXPORT_WORD0__ELEM_SIZE);
   cf->burst_count = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__BURST_COUNT);
   cf->valid_pixel_mode = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__VALID_PIXEL_MODE);
   cf->mark = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__MARK);

   if (cf->form == CAYMAN_CF_FORM_RAT) {
      cf->rat_id = GET(w0, CF_ALLOC_EXPORT_WORD0_RAT__RAT_ID);
      cf->rat_op = GET(w0, CF_ALLOC_EXPORT_WORD0_RAT__RAT_INST);
      cf->rat_index_mode = GET(w0, CF_ALLOC_EXPORT_WORD0_RAT__RAT_INDEX_MODE);
   } else {
      cf->array_base = GET(w0, CF_ALLOC_EXPORT_WORD0__ARRAY_BASE);
   }
   if (cf->form == CAYMAN_CF_FORM_EXPORT) {
      cf->sel[0] = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_X);
      cf->sel[1] = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_Y);
      cf->sel[2] = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_Z);
      cf->sel[3] = GET(w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_W);
   } else {
      cf->array_size = GET(w1, CF_ALLOC_EXPORT_WORD1_BUF__ARRAY_SIZE);
      cf->comp_mask = GET(w1, CF_ALLOC_EXPORT_WORD1_BUF__COMP_MASK);
   }
}

/* A number in the word as one of enum cayman_cf_op: the two chips may have another each for it. */
static unsigned
cf_op(enum cayman_vliw vliw, unsigned number)
{
   const bool same = cayman_cf_info(number)->chips >> vliw & 1;

   return vliw == CAYMAN_VLIW4 || same ? number : CAYMAN_CF_VLIW5_BASE + number;
}

int
cayman_decode_cf(enum cayman_vliw vliw, const uint32_t words[2], struct cayman_cf *out)
{
   uint32_t own[2] = { words[0], words[1] };
   const bool old = cayman_old_words(vliw);
   const unsigned op = old ? cayman_r600_read_cf(vliw, words, own) : 0;
   const uint32_t w0 = own[0], w1 = own[1];

   memset(out, 0, sizeof(*out));
   /* Bit 29 set: the ALU forms; their four-bit opcodes are 8-15 (3.1). */
   if (old)
      out->op = (uint16_t)op;
   else if (w1 >> 29 & 1)
      out->op = (uint16_t)cf_op(vliw, CAYMAN_CF_ALU_BASE + GET(w1, CF_ALU_WORD1__CF_INST));
   else
      out->op = (uint16_t)cf_op(vliw, GET(w1, CF_WORD1__CF_INST));
   out->barrier = GET(w1, CF_WORD1__BARRIER);
   if (cayman_cf_info(out->op)->chips >> vliw & 1)
      out->form = cayman_cf_info(out->op)->form;
   if (cayman_five_slots(vliw) && !(words[1] >> 29 & 1)) {
      out->end = GET(w1, CF_WORD1__END_OF_PROGRAM);
      if (out->form == CAYMAN_CF_FORM_BRANCH || out->form == CAYMAN_CF_FORM_GWS)
         out->whole_quad_mode = GET(w1, CF_WORD1__WHOLE_QUAD_MODE);
   }

   switch (out->form) {
   case CAYMAN_CF_FORM_BRANCH:
      decode_branch(w0, w1, out);
      break;
   case CAYMAN_CF_FORM_GWS:
      decode_gws(w0, w1, out);
      break;
   case CAYMAN_CF_FORM_ALU:
      decode_cf_alu(w0, w1, out);
      break;
   case CAYMAN_CF_FORM_ALU_EXT:
      decode_cf_alu_ext(w0, w1, out);
      break;
   case CAYMAN_CF_FORM_MEM:
   case CAYMAN_CF_FORM_RAT:
   case CAYMAN_CF_FORM_EXPORT:
      decode_export(w0, w1, out);
      break;
   default:
      return CAYMAN_ERR_OPCODE;
   }
   return CAYMAN_OK;
}

void
cayman_merge_extended(const struct cayman_cf *ext, struct cayman_cf *alu)
{
   alu->extended = true;
   alu->kcache[0].index_mode = ext->kcache[0].index_mode;
   alu->kcache[1].index_mode = ext->kcache[1].index_mode;
   alu->kcache[2] = ext->kcache[2];
   alu->kcache[3] = ext->kcache[3];
}

static void
decode_lds_idx_op(uint32_t w0, uint32_t w1, struct cayman_alu *alu)
{
   /* The modifier and destination bits hold the sub-operation and a scattered offset (8.6). */
   alu->src[0].neg = alu->src[1].neg = alu->src[2].neg = false;
   alu->clamp = alu->dst_rel = false;
   alu->dst_gpr = 0;
   alu->write_mask = false;
   alu->lds_op = GET(w1, ALU_WORD1_LDS_IDX_OP__LDS_OP);
   alu->lds_offset = GET(w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_0) |
                     GET(w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_1) << 1 |
                     GET(w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_2) << 2 |
                     GET(w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_3) << 3 |
                     GET(w0, ALU_WORD0_LDS_IDX_OP__IDX_OFFSET_4) << 4 |
                     GET(w0, ALU_WORD0_LDS_IDX_OP__IDX_OFFSET_5) << 5;
}

int
cayman_decode_alu(enum cayman_vliw vliw, const uint32_t words[2], struct cayman_alu *out)
{
   const bool old = cayman_old_words(vliw);
   uint32_t w0 = words[0], w1 = words[1];
   const unsigned op = old ? cayman_r600_read_alu(vliw, words[1], &w1) : 0;

   memset(out, 0, sizeof(*out));
   out->src[0].sel = GET(w0, ALU_WORD0__SRC0_SEL);
   out->src[0].rel = GET(w0, ALU_WORD0__SRC0_REL);
   out->src[0].chan = GET(w0, ALU_WORD0__SRC0_CHAN);
   out->src[0].neg = GET(w0, ALU_WORD0__SRC0_NEG);
   out->src[1].sel = GET(w0, ALU_WORD0__SRC1_SEL);
   out->src[1].rel = GET(w0, ALU_WORD0__SRC1_REL);
   out->src[1].chan = GET(w0, ALU_WORD0__SRC1_CHAN);
   out->src[1].neg = GET(w0, ALU_WORD0__SRC1_NEG);
   out->index_mode = GET(w0, ALU_WORD0__INDEX_MODE);
   out->pred_sel = GET(w0, ALU_WORD0__PRED_SEL);
   out->last = GET(w0, ALU_WORD0__LAST);
   out->bank_swizzle = GET(w1, ALU_WORD1_OP2__BANK_SWIZZLE);
   out->dst_gpr = GET(w1, ALU_WORD1_OP2__DST_GPR);
   out->dst_rel = GET(w1, ALU_WORD1_OP2__DST_REL);
   out->dst_chan = GET(w1, ALU_WORD1_OP2__DST_CHAN);
   out->clamp = GET(w1, ALU_WORD1_OP2__CLAMP);

   if (w1 >> 15 & 7) {
      out->op = (uint16_t)(old ? op : CAYMAN_OP3_BASE + GET(w1, ALU_WORD1_OP3__ALU_INST));
      out->src[2].sel = GET(w1, ALU_WORD1_OP3__SRC2_SEL);
      out->src[2].rel = GET(w1, ALU_WORD1_OP3__SRC2_REL);
      out->src[2].chan = GET(w1, ALU_WORD1_OP3__SRC2_CHAN);
      out->src[2].neg = GET(w1, ALU_WORD1_OP3__SRC2_NEG);
      out->write_mask = true;
      if (out->op == CAYMAN_ALU_LDS_IDX_OP)
         decode_lds_idx_op(w0, w1, out);
   } else {
      out->op = (uint16_t)(old ? op : GET(w1, ALU_WORD1_OP2__ALU_INST));
      out->src[0].abs = GET(w1, ALU_WORD1_OP2__SRC0_ABS);
      out->src[1].abs = GET(w1, ALU_WORD1_OP2__SRC1_ABS);
      out->update_exec_mask = GET(w1, ALU_WORD1_OP2__UPDATE_EXEC_MASK);
      out->update_pred = GET(w1, ALU_WORD1_OP2__UPDATE_PRED);
      out->write_mask = GET(w1, ALU_WORD1_OP2__WRITE_MASK);
      /* Five-slot chips say by the clause's instruction what becomes of a lane. */
      if (out->update_exec_mask && vliw == CAYMAN_VLIW4)
         out->execute_mask_op = GET(w1, ALU_WORD1_OP2_EXECUTE_MASK__EXECUTE_MASK_OP);
      else
         out->omod = GET(w1, ALU_WORD1_OP2__OMOD);
      if (out->op == CAYMAN_ALU_MOVA_INT) {
         out->mova_dst = old ? CAYMAN_MOVA_AR_X : GET(w1, ALU_WORD1_OP2_MOVA__MOVA_DST);
         out->dst_gpr = 0;
      }
   }
   out->trans = cayman_alu_info_of(vliw, out->op)->slots == CAYMAN_SLOTS_T;
   return cayman_alu_info_of(vliw, out->op)->name ? CAYMAN_OK : CAYMAN_ERR_OPCODE;
}

bool
cayman_alu_is_trans(enum cayman_vliw vliw, const struct cayman_alu *alu, unsigned taken)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(vliw, alu->op);

   return info->slots == CAYMAN_SLOTS_T ||
          (cayman_five_slots(vliw) && info->slots == CAYMAN_SLOTS_ANY &&
           (taken >> alu->dst_chan & 1));
}

bool
cayman_alu_selects_literal(const struct cayman_alu *alu, unsigned *max_chan)
{
   /* OP2 has no third operand field. */
   unsigned fields = alu->op >= CAYMAN_OP3_BASE ? 3 : 2;
   bool any = false;

   for (unsigned i = 0; i < fields; i++) {
      if (alu->src[i].sel == CAYMAN_SRC_LITERAL) {
         any = true;
         if (alu->src[i].chan > *max_chan)
            *max_chan = alu->src[i].chan;
      } else if (alu->src[i].sel == CAYMAN_SRC_LDS_DIRECT_A ||
                 alu->src[i].sel == CAYMAN_SRC_LDS_DIRECT_B) {
         any = true; /* literal 0 and 1 describe the access (7.3.1) */
         if (*max_chan < 1)
            *max_chan = 1;
      }
   }
   return any;
}

int
cayman_decode_alu_group(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
                        struct cayman_alu_group *out)
{
   const unsigned most = cayman_five_slots(vliw) ? CAYMAN_MAX_SLOTS : 4;
   int status = CAYMAN_OK;
   unsigned max_chan = 0, taken = 0;
   bool literal = false;

   memset(out, 0, sizeof(*out));
   for (unsigned n = 0; n < most; n++) {
      if (num_dwords < 2 * (n + 1))
         return CAYMAN_ERR_TRUNCATED;
      struct cayman_alu *slot = &out->slot[n];
      int err = cayman_decode_alu(vliw, words + 2 * n, slot);
      if (err != CAYMAN_OK && status == CAYMAN_OK)
         status = err;
      out->num_slots = n + 1;
      slot->trans = cayman_alu_is_trans(vliw, slot, taken);
      /* t is the last one, and the others ascend. */
      if (n > 0 && (out->slot[n - 1].trans || (!slot->trans && taken >> slot->dst_chan)))
         return CAYMAN_ERR_SLOTS;
      taken |= 1u << slot->dst_chan;
      literal |= cayman_alu_selects_literal(slot, &max_chan);
      if (slot->last)
         break;
      if (n + 1 == most)
         return CAYMAN_ERR_SLOTS;
   }

   unsigned used = 2 * out->num_slots;
   if (literal) {
      unsigned count = max_chan >= 2 ? 4 : 2;
      if (num_dwords < used + count)
         return CAYMAN_ERR_TRUNCATED;
      memcpy(out->literal, words + used, count * sizeof(uint32_t));
      out->num_literals = count;
      used += count;
   }
   out->num_dwords = used;
   return status;
}

static int8_t
sign_extend(uint32_t value, unsigned bits)
{
   uint32_t sign = 1u << (bits - 1);
   return (int8_t)((int32_t)(value ^ sign) - (int32_t)sign);
}

static void
decode_tex(const uint32_t w[4], struct cayman_tex *t)
{
   t->op = GET(w[0], TEX_WORD0__TEX_INST);
   t->inst_mod = GET(w[0], TEX_WORD0__INST_MOD);
   t->fetch_whole_quad = GET(w[0], TEX_WORD0__FETCH_WHOLE_QUAD);
   t->resource_id = GET(w[0], TEX_WORD0__RESOURCE_ID);
   t->src_gpr = GET(w[0], TEX_WORD0__SRC_GPR);
   t->src_rel = GET(w[0], TEX_WORD0__SRC_REL);
   t->alt_const = GET(w[0], TEX_WORD0__ALT_CONST);
   t->resource_index_mode = GET(w[0], TEX_WORD0__RESOURCE_INDEX_MODE);
   t->sampler_index_mode = GET(w[0], TEX_WORD0__SAMPLER_INDEX_MODE);
   t->dst_gpr = GET(w[1], TEX_WORD1__DST_GPR);
   t->dst_rel = GET(w[1], TEX_WORD1__DST_REL);
   t->dst_sel[0] = GET(w[1], TEX_WORD1__DST_SEL_X);
   t->dst_sel[1] = GET(w[1], TEX_WORD1__DST_SEL_Y);
   t->dst_sel[2] = GET(w[1], TEX_WORD1__DST_SEL_Z);
   t->dst_sel[3] = GET(w[1], TEX_WORD1__DST_SEL_W);
   t->lod_bias = sign_extend(GET(w[1], TEX_WORD1__LOD_BIAS), 7);
   t->coord_type = GET(w[1], TEX_WORD1__COORD_TYPE_X) | GET(w[1], TEX_WORD1__COORD_TYPE_Y) << 1 |
                   GET(w[1], TEX_WORD1__COORD_TYPE_Z) << 2 |
                   GET(w[1], TEX_WORD1__COORD_TYPE_W) << 3;
   t->offset[0] = sign_extend(GET(w[2], TEX_WORD2__OFFSET_X), 5);
   t->offset[1] = sign_extend(GET(w[2], TEX_WORD2__OFFSET_Y), 5);
   t->offset[2] = sign_extend(GET(w[2], TEX_WORD2__OFFSET_Z), 5);
   t->sampler_id = GET(w[2], TEX_WORD2__SAMPLER_ID);
   t->src_sel[0] = GET(w[2], TEX_WORD2__SRC_SEL_X);
   t->src_sel[1] = GET(w[2], TEX_WORD2__SRC_SEL_Y);
   t->src_sel[2] = GET(w[2], TEX_WORD2__SRC_SEL_Z);
   t->src_sel[3] = GET(w[2], TEX_WORD2__SRC_SEL_W);
}

static void
decode_vtx(enum cayman_vliw vliw, const uint32_t w[4], struct cayman_vtx *v)
{
   v->op = GET(w[0], VTX_WORD0__VC_INST);
   v->fetch_type = GET(w[0], VTX_WORD0__FETCH_TYPE);
   v->fetch_whole_quad = GET(w[0], VTX_WORD0__FETCH_WHOLE_QUAD);
   v->buffer_id = GET(w[0], VTX_WORD0__BUFFER_ID);
   v->src_gpr = GET(w[0], VTX_WORD0__SRC_GPR);
   v->src_rel = GET(w[0], VTX_WORD0__SRC_REL);
   v->src_sel_x = GET(w[0], VTX_WORD0__SRC_SEL_X);
   if (cayman_five_slots(vliw)) {
      v->mega_fetch_count = GET(w[0], VTX_WORD0__MEGA_FETCH_COUNT);
      v->mega_fetch = GET(w[2], VTX_WORD2__MEGA_FETCH);
   } else {
      v->src_sel_y = GET(w[0], VTX_WORD0__SRC_SEL_Y);
      v->structured_read = GET(w[0], VTX_WORD0__STRUCTURED_READ);
      v->lds_req = GET(w[0], VTX_WORD0__LDS_REQ);
      v->coalesced_read = GET(w[0], VTX_WORD0__COALESCED_READ);
   }
   if (v->op == CAYMAN_VTX_SEMANTIC) {
      v->semantic_id = GET(w[1], VTX_WORD1_SEM__SEMANTIC_ID);
   } else {
      v->dst_gpr = GET(w[1], VTX_WORD1_GPR__DST_GPR);
      v->dst_rel = GET(w[1], VTX_WORD1_GPR__DST_REL);
   }
   v->dst_sel[0] = GET(w[1], VTX_WORD1_GPR__DST_SEL_X);
   v->dst_sel[1] = GET(w[1], VTX_WORD1_GPR__DST_SEL_Y);
   v->dst_sel[2] = GET(w[1], VTX_WORD1_GPR__DST_SEL_Z);
   v->dst_sel[3] = GET(w[1], VTX_WORD1_GPR__DST_SEL_W);
   v->use_const_fields = GET(w[1], VTX_WORD1_GPR__USE_CONST_FIELDS);
   v->data_format = GET(w[1], VTX_WORD1_GPR__DATA_FORMAT);
   v->num_format_all = GET(w[1], VTX_WORD1_GPR__NUM_FORMAT_ALL);
   v->format_comp_all = GET(w[1], VTX_WORD1_GPR__FORMAT_COMP_ALL);
   v->srf_mode_all = GET(w[1], VTX_WORD1_GPR__SRF_MODE_ALL);
   v->offset = GET(w[2], VTX_WORD2__OFFSET);
   v->endian_swap = GET(w[2], VTX_WORD2__ENDIAN_SWAP);
   v->const_buf_no_stride = GET(w[2], VTX_WORD2__CONST_BUF_NO_STRIDE);
   v->alt_const = GET(w[2], VTX_WORD2__ALT_CONST);
   if (!cayman_old_words(vliw))
      v->buffer_index_mode = GET(w[2], VTX_WORD2__BUFFER_INDEX_MODE);
}

static void
decode_mem(const uint32_t w[4], struct cayman_mem *m)
{
   m->op = GET(w[0], MEM_RD_WORD0__MEM_OP);
   m->elem_size = GET(w[0], MEM_RD_WORD0__ELEM_SIZE);
   m->fetch_whole_quad = GET(w[0], MEM_RD_WORD0__FETCH_WHOLE_QUAD);
   m->uncached = GET(w[0], MEM_RD_WORD0__UNCACHED);
   m->indexed = GET(w[0], MEM_RD_WORD0__INDEXED);
   m->src_sel_y = GET(w[0], MEM_RD_WORD0__SRC_SEL_Y);
   m->src_gpr = GET(w[0], MEM_RD_WORD0__SRC_GPR);
   m->src_rel = GET(w[0], MEM_RD_WORD0__SRC_REL);
   m->src_sel_x = GET(w[0], MEM_RD_WORD0__SRC_SEL_X);
   m->burst_count = GET(w[0], MEM_RD_WORD0__BURST_CNT);
   m->lds_req = GET(w[0], MEM_RD_WORD0__LDS_REQ);
   m->coalesced_read = GET(w[0], MEM_RD_WORD0__COALESCED_READ);
   m->dst_gpr = GET(w[1], MEM_RD_WORD1__DST_GPR);
   m->dst_rel = GET(w[1], MEM_RD_WORD1__DST_REL);
   m->dst_sel[0] = GET(w[1], MEM_RD_WORD1__DST_SEL_X);
   m->dst_sel[1] = GET(w[1], MEM_RD_WORD1__DST_SEL_Y);
   m->dst_sel[2] = GET(w[1], MEM_RD_WORD1__DST_SEL_Z);
   m->dst_sel[3] = GET(w[1], MEM_RD_WORD1__DST_SEL_W);
   m->data_format = GET(w[1], MEM_RD_WORD1__DATA_FORMAT);
   m->num_format_all = GET(w[1], MEM_RD_WORD1__NUM_FORMAT_ALL);
   m->format_comp_all = GET(w[1], MEM_RD_WORD1__FORMAT_COMP_ALL);
   m->srf_mode_all = GET(w[1], MEM_RD_WORD1__SRF_MODE_ALL);
   m->array_base = GET(w[2], MEM_RD_WORD2__ARRAY_BASE);
   m->endian_swap = GET(w[2], MEM_RD_WORD2__ENDIAN_SWAP);
   m->array_size = GET(w[2], MEM_RD_WORD2__ARRAY_SIZE);
}

static int
decode_gds(const uint32_t w[4], struct cayman_gds *g)
{
   g->op = GET(w[0], MEM_GDS_WORD0__MEM_OP);
   g->src_gpr = GET(w[0], MEM_GDS_WORD0__SRC_GPR);
   g->src_rel_mode = GET(w[0], MEM_GDS_WORD0__SRC_REL_MODE);
   g->src_sel[0] = GET(w[0], MEM_GDS_WORD0__SRC_SEL_X);
   g->src_sel[1] = GET(w[0], MEM_GDS_WORD0__SRC_SEL_Y);
   g->src_sel[2] = GET(w[0], MEM_GDS_WORD0__SRC_SEL_Z);
   g->dst_gpr = GET(w[1], MEM_GDS_WORD1__DST_GPR);
   g->dst_rel_mode = GET(w[1], MEM_GDS_WORD1__DST_REL_MODE);
   g->gds_op = GET(w[1], MEM_GDS_WORD1__GDS_OP);
   g->src_gpr2 = GET(w[1], MEM_GDS_WORD1__SRC_GPR);
   g->uav_index_mode = GET(w[1], MEM_GDS_WORD1__UAV_INDEX_MODE);
   g->uav_id = GET(w[1], MEM_GDS_WORD1__UAV_ID);
   g->alloc_consume = GET(w[1], MEM_GDS_WORD1__ALLOC_CONSUME);
   g->bcast_first_req = GET(w[1], MEM_GDS_WORD1__BCAST_FIRST_REQ);
   g->dst_sel[0] = GET(w[2], MEM_GDS_WORD2__DST_SEL_X);
   g->dst_sel[1] = GET(w[2], MEM_GDS_WORD2__DST_SEL_Y);
   g->dst_sel[2] = GET(w[2], MEM_GDS_WORD2__DST_SEL_Z);
   g->dst_sel[3] = GET(w[2], MEM_GDS_WORD2__DST_SEL_W);
   if (g->op == CAYMAN_MEM_GDS && !cayman_gds_info(g->gds_op)->name)
      return CAYMAN_ERR_OPCODE;
   return CAYMAN_OK;
}

int
cayman_decode_fetch(enum cayman_vliw vliw, const uint32_t words[4], struct cayman_fetch *out)
{
   unsigned inst = GET(words[0], TEX_WORD0__TEX_INST);

   memset(out, 0, sizeof(*out));
   if (cayman_old_words(vliw) && !cayman_r600_has_fetch(vliw, inst))
      return CAYMAN_ERR_OPCODE;
   if (inst == CAYMAN_MEM_INST_MEM) {
      switch (GET(words[0], MEM_RD_WORD0__MEM_OP)) {
      case CAYMAN_MEM_RD_SCRATCH:
      case CAYMAN_MEM_RD_SCATTER:
         out->kind = CAYMAN_FETCH_MEM;
         decode_mem(words, &out->mem);
         return CAYMAN_OK;
      case CAYMAN_MEM_GDS:
      case CAYMAN_MEM_TF_WRITE:
         if (cayman_old_words(vliw))
            return CAYMAN_ERR_OPCODE;
         out->kind = CAYMAN_FETCH_GDS;
         return decode_gds(words, &out->gds);
      default:
         return CAYMAN_ERR_OPCODE;
      }
   }
   if (cayman_vtx_info(inst)->name) {
      out->kind = CAYMAN_FETCH_VTX;
      decode_vtx(vliw, words, &out->vtx);
      return CAYMAN_OK;
   }
   if (cayman_tex_info(inst)->name) {
      out->kind = CAYMAN_FETCH_TEX;
      decode_tex(words, &out->tex);
      if (cayman_old_words(vliw))
         out->tex.inst_mod = out->tex.resource_index_mode = out->tex.sampler_index_mode = 0;
      return CAYMAN_OK;
   }
   return CAYMAN_ERR_OPCODE;
}
