/* SPDX-License-Identifier: MIT */
/*
 * Memory, registers that threads share, and the registers of shader model 3, executed directly:
 * results worked out by hand, from the document and docs/errata.rst.
 */
#include "semantic.h"

static struct semantic *s;

#define CS "il_cs_2_0\ndcl_num_thread_per_group 64\n"

static int
set_up(void **state)
{
   (void)state;
   s = semantic_new();
   return 0;
}

static int
tear_down(void **state)
{
   (void)state;
   free(s);
   return 0;
}

/* Thread n takes byte n, and half n / 2 * 2, of four; what it finds goes to UAV 1. */
static void
load_parts(const char *op, const uint32_t expected[4])
{
   char text[512];

   snprintf(
      text, sizeof(text),
      CS "dcl_raw_uav_id(0)\ndcl_raw_uav_id(1)\ndcl_arena_uav_id(2)\ndcl_literal l0, 2, 3, 4, 0\n"
         "iand r0, vTidInGrpFlat.x, l0.y\n%s r1, r0.x\n"
         "ishl r0, vTidInGrpFlat.x, l0.x\nuav_raw_store_id(1) mem.x___, r0.x, r1.x\nend\n",
      op);
   s->uav[0][0] = s->uav[2][0] = 0x80ff7f01;
   semantic_whole(s, text);
   for (unsigned n = 0; n < 64; n++)
      assert_int_equal(s->uav[1][n], expected[n % 4]);
}

static void
parts_of_dwords(void **state)
{
   (void)state;
   load_parts("uav_byte_load_id(0)", (const uint32_t[]){ 1, 0x7f, ~0u, 0xffffff80 });
   load_parts("uav_ubyte_load_id(0)", (const uint32_t[]){ 1, 0x7f, 0xff, 0x80 });
   /* a half is at an even address */
   load_parts("uav_short_load_id(0)", (const uint32_t[]){ 0x7f01, 0x7f01, 0xffff80ff, 0xffff80ff });
   load_parts("uav_ushort_load_id(0)", (const uint32_t[]){ 0x7f01, 0x7f01, 0x80ff, 0x80ff });
   load_parts("uav_arena_load_id(2)_size(byte)", (const uint32_t[]){ 1, 0x7f, 0xff, 0x80 });
   load_parts("uav_arena_load_id(2)_size(short)",
              (const uint32_t[]){ 0x7f01, 0x7f01, 0x80ff, 0x80ff });
   load_parts("uav_arena_load_id(2)_size(dword)",
              (const uint32_t[]){ 0x80ff7f01, 0x80ff7f01, 0x80ff7f01, 0x80ff7f01 });
   s->uav[0][0] = s->uav[2][0] = 0;
}

/* Every thread stores its number plus 0xa00 in the parts that it owns. */
static void
store_parts(const char *op, unsigned n, unsigned shift, uint32_t first)
{
   char text[512];

   snprintf(text, sizeof(text),
            CS
            "dcl_raw_uav_id(0)\ndcl_arena_uav_id(1)\ndcl_literal l0, %u, 0xa00, 0, 0\n"
            "ishl r0, vTidInGrpFlat.x, l0.x\niadd r1, vTidInGrpFlat.x, l0.y\n%s r0.x, r1.x\nend\n",
            shift, op);
   memset(s->uav[n], 0xee, sizeof(s->uav[n]));
   semantic_whole(s, text);
   assert_int_equal(s->uav[n][0], first);
   assert_int_equal(s->uav[n][(64 << shift) / 4], 0xeeeeeeee);
}

static void
stores_of_parts(void **state)
{
   (void)state;
   store_parts("uav_byte_store_id(0)", 0, 0, 0x03020100);
   store_parts("uav_short_store_id(0)", 0, 1, 0x0a010a00);
   store_parts("uav_arena_store_id(1)_size(byte)", 1, 0, 0x03020100);
   store_parts("uav_arena_store_id(1)_size(short)", 1, 1, 0x0a010a00);
   store_parts("uav_arena_store_id(1)_size(dword)", 1, 2, 0xa00);
}

/* One wave of a group of two. */
static void
run_wave(const char *text, unsigned wave)
{
   semantic_begin(s, text);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      s->file[0][0][lane] = wave * WAVE_LANES + lane;
   semantic_run(s);
   semantic_end(s);
}

