/* SPDX-License-Identifier: MIT */
/*
 * Compute programs, compiled and executed on the device's shader core: thread numbers, local data,
 * barriers, UAVs and what their operations return.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/conventions.h"
#include "il/il.h"
#include "port/rat.h"
#include "core/share.h"

#include "run_wave.h"

#include <atoll/cayman/enums.h>

#define WORDS 256

static struct run_wave r;
static uint32_t memory[2][WORDS], returns[2][512 * 64], lds[8192], driver[IL_DRV_SIZE * 4];
static uint32_t gds[128];
static struct rat rats[RATS];
static struct core_gws gws[CORE_GWS];
static unsigned waves = 1, wave; /* of a group, and which of them runs */

static void
fetch(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4], uint64_t lanes)
{
   const struct elements *desc = (const void *)(uintptr_t)bind->state[0];
   const uint32_t *from = desc->ring;

   for (unsigned l = 0; l < 64; l++) {
      uint64_t at = (uint64_t)index[l] + desc->offset / 4;
      for (unsigned c = 0; c < 4 && (lanes >> l & 1); c++) {
         if (dst[c]) {
            unsigned sel = desc->swizzle[c];
            dst[c][l] = sel <= SWIZZLE_W && at + sel < desc->ring_bytes / 4 ? from[at + sel] : 0;
         }
      }
   }
}

/* What a fetch of the wave reads: `ring`, through a buffer of which it is all. */
static void
bind_memory(struct td_vtx_bind *vtx, struct elements *elements, const struct td_fetch *f,
            const void *ring, uint64_t bytes)
{
   const struct elements buffer = {
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      .ring = ring,
      .ring_bytes = bytes,
   };

   td_fetch_elements(elements, f, &buffer, 0);
   *vtx = (struct td_vtx_bind){ .run = fetch, .state = { (uintptr_t)elements } };
}

static void
bind_rats(void)
{
   memset(rats, 0, sizeof(rats));
   for (unsigned n = 0; n < 2; n++) {
      rats[n].base = (uint8_t *)memory[n];
      rats[n].kind = RAT_KIND_BUFFER;
      rats[n].bytes = 4;
      rats[n].width = WORDS;
      rats[n].height = rats[n].layers = 1;
      rats[n].channel[0] = (struct cb_channel){ .bits = 32, .type = NUMERIC_UINT };
      rats[n].returns = (uint8_t *)returns[n];
      rats[n].return_bytes = sizeof(returns[n]);
   }
   r.bind.rats = rats;
}

/* A wave of 64 threads, 16 in a row, the group (2, 3, 1) of (4, 5, 6). */
static void
run_with(const char *declarations, uint32_t lds_dwords, const char *body, unsigned flags)
{
   static char text[8192];
   struct il_error il_error;
   struct shader_code shader;
   struct elements elements[32];
   struct td_vtx_bind vtx[32];
   struct core_group group = { .lds = (uint8_t *)lds, .num_waves = 1 };
   char error[256];

   snprintf(text, sizeof(text),
            "il_cs_2_0\n"
            "dcl_num_thread_per_group 16, %u\n"
            "%s"
            "dcl_raw_uav_id(0)\n"
            "dcl_struct_uav_id(1) 8\n"
            "dcl_raw_srv_id(3)\n"
            "dcl_struct_srv_id(4) 8\n"
            "dcl_gds_id(0) 64\n"
            "dcl_struct_gds_id(1) 8, 32\n"
            "dcl_literal l0, 0, 1, 2, 63\n"
            "dcl_literal l1, 4, 8, 100, 0xffffffff\n"
            "mov r10, vTidInGrpFlat.x\n"
            "ishl r11, r10.x, l0.z\n"
            "%send\n",
            4 * waves, declarations, body);
   struct il_program *il = il_parse(text, strlen(text), &il_error);
   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   if (!cayman_compile(il, flags, &shader, error, sizeof(error)))
      fail_msg("%s", error);
   il_program_free(il);
   assert_int_equal(shader.stage, SHADER_STAGE_CS);
   assert_int_equal(shader.cs.lds_dwords, lds_dwords);

   run_wave_init(&r, SQ_STAGE_CS);
   bind_rats();
   group.lds_bytes = shader.cs.lds_dwords * 4;
   r.wave.group = &group;
   r.wave.slot = 7;
   r.bind.gds = (uint8_t *)gds;
   r.bind.gds_bytes = sizeof(gds);
   r.bind.gws = gws;
   driver[IL_DRV_GRID * 4 + 0] = 4;
   driver[IL_DRV_GRID * 4 + 1] = 5;
   driver[IL_DRV_GRID * 4 + 2] = 6;
   r.kcache[IL_DRIVER_CB] = driver;
   r.kcache_bytes[IL_DRIVER_CB] = sizeof(driver);
   for (unsigned l = 0; l < 64; l++) {
      r.gpr[0][0][l] = l % 16;
      r.gpr[0][1][l] = 4 * wave + l / 16;
      r.gpr[1][0][l] = 2;
      r.gpr[1][1][l] = 3;
      r.gpr[1][2][l] = 1;
   }
   r.source.pgm_resources = shader.num_gprs | shader.stack_size << 8 | 1 << 21;
   r.source.words = shader.words;
   r.source.num_words = shader.num_dwords;
   r.lifted = r.kernels->sq_lift(&r.source);
   r.program = r.lifted;
   assert_non_null(r.program);
   if (r.program->core.error) {
      cayman_disassemble(stdout, shader.words, shader.num_dwords);
      fail_msg("%s", r.program->core.error);
   }
   assert_true(r.program->num_vtx <= 32);
   for (uint32_t n = 0; n < r.program->num_vtx; n++) {
      unsigned resource = r.program->vtx[n].resource;
      if (resource < CAYMAN_RESOURCE_UAV_RETURN) { /* an SRV */
         assert_true(shader.textures >> (resource - CAYMAN_RESOURCE_TEXTURE) & 1);
         bind_memory(&vtx[n], &elements[n], &r.program->vtx[n].fetch, memory[1], sizeof(memory[1]));
         continue;
      }
      bool result = resource < CAYMAN_RESOURCE_UAV;
      unsigned uav = resource - (result ? CAYMAN_RESOURCE_UAV_RETURN : CAYMAN_RESOURCE_UAV);
      assert_true(uav < 2);
      assert_true((result ? shader.uavs_return : shader.uavs_fetch) >> uav & 1);
      bind_memory(&vtx[n], &elements[n], &r.program->vtx[n].fetch,
                  result ? returns[uav] : memory[uav],
                  result ? sizeof(returns[uav]) : sizeof(memory[uav]));
   }
   r.bind.vtx = vtx;
   if (!run_wave_again(&r)) {
      cayman_disassemble(stdout, shader.words, shader.num_dwords);
      fail_msg("the wave faulted: %s", r.wave.fault);
   }
   run_wave_free(&r);
   shader_code_finish(&shader);
}

