/* SPDX-License-Identifier: MIT */
/*
 * Runs a wave of Valhall: four warps, a PC for each lane.
 *
 * Of the lanes that are live and not at a barrier, those with the least PC run together; while they
 * are below all others, nothing is looked up.  Control that leaves the program, or a budget that is
 * used up, is a fault of the wave.
 */
#include "valhall/exec.h"

#include <stdlib.h>

/* The table of values that are equal in all lanes. */
static uint32_t *
make_table(const struct vh_program *p, const struct vh_bind *bind)
{
   uint32_t *t = calloc(UNI_LITERALS + p->code.num_literals + 1, sizeof(*t));
   if (!t)
      return NULL;
   for (uint32_t i = 0; i < bind->num_uniforms && i < VALHALL_UNIFORMS; i++)
      t[UNI_FAU + i] = bind->uniforms[i];
   memcpy(&t[UNI_SPECIAL_0], bind->special_0, sizeof(bind->special_0));
   t[UNI_WORKGROUP] = (uint32_t)bind->workgroup_storage;
   t[UNI_WORKGROUP + 1] = (uint32_t)(bind->workgroup_storage >> 32);
   t[UNI_RESOURCES] = (uint32_t)bind->resources;
   t[UNI_RESOURCES + 1] = (uint32_t)(bind->resources >> 32);
   if (p->code.num_literals)
      memcpy(&t[UNI_LITERALS], p->code.literals, p->code.num_literals * sizeof(*t));
   return t;
}

/* Fills the rows behind the registers, and clears registers that hold no entry value. */
static void
fill_rows(const struct core_wave *wave, const struct vh_bind *bind)
{
   const uint32_t bytes = bind->core.scratch_bytes;
   const uint32_t first = wave->wave_in_group * WAVE_LANES;

   for (unsigned r = 0; r < VH_REGISTERS; r++)
      if (!core_entry_filled(bind->core.entry, r))
         lanes_clear(wave->rows[r]);
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      uint64_t pointer = bind->thread_storage + (uint64_t)(first + i) * bytes;
      wave->rows[ROW_LANE][i] = i % VALHALL_WARP;
      wave->rows[ROW_WARP][i] = (first + i) / VALHALL_WARP;
      wave->rows[ROW_THREAD][i] = (uint32_t)pointer;
      wave->rows[ROW_THREAD + 1][i] = (uint32_t)(pointer >> 32);
   }
   memset(wave->rows[ROW_TEMP], 0, (VH_ROWS - ROW_TEMP) * sizeof(*wave->rows));
}

static void
fault(struct vh_exec *e, uint32_t pc, const char *why)
{
   e->wave->faulted = true;
   e->wave->fault = why;
   e->wave->fault_place = pc;
   e->groups.count = e->waiting.count = 0;
}

/* Lanes of a condition that holds: it is not zero, of the part that `combine` says. */
static uint64_t
condition(const struct exec *x, const struct vh_step *step, uint64_t lanes)
{
   const struct uop_operand *c = &step->condition;
   const bool uniform = uop_is_uniform(c);
   const uint32_t at = c->kind == UOP_LITERAL ? UNI_LITERALS + c->at : c->at;
   const vu zero = vu_splat(0);
   uint64_t set = 0;

   for (unsigned i = 0; i < VECTORS; i++) {
      vu v = uniform ? vu_splat(x->uni[at]) : vu_load(x->file + c->at + i * (VW * 4));
      vm m;
      switch (step->combine) {
      case VALHALL_COMBINE_H0:
         m = vu_ne(v & vu_splat(0xffff), zero);
         break;
      case VALHALL_COMBINE_H1:
         m = vu_ne(vu_shr(v, 16), zero);
         break;
      case VALHALL_COMBINE_AND:
         m = vm_and(vu_ne(v & vu_splat(0xffff), zero), vu_ne(vu_shr(v, 16), zero));
         break;
      case VALHALL_COMBINE_LOWBITS:
         m = vu_ne(v & vu_splat(0x00010001), zero);
         break;
      default:
         m = vu_ne(v, zero);
         break;
      }
      set |= vm_to_lanes(m, i);
   }
   return (step->eq ? ~set : set) & lanes;
}

