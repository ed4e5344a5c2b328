/* SPDX-License-Identifier: MIT */
/*
 * Level layouts against the driver's own: Mesa's radeon_surface.c, compiled unmodified where the
 * build has its source, lays out random surfaces on each chip.  Every level must be where
 * chip/cayman/descriptors/surface.h finds it from what a descriptor says (level 0's pitch, the
 * bases of levels 0 and 1, the tiling fields).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <radeon_drm.h>
#include <radeon_surface.h>
#include <xf86drm.h>

#include "chip/chip.h"
#include "chip/cayman/descriptors/surface.h"

#define SURFACES 100000 /* on Cayman; on other chips */
#define OTHERS   20000

static const struct chip *chip; /* that is laid out for */

/* What the driver's file asks of libdrm. */
int
drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size)
{
   struct drm_radeon_info *info = data;
   const uint32_t value = info->request == RADEON_INFO_DEVICE_ID ? chip->pci_id : chip->tiling;
   assert_int_equal(index, DRM_RADEON_INFO);
   assert_int_equal(size, sizeof(*info));
   memcpy((void *)(uintptr_t)info->value, &value, sizeof(value));
   return 0;
}

drmVersionPtr
drmGetVersion(int fd)
{
   drmVersionPtr version = calloc(1, sizeof(*version));
   version->version_major = 2;
   version->version_minor = 50;
   return version;
}

void
drmFreeVersion(drmVersionPtr version)
{
   free(version);
}

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* Small, large, and around powers of two. */
static uint32_t
size(uint32_t *seed, uint32_t most)
{
   const uint32_t k = next(seed) % 4, v = next(seed);
   const uint32_t x = k == 0   ? v % 40
                      : k == 1 ? (1u << v % 13) + next(seed) % 3 - 1
                      : k == 2 ? v % 600
                               : v % most;
   return x < 1 ? 1 : x > most ? most : x;
}

static unsigned
log2_of(uint32_t x)
{
   return 31 - (unsigned)__builtin_clz(x ? x : 1);
}

static void
random_surface(uint32_t *seed, struct radeon_surface *s)
{
   static const uint8_t color_bytes[] = { 1, 2, 4, 8, 16 };
   memset(s, 0, sizeof(*s));
   const unsigned type = next(seed) % 6;
   const bool flat = type == RADEON_SURF_TYPE_1D || type == RADEON_SURF_TYPE_1D_ARRAY;
   const bool blocks = next(seed) % 8 == 0 && !flat;
   const bool depth = !blocks && type != RADEON_SURF_TYPE_3D && next(seed) % 4 == 0;

   s->npix_x = size(seed, 16384);
   s->npix_y = flat ? 1 : size(seed, 16384);
   s->npix_z = type == RADEON_SURF_TYPE_3D ? size(seed, 2048) : 1;
   if (type == RADEON_SURF_TYPE_CUBEMAP)
      s->npix_y = s->npix_x;
   s->array_size =
      type == RADEON_SURF_TYPE_1D_ARRAY || type == RADEON_SURF_TYPE_2D_ARRAY ? size(seed, 2048) : 1;
   s->blk_w = s->blk_h = blocks ? 4 : 1;
   s->blk_d = 1;
   s->bpe = blocks  ? 8u << next(seed) % 2
            : depth ? 2u << next(seed) % 2
                    : color_bytes[next(seed) % 5];
   s->nsamples = 1;
   if (!blocks && (type == RADEON_SURF_TYPE_2D || type == RADEON_SURF_TYPE_2D_ARRAY) &&
       next(seed) % 4 == 0)
      s->nsamples = 2u << next(seed) % 3;

   uint32_t most = s->npix_x > s->npix_y ? s->npix_x : s->npix_y;
   most = most > s->npix_z ? most : s->npix_z;
   if (s->nsamples == 1 && next(seed) % 3)
      s->last_level = next(seed) % 2 ? log2_of(most) : next(seed) % (log2_of(most) + 1);
   const unsigned mode = RADEON_SURF_MODE_LINEAR_ALIGNED + next(seed) % 3;
   s->flags = RADEON_SURF_SET(type, TYPE) | RADEON_SURF_SET(mode, MODE) |
              RADEON_SURF_HAS_SBUFFER_MIPTREE | RADEON_SURF_HAS_TILE_MODE_INDEX;
   if (depth)
      s->flags |= RADEON_SURF_ZBUFFER | (s->bpe == 4 && next(seed) % 2 ? RADEON_SURF_SBUFFER : 0);
}

