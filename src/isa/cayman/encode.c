/* SPDX-License-Identifier: MIT */
/*
 * Encoder: the structures of cayman.h to microcode words.  A value that does not fit its field is
 * reported, not silently truncated into another meaning: the compiler treats it as its own defect.
 */
#include "cayman.h"

#include "r600.h"

/* Or a field into a word and note in `bad` whether the value fitted. */
#define PUT(word, field, value)                                                        \
   do {                                                                                \
      uint32_t value_ = (uint32_t)(value);                                             \
      (word) |= cayman_put(CAYMAN_##field, value_);                                    \
      bad |= cayman_get(cayman_put(CAYMAN_##field, value_), CAYMAN_##field) != value_; \
   } while (0)

static bool
encode_branch(const struct cayman_cf *cf, uint32_t *w0, uint32_t *w1)
{
   bool bad = false;

   if (cf->form == CAYMAN_CF_FORM_GWS) {
      PUT(*w0, CF_GWS_WORD0__VALUE, cf->gws_value);
      PUT(*w0, CF_GWS_WORD0__RESOURCE, cf->gws_resource);
      PUT(*w0, CF_GWS_WORD0__SIGN, cf->gws_sign);
      PUT(*w0, CF_GWS_WORD0__VAL_INDEX_MODE, cf->gws_val_index_mode);
      PUT(*w0, CF_GWS_WORD0__RSRC_INDEX_MODE, cf->gws_rsrc_index_mode);
      PUT(*w0, CF_GWS_WORD0__GWS_OPCODE, cf->gws_op);
   } else {
      PUT(*w0, CF_WORD0__ADDR, cf->addr);
      PUT(*w0, CF_WORD0__JUMPTABLE_SEL, cf->jumptable_sel);
   }
   PUT(*w1, CF_WORD1__POP_COUNT, cf->pop_count);
   PUT(*w1, CF_WORD1__CF_CONST, cf->cf_const);
   PUT(*w1, CF_WORD1__COND, cf->cond);
   PUT(*w1, CF_WORD1__COUNT, cf->count);
   PUT(*w1, CF_WORD1__VALID_PIXEL_MODE, cf->valid_pixel_mode);
   PUT(*w1, CF_WORD1__WHOLE_QUAD_MODE, cf->whole_quad_mode);
   PUT(*w1, CF_WORD1__CF_INST, cf->op & 0xff);
   return bad;
}

static bool
encode_cf_alu(const struct cayman_cf *cf, uint32_t *w0, uint32_t *w1)
{
   bool bad = false;

   PUT(*w0, CF_ALU_WORD0__ADDR, cf->addr);
   PUT(*w0, CF_ALU_WORD0__KCACHE_BANK0, cf->kcache[0].bank);
   PUT(*w0, CF_ALU_WORD0__KCACHE_BANK1, cf->kcache[1].bank);
   PUT(*w0, CF_ALU_WORD0__KCACHE_MODE0, cf->kcache[0].mode);
   PUT(*w1, CF_ALU_WORD1__KCACHE_MODE1, cf->kcache[1].mode);
   PUT(*w1, CF_ALU_WORD1__KCACHE_ADDR0, cf->kcache[0].addr);
   PUT(*w1, CF_ALU_WORD1__KCACHE_ADDR1, cf->kcache[1].addr);
   PUT(*w1, CF_ALU_WORD1__COUNT, cf->count);
   PUT(*w1, CF_ALU_WORD1__ALT_CONST, cf->alt_const);
   PUT(*w1, CF_ALU_WORD1__WHOLE_QUAD_MODE, cf->whole_quad_mode);
   PUT(*w1, CF_ALU_WORD1__CF_INST, (cf->op & ~CAYMAN_CF_VLIW5_BASE) - CAYMAN_CF_ALU_BASE);
   return bad;
}

static bool
encode_export(const struct cayman_cf *cf, uint32_t *w0, uint32_t *w1)
{
   bool bad = false;

   PUT(*w0, CF_ALLOC_EXPORT_WORD0__TYPE, cf->type);
   PUT(*w0, CF_ALLOC_EXPORT_WORD0__RW_GPR, cf->rw_gpr);
   PUT(*w0, CF_ALLOC_EXPORT_WORD0__RW_REL, cf->rw_rel);
   PUT(*w0, CF_ALLOC_EXPORT_WORD0__INDEX_GPR, cf->index_gpr);
   PUT(*w0, CF_ALLOC_EXPORT_WORD0__ELEM_SIZE, cf->elem_size);
   PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__BURST_COUNT, cf->burst_count);
   PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__VALID_PIXEL_MODE, cf->valid_pixel_mode);
   PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__MARK, cf->mark);
   PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__CF_INST, cf->op);

   if (cf->form == CAYMAN_CF_FORM_RAT) {
      PUT(*w0, CF_ALLOC_EXPORT_WORD0_RAT__RAT_ID, cf->rat_id);
      PUT(*w0, CF_ALLOC_EXPORT_WORD0_RAT__RAT_INST, cf->rat_op);
      PUT(*w0, CF_ALLOC_EXPORT_WORD0_RAT__RAT_INDEX_MODE, cf->rat_index_mode);
   } else {
      PUT(*w0, CF_ALLOC_EXPORT_WORD0__ARRAY_BASE, cf->array_base);
   }
   if (cf->form == CAYMAN_CF_FORM_EXPORT) {
      PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_X, cf->sel[0]);
      PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_Y, cf->sel[1]);
      PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_Z, cf->sel[2]);
      PUT(*w1, CF_ALLOC_EXPORT_WORD1_SWIZ__SEL_W, cf->sel[3]);
   } else {
      PUT(*w1, CF_ALLOC_EXPORT_WORD1_BUF__ARRAY_SIZE, cf->array_size);
      PUT(*w1, CF_ALLOC_EXPORT_WORD1_BUF__COMP_MASK, cf->comp_mask);
   }
   return bad;
}

