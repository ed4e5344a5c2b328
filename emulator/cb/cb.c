/* SPDX-License-Identifier: MIT */
/*
 * What follows from a draw's colour targets, and what passes ask about them.
 */
#include "cb/cb.h"

#include <string.h>

#include "port/state.h"

static bool
uses_dst(unsigned factor)
{
   return factor == FACTOR_DST_ALPHA || factor == FACTOR_ONE_MINUS_DST_ALPHA ||
          factor == FACTOR_DST_COLOR || factor == FACTOR_ONE_MINUS_DST_COLOR ||
          factor == FACTOR_SRC_ALPHA_SATURATE;
}

static bool
reads_dst(unsigned src, unsigned dst, unsigned op)
{
   return dst != FACTOR_ZERO || uses_dst(src) || op == BLEND_OP_MIN || op == BLEND_OP_MAX;
}

static bool
is_src1(unsigned factor)
{
   return factor >= FACTOR_SRC1_COLOR && factor <= FACTOR_ONE_MINUS_SRC1_ALPHA;
}

/* The source as it is. */
static bool
copies(unsigned src, unsigned dst, unsigned op)
{
   return src == FACTOR_ONE && dst == FACTOR_ZERO &&
          (op == BLEND_OP_ADD || op == BLEND_OP_SUBTRACT);
}

static void
finish_blend(struct cb_state *s, struct cb_blend *b)
{
   /* Alpha saturates to one. */
   if (b->src_alpha == FACTOR_SRC_ALPHA_SATURATE)
      b->src_alpha = FACTOR_ONE;
   if (b->dst_alpha == FACTOR_SRC_ALPHA_SATURATE)
      b->dst_alpha = FACTOR_ONE;
   if (copies(b->src_rgb, b->dst_rgb, b->op_rgb) && copies(b->src_alpha, b->dst_alpha, b->op_alpha))
      b->enable = false;
   s->dual_source |= b->enable && (is_src1(b->src_rgb) || is_src1(b->dst_rgb) ||
                                   is_src1(b->src_alpha) || is_src1(b->dst_alpha));
}

static bool
is_8888(const struct cb_target *t)
{
   for (unsigned n = 0; n < 4; n++)
      if (t->channel[n].bits != 8 || t->channel[n].type != NUMERIC_UNORM)
         return false;
   return true;
}

static void
finish_target(struct cb_state *s, struct cb_target *t)
{
   const unsigned copy = 12;
   bool integer = false, curved = false, any = false;

   t->full_mask = true;
   for (unsigned n = 0; n < 4; n++) {
      const struct cb_channel *c = &t->channel[n];

      if (!c->bits)
         continue;
      integer |= c->type == NUMERIC_UINT || c->type == NUMERIC_SINT;
      curved |= c->type == NUMERIC_SRGB || c->type == NUMERIC_FLOAT;
      if (t->write_mask & 1u << n) {
         t->pixel_mask[c->dword & 3] |= (0xffffffffu >> (32 - c->bits)) << c->shift;
         any = true;
      } else {
         t->full_mask = false;
      }
   }
   if (!any)
      return;
   s->bound |= 1u << (t - s->target);

   t->logic = !curved && s->logic != copy;
   t->clamp |=
      t->numeric == NUMERIC_UNORM || t->numeric == NUMERIC_SNORM || t->numeric == NUMERIC_SRGB;
   if (s->mode != CB_COLORS || integer || t->logic)
      t->blend = (struct cb_blend){ .enable = false };
   finish_blend(s, &t->blend);
   t->reads =
      !t->full_mask || t->logic ||
      (t->blend.enable && (reads_dst(t->blend.src_rgb, t->blend.dst_rgb, t->blend.op_rgb) ||
                           reads_dst(t->blend.src_alpha, t->blend.dst_alpha, t->blend.op_alpha)));

   t->path = CB_PATH_GENERIC;
   if (is_8888(t) && !t->logic)
      t->path = t->reads || t->blend.enable ? CB_PATH_BLEND_8888 : CB_PATH_STORE_8888;
}

void
cb_finish(struct cb_state *s)
{
   cb_srgb_init();
   for (unsigned i = 0; i < CB_TARGETS; i++)
      if (s->target[i].surface.host)
         finish_target(s, &s->target[i]);
   if (s->bound && !(s->bound & (s->bound - 1))) {
      const unsigned i = (unsigned)__builtin_ctz(s->bound);

      if (s->target[i].path != CB_PATH_GENERIC && !s->target[i].surface.log2_samples)
         s->only = (uint8_t)(i + 1);
   }
}

/* Draws that write colour and draws that do not may mix. */
static bool
plain(const struct cb_state *s)
{
   return s->mode == CB_COLORS || s->mode == CB_OFF;
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
      if (!target_same(&x->surface, &y->surface) || x->numeric != y->numeric ||
          memcmp(x->channel, y->channel, sizeof(x->channel)) || x->cmask != y->cmask ||
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
   if (s->mode == CB_RESOLVE) {
      n = 0;
      if (s->resolve_src.host)
         out[n++] = target_range(&s->resolve_src);
      if (s->resolve_dst.host)
         out[n++] = target_range(&s->resolve_dst);
   }
   return n;
}
