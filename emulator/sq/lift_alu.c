/* SPDX-License-Identifier: MIT */
/*
 * Lifts an ALU clause: groups of slots become micro-operations (program.h).  A five-slot chip's
 * slot t is one more, and its result is PS in the next group.
 *
 * All sources of a group are read before any of its results is written (4.11): slots are ordered
 * so that none reads what an earlier one wrote, and where that is impossible the result goes
 * through a temporary.  The previous group's results (PV, 4.6.2) are the registers that took them,
 * or temporaries where no register did.
 */
#include "sq/lift_alu.h"
#include "sq/numbers.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Results
 */

static struct uop *
push(struct clause *c, struct uops *list, enum uop_id op)
{
   struct uop *u = clause_push(c, list);
   u->op = (uint16_t)op;
   return u;
}

static enum uop_when
when(const struct cayman_alu *a)
{
   return a->pred_sel == CAYMAN_PRED_SEL_ONE    ? UOP_IF_PRED
          : a->pred_sel == CAYMAN_PRED_SEL_ZERO ? UOP_UNLESS_PRED
                                                : UOP_ALWAYS;
}

/* Where slot a's result goes, with what must happen before and after.  False: nobody wants it. */
static bool
place_result(struct clause *c, const struct cayman_alu *a, uint32_t *dst)
{
   const unsigned chan = a->dst_chan, slot = slot_number(a);
   bool wanted = c->pv_wanted[slot], predicated = a->pred_sel != CAYMAN_PRED_SEL_OFF;
   uint32_t reg = REG(a->dst_gpr & 127u, chan), pv;
   pv = a->trans ? TEMP(TEMP_PS + c->parity) : TEMP(TEMP_PV + c->parity * 4 + chan);
   bool through = a->write_mask && (a->dst_rel || (predicated && wanted));

   if (a->write_mask && !through) {
      *dst = reg;
      c->new_pv[slot] = reg;
      if (predicated)
         lift_read(c->l, a->dst_gpr & 127u, chan);
      return true;
   }
   if (!a->write_mask && !wanted)
      return false;

   *dst = wanted ? pv : a->trans ? TEMP(TEMP_T_RESULT) : TEMP(TEMP_RESULT + chan);
   if (wanted) {
      c->new_pv[slot] = pv;
      if (predicated) {
         /* Lanes that skip the slot keep the older value (4.10). */
         struct uop *u = push(c, &c->pre, UOP_COPY);
         u->dst = pv;
         u->src[0] = c->pv[slot] == NO_PV ? uop_literal(&c->l->b, 0) : uop_row(c->pv[slot]);
      }
   }
   if (a->write_mask) {
      struct uop *u = push(c, &c->post, a->dst_rel ? UOP_SCATTER : UOP_COPY);
      u->src[0] = uop_row(*dst);
      u->when = (uint8_t)when(a);
      if (a->dst_rel) {
         if (a->index_mode != CAYMAN_INDEX_AR_X && a->index_mode != CAYMAN_INDEX_LOOP)
            lift_error(c->l, "register with global index");
         u->p.reg.gpr = a->dst_gpr & 127u;
         u->p.reg.chan = (uint8_t)chan;
         u->p.reg.by_loop = a->index_mode == CAYMAN_INDEX_LOOP;
         c->l->p->clear_gprs = 128;
      } else {
         u->dst = reg;
      }
   }
   return true;
}

/* Of a slot; of what is in no program, the first. */
static uint32_t
slot_origin(const struct clause *c, const struct cayman_alu *a)
{
   return c->l->words ? c->origin + 2 * (uint32_t)(a - c->g.slot) : c->origin;
}

/* A unit that does `op` as slot `a` says. */
static struct task *
new_task(struct clause *c, enum uop_id op, const struct cayman_alu *a)
{
   struct task *t = &c->tasks[c->num_tasks < 6 ? c->num_tasks : 5];
   const unsigned records = uop_infos[op].records;

   if (c->num_tasks < 6)
      c->num_tasks++;
   memset(t, 0, sizeof(*t));
   t->records = records;
   for (unsigned n = 0; n < records; n++) {
      struct uop *u = &t->u[n];
      u->op = n ? UOP_PART : (uint16_t)op;
      u->length = n ? 1 : (uint8_t)records;
      u->when = (uint8_t)when(a);
      u->scale = a->omod;
      u->clamp = a->clamp;
      u->origin = slot_origin(c, a);
   }
   return t;
}

