/* SPDX-License-Identifier: MIT */
/*
 * Lowering: what IL has for its writers' comfort becomes plainer IL, before anything is imported.
 *
 *  1. Subroutines (7.4) are expanded where they are called.  A return inside a block leaves a loop
 *     that stands around the body and is run once; loops and switches on the way out ask whether
 *     they are to be left.  The 33rd call on top of each other is skipped (7.14).
 *  2. Macros (7.19) are expanded with registers and literals of their own.
 *  3. Counted loops become loops that count; aL and a# become registers.
 *  4. Matrix operations become dot products and moves (lower_matrix.c), calls through interfaces
 *     branches (lower_interface.c).
 *  5. Phases of a hull shader that run several times become loops; vInstanceID is their counter.
 *
 * Before that, registers of shader model 3 become inputs and outputs (lower_model3.c).  A program
 * without any of it is left as it is.
 */
#include "lower.h"

#include <string.h>

#define MAX_CALLS      32
#define MAX_NESTING    256
#define MAX_EXPANSIONS 16384
#define MAX_ADDRESS    16

/* The registers and literals of a macro's expansion. */
struct renaming {
   uint32_t temps, literals, ins, outs; /* first of its own */
};

/* What a return leaves. */
struct frame {
   bool has_loop;
   uint32_t returned; /* temp: x is not zero once the frame has been left */
   struct {
      bool loop;    /* a loop or a switch */
      bool counted; /* loop: with a counter */
      bool left;    /* a return stands inside */
      uint32_t outer_index;
   } open[MAX_NESTING];
   unsigned depth;
};

static void expand(struct lowerer *l, uint32_t from, uint32_t end, const struct renaming *names,
                   struct frame *frame);

/* --- operands --------------------------------------------------------------------------------- */

/* `data`: the renaming, or NULL outside of macros. */
static void
rename_ref(struct lowerer *l, struct il_ref *r, void *data)
{
   const struct renaming *names = data;

   if (names) {
      switch (r->type) {
      case IL_REGTYPE_TEMP:
         r->num += names->temps;
         break;
      case IL_REGTYPE_LITERAL:
         r->num += names->literals;
         break;
      case IL_REGTYPE_INPUT_ARG:
         r->type = IL_REGTYPE_TEMP;
         r->num += names->ins;
         break;
      case IL_REGTYPE_OUTPUT_ARG:
         r->type = IL_REGTYPE_TEMP;
         r->num += names->outs;
         break;
      default:
         break;
      }
   }
   if (r->type == IL_REGTYPE_ADDR && l->address && r->num < MAX_ADDRESS) {
      r->type = IL_REGTYPE_TEMP;
      r->num += l->address;
   }
   if (r->type == IL_REGTYPE_SHADER_INSTANCE_ID && l->instance) {
      r->type = IL_REGTYPE_TEMP;
      r->num = l->instance;
   }
   if (r->rel != IL_ADDR_RELATIVE) {
      return;
   }
   bool loop = r->rel_addr >> 16 & 1;
   uint32_t number = r->rel_addr & 0xffff;
   if (loop ? !l->loop_index : !l->address || number >= MAX_ADDRESS) {
      cc_fail(l->c, "not implemented: %s",
              loop ? "aL outside a counted loop" : "an address register that nothing writes");
   }
   r->rel = IL_ADDR_REG_RELATIVE;
   r->index = lower_copy(l, loop ? lower_temp(l->loop_index, 0)
                                 : lower_temp(l->address + number, r->rel_addr >> 17 & 3));
   if (r->type != IL_REGTYPE_ITEMP && r->type != IL_REGTYPE_CONST_BUFF && !r->has_imm) {
      r->has_imm = true;
      r->imm = r->num;
   }
}

static struct il_src
renamed_src(struct lowerer *l, const struct renaming *names, const struct il_src *from)
{
   return lower_copy_src(l, from, rename_ref, (void *)names);
}

static struct il_dst
renamed_dst(struct lowerer *l, const struct renaming *names, const struct il_dst *from)
{
   return lower_copy_dst(l, from, rename_ref, (void *)names);
}

/* --- instructions ----------------------------------------------------------------------------- */

