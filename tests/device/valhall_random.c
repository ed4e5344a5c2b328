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
#include "every_stage.h"

#define WORDS  28u
#define ROUNDS 160u

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
               valhall_info(instr.opcode)->exec >= VALHALL_EXEC_UNDOCUMENTED ||
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

/* Points in half of the draws, else rectangles: random positions seldom meet the picture. */
static void
random_draw(struct door *d, unsigned round, uint64_t *seed)
{
   for (unsigned n = 0; n < EVERY_STAGES; n++)
      random_program(d, every_at[n], n == EVERY_PIXEL, seed);
   every_draw(d,
              (struct every_draw){ .gs = round % 4 == 1,
                                   .tess = round % 4 == 2,
                                   .points = round % 8 < 4,
                                   .dispatches = true },
              seed);
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
      setenv("ATOLL_BUDGET", "3000000c", 1);
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