static struct uop_predicate
predicate(const struct cayman_alu *a)
{
   return (struct uop_predicate){ a->update_pred, a->update_exec_mask,
                                  (uint8_t)sq_fail(a->execute_mask_op) };
}

static bool
has_effect(const struct cayman_alu_info *info)
{
   return (info->flags & (CAYMAN_ALU_FLAG_PRED | CAYMAN_ALU_FLAG_KILL)) != 0;
}

/* ------------------------------------------------------------------------------------------------
 * Slots
 */

_Static_assert((int)UOP_SCALE_2 == CAYMAN_OMOD_M2 && (int)UOP_SCALE_4 == CAYMAN_OMOD_M4 &&
                  (int)UOP_SCALE_HALF == CAYMAN_OMOD_D2,
               "a slot's OMOD is its scale");

/* What computes an operation of one slot, its neighbour's result given: DOT is a multiply-add then;
 * or UOP_COUNT. */
static enum uop_id
lane_op(unsigned op)
{
   static const uint16_t next[CAYMAN_ALU_OP_COUNT] = {
#define ALU(name, ...)  [CAYMAN_ALU_##name] = UOP_##name + 1,
#define PRED(name, ...) [CAYMAN_ALU_##name] = UOP_##name + 1,
#define LANE(...)
#include "uop/uops.def"
      [CAYMAN_ALU_DOT] = UOP_MULADD + 1,
      [CAYMAN_ALU_DOT_IEEE] = UOP_MULADD_IEEE + 1,
      [CAYMAN_ALU_RECIP_UINT] = UOP_RECIP_UINT + 1,
   };
   return op < CAYMAN_ALU_OP_COUNT && next[op] ? next[op] - 1 : UOP_COUNT;
}

static enum uop_id
f64_op(unsigned op)
{
   switch (op) {
#define F64(name, ...)     \
   case CAYMAN_ALU_##name: \
      return UOP_##name;
#include "uop/uops.def"
   default:
      return UOP_COUNT;
   }
}

/* The unmodified result of a channel, for its neighbour (DOT, *_PREV): into TEMP_CHAIN. */
static uint32_t neighbour(struct clause *c, unsigned chan);

static unsigned
neighbour_of(const struct cayman_alu_info *info, unsigned chan)
{
   return info->slots == CAYMAN_SLOTS_INTERLEAVE ? chan + 2 : chan + 1;
}

static bool
lanewise_operands(struct clause *c, struct task *t, struct uop *u, const struct cayman_alu *a)
{
   const struct cayman_alu_info *info = clause_info(c, a->op);
   for (unsigned n = 0; n < info->num_src && n < 3; n++)
      clause_operand(c, t, u, n, a, n, false);
   if (info->slots == CAYMAN_SLOTS_NEXT || info->slots == CAYMAN_SLOTS_INTERLEAVE) {
      /* One-operand forms name their operand first; the code wants it where the pair has it. */
      unsigned chan = neighbour_of(info, a->dst_chan);
      if (chan > 3 || !c->slot[chan]) {
         lift_error(c->l, "%s without the channel it reads", info->name);
         return false;
      }
      if (info->num_src < 2)
         u->src[1] = u->src[0];
      u->src[2] = uop_row(neighbour(c, chan));
   }
   return true;
}

static uint32_t
neighbour(struct clause *c, unsigned chan)
{
   const struct cayman_alu *a = c->slot[chan];
   struct uop u = { .op = (uint16_t)lane_op(a->op), .length = 1 };
   u.dst = TEMP(TEMP_CHAIN + chan);
   u.origin = slot_origin(c, a);
   if (u.op == UOP_COUNT || has_effect(clause_info(c, a->op))) {
      lift_error(c->l, "neighbour operation %s", clause_info(c, a->op)->name);
      return u.dst;
   }
   if (lanewise_operands(c, NULL, &u, a))
      clause_append(c, &c->pre, &u, 1);
   return u.dst;
}

