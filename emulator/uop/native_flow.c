/* SPDX-License-Identifier: MIT */
/*
 * Machine code for regions: clauses, branches and a loop become one function.  It takes one vector
 * of lanes after another through the whole region, around the loop as often as the vector's lanes
 * need, with values in registers.  No vector depends on another.
 *
 *   1. The execution mask is in the registers that masked stores use.  A lane for which a predicate
 *      is false leaves the mask after the predicate's clause, as in the interpreter.  When no lane
 *      is left in the loop the vector leaves it.
 *   2. A join is a point that is reached on several paths: the loop's first step, and the end of
 *      each side of a branch.  The components that a loop names most have fixed slots
 *      (native_fixed.c).  At a join a fixed slot has the component's value for all lanes, those in
 *      the mask and the others.  Between joins a new value is in another slot.  It is settled, that
 *      is, copied to the fixed slot for the lanes of the mask, before the mask changes and before
 *      the next join.
 *   3. All other components that were written are in memory at joins.
 *   4. Masks of lanes that do not run are saved in exec.saved_lanes (enum saved): for each branch
 *      the lanes that entered it and the lanes that are to run after its ELSE; for the loop the
 *      lanes that left a branch by a break, and by a continue.
 *   5. Iterations are counted: the wave takes as many as the vector that takes most.  The caller
 *      charges cycles for them.  For that the code notes the last iteration in which a vector left
 *      the loop, for each clause outside of branches after which lanes break, and for the loop's
 *      end.
 *
 * Example: r0.x counts down to zero, lane by lane, with AVX2.
 *
 *      region                      the vector's code
 *      LOOP                        xor r11, r11; ymm0 = r0.x (its fixed slot)
 *                            next: inc r11; more than exec.loop_limit: return
 *        CODE  r0.x = r0.x - 1     ymm1 = ymm0 - 1
 *              r0.x > 0 ?          ymm2 = ymm1 > 0
 *        TEST  break               settle: ymm0 = ymm1 for the lanes in ymm14
 *                                  ymm14 = ymm14 & ymm2
 *                                  none left: note r11 in exec.loop_leaves[0], jump out
 *      LOOP END                    jump next
 *                             out: store ymm0 to r0.x
 */
#include "uop/native_emit.h"

#include <limits.h>
#include <stddef.h>

#if VW > 4

/* Slots of a loop that are not fixed: what one micro-operation takes, and a few values. */
#define TEMPORARY_SLOTS 8u
/* Micro-operations that a vector without lanes jumps over. */
#define SKIP_FROM 8u

#define FROM_LANES(member) ((int32_t)(offsetof(struct exec, member) - offsetof(struct exec, lanes)))

/* Masks in exec.saved_lanes: of lanes that broke, of lanes that continued, of those that ran before
 * the mask was narrowed; then two of each branch. */
enum saved { BROKEN, CONTINUED, BEFORE, BRANCHES };

/* Of branch `depth`, 1 being the outermost: the lanes that entered it. */
static enum saved
entered(unsigned depth)
{
   return BRANCHES + 2 * (depth - 1);
}

/* The lanes that are to run after its ELSE. */
static enum saved
after_else(unsigned depth)
{
   return entered(depth) + 1;
}

/* ------------------------------------------------------------------------------------------------
 * Lanes
 */
void
K(native_flow_pass)(struct native *n, const struct bound_uop *u, unsigned mask, bool inverted)
{
   struct native_flow *f = n->flow;

   if (!u->p.predicate.update_exec)
      return;
   /* A clamp may need the register. */
   if (u == f->last && !u->clamp) {
      f->passed = true;
      f->pass = mask;
      f->inverted = inverted;
      return;
   }
   f->stored |= 1u << n->passes;
   K(native_store_pass)(n, (struct mask){ mask, inverted });
}

