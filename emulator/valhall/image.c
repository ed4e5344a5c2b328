/* SPDX-License-Identifier: MIT */
/*
 * Image messages of the device: LD_TEX, LEA_TEX and ST_CVT, on the targets that Cayman's MEM_RAT
 * has (port/rat.h); and LEA_ATTR: ST_CVT stores its elements, too.
 *
 * Operand 0 is x of images and buffers of one dimension, else x and y in halves; the upper half of
 * operand 1 is the layer, or z.  The conversion word that LEA_TEX gives is the image's handle with
 * bit 31 set where there is a texel; ST_CVT writes the texel at the address that it is given, if
 * that is within the image.  Atomic operations take the address as any other.  That of LEA_ATTR is
 * the attribute's handle in the same way.
 */
#include "port/pack.h"
#include "port/rat_wave.h"
#include "memory/vm.h"
#include "uop/tell.h"
#include "valhall/access.h"
#include "valhall/element.h"

#define TABLE_ATTRIBUTE 1u
#define TABLE_IMAGE     5u
#define THERE           0x80000000u

static const struct rat *
image(const struct vh_exec *e, uint32_t handle)
{
   const struct vh_device *d = e->bind->device;
   const uint32_t n = handle & 0xffffff;

   if (handle >> 24 != TABLE_IMAGE || n >= RATS || !d->rats || !d->rats[n].base)
      return NULL;
   return &d->rats[n];
}

/* Where a texel lies in its image; false: outside. */
static bool
find_texel(const struct rat *rat, uint32_t xy, uint32_t zl, uint64_t *offset)
{
   const bool row =
      rat->kind == RAT_KIND_BUFFER || rat->kind == RAT_KIND_1D || rat->kind == RAT_KIND_1D_ARRAY;
   const uint32_t x = row ? xy : xy & 0xffff, y = row ? 0 : xy >> 16;
   const bool flat =
      rat->kind == RAT_KIND_BUFFER || rat->kind == RAT_KIND_1D || rat->kind == RAT_KIND_2D;
   const uint32_t z = flat ? 0 : zl >> 16;

   if (x >= rat->width || y >= rat->height || z >= rat->layers)
      return false;
   *offset = z * rat->slice_bytes + y * rat->row_bytes + (uint64_t)x * rat->bytes;
   return true;
}

static bool
is_integer(const struct cb_channel *ch)
{
   return ch->type == NUMERIC_UINT || ch->type == NUMERIC_SINT;
}

/* Components of texels from their dwords. */
static void
decode(const struct rat *rat, const wave_lane dwords[4], wave_lane out[4])
{
   bool integers = false;

   for (unsigned c = 0; c < 4; c++)
      integers |= rat->channel[c].bits && is_integer(&rat->channel[c]);
   for (unsigned c = 0; c < 4; c++) {
      const struct cb_channel *ch = &rat->channel[c];
      for (unsigned i = 0; i < VECTORS; i++) {
         vu v = vu_splat(c < 3 ? 0 : integers ? 1 : 0x3f800000u);
         if (ch->bits)
            v = unpack_channel(ch, vu_load(&dwords[ch->dword & 3][i * VW]));
         vu_store(&out[c][i * VW], v);
      }
   }
}

static void
load(struct vh_exec *e, const struct vh_message *m, const wave_lane xy, const wave_lane zl,
     const wave_lane handle)
{
   wave_lane dwords[4], texels[4], out[4];

   memset(out, 0, sizeof(out));
   for (uint64_t left = e->x.lanes; left;) {
      const uint32_t h = handle[__builtin_ctzll(left)];
      const struct rat *rat = image(e, h);
      uint64_t lanes = 0, offset;

      for (uint64_t l = left; l; l &= l - 1)
         if (handle[__builtin_ctzll(l)] == h)
            lanes |= l & -l;
      left &= ~lanes;
      if (!rat)
         continue;
      /* Outside is a texel of zeros: components that the image does not have are those of any. */
      memset(dwords, 0, sizeof(dwords));
      for (uint64_t l = lanes; l; l &= l - 1) {
         const unsigned lane = (unsigned)__builtin_ctzll(l);
         uint32_t raw[4] = { 0 };
         if (!find_texel(rat, xy[lane], zl[lane], &offset))
            continue;
         if (e->x.watcher)
            uop_tell(&e->x, CORE_MEMORY_SPACE, 0, CORE_READS, lane, rat->va + offset, rat->bytes);
         memcpy(raw, rat->base + offset, rat->bytes < 16 ? rat->bytes : 16);
         for (unsigned i = 0; i < 4; i++)
            dwords[i][lane] = raw[i];
      }
      decode(rat, (const wave_lane *)dwords, texels);
      for (unsigned c = 0; c < 4; c++)
         vh_copy_lanes(out[c], texels[c], lanes);
   }
   vh_write_vector(&e->x, m->reg, m->width, m->format, (const wave_lane *)out, e->x.lanes);
}

static void
address(struct vh_exec *e, const struct vh_message *m, const wave_lane xy, const wave_lane zl,
        const wave_lane handle)
{
   for (uint64_t lanes = e->x.lanes; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const struct rat *rat = image(e, handle[lane]);
      uint64_t offset, va = 0;

      if (rat && find_texel(rat, xy[lane], zl[lane], &offset))
         va = rat->va + offset;
      const uint32_t words[3] = { (uint32_t)va, (uint32_t)(va >> 32),
                                  va ? handle[lane] | THERE : 0 };
      for (unsigned n = 0; n < m->count && n < 3; n++)
         vh_row(&e->x, m->reg + n)[lane] = words[n];
   }
}

/* ---- Elements of attributes ---- */

/* The buffer that an attribute lies in, as a target with the attribute's components; false: there
 * is none.  What ST_CVT cannot convert to has no bytes. */
