/* SPDX-License-Identifier: MIT */
/*
 * Building blocks: values, instructions, and the operations that the importer composes.
 *
 * An instruction without effects that equals one of a dominating block is not made again: what is
 * known is a stack, which the importer cuts back where a branch ends.  Integer operations on
 * constants are computed here; floats are never.
 */
#include "ir.h"

#include <string.h>

uint32_t
vc_value(struct vc *c, unsigned size)
{
   c->values = vc_grow(c, c->values, c->num_values, &c->cap_values, sizeof(*c->values));
   memset(&c->values[c->num_values], 0, sizeof(*c->values));
   c->values[c->num_values].size = (uint8_t)size;
   return c->num_values++;
}

struct vc_operand
vc_preloaded(struct vc *c, unsigned reg)
{
   for (uint32_t v = 1; v < c->num_values; v++)
      if (c->values[v].fixed && c->values[v].reg == reg)
         return vc_at(v, 0);
   uint32_t v = vc_value(c, 1);
   c->values[v].fixed = true;
   c->values[v].reg = (uint8_t)reg;
   return vc_at(v, 0);
}

uint32_t
vc_block(struct vc *c)
{
   c->blocks = vc_grow(c, c->blocks, c->num_blocks, &c->cap_blocks, sizeof(*c->blocks));
   memset(&c->blocks[c->num_blocks], 0, sizeof(*c->blocks));
   c->blocks[c->num_blocks].place = c->place;
   return c->num_blocks++;
}

void
vc_edge(struct vc *c, uint32_t from, uint32_t to)
{
   struct vc_block *b = &c->blocks[to];
   b->preds = vc_grow(c, b->preds, b->num_preds, &b->cap_preds, sizeof(*b->preds));
   b->preds[b->num_preds++] = from;
}

struct vc_inst *
vc_new(struct vc *c, unsigned op)
{
   struct vc_inst *inst = vc_alloc(c, sizeof(*inst));
   inst->op = (uint16_t)op;
   inst->place = c->place;
   if (op < VALHALL_OP_COUNT) {
      /* What the text leaves out is what is meant. */
      const struct valhall_info *info = valhall_info(op);
      for (unsigned n = 0; n < info->num_mod; n++) {
         const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
         for (unsigned v = 0; mod->en != VALHALL_ENUM_FLAG && v < 16; v++) {
            const struct valhall_value_info *value = valhall_value(mod->en, v);
            if (value && value->standard)
               inst->mod[n] = (uint8_t)v;
         }
      }
   }
   return inst;
}

struct vc_inst *
vc_append(struct vc *c, struct vc_inst *inst)
{
   vc_insert(c, c->num_blocks - 1, c->blocks[c->num_blocks - 1].num_insts, inst);
   return inst;
}

void
vc_insert(struct vc *c, uint32_t block, uint32_t at, struct vc_inst *inst)
{
   struct vc_block *b = &c->blocks[block];
   b->insts = vc_grow(c, b->insts, b->num_insts, &b->cap_insts, sizeof(*b->insts));
   memmove(b->insts + at + 1, b->insts + at, (b->num_insts - at) * sizeof(*b->insts));
   b->insts[at] = inst;
   b->num_insts++;
   inst->block = block;
}

bool
vc_has(unsigned op, enum valhall_modifier mod)
{
   if (op >= VALHALL_OP_COUNT)
      return false;
   const struct valhall_info *info = valhall_info(op);
   for (unsigned n = 0; n < info->num_mod; n++)
      if (info->mod[n] == mod)
         return true;
   return false;
}

unsigned
vc_mod_at(unsigned op, enum valhall_modifier mod)
{
   const struct valhall_info *info = valhall_info(op);
   unsigned n = 0;
   while (n + 1 < info->num_mod && info->mod[n] != mod)
      n++;
   return n;
}

