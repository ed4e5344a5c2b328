/* SPDX-License-Identifier: MIT */
/*
 * Random operands and statements of programs; see case.h.
 */
#include "maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/attila/attila_compile.h"
#include "compiler/cayman/cayman_compile.h"
#include "compiler/valhall/valhall_compile.h"
#include "direct/direct.h"
#include "il/conventions.h"
#include "il/lower/lower.h"

/* --- opcodes ---------------------------------------------------------------------------------- */
static uint16_t opcodes[IL_OP_LAST];
static unsigned num_opcodes;
static struct rough roughs[16];
static unsigned num_roughs;
struct offers offers;

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

static const struct shader_compiler *const compilers[ISA_COUNT] = {
   [ISA_ID_cayman] = &cayman_compiler,
   [ISA_ID_valhall] = &valhall_compiler,
   [ISA_ID_attila] = &attila_compiler,
   [ISA_ID_evergreen] = &evergreen_compiler,
};

const struct shader_compiler *
compiler_of(enum isa_id isa)
{
   return compilers[isa];
}

static const struct shader_compiler *compiler = &cayman_compiler;

/* Does the target compute by the same operations? */
static bool
is_exact(const struct il_program *p)
{
   struct il_program *lowered = NULL;
   struct il_error error;
   struct shader_bound bound;
   bool exact = il_lower(p, compiler->caps, &lowered, &error);
   const struct il_program *core = lowered ? lowered : p;

   for (uint32_t n = 0; n < core->ninsts && exact; n++)
      exact = !compiler->bound(core->insts[n].op, &bound);
   il_program_free(lowered);
   for (uint32_t n = 0; n < p->ninsts && !offers.doubles; n++) {
      /* Doubles are moved, but nothing may be done to a result. */
      const struct il_op_info *info = il_op_info(p->insts[n].op);
      exact &= !info || info->type != IL_TYPE_DOUBLE;
   }
   return exact;
}

/* Whether both execute a program; what is missing in `error`. */
static bool
both_accept(const struct il_program *p, char *error, size_t size)
{
   const struct kernels *kernels = kernels_choose();
   struct shader_code shader;
   struct direct_program direct;
   bool ok = direct_lift(kernels, p, 0, &direct, error, size);

   if (ok) {
      direct_free(kernels, &direct);
      ok = compiler->compile(p, 0, &shader, error, size);
      if (ok)
         shader_code_finish(&shader);
   }
   return ok;
}

static bool
accepted(const char *text, char *error, size_t size)
{
   struct il_error where;
   struct il_program *p = il_parse(text, strlen(text), &where);

   if (!p) {
      snprintf(error, size, "%s", where.text);
      return false;
   }
   bool ok = both_accept(p, error, size);
   if (ok && compiler->bound && !is_exact(p)) {
      snprintf(error, size, "other operations");
      ok = false;
   }
   il_program_free(p);
   return ok;
}

static bool
can(const char *head, const char *body, bool verbose)
{
   char text[1024], error[256];
   snprintf(text, sizeof(text), "%s\ndcl_literal l0, 1, 2, 3, 4\nmov r0, l0\n%s", head, body);
   bool ok = accepted(text, error, sizeof(error));
   if (!ok && verbose)
      printf("left out: %s: %.24s...\n", error, body);
   return ok;
}

