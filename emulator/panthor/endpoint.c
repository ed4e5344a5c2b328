/* SPDX-License-Identifier: MIT */
/*
 * What streams start.  None of it is there yet: each ends its group by a fault that the driver is
 * told of, rather than draw nothing in silence.
 */
#include "panthor/panthor.h"

#include <inttypes.h>

enum cs_exception
panthor_endpoint(void *data, const struct cs_env *env, const struct cs_queue *queue, uint64_t word)
{
   (void)queue;
   panthor_say(data, "%s: %s is not implemented", env->name, cs_name(word));
   return CS_UNRECOVERABLE;
}
