/* SPDX-License-Identifier: MIT */
/*
 * Lifts an ATTILA program: every instruction to micro-operations, as the table's lift and how
 * columns say (isa/attila/opcodes.def).
 *
 * A result goes to its register at once, component by component, unless the instruction reads that
 * register: then it goes through temporaries.  A program that breaks a rule is not lifted.
 */
#include "attila/program.h"

#include "options.h"
#include "port/tex_op.h"
#include "port/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct at_lift {
   struct at_lifted *p;
   struct attila_inst inst;
   const struct attila_info *info;
   struct at_step *step;
   struct uop_operand gathered[2][4]; /* relative constants: of PARAM and PARAM2, by component */
   bool has_gathered[2][4];
   struct uop_builder b; /* of p->code */
};

static void __attribute__((format(printf, 2, 3))) refuse(struct at_lift *l, const char *format, ...)
{
   struct at_lifted *p = l->p;
   va_list args;
   if (p->head.core.error)
      return;
   int n =
      snprintf(p->message, sizeof(p->message), "instruction %u: ", p->num_steps - p->first_step);
   va_start(args, format);
   vsnprintf(p->message + n, sizeof(p->message) - (size_t)n, format, args);
   va_end(args);
   p->head.core.error = p->message;
}

/* ------------------------------------------------------------------------------------------------
 * Micro-operations and operands
 */

/* An operand that an operation has not. */
static const struct uop_operand none;

static struct uop_operand
row_operand(uint32_t row)
{
   return uop_row(row * COMP_BYTES);
}

static struct uop_operand
literal(struct at_lift *l, uint32_t value)
{
   return uop_literal(&l->b, value);
}

/* A new temporary with the result of an operation. */
static struct uop_operand
compute(struct at_lift *l, enum uop_id op, struct uop_operand a, struct uop_operand b,
        struct uop_operand c)
{
   struct uop_operand to = uop_temp(&l->b);
   uop_emit(&l->b, op, to.at, a, b, c);
   return to;
}

static uint32_t
register_row(const struct at_lift *l, unsigned bank, unsigned reg)
{
   /* In the pipeline, of inputs only those that are read have rows. */
   if (bank == ATTILA_IN && l->p->pipeline)
      reg = l->p->head.input[reg] - 1u;
   return l->p->first[bank] + 4 * reg;
}

static bool
is_constant(unsigned bank)
{
   return bank == ATTILA_PARAM || bank == ATTILA_PARAM2;
}

/* Component `comp` of a register, without modifiers. */
static struct uop_operand
read_register(struct at_lift *l, const struct attila_src *src, unsigned comp)
{
   if (!is_constant(src->bank))
      return row_operand(register_row(l, src->bank, src->reg) + comp);
   bool upper = src->bank == ATTILA_PARAM2;
   if (!l->inst.relative) {
      uint32_t n = src->reg + (upper ? 256u : 0);
      return uop_uniform(AT_UNI_CONSTANTS + 4 * n + comp);
   }
   if (!l->has_gathered[upper][comp]) {
      struct uop_operand to = uop_temp(&l->b);
      struct uop_operand address =
         row_operand(register_row(l, ATTILA_ADDR, l->inst.rel_reg) + l->inst.rel_comp);
      struct uop *u = uop_emit(&l->b, UOP_AT_CONSTANT, to.at, address, none, none);
      u->p.element.number = (uint32_t)(attila_rel_offset(&l->inst) + (upper ? 256 : 0));
      u->p.element.comp = (uint8_t)comp;
      l->gathered[upper][comp] = to;
      l->has_gathered[upper][comp] = true;
   }
   return l->gathered[upper][comp];
}

/* What source n has for component `comp` of the instruction (readFloatPointVector and its kin). */
static struct uop_operand
source(struct at_lift *l, unsigned n, unsigned comp)
{
   const struct attila_src *src = &l->inst.src[n];
   char kind = attila_source_kind(&l->inst, l->info, n);
   bool scalar = kind == 's' || kind == 'j';
   struct uop_operand v =
      n == 1 && attila_is_immediate(&l->inst)
         ? literal(l, l->inst.immediate)
         : read_register(l, src, attila_select(src->swizzle, scalar ? 0 : comp));

   if (kind == 'i' || kind == 'j') {
      struct uop_operand zero = literal(l, 0);
      if (src->absolute)
         v = compute(l, UOP_MAX_INT, v, compute(l, UOP_SUB_INT, zero, v, zero), zero);
      if (src->negate)
         v = compute(l, UOP_SUB_INT, zero, v, zero);
      return v;
   }
   v.mods = (uint8_t)((src->absolute ? UOP_ABS : 0) | (src->negate ? UOP_NEG : 0));
   return v;
}

