/* SPDX-License-Identifier: MIT */
/*
 * Register allocation: GPR numbers for values; their channels are already chosen.
 *
 * A value lives from the group that writes it to the one that reads it last, along the structured
 * control-flow graph as one lane sees it: writes are masked, so what other lanes do on the other
 * side of a branch does not matter.  Its live range is a list of segments with holes.  Each (GPR,
 * channel) has a bit per position; a tuple takes the lowest GPR in which all its members are free.
 *
 * A group reads before it writes: a value read last at position p and one written at p may share.
 *
 * Arrays have their GPRs already.  An element keeps its register from its first access to its last,
 * all of a loop being one access; what comes at an index may be any element.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

#define NUM_GPRS 124 /* R124-R127 are clause temporaries */

struct range {
   uint32_t start, end; /* occupied after positions start .. end - 1 */
};

struct live {
   struct range *range;
   uint32_t count, cap;
   uint32_t open_end; /* while walking a block backwards: where the current segment ends */
   bool is_open;
};

struct allocator {
   struct compiler *c;
   struct live *live;  /* by value */
   uint64_t *occupied; /* [gpr][channel][words] */
   uint32_t words;
   unsigned limit; /* GPRs that may be used */
   uint32_t position;
   uint64_t *def, *use; /* of the block in hand */
   value_id *related;   /* by value: one that a move copies it to, or from; 0: none */
};

static bool
test(const uint64_t *set, uint32_t bit)
{
   return set[bit >> 6] >> (bit & 63) & 1;
}

