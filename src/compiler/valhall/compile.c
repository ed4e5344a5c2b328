/* SPDX-License-Identifier: MIT */
/*
 * The compiler's entry: context and the order of the passes.
 *
 * Registers: the form with 32 of them if they suffice, with as many messages at once as that
 * allows, or with loads further down; else that with 64; and if those do not, what lives long is
 * split off vectors, and then goes to thread storage, until they do.
 */
#include "describe.h"
#include "ir.h"

#include "compiler/passes.h"
#include "il/il.h"
#include "il/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS_32 UINT64_C(0xffff00000000ffff)
/* As few as a message with its address and a spilled value's own need. */
#define REGISTERS_FEW UINT64_C(0xff8000000000ffff)
#define MAX_ATTEMPTS  64u

/* Up to registers. */
static void
run_passes(struct vc *c)
{
#define PASS(name, when)                   \
   if (pass_runs(PASS_##when, c->flags)) { \
      vc_##name(c);                        \
      vc_print_after(c, #name);            \
      compile_look(&c->mem);               \
   }
#include "passes.def"
}

static bool
try_registers(struct vc *c, uint64_t registers)
{
   c->registers = registers;
   bool ok = vc_allocate(c);
   if (ok)
      vc_print_after(c, "allocate");
   return ok;
}

/* Fewer and fewer messages at once until the registers suffice. */
static bool
try_windows(struct vc *c, uint64_t registers)
{
   static const uint32_t windows[] = { 64, 16, 8, 0 };
   unsigned n = c->flags & SHADER_COMPILE_NO_OPT ? 3 : 0;

   for (; n < sizeof(windows) / sizeof(*windows); n++) {
      vc_schedule(c, windows[n]);
      vc_find_live(c);
      if (vc_pressure(c) <= (unsigned)__builtin_popcountll(registers) &&
          try_registers(c, registers))
         return true;
   }
   return false;
}

static void
allocate(struct vc *c)
{
   bool few = c->flags & SHADER_COMPILE_FEW_GPRS;
   unsigned spills = 1;

   if (!few && (try_windows(c, REGISTERS_32) || (vc_sink(c) && try_windows(c, REGISTERS_32))))
      return;
   uint64_t all = few ? REGISTERS_FEW : UINT64_MAX;
   if (try_windows(c, all))
      return;
   vc_split(c);
   vc_print_after(c, "split");
   for (unsigned n = 0; n < MAX_ATTEMPTS; n++) {
      vc_find_live(c);
      if (try_registers(c, all))
         return;
      if (!vc_spill(c, spills)) {
         if (c->apart)
            break;
         c->apart = true;
         continue;
      }
      vc_print_after(c, "spill");
      spills += 1 + spills / 2;
   }
   vc_fail(c, "out of registers, and nothing is left to spill");
}

static bool
validate(const struct shader_code *code, char *error, size_t error_size)
{
   const struct valhall_limits limits = {
      .registers = code->num_gprs,
      .stage = code->stage == SHADER_STAGE_PS ? VALHALL_STAGE_FRAGMENT : VALHALL_STAGE_OTHER,
   };
   struct isa_error problem = { 0 };
   size_t count;
   uint64_t *words = valhall_words(code->words, code->num_dwords, &count);
   bool ok = words && valhall_validate(words, count, &limits, &problem);

   if (!ok && error_size)
      snprintf(error, error_size, "instruction %u: %s", problem.line,
               words ? problem.text : "no memory");
   free(words);
   return ok;
}

static void
disassemble(FILE *file, const uint32_t *dwords, unsigned num_dwords)
{
   size_t count, length;
   uint64_t *words = valhall_words(dwords, num_dwords, &count);
   char *text = words ? valhall_disassemble(words, count, &length) : NULL;

   if (text)
      fwrite(text, 1, length, file);
   free(text);
   free(words);
}

static void
check_result(struct vc *c)
{
   char text[256];
   if (!validate(c->out, text, sizeof(text)))
      vc_fail(c, "the compiler emitted an illegal program: %s", text);
}

/* Of doubles moves alone: there is no formula for the others. */
static const struct il_target_caps valhall_caps = { .has = 1u << IL_CORE_DOUBLE };

static bool
compile_lowered(struct vc *c)
{
   if (setjmp(c->mem.failed))
      return false;
   vc_value(c, 1); /* none */
   run_passes(c);
   allocate(c);
   vc_flow(c);
   vc_encode(c);
   check_result(c);
   return true;
}

static bool
compile(const struct il_program *il, unsigned flags, bool copy, struct shader_code *out,
        char *error, size_t error_size)
{
   struct il_program *lowered = NULL;
   struct il_error problem;
   struct vc *c = calloc(1, sizeof(*c));

   memset(out, 0, sizeof(*out));
   if (error_size)
      error[0] = 0;
   if (!c) {
      if (error_size)
         snprintf(error, error_size, "out of memory");
      return false;
   }
   bool ok = il_lower(il, &valhall_caps, &lowered, &problem) &&
             il_is_core(lowered ? lowered : il, &valhall_caps, &problem);
   if (!ok && error_size)
      snprintf(error, error_size, "%s", problem.text);
   c->source = il;
   c->il = lowered ? lowered : il;
   c->flags = flags;
   c->copy = copy;
   c->out = out;
   compile_begin(&c->mem, flags, error, error_size);
   ok = ok && compile_lowered(c);
   if (!ok)
      shader_code_finish(out);
   if (!c->dump.failed && c->dump.size) {
      text_char(&c->dump, '\0');
      out->ir = c->dump.data;
   } else {
      free(c->dump.data);
   }
   compile_free(&c->mem);
   free(c);
   il_program_free(lowered);
   return ok;
}

static bool
compile_program(const struct il_program *il, unsigned flags, struct shader_code *out, char *error,
                size_t error_size)
{
   return compile(il, flags, false, out, error, error_size);
}

static bool
compile_copy(const struct il_program *il, unsigned flags, struct shader_code *out, char *error,
             size_t error_size)
{
   if (il->shader != IL_SHADER_GEOMETRY) {
      memset(out, 0, sizeof(*out));
      if (error_size)
         snprintf(error, error_size, "only a geometry program has a copy program");
      return false;
   }
   return compile(il, flags, true, out, error, error_size);
}

const struct shader_compiler valhall_compiler = {
   .name = "valhall",
   .text = "Valhall",
   .caps = &valhall_caps,
   .compile = compile_program,
   .compile_copy = compile_copy,
   .bound = vc_bound,
   .validate = validate,
   .describe = valhall_describe,
   .disassemble = disassemble,
};
