/* SPDX-License-Identifier: MIT */
/*
 * See harness.h.  The address space here stands in for emulator/memory, so that a read outside
 * the mapping faults.
 */
#include "harness.h"
#include "chip/chip.h"

#include <sys/mman.h>

#define PAGE 65536

void
test_vm_init(struct vm *space)
{
   uint8_t *p = mmap(NULL, TEST_BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(p, MAP_FAILED);
   assert_int_equal(mprotect(p + PAGE, TEST_BYTES, PROT_READ | PROT_WRITE), 0);
   space->data = p + PAGE;
   space->bytes = TEST_BYTES;
}

uint64_t
vm_extent(const struct vm *space, uint64_t va, uint64_t want)
{
   if (va < TEST_VA || va >= TEST_VA + space->bytes)
      return 0;
   uint64_t have = TEST_VA + space->bytes - va;
   return have < want ? have : want;
}

void *
vm_pointer(const struct vm *space, uint64_t va)
{
   return space->data + (va - TEST_VA);
}

uint64_t
vm_read(const struct vm *space, uint64_t va, void *data, uint64_t size)
{
   uint64_t mapped = 0;
   for (uint64_t i = 0; i < size; i++) {
      bool in = vm_extent(space, va + i, 1) == 1;
      ((uint8_t *)data)[i] = in ? space->data[va + i - TEST_VA] : 0;
      mapped += in;
   }
   return mapped;
}

uint32_t
test_random(uint32_t *state)
{
   uint32_t x = *state ? *state : 0x9e3779b9u;
   x ^= x << 13;
   x ^= x >> 17;
   x ^= x << 5;
   return *state = x;
}

float
test_random_float(uint32_t *state, float lo, float hi)
{
   return lo + (hi - lo) * ((float)(test_random(state) >> 8) * 0x1p-24f);
}

#define DECLARE(build)                                                       \
   void td_bind_tex_##build(struct td_tex_bind *, const struct td_lookup *,  \
                            const struct texture *, const struct sampler *); \
   void td_bind_vtx_##build(struct td_vtx_bind *, const struct elements *);  \
   td_tex_fn td_sample_general_##build;
#define BUILD(build)                                                                      \
   {                                                                                      \
#build, { .td_bind_tex = td_bind_tex_##build, .td_bind_vtx = td_bind_vtx_##build }, \
                td_sample_general_##build                                                 \
   }
DECLARE(sse2)
DECLARE(avx2)
DECLARE(avx512)

unsigned
test_builds(struct test_build builds[3])
{
   unsigned n = 0;
   builds[n++] = (struct test_build)BUILD(sse2);
   if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      builds[n++] = (struct test_build)BUILD(avx2);
   if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
       __builtin_cpu_supports("avx512dq"))
      builds[n++] = (struct test_build)BUILD(avx512);
   return n;
}

void
test_tex_init(struct test_tex *t)
{
   *t = (struct test_tex){
      .dim = SQ_TEX_DIM_2D,
      .format = FMT_8_8_8_8,
      .width = 16,
      .height = 16,
      .depth = 1,
      .mode = ARRAY_LINEAR_ALIGNED,
      .sel = { 0, 1, 2, 3 },
      .max_lod = 15,
      .op = 19,
   };
}

