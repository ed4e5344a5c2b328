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
user_read(const struct atoll_client *client, const struct user_piece *pieces, unsigned count)
{
   struct iovec local[USER_PIECES], remote[USER_PIECES];
   size_t all = 0;

   for (unsigned n = 0; n < count; n++) {
      if (pieces[n].bytes && !pieces[n].address)
         return false;
      local[n] = (struct iovec){ pieces[n].to, pieces[n].bytes };
      remote[n] = (struct iovec){ (void *)(uintptr_t)pieces[n].address, pieces[n].bytes };
      if (__builtin_add_overflow(all, pieces[n].bytes, &all))
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
      if (pieces[n].bytes)
         memcpy(pieces[n].to, remote[n].iov_base, pieces[n].bytes);
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
