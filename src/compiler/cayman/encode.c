/* SPDX-License-Identifier: MIT */
/*
 * Encoding: clauses and control flow to words.
 *
 * Control flow uses the canonical sequences (HD 6900 ISA 3.6, 3.7):
 *
 *   if        ALU_PUSH_BEFORE with the predicate; JUMP to the ELSE, or past the POP with pop 1
 *   else      ELSE, past the POP with pop 1
 *   endif     POP 1; after an ALU clause ALU_POP_AFTER, of two at once ALU_POP2_AFTER; endifs that
 *             follow each other are one POP, and a jump past it pops for all of them
 *   loop      LOOP_START_DX10 ... LOOP_END; LOOP_BREAK and LOOP_CONTINUE name the LOOP_END, and so
 *             does a JUMP after a condition that may have taken the last lane out
 *
 * A clause is skipped if no lane is active (2.3): a JUMP over one or two clauses saves nothing when
 * it is taken, and costs when it is not. Sides of a branch that are so short have none, and if the
 * second one is, ELSE becomes ALU_ELSE_AFTER where the first ends with an ALU clause.
 *
 * Inside more than one loop ALU_PUSH_BEFORE is known to damage the stack: PUSH and ALU there.
 * The program is CF words first, then the clauses, fetch clauses 16-byte aligned.
 */
#include "ir.h"

#include "il/conventions.h"

#include <stdlib.h>
#include <string.h>

#define MAX_POPS 7 /* POP_COUNT has three bits */
#define NO_ENTRY UINT32_MAX

/* SQ_PGM_RESOURCES.STACK_SIZE has eight bits. */
#define MAX_STACK 255u

/* CF words that a JUMP must pass over to be worth one. */
#define MIN_JUMP 3

struct cf_entry {
   struct cayman_cf cf;
   const struct clause *clause; /* ALU, FETCH: owns words */
   int32_t target;              /* entry that ADDR names, -1: none */
   uint32_t address;            /* CF index */
   uint32_t place;              /* as inst.place */
};

struct encoder {
   struct compiler *c;
   struct cf_entry *cf;
   uint32_t num_cf, cap_cf;
   uint32_t *words;
   uint32_t num_words, cap_words;
   uint32_t *places; /* one for two words */
   uint32_t cap_places;
   uint32_t *fixups; /* per block: entry with a target that is patched later, or NO_ENTRY */
   uint8_t *pops;    /* per block that ends a branch: levels that a jump past it pops */
   unsigned depth_push, depth_loop, stack;
   uint32_t *first_entry; /* per block */
};

static struct cf_entry *
add_cf(struct encoder *e, unsigned op, uint32_t place)
{
   e->cf = cc_grow(e->c, e->cf, e->num_cf, &e->cap_cf, sizeof(*e->cf));
   struct cf_entry *entry = &e->cf[e->num_cf++];
   memset(entry, 0, sizeof(*entry));
   entry->cf.op = op;
   entry->cf.form = cayman_cf_info(op)->form;
   entry->cf.barrier = true;
   entry->target = -1;
   entry->place = place;
   return entry;
}

/* 64 bits */
static void
add_words(struct encoder *e, const uint32_t words[2], uint32_t place)
{
   for (unsigned i = 0; i < 2; i++) {
      e->words = cc_grow(e->c, e->words, e->num_words, &e->cap_words, sizeof(*e->words));
      e->words[e->num_words++] = words[i];
   }
   e->places = cc_grow(e->c, e->places, e->num_words / 2 - 1, &e->cap_places, sizeof(*e->places));
   e->places[e->num_words / 2 - 1] = place;
}

/* 64 bits of an instruction */
static void
add_inst(struct encoder *e, const uint32_t words[2], uint32_t place)
{
   if (place == SHADER_NO_PLACE)
      cc_fail(e->c, "internal: an instruction that no IL instruction was the reason of");
   add_words(e, words, place);
}

static void
note_stack(struct encoder *e)
{
   /* Cayman keeps two sub-entries for itself. */
   unsigned entries = e->depth_loop + (e->depth_push + 2 + 3) / 4;
   if (entries > e->stack)
      e->stack = entries;
}

/* --- ALU -------------------------------------------------------------------------------------- */