static bool
attribute(const struct vh_exec *e, uint32_t handle, struct attribute *ref, struct rat *buffer)
{
   const struct vh_device *d = e->bind->device;
   static const uint8_t numeric[][2] = {
      [CONVERT_NORM] = { NUMERIC_UNORM, NUMERIC_SNORM },
      [CONVERT_INT] = { NUMERIC_UINT, NUMERIC_SINT },
      [CONVERT_SCALED] = { NUMERIC_USCALED, NUMERIC_SSCALED },
   };
   const uint32_t n = handle & 0xffffff;
   struct cb_channel channel[4] = { { 0 } };

   memset(buffer, 0, sizeof(*buffer));
   if (handle >> 24 != TABLE_ATTRIBUTE || n >= d->num_attributes)
      return false;
   bind_decode_attribute(ref, d->attributes + ATTRIBUTE_DWORDS * n);

   const struct td_fetch *f = &ref->fetch;
   struct elements view;

   if (f->kind != TD_FETCH_ELEMENTS || !d->views->ops->buffer(d->views, ref->view, &view))
      return false;
   buffer->va = view.va;
   buffer->range.va = buffer->va;
   buffer->range.size = vm_extent(d->vm, buffer->va, view.size);
   buffer->row_bytes = view.stride;
   buffer->base = buffer->range.size ? vm_pointer(d->vm, buffer->va) : NULL;
   if (!f->byte_swap)
      buffer->bytes = (uint8_t)cb_channels(channel, f->format,
                                           numeric[f->conversion][f->sign == CHANNEL_SIGNED], NULL);
   /* A component of a vertex is stored where it is loaded from. */
   for (unsigned c = 0; c < 4; c++)
      if (f->swizzle[c] <= SWIZZLE_W)
         buffer->channel[c] = channel[f->swizzle[c]];
   return buffer->base != NULL;
}

static void
element_address(struct vh_exec *e, const struct vh_message *m, const wave_lane vertex,
                const wave_lane instance, const wave_lane handle)
{
   for (uint64_t left = e->x.lanes; left;) {
      const uint32_t h = handle[__builtin_ctzll(left)];
      uint64_t lanes = vh_lanes_alike(handle, left);
      struct attribute ref;
      struct rat buffer;
      const bool is = attribute(e, h, &ref, &buffer);

      left &= ~lanes;
      for (; lanes; lanes &= lanes - 1) {
         const unsigned lane = (unsigned)__builtin_ctzll(lanes);
         uint64_t offset = 0, va = 0;

         if (is)
            offset = vh_element_index(e->bind->device, &ref, vertex[lane], instance[lane]) *
                        buffer.row_bytes +
                     ref.fetch.offset;
         if (is && offset < buffer.range.size && buffer.range.size - offset >= buffer.bytes)
            va = buffer.va + offset;
         const uint32_t words[3] = { (uint32_t)va, (uint32_t)(va >> 32),
                                     va && buffer.bytes ? h | THERE : 0 };
         for (unsigned n = 0; n < m->count && n < 3; n++)
            vh_row(&e->x, m->reg + n)[lane] = words[n];
      }
   }
}

/* What ST_CVT stores to; NULL: nothing is there. */
static const struct rat *
stored_to(const struct vh_exec *e, uint32_t word, struct rat *room)
{
   struct attribute ref;

   if (!(word & THERE))
      return NULL;
   if ((word & ~THERE) >> 24 == TABLE_ATTRIBUTE)
      return attribute(e, word & ~THERE, &ref, room) && room->bytes ? room : NULL;
   return image(e, word & ~THERE);
}

/* Operands: the address, and the conversion word. */
static void
store(struct vh_exec *e, const struct vh_message *m, const wave_lane low, const wave_lane high,
      const wave_lane conversion)
{
   wave_lane values[4], data[4];

   memset(values, 0, sizeof(values));
   vh_read_vector(&e->x, m->reg, m->width, m->format, values);
   for (uint64_t left = vh_acting(e); left;) {
      const uint32_t word = conversion[__builtin_ctzll(left)];
      struct rat room;
      const struct rat *rat = stored_to(e, word, &room);
      uint32_t mask[4];
      uint64_t lanes = vh_lanes_alike(conversion, left);

      left &= ~lanes;
      if (!rat)
         continue;
      K(rat_pack)(rat, (const wave_lane *)values, (1u << m->width) - 1, data, mask);
      for (; lanes; lanes &= lanes - 1) {
         const unsigned lane = (unsigned)__builtin_ctzll(lanes);
         const uint64_t va =
            (low[lane] | (uint64_t)high[lane] << 32) + (uint64_t)(int64_t)m->offset - rat->va;
         const uint64_t end = rat->range.va + rat->range.size - rat->va;

         if (e->x.watcher)
            uop_tell(&e->x, CORE_MEMORY_SPACE, 0, CORE_WRITES, lane, rat->va + va, rat->bytes);
         if (va >= end || end - va < rat->bytes)
            continue;
         rat_put(rat, rat->base + va, (const wave_lane *)data, lane, mask);
      }
   }
}

void
K(vh_image)(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   wave_lane operand[3];

   for (unsigned n = 0; n < 3; n++)
      vh_operand(&e->x, u, n, operand[n]);
   switch (m->exec) {
   case VALHALL_EXEC_LD_TEX:
      load(e, m, operand[0], operand[1], operand[2]);
      return;
   case VALHALL_EXEC_LEA_ATTR:
      element_address(e, m, operand[0], operand[1], operand[2]);
      return;
   case VALHALL_EXEC_LEA_TEX:
      address(e, m, operand[0], operand[1], operand[2]);
      return;
   default:
      store(e, m, operand[0], operand[1], operand[2]);
      return;
   }
}
