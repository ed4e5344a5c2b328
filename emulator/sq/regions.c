/* SPDX-License-Identifier: MIT */
/*
 * Finds regions: the parts of a program that may become one function of machine code each
 * (uop/native_flow.c).  A region is ALU clauses, branches made of ALU clauses, and at most one
 * loop around such, which ends by breaks alone.
 *
 *   1. Predicates alone change the execution mask: those of branches (ALU_PUSH_BEFORE,
 *      ALU_ELSE_AFTER, ALU_POP_AFTER, POP), breaks and continues.
 *   2. Every wave takes the same path, so that its cycles are known without running it.  Two jumps
 *      are allowed: that of the loop's end, and a JUMP to LOOP_END right after a clause that breaks
 *      outside of branches, which a wave takes when its last lane has left.  No lane may have
 *      continued before that clause in the iteration.
 *   3. No clause stores, waits, kills, or finds values at its start; each result depends on its own
 *      lane alone.
 *   4. The instructions stay as they are beside the region, for jumps into its middle.
 *
 * Example: a loop that is a region.
 *
 *      LOOP_START_DX10 @4
 *      ALU_BREAK         R0.x = R0.x - 1, PRED_SETGT R0.x, 0     lanes at zero leave
 *      JUMP @3                                                  rule 2: the wave, when all have
 *      LOOP_END @1
 */
#include "sq/program.h"
#include "uop/native_form.h"

#include <stdlib.h>

static const bool kills[UOP_COUNT] = {
#define WHAT_TEST false
#define WHAT_KILL true
#define UOP(name, ...)
#define PRED(name, what, ...) [UOP_##name] = WHAT_##what,
#include "uop/uops.def"
};

