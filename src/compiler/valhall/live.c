/* SPDX-License-Identifier: MIT */
/*
 * Where each register of each value (a unit) is needed, as segments of positions.
 *
 * Positions count instructions through all blocks.  Each block has one more before its first
 * instruction, for live-ins, and one after the last, where its jump reads its condition.  A segment
 * [from, to) says that a unit must keep its register after the instructions at from to to - 1: it
 * begins at a write and ends at the last read, which may share a register with what is written
 * there.  A result that nothing reads takes its register at its own position.  What a message
 * brings and nothing reads takes it until a part of the message is read: a write there would have
 * to wait for the message.
 *
 * Live-ins are the units that a block reads before it writes them; only these are live-outs of
 * other blocks.
 */
#include "ir.h"

#include <string.h>

struct state {
   struct vc *c;
   uint32_t *stamp;  /* by unit: block + 1 of the last write seen */
   uint32_t *global; /* by unit: its bit + 1, or 0 */
   uint32_t num_global;
   uint32_t *units; /* of these bits */
   uint32_t *end;   /* by unit: where the segment that is open ends; 0: it is not live */
   uint32_t block, position;
   struct vc_inst *inst;
   unsigned source;
};

static uint32_t
unit_of(const struct vc *c, const struct vc_operand *o)
{
   return c->unit[o->value] + o->comp;
}

static void
note_used(struct vc_operand *o, unsigned size, void *data)
{
   bool *used = data;
   (void)size;
   if (o->kind == VC_VALUE)
      used[o->value] = true;
}

/* Most values of a long program have gone when registers are looked for: those that nothing writes
 * or reads any more share the first units, which are never live. */
static void
number_units(struct vc *c)
{
   bool *used = vc_alloc(c, c->num_values + 1);
   uint32_t unused = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         used[b->insts[i]->dest] = true;
         vc_visit(b->insts[i], note_used, used);
      }
      if (b->cond.kind == VC_VALUE)
         used[b->cond.value] = true;
   }
   c->unit = vc_alloc(c, (c->num_values + 1) * sizeof(*c->unit));
   for (uint32_t v = 0; v < c->num_values; v++)
      if (!used[v] && c->values[v].size > unused)
         unused = c->values[v].size;
   c->num_units = unused;
   for (uint32_t v = 0; v < c->num_values; v++) {
      if (!used[v])
         continue;
      c->unit[v] = c->num_units;
      c->num_units += c->values[v].size;
   }
}

static void
number(struct vc *c)
{
   uint32_t position = 0;

   number_units(c);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      b->start = position++;
      for (uint32_t i = 0; i < b->num_insts; i++) {
         b->insts[i]->position = position++;
         b->insts[i]->block = n;
      }
      b->end = position++;
   }
   c->num_positions = position;
}

static void
note_read(struct vc_operand *o, unsigned size, void *data)
{
   struct state *s = data;
   if (o->kind != VC_VALUE)
      return;
   for (unsigned i = 0; i < size; i++) {
      uint32_t u = unit_of(s->c, o) + i;
      if (s->stamp[u] != s->block + 1 && !s->global[u])
         s->global[u] = ++s->num_global;
   }
}

static void
note_exposed(struct vc_operand *o, unsigned size, void *data)
{
   struct state *s = data;
   if (o->kind != VC_VALUE)
      return;
   for (unsigned i = 0; i < size; i++) {
      uint32_t u = unit_of(s->c, o) + i, bit = s->global[u] - 1;
      if (s->stamp[u] != s->block + 1)
         s->c->blocks[s->block].gen[bit / 64] |= UINT64_C(1) << bit % 64;
   }
}

/* Reads in front of writes, block by block. */
static void
walk_exposed(struct state *s, void (*read)(struct vc_operand *, unsigned, void *))
{
   struct vc *c = s->c;

   memset(s->stamp, 0, (c->num_units + 1) * sizeof(*s->stamp));
   for (s->block = 0; s->block < c->num_blocks; s->block++) {
      struct vc_block *b = &c->blocks[s->block];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         struct vc_inst *inst = b->insts[i];
         vc_visit(inst, read, s);
         for (unsigned k = 0; k < vc_written(c, inst); k++)
            s->stamp[c->unit[inst->dest] + inst->dest_comp + k] = s->block + 1;
      }
      read(&b->cond, 1, s);
   }
}

/* What is live on entry to each block. */
static void
solve(struct state *s)
{
   struct vc *c = s->c;
   uint32_t words = (s->num_global + 63) / 64;
   bool changed = true;

   const size_t count = (size_t)c->num_blocks * 3 * words;
   /* Blocks times values: the room of the walk before is used again. */
   if (count >= c->num_live_words) {
      c->num_live_words = count + count / 4 + 1;
      c->live_words = vc_alloc(c, c->num_live_words * sizeof(uint64_t));
   } else {
      memset(c->live_words, 0, count * sizeof(uint64_t));
   }
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];

      b->gen = &c->live_words[(size_t)n * 3 * words];
      b->kill = b->gen + words;
      b->live_in = b->kill + words;
   }
   walk_exposed(s, note_exposed);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         for (unsigned k = 0; k < vc_written(c, b->insts[i]); k++) {
            uint32_t bit = s->global[c->unit[b->insts[i]->dest] + b->insts[i]->dest_comp + k];
            if (bit)
               b->kill[(bit - 1) / 64] |= UINT64_C(1) << (bit - 1) % 64;
         }
      }
   }
   while (changed) {
      changed = false;
      for (uint32_t n = c->num_blocks; n-- > 0;) {
         struct vc_block *b = &c->blocks[n];
         for (uint32_t w = 0; w < words; w++) {
            uint64_t out = 0;
            if (b->jumps)
               out |= c->blocks[b->target].live_in[w];
            if (b->falls)
               out |= c->blocks[n + 1].live_in[w];
            uint64_t in = b->gen[w] | (out & ~b->kill[w]);
            changed |= in != b->live_in[w];
            b->live_in[w] = in;
         }
      }
   }
}

