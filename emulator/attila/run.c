/* SPDX-License-Identifier: MIT */
/*
 * Runs a wave of ATTILA.  Control that leaves the program, or a budget that is used up, is a fault
 * of the wave.
 */
#include "attila/exec.h"
#include "core/step.h"
#include "uop/run_block.h"

#include <stdlib.h>

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

V_INLINE bool
block_at(const struct core_program *program, uint32_t pc, const void **block, uint32_t *steps)
{
   const struct at_lifted *p = (const struct at_lifted *)program;

   return pc < p->num_steps && uop_block_at(&p->blocks, pc, block, steps);
}

/* A block, or one instruction (core_lane_code.run).  A predicated one is a block by itself. */
V_INLINE uint64_t
run_block(void *state, struct core_wave *wave, const struct core_program *program,
          const void *block, uint64_t lanes, uint32_t pc, uint32_t count, bool slow)
{
   struct at_exec *e = state;
   (void)wave;
   const struct at_lifted *p = (const struct at_lifted *)program;
   const struct at_step *step = &p->steps[pc + count - 1];
   uint64_t taken = 0;

   e->x.lanes = lanes;
   if (step->predicated)
      e->x.lanes &= step->invert_pred ? ~e->preds[step->pred] : e->preds[step->pred];
   if (slow && e->x.lanes)
      uop_step_run(&e->x, &p->code, step->first, step->count);
   else if (!slow && e->x.lanes)
      uop_run_block(&e->x, &p->bound, block);
   if (step->control != AT_NEXT)
      taken = e->x.lanes & holds(e, &step->operand[0]);
   if (step->control == AT_AND) {
      uint64_t value = taken & holds(e, &step->operand[1]);
      value ^= step->invert ? e->x.lanes : 0;
      e->preds[step->result] = (e->preds[step->result] & ~e->x.lanes) | value;
      taken = 0;
   }
   if (step->end)
      return 0;
   if (!taken)
      return lanes;
   lane_groups_add(&e->flow.groups, lanes & ~taken, pc + count);
   lane_groups_add(&e->flow.groups, taken, step->target);
   return 0;
}

static const struct core_lane_code code = { block_at, run_block };

static void
run_groups(struct at_exec *e)
{
   core_lanes_run(&e->flow, e->wave, e, code, false, NULL);
}

static __attribute__((noinline)) void
run_slowly(struct at_exec *e, const struct core_observer *until)
{
   core_lanes_run(&e->flow, e->wave, e, code, true, until);
}

static void
clear_rows(const struct at_exec *e)
{
   const struct at_lifted *p = e->program;

   for (uint32_t n = 0; n < p->num_cleared; n++)
      if (!core_entry_filled(e->bind->core.entry, p->cleared[n]))
         lanes_clear(e->wave->rows[p->cleared[n]]);
}

static bool
start(void *state, struct core_wave *wave)
{
   struct at_exec *e = state;
   const struct at_bind *bind = (const struct at_bind *)wave->bind;
   const struct at_lifted *p = (const struct at_lifted *)bind->core.program;

   uop_begin(&e->x);
   memset(e->preds, 0, sizeof(e->preds));
   core_lanes_begin(&e->flow, wave, p->first_step);
   e->program = p;
   e->bind = bind;
   e->wave = wave;
   wave->outputs->depth_lanes = 0;
   core_begin_outputs(wave->outputs);
   if (!core_begin_wave(wave))
      return false;
   clear_rows(e);
   return wave->active != 0;
}

/* Constants that are the host's, of a program without a pipeline. */
static uint32_t *
own_table(const struct at_lifted *p, const struct at_bind *bind)
{
   const uint32_t half = 4 * ATTILA_CONSTANTS / 2;
   const uint32_t all = bind->num_constants < ATTILA_CONSTANTS ? 4 * bind->num_constants : 2 * half;
   const uint32_t *const from[2] = { bind->constants, all > half ? bind->constants + half : NULL };
   const uint32_t dwords[2] = { all < half ? all : half, all > half ? all - half : 0 };
   uint32_t *table = malloc(p->head.table_dwords * sizeof(*table));

   if (table)
      at_fill_table(&p->head, from, dwords, table);
   return table;
}

