/* SPDX-License-Identifier: MIT */
/*
 * RUN_COMPUTE: the work groups of a shader program, on Valhall's own surroundings: uniforms from
 * memory, tables of resources as the driver lays them out, and addresses of the group's address
 * space.
 *
 * Storage of threads and of groups lies at addresses that no address space has, so that no other
 * memory is reached through it; its descriptor's own addresses are not used.
 */
#include "chip/mali/mali.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/workgroup.h"
#include "kernel.h"
#include "memory/vm.h"
#include "valhall/valhall.h"

/* What all waves of one may run, and what a group costs besides. */
#define CYCLES       (UINT64_C(1) << 33)
#define GROUP_CYCLES 256u

#define MAX_WORDS    32768u /* that are looked at for a program */
#define MAX_UNIFORMS 256u   /* of 32 bits */

#define THREAD_STORAGE (UINT64_C(1) << 40)
#define GROUP_STORAGE  (UINT64_C(2) << 40)
#define NO_GROUP       31u /* group_instances: groups have no storage */
#define THREAD_UNIT    16u /* bytes of the smallest storage of a thread */
#define MAX_THREAD     11u /* thread_size: 32 KiB */
#define MAX_GROUP      16u /* group_size_scale: the same */

#define PROGRAM(name) mali_field(program, MALI_AT_SHADER_PROGRAM_##name)
#define STORAGE(name) mali_field(storage, MALI_AT_LOCAL_STORAGE_##name)

/* One on its way. */
struct compute {
   const struct mali_env *env;
   const struct mali_compute *job;
   char *text;
   bool unmapped; /* a lane named memory that is not there */
   bool faulted, cut;
   uint64_t *words;
   uint32_t uniforms[MAX_UNIFORMS];
   struct core_program *program;
   struct core_entry entry;
   struct vh_bind bind;
   uint32_t group_bytes;
};

__attribute__((format(printf, 3, 4))) static enum mali_result
say(const struct compute *c, enum mali_result result, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   vsnprintf(c->text, MALI_TEXT, format, args);
   va_end(args);
   return result;
}

/* ---- Memory ---- */

static void
note(struct compute *c, uint64_t va, uint64_t size, uint64_t there)
{
   if (there == size || c->unmapped)
      return;
   c->unmapped = true;
   say(c, MALI_UNMAPPED, "a shader names %llu bytes at 0x%llx, which are not mapped",
       (unsigned long long)size, (unsigned long long)va);
}

static uint64_t
memory_read(void *context, uint64_t va, void *data, uint64_t size)
{
   struct compute *c = context;
   const uint64_t there = vm_read(c->env->vm, va, data, size);

   note(c, va, size, there);
   return there;
}

static uint64_t
memory_write(void *context, uint64_t va, const void *data, uint64_t size)
{
   struct compute *c = context;
   const uint64_t there = vm_write(c->env->vm, va, data, size);

   note(c, va, size, there);
   return there;
}

static bool
read_words(const struct compute *c, enum mali_descriptor descriptor, uint64_t address,
           uint32_t *words, unsigned count)
{
   if (vm_read(c->env->vm, address, words, count * 4) != count * 4)
      return false;
   if (c->env->trace)
      mali_print(stderr, descriptor, words);
   return true;
}

/* ---- Making it ---- */

static enum mali_result
take_program(struct compute *c)
{
   uint32_t program[MALI_WORDS_SHADER_PROGRAM];
   const struct vh_kernels *kernels = vh_kernels_of(kernels_choose());
   uint64_t bytes;

   if (!read_words(c, MALI_SHADER_PROGRAM, c->job->program, program, MALI_WORDS_SHADER_PROGRAM))
      return say(c, MALI_UNMAPPED, "the shader's descriptor is not mapped");
   if (PROGRAM(type) != MALI_TYPE_shader)
      return say(c, MALI_FAULT, "a descriptor of type %u where a shader's should be",
                 (unsigned)PROGRAM(type));
   bytes = vm_extent(c->env->vm, PROGRAM(binary), MAX_WORDS * 8);
   if (bytes < 8 || PROGRAM(binary) % 8)
      return say(c, MALI_UNMAPPED, "there is no program at 0x%llx",
                 (unsigned long long)PROGRAM(binary));
   c->words = malloc(bytes);
   if (!c->words)
      return say(c, MALI_FAULT, "no memory");
   vm_read(c->env->vm, PROGRAM(binary), c->words, bytes);

   const struct vh_source source = {
      .words = c->words,
      .count = bytes / 8,
      .address = PROGRAM(binary),
      .flush = (unsigned)PROGRAM(flush),
      .open = true,
      .stage = CORE_COMPUTE,
   };

   c->program = kernels->lift(&source);
   if (!c->program)
      return say(c, MALI_FAULT, "no memory");
   return c->program->error ? say(c, MALI_MISSING, "%s", c->program->error) : MALI_DONE;
}