static void
run(const char *body, unsigned flags)
{
   run_with("dcl_lds_id(0) 16\n"
            "dcl_lds_id(1) 1024\n"
            "dcl_struct_lds_id(2) 8, 64\n",
            4 + 256 + 128, body, flags);
}

static void
clear(void)
{
   for (unsigned i = 0; i < WORDS; i++) {
      memory[0][i] = 0xaaaa0000u + i;
      memory[1][i] = 0xbbbb0000u + i;
   }
   memset(lds, 0xcc, sizeof(lds));
   for (unsigned i = 0; i < sizeof(gds) / sizeof(gds[0]); i++)
      gds[i] = i;
}

static const unsigned all_flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_FEW_GPRS };

/* A raw store through a wide mask, and every number that a thread has. */
static void
threads(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("mov r0.x___, vThreadGrpId.y\n"
          "mov r0._y__, vAbsTid.y\n"
          "mov r0.__z_, vAbsTidFlat.x\n"
          "mov r0.___w, vThreadGrpIdFlat.x\n"
          "ishl r1.x___, r11.x, l0.z\n"
          "uav_raw_store_id(0) mem.xyzw, r1.x, r0\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         unsigned flat = (1 * 5 + 3) * 4 + 2;
         assert_int_equal(memory[0][l * 4 + 0], 3);
         assert_int_equal(memory[0][l * 4 + 1], 3 * 4 + l / 16);
         assert_int_equal(memory[0][l * 4 + 2], flat * 64 + l);
         assert_int_equal(memory[0][l * 4 + 3], flat);
      }
   }
}

/* Loads, stores in components of vectors, structured addresses. */
static void
uav_memory(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("uav_raw_load_id(0) r0, r11.x\n"
          "mov r1.x___, r10.x\n"
          "mov r1._y__, l1.x\n"
          "iadd r2, r0.yzwx, r10.x\n"
          "uav_struct_store_id(1) mem.x___, r1.xy, r2\n"
          "iand r3.x, r10.x, l0.y\n"
          "if_logicalnz r3.x\n"
          "uav_struct_load_id(1) r4.xy__, r10.x00\n"
          "ishl r5.x, r4.y, l0.y\n"
          "uav_raw_store_id(0) mem.x___, r11.x, r5.x\n"
          "endif\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         uint32_t stored = 0xaaaa0000u + l + 1 + l;
         assert_int_equal(memory[1][l * 2], 0xbbbb0000u + l * 2);
         assert_int_equal(memory[1][l * 2 + 1], stored);
         assert_int_equal(memory[0][l], l & 1 ? stored * 2 : 0xaaaa0000u + l);
      }
   }
}

