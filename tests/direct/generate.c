/* SPDX-License-Identifier: MIT */
/*
 * Makes programs; see case.h.
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cayman/cayman_compile.h"
#include "direct/direct.h"
#include "il/conventions.h"

#define INDEX     8 /* r8: 0 to 3 in every component */
#define SCRATCH   9 /* r9: addresses */
#define COUNTERS  100
#define L_SMALL   NUM_LITERALS       /* 0, 1, 2, 3 */
#define L_LOOP    (NUM_LITERALS + 1) /* 0, rounds, 1, ~0 */
#define L_MASKS   (NUM_LITERALS + 2) /* address masks */
#define MAX_STMTS 60

/* --- opcodes -----------------------------------------------------------------------------------
 */
static uint16_t opcodes[IL_OP_LAST];
static unsigned num_opcodes;
static bool has_returns, has_calls, has_modifiers;

static bool
is_arithmetic(const struct il_op_info *info)
{
   switch (info->category) {
   case IL_CAT_FLOAT:
   case IL_CAT_INT:
   case IL_CAT_CONV:
   case IL_CAT_DOUBLE:
   case IL_CAT_BIT:
   case IL_CAT_MEDIA:
      return info->shape_known && info->dsts == 1 && info->srcs >= 1 && info->srcs <= 4 &&
             info->stages == IL_STAGE_ALL;
   default:
      return false;
   }
}

/* Whether both execute a program; what is missing in `error`. */
static bool
accepted(const char *text, char *error, size_t size)
{
   const struct kernels *kernels = kernels_choose();
   struct il_error where;
   struct cayman_shader shader;
   struct direct_program direct;
   struct il_program *p = il_parse(text, strlen(text), &where);

   if (!p) {
      snprintf(error, size, "%s", where.text);
      return false;
   }
   bool ok = direct_lift(kernels, p, 0, &direct, error, size);
   if (ok) {
      direct_free(kernels, &direct);
      ok = cayman_compile(p, 0, &shader, error, size);
      if (ok) {
         cayman_shader_finish(&shader);
      }
   }
   il_program_free(p);
   return ok;
}

static bool
can(const char *body, bool verbose)
{
   char text[1024], error[256];
   snprintf(text, sizeof(text),
            "il_vs_2_0\ndcl_output_position o0\ndcl_literal l0, 1, 2, 3, 4\nmov r0, l0\n%s", body);
   bool ok = accepted(text, error, sizeof(error));
   if (!ok && verbose) {
      printf("left out: %s: %.12s...\n", error, body);
   }
   return ok;
}

void
choose_opcodes(bool verbose)
{
   const struct il_op_info *info;

   num_opcodes = 0;
   for (unsigned i = 0; (info = il_op_row(i)); i++) {
      char error[256] = "no memory";
      if (!is_arithmetic(info)) {
         continue;
      }
      struct il_program *p = il_program_new(IL_SHADER_VERTEX);
      struct il_src src[4];
      struct il_dst dst = il_dst(IL_REGTYPE_TEMP, 1), out = il_dst(IL_REGTYPE_OUTPUT, 0);
      for (unsigned s = 0; s < 4; s++) {
         src[s] = il_src(IL_REGTYPE_TEMP, 0);
      }
      const struct il_src result = il_src(IL_REGTYPE_TEMP, 1);
      il_emit(p, IL_OP_DCL_OUTPUT, IL_IMPORTUSAGE_POS, &out, 0, NULL);
      il_emit(p, (enum il_opcode)info->value, 0, &dst, info->srcs, src);
      il_emit(p, IL_OP_MOV, 0, &out, 1, &result);
      il_emit(p, IL_OP_END, 0, NULL, 0, NULL);
      char *text = il_print(p);
      if (text && accepted(text, error, sizeof(error))) {
         opcodes[num_opcodes++] = info->value;
      } else if (verbose) {
         printf("left out: %s\n", error);
      }
      free(text);
      il_program_free(p);
   }
   has_returns = can("if_logicalnz r0.x\nret_dyn\nendif\nmov o0, r0\nend\n", verbose);
   has_calls = can("call 1\nmov o0, r0\nendmain\nfunc 1\nmov r0, r0\nret\nendfunc\nend\n", verbose);
   has_modifiers = can("add r0, r0_bias, r0_sign\nmov o0, r0\nend\n", verbose);
}

unsigned
count_opcodes(void)
{
   return num_opcodes;
}

/* --- operands ----------------------------------------------------------------------------------
 */
struct maker {
   struct rng *r;
   struct il_program *p;
   enum il_shader stage;
   unsigned loops, stmts, loop_depth, depth;
   bool mixed, in_function, returns;
};

static unsigned
pick(struct maker *m, unsigned n)
{
   return rng_pick(m->r, n);
}