static unsigned
array_mode(unsigned mode)
{
   return mode == RADEON_SURF_MODE_2D   ? ARRAY_2D_TILED_THIN1
          : mode == RADEON_SURF_MODE_1D ? ARRAY_1D_TILED_THIN1
                                        : ARRAY_LINEAR_ALIGNED;
}

static void
compare(const struct radeon_surface *r, const struct radeon_surface_level *want, uint32_t bytes,
        bool depth)
{
   const struct surface_macro old =
      surface_old_macro(chip->pipes, 2u << chip->num_banks, bytes, r->nsamples);
   struct surface s = {
      .width = r->npix_x,
      .height = r->npix_y,
      .depth = r->npix_z,
      .layers = r->array_size,
      .pitch = want[0].nblk_x,
      .array_mode = (uint8_t)array_mode(want[0].mode),
      .bytes = (uint8_t)bytes,
      .block_w = (uint8_t)r->blk_w,
      .block_h = (uint8_t)r->blk_h,
      .samples = (uint8_t)r->nsamples,
      .exact_layers = chip->generation == GENERATION_R600 &&
                      RADEON_SURF_GET(r->flags, TYPE) == RADEON_SURF_TYPE_CUBEMAP,
   };
   struct surface_level got[SURFACE_MAX_LEVELS];

   if (depth)
      s.align_x = surface_stencil_align(s.width, s.pitch, log2_of(r->bankh));
   if (chip->old)
      surface_macro_tile(&s, chip->pipes, old.bank_w, 0, old.aspect, old.num_banks);
   else
      surface_macro_tile(&s, chip->pipes, log2_of(r->bankw), log2_of(r->bankh), log2_of(r->mtilea),
                         chip->num_banks);
   surface_layout(&s, r->last_level, got);
   for (unsigned l = 0; l <= r->last_level; l++) {
      assert_int_equal(got[l].array_mode, array_mode(want[l].mode));
      assert_int_equal(got[l].pitch, want[l].nblk_x);
      assert_int_equal(got[l].rows, want[l].nblk_y);
      assert_int_equal(got[l].slice_bytes, want[l].slice_size);
      assert_int_equal(got[l].slices, want[l].nblk_z * r->array_size);
      if (l)
         assert_int_equal(got[l].offset, want[l].offset - want[1].offset);
   }
}

static void
lay_out(uint32_t surfaces)
{
   struct radeon_surface_manager *manager = radeon_surface_manager_new(0);
   uint32_t seed = 1, levels = 0, tiled[3] = { 0, 0, 0 }, done = 0, ambiguous = 0;

   assert_non_null(manager);
   for (unsigned i = 0; done < surfaces && i < 3 * surfaces; i++) {
      struct radeon_surface r;
      random_surface(&seed, &r);
      if (radeon_surface_best(manager, &r) || radeon_surface_init(manager, &r))
         continue;
      /* R600 and R700 have both in one. */
      const bool depth = r.flags & RADEON_SURF_ZBUFFER && !chip->old,
                 stencil = r.flags & RADEON_SURF_SBUFFER && !chip->old;
      /* Whether there is a stencil plane is not in the descriptor of a surface that was to be 1D
       * tiled: of these, the device takes the ones with stencil to be meant. */
      if (depth && !stencil && r.last_level && r.level[0].nblk_x == 32 && r.npix_x < 32 &&
          RADEON_SURF_GET(r.flags, MODE) != RADEON_SURF_MODE_2D) {
         ambiguous++;
         continue;
      }
      compare(&r, r.level, r.bpe, depth);
      if (stencil)
         compare(&r, r.stencil_level, 1, false);
      done++;
      levels += r.last_level + 1;
      tiled[RADEON_SURF_GET(r.flags, MODE) - 1]++;
   }
   assert_int_equal(done, surfaces);
   assert_true(ambiguous < surfaces / 100);
   assert_true(levels > 2 * surfaces);
   for (unsigned i = 0; i < 3; i++)
      assert_true(tiled[i] > surfaces / 8);
   radeon_surface_manager_free(manager);
}

static void
layouts(void **state)
{
   (void)state;
   for (unsigned n = 0; n < CHIPS; n++) {
      chip = &chips[n];
      lay_out(n == CHIP_CAYMAN ? SURFACES : OTHERS);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(layouts) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
