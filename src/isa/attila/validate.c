/* SPDX-License-Identifier: MIT */
/*
 * The rules of a program.  Each is a message; tests/attila/rules.c has a program that breaks it.
 *
 *  1. Opcodes are defined, reserved bits are zero.
 *  2. Banks: OUT is written only, IN and constants are read only, ARL writes an address register;
 *     an immediate is source 2, where the instruction has that form.
 *  3. There are 4 address registers and 32 predicates.
 *  4. Relative addressing needs a constant.
 *  5. What has a result writes a component; integers are not saturated; a scalar operand selects
 *     one component.
 *  6. ANDP has one immediate at most, JMP an offset; NOP, CHS and END are never predicated.
 *  7. Fragment instructions are for pixel shaders.
 *  8. On the scalar machine (.scalar) every instruction has that form: one component written, one
 *     read.
 *  9. Jumps stay in the program, and the program ends.
 */
#include "attila.h"

#include <stdarg.h>
#include <stdio.h>

struct check {
   const struct attila_inst *inst;
   const struct attila_info *info;
   const struct isa_limits *limits;
   bool scalar;
   char *buffer;
   size_t size;
};

static bool __attribute__((format(printf, 2, 3))) broken(struct check *c, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vsnprintf(c->buffer, c->size, format, args);
   va_end(args);
   return false;
}

static bool
is_constant(unsigned bank)
{
   return bank == ATTILA_PARAM || bank == ATTILA_PARAM2;
}

static bool
check_register(struct check *c, unsigned bank, unsigned reg)
{
   if (bank == ATTILA_ADDR && reg >= ATTILA_ADDRESSES)
      return broken(c, "a%u: there are 4 address registers", reg);
   if (bank == ATTILA_TEMP && c->limits && c->limits->num_gprs && reg >= c->limits->num_gprs)
      return broken(c, "r%u, which is not declared", reg);
   return true;
}

static bool
check_source(struct check *c, unsigned n)
{
   const struct attila_src *src = &c->inst->src[n];
   char kind = attila_source_kind(c->inst, c->info, n);
   bool immediate = src->bank == ATTILA_IMMEDIATE;

   if (kind == 'l')
      return (immediate && n == 1) || broken(c, "the offset of a jump is an immediate");
   if (kind == 't' || kind == 'n' || kind == 'a')
      return !immediate || broken(c, "operand %u is an immediate", n + 1);
   if (kind == 'b' && (src->absolute || !is_constant(src->bank))) {
      return src->absolute || src->reg < ATTILA_PREDICATES ||
             broken(c, "p%u: there are 32 predicates", src->reg);
   }
   if (immediate) {
      return (n == 1 && c->info->forms & ATTILA_FORM_IMM) ||
             broken(c, "operand %u is an immediate", n + 1);
   }
   if (src->bank > ATTILA_IMMEDIATE)
      return broken(c, "operand %u is of the reserved bank 7", n + 1);
   if (src->bank == ATTILA_OUT)
      return broken(c, "operand %u reads an output", n + 1);
   if ((kind == 's' || kind == 'j' || kind == 'b') &&
       src->swizzle != attila_broadcast(src->swizzle & 3))
      return broken(c, "operand %u selects one component", n + 1);
   if (c->scalar && src->swizzle != attila_broadcast(src->swizzle & 3))
      return broken(c, "operand %u of a scalar form reads one component", n + 1);
   return check_register(c, src->bank, src->reg);
}

static bool
check_result(struct check *c)
{
   const struct attila_inst *inst = c->inst;

   switch (c->info->result) {
   case ATTILA_RESULT_NONE:
      return true;
   case ATTILA_RESULT_PRED:
      return inst->result_reg < ATTILA_PREDICATES ||
             broken(c, "p%u: there are 32 predicates", inst->result_reg);
   case ATTILA_RESULT_ADDR:
      if (inst->result_bank != ATTILA_ADDR)
         return broken(c, "the result is an address register");
      break;
   case ATTILA_RESULT_ACC:
      break;
   default:
      if (inst->result_bank != ATTILA_OUT && inst->result_bank != ATTILA_TEMP &&
          inst->result_bank != ATTILA_ADDR)
         return broken(c, "the result's bank is not written");
      break;
   }
   if (inst->saturate && c->info->result != ATTILA_RESULT_FLOAT &&
       c->info->result != ATTILA_RESULT_ANY)
      return broken(c, "only floats are saturated");
   if (!inst->mask)
      return broken(c, "no component is written");
   if (c->scalar && (inst->mask & (inst->mask - 1)))
      return broken(c, "a scalar form writes one component");
   return c->info->result == ATTILA_RESULT_ACC ||
          check_register(c, inst->result_bank, inst->result_reg);
}