static struct il_src
index_source(struct maker *m)
{
   return il_replicate(il_src(IL_REGTYPE_TEMP, INDEX), pick(m, 4));
}

/* A register of any kind that can be read. */
static struct il_src
any_register(struct maker *m)
{
   struct il_src index;
   switch (pick(m, 20)) {
   case 0:
   case 1:
   case 2:
      if (m->stage == IL_SHADER_VERTEX) {
         return il_src(IL_REGTYPE_INPUT, pick(m, NUM_ATTRS));
      } else if (m->stage == IL_SHADER_PIXEL) {
         return il_src(IL_REGTYPE_INPUT, 32 + pick(m, NUM_ATTRS));
      }
      return il_src(pick(m, 2) ? IL_REGTYPE_THREAD_ID_IN_GROUP : IL_REGTYPE_ABSOLUTE_THREAD_ID, 0);
   case 3:
   case 4:
   case 5:
      return il_src(IL_REGTYPE_LITERAL, pick(m, NUM_LITERALS));
   case 6:
   case 7:
      return il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, pick(m, NUM_CONSTS), NULL);
   case 8:
      index = index_source(m);
      return il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, pick(m, NUM_CONSTS), &index);
   case 9:
      return il_array_src(m->p, IL_REGTYPE_ITEMP, 0, pick(m, ARRAY_SIZE), NULL);
   case 10:
      index = index_source(m);
      return il_array_src(m->p, IL_REGTYPE_ITEMP, 0, pick(m, ARRAY_SIZE - 3), &index);
   case 11:
      index = index_source(m);
      return il_array_src(m->p, IL_REGTYPE_IMMED_CONST_BUFF, 0, pick(m, 5), &index);
   case 12:
      if (m->stage == IL_SHADER_PIXEL) {
         static const uint8_t special[] = { IL_LINK_POSITION, IL_PS_INPUT_FRONT_FACE };
         return il_src(IL_REGTYPE_INPUT, special[pick(m, 2)]);
      }
      /* fall through */
   default:
      return il_src(IL_REGTYPE_TEMP, pick(m, NUM_VALUES));
   }
}

static struct il_src
operand(struct maker *m, enum il_type type, bool is_move)
{
   struct il_src s = any_register(m);

   if (pick(m, 2)) {
      s = il_swizzle(s, pick(m, 4), pick(m, 4), pick(m, 4), pick(m, 4));
   }
   if (pick(m, 24) == 0) {
      s = il_swizzle(s, pick(m, 6), pick(m, 6), pick(m, 6), pick(m, 6));
   }
   bool is_float = type == IL_TYPE_FLOAT || is_move;
   if ((is_float || type == IL_TYPE_DOUBLE) && pick(m, 6) == 0) {
      s = il_absolute(s);
   }
   if (type != IL_TYPE_BITS || is_move) {
      if (pick(m, 5) == 0) {
         s = il_negate(s);
         if (type != IL_TYPE_DOUBLE && type != IL_TYPE_INT64 && type != IL_TYPE_UINT64) {
            s.neg &= (uint8_t)rng_next(m->r) & 15;
         }
      }
   }
   if (is_float && has_modifiers && pick(m, 24) == 0) {
      s = il_absolute(s); /* with a modifier token */
      s.flags = (uint8_t)(1u << pick(m, 6));
      s.divcomp = pick(m, 3) ? IL_DIVCOMP_NONE : (uint8_t)pick(m, 4);
   }
   return s;
}

static unsigned
control(struct maker *m, const struct il_op_info *info)
{
   switch (info->ctl) {
   case IL_CTL_RELOP:
      return pick(m, 6);
   case IL_CTL_CMP:
      return pick(m, 6) | pick(m, 5) << 5;
   case IL_CTL_ZEROOP:
      return info->value == IL_OP_LOG || info->value == IL_OP_LN || info->value == IL_OP_LOGP
                ? pick(m, 2) * 2
                : pick(m, 3);
   case IL_CTL_NRM:
      return pick(m, 3) | pick(m, 2) << 2;
   case IL_CTL_IEEE:
   case IL_CTL_NORMALIZE:
      return pick(m, 2);
   case IL_CTL_FIRSTBIT:
      return pick(m, 3);
   case IL_CTL_MATRIX:
      return info->value == IL_OP_MMUL ? pick(m, 5) : 0;
   default:
      return 0;
   }
}

static bool
is_wide(const struct il_op_info *info)
{
   switch (info->value) {
   case IL_OP_F_2_D:
   case IL_OP_ITOD:
   case IL_OP_UTOD:
      return true;
   case IL_OP_D_2_F:
   case IL_OP_D_FREXP:
      return false;
   default:
      return info->type == IL_TYPE_DOUBLE || info->type == IL_TYPE_INT64 ||
             info->type == IL_TYPE_UINT64;
   }
}

