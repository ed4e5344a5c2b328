/* SPDX-License-Identifier: MIT */
/*
 * The CS ioctl: an IB and the list of buffers it uses.
 *
 * The IB is copied here, once; the client may change its memory as soon as the ioctl returns.
 * In VM mode its addresses are virtual, and the list of buffers only says what is busy until when.
 * Without it they are relative to the listed buffers, which are placed in the client's address
 * space when they are first listed, and checker.h makes them absolute.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>
#include <radeon_drm.h>

#include "frontdoor/capture.h"
#include "frontdoor/checker.h"
#include "frontdoor/user.h"

#define MAX_CHUNKS USER_PIECES
#define MAX_RELOCS 65536u

struct chunk {
   const uint32_t *data; /* a copy */
   uint64_t address;     /* in the client's memory */
   uint32_t words;
};

/* Dwords of one entry of the RELOCS chunk: handle, read domains, write domain, flags. */
#define RELOC_DWORDS 4

static void
raise_seq(struct bo *bo, uint64_t seq)
{
   uint64_t old = atomic_load(&bo->last_seq);

   while (old < seq && !atomic_compare_exchange_weak(&bo->last_seq, &old, seq))
      ;
}

/* References to the listed buffers, or NULL and *error. */
static struct bo **
take_relocs(struct atoll_client *client, const struct chunk *relocs, uint32_t *count, int *error)
{
   uint32_t n = relocs->words / RELOC_DWORDS;
   struct bo **bos = malloc((n ? n : 1) * sizeof *bos);

   *count = 0;
   *error = bos ? 0 : -ENOMEM;
   for (uint32_t i = 0; bos && i < n; i++) {
      bos[i] = gem_lookup(client, relocs->data[i * RELOC_DWORDS]);
      if (!bos[i]) {
         report_message(client->device->report,
                        "client %llu: CS names buffer %u as number %u, which does not exist",
                        (unsigned long long)client->id, relocs->data[i * RELOC_DWORDS], i);
         *error = -ENOENT;
         break;
      }
      *count = i + 1;
   }
   return bos;
}

static void
drop_relocs(struct atoll_client *client, struct bo **bos, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      gem_unref(client->device, bos[i]);
   free(bos);
}

/* Where the chunks are, not yet what they hold. */
static int
find_chunks(struct atoll_client *client, const struct drm_radeon_cs *args, struct chunk *ib,
            struct chunk *relocs, struct chunk *flags)
{
   const uint32_t count = args->num_chunks;
   uint64_t pointers[MAX_CHUNKS];
   struct drm_radeon_cs_chunk headers[MAX_CHUNKS];
   struct user_piece pieces[MAX_CHUNKS];

