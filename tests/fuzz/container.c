/* SPDX-License-Identifier: MIT */
/* The container: any file has its parts inside, or an error; what is read is written as read. */
#include "container.h"

#include "fuzz.h"

FUZZ_ENTRY(container)
{
   struct container c, again;
   size_t length;

   if (!container_is_elf(data, size) || container_read(data, size, &c))
      return 0;
   uint8_t *file = container_write(&c, &length);
   FUZZ_CHECK(file && !container_read(file, length, &again));
   FUZZ_CHECK(again.num_bytes == c.num_bytes && again.before_size == c.before_size &&
              again.after_size == c.after_size);
   FUZZ_CHECK(!c.num_bytes || !memcmp(again.words, c.words, c.num_bytes));
   FUZZ_CHECK(!c.before_size || !memcmp(again.before, c.before, c.before_size));
   free(file);
   return 0;
}
