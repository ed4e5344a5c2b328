/* SPDX-License-Identifier: MIT */
/*
 * atoll-device with a socket: several processes at once, what of one the others hear, and messages
 * that are none.  Its argument is the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "end.h"
#include "frontdoor/wire.h"

static const char *program;
static char folder[64], path[96];
static pid_t daemon_pid;

static int
connect_raw(void)
{
   struct sockaddr_un address = { .sun_family = AF_UNIX };
   const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

   strcpy(address.sun_path, path);
   if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
      return fd;
   close(fd);
   return -1;
}

/* At `path`, when it can be connected to: 0, else -1. */
static int
serve(void)
{
   daemon_pid = fork();
   if (!daemon_pid) {
      execl(program, "atoll-device", path, (char *)NULL);
      _exit(127);
   }
   setenv("ATOLL_DEVICE", path, 1);
   for (int i = 0; i < 1000; i++) {
      const int fd = connect_raw();

      if (fd >= 0) {
         close(fd);
         return 0;
      }
      usleep(10000);
   }
   return -1;
}

static int
start(void **state)
{
   strcpy(folder, "/tmp/atoll-daemon-XXXXXX");
   if (!mkdtemp(folder))
      return -1;
   snprintf(path, sizeof(path), "%s/socket", folder);
   return serve();
}

/* Its socket is gone with it. */
static bool
end_serving(void)
{
   int status;

   kill(daemon_pid, SIGTERM);
   return waitpid(daemon_pid, &status, 0) == daemon_pid && WIFEXITED(status) &&
          !WEXITSTATUS(status) && access(path, F_OK);
}

static int
stop(void **state)
{
   return end_serving() && !rmdir(folder) ? 0 : -1;
}

/* Its path may be that of a socket that nobody serves any more; a file of another kind stays. */
static void
keeps_files(void **state)
{
   char file[96];
   struct stat st;
   int fd, status = 0;
   pid_t child, ended = 0;

   snprintf(file, sizeof(file), "%s/file", folder);
   fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
   assert_true(fd >= 0);
   assert_int_equal(write(fd, "kept", 4), 4);
   close(fd);
   child = fork();
   if (!child) {
      execl(program, "atoll-device", file, (char *)NULL);
      _exit(127);
   }
   for (int i = 0; i < 500 && !ended; i++) {
      usleep(10000);
      ended = waitpid(child, &status, WNOHANG);
   }
   if (!ended) {
      kill(child, SIGTERM);
      waitpid(child, &status, 0);
   }
   assert_int_equal(ended, child);
   assert_true(WIFEXITED(status) && WEXITSTATUS(status));
   assert_int_equal(stat(file, &st), 0);
   assert_int_equal(st.st_size, 4);
   unlink(file);
}

/* In a process of its own, that has the daemon as its device. */
static pid_t
run(int (*client)(int), int argument)
{
   const pid_t child = fork();

   if (!child)
      _exit(client(argument));
   return child;
}

