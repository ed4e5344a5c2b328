/* SPDX-License-Identifier: MIT */
/*
 * See run_wave.h.
 */
#include "run_wave.h"
#include "sq/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
asm_init(struct asm_program *a)
{
   memset(a, 0, sizeof(*a));
}

static void
add_words(struct asm_program *a, const uint32_t *words, unsigned count)
{
   if (a->num_clause_words + count > ASM_MAX_WORDS) {
      a->overflow = true;
      return;
   }
   memcpy(a->clauses + a->num_clause_words, words, count * sizeof(*words));
   a->num_clause_words += count;
}

void
asm_group(struct asm_program *a, const struct cayman_alu_group *group)
{
   uint32_t words[12];
   int n = cayman_encode_alu_group(CAYMAN_VLIW4, group, words);
   if (n < 0) {
      a->overflow = true;
      return;
   }
   add_words(a, words, (unsigned)n);
}

void
asm_fetch(struct asm_program *a, const struct cayman_fetch *fetch)
{
   uint32_t words[4];
   if (a->open_clause == a->num_clause_words && (a->open_clause & 3)) {
      static const uint32_t pad[2];
      add_words(a, pad, 2);
      a->open_clause = a->num_clause_words;
   }
   if (cayman_encode_fetch(CAYMAN_VLIW4, fetch, words) < 0)
      a->overflow = true;
   add_words(a, words, 4);
}

unsigned
asm_cf(struct asm_program *a, const struct cayman_cf *cf)
{
   if (a->num_cfs == ASM_MAX_CFS) {
      a->overflow = true;
      return 0;
   }
   a->cf[a->num_cfs] = *cf;
   a->cf[a->num_cfs].form = cayman_cf_info(cf->op)->form;
   return a->num_cfs++;
}

unsigned
asm_clause(struct asm_program *a, const struct cayman_cf *cf)
{
   unsigned n = asm_cf(a, cf), words = a->num_clause_words - a->open_clause;
   bool fetch = cayman_cf_is_fetch(&a->cf[n]) || cayman_cf_is_gds(&a->cf[n]);
   if (words == 0)
      a->overflow = true;
   else
      a->cf[n].count = (uint8_t)(words / (fetch ? 4 : 2) - 1);
   a->clause_at[n] = a->open_clause;
   a->owns_clause[n] = true;
   a->open_clause = a->num_clause_words;
   return n;
}

unsigned
asm_alu_clause(struct asm_program *a, unsigned op)
{
   struct cayman_cf cf = { .op = (uint16_t)op, .barrier = true };
   for (unsigned n = 0; n < 2; n++) {
      cf.kcache[n].mode = CAYMAN_KCACHE_LOCK_2;
      cf.kcache[n].bank = (uint8_t)n;
   }
   return asm_clause(a, &cf);
}

unsigned
asm_branch(struct asm_program *a, unsigned op, unsigned target, unsigned pop_count)
{
   struct cayman_cf cf = {
      .op = (uint16_t)op, .addr = target, .pop_count = (uint8_t)pop_count, .barrier = true
   };
   return asm_cf(a, &cf);
}

void
asm_begin_diverged(struct asm_program *a, unsigned gpr)
{
   struct cayman_alu p =
      asm_op2(CAYMAN_ALU_PRED_SETNE_INT, 0, 0, asm_gpr(gpr, 0), asm_sel(CAYMAN_SRC_0, 0));

   p.write_mask = false;
   p.update_exec_mask = true;
   asm_one(a, p);
   asm_alu_clause(a, CAYMAN_CF_ALU_PUSH_BEFORE);
}

void
asm_end_diverged(struct asm_program *a)
{
   asm_branch(a, CAYMAN_CF_POP, a->num_cfs + 1, 1);
}

void
asm_export(struct asm_program *a, unsigned type, unsigned array_base, unsigned gpr)
{
   struct cayman_cf cf = { .op = CAYMAN_CF_EXPORT_DONE,
                           .barrier = true,
                           .type = (uint8_t)type,
                           .array_base = (uint16_t)array_base,
                           .rw_gpr = (uint8_t)gpr,
                           .sel = { 0, 1, 2, 3 } };
   asm_cf(a, &cf);
}

