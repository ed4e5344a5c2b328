/* SPDX-License-Identifier: MIT */
/*
 * The compiler's entry: context and the order of the passes.
 */
#include "ir.h"

#include "compiler/passes.h"
#include "isa/isa.h"

#include <stdio.h>
#include <stdlib.h>

static bool
validate_words(const uint32_t *words, unsigned num_dwords, bool pixel, char *error, size_t size)
{
   const struct isa_limits limits = { .stage = pixel ? ISA_STAGE_PIXEL : ISA_STAGE_VERTEX };
   return attila_validate(words, num_dwords, &limits, false, NULL, error, size);
}

static bool
validate(const struct shader_code *code, char *error, size_t error_size)
{
   return validate_words(code->words, code->num_dwords, code->stage == SHADER_STAGE_PS, error,
                         error_size);
}

/* Of the scalar form, what the machine has that form of. */
static void
check(struct ac_compiler *c)
{
   char text[200];
   struct attila_inst inst;

   if (!validate(c->out, text, sizeof(text)))
      ac_fail(c, "the compiler emitted an illegal program: %s", text);
   for (uint32_t n = 0; c->flags & SHADER_COMPILE_SCALAR && n < c->out->num_dwords / 4; n++) {
      attila_decode(c->out->words + 4 * (size_t)n, &inst);
      if ((attila_info(inst.opcode)->forms & ATTILA_FORM_SOA) &&
          attila_check(&inst, NULL, true, text, sizeof(text)))
         ac_fail(c, "the compiler emitted an illegal program: instruction %u: %s", n, text);
   }
}

/* Up to registers. */
static void
run_passes(struct ac_compiler *c)
{
#define PASS(name, when)                   \
   if (pass_runs(PASS_##when, c->flags)) { \
      ac_##name(c);                        \
      ac_print_after(c, #name);            \
      compile_look(&c->mem);               \
   }
#include "passes.def"
}

const struct il_target_caps attila_caps = {
   .has = 1u << IL_CORE_DOT | 1u << IL_CORE_DIVIDE,
};

static bool
lets_rearrange(const struct il_program *il)
{
   il_foreach(inst, il)
   {
      if (inst->op == IL_OP_DCL_GLOBAL_FLAGS &&
          il_global_flags(inst) & IL_GLOBAL_FLAG_REFACTORING_ALLOWED)
         return true;
   }
   return false;
}

static bool
compile(const struct il_program *il, unsigned flags, struct shader_code *out, char *error,
        size_t error_size)
{
   struct ac_compiler *c = calloc(1, sizeof(*c));
   struct il_program *lowered = NULL;
   struct il_error problem = { 0 };
   volatile bool ok = false;

   memset(out, 0, sizeof(*out));
   if (error_size)
      error[0] = 0;
   if (!c) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   if (!il_lower(il, &attila_caps, &lowered, &problem) ||
       !il_is_core(lowered ? lowered : il, &attila_caps, &problem)) {
      if (error_size)
         snprintf(error, error_size, "%s", problem.text);
      il_program_free(lowered);
      free(c);
      return false;
   }
   c->source = il;
   c->il = lowered ? lowered : il;
   c->flags = flags;
   c->exact = !lets_rearrange(il);
   c->out = out;
   compile_begin(&c->mem, flags, error, error_size);
   if (setjmp(c->mem.failed) == 0) {
      ac_infer_booleans(c);
      /* What is expanded may be no boolean any more, and then what is made of it neither. */
      while (ac_expand_integers(c)) {
         il_program_free(c->former);
         c->il = c->former = c->expanded;
         c->expanded = NULL;
         ac_infer_booleans(c);
      }
      run_passes(c);
      ac_encode(c);
      check(c);
      ok = true;
   } else {
      shader_code_finish(out);
   }
   if (!c->dump.failed && c->dump.size) {
      text_char(&c->dump, '\0');
      out->ir = c->dump.data;
   } else {
      free(c->dump.data);
   }
   compile_free(&c->mem);
   il_program_free(c->expanded);
   il_program_free(c->former);
   free(c);
   il_program_free(lowered);
   return ok;
}

static bool
compile_copy(const struct il_program *il, unsigned flags, struct shader_code *out, char *error,
             size_t error_size)
{
   (void)il;
   (void)flags;
   memset(out, 0, sizeof(*out));
   if (error_size)
      snprintf(error, error_size, "ATTILA has no geometry programs");
   return false;
}

static void
describe(const struct shader_code *code, char text[SHADER_DESCRIPTION_MAX])
{
   snprintf(text, SHADER_DESCRIPTION_MAX,
            "%u instructions, %u registers, %u operations on %u components, %u textures, "
            "%u jumps, %u loops, %u constants",
            code->num_dwords / 4, code->num_gprs, code->num_alu_groups, code->num_alu_slots,
            code->num_fetches, code->num_cf, code->num_loops, code->num_icb);
}

static void
disassemble(FILE *file, const uint32_t *words, unsigned num_dwords)
{
   size_t length;
   char *text = attila_listing(words, num_dwords, &length);

   if (text)
      fwrite(text, 1, length, file);
   free(text);
}

const struct shader_compiler attila_compiler = {
   .name = "attila",
   .text = "ATTILA",
   .caps = &attila_caps,
   .compile = compile,
   .compile_copy = compile_copy,
   .bound = ac_bound,
   .validate = validate,
   .describe = describe,
   .disassemble = disassemble,
};
