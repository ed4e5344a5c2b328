/* SPDX-License-Identifier: MIT */
/*
 * Machine code for runs of micro-operations: slots, runs and programs.  native.h has the rules.
 *
 * Example.  Two of Cayman's instructions are two micro-operations.  t is a temporary, and U are
 * entries of the table of uniform values: two dwords of a constant buffer.
 *
 *    MULADD_IEEE R0.x, R0.x, KC0[0].x, KC0[0].y       t    = MULADD_IEEE R0.x, U[0], U[1]
 *    MUL_IEEE    R0.x, PV.x, PV.x                     R0.x = MUL_IEEE t, t
 *
 * With AVX2 and all 64 lanes running they become (rdi is at the register file, rsi at U, rdx at
 * `constants`; the pointers' biases make displacements short):
 *
 *          mov           eax, 8                       8 vectors of 8 lanes
 *    top:  vbroadcastss  ymm0, [rsi - 0x200]          slot 0: U[0]
 *          vmulps        ymm1, ymm0, [rdi - 0x2000]   slot 1: R0.x * U[0], R0.x read from memory
 *          vbroadcastss  ymm2, [rsi - 0x1fc]          slot 2: U[1]
 *          vaddps        ymm1, ymm1, ymm2             slot 1: t
 *          vmulps        ymm0, ymm1, ymm1             slot 0: the new R0.x
 *          vcmpunordps   ymm15, ymm0, ymm0            where it is a NaN
 *          vblendvps     ymm0, ymm0, [rdx], ymm15       it becomes the canonical one
 *          vmovaps       [rdi - 0x2000], ymm0         R0.x is live-out: to memory
 *          add           r9, 16                       the next two quads' coefficients
 *          add           rdi, 32                      the next vector
 *          dec           eax
 *          jne           top
 *          vzeroupper
 *          ret
 *
 * t is never in memory: nothing reads it after the run.  Its NaNs are not made canonical, because
 * what is computed from them is.  Slots 0 and 2 are free as soon as their last reader is emitted.
 * The same run for waves that have diverged differs in three ways: it has the execution mask's
 * lanes of the vector in ymm14, it moves rcx to the next bits of that mask, and it writes R0.x by
 * a load, a blend by ymm14 and a store.
 */
#include "uop/native.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if VW > 4

/* What one program's code may take, and how many micro-operations a run may have. */
#define MAX_CODE (1u << 20)
#define MAX_RUN  NATIVE_MAX_RUN

#define FULL8(v)     v, v, v, v, v, v, v, v
#define PAIRS4(l, h) l, h, l, h, l, h, l, h
#if VW == 16
#define FULL(v)     FULL8(v), FULL8(v)
#define PAIRS(l, h) PAIRS4(l, h), PAIRS4(l, h)
#define LANES_0     0, 1, 4, 5, 8, 9, 12, 13
#define LANES_1     2, 3, 6, 7, 10, 11, 14, 15
#else
#define FULL(v)     FULL8(v)
#define PAIRS(l, h) PAIRS4(l, h)
#define LANES_0     0, 1, 4, 5
#define LANES_1     2, 3, 6, 7
#endif
#define ROW(v) \
   {           \
      FULL(v)  \
   }
