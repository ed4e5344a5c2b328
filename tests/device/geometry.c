/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders on the whole device, through streamout: order and number of what is captured,
 * and what item sizes, counts and buffers of any size do.
 *
 * ES writes R0 to its ring.  GS emits `verts` vertices, each: index of the primitive's first
 * vertex, number of the vertex, PrimitiveID, invocation.  The copy shader captures them.
 */
#include "pipeline.h"

#define ES_AT   0x0000u
#define GS_AT   0x1000u
#define COPY_AT 0x2000u
#define PS_AT   0x2800u
#define ESGS_AT 0xd000u
#define GSVS_AT 0xe000u

static void
ring_fetch(unsigned dst)
{
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_VTX };

   f.vtx.op = CAYMAN_VTX_FETCH;
   f.vtx.fetch_type = 2;
   f.vtx.buffer_id = 17;
   f.vtx.use_const_fields = true;
   f.vtx.dst_gpr = dst;
   for (unsigned c = 0; c < 4; c++)
      f.vtx.dst_sel[c] = c;
   asm_fetch(&a, &f);
   asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_TC, .barrier = true });
}

struct setup {
   unsigned verts; /* that GS emits */
   bool cut;       /* after each */
   unsigned max_verts, invocations, out_prim;
   uint32_t es_item, gs_item, vert_item;
   uint32_t buffer_dwords;
   bool captures;
   uint32_t esgs_at, gsvs_at; /* the rings */
   uint16_t es_base;          /* of ES's write, dwords */
   uint32_t gs_index;         /* of GS's first vertex in its item */
};

static const struct setup usual = {
   .verts = 3,
   .max_verts = 4,
   .invocations = 1,
   .out_prim = OUTPRIM_TYPE_POINTLIST,
   .es_item = 4,
   .gs_item = 16,
   .vert_item = 4,
   .buffer_dwords = OUT_BYTES / 4,
   .captures = true,
   .esgs_at = ESGS_AT,
   .gsvs_at = GSVS_AT,
};

static void
programs(struct door *d, const struct setup *s)
{
   const struct cayman_cf write = { .op = CAYMAN_CF_MEM_RING,
                                    .type = CAYMAN_MEM_WRITE,
                                    .elem_size = 3,
                                    .comp_mask = 15,
                                    .barrier = true };
   struct cayman_cf indexed = write;
   struct cayman_cf es_write = write;
   uint32_t literal = 0x3fffffff;

   asm_init(&a);
   es_write.array_base = s->es_base;
   asm_cf(&a, &es_write);
   place(d, ES_AT);

   ring_fetch(2);
   struct cayman_alu start[3] = {
      asm_op1(CAYMAN_ALU_MOV, 3, 0, asm_sel(CAYMAN_SRC_0, 0)),
      asm_op1(CAYMAN_ALU_MOV, 2, 2, asm_gpr(0, 2)),
      asm_op1(CAYMAN_ALU_MOV, 2, 3, asm_gpr(1, 3)),
   };
   asm_slots(&a, start, 3, NULL, 0);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   indexed.type = CAYMAN_MEM_WRITE_IND;
   indexed.rw_gpr = 2;
   indexed.index_gpr = 4;
   indexed.array_size = 0xfff;
   for (unsigned k = 0; k < s->verts; k++) {
      struct cayman_alu place_of[2] = {
         asm_op2(CAYMAN_ALU_ADD_INT, 4, 0, asm_gpr(3, 0), asm_sel(CAYMAN_SRC_LITERAL, 0)),
         asm_op1(CAYMAN_ALU_MOV, 2, 1, asm_gpr(3, 0)),
      };

      asm_slots(&a, place_of, 2, &s->gs_index, 1);
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      asm_cf(&a, &indexed);
      asm_cf(&a, &(struct cayman_cf){ .op = CAYMAN_CF_EMIT_VERTEX, .barrier = true });
      if (s->cut)
         asm_cf(&a, &(struct cayman_cf){ .op = CAYMAN_CF_CUT_VERTEX, .barrier = true });
      asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(3, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
   }
   place(d, GS_AT);

   struct cayman_alu mask =
      asm_op2(CAYMAN_ALU_AND_INT, 0, 0, asm_gpr(0, 0), asm_sel(CAYMAN_SRC_LITERAL, 0));
   asm_slots(&a, &mask, 1, &literal, 1);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   ring_fetch(1);
   capture(1);
   place(d, COPY_AT);
   place(d, PS_AT);
}

static void
ring(struct ib *ib, unsigned resource, uint32_t at)
{
   IB_ADD(ib, PM4_SET_RESOURCE, resource * 8, (uint32_t)VA_BASE + at, 0x0fff,
          REG_FIELD(BUF_WORD2, STRIDE, 4) |
             REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_32_32_32_32_FLOAT),
          REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
             REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W),
          0, 0, 0, REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER));
}