static void
encode_operand(struct compiler *c, const struct clause *clause, const struct group *previous,
               const struct lane *lane, unsigned n, struct cayman_alu *alu,
               struct cayman_alu_group *out, unsigned *used_literals)
{
   const struct cc_operand *o = &lane->src[n];
   struct cayman_alu_src *src = &alu->src[n];
   unsigned select, chan;
   bool negate;

   src->neg = o->neg;
   src->abs = o->abs;
   switch (o->kind) {
   case OPERAND_VALUE:
      if (cc_is_forwarded(c, previous, lane->op, o, &chan)) {
         src->sel = chan == CC_T ? CAYMAN_SRC_PS : CAYMAN_SRC_PV;
         src->chan = chan == CC_T ? 0 : chan;
      } else {
         src->sel = c->values[o->value].gpr < 0 ? 0 : c->values[o->value].gpr;
         src->chan = c->values[o->value].chan < 0 ? 0 : c->values[o->value].chan;
      }
      break;
   case OPERAND_CONST:
      if (cc_inline_constant(o->value, cc_float_source(lane->op), &select, &negate)) {
         src->sel = select;
         src->neg ^= negate;
         break;
      }
      for (chan = 0; chan < *used_literals && out->literal[chan] != o->value; chan++) {
      }
      if (chan == *used_literals)
         out->literal[(*used_literals)++] = o->value;
      src->sel = CAYMAN_SRC_LITERAL;
      src->chan = chan;
      break;
   case OPERAND_KCACHE: {
      int sel = cc_kcache_select(clause, o);
      if (sel < 0)
         cc_fail(c, "internal: constant outside the clause's windows");
      if (o->bank == IL_DRIVER_CB && o->index < c->out->driver_vec4)
         c->out->driver_vec4 = o->index;
      if (o->bank == IL_DRIVER_CB && o->index >= c->out->driver_end)
         c->out->driver_end = o->index + 1;
      src->sel = sel;
      src->chan = o->chan;
      break;
   }
   case OPERAND_SPECIAL:
      src->sel = o->index;
      src->chan = o->chan;
      break;
   case OPERAND_ARRAY: {
      uint32_t gpr = c->arrays[o->bank].gpr + o->index;
      src->sel = gpr < 128 ? gpr : 0;
      src->chan = o->chan;
      src->rel = o->rel;
      break;
   }
   default:
      break;
   }
}

static bool
writes_slot(const struct compiler *c, const struct inst *inst, const struct lane *lane,
            unsigned slot)
{
   if (lane->to_array)
      return true;
   return lane->dst && (slot == CC_T || (unsigned)c->values[lane->dst].chan == slot) &&
          (inst->shape != SHAPE_FIXED || lane->slot == slot);
}

static void
encode_slot(struct compiler *c, const struct clause *clause, const struct group *previous,
            const struct group *g, unsigned slot, struct cayman_alu_group *out,
            unsigned *used_literals)
{
   const struct inst *inst = g->slot[slot];
   const struct lane *lane = &inst->lane[g->lane[slot]];
   const struct cayman_alu_info *info = cayman_alu_info(lane->op);
   struct cayman_alu *alu = &out->slot[out->num_slots++];
   bool write = writes_slot(c, inst, lane, slot);

   alu->op = lane->op;
   alu->trans = slot == CC_T;
   alu->dst_chan = slot < CC_T ? slot : lane->dst ? (unsigned)c->values[lane->dst].chan : 0;
   alu->clamp = lane->clamp;
   alu->omod = lane->omod;
   alu->update_exec_mask = lane->update_exec;
   alu->execute_mask_op = c->chip->clauses_leave ? 0 : lane->mask_op;
   alu->update_pred = lane->update_pred;
   alu->mova_dst = lane->mova_dst;
   alu->lds_op = lane->lds_op;
   alu->lds_offset = lane->lds_op == CAYMAN_LDS_WRITE_REL; /* dwords to the second address */
   alu->write_mask = write || (info->op3 && !(info->flags & CAYMAN_ALU_FLAG_LDS));
   if (lane->to_array) {
      uint32_t gpr = c->arrays[lane->array].gpr + lane->array_elem;
      alu->dst_gpr = gpr < 128 ? gpr : 127;
      alu->dst_rel = lane->dst_rel;
      alu->write_mask = gpr < 128;
   } else if (write) {
      alu->dst_gpr = c->values[lane->dst].gpr;
   } else if (info->op3 && !(info->flags & CAYMAN_ALU_FLAG_LDS)) {
      cc_fail(c, "internal: a three-operand instruction without a result");
   }
   for (unsigned i = 0; i < info->num_src; i++)
      encode_operand(c, clause, previous, lane, i, alu, out, used_literals);
}

