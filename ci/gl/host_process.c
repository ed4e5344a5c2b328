/* SPDX-License-Identifier: MIT */
/* gl-host: What a process does around its drawing: rounding modes, traps, forks. */
#include "host.h"

#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

void
host_case_rounding(void)
{
   static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
   uint64_t right = host_open_and_draw();

   for (int i = 0; i < 3; i++) {
      unsigned control;

      fesetround(modes[i]);
      _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
      control = _mm_getcsr() & ~0x3fu;   /* without the sticky flags */
      if (host_draw() != right)
         host_fail("the picture depends on the program's rounding mode");
      if ((_mm_getcsr() & ~0x3fu) != control || fegetround() != modes[i])
         host_fail("drawing changed the program's floating-point mode");
   }
}

void
host_case_traps(void)
{
   uint64_t right = host_open_and_draw();

   feclearexcept(FE_ALL_EXCEPT);
   feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
   for (int i = 0; i < 10; i++)
      if (host_draw() != right)
         host_fail("the picture depends on the exception mask");
   if (fegetexcept() != (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW))
      host_fail("drawing changed the exception mask");
}

void
host_case_fork(void)
{
   uint64_t right = host_open_and_draw();
   int status = 0;
   pid_t child;

   glFinish();
   child = fork();
   if (child < 0)
      host_fail("fork failed");
   if (!child) {
      /* Right, or refused: both are answers.  A hang is not. */
      alarm(20);
      if (host_draw() == right)
         _exit(0);
      _exit(glGetError() != GL_NO_ERROR || host_reset_status() != GL_NO_ERROR ? 0 : 3);
   }
   for (int i = 0; i < 10; i++)
      if (host_draw() != right)
         host_fail("the parent's picture changed after a fork");
   waitpid(child, &status, 0);
   if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      host_fail("the child hangs");
   if (WIFSIGNALED(status)) {
      fprintf(stderr, "the child died of signal %d\n", WTERMSIG(status));
      exit(1);
   }
   if (WEXITSTATUS(status) == 3)
      host_fail("the child drew a wrong picture, and no GL error says so");
   if (host_draw() != right)
      host_fail("the parent's picture changed after the child ended");
}

/* What is in a compiler's hands when the process is forked is in nobody's hands in the child. */
void
host_case_fork_compiling(void)
{
   uint64_t right = 0;

   host_open_and_draw();
   for (unsigned round = 0; round < 20; round++) {
      unsigned programs[SLOW_PROGRAMS];
      int status = 0;
      pid_t child;

      for (unsigned i = 0; i < SLOW_PROGRAMS; i++)
         programs[i] = host_link_slow(SLOW_PROGRAMS * round + i);
      child = fork();
      if (child < 0)
         host_fail("fork failed");
      if (!child) {
         alarm(20);
         for (unsigned i = 0; i < SLOW_PROGRAMS; i++) {
            glUseProgram(programs[SLOW_PROGRAMS - 1 - i]);
            host_draw();
            glUseProgram(0);
            glDeleteProgram(programs[SLOW_PROGRAMS - 1 - i]);
         }
         /* exit() would wait for threads of Mesa's own (its shader cache's, its contexts'), which
          * are not here either. */
         _exit(0);
      }
      waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status)) {
         fprintf(stderr, "the child of round %u ended with status %x\n", round, (unsigned)status);
         exit(1);
      }
      right = host_draw_alike(programs, right);
   }
}