static struct il_dst
destination(struct maker *m, const struct il_op_info *info)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, pick(m, NUM_VALUES));
   bool plain = info->value == IL_OP_TRANSPOSE || info->value == IL_OP_CMOV;

   if (info->value == IL_OP_TRANSPOSE) {
      d = il_dst(IL_REGTYPE_TEMP, pick(m, NUM_VALUES - 3));
   } else if (!plain && pick(m, 8) == 0) {
      struct il_src index = index_source(m);
      d = pick(m, 2) ? il_array_dst(m->p, IL_REGTYPE_ITEMP, 0, pick(m, ARRAY_SIZE), NULL)
                     : il_array_dst(m->p, IL_REGTYPE_ITEMP, 0, pick(m, ARRAY_SIZE - 3), &index);
   }
   if (is_wide(info)) {
      static const uint8_t pairs[] = { 3, 12, 15 };
      d = il_dst_masked(d, pairs[pick(m, 3)]);
   } else {
      d = il_dst_masked(d, 1 + pick(m, 15));
      for (unsigned c = 0; c < 4 && pick(m, 16) == 0; c++) {
         if (pick(m, 3) == 0) {
            d.comp[c] = pick(m, 2) ? IL_MODCOMP_0 : IL_MODCOMP_1;
         }
      }
   }
   bool is_float = info->type == IL_TYPE_FLOAT || info->value == IL_OP_MOV;
   if ((is_float || (info->type == IL_TYPE_DOUBLE && has_modifiers)) &&
       info->value != IL_OP_D_FREXP && (!is_wide(info) || has_modifiers)) {
      d.has_mod = true;
      d.clamp = pick(m, 8) == 0;
      d.shift = pick(m, 12) == 0 ? (uint8_t)pick(m, 7) : 0;
   }
   return d;
}

static void
keep_index_small(struct maker *m)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, INDEX);
   const struct il_src s[2] = { il_src(IL_REGTYPE_TEMP, INDEX),
                                il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), 3) };
   il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
}

/* --- statements --------------------------------------------------------------------------------
 */
static void
arithmetic(struct maker *m)
{
   const struct il_op_info *info = il_op_info(opcodes[pick(m, num_opcodes)]);
   if (pick(m, 10) == 0) {
      info = il_op_info(IL_OP_MOV);
   }
   struct il_src src[4];
   struct il_dst dst = destination(m, info);

   m->mixed |= info->model == IL_MODEL_SM30;
   for (unsigned n = 0; n < info->srcs && n < 4; n++) {
      src[n] = operand(m, (enum il_type)info->type, info->value == IL_OP_MOV);
   }
   if (info->value == IL_OP_D_LDEXP || info->value == IL_OP_D_CLASS) {
      src[1] = il_replicate(any_register(m), pick(m, 4)); /* an integer */
   }
   /* Matrices are rows of consecutive registers. */
   if (info->ctl == IL_CTL_MATRIX) {
      src[info->srcs - 1] = il_src(IL_REGTYPE_TEMP, pick(m, NUM_VALUES - 3));
   }
   struct il_inst *inst =
      il_emit(m->p, (enum il_opcode)info->value, control(m, info), &dst, info->srcs, src);
   if (inst && pick(m, 16) == 0 && info->category == IL_CAT_FLOAT) {
      il_set_prec(inst, 1 + pick(m, 15));
   }
   if (pick(m, 12) == 0) {
      struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, INDEX), 1 + pick(m, 15));
      struct il_src s = any_register(m);
      il_emit(m->p, IL_OP_MOV, 0, &d, 1, &s);
      keep_index_small(m);
   }
}

static struct il_src
one_component(struct maker *m)
{
   return il_replicate(any_register(m), pick(m, 4));
}

/* r9.x = value & mask (l.x .. l.w of L_MASKS). */
static struct il_src
address(struct maker *m, unsigned mask)
{
   struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
   const struct il_src s[2] = { one_component(m),
                                il_replicate(il_src(IL_REGTYPE_LITERAL, L_MASKS), mask) };
   il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
   return il_replicate(il_src(IL_REGTYPE_TEMP, SCRATCH), 0);
}

static struct il_dst
value_register(struct maker *m)
{
   return il_dst_masked(il_dst(IL_REGTYPE_TEMP, pick(m, NUM_VALUES)), 1 + pick(m, 15));
}

