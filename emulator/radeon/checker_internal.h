/* SPDX-License-Identifier: MIT */
/* Shared by the checker's files. */
#ifndef ATOLL_RADEON_CHECKER_INTERNAL_H
#define ATOLL_RADEON_CHECKER_INTERNAL_H

#include "radeon/checker.h"

#include <errno.h>
#include <stddef.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>
#include <atoll/cayman/pm4.h>
#include <atoll/cayman/registers.h>

#define CONTEXT_REGISTERS ((CAYMAN_CONTEXT_END - CAYMAN_CONTEXT_BASE) / 4)

/* A stream under way. */
struct stream {
   const struct checker *checker;
   uint32_t *words;
   uint32_t num_words;
   uint32_t at;   /* the packet's header */
   uint32_t next; /* where the next packet, or the next relocation, is */
   uint32_t dma_relocation;

   /* What the stream has written so far: a submission inherits nothing. */
   uint32_t context[CONTEXT_REGISTERS];
   const struct checker_buffer *buffer[CONTEXT_REGISTERS]; /* of registers that hold addresses */
   const struct checker_buffer *indirect;                  /* SET_BASE */
};

/* Says what is wrong with the packet, and which it is.  -EINVAL. */
int stream_refuse(const struct stream *s, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

static inline uint32_t
stream_register(const struct stream *s, uint32_t address)
{
   return s->context[(address - CAYMAN_CONTEXT_BASE) / 4];
}
static inline const struct checker_buffer *
stream_buffer(const struct stream *s, uint32_t address)
{
   return s->buffer[(address - CAYMAN_CONTEXT_BASE) / 4];
}

/* checker_registers.c: what a stream may do with the chip's register at a byte address. */
enum checker_class {
   FORBIDDEN,
   FREE,       /* any value */
   TRACKED,    /* any value, which surface rules look at */
   ADDRESS,    /* of a buffer, >> 8 */
   RELOCATION, /* no address, but a relocation all the same */
};
enum checker_class checker_register_class(const struct chip *chip, uint32_t address);
/* Of R600 and R700: whether a register that may have a relocation holds tiling and no address. */
bool checker_holds_tiling(uint32_t address);

/* checker_surface.c: the rules of strict mode about surfaces.  0 or -EINVAL after a message. */
/* Before each draw. */
int stream_check_targets(const struct stream *s);
/* A texture's resource words, before relocation; `mip` is NULL without a second buffer. */
int stream_check_texture(const struct stream *s, const uint32_t *words,
                         const struct checker_buffer *base, const struct checker_buffer *mip);

#endif