static bool
is_branch(unsigned op)
{
   switch (op) {
   case CAYMAN_CF_LOOP_START:
   case CAYMAN_CF_LOOP_END:
   case CAYMAN_CF_LOOP_START_DX10:
   case CAYMAN_CF_LOOP_START_NO_AL:
   case CAYMAN_CF_LOOP_CONTINUE:
   case CAYMAN_CF_LOOP_BREAK:
   case CAYMAN_CF_JUMP:
   case CAYMAN_CF_JUMP_ANY:
   case CAYMAN_CF_JUMPTABLE:
   case CAYMAN_CF_PUSH:
   case CAYMAN_CF_PUSH_WQM:
   case CAYMAN_CF_ELSE:
   case CAYMAN_CF_ELSE_WQM:
   case CAYMAN_CF_CALL:
      return true;
   default:
      return false;
   }
}

bool
asm_finish(struct asm_program *a)
{
   struct cayman_cf end = { .op = CAYMAN_CF_END, .barrier = true };
   uint32_t at[ASM_MAX_CFS + 1], pc = 0;
   asm_cf(a, &end);
   for (unsigned n = 0; n < a->num_cfs; n++) {
      at[n] = pc;
      pc += a->cf[n].extended ? 2 : 1;
   }
   at[a->num_cfs] = pc;

   /* Clauses after the control flow; fetches need 16-byte alignment. */
   uint32_t base = (pc * 2 + 3) & ~3u;
   bool ok = !a->overflow;
   memset(a->words, 0, sizeof(a->words));
   for (unsigned n = 0; n < a->num_cfs; n++) {
      struct cayman_cf *cf = &a->cf[n];
      if (a->owns_clause[n])
         cf->addr = (base + a->clause_at[n]) / 2;
      else if (is_branch(cf->op))
         cf->addr = cf->addr <= a->num_cfs ? at[cf->addr] : 0;
      uint32_t *out = a->words + at[n] * 2;
      if (cf->extended) {
         ok &= cayman_encode_extended(cf, out) == CAYMAN_OK;
         out += 2;
      }
      ok &= cayman_encode_cf(cf, out) == CAYMAN_OK;
   }
   memcpy(a->words + base, a->clauses, a->num_clause_words * sizeof(uint32_t));
   a->num_words = base + a->num_clause_words;
   return ok;
}

struct cayman_alu_src
asm_gpr(unsigned gpr, unsigned chan)
{
   return (struct cayman_alu_src){ .sel = (uint16_t)gpr, .chan = (uint8_t)chan };
}

struct cayman_alu_src
asm_sel(unsigned sel, unsigned chan)
{
   return (struct cayman_alu_src){ .sel = (uint16_t)sel, .chan = (uint8_t)chan };
}

struct cayman_alu
asm_op3(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a, struct cayman_alu_src b,
        struct cayman_alu_src c)
{
   return (struct cayman_alu){ .op = (uint16_t)op,
                               .dst_gpr = (uint8_t)dst,
                               .dst_chan = (uint8_t)chan,
                               .write_mask = true,
                               .src = { a, b, c } };
}

struct cayman_alu
asm_op2(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a, struct cayman_alu_src b)
{
   return asm_op3(op, dst, chan, a, b, (struct cayman_alu_src){ 0 });
}

struct cayman_alu
asm_op1(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a)
{
   return asm_op3(op, dst, chan, a, (struct cayman_alu_src){ 0 }, (struct cayman_alu_src){ 0 });
}

void
asm_slots(struct asm_program *a, const struct cayman_alu *slots, unsigned num_slots,
          const uint32_t *literals, unsigned num_literals)
{
   struct cayman_alu_group g = { .num_slots = (uint8_t)num_slots };
   for (unsigned n = 0; n < num_slots; n++)
      g.slot[n] = slots[n];
   for (unsigned n = 0; n < num_literals; n++)
      g.literal[n] = literals[n];
   g.num_literals = (uint8_t)((num_literals + 1) & ~1u);
   asm_group(a, &g);
}