/* Where component `comp` of the result goes. */
static struct uop_operand
result_operand(const struct at_lift *l, unsigned comp)
{
   return row_operand(register_row(l, l->inst.result_bank, l->inst.result_reg) + comp);
}

/* Values to the components that are written, saturated if the instruction says so. */
static void
write_result(struct at_lift *l, const struct uop_operand values[4])
{
   bool bits = l->info->result == ATTILA_RESULT_INT || l->info->result == ATTILA_RESULT_ADDR;
   for (unsigned c = 0; c < 4; c++) {
      if (attila_writes(l->inst.mask, c)) {
         struct uop *u = uop_emit(&l->b, bits ? UOP_COPY : UOP_MOV, result_operand(l, c).at,
                                  values[c], none, none);
         u->clamp = l->inst.saturate && !bits;
      }
   }
}

static void
replicate(struct at_lift *l, struct uop_operand value)
{
   write_result(l, (struct uop_operand[]){ value, value, value, value });
}

/* ------------------------------------------------------------------------------------------------
 * The ways of the table
 */

/* Does an instruction read what it writes, in a component that it may have written before? */
static bool
reads_result(const struct at_lift *l)
{
   const struct attila_inst *inst = &l->inst;
   for (unsigned n = 0; n < 3; n++) {
      const struct attila_src *src = &inst->src[n];
      if (!attila_reads(inst, l->info, n) || (n == 1 && attila_is_immediate(inst)))
         continue;
      if (is_constant(src->bank) ? inst->relative && inst->result_bank == ATTILA_ADDR
                                 : src->bank == inst->result_bank && src->reg == inst->result_reg)
         return true;
   }
   return false;
}

/* An operation for every component that is written, of the sources that are read. */
static void
lift_each(struct at_lift *l, enum uop_id op)
{
   struct uop_operand values[4], src[3] = { none };
   bool apart = reads_result(l);

   for (unsigned c = 0; c < 4; c++) {
      unsigned count = 0;
      values[c] = literal(l, 0);
      if (!attila_writes(l->inst.mask, c))
         continue;
      for (unsigned n = 0; n < 3; n++)
         if (attila_reads(&l->inst, l->info, n))
            src[count++] = source(l, n, c);
      values[c] = apart ? uop_temp(&l->b) : result_operand(l, c);
      struct uop *u = uop_emit(&l->b, op, values[c].at, src[0], src[1], src[2]);
      u->clamp = l->inst.saturate && !apart;
   }
   if (apart)
      write_result(l, values);
}

/* An operation once, of a scalar source. */
static void
lift_scalar(struct at_lift *l, enum uop_id op)
{
   replicate(l, compute(l, op, source(l, 0, 0), none, none));
}

/* The sum of `count` products, from x on, and `more` if it is not NULL: each rounded. */
static struct uop_operand
dot(struct at_lift *l, unsigned count, const struct uop_operand *more)
{
   struct uop_operand sum =
      compute(l, UOP_MUL_IEEE, source(l, 0, 0), source(l, 1, 0), literal(l, 0));
   for (unsigned c = 1; c < count; c++)
      sum = compute(l, UOP_MULADD_IEEE, source(l, 0, c), source(l, 1, c), sum);
   return more ? compute(l, UOP_ADD, sum, *more, *more) : sum;
}

/* ------------------------------------------------------------------------------------------------
 * Instructions that are put together
 */
static const uint32_t one_bits = 0x3f800000u;

static void
attila_lift_nop(struct at_lift *l)
{
   (void)l;
}

static void
attila_lift_end(struct at_lift *l)
{
   l->step->end = true;
}

static void
attila_lift_dp3(struct at_lift *l)
{
   replicate(l, dot(l, 3, NULL));
}

