/* SPDX-License-Identifier: MIT */
/*
 * The compiler's entry: memory, errors and the order of the passes.
 *
 * Memory of a compilation is one arena.  A failure ends it from wherever it is found: ac_fail()
 * writes the message and leaves through a longjmp.
 */
#include "ir.h"

#include "isa/isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct ac_arena {
   struct ac_arena *next;
   size_t used, size;
   _Alignas(16) uint8_t data[];
};

#define CHUNK_BYTES (256 * 1024)

void *
ac_alloc(struct ac_compiler *c, size_t bytes)
{
   struct ac_arena *chunk = c->arena;

   bytes = (bytes + 15) & ~(size_t)15;
   if (!chunk || chunk->size - chunk->used < bytes) {
      const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
      chunk = malloc(sizeof(*chunk) + size);
      if (!chunk)
         ac_fail(c, "out of memory");
      *chunk = (struct ac_arena){ c->arena, 0, size };
      c->arena = chunk;
   }
   void *p = chunk->data + chunk->used;
   chunk->used += bytes;
   return memset(p, 0, bytes);
}

void *
ac_grow(struct ac_compiler *c, void *array, uint32_t count, uint32_t *cap, size_t element)
{
   if (count < *cap)
      return array;
   const uint32_t more = *cap ? 2 * *cap : 64;
   void *bigger = ac_alloc(c, more * element);
   if (array)
      memcpy(bigger, array, count * element);
   *cap = more;
   return bigger;
}

void
ac_fail(struct ac_compiler *c, const char *format, ...)
{
   va_list args;

   if (c->error_size) {
      va_start(args, format);
      vsnprintf(c->error, c->error_size, format, args);
      va_end(args);
   }
   longjmp(c->failed, 1);
}

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

static void
compile_lowered(struct ac_compiler *c)
{
   ac_import(c);
   ac_print_after(c, "import");
   if (!(c->flags & SHADER_COMPILE_NO_OPT)) {
      ac_fold(c);
      ac_print_after(c, "fold");
   }
   ac_drop_dead(c);
   ac_print_after(c, "drop_dead");
   if (c->flags & SHADER_COMPILE_SCALAR) {
      ac_scalarize(c);
      ac_print_after(c, "scalarize");
   } else if (!(c->flags & SHADER_COMPILE_NO_OPT)) {
      ac_merge(c);
      ac_print_after(c, "merge");
   }
   if (!(c->flags & SHADER_COMPILE_NO_OPT)) {
      ac_predicate(c);
      ac_print_after(c, "predicate");
   }
   ac_allocate(c);
   ac_print_after(c, "allocate");
   ac_encode(c);
   check(c);
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
   if (!c)
      return false;
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
   c->error = error;
   c->error_size = error_size;
   if (setjmp(c->failed) == 0) {
      ac_infer_booleans(c);
      /* What is expanded may be no boolean any more, and then what is made of it neither. */
      while (ac_expand_integers(c)) {
         il_program_free(c->former);
         c->il = c->former = c->expanded;
         c->expanded = NULL;
         ac_infer_booleans(c);
      }
      compile_lowered(c);
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
   while (c->arena) {
      struct ac_arena *next = c->arena->next;
      free(c->arena);
      c->arena = next;
   }
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
