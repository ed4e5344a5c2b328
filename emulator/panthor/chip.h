/* SPDX-License-Identifier: MIT */
/*
 * The chip that the panthor interface describes: a Mali-G610 with one shader core.  Notes say what
 * software derives from a value.
 */
#ifndef ATOLL_PANTHOR_CHIP_H
#define ATOLL_PANTHOR_CHIP_H

/* The node: its kernel driver, and its name in the device tree. */
#define MALI_DRIVER     "panthor"
#define MALI_COMPATIBLE "arm,mali-valhall-csf"

#define MALI_GPU_ID 0xa8670005u /* architecture 10.8, product G610 */
#define MALI_CSF_ID 0x040a0412u
/* 32 bytes of L2 line and so on; bins of 16 pixels and up, eight levels. */
#define MALI_L2_FEATURES    0x07120306u
#define MALI_TILER_FEATURES 0x00000809u
#define MALI_MEM_FEATURES   0x00000301u
#define MALI_PA_BITS        0x28u /* in 15:8 of the MMU's features; 7:0 are the virtual ones */
/* Tasks 31:24, registers of a core 21:0: both must be some. */
#define MALI_THREAD_FEATURES (4u << 24 | 0x10000u)
#define MALI_MAX_THREADS     2048u
#define MALI_MAX_WORKGROUP   1024u
#define MALI_ADDRESS_SPACES  0xffu
/* One core: occlusion queries and thread storage have a slot for each. */
#define MALI_CORES 1u

#define MALI_CSG_SLOTS 8u
#define MALI_CLOCK_HZ  24000000u /* timestamps' ticks */

/* The number of the last flush, which nothing changes: there are no caches. */
#define MALI_FLUSH_ID 1u

/* Of memory that all buffers together may have. */
#define MALI_MEMORY (UINT64_C(6) << 30)

#endif
