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
   if (!t) {
      return NULL;
   }
   for (uint32_t i = 0; i < bind->num_uniforms && i < VALHALL_UNIFORMS; i++) {
      t[UNI_FAU + i] = bind->uniforms[i];
   }
   memcpy(&t[UNI_SPECIAL_0], bind->special_0, sizeof(bind->special_0));
   t[UNI_WORKGROUP] = (uint32_t)bind->workgroup_storage;
   t[UNI_WORKGROUP + 1] = (uint32_t)(bind->workgroup_storage >> 32);
   t[UNI_RESOURCES] = (uint32_t)bind->resources;
   t[UNI_RESOURCES + 1] = (uint32_t)(bind->resources >> 32);
   if (p->code.num_literals) {
      memcpy(&t[UNI_LITERALS], p->code.literals, p->code.num_literals * sizeof(*t));
   }
   return t;
}

static void
start(struct vh_wave *wave)
{
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      uint64_t pointer = wave->bind->thread_storage + (uint64_t)i * wave->bind->thread_bytes;
      wave->file[ROW_LANE][i] = i % VALHALL_WARP;
      wave->file[ROW_WARP][i] = wave->first_warp + i / VALHALL_WARP;
      wave->file[ROW_THREAD][i] = (uint32_t)pointer;
      wave->file[ROW_THREAD + 1][i] = (uint32_t)(pointer >> 32);
   }
   memset(wave->file[ROW_TEMP], 0, (VH_ROWS - ROW_TEMP) * sizeof(*wave->file));
   wave->groups.count = wave->waiting.count = 0;
   lane_groups_add(&wave->waiting, wave->active, 0);
   wave->started = true;
}

static void
fault(struct vh_wave *wave, uint32_t pc, const char *why)
{
   wave->faulted = true;
   wave->fault = why;
   wave->fault_pc = pc;
   wave->groups.count = wave->waiting.count = 0;
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
   struct vh_wave *wave = e->wave;

   e->x.lanes = lanes;
   for (;;) {
      if (pc >= p->num_steps) {
         fault(wave, pc, "control leaves the program");
         return;
      }
      const struct uop_block *block = &p->blocks.blocks[p->blocks.of[pc]];
      uint64_t left = wave->bind->budget - wave->instructions;
      if (wave->instructions > wave->bind->budget || block->count > left) {
         wave->instructions += left + 1;
         fault(wave, pc + (uint32_t)left, "the budget of instructions is used up");
         return;
      }
      wave->instructions += block->count;
      const struct uop_run *run = lanes == e->x.launch ? &block->plain : &block->masked;
      if (run->count) {
         uop_run_bound(&e->x, p->bound.uops + run->first, run->count);
      }
      pc += block->count;

      const struct vh_step *step = &p->steps[pc - 1];
      uint64_t taken = 0, stays = lanes;
      if (step->control == VH_BRANCH) {
         taken = condition(&e->x, step, lanes);
         if (taken && (step->target < 0 || step->target >= (int64_t)p->num_steps)) {
            fault(wave, pc - 1, "a branch leaves the program");
            return;
         }
      } else if (step->control == VH_DISCARD) {
         wave->valid &= ~condition(&e->x, step, lanes);
      }
      /* The flow acts at the end of the instruction. */
      if (step->flow == VALHALL_FLOW_END) {
         return;
      }
      if (step->flow == VALHALL_FLOW_DISCARD) {
         lanes = stays = lanes & wave->valid;
         taken &= wave->valid;
      }
      if (step->control == VH_BARRIER) {
         lane_groups_add(&wave->waiting, lanes, pc);
         return;
      }
      if (taken) {
         lane_groups_add(&wave->groups, taken, (uint32_t)step->target);
         lane_groups_add(&wave->groups, stays & ~taken, pc);
         return;
      }
      if (!lanes) {
         return;
      }
      e->x.lanes = lanes;
      if (pc >= next) {
         lane_groups_add(&wave->groups, lanes, pc);
         return;
      }
   }
}

bool
K(vh_run)(const struct vh_program *program, struct vh_wave *wave)
{
   struct vh_exec e = { .program = program, .wave = wave };
   if (!wave->started) {
      start(wave);
      if (program->error) {
         fault(wave, 0, program->error);
      }
   }
   uint32_t *table = make_table(program, wave->bind);
   if (!table) {
      fault(wave, 0, "no memory");
      return false;
   }
   e.x.file = (uint8_t *)wave->file;
   e.x.uni = table;
   e.x.launch = wave->active;
   e.x.code = program->bound.native;
   e.x.fp_single = e.x.fp_double = e.x.fp_now = FP_DEFAULT;
   unsigned old = fp_enter(FP_DEFAULT);
   wave->groups = wave->waiting;
   wave->waiting.count = 0;
   uint32_t pc, next;
   for (uint64_t lanes; (lanes = lane_groups_take(&wave->groups, &pc, &next));) {
      run_together(&e, lanes, pc, next);
   }
   fp_leave(old);
   free(table);
   return wave->waiting.count != 0;
}

static struct vh_program *
lift(const struct vh_source *source)
{
   const struct uop_bind_options options = {
      .native = !source->interpret,
      .first_temp = ROW_TEMP,
      .end_temp = VH_ROWS,
   };
   struct vh_program *p = vh_lift(source);

   if (p && !p->error && !K(uop_bind_blocks)(&p->code, &options, &p->blocks, &p->bound)) {
      vh_release(p);
      return NULL;
   }
   return p;
}

static void
release(struct vh_program *program)
{
   if (program) {
      K(uop_bound_free)(&program->bound);
      vh_release(program);
   }
}

static const char *
error(const struct vh_program *program)
{
   return program->error;
}

const struct vh_kernels K(vh_kernels) = { lift, release, error, K(vh_run) };
