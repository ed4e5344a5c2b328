/* SPDX-License-Identifier: MIT */
/*
 * Sequences of ioctls of several clients: buffers that are made, mapped, exported, imported, named,
 * submitted and closed in any order, by clients that go, and by children of fork() that die.
 *
 * What must hold: a new buffer is empty; each client has a buffer of its own without an address,
 * which no submission reaches and which holds what it wrote; another one, at the same address in
 * each client, is given to no other; and what submissions copy from anywhere in a client's
 * addresses never has another's in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cayman_draw.h"
#include "records.h"

#include "../device/forking.h"

#define MAX_RECORDS 64u
#define CLIENTS     4u
#define BUFFERS     24u
#define FILES       6u
#define PAGE        4096u
#define MARKED_VA   (VA_BASE + 0x1000000)
#define COPY_VA     (VA_BASE + 0x2000000)

enum {
   CREATE,
   CLOSE,
   MAP_VA,
   UNMAP_VA,
   MAP,
   UNMAP,
   WRITE,
   EXPORT,
   IMPORT,
   CLOSE_FILE,
   NAME,
   OPEN_NAME,
   USER,
   COPY, /* of the client's addresses to its buffer at COPY_VA */
   SUBMIT,
   WAIT,
   ANY_IOCTL,
   REOPEN, /* the client goes, and another comes */
   DIE,    /* a child */
   KINDS,
};

struct buffer {
   uint32_t handle;
   uint64_t size;
   uint8_t *map;
};

struct peer {
   struct atoll_client *c;
   struct buffer buffers[BUFFERS];
   uint64_t *secret, *marked, *copied;
   uint32_t copied_handle;
};

static struct peer peers[CLIENTS];
static int files[FILES];
static uint32_t names[FILES];
static uint8_t *user; /* shared memory of the program */
static bool forked;

/* Different for each client, and for each process. */
static FUZZ_UNSEEN uint64_t
secret_of(const struct peer *p)
{
   return ((uint64_t)(uintptr_t)user ^ 0xca9a51e5ba5eba11) + (uint64_t)(p - peers) * 0x1000193;
}

static struct buffer
new_buffer(struct peer *p, uint64_t size)
{
   struct drm_radeon_gem_create args = { .size = size, .initial_domain = RADEON_GEM_DOMAIN_GTT };

   atoll_client_ioctl(p->c, DRM_IOCTL_RADEON_GEM_CREATE, &args);
   return (struct buffer){ .handle = args.handle, .size = size };
}

static void *
map_handle(struct peer *p, uint32_t handle, uint64_t size)
{
   struct drm_radeon_gem_mmap args = { .handle = handle, .size = size };

   if (atoll_client_ioctl(p->c, DRM_IOCTL_RADEON_GEM_MMAP, &args))
      return NULL;
   void *at =
      atoll_client_mmap(p->c, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, args.addr_ptr);
   return at == MAP_FAILED ? NULL : at;
}

static FUZZ_UNSEEN void
open_peer(struct peer *p)
{
   memset(p, 0, sizeof(*p));
   p->c = door_open();
   const uint32_t secret = door_create(p->c, PAGE), marked = door_create(p->c, PAGE);
   p->copied_handle = door_create(p->c, PAGE);
   FUZZ_CHECK(door_va(p->c, marked, RADEON_VA_MAP, MARKED_VA, NULL) == 0);
   FUZZ_CHECK(door_va(p->c, p->copied_handle, RADEON_VA_MAP, COPY_VA, NULL) == 0);
   p->secret = door_map(p->c, secret, PAGE);
   p->marked = door_map(p->c, marked, PAGE);
   p->copied = door_map(p->c, p->copied_handle, PAGE);
   for (unsigned n = 0; n < PAGE / 8; n++) {
      FUZZ_CHECK(p->secret[n] == 0 && p->marked[n] == 0 && p->copied[n] == 0);
      p->secret[n] = p->marked[n] = secret_of(p);
   }
}

