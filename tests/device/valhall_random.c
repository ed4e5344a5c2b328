/* SPDX-License-Identifier: MIT */
/*
 * Programs of random instructions in every stage of a device with Valhall shader cores.  Nothing
 * that they name may hurt, and what they do is the same in every kernel build, interpreted or as
 * machine code, and on any number of threads: a child process for each of these runs all of them on
 * a device of its own, and gives a hash of what memory holds then.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "valhall.h"

#define LS_AT    0x0000u
#define HS_AT    0x0400u
#define VS_AT    0x0800u
#define ES_AT    0x0c00u
#define GS_AT    0x1000u
#define PS_AT    0x1400u
#define FS_AT    0x1800u
#define CONST_AT 0x1c00u
#define DATA_AT  0x2000u
#define OUT_AT   0x4000u
#define COLOR_AT 0xc000u
#define WORDS    28u
#define ROUNDS   160u

/* Instructions that decode, some of them in the form that constants give their operands. */
static void
random_program(struct door *d, uint32_t at, bool pixel, uint64_t *seed)
{
   uint64_t words[WORDS];

   for (unsigned n = 0; n + 1 < WORDS; n++) {
      struct valhall_instr instr;
      unsigned op;

      do {
         op = (unsigned)(random_next(seed) % VALHALL_OP_COUNT);
         words[n] = random_word(valhall_info(op), seed);
         /* Every third is a message, which most rows are not. */
         if (n % 3 == 0 && valhall_info(op)->exec < VALHALL_EXEC_LD_ATTR &&
             valhall_info(op)->unit < VALHALL_UNIT_NONE)
            continue;
      } while (!valhall_decode(words[n], &instr, NULL) ||
               valhall_info(instr.opcode)->exec >= VALHALL_EXEC_WAITS_ATTRIBUTE ||
               (!pixel && valhall_exec_is_fragment(valhall_info(instr.opcode)->exec)));
      if (valhall_info(instr.opcode)->exec == VALHALL_EXEC_BRANCHZ) {
         instr.imm[0] = (uint32_t)(random_next(seed) % 8) - (n > 3 ? 2 : 0);
         instr.imm[0] = (int32_t)n + 1 + (int32_t)instr.imm[0] < (int32_t)WORDS ? instr.imm[0] : 0;
      } else if (valhall_info(instr.opcode)->exec == VALHALL_EXEC_BLEND) {
         instr.imm[0] = 0;
      } else if (valhall_info(instr.opcode)->exec == VALHALL_EXEC_LEA_BUF) {
         instr.imm[0] = 13;
         instr.imm[1] %= 14;
      }
      instr.flow = instr.flow == VALHALL_FLOW_END ? 0 : instr.flow;
      words[n] = valhall_encode(&instr);
   }
   words[WORDS - 1] = UINT64_C(0x7800c00000000000); /* NOP.end */
   memcpy((uint8_t *)d->mem + at, words, sizeof(words));
}

static void
bind_everything(struct ib *ib, uint64_t *seed)
{
   static const uint32_t caches[][2] = {
      { R_ALU_CONST_CACHE_PS_0, R_ALU_CONST_BUFFER_SIZE_PS_0 },
      { R_ALU_CONST_CACHE_VS_0, R_ALU_CONST_BUFFER_SIZE_VS_0 },
      { R_ALU_CONST_CACHE_GS_0, R_ALU_CONST_BUFFER_SIZE_GS_0 },
      { R_ALU_CONST_CACHE_HS_0, R_ALU_CONST_BUFFER_SIZE_HS_0 },
      { R_ALU_CONST_CACHE_LS_0, R_ALU_CONST_BUFFER_SIZE_LS_0 },
   };

   for (unsigned s = 0; s < sizeof(caches) / sizeof(*caches); s++) {
      for (unsigned n = 0; n < 16; n += 15) {
         context(ib, caches[s][0] + 4 * n, (uint32_t)((VA_BASE + CONST_AT) >> 8));
         context(ib, caches[s][1] + 4 * n, 1);
      }
   }
   for (unsigned n = 0; n < 4; n++) {
      IB_ADD(ib, PM4_SET_RESOURCE, (n < 2 ? 992 + n : 16 + n) * 8, (uint32_t)VA_BASE + DATA_AT,
             0x7ff,
             REG_FIELD(BUF_WORD2, STRIDE, 16) |
                REG_FIELD(BUF_WORD2, DATA_FORMAT, (uint32_t)random_next(seed) % 64),
             (uint32_t)random_next(seed), 64, 0, 0, REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER));
   }
   context(ib, R_CB_COLOR0_BASE + 0x3c, (uint32_t)((VA_BASE + OUT_AT) >> 8));
   context(ib, R_CB_COLOR0_INFO + 0x3c,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) | REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
              REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_BUFFER));
   context(ib, R_CB_COLOR0_DIM + 0x3c, 255);
}

