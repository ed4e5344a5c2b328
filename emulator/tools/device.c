/* SPDX-License-Identifier: MIT */
/*
 * atoll-device: a device in a process of its own.
 *
 * Started by a client (ATOLL_DEVICE=process), it serves that process over the socket that it
 * inherits, its root, and ends when nobody has the other end any more, or when the owner has ended.
 *
 * Started with the path of a socket, it serves all processes of its user that connect there.  It is
 * two processes then: one that owns the socket, and one with the device, which is started again
 * when it ends.  Connections wait meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atoll/device.h>

#include "frontdoor/device.h"
#include "frontdoor/wire.h"
#include "options.h"
#include "process/confine.h"
#include "process/serve.h"
#include "radeon/radeon.h"
#include "tools/tool.h"

#define ROOT 3

enum { OWNER };

static const struct tool_option options[] = {
   [OWNER] = { "owner", 0, "PID", NULL,
               "serve that process, over the socket that is descriptor 3: for "
               "ATOLL_DEVICE=process" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-device",
   .usage = "SOCKET",
   .summary =
      "Serves processes that run with ATOLL_DEVICE=SOCKET: the emulated GPU in a process of its\n"
      "own, which has no file, no network and none of their memory but the buffers.",
   .options = options,
};

/* ---- What it has of its surroundings ---- */

/* Standard error for writing alone: a terminal can be read, and a file changed, through what was
 * open for both. */
static void
keep_errors(void)
{
   const int fd = open("/proc/self/fd/2", O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
   struct stat st;

   if (fd >= 0) {
      dup2(fd, 2);
      close(fd);
   } else if (fstat(2, &st) || !S_ISFIFO(st.st_mode)) {
      dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
   }
}

/* Where the kernel cannot close a range: one by one, as its list has them. */
static bool
close_listed(int first)
{
   DIR *list = opendir("/proc/self/fd");
   struct dirent *entry;

   if (!list)
      return false;
   while ((entry = readdir(list))) {
      const long fd = strtol(entry->d_name, NULL, 10);

      if (fd >= first && fd != dirfd(list))
         close((int)fd);
   }
   return !closedir(list);
}

/* Descriptors below `first` alone, of which 0 and 1 lead nowhere.  False, with a line on standard
 * error: there may be others. */
static bool
leave_files(int first)
{
   const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

   dup2(null, 0);
   dup2(null, 1);
   keep_errors();
   if (!syscall(SYS_close_range, (unsigned)first, ~0u, 0) || close_listed(first))
      return true;
   fprintf(stderr, "atoll-device: it cannot close what it has inherited: %s\n", strerror(errno));
   return false;
}

/* Once all files are open: their paths may begin at the folder that it was started in. */
static int
give_up(void)
{
   return chdir("/") ? errno : confine();
}

/* The captures of devices that have ended stay as they are. */
static void
name_capture(void)
{
   const char *path = getenv("ATOLL_CS_CAPTURE");
   char own[PATH_MAX];

   if (path && *path && snprintf(own, sizeof(own), "%s.%d", path, (int)getpid()) < (int)sizeof(own))
      setenv("ATOLL_CS_CAPTURE", own, 1);
}

static struct atoll_device *
make_device(void)
{
   static const struct device_setup setup = { .confine = give_up };
   struct rlimit files;

   /* Each buffer is a descriptor. */
   if (!getrlimit(RLIMIT_NOFILE, &files)) {
      files.rlim_cur = files.rlim_max;
      setrlimit(RLIMIT_NOFILE, &files);
   }
   /* Asked while files can be read. */
   options_threads();
   signal(SIGPIPE, SIG_IGN);
   signal(SIGXFSZ, SIG_IGN);
   return radeon_device(&setup);
}

static void
leave(const struct atoll_device *device)
{
   /* What is under way is nobody's any more. */
   if (device->capture)
      exit(0);
   _exit(0);
}

/* ---- One process's ---- */

static int
serve_owner(pid_t owner)
{
   struct wire_buffer message = { 0 };
   struct wire_message m;
   struct atoll_device *device;
   struct pollfd sources[2] = { { .fd = ROOT, .events = POLLIN }, { .fd = -1, .events = POLLIN } };
   sigset_t none;
   int fd;

   sigemptyset(&none);
   sigprocmask(SIG_SETMASK, &none, NULL);
   if (!leave_files(ROOT + 1))
      return TOOL_SYSTEM;
   fcntl(ROOT, F_SETFD, FD_CLOEXEC);
   sources[1].fd = (int)syscall(SYS_pidfd_open, owner, 0);
   device = make_device();
   if (!device)
      return TOOL_SYSTEM;
   for (;;) {
      if (poll(sources, 2, -1) < 0 && errno != EINTR)
         break;
      if (sources[1].revents)
         break;
      if (!sources[0].revents)
         continue;
      if (wire_receive(ROOT, &message, &fd) || !wire_read(message.bytes, message.length, &m) ||
          m.head.kind != WIRE_CLIENT || fd < 0)
         break;
      serve_client(device, fd, true);
   }
   leave(device);
   return TOOL_OK;
}

/* ---- Several processes' ---- */

/* Whether the peer is a process of that user. */
static bool
is_friend(int fd, uid_t user)
{
   struct ucred peer;
   socklen_t size = sizeof(peer);

   return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) && peer.uid == user;
}

