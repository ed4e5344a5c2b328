/* SPDX-License-Identifier: MIT */
/*
 * Lifts an ATTILA program: every instruction to micro-operations, as the table's lift and how
 * columns say (isa/attila/opcodes.def).
 *
 * A result goes to its register at once, component by component, unless the instruction reads that
 * register: then it goes through temporaries.  A program that breaks a rule is not lifted.
 */
#include "attila/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct operand {
   uint32_t at; /* offset in file, or in uni */
   bool uni;
   uint32_t keep, flip;
};

struct at_lift {
   struct at_lifted *p;
   struct attila_inst inst;
   const struct attila_info *info;
   struct at_step *step;
   unsigned temps;                /* used by this instruction */
   struct operand gathered[2][4]; /* relative constants: of PARAM and PARAM2, by component */
   bool has_gathered[2][4];
   bool oom;
   struct uop nowhere; /* what is emitted when memory is out */
};

static void __attribute__((format(printf, 2, 3))) refuse(struct at_lift *l, const char *format, ...)
{
   struct at_lifted *p = l->p;
   va_list args;
   if (p->head.error)
      return;
   int n = snprintf(p->message, sizeof(p->message), "instruction %u: ", p->num_steps);
   va_start(args, format);
   vsnprintf(p->message + n, sizeof(p->message) - (size_t)n, format, args);
   va_end(args);
   p->head.error = p->message;
}

/* ------------------------------------------------------------------------------------------------
 * Micro-operations and operands
 */

static struct operand
row_operand(uint32_t row)
{
   return (struct operand){ row * COMP_BYTES, false, ~0u, 0 };
}

static struct operand
temporary(struct at_lift *l)
{
   /* No instruction needs as many as there are. */
   unsigned n = l->temps < AT_EXTRA_ROWS - AT_TEMPS - 1 ? l->temps++ : l->temps;
   return row_operand(l->p->temp_row + AT_TEMPS + n);
}

static struct operand
literal(struct at_lift *l, uint32_t value)
{
   struct at_lifted *p = l->p;
   uint32_t n = p->num_literals > 256 ? p->num_literals - 256 : 0;
   while (n < p->num_literals && p->literals[n] != value)
      n++;
   if (n == p->num_literals) {
      if (n == p->cap_literals) {
         uint32_t cap = n ? 2 * n : 32;
         uint32_t *more = realloc(p->literals, cap * sizeof(*more));
         if (!more) {
            l->oom = true;
            return (struct operand){ 0, true, ~0u, 0 };
         }
         p->literals = more;
         p->cap_literals = cap;
      }
      p->literals[p->num_literals++] = value;
   }
   return (struct operand){ (AT_UNI_LITERALS + n) * 4, true, ~0u, 0 };
}

static struct uop *
emit(struct at_lift *l, uop_fn *fn, struct operand to, unsigned num_src, const struct operand *src)
{
   struct at_lifted *p = l->p;
   if (p->num_uops == p->cap_uops) {
      uint32_t cap = p->num_uops ? 2 * p->num_uops : 64;
      struct uop *more = realloc(p->uops, cap * sizeof(*more));
      if (!more) {
         l->oom = true;
         return &l->nowhere;
      }
      p->uops = more;
      p->cap_uops = cap;
   }
   struct uop *u = &p->uops[p->num_uops++];
   *u = (struct uop){ .fn = fn, .dst = to.at, .length = 1 };
   for (unsigned n = 0; n < num_src; n++) {
      u->src[n] = src[n].at;
      u->keep[n] = src[n].keep;
      u->flip[n] = src[n].flip;
      u->uni |= (uint8_t)(src[n].uni << n);
      u->mods |= (uint8_t)((src[n].keep != ~0u || src[n].flip) << n);
   }
   l->step->count++;
   return u;
}

/* A new temporary with the result of one of SQ's operations. */
static struct operand
sq(struct at_lift *l, unsigned op, struct operand a, struct operand b, struct operand c)
{
   struct operand to = temporary(l);
   emit(l, K(sq_alu_fn)(op), to, 3, (struct operand[]){ a, b, c });
   return to;
}

static struct operand
own(struct at_lift *l, enum at_uop op, struct operand a, struct operand b, struct operand c)
{
   struct operand to = temporary(l);
   emit(l, K(at_uop_fn)(op), to, 3, (struct operand[]){ a, b, c });
   return to;
}

static uint32_t
register_row(const struct at_lift *l, unsigned bank, unsigned reg)
{
   return l->p->first[bank] + 4 * reg;
}

static bool
is_constant(unsigned bank)
{
   return bank == ATTILA_PARAM || bank == ATTILA_PARAM2;
}