void
vc_set(struct vc_inst *inst, enum valhall_modifier mod, unsigned value)
{
   inst->mod[vc_mod_at(inst->op, mod)] = (uint8_t)value;
}

unsigned
vc_get(const struct vc_inst *inst, enum valhall_modifier mod)
{
   return vc_has(inst->op, mod) ? inst->mod[vc_mod_at(inst->op, mod)] : 0;
}

unsigned
vc_written(const struct vc *c, const struct vc_inst *inst)
{
   if (!inst->dest)
      return 0;
   if (inst->op == VC_COLLECT || vc_is_message(inst->op))
      return c->values[inst->dest].size;
   return inst->op < VALHALL_OP_COUNT && valhall_info(inst->op)->shape == VALHALL_SHAPE_PAIR ? 2
                                                                                             : 1;
}

unsigned
vc_src_size(const struct vc_inst *inst, unsigned n)
{
   const struct valhall_src_info *src = valhall_src_info(valhall_info(inst->op)->src[n]);
   return src->bits == 64 && !inst->src[n].select ? 2 : 1;
}

void
vc_visit(struct vc_inst *inst, void (*fn)(struct vc_operand *o, unsigned size, void *data),
         void *data)
{
   for (uint32_t i = 0; i < inst->num_list; i++)
      fn(&inst->list[i], 1, data);
   for (unsigned n = 0; inst->op < VALHALL_OP_COUNT && n < valhall_info(inst->op)->num_src; n++)
      fn(&inst->src[n], vc_src_size(inst, n), data);
   if (inst->staging) {
      struct vc_operand o = vc_at(inst->staging, 0);
      fn(&o, inst->staged, data);
      inst->staging = o.value;
   }
}

static void
count_use(struct vc_operand *o, unsigned size, void *data)
{
   struct vc *c = data;
   (void)size;
   if (o->kind == VC_VALUE)
      c->values[o->value].uses++;
}

void
vc_count_uses(struct vc *c)
{
   for (uint32_t v = 0; v < c->num_values; v++) {
      c->values[v].uses = 0;
      c->values[v].def = NULL;
   }
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         b->insts[i]->block = n;
         if (b->insts[i]->dead)
            continue;
         vc_visit(b->insts[i], count_use, c);
         if (b->insts[i]->dest)
            c->values[b->insts[i]->dest].def = b->insts[i];
      }
      count_use(&b->cond, 1, c);
   }
}

void
vc_remove_dead(struct vc *c)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      uint32_t kept = 0;
      for (uint32_t i = 0; i < b->num_insts; i++)
         if (!b->insts[i]->dead)
            b->insts[kept++] = b->insts[i];
      b->num_insts = kept;
   }
}

/* --- what is known ---------------------------------------------------------------------------- */

bool
vc_same(struct vc_operand a, struct vc_operand b)
{
   return a.kind == b.kind && a.comp == b.comp && a.page == b.page && a.select == b.select &&
          a.neg == b.neg && a.abs == b.abs && a.invert == b.invert && a.value == b.value;
}

static bool
equal(const struct vc_inst *a, const struct vc_inst *b)
{
   if (a->op != b->op || a->num_list != b->num_list || a->staging != b->staging ||
       a->staged != b->staged || memcmp(a->imm, b->imm, sizeof(a->imm)) ||
       memcmp(a->mod, b->mod, sizeof(a->mod)))
      return false;
   for (unsigned n = 0; n < VALHALL_MAX_SRCS; n++)
      if (!vc_same(a->src[n], b->src[n]))
         return false;
   for (uint32_t n = 0; n < a->num_list; n++)
      if (!vc_same(a->list[n], b->list[n]))
         return false;
   return true;
}

static uint32_t
mix(uint32_t h, struct vc_operand o)
{
   h = (h ^ (o.value + o.kind * 77u + o.comp * 13u + o.neg)) * 16777619u;
   return h ^ h >> 15;
}

