/* SPDX-License-Identifier: MIT */
/* See parts.h. */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <radeon_drm.h>

#include <atoll/cayman/pm4.h>
#include <atoll/cayman/registers.h>
#include <atoll/device.h>

/* ---- Reading ---- */

/* What a packet is, by the table's names. */
static void
classify(struct packet *p, uint32_t opcode)
{
   static const bool sets[256] = {
#define CAYMAN_NONE_BASE 0
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) \
   [opcode] = CAYMAN_##registers##_BASE != 0,
#include <atoll/cayman/packets.def>
   };
   const char *name = pm4_opcode_name(opcode);

   p->draws = !strncmp(name, "DRAW_", 5) || !strncmp(name, "DISPATCH_", 9);
   p->sets = sets[opcode] && p->count > 2;
}

/* The packets of an IB.  Without a table they are counted. */
static uint32_t
find_packets(const uint32_t *words, uint32_t num_words, struct packet *packets)
{
   uint32_t count = 0;

   for (uint32_t at = 0; at < num_words; count++) {
      const uint32_t header = words[at], left = num_words - at;
      const uint32_t size = pm4_type(header) == 2   ? 1
                            : pm4_type(header) == 3 ? pm4_payload(header) + 1
                                                    : left;

      if (packets) {
         packets[count] =
            (struct packet){ .at = at, .count = size < left ? size : left, .on = true };
         if (pm4_type(header) == 3 && size <= left)
            classify(&packets[count], pm4_op(header));
      }
      at += size < left ? size : left;
   }
   return count;
}

static bool
read_payload(struct part *p, const uint8_t *payload)
{
   const struct atoll_capture_record *r = &p->record;
   const uint32_t *words = (const uint32_t *)(const void *)payload;

   p->payload = payload;
   if (r->kind == ATOLL_CAPTURE_PAGE_DATA)
      p->dwords = ATOLL_CAPTURE_PAGE / 4;
   else if (r->kind == ATOLL_CAPTURE_SUBMIT && r->a != RADEON_CS_RING_DMA)
      p->dwords = (uint32_t)r->b;
   if (!p->dwords)
      return true;
   p->dword_on = malloc(p->dwords);
   if (!p->dword_on)
      return false;
   memset(p->dword_on, 1, p->dwords);
   if (r->kind == ATOLL_CAPTURE_PAGE_DATA)
      return true;
   p->num_packets = find_packets(words, p->dwords, NULL);
   p->packets = malloc(p->num_packets * sizeof(*p->packets));
   if (p->packets)
      find_packets(words, p->dwords, p->packets);
   return p->packets != NULL;
}

bool
parts_read(struct parts *parts, const char *records, size_t size)
{
   *parts = (struct parts){ 0 };
   for (size_t at = 0; size - at >= sizeof(struct atoll_capture_record);) {
      struct part p = { .on = true };
      uint64_t carries;

      memcpy(&p.record, records + at, sizeof(p.record));
      at += sizeof(p.record);
      carries = atoll_capture_carries(&p.record);
      if (carries > size - at)
         return true;
      if (parts->count == parts->max) {
         const size_t max = parts->max ? 2 * parts->max : 256;
         struct part *list = realloc(parts->list, max * sizeof(*list));

         if (!list)
            return false;
         parts->list = list;
         parts->max = max;
      }
      if (!read_payload(&p, (const uint8_t *)records + at)) {
         free(p.dword_on);
         return false;
      }
      parts->list[parts->count++] = p;
      at += carries;
   }
   return true;
}

void
parts_finish(struct parts *parts)
{
   for (size_t n = 0; n < parts->count; n++) {
      free(parts->list[n].dword_on);
      free(parts->list[n].packets);
   }
   free(parts->list);
   *parts = (struct parts){ 0 };
}

/* ---- Writing ---- */

struct output {
   char *bytes; /* NULL: it is measured alone */
   size_t size;
   size_t most; /* that it had: a submission that comes to nothing is taken back */
};

static void
put(struct output *o, const void *bytes, size_t size)
{
   if (o->bytes)
      memcpy(o->bytes + o->size, bytes, size);
   o->size += size;
   o->most = o->most > o->size ? o->most : o->size;
}

