/* SPDX-License-Identifier: MIT */
/*
 * Two walls; see confine.h.
 *
 * 1. Landlock: no path leads to a file that can be read, written, made or run, no port can be bound
 *    or connected to, and no signal and no abstract socket reaches other processes, as far as the
 *    kernel knows these.
 * 2. A filter of system calls, a list of those that may be made; any other is an error.  That alone
 *    holds where the kernel has no Landlock.  Of some, arguments count: threads may be made and no
 *    processes, signals sent to this process alone, and standard error only be written to.
 *
 * The memory of programs is never writable and executable at once (uop/native_map.h): pages may
 * become executable, so that code can be made here.  What code somebody smuggles in has no more
 * than these calls.
 */
#include "process/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Landlock ---- */

/* The rights that each version of the interface adds.  Older headers do not have all names. */
#define FILES_1   ((UINT64_C(1) << 13) - 1)
#define REFER     (UINT64_C(1) << 13) /* 2 */
#define TRUNCATE  (UINT64_C(1) << 14) /* 3 */
#define IOCTL_DEV (UINT64_C(1) << 15) /* 5 */
#define NET_TCP   UINT64_C(3)         /* 4: bind, connect */
#define SCOPES    UINT64_C(3)         /* 6: abstract sockets, signals */

/* As the kernel has it since version 6; versions before know less of it. */
struct ruleset {
   uint64_t files, ports, scoped;
};

/* 0, also where the kernel has none of it; or an errno. */
static int
forbid_paths(void)
{
   const long version =
      syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
   struct ruleset rules = { .files = FILES_1 };
   size_t size = sizeof(rules.files);
   long fd;
   int error = 0;

   if (version < 1)
      return 0;
   rules.files |= version >= 2 ? REFER : 0;
   rules.files |= version >= 3 ? TRUNCATE : 0;
   rules.files |= version >= 5 ? IOCTL_DEV : 0;
   if (version >= 4) {
      rules.ports = NET_TCP;
      size += sizeof(rules.ports);
   }
   if (version >= 6) {
      rules.scoped = SCOPES;
      size += sizeof(rules.scoped);
   }
   fd = syscall(SYS_landlock_create_ruleset, &rules, size, 0);
   if (fd < 0)
      return errno;
   if (syscall(SYS_landlock_restrict_self, fd, 0))
      error = errno;
   close((int)fd);
   return error;
}

/* ---- System calls ---- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

static const uint32_t allowed[] = {
   /* messages; standard error is open for writing alone */
   SYS_recvmsg,
   SYS_sendmsg,
   SYS_ppoll,
   SYS_accept4,
   SYS_getsockopt,
   SYS_shutdown,
   SYS_write,
   SYS_writev,
   SYS_close,
   /* memory, and files that are memory */
   SYS_mmap,
   SYS_munmap,
   SYS_mremap,
   SYS_mprotect,
   SYS_madvise,
   SYS_brk,
   SYS_memfd_create,
   SYS_lseek,
   SYS_fstat,
   /* threads and time */
   SYS_futex,
   SYS_exit,
   SYS_exit_group,
   SYS_set_robust_list,
   SYS_rt_sigprocmask,
   SYS_rt_sigaction,
   SYS_rt_sigreturn,
   SYS_sigaltstack,
   SYS_restart_syscall,
   SYS_gettid,
   SYS_getpid,
   SYS_sched_yield,
   SYS_sched_getaffinity,
   SYS_membarrier,
   SYS_getcpu,
   SYS_clock_gettime,
   SYS_clock_nanosleep,
   SYS_nanosleep,
   SYS_gettimeofday,
   SYS_getrandom,
   SYS_getrusage,
#ifdef SYS_rseq
   SYS_rseq,
#endif
#ifdef SYS_poll
   SYS_poll,
   SYS_time,
#endif
#ifdef SYS_mmap2
   SYS_mmap2,
   SYS_fstat64,
   SYS__llseek,
   SYS_set_thread_area,
   SYS_get_thread_area,
#endif
};

/* Of files that are memory, and the capture's: not of standard error. */
static const uint32_t changing[] = {
   SYS_pwrite64,
   SYS_ftruncate,
   SYS_fallocate,
#ifdef SYS_ftruncate64
   SYS_ftruncate64,
#endif
};

static const uint32_t controlling[] = {
   SYS_fcntl,
#ifdef SYS_fcntl64
   SYS_fcntl64,
#endif
};

/* Not those that have the kernel send signals, to whatever process. */
static const uint32_t commands[] = {
   F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_ADD_SEALS, F_GET_SEALS,
};