static uint32_t
hash_of(const struct vc_inst *inst)
{
   uint32_t h = inst->op * 2654435761u ^ inst->imm[0] ^ inst->staging * 31u;
   for (unsigned n = 0; n < VALHALL_MAX_SRCS; n++)
      h = mix(h, inst->src[n]);
   for (uint32_t n = 0; n < inst->num_list; n++)
      h = mix(h, inst->list[n]);
   return h % VC_HASH;
}

uint32_t
vc_known(const struct vc *c)
{
   return c->num_known;
}

void
vc_forget(struct vc *c, uint32_t mark)
{
   while (c->num_known > mark) {
      struct vc_inst *inst = c->known[--c->num_known];
      c->hash[inst->position] = inst->chain;
   }
}

struct vc_operand
vc_emit(struct vc *c, struct vc_inst *inst, unsigned size)
{
   bool shared = inst->memory == VC_PURE && !(c->flags & SHADER_COMPILE_NO_OPT);
   uint32_t h = shared ? hash_of(inst) : 0;

   for (struct vc_inst *i = shared ? c->hash[h] : NULL; i; i = i->chain)
      if (equal(i, inst) && c->values[i->dest].size == size)
         return vc_at(i->dest, 0);
   inst->dest = vc_value(c, size);
   c->values[inst->dest].def = inst;
   vc_append(c, inst);
   if (shared) {
      c->known = vc_grow(c, c->known, c->num_known, &c->cap_known, sizeof(*c->known));
      c->known[c->num_known++] = inst;
      inst->position = h;
      inst->chain = c->hash[h];
      c->hash[h] = inst;
   }
   return vc_at(inst->dest, 0);
}

/* --- operations ------------------------------------------------------------------------------- */

struct vc_operand
vc_op3(struct vc *c, unsigned op, struct vc_operand a, struct vc_operand b, struct vc_operand d)
{
   struct vc_inst *inst = vc_new(c, op);
   inst->src[0] = a;
   inst->src[1] = b;
   inst->src[2] = d;
   return vc_emit(c, inst, 1);
}

struct vc_operand
vc_op2(struct vc *c, unsigned op, struct vc_operand a, struct vc_operand b)
{
   return vc_op3(c, op, a, b, (struct vc_operand){ 0 });
}

struct vc_operand
vc_op1(struct vc *c, unsigned op, struct vc_operand a)
{
   return vc_op2(c, op, a, (struct vc_operand){ 0 });
}

static bool
both_const(struct vc_operand a, struct vc_operand b)
{
   return a.kind == VC_CONST && b.kind == VC_CONST;
}

struct vc_operand
vc_add(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   if (both_const(a, b))
      return vc_bits(a.value + b.value);
   if (vc_is(a, 0))
      return b;
   if (vc_is(b, 0))
      return a;
   for (unsigned n = 0; n < 2; n++) {
      const struct vc_operand of = n ? a : b;
      const struct vc_inst *def = of.kind == VC_VALUE ? c->values[of.value].def : NULL;
      if (def && def->op == VALHALL_OP_ISUB_U32 && vc_is(def->src[0], 0))
         return vc_op2(c, VALHALL_OP_ISUB_U32, n ? b : a, def->src[1]);
   }
   return vc_op2(c, VALHALL_OP_IADD_U32, a, b);
}

struct vc_operand
vc_sub(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   if (b.kind == VC_CONST)
      return vc_add(c, a, vc_bits(-b.value));
   return vc_op2(c, VALHALL_OP_ISUB_U32, a, b);
}

struct vc_operand
vc_mul(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   if (both_const(a, b))
      return vc_bits(a.value * b.value);
   if (a.kind == VC_CONST)
      return vc_mul(c, b, a);
   if (b.kind == VC_CONST && !(b.value & (b.value - 1)))
      return b.value ? vc_shl(c, a, vc_bits((uint32_t)__builtin_ctz(b.value))) : b;
   return vc_op2(c, VALHALL_OP_IMUL_I32, a, b);
}