void
lower_emit(struct lowerer *l, unsigned op, unsigned ctl, const struct il_dst *dst, unsigned nsrc,
           const struct il_src *src)
{
   struct il_inst inst = { .op = op, .ctl = ctl, .nsrc = nsrc, .ndst = dst != NULL };

   if (dst) {
      inst.dst = cc_alloc(l->c, sizeof(*dst));
      *inst.dst = *dst;
   }
   if (nsrc) {
      inst.src = cc_alloc(l->c, nsrc * sizeof(*src));
      memcpy(inst.src, src, nsrc * sizeof(*src));
   }
   lower_add(l, &inst);
}

void
lower_flow(struct lowerer *l, unsigned op)
{
   lower_emit(l, op, 0, NULL, 0, NULL);
}

void
lower_if(struct lowerer *l, unsigned op, struct il_src condition)
{
   lower_emit(l, op, 0, NULL, 1, &condition);
}

/* temp.mask = op(a, b, c) */
void
lower_op(struct lowerer *l, unsigned op, unsigned ctl, uint32_t num, unsigned mask, unsigned nsrc,
         struct il_src a, struct il_src b, struct il_src c)
{
   struct il_dst dst = lower_temp_dst(num, mask);
   const struct il_src src[3] = { a, b, c };
   lower_emit(l, op, ctl, &dst, nsrc, src);
}

static void
copy_inst(struct lowerer *l, const struct renaming *names, const struct il_inst *from)
{
   lower_copy_inst(l, from, rename_ref, (void *)names);
}

/* --- subroutines and returns ------------------------------------------------------------------ */

/* Does a return stand inside a block, or under a condition?  Phases have bodies of their own. */
static bool
returns_inside(const struct il_program *p, uint32_t from, uint32_t end)
{
   unsigned depth = 0;

   for (uint32_t n = from; n < end; n++) {
      depth = il_block_depth(depth, p->insts[n].op);
      switch (p->insts[n].op) {
      case IL_OP_HS_CP_PHASE:
      case IL_OP_HS_FORK_PHASE:
      case IL_OP_HS_JOIN_PHASE:
         while (n + 1 < end && p->insts[n].op != IL_OP_ENDPHASE) {
            n++;
         }
         break;
      case IL_OP_RET_LOGICALZ:
      case IL_OP_RET_LOGICALNZ:
         return true;
      case IL_OP_RET:
      case IL_OP_RET_DYN:
         if (depth) {
            return true;
         }
         break;
      default:
         break;
      }
   }
   return false;
}

/* A body, left by its returns. */
static void
expand_body(struct lowerer *l, uint32_t from, uint32_t end, const struct renaming *names)
{
   struct frame *frame = cc_alloc(l->c, sizeof(*frame));
   uint32_t loop_index = l->loop_index;

   frame->has_loop = returns_inside(l->in, from, end);
   if (frame->has_loop) {
      frame->returned = l->next_temp++;
      lower_op(l, IL_OP_MOV, 0, frame->returned, 1, 1,
               il_swizzle(lower_temp(frame->returned, 0), IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0,
                          IL_COMPSEL_0),
               lower_temp(0, 0), lower_temp(0, 0));
      lower_flow(l, IL_OP_WHILE);
   }
   expand(l, from, end, names, frame);
   if (frame->has_loop) {
      lower_flow(l, IL_OP_BREAK);
      lower_flow(l, IL_OP_ENDLOOP);
   }
   l->loop_index = loop_index;
}

static void
expand_return(struct lowerer *l, struct frame *frame)
{
   struct il_src one = il_swizzle(lower_temp(frame->returned, 0), IL_COMPSEL_1, IL_COMPSEL_1,
                                  IL_COMPSEL_1, IL_COMPSEL_1);

   lower_op(l, IL_OP_MOV, 0, frame->returned, 1, 1, one, one, one);
   lower_flow(l, IL_OP_BREAK);
   for (unsigned d = 0; d < frame->depth; d++) {
      frame->open[d].left = true;
   }
}

/* What is expanded may be nothing but more calls: they are counted for themselves. */
static void
count_expansion(struct lowerer *l)
{
   if (++l->expansions > MAX_EXPANSIONS) {
      cc_fail(l->c, "not implemented: calls that expand more than %u times", MAX_EXPANSIONS);
   }
}

