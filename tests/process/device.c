/* SPDX-License-Identifier: MIT */
/*
 * ATOLL_DEVICE=process: the device is not here, and its end is a reset; forks, and what is left of
 * clients that end.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "end.h"

static void
works(void **state)
{
   struct door d = door_begin();
   struct drm_version v = { 0 };
   char name[16] = "";
   uint64_t id = 0;

   assert_true(find_device_of(getpid()) > 0);
   for (uint32_t i = 0; i < 100; i++)
      end_works(&d, i);
   v.name = name;
   v.name_len = sizeof(name);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_VERSION, &v), 0);
   assert_string_equal(name, "radeon");
   assert_int_equal(v.name_len, 6);
   assert_int_equal(door_info(d.c, ATOLL_INFO_CLIENT, &id), 0);
   assert_int_not_equal(id, 0);
   /* What the front door says, it says here. */
   assert_int_equal(door_close(d.c, 12345), -EINVAL);
   assert_int_equal(door_va(d.c, 12345, RADEON_VA_MAP, VA_BASE, NULL), -ENOENT);
   assert_int_equal(atoll_client_ioctl(d.c, 0x5401, &v), -ENOTTY);
   assert_ptr_equal(
      atoll_client_mmap(d.c, NULL, 1 << 20, PROT_READ, MAP_SHARED, (uint64_t)d.handle << 34),
      MAP_FAILED);
   assert_false(door_said("CS for ring"));
   assert_int_equal(door_submit(d.c, (uint32_t[]){ 0 }, 1, 99, 0), -EINVAL);
   assert_true(door_said("CS for ring 99"));
   door_end(&d);
}

/* A submission of the most words and buffers is many packets. */
static void
is_long(void **state)
{
   static uint32_t words[65536], relocs[4 * 20000];
   struct door d = door_begin();
   uint32_t flags[2] = { RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS, RADEON_CS_RING_GFX };
   struct drm_radeon_cs_chunk chunks[3] = { { RADEON_CHUNK_ID_IB, 65536, (uintptr_t)words },
                                            { RADEON_CHUNK_ID_FLAGS, 2, (uintptr_t)flags },
                                            { RADEON_CHUNK_ID_RELOCS, 80000, (uintptr_t)relocs } };
   uint64_t pointers[3] = { (uintptr_t)&chunks[0], (uintptr_t)&chunks[1], (uintptr_t)&chunks[2] };
   struct drm_radeon_cs args = { .num_chunks = 3, .chunks = (uintptr_t)pointers };
   struct ib ib = { 0 };

   for (unsigned i = 0; i < 65536; i++)
      words[i] = PM4_TYPE2;
   IB_ADD(&ib, PM4_MEM_WRITE, (uint32_t)VA_BASE + 64, 1 << 18, 0xfeed, 0);
   memcpy(words + 65536 - ib.count, ib.words, ib.count * sizeof(words[0]));
   for (unsigned i = 0; i < 20000; i++)
      relocs[i * 4] = d.handle;
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, &args), 0);
   door_wait(d.c, d.handle);
   assert_int_equal(d.mem[16], 0xfeed);
   door_end(&d);
}

/* The device ends when it has nothing to do: everybody is innocent, and all goes on. */
static void
innocent(void **state)
{
   struct door d = door_begin(), other = door_begin();
   const uint32_t before = end_resets(&d), first = door_create(d.c, 8192),
                  second = door_create(d.c, 12288);
   uint32_t *map;

   /* A handle that is not there, and one after it that is. */
   assert_int_equal(door_close(d.c, first), 0);
   map = door_map(d.c, second, 12288);
   map[0] = 0x1111;
   map[3071] = 0x2222;
   d.mem[0] = 0x3333;
   end_works(&other, 1);
   end_kill(&d);
   assert_int_equal(end_resets(&d), before + 1);
   assert_int_equal(end_resets(&other), before + 1);
   assert_int_equal(door_guilt(&d, 7).count, 0);
   assert_int_equal(map[0], 0x1111);
   assert_int_equal(map[3071], 0x2222);
   assert_int_equal(d.mem[0], 0x3333);
   end_works(&d, 0x4444);
   end_works(&other, 0x5555);
   assert_int_equal(d.mem[16], 0x4444);
   assert_int_equal(door_create(d.c, 4096), first);
   /* The buffer is the one that it was, in the device as well. */
   assert_int_equal(door_va(d.c, second, RADEON_VA_MAP, VA_BASE + (1u << 20), NULL), 0);
   struct ib ib = { 0 };
   IB_ADD(&ib, PM4_MEM_WRITE, (uint32_t)VA_BASE + (1u << 20) + 4, 1 << 18, 0x6666, 0);
   door_run(&d, &ib);
   assert_int_equal(map[1], 0x6666);
   atoll_client_munmap(d.c, map, 12288);
   door_end(&d);
   door_end(&other);
}

