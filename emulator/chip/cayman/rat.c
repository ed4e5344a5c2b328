/* SPDX-License-Identifier: MIT */
/*
 * Decodes random access targets (port/rat.h): CB_COLORn registers with the RAT bit, CB_IMMEDn
 * (HD 6900 ISA 3.4.2; CB_COLORn_INFO.RAT).
 *
 * The view is a surface as CB knows it, but for buffers: those have no rows, and CB_COLORn_DIM is
 * the number of their last element.
 *
 * An extension: the RATs of a program with SQ_PGM_RESOURCES_2_x.RAT_TABLE are entries of a table of
 * its stage instead.  Resource CAYMAN_RESOURCE_RAT_TABLE of the stage is a buffer, entry n of it
 * eight dwords: the words of CB_COLORn_BASE to CB_COLORn_DIM in their order, and that of
 * CB_IMMEDn_BASE.  A buffer has no pitch: bits 7:4 of that word are bits 7:4 of its address, which
 * the base leaves out.  RAT_ID has four bits; RATs above 15 are named with an index
 * (RAT_INDEX_MODE).
 */
#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "cb/cb.h"
#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "memory/vm.h"
#include "port/rat.h"
#include "port/srgb.h"

#define COLOR_RATS      12u    /* those that colour slots describe */
#define RETURN_ELEMENTS 32768u /* lanes of all waves of two shader engines */

#define TABLE_DWORDS 8u    /* of an entry */
#define BUFFER_LOW   0xf0u /* of an address: what a buffer's entry has besides its base */

struct slot {
   uint64_t va, immed;
   uint32_t pitch, slice, view, info, dim;
};

/* Slots 8 to 11 lie closer to each other, and have no masks. */
static struct slot
read_slot(const struct regs *r, unsigned n)
{
   const uint64_t immed = (uint64_t)reg(r, REG_AT(CB_IMMED0_BASE, n)) << 8;

   if (n < CB_TARGETS)
      return (struct slot){
         .va = (uint64_t)reg(r, REG_AT(CB_COLOR0_BASE, n)) << 8,
         .pitch = reg(r, REG_AT(CB_COLOR0_PITCH, n)),
         .slice = reg(r, REG_AT(CB_COLOR0_SLICE, n)),
         .view = reg(r, REG_AT(CB_COLOR0_VIEW, n)),
         .info = reg(r, REG_AT(CB_COLOR0_INFO, n)),
         .dim = reg(r, REG_AT(CB_COLOR0_DIM, n)),
         .immed = immed,
      };
   n -= CB_TARGETS;
   return (struct slot){
      .va = (uint64_t)reg(r, REG_AT(CB_COLOR8_BASE, n)) << 8,
      .pitch = reg(r, REG_AT(CB_COLOR8_PITCH, n)),
      .slice = reg(r, REG_AT(CB_COLOR8_SLICE, n)),
      .view = reg(r, REG_AT(CB_COLOR8_VIEW, n)),
      .info = reg(r, REG_AT(CB_COLOR8_INFO, n)),
      .dim = reg(r, REG_AT(CB_COLOR8_DIM, n)),
      .immed = immed,
   };
}

/* The entries of a table that are in mapped memory. */
static struct slot
read_entry(const uint8_t *table, uint64_t bytes, unsigned n)
{
   uint32_t words[TABLE_DWORDS] = { 0 };

   if ((n + 1) * sizeof(words) <= bytes)
      memcpy(words, table + n * sizeof(words), sizeof(words));

   const bool buffer = REG_FIELD_GET(words[4], CB_COLOR0_INFO, RESOURCE_TYPE) == RAT_BUFFER;

   return (struct slot){
      .va = (uint64_t)words[0] << 8 | (buffer ? words[1] & BUFFER_LOW : 0),
      .pitch = words[1],
      .slice = words[2],
      .view = words[3],
      .info = words[4],
      .dim = words[6],
      .immed = (uint64_t)words[7] << 8,
   };
}

static uint8_t
kind_of(unsigned type)
{
   static const uint8_t kinds[] = {
      [RAT_BUFFER] = RAT_KIND_BUFFER,           [RAT_TEXTURE1D] = RAT_KIND_1D,
      [RAT_TEXTURE1DARRAY] = RAT_KIND_1D_ARRAY, [RAT_TEXTURE2D] = RAT_KIND_2D,
      [RAT_TEXTURE2DARRAY] = RAT_KIND_2D_ARRAY, [RAT_TEXTURE3D] = RAT_KIND_3D,
   };

   return type < sizeof(kinds) ? kinds[type] : RAT_KIND_3D;
}

