/* SPDX-License-Identifier: MIT */
/*
 * Writes captures: records, and the hash of each client's pages; see capture.h.
 *
 * Before the first frame that is wanted mappings are noted, and nothing is looked at.  A mapping is
 * in the file from the first submission on that names it.
 */
#include "frontdoor/capture.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include <atoll/capture.h>

#include "frontdoor/device.h"
#include "memory/vm.h"

/* A mapped buffer, and the hashes of its pages as they were last seen. */
struct mapping {
   uint64_t va, size;
   uint64_t *hashes;
   bool used;  /* named by a submission: it is in the file */
   bool named; /* by the submission at hand */
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

/* What is kept of a stream's output before it goes to the file. */
#define CHUNK 131072u

struct capture {
   FILE *file; /* NULL: nothing more is written */
   ZSTD_CCtx *zstd;
   uint8_t *chunk; /* [CHUNK] */
   bool failed;    /* something could not be compressed */
   const struct frontdoor_driver *driver;
   uint32_t isa;
   pthread_mutex_t lock;
   struct known_client *clients;

   uint32_t frame; /* of the submission at hand; 0 before the first */
   uint32_t first_frame, last_frame;
   bool begun; /* the header is written */
};

/* ---- Hashes ---- */

static bool
space_map(struct space *space, uint64_t va, uint64_t size)
{
   uint64_t pages = size / ATOLL_CAPTURE_PAGE,
            zero = atoll_capture_hash_zeros(ATOLL_CAPTURE_VERSION);
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

/* Whether the file has the mapping. */
static bool
space_unmap(struct space *space, uint64_t va)
{
   for (uint32_t i = 0; i < space->count; i++) {
      if (space->mappings[i].va == va) {
         const bool used = space->mappings[i].used;

         free(space->mappings[i].hashes);
         space->count--;
         memmove(&space->mappings[i], &space->mappings[i + 1],
                 (space->count - i) * sizeof(*space->mappings));
         return used;
      }
   }
   return false;
}

static uint64_t
hash_at(const struct vm *vm, const struct mapping *m, uint64_t page)
{
   return atoll_capture_hash_page((char *)vm_pointer(vm, m->va) + page * ATOLL_CAPTURE_PAGE,
                                  ATOLL_CAPTURE_VERSION);
}

static uint64_t
space_hash(struct space *space, const struct vm *vm)
{
   uint64_t h = 0, zero = atoll_capture_hash_zeros(ATOLL_CAPTURE_VERSION);

   for (uint32_t i = 0; i < space->count; i++) {
      struct mapping *m = &space->mappings[i];

      if (!m->used || vm_extent(vm, m->va, m->size) < m->size)
         continue;
      /* The device writes to those that are named; the others are in the file as they were. */
      for (uint64_t page = 0; page < m->size / ATOLL_CAPTURE_PAGE; page++) {
         if (m->named)
            m->hashes[page] = hash_at(vm, m, page);
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
put(struct capture *capture, const void *bytes, size_t size, ZSTD_EndDirective how)
{
   ZSTD_inBuffer in = { bytes, size, 0 };
   size_t left;

   do {
      ZSTD_outBuffer out = { capture->chunk, CHUNK, 0 };

      left = ZSTD_compressStream2(capture->zstd, &out, &in, how);
      if (ZSTD_isError(left)) {
         capture->failed = true;
         return;
      }
      fwrite(capture->chunk, 1, out.pos, capture->file);
   } while (how == ZSTD_e_continue ? in.pos < in.size : left > 0);
}

static void
record(struct capture *capture, uint64_t kind, const struct atoll_client *client, uint64_t a,
       uint64_t b)
{
   const struct atoll_capture_record r = { kind, client->id, a, b };

   put(capture, &r, sizeof(r), ZSTD_e_continue);
}

static void
write_header(struct capture *capture)
{
   const struct frontdoor_driver *driver = capture->driver;
   struct atoll_capture_header header = { .version = ATOLL_CAPTURE_VERSION,
                                          .bytes = sizeof(header),
                                          .isa = capture->isa,
                                          .frame = capture->frame };

   memcpy(header.magic, ATOLL_CAPTURE_MAGIC, sizeof(header.magic));
   snprintf(header.device, sizeof(header.device), "%s (%s)", driver->name, driver->description);
   snprintf(header.build, sizeof(header.build), "%s", atoll_device_build());
   fwrite(&header, sizeof(header), 1, capture->file);
}

/* "N", "N-M" or "N-", from 1 on. */
static bool
read_frames(const char *text, uint32_t *first, uint32_t *last)
{
   char *end;
   unsigned long a, b;

   errno = 0;
   a = b = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
   if (a && *end == '-') {
      text = end + 1;
      b = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : UINT32_MAX;
      end = isdigit((unsigned char)*text) ? end : (char *)(uintptr_t)text;
   }
   if (!a || errno || *end || b < a || b > UINT32_MAX)
      return false;
   *first = (uint32_t)a;
   *last = (uint32_t)b;
   return true;
}

static void
choose_frames(struct capture *capture)
{
   const char *frames = getenv("ATOLL_CS_FRAMES");

   capture->first_frame = 1;
   capture->last_frame = UINT32_MAX;
   if (frames && *frames && !read_frames(frames, &capture->first_frame, &capture->last_frame))
      fprintf(stderr,
              "atoll: ATOLL_CS_FRAMES=%s: neither a number of a frame nor two (2-5, 2-), from 1 "
              "on; all are captured\n",
              frames);
}

static void
stop_writing(struct capture *capture, bool whole)
{
   if (!capture->file)
      return;
   if (whole && capture->begun)
      put(capture, NULL, 0, ZSTD_e_end);
   if (fclose(capture->file) || capture->failed)
      fprintf(stderr, "atoll: the capture is incomplete: its last part could not be written\n");
   capture->file = NULL;
   ZSTD_freeCCtx(capture->zstd);
   free(capture->chunk);
}

struct capture *
capture_open(const struct frontdoor_driver *driver, uint32_t isa, bool forked)
{
   const char *path = getenv("ATOLL_CS_CAPTURE");
   struct capture *capture;
   char own[PATH_MAX];

   if (!path || !*path)
      return NULL;
   if (!driver->counted) {
      fprintf(stderr, "atoll: no capture: %s has none\n", driver->description);
      return NULL;
   }
   if (forked && snprintf(own, sizeof(own), "%s.%d", path, (int)getpid()) < (int)sizeof(own))
      path = own;
   capture = calloc(1, sizeof(*capture));
   if (!capture)
      return NULL;
   capture->file = fopen(path, "wbe");
   capture->zstd = ZSTD_createCCtx();
   capture->chunk = malloc(CHUNK);
   if (!capture->file || !capture->zstd || !capture->chunk) {
      fprintf(stderr, "atoll: no capture: cannot write %s\n", path);
      if (capture->file)
         fclose(capture->file);
      ZSTD_freeCCtx(capture->zstd);
      free(capture->chunk);
      free(capture);
      return NULL;
   }
   ZSTD_CCtx_setParameter(capture->zstd, ZSTD_c_compressionLevel, 1);
   capture->driver = driver;
   capture->isa = isa;
   choose_frames(capture);
   pthread_mutex_init(&capture->lock, NULL);
   return capture;
}

static void
forget_clients(struct capture *capture)
{
   while (capture->clients) {
      struct known_client *next = capture->clients->next;

      space_finish(&capture->clients->space);
      free(capture->clients);
      capture->clients = next;
   }
}

void
capture_close(struct capture *capture)
{
   if (!capture)
      return;
   pthread_mutex_lock(&capture->lock);
   if (capture->file && !capture->begun)
      fprintf(stderr, "atoll: nothing was captured: %s\n",
              capture->frame ? "the program ended before the frame"
                             : "the program submitted nothing");
   stop_writing(capture, true);
   forget_clients(capture);
   pthread_mutex_unlock(&capture->lock);
}

void
capture_forked(struct capture *capture)
{
   if (!capture || !capture->file)
      return;
   __fpurge(capture->file);
   stop_writing(capture, false);
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

void
capture_map(struct capture *capture, const struct atoll_client *client, uint64_t va, uint64_t size)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = capture->file ? known(capture, client) : NULL;
   if (k)
      space_map(&k->space, va, size);
   pthread_mutex_unlock(&capture->lock);
}

void
capture_unmap(struct capture *capture, const struct atoll_client *client, uint64_t va,
              uint64_t size)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = capture->file ? known(capture, client) : NULL;
   if (k && space_unmap(&k->space, va))
      record(capture, ATOLL_CAPTURE_UNMAP, client, va, size);
   pthread_mutex_unlock(&capture->lock);
}

bool
capture_frame(struct capture *capture, bool begins)
{
   bool wanted;

   pthread_mutex_lock(&capture->lock);
   if (!capture->frame || (begins && capture->frame < UINT32_MAX))
      capture->frame++;
   if (capture->frame > capture->last_frame) {
      stop_writing(capture, true);
      forget_clients(capture);
   }
   wanted = capture->file && capture->frame >= capture->first_frame;
   pthread_mutex_unlock(&capture->lock);
   return wanted;
}

/* The header and what has been counted; each frame's number. */
static void
begin(struct capture *capture, const struct atoll_client *client, bool frame)
{
   if (!capture->begun) {
      uint64_t counted[ATOLL_CAPTURE_COUNTERS_MAX];
      const unsigned count = capture->driver->counted(client->device, counted);

      write_header(capture);
      record(capture, ATOLL_CAPTURE_COUNTERS, client, count, 0);
      put(capture, counted, count * sizeof(*counted), ZSTD_e_continue);
   }
   if (frame || !capture->begun)
      record(capture, ATOLL_CAPTURE_FRAME, client, capture->frame, 0);
   capture->begun = true;
}

/* The pages of a buffer that are others than they were. */
static void
write_pages(struct capture *capture, const struct atoll_client *client, struct mapping *m,
            bool touched)
{
   if ((m->used && !touched) || vm_extent(client->vm, m->va, m->size) < m->size)
      return;
   if (!m->used)
      record(capture, ATOLL_CAPTURE_MAP, client, m->va, m->size);
   m->used = true;
   for (uint64_t page = 0; page < m->size / ATOLL_CAPTURE_PAGE; page++) {
      const uint64_t va = m->va + page * ATOLL_CAPTURE_PAGE;

      if (hash_at(client->vm, m, page) == m->hashes[page])
         continue;
      record(capture, ATOLL_CAPTURE_PAGE_DATA, client, va, 0);
      put(capture, vm_pointer(client->vm, va), ATOLL_CAPTURE_PAGE, ZSTD_e_continue);
   }
}

void
capture_before(struct capture *capture, const struct atoll_client *client,
               const struct capture_submission *s)
{
   const uint32_t padding = 0;
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   if (capture->file) {
      begin(capture, client, s->begins_frame);
      k = known(capture, client);
      for (uint32_t i = 0; k && i < k->space.count; i++) {
         struct mapping *m = &k->space.mappings[i];

         m->named = false;
         for (uint32_t n = 0; n < s->num_buffers && !m->named; n++) {
            m->named = s->buffers[n].va == m->va;
            if (m->named)
               write_pages(capture, client, m, s->buffers[n].touched);
         }
      }
      record(capture, ATOLL_CAPTURE_SUBMIT, client, s->ring, s->num_words);
      put(capture, s->words, 4 * (size_t)s->num_words, ZSTD_e_continue);
      put(capture, &padding, 4 * (s->num_words & 1), ZSTD_e_continue);
   }
   pthread_mutex_unlock(&capture->lock);
}

void
capture_after(struct capture *capture, const struct atoll_client *client)
{
   struct known_client *k;

   pthread_mutex_lock(&capture->lock);
   k = capture->file ? known(capture, client) : NULL;
   if (k)
      record(capture, ATOLL_CAPTURE_HASH, client, space_hash(&k->space, client->vm), 0);
   if (k) {
      put(capture, NULL, 0, ZSTD_e_flush);
      fflush(capture->file);
   }
   pthread_mutex_unlock(&capture->lock);
}
