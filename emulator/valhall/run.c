/* SPDX-License-Identifier: MIT */
/*
 * Runs a wave of Valhall: four warps, a PC for each lane (core/lane_flow.h).  Control that leaves
 * the program, or a budget that is used up, is a fault of the wave.
 */
#include "core/step.h"
#include "memory/pool.h"
#include "uop/coefficients.h"
#include "uop/run_block.h"
#include "valhall/exec.h"

#include <stdlib.h>

/* The table of values that are equal in all lanes; the device's stands in its bind. */
static uint32_t *
make_table(const struct vh_program *p, const struct vh_bind *bind)
{
   uint32_t *t = calloc(UNI_CONSTS + p->code.num_literals + 1, sizeof(*t));
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
      memcpy(&t[UNI_CONSTS], p->code.literals, p->code.num_literals * sizeof(*t));
   return t;
}

/* What a Mali preloads of pixels otherwise than SPI counts it. */
static void
convert_pixels(const struct vh_program *p, wave_lane *rows)
{
   const vu low = vu_splat(0xffff);

   for (unsigned i = 0; p->live >> 58 & 1 && i < VECTORS; i++) {
      uint32_t *face = &rows[58][i * VW];
      vu_store(face, vu_shr(vu_load(face), 31)); /* the sign of 1.0 in front */
   }
   for (unsigned i = 0; p->live >> 59 & 1 && i < VECTORS; i++) {
      uint32_t *place = &rows[59][i * VW];
      vu_store(place, (vu_load(place) & low) | vu_shl(vu_load(&rows[ROW_Y][i * VW]), 16));
   }
   for (unsigned i = 0; p->live >> 61 & 1 && i < VECTORS; i++) {
      const vu covered = vu_load(&rows[p->live >> 60 & 1 ? 60 : 61][i * VW]);
      const vu sample = vu_load(&rows[ROW_SAMPLE][i * VW]) & vu_splat(31);
      vu_store(&rows[61][i * VW], (covered & low) | vu_shl(sample, 16));
   }
}

/* What a Mali preloads otherwise than SPI and VGT count it. */
static void
convert_entry(const struct core_wave *wave, const struct vh_bind *bind)
{
   const struct vh_program *p = (const struct vh_program *)bind->core.program;
   wave_lane *rows = wave->rows;

   if (p->stage == CORE_PIXEL) {
      convert_pixels(p, rows);
      return;
   }
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      if (p->stage == CORE_CONTROL) {
         rows[57][i] += rows[56][i] * bind->device->factor_bytes;
      } else if (p->stage == CORE_COPY) {
         /* Rings count dwords; above them stands the stream. */
         rows[51][i] = rows[50][i] >> 30;
         rows[50][i] *= 4;
      } else {
         for (unsigned k = 0; k < 6; k++)
            rows[50 + k][i] *= 4;
      }
   }
}

/* A Mali's sizes are halves, and its layers bytes after them. */
static void
convert_vertices(const struct vh_exec *e)
{
   struct core_outputs *o = e->wave->outputs;

   if (!e->program->mali || e->program->stage != CORE_VERTEX || !o || !(o->pos_written & 2))
      return;
   for (unsigned i = 0; i < VECTORS; i++) {
      const vu word = vu_load(&o->pos[1][0][i * VW]);

      vu_store(&o->pos[1][2][i * VW], vu_shr(word, 16) & vu_splat(0xff));
      vf_store(&o->pos[1][0][i * VW], vf_from_half(word & vu_splat(0xffff)));
   }
}

