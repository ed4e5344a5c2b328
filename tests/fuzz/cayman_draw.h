/* SPDX-License-Identifier: MIT */
/*
 * A draw on Cayman that is right, for targets that change some of it: two triangles over a colour
 * target, with vertices that are fetched and pixels that look a texture up.  And a second client
 * beside it, with memory that no submission of the first reaches.
 *
 *    VS    R1 = fetch(vertices, R0.x); position R1, parameter 0 R1
 *    PS    R1 = sample(texture 0, R0.xy) with the words at TEX_AT of the program; colour 0 R1
 */
#ifndef TESTS_FUZZ_CAYMAN_DRAW_H
#define TESTS_FUZZ_CAYMAN_DRAW_H

#include "fuzz.h"

#include "../device/pipeline.h"

/* Bytes of the door's buffer; those of results are in device/pipeline.h. */
enum {
   DRAW_VS_AT = 0x0000,
   DRAW_PS_AT = 0x0800,
   DRAW_VERTICES_AT = 0x1000,
   DRAW_CONST_AT = 0x1800,
   DRAW_INDICES_AT = 0x2000,
   DRAW_ARGS_AT = 0x2400,
   DRAW_TEXTURE_AT = 0x4000, /* 32 x 32 texels of four bytes */
   DRAW_COLOR_AT = 0x8000,   /* 32 x 32 pixels of four floats */
   DRAW_SIDE = 32,
};

/* What the other client's buffer holds, and nothing else does. */
#define DRAW_CANARY UINT64_C(0xca9a51e5ba5eba11)

struct cayman_draw {
   struct door door, other;
   struct ib ib;
   uint32_t texture_word; /* of the door's buffer, in dwords: the lookup's four */
};

static inline void
draw_programs(struct cayman_draw *d)
{
   struct cayman_fetch vertex = { .kind = CAYMAN_FETCH_VTX }, lookup = { .kind = CAYMAN_FETCH_TEX };

   vertex.vtx = (struct cayman_vtx){ .op = CAYMAN_VTX_FETCH,
                                     .fetch_type = CAYMAN_FETCH_NO_INDEX_OFFSET,
                                     .use_const_fields = true,
                                     .dst_gpr = 1,
                                     .dst_sel = { 0, 1, 2, 3 } };
   lookup.tex = (struct cayman_tex){ .op = CAYMAN_TEX_SAMPLE,
                                     .dst_gpr = 1,
                                     .src_sel = { 0, 1, 0, 0 },
                                     .dst_sel = { 0, 1, 2, 3 },
                                     .coord_type = 15 };
   asm_init(&a);
   asm_fetch(&a, &vertex);
   asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_TC, .barrier = true });
   asm_export(&a, CAYMAN_EXPORT_POS, 60, 1);
   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
   place(&d->door, DRAW_VS_AT);
   asm_fetch(&a, &lookup);
   asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_TC, .barrier = true });
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 1);
   FUZZ_CHECK(asm_finish(&a));
   /* The clause is the last that the program has. */
   d->texture_word = DRAW_PS_AT / 4 + (uint32_t)a.num_words - 4;
   memcpy(d->door.mem + DRAW_PS_AT / 4, a.words, a.num_words * 4);
}

/* Memory as it is before a draw. */
static inline void
draw_memory(struct cayman_draw *d)
{
   static const float corners[6][4] = {
      { -1, -1, 0.5f, 1 }, { 1, -1, 0.5f, 1 }, { -1, 1, 0.5f, 1 },
      { 1, -1, 0.2f, 1 },  { -1, 1, 0.2f, 1 }, { 1, 1, 0.2f, 1 }
   };

   memset(d->door.mem, 0, DOOR_BYTES);
   draw_programs(d);
   memcpy(d->door.mem + DRAW_VERTICES_AT / 4, corners, sizeof(corners));
   for (uint32_t i = 0; i < 64; i++) {
      d->door.mem[DRAW_INDICES_AT / 4 + i] = i % 6;
      d->door.mem[DRAW_CONST_AT / 4 + i] = 0x3f000000 + i;
   }
   for (uint32_t i = 0; i < DRAW_SIDE * DRAW_SIDE; i++)
      d->door.mem[DRAW_TEXTURE_AT / 4 + i] = (i + 1) * 0x030507u | 0xff000000u;
}

static inline void
draw_resource(struct ib *ib, unsigned index, const uint32_t words[8])
{
   IB_ADD(ib, PM4_SET_RESOURCE, index * CAYMAN_RESOURCE_DWORDS, words[0], words[1], words[2],
          words[3], words[4], words[5], words[6], words[7]);
}