/* All state; the buffer starts at `offset` dwords. */
static void
state_of(struct door *d, struct ib *ib, const struct setup *s, uint32_t offset)
{
   programs(d, s);
   program(ib, R_SQ_PGM_START_ES, R_SQ_PGM_RESOURCES_ES, ES_AT);
   program(ib, R_SQ_PGM_START_GS, R_SQ_PGM_RESOURCES_GS, GS_AT);
   program(ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, COPY_AT);
   program(ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, PS_AT);
   context(ib, R_VGT_SHADER_STAGES_EN,
           REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, ES_STAGE_REAL) |
              REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, 1) |
              REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_COPY_SHADER));
   context(ib, R_VGT_GS_MODE, REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_G));
   context(ib, R_VGT_GS_OUT_PRIM_TYPE, s->out_prim);
   context(ib, R_VGT_GS_MAX_VERT_OUT, s->max_verts);
   context(ib, R_VGT_GS_INSTANCE_CNT,
           REG_FIELD(VGT_GS_INSTANCE_CNT, ENABLE, 1) |
              REG_FIELD(VGT_GS_INSTANCE_CNT, CNT, s->invocations));
   context(ib, R_SQ_ESGS_RING_ITEMSIZE, s->es_item);
   context(ib, R_SQ_GSVS_RING_ITEMSIZE, s->gs_item);
   context(ib, R_SQ_GS_VERT_ITEMSIZE, s->vert_item);
   config(ib, R_SQ_ESGS_RING_BASE, (uint32_t)((VA_BASE + s->esgs_at) >> 8));
   config(ib, R_SQ_GSVS_RING_BASE, (uint32_t)((VA_BASE + s->gsvs_at) >> 8));
   ring(ib, CAYMAN_RESOURCE_GS + 17, s->esgs_at);
   ring(ib, CAYMAN_RESOURCE_VS + 17, s->gsvs_at);
   config(ib, R_VGT_PRIMITIVE_TYPE, DI_PT_POINTLIST);
   streamout(d, ib, s->captures, s->buffer_dwords, offset);
}

/* Draws `count` points; returns primitives needed and written. */
static struct written
run(struct door *d, const struct setup *s, uint32_t count)
{
   struct ib ib = { 0 };

   state_of(d, &ib, s, 0);
   stats(&ib, QUERY_AT);
   draw(&ib, count);
   stats(&ib, QUERY_AT + 16);
   door_run(d, &ib);
   return stats_between(d);
}

static void
expect(const struct door *d, unsigned n, uint32_t index, uint32_t k, uint32_t prim, uint32_t inv)
{
   const uint32_t *v = d->mem + OUT_AT / 4 + n * 4;

   if (v[0] != index || v[1] != k || v[2] != prim || v[3] != inv)
      fail_msg("vertex %u is %x %x %x %x, expected %x %x %x %x", n, v[0], v[1], v[2], v[3], index,
               k, prim, inv);
}

/* More primitives than a batch holds come out in order. */
static void
order(void **state)
{
   struct door d = door_begin();
   struct written w = run(&d, &usual, 200);

   assert_int_equal(w.needed, 600);
   assert_int_equal(w.written, 600);
   for (unsigned i = 0; i < 200; i++)
      for (unsigned k = 0; k < 3; k++)
         expect(&d, i * 3 + k, i, k, i, 0);
   expect_end(&d, 600);
   door_end(&d);
}

/* Invocations of a primitive follow each other, also when they fill more than one wave. */
static void
invocations(void **state)
{
   struct door d = door_begin();

   for (unsigned inv = 1; inv < 128; inv += 18) {
      struct setup s = usual;
      struct written w;

      s.invocations = inv;
      s.verts = 2;
      w = run(&d, &s, 3);
      assert_int_equal(w.written, 6 * inv);
      for (unsigned i = 0; i < 3; i++)
         for (unsigned n = 0; n < inv; n++)
            for (unsigned k = 0; k < 2; k++)
               expect(&d, (i * inv + n) * 2 + k, i, k, i, n);
      expect_end(&d, 6 * inv);
   }
   door_end(&d);
}

