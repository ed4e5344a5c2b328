/* SPDX-License-Identifier: MIT */
/*
 * Tessellation on the whole device, through streamout: the points of each patch as the tessellator
 * gives them, with the data of their own patch, whatever the factors and sizes are.
 *
 * LS writes its vertex's index to LDS.  HS writes, for each output control point, the index of the
 * input control point of that number, plus 1000, and the factors.  DS writes what HS left for
 * output control point 0, the domain coordinates, and PrimitiveID.  All find their patch's offset
 * by its number in the work group.
 */
#include "pipeline.h"
#include "vgt/tessellator.h"

#define LS_AT  0x0000u
#define HS_AT  0x1000u
#define DS_AT  0x2000u
#define PS_AT  0x2800u
#define HS_LDS 4096u /* bytes: where output control points begin */

struct setup {
   unsigned in_cp, out_cp;
   unsigned group; /* patches of a work group */
   uint32_t lds;
   struct tess_config config;
   uint32_t factor[6]; /* as TF_WRITE stores them */
   uint32_t buffer_dwords;
};

static const struct setup usual = {
   .in_cp = 3,
   .out_cp = 3,
   .group = 1,
   .lds = HS_LDS + 256,
   .config = { TESS_DOMAIN_TRIANGLE, TESS_INTEGER, TESS_OUT_TRIANGLE_CW },
   .factor = { 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000 },
   .buffer_dwords = OUT_BYTES / 4,
};

static void
lds(unsigned op, unsigned address_chan, struct cayman_alu_src data)
{
   struct cayman_alu s = { .op = CAYMAN_ALU_LDS_IDX_OP, .lds_op = (uint8_t)op };

   s.src[0] = asm_gpr(1, address_chan);
   s.src[1] = data;
   s.src[2] = asm_sel(CAYMAN_SRC_0, 0);
   asm_one(&a, s);
}

/* R1.x = (patch * in + point) * 4, R1.y = (patch * out + point) * 4 + HS_LDS. */
static void
addresses(const struct setup *s, struct cayman_alu_src patch, struct cayman_alu_src point)
{
   const uint32_t literals[4] = { s->in_cp, s->out_cp, 2, HS_LDS };
   const struct cayman_alu index[2] = {
      asm_op3(CAYMAN_ALU_MULADD_UINT24, 1, 0, patch, asm_sel(CAYMAN_SRC_LITERAL, 0), point),
      asm_op3(CAYMAN_ALU_MULADD_UINT24, 1, 1, patch, asm_sel(CAYMAN_SRC_LITERAL, 1), point),
   };
   const struct cayman_alu shift[2] = {
      asm_op2(CAYMAN_ALU_LSHL_INT, 1, 0, asm_gpr(1, 0), asm_sel(CAYMAN_SRC_LITERAL, 2)),
      asm_op2(CAYMAN_ALU_LSHL_INT, 1, 1, asm_gpr(1, 1), asm_sel(CAYMAN_SRC_LITERAL, 2)),
   };
   const struct cayman_alu add =
      asm_op2(CAYMAN_ALU_ADD_INT, 1, 1, asm_gpr(1, 1), asm_sel(CAYMAN_SRC_LITERAL, 3));

   asm_slots(&a, index, 2, literals, 2);
   asm_slots(&a, shift, 2, literals, 3);
   asm_slots(&a, &add, 1, literals, 4);
}