static void
lift_lanewise(struct clause *c, const struct cayman_alu *a)
{
   const struct cayman_alu_info *info = clause_info(c, a->op);
   uint32_t dst;
   bool wanted = place_result(c, a, &dst);
   if (!wanted) {
      if (!has_effect(info))
         return;
      dst = TEMP(a->trans ? TEMP_T_TRASH : TEMP_TRASH + a->dst_chan);
   }
   if ((info->flags & CAYMAN_ALU_FLAG_KILL) && c->l->source->stage == SQ_STAGE_PS)
      c->l->p->head.core.uses_kill = true;

   struct task *t = new_task(c, lane_op(a->op), a);
   struct uop *u = t->u;
   u->dst = dst;
   t->results = 1;
   t->simple = !has_effect(info);
   if (uop_infos[u->op].params == UOP_PARAMS_predicate)
      u->p.predicate = predicate(a);
   lanewise_operands(c, t, u, a);
   uop_normalise(u);
   if (a->update_pred && (info->flags & CAYMAN_ALU_FLAG_PRED))
      c->commit_pred = true;
}

/* DOT4, MAX4, CUBE, FLT_TO_UINT4: records in slot order. */
static void
lift_quad(struct clause *c, enum uop_id op, const struct cayman_alu *first)
{
   const struct cayman_alu_info *info = clause_info(c, first->op);
   struct task *t = new_task(c, op, first);
   unsigned writes = 0;
   for (unsigned s = 0; s < 4; s++) {
      const struct cayman_alu *a = c->slot[s];
      if (!a || a->op != first->op) {
         lift_error(c->l, "%s not in all four slots", info->name);
         return;
      }
      struct uop *u = &t->u[s];
      uint32_t dst;
      if (place_result(c, a, &dst)) {
         u->dst = dst;
         writes |= 1u << s;
      }
      for (unsigned n = 0; n < info->num_src; n++)
         clause_operand(c, t, u, n, a, n, false);
   }
   t->u[0].p.group.writes = (uint8_t)writes;
   t->results = writes;
   if (!writes)
      c->num_tasks--;
   /* The sum is in PV.X, whatever slot wrote it. */
   if (info->flags & CAYMAN_ALU_FLAG_REDUCE) {
      for (unsigned s = 1; s < 4; s++)
         if (c->new_pv[0] == NO_PV)
            c->new_pv[0] = c->new_pv[s];
   }
}

/* Double operations: operand n's dwords in u[n].src, destinations in u[s].dst. */
static void
lift_f64(struct clause *c, unsigned op, unsigned first_slot, unsigned num_slots)
{
   const struct cayman_alu *a = c->slot[first_slot];
   const struct cayman_alu_info *info = clause_info(c, op);
   if (!a || a->op != op || f64_op(op) == UOP_COUNT) {
      lift_error(c->l, "%s without its first slot", info->name);
      return;
   }
   struct task *t = new_task(c, f64_op(op), a);
   struct uop_f64 *p = &t->u[0].p.f64;
   unsigned writes = 0;
   bool pred = (info->flags & CAYMAN_ALU_FLAG_PRED) != 0;
   for (unsigned s = 0; s < num_slots; s++) {
      const struct cayman_alu *b = c->slot[first_slot + s];
      if (!b || b->op != a->op)
         continue;
      uint32_t dst;
      if (place_result(c, b, &dst)) {
         t->u[s].dst = dst;
         writes |= 1u << s;
      }
   }
   p->writes = (uint8_t)writes;
   p->predicate = predicate(a);
   t->results = writes;

   if (info->slots == CAYMAN_SLOTS_XYZ) {
      p->doubles = 1;
      clause_operand(c, t, &t->u[0], 0, a, 0, false);
      clause_operand(c, t, &t->u[0], 1, a, 1, true);
   } else {
      const struct cayman_alu *low = c->slot[first_slot + num_slots - 1];
      if (!low || low->op != a->op) {
         lift_error(c->l, "%s without all its slots", info->name);
         return;
      }
      p->doubles = info->num_src;
      for (unsigned n = 0; n < info->num_src; n++) {
         clause_operand(c, t, &t->u[n], 0, a, n, false);
         clause_operand(c, t, &t->u[n], 1, low, n, true);
      }
      if (a->op == CAYMAN_ALU_FLT32_TO_FLT64)
         t->u[0].src[1] = uop_literal(&c->l->b, 0);
      for (unsigned s = 0; s < num_slots && pred; s++) {
         const struct cayman_alu *b = c->slot[first_slot + s];
         if (!b)
            continue;
         p->predicate.update_pred |= b->update_pred;
         if (b->update_exec_mask && !p->predicate.update_exec) {
            p->predicate.update_exec = true;
            p->predicate.exec_op = (uint8_t)sq_fail(b->execute_mask_op);
         }
      }
      c->commit_pred |= pred && p->predicate.update_pred;
   }
   if (!writes && !pred)
      c->num_tasks--;
}

