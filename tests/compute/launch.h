/* SPDX-License-Identifier: MIT */
/*
 * What the tests of dispatches share: parts of programs, the packets of a dispatch, and running a
 * file's tests again with other numbers of workers and by the other kernel builds.
 *
 * Memory at VA_BASE: programs, then OUT, the target; RETURNS, its return buffer.  Programs store
 * dwords; the address is the thread's number in the dispatch.
 */
#ifndef ATOLL_TEST_LAUNCH_H
#define ATOLL_TEST_LAUNCH_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door.h"
#include "run_wave.h"

#define PROGRAM 0x0000u
#define OUT     0x4000u
#define RETURNS 0xc000u
#define SECOND  0x6000u
#define OUT_MAX ((RETURNS - OUT) / 4)

static struct asm_program a;

static inline void
set(struct ib *ib, uint32_t address, uint32_t value)
{
   const bool config = address < CAYMAN_CONTEXT_BASE;
   const uint32_t base = config ? 0x8000u : CAYMAN_CONTEXT_BASE;

   ib->words[ib->count++] =
      pm4_header(config ? PM4_SET_CONFIG_REG : PM4_SET_CONTEXT_REG, 2, false) | PM4_COMPUTE_BIT;
   ib->words[ib->count++] = (address - base) / 4;
   ib->words[ib->count++] = value;
}

/* ---- Programs ---- */

static inline struct cayman_alu_src
lit(void)
{
   return asm_sel(CAYMAN_SRC_LITERAL, 0);
}

/* R2.x = R1.x * threads + R0.x, the thread's number for groups in x. */
static inline void
number(uint32_t threads)
{
   struct cayman_alu s =
      asm_op3(CAYMAN_ALU_MULADD_UINT24, 2, 0, asm_gpr(1, 0), lit(), asm_gpr(0, 0));

   asm_slots(&a, &s, 1, &threads, 1);
}

static inline void
rat(unsigned op, unsigned data, unsigned index)
{
   struct cayman_cf cf = { .op = CAYMAN_CF_MEM_RAT,
                           .type = CAYMAN_MEM_WRITE_IND_ACK,
                           .rat_op = (uint8_t)op,
                           .rw_gpr = (uint8_t)data,
                           .index_gpr = (uint8_t)index,
                           .comp_mask = 1,
                           .mark = true,
                           .barrier = true };

   asm_cf(&a, &cf);
}

/* R5.x = element R<gpr>.x of the return buffer. */
static inline void
fetch_return(unsigned gpr)
{
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_VTX };
   struct cayman_cf wait = { .op = CAYMAN_CF_WAIT_ACK, .barrier = true };
   struct cayman_cf tc = { .op = CAYMAN_CF_TC, .barrier = true };

   f.vtx = (struct cayman_vtx){ .op = CAYMAN_VTX_FETCH,
                                .fetch_type = CAYMAN_FETCH_NO_INDEX_OFFSET,
                                .buffer_id = 160,
                                .src_gpr = (uint8_t)gpr,
                                .dst_gpr = 5,
                                .dst_sel = { 0, 7, 7, 7 },
                                .data_format = CAYMAN_FMT_32,
                                .num_format_all = CAYMAN_NUM_FORMAT_INT };
   asm_cf(&a, &wait);
   asm_fetch(&a, &f);
   asm_clause(&a, &tc);
}

static inline void
lds(unsigned op, struct cayman_alu_src address, struct cayman_alu_src data)
{
   struct cayman_alu s = { .op = CAYMAN_ALU_LDS_IDX_OP, .lds_op = (uint8_t)op };

   s.src[0] = address;
   s.src[1] = data;
   asm_one(&a, s);
}

static inline void
barrier(void)
{
   asm_one(&a, (struct cayman_alu){ .op = CAYMAN_ALU_GROUP_BARRIER });
}

static inline void
alu(void)
{
   asm_alu_clause(&a, CAYMAN_CF_ALU);
}

static inline void
shift(unsigned dst, unsigned src, unsigned by)
{
   struct cayman_alu s = asm_op2(CAYMAN_ALU_LSHL_INT, dst, 0, asm_gpr(src, 0), lit());
   uint32_t literal = by;

   asm_slots(&a, &s, 1, &literal, 1);
}

/* ---- Running ---- */

struct launch {
   uint32_t block[3], groups[3];
   uint32_t lds_dwords, elements;
   bool image; /* RGBA8, 10 x 6 in rows of 64, layers 1 and 2 of those at OUT; RAT 1 is a
                  buffer at SECOND */
};

