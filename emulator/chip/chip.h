/* SPDX-License-Identifier: MIT */
/*
 * The chips that the device can be, as include/atoll/chips.def has them.  They share command
 * packets, descriptors and nearly all registers, so they share a folder (chip/cayman): it asks a
 * chip's row where they differ.
 */
#ifndef ATOLL_CHIP_CHIP_H
#define ATOLL_CHIP_CHIP_H

#include <stdbool.h>
#include <stdint.h>

enum chip_id {
#define CHIP(NAME, ...) CHIP_##NAME,
#include <atoll/chips.def>
   CHIPS
};

enum chip_generation {
   GENERATION_R600,
   GENERATION_R700,
   GENERATION_EVERGREEN, /* and Northern Islands */
   GENERATION_CAYMAN,
};

struct chip {
   const char *name; /* the word of ATOLL_CHIP */
   const char *text; /* in messages and captures */
   uint16_t pci_id;
   uint8_t isa;        /* enum atoll_isa */
   bool five_slots;    /* and what came with them: see include/atoll/cayman/registers.def */
   uint8_t generation; /* enum chip_generation */
   bool old;      /* R600 or R700: registers and descriptors are converted (chip/cayman/r600.h) */
   bool has_vm;   /* streams have virtual addresses */
   uint8_t pipes; /* of memory */
   uint8_t num_banks; /* log2 of the banks, less one, as fields have it */
   uint8_t backends, quad_pipes, simds;
   /* TILING_CONFIG: log2 pipes 3:0, log2 banks / 4 7:4, groups of 256 bytes (0) 11:8, log2 KiB of a
    * row 15:12; R600's and R700's log2 pipes 3:1, log2 banks / 4 5:4, groups 7:6. */
   uint32_t tiling;
   uint32_t backend_map; /* which backend is at each pipe, a nibble a pipe; R600, R700: two bits */
   uint32_t khz;
};

extern const struct chip chips[CHIPS];

/* ATOLL_CHIP, or Cayman; a word that names no chip is reported.  Of a process's life the first
 * answer stays. */
enum chip_id chip_choose(void);

#endif
