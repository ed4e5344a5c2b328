/* SPDX-License-Identifier: MIT */
/*
 * Messages of the device but for textures and images (docs/valhall-chip.rst): memory and its
 * windows, constant and storage buffers, attributes, parameters, what leaves a pixel.
 *
 * Windows that a lane shares with no other are found by the upper word of an address.  Where the
 * lifter knows window and offset, dwords go by the row.
 */
#include "core/rings.h"
#include "memory/vm.h"
#include "port/rat.h"
#include "uop/tell.h"
#include "valhall/access.h"
#include "valhall/element.h"

extern const struct kernels K(kernels);

#define FIRST_PAGE 4096u /* of memory: nothing is there */

/* ------------------------------------------------------------------------------------------------
 * Windows
 */

/* Bytes that lie together from an address on. */
struct place {
   uint8_t *at; /* NULL: nothing is there */
   uint64_t bytes;
};

static struct place
in_memory(void *base, uint64_t bytes, uint64_t offset)
{
   return base && offset < bytes ? (struct place){ (uint8_t *)base + offset, bytes - offset }
                                 : (struct place){ NULL, 0 };
}

/* A dword of a row of lanes. */
static struct place
in_row(uint32_t *row, unsigned lane, uint32_t offset)
{
   return (struct place){ (uint8_t *)&row[lane] + (offset & 3), 4 - (offset & 3) };
}

/* A vector that is written first has no old values. */
static void
begin_output(wave_lane vector[4], uint32_t *written, unsigned n)
{
   if (*written >> n & 1)
      return;
   *written |= 1u << n;
   memset(vector, 0, 4 * sizeof(*vector));
}

static struct place
output(const struct vh_exec *e, uint32_t offset, unsigned lane, bool write)
{
   struct core_outputs *o = e->wave->outputs;
   const uint32_t n = offset / 16, c = offset / 4 % 4;
   const enum core_stage stage = e->program->stage;

   if (!o || (stage != CORE_VERTEX && stage != CORE_EVALUATION && stage != CORE_COPY) || n >= 36)
      return (struct place){ NULL, 0 };
   if (write && n < 4)
      begin_output(o->pos[n], &o->pos_written, n);
   else if (write)
      begin_output(o->param[n - 4], &o->param_written, n - 4);
   return in_row(n < 4 ? o->pos[n][c] : o->param[n - 4][c], lane, offset);
}

static struct place
ring_item(const struct vh_exec *e, unsigned n, uint32_t offset, unsigned lane)
{
   struct core_rings *rings = e->wave->rings;
   const struct core_ring *r = rings ? &rings->ring[n] : NULL;

   return r && r->base ? in_memory(r->base + r->first + (uint64_t)lane * r->stride,
                                   (uint64_t)r->item * 4, offset)
                       : (struct place){ NULL, 0 };
}

static struct place
feedback(const struct vh_exec *e, unsigned n, uint32_t offset, unsigned lane)
{
   const struct core_stream_buffer *b = &e->bind->core.stream[n];

   if (!(e->wave->stream_lanes >> lane & 1) || offset >= b->stride)
      return (struct place){ NULL, 0 };
   return in_memory(b->base, b->bytes,
                    b->offset + (uint64_t)e->wave->stream_vertex[lane] * b->stride + offset);
}