/* --- what leaves a wave of the pipeline --- */

static uint32_t *
output(const struct at_exec *e, unsigned reg, unsigned c)
{
   return e->wave->rows[e->program->head.output_row + 4 * reg + c];
}

static void
give(const struct at_exec *e, unsigned reg, wave_lane to[4])
{
   for (unsigned c = 0; c < 4; c++)
      lanes_copy(to[c], output(e, reg, c));
}

static void
give_vertices(const struct at_exec *e)
{
   const struct at_program *p = &e->program->head;
   struct core_outputs *out = e->wave->outputs;

   out->pos_written = out->param_written = 0;
   for (unsigned n = 0; n < p->num_outputs && n < AT_VERTEX_OUTPUTS + AT_PARAMETERS; n++) {
      if (!p->output_mask[n])
         continue;
      if (n < AT_VERTEX_OUTPUTS) {
         give(e, n, out->pos[n]);
         out->pos_written |= 1u << n;
      } else {
         give(e, n, out->param[n - AT_VERTEX_OUTPUTS]);
         out->param_written |= 1u << (n - AT_VERTEX_OUTPUTS);
      }
   }
}

static void
give_pixels(const struct at_exec *e)
{
   const struct at_program *p = &e->program->head;
   struct core_outputs *out = e->wave->outputs;

   for (unsigned n = 0; n < p->num_outputs && n < 8; n++) {
      if (!p->output_mask[n])
         continue;
      if (!e->wave->keeps_rows)
         give(e, n, out->mrt[n]);
      for (unsigned c = 0; c < 4; c++)
         out->left[n][c] = e->wave->keeps_rows ? output(e, n, c) : NULL;
      out->mrt_written |= 1u << n;
      out->component_mask[n] = p->output_mask[n];
   }
   if (p->kills_samples) {
      const uint8_t *killed = (const uint8_t *)e->wave->rows[p->kill_row];

      for (unsigned i = 0; i < VECTORS; i++)
         vu_store((uint8_t *)out->z[2] + i * (VW * 4), ~vu_load(killed + i * (VW * 4)));
   }
   out->z_written = p->depth || p->kills_samples;
   out->component_mask[8] = (uint8_t)(p->depth | p->kills_samples << 2);
   out->lanes = e->wave->valid & e->wave->active;
}

static void
give_outputs(const struct at_exec *e)
{
   if (e->program->pixel)
      give_pixels(e);
   else
      give_vertices(e);
}

static void
begin_lanes(struct at_exec *e)
{
   e->x.launch = e->wave->active;
   e->x.one_primitive = e->wave->one_primitive;
   if (e->program->first_step)
      uop_bind_coefficients(&e->x, e->wave->coef);
}

/* What of the state is the wave's, its bind's or its program's. */
static void
find_addresses(struct at_exec *e, struct core_wave *wave)
{
   e->bind = (const struct at_bind *)wave->bind;
   e->program = (const struct at_lifted *)wave->bind->program;
   e->wave = e->x.wave = wave;
   e->x.file = (uint8_t *)wave->rows;
   e->x.code = e->program->bound.native;
}

/* Nothing in the instruction set waits. */
static enum core_stop
resume(void *state, struct core_wave *wave, const struct core_observer *until)
{
   struct at_exec *e = state;

   find_addresses(e, wave);
   e->x.watcher = core_watcher(until);

   const struct at_lifted *p = e->program;
   const struct at_bind *bind = e->bind;
   uint32_t *table = bind->table ? NULL : own_table(p, bind);

   if (!table && !bind->table) {
      core_lanes_fault(&e->flow, wave, 0, "no memory");
      return CORE_FAULT;
   }
   e->x.uni = table ? table : (uint32_t *)bind->table; /* nothing of ATTILA's writes there */
   e->x.dx10_clamp = true;
   e->x.fp_single = e->x.fp_double = e->x.fp_now = FP_DEFAULT;
   begin_lanes(e);
   core_lanes_resume(&e->flow, until);
   unsigned old = fp_enter(FP_DEFAULT);
   if (e->flow.slow)
      run_slowly(e, until);
   else
      run_groups(e);
   fp_leave(old);
   free(table);

   const enum core_stop stop = core_lanes_end(&e->flow, wave);

   if (stop == CORE_DONE && p->pipeline)
      give_outputs(e);
   return stop;
}