void
lower_call(struct lowerer *l, uint32_t label)
{
   const struct il_program *p = l->in;

   if (l->calls == MAX_CALLS) {
      return;
   }
   count_expansion(l);
   for (uint32_t n = p->first_main; n < p->ninsts; n++) {
      if (p->insts[n].op != IL_OP_FUNC || !p->insts[n].ndata || p->insts[n].data[0] != label) {
         continue;
      }
      uint32_t end = n + 1;
      while (end < p->ninsts && p->insts[end].op != IL_OP_ENDFUNC &&
             p->insts[end].op != IL_OP_FUNC) {
         end++;
      }
      l->calls++;
      expand_body(l, n + 1, end, NULL);
      l->calls--;
      return;
   }
   cc_fail(l->c, "a call of label %u, which no func has", label);
}

/* --- macros ----------------------------------------------------------------------------------- */

static void
note_ref(const struct il_ref *r, void *data)
{
   struct renaming *most = data;
   uint32_t *max = r->type == IL_REGTYPE_TEMP         ? &most->temps
                   : r->type == IL_REGTYPE_LITERAL    ? &most->literals
                   : r->type == IL_REGTYPE_INPUT_ARG  ? &most->ins
                   : r->type == IL_REGTYPE_OUTPUT_ARG ? &most->outs
                                                      : NULL;
   if (max && r->num >= *max) {
      *max = r->num + 1;
   }
}

static void
count_registers(struct lowerer *l, uint32_t from, uint32_t end, struct renaming *most)
{
   for (uint32_t n = from; n < end; n++) {
      lower_visit_refs(&l->in->insts[n], note_ref, most);
   }
   if (most->temps > 65536 || most->literals > 65536 || most->ins > 65536 || most->outs > 65536) {
      cc_fail(l->c, "not implemented: register number above 65535");
   }
}

static void
expand_macro(struct lowerer *l, const struct renaming *caller, const struct il_inst *call)
{
   const struct il_program *p = l->in;
   struct renaming names = { 0 }, count = { 0 };
   uint32_t from = 0, end;

   while (from < p->first_main && (p->insts[from].op != IL_OP_MACRODEF ||
                                   (p->insts[from].ctl & 0x3fff) != (call->ctl & 0x3fff))) {
      from++;
   }
   if (from == p->first_main) {
      cc_fail(l->c, "a call of macro %u, which is not defined", call->ctl & 0x3fff);
   }
   if (l->macros == MAX_CALLS) {
      cc_fail(l->c, "macros that call each other without end");
   }
   count_expansion(l);
   for (end = ++from; end < p->first_main && p->insts[end].op != IL_OP_MACROEND; end++) {
   }
   count_registers(l, from, end, &count);
   count.ins = call->nsrc > count.ins ? call->nsrc : count.ins;
   count.outs = call->ndst > count.outs ? call->ndst : count.outs;
   names.temps = l->next_temp;
   names.ins = names.temps + count.temps;
   names.outs = names.ins + count.ins;
   l->next_temp = names.outs + count.outs;
   names.literals = l->next_literal;
   l->next_literal += count.literals;

   for (unsigned i = 0; i < call->nsrc; i++) {
      struct il_dst dst = lower_temp_dst(names.ins + i, 15);
      struct il_src src = renamed_src(l, caller, &call->src[i]);
      lower_emit(l, IL_OP_MOV, 0, &dst, 1, &src);
   }
   l->macros++;
   struct frame *frame = cc_alloc(l->c, sizeof(*frame));
   expand(l, from, end, &names, frame);
   l->macros--;
   for (unsigned i = 0; i < call->ndst; i++) {
      struct il_dst dst = renamed_dst(l, caller, &call->dst[i]);
      struct il_src src = il_src(IL_REGTYPE_TEMP, names.outs + i);
      lower_emit(l, IL_OP_MOV, 0, &dst, 1, &src);
   }
}

/* --- counted loops and addresses -------------------------------------------------------------- */

static struct il_src
literal(struct lowerer *l, unsigned comp)
{
   return il_replicate(il_src(IL_REGTYPE_LITERAL, l->literal), comp);
}

