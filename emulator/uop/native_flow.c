/* SPDX-License-Identifier: MIT */
/*
 * Machine code for regions: clauses and a loop among them as one function.  A turn takes a vector
 * of lanes through all of it, around the loop as often as those lanes want, with values in
 * registers; nothing depends on other vectors.
 *
 *   1. Lanes that run are in the registers that masked stores use.  Who fails a predicate that
 *      changes that leaves them behind its clause, as in the interpreter; when none is left the
 *      vector leaves the loop.
 *   2. What a loop names most has a home: a slot that holds the component at every place where ways
 *      meet, for lanes that run and those that left.  A new value is in another slot until lanes
 *      change or the iteration ends; then the lanes that run settle it in the home.
 *   3. What else the loop changes is in memory at those places.
 *   4. Iterations are counted: the wave goes around as often as the vector that does so most.  The
 *      caller, who charges cycles, gets from each step that lanes leave at the last iteration in
 *      which it was a vector's last one.
 */
#include "uop/native_emit.h"

#include <stddef.h>
#include <stdlib.h>

#if VW > 4

/* Slots of a loop that are no homes: what one micro-operation takes, and a few values. */
#define TEMPORARY_SLOTS 8u

#define FROM_LANES(member) ((int32_t)(offsetof(struct exec, member) - offsetof(struct exec, lanes)))

/* ------------------------------------------------------------------------------------------------
 * Homes
 */
void
K(native_settle)(struct native *n, unsigned component)
{
   const unsigned slot = (unsigned)n->at[component], home = (unsigned)n->home[component];

   if (!(n->flow->any_nan >> home & 1))
      K(native_canon)(n, slot);
   K(native_forget)(n, component);
   for (unsigned s = 0; s < n->strips; s++) {
      const unsigned to = native_reg(n, home, s), from = native_reg(n, slot, s);
#if VW == 16
      x86_vec_masked(&n->x, X86_MOVAPS_LOAD, to, 0, x86_reg(from), 6 + s, false);
#else
      x86_vec_imm(&n->x, X86_BLENDVPS, to, to, x86_reg(from), NATIVE_LANES << 4);
#endif
   }
   K(native_hold)(n, home, component);
   n->dirty[component] = true;
   n->slot[home].any_nan = n->flow->any_nan >> home & 1;
}

/* What is known of NaNs where ways meet. */
static void
join_nans(struct native *n)
{
   for (unsigned s = 0; s < n->num_slots; s++)
      if (n->slot[s].home)
         n->slot[s].any_nan = n->flow->any_nan >> s & 1;
}

/* Lanes change, or ways meet: homes and memory are right for all lanes. */
static void
settle_all(struct native *n)
{
   if (n->crowded)
      return; /* what is where was lost */
   for (unsigned c = 0; c < n->components; c++)
      if (n->home[c] >= 0 && n->at[c] != n->home[c])
         K(native_settle)(n, c);
   for (unsigned s = 0; s < n->num_slots; s++)
      for (unsigned k = 0; !n->slot[s].home && k < n->slot[s].count; k++)
         if (n->dirty[n->slot[s].holds[k]])
            K(native_write_back)(n, n->slot[s].holds[k]);
   join_nans(n);
}

static void
forget_others(struct native *n)
{
   for (unsigned c = 0; c < n->components; c++)
      if (n->at[c] >= 0 && n->home[c] < 0)
         K(native_forget)(n, c);
}

/* What code writes to a component: whatever; results of arithmetic alone, of which a NaN that is
 * not the canonical one can be told. */
enum written { UNWRITTEN, BITS, FLOATS };

/* How often code names each component, and what it writes to it. */
static void
count_names(struct native *n, const struct bound_uop *u, uint32_t count, uint16_t *names,
            uint8_t *written)
{
   for (const struct bound_uop *end = u + count; u < end; u++) {
      /* More than there are does no harm. */
      for (unsigned s = 0; s < 3; s++)
         if (!(u->uni >> s & 1) && u->src[s] / COMP_BYTES < n->components)
            names[u->src[s] / COMP_BYTES]++;
      if (u->dst / COMP_BYTES < n->components) {
         names[u->dst / COMP_BYTES]++;
         uint8_t *w = &written[u->dst / COMP_BYTES];
         *w = K(native_is_arithmetic)(u) && *w != BITS ? FLOATS : BITS;
      }
   }
}