/* What is emitted beyond MAX_VERT_OUT does not exist. */
static void
over_emission(void **state)
{
   struct door d = door_begin();
   struct setup s = usual;
   struct written w;

   s.verts = 40;
   for (unsigned max = 0; max < 5; max++) {
      s.max_verts = max;
      w = run(&d, &s, 5);
      assert_int_equal(w.needed, 5 * max);
      for (unsigned i = 0; i < 5; i++)
         for (unsigned k = 0; k < max; k++)
            expect(&d, i * max + k, i, k, i, 0);
      expect_end(&d, 5 * max);
   }
   /* More than the item has room for: the vertices exist, their data reads as zero. */
   s.max_verts = 0x7ff;
   w = run(&d, &s, 1);
   assert_int_equal(w.written, 40);
   for (unsigned k = 0; k < 4; k++)
      expect(&d, k, 0, k, 0, 0);
   for (unsigned k = 4; k < 40; k++)
      expect(&d, k, 0, 0, 0, 0);
   door_end(&d);
}

/* Items of no size, and of the largest: nothing leaks from one to the next. */
static void
item_sizes(void **state)
{
   static const uint32_t sizes[] = { 0, 1, 4, 0x7fff, ~0u };
   struct door d = door_begin();

   for (unsigned e = 0; e < 5; e++) {
      for (unsigned g = 0; g < 5; g++) {
         for (unsigned v = 0; v < 5; v++) {
            struct setup s = usual;
            struct written w;

            s.es_item = sizes[e];
            s.gs_item = sizes[g];
            s.vert_item = sizes[v];
            w = run(&d, &s, 20);
            assert_int_equal(w.needed, 60);
            assert_int_equal(w.written, 60);
            /* The first vertex lies at the item's start. */
            for (unsigned i = 0; i < 20 && sizes[e] >= 4 && sizes[g] >= 4 && sizes[v] >= 4; i++)
               expect(&d, i * 3, i, 0, i, 0);
            expect_end(&d, 60);
         }
      }
   }
   door_end(&d);
}

/* Writes beyond an item reach nothing, neither another's item nor memory; what was not written
 * reads as zero.  Where the rings lie is nobody's business. */
static void
ring_overflow(void **state)
{
   static const uint16_t bases[] = { 1, 4, 16, 0x1000, 0x1fff };
   static const uint32_t indices[] = { 4,          0x100,      0x3fffffff, 0x40000000,
                                       0x7fffffff, 0x80000000, 0xfffffffc };
   static const uint32_t places[] = { ESGS_AT, 0, 0x100000, 0xfe000000 };
   struct door d = door_begin();
   struct setup s = usual;

   for (unsigned i = ESGS_AT / 4; i < DOOR_BYTES / 4; i++)
      d.mem[i] = UNUSED_WORD;
   for (unsigned n = 0; n < sizeof(bases) / sizeof(bases[0]); n++) {
      s.es_base = bases[n];
      assert_int_equal(run(&d, &s, 20).written, 60);
      /* From the second dword on, the first vertex's index is the next one's business. */
      for (unsigned i = 0; i < 60; i++)
         expect(&d, i, 0, i % 3, i / 3, 0);
      expect_end(&d, 60);
   }
   s = usual;
   for (unsigned n = 0; n < sizeof(indices) / sizeof(indices[0]); n++) {
      s.gs_index = indices[n];
      assert_int_equal(run(&d, &s, 20).written, 60);
      for (unsigned i = 0; i < 60; i++)
         expect(&d, i, 0, 0, 0, 0);
      expect_end(&d, 60);
   }
   s = usual;
   for (unsigned n = 0; n < sizeof(places) / sizeof(places[0]); n++) {
      s.esgs_at = places[n];
      s.gsvs_at = places[n] + 0x1000;
      assert_int_equal(run(&d, &s, 20).written, 60);
      for (unsigned i = 0; i < 60; i++)
         expect(&d, i, i / 3, i % 3, i / 3, 0);
      expect_end(&d, 60);
   }
   for (unsigned i = ESGS_AT / 4; i < DOOR_BYTES / 4; i++)
      assert_int_equal(d.mem[i], UNUSED_WORD);
   door_end(&d);
}