static int
result_of(pid_t child)
{
   int status;

   assert_int_equal(waitpid(child, &status, 0), child);
   return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Its own pattern stays in its own memory. */
static int
draw(int n)
{
   struct door d = door_begin();

   for (uint32_t i = 0; i < 200; i++) {
      d.mem[0] = (uint32_t)n << 16 | i;
      end_works(&d, (uint32_t)n << 20 | i);
      if (d.mem[0] != ((uint32_t)n << 16 | i))
         return 1;
   }
   return 0;
}

static void
several(void **state)
{
   pid_t children[6];

   for (int i = 0; i < 6; i++)
      children[i] = run(draw, i + 1);
   for (int i = 0; i < 6; i++)
      assert_int_equal(result_of(children[i]), 0);
}

/* Names of buffers are numbers that anybody can guess, and messages tell of others. */
static int
look_at_others(int unused)
{
   struct door d = door_begin();
   struct drm_gem_flink name = { .handle = d.handle };
   struct drm_gem_open opened = { .name = 1 };
   char text[256];

   return atoll_client_ioctl(d.c, DRM_IOCTL_GEM_FLINK, &name) != -EACCES ||
          atoll_client_ioctl(d.c, DRM_IOCTL_GEM_OPEN, &opened) != -EACCES ||
          atoll_device_messages(atoll_device_get(), text, sizeof(text));
}

static void
no_names(void **state)
{
   assert_int_equal(result_of(run(look_at_others, 0)), 0);
}

static int signals[2], orders[2];

static void
say(int *pipe_ends)
{
   assert_int_equal(write(pipe_ends[1], "x", 1), 1);
}

static void
hear(int *pipe_ends)
{
   char c;

   assert_int_equal(read(pipe_ends[0], &c, 1), 1);
}

static int
be_guilty(int unused)
{
   struct door d = door_begin();

   end_create_large(&d);
   end_submit_long(&d, 7);
   usleep(200000);
   say(signals);
   door_wait(d.c, d.handle);
   if (door_guilt(&d, 7).count != 1 || end_resets(&d) != 1)
      return 1;
   end_works(&d, 1);
   return 0;
}

static int
be_innocent(int unused)
{
   struct door d = door_begin();

   end_works(&d, 2);
   say(signals);
   hear(orders);
   if (end_resets(&d) != 1 || door_guilt(&d, 7).count)
      return 1;
   end_works(&d, 3);
   return 0;
}

/* The process with the device is killed: there is another one, for those that are connected, too.
 * */
static void
killed(void **state)
{
   pid_t innocent, guilty;

   assert_int_equal(pipe(signals), 0);
   assert_int_equal(pipe(orders), 0);
   innocent = run(be_innocent, 0);
   hear(signals);
   guilty = run(be_guilty, 0);
   hear(signals);
   find_and_kill(find_device(path));
   say(orders);
   assert_int_equal(result_of(guilty), 0);
   assert_int_equal(result_of(innocent), 0);
   assert_int_equal(result_of(run(draw, 9)), 0);
}

/* While nobody serves at its socket a client has no device, and after that the next one: the end
 * was one reset. */
static int
be_without(int unused)
{
   struct door d;
   uint32_t count;

   strcat(path, "-2");
   if (serve())
      return 1;
   d = door_begin();
   end_works(&d, 1);
   d.mem[0] = 0x1234;
   if (!end_serving())
      return 2;
   for (int i = 0; i < 3; i++)
      if (door_info(d.c, RADEON_INFO_GPU_RESET_COUNTER, &count) != -ENODEV)
         return 3;
   if (serve())
      return 4;
   if (end_resets(&d) != 1 || d.mem[0] != 0x1234)
      return 5;
   end_works(&d, 2);
   return end_serving() ? 0 : 6;
}

static void
without(void **state)
{
   assert_int_equal(result_of(run(be_without, 0)), 0);
}

/* A client that is killed in the midst of its work does not hold up the others for long. */
static int
work_long(int unused)
{
   struct door d = door_begin();

   end_create_large(&d);
   for (int i = 0; i < 8; i++)
      end_submit_long(&d, 1);
   say(signals);
   pause();
   return 0;
}

static void
left_alone(void **state)
{
   struct timespec before, after;
   pid_t child;

   child = run(work_long, 0);
   hear(signals);
   kill(child, SIGKILL);
   assert_int_equal(result_of(child), 255);
   clock_gettime(CLOCK_MONOTONIC, &before);
   assert_int_equal(result_of(run(draw, 3)), 0);
   clock_gettime(CLOCK_MONOTONIC, &after);
   assert_true(after.tv_sec - before.tv_sec < 8);
}

/* ---- Messages ---- */

/* Past the hello. */
static int
connect_greeted(void)
{
   struct wire_buffer b = { 0 };
   const int fd = connect_raw();
   int status;

   assert_true(fd >= 0);
   assert_int_equal(wire_receive(fd, &b, &status), 0);
   assert_true(status >= 0);
   /* The page cannot be written here. */
   assert_ptr_equal(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, status, 0), MAP_FAILED);
   assert_int_not_equal(ftruncate(status, 0), 0);
   close(status);
   free(b.bytes);
   return fd;
}

/* Whether the device ends the connection within some seconds. */
static bool
is_ended(int fd)
{
   struct pollfd p = { .fd = fd, .events = POLLIN };
   char bytes[64];
   bool ended = poll(&p, 1, 5000) == 1 && recv(fd, bytes, sizeof(bytes), 0) <= 0;

   close(fd);
   return ended;
}

static bool
ends_by(const void *bytes, size_t length)
{
   const int fd = connect_greeted();

   assert_int_equal(send(fd, bytes, length, MSG_NOSIGNAL), (ssize_t)length);
   return is_ended(fd);
}

