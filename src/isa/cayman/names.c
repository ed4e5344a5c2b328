/* SPDX-License-Identifier: MIT */
/*
 * Words of the listing that are not opcode names of the guide, for the printer and the parser, and
 * which fields of an instruction the listing has words for.
 */
#include "listing.h"

/* Rows of opcodes.def that one chip or none has: name, the chips that have it, reason. */
#define CAYMAN_STALE(name_, form_, text_) STALE_##form_(name_, text_)
#define STALE_OP2(name_, text_)           { #name_, text_, 0 },
#define STALE_OP3(name_, text_)           { #name_, text_, 0 },
#define STALE_CF(name_, text_)
#define STALE_GDS(name_, text_)
#define CAYMAN_OP2(name_, op_, r600_, srcs_, slots_, five_, r700_, six_, dst_, src_, flags_, \
                   text_)                                                                    \
   ALU_##slots_(name_, VLIW5, "older parts", text_) ALU_##five_(name_, VLIW4, "Cayman", text_)
#define CAYMAN_OP3                            CAYMAN_OP2
#define ALU_NONE(name_, chips_, part_, text_) { #name_, part_ ": " text_, CAYMAN_CHIPS_##chips_ },
#define ALU_ANY(...)
#define ALU_VECTOR(...)
#define ALU_T(...)
#define ALU_PAIR(...)
#define ALU_PAIR_XY(...)
#define ALU_PAIR_ZW(...)
#define ALU_QUAD(...)
#define ALU_XYZ(...)
#define ALU_NEXT(...)
#define ALU_INTERLEAVE(...)
#define ALU_X(...)
#define ALU_W(...)
const struct cayman_foreign cayman_foreign_alu[] = {
#include "opcodes.def"
#undef STALE_OP2
#undef STALE_OP3
#undef STALE_CF
};
const unsigned cayman_num_foreign_alu = sizeof(cayman_foreign_alu) / sizeof(*cayman_foreign_alu);

#define CAYMAN_STALE(name_, form_, text_) STALE_##form_(name_, text_)
#define STALE_OP2(name_, text_)
#define STALE_OP3(name_, text_)
#define STALE_CF(name_, text_) { #name_, text_, 0 },
#define CAYMAN_CF(name_, op_, r600_, form_, chips_, stages_, listed_, operand_, flow_, text_) \
   CF_##chips_(listed_, text_)
#define CF_BOTH(...)
#define CF_OLD(name_, text_)   { name_, "older parts: " text_, CAYMAN_CHIPS_OLD },
#define CF_VLIW4(name_, text_) { name_, "Cayman: " text_, CAYMAN_CHIPS_VLIW4 },
#define CF_VLIW5(name_, text_) { name_, "older parts: " text_, CAYMAN_CHIPS_VLIW5 },
const struct cayman_foreign cayman_foreign_cf[] = {
#include "opcodes.def"
   /* Named by the assembly language alone. */
   { "REP", "R600: a counted loop without aL, Cayman's LOOP_NO_AL", 0 },
   { "ENDREP", "R600: Cayman's ENDLOOP", 0 },
   { "MEM_REDUCTION", "R600: reduction buffers", 0 },
   { "MEM_GLOBAL", "R700: the global buffer", 0 },
   { "MEM_STREAM0", "older parts: Cayman names stream and buffer", 0 },
   { "MEM_STREAM1", "older parts: Cayman names stream and buffer", 0 },
   { "MEM_STREAM2", "older parts: Cayman names stream and buffer", 0 },
   { "MEM_STREAM3", "older parts: Cayman names stream and buffer", 0 },
};
const unsigned cayman_num_foreign_cf = sizeof(cayman_foreign_cf) / sizeof(*cayman_foreign_cf);

const struct cayman_foreign cayman_foreign_tex[] = {
   { "PASS", "R700: coordinates as they are", 0 },
   { "SET_CUBE_INDEX", "R700: the face of a cube", 0 },
   { "SAMPLE_G_L", "R700: gradients beside a level, which decides alone", 0 },
   { "SAMPLE_G_LZ", "R700: gradients beside a level, which decides alone", 0 },
   { "SAMPLE_C_G_L", "R700: gradients beside a level, which decides alone", 0 },
   { "SAMPLE_C_G_LZ", "R700: gradients beside a level, which decides alone", 0 },
};
const unsigned cayman_num_foreign_tex = sizeof(cayman_foreign_tex) / sizeof(*cayman_foreign_tex);

