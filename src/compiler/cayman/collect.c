/* SPDX-License-Identifier: MIT */
/*
 * Collect: values that one fetch or export reads or writes together must share a GPR, in any
 * channels.
 *
 * The sources of each such instruction are tied into one tuple, merging the tuples they are already
 * in, as long as no more than four values meet and none of their given channels collide.  What does
 * not fit is copied, or made again; the first one goes when nobody else reads it.  Values loaded by
 * the hardware stay where they are: they are tied with nothing but their neighbours of the same
 * GPR.
 */
#include "ir.h"

#include <string.h>

static uint32_t
tuple_of(struct compiler *c, value_id v)
{
   if (!c->values[v].tuple) {
      if (c->num_tuples == 0)
         c->num_tuples = 1;
      c->tuples = cc_grow(c, c->tuples, c->num_tuples, &c->cap_tuples, sizeof(*c->tuples));
      c->tuples[c->num_tuples].member[0] = v;
      c->tuples[c->num_tuples].count = 1;
      c->values[v].tuple = c->num_tuples++;
   }
   return c->values[v].tuple;
}

/* Two values cannot be in the same channel; one that may be in any gives way. */
static bool
collide(struct cc_value *x, struct cc_value *y)
{
   struct cc_value *moves = x->pinned || x->input ? y : x;

   if (x->chan < 0 || x->chan != y->chan)
      return false;
   if (moves->pinned || moves->input)
      return true;
   moves->chan = -1;
   return false;
}

static bool
merge(struct compiler *c, uint32_t into, uint32_t from)
{
   struct tuple *a = &c->tuples[into], *b = &c->tuples[from];

   if (into == from)
      return true;
   if (a->count + b->count > 4)
      return false;
   for (unsigned i = 0; i < a->count; i++) {
      for (unsigned k = 0; k < b->count; k++) {
         struct cc_value *x = &c->values[a->member[i]], *y = &c->values[b->member[k]];
         if (collide(x, y))
            return false;
         if (x->input != y->input || (x->input && x->gpr != y->gpr))
            return false;
      }
   }
   for (unsigned k = 0; k < b->count; k++) {
      a->member[a->count++] = b->member[k];
      c->values[b->member[k]].tuple = into;
   }
   b->count = 0;
   return true;
}

/* The copy of each value that the block has made last. */
struct made {
   const struct cc_block *block;
   value_id copy;
};

/* Copies made for an instruction are inserted in front of it. */
struct copies {
   const struct inst *of;
   const struct cc_block *block;
   struct made *last; /* of the first `num_last` values */
   uint32_t num_last;
   struct inst *inst[16];
   unsigned count;
   bool in_place; /* they stay in the channel of what they copy */
};

static value_id
copy_value(struct compiler *c, struct copies *copies, value_id v)
{
   struct inst *mov = cc_copy_for(c, op_value(v), copies->of);
   const struct inst *maker = c->values[v].ssa ? c->values[v].def : NULL;

   /* Made again it has not to wait for the first one. */
   if (maker && maker->lane[0].dst == v && cc_is_repeatable(c, maker)) {
      const value_id copy = mov->lane[0].dst;
      mov->lane[0] = maker->lane[0];
      mov->lane[0].dst = copy;
      c->remade = true;
   }
   if (copies->in_place)
      cc_pin(c, mov->lane[0].dst, (unsigned)c->values[v].chan);
   copies->inst[copies->count++] = mov;
   if (v < copies->num_last && c->values[v].ssa)
      copies->last[v] = (struct made){ .block = copies->block, .copy = mov->lane[0].dst };
   return mov->lane[0].dst;
}

/* A source with a tuple that has no room for the others: its last copy's may have some. */
static void
use_room(struct compiler *c, struct cc_operand src[4], const struct copies *copies)
{
   for (unsigned i = 0; i < 4; i++) {
      const value_id v = src[i].value;
      bool apart = false;
      if (src[i].kind != OPERAND_VALUE || v >= copies->num_last ||
          copies->last[v].block != copies->block)
         continue;
      const uint32_t full = c->values[v].tuple;
      const uint32_t roomy = c->values[copies->last[v].copy].tuple;
      for (unsigned k = 0; k < 4; k++)
         apart |= src[k].kind == OPERAND_VALUE && c->values[src[k].value].tuple != full;
      if (!apart || !full || !roomy || c->tuples[full].count < 4 || c->tuples[roomy].count == 4)
         continue;
      for (unsigned k = 0; k < 4; k++)
         if (src[k].kind == OPERAND_VALUE && src[k].value == v)
            src[k].value = copies->last[v].copy;
      return;
   }
}

