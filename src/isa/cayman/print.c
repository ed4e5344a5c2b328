/* SPDX-License-Identifier: MIT */
/*
 * Listing of a program in AMD's format (R600-family assembly language guide): the CF program with
 * each clause's instructions under the CF instruction that runs them, ALU groups and fetches
 * counted through the whole program.
 *
 * Clause temporaries R124-R127 are T3-T0; kcache operands name the set and the constant's index in
 * the set's window.
 */
#include "cayman.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char chan_name[4] = { 'x', 'y', 'z', 'w' };
static const char sel_name[8] = { 'x', 'y', 'z', 'w', '0', '1', '?', '_' };

static void
print_gpr(FILE *f, unsigned gpr, bool rel, unsigned index_mode)
{
   if (gpr >= 124) {
      fprintf(f, "T%u", 127 - gpr);
   } else {
      fprintf(f, "R%u", gpr);
   }
   if (rel) {
      switch (index_mode) {
      case CAYMAN_INDEX_AR_X:
         fprintf(f, "[A0.x]");
         break;
      case CAYMAN_INDEX_LOOP:
         fprintf(f, "[AL]");
         break;
      case CAYMAN_INDEX_GLOBAL_AR_X:
         fprintf(f, "[Ga0.x]");
         break;
      default:
         fprintf(f, "[?%u]", index_mode);
         break;
      }
   }
}

static void
print_float(FILE *f, uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   if ((bits & 0x7fffffff) > 0x7f800000) {
      fprintf(f, "%s1.#QNANf", bits >> 31 ? "-" : "");
   } else if ((bits & 0x7fffffff) == 0x7f800000) {
      fprintf(f, "%s1.#INFf", bits >> 31 ? "-" : "");
   } else {
      fprintf(f, "%.10gf", (double)value);
   }
}

static const char *
special_source(unsigned sel)
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

static void
print_alu_src(FILE *f, const struct cayman_alu *alu, unsigned n, const uint32_t literal[4],
              int last_group)
{
   const struct cayman_alu_src *src = &alu->src[n];
   const char *special = special_source(src->sel);
   unsigned set, index;

   if (src->neg) {
      fputc('-', f);
   }
   if (src->abs) {
      fputc('|', f);
   }
   if (cayman_src_is_gpr(src->sel)) {
      print_gpr(f, src->sel, src->rel, alu->index_mode);
      fprintf(f, ".%c", chan_name[src->chan & 3]);
   } else if (cayman_src_is_kcache(src->sel, &set, &index)) {
      fprintf(f, "KC%u[%s%u].%c", set, src->rel ? "AL+" : "", index, chan_name[src->chan & 3]);
   } else if (src->sel == CAYMAN_SRC_LITERAL) {
      fprintf(f, "(0x%08" PRIX32 ", ", literal[src->chan & 3]);
      print_float(f, literal[src->chan & 3]);
      fprintf(f, ").%c", chan_name[src->chan & 3]);
   } else if (src->sel == CAYMAN_SRC_PV) {
      fprintf(f, "PV");
      if (last_group >= 0) {
         fprintf(f, "%d", last_group);
      }
      fprintf(f, ".%c", chan_name[src->chan & 3]);
   } else if (src->sel >= CAYMAN_SRC_PARAM && src->sel <= CAYMAN_SRC_PARAM_LAST) {
      fprintf(f, "Param%u.%c", src->sel - CAYMAN_SRC_PARAM, chan_name[src->chan & 3]);
   } else if (special) {
      fputs(special, f);
   } else {
      fprintf(f, "SRC%u.%c", src->sel, chan_name[src->chan & 3]);
   }
   if (src->abs) {
      fputc('|', f);
   }
}

