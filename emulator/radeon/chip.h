/* SPDX-License-Identifier: MIT */
/*
 * The chip that the radeon interface describes: an HD 6970 with one shader engine (two would make
 * drivers program each engine's scratch ring apart).  Notes with a value say what software derives
 * from it.
 */
#ifndef ATOLL_RADEON_CHIP_H
#define ATOLL_RADEON_CHIP_H

#include <stdint.h>

#include "cp/cp.h"

/* The node: its kernel driver, and vendor and device as sysfs spells them. */
#define CHIP_DRIVER          "radeon"
#define CHIP_PCI_VENDOR_TEXT "1002"
#define CHIP_PCI_ID_TEXT     "6718"

#define CHIP_PCI_ID     0x6718u
#define CHIP_VRAM_BYTES (UINT64_C(2) << 30)
#define CHIP_GART_BYTES (UINT64_C(4) << 30)
#define CHIP_VA_START   (UINT64_C(8) << 20)
#define CHIP_IB_DWORDS  65536u
#define CHIP_CLOCK_KHZ  27000u /* timestamps' ticks */
#define CHIP_BACKENDS   CP_BACKENDS
/* log2 pipes 3, 16 banks, 256-byte groups, 2 KiB rows */
#define CHIP_TILING 0x1023u

#endif