/* Ties a copy.  That of an input which nothing else reads stays in its channel, if it can: it may
 * then stay in its register, too, and the copy comes to nothing (drop_moves.c). */
static bool
merge_copy(struct compiler *c, uint32_t tuple, value_id copy, value_id of)
{
   struct cc_value *v = &c->values[copy];

   if (v->chan < 0 && c->values[of].input && c->values[of].uses == 1)
      v->chan = c->values[of].chan;
   return merge(c, tuple, tuple_of(c, copy));
}

static void
tie_sources(struct compiler *c, struct cc_operand src[4], struct copies *copies)
{
   uint32_t tuple = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (src[i].kind != OPERAND_VALUE)
         continue;
      uint32_t t = tuple_of(c, src[i].value);
      if (!tuple) {
         tuple = t;
      } else if (!merge(c, tuple, t)) {
         value_id old = src[i].value, copy = old;
         /* Inputs take in nothing else and must be copied: a value that is alone begins anew. */
         bool begins = c->values[c->tuples[tuple].member[0]].input && !c->values[old].input &&
                       c->tuples[t].count == 1;
         if (!begins) {
            copy = copy_value(c, copies, old);
            t = tuple_of(c, copy);
         }
         if (begins || !merge_copy(c, tuple, copy, old)) {
            /* The tuple is full or made of inputs: begin anew with copies of what it had. */
            tuple = t;
            for (unsigned k = 0; k < i; k++) {
               if (src[k].kind != OPERAND_VALUE || c->values[src[k].value].tuple == tuple)
                  continue;
               value_id before = src[k].value, again = copy_value(c, copies, before);
               merge_copy(c, tuple, again, before);
               for (unsigned m = k; m < i; m++)
                  if (src[m].kind == OPERAND_VALUE && src[m].value == before)
                     src[m].value = again;
            }
         }
         for (unsigned k = i; k < 4; k++)
            if (src[k].kind == OPERAND_VALUE && src[k].value == old)
               src[k].value = copy;
      }
   }
}

/* Sources that were copied together before, for a store or another export, are those copies: they
 * are tied already, while what they were copied from is not. */
static void
use_copies(struct compiler *c, const struct cc_block *b, const struct made *made, uint32_t num_made,
           struct cc_operand src[4])
{
   uint32_t of_copies = 0, of_values = 0;
   bool apart = false;

   for (unsigned i = 0; i < 4; i++) {
      if (src[i].kind != OPERAND_VALUE)
         continue;
      value_id v = src[i].value;
      if (v >= num_made || made[v].block != b)
         return;
      uint32_t t = c->values[made[v].copy].tuple;
      if (!t || (of_copies && t != of_copies))
         return;
      of_copies = t;
      apart |= of_values && c->values[v].tuple != of_values;
      of_values = c->values[v].tuple;
   }
   for (unsigned i = 0; apart && i < 4; i++)
      if (src[i].kind == OPERAND_VALUE)
         src[i].value = made[src[i].value].copy;
}

static void
note_copy(const struct compiler *c, const struct cc_block *b, struct made *made, uint32_t num_made,
          const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   if (inst->kind == INST_ALU && inst->num_lanes == 1 && lane->op == CAYMAN_ALU_MOV && lane->dst &&
       !inst->ar && !lane->to_array && !lane->omod && !lane->clamp &&
       lane->src[0].kind == OPERAND_VALUE && !lane->src[0].neg && !lane->src[0].abs &&
       lane->src[0].value < num_made && c->values[lane->src[0].value].ssa &&
       c->values[lane->dst].ssa)
      made[lane->src[0].value] = (struct made){ .block = b, .copy = lane->dst };
}

static void
tie_results(struct compiler *c, const value_id dst[4])
{
   uint32_t tuple = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (dst[i]) {
         uint32_t t = tuple_of(c, dst[i]);
         if (tuple && !merge(c, tuple, t))
            cc_fail(c, "internal: results of a fetch cannot share a register");
         tuple = tuple ? tuple : t;
      }
   }
}

static bool
has_no_selects(const struct inst *inst)
{
   return inst->export.proto.form == CAYMAN_CF_FORM_MEM ||
          inst->export.proto.form == CAYMAN_CF_FORM_RAT;
}

