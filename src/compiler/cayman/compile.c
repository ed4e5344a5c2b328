/* SPDX-License-Identifier: MIT */
/*
 * The compiler's entry: context and the order of the passes.
 */
#include "schedule.h"

#include "compiler/passes.h"
#include "il/lower/lower.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_legal(enum cayman_vliw vliw, const struct shader_code *code, char *error, size_t error_size)
{
   const struct cayman_limits limits = {
      .vliw = vliw,
      .num_gprs = code->num_gprs,
      .num_clause_temps = 4,
      .stack_entries = code->stack_size,
      .pixel_shader = code->stage == SHADER_STAGE_PS,
   };

   return cayman_validate(code->words, code->num_dwords, &limits, error, error_size);
}

static void
check_result(struct compiler *c)
{
   char text[256];

   if (!is_legal(c->chip->vliw, c->out, text, sizeof(text)))
      cc_fail(c, "the compiler emitted an illegal program: %s", text);
}

/* Up to registers. */
static void
run_passes(struct compiler *c)
{
#define PASS(name, when)                   \
   if (pass_runs(PASS_##when, c->flags)) { \
      cc_##name(c);                        \
      cc_print_after(c, #name);            \
      compile_look(&c->mem);               \
   }
#include "passes.def"
}

/* Forget what scheduling and allocation decided. */
static void
start_over(struct compiler *c)
{
   for (value_id v = 1; v < c->num_values; v++) {
      struct cc_value *value = &c->values[v];
      value->tuple = 0;
      if (!value->input) {
         value->gpr = -1;
         if (!value->pinned)
            value->chan = -1;
      }
   }
   c->num_tuples = 0;
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct cc_block *b = &c->blocks[n];
      b->num_clauses = 0;
      for (uint32_t i = 0; i < b->num_insts; i++)
         b->insts[i]->scheduled = false;
      if (b->pred)
         b->pred->scheduled = false;
   }
}

/* What groups and clauses cost, in groups, those in loops eight times as much: a clause has to be
 * begun, and one of fetches has to be waited for. */
static uint64_t
cost(const struct compiler *c)
{
   uint64_t sum = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct cc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_clauses; i++) {
         const struct clause *clause = &b->clauses[i];
         const uint64_t groups = clause->num_groups + (clause->kind == CLAUSE_FETCH ? 7 : 1);
         sum += groups << 3 * (b->loop_depth < 4 ? b->loop_depth : 4);
      }
   }
   return sum;
}

/* Collect, schedule and allocate within the window.  False: not everything fits. */
static bool
try_window(struct compiler *c, uint32_t window, uint32_t **lifetime)
{
   c->window = window;
   compile_look(&c->mem);
   cc_collect(c);
   cc_print_after(c, "collect");
   cc_schedule(c);
   if (c->no_schedule)
      return false;
   cc_print_after(c, "schedule");
   const bool fits = cc_allocate(c, lifetime);
   if (fits)
      cc_print_after(c, "allocate");
   return fits;
}

/* First the widest window; if that needs too many registers, closer to program order; then with
 * more and more values in memory, and at last, when only what is alive for a few instructions is
 * left, in program order.  False: the widest window did not do. */
static bool
allocate_registers(struct compiler *c)
{
   static const uint32_t windows[] = { UINT32_MAX, 48, 24, 8, 3, 1 };
   const unsigned first_to_spill = 2, last = sizeof(windows) / sizeof(windows[0]) - 1;
   unsigned spills = 16, step = 0;

   for (unsigned attempt = 0; attempt < 32; attempt++) {
      uint32_t *lifetime;

      if (try_window(c, windows[step], &lifetime))
         return attempt == 0;
      start_over(c);
      if (step < first_to_spill)
         step++;
      if (step >= first_to_spill) {
         while (!cc_spill(c, lifetime, windows[step] > 4 ? windows[step] : 4, spills))
            if (step++ == last)
               cc_fail(c, "out of registers, and nothing is left to spill");
         cc_print_after(c, "spill");
         spills = spills * 3 / 2;
      }
   }
   cc_fail(c, "out of registers");
}

/* How a schedule is kept to fewer registers. */
struct bounds {
   uint32_t window; /* compiler.window */
   int most_alive;  /* compiler.most_alive */
   unsigned order;  /* compiler.order */
};

#define NUM_BOUNDS 12

/* What to try for a program that takes so many GPRs in its widest schedule: of the windows and
 * limits that were measured those that together give the most waves. */