static void
attila_lift_dp4(struct at_lift *l)
{
   replicate(l, dot(l, 4, NULL));
}

static void
attila_lift_dph(struct at_lift *l)
{
   struct uop_operand w = source(l, 1, 3);
   replicate(l, dot(l, 3, &w));
}

/* A value in a temporary: what follows may write where it came from. */
static struct uop_operand
keep(struct at_lift *l, struct uop_operand v)
{
   return compute(l, UOP_MOV, v, v, v);
}

static void
attila_lift_dst(struct at_lift *l)
{
   struct uop_operand y = compute(l, UOP_MUL_IEEE, source(l, 0, 1), source(l, 1, 1), literal(l, 0));
   struct uop_operand z = keep(l, source(l, 0, 2)), w = keep(l, source(l, 1, 3));
   write_result(l, (struct uop_operand[]){ literal(l, one_bits), y, z, w });
}

static void
attila_lift_exp(struct at_lift *l)
{
   struct uop_operand a = source(l, 0, 0), floor = compute(l, UOP_FLOOR, a, a, a);
   write_result(l,
                (struct uop_operand[]){ compute(l, UOP_EXP_IEEE, floor, floor, floor),
                                        compute(l, UOP_AT_FRC, a, a, a),
                                        compute(l, UOP_EXP_IEEE, a, a, a), literal(l, one_bits) });
}

static void
attila_lift_log(struct at_lift *l)
{
   struct uop_operand a = source(l, 0, 0), size = a;
   size = uop_abs(size);
   struct uop_operand values[4] = {
      compute(l, UOP_AT_EXPONENT, a, a, a),
      compute(l, UOP_AT_MANTISSA, a, a, a),
      compute(l, UOP_LOG_IEEE, size, size, size),
      literal(l, one_bits),
   };
   write_result(l, values);
}

/* 0^0 is 1: the product takes 0 times anything for 0. */
static void
attila_lift_lit(struct at_lift *l)
{
   struct uop_operand zero = literal(l, 0), a[4];
   for (unsigned c = 0; c < 4; c++)
      a[c] = c == 2 ? zero : source(l, 0, c);
   struct uop_operand x = compute(l, UOP_AT_CMP, a[0], zero, a[0]);
   struct uop_operand y = compute(l, UOP_AT_CMP, a[1], zero, a[1]);
   struct uop_operand w = compute(l, UOP_AT_CLAMP_128, a[3], zero, zero);
   struct uop_operand log = compute(l, UOP_LOG_IEEE, y, y, y);
   struct uop_operand power = compute(l, UOP_MUL, w, log, zero);
   power = compute(l, UOP_EXP_IEEE, power, power, power);
   struct uop_operand one = literal(l, one_bits);
   write_result(l, (struct uop_operand[]){ one, x, compute(l, UOP_CNDGT, x, power, zero), one });
}

static void
kill_below(struct at_lift *l, struct uop_operand v)
{
   uop_emit(&l->b, UOP_AT_KILL, 0, v, none, none);
   l->p->head.core.uses_kill = true;
}

static void
attila_lift_kil(struct at_lift *l)
{
   for (unsigned c = 0; c < 4; c++)
      kill_below(l, source(l, 0, c));
}

static void
attila_lift_cmpkil(struct at_lift *l)
{
   struct uop_operand values[4];
   for (unsigned c = 0; c < 4; c++) {
      values[c] = compute(l, UOP_AT_CMP, source(l, 0, c), source(l, 1, c), source(l, 2, c));
      if (attila_writes(l->inst.mask, c))
         kill_below(l, values[c]);
   }
   write_result(l, values);
}

static void
attila_lift_zxp(struct at_lift *l)
{
   struct uop_operand a = source(l, 0, 0);
   uop_emit(&l->b, UOP_AT_DEPTH, 0, a, none, none);
   l->p->head.depth = true;
}

static void
difference(struct at_lift *l, enum uop_id op)
{
   struct uop_operand values[4];
   for (unsigned c = 0; c < 4; c++) {
      struct uop_operand a = source(l, 0, c);
      values[c] = compute(l, op, a, none, none);
   }
   write_result(l, values);
   l->p->head.core.needs_helpers = true;
}