static struct place
find_place(const struct vh_exec *e, unsigned window, uint32_t offset, unsigned lane, bool write)
{
   static const struct place nowhere;
   const struct vh_device *d = e->bind->device;
   const struct core_group *group = e->wave->group;
   const enum core_stage stage = e->program->stage;
   const bool reads_ring = stage == CORE_COPY ? window == VH_WINDOW_STREAM
                                              : stage == CORE_GEOMETRY && window == VH_WINDOW_RING;
   uint32_t base;

   if (reads_ring)
      return write ? nowhere : in_memory((void *)(uintptr_t)d->ring, d->ring_bytes, offset);
   switch (window) {
   case VH_WINDOW_OUTPUTS:
      return output(e, offset, lane, write);
   case VH_WINDOW_RING:
      return ring_item(e, 0, offset, lane);
   case VH_WINDOW_STREAM:
   case VH_WINDOW_STREAM + 1:
   case VH_WINDOW_STREAM + 2:
   case VH_WINDOW_STREAM + 3:
      return stage == CORE_GEOMETRY ? ring_item(e, window - VH_WINDOW_STREAM, offset, lane)
                                    : nowhere;
   case VH_WINDOW_FACTORS:
      return group ? in_memory(group->tf, group->tf_bytes, offset) : nowhere;
   case VH_WINDOW_FEEDBACK:
   case VH_WINDOW_FEEDBACK + 1:
   case VH_WINDOW_FEEDBACK + 2:
   case VH_WINDOW_FEEDBACK + 3:
      return write ? feedback(e, window - VH_WINDOW_FEEDBACK, offset, lane) : nowhere;
   case VH_WINDOW_GDS:
      return in_memory(d->gds, d->gds_bytes, offset);
   case VH_WINDOW_THREAD:
      return offset < e->wave->scratch_bytes && e->wave->scratch
                ? in_row((uint32_t *)e->wave->scratch + (size_t)(offset / 4) * WAVE_LANES, lane,
                         offset)
                : nowhere;
   case VH_WINDOW_GROUP:
      base = group && group->lane_base ? group->lane_base[lane] : 0;
      return group && group->lds ? in_memory(group->lds + base, group->lds_bytes, offset) : nowhere;
   default:
      return nowhere;
   }
}

static struct place
find(const struct vh_exec *e, uint64_t va, unsigned lane, bool write)
{
   const struct vm *vm = e->bind->device->vm;
   struct place p = { NULL, 0 };

   if (va >> 63)
      return find_place(e, (uint32_t)(va >> 32) & ~VH_WINDOW_HIGH, (uint32_t)va, lane, write);
   if (va < FIRST_PAGE || va >= VM_SIZE)
      return p;
   p.bytes = vm_extent(vm, va, 16);
   p.at = p.bytes ? vm_pointer(vm, va) : NULL;
   return p;
}

/* A store to the bells: a vertex is emitted, or a strip cut. */
static void
ring_bell(const struct vh_exec *e, uint32_t offset, unsigned lane)
{
   struct core_rings *rings = e->wave->rings;
   const unsigned stream = offset / 4 & 3;

   if (!rings || e->program->stage != CORE_GEOMETRY || offset >= 32)
      return;
   const uint32_t limit =
      rings->max_verts < CORE_EMIT_VERTS ? rings->max_verts : CORE_EMIT_VERTS - 1;
   const uint32_t n = rings->emitted[stream][lane];
   if (offset < 16 && n < limit)
      rings->emitted[stream][lane] = n + 1;
   if (offset >= 16 && n <= limit)
      rings->restart[stream][n / 32][lane] |= 1u << (n & 31);
}

/* Bytes that are not there read zero. */
static void
read_bytes(const struct vh_exec *e, uint64_t va, unsigned lane, void *data, unsigned size)
{
   uint8_t *to = data;

   while (size) {
      const struct place p = find(e, va, lane, false);
      const unsigned n = !p.at ? 1 : p.bytes < size ? (unsigned)p.bytes : size;
      if (p.at)
         memcpy(to, p.at, n);
      else
         *to = 0;
      to += n, va += n, size -= n;
   }
}

static void
write_bytes(const struct vh_exec *e, uint64_t va, unsigned lane, const void *data, unsigned size)
{
   const uint8_t *from = data;

   if (va >> 32 == (VH_WINDOW_HIGH | VH_WINDOW_BELLS)) {
      ring_bell(e, (uint32_t)va, lane);
      return;
   }
   while (size) {
      const struct place p = find(e, va, lane, true);
      const unsigned n = !p.at ? 1 : p.bytes < size ? (unsigned)p.bytes : size;
      if (p.at)
         memcpy(p.at, from, n);
      from += n, va += n, size -= n;
   }
}

