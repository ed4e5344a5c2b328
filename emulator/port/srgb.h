/* SPDX-License-Identifier: MIT */
#ifndef ATOLL_PORT_SRGB_H
#define ATOLL_PORT_SRGB_H

#include <stdint.h>

/* Tables of the sRGB transfer function; made once, equal on every host. */
struct cb_srgb {
   float decode[256];    /* code -> linear */
   float threshold[257]; /* least linear value that encodes to n; [0] is 0, [256] infinity */
   uint8_t first[2048];  /* by (float bits >> 16) - CB_SRGB_FIRST: a code at most one too low */
};
#define CB_SRGB_FIRST 0x3900u /* below 2^-13 everything encodes to 0 */
extern struct cb_srgb cb_srgb;
void cb_srgb_init(void);

#endif
