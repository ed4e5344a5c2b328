/* SPDX-License-Identifier: MIT */
/*
 * The CS ioctl: an IB and the list of buffers it uses.
 *
 * The IB is copied here, once; the client may change its memory as soon as the ioctl returns.
 * In VM mode its addresses are virtual, and the list of buffers only says what is busy until when.
 * Without it they are relative to the listed buffers, which are placed in the client's address
 * space when they are first listed, and checker.h makes them absolute.
 */
#include "radeon/radeon.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>
#include <radeon_drm.h>

#include "chip/chip.h"
#include "frontdoor/device.h"
#include "frontdoor/user.h"
#include "radeon/checker.h"
#include "radeon/chip.h"

#define MAX_CHUNKS USER_RANGES
#define MAX_RELOCS 65536u

struct chunk {
   const uint32_t *data; /* a copy */
   uint64_t address;     /* in the client's memory */
   uint32_t words;
};

/* Dwords of one entry of the RELOCS chunk: handle, read domains, write domain, flags. */
#define RELOC_DWORDS 4

/* References to the listed buffers, or NULL and *error. */
static struct submit_buffer *
take_relocs(struct atoll_client *client, const struct chunk *relocs, uint32_t *count, int *error)
{
   uint32_t n = relocs->words / RELOC_DWORDS;
   struct submit_buffer *buffers = malloc((n ? n : 1) * sizeof(*buffers));

   *count = 0;
   *error = buffers ? 0 : -ENOMEM;
   if (!buffers)
      return NULL;
   for (uint32_t i = 0; i < n; i++)
      buffers[i].handle = relocs->data[i * RELOC_DWORDS];
   *count = gem_lookup_all(client, buffers, n);
   if (*count < n) {
      report_message(client->device->report,
                     "client %llu: CS names buffer %u as number %u, which does not exist",
                     (unsigned long long)client->id, buffers[*count].handle, *count);
      *error = -ENOENT;
   }
   return buffers;
}

static void
drop_relocs(struct atoll_client *client, struct submit_buffer *buffers, uint32_t count)
{
   gem_unref_all(client->device, buffers, count);
   free(buffers);
}

/* Where the chunks are, not yet what they hold. */
static int
find_chunks(struct atoll_client *client, const struct drm_radeon_cs *args, struct chunk *ib,
            struct chunk *relocs, struct chunk *flags)
{
   const uint32_t count = args->num_chunks;
   uint64_t pointers[MAX_CHUNKS];
   struct drm_radeon_cs_chunk headers[MAX_CHUNKS];
   struct user_range ranges[MAX_CHUNKS];

   if (!args->chunks || !count || count > MAX_CHUNKS)
      return -EINVAL;
   ranges[0] = (struct user_range){ pointers, args->chunks, count * sizeof(pointers[0]) };
   if (!user_read(client, ranges, 1))
      return -EFAULT;
   for (uint32_t i = 0; i < count; i++)
      ranges[i] = (struct user_range){ &headers[i], pointers[i], sizeof(headers[i]) };
   if (!user_read(client, ranges, count))
      return -EFAULT;
   for (uint32_t i = 0; i < count; i++) {
      const struct chunk chunk = { NULL, headers[i].chunk_data, headers[i].length_dw };

      if (!chunk.address && chunk.words)
         return -EFAULT;
      switch (headers[i].chunk_id) {
      case RADEON_CHUNK_ID_IB:
         *ib = chunk;
         break;
      case RADEON_CHUNK_ID_RELOCS:
         *relocs = chunk;
         break;
      case RADEON_CHUNK_ID_FLAGS:
         *flags = chunk;
         break;
      default:
         report_message(client->device->report, "client %llu: CS with chunk of kind %u",
                        (unsigned long long)client->id, headers[i].chunk_id);
         return -EINVAL;
      }
   }
   return 0;
}

