/* SPDX-License-Identifier: MIT */
/*
 * Runs a wave: the control-flow engine with Cayman's lane states and stack (HD 6900 ISA guide 3.6,
 * 3.7), clauses through their micro-operations.
 *
 * A lane is active or inactive because of a branch, a continue or a break.  A frame of the stack
 * holds all four sets; lanes that broke or continued since a PUSH stay so when it is popped.  Of
 * the guide's contradictions: JUMP and ELSE pop only when they jump; BREAK and CONTINUE jump only
 * when every lane of the loop is done with the iteration, and then unwind the stack to the loop.
 */
#include "core/step.h"
#include "sq/counts.h"
#include "core/share.h"
#include "sq/begin.h"

enum frame_kind {
   FRAME_PUSH,
   FRAME_LOOP,       /* ends by breaks alone */
   FRAME_LOOP_COUNT, /* counted, too */
   FRAME_LOOP_INDEX, /* and moves aL */
};

struct frame {
   uint64_t active, branch, cont, brk;
   uint64_t entered; /* loops: lanes that went in */
   uint8_t kind, entries;
   uint32_t count;
   int32_t index, step;
};

struct flow {
   struct exec x;
   struct frame stack[STACK_MAX];
   unsigned depth;
   unsigned used; /* stack sub-entries, four to an entry (3.6.5) */
   struct {
      uint32_t to;
      uint8_t count;
      bool fetch;
   } calls[CALL_MAX];
   unsigned num_calls, call_count;
   const char *fault;
   uint32_t pc;     /* of the next CF instruction */
   uint32_t cut;    /* that of a clause in which the wave waits or is stopped, + 1, or 0 */
   uint32_t resume; /* where it goes on: in bound.uops or, of an observed clause, */
   bool slow;       /* in code.uops, or fetches: a micro-operation at a time, to its end */
   bool stopped;    /* at `origin`: it goes on with that */
   uint32_t origin;
   uint32_t uni[UNI_MAX];
   wave_lane oq[OQ_MAX][2];
};

static void
fault(struct flow *f, const char *text)
{
   if (!f->fault)
      f->fault = text;
}

/* ------------------------------------------------------------------------------------------------
 * Conditions (Table 3.4) and the stack
 */

/* Lanes that a condition lets through, active or not. */
static uint64_t
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

static struct frame *
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

static void
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
static struct frame *
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

static void
reactivate(struct flow *f)
{
   struct exec *x = &f->x;
   uint64_t top = f->depth ? f->stack[f->depth - 1].active : x->launch;
   x->active |= top & x->valid & ~(x->cont | x->brk);
   x->branch &= ~x->active;
}

/* ------------------------------------------------------------------------------------------------
 * Clauses
 */
static void
run_uops(struct exec *x, struct uop_run run)
{
   if (!run.count)
      return; /* there may be no uops at all */
   uop_run_bound(x, x->program->bound.uops + run.first, run.count);
}

/* The same up to a barrier, from `u` on.  False: the wave waits. */
static bool
run_to_barrier(struct flow *f, struct uop_run run, const struct bound_uop *u)
{
   struct exec *x = &f->x;
   const struct bound_uop *end = x->program->bound.uops + run.first + run.count;
   while (u < end) {
      u->fn(x, u);
      u += u->length;
      if (x->waits) {
         x->waits = false;
         f->resume = (uint32_t)(u - x->program->bound.uops);
         return false;
      }
   }
   return true;
}

/* Whether an observed wave stops before the instruction at an origin, which `lanes` run.  It is
 * asked once. */
static bool
stops(struct flow *f, const struct core_observer *until, uint32_t origin, uint64_t lanes)
{
   const bool been = f->stopped && f->origin == origin;

   f->stopped = !been && until && core_stops(until, f->x.wave, origin, lanes);
   f->origin = origin;
   return f->stopped;
}

/* The same of a CF instruction.  What IL's instruction became stops once. */
static bool
stops_at(struct flow *f, const struct core_observer *until, const struct sq_cf *cf)
{
   const bool again = f->x.program->tokens && !f->stopped && cf->origin == f->origin;

   return cf->origin != SQ_NO_ORIGIN && !again && stops(f, until, cf->origin, f->x.active);
}