static void
local_data(struct maker *m)
{
   static const uint16_t quiet[] = { IL_OP_LDS_ADD,        IL_OP_LDS_SUB,        IL_OP_LDS_RSUB,
                                     IL_OP_LDS_INC,        IL_OP_LDS_DEC,        IL_OP_LDS_MIN,
                                     IL_OP_LDS_MAX,        IL_OP_LDS_UMIN,       IL_OP_LDS_UMAX,
                                     IL_OP_LDS_AND,        IL_OP_LDS_OR,         IL_OP_LDS_XOR,
                                     IL_OP_LDS_MSKOR,      IL_OP_LDS_CMP,        IL_OP_LDS_STORE,
                                     IL_OP_LDS_STORE_BYTE, IL_OP_LDS_STORE_SHORT };
   static const uint16_t loud[] = {
      IL_OP_LDS_READ_ADD,   IL_OP_LDS_READ_SUB,      IL_OP_LDS_READ_RSUB,  IL_OP_LDS_READ_INC,
      IL_OP_LDS_READ_DEC,   IL_OP_LDS_READ_MIN,      IL_OP_LDS_READ_MAX,   IL_OP_LDS_READ_UMIN,
      IL_OP_LDS_READ_UMAX,  IL_OP_LDS_READ_AND,      IL_OP_LDS_READ_OR,    IL_OP_LDS_READ_XOR,
      IL_OP_LDS_READ_MSKOR, IL_OP_LDS_READ_CMP_XCHG, IL_OP_LDS_READ_XCHG,  IL_OP_LDS_LOAD,
      IL_OP_LDS_LOAD_BYTE,  IL_OP_LDS_LOAD_UBYTE,    IL_OP_LDS_LOAD_SHORT, IL_OP_LDS_LOAD_USHORT
   };
   struct il_dst d = value_register(m);
   bool is_quiet = pick(m, 2);
   unsigned op = is_quiet ? quiet[pick(m, sizeof(quiet) / 2)] : loud[pick(m, sizeof(loud) / 2)];
   unsigned id = pick(m, 2); /* 0 raw, 1 structured: .xy is element and offset */
   struct il_src s[3] = { address(m, id ? 1 : 0), one_component(m), one_component(m) };

   if (id) {
      s[0] =
         il_swizzle(il_src(IL_REGTYPE_TEMP, SCRATCH), 0, IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0);
   }
   il_emit(m->p, (enum il_opcode)op, id, is_quiet ? NULL : &d, il_op_info(op)->srcs, s);
}

static void
barrier(struct maker *m)
{
   il_emit(m->p, IL_OP_FENCE, IL_FENCE_THREADS | IL_FENCE_LDS, NULL, 0, NULL);
}

/* UAV 1 is raw, UAV 2 structured with 16 bytes to an element. */
static void
global_data(struct maker *m)
{
   static const uint16_t quiet[] = { IL_OP_UAV_ADD, IL_OP_UAV_SUB,  IL_OP_UAV_RSUB, IL_OP_UAV_MIN,
                                     IL_OP_UAV_MAX, IL_OP_UAV_UMIN, IL_OP_UAV_UMAX, IL_OP_UAV_AND,
                                     IL_OP_UAV_OR,  IL_OP_UAV_XOR,  IL_OP_UAV_CMP,  IL_OP_UAV_UINC,
                                     IL_OP_UAV_UDEC };
   static const uint16_t loud[] = {
      IL_OP_UAV_READ_ADD,  IL_OP_UAV_READ_SUB,  IL_OP_UAV_READ_RSUB, IL_OP_UAV_READ_MIN,
      IL_OP_UAV_READ_MAX,  IL_OP_UAV_READ_UMIN, IL_OP_UAV_READ_UMAX, IL_OP_UAV_READ_AND,
      IL_OP_UAV_READ_OR,   IL_OP_UAV_READ_XOR,  IL_OP_UAV_READ_XCHG, IL_OP_UAV_READ_CMP_XCHG,
      IL_OP_UAV_READ_UINC, IL_OP_UAV_READ_UDEC
   };
   bool is_struct = pick(m, 2);
   unsigned id = is_struct ? 2 : 1;
   struct il_dst d = value_register(m);
   struct il_src s[3] = { address(m, is_struct ? 3 : 2), operand(m, IL_TYPE_BITS, false),
                          one_component(m) };

   if (is_struct) {
      s[0] =
         il_swizzle(il_src(IL_REGTYPE_TEMP, SCRATCH), 0, IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0);
   }
   switch (pick(m, 4)) {
   case 0:
      il_emit(m->p, is_struct ? IL_OP_UAV_STRUCT_LOAD : IL_OP_UAV_RAW_LOAD, id, &d, 1, s);
      break;
   case 1: {
      struct il_dst mem = il_dst_masked(il_dst(IL_REGTYPE_GENERIC_MEM, 0), 1 + pick(m, 15));
      il_emit(m->p, is_struct ? IL_OP_UAV_STRUCT_STORE : IL_OP_UAV_RAW_STORE, id, &mem, 2, s);
      break;
   }
   case 2: {
      unsigned op = quiet[pick(m, sizeof(quiet) / 2)];
      il_emit(m->p, (enum il_opcode)op, id, NULL, il_op_info(op)->srcs, s);
      break;
   }
   default: {
      unsigned op = loud[pick(m, sizeof(loud) / 2)];
      il_emit(m->p, (enum il_opcode)op, id, &d, il_op_info(op)->srcs, s);
      break;
   }
   }
}