/* Thread t writes t, t + 1000 to dwords 4 and 5 of its own, then reads those of owner 63 - t. */
static void
owners(bool absolute, const char *mode)
{
   char text[768];

   snprintf(text, sizeof(text),
            "il_cs_2_0\ndcl_num_thread_per_group 128\ndcl_lds_size_per_thread 8\n"
            "dcl_raw_uav_id(0)\ndcl_literal l0, 63, 4, 1000, 2\n%s"
            "mov r0.x, vTidInGrpFlat.x\niadd r0._y, r0.x, l0.z\n"
            "lds_write_vec_lOffset(4)%s mem.xy__, r0\n"
            "iadd r1.x, l0.x, r0.x_neg(xyzw)\nmov r1._y, l0.y\nlds_read_vec%s r2, r1.xy\n"
            "ishl r3, r0.x, l0.w\nuav_raw_store_id(0) mem.x___, r3.x, r2.y\nend\n",
            absolute && !*mode ? "dcl_lds_sharing_mode _wavefrontAbs\n" : "", mode, mode);
   memset(s->lds, 0, sizeof(s->lds));
   memset(s->uav[0], 0, sizeof(s->uav[0]));
   run_wave(text, 0);
   run_wave(text, 1);
   for (unsigned t = 0; t < 64; t++) {
      assert_int_equal(s->uav[0][t], 63 - t + 1000);
      /* The owner's number counts within a wave, which has a part of its own or shares the first.
       */
      assert_int_equal(s->uav[0][64 + t], 127 - t + 1000);
      assert_int_equal(s->lds[8 * t + 4], absolute ? 64 + t : t);
      assert_int_equal(s->lds[8 * (64 + t) + 4], absolute ? 0 : 64 + t);
   }
}

static void
local_data_with_owners(void **state)
{
   (void)state;
   owners(false, "");
   owners(false, "_sharingMode(rel)");
   owners(true, "_sharingMode(abs)");
   owners(true, "");

   /* Thread n of four gets their components n. */
   memset(s->lds, 0, sizeof(s->lds));
   semantic_whole(s, CS "dcl_lds_size_per_thread 4\ndcl_raw_uav_id(0)\ndcl_raw_uav_id(1)\n"
                        "dcl_literal l0, 2, 0, 1, 3\ndcl_literal l1, 0, 100, 200, 300\n"
                        "iadd r0, vTidInGrpFlat.x, l1\nlds_write_vec_lOffset(0) mem, r0\n"
                        "mov r1.x, vTidInGrpFlat.x\nmov r1._y, l0.y\n"
                        "lds_read_vec_neighborExch r2, r1.xy\n"
                        "ishl r3, vTidInGrpFlat.x, l0.x\n"
                        "uav_raw_store_id(0) mem.x___, r3.x, r2.x\n"
                        "uav_raw_store_id(1) mem.x___, r3.x, r2.w\nend\n");
   for (unsigned t = 0; t < 64; t++) {
      assert_int_equal(s->uav[0][t], (t & ~3u) + 100 * (t & 3));
      assert_int_equal(s->uav[1][t], (t | 3) + 100 * (t & 3));
   }
}

static void
memory_streams(void **state)
{
   (void)state;
   for (unsigned n = 0; n < SEMANTIC_DWORDS; n++)
      s->buffer[n] = 1000 + n;
   memset(s->uav[2], 0, sizeof(s->uav[2]));
   /* Indices are floored: 2.5 is 2, -0.5 is -1, which is nowhere. */
   semantic_whole(s, "il_vs_2_0\ndcl_output_position o0\ndcl_literal l0, 2.5, -0.5, 3.0, 2.0\n"
                     "dcl_literal l1, 1, 2, 3, 4\n"
                     "memimport_elem(5) r0, l0.x\nmemimport_elem(5) r1, l0.y\n"
                     "memexport_exportStream(2)_elemOffset(0) l0.x, l1\n"
                     "memexport_exportStream(2)_elemOffset(7) l0.z, l1.wzyx\n"
                     "memexport_exportStream(2)_elemOffset(0) l0.y, l1\n"
                     "mov o0, r0\nmov o1, r1\nend\n");
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(semantic_output(s, 0)[c][5], 1008 + c);
      assert_int_equal(semantic_output(s, 1)[c][5], 0);
      assert_int_equal(s->uav[2][8 + c], 1 + c);
      assert_int_equal(s->uav[2][40 + c], 4 - c);
   }
   for (unsigned n = 0; n < SEMANTIC_DWORDS; n++)
      assert_true((n >= 8 && n < 12) || (n >= 40 && n < 44) || !s->uav[2][n]);
}

