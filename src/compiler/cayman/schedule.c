/* SPDX-License-Identifier: MIT */
/*
 * List scheduling: a block's instructions become clauses of groups and fetches.
 *
 * ALU instructions go first as long as any is ready, those on the longest path before others; then
 * all fetches that are ready form one clause; exports come last.  So the fetches of a block gather
 * in as few clauses as their dependences allow (HD 6900 ISA 2.3, 3.3).  Where that leaves groups
 * half empty after a fetch, fetches on the longest path are tried as soon as they are ready: what
 * else there is to do stands beside the instructions that wait for one after another.  Where the
 * values alive are limited, what ends some goes before the longest path, then what comes first in
 * the program.
 *
 *  1. An ALU clause holds 128 slots and four kcache windows; a fetch clause 16 instructions.
 *  2. No fetch of a clause reads what an earlier one of it writes: results are ready for the next
 *     clause only.
 *  3. Kills stand in the last group of their clause.  The branch's predicate stands in the last
 *     group of the block.
 *  4. AR is set in the clause that uses it, at least one group before.  MOVA is never last.
 */
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CLAUSE_SLOTS 128
#define MAX_TRIES        48

struct scheduler {
   struct compiler *c;
   struct cc_block *b;
   const struct cc_block *seen; /* the block with dependences that are known, */
   uint32_t num_seen;           /* with so many instructions */
   struct cc_ready alu, fetch, export;
   uint32_t oldest;          /* first instruction of the block not yet scheduled */
   struct cc_ready later[3]; /* ready in 1 or 2 groups, by time modulo 3 */
   uint32_t time;
   uint32_t left;        /* instructions not yet scheduled */
   struct cc_left least; /* what they take at least */
   uint32_t num_groups;  /* so far */
   struct clause *open;  /* ALU clause that can take more groups, or NULL */
   struct inst *pop;     /* must be in the next group */
   value_id ar;          /* in AR.X, 0: nothing known */
   unsigned channel_load[4];
   struct cc_pressure *pressure; /* NULL: registers are no concern */
   bool tight;                   /* as many values are alive as may be */
   bool eager;                   /* fetches on the longest path go as soon as they are ready */
   bool last_slots;              /* see enum tie */
   bool first_ready;             /* see enum tie */
   bool trial;                   /* give up rather than change the program */
   bool failed;                  /* a trial did */
};

/* 64-bit slots of the largest group: its literals take two. */
static unsigned
group_slots(const struct scheduler *s)
{
   return s->c->chip->num_slots + 2;
}

static void
add_ready(struct scheduler *s, struct inst *inst)
{
   inst->growth = 0;
   if (s->first_ready)
      inst->urgency = UINT32_MAX - s->time;
   cc_ready_add(s->c,
                inst->kind == INST_ALU     ? &s->alu
                : inst->kind == INST_FETCH ? &s->fetch
                                           : &s->export,
                inst);
}

/* One predecessor is done; the successor may run `latency` groups from now. */
static void
release(struct scheduler *s, struct inst *inst)
{
   inst->scheduled = true;
   s->left--;
   cc_left_take(&s->least, inst);
   if (s->pressure)
      cc_pressure_take(s->pressure, inst);
   for (uint32_t i = 0; i < inst->num_succ; i++) {
      struct inst *next = inst->succ[i];
      uint32_t when = s->time + inst->succ_latency[i];
      if (when > next->order) /* order is the earliest time from here on */
         next->order = when;
      if (--next->preds_left == 0) {
         if (next->order <= s->time)
            add_ready(s, next);
         else
            cc_ready_add(s->c, &s->later[next->order % 3], next);
      }
   }
}

static void
tick(struct scheduler *s)
{
   s->time++;
   struct cc_ready *r = &s->later[s->time % 3];
   for (uint32_t i = 0; i < r->count; i++)
      add_ready(s, r->inst[i]);
   r->count = 0;
}

/* Not too far ahead of program order? */
static bool
in_window(struct scheduler *s, const struct inst *inst)
{
   while (s->oldest < s->b->num_insts && s->b->insts[s->oldest]->scheduled)
      s->oldest++;
   return inst->pop_of || inst->sequence - s->oldest < s->c->window;
}