static void
print_mova_dst(FILE *f, unsigned dst)
{
   static const char *const names[8] = { "A0.x",    "CF_PC",    "CF_IDX0",   "CF_IDX1",
                                         "CG[7:0]", "CG[15:8]", "CG[23:16]", "CG[31:24]" };
   if (dst < 8) {
      fputs(names[dst], f);
   } else {
      fprintf(f, "MOVA_DST(%u)", dst);
   }
}

static void
print_slot(FILE *f, const struct cayman_alu *alu, const uint32_t literal[4], int last_group)
{
   const struct cayman_alu_info *info = cayman_alu_info(alu->op);
   static const char *const omod[4] = { "", "*2", "*4", "/2" };
   static const char *const execute_mask[4] = { "", "_BREAK", "_CONTINUE", "_KILL" };
   static const char *const bank[8] = { "",        "VEC_021", "VEC_120", "VEC_102",
                                        "VEC_201", "VEC_210", "VEC_?6",  "VEC_?7" };
   char name[48];

   if (!info->name) {
      snprintf(name, sizeof(name), "%s_%u", alu->op >= CAYMAN_OP3_BASE ? "OP3" : "OP2",
               alu->op & 0xff);
   } else if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      const char *lds = cayman_lds_info(alu->lds_op)->name;
      if (lds) {
         snprintf(name, sizeof(name), "%s", lds);
      } else {
         snprintf(name, sizeof(name), "LDS_OP_%u", alu->lds_op);
      }
   } else {
      snprintf(name, sizeof(name), "%s%s", info->name, omod[alu->omod & 3]);
   }
   fprintf(f, "%c: %-11s ", chan_name[alu->dst_chan & 3], name);

   if (alu->op == CAYMAN_ALU_MOVA_INT) {
      print_mova_dst(f, alu->mova_dst);
   } else if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      fprintf(f, "OFFSET(%u)", alu->lds_offset);
   } else if (!alu->write_mask) {
      fputs("____", f);
   } else {
      print_gpr(f, alu->dst_gpr, alu->dst_rel, alu->index_mode);
      fprintf(f, ".%c", chan_name[alu->dst_chan & 3]);
   }
   unsigned num_src = info->name ? info->num_src : alu->op >= CAYMAN_OP3_BASE ? 3 : 2;
   for (unsigned i = 0; i < num_src; i++) {
      fputs(",  ", f);
      print_alu_src(f, alu, i, literal, last_group);
   }
   if (alu->clamp) {
      fputs("  CLAMP", f);
   }
   if (alu->pred_sel == CAYMAN_PRED_SEL_ZERO) {
      fputs("  PRED_SEL(0)", f);
   } else if (alu->pred_sel == CAYMAN_PRED_SEL_ONE) {
      fputs("  PRED_SEL(1)", f);
   } else if (alu->pred_sel) {
      fputs("  PRED_SEL(?)", f);
   }
   if (alu->update_exec_mask) {
      fprintf(f, "  UPDATE_EXEC_MASK%s", execute_mask[alu->execute_mask_op & 3]);
   }
   if (alu->update_pred) {
      fputs("  UPDATE_PRED", f);
   }
   if (alu->bank_swizzle) {
      fprintf(f, "  %s", bank[alu->bank_swizzle & 7]);
   }
}

void
cayman_print_alu_slot(FILE *f, const struct cayman_alu *alu, const uint32_t literal[4])
{
   print_slot(f, alu, literal, -1);
}

static void
print_dst(FILE *f, unsigned gpr, bool rel, const uint8_t sel[4])
{
   print_gpr(f, gpr, rel, CAYMAN_INDEX_LOOP);
   if (sel[0] == 0 && sel[1] == 1 && sel[2] == 2 && sel[3] == 3) {
      return;
   }
   fprintf(f, ".%c%c%c%c", sel_name[sel[0] & 7], sel_name[sel[1] & 7], sel_name[sel[2] & 7],
           sel_name[sel[3] & 7]);
}

static void
print_fixed(FILE *f, const char *name, int value, unsigned fraction_bits)
{
   if (value) {
      fprintf(f, " %s(%g)", name, (double)value / (1 << fraction_bits));
   }
}