/* The first word of the group that a micro-operation of a clause is of. */
static uint32_t
group_of(const struct program *p, uint32_t origin)
{
   uint32_t low = 0, high = p->num_groups;

   while (high - low > 1) {
      const uint32_t mid = low + (high - low) / 2;

      if (p->groups[mid] <= origin)
         low = mid;
      else
         high = mid;
   }
   return high ? p->groups[low] : origin;
}

/* An observed ALU clause from f->resume on, a micro-operation at a time. */
static enum core_stop
go_through(struct flow *f, uint32_t n, const struct core_observer *until)
{
   struct exec *x = &f->x;
   const struct program *p = x->program;
   const struct uop_run run = p->lifted[n].clause;

   while (f->resume < run.first + run.count) {
      const struct uop *u = &p->code.uops[f->resume];
      const uint32_t origin = group_of(p, u->origin);

      if ((origin != f->origin || f->stopped) && stops(f, until, origin, x->lanes))
         return CORE_STOPPED;
      K(uop_step)(x, &p->code, u);
      f->resume += u->length;
      if (x->waits) {
         x->waits = false;
         return CORE_BARRIER;
      }
   }
   return CORE_DONE;
}

/* An observed fetch clause from f->resume on, an instruction at a time. */
static enum core_stop
fetch_through(struct flow *f, const struct sq_cf *cf, const struct core_observer *until)
{
   const struct fetch *fetches = f->x.program->fetches;

   for (; f->resume < cf->first_fetch + cf->num_fetches; f->resume++) {
      const struct fetch *fetch = &fetches[f->resume];

      if (fetch->origin && stops(f, until, fetch->origin, f->x.lanes))
         return CORE_STOPPED;
      K(sq_fetch_one)(&f->x, fetch);
   }
   return CORE_DONE;
}

/* What becomes of lanes that failed a predicate. */
V_INLINE void
leave(struct exec *x, uint64_t out, unsigned op)
{
   switch (op) {
   case UOP_FAIL_DEACTIVATE:
      x->active &= ~out;
      x->branch |= out;
      break;
   case UOP_FAIL_BREAK:
      x->active &= ~out;
      x->brk |= out;
      break;
   case UOP_FAIL_CONTINUE:
      x->active &= ~out;
      x->cont |= out;
      break;
   default:
      x->valid &= ~out;
      break;
   }
}

/* A clause that is quiet, or a test, for active lanes. */
V_INLINE void
quick_clause(struct exec *x, const struct sq_cf *cf)
{
   const struct program *p = x->program;
   const struct uop_run run = x->active == x->launch ? cf->plain : cf->masked;
   const struct bound_uop *u = p->bound.uops + run.first;

   if (!x->active)
      return;
   x->lanes = x->active;
   if (p->head.counts)
      sq_counts_alu(p->head.counts, cf->groups, cf->slots);
   if (cf->clause == SQ_CLAUSE_QUIET) {
      uop_run_bound(x, u, run.count);
   } else {
      u->fn(x, u);
      leave(x, x->active & ~x->pass[0], cf->test_op);
   }
}

static void
alu_after(struct flow *f, const struct sq_cf *cf)
{
   if (cf->op == CAYMAN_CF_ALU_POP_AFTER)
      pop(f, 1);
   else if (cf->op == CAYMAN_CF_ALU_POP2_AFTER)
      pop(f, 2);
   else if (cf->op == CAYMAN_CF_ALU_ELSE_AFTER)
      swap_branches(f, cf);
}

/* The end of a clause: what its predicates do to the execution mask, then what its instruction does
 * last. */
static void
alu_end(struct flow *f, const struct sq_cf *cf)
{
   struct exec *x = &f->x;
   if (x->lanes) {
      if (x->fail_pending)
         leave(x, x->fail & x->active, x->fail_op);
      if (x->fp_now != x->program->fp_single) {
         x->fp_single = x->fp_now = x->program->fp_single;
         x->fp_double = x->program->fp_double;
         _mm_setcsr(x->fp_now);
      }
   }

   alu_after(f, cf);
}

