/* SPDX-License-Identifier: MIT */
/*
 * Waves of programs without control flow but for regions and the call of their fetch subroutine at
 * the start, which most programs are: no stack, and no masks but that of the lanes that kills leave
 * covered.  What they leave is what run.c's engine leaves.
 */
#include "sq/begin.h"

/* x->fp_now is the mode of arithmetic that is in force: some processors wait for all that is under
 * way before they change it, so it stays until another is needed. */
V_INLINE void
need_mode(struct exec *x, unsigned mode)
{
   if (x->fp_now != mode)
      _mm_setcsr(x->fp_now = mode);
}

V_INLINE void
run_uops(struct exec *x, struct uop_run run)
{
   if (run.count)
      uop_run_bound(x, x->program->bound.uops + run.first, run.count);
}

static __attribute__((noinline)) void
out_of_budget(struct core_wave *wave)
{
   wave->faulted = true;
   wave->fault = core_cut(wave, "cycle budget exhausted");
}

V_INLINE void
run_clause(struct exec *x, const struct sq_cf *cf)
{
   x->pred = x->pred_next = 0;
   run_uops(x, cf->prologue);
   run_uops(x, cf->plain);
}

/* What a wave does of which no instruction needs more than its lanes: clauses, lookups, and exports
 * that leave what is in registers. */
enum step_kind {
   STEP_END,
   STEP_CODE,   /* a clause that is one function: its CF instruction */
   STEP_CLAUSE, /* any clause */
   STEP_LOOKUP, /* a fetch */
   STEP_SERIES, /* the first one of a series */
};
struct step {
   uint32_t kind; /* enum step_kind */
   uint32_t at;   /* index in program->cfs or program->fetches */
};
#define KEPT_STEPS 32u

/* What the next wave of the draw finds: the state but for lanes, operands of lookups, and steps if
 * that is all that it does.  It finds all addresses anew, but for those of operands while its rows
 * are the same: a copy of the state serves as well. */
struct kept {
   struct exec x;
   const wave_lane *rows; /* that lookups have their operands in */
   struct td_tex_args lookup[SQ_KEPT_LOOKUPS];
   unsigned outside;   /* the mode of arithmetic that callers have, but for its flags */
   uint32_t num_steps; /* 0: there are others */
   bool exports;       /* beside the steps */
   uint64_t cost;      /* of the steps, in cycles */
   struct step step[KEPT_STEPS];
   uint32_t uni[UNI_MAX];
};
_Static_assert(sizeof(struct kept) <= CORE_KEPT_BYTES, "kept state has no room");

/* False: there is no room. */
static bool
add_step(struct kept *k, enum step_kind kind, uint32_t at)
{
   if (k->num_steps == KEPT_STEPS)
      return false;
   k->step[k->num_steps++] = (struct step){ kind, at };
   return true;
}

static bool
add_lookups(struct kept *k, const struct program *p, const struct sq_cf *cf)
{
   for (uint32_t n = cf->first_fetch; n < cf->first_fetch + cf->num_fetches;) {
      const struct fetch *f = &p->fetches[n];
      const bool series = f->series && k->x.bind->tex[f->ref].run_series;

      if (!add_step(k, series ? STEP_SERIES : STEP_LOOKUP, n))
         return false;
      n += series ? p->series[f->series - 1].count : 1;
   }
   return true;
}

/* False: there is more to do. */
static bool
add_steps(struct kept *k, const struct program *p)
{
   for (const struct sq_cf *cf = p->cfs + p->entry;; cf++) {
      const uint32_t at = (uint32_t)(cf - p->cfs);
      bool code;

      k->cost += cf->cost;
      switch (cf->op) {
      case CAYMAN_CF_END:
         return add_step(k, STEP_END, at);
      case CAYMAN_CF_ALU:
         if (!cf->prologue.count && !cf->plain.count)
            break;
         code = !cf->prologue.count && K(uop_native_of)(&p->bound, cf->plain);
         if (!add_step(k, code ? STEP_CODE : STEP_CLAUSE, at))
            return false;
         break;
      case CAYMAN_CF_TC:
         if (!cf->looks_up || !add_lookups(k, p, cf))
            return false;
         break;
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
         k->exports = true;
         break;
      case CAYMAN_CF_NOP:
         break;
      default:
         return false;
      }
   }
}

/* Addresses of rows that lookups read and write. */
static void
find_operands(struct kept *k, const struct program *p)
{
   for (uint32_t n = 0; n < p->num_fetches; n++)
      if (p->fetches[n].kept)
         K(sq_lookup_args)(&k->x, &p->fetches[n], &k->lookup[p->fetches[n].kept - 1]);
}

static void
keep(struct kept *k, const struct program *p)
{
   k->rows = k->x.wave->rows;
   find_operands(k, p);
   /* Reading it, too, waits for what is under way. */
   k->outside = _mm_getcsr() & ~FP_FLAGS;
   k->cost = 0;
   k->num_steps = 0;
   k->exports = false;
   if (!p->exports_stay || p->num_regions || !add_steps(k, p))
      k->num_steps = 0;
}

