/* SPDX-License-Identifier: MIT */
/*
 * The rows of the opcode list, each with a small program of the chip that holds it, as a listing.
 * Rows that the chip has not, and those that only open drivers know (OTHER), have that reason
 * instead.
 */
#include <stdio.h>
#include <string.h>

#include "isa.h"
#include "r600.h"

enum kind { CF, GWS, RAT, OP2, OP3, LDS, TEX, VTX, MEM_RD, MEM_GDS, GDS, STALE, OTHER };

static const struct {
   uint8_t kind;
   uint16_t number;
   const char *name, *text;
} rows[] = {
#define CAYMAN_CF(name, op, r600, form, chips, stages, listed, operand, flow, text) \
   { CF, CAYMAN_CF_##name, #name, text },
#define CAYMAN_GWS(name, op, text) { GWS, op, #name, text },
#define CAYMAN_RAT(name, op, text) { RAT, op, #name, text },
#define CAYMAN_OP2(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   { OP2, op, #name, text },
#define CAYMAN_OP3(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   { OP3, op, #name, text },
#define CAYMAN_LDS(name, op, srcs, returns, text) { LDS, op, #name, text },
#define CAYMAN_TEX(name, op, since, text)         { TEX, op, #name, text },
#define CAYMAN_VTX(name, op, since, text)         { VTX, op, #name, text },
#define CAYMAN_MEM_RD(name, op, text)             { MEM_RD, op, #name, text },
#define CAYMAN_MEM_GDS(name, op, text)            { MEM_GDS, op, #name, text },
#define CAYMAN_GDS(name, op, srcs, returns, text) { GDS, op, #name, text },
#define CAYMAN_STALE(name, form, text)            { STALE, 0, #name, text },
#define CAYMAN_OTHER(name, form, op, text)        { OTHER, op, #name, text },
#include "opcodes.def"
};

static const char *const kind_name[] = { "CF",  "GWS", "RAT",    "OP2", "OP3",   "LDS",  "TEX",
                                         "VTX", "MEM", "MEMGDS", "GDS", "STALE", "OTHER" };

/* The program of a CF instruction, where the name alone is none. */
static const struct {
   uint16_t op;
   const char *text;
} cf_programs[] = {
   { CAYMAN_CF_TC, "TEX:\n 0 SAMPLE R1, R0, t0, s0 NORM(XYZW)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_VC, "VTX:\n 0 VFETCH R1, R0.x, f0 MEGAFETCH(15)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_VC_ACK, "VTX_ACK:\n 0 VFETCH R1, R0.x, f0 MEGAFETCH(15)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_CONTINUE, "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nALU_CONTINUE:\n"
                             " 0 x: PRED_SETE ____, R0.x, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n"
                             "ENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_BREAK, "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nALU_BREAK:\n"
                          " 0 x: PRED_SETE ____, R0.x, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n"
                          "ENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_TC_ACK, "TEX_ACK:\n 0 SAMPLE R1, R0, t0, s0 NORM(XYZW)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_GDS, "GDS:\n 0 GDS_ADD_RET R1.x___, R0.xyz\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_LOOP_START,
     "LOOP AL, i0 FAIL_JUMP_ADDR(2)\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_LOOP_END,
     "LOOP AL, i0 FAIL_JUMP_ADDR(2)\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_LOOP_START_DX10,
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nBREAK 2\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_LOOP_START_NO_AL,
     "LOOP_NO_AL i0 FAIL_JUMP_ADDR(2)\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_LOOP_CONTINUE,
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nCONTINUE 2\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_LOOP_BREAK,
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nBREAK 2\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_JUMP, "JUMP ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_JUMP_ANY, "JUMP_ANY ADDR(1)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_PUSH, "PUSH ADDR(1)\nPOP (1) ADDR(2)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_PUSH_WQM, "PUSH_WQM ADDR(1)\nPOP_WQM POP_CNT(1) ADDR(2)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ELSE, "PUSH ADDR(1)\nELSE ADDR(2)\nPOP (1) ADDR(3)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ELSE_WQM, "PUSH ADDR(1)\nELSE_WQM ADDR(2)\nPOP (1) ADDR(3)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_POP, "PUSH ADDR(1)\nPOP (1) ADDR(2)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_POP_WQM, "PUSH_WQM ADDR(1)\nPOP_WQM POP_CNT(1) ADDR(2)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_CALL, "CALL 02\nEND_OF_PROGRAM\nNOP\nRET\n" },
   { CAYMAN_CF_RETURN, "CALL 02\nEND_OF_PROGRAM\nNOP\nRET\n" },
   { CAYMAN_CF_REACTIVATE, "PUSH ADDR(1)\nREACTIVATE\nPOP (1) ADDR(3)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_REACTIVATE_WQM, "PUSH ADDR(1)\nREACTIVATE_WQM\nPOP (1) ADDR(3)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_JUMPTABLE, "JUMPTABLE ADDR(2)\nJUMP ADDR(2)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_GLOBAL_WAVE_SYNC, "GLOBAL_WAVE_SYNC SEMA_V\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU, "ALU:\n 0 x: MOV R1.x, R0.x\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_PUSH_BEFORE,
     "ALU_PUSH_BEFORE:\n 0 x: PRED_SETE ____, R0.x, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n"
     "POP (1) ADDR(2)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_POP_AFTER,
     "PUSH ADDR(1)\nALU_POP_AFTER:\n 0 x: MOV R1.x, R0.x\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_POP2_AFTER,
     "PUSH ADDR(1)\nPUSH ADDR(2)\nALU_POP2_AFTER:\n 0 x: MOV R1.x, R0.x\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_EXTENDED, "ALU: KCACHE2(CB2:0-15)\n 0 x: MOV R1.x, KC2[0].x\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_REACTIVATE_BEFORE, "PUSH ADDR(1)\nALU_REACTIVATE_BEFORE:\n 0 x: MOV R1.x, R0.x\n"
                                      "POP (1) ADDR(3)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_VALID_PIXEL_MODE,
     "ALU_VALID_PIXEL_MODE:\n 0 x: MOV R1.x, R0.x\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_ALU_ELSE_AFTER, "PUSH ADDR(1)\nALU_ELSE_AFTER:\n 0 x: MOV R1.x, R0.x\n"
                               "POP (1) ADDR(3)\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_EXPORT, "EXP: PARAM0, R0\nEXP_DONE: PARAM1, R0\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_EXPORT_DONE, "EXP_DONE: PARAM0, R0\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_END, "NOP\nEND_OF_PROGRAM\n" },
   { CAYMAN_CF_MEM_WR_SCRATCH,
     "MEM_SCRATCH_WRITE: VEC_PTR[0], R0, ARRAY_SIZE(1) ELEM_SIZE(3)\nEND_OF_PROGRAM\n" },
};

/* Instructions that only one stage has. */
static const struct {
   uint16_t op;
   uint8_t stage;
} cf_stages[] = {
   { CAYMAN_CF_KILL, ISA_STAGE_PIXEL },
   { CAYMAN_CF_PUSH_WQM, ISA_STAGE_PIXEL },
   { CAYMAN_CF_POP_WQM, ISA_STAGE_PIXEL },
   { CAYMAN_CF_ELSE_WQM, ISA_STAGE_PIXEL },
   { CAYMAN_CF_REACTIVATE_WQM, ISA_STAGE_PIXEL },
   { CAYMAN_CF_ALU_VALID_PIXEL_MODE, ISA_STAGE_PIXEL },
   { CAYMAN_CF_EMIT_VERTEX, ISA_STAGE_GEOMETRY },
   { CAYMAN_CF_CUT_VERTEX, ISA_STAGE_GEOMETRY },
   { CAYMAN_CF_EMIT_CUT_VERTEX, ISA_STAGE_GEOMETRY },
   { CAYMAN_CF_MEM_RING, ISA_STAGE_GEOMETRY },
   { CAYMAN_CF_MEM_RING1, ISA_STAGE_GEOMETRY },
   { CAYMAN_CF_MEM_RING2, ISA_STAGE_GEOMETRY },
   { CAYMAN_CF_MEM_RING3, ISA_STAGE_GEOMETRY },
};

static enum isa_stage
cf_program(enum cayman_vliw vliw, unsigned op, char *text, size_t size)
{
   const struct cayman_cf_info *info = cayman_cf_info(op);
   enum isa_stage stage = ISA_STAGE_VERTEX;

   snprintf(text, size, "%s\nEND_OF_PROGRAM\n", info->name);
   if (info->form == CAYMAN_CF_FORM_MEM) {
      snprintf(text, size, "%s_WRITE: DWORD_PTR[0], R0, ELEM_SIZE(3)\nEND_OF_PROGRAM\n",
               info->name);
   } else if (info->form == CAYMAN_CF_FORM_RAT) {
      snprintf(text, size, "%s_WRITE: RAT(0) STORE_TYPED, R0, R1, ELEM_SIZE(3)\nEND_OF_PROGRAM\n",
               info->name);
   }
   for (unsigned i = 0; i < sizeof(cf_programs) / sizeof(*cf_programs); i++)
      if (cf_programs[i].op == op)
         snprintf(text, size, "%s", cf_programs[i].text);
   /* A jump to the program's end needs an instruction there. */
   const char *end = strstr(text, "END_OF_PROGRAM");
   if (cayman_five_slots(vliw) && end && end != text) {
      const size_t at = (size_t)(end - text);
      char rest[400];
      snprintf(rest, sizeof(rest), "%s", end);
      snprintf(text + at, size - at, "NOP\n%s", rest);
   }
   for (unsigned i = 0; i < sizeof(cf_stages) / sizeof(*cf_stages); i++)
      if (cf_stages[i].op == op)
         stage = (enum isa_stage)cf_stages[i].stage;
   return stage;
}

/* Channels of the slots that an operation takes. */
static const char *
slots_of(const struct cayman_alu_info *info)
{
   switch (info->slots) {
   case CAYMAN_SLOTS_PAIR:
   case CAYMAN_SLOTS_PAIR_XY:
      return "xy";
   case CAYMAN_SLOTS_PAIR_ZW:
      return "zw";
   case CAYMAN_SLOTS_QUAD:
      return "xyzw";
   case CAYMAN_SLOTS_XYZ:
      return "xyz";
   case CAYMAN_SLOTS_W:
      return "w";
   case CAYMAN_SLOTS_T:
      return "t";
   case CAYMAN_SLOTS_INTERLEAVE:
      return "xz";
   default:
      return "x";
   }
}

static enum isa_stage
alu_program(enum cayman_vliw vliw, unsigned op, char *text, size_t size)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(vliw, op);
   bool pixel = info->flags & (CAYMAN_ALU_FLAG_KILL | CAYMAN_ALU_FLAG_PARAM);
   const bool ar = op == CAYMAN_ALU_SET_CF_IDX0 || op == CAYMAN_ALU_SET_CF_IDX1;
   int n = snprintf(text, size, "ALU:\n%s 1 ", ar ? " 0 x: MOVA_INT A0.x, R0.x\n" : "");

   for (const char *c = slots_of(info); *c; c++) {
      const char *name = info->name;
      unsigned num_src = info->num_src;
      if (info->slots == CAYMAN_SLOTS_INTERLEAVE && *c == 'z') {
         name = "MUL"; /* x reads the result of z */
         num_src = 2;
      }
      n += snprintf(text + n, size - (size_t)n, "%c: %s ", *c, name);
      if (op == CAYMAN_ALU_MOVA_INT)
         n += snprintf(text + n, size - (size_t)n, "A0.x");
      else if (info->dst_type == CAYMAN_TYPE_NONE)
         n += snprintf(text + n, size - (size_t)n, "____");
      else
         n += snprintf(text + n, size - (size_t)n, "R1.%c", *c == 't' ? 'x' : *c);
      for (unsigned s = 0; s < num_src; s++) {
         bool param = info->flags & CAYMAN_ALU_FLAG_PARAM && s + 1 == num_src;
         n += snprintf(text + n, size - (size_t)n, param ? ", Param0.%c" : ", R0.%c",
                       param ? *c : 'x');
      }
      n += snprintf(text + n, size - (size_t)n, "%s\n",
                    info->flags & CAYMAN_ALU_FLAG_PARAM && num_src == 2 ? " VEC_210" : "");
   }
   if (info->slots == CAYMAN_SLOTS_NEXT) { /* what y holds is added */
      const char *next = op == CAYMAN_ALU_BCNT_ACCUM_PREV_INT         ? "BCNT_INT R1.y, R0.x"
                         : op == CAYMAN_ALU_MBCNT_32LO_ACCUM_PREV_INT ? "MBCNT_32HI_INT R1.y, R0.x"
                         : op == CAYMAN_ALU_SAD_ACCUM_PREV_UINT
                            ? "SAD_ACCUM_UINT R1.y, R0.x, R0.x, R0.x"
                            : "MUL R1.y, R0.x, R0.x";
      n += snprintf(text + n, size - (size_t)n, "y: %s\n", next);
   }
   if (op == CAYMAN_ALU_MOVA_INT)
      n += snprintf(text + n, size - (size_t)n, " 2 x: MOV R1.x, R0[A0.x].x\n");
   snprintf(text + n, size - (size_t)n, "END_OF_PROGRAM\n");
   return pixel ? ISA_STAGE_PIXEL : ISA_STAGE_VERTEX;
}

static enum isa_stage
program_of(enum cayman_vliw vliw, unsigned i, char *text, size_t size)
{
   unsigned op = rows[i].number;
   const char *name = rows[i].name;

   switch (rows[i].kind) {
   case CF:
      return cf_program(vliw, op, text, size);
   case GWS:
      snprintf(text, size, "GLOBAL_WAVE_SYNC %s RESOURCE(1) VALUE(2)\nEND_OF_PROGRAM\n", name);
      return ISA_STAGE_COMPUTE;
   case RAT:
      snprintf(text, size, "MEM_RAT_WRITE%s: RAT(0) %s, R0, R1, ELEM_SIZE(3)\nEND_OF_PROGRAM\n",
               op >= 32 ? "_ACK" : "", name);
      return ISA_STAGE_COMPUTE;
   case OP3:
      op += CAYMAN_OP3_BASE;
      if (op == CAYMAN_ALU_LDS_IDX_OP) {
         snprintf(text, size, "ALU:\n 0 x: LDS_WRITE OFFSET(0), R0.x, R0.y\nEND_OF_PROGRAM\n");
         return ISA_STAGE_COMPUTE;
      }
      return alu_program(vliw, op, text, size);
   case OP2:
      return alu_program(vliw, op, text, size);
   case LDS: {
      const struct cayman_op_info *info = cayman_lds_info(op);
      static const char *const sources[4] = { "", ", R0.x", ", R0.x, R0.y", ", R0.x, R0.y, R0.z" };
      bool two = op == CAYMAN_LDS_READ2_RET || op == CAYMAN_LDS_READ_REL_RET ||
                 op == CAYMAN_LDS_XCHG_REL_RET || op == CAYMAN_LDS_XCHG2_RET;
      snprintf(text, size, "ALU:\n 0 x: %s OFFSET(0)%s\n%s%sEND_OF_PROGRAM\n", info->name,
               sources[info->num_src & 3], info->returns ? " 1 x: MOV R1.x, QA.pop\n" : "",
               two ? "   y: MOV R1.y, QB.pop\n" : "");
      return ISA_STAGE_COMPUTE;
   }
   case TEX: {
      bool offsets = op == CAYMAN_TEX_GATHER4_O || op == CAYMAN_TEX_GATHER4_C_O ||
                     op == CAYMAN_TEX_SET_TEXTURE_OFFSETS;
      bool sets = op == CAYMAN_TEX_SET_GRADIENTS_H || op == CAYMAN_TEX_SET_GRADIENTS_V;
      snprintf(text, size, "TEX:\n%s%s %s R1, R0, t0, s0 NORM(XYZW)\n%s%sEND_OF_PROGRAM\n",
               offsets && op != CAYMAN_TEX_SET_TEXTURE_OFFSETS
                  ? " 0 SET_TEXTURE_OFFSETS R2.____, R0, t0, s0 NORM(XYZW)\n"
                  : "",
               " 1", name, sets ? " 2 SAMPLE_G R2, R0, t0, s0 NORM(XYZW)\n" : "",
               op == CAYMAN_TEX_SET_TEXTURE_OFFSETS
                  ? " 2 GATHER4_O R2, R0, t0, s0 COMP(X) NORM(XYZW)\n"
                  : "");
      return ISA_STAGE_PIXEL;
   }
   case VTX:
      snprintf(text, size, "TEX:\n 0 %s, R0.x, f0%s FORMAT(0x23)\nEND_OF_PROGRAM\n",
               op == CAYMAN_VTX_FETCH      ? "VFETCH R1"
               : op == CAYMAN_VTX_SEMANTIC ? "VSEMANTIC SemId3"
                                           : "RESINFO_BUFFER R1",
               cayman_five_slots(vliw) ? " MEGAFETCH(15)" : "");
      return ISA_STAGE_VERTEX;
   case MEM_RD:
      snprintf(text, size,
               "TEX:\n 0 MEM_%s_READ R1, VEC_PTR[0], ARRAY_SIZE(1) ELEM_SIZE(3) FORMAT(0x22)\n"
               "END_OF_PROGRAM\n",
               name);
      return ISA_STAGE_VERTEX;
   case MEM_GDS:
      snprintf(text, size, "GDS:\n 0 %s\nEND_OF_PROGRAM\n",
               op == CAYMAN_MEM_TF_WRITE ? "TF_WRITE R0.xy0" : "GDS_ADD R1.____, R0.xyz");
      return op == CAYMAN_MEM_TF_WRITE ? ISA_STAGE_HULL : ISA_STAGE_COMPUTE;
   default:
      snprintf(text, size, "GDS:\n 0 GDS_%s R1.xy__, R0.xyz\nEND_OF_PROGRAM\n", name);
      return ISA_STAGE_COMPUTE;
   }
}

/* Why the chip has no such row, or NULL. */
static const char *
absent(enum cayman_vliw vliw, unsigned i)
{
   static const char *const not_in[] = { "not in Cayman", "not in Evergreen", "not in R700",
                                         "not in R600" };
   const unsigned op = rows[i].number;
   bool has = true;

   switch (rows[i].kind) {
   case CF:
      has = cayman_cf_info(op)->chips >> vliw & 1;
      break;
   case OP2:
      has = cayman_alu_info_of(vliw, op)->name;
      break;
   case OP3:
      has = cayman_alu_info_of(vliw, op + CAYMAN_OP3_BASE)->name;
      break;
   case TEX:
   case VTX:
      has = !cayman_old_words(vliw) || cayman_r600_has_fetch(vliw, op);
      break;
   case MEM_RD:
      has = vliw != CAYMAN_R600;
      break;
   case RAT:
   case LDS:
   case GDS:
   case MEM_GDS:
   case GWS:
      has = !cayman_old_words(vliw);
      break;
   case STALE:
      has = false;
      break;
   case OTHER:
      return "not in the guide";
   default:
      break;
   }
   return has ? NULL : not_in[vliw];
}

bool
cayman_row(enum cayman_vliw vliw, unsigned i, struct isa_row *row)
{
   if (i >= sizeof(rows) / sizeof(*rows))
      return false;
   memset(row, 0, sizeof(*row));
   row->kind = kind_name[rows[i].kind];
   row->name = rows[i].name;
   row->number = rows[i].number & 0xff;
   row->absent = absent(vliw, i);
   if (row->absent) {
      snprintf(row->text, sizeof(row->text), "%s", rows[i].text);
      return true;
   }
   row->stage = program_of(vliw, i, row->text, sizeof(row->text));
   /* Listings have other names for control flow and fetches than the guide. */
   bool named = rows[i].kind == OP2 || rows[i].kind == RAT || rows[i].kind == LDS ||
                rows[i].kind == TEX || rows[i].kind == GDS || rows[i].kind == GWS ||
                (rows[i].kind == OP3 && strcmp(rows[i].name, "LDS_IDX_OP") != 0);
   row->shown_as = named ? rows[i].name : NULL;
   return true;
}
