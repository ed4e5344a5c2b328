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

/* Of the thread that answers a message. */
static _Thread_local const struct user_window *window;

void
user_set_window(const struct user_window *w)
{
   window = w;
}

/* The view with all of that range, NULL: none. */
static const struct user_view *
view_of(uint64_t address, size_t bytes, bool write)
{
   for (unsigned n = 0; n < window->count; n++) {
      const struct user_view *v = &window->views[n];

      if ((write ? v->out != NULL : v->in != NULL) && address >= v->address &&
          address - v->address <= v->bytes && bytes <= v->bytes - (address - v->address))
         return v;
   }
   return NULL;
}

static bool
read_window(const struct user_range *ranges, unsigned count)
{
   for (unsigned n = 0; n < count; n++) {
      const struct user_view *v;

      if (!ranges[n].bytes)
         continue;
      v = view_of(ranges[n].address, ranges[n].bytes, false);
      if (!v)
         return false;
      memcpy(ranges[n].to, v->in + (ranges[n].address - v->address), ranges[n].bytes);
   }
   return true;
}

/* What is written follows what has been, or lies in it: there are no holes. */
static bool
write_window(uint64_t address, const void *from, size_t bytes)
{
   const struct user_view *v = view_of(address, bytes, true);
   const size_t at = v ? (size_t)(address - v->address) : 0;

   if (!v || at > *v->written)
      return false;
   memcpy(v->out + at, from, bytes);
   if (*v->written < at + bytes)
      *v->written = at + bytes;
   return true;
}

bool
user_read(const struct atoll_client *client, const struct user_range *ranges, unsigned count)
{
   struct iovec local[USER_RANGES], remote[USER_RANGES];
   size_t all = 0;

   if (window)
      return read_window(ranges, count);
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
   if (window)
      return write_window(address, from, bytes);
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