/* Segments are found from the last to the first. */
static void
add_segment(struct vc *c, uint32_t u, uint32_t from, uint32_t to)
{
   struct vc_live *live = &c->live[u];
   if (live->count && live->segments[live->count - 1].from <= to) {
      live->segments[live->count - 1].from = from;
      return;
   }
   live->segments = vc_grow(c, live->segments, live->count, &live->cap, sizeof(*live->segments));
   live->segments[live->count++] = (struct vc_segment){ from, to };
}

static void
end_here(struct vc_operand *o, unsigned size, void *data)
{
   struct state *s = data;
   if (o->kind != VC_VALUE)
      return;
   for (unsigned i = 0; i < size; i++) {
      uint32_t u = unit_of(s->c, o) + i;
      if (!s->end[u])
         s->end[u] = s->position;
   }
}

static bool
is_last(const struct state *s, const struct vc_inst *inst, unsigned n)
{
   const struct vc_operand *o = &inst->src[n];
   for (unsigned i = 0; o->kind == VC_VALUE && i < vc_src_size(inst, n); i++)
      if (s->end[unit_of(s->c, o) + i])
         return false;
   return o->kind == VC_VALUE;
}

/* Where a register that is written is not needed any more. */
static uint32_t
end_of(const struct state *s, const struct vc_inst *inst, unsigned k)
{
   const uint32_t *end = &s->end[s->c->unit[inst->dest] + inst->dest_comp];
   uint32_t first = UINT32_MAX;

   for (unsigned i = 0; !end[k] && vc_is_message(inst->op) && i < vc_written(s->c, inst); i++)
      if (end[i] && end[i] < first)
         first = end[i];
   return end[k] ? end[k] : first < UINT32_MAX ? first : inst->position + 1;
}

static void
walk_back(struct state *s, uint32_t n)
{
   struct vc *c = s->c;
   struct vc_block *b = &c->blocks[n];
   const uint32_t words = (s->num_global + 63) / 64;

   for (uint32_t w = 0; w < words; w++) {
      uint64_t out = (b->jumps ? c->blocks[b->target].live_in[w] : 0) |
                     (b->falls ? c->blocks[n + 1].live_in[w] : 0);
      for (; out; out &= out - 1)
         s->end[s->units[64 * w + (uint32_t)__builtin_ctzll(out)]] = b->end + 1;
   }
   s->position = b->end;
   end_here(&b->cond, 1, s);
   for (uint32_t i = b->num_insts; i-- > 0;) {
      struct vc_inst *inst = b->insts[i];
      s->position = inst->position;
      for (unsigned k = 0; k < vc_written(c, inst); k++) {
         uint32_t u = c->unit[inst->dest] + inst->dest_comp + k;
         add_segment(c, u, inst->position, end_of(s, inst, k));
      }
      for (unsigned k = 0; k < vc_written(c, inst); k++)
         s->end[c->unit[inst->dest] + inst->dest_comp + k] = 0;
      inst->last = 0;
      for (unsigned k = 0; k < VALHALL_MAX_SRCS; k++)
         if (inst->op < VALHALL_OP_COUNT && k < valhall_info(inst->op)->num_src)
            inst->last |= (uint8_t)(is_last(s, inst, k) << k);
      vc_visit(inst, end_here, s);
   }
   for (uint32_t w = 0; w < words; w++) {
      for (uint64_t in = b->live_in[w]; in; in &= in - 1) {
         uint32_t u = s->units[64 * w + (uint32_t)__builtin_ctzll(in)];
         add_segment(c, u, b->start, s->end[u]);
         s->end[u] = 0;
      }
   }
}

unsigned
vc_pressure(struct vc *c)
{
   int32_t *change = vc_alloc(c, (c->num_positions + 2) * sizeof(*change)), now = 0, most = 0;

   for (uint32_t u = 0; u < c->num_units; u++) {
      for (uint32_t n = 0; n < c->live[u].count; n++) {
         change[c->live[u].segments[n].from]++;
         change[c->live[u].segments[n].to]--;
      }
   }
   for (uint32_t p = 0; p <= c->num_positions; p++) {
      now += change[p];
      most = now > most ? now : most;
   }
   return (unsigned)most;
}

void
vc_find_live(struct vc *c)
{
   struct state s = { .c = c };

   number(c);
   s.stamp = vc_alloc(c, (c->num_units + 1) * sizeof(*s.stamp));
   s.global = vc_alloc(c, (c->num_units + 1) * sizeof(*s.global));
   s.end = vc_alloc(c, (c->num_units + 1) * sizeof(*s.end));
   c->live = vc_alloc(c, (c->num_units + 1) * sizeof(*c->live));
   walk_exposed(&s, note_read);
   s.units = vc_alloc(c, (s.num_global + 1) * sizeof(*s.units));
   for (uint32_t u = 0; u < c->num_units; u++)
      if (s.global[u])
         s.units[s.global[u] - 1] = u;
   solve(&s);
   for (uint32_t n = c->num_blocks; n-- > 0;)
      walk_back(&s, n);
}