/* Each lane gets a number of its own; the lanes of one address meet in the order of their numbers.
 */
static void
uav_operations(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      memory[0][0] = 1000;
      memory[0][1] = 5;
      run("uav_read_add_id(0) r0.x, l0.x, l0.y\n"
          "ishl r1.x, r0.x, l0.y\n"
          "uav_umax_id(0) l1.x, r0.x\n"
          "uav_read_cmp_xchg_id(0) r2.x, l1.y, r10.x, l1.w\n"
          "mov r3.x___, r10.x\n"
          "mov r3._y__, l0.x\n"
          "uav_struct_store_id(1) mem.xy__, r3.xy, r0.x\n"
          "mov r4.x___, r1.x\n"
          "mov r4._y__, r2.x\n"
          "uav_struct_store_id(1) mem.xy__, r3.xy, r4\n",
          all_flags[f]);
      assert_int_equal(memory[0][0], 1064);
      assert_int_equal(memory[0][1], 1063);
      assert_int_equal(memory[0][2], 0xaaaa0002u);
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(memory[1][l * 2], 2 * (1000 + l));
         assert_int_equal(memory[1][l * 2 + 1], 0xaaaa0002u);
      }
   }
}

/* Two neighbours in local data are written by one instruction; what the mask leaves out stays. */
static void
local_vectors(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("ishl r1.x___, r10.x, l0.z\nishl r1.x___, r1.x, l0.z\n"
          "iadd r0.x___, r10.x, l1.z\nmov r0._yzw, r10.xxxx\n"
          "iadd r2, r0, r0\n"
          "lds_store_vec_id(1) mem, r1.x, l1.x, r2\n"
          "lds_store_vec_id(1) mem.xyz_, r1.x, l1.x, r0\n"
          "inot r0.___w, r0.w\n"
          "lds_store_vec_id(1) mem.x_zw, r1.x, l1.x, r0.xyww\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(lds[4 + 4 * l], l + 100);
         assert_int_equal(lds[4 + 4 * l + 1], l);
         assert_int_equal(lds[4 + 4 * l + 2], ~l);
         assert_int_equal(lds[4 + 4 * l + 3], ~l);
      }
   }
}

/* Reverses the group through local data, with a barrier between. */
static void
local_data(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("iadd r0.x___, r10.x, l1.z\n"
          "lds_store_id(1) r11.x, r0.x\n"
          "fence_threads_lds\n"
          "iadd r1.x___, l0.w, r10.x_neg(xyzw)\n"
          "ishl r1.x___, r1.x, l0.z\n"
          "lds_load_id(1) r2.x, r1.x\n"
          "mov r3.x___, r10.x\n"
          "mov r3._y__, l1.x\n"
          "lds_store_id(2) r3.xy, r2.x\n"
          "lds_load_vec_id(2) r4.xy__, r10.x, l0.x\n"
          "uav_raw_store_id(0) mem.x___, r11.x, r4.y\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(lds[4 + l], l + 100);
         assert_int_equal(lds[4 + 256 + 2 * l + 1], 163 - l);
         assert_int_equal(memory[0][l], 163 - l);
      }
   }
}

/* R7xx's local data: each thread's own dwords, read by all; and four threads' vectors transposed.
 */
static void
owners(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run_with("dcl_lds_size_per_thread 8\n", 64 * 8 + 64 * 4,
               "ishl r0.x, r10.x, l0.z\n"
               "mov r1.x___, r0.x\n"
               "iadd r1._y__, r0.x, l0.y\n"
               "iadd r1.__z_, r0.x, l0.z\n"
               "iadd r1.___w, r1.y, l0.z\n"
               "lds_write_vec_lOffset(4)_sharingMode(rel) mem.xyzw, r1\n"
               "lds_write_vec_sharingMode(rel) mem._y__, r10.x\n"
               "fence_threads_lds\n"
               "iadd r2.x___, l0.w, r10.x_neg(xyzw)\n"
               "mov r2._y__, l1.x\n"
               "lds_read_vec_sharingMode(rel) r3, r2.xy\n"
               "mov r2._y__, l0.y\n"
               "lds_read_vec_sharingMode(abs) r5.x___, r2.xy\n"
               "lds_read_vec_neighborExch_sharingMode(rel) r4, r10.xx\n"
               "mov r2.x___, r10.x\n"
               "mov r2._y__, l1.x\n"
               "lds_read_vec_neighborExch_sharingMode(rel) r4, r2.xy\n"
               "ishl r6.x, r11.x, l0.z\n"
               "mov r3.___w, r5.x\n"
               "uav_raw_store_id(0) mem.xyzw, r6.x, r4\n"
               "mov r7.x___, r10.x\n"
               "mov r7._y__, l0.x\n"
               "mov r3._y__, r3.w\n"
               "uav_struct_store_id(1) mem.xy__, r7.xy, r3\n",
               all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(memory[1][l * 2], (63 - l) * 4);
         assert_int_equal(memory[1][l * 2 + 1], 63 - l);
         for (unsigned i = 0; i < 4; i++)
            assert_int_equal(memory[0][l * 4 + i], ((l & ~3u) + i) * 4 + (l & 3));
      }
   }
}

