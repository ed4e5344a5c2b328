/* SPDX-License-Identifier: MIT */
/*
 * Filling an instruction group, slot by slot, under the group's rules:
 *
 *  1. The slot of a lane is its destination's channel.  A value without a channel gets one here: a
 *     free slot that no other member of its tuple has.  What may stand in slot t of a five-slot
 *     chip stands there if the slots of its channels are taken.
 *  2. Three read cycles, one GPR a channel and cycle (4.7.7).  What counts is which values are
 *     read, not which GPRs they will have: two values alive at once are in different ones.  Results
 *     of the previous group come from PV or PS and take no port.  Slot t reads with what is left,
 *     and has at most two constants, before all else that it reads (isa/cayman/ports.c).
 *  3. At most four literals, two kcache addresses (4.7.6, 4.7.8.3), and the clause's kcache locks.
 *  4. A dot product of two or three components takes all four slots, or as many as it has
 *     components, in a chain: the first of them has the sum.
 *  5. One predicate or kill, one MOVA, no MOVA beside an indexed operand; a barrier is alone.
 */
#include "schedule.h"

#include <string.h>

struct lane *
cc_group_lane(const struct group *g, unsigned slot)
{
   return g->slot[slot] ? &g->slot[slot]->lane[g->lane[slot]] : NULL;
}

/* Nothing is forwarded from or to these. */
static bool
is_64bit(unsigned op)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   return info->dst_type == CAYMAN_TYPE_F64 || info->src_type == CAYMAN_TYPE_F64;
}

/* The value that a group's slot leaves in PV or PS, as if from `*from`; 0: none. */
static value_id
forwarded(const struct compiler *c, const struct group *g, unsigned slot, unsigned *from)
{
   const struct lane *lane = cc_group_lane(g, slot);

   if (!lane || !lane->dst || (slot != CC_T && (unsigned)c->values[lane->dst].chan != slot))
      return 0;
   const struct cayman_alu_info *info = cayman_alu_info(lane->op);
   if (is_64bit(lane->op) || info->flags & CAYMAN_ALU_FLAG_PARAM)
      return 0;
   *from = info->flags & CAYMAN_ALU_FLAG_REDUCE ? 0 : slot;
   return lane->dst;
}

bool
cc_is_forwarded(const struct compiler *c, const struct group *previous, unsigned op,
                const struct cc_operand *o, unsigned *slot)
{
   if (!previous || o->kind != OPERAND_VALUE || is_64bit(op))
      return false;
   for (unsigned s = 0; s < CC_SLOTS; s++)
      if (o->value && forwarded(c, previous, s, slot) == o->value)
         return true;
   return false;
}

void
cc_fill_begin(struct filler *f, struct compiler *c, struct clause *clause,
              const struct group *previous, unsigned *channel_load)
{
   memset(f, 0, sizeof(*f));
   f->c = c;
   f->clause = clause;
   f->previous = previous;
   f->channel_load = channel_load;
   memcpy(f->lock, clause->lock, sizeof(f->lock));
   for (unsigned s = 0, from; s < CC_SLOTS && previous; s++)
      f->forwarded[s] = forwarded(c, previous, s, &from);
}

unsigned
cc_fill_size(const struct filler *f)
{
   return f->num_slots + (f->num_literals + 1) / 2;
}

/* --- kcache --------------------------------------------------------------------------------- */

int
cc_kcache_select(const struct clause *clause, const struct cc_operand *o)
{
   static const uint16_t base[4] = { CAYMAN_SRC_KCACHE0, CAYMAN_SRC_KCACHE1, CAYMAN_SRC_KCACHE2,
                                     CAYMAN_SRC_KCACHE3 };
   unsigned line = o->index / 16;

   for (unsigned i = 0; i < 4; i++) {
      const struct kcache_lock *l = &clause->lock[i];
      if (l->lines && l->bank == o->bank && line >= l->line && line < l->line + (unsigned)l->lines)
         return base[i] + (o->index - l->line * 16);
   }
   return -1;
}