static void
no_messages(void **state)
{
   static uint8_t large[100000];
   struct wire_head head = { .bytes = sizeof(head), .kind = WIRE_RENDER };
   struct {
      struct wire_head head;
      struct wire_range range;
   } one = { { .bytes = sizeof(one), .kind = WIRE_IOCTL, .num_ranges = 1 }, { 0 } };

   assert_true(ends_by(large, 1));
   assert_true(ends_by(large, sizeof(head)));
   assert_true(ends_by(large, sizeof(large)));
   head.bytes = sizeof(head) - 1;
   assert_true(ends_by(&head, sizeof(head)));
   head.bytes = UINT32_MAX;
   assert_true(ends_by(&head, sizeof(head)));
   head.bytes = sizeof(head);
   head.num_ranges = 1;
   assert_true(ends_by(&head, sizeof(head)));
   head.num_ranges = UINT32_MAX;
   assert_true(ends_by(&head, sizeof(head)));
   head.num_ranges = 0;
   head.arg_bytes = 8;
   assert_true(ends_by(&head, sizeof(head)));
   head.arg_bytes = 0;
   head.kind = 12345;
   assert_true(ends_by(&head, sizeof(head)));
   head.kind = WIRE_HELLO;
   assert_true(ends_by(&head, sizeof(head)));
   one.range = (struct wire_range){ 0, 1, WIRE_IN };
   assert_true(ends_by(&one, sizeof(one)));
   one.range = (struct wire_range){ 0, WIRE_OUT_BYTES + 1, WIRE_OUT };
   assert_true(ends_by(&one, sizeof(one)));
   one.range = (struct wire_range){ UINT64_MAX, 2, WIRE_OUT };
   assert_true(ends_by(&one, sizeof(one)));
   one.range = (struct wire_range){ 0, 0, 4 };
   assert_true(ends_by(&one, sizeof(one)));
   assert_int_equal(result_of(run(draw, 4)), 0);
}

/* One request, with a descriptor or without; its result. */
static int
ask(int fd, unsigned long request, void *arg, int with, int *answer)
{
   struct wire_head head = { .kind = WIRE_IOCTL,
                             .request = (uint32_t)request,
                             .arg_bytes = _IOC_SIZE(request) };
   struct wire_buffer b = { 0 };
   struct wire_message m;

   head.bytes = (uint32_t)sizeof(head) + head.arg_bytes;
   assert_true(wire_append(&b, &head, sizeof(head)) && wire_append(&b, arg, head.arg_bytes));
   assert_int_equal(wire_send(fd, &b, with), 0);
   assert_int_equal(wire_receive(fd, &b, answer), 0);
   assert_true(wire_read(b.bytes, b.length, &m) && m.head.arg_bytes == head.arg_bytes);
   memcpy(arg, m.arg, head.arg_bytes);
   free(b.bytes);
   return m.head.result;
}

/* What names memory or descriptors of the device's own process reaches none of it. */
static void
own_memory(void **state)
{
   const int fd = connect_greeted();
   uint64_t value = 0;
   int answer, other = open("/dev/null", O_RDWR);

   for (int n = 0; n < 20; n++) {
      struct drm_prime_handle prime = { .fd = n };

      assert_int_equal(ask(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime, -1, &answer), -EBADF);
      assert_int_equal(answer, -1);
   }
   struct drm_prime_handle prime = { 0 };
   assert_int_equal(ask(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime, other, &answer), -EPERM);

   struct drm_radeon_info info = { .request = RADEON_INFO_DEVICE_ID, .value = (uintptr_t)&value };
   assert_int_equal(ask(fd, DRM_IOCTL_RADEON_INFO, &info, -1, &answer), -EFAULT);
   info.request = RADEON_INFO_RING_WORKING;
   assert_int_equal(ask(fd, DRM_IOCTL_RADEON_INFO, &info, -1, &answer), -EFAULT);

   struct drm_radeon_cs cs = { .num_chunks = 1, .chunks = (uintptr_t)&value };
   assert_int_equal(ask(fd, DRM_IOCTL_RADEON_CS, &cs, -1, &answer), -EFAULT);

   struct drm_radeon_gem_userptr user = { .addr = (uintptr_t)program & ~UINT64_C(4095),
                                          .size = 4096 };
   assert_int_equal(ask(fd, DRM_IOCTL_RADEON_GEM_USERPTR, &user, -1, &answer), -EOPNOTSUPP);

   struct drm_version version = { .name = (char *)&value, .name_len = 8 };
   assert_int_equal(ask(fd, DRM_IOCTL_VERSION, &version, -1, &answer), -EFAULT);

   /* The struct's size is the message's. */
   struct wire_head head = { .bytes = sizeof(head),
                             .kind = WIRE_IOCTL,
                             .request = (uint32_t)DRM_IOCTL_RADEON_INFO };
   assert_int_equal(send(fd, &head, sizeof(head), 0), (ssize_t)sizeof(head));
   assert_int_equal(recv(fd, &head, sizeof(head), 0), (ssize_t)sizeof(head));
   assert_int_equal(head.result, -EINVAL);
   close(other);
   close(fd);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_files), cmocka_unit_test(several),    cmocka_unit_test(no_names),
      cmocka_unit_test(killed),      cmocka_unit_test(without),    cmocka_unit_test(no_messages),
      cmocka_unit_test(own_memory),  cmocka_unit_test(left_alone),
   };

   if (argc != 2)
      return 2;
   program = argv[1];
   return cmocka_run_group_tests(tests, start, stop);
}
