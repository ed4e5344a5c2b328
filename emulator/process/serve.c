/* SPDX-License-Identifier: MIT */
/* Clients' channels and their requests; see serve.h.  What comes may be anything: a message that
 * is none ends its channel, and all that it names is looked up and checked as a call's arguments
 * are. */
#include "process/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <drm.h>

#include <atoll/device.h>

#include "frontdoor/device.h"
#include "frontdoor/user.h"
#include "frontdoor/wire.h"
#include "memory/anonymous.h"

#define MAX_CLIENTS 1024u

static _Atomic unsigned num_clients;

/* A client, which ends with its last channel. */
struct served {
   struct atoll_client *client;
   bool alone;
   _Atomic unsigned channels;
   struct client_status *status;
};

struct channel {
   struct served *served;
   int fd;
   bool first; /* it ends with the client's process */
   struct wire_buffer in, out;
};

/* ---- Status pages ---- */

/* A page that only this process can write; its descriptor in *fd. */
static struct client_status *
make_status(int *fd)
{
   void *page = MAP_FAILED;

   *fd = anonymous_file("atoll-status", MFD_CLOEXEC | MFD_ALLOW_SEALING, NULL);
   if (*fd >= 0 && !ftruncate(*fd, STATUS_BYTES))
      page = mmap(NULL, STATUS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
   if (page != MAP_FAILED &&
       !fcntl(*fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
      return page;
   if (page != MAP_FAILED)
      munmap(page, STATUS_BYTES);
   if (*fd >= 0)
      close(*fd);
   *fd = -1;
   return NULL;
}

/* ---- Requests ---- */

/* The client's memory as the message has it: `out` is room for what is written. */
struct views {
   struct user_view list[WIRE_RANGES];
   size_t written[WIRE_RANGES];
   uint8_t out[WIRE_OUT_BYTES];
};

static struct user_window
open_window(const struct wire_message *m, struct views *v)
{
   uint32_t at = 0;

   for (uint32_t i = 0; i < m->head.num_ranges; i++) {
      const struct wire_range *r = &m->ranges[i];
      const bool writes = r->access & WIRE_OUT;

      v->written[i] = 0;
      v->list[i] = (struct user_view){ .address = r->address,
                                       .bytes = r->bytes,
                                       .in = m->in[i],
                                       .out = writes ? v->out + at : NULL,
                                       .written = &v->written[i] };
      at += writes ? r->bytes : 0;
   }
   return (struct user_window){ m->head.num_ranges, v->list };
}

/* An ioctl with a copy of the client's struct.  A descriptor that comes with it is its; one in
 * *answer goes to the client. */
static int
run_ioctl(struct served *s, const struct wire_message *m, void *copy, int fd, int *answer)
{
   const unsigned nr = _IOC_NR(m->head.request);
   struct drm_prime_handle *prime = copy;
   int result;

   if (_IOC_TYPE(m->head.request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   if (m->head.arg_bytes != _IOC_SIZE(m->head.request))
      return -EINVAL;
   /* Descriptors by number are this process's own: only what came with the message is the
    * client's. */
   if (nr == _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE))
      prime->fd = fd;
   if (nr == _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD))
      prime->flags |= DRM_CLOEXEC;
   result = frontdoor_ioctl(s->client, m->head.request, copy);
   if (nr == _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD) && !result) {
      *answer = prime->fd;
      prime->fd = -1;
   }
   return result;
}

static int
give_messages(struct served *s, const struct wire_message *m)
{
   char text[WIRE_OUT_BYTES];

   if (!s->alone || m->head.num_ranges != 1 || !(m->ranges[0].access & WIRE_OUT))
      return -EACCES;
   atoll_device_messages(s->client->device, text, m->ranges[0].bytes);
   return user_write(s->client, m->ranges[0].address, text,
                     m->ranges[0].bytes ? strlen(text) + 1 : 0)
             ? 0
             : -EFAULT;
}

/* The answer into channel->out.  False: no memory. */
static bool
write_answer(struct channel *channel, const struct wire_message *m, struct wire_head *head,
             const void *copy, const struct views *v)
{
   struct wire_buffer *out = &channel->out;
   struct wire_range ranges[WIRE_RANGES];
   size_t bytes = sizeof(*head) + m->head.num_ranges * sizeof(ranges[0]) + head->arg_bytes;

   for (uint32_t i = 0; i < m->head.num_ranges; i++) {
      ranges[i] = (struct wire_range){ 0, (uint32_t)v->written[i], WIRE_IN };
      bytes += v->written[i];
   }
   head->bytes = (uint32_t)bytes;
   out->length = 0;
   if (!wire_append(out, head, sizeof(*head)) ||
       !wire_append(out, ranges, m->head.num_ranges * sizeof(ranges[0])) ||
       !wire_append(out, copy, head->arg_bytes))
      return false;
   for (uint32_t i = 0; i < m->head.num_ranges; i++)
      if (!wire_append(out, v->list[i].out, v->written[i]))
         return false;
   return true;
}

static void serve_channel(struct served *s, int fd);

/* False: the channel ends. */
static bool
answer(struct channel *channel, const struct wire_message *m, int fd)
{
   struct served *s = channel->served;
   uint64_t copy[FRONTDOOR_ARG / 8] = { 0 };
   struct wire_head head = { .kind = m->head.kind,
                             .arg_bytes = m->head.arg_bytes,
                             .num_ranges = m->head.num_ranges };
   struct views views;
   const struct user_window window = open_window(m, &views);
   int given = -1;
   bool ok;

   if (m->head.arg_bytes)
      memcpy(copy, m->arg, m->head.arg_bytes);
   user_set_window(&window);
   switch (m->head.kind) {
   case WIRE_IOCTL:
      head.result = run_ioctl(s, m, copy, fd, &given);
      break;
   case WIRE_MAP:
      head.offset = m->head.offset;
      head.result = frontdoor_map(s->client, m->head.length, &head.offset, &given);
      break;
   case WIRE_RENDER:
      atoll_client_render(s->client);
      break;
   case WIRE_FINISH:
      queue_wait(s->client->device, atomic_load(&s->client->last_seq));
      break;
   case WIRE_MESSAGES:
      head.result = give_messages(s, m);
      break;
   case WIRE_CHANNEL:
      /* Without one there was no room for it here: only that channel ends. */
      if (fd >= 0)
         serve_channel(s, fd);
      return true;
   default:
      if (fd >= 0)
         close(fd);
      return false;
   }
   if (fd >= 0)
      close(fd);
   ok = write_answer(channel, m, &head, copy, &views) &&
        !wire_send(channel->fd, &channel->out, given);
   if (given >= 0)
      close(given);
   return ok;
}

/* ---- Channels ---- */

/* One channel less; the last one closes the client. */
static void
leave(struct served *s)
{
   if (atomic_fetch_sub(&s->channels, 1) != 1)
      return;
   atoll_client_close(s->client);
   munmap(s->status, STATUS_BYTES);
   free(s);
   atomic_fetch_sub(&num_clients, 1);
}

static void *
run_channel(void *data)
{
   struct channel *channel = data;
   struct wire_message m;
   int fd;

   while (!wire_receive(channel->fd, &channel->in, &fd)) {
      if (!wire_read(channel->in.bytes, channel->in.length, &m)) {
         if (fd >= 0)
            close(fd);
         break;
      }
      if (!answer(channel, &m, fd))
         break;
   }
   close(channel->fd);
   if (channel->first)
      queue_abandon(channel->served->client);
   leave(channel->served);
   free(channel->in.bytes);
   free(channel->out.bytes);
   free(channel);
   return NULL;
}

/* A channel of a client for which it counts already. */
static void
start_channel(struct served *s, int fd, bool first)
{
   struct channel *channel = calloc(1, sizeof(*channel));
   pthread_attr_t attr;
   pthread_t thread;
   int error = channel ? 0 : ENOMEM;

   if (!error) {
      *channel = (struct channel){ .served = s, .fd = fd, .first = first };
      pthread_attr_init(&attr);
      pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
      error = pthread_create(&thread, &attr, run_channel, channel);
      pthread_attr_destroy(&attr);
   }
   if (error) {
      free(channel);
      close(fd);
      leave(s);
   }
}

static void
serve_channel(struct served *s, int fd)
{
   if (atomic_fetch_add(&s->channels, 1) >= WIRE_CHANNELS) {
      atomic_fetch_sub(&s->channels, 1);
      close(fd);
      return;
   }
   start_channel(s, fd, false);
}

/* Says hello, or why not. */
static int
greet(int fd, int result, int status)
{
   struct wire_head head = {
      .bytes = sizeof(head), .kind = WIRE_HELLO, .request = WIRE_VERSION, .result = result
   };
   struct wire_buffer message = { 0 };
   const int error =
      wire_append(&message, &head, sizeof(head)) ? wire_send(fd, &message, status) : ENOMEM;

   free(message.bytes);
   return error;
}

void
serve_client(struct atoll_device *device, int fd, bool alone)
{
   struct served *s = calloc(1, sizeof(*s));
   int status = -1, error = ENOMEM;

   if (atomic_fetch_add(&num_clients, 1) >= MAX_CLIENTS)
      error = EMFILE;
   else if (s && (s->status = make_status(&status)) && (s->client = atoll_client_open(device)))
      error = 0;
   if (!error) {
      s->alone = alone;
      s->client->status = s->status;
      if (!alone)
         atoll_client_render(s->client);
   }
   if (greet(fd, -error, status) || error) {
      if (s && s->client)
         atoll_client_close(s->client);
      if (s && s->status)
         munmap(s->status, STATUS_BYTES);
      free(s);
      close(fd);
      atomic_fetch_sub(&num_clients, 1);
   } else {
      atomic_init(&s->channels, 1);
      start_channel(s, fd, true);
   }
   if (status >= 0)
      close(status);
}