static bool
lock_line(struct kcache_lock lock[4], unsigned bank, unsigned line)
{
   for (unsigned i = 0; i < 4; i++) {
      struct kcache_lock *l = &lock[i];
      if (l->lines && l->bank == bank && line >= l->line && line < l->line + (unsigned)l->lines)
         return true;
   }
   for (unsigned i = 0; i < 4; i++) {
      struct kcache_lock *l = &lock[i];
      if (l->lines == 1 && l->bank == bank && (line == l->line + 1u || line + 1 == l->line)) {
         l->line = line < l->line ? line : l->line;
         l->lines = 2;
         return true;
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      struct kcache_lock *l = &lock[i];
      if (!l->lines) {
         l->bank = bank;
         l->line = line;
         l->lines = 1;
         return true;
      }
   }
   return false;
}

/* --- read ports ------------------------------------------------------------------------------- */

struct ports {
   uint32_t read[3][4];
};

static bool
reserve_one(struct ports *p, const struct port_operand *op, unsigned cycle)
{
   uint32_t *port = &p->read[cycle][op->chan];

   if (*port && *port != op->key)
      return false;
   *port = op->key;
   return true;
}

static bool
reserve(struct ports *p, const struct port_operand op[3], unsigned swizzle)
{
   for (unsigned i = 0; i < 3; i++) {
      if (!op[i].key || (i == 1 && op[1].key == op[0].key && op[1].chan == op[0].chan))
         continue;
      if (!reserve_one(p, &op[i], cayman_bank_cycle[swizzle][i]))
         return false;
   }
   return true;
}

/* The same for slot t. */
static bool
reserve_trans(struct ports *p, const struct port_operand op[3], unsigned swizzle)
{
   const unsigned constants = op[0].constant + op[1].constant + op[2].constant;

   for (unsigned i = 0; i < 3; i++) {
      const unsigned cycle = cayman_scalar_cycle[swizzle][i];
      if ((op[i].key || op[i].forwarded) && cycle < constants)
         return false;
      if (op[i].key && !reserve_one(p, &op[i], cycle))
         return false;
   }
   return constants <= 2;
}

static bool
assign_trans(const struct filler *f, const struct ports *before)
{
   for (unsigned s = 0; s < CAYMAN_SCALAR_SWIZZLE_COUNT; s++) {
      struct ports p = *before;
      if (reserve_trans(&p, f->port[CC_T], s))
         return true;
   }
   return false;
}

static bool
assign_ports(const struct filler *f, const bool fixed[4], unsigned slot, const struct ports *before)
{
   while (slot < 4 && !f->group.slot[slot])
      slot++;
   if (slot == 4)
      return !f->group.slot[CC_T] || assign_trans(f, before);
   for (unsigned s = 0; s < CAYMAN_BANK_SWIZZLE_COUNT; s++) {
      struct ports p = *before;
      if (fixed[slot] && s != CAYMAN_VEC_210)
         continue;
      if (reserve(&p, f->port[slot], s) && assign_ports(f, fixed, slot + 1, &p))
         return true;
   }
   return false;
}

/* The most values of one channel that the group reads: with one of each there is nothing to assign,
 * more than the three cycles have never fit. */
static unsigned
most_reads(const struct filler *f)
{
   uint32_t key[4][4];
   unsigned count[4] = { 0 }, most = 0;

   for (unsigned s = 0; s < CC_SLOTS; s++) {
      for (unsigned i = 0; i < 3 && f->group.slot[s]; i++) {
         const struct port_operand *op = &f->port[s][i];
         unsigned k = 0;
         if (!op->key)
            continue;
         while (k < count[op->chan] && key[op->chan][k] != op->key)
            k++;
         if (k < count[op->chan] || k == 4)
            continue;
         key[op->chan][k] = op->key;
         count[op->chan] = k + 1;
         most = k + 1 > most ? k + 1 : most;
      }
   }
   return most;
}

static bool
ports_ok(struct filler *f)
{
   struct ports none;
   bool fixed[4];
   unsigned most = most_reads(f);

   memset(&none, 0, sizeof(none));
   if (most < 2)
      return !f->group.slot[CC_T] || assign_trans(f, &none);
   if (most > 3)
      return false;
   for (unsigned s = 0; s < 4; s++) {
      const struct lane *lane = cc_group_lane(&f->group, s);
      fixed[s] = lane && (lane->op == CAYMAN_ALU_INTERP_XY || lane->op == CAYMAN_ALU_INTERP_ZW ||
                          lane->op == CAYMAN_ALU_INTERP_X || lane->op == CAYMAN_ALU_INTERP_Z);
   }
   return assign_ports(f, fixed, 0, &none);
}

/* --- operands --------------------------------------------------------------------------------- */

static bool
take_literal(struct filler *f, uint32_t bits)
{
   for (unsigned i = 0; i < f->num_literals; i++)
      if (f->literal[i] == bits)
         return true;
   if (f->num_literals == 4)
      return false;
   f->literal[f->num_literals++] = bits;
   return true;
}

static bool
take_kcache(struct filler *f, const struct cc_operand *o)
{
   uint32_t pair = ((uint32_t)o->bank << 16 | o->index) << 1 | o->chan >> 1;

   for (unsigned i = 0; i < f->num_kcache_pairs; i++)
      if (f->kcache_pair[i] == pair)
         return true;
   if (f->num_kcache_pairs == 2 || !lock_line(f->lock, o->bank, o->index / 16))
      return false;
   f->kcache_pair[f->num_kcache_pairs++] = pair;
   return true;
}

static bool
take_operand(struct filler *f, const struct lane *lane, unsigned n, struct port_operand *port)
{
   const struct cc_operand *o = &lane->src[n];
   unsigned select;
   bool negate;

   memset(port, 0, sizeof(*port));
   switch (o->kind) {
   case OPERAND_CONST:
      port->constant = true;
      return cc_inline_constant(o->value, cc_float_source(lane->op), &select, &negate) ||
             take_literal(f, o->value);
   case OPERAND_KCACHE:
      port->constant = true;
      return take_kcache(f, o);
   case OPERAND_VALUE: {
      struct cc_value *v = &f->c->values[o->value];
      if (v->chan < 0)
         v->chan = 0; /* read before anything writes it: any channel will do */
      port->forwarded = o->value && !is_64bit(lane->op) &&
                        (f->forwarded[v->chan] == o->value || f->forwarded[CC_T] == o->value);
      if (port->forwarded)
         return true;
      port->key = o->value * 2 + 1;
      port->chan = v->chan;
      return true;
   }
   case OPERAND_ARRAY:
      port->key = ((uint32_t)o->bank << 16 | o->index) * 4 + (o->rel ? 2 : 0) + 0x80000000u;
      port->chan = o->chan;
      return true;
   default:
      return true;
   }
}

/* --- slots ------------------------------------------------------------------------------------ */

/* Channels that a value may still get. */
static unsigned
allowed_channels(const struct compiler *c, value_id v)
{
   const struct cc_value *value = &c->values[v];
   unsigned mask = 15;

   if (value->chan >= 0)
      return 1u << value->chan;
   if (value->tuple) {
      const struct tuple *t = &c->tuples[value->tuple];
      for (unsigned i = 0; i < t->count; i++)
         if (t->member[i] != v && c->values[t->member[i]].chan >= 0)
            mask &= ~(1u << c->values[t->member[i]].chan);
   }
   return mask;
}

/* In which channels would one instruction read a value as the fourth of its channel?  The three
 * cycles read one of each: it would fit into no group. */
static unsigned
channels_as_fourth(const struct compiler *c, const struct inst *reader, value_id v)
{
   value_id other[4][3];
   uint8_t count[4] = { 0 };
   unsigned full = 0, beyond = 0;
   bool reads = false;

   for (unsigned l = 0; l < reader->num_lanes; l++) {
      const struct lane *lane = &reader->lane[l];
      const unsigned n = cayman_alu_info(lane->op)->num_src;
      for (unsigned i = 0; i < n; i++) {
         if (lane->src[i].kind != OPERAND_VALUE || !lane->src[i].value)
            continue;
         const value_id o = lane->src[i].value;
         const int chan = c->values[o].chan;
         unsigned k = 0;
         reads |= o == v;
         if (o == v || chan < 0)
            continue;
         while (k < count[chan] && other[chan][k] != o)
            k++;
         if (k < count[chan])
            continue;
         if (k == 3) {
            beyond |= 1u << chan; /* it fits into none already */
            continue;
         }
         other[chan][k] = o;
         count[chan]++;
         full |= (k == 2 ? 1u : 0u) << chan;
      }
   }
   return reads ? full & ~beyond : 0;
}

/* Of the channels that the instruction's result may still get those where whoever reads it can read
 * it. */
static unsigned
readable_channels(const struct compiler *c, const struct inst *inst, value_id v)
{
   const unsigned allowed = allowed_channels(c, v);
   unsigned mask = allowed;

   if (!inst->feeds_slots || c->values[v].chan >= 0)
      return mask;
   for (uint32_t s = 0; s < inst->num_succ; s++) {
      const struct inst *reader = inst->succ[s];
      if (reader->kind == INST_ALU && reader->num_lanes >= 2)
         mask &= ~channels_as_fourth(c, reader, v);
   }
   /* Readers may want what is left by none: one of them is broken up. */
   return mask ? mask : allowed;
}

static int
least_loaded(const struct filler *f, unsigned mask)
{
   int best = -1;
   for (int s = 0; s < 4; s++)
      if ((mask >> s & 1) &&
          (best < 0 || f->channel_load[s] < f->channel_load[best] + f->last_slots))
         best = s;
   return best;
}

/* Occupy `slots` with lane `lane` of the instruction. */
static bool
occupy(struct filler *f, struct inst *inst, unsigned slots, unsigned lane)
{
   for (unsigned s = 0; s < CC_SLOTS; s++) {
      if (!(slots >> s & 1))
         continue;
      if (f->group.slot[s])
         return false;
      f->group.slot[s] = inst;
      f->group.lane[s] = lane;
      f->num_slots++;
      unsigned n = cayman_alu_info(inst->lane[lane].op)->num_src;
      for (unsigned i = 0; i < n; i++)
         if (!take_operand(f, &inst->lane[lane], i, &f->port[s][i]))
            return false;
   }
   return true;
}

/* The channel of what a move copies, if both may come to share a register; -1. */
static int
channel_of_original(const struct filler *f, const struct inst *inst, unsigned mask)
{
   const struct lane *lane = &inst->lane[0];
   const struct cc_value *from;

   if (lane->op != CAYMAN_ALU_MOV || !lane->dst || lane->src[0].kind != OPERAND_VALUE)
      return -1;
   from = &f->c->values[lane->src[0].value];
   return from->chan >= 0 && (from->uses == 1 || !from->ssa) && mask >> from->chan & 1 ? from->chan
                                                                                       : -1;
}

/* May the instruction stand in slot t, which others have their work for, too?  Nothing else is
 * known of t and of what leaves the group in another way than as a result. */
static bool
is_for_t(const struct filler *f, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];
   const struct cayman_alu_info *info = cayman_alu_info_of(f->c->chip->vliw, lane->op);

   if (f->c->chip->num_slots <= CC_T || f->group.slot[CC_T] || inst->shape != SHAPE_SCALAR ||
       info->slots != CAYMAN_SLOTS_ANY || info->flags || !lane->dst || lane->to_array ||
       inst->pop_of)
      return false;
   for (unsigned i = 0; i < info->num_src; i++)
      if (lane->src[i].kind == OPERAND_SPECIAL)
         return false;
   return true;
}