/* The texture's and the vertices' words, right ones. */
static inline void
draw_descriptors(uint32_t texture[8], uint32_t vertices[8])
{
   const uint32_t t[8] = { REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) |
                              REG_FIELD(TEX_WORD0, PITCH, DRAW_SIDE / 8 - 1) |
                              REG_FIELD(TEX_WORD0, TEX_WIDTH, DRAW_SIDE - 1),
                           REG_FIELD(TEX_WORD1, TEX_HEIGHT, DRAW_SIDE - 1) |
                              REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
                           (uint32_t)(VA_BASE + DRAW_TEXTURE_AT) >> 8,
                           (uint32_t)(VA_BASE + DRAW_TEXTURE_AT) >> 8,
                           REG_FIELD(TEX_WORD4, DST_SEL_Y, 1) | REG_FIELD(TEX_WORD4, DST_SEL_Z, 2) |
                              REG_FIELD(TEX_WORD4, DST_SEL_W, 3),
                           0,
                           0,
                           REG_FIELD(TEX_WORD7, DATA_FORMAT, CAYMAN_FMT_8_8_8_8) |
                              REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE) };
   const uint32_t v[8] = { (uint32_t)VA_BASE + DRAW_VERTICES_AT,
                           6 * 16 - 1,
                           REG_FIELD(BUF_WORD2, STRIDE, 16) |
                              REG_FIELD(BUF_WORD2, DATA_FORMAT, CAYMAN_FMT_32_32_32_32_FLOAT),
                           REG_FIELD(BUF_WORD3, DST_SEL_Y, 1) | REG_FIELD(BUF_WORD3, DST_SEL_Z, 2) |
                              REG_FIELD(BUF_WORD3, DST_SEL_W, 3),
                           6,
                           0,
                           0,
                           REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER) };

   memcpy(texture, t, sizeof(t));
   memcpy(vertices, v, sizeof(v));
}

/* All state of the draw, as packets. */
static inline void
draw_state(struct cayman_draw *d)
{
   struct ib *ib = &d->ib;
   uint32_t texture[8], vertices[8];

   ib->count = 0;
   program(ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, DRAW_VS_AT);
   program(ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, DRAW_PS_AT);
   float_picture(ib, DRAW_COLOR_AT, DRAW_SIDE, DRAW_SIDE);
   for (uint32_t reg = R_PA_CL_VPORT_XSCALE_0; reg < R_PA_CL_VPORT_ZSCALE_0; reg += 4)
      context_float(ib, reg, DRAW_SIDE / 2);
   context_float(ib, R_PA_CL_VPORT_ZSCALE_0, 0.5f);
   context_float(ib, R_PA_CL_VPORT_ZOFFSET_0, 0.5f);
   context(ib, R_PA_CL_VTE_CNTL, 0x43f); /* scales and offsets, and 1/W to make */
   context(ib, R_VGT_SHADER_STAGES_EN, 0);
   context(ib, R_VGT_INDX_OFFSET, 0);
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   config(ib, R_VGT_PRIMITIVE_TYPE, DI_PT_TRILIST);
   context(ib, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 1));
   context(ib, R_ALU_CONST_CACHE_PS_0, (uint32_t)(VA_BASE + DRAW_CONST_AT) >> 8);
   context(ib, R_ALU_CONST_BUFFER_SIZE_PS_0, 1);
   draw_descriptors(texture, vertices);
   draw_resource(ib, CAYMAN_RESOURCE_PS, texture);
   draw_resource(ib, CAYMAN_RESOURCE_VS, vertices);
   IB_ADD(ib, PM4_SET_SAMPLER, CAYMAN_SAMPLER_PS, 0, 0, 0);
   IB_ADD(ib, PM4_INDEX_TYPE, VGT_INDEX_32);
   IB_ADD(ib, PM4_NUM_INSTANCES, 1);
}

/* A client of its own for each input: registers stay from submission to submission. */
static inline struct cayman_draw *
draw_begin(void)
{
   static struct cayman_draw d;

   if (!d.other.c) {
      setenv("ATOLL_ISA", "cayman", 1);
      setenv("ATOLL_BUDGET", "100000c", 1); /* endless ones are common */
      setenv("ATOLL_THREADS", "1", 1);
      setenv("ATOLL_SIMD", "sse2", 0); /* the build that sanitizers check */
      d.other = door_begin(); /* its buffer has the same address, in an address space of its own */
      for (unsigned i = 0; i < DOOR_BYTES / 8; i++)
         memcpy(d.other.mem + 2 * i, &(uint64_t){ DRAW_CANARY }, 8);
   }
   d.door = door_begin();
   return &d;
}

/* Submits what there is; the submission ends. */
static inline void
draw_submit(struct cayman_draw *d)
{
   if (!d->ib.count)
      return;
   const int said =
      door_submit(d->door.c, d->ib.words, d->ib.count, RADEON_CS_RING_GFX, d->door.handle);

   FUZZ_CHECK(said == 0);
   door_wait(d->door.c, d->door.handle);
   d->ib.count = 0;
}

/* The other client's memory is as it was, and nothing of it is here. */
static inline FUZZ_UNSEEN void
draw_end(struct cayman_draw *d)
{
   uint64_t here, there;

   for (unsigned i = 0; i < DOOR_BYTES / 8; i++) {
      memcpy(&here, d->door.mem + 2 * i, 8);
      memcpy(&there, d->other.mem + 2 * i, 8);
      FUZZ_CHECK(there == DRAW_CANARY && here != DRAW_CANARY);
   }
   door_end(&d->door);
}

#endif /* TESTS_FUZZ_CAYMAN_DRAW_H */
