/* SPDX-License-Identifier: MIT */
/*
 * Bodies and what runs them (7.4, 7.18, 7.19): subroutines, calls through interfaces, macros.
 *
 *  1. A subroutine is a CALL of the executor; one that finds 32 calls open is skipped (7-14).  Its
 *     body is lifted once for each phase of a hull shader that calls it: outputs and vInstanceID
 *     are the phase's.
 *  2. A return inside a block leaves the loop around the body, of a subroutine, a phase or main.
 *  3. A call through an interface runs, of the bodies that its label selects from the function
 *     tables of the pointer, the one whose table the driver's constants name.
 *  4. A macro is expanded where it is called, with registers and literals of its own; its arguments
 *     are copied in front and its results behind.
 */
#include "direct/lift.h"

#include <stdlib.h>

#define MAX_MACROS     32u /* within each other */
#define MAX_EXPANSIONS 16384u
#define MAX_EXPANDED   (1u << 20) /* instructions */
#define MAX_TABLES     256u
#define NO_CONTEXT     UINT32_MAX /* of the place where a body stands */

/* --- what is where ---------------------------------------------------------------------------- */

/* The entry of a number in a context, or the empty one where it would be. */
static struct label *
find(struct direct *d, uint32_t number, uint32_t context)
{
   uint32_t at = (number * 0x9e3779b1u) ^ (context * 0x85ebca6bu);

   for (at &= d->cap_labels - 1; d->labels[at].used; at = (at + 1) & (d->cap_labels - 1)) {
      if (d->labels[at].number == number && d->labels[at].context == context) {
         break;
      }
   }
   return &d->labels[at];
}

static void
add(struct direct *d, uint32_t number, uint32_t context, uint32_t place)
{
   if (2 * d->num_labels >= d->cap_labels) {
      struct label *old = d->labels;
      uint32_t cap = d->cap_labels;
      d->labels = calloc(cap ? 2 * cap : 64, sizeof(*old));
      if (!d->labels) {
         d->labels = old;
         d->b.oom = true;
         return;
      }
      d->cap_labels = cap ? 2 * cap : 64;
      for (uint32_t n = 0; n < cap; n++) {
         if (old[n].used) {
            *find(d, old[n].number, old[n].context) = old[n];
         }
      }
      free(old);
   }
   struct label *l = find(d, number, context);
   if (!l->used) {
      *l = (struct label){ number, context, place, true };
      d->num_labels++;
   }
}

/* --- returns ---------------------------------------------------------------------------------- */

/* Behind the ENDPHASE of the phase that begins at `n`. */
static uint32_t
skip_phase(const struct direct *d, uint32_t n)
{
   while (n < d->il->ninsts && d->il->insts[n].op != IL_OP_ENDPHASE) {
      n++;
   }
   return n;
}

/* Is there a return inside a block, or one that not all lanes may take, from here to the body's
 * end?  Everything of a phase is inside a block. */
static bool
returns_early(const struct direct *d, uint32_t from)
{
   unsigned depth = d->in_phase;

   for (uint32_t n = from; n < d->il->ninsts; n++) {
      depth = il_block_depth(depth, d->il->insts[n].op);
      switch (d->il->insts[n].op) {
      case IL_OP_RET:
      case IL_OP_RET_DYN:
         if (depth) {
            return true;
         }
         break;
      case IL_OP_RET_LOGICALZ:
      case IL_OP_RET_LOGICALNZ:
         return true;
      case IL_OP_HS_CP_PHASE:
      case IL_OP_HS_FORK_PHASE:
      case IL_OP_HS_JOIN_PHASE:
         n = skip_phase(d, n);
         break;
      case IL_OP_ENDPHASE:
      case IL_OP_ENDMAIN:
      case IL_OP_ENDFUNC:
      case IL_OP_END:
         return false;
      default:
         break;
      }
   }
   return false;
}

void
direct_body(struct direct *d, uint32_t from)
{
   d->wrapped = returns_early(d, from);
   d->body_depth = d->depth;
   if (d->wrapped) {
      direct_move(d, d->returned, direct_literal(d, 0));
      direct_loop(d, IL_OP_FUNC);
   }
}

