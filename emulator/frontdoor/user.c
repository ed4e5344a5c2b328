/* SPDX-License-Identifier: MIT */
/* Copies from and to the client's program; see user.h. */
#include "frontdoor/user.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "frontdoor/device.h"

/* Old kernels do not know the call, and some sandboxes forbid it. */
static bool
refused(ssize_t result)
{
   return result < 0 && (errno == ENOSYS || errno == EPERM);
}

bool
user_read(const struct atoll_client *client, const struct user_range *ranges, unsigned count)
{
   struct iovec local[USER_RANGES], remote[USER_RANGES];
   size_t all = 0;

   for (unsigned n = 0; n < count; n++) {
      if (ranges[n].bytes && !ranges[n].address)
         return false;
      local[n] = (struct iovec){ ranges[n].to, ranges[n].bytes };
      remote[n] = (struct iovec){ (void *)(uintptr_t)ranges[n].address, ranges[n].bytes };
      if (__builtin_add_overflow(all, ranges[n].bytes, &all))
         return false;
   }
   if (!all)
      return true;
   if (client->check_memory) {
      const ssize_t result = process_vm_readv(getpid(), local, count, remote, count, 0);

      if (!refused(result))
         return result >= 0 && (size_t)result == all;
   }
   for (unsigned n = 0; n < count; n++)
      if (ranges[n].bytes)
         memcpy(ranges[n].to, remote[n].iov_base, ranges[n].bytes);
   return true;
}

bool
user_write(const struct atoll_client *client, uint64_t address, const void *from, size_t bytes)
{
   if (!bytes)
      return true;
   if (!address)
      return false;
   if (client->check_memory) {
      const struct iovec local = { (void *)(uintptr_t)from, bytes };
      const struct iovec remote = { (void *)(uintptr_t)address, bytes };
      const ssize_t result = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);

      if (!refused(result))
         return result >= 0 && (size_t)result == bytes;
   }
   memcpy((void *)(uintptr_t)address, from, bytes);
   return true;
}
