/* SPDX-License-Identifier: MIT */
/* Requests to a device in another process, and the channels that they use; see remote_internal.h.
 * */
#include "frontdoor/remote_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frontdoor/device.h"
#include "frontdoor/user.h"

/* ---- Channels ---- */

static void
free_channel(struct remote_channel *channel)
{
   close(channel->fd);
   free(channel->out.bytes);
   free(channel->in.bytes);
   free(channel);
}

/* One more, which the device is told of.  Call with remote->lock held. */
static struct remote_channel *
add_channel(struct remote_client *rc)
{
   struct wire_head head = { .bytes = sizeof(head), .kind = WIRE_CHANNEL };
   struct remote_channel *channel = calloc(1, sizeof(*channel));
   int pair[2], error;

   if (!channel || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
      free(channel);
      return NULL;
   }
   channel->fd = pair[0];
   error = wire_append(&channel->out, &head, sizeof(head))
              ? wire_send(rc->control, &channel->out, pair[1])
              : ENOMEM;
   close(pair[1]);
   if (error) {
      free_channel(channel);
      errno = error;
      return NULL;
   }
   channel->generation = atomic_load(&rc->generation);
   channel->next = rc->channels;
   rc->channels = channel;
   return channel;
}

/* Call with remote->lock held. */
static void
unlink_channel(struct remote_client *rc, struct remote_channel *channel)
{
   for (struct remote_channel **c = &rc->channels; *c; c = &(*c)->next) {
      if (*c == channel) {
         *c = channel->next;
         break;
      }
   }
   free_channel(channel);
}

/* One of the device that there is, which no other thread uses; NULL: none.  Of others, those that
 * nobody uses are closed.  *count: there are so many.  Call with remote->lock held. */
static struct remote_channel *
find_channel(struct remote_client *rc, unsigned *count)
{
   const unsigned generation = atomic_load(&rc->generation);
   struct remote_channel *found = NULL;

   *count = 0;
   for (struct remote_channel *c = rc->channels, *next; c; c = next) {
      next = c->next;
      if (c->generation == generation)
         ++*count;
      if (c->busy)
         continue;
      if (c->generation != generation)
         unlink_channel(rc, c);
      else if (!found)
         found = c;
   }
   return found;
}

/* A channel that no other thread uses, for which it waits where there are as many as there may be;
 * NULL with errno, which is EAGAIN while another thread connects the client again.  *generation is
 * the channel's, or that of the connection which has none. */
static struct remote_channel *
take_channel(struct remote_client *rc, bool restores, unsigned *generation)
{
   pthread_mutex_t *lock = &rc->remote->lock;
   struct remote_channel *channel = NULL;
   unsigned count;
   int error = 0, cancel;

   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
   pthread_mutex_lock(lock);
   while (!(error = rc->restoring && !restores ? EAGAIN
                    : rc->control < 0          ? EPIPE
                                               : 0) &&
          !(channel = find_channel(rc, &count)) && count >= WIRE_CHANNELS - 1)
      pthread_cond_wait(&rc->remote->free, lock);
   *generation = atomic_load(&rc->generation);
   if (!error && !channel) {
      channel = add_channel(rc);
      error = errno;
   }
   if (channel)
      channel->busy = true;
   pthread_mutex_unlock(lock);
   pthread_setcancelstate(cancel, NULL);
   errno = error;
   return channel;
}

static void
give_back(struct remote_client *rc, struct remote_channel *channel, bool ended)
{
   pthread_mutex_lock(&rc->remote->lock);
   channel->busy = false;
   if (ended || channel->generation != atomic_load(&rc->generation))
      unlink_channel(rc, channel);
   pthread_cond_broadcast(&rc->remote->free);
   pthread_mutex_unlock(&rc->remote->lock);
}

void
remote_disconnect(struct remote_client *rc)
{
   for (struct remote_channel *c = rc->channels, *next; c; c = next) {
      next = c->next;
      /* The thread that uses it closes it. */
      if (c->busy)
         shutdown(c->fd, SHUT_RDWR);
      else
         unlink_channel(rc, c);
   }
   if (rc->control >= 0)
      close(rc->control);
   rc->control = -1;
   atomic_fetch_add(&rc->generation, 1);
   pthread_cond_broadcast(&rc->remote->free);
}

/* ---- Calls ---- */

bool
remote_add(struct remote_call *call, uint64_t address, uint64_t bytes, uint32_t access)
{
   if (call->head.num_ranges == WIRE_RANGES || bytes > WIRE_MAX)
      return false;
   call->ranges[call->head.num_ranges++] =
      (struct wire_range){ .address = address, .bytes = (uint32_t)bytes, .access = access };
   return true;
}