int
cayman_encode_extended(const struct cayman_cf *alu, uint32_t words[2])
{
   uint32_t w0 = 0, w1 = 0;
   bool bad = false;

   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE0, alu->kcache[0].index_mode);
   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE1, alu->kcache[1].index_mode);
   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE2, alu->kcache[2].index_mode);
   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_BANK_INDEX_MODE3, alu->kcache[3].index_mode);
   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_BANK2, alu->kcache[2].bank);
   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_BANK3, alu->kcache[3].bank);
   PUT(w0, CF_ALU_WORD0_EXT__KCACHE_MODE2, alu->kcache[2].mode);
   PUT(w1, CF_ALU_WORD1_EXT__KCACHE_MODE3, alu->kcache[3].mode);
   PUT(w1, CF_ALU_WORD1_EXT__KCACHE_ADDR2, alu->kcache[2].addr);
   PUT(w1, CF_ALU_WORD1_EXT__KCACHE_ADDR3, alu->kcache[3].addr);
   PUT(w1, CF_ALU_WORD1_EXT__CF_INST, CAYMAN_CF_ALU_EXTENDED - CAYMAN_CF_ALU_BASE);
   PUT(w1, CF_ALU_WORD1_EXT__BARRIER, alu->barrier);
   words[0] = w0;
   words[1] = w1;
   return bad ? CAYMAN_ERR_FIELD : CAYMAN_OK;
}

int
cayman_encode_cf(const struct cayman_cf *cf, uint32_t words[2])
{
   return cayman_encode_cf_of(CAYMAN_VLIW4, cf, words);
}

int
cayman_encode_cf_of(enum cayman_vliw vliw, const struct cayman_cf *cf, uint32_t words[2])
{
   uint32_t w0 = 0, w1 = 0;
   bool bad;

   switch (cayman_cf_info(cf->op)->form) {
   case CAYMAN_CF_FORM_BRANCH:
   case CAYMAN_CF_FORM_GWS:
      bad = encode_branch(cf, &w0, &w1);
      break;
   case CAYMAN_CF_FORM_ALU:
      bad = encode_cf_alu(cf, &w0, &w1);
      break;
   case CAYMAN_CF_FORM_ALU_EXT:
      return cayman_encode_extended(cf, words);
   case CAYMAN_CF_FORM_MEM:
   case CAYMAN_CF_FORM_RAT:
   case CAYMAN_CF_FORM_EXPORT:
      bad = encode_export(cf, &w0, &w1);
      break;
   default:
      words[0] = words[1] = 0;
      return CAYMAN_ERR_OPCODE;
   }
   /* The forms share the layout of the structure; a form that contradicts the opcode is a caller's
    * mistake that would encode the wrong fields. */
   bad |= cf->form != cayman_cf_info(cf->op)->form;
   bad |= cf->end && cf->form == CAYMAN_CF_FORM_ALU;
   if (cf->end)
      PUT(w1, CF_WORD1__END_OF_PROGRAM, 1);
   PUT(w1, CF_WORD1__BARRIER, cf->barrier);
   words[0] = w0;
   words[1] = w1;
   if (cayman_old_words(vliw))
      bad |= !cayman_r600_write_cf(vliw, cf, words);
   return bad ? CAYMAN_ERR_FIELD : CAYMAN_OK;
}