/* A slot of its own for a component, with its value. */
static void
make_home(struct native *n, unsigned component, enum written written)
{
   int slot = n->at[component];
   bool dirty = n->dirty[component];
   const bool arithmetic = slot >= 0 && n->slot[slot].any_nan && written == FLOATS;

   if (slot < 0 || n->slot[slot].count > 1 || n->slot[slot].splat) {
      const unsigned to = K(native_take)(n);
      slot = n->at[component];
      dirty = n->dirty[component];
      if (slot < 0) {
         const struct native_value from = { .kind = NATIVE_FILE, .offset = component * COMP_BYTES };
         two(n, X86_MOVAPS_LOAD, to, from);
      } else {
         K(native_canon)(n, (unsigned)slot);
         two(n, X86_MOVAPS_LOAD, to, native_in((unsigned)slot));
         K(native_forget)(n, component);
      }
      K(native_hold)(n, to, component);
      K(native_release)(n, to);
      slot = (int)to;
   } else {
      K(native_canon)(n, (unsigned)slot);
   }
   n->slot[slot].home = true;
   n->home[component] = (int8_t)slot;
   n->dirty[component] = dirty || written != UNWRITTEN;
   n->flow->any_nan |= (unsigned)arithmetic << slot;
}

/* Chooses homes for a loop, whose steps begin at `step`; false: no memory. */
static bool
choose_homes(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
             const struct uop_step *step)
{
   uint16_t *names = calloc(n->components, sizeof(*names) + 1);
   uint8_t *written = (uint8_t *)(names + n->components);
   uint16_t chosen[NATIVE_SLOTS];
   unsigned count = 0;

   if (!names)
      return false;
   for (; step->kind != UOP_STEP_END; step++) {
      const struct uop_run run = bindings[step->binding].masked;
      count_names(n, bound->uops + run.first, run.count, names, written);
   }
   for (; count < n->flow->max_homes; count++) {
      unsigned best = 0;
      for (unsigned c = 1; c < n->components; c++)
         if (names[c] > names[best] && (c < n->options->first_temp || c >= n->options->end_temp))
            best = c;
      if (!names[best] || (best >= n->options->first_temp && best < n->options->end_temp))
         break;
      names[best] = 0;
      chosen[count] = (uint16_t)best;
      n->home[best] = 0; /* so that it stays in its slot */
   }
   for (unsigned s = 0; s < n->num_slots; s++)
      for (unsigned k = 0; k < n->slot[s].count; k++)
         if (n->dirty[n->slot[s].holds[k]] && n->home[n->slot[s].holds[k]] < 0)
            K(native_write_back)(n, n->slot[s].holds[k]);
   forget_others(n);
   for (unsigned k = 0; k < count; k++)
      n->home[chosen[k]] = -1;
   n->flow->any_nan = 0;
   for (unsigned k = 0; k < count && !n->crowded; k++)
      make_home(n, chosen[k], written[chosen[k]]);
   join_nans(n);
   free(names);
   return true;
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
   if (f->passed) {
      for (unsigned s = 0; s < n->strips; s++) {
         x86_bytes(x, s ? "\xc5\xc4" : "\xc5\xcc", 2); /* kandw k6 + s, k6 + s, mask */
         x86_bytes(x, (const uint8_t[]){ 0x41, (uint8_t)((s ? 0xf8 : 0xf0) | (f->pass + s)) }, 2);
      }
   }
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
         x86_bytes(x, "\xc5\xf8\x90\x89", 4); /* kmovw k1, [rcx + at] */
         x86_dword(x, (uint32_t)at + s * 2);
         x86_bytes(x, s ? "\xc5\xc4\x41\xf9" : "\xc5\xcc\x41\xf1", 4); /* kandw k6 + s, .., k1 */
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

/* ------------------------------------------------------------------------------------------------
 * Steps.  r11: iterations so far; rbx: exec.lanes; rcx points behind the turn's lanes.
 */

/* A jump whose target x86_link() puts in place. */
static size_t
jump(struct native *n, const char *code, size_t bytes)
{
   x86_bytes(&n->x, code, bytes);
   x86_dword(&n->x, 0);
   return n->x.len - 4;
}

/* op r11, [rbx + at], or the other way round. */
static void
counter(struct native *n, unsigned op, int32_t at)
{
   x86_bytes(&n->x, (const uint8_t[]){ 0x4c, (uint8_t)op, 0x9b }, 3);
   x86_dword(&n->x, (uint32_t)at);
}

/* Lanes that fail leave; if none is left, the vector does. */
static void
leave(struct native *n)
{
   struct native_flow *f = n->flow;
   struct x86 *x = &n->x;

   settle_all(n);
   narrow_lanes(n);
#if VW == 16
   x86_bytes(x, "\xc5\xf8\x98\xf7", 4); /* kortestw k6, k7 */
#else
   x86_vec(x, X86_MOVMSKPS, X86_R10, 0, x86_reg(NATIVE_LANES));
   x86_bytes(x, "\x45\x85\xd2", 3); /* test r10d, r10d */
#endif
   const size_t on = jump(n, "\x0f\x85", 2); /* jnz */
   const int32_t at = FROM_LANES(loop_leaves) + (int32_t)(f->num_leaves * 8);
   counter(n, 0x3b, at);                       /* cmp r11, [at] */
   const size_t less = jump(n, "\x0f\x86", 2); /* jbe */
   counter(n, 0x89, at);                       /* mov [at], r11 */
   x86_link(x, less, x->len);
   f->leaves[f->num_leaves++] = jump(n, "\xe9", 1);
   x86_link(x, on, x->len);
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

static bool
loop_begins(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
            const struct uop_step *step)
{
   struct native_flow *f = n->flow;

   if (!choose_homes(n, bound, bindings, step))
      return false;
   f->inside = n->masked; /* what it is behind the loop */
   if (!n->masked)
      K(native_lanes)(n, (int8_t) - (int)(native_step(n) / 8));
   n->masked = true;
   x86_bytes(&n->x, "\x4d\x31\xdb", 3); /* xor r11, r11 */
   f->header = n->x.len;
   x86_bytes(&n->x, "\x49\xff\xc3", 3); /* inc r11 */
   counter(n, 0x3b, FROM_LANES(loop_limit));
   f->over = jump(n, "\x0f\x87", 2); /* ja */
   return true;
}

static void
loop_ends(struct native *n)
{
   struct native_flow *f = n->flow;

   settle_all(n);
   forget_others(n);
   x86_link(&n->x, jump(n, "\xe9", 1), f->header);
   for (unsigned k = 0; k < f->num_leaves; k++)
      x86_link(&n->x, f->leaves[k], n->x.len);
   for (unsigned s = 0; s < n->num_slots; s++)
      n->slot[s].home = false;
   memset(n->home, -1, n->components);
   n->masked = f->inside;
   if (n->masked)
      K(native_lanes)(n, (int8_t) - (int)(native_step(n) / 8));
}

static bool
emit_region(struct native *n, const struct uop_bound *bound, const struct uop_binding *bindings,
            const struct uop_region *r)
{
   struct x86 *x = &n->x;
   const bool masked = n->masked;

   K(native_begin)(n, NATIVE_NARROWEST);
   n->flow->num_leaves = 0;
   n->flow->over = 0;
   x86_bytes(x, "\x53\x48\x89\xcb\xb8", 5); /* push rbx; mov rbx, rcx; mov eax, turns */
   x86_dword(x, WAVE_LANES / native_step(n));
   const size_t top = x->len;
   if (n->masked)
      K(native_lanes)(n, 0);
   x86_bytes(x, "\x48\x83\xc1", 3); /* add rcx, bytes of lanes a turn */
   x86_byte(x, native_step(n) / 8);
   for (uint32_t k = 0; k < r->num_steps && !n->crowded; k++) {
      const struct uop_step *step = &r->steps[k];
      const struct uop_run run = bindings[step->binding].masked;

      switch (step->kind) {
      case UOP_STEP_LOOP:
         if (!loop_begins(n, bound, bindings, step + 1))
            return false;
         break;
      case UOP_STEP_END:
         loop_ends(n);
         break;
      default:
         n->kept = bindings[step->binding].kept;
         code(n, bound->uops + run.first, run.count);
         if (step->kind == UOP_STEP_LEAVE)
            leave(n);
         break;
      }
   }
   K(native_write_all)(n);
   K(native_next_turn)(n, top);
   if (n->flow->over)
      x86_link(x, n->flow->over, x->len);
   x86_bytes(x, "\x5b\xc5\xf8\x77\xc3", 5); /* pop rbx; vzeroupper; ret */
   n->masked = masked;
   return true;
}

/* Whether all of it is known as machine code, and how. */
static bool
knows(const struct uop_bound *bound, const struct uop_binding *bindings, const struct uop_region *r)
{
   unsigned leaves = 0;

   for (uint32_t k = 0; k < r->num_steps; k++) {
      const struct uop_step *step = &r->steps[k];
      unsigned predicates = 0;

      leaves += step->kind == UOP_STEP_LEAVE;
      if (step->kind != UOP_STEP_CODE && step->kind != UOP_STEP_LEAVE)
         continue;
      const struct uop_run run = bindings[step->binding].masked;
      const struct bound_uop *u = bound->uops + run.first;
      for (uint32_t n = 0; n < run.count; n += u[n].length) {
         if (u[n].op != UOP_COMMIT_PRED && !K(native_can)(&u[n]))
            return false;
         predicates += K(native_is_predicate)(&u[n]);
      }
      if (run.count > NATIVE_MAX_RUN || predicates > EXEC_PASSES)
         return false;
   }
   return leaves <= EXEC_LEAVES;
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