static void
choose_constructs(bool verbose)
{
   static const char vertex[] = "il_vs_2_0\ndcl_output_position o0",
                     pixel[] = "il_ps_2_0\ndcl_output_generic o0",
                     sample[] = "il_ps_2_0\ndcl_output_generic o0\n"
                                "dcl_input_generic_interp(sample) v32",
                     array[] = "il_vs_2_0\ndcl_output_position o0\n"
                               "dcl_indexed_temp_array x0[90]",
                     buffer[] = "il_ps_2_0\ndcl_output_generic o0\ndcl_raw_uav_id(1)",
                     shared[] = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_gds_id(0) 64";

   offers.returns = can(vertex, "if_logicalnz r0.x\nret_dyn\nendif\nmov o0, r0\nend\n", verbose);
   offers.calls =
      can(vertex, "call 1\nmov o0, r0\nendmain\nfunc 1\nmov r0, r0\nret\nendfunc\nend\n", verbose);
   offers.modifiers = can(vertex, "add r0, r0_bias, r0_x2\nmov o0, r0\nend\n", verbose);
   offers.double_results =
      offers.modifiers && can(vertex, "dmov_sat r0.xy, r0\nmov o0, r0\nend\n", verbose);
   offers.sign = can(vertex, "add r0, r0_sign, r0\nmov o0, r0\nend\n", verbose);
   offers.switches =
      can(vertex, "switch r0.x\ncase 1\nmov r0, l0\nbreak\nendswitch\nmov o0, r0\nend\n", verbose);
   offers.memory = can(buffer, "uav_raw_load_id(1) r0, r0.x\nmov o0, r0\nend\n", verbose);
   offers.old = can(vertex, "mov r0, c5\nmov o0, r0\nend\n", verbose);
   offers.streams = can(vertex, "memimport_elem(1) r0, r0.x\nmov o0, r0\nend\n", verbose);
   offers.state = can(pixel, "colorclamp r0, r1\nmov o0, r0\nend\n", verbose);
   offers.samples = can(sample, "mov o0, v32\nend\n", verbose);
   offers.large_arrays =
      can(array, "mov x0[r0.x], r0\nmov r0, x0[r0.y]\nmov o0, r0\nend\n", verbose);
   offers.shared = can(shared, "gds_add_id(0) r0.x, r0.y\nend\n", verbose);
}

/* An operation with a control; NULL: no memory. */
static struct il_program *
single(const struct il_op_info *info, unsigned ctl)
{
   struct il_program *p = il_program_new(IL_SHADER_VERTEX);
   struct il_src src[4];
   struct il_dst dst = il_dst(IL_REGTYPE_TEMP, 1), out = il_dst(IL_REGTYPE_OUTPUT, 0);
   const struct il_src result = il_src(IL_REGTYPE_TEMP, 1);

   if (!p)
      return NULL;
   for (unsigned s = 0; s < 4; s++)
      src[s] = il_src(IL_REGTYPE_TEMP, 0);
   il_emit(p, IL_OP_DCL_OUTPUT, IL_IMPORTUSAGE_POS, &out, 0, NULL);
   il_emit(p, (enum il_opcode)info->value, ctl, &dst, info->srcs, src);
   il_emit(p, IL_OP_MOV, 0, &out, 1, &result);
   il_emit(p, IL_OP_END, 0, NULL, 0, NULL);
   return p;
}

/* The control that an opcode is tried with. */
static unsigned
plain_control(const struct il_op_info *info)
{
   return !offers.ieee_alone           ? 0
          : info->ctl == IL_CTL_IEEE   ? 1
          : info->ctl == IL_CTL_ZEROOP ? IL_ZEROOP_INFINITY
                                       : 0;
}

static void
choose_opcode(const struct il_op_info *info, bool verbose)
{
   char error[256] = "no memory";
   struct shader_bound bound;
   struct il_program *p = single(info, plain_control(info));
   bool ok = p && both_accept(p, error, sizeof(error));

   if (ok && compiler->bound && compiler->bound(info->value, &bound) &&
       num_roughs < sizeof(roughs) / sizeof(*roughs)) {
      roughs[num_roughs++] = (struct rough){ info->value, bound };
      snprintf(error, sizeof(error), "%s has a bound", info->name);
      ok = false;
   } else if (ok && compiler->bound && !is_exact(p)) {
      snprintf(error, sizeof(error), "%s: other operations", info->name);
      ok = false;
   }
   if (ok)
      opcodes[num_opcodes++] = info->value;
   else if (verbose)
      printf("left out: %s\n", error);
   il_program_free(p);
}

void
choose_opcodes(enum isa_id isa, bool verbose)
{
   const struct il_op_info *info;

   compiler = compilers[isa];
   offers = (struct offers){
      .owners = is_of_cayman(isa),
      .ballots = is_of_cayman(isa),
      .doubles = isa == ISA_ID_cayman,
      .flat = isa != ISA_ID_attila,
      .coarse = isa != ISA_ID_attila,
      .ieee_alone = isa == ISA_ID_attila,
      .snaps = isa == ISA_ID_valhall,
      .stages = is_of_cayman(isa),
      .pointers = is_of_cayman(isa),
      .units = isa == ISA_ID_attila,
   };
   num_opcodes = num_roughs = 0;
   for (unsigned i = 0; (info = il_op_row(i)); i++)
      if (is_arithmetic(info))
         choose_opcode(info, verbose);
   choose_constructs(verbose);
}

const struct rough *
choose_rough(struct maker *m)
{
   return num_roughs && pick(m, 2) ? &roughs[pick(m, num_roughs)] : NULL;
}