/* One component: i and j from the odd and the even slot of `pair`, to slot `to`. */
static void
lift_interp_component(struct clause *c, unsigned pair, unsigned comp, unsigned to)
{
   const struct cayman_alu *even = c->slot[pair], *odd = c->slot[pair + 1];
   const struct cayman_alu *target = c->slot[to];
   uint32_t dst;
   if (!target || !place_result(c, target, &dst))
      return;
   if (!even || !odd) {
      lift_error(c->l, "interpolation without both slots");
      return;
   }
   unsigned param = even->src[1].sel;
   if (param < CAYMAN_SRC_PARAM || param > CAYMAN_SRC_PARAM_LAST - 1) {
      lift_error(c->l, "interpolation of source %u", param);
      return;
   }
   struct task *t = new_task(c, UOP_INTERP, target);
   t->u[0].dst = dst;
   t->u[0].p.interp.input = (uint8_t)(param - CAYMAN_SRC_PARAM);
   t->u[0].p.interp.comp = (uint8_t)comp;
   t->results = 1;
   clause_operand(c, t, t->u, 0, odd, 0, false);
   clause_operand(c, t, t->u, 1, even, 0, false);
}

static void
lift_interp_load(struct clause *c, const struct cayman_alu *a)
{
   unsigned param = a->src[0].sel;
   uint32_t dst;
   if (!place_result(c, a, &dst))
      return;
   if (param < CAYMAN_SRC_PARAM || param > CAYMAN_SRC_PARAM_LAST - 1) {
      lift_error(c->l, "interpolation of source %u", param);
      return;
   }
   struct task *t = new_task(c, UOP_INTERP_LOAD, a);
   t->u[0].dst = dst;
   t->u[0].p.interp.input = (uint8_t)(param - CAYMAN_SRC_PARAM);
   t->u[0].p.interp.which = (uint8_t)(a->op - CAYMAN_ALU_INTERP_LOAD_P0);
   t->u[0].p.interp.comp = a->dst_chan & 3;
   t->results = 1;
}

static void
need_parameters(struct clause *c)
{
   c->l->p->head.core.lane_varying = true;
   c->l->p->uses_parameters = true;
   if (c->l->source->stage != SQ_STAGE_PS)
      lift_error(c->l, "interpolation outside a pixel shader");
}