static bool
any_in_window(struct scheduler *s, const struct cc_ready *r)
{
   for (uint32_t i = 0; i < r->count; i++)
      if (in_window(s, r->inst[i]))
         return true;
   return false;
}

static struct clause *
new_clause(struct scheduler *s, enum clause_kind kind)
{
   struct cc_block *b = s->b;

   s->open = NULL;
   s->ar = 0;
   b->clauses = cc_grow(s->c, b->clauses, b->num_clauses, &b->cap_clauses, sizeof(*b->clauses));
   struct clause *clause = &b->clauses[b->num_clauses++];
   struct clause fresh = { .kind = kind, .first_position = s->c->num_positions };
   if (b->num_clauses <= b->made_clauses) {
      fresh.groups = clause->groups;
      fresh.cap_groups = clause->cap_groups;
      fresh.insts = clause->insts;
      fresh.cap_insts = clause->cap_insts;
   } else {
      b->made_clauses++;
   }
   *clause = fresh;
   if (kind == CLAUSE_ALU)
      s->open = clause;
   return clause;
}

/* Whether there is room for what a group may add. */
static bool
is_tight(const struct scheduler *s)
{
   return s->pressure && s->pressure->alive + 4 > s->c->most_alive;
}

/* Where registers are short, what gives some back goes first, and then program order. */
static void
find_growth(struct scheduler *s)
{
   const bool tight = is_tight(s);

   if (!tight && !s->tight)
      return;
   s->tight = tight;
   s->alu.num_sorted = 0;
   for (uint32_t i = 0; i < s->alu.count; i++) {
      struct inst *inst = s->alu.inst[i];
      const int growth = tight ? cc_pressure_of(s->pressure, inst) : 0;
      inst->growth = (int8_t)(growth > 0 ? CC_GROWS : growth < -CC_GROWS ? -CC_GROWS : growth);
   }
}

static bool
is_kill(const struct inst *inst)
{
   return cayman_alu_info(inst->lane[0].op)->flags & CAYMAN_ALU_FLAG_KILL;
}

/* Puts the index of `user` where it is looked for. */
static struct inst *
make_mova(struct scheduler *s, const struct inst *user, unsigned dst)
{
   struct inst *mova = cc_inst_for(s->c, INST_ALU, user);
   mova->shape = SHAPE_SCALAR;
   mova->num_lanes = 1;
   mova->lane[0].op = CAYMAN_ALU_MOVA_INT;
   mova->lane[0].mova_dst = dst;
   mova->lane[0].src[0] = op_value(user->ar);
   return mova;
}

static void
close_group(struct scheduler *s, struct filler *f)
{
   struct clause *clause = s->open;

   f->group.position = s->c->num_positions++;
   clause->groups =
      cc_grow(s->c, clause->groups, clause->num_groups, &clause->cap_groups, sizeof(f->group));
   clause->groups[clause->num_groups++] = f->group;
   s->num_groups++;
   clause->num_slots += cc_fill_size(f);
   memcpy(clause->lock, f->lock, sizeof(clause->lock));
   /* AR holds what the variable was, not what it is. */
   for (unsigned p = 0; p < f->group.num_parts; p++) {
      for (unsigned l = 0; l < f->group.part[p]->num_lanes; l++)
         if (s->ar && f->group.part[p]->lane[l].dst == s->ar)
            s->ar = 0;
   }
}

static bool
fits(const struct scheduler *s, const struct inst *inst)
{
   return !inst->ar || inst->ar == s->ar;
}

/* An operation on local data that returns something is followed by a group with the copy from the
 * queue, in the same clause. */
static bool
has_room_for(const struct scheduler *s, const struct inst *inst)
{
   return !inst->pop || s->open->num_slots + 3 * group_slots(s) <= MAX_CLAUSE_SLOTS;
}

/* Is the branch condition computed by one of the group's instructions? */
static bool
defines_operand(const struct filler *f, const struct inst *inst)
{
   for (unsigned i = 0; i < 2; i++) {
      const struct cc_operand *o = &inst->lane[0].src[i];
      for (unsigned p = 0; p < f->group.num_parts && o->kind == OPERAND_VALUE; p++) {
         for (unsigned l = 0; l < f->group.part[p]->num_lanes; l++)
            if (f->group.part[p]->lane[l].dst == o->value)
               return true;
      }
   }
   return false;
}