/* --- operands --------------------------------------------------------------------------------- */
struct il_src
index_source(struct maker *m)
{
   return il_replicate(il_src(IL_REGTYPE_TEMP, INDEX), pick(m, 4));
}

/* v[vertex][slot], vicp[point][slot], vocp[point][slot] */
static struct il_src
point_register(struct maker *m, enum il_regtype type, unsigned point, bool indexed, unsigned slot)
{
   struct il_src index = index_source(m);
   struct il_src s = indexed ? il_array_src(m->p, type, 0, point, &index) : il_src(type, point);

   s.dim2 = il_alloc(m->p, sizeof(*s.dim2));
   if (s.dim2) {
      s.dim2->type = type;
      s.dim2->num = IL_LINK_GENERIC0 + slot;
   }
   return s;
}

struct il_src
any_input(struct maker *m)
{
   struct il_src index = index_source(m);

   switch (m->stage) {
   case IL_SHADER_VERTEX:
      return il_src(IL_REGTYPE_INPUT, pick(m, NUM_ATTRS));
   case IL_SHADER_PIXEL:
      return il_src(IL_REGTYPE_INPUT, IL_LINK_GENERIC0 + pick(m, NUM_ATTRS));
   case IL_SHADER_GEOMETRY:
      if (pick(m, 8) == 0) {
         return il_replicate(
            il_src(pick(m, 2) ? IL_REGTYPE_VPRIM : IL_REGTYPE_SHADER_INSTANCE_ID, 0), 0);
      }
      return pick(m, 3) ? point_register(m, IL_REGTYPE_INPUT, pick(m, GS_VERTICES), false,
                                         pick(m, NUM_ATTRS))
                        : point_register(m, IL_REGTYPE_INPUT, pick(m, GS_VERTICES - 3), true,
                                         pick(m, NUM_ATTRS));
   case IL_SHADER_HULL:
      if (pick(m, 6) == 0) {
         static const uint8_t values[] = { IL_REGTYPE_SHADER_INSTANCE_ID, IL_REGTYPE_OCP_ID,
                                           IL_REGTYPE_VPRIM };
         return il_replicate(il_src(values[m->flat + pick(m, 3 - m->flat)], 0), 0);
      }
      if (m->patch && pick(m, 2)) {
         return point_register(m, IL_REGTYPE_OUTPUTCP, pick(m, 2) ? 0 : pick(m, PATCH_POINTS),
                               false, pick(m, NUM_VALUES));
      }
      break;
   case IL_SHADER_DOMAIN:
      switch (pick(m, 6)) {
      case 0:
         return il_src(IL_REGTYPE_DOMAINLOCATION, 0);
      case 1:
         return il_replicate(il_src(IL_REGTYPE_VPRIM, 0), 0);
      case 2:
         return pick(m, 2) ? il_src(IL_REGTYPE_PATCHCONST, pick(m, 32))
                           : il_array_src(m->p, IL_REGTYPE_PATCHCONST, 0, pick(m, 29), &index);
      default:
         break;
      }
      break;
   default:
      return il_src(pick(m, 2) ? IL_REGTYPE_THREAD_ID_IN_GROUP : IL_REGTYPE_ABSOLUTE_THREAD_ID, 0);
   }
   bool indexed = pick(m, 3) == 0;
   return point_register(m, IL_REGTYPE_INPUTCP, indexed ? 0 : pick(m, PATCH_POINTS), indexed,
                         pick(m, NUM_ATTRS));
}