/* What the next wave of the draw finds (struct core_kept): all but lanes and addresses. */
struct kept {
   struct at_exec e;
   unsigned outside; /* the mode of arithmetic that callers have, but for its flags */
   struct uop_whole whole;
};

_Static_assert(sizeof(struct kept) <= CORE_KEPT_BYTES, "kept state has no room");

static void
run_again(struct kept *k, struct core_wave *wave)
{
   struct at_exec *e = &k->e;

   find_addresses(e, wave);
   e->x.uni = (uint32_t *)e->bind->table;
   wave->cycles = 0;
   wave->outputs->depth_lanes = 0;
   memset(e->preds, 0, sizeof(e->preds));
   clear_rows(e);
   begin_lanes(e);
   /* Some processors wait for all that is under way before they change or tell it. */
   if (k->outside != FP_DEFAULT)
      _mm_setcsr(FP_DEFAULT);
   if (!uop_whole_run(&k->whole, &e->x, &e->program->bound)) {
      lane_groups_add(&e->flow.groups, e->x.launch, 0);
      run_groups(e);
   }
   if (k->outside != FP_DEFAULT)
      _mm_setcsr(k->outside);
   if (wave->faulted)
      wave->outputs->lanes = 0;
   else
      give_outputs(e);
}

static void
run(struct core_wave *wave)
{
   struct at_exec own;

   if (!wave->kept) {
      if (start(&own, wave))
         resume(&own, wave, NULL);
      return;
   }
   struct kept *k = core_kept_state(wave);

   if (k) {
      run_again(k, wave);
      wave->kept->ready = !wave->faulted;
      return;
   }
   k = (struct kept *)(void *)wave->kept->state;
   wave->kept->ready = false;
   if (!start(&k->e, wave))
      return;
   resume(&k->e, wave, NULL);
   k->outside = _mm_getcsr() & ~FP_FLAGS;

   const struct at_lifted *p = k->e.program;
   const struct at_step *last = &p->steps[p->num_steps - 1];

   uop_whole_keep(&k->whole, wave, p->blocks.blocks,
                  p->blocks.count == 1 && last->end && last->control == AT_NEXT &&
                     !last->predicated);
   wave->kept->ready =
      k->e.bind->table && k->e.program->pixel && k->e.program->pipeline && !wave->faulted;
}

static void
take_input(struct core_entry *entry, const struct at_program *p, unsigned reg, unsigned comp,
           unsigned value)
{
   if (p->input[reg])
      core_entry_take(entry, value, 4u * (p->input[reg] - 1u) + comp);
}