/* Lifts slot `s`; returns the slots it took (a mask). */
static unsigned
lift_slot(struct clause *c, unsigned s)
{
   const struct cayman_alu *a = c->slot[s];
   const struct cayman_alu_info *info = clause_info(c, a->op);

   switch (a->op) {
   case CAYMAN_ALU_NOP:
      return 1u << s;
   case CAYMAN_ALU_DOT4:
      lift_quad(c, UOP_DOT4, a);
      return 15;
   case CAYMAN_ALU_DOT4_IEEE:
      lift_quad(c, UOP_DOT4_IEEE, a);
      return 15;
   case CAYMAN_ALU_MAX4:
      lift_quad(c, UOP_MAX4, a);
      return 15;
   case CAYMAN_ALU_CUBE:
      lift_quad(c, UOP_CUBE, a);
      return 15;
   case CAYMAN_ALU_FLT_TO_UINT4:
      lift_quad(c, UOP_FLT_TO_UINT4, a);
      return 15;
   case CAYMAN_ALU_INTERP_XY:
      need_parameters(c);
      lift_interp_component(c, 0, 0, 0);
      lift_interp_component(c, 2, 1, 1);
      return 15;
   case CAYMAN_ALU_INTERP_ZW:
      need_parameters(c);
      lift_interp_component(c, 2, 2, 2);
      lift_interp_component(c, 0, 3, 3);
      return 15;
   case CAYMAN_ALU_INTERP_X:
      need_parameters(c);
      lift_interp_component(c, 0, 0, 0);
      return 3;
   case CAYMAN_ALU_INTERP_Z:
      need_parameters(c);
      lift_interp_component(c, 2, 2, 2);
      return 12;
   case CAYMAN_ALU_INTERP_LOAD_P0:
   case CAYMAN_ALU_INTERP_LOAD_P10:
   case CAYMAN_ALU_INTERP_LOAD_P20:
      need_parameters(c);
      lift_interp_load(c, a);
      return 1u << s;
   case CAYMAN_ALU_MOVA_INT:
   case CAYMAN_ALU_MOVA_GPR_INT: {
      struct task *t = new_task(c, UOP_MOVA_INT, a);
      t->u[0].p.mova.to = (uint8_t)sq_address(a->mova_dst);
      clause_operand(c, t, t->u, 0, a, 0, false);
      if (c->keeps_ar) {
         struct uop *u = push(c, &c->pre, UOP_COPY);
         u->dst = TEMP(TEMP_AR);
         u->src[0] = t->u[0].src[0];
         c->ar_age = 1;
      }
      return 1u << s;
   }
   case CAYMAN_ALU_SET_CF_IDX0:
   case CAYMAN_ALU_SET_CF_IDX1: {
      /* Temporaries live for a few groups (TEMP_LIFE). */
      if (!c->ar_age || c->ar_age > 8)
         lift_error(c->l, "not implemented: %s far from its MOVA_INT", info->name);
      struct task *t = new_task(c, UOP_MOVA_INT, a);
      t->u[0].p.mova.to = (uint8_t)sq_address(
         a->op == CAYMAN_ALU_SET_CF_IDX0 ? CAYMAN_MOVA_CF_IDX0 : CAYMAN_MOVA_CF_IDX1);
      t->u[0].src[0] = uop_row(TEMP(TEMP_AR));
      return 1u << s;
   }
   case CAYMAN_ALU_LDS_IDX_OP: {
      const struct cayman_op_info *lds = cayman_lds_info(a->lds_op);
      if (!lds->name || a->lds_op == CAYMAN_LDS_ATOMIC_ORDERED_ALLOC_RET) {
         lift_error(c->l, "not an LDS operation: %u", a->lds_op);
         return 1u << s;
      }
      struct task *t = new_task(c, UOP_LDS, a);
      t->u[0].p.lds.offset = a->lds_offset;
      t->u[0].p.lds.op = (uint8_t)sq_share_op(a->lds_op, &t->u[0].p.lds.offset);
      t->u[0].p.lds.returns = lds->returns;
      for (unsigned n = 0; n < lds->num_src; n++)
         clause_operand(c, t, t->u, n, a, n, true);
      c->l->p->head.core.lane_varying = true;
      return 1u << s;
   }
   case CAYMAN_ALU_GROUP_BARRIER:
      push(c, &c->post, UOP_BARRIER);
      c->has_barrier = c->l->p->head.core.uses_barrier = true;
      return 1u << s;
   case CAYMAN_ALU_SET_LDS_SIZE: {
      struct task *t = new_task(c, UOP_SET_LDS_SIZE, a);
      clause_operand(c, t, t->u, 0, a, 0, true);
      return 1u << s;
   }
   case CAYMAN_ALU_SET_MODE: {
      struct uop *u = push(c, &c->post, UOP_SET_MODE);
      u->p.mode.single_mode = a->src[0].sel & 15;
      u->p.mode.double_mode = a->src[1].sel & 15;
      return 1u << s;
   }
   case CAYMAN_ALU_FREXP_64:
   case CAYMAN_ALU_MUL_64:
   case CAYMAN_ALU_FMA_64:
      lift_f64(c, a->op, 0, 4);
      return 15;
   default:
      break;
   }

   if (info->src_type == CAYMAN_TYPE_F64 || a->op == CAYMAN_ALU_FLT32_TO_FLT64 ||
       a->op == CAYMAN_ALU_FLT64_TO_FLT32) {
      if (a->trans) {
         lift_error(c->l, "not implemented: %s in slot t", info->name);
         return 1u << s;
      }
      if (info->slots == CAYMAN_SLOTS_XYZ) {
         lift_f64(c, a->op, 0, 4);
         unsigned took = 0;
         for (unsigned n = 0; n < 4; n++)
            took |= c->slot[n] && c->slot[n]->op == a->op ? 1u << n : 0;
         return took;
      }
      lift_f64(c, a->op, s & 2, 2);
      return 3u << (s & 2);
   }
   if (lane_op(a->op) == UOP_COUNT) {
      lift_error(c->l, "not implemented: %s", info->name ? info->name : "undefined opcode");
      return 1u << s;
   }
   lift_lanewise(c, a);
   return 1u << s;
}