static bool
place_single(struct filler *f, struct inst *inst)
{
   struct lane *lane = &inst->lane[0];
   unsigned free = 0, mask = 15, slots;
   int chan;

   for (unsigned s = 0; s < 4; s++)
      free |= (unsigned)!f->group.slot[s] << s;
   const unsigned taken = free ^ 15;
   if (lane->to_array)
      mask = 1u << lane->array_chan;
   else if (lane->dst)
      mask = readable_channels(f->c, inst, lane->dst);
   if (inst->shape == SHAPE_QUAD) {
      if (free != 15 || (chan = least_loaded(f, mask)) < 0)
         return false;
      slots = 15;
   } else if (inst->shape == SHAPE_XYZ) {
      if ((free & 7) != 7)
         return false;
      chan = least_loaded(f, mask & 7);
      slots = 7;
      if (chan < 0) {
         chan = 3;
         slots = 15;
         if (free != 15 || !(mask & 8))
            return false;
      }
   } else if (inst->shape == SHAPE_TRANS) {
      chan = least_loaded(f, mask);
      slots = 1u << CC_T;
   } else if (f->only_t || (!(mask & free) && is_for_t(f, inst))) {
      chan = channel_of_original(f, inst, mask & taken);
      if (chan < 0)
         chan = least_loaded(f, mask & taken);
      if (chan < 0)
         return false;
      slots = 1u << CC_T;
   } else {
      mask &= free;
      if (inst->pop_of && mask & ~1u)
         mask &= ~1u; /* operations on local data are in x: leave it to the next one */
      chan = channel_of_original(f, inst, mask);
      if (chan < 0)
         chan = least_loaded(f, mask);
      if (chan < 0)
         return false;
      slots = 1u << chan;
   }
   if (lane->dst)
      f->c->values[lane->dst].chan = chan;
   return occupy(f, inst, slots, 0);
}

