/* SPDX-License-Identifier: MIT */
/* Handles of a client's objects: tables of them, of which handle n is entry n - 1. */
#include "panthor/panthor.h"

struct panthor_object *
panthor_get_handle(struct atoll_client *client, const struct panthor_table *table, uint32_t handle)
{
   struct panthor_client *c = panthor_client_of(client);
   struct panthor_object *object = NULL;

   pthread_mutex_lock(&c->lock);
   if (handle && handle <= table->count)
      object = table->objects[handle - 1];
   if (object)
      atomic_fetch_add(&object->references, 1);
   pthread_mutex_unlock(&c->lock);
   return object;
}

uint32_t
panthor_add_handle(struct atoll_client *client, const struct panthor_table *table,
                   struct panthor_object *object)
{
   struct panthor_client *c = panthor_client_of(client);
   uint32_t n = 0;

   pthread_mutex_lock(&c->lock);
   while (n < table->count && table->objects[n])
      n++;
   if (n < table->count)
      table->objects[n] = object;
   pthread_mutex_unlock(&c->lock);
   return n < table->count ? n + 1 : 0;
}

struct panthor_object *
panthor_remove_handle(struct atoll_client *client, const struct panthor_table *table,
                      uint32_t handle)
{
   struct panthor_client *c = panthor_client_of(client);
   struct panthor_object *object = NULL;

   pthread_mutex_lock(&c->lock);
   if (handle && handle <= table->count) {
      object = table->objects[handle - 1];
      table->objects[handle - 1] = NULL;
   }
   pthread_mutex_unlock(&c->lock);
   return object;
}
