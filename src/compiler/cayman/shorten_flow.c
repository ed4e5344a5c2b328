/* SPDX-License-Identifier: MIT */
/*
 * Less control flow for the same paths.
 *
 *  1. A branch that does nothing but leave the loop, or go on with it, is a conditional break or
 *     continue: the predicate takes the lanes that fail it out of the loop or of the iteration
 *     (EXECUTE_MASK_OP, HD 6900 ISA 4.8.1), without a push.  What stands on the branch's other
 *     side comes after it.
 *  2. A branch without anything on one side has that side no more; one with nothing on both is no
 *     branch.
 *
 * Lanes that fail are taken out, so a condition for leaving is needed the other way round.  The
 * opposite of "greater" is not "less or equal" for NaN: such a comparison becomes a value first.
 */
#include "ir.h"

struct opposite {
   uint16_t op, opposite;
   bool swap;    /* of exchanged operands */
   uint16_t set; /* no opposite: the comparison as a value, all ones where it holds */
};

static const struct opposite opposites[] = {
   { CAYMAN_ALU_PRED_SETE, CAYMAN_ALU_PRED_SETNE, false, 0 },
   { CAYMAN_ALU_PRED_SETNE, CAYMAN_ALU_PRED_SETE, false, 0 },
   { CAYMAN_ALU_PRED_SETE_INT, CAYMAN_ALU_PRED_SETNE_INT, false, 0 },
   { CAYMAN_ALU_PRED_SETNE_INT, CAYMAN_ALU_PRED_SETE_INT, false, 0 },
   { CAYMAN_ALU_PRED_SETGT_INT, CAYMAN_ALU_PRED_SETGE_INT, true, 0 },
   { CAYMAN_ALU_PRED_SETGE_INT, CAYMAN_ALU_PRED_SETGT_INT, true, 0 },
   { CAYMAN_ALU_PRED_SETGT_UINT, CAYMAN_ALU_PRED_SETGE_UINT, true, 0 },
   { CAYMAN_ALU_PRED_SETGE_UINT, CAYMAN_ALU_PRED_SETGT_UINT, true, 0 },
   { CAYMAN_ALU_PRED_SETGT, 0, false, CAYMAN_ALU_SETGT_DX10 },
   { CAYMAN_ALU_PRED_SETGE, 0, false, CAYMAN_ALU_SETGE_DX10 },
};

struct flow {
   struct compiler *c;
   bool *gone; /* by block: it has nothing, and no end of its own, any more */
   bool progress;
};

/* The condition of block `b` holds where it did not.  False: its operation has no opposite. */
static bool
negate(struct compiler *c, struct cc_block *b)
{
   struct lane *lane = &b->pred->lane[0];
   const struct opposite *o = NULL;

   for (unsigned i = 0; i < sizeof(opposites) / sizeof(opposites[0]); i++)
      if (opposites[i].op == lane->op)
         o = &opposites[i];
   if (!o)
      return false;
   struct cc_operand first = lane->src[0], second = lane->src[1];
   if (o->opposite) {
      lane->op = o->opposite;
      lane->src[0] = o->swap ? second : first;
      lane->src[1] = o->swap ? first : second;
      return true;
   }
   struct inst *set = cc_copy_for(c, first, b->pred);
   set->lane[0].op = o->set;
   set->lane[0].src[1] = second;
   cc_append(c, b, set);
   lane->op = CAYMAN_ALU_PRED_SETE_INT;
   lane->src[0] = op_value(set->lane[0].dst);
   lane->src[1] = op_const(0);
   return true;
}

/* The first block from `n` on that is left. */
static uint32_t
left_from(const struct flow *f, uint32_t n)
{
   while (f->gone[n])
      n++;
   return n;
}

/* Block `n` goes on into `next`, which has no other way in: one block. */
static void
join(struct flow *f, uint32_t n, uint32_t next)
{
   struct compiler *c = f->c;
   struct cc_block *b = &c->blocks[n];
   const struct cc_block *from = &c->blocks[next];

   for (uint32_t i = 0; i < from->num_insts; i++)
      cc_append(c, b, from->insts[i]);
   b->end = from->end;
   b->pred = from->pred;
   b->match = from->match;
   b->place = from->place;
   f->gone[next] = true;
   f->progress = true;
   /* What named the block that is gone names the one that took its end over. */
   for (uint32_t k = 0; k < c->num_blocks; k++)
      if (!f->gone[k] && c->blocks[k].match == next && c->blocks[k].end != END_PROGRAM)
         c->blocks[k].match = n;
}