/* Checks the job's stream as far as its mode asks, and relocates it. */
static int
check(struct atoll_client *client, struct job *job, const struct submit_buffer *listed,
      uint32_t num_listed, uint32_t cs_flags)
{
   struct atoll_device *device = client->device;
   struct checker checker = {
      .chip = radeon_of(device)->chip,
      .report = device->report,
      .client = client->id,
      .num_buffers = num_listed,
      .relocate = !(cs_flags & RADEON_CS_USE_VM),
      .strict = radeon_of(device)->strict,
      .keep_tiling = cs_flags & RADEON_CS_KEEP_TILING_FLAGS,
   };
   struct checker_buffer *buffers = NULL;
   int result = 0;

   if (!checker.relocate && !radeon_has_vm(client)) {
      report_message(device->report, "client %llu: CS with virtual addresses, which %s has not",
                     (unsigned long long)client->id, checker.chip->text);
      return -EINVAL;
   }
   if (!checker.relocate && !checker.strict)
      return 0;
   if (checker.relocate) {
      buffers = malloc((num_listed ? num_listed : 1) * sizeof(*buffers));
      if (!buffers)
         return -ENOMEM;
      for (uint32_t i = 0; i < num_listed && !result; i++) {
         buffers[i].size = listed[i].bo->size;
         buffers[i].tiling = listed[i].bo->tiling;
         result = gem_assign_va(client, listed[i].handle, &buffers[i].va);
      }
      checker.buffers = buffers;
   }
   if (!result)
      result = job->ring == RADEON_CS_RING_DMA
                  ? checker_dma(&checker, job->words, job->num_words)
                  : checker_graphics(&checker, job->words, job->num_words);
   free(buffers);
   return result;
}

/* Copies a submission's chunks: the IB into a new job, the list of buffers after it. */
static int
read_job(struct atoll_client *client, const struct drm_radeon_cs *args, struct job **job,
         struct chunk *relocs, uint32_t *cs_flags)
{
   struct atoll_device *device = client->device;
   struct chunk ib = { 0 }, flags = { 0 };
   uint32_t flag[4] = { 0, RADEON_CS_RING_GFX };
   const int result = find_chunks(client, args, &ib, relocs, &flags);

   if (result)
      return result;
   if (!ib.words || ib.words > CHIP_IB_DWORDS || relocs->words / RELOC_DWORDS > MAX_RELOCS) {
      report_message(device->report, "client %llu: CS of %u dwords (1..%u) and %u buffers",
                     (unsigned long long)client->id, ib.words, CHIP_IB_DWORDS,
                     relocs->words / RELOC_DWORDS);
      return -EINVAL;
   }
   *job = malloc(sizeof **job + ((size_t)ib.words + relocs->words) * sizeof(*job)->words[0]);
   if (!*job)
      return -ENOMEM;
   relocs->data = (*job)->words + ib.words;

   const struct user_range ranges[3] = {
      { (*job)->words, ib.address, ib.words * sizeof(uint32_t) },
      { (*job)->words + ib.words, relocs->address, relocs->words * sizeof(uint32_t) },
      { flag, flags.address, (flags.words < 4 ? flags.words : 4) * sizeof(uint32_t) },
   };

   if (!user_read(client, ranges, 3))
      return -EFAULT;
   (*job)->client = client;
   (*job)->ring = flag[1];
   (*job)->waits = flag[0] & ATOLL_CS_WAITS;
   (*job)->patient = flag[0] & ATOLL_CS_PATIENT;
   (*job)->context = flag[0] & ATOLL_CS_CONTEXT ? flag[3] : 0;
   (*job)->begins_frame = flag[0] & ATOLL_CS_NEW_FRAME;
   (*job)->ends_frame = flag[0] & RADEON_CS_END_OF_FRAME;
   (*job)->num_words = ib.words;
   *cs_flags = flag[0];
   if (flag[1] == RADEON_CS_RING_GFX || flag[1] == RADEON_CS_RING_COMPUTE ||
       flag[1] == RADEON_CS_RING_DMA)
      return 0;
   report_message(device->report, "client %llu: CS for ring %u, which does not exist",
                  (unsigned long long)client->id, flag[1]);
   return -EINVAL;
}

int
radeon_submit_ioctl(struct atoll_client *client, void *arg)
{
   struct chunk relocs = { 0 };
   uint32_t cs_flags = 0, num_buffers = 0;
   struct submit_buffer *buffers = NULL;
   struct job *job = NULL;
   int result = read_job(client, arg, &job, &relocs, &cs_flags);

   if (!result)
      buffers = take_relocs(client, &relocs, &num_buffers, &result);
   if (!result)
      result = check(client, job, buffers, num_buffers, cs_flags);
   if (result)
      free(job);
   else
      submit_job(client, job, buffers, num_buffers);
   if (buffers)
      drop_relocs(client, buffers, num_buffers);
   return result;
}