/* ------------------------------------------------------------------------------------------------
 * By the row
 */

/* Where a row of lanes lies in a window; NULL: they do not lie side by side. */
static uint32_t *
window_row(const struct vh_exec *e, const struct vh_message *m, uint32_t offset, bool write)
{
   if (m->window != VH_WINDOW_OUTPUTS && m->window != VH_WINDOW_THREAD)
      return NULL;
   return (uint32_t *)(void *)find_place(e, m->window, offset, 0, write).at;
}

static bool
store_rows(const struct vh_exec *e, const struct vh_message *m)
{
   const uint32_t at = (uint32_t)m->offset, dwords = m->bytes / 4u;

   if (!m->fixed || m->bytes % 4 || at % 4 ||
       (m->window != VH_WINDOW_OUTPUTS && m->window != VH_WINDOW_THREAD))
      return false;
   for (uint32_t n = 0; n < dwords && n < m->count; n++) {
      uint32_t *to = window_row(e, m, at + 4 * n, true);
      if (to)
         vh_copy_lanes(to, vh_row(&e->x, m->reg + n), e->x.lanes);
   }
   return true;
}

static bool
load_rows(const struct vh_exec *e, const struct vh_message *m)
{
   const uint32_t at = (uint32_t)m->offset, dwords = m->bytes / 4u;
   static const wave_lane zeros;

   if (!m->fixed || m->bytes % 4 || at % 4 || m->width != 8u * m->bytes ||
       (m->window != VH_WINDOW_OUTPUTS && m->window != VH_WINDOW_THREAD))
      return false;
   for (uint32_t n = 0; n < dwords && n < m->count; n++) {
      const uint32_t *from = window_row(e, m, at + 4 * n, false);
      vh_copy_lanes(vh_row(&e->x, m->reg + n), from ? from : zeros, e->x.lanes);
   }
   return true;
}

/* The same address in all lanes: memory is asked once. */
static bool
load_once(const struct vh_exec *e, const struct vh_message *m, uint64_t va)
{
   uint32_t data[4] = { 0 };

   if (!m->uniform || va >> 63 || m->width < 32)
      return false;
   read_bytes(e, va, 0, data, m->bytes);
   if (m->bytes % 4 || m->width != 8u * m->bytes) {
      for (uint64_t lanes = e->x.lanes; lanes; lanes &= lanes - 1)
         vh_write_loaded(&e->x, m, data, (unsigned)__builtin_ctzll(lanes));
      return true;
   }
   for (unsigned n = 0; n < m->bytes / 4u && n < m->count; n++) {
      uint32_t *to = vh_row(&e->x, m->reg + n);
      for (unsigned i = 0; i < VECTORS; i++)
         vu_store_masked(&to[i * VW], vm_lanes(e->x.lanes, i), vu_splat(data[n]));
   }
   return true;
}

/* ------------------------------------------------------------------------------------------------
 * Buffers
 */

/* A record of texture n (table 8): width, height, depth or layers, levels, samples. */
static void
read_record(const struct vh_device *d, uint32_t n, uint32_t record[5])
{
   struct td_query q = { .width = 0 };

   if (d->views && n < TD_VERTEX_BUFFERS - VH_TEXTURES)
      td_views_query(d->views, VH_TEXTURES + n, &q);
   record[0] = q.width;
   record[1] = q.height;
   record[2] = q.depth;
   record[3] = q.levels;
   record[4] = q.samples;
}

