/* SPDX-License-Identifier: MIT */
/*
 * Decodes CB: formats, masks, blending, and the path that colours take to memory.
 */
#include <string.h>

#include "cb/cb.h"
#include "memory/vm.h"

#include <atoll/cayman/enums.h>

/* Component widths from the lowest bit up. */
struct layout {
   uint8_t bits[4];
   bool is_float;
};

static const struct layout layouts[64] = {
   [FMT_8] = { { 8 } },
   [FMT_4_4] = { { 4, 4 } },
   [FMT_3_3_2] = { { 2, 3, 3 } },
   [FMT_16] = { { 16 } },
   [FMT_16_FLOAT] = { { 16 }, true },
   [FMT_8_8] = { { 8, 8 } },
   [FMT_5_6_5] = { { 5, 6, 5 } },
   [FMT_6_5_5] = { { 5, 5, 6 } },
   [FMT_1_5_5_5] = { { 5, 5, 5, 1 } },
   [FMT_4_4_4_4] = { { 4, 4, 4, 4 } },
   [FMT_5_5_5_1] = { { 1, 5, 5, 5 } },
   [FMT_32] = { { 32 } },
   [FMT_32_FLOAT] = { { 32 }, true },
   [FMT_16_16] = { { 16, 16 } },
   [FMT_16_16_FLOAT] = { { 16, 16 }, true },
   [FMT_8_24] = { { 24, 8 } },
   [FMT_24_8] = { { 8, 24 } },
   [FMT_10_11_11_FLOAT] = { { 11, 11, 10 }, true },
   [FMT_11_11_10_FLOAT] = { { 10, 11, 11 }, true },
   [FMT_2_10_10_10] = { { 10, 10, 10, 2 } },
   [FMT_8_8_8_8] = { { 8, 8, 8, 8 } },
   [FMT_10_10_10_2] = { { 2, 10, 10, 10 } },
   [FMT_X24_8_32_FLOAT] = { { 32, 8 }, true },
   [FMT_32_32] = { { 32, 32 } },
   [FMT_32_32_FLOAT] = { { 32, 32 }, true },
   [FMT_16_16_16_16] = { { 16, 16, 16, 16 } },
   [FMT_16_16_16_16_FLOAT] = { { 16, 16, 16, 16 }, true },
   [FMT_32_32_32] = { { 32, 32, 32 } },
   [FMT_32_32_32_FLOAT] = { { 32, 32, 32 }, true },
   [FMT_32_32_32_32] = { { 32, 32, 32, 32 } },
   [FMT_32_32_32_32_FLOAT] = { { 32, 32, 32, 32 }, true },
};

/* order[count - 1][COMP_SWAP][n]: which colour (0 red .. 3 alpha) component n holds. */
static const uint8_t order[4][4][4] = {
   { { 0 }, { 1 }, { 2 }, { 3 } },
   { { 0, 1 }, { 0, 3 }, { 1, 0 }, { 3, 0 } },
   { { 0, 1, 2 }, { 0, 1, 3 }, { 2, 1, 0 }, { 3, 1, 0 } },
   { { 0, 1, 2, 3 }, { 2, 1, 0, 3 }, { 3, 2, 1, 0 }, { 3, 0, 1, 2 } },
};

unsigned
cb_decode_format(struct cb_channel channel[4], unsigned data_format, unsigned number_type,
                 unsigned swap)
{
   const struct layout *l = &layouts[data_format & 63];
   unsigned count = 0, bit = 0;

   while (count < 4 && l->bits[count])
      count++;
   if (!count)
      return 0;
   for (unsigned n = 0; n < count; n++) {
      struct cb_channel *c = &channel[order[count - 1][swap & 3][n]];

      c->bits = l->bits[n];
      c->dword = bit / 32;
      c->shift = bit % 32;
      c->type = l->is_float ? NUMBER_FLOAT : number_type;
      if (!l->is_float && c->type == NUMBER_FLOAT)
         c->type = c->bits >= 16 && c->bits != 24 ? NUMBER_FLOAT : NUMBER_UNORM;
      bit += c->bits;
   }
   if (data_format == FMT_X24_8_32_FLOAT) {
      for (unsigned n = 0; n < 4; n++)
         if (channel[n].bits == 8)
            channel[n].type = NUMBER_UINT;
      bit = 64;
   }
   /* Alpha is linear, and only 8-bit components are curved. */
   for (unsigned n = 0; n < 4; n++)
      if (channel[n].type == NUMBER_SRGB && (n == 3 || channel[n].bits != 8))
         channel[n].type = NUMBER_UNORM;
   return bit / 8;
}

