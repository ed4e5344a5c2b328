/* SPDX-License-Identifier: MIT */
/*
 * CB: colour targets, blending, logic operations, masks, resolve.
 */
#ifndef ATOLL_CB_H
#define ATOLL_CB_H

#include <stdbool.h>
#include <stdint.h>

#include "regs.h"
#include "sc/target.h"

struct vm;

#define CB_TARGETS 8

struct cb_format;

struct cb_blend {
   bool enable;
   uint8_t src_rgb, dst_rgb, func_rgb;       /* enum cayman_blend_factor, cayman_comb_fcn */
   uint8_t src_alpha, dst_alpha, func_alpha;
};

/* One bound colour target. */
struct cb_target {
   struct target surface;
   const struct cb_format *format;
   uint8_t data_format, number_type, swap;   /* as in CB_COLORn_INFO */
   uint8_t write_mask;     /* RGBA bits that reach memory (target and shader mask) */
   bool full_mask;         /* every component the format has is written */
   bool clamp;             /* blend inputs and result are clamped to the format's range */
   bool dst_alpha_one;     /* reads alpha as 1 */
   struct cb_blend blend;
   bool rop;               /* rop3 is not "copy" */
   uint8_t path;           /* enum cb_path */
   uint32_t clear_word[4];
};

struct cb_state {
   struct cb_target target[CB_TARGETS];
   uint32_t bound;         /* targets that the draw writes */
   uint32_t reads;         /* targets whose old contents matter */
   uint8_t mode;           /* enum cayman_cb_mode */
   uint8_t rop3;
   bool dual_source;
   float constant[4];
   struct target resolve_src, resolve_dst;
};

void cb_decode(struct cb_state *s, const struct regs *r, const struct vm *vm);

/* Whether a draw with state b may join a pass whose draws have state a. */
bool cb_same_targets(const struct cb_state *a, const struct cb_state *b);

/* Memory the draw reads or writes through CB; returns how many ranges (at most CB_TARGETS). */
unsigned cb_ranges(const struct cb_state *s, struct target_range out[CB_TARGETS]);

#endif