bool
cc_encode_group(struct compiler *c, const struct clause *clause, uint32_t n,
                struct cayman_alu_group *out)
{
   const struct group *g = &clause->groups[n];
   unsigned literals = 0;

   memset(out, 0, sizeof(*out));
   for (unsigned s = 0; s < CC_SLOTS; s++)
      if (g->slot[s])
         encode_slot(c, clause, n ? g - 1 : NULL, g, s, out, &literals);
   out->num_literals = (literals + 1) & ~1u;
   return cayman_read_ports(c->chip->vliw, out->slot, out->num_slots, true);
}

static void
encode_alu_clause(struct encoder *e, const struct clause *clause)
{
   struct compiler *c = e->c;

   for (uint32_t i = 0; i < clause->num_groups; i++) {
      const struct group *g = &clause->groups[i];
      struct cayman_alu_group out;
      uint32_t places[CC_SLOTS], num_places = 0;
      uint32_t words[CAYMAN_MAX_GROUP_WORDS];

      for (unsigned s = 0; s < CC_SLOTS; s++)
         if (g->slot[s])
            places[num_places++] = g->slot[s]->place;
      if (!cc_encode_group(c, clause, i, &out))
         cc_fail(c, "internal: a group's operands cannot be read");
      int n = cayman_encode_alu_group(c->chip->vliw, &out, words);
      if (n < 0)
         cc_fail(c, "internal: a group cannot be encoded (%s)", cayman_status_name(n));
      for (int k = 0; k < n; k += 2)
         if (k < 2 * out.num_slots)
            add_inst(e, &words[k], places[k / 2]);
         else
            add_words(e, &words[k], SHADER_NO_PLACE);
      c->out->num_alu_slots += out.num_slots;
   }
   c->out->num_alu_groups += clause->num_groups;
}

/* Of the first instruction. */
static uint32_t
place_of(const struct clause *clause)
{
   return clause->kind == CLAUSE_ALU ? clause->groups[0].part[0]->place : clause->insts[0]->place;
}

/* Whether ALU_PUSH_BEFORE is known to damage the stack there. */
static bool
pushes_apart(const struct encoder *e, unsigned loop_depth)
{
   const unsigned elements = 4 * e->depth_loop + e->depth_push;

   if (!e->c->chip->push_apart)
      return loop_depth > 1;
   return elements && (elements % 4 == 0 || elements % 4 == 1);
}

/* The instruction of a block's clause.  Its PRED_SET, in the last group, says which lanes go on. */
static unsigned
alu_op(const struct compiler *c, const struct cc_block *b, const struct clause *clause)
{
   const bool last = clause == &b->clauses[b->num_clauses - 1];

   if (clause->push_before)
      return CAYMAN_CF_ALU_PUSH_BEFORE;
   if (!last || !b->pred || !c->chip->clauses_leave)
      return CAYMAN_CF_ALU;
   return b->end == END_BREAK      ? CAYMAN_CF_ALU_BREAK
          : b->end == END_CONTINUE ? CAYMAN_CF_ALU_CONTINUE
                                   : CAYMAN_CF_ALU;
}

static void
add_alu(struct encoder *e, const struct cc_block *b, struct clause *clause)
{
   unsigned op = alu_op(e->c, b, clause);

   if (op == CAYMAN_CF_ALU_PUSH_BEFORE && pushes_apart(e, b->loop_depth)) {
      struct cf_entry *entry = add_cf(e, CAYMAN_CF_PUSH, place_of(clause));
      entry->target = e->num_cf; /* the next one */
      op = CAYMAN_CF_ALU;
   }
   struct cf_entry *entry = add_cf(e, op, place_of(clause));
   entry->clause = clause;
   entry->cf.count = clause->num_slots - 1;
   for (unsigned i = 0; i < 4; i++) {
      const struct kcache_lock *l = &clause->lock[i];
      if (l->lines) {
         entry->cf.kcache[i].bank = l->bank;
         entry->cf.kcache[i].addr = l->line;
         entry->cf.kcache[i].mode = l->lines == 2 ? CAYMAN_KCACHE_LOCK_2 : CAYMAN_KCACHE_LOCK_1;
         entry->cf.extended |= i >= 2;
      }
   }
}

