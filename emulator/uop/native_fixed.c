/* SPDX-License-Identifier: MIT */
/*
 * Fixed slots: the slots in which a loop of machine code keeps the components that it names most
 * (native_flow.c, rule 2).
 */
#include "uop/native_emit.h"

#include <stdlib.h>

#if VW > 4

/* What is known of a fixed slot where paths join. */
static void
join_facts(struct native *n, unsigned fixed)
{
   struct native_slot *slot = &n->slot[fixed];

   slot->any_nan = slot->computed = n->flow->any_nan >> fixed & 1;
   slot->is_mask = false;
}

static void
join_all_facts(struct native *n)
{
   for (unsigned s = 0; s < n->num_slots; s++)
      if (n->slot[s].fixed)
         join_facts(n, s);
}

void
K(native_settle)(struct native *n, unsigned component)
{
   const unsigned slot = (unsigned)n->at[component], fixed = (unsigned)n->fixed[component];

   if (!(n->flow->any_nan >> fixed & 1))
      K(native_canon)(n, slot);
   K(native_forget)(n, component);
   for (unsigned s = 0; s < n->strips; s++) {
      const unsigned to = native_reg(n, fixed, s), from = native_reg(n, slot, s);
#if VW == 16
      x86_vec_masked(&n->x, X86_MOVAPS_LOAD, to, 0, x86_reg(from), 6 + s, false);
#else
      x86_vec_imm(&n->x, X86_BLENDVPS, to, to, x86_reg(from), NATIVE_LANES << 4);
#endif
   }
   K(native_hold)(n, fixed, component);
   n->dirty[component] = true;
   join_facts(n, fixed);
}

void
K(native_settle_all)(struct native *n)
{
   if (n->crowded)
      return; /* it is not known any more which slot has what */
   for (unsigned c = 0; c < n->components; c++)
      if (n->fixed[c] >= 0 && n->at[c] != n->fixed[c])
         K(native_settle)(n, c);
   for (unsigned s = 0; s < n->num_slots; s++)
      for (unsigned k = 0; !n->slot[s].fixed && k < n->slot[s].count; k++)
         if (n->dirty[n->slot[s].holds[k]])
            K(native_write_back)(n, n->slot[s].holds[k]);
   join_all_facts(n);
}

void
K(native_forget_others)(struct native *n)
{
   for (unsigned c = 0; c < n->components; c++)
      if (n->at[c] >= 0 && n->fixed[c] < 0)
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
make_fixed(struct native *n, unsigned component, enum written written)
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
   n->slot[slot].fixed = true;
   n->slot[slot].is_mask = false;
   n->fixed[component] = (int8_t)slot;
   n->dirty[component] = dirty || written != UNWRITTEN;
   n->flow->any_nan |= (unsigned)arithmetic << slot;
}

void
K(native_leave_fixed)(struct native *n)
{
   for (unsigned s = 0; s < n->num_slots; s++)
      n->slot[s].fixed = false;
   memset(n->fixed, -1, n->components);
}

bool
K(native_choose_fixed)(struct native *n, const struct uop_bound *bound,
                       const struct uop_binding *bindings, const struct uop_step *step)
{
   uint16_t *names = calloc(n->components, 2 * sizeof(*names) + 1);
   uint16_t *named = names + n->components; /* may have a fixed slot; the first always */
   uint8_t *written = (uint8_t *)(named + n->components);
   uint16_t chosen[NATIVE_SLOTS];
   unsigned count = 0, num_named = 1;

   if (!names)
      return false;
   for (; step->kind != UOP_STEP_END; step++) {
      if (step->kind != UOP_STEP_CODE)
         continue;
      const struct uop_run run = bindings[step->binding].masked;
      count_names(n, bound->uops + run.first, run.count, names, written);
   }
   for (unsigned c = 1; c < n->components; c++)
      if (names[c] && (c < n->options->first_temp || c >= n->options->end_temp))
         named[num_named++] = (uint16_t)c;
   for (; count < n->flow->max_fixed; count++) {
      unsigned best = 0;
      for (unsigned k = 1; k < num_named; k++)
         if (names[named[k]] > names[best])
            best = named[k];
      if (!names[best] || (best >= n->options->first_temp && best < n->options->end_temp))
         break;
      names[best] = 0;
      chosen[count] = (uint16_t)best;
      n->fixed[best] = 0; /* so that it stays in its slot */
   }
   for (unsigned s = 0; s < n->num_slots; s++)
      for (unsigned k = 0; k < n->slot[s].count; k++)
         if (n->dirty[n->slot[s].holds[k]] && n->fixed[n->slot[s].holds[k]] < 0)
            K(native_write_back)(n, n->slot[s].holds[k]);
   K(native_forget_others)(n);
   for (unsigned k = 0; k < count; k++)
      n->fixed[chosen[k]] = -1;
   n->flow->any_nan = 0;
   for (unsigned k = 0; k < count && !n->crowded; k++)
      make_fixed(n, chosen[k], written[chosen[k]]);
   join_all_facts(n);
   free(names);
   return true;
}

#endif
