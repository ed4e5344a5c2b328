/* SPDX-License-Identifier: MIT */
/* Writes captures: records, and the hash of each client's pages; see capture.h. */
#include "frontdoor/capture.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atoll/capture.h>

#include "frontdoor/device.h"
#include "memory/vm.h"

/* A mapped buffer, and the hashes of its pages as they were last seen. */
struct mapping {
   uint64_t va, size;
   uint64_t *hashes;
   bool used; /* named by a submission */
};

/* The memory of one client. */
struct space {
   struct mapping *mappings; /* sorted by VA */
   uint32_t count, room;
};

struct known_client {
   struct known_client *next;
   uint64_t id;
   struct space space;
};

struct capture {
   FILE *file;
   pthread_mutex_t lock;
   struct known_client *clients;
};

/* ---- Hashes ---- */

static bool
space_map(struct space *space, uint64_t va, uint64_t size)
{
   uint64_t pages = size / ATOLL_CAPTURE_PAGE, zero = atoll_capture_hash_zeros();
   uint64_t *hashes = malloc((pages ? pages : 1) * sizeof(*hashes));
   uint32_t at = 0;

   if (space->count == space->room) {
      uint32_t room = space->room ? space->room * 2 : 64;
      struct mapping *grown = realloc(space->mappings, room * sizeof(*grown));

      if (!grown) {
         free(hashes);
         return false;
      }
      space->mappings = grown;
      space->room = room;
   }
   if (!hashes)
      return false;
   for (uint64_t i = 0; i < pages; i++)
      hashes[i] = zero;
   while (at < space->count && space->mappings[at].va < va)
      at++;
   memmove(&space->mappings[at + 1], &space->mappings[at],
           (space->count - at) * sizeof(*space->mappings));
   space->mappings[at] = (struct mapping){ .va = va, .size = size, .hashes = hashes };
   space->count++;
   return true;
}

static void
space_unmap(struct space *space, uint64_t va)
{
   for (uint32_t i = 0; i < space->count; i++) {
      if (space->mappings[i].va == va) {
         free(space->mappings[i].hashes);
         space->count--;
         memmove(&space->mappings[i], &space->mappings[i + 1],
                 (space->count - i) * sizeof(*space->mappings));
         return;
      }
   }
}

static uint64_t
space_hash(struct space *space, const struct vm *vm)
{
   uint64_t h = 0, zero = atoll_capture_hash_zeros();

   for (uint32_t i = 0; i < space->count; i++) {
      struct mapping *m = &space->mappings[i];

      if (!m->used || vm_extent(vm, m->va, m->size) < m->size)
         continue;
      for (uint64_t page = 0; page < m->size / ATOLL_CAPTURE_PAGE; page++) {
         m->hashes[page] =
            atoll_capture_hash_page((char *)vm_pointer(vm, m->va) + page * ATOLL_CAPTURE_PAGE);
         if (m->hashes[page] != zero)
            h = atoll_capture_add_page(h, m->va + page * ATOLL_CAPTURE_PAGE, m->hashes[page]);
      }
   }
   return h;
}

static void
space_finish(struct space *space)
{
   for (uint32_t i = 0; i < space->count; i++)
      free(space->mappings[i].hashes);
   free(space->mappings);
   *space = (struct space){ 0 };
}

/* ---- Writing ---- */

static void
write_header(FILE *file, const struct frontdoor_driver *driver, uint32_t isa)
{
   struct atoll_capture_header header = { .version = ATOLL_CAPTURE_VERSION,
                                          .bytes = sizeof(header),
                                          .isa = isa };

   memcpy(header.magic, ATOLL_CAPTURE_MAGIC, sizeof(header.magic));
   snprintf(header.device, sizeof(header.device), "%s (%s)", driver->name, driver->description);
   snprintf(header.build, sizeof(header.build), "%s", atoll_device_build());
   fwrite(&header, sizeof(header), 1, file);
}