/* Each thread writes its number, then reads what owner 63 - t wrote. */
static void
owners_of_two_waves(void **state)
{
   static const char *const modes[] = { "dcl_lds_sharing_mode _wavefrontRel\n",
                                        "dcl_lds_sharing_mode _wavefrontAbs\n" };
   (void)state;
   for (unsigned f = 0; f < 6; f++) {
      unsigned absolute = f % 2;
      char declarations[128];
      snprintf(declarations, sizeof(declarations), "dcl_lds_size_per_thread 8\n%s",
               modes[absolute]);
      clear();
      memset(lds, 0, sizeof(lds));
      waves = 2;
      for (wave = 0; wave < waves; wave++) {
         run_with(declarations, 128 * 8,
                  "lds_write_vec_lOffset(0) mem.x___, r10.x\n"
                  "iadd r2.x___, l0.w, r10.x_neg(xyzw)\nmov r2._y__, l0.x\n"
                  "lds_read_vec r3.x___, r2.xy\n"
                  "mov r4.x___, r10.x\nmov r4._y__, l0.x\n"
                  "uav_struct_store_id(1) mem.x___, r4.xy, r3\n",
                  all_flags[f / 2]);
      }
      waves = 1;
      wave = 0;
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(memory[1][2 * l], 63 - l);
         assert_int_equal(memory[1][2 * (64 + l)], 127 - l);
         assert_int_equal(lds[8 * l], absolute ? 64 + l : l);
         assert_int_equal(lds[8 * (64 + l)], absolute ? 0 : 64 + l);
      }
   }
}

/* Counters of waves: one of an immediate, one of a register. */
static void
semaphores(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      memset(gws, 0, sizeof(gws));
      run("dcl_semaphore_id(3)\ndcl_semaphore_id(5)\n"
          "iadd r0.x, vThreadGrpId.y, l1.z\n"
          "semaphore_init_id(3) l0.z\n"
          "semaphore_init_id(5) r0.x\n"
          "semaphore_wait_id(3)\n"
          "semaphore_wait_id(3)\n"
          "uav_raw_store_id(0) mem.x___, r11.x, l0.y\n"
          "semaphore_signal_id(3)\n"
          "semaphore_wait_id(5)\n",
          all_flags[f]);
      assert_int_equal(gws[3].value, 1);
      assert_int_equal(gws[5].value, 102);
      assert_int_equal(memory[0][63], 1);
   }
}

/* An operation happens though nothing of what it returns is taken. */
static void
unread_results(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      memory[0][0] = 7;
      run("lds_store_id(0) l0.x, l1.z\n"
          "fence_threads_lds\n"
          "uav_read_add_id(0) r0.0___, l0.x, l0.y\n"
          "lds_read_add_resource(0) r1._1__, l0.x, l0.z\n",
          all_flags[f]);
      assert_int_equal(memory[0][0], 7 + 64);
      assert_int_equal(lds[0], 100 + 128);
   }
}

static void
local_operations(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("lds_store_id(0) l0.x, l1.z\n"
          "lds_store_id(0) l1.x, l0.x\n"
          "fence_threads_lds\n"
          "lds_read_add_resource(0) r0.x, l0.x, l0.z\n"
          "lds_or_id(0) l1.x, r10.x\n"
          "lds_read_cmp_xchg_resource(0) r1.x, l1.y, l0.x, r10.x\n"
          "iadd r0.x, r0.x, r1.x\n"
          "mov r6, r0.x\n"
          "whileloop\n"
          "ilt r2.x, r6.x, l0.w\n"
          "break_logicalnz r2.x\n"
          "lds_read_add_resource(0) r3.x, l1.x, l0.x\n"
          "iadd r6.x, r6.x, r3.x_neg(xyzw)\n"
          "endloop\n"
          "ishl r5.x, r10.x, l0.y\n"
          "uav_raw_store_id(0) mem.x___, r11.x, r0.x\n",
          all_flags[f]);
      assert_int_equal(lds[0], 100 + 128);
      assert_int_equal(lds[1], 63);
      for (unsigned l = 0; l < 64; l++)
         assert_int_equal(memory[0][l], 100 + 2 * l + 0xccccccccu);
   }
}