static void
decode_buffer(struct rat *rat, const struct slot *s, const struct vm *vm)
{
   const uint64_t want = ((uint64_t)s->dim + 1) * rat->bytes;
   const uint64_t elements = vm_extent(vm, s->va, want) / rat->bytes;

   if (!elements)
      return;
   rat->va = s->va;
   rat->base = vm_pointer(vm, s->va);
   rat->width = elements < UINT32_MAX ? (uint32_t)elements : UINT32_MAX;
   rat->height = rat->layers = 1;
   rat->range = (struct target_range){ s->va, elements * rat->bytes };
}

static void
decode_surface(struct rat *rat, const struct slot *s, const struct vm *vm)
{
   const struct target_desc desc = {
      .va = s->va,
      .pitch = (REG_FIELD_GET(s->pitch, CB_COLOR0_PITCH, PITCH_TILE_MAX) + 1) * 8,
      .slice_tiles = REG_FIELD_GET(s->slice, CB_COLOR0_SLICE, SLICE_TILE_MAX) + 1,
      .cpp = rat->bytes,
      .first_layer = REG_FIELD_GET(s->view, CB_COLOR0_VIEW, SLICE_START),
      .last_layer = REG_FIELD_GET(s->view, CB_COLOR0_VIEW, SLICE_MAX),
   };
   const uint32_t width = REG_FIELD_GET(s->dim, CB_COLOR0_DIM, WIDTH_MAX) + 1;
   const uint32_t height = REG_FIELD_GET(s->dim, CB_COLOR0_DIM, HEIGHT_MAX) + 1;
   struct target t;

   target_decode(&t, vm, &desc);
   if (!t.host)
      return;
   rat->base = target_pixel(&t, 0, 0, 0);
   rat->va = t.va + (uint64_t)(rat->base - t.host);
   rat->width = width < t.width ? width : t.width;
   rat->height = height < t.height ? height : t.height;
   rat->layers = t.num_layers;
   rat->row_bytes = t.row_bytes;
   rat->slice_bytes = t.slice_bytes;
   rat->range = target_range(&t);
}

void
cayman_decode_rats(struct rat *rats, uint64_t mask, const uint32_t *table, const struct regs *r,
                   const struct vm *vm)
{
   const uint8_t *entries = NULL;
   uint64_t bytes = 0;

   cb_srgb_init();
   memset(rats, 0, RATS * sizeof(*rats));
   if (table && REG_FIELD_GET(table[7], BUF_WORD7, TYPE) == SQ_RESOURCE_BUFFER) {
      const uint64_t va = table[0] | (uint64_t)REG_FIELD_GET(table[2], BUF_WORD2, BASE_ADDRESS_HI)
                                        << 32;

      bytes = vm_extent(vm, va, (uint64_t)table[1] + 1);
      entries = bytes ? vm_pointer(vm, va) : NULL;
   }
   for (unsigned n = 0; n < (table ? RATS : COLOR_RATS); n++) {
      if (!(mask >> n & 1))
         continue;
      struct rat *rat = &rats[n];
      const struct slot s = table ? read_entry(entries, bytes, n) : read_slot(r, n);
      const unsigned format = REG_FIELD_GET(s.info, CB_COLOR0_INFO, FORMAT);

      if (!REG_FIELD_GET(s.info, CB_COLOR0_INFO, RAT) || !format)
         continue;
      rat->kind = kind_of(REG_FIELD_GET(s.info, CB_COLOR0_INFO, RESOURCE_TYPE));
      rat->bytes = cb_channels(rat->channel, cayman_format[format],
                               cayman_numeric[REG_FIELD_GET(s.info, CB_COLOR0_INFO, NUMBER_TYPE)],
                               cayman_order[REG_FIELD_GET(s.info, CB_COLOR0_INFO, COMP_SWAP)]);
      rat->aligned = REG_FIELD_GET(s.info, CB_COLOR0_INFO, ARRAY_MODE) == ARRAY_LINEAR_ALIGNED;
      if (!rat->bytes)
         continue;
      if (rat->kind == RAT_KIND_BUFFER)
         decode_buffer(rat, &s, vm);
      else
         decode_surface(rat, &s, vm);

      const uint64_t want = (uint64_t)RETURN_ELEMENTS * rat->bytes;

      rat->return_bytes = s.immed ? vm_extent(vm, s.immed, want) : 0;
      if (rat->return_bytes) {
         rat->returns = vm_pointer(vm, s.immed);
         rat->return_range = (struct target_range){ s.immed, rat->return_bytes };
      }
   }
}