static void
attila_lift_ddx(struct at_lift *l)
{
   difference(l, UOP_AT_RIGHT);
}

static void
attila_lift_ddy(struct at_lift *l)
{
   difference(l, UOP_AT_BELOW);
}

/* Row n of those that instructions have for what they send and get. */
static struct uop_operand
own_row(const struct at_lift *l, unsigned n)
{
   return row_operand(l->p->temp_row + n);
}

static void
write_fetched(struct at_lift *l)
{
   struct uop_operand values[4];
   for (unsigned c = 0; c < 4; c++)
      values[c] = own_row(l, AT_RESULT + c);
   write_result(l, values);
}

/* An attribute by its index among those that the program loads. */
static void
load_element(struct at_lift *l)
{
   struct at_lifted *p = l->p;
   const uint8_t number = l->inst.src[1].reg;
   uint32_t n = 0;

   while (n < p->head.num_attributes && p->attributes[n] != number)
      n++;
   if (n == p->head.num_attributes) {
      if (!uop_grow(&l->b, (void **)&p->attributes, n, &p->cap_attributes, 1))
         return;
      p->attributes[p->head.num_attributes++] = number;
   }
   struct uop_operand index = source(l, 0, 0);
   uop_emit(&l->b, UOP_AT_LDA, 0, index, none, none)->p.message.number = n;
   write_fetched(l);
}

static void
attila_lift_lda(struct at_lift *l)
{
   if (l->p->pipeline) {
      load_element(l);
      return;
   }
   struct uop_operand index = source(l, 0, 0), values[4];
   for (unsigned c = 0; c < 4; c++) {
      values[c] = uop_temp(&l->b);
      struct uop *u = uop_emit(&l->b, UOP_AT_ATTRIBUTE, values[c].at, index, none, none);
      u->p.element.number = l->inst.src[1].reg;
      u->p.element.comp = (uint8_t)c;
   }
   write_result(l, values);
}

/* What the texture unit is asked: the reference of a comparison is w, or z if w is the
 * level. */
static unsigned
sample_op(const struct at_lift *l, bool compares)
{
   switch (l->inst.opcode) {
   case ATTILA_TXL:
      return compares ? TD_SAMPLE_C_L : TD_SAMPLE_L;
   case ATTILA_TXB:
      if (l->p->pixel)
         return compares ? TD_SAMPLE_C_LB : TD_SAMPLE_LB;
      return compares ? TD_SAMPLE_C_L : TD_SAMPLE_L;
   default:
      if (l->p->pixel)
         return compares ? TD_SAMPLE_C : TD_SAMPLE;
      return compares ? TD_SAMPLE_C_LZ : TD_SAMPLE_LZ;
   }
}

/* A direction becomes coordinates on a face and the face's number. */
static void
face_of_cube(struct at_lift *l, struct uop_operand coord[3])
{
   const struct uop_operand one_and_half = literal(l, 0x3fc00000);
   struct uop_operand part[4];
   struct uop *u = uop_add(&l->b, UOP_CUBE_FACE);

   for (unsigned c = 0; c < 4; c++) {
      part[c] = uop_temp(&l->b);
      u[c].dst = part[c].at;
      if (c < 3)
         u[c].src[0] = coord[c];
   }
   struct uop_operand over = compute(l, UOP_RECIP_IEEE, uop_abs(part[2]), none, none);
   for (unsigned c = 0; c < 2; c++)
      coord[c] = compute(l, UOP_MULADD_IEEE, part[c], over, one_and_half);
   coord[2] = part[3];
}