void
direct_body_end(struct direct *d)
{
   if (d->wrapped) {
      direct_leave(d, false);
      direct_loop_end(d, IL_OP_FUNC);
      direct_move(d, d->returned, direct_literal(d, 0)); /* the caller has not */
      d->wrapped = false;
   }
   if (d->depth != d->body_depth) {
      direct_refuse(d, "the end of a body inside a block");
      d->depth = d->body_depth;
   }
   d->body_depth = 0;
}

void
direct_return(struct direct *d)
{
   struct block *b = direct_innermost_loop(d);

   if (d->macro) {
      direct_refuse(d, "a return inside a macro");
      return;
   }
   if (!d->wrapped) {
      direct_cf(d, d->in_function ? CAYMAN_CF_RETURN : CAYMAN_CF_END);
      return;
   }
   if (b && b->op != IL_OP_FUNC) {
      b->leaves = true;
      direct_move(d, d->returned, direct_literal(d, ~0u));
   }
   direct_leave(d, false);
}

/* --- subroutines ------------------------------------------------------------------------------ */
static void
call(struct direct *d, uint32_t number)
{
   direct_close(d);
   if (uop_grow(&d->b, (void **)&d->calls, d->num_calls, &d->cap_calls, sizeof(*d->calls))) {
      d->calls[d->num_calls++] = (struct label){ number, d->phase_counter, d->p->num_cfs, true };
   }
   direct_cf(d, CAYMAN_CF_CALL)->count = 1;
}

/* The body behind `func`, as a phase calls it. */
static void
lift_function(struct direct *d, uint32_t func, uint32_t context)
{
   uint32_t end = func + 1;

   d->in_function = true;
   d->phase_counter = context;
   d->patch_phase = context != 0;
   direct_body(d, func + 1);
   while (end < d->il->ninsts && d->il->insts[end].op != IL_OP_ENDFUNC &&
          d->il->insts[end].op != IL_OP_FUNC) {
      end++;
   }
   direct_insts(d, func + 1, end);
   direct_body_end(d);
   direct_cf(d, CAYMAN_CF_RETURN);
   d->in_function = d->patch_phase = false;
   d->phase_counter = 0;
}

void
direct_calls_begin(struct direct *d)
{
   uint32_t row = direct_rows(d, 1);

   d->returned = REG(row, 0);
   d->loop_index = REG(row, 1);
   add(d, 0, NO_CONTEXT, UINT32_MAX); /* makes the table */
   for (uint32_t n = d->il->first_main; n < d->il->ninsts; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      if (inst->op == IL_OP_FUNC) {
         uint32_t number = inst->ndata ? inst->data[0] : 0;
         struct label *first = d->b.oom ? NULL : find(d, number, NO_CONTEXT);
         if (first && first->used && first->place == UINT32_MAX) {
            first->place = n;
         } else {
            add(d, number, NO_CONTEXT, n);
         }
      }
   }
   direct_body(d, d->il->first_main);
}

void
direct_calls_end(struct direct *d)
{
   for (uint32_t n = 0; n < d->num_calls && !d->p->head.core.error && !d->b.oom; n++) {
      struct label from = d->calls[n], *to = find(d, from.number, from.context);
      if (!to->used) {
         to = find(d, from.number, NO_CONTEXT);
         if (!to->used || to->place == UINT32_MAX) {
            direct_refuse(d, "a call of subroutine %u, which is not there", from.number);
            return;
         }
         uint32_t func = to->place;
         direct_close(d);
         add(d, from.number, from.context, d->p->num_cfs);
         lift_function(d, func, from.context);
         to = d->b.oom ? NULL : find(d, from.number, from.context);
      }
      if (to && from.place < d->p->num_cfs) {
         d->p->cfs[from.place].target = to->place;
      }
   }
}

/* --- interfaces ------------------------------------------------------------------------------- */

