/* SPDX-License-Identifier: MIT */
/*
 * Assembles Cayman words and runs one wave of them, for executed tests.
 *
 *   struct asm_program a;
 *   asm_init(&a);
 *   asm_group(&a, ...); asm_end_clause(&a, CAYMAN_CF_ALU) ...
 *   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, gpr);
 *   asm_finish(&a);                   words in a.words, a.num_words
 *
 *   struct run_wave r;
 *   run_wave_init(&r, SQ_STAGE_VS);   registers zero, 64 lanes, kernels of the widest build
 *   r.gpr[1][0][lane] = ...; r.kcache[0] = ...;
 *   run_wave(&r, a.words, a.num_words);
 *   r.outputs.param[0][c][lane] ...
 *
 * Words from anywhere else (a compiler) run the same way.
 */
#ifndef RUN_WAVE_H
#define RUN_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/cayman/cayman.h"
#include "core/rings.h"
#include "sq/sq.h"

#define ASM_MAX_CFS   1024
#define ASM_MAX_WORDS 65536

struct asm_program {
   struct cayman_cf cf[ASM_MAX_CFS];
   uint32_t clause_at[ASM_MAX_CFS]; /* first dword of the clause in `clauses` */
   bool owns_clause[ASM_MAX_CFS];
   unsigned num_cfs;
   uint32_t clauses[ASM_MAX_WORDS];
   unsigned num_clause_words, open_clause;
   bool overflow;
   uint32_t words[ASM_MAX_WORDS + 4 * ASM_MAX_CFS + 8];
   size_t num_words;
};

void asm_init(struct asm_program *a);
/** Adds a group to the open ALU clause; slots in x y z w order; literals as num_literals says. */
void asm_group(struct asm_program *a, const struct cayman_alu_group *group);
/** Adds a fetch to the open TC clause. */
void asm_fetch(struct asm_program *a, const struct cayman_fetch *fetch);
/** Closes the open clause under `cf` (an ALU form or TC; count and address are filled in).  Returns
 *  the CF index in `cf` order. */
unsigned asm_clause(struct asm_program *a, const struct cayman_cf *cf);
/** The same with all defaults: kcache set n locks two lines of bank n from line 0. */
unsigned asm_alu_clause(struct asm_program *a, unsigned op);
/** Adds a control-flow instruction; branch targets (addr) count instructions as added here, and are
 *  translated by asm_finish(). */
unsigned asm_cf(struct asm_program *a, const struct cayman_cf *cf);
unsigned asm_branch(struct asm_program *a, unsigned op, unsigned target, unsigned pop_count);
/** Lanes with a zero in `gpr`.x wait until asm_end_diverged(). */
void asm_begin_diverged(struct asm_program *a, unsigned gpr);
void asm_end_diverged(struct asm_program *a);
void asm_export(struct asm_program *a, unsigned type, unsigned array_base, unsigned gpr);
/** Adds END, lays clauses out and encodes.  False if something did not encode. */
bool asm_finish(struct asm_program *a);

/* Operands and slots, short. */
struct cayman_alu_src asm_gpr(unsigned gpr, unsigned chan);
struct cayman_alu_src asm_sel(unsigned sel, unsigned chan);
struct cayman_alu asm_op1(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a);
struct cayman_alu asm_op2(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a,
                          struct cayman_alu_src b);
struct cayman_alu asm_op3(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a,
                          struct cayman_alu_src b, struct cayman_alu_src c);
/** A group of one slot. */
void asm_one(struct asm_program *a, struct cayman_alu slot);
/** A group of up to four slots. */
void asm_slots(struct asm_program *a, const struct cayman_alu *slots, unsigned num_slots,
               const uint32_t *literals, unsigned num_literals);

struct run_wave {
   const struct kernels *kernels;
   struct sq_program_source source;
   struct core_wave wave;
   struct sq_bind bind;
   struct core_outputs outputs;
   wave_lane gpr[CORE_WAVE_ROWS / 4][4];
   uint32_t *kcache[16]; /* constants of a bank, or NULL */
   uint32_t kcache_bytes[16];
   struct spi_coef coef[32][4];
   uint8_t scratch[64 * 4096];
   const struct sq_program *program; /* after run_wave() */
   struct sq_program *lifted;
};

/** The three kernel builds that this CPU runs, and their number. */
unsigned run_wave_builds(const struct kernels *builds[3]);

/** Defaults: all 64 lanes, 64 GPRs, 32 stack entries, DX10_CLAMP, denormals flushed, all entry
 *  registers taken as loaded. */
void run_wave_init(struct run_wave *r, enum sq_stage stage);
/** Lifts, binds constants and runs.  False if the program has an error or the wave faulted. */
bool run_wave(struct run_wave *r, const uint32_t *words, size_t num_words);
/** Runs again what was lifted. */
bool run_wave_again(struct run_wave *r);
void run_wave_free(struct run_wave *r);

#endif
