/* SPDX-License-Identifier: MIT */
/*
 * Lanes and the stack: conditions, branches and loops (HD 6900 ISA guide 3.6, 3.7, Table 3.4).
 * Kernels only.
 *
 * A lane is active or inactive because of a branch, a continue or a break.  A frame of the stack
 * holds all four sets; lanes that broke or continued since a PUSH stay so when it is popped.
 */
#ifndef ATOLL_SQ_STACK_H
#define ATOLL_SQ_STACK_H

#include "sq/flow.h"

/* Lanes that a condition lets through, active or not. */
static inline uint64_t
condition(const struct flow *f, const struct sq_cf *cf)
{
   uint64_t pass = ~0ull;
   bool value = f->x.bind->bool_consts >> (cf->cf_const & 31) & 1;
   if (cf->cond == CAYMAN_COND_FALSE || (cf->cond == CAYMAN_COND_BOOL && !value) ||
       (cf->cond == CAYMAN_COND_NOT_BOOL && value))
      pass = 0;
   if (cf->valid_pixel_mode)
      pass &= f->x.valid;
   return pass;
}

static inline struct frame *
push(struct flow *f, enum frame_kind kind, unsigned entries)
{
   struct exec *x = &f->x;
   if (f->depth == STACK_MAX || f->used + entries > x->program->stack_entries * 4) {
      fault(f, "stack overflow");
      return NULL;
   }
   struct frame *top = &f->stack[f->depth++];
   *top = (struct frame){ .active = x->active,
                          .branch = x->branch,
                          .cont = x->cont,
                          .brk = x->brk,
                          .kind = (uint8_t)kind,
                          .entries = (uint8_t)entries };
   f->used += entries;
   return top;
}

static inline void
pop(struct flow *f, unsigned count)
{
   struct exec *x = &f->x;
   for (unsigned n = 0; n < count; n++) {
      if (f->depth == 0 || f->stack[f->depth - 1].kind != FRAME_PUSH) {
         fault(f, f->depth ? "POP of a loop" : "stack underflow");
         return;
      }
      const struct frame *top = &f->stack[--f->depth];
      f->used -= top->entries;
      x->active = top->active & ~(x->cont | x->brk);
      x->branch = top->branch;
   }
}

/* The loop that BREAK and CONTINUE belong to. */
static inline struct frame *
innermost_loop(struct flow *f)
{
   for (unsigned n = f->depth; n > 0; n--)
      if (f->stack[n - 1].kind != FRAME_PUSH)
         return &f->stack[n - 1];
   fault(f, "BREAK or CONTINUE outside a loop");
   return NULL;
}

V_INLINE void
swap_branches(struct flow *f, const struct sq_cf *cf)
{
   struct exec *x = &f->x;
   if (f->depth == 0 || f->stack[f->depth - 1].kind != FRAME_PUSH) {
      fault(f, "ELSE without a PUSH");
      return;
   }
   uint64_t all = f->stack[f->depth - 1].active & condition(f, cf);
   uint64_t on = x->branch & all, off = x->active & all;
   x->active = (x->active & ~off) | on;
   x->branch = (x->branch & ~on) | off;
}

V_INLINE void
whole_quads(struct exec *x)
{
   x->active = lanes_whole_quads(x->active) & x->launch & ~(x->cont | x->brk);
   x->branch &= ~x->active;
}

static inline void
reactivate(struct flow *f)
{
   struct exec *x = &f->x;
   uint64_t top = f->depth ? f->stack[f->depth - 1].active : x->launch;
   x->active |= top & x->valid & ~(x->cont | x->brk);
   x->branch &= ~x->active;
}

static inline uint32_t
pop_and_jump(struct flow *f, const struct sq_cf *cf)
{
   pop(f, cf->pop_count);
   return cf->target;
}

/* A PUSH: what is next.  With the next instruction as its target, as the stock compiler writes it,
 * there is nothing to skip, and the POP after it must find its frame. */
V_INLINE uint32_t
begin_branch(struct flow *f, const struct sq_cf *cf, uint32_t pc)
{
   struct exec *x = &f->x;
   const uint64_t pass = x->active & condition(f, cf);

   if (!pass && cf->target != pc)
      return pop_and_jump(f, cf);
   if (!push(f, FRAME_PUSH, cf->op == CAYMAN_CF_PUSH_WQM ? 4 : 1))
      return pc;
   x->branch |= x->active & ~pass;
   x->active = pass;
   if (cf->op == CAYMAN_CF_PUSH_WQM)
      whole_quads(x);
   return pc;
}

V_INLINE void
end_branch(struct flow *f, const struct sq_cf *cf)
{
   struct exec *x = &f->x;

   pop(f, cf->pop_count);
   const uint64_t drop = x->active & ~condition(f, cf);
   x->active &= ~drop;
   x->branch |= drop;
   if (cf->op == CAYMAN_CF_POP_WQM)
      whole_quads(x);
}