/* Lanes &= those of the predicates of the clause. */
static void
narrow_lanes(struct native *n)
{
   struct native_flow *f = n->flow;
   struct x86 *x = &n->x;

#if VW == 16
   if (f->passed)
      for (unsigned s = 0; s < n->strips; s++)
         x86_mask(x, X86_KANDW, NATIVE_LANES_MASK + s, NATIVE_LANES_MASK + s, f->pass + s);
#else
   if (f->passed)
      x86_vec(x, f->inverted ? X86_ANDNPS : X86_ANDPS, NATIVE_LANES,
              f->inverted ? native_reg(n, f->pass, 0) : NATIVE_LANES,
              x86_reg(f->inverted ? NATIVE_LANES : native_reg(n, f->pass, 0)));
#endif
   for (unsigned k = 0; k < EXEC_PASSES; k++) {
      if (!(f->stored >> k & 1))
         continue;
      const int32_t at = FROM_LANES(pass) + (int32_t)(k * 8) - (int32_t)native_step(n) / 8;
#if VW == 16
      for (unsigned s = 0; s < n->strips; s++) {
         x86_mask_load(x, 1, x86_mem(X86_CX, at + (int32_t)s * 2));
         x86_mask(x, X86_KANDW, NATIVE_LANES_MASK + s, NATIVE_LANES_MASK + s, 1);
      }
#else
      struct native_value bits = native_constant(NATIVE_LANE_BITS);
      x86_vec(x, X86_BROADCASTB, NATIVE_SCRATCH, 0, x86_mem(X86_CX, at));
      x86_vec(x, X86_ANDPS, NATIVE_SCRATCH, NATIVE_SCRATCH, native_rm(n, &bits, 0));
      x86_vec(x, X86_PCMPEQD, NATIVE_SCRATCH, NATIVE_SCRATCH, native_rm(n, &bits, 0));
      x86_vec(x, X86_ANDPS, NATIVE_LANES, NATIVE_LANES, x86_reg(NATIVE_SCRATCH));
#endif
   }
}

/* The offset of a saved mask from rbx. */
static int32_t
saved_at(enum saved saved)
{
   const size_t bytes = sizeof(((struct exec *)NULL)->saved_lanes[0]);

   return FROM_LANES(saved_lanes) + (int32_t)saved * (int32_t)bytes;
}

#if VW == 16

/* The execution mask is in k6 and k7, for two strips; this file computes in k3 and k4, and k1 and
 * k2 are a predicate's. */
#define WORK_K 3u

static struct x86_rm
strip_rm(enum saved saved, unsigned strip)
{
   return x86_mem(X86_BX, saved_at(saved) + (int32_t)strip * 2);
}

static void
save_lanes(struct native *n, enum saved saved)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_store(&n->x, NATIVE_LANES_MASK + s, strip_rm(saved, s));
}

static void
clear_lanes(struct native *n, enum saved saved)
{
   x86_mask(&n->x, X86_KXORW, WORK_K, WORK_K, WORK_K);
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_store(&n->x, WORK_K, strip_rm(saved, s));
}

static void
restore_lanes(struct native *n, enum saved saved)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_load(&n->x, NATIVE_LANES_MASK + s, strip_rm(saved, s));
}

static void
swap_lanes(struct native *n, enum saved saved)
{
   for (unsigned s = 0; s < n->strips; s++) {
      x86_mask_load(&n->x, WORK_K, x86_reg(NATIVE_LANES_MASK + s));
      x86_mask_load(&n->x, NATIVE_LANES_MASK + s, strip_rm(saved, s));
      x86_mask_store(&n->x, WORK_K, strip_rm(saved, s));
   }
}

/* Lanes without, or with, those of a saved mask. */
static void
change_lanes(struct native *n, enum saved saved, bool with)
{
   for (unsigned s = 0; s < n->strips; s++) {
      x86_mask_load(&n->x, WORK_K, strip_rm(saved, s));
      x86_mask(&n->x, with ? X86_KORW : X86_KANDNW, NATIVE_LANES_MASK + s, WORK_K,
               NATIVE_LANES_MASK + s);
   }
}

/* Before lanes leave the execution mask; add_failed() adds those that left to a saved mask. */
static void
save_before(struct native *n)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_load(&n->x, WORK_K + s, x86_reg(NATIVE_LANES_MASK + s));
}

static void
add_failed(struct native *n, enum saved saved, bool fresh)
{
   for (unsigned s = 0; s < n->strips; s++) {
      x86_mask(&n->x, X86_KANDNW, WORK_K + s, NATIVE_LANES_MASK + s, WORK_K + s);
      if (!fresh) {
         x86_mask_load(&n->x, 1, strip_rm(saved, s));
         x86_mask(&n->x, X86_KORW, WORK_K + s, WORK_K + s, 1);
      }
      x86_mask_store(&n->x, WORK_K + s, strip_rm(saved, s));
   }
}

/* The zero flag: there are none. */
static void
any_lanes(struct native *n)
{
   x86_mask_test(&n->x, NATIVE_LANES_MASK, NATIVE_LANES_MASK + 1);
}

#else

static struct x86_rm
saved_rm(enum saved saved)
{
   return x86_mem(X86_BX, saved_at(saved));
}