/* The device's waves: what nobody reads before it is written keeps what it had. */
static void
fill_device_rows(const struct core_wave *wave, const struct vh_bind *bind)
{
   const struct vh_program *p = (const struct vh_program *)bind->core.program;
   const uint32_t first = wave->wave_in_group * WAVE_LANES;

   for (uint64_t rows = p->live & ~bind->core.entry->filled[0]; rows; rows &= rows - 1)
      lanes_clear(wave->rows[__builtin_ctzll(rows)]);
   for (unsigned n = 0; p->second && n < VH_VERTEX_KEPT; n++)
      lanes_copy(wave->rows[ROW_VERTEX + n], wave->rows[VH_VERTEX_FIRST + n]);
   for (unsigned i = 0; p->numbers && i < WAVE_LANES; i++) {
      wave->rows[ROW_LANE][i] = i % VALHALL_WARP;
      wave->rows[ROW_WARP][i] = (first + i) / VALHALL_WARP;
   }
   if ((p->stage == CORE_PIXEL && p->live >> 58) || p->stage == CORE_CONTROL ||
       p->stage == CORE_GEOMETRY || p->stage == CORE_COPY)
      convert_entry(wave, bind);
}

/* Fills the rows after the registers, and clears registers that hold no entry value. */
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
   core_lanes_fault(&e->flow, e->wave, pc, why);
}

/* Lanes of a condition that holds: it is not zero, of the part that `combine` says. */
static uint64_t
condition(const struct exec *x, const struct vh_step *step, uint32_t literals, uint64_t lanes)
{
   const struct uop_operand *c = &step->condition;
   const bool uniform = uop_is_uniform(c);
   const uint32_t at = c->kind == UOP_LITERAL ? literals + c->at : c->at;
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

/* Calls: lanes in which the condition holds go each where its word says.  False: one cannot. */
static bool
call(struct vh_exec *e, const struct vh_step *step, uint32_t pc, uint64_t lanes)
{
   const struct vh_program *p = e->program;
   const struct uop_operand *w = &step->where;
   const uint32_t at = w->kind == UOP_LITERAL ? p->code.num_uniforms + w->at : w->at;
   const bool uniform = uop_is_uniform(w);

   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint32_t value = e->x.uni[uniform ? at : 0];

      if (!uniform)
         memcpy(&value, e->x.file + w->at + lane * 4, sizeof(value));
      const int64_t to = step->absolute
                            ? vh_place_at(p->split, p->address, p->num_steps, pc, value)
                            : vh_place_behind(p->split, p->num_steps, pc, (int32_t)value);
      if (to < 0 || !p->steps[to].entry) {
         fault(e, pc, "a call goes to where no program begins and none returns to");
         return false;
      }
      lane_groups_add(&e->flow.groups, lanes & -lanes, (uint32_t)to);
   }
   return true;
}

V_INLINE bool
block_at(const struct core_program *program, uint32_t pc, const void **block, uint32_t *steps)
{
   const struct vh_program *p = (const struct vh_program *)program;

   return pc < p->num_steps && uop_block_at(&p->blocks, pc, block, steps);
}

static inline bool
leaves(struct vh_exec *e, const struct vh_program *p, const struct vh_step *step, uint32_t pc)
{
   if (step->target >= 0 && step->target < (int64_t)p->num_steps)
      return false;
   fault(e, pc, "a branch leaves the program");
   return true;
}