/* Runs the lanes from pc on while they stay together below `next`. */
static void
run_together(struct vh_exec *e, uint64_t lanes, uint32_t pc, uint32_t next)
{
   const struct vh_program *p = e->program;
   struct core_wave *wave = e->wave;
   const uint64_t budget = (wave->budget ? wave->budget : e->bind->core.budget) / WAVE_LANES;

   e->x.lanes = lanes;
   for (;;) {
      if (pc >= p->num_steps) {
         fault(e, pc, "control leaves the program");
         return;
      }
      const struct uop_block *block = &p->blocks.blocks[p->blocks.of[pc]];
      const uint64_t ran = wave->cycles / WAVE_LANES, left = ran > budget ? 0 : budget - ran;
      if (ran > budget || block->count > left) {
         wave->cycles += WAVE_LANES * (left + 1);
         fault(e, pc + (uint32_t)left, "the budget of instructions is used up");
         return;
      }
      wave->cycles += WAVE_LANES * (uint64_t)block->count;
      const struct uop_run *run = lanes == e->x.launch ? &block->plain : &block->masked;
      if (run->count)
         uop_run_bound(&e->x, p->bound.uops + run->first, run->count);
      pc += block->count;

      const struct vh_step *step = &p->steps[pc - 1];
      uint64_t taken = 0, stays = lanes;
      if (step->control == VH_BRANCH) {
         taken = condition(&e->x, step, lanes);
         if (taken && (step->target < 0 || step->target >= (int64_t)p->num_steps)) {
            fault(e, pc - 1, "a branch leaves the program");
            return;
         }
      } else if (step->control == VH_DISCARD) {
         wave->valid &= ~condition(&e->x, step, lanes);
      }
      /* The flow acts at the end of the instruction. */
      if (step->flow == VALHALL_FLOW_END)
         return;
      if (step->flow == VALHALL_FLOW_DISCARD) {
         lanes = stays = lanes & wave->valid;
         taken &= wave->valid;
      }
      if (step->control == VH_BARRIER) {
         lane_groups_add(&e->waiting, lanes, pc);
         return;
      }
      if (taken) {
         lane_groups_add(&e->groups, taken, (uint32_t)step->target);
         lane_groups_add(&e->groups, stays & ~taken, pc);
         return;
      }
      if (!lanes)
         return;
      e->x.lanes = lanes;
      if (pc >= next) {
         lane_groups_add(&e->groups, lanes, pc);
         return;
      }
   }
}

static bool
start(void *state, struct core_wave *wave)
{
   struct vh_exec *e = state;
   const struct vh_bind *bind = (const struct vh_bind *)wave->bind;
   const struct vh_program *program = (const struct vh_program *)bind->core.program;

   memset(&e->x, 0, sizeof(e->x));
   e->program = program;
   e->bind = bind;
   e->wave = wave;
   e->groups.count = e->waiting.count = 0;
   wave->cycles = 0;
   wave->faulted = wave->stuck = false;
   wave->synced = 0;
   wave->fault = NULL;
   wave->fault_place = 0;
   if (program->core.error) {
      fault(e, 0, program->core.error);
      return false;
   }
   fill_rows(wave, bind);
   e->x.file = (uint8_t *)wave->rows;
   e->x.launch = wave->active;
   e->x.code = program->bound.native;
   e->x.fp_single = e->x.fp_double = e->x.fp_now = FP_DEFAULT;
   lane_groups_add(&e->waiting, wave->active, 0);
   return wave->active != 0;
}

static bool
resume(void *state)
{
   struct vh_exec *e = state;
   uint32_t *table = make_table(e->program, e->bind);
   uint32_t pc, next;

   if (!table) {
      fault(e, 0, "no memory");
      return false;
   }
   e->x.uni = table;
   e->groups = e->waiting;
   e->waiting.count = 0;
   unsigned old = fp_enter(FP_DEFAULT);
   for (uint64_t lanes; (lanes = lane_groups_take(&e->groups, &pc, &next));)
      run_together(e, lanes, pc, next);
   fp_leave(old);
   free(table);
   return e->waiting.count != 0;
}

static void
run(struct core_wave *wave)
{
   struct vh_exec e;

   if (!start(&e, wave))
      return;
   while (resume(&e)) {
      /* Alone at a barrier. */
   }
}

/* What a Mali preloads for a compute program; other stages are launched by nobody. */
static const struct core_entry *
entry(const struct core_program *program, enum core_stage stage, const struct regs *r,
      struct core_entry *room)
{
   memset(room, 0, sizeof(*room));
   if (stage == CORE_COMPUTE) {
      core_entry_take(room, CORE_THREAD_XY, 55);
      core_entry_take(room, CORE_THREAD + 2, 56);
      for (unsigned c = 0; c < 3; c++) {
         core_entry_take(room, CORE_GROUP + c, 57 + c);
         core_entry_take(room, CORE_GLOBAL + c, 60 + c);
      }
   }
   return room;
}

static const struct core_engine engine = {
   .name = "valhall",
   .place = "instruction",
   .state_bytes = sizeof(struct vh_exec),
   .entry = entry,
   .start = start,
   .resume = resume,
   .run = run,
};

static struct core_program *
lift(const struct vh_source *source)
{
   const struct uop_bind_options options = {
      .native = !source->interpret,
      .first_temp = ROW_TEMP,
      .end_temp = VH_ROWS,
   };
   struct vh_program *p = vh_lift(source);

   if (!p)
      return NULL;
   p->core.engine = &engine;
   p->core.words_used = 2 * p->num_steps;
   if (!p->core.error && !K(uop_bind_blocks)(&p->code, &options, &p->blocks, &p->bound)) {
      vh_release(p);
      return NULL;
   }
   return &p->core;
}

static void
release(struct core_program *program)
{
   struct vh_program *p = (struct vh_program *)program;

   if (p) {
      K(uop_bound_free)(&p->bound);
      vh_release(p);
   }
}

const struct vh_kernels K(vh_kernels) = { lift, release };