/* Bytes of buffer `index` of a table; its address in memory where it has one. */
static void
read_buffer(const struct vh_exec *e, uint32_t handle, uint32_t byte, uint32_t data[4],
            unsigned size)
{
   const struct vh_device *d = e->bind->device;
   const uint32_t table = handle >> 24, index = handle & 0xffffff;
   const void *base = NULL;
   uint64_t bytes = 0, clock;
   uint32_t record[5];

   if (table == 0 && index < VH_BUFFERS) {
      base = d->constants[index].base;
      bytes = d->constants[index].bytes;
   } else if (table == 4 && d->views && index < TD_VERTEX_BUFFERS - VH_TEXTURES) {
      struct elements view;

      if (d->views->ops->buffer(d->views, VH_TEXTURES + index, &view)) {
         bytes = vm_extent(d->vm, view.va, view.size);
         base = bytes ? vm_pointer(d->vm, view.va) : NULL;
      }
   } else if (table == 6 && index < RATS && d->rats) {
      base = d->rats[index].kind == RAT_KIND_BUFFER ? d->rats[index].base : NULL;
      bytes = (uint64_t)d->rats[index].width * d->rats[index].bytes;
   } else if (table == 8) {
      read_record(d, index, record);
      base = record;
      bytes = sizeof(record);
   } else if (table == VH_TABLE_CLOCK && index == 0) {
      clock = e->bind->core.clock + e->wave->cycles;
      base = &clock;
      bytes = sizeof(clock);
   }
   if (!base || byte >= bytes)
      return;
   memcpy(data, (const uint8_t *)base + byte, bytes - byte < size ? bytes - byte : size);
}

static uint64_t
buffer_address(const struct vh_exec *e, uint32_t handle, uint32_t byte)
{
   const struct vh_device *d = e->bind->device;
   const uint32_t table = handle >> 24, index = handle & 0xffffff;
   const struct rat *rat = table == 6 && index < RATS && d->rats ? &d->rats[index] : NULL;
   const uint64_t bytes = rat && rat->base ? (uint64_t)rat->width * rat->bytes : 0;

   if (!rat || rat->kind != RAT_KIND_BUFFER || (uint64_t)(byte & ~3u) + 4 > bytes)
      return 0;
   return rat->range.va + byte;
}

/* ------------------------------------------------------------------------------------------------
 * Loads, stores, atomic operations
 */
/* Whether a lane changes what is there: where nobody else looks, helpers and discarded ones do,
 * too, since others of their quads want what they compute. */
static bool
changes(const struct vh_exec *e, uint64_t va, unsigned lane)
{
   const uint32_t high = (uint32_t)(va >> 32);

   return vh_acting(e) >> lane & 1 || high == (VH_WINDOW_HIGH | VH_WINDOW_THREAD) ||
          high == (VH_WINDOW_HIGH | VH_WINDOW_OUTPUTS);
}

/* A lane that does not act gets what is there: whoever tries again until nobody came between them
 * must not do so for ever. */
static void
operate(const struct vh_exec *e, const struct vh_message *m, uint64_t va, unsigned lane)
{
   const unsigned words = m->bytes / 4;
   uint64_t old = 0, value = 0, expected = 0, result;

   read_bytes(e, va, lane, &old, m->bytes);
   for (unsigned i = 0; i < words; i++) {
      value |= (uint64_t)vh_row(&e->x, m->reg + i)[lane] << 32 * i;
      expected |= (uint64_t)vh_row(&e->x, m->reg + words + i)[lane] << 32 * i;
   }
   result = m->exec == VALHALL_EXEC_ATOM1_RETURN ? vh_atomic_with_one(m, old)
                                                 : vh_atomic_result(m, old, value, expected);
   if (changes(e, va, lane))
      write_bytes(e, va, lane, &result, m->bytes);
   for (unsigned i = 0; i < m->num_returned && i < words; i++)
      vh_row(&e->x, m->returned + i)[lane] = (uint32_t)(old >> 32 * i);
}

