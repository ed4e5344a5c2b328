/* SPDX-License-Identifier: MIT */
/* Copies of textures; see rows.h. */
#include "chip/mali/rows.h"

#include <stdlib.h>
#include <string.h>

#include "chip/mali/block.h"
#include "memory/arena.h"
#include "memory/space.h"
#include "port/texture.h"

#define BYTES  (UINT64_C(512) << 20) /* of all copies of a frame */
#define FIRST  UINT64_C(0x10000)     /* address of the first */
#define COPIES 512u
#define ALIGN  4096u
#define TEXEL  16u /* bytes at most */
#define UNITS  16u /* of the budget, that a block costs */

struct made {
   struct mali_copy of;
   uint64_t va;
};

struct mali_rows {
   struct arena *arena;
   struct bo *bo;
   struct vm *vm;
   uint64_t used;
   uint32_t count;
   struct made made[COPIES];
};

struct mali_rows *
mali_rows_create(void)
{
   struct mali_rows *r = calloc(1, sizeof(*r));

   if (!r)
      return NULL;
   r->arena = arena_create(BYTES);
   r->bo = r->arena ? bo_create(r->arena, BYTES) : NULL;
   r->vm = vm_create();
   if (r->bo && r->vm && !vm_map(r->vm, FIRST, r->bo))
      return r;
   mali_rows_destroy(r);
   return NULL;
}

void
mali_rows_destroy(struct mali_rows *r)
{
   if (!r)
      return;
   if (r->vm)
      vm_destroy(r->vm);
   if (r->bo)
      bo_unref(r->bo);
   if (r->arena)
      arena_destroy(r->arena);
   free(r);
}

void
mali_rows_begin(struct mali_rows *r)
{
   r->used = 0;
   r->count = 0;
}

static const struct made *
find(const struct mali_rows *r, const struct mali_copy *copy)
{
   for (uint32_t n = 0; n < r->count; n++)
      if (!memcmp(&r->made[n].of, copy, sizeof(*copy)))
         return &r->made[n];
   return NULL;
}

static uint32_t
level_size(uint32_t size, unsigned level)
{
   return size >> level ? size >> level : 1;
}

static uint32_t
slices(const struct mali_copy *c, unsigned level)
{
   return c->volume ? level_size(c->slices, level) : c->slices;
}

static uint64_t
pitch(const struct mali_copy *c, unsigned level)
{
   return ((uint64_t)level_size(c->width, level) * c->bytes * c->samples + 15) & ~UINT64_C(15);
}

static uint64_t
slice_size(const struct mali_copy *c, unsigned level)
{
   return pitch(c, level) * level_size(c->height, level);
}

static uint32_t
blocks(uint32_t size)
{
   return (size + MALI_BLOCK - 1) / MALI_BLOCK;
}

/* By the blocks that are read, of which small levels have one, too. */
static uint64_t
price(const struct mali_copy *c)
{
   uint64_t count = 0;

   for (unsigned l = 0; l < c->levels; l++)
      count += (uint64_t)blocks(level_size(c->width, l)) * blocks(level_size(c->height, l)) *
               slices(c, l) * c->samples;
   return count * UNITS;
}

/* The texels of a block, as they lie in memory; what is not mapped is zero. */
static void
read_block(const struct mali_copy *c, unsigned level, uint64_t from, uint32_t x, uint32_t y,
           uint8_t block[MALI_BLOCK * MALI_BLOCK * TEXEL])
{
   const uint64_t stride = c->row_stride[level], row = (uint64_t)MALI_BLOCK * c->bytes;

   if (c->blocks) {
      vm_read(c->vm, from + mali_block_offset(x, y, c->row_stride[level], c->bytes), block,
              MALI_BLOCK * row);
      return;
   }
   for (uint32_t n = 0; n < MALI_BLOCK; n++)
      vm_read(c->vm, from + (y + n) * stride + (uint64_t)x * c->bytes, block + n * row, row);
}

/* One slice, or one sample of its pixels. */
static void
copy_slice(const struct mali_copy *c, unsigned level, uint64_t from, uint8_t *to)
{
   const uint32_t width = level_size(c->width, level), height = level_size(c->height, level);
   const uint32_t step = (uint32_t)c->bytes * c->samples;
   const uint64_t row = pitch(c, level);
   uint8_t block[MALI_BLOCK * MALI_BLOCK * TEXEL];

   for (uint32_t y = 0; y < height; y += MALI_BLOCK) {
      for (uint32_t x = 0; x < width; x += MALI_BLOCK) {
         read_block(c, level, from, x, y, block);
         for (uint32_t v = 0; v < MALI_BLOCK && y + v < height; v++)
            for (uint32_t u = 0; u < MALI_BLOCK && x + u < width; u++)
               memcpy(to + (y + v) * row + (uint64_t)(x + u) * step,
                      block + (c->blocks ? mali_block_offset(u, v, 0, c->bytes)
                                         : (uint64_t)(v * MALI_BLOCK + u) * c->bytes),
                      c->bytes);
      }
   }
}

bool
mali_rows_make(struct mali_rows *r, const struct mali_copy *c, uint64_t *budget)
{
   const uint64_t units = price(c), va = FIRST + r->used;
   uint64_t bytes = 0;
   uint8_t *to;

   if (find(r, c))
      return true;
   for (unsigned l = 0; l < c->levels; l++)
      bytes += slice_size(c, l) * slices(c, l);
   bytes = (bytes + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
   if (r->count == COPIES || bytes > BYTES - r->used || *budget < units)
      return false;
   *budget -= units;
   memcpy(&r->made[r->count].of, c, sizeof(*c)); /* with its padding, which find() compares */
   r->made[r->count++].va = va;
   r->used += bytes;
   to = vm_pointer(r->vm, va);
   for (unsigned l = 0; l < c->levels; l++) {
      for (uint32_t n = 0; n < slices(c, l); n++, to += slice_size(c, l))
         for (unsigned sample = 0; sample < c->samples; sample++)
            copy_slice(c, l, c->level[l] + (n * c->samples + sample) * c->slice_bytes[l],
                       to + (size_t)sample * c->bytes);
   }
   return true;
}

bool
mali_rows_use(const struct mali_rows *r, const struct mali_copy *c, struct texture *t)
{
   const struct made *made = r ? find(r, c) : NULL;
   uint64_t va;

   if (!made)
      return false;
   t->vm = r->vm;
   va = made->va;
   for (unsigned l = 0; l < c->levels; l++) {
      t->level[l] = (struct texture_level){ va, slice_size(c, l), (uint32_t)pitch(c, l) };
      va += slice_size(c, l) * slices(c, l);
   }
   return true;
}