/*
 * x: aL, y: its step, z: the rounds that are left, tested on top, so that a continue counts too;
 * aL begins one step lower.  The three numbers are bytes (7-28).
 */
static void
begin_counted(struct lowerer *l, const struct renaming *names, const struct il_inst *inst,
              struct frame *frame)
{
   struct il_src s = renamed_src(l, names, &inst->src[0]);
   uint32_t t = l->next_temp++;
   bool repeat = inst->ctl & 1;
   struct il_src minus = lower_temp(t, 1);

   lower_op(l, IL_OP_AND, 0, t, 7, 2, il_swizzle(s, 1, 2, 0, 0), literal(l, 3), s);
   minus = il_negate(minus);
   lower_op(l, IL_OP_I_ADD, 0, t, 1, 2, lower_temp(t, 0), minus, s);
   lower_flow(l, IL_OP_WHILE);
   lower_if(l, IL_OP_BREAK_LOGICALZ, lower_temp(t, 2));
   lower_op(l, IL_OP_I_ADD, 0, t, 4, 2, lower_temp(t, 2), literal(l, 2), s);
   if (!repeat) {
      lower_op(l, IL_OP_I_ADD, 0, t, 1, 2, lower_temp(t, 0), lower_temp(t, 1), s);
      l->loop_index = t;
   }
   frame->open[frame->depth - 1].counted = true;
}

/* MOVA: floor, or the nearest with _round, of each component */
static void
move_address(struct lowerer *l, const struct renaming *names, const struct il_inst *inst)
{
   struct il_dst dst = renamed_dst(l, names, &inst->dst[0]);
   struct il_src src = renamed_src(l, names, &inst->src[0]);
   uint32_t t = l->next_temp++;
   struct il_src rounded = il_src(IL_REGTYPE_TEMP, t);

   lower_op(l, inst->ctl & 1 ? IL_OP_ROUND_NEAR : IL_OP_FLR, 0, t, 15, 1, src, src, src);
   lower_emit(l, IL_OP_FTOI, 0, &dst, 1, &rounded);
}

/* --- phases of hull shaders ------------------------------------------------------------------- */

uint32_t
lower_literal(struct lowerer *l, const uint32_t values[4])
{
   struct il_inst declare = { .op = IL_OP_DCL_LITERAL, .nsrc = 1, .ndata = 4 };
   uint32_t num = l->next_literal++;

   declare.src = lower_copy(l, il_src(IL_REGTYPE_LITERAL, num));
   declare.data = cc_alloc(l->c, 4 * sizeof(*values));
   memcpy(declare.data, values, 4 * sizeof(*values));
   lower_add(l, &declare);
   return num;
}

/* From the phase's first instruction to its ENDPHASE, which is at `end`. */
static void
expand_phase(struct lowerer *l, const struct il_inst *begin, uint32_t from, uint32_t end)
{
   uint32_t outer = l->instance, count = begin->ctl > 1 ? begin->ctl : 1;
   uint32_t t = l->next_temp++, done = l->next_temp++;
   struct il_src zero =
      il_swizzle(lower_temp(t, 0), IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0);

   lower_add(l, begin);
   lower_op(l, IL_OP_MOV, 0, t, 15, 1, zero, zero, zero);
   l->instance = t;
   if (count > 1) {
      const uint32_t values[4] = { count, count, count, count };
      struct il_src limit = il_replicate(il_src(IL_REGTYPE_LITERAL, lower_literal(l, values)), 0);
      lower_flow(l, IL_OP_WHILE);
      lower_op(l, IL_OP_U_GE, 0, done, 1, 2, lower_temp(t, 0), limit, limit);
      lower_if(l, IL_OP_BREAK_LOGICALNZ, lower_temp(done, 0));
      expand_body(l, from, end, NULL);
      lower_op(l, IL_OP_I_ADD, 0, t, 15, 2, il_src(IL_REGTYPE_TEMP, t), literal(l, 1), zero);
      lower_flow(l, IL_OP_ENDLOOP);
   } else {
      expand_body(l, from, end, NULL);
   }
   lower_flow(l, IL_OP_ENDPHASE);
   l->instance = outer;
}

