/* SPDX-License-Identifier: MIT */
/*
 * CB_*: colour targets, blending, masks, fast clears, resolve.
 */
#include <string.h>

#include "cb/cb.h"
#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "memory/vm.h"
#include "port/state.h"

#include <atoll/cayman/enums.h>

static void
decode_blend(struct cb_blend *b, uint32_t word)
{
   unsigned src = REG_FIELD_GET(word, CB_BLEND0_CONTROL, COLOR_SRCBLEND);
   unsigned dst = REG_FIELD_GET(word, CB_BLEND0_CONTROL, COLOR_DESTBLEND);
   unsigned op = REG_FIELD_GET(word, CB_BLEND0_CONTROL, COLOR_COMB_FCN);
   /* The two legacy factors stand for a pair, of all components. */
   const bool inverse = src == BLEND_BOTH_INV_SRC_ALPHA;
   const bool pair = src == BLEND_BOTH_SRC_ALPHA || inverse;

   if (pair) {
      src = inverse ? BLEND_ONE_MINUS_SRC_ALPHA : BLEND_SRC_ALPHA;
      dst = inverse ? BLEND_SRC_ALPHA : BLEND_ONE_MINUS_SRC_ALPHA;
   }
   b->src_rgb = cayman_blend_factor[src];
   b->dst_rgb = cayman_blend_factor[dst];
   b->op_rgb = cayman_blend_op[op];
   if (REG_FIELD_GET(word, CB_BLEND0_CONTROL, SEPARATE_ALPHA_BLEND)) {
      op = REG_FIELD_GET(word, CB_BLEND0_CONTROL, ALPHA_COMB_FCN);
      if (!pair) {
         src = REG_FIELD_GET(word, CB_BLEND0_CONTROL, ALPHA_SRCBLEND);
         dst = REG_FIELD_GET(word, CB_BLEND0_CONTROL, ALPHA_DESTBLEND);
      }
   }
   b->src_alpha = cayman_blend_factor[src];
   b->dst_alpha = cayman_blend_factor[dst];
   b->op_alpha = cayman_blend_op[op];
   b->enable = REG_FIELD_GET(word, CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE);
}

/* Whether a slot is a surface: it has a format, and is no random access target. */
static bool
is_surface(uint32_t info)
{
   return REG_FIELD_GET(info, CB_COLOR0_INFO, FORMAT) && !REG_FIELD_GET(info, CB_COLOR0_INFO, RAT);
}

/* log2 of the samples of slot i.  Five-slot chips say it of all targets at once; where one is
 * resolved into slot 1, that has one sample. */
static unsigned
slot_samples(const struct regs *r, unsigned i, bool resolved_to)
{
   if (regs_chip(r)->five_slots)
      return resolved_to ? 0 : cayman_log2_samples(r);
   return REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_ATTRIB, i)), CB_COLOR0_ATTRIB, NUM_FRAGMENTS);
}