/* A block, or one instruction (core_lane_code.run). */
V_INLINE uint64_t
run_block(void *state, struct core_wave *wave, const struct core_program *program,
          const void *block, uint64_t lanes, uint32_t pc, uint32_t count, bool slow)
{
   struct vh_exec *e = state;
   const struct vh_program *p = (const struct vh_program *)program;
   const struct vh_step *step = &p->steps[pc + count - 1];
   uint64_t taken = 0;

   e->x.lanes = lanes;
   if (slow)
      uop_step_run(&e->x, &p->code, step->first, step->count);
   else
      uop_run_block(&e->x, &p->bound, block);
   pc += count;
   switch (step->control) {
   case VH_BRANCH:
      taken = condition(&e->x, step, p->code.num_uniforms, lanes);
      if (taken && leaves(e, p, step, pc - 1))
         return 0;
      break;
   case VH_CALL:
      taken = condition(&e->x, step, p->code.num_uniforms, lanes);
      if (step->flow == VALHALL_FLOW_DISCARD)
         taken &= wave->valid;
      if (!call(e, step, pc - 1, taken))
         return 0;
      lanes &= ~taken;
      taken = 0;
      break;
   case VH_JUMP:
      taken = lanes;
      if (leaves(e, p, step, pc - 1))
         return 0;
      break;
   case VH_DISCARD:
      wave->valid &= ~condition(&e->x, step, p->code.num_uniforms, lanes);
      break;
   default:
      break;
   }
   /* The flow acts at the end of the instruction. */
   if (step->flow == VALHALL_FLOW_END)
      return 0;
   if (step->flow == VALHALL_FLOW_DISCARD) {
      lanes &= wave->valid;
      taken &= wave->valid;
   }
   if (step->control == VH_BARRIER) {
      lane_groups_add(&e->flow.waiting, lanes, pc);
      return 0;
   }
   if (taken)
      lane_groups_add(&e->flow.groups, taken, (uint32_t)step->target);
   /* Lanes that were called are groups of their own, and what is next may have changed. */
   if (!taken && step->control != VH_CALL)
      return lanes;
   lane_groups_add(&e->flow.groups, lanes & ~taken, pc);
   return 0;
}

/* Outputs of the wave begin empty, and coefficients are looked up for each quad. */
static void
start_device(struct vh_exec *e)
{
   struct core_wave *wave = e->wave;
   struct core_outputs *o = wave->outputs;

   e->x.launch = wave->active;
   if (o)
      core_begin_outputs(o);
   if (!wave->active)
      return;
   fill_device_rows(wave, e->bind);
   memset(e->gradient, 0, e->program->gradients * sizeof(*e->gradient));
   if (e->program->coefficients) {
      e->x.one_primitive = wave->one_primitive;
      uop_bind_coefficients(&e->x, wave->coef);
   }
}

static bool
start(void *state, struct core_wave *wave)
{
   struct vh_exec *e = state;
   const struct vh_bind *bind = (const struct vh_bind *)wave->bind;
   const struct vh_program *program = (const struct vh_program *)bind->core.program;

   uop_begin(&e->x);
   e->program = program;
   e->bind = bind;
   e->wave = wave;
   core_lanes_begin(&e->flow, wave, 0);
   if (!core_begin_wave(wave))
      return false;
   if (bind->device)
      start_device(e);
   else
      fill_rows(wave, bind);
   e->x.file = (uint8_t *)wave->rows;
   e->x.launch = wave->active;
   e->x.code = program->bound.native;
   e->x.fp_single = e->x.fp_double = e->x.fp_now = program->fp_mode;
   return wave->active != 0;
}

/* What of the state is the wave's, its bind's or its program's. */
static void
find_addresses(struct vh_exec *e, struct core_wave *wave)
{
   e->bind = (const struct vh_bind *)wave->bind;
   e->program = (const struct vh_program *)wave->bind->program;
   e->wave = e->x.wave = wave;
   e->x.file = (uint8_t *)wave->rows;
   e->x.code = e->program->bound.native;
}

static const struct core_lane_code code = { block_at, run_block };

static void
run_groups(struct vh_exec *e)
{
   core_lanes_run(&e->flow, e->wave, e, code, false, NULL);
}

static __attribute__((noinline)) void
run_slowly(struct vh_exec *e, const struct core_observer *until)
{
   core_lanes_run(&e->flow, e->wave, e, code, true, until);
}

/* Whoever is still covered is drawn. */
static void
leave_pixels(const struct vh_exec *e)
{
   if (e->program->stage == CORE_PIXEL && e->bind->device && !e->flow.waiting.count &&
       e->wave->outputs)
      e->wave->outputs->lanes = e->wave->faulted ? 0 : e->wave->valid;
}

/* Lanes that are at barriers all go on.  Temporaries are a block's own, so that one that has been
 * observed goes on an instruction at a time. */