static bool
is_empty(const struct flow *f, uint32_t n, enum block_end end)
{
   return !f->c->blocks[n].num_insts && f->c->blocks[n].end == end;
}

/* Does block `n` do nothing but break or continue, and end its side of the branch so? */
static bool
only_leaves(const struct flow *f, uint32_t n)
{
   const uint32_t next = left_from(f, n + 1);
   const struct cc_block *end = &f->c->blocks[next];

   return (is_empty(f, n, END_BREAK) || is_empty(f, n, END_CONTINUE)) && !f->c->blocks[n].pred &&
          !end->num_insts && (end->end == END_ELSE || end->end == END_ENDIF);
}

/* Block `n`, which ends in a branch, ends in a break or continue as block `leaves` does, of the
 * lanes that fail its condition. */
static void
leave(struct flow *f, uint32_t n, uint32_t leaves)
{
   struct cc_block *b = &f->c->blocks[n];
   const struct cc_block *from = &f->c->blocks[leaves];

   b->end = from->end;
   b->match = from->match;
   b->place = from->place;
   b->pred->lane[0].update_pred = false;
   b->pred->lane[0].mask_op =
      b->end == END_BREAK ? CAYMAN_EXECUTE_MASK_BREAK : CAYMAN_EXECUTE_MASK_CONTINUE;
   f->gone[leaves] = true;
   f->progress = true;
}

/* The branch that block `n` begins. */
static void
shorten_branch(struct flow *f, uint32_t n)
{
   struct compiler *c = f->c;
   struct cc_block *b = &c->blocks[n];
   const uint32_t then = left_from(f, n + 1), middle = b->match;
   const bool has_else = c->blocks[middle].end == END_ELSE;
   const uint32_t endif = has_else ? c->blocks[middle].match : middle;

   if (only_leaves(f, then) && negate(c, b)) {
      leave(f, n, then);
      f->gone[middle] = true; /* nothing is in it */
      if (has_else)
         join(f, endif, left_from(f, endif + 1));
      return;
   }
   if (!has_else) {
      if (then == endif && !c->blocks[endif].num_insts) {
         b->pred = NULL;
         f->gone[endif] = true;
         join(f, n, left_from(f, endif + 1));
      }
      return;
   }
   const uint32_t other = left_from(f, middle + 1);
   if (only_leaves(f, other)) {
      leave(f, n, other);
      f->gone[endif] = true;
      join(f, middle, left_from(f, endif + 1));
   } else if (is_empty(f, other, END_ENDIF)) {
      b->match = middle;
      c->blocks[middle].end = END_ENDIF;
      c->blocks[middle].place = c->blocks[endif].place;
      f->gone[endif] = true;
      f->progress = true;
   } else if (then == middle && !c->blocks[middle].num_insts && negate(c, b)) {
      b->match = endif;
      f->gone[middle] = true;
      f->progress = true;
   }
}

/* Take the blocks that are gone out. */
static void
close_up(struct flow *f)
{
   struct compiler *c = f->c;
   uint32_t *moved = cc_alloc(c, c->num_blocks * sizeof(*moved)), count = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      moved[n] = count;
      if (!f->gone[n])
         c->blocks[count++] = c->blocks[n];
   }
   c->num_blocks = count;
   for (uint32_t n = 0; n < count; n++)
      c->blocks[n].match = moved[c->blocks[n].match];
}

void
cc_shorten_flow(struct compiler *c)
{
   struct flow f = { .c = c, .gone = cc_alloc(c, c->num_blocks) };
   bool any = false;

   do {
      f.progress = false;
      for (uint32_t n = c->num_blocks; n-- > 0;)
         if (!f.gone[n] && c->blocks[n].end == END_IF)
            shorten_branch(&f, n);
      any |= f.progress;
   } while (f.progress);
   if (any)
      close_up(&f);
   cc_count(c);
}