/* A register of any kind that can be read. */
static struct il_src
any_register(struct maker *m)
{
   struct il_src index;
   if (m->old && pick(m, 4) == 0)
      return old_register(m);
   switch (pick(m, 20)) {
   case 0:
   case 1:
   case 2:
      return any_input(m);
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

   if (pick(m, 2))
      s = il_swizzle(s, pick(m, 4), pick(m, 4), pick(m, 4), pick(m, 4));
   if (pick(m, 24) == 0)
      s = il_swizzle(s, pick(m, 6), pick(m, 6), pick(m, 6), pick(m, 6));
   bool is_float = type == IL_TYPE_FLOAT || is_move;
   if ((is_float || type == IL_TYPE_DOUBLE) && pick(m, 6) == 0)
      s = il_absolute(s);
   if (type != IL_TYPE_BITS || is_move) {
      if (pick(m, 5) == 0) {
         s = il_negate(s);
         if (type != IL_TYPE_DOUBLE && type != IL_TYPE_INT64 && type != IL_TYPE_UINT64)
            s.neg &= (uint8_t)rng_next(m->r) & 15;
      }
   }
   if (is_float && offers.modifiers && pick(m, 24) == 0) {
      s = il_absolute(s); /* with a modifier token */
      s.flags = (uint8_t)(1u << pick(m, 6));
      if (!offers.sign)
         s.flags &= (uint8_t)~IL_SRC_SIGN;
      s.divcomp = pick(m, 3) ? IL_DIVCOMP_NONE : (uint8_t)pick(m, 4);
   }
   return s;
}

static unsigned
control(struct maker *m, const struct il_op_info *info)
{
   if (offers.ieee_alone && (info->ctl == IL_CTL_IEEE || info->ctl == IL_CTL_ZEROOP))
      return plain_control(info);
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
      for (unsigned c = 0; c < 4 && pick(m, 16) == 0; c++)
         if (pick(m, 3) == 0)
            d.comp[c] = pick(m, 2) ? IL_MODCOMP_0 : IL_MODCOMP_1;
   }
   bool is_float = info->type == IL_TYPE_FLOAT || info->value == IL_OP_MOV;
   if ((is_float || (info->type == IL_TYPE_DOUBLE && offers.double_results)) &&
       info->value != IL_OP_D_FREXP && (!is_wide(info) || offers.modifiers)) {
      d.has_mod = true;
      d.clamp = pick(m, 8) == 0;
      d.shift = pick(m, 12) == 0 ? (uint8_t)pick(m, 7) : 0;
   }
   return d;
}

struct il_src
any_operand(struct maker *m)
{
   return operand(m, IL_TYPE_BITS, false);
}

void
keep_index_small(struct maker *m)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, INDEX);
   const struct il_src s[2] = { il_src(IL_REGTYPE_TEMP, INDEX),
                                il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), 3) };
   il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
}

unsigned
output_base(const struct maker *m)
{
   return m->stage == IL_SHADER_PIXEL || m->patch ? 0 : IL_LINK_GENERIC0;
}

/* --- statements ------------------------------------------------------------------------------- */
static void
arithmetic(struct maker *m)
{
   const struct il_op_info *info = il_op_info(opcodes[pick(m, num_opcodes)]);
   if (pick(m, 10) == 0)
      info = il_op_info(IL_OP_MOV);
   struct il_src src[4];
   struct il_dst dst = destination(m, info);

   m->mixed |= info->model == IL_MODEL_SM30;
   for (unsigned n = 0; n < info->srcs && n < 4; n++)
      src[n] = operand(m, (enum il_type)info->type, info->value == IL_OP_MOV);
   if (info->value == IL_OP_D_LDEXP || info->value == IL_OP_D_CLASS)
      src[1] = il_replicate(any_register(m), pick(m, 4)); /* an integer */
   /* Matrices are rows of consecutive registers. */
   if (info->ctl == IL_CTL_MATRIX)
      src[info->srcs - 1] = il_src(IL_REGTYPE_TEMP, pick(m, NUM_VALUES - 3));
   struct il_inst *inst =
      il_emit(m->p, (enum il_opcode)info->value, control(m, info), &dst, info->srcs, src);
   if (inst && pick(m, 16) == 0 && info->category == IL_CAT_FLOAT)
      il_set_prec(inst, 1 + pick(m, 15));
   if (pick(m, 12) == 0) {
      struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, INDEX), 1 + pick(m, 15));
      struct il_src s = any_register(m);
      il_emit(m->p, IL_OP_MOV, 0, &d, 1, &s);
      keep_index_small(m);
   }
}

struct il_src
one_component(struct maker *m)
{
   return il_replicate(any_register(m), pick(m, 4));
}

/* r9.x = value & mask (l.x .. l.w of L_MASKS). */
struct il_src
masked_address(struct maker *m, unsigned mask)
{
   struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
   const struct il_src s[2] = { one_component(m),
                                il_replicate(il_src(IL_REGTYPE_LITERAL, L_MASKS), mask) };
   il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
   return il_replicate(il_src(IL_REGTYPE_TEMP, SCRATCH), 0);
}

struct il_dst
value_register(struct maker *m)
{
   return il_dst_masked(il_dst(IL_REGTYPE_TEMP, pick(m, NUM_VALUES)), 1 + pick(m, 15));
}