static const struct {
   uint32_t bits[NATIVE_CONSTANTS][VW];
   float terms[NATIVE_TERMS][VW];
} constants __attribute__((aligned(64))) = { .bits = {
   [NATIVE_NAN] = { FULL(0x7fc00000) },
   [NATIVE_ZERO] = { FULL(0) },
   [NATIVE_HALF] = { FULL(0x3f000000) },
   [NATIVE_ONE] = { FULL(0x3f800000) },
   [NATIVE_TWO] = { FULL(0x40000000) },
   [NATIVE_FOUR] = { FULL(0x40800000) },
   [NATIVE_2P16] = { FULL(0x47800000) },
   [NATIVE_2P31] = { FULL(0x4f000000) },
   [NATIVE_BELOW_ONE] = { FULL(0x3f7fffff) },
   [NATIVE_SIGN] = { FULL(0x80000000) },
   [NATIVE_MAGNITUDE] = { FULL(0x7fffffff) },
   [NATIVE_ALL_BITS] = { FULL(~0u) },
   [NATIVE_31] = { FULL(31) },
   [NATIVE_INT_1] = { FULL(1) },
   [NATIVE_INT_16] = { FULL(16) },
   [NATIVE_INT_32] = { FULL(32) },
   [NATIVE_LOW_HALF] = { FULL(0xffff) },
   [NATIVE_LOW_24] = { FULL(0xffffff) },
   [NATIVE_NAN64] = { PAIRS(0, 0x7ff80000) },
   [NATIVE_ONE64] = { PAIRS(0, 0x3ff00000) },
   [NATIVE_LANE_BITS] = { 1, 2, 4, 8, 16, 32, 64, 128 },
   [NATIVE_EVEN_LANES] = { PAIRS(~0u, 0) },
   [NATIVE_ODD_LANES] = { PAIRS(0, ~0u) },
   [NATIVE_HALF_0] = { LANES_0, LANES_1 },
   [NATIVE_HALF_1] = { LANES_1, LANES_0 },
   [NATIVE_INFINITY] = { FULL(F32_INFINITY) },
   [NATIVE_MINUS_INFINITY] = { FULL(F32_MINUS_INF) },
   [NATIVE_SMALLEST] = { FULL(0x00800000) },
   [NATIVE_2P24] = { FULL(0x4b800000) },
   [NATIVE_QUARTER] = { FULL(0x3e800000) },
   [NATIVE_160] = { FULL(0x43200000) },
   [NATIVE_MINUS_160] = { FULL(0xc3200000) },
   [NATIVE_256] = { FULL(0x43800000) },
   [NATIVE_FRACTION] = { FULL(F32_FRACTION) },
   [NATIVE_SQRT_HALF] = { FULL(F32_SQRT_HALF) },
   [NATIVE_ONE_ABOVE_SQRT] = { FULL(F32_ONE - F32_SQRT_HALF) },
   [NATIVE_INT_24] = { FULL(24) },
   [NATIVE_INT_127] = { FULL(127) },
}, .terms = { EXP2_TERMS(ROW), LOG2_TERMS(ROW), SIN_TERMS(ROW), ROW(SIN_FIRST) } };

/* In rdi, rsi, rdx, rcx, r8, r9. */
typedef void code_fn(uint8_t *file, const uint8_t *uni, const void *constants,
                     const uint64_t *lanes, const void *coefs, const void *quad_coefs);

static void
run_native(struct exec *x, const struct bound_uop *u)
{
   code_fn *code;
   const uint8_t *at = x->code + u->native;
   memcpy(&code, &at, sizeof(code));
   code(x->file + NATIVE_FILE_BIAS, (const uint8_t *)x->uni + NATIVE_UNI_BIAS, &constants,
        &x->lanes, x->one_primitive ? x->coef[0] : NULL, x->coef);
}

const struct uop_native *
K(uop_native_of)(const struct uop_bound *bound, struct uop_run run)
{
   const struct bound_uop *u = bound->uops + run.first;

   return run.count == 1 && u->fn == run_native
             ? (const struct uop_native *)(const void *)(bound->native + u->native)
             : NULL;
}

void
K(uop_run_native)(struct exec *x, const struct uop_native *native)
{
   code_fn *code;

   memcpy(&code, &native, sizeof(code));
   code(x->file + NATIVE_FILE_BIAS, (const uint8_t *)x->uni + NATIVE_UNI_BIAS, &constants,
        &x->lanes, x->one_primitive ? x->coef[0] : NULL, x->coef);
}

bool
K(uop_is_test)(const struct uop_bound *bound, struct uop_run run, struct uop_predicate *predicate)
{
   const struct bound_uop *u = bound->uops + run.first;

   if (run.count < 2 || u->fn != run_native || u[1].fn != K(uop_pred_finish) ||
       K(uop_kills)(u[1].op) || !u[1].p.predicate.update_exec || u[1].native != 0)
      return false;
   for (uint32_t n = 2; n < run.count; n++)
      if (u[n].op != UOP_COMMIT_PRED)
         return false;
   *predicate = u[1].p.predicate;
   return true;
}

bool
K(uop_run_region)(struct exec *x, uint32_t at)
{
   uint32_t (*code)(uint8_t *, const uint8_t *, const void *, const uint64_t *, const void *,
                    const void *);
   const uint8_t *start = x->code + at;
   memcpy(&code, &start, sizeof(code));
   return code(x->file + NATIVE_FILE_BIAS, (const uint8_t *)x->uni + NATIVE_UNI_BIAS, &constants,
               &x->lanes, x->one_primitive ? x->coef[0] : NULL, x->coef) == 0;
}