void
test_tex_words(const struct test_tex *t, const struct vm *space, struct test_words *w)
{
   const struct format_info *f = &format_info[cayman_format[t->format]];
   bool msaa = t->dim == SQ_TEX_DIM_2D_MSAA || t->dim == SQ_TEX_DIM_2D_ARRAY_MSAA;
   bool array = t->dim == SQ_TEX_DIM_1D_ARRAY || t->dim == SQ_TEX_DIM_2D_ARRAY ||
                t->dim == SQ_TEX_DIM_2D_ARRAY_MSAA;

   memset(w, 0, sizeof(*w));
   w->apart = t->apart;
   w->surface = (struct surface){
      .width = t->width,
      .height = t->height,
      .depth = t->dim == SQ_TEX_DIM_3D ? t->depth : 1,
      .layers = array                          ? t->depth
                : t->dim == SQ_TEX_DIM_CUBEMAP ? 6 * t->depth
                                               : 1,
      .array_mode = (uint8_t)t->mode,
      .bytes = f->bytes,
      .block_w = f->width,
      .block_h = f->height,
      .samples = msaa ? (uint8_t)(1u << t->last_level) : 1,
   };
   surface_macro_tile(&w->surface, chips[CHIP_CAYMAN].pipes, 0, 0, 0, 3);
   surface_layout(&w->surface, msaa ? 0 : t->last_level, w->levels);
   /* Descriptors count eight texels. */
   if (w->levels[0].pitch * f->width % 8) {
      w->surface.pitch = (w->levels[0].pitch + 7) / 8 * 8;
      surface_layout(&w->surface, msaa ? 0 : t->last_level, w->levels);
   }
   w->mips = (w->levels[0].slice_bytes * w->levels[0].slices + 255) / 256 * 256;

   uint32_t pitch = w->levels[0].pitch * f->width;
   w->resource[0] = REG_FIELD(TEX_WORD0, DIM, t->dim) | REG_FIELD(TEX_WORD0, PITCH, pitch / 8 - 1) |
                    REG_FIELD(TEX_WORD0, TEX_WIDTH, t->width - 1);
   w->resource[1] = REG_FIELD(TEX_WORD1, TEX_HEIGHT, t->height - 1) |
                    REG_FIELD(TEX_WORD1, TEX_DEPTH, t->depth - 1) |
                    REG_FIELD(TEX_WORD1, ARRAY_MODE, t->mode);
   w->resource[2] = (uint32_t)(TEST_VA >> 8);
   w->resource[3] = (uint32_t)((TEST_VA + w->mips) >> 8);
   w->resource[4] =
      REG_FIELD(TEX_WORD4, FORMAT_COMP_X, t->comp) | REG_FIELD(TEX_WORD4, FORMAT_COMP_Y, t->comp) |
      REG_FIELD(TEX_WORD4, FORMAT_COMP_Z, t->comp) | REG_FIELD(TEX_WORD4, FORMAT_COMP_W, t->comp) |
      REG_FIELD(TEX_WORD4, NUM_FORMAT_ALL, t->num_format) |
      REG_FIELD(TEX_WORD4, FORCE_DEGAMMA, t->degamma) | REG_FIELD(TEX_WORD4, DST_SEL_X, t->sel[0]) |
      REG_FIELD(TEX_WORD4, DST_SEL_Y, t->sel[1]) | REG_FIELD(TEX_WORD4, DST_SEL_Z, t->sel[2]) |
      REG_FIELD(TEX_WORD4, DST_SEL_W, t->sel[3]) | REG_FIELD(TEX_WORD4, BASE_LEVEL, t->base_level);
   w->resource[5] = REG_FIELD(TEX_WORD5, LAST_LEVEL, t->last_level) |
                    REG_FIELD(TEX_WORD5, BASE_ARRAY, t->base_array) |
                    REG_FIELD(TEX_WORD5, LAST_ARRAY, t->last_array);
   w->resource[6] = REG_FIELD(TEX_WORD6, MAX_ANISO_RATIO, 4);
   w->resource[7] = REG_FIELD(TEX_WORD7, DATA_FORMAT, t->format) |
                    REG_FIELD(TEX_WORD7, NUM_BANKS, 3) |
                    REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE);
   w->sampler[0] = REG_FIELD(SAMPLER_WORD0, CLAMP_X, t->clamp[0]) |
                   REG_FIELD(SAMPLER_WORD0, CLAMP_Y, t->clamp[1]) |
                   REG_FIELD(SAMPLER_WORD0, CLAMP_Z, t->clamp[2]) |
                   REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, t->mag) |
                   REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, t->min) |
                   REG_FIELD(SAMPLER_WORD0, Z_FILTER, t->z_filter) |
                   REG_FIELD(SAMPLER_WORD0, MIP_FILTER, t->mip) |
                   REG_FIELD(SAMPLER_WORD0, MAX_ANISO_RATIO, t->aniso) |
                   REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, t->border_type) |
                   REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, t->compare) |
                   REG_FIELD(SAMPLER_WORD0, FILTER_MODE, t->reduction);
   w->sampler[1] = REG_FIELD(SAMPLER_WORD1, MIN_LOD, (int)(t->min_lod * 256)) |
                   REG_FIELD(SAMPLER_WORD1, MAX_LOD, (int)(t->max_lod * 256));
   w->sampler[2] = REG_FIELD(SAMPLER_WORD2, LOD_BIAS, (int)(t->bias * 256)) |
                   REG_FIELD(SAMPLER_WORD2, TRUNCATE_COORD, t->truncate) |
                   REG_FIELD(SAMPLER_WORD2, DISABLE_CUBE_WRAP, t->no_cube_wrap) |
                   REG_FIELD(SAMPLER_WORD2, TYPE, 1);
   memcpy(w->border.rgba, t->border, sizeof(w->border.rgba));
   w->lookup = (struct td_lookup){
      .op = cayman_td_op[t->op & 31],
      .modifier = (uint8_t)t->inst_mod,
      .offset = { (int8_t)t->offset[0], (int8_t)t->offset[1], (int8_t)t->offset[2] },
      .normalized = t->unnormalized ? 0 : 7,
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
   };
   w->view = (struct cayman_view){
      .resource = w->resource,
      .sampler = w->sampler,
      .border = &w->border,
      .vm = space,
      .pipes = chips[CHIP_CAYMAN].pipes,
   };
}

void
test_tex_run(const struct test_build *build, const struct test_words *w, struct test_lanes *l,
             uint64_t lanes)
{
   struct td_tex_bind bind;
   struct td_tex_args args = { .lanes = lanes, .valid = ~UINT64_C(0) };

   memset(&bind, 0xa5, sizeof(bind));
   memset(l->out, 0x5a, sizeof(l->out));
   cayman_bind_tex(&build->kernels, &bind, &w->lookup, &w->view);
   for (unsigned c = 0; c < 4; c++) {
      args.src[c] = l->src[c];
      args.dst[c] = l->out[c];
   }
   args.reference = w->apart ? l->reference : NULL;
   for (unsigned a = 0; a < 3; a++) {
      args.grad_h[a] = l->grad_h[a];
      args.grad_v[a] = l->grad_v[a];
      args.offset[a] = l->offset[a];
   }
   const unsigned op = w->lookup.op;
   const bool gathers =
      op == TD_GATHER4 || op == TD_GATHER4_O || op == TD_GATHER4_C || op == TD_GATHER4_C_O;
   if (w->general && td_op_samples(op) && !gathers)
      build->general(&bind, &args);
   else
      bind.run(&bind, &args);
}
