/* SPDX-License-Identifier: MIT */
#include "run.h"

static uint64_t
access_size(uint64_t va, uint64_t size)
{
   if (va < MEMORY_BASE || va - MEMORY_BASE >= MEMORY_SIZE) {
      return 0;
   }
   uint64_t left = MEMORY_SIZE - (va - MEMORY_BASE);
   return size < left ? size : left;
}

static uint64_t
memory_read(void *context, uint64_t va, void *data, uint64_t size)
{
   uint64_t n = access_size(va, size);
   memset(data, 0, size);
   if (n) {
      memcpy(data, (uint8_t *)context + (va - MEMORY_BASE), n);
   }
   return n;
}

static uint64_t
memory_write(void *context, uint64_t va, const void *data, uint64_t size)
{
   uint64_t n = access_size(va, size);
   if (n) {
      memcpy((uint8_t *)context + (va - MEMORY_BASE), data, n);
   }
   return n;
}

unsigned
run_builds(const struct vh_kernels *builds[3])
{
   unsigned n = 0;
   builds[n++] = &vh_kernels_sse2;
   const struct vh_kernels *best = vh_kernels_of(kernels_choose());
   if (best != &vh_kernels_sse2) {
      builds[n++] = &vh_kernels_avx2;
   }
   if (best == &vh_kernels_avx512) {
      builds[n++] = best;
   }
   return n;
}

static void
load(struct machine *m, const struct vh_kernels *kernels, const char *text, unsigned flush,
     bool check)
{
   static const struct valhall_limits limits = { .stage = VALHALL_STAGE_FRAGMENT };
   struct isa_error error;
   size_t count;
   uint64_t *words = valhall_assemble(text, strlen(text), &count, &error);

   if (!words || (check && !valhall_validate(words, count, &limits, &error))) {
      fail_msg("%s: line %u, column %u: %s", text, error.line, error.column, error.text);
   }
   struct vh_source source = { words, count, MEMORY_BASE, flush };
   memset(m, 0, sizeof(*m));
   m->kernels = kernels;
   m->program = kernels->lift(&source);
   free(words);
   assert_non_null(m->program);
   if (kernels->error(m->program)) {
      fail_msg("%s: %s", text, kernels->error(m->program));
   }
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
   m->bind.thread_bytes = 64;
   m->bind.workgroup_storage = MEMORY_BASE + 0xc000;
   m->bind.budget = 100000;
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

bool
run_lanes(struct machine *m, uint64_t active)
{
   m->wave =
      (struct vh_wave){ .file = m->file, .bind = &m->bind, .active = active, .valid = active };
   while (m->kernels->run(m->program, &m->wave)) {
      /* Alone at a barrier. */
   }
   return !m->wave.faulted;
}

void
run_unload(struct machine *m)
{
   m->kernels->free(m->program);
   m->program = NULL;
}
