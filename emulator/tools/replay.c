/* SPDX-License-Identifier: MIT */
/*
 * atoll-replay FILE: runs a capture (frontdoor/capture.h) through the front door and prints the
 * hash of memory after each submission, beside the one from when it was captured.  Exit code 0
 * when all agree, 1 when one does not, 2 when the file cannot be used.
 *
 * atoll-replay --mutate N FILE: runs it N times, each time with some dwords of the command streams
 * and of memory (shaders, descriptors, vertices) changed at random.  The device must survive; the
 * results mean nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <drm.h>
#include <radeon_drm.h>

#include <atoll/device.h>

#include "frontdoor/capture.h"
#include "frontdoor/device.h"
#include "radeon/chip.h"

#define MAX_CLIENTS 256

struct buffer {
   struct buffer *next;
   uint64_t va, size;
   uint32_t handle;
   uint8_t *data;
};

struct replayed {
   uint64_t id;
   struct atoll_client *client;
   struct buffer *buffers;
   struct capture_space space;
};

struct play {
   struct atoll_device *device;
   const uint8_t *data;
   size_t size, at;
   uint64_t random; /* 0: as captured */
   bool quiet;
   struct replayed clients[MAX_CLIENTS];
   uint64_t submissions, wrong;
};

static uint64_t
rnd(struct play *p)
{
   p->random ^= p->random << 13;
   p->random ^= p->random >> 7;
   p->random ^= p->random << 17;
   return p->random >> 11;
}

/* Changes a few of `count` dwords, one time in `seldom`. */
static void
mutate(struct play *p, uint32_t *words, uint32_t count, unsigned seldom)
{
   if (!p->random || !count || rnd(p) % seldom)
      return;
   for (unsigned n = 1 + rnd(p) % 3; n; n--) {
      uint32_t *word = &words[rnd(p) % count];

      switch (rnd(p) % 5) {
      case 0:
         *word = (uint32_t)rnd(p);
         break;
      case 1:
         *word ^= 1u << rnd(p) % 32;
         break;
      case 2:
         *word += (uint32_t)(rnd(p) % 64) - 32;
         break;
      case 3:
         *word = rnd(p) % 2 ? 0 : UINT32_MAX;
         break;
      default:
         *word = words[rnd(p) % count];
      }
   }
}

/* The next `size` bytes of the file, or NULL. */
static const void *
take(struct play *p, size_t size)
{
   const void *bytes = p->data + p->at;

   if (size > p->size - p->at)
      return NULL;
   p->at += size;
   return bytes;
}

static struct replayed *
find_client(struct play *p, uint64_t id)
{
   for (unsigned i = 0; i < MAX_CLIENTS; i++) {
      struct replayed *r = &p->clients[i];

      if (r->client && r->id == id)
         return r;
      if (!r->client) {
         r->id = id;
         r->client = atoll_client_open(p->device);
         return r->client ? r : NULL;
      }
   }
   return NULL;
}

static bool
map(struct replayed *r, uint64_t va, uint64_t size)
{
   struct drm_radeon_gem_create create = { .size = size, .initial_domain = RADEON_GEM_DOMAIN_GTT };
   struct drm_radeon_gem_va place = { .operation = RADEON_VA_MAP, .offset = va };
   struct drm_radeon_gem_mmap view = { .size = size };
   struct buffer *b = calloc(1, sizeof *b);

   if (!b || atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_GEM_CREATE, &create)) {
      free(b);
      return false;
   }
   place.handle = view.handle = b->handle = create.handle;
   b->va = va;
   b->size = size;
   b->next = r->buffers;
   r->buffers = b;
   if (atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_GEM_VA, &place) ||
       atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_GEM_MMAP, &view))
      return false;
   b->data =
      atoll_client_mmap(r->client, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, view.addr_ptr);
   if (b->data == MAP_FAILED || !capture_space_map(&r->space, va, size))
      return false;
   for (uint32_t i = 0; i < r->space.count; i++)
      r->space.mappings[i].used = true;
   return true;
}

static void
unmap(struct replayed *r, uint64_t va)
{
   for (struct buffer **b = &r->buffers; *b; b = &(*b)->next) {
      struct buffer *gone = *b;
      struct drm_gem_close close = { .handle = gone->handle };

      if (gone->va != va)
         continue;
      *b = gone->next;
      munmap(gone->data, gone->size);
      atoll_client_ioctl(r->client, DRM_IOCTL_GEM_CLOSE, &close);
      capture_space_unmap(&r->space, va);
      free(gone);
      return;
   }
}

static bool
read_page(struct play *p, struct replayed *r, uint64_t va)
{
   const void *page = take(p, CAPTURE_PAGE);

   for (struct buffer *b = r->buffers; page && b; b = b->next) {
      if (va < b->va || va - b->va + CAPTURE_PAGE > b->size)
         continue;
      memcpy(b->data + (va - b->va), page, CAPTURE_PAGE);
      mutate(p, (uint32_t *)(b->data + (va - b->va)), CAPTURE_PAGE / 4, 2);
      return true;
   }
   return false;
}

