/* SPDX-License-Identifier: MIT */
#include "run.h"

static uint64_t
access_size(uint64_t va, uint64_t size)
{
   if (va < MEMORY_BASE || va - MEMORY_BASE >= MEMORY_SIZE)
      return 0;
   uint64_t left = MEMORY_SIZE - (va - MEMORY_BASE);
   return size < left ? size : left;
}

static uint64_t
memory_read(void *context, uint64_t va, void *data, uint64_t size)
{
   uint64_t n = access_size(va, size);
   memset(data, 0, size);
   if (n)
      memcpy(data, (uint8_t *)context + (va - MEMORY_BASE), n);
   return n;
}

static uint64_t
memory_write(void *context, uint64_t va, const void *data, uint64_t size)
{
   uint64_t n = access_size(va, size);
   if (n)
      memcpy((uint8_t *)context + (va - MEMORY_BASE), data, n);
   return n;
}

unsigned
run_builds(const struct vh_kernels *builds[3])
{
   unsigned n = 0;
   builds[n++] = &vh_kernels_sse2;
   const struct vh_kernels *best = vh_kernels_of(kernels_choose());
   if (best != &vh_kernels_sse2)
      builds[n++] = &vh_kernels_avx2;
   if (best == &vh_kernels_avx512)
      builds[n++] = best;
   return n;
}

void
run_lift(struct machine *m, const struct vh_kernels *kernels, const struct vh_source *source)
{
   struct vh_source interpret = *source;

   interpret.interpret = true;
   memset(m, 0, sizeof(*m));
   m->kernels = kernels;
   m->program = kernels->lift(source);
   m->interpreted = kernels->lift(&interpret);
   assert_non_null(m->program);
   assert_non_null(m->interpreted);
}

static void
load(struct machine *m, const struct vh_kernels *kernels, const char *text, unsigned flush,
     bool check)
{
   static const struct valhall_limits limits = { .stage = VALHALL_STAGE_FRAGMENT };
   struct isa_error error;
   size_t count;
   uint64_t *words = valhall_assemble(text, strlen(text), &count, &error);

   if (!words || (check && !valhall_validate(words, count, &limits, &error)))
      fail_msg("%s: line %u, column %u: %s", text, error.line, error.column, error.text);
   struct vh_source source = { words, count, MEMORY_BASE, flush };
   run_lift(m, kernels, &source);
   free(words);
   if (m->program->error)
      fail_msg("%s: %s", text, m->program->error);
   run_bind(m);
}

void
run_bind(struct machine *m)
{
   m->bind.memory = (struct vh_memory){ m->memory, memory_read, memory_write };
   m->bind.uniforms = m->uniforms;
   m->bind.num_uniforms = VALHALL_UNIFORMS;
   m->bind.resources = MEMORY_BASE;
   m->bind.num_tables = 4;
   m->bind.thread_storage = MEMORY_BASE + 0x8000;
   m->bind.core.scratch_bytes = 64;
   m->bind.core.entry = &core_entry_all;
   m->bind.workgroup_storage = MEMORY_BASE + 0xc000;
   m->bind.core.budget = 100000 * WAVE_LANES;
}

void
run_load(struct machine *m, const struct vh_kernels *kernels, const char *text)
{
   load(m, kernels, text, VH_FLUSH_NONE, true);
}

void
run_load_flush(struct machine *m, const struct vh_kernels *kernels, const char *text,
               unsigned flush)
{
   load(m, kernels, text, flush, true);
}

void
run_load_unchecked(struct machine *m, const struct vh_kernels *kernels, const char *text)
{
   load(m, kernels, text, VH_FLUSH_NONE, false);
}

static void
run_program(struct machine *m, const struct core_program *program, uint64_t active)
{
   m->bind.core.program = program;
   m->wave = (struct core_wave){
      .rows = m->file,
      .bind = &m->bind.core,
      .outputs = &m->outputs,
      .active = active,
      .valid = active,
   };
   core_run(&m->wave);
}

bool
run_lanes(struct machine *m, uint64_t active)
{
   static uint8_t memory[2][MEMORY_SIZE];
   static wave_lane file[2][VH_REGISTERS] __attribute__((aligned(64)));

   /* Interpreted first; then again, and the same must come of it. */
   memcpy(memory[0], m->memory, sizeof(m->memory));
   memcpy(file[0], m->file, sizeof(file[0]));
   run_program(m, m->interpreted, active);
   const struct core_wave wave = m->wave;
   memcpy(memory[1], m->memory, sizeof(m->memory));
   memcpy(file[1], m->file, sizeof(file[1]));

   memcpy(m->memory, memory[0], sizeof(m->memory));
   memcpy(m->file, file[0], sizeof(file[0]));
   run_program(m, m->program, active);
   assert_int_equal(m->wave.faulted, wave.faulted);
   assert_int_equal(m->wave.fault_place, wave.fault_place);
   assert_int_equal(m->wave.valid, wave.valid);
   assert_int_equal(m->wave.cycles, wave.cycles);
   assert_memory_equal(m->memory, memory[1], sizeof(m->memory));
   assert_memory_equal(m->file, file[1], sizeof(file[1]));
   return !m->wave.faulted;
}

void
run_unload(struct machine *m)
{
   m->kernels->free(m->program);
   m->kernels->free(m->interpreted);
   m->program = m->interpreted = NULL;
}