static void
programs(struct door *d, const struct setup *s)
{
   uint32_t literal[1];

   asm_init(&a);
   addresses(s, asm_sel(CAYMAN_SRC_0, 0), asm_gpr(0, 1));
   lds(CAYMAN_LDS_WRITE, 0, asm_gpr(0, 0));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   place(d, LS_AT);

   addresses(s, asm_gpr(0, 1), asm_gpr(0, 2));
   lds(CAYMAN_LDS_READ_RET, 0, asm_sel(CAYMAN_SRC_0, 0));
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 2, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)));
   literal[0] = 1000;
   struct cayman_alu add =
      asm_op2(CAYMAN_ALU_ADD_INT, 2, 0, asm_gpr(2, 0), asm_sel(CAYMAN_SRC_LITERAL, 0));
   asm_slots(&a, &add, 1, literal, 1);
   lds(CAYMAN_LDS_WRITE, 1, asm_gpr(2, 0));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   const unsigned factors = s->config.domain == TESS_DOMAIN_ISOLINE    ? 2
                            : s->config.domain == TESS_DOMAIN_TRIANGLE ? 4
                                                                       : 6;
   const struct cayman_alu base = asm_op3(CAYMAN_ALU_MULADD_UINT24, 4, 0, asm_gpr(0, 1),
                                          asm_sel(CAYMAN_SRC_LITERAL, 0), asm_gpr(0, 3));

   asm_slots(&a, &base, 1, (const uint32_t[]){ 4 * factors }, 1);
   for (unsigned n = 0; n < factors; n++) {
      const uint32_t literals[2] = { 4 * n, s->factor[n] };
      struct cayman_alu slots[2] = {
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
   place(d, HS_AT);

   addresses(s, asm_gpr(0, 2), asm_sel(CAYMAN_SRC_0, 0));
   lds(CAYMAN_LDS_READ_RET, 1, asm_sel(CAYMAN_SRC_0, 0));
   struct cayman_alu out[4] = {
      asm_op1(CAYMAN_ALU_MOV, 2, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)),
      asm_op1(CAYMAN_ALU_MOV, 2, 1, asm_gpr(0, 0)),
      asm_op1(CAYMAN_ALU_MOV, 2, 2, asm_gpr(0, 1)),
      asm_op1(CAYMAN_ALU_MOV, 2, 3, asm_gpr(0, 3)),
   };
   asm_slots(&a, out, 4, NULL, 0);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   capture(2);
   place(d, DS_AT);
   place(d, PS_AT);
}

static struct written
run(struct door *d, const struct setup *s, uint32_t patches)
{
   struct ib ib = { 0 };

   programs(d, s);
   program(&ib, R_SQ_PGM_START_LS, R_SQ_PGM_RESOURCES_LS, LS_AT);
   program(&ib, R_SQ_PGM_START_HS, R_SQ_PGM_RESOURCES_HS, HS_AT);
   program(&ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, DS_AT);
   program(&ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, PS_AT);
   context(&ib, R_VGT_SHADER_STAGES_EN,
           REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, LS_STAGE_ON) |
              REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, 1) |
              REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_DS));
   context(&ib, R_VGT_LS_HS_CONFIG,
           REG_FIELD(VGT_LS_HS_CONFIG, NUM_PATCHES, s->group) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, s->in_cp) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, s->out_cp));
   context(&ib, R_VGT_TF_PARAM,
           REG_FIELD(VGT_TF_PARAM, TYPE, s->config.domain) |
              REG_FIELD(VGT_TF_PARAM, PARTITIONING, s->config.partitioning) |
              REG_FIELD(VGT_TF_PARAM, TOPOLOGY, s->config.topology));
   context(&ib, R_VGT_HOS_MAX_TESS_LEVEL, 0x42800000); /* 64 */
   context(&ib, R_VGT_HOS_MIN_TESS_LEVEL, 0);
   context(&ib, R_SQ_LDS_ALLOC, s->lds / 4 | 1 << 14);
   config(&ib, R_VGT_PRIMITIVE_TYPE, DI_PT_PATCH);
   streamout(d, &ib, true, s->buffer_dwords, 0);
   stats(&ib, QUERY_AT);
   draw(&ib, patches * s->in_cp);
   stats(&ib, QUERY_AT + 16);
   door_run(d, &ib);
   return stats_between(d);
}

/* Runs and compares with what the tessellator makes of one patch. */
static void
check(struct door *d, const struct setup *s, uint32_t patches)
{
   static struct tess_patch patch;
   const uint64_t room = s->buffer_dwords / 4;
   struct written w = run(d, s, patches);
   struct tess_factors factors;
   unsigned n = 0;
   uint64_t fit;

   tess_unpack(&factors, s->config.domain, s->factor);
   for (unsigned i = 0; i < 4; i++)
      factors.outer[i] = factors.outer[i] > 64 ? 64 : factors.outer[i];
   for (unsigned i = 0; i < 2; i++)
      factors.inner[i] = factors.inner[i] > 64 ? 64 : factors.inner[i];
   tess_run(&patch, &s->config, &factors);
   assert_int_equal(w.needed, (uint64_t)patches * patch.num_prims);
   fit = patch.num_prims ? room / patch.verts_per_prim : 0;
   fit = fit < w.needed ? fit : w.needed;
   assert_int_equal(w.written, fit);
   for (unsigned p = 0; p < patches; p++) {
      for (unsigned i = 0; i < patch.num_prims && n / patch.verts_per_prim < fit; i++) {
         for (unsigned k = 0; k < patch.verts_per_prim; k++, n++) {
            const unsigned point =
               s->config.topology == TESS_OUT_POINT ? i : patch.index[i * patch.verts_per_prim + k];
            const uint32_t *v = d->mem + OUT_AT / 4 + n * 4;

            assert_int_equal(v[0], s->lds > HS_LDS ? 1000 + p * s->in_cp : 0);
            assert_memory_equal(&v[1], &patch.u[point], 4);
            assert_memory_equal(&v[2], &patch.v[point], 4);
            assert_int_equal(v[3], p);
         }
      }
   }
   expect_end(d, n);
}

