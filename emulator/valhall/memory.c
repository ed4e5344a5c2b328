/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and atomic operations, lane by lane in ascending order, so that what lanes do to
 * one address has one result.
 */
#include "uop/tell.h"
#include "valhall/access.h"

#define BUFFER_DESCRIPTOR_BYTES 32
#define BUFFER_DESCRIPTOR_TYPE  9
#define TABLE_ADDRESS           (UINT64_MAX >> 8) /* above it, what kind of table it is */

/* The wave's scratch or its group's LDS at an address, and how much is there; NULL: it is neither.
 * */
static uint8_t *
find_window(const struct vh_exec *e, uint64_t va, uint64_t *there)
{
   const struct core_wave *wave = e->wave;
   const uint64_t scratch = (uint64_t)wave->scratch_bytes * WAVE_LANES;
   uint64_t at = va - e->bind->workgroup_storage;

   if (wave->group && wave->group->lds && at < wave->group->lds_bytes) {
      *there = wave->group->lds_bytes - at;
      return wave->group->lds + at;
   }
   at = va - e->bind->thread_storage - wave->wave_in_group * scratch;
   if (wave->scratch && at < scratch) {
      *there = scratch - at;
      return wave->scratch + at;
   }
   return NULL;
}

static void
read_memory(const struct vh_exec *e, uint64_t va, void *data, uint64_t size)
{
   const struct vh_memory *memory = &e->bind->memory;
   uint64_t there = 0;
   const uint8_t *from = find_window(e, va, &there);

   if (!from) {
      memory->read(memory->context, va, data, size);
      return;
   }
   memset(data, 0, size);
   memcpy(data, from, size < there ? size : there);
}

static void
write_memory(const struct vh_exec *e, uint64_t va, const void *data, uint64_t size)
{
   const struct vh_memory *memory = &e->bind->memory;
   uint64_t there = 0;
   uint8_t *to = find_window(e, va, &there);

   if (to)
      memcpy(to, data, size < there ? size : there);
   else
      memory->write(memory->context, va, data, size);
}

static uint64_t
read_word(const struct vh_exec *e, uint64_t va, unsigned bytes)
{
   uint64_t value = 0;
   read_memory(e, va, &value, bytes);
   return value;
}

/* The buffer that a handle names: its address and size, or nothing (size 0).  A handle is the
 * number of a table and that of a descriptor in it. */
static uint64_t
find_buffer(const struct vh_exec *e, uint32_t handle, uint64_t *address)
{
   uint64_t table = handle >> 24, index = handle & 0xffffff, base, bytes;
   uint32_t words[8] = { 0 };

   *address = 0;
   if (table >= e->bind->num_tables)
      return 0;
   base = read_word(e, e->bind->resources + 16 * table, 8) & TABLE_ADDRESS;
   bytes = read_word(e, e->bind->resources + 16 * table + 8, 4);
   if ((index + 1) * BUFFER_DESCRIPTOR_BYTES > bytes)
      return 0;
   read_memory(e, base + index * BUFFER_DESCRIPTOR_BYTES, words, sizeof(words));
   if ((words[0] & 15) != BUFFER_DESCRIPTOR_TYPE)
      return 0;
   *address = words[2] | (uint64_t)words[3] << 32;
   return words[1];
}

static void
run_atomic(const struct exec *x, const struct vh_message *m, uint64_t va, unsigned lane)
{
   const struct vh_exec *e = (const struct vh_exec *)x;
   unsigned words = m->bytes / 4;
   uint64_t old = read_word(e, va, m->bytes), value = 0, expected = 0, result;

   for (unsigned i = 0; i < words; i++) {
      value |= (uint64_t)vh_row(x, m->reg + i)[lane] << 32 * i;
      expected |= (uint64_t)vh_row(x, m->reg + words + i)[lane] << 32 * i;
   }
   result = m->exec == VALHALL_EXEC_ATOM1_RETURN ? vh_atomic_with_one(m, old)
                                                 : vh_atomic_result(m, old, value, expected);
   write_memory(e, va, &result, m->bytes);
   for (unsigned i = 0; i < m->num_returned && i < words; i++)
      vh_row(x, m->returned + i)[lane] = (uint32_t)(old >> 32 * i);
}