static void
print_tex(FILE *f, const struct cayman_tex *t)
{
   static const char *const mod[32] = {
      [CAYMAN_TEX_LD] = "LDFPTR",
      [CAYMAN_TEX_GET_GRADIENTS_H] = "FINE",
      [CAYMAN_TEX_GET_GRADIENTS_V] = "FINE",
   };

   fprintf(f, "%s ", cayman_tex_info(t->op)->name);
   print_dst(f, t->dst_gpr, t->dst_rel, t->dst_sel);
   fputs(", ", f);
   print_dst(f, t->src_gpr, t->src_rel, t->src_sel);
   fprintf(f, ", t%u, s%u", t->resource_id, t->sampler_id);
   if (t->resource_index_mode) {
      fprintf(f, " RIM(IDX%d)", t->resource_index_mode - 1);
   }
   if (t->sampler_index_mode) {
      fprintf(f, " SIM(IDX%d)", t->sampler_index_mode - 1);
   }
   if (t->op == CAYMAN_TEX_GATHER4 || t->op == CAYMAN_TEX_GATHER4_C ||
       t->op == CAYMAN_TEX_GATHER4_O || t->op == CAYMAN_TEX_GATHER4_C_O) {
      fprintf(f, " COMP(%c)", "XYZW"[t->inst_mod & 3]);
   } else if (t->inst_mod) {
      fprintf(f, " %s", t->inst_mod == 1 && mod[t->op & 31] ? mod[t->op & 31] : "INST_MOD(?)");
   }
   for (unsigned pass = 0; pass < 2; pass++) {
      unsigned bits = pass ? t->coord_type : ~t->coord_type & 15;
      if (bits) {
         fprintf(f, " %s(%s%s%s%s)", pass ? "NORM" : "UNNORM", bits & 1 ? "X" : "",
                 bits & 2 ? "Y" : "", bits & 4 ? "Z" : "", bits & 8 ? "W" : "");
      }
   }
   print_fixed(f, "XOFFSET", t->offset[0], 1);
   print_fixed(f, "YOFFSET", t->offset[1], 1);
   print_fixed(f, "ZOFFSET", t->offset[2], 1);
   print_fixed(f, "LOD", t->lod_bias, 4);
   if (t->fetch_whole_quad) {
      fputs(" WHOLE_QUAD", f);
   }
   if (t->alt_const) {
      fputs(" ALT_CONST", f);
   }
}

static void
print_format(FILE *f, unsigned format, unsigned num_format, bool is_signed, bool srf,
             unsigned endian)
{
   fprintf(f, " FORMAT(0x%X)", format);
   if (num_format == CAYMAN_NUM_FORMAT_INT) {
      fputs(" NUM_FORMAT_ALL(INT)", f);
   } else if (num_format == CAYMAN_NUM_FORMAT_SCALED) {
      fputs(" NUM_FORMAT_ALL(SCALED)", f);
   } else if (num_format) {
      fputs(" NUM_FORMAT_ALL(?)", f);
   }
   if (is_signed) {
      fputs(" FORMAT_COMP_ALL(SIGNED)", f);
   }
   if (srf) {
      fputs(" OGL", f);
   }
   if (endian) {
      fprintf(f, " ENDIAN(%s)", endian == 1 ? "8IN16" : endian == 2 ? "8IN32" : "?");
   }
}