static void
derivative(struct maker *m, struct il_dst d, struct il_src s)
{
   if (pick(m, 4) == 0) {
      il_emit(m->p, IL_OP_FWIDTH, 0, &d, 1, &s);
      return;
   }
   il_emit(m->p, pick(m, 2) ? IL_OP_DSX : IL_OP_DSY, pick(m, 2) << 7, &d, 1, &s);
}

static void
pixel_only(struct maker *m)
{
   struct il_dst d = value_register(m);
   struct il_src s = operand(m, IL_TYPE_FLOAT, false);

   s.flags &= IL_SRC_ABS;
   s.divcomp = IL_DIVCOMP_NONE;
   if (pick(m, 2) || m->depth || m->in_function || m->returns || m->stage_memory) {
      s = one_component(m);
      if (pick(m, 32) == 0) {
         s = any_input(m);
         il_emit(m->p, IL_OP_KILL, 0, NULL, 1, &s);
      } else if (pick(m, 4) == 0) { /* or everything would be gone soon */
         il_emit(m->p, pick(m, 2) ? IL_OP_DISCARD_LOGICALZ : IL_OP_DISCARD_LOGICALNZ, 0, NULL, 1,
                 &s);
      }
      return;
   }
   if (!offers.coarse) {
      il_emit(m->p, pick(m, 2) ? IL_OP_DSX : IL_OP_DSY, 1 << 7, &d, 1, &s);
      return;
   }
   if (offers.snaps) { /* direct execution asks the texture unit, which keeps denormals */
      struct il_dst scratch = il_dst(IL_REGTYPE_TEMP, SCRATCH);
      struct il_src flushed[2] = { s, il_src(IL_REGTYPE_LITERAL, L_ONE) };
      il_emit(m->p, IL_OP_MUL, 1, &scratch, 2, flushed);
      flushed[0] = il_src(IL_REGTYPE_TEMP, SCRATCH);
      derivative(m, scratch, flushed[0]);
      il_emit(m->p, IL_OP_MUL, 1, &d, 2, flushed);
      return;
   }
   derivative(m, d, s);
}

/* An emit, a cut or both, to stream 0 or 1. */
static void
vertex_out(struct maker *m)
{
   static const uint16_t ops[] = { IL_OP_EMIT,
                                   IL_OP_EMIT,
                                   IL_OP_CUT,
                                   IL_OP_EMIT_THEN_CUT,
                                   IL_OP_EMIT_STREAM,
                                   IL_OP_CUT_STREAM,
                                   IL_OP_EMIT_THEN_CUT_STREAM };
   unsigned n = pick(m, sizeof(ops) / sizeof(*ops));
   struct il_dst d = il_dst(IL_REGTYPE_OUTPUT, output_base(m) + pick(m, NUM_VALUES));
   struct il_src s = any_register(m);

   il_emit(m->p, IL_OP_MOV, 0, &d, 1, &s);
   il_emit(m->p, (enum il_opcode)ops[n], n > 3 ? pick(m, 2) : 0, NULL, 0, NULL);
}

static void
begin_if(struct maker *m)
{
   const struct il_src s[2] = { one_component(m), one_component(m) };
   if (m->old && pick(m, 4) == 0) {
      const struct il_src b = old_boolean(m);
      il_emit(m->p, IL_OP_IFNZ, 0, NULL, 1, &b);
      return;
   }
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
   unsigned counter = (m->in_macro ? MACRO_COUNTERS : COUNTERS) + m->loops++;
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

   if (form == 0)
      begin_if(m);
   il_emit(m->p, (enum il_opcode)forms[go_on][form], form == 1 ? pick(m, 6) : 0, NULL,
           sources[form], s);
   if (form == 0)
      il_emit(m->p, IL_OP_ENDIF, 0, NULL, 0, NULL);
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
      if (n == fallback)
         il_emit(m->p, IL_OP_DEFAULT, 0, NULL, 0, NULL);
      const uint32_t value = n;
      il_emit_data(m->p, IL_OP_CASE, 0, NULL, 0, NULL, 1, &value);
      statements(m, 1 + pick(m, 2));
      if (pick(m, 3))
         il_emit(m->p, IL_OP_BREAK, 0, NULL, 0, NULL);
   }
   m->loop_depth -= 16;
   m->depth--;
   il_emit(m->p, IL_OP_ENDSWITCH, 0, NULL, 0, NULL);
}