static uint32_t
bits(float f)
{
   uint32_t u;

   memcpy(&u, &f, 4);
   return u;
}

/* Patches of more than a batch, in order, each with its own data. */
static void
order(void **state)
{
   struct door d = door_begin();

   check(&d, &usual, 100);
   door_end(&d);
}

static void
every_kind(void **state)
{
   struct door d = door_begin();

   for (unsigned domain = 0; domain < 3; domain++) {
      for (unsigned part = 0; part < 4; part++) {
         for (unsigned topology = 0; topology < 4; topology++) {
            struct setup s = usual;

            if (domain != TESS_DOMAIN_ISOLINE && topology == TESS_OUT_LINE)
               continue;
            s.config = (struct tess_config){ domain, part, topology };
            for (unsigned n = 0; n < 6; n++)
               s.factor[n] = bits(1.3f + (float)n * 0.9f);
            check(&d, &s, 20);
         }
      }
   }
   door_end(&d);
}

/* Any bits are factors. */
static void
hostile_factors(void **state)
{
   static const uint32_t values[] = {
      0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000,
      0x00000001, 0x80000000, 0xbf800000, 0x7f7fffff,
   };
   struct door d = door_begin();

   for (unsigned domain = 0; domain < 3; domain++) {
      for (unsigned at = 0; at < 6; at++) {
         for (unsigned n = 0; n < sizeof(values) / sizeof(values[0]); n++) {
            struct setup s = usual;

            s.config.domain = domain;
            for (unsigned i = 0; i < 6; i++)
               s.factor[i] = bits(2.0f);
            s.factor[at] = values[n];
            check(&d, &s, 3);
         }
      }
   }
   door_end(&d);
}

/* Control points and LDS of every size. */
static void
sizes(void **state)
{
   static const uint8_t points[][2] = { { 1, 1 }, { 32, 1 }, { 1, 32 }, { 63, 63 }, { 7, 40 } };
   struct door d = door_begin();
   struct setup s = usual;

   for (unsigned i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
      s.in_cp = points[i][0];
      s.out_cp = points[i][1];
      check(&d, &s, 37);
   }
   /* No lanes, no factors: nothing is drawn. */
   s.out_cp = 0;
   assert_int_equal(run(&d, &s, 5).needed, 0);
   s = usual;
   s.in_cp = 0;
   assert_int_equal(run(&d, &s, 5).needed, 0);

   s = usual;
   s.lds = 0;
   check(&d, &s, 20);
   s.lds = HS_LDS;
   check(&d, &s, 20);
   s.lds = 0x3fff * 4;
   check(&d, &s, 20);
   door_end(&d);
}

/* Several patches to a work group: they share its LDS, and the last group is not full. */
static void
groups(void **state)
{
   static const uint8_t sizes[] = { 0, 2, 3, 7, 16, 17, 40, 255 };
   struct door d = door_begin();

   for (unsigned domain = 0; domain < 3; domain++) {
      for (unsigned n = 0; n < sizeof(sizes); n++) {
         struct setup s = usual;

         s.group = sizes[n];
         s.lds = HS_LDS + 255 * 3 * 4;
         s.config.domain = domain;
         for (unsigned i = 0; i < 6; i++)
            s.factor[i] = bits(1.0f);
         check(&d, &s, 300);
         s.in_cp = 2;
         s.out_cp = 5;
         s.lds = HS_LDS + 255 * 5 * 4;
         check(&d, &s, sizes[n] + 1u);
      }
   }
   door_end(&d);
}

static void
overflow(void **state)
{
   struct door d = door_begin();
   struct setup s = usual;

   for (unsigned dwords = 0; dwords < 60; dwords += 7) {
      s.buffer_dwords = dwords;
      check(&d, &s, 6);
   }
   /* More primitives than a list holds. */
   for (unsigned n = 0; n < 4; n++)
      s.factor[n] = bits(64.0f);
   s.buffer_dwords = OUT_BYTES / 4;
   check(&d, &s, 2);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(order), cmocka_unit_test(every_kind), cmocka_unit_test(hostile_factors),
      cmocka_unit_test(sizes), cmocka_unit_test(groups),     cmocka_unit_test(overflow),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