static void
print_vtx(FILE *f, const struct cayman_vtx *v)
{
   if (v->op == CAYMAN_VTX_SEMANTIC) {
      fprintf(f, "VSEMANTIC SemId%u", v->semantic_id);
      fprintf(f, ".%c%c%c%c", sel_name[v->dst_sel[0] & 7], sel_name[v->dst_sel[1] & 7],
              sel_name[v->dst_sel[2] & 7], sel_name[v->dst_sel[3] & 7]);
   } else {
      fputs(v->op == CAYMAN_VTX_FETCH ? "VFETCH " : "RESINFO_BUFFER ", f);
      print_dst(f, v->dst_gpr, v->dst_rel, v->dst_sel);
   }
   fputs(", ", f);
   print_gpr(f, v->src_gpr, v->src_rel, CAYMAN_INDEX_LOOP);
   fprintf(f, ".%c, f%u", chan_name[v->src_sel_x & 3], v->buffer_id);
   if (v->buffer_index_mode) {
      fprintf(f, " BIM(IDX%d)", v->buffer_index_mode - 1);
   }
   if (v->offset) {
      fprintf(f, " OFFSET(0x%X)", v->offset);
   }
   if (!v->use_const_fields) {
      print_format(f, v->data_format, v->num_format_all, v->format_comp_all, v->srf_mode_all,
                   v->endian_swap);
   }
   if (v->fetch_type == CAYMAN_FETCH_INSTANCE_DATA) {
      fputs(" FETCHTYPE(INSTANCE_DATA)", f);
   } else if (v->fetch_type == CAYMAN_FETCH_NO_INDEX_OFFSET) {
      fputs(" FETCHTYPE(NO_INDEX_OFFSET)", f);
   }
   if (v->fetch_whole_quad) {
      fputs(" WHOLE_QUAD", f);
   }
   if (v->alt_const) {
      fputs(" ALT_CONST", f);
   }
}

static void
print_mem(FILE *f, const struct cayman_mem *m)
{
   fprintf(f, "MEM_%s_READ%s ", m->op == CAYMAN_MEM_RD_SCRATCH ? "SCRATCH" : "SCATTER",
           m->indexed ? "_IND" : "");
   print_dst(f, m->dst_gpr, m->dst_rel, m->dst_sel);
   fprintf(f, ", VEC_PTR[%u", m->array_base);
   if (m->indexed) {
      fputs("+", f);
      print_gpr(f, m->src_gpr, m->src_rel, CAYMAN_INDEX_LOOP);
      fprintf(f, ".%c", chan_name[m->src_sel_x & 3]);
   }
   fprintf(f, "], ARRAY_SIZE(%u) ELEM_SIZE(%u)", m->array_size, m->elem_size);
   if (m->burst_count) {
      fprintf(f, " BURSTCNT(%u)", m->burst_count);
   }
   print_format(f, m->data_format, m->num_format_all, m->format_comp_all, m->srf_mode_all,
                m->endian_swap);
   if (m->uncached) {
      fputs(" UNCACHED", f);
   }
}

static void
print_gds(FILE *f, const struct cayman_gds *g)
{
   if (g->op == CAYMAN_MEM_TF_WRITE) {
      fputs("TF_WRITE ", f);
   } else {
      const char *name = cayman_gds_info(g->gds_op)->name;
      fprintf(f, "GDS_%s ", name ? name : "?");
      print_dst(f, g->dst_gpr, g->dst_rel_mode == 1, g->dst_sel);
      fputs(", ", f);
   }
   print_gpr(f, g->src_gpr, g->src_rel_mode == 1, CAYMAN_INDEX_LOOP);
   fprintf(f, ".%c%c%c", sel_name[g->src_sel[0] & 7], sel_name[g->src_sel[1] & 7],
           sel_name[g->src_sel[2] & 7]);
   if (g->alloc_consume) {
      fprintf(f, " ALLOC_CONSUME UAV(%u)", g->uav_id);
   }
   if (g->bcast_first_req) {
      fputs(" BCAST_FIRST_REQ", f);
   }
}