/* Each lane's old value, the sum in memory, a structured element, a compare that fits once. */
static void
global_data(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("gds_read_add_id(0) r0.x, l1.x, l0.y\n"
          "gds_umax_id(0) l1.y, r10.x\n"
          "iand r1.x___, r10.x, l2.x\n"
          "mov r1._y__, l1.x\n"
          "gds_add_id(1) r1.xy, r10.x\n"
          "fence_gds\n"
          "gds_load_id(1) r2.x, r1.xy\n"
          "gds_read_cmp_xchg_id(0) r3.x, l0.x, l0.x, l1.z\n"
          "gds_read_mskor_id(0) r4.x, l2.y, l0.z, l0.y\n"
          "mov r5.x, r0.x\nmov r5.y, r2.x\nmov r5.z, r3.x\nmov r5.w, r4.x\n"
          "dcl_literal l2, 3, 12, 0, 0\n"
          "ishl r6.x, r10.x, l1.x\n"
          "uav_raw_store_id(0) mem.xyzw, r6.x, r5\n",
          all_flags[f]);
      assert_int_equal(gds[0], 100);
      assert_int_equal(gds[1], 1 + 64);
      assert_int_equal(gds[2], 63);
      assert_int_equal(gds[3], (3 & ~2u) | 1);
      for (unsigned l = 0; l < 64; l++) {
         uint32_t sum = 16 + 2 * (l & 3) + 1; /* area 1 begins at dword 16 */
         for (unsigned k = l & 3; k < 64; k += 4)
            sum += k;
         assert_int_equal(memory[0][l * 4], 1 + l);
         assert_int_equal(memory[0][l * 4 + 1], sum);
         assert_int_equal(memory[0][l * 4 + 2], l ? 100 : 0);
         assert_int_equal(memory[0][l * 4 + 3], l ? 1 : 3);
      }
   }
}

/* Counters stand in front of the areas. */
static void
append_buffers(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      gds[1] = 100;
      run("append_buf_alloc_id(0) r0.x\n"
          "append_buf_consume_id(1) r1.x\n"
          "gds_load_id(0) r2.x, l1.x\n"
          "mov r5.x, r0.x\nmov r5.y, r1.x\nmov r5.z, r2.x\nmov r5.w, l0.x\n"
          "ishl r6.x, r10.x, l1.x\n"
          "uav_raw_store_id(0) mem.xyzw, r6.x, r5\n",
          all_flags[f]);
      assert_int_equal(gds[0], 64);
      assert_int_equal(gds[1], 36);
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(memory[0][l * 4], l);
         assert_int_equal(memory[0][l * 4 + 1], 99 - l);
         assert_int_equal(memory[0][l * 4 + 2], 12 + 1);
      }
   }
}

static void
read_only_buffers(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("srv_raw_load_id(3) r0, r11.x\n"
          "mov r1.x, r10.x\nmov r1.y, l1.x\n"
          "srv_struct_load_id(4) r2.x, r1.xy\n"
          "iadd r0.x, r0.x, r0.w\n"
          "mov r0.y, r2.x\n"
          "ishl r6.x, r11.x, l0.y\n"
          "uav_raw_store_id(0) mem.xy__, r6.x, r0\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         assert_int_equal(memory[0][l * 2], 2 * (0xbbbb0000u + l) + 3);
         assert_int_equal(memory[0][l * 2 + 1], 0xbbbb0000u + 2 * l + 1);
      }
   }
}

/* Bytes and halves, signed or not, as raw UAVs and as an arena. */
static void
parts_of_dwords(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      for (unsigned i = 0; i < 64; i++)
         memory[0][i] = 0x80ff7f01u * (i + 1);
      static uint8_t before[WORDS * 4];
      memcpy(before, memory[0], sizeof(before));
      run("uav_byte_load_id(0) r0.x, r10.x\n"
          "uav_ubyte_load_id(0) r0.y, r10.x\n"
          "ishl r1.x, r10.x, l0.y\n"
          "uav_short_load_id(0) r0.z, r1.x\n"
          "uav_arena_load_id(0)_size(short) r0.w, r1.x\n"
          "ishl r6.x, r10.x, l1.x\n"
          "iadd r7.x, r10.x, l2.x\n"
          "fence_memory\n"
          "uav_byte_store_id(0) r7.x, r10.x\n"
          "iadd r8.x, r1.x, l2.y\n"
          "uav_arena_store_id(0)_size(short) r8.x, l1.w\n"
          "iadd r9.x, r10.x, r10.x\n"
          "mov r9.y, l0.x\n"
          "uav_struct_store_id(1) mem.xy__, r10.x0, r0\n"
          "mov r0.x, r0.z\nmov r0.y, r0.w\n"
          "dcl_literal l2, 512, 640, 256, 0\n"
          "iadd r8.x, r11.x, l2.z\n"
          "ior r0.x, r0.x, l0.x\n"
          "uav_raw_store_id(0) mem.x___, r8.x, r0.x\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++) {
         int16_t half;
         memcpy(&half, before + 2 * l, 2);
         assert_int_equal(memory[1][l * 2], (uint32_t)(int32_t)(int8_t)before[l]);
         assert_int_equal(memory[1][l * 2 + 1], before[l]);
         assert_int_equal(memory[0][64 + l], (uint32_t)(int32_t)half);
         assert_int_equal(((uint8_t *)memory[0])[512 + l], l);
         assert_int_equal(((uint8_t *)memory[0])[640 + 2 * l], 0xff);
      }
   }
}