/* --- the walk --------------------------------------------------------------------------------- */

static void
open_block(struct lowerer *l, struct frame *frame, bool loop)
{
   if (frame->depth == MAX_NESTING) {
      cc_fail(l->c, "not implemented: nesting deeper than %u", MAX_NESTING);
   }
   memset(&frame->open[frame->depth], 0, sizeof(frame->open[0]));
   frame->open[frame->depth].loop = loop;
   frame->open[frame->depth++].outer_index = l->loop_index;
}

/* Behind the end of a loop or switch that a return stood in, the return goes on. */
static void
close_block(struct lowerer *l, struct frame *frame)
{
   if (!frame->depth) {
      return; /* the importer finds this */
   }
   frame->depth--;
   l->loop_index = frame->open[frame->depth].outer_index;
   if (frame->open[frame->depth].loop && frame->open[frame->depth].left) {
      lower_if(l, IL_OP_BREAK_LOGICALNZ, lower_temp(frame->returned, 0));
   }
}

/* True if what follows in this body is never reached. */
static bool
expand_flow(struct lowerer *l, const struct renaming *names, const struct il_inst *inst,
            struct frame *frame)
{
   struct il_src condition = { 0 };

   if (inst->nsrc) {
      condition = renamed_src(l, names, &inst->src[0]);
   }
   switch (inst->op) {
   case IL_OP_CALL:
      lower_call(l, inst->ndata ? inst->data[0] : 0);
      return false;
   case IL_OP_CALLNZ:
   case IL_OP_CALL_LOGICALNZ:
   case IL_OP_CALL_LOGICALZ:
      lower_if(l, inst->op == IL_OP_CALL_LOGICALZ ? IL_OP_IF_LOGICALZ : IL_OP_IF_LOGICALNZ,
               condition);
      lower_call(l, inst->ndata ? inst->data[0] : 0);
      lower_flow(l, IL_OP_ENDIF);
      return false;
   case IL_OP_RET:
   case IL_OP_RET_DYN:
      if (names) {
         cc_fail(l->c, "not implemented: a return inside a macro");
      }
      if (frame->depth == 0) {
         return true;
      }
      expand_return(l, frame);
      return false;
   case IL_OP_RET_LOGICALZ:
   case IL_OP_RET_LOGICALNZ:
      if (names) {
         cc_fail(l->c, "not implemented: a return inside a macro");
      }
      lower_if(l, inst->op == IL_OP_RET_LOGICALZ ? IL_OP_IF_LOGICALZ : IL_OP_IF_LOGICALNZ,
               condition);
      expand_return(l, frame);
      lower_flow(l, IL_OP_ENDIF);
      return false;
   case IL_OP_IFNZ:
      open_block(l, frame, false);
      lower_if(l, IL_OP_IF_LOGICALNZ, condition);
      return false;
   case IL_OP_LOOP:
      open_block(l, frame, true);
      begin_counted(l, names, inst, frame);
      return false;
   case IL_OP_IFC:
   case IL_OP_IF_LOGICALZ:
   case IL_OP_IF_LOGICALNZ:
      open_block(l, frame, false);
      break;
   case IL_OP_WHILE:
   case IL_OP_SWITCH:
      open_block(l, frame, true);
      break;
   case IL_OP_ENDIF:
   case IL_OP_ENDLOOP:
   case IL_OP_ENDSWITCH:
      lower_flow(l, inst->op);
      close_block(l, frame);
      return false;
   default:
      break;
   }
   copy_inst(l, names, inst);
   return false;
}

static void
expand(struct lowerer *l, uint32_t from, uint32_t end, const struct renaming *names,
       struct frame *frame)
{
   const uint32_t outer = l->place;
   bool over = false; /* what follows is never reached */