/* A count of a shift is the lowest byte of its operand. */
static struct vc_operand
shift_count(struct vc_operand n)
{
   if (n.kind == VC_CONST)
      n.value &= 31;
   n.select = VALHALL_LANES_8_BIT_B00;
   return n;
}

struct vc_operand
vc_logic(struct vc *c, unsigned op, struct vc_operand a, struct vc_operand b)
{
   if (a.kind == VC_CONST && b.kind != VC_CONST)
      return vc_logic(c, op, b, a);
   if (both_const(a, b)) {
      return vc_bits(op == VALHALL_OP_LSHIFT_AND_I32  ? a.value & b.value
                     : op == VALHALL_OP_LSHIFT_OR_I32 ? a.value | b.value
                                                      : a.value ^ b.value);
   }
   if (vc_is(b, 0))
      return op == VALHALL_OP_LSHIFT_AND_I32 ? b : a;
   if (vc_is(b, ~0u) && op != VALHALL_OP_LSHIFT_XOR_I32)
      return op == VALHALL_OP_LSHIFT_AND_I32 ? a : b;
   return vc_op3(c, op, a, shift_count(vc_bits(0)), b);
}

struct vc_operand
vc_and(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   return vc_logic(c, VALHALL_OP_LSHIFT_AND_I32, a, b);
}

struct vc_operand
vc_or(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   return vc_logic(c, VALHALL_OP_LSHIFT_OR_I32, a, b);
}

struct vc_operand
vc_xor(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   return vc_logic(c, VALHALL_OP_LSHIFT_XOR_I32, a, b);
}

struct vc_operand
vc_not(struct vc *c, struct vc_operand a)
{
   if (a.kind == VC_CONST)
      return vc_bits(~a.value);
   struct vc_inst *inst = vc_new(c, VALHALL_OP_LSHIFT_OR_I32);
   inst->src[0] = a;
   inst->src[1] = shift_count(vc_bits(0));
   inst->src[2] = vc_bits(0);
   vc_set(inst, VALHALL_MOD_NOT_RESULT, 1);
   return vc_emit(c, inst, 1);
}

struct vc_operand
vc_shl(struct vc *c, struct vc_operand a, struct vc_operand n)
{
   if (both_const(a, n))
      return vc_bits(a.value << (n.value & 31));
   if (n.kind == VC_CONST && !(n.value & 31))
      return a;
   return vc_op3(c, VALHALL_OP_LSHIFT_OR_I32, a, shift_count(n), vc_bits(0));
}

struct vc_operand
vc_shr(struct vc *c, struct vc_operand a, struct vc_operand n, bool is_signed)
{
   if (both_const(a, n)) {
      return vc_bits(is_signed ? (uint32_t)((int32_t)a.value >> (n.value & 31))
                               : a.value >> (n.value & 31));
   }
   if (n.kind == VC_CONST && !(n.value & 31))
      return a;
   struct vc_inst *inst = vc_new(c, VALHALL_OP_RSHIFT_OR_I32);
   inst->src[0] = a;
   inst->src[1] = shift_count(n);
   inst->src[2] = vc_bits(0);
   vc_set(inst, VALHALL_MOD_SIGNED, is_signed);
   return vc_emit(c, inst, 1);
}

/* A comparison of integers that are known. */
static bool
holds(unsigned op, unsigned condition, uint32_t a, uint32_t b)
{
   const bool is_signed = op == VALHALL_OP_ICMP_OR_S32 || op == VALHALL_OP_CSEL_S32;
   const bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;

   switch (condition) {
   case VALHALL_CONDITION_EQ:
      return a == b;
   case VALHALL_CONDITION_NE:
      return a != b;
   case VALHALL_CONDITION_LT:
      return less;
   case VALHALL_CONDITION_GE:
      return !less;
   case VALHALL_CONDITION_LE:
      return less || a == b;
   default:
      return !less && a != b;
   }
}

