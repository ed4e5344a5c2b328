/* SPDX-License-Identifier: MIT */
/*
 * Waves with a PC for each lane: the loop of engines of such instruction sets.
 *
 * Of the lanes that are live and not at a barrier, those with the least PC run together
 * (lane_groups.h).  While they are below all others, nothing is looked up.  A program is a list of
 * steps, one an instruction; those that always run one after the other are a block.  A block is
 * charged to the wave's budget before it runs; an observed wave goes on by steps, and its observer
 * is asked before each.
 */
#ifndef ATOLL_CORE_LANE_FLOW_H
#define ATOLL_CORE_LANE_FLOW_H

#include "core/begin.h"
#include "core/lane_groups.h"

struct core_lane_flow {
   struct lane_groups groups;  /* lanes that have not ended, */
   struct lane_groups waiting; /* and those at a barrier; at the start, all */
   uint32_t first;             /* steps before the program's first instruction */
   bool slow;                  /* it has been observed, and goes on by steps */
   bool stopped;               /* before an instruction, */
   bool again;                 /* which its observer has been asked of */
};

/* What an engine does.  `state` is its own. */
struct core_lane_code {
   /* The block that begins at `pc`, and its steps; false: the program has no such step. */
   bool (*block)(const struct core_program *program, uint32_t pc, const void **block,
                 uint32_t *steps);
   /* Runs it, or its first step if `slow`, `count` steps from `pc` on: the lanes that go on to
    * pc + count.  Others were given to groups, or have ended. */
   uint64_t (*run)(void *state, struct core_wave *wave, const struct core_program *program,
                   const void *block, uint64_t lanes, uint32_t pc, uint32_t count, bool slow);
};

/* All lanes of the wave are at its first step. */
static inline void
core_lanes_begin(struct core_lane_flow *flow, const struct core_wave *wave, uint32_t first)
{
   flow->groups.count = flow->waiting.count = 0;
   flow->first = first;
   flow->slow = flow->stopped = flow->again = false;
   lane_groups_add(&flow->waiting, wave->active, 0);
}

/* The wave ends at step `pc`. */
static inline void
core_lanes_fault(struct core_lane_flow *flow, struct core_wave *wave, uint32_t pc, const char *why)
{
   wave->faulted = true;
   wave->fault = why;
   wave->fault_place = pc > flow->first ? pc - flow->first : 0;
   flow->groups.count = flow->waiting.count = 0;
}

/* Goes on: a wave that was stopped, or lanes at barriers, all at once. */
static inline void
core_lanes_resume(struct core_lane_flow *flow, const struct core_observer *until)
{
   flow->again = flow->stopped;
   flow->stopped = false;
   flow->slow |= until != NULL;
   if (flow->again)
      return;
   for (uint32_t n = 0; n < flow->waiting.count; n++)
      lane_groups_add(&flow->groups, flow->waiting.lanes[n], flow->waiting.pc[n]);
   flow->waiting.count = 0;
}

/* Whether an observed wave stops before the instruction at `pc`.  It is asked once. */
static inline bool
core_lanes_stop(struct core_lane_flow *flow, struct core_wave *wave, uint64_t lanes, uint32_t pc,
                const struct core_observer *until)
{
   flow->stopped = !flow->again && until && pc >= flow->first &&
                   core_stops(until, wave, pc - flow->first, lanes);
   flow->again = false;
   if (flow->stopped)
      lane_groups_add(&flow->groups, lanes, pc);
   return flow->stopped;
}

/* Charges `count` steps from `pc` on.  False: the budget has not as many left, or time is up. */
static inline __attribute__((always_inline)) bool
core_lanes_charge(struct core_lane_flow *flow, struct core_wave *wave, uint64_t budget, uint32_t pc,
                  uint32_t count)
{
   const uint64_t ran = wave->cycles / WAVE_LANES, left = ran > budget ? 0 : budget - ran;

   if (core_expired(wave->watch)) {
      core_lanes_fault(flow, wave, pc, core_cut(wave, ""));
      return false;
   }
   if (ran > budget || count > left) {
      wave->cycles += WAVE_LANES * (left + 1);
      core_lanes_fault(flow, wave, pc + (uint32_t)left,
                       core_cut(wave, "the budget of instructions is used up"));
      return false;
   }
   wave->cycles += WAVE_LANES * (uint64_t)count;
   return true;
}

/* Up to where all lanes are at barriers or have ended, the wave is stopped or faults.  `slow` and
 * `code` are constants. */
static inline __attribute__((always_inline)) void
core_lanes_run(struct core_lane_flow *flow, struct core_wave *wave, void *state,
               const struct core_lane_code code, bool slow, const struct core_observer *until)
{
   const struct core_program *program = wave->bind->program;
   const uint64_t budget = core_budget(wave) / WAVE_LANES;
   uint32_t pc, next;

   for (uint64_t lanes; (lanes = lane_groups_take(&flow->groups, &pc, &next));) {
      do {
         uint32_t count;
         const void *block;

         if (!code.block(program, pc, &block, &count)) {
            core_lanes_fault(flow, wave, pc, "control leaves the program");
            return;
         }
         if (slow) {
            count = 1;
            if (core_lanes_stop(flow, wave, lanes, pc, until))
               return;
         }
         if (!core_lanes_charge(flow, wave, budget, pc, count))
            return;
         lanes = code.run(state, wave, program, block, lanes, pc, count, slow);
         pc += count;
      } while (lanes && pc < next);
      lane_groups_add(&flow->groups, lanes, pc);
   }
}

/* What the wave came to. */
static inline enum core_stop
core_lanes_end(const struct core_lane_flow *flow, const struct core_wave *wave)
{
   return flow->stopped         ? CORE_STOPPED
          : flow->waiting.count ? CORE_BARRIER
          : wave->faulted       ? CORE_FAULT
                                : CORE_DONE;
}

#endif
