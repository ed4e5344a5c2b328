/* SPDX-License-Identifier: MIT */
/* See play.h. */
#include "play.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#include <drm.h>
#include <radeon_drm.h>

#include "chip/chip.h"
#include "pass/pass.h"
#include "radeon/radeon.h"

/* What a capture may have: as much as memory has room for. */
#define MAX_CAPTURE (SIZE_MAX / 4)

/* Of a capture's buffers, all together, and of its records: so much, and so many times what the
 * file has.  Buffers are empty but for the pages that are in it, and a hash reads them all. */
#define MEMORY_MIB   1024u
#define MEMORY_TIMES 64u

/* Above so much, memory that was empty is given back after it was read. */
#define KEEP_EMPTY  (UINT64_C(256) << 20)
#define EMPTY_CHUNK (UINT64_C(2) << 20)

/* A buffer of a client, and its memory here. */
struct play_buffer {
   struct play_buffer *next; /* ascending VA */
   uint64_t va, size;
   uint32_t handle;
   uint8_t *data;
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

/* The next `size` bytes of the records, or NULL. */
static const void *
take(struct play *p, uint64_t size)
{
   const void *bytes = p->records + p->at;

   if (size > p->size - p->at)
      return NULL;
   p->at += size;
   return bytes;
}

static struct replayed *
find_client(struct play *p, uint64_t id)
{
   for (unsigned i = 0; i < PLAY_CLIENTS; i++) {
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
map(struct play *p, struct replayed *r, uint64_t va, uint64_t size)
{
   struct drm_radeon_gem_create create = { .size = size, .initial_domain = RADEON_GEM_DOMAIN_GTT };
   struct drm_radeon_gem_va place = { .operation = RADEON_VA_MAP, .offset = va };
   struct drm_radeon_gem_mmap view = { .size = size };
   struct play_buffer *b, **at = &r->buffers;

   if (size > p->most - p->mapped) {
      tool_error(p->file, 0, 0,
                 "a buffer of %" PRIu64 " bytes, %" PRIu64 " are left of %" PRIu64
                 "; --memory=MIB allows more",
                 size, p->most - p->mapped, p->most);
      return false;
   }
   b = calloc(1, sizeof(*b));
   if (!b || atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_GEM_CREATE, &create)) {
      free(b);
      return false;
   }
   place.handle = view.handle = b->handle = create.handle;
   b->va = va;
   b->size = size;
   b->data = MAP_FAILED;
   while (*at && (*at)->va < va)
      at = &(*at)->next;
   b->next = *at;
   *at = b;
   p->mapped += size;
   if (atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_GEM_VA, &place) ||
       atoll_client_ioctl(r->client, DRM_IOCTL_RADEON_GEM_MMAP, &view))
      return false;
   b->data =
      atoll_client_mmap(r->client, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, view.addr_ptr);
   return b->data != MAP_FAILED;
}

static void
unmap(struct play *p, struct replayed *r, uint64_t va)
{
   for (struct play_buffer **b = &r->buffers; *b; b = &(*b)->next) {
      struct play_buffer *gone = *b;
      struct drm_gem_close close = { .handle = gone->handle };

      if (gone->va != va)
         continue;
      *b = gone->next;
      p->mapped -= gone->size;
      if (gone->data != MAP_FAILED)
         munmap(gone->data, gone->size);
      atoll_client_ioctl(r->client, DRM_IOCTL_GEM_CLOSE, &close);
      free(gone);
      return;
   }
}

static bool
read_page(struct play *p, struct replayed *r, uint64_t va)
{
   const void *page = take(p, ATOLL_CAPTURE_PAGE);

   for (struct play_buffer *b = r->buffers; page && b; b = b->next) {
      if (va < b->va || va - b->va > b->size || ATOLL_CAPTURE_PAGE > b->size - (va - b->va))
         continue;
      memcpy(b->data + (va - b->va), page, ATOLL_CAPTURE_PAGE);
      mutate(p, (uint32_t *)(b->data + (va - b->va)), ATOLL_CAPTURE_PAGE / 4, 2);
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
   const uint32_t *captured =
      num_words && num_words < UINT32_MAX ? take(p, (num_words + 1) / 2 * 8) : NULL;
   uint32_t *words = captured ? malloc(num_words * 4) : NULL;
   bool ok;

   if (!words)
      return false;
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

/* The hash of a client's memory.  All its buffers count: those that no submission named are empty
 * here. */
static uint64_t
hash_memory(const struct play *p, const struct replayed *r)
{
   const uint32_t version = p->header.version;
   const uint64_t zeros = atoll_capture_hash_zeros(version);
   uint64_t hash = 0;

   for (const struct play_buffer *b = r->buffers; b; b = b->next) {
      uint64_t empty = 0; /* pages that are, of the chunk so far */

      for (uint64_t at = 0; at + ATOLL_CAPTURE_PAGE <= b->size; at += ATOLL_CAPTURE_PAGE) {
         const uint64_t page = atoll_capture_hash_page(b->data + at, version);

         if (page != zeros)
            hash = atoll_capture_add_page(hash, b->va + at, page);
         if (at % EMPTY_CHUNK == 0)
            empty = 0;
         empty += page == zeros;
         /* Nothing executes now, and it reads as before. */
         if (p->mapped > KEEP_EMPTY && empty == EMPTY_CHUNK / ATOLL_CAPTURE_PAGE)
            madvise(b->data + (at - at % EMPTY_CHUNK), EMPTY_CHUNK, MADV_REMOVE);
      }
   }
   return hash;
}

static bool
set_counters(struct play *p, uint64_t count)
{
   const uint64_t *counters = count <= ATOLL_CAPTURE_COUNTERS_MAX ? take(p, 8 * count) : NULL;

   if (counters)
      gfx_set_counters(radeon_of(p->device)->gfx, counters, (unsigned)count);
   return counters != NULL;
}

static bool
replay_record(struct play *p, const struct atoll_capture_record *record)
{
   struct replayed *r = find_client(p, record->client);

   if (!r)
      return false;
   switch (record->kind) {
   case ATOLL_CAPTURE_MAP:
      return map(p, r, record->a, record->b);
   case ATOLL_CAPTURE_UNMAP:
      unmap(p, r, record->a);
      return true;
   case ATOLL_CAPTURE_PAGE_DATA:
      return read_page(p, r, record->a);
   case ATOLL_CAPTURE_SUBMIT:
      if (p->submits)
         p->submits(p, record->client);
      if (!submit(p, r, record->a, record->b))
         return false;
      if (p->submitted)
         p->submitted(p, record->client);
      return true;
   case ATOLL_CAPTURE_HASH:
      if (p->hashed)
         p->hashed(p, record->client, hash_memory(p, r), record->a);
      return true;
   case ATOLL_CAPTURE_COUNTERS:
      return set_counters(p, record->a);
   case ATOLL_CAPTURE_FRAME:
      p->frame = (uint32_t)record->a;
      return true;
   default:
      return false;
   }
}

struct atoll_client *
play_client(const struct play *p, uint64_t id)
{
   for (unsigned i = 0; i < PLAY_CLIENTS && p->clients[i].client; i++)
      if (p->clients[i].id == id)
         return p->clients[i].client;
   return NULL;
}

bool
play_buffer_after(const struct play *p, uint64_t client, uint64_t *va, uint64_t *size)
{
   for (unsigned i = 0; i < PLAY_CLIENTS && p->clients[i].client; i++)
      for (const struct play_buffer *b = p->clients[i].buffers; b && p->clients[i].id == client;
           b = b->next)
         if (b->va >= *va) {
            *va = b->va;
            *size = b->size;
            return true;
         }
   return false;
}

bool
play_run(struct play *p)
{
   const struct atoll_capture_record *record;
   bool ok = true;

   p->at = 0;
   p->frame = p->header.frame;
   p->quit = false;
   while (ok && !p->quit && (record = take(p, sizeof(*record)))) {
      ok = replay_record(p, record);
      if (!ok)
         tool_error(p->file, 0, 0,
                    "the record of kind %" PRIu64 " before byte %zu cannot be replayed",
                    record->kind, p->at);
   }
   for (unsigned i = 0; i < PLAY_CLIENTS && p->clients[i].client; i++) {
      struct replayed *r = &p->clients[i];

      while (r->buffers)
         unmap(p, r, r->buffers->va);
      atoll_client_close(r->client);
      *r = (struct replayed){ 0 };
   }
   return ok;
}

/* What captures of this device are said to be of. */
static bool
name_device(struct atoll_device *device, char *text, size_t size)
{
   struct atoll_client *client = atoll_client_open(device);
   char name[16] = "", description[28] = ""; /* together no longer than the header's text */
   struct drm_version version = { .name = name,
                                  .name_len = sizeof(name) - 1,
                                  .desc = description,
                                  .desc_len = sizeof(description) - 1 };
   bool ok = client && !atoll_client_ioctl(client, DRM_IOCTL_VERSION, &version);

   snprintf(text, size, "%s (%s)", name, description);
   atoll_client_close(client);
   return ok;
}

/* Whether `text`, of `size` bytes, is padded printable ASCII: it goes to a terminal. */
static bool
is_printable(const char *text, size_t size)
{
   const size_t length = strnlen(text, size);

   for (size_t i = 0; i < length; i++)
      if (text[i] < ' ' || text[i] > '~')
         return false;
   return length < size;
}

/* Reads and checks the header, and finds the records. */
static bool
read_header(struct play *p)
{
   const struct tool_file *file = p->file;
   struct atoll_capture_header *header = &p->header;
   size_t bytes = sizeof(*header);

   memset(header, 0, sizeof(*header));
   if (file->size >= 8 && !memcmp(file->data, ATOLL_CAPTURE_MAGIC_1, 8)) {
      p->records = file->data + 8;
      p->size = file->size - 8;
      header->version = 1;
      return true;
   }
   if (file->size < 8 || memcmp(file->data, ATOLL_CAPTURE_MAGIC, 8)) {
      tool_error(file, 0, 0, "not a capture");
      return false;
   }
   if (file->size < ATOLL_CAPTURE_HEADER_2) {
      tool_error(file, 0, 0, "the capture ends within its header");
      return false;
   }
   memcpy(header, file->data, ATOLL_CAPTURE_HEADER_2);
   if (header->version < 2 || header->version > ATOLL_CAPTURE_VERSION) {
      tool_error(file, 0, 0, "a capture of format %u; this build reads 1 to %u", header->version,
                 ATOLL_CAPTURE_VERSION);
      return false;
   }
   if (header->version == 2)
      bytes = ATOLL_CAPTURE_HEADER_2;
   if (header->bytes < bytes || header->bytes % 8 || header->bytes > file->size ||
       !is_printable(header->device, sizeof(header->device)) ||
       !is_printable(header->build, sizeof(header->build))) {
      tool_error(file, 0, 0, "the capture's header is damaged");
      return false;
   }
   memcpy(header, file->data, bytes);
   header->frame = header->version < 4 ? 0 : header->frame;
   p->records = file->data + header->bytes;
   p->size = file->size - header->bytes;
   return true;
}

/* The records of a file that has them packed.  One that was not finished ends where it ends. */
static int
unpack(struct play *p)
{
   ZSTD_DCtx *zstd = ZSTD_createDCtx();
   ZSTD_inBuffer in = { p->records, p->size, 0 };
   ZSTD_outBuffer out = { 0 };
   size_t room = 0;
   int code = TOOL_OK;

   while (zstd && code == TOOL_OK) {
      if (out.pos == out.size) {
         room = room ? 2 * room : 4 * p->size + 65536;
         room = room < p->most ? room : (size_t)p->most;
         out.dst = room > out.size ? realloc(p->unpacked, room) : NULL;
         if (!out.dst) {
            code = TOOL_REFUSED;
            tool_error(p->file, 0, 0, "it unpacks to more than %zu bytes; --memory=MIB allows more",
                       out.size);
            break;
         }
         p->unpacked = out.dst;
         out.size = room;
      }

      const size_t left = ZSTD_decompressStream(zstd, &out, &in);

      if (ZSTD_isError(left)) {
         tool_error(p->file, 0, 0, "the capture is damaged: %s", ZSTD_getErrorName(left));
         code = TOOL_REFUSED;
      } else if (out.pos < out.size && (!left || in.pos == in.size)) {
         break;
      }
   }
   ZSTD_freeDCtx(zstd);
   p->records = p->unpacked;
   p->size = out.pos;
   return zstd ? code : TOOL_SYSTEM;
}

/* The instruction set's word for ATOLL_ISA; NULL: a capture of a later build. */
static const char *
isa_word(uint32_t isa)
{
   static const char *const words[] = {
#define ISA(NAME, name) [ATOLL_ISA_##NAME] = #name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
   };

   return isa < sizeof(words) / sizeof(*words) ? words[isa] : NULL;
}

/* The chip that the header's device is; CHIPS: another device. */
static enum chip_id
chip_of(const struct atoll_capture_header *header)
{
   char name[sizeof(header->device)];

   for (unsigned n = 0; n < CHIPS; n++) {
      snprintf(name, sizeof(name), "radeon (Atoll's %s)", chips[n].text);
      if (!strcmp(name, header->device))
         return n;
   }
   return CHIPS;
}

/* Whether this device is one that can run it.  A header that does not say gets its name. */
static bool
check_device(struct play *p)
{
   char device[sizeof(p->header.device)] = "";

   if (name_device(p->device, device, sizeof(device)) && p->header.version == 1)
      memcpy(p->header.device, device, sizeof(device));
   if (strcmp(device, p->header.device) == 0)
      return true;
   tool_error(p->file, 0, 0, "captured on another device, %s; this is %s", p->header.device,
              device);
   return false;
}

void
play_describe(const struct play *p)
{
   const struct atoll_capture_header *header = &p->header;

   if (header->version == 1)
      printf("format 1, device and build not recorded\n");
   else if (header->isa == ATOLL_ISA_CAYMAN)
      printf("format %u, device %s, build %s\n", header->version, header->device, header->build);
   else
      printf("format %u, device %s, %s, build %s\n", header->version, header->device,
             isa_word(header->isa), header->build);
}

int
play_read(const struct tool *tool, const char *name, struct tool_file *file)
{
   return tool_read_up_to(tool, name, MAX_CAPTURE, file) ? TOOL_OK : TOOL_SYSTEM;
}

int
play_load(struct play *p, const struct tool *tool, const struct tool_file *file, uint32_t memory)
{
   *p = (struct play){ .tool = tool, .file = file };
   p->most =
      ((uint64_t)(memory ? memory : MEMORY_MIB) << 20) + (memory ? 0 : file->size * MEMORY_TIMES);
   if (!read_header(p))
      return TOOL_REFUSED;
   if (!isa_word(p->header.isa)) {
      tool_error(file, 0, 0, "captured with an instruction set that this build does not have");
      return TOOL_REFUSED;
   }
   return p->header.version < 4 ? TOOL_OK : unpack(p);
}

int
play_device(struct play *p)
{
   const enum chip_id chip = chip_of(&p->header);

   /* The device is this process's, and reads its environment when it is made. */
   setenv("ATOLL_ISA", isa_word(p->header.isa), 1);
   setenv("ATOLL_CHIP", chips[chip < CHIPS ? chip : CHIP_CAYMAN].name, 1);
   unsetenv("ATOLL_CS_CAPTURE");
   setenv("ATOLL_SYNC", "1", 1);
   setenv("ATOLL_CLOCK", "device", 1);
   p->device = atoll_device_get();
   if (!p->device) {
      fprintf(stderr, "%s: no device: %s\n", p->tool->name, strerror(errno));
      return TOOL_SYSTEM;
   }
   if (!check_device(p))
      return TOOL_REFUSED;
   radeon_of(p->device)->has_vm = true;
   return TOOL_OK;
}

int
play_open(struct play *p, const struct tool *tool, const struct tool_file *file, uint32_t memory)
{
   const int code = play_load(p, tool, file, memory);

   return code ? code : play_device(p);
}

void
play_close(struct play *p)
{
   free(p->unpacked);
}
