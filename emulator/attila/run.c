/* SPDX-License-Identifier: MIT */
/*
 * Runs a wave of ATTILA.  Control that leaves the program, or a budget that is used up, is a fault
 * of the wave.
 */
#include "attila/exec.h"

#include <stdlib.h>

static void
fault(struct at_exec *e, uint32_t pc, const char *why)
{
   e->wave->faulted = true;
   e->wave->fault = why;
   e->wave->fault_pc = pc;
}

/* Lanes in which a boolean operand holds. */
static uint64_t
holds(const struct at_exec *e, const struct at_bool *b)
{
   uint64_t lanes = 0;

   switch (b->kind) {
   case AT_BOOL_PREDICATE:
      lanes = e->preds[b->at];
      break;
   case AT_BOOL_UNIFORM:
      lanes = *(const uint32_t *)((const uint8_t *)e->x.uni + b->at) << 1 ? ~UINT64_C(0) : 0;
      break;
   case AT_BOOL_ROW: {
      const uint32_t *row = (const uint32_t *)(e->x.file + b->at);
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         lanes |= (uint64_t)(row[lane] << 1 != 0) << lane;
      break;
   }
   default:
      break;
   }
   return b->invert ? ~lanes : lanes;
}

/* Runs the lanes from pc on while they stay together below `next`; false: a fault.  Lanes that end
 * are in no group any more. */
static bool
run_together(struct at_exec *e, uint64_t lanes, uint32_t pc, uint32_t next)
{
   const struct at_lifted *p = e->program;

   while (pc < next) {
      if (pc >= p->num_steps) {
         fault(e, pc, "control leaves the program");
         return false;
      }
      const struct uop_block *block = &p->blocks.blocks[p->blocks.of[pc]];
      uint64_t left = e->wave->bind->budget - e->wave->instructions;
      if (e->wave->instructions > e->wave->bind->budget || block->count > left) {
         e->wave->instructions += left + 1;
         fault(e, pc + (uint32_t)left, "the budget of instructions is used up");
         return false;
      }
      e->wave->instructions += block->count;
      pc += block->count;
      const struct at_step *step = &p->steps[pc - 1];
      e->x.lanes = lanes;
      if (step->predicated)
         e->x.lanes &= step->invert_pred ? ~e->preds[step->pred] : e->preds[step->pred];
      const struct uop_run *run = e->x.lanes == e->x.launch ? &block->plain : &block->masked;
      if (e->x.lanes && run->count)
         uop_run_bound(&e->x, p->bound.uops + run->first, run->count);
      uint64_t taken = 0;
      if (step->control != AT_NEXT) {
         taken = e->x.lanes & holds(e, &step->operand[0]);
         if (step->control == AT_AND) {
            uint64_t value = taken & holds(e, &step->operand[1]);
            value ^= step->invert ? e->x.lanes : 0;
            e->preds[step->result] = (e->preds[step->result] & ~e->x.lanes) | value;
            taken = 0;
         }
      }
      if (step->end)
         return true;
      if (taken) {
         lane_groups_add(&e->groups, lanes & ~taken, pc);
         lane_groups_add(&e->groups, taken, step->target);
         return true;
      }
   }
   lane_groups_add(&e->groups, lanes, pc);
   return true;
}

static void
run(const struct at_program *program, struct at_wave *wave)
{
   const struct at_lifted *p = (const struct at_lifted *)program;
   const struct at_bind *bind = wave->bind;
   struct at_exec e = { .program = p, .wave = wave };

   wave->depth_lanes = 0;
   wave->instructions = 0;
   wave->faulted = false;
   wave->fault = NULL;
   wave->fault_pc = 0;
   if (program->error) {
      fault(&e, 0, program->error);
      return;
   }
   uint32_t *table = calloc(AT_UNI_LITERALS + p->code.num_literals, sizeof(*table));
   if (!table) {
      fault(&e, 0, "no memory");
      return;
   }
   uint32_t constants = bind->num_constants;
   if (constants > ATTILA_CONSTANTS)
      constants = ATTILA_CONSTANTS;
   if (constants)
      memcpy(table + AT_UNI_CONSTANTS, bind->constants, 16 * (size_t)constants);
   if (p->code.num_literals)
      memcpy(table + AT_UNI_LITERALS, p->code.literals, 4 * (size_t)p->code.num_literals);

   e.x.file = (uint8_t *)wave->file;
   e.x.uni = table;
   e.x.launch = wave->active;
   e.x.dx10_clamp = true;
   e.x.code = p->bound.native;
   e.x.fp_single = e.x.fp_double = e.x.fp_now = FP_DEFAULT;
   unsigned old = fp_enter(FP_DEFAULT);
   uint32_t pc, next;
   lane_groups_add(&e.groups, wave->active, 0);
   for (uint64_t lanes; (lanes = lane_groups_take(&e.groups, &pc, &next));) {
      if (!run_together(&e, lanes, pc, next))
         break;
   }
   fp_leave(old);
   free(table);
}

static struct at_program *
lift(const struct at_source *source)
{
   struct at_lifted *p = at_lift(source);

   if (!p)
      return NULL;
   const struct uop_bind_options options = {
      .native = !source->interpret,
      .dx10_clamp = true,
      .first_temp = p->temp_row + AT_TEMPS,
      .end_temp = p->temp_row + AT_EXTRA_ROWS,
   };
   if (!p->head.error && !K(uop_bind_blocks)(&p->code, &options, &p->blocks, &p->bound)) {
      at_release(p);
      return NULL;
   }
   return &p->head;
}

static void
release(struct at_program *program)
{
   struct at_lifted *p = (struct at_lifted *)program;

   if (p) {
      K(uop_bound_free)(&p->bound);
      at_release(p);
   }
}

const struct at_kernels K(at_kernels) = { lift, release, run };