/* A program sets some of the registers that all waves share; others find them. */
static void
shared_registers(void **state)
{
   (void)state;
   s->constant[0][0] = 3;
   s->constant[0][1] = 5;
   s->constant[0][2] = semantic_bits(4.0f);
   semantic_whole(s, CS "init_shared_registers\nend\n");
   semantic_whole(s, CS "dcl_shared_temp sr8\ndcl_raw_uav_id(0)\ndcl_literal l0, 2, 1, 0, 0\n"
                        "ishl r0, vTidInGrpFlat.x, l0.x\n"
                        "uav_raw_store_id(0) mem.x___, r0.x, sr4.y\n"
                        "iadd sr6.x, sr6.x, vTidInGrpFlat.x\niadd sr6.x, sr6.x, sr3.w\nend\n");
   for (unsigned t = 0; t < 64; t++) {
      assert_int_equal(s->uav[0][t], 0x40800000);
      assert_int_equal(s->shared[2][0][t], 0);
      assert_int_equal(s->shared[3][0][t], ~0u);
      assert_int_equal(s->shared[4][1][t], 0x40800000);
      assert_int_equal(s->shared[4][3][t], ~0u);
      assert_int_equal(s->shared[5][1][t], 0); /* the end is exclusive */
      assert_int_equal(s->shared[6][0][t], t - 1);
   }
   s->constant[0][0] = s->constant[0][1] = s->constant[0][2] = 0;
}

static void
semaphores(void **state)
{
   (void)state;
   semantic_begin(s, CS
                  "dcl_literal l0, 2, 0, 0, 300\nsemaphore_init_id(7) l0.x\n"
                  "semaphore_wait_id(7)\nsemaphore_signal_id(7)\nsemaphore_init_id(8) l0.w\nend\n");
   semantic_run(s);
   semantic_end(s);
   assert_int_equal(s->gws[7].value, 2); /* once for a wave, not for each thread */
   assert_int_equal(s->gws[8].value, 255);

   semantic_begin(s, CS "dcl_literal l0, 1, 0, 0, 0\nsemaphore_init_id(7) l0.x\n"
                        "semaphore_wait_id(7)\nsemaphore_wait_id(7)\nend\n");
   assert_string_equal(semantic_try(s), "waits for a wave that does not run beside it");
   semantic_end(s);
}

/* Of pixels: those that are left count, in their order. */
static void
counters_of_pixels(void **state)
{
   (void)state;
   memset(s->gds, 0, sizeof(s->gds));
   semantic_begin(s, "il_ps_2_0\ndcl_output_generic o0\ndcl_raw_uav_id(1)\n"
                     "dcl_gds_id(0) 64\ndcl_literal l0, 1, 0, 8, 5\n"
                     "dcl_input_generic_interp(constant) v32\n"
                     "iand r0, vCoverageMask.x, l0.x\ndiscard_logicalnz r0.x\n"
                     "append_buf_alloc_id(1) r1\ngds_add_id(0) l0.z, l0.w\n"
                     "append_buf_alloc_id(1) r2\nappend_buf_consume_id(1) r3\n"
                     "mov o0.x, r1.x\nmov o0._y, r2.x\nmov o0.__z, r3.x\nend\n");
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      s->file[4][2][lane] = lane; /* coverage, which is any number here */
   static const struct spi_coef coef[64][4];
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      s->wave.coef[q] = coef;
   s->wave.one_primitive = true;
   semantic_run(s);
   semantic_end(s);
   assert_true(s->wave.valid == UINT64_C(0x5555555555555555));
   for (unsigned lane = 0; lane < WAVE_LANES; lane += 2) {
      assert_int_equal(semantic_output(s, 0)[0][lane], lane / 2);
      assert_int_equal(semantic_output(s, 0)[1][lane], 32 + lane / 2);
      /* the number of the element that is taken: 63 first */
      assert_int_equal(semantic_output(s, 0)[2][lane], 63 - lane / 2);
   }
   assert_int_equal(s->gds[1], 32);          /* the counter of UAV 1 */
   assert_int_equal(s->gds[12 + 2], 32 * 5); /* areas follow the twelve counters */
}

/* --- shader model 3 --------------------------------------------------------------------------- */
#define OLD                                                                           \
   "il_vs_2_0\ndcl_output_position o0\ndcl_cb cb0[64]\ndef c40, 1.5, 2.5, 3.5, 4.5\n" \
   "dcl_literal l0, 0, 1, 2, 3\ndcl_literal l1, 0.5, -0.5, 1.5, -1.5\n"

