/* SPDX-License-Identifier: MIT */
/*
 * Messages before what waits for them.
 *
 * A message's result is there after a wait, and one wait serves all messages that were sent
 * before it (flow.c gives them one slot).  So the instructions of a block are put in order of
 * their level: how many waits there must have been before one can run.
 *
 *  1. What reads a message's result has a level above the message's; all else has the level of
 *     what it reads, or of what must stand before it.  Within a level the order stays.
 *  2. What reads or writes memory that changes stays in order, but for texture messages among
 *     each other.  ATEST, ZS_EMIT, BLEND and BARRIER stay after all that was before them, and
 *     before all that was after them.
 *  3. A constant or a uniform that is brought into a register has the level of its first reader;
 *     a copy that nobody in its part reads stands at the end.
 *
 * Results of many messages need many registers at once: a block is done in parts, each with
 * messages that bring no more registers than `window`.
 */
#include "ir.h"

#include <string.h>

#define NO_LEVEL UINT32_MAX

/* Of a register of a value, in this part. */
struct unit {
   uint32_t part;
   uint32_t ready, written, read;   /* levels: of readers, the last writer and reader */
   uint32_t first_read, next_write; /* the same from the end */
};

struct scheduler {
   struct vc *c;
   struct unit *units;
   uint32_t *unit_of; /* by value */
   uint32_t part;
   /* the least level of what comes, of what reads memory that changes, and of textures */
   uint32_t floor, memory, textures;
   uint32_t highest;
   uint32_t *level;
   struct vc_inst **sorted;
   uint32_t *place; /* by level */
   uint32_t capacity;
   /* the instruction that is looked at */
   uint32_t now;
   unsigned registers; /* that it reads */
};

static struct unit *
unit_at(struct scheduler *s, uint32_t value, unsigned comp)
{
   struct unit *u = &s->units[s->unit_of[value] + comp];
   if (u->part != s->part) {
      memset(u, 0, sizeof(*u));
      u->part = s->part;
      u->first_read = u->next_write = NO_LEVEL;
   }
   return u;
}

static void
raise_level(uint32_t *level, uint32_t to)
{
   if (to > *level)
      *level = to;
}

static void
lower_level(uint32_t *level, uint32_t to)
{
   if (to < *level)
      *level = to;
}

static void
after_write(struct vc_operand *o, unsigned size, void *data)
{
   struct scheduler *s = data;
   for (unsigned n = 0; o->kind == VC_VALUE && n < size; n++)
      raise_level(&s->now, unit_at(s, o->value, o->comp + n)->ready);
}

static void
note_read(struct vc_operand *o, unsigned size, void *data)
{
   struct scheduler *s = data;
   for (unsigned n = 0; o->kind == VC_VALUE && n < size; n++)
      raise_level(&unit_at(s, o->value, o->comp + n)->read, s->now);
}

static bool
is_fixed(unsigned op)
{
   return op == VALHALL_OP_ATEST || op == VALHALL_OP_ZS_EMIT || op == VALHALL_OP_BLEND ||
          op == VALHALL_OP_BARRIER;
}

static uint32_t
find_level(struct scheduler *s, struct vc_inst *inst)
{
   const unsigned written = vc_written(s->c, inst);
   const bool message = vc_is_message(inst->op);

   s->now = s->floor;
   vc_visit(inst, after_write, s);
   for (unsigned n = 0; n < written; n++) {
      const struct unit *u = unit_at(s, inst->dest, inst->dest_comp + n);
      raise_level(&s->now, u->read);
      raise_level(&s->now, u->written);
   }
   const bool texture = inst->memory == VC_READ && valhall_info(inst->op)->unit == VALHALL_UNIT_TEX;
   if (inst->memory != VC_PURE)
      raise_level(&s->now, texture ? s->textures : s->memory);
   if (is_fixed(inst->op)) {
      raise_level(&s->now, s->highest);
      s->floor = s->now;
   }
   vc_visit(inst, note_read, s);
   for (unsigned n = 0; n < written; n++) {
      struct unit *u = unit_at(s, inst->dest, inst->dest_comp + n);
      u->read = 0;
      u->written = s->now;
      u->ready = s->now + message;
   }
   if (inst->memory != VC_PURE)
      raise_level(&s->memory, s->now);
   if (inst->memory == VC_WRITE)
      s->textures = s->now;
   raise_level(&s->highest, s->now);
   return s->now;
}

