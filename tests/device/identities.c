/* SPDX-License-Identifier: MIT */
/*
 * Draws and dispatches that the pipeline splits in each way that it knows: primitives drawn so many
 * at a time, batches, instances, tiles, invocations, patches, groups, draws that join others in a
 * pass.  identities.py reads the names of their waves.
 */
#include "pipeline.h"

#define POINT_AT   0x0000u
#define HULL_AT    0x0800u
#define EMIT_AT    0x1000u
#define NOTHING_AT 0x1800u
#define PIXEL_AT   0x2000u
#define COLOR_AT   0x4000u
#define SIZE       48u /* pixels of a row, and rows: four tiles */
#define MANY       20000u

static void
with_literal(struct cayman_alu slot, uint32_t literal)
{
   asm_slots(&a, &slot, 1, &literal, 1);
}

/* A point of the picture by the number in R0.x. */
static void
point_program(void)
{
   const struct cayman_alu_src literal = asm_sel(CAYMAN_SRC_LITERAL, 0);

   with_literal(asm_op2(CAYMAN_ALU_AND_INT, 1, 0, asm_gpr(0, 0), literal), 37);
   with_literal(asm_op2(CAYMAN_ALU_LSHR_INT, 1, 1, asm_gpr(0, 0), literal), 5);
   with_literal(asm_op2(CAYMAN_ALU_AND_INT, 1, 1, asm_gpr(1, 1), literal), 31);
   asm_one(&a, asm_op1(CAYMAN_ALU_INT_TO_FLT, 1, 0, asm_gpr(1, 0)));
   asm_one(&a, asm_op1(CAYMAN_ALU_INT_TO_FLT, 1, 1, asm_gpr(1, 1)));
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 1, 2, asm_sel(CAYMAN_SRC_0, 0)));
   with_literal(asm_op1(CAYMAN_ALU_MOV, 1, 3, literal), 0x3f800000);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_export(&a, CAYMAN_EXPORT_POS, 60, 1);
}

/* Each factor of a triangle is 1. */
static void
hull_program(void)
{
   with_literal(asm_op3(CAYMAN_ALU_MULADD_UINT24, 4, 0, asm_gpr(0, 1),
                        asm_sel(CAYMAN_SRC_LITERAL, 0), asm_gpr(0, 3)),
                16);
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t literals[2] = { 4 * n, 0x3f800000 };
      const struct cayman_alu slots[2] = {
         asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(4, 0), asm_sel(CAYMAN_SRC_LITERAL, 0)),
         asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_sel(CAYMAN_SRC_LITERAL, 1)),
      };
      struct cayman_fetch f = { .kind = CAYMAN_FETCH_GDS };

      asm_slots(&a, slots, 2, literals, 2);
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      f.gds = (struct cayman_gds){ .op = CAYMAN_MEM_TF_WRITE,
                                   .src_gpr = 3,
                                   .src_sel = { 0, 1, CAYMAN_SEL_0 },
                                   .dst_sel = { 7, 7, 7, 7 } };
      asm_fetch(&a, &f);
      asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_GDS, .barrier = true });
   }
}

static void
programs(struct door *d)
{
   asm_init(&a);
   point_program();
   place(d, POINT_AT);
   hull_program();
   place(d, HULL_AT);
   for (unsigned n = 0; n < 3; n++)
      asm_cf(&a, &(struct cayman_cf){ .op = CAYMAN_CF_EMIT_VERTEX, .barrier = true });
   place(d, EMIT_AT);
   place(d, NOTHING_AT);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 0);
   place(d, PIXEL_AT);
}

enum kind { VERTICES, GEOMETRY, PATCHES };