static bool
submit(struct play *p, struct replayed *r, uint64_t ring, uint64_t num_words)
{
   uint32_t flags[2] = { RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS, (uint32_t)ring };
   struct drm_radeon_cs_chunk chunks[2] = { { .chunk_id = RADEON_CHUNK_ID_IB },
                                            { .chunk_id = RADEON_CHUNK_ID_FLAGS } };
   uint64_t pointers[2] = { (uintptr_t)&chunks[0], (uintptr_t)&chunks[1] };
   struct drm_radeon_cs cs = { .num_chunks = 2, .chunks = (uintptr_t)pointers };
   const uint32_t *captured;
   uint32_t *words;
   bool ok;

   if (!num_words || num_words > CHIP_IB_DWORDS)
      return false;
   captured = take(p, ((num_words + 1) & ~UINT64_C(1)) * 4);
   words = malloc(num_words * 4);
   if (!captured || !words) {
      free(words);
      return false;
   }
   memcpy(words, captured, num_words * 4);
   mutate(p, words, (uint32_t)num_words, 1);
   chunks[0].length_dw = (uint32_t)num_words;
   chunks[0].chunk_data = (uintptr_t)words;
   chunks[1].length_dw = 2;
   chunks[1].chunk_data = (uintptr_t)flags;
   ok = !atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_CS, &cs);
   free(words);
   return ok;
}

static bool
replay_record(struct play *p, const struct capture_record *record)
{
   struct replayed *r = find_client(p, record->client);
   uint64_t hash;

   if (!r)
      return false;
   switch (record->kind) {
   case CAPTURE_MAP:
      return map(r, record->a, record->b);
   case CAPTURE_UNMAP:
      unmap(r, record->a);
      return true;
   case CAPTURE_PAGE_DATA:
      return read_page(p, r, record->a);
   case CAPTURE_SUBMIT:
      return submit(p, r, record->a, record->b);
   case CAPTURE_HASH:
      hash = capture_space_hash(&r->space, r->client->vm);
      p->submissions++;
      p->wrong += hash != record->a;
      if (!p->quiet)
         printf("%6" PRIu64 " client %" PRIu64 " %016" PRIx64 "%s\n", p->submissions,
                record->client, hash, hash == record->a ? "" : " differs");
      return true;
   default:
      return false;
   }
}

/* Plays the whole file; false when it has a record that cannot be replayed. */
static bool
play(struct play *p, const char *path)
{
   const struct capture_record *record;
   bool ok = true;

   p->at = 8;
   while (ok && (record = take(p, sizeof *record))) {
      ok = replay_record(p, record);
      if (!ok)
         fprintf(stderr,
                 "atoll-replay: %s: the record of kind %" PRIu64 " before byte %zu cannot "
                 "be replayed\n",
                 path, record->kind, p->at);
   }
   for (unsigned i = 0; i < MAX_CLIENTS && p->clients[i].client; i++) {
      struct replayed *r = &p->clients[i];

      while (r->buffers)
         unmap(r, r->buffers->va);
      atoll_client_close(r->client);
      capture_space_finish(&r->space);
      *r = (struct replayed){ 0 };
   }
   return ok;
}

static uint8_t *
load(const char *path, size_t *size)
{
   FILE *file = fopen(path, "rb");
   uint8_t *data = NULL;
   long length;

   if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0) {
      fprintf(stderr, "atoll-replay: %s: %s\n", path, strerror(errno));
   } else {
      data = malloc((size_t)length + 1);
      rewind(file);
      if (!data || fread(data, 1, (size_t)length, file) != (size_t)length || length < 8 ||
          memcmp(data, CAPTURE_MAGIC, 8)) {
         fprintf(stderr, "atoll-replay: %s: not a capture\n", path);
         free(data);
         data = NULL;
      }
      *size = (size_t)length;
   }
   if (file)
      fclose(file);
   return data;
}

int
main(int argc, char **argv)
{
   struct play p = { 0 };
   unsigned long rounds = 0, seed = 1;
   const char *path = NULL;
   uint8_t *data;
   bool ok;

   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--mutate") && i + 1 < argc)
         rounds = strtoul(argv[++i], NULL, 0);
      else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
         seed = strtoul(argv[++i], NULL, 0);
      else if (argv[i][0] != '-' && !path)
         path = argv[i];
      else
         path = NULL, i = argc;
   }
   if (!path) {
      printf("usage: atoll-replay FILE\n"
             "       atoll-replay --mutate ROUNDS [--seed N] FILE\n\n"
             "Runs a capture (ATOLL_CS_CAPTURE=FILE) and compares the hash of memory after each\n"
             "submission with the captured one; or runs it changed at random.\n");
      return argc == 2 && !strcmp(argv[1], "--help") ? 0 : 2;
   }
   unsetenv("ATOLL_CS_CAPTURE");
   setenv("ATOLL_SYNC", "1", 1);
   setenv("ATOLL_CLOCK", "device", 1);
   data = load(path, &p.size);
   if (!data)
      return 2;
   /* Accidents are common here; none of them should take a minute. */
   if (rounds)
      setenv("ATOLL_BUDGET", "10000000", 0);
   p.data = data;
   p.device = atoll_device_get();
   if (!p.device) {
      fprintf(stderr, "atoll-replay: no device: %s\n", strerror(errno));
      free(data);
      return 2;
   }
   if (!rounds) {
      ok = play(&p, path);
      printf("%" PRIu64 " submissions, %" PRIu64 " differ\n", p.submissions, p.wrong);
      free(data);
      return !ok ? 2 : p.wrong != 0;
   }
   p.quiet = true;
   for (unsigned long round = 0; round < rounds; round++) {
      p.random = (seed + round) * UINT64_C(0x9e3779b97f4a7c15) | 1;
      if (!play(&p, path)) {
         free(data);
         return 2;
      }
   }
   printf("%lu rounds survived\n", rounds);
   free(data);
   return 0;
}