/* Component `comp` of a register, without modifiers. */
static struct operand
read_register(struct at_lift *l, const struct attila_src *src, unsigned comp)
{
   if (!is_constant(src->bank))
      return row_operand(register_row(l, src->bank, src->reg) + comp);
   bool upper = src->bank == ATTILA_PARAM2;
   if (!l->inst.relative) {
      uint32_t n = src->reg + (upper ? 256u : 0);
      return (struct operand){ (AT_UNI_CONSTANTS + 4 * n + comp) * 4, true, ~0u, 0 };
   }
   if (!l->has_gathered[upper][comp]) {
      struct operand to = temporary(l);
      struct operand address =
         row_operand(register_row(l, ATTILA_ADDR, l->inst.rel_reg) + l->inst.rel_comp);
      struct uop *u = emit(l, K(at_constant), to, 1, &address);
      u->imm[0] = (uint32_t)(attila_rel_offset(&l->inst) + (upper ? 256 : 0));
      u->aux = (uint8_t)comp;
      l->gathered[upper][comp] = to;
      l->has_gathered[upper][comp] = true;
   }
   return l->gathered[upper][comp];
}

/* What source n has for component `comp` of the instruction (readFloatPointVector and its kin). */
static struct operand
source(struct at_lift *l, unsigned n, unsigned comp)
{
   const struct attila_src *src = &l->inst.src[n];
   char kind = attila_source_kind(&l->inst, l->info, n);
   bool scalar = kind == 's' || kind == 'j';
   struct operand v = n == 1 && attila_is_immediate(&l->inst)
                         ? literal(l, l->inst.immediate)
                         : read_register(l, src, attila_select(src->swizzle, scalar ? 0 : comp));

   if (kind == 'i' || kind == 'j') {
      struct operand zero = literal(l, 0);
      if (src->absolute)
         v = sq(l, CAYMAN_ALU_MAX_INT, v, sq(l, CAYMAN_ALU_SUB_INT, zero, v, zero), zero);
      if (src->negate)
         v = sq(l, CAYMAN_ALU_SUB_INT, zero, v, zero);
      return v;
   }
   v.keep = src->absolute ? 0x7fffffffu : ~0u;
   v.flip = src->negate ? 0x80000000u : 0;
   return v;
}

/* Where component `comp` of the result goes. */
static struct operand
result_operand(const struct at_lift *l, unsigned comp)
{
   return row_operand(register_row(l, l->inst.result_bank, l->inst.result_reg) + comp);
}

/* Values to the components that are written, saturated if the instruction says so. */
static void
write_result(struct at_lift *l, const struct operand values[4])
{
   bool bits = l->info->result == ATTILA_RESULT_INT || l->info->result == ATTILA_RESULT_ADDR;
   for (unsigned c = 0; c < 4; c++) {
      if (attila_writes(l->inst.mask, c)) {
         uop_fn *fn = bits ? K(uop_copy) : K(sq_alu_fn)(CAYMAN_ALU_MOV);
         emit(l, fn, result_operand(l, c), 1, &values[c])->clamp = l->inst.saturate;
      }
   }
}