void
asm_one(struct asm_program *a, struct cayman_alu slot)
{
   asm_slots(a, &slot, 1, NULL, 0);
}

/* ---------------------------------------------------------------------------------------------- */

unsigned
run_wave_builds(const struct kernels *builds[3])
{
   unsigned count = 0;
   builds[count++] = &kernels_sse2;
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      builds[count++] = &kernels_avx2;
   if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      builds[count++] = &kernels_avx512;
   return count;
}

void
run_wave_init(struct run_wave *r, enum sq_stage stage)
{
   const struct kernels *builds[3];
   memset(r, 0, sizeof(*r));
   r->kernels = builds[run_wave_builds(builds) - 1];
   r->source.stage = stage;
   r->source.pgm_resources = 64 | 32 << 8 | 1 << 21;
   r->wave.rows = r->gpr[0];
   r->wave.valid = r->wave.active = ~0ull;
   r->wave.bind = &r->bind.core;
   r->wave.outputs = &r->outputs;
   r->bind.core.entry = &core_entry_all;
   r->wave.scratch = r->scratch;
   r->wave.scratch_bytes = sizeof(r->scratch) / 64;
   r->wave.one_primitive = true;
   r->wave.coef[0] = r->coef;
   r->bind.core.budget = 10000000;
}

static bool
is_straight(const struct run_wave *r)
{
   return ((const struct program *)r->program)->straight;
}

/* Colours that were left in rows are in others that have the same. */
static void
move_colors(struct core_outputs *outputs, const void *from, const void *to)
{
   for (unsigned n = 0; n < 8; n++) {
      for (unsigned c = 0; c < 4; c++) {
         const size_t at = (size_t)((uintptr_t)outputs->left[n][c] - (uintptr_t)from);

         if (at < sizeof(((struct run_wave *)0)->gpr))
            outputs->left[n][c] = (const uint32_t *)(const void *)((const uint8_t *)to + at);
      }
   }
}

/* Programs without control flow have an engine of their own, for waves that run to their end at
 * once; waves that stop and are resumed do not use it.  Both leave the same. */
static bool
runs_resumed(struct run_wave *r, const struct run_wave *whole)
{
   const struct core_engine *engine = r->program->core.engine;
   void *state = aligned_alloc(64, (engine->state_bytes + 63) / 64 * 64);

   if (!state)
      return false;
   r->wave.rows = r->gpr[0];
   r->wave.bind = &r->bind.core;
   r->wave.outputs = &r->outputs;
   r->wave.scratch = r->scratch;
   if (core_start(state, &r->wave))
      while (core_resume(state, &r->wave, NULL) == CORE_BARRIER)
         continue;
   free(state);
   move_colors(&r->outputs, r->gpr, whole->gpr);
   const bool same = !memcmp(r->gpr, whole->gpr, sizeof(r->gpr)) &&
                     !memcmp(&r->outputs, &whole->outputs, sizeof(r->outputs)) &&
                     r->wave.valid == whole->wave.valid && r->wave.cycles == whole->wave.cycles &&
                     r->wave.faulted == whole->wave.faulted;
   if (!same)
      fprintf(stderr, "a straight program leaves something else when it is stopped and resumed\n");
   return same;
}

/* Whether colours and what else pixels export are the same, in the lanes that exported. */
static bool
same_pixels(const struct core_outputs *a, const struct core_outputs *b)
{
   if (a->lanes != b->lanes || a->mrt_written != b->mrt_written || a->z_written != b->z_written ||
       memcmp(a->component_mask, b->component_mask, sizeof(a->component_mask)) != 0)
      return false;
   for (unsigned n = 0; n < 9; n++) {
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t *x = n < 8 ? core_color(a, n, c) : a->z[c];
         const uint32_t *y = n < 8 ? core_color(b, n, c) : b->z[c];

         for (unsigned lane = 0; lane < WAVE_LANES && a->component_mask[n] >> c & 1; lane++)
            if (a->lanes >> lane & 1 && x[lane] != y[lane])
               return false;
      }
   }
   return true;
}