static bool
encode_lds_idx_op(const struct cayman_alu *alu, uint32_t *w0, uint32_t *w1)
{
   bool bad = alu->lds_offset > 63;

   for (unsigned i = 0; i < 3; i++)
      bad |= alu->src[i].neg || alu->src[i].abs;
   PUT(*w0, ALU_WORD0_LDS_IDX_OP__IDX_OFFSET_4, alu->lds_offset >> 4 & 1);
   PUT(*w0, ALU_WORD0_LDS_IDX_OP__IDX_OFFSET_5, alu->lds_offset >> 5 & 1);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__SRC2_SEL, alu->src[2].sel);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__SRC2_REL, alu->src[2].rel);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__SRC2_CHAN, alu->src[2].chan);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__LDS_OP, alu->lds_op);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_0, alu->lds_offset & 1);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_1, alu->lds_offset >> 1 & 1);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_2, alu->lds_offset >> 2 & 1);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__IDX_OFFSET_3, alu->lds_offset >> 3 & 1);
   PUT(*w1, ALU_WORD1_LDS_IDX_OP__DST_CHAN, alu->dst_chan);
   return bad;
}

static bool
encode_op3(const struct cayman_alu *alu, uint32_t *w1)
{
   /* OP3 has no ABS, OMOD or WRITE_MASK (4.9.2). */
   bool bad = alu->src[0].abs || alu->src[1].abs || alu->src[2].abs || alu->omod ||
              !alu->write_mask || alu->update_pred || alu->update_exec_mask;

   PUT(*w1, ALU_WORD1_OP3__SRC2_SEL, alu->src[2].sel);
   PUT(*w1, ALU_WORD1_OP3__SRC2_REL, alu->src[2].rel);
   PUT(*w1, ALU_WORD1_OP3__SRC2_CHAN, alu->src[2].chan);
   PUT(*w1, ALU_WORD1_OP3__SRC2_NEG, alu->src[2].neg);
   PUT(*w1, ALU_WORD1_OP3__DST_GPR, alu->dst_gpr);
   PUT(*w1, ALU_WORD1_OP3__DST_REL, alu->dst_rel);
   PUT(*w1, ALU_WORD1_OP3__DST_CHAN, alu->dst_chan);
   PUT(*w1, ALU_WORD1_OP3__CLAMP, alu->clamp);
   return bad;
}

static bool
encode_op2(enum cayman_vliw vliw, const struct cayman_alu *alu, uint32_t *w1)
{
   bool bad = false;

   PUT(*w1, ALU_WORD1_OP2__SRC0_ABS, alu->src[0].abs);
   PUT(*w1, ALU_WORD1_OP2__SRC1_ABS, alu->src[1].abs);
   PUT(*w1, ALU_WORD1_OP2__UPDATE_EXEC_MASK, alu->update_exec_mask);
   PUT(*w1, ALU_WORD1_OP2__UPDATE_PRED, alu->update_pred);
   PUT(*w1, ALU_WORD1_OP2__WRITE_MASK, alu->write_mask);
   if (alu->update_exec_mask && vliw == CAYMAN_VLIW4) {
      bad |= alu->omod != 0;
      PUT(*w1, ALU_WORD1_OP2_EXECUTE_MASK__EXECUTE_MASK_OP, alu->execute_mask_op);
   } else {
      bad |= cayman_five_slots(vliw) && alu->execute_mask_op != 0;
      PUT(*w1, ALU_WORD1_OP2__OMOD, alu->omod);
   }
   PUT(*w1, ALU_WORD1_OP2__ALU_INST, alu->op);
   if (alu->op == CAYMAN_ALU_MOVA_INT)
      PUT(*w1, ALU_WORD1_OP2_MOVA__MOVA_DST, alu->mova_dst);
   else
      PUT(*w1, ALU_WORD1_OP2__DST_GPR, alu->dst_gpr);
   PUT(*w1, ALU_WORD1_OP2__DST_REL, alu->dst_rel);
   PUT(*w1, ALU_WORD1_OP2__DST_CHAN, alu->dst_chan);
   PUT(*w1, ALU_WORD1_OP2__CLAMP, alu->clamp);
   return bad;
}