static void
access_lane(const struct vh_exec *e, const struct vh_message *m, uint32_t low, uint32_t high,
            unsigned lane)
{
   const uint64_t va = (low | (uint64_t)high << 32) + (uint64_t)(int64_t)m->offset;
   uint32_t data[4] = { 0 };
   uint64_t address;

   switch (m->exec) {
   case VALHALL_EXEC_LOAD:
      read_bytes(e, va, lane, data, m->bytes);
      vh_write_loaded(&e->x, m, data, lane);
      break;
   case VALHALL_EXEC_LD_BUFFER:
      read_buffer(e, high, low, data, m->bytes);
      vh_write_loaded(&e->x, m, data, lane);
      break;
   case VALHALL_EXEC_LEA_BUFFER:
      address = buffer_address(e, high, low);
      vh_row(&e->x, m->reg)[lane] = (uint32_t)address;
      vh_row(&e->x, m->reg + 1u)[lane] = (uint32_t)(address >> 32);
      break;
   case VALHALL_EXEC_STORE:
      for (unsigned i = 0; i < m->count && i < 4; i++)
         data[i] = vh_row(&e->x, m->reg + i)[lane];
      if (changes(e, va, lane))
         write_bytes(e, va, lane, data, m->bytes);
      break;
   default:
      operate(e, m, va, lane);
      break;
   }
}

static void
tell_window(const struct vh_exec *e, unsigned window, unsigned how, unsigned lane, uint32_t at,
            uint32_t bytes)
{
   const struct exec *x = &e->x;

   switch (window) {
   case VH_WINDOW_RING:
      uop_tell(x, CORE_MEMORY_RING, 0, how, lane, at, bytes);
      break;
   case VH_WINDOW_STREAM:
   case VH_WINDOW_STREAM + 1:
   case VH_WINDOW_STREAM + 2:
   case VH_WINDOW_STREAM + 3:
      uop_tell(x, CORE_MEMORY_RING, window - VH_WINDOW_STREAM, how, lane, at, bytes);
      break;
   case VH_WINDOW_FACTORS:
      uop_tell(x, CORE_MEMORY_FACTORS, 0, how, lane, at, bytes);
      break;
   case VH_WINDOW_FEEDBACK:
   case VH_WINDOW_FEEDBACK + 1:
   case VH_WINDOW_FEEDBACK + 2:
   case VH_WINDOW_FEEDBACK + 3:
      uop_tell(x, CORE_MEMORY_STREAM, window - VH_WINDOW_FEEDBACK, how, lane, at, bytes);
      break;
   case VH_WINDOW_GDS:
      uop_tell(x, CORE_MEMORY_GDS, 0, how, lane, at, bytes);
      break;
   case VH_WINDOW_THREAD:
      uop_tell(x, CORE_MEMORY_SCRATCH, 0, how, lane, at, bytes);
      break;
   case VH_WINDOW_GROUP:
      uop_tell(x, CORE_MEMORY_LDS, 0, how, lane, at, bytes);
      break;
   default:
      break; /* outputs are no memory */
   }
}

static __attribute__((noinline)) void
tell(const struct vh_exec *e, const struct vh_message *m, const wave_lane low, const wave_lane high)
{
   const unsigned how = m->exec == VALHALL_EXEC_LOAD    ? CORE_READS
                        : m->exec == VALHALL_EXEC_STORE ? CORE_WRITES
                                                        : CORE_READS | CORE_WRITES;

   for (uint64_t lanes = e->x.lanes; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint64_t base = (m->fixed ? 0 : low[lane]) | (uint64_t)high[lane] << 32;
      const uint64_t va = base + (uint64_t)(int64_t)m->offset;

      if (m->exec == VALHALL_EXEC_LD_BUFFER)
         uop_tell(&e->x, CORE_MEMORY_BUFFER, high[lane], CORE_READS, lane, low[lane], m->bytes);
      else if (m->exec == VALHALL_EXEC_LEA_BUFFER || ((how & CORE_WRITES) && !changes(e, va, lane)))
         continue;
      else if (va >> 63)
         tell_window(e, (uint32_t)(va >> 32) & ~VH_WINDOW_HIGH, how, lane, (uint32_t)va, m->bytes);
      else
         uop_tell(&e->x, CORE_MEMORY_SPACE, 0, how, lane, va, m->bytes);
   }
}

