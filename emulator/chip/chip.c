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

/* Pipe p has backend p * backends / pipes. */
#define BACKEND(p, pipes, backends) \
   ((p) < (pipes) ? (uint32_t)((p) * (backends) / (pipes)) << 4 * (p) : 0)
#define BACKEND_MAP(pipes, backends)                                                          \
   (BACKEND(0, pipes, backends) | BACKEND(1, pipes, backends) | BACKEND(2, pipes, backends) | \
    BACKEND(3, pipes, backends) | BACKEND(4, pipes, backends) | BACKEND(5, pipes, backends) | \
    BACKEND(6, pipes, backends) | BACKEND(7, pipes, backends))

const struct chip chips[CHIPS] = {
#define CHIP(NAME, name_, text_, generation, pci_id_, pipes_, banks, row, backends_, quads, \
             simds_, mhz)                                                                   \
   [CHIP_##NAME] = {                                                                        \
      .name = #name_,                                                                       \
      .text = text_,                                                                        \
      .pci_id = 0x##pci_id_,                                                                \
      .isa = ATOLL_ISA_##generation,                                                        \
      .five_slots = ATOLL_ISA_##generation == ATOLL_ISA_EVERGREEN,                          \
      .has_vm = ATOLL_ISA_##generation == ATOLL_ISA_CAYMAN,                                 \
      .pipes = pipes_,                                                                      \
      .num_banks = LOG2(banks) - 1,                                                         \
      .backends = backends_,                                                                \
      .quad_pipes = quads,                                                                  \
      .simds = simds_,                                                                      \
      .tiling = LOG2(pipes_) | (LOG2(banks) - 2) << 4 | LOG2(row) << 12,                    \
      .backend_map = BACKEND_MAP(pipes_, backends_),                                        \
      .khz = mhz * 1000u,                                                                   \
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
