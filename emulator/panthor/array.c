/* SPDX-License-Identifier: MIT */
/*
 * Arrays of structs in the client's memory.  Structs may grow from one version of the interface to
 * the next: what an older client does not give is zero, and of what we do not know a newer one may
 * only give zeros.
 */
#include "panthor/panthor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontdoor/user.h"

#define MAX_BYTES (UINT64_C(1) << 20)

static bool
is_zero(const uint8_t *bytes, size_t count)
{
   for (size_t n = 0; n < count; n++)
      if (bytes[n])
         return false;
   return true;
}

int
panthor_read_array(struct atoll_client *client, const struct panthor_array *array, size_t size,
                   size_t least, void **structs)
{
   const uint64_t bytes = (uint64_t)array->stride * array->count;
   const size_t each = array->stride < size ? array->stride : size;
   uint8_t *from, *to;
   int result = 0;

   *structs = NULL;
   if (!array->count)
      return 0;
   if (array->stride < least)
      return -EINVAL;
   if (bytes > MAX_BYTES || array->count > MAX_BYTES / size)
      return -ENOMEM;
   from = malloc(bytes);
   to = calloc(array->count, size);
   if (!from || !to)
      result = -ENOMEM;
   else if (!user_read(client, &(struct user_range){ from, array->array, bytes }, 1))
      result = -EFAULT;
   for (uint32_t n = 0; n < array->count && !result; n++) {
      const uint8_t *one = from + (size_t)n * array->stride;

      memcpy(to + n * size, one, each);
      if (!is_zero(one + each, array->stride - each))
         result = -E2BIG;
   }
   free(from);
   if (result)
      free(to);
   else
      *structs = to;
   return result;
}