static void
pixel_only(struct maker *m)
{
   struct il_dst d = value_register(m);
   struct il_src s = operand(m, IL_TYPE_FLOAT, false);

   s.flags &= IL_SRC_ABS;
   s.divcomp = IL_DIVCOMP_NONE;
   if (pick(m, 2) || m->depth || m->in_function || m->returns) {
      s = one_component(m);
      if (pick(m, 4) == 0) { /* or everything would be gone soon */
         il_emit(m->p, pick(m, 2) ? IL_OP_DISCARD_LOGICALZ : IL_OP_DISCARD_LOGICALNZ, 0, NULL, 1,
                 &s);
      }
      return;
   }
   il_emit(m->p, pick(m, 2) ? IL_OP_DSX : IL_OP_DSY, pick(m, 2) << 7, &d, 1, &s);
}

static void statements(struct maker *m, unsigned count);

static void
begin_if(struct maker *m)
{
   const struct il_src s[2] = { one_component(m), one_component(m) };
   switch (pick(m, 3)) {
   case 0:
      il_emit(m->p, IL_OP_IF_LOGICALZ, 0, NULL, 1, s);
      break;
   case 1:
      il_emit(m->p, IL_OP_IF_LOGICALNZ, 0, NULL, 1, s);
      break;
   default:
      il_emit(m->p, IL_OP_IFC, pick(m, 6), NULL, 2, s);
      break;
   }
}

static void
branch(struct maker *m)
{
   begin_if(m);
   m->depth++;
   statements(m, 1 + pick(m, 4));
   if (pick(m, 2)) {
      il_emit(m->p, IL_OP_ELSE, 0, NULL, 0, NULL);
      statements(m, 1 + pick(m, 3));
   }
   m->depth--;
   il_emit(m->p, IL_OP_ENDIF, 0, NULL, 0, NULL);
}

static void
loop(struct maker *m)
{
   unsigned counter = COUNTERS + m->loops++;
   struct il_dst x = il_dst_masked(il_dst(IL_REGTYPE_TEMP, counter), 1);
   struct il_dst y = il_dst_masked(il_dst(IL_REGTYPE_TEMP, counter), 2);
   struct il_src count = il_replicate(il_src(IL_REGTYPE_TEMP, counter), 0);
   struct il_src done = il_replicate(il_src(IL_REGTYPE_TEMP, counter), 1);
   struct il_src zero = il_replicate(il_src(IL_REGTYPE_LITERAL, L_LOOP), 0);
   const struct il_src test[2] = { count, il_replicate(il_src(IL_REGTYPE_LITERAL, L_LOOP), 1) };
   const struct il_src step[2] = { count, il_replicate(il_src(IL_REGTYPE_LITERAL, L_LOOP), 2) };

   il_emit(m->p, IL_OP_MOV, 0, &x, 1, &zero);
   il_emit(m->p, IL_OP_WHILE, 0, NULL, 0, NULL);
   il_emit(m->p, IL_OP_I_GE, 0, &y, 2, test);
   il_emit(m->p, IL_OP_BREAK_LOGICALNZ, 0, NULL, 1, &done);
   il_emit(m->p, IL_OP_I_ADD, 0, &x, 2, step);
   m->depth++;
   m->loop_depth++;
   statements(m, 1 + pick(m, 5));
   m->loop_depth--;
   m->depth--;
   il_emit(m->p, IL_OP_ENDLOOP, 0, NULL, 0, NULL);
}

static void
leave_loop(struct maker *m, bool go_on)
{
   static const uint16_t forms[2][4] = {
      { IL_OP_BREAK, IL_OP_BREAKC, IL_OP_BREAK_LOGICALZ, IL_OP_BREAK_LOGICALNZ },
      { IL_OP_CONTINUE, IL_OP_CONTINUEC, IL_OP_CONTINUE_LOGICALZ, IL_OP_CONTINUE_LOGICALNZ },
   };
   unsigned form = pick(m, 4);
   const struct il_src s[2] = { one_component(m), one_component(m) };
   static const uint8_t sources[4] = { 0, 2, 1, 1 };

   if (form == 0) {
      begin_if(m);
   }
   il_emit(m->p, (enum il_opcode)forms[go_on][form], form == 1 ? pick(m, 6) : 0, NULL,
           sources[form], s);
   if (form == 0) {
      il_emit(m->p, IL_OP_ENDIF, 0, NULL, 0, NULL);
   }
}

