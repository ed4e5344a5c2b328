/* SPDX-License-Identifier: MIT */
/*
 * Machine code for regions: clauses, branches and a loop among them as one function.  A turn takes
 * a vector of lanes through all of it, around the loop as often as those lanes want, with values in
 * registers; nothing depends on other vectors.
 *
 *   1. Lanes that run are in the registers that masked stores use.  Who fails a predicate that
 *      changes that leaves them behind its clause, as in the interpreter; when none is left in the
 *      loop the vector leaves it.
 *   2. What a loop names most has a home (native_home.c): a slot that holds the component at every
 *      place where ways meet, for lanes that run and those that do not.  A new value is in another
 *      slot until lanes change or the iteration ends; then the lanes that run settle it there.
 *   3. What else is changed is in memory at those places.
 *   4. Other lanes wait in exec.places: of a branch, who came in and who is to run behind its ELSE;
 *      of the loop, who went out of a branch by a break, and by a continue.
 *   5. Iterations are counted: the wave goes around as often as the vector that does so most.  The
 *      caller, who charges cycles, gets from each clause of the loop's own level behind which lanes
 *      break, and from the loop's end, the last iteration in which it was a vector's last place.
 */
#include "uop/native_emit.h"

#include "isa/cayman/cayman.h"

#include <limits.h>
#include <stddef.h>

#if VW > 4

/* Slots of a loop that are no homes: what one micro-operation takes, and a few values. */
#define TEMPORARY_SLOTS 8u
/* Micro-operations that a vector without lanes jumps over. */
#define SKIP_FROM 8u

#define FROM_LANES(member) ((int32_t)(offsetof(struct exec, member) - offsetof(struct exec, lanes)))

enum place { BROKEN, CONTINUED, REMEMBERED, FRAMES };

/* Of branch `depth`, 1 being the outermost. */
static enum place
came_in(unsigned depth)
{
   return FRAMES + 2 * (depth - 1);
}

static enum place
waits(unsigned depth)
{
   return came_in(depth) + 1;
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

/* Where a place's lanes are, from rbx. */
static int32_t
place_at(enum place p)
{
   return FROM_LANES(places) + (int32_t)p * (int32_t)sizeof(((struct exec *)NULL)->places[0]);
}

#if VW == 16

/* Strips' masks are k6 and k7, what is computed k3 and k4; k1 and k2 belong to a predicate. */
#define WORK_K 3u

static struct x86_rm
strip_rm(enum place p, unsigned strip)
{
   return x86_mem(X86_BX, place_at(p) + (int32_t)strip * 2);
}

static void
keep_lanes(struct native *n, enum place p)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_store(&n->x, NATIVE_LANES_MASK + s, strip_rm(p, s));
}

static void
clear_place(struct native *n, enum place p)
{
   x86_mask(&n->x, X86_KXORW, WORK_K, WORK_K, WORK_K);
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_store(&n->x, WORK_K, strip_rm(p, s));
}

static void
take_lanes(struct native *n, enum place p)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_load(&n->x, NATIVE_LANES_MASK + s, strip_rm(p, s));
}

static void
swap_lanes(struct native *n, enum place p)
{
   for (unsigned s = 0; s < n->strips; s++) {
      x86_mask_load(&n->x, WORK_K, x86_reg(NATIVE_LANES_MASK + s));
      x86_mask_load(&n->x, NATIVE_LANES_MASK + s, strip_rm(p, s));
      x86_mask_store(&n->x, WORK_K, strip_rm(p, s));
   }
}

/* Lanes without, or with, those of a place. */
static void
change_lanes(struct native *n, enum place p, bool with)
{
   for (unsigned s = 0; s < n->strips; s++) {
      x86_mask_load(&n->x, WORK_K, strip_rm(p, s));
      x86_mask(&n->x, with ? X86_KORW : X86_KANDNW, NATIVE_LANES_MASK + s, WORK_K,
               NATIVE_LANES_MASK + s);
   }
}

/* Before lanes are narrowed; add_failed() adds to a place who was there and is not any more. */
static void
remember_lanes(struct native *n)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_mask_load(&n->x, WORK_K + s, x86_reg(NATIVE_LANES_MASK + s));
}

static void
add_failed(struct native *n, enum place p, bool fresh)
{
   for (unsigned s = 0; s < n->strips; s++) {
      x86_mask(&n->x, X86_KANDNW, WORK_K + s, NATIVE_LANES_MASK + s, WORK_K + s);
      if (!fresh) {
         x86_mask_load(&n->x, 1, strip_rm(p, s));
         x86_mask(&n->x, X86_KORW, WORK_K + s, WORK_K + s, 1);
      }
      x86_mask_store(&n->x, WORK_K + s, strip_rm(p, s));
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
place_rm(enum place p)
{
   return x86_mem(X86_BX, place_at(p));
}

static void
keep_lanes(struct native *n, enum place p)
{
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_LANES, 0, place_rm(p));
}

static void
clear_place(struct native *n, enum place p)
{
   x86_vec(&n->x, X86_XORPS, NATIVE_SCRATCH, NATIVE_SCRATCH, x86_reg(NATIVE_SCRATCH));
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_SCRATCH, 0, place_rm(p));
}