static void
set(struct ib *ib, enum kind kind)
{
   const uint32_t stages[] = {
      [VERTICES] = 0,
      [GEOMETRY] = REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, ES_STAGE_REAL) |
                   REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, 1) |
                   REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_COPY_SHADER),
      [PATCHES] = REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, LS_STAGE_ON) |
                  REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, 1) |
                  REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_DS),
   };

   program(ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, POINT_AT);
   program(ib, R_SQ_PGM_START_LS, R_SQ_PGM_RESOURCES_LS, NOTHING_AT);
   program(ib, R_SQ_PGM_START_HS, R_SQ_PGM_RESOURCES_HS, HULL_AT);
   program(ib, R_SQ_PGM_START_ES, R_SQ_PGM_RESOURCES_ES, NOTHING_AT);
   program(ib, R_SQ_PGM_START_GS, R_SQ_PGM_RESOURCES_GS, EMIT_AT);
   program(ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, PIXEL_AT);
   float_picture(ib, COLOR_AT, SIZE, SIZE);
   context(ib, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ENA, 1));
   context(ib, R_PA_CL_VTE_CNTL, 0x43f); /* all scales and offsets; w comes as w */
   for (unsigned n = 0; n < 6; n++)
      context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 4 * n, n % 2 == 0);
   context(ib, R_PA_CL_CLIP_CNTL, REG_FIELD(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1));
   context(ib, R_PA_SC_VPORT_ZMAX_0, 0x3f800000);
   context(ib, R_PA_SU_VTX_CNTL,
           REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, 1) |
              REG_FIELD(PA_SU_VTX_CNTL, QUANT_MODE, 5));
   context(ib, R_PA_SC_EDGERULE, 0xaaaaaaaa);
   context(ib, R_PA_SU_POINT_SIZE, 16 | 16 << 16);
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   context(ib, R_VGT_SHADER_STAGES_EN, stages[kind]);
   context(ib, R_VGT_GS_MODE, kind == GEOMETRY ? REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_G) : 0);
   context(ib, R_VGT_GS_OUT_PRIM_TYPE, OUTPRIM_TYPE_POINTLIST);
   context(ib, R_VGT_GS_MAX_VERT_OUT, 4);
   context(ib, R_VGT_GS_INSTANCE_CNT,
           REG_FIELD(VGT_GS_INSTANCE_CNT, ENABLE, 1) | REG_FIELD(VGT_GS_INSTANCE_CNT, CNT, 3));
   context(ib, R_SQ_ESGS_RING_ITEMSIZE, 4);
   context(ib, R_SQ_GSVS_RING_ITEMSIZE, 16);
   context(ib, R_SQ_GS_VERT_ITEMSIZE, 4);
   context(ib, R_VGT_LS_HS_CONFIG,
           REG_FIELD(VGT_LS_HS_CONFIG, NUM_PATCHES, 5) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, 3) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, 3));
   context(ib, R_VGT_TF_PARAM,
           REG_FIELD(VGT_TF_PARAM, TYPE, TESS_TRIANGLE) |
              REG_FIELD(VGT_TF_PARAM, TOPOLOGY, OUTPUT_POINT));
   context(ib, R_VGT_HOS_MAX_TESS_LEVEL, 0x42800000); /* 64 */
   context(ib, R_SQ_LDS_ALLOC, 64 | 1 << 14);
   config(ib, R_VGT_PRIMITIVE_TYPE, kind == PATCHES ? DI_PT_PATCH : DI_PT_POINTLIST);
}

/* Some draws of which the first few join each other, and one of many primitives. */
static void
draws(struct door *d, enum kind kind, uint32_t many)
{
   const uint32_t each = kind == PATCHES ? 3 : 1;
   struct ib ib = { 0 };

   set(&ib, kind);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   for (unsigned n = 0; n < 5; n++)
      draw(&ib, each * (70 * n + 1));
   IB_ADD(&ib, PM4_NUM_INSTANCES, 2);
   draw(&ib, each * many);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 200);
   draw(&ib, each * 3);
   door_run(d, &ib);
}

/* Groups of two waves, more than are run at a time, twice. */
static void
dispatches(struct door *d)
{
   struct ib ib = { 0 };

   program(&ib, R_SQ_PGM_START_LS, R_SQ_PGM_RESOURCES_LS, NOTHING_AT);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X, 32);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 4, 4);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 8, 1);
   context(&ib, R_SQ_LDS_ALLOC, 64);
   for (uint32_t n = 0; n < ib.count; n += 2 + (ib.words[n] >> 16 & 0x3fff))
      ib.words[n] |= PM4_COMPUTE_BIT;
   for (unsigned n = 0; n < 2; n++) {
      const uint32_t words[5] = { pm4_header(PM4_DISPATCH_DIRECT, 4, false) | PM4_COMPUTE_BIT, 50,
                                  51, 2, 1 };

      memcpy(&ib.words[ib.count], words, sizeof(words));
      ib.count += 5;
   }
   door_run(d, &ib);
}

static void
run(void **state)
{
   struct door d = door_begin();
   uint32_t drawn = 0;

   programs(&d);
   for (unsigned twice = 0; twice < 2; twice++) {
      draws(&d, VERTICES, MANY);
      draws(&d, GEOMETRY, MANY / 2);
      draws(&d, PATCHES, MANY / 2);
      dispatches(&d);
   }
   for (unsigned n = 0; n < SIZE * SIZE; n++)
      drawn += d.mem[COLOR_AT / 4 + 4 * n + 3] != 0;
   print_message("%u pixels drawn\n", drawn);
   assert_true(drawn > 300);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(run) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