static void
choice(struct maker *m)
{
   struct il_src selector = il_replicate(il_src(IL_REGTYPE_TEMP, INDEX), pick(m, 4));
   unsigned labels = 1 + pick(m, 4), fallback = pick(m, labels + 2);

   il_emit(m->p, IL_OP_SWITCH, 0, NULL, 1, &selector);
   m->depth++;
   m->loop_depth += 16; /* a break is allowed, a continue only if a loop is around */
   for (unsigned n = 0; n < labels; n++) {
      if (n == fallback) {
         il_emit(m->p, IL_OP_DEFAULT, 0, NULL, 0, NULL);
      }
      const uint32_t value = n;
      il_emit_data(m->p, IL_OP_CASE, 0, NULL, 0, NULL, 1, &value);
      statements(m, 1 + pick(m, 2));
      if (pick(m, 3)) {
         il_emit(m->p, IL_OP_BREAK, 0, NULL, 0, NULL);
      }
   }
   m->loop_depth -= 16;
   m->depth--;
   il_emit(m->p, IL_OP_ENDSWITCH, 0, NULL, 0, NULL);
}

static void
statement(struct maker *m)
{
   unsigned n = pick(m, 32);

   m->stmts++;
   if (n < 4 && m->depth < 4) {
      branch(m);
   } else if (n == 4 && m->depth < 4 && m->loop_depth % 16 < 2) {
      loop(m);
   } else if (n == 5 && m->depth < 4) {
      choice(m);
   } else if (n == 6 && m->loop_depth) {
      leave_loop(m, m->loop_depth % 16 && pick(m, 2));
   } else if (n == 7 && m->returns && m->depth) {
      begin_if(m);
      il_emit(m->p, IL_OP_RET_DYN, 0, NULL, 0, NULL);
      il_emit(m->p, IL_OP_ENDIF, 0, NULL, 0, NULL);
   } else if (n == 8 && has_calls && !m->in_function) {
      const uint32_t function = 1 + pick(m, 2);
      il_emit_data(m->p, IL_OP_CALL, 0, NULL, 0, NULL, 1, &function);
   } else if (n < 12 && m->stage == IL_SHADER_PIXEL) {
      pixel_only(m);
   } else if (n < 14 && m->stage == IL_SHADER_COMPUTE) {
      local_data(m);
   } else if (n < 16 && m->stage == IL_SHADER_COMPUTE) {
      global_data(m);
   } else if (n == 16 && m->stage == IL_SHADER_COMPUTE && !m->depth && !m->in_function &&
              !m->returns) {
      barrier(m);
   } else {
      arithmetic(m);
   }
}

static void
statements(struct maker *m, unsigned count)
{
   for (unsigned n = 0; n < count && m->stmts < MAX_STMTS; n++) {
      statement(m);
   }
}

/* --- programs ----------------------------------------------------------------------------------
 */
static void
declare_literal(struct maker *m, unsigned n, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
   const uint32_t data[4] = { x, y, z, w };
   const struct il_src s = il_src(IL_REGTYPE_LITERAL, n);
   il_emit_data(m->p, IL_OP_DCL_LITERAL, 0, NULL, 1, &s, 4, data);
}

static void
declare_input(struct maker *m, unsigned n, unsigned usage, unsigned mode)
{
   struct il_dst d = il_dst(IL_REGTYPE_INPUT, n);
   il_emit(m->p, IL_OP_DCL_INPUT, usage | mode << 5, &d, 0, NULL);
}