static enum mali_result
take_storage(struct compute *c, uint32_t *thread_bytes)
{
   uint32_t storage[MALI_WORDS_LOCAL_STORAGE];

   if (!read_words(c, MALI_LOCAL_STORAGE, c->job->storage, storage, MALI_WORDS_LOCAL_STORAGE))
      return say(c, MALI_UNMAPPED, "the descriptor of local storage is not mapped");
   if (c->program->uses_scratch && STORAGE(thread_size) > MAX_THREAD)
      return say(c, MALI_MISSING, "threads with more than 32 KiB of storage");
   *thread_bytes = c->program->uses_scratch ? THREAD_UNIT << STORAGE(thread_size) : 0;
   if (STORAGE(group_size_scale) > MAX_GROUP)
      return say(c, MALI_MISSING, "groups with more than 32 KiB of storage");
   c->group_bytes = STORAGE(group_instances) == NO_GROUP ? 0 : CORE_LDS_BYTES;
   return MALI_DONE;
}

static enum mali_result
take_uniforms(struct compute *c, uint32_t *count)
{
   const uint64_t address = c->job->uniforms << 16 >> 16;

   *count = 2 * (uint32_t)(c->job->uniforms >> 56);
   if (*count > MAX_UNIFORMS)
      return say(c, MALI_FAULT, "%u uniforms", *count);
   if (vm_read(c->env->vm, address, c->uniforms, *count * 4) != *count * 4)
      return say(c, MALI_UNMAPPED, "the uniforms are not mapped");
   return MALI_DONE;
}

static enum mali_result
make(struct compute *c)
{
   uint32_t thread_bytes = 0, uniforms = 0;
   enum mali_result result = take_program(c);

   if (!result)
      result = take_storage(c, &thread_bytes);
   if (!result)
      result = take_uniforms(c, &uniforms);
   if (result)
      return result;
   c->bind = (struct vh_bind){
      .core = { .program = c->program,
                .entry = c->program->engine->entry(c->program, CORE_COMPUTE, NULL, &c->entry),
                .scratch_bytes = thread_bytes },
      .memory = { c, memory_read, memory_write },
      .uniforms = c->uniforms,
      .num_uniforms = uniforms,
      .resources = c->job->resources & ~UINT64_C(63),
      .num_tables = c->job->resources & 63,
      .thread_storage = THREAD_STORAGE,
      .workgroup_storage = GROUP_STORAGE,
   };
   return MALI_DONE;
}

/* ---- Running it ---- */

static void
wave_ended(void *context, const struct core_workgroup *group, const struct core_wave *wave)
{
   struct compute *c = context;

   if (!wave->faulted || c->faulted)
      return;
   c->faulted = true;
   c->cut = wave->cut;
   say(c, MALI_FAULT, "%s at instruction %u (group %u,%u,%u)",
       wave->fault ? wave->fault : "a fault", wave->fault_place, group->place[0], group->place[1],
       group->place[2]);
}

static enum mali_result
run(struct compute *c)
{
   uint64_t spent = 0;
   struct core_dispatch d = {
      .bind = &c->bind.core,
      .num_rows = VH_ROWS,
      .lds_bytes = c->group_bytes,
      .slots = CORE_GROUP_WAVES,
      .limit = CYCLES,
      .spent = &spent,
      .ended = wave_ended,
   };
   struct core_workgroup *group = NULL;
   enum mali_result result = MALI_DONE;
   uint64_t total = 1;

   d.block[0] = (uint32_t)mali_field(&c->job->group_size, MALI_AT_GROUP_SIZE_x) + 1;
   d.block[1] = (uint32_t)mali_field(&c->job->group_size, MALI_AT_GROUP_SIZE_y) + 1;
   d.block[2] = (uint32_t)mali_field(&c->job->group_size, MALI_AT_GROUP_SIZE_z) + 1;
   memcpy(d.groups, c->job->groups, sizeof(d.groups));
   for (unsigned n = 0; n < 3; n++)
      if (__builtin_mul_overflow(total, d.groups[n], &total))
         return say(c, MALI_EXHAUSTED, "too many groups");
   if (!total)
      return MALI_DONE;
   if (!core_dispatch_size(&d))
      return say(c, MALI_FAULT, "a group of too many threads");
   if (!core_workgroup_reserve(&group, &d))
      result = say(c, MALI_FAULT, "no memory");
   for (uint64_t n = 0; n < total && !result; n++) {
      bool moved = false;

      spent += GROUP_CYCLES;
      if (spent >= CYCLES || !*c->env->budget) {
         result = say(c, MALI_EXHAUSTED, "the dispatch takes too long");
         break;
      }
      --*c->env->budget;
      core_workgroup_begin(group, &d, n, 0);
      if (!core_workgroup_run(group, &d, c, &moved))
         result = say(c, MALI_FAULT, "a group waits for another one");
      else if (c->unmapped)
         result = MALI_UNMAPPED;
      else if (c->faulted)
         result = c->cut ? MALI_EXHAUSTED : MALI_FAULT;
   }
   core_workgroup_free(group);
   return result;
}

enum mali_result
mali_compute(const struct mali_env *env, const struct mali_compute *job, char text[MALI_TEXT])
{
   struct compute *c = calloc(1, sizeof(*c));
   enum mali_result result;

   if (!c) {
      snprintf(text, MALI_TEXT, "no memory");
      return MALI_FAULT;
   }
   c->env = env;
   c->job = job;
   c->text = text;
   result = make(c);
   if (!result)
      result = run(c);
   if (c->program)
      vh_kernels_of(kernels_choose())->free(c->program);
   free(c->words);
   free(c);
   return result;
}