int
cayman_encode_alu(enum cayman_vliw vliw, const struct cayman_alu *alu, uint32_t words[2])
{
   uint32_t w0 = 0, w1 = 0;
   bool bad = false;

   PUT(w0, ALU_WORD0__SRC0_SEL, alu->src[0].sel);
   PUT(w0, ALU_WORD0__SRC0_REL, alu->src[0].rel);
   PUT(w0, ALU_WORD0__SRC0_CHAN, alu->src[0].chan);
   PUT(w0, ALU_WORD0__SRC1_SEL, alu->src[1].sel);
   PUT(w0, ALU_WORD0__SRC1_REL, alu->src[1].rel);
   PUT(w0, ALU_WORD0__SRC1_CHAN, alu->src[1].chan);
   PUT(w0, ALU_WORD0__INDEX_MODE, alu->index_mode);
   PUT(w0, ALU_WORD0__PRED_SEL, alu->pred_sel);
   PUT(w0, ALU_WORD0__LAST, alu->last);
   PUT(w1, ALU_WORD1_OP2__BANK_SWIZZLE, alu->bank_swizzle);

   if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      PUT(w1, ALU_WORD1_OP3__ALU_INST, alu->op - CAYMAN_OP3_BASE);
      bad |= encode_lds_idx_op(alu, &w0, &w1);
   } else {
      PUT(w0, ALU_WORD0__SRC0_NEG, alu->src[0].neg);
      PUT(w0, ALU_WORD0__SRC1_NEG, alu->src[1].neg);
      if (alu->op >= CAYMAN_OP3_BASE) {
         PUT(w1, ALU_WORD1_OP3__ALU_INST, alu->op - CAYMAN_OP3_BASE);
         bad |= encode_op3(alu, &w1);
      } else {
         bad |= encode_op2(vliw, alu, &w1);
      }
   }
   if (cayman_old_words(vliw))
      bad |= !cayman_r600_write_alu(vliw, alu, &w1);
   words[0] = w0;
   words[1] = w1;
   if (!cayman_alu_info_of(vliw, alu->op)->name)
      return CAYMAN_ERR_OPCODE;
   return bad ? CAYMAN_ERR_FIELD : CAYMAN_OK;
}

int
cayman_encode_alu_group(enum cayman_vliw vliw, const struct cayman_alu_group *group,
                        uint32_t *words)
{
   const unsigned most = cayman_five_slots(vliw) ? 5 : 4;
   int status = CAYMAN_OK;
   unsigned n = 0, taken = 0;

   if (group->num_slots < 1 || group->num_slots > most || group->num_literals > 4 ||
       group->num_literals % 2)
      return CAYMAN_ERR_SLOTS;
   for (unsigned i = 0; i < group->num_slots; i++) {
      struct cayman_alu slot = group->slot[i];
      slot.last = i + 1 == group->num_slots;
      int err = cayman_encode_alu(vliw, &slot, words + n);
      if (err != CAYMAN_OK)
         status = err;
      /* Ascending, and t last; no bit says which slot is t. */
      if (slot.trans != cayman_alu_is_trans(vliw, &slot, taken) ||
          (slot.trans ? !slot.last : taken >> slot.dst_chan))
         status = CAYMAN_ERR_SLOTS;
      taken |= 1u << slot.dst_chan;
      n += 2;
   }
   for (unsigned i = 0; i < group->num_literals; i++)
      words[n++] = group->literal[i];
   return status == CAYMAN_OK ? (int)n : status;
}