static void
declare(struct maker *m)
{
   struct il_src buffer = il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, NUM_CONSTS, NULL);
   struct il_src array =
      il_array_src(m->p, IL_REGTYPE_ITEMP, 0, pick(m, 4) ? ARRAY_SIZE : 90, NULL);
   uint32_t table[1 + 32];

   if (m->stage == IL_SHADER_COMPUTE) {
      const uint32_t block[3] = { 16, CS_THREADS / 16, 1 };
      const uint32_t raw = LDS_BYTES / 2, structs[2] = { 8, LDS_BYTES / 16 }, stride = 16;
      il_emit_data(m->p, IL_OP_DCL_NUM_THREAD_PER_GROUP, 3, NULL, 0, NULL, 3, block);
      il_emit_data(m->p, IL_OP_DCL_LDS, 0, NULL, 0, NULL, 1, &raw);
      il_emit_data(m->p, IL_OP_DCL_STRUCT_LDS, 1, NULL, 0, NULL, 2, structs);
      il_emit(m->p, IL_OP_DCL_RAW_UAV, 0, NULL, 0, NULL);
      il_emit(m->p, IL_OP_DCL_RAW_UAV, 1, NULL, 0, NULL);
      il_emit_data(m->p, IL_OP_DCL_STRUCT_UAV, 2, NULL, 0, NULL, 1, &stride);
   }
   il_emit(m->p, IL_OP_DCL_CONST_BUFFER, 0, NULL, 1, &buffer);
   table[0] = 32;
   for (unsigned i = 0; i < 32; i++) {
      table[1 + i] = rng_bits(m->r);
   }
   il_emit_data(m->p, IL_OP_DCL_CONST_BUFFER, 0x8000, NULL, 0, NULL, 33, table);
   il_emit(m->p, IL_OP_DCL_INDEXED_TEMP_ARRAY, 0, NULL, 1, &array);
   for (unsigned n = 0; n < NUM_LITERALS; n++) {
      declare_literal(m, n, rng_bits(m->r), rng_bits(m->r), rng_bits(m->r), rng_bits(m->r));
   }
   declare_literal(m, L_SMALL, 0, 1, 2, 3);
   declare_literal(m, L_LOOP, 0, 1 + pick(m, 4), 1, ~0u);
   declare_literal(m, L_MASKS, (LDS_BYTES / 2 - 1) & ~3u, LDS_BYTES / 16 - 1,
                   (UAV_DWORDS / 2 - 1) & 0x3fc, 0x3f);

   if (m->stage == IL_SHADER_VERTEX) {
      for (unsigned n = 0; n < NUM_ATTRS; n++) {
         declare_input(m, n, IL_IMPORTUSAGE_GENERIC, 0);
      }
      declare_input(m, IL_VS_INPUT_VERTEX_ID, IL_IMPORTUSAGE_VERTEXID, 0);
      declare_input(m, IL_VS_INPUT_INSTANCE_ID, IL_IMPORTUSAGE_INSTANCEID, 0);
   } else if (m->stage == IL_SHADER_PIXEL) {
      declare_input(m, IL_LINK_POSITION, IL_IMPORTUSAGE_POS, IL_INTERPMODE_LINEAR_NOPERSPECTIVE);
      declare_input(m, IL_PS_INPUT_FRONT_FACE, IL_IMPORTUSAGE_ISFRONTFACE, IL_INTERPMODE_CONSTANT);
      for (unsigned n = 0; n < NUM_ATTRS; n++) {
         declare_input(m, 32 + n, IL_IMPORTUSAGE_GENERIC, 1 + pick(m, 7));
      }
   }
   for (unsigned n = 0; n < NUM_VALUES && m->stage != IL_SHADER_COMPUTE; n++) {
      bool vertex = m->stage == IL_SHADER_VERTEX;
      struct il_dst d = il_dst(IL_REGTYPE_OUTPUT, vertex ? 32 + n : n);
      il_emit(m->p, IL_OP_DCL_OUTPUT, IL_IMPORTUSAGE_GENERIC, &d, 0, NULL);
   }
   if (m->stage == IL_SHADER_VERTEX) {
      struct il_dst d = il_dst(IL_REGTYPE_OUTPUT, 0);
      il_emit(m->p, IL_OP_DCL_OUTPUT, IL_IMPORTUSAGE_POS, &d, 0, NULL);
   }
}

static void
move(struct maker *m, struct il_dst d, struct il_src s)
{
   il_emit(m->p, IL_OP_MOV, 0, &d, 1, &s);
}

static void
prologue(struct maker *m)
{
   for (unsigned n = 0; n < NUM_VALUES; n++) {
      struct il_src s = il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, n, NULL);
      if (m->stage == IL_SHADER_VERTEX) {
         s = n == 7   ? il_replicate(il_src(IL_REGTYPE_INPUT, 32), 0)
             : n == 6 ? il_replicate(il_src(IL_REGTYPE_INPUT, 33), 0)
                      : il_src(IL_REGTYPE_INPUT, n % NUM_ATTRS);
      } else if (m->stage == IL_SHADER_PIXEL) {
         s = il_src(IL_REGTYPE_INPUT, 32 + n % NUM_ATTRS);
      } else if (n < 2) {
         s = il_replicate(
            il_src(n ? IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT : IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT, 0),
            0);
      }
      if (n & 1) {
         s = il_swizzle(s, 3, 2, 1, 0);
         if (m->stage == IL_SHADER_COMPUTE && n == 1) {
            s = il_replicate(s, 0);
         }
      }
      move(m, il_dst(IL_REGTYPE_TEMP, n), s);
   }
   /* Values that differ from thread to thread. */
   if (m->stage == IL_SHADER_COMPUTE) {
      for (unsigned n = 2; n < 6; n++) {
         struct il_dst d = il_dst(IL_REGTYPE_TEMP, n),
                       e = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
         const struct il_src shift[2] = { il_replicate(
                                             il_src(IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT, 0), 0),
                                          il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), 2) };
         const struct il_src at = il_replicate(il_src(IL_REGTYPE_TEMP, SCRATCH), 0);
         il_emit(m->p, IL_OP_I_SHL, 0, &e, 2, shift);
         il_emit(m->p, IL_OP_UAV_RAW_LOAD, 1, &d, 1, &at);
      }
   }
   move(m, il_dst(IL_REGTYPE_TEMP, INDEX), il_src(IL_REGTYPE_TEMP, 7));
   keep_index_small(m);
   for (unsigned n = 0; n < ARRAY_SIZE; n++) {
      move(m, il_array_dst(m->p, IL_REGTYPE_ITEMP, 0, n, NULL),
           il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, n, NULL));
   }
   /* For those that return early. */
   for (unsigned n = 0; n < NUM_VALUES && m->stage != IL_SHADER_COMPUTE; n++) {
      bool vertex = m->stage == IL_SHADER_VERTEX;
      move(m, il_dst(IL_REGTYPE_OUTPUT, vertex ? 32 + n : n), il_src(IL_REGTYPE_TEMP, n));
   }
   if (m->stage == IL_SHADER_VERTEX) {
      move(m, il_dst(IL_REGTYPE_OUTPUT, 0), il_src(IL_REGTYPE_TEMP, 0));
   }
}