static void
address_registers(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 4 * 64; n++)
      s->constant[0][n] = n;
   /* floor: 0, -1, 1, -2; the nearest, halves to even: 0, 0, 2, -2 */
   semantic_whole(s,
                  OLD "mova a0, l1\nmova_round a1, l1\n"
                      "mov o0, c[a0.y+4]\nmov o1, c[a0.w+10].w\nmov o2, c[a1.z+20]\n"
                      "mov o3, cb0[a1.w+30]\nmov o4, c40\nmov o5, c7\nmov o6, c[a0.x+40]\nend\n");
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(semantic_output(s, 0)[c][0], 4 * 3 + c);
      assert_int_equal(semantic_output(s, 1)[c][0], 4 * 8 + 3);
      assert_int_equal(semantic_output(s, 2)[c][0], 4 * 22 + c);
      assert_int_equal(semantic_output(s, 3)[c][0], 4 * 28 + c);
      assert_int_equal(semantic_output(s, 4)[c][0], semantic_bits(1.5f + (float)c));
      assert_int_equal(semantic_output(s, 5)[c][0], 4 * 7 + c);
      /* what def gives has no number that an index finds: constant buffer 0 */
      assert_int_equal(semantic_output(s, 6)[c][0], 4 * 40 + c);
   }
}

/* Three rounds, aL from 1 in steps of 2: 1, 3, 5; inside another of two rounds, 10 and 14. */
static void
counted_loops(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 4 * 64; n++)
      s->constant[0][n] = n / 4;
   semantic_whole(s, OLD
                  "def i0, 3, 1, 2, 0\ndef i1, 2, 10, 4, 0\ndef i2, 4, 0, 0, 0\n"
                  "mov r0, l0.x\nmov r1, l0.x\nmov r2, l0.x\nmov r3, l0.x\n"
                  "loop i1\niadd r0, r0, cb0[aL+0]\n"
                  "loop i0\niadd r1, r1, cb0[aL+0]\niadd r2, r2, l0.y\n"
                  "ieq r4.x, r2.x, l0.y\ncontinue_logicalnz r4.x\niadd r3, r3, cb0[aL+0]\nendloop\n"
                  "iadd r0, r0, cb0[aL+20]\nendloop\n"
                  "loop_repeat i2\niadd r2, r2, l0.y\nendloop\n"
                  "mov o0, r0\nmov o1, r1\nmov o2, r2\nmov o3, r3\nend\n");
   assert_int_equal(semantic_output(s, 0)[0][9], 10 + 14 + 30 + 34);
   assert_int_equal(semantic_output(s, 1)[0][9], 2 * (1 + 3 + 5));
   assert_int_equal(semantic_output(s, 2)[0][9], 2 * 3 + 4);
   assert_int_equal(semantic_output(s, 3)[0][9], 3 + 5 + 1 + 3 + 5);
}

/* Inputs and outputs by what they are for; their slots are those of il/conventions.h. */
static void
registers_by_usage(void **state)
{
   (void)state;
   semantic_begin(s, "il_vs_2_0\ndclv_elem(2) v1\ndclv_elem(0) v7\n"
                     "dclvout_usage(position)_usageIndex(0) oVtxOut3\n"
                     "dclvout_usage(generic)_usageIndex(4) oVtxOut0\n"
                     "dclvout_usage(color)_usageIndex(1) oVtxOut1\n"
                     "mov oVtxOut3, v1\nmov oVtxOut0, v7.wzyx\nmov oVtxOut1, v1.yyyy\nend\n");
   for (unsigned i = 0; i < 4 * 4; i++) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         s->file[1 + i / 4][i % 4][lane] =
            100 * (i / 4) + 10 * (i % 4) + lane; /* element, component */
      }
   }
   semantic_run(s);
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(semantic_output(s, IL_LINK_POSITION)[c][6], 200 + 10 * c + 6);
      assert_int_equal(semantic_output(s, IL_LINK_GENERIC0 + 4)[c][6], 10 * (3 - c) + 6);
      assert_int_equal(semantic_output(s, IL_LINK_COLOR1)[c][6], 210 + 6);
   }
   assert_int_equal(s->direct.output_mask[IL_LINK_COLOR1], 15);
   semantic_end(s);

   static struct spi_coef coef[64][4];
   for (unsigned i = 0; i < 64 * 4; i++)
      coef[i / 4][i % 4].p0 = (float)i; /* flat: slot and component */
   semantic_begin(s, "il_ps_2_0\ndclpin_usage(generic)_usageIndex(5)_constant vPixIn2\n"
                     "mov oC0, vPixIn2\nmov oC3, vFace\nend\n");
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      s->wave.coef[q] = coef;
   s->wave.one_primitive = true;
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      s->file[4][0][lane] = semantic_bits(lane & 1 ? 2.0f : -2.0f);
   semantic_run(s);
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(semantic_output(s, 0)[c][9],
                       semantic_bits((float)(4 * (IL_LINK_GENERIC0 + 5) + c)));
      assert_int_equal(semantic_output(s, 3)[c][9], semantic_bits(1.0f));
      assert_int_equal(semantic_output(s, 3)[c][8], semantic_bits(-1.0f));
   }
   semantic_end(s);
}