/* ------------------------------------------------------------------------------------------------
 * Slots
 */
void
K(native_canon)(struct native *n, unsigned slot)
{
   if (!n->slot[slot].any_nan)
      return;
   struct native_value nan = native_constant(NATIVE_NAN);
   for (unsigned s = 0; s < n->strips; s++) {
      unsigned reg = native_reg(n, slot, s);
#if VW == 16
      x86_vec_imm(&n->x, X86_CMPPS, NATIVE_CANON_MASK, reg, x86_reg(reg), X86_UNORD_Q);
      x86_vec_masked(&n->x, X86_MOVAPS_LOAD, reg, 0, native_rm(n, &nan, s), NATIVE_CANON_MASK,
                     false);
#else
      x86_vec_imm(&n->x, X86_CMPPS, NATIVE_SCRATCH, reg, x86_reg(reg), X86_UNORD_Q);
      x86_vec_imm(&n->x, X86_BLENDVPS, reg, reg, native_rm(n, &nan, s), NATIVE_SCRATCH << 4);
#endif
   }
   n->slot[slot].any_nan = false;
}

void
K(native_write_back)(struct native *n, unsigned component)
{
   unsigned slot = (unsigned)n->at[component];
   struct native_value to = { .kind = NATIVE_FILE, .offset = component * COMP_BYTES };
   K(native_canon)(n, slot);
   for (unsigned s = 0; s < n->strips; s++) {
      unsigned reg = native_reg(n, slot, s);
#if VW == 16
      x86_vec_masked(&n->x, X86_MOVAPS_STORE, reg, 0, native_rm(n, &to, s), n->masked ? 6 + s : 0,
                     false);
#else
      /* Not by VMASKMOVPS: some processors take 40 steps for a store. */
      if (n->masked) {
         x86_vec(&n->x, X86_MOVAPS_LOAD, NATIVE_SCRATCH, 0, native_rm(n, &to, s));
         x86_vec_imm(&n->x, X86_BLENDVPS, NATIVE_SCRATCH, NATIVE_SCRATCH, x86_reg(reg),
                     NATIVE_LANES << 4);
         reg = NATIVE_SCRATCH;
      }
      x86_vec(&n->x, X86_MOVAPS_STORE, reg, 0, native_rm(n, &to, s));
#endif
   }
   n->dirty[component] = false;
}

void
K(native_forget)(struct native *n, unsigned component)
{
   int slot = n->at[component];
   if (slot < 0)
      return;
   struct native_slot *s = &n->slot[slot];
   for (unsigned k = 0; k < s->count; k++) {
      if (s->holds[k] == component) {
         s->holds[k] = s->holds[--s->count];
         break;
      }
   }
   n->at[component] = -1;
   n->dirty[component] = false;
}

unsigned
K(native_take)(struct native *n)
{
   /* Free, or else needed last. */
   unsigned pick = n->num_slots, farthest = 0;
   for (unsigned s = 0; s < n->num_slots; s++) {
      const struct native_slot *slot = &n->slot[s];
      if (slot->pinned || slot->fixed)
         continue;
      if (slot->count == 0) {
         pick = s;
         break;
      }
      unsigned next = NATIVE_LATER;
      for (unsigned k = 0; k < slot->count; k++)
         next = n->next[slot->holds[k]] < next ? n->next[slot->holds[k]] : next;
      if (pick == n->num_slots || next > farthest) {
         pick = s;
         farthest = next;
      }
   }
   if (pick == n->num_slots) {
      n->crowded = true;
      return 0;
   }
   struct native_slot *slot = &n->slot[pick];
   while (slot->count) {
      unsigned component = slot->holds[slot->count - 1];
      n->reloads += n->next[component] < NATIVE_LATER;
      n->crowded |= n->reloads > n->most_reloads;
      if (n->fixed[component] >= 0) {
         K(native_settle)(n, component);
         continue;
      }
      if (n->dirty[component])
         K(native_write_back)(n, component);
      K(native_forget)(n, component);
   }
   slot->pinned = true;
   slot->any_nan = slot->computed = slot->is_mask = slot->splat = false;
   return pick;
}

void
K(native_release)(struct native *n, unsigned slot)
{
   n->slot[slot].pinned = false;
}