/* As docs/attila-chip.rst has it. */
static void
place_entry(struct core_entry *entry, const struct at_program *p)
{
   memset(entry, 0, sizeof(*entry));
   if (!p->pixel) {
      take_input(entry, p, 0, 0, CORE_VERTEX_INDEX);
      take_input(entry, p, 0, 1, CORE_INSTANCE);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      take_input(entry, p, 0, c, CORE_POSITION + c);
   take_input(entry, p, 1, 0, CORE_FACE);
   take_input(entry, p, 1, 1, CORE_COVERED);
   for (unsigned pair = 0; pair < AT_NUM_PAIRS; pair++) {
      bool read = false;
      for (unsigned n = 0; n < AT_PARAMETERS; n++)
         read |= p->input[AT_PIXEL_INPUTS + AT_PARAMETERS * pair + n] != 0;
      for (unsigned k = 0; read && k < 2; k++)
         core_entry_take(entry, CORE_BARYCENTRIC + 2u * at_pairs[pair] + k,
                         p->barycentric_row + 2 * pair + k);
   }
}

/* The document has vertex and fragment threads; for others, a contract of our own
 * (tools/machine_attila.c) has the position in i0 and i1. */
static const struct core_entry *
entry(const struct core_program *program, enum core_stage stage, const struct core_layout *layout,
      struct core_entry *room)
{
   const struct at_program *p = (const struct at_program *)program;
   const uint32_t inputs = p->num_inputs;

   if (p->pipeline)
      return &p->entry;
   memset(room, 0, sizeof(*room));
   for (unsigned c = 0; c < 3 && stage == CORE_COMPUTE; c++) {
      if (inputs > 0)
         core_entry_take(room, CORE_THREAD + c, c);
      if (inputs > 1)
         core_entry_take(room, CORE_GROUP + c, 4 + c);
   }
   if (stage == CORE_COMPUTE && inputs > 0)
      core_entry_take(room, CORE_NUMBER, 3);
   return room;
}

/* The register that row n is a component of. */
static void
name_row(const struct at_lifted *p, uint32_t n, char *name, size_t size)
{
   static const char banks[] = "iocra"; /* enum attila_bank */
   unsigned bank = ATTILA_ADDR;

   while (bank > ATTILA_IN && n < p->first[bank])
      bank--;
   uint32_t reg = (n - p->first[bank]) / 4;
   /* In the pipeline, inputs that are read follow one another. */
   for (uint32_t i = 0; bank == ATTILA_IN && p->pipeline && i < 256; i++) {
      if (p->head.input[i] == reg + 1) {
         reg = i;
         break;
      }
   }
   snprintf(name, size, "%c%u.%c", banks[bank], reg, "xyzw"[(n - p->first[bank]) % 4]);
}

/* Registers of the banks, predicates, constants. */
static bool
look(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
{
   static const char *const masks[] = { "launched", "active", "valid" };
   const struct at_exec *e = state;
   const struct at_lifted *p = (const struct at_lifted *)wave->bind->program;
   const struct at_bind *bind = (const struct at_bind *)wave->bind;
   const uint64_t mask[] = { e->x.launch, wave->at_origin, wave->valid };
   const uint32_t num_masks = sizeof(masks) / sizeof(*masks);
   const uint32_t constants = bind->table ? 4 * ATTILA_CONSTANTS : 4 * bind->num_constants;
   char name[sizeof(seen->name)];

   if (n < p->temp_row) {
      name_row(p, n, name, sizeof(name));
      core_seen_row(seen, name, wave->rows[n]);
      return true;
   }
   n -= p->temp_row;
   if (n < num_masks) {
      core_seen_mask(seen, masks[n], mask[n]);
      return true;
   }
   n -= num_masks;
   if (n < ATTILA_PREDICATES) {
      snprintf(name, sizeof(name), "p%u", n);
      core_seen_mask(seen, name, e->preds[n]);
      return true;
   }
   n -= ATTILA_PREDICATES;
   if (n >= constants)
      return false;
   snprintf(name, sizeof(name), "c%u.%c", n / 4, "xyzw"[n % 4]);
   core_seen_value(seen, name, bind->table ? bind->table[n] : bind->constants[n]);
   return true;
}

static const struct core_engine engine = {
   .name = "attila",
   .place = "instruction",
   .origin = "instruction",
   .state_bytes = sizeof(struct at_exec),
   .entry = entry,
   .start = start,
   .resume = resume,
   .look = look,
   .run = run,
};

static const struct core_engine checked = {
   .name = "attila",
   .place = "instruction",
   .origin = "instruction",
   .state_bytes = CORE_STEP_HEAD + sizeof(struct at_exec),
   .entry = entry,
   CORE_CHECKS(engine),
};

static struct at_program *
lift(const struct at_source *source)
{
   struct at_lifted *p = at_lift(source);

   if (!p)
      return NULL;
   p->head.core.words_used = (uint32_t)source->num_dwords;
   core_set_engine(&p->head.core, &engine, &checked);
   place_entry(&p->head.entry, &p->head);
   const struct uop_bind_options options = {
      .native = !source->interpret,
      .dx10_clamp = true,
      .first_temp = p->temp_row + AT_TEMPS,
      .end_temp = p->temp_row + AT_EXTRA_ROWS,
   };
   if (!p->head.core.error && !K(uop_bind_blocks)(&p->code, &options, &p->blocks, &p->bound)) {
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

const struct at_kernels K(at_kernels) = { lift, release };