/* --- fetches ---------------------------------------------------------------------------------- */

static unsigned
select_of(const struct compiler *c, const struct cc_operand *o, unsigned absent)
{
   switch (o->kind) {
   case OPERAND_VALUE:
      return c->values[o->value].chan < 0 ? 0 : c->values[o->value].chan;
   case OPERAND_CONST:
      return o->value ? CAYMAN_SEL_1 : CAYMAN_SEL_0;
   default:
      return absent;
   }
}

static unsigned
gpr_of(const struct compiler *c, const struct cc_operand *o, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      if (o[i].kind == OPERAND_VALUE)
         return c->values[o[i].value].gpr < 0 ? 0 : c->values[o[i].value].gpr;
   return 0;
}

static bool
gathers(const struct fetch_op *f)
{
   const unsigned op = f->proto.tex.op;

   return f->proto.kind == CAYMAN_FETCH_TEX &&
          (op == CAYMAN_TEX_GATHER4 || op == CAYMAN_TEX_GATHER4_C || op == CAYMAN_TEX_GATHER4_O ||
           op == CAYMAN_TEX_GATHER4_C_O);
}

/* What a mega-fetch asks for at once: no element is larger. */
#define FETCH_BYTES 16

static void
encode_fetch(struct encoder *e, const struct fetch_op *f, uint32_t place)
{
   struct compiler *c = e->c;
   struct cayman_fetch fetch = f->proto;
   uint8_t dst_sel[4] = { CAYMAN_SEL_MASK, CAYMAN_SEL_MASK, CAYMAN_SEL_MASK, CAYMAN_SEL_MASK };
   unsigned dst_gpr = 0;
   uint32_t words[4];

   for (unsigned i = 0; i < 4; i++) {
      if (f->dst[i]) {
         dst_sel[c->values[f->dst[i]].chan] = gathers(f) ? c->chip->gathered[i] : i;
         dst_gpr = c->values[f->dst[i]].gpr;
      }
   }
   if (fetch.kind == CAYMAN_FETCH_TEX) {
      fetch.tex.dst_gpr = dst_gpr;
      memcpy(fetch.tex.dst_sel, dst_sel, 4);
      fetch.tex.src_gpr = gpr_of(c, f->src, 4);
      for (unsigned i = 0; i < 4; i++)
         fetch.tex.src_sel[i] = select_of(c, &f->src[i], CAYMAN_SEL_0);
   } else if (fetch.kind == CAYMAN_FETCH_VTX) {
      fetch.vtx.dst_gpr = dst_gpr;
      memcpy(fetch.vtx.dst_sel, dst_sel, 4);
      fetch.vtx.src_gpr = gpr_of(c, f->src, 1);
      fetch.vtx.src_sel_x = select_of(c, &f->src[0], CAYMAN_SEL_X) & 3;
      fetch.vtx.mega_fetch = c->chip->mega_fetches;
      fetch.vtx.mega_fetch_count = c->chip->mega_fetches ? FETCH_BYTES - 1 : 0;
   } else if (fetch.kind == CAYMAN_FETCH_GDS) {
      fetch.gds.dst_gpr = dst_gpr;
      memcpy(fetch.gds.dst_sel, dst_sel, 4);
      fetch.gds.src_gpr = gpr_of(c, f->src, 3);
      for (unsigned i = 0; i < 3; i++)
         fetch.gds.src_sel[i] = select_of(c, &f->src[i], CAYMAN_SEL_0);
   } else {
      fetch.mem.dst_gpr = dst_gpr;
      memcpy(fetch.mem.dst_sel, dst_sel, 4);
      fetch.mem.src_gpr = gpr_of(c, f->src, 1);
      fetch.mem.src_sel_x = select_of(c, &f->src[0], CAYMAN_SEL_X) & 3;
   }
   int status = cayman_encode_fetch(c->chip->vliw, &fetch, words);
   if (status != CAYMAN_OK)
      cc_fail(c, "internal: a fetch cannot be encoded (%s)", cayman_status_name(status));
   add_inst(e, words, place);
   add_inst(e, words + 2, place);
}

