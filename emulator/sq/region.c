/* SPDX-License-Identifier: MIT */
/*
 * Runs regions (regions.c): the code, and the cycles that the wave takes, which are the sum of what
 * its instructions would have taken one by one.
 *
 * Vectors go around the loop for themselves, the wave as often as the one that does so most.  It
 * takes a JUMP to the LOOP_END in the iteration in which its last lanes have left before.
 */
#include "sq/engine.h"

/* Iterations of the loop, and how often the wave goes past the JUMP after each leaving clause. */
struct turns {
   uint64_t count, past[SQ_REGION_LEAVES];
};

static void
count_turns(const struct sq_region *r, const struct exec *x, struct turns *t)
{
   uint64_t behind = x->loop_leaves[r->num_leaves], most = 0;

   for (unsigned k = 0; k <= r->num_leaves; k++)
      most = x->loop_leaves[k] > most ? x->loop_leaves[k] : most;
   t->count = most;
   for (unsigned k = r->num_leaves; k-- > 0;) {
      /* Vectors that left here or before did not get past it in their last iteration. */
      t->past[k] = behind > most - 1 ? behind : most - 1;
      behind = x->loop_leaves[k] > behind ? x->loop_leaves[k] : behind;
   }
}

static uint64_t
cost_of(const struct sq_region *r, const struct turns *t)
{
   uint64_t cost = r->around + t->count * (r->pieces[0] + r->turn);
   unsigned piece = 1;

   for (unsigned k = 0; k < r->num_leaves; k++)
      if (r->jumps[k])
         cost += t->past[k] * r->pieces[piece++];
   return cost;
}

/* How many iterations after this one go past the same JUMPs as it did. */
static uint64_t
alike(const struct sq_region *r, const struct turns *t, uint64_t iteration)
{
   uint64_t last = t->count;

   for (unsigned k = 0; k < r->num_leaves; k++)
      if (t->past[k] >= iteration && t->past[k] < last)
         last = t->past[k];
   return last > iteration ? last - iteration : 0;
}

/* The instructions one by one, but for iterations that cost what the one before did, up to the one
 * with which the budget is exhausted. */
static void
walk(const struct sq_region *r, const struct program *p, const struct turns *t,
     struct core_wave *wave, uint64_t budget)
{
   uint64_t iteration = 1, began = 0;
   unsigned leave = 0;

   for (uint32_t n = r->first; n < r->end;) {
      const struct sq_cf *cf = &p->cfs[n++];

      wave->cycles += cf->cost;
      wave->fault_place = cf->pc;
      if (wave->cycles > budget)
         return;
      if (cf->op == CAYMAN_CF_JUMP) {
         while (r->jumps[leave] != n - 1)
            leave++;
         if (iteration > t->past[leave])
            n = r->loop_end;
      } else if (cf->op == CAYMAN_CF_LOOP_END) {
         const uint64_t each = wave->cycles - began,
                        left = (budget - wave->cycles) / (each + !each);
         const uint64_t same = alike(r, t, iteration), skip = same < left ? same : left;

         leave = 0;
         wave->cycles += skip * each;
         iteration += skip;
         if (iteration++ < t->count)
            n = r->loop + 1;
      }
      if (n == r->loop + 1)
         began = wave->cycles;
   }
}

bool
K(sq_run_region)(struct exec *x, const struct sq_region *r, uint64_t budget)
{
   struct core_wave *wave = x->wave;
   const uint64_t left = budget > wave->cycles ? budget - wave->cycles : 0;
   struct turns t = { 0 };

   /* Beyond it the budget does not even suffice for what came before. */
   x->loop_limit = r->loop_end ? left / (r->pieces[0] + r->turn) + 1 : 0;
   for (unsigned k = 0; k <= r->num_leaves; k++)
      x->loop_leaves[k] = 0;
   x->lanes = x->active;
   if (r->loop_end)
      core_loop_begin(wave->watch, &x->loop_limit);

   const bool ended = K(uop_run_region)(x, x->active == x->launch ? r->plain : r->masked);

   if (r->loop_end)
      core_loop_end(wave->watch, &x->loop_limit);
   if (ended) {
      if (r->loop_end)
         count_turns(r, x, &t);
      const uint64_t cost = cost_of(r, &t);
      if (cost <= left) {
         wave->cycles += cost;
         return true;
      }
   } else if (core_expired(wave->watch)) {
      wave->fault_place = x->program->cfs[r->first].pc;
      return false;
   } else {
      t.count = UINT64_MAX;
      for (unsigned k = 0; k < SQ_REGION_LEAVES; k++)
         t.past[k] = UINT64_MAX;
   }
   walk(r, x->program, &t, wave, budget);
   return false;
}