static void
unmap(struct peer *p, struct buffer *b)
{
   if (b->map)
      atoll_client_munmap(p->c, b->map, b->size);
   b->map = NULL;
}

static void
close_peer(struct peer *p)
{
   for (unsigned n = 0; n < BUFFERS; n++)
      unmap(p, &p->buffers[n]);
   munmap(p->secret, PAGE);
   munmap(p->marked, PAGE);
   munmap(p->copied, PAGE);
   atoll_client_close(p->c);
}

/* Whether memory has another client's secret in it. */
static FUZZ_UNSEEN void
look_for_secrets(const struct peer *p, const void *memory, size_t size)
{
   uint64_t word;

   for (size_t at = 0; memory && at + 8 <= size; at += 8) {
      memcpy(&word, (const uint8_t *)memory + at, 8);
      for (unsigned other = 0; other < CLIENTS; other++)
         FUZZ_CHECK(&peers[other] == p || word != secret_of(&peers[other]));
   }
}

static FUZZ_UNSEEN void
check_peer(const struct peer *p)
{
   for (unsigned n = 0; n < PAGE / 8; n++)
      FUZZ_CHECK(p->secret[n] == secret_of(p));
   look_for_secrets(p, p->copied, PAGE);
   for (unsigned n = 0; n < BUFFERS; n++)
      look_for_secrets(p, p->buffers[n].map, PAGE);
}

static void
create(struct peer *p, struct buffer *b, struct fuzz_record r)
{
   static const uint64_t sizes[] = { PAGE, 3 * PAGE, 65536, 1 << 20 };
   const uint64_t size = r.sub & 0x80 ? r.value : sizes[r.sub & 3];

   if (b->handle || b->map)
      return;
   *b = new_buffer(p, size);
   if (!b->handle)
      return;
   b->size = (size + PAGE - 1) / PAGE * PAGE;
   b->map = b->size <= 1 << 20 ? map_handle(p, b->handle, b->size) : NULL;
   for (size_t n = 0; b->map && n < b->size; n += 8) {
      uint64_t word;
      memcpy(&word, b->map + n, 8);
      FUZZ_CHECK(word == 0);
   }
}

/* Copies a page of any address to where the client sees it. */
static void
copy(struct peer *p, struct fuzz_record r)
{
   const uint64_t from = (VA_BASE & ~UINT64_C(0xfff)) + (uint64_t)r.value * 8;
   uint32_t words[8] = { pm4_header(PM4_CP_DMA, 5, false), (uint32_t)from,
                         (uint32_t)(from >> 32),           (uint32_t)COPY_VA,
                         (uint32_t)(COPY_VA >> 32),        PAGE };

   /* Not its own, which may hold what it likes. */
   if (from + PAGE > MARKED_VA && from < MARKED_VA + PAGE)
      return;
   door_submit(p->c, words, 6, r.sub & 1 ? RADEON_CS_RING_DMA : RADEON_CS_RING_GFX,
               p->copied_handle);
}

/* A submission with any buffer, right or not, of any ring. */
static void
submit(struct peer *p, struct buffer *b, struct fuzz_record r)
{
   uint32_t words[64];
   const uint32_t count = 1 + r.index % 60;

   for (uint32_t n = 0; n < count; n++)
      words[n] = r.sub & 1 ? PM4_TYPE2 : r.value * (n + 1);
   if (r.sub & 2) {
      words[0] = pm4_header(PM4_MEM_WRITE, 4, false);
      words[1] = (uint32_t)VA_BASE + r.value % 0x2000 * PAGE;
      words[2] = 1 << 18;
      words[3] = words[4] = r.value;
      for (uint32_t n = 5; n < count; n++)
         words[n] = PM4_TYPE2;
   }
   door_submit_flags(p->c, words, count < 5 ? 5 : count, r.sub >> 2 & 3, b->handle,
                     r.sub & 64 ? r.value : RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS);
}