static void
collect_block(struct compiler *c, struct cc_block *b, struct made *made, struct made *last,
              uint32_t num_made)
{
   struct inst **old = b->insts;
   uint32_t count = b->num_insts;

   b->insts = NULL;
   b->num_insts = b->cap_insts = 0;
   for (uint32_t i = 0; i < count; i++) {
      struct inst *inst = old[i];
      if (inst->kind == INST_FETCH) {
         for (unsigned f = 0; f < inst->num_fetches; f++) {
            struct copies copies = { .of = inst, .block = b, .last = last, .num_last = num_made };
            use_room(c, inst->fetch[f].src, &copies);
            tie_sources(c, inst->fetch[f].src, &copies);
            for (unsigned k = 0; k < copies.count; k++)
               cc_append(c, b, copies.inst[k]);
            tie_results(c, inst->fetch[f].dst);
         }
      } else if (inst->kind == INST_EXPORT) {
         /* Memory writes take channels as they are: component i has been put into channel i. */
         struct copies copies = { .of = inst, .in_place = has_no_selects(inst) };
         if (!copies.in_place)
            use_copies(c, b, made, num_made, inst->export.src);
         tie_sources(c, inst->export.src, &copies);
         tie_sources(c, inst->export.index, &copies);
         for (unsigned k = 0; k < copies.count; k++) {
            note_copy(c, b, made, num_made, copies.inst[k]);
            cc_append(c, b, copies.inst[k]);
         }
      }
      note_copy(c, b, made, num_made, inst);
      cc_append(c, b, inst);
   }
}

/* May a result of a fetch be in this channel?  Its neighbours share its GPR. */
static bool
channel_is_free(const struct compiler *c, const struct inst *fetch, unsigned chan)
{
   for (unsigned f = 0; f < fetch->num_fetches; f++) {
      for (unsigned k = 0; k < 4; k++) {
         value_id v = fetch->fetch[f].dst[k];
         if (v && c->values[v].chan == (int)chan)
            return false;
      }
   }
   return fetch->kind == INST_FETCH;
}

static void
pin_operand(struct compiler *c, struct cc_block *b, const struct inst *of, struct cc_operand *o,
            unsigned chan)
{
   struct copies copies = { .of = of };

   if (o->kind != OPERAND_VALUE)
      return;
   const struct cc_value *v = &c->values[o->value];
   if (v->pinned && v->chan == (int)chan && !v->input)
      return;
   if (v->ssa && !v->pinned && v->def && v->chan < 0 &&
       (v->def->kind == INST_ALU || channel_is_free(c, v->def, chan))) {
      cc_pin(c, o->value, chan);
      return;
   }
   o->value = copy_value(c, &copies, o->value);
   cc_pin(c, o->value, chan);
   cc_append(c, b, copies.inst[0]);
}

/* Sources of a memory write have no selects: each must be in its own channel, so they are copies
 * made for it unless they already are there. */
static void
pin_memory_writes(struct compiler *c, struct cc_block *b)
{
   struct inst **old = b->insts;
   uint32_t count = b->num_insts;

   b->insts = NULL;
   b->num_insts = b->cap_insts = 0;
   for (uint32_t i = 0; i < count; i++) {
      struct inst *inst = old[i];
      if (inst->kind == INST_EXPORT && has_no_selects(inst)) {
         for (unsigned k = 0; k < 3; k++)
            pin_operand(c, b, inst, &inst->export.index[k], k); /* no selects either */
         for (unsigned k = 0; k < 4; k++)
            pin_operand(c, b, inst, &inst->export.src[k], k);
      }
      cc_append(c, b, inst);
   }
}

/* Values without instructions take no room in their tuples. */
static void
leave_tuples(struct compiler *c)
{
   for (uint32_t t = 1; t < c->num_tuples; t++) {
      struct tuple *tuple = &c->tuples[t];
      unsigned n = 0;
      for (unsigned i = 0; i < tuple->count; i++) {
         struct cc_value *v = &c->values[tuple->member[i]];
         if (v->uses || v->defs || v->input)
            tuple->member[n++] = tuple->member[i];
         else
            v->tuple = 0;
      }
      tuple->count = n;
   }
}

void
cc_collect(struct compiler *c)
{
   const uint32_t num_made = c->num_values;
   struct made *made = cc_alloc(c, sizeof(*made) * num_made);
   struct made *last = cc_alloc(c, sizeof(*last) * num_made);

   /* All channels that are given are given before values are tied: what is tied in one block may be
    * stored in a later one. */
   for (uint32_t b = 0; b < c->num_blocks; b++)
      pin_memory_writes(c, &c->blocks[b]);
   for (uint32_t b = 0; b < c->num_blocks; b++)
      collect_block(c, &c->blocks[b], made, last, num_made);
   cc_count(c);
   if (c->remade) {
      cc_drop_dead(c);
      leave_tuples(c);
   }
   c->remade = false;
}