static enum core_stop
go_on(struct vh_exec *e, const struct core_observer *until)
{
   const bool device = e->bind->device != NULL;
   uint32_t *table = device ? e->bind->device->table : make_table(e->program, e->bind);

   if (!table) {
      fault(e, 0, "no memory");
      return CORE_FAULT;
   }
   e->x.uni = table;
   core_lanes_resume(&e->flow, until);
   if (!e->flow.again)
      e->x.fp_now = e->program->fp_mode;
   unsigned old = fp_enter(e->x.fp_now);
   if (e->flow.slow)
      run_slowly(e, until);
   else
      run_groups(e);
   fp_leave(old);
   if (!device)
      free(table);
   if (!e->flow.stopped) {
      leave_pixels(e);
      convert_vertices(e);
   }
   return core_lanes_end(&e->flow, e->wave);
}

static enum core_stop
resume(void *state, struct core_wave *wave, const struct core_observer *until)
{
   struct vh_exec *e = state;

   find_addresses(e, wave);
   e->x.watcher = core_watcher(until);
   if (e->bind->device && e->program->coefficients)
      uop_bind_coefficients(&e->x, wave->coef);
   return go_on(e, until);
}

static void
run_to_end(struct vh_exec *e, struct core_wave *wave)
{
   if (!start(e, wave))
      return;
   while (go_on(e, NULL) == CORE_BARRIER) {
      /* It is alone. */
   }
}

/* What the next wave of the draw finds (struct core_kept): all but lanes and addresses. */
struct kept {
   struct vh_exec e;
   unsigned outside; /* the mode of arithmetic that callers have, but for its flags */
   struct uop_whole whole;
};
_Static_assert(sizeof(struct kept) <= CORE_KEPT_BYTES, "kept state has no room");

static void
run_again(struct kept *k, struct core_wave *wave)
{
   struct vh_exec *e = &k->e;

   find_addresses(e, wave);
   e->x.uni = e->bind->device->table;

   const unsigned mode = e->program->fp_mode;

   start_device(e);
   if (mode != k->outside)
      fp_set(&e->program->fp_mode);
   e->x.fp_now = mode;
   if (!uop_whole_run(&k->whole, &e->x, &e->program->bound)) {
      wave->cycles = 0;
      lane_groups_add(&e->flow.groups, wave->active, 0);
      run_groups(e);
   }
   if (e->x.fp_now != k->outside)
      fp_set(&k->outside);
   leave_pixels(e);
   while (e->flow.waiting.count)
      go_on(e, NULL);
}

static void
run(struct core_wave *wave)
{
   struct vh_exec own;

   if (!wave->kept) {
      run_to_end(&own, wave);
      return;
   }
   struct kept *k = core_kept_state(wave);

   if (k) {
      run_again(k, wave);
      wave->kept->ready = !wave->faulted;
      return;
   }
   k = (struct kept *)(void *)wave->kept->state;
   run_to_end(&k->e, wave);
   wave->kept->ready =
      wave->active && k->e.bind->device && k->e.program->stage == CORE_PIXEL && !wave->faulted;
   if (!wave->kept->ready)
      return;
   k->outside = _mm_getcsr() & ~FP_FLAGS;

   const struct vh_program *p = k->e.program;
   const struct uop_block *block = &p->blocks.blocks[p->blocks.of[0]];
   const struct vh_step *last = &p->steps[block->count - 1];

   uop_whole_keep(&k->whole, wave, block,
                  last->control == VH_NEXT && last->flow == VALHALL_FLOW_END);
}

/* ------------------------------------------------------------------------------------------------
 * What a Mali preloads, and what the device adds (docs/valhall-chip.rst)
 */
#define PLACE(value, reg) [value] = (reg) + 1
#define REG_BIT(reg)      (UINT64_C(1) << (reg))