/* JUMPTABLE: the JUMP after it that an index or a byte of a loop constant counts to; what counts
 * beyond the table, and a wave without lanes, go to its end. */
static inline uint32_t
table_jump(const struct flow *f, const struct sq_cf *cf, uint32_t pc)
{
   const struct exec *x = &f->x;
   uint32_t constant = x->bind->loop_consts[cf->cf_const & 31];
   int64_t index = cf->jumptable_sel >= SQ_JUMPTABLE_INDEX_0
                      ? (int64_t)x->cf_idx[cf->jumptable_sel - SQ_JUMPTABLE_INDEX_0]
                      : constant >> 8 * cf->jumptable_sel & 0xff;
   bool inside = index >= 0 && pc + index < (int64_t)cf->target;
   return inside && (x->active & condition(f, cf)) ? (uint32_t)(pc + index) : cf->target;
}

/* ------------------------------------------------------------------------------------------------
 * Calls: what is next
 */

static inline uint32_t
call(struct flow *f, uint32_t to, uint8_t count, uint32_t pc)
{
   if (f->num_calls == CALL_MAX || to == UINT32_MAX) {
      fault(f, "too many calls");
      return pc;
   }
   f->calls[f->num_calls].to = pc;
   f->calls[f->num_calls++].count = count;
   f->call_count += count;
   return to;
}

static inline uint32_t
go_back(struct flow *f, uint32_t pc)
{
   if (f->num_calls == 0) {
      fault(f, "RETURN outside a subroutine");
      return pc;
   }
   f->num_calls--;
   f->call_count -= f->calls[f->num_calls].count;
   return f->calls[f->num_calls].to;
}

/* ------------------------------------------------------------------------------------------------
 * Loops
 */

/* True: the loop is entered. */
V_INLINE bool
loop_start(struct flow *f, const struct sq_cf *cf)
{
   struct exec *x = &f->x;
   uint64_t pass = x->active & condition(f, cf);
   uint32_t constant = x->bind->loop_consts[cf->cf_const & 31];
   enum frame_kind kind = cf->op == CAYMAN_CF_LOOP_START_DX10    ? FRAME_LOOP
                          : cf->op == CAYMAN_CF_LOOP_START_NO_AL ? FRAME_LOOP_COUNT
                                                                 : FRAME_LOOP_INDEX;
   uint32_t count = constant & 0xfff;
   if (!pass || (kind != FRAME_LOOP && count == 0)) {
      pop(f, cf->pop_count);
      return false;
   }
   struct frame *top = push(f, kind, 4);
   if (!top)
      return true;
   top->entered = pass;
   top->count = count;
   top->index = x->loop_index;
   top->step = (int8_t)(constant >> 24);
   if (kind == FRAME_LOOP_INDEX)
      x->loop_index = (int32_t)(constant >> 12 & 0xfff);
   x->active = pass;
   x->branch = x->cont = x->brk = 0;
   return true;
}

/* True: another iteration. */
V_INLINE bool
loop_end(struct flow *f)
{
   struct exec *x = &f->x;
   if (f->depth == 0 || f->stack[f->depth - 1].kind == FRAME_PUSH) {
      fault(f, "LOOP_END without its loop on the stack");
      return false;
   }
   struct frame *top = &f->stack[f->depth - 1];
   x->active |= x->cont;
   x->cont = 0;
   bool again = x->active != 0;
   if (top->kind != FRAME_LOOP) {
      top->count--;
      again &= top->count != 0;
   }
   if (top->kind == FRAME_LOOP_INDEX)
      x->loop_index += top->step;
   if (again)
      return true;
   x->active = top->active;
   x->branch = top->branch;
   x->cont = top->cont;
   x->brk = top->brk;
   if (top->kind == FRAME_LOOP_INDEX)
      x->loop_index = top->index;
   f->used -= top->entries;
   f->depth--;
   return false;
}

/* True: to the LOOP_END. */
V_INLINE bool
loop_leave(struct flow *f, const struct sq_cf *cf)
{
   struct exec *x = &f->x;
   struct frame *loop = innermost_loop(f);
   if (!loop)
      return false;
   uint64_t pass = x->active & condition(f, cf);
   x->active &= ~pass;
   if (cf->op == CAYMAN_CF_LOOP_BREAK)
      x->brk |= pass;
   else
      x->cont |= pass;
   if (loop->entered & ~(x->cont | x->brk))
      return false;
   while (&f->stack[f->depth - 1] != loop)
      f->used -= f->stack[--f->depth].entries;
   x->branch = 0;
   return true;
}

#endif
