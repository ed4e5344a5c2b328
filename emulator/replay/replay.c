/* SPDX-License-Identifier: MIT */
/*
 * atoll-replay FILE: runs a capture (frontdoor/capture.h) through the front door and prints the
 * hash of memory after each submission, beside the one from when it was captured.  Exit code 0
 * when all agree, 1 when one does not, 2 when the file cannot be used.
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

static struct replayed clients[MAX_CLIENTS];

static struct replayed *
find_client(struct atoll_device *device, uint64_t id)
{
   for (unsigned i = 0; i < MAX_CLIENTS; i++) {
      if (clients[i].client && clients[i].id == id)
         return &clients[i];
      if (!clients[i].client) {
         clients[i].id = id;
         clients[i].client = atoll_client_open(device);
         return clients[i].client ? &clients[i] : NULL;
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
read_page(struct replayed *r, FILE *file, uint64_t va)
{
   for (struct buffer *b = r->buffers; b; b = b->next) {
      if (va < b->va || va - b->va + CAPTURE_PAGE > b->size)
         continue;
      return fread(b->data + (va - b->va), CAPTURE_PAGE, 1, file) == 1;
   }
   return false;
}

static bool
submit(struct replayed *r, FILE *file, uint64_t ring, uint64_t num_words)
{
   uint32_t flags[2] = { RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS, (uint32_t)ring };
   uint32_t count = (uint32_t)((num_words + 1) & ~UINT64_C(1));
   struct drm_radeon_cs_chunk chunks[2] = { { .chunk_id = RADEON_CHUNK_ID_IB },
                                            { .chunk_id = RADEON_CHUNK_ID_FLAGS } };
   uint64_t pointers[2] = { (uintptr_t)&chunks[0], (uintptr_t)&chunks[1] };
   struct drm_radeon_cs cs = { .num_chunks = 2, .chunks = (uintptr_t)pointers };
   uint32_t *words;
   bool ok;

   if (!num_words || num_words > DEVICE_IB_DWORDS)
      return false;
   words = malloc(count * 4);
   chunks[0].length_dw = (uint32_t)num_words;
   chunks[0].chunk_data = (uintptr_t)words;
   chunks[1].length_dw = 2;
   chunks[1].chunk_data = (uintptr_t)flags;
   ok = words && fread(words, 4, count, file) == count &&
        !atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_CS, &cs);
   free(words);
   return ok;
}

int
main(int argc, char **argv)
{
   struct atoll_device *device;
   struct capture_record record;
   uint64_t submissions = 0, wrong = 0;
   char magic[8];
   FILE *file;

   if (argc != 2 || !strcmp(argv[1], "--help")) {
      printf("usage: atoll-replay FILE\n\n"
             "Runs a capture (ATOLL_CS_CAPTURE=FILE) and compares the hash of memory after each\n"
             "submission with the captured one.\n");
      return argc == 2 ? 0 : 2;
   }
   file = fopen(argv[1], "rb");
   if (!file || fread(magic, 8, 1, file) != 1 || memcmp(magic, CAPTURE_MAGIC, 8)) {
      fprintf(stderr, "atoll-replay: %s: %s\n", argv[1], file ? "not a capture" : strerror(errno));
      return 2;
   }
   unsetenv("ATOLL_CS_CAPTURE");
   setenv("ATOLL_SYNC", "1", 1);
   setenv("ATOLL_CLOCK", "device", 1);
   device = atoll_device_get();
   if (!device) {
      fprintf(stderr, "atoll-replay: no device: %s\n", strerror(errno));
      return 2;
   }
   while (fread(&record, sizeof record, 1, file) == 1) {
      struct replayed *r = find_client(device, record.client);
      bool ok = r != NULL;
      uint64_t hash;

      if (ok) {
         switch (record.kind) {
         case CAPTURE_MAP:
            ok = map(r, record.a, record.b);
            break;
         case CAPTURE_UNMAP:
            unmap(r, record.a);
            break;
         case CAPTURE_PAGE_DATA:
            ok = read_page(r, file, record.a);
            break;
         case CAPTURE_SUBMIT:
            ok = submit(r, file, record.a, record.b);
            break;
         case CAPTURE_HASH:
            hash = capture_space_hash(&r->space, r->client->vm);
            submissions++;
            wrong += hash != record.a;
            printf("%6" PRIu64 " client %" PRIu64 " %016" PRIx64 "%s\n", submissions, record.client,
                   hash, hash == record.a ? "" : " differs");
            break;
         default:
            ok = false;
         }
      }
      if (!ok) {
         fprintf(stderr, "atoll-replay: %s: a record of kind %" PRIu64 " cannot be replayed\n",
                 argv[1], record.kind);
         return 2;
      }
   }
   printf("%" PRIu64 " submissions, %" PRIu64 " differ\n", submissions, wrong);
   return wrong != 0;
}