static const struct core_entry *
fixed_entry(enum core_stage stage, bool as_mali)
{
   static const struct core_entry vertex = {
      .place = { PLACE(CORE_PRIMITIVE, 57), PLACE(CORE_GROUP_VERTEX, 58), PLACE(CORE_LANE, 59),
                 PLACE(CORE_VERTEX_INDEX, 60), PLACE(CORE_INSTANCE, 61) },
      .filled = { REG_BIT(57) | REG_BIT(59) | REG_BIT(60) | REG_BIT(61) },
   };
   static const struct core_entry mali = {
      .place = { PLACE(CORE_VERTEX_INDEX, 60), PLACE(CORE_INSTANCE, 61) },
      .filled = { REG_BIT(60) | REG_BIT(61) },
   };
   static const struct core_entry local = {
      .place = { PLACE(CORE_PRIMITIVE, 57), PLACE(CORE_GROUP_VERTEX, 58), PLACE(CORE_LANE, 59),
                 PLACE(CORE_VERTEX_INDEX, 60), PLACE(CORE_INSTANCE, 61) },
      .filled = { REG_BIT(57) | REG_BIT(58) | REG_BIT(59) | REG_BIT(60) | REG_BIT(61) },
   };
   static const struct core_entry control = {
      .place = { PLACE(CORE_CONTROL_POINT, 55), PLACE(CORE_PATCH, 56), PLACE(CORE_FACTORS, 57),
                 PLACE(CORE_PRIMITIVE, 58) },
      .filled = { REG_BIT(55) | REG_BIT(56) | REG_BIT(57) | REG_BIT(58) },
   };
   static const struct core_entry evaluation = {
      .place = { PLACE(CORE_DOMAIN_U, 55), PLACE(CORE_DOMAIN_V, 56), PLACE(CORE_PATCH, 57),
                 PLACE(CORE_PRIMITIVE, 58), PLACE(CORE_LANE, 59) },
      .filled = { REG_BIT(55) | REG_BIT(56) | REG_BIT(57) | REG_BIT(58) | REG_BIT(59) },
   };
   static const struct core_entry geometry = {
      .place = { PLACE(CORE_RING_VERTEX, 50), PLACE(CORE_RING_VERTEX + 1, 51),
                 PLACE(CORE_RING_VERTEX + 2, 52), PLACE(CORE_RING_VERTEX + 3, 53),
                 PLACE(CORE_RING_VERTEX + 4, 54), PLACE(CORE_RING_VERTEX + 5, 55),
                 PLACE(CORE_PRIMITIVE, 57), PLACE(CORE_INVOCATION, 58) },
      .filled = { UINT64_C(0x3f) << 50 | REG_BIT(57) | REG_BIT(58) },
   };
   static const struct core_entry copy = {
      .place = { PLACE(CORE_RING_VERTEX, 50), PLACE(CORE_LANE, 59) },
      .filled = { REG_BIT(50) | REG_BIT(59) },
   };

   switch (stage) {
   case CORE_LOCAL:
      return &local;
   case CORE_CONTROL:
      return &control;
   case CORE_EVALUATION:
      return &evaluation;
   case CORE_GEOMETRY:
      return &geometry;
   case CORE_COPY:
      return &copy;
   default:
      return as_mali ? &mali : &vertex;
   }
}

/* Of pixels, what the program reads: each value costs its launcher some work. */
static void
pixel_entry(const struct vh_program *p, struct core_entry *room)
{
   for (unsigned pair = 0; pair < CORE_PAIRS; pair++) {
      if (!(p->pairs >> pair & 1))
         continue;
      core_entry_take(room, CORE_BARYCENTRIC + 2 * pair, ROW_BARYCENTRIC + 2 * pair);
      core_entry_take(room, CORE_BARYCENTRIC + 2 * pair + 1, ROW_BARYCENTRIC + 2 * pair + 1);
   }
   if (p->takes_z)
      core_entry_take(room, CORE_POSITION + 2, ROW_Z);
   if (p->takes_w)
      core_entry_take(room, CORE_POSITION + 3, ROW_W);
   if (p->live >> 58 & 1)
      core_entry_take(room, CORE_FACE, 58);
   if (p->live >> 59 & 1) {
      core_entry_take(room, CORE_PIXEL_X, 59);
      core_entry_take(room, CORE_PIXEL_Y, ROW_Y);
   }
   /* A value goes to one row: of both registers, to r60. */
   if (p->live >> 61 & 1) {
      core_entry_take(room, CORE_COVERAGE, 61);
      core_entry_take(room, CORE_SAMPLE, ROW_SAMPLE);
   }
   if (p->live >> 60 & 1)
      core_entry_take(room, CORE_COVERAGE, 60);
   if (p->live >> 62 & 1)
      core_entry_take(room, CORE_LAYER, 62);
}