static void
replicate(struct at_lift *l, struct operand value)
{
   write_result(l, (struct operand[]){ value, value, value, value });
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

/* `fn` for every component that is written; of its `num_src` operands only those that are read. */
static void
lift_each(struct at_lift *l, uop_fn *fn)
{
   struct operand values[4], src[3];
   bool apart = reads_result(l);

   for (unsigned c = 0; c < 4; c++) {
      unsigned count = 0;
      values[c] = literal(l, 0);
      if (!attila_writes(l->inst.mask, c))
         continue;
      for (unsigned n = 0; n < 3; n++) {
         if (attila_reads(&l->inst, l->info, n))
            src[count++] = source(l, n, c);
      }
      values[c] = apart ? temporary(l) : result_operand(l, c);
      struct uop *u = emit(l, fn, values[c], count, src);
      u->clamp = l->inst.saturate && !apart;
   }
   if (apart)
      write_result(l, values);
}

/* `fn` once, of a scalar source. */
static void
lift_scalar(struct at_lift *l, uop_fn *fn)
{
   struct operand a = source(l, 0, 0), to = temporary(l);
   emit(l, fn, to, 1, &a);
   replicate(l, to);
}

/* The sum of `count` products, from x on, and `more` if it is not NULL: each rounded. */
static struct operand
dot(struct at_lift *l, unsigned count, const struct operand *more)
{
   struct operand sum = sq(l, CAYMAN_ALU_MUL_IEEE, source(l, 0, 0), source(l, 1, 0), literal(l, 0));
   for (unsigned c = 1; c < count; c++)
      sum = sq(l, CAYMAN_ALU_MULADD_IEEE, source(l, 0, c), source(l, 1, c), sum);
   return more ? sq(l, CAYMAN_ALU_ADD, sum, *more, *more) : sum;
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
   struct operand w = source(l, 1, 3);
   replicate(l, dot(l, 3, &w));
}

/* A value in a temporary: what follows may write where it came from. */
static struct operand
keep(struct at_lift *l, struct operand v)
{
   return sq(l, CAYMAN_ALU_MOV, v, v, v);
}

static void
attila_lift_dst(struct at_lift *l)
{
   struct operand y = sq(l, CAYMAN_ALU_MUL_IEEE, source(l, 0, 1), source(l, 1, 1), literal(l, 0));
   struct operand z = keep(l, source(l, 0, 2)), w = keep(l, source(l, 1, 3));
   write_result(l, (struct operand[]){ literal(l, one_bits), y, z, w });
}

static void
attila_lift_exp(struct at_lift *l)
{
   struct operand a = source(l, 0, 0), floor = sq(l, CAYMAN_ALU_FLOOR, a, a, a);
   write_result(l, (struct operand[]){ sq(l, CAYMAN_ALU_EXP_IEEE, floor, floor, floor),
                                       own(l, AT_UOP_frc, a, a, a),
                                       sq(l, CAYMAN_ALU_EXP_IEEE, a, a, a), literal(l, one_bits) });
}

static void
attila_lift_log(struct at_lift *l)
{
   struct operand a = source(l, 0, 0), size = a;
   size.keep &= 0x7fffffffu;
   size.flip = 0;
   struct operand values[4] = {
      own(l, AT_UOP_exponent, a, a, a),
      own(l, AT_UOP_mantissa, a, a, a),
      sq(l, CAYMAN_ALU_LOG_IEEE, size, size, size),
      literal(l, one_bits),
   };
   write_result(l, values);
}

/* 0^0 is 1: the product takes 0 times anything for 0. */
static void
attila_lift_lit(struct at_lift *l)
{
   struct operand zero = literal(l, 0), a[4];
   for (unsigned c = 0; c < 4; c++)
      a[c] = c == 2 ? zero : source(l, 0, c);
   struct operand x = own(l, AT_UOP_cmp, a[0], zero, a[0]);
   struct operand y = own(l, AT_UOP_cmp, a[1], zero, a[1]);
   struct operand w = own(l, AT_UOP_clamp128, a[3], zero, zero);
   struct operand log = sq(l, CAYMAN_ALU_LOG_IEEE, y, y, y);
   struct operand power = sq(l, CAYMAN_ALU_MUL, w, log, zero);
   power = sq(l, CAYMAN_ALU_EXP_IEEE, power, power, power);
   struct operand one = literal(l, one_bits);
   write_result(l, (struct operand[]){ one, x, sq(l, CAYMAN_ALU_CNDGT, x, power, zero), one });
}

static void
kill_below(struct at_lift *l, struct operand v)
{
   emit(l, K(at_kill), row_operand(l->p->temp_row + AT_TEMPS), 1, &v);
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
   struct operand values[4];
   for (unsigned c = 0; c < 4; c++) {
      values[c] = own(l, AT_UOP_cmp, source(l, 0, c), source(l, 1, c), source(l, 2, c));
      if (attila_writes(l->inst.mask, c))
         kill_below(l, values[c]);
   }
   write_result(l, values);
}

static void
attila_lift_zxp(struct at_lift *l)
{
   struct operand a = source(l, 0, 0);
   emit(l, K(at_depth), row_operand(l->p->temp_row + AT_TEMPS), 1, &a);
}

static void
difference(struct at_lift *l, enum at_uop op)
{
   struct operand values[4];
   for (unsigned c = 0; c < 4; c++) {
      struct operand a = source(l, 0, c);
      values[c] = own(l, op, a, a, a);
   }
   write_result(l, values);
}

static void
attila_lift_ddx(struct at_lift *l)
{
   difference(l, AT_UOP_right);
}

static void
attila_lift_ddy(struct at_lift *l)
{
   difference(l, AT_UOP_below);
}

static void
attila_lift_lda(struct at_lift *l)
{
   struct operand index = source(l, 0, 0), values[4];
   for (unsigned c = 0; c < 4; c++) {
      values[c] = temporary(l);
      struct uop *u = emit(l, K(at_attribute), values[c], 1, &index);
      u->imm[0] = l->inst.src[1].reg;
      u->aux = (uint8_t)c;
   }
   write_result(l, values);
}

static void
attila_lift_fixed(struct at_lift *l)
{
   struct operand values[4], src[3];
   for (unsigned c = 0; c < 4; c++) {
      unsigned count = 0;
      values[c] = temporary(l);
      for (unsigned n = 0; n < 3; n++) {
         if (attila_reads(&l->inst, l->info, n))
            src[count++] = source(l, n, c);
      }
      if (!attila_writes(l->inst.mask, c))
         continue;
      struct uop *u = emit(l, K(at_fixed), values[c], count, src);
      u->imm[0] = (l->p->temp_row + AT_ACC + c) * COMP_BYTES;
      u->imm[1] = (l->p->temp_row + AT_ACC + 4 + c) * COMP_BYTES;
      u->aux = l->inst.opcode;
   }
   if (l->info->result != ATTILA_RESULT_ACC)
      write_result(l, values);
}

static void
attila_lift_setp(struct at_lift *l)
{
   static const uint8_t compare[256] = {
      [ATTILA_SETPEQ] = AT_EQUAL,
      [ATTILA_SETPGT] = AT_GREATER,
      [ATTILA_SETPLT] = AT_LESS,
      [ATTILA_SETPEQI] = AT_INTEGER | AT_EQUAL,
      [ATTILA_SETPGTI] = AT_INTEGER | AT_GREATER,
      [ATTILA_SETPLTI] = AT_INTEGER | AT_LESS,
   };
   struct operand src[2] = { source(l, 0, 0), source(l, 1, 0) };
   struct uop *u = emit(l, K(at_setp), row_operand(l->p->temp_row + AT_TEMPS), 2, src);
   u->aux = compare[l->inst.opcode];
   u->imm[0] = l->inst.result_reg;
   u->imm[1] = l->inst.saturate;
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
   struct operand v = read_register(l, src, attila_select(src->swizzle, 0));
   return (struct at_bool){ v.uni ? AT_BOOL_UNIFORM : AT_BOOL_ROW, src->negate, v.at };
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
#define LIFT_EACH(name, how)       lift_each(l, K(sq_alu_fn)(CAYMAN_ALU_##how));
#define LIFT_OWN(name, how)        lift_each(l, K(at_uop_fn)(AT_UOP_##how));
#define LIFT_SCALAR(name, how)     lift_scalar(l, K(sq_alu_fn)(CAYMAN_ALU_##how));
#define LIFT_OWN_SCALAR(name, how) lift_scalar(l, K(at_uop_fn)(AT_UOP_##how));
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

/* How many registers of each bank there are, and where they lie. */
static void
place_registers(struct at_lifted *p, const uint32_t *words, uint32_t count)
{
   uint32_t used[ATTILA_ADDR + 1] = { 0 };
   struct attila_inst inst;

   for (uint32_t i = 0; i < count; i++) {
      attila_decode(words + ATTILA_DWORDS * i, &inst);
      const struct attila_info *info = attila_info(inst.opcode);
      for (unsigned n = 0; n < 3; n++) {
         char kind = attila_reads(&inst, info, n) ? attila_source_kind(&inst, info, n) : 0;
         if (kind && strchr("vsij", kind) && inst.src[n].bank <= ATTILA_ADDR)
            raise(&used[inst.src[n].bank], inst.src[n].reg);
      }
      if (info->result != ATTILA_RESULT_NONE && info->result != ATTILA_RESULT_PRED &&
          info->result != ATTILA_RESULT_ACC)
         raise(&used[inst.result_bank], inst.result_reg);
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
}

struct at_program *
K(at_lift)(const struct at_source *source)
{
   struct at_lifted *p = calloc(1, sizeof(*p));
   struct at_lift l = { .p = p };
   struct isa_limits limits = { .stage = source->pixel ? ISA_STAGE_PIXEL : ISA_STAGE_VERTEX };
   uint32_t count = (uint32_t)(source->num_dwords / ATTILA_DWORDS);

   if (!p)
      return NULL;
   p->pixel = source->pixel;
   if (source->num_dwords >= UINT32_MAX) {
      p->head.error = "the program is too long";
      return &p->head;
   }
   if (!attila_validate(source->words, source->num_dwords, &limits, false, NULL, p->message,
                        sizeof(p->message))) {
      p->head.error = p->message;
      return &p->head;
   }
   p->steps = calloc(count, sizeof(*p->steps));
   l.oom = !p->steps;
   if (p->steps)
      place_registers(p, source->words, count);
   for (; !l.oom && p->num_steps < count; p->num_steps++) {
      l.step = &p->steps[p->num_steps];
      l.temps = 0;
      memset(l.has_gathered, 0, sizeof(l.has_gathered));
      attila_decode(source->words + ATTILA_DWORDS * p->num_steps, &l.inst);
      l.info = attila_info(l.inst.opcode);
      *l.step = (struct at_step){ .first = p->num_uops,
                                  .end = l.inst.end,
                                  .predicated = l.inst.predicated,
                                  .invert_pred = l.inst.invert_pred,
                                  .pred = l.inst.pred };
      lift_inst(&l);
   }
   if (l.oom) {
      K(at_free)(&p->head);
      return NULL;
   }
   return &p->head;
}

void
K(at_free)(struct at_program *program)
{
   struct at_lifted *p = (struct at_lifted *)program;
   if (!p)
      return;
   free(p->steps);
   free(p->uops);
   free(p->literals);
   free(p);
}