/* --- constants late --------------------------------------------------------------------------- */

static void
count_registers(struct vc_operand *o, unsigned size, void *data)
{
   struct scheduler *s = data;
   if (o->kind == VC_VALUE)
      s->registers += size;
}

static void
note_first(struct vc_operand *o, unsigned size, void *data)
{
   struct scheduler *s = data;
   for (unsigned n = 0; o->kind == VC_VALUE && n < size; n++)
      lower_level(&unit_at(s, o->value, o->comp + n)->first_read, s->now);
}

/* From the last instruction to the first. */
static void
sink(struct scheduler *s, struct vc_inst *inst, uint32_t *level)
{
   const unsigned written = vc_written(s->c, inst);
   uint32_t latest = s->highest;

   s->registers = 0;
   vc_visit(inst, count_registers, s);
   for (unsigned n = 0; n < written; n++) {
      const struct unit *u = unit_at(s, inst->dest, inst->dest_comp + n);
      lower_level(&latest, u->first_read);
      lower_level(&latest, u->next_write);
   }
   if (!s->registers && written && inst->memory == VC_PURE && !vc_is_message(inst->op))
      raise_level(level, latest);
   s->now = *level;
   for (unsigned n = 0; n < written; n++) {
      struct unit *u = unit_at(s, inst->dest, inst->dest_comp + n);
      u->next_write = s->now;
      u->first_read = NO_LEVEL;
   }
   vc_visit(inst, note_first, s);
}

/* --- parts ------------------------------------------------------------------------------------ */

static void
make_room(struct scheduler *s, uint32_t count)
{
   if (count <= s->capacity)
      return;
   s->capacity = 2 * count;
   s->level = vc_alloc(s->c, s->capacity * sizeof(*s->level));
   s->sorted = vc_alloc(s->c, s->capacity * sizeof(struct vc_inst *));
   s->place = vc_alloc(s->c, (s->capacity + 1) * sizeof(*s->place));
}

static void
order_part(struct scheduler *s, struct vc_inst **insts, uint32_t count)
{
   s->part++;
   s->floor = s->memory = s->textures = s->highest = 0;
   make_room(s, count + 1);
   for (uint32_t i = 0; i < count; i++)
      s->level[i] = find_level(s, insts[i]);
   if (!s->highest)
      return;
   for (uint32_t i = count; i-- > 0;)
      sink(s, insts[i], &s->level[i]);
   memset(s->place, 0, (s->highest + 2) * sizeof(*s->place));
   for (uint32_t i = 0; i < count; i++)
      s->place[s->level[i] + 1]++;
   for (uint32_t n = 0; n <= s->highest; n++)
      s->place[n + 1] += s->place[n];
   for (uint32_t i = 0; i < count; i++)
      s->sorted[s->place[s->level[i]]++] = insts[i];
   memcpy(insts, s->sorted, count * sizeof(struct vc_inst *));
}

static void
order_block(struct scheduler *s, struct vc_block *b, uint32_t window)
{
   uint32_t first = 0, brought = 0;

   for (uint32_t i = 0; i < b->num_insts; i++) {
      if (!vc_is_message(b->insts[i]->op))
         continue;
      const unsigned written = vc_written(s->c, b->insts[i]);
      if (brought && brought + written > window) {
         order_part(s, b->insts + first, i - first);
         first = i;
         brought = 0;
      }
      brought += written;
   }
   order_part(s, b->insts + first, b->num_insts - first);
}

void
vc_schedule(struct vc *c, uint32_t window)
{
   struct scheduler s = { .c = c };
   uint32_t units = 0;

   s.unit_of = vc_alloc(c, c->num_values * sizeof(*s.unit_of));
   for (uint32_t v = 0; v < c->num_values; v++) {
      s.unit_of[v] = units;
      units += c->values[v].size;
   }
   s.units = vc_alloc(c, (units + 1) * sizeof(*s.units));
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      if (!b->num_insts)
         continue;
      if (b->written) {
         memcpy(b->insts, b->written, b->num_insts * sizeof(struct vc_inst *));
      } else {
         b->written = vc_alloc(c, (b->num_insts + 1) * sizeof(struct vc_inst *));
         memcpy(b->written, b->insts, b->num_insts * sizeof(struct vc_inst *));
      }
      if (window)
         order_block(&s, b, window);
   }
}
