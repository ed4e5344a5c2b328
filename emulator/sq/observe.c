/* SPDX-License-Identifier: MIT */
/*
 * Observed waves: instructions one at a time, as they were lifted, and what is seen of a wave that
 * is stopped.
 */
#include "sq/flow.h"

#include <stdio.h>

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
bool
K(sq_stops)(struct flow *f, const struct core_observer *until, const struct sq_cf *cf)
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
enum core_stop
K(sq_step_clause)(struct flow *f, uint32_t n, const struct core_observer *until)
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

/* ------------------------------------------------------------------------------------------------
 * What instructions that are no micro-operations do with values of registers
 */

static void
move(const struct exec *x, enum core_role role, unsigned part, unsigned gpr, unsigned chan,
     uint64_t lanes)
{
   if (gpr < 128)
      x->watcher->moved(x->watcher->data, x->wave, role, part, 4 * gpr + chan, lanes);
}

static void
tell_loaded(const struct exec *x, const struct fetch *f, uint64_t lanes)
{
   const unsigned burst = f->kind == FETCH_SCRATCH || f->kind == FETCH_SCATTER ? f->burst : 0;
   unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);

   if (f->kind == FETCH_SET_GRADIENTS || f->kind == FETCH_KEEP_GRADIENTS ||
       f->kind == FETCH_SET_OFFSETS || f->kind == FETCH_TF_WRITE)
      return;
   if (f->kind == FETCH_SEMANTIC)
      to = K(sq_semantic_gpr)(x->bind, f->semantic);
   if (f->kind == FETCH_SEMANTIC && !to)
      return;
   for (unsigned b = 0; b <= burst; b++)
      for (unsigned c = 0; c < 4; c++)
         if (f->dst_sel[c] != CAYMAN_SEL_MASK)
            move(x, CORE_ROLE_LOADED, 0, to + b, c, lanes);
}

static void
tell_fetch(const struct exec *x, const struct fetch *f, bool done)
{
   const uint64_t lanes = f->whole_quad ? lanes_whole_quads(x->lanes) & x->launch : x->lanes;

   if (!x->watcher || !x->watcher->moved)
      return;
   if (done)
      tell_loaded(x, f, f->kind == FETCH_GDS && f->first_lane ? x->launch : lanes);
   else if (f->kind == FETCH_VTX && f->src_sel[0] < 4)
      move(x, CORE_ROLE_INDEX, 0, indexed_gpr(x, f->src_gpr, f->src_rel), f->src_sel[0], lanes);
   else
      move(x, CORE_ROLE_INDEX, 0, 0, 0, 0); /* no address is followed */
   for (unsigned c = 0; c < 4 && !done && f->kind == FETCH_TEX; c++)
      if (f->src_sel[c] < 4)
         move(x, CORE_ROLE_COORDINATE, 0, indexed_gpr(x, f->src_gpr, f->src_rel), f->src_sel[c],
              lanes);
}

/* Components of the registers of an export or a store. */
static void
tell_registers(const struct exec *x, const struct sq_cf *cf, enum core_role role, unsigned number,
               unsigned components, const uint8_t *sel, uint64_t lanes)
{
   for (unsigned b = 0; b <= cf->burst_count; b++)
      for (unsigned c = 0; c < 4; c++)
         if (components >> c & 1 && (!sel || sel[c] < 4))
            move(x, role, 4 * (number + b) + c, indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel),
                 sel ? sel[c] : c, lanes);
}

static void
tell_export(const struct exec *x, const struct sq_cf *cf)
{
   const uint64_t lanes = x->active & x->valid;

   if (cf->type == CAYMAN_EXPORT_PIXEL)
      tell_registers(x, cf, cf->array_base < 8 ? CORE_ROLE_COLOR : CORE_ROLE_DEPTH, cf->array_base,
                     15, cf->sel, lanes);
   else if (cf->type == CAYMAN_EXPORT_POS && cf->array_base == 60)
      tell_registers(x, cf, CORE_ROLE_POSITION, 0, 15, cf->sel, lanes);
   else if (cf->type == CAYMAN_EXPORT_PARAM)
      tell_registers(x, cf, CORE_ROLE_PARAMETER, cf->array_base, 15, cf->sel, lanes);
}

/* Which components an operation on a target takes as data. */
static unsigned
rat_data(const struct sq_cf *cf, bool combined)
{
   switch (cf->rat_op) {
   case CAYMAN_RAT_STORE_TYPED:
   case CAYMAN_RAT_STORE_DWORD:
   case SQ_RAT_STORE_RAW:
      return cf->comp_mask & (combined ? 3u : 15u);
   case CAYMAN_RAT_NOP_RTN:
      return 0;
   default:
      return 1;
   }
}

static void
tell_rat(const struct exec *x, const struct sq_cf *cf)
{
   const bool combined =
      cf->op == CAYMAN_CF_MEM_RAT_COMBINED || cf->op == CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS;
   const bool pixels = cf->valid_pixel_mode || x->program->stage == SQ_STAGE_PS;
   const uint64_t lanes = x->active & (pixels ? x->valid : ~UINT64_C(0));
   const enum core_role index =
      cf->rat_op == CAYMAN_RAT_NOP_RTN ? CORE_ROLE_INDEX : CORE_ROLE_TARGET;

   if (combined)
      move(x, index, 0, indexed_gpr(x, cf->rw_gpr, cf->rw_rel), 3, lanes);
   else
      move(x, index, 0, cf->index_gpr, 0, lanes);
   tell_registers(x, cf, CORE_ROLE_STORED, 0, rat_data(cf, combined), NULL, lanes);
}

/* Before an observed CF instruction. */
void
K(sq_tell_moves)(const struct exec *x, const struct sq_cf *cf)
{
   if (!x->watcher || !x->watcher->moved)
      return;
   switch (cf->op) {
   case CAYMAN_CF_EXPORT:
   case CAYMAN_CF_EXPORT_DONE:
      tell_export(x, cf);
      break;
   case CAYMAN_CF_MEM_RAT:
   case CAYMAN_CF_MEM_RAT_CACHELESS:
   case CAYMAN_CF_MEM_RAT_COMBINED:
   case CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS:
      tell_rat(x, cf);
      break;
   case CAYMAN_CF_MEM_RING:
   case CAYMAN_CF_MEM_RING1:
   case CAYMAN_CF_MEM_RING2:
   case CAYMAN_CF_MEM_RING3:
      tell_registers(x, cf, CORE_ROLE_RING, 0, cf->comp_mask & ((2u << cf->elem_size) - 1), NULL,
                     x->active);
      break;
   default:
      break;
   }
}

/* An observed fetch clause from f->resume on, an instruction at a time. */
enum core_stop
K(sq_step_fetches)(struct flow *f, const struct sq_cf *cf, const struct core_observer *until)
{
   const struct fetch *fetches = f->x.program->fetches;

   for (; f->resume < cf->first_fetch + cf->num_fetches; f->resume++) {
      const struct fetch *fetch = &fetches[f->resume];

      if (fetch->origin && stops(f, until, fetch->origin, f->x.lanes))
         return CORE_STOPPED;
      tell_fetch(&f->x, fetch, false);
      K(sq_fetch_one)(&f->x, fetch);
      tell_fetch(&f->x, fetch, true);
   }
   return CORE_DONE;
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
bool
K(sq_look)(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
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