/* ------------------------------------------------------------------------------------------------
 * Order
 */
static bool
reads_any(const struct task *t, const struct task *of)
{
   for (unsigned n = 0; n < 4; n++) {
      if (!(of->results >> n & 1))
         continue;
      for (unsigned r = 0; r < t->num_reads; r++)
         if (t->reads[r] == of->u[n].dst)
            return true;
   }
   return false;
}

/* Emits the tasks of `units` (each a mask of tasks that run at once) so that nothing is overwritten
 * before it is read. */
static void
emit_units(struct clause *c, struct uops *out, struct task *tasks, unsigned *units,
           unsigned num_units, const struct uop *post, uint32_t num_post)
{
   struct uop copies[8];
   unsigned num_copies = 0;

   while (num_units) {
      unsigned pick = num_units;
      for (unsigned n = 0; n < num_units && pick == num_units; n++) {
         bool safe = true;
         for (unsigned other = 0; other < num_units && safe; other++) {
            if (other == n)
               continue;
            for (unsigned w = 0; w < c->num_tasks && safe; w++) {
               for (unsigned r = 0; r < c->num_tasks && safe; r++)
                  if ((units[n] >> w & 1) && (units[other] >> r & 1))
                     safe = !reads_any(&tasks[r], &tasks[w]);
            }
         }
         if (safe)
            pick = n;
      }
      bool redirect = pick == num_units;
      if (redirect)
         pick = 0;

      for (unsigned w = 0; w < c->num_tasks; w++) {
         if (!(units[pick] >> w & 1))
            continue;
         struct task *t = &tasks[w];
         for (unsigned s = 0; redirect && s < 4; s++) {
            if (!(t->results >> s & 1) || num_copies == 8)
               continue;
            struct uop *copy = &copies[num_copies];
            memset(copy, 0, sizeof(*copy));
            copy->op = UOP_COPY;
            copy->length = 1;
            copy->dst = t->u[s].dst;
            t->u[s].dst = TEMP(TEMP_REDIRECT + num_copies);
            copy->src[0] = uop_row(t->u[s].dst);
            copy->when = t->u[0].when;
            copy->origin = t->u[0].origin;
            num_copies++;
         }
         clause_append(c, out, t->u, t->records);
      }
      units[pick] = units[--num_units];
   }
   clause_append(c, out, copies, num_copies);
   clause_append(c, out, post, num_post);
}

