/* SPDX-License-Identifier: MIT */
/*
 * CB: colour targets, blending, logic operations, masks, fast clears, resolve.
 */
#ifndef ATOLL_CB_H
#define ATOLL_CB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/channel.h"
#include "memory/target.h"
#include "port/limits.h"

struct cb_blend {
   bool enable;
   uint8_t src_rgb, dst_rgb, op_rgb; /* enum blend_factor, blend_op */
   uint8_t src_alpha, dst_alpha, op_alpha;
};

/* What cb_state.logic is where the source is written as it is. */
#define CB_LOGIC_COPY 0x0cu

/* What a draw does with colour targets. */
enum cb_mode {
   CB_OFF,
   CB_COLORS,  /* writes the program's colours */
   CB_RESOLVE, /* averages the samples of one into another */
   CB_EXPAND,  /* writes out what fast clears left, and nothing else */
};

/* How the components of a pixel lie, where they have loops of their own. */
enum cb_layout {
   CB_LAYOUT_ANY,
   CB_LAYOUT_BYTES,  /* four of 8 bits, unsigned normalised, in any order */
   CB_LAYOUT_HALVES, /* four halves in order, one sample a pixel */
   CB_LAYOUT_FLOATS, /* one, two or four floats in order, one sample a pixel */
};

/* What decides which loop a target's colours take. */
struct cb_key {
   uint16_t layout : 2;  /* enum cb_layout */
   uint16_t rule : 4;    /* enum blend_rule */
   uint16_t reads : 1;   /* the old pixel matters */
   uint16_t dual : 1;    /* blending takes the program's second colour */
   uint16_t logic : 1;   /* a logic operation that is not a copy */
   uint16_t samples : 1; /* a pixel has several */
};

/* A colour target.  A chip fills in what it was told, and cb_finish() the rest. */
struct cb_target {
   struct target surface;
   struct cb_channel channel[4]; /* red, green, blue, alpha */
   uint8_t numeric;              /* enum numeric, as cb_channels() was given it */
   uint8_t write_mask;           /* RGBA bits that reach memory */
   bool clamp;                   /* blend inputs are clamped to the format's range */
   bool dst_alpha_one;           /* alpha reads as 1 */
   struct cb_blend blend;
   uint32_t clear_word[4];
   uint8_t *cmask; /* fast clear: a nibble per 8x8 block, 0 = clear_word; or NULL */
   uint64_t cmask_slice_bytes;
   uint32_t cmask_pitch; /* nibbles per row of blocks */

   /* What follows. */
   struct cb_key key;
   bool full_mask;         /* every component that the format has is written */
   uint32_t pixel_mask[4]; /* bits of a pixel that may change */
};

struct cb_state {
   struct cb_target target[CB_TARGETS];
   uint8_t mode;      /* enum cb_mode */
   uint8_t logic;     /* a table: bit 2 * s + d is what bits s of the source and d of memory give */
   float constant[4]; /* blend colour */
   struct target resolve_src, resolve_dst;

   /* What follows. */
   uint32_t bound; /* targets that the draw writes */
   uint8_t only;   /* the one that it writes, of bytes and of one sample, + 1; or 0 */
   bool dual_source;
   bool four_alike; /* all take colours as they are, as bytes of four samples */
};

/* Leaves out what a target cannot have, and finds what follows. */
void cb_finish(struct cb_state *s);

/* The key in words. */
void cb_key_print(struct cb_key key, char *out, size_t size);

/* Whether a draw with state b may join a pass of draws with state a. */
bool cb_same_targets(const struct cb_state *a, const struct cb_state *b);

/* Memory the draw reads or writes through CB; returns how many ranges (at most CB_TARGETS). */
unsigned cb_ranges(const struct cb_state *s, struct target_range out[CB_TARGETS]);

#endif