/* Goes on in clause f->cut, in which the wave waited or was stopped, or which it began slowly. */
static enum core_stop
rest_of_clause(struct flow *f, const struct core_observer *until)
{
   struct exec *x = &f->x;
   const uint32_t n = f->cut - 1;
   const struct sq_cf *cf = &x->program->cfs[n];
   const bool alu = cf->op != CAYMAN_CF_TC && cf->op != CAYMAN_CF_TC_ACK && cf->op != CAYMAN_CF_GDS;
   enum core_stop stop = CORE_DONE;

   if (!alu)
      stop = fetch_through(f, cf, until);
   else if (f->slow)
      stop = go_through(f, n, until);
   else if (!run_to_barrier(f, x->masked ? cf->masked : cf->plain,
                            x->program->bound.uops + f->resume))
      stop = CORE_BARRIER;
   if (stop != CORE_DONE)
      return stop;
   if (alu)
      alu_end(f, cf);
   f->cut = 0;
   return CORE_DONE;
}

/* Up to where the wave waits or stops in the clause. */
V_INLINE enum core_stop
alu_clause(struct flow *f, const struct sq_cf *cf, bool slow, const struct core_observer *until)
{
   struct exec *x = &f->x;
   if (cf->op == CAYMAN_CF_ALU_PUSH_BEFORE && !push(f, FRAME_PUSH, cf->whole_quad_mode ? 4 : 1))
      return CORE_DONE;
   if (cf->op == CAYMAN_CF_ALU_REACTIVATE_BEFORE) {
      reactivate(f);
      if (cf->whole_quad_mode)
         whole_quads(x);
   }

   x->lanes = x->active;
   if (cf->op == CAYMAN_CF_ALU_VALID_PIXEL_MODE)
      x->lanes &= x->valid;
   else if (cf->whole_quad_mode)
      x->lanes = lanes_whole_quads(x->active) & x->launch;
   x->masked = x->lanes != x->launch;

   if (x->lanes) {
      struct uop_run run = x->masked ? cf->masked : cf->plain;
      if (x->program->head.counts)
         sq_counts_alu(x->program->head.counts, cf->groups, cf->slots);
      x->pred = x->pred_next = 0;
      x->fail_pending = false;
      x->fail = 0;
      if (slow) {
         const struct program *p = x->program;
         const uint32_t n = (uint32_t)(cf - p->cfs);
         const struct uop_run prologue = p->lifted[n].prologue;

         for (uint32_t k = 0; k < prologue.count; k++)
            K(uop_step)(x, &p->code, &p->code.uops[prologue.first + k]);
         f->resume = p->lifted[n].clause.first;
         f->cut = n + 1;
         return rest_of_clause(f, until);
      }
      if (cf->prologue.count)
         run_uops(x, cf->prologue);
      if (cf->has_barrier) {
         if (!run_to_barrier(f, run, x->program->bound.uops + run.first)) {
            f->cut = (uint32_t)(cf - x->program->cfs) + 1;
            return CORE_BARRIER;
         }
      } else {
         run_uops(x, run);
      }
   }
   alu_end(f, cf);
   return CORE_DONE;
}