/* A group of an operation that has neither operands nor result. */
static void
emit_plain(struct scheduler *s, struct filler *f, const struct inst *waits, unsigned op)
{
   struct inst *inst = cc_inst_for(s->c, INST_ALU, waits);
   inst->shape = SHAPE_SCALAR;
   inst->num_lanes = 1;
   inst->lane[0].op = op;
   cc_fill(f, inst);
   close_group(s, f);
}

/* Fill and close one group.  False: nothing that is ready fits into a fresh group of this clause.
 */
static bool
schedule_group(struct scheduler *s)
{
   struct filler f;
   const struct inst *wants_ar = NULL;
   bool ar_users = false, kills = false, others_left = false;
   unsigned tries = 0;

   if (s->open && s->open->num_slots + group_slots(s) > MAX_CLAUSE_SLOTS)
      s->open = NULL;
   if (!s->open)
      new_clause(s, CLAUSE_ALU);
   struct clause *clause = s->open;
   struct group *previous = clause->num_groups ? &clause->groups[clause->num_groups - 1] : NULL;
   cc_fill_begin(&f, s->c, clause, previous, s->channel_load);
   f.last_slots = s->last_slots;

   if (s->pop) {
      if (!cc_fill(&f, s->pop))
         cc_fail(s->c, "internal: the result of an operation on local data fits into no group");
      release(s, s->pop);
      s->pop = NULL;
   }
   find_growth(s);
   cc_ready_sort(&s->alu);
   /* Instructions that a zero-latency edge makes ready are appended while we walk. */
   for (uint32_t i = 0; i < s->alu.count; i++) {
      struct inst *inst = s->alu.inst[i];
      if (inst->scheduled || !in_window(s, inst))
         continue;
      if (!fits(s, inst)) {
         wants_ar = wants_ar ? wants_ar : inst;
         continue;
      }
      if (inst->pop_of)
         continue;
      if (inst->growth == CC_GROWS && f.num_slots) {
         others_left = true;
         continue;
      }
      if (!has_room_for(s, inst)) {
         others_left = true;
         continue;
      }
      ar_users |= inst->ar != 0;
      if (is_kill(inst)) {
         kills = true;
         continue;
      }
      if (f.num_slots == s->c->chip->num_slots || ++tries > MAX_TRIES || !cc_fill(&f, inst)) {
         others_left = true;
         if (f.num_slots == s->c->chip->num_slots)
            break;
         continue;
      }
      s->pop = inst->pop ? inst->pop : s->pop;
      release(s, inst);
   }
   if (wants_ar && !ar_users && clause->num_slots + 4 * group_slots(s) <= MAX_CLAUSE_SLOTS) {
      struct inst *mova = make_mova(s, wants_ar, CAYMAN_MOVA_AR_X);
      if (cc_fill(&f, mova))
         s->ar = wants_ar->ar;
   } else if (wants_ar && !ar_users && f.num_slots == 0) {
      return false; /* a new clause has room for MOVA and its users */
   }
   if (kills && !others_left && !wants_ar) {
      for (uint32_t i = 0; i < s->alu.count && !f.has_kill; i++) {
         struct inst *inst = s->alu.inst[i];
         if (!inst->scheduled && is_kill(inst) && cc_fill(&f, inst))
            release(s, inst);
      }
   }
   if (s->left == 0 && s->b->pred && !f.has_kill && f.num_slots &&
       f.num_slots < s->c->chip->num_slots && !f.has_mova && !defines_operand(&f, s->b->pred) &&
       cc_fill(&f, s->b->pred))
      s->b->pred->scheduled = true;

   /* Take what has been scheduled off the list. */
   uint32_t n = 0, sorted = 0;
   for (uint32_t i = 0; i < s->alu.count; i++) {
      if (s->alu.inst[i]->scheduled)
         continue;
      s->alu.inst[n++] = s->alu.inst[i];
      sorted += i < s->alu.num_sorted;
   }
   s->alu.count = n;
   s->alu.num_sorted = sorted;
   if (f.num_slots == 0)
      return false;
   close_group(s, &f);
   if (f.has_kill) {
      clause->kills = true;
      s->open = NULL;
      s->ar = 0;
   }
   tick(s);
   return true;
}