static void
picture(struct ib *ib)
{
   context(ib, R_PA_SC_SCREEN_SCISSOR_BR, 16 << 16 | 16);
   context(ib, R_PA_SC_WINDOW_SCISSOR_TL, 1u << 31);
   context(ib, R_PA_SC_WINDOW_SCISSOR_BR, 16 << 16 | 16);
   context(ib, R_PA_SC_GENERIC_SCISSOR_TL, 1u << 31);
   context(ib, R_PA_SC_GENERIC_SCISSOR_BR, 16 << 16 | 16);
   context(ib, R_PA_SC_VPORT_SCISSOR_0_TL, 1u << 31);
   context(ib, R_PA_SC_VPORT_SCISSOR_0_BR, 16 << 16 | 16);
   context(ib, R_PA_SC_CLIPRECT_RULE, 0xffff);
   context(ib, R_CB_COLOR0_BASE, (uint32_t)((VA_BASE + COLOR_AT) >> 8));
   context(ib, R_CB_COLOR0_PITCH, 1);
   context(ib, R_CB_COLOR0_SLICE, 3);
   context(ib, R_CB_COLOR0_INFO,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32_32_32_32_FLOAT) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_FLOAT) |
              REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED));
   context(ib, R_CB_TARGET_MASK, 15);
   context(ib, R_CB_SHADER_MASK, 15);
   context(ib, R_CB_COLOR_CONTROL,
           REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL) |
              REG_FIELD(CB_COLOR_CONTROL, ROP3, 0xcc));
   context(ib, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 32));
}

/* Points in half of the draws, else rectangles: random positions seldom meet the picture. */
static void
random_draw(struct door *d, unsigned round, uint64_t *seed)
{
   static const uint32_t at[6] = { LS_AT, HS_AT, VS_AT, ES_AT, GS_AT, PS_AT };
   static const uint32_t start[6] = { R_SQ_PGM_START_LS, R_SQ_PGM_START_HS, R_SQ_PGM_START_VS,
                                      R_SQ_PGM_START_ES, R_SQ_PGM_START_GS, R_SQ_PGM_START_PS };
   static const uint32_t resources[6] = { R_SQ_PGM_RESOURCES_LS, R_SQ_PGM_RESOURCES_HS,
                                          R_SQ_PGM_RESOURCES_VS, R_SQ_PGM_RESOURCES_ES,
                                          R_SQ_PGM_RESOURCES_GS, R_SQ_PGM_RESOURCES_PS };
   static const uint32_t scratch[6] = { R_SQ_LSTMP_RING_ITEMSIZE, R_SQ_HSTMP_RING_ITEMSIZE,
                                        R_SQ_VSTMP_RING_ITEMSIZE, R_SQ_ESTMP_RING_ITEMSIZE,
                                        R_SQ_GSTMP_RING_ITEMSIZE, R_SQ_PSTMP_RING_ITEMSIZE };
   const bool gs = round % 4 == 1, tess = round % 4 == 2;
   struct ib ib = { 0 };

   for (unsigned n = 0; n < 6; n++) {
      random_program(d, at[n], n == 5, seed);
      program(&ib, start[n], resources[n], at[n]);
      context(&ib, scratch[n], 4);
   }
   context(&ib, R_SQ_PGM_START_FS, (uint32_t)((VA_BASE + FS_AT) >> 8));
   bind_everything(&ib, seed);
   picture(&ib);
   context(&ib, R_VGT_MAX_VTX_INDX, ~0u);
   context(&ib, R_VGT_SHADER_STAGES_EN,
           gs ? REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, ES_STAGE_REAL) |
                   REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, 1) |
                   REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_COPY_SHADER)
           : tess ? REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, LS_STAGE_ON) |
                       REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, 1) |
                       REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_DS)
                  : 0);
   context(&ib, R_VGT_GS_MODE, gs ? REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_G) : 0);
   context(&ib, R_VGT_GS_MAX_VERT_OUT, 4);
   context(&ib, R_SQ_ESGS_RING_ITEMSIZE, 4);
   context(&ib, R_SQ_GSVS_RING_ITEMSIZE, 16);
   context(&ib, R_SQ_GS_VERT_ITEMSIZE, 4);
   context(&ib, R_VGT_LS_HS_CONFIG,
           REG_FIELD(VGT_LS_HS_CONFIG, NUM_PATCHES, 1) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, 3) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, 3));
   context(&ib, R_VGT_TF_PARAM, REG_FIELD(VGT_TF_PARAM, TYPE, 1));
   context(&ib, R_VGT_HOS_MAX_TESS_LEVEL, 0x40000000);
   context(&ib, R_SQ_LDS_ALLOC, 64 | 1 << 14);
   config(&ib, R_VGT_PRIMITIVE_TYPE,
          tess            ? DI_PT_PATCH
          : gs            ? DI_PT_POINTLIST
          : round % 8 < 4 ? DI_PT_POINTLIST
                          : DI_PT_RECTLIST);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 99, DI_SRC_SEL_AUTO_INDEX);
   /* The local program runs in a dispatch, too. */
   const uint32_t first = ib.count;
   program(&ib, start[0], resources[0], LS_AT);
   context(&ib, scratch[0], 4);
   bind_everything(&ib, seed);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X, 32);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 4, 4);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 8, 1);
   context(&ib, R_SQ_LDS_ALLOC, 64);
   for (uint32_t n = first; n < ib.count; n += 2 + (ib.words[n] >> 16 & 0x3fff))
      ib.words[n] |= PM4_COMPUTE_BIT;
   ib.words[ib.count++] = pm4_header(PM4_DISPATCH_DIRECT, 4, false) | PM4_COMPUTE_BIT;
   for (unsigned n = 0; n < 4; n++)
      ib.words[ib.count++] = n ? 1 : 3;
   door_run(d, &ib);
}