void
cayman_print_fetch(FILE *f, const struct cayman_fetch *fetch)
{
   switch (fetch->kind) {
   case CAYMAN_FETCH_TEX:
      print_tex(f, &fetch->tex);
      break;
   case CAYMAN_FETCH_VTX:
      print_vtx(f, &fetch->vtx);
      break;
   case CAYMAN_FETCH_MEM:
      print_mem(f, &fetch->mem);
      break;
   case CAYMAN_FETCH_GDS:
      print_gds(f, &fetch->gds);
      break;
   default:
      fputs("undefined fetch", f);
      break;
   }
}

static void
print_kcache(FILE *f, const struct cayman_cf *cf)
{
   for (unsigned i = 0; i < 4; i++) {
      const struct cayman_kcache *k = &cf->kcache[i];
      if (k->mode == CAYMAN_KCACHE_NOP) {
         continue;
      }
      unsigned first = k->addr * 16u, lines = k->mode == CAYMAN_KCACHE_LOCK_1 ? 1 : 2;
      fprintf(f, " KCACHE%u(CB%u:%s%u-%u)", i, k->bank,
              k->mode == CAYMAN_KCACHE_LOCK_LOOP_INDEX ? "AL+" : "", first, first + 16 * lines - 1);
      if (k->index_mode) {
         fprintf(f, " KCACHE%u_IDX%d", i, k->index_mode - 1);
      }
   }
}

static void
print_export(FILE *f, const struct cayman_cf *cf)
{
   static const char *const target[4] = { "PIX", "POS", "PARAM", "TYPE3_" };
   unsigned base = cf->array_base;

   if (cf->type == CAYMAN_EXPORT_POS && base >= 60) {
      base -= 60;
   }
   fprintf(f, "%s: ", cf->op == CAYMAN_CF_EXPORT_DONE ? "EXP_DONE" : "EXP");
   if (cf->type == CAYMAN_EXPORT_PIXEL && base == 61) {
      fputs("PIXZ", f);
   } else {
      fprintf(f, "%s%u", target[cf->type & 3], base);
   }
   fputs(", ", f);
   print_dst(f, cf->rw_gpr, cf->rw_rel, cf->sel);
   if (cf->burst_count) {
      fprintf(f, " BURSTCNT(%u)", cf->burst_count);
   }
}

static void
print_mem_write(FILE *f, const struct cayman_cf *cf)
{
   static const char *const type[4] = { "_WRITE", "_WRITE_IND", "_WRITE_ACK", "_WRITE_IND_ACK" };
   const char *name = cayman_cf_info(cf->op)->name;
   bool indexed = cf->type & 1;

   if (cf->op == CAYMAN_CF_MEM_WR_SCRATCH) {
      name = "MEM_SCRATCH";
   }
   fprintf(f, "%s%s: ", name, type[cf->type & 3]);
   if (cf->form == CAYMAN_CF_FORM_RAT) {
      const char *rat = cayman_rat_info(cf->rat_op)->name;
      fprintf(f, "RAT(%u) %s, ", cf->rat_id, rat ? rat : "?");
      print_gpr(f, cf->index_gpr, false, 0);
      fputs(", ", f);
   } else {
      fprintf(f, "%s_PTR[%u", cf->elem_size == 3 ? "VEC" : "DWORD", cf->array_base);
      if (indexed) {
         fputs("+", f);
         print_gpr(f, cf->index_gpr, false, 0);
         fputs(".x", f);
      }
      fputs("], ", f);
   }
   print_gpr(f, cf->rw_gpr, cf->rw_rel, CAYMAN_INDEX_LOOP);
   fprintf(f, ".%c%c%c%c", cf->comp_mask & 1 ? 'x' : '_', cf->comp_mask & 2 ? 'y' : '_',
           cf->comp_mask & 4 ? 'z' : '_', cf->comp_mask & 8 ? 'w' : '_');
   fprintf(f, ", ARRAY_SIZE(%u) ELEM_SIZE(%u)", cf->array_size, cf->elem_size);
   if (cf->burst_count) {
      fprintf(f, " BURSTCNT(%u)", cf->burst_count);
   }
   if (cf->mark) {
      fputs(" MARK", f);
   }
}