const char *const cayman_index_name[12] = { "A0.x",  "X1", "X2", "X3",   "AL",   "Ga",
                                            "Ga0.x", "X7", "X8", "A0.y", "A0.z", "A0.w" };
const char *const cayman_mova_name[8] = { "A0.x",    "CF_PC",    "CF_IDX0",   "CF_IDX1",
                                          "CG[7:0]", "CG[15:8]", "CG[23:16]", "CG[31:24]" };
const char *const cayman_execute_name[4] = { "UPDATE_EXEC_MASK", "UPDATE_EXEC_MASK_BREAK",
                                             "UPDATE_EXEC_MASK_CONTINUE", "UPDATE_EXEC_MASK_KILL" };
const char *const cayman_bank_name[10] = { "VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201",
                                           "VEC_210", "SCL_210", "SCL_122", "SCL_212", "SCL_221" };
const char *const cayman_cond_name[4] = { "ACTIVE", "FALSE", "BOOL", "NOT_BOOL" };
const char *const cayman_gws_name[4] = { "SEMA_V", "SEMA_P", "BARRIER", "INIT" };
const char *const cayman_mem_type_name[4] = { "_WRITE", "_WRITE_IND", "_WRITE_ACK",
                                              "_WRITE_IND_ACK" };

const char *
cayman_source_name(unsigned sel)
{
   switch (sel) {
   case CAYMAN_SRC_LDS_BASE_ADDR:
      return "LDS_BASE_ADDR";
   case CAYMAN_SRC_LDS_SIZE:
      return "LDS_SIZE";
   case CAYMAN_SRC_LDS_OQ_A:
      return "QA";
   case CAYMAN_SRC_LDS_OQ_B:
      return "QB";
   case CAYMAN_SRC_LDS_OQ_A_POP:
      return "QA.pop";
   case CAYMAN_SRC_LDS_OQ_B_POP:
      return "QB.pop";
   case CAYMAN_SRC_LDS_DIRECT_A:
      return "LDS_DIRECT_A";
   case CAYMAN_SRC_LDS_DIRECT_B:
      return "LDS_DIRECT_B";
   case CAYMAN_SRC_CLAUSE_GLOBAL:
      return "CLAUSE_GLOBAL";
   case CAYMAN_SRC_TIME_HI:
      return "TIME_HI";
   case CAYMAN_SRC_TIME_LO:
      return "TIME_LO";
   case CAYMAN_SRC_MASK_HI:
      return "MASK_HI";
   case CAYMAN_SRC_MASK_LO:
      return "MASK_LO";
   case CAYMAN_SRC_HW_WAVE_ID:
      return "HW_WAVE_ID";
   case CAYMAN_SRC_SIMD_ID:
      return "SIMD_ID";
   case CAYMAN_SRC_SE_ID:
      return "SE_ID";
   case CAYMAN_SRC_HW_THREADGRP_ID:
      return "HW_THREADGRP_ID";
   case CAYMAN_SRC_WAVE_ID_IN_GRP:
      return "WAVE_ID_IN_GRP";
   case CAYMAN_SRC_NUM_THREADGRP_WAVES:
      return "NUM_THREADGRP_WAVES";
   case CAYMAN_SRC_HW_ALU_ODD:
      return "HW_ALU_ODD";
   case CAYMAN_SRC_LOOP_IDX:
      return "AL";
   case CAYMAN_SRC_PARAM_BASE_ADDR:
      return "PARAM_BASE_ADDR";
   case CAYMAN_SRC_NEW_PRIM_MASK:
      return "NEW_PRIM_MASK";
   case CAYMAN_SRC_PRIM_MASK_HI:
      return "PRIM_MASK_HI";
   case CAYMAN_SRC_PRIM_MASK_LO:
      return "PRIM_MASK_LO";
   case CAYMAN_SRC_1_DBL_L:
      return "1.0d.lo";
   case CAYMAN_SRC_1_DBL_M:
      return "1.0d.hi";
   case CAYMAN_SRC_0_5_DBL_L:
      return "0.5d.lo";
   case CAYMAN_SRC_0_5_DBL_M:
      return "0.5d.hi";
   case CAYMAN_SRC_0:
      return "0.0f";
   case CAYMAN_SRC_1:
      return "1.0f";
   case CAYMAN_SRC_1_INT:
      return "1";
   case CAYMAN_SRC_M_1_INT:
      return "-1";
   case CAYMAN_SRC_0_5:
      return "0.5f";
   default:
      return NULL;
   }
}