/* A hash of what all draws leave. */
static uint64_t
run_all(void)
{
   struct door d = door_begin();
   uint64_t seed = 21, hash = 1;

   for (unsigned n = FS_AT / 4; n < OUT_AT / 4; n++)
      d.mem[n] = (uint32_t)random_next(&seed);
   for (unsigned n = 0; n < 8; n++)
      d.mem[FS_AT / 4 + 8 * n] = 5 | (n & 1) << 8;
   for (unsigned round = 0; round < ROUNDS; round++) {
      memset((uint8_t *)d.mem + OUT_AT, 0, DOOR_BYTES - OUT_AT);
      random_draw(&d, round, &seed);
      for (unsigned n = 0; n < DOOR_BYTES / 4; n++)
         hash = (hash ^ d.mem[n]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
   }
   door_end(&d);
   return hash;
}

/* On a device of its own: the process has none yet. */
static uint64_t
run_with(const char *simd, const char *native, const char *threads)
{
   int ends[2], status;
   uint64_t hash = 0;

   assert_int_equal(pipe(ends), 0);
   fflush(NULL);
   const pid_t child = fork();
   assert_true(child >= 0);
   if (!child) {
      setenv("ATOLL_ISA", "valhall", 1);
      setenv("ATOLL_SIMD", simd, 1);
      setenv("ATOLL_NATIVE", native, 1);
      setenv("ATOLL_THREADS", threads, 1);
      setenv("ATOLL_BUDGET", "3000000", 1);
      hash = run_all();
      _exit(write(ends[1], &hash, sizeof(hash)) != sizeof(hash));
   }
   close(ends[1]);
   const ssize_t got = read(ends[0], &hash, sizeof(hash));
   close(ends[0]);
   assert_int_equal(waitpid(child, &status, 0), child);
   if (!WIFEXITED(status) || WEXITSTATUS(status) || got != sizeof(hash))
      fail_msg("%s, native %s, %s threads: the child ended with status %d", simd, native, threads,
               status);
   return hash;
}

static void
equal_everywhere(void **state)
{
   static const char *const others[][3] = {
      { "sse2", "0", "3" },
      { "avx2", "1", "1" },
      { "avx2", "0", "1" },
      { "avx512", "1", "2" },
   };
   const uint64_t first = run_with("sse2", "0", "1");

   for (unsigned n = 0; n < sizeof(others) / sizeof(*others); n++) {
      const uint64_t hash = run_with(others[n][0], others[n][1], others[n][2]);
      if (hash != first)
         fail_msg("%s, native %s, %s threads differ", others[n][0], others[n][1], others[n][2]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(equal_everywhere) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
