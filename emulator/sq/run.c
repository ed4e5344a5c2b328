/* SPDX-License-Identifier: MIT */
/*
 * Runs a wave: the control-flow engine with Cayman's lane states and stack (HD 6900 ISA guide 3.6,
 * 3.7; stack.h), clauses through their micro-operations (clause.h).
 *
 * Of the guide's contradictions: JUMP and ELSE pop only when they jump; BREAK and CONTINUE jump
 * only when every lane of the loop is done with the iteration, and then unwind the stack to the
 * loop.
 */
#include "core/step.h"
#include "sq/begin.h"
#include "sq/clause.h"

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
      if (slow && until && K(sq_stops)(f, until, cf)) {
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

      if (slow && until)
         K(sq_tell_moves)(x, cf);
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
      case CAYMAN_CF_PUSH_WQM:
         pc = begin_branch(f, cf, pc);
         break;
      case CAYMAN_CF_JUMP:
         pc = x->active & condition(f, cf) ? pc : pop_and_jump(f, cf);
         break;
      case CAYMAN_CF_JUMPTABLE:
         pc = table_jump(f, cf, pc);
         break;
      case CAYMAN_CF_JUMP_ANY:
         pc = x->active & condition(f, cf) ? pop_and_jump(f, cf) : pc;
         break;
      case CAYMAN_CF_ELSE:
      case CAYMAN_CF_ELSE_WQM:
         swap_branches(f, cf);
         if (cf->op == CAYMAN_CF_ELSE_WQM)
            whole_quads(x);
         pc = x->active ? pc : pop_and_jump(f, cf);
         break;
      case CAYMAN_CF_POP:
      case CAYMAN_CF_POP_WQM:
         end_branch(f, cf);
         break;
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
         if ((x->active & condition(f, cf)) && f->call_count + cf->count <= CALL_MAX)
            pc = call(f, cf->target, cf->count, pc);
         break;
      case CAYMAN_CF_CALL_FS:
         pc = call(f, p->fs_entry, 0, pc);
         break;
      case CAYMAN_CF_RETURN:
         pc = go_back(f, pc);
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

   core_begin_outputs(wave->outputs);
   if (!core_begin_wave(wave) || !wave->active)
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

static void
find_addresses(struct flow *flow, struct core_wave *wave)
{
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct program *p = (const struct program *)sq_program_of(bind);
   struct exec *x = &flow->x;

   sq_find_addresses(x, wave, p, flow->uni);
   x->oq = flow->oq;
   x->lds = wave->group ? wave->group->lds : NULL;
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
   flow->x.watcher = core_watcher(until);
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

#define ENGINE(isa)                                                                        \
   {                                                                                       \
      .name = isa, .place = "CF", .origin = "dword", .state_bytes = sizeof(struct flow),   \
      .entry = sq_entry, .start = start, .resume = resume, .look = K(sq_look), .run = run, \
      .with_ring = K(sq_with_ring),                                                        \
   }
#define CHECKED(isa, engine)                                                  \
   {                                                                          \
      .name = isa, .place = "CF", .origin = "dword",                          \
      .state_bytes = CORE_STEP_HEAD + sizeof(struct flow), .entry = sq_entry, \
      .with_ring = K(sq_with_ring), CORE_CHECKS(engine),                      \
   }

const struct core_engine K(sq_engines)[CAYMAN_VLIWS] = {
   [CAYMAN_VLIW4] = ENGINE("cayman"),
   [CAYMAN_VLIW5] = ENGINE("evergreen"),
   [CAYMAN_R700] = ENGINE("r700"),
   [CAYMAN_R600] = ENGINE("r600"),
};
const struct core_engine K(sq_checked_engines)[CAYMAN_VLIWS] = {
   [CAYMAN_VLIW4] = CHECKED("cayman", K(sq_engines)[CAYMAN_VLIW4]),
   [CAYMAN_VLIW5] = CHECKED("evergreen", K(sq_engines)[CAYMAN_VLIW5]),
   [CAYMAN_R700] = CHECKED("r700", K(sq_engines)[CAYMAN_R700]),
   [CAYMAN_R600] = CHECKED("r600", K(sq_engines)[CAYMAN_R600]),
};
