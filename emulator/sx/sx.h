/* SPDX-License-Identifier: MIT */
/*
 * SX: what happens to pixel exports before DB and CB: the hardware alpha test and alpha to mask.
 */
#ifndef ATOLL_SX_H
#define ATOLL_SX_H

#include <stdbool.h>
#include <stdint.h>

struct sx_state {
   bool alpha_test;
   uint8_t alpha_func; /* enum test */
   float alpha_ref;
   bool alpha_16bpc; /* target 0 takes its export as four 16-bit floats */
   bool alpha_to_mask;
   uint8_t alpha_to_mask_offset[4];
   bool alpha_to_mask_round;
   bool kill_all; /* every pixel is dropped */
};

#endif