void
K(vh_device_memory)(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   wave_lane low, high;

   if (__builtin_expect(e->x.watcher != NULL, 0)) {
      vh_operand(&e->x, u, 0, low);
      vh_operand(&e->x, u, 1, high);
      tell(e, m, low, high);
   }
   if ((m->exec == VALHALL_EXEC_STORE && store_rows(e, m)) ||
       (m->exec == VALHALL_EXEC_LOAD && load_rows(e, m)))
      return;
   vh_operand(&e->x, u, 0, low);
   vh_operand(&e->x, u, 1, high);
   if (m->fixed) {
      /* The offset has the lower word in it. */
      for (unsigned i = 0; i < WAVE_LANES; i++)
         low[i] = 0;
   }
   if (m->exec == VALHALL_EXEC_LOAD &&
       load_once(e, m, (low[0] | (uint64_t)high[0] << 32) + (uint64_t)(int64_t)m->offset))
      return;
   /* Two looks at the clock never see the same time. */
   if (m->exec == VALHALL_EXEC_LD_BUFFER && e->x.lanes &&
       high[__builtin_ctzll(e->x.lanes)] >> 24 == VH_TABLE_CLOCK)
      e->wave->cycles++;
   for (uint64_t lanes = e->x.lanes; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      access_lane(e, m, low[lane], high[lane], lane);
   }
}

/* ------------------------------------------------------------------------------------------------
 * Attributes
 */

static void
fetch_element(const struct vh_exec *e, const struct attribute *ref, const struct td_vtx_bind *bind,
              const wave_lane vertex, const wave_lane instance, wave_lane out[4], uint64_t lanes)
{
   wave_lane index;
   uint32_t *const to[4] = { out[0], out[1], out[2], out[3] };

   for (unsigned l = 0; l < WAVE_LANES; l++)
      index[l] = vh_element_index(e->bind->device, ref, vertex[l], instance[l]);
   for (uint64_t left = lanes; e->x.watcher && left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      struct td_element element;

      K(kernels).td_vtx_element(bind, index[l], &element);
      uop_tell(&e->x, CORE_MEMORY_BUFFER, ref->view - TD_VERTEX_BUFFERS, CORE_READS, l, element.at,
               element.bytes);
   }
   bind->run(bind, index, to, lanes);
}

/* Each element that a lane asks for. */
static void
fetch_by_handle(const struct vh_exec *e, const wave_lane vertex, const wave_lane instance,
                const wave_lane handle, wave_lane out[4])
{
   const struct vh_device *d = e->bind->device;

   for (uint64_t left = e->x.lanes; left;) {
      const uint32_t h = handle[__builtin_ctzll(left)], n = h & 0xffffff;
      const uint64_t lanes = vh_lanes_alike(handle, left);
      left &= ~lanes;
      if (h >> 24 != 1 || n >= d->num_attributes)
         continue;
      struct attribute ref;
      struct td_vtx_bind bind;
      bind_decode_attribute(&ref, d->attributes + ATTRIBUTE_DWORDS * n);
      td_views_bind_fetch(d->views, &K(kernels), &bind, &ref.fetch, ref.view, 0);
      fetch_element(e, &ref, &bind, vertex, instance, out, lanes);
   }
}

static void
load_attribute(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   const struct vh_device *d = e->bind->device;
   wave_lane vertex, instance, handle, out[4];

   memset(out, 0, sizeof(out));
   vh_operand(&e->x, u, 0, vertex);
   vh_operand(&e->x, u, 1, instance);
   if (m->ref != VH_NO_REF) {
      fetch_element(e, &e->program->vtx[m->ref], &d->vtx[m->ref], vertex, instance, out,
                    e->x.lanes);
   } else {
      vh_operand(&e->x, u, 2, handle);
      fetch_by_handle(e, vertex, instance, handle, out);
   }
   vh_write_vector(&e->x, m->reg, m->width, m->format, (const wave_lane *)out, e->x.lanes);
}