static void
attila_lift_sample(struct at_lift *l)
{
   struct at_lifted *p = l->p;
   const unsigned number = l->inst.src[1].reg, unit = number % AT_UNITS;
   const bool compares = number & AT_UNIT_COMPARES, cube = p->cubes >> unit & 1;
   const unsigned op = sample_op(l, compares);
   struct uop_operand coord[4];

   if (!p->pipeline) {
      refuse(l, "there are no texture units around the program");
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      coord[c] = source(l, 0, c);
   if (l->inst.opcode == ATTILA_TXP) {
      struct uop_operand over = compute(l, UOP_RECIP_IEEE, coord[3], none, none);
      for (unsigned c = 0; c < 3; c++)
         coord[c] = compute(l, UOP_MUL_IEEE, coord[c], over, none);
   }
   const struct uop_operand reference = coord[2];
   if (cube)
      face_of_cube(l, coord);
   const bool lod =
      op == TD_SAMPLE_L || op == TD_SAMPLE_LB || op == TD_SAMPLE_C_L || op == TD_SAMPLE_C_LB;
   if (compares && !lod) {
      coord[2] = literal(l, 0);
      coord[3] = reference;
   }
   for (unsigned c = 0; c < 4; c++)
      uop_emit(&l->b, UOP_MOV, own_row(l, AT_SOURCE + c).at, coord[c], none, none);

   if (!uop_grow(&l->b, (void **)&p->tex, p->head.num_tex, &p->cap_tex, sizeof(*p->tex)))
      return;
   struct at_tex_ref *ref = &p->tex[p->head.num_tex];
   *ref = (struct at_tex_ref){
      .unit = (uint8_t)unit,
      .lookup = { .op = (uint8_t)op,
                  .normalized = 7 & ~(number & AT_UNIT_TEXELS ? 3 : 0) & ~(cube ? 4 : 0),
                  .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W } },
   };
   uop_emit(&l->b, UOP_AT_SAMPLE, 0, none, none, none)->p.message.number = p->head.num_tex++;
   p->head.core.needs_helpers |= p->pixel && l->inst.opcode != ATTILA_TXL;
   write_fetched(l);
}

static void
attila_lift_kls(struct at_lift *l)
{
   l->p->head.kills_samples = true;
   for (unsigned c = 0; c < 4; c++) {
      struct uop_operand a = source(l, 0, c);
      uop_emit(&l->b, UOP_AT_KILL_SAMPLE, 0, a, none, none)->p.immediate.bits =
         1u << (l->inst.src[1].reg & 15);
   }
}

static void
attila_lift_fixed(struct at_lift *l)
{
   struct uop_operand values[4], src[3] = { none };
   for (unsigned c = 0; c < 4; c++) {
      unsigned count = 0;
      values[c] = uop_temp(&l->b);
      for (unsigned n = 0; n < 3; n++)
         if (attila_reads(&l->inst, l->info, n))
            src[count++] = source(l, n, c);
      if (!attila_writes(l->inst.mask, c))
         continue;
      struct uop *u = uop_emit(&l->b, UOP_AT_FIXED, values[c].at, src[0], src[1], src[2]);
      u->p.fixed.low = (l->p->temp_row + AT_ACC + c) * COMP_BYTES;
      u->p.fixed.high = (l->p->temp_row + AT_ACC + 4 + c) * COMP_BYTES;
      u->p.fixed.adds = l->inst.opcode == ATTILA_FXMAD2;
      u->p.fixed.ends = l->inst.opcode == ATTILA_FXMAD;
   }
   if (l->info->result != ATTILA_RESULT_ACC)
      write_result(l, values);
}

static void
attila_lift_setp(struct at_lift *l)
{
   static const uint8_t compare[256] = {
      [ATTILA_SETPEQ] = UOP_EQUAL,
      [ATTILA_SETPGT] = UOP_GREATER,
      [ATTILA_SETPLT] = UOP_LESS,
      [ATTILA_SETPEQI] = UOP_INTEGER | UOP_EQUAL,
      [ATTILA_SETPGTI] = UOP_INTEGER | UOP_GREATER,
      [ATTILA_SETPLTI] = UOP_INTEGER | UOP_LESS,
   };
   struct uop_operand a = source(l, 0, 0), b = source(l, 1, 0);
   struct uop *u = uop_emit(&l->b, UOP_AT_SETP, 0, a, b, none);
   u->p.setp.compare = compare[l->inst.opcode];
   u->p.setp.predicate = l->inst.result_reg;
   u->p.setp.invert = l->inst.saturate;
   l->step->sets_pred = true;
}