static __attribute__((noinline)) void
tell(const struct vh_exec *e, const struct vh_message *m, unsigned lane, uint64_t va)
{
   const struct core_wave *wave = e->wave;
   const uint64_t scratch = (uint64_t)wave->scratch_bytes * WAVE_LANES;
   const uint64_t in_group = va - e->bind->workgroup_storage;
   const uint64_t in_thread = va - e->bind->thread_storage - wave->wave_in_group * scratch;
   const unsigned how = m->exec == VALHALL_EXEC_LOAD    ? CORE_READS
                        : m->exec == VALHALL_EXEC_STORE ? CORE_WRITES
                                                        : CORE_READS | CORE_WRITES;

   if (wave->group && wave->group->lds && in_group < wave->group->lds_bytes)
      uop_tell(&e->x, CORE_MEMORY_LDS, 0, how, lane, in_group, m->bytes);
   else if (wave->scratch && in_thread < scratch)
      uop_tell(&e->x, CORE_MEMORY_SCRATCH, 0, how, lane, in_thread, m->bytes);
   else
      uop_tell(&e->x, CORE_MEMORY_SPACE, 0, how, lane, va, m->bytes);
}

void
K(uop_vh_memory)(struct exec *x, const struct bound_uop *u)
{
   struct vh_exec *e = (struct vh_exec *)x;
   const struct vh_message *m = &e->program->messages[u->p.message.number];
   uint32_t low[WAVE_LANES] __attribute__((aligned(64)));
   uint32_t high[WAVE_LANES] __attribute__((aligned(64)));

   if (e->bind->device) {
      K(vh_device_memory)(e, u, m);
      return;
   }
   for (unsigned i = 0; i < VECTORS; i++) {
      vu_store(low + i * VW, uop_src(x, u, 0, i));
      vu_store(high + i * VW, uop_src(x, u, 1, i));
   }
   for (uint64_t lanes = x->lanes; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint64_t va = (low[lane] | (uint64_t)high[lane] << 32) + (uint64_t)(int64_t)m->offset;
      uint32_t data[4] = { 0 };
      uint64_t size;

      if (x->watcher && m->exec == VALHALL_EXEC_LD_BUFFER)
         uop_tell(x, CORE_MEMORY_BUFFER, high[lane], CORE_READS, lane, low[lane], m->bytes);
      else if (x->watcher && m->exec != VALHALL_EXEC_LEA_BUFFER)
         tell(e, m, lane, va);
      switch (m->exec) {
      case VALHALL_EXEC_LOAD:
         read_memory(e, va, data, m->bytes);
         vh_write_loaded(x, m, data, lane);
         break;
      case VALHALL_EXEC_LD_BUFFER:
         size = find_buffer(e, high[lane], &va);
         /* What lies outside is zero, dword by dword. */
         if (low[lane] < size) {
            uint64_t there = size - low[lane];
            there = there < 4 ? 0 : there & ~UINT64_C(3);
            there = m->bytes < 4 && size - low[lane] >= m->bytes ? m->bytes : there;
            read_memory(e, va + low[lane], data, there < m->bytes ? there : m->bytes);
         }
         vh_write_loaded(x, m, data, lane);
         break;
      case VALHALL_EXEC_LEA_BUFFER:
         find_buffer(e, high[lane], &va);
         va += low[lane];
         vh_row(x, m->reg)[lane] = (uint32_t)va;
         vh_row(x, m->reg + 1u)[lane] = (uint32_t)(va >> 32);
         break;
      case VALHALL_EXEC_STORE:
         for (unsigned i = 0; i < m->count && i < 4; i++)
            data[i] = vh_row(x, m->reg + i)[lane];
         write_memory(e, va, data, m->bytes);
         break;
      default:
         run_atomic(x, m, va, lane);
         break;
      }
   }
}
