/* SPDX-License-Identifier: MIT */
/*
 * What the radeon interface says of every chip (chip/chip.h has what it says of one).  Notes with a
 * value say what software derives from it.
 */
#ifndef ATOLL_RADEON_CHIP_H
#define ATOLL_RADEON_CHIP_H

#include <stdint.h>

/* The node: its kernel driver, and its vendor as sysfs spells it. */
#define CHIP_DRIVER          "radeon"
#define CHIP_PCI_VENDOR_TEXT "1002"

#define CHIP_VRAM_BYTES (UINT64_C(2) << 30)
#define CHIP_GART_BYTES (UINT64_C(4) << 30)
#define CHIP_VA_START   (UINT64_C(8) << 20)
#define CHIP_IB_DWORDS  65536u
#define CHIP_CLOCK_KHZ  27000u /* timestamps' ticks */

#endif