/* It ends while one client's work executes: that one is guilty. */
static void
guilty(void **state)
{
   struct door d = door_begin(), other = door_begin();

   end_create_large(&d);
   end_works(&other, 1);
   end_submit_long(&d, 7);
   usleep(200000);
   find_and_kill(find_device_of(getpid()));
   door_wait(d.c, d.handle);
   assert_int_equal(door_guilt(&d, 7).count, 1);
   assert_non_null(strstr(door_guilt(&d, 7).text, "the device's process ended"));
   assert_int_equal(door_guilt(&d, 8).count, 0);
   assert_int_equal(door_guilt(&other, 7).count, 0);
   assert_true(end_resets(&d) > 0 && end_resets(&other) > 0);
   end_works(&d, 2);
   end_works(&other, 3);
   /* Another end, of which it is innocent, adds nothing. */
   end_kill(&d);
   end_works(&d, 4);
   assert_int_equal(door_guilt(&d, 7).count, 1);
   door_end(&d);
   door_end(&other);
}

static void *
wait_idle(void *data)
{
   struct door *d = data;

   door_wait(d->c, d->handle);
   return NULL;
}

/* What this process lacks is no end of the device's. */
static void
starves(void **state)
{
   struct door d = door_begin();
   const uint32_t before = end_resets(&d);
   struct rlimit files, none;
   uint32_t count;
   pthread_t thread;
   int result;

   end_create_large(&d);
   end_submit_long(&d, 7);
   assert_int_equal(pthread_create(&thread, NULL, wait_idle, &d), 0);
   usleep(200000);
   assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
   none = files;
   none.rlim_cur = 0;
   assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
   result = door_info(d.c, RADEON_INFO_GPU_RESET_COUNTER, &count);
   assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
   assert_int_equal(result, -EMFILE);
   assert_int_equal(end_resets(&d), before);
   end_kill(&d);
   assert_int_equal(pthread_join(thread, NULL), 0);
   assert_int_equal(end_resets(&d), before + 1);
   door_end(&d);
}

/* A buffer that others have, too, keeps what is in it, mapped here or not. */
static void
exported(void **state)
{
   struct door d = door_begin();
   struct drm_prime_handle args = { .flags = DRM_CLOEXEC | DRM_RDWR };
   const uint32_t handle = door_create(d.c, 4096);
   uint32_t *there, *here;

   args.handle = handle;
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args), 0);
   there = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, args.fd, 0);
   assert_ptr_not_equal(there, MAP_FAILED);
   there[5] = 0x7777;
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args), 0);
   assert_int_equal(args.handle, handle);
   end_kill(&d);
   here = door_map(d.c, handle, 4096);
   assert_int_equal(here[5], 0x7777);
   here[6] = 0x8888;
   assert_int_equal(there[6], 0x8888);
   args.fd = 12345;
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args), -EBADF);
   munmap(there, 4096);
   door_end(&d);
}

/* A child has zeros where its parent has buffers, and a device of its own. */
static void
forks(void **state)
{
   struct door d = door_begin();
   pid_t child;
   int status;

   d.mem[0] = 0x9999;
   end_works(&d, 1);
   child = fork();
   if (!child) {
      struct drm_radeon_gem_wait_idle wait = { .handle = d.handle };
      struct door own;
      bool ok =
         d.mem[0] == 0 && atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait) == -ENODEV;

      d.mem[0] = 1;
      own = door_begin();
      end_works(&own, 2);
      ok = ok && find_device_of(getpid()) > 0;
      _exit(!ok);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
   assert_int_equal(d.mem[0], 0x9999);
   end_works(&d, 3);
   door_end(&d);
}

/* A client that is killed in the midst of its work leaves no process. */
static void
killed(void **state)
{
   int pipes[2], device, status;
   pid_t child;
   char c;

   assert_int_equal(pipe(pipes), 0);
   child = fork();
   if (!child) {
      struct door own = door_begin();

      end_create_large(&own);
      end_submit_long(&own, 1);
      if (write(pipes[1], "r", 1) != 1)
         _exit(1);
      pause();
      _exit(0);
   }
   assert_int_equal(read(pipes[0], &c, 1), 1);
   device = find_device_of(child);
   assert_true(device > 0);
   kill(child, SIGKILL);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(find_end_of(device));
   close(pipes[0]);
   close(pipes[1]);
}