/* readBoolean */
static struct at_bool
boolean(struct at_lift *l, unsigned n)
{
   const struct attila_src *src = &l->inst.src[n];
   if (src->absolute)
      return (struct at_bool){ AT_BOOL_VALUE, src->negate, 0 };
   if (!is_constant(src->bank))
      return (struct at_bool){ AT_BOOL_PREDICATE, src->negate, src->reg };
   struct uop_operand v = read_register(l, src, attila_select(src->swizzle, 0));
   return v.kind == UOP_ROW ? (struct at_bool){ AT_BOOL_ROW, src->negate, v.at }
                            : (struct at_bool){ AT_BOOL_UNIFORM, src->negate, 4 * v.at };
}

static void
attila_lift_andp(struct at_lift *l)
{
   l->step->control = AT_AND;
   l->step->operand[0] = boolean(l, 0);
   l->step->operand[1] = boolean(l, 1);
   l->step->result = l->inst.result_reg;
   l->step->invert = l->inst.saturate;
}

static void
attila_lift_jmp(struct at_lift *l)
{
   l->step->control = AT_JUMP;
   l->step->operand[0] = boolean(l, 0);
   l->step->target = l->p->num_steps + l->inst.immediate; /* validated */
}

/* ------------------------------------------------------------------------------------------------
 * Programs
 */
static void
lift_inst(struct at_lift *l)
{
   switch (l->inst.opcode) {
#define LIFT_EACH(name, how)       lift_each(l, UOP_##how);
#define LIFT_OWN(name, how)        lift_each(l, UOP_AT_##how);
#define LIFT_SCALAR(name, how)     lift_scalar(l, UOP_##how);
#define LIFT_OWN_SCALAR(name, how) lift_scalar(l, UOP_AT_##how);
#define LIFT_BUILD(name, how)      attila_lift_##how(l);
#define LIFT_WAITS(name, how)      refuse(l, "not implemented: %s, which needs %s", #name, #how);
#define ATTILA_OP(name, opcode, kind, result, sources, forms, lift, how, text) \
   case opcode:                                                                \
      LIFT_##lift(name, how) break;
#include "isa/attila/opcodes.def"
   default:
      break;
   }
}

static void
raise(uint32_t *highest, unsigned reg)
{
   *highest = *highest > reg ? *highest : reg + 1;
}

/* Which constants a source may be. */
static void
count_constants(struct at_lifted *p, const struct attila_inst *inst, unsigned n)
{
   const struct attila_src *src = &inst->src[n];
   if (!is_constant(src->bank) ||
       (attila_source_kind(inst, attila_info(inst->opcode), n) == 'b' && src->absolute))
      return;
   for (unsigned bank = 0; bank < 2; bank++) {
      const bool there = bank == (src->bank == ATTILA_PARAM2);
      const uint32_t count = inst->relative ? ATTILA_CONSTANTS / 2 : there ? src->reg + 1u : 0;
      if (count > p->head.constants[bank])
         p->head.constants[bank] = (uint16_t)count;
   }
}

/* How many registers of each bank there are, and where they lie. */
static void
place_registers(struct at_lifted *p, const uint32_t *words, uint32_t count)
{
   uint32_t used[ATTILA_ADDR + 1] = { 0 };
   bool inputs[256] = { false };
   struct attila_inst inst;

   for (uint32_t i = 0; i < count; i++) {
      attila_decode(words + ATTILA_DWORDS * i, &inst);
      const struct attila_info *info = attila_info(inst.opcode);
      for (unsigned n = 0; n < 3; n++) {
         char kind = attila_reads(&inst, info, n) ? attila_source_kind(&inst, info, n) : 0;
         if (kind && strchr("vsij", kind) && inst.src[n].bank <= ATTILA_ADDR)
            raise(&used[inst.src[n].bank], inst.src[n].reg);
         if (kind && strchr("vsij", kind) && inst.src[n].bank == ATTILA_IN)
            inputs[inst.src[n].reg] = true;
         if (kind && strchr("vsijb", kind))
            count_constants(p, &inst, n);
      }
      if (info->result != ATTILA_RESULT_NONE && info->result != ATTILA_RESULT_PRED &&
          info->result != ATTILA_RESULT_ACC) {
         raise(&used[inst.result_bank], inst.result_reg);
         for (unsigned c = 0; c < 4 && inst.result_bank == ATTILA_OUT; c++)
            if (attila_writes(inst.mask, c))
               p->head.output_mask[inst.result_reg] |= (uint8_t)(1u << c);
      }
   }
   if (p->pipeline) {
      /* Instances are wanted for attributes. */
      inputs[0] |= !p->pixel;
      used[ATTILA_IN] = 0;
      for (unsigned n = 0; n < 256; n++)
         if (inputs[n])
            p->head.input[n] = (uint8_t)++used[ATTILA_IN];
      p->head.core.lane_varying = used[ATTILA_IN] != 0;
   }
   used[ATTILA_ADDR] = ATTILA_ADDRESSES;
   used[ATTILA_PARAM] = 0;
   for (unsigned bank = 1; bank <= ATTILA_ADDR; bank++)
      p->first[bank] = p->first[bank - 1] + 4 * used[bank - 1];
   p->temp_row = p->first[ATTILA_ADDR] + 4 * ATTILA_ADDRESSES;
   p->head.num_inputs = used[ATTILA_IN];
   p->head.num_outputs = used[ATTILA_OUT];
   p->head.output_row = p->first[ATTILA_OUT];
   p->head.num_rows = p->temp_row + AT_EXTRA_ROWS;
   p->head.barycentric_row = p->temp_row + AT_PAIRS;
   p->head.kill_row = p->temp_row + AT_KILLED;
   p->head.kept_rows = p->temp_row + AT_TEMPS;
}

