/* SPDX-License-Identifier: MIT */
/*
 * Streams as the kernel sees them before the hardware does.
 *
 * Without virtual memory an address in a stream is an offset within a buffer, and a NOP packet
 * after the packet that holds it names the buffer: the checker adds where the buffer lies.  What
 * it needs for that to be sound, the kernel's checker for Evergreen and Cayman demands too:
 * packets of the right length, a relocation for every address, copies inside their buffers.
 *
 * In strict mode it refuses all that the kernel refuses: registers that a stream may not write,
 * surfaces that reach beyond their buffers, and, with virtual memory, packets that are not on its
 * shorter list.
 */
#ifndef ATOLL_RADEON_CHECKER_H
#define ATOLL_RADEON_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

struct chip;
struct report;

/* An entry of the submission's list of buffers. */
struct checker_buffer {
   uint64_t va, size; /* bytes */
   uint32_t tiling;   /* RADEON_TILING_* */
};

struct checker {
   const struct chip *chip;
   struct report *report;
   uint64_t client; /* for messages */
   const struct checker_buffer *buffers;
   uint32_t num_buffers;
   bool relocate; /* addresses are offsets */
   bool strict;
   bool keep_tiling; /* RADEON_CS_KEEP_TILING_FLAGS */
};

/* Checks a stream of the graphics or the DMA ring, and relocates it where it is.  0, or -EINVAL
 * after a message that names packet, dword and rule; the stream is then half changed. */
int checker_graphics(const struct checker *checker, uint32_t *words, uint32_t num_words);
int checker_dma(const struct checker *checker, uint32_t *words, uint32_t num_words);

#endif
