/* SPDX-License-Identifier: MIT */
/*
 * Operands of an ALU clause's slots: registers, constants, literals, previous results, and what the
 * wave knows of itself (HD 6900 ISA guide 4.6).
 */
#include "sq/lift_alu.h"

#include <stdlib.h>
#include <string.h>

struct uop *
K(clause_push)(struct clause *c, struct uops *list)
{
   if (list->count == list->cap) {
      uint32_t cap = list->cap ? list->cap * 2 : 64;
      struct uop *u = realloc(list->u, cap * sizeof(*u));
      if (!u) {
         c->l->oom = true;
         c->nowhere = (struct uop){ 0 };
         return &c->nowhere;
      }
      list->u = u;
      list->cap = cap;
   }
   struct uop *u = &list->u[list->count++];
   memset(u, 0, sizeof(*u));
   u->length = 1;
   return u;
}

void
K(clause_append)(struct clause *c, struct uops *to, const struct uop *u, unsigned count)
{
   for (unsigned n = 0; n < count; n++)
      *K(clause_push)(c, to) = u[n];
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */
struct operand {
   uint32_t offset; /* in file, or in uni with the table's tag */
   bool uni;
};

static struct operand
uniform(uint32_t index)
{
   return (struct operand){ index, true };
}

static struct operand
literal(struct clause *c, uint32_t value)
{
   return uniform(K(lift_literal)(c->l, value));
}

static struct operand
dynamic(struct clause *c, uint32_t *index)
{
   *index = UNI_DYNAMIC | c->l->p->num_dynamic++;
   return uniform(*index);
}

static struct operand
kcache_operand(struct clause *c, const struct cayman_alu *a, const struct cayman_alu_src *src,
               unsigned set, unsigned index, unsigned temp)
{
   const struct cayman_kcache *k = &c->cf->kcache[set];
   unsigned lines = k->mode == CAYMAN_KCACHE_LOCK_1 ? 1 : 2;
   if (k->mode == CAYMAN_KCACHE_NOP || c->cf->alt_const) {
      K(lift_error)(c->l, k->mode ? "constants of another stage" : "constant of a set not locked");
      return literal(c, 0);
   }
   uint32_t dword = (k->addr * 16u + index) * 4 + src->chan;
   uint32_t end = (k->addr + lines) * 64u;
   bool moves = k->mode == CAYMAN_KCACHE_LOCK_LOOP_INDEX;
   bool by_lane = src->rel && a->index_mode == CAYMAN_INDEX_AR_X;
   bool by_loop = src->rel && a->index_mode == CAYMAN_INDEX_LOOP;
   if (src->rel && !by_lane && !by_loop) {
      K(lift_error)(c->l, "constant with global index");
      return literal(c, 0);
   }
   if (!moves && !src->rel && k->index_mode == CAYMAN_CF_INDEX_NONE) {
      if (dword >= end)
         return literal(c, 0x7fffffffu);
      return uniform(K(lift_const)(c->l, k->bank, dword));
   }

   c->l->p->head.kcache_banks |= k->index_mode ? 0xffffu : 1u << k->bank;
   struct uop load = { .length = 1 };
   load.imm[0] = dword;
   load.imm[1] = end;
   load.aux = k->bank;
   load.exec_op = k->index_mode;
   load.update_exec = moves;
   load.update_pred = by_loop;
   if (by_lane) {
      load.fn = K(uop_gather_const);
      load.dst = TEMP(temp);
      K(clause_append)(c, &c->pre, &load, 1);
      c->l->p->head.lane_varying = true;
      return (struct operand){ TEMP(temp), false };
   }
   /* The indices stay for the clause: once at its start is enough. */
   load.fn = K(uop_load_const);
   load.uni = 1;
   for (uint32_t n = 0; n < c->prologue.count; n++) {
      const struct uop *p = &c->prologue.u[n];
      if (p->fn == load.fn && p->imm[0] == load.imm[0] && p->imm[1] == load.imm[1] &&
          p->aux == load.aux && p->exec_op == load.exec_op && p->update_exec == load.update_exec &&
          p->update_pred == load.update_pred)
         return uniform(p->src[0]);
   }
   struct operand o = dynamic(c, &load.src[0]);
   K(clause_append)(c, &c->prologue, &load, 1);
   return o;
}

static struct operand
operand(struct clause *c, const struct cayman_alu *a, unsigned n)
{
   const struct cayman_alu_src *src = &a->src[n];
   unsigned temp = TEMP_GATHER + a->dst_chan * 3 + n;
   unsigned set, index;

   if (cayman_src_is_gpr(src->sel)) {
      if (!src->rel) {
         K(lift_read)(c->l, src->sel, src->chan);
         return (struct operand){ REG(src->sel, src->chan), false };
      }
      if (a->index_mode != CAYMAN_INDEX_AR_X && a->index_mode != CAYMAN_INDEX_LOOP) {
         K(lift_error)(c->l, "register with global index");
         return literal(c, 0);
      }
      struct uop *u = K(clause_push)(c, &c->pre);
      u->fn = K(uop_gather);
      u->dst = TEMP(temp);
      u->imm[0] = src->sel;
      u->imm[1] = src->chan;
      u->aux = a->index_mode == CAYMAN_INDEX_LOOP;
      c->l->p->clear_gprs = 128;
      c->l->p->head.lane_varying = true;
      return (struct operand){ TEMP(temp), false };
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
      return (struct operand){ c->pv[src->chan], false };
   case CAYMAN_SRC_LDS_OQ_A:
   case CAYMAN_SRC_LDS_OQ_B:
   case CAYMAN_SRC_LDS_OQ_A_POP:
   case CAYMAN_SRC_LDS_OQ_B_POP: {
      unsigned queue = (src->sel - CAYMAN_SRC_LDS_OQ_A) & 1;
      c->lds_pop |= src->sel >= CAYMAN_SRC_LDS_OQ_A_POP;
      c->l->p->head.lane_varying = true;
      if (c->lds_head[queue] == NO_PV) {
         struct uop *u = K(clause_push)(c, &c->pre);
         u->fn = K(uop_lds_head);
         u->dst = c->lds_head[queue] = TEMP(temp);
         u->imm[0] = queue;
      }
      return (struct operand){ c->lds_head[queue], false };
   }
   case CAYMAN_SRC_LDS_DIRECT_A:
   case CAYMAN_SRC_LDS_DIRECT_B: {
      uint32_t bus = c->g.literal[src->sel - CAYMAN_SRC_LDS_DIRECT_A];
      if (c->l->source->stage == SQ_STAGE_PS)
         K(lift_error)(c->l, "not implemented: parameters read as LDS");
      if (cayman_get(bus, CAYMAN_ALU_WORD1_LDS_DIRECT_LITERAL_LO__THREAD_REL_A))
         K(lift_error)(c->l, "not implemented: LDS_DIRECT relative to the thread");
      struct uop *u = K(clause_push)(c, &c->pre);
      u->fn = K(uop_lds_direct);
      u->dst = TEMP(temp);
      u->imm[0] = cayman_get(bus, CAYMAN_ALU_WORD1_LDS_DIRECT_LITERAL_LO__OFFSET_A);
      u->imm[1] = cayman_get(bus, CAYMAN_ALU_WORD1_LDS_DIRECT_LITERAL_LO__STRIDE_A);
      c->l->p->head.lane_varying = true;
      return (struct operand){ TEMP(temp), false };
   }
   case CAYMAN_SRC_LDS_BASE_ADDR:
      return literal(c, 0);
   case CAYMAN_SRC_MASK_HI:
   case CAYMAN_SRC_MASK_LO:
      c->l->p->head.lane_varying = true;
      /* fall through */
   case CAYMAN_SRC_LDS_SIZE:
   case CAYMAN_SRC_HW_WAVE_ID:
   case CAYMAN_SRC_WAVE_ID_IN_GRP:
   case CAYMAN_SRC_NUM_THREADGRP_WAVES:
   case CAYMAN_SRC_CLAUSE_GLOBAL:
   case CAYMAN_SRC_TIME_HI:
   case CAYMAN_SRC_TIME_LO:
   case CAYMAN_SRC_LOOP_IDX: {
      struct uop load = { .length = 1, .uni = 1, .fn = K(uop_load_special) };
      c->l->p->head.reads_wave_id |= src->sel == CAYMAN_SRC_HW_WAVE_ID;
      load.imm[0] = src->sel;
      struct operand o = dynamic(c, &load.src[0]);
      K(clause_append)(c, &c->pre, &load, 1);
      return o;
   }
   case CAYMAN_SRC_SIMD_ID:
   case CAYMAN_SRC_SE_ID:
   case CAYMAN_SRC_HW_THREADGRP_ID:
   case CAYMAN_SRC_HW_ALU_ODD:
      return literal(c, 0);
   default:
      K(lift_error)(c->l, "not implemented: ALU source %u", src->sel);
      return literal(c, 0);
   }
}

void
K(clause_operand)(struct clause *c, struct task *t, struct uop *u, unsigned n,
                  const struct cayman_alu *a, unsigned from, bool plain)
{
   struct operand o = operand(c, a, from);
   u->src[n] = o.offset;
   if (o.uni)
      u->uni |= 1u << n;
   else if (t && t->num_reads < 20)
      t->reads[t->num_reads++] = o.offset;

   u->keep[n] = ~0u;
   u->flip[n] = 0;
   const struct cayman_alu_src *src = &a->src[from];
   const struct cayman_alu_info *info = cayman_alu_info(a->op);
   bool is_float = info->src_type == CAYMAN_TYPE_F32 || info->src_type == CAYMAN_TYPE_F64;
   if (is_float && !plain && (src->abs || src->neg)) {
      u->keep[n] = src->abs ? 0x7fffffffu : ~0u;
      u->flip[n] = src->neg ? 0x80000000u : 0;
      u->mods |= 1u << n;
   }
}