/* What a call that is not allowed answers.  On 32 bits the C library tries newer calls first, and
 * the older ones only where there is no newer one. */
#ifdef __i386__
#define REFUSED ENOSYS
#else
#define REFUSED EPERM
#endif

#define NUM(table)  (sizeof(table) / sizeof((table)[0]))
#define NUM_ALLOWED NUM(allowed)
#define THREAD                                                                         \
   (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
    CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

/* The low half of an argument: all that these calls look at. */
#define ARGUMENT(n) ((uint32_t)(offsetof(struct seccomp_data, args) + (n) * sizeof(uint64_t)))

struct program {
   /* two of each call, five of one of which an argument counts, and the rest */
   struct sock_filter
      code[2 * NUM_ALLOWED + 5 * NUM(changing) + (5 + 2 * NUM(commands)) * NUM(controlling) + 32];
   unsigned short length;
};

static void
add(struct program *p, uint16_t code, uint32_t k, uint8_t when_true, uint8_t when_false)
{
   p->code[p->length++] = (struct sock_filter)BPF_JUMP(code, k, when_true, when_false);
}

static void
load(struct program *p, uint32_t offset)
{
   p->code[p->length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
}

static void
end(struct program *p, uint32_t action)
{
   p->code[p->length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
}

/* `call` is allowed where argument n is `value`, and is the error `otherwise` where it is not. */
static void
allow_argument(struct program *p, uint32_t call, unsigned n, uint32_t value, int otherwise)
{
   add(p, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
   load(p, ARGUMENT(n));
   add(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
   end(p, SECCOMP_RET_ALLOW);
   end(p, SECCOMP_RET_ERRNO | (uint32_t)otherwise);
}

/* `call` is allowed where argument n is not `value`. */
static void
forbid_argument(struct program *p, uint32_t call, unsigned n, uint32_t value)
{
   add(p, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
   load(p, ARGUMENT(n));
   add(p, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
   end(p, SECCOMP_RET_ALLOW);
   end(p, SECCOMP_RET_ERRNO | EPERM);
}

/* `call` is allowed with these commands, and of no descriptor that is standard error's: a duplicate
 * of that would be one more. */
static void
allow_commands(struct program *p, uint32_t call)
{
   add(p, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4 + 2 * NUM(commands));
   load(p, ARGUMENT(0));
   add(p, BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 1 + 2 * NUM(commands), 0);
   load(p, ARGUMENT(1));
   for (size_t i = 0; i < NUM(commands); i++) {
      add(p, BPF_JMP | BPF_JEQ | BPF_K, commands[i], 0, 1);
      end(p, SECCOMP_RET_ALLOW);
   }
   end(p, SECCOMP_RET_ERRNO | EPERM);
}

static void
write_filter(struct program *p)
{
   load(p, offsetof(struct seccomp_data, arch));
   add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
   end(p, SECCOMP_RET_KILL_PROCESS);
   load(p, offsetof(struct seccomp_data, nr));
   for (size_t i = 0; i < NUM_ALLOWED; i++) {
      add(p, BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
      end(p, SECCOMP_RET_ALLOW);
   }
   /* The C library makes threads by the older call where there is no newer one. */
   add(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
   end(p, SECCOMP_RET_ERRNO | ENOSYS);
   allow_argument(p, SYS_clone, 0, THREAD, EPERM);
   allow_argument(p, SYS_prctl, 0, PR_SET_NAME, EPERM);
   allow_argument(p, SYS_tgkill, 0, (uint32_t)getpid(), EPERM);
   for (size_t i = 0; i < NUM(changing); i++)
      forbid_argument(p, changing[i], 0, STDERR_FILENO);
   for (size_t i = 0; i < NUM(controlling); i++)
      allow_commands(p, controlling[i]);
   end(p, SECCOMP_RET_ERRNO | REFUSED);
}

static int
forbid_calls(void)
{
   struct program p = { .length = 0 };
   struct sock_fprog filter;

   write_filter(&p);
   filter = (struct sock_fprog){ p.length, p.code };
   return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) ? errno : 0;
}

int
confine(void)
{
   const char *wanted = getenv("ATOLL_CONFINE");
   int error;

   if (wanted && !strcmp(wanted, "0"))
      return 0;
   if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
      return errno;
   error = forbid_paths();
   if (!error)
      error = forbid_calls();
   if (error)
      fprintf(stderr,
              "atoll-device: it cannot give up what it does not need: %s "
              "(ATOLL_CONFINE=0 goes without)\n",
              strerror(error));
   return error;
}