static void
add_export(struct encoder *e, const struct inst *inst)
{
   struct compiler *c = e->c;
   struct cf_entry *entry = add_cf(e, inst->export.proto.op, inst->place);

   entry->cf = inst->export.proto;
   entry->cf.barrier = true;
   entry->cf.rw_gpr = gpr_of(c, inst->export.src, 4);
   if (inst->export.proto.form == CAYMAN_CF_FORM_EXPORT)
      for (unsigned i = 0; i < 4; i++)
         entry->cf.sel[i] = select_of(c, &inst->export.src[i], CAYMAN_SEL_MASK);
   entry->cf.index_gpr = gpr_of(c, inst->export.index, 3);
}

/* --- control flow ----------------------------------------------------------------------------- */

/* Ends the branch of block n.  The last entry, if it is an ALU clause or ends the branch inside
 * this one, takes the pop with it: nothing but what jumps past that inner branch goes to where
 * the POP would be. */
static void
add_pop(struct encoder *e, uint32_t n)
{
   const struct cc_block *b = &e->c->blocks[n];
   struct cf_entry *last = e->num_cf ? &e->cf[e->num_cf - 1] : NULL;
   const bool inner = n > 0 && b[-1].end == END_ENDIF && e->fixups[n - 1] == e->num_cf;

   if (last && last->cf.op == CAYMAN_CF_ALU) {
      last->cf.op = CAYMAN_CF_ALU_POP_AFTER;
   } else if (inner && last->cf.op == CAYMAN_CF_ALU_POP_AFTER) {
      last->cf.op = CAYMAN_CF_ALU_POP2_AFTER;
   } else if (inner && last->cf.op == CAYMAN_CF_POP && last->cf.pop_count < MAX_POPS) {
      last->cf.pop_count++;
   } else {
      struct cf_entry *entry = add_cf(e, CAYMAN_CF_POP, b->place);
      entry->cf.pop_count = 1;
      entry->target = e->num_cf;
   }
   e->fixups[n] = e->num_cf; /* the entry after the POP */
   e->pops[n] = 1;
   for (uint32_t m = n; m-- > 0 && e->c->blocks[m].end == END_ENDIF && e->fixups[m] == e->num_cf;)
      e->pops[m]++;
}

/* CF words from block `first` on, in front of the end of block `last`; at least this many. */
static unsigned
words_between(const struct compiler *c, uint32_t first, uint32_t last)
{
   unsigned words = 0;

   for (uint32_t n = first; n <= last && words < MIN_JUMP; n++)
      words += c->blocks[n].num_clauses + (n < last && c->blocks[n].end != END_ENDIF);
   return words;
}

/* The side of a branch that follows block `n` is nothing but a clause or two. */
static bool
is_short(const struct compiler *c, uint32_t n)
{
   const struct cc_block *side = &c->blocks[n + 1];

   if (c->blocks[n].match != n + 1 || !side->num_clauses || side->num_clauses >= MIN_JUMP)
      return false;
   for (uint32_t k = 0; k < side->num_clauses; k++)
      if (side->clauses[k].kind == CLAUSE_EXPORT)
         return false;
   return true;
}

/* After the condition of a break or continue outside of the loop's branches: if it took the last
 * lane, nothing happens before the loop's end. */
static void
add_jump_to_end(struct encoder *e, uint32_t n)
{
   const struct compiler *c = e->c;
   const uint32_t loop = c->blocks[n].match;
   int depth = 0;

   e->fixups[n] = NO_ENTRY;
   for (uint32_t k = loop + 1; k < n; k++)
      depth += (c->blocks[k].end == END_IF) - (c->blocks[k].end == END_ENDIF);
   if (!depth && words_between(c, n + 1, c->blocks[loop].match) >= MIN_JUMP) {
      e->fixups[n] = e->num_cf;
      add_cf(e, CAYMAN_CF_JUMP, c->blocks[n].place);
   }
}

/* An export or fetch says itself that it is the last; control flow may lead past others. */
static void
end_program(struct encoder *e, uint32_t place)
{
   struct cf_entry *last = e->num_cf ? &e->cf[e->num_cf - 1] : NULL;

   if (!e->c->chip->last_ends) {
      add_cf(e, CAYMAN_CF_END, place);
      return;
   }
   if (!last || (last->cf.form < CAYMAN_CF_FORM_MEM &&
                 !(last->clause && last->clause->kind == CLAUSE_FETCH)))
      last = add_cf(e, CAYMAN_CF_NOP, place);
   last->cf.end = true;
}