struct capture *
capture_open(const struct frontdoor_driver *driver, uint32_t isa, bool forked)
{
   const char *path = getenv("ATOLL_CS_CAPTURE");
   struct capture *capture;
   char own[PATH_MAX];

   if (!path || !*path)
      return NULL;
   if (forked && snprintf(own, sizeof(own), "%s.%d", path, (int)getpid()) < (int)sizeof(own))
      path = own;
   capture = calloc(1, sizeof(*capture));
   if (!capture)
      return NULL;
   capture->file = fopen(path, "wbe");
   if (!capture->file) {
      fprintf(stderr, "atoll: no capture: cannot write %s\n", path);
      free(capture);
      return NULL;
   }
   pthread_mutex_init(&capture->lock, NULL);
   write_header(capture->file, driver, isa);
   return capture;
}

void
capture_close(struct capture *capture)
{
   if (!capture)
      return;
   pthread_mutex_lock(&capture->lock);
   if (capture->file && fclose(capture->file))
      fprintf(stderr, "atoll: the capture is incomplete: its last part could not be written\n");
   capture->file = NULL;
   while (capture->clients) {
      struct known_client *next = capture->clients->next;

      space_finish(&capture->clients->space);
      free(capture->clients);
      capture->clients = next;
   }
   pthread_mutex_unlock(&capture->lock);
}

void
capture_forked(struct capture *capture)
{
   if (!capture || !capture->file)
      return;
   __fpurge(capture->file);
   fclose(capture->file);
   capture->file = NULL;
}

static struct known_client *
known(struct capture *capture, const struct atoll_client *client)
{
   struct known_client *k;

   for (k = capture->clients; k; k = k->next)
      if (k->id == client->id)
         return k;
   k = calloc(1, sizeof(*k));
   if (k) {
      k->id = client->id;
      k->next = capture->clients;
      capture->clients = k;
   }
   return k;
}

static void
record(struct capture *capture, uint64_t kind, const struct atoll_client *client, uint64_t a,
       uint64_t b)
{
   const struct atoll_capture_record r = { kind, client->id, a, b };

   if (capture->file)
      fwrite(&r, sizeof(r), 1, capture->file);
}

void
capture_map(struct capture *capture, const struct atoll_client *client, uint64_t va, uint64_t size)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = known(capture, client);
   if (k && space_map(&k->space, va, size))
      record(capture, ATOLL_CAPTURE_MAP, client, va, size);
   pthread_mutex_unlock(&capture->lock);
}

void
capture_unmap(struct capture *capture, const struct atoll_client *client, uint64_t va,
              uint64_t size)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = known(capture, client);
   if (k)
      space_unmap(&k->space, va);
   record(capture, ATOLL_CAPTURE_UNMAP, client, va, size);
   pthread_mutex_unlock(&capture->lock);
}

void
capture_before(struct capture *capture, const struct atoll_client *client, uint32_t ring,
               const uint32_t *words, uint32_t num_words, const uint64_t *vas, uint32_t num_vas)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = known(capture, client);
   for (uint32_t i = 0; k && i < k->space.count; i++) {
      struct mapping *m = &k->space.mappings[i];
      bool named = false;

      for (uint32_t n = 0; n < num_vas && !named; n++)
         named = vas[n] == m->va;
      if (!named || vm_extent(client->vm, m->va, m->size) < m->size)
         continue;
      m->used = true;
      for (uint64_t page = 0; page < m->size / ATOLL_CAPTURE_PAGE; page++) {
         const char *data = (const char *)vm_pointer(client->vm, m->va) + page * ATOLL_CAPTURE_PAGE;

         if (atoll_capture_hash_page(data) == m->hashes[page] || !capture->file)
            continue;
         record(capture, ATOLL_CAPTURE_PAGE_DATA, client, m->va + page * ATOLL_CAPTURE_PAGE, 0);
         fwrite(data, ATOLL_CAPTURE_PAGE, 1, capture->file);
      }
   }
   record(capture, ATOLL_CAPTURE_SUBMIT, client, ring, num_words);
   if (capture->file) {
      const uint32_t padding = 0;

      fwrite(words, 4, num_words, capture->file);
      fwrite(&padding, 4, num_words & 1, capture->file);
   }
   pthread_mutex_unlock(&capture->lock);
}

void
capture_after(struct capture *capture, const struct atoll_client *client)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = known(capture, client);
   if (k)
      record(capture, ATOLL_CAPTURE_HASH, client, space_hash(&k->space, client->vm), 0);
   if (capture->file)
      fflush(capture->file);
   pthread_mutex_unlock(&capture->lock);
}