static void
list_bounds(struct bounds list[NUM_BOUNDS], int gprs)
{
   const int few = 248 / (int)cayman_waves(1) * 4; /* channels with which most waves run */
   const struct bounds bounds[NUM_BOUNDS] = {
      /* The widest in another order may leave other channels free. */
      { UINT32_MAX, 0, FIRST_READY },
      { UINT32_MAX, 0, LAST_SLOTS | TIE_CHANNELS },
      { 192, few - 10 },
      { 128, few - 2 },
      { 64, few - 10 },
      { 64, gprs * 3 },
      { 192, gprs * 5 / 3 },
      { 128, gprs * 2 },
      { 16, 0 },
      { 48, gprs * 5 / 2, TIE_SHUFFLED },
      { UINT32_MAX, gprs * 3 },
      { 32, 0 },
   };
   memcpy(list, bounds, sizeof(bounds));
}

static bool
try_bounds(struct compiler *c, const struct bounds *bounds, uint32_t **lifetime)
{
   start_over(c);
   c->most_alive = bounds->most_alive;
   c->order = bounds->order;
   const bool fits = try_window(c, bounds->window, lifetime);
   c->most_alive = 0;
   c->order = TIE_ORDER;
   return fits;
}

static uint32_t
num_fetches(const struct compiler *c)
{
   uint32_t count = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++)
      for (uint32_t i = 0; i < c->blocks[n].num_clauses; i++)
         count += c->blocks[n].clauses[i].num_fetches;
   return count;
}

/* Is a schedule of this cost with so many waves better than the other one?  A wave waits for what
 * takes a hundred times as long as its groups, and all waves share that. */
static bool
is_better(uint64_t cost, unsigned waves, uint64_t other_cost, unsigned other_waves)
{
   const unsigned waited = 100;

   return cost * (waves + waited) * other_waves < other_cost * (other_waves + waited) * waves;
}

/* More waves hide more of the time that fetches take.  When the widest schedule needs so many
 * registers that fewer waves run, others are tried that need less, and the best one is taken; none
 * that costs four groups and an eighth, or two for each fetch, more than the widest. */
static void
narrow(struct compiler *c)
{
   const uint64_t widest = cost(c);
   const uint32_t hidden = 2 * num_fetches(c);
   const uint64_t most = widest + 4 + (hidden > widest / 8 ? hidden : widest / 8);
   const unsigned all_waves = cayman_waves(1);
   struct bounds list[NUM_BOUNDS];
   unsigned best = NUM_BOUNDS, waves = cayman_waves(c->out->num_gprs);
   uint64_t least = widest;
   uint32_t *lifetime;
   bool any = false, keeps = true;

   if (waves == all_waves)
      return;
   list_bounds(list, c->out->num_gprs);
   /* What one schedule needs of the program is a burden to the others.  If all near program order
    * need something, then some of them may have it. */
   c->keep_program = true;
   for (unsigned i = 0; i < NUM_BOUNDS; i += c->keep_program ? 1 : 2) {
      const bool fits = try_bounds(c, &list[i], &lifetime);
      const unsigned w = fits ? cayman_waves(c->out->num_gprs) : 0;
      any |= !c->no_schedule && list[i].window != UINT32_MAX;
      const uint64_t dearest = w == all_waves ? most + widest / 16 : most;
      if (fits && cost(c) <= dearest && is_better(cost(c), w, least, waves)) {
         best = i;
         waves = w;
         least = cost(c);
         keeps = c->keep_program;
      }
      if (waves == all_waves && least <= widest + widest / 32)
         break;
      if (i == NUM_BOUNDS - 1 && !any && c->keep_program) {
         c->keep_program = false;
         i = UINT_MAX - 1; /* the next one is the first */
      }
   }
   c->keep_program = best < NUM_BOUNDS && keeps;
   if (best < NUM_BOUNDS && try_bounds(c, &list[best], &lifetime))
      return;
   /* What the widest schedule broke up does not come out the same again, and may not fit. */
   c->keep_program = false;
   start_over(c);
   if (!try_window(c, UINT32_MAX, &lifetime)) {
      start_over(c);
      allocate_registers(c);
   }
}

/* What is to be compiled, and how. */
struct job {
   const struct cc_chip *chip;
   const struct il_program *source; /* as written */
   const struct il_program *il;     /* legalised */
   unsigned flags;
   bool copy; /* a geometry program's copy shader */
};