   if (!args->chunks || !count || count > MAX_CHUNKS)
      return -EINVAL;
   pieces[0] = (struct user_piece){ pointers, args->chunks, count * sizeof pointers[0] };
   if (!user_read(client, pieces, 1))
      return -EFAULT;
   for (uint32_t i = 0; i < count; i++)
      pieces[i] = (struct user_piece){ &headers[i], pointers[i], sizeof headers[i] };
   if (!user_read(client, pieces, count))
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

/* Captures `job`, and runs it alone. */
static uint64_t
submit_captured(struct atoll_client *client, struct job *job, const struct chunk *relocs,
                uint32_t num_bos)
{
   struct atoll_device *device = client->device;
   uint64_t *vas = calloc(num_bos ? num_bos : 1, sizeof *vas), seq;

   pthread_mutex_lock(&device->capture_lock);
   for (uint32_t i = 0; vas && i < num_bos; i++)
      vas[i] = gem_address(client, relocs->data[i * RELOC_DWORDS]);
   capture_before(device->capture, client, job->ring, job->words, job->num_words, vas,
                  vas ? num_bos : 0);
   seq = queue_submit(device, job);
   queue_wait(device, seq);
   capture_after(device->capture, client);
   pthread_mutex_unlock(&device->capture_lock);
   free(vas);
   return seq;
}

/* Checks the job's stream as far as its mode asks, and relocates it. */
static int
check(struct atoll_client *client, struct job *job, const struct chunk *relocs, struct bo **bos,
      uint32_t num_bos, uint32_t cs_flags)
{
   struct atoll_device *device = client->device;
   struct checker checker = {
      .report = device->report,
      .client = client->id,
      .num_buffers = num_bos,
      .relocate = !(cs_flags & RADEON_CS_USE_VM),
      .strict = device->strict,
      .keep_tiling = cs_flags & RADEON_CS_KEEP_TILING_FLAGS,
   };
   struct checker_buffer *buffers = NULL;
   int result = 0;

   if (!checker.relocate && !checker.strict)
      return 0;
   if (checker.relocate) {
      buffers = malloc((num_bos ? num_bos : 1) * sizeof *buffers);
      if (!buffers)
         return -ENOMEM;
      for (uint32_t i = 0; i < num_bos && !result; i++) {
         buffers[i].size = bos[i]->size;
         buffers[i].tiling = bos[i]->tiling;
         result = gem_place(client, relocs->data[i * RELOC_DWORDS], &buffers[i].va);
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

/* Copies a submission's chunks: the IB into a new job, the list of buffers behind it. */
static int
read_job(struct atoll_client *client, const struct drm_radeon_cs *args, struct job **job,
         struct chunk *relocs, uint32_t *cs_flags)
{
   struct atoll_device *device = client->device;
   struct chunk ib = { 0 }, flags = { 0 };
   uint32_t flag[2] = { 0, RADEON_CS_RING_GFX };
   const int result = find_chunks(client, args, &ib, relocs, &flags);

   if (result)
      return result;
   if (!ib.words || ib.words > DEVICE_IB_DWORDS || relocs->words / RELOC_DWORDS > MAX_RELOCS) {
      report_message(device->report, "client %llu: CS of %u dwords (1..%u) and %u buffers",
                     (unsigned long long)client->id, ib.words, DEVICE_IB_DWORDS,
                     relocs->words / RELOC_DWORDS);
      return -EINVAL;
   }
   *job = malloc(sizeof **job + ((size_t)ib.words + relocs->words) * sizeof(*job)->words[0]);
   if (!*job)
      return -ENOMEM;
   relocs->data = (*job)->words + ib.words;

   const struct user_piece pieces[3] = {
      { (*job)->words, ib.address, ib.words * sizeof(uint32_t) },
      { (*job)->words + ib.words, relocs->address, relocs->words * sizeof(uint32_t) },
      { flag, flags.address, (flags.words < 2 ? flags.words : 2) * sizeof(uint32_t) },
   };

   if (!user_read(client, pieces, 3))
      return -EFAULT;
   (*job)->client = client;
   (*job)->ring = flag[1];
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
submit_ioctl(struct atoll_client *client, void *arg)
{
   struct atoll_device *device = client->device;
   struct chunk relocs = { 0 };
   uint32_t cs_flags = 0, num_bos = 0;
   struct bo **bos = NULL;
   struct job *job = NULL;
   uint64_t seq;
   int result = read_job(client, arg, &job, &relocs, &cs_flags);

   if (!result)
      bos = take_relocs(client, &relocs, &num_bos, &result);
   if (!result)
      result = check(client, job, &relocs, bos, num_bos, cs_flags);
   if (result) {
      if (bos)
         drop_relocs(client, bos, num_bos);
      free(job);
      return result;
   }
   seq =
      device->capture ? submit_captured(client, job, &relocs, num_bos) : queue_submit(device, job);
   for (uint32_t i = 0; i < num_bos; i++)
      raise_seq(bos[i], seq);
   drop_relocs(client, bos, num_bos);
   if (device->synchronous)
      queue_wait(device, seq);
   return 0;
}