static void
booleans(void **state)
{
   (void)state;
   memset(s->constant[2], 0, sizeof(s->constant[2]));
   s->constant[2][5] = 1; /* b5: constant buffer 2, dword by dword */
   semantic_whole(s,
                  OLD "defb b0, 1\ndefb b1, 0\nmov r0, l0.x\n"
                      "ifnz b0\niadd r0.x, r0, l0.y\nendif\nifnz b1\niadd r0.y, r0, l0.y\nendif\n"
                      "ifnz b5\niadd r0.z, r0, l0.y\nendif\nifnz b6\niadd r0.w, r0, l0.y\nendif\n"
                      "mov o0, r0\nend\n");
   assert_int_equal(semantic_output(s, 0)[0][1], 1);
   assert_int_equal(semantic_output(s, 0)[1][1], 0);
   assert_int_equal(semantic_output(s, 0)[2][1], 1);
   assert_int_equal(semantic_output(s, 0)[3][1], 0);
}

/* What AS_CB_CLAMP_MODE_N and AS_TEX_PROJECTED_N are, the driver's constants say. */
static void
by_state(void **state)
{
   static const struct spi_coef coef[64][4];
   static const float clamped[3][4] = { { 1.5f, -1.5f, 0.5f, -0.5f },
                                        { 1.0f, 0.0f, 0.5f, 0.0f },
                                        { 1.0f, -1.0f, 0.5f, -0.5f } };
   static const float projected[4][4] = {
      { 8, 4, 2, 1 }, { 2, 4, 2, 1 }, { 4, 2, 2, 1 }, { 8, 4, 2, 1 }
   };
   (void)state;

   s->constant[IL_DRIVER_CB][4 * IL_DRV_DRAW2 + 2] = IL_COLORCLAMP_0_1 << 2 | IL_COLORCLAMP_NEG_1_1
                                                                                 << 4;
   s->constant[IL_DRIVER_CB][4 * IL_DRV_DRAW2 + 3] = 1 << 2 | 2 << 4 | 3 << 6;
   semantic_begin(s, "il_ps_2_0\ndcl_output_generic o0\ndcl_literal l0, 1.5, -1.5, 0.5, -0.5\n"
                     "dcl_literal l1, 8.0, 4.0, 2.0, 1.0\nmov r0, l0\nmov r1, l0\nmov r2, l0\n"
                     "colorclamp r3, r0\ncolorclamp r4, r1\ncolorclamp r5, r2\n"
                     "mov o0, r3\nmov o1, r4\nmov o2, r5\n"
                     "project_stage(0) r6, l1_divcomp(unknown)\nmov o3, r6\n"
                     "project_stage(1) r6, l1_divcomp(unknown)\nmov o4, r6\n"
                     "project_stage(2) r6, l1_divcomp(unknown)\nmov o5, r6\n"
                     "project_stage(3) r6, l1_divcomp(unknown)\nmov o6, r6\nend\n");
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      s->wave.coef[q] = coef;
   s->wave.one_primitive = true;
   semantic_run(s);
   semantic_end(s);
   for (unsigned n = 0; n < 3; n++)
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(semantic_output(s, n)[c][7], semantic_bits(clamped[n][c]));
   for (unsigned n = 0; n < 4; n++)
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(semantic_output(s, 3 + n)[c][7], semantic_bits(projected[n][c]));
}

/* The document's example: pointer 0 has tables 0 to 2 of two calls, pointers 1 to 9 tables 3 and 4
 * of three.  A body adds its number to r0.x, times 100 for each call. */