/* Dword (id + instance) mod 16 of the driver's table of function tables. */
static struct uop_operand
table_of(struct direct *d, uint32_t id, struct uop_operand instance)
{
   struct uop_operand n = DOP2(AND_INT, DOP2(ADD_INT, instance, direct_literal(d, id)),
                               direct_literal(d, IL_MAX_INTERFACES - 1));
   struct uop_operand vec = DOP2(LSHR_INT, n, direct_literal(d, 2));
   struct uop_operand column = DOP2(AND_INT, n, direct_literal(d, 3)), r = direct_literal(d, 0);

   for (unsigned c = 0; c < 4; c++) {
      struct uop_operand entry = direct_at(direct_temp(d));
      direct_element(d, entry.at, IL_DRIVER_CB, IL_DRV_INTERFACES, c, vec);
      r = DOP3(CNDE_INT, DOP2(SUB_INT, column, direct_literal(d, c)), entry, r);
   }
   return r;
}

static void
call_interface(struct direct *d, const struct il_inst *inst)
{
   uint32_t id = inst->ctl & 0x3fff, label = inst->ndata ? inst->data[0] : 0;
   const struct il_inst *pointer = id < IL_MAX_INTERFACES ? d->interface[id] : NULL;

   if (!pointer || pointer->ndata < 3) {
      direct_refuse(d, "a call through interface %u, which is not declared", id);
      return;
   }
   if (id + (uint64_t)pointer->data[0] > IL_MAX_INTERFACES || pointer->ndata > 3 + MAX_TABLES) {
      direct_refuse(d, "interface pointers above %u, or of more than %u tables",
                    IL_MAX_INTERFACES - 1, MAX_TABLES);
      return;
   }
   struct uop_operand table = direct_row(direct_rows(d, 1), 0); /* bodies have the pool */
   direct_move(d, table.at, table_of(d, id, direct_src(d, &inst->src[0], 0)));
   for (uint32_t n = 3; n < pointer->ndata; n++) {
      uint32_t number = pointer->data[n];
      const struct il_inst *functions =
         d->function_table && number < DIRECT_TABLES ? d->function_table[number] : NULL;
      if (!functions || label + UINT64_C(1) >= functions->ndata) {
         direct_refuse(d, "function table %u has no entry %u", number, label);
         return;
      }
      d->pool = 0;
      direct_branch(d, UOP_PRED_SETE_INT, table, direct_literal(d, number));
      call(d, functions->data[label + 1]);
      direct_branch_end(d);
   }
}

/* --- macros ----------------------------------------------------------------------------------- */

/* Registers of a macro's own. */
static void
count(struct macro *m, const struct il_ref *r, unsigned rows)
{
   uint32_t *most = r->type == IL_REGTYPE_TEMP         ? &m->temps
                    : r->type == IL_REGTYPE_LITERAL    ? &m->literals
                    : r->type == IL_REGTYPE_INPUT_ARG  ? &m->ins
                    : r->type == IL_REGTYPE_OUTPUT_ARG ? &m->outs
                                                       : NULL;
   if (most && r->num < MAX_ROWS && r->num + rows > *most) {
      *most = r->num + rows;
   }
   if (r->index) {
      count(m, &r->index->r, 1);
   }
}

static void
measure(struct direct *d, struct macro *m, uint32_t from, uint32_t end)
{
   for (uint32_t n = from; n < end; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      unsigned rows = il_op_info(inst->op) && il_op_info(inst->op)->ctl == IL_CTL_MATRIX ? 4 : 1;
      for (unsigned i = 0; i < inst->ndst; i++) {
         count(m, &inst->dst[i].r, rows);
      }
      for (unsigned i = 0; i < inst->nsrc; i++) {
         count(m, &inst->src[i].r, rows);
         if (inst->src[i].dim2) {
            count(m, inst->src[i].dim2, 1);
         }
      }
   }
}

/* The literals of a body. */
static bool
define(struct direct *d, struct macro *m, uint32_t from, uint32_t end)
{
   m->literal = calloc(m->literals + 1, sizeof(*m->literal));
   for (uint32_t n = from; m->literal && n < end; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc && inst->ndata >= 4 &&
          inst->src[0].r.num < m->literals) {
         m->literal[inst->src[0].r.num] = inst;
      }
   }
   d->b.oom |= !m->literal;
   return m->literal != NULL;
}