/* Each buffer is a descriptor of the device's, and none of the program's. */
static void
many(void **state)
{
   const pid_t child = fork();
   int status;

   if (!child) {
      struct rlimit files;
      struct door d;

      getrlimit(RLIMIT_NOFILE, &files);
      files.rlim_cur = 100;
      setrlimit(RLIMIT_NOFILE, &files);
      d = door_begin();
      for (unsigned i = 0; i < 1500; i++)
         *(uint32_t *)door_map(d.c, door_create(d.c, 4096), 4096) = i;
      end_works(&d, 1);
      end_kill(&d);
      end_works(&d, 2);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

/* Nor does one that becomes another program. */
static void
executed(void **state)
{
   int ready[2], go[2], device, status;
   pid_t child;
   char c;

   assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
   assert_int_equal(pipe2(go, O_CLOEXEC), 0);
   child = fork();
   if (!child) {
      door_begin();
      if (write(ready[1], "r", 1) == 1 && read(go[0], &c, 1) == 1)
         execl("/bin/sleep", "sleep", "20", (char *)NULL);
      _exit(127);
   }
   assert_int_equal(read(ready[0], &c, 1), 1);
   device = find_device_of(child);
   assert_true(device > 0);
   assert_int_equal(write(go[1], "g", 1), 1);
   assert_true(find_end_of(device));
   kill(child, SIGKILL);
   assert_int_equal(waitpid(child, &status, 0), child);
   for (unsigned i = 0; i < 2; i++) {
      close(ready[i]);
      close(go[i]);
   }
}

struct caller {
   pthread_t thread;
   struct door *d;
   const char *failed; /* what; cmocka's own checks are for its thread alone */
   int result;
};

static bool
succeeds(struct caller *caller, unsigned long request, void *arg, const char *what)
{
   caller->result = atoll_client_ioctl(caller->d->c, request, arg);
   if (caller->result)
      caller->failed = what;
   return !caller->result;
}

static void *
call(void *data)
{
   struct caller *caller = data;

   for (unsigned i = 0; i < 300; i++) {
      struct drm_radeon_gem_create create = { .size = 4096 * (1 + i % 5) };
      struct drm_radeon_gem_mmap view = { 0 };
      struct drm_radeon_gem_wait_idle wait = { .handle = caller->d->handle };
      struct drm_gem_close close = { 0 };
      uint32_t *map;

      if (!succeeds(caller, DRM_IOCTL_RADEON_GEM_CREATE, &create, "create"))
         break;
      view.handle = close.handle = create.handle;
      if (!succeeds(caller, DRM_IOCTL_RADEON_GEM_MMAP, &view, "offset"))
         break;
      map = atoll_client_mmap(caller->d->c, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
                              view.addr_ptr);
      if (map == MAP_FAILED) {
         caller->failed = "map";
         caller->result = -errno;
         break;
      }
      /* What is written while the device is made again may be lost. */
      map[0] = i;
      if (!succeeds(caller, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait, "wait"))
         break;
      atoll_client_munmap(caller->d->c, map, 4096);
      if (!succeeds(caller, DRM_IOCTL_GEM_CLOSE, &close, "close"))
         break;
   }
   return NULL;
}

/* Threads of one client call at the same time, and the device ends in between. */
static void
threads(void **state)
{
   struct door d = door_begin();
   struct caller callers[4];
   const uint32_t before = end_resets(&d);

   for (unsigned i = 0; i < 4; i++) {
      callers[i] = (struct caller){ .d = &d };
      assert_int_equal(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
   }
   for (unsigned i = 0; i < 3; i++) {
      usleep(30000);
      find_and_kill(find_device_of(getpid()));
   }
   for (unsigned i = 0; i < 4; i++) {
      pthread_join(callers[i].thread, NULL);
      if (callers[i].failed)
         fail_msg("%s: %s", callers[i].failed, strerror(-callers[i].result));
   }
   end_works(&d, 5);
   assert_true(end_resets(&d) > before);
   door_end(&d);
}

/* Descriptors of this process stay as many as they were. */
static unsigned
count_descriptors(void)
{
   DIR *all = opendir("/proc/self/fd");
   unsigned count = 0;

   while (readdir(all))
      count++;
   closedir(all);
   return count;
}

static void
leaves_nothing(void **state)
{
   unsigned before;
   struct door d;

   d = door_begin();
   door_end(&d);
   before = count_descriptors();
   for (unsigned i = 0; i < 50; i++) {
      d = door_begin();
      end_works(&d, i);
      door_end(&d);
   }
   assert_int_equal(count_descriptors(), before);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(works),   cmocka_unit_test(is_long),        cmocka_unit_test(innocent),
      cmocka_unit_test(guilty),  cmocka_unit_test(starves),        cmocka_unit_test(exported),
      cmocka_unit_test(forks),   cmocka_unit_test(killed),         cmocka_unit_test(executed),
      cmocka_unit_test(threads), cmocka_unit_test(leaves_nothing), cmocka_unit_test(many),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