/* The registers that are left, in a packet of their own.  The dwords that it takes. */
static uint32_t
put_registers(struct output *o, const struct part *p, const struct packet *packet)
{
   const uint32_t *words = (const uint32_t *)(const void *)p->payload + packet->at;
   const uint8_t *on = p->dword_on + packet->at;
   uint32_t first = 2, end = packet->count, header[2];

   while (first < end && !on[first])
      first++;
   while (end > first && !on[end - 1])
      end--;
   if (first == end)
      return 0;
   header[0] = (words[0] & ~(UINT32_C(0x3fff) << 16)) | (end - first) << 16;
   header[1] = words[1] + first - 2;
   put(o, header, sizeof(header));
   for (uint32_t n = first; n < end; n++)
      put(o, on[n] ? &words[n] : &(uint32_t){ 0 }, 4);
   return 2 + end - first;
}

/* The submission, if it has dwords left. */
static bool
put_submission(struct output *o, const struct part *p, struct parts_size *size)
{
   const uint32_t *words = (const uint32_t *)(const void *)p->payload;
   struct atoll_capture_record record = p->record;
   const size_t at = o->size;
   uint64_t count = 0;

   put(o, &record, sizeof(record));
   for (uint32_t n = 0; n < p->num_packets; n++) {
      const struct packet *packet = &p->packets[n];

      if (!packet->on)
         continue;
      if (packet->sets) {
         count += put_registers(o, p, packet);
      } else {
         put(o, words + packet->at, packet->count * sizeof(*words));
         count += packet->count;
      }
      size->draws += packet->draws;
   }
   if (!p->dwords) {
      count = record.b;
      put(o, words, count * sizeof(*words));
   }
   if (!count) {
      o->size = at;
      return false;
   }
   put(o, &(uint32_t){ 0 }, 4 * (count & 1));
   record.b = count;
   if (o->bytes)
      memcpy(o->bytes + at, &record, sizeof(record));
   size->dwords += count;
   size->submissions++;
   return true;
}

static void
put_page(struct output *o, const struct part *p)
{
   const uint32_t *words = (const uint32_t *)(const void *)p->payload;

   put(o, &p->record, sizeof(p->record));
   for (uint32_t n = 0; n < p->dwords; n++)
      put(o, p->dword_on[n] ? &words[n] : &(uint32_t){ 0 }, 4);
}

static void
put_all(const struct parts *parts, struct output *o, struct parts_size *size)
{
   bool submitted = false;

   *size = (struct parts_size){ 0 };
   for (size_t n = 0; n < parts->count; n++) {
      const struct part *p = &parts->list[n];

      if (p->record.kind == ATOLL_CAPTURE_SUBMIT) {
         submitted = p->on && put_submission(o, p, size);
      } else if (p->record.kind == ATOLL_CAPTURE_HASH) {
         if (submitted)
            put(o, &p->record, sizeof(p->record));
         submitted = false;
      } else if (p->on && p->record.kind == ATOLL_CAPTURE_PAGE_DATA) {
         put_page(o, p);
         size->pages++;
      } else if (p->on) {
         put(o, &p->record, sizeof(p->record));
         put(o, p->payload, atoll_capture_carries(&p->record));
      }
   }
   size->bytes = o->size;
}

void
parts_measure(const struct parts *parts, struct parts_size *size)
{
   put_all(parts, &(struct output){ 0 }, size);
}

bool
parts_write(const struct parts *parts, char **bytes, size_t *size, size_t *room)
{
   struct output o = { .size = *size };
   struct parts_size s;

   put_all(parts, &o, &s);
   if (o.most > *room) {
      char *grown = realloc(*bytes, o.most);

      if (!grown)
         return false;
      *bytes = grown;
      *room = o.most;
   }
   o = (struct output){ .bytes = *bytes, .size = *size };
   put_all(parts, &o, &s);
   *size = o.size;
   return true;
}

bool
parts_pack(const struct atoll_capture_header *from, const char *records, size_t size, int level,
           char **bytes, size_t *num_bytes)
{
   struct atoll_capture_header header = *from;
   const size_t room = sizeof(header) + ZSTD_compressBound(size);
   size_t packed;

   memset(header.build, 0, sizeof(header.build));
   snprintf(header.build, sizeof(header.build), "%s", atoll_device_build());
   header.frame = header.frame ? header.frame : 1;
   memcpy(header.magic, ATOLL_CAPTURE_MAGIC, sizeof(header.magic));
   header.version = ATOLL_CAPTURE_VERSION;
   header.bytes = sizeof(header);
   *bytes = malloc(room);
   if (!*bytes)
      return false;
   memcpy(*bytes, &header, sizeof(header));
   packed = ZSTD_compress(*bytes + sizeof(header), room - sizeof(header), records, size, level);
   *num_bytes = sizeof(header) + packed;
   return !ZSTD_isError(packed);
}
