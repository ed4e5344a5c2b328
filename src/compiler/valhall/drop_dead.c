/* SPDX-License-Identifier: MIT */
/*
 * Drops what nobody needs.
 *
 *  1. An instruction that does not write memory goes if nothing that stays reads its result.
 *  2. A message that reads a vector of which the last registers are not needed reads a shorter one:
 *     loads from memory, attributes, parameters.  Texels come by a mask of their components.
 */
#include "ir.h"

struct state {
   struct vc *c;
   uint8_t *needed; /* by value: its registers, a mask */
   struct vc_inst **queue;
   uint32_t num_queued;
};

static void
need(struct vc_operand *o, unsigned size, void *data)
{
   struct state *s = data;
   if (o->kind != VC_VALUE)
      return;
   struct vc_inst *def = s->c->values[o->value].def;
   s->needed[o->value] |= (uint8_t)(((1u << size) - 1) << o->comp);
   if (def && def->dead) {
      def->dead = false;
      s->queue[s->num_queued++] = def;
   }
}

static unsigned
components(const struct state *s, uint32_t value)
{
   unsigned mask = s->needed[value];
   return mask ? 32u - (unsigned)__builtin_clz(mask) : 1;
}

/* Loads of 32, 64, 96 and 128 bits follow one another in two steps. */
static unsigned
shorter_load(unsigned op, unsigned count)
{
   static const struct {
      uint16_t op[4];
   } loads[] = {
      { { VALHALL_OP_LOAD_I32, VALHALL_OP_LOAD_I64, VALHALL_OP_LOAD_I96, VALHALL_OP_LOAD_I128 } },
      { { VALHALL_OP_LD_BUFFER_I32, VALHALL_OP_LD_BUFFER_I64, VALHALL_OP_LD_BUFFER_I96,
          VALHALL_OP_LD_BUFFER_I128 } },
   };
   for (unsigned n = 0; n < 2; n++)
      if (op == loads[n].op[1] || op == loads[n].op[2] || op == loads[n].op[3])
         return loads[n].op[count - 1];
   return op;
}

static bool
is_texture(unsigned op)
{
   return op == VALHALL_OP_TEX_FETCH || op == VALHALL_OP_TEX_SINGLE || op == VALHALL_OP_TEX_GATHER;
}

/* Readers of texels count those that come. */
static void
renumber_all(struct state *s)
{
   struct vc *c = s->c;
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         struct vc_inst *inst = b->insts[i];
         for (unsigned k = 0; k < VALHALL_MAX_SRCS + inst->num_list; k++) {
            struct vc_operand *o =
               k < VALHALL_MAX_SRCS ? &inst->src[k] : &inst->list[k - VALHALL_MAX_SRCS];
            struct vc_inst *def = o->kind == VC_VALUE ? c->values[o->value].def : NULL;
            if (def && is_texture(def->op)) {
               unsigned mask = s->needed[o->value];
               o->comp = (uint8_t)__builtin_popcount(mask & ((1u << o->comp) - 1));
            }
         }
      }
      if (b->cond.kind == VC_VALUE && c->values[b->cond.value].def &&
          is_texture(c->values[b->cond.value].def->op)) {
         unsigned mask = s->needed[b->cond.value];
         b->cond.comp = (uint8_t)__builtin_popcount(mask & ((1u << b->cond.comp) - 1));
      }
   }
}

static void
shorten(struct state *s, struct vc_inst *inst)
{
   struct vc *c = s->c;
   unsigned count = components(s, inst->dest);

   if (is_texture(inst->op)) {
      unsigned mask = s->needed[inst->dest] ? s->needed[inst->dest] : 1;
      s->needed[inst->dest] = (uint8_t)mask;
      vc_set(inst, VALHALL_MOD_WRITE_MASK, mask);
      c->values[inst->dest].size = (uint8_t)__builtin_popcount(mask);
      return;
   }
   if (count >= c->values[inst->dest].size || !vc_is_message(inst->op))
      return;
   unsigned op = shorter_load(inst->op, count);
   if (op != inst->op) {
      const struct vc_inst standard = *vc_new(c, op);
      inst->op = (uint16_t)op;
      for (unsigned n = 0; n < VALHALL_MAX_MODS; n++)
         inst->mod[n] = standard.mod[n];
      vc_set(inst, VALHALL_MOD_UNSIGNED, 1);
      c->values[inst->dest].size = (uint8_t)count;
   } else if (vc_has(inst->op, VALHALL_MOD_VECTOR_SIZE) && inst->op != VALHALL_OP_LEA_TEX) {
      vc_set(inst, VALHALL_MOD_VECTOR_SIZE, count - 1);
      c->values[inst->dest].size = (uint8_t)count;
   }
}

void
vc_drop_dead(struct vc *c)
{
   struct state s = { .c = c };
   uint32_t count = 0;

   vc_count_uses(c);
   for (uint32_t n = 0; n < c->num_blocks; n++)
      count += c->blocks[n].num_insts;
   s.needed = vc_alloc(c, c->num_values);
   s.queue = vc_alloc(c, (count + 1) * sizeof(*s.queue));
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         b->insts[i]->dead = b->insts[i]->memory != VC_WRITE;
         if (!b->insts[i]->dead)
            s.queue[s.num_queued++] = b->insts[i];
      }
   }
   for (uint32_t n = 0; n < c->num_blocks; n++)
      need(&c->blocks[n].cond, 1, &s);
   while (s.num_queued) {
      struct vc_inst *inst = s.queue[--s.num_queued];
      vc_visit(inst, need, &s);
   }
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      uint32_t kept = 0;
      for (uint32_t i = 0; i < b->num_insts; i++) {
         if (b->insts[i]->dead)
            continue;
         b->insts[kept++] = b->insts[i];
         if (b->insts[i]->dest)
            shorten(&s, b->insts[i]);
      }
      b->num_insts = kept;
   }
   renumber_all(&s);
}