static bool
is_known(unsigned op, unsigned condition, struct vc_operand a, struct vc_operand b)
{
   return both_const(a, b) && condition <= VALHALL_CONDITION_LE &&
          (op == VALHALL_OP_ICMP_OR_U32 || op == VALHALL_OP_ICMP_OR_S32 ||
           op == VALHALL_OP_CSEL_U32 || op == VALHALL_OP_CSEL_S32);
}

struct vc_operand
vc_compare(struct vc *c, unsigned op, unsigned condition, struct vc_operand a, struct vc_operand b)
{
   if (is_known(op, condition, a, b))
      return vc_bits(holds(op, condition, a.value, b.value) ? ~0u : 0);
   struct vc_inst *inst = vc_new(c, op);
   inst->src[0] = a;
   inst->src[1] = b;
   inst->src[2] = vc_bits(0);
   vc_set(inst, VALHALL_MOD_CONDITION, condition);
   vc_set(inst, VALHALL_MOD_RESULT_TYPE, VALHALL_RESULT_TYPE_M1);
   return vc_emit(c, inst, 1);
}

struct vc_operand
vc_csel(struct vc *c, unsigned op, unsigned condition, struct vc_operand a, struct vc_operand b,
        struct vc_operand x, struct vc_operand y)
{
   if (vc_same(x, y))
      return x;
   if (is_known(op, condition, a, b))
      return holds(op, condition, a.value, b.value) ? x : y;
   struct vc_inst *inst = vc_new(c, op);
   inst->src[0] = a;
   inst->src[1] = b;
   inst->src[2] = x;
   inst->src[3] = y;
   vc_set(inst, VALHALL_MOD_CONDITION, condition);
   return vc_emit(c, inst, 1);
}

struct vc_operand
vc_choose(struct vc *c, struct vc_operand cond, struct vc_operand x, struct vc_operand y)
{
   if (cond.kind == VC_CONST)
      return cond.value ? x : y;
   return vc_csel(c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_NE, cond, vc_bits(0), x, y);
}

struct vc_operand
vc_umin(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   if (both_const(a, b))
      return a.value < b.value ? a : b;
   return vc_csel(c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_LT, a, b, a, b);
}

struct vc_operand
vc_bfi(struct vc *c, struct vc_operand mask, struct vc_operand a, struct vc_operand b)
{
   /* By bits, the first where the mask is set. */
   struct vc_inst *inst = vc_new(c, VALHALL_OP_MUX_I32);
   inst->src[0] = a;
   inst->src[1] = b;
   inst->src[2] = mask;
   vc_set(inst, VALHALL_MOD_MUX, VALHALL_MUX_BIT);
   return vc_emit(c, inst, 1);
}

struct vc_operand
vc_fadd(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   return vc_op2(c, VALHALL_OP_FADD_F32, a, b);
}

struct vc_operand
vc_fmul(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   return vc_op3(c, VALHALL_OP_FMA_F32, a, b, vc_bits(0x80000000));
}

struct vc_operand
vc_fma(struct vc *c, struct vc_operand a, struct vc_operand b, struct vc_operand d)
{
   return vc_op3(c, VALHALL_OP_FMA_F32, a, b, d);
}

struct vc_inst *
vc_new_pair(struct vc *c, struct vc_operand pair)
{
   struct vc_inst *inst = vc_new(c, VALHALL_OP_IADD_U64);
   inst->src[0] = pair;
   inst->src[1] = vc_bits(0);
   return inst;
}

struct vc_operand
vc_round(struct vc *c, struct vc_operand a, unsigned mode)
{
   struct vc_inst *inst = vc_new(c, VALHALL_OP_FROUND_F32);
   inst->src[0] = a;
   vc_set(inst, VALHALL_MOD_ROUND_MODE, mode);
   return vc_emit(c, inst, 1);
}