static bool
uses_dst(unsigned factor)
{
   return factor == BLEND_DST_ALPHA || factor == BLEND_ONE_MINUS_DST_ALPHA ||
          factor == BLEND_DST_COLOR || factor == BLEND_ONE_MINUS_DST_COLOR ||
          factor == BLEND_SRC_ALPHA_SATURATE;
}

static bool
reads_dst(unsigned src, unsigned dst, unsigned func)
{
   return dst != BLEND_ZERO || uses_dst(src) || func == COMB_MIN_DST_SRC ||
          func == COMB_MAX_DST_SRC;
}

static bool
is_src1(unsigned factor)
{
   return factor >= BLEND_SRC1_COLOR && factor <= BLEND_INV_SRC1_ALPHA;
}

static void
decode_blend(struct cb_target *t, struct cb_state *s, uint32_t word)
{
   struct cb_blend *b = &t->blend;

   b->src_rgb = REG_FIELD_GET(word, CB_BLEND0_CONTROL, COLOR_SRCBLEND);
   b->dst_rgb = REG_FIELD_GET(word, CB_BLEND0_CONTROL, COLOR_DESTBLEND);
   b->func_rgb = REG_FIELD_GET(word, CB_BLEND0_CONTROL, COLOR_COMB_FCN);
   if (REG_FIELD_GET(word, CB_BLEND0_CONTROL, SEPARATE_ALPHA_BLEND)) {
      b->src_alpha = REG_FIELD_GET(word, CB_BLEND0_CONTROL, ALPHA_SRCBLEND);
      b->dst_alpha = REG_FIELD_GET(word, CB_BLEND0_CONTROL, ALPHA_DESTBLEND);
      b->func_alpha = REG_FIELD_GET(word, CB_BLEND0_CONTROL, ALPHA_COMB_FCN);
   } else {
      b->src_alpha = b->src_rgb;
      b->dst_alpha = b->dst_rgb;
      b->func_alpha = b->func_rgb;
   }
   /* The two legacy factors stand for a pair. */
   if (b->src_rgb == BLEND_BOTH_SRC_ALPHA || b->src_rgb == BLEND_BOTH_INV_SRC_ALPHA) {
      bool inverse = b->src_rgb == BLEND_BOTH_INV_SRC_ALPHA;

      b->src_rgb = b->src_alpha = inverse ? BLEND_ONE_MINUS_SRC_ALPHA : BLEND_SRC_ALPHA;
      b->dst_rgb = b->dst_alpha = inverse ? BLEND_SRC_ALPHA : BLEND_ONE_MINUS_SRC_ALPHA;
   }
   /* Alpha saturates to one. */
   if (b->src_alpha == BLEND_SRC_ALPHA_SATURATE)
      b->src_alpha = BLEND_ONE;
   if (b->dst_alpha == BLEND_SRC_ALPHA_SATURATE)
      b->dst_alpha = BLEND_ONE;

   b->enable = REG_FIELD_GET(word, CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE);
   if (b->src_rgb == BLEND_ONE && b->dst_rgb == BLEND_ZERO && b->func_rgb <= COMB_SRC_MINUS_DST &&
       b->src_alpha == BLEND_ONE && b->dst_alpha == BLEND_ZERO &&
       b->func_alpha <= COMB_SRC_MINUS_DST)
      b->enable = false;
   s->dual_source |= b->enable && (is_src1(b->src_rgb) || is_src1(b->dst_rgb) ||
                                   is_src1(b->src_alpha) || is_src1(b->dst_alpha));
}

static bool
is_8888(const struct cb_target *t)
{
   for (unsigned n = 0; n < 4; n++)
      if (t->channel[n].bits != 8 || t->channel[n].type != NUMBER_UNORM)
         return false;
   return true;
}