/* Any number with any contents but pointers, which the program vouches for. */
static void
any_ioctl(struct peer *p, struct fuzz_record r)
{
   uint64_t args[32], target[4] = { r.value };
   unsigned nr = r.sub & 0x80 ? r.sub & 0x7f : DRM_COMMAND_BASE + r.sub % 0x30;

   for (unsigned n = 0; n < 32; n++)
      args[n] = (uint64_t)(r.index & 1 ? r.value : 0) << 32 | (r.value >> n % 16);
   switch (nr) {
   case DRM_COMMAND_BASE + DRM_RADEON_INFO:
      args[1] = (uintptr_t)target;
      break;
   case DRM_COMMAND_BASE + DRM_RADEON_CS:
      args[1] = 0;
      break;
   case DRM_COMMAND_BASE + DRM_RADEON_GEM_USERPTR:
      args[0] = 0;
      break;
   case DRM_COMMAND_BASE + DRM_RADEON_GEM_CREATE:
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD): /* have kinds of their own */
   case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
   case _IOC_NR(DRM_IOCTL_GEM_OPEN):
   case DRM_COMMAND_BASE + DRM_RADEON_GEM_VA:
      return;
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      args[1] = UINT32_MAX;
      break;
   case _IOC_NR(DRM_IOCTL_VERSION):
      memset(args, 0, sizeof(args));
      break;
   default:
      /* Modes are set with pointers, too. */
      if (nr >= 0xa0)
         memset(args, 0, sizeof(args));
   }
   atoll_client_ioctl(p->c, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, nr, 8 + r.index % 248),
                      args);
}

/* A child uses what it has inherited, makes a device of its own, and ends in the middle of it. */
static void
die(struct peer *p, struct buffer *b, struct fuzz_record r)
{
   int status;

   if (forked)
      return;
   forked = true; /* one is enough, and slow */
   const pid_t child = forking_fork();
   FUZZ_CHECK(child >= 0);
   if (child) {
      FUZZ_CHECK(waitpid(child, &status, 0) == child);
      FUZZ_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
      return;
   }
   alarm(20);
   struct drm_radeon_gem_wait_idle wait = { .handle = b->handle };
   if (atoll_client_ioctl(p->c, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait) != -ENODEV)
      _exit(1);
   if (r.sub & 1)
      memset(p->secret, 0x77, PAGE);     /* the child's own copy */
   if (r.sub & 2 && !SANITIZER_THREAD) { /* TSan knows no threads of a child of threads */
      struct door mine = door_begin();
      struct drm_prime_handle import = { .fd = files[r.index % FILES] };

      atoll_client_ioctl(mine.c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import);
      door_submit(mine.c, &(uint32_t){ PM4_TYPE2 }, 1, RADEON_CS_RING_GFX, mine.handle);
   }
   _exit(0);
}