/* A primitive that does not fit wholly is dropped and counted, and so are those after it. */
static void
overflow(void **state)
{
   struct door d = door_begin();
   struct setup s = usual;

   s.out_prim = OUTPRIM_TYPE_TRISTRIP;
   for (unsigned verts = 0; verts < 14; verts++) {
      struct written w;

      s.buffer_dwords = verts * 4 + 3;
      w = run(&d, &s, 4);
      assert_int_equal(w.needed, 4);
      assert_int_equal(w.written, verts / 3 < 4 ? verts / 3 : 4);
      for (unsigned n = 0; n < w.written * 3; n++)
         expect(&d, n, n / 3, n % 3, n / 3, 0);
      expect_end(&d, w.written * 3);
   }
   /* A buffer that its offset has passed already. */
   struct ib ib = { 0 };

   s.buffer_dwords = 48;
   state_of(&d, &ib, &s, 1000);
   draw(&ib, 4);
   door_run(&d, &ib);
   expect_end(&d, 0);
   door_end(&d);
}

/* Strips: a cut ends one, and what is too short is nothing. */
static void
strips(void **state)
{
   static const struct {
      unsigned prim, verts;
      bool cut;
      unsigned prims;
   } row[] = {
      { OUTPRIM_TYPE_LINESTRIP, 4, false, 3 }, { OUTPRIM_TYPE_LINESTRIP, 1, false, 0 },
      { OUTPRIM_TYPE_LINESTRIP, 4, true, 0 },  { OUTPRIM_TYPE_TRISTRIP, 4, false, 2 },
      { OUTPRIM_TYPE_TRISTRIP, 2, false, 0 },  { OUTPRIM_TYPE_TRISTRIP, 4, true, 0 },
      { OUTPRIM_TYPE_POINTLIST, 4, true, 4 },  { OUTPRIM_TYPE_POINTLIST, 0, false, 0 },
   };
   struct door d = door_begin();

   for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
      struct setup s = usual;

      s.out_prim = row[i].prim;
      s.verts = row[i].verts;
      s.cut = row[i].cut;
      assert_int_equal(run(&d, &s, 7).needed, 7 * row[i].prims);
   }
   door_end(&d);
}

/* The filled size is stored, loaded again, and drawn from. */
static void
pause_and_resume(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   uint32_t filled;

   state_of(&d, &ib, &usual, 0);
   draw(&ib, 2);
   IB_ADD(&ib, PM4_STRMOUT_BUFFER_UPDATE,
          STRMOUT_STORE_FILLED_SIZE | STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_NONE),
          (uint32_t)VA_BASE + FILLED_AT, 0, 0, 0);
   /* Paused: nothing is written, and no offset moves. */
   context(&ib, R_VGT_STRMOUT_BUFFER_CONFIG, 0);
   draw(&ib, 2);
   context(&ib, R_VGT_STRMOUT_BUFFER_CONFIG,
           REG_FIELD(VGT_STRMOUT_BUFFER_CONFIG, STREAM_0_BUFFER_EN, 1));
   IB_ADD(&ib, PM4_STRMOUT_BUFFER_UPDATE, STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_MEM), 0, 0,
          (uint32_t)VA_BASE + FILLED_AT, 0);
   draw(&ib, 1);
   door_run(&d, &ib);
   memcpy(&filled, (uint8_t *)d.mem + FILLED_AT, 4);
   assert_int_equal(filled, 6 * 4);
   for (unsigned n = 0; n < 9; n++)
      expect(&d, n, n / 3 % 2, n % 3, n / 3 % 2, 0);
   expect_end(&d, 9);
   door_end(&d);
}

/* Counting without buffers. */
static void
generated(void **state)
{
   struct door d = door_begin();
   struct setup s = usual;
   struct written w;

   s.captures = false;
   w = run(&d, &s, 300);
   assert_int_equal(w.needed, 900);
   assert_int_equal(w.written, 0);
   expect_end(&d, 0);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(order),         cmocka_unit_test(invocations),
      cmocka_unit_test(item_sizes),    cmocka_unit_test(over_emission),
      cmocka_unit_test(overflow),      cmocka_unit_test(strips),
      cmocka_unit_test(generated),     cmocka_unit_test(pause_and_resume),
      cmocka_unit_test(ring_overflow),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