static void
begin(struct at_lift *l, const uint32_t *words, uint32_t count)
{
   struct at_lifted *p = l->p;

   place_registers(p, words, count);
   /* No instruction needs as many temporaries as there are. */
   l->b = (struct uop_builder){
      .code = &p->code,
      .first_temp = p->temp_row + AT_TEMPS,
      .end_temp = p->temp_row + AT_EXTRA_ROWS,
   };
   p->code.num_uniforms = AT_UNI_LITERALS;
   p->code.num_components = p->head.num_rows;
   p->code.num_origins = count;
   p->code.num_predicates = ATTILA_PREDICATES;
   p->code.num_messages = count;
   if (p->pipeline && p->head.num_rows > CORE_WAVE_ROWS)
      refuse(l, "more registers than the %u rows of a wave have room for", CORE_WAVE_ROWS);
}

/* Inputs that are interpolated, in a step in front of the program. */
static void
interpolate(struct at_lift *l)
{
   struct at_lifted *p = l->p;

   for (unsigned pair = 0; pair < AT_NUM_PAIRS; pair++) {
      const uint32_t row = p->head.barycentric_row + 2 * pair;
      for (unsigned n = 0; n < AT_PARAMETERS; n++) {
         const unsigned reg = AT_PIXEL_INPUTS + AT_PARAMETERS * pair + n;
         for (unsigned c = 0; c < 4 && p->head.input[reg]; c++) {
            struct uop *u =
               uop_emit(&l->b, UOP_INTERP, (register_row(l, ATTILA_IN, reg) + c) * COMP_BYTES,
                        row_operand(row), row_operand(row + 1), none);
            u->p.interp.input = (uint8_t)n;
            u->p.interp.comp = (uint8_t)c;
         }
      }
   }
   p->steps[0].count = p->code.num_uops;
   p->first_step = p->num_steps = 1;
}

static void
verify(struct at_lift *l)
{
   struct at_lifted *p = l->p;
   char message[128];

   for (uint32_t n = 0; n < p->num_steps && !p->head.core.error && !l->b.oom; n++) {
      const struct uop_run run = { p->steps[n].first, p->steps[n].count };
      if (!uop_verify(&p->code, run, message, sizeof(message)))
         refuse(l, "%s", message);
   }
}

static void
listing(FILE *out, void *data, uint32_t origin)
{
   const struct at_source *source = data;
   char *text = attila_listing(source->words + ATTILA_DWORDS * (size_t)origin, ATTILA_DWORDS, NULL);

   fprintf(out, "  %5u  %s", origin, text ? text : "?\n");
   free(text);
}

static void
print(struct at_lift *l, const struct at_source *source)
{
   fprintf(stderr, "micro-operations of an ATTILA program\n");
   uop_print(stderr, &l->p->code, (struct uop_run){ 0, l->p->code.num_uops }, listing,
             (void *)source);
}