/* --- instructions that fit into no group ------------------------------------------------------ */

/* Put instructions into the block's list, too, for the case that it is scheduled again. */
static void
insert_before(struct scheduler *s, struct inst *inst, struct inst **added, unsigned count)
{
   struct cc_block *b = s->b;
   uint32_t at = inst == b->pred ? b->num_insts : 0;

   while (at < b->num_insts && b->insts[at] != inst)
      at++;
   for (unsigned i = 0; i < count; i++)
      cc_append(s->c, b, added[i]);
   memmove(&b->insts[at + count], &b->insts[at], (b->num_insts - count - at) * sizeof(*b->insts));
   memcpy(&b->insts[at], added, count * sizeof(*b->insts));
   for (uint32_t i = at; i < b->num_insts; i++)
      b->insts[i]->sequence = i;
}

/*
 * Too many constants, literals or values of one channel for one group: move some operands to values
 * of their own first.  Constants go first, then literals, then registers.
 */
static void
break_up(struct scheduler *s, struct inst *inst)
{
   static const uint8_t order[3] = { OPERAND_KCACHE, OPERAND_CONST, OPERAND_VALUE };
   struct inst *movs[12];
   unsigned count = 0;

   for (unsigned k = 0; k < 3 && !count; k++) {
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         unsigned n = cayman_alu_info(inst->lane[l].op)->num_src;
         for (unsigned i = 0; i < n; i++) {
            struct cc_operand *o = &inst->lane[l].src[i];
            struct cc_operand plain = *o;
            unsigned select, c;
            bool negate;
            plain.neg = plain.abs = false;
            if (o->kind != order[k] ||
                (o->kind == OPERAND_CONST &&
                 cc_inline_constant(o->value, cc_float_source(inst->lane[l].op), &select, &negate)))
               continue;
            for (c = 0; c < count && !op_same(&movs[c]->lane[0].src[0], &plain); c++) {
            }
            if (c == count)
               movs[count++] = cc_copy_for(s->c, plain, inst);
            bool neg = o->neg, abs = o->abs;
            *o = op_value(movs[c]->lane[0].dst);
            o->neg = neg;
            o->abs = abs;
         }
      }
   }
   if (!count) {
      cc_fail(s->c, "internal: an instruction fits into no group (%s)",
              cayman_alu_info(inst->lane[0].op)->name);
   }
   for (unsigned i = 0; i < count; i++)
      movs[i]->scheduled = true;
   insert_before(s, inst, movs, count);
   for (unsigned done = 0; done < count;) {
      struct filler f;
      unsigned before = done;
      if (!s->open || s->open->num_slots + group_slots(s) > MAX_CLAUSE_SLOTS)
         new_clause(s, CLAUSE_ALU);
      struct clause *clause = s->open;
      cc_fill_begin(&f, s->c, clause,
                    clause->num_groups ? &clause->groups[clause->num_groups - 1] : NULL,
                    s->channel_load);
      for (; done < count; done++)
         if (!cc_fill(&f, movs[done]))
            break;
      if (f.num_slots) {
         close_group(s, &f);
         tick(s);
      } else if (before == done) {
         s->open = NULL; /* kcache windows full */
         s->ar = 0;
      }
   }
}

