/* SPDX-License-Identifier: MIT */
/*
 * Decodes colour and depth surfaces (see target.h).
 */
#include <string.h>

#include "memory/vm.h"
#include "memory/target.h"

void
target_decode(struct target *t, const struct vm *vm, const struct target_desc *desc)
{
   memset(t, 0, sizeof(*t));
   if (!desc->pitch || !desc->cpp || desc->va >= VM_SIZE)
      return;

   uint64_t pixel = (uint64_t)desc->cpp << desc->log2_samples;
   uint64_t row = desc->pitch * pixel;
   uint64_t slice = (uint64_t)desc->slice_tiles * 64 * pixel;
   uint64_t rows = slice / row;

   /* A slice of fewer pixels than a row has: one short row. */
   uint32_t width = desc->pitch;
   if (!rows) {
      rows = 1;
      width = (uint32_t)(slice / pixel);
   }
   if (width > TARGET_EXTENT_MAX)
      width = TARGET_EXTENT_MAX;
   if (rows > TARGET_EXTENT_MAX)
      rows = TARGET_EXTENT_MAX;

   uint32_t last = desc->last_layer < desc->first_layer ? desc->first_layer : desc->last_layer;
   uint64_t begin = desc->first_layer * slice;
   uint64_t want = (last + UINT64_C(1)) * slice;
   uint64_t have = vm_extent(vm, desc->va, want);
   if (have <= begin)
      return;

   uint64_t layers = (have - begin) / slice;
   if (!layers) {
      /* Only a part of the first layer is there. */
      layers = 1;
      uint64_t whole = (have - begin) / row;
      if (!whole)
         return;
      rows = whole < rows ? whole : rows;
   }
   t->host = vm_pointer(vm, desc->va);
   t->va = desc->va;
   t->slice_bytes = slice;
   t->row_bytes = (uint32_t)row;
   t->width = width;
   t->height = (uint32_t)rows;
   t->first_layer = desc->first_layer;
   t->num_layers = (uint32_t)layers;
   t->cpp = desc->cpp;
   t->log2_samples = desc->log2_samples;
}

struct target_range
target_range(const struct target *t)
{
   if (!t->host)
      return (struct target_range){ 0, 0 };
   return (struct target_range){ t->va + t->first_layer * t->slice_bytes,
                                 t->num_layers * t->slice_bytes };
}

bool
target_same(const struct target *a, const struct target *b)
{
   return a->host == b->host && a->slice_bytes == b->slice_bytes && a->row_bytes == b->row_bytes &&
          a->width == b->width && a->height == b->height && a->first_layer == b->first_layer &&
          a->num_layers == b->num_layers && a->cpp == b->cpp && a->log2_samples == b->log2_samples;
}