static void
emit_group(struct clause *c)
{
   if (c->commit_pred)
      push(c, &c->post, UOP_COMMIT_PRED);
   if (c->lds_pop)
      push(c, &c->post, UOP_LDS_POP);

   struct task tasks[6];
   unsigned units[6];

   clause_append(c, &c->masked, c->pre.u, c->pre.count);
   memcpy(tasks, c->tasks, sizeof(tasks));
   for (unsigned n = 0; n < c->num_tasks; n++)
      units[n] = 1u << n;
   emit_units(c, &c->masked, tasks, units, c->num_tasks, c->post.u, c->post.count);

   clause_append(c, &c->plain, c->pre.u, c->pre.count);
   memcpy(tasks, c->tasks, sizeof(tasks));
   unsigned num_units = 0, left = (1u << c->num_tasks) - 1;
   while (left) {
      unsigned first = (unsigned)__builtin_ctz(left), set = 1u << first, count = 1;
      const struct uop *run[6] = { &tasks[first].u[0] };
      for (unsigned n = first + 1; tasks[first].simple && n < c->num_tasks && count < 4; n++) {
         run[count] = &tasks[n].u[0];
         if ((left >> n & 1) && tasks[n].simple && uop_can_fuse(run, count + 1)) {
            set |= 1u << n;
            count++;
         }
      }
      tasks[first].u[0].length = count > 1 ? (uint8_t)count : tasks[first].u[0].length;
      units[num_units++] = set;
      left &= ~set;
   }
   emit_units(c, &c->plain, tasks, units, num_units, c->post.u, c->post.count);
}

/* ------------------------------------------------------------------------------------------------
 * Groups
 */
static void
find_wanted(struct clause *c, const uint32_t *words, size_t num_dwords)
{
   memset(c->pv_wanted, 0, sizeof(c->pv_wanted));
   struct cayman_alu_group next;
   const enum cayman_vliw vliw = c->l->vliw;
   if (!num_dwords || cayman_decode_alu_group(vliw, words, num_dwords, &next) < 0)
      return;
   for (unsigned n = 0; n < next.num_slots; n++) {
      for (unsigned s = 0; s < 3; s++)
         if (next.slot[n].src[s].sel == CAYMAN_SRC_PV)
            c->pv_wanted[next.slot[n].src[s].chan & 3] = true;
         else if (next.slot[n].src[s].sel == CAYMAN_SRC_PS && cayman_five_slots(vliw))
            c->pv_wanted[CAYMAN_SLOT_T] = true;
   }
}

static void
lift_group(struct clause *c)
{
   c->pre.count = c->post.count = 0;
   c->num_tasks = 0;
   c->commit_pred = c->lds_pop = false;
   c->lds_head[0] = c->lds_head[1] = NO_PV;
   memset(c->slot, 0, sizeof(c->slot));
   for (unsigned n = 0; n < CAYMAN_MAX_SLOTS; n++)
      c->new_pv[n] = NO_PV;
   for (unsigned n = 0; n < c->g.num_slots; n++)
      c->slot[slot_number(&c->g.slot[n])] = &c->g.slot[n];

   /* A reduction's result is in PV.X only: whichever channel is named, any slot may hold it. */
   for (unsigned s = 0; s < 4; s++) {
      const struct cayman_alu *a = c->slot[s];
      if (a && (clause_info(c, a->op)->flags & CAYMAN_ALU_FLAG_REDUCE) && c->pv_wanted[0]) {
         for (unsigned n = 0; n < 4; n++)
            if (c->slot[n] && c->slot[n]->write_mask && !c->slot[n]->dst_rel &&
                c->slot[n]->pred_sel == CAYMAN_PRED_SEL_OFF)
               c->pv_wanted[0] = false; /* new_pv[0] takes that slot's register */
         break;
      }
   }

   unsigned left = 0;
   for (unsigned s = 0; s < CAYMAN_MAX_SLOTS; s++)
      left |= c->slot[s] ? 1u << s : 0;
   while (left) {
      unsigned s = (unsigned)__builtin_ctz(left);
      left &= ~(lift_slot(c, s) | 1u << s);
   }
   emit_group(c);

   for (unsigned s = 0; s < CAYMAN_MAX_SLOTS; s++) {
      const struct cayman_alu *a = c->slot[s];
      if (a && a->write_mask && !a->dst_rel && a->pred_sel == CAYMAN_PRED_SEL_OFF)
         lift_write(c->l, a->dst_gpr & 127u, a->dst_chan & 3u);
      if (a && a->update_exec_mask && c->l->depth == 0)
         c->l->unsure = true;
   }
   memcpy(c->pv, c->new_pv, sizeof(c->pv));
   c->parity ^= 1;
}