static void
decode_surface(struct cb_target *t, const struct regs *r, const struct vm *vm, unsigned i)
{
   uint32_t info = reg(r, REG_AT(CB_COLOR0_INFO, i)), view = reg(r, REG_AT(CB_COLOR0_VIEW, i));

   memset(t, 0, sizeof(*t));
   t->data_format = REG_FIELD_GET(info, CB_COLOR0_INFO, FORMAT);
   t->number_type = REG_FIELD_GET(info, CB_COLOR0_INFO, NUMBER_TYPE);
   t->swap = REG_FIELD_GET(info, CB_COLOR0_INFO, COMP_SWAP);
   if (REG_FIELD_GET(info, CB_COLOR0_INFO, RAT))
      return;

   struct target_desc desc = {
      .va = (uint64_t)reg(r, REG_AT(CB_COLOR0_BASE, i)) << 8,
      .pitch =
         (REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_PITCH, i)), CB_COLOR0_PITCH, PITCH_TILE_MAX) + 1) *
         8,
      .slice_tiles =
         REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_SLICE, i)), CB_COLOR0_SLICE, SLICE_TILE_MAX) + 1,
      .array_mode = REG_FIELD_GET(info, CB_COLOR0_INFO, ARRAY_MODE),
      .cpp = cb_decode_format(t->channel, t->data_format, t->number_type, t->swap),
      .log2_samples =
         REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_ATTRIB, i)), CB_COLOR0_ATTRIB, NUM_FRAGMENTS),
      .first_layer = REG_FIELD_GET(view, CB_COLOR0_VIEW, SLICE_START),
      .last_layer = REG_FIELD_GET(view, CB_COLOR0_VIEW, SLICE_MAX),
   };
   target_decode(&t->surface, vm, &desc);
   t->dst_alpha_one =
      REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_ATTRIB, i)), CB_COLOR0_ATTRIB, FORCE_DST_ALPHA_1);
   for (unsigned n = 0; n < 4; n++)
      t->clear_word[n] = reg(r, REG_AT(CB_COLOR0_CLEAR_WORD0, i) + 4 * n);

   if (t->surface.host && REG_FIELD_GET(info, CB_COLOR0_INFO, FAST_CLEAR)) {
      uint64_t va = (uint64_t)reg(r, REG_AT(CB_COLOR0_CMASK, i)) << 8;
      uint32_t tiles =
         REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_CMASK_SLICE, i)), CB_COLOR0_CMASK_SLICE, TILE_MAX) +
         1;
      uint64_t blocks = (uint64_t)(desc.pitch / 8) * ((t->surface.height + 7) / 8);
      uint64_t slice = (uint64_t)tiles * 128;
      uint64_t want = (t->surface.first_layer + t->surface.num_layers) * slice;

      if ((blocks + 1) / 2 <= slice && vm_extent(vm, va, want) == want) {
         t->cmask = vm_pointer(vm, va);
         t->cmask_slice_bytes = slice;
         t->cmask_pitch = desc.pitch / 8;
      }
   }
}