static bool
check_inst(struct check *c)
{
   const struct attila_inst *inst = c->inst;
   const struct attila_info *info = c->info;
   bool constant = false;

   if (!info->name)
      return broken(c, "undefined opcode 0x%02x", inst->opcode);
   if (inst->reserved[0] || inst->reserved[1])
      return broken(c, "reserved bits are not zero");
   if (inst->predicated && info->forms & ATTILA_FORM_ALWAYS)
      return broken(c, "%s is never predicated", info->name);
   enum isa_stage stage = c->limits ? c->limits->stage : ISA_STAGE_ANY;
   if (info->forms & ATTILA_FORM_PIXEL && stage != ISA_STAGE_ANY && stage != ISA_STAGE_PIXEL)
      return broken(c, "%s outside a pixel shader", info->name);
   if (c->scalar && !(info->forms & (ATTILA_FORM_SOA | ATTILA_FORM_ALWAYS)))
      return broken(c, "%s has no scalar form", info->name);
   for (unsigned n = 0; n < 3; n++) {
      if (attila_reads(inst, info, n)) {
         if (!check_source(c, n))
            return false;
         constant |= is_constant(inst->src[n].bank);
      }
   }
   if (inst->opcode == ATTILA_ANDP && inst->src[0].absolute && inst->src[1].absolute)
      return broken(c, "both operands are immediates");
   if (inst->relative && !constant)
      return broken(c, "relative addressing without a constant");
   return check_result(c);
}

const char *
attila_check(const struct attila_inst *inst, const struct isa_limits *limits, bool scalar,
             char *buffer, size_t size)
{
   struct check c = { .inst = inst,
                      .info = attila_info(inst->opcode),
                      .limits = limits,
                      .scalar = scalar,
                      .buffer = buffer,
                      .size = size };
   return check_inst(&c) ? NULL : buffer;
}

bool
attila_leaves(const struct attila_inst *inst)
{
   return inst->end || inst->opcode == ATTILA_END ||
          (inst->opcode == ATTILA_JMP && !inst->predicated && inst->src[0].absolute &&
           inst->src[0].negate);
}

size_t
attila_length(const uint32_t *words, size_t num_dwords)
{
   const size_t count = num_dwords / ATTILA_DWORDS;
   size_t reached = 0;

   for (size_t i = 0; i < count; i++) {
      struct attila_inst inst;

      attila_decode(words + i * ATTILA_DWORDS, &inst);
      if (inst.opcode == ATTILA_JMP && attila_is_immediate(&inst)) {
         const int64_t target = (int64_t)i + (int32_t)inst.immediate;
         if (target > (int64_t)reached)
            reached = (size_t)target;
      }
      if (attila_leaves(&inst) && reached <= i)
         return (i + 1) * ATTILA_DWORDS;
   }
   return 0;
}

bool
attila_validate(const uint32_t *words, size_t num_dwords, const struct isa_limits *limits,
                bool scalar, size_t *bad, char *message, size_t size)
{
   size_t count = num_dwords / ATTILA_DWORDS;
   struct attila_inst inst = { 0 };
   char text[160];

   for (size_t i = 0; i < count; i++) {
      attila_decode(words + i * ATTILA_DWORDS, &inst);
      const char *rule = attila_check(&inst, limits, scalar, text, sizeof(text));
      if (!rule && inst.opcode == ATTILA_JMP) {
         int64_t target = (int64_t)i + (int32_t)inst.immediate;
         if (target < 0 || target >= (int64_t)count)
            rule = "the jump leaves the program";
      }
      if (!rule && i + 1 == count && !attila_leaves(&inst))
         rule = "the program does not end";
      if (rule) {
         if (bad)
            *bad = i;
         snprintf(message, size, "instruction %zu: %s", i, rule);
         return false;
      }
   }
   if (bad)
      *bad = count;
   if (num_dwords % ATTILA_DWORDS || count == 0) {
      snprintf(message, size, "%zu dwords are no whole number of instructions", num_dwords);
      return false;
   }
   return true;
}