/* ------------------------------------------------------------------------------------------------
 * Pixels
 */

/* A parameter at an offset that is found as the program runs: operands i, j, and the offset. */
static void
load_parameter(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   const bool by_byte = m->exec == VALHALL_EXEC_LD_VAR_BUF, flat = m->compare;
   wave_lane i, j, at, out[4];

   memset(out, 0, sizeof(out));
   vh_operand(&e->x, u, 0, i);
   vh_operand(&e->x, u, 1, j);
   vh_operand(&e->x, u, 2, at);
   for (uint64_t lanes = e->x.lanes; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const uint64_t first = by_byte ? at[l] / 4 : (uint64_t)(at[l] & 0xffffff) * 4;

      for (unsigned c = 0; c < m->width && first + c < 32 * 4; c++) {
         const struct spi_coef *k = &e->x.coef[l / 4][(first + c) / 4][(first + c) % 4];
         float fi, fj, v;
         memcpy(&fi, &i[l], 4);
         memcpy(&fj, &j[l], 4);
         v = flat ? k->p0 : k->p0 + k->p10 * fi + k->p20 * fj;
         memcpy(&out[c][l], &v, 4);
         if (!flat && v != v)
            out[c][l] = 0x7fc00000;
      }
   }
   for (unsigned c = 0; m->row && c < m->width; c++)
      vh_copy_lanes((uint32_t *)(e->x.file + ROW(m->row + c)), out[c], e->x.lanes);
   if (!m->row)
      vh_write_vector(&e->x, m->reg, m->width, m->format, (const wave_lane *)out, e->x.lanes);
}

static void
give(const struct vh_exec *e, wave_lane *to, bool first, const wave_lane from)
{
   const uint64_t lanes = e->x.lanes;

   if (first && lanes != e->x.launch)
      memset(to, 0, sizeof(*to));
   vh_copy_lanes(*to, from, lanes);
}

static void
blend(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   struct core_outputs *o = e->wave->outputs;
   wave_lane target, values[4];
   unsigned n = m->number;

   if (n == VH_BY_HANDLE) {
      vh_operand(&e->x, u, 0, target);
      n = target[__builtin_ctzll(e->x.lanes)] & 7;
   }
   const bool halves = vh_is_half(m->format), first = !(o->mrt_written >> n & 1);
   /* Nothing writes the registers any more. */
   const bool leave =
      first && !halves && m->ends && e->wave->keeps_rows && e->x.lanes == e->x.launch;

   if (halves)
      vh_read_vector(&e->x, m->reg, m->width, m->format, values);
   for (unsigned c = 0; c < m->width; c++) {
      const uint32_t *from = halves ? (const uint32_t *)values[c] : vh_row(&e->x, m->reg + c);

      o->left[n][c] = leave ? from : NULL;
      if (!leave)
         give(e, &o->mrt[n][c], first, from);
   }
   o->mrt_written |= 1u << n;
   o->component_mask[n] |= (uint8_t)((1u << m->width) - 1);
}

/* Operand 0 and 1: depth and stencil, as `op` says; 2: coverage. */
static void
cover(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   struct core_outputs *o = e->wave->outputs;
   wave_lane value;

   for (unsigned n = 0; n < 3; n++) {
      if (!(m->op >> n & 1))
         continue;
      vh_operand(&e->x, u, n, value);
      give(e, &o->z[n], !(o->component_mask[8] >> n & 1), value);
      o->component_mask[8] |= (uint8_t)(1u << n);
      o->z_written = 1;
   }
}

#define THIS_PIXEL 255u

