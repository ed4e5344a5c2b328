/* SPDX-License-Identifier: MIT */
/*
 * Resets, and which context caused them: each submission with a fault counts as a reset of the
 * device, of which its own context was the cause and all others were not.  And what else a driver
 * is told of programs: findings of the sanitizer.
 */
#include "radeon/radeon.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "frontdoor/user.h"
#include "sanitize/sanitize.h"

/* The entry of a context, or of the one with the oldest last reset. */
static struct guilt *
find(struct radeon *radeon, uint64_t client, uint32_t context, bool make)
{
   struct guilt *oldest = &radeon->guilt[0];

   for (unsigned n = 0; n < RADEON_GUILT; n++) {
      struct guilt *g = &radeon->guilt[n];

      if (g->client == client && g->context == context)
         return g;
      if (g->last < oldest->last)
         oldest = g;
   }
   if (!make)
      return NULL;
   *oldest = (struct guilt){ .client = client, .context = context };
   return oldest;
}

void
radeon_blame(struct radeon *radeon, const struct job *job, const char *text)
{
   struct guilt *g;

   pthread_mutex_lock(&radeon->guilt_lock);
   g = find(radeon, job->client->id, job->context, true);
   g->count++;
   g->last = atomic_fetch_add(&radeon->resets, 1) + 1;
   snprintf(g->text, sizeof(g->text), "%s", text ? text : "");
   pthread_mutex_unlock(&radeon->guilt_lock);
}

int
radeon_guilt_ioctl(struct atoll_client *client, uint64_t address)
{
   struct radeon *radeon = radeon_of(client->device);
   struct atoll_guilt answer;
   const struct guilt *g;

   if (!user_read(client, &(struct user_range){ &answer, address, sizeof(answer) }, 1))
      return -EFAULT;
   answer.count = 0;
   memset(answer.text, 0, sizeof(answer.text));
   pthread_mutex_lock(&radeon->guilt_lock);
   g = find(radeon, client->id, answer.context, false);
   if (g) {
      answer.count = g->count;
      memcpy(answer.text, g->text, sizeof(answer.text));
   }
   pthread_mutex_unlock(&radeon->guilt_lock);
   return user_write(client, address, &answer, sizeof(answer)) ? 0 : -EFAULT;
}

int
radeon_finding_ioctl(struct atoll_client *client, uint64_t address)
{
   struct sanitizer *sanitizer = radeon_of(client->device)->sanitizer;
   struct atoll_finding answer;
   uint8_t kind;

   if (!sanitizer)
      return -ENODEV;
   if (!user_read(client, &(struct user_range){ &answer, address, sizeof(answer) }, 1))
      return -EFAULT;
   memset(answer.text, 0, sizeof(answer.text));
   if (!sanitizer_read(sanitizer, answer.number, answer.text, sizeof(answer.text), &kind))
      return -ENOENT;
   return user_write(client, address, &answer, sizeof(answer)) ? 0 : -EFAULT;
}