static bool
encode_tex(enum cayman_vliw vliw, const struct cayman_tex *t, uint32_t w[4])
{
   bool bad = t->lod_bias < -64 || t->lod_bias > 63 || t->coord_type > 15;

   if (cayman_old_words(vliw))
      bad |= t->inst_mod || t->resource_index_mode || t->sampler_index_mode ||
             !cayman_r600_has_fetch(vliw, t->op);

   PUT(w[0], TEX_WORD0__TEX_INST, t->op);
   PUT(w[0], TEX_WORD0__INST_MOD, t->inst_mod);
   PUT(w[0], TEX_WORD0__FETCH_WHOLE_QUAD, t->fetch_whole_quad);
   PUT(w[0], TEX_WORD0__RESOURCE_ID, t->resource_id);
   PUT(w[0], TEX_WORD0__SRC_GPR, t->src_gpr);
   PUT(w[0], TEX_WORD0__SRC_REL, t->src_rel);
   PUT(w[0], TEX_WORD0__ALT_CONST, t->alt_const);
   PUT(w[0], TEX_WORD0__RESOURCE_INDEX_MODE, t->resource_index_mode);
   PUT(w[0], TEX_WORD0__SAMPLER_INDEX_MODE, t->sampler_index_mode);
   PUT(w[1], TEX_WORD1__DST_GPR, t->dst_gpr);
   PUT(w[1], TEX_WORD1__DST_REL, t->dst_rel);
   PUT(w[1], TEX_WORD1__DST_SEL_X, t->dst_sel[0]);
   PUT(w[1], TEX_WORD1__DST_SEL_Y, t->dst_sel[1]);
   PUT(w[1], TEX_WORD1__DST_SEL_Z, t->dst_sel[2]);
   PUT(w[1], TEX_WORD1__DST_SEL_W, t->dst_sel[3]);
   PUT(w[1], TEX_WORD1__LOD_BIAS, (uint8_t)t->lod_bias & 0x7f);
   PUT(w[1], TEX_WORD1__COORD_TYPE_X, t->coord_type & 1);
   PUT(w[1], TEX_WORD1__COORD_TYPE_Y, t->coord_type >> 1 & 1);
   PUT(w[1], TEX_WORD1__COORD_TYPE_Z, t->coord_type >> 2 & 1);
   PUT(w[1], TEX_WORD1__COORD_TYPE_W, t->coord_type >> 3 & 1);
   for (unsigned i = 0; i < 3; i++)
      bad |= t->offset[i] < -16 || t->offset[i] > 15;
   PUT(w[2], TEX_WORD2__OFFSET_X, (uint8_t)t->offset[0] & 0x1f);
   PUT(w[2], TEX_WORD2__OFFSET_Y, (uint8_t)t->offset[1] & 0x1f);
   PUT(w[2], TEX_WORD2__OFFSET_Z, (uint8_t)t->offset[2] & 0x1f);
   PUT(w[2], TEX_WORD2__SAMPLER_ID, t->sampler_id);
   PUT(w[2], TEX_WORD2__SRC_SEL_X, t->src_sel[0]);
   PUT(w[2], TEX_WORD2__SRC_SEL_Y, t->src_sel[1]);
   PUT(w[2], TEX_WORD2__SRC_SEL_Z, t->src_sel[2]);
   PUT(w[2], TEX_WORD2__SRC_SEL_W, t->src_sel[3]);
   return bad;
}