/* Operand 0: sample, target, x and y in bytes; y says that it is the lane's own pixel, and of
 * another nothing is known.  Operand 1: coverage. */
static void
tile_message(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   const bool load = m->exec == VALHALL_EXEC_LD_TILE;
   struct core_stores *stores = e->wave->stores;
   wave_lane indices, coverage, values[4], out[4];
   uint32_t *const to[4] = { out[0], out[1], out[2], out[3] };
   uint64_t left = load ? e->x.lanes : vh_acting(e);

   memset(values, 0, sizeof(values));
   vh_operand(&e->x, u, 0, indices);
   vh_operand(&e->x, u, 1, coverage);
   if (!load)
      vh_read_vector(&e->x, m->reg, m->width, m->format, values);
   while (left) {
      const uint32_t word = indices[__builtin_ctzll(left)];
      const unsigned sample = word & 0xff, target = word >> 8 & 0xff;
      uint64_t lanes = vh_lanes_alike(indices, left);

      left &= ~lanes;
      if (word >> 24 != THIS_PIXEL)
         continue;
      if (load && e->wave->tile) {
         K(kernels).tile_load(e->wave->tile, target, sample, lanes, to);
         for (unsigned c = 0; c < m->width; c++)
            vh_copy_lanes(values[c], out[c], lanes);
      } else if (!load && stores && target < CORE_STORE_TARGETS && sample < CORE_STORE_SAMPLES) {
         for (uint64_t l = lanes; l; l &= l - 1)
            if (!coverage[__builtin_ctzll(l)])
               lanes &= ~(l & -l);
         for (unsigned c = 0; c < 4; c++)
            vh_copy_lanes(stores->value[target][sample][c], values[c], lanes);
         stores->lanes[target][sample] |= lanes;
         stores->any[target] |= lanes;
      }
   }
   if (load)
      vh_write_vector(&e->x, m->reg, m->width, m->format, (const wave_lane *)values, e->x.lanes);
}

static void
run_message(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   switch (m->exec) {
   case VALHALL_EXEC_LD_ATTR:
      load_attribute(e, u, m);
      return;
   case VALHALL_EXEC_LD_VAR:
   case VALHALL_EXEC_LD_VAR_BUF:
   case VALHALL_EXEC_LD_VAR_FLAT:
      load_parameter(e, u, m);
      return;
   case VALHALL_EXEC_BLEND:
      blend(e, u, m);
      return;
   case VALHALL_EXEC_ATEST:
   case VALHALL_EXEC_ZS_EMIT:
      cover(e, u, m);
      return;
   case VALHALL_EXEC_LD_TILE:
   case VALHALL_EXEC_ST_TILE:
      tile_message(e, u, m);
      return;
   case VALHALL_EXEC_LEA_ATTR:
   case VALHALL_EXEC_LD_TEX:
   case VALHALL_EXEC_LEA_TEX:
   case VALHALL_EXEC_ST_CVT:
      K(vh_image)(e, u, m);
      return;
   default:
      K(vh_texture)(e, u, m);
      return;
   }
}

/* What computes, but is not arithmetic of the program's, keeps denormals. */
void
K(uop_vh_message)(struct exec *x, const struct bound_uop *u)
{
   struct vh_exec *e = (struct vh_exec *)x;
   const struct vh_message *m = &e->program->messages[u->p.message.number];
   const bool computes = m->exec != VALHALL_EXEC_BLEND && m->exec != VALHALL_EXEC_ATEST &&
                         m->exec != VALHALL_EXEC_ZS_EMIT;

   if (!x->lanes)
      return;
   if (computes && x->fp_now != FP_DEFAULT) {
      fp_set_default();
      x->fp_now = FP_DEFAULT;
   }
   run_message(e, u, m);
   /* After the last one nothing asks for the program's. */
   if (x->fp_now != x->fp_single && !m->last) {
      fp_set(&x->fp_single);
      x->fp_now = x->fp_single;
   }
}