/* Fall-through, a default between the cases, a break inside a branch, and a continue of the loop
 * around; the same in C. */
static uint32_t
switch_in_c(uint32_t l)
{
   uint32_t sum = 0;
   for (uint32_t i = 0; i < 6; i++) {
      switch ((l + i) & 7) {
      case 1:
         sum += 1;
         /* fall through */
      case 2:
         sum += 2;
         break;
      default:
         sum += 100;
         /* fall through */
      case 63:
         if (l & 1)
            break;
         sum += 4;
         break;
      case 4:
         continue;
      }
      sum = sum * 2;
   }
   return sum;
}

static void
switches(void **state)
{
   (void)state;
   for (unsigned f = 0; f < 3; f++) {
      clear();
      run("dcl_literal l2, 6, 7, 100, 8\n"
          "mov r0, l0.x\n"
          "mov r1, l0.x\n"
          "whileloop\n"
          "ige r2.x, r1.x, l2.x\n"
          "break_logicalnz r2.x\n"
          "iadd r3.x, r10.x, r1.x\n"
          "iand r3.x, r3.x, l2.y\n"
          "iadd r1.x, r1.x, l0.y\n"
          "switch r3.x\n"
          "case 1\n"
          "iadd r0.x, r0.x, l0.y\n"
          "case 2\n"
          "iadd r0.x, r0.x, l0.z\n"
          "break\n"
          "default\n"
          "iadd r0.x, r0.x, l2.z\n"
          "case 63\n"
          "iand r4.x, r10.x, l0.y\n"
          "if_logicalnz r4.x\n"
          "break\n"
          "endif\n"
          "iadd r0.x, r0.x, l1.x\n"
          "break\n"
          "case 4\n"
          "continue\n"
          "endswitch\n"
          "ishl r0.x, r0.x, l0.y\n"
          "endloop\n"
          "uav_raw_store_id(0) mem.x___, r11.x, r0.x\n",
          all_flags[f]);
      for (unsigned l = 0; l < 64; l++)
         assert_int_equal(memory[0][l], switch_in_c(l));
   }
}

/* --- 64 bits: a, b and a third value made of both --------------------------------------------- */

static double
as_double(uint64_t v)
{
   double d;
   memcpy(&d, &v, 8);
   return d;
}

static uint64_t
bits(double d)
{
   uint64_t v;
   memcpy(&v, &d, 8);
   return d != d ? 0x7ff8000000000000ull : v;
}