static void
expand(struct direct *d, const struct il_inst *inst)
{
   uint32_t from = 0, end, pos = d->pos;
   struct macro m = { .outer = d->macro, .depth = d->macro ? d->macro->depth + 1 : 1 };

   while (from < d->il->first_main && (d->il->insts[from].op != IL_OP_MACRODEF ||
                                       (d->il->insts[from].ctl & 0x3fff) != (inst->ctl & 0x3fff))) {
      from++;
   }
   if (from == d->il->first_main) {
      direct_refuse(d, "a call of macro %u, which is not defined", inst->ctl & 0x3fff);
      return;
   }
   for (end = ++from; end < d->il->first_main && d->il->insts[end].op != IL_OP_MACROEND; end++) {
   }
   d->expanded += end; /* as many have been looked at */
   if (m.depth > MAX_MACROS || ++d->expansions > MAX_EXPANSIONS || d->expanded > MAX_EXPANDED) {
      direct_refuse(d, "macros that expand to too much, or call each other without end");
      return;
   }
   m.ins = inst->nsrc;
   m.outs = inst->ndst;
   measure(d, &m, from, end);
   m.row = direct_rows(d, m.temps + m.ins + m.outs);
   if (d->p->head.core.error || !define(d, &m, from, end)) {
      return;
   }
   for (unsigned i = 0; i < inst->nsrc; i++) {
      for (unsigned c = 0; c < 4; c++) {
         direct_move(d, REG(m.row + m.temps + i, c), direct_src(d, &inst->src[i], c));
      }
   }
   d->macro = &m;
   direct_insts(d, from, end);
   d->macro = m.outer;
   free(m.literal);
   d->inst = inst;
   d->pos = pos;
   for (unsigned i = 0; i < inst->ndst; i++) {
      uint32_t row = m.row + m.temps + m.ins + i;
      const struct uop_operand r[4] = { direct_row(row, 0), direct_row(row, 1), direct_row(row, 2),
                                        direct_row(row, 3) };
      d->pool = 0;
      direct_store(d, &inst->dst[i], r);
   }
}

uint32_t
direct_temp_row(const struct direct *d, const struct il_ref *r)
{
   const struct macro *m = d->macro;

   switch (r->type) {
   case IL_REGTYPE_TEMP:
      if (m) {
         return r->num < m->temps ? m->row + r->num : 0;
      }
      return r->num < d->num_temps ? d->temp[r->num] : 0;
   case IL_REGTYPE_INPUT_ARG:
      return m && r->num < m->ins ? m->row + m->temps + r->num : 0;
   case IL_REGTYPE_OUTPUT_ARG:
      return m && r->num < m->outs ? m->row + m->temps + m->ins + r->num : 0;
   case IL_REGTYPE_ADDR:
      return d->address_row && r->num < DIRECT_ADDRESSES ? d->address_row + r->num : 0;
   default:
      return 0;
   }
}

const struct il_inst *
direct_literal_of(const struct direct *d, uint32_t number)
{
   if (d->macro) {
      return number < d->macro->literals ? d->macro->literal[number] : NULL;
   }
   return number < d->num_literals ? d->literal[number] : NULL;
}

/* --- instructions ----------------------------------------------------------------------------- */
bool
direct_call(struct direct *d, const struct il_inst *inst)
{
   unsigned op = inst->op;

   switch (op) {
   case IL_OP_CALL:
      call(d, inst->ndata ? inst->data[0] : 0);
      return true;
   case IL_OP_CALLNZ:
   case IL_OP_CALL_LOGICALZ:
   case IL_OP_CALL_LOGICALNZ:
      direct_condition(d, inst, op == IL_OP_CALL_LOGICALZ);
      call(d, inst->ndata ? inst->data[0] : 0);
      direct_branch_end(d);
      return true;
   case IL_OP_FCALL:
      call_interface(d, inst);
      return true;
   case IL_OP_MACROCALL:
      expand(d, inst);
      return true;
   case IL_OP_RET:
   case IL_OP_RET_DYN:
      direct_return(d);
      return true;
   case IL_OP_RET_LOGICALZ:
   case IL_OP_RET_LOGICALNZ:
      direct_condition(d, inst, op == IL_OP_RET_LOGICALZ);
      direct_return(d);
      direct_branch_end(d);
      return true;
   default:
      return false;
   }
}