const char *
cayman_alu_listing_name(enum cayman_vliw vliw, unsigned op)
{
   if (op >= CAYMAN_FOREIGN_OP) {
      return op - CAYMAN_FOREIGN_OP < cayman_num_foreign_alu
                ? cayman_foreign_alu[op - CAYMAN_FOREIGN_OP].name
                : NULL;
   }
   return cayman_alu_info_of(vliw, op)->name;
}

const char *
cayman_cf_listing_name(unsigned op)
{
   if (op >= CAYMAN_FOREIGN_OP) {
      return op - CAYMAN_FOREIGN_OP < cayman_num_foreign_cf
                ? cayman_foreign_cf[op - CAYMAN_FOREIGN_OP].name
                : NULL;
   }
   return cayman_cf_info(op)->listed;
}

unsigned
cayman_listed_sources(enum cayman_vliw vliw, const struct cayman_alu *alu)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(vliw, alu->op);

   if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      const struct cayman_op_info *lds = cayman_lds_info(alu->lds_op);
      return lds->name ? lds->num_src : 3;
   }
   if (info->name)
      return info->num_src;
   return alu->op >= CAYMAN_OP3_BASE ? 3 : 2;
}

void
cayman_normalise_alu(enum cayman_vliw vliw, struct cayman_alu *alu)
{
   unsigned num_src = cayman_listed_sources(vliw, alu), set, index;
   bool indexed = alu->dst_rel && alu->write_mask && alu->op != CAYMAN_ALU_MOVA_INT &&
                  alu->op != CAYMAN_ALU_LDS_IDX_OP;

   for (unsigned i = 0; i < 3; i++) {
      struct cayman_alu_src *src = &alu->src[i];
      if (i >= num_src) {
         memset(src, 0, sizeof(*src));
         continue;
      }
      if (!cayman_src_is_gpr(src->sel) && !cayman_src_is_kcache(src->sel, &set, &index))
         src->rel = false;
      if (src->sel == CAYMAN_SRC_1_INT)
         src->neg = false; /* -1 is another select */
      indexed |= src->rel;
   }
   if (!indexed) {
      alu->dst_rel = false;
      alu->index_mode = 0;
   }
   if (!alu->write_mask)
      alu->dst_rel = false;
   if (alu->op == CAYMAN_ALU_MOVA_INT) {
      alu->write_mask = alu->dst_rel = false;
      alu->dst_gpr = 0;
      alu->mova_dst &= 7;
   }
   if (alu->bank_swizzle >=
       (unsigned)(alu->trans ? CAYMAN_SCALAR_SWIZZLE_COUNT : CAYMAN_BANK_SWIZZLE_COUNT))
      alu->bank_swizzle = 0;
   if (alu->pred_sel == 1)
      alu->pred_sel = 0;
}

static void
normalise_kcache(struct cayman_kcache *k)
{
   if (k->mode == CAYMAN_KCACHE_NOP)
      memset(k, 0, sizeof(*k));
}

void
cayman_normalise_cf(struct cayman_cf *cf)
{
   switch (cf->form) {
   case CAYMAN_CF_FORM_ALU:
      for (unsigned i = 0; i < 4; i++)
         normalise_kcache(&cf->kcache[i]);
      break;
   case CAYMAN_CF_FORM_EXPORT:
      cf->index_gpr = 0;
      if (cf->type == CAYMAN_EXPORT_POS && cf->array_base < 60)
         cf->array_base = 60;
      cf->type = cf->type > CAYMAN_EXPORT_PARAM ? 0 : cf->type;
      break;
   case CAYMAN_CF_FORM_MEM:
      if (!(cf->type & 1))
         cf->index_gpr = 0;
      break;
   default:
      break;
   }
}