/* The process with the device. */
static int
serve_socket(int listener, bool first)
{
   struct atoll_device *device;
   const uid_t user = geteuid();

   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (!first)
      name_capture();
   device = make_device();
   if (!device)
      return TOOL_SYSTEM;
   for (;;) {
      const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

      if (fd < 0 && errno != EINTR && errno != ECONNABORTED) {
         /* Out of descriptors, say: some may be free soon. */
         nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
         continue;
      }
      if (fd < 0)
         continue;
      if (is_friend(fd, user))
         serve_client(device, fd, false);
      else
         close(fd);
   }
}

/* Removes a socket that nobody serves, and no file of another kind.  False with errno. */
static bool
remove_socket(const char *path, const struct sockaddr_un *address)
{
   const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
   struct stat st;
   bool served;

   if (fd < 0 || lstat(path, &st))
      return false;
   served = !S_ISSOCK(st.st_mode) ||
            !connect(fd, (const struct sockaddr *)address, sizeof(*address)) ||
            errno != ECONNREFUSED;
   close(fd);
   errno = S_ISSOCK(st.st_mode) ? EADDRINUSE : EEXIST;
   return !served && !unlink(path);
}

/* A socket at `path`, where there is none, or one that nobody serves.  -1 with errno. */
static int
listen_at(const char *path)
{
   struct sockaddr_un address = { .sun_family = AF_UNIX };
   const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

   if (strlen(path) >= sizeof(address.sun_path)) {
      errno = ENAMETOOLONG;
      return -1;
   }
   strcpy(address.sun_path, path);
   umask(077);
   if (fd < 0 || (bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
                  (errno != EADDRINUSE || !remove_socket(path, &address) ||
                   bind(fd, (struct sockaddr *)&address, sizeof(address)))))
      return -1;
   return listen(fd, SOMAXCONN) ? -1 : fd;
}

/* Until a signal ends it.  An exit code. */
static int
keep_serving(const char *path, int listener)
{
   sigset_t waited;
   int signal_number = SIGCHLD, status = 0;
   bool first = true;

   sigemptyset(&waited);
   sigaddset(&waited, SIGCHLD);
   sigaddset(&waited, SIGTERM);
   sigaddset(&waited, SIGINT);
   sigaddset(&waited, SIGHUP);
   sigprocmask(SIG_BLOCK, &waited, NULL);
   while (signal_number == SIGCHLD) {
      const pid_t pid = fork();

      if (!pid) {
         sigprocmask(SIG_UNBLOCK, &waited, NULL);
         _exit(serve_socket(listener, first));
      }
      first = false;
      if (pid < 0)
         break;
      do
         signal_number = sigwaitinfo(&waited, NULL);
      while (signal_number < 0 ||
             (signal_number == SIGCHLD && waitpid(pid, &status, WNOHANG) != pid));
      if (signal_number != SIGCHLD) {
         kill(pid, SIGKILL);
         waitpid(pid, &status, 0);
      } else if (WIFEXITED(status)) {
         break; /* it could not start, and has said why */
      } else {
         fprintf(stderr,
                 "atoll-device: the device has ended by signal %d; there is another one now\n",
                 WTERMSIG(status));
         nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
      }
   }
   unlink(path);
   return signal_number == SIGCHLD ? TOOL_SYSTEM : TOOL_OK;
}

static int
serve_all(const char *path)
{
   char whole[sizeof(((struct sockaddr_un *)0)->sun_path)];
   int listener;

   /* The folder changes. */
   if (path[0] != '/') {
      if (!getcwd(whole, sizeof(whole)) || strlen(whole) + strlen(path) + 2 > sizeof(whole)) {
         fprintf(stderr, "atoll-device: %s: %s\n", path, strerror(ENAMETOOLONG));
         return TOOL_SYSTEM;
      }
      strcat(strcat(whole, "/"), path);
      path = whole;
   }
   listener = listen_at(path);
   if (listener < 0) {
      fprintf(stderr, "atoll-device: %s: %s\n", path, strerror(errno));
      return TOOL_SYSTEM;
   }
   if (listener != ROOT) {
      dup2(listener, ROOT);
      close(listener);
   }
   if (!leave_files(ROOT + 1)) {
      unlink(path);
      return TOOL_SYSTEM;
   }
   return keep_serving(path, ROOT);
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv, .at = 1 };
   long owner = 0;
   int option;

   while ((option = tool_next(&args)) >= 0)
      if (option == OWNER)
         owner = strtol(args.value, NULL, 10);
   if (option == TOOL_ARG_EXIT)
      return args.exit_code;
   if (owner > 0 && !args.input)
      return serve_owner((pid_t)owner);
   if (owner || !args.input)
      return tool_usage(&tool, "the path of a socket is missing");
   return serve_all(args.input);
}