static const struct core_entry *
entry(const struct core_program *program, enum core_stage stage, const struct core_layout *layout,
      struct core_entry *room)
{
   if (stage != CORE_PIXEL && stage != CORE_COMPUTE)
      return fixed_entry(stage, ((const struct vh_program *)program)->mali);
   memset(room, 0, sizeof(*room));
   if (stage == CORE_PIXEL) {
      pixel_entry((const struct vh_program *)program, room);
      return room;
   }
   core_entry_take(room, CORE_THREAD_XY, 55);
   core_entry_take(room, CORE_THREAD + 2, 56);
   for (unsigned c = 0; c < 3; c++) {
      core_entry_take(room, CORE_GROUP + c, 57 + c);
      core_entry_take(room, CORE_GLOBAL + c, 60 + c);
   }
   return room;
}

/* A copy of a bind that reads the launcher's ring. */
static struct core_bind *
with_ring(const struct core_bind *core, const uint32_t *ring, uint64_t dwords, struct pool *pool)
{
   const struct vh_bind *bind = (const struct vh_bind *)core;
   struct vh_bind *out = pool_alloc(pool, sizeof(*out));
   struct vh_device *device = pool_alloc(pool, sizeof(*device));

   if (!out || !device)
      return NULL;
   *out = *bind;
   *device = *bind->device;
   device->ring = ring;
   device->ring_bytes = dwords * 4;
   out->device = device;
   return &out->core;
}

/* Registers, masks, uniforms. */
static bool
look(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
{
   const struct vh_exec *e = state;
   const struct vh_bind *bind = (const struct vh_bind *)wave->bind;
   const uint64_t masks[] = { e->x.launch, wave->at_origin, wave->valid };
   static const char *const names[] = { "launched", "active", "valid" };
   const uint32_t num_masks = sizeof(masks) / sizeof(*masks);
   const uint32_t uniforms = bind->device ? VALHALL_UNIFORMS : bind->num_uniforms;
   char name[sizeof(seen->name)];

   if (n < VH_REGISTERS) {
      snprintf(name, sizeof(name), "r%u", n);
      core_seen_row(seen, name, wave->rows[n]);
      return true;
   }
   n -= VH_REGISTERS;
   if (n < num_masks) {
      core_seen_mask(seen, names[n], masks[n]);
      return true;
   }
   n -= num_masks;
   if (n >= uniforms)
      return false;
   snprintf(name, sizeof(name), "u%u%s", n / 2, n % 2 ? ".w1" : "");
   core_seen_value(seen, name, bind->device ? bind->device->table[UNI_FAU + n] : bind->uniforms[n]);
   return true;
}

static const struct core_engine engine = {
   .name = "valhall",
   .place = "instruction",
   .origin = "instruction",
   .state_bytes = sizeof(struct vh_exec),
   .entry = entry,
   .start = start,
   .resume = resume,
   .look = look,
   .run = run,
   .with_ring = with_ring,
};

static const struct core_engine checked = {
   .name = "valhall",
   .place = "instruction",
   .origin = "instruction",
   .state_bytes = CORE_STEP_HEAD + sizeof(struct vh_exec),
   .entry = entry,
   .with_ring = with_ring,
   CORE_CHECKS(engine),
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
   if (!p->device)
      p->core.words_used = 2 * p->num_steps;
   core_set_engine(&p->core, &engine, &checked);
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