static void
add_block_end(struct encoder *e, uint32_t n)
{
   struct cc_block *b = &e->c->blocks[n];
   struct cf_entry *entry;

   switch (b->end) {
   case END_IF:
      e->depth_push++;
      note_stack(e);
      e->fixups[n] = NO_ENTRY;
      if (!is_short(e->c, n)) {
         e->fixups[n] = e->num_cf;
         add_cf(e, CAYMAN_CF_JUMP, b->place);
      }
      break;
   case END_ELSE:
      /* The IF of this ELSE is the block that has us as its match. */
      e->fixups[n] = e->num_cf;
      if (is_short(e->c, n) && e->cf[e->num_cf - 1].cf.op == CAYMAN_CF_ALU)
         e->cf[--e->fixups[n]].cf.op = CAYMAN_CF_ALU_ELSE_AFTER;
      else
         add_cf(e, CAYMAN_CF_ELSE, b->place);
      break;
   case END_ENDIF:
      add_pop(e, n);
      e->depth_push--;
      break;
   case END_LOOP:
      e->depth_loop++;
      note_stack(e);
      e->fixups[n] = e->num_cf;
      add_cf(e, CAYMAN_CF_LOOP_START_DX10, b->place);
      break;
   case END_ENDLOOP:
      e->fixups[n] = e->num_cf;
      entry = add_cf(e, CAYMAN_CF_LOOP_END, b->place);
      entry->target = e->fixups[b->match] + 1;
      e->cf[e->fixups[b->match]].target = e->num_cf;
      e->depth_loop--;
      break;
   case END_BREAK:
   case END_CONTINUE:
      if (b->pred) {
         add_jump_to_end(e, n);
         break;
      }
      e->fixups[n] = e->num_cf;
      add_cf(e, b->end == END_BREAK ? CAYMAN_CF_LOOP_BREAK : CAYMAN_CF_LOOP_CONTINUE, b->place);
      break;
   case END_PROGRAM:
      end_program(e, b->place);
      break;
   }
}

static void
patch_targets(struct encoder *e)
{
   struct compiler *c = e->c;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct cc_block *b = &c->blocks[n];

      if (e->fixups[n] == NO_ENTRY)
         continue;
      struct cf_entry *entry = &e->cf[e->fixups[n]];
      switch (b->end) {
      case END_IF:
         if (c->blocks[b->match].end == END_ELSE) {
            entry->target = e->fixups[b->match]; /* the ELSE itself */
         } else {
            entry->target = e->fixups[b->match]; /* after the POP */
            entry->cf.pop_count = e->pops[b->match];
         }
         break;
      case END_ELSE:
         if (entry->clause)
            break; /* ALU_ELSE_AFTER does not jump */
         entry->target = e->fixups[b->match];
         entry->cf.pop_count = e->pops[b->match];
         break;
      case END_BREAK:
      case END_CONTINUE:
         entry->target = e->fixups[c->blocks[b->match].match];
         break;
      default:
         break;
      }
   }
}

static bool
reads_memory(const struct clause *clause)
{
   for (uint32_t i = 0; i < clause->num_insts; i++)
      if (clause->insts[i]->memory == MEMORY_READ)
         return true;
   return false;
}

static void
build_cf(struct encoder *e)
{
   struct compiler *c = e->c;

   if (((c->out->stage == SHADER_STAGE_VS && !c->copy) || c->out->stage == SHADER_STAGE_ES ||
        c->out->stage == SHADER_STAGE_LS) &&
       !c->out->tess.domain_shader)
      add_cf(e, CAYMAN_CF_CALL_FS, c->entry);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct cc_block *b = &c->blocks[n];
      for (uint32_t k = 0; k < b->num_clauses; k++) {
         struct clause *clause = &b->clauses[k];
         switch (clause->kind) {
         case CLAUSE_ALU:
            add_alu(e, b, clause);
            c->out->num_clauses++;
            break;
         case CLAUSE_FETCH: {
            if (c->memory_written && !clause->gds && reads_memory(clause))
               add_cf(e, CAYMAN_CF_WAIT_ACK, place_of(clause)); /* until none is outstanding */
            struct cf_entry *entry =
               add_cf(e, clause->gds ? CAYMAN_CF_GDS : CAYMAN_CF_TC, place_of(clause));
            entry->clause = clause;
            entry->cf.count = clause->num_fetches - 1;
            /* Neither pixels that only help nor those that were killed count. */
            entry->cf.valid_pixel_mode = clause->gds && c->out->stage == SHADER_STAGE_PS;
            c->out->num_clauses++;
            break;
         }
         default:
            add_export(e, clause->insts[0]);
            break;
         }
      }
      add_block_end(e, n);
   }
   patch_targets(e);
}