static int
by_sequence(const void *a, const void *b)
{
   const struct inst *x = *(struct inst *const *)a, *y = *(struct inst *const *)b;
   return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* Put an index where a fetch clause or a CF instruction finds it. */
static void
set_cf_index(struct scheduler *s, const struct inst *user)
{
   struct filler f;

   if (!s->open || s->open->num_slots + 2 * group_slots(s) > MAX_CLAUSE_SLOTS)
      new_clause(s, CLAUSE_ALU);
   const bool from_ar = s->c->chip->index_from_ar;
   cc_fill_begin(&f, s->c, s->open, NULL, s->channel_load);
   if (!cc_fill(&f, make_mova(s, user, from_ar ? CAYMAN_MOVA_AR_X : CAYMAN_MOVA_CF_IDX0)))
      cc_fail(s->c, "internal: an index fits into no group");
   close_group(s, &f);
   cc_fill_begin(&f, s->c, s->open, NULL, s->channel_load);
   /* A clause does not end with MOVA. */
   emit_plain(s, &f, user, from_ar ? CAYMAN_ALU_SET_CF_IDX0 : CAYMAN_ALU_NOP);
   s->ar = 0;
}

/* All fetches of a clause that have an index have the same. */
static void
schedule_fetches(struct scheduler *s)
{
   uint32_t taken = 0;

   qsort(s->fetch.inst, s->fetch.count, sizeof(*s->fetch.inst), by_sequence);
   value_id index = s->fetch.inst[0]->ar;
   if (index)
      set_cf_index(s, s->fetch.inst[0]);
   int grown = 0;
   struct clause *clause = new_clause(s, CLAUSE_FETCH);
   clause->gds = s->fetch.inst[0]->fetch[0].proto.kind == CAYMAN_FETCH_GDS;
   for (uint32_t i = 0; i < s->fetch.count; i++) {
      struct inst *inst = s->fetch.inst[i];
      if (clause->num_fetches + inst->num_fetches > 16 || !in_window(s, inst) ||
          (inst->ar && inst->ar != index) ||
          clause->gds != (inst->fetch[0].proto.kind == CAYMAN_FETCH_GDS))
         break;
      grown += s->pressure ? cc_pressure_of(s->pressure, inst) : 0;
      if (taken && s->pressure && s->pressure->alive + grown > s->c->most_alive)
         break;
      /* Results' channels: their own component, unless the tuple says otherwise. */
      for (unsigned f = 0; f < inst->num_fetches; f++) {
         for (unsigned k = 0; k < 4; k++) {
            value_id v = inst->fetch[f].dst[k];
            if (v && s->c->values[v].chan < 0) {
               unsigned mask = 15;
               const struct tuple *t = &s->c->tuples[s->c->values[v].tuple];
               for (unsigned m = 0; m < t->count; m++)
                  if (t->member[m] != v && s->c->values[t->member[m]].chan >= 0)
                     mask &= ~(1u << s->c->values[t->member[m]].chan);
               s->c->values[v].chan = mask >> k & 1 ? (int)k : __builtin_ctz(mask);
            }
         }
      }
      clause->insts =
         cc_grow(s->c, clause->insts, clause->num_insts, &clause->cap_insts, sizeof(inst));
      clause->insts[clause->num_insts++] = inst;
      clause->num_fetches += inst->num_fetches;
      s->c->num_positions += inst->num_fetches;
      taken++;
   }
   for (uint32_t i = 0; i < taken; i++)
      release(s, s->fetch.inst[i]);
   memmove(s->fetch.inst, s->fetch.inst + taken, (s->fetch.count - taken) * sizeof(*s->fetch.inst));
   s->fetch.count -= taken;
   tick(s);
   tick(s);
}

static void
schedule_export(struct scheduler *s)
{
   qsort(s->export.inst, s->export.count, sizeof(*s->export.inst), by_sequence);
   struct inst *inst = s->export.inst[0];
   if (inst->ar)
      set_cf_index(s, inst);
   struct clause *clause = new_clause(s, CLAUSE_EXPORT);
   clause->insts = cc_grow(s->c, clause->insts, 0, &clause->cap_insts, sizeof(inst));
   clause->insts[clause->num_insts++] = inst;
   s->c->num_positions++;
   memmove(s->export.inst, s->export.inst + 1, --s->export.count * sizeof(inst));
   release(s, inst);
   tick(s);
}

/* One that the last groups let run soon, or NULL. */
static const struct inst *
waiting(const struct scheduler *s)
{
   for (unsigned i = 1; i <= 3; i++) {
      const struct cc_ready *r = &s->later[(s->time + i) % 3];
      if (r->count)
         return r->inst[0];
   }
   return NULL;
}

static void
schedule_pred(struct scheduler *s)
{
   struct inst *pred = s->b->pred;

   if (!pred || pred->scheduled)
      return;
   for (int attempt = 0; attempt < 4; attempt++) {
      struct filler f;
      if (s->open && s->open->num_slots + group_slots(s) > MAX_CLAUSE_SLOTS)
         s->open = NULL;
      if (!s->open)
         new_clause(s, CLAUSE_ALU);
      struct clause *clause = s->open;
      cc_fill_begin(&f, s->c, clause,
                    clause->num_groups ? &clause->groups[clause->num_groups - 1] : NULL,
                    s->channel_load);
      if (cc_fill(&f, pred)) {
         close_group(s, &f);
         return;
      }
      s->failed = attempt && s->trial;
      if (s->failed)
         return;
      if (attempt)
         break_up(s, pred);
      else
         s->open = NULL; /* kcache windows full */
   }
   cc_fail(s->c, "internal: a branch condition does not fit into a clause");
}

/* What a fresh clause has no group for.  Kills wait until nothing else is left. */
static struct inst *
first_in_window(struct scheduler *s)
{
   struct inst *kill = NULL;

   for (uint32_t i = 0; i < s->alu.count; i++) {
      if (!in_window(s, s->alu.inst[i]))
         continue;
      if (!is_kill(s->alu.inst[i]))
         return s->alu.inst[i];
      kill = kill ? kill : s->alu.inst[i];
   }
   return kill ? kill : s->alu.inst[0];
}

static uint32_t
greatest_height(struct scheduler *s, const struct cc_ready *r)
{
   uint32_t height = 0;

   for (uint32_t i = 0; i < r->count; i++)
      if (r->inst[i]->height > height && in_window(s, r->inst[i]))
         height = r->inst[i]->height;
   return height;
}

/* Does the clause in hand wait for something: users of AR, or what an operation returns? */
static bool
must_go_on(const struct scheduler *s)
{
   const struct group *last =
      s->open && s->open->num_groups ? &s->open->groups[s->open->num_groups - 1] : NULL;
   bool mova = false;

   for (unsigned p = 0; last && p < last->num_parts; p++)
      mova |= cayman_alu_info(last->part[p]->lane[0].op)->flags & CAYMAN_ALU_FLAG_MOVA;
   return mova || s->ar || s->pop;
}

/* More waits for a fetch than for anything else that is ready. */
static bool
fetch_is_urgent(struct scheduler *s)
{
   return s->eager && s->fetch.count && !must_go_on(s) &&
          greatest_height(s, &s->fetch) > greatest_height(s, &s->alu);
}

static uint32_t
first_of(struct scheduler *s, const struct cc_ready *r)
{
   uint32_t first = UINT32_MAX;

   for (uint32_t i = 0; i < r->count; i++)
      if (r->inst[i]->sequence < first && in_window(s, r->inst[i]))
         first = r->inst[i]->sequence;
   return first;
}

/* Where registers are short and every ready operation takes one: does something else come first? */
static const struct cc_ready *
relief(struct scheduler *s)
{
   if (!is_tight(s) || must_go_on(s))
      return NULL;
   for (uint32_t i = 0; i < s->alu.count; i++)
      if (cc_pressure_of(s->pressure, s->alu.inst[i]) <= 0)
         return NULL;
   if (s->export.count && any_in_window(s, &s->export))
      return &s->export;
   return first_of(s, &s->fetch) < first_of(s, &s->alu) ? &s->fetch : NULL;
}

/* --- a block ---------------------------------------------------------------------------------- */

static uint32_t
rank_of(const struct compiler *c, const struct inst *inst, unsigned tie)
{
   const struct lane *lane = &inst->lane[0];

   switch (tie) {
   case TIE_ORDER:
      return inst->sequence;
   case TIE_READERS:
      return UINT32_MAX - inst->num_succ;
   case TIE_CHANNELS:
      if (inst->kind != INST_ALU || inst->shape != SHAPE_SCALAR)
         return 0;
      return lane->to_array || c->values[lane->dst].pinned ? 1 : c->values[lane->dst].tuple ? 2 : 3;
   default:
      return ((inst->sequence + 1) * 0x9e3779b1u ^ 0x9142b53fu) * 0xc2b2ae35u >> 8;
   }
}

/* What the schedule will cost at least: all that is left waits for something that is ready, or will
 * be soon. */
static uint32_t
least_cost(const struct scheduler *s)
{
   uint32_t longest = cc_ready_groups(&s->alu, 0);

   longest = cc_ready_groups(&s->fetch, longest);
   for (unsigned i = 0; i < 3; i++)
      longest = cc_ready_groups(&s->later[i], longest);
   return s->num_groups + s->b->num_clauses + cc_left_cost(&s->least, longest);
}

/* False: in a trial, the program would have to be changed for it, or it costs as much as
 * `limit`. */
static bool
schedule_once(struct scheduler *s, struct cc_block *b, unsigned tie, bool trial, uint32_t limit)
{
   struct compiler *c = s->c;
   unsigned stuck = 0;

   *s = (struct scheduler){
      .c = c,
      .b = b,
      .alu = cc_ready_again(s->alu),
      .fetch = cc_ready_again(s->fetch),
      .export = cc_ready_again(s->export),
      .later = { cc_ready_again(s->later[0]), cc_ready_again(s->later[1]),
                 cc_ready_again(s->later[2]) },
      .left = b->num_insts,
      .seen = s->seen,
      .num_seen = s->num_seen,
      .eager = tie & EAGER,
      .last_slots = tie & LAST_SLOTS,
      .first_ready = tie & FIRST_READY,
      .trial = trial,
   };

   if (c->most_alive) {
      c->pressure = c->pressure ? c->pressure : cc_alloc(c, sizeof(*c->pressure));
      cc_pressure_begin(c->pressure, c, b);
      s->pressure = c->pressure;
   }
   /* A schedule that changed the program put instructions into it. */
   if (s->seen != b || s->num_seen != b->num_insts)
      cc_depend(c, b);
   s->seen = b;
   s->num_seen = b->num_insts;
   cc_left_begin(&s->least, c, b);
   b->num_clauses = 0;
   c->num_positions = b->first_position;
   for (uint32_t i = 0; i < b->num_insts; i++) {
      b->insts[i]->sequence = i;
      b->insts[i]->order = 0;
      b->insts[i]->preds_left = b->insts[i]->num_preds;
      b->insts[i]->scheduled = false;
      b->insts[i]->urgency = b->insts[i]->height >> (tie & COARSE ? 1 : 0);
      b->insts[i]->rank = rank_of(c, b->insts[i], tie & TIE_MASK);
   }
   if (b->pred)
      b->pred->scheduled = false;
   for (uint32_t i = 0; i < b->num_insts; i++)
      if (b->insts[i]->preds_left == 0)
         add_ready(s, b->insts[i]);
   while (s->left) {
      if (trial && least_cost(s) >= limit)
         return false;
      const struct cc_ready *first = relief(s);
      if (first == &s->export) {
         schedule_export(s);
      } else if (first || fetch_is_urgent(s)) {
         schedule_fetches(s);
      } else if (any_in_window(s, &s->alu)) {
         if (schedule_group(s)) {
            stuck = 0;
         } else if (s->open && s->open->num_groups) {
            s->open = NULL; /* the clause's windows or room are used up */
            s->ar = 0;
         } else if (++stuck > 8) {
            cc_fail(c, "internal: an instruction fits into no group (%s)",
                    cayman_alu_info(s->alu.inst[0]->lane[0].op)->name);
         } else if (trial) {
            return false;
         } else {
            break_up(s, first_in_window(s));
         }
      } else if (waiting(s)) {
         /* Results of the last group, or array elements, are not ready yet. */
         if (s->open) {
            struct filler f;
            cc_fill_begin(&f, c, s->open, NULL, s->channel_load);
            if (s->open->num_slots + group_slots(s) <= MAX_CLAUSE_SLOTS)
               emit_plain(s, &f, waiting(s), CAYMAN_ALU_NOP);
         }
         tick(s);
      } else if (c->window != UINT32_MAX && any_in_window(s, &s->export)) {
         schedule_export(s); /* first what gives registers back */
      } else if (any_in_window(s, &s->fetch)) {
         schedule_fetches(s);
      } else if (s->export.count) {
         schedule_export(s);
      } else {
         cc_fail(c, "internal: dependences of a block form a circle");
      }
   }
   schedule_pred(s);
   if (s->failed)
      return false;
   if (b->end == END_IF)
      b->clauses[b->num_clauses - 1].push_before = true;
   b->end_position = c->num_positions;
   return true;
}

/* Values that the block's schedule chooses channels for. */
struct chosen {
   struct compiler *c;
   value_id *value;
   uint32_t count, cap;
};

static void
note_value(struct chosen *ch, value_id v)
{
   if (ch->c->values[v].chan >= 0)
      return;
   ch->value = cc_grow(ch->c, ch->value, ch->count, &ch->cap, sizeof(*ch->value));
   ch->value[ch->count++] = v;
}

static void
note_operand(struct cc_operand *o, void *data)
{
   if (o->kind == OPERAND_VALUE)
      note_value(data, o->value);
}

static void
note_result(value_id *v, void *data)
{
   note_value(data, *v);
}

static void
find_chosen(struct chosen *ch, const struct cc_block *b)
{
   ch->count = 0;
   for (uint32_t i = 0; i < b->num_insts + (b->pred != NULL); i++) {
      struct inst *inst = i < b->num_insts ? b->insts[i] : b->pred;
      cc_visit_operands(inst, note_operand, ch);
      cc_visit_dsts(inst, note_result, ch);
   }
}

/* Instructions that are scheduled for one more try. */
#define MAX_TRIED 1024
#define MAX_TIES  8

static bool
has_fetches(const struct cc_block *b)
{
   for (uint32_t i = 0; i < b->num_insts; i++)
      if (b->insts[i]->kind == INST_FETCH)
         return true;
   return false;
}

/* What try `n` does: where there are fetches each as it is and EAGER. */
static unsigned
order_of(unsigned n, bool fetches)
{
   static const uint16_t orders[MAX_TIES] = {
      TIE_ORDER, TIE_READERS,  TIE_CHANNELS, FIRST_READY, LAST_SLOTS, LAST_SLOTS | TIE_READERS,
      COARSE,    TIE_SHUFFLED,
   };
   return fetches ? orders[n / 2] | (n & 1 ? EAGER : 0) : orders[n];
}

/* As program order breaks ties, or, if that has more groups than a block must have, as another
 * rule does.  A narrow window is there to stay near program order: only fetches may go earlier. */
static void
schedule_block(struct scheduler *s, struct cc_block *b, struct chosen *ch)
{
   struct compiler *c = s->c;
   unsigned best = c->order, last = c->order, ties = 1;

   b->first_position = c->num_positions;
   find_chosen(ch, b);
   s->seen = NULL;
   c->no_schedule |= !schedule_once(s, b, c->order, c->keep_program, UINT32_MAX);
   if (c->no_schedule)
      return;
   uint32_t least = cc_block_cost(b);
   const bool fetches = has_fetches(b);
   if ((c->window == UINT32_MAX || fetches) && b->num_insts &&
       cc_num_groups(b) > cc_fewest_groups(c, b))
      ties = b->num_insts < MAX_TRIED / MAX_TIES ? MAX_TIES : MAX_TRIED / b->num_insts;
   if ((c->window != UINT32_MAX || c->most_alive) && ties > 2)
      ties = 2;
   for (unsigned tie = 1; tie < ties || last != best; tie++) {
      last = tie < ties ? order_of(tie, fetches) ^ c->order : best;
      for (uint32_t i = 0; i < ch->count; i++)
         c->values[ch->value[i]].chan = -1;
      if (schedule_once(s, b, last, tie < ties, least) && cc_block_cost(b) < least) {
         least = cc_block_cost(b);
         best = last;
      }
   }
}

void
cc_schedule(struct compiler *c)
{
   struct chosen ch = { .c = c };
   struct scheduler s = { .c = c };

   c->num_positions = 1;
   c->no_schedule = false;
   for (uint32_t b = 0; b < c->num_blocks && !c->no_schedule; b++)
      schedule_block(&s, &c->blocks[b], &ch);
}