static void
epilogue(struct maker *m)
{
   /* An element of the array, too. */
   struct il_dst sum = il_dst(IL_REGTYPE_TEMP, 0);
   struct il_src index = index_source(m);
   const struct il_src both[2] = { il_src(IL_REGTYPE_TEMP, 0),
                                   il_array_src(m->p, IL_REGTYPE_ITEMP, 0, 1, &index) };
   il_emit(m->p, IL_OP_I_XOR, 0, &sum, 2, both);

   for (unsigned n = 0; n < NUM_VALUES; n++) {
      struct il_src value = il_src(IL_REGTYPE_TEMP, n);
      if (m->stage != IL_SHADER_COMPUTE) {
         bool vertex = m->stage == IL_SHADER_VERTEX;
         move(m, il_dst(IL_REGTYPE_OUTPUT, vertex ? 32 + n : n), value);
         continue;
      }
      struct il_dst at = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
      struct il_dst mem = il_dst(IL_REGTYPE_GENERIC_MEM, 0);
      const uint32_t offset = 16 * n;
      const struct il_src place[3] = {
         il_replicate(il_src(IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT, 0), 0),
         il_replicate(il_src(IL_REGTYPE_LITERAL, L_MASKS + 1), 0),
         il_replicate(il_src(IL_REGTYPE_LITERAL, L_MASKS + 2 + n), 0),
      };
      const struct il_src store[2] = { il_replicate(il_src(IL_REGTYPE_TEMP, SCRATCH), 0), value };
      if (n == 0) {
         declare_literal(m, L_MASKS + 1, 16 * NUM_VALUES, 0, 0, 0);
      }
      declare_literal(m, L_MASKS + 2 + n, offset, 0, 0, 0);
      il_emit(m->p, IL_OP_U_MAD, 0, &at, 3, place);
      il_emit(m->p, IL_OP_UAV_RAW_STORE, 0, &mem, 2, store);
   }
}

struct il_program *
make_program(struct rng *r, enum il_shader stage, struct about *about)
{
   struct maker m = { .r = r, .p = il_program_new(stage), .stage = stage };

   if (!m.p) {
      return NULL;
   }
   /* A derivative needs all four pixels. */
   m.returns = has_returns && pick(&m, 3) == 0;
   declare(&m);
   prologue(&m);
   about->statements = m.p->ninsts;
   statements(&m, 4 + pick(&m, 24));
   if (stage == IL_SHADER_VERTEX) {
      move(&m, il_dst(IL_REGTYPE_OUTPUT, 0), il_src(IL_REGTYPE_TEMP, 1));
   }
   epilogue(&m);
   if (has_calls) {
      il_emit(m.p, IL_OP_ENDMAIN, 0, NULL, 0, NULL);
      m.in_function = true;
      for (uint32_t n = 1; n <= 2; n++) {
         il_emit_data(m.p, IL_OP_FUNC, 0, NULL, 0, NULL, 1, &n);
         m.stmts = 0;
         statements(&m, 1 + pick(&m, 5));
         il_emit(m.p, IL_OP_RET, 0, NULL, 0, NULL);
         il_emit(m.p, IL_OP_ENDFUNC, 0, NULL, 0, NULL);
      }
   }
   il_emit(m.p, IL_OP_END, 0, NULL, 0, NULL);
   about->mixed = m.mixed;
   if (m.p->oom) {
      il_program_free(m.p);
      return NULL;
   }
   return m.p;
}
