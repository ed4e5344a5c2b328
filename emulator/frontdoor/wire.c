/* SPDX-License-Identifier: MIT */
/* Messages as packets, and what is one; see wire.h.  All functions are total: the other end may
 * send anything. */
#include "frontdoor/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What both kinds have in common.  The bytes of ranges begin at the result; NULL: no message. */
static const uint8_t *
read_head(const uint8_t *bytes, size_t length, struct wire_message *m)
{
   const size_t table = sizeof(m->head);

   if (length < table || length > WIRE_MAX)
      return NULL;
   memcpy(&m->head, bytes, sizeof(m->head));
   if (m->head.bytes != length || m->head.arg_bytes > WIRE_ARG ||
       m->head.num_ranges > WIRE_RANGES ||
       length - table < m->head.num_ranges * sizeof(m->ranges[0]) + m->head.arg_bytes)
      return NULL;
   memcpy(m->ranges, bytes + table, m->head.num_ranges * sizeof(m->ranges[0]));
   m->arg = bytes + table + m->head.num_ranges * sizeof(m->ranges[0]);
   return m->arg + m->head.arg_bytes;
}

/* The ranges with bytes in the message have them one after the other, up to its end. */
static bool
read_ranges(const uint8_t *at, const uint8_t *end, struct wire_message *m)
{
   m->out_bytes = 0;
   for (uint32_t i = 0; i < m->head.num_ranges; i++) {
      const struct wire_range *r = &m->ranges[i];

      m->in[i] = NULL;
      if (r->access & ~(uint32_t)(WIRE_IN | WIRE_OUT) || r->address > UINT64_MAX - r->bytes)
         return false;
      if (r->access & WIRE_OUT) {
         if (r->bytes > WIRE_OUT_BYTES - m->out_bytes)
            return false;
         m->out_bytes += r->bytes;
      }
      if (r->access & WIRE_IN) {
         if (r->bytes > (size_t)(end - at))
            return false;
         m->in[i] = at;
         at += r->bytes;
      }
   }
   return at == end;
}

bool
wire_read(const void *bytes, size_t length, struct wire_message *m)
{
   const uint8_t *at = read_head(bytes, length, m);

   return at && read_ranges(at, (const uint8_t *)bytes + length, m);
}

bool
wire_read_answer(const void *bytes, size_t length, const struct wire_message *request,
                 struct wire_message *answer)
{
   if (!wire_read(bytes, length, answer) || answer->head.num_ranges != request->head.num_ranges ||
       answer->head.kind != request->head.kind ||
       answer->head.arg_bytes != request->head.arg_bytes || answer->head.result > 0)
      return false;
   for (uint32_t i = 0; i < answer->head.num_ranges; i++) {
      const uint32_t offered = request->ranges[i].access & WIRE_OUT ? request->ranges[i].bytes : 0;

      if (answer->ranges[i].access != WIRE_IN || answer->ranges[i].bytes > offered)
         return false;
   }
   return true;
}

bool
wire_reserve(struct wire_buffer *b, size_t length)
{
   const size_t room = b->length + length;

   if (room > b->room) {
      uint8_t *grown = realloc(b->bytes, room);

      if (!grown)
         return false;
      b->bytes = grown;
      b->room = room;
   }
   return true;
}

bool
wire_append(struct wire_buffer *b, const void *bytes, size_t length)
{
   if (!length)
      return true;
   if (length > WIRE_MAX - b->length || !wire_reserve(b, length))
      return false;
   memcpy(b->bytes + b->length, bytes, length);
   b->length += length;
   return true;
}

int
wire_send(int socket, struct wire_buffer *b, int fd)
{
   union {
      struct cmsghdr head;
      char space[CMSG_SPACE(sizeof(int))];
   } control = { .head = { 0 } };

   for (size_t at = 0; at < b->length;) {
      const size_t left = b->length - at;
      struct iovec io = { b->bytes + at, left < WIRE_PACKET ? left : WIRE_PACKET };
      struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1 };
      ssize_t sent;

      if (!at && fd >= 0) {
         message.msg_control = &control;
         message.msg_controllen = sizeof(control);
         control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
                                          .cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS };
         memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
      }
      do
         sent = sendmsg(socket, &message, MSG_NOSIGNAL);
      while (sent < 0 && errno == EINTR);
      if (sent < 0)
         return errno;
      at += io.iov_len;
   }
   return 0;
}

/* The descriptors of a packet: the first where none is there yet, and no other. */
static void
take_descriptors(struct msghdr *message, int *fd)
{
   for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
         continue;
      for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
         int one;

         memcpy(&one, CMSG_DATA(c) + i * sizeof(int), sizeof(one));
         if (*fd < 0)
            *fd = one;
         else
            close(one);
      }
   }
}

/* One packet of at most `room` bytes after those in the buffer, which has room for them. */
static int
receive_packet(int socket, struct wire_buffer *b, size_t room, int *fd)
{
   union {
      struct cmsghdr head;
      char space[CMSG_SPACE(4 * sizeof(int))];
   } control;
   struct iovec io = { b->bytes + b->length, room };
   struct msghdr message = {
      .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)
   };
   ssize_t got;

   do
      got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
   while (got < 0 && errno == EINTR);
   if (got < 0)
      return errno == ECONNRESET ? EPIPE : errno;
   take_descriptors(&message, fd);
   if (!got)
      return EPIPE;
   if (message.msg_flags & MSG_TRUNC)
      return EPROTO;
   b->length += (size_t)got;
   return 0;
}

int
wire_receive(int socket, struct wire_buffer *b, int *fd)
{
   struct wire_head head;
   int error;

   *fd = -1;
   b->length = 0;
   if (!wire_reserve(b, WIRE_PACKET))
      return ENOMEM;
   error = receive_packet(socket, b, WIRE_PACKET, fd);
   if (!error && b->length < sizeof(head))
      error = EPROTO;
   if (!error) {
      memcpy(&head, b->bytes, sizeof(head));
      if (head.bytes > WIRE_MAX || head.bytes < b->length)
         error = EPROTO;
   }
   while (!error && b->length < head.bytes) {
      const size_t left = head.bytes - b->length;
      const size_t next = left < WIRE_PACKET ? left : WIRE_PACKET;

      /* Only what comes takes memory. */
      error = wire_reserve(b, next) ? receive_packet(socket, b, next, fd) : ENOMEM;
   }
   if (error && *fd >= 0) {
      close(*fd);
      *fd = -1;
   }
   return error;
}