static bool
place_fixed(struct filler *f, struct inst *inst)
{
   for (unsigned l = 0; l < inst->num_lanes; l++) {
      struct lane *lane = &inst->lane[l];
      unsigned slot = lane->slot;

      if (f->group.slot[slot])
         return false;
      if (lane->dst && !(cayman_alu_info(lane->op)->flags & CAYMAN_ALU_FLAG_REDUCE)) {
         if (!(allowed_channels(f->c, lane->dst) >> slot & 1))
            return false;
         f->c->values[lane->dst].chan = slot;
      }
   }
   for (unsigned l = 0; l < inst->num_lanes; l++)
      if (!occupy(f, inst, 1u << inst->lane[l].slot, l))
         return false;
   return true;
}

/* A reduction's result may be written by any of its four slots: move it to the one that suits. */
static bool
place_reduction(struct filler *f, struct inst *inst)
{
   unsigned from = 0;
   for (unsigned l = 0; l < 4; l++)
      if (inst->lane[l].dst)
         from = l;
   value_id v = inst->lane[from].dst;
   if (v) {
      int chan = least_loaded(f, readable_channels(f->c, inst, v));
      if (chan < 0)
         return false;
      inst->lane[from].dst = 0;
      inst->lane[chan].dst = v;
      f->c->values[v].chan = chan;
   }
   return place_fixed(f, inst);
}