/* What an engine keeps of a wave of pixels does not show in the next one: the same as `whole` after
 * a wave of all lanes with other registers.  Between the two the kept state and the rows move. */
static bool
runs_kept(struct run_wave *r, const struct run_wave *whole)
{
   static _Thread_local struct core_kept kept, moved;
   const struct core_wave wave = r->wave;
   const size_t bytes = sizeof(r->gpr) / 2;
   static _Thread_local wave_lane first[CORE_WAVE_ROWS / 4][4];

   memcpy(first, (const uint8_t *)r->gpr + bytes, bytes);
   memcpy((uint8_t *)first + bytes, r->gpr, bytes);
   kept.ready = false;
   r->wave.kept = &kept;
   r->wave.keeps_rows = true;
   r->wave.rows = first[0];
   r->wave.bind = &r->bind.core;
   r->wave.outputs = &r->outputs;
   r->wave.scratch = r->scratch;
   r->wave.active = r->wave.valid = ~UINT64_C(0);
   r->wave.one_primitive = true;
   r->wave.coef[0] = r->coef;
   core_run(&r->wave);

   moved = kept;
   memset(kept.state, 0xdb, sizeof(kept.state));
   memset(first, 0xdb, sizeof(first));
   move_colors(&r->outputs, first, r->gpr);
   r->wave.kept = &moved;
   r->wave.rows = r->gpr[0];
   r->wave.active = wave.active;
   r->wave.valid = wave.valid;
   r->wave.one_primitive = wave.one_primitive;
   r->wave.coef[0] = wave.coef[0];
   core_run(&r->wave);
   const bool same = !memcmp(r->gpr, whole->gpr, sizeof(r->gpr)) &&
                     same_pixels(&r->outputs, &whole->outputs) &&
                     r->wave.valid == whole->wave.valid && r->wave.cycles == whole->wave.cycles &&
                     r->wave.faulted == whole->wave.faulted;
   if (!same)
      fprintf(stderr, "a wave that follows another one leaves something else\n");
   return same;
}

bool
run_wave_again(struct run_wave *r)
{
   uint32_t *consts = calloc(r->program->num_consts + 1, sizeof(*consts));
   if (!consts)
      return false;
   for (unsigned n = 0; n < 16; n++)
      r->bind.kcache[n] = (struct sq_kcache){ r->kcache[n], r->kcache_bytes[n] };
   for (uint32_t n = 0; n < r->program->num_consts; n++) {
      const struct sq_const_ref *c = &r->program->consts[n];
      if (r->kcache[c->bank & 15] && c->dword * 4 + 4 <= r->kcache_bytes[c->bank & 15])
         consts[n] = r->kcache[c->bank & 15][c->dword];
   }
   r->bind.consts = consts;
   r->bind.core.program = &r->program->core;

   static _Thread_local struct run_wave other, next; /* half a megabyte, thousands of times */
   /* Observed waves leave other temporaries. */
   const bool straight = is_straight(r) && !r->bind.core.observer;

   if (straight)
      next = other = *r;
   core_run(&r->wave);
   const bool pixels = r->source.stage == SQ_STAGE_PS && !r->wave.group;
   const bool same = !straight || (runs_resumed(&other, r) && (!pixels || runs_kept(&next, r)));
   free(consts);
   return same && !r->wave.faulted;
}

bool
run_wave(struct run_wave *r, const uint32_t *words, size_t num_words)
{
   run_wave_free(r);
   r->source.words = words;
   r->source.num_words = num_words;
   r->lifted = r->kernels->sq_lift(&r->source);
   r->program = r->lifted;
   return r->program && run_wave_again(r);
}

void
run_wave_free(struct run_wave *r)
{
   if (r->lifted)
      r->kernels->sq_program_free(r->lifted);
   r->lifted = NULL;
   r->program = NULL;
}
