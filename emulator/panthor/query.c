/* SPDX-License-Identifier: MIT */
/* DEV_QUERY: what the device says about itself (chip.h). */
#include "panthor/panthor.h"

#include <errno.h>

#include "frontdoor/user.h"
#include "panthor/chip.h"

static unsigned
bits_of(uint64_t size)
{
   unsigned bits = 0;

   while (bits < 63 && size > UINT64_C(1) << bits)
      bits++;
   return bits;
}

/* As much of it as the client knows, and how much there is. */
static int
give(struct atoll_client *client, struct panthor_dev_query *args, const void *answer, uint32_t size)
{
   const uint32_t wanted = args->size;

   args->size = size;
   if (!args->pointer)
      return 0;
   if (wanted < size)
      args->size = wanted;
   return user_write(client, args->pointer, answer, args->size) ? 0 : -EFAULT;
}

int
panthor_query_ioctl(struct atoll_client *client, struct panthor_dev_query *args)
{
   const uint64_t cores = (UINT64_C(1) << MALI_CORES) - 1;
   const struct panthor_gpu_info gpu = {
      .gpu_id = MALI_GPU_ID,
      .csf_id = MALI_CSF_ID,
      .l2_features = MALI_L2_FEATURES,
      .tiler_features = MALI_TILER_FEATURES,
      .mem_features = MALI_MEM_FEATURES,
      .mmu_features = MALI_PA_BITS << 8 | bits_of(vm_size(client->vm)),
      .thread_features = MALI_THREAD_FEATURES,
      .max_threads = MALI_MAX_THREADS,
      .thread_max_workgroup_size = MALI_MAX_WORKGROUP,
      .thread_max_barrier_size = MALI_MAX_WORKGROUP,
      .as_present = MALI_ADDRESS_SPACES,
      .shader_present = cores,
      .l2_present = 1,
      .tiler_present = 1,
   };
   const struct panthor_csif_info csif = {
      .csg_slot_count = MALI_CSG_SLOTS,
      .cs_slot_count = CS_QUEUES,
      .cs_reg_count = CS_REGISTERS,
      .scoreboard_slot_count = CS_SLOTS,
      .unpreserved_cs_reg_count = CS_KERNEL_REGISTERS,
   };
   const struct panthor_timestamp_info timestamp = {
      .frequency = MALI_CLOCK_HZ,
      .current = panthor_ticks(client->device),
   };
   const struct panthor_priorities_info priorities = {
      .allowed_mask = 1u << PANTHOR_PRIORITY_LOW | 1u << PANTHOR_PRIORITY_MEDIUM,
   };

   switch (args->type) {
   case PANTHOR_QUERY_GPU:
      return give(client, args, &gpu, sizeof(gpu));
   case PANTHOR_QUERY_CSIF:
      return give(client, args, &csif, sizeof(csif));
   case PANTHOR_QUERY_TIMESTAMP:
      return give(client, args, &timestamp, sizeof(timestamp));
   case PANTHOR_QUERY_PRIORITIES:
      return give(client, args, &priorities, sizeof(priorities));
   default:
      return -EINVAL;
   }
}
