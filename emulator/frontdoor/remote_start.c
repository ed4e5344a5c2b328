/* SPDX-License-Identifier: MIT */
/*
 * Starting a device's process, and connecting to one.
 *
 * The process is one of a program, started afresh: it has nothing of this one's memory, and closes
 * what descriptors it inherits.  It is a child of a child that ends at once, so that this program
 * hears of no child that it does not know, neither by a signal nor from wait(): the first is made
 * without one, and shares this process's memory only until it has started the second.
 */
#include "frontdoor/remote_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* From the folder of the library or program that this code is part of: as they are installed, and
 * as they are built. */
static const char *const programs[] = {
   "/../../bin/atoll-device",
   "/../../../bin/atoll-device",
   "/../emulator/tools/atoll-device",
   "/../tools/atoll-device",
   "/../../emulator/tools/atoll-device",
};

static bool
find_program(char path[PATH_MAX])
{
   Dl_info info;
   char folder[PATH_MAX], *slash;

   if (!dladdr(programs, &info) || !info.dli_fname || !realpath(info.dli_fname, folder))
      return false;
   slash = strrchr(folder, '/');
   if (slash)
      *slash = 0;
   for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
      if (snprintf(path, PATH_MAX, "%s%s", folder, programs[i]) < PATH_MAX && !access(path, X_OK))
         return true;
   return false;
}

/* Not what would change the program (preloaded libraries), nor what sends the device elsewhere or
 * has it open files. */
static bool
is_inherited(const char *variable)
{
   static const char *const not [] = { "LD_PRELOAD=", "ATOLL_DEVICE=", "ATOLL_SCREEN=" };

   for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
      if (!strncmp(variable, not [i], strlen(not [i])))
         return false;
   return true;
}

static char **
environment(void)
{
   size_t count = 0, kept = 0;
   char **copy;

   while (environ && environ[count])
      count++;
   copy = calloc(count + 1, sizeof(*copy));
   for (size_t i = 0; copy && i < count; i++)
      if (is_inherited(environ[i]))
         copy[kept++] = environ[i];
   return copy;
}

#define ROOT        3 /* the descriptor that the program expects */
#define STACK_BYTES ((size_t)64 << 10)

struct start {
   const char *path;
   char **argv, **envp;
   int root, error;
   char *stack;
};

/* Only system calls: the memory is the parent's. */
static int
device_main(void *data)
{
   struct start *s = data;

   setsid();
   if (s->root == ROOT ? fcntl(ROOT, F_SETFD, 0) < 0 : dup2(s->root, ROOT) < 0)
      s->error = errno;
   else
      execve(s->path, s->argv, s->envp);
   s->error = errno;
   _exit(127);
}

static int
between_main(void *data)
{
   struct start *s = data;

   if (clone(device_main, s->stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, s) < 0)
      s->error = errno;
   _exit(0);
}

/* 0 or an errno. */
static int
run_program(struct start *s)
{
   char *stack = malloc(2 * STACK_BYTES);
   sigset_t all, old;
   pid_t pid;

   if (!stack)
      return ENOMEM;
   s->stack = stack;
   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   pid = clone(between_main, stack + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK, s);
   if (pid < 0)
      s->error = errno;
   else
      while (waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR)
         ;
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   free(stack);
   return s->error;
}

/* A later device of a process has a capture of its own, as one of a forked child has: *variable is
 * made in `own`. */
static void
name_capture(char *variable[], char own[PATH_MAX], bool forked, unsigned devices)
{
   static const char name[] = "ATOLL_CS_CAPTURE=";
   int length;

   if (!forked && !devices)
      return;
   while (*variable && strncmp(*variable, name, sizeof(name) - 1))
      variable++;
   if (!*variable || !(*variable)[sizeof(name) - 1])
      return;
   length = devices ? snprintf(own, PATH_MAX, "%s.%d.%u", *variable, (int)getpid(), devices + 1)
                    : snprintf(own, PATH_MAX, "%s.%d", *variable, (int)getpid());
   if (length < PATH_MAX)
      *variable = own;
}

