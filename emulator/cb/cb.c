/* SPDX-License-Identifier: MIT */
/*
 * What follows from a draw's colour targets, and what passes ask about them.
 */
#include "cb/cb.h"

#include <stdio.h>
#include <string.h>

#include "port/srgb.h"
#include "port/state.h"

_Static_assert(RULE_ANY < 16, "a key has room for each rule");

static unsigned
factor_reads(unsigned factor)
{
   static const uint8_t reads[FACTORS] = {
#define ROW(name, reads, value) [FACTOR_##name] = BLEND_READS_##reads,
      BLEND_FACTORS(ROW)
#undef ROW
   };

   return factor < FACTORS ? reads[factor] : BLEND_READS_NONE;
}

static bool
reads_dst(unsigned src, unsigned dst, unsigned op)
{
   return dst != FACTOR_ZERO || factor_reads(src) == BLEND_READS_DST || !blend_of_terms(op);
}

static bool
reads_src1(const struct cb_blend *b)
{
   return factor_reads(b->src_rgb) == BLEND_READS_SRC1 ||
          factor_reads(b->dst_rgb) == BLEND_READS_SRC1 ||
          factor_reads(b->src_alpha) == BLEND_READS_SRC1 ||
          factor_reads(b->dst_alpha) == BLEND_READS_SRC1;
}

/* The source as it is. */
static bool
copies(unsigned src, unsigned dst, unsigned op)
{
   return src == FACTOR_ONE && dst == FACTOR_ZERO &&
          (op == BLEND_OP_ADD || op == BLEND_OP_SUBTRACT);
}

static void
finish_blend(struct cb_blend *b)
{
   /* Alpha saturates to one. */
   if (b->src_alpha == FACTOR_SRC_ALPHA_SATURATE)
      b->src_alpha = FACTOR_ONE;
   if (b->dst_alpha == FACTOR_SRC_ALPHA_SATURATE)
      b->dst_alpha = FACTOR_ONE;
   if (copies(b->src_rgb, b->dst_rgb, b->op_rgb) && copies(b->src_alpha, b->dst_alpha, b->op_alpha))
      b->enable = false;
}

static unsigned
rule_of(const struct cb_blend *b)
{
   if (!b->enable)
      return RULE_COPY;
#define ROW(name, src, dst, a_src, a_dst, op)                            \
   if (b->op_rgb == BLEND_OP_##op && b->op_alpha == BLEND_OP_##op &&     \
       (!blend_of_terms(BLEND_OP_##op) ||                                \
        (b->src_rgb == FACTOR_##src && b->src_alpha == FACTOR_##a_src && \
         b->dst_rgb == FACTOR_##dst && b->dst_alpha == FACTOR_##a_dst))) \
      return RULE_##name;
   BLENDING_RULES(ROW)
#undef ROW
   return RULE_ANY;
}

static unsigned
layout_of(const struct cb_target *t)
{
   const struct cb_channel *c = t->channel;
   const unsigned cpp = t->surface.cpp;
   bool bytes = true, halves = !t->surface.log2_samples && !t->clamp, floats = halves;

   for (unsigned n = 0; n < 4; n++) {
      bytes &= c[n].bits == 8 && c[n].type == NUMERIC_UNORM;
      halves &= c[n].bits == 16 && c[n].type == NUMERIC_FLOAT && c[n].dword == n / 2 &&
                c[n].shift == n % 2 * 16;
      if (4 * n < cpp)
         floats &= c[n].bits == 32 && c[n].type == NUMERIC_FLOAT && c[n].dword == n;
      else
         floats &= !c[n].bits;
   }
   if (bytes || halves)
      return bytes ? CB_LAYOUT_BYTES : CB_LAYOUT_HALVES;
   return floats && cpp != 12 ? CB_LAYOUT_FLOATS : CB_LAYOUT_ANY;
}

static void
finish_target(struct cb_state *s, struct cb_target *t)
{
   const struct cb_blend *b = &t->blend;
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

   t->clamp |=
      t->numeric == NUMERIC_UNORM || t->numeric == NUMERIC_SNORM || t->numeric == NUMERIC_SRGB;
   t->key.logic = !curved && s->logic != CB_LOGIC_COPY;
   if (s->mode != CB_COLORS || integer || t->key.logic)
      t->blend.enable = false;
   finish_blend(&t->blend);
   t->key.rule = rule_of(b);
   t->key.dual = b->enable && reads_src1(b);
   t->key.reads = !t->full_mask || t->key.logic ||
                  (b->enable && (reads_dst(b->src_rgb, b->dst_rgb, b->op_rgb) ||
                                 reads_dst(b->src_alpha, b->dst_alpha, b->op_alpha)));
   t->key.samples = t->surface.log2_samples != 0;
   t->key.layout = layout_of(t);
   s->dual_source |= t->key.dual;
   s->four_alike &= t->key.layout == CB_LAYOUT_BYTES && t->key.rule == RULE_COPY && !t->key.reads &&
                    t->surface.log2_samples == 2;
}

void
cb_finish(struct cb_state *s)
{
   cb_srgb_init();
   s->four_alike = true;
   for (unsigned i = 0; i < CB_TARGETS; i++)
      if (s->target[i].surface.host)
         finish_target(s, &s->target[i]);
   if (s->bound && !(s->bound & (s->bound - 1))) {
      const unsigned i = (unsigned)__builtin_ctz(s->bound);

      if (s->target[i].key.layout == CB_LAYOUT_BYTES && !s->target[i].key.samples)
         s->only = (uint8_t)(i + 1);
   }
}

void
cb_key_print(struct cb_key key, char *out, size_t size)
{
   static const char *const layouts[] = { "any", "bytes", "halves", "floats" };
   static const char *const rules[16] = {
#define ROW(name, ...) [RULE_##name] = #name,
      BLEND_RULES(ROW)
#undef ROW
         [RULE_ANY] = "ANY",
   };

   snprintf(out, size, "%s %s%s%s%s%s", layouts[key.layout], rules[key.rule],
            key.reads ? " reads" : "", key.dual ? " dual" : "", key.logic ? " logic" : "",
            key.samples ? " samples" : "");
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