void
K(native_hold)(struct native *n, unsigned slot, unsigned component)
{
   struct native_slot *s = &n->slot[slot];
   if (n->crowded)
      return; /* it is not a slot of its own */
   s->holds[s->count++] = (uint16_t)component;
   n->at[component] = (int8_t)slot;
}

void
K(native_define)(struct native *n, uint32_t dst, unsigned slot)
{
   unsigned component = dst / COMP_BYTES;
   if (component >= n->components) {
      n->x.full = true;
      return;
   }
   if (n->at[component] != (int)slot) {
      K(native_forget)(n, component);
      if (n->slot[slot].count == NATIVE_HOLDS || n->slot[slot].fixed) {
         const struct native_slot of = n->slot[slot];
         unsigned copy = K(native_take)(n);
         for (unsigned s = 0; s < n->strips; s++)
            x86_vec(&n->x, X86_MOVAPS_LOAD, native_reg(n, copy, s), 0,
                    x86_reg(native_reg(n, slot, s)));
         n->slot[copy].any_nan = of.any_nan;
         n->slot[copy].computed = of.computed;
         n->slot[copy].is_mask = of.is_mask;
         slot = copy;
      }
      K(native_hold)(n, slot, component);
   }
   n->dirty[component] = true;
}

struct native_value
K(native_operand)(struct native *n, const struct bound_uop *u, unsigned k)
{
   struct native_value v = { .offset = u->src[k] };
   if (u->uni >> k & 1) {
      v.kind = NATIVE_UNI;
      return v;
   }
   v.kind = NATIVE_FILE;
   unsigned component = u->src[k] / COMP_BYTES;
   if (component >= n->components) {
      n->x.full = true; /* the lifter makes no such */
      v = native_in(0);
   } else if (n->at[component] >= 0) {
      v = native_in((unsigned)n->at[component]);
      n->slot[v.slot].pinned = true;
   }
   return v;
}

unsigned
K(native_load)(struct native *n, struct native_value *v)
{
   if (v->kind == NATIVE_SLOT)
      return v->slot;
   unsigned component = v->offset / COMP_BYTES;
   if (v->kind == NATIVE_FILE && n->at[component] >= 0) {
      /* Another operand was the same. */
      *v = native_in((unsigned)n->at[component]);
      n->slot[v->slot].pinned = true;
      return v->slot;
   }
   unsigned slot = K(native_take)(n);
   const bool splat = v->kind == NATIVE_UNI;
   for (unsigned s = 0; s < (splat ? 1 : n->strips); s++) {
      struct x86_rm rm = native_rm(n, v, s);
      rm.splat = false;
      x86_vec(&n->x, splat ? X86_BROADCASTSS : X86_MOVAPS_LOAD, native_reg(n, slot, s), 0, rm);
   }
   n->slot[slot].splat = splat;
   if (v->kind == NATIVE_FILE)
      K(native_hold)(n, slot, component);
   *v = native_in(slot);
   return slot;
}

/* ------------------------------------------------------------------------------------------------
 * Runs
 */

static unsigned
num_operands(const struct bound_uop *u)
{
   return uop_infos[u->op].operands;
}

/* The component that operand k of a record is, or none. */
static unsigned
component_read(const struct native *n, const struct bound_uop *record, unsigned k)
{
   unsigned component = record->src[k] / COMP_BYTES;
   return record->uni >> k & 1 || component >= n->components ? n->components : component;
}

/* The component that record r of u writes, or none. */
static unsigned
component_written(const struct native *n, const struct bound_uop *u, unsigned r)
{
   unsigned component = u[r].dst / COMP_BYTES;
   bool writes =
      u->length == 1 ? uop_infos[u->op].result != UOP_RESULT_NONE : u->p.group.writes >> r & 1;
   return !writes || component >= n->components ? n->components : component;
}

/* Notes `mark` for each component that a micro-operation reads. */
static void
note_reads(const struct native *n, const struct bound_uop *u, uint32_t *marks, uint32_t mark)
{
   bool pairs = uop_infos[u->op].params == UOP_PARAMS_pair;

   for (unsigned s = 0; s < 3; s++) {
      unsigned component = component_read(n, u, s);
      marks[component] = mark;
      if (pairs && component + 1 < n->components)
         marks[component + 1] = mark;
   }
}

