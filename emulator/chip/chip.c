/* SPDX-License-Identifier: MIT */
/* The rows of the chips, and which one the device is; see chip.h. */
#include "chip/chip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atoll/device.h>

/* Of powers of two up to 16. */
#define LOG2(n) ((n) >= 16 ? 4 : (n) >= 8 ? 3 : (n) >= 4 ? 2 : (n) >= 2 ? 1 : 0)

/* Pipe p has backend p * backends / pipes, in so many bits. */
#define BACKEND(p, pipes, backends, bits) \
   ((p) < (pipes) ? (uint32_t)((p) * (backends) / (pipes)) << (bits) * (p) : 0)
#define BACKEND_MAP(pipes, backends, bits)                                  \
   (BACKEND(0, pipes, backends, bits) | BACKEND(1, pipes, backends, bits) | \
    BACKEND(2, pipes, backends, bits) | BACKEND(3, pipes, backends, bits) | \
    BACKEND(4, pipes, backends, bits) | BACKEND(5, pipes, backends, bits) | \
    BACKEND(6, pipes, backends, bits) | BACKEND(7, pipes, backends, bits))

#define IS_OLD(generation) (GENERATION_##generation < GENERATION_EVERGREEN)

const struct chip chips[CHIPS] = {
#define CHIP(NAME, name_, text_, generation_, pci_id_, pipes_, banks, row, backends_, quads,   \
             simds_, mhz)                                                                      \
   [CHIP_##NAME] = {                                                                           \
      .name = #name_,                                                                          \
      .text = text_,                                                                           \
      .pci_id = 0x##pci_id_,                                                                   \
      .isa = ATOLL_ISA_##generation_,                                                          \
      .generation = GENERATION_##generation_,                                                  \
      .old = IS_OLD(generation_),                                                              \
      .five_slots = GENERATION_##generation_ != GENERATION_CAYMAN,                             \
      .has_vm = GENERATION_##generation_ == GENERATION_CAYMAN,                                 \
      .pipes = pipes_,                                                                         \
      .num_banks = LOG2(banks) - 1,                                                            \
      .backends = backends_,                                                                   \
      .quad_pipes = quads,                                                                     \
      .simds = simds_,                                                                         \
      .tiling = IS_OLD(generation_) ? LOG2(pipes_) << 1 | (LOG2(banks) - 2) << 4               \
                                    : LOG2(pipes_) | (LOG2(banks) - 2) << 4 | LOG2(row) << 12, \
      .backend_map = BACKEND_MAP(pipes_, backends_, IS_OLD(generation_) ? 2 : 4),              \
      .khz = mhz * 1000u,                                                                      \
   },
#include <atoll/chips.def>
};

static enum chip_id chosen = CHIP_CAYMAN;
static pthread_once_t choosing = PTHREAD_ONCE_INIT;

static void
choose(void)
{
   const char *word = getenv("ATOLL_CHIP");

   if (!word || !*word)
      return;
   for (unsigned n = 0; n < CHIPS; n++) {
      if (!strcmp(word, chips[n].name)) {
         chosen = n;
         return;
      }
   }
   fprintf(stderr, "atoll: ATOLL_CHIP=%s: the device can be ", word);
   for (unsigned n = 0; n < CHIPS; n++)
      fprintf(stderr, "%s%s", n ? ", " : "", chips[n].name);
   fprintf(stderr, "; it is %s\n", chips[chosen].name);
}

enum chip_id
chip_choose(void)
{
   pthread_once(&choosing, choose);
   return chosen;
}