static void
save_lanes(struct native *n, enum saved saved)
{
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_LANES, 0, saved_rm(saved));
}

static void
clear_lanes(struct native *n, enum saved saved)
{
   x86_vec(&n->x, X86_XORPS, NATIVE_SCRATCH, NATIVE_SCRATCH, x86_reg(NATIVE_SCRATCH));
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_SCRATCH, 0, saved_rm(saved));
}

static void
restore_lanes(struct native *n, enum saved saved)
{
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_LANES, 0, saved_rm(saved));
}

static void
swap_lanes(struct native *n, enum saved saved)
{
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_SCRATCH, 0, saved_rm(saved));
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_LANES, 0, saved_rm(saved));
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_LANES, 0, x86_reg(NATIVE_SCRATCH));
}

/* Lanes without, or with, those of a saved mask. */
static void
change_lanes(struct native *n, enum saved saved, bool with)
{
   if (with) {
      x86_vec(&n->x, X86_ORPS, NATIVE_LANES, NATIVE_LANES, saved_rm(saved));
      return;
   }
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_SCRATCH, 0, saved_rm(saved));
   x86_vec(&n->x, X86_ANDNPS, NATIVE_LANES, NATIVE_SCRATCH, x86_reg(NATIVE_LANES));
}

/* Before lanes leave the execution mask; add_failed() adds those that left to a saved mask. */
static void
save_before(struct native *n)
{
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_LANES, 0, saved_rm(BEFORE));
}

static void
add_failed(struct native *n, enum saved saved, bool fresh)
{
   x86_vec(&n->x, X86_ANDNPS, NATIVE_SCRATCH, NATIVE_LANES, saved_rm(BEFORE));
   if (!fresh)
      x86_vec(&n->x, X86_ORPS, NATIVE_SCRATCH, NATIVE_SCRATCH, saved_rm(saved));
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_SCRATCH, 0, saved_rm(saved));
}

/* The zero flag: there are none. */
static void
any_lanes(struct native *n)
{
   x86_vec(&n->x, X86_MOVMSKPS, X86_R10, 0, x86_reg(NATIVE_LANES));
   x86_general(&n->x, X86_TEST32, X86_R10, x86_reg(X86_R10));
}

#endif

/* ------------------------------------------------------------------------------------------------
 * Steps.  r11: iterations so far; rbx: &exec.lanes; rcx: after the vector's part of exec.lanes.
 */

/* op r11, [rbx + at], or the other way round. */
static void
counter(struct native *n, unsigned op, int32_t at)
{
   x86_general(&n->x, op, X86_R11, x86_mem(X86_BX, at));
}

/* The lanes that the vector had at the region's start. */
static void
all_lanes(struct native *n)
{
   K(native_lanes)(n, (int8_t) - (int)(native_step(n) / 8));
}

/* The vector leaves the loop in this iteration, at exit `number`. */
static void
note_exit(struct native *n, unsigned number)
{
   const int32_t at = FROM_LANES(loop_leaves) + (int32_t)(number * 8);

   counter(n, X86_CMP, at);
   const size_t less = x86_jump(&n->x, X86_JBE);
   counter(n, X86_MOV_STORE, at);
   x86_link(&n->x, less, n->x.len);
}

static void
code(struct native *n, const struct bound_uop *u, uint32_t count)
{
   struct native_flow *f = n->flow;

   f->passed = false;
   f->stored = 0;
   f->last = NULL;
   for (uint32_t k = 0; k < count; k += u[k].length)
      if (u[k].op != UOP_COMMIT_PRED)
         f->last = &u[k];
   K(native_last_reads)(n, u, n->options->temp_life ? 0 : count);
   K(native_emit_uops)(n, u, count, 0, count);
}

/* Micro-operations up to the end of the branch's side that begins at `step`. */
static uint32_t
side_length(const struct uop_binding *bindings, const struct uop_step *step)
{
   uint32_t length = 0;
   unsigned depth = 0;

   for (;; step++)
      if (step->kind == UOP_STEP_CODE)
         length += bindings[step->binding].masked.count;
      else if (step->kind == UOP_STEP_PUSH)
         depth++;
      else if (depth == 0 && (step->kind == UOP_STEP_ELSE || step->kind == UOP_STEP_POP))
         return length;
      else if (step->kind == UOP_STEP_POP)
         depth--;
}

/* A side of the branch begins: a vector without lanes jumps to its end. */
static void
side_begins(struct native *n, const struct uop_binding *bindings, const struct uop_step *step)
{
   struct native_flow *f = n->flow;

   if (f->skip[f->depth] || side_length(bindings, step) < SKIP_FROM)
      return;
   any_lanes(n);
   f->skip[f->depth] = x86_jump(&n->x, X86_JZ);
}