static void
lay_out(struct encoder *e)
{
   uint32_t address = 0;

   for (uint32_t i = 0; i < e->num_cf; i++) {
      e->cf[i].address = address;
      address += e->cf[i].cf.extended ? 2 : 1;
   }
   e->c->out->num_cf = e->num_cf;
   for (uint32_t i = 0; i < e->num_cf; i++) {
      struct cf_entry *entry = &e->cf[i];
      if (entry->target >= 0) {
         entry->cf.addr =
            (uint32_t)entry->target < e->num_cf ? e->cf[entry->target].address : address;
      } else if (entry->clause && entry->clause->kind == CLAUSE_ALU) {
         entry->cf.addr = address;
         address += entry->clause->num_slots;
      } else if (entry->clause) {
         address = (address + 1) & ~1u;
         entry->cf.addr = address;
         address += 2 * entry->clause->num_fetches;
      }
   }
   if (address > 0x3fffff)
      cc_fail(e->c, "the program is too long");
}

static void
write_words(struct encoder *e)
{
   struct compiler *c = e->c;

   for (uint32_t i = 0; i < e->num_cf; i++) {
      const struct cayman_cf *cf = &e->cf[i].cf;
      uint32_t words[2];
      if (cf->extended) {
         cayman_encode_extended(cf, words);
         add_inst(e, words, e->cf[i].place);
      }
      int status = cayman_encode_cf(cf, words);
      if (status != CAYMAN_OK)
         cc_fail(c, "internal: %s cannot be encoded", cayman_cf_info(cf->op)->name);
      add_inst(e, words, e->cf[i].place);
   }
   for (uint32_t i = 0; i < e->num_cf; i++) {
      const struct clause *clause = e->cf[i].clause;
      if (!clause)
         continue;
      while (e->num_words < 2 * e->cf[i].cf.addr)
         add_words(e, (const uint32_t[2]){ 0, 0 }, SHADER_NO_PLACE);
      if (e->num_words != 2 * e->cf[i].cf.addr)
         cc_fail(c, "internal: clauses and addresses disagree");
      if (clause->kind == CLAUSE_ALU) {
         encode_alu_clause(e, clause);
      } else {
         for (uint32_t k = 0; k < clause->num_insts; k++)
            for (unsigned f = 0; f < clause->insts[k]->num_fetches; f++)
               encode_fetch(e, &clause->insts[k]->fetch[f], clause->insts[k]->place);
      }
   }
}

void
cc_encode(struct compiler *c)
{
   struct encoder *e = cc_alloc(c, sizeof(*e));

   e->c = c;
   e->fixups = cc_alloc(c, sizeof(*e->fixups) * c->num_blocks);
   e->pops = cc_alloc(c, c->num_blocks);
   c->out->driver_vec4 = UINT32_MAX;
   c->out->driver_end = 0;
   build_cf(e);
   lay_out(e);
   write_words(e);

   if (e->stack > MAX_STACK)
      cc_fail(c, "not implemented: branches and loops that take %u entries of a stack of %u",
              e->stack, MAX_STACK);
   c->out->stack_size = e->stack;
   c->out->words = malloc(e->num_words * sizeof(uint32_t));
   c->out->places = malloc(e->num_words / 2 * sizeof(uint32_t));
   if (!c->out->words || !c->out->places)
      cc_fail(c, "out of memory");
   memcpy(c->out->words, e->words, e->num_words * sizeof(uint32_t));
   memcpy(c->out->places, e->places, e->num_words / 2 * sizeof(uint32_t));
   c->out->num_dwords = e->num_words;
}