/* --- dot products of less than four components ------------------------------------------------ */

static void
zero_product(struct lane *lane)
{
   lane->src[0] = op_const(0);
   lane->src[1] = op_const(0x80000000);
}

/* As imported: products 0, 1, ... in x, y, ... and -0 in the others. */
static void
unchain(struct inst *inst)
{
   struct lane first = inst->lane[0];

   if (inst->num_lanes == 4)
      return;
   for (unsigned l = 0; l < inst->terms / 2u; l++) {
      struct lane other = inst->lane[l];
      inst->lane[l] = inst->lane[inst->terms - 1u - l];
      inst->lane[inst->terms - 1u - l] = other;
   }
   inst->num_lanes = 4;
   for (unsigned l = 0; l < 4; l++) {
      struct lane *lane = &inst->lane[l];
      if (l >= inst->terms) {
         *lane = first;
         zero_product(lane);
      }
      lane->op = CAYMAN_ALU_DOT4_IEEE;
      lane->slot = l;
      lane->clamp = first.clamp;
      lane->omod = first.omod;
      lane->dst = l == 0 ? first.dst : 0;
   }
}

/* Each slot of the chain adds its product to the next one's sum: the last has the first product. */
static void
chain(struct inst *inst, unsigned slot, value_id dst)
{
   unsigned terms = inst->terms;

   for (unsigned l = 0; l < terms / 2; l++) {
      struct lane other = inst->lane[l];
      inst->lane[l] = inst->lane[terms - 1 - l];
      inst->lane[terms - 1 - l] = other;
   }
   inst->num_lanes = terms;
   for (unsigned l = 0; l < terms; l++) {
      struct lane *lane = &inst->lane[l];
      lane->op = l + 1 < terms ? CAYMAN_ALU_DOT_IEEE : CAYMAN_ALU_MUL_IEEE;
      lane->slot = slot + l;
      lane->dst = l == 0 ? dst : 0;
      if (l) {
         lane->clamp = false;
         lane->omod = 0;
      }
   }
}

static value_id
result_of(const struct inst *inst)
{
   for (unsigned l = 0; l < inst->num_lanes; l++)
      if (inst->lane[l].dst)
         return inst->lane[l].dst;
   return 0;
}

/* Slots where the chain may begin. */
static unsigned
chain_starts(const struct filler *f, const struct inst *inst)
{
   unsigned starts = 0;

   for (unsigned s = 0; s + inst->terms <= 4; s++) {
      bool taken = false;
      for (unsigned k = 0; k < inst->terms; k++)
         taken |= f->group.slot[s + k] != NULL;
      starts |= (unsigned)!taken << s;
   }
   return starts;
}