static void
return_early(struct maker *m)
{
   const struct il_src s = one_component(m);

   if (pick(m, 2)) {
      il_emit(m->p, pick(m, 2) ? IL_OP_RET_LOGICALZ : IL_OP_RET_LOGICALNZ, 0, NULL, 1, &s);
      return;
   }
   begin_if(m);
   il_emit(m->p, IL_OP_RET_DYN, 0, NULL, 0, NULL);
   il_emit(m->p, IL_OP_ENDIF, 0, NULL, 0, NULL);
}

static void
call(struct maker *m)
{
   static const uint16_t forms[] = { IL_OP_CALL, IL_OP_CALL_LOGICALZ, IL_OP_CALL_LOGICALNZ,
                                     IL_OP_CALLNZ };
   /* A hull shader's are of a phase each: they write its outputs. */
   const uint32_t function = m->stage == IL_SHADER_HULL ? 1u + m->patch : 1 + pick(m, 2);
   unsigned form = pick(m, m->old ? 4 : 3);
   const struct il_src s = form == 3 ? old_boolean(m) : one_component(m);

   il_emit_data(m->p, (enum il_opcode)forms[form], 0, NULL, form ? 1 : 0, &s, 1, &function);
}

/* r11 = op(something), which nothing but its output reads. */
static void
rough_value(struct maker *m)
{
   const struct shader_bound *bound = &m->rough->bound;
   struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, ROUGH), 1 + pick(m, 15));
   struct il_dst scratch = il_dst(IL_REGTYPE_TEMP, SCRATCH);
   struct il_src s = operand(m, IL_TYPE_FLOAT, false);

   if (bound->range > 0) {
      const struct il_src literal = il_src(IL_REGTYPE_LITERAL, L_RANGE);
      struct il_src pair[2] = { s, literal };
      il_emit(m->p, IL_OP_MIN, 0, &scratch, 2, pair);
      pair[0] = il_src(IL_REGTYPE_TEMP, SCRATCH);
      pair[1] = il_negate(literal);
      il_emit(m->p, IL_OP_MAX, 0, &scratch, 2, pair);
      s = il_src(IL_REGTYPE_TEMP, SCRATCH);
   }
   if (bound->magnitude) {
      il_emit(m->p, IL_OP_MOV, 0, &scratch, 1, &s);
      s = il_absolute(il_src(IL_REGTYPE_TEMP, SCRATCH));
      const struct il_src pair[2] = { s, il_src(IL_REGTYPE_LITERAL, L_LEAST) };
      il_emit(m->p, IL_OP_MAX, 0, &scratch, 2, pair);
      s = il_src(IL_REGTYPE_TEMP, SCRATCH);
   }
   il_emit(m->p, (enum il_opcode)m->rough->op, plain_control(il_op_info(m->rough->op)), &d, 1, &s);
}

static void
statement(struct maker *m)
{
   unsigned n = pick(m, 32);

   m->stmts++;
   if (m->rough && !m->in_macro && pick(m, 12) == 0) {
      rough_value(m);
      return;
   }
   if (pick(m, 10) == 0 && extra_statement(m))
      return;
   if (n < 4 && m->depth < 4)
      branch(m);
   else if (n == 4 && m->depth < 4 && m->loop_depth % 16 < 2)
      loop(m);
   else if (n == 5 && m->depth < 4 && offers.switches)
      choice(m);
   else if (n == 6 && m->loop_depth)
      leave_loop(m, m->loop_depth % 16 && pick(m, 2));
   else if (n == 7 && m->returns && m->depth && !m->in_macro)
      return_early(m);
   else if (n == 8 && offers.calls && !m->in_function)
      call(m);
   else if (n < 12 && m->stage == IL_SHADER_PIXEL)
      pixel_only(m);
   else if (n < 11 && m->stage == IL_SHADER_GEOMETRY)
      vertex_out(m);
   else if (n < 14 && m->stage == IL_SHADER_COMPUTE)
      local_data(m);
   else if (n < 16 && m->stage == IL_SHADER_COMPUTE)
      global_data(m);
   else if (n == 17 && m->stage == IL_SHADER_COMPUTE && offers.shared)
      shared_data(m);
   else if (n == 16 && m->stage == IL_SHADER_COMPUTE && !m->depth && !m->in_function && !m->returns)
      barrier(m);
   else if (n < 18 || n >= 24 || !texture_statement(m))
      arithmetic(m);
}

void
statements(struct maker *m, unsigned count)
{
   for (unsigned n = 0; n < count && m->stmts < MAX_STMTS; n++)
      statement(m);
}