static void
print_branch(FILE *f, const struct cayman_cf *cf)
{
   static const char *const cond[4] = { "", " CND(FALSE)", " CND(BOOL)", " CND(NOT_BOOL)" };

   switch (cf->op) {
   case CAYMAN_CF_TC:
      fprintf(f, "TEX: ADDR(%u) CNT(%u)", cf->addr, cf->count + 1u);
      break;
   case CAYMAN_CF_TC_ACK:
      fprintf(f, "TEX_ACK: ADDR(%u) CNT(%u)", cf->addr, cf->count + 1u);
      break;
   case CAYMAN_CF_GDS:
      fprintf(f, "GDS: ADDR(%u) CNT(%u)", cf->addr, cf->count + 1u);
      break;
   case CAYMAN_CF_LOOP_START:
      fprintf(f, "LOOP AL, i%u FAIL_JUMP_ADDR(%u)", cf->cf_const, cf->addr);
      break;
   case CAYMAN_CF_LOOP_START_DX10:
      fprintf(f, "LOOP_DX10 i%u FAIL_JUMP_ADDR(%u)", cf->cf_const, cf->addr);
      break;
   case CAYMAN_CF_LOOP_START_NO_AL:
      fprintf(f, "LOOP_NO_AL i%u FAIL_JUMP_ADDR(%u)", cf->cf_const, cf->addr);
      break;
   case CAYMAN_CF_LOOP_END:
      fprintf(f, "ENDLOOP i%u PASS_JUMP_ADDR(%u)", cf->cf_const, cf->addr);
      break;
   case CAYMAN_CF_LOOP_CONTINUE:
      fprintf(f, "CONTINUE ADDR(%u)", cf->addr);
      break;
   case CAYMAN_CF_LOOP_BREAK:
      fprintf(f, "BREAK ADDR(%u)", cf->addr);
      break;
   case CAYMAN_CF_POP:
      fprintf(f, "POP (%u) ADDR(%u)", cf->pop_count, cf->addr);
      break;
   case CAYMAN_CF_JUMP:
   case CAYMAN_CF_JUMP_ANY:
   case CAYMAN_CF_JUMPTABLE:
   case CAYMAN_CF_ELSE:
   case CAYMAN_CF_ELSE_WQM:
   case CAYMAN_CF_PUSH:
   case CAYMAN_CF_PUSH_WQM:
   case CAYMAN_CF_POP_WQM:
      fprintf(f, "%s", cayman_cf_info(cf->op)->name);
      if (cf->pop_count) {
         fprintf(f, " POP_CNT(%u)", cf->pop_count);
      }
      fprintf(f, " ADDR(%u)", cf->addr);
      break;
   case CAYMAN_CF_CALL:
      fprintf(f, "CALL %02u", cf->addr);
      break;
   case CAYMAN_CF_RETURN:
      fputs("RET", f);
      break;
   case CAYMAN_CF_EMIT_VERTEX:
      fprintf(f, "EMIT STREAM(%u)", cf->count & 3);
      break;
   case CAYMAN_CF_CUT_VERTEX:
      fprintf(f, "CUT STREAM(%u)", cf->count & 3);
      break;
   case CAYMAN_CF_EMIT_CUT_VERTEX:
      fprintf(f, "EMIT_CUT STREAM(%u)", cf->count & 3);
      break;
   case CAYMAN_CF_WAIT_ACK:
      fprintf(f, "WAIT_ACK: OUTSTANDING_ACKS <= %u", cf->addr);
      break;
   default:
      fputs(cayman_cf_info(cf->op)->name, f);
      break;
   }
   if (cf->cond) {
      fprintf(f, "%s b%u", cond[cf->cond & 3], cf->cf_const);
   }
}