static bool
encode_vtx(enum cayman_vliw vliw, const struct cayman_vtx *v, uint32_t w[4])
{
   bool bad = false;

   PUT(w[0], VTX_WORD0__VC_INST, v->op);
   PUT(w[0], VTX_WORD0__FETCH_TYPE, v->fetch_type);
   PUT(w[0], VTX_WORD0__FETCH_WHOLE_QUAD, v->fetch_whole_quad);
   PUT(w[0], VTX_WORD0__BUFFER_ID, v->buffer_id);
   PUT(w[0], VTX_WORD0__SRC_GPR, v->src_gpr);
   PUT(w[0], VTX_WORD0__SRC_REL, v->src_rel);
   PUT(w[0], VTX_WORD0__SRC_SEL_X, v->src_sel_x);
   if (cayman_five_slots(vliw)) {
      bad |= v->src_sel_y || v->structured_read || v->lds_req || v->coalesced_read;
      PUT(w[0], VTX_WORD0__MEGA_FETCH_COUNT, v->mega_fetch_count);
      PUT(w[2], VTX_WORD2__MEGA_FETCH, v->mega_fetch);
   } else {
      bad |= v->mega_fetch || v->mega_fetch_count;
      PUT(w[0], VTX_WORD0__SRC_SEL_Y, v->src_sel_y);
      PUT(w[0], VTX_WORD0__STRUCTURED_READ, v->structured_read);
      PUT(w[0], VTX_WORD0__LDS_REQ, v->lds_req);
      PUT(w[0], VTX_WORD0__COALESCED_READ, v->coalesced_read);
   }
   if (v->op == CAYMAN_VTX_SEMANTIC) {
      PUT(w[1], VTX_WORD1_SEM__SEMANTIC_ID, v->semantic_id);
   } else {
      PUT(w[1], VTX_WORD1_GPR__DST_GPR, v->dst_gpr);
      PUT(w[1], VTX_WORD1_GPR__DST_REL, v->dst_rel);
   }
   PUT(w[1], VTX_WORD1_GPR__DST_SEL_X, v->dst_sel[0]);
   PUT(w[1], VTX_WORD1_GPR__DST_SEL_Y, v->dst_sel[1]);
   PUT(w[1], VTX_WORD1_GPR__DST_SEL_Z, v->dst_sel[2]);
   PUT(w[1], VTX_WORD1_GPR__DST_SEL_W, v->dst_sel[3]);
   PUT(w[1], VTX_WORD1_GPR__USE_CONST_FIELDS, v->use_const_fields);
   PUT(w[1], VTX_WORD1_GPR__DATA_FORMAT, v->data_format);
   PUT(w[1], VTX_WORD1_GPR__NUM_FORMAT_ALL, v->num_format_all);
   PUT(w[1], VTX_WORD1_GPR__FORMAT_COMP_ALL, v->format_comp_all);
   PUT(w[1], VTX_WORD1_GPR__SRF_MODE_ALL, v->srf_mode_all);
   PUT(w[2], VTX_WORD2__OFFSET, v->offset);
   PUT(w[2], VTX_WORD2__ENDIAN_SWAP, v->endian_swap);
   PUT(w[2], VTX_WORD2__CONST_BUF_NO_STRIDE, v->const_buf_no_stride);
   PUT(w[2], VTX_WORD2__ALT_CONST, v->alt_const);
   PUT(w[2], VTX_WORD2__BUFFER_INDEX_MODE, v->buffer_index_mode);
   return bad;
}

static bool
encode_mem(const struct cayman_mem *m, uint32_t w[4])
{
   bool bad = false;

   PUT(w[0], MEM_RD_WORD0__MEM_INST, CAYMAN_MEM_INST_MEM);
   PUT(w[0], MEM_RD_WORD0__MEM_OP, m->op);
   PUT(w[0], MEM_RD_WORD0__ELEM_SIZE, m->elem_size);
   PUT(w[0], MEM_RD_WORD0__FETCH_WHOLE_QUAD, m->fetch_whole_quad);
   PUT(w[0], MEM_RD_WORD0__UNCACHED, m->uncached);
   PUT(w[0], MEM_RD_WORD0__INDEXED, m->indexed);
   PUT(w[0], MEM_RD_WORD0__SRC_SEL_Y, m->src_sel_y);
   PUT(w[0], MEM_RD_WORD0__SRC_GPR, m->src_gpr);
   PUT(w[0], MEM_RD_WORD0__SRC_REL, m->src_rel);
   PUT(w[0], MEM_RD_WORD0__SRC_SEL_X, m->src_sel_x);
   PUT(w[0], MEM_RD_WORD0__BURST_CNT, m->burst_count);
   PUT(w[0], MEM_RD_WORD0__LDS_REQ, m->lds_req);
   PUT(w[0], MEM_RD_WORD0__COALESCED_READ, m->coalesced_read);
   PUT(w[1], MEM_RD_WORD1__DST_GPR, m->dst_gpr);
   PUT(w[1], MEM_RD_WORD1__DST_REL, m->dst_rel);
   PUT(w[1], MEM_RD_WORD1__DST_SEL_X, m->dst_sel[0]);
   PUT(w[1], MEM_RD_WORD1__DST_SEL_Y, m->dst_sel[1]);
   PUT(w[1], MEM_RD_WORD1__DST_SEL_Z, m->dst_sel[2]);
   PUT(w[1], MEM_RD_WORD1__DST_SEL_W, m->dst_sel[3]);
   PUT(w[1], MEM_RD_WORD1__DATA_FORMAT, m->data_format);
   PUT(w[1], MEM_RD_WORD1__NUM_FORMAT_ALL, m->num_format_all);
   PUT(w[1], MEM_RD_WORD1__FORMAT_COMP_ALL, m->format_comp_all);
   PUT(w[1], MEM_RD_WORD1__SRF_MODE_ALL, m->srf_mode_all);
   PUT(w[2], MEM_RD_WORD2__ARRAY_BASE, m->array_base);
   PUT(w[2], MEM_RD_WORD2__ENDIAN_SWAP, m->endian_swap);
   PUT(w[2], MEM_RD_WORD2__ARRAY_SIZE, m->array_size);
   return bad;
}