static bool
place_dot(struct filler *f, struct inst *inst)
{
   value_id v = result_of(inst);
   int slot = least_loaded(f, chain_starts(f, inst) & (v ? readable_channels(f->c, inst, v) : 15));

   if (slot < 0)
      return place_reduction(f, inst);
   chain(inst, slot, v);
   return place_fixed(f, inst);
}

static bool
place(struct filler *f, struct inst *inst)
{
   unsigned flags = cayman_alu_info(inst->lane[0].op)->flags;

   if (flags & (CAYMAN_ALU_FLAG_PRED | CAYMAN_ALU_FLAG_KILL)) {
      if (f->has_pred || f->has_kill)
         return false;
      f->has_pred |= (flags & CAYMAN_ALU_FLAG_PRED) != 0;
      f->has_kill |= (flags & CAYMAN_ALU_FLAG_KILL) != 0;
   }
   if (flags & CAYMAN_ALU_FLAG_MOVA) {
      if (f->has_mova || f->has_ar)
         return false;
      f->has_mova = true;
   }
   if (inst->ar) {
      if (f->has_mova)
         return false;
      f->has_ar = true;
   }
   if (inst->memory == MEMORY_BARRIER) {
      if (f->num_slots)
         return false;
      f->has_barrier = true;
   }
   if (inst->shape != SHAPE_FIXED)
      return place_single(f, inst);
   if (inst->terms)
      return place_dot(f, inst);
   return flags & CAYMAN_ALU_FLAG_REDUCE ? place_reduction(f, inst) : place_fixed(f, inst);
}

/* Are the slots taken that the instruction must have? */
static bool
slots_taken(const struct filler *f, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   switch (inst->shape) {
   case SHAPE_TRANS:
      return f->group.slot[CC_T] != NULL;
   case SHAPE_QUAD:
      if (f->group.slot[CC_T])
         return f->num_slots > 1;
      return f->num_slots > 0;
   case SHAPE_XYZ:
      return f->group.slot[0] || f->group.slot[1] || f->group.slot[2];
   case SHAPE_FIXED:
      if (inst->terms)
         return !chain_starts(f, inst);
      for (unsigned l = 0; l < inst->num_lanes; l++)
         if (f->group.slot[inst->lane[l].slot])
            return true;
      return false;
   default:
      if (f->num_slots == f->c->chip->num_slots)
         return true;
      if (lane->to_array)
         return f->group.slot[lane->array_chan] != NULL;
      if (is_for_t(f, inst))
         return false;
      return f->num_slots == 4u + (f->group.slot[CC_T] != NULL) ||
             (lane->dst && f->c->values[lane->dst].chan >= 0 &&
              f->group.slot[f->c->values[lane->dst].chan]);
   }
}

/* One try, in slots as they are free or in slot t. */
static bool
try_fill(struct filler *f, struct inst *inst)
{
   struct filler before = *f;
   int8_t chan[4];
   value_id dst[4] = { 0 };

   if (inst->terms)
      unchain(inst);
   for (unsigned l = 0; l < inst->num_lanes; l++) {
      dst[l] = inst->lane[l].dst;
      chan[l] = dst[l] ? f->c->values[dst[l]].chan : 0;
   }
   if (place(f, inst) && ports_ok(f)) {
      f->group.part[f->group.num_parts++] = inst;
      for (unsigned l = 0; l < 4; l++)
         if (dst[l])
            f->channel_load[f->c->values[dst[l]].chan]++;
      return true;
   }
   *f = before;
   if (inst->terms)
      unchain(inst);
   for (unsigned l = 0; l < inst->num_lanes; l++) {
      inst->lane[l].dst = dst[l];
      if (dst[l])
         f->c->values[dst[l]].chan = chan[l];
   }
   return false;
}

bool
cc_fill(struct filler *f, struct inst *inst)
{
   if (slots_taken(f, inst) || f->has_barrier)
      return false; /* most tries end here */
   if (try_fill(f, inst))
      return true;
   /* In the slot of its channel its operands cannot be read. */
   if (!is_for_t(f, inst))
      return false;
   f->only_t = true;
   const bool fits = try_fill(f, inst);
   f->only_t = false;
   return fits;
}