static void
side_ends(struct native *n)
{
   struct native_flow *f = n->flow;

   K(native_settle_all)(n);
   /* Other slots have no values of the lanes that did not run. */
   K(native_forget_others)(n);
   if (f->skip[f->depth])
      x86_link(&n->x, f->skip[f->depth], n->x.len);
   f->skip[f->depth] = 0;
}

static void
push(struct native *n)
{
   struct native_flow *f = n->flow;

   if (!n->masked) {
      K(native_settle_all)(n);
      all_lanes(n);
      n->masked = true;
   }
   f->depth++;
   f->else_waits[f->depth] = false;
   f->skip[f->depth] = 0;
   save_lanes(n, entered(f->depth));
}

static void
other_side(struct native *n)
{
   struct native_flow *f = n->flow;

   side_ends(n);
   if (!f->else_waits[f->depth])
      clear_lanes(n, after_else(f->depth));
   f->else_waits[f->depth] = true;
   swap_lanes(n, after_else(f->depth));
}

static void
pop(struct native *n)
{
   struct native_flow *f = n->flow;

   side_ends(n);
   restore_lanes(n, entered(f->depth--));
   if (f->breaks_deep)
      change_lanes(n, BROKEN, false);
   if (f->continues)
      change_lanes(n, CONTINUED, false);
   if (f->depth == 0 && !f->inside)
      n->masked = f->masked;
}

/* Lanes that fail the clause's predicates become what `op` says. */
static void
test(struct native *n, unsigned op)
{
   struct native_flow *f = n->flow;
   const bool own_level = op == UOP_FAIL_BREAK && f->depth == 0;

   K(native_settle_all)(n);
   if (!own_level)
      save_before(n);
   narrow_lanes(n);
   if (op == UOP_FAIL_DEACTIVATE) {
      add_failed(n, after_else(f->depth), !f->else_waits[f->depth]);
      f->else_waits[f->depth] = true;
   } else if (!own_level) {
      add_failed(n, op == UOP_FAIL_BREAK ? BROKEN : CONTINUED, false);
      f->continued |= op == UOP_FAIL_CONTINUE;
   }
   if (!own_level)
      return;
   const unsigned number = f->num_leaves++;
   if (f->continued)
      return; /* others may go on with the next iteration */
   any_lanes(n);
   const size_t on = x86_jump(&n->x, X86_JNZ);
   note_exit(n, number);
   f->exits[f->num_exits++] = x86_jump(&n->x, X86_JMP);
   x86_link(&n->x, on, n->x.len);
}

/* Which of break and continue a loop that begins at `step` has, and where. */
static void
look_ahead(struct native_flow *f, const struct uop_step *step)
{
   unsigned depth = 0;

   f->continues = f->breaks_deep = f->continued = false;
   for (; step->kind != UOP_STEP_END; step++) {
      depth += step->kind == UOP_STEP_PUSH;
      depth -= step->kind == UOP_STEP_POP;
      if (step->kind != UOP_STEP_TEST)
         continue;
      f->continues |= step->op == UOP_FAIL_CONTINUE;
      f->breaks_deep |= step->op == UOP_FAIL_BREAK && depth > 0;
   }
}

static bool
loop_begins(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
            const struct uop_step *step)
{
   struct native_flow *f = n->flow;

   if (!K(native_choose_fixed)(n, bound, bindings, step))
      return false;
   look_ahead(f, step);
   if (!n->masked)
      all_lanes(n);
   n->masked = f->inside = true;
   if (f->breaks_deep)
      clear_lanes(n, BROKEN);
   if (f->continues)
      clear_lanes(n, CONTINUED);
   x86_general(&n->x, X86_XOR, X86_R11, x86_reg(X86_R11));
   f->header = n->x.len;
   x86_general_1(&n->x, X86_INC, X86_R11);
   counter(n, X86_CMP, FROM_LANES(loop_limit));
   f->over = x86_jump(&n->x, X86_JA);
   return true;
}