V_INLINE enum core_stop
fetch_clause(struct flow *f, const struct sq_cf *cf, bool slow, const struct core_observer *until)
{
   struct exec *x = &f->x;
   x->lanes = x->active;
   if (cf->valid_pixel_mode)
      x->lanes &= x->valid;
   if (!x->lanes)
      return CORE_DONE;
   if (x->program->head.counts)
      sq_counts_fetch(x->program->head.counts, cf->num_fetches);
   if (slow) {
      f->resume = cf->first_fetch;
      f->cut = (uint32_t)(cf - x->program->cfs) + 1;
      return rest_of_clause(f, until);
   }
   K(sq_fetch_clause)(x, cf);
   return CORE_DONE;
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

/* ------------------------------------------------------------------------------------------------
 * The wave
 */

/* JUMPTABLE: the JUMP after it that an index or a byte of a loop constant counts to; what counts
 * beyond the table, and a wave without lanes, go to its end. */
static uint32_t
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

/* The region that begins at `cf`, if the wave can go through it as one; NULL: one by one. */
static const struct sq_region *
region_at(const struct flow *f, const struct sq_cf *cf)
{
   const struct exec *x = &f->x;
   const struct sq_region *r = &x->program->regions[cf->region - 1];
   const bool room =
      f->depth + r->frames <= STACK_MAX && f->used + r->entries <= x->program->stack_entries * 4;

   return room && x->active && !x->program->head.counts ? r : NULL;
}

static uint64_t
budget_of(const struct core_wave *wave)
{
   const uint64_t budget = core_budget(wave);

   return budget ? budget : UINT64_C(1) << 32;
}

/* Up to where the wave waits, is stopped, has ended or faults.  `slow`, a constant: no regions, no
 * machine code, a micro-operation at a time. */
V_INLINE enum core_stop
run_flow(struct flow *f, bool slow, const struct core_observer *until)
{
   struct exec *x = &f->x;
   const struct program *p = x->program;
   struct core_wave *wave = x->wave;
   const uint64_t budget = budget_of(wave);
   uint32_t place = wave->fault_place;

   if (f->cut) {
      const enum core_stop stop = rest_of_clause(f, until);

      if (stop != CORE_DONE || f->fault)
         return stop;
   }
   if (slow)
      f->slow = true;
   for (uint32_t pc = f->pc;;) {
      if (pc >= p->num_cfs) {
         fault(f, "control flow leaves the program");
         wave->fault_place = place;
         return CORE_DONE;
      }
      const struct sq_cf *cf = &p->cfs[pc++];
      const struct sq_region *region = cf->region && !slow ? region_at(f, cf) : NULL;
      if (region) {
         if (!K(sq_run_region)(x, region, budget)) {
            fault(f, core_cut(wave, "cycle budget exhausted"));
            return CORE_DONE;
         }
         pc = region->end;
         continue;
      }
      if (slow && until && stops_at(f, until, cf)) {
         f->pc = pc - 1;
         wave->fault_place = place;
         return CORE_STOPPED;
      }
      const uint64_t cycles = wave->cycles + cf->cost;
      place = cf->pc;
      wave->cycles = cycles;
      if (cycles > budget || core_expired(wave->watch)) {
         fault(f, core_cut(wave, "cycle budget exhausted"));
         wave->fault_place = place;
         return CORE_DONE;
      }
      enum core_stop stop = CORE_DONE;

      switch (cf->op) {
      case CAYMAN_CF_ALU:
         if (!slow && cf->clause != SQ_CLAUSE_ANY) {
            quick_clause(x, cf);
            continue;
         }
         goto any_clause;
      case CAYMAN_CF_ALU_PUSH_BEFORE:
      case CAYMAN_CF_ALU_POP_AFTER:
      case CAYMAN_CF_ALU_POP2_AFTER:
      case CAYMAN_CF_ALU_ELSE_AFTER:
         if (!slow && cf->clause != SQ_CLAUSE_ANY) {
            if (cf->op != CAYMAN_CF_ALU_PUSH_BEFORE || push(f, FRAME_PUSH, 1))
               quick_clause(x, cf);
            alu_after(f, cf);
            break;
         }
         goto any_clause;
      case CAYMAN_CF_ALU_REACTIVATE_BEFORE:
      case CAYMAN_CF_ALU_VALID_PIXEL_MODE:
      any_clause:
         stop = alu_clause(f, cf, slow, until);
         if (stop != CORE_DONE)
            goto halted;
         break;
      case CAYMAN_CF_TC:
      case CAYMAN_CF_TC_ACK:
      case CAYMAN_CF_GDS:
         stop = fetch_clause(f, cf, slow, until);
         if (stop != CORE_DONE)
            goto halted;
         break;
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
         K(sq_export)(x, cf);
         break;
      case CAYMAN_CF_MEM_WR_SCRATCH:
         K(sq_scratch_write)(x, cf);
         break;
      case CAYMAN_CF_MEM_RING:
      case CAYMAN_CF_MEM_RING1:
      case CAYMAN_CF_MEM_RING2:
      case CAYMAN_CF_MEM_RING3:
         K(sq_ring_write)(x, cf);
         break;
      case CAYMAN_CF_MEM_RAT:
      case CAYMAN_CF_MEM_RAT_CACHELESS:
      case CAYMAN_CF_MEM_RAT_COMBINED:
      case CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS:
         K(sq_rat)(x, cf);
         break;
      case CAYMAN_CF_MEM_EXPORT:
      case CAYMAN_CF_MEM_EXPORT_COMBINED:
         K(sq_scatter_write)(x, cf);
         break;
      case CAYMAN_CF_GLOBAL_WAVE_SYNC:
         if (!K(sq_gws)(x, cf)) {
            f->pc = pc - 1;
            wave->fault_place = place;
            return CORE_WAITING;
         }
         wave->synced++;
         break;
      case CAYMAN_CF_EMIT_VERTEX:
      case CAYMAN_CF_EMIT_CUT_VERTEX:
      case CAYMAN_CF_CUT_VERTEX:
         K(sq_emit)(x, cf);
         break;
      case CAYMAN_CF_END:
         return CORE_DONE;

      case CAYMAN_CF_PUSH:
      case CAYMAN_CF_PUSH_WQM: {
         uint64_t pass = x->active & condition(f, cf);
         /* With the next instruction as its target, as the stock compiler writes it, there is
          * nothing to skip and the POP after it must find its frame. */
         if (!pass && cf->target != pc) {
            pop(f, cf->pop_count);
            pc = cf->target;
            break;
         }
         if (!push(f, FRAME_PUSH, cf->op == CAYMAN_CF_PUSH_WQM ? 4 : 1))
            break;
         x->branch |= x->active & ~pass;
         x->active = pass;
         if (cf->op == CAYMAN_CF_PUSH_WQM)
            whole_quads(x);
         break;
      }
      case CAYMAN_CF_JUMP:
         if (!(x->active & condition(f, cf))) {
            pop(f, cf->pop_count);
            pc = cf->target;
         }
         break;
      case CAYMAN_CF_JUMPTABLE:
         pc = table_jump(f, cf, pc);
         break;
      case CAYMAN_CF_JUMP_ANY:
         if (x->active & condition(f, cf)) {
            pop(f, cf->pop_count);
            pc = cf->target;
         }
         break;
      case CAYMAN_CF_ELSE:
      case CAYMAN_CF_ELSE_WQM:
         swap_branches(f, cf);
         if (cf->op == CAYMAN_CF_ELSE_WQM)
            whole_quads(x);
         if (!x->active) {
            pop(f, cf->pop_count);
            pc = cf->target;
         }
         break;
      case CAYMAN_CF_POP:
      case CAYMAN_CF_POP_WQM: {
         pop(f, cf->pop_count);
         uint64_t drop = x->active & ~condition(f, cf);
         x->active &= ~drop;
         x->branch |= drop;
         if (cf->op == CAYMAN_CF_POP_WQM)
            whole_quads(x);
         break;
      }
      case CAYMAN_CF_REACTIVATE:
      case CAYMAN_CF_REACTIVATE_WQM:
         reactivate(f);
         if (cf->op == CAYMAN_CF_REACTIVATE_WQM)
            whole_quads(x);
         break;
      case CAYMAN_CF_KILL:
         if (p->stage == SQ_STAGE_PS)
            x->valid &= ~(x->active & condition(f, cf));
         break;

      case CAYMAN_CF_LOOP_START:
      case CAYMAN_CF_LOOP_START_DX10:
      case CAYMAN_CF_LOOP_START_NO_AL:
         if (!loop_start(f, cf))
            pc = cf->target;
         break;
      case CAYMAN_CF_LOOP_END:
         if (loop_end(f))
            pc = cf->target;
         break;
      case CAYMAN_CF_LOOP_BREAK:
      case CAYMAN_CF_LOOP_CONTINUE:
         if (loop_leave(f, cf))
            pc = cf->target;
         break;

      case CAYMAN_CF_CALL:
         if (!(x->active & condition(f, cf)) || f->call_count + cf->count > CALL_MAX)
            break;
         if (f->num_calls == CALL_MAX) {
            fault(f, "too many calls");
            break;
         }
         f->calls[f->num_calls].to = pc;
         f->calls[f->num_calls].count = cf->count;
         f->calls[f->num_calls++].fetch = false;
         f->call_count += cf->count;
         pc = cf->target;
         break;
      case CAYMAN_CF_CALL_FS:
         if (f->num_calls == CALL_MAX || p->fs_entry == UINT32_MAX) {
            fault(f, "too many calls");
            break;
         }
         f->calls[f->num_calls].to = pc;
         f->calls[f->num_calls].count = 0;
         f->calls[f->num_calls++].fetch = true;
         pc = p->fs_entry;
         break;
      case CAYMAN_CF_RETURN:
         if (f->num_calls == 0) {
            fault(f, "RETURN outside a subroutine");
            break;
         }
         f->num_calls--;
         f->call_count -= f->calls[f->num_calls].count;
         pc = f->calls[f->num_calls].to;
         break;

      default:
         if (cf->op >= CAYMAN_CF_MEM_STREAM0_BUF0 && cf->op <= CAYMAN_CF_MEM_STREAM3_BUF3)
            K(sq_stream_write)(x, cf);
         break; /* NOP, WAIT_ACK and hints: this executor is in order */
      }
      if (f->fault) {
         wave->fault_place = place;
         return CORE_DONE;
      }
      continue;
   halted:
      f->pc = pc;
      wave->fault_place = place;
      return stop;
   }
}

static __attribute__((noinline)) enum core_stop
run_slowly(struct flow *f, const struct core_observer *until)
{
   return run_flow(f, true, until);
}

/* What a wave leaves where it does nothing.  False: it has nothing to do. */
static bool
begin(struct core_wave *wave)
{
   const struct sq_program *program = sq_program_of((const struct sq_bind *)wave->bind);

   sq_begin_outputs(wave->outputs);
   wave->cycles = 0;
   wave->faulted = wave->cut = false;
   wave->synced = 0;
   wave->fault = NULL;
   wave->fault_place = 0;
   if (program->core.error) {
      wave->faulted = true;
      wave->fault = program->core.error;
      wave->fault_place = program->core.error_place;
      return false;
   }
   if (!wave->active)
      return false;
   if (program->counts)
      sq_counts_wave(program->counts);
   return true;
}

static void
begin_flow(struct flow *flow, struct core_wave *wave, bool known)
{
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct program *p = (const struct program *)sq_program_of(bind);
   struct exec *x = &flow->x;

   flow->depth = flow->used = flow->num_calls = flow->call_count = 0;
   flow->fault = NULL;
   flow->pc = p->entry;
   flow->cut = 0;
   flow->stopped = flow->slow = false;
   flow->origin = UINT32_MAX;
   sq_begin(x, wave, flow->uni, known);
   x->oq = flow->oq;
   x->lds = wave->group ? wave->group->lds : NULL;
   x->lds_bytes = x->lds ? wave->group->lds_bytes : 0;
}

static bool
start(void *state, struct core_wave *wave)
{
   if (!begin(wave))
      return false;
   begin_flow(state, wave, false);
   return true;
}

/* What of the state is the wave's, its bind's or its program's. */
static void
find_addresses(struct flow *flow, struct core_wave *wave)
{
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct program *p = (const struct program *)sq_program_of(bind);
   struct exec *x = &flow->x;

   x->file = (uint8_t *)wave->rows;
   x->uni = flow->uni;
   x->oq = flow->oq;
   x->lds = wave->group ? wave->group->lds : NULL;
   x->code = p->bound.native;
   x->program = p;
   x->bind = bind;
   x->wave = wave;
   if (p->uses_parameters)
      uop_bind_coefficients(x, wave->coef);
}

static enum core_stop
go_on(struct flow *flow, const struct core_observer *until)
{
   struct exec *x = &flow->x;
   unsigned old = fp_enter(x->fp_now);
   enum core_stop stop =
      until || flow->slow ? run_slowly(flow, until) : run_flow(flow, false, NULL);
   fp_leave(old);

   x->wave->valid = x->valid;
   if (flow->fault) {
      x->wave->faulted = true;
      x->wave->fault = flow->fault;
      stop = CORE_FAULT;
   }
   return stop;
}

/* One that has been observed goes on as it was lifted: machine code may be in the midst of what it
 * has done. */
static enum core_stop
resume(void *state, struct core_wave *wave, const struct core_observer *until)
{
   struct flow *flow = state;

   find_addresses(flow, wave);
   return go_on(flow, until);
}

_Static_assert(sizeof(struct flow) <= CORE_KEPT_BYTES, "kept state has no room");

/* Not inline: its state is large. */
static __attribute__((noinline)) void
run_all(struct core_wave *wave)
{
   struct flow own, *flow = wave->kept ? (struct flow *)(void *)wave->kept->state : &own;

   begin_flow(flow, wave, wave->kept && wave->kept->ready);
   if (wave->kept)
      wave->kept->ready = true;
   enum core_stop stop;

   do
      stop = go_on(flow, NULL);
   while (stop == CORE_BARRIER); /* its group has nobody else */
   if (stop == CORE_WAITING) {
      wave->faulted = true;
      wave->fault = CORE_WAITS_ALONE;
   }
}

static void
run(struct core_wave *wave)
{
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct program *p = (const struct program *)sq_program_of(bind);

   const bool straight = p->straight && !wave->group && !p->head.counts;

   if (straight && core_kept_state(wave)) {
      K(sq_run_again)(wave, budget_of(wave));
      return;
   }
   if (!begin(wave))
      return;
   if (straight)
      K(sq_run_straight)(wave, budget_of(wave));
   else
      run_all(wave);
}

/* ------------------------------------------------------------------------------------------------
 * What is seen of a wave that is stopped
 */
#define LOOK_ROW(part, what)                               \
   if (n-- == 0) {                                         \
      core_seen_row(seen, part, (const uint32_t *)(what)); \
      return true;                                         \
   }
#define LOOK_MASK(part, what)           \
   if (n-- == 0) {                      \
      core_seen_mask(seen, part, what); \
      return true;                      \
   }
#define LOOK_VALUE(part, what)           \
   if (n-- == 0) {                       \
      core_seen_value(seen, part, what); \
      return true;                       \
   }

/* Registers, masks, address registers, then what it reads of constant buffers. */
static bool
look(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
{
   const struct flow *f = state;
   const struct exec *x = &f->x;
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct sq_program *p = sq_program_of(bind);
   char name[sizeof(seen->name)];

   if (n < 4 * p->num_gprs) {
      snprintf(name, sizeof(name), "R%u.%c", n / 4, "xyzw"[n % 4]);
      core_seen_row(seen, name, wave->rows[n]);
      return true;
   }
   n -= 4 * p->num_gprs;
   LOOK_MASK("launched", x->launch)
   LOOK_MASK("active", x->active)
   LOOK_MASK("valid", x->valid)
   LOOK_MASK("predicate", x->pred)
   LOOK_MASK("branch", x->branch)
   LOOK_MASK("continue", x->cont)
   LOOK_MASK("break", x->brk)
   LOOK_ROW("AR", x->ar)
   LOOK_VALUE("aL", (uint32_t)x->loop_index)
   LOOK_VALUE("CF_IDX0", (uint32_t)x->cf_idx[0])
   LOOK_VALUE("CF_IDX1", (uint32_t)x->cf_idx[1])
   LOOK_VALUE("LDS_SIZE", x->lds_bytes)
   LOOK_VALUE("bools", bind->bool_consts)
   if (n < 32) {
      snprintf(name, sizeof(name), "I%u", n);
      core_seen_value(seen, name, bind->loop_consts[n]);
      return true;
   }
   n -= 32;
   if (n >= p->num_consts)
      return false;
   snprintf(name, sizeof(name), "KC%u[%u].%c", p->consts[n].bank, p->consts[n].dword / 4,
            "xyzw"[p->consts[n].dword % 4]);
   core_seen_value(seen, name, bind->consts[n]);
   return true;
}

const struct core_engine K(sq_engine) = {
   .name = "cayman",
   .place = "CF",
   .origin = "dword",
   .state_bytes = sizeof(struct flow),
   .entry = sq_entry,
   .start = start,
   .resume = resume,
   .look = look,
   .run = run,
   .with_ring = K(sq_with_ring),
};

const struct core_engine K(sq_checked) = {
   .name = "cayman",
   .place = "CF",
   .origin = "dword",
   .state_bytes = CORE_STEP_HEAD + sizeof(struct flow),
   .entry = sq_entry,
   .with_ring = K(sq_with_ring),
   CORE_CHECKS(K(sq_engine)),
};