static void
put(uint64_t *set, uint32_t bit)
{
   set[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

/* --- liveness --------------------------------------------------------------------------------- */

static void
note_use(struct cc_operand *o, void *data)
{
   struct allocator *a = data;
   if (o->kind == OPERAND_VALUE && !test(a->def, o->value))
      put(a->use, o->value);
}

static void
note_def(value_id *v, void *data)
{
   struct allocator *a = data;
   if (!test(a->use, *v))
      put(a->def, *v);
}

static void
scan_inst(struct allocator *a, struct inst *inst)
{
   cc_visit_operands(inst, note_use, a);
   cc_visit_dsts(inst, note_def, a);
}

static void
scan_block(struct allocator *a, const struct cc_block *b)
{
   for (uint32_t k = 0; k < b->num_clauses; k++) {
      const struct clause *clause = &b->clauses[k];
      for (uint32_t g = 0; g < clause->num_groups; g++) {
         for (unsigned p = 0; p < clause->groups[g].num_parts; p++)
            cc_visit_operands(clause->groups[g].part[p], note_use, a);
         for (unsigned p = 0; p < clause->groups[g].num_parts; p++)
            cc_visit_dsts(clause->groups[g].part[p], note_def, a);
      }
      for (uint32_t i = 0; i < clause->num_insts; i++)
         scan_inst(a, clause->insts[i]);
   }
}

/* Blocks that may run next in one lane.  At most two. */
static unsigned
successors(const struct compiler *c, uint32_t n, uint32_t next[2])
{
   const struct cc_block *b = &c->blocks[n];

   switch (b->end) {
   case END_PROGRAM:
      return 0;
   case END_IF:
      next[0] = n + 1;
      next[1] = b->match + 1; /* after the ELSE, or after the ENDIF */
      return 2;
   case END_ELSE:
      next[0] = b->match + 1;
      return 1;
   case END_ENDLOOP:
   case END_CONTINUE:
      next[0] = b->match + 1; /* match is the LOOP */
      next[1] = n + 1;
      return b->pred ? 2 : 1;
   case END_BREAK:
      next[0] = c->blocks[b->match].match + 1;
      next[1] = n + 1;
      return b->pred ? 2 : 1;
   default:
      next[0] = n + 1;
      return 1;
   }
}

static void
find_liveness(struct allocator *a)
{
   struct compiler *c = a->c;
   uint32_t words = (c->num_values + 63) / 64;
   uint64_t **defs = cc_alloc(c, sizeof(*defs) * c->num_blocks);
   uint64_t **uses = cc_alloc(c, sizeof(*uses) * c->num_blocks);
   const size_t count = (size_t)c->num_blocks * 4 * words;
   bool changed = true;

   c->num_live_words = words;
   /* Blocks times values: the room of the attempt before is used again. */
   if (count >= c->live_room_words) {
      c->live_room_words = count + count / 4 + 1;
      c->live_room = cc_alloc(c, c->live_room_words * sizeof(uint64_t));
   } else {
      memset(c->live_room, 0, count * sizeof(uint64_t));
   }
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      uint64_t *sets = &c->live_room[(size_t)n * 4 * words];

      a->def = defs[n] = sets;
      a->use = uses[n] = sets + words;
      c->blocks[n].live_in = sets + 2 * words;
      c->blocks[n].live_out = sets + 3 * (size_t)words;
      scan_block(a, &c->blocks[n]);
   }
   while (changed) {
      changed = false;
      for (uint32_t n = c->num_blocks; n-- > 0;) {
         struct cc_block *b = &c->blocks[n];
         uint32_t next[2];
         unsigned count = successors(c, n, next);
         for (uint32_t w = 0; w < words; w++) {
            uint64_t out = 0;
            for (unsigned s = 0; s < count; s++)
               if (next[s] < c->num_blocks)
                  out |= c->blocks[next[s]].live_in[w];
            uint64_t in = uses[n][w] | (out & ~defs[n][w]);
            changed |= in != b->live_in[w];
            b->live_out[w] = out;
            b->live_in[w] = in;
         }
      }
   }
}

/* --- live ranges ------------------------------------------------------------------------------ */

static void
add_range(struct allocator *a, value_id v, uint32_t start, uint32_t end)
{
   struct live *l = &a->live[v];
   /* Blocks are walked last to first, so the segment before comes next: join it if it touches. */
   if (l->count && l->range[l->count - 1].start <= end) {
      if (start < l->range[l->count - 1].start)
         l->range[l->count - 1].start = start;
      return;
   }
   if (start == end)
      return;
   l->range = cc_grow(a->c, l->range, l->count, &l->cap, sizeof(*l->range));
   l->range[l->count].start = start;
   l->range[l->count++].end = end;
}

static void
begin_use(struct cc_operand *o, void *data)
{
   struct allocator *a = data;
   if (o->kind == OPERAND_VALUE && !a->live[o->value].is_open) {
      a->live[o->value].is_open = true;
      a->live[o->value].open_end = a->position;
   }
}

static void
end_def(value_id *v, void *data)
{
   struct allocator *a = data;
   struct live *l = &a->live[*v];
   uint32_t end = l->is_open ? l->open_end : a->position + 1;

   add_range(a, *v, a->position, end > a->position ? end : a->position + 1);
   l->is_open = false;
}

static void
walk_fetch(struct allocator *a, struct inst *inst, uint32_t last_position)
{
   for (unsigned f = inst->num_fetches; f-- > 0;) {
      a->position = last_position - (inst->num_fetches - 1 - f);
      for (unsigned i = 0; i < 4; i++)
         if (inst->fetch[f].dst[i])
            end_def(&inst->fetch[f].dst[i], a);
      for (unsigned i = 0; i < 4; i++)
         begin_use(&inst->fetch[f].src[i], a);
   }
}

static void
walk_clause(struct allocator *a, const struct clause *clause)
{
   for (uint32_t g = clause->num_groups; g-- > 0;) {
      const struct group *group = &clause->groups[g];
      a->position = group->position;
      for (unsigned p = 0; p < group->num_parts; p++)
         cc_visit_dsts(group->part[p], end_def, a);
      for (unsigned p = 0; p < group->num_parts; p++)
         cc_visit_operands(group->part[p], begin_use, a);
   }
   uint32_t position = clause->first_position + clause->num_fetches;
   for (uint32_t i = clause->num_insts; i-- > 0;) {
      if (clause->kind == CLAUSE_FETCH) {
         walk_fetch(a, clause->insts[i], position - 1);
         position -= clause->insts[i]->num_fetches;
      } else {
         a->position = clause->first_position;
         cc_visit_operands(clause->insts[i], begin_use, a);
      }
   }
}

/* The first value of a set from `v` on, or `end`. */
static value_id
next_in(const uint64_t *set, value_id v, value_id end)
{
   while (v < end) {
      const uint64_t rest = set[v / 64] >> v % 64;
      if (rest) {
         v += (value_id)__builtin_ctzll(rest);
         return v < end ? v : end;
      }
      v = (v / 64 + 1) * 64;
   }
   return end;
}

static void
find_ranges(struct allocator *a)
{
   struct compiler *c = a->c;

   a->live = cc_alloc(c, sizeof(*a->live) * c->num_values);
   for (uint32_t n = c->num_blocks; n-- > 0;) {
      struct cc_block *b = &c->blocks[n];
      for (value_id v = next_in(b->live_out, 1, c->num_values); v < c->num_values;
           v = next_in(b->live_out, v + 1, c->num_values)) {
         a->live[v].is_open = true;
         a->live[v].open_end = b->end_position;
      }
      for (uint32_t k = b->num_clauses; k-- > 0;)
         walk_clause(a, &b->clauses[k]);
      /* What is open now was alive before the block. */
      for (value_id v = next_in(b->live_in, 1, c->num_values); v < c->num_values;
           v = next_in(b->live_in, v + 1, c->num_values)) {
         if (a->live[v].is_open)
            add_range(a, v, n == 0 ? 0 : b->first_position, a->live[v].open_end);
         a->live[v].is_open = false;
      }
   }
}

/* --- colouring -------------------------------------------------------------------------------- */

static uint64_t *
row(struct allocator *a, unsigned gpr, unsigned chan)
{
   return a->occupied + ((size_t)gpr * 4 + chan) * a->words;
}

/* Bits start .. end - 1 within word w. */
static uint64_t
word_mask(uint32_t w, uint32_t start, uint32_t end)
{
   uint64_t mask = ~UINT64_C(0);
   if (w == start / 64)
      mask &= ~UINT64_C(0) << (start & 63);
   if (w == (end - 1) / 64)
      mask &= ~UINT64_C(0) >> (63 - ((end - 1) & 63));
   return mask;
}

static bool
is_free(struct allocator *a, value_id v, unsigned gpr)
{
   const struct live *l = &a->live[v];
   const uint64_t *bits = row(a, gpr, a->c->values[v].chan);

   for (uint32_t i = 0; i < l->count; i++) {
      for (uint32_t w = l->range[i].start / 64; w <= (l->range[i].end - 1) / 64; w++)
         if (bits[w] & word_mask(w, l->range[i].start, l->range[i].end))
            return false;
   }
   return true;
}

static void
occupy(struct allocator *a, value_id v, unsigned gpr)
{
   const struct live *l = &a->live[v];
   uint64_t *bits = row(a, gpr, a->c->values[v].chan);

   for (uint32_t i = 0; i < l->count; i++)
      for (uint32_t w = l->range[i].start / 64; w <= (l->range[i].end - 1) / 64; w++)
         bits[w] |= word_mask(w, l->range[i].start, l->range[i].end);
   a->c->values[v].gpr = gpr;
   if (gpr + 1 > a->c->out->num_gprs)
      a->c->out->num_gprs = gpr + 1;
}

static uint32_t
first_position(const struct allocator *a, value_id v)
{
   const struct live *l = &a->live[v];
   return l->count ? l->range[l->count - 1].start : UINT32_MAX;
}

struct start {
   uint32_t position;
   value_id value;
};

static int
by_start(const void *x, const void *y)
{
   const struct start *a = x, *b = y;
   if (a->position != b->position)
      return a->position < b->position ? -1 : 1;
   return a->value < b->value ? -1 : a->value > b->value;
}

static void
relate(struct allocator *a, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   if (inst->num_lanes != 1 || lane->op != CAYMAN_ALU_MOV || !lane->dst ||
       lane->src[0].kind != OPERAND_VALUE)
      return;
   a->related[lane->dst] = lane->src[0].value;
   if (!a->related[lane->src[0].value])
      a->related[lane->src[0].value] = lane->dst;
}

static void
find_related(struct allocator *a)
{
   struct compiler *c = a->c;

   a->related = cc_alloc(c, sizeof(*a->related) * c->num_values);
   for (uint32_t n = 0; n < c->num_blocks; n++)
      for (uint32_t k = 0; k < c->blocks[n].num_clauses; k++) {
         const struct clause *clause = &c->blocks[n].clauses[k];
         for (uint32_t g = 0; g < clause->num_groups; g++)
            for (unsigned p = 0; p < clause->groups[g].num_parts; p++)
               relate(a, clause->groups[g].part[p]);
      }
}

static bool
colour_with(struct allocator *a, const struct tuple *t, unsigned gpr)
{
   for (unsigned i = 0; i < t->count; i++)
      if (!is_free(a, t->member[i], gpr))
         return false;
   for (unsigned i = 0; i < t->count; i++)
      occupy(a, t->member[i], gpr);
   return true;
}

/* First where a move to or from one of the values would have nothing to do. */
static bool
colour(struct allocator *a, value_id v)
{
   struct compiler *c = a->c;
   struct tuple alone = { .member = { v }, .count = 1 };
   const struct tuple *t = c->values[v].tuple ? &c->tuples[c->values[v].tuple] : &alone;

   for (unsigned i = 0; i < t->count; i++)
      if (c->values[t->member[i]].chan < 0)
         c->values[t->member[i]].chan = 0; /* neither read nor written */
   for (unsigned i = 0; i < t->count; i++) {
      const struct cc_value *other = &c->values[a->related[t->member[i]]];
      if (a->related[t->member[i]] && other->gpr >= 0 && (unsigned)other->gpr < a->limit &&
          other->chan == c->values[t->member[i]].chan && colour_with(a, t, other->gpr))
         return true;
   }
   for (unsigned gpr = 0; gpr < a->limit; gpr++)
      if (colour_with(a, t, gpr))
         return true;
   return false;
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* The accesses of the array in hand: a range for each channel of each element. */
struct accesses {
   struct allocator *a;
   uint32_t array;
   struct range *range; /* [element * 4 + channel], empty: none yet */
   struct range loop;   /* around the block in hand, empty: none */
};

static void
note_access(struct accesses *s, uint32_t elem, unsigned chan, bool any, bool writes)
{
   const uint32_t size = s->a->c->arrays[s->array].size, position = s->a->position;
   const bool in_loop = s->loop.end > s->loop.start;

   for (uint32_t e = any ? 0 : elem; e < size && (any || e == elem); e++) {
      struct range *r = &s->range[e * 4 + chan];
      const uint32_t start = in_loop ? s->loop.start : position;
      const uint32_t end = in_loop ? s->loop.end : position + writes;
      if (r->start == r->end)
         r->start = start;
      r->start = start < r->start ? start : r->start;
      r->end = end > r->end ? end : r->end;
   }
}

static void
note_load(struct cc_operand *o, void *data)
{
   struct accesses *s = data;
   if (o->kind == OPERAND_ARRAY && o->bank == s->array)
      note_access(s, o->index, o->chan, o->rel, false);
}

static void
note_group(struct accesses *s, const struct group *group)
{
   s->a->position = group->position;
   for (unsigned p = 0; p < group->num_parts; p++) {
      struct inst *inst = group->part[p];
      const struct lane *lane = &inst->lane[0];
      cc_visit_operands(inst, note_load, s);
      if (lane->to_array && lane->array == s->array)
         note_access(s, lane->array_elem, lane->array_chan, lane->dst_rel, true);
   }
}

/* The outermost loop around block N, as positions; empty outside of loops. */
static struct range
loop_around(const struct compiler *c, uint32_t n)
{
   uint32_t first = n, last = n;

   if (!c->blocks[n].loop_depth)
      return (struct range){ 0, 0 };
   while (first > 0 && c->blocks[first - 1].loop_depth)
      first--;
   while (last + 1 < c->num_blocks && c->blocks[last + 1].loop_depth)
      last++;
   return (struct range){ c->blocks[first].first_position, c->blocks[last].end_position };
}

static void
occupy_array(struct allocator *a, uint32_t array)
{
   struct compiler *c = a->c;
   const uint32_t count = c->arrays[array].size * 4;
   struct accesses s = { .a = a, .array = array };

   s.range = cc_alloc(c, sizeof(*s.range) * count);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct cc_block *b = &c->blocks[n];
      if (!n || !b->loop_depth != !c->blocks[n - 1].loop_depth)
         s.loop = loop_around(c, n);
      for (uint32_t k = 0; k < b->num_clauses; k++)
         for (uint32_t g = 0; g < b->clauses[k].num_groups; g++)
            note_group(&s, &b->clauses[k].groups[g]);
   }
   for (uint32_t i = 0; i < count; i++) {
      uint64_t *bits = row(a, c->arrays[array].gpr + i / 4, i % 4);
      for (uint32_t w = s.range[i].start / 64; w * 64 < s.range[i].end; w++)
         bits[w] |= word_mask(w, s.range[i].start, s.range[i].end);
   }
}

static uint32_t *
lifetimes(struct allocator *a)
{
   struct compiler *c = a->c;
   uint32_t *lifetime = cc_alloc(c, sizeof(*lifetime) * c->num_values);

   for (value_id v = 1; v < c->num_values; v++)
      for (uint32_t i = 0; i < a->live[v].count; i++)
         lifetime[v] += a->live[v].range[i].end - a->live[v].range[i].start;
   return lifetime;
}

bool
cc_allocate(struct compiler *c, uint32_t **lifetime)
{
   struct allocator a = { .c = c };

   a.limit = c->flags & SHADER_COMPILE_FEW_GPRS ? CC_FEW_GPRS : NUM_GPRS;
   find_liveness(&a);
   find_ranges(&a);
   find_related(&a);
   a.words = c->num_positions / 64 + 1;
   a.occupied = cc_alloc(c, (size_t)NUM_GPRS * 4 * a.words * 8);

   for (uint32_t n = 0; n < c->num_arrays; n++)
      if (!c->arrays[n].scratch)
         occupy_array(&a, n);
   c->out->num_gprs = c->first_free_gpr > 1 ? c->first_free_gpr : 1;

   struct start *starts = cc_alloc(c, sizeof(*starts) * c->num_values);
   uint32_t count = 0;
   for (value_id v = 1; v < c->num_values; v++) {
      if (c->values[v].input) {
         occupy(&a, v, c->values[v].gpr);
      } else if (a.live[v].count) {
         starts[count].position = first_position(&a, v);
         starts[count++].value = v;
      }
   }
   qsort(starts, count, sizeof(*starts), by_start);
   for (uint32_t i = 0; i < count; i++) {
      if (c->values[starts[i].value].gpr < 0) {
         if (!colour(&a, starts[i].value)) {
            *lifetime = lifetimes(&a);
            return false;
         }
      }
   }
   return true;
}