/* Where a binding's micro-operations read each component last: temporaries may live to its end. */
void
K(native_last_reads)(struct native *n, const struct bound_uop *u, uint32_t count)
{
   memset(n->last, 0, (n->components + 1) * sizeof(*n->last));
   for (uint32_t k = 0; k < count; k++)
      note_reads(n, &u[k], n->last, k + 1);
}

/* Where a component is read next that nothing reads of a run, which ends at micro-operation `end`
 * and is the last of its binding if no `more` follow. */
static uint16_t
read_later(const struct native *n, unsigned component, uint32_t more, uint32_t end)
{
   const struct uop_bind_options *o = n->options;

   if (!more && n->dead && n->dead[component / 64] >> component % 64 & 1)
      return NATIVE_DEAD;
   return component < o->first_temp || component >= o->end_temp || component == n->kept[0] ||
                component == n->kept[1] || n->last[component] > end
             ? NATIVE_LATER
             : NATIVE_DEAD;
}

/* Goes backwards through a run and finds where each value is read next: of the components that it
 * names, a few of the file's many.  The run ends at micro-operation `end` of its binding. */
static void
find_uses(struct native *n, const struct bound_uop *u, uint32_t count, uint32_t more, uint32_t end)
{
   const uint32_t life = n->options->temp_life;
   uint16_t *next = n->next;

   for (uint32_t k = count; life && k < count + more && k < count + life; k++)
      note_reads(n, &u[k], n->last, end + 1);
   next[n->components] = NATIVE_LATER;
   for (uint32_t k = 0; k < count; k++) {
      for (unsigned s = 0; s < 3; s++) {
         unsigned component = component_read(n, &u[k], s);
         if (component == n->components)
            continue;
         next[component] = read_later(n, component, more, end);
      }
      unsigned component = u[k].dst / COMP_BYTES;
      if (component < n->components)
         next[component] = read_later(n, component, more, end);
   }

   uint16_t starts[MAX_RUN + 4];
   unsigned num_starts = 0;
   for (uint32_t k = 0; k < count; k += u[k].length)
      starts[num_starts++] = (uint16_t)k;
   while (num_starts--) {
      unsigned k = starts[num_starts], records = u[k].length;
      for (unsigned r = 0; r < records; r++) {
         unsigned c = component_written(n, &u[k], r);
         n->uses[k + r][3] = next[c];
         next[c] = NATIVE_DEAD;
      }
      for (unsigned r = 0; r < records; r++)
         for (unsigned s = 0; s < num_operands(&u[k]); s++)
            n->uses[k + r][s] = next[component_read(n, &u[k + r], s)];
      for (unsigned r = 0; r < records; r++)
         for (unsigned s = 0; s < num_operands(&u[k]); s++)
            next[component_read(n, &u[k + r], s)] = (uint16_t)k;
   }
}

static void
note_use(struct native *n, unsigned component, uint16_t next)
{
   if (component == n->components)
      return;
   n->next[component] = next;
   if (next == NATIVE_DEAD)
      K(native_forget)(n, component);
}

/* After micro-operation k. */
static void
note_uses(struct native *n, const struct bound_uop *u, uint32_t k)
{
   for (unsigned r = 0; r < u[k].length; r++) {
      for (unsigned s = 0; s < num_operands(&u[k]); s++) {
         unsigned component = component_read(n, &u[k + r], s);
         bool overwritten = false;
         for (unsigned w = 0; w < u[k].length; w++)
            overwritten |= component == component_written(n, &u[k], w);
         if (!overwritten)
            note_use(n, component, n->uses[k + r][s]);
      }
   }
   for (unsigned r = 0; r < u[k].length; r++)
      note_use(n, component_written(n, &u[k], r), n->uses[k + r][3]);
}

/* It changes what nothing in native code depends on: it is done after that code. */
static bool
waits(const struct bound_uop *u)
{
   return u->op == UOP_COMMIT_PRED;
}

void
K(native_emit_uops)(struct native *n, const struct bound_uop *u, uint32_t count, uint32_t more,
                    uint32_t end)
{
   n->passes = 0;
   find_uses(n, u, count, more, end);
   for (uint32_t k = 0; k < count && !n->crowded; k += u[k].length) {
      if (waits(&u[k]))
         continue;
      n->then = n->uses[k];
      n->wanted = n->then[3] != NATIVE_DEAD;
      K(native_emit)(n, &u[k]);
      note_uses(n, u, k);
   }
   K(native_mode)(n, false);
}