static void
interfaces(void **state)
{
   char text[4096];
   int n = snprintf(text, sizeof(text),
                    "il_vs_2_0\ndcl_input_generic v0\ndcl_output_position o0\n"
                    "dcl_function_table_id(0) = {0, 3}\ndcl_function_table_id(1) = {1, 6}\n"
                    "dcl_function_table_id(2) = {2, 9}\ndcl_function_table_id(3) = {4, 7, 10}\n"
                    "dcl_function_table_id(4) = {5, 8, 11}\n"
                    "dcl_interface_ptr_id(0)_dynamic(0)[1][2] = {0, 1, 2}\n"
                    "dcl_interface_ptr_id(1)_dynamic(1)[9][3] = {3, 4}\n"
                    "dcl_literal l10, 0, 100, 8, 0\nmov r0, l10.x\n"
                    "fcall_id(0) l10.x, 0\nfcall_id(0) l10.x, 1\niand r1, v0.x, l10.z\n"
                    "fcall_id(1) r1.x, 2\nmov o0, r0\nendmain\n");
   (void)state;
   for (unsigned f = 0; f < 12; f++) {
      n += snprintf(
         text + n, sizeof(text) - (size_t)n,
         "func %u\ndcl_literal l%u, %u, 0, 0, 0\nimad r0, r0, l10.y, l%u.x\nret\nendfunc\n", f,
         f + 20, f, f + 20);
   }
   snprintf(text + n, sizeof(text) - (size_t)n, "end\n");

   memset(s->constant[IL_DRIVER_CB], 0, sizeof(s->constant[0]));
   s->constant[IL_DRIVER_CB][4 * IL_DRV_INTERFACES] = 2;     /* pointer 0 is of table 2 */
   s->constant[IL_DRIVER_CB][4 * IL_DRV_INTERFACES + 1] = 4; /* 1 is of table 4 */
   s->constant[IL_DRIVER_CB][4 * IL_DRV_INTERFACES + 9] = 3; /* 9, which is 1 + 8, of table 3 */
   semantic_whole(s, text);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      assert_int_equal(semantic_output(s, 0)[0][lane], 2 * 10000 + 9 * 100 + (lane & 8 ? 10 : 11));

   /* A pointer to a table that is not in its list calls nothing. */
   s->constant[IL_DRIVER_CB][4 * IL_DRV_INTERFACES] = 3;
   semantic_whole(s, text);
   assert_int_equal(semantic_output(s, 0)[0][0], 11);
}

/* A barrier of threads stands in no block of the program as written; what a body is left through by
 * its returns is none, nor is a subroutine. */
static void
barriers(void **state)
{
   static const char *const e[] = {
      "fence_threads\nend\n",
      "if_logicalnz l0.x\nret\nendif\nfence_threads\nendmain\nend\n",
      "call 1\nendmain\nfunc 1\nret_logicalnz l0.x\nfence_threads\nret\nendfunc\nend\n",
      "if_logicalnz l0.x\nfence_threads\nendif\nend\n",
      "whileloop\nfence_threads\nbreak\nendloop\nend\n",
      "loop l0\nfence_threads\nendloop\nend\n",
      "if_logicalnz l0.x\ncall 1\nendif\nendmain\nfunc 1\nfence_threads\nret\nendfunc\nend\n",
   };
   char text[512], error[256];

   (void)state;
   for (size_t i = 0; i < sizeof(e) / sizeof(*e); i++) {
      snprintf(text, sizeof(text), CS "dcl_literal l0, 0, 1, 2, 3\n%s", e[i]);
      if (!semantic_lift(s, text, error, sizeof(error)))
         fail_msg("%s: %s", error, text);
      semantic_run(s);
      semantic_end(s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_dwords),
      cmocka_unit_test(stores_of_parts),
      cmocka_unit_test(local_data_with_owners),
      cmocka_unit_test(memory_streams),
      cmocka_unit_test(shared_registers),
      cmocka_unit_test(semaphores),
      cmocka_unit_test(barriers),
      cmocka_unit_test(counters_of_pixels),
      cmocka_unit_test(address_registers),
      cmocka_unit_test(counted_loops),
      cmocka_unit_test(booleans),
      cmocka_unit_test(registers_by_usage),
      cmocka_unit_test(by_state),
      cmocka_unit_test(interfaces),
   };
   return cmocka_run_group_tests(tests, set_up, tear_down);
}