static void
loop_ends(struct native *n)
{
   struct native_flow *f = n->flow;

   K(native_settle_all)(n);
   K(native_forget_others)(n);
   if (f->continues) {
      change_lanes(n, CONTINUED, true);
      clear_lanes(n, CONTINUED);
   }
   if (f->continues || f->breaks_deep) {
      any_lanes(n);
      x86_link(&n->x, x86_jump(&n->x, X86_JNZ), f->header);
      note_exit(n, f->num_leaves);
   } else {
      x86_link(&n->x, x86_jump(&n->x, X86_JMP), f->header);
   }
   for (unsigned k = 0; k < f->num_exits; k++)
      x86_link(&n->x, f->exits[k], n->x.len);
   K(native_leave_fixed)(n);
   f->inside = f->continues = f->breaks_deep = false;
   n->masked = f->masked;
   if (n->masked)
      all_lanes(n);
}

static bool
emit_step(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
          const struct uop_step *step)
{
   const struct uop_binding *b = &bindings[step->binding];

   switch (step->kind) {
   case UOP_STEP_CODE:
      n->kept = b->kept;
      code(n, bound->uops + b->masked.first, b->masked.count);
      break;
   case UOP_STEP_TEST:
      test(n, step->op);
      if (step->op == UOP_FAIL_DEACTIVATE)
         side_begins(n, bindings, step + 1);
      break;
   case UOP_STEP_PUSH:
      push(n);
      break;
   case UOP_STEP_ELSE:
      other_side(n);
      side_begins(n, bindings, step + 1);
      break;
   case UOP_STEP_POP:
      pop(n);
      break;
   case UOP_STEP_LOOP:
      return loop_begins(n, bound, bindings, step + 1);
   default:
      loop_ends(n);
      break;
   }
   return true;
}

static bool
emit_region(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
            const struct uop_region *r)
{
   struct x86 *x = &n->x;
   const struct native_flow start = { .max_fixed = n->flow->max_fixed, .masked = n->masked };

   *n->flow = start;
   K(native_begin)(n, NATIVE_NARROWEST, UINT_MAX);
   x86_push(x, X86_BX);
   x86_general(x, X86_MOV_STORE, X86_CX, x86_reg(X86_BX));
   x86_mov32_value(x, X86_AX, WAVE_LANES / native_step(n));
   const size_t top = x->len;
   if (n->masked)
      K(native_lanes)(n, 0);
   x86_add(x, X86_CX, (int32_t)(native_step(n) / 8)); /* bytes of masks of lanes */
   for (uint32_t k = 0; k < r->num_steps && !n->crowded; k++)
      if (!emit_step(n, bound, bindings, &r->steps[k]))
         return false;
   K(native_write_all)(n);
   K(native_next_vectors)(n, top);
   if (n->flow->over)
      x86_link(x, n->flow->over, x->len);
   x86_pop(x, X86_BX);
   x86_return(x);
   return true;
}

/* Whether all of it is known as machine code. */
static bool
knows(const struct uop_bound *bound, const struct uop_binding *bindings, const struct uop_region *r)
{
   for (uint32_t k = 0; k < r->num_steps; k++) {
      unsigned predicates = 0;

      if (r->steps[k].kind != UOP_STEP_CODE)
         continue;
      const struct uop_run run = bindings[r->steps[k].binding].masked;
      const struct bound_uop *u = bound->uops + run.first;
      for (uint32_t n = 0; n < run.count; n += u[n].length) {
         if (u[n].op != UOP_COMMIT_PRED && !K(native_can)(&u[n]))
            return false;
         predicates += K(native_is_predicate)(&u[n]);
      }
      if (run.count > NATIVE_MAX_RUN || predicates > EXEC_PASSES)
         return false;
   }
   return true;
}

bool
K(native_region)(struct native *n, const struct uop_bound *bound,
                 const struct uop_binding *bindings, struct uop_region *r)
{
   struct native_flow flow;
   bool ok = true;

   r->made = false;
   if (!knows(bound, bindings, r))
      return true;
   n->flow = &flow;
   for (unsigned masked = 0; masked < (r->diverges ? 2u : 1u) && ok; masked++) {
      const uint32_t start = K(native_align)(n);
      flow.max_fixed = NATIVE_REGS / NATIVE_NARROWEST < NATIVE_SLOTS
                          ? NATIVE_REGS / NATIVE_NARROWEST - TEMPORARY_SLOTS
                          : NATIVE_SLOTS - TEMPORARY_SLOTS;
      for (;; flow.max_fixed /= 2) {
         n->masked = masked;
         n->x.len = start;
         ok = emit_region(n, bound, bindings, r);
         if (!ok || n->x.full || !n->crowded || !flow.max_fixed)
            break;
      }
      *(masked ? &r->masked : &r->plain) = start;
      if (n->crowded)
         break;
   }
   r->made = ok && !n->crowded;
   n->flow = NULL;
   return ok && !n->x.full;
}

#endif