/* The device's root, or -1 with errno. */
static int
start_device(struct remote *remote)
{
   char path[PATH_MAX], capture[PATH_MAX], owner[32], name[] = "atoll-device";
   char *argv[] = { name, owner, NULL };
   struct start start = { .path = path, .argv = argv, .envp = environment() };
   int pair[2], error = start.envp ? 0 : ENOMEM;

   snprintf(owner, sizeof(owner), "--owner=%d", (int)getpid());
   if (!error && !find_program(path))
      error = ENOENT;
   if (!error && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
      error = errno;
   if (!error) {
      start.root = pair[1];
      name_capture(start.envp, capture, remote->forked, remote->devices);
      error = run_program(&start);
      close(pair[1]);
      if (error)
         close(pair[0]);
   }
   free(start.envp);
   if (!error) {
      remote->devices++;
      return pair[0];
   }
   fprintf(stderr, "atoll: ATOLL_DEVICE=process: %s: %s\n",
           error == ENOENT ? "atoll-device, which should be where this library is" : path,
           strerror(error));
   errno = error;
   return -1;
}

static int
connect_path(const char *path)
{
   struct sockaddr_un address = { .sun_family = AF_UNIX };
   int fd, error;

   if (strlen(path) >= sizeof(address.sun_path)) {
      errno = ENAMETOOLONG;
      return -1;
   }
   strcpy(address.sun_path, path);
   fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
   if (fd < 0 || !connect(fd, (struct sockaddr *)&address, sizeof(address)))
      return fd;
   error = errno;
   close(fd);
   fprintf(stderr, "atoll: ATOLL_DEVICE=%s: %s\n", path, strerror(error));
   errno = error;
   return -1;
}

/* A client's first channel from a device of ours; -1 with errno. */
static int
ask_root(int root)
{
   struct wire_head head = { .bytes = sizeof(head), .kind = WIRE_CLIENT };
   struct wire_buffer message = { 0 };
   int pair[2], error;

   if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
      return -1;
   error = wire_append(&message, &head, sizeof(head)) ? wire_send(root, &message, pair[1]) : ENOMEM;
   free(message.bytes);
   close(pair[1]);
   if (!error)
      return pair[0];
   close(pair[0]);
   errno = error;
   return -1;
}

/* Whether the device says hello there. */
static bool
is_greeted(int fd, int *status)
{
   struct pollfd ready = { .fd = fd, .events = POLLIN };
   struct wire_buffer buffer = { 0 };
   struct wire_message hello;
   int error, got = 0;

   *status = -1;
   do
      got = poll(&ready, 1, 60000);
   while (got < 0 && errno == EINTR);
   error = got == 1 ? wire_receive(fd, &buffer, status) : ETIMEDOUT;
   if (!error && (!wire_read(buffer.bytes, buffer.length, &hello) ||
                  hello.head.kind != WIRE_HELLO || hello.head.request != WIRE_VERSION))
      error = EPROTO;
   if (!error && hello.head.result)
      error = hello.head.result < 0 && hello.head.result > -4096 ? -hello.head.result : EPROTO;
   free(buffer.bytes);
   if (error && *status >= 0) {
      close(*status);
      *status = -1;
   }
   errno = error;
   return !error;
}

int
remote_connect(struct remote *remote, int *status)
{
   /* A device of ours that has ended is seen by the first that is sent to it, or by its answer. */
   for (unsigned attempt = 0; attempt < 2; attempt++) {
      const bool start = !remote->path && remote->root < 0;
      int fd, root, error;

      if (start) {
         root = start_device(remote);
         if (root < 0)
            return -1;
         pthread_mutex_lock(&remote->lock);
         remote->root = root;
         pthread_mutex_unlock(&remote->lock);
      }
      fd = remote->path ? connect_path(remote->path) : ask_root(remote->root);
      if (fd >= 0 && is_greeted(fd, status))
         return fd;
      error = errno;
      if (fd >= 0)
         close(fd);
      if (!remote->path && error == EPIPE) {
         pthread_mutex_lock(&remote->lock);
         close(remote->root);
         remote->root = -1;
         pthread_mutex_unlock(&remote->lock);
      }
      errno = error == EPIPE ? ENODEV : error;
      if (remote->path || start || error != EPIPE)
         return -1;
   }
   return -1;
}