static void
print_cf(FILE *f, const struct cayman_cf *cf)
{
   switch (cf->form) {
   case CAYMAN_CF_FORM_ALU:
      fprintf(f, "%s: ADDR(%u) CNT(%u)", cayman_cf_info(cf->op)->name, cf->addr, cf->count + 1u);
      print_kcache(f, cf);
      if (cf->whole_quad_mode) {
         fputs(" WHOLE_QUAD_MODE", f);
      }
      if (cf->alt_const) {
         fputs(" ALT_CONST", f);
      }
      break;
   case CAYMAN_CF_FORM_EXPORT:
      print_export(f, cf);
      break;
   case CAYMAN_CF_FORM_MEM:
   case CAYMAN_CF_FORM_RAT:
      print_mem_write(f, cf);
      break;
   case CAYMAN_CF_FORM_BRANCH:
      print_branch(f, cf);
      break;
   case CAYMAN_CF_FORM_GWS:
      fprintf(f, "GWS(%u) RESOURCE(%u) VALUE(%u)", cf->gws_op, cf->gws_resource, cf->gws_value);
      break;
   default:
      fprintf(f, "undefined CF opcode %u", cf->op);
      break;
   }
   if (cf->valid_pixel_mode) {
      fputs(" VPM", f);
   }
   if (!cf->barrier) {
      fputs(" NO_BARRIER", f);
   }
   fputc('\n', f);
}

static void
print_alu_clause(FILE *f, const uint32_t *words, size_t num_dwords, unsigned *counter)
{
   while (num_dwords > 0) {
      struct cayman_alu_group group;
      int status = cayman_decode_alu_group(words, num_dwords, &group);

      for (unsigned i = 0; i < group.num_slots; i++) {
         if (i == 0) {
            fprintf(f, "%7u  ", *counter);
         } else {
            fprintf(f, "%9s", "");
         }
         print_slot(f, &group.slot[i], group.literal, *counter ? (int)*counter - 1 : -1);
         fputc('\n', f);
      }
      ++*counter;
      if (status != CAYMAN_OK && status != CAYMAN_ERR_OPCODE) {
         fprintf(f, "         ; %s\n", cayman_status_name(status));
         return;
      }
      words += group.num_dwords;
      num_dwords -= group.num_dwords;
   }
}

static void
print_fetch_clause(FILE *f, const uint32_t *words, size_t num_dwords, unsigned *counter)
{
   for (; num_dwords >= 4; words += 4, num_dwords -= 4) {
      struct cayman_fetch fetch;
      cayman_decode_fetch(words, &fetch);
      fprintf(f, "%7u  ", (*counter)++);
      cayman_print_fetch(f, &fetch);
      fputc('\n', f);
   }
}

void
cayman_disassemble(FILE *f, const uint32_t *words, size_t num_dwords)
{
   struct cayman_walk walk;
   struct cayman_cf cf;
   unsigned counter = 0;
   int status;

   cayman_walk_init(&walk, words, num_dwords);
   while ((status = cayman_walk_next(&walk, &cf)) == CAYMAN_OK || status == CAYMAN_ERR_OPCODE) {
      const uint32_t *clause;
      size_t clause_dwords;

      if (cf.op == CAYMAN_CF_END) {
         fputs("END_OF_PROGRAM\n", f);
         continue;
      }
      fprintf(f, "%02u ", walk.pc);
      print_cf(f, &cf);
      int err = cayman_clause(words, num_dwords, &cf, &clause, &clause_dwords);
      if (err == CAYMAN_ERR_RANGE) {
         fprintf(f, "         ; %s\n", cayman_status_name(err));
      } else if (err == CAYMAN_OK && cayman_cf_is_alu(&cf)) {
         print_alu_clause(f, clause, clause_dwords, &counter);
      } else if (err == CAYMAN_OK) {
         print_fetch_clause(f, clause, clause_dwords, &counter);
      }
   }
   if (status != CAYMAN_END) {
      fprintf(f, "; %s\n", cayman_status_name(status));
   }
}