static bool
compile_job(const struct job *job, struct shader_code *out, char *error, size_t error_size)
{
   struct compiler *c = calloc(1, sizeof(*c));
   bool ok = false;

   memset(out, 0, sizeof(*out));
   if (error_size)
      error[0] = 0;
   if (!c) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   c->chip = job->chip;
   c->source = job->source;
   c->il = job->il;
   c->flags = job->flags;
   c->copy = job->copy;
   c->out = out;
   compile_begin(&c->mem, job->flags, error, error_size);

   if (setjmp(c->mem.failed) == 0) {
      run_passes(c);
      if (allocate_registers(c))
         narrow(c);
      if (!(c->flags & SHADER_COMPILE_NO_OPT)) {
         cc_drop_moves(c);
         cc_print_after(c, "drop_moves");
      }
      cc_encode(c);
      check_result(c);
      c->done = true;
   } else {
      shader_code_finish(out);
   }
   ok = c->done;
   if (!c->dump.text.failed && c->dump.text.size) {
      text_char(&c->dump.text, '\0');
      out->ir = c->dump.text.data;
   } else {
      free(c->dump.text.data);
   }
   compile_free(&c->mem);
   free(c);
   return ok;
}

const struct il_target_caps cayman_caps = {
   .has = 1u << IL_CORE_DOT | 1u << IL_CORE_DOUBLE | 1u << IL_CORE_OWNER,
};

/* Of doubles the moves: the import refuses what would compute. */
const struct il_target_caps evergreen_caps = {
   .has = 1u << IL_CORE_DOT | 1u << IL_CORE_DOUBLE | 1u << IL_CORE_OWNER,
};

static const struct il_target_caps *const caps_of[CAYMAN_VLIWS] = {
   [CAYMAN_VLIW4] = &cayman_caps,
   [CAYMAN_VLIW5] = &evergreen_caps,
};

static bool
compile(enum cayman_vliw vliw, const struct il_program *il, unsigned flags, bool copy,
        struct shader_code *out, char *error, size_t error_size)
{
   struct il_program *lowered;
   struct il_error problem;

   memset(out, 0, sizeof(*out));
   if (copy && il->shader != IL_SHADER_GEOMETRY) {
      if (error_size)
         snprintf(error, error_size, "only a geometry program has a copy shader");
      return false;
   }
   bool ok = il_lower(il, caps_of[vliw], &lowered, &problem) &&
             il_is_core(lowered ? lowered : il, caps_of[vliw], &problem);
   if (!ok && error_size)
      snprintf(error, error_size, "%s", problem.text);
   const struct job job = {
      .chip = &cc_chips[vliw],
      .source = il,
      .il = lowered ? lowered : il,
      .flags = flags,
      .copy = copy,
   };
   ok = ok && compile_job(&job, out, error, error_size);
   il_program_free(lowered);
   return ok;
}

static void
describe(const struct shader_code *code, char text[SHADER_DESCRIPTION_MAX])
{
   snprintf(text, SHADER_DESCRIPTION_MAX,
            "%u dw, %u gprs, %u alu_groups, %u loops, %u cf, %u stack", code->num_dwords,
            code->num_gprs, code->num_alu_groups, code->num_loops, code->num_cf, code->stack_size);
}

/* The functions of struct shader_compiler for one of the chips, and the struct. */
#define COMPILER(name_, text_, vliw_)                                                              \
   bool name_##_compile(const struct il_program *il, unsigned flags, struct shader_code *out,      \
                        char *error, size_t error_size)                                            \
   {                                                                                               \
      return compile(vliw_, il, flags, false, out, error, error_size);                             \
   }                                                                                               \
   bool name_##_compile_copy(const struct il_program *il, unsigned flags, struct shader_code *out, \
                             char *error, size_t error_size)                                       \
   {                                                                                               \
      return compile(vliw_, il, flags, true, out, error, error_size);                              \
   }                                                                                               \
   static bool validate_##name_(const struct shader_code *code, char *error, size_t error_size)    \
   {                                                                                               \
      return is_legal(vliw_, code, error, error_size);                                             \
   }                                                                                               \
   static void disassemble_##name_(FILE *file, const uint32_t *words, unsigned num_dwords)         \
   {                                                                                               \
      cayman_disassemble_for(file, vliw_, words, num_dwords);                                      \
   }                                                                                               \
   const struct shader_compiler name_##_compiler = {                                               \
      .name = #name_,                                                                              \
      .text = text_,                                                                               \
      .caps = &name_##_caps,                                                                       \
      .compile = name_##_compile,                                                                  \
      .compile_copy = name_##_compile_copy,                                                        \
      .validate = validate_##name_,                                                                \
      .describe = describe,                                                                        \
      .disassemble = disassemble_##name_,                                                          \
   };

COMPILER(cayman, "Cayman", CAYMAN_VLIW4)
COMPILER(evergreen, "Evergreen", CAYMAN_VLIW5)