void
cayman_normalise_fetch(struct cayman_fetch *fetch)
{
   switch (fetch->kind) {
   case CAYMAN_FETCH_VTX: {
      struct cayman_vtx *v = &fetch->vtx;
      if (!v->mega_fetch)
         v->mega_fetch_count = 0;
      if (v->use_const_fields) {
         v->data_format = v->num_format_all = 0;
         v->format_comp_all = v->srf_mode_all = false;
      }
      break;
   }
   case CAYMAN_FETCH_MEM: {
      struct cayman_mem *m = &fetch->mem;
      if (!m->indexed) {
         m->src_gpr = m->src_sel_x = 0;
         m->src_rel = false;
      }
      break;
   }
   case CAYMAN_FETCH_GDS: {
      struct cayman_gds *g = &fetch->gds;
      g->src_rel_mode &= 1;
      g->dst_rel_mode &= 1;
      if (!g->alloc_consume)
         g->uav_id = 0;
      if (g->op == CAYMAN_MEM_TF_WRITE) {
         g->gds_op = 0;
         g->dst_gpr = g->dst_rel_mode = 0;
         memset(g->dst_sel, 0, sizeof(g->dst_sel));
      }
      break;
   }
   default:
      break;
   }
}

static bool
same_words(const uint32_t *a, const uint32_t *b, unsigned count)
{
   return memcmp(a, b, count * sizeof(*a)) == 0;
}

void
cayman_item_from_slot(struct cayman_item *item, const uint32_t words[2],
                      const struct cayman_alu *alu, const uint32_t literal[4])
{
   const enum cayman_vliw vliw = item->vliw;
   struct cayman_alu normal = *alu;
   uint32_t again[2];

   cayman_normalise_alu(vliw, &normal);
   item->kind = CAYMAN_ITEM_SLOT;
   item->slot.alu = normal;
   item->slot.num_src = cayman_listed_sources(vliw, &normal);
   for (unsigned i = 0; i < item->slot.num_src; i++) {
      item->slot.literal[i] = literal[normal.src[i].chan & 3];
      item->slot.previous[i] = -1;
   }
   if (normal.trans && !normal.write_mask)
      normal.dst_chan = 0; /* the text has no channel then */
   cayman_encode_alu(vliw, &normal, again);
   if (!same_words(again, words, 2)) {
      item->num_bits = 2;
      memcpy(item->bits, words, 2 * sizeof(*words));
   }
}

void
cayman_item_from_fetch(struct cayman_item *item, const uint32_t words[4])
{
   uint32_t again[4];

   item->kind = CAYMAN_ITEM_FETCH;
   item->undefined = cayman_decode_fetch(item->vliw, words, &item->fetch) != CAYMAN_OK;
   if (!item->undefined) {
      cayman_normalise_fetch(&item->fetch);
      cayman_encode_fetch(item->vliw, &item->fetch, again);
   }
   if (item->undefined || !same_words(again, words, 4)) {
      item->num_bits = 4;
      memcpy(item->bits, words, 4 * sizeof(*words));
   }
}

unsigned
cayman_encode_item_cf(enum cayman_vliw vliw, const struct cayman_cf *cf, uint32_t words[4])
{
   unsigned count = 0;

   if (cf->extended) {
      cayman_encode_extended(cf, words);
      count = 2;
   }
   cayman_encode_cf_of(vliw, cf, words + count);
   return count + 2;
}

void
cayman_item_from_cf(struct cayman_item *item, const uint32_t *words, unsigned count,
                    const struct cayman_cf *cf)
{
   uint32_t again[4];

   item->kind = CAYMAN_ITEM_CF;
   item->cf = *cf;
   item->has_addr = item->has_count = true;
   item->undefined = cf->form == CAYMAN_CF_FORM_NONE || cf->form == CAYMAN_CF_FORM_ALU_EXT;
   if (cf->op == CAYMAN_CF_END) {
      item->kind = CAYMAN_ITEM_END;
      item->cf = (struct cayman_cf){ .op = CAYMAN_CF_END,
                                     .form = CAYMAN_CF_FORM_BRANCH,
                                     .barrier = cf->barrier };
   }
   if (!item->undefined) {
      cayman_normalise_cf(&item->cf);
      cayman_encode_item_cf(item->vliw, &item->cf, again);
   }
   if (item->undefined || !same_words(again, words, count)) {
      item->num_bits = count;
      memcpy(item->bits, words, count * sizeof(*words));
   }
}