static void
run_steps(struct kept *k, const struct program *p)
{
   struct exec *x = &k->x;
   struct core_wave *wave = x->wave;

   x->fp_now = k->outside;
   /* A step is loaded before the one that it follows has run.  Loaded after it, it was waited for:
    * in some layouts of memory a tenth of a draw's time. */
   struct step next = k->step[0];
   for (const struct step *after = &k->step[1]; next.kind != STEP_END; after++) {
      const struct step s = next;

      next = *after;
      if (s.kind == STEP_CODE) {
         need_mode(x, x->fp_single);
         K(uop_run_native)(x, K(uop_native_of)(&p->bound, p->cfs[s.at].plain));
         continue;
      }
      if (s.kind == STEP_CLAUSE) {
         need_mode(x, x->fp_single);
         run_clause(x, &p->cfs[s.at]);
         continue;
      }

      const struct fetch *f = &p->fetches[s.at];
      const struct td_tex_bind *tex = &x->bind->tex[f->ref];
      const uint64_t lanes = f->whole_quad ? lanes_whole_quads(x->lanes) & x->launch : x->lanes;

      need_mode(x, FP_DEFAULT);
      if (s.kind == STEP_SERIES) {
         tex->run_series(tex, &p->series[f->series - 1], x->file, lanes | sq_idle(x));
      } else {
         struct td_tex_args *args = &k->lookup[f->kept - 1];

         args->lanes = args->valid = lanes;
         args->idle = sq_idle(x);
         tex->run(tex, args);
      }
   }
   need_mode(x, k->outside);
   if (k->exports)
      wave->outputs->lanes = x->active & x->valid;
   wave->valid = x->valid;
}

/* `left`: exports have left what they leave. */
V_INLINE void
run_instructions(struct kept *k, const struct program *p, uint64_t budget, bool left)
{
   struct exec *x = &k->x;
   struct core_wave *wave = x->wave;

   x->fp_now = k->outside;
   for (const struct sq_cf *cf = p->cfs + p->entry, *back = NULL;; cf++) {
      if (cf->region) {
         const struct sq_region *r = &p->regions[cf->region - 1];
         need_mode(x, x->fp_single);
         if (!K(sq_run_region)(x, r, budget)) {
            out_of_budget(wave);
            break;
         }
         cf = p->cfs + r->end - 1;
         continue;
      }
      wave->cycles += cf->cost;
      if (wave->cycles > budget || core_expired(wave->watch)) {
         wave->fault_place = cf->pc;
         out_of_budget(wave);
         break;
      }
      if (cf->op == CAYMAN_CF_END)
         break;
      switch (cf->op) {
      case CAYMAN_CF_ALU:
         need_mode(x, x->fp_single);
         run_clause(x, cf);
         break;
      case CAYMAN_CF_TC:
         need_mode(x, FP_DEFAULT);
         if (cf->looks_up)
            K(sq_look_up)(x, cf, k->lookup);
         else
            K(sq_fetch_clause)(x, cf);
         break;
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
         if (left)
            wave->outputs->lanes = x->active & x->valid;
         else
            K(sq_export)(x, cf);
         break;
      case CAYMAN_CF_CALL_FS:
         back = cf;
         cf = p->cfs + p->fs_entry - 1;
         break;
      case CAYMAN_CF_RETURN:
         cf = back;
         break;
      default:
         break;
      }
   }
   need_mode(x, k->outside);
}

void
K(sq_run_straight)(struct core_wave *wave, uint64_t budget)
{
   const struct program *p =
      (const struct program *)sq_program_of((const struct sq_bind *)wave->bind);
   struct kept own, *k = wave->kept ? (struct kept *)(void *)wave->kept->state : &own;

   sq_begin(&k->x, wave, k->uni, false);
   keep(k, p);
   run_instructions(k, p, budget, false);
   wave->valid = k->x.valid;
   if (wave->kept)
      wave->kept->ready = !wave->faulted;
}

void
K(sq_run_again)(struct core_wave *wave, uint64_t budget)
{
   struct kept *k = (struct kept *)(void *)wave->kept->state;
   const struct program *p =
      (const struct program *)sq_program_of((const struct sq_bind *)wave->bind);

   wave->cycles = 0;
   sq_find_addresses(&k->x, wave, p, k->uni);
   if (k->rows != wave->rows) {
      k->rows = wave->rows;
      find_operands(k, p);
   }
   sq_begin_lanes(&k->x, wave, p);
   if (k->num_steps && k->cost <= budget) {
      wave->cycles = k->cost;
      run_steps(k, p);
      return;
   }
   if (!p->exports_stay)
      core_begin_outputs(wave->outputs);
   run_instructions(k, p, budget, p->exports_stay);
   wave->valid = k->x.valid;
   wave->kept->ready = !wave->faulted;
}
