/* SPDX-License-Identifier: MIT */
/*
 * Compiles a vertex program of IL for ATTILA, checks the words against the instruction set's rules,
 * and runs it on the device's shader core: 64 vertices; element n of each is in inputs[n].
 */
#ifndef COMPILER_ATTILA_RUN_H
#define COMPILER_ATTILA_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attila/attila.h"
#include "compiler/attila/attila_compile.h"
#include "il/il.h"
#include "lanes.h"

#define RUN_INPUTS  4
#define RUN_OUTPUTS 4 /* o32 and on */

struct run {
   uint32_t inputs[RUN_INPUTS][WAVE_LANES][4];
   uint32_t constants[16][4];
   uint32_t outputs[RUN_OUTPUTS][WAVE_LANES][4];
};

static const unsigned run_flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_SCALAR };

static inline struct il_program *
run_parse(const char *text)
{
   struct il_error error;
   struct il_program *il = il_parse(text, strlen(text), &error);

   if (!il) {
      print_message("%s", text);
      fail_msg("line %u:%u: %s", error.where, error.column, error.text);
   }
   return il;
}

/** What it takes in the four outputs o32 to o35, as the compiler made it with `flags`. */
static inline void
run_program(const struct il_program *il, unsigned flags, struct run *r)
{
   static struct at_bind bind;
   static struct core_outputs outputs;
   static uint32_t table[512][4];
   const struct at_kernels *kernels = at_kernels_of(kernels_choose());
   struct shader_code code;
   char error[256];

   if (!attila_compiler.compile(il, flags, &code, error, sizeof(error)))
      fail_msg("%s", error);
   assert_true(attila_compiler.validate(&code, error, sizeof(error)));
   const struct at_source source = { .words = code.words, .num_dwords = code.num_dwords };
   struct at_program *program = kernels->lift(&source);
   assert_non_null(program);
   if (program->core.error)
      fail_msg("%s", program->core.error);

   memset(table, 0, sizeof(table));
   memcpy(table, r->constants, sizeof(r->constants));
   if (code.num_icb)
      memcpy(table[ATTILA_DRIVER_CONSTANTS + SHADER_ICB_FIRST_VEC4], code.icb, 16 * code.num_icb);
   memset(&bind, 0, sizeof(bind));
   struct core_entry entry = { { 0 }, { 0 } };
   core_entry_take(&entry, CORE_LANE, 0);
   bind.core =
      (struct core_bind){ .program = &program->core, .entry = &entry, .budget = UINT64_C(1) << 32 };
   bind.constants = table[0];
   bind.num_constants = 512;
   for (unsigned n = 0; n < RUN_INPUTS; n++)
      bind.attribute[n] = (struct at_attribute){ r->inputs[n][0], WAVE_LANES };
   wave_lane *rows = aligned_alloc(64, program->num_rows * sizeof(*rows));
   assert_non_null(rows);
   memset(rows, 0, program->num_rows * sizeof(*rows));
   for (unsigned l = 0; l < WAVE_LANES; l++)
      rows[0][l] = l;
   struct core_wave wave = { .rows = rows,
                             .valid = UINT64_MAX,
                             .active = UINT64_MAX,
                             .bind = &bind.core,
                             .outputs = &outputs };
   core_run(&wave);
   if (wave.faulted)
      fail_msg("instruction %u: %s", wave.fault_place, wave.fault);
   memset(r->outputs, 0, sizeof(r->outputs));
   for (unsigned n = 0; n < RUN_OUTPUTS && ATTILA_VS_PARAMETER + n < program->num_outputs; n++)
      for (unsigned c = 0; c < 4; c++)
         for (unsigned l = 0; l < WAVE_LANES; l++)
            r->outputs[n][l][c] = rows[program->output_row + 4 * (ATTILA_VS_PARAMETER + n) + c][l];
   free(rows);
   kernels->free(program);
   shader_code_finish(&code);
}

#endif