struct vc_operand
vc_plain(struct vc *c, struct vc_operand a)
{
   struct vc_operand rest = vc_bits(0x7fffffff);
   bool neg = a.neg, abs = a.abs;

   a.neg = a.abs = false;
   if (a.kind == VC_CONST) {
      a.value &= abs ? 0x7fffffff : ~0u;
      a.value ^= neg ? 0x80000000 : 0;
      return a;
   }
   if (!neg)
      return abs ? vc_and(c, a, rest) : a;
   rest.invert = true; /* the sign */
   return vc_logic(c, abs ? VALHALL_OP_LSHIFT_OR_I32 : VALHALL_OP_LSHIFT_XOR_I32, a, rest);
}

/* --- vectors and memory ----------------------------------------------------------------------- */

uint32_t
vc_collect(struct vc *c, unsigned n, const struct vc_operand *o)
{
   struct vc_inst *inst = vc_new(c, VC_COLLECT);
   inst->list = vc_alloc(c, n * sizeof(*inst->list));
   inst->num_list = n;
   for (unsigned i = 0; i < n; i++)
      inst->list[i] = vc_plain(c, o[i]);
   return vc_emit(c, inst, n).value;
}

static unsigned
memory_op(unsigned bytes8, unsigned n)
{
   return bytes8 + (n == 1 ? 3u : n == 2 ? 5u : n == 3 ? 6u : 7u);
}

void
vc_store(struct vc *c, struct vc_operand address, int offset, unsigned n,
         const struct vc_operand *o)
{
   uint32_t vector = vc_collect(c, n, o);
   struct vc_inst *inst = vc_new(c, memory_op(VALHALL_OP_STORE_I8, n));
   inst->memory = VC_WRITE;
   inst->src[0] = address;
   inst->imm[0] = (uint32_t)offset;
   inst->staging = vector;
   inst->staged = (uint8_t)n;
   vc_append(c, inst);
}

uint32_t
vc_load(struct vc *c, struct vc_operand address, int offset, unsigned n, enum vc_memory memory)
{
   struct vc_inst *inst = vc_new(c, memory_op(VALHALL_OP_LOAD_I8, n));
   inst->memory = (uint8_t)memory;
   inst->src[0] = address;
   inst->imm[0] = (uint32_t)offset;
   vc_set(inst, VALHALL_MOD_UNSIGNED, 1);
   return vc_emit(c, inst, n).value;
}

uint32_t
vc_load_buffer(struct vc *c, uint32_t handle, struct vc_operand offset, unsigned n,
               enum vc_memory memory)
{
   struct vc_inst *inst = vc_new(c, memory_op(VALHALL_OP_LD_BUFFER_I8, n));
   inst->memory = (uint8_t)memory;
   inst->src[0] = offset;
   inst->src[1] = vc_bits(handle);
   vc_set(inst, VALHALL_MOD_UNSIGNED, 1);
   return vc_emit(c, inst, n).value;
}

struct vc_operand
vc_word(struct vc_operand pair, unsigned w)
{
   pair.comp = (uint8_t)(pair.comp + w);
   return pair;
}

struct vc_operand
vc_address(struct vc *c, struct vc_operand pair, struct vc_operand offset)
{
   if (vc_is(offset, 0))
      return pair;
   const struct vc_operand words[2] = { vc_add(c, vc_word(pair, 0), offset), vc_word(pair, 1) };
   return vc_at(vc_collect(c, 2, words), 0);
}

struct vc_operand
vc_window(struct vc *c, unsigned index)
{
   struct vc_inst *inst = vc_new(c, VALHALL_OP_LEA_BUF_IMM);
   inst->src[0] = c->out->stage == SHADER_STAGE_VS || c->out->stage == SHADER_STAGE_ES
                     ? vc_preloaded(c, 59)
                     : vc_bits(0);
   inst->imm[0] = 13; /* table 61 */
   inst->imm[1] = index;
   return vc_emit(c, inst, 2);
}