void
cb_decode(struct cb_state *s, const struct regs *r, const struct vm *vm)
{
   uint32_t control = reg(r, R_CB_COLOR_CONTROL);
   uint32_t target_mask = reg(r, R_CB_TARGET_MASK), shader_mask = reg(r, R_CB_SHADER_MASK);

   cb_srgb_init();
   memset(s, 0, sizeof(*s));
   s->mode = REG_FIELD_GET(control, CB_COLOR_CONTROL, MODE);
   s->rop3 = REG_FIELD_GET(control, CB_COLOR_CONTROL, ROP3);
   s->constant[0] = reg_float(r, R_CB_BLEND_RED);
   s->constant[1] = reg_float(r, R_CB_BLEND_GREEN);
   s->constant[2] = reg_float(r, R_CB_BLEND_BLUE);
   s->constant[3] = reg_float(r, R_CB_BLEND_ALPHA);

   for (unsigned i = 0; i < CB_TARGETS; i++) {
      struct cb_target *t = &s->target[i];
      uint32_t info = reg(r, REG_AT(CB_COLOR0_INFO, i));

      /* A random access target takes no exports. */
      if (!REG_FIELD_GET(info, CB_COLOR0_INFO, FORMAT) || REG_FIELD_GET(info, CB_COLOR0_INFO, RAT))
         continue;
      decode_surface(t, r, vm, i);
      if (!t->surface.host)
         continue;
      t->write_mask = (target_mask & shader_mask) >> i * 4 & 15;
      if (s->mode != CB_MODE_NORMAL)
         t->write_mask = target_mask >> i * 4 & 15;
      if (s->mode == CB_MODE_DISABLE)
         t->write_mask = 0;

      bool integer = false, curved = false, full = true;
      for (unsigned n = 0; n < 4; n++) {
         const struct cb_channel *c = &t->channel[n];

         if (!c->bits)
            continue;
         integer |= c->type == NUMBER_UINT || c->type == NUMBER_SINT;
         curved |= c->type == NUMBER_SRGB || c->type == NUMBER_FLOAT;
         if (t->write_mask & 1u << n)
            t->pixel_mask[c->dword] |= (0xffffffffu >> (32 - c->bits)) << c->shift;
         else
            full = false;
      }
      t->full_mask = full;
      if (!(t->pixel_mask[0] | t->pixel_mask[1] | t->pixel_mask[2] | t->pixel_mask[3]))
         continue;
      s->bound |= 1u << i;

      t->rop = !curved && (s->rop3 & 15) != 12;
      t->clamp = REG_FIELD_GET(info, CB_COLOR0_INFO, BLEND_CLAMP) ||
                 t->number_type == NUMBER_UNORM || t->number_type == NUMBER_SNORM ||
                 t->number_type == NUMBER_SRGB;
      if (s->mode == CB_MODE_NORMAL && !integer && !t->rop &&
          !REG_FIELD_GET(info, CB_COLOR0_INFO, BLEND_BYPASS))
         decode_blend(t, s, reg(r, REG_AT(CB_BLEND0_CONTROL, i)));
      t->reads = !t->full_mask || t->rop ||
                 (t->blend.enable &&
                  (reads_dst(t->blend.src_rgb, t->blend.dst_rgb, t->blend.func_rgb) ||
                   reads_dst(t->blend.src_alpha, t->blend.dst_alpha, t->blend.func_alpha)));

      t->path = CB_PATH_GENERIC;
      if (is_8888(t) && !t->rop)
         t->path = t->reads || t->blend.enable ? CB_PATH_BLEND_8888 : CB_PATH_STORE_8888;
   }

   if (s->bound && !(s->bound & (s->bound - 1))) {
      const unsigned i = (unsigned)__builtin_ctz(s->bound);

      if (s->target[i].path != CB_PATH_GENERIC && !s->target[i].surface.log2_samples)
         s->only = (uint8_t)(i + 1);
   }
   if (s->mode == CB_MODE_RESOLVE) {
      struct cb_target dst;

      decode_surface(&dst, r, vm, 1);
      s->resolve_src = s->target[0].surface;
      s->resolve_dst = dst.surface;
   }
}

/* Draws that write colour and draws that do not may mix. */
static bool
plain(const struct cb_state *s)
{
   return s->mode == CB_MODE_NORMAL || s->mode == CB_MODE_DISABLE;
}

bool
cb_same_targets(const struct cb_state *a, const struct cb_state *b)
{
   if (!plain(a) || !plain(b))
      return false;
   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const struct cb_target *x = &a->target[i], *y = &b->target[i];

      if (!x->surface.host && !y->surface.host)
         continue;
      if (!target_same(&x->surface, &y->surface) || x->data_format != y->data_format ||
          x->number_type != y->number_type || x->swap != y->swap || x->cmask != y->cmask ||
          memcmp(x->clear_word, y->clear_word, sizeof(x->clear_word)))
         return false;
   }
   return true;
}

unsigned
cb_ranges(const struct cb_state *s, struct target_range out[CB_TARGETS])
{
   unsigned n = 0;

   for (unsigned i = 0; i < CB_TARGETS; i++)
      if (s->bound & 1u << i)
         out[n++] = target_range(&s->target[i].surface);
   if (s->mode == CB_MODE_RESOLVE) {
      n = 0;
      if (s->resolve_src.host)
         out[n++] = target_range(&s->resolve_src);
      if (s->resolve_dst.host)
         out[n++] = target_range(&s->resolve_dst);
   }
   return n;
}