static void
take_lanes(struct native *n, enum place p)
{
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_LANES, 0, place_rm(p));
}

static void
swap_lanes(struct native *n, enum place p)
{
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_SCRATCH, 0, place_rm(p));
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_LANES, 0, place_rm(p));
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_LANES, 0, x86_reg(NATIVE_SCRATCH));
}

/* Lanes without, or with, those of a place. */
static void
change_lanes(struct native *n, enum place p, bool with)
{
   if (with) {
      x86_vec(&n->x, X86_ORPS, NATIVE_LANES, NATIVE_LANES, place_rm(p));
      return;
   }
   x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_SCRATCH, 0, place_rm(p));
   x86_vec(&n->x, X86_ANDNPS, NATIVE_LANES, NATIVE_SCRATCH, x86_reg(NATIVE_LANES));
}

/* Before lanes are narrowed; add_failed() adds to a place who was there and is not any more. */
static void
remember_lanes(struct native *n)
{
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_LANES, 0, place_rm(REMEMBERED));
}

static void
add_failed(struct native *n, enum place p, bool fresh)
{
   x86_vec(&n->x, X86_ANDNPS, NATIVE_SCRATCH, NATIVE_LANES, place_rm(REMEMBERED));
   if (!fresh)
      x86_vec(&n->x, X86_ORPS, NATIVE_SCRATCH, NATIVE_SCRATCH, place_rm(p));
   x86_vec(&n->x, X86_MOVAPS_STORE, NATIVE_SCRATCH, 0, place_rm(p));
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
 * Steps.  r11: iterations so far; rbx: exec.lanes; rcx points behind the turn's lanes.
 */

/* op r11, [rbx + at], or the other way round. */
static void
counter(struct native *n, unsigned op, int32_t at)
{
   x86_general(&n->x, op, X86_R11, x86_mem(X86_BX, at));
}

/* The lanes that the turn began with. */
static void
all_lanes(struct native *n)
{
   K(native_lanes)(n, (int8_t) - (int)(native_step(n) / 8));
}

/* The vector leaves the loop in this iteration at place `number`. */
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

/* A side of the branch begins: a vector without lanes is at its end at once. */
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
   /* Slots have nothing of the lanes that did not run. */
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
   f->somebody_waits[f->depth] = false;
   f->skip[f->depth] = 0;
   keep_lanes(n, came_in(f->depth));
}

static void
other_side(struct native *n)
{
   struct native_flow *f = n->flow;

   side_ends(n);
   if (!f->somebody_waits[f->depth])
      clear_place(n, waits(f->depth));
   f->somebody_waits[f->depth] = true;
   swap_lanes(n, waits(f->depth));
}

static void
pop(struct native *n)
{
   struct native_flow *f = n->flow;

   side_ends(n);
   take_lanes(n, came_in(f->depth--));
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
   const bool own_level = op == CAYMAN_EXECUTE_MASK_BREAK && f->depth == 0;

   K(native_settle_all)(n);
   if (!own_level)
      remember_lanes(n);
   narrow_lanes(n);
   if (op == CAYMAN_EXECUTE_MASK_DEACTIVATE) {
      add_failed(n, waits(f->depth), !f->somebody_waits[f->depth]);
      f->somebody_waits[f->depth] = true;
   } else if (!own_level) {
      add_failed(n, op == CAYMAN_EXECUTE_MASK_BREAK ? BROKEN : CONTINUED, false);
      f->continued |= op == CAYMAN_EXECUTE_MASK_CONTINUE;
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

/* What a loop that begins at `step` does with lanes. */
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
      f->continues |= step->op == CAYMAN_EXECUTE_MASK_CONTINUE;
      f->breaks_deep |= step->op == CAYMAN_EXECUTE_MASK_BREAK && depth > 0;
   }
}

static bool
loop_begins(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
            const struct uop_step *step)
{
   struct native_flow *f = n->flow;

   if (!K(native_choose_homes)(n, bound, bindings, step))
      return false;
   look_ahead(f, step);
   if (!n->masked)
      all_lanes(n);
   n->masked = f->inside = true;
   if (f->breaks_deep)
      clear_place(n, BROKEN);
   if (f->continues)
      clear_place(n, CONTINUED);
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
      clear_place(n, CONTINUED);
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
   K(native_leave_homes)(n);
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
      if (step->op == CAYMAN_EXECUTE_MASK_DEACTIVATE)
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
   const struct native_flow start = { .max_homes = n->flow->max_homes, .masked = n->masked };

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
   K(native_next_turn)(n, top);
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
      flow.max_homes = NATIVE_REGS / NATIVE_NARROWEST < NATIVE_SLOTS
                          ? NATIVE_REGS / NATIVE_NARROWEST - TEMPORARY_SLOTS
                          : NATIVE_SLOTS - TEMPORARY_SLOTS;
      for (;; flow.max_homes /= 2) {
         n->masked = masked;
         n->x.len = start;
         ok = emit_region(n, bound, bindings, r);
         if (!ok || n->x.full || !n->crowded || !flow.max_homes)
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