/* How machine code does each: what it does not know ends a region.  Builds may still refuse. */
#define N(form, imm, code) FORM_##form
static const uint8_t forms[UOP_COUNT] = {
#define UOP(name, handler, result, operands, kinds, effects, params, records, cost, native) \
   [UOP_##name] = native,
#include "uop/uops.def"
};

static bool
has_code(const struct uop *u)
{
   return !u->when && forms[u->op] != FORM_NONE;
}

/* Where a region is looked for. */
struct scan {
   const struct program *p;
   unsigned depth;    /* of branches, */
   unsigned deepest;  /* and how deep it was */
   bool inside;       /* the loop */
   bool continued;    /* lanes may have, in the loop */
   bool branches;     /* there are some */
   uint8_t op, level; /* of the last instruction: its lanes that fail, and its depth */
};
#define NO_TEST 0xffu

/* Whether rule 3 allows a clause; scan->op: what becomes of the lanes that fail its predicates. */
static bool
is_clause(struct scan *scan, const struct sq_cf *cf)
{
   scan->op = NO_TEST;
   if (cf->whole_quad_mode || cf->has_barrier || cf->prologue.count)
      return false;
   for (uint32_t n = 0, length; n < cf->masked.count; n += length) {
      const struct uop *u = &scan->p->code.uops[cf->masked.first + n];
      const struct uop_info *info = &uop_infos[u->op];

      length = u->length;
      if (u->op == UOP_COMMIT_PRED)
         continue;
      if (!has_code(u))
         return false;
      if (info->effect == UOP_EFFECT_LANE)
         continue;
      if (info->effect != UOP_EFFECT_MASK || info->params != UOP_PARAMS_predicate || kills[u->op])
         return false;
      if (!u->p.predicate.update_exec)
         continue;
      if (scan->op != NO_TEST && scan->op != u->p.predicate.exec_op)
         return false;
      scan->op = u->p.predicate.exec_op;
   }
   switch (scan->op) {
   case NO_TEST:
      return true;
   case UOP_FAIL_DEACTIVATE:
      return scan->depth > 0;
   case UOP_FAIL_BREAK:
      return scan->inside;
   case UOP_FAIL_CONTINUE:
      scan->continued = true;
      return scan->inside;
   default:
      return false;
   }
}

static bool
unconditional(const struct sq_cf *cf)
{
   return cf->cond == CAYMAN_COND_ACTIVE && !cf->valid_pixel_mode;
}

/* Whether an instruction that is neither the loop's nor a JUMP may be in a region; follows its
 * branches. */
static bool
goes_along(struct scan *scan, const struct sq_cf *cf)
{
   const struct cayman_cf_info *info = cayman_cf_info(cf->op);
   const unsigned pops = cayman_cf_pops(cf->op, cf->pop_count);
   const bool clause = info->form == CAYMAN_CF_FORM_ALU;
   const bool other = info->flow & CAYMAN_FLOW_SWAPS;

   if (!(info->flow & CAYMAN_FLOW_REGION))
      return false;
   if (info->flow & CAYMAN_FLOW_PUSHES) {
      scan->branches = true;
      if (scan->depth++ == SQ_REGION_BRANCHES)
         return false;
      if (scan->depth > scan->deepest)
         scan->deepest = scan->depth;
   }
   if (!clause)
      scan->op = NO_TEST;
   if (!unconditional(cf) || (clause && !is_clause(scan, cf)))
      return false;
   scan->level = (uint8_t)scan->depth;
   if (pops > scan->depth || (other && !scan->depth))
      return false;
   scan->depth -= pops;
   return true;
}

static void
need_stack(struct sq_region *r, unsigned frames, unsigned entries)
{
   if (r->frames < frames)
      r->frames = (uint8_t)frames;
   if (r->entries < entries)
      r->entries = (uint8_t)entries;
}

/* A loop at cfs[n] and what is in it; false: it is none of those. */
static bool
find_loop(const struct program *p, uint32_t n, struct sq_region *r)
{
   const struct sq_cf *start = &p->cfs[n];
   struct scan scan = { .p = p, .inside = true, .op = NO_TEST };
   unsigned leave = 0;

   if (start->op != CAYMAN_CF_LOOP_START_DX10 || !unconditional(start) || start->target < n + 2 ||
       start->target > p->num_cfs)
      return false;
   r->loop = n;
   r->loop_end = start->target - 1;
   const struct sq_cf *end = &p->cfs[r->loop_end];
   if (end->op != CAYMAN_CF_LOOP_END || end->target != n + 1)
      return false;
   for (uint32_t k = n + 1; k < r->loop_end; k++) {
      const struct sq_cf *cf = &p->cfs[k];

      r->pieces[leave] += cf->cost;
      if (cf->op == CAYMAN_CF_JUMP) {
         if (scan.op != UOP_FAIL_BREAK || scan.level || scan.depth || scan.continued ||
             !unconditional(cf) || cf->pop_count || cf->target != r->loop_end)
            return false;
         r->jumps[r->num_leaves - 1] = k;
         leave++;
         scan.op = NO_TEST;
         continue;
      }
      if (!goes_along(&scan, cf))
         return false;
      if (scan.op == UOP_FAIL_BREAK && scan.level == 0 && r->num_leaves++ == SQ_REGION_LEAVES)
         return false;
   }
   r->turn = end->cost;
   need_stack(r, 1 + scan.deepest, 4 + scan.deepest);
   return scan.depth == 0;
}

static void
add_step(struct program *p, struct sq_region *r, unsigned kind, unsigned op, uint32_t cf)
{
   p->steps[r->first_step + r->num_steps++] = (struct uop_step){ (uint8_t)kind, (uint8_t)op, cf };
}

static void
add_pops(struct program *p, struct sq_region *r, unsigned count)
{
   while (count-- > 0)
      add_step(p, r, UOP_STEP_POP, 0, 0);
}

static void
add_clause(struct program *p, struct sq_region *r, uint32_t n)
{
   const struct sq_cf *cf = &p->cfs[n];
   const unsigned flow = cayman_cf_info(cf->op)->flow;
   struct scan scan = { .p = p, .inside = true, .depth = 1 };

   if (flow & CAYMAN_FLOW_PUSHES)
      add_step(p, r, UOP_STEP_PUSH, 0, n);
   is_clause(&scan, cf);
   if (cf->masked.count)
      add_step(p, r, UOP_STEP_CODE, 0, n);
   if (scan.op != NO_TEST)
      add_step(p, r, UOP_STEP_TEST, scan.op, n);
   if (flow & CAYMAN_FLOW_SWAPS)
      add_step(p, r, UOP_STEP_ELSE, 0, n);
   add_pops(p, r, cayman_cf_pops(cf->op, cf->pop_count));
}

static void
add_steps(struct program *p, struct sq_region *r)
{
   for (uint32_t n = r->first; n < r->end; n++) {
      const struct sq_cf *cf = &p->cfs[n];

      if (!r->loop_end || n <= r->loop || n > r->loop_end)
         r->around += cf->cost;
      switch (cf->op) {
      case CAYMAN_CF_LOOP_START_DX10:
         add_step(p, r, UOP_STEP_LOOP, 0, n);
         break;
      case CAYMAN_CF_LOOP_END:
         add_step(p, r, UOP_STEP_END, 0, n);
         break;
      case CAYMAN_CF_POP:
         add_pops(p, r, cf->pop_count);
         break;
      case CAYMAN_CF_JUMP:
         break;
      default:
         add_clause(p, r, n);
         break;
      }
   }
}

/* The region that begins at cfs[n]; false: none does that is worth it. */
static bool
find_region(const struct program *p, uint32_t n, struct sq_region *r)
{
   struct scan scan = { .p = p };
   bool branches = false;

   *r = (struct sq_region){ .first = n, .end = n };
   while (n < p->num_cfs) {
      if (scan.depth == 0 && !r->loop_end && p->cfs[n].op == CAYMAN_CF_LOOP_START_DX10) {
         struct sq_region with = *r;
         if (!find_loop(p, n, &with))
            break;
         *r = with;
         n = r->loop_end;
      } else if (!goes_along(&scan, &p->cfs[n])) {
         break;
      }
      n++;
      if (scan.depth == 0) {
         r->end = n;
         branches = scan.branches;
         need_stack(r, scan.deepest, scan.deepest);
      }
   }
   return r->loop_end || branches;
}

/* Steps: a clause has four at most, a POP as many as the branches that it ends, each of which has a
 * clause. */
#define STEPS_A_CF 5u

bool
sq_find_regions(struct program *p)
{
   uint32_t steps = 0;

   p->regions = malloc((p->num_cfs + 1) * sizeof(*p->regions));
   p->steps = calloc(p->num_cfs + 1, STEPS_A_CF * sizeof(*p->steps));
   if (!p->regions || !p->steps)
      return false;
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      struct sq_region *r = &p->regions[p->num_regions];

      if (!find_region(p, n, r)) {
         n = r->end > n ? r->end - 1 : n; /* nothing is worth it before */
         continue;
      }
      r->first_step = steps;
      add_steps(p, r);
      steps += r->num_steps;
      p->num_regions++;
      n = r->end - 1;
   }
   p->num_steps = steps;
   return true;
}
