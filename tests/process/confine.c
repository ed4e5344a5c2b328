/* SPDX-License-Identifier: MIT */
/* What a confined process cannot do, and what it still can.  Each test is a child's. */
#include "process/confine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Whether the call fails, as what is forbidden does; on 32 bits it may seem not to be there. */
#define FORBIDDEN(call)              \
   (errno = 0, (long)(call) == -1 && \
                  (errno == EPERM || errno == EACCES || (sizeof(long) == 4 && errno == ENOSYS)))

/* In a confined child: its first check that fails, counted from one; 0: none. */
static int
confined(int (*check)(void))
{
   const pid_t child = fork();
   int status;

   if (!child)
      _exit(confine() ? 99 : check());
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   return WEXITSTATUS(status);
}

#define CHECK(condition) \
   do {                  \
      number++;          \
      if (!(condition))  \
         return number;  \
   } while (0)

static int
open_files(void)
{
   int number = 0;
   struct stat st;

   CHECK(FORBIDDEN(open("/etc/passwd", O_RDONLY)));
   CHECK(FORBIDDEN(open("/proc/self/maps", O_RDONLY)));
   CHECK(FORBIDDEN(open("/tmp/atoll-confine-test", O_WRONLY | O_CREAT, 0600)));
   CHECK(FORBIDDEN(openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY)));
   CHECK(FORBIDDEN(unlink("/tmp/atoll-confine-test")));
   CHECK(FORBIDDEN(mkdir("/tmp/atoll-confine-test", 0700)));
   CHECK(FORBIDDEN(rename("/tmp/a", "/tmp/b")));
   CHECK(FORBIDDEN(stat("/etc/passwd", &st)));
   CHECK(FORBIDDEN(chdir("/tmp")));
   return 0;
}

static int
reach_others(void)
{
   int number = 0;
   char byte = 0;
   struct iovec io = { &byte, 1 };
   char *arguments[] = { NULL };

   CHECK(FORBIDDEN(socket(AF_INET, SOCK_STREAM, 0)));
   CHECK(FORBIDDEN(socket(AF_UNIX, SOCK_STREAM, 0)));
   CHECK(FORBIDDEN(kill(getppid(), 0)));
   CHECK(FORBIDDEN(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)));
   CHECK(FORBIDDEN(process_vm_readv(getppid(), &io, 1, &io, 1, 0)));
   CHECK(FORBIDDEN(fork()));
   CHECK(FORBIDDEN(execve("/bin/true", arguments, arguments)));
   CHECK(FORBIDDEN(setsid()));
   CHECK(FORBIDDEN(read(0, &byte, 1)));
   return 0;
}

/* Standard error, which here is a file, can be written to and nothing else. */
static int
change_errors(void)
{
   int number = 0;

   CHECK(FORBIDDEN(ftruncate(2, 0)));
   CHECK(FORBIDDEN(fallocate(2, 0, 0, 4096)));
   CHECK(FORBIDDEN(pwrite(2, "", 1, 0)));
   CHECK(FORBIDDEN(fcntl(2, F_DUPFD_CLOEXEC, 3)));
   CHECK(FORBIDDEN(fcntl(2, F_SETFL, 0)));
   CHECK(write(2, "x", 1) == 1);
   return 0;
}

/* The kernel would send signals to whatever process. */
static int
have_signals_sent(void)
{
   const int fd = memfd_create("signals", MFD_CLOEXEC);
   int number = 0;

   CHECK(FORBIDDEN(fcntl(fd, F_SETOWN, getppid())));
   CHECK(FORBIDDEN(fcntl(fd, F_SETSIG, SIGKILL)));
   CHECK(FORBIDDEN(fcntl(fd, F_SETFL, O_ASYNC)));
   CHECK(FORBIDDEN(fcntl(fd, F_NOTIFY, 1)));
   CHECK(FORBIDDEN(fcntl(fd, F_SETLEASE, F_WRLCK)));
   CHECK(!fcntl(fd, F_SETFD, FD_CLOEXEC) && fcntl(fd, F_GETFD) == FD_CLOEXEC);
   CHECK(fcntl(fd, F_GETFL) >= 0 && fcntl(fd, F_DUPFD_CLOEXEC, 3) > fd);
   CHECK(!ftruncate(fd, 4096) && !fallocate(fd, 0, 0, 4096) && pwrite(fd, "", 1, 0) == 1);
   return 0;
}

static void *
add_one(void *data)
{
   ++*(int *)data;
   return NULL;
}

/* As the device makes machine code: through a map to write, and one to run. */
static int
still_works(void)
{
   static const uint8_t code[] = { 0xb8, 0x2a, 0, 0, 0, 0xc3 }; /* mov eax, 42; ret */
   const int fd = memfd_create("code", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   int number = 0, value = 0;
   uint8_t *write, *run, *pages;
   pthread_t thread;

   CHECK(!pthread_create(&thread, NULL, add_one, &value) && !pthread_join(thread, NULL));
   CHECK(value == 1);
   CHECK(fd >= 0 && !ftruncate(fd, 4096));
   write = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   CHECK(write != MAP_FAILED);
   CHECK(!fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_SEAL));
   run = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
   CHECK(run != MAP_FAILED);
   memcpy(write, code, sizeof(code));
   CHECK(((int (*)(void))(uintptr_t)run)() == 42);
   pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(pages != MAP_FAILED);
   memcpy(pages, code, sizeof(code));
   CHECK(!mprotect(pages, 4096, PROT_READ | PROT_EXEC));
   CHECK(((int (*)(void))(uintptr_t)pages)() == 42);
   CHECK(!nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL));
   return 0;
}

static void
no_files(void **state)
{
   assert_int_equal(confined(open_files), 0);
}

static void
no_others(void **state)
{
   assert_int_equal(confined(reach_others), 0);
}

static void
no_errors(void **state)
{
   FILE *file = tmpfile();
   const int errors = dup(2);

   assert_non_null(file);
   assert_int_equal(dup2(fileno(file), 2), 2);
   const int failed = confined(change_errors);
   dup2(errors, 2);
   close(errors);
   fclose(file);
   assert_int_equal(failed, 0);
}

static void
no_signals(void **state)
{
   assert_int_equal(confined(have_signals_sent), 0);
}

static void
code_and_threads(void **state)
{
   assert_int_equal(confined(still_works), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_files),   cmocka_unit_test(no_others),        cmocka_unit_test(no_errors),
      cmocka_unit_test(no_signals), cmocka_unit_test(code_and_threads),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