#define MASK(x) ((x) ? ~0ull : 0)
#define OPS64(X)                                                                     \
   X("i64add r2.xy__, r0.xyxy, r0.zwzw", a + b)                                      \
   X("i64sub r2.xy__, r0.xyxy, r0.zwzw", a - b)                                      \
   X("i64negate r2.xy__, r0.xyxy", 0 - a)                                            \
   X("i64mul r2.__zw, r0.xyxy, r0.zwzw\nmov r2.xy__, r2.zwzw", a *b)                 \
   X("i64eq r2.xy__, r0.xyxy, r0.zwzw", MASK(a == b))                                \
   X("i64ne r2.xy__, r0.xyxy, r0.zwzw", MASK(a != b))                                \
   X("i64lt r2.xy__, r0.xyxy, r0.zwzw", MASK((int64_t)a < (int64_t)b))               \
   X("i64ge r2.xy__, r0.xyxy, r0.zwzw", MASK((int64_t)a >= (int64_t)b))              \
   X("u64lt r2.xy__, r0.xyxy, r0.zwzw", MASK(a < b))                                 \
   X("u64ge r2.xy__, r0.xyxy, r0.zwzw", MASK(a >= b))                                \
   X("i64max r2.xy__, r0.xyxy, r0.zwzw", (int64_t)a > (int64_t)b ? a : b)            \
   X("i64min r2.xy__, r0.xyxy, r0.zwzw", (int64_t)a < (int64_t)b ? a : b)            \
   X("u64max r2.xy__, r0.xyxy, r0.zwzw", a > b ? a : b)                              \
   X("u64min r2.xy__, r0.xyxy, r0.zwzw", a < b ? a : b)                              \
   X("i64shl r2.xy__, r0.xyxy, r0.zzzz", a << (b & 63))                              \
   X("i64shr r2.xy__, r0.xyxy, r0.zzzz", (uint64_t)((int64_t)a >> (b & 63)))         \
   X("u64shr r2.xy__, r0.xyxy, r0.zzzz", a >> (b & 63))                              \
   X("i64shl r2.xy__, r0.xyxy, l4.x", a << 13)                                       \
   X("i64shl r2.xy__, r0.xyxy, l4.y", a << 32)                                       \
   X("i64shl r2.xy__, r0.xyxy, l4.z", a << 45)                                       \
   X("i64shl r2.xy__, r0.xyxy, l4.w", a)                                             \
   X("i64shr r2.xy__, r0.xyxy, l4.x", (uint64_t)((int64_t)a >> 13))                  \
   X("i64shr r2.xy__, r0.xyxy, l4.y", (uint64_t)((int64_t)a >> 32))                  \
   X("i64shr r2.xy__, r0.xyxy, l4.z", (uint64_t)((int64_t)a >> 45))                  \
   X("i64shr r2.xy__, r0.xyxy, l4.w", a)                                             \
   X("u64shr r2.xy__, r0.xyxy, l4.x", a >> 13)                                       \
   X("u64shr r2.xy__, r0.xyxy, l4.y", a >> 32)                                       \
   X("u64shr r2.xy__, r0.xyxy, l4.z", a >> 45)                                       \
   X("u64shr r2.xy__, r0.xyxy, l4.w", a)                                             \
   X("dadd r2.xy__, r0.xyxy, r0.zwzw", bits(da + db))                                \
   X("dadd r2.xy__, r0.xyxy_abs, r0.zwzw_neg(xyzw)", bits((da < 0 ? -da : da) - db)) \
   X("dmul r2.__zw, r0.xyxy, r0.zwzw\nmov r2.xy__, r2.zwzw", bits(da *db))           \
   X("dadd r2.xy__, r0.xyxy, r0.xyxy", bits(da + da))                                \
   X("dmul r2.xy__, r0.xyxy, r0.xyxy", bits(da *da))                                 \
   X("dmul r2.xy__, r0.xyxy, r0.xyxy_neg(xyzw)", bits(da * -da))                     \
   X("dmad r2.xy__, r0.xyxy, r0.xyxy, r0.zwzw", bits(__builtin_fma(da, da, db)))     \
   X("dmad r2.xy__, r0.xyxy, r0.zwzw, r0.xyxy", bits(__builtin_fma(da, db, da)))     \
   X("dmad r2.xy__, r0.xyxy, r0.zwzw, r0.zwzw", bits(__builtin_fma(da, db, db)))     \
   X("dmad r2.xy__, r0.xyxy, r0.xyxy, r0.xyxy", bits(__builtin_fma(da, da, da)))     \
   X("dmad r2.xy__, r0.xyxy, r0.zwzw, l3.xyxy", bits(__builtin_fma(da, db, 1.5)))    \
   X("dmin r2.xy__, r0.xyxy, r0.zwzw", bits(da < db ? da : db))                      \
   X("dmax r2.xy__, r0.xyxy, r0.zwzw", bits(da > db ? da : db))                      \
   X("dlt r2.xy__, r0.xyxy, r0.zwzw", MASK(da < db))                                 \
   X("dge r2.xy__, r0.xyxy, r0.zwzw", MASK(da >= db))                                \
   X("deq r2.xy__, r0.xyxy, r0.xyxy", MASK(da == da))                                \
   X("dne r2.xy__, r0.xyxy, r0.zwzw", MASK(da != db))                                \
   X("d2f r3.x___, r0.xyxy\nf2d r2.xy__, r3.x", bits((double)(float)da))             \
   X("dldexp r2.xy__, r0.xyxy, l0.zzzz", bits(da * 4))                               \
   X("itod r2.xy__, r0.x", bits((double)(int32_t)(uint32_t)a))                       \
   X("utod r2.xy__, r0.x", bits((double)(uint32_t)a))                                \
   X("dmovc r2.xy__, l0.x, r0.xyxy, r0.zwzw", a)                                     \
   X("dmov r2.xy__, r0.zwzw", b)

/* Several components of all lanes: apart, on top of each other, two lanes to one element, and
 * beyond the end.  Where lanes write the same dword, later components win, and of one component
 * later lanes. */