   for (uint32_t n = from; n < end && !over; n++) {
      const struct il_inst *inst = &l->in->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      l->place = 1 + il_place(l->in, n);
      unsigned need_dst = info ? info->dsts : 0, need_src = info ? info->srcs : 0;

      if (!info || (info->data != IL_DATA_MACROCALL &&
                    (inst->ndst < need_dst || (inst->nsrc < need_src && need_src == 1)))) {
         copy_inst(l, names, inst); /* the importer refuses it */
         continue;
      }
      switch (inst->op) {
      case IL_OP_HS_CP_PHASE:
      case IL_OP_HS_FORK_PHASE:
      case IL_OP_HS_JOIN_PHASE: {
         uint32_t last = n + 1;
         while (last < end && l->in->insts[last].op != IL_OP_ENDPHASE) {
            last++;
         }
         expand_phase(l, inst, n + 1, last);
         n = last;
         break;
      }
      case IL_OP_MACROCALL:
         expand_macro(l, names, inst);
         break;
      case IL_OP_MOVA:
         move_address(l, names, inst);
         break;
      case IL_OP_FCALL:
         lower_interface(l, inst, renamed_src(l, names, &inst->src[0]));
         break;
      case IL_OP_MMUL:
         if (inst->nsrc == 2) {
            lower_multiply(l, renamed_dst(l, names, &inst->dst[0]),
                           renamed_src(l, names, &inst->src[0]),
                           renamed_src(l, names, &inst->src[1]), inst->ctl & 7);
         }
         break;
      case IL_OP_TRANSPOSE:
         lower_transpose(l, renamed_dst(l, names, &inst->dst[0]),
                         renamed_src(l, names, &inst->src[0]));
         break;
      case IL_OP_DET:
         lower_determinant(l, renamed_dst(l, names, &inst->dst[0]),
                           renamed_src(l, names, &inst->src[0]));
         break;
      default:
         if (info->category != IL_CAT_FLOW) {
            copy_inst(l, names, inst);
         } else {
            over = expand_flow(l, names, inst, frame);
         }
         break;
      }
   }
   l->place = outer;
}

static bool
needed(const struct il_program *p, uint32_t main_end)
{
   if (p->first_main) {
      return true;
   }
   for (uint32_t n = 0; n < main_end; n++) {
      switch (p->insts[n].op) {
      case IL_OP_CALL:
      case IL_OP_CALLNZ:
      case IL_OP_CALL_LOGICALZ:
      case IL_OP_CALL_LOGICALNZ:
      case IL_OP_FCALL:
      case IL_OP_MACROCALL:
      case IL_OP_LOOP:
      case IL_OP_IFNZ:
      case IL_OP_MOVA:
      case IL_OP_MMUL:
      case IL_OP_TRANSPOSE:
      case IL_OP_DET:
      case IL_OP_HS_CP_PHASE:
      case IL_OP_HS_FORK_PHASE:
      case IL_OP_HS_JOIN_PHASE:
         return true;
      default:
         break;
      }
   }
   return returns_inside(p, 0, main_end);
}

/* Literals of subroutines and macros are declared where they are used; they are constants. */
void
cc_lower(struct compiler *c)
{
   lower_model3(c);

   const struct il_program *p = c->il;
   struct lowerer l = { .c = c, .in = p };
   struct renaming count = { 0 };
   uint32_t main_end = p->first_main;

   while (main_end < p->ninsts && p->insts[main_end].op != IL_OP_ENDMAIN &&
          p->insts[main_end].op != IL_OP_END) {
      main_end++;
   }
   if (!needed(p, main_end)) {
      return;
   }
   l.out = cc_alloc(c, sizeof(*l.out));
   *l.out = *p;
   l.out->ninsts = l.out->first_main = 0;
   l.out->insts = NULL;
   count_registers(&l, 0, p->ninsts, &count);
   l.next_temp = count.temps;
   l.next_literal = count.literals;
   for (uint32_t n = 0; n < p->ninsts; n++) {
      if (p->insts[n].op == IL_OP_MOVA && !l.address) {
         l.address = l.next_temp;
         l.next_temp += MAX_ADDRESS;
      }
   }

   static const uint32_t values[4] = { 0, 1, 0xffffffff, 255 };
   l.place = 1 + il_place(p, p->first_main);
   l.literal = lower_literal(&l, values);

   expand_body(&l, p->first_main, main_end, NULL);
   l.place = 1 + il_place(p, main_end < p->ninsts ? main_end : p->ninsts - 1);
   lower_flow(&l, IL_OP_END);
   c->il = l.out;
}