static inline void
launch_ib(struct ib *ib, const struct launch *l)
{
   const uint32_t resource[8] = {
      VA_BASE + RETURNS, DOOR_BYTES - RETURNS - 1, 4u << 8, 1u << 9 | 2u << 12 | 3u << 15, 0, 0, 0,
      3u << 30,
   };

   set(ib, R_SQ_PGM_START_LS, (VA_BASE + PROGRAM) >> 8);
   set(ib, R_SQ_PGM_RESOURCES_LS, 16 | 8 << 8);
   set(ib, R_SQ_LDS_ALLOC, l->lds_dwords);
   set(ib, R_SPI_COMPUTE_INPUT_CNTL, 7);
   for (unsigned n = 0; n < 3; n++)
      set(ib, R_SPI_COMPUTE_NUM_THREAD_X + 4 * n, l->block[n]);
   set(ib, R_CB_COLOR0_BASE, (VA_BASE + OUT) >> 8);
   if (l->image) {
      set(ib, R_CB_COLOR0_PITCH, 64 / 8 - 1);
      set(ib, R_CB_COLOR0_SLICE, 64 * 8 / 64 - 1);
      set(ib, R_CB_COLOR0_VIEW, 1 | 2 << 13);
      set(ib, REG_AT(CB_COLOR0_BASE, 1), (VA_BASE + SECOND) >> 8);
      set(ib, REG_AT(CB_COLOR0_INFO, 1),
          REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) |
             REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UINT) |
             REG_FIELD(CB_COLOR0_INFO, RAT, 1));
      set(ib, REG_AT(CB_COLOR0_DIM, 1), l->elements - 1);
   }
   set(ib, R_CB_COLOR0_INFO,
       l->image ? REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
                     REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UNORM) |
                     REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED) |
                     REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
                     REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_TEXTURE2DARRAY)
                : REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) |
                     REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UINT) |
                     REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
                     REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_BUFFER));
   set(ib, R_CB_COLOR0_DIM, l->image ? 9 | 5 << 16 : l->elements - 1);
   set(ib, R_CB_IMMED0_BASE, (VA_BASE + RETURNS) >> 8);
   ib->words[ib->count++] = pm4_header(PM4_SET_RESOURCE, 9, false) | PM4_COMPUTE_BIT;
   ib->words[ib->count++] = (CAYMAN_RESOURCE_CS + 160) * 8;
   memcpy(ib->words + ib->count, resource, sizeof(resource));
   ib->count += 8;
   ib->words[ib->count++] = pm4_header(PM4_DISPATCH_DIRECT, 4, false) | PM4_COMPUTE_BIT;
   memcpy(ib->words + ib->count, l->groups, sizeof(l->groups));
   ib->count += 3;
   ib->words[ib->count++] = 1;
}

static inline void
launch(struct door *d, const struct launch *l)
{
   struct ib ib = { 0 };

   assert_true(asm_finish(&a));
   assert_true(a.num_words * 4 <= OUT);
   memcpy((uint8_t *)d->mem + PROGRAM, a.words, a.num_words * 4);
   launch_ib(&ib, l);
   door_run(d, &ib);
}

static inline uint32_t *
out(struct door *d)
{
   return d->mem + OUT / 4;
}

/* Whether the device still computes. */
static inline void
still_alive(struct door *d)
{
   const struct launch l = { .block = { 4, 1, 1 }, .groups = { 1, 1, 1 }, .elements = 4 };

   memset(out(d), 0, 64);
   asm_init(&a);
   number(4);
   alu();
   rat(CAYMAN_RAT_STORE_TYPED, 2, 2);
   launch(d, &l);
   for (uint32_t n = 0; n < 8; n++)
      assert_int_equal(out(d)[n], n < 4 ? n : 0);
}

/* ---- Again ---- */

static const char *launch_program;

/* Runs this program again in each setting, as `program again`: by the widest build that the CPU
 * runs, and by the others. */
static void
launch_again(void **state)
{
   const char *program = launch_program;
   static const struct {
      const char *threads, *build;
   } settings[] = {
      { "1", NULL }, { "2", NULL }, { "4", NULL }, { "2", "sse2" }, { "2", "avx2" },
   };

   for (unsigned n = 0; n < sizeof(settings) / sizeof(*settings); n++) {
      int status;
      const pid_t child = fork();

      if (child == 0) {
         setenv("ATOLL_THREADS", settings[n].threads, 1);
         if (settings[n].build)
            setenv("ATOLL_SIMD", settings[n].build, 1);
         execl(program, program, "again", (char *)NULL);
         _exit(127);
      }
      assert_true(child > 0);
      assert_int_equal(waitpid(child, &status, 0), child);
      if (status)
         fail_msg("with %s threads, build %s: status %d", settings[n].threads,
                  settings[n].build ? settings[n].build : "of choice", status);
   }
}

/* The end of main(): with `again` the tests themselves, else all of them in each setting. */
static int
launch_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests, size_t count)
{
   const struct CMUnitTest settings[] = { cmocka_unit_test(launch_again) };

   launch_program = argv[0];
   return argc > 1 ? _cmocka_run_group_tests("again", tests, count, NULL, NULL)
                   : cmocka_run_group_tests_name(name, settings, NULL, NULL);
}

#endif