/* Whether b runs in the same lanes as a, which is in front of it and changes no predicate. */
static bool
same_lanes(const struct at_step *a, const struct at_step *b)
{
   return a->predicated == b->predicated &&
          (!a->predicated || (a->pred == b->pred && a->invert_pred == b->invert_pred));
}

static bool
make_blocks(struct at_lifted *p)
{
   struct uop_run *runs = calloc(p->num_steps + 1, sizeof(*runs));
   bool *starts = calloc(p->num_steps + 1, sizeof(*starts));
   bool ok = runs && starts;

   for (uint32_t n = 0; ok && n < p->num_steps; n++) {
      const struct at_step *step = &p->steps[n];
      runs[n] = (struct uop_run){ step->first, step->count };
      starts[n + 1] |= step->control != AT_NEXT || step->end || step->sets_pred ||
                       (n + 1 < p->num_steps && !same_lanes(step, step + 1));
      if (step->control == AT_JUMP && step->target < p->num_steps)
         starts[step->target] = true;
   }
   ok = ok && uop_blocks_make(&p->blocks, p->num_steps, runs, starts);
   for (uint32_t n = 0; ok && n < p->blocks.count; n++) {
      struct uop_block *b = &p->blocks.blocks[n];
      const struct at_step *last = &p->steps[b->first + b->count - 1];
      for (unsigned k = 0; k < 2; k++)
         if (last->operand[k].kind == AT_BOOL_ROW)
            b->kept[k] = last->operand[k].at / COMP_BYTES;
   }
   free(runs);
   free(starts);
   return ok;
}

struct at_lifted *
at_lift(const struct at_source *source)
{
   struct at_lifted *p = calloc(1, sizeof(*p));
   struct at_lift l = { .p = p };
   struct isa_limits limits = { .stage = source->pixel ? ISA_STAGE_PIXEL : ISA_STAGE_VERTEX };
   uint32_t count = (uint32_t)(source->num_dwords / ATTILA_DWORDS);

   if (!p)
      return NULL;
   p->pixel = p->head.pixel = source->pixel;
   p->pipeline = p->head.pipeline = source->pipeline;
   p->cubes = source->cubes;
   if (source->num_dwords >= UINT32_MAX) {
      p->head.core.error = "the program is too long";
      return p;
   }
   if (!attila_validate(source->words, source->num_dwords, &limits, false, NULL, p->message,
                        sizeof(p->message))) {
      p->head.core.error = p->message;
      return p;
   }
   p->steps = calloc(count + 1, sizeof(*p->steps));
   l.b.oom = !p->steps;
   if (p->steps)
      begin(&l, source->words, count);
   if (p->steps && p->pipeline && p->pixel)
      interpolate(&l);
   for (uint32_t n = 0; !l.b.oom && n < count; n++, p->num_steps++) {
      l.step = &p->steps[p->num_steps];
      l.b.origin = n;
      uop_free_temps(&l.b, 0);
      memset(l.has_gathered, 0, sizeof(l.has_gathered));
      attila_decode(source->words + ATTILA_DWORDS * (size_t)n, &l.inst);
      l.info = attila_info(l.inst.opcode);
      *l.step = (struct at_step){ .first = p->code.num_uops,
                                  .end = l.inst.end,
                                  .predicated = l.inst.predicated,
                                  .invert_pred = l.inst.invert_pred,
                                  .pred = l.inst.pred };
      lift_inst(&l);
      l.step->count = p->code.num_uops - l.step->first;
   }
   verify(&l);
   if (options_debug("uop"))
      print(&l, source);
   if (l.b.oom || !make_blocks(p) || !at_find_cleared(p)) {
      at_release(p);
      return NULL;
   }
   p->head.tex = p->tex;
   p->head.attributes = p->attributes;
   p->head.table_dwords = AT_UNI_LITERALS + p->code.num_literals;
   return p;
}

void
at_release(struct at_lifted *p)
{
   if (!p)
      return;
   free(p->steps);
   free(p->cleared);
   free(p->tex);
   free(p->attributes);
   uop_code_free(&p->code);
   uop_blocks_free(&p->blocks);
   free(p);
}