static void
act(struct fuzz_record r)
{
   struct peer *p = &peers[r.sub >> 4 & 3];
   struct buffer *b = &p->buffers[r.index % BUFFERS];
   int *file = &files[(r.index >> 8) % FILES];
   uint32_t *name = &names[(r.index >> 8) % FILES];
   const uint64_t va = VA_BASE + r.value % 0x800 * PAGE;

   switch (r.kind % KINDS) {
   case CREATE:
      create(p, b, r);
      break;
   case CLOSE:
      door_close(p->c, b->handle);
      if (!(r.sub & 1)) /* else it stays mapped */
         unmap(p, b);
      b->handle = 0;
      if (!b->map)
         b->size = 0;
      break;
   case MAP_VA:
      door_va(p->c, b->handle, RADEON_VA_MAP, r.sub & 1 ? (uint64_t)r.value << 12 : va, NULL);
      break;
   case UNMAP_VA:
      door_va(p->c, b->handle, RADEON_VA_UNMAP, va, NULL);
      break;
   case MAP:
      if (!b->map && b->handle && b->size && b->size <= 1 << 20)
         b->map = map_handle(p, b->handle, b->size);
      break;
   case UNMAP:
      unmap(p, b);
      break;
   case WRITE:
      if (b->map)
         memset(b->map, r.sub, PAGE);
      break;
   case EXPORT: {
      struct drm_prime_handle args = { .handle = b->handle, .flags = DRM_CLOEXEC | DRM_RDWR };

      if (*file < 0 && atoll_client_ioctl(p->c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args) == 0)
         *file = args.fd;
      break;
   }
   case IMPORT: {
      struct drm_prime_handle args = { .fd = *file };

      if (!b->handle && !b->map &&
          atoll_client_ioctl(p->c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args) == 0)
         *b = (struct buffer){ .handle = args.handle, .size = PAGE };
      break;
   }
   case CLOSE_FILE:
      if (*file >= 0)
         close(*file);
      *file = -1;
      break;
   case NAME: {
      struct drm_gem_flink args = { .handle = b->handle };

      if (atoll_client_ioctl(p->c, DRM_IOCTL_GEM_FLINK, &args) == 0)
         *name = args.name;
      break;
   }
   case OPEN_NAME: {
      struct drm_gem_open args = { .name = r.sub & 1 ? r.value : *name };

      if (!b->handle && !b->map && atoll_client_ioctl(p->c, DRM_IOCTL_GEM_OPEN, &args) == 0)
         *b = (struct buffer){ .handle = args.handle, .size = PAGE };
      break;
   }
   case USER: {
      struct drm_radeon_gem_userptr args = { .addr = (uintptr_t)user + r.value % 16 * PAGE,
                                             .size = (uint64_t)(1 + r.sub % 16) * PAGE,
                                             .flags = RADEON_GEM_USERPTR_ANONONLY };

      args.flags = r.value >> 8 & 15;
      if (!b->handle && !b->map &&
          atoll_client_ioctl(p->c, DRM_IOCTL_RADEON_GEM_USERPTR, &args) == 0)
         *b = (struct buffer){ .handle = args.handle, .size = args.size };
      break;
   }
   case COPY:
      copy(p, r);
      break;
   case SUBMIT:
      submit(p, b, r);
      break;
   case WAIT:
      atoll_client_ioctl(p->c, DRM_IOCTL_RADEON_GEM_WAIT_IDLE,
                         &(struct drm_radeon_gem_wait_idle){ .handle = b->handle });
      break;
   case ANY_IOCTL:
      any_ioctl(p, r);
      break;
   case REOPEN:
      close_peer(p);
      open_peer(p);
      break;
   default:
      die(p, b, r);
   }
}

FUZZ_ENTRY(ioctls)
{
   if (size > MAX_RECORDS * 8)
      return 0;
   setenv("ATOLL_ISA", "cayman", 1);
   setenv("ATOLL_BUDGET", "1000000c", 1);
   setenv("ATOLL_THREADS", "1", 1);
   setenv("ATOLL_SIMD", "sse2", 0);
   if (!user)
      user = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   FUZZ_CHECK(user != MAP_FAILED);
   forked = false;
   for (unsigned n = 0; n < FILES; n++)
      files[n] = -1;
   memset(names, 0, sizeof(names));
   for (unsigned n = 0; n < CLIENTS; n++)
      open_peer(&peers[n]);
   for (size_t n = 0; n < size / 8; n++)
      act(fuzz_record(data, n));
   for (unsigned n = 0; n < CLIENTS; n++) {
      door_wait(peers[n].c, peers[n].copied_handle);
      check_peer(&peers[n]);
   }
   for (unsigned n = 0; n < CLIENTS; n++)
      close_peer(&peers[n]);
   for (unsigned n = 0; n < FILES; n++)
      if (files[n] >= 0)
         close(files[n]);
   return 0;
}

FUZZ_RECORDS(KINDS)