void
K(native_lanes)(struct native *n, int8_t at)
{
   struct x86 *x = &n->x;
#if VW == 16
   x86_mask_load(x, NATIVE_LANES_MASK, x86_mem(X86_CX, at));
   x86_mask_load(x, NATIVE_LANES_MASK + 1, x86_mem(X86_CX, at + 2));
#else
   struct native_value bits = native_constant(NATIVE_LANE_BITS);
   x86_vec(x, X86_BROADCASTB, NATIVE_LANES, 0, x86_mem(X86_CX, at));
   x86_vec(x, X86_ANDPS, NATIVE_LANES, NATIVE_LANES, native_rm(n, &bits, 0));
   x86_vec(x, X86_PCMPEQD, NATIVE_LANES, NATIVE_LANES, native_rm(n, &bits, 0));
#endif
}

void
K(native_begin)(struct native *n, unsigned strips, unsigned most_reloads)
{
   /* Without a mask of lanes its register is one more. */
   const unsigned regs = strips == 3 ? NATIVE_REGS + 1 : NATIVE_REGS;

   n->strips = strips;
   n->num_slots = regs / strips < NATIVE_SLOTS ? regs / strips : NATIVE_SLOTS;
   n->reloads = 0;
   n->most_reloads = most_reloads;
   n->crowded = n->doubles = false;
   memset(n->slot, 0, sizeof(n->slot));
   memset(n->at, -1, n->components);
   memset(n->fixed, -1, n->components);
   memset(n->dirty, 0, n->components);
}

void
K(native_write_all)(struct native *n)
{
   for (unsigned s = 0; s < n->num_slots; s++) {
      for (unsigned k = 0; k < n->slot[s].count; k++) {
         unsigned component = n->slot[s].holds[k];
         if (n->dirty[component])
            K(native_write_back)(n, component);
      }
   }
}

void
K(native_next_vectors)(struct native *n, size_t top)
{
   struct x86 *x = &n->x;
   const unsigned step = native_step(n);

   x86_add(x, X86_R9, (int32_t)(step / 4 * 8)); /* pointers to quads' coefficients */
   x86_add(x, X86_DI, (int32_t)(step * 4));
   x86_general_1(x, X86_DEC32, X86_AX);
   x86_link(x, x86_jump(x, X86_JNZ), top);
}

uint32_t
K(native_align)(struct native *n)
{
   while (n->x.len % 32 && !n->x.full)
      x86_byte(&n->x, 0xcc);
   return (uint32_t)n->x.len;
}

/* The code of u[0] to u[count - 1], with or without predicates, for `strips` vectors at a time;
 * `more` follow in the binding, the first of them its micro-operation `end`.  False: there are not
 * enough registers for that many vectors of a run of that weight. */
static bool
emit_vectors(struct native *n, const struct bound_uop *u, uint32_t count, uint32_t more,
             uint32_t end, uint32_t weight, bool predicates, unsigned strips)
{
   struct x86 *x = &n->x;
   const unsigned most_reloads = strips == NATIVE_NARROWEST ? UINT_MAX : weight / 8;
   bool doubles = false;

   for (uint32_t k = 0; k < count; k += u[k].length)
      doubles |= K(native_is_64)(&u[k]);
   if (doubles) {
      x86_push(x, X86_BX);
      x86_general(x, X86_MOV_STORE, X86_CX, x86_reg(X86_BX));
   }
   for (unsigned left = WAVE_LANES / VW; left; strips = left) {
      const unsigned iterations = left / strips;
      K(native_begin)(n, strips, most_reloads);
      if (iterations > 1)
         x86_mov32_value(x, X86_AX, iterations);
      const size_t top = x->len;
      if (n->masked)
         K(native_lanes)(n, 0);
      if (n->masked || predicates)
         x86_add(x, X86_CX, (int32_t)(native_step(n) / 8)); /* bytes of masks of lanes */
      K(native_emit_uops)(n, u, count, more, end);
      K(native_write_all)(n);
      if (n->crowded)
         return false;
      left -= iterations * strips;
      if (iterations > 1)
         K(native_next_vectors)(n, top);
   }
   if (n->passes) {
      /* rcx has moved on by a wave's lanes. */
      x86_general(x, X86_MOV_STORE, X86_R11,
                  x86_mem(X86_CX, (int32_t)offsetof(struct exec, pass) -
                                     (int32_t)offsetof(struct exec, lanes) - WAVE_LANES / 8));
   }
   if (doubles)
      x86_pop(x, X86_BX);
   x86_return(x);
   return true;
}