static void
several_components(void **state)
{
   static const char *const masks[] = { "xy__", "xyz_", "xyzw", "_yz_" };
   static const uint8_t bits[] = { 3, 7, 15, 6 };

   (void)state;
   for (unsigned n = 0; n < 4 * 6 * 8 * 2; n++) {
      const unsigned mask = n % 4, stride = n / 4 % 6, first = n / 24 % 8 * 5, pairs = n / 192;
      uint32_t expected[WORDS];
      char body[512];

      memset(memory, 0xee, sizeof(memory));
      memset(expected, 0xee, sizeof(expected));
      snprintf(body, sizeof(body),
               "dcl_literal l5, %u, %u, 16, 1\n"
               "dcl_literal l6, 0, 1, 2, 3\n"
               "dcl_literal l7, %u, 0, 0, 0\n"
               "iadd r1.x___, r10.x, l7.x\n"
               "ushr r1.x___, r1.x, l7.x\n"
               "umul r1.x___, r1.x, l5.x\n"
               "iadd r1.x___, r1.x, l5.y\n"
               "umul r2, r10.x, l5.z\n"
               "iadd r2, r2, l6\n"
               "if_logicalz r10.x\n" /* all lanes, and some */
               "uav_raw_store_id(0) mem.%s, r1.x, r2\n"
               "else\n"
               "uav_raw_store_id(0) mem.%s, r1.x, r2\n"
               "endif\n"
               "uav_raw_store_id(0) mem.%s, r1.x, r2\n",
               stride * 4, first * 4, pairs, masks[mask], masks[mask], masks[mask]);
      run(body, 0);
      for (unsigned c = 0; c < 4; c++)
         for (unsigned l = 0; l < 64; l++) {
            const unsigned at = ((l + pairs) >> pairs) * stride + first + c;

            if (bits[mask] >> c & 1 && at < WORDS)
               expected[at] = l * 16 + c;
         }
      for (unsigned at = 0; at < WORDS; at++)
         if (memory[0][at] != expected[at])
            fail_msg("stride %u, first %u, pairs %u, %s: dword %u is %x, not %x", stride, first,
                     pairs, masks[mask], at, memory[0][at], expected[at]);
   }
}

static uint64_t
pair(uint32_t low, uint32_t high)
{
   return (uint64_t)high << 32 | low;
}

static void
sixty_four_bits(void **state)
{
   static const char *const text[] = {
#define X(il, c) il,
      OPS64(X)
#undef X
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(text) / sizeof(text[0]); n++) {
      char body[512];
      snprintf(body, sizeof(body),
               "dcl_literal l3, 0, 0x3ff80000, 0, 0\n"
               "dcl_literal l4, 13, 32, 45, 64\n"
               "ishl r1.x, r11.x, l0.z\n"
               "uav_raw_load_id(0) r0, r1.x\n"
               "%s\n"
               "mov r4.x___, r10.x\n"
               "mov r4._y__, l0.x\n"
               "uav_struct_store_id(1) mem.xy__, r4.xy, r2\n",
               text[n]);
      for (unsigned f = 0; f < 3; f++) {
         clear();
         uint32_t x = 12345;
         for (unsigned i = 0; i < WORDS; i++) {
            x = x * 1664525u + 1013904223u;
            /* doubles of moderate size, and some equal halves */
            memory[0][i] = i & 1 ? 0x3f000000u + (x >> 9) + (x << 31) : i % 8 ? x : x >> 28;
         }
         static uint32_t input[WORDS];
         memcpy(input, memory[0], sizeof(input));
         run(body, all_flags[f]);
         for (unsigned l = 0; l < 64; l++) {
            uint64_t a = pair(input[l * 4], input[l * 4 + 1]);
            uint64_t b = pair(input[l * 4 + 2], input[l * 4 + 3]);
            double da = as_double(a), db = as_double(b);
            const uint64_t want[] = {
#define X(il, c) c,
               OPS64(X)
#undef X
            };
            uint64_t got = pair(memory[1][l * 2], memory[1][l * 2 + 1]);
            if (got != want[n]) {
               fail_msg("%s: lane %u: %016llx %016llx: %016llx, expected %016llx", text[n], l,
                        (unsigned long long)a, (unsigned long long)b, (unsigned long long)got,
                        (unsigned long long)want[n]);
            }
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads),
      cmocka_unit_test(uav_memory),
      cmocka_unit_test(uav_operations),
      cmocka_unit_test(local_data),
      cmocka_unit_test(local_vectors),
      cmocka_unit_test(local_operations),
      cmocka_unit_test(switches),
      cmocka_unit_test(several_components),
      cmocka_unit_test(sixty_four_bits),
      cmocka_unit_test(global_data),
      cmocka_unit_test(append_buffers),
      cmocka_unit_test(read_only_buffers),
      cmocka_unit_test(parts_of_dwords),
      cmocka_unit_test(owners),
      cmocka_unit_test(owners_of_two_waves),
      cmocka_unit_test(unread_results),
      cmocka_unit_test(semaphores),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