static bool
encode_gds(const struct cayman_gds *g, uint32_t w[4])
{
   bool bad = false;

   PUT(w[0], MEM_GDS_WORD0__MEM_INST, CAYMAN_MEM_INST_MEM);
   PUT(w[0], MEM_GDS_WORD0__MEM_OP, g->op);
   PUT(w[0], MEM_GDS_WORD0__SRC_GPR, g->src_gpr);
   PUT(w[0], MEM_GDS_WORD0__SRC_REL_MODE, g->src_rel_mode);
   PUT(w[0], MEM_GDS_WORD0__SRC_SEL_X, g->src_sel[0]);
   PUT(w[0], MEM_GDS_WORD0__SRC_SEL_Y, g->src_sel[1]);
   PUT(w[0], MEM_GDS_WORD0__SRC_SEL_Z, g->src_sel[2]);
   PUT(w[1], MEM_GDS_WORD1__DST_GPR, g->dst_gpr);
   PUT(w[1], MEM_GDS_WORD1__DST_REL_MODE, g->dst_rel_mode);
   PUT(w[1], MEM_GDS_WORD1__GDS_OP, g->gds_op);
   PUT(w[1], MEM_GDS_WORD1__SRC_GPR, g->src_gpr2);
   PUT(w[1], MEM_GDS_WORD1__UAV_INDEX_MODE, g->uav_index_mode);
   PUT(w[1], MEM_GDS_WORD1__UAV_ID, g->uav_id);
   PUT(w[1], MEM_GDS_WORD1__ALLOC_CONSUME, g->alloc_consume);
   PUT(w[1], MEM_GDS_WORD1__BCAST_FIRST_REQ, g->bcast_first_req);
   PUT(w[2], MEM_GDS_WORD2__DST_SEL_X, g->dst_sel[0]);
   PUT(w[2], MEM_GDS_WORD2__DST_SEL_Y, g->dst_sel[1]);
   PUT(w[2], MEM_GDS_WORD2__DST_SEL_Z, g->dst_sel[2]);
   PUT(w[2], MEM_GDS_WORD2__DST_SEL_W, g->dst_sel[3]);
   return bad;
}

int
cayman_encode_fetch(enum cayman_vliw vliw, const struct cayman_fetch *fetch, uint32_t words[4])
{
   bool bad;

   words[0] = words[1] = words[2] = words[3] = 0;
   switch (fetch->kind) {
   case CAYMAN_FETCH_TEX:
      bad = encode_tex(vliw, &fetch->tex, words);
      break;
   case CAYMAN_FETCH_VTX:
      bad = encode_vtx(vliw, &fetch->vtx, words);
      bad |= cayman_old_words(vliw) &&
             (fetch->vtx.buffer_index_mode || !cayman_r600_has_fetch(vliw, fetch->vtx.op));
      break;
   case CAYMAN_FETCH_MEM:
      bad = encode_mem(&fetch->mem, words) || vliw == CAYMAN_R600;
      break;
   case CAYMAN_FETCH_GDS:
      bad = encode_gds(&fetch->gds, words) || cayman_old_words(vliw);
      break;
   default:
      return CAYMAN_ERR_OPCODE;
   }
   return bad ? CAYMAN_ERR_FIELD : CAYMAN_OK;
}