/* Slot i as a surface, into a target of zeros. */
static void
decode_surface(struct cb_target *t, const struct regs *r, const struct vm *vm, unsigned i,
               bool resolved_to)
{
   const uint32_t info = reg(r, REG_AT(CB_COLOR0_INFO, i));
   const uint32_t view = reg(r, REG_AT(CB_COLOR0_VIEW, i));
   const uint32_t attrib = reg(r, REG_AT(CB_COLOR0_ATTRIB, i));

   if (!is_surface(info))
      return;
   const uint32_t pitch =
      (REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_PITCH, i)), CB_COLOR0_PITCH, PITCH_TILE_MAX) + 1) * 8;
   const uint32_t slice =
      REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_SLICE, i)), CB_COLOR0_SLICE, SLICE_TILE_MAX) + 1;

   t->numeric = cayman_numeric[REG_FIELD_GET(info, CB_COLOR0_INFO, NUMBER_TYPE)];
   const struct target_desc desc = {
      .va = (uint64_t)reg(r, REG_AT(CB_COLOR0_BASE, i)) << 8,
      .pitch = pitch,
      .slice_tiles = slice,
      .cpp = cb_channels(t->channel, cayman_format[REG_FIELD_GET(info, CB_COLOR0_INFO, FORMAT)],
                         t->numeric, cayman_order[REG_FIELD_GET(info, CB_COLOR0_INFO, COMP_SWAP)]),
      .log2_samples = slot_samples(r, i, resolved_to),
      .first_layer = REG_FIELD_GET(view, CB_COLOR0_VIEW, SLICE_START),
      .last_layer = REG_FIELD_GET(view, CB_COLOR0_VIEW, SLICE_MAX),
   };
   target_decode(&t->surface, vm, &desc);
   t->dst_alpha_one =
      !regs_chip(r)->five_slots && REG_FIELD_GET(attrib, CB_COLOR0_ATTRIB, FORCE_DST_ALPHA_1);
   for (unsigned n = 0; n < 4; n++)
      t->clear_word[n] = reg(r, REG_AT(CB_COLOR0_CLEAR_WORD0, i) + 4 * n);

   if (t->surface.host && REG_FIELD_GET(info, CB_COLOR0_INFO, FAST_CLEAR)) {
      const uint64_t va = (uint64_t)reg(r, REG_AT(CB_COLOR0_CMASK, i)) << 8;
      const uint32_t word = reg(r, REG_AT(CB_COLOR0_CMASK_SLICE, i));
      const uint64_t bytes =
         ((uint64_t)REG_FIELD_GET(word, CB_COLOR0_CMASK_SLICE, TILE_MAX) + 1) * 128;
      const uint64_t blocks = (uint64_t)(pitch / 8) * ((t->surface.height + 7) / 8);
      const uint64_t want = (t->surface.first_layer + t->surface.num_layers) * bytes;

      if ((blocks + 1) / 2 <= bytes && vm_extent(vm, va, want) == want) {
         t->cmask = vm_pointer(vm, va);
         t->cmask_slice_bytes = bytes;
         t->cmask_pitch = pitch / 8;
      }
   }
}

void
cayman_decode_cb(struct cb_state *s, const struct regs *r, const struct vm *vm)
{
   static const uint8_t modes[8] = {
      [CB_MODE_DISABLE] = CB_OFF,
      [CB_MODE_NORMAL] = CB_COLORS,
      [CB_MODE_ELIMINATE_FAST_CLEAR] = CB_EXPAND,
      [CB_MODE_RESOLVE] = CB_RESOLVE,
      [CB_MODE_DECOMPRESS] = CB_EXPAND,
      [CB_MODE_FMASK_DECOMPRESS] = CB_EXPAND,
      [6] = CB_EXPAND,
      [7] = CB_EXPAND,
   };
   const uint32_t control = reg(r, R_CB_COLOR_CONTROL);
   uint32_t mask = reg(r, R_CB_TARGET_MASK);

   memset(s, 0, sizeof(*s));
   s->mode = modes[REG_FIELD_GET(control, CB_COLOR_CONTROL, MODE)];
   s->logic = REG_FIELD_GET(control, CB_COLOR_CONTROL, ROP3) & 15;
   s->constant[0] = reg_float(r, R_CB_BLEND_RED);
   s->constant[1] = reg_float(r, R_CB_BLEND_GREEN);
   s->constant[2] = reg_float(r, R_CB_BLEND_BLUE);
   s->constant[3] = reg_float(r, R_CB_BLEND_ALPHA);
   if (s->mode == CB_COLORS)
      mask &= reg(r, R_CB_SHADER_MASK);
   else if (s->mode == CB_OFF)
      mask = 0;

   for (unsigned i = 0; i < CB_TARGETS; i++) {
      struct cb_target *t = &s->target[i];
      const uint32_t info = reg(r, REG_AT(CB_COLOR0_INFO, i));

      if (!is_surface(info))
         continue;
      decode_surface(t, r, vm, i, false);
      t->write_mask = mask >> i * 4 & 15;
      t->clamp = REG_FIELD_GET(info, CB_COLOR0_INFO, BLEND_CLAMP);
      if (!REG_FIELD_GET(info, CB_COLOR0_INFO, BLEND_BYPASS))
         decode_blend(&t->blend, reg(r, REG_AT(CB_BLEND0_CONTROL, i)));
   }
   if (s->mode == CB_RESOLVE) {
      struct cb_target to = { .numeric = 0 };

      decode_surface(&to, r, vm, 1, true);
      s->resolve_src = s->target[0].surface;
      s->resolve_dst = to.surface;
   }
   cb_finish(s);
}