/* The message into the channel's buffer; 0 or a negative errno. */
static int
write_message(struct remote_call *call, struct wire_buffer *out)
{
   const uint32_t count = call->head.num_ranges;
   struct user_range parts[USER_RANGES];
   size_t all = sizeof(call->head) + count * sizeof(call->ranges[0]) + call->head.arg_bytes, at;
   unsigned num_parts = 0;

   at = all;
   for (uint32_t i = 0; i < count; i++)
      if (call->ranges[i].access & WIRE_IN)
         all += call->ranges[i].bytes;
   if (all > WIRE_MAX)
      return -EINVAL;
   call->head.bytes = (uint32_t)all;
   out->length = 0;
   if (!wire_append(out, &call->head, sizeof(call->head)) ||
       !wire_append(out, call->ranges, count * sizeof(call->ranges[0])) ||
       !wire_append(out, call->arg, call->head.arg_bytes) || !wire_reserve(out, all - at))
      return -ENOMEM;
   for (uint32_t i = 0; i < count; i++) {
      if (!(call->ranges[i].access & WIRE_IN))
         continue;
      parts[num_parts++] =
         (struct user_range){ out->bytes + at, call->ranges[i].address, call->ranges[i].bytes };
      at += call->ranges[i].bytes;
      if (num_parts == USER_RANGES) {
         if (!user_read(call->rc->client, parts, num_parts))
            return -EFAULT;
         num_parts = 0;
      }
   }
   if (num_parts && !user_read(call->rc->client, parts, num_parts))
      return -EFAULT;
   out->length = all;
   return 0;
}

/* An errno where the connection is none any more, else 0.  *sent: the device has got it. */
static int
exchange(struct remote_call *call, struct remote_channel *channel, bool *sent)
{
   struct wire_message request;
   int cancel, error;

   /* A thread that is cancelled in between would leave the channel with an answer in it. */
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
   error = wire_send(channel->fd, &channel->out, call->fd);
   *sent = !error;
   if (!error)
      error = wire_receive(channel->fd, &channel->in, &call->answer);
   pthread_setcancelstate(cancel, NULL);
   if (error)
      return error;
   request.head = call->head;
   memcpy(request.ranges, call->ranges, sizeof(request.ranges));
   if (wire_read_answer(channel->in.bytes, channel->in.length, &request, &call->reply))
      return 0;
   if (call->answer >= 0)
      close(call->answer);
   call->answer = -1;
   return EPROTO;
}

/* Whether that says that the device has ended, or is none; any other error is this process's. */
static bool
is_end(int error)
{
   return error == EPIPE || error == ECONNRESET || error == EPROTO;
}

/* With a channel: 0, and the channel is the call's; or an errno, of the connection where *ended.
 * *sent: the device has got it. */
static int
run_once(struct remote_call *call, struct remote_channel *channel, bool *sent, bool *ended)
{
   int error = -write_message(call, &channel->out);

   *sent = *ended = false;
   if (error) {
      give_back(call->rc, channel, false);
      return error;
   }
   error = exchange(call, channel, sent);
   if (!error) {
      call->channel = channel;
      return 0;
   }
   *ended = is_end(error);
   give_back(call->rc, channel, true);
   return error;
}

int
remote_run(struct remote_call *call)
{
   struct remote_client *rc = call->rc;
   unsigned attempt = 0;

   call->answer = -1;
   call->channel = NULL;
   while (attempt < REMOTE_ATTEMPTS) {
      unsigned generation;
      struct remote_channel *channel = take_channel(rc, false, &generation);
      const int none = channel ? 0 : errno;
      bool sent = false, ended = true;
      int error;

      if (none == EAGAIN) {
         pthread_mutex_lock(&rc->remote->starting);
         pthread_mutex_unlock(&rc->remote->starting);
         continue;
      }
      if (call->once && generation != call->generation) {
         if (channel)
            give_back(rc, channel, false);
         return 0;
      }
      if (none && !is_end(none))
         return -none;
      error = channel ? run_once(call, channel, &sent, &ended) : none;
      if (!error)
         return call->reply.head.result;
      if (!ended)
         return -error;
      if (!remote_again(rc, generation))
         return -ENODEV;
      if (call->drops && sent)
         return 0;
      attempt++;
   }
   return -ENODEV;
}

int
remote_once(struct remote_call *call)
{
   unsigned generation;
   struct remote_channel *channel = take_channel(call->rc, true, &generation);
   bool sent, ended = false;
   int error = channel ? 0 : errno;

   call->answer = -1;
   call->channel = NULL;
   if (channel)
      error = run_once(call, channel, &sent, &ended);
   if (!error)
      return call->reply.head.result;
   return is_end(error) ? -ENODEV : -error;
}

int
remote_tell(struct remote_client *rc, enum wire_kind kind)
{
   struct remote_call call = { .rc = rc, .head = { .kind = kind }, .fd = -1 };
   const int result = remote_once(&call);

   remote_finish(&call);
   return result;
}

bool
remote_is_stale(const struct remote_call *call)
{
   return call->channel->generation != atomic_load(&call->rc->generation);
}

uint8_t *
remote_answer(struct remote_call *call, unsigned index, uint32_t *bytes)
{
   *bytes = call->reply.ranges[index].bytes;
   return (uint8_t *)(uintptr_t)call->reply.in[index];
}

int
remote_give(struct remote_call *call)
{
   for (uint32_t i = 0; i < call->reply.head.num_ranges; i++) {
      uint32_t bytes;
      const uint8_t *from = remote_answer(call, i, &bytes);

      if (bytes && !user_write(call->rc->client, call->ranges[i].address, from, bytes))
         return -EFAULT;
   }
   return 0;
}

void
remote_finish(struct remote_call *call)
{
   if (call->answer >= 0)
      close(call->answer);
   call->answer = -1;
   if (call->channel)
      give_back(call->rc, call->channel, false);
   call->channel = NULL;
}
