/* SPDX-License-Identifier: MIT */
/*
 * Operands of an ALU clause's slots: registers, constants, literals, previous results, and what the
 * wave knows of itself (HD 6900 ISA guide 4.6).
 */
#include "sq/lift_alu.h"
#include "sq/numbers.h"

#include <stdlib.h>
#include <string.h>

struct uop *
clause_push(struct clause *c, struct uops *list)
{
   if (list->count == list->cap) {
      uint32_t cap = list->cap ? list->cap * 2 : 64;
      struct uop *u = realloc(list->u, cap * sizeof(*u));
      if (!u) {
         c->l->b.oom = true;
         c->nowhere = (struct uop){ 0 };
         return &c->nowhere;
      }
      list->u = u;
      list->cap = cap;
   }
   struct uop *u = &list->u[list->count++];
   memset(u, 0, sizeof(*u));
   u->length = 1;
   u->origin = c->origin;
   return u;
}

void
clause_append(struct clause *c, struct uops *to, const struct uop *u, unsigned count)
{
   for (unsigned n = 0; n < count; n++)
      *clause_push(c, to) = u[n];
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */
static struct uop_operand
literal(struct clause *c, uint32_t value)
{
   return uop_literal(&c->l->b, value);
}

/* A new micro-operation in front of the group or of the clause. */
static struct uop *
push(struct clause *c, struct uops *list, enum uop_id op)
{
   struct uop *u = clause_push(c, list);
   u->op = (uint16_t)op;
   return u;
}

/* What the wave knows of itself, found before the group. */
static struct uop_operand
special(struct clause *c, enum uop_special_source source)
{
   struct core_program *core = &c->l->p->head.core;
   struct uop_operand o = uop_dynamic(&c->l->b);
   struct uop *u = push(c, &c->pre, UOP_LOAD_SPECIAL);

   core->lane_varying |= source == UOP_SPECIAL_MASK_HI || source == UOP_SPECIAL_MASK_LO;
   core->reads_slot |= source == UOP_SPECIAL_WAVE_SLOT;
   u->dst = o.at;
   u->p.special.source = (uint8_t)source;
   return o;
}

static struct uop_operand
kcache_operand(struct clause *c, const struct cayman_alu *a, const struct cayman_alu_src *src,
               unsigned set, unsigned index, unsigned temp)
{
   const struct cayman_kcache *k = &c->cf->kcache[set];
   unsigned lines = k->mode == CAYMAN_KCACHE_LOCK_1 ? 1 : 2;
   if (k->mode == CAYMAN_KCACHE_NOP || c->cf->alt_const) {
      lift_error(c->l, k->mode ? "constants of another stage" : "constant of a set not locked");
      return literal(c, 0);
   }
   uint32_t dword = (k->addr * 16u + index) * 4 + src->chan;
   uint32_t end = (k->addr + lines) * 64u;
   bool moves = k->mode == CAYMAN_KCACHE_LOCK_LOOP_INDEX;
   bool by_lane = src->rel && a->index_mode == CAYMAN_INDEX_AR_X;
   bool by_loop = src->rel && a->index_mode == CAYMAN_INDEX_LOOP;
   if (src->rel && !by_lane && !by_loop) {
      lift_error(c->l, "constant with global index");
      return literal(c, 0);
   }
   if (!moves && !src->rel && k->index_mode == CAYMAN_CF_INDEX_NONE) {
      if (dword >= end)
         return literal(c, 0x7fffffffu);
      return lift_const(c->l, k->bank, dword);
   }

   c->l->p->head.kcache_banks |= k->index_mode ? 0xffffu : 1u << k->bank;
   const struct uop_constant constant = {
      .dword = dword,
      .end = end,
      .bank = k->bank,
      .bank_index = (uint8_t)sq_index(k->index_mode),
      .moves = moves,
      .by_loop = by_loop,
   };
   if (by_lane) {
      struct uop *u = push(c, &c->pre, UOP_GATHER_CONST);
      u->dst = TEMP(temp);
      u->p.constant = constant;
      c->l->p->head.core.lane_varying = true;
      return uop_row(TEMP(temp));
   }
   /* The indices stay for the clause: once at its start is enough. */
   for (uint32_t n = 0; n < c->prologue.count; n++) {
      const struct uop *p = &c->prologue.u[n];
      const struct uop_constant *have = &p->p.constant;
      if (have->dword == constant.dword && have->end == constant.end &&
          have->bank == constant.bank && have->bank_index == constant.bank_index &&
          have->moves == constant.moves && have->by_loop == constant.by_loop)
         return (struct uop_operand){ .kind = UOP_DYNAMIC, .at = p->dst };
   }
   struct uop_operand o = uop_dynamic(&c->l->b);
   struct uop *u = push(c, &c->prologue, UOP_LOAD_CONST);
   u->dst = o.at;
   u->p.constant = constant;
   return o;
}

static struct uop_operand
operand(struct clause *c, const struct cayman_alu *a, unsigned n)
{
   const struct cayman_alu_src *src = &a->src[n];
   unsigned temp = a->trans ? TEMP_T_GATHER + n : TEMP_GATHER + a->dst_chan * 3 + n;
   unsigned set, index;

   if (cayman_src_is_gpr(src->sel)) {
      if (!src->rel) {
         lift_read(c->l, src->sel, src->chan);
         return uop_row(REG(src->sel, src->chan));
      }
      if (a->index_mode != CAYMAN_INDEX_AR_X && a->index_mode != CAYMAN_INDEX_LOOP) {
         lift_error(c->l, "register with global index");
         return literal(c, 0);
      }
      struct uop *u = push(c, &c->pre, UOP_GATHER);
      u->dst = TEMP(temp);
      u->p.reg.gpr = (uint8_t)src->sel;
      u->p.reg.chan = src->chan;
      u->p.reg.by_loop = a->index_mode == CAYMAN_INDEX_LOOP;
      c->l->p->clear_gprs = 128;
      c->l->p->head.core.lane_varying = true;
      return uop_row(TEMP(temp));
   }
   if (cayman_src_is_kcache(src->sel, &set, &index))
      return kcache_operand(c, a, src, set, index, temp);

   switch (src->sel) {
   case CAYMAN_SRC_1_DBL_L:
   case CAYMAN_SRC_0_5_DBL_L:
   case CAYMAN_SRC_0:
      return literal(c, 0);
   case CAYMAN_SRC_1_DBL_M:
      return literal(c, 0x3ff00000u);
   case CAYMAN_SRC_0_5_DBL_M:
      return literal(c, 0x3fe00000u);
   case CAYMAN_SRC_1:
      return literal(c, 0x3f800000u);
   case CAYMAN_SRC_1_INT:
      return literal(c, 1);
   case CAYMAN_SRC_M_1_INT:
      return literal(c, ~0u);
   case CAYMAN_SRC_0_5:
      return literal(c, 0x3f000000u);
   case CAYMAN_SRC_LITERAL:
      return literal(c, c->g.literal[src->chan & 3]);
   case CAYMAN_SRC_PV:
      if (c->pv[src->chan] == NO_PV)
         return literal(c, 0);
      return uop_row(c->pv[src->chan]);
   case CAYMAN_SRC_PS:
      if (c->l->vliw == CAYMAN_VLIW4)
         lift_error(c->l, "not implemented: ALU source %u", src->sel);
      if (c->pv[CAYMAN_SLOT_T] == NO_PV)
         return literal(c, 0);
      return uop_row(c->pv[CAYMAN_SLOT_T]);
   case CAYMAN_SRC_LDS_OQ_A:
   case CAYMAN_SRC_LDS_OQ_B:
   case CAYMAN_SRC_LDS_OQ_A_POP:
   case CAYMAN_SRC_LDS_OQ_B_POP: {
      unsigned queue = (src->sel - CAYMAN_SRC_LDS_OQ_A) & 1;
      c->lds_pop |= src->sel >= CAYMAN_SRC_LDS_OQ_A_POP;
      c->l->p->head.core.lane_varying = true;
      if (c->lds_head[queue] == NO_PV) {
         struct uop *u = push(c, &c->pre, UOP_LDS_HEAD);
         u->dst = c->lds_head[queue] = TEMP(temp);
         u->p.queue.number = (uint8_t)queue;
      }
      return uop_row(c->lds_head[queue]);
   }
   case CAYMAN_SRC_LDS_DIRECT_A:
   case CAYMAN_SRC_LDS_DIRECT_B: {
      uint32_t bus = c->g.literal[src->sel - CAYMAN_SRC_LDS_DIRECT_A];
      if (c->l->source->stage == SQ_STAGE_PS)
         lift_error(c->l, "not implemented: parameters read as LDS");
      if (cayman_get(bus, CAYMAN_ALU_WORD1_LDS_DIRECT_LITERAL_LO__THREAD_REL_A))
         lift_error(c->l, "not implemented: LDS_DIRECT relative to the thread");
      struct uop *u = push(c, &c->pre, UOP_LDS_DIRECT);
      u->dst = TEMP(temp);
      u->p.direct.offset = cayman_get(bus, CAYMAN_ALU_WORD1_LDS_DIRECT_LITERAL_LO__OFFSET_A);
      u->p.direct.stride = cayman_get(bus, CAYMAN_ALU_WORD1_LDS_DIRECT_LITERAL_LO__STRIDE_A);
      c->l->p->head.core.lane_varying = true;
      return uop_row(TEMP(temp));
   }
   case CAYMAN_SRC_LDS_BASE_ADDR:
      return literal(c, 0);
   case CAYMAN_SRC_SIMD_ID:
   case CAYMAN_SRC_SE_ID:
   case CAYMAN_SRC_HW_THREADGRP_ID:
   case CAYMAN_SRC_HW_ALU_ODD:
      return literal(c, 0);
   default:
      if (sq_special(src->sel) != UOP_SPECIAL_COUNT)
         return special(c, sq_special(src->sel));
      lift_error(c->l, "not implemented: ALU source %u", src->sel);
      return literal(c, 0);
   }
}

void
clause_operand(struct clause *c, struct task *t, struct uop *u, unsigned n,
               const struct cayman_alu *a, unsigned from, bool plain)
{
   struct uop_operand o = operand(c, a, from);
   if (o.kind == UOP_ROW && t && t->num_reads < 20)
      t->reads[t->num_reads++] = o.at;

   const struct cayman_alu_src *src = &a->src[from];
   const struct cayman_alu_info *info = clause_info(c, a->op);
   bool is_float = info->src_type == CAYMAN_TYPE_F32 || info->src_type == CAYMAN_TYPE_F64;
   if (is_float && !plain)
      o.mods = (uint8_t)((src->abs ? UOP_ABS : 0) | (src->neg ? UOP_NEG : 0));
   u->src[n] = o;
}