/* What becomes of lanes that fail, a five-slot chip says by the clause's instruction. */
static void
name_mask_op(struct clause *c)
{
   if (c->cf->op != CAYMAN_CF_ALU_BREAK && c->cf->op != CAYMAN_CF_ALU_CONTINUE)
      return;
   for (unsigned n = 0; n < c->g.num_slots; n++)
      c->g.slot[n].execute_mask_op = c->cf->op == CAYMAN_CF_ALU_BREAK
                                        ? CAYMAN_EXECUTE_MASK_BREAK
                                        : CAYMAN_EXECUTE_MASK_CONTINUE;
}

/* Whether a clause of a five-slot chip copies AR to CF_IDX0 or CF_IDX1. */
static bool
sets_index(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords)
{
   struct cayman_alu_group g;

   while (cayman_five_slots(vliw) && num_dwords &&
          cayman_decode_alu_group(vliw, words, num_dwords, &g) >= 0) {
      for (unsigned n = 0; n < g.num_slots; n++)
         if (g.slot[n].op == CAYMAN_ALU_SET_CF_IDX0 || g.slot[n].op == CAYMAN_ALU_SET_CF_IDX1)
            return true;
      words += g.num_dwords;
      num_dwords -= g.num_dwords;
   }
   return false;
}

static struct uop_run
store_run(struct clause *c, const struct uops *from)
{
   struct uop_builder *b = &c->l->b;
   struct uop_code *code = b->code;
   struct uop_run run = { code->num_uops, from->count };
   for (uint32_t n = 0; n < from->count; n++) {
      if (!uop_grow(b, (void **)&code->uops, code->num_uops, &b->cap_uops, sizeof(*code->uops)))
         return (struct uop_run){ 0, 0 };
      code->uops[code->num_uops++] = from->u[n];
   }
   return run;
}

void
lift_alu_clause(struct lift *l, const struct cayman_cf *cf, const uint32_t *words,
                size_t num_dwords, struct sq_cf *out)
{
   struct clause *c = calloc(1, sizeof(*c));
   if (!c) {
      l->b.oom = true;
      return;
   }
   c->l = l;
   c->cf = cf;
   for (unsigned n = 0; n < CAYMAN_MAX_SLOTS; n++)
      c->pv[n] = NO_PV;
   c->keeps_ar = sets_index(l->vliw, words, num_dwords);

   while (num_dwords && !l->b.oom && !l->p->head.core.error) {
      int status = cayman_decode_alu_group(l->vliw, words, num_dwords, &c->g);
      if (status < 0) {
         lift_error(l, "ALU group: %s", cayman_status_name(status));
         break;
      }
      name_mask_op(c);
      c->ar_age += c->ar_age != 0;
      c->origin = l->words ? l->origin + (uint32_t)(words - l->words) : 0;
      if (!uop_grow(&l->b, (void **)&l->p->groups, l->p->num_groups, &l->cap_groups,
                    sizeof(*l->p->groups)))
         break;
      l->p->groups[l->p->num_groups++] = c->origin;
      words += c->g.num_dwords;
      num_dwords -= c->g.num_dwords;
      /* A clause counts pairs of dwords: a lone odd one cannot be. */
      find_wanted(c, words, num_dwords);
      lift_group(c);
      out->cost += 4;
      out->groups++;
      out->slots += (uint16_t)c->g.num_slots;
   }
   out->has_barrier = c->has_barrier;
   out->prologue = store_run(c, &c->prologue);
   out->plain = store_run(c, &c->plain);
   out->masked = store_run(c, &c->masked);
   free(c->prologue.u);
   free(c->plain.u);
   free(c->masked.u);
   free(c->pre.u);
   free(c->post.u);
   free(c);
}