/* The same, as many vectors at a time as there are registers for.  Returns where it starts. */
static uint32_t
emit_run(struct native *n, const struct bound_uop *u, uint32_t count, uint32_t more, uint32_t end,
         bool predicates)
{
   struct x86 *x = &n->x;
   const uint32_t start = K(native_align)(n);
   const uint32_t from = n->options->wide_from ? n->options->wide_from : NATIVE_WIDE_FROM;
   uint32_t weight = 0;

   for (uint32_t k = 0; k < count; k += u[k].length)
      weight += u[k].length * K(native_weight)(&u[k]);

   const bool narrow = n->masked || weight < from;
   /* Masks of lanes that pass are written a whole iteration at a time. */
   const unsigned widest = VW == 8 && predicates ? 2 : NATIVE_WIDEST;
   unsigned strips = narrow ? NATIVE_NARROWEST : widest;

   while (!emit_vectors(n, u, count, more, end, weight, predicates, strips)) {
      if (strips == NATIVE_NARROWEST) {
         x->full = true; /* no operation takes that many */
         break;
      }
      if (!x->full)
         x->len = start;
      strips = strips == 3 ? 2 : strips / 2;
   }
   return start;
}

/* As many of u[0] to u[count - 1] as are one loop of native code, 0 if none are; *predicates: how
 * many of them. */
static uint32_t
native_length(const struct bound_uop *u, uint32_t count, unsigned *predicates)
{
   uint32_t length = 0;
   bool any = false;

   *predicates = 0;
   while (length < count && length < MAX_RUN) {
      const struct bound_uop *v = u + length;
      if (!waits(v)) {
         const bool predicate = K(native_is_predicate)(v);
         if (!K(native_can)(v) || (predicate && *predicates == EXEC_PASSES))
            break;
         *predicates += predicate;
         any = true;
      }
      length += v->length;
   }
   return any ? length : 0;
}

/* After native code of u[0] to u[count - 1]: what its predicates change, in order.  Returns how
 * many micro-operations that takes; to NULL: they are only counted. */
static uint32_t
finish_run(const struct bound_uop *u, uint32_t count, struct bound_uop *to)
{
   uint32_t added = 0, pass = 0;

   for (uint32_t k = 0; k < count; k += u[k].length) {
      const bool predicate = K(native_is_predicate)(&u[k]);
      if (!predicate && !waits(&u[k]))
         continue;
      if (to) {
         to[added] = u[k];
         if (predicate) {
            to[added].fn = K(uop_pred_finish);
            to[added].native = pass++;
         }
      }
      added++;
   }
   return added;
}

/* A run that does what `from` does, in code where that is known.  False: the code is full. */
static bool
native_run(struct native *n, struct uop_bound *bound, struct uop_run from, struct uop_run *to)
{
   struct uop_run run = { bound->num_uops, 0 };

   K(native_last_reads)(n, bound->uops + from.first, n->options->temp_life ? 0 : from.count);
   for (uint32_t k = 0; k < from.count;) {
      const struct bound_uop *u = bound->uops + from.first + k;
      unsigned predicates;
      const uint32_t count = native_length(u, from.count - k, &predicates);
      struct bound_uop native = { .fn = run_native, .length = 1, .origin = u->origin };
      if (count) {
         native.native = emit_run(n, u, count, from.count - k - count, k + count, predicates != 0);
         if (n->x.full)
            return false;
      }
      uint32_t copies = count ? 1 + finish_run(u, count, NULL) : u->length;
      struct bound_uop *add = K(uop_bound_add)(bound, copies);
      if (!add)
         return false;
      u = bound->uops + from.first + k;
      if (count) {
         *add = native;
         finish_run(u, count, add + 1);
      } else {
         memcpy(add, u, copies * sizeof(*add));
      }
      if (!count && !n->masked)
         add->fn = K(uop_form)(u, false);
      run.count += copies;
      k += count ? count : copies;
   }
   *to = run;
   return true;
}

/* Whether a binding is done with the run before it: it is empty, or one that joins. */
static bool
follows(const struct uop_binding *b, struct uop_run run)
{
   if (!b->native)
      return b->plain.count == 0 && b->masked.count == 0;
   return b->joins && b->masked.first == run.first + run.count;
}

static bool
bind_native(struct native *n, struct uop_binding *bindings, uint32_t count,
            const struct uop_regions *regions, struct uop_bound *bound, struct uop_run (*runs)[2])
{
   for (uint32_t k = 0; k < count; k++) {
      const struct uop_binding *b = &bindings[k];
      runs[k][0] = b->plain;
      runs[k][1] = b->masked;
      n->kept = b->kept;
      if (!b->native)
         continue;
      struct uop_run from = b->masked;
      uint32_t last = k;
      n->dead = b->dead;
      for (uint32_t j = k + 1; j < count && follows(&bindings[j], from); j++) {
         from.count += bindings[j].masked.count;
         if (bindings[j].native)
            n->dead = bindings[j].dead;
         last = j;
      }
      runs[k][1] = from;
      for (unsigned masked = 0; masked < (b->diverges ? 2u : 1u); masked++) {
         n->masked = masked;
         if (!native_run(n, bound, from, &runs[k][masked]))
            return false;
      }
      k = last;
   }
   n->dead = NULL;
   for (uint32_t k = 0; regions && k < regions->count; k++)
      if (!K(native_region)(n, bound, bindings, &regions->regions[k]))
         return false;
   struct uop_native_pool *pool = n->options->pool;
   void *native = n->x.len ? uop_native_map(pool, n->x.code, n->x.len) : NULL;
   if (!native && n->x.len)
      return false;
   bound->native = native;
   bound->pool = pool;
   bound->native_bytes = (uint32_t)n->x.len;
   for (uint32_t k = 0; k < count; k++) {
      bindings[k].plain = runs[k][0];
      bindings[k].masked = runs[k][1];
   }
   return true;
}

bool
K(native_bind)(const struct uop_code *code, const struct uop_bind_options *options,
               struct uop_binding *bindings, uint32_t count, const struct uop_regions *regions,
               struct uop_bound *bound)
{
   struct native *n = calloc(1, sizeof(*n));
   struct uop_run(*runs)[2] = calloc(count ? count : 1, sizeof(*runs));
   const uint32_t longest = bound->num_uops < MAX_RUN ? bound->num_uops : MAX_RUN;
   uint16_t(*uses)[4] = calloc(longest + 4, sizeof(*uses));
   const size_t components = (size_t)code->num_components + 1;
   uint8_t *by_component = calloc(components, sizeof(uint32_t) + sizeof(uint16_t) + 1 + 1 + 1);
   uint32_t interpreted = bound->num_uops;
   bool ok = n && runs && uses && by_component;

   if (ok) {
      n->options = options;
      n->code = code;
      n->components = code->num_components;
      n->x.limit = MAX_CODE;
      n->x.evex = VW == 16;
      n->uses = uses;
      n->last = (uint32_t *)(void *)by_component;
      n->next = (uint16_t *)(void *)(n->last + components);
      n->at = (int8_t *)(n->next + components);
      n->fixed = n->at + components;
      n->dirty = (bool *)(n->fixed + components);
      memset(n->fixed, -1, components);
      ok = bind_native(n, bindings, count, regions, bound, runs);
   }
   if (!ok)
      bound->num_uops = interpreted;
   if (n)
      free(n->x.code);
   free(n);
   free(runs);
   free(uses);
   free(by_component);
   return ok;
}

#else

const struct uop_native *
K(uop_native_of)(const struct uop_bound *bound, struct uop_run run)
{
   (void)bound, (void)run;
   return NULL;
}

void
K(uop_run_native)(struct exec *x, const struct uop_native *native)
{
   (void)x, (void)native;
}

bool
K(uop_is_test)(const struct uop_bound *bound, struct uop_run run, struct uop_predicate *predicate)
{
   (void)bound, (void)run, (void)predicate;
   return false;
}

bool
K(uop_run_region)(struct exec *x, uint32_t at)
{
   (void)x, (void)at;
   return true;
}

bool
K(native_bind)(const struct uop_code *code, const struct uop_bind_options *options,
               struct uop_binding *bindings, uint32_t count, const struct uop_regions *regions,
               struct uop_bound *bound)
{
   (void)code, (void)options, (void)bindings, (void)count, (void)regions, (void)bound;
   return false;
}

#endif
