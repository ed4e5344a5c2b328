/* SPDX-License-Identifier: MIT */
/*
 * Colours of a draw: its targets, and how they are blended.
 *
 * Rules:
 *  1. A descriptor of each target says whether a program blends, a function does, or nothing.
 *  2. A function is a + b * c.  The pipeline has source and target, each with a factor: what cannot
 *     be said so is missing.
 *  3. What a raw target's bits are, the descriptor's conversion says; of others the frame knows.
 */
#include <string.h>

#include "chip/mali/formats.h"
#include "chip/mali/making.h"
#include "port/format.h"
#include "port/state.h"

#define FLAGS(name)    mali_field(draw->flags, MALI_AT_DRAW_FLAGS_##name)
#define BLEND(name)    mali_field(words, MALI_AT_BLEND_##name)
#define FUNCTION(name) mali_field(&word, MALI_AT_BLEND_FUNCTION_##name)

/* What a colour is multiplied by: k + l * c. */
struct term {
   int k, l;
};

/* The factor that a term without its sign stands for; false: there is none. */
static bool
find_factor(struct term term, unsigned operand, uint8_t *factor)
{
   static const uint8_t plain[8] = {
      [MALI_OPERAND_C_source] = FACTOR_SRC_COLOR,
      [MALI_OPERAND_C_target] = FACTOR_DST_COLOR,
      [MALI_OPERAND_C_source_alpha] = FACTOR_SRC_ALPHA,
      [MALI_OPERAND_C_target_alpha] = FACTOR_DST_ALPHA,
      [MALI_OPERAND_C_constant] = FACTOR_CONSTANT_COLOR,
   };
   static const uint8_t inverted[8] = {
      [MALI_OPERAND_C_source] = FACTOR_ONE_MINUS_SRC_COLOR,
      [MALI_OPERAND_C_target] = FACTOR_ONE_MINUS_DST_COLOR,
      [MALI_OPERAND_C_source_alpha] = FACTOR_ONE_MINUS_SRC_ALPHA,
      [MALI_OPERAND_C_target_alpha] = FACTOR_ONE_MINUS_DST_ALPHA,
      [MALI_OPERAND_C_constant] = FACTOR_ONE_MINUS_CONSTANT_COLOR,
   };

   if (!term.l)
      *factor = term.k ? FACTOR_ONE : FACTOR_ZERO;
   else
      *factor = term.k ? inverted[operand] : plain[operand];
   return !term.l ? term.k == 0 || term.k == 1
                  : *factor && ((!term.k && term.l == 1) || (term.k == 1 && term.l == -1));
}

static bool
is_negative(struct term term)
{
   return term.k ? term.k < 0 : term.l < 0;
}

static struct term
without_sign(struct term term)
{
   return is_negative(term) ? (struct term){ -term.k, -term.l } : term;
}

/* A function is a + b * c: gathered by source and target it is of two terms, where the pipeline has
 * it at all. */
static bool
take_function(uint64_t bits, uint8_t *src, uint8_t *dst, uint8_t *op)
{
   const uint32_t word = (uint32_t)bits;
   const unsigned a = (unsigned)FUNCTION(a), b = (unsigned)FUNCTION(b), c = (unsigned)FUNCTION(c);
   const int sign_a = FUNCTION(negate_a) ? -1 : 1, sign_b = FUNCTION(negate_b) ? -1 : 1;
   /* c, or what is left to 1. */
   const struct term by = { .k = FUNCTION(invert_c),
                            .l = c == MALI_OPERAND_C_zero ? 0
                                 : FUNCTION(invert_c)     ? -1
                                                          : 1 };
   const int in_source = b == MALI_OPERAND_B_target ? 0 : sign_b;
   const int in_target = b == MALI_OPERAND_B_source       ? 0
                         : b == MALI_OPERAND_B_difference ? -sign_b
                                                          : sign_b;
   struct term source = { in_source * by.k, in_source * by.l };
   struct term target = { in_target * by.k, in_target * by.l };

   if (a == MALI_OPERAND_A_source)
      source.k += sign_a;
   else if (a == MALI_OPERAND_A_target)
      target.k += sign_a;
   *op = is_negative(target)   ? BLEND_OP_SUBTRACT
         : is_negative(source) ? BLEND_OP_REVERSE_SUBTRACT
                               : BLEND_OP_ADD;
   return !(is_negative(source) && is_negative(target)) &&
          find_factor(without_sign(source), c, src) && find_factor(without_sign(target), c, dst);
}

/* What the bits of a raw target are. */
static bool
take_raw(struct mali_making *m, struct cb_target *t, const uint32_t *words)
{
   const struct mali_format f = mali_decode_format((uint32_t)BLEND(conversion), MALI_CLUMP_raw8);
   uint8_t order[4][4] = { { 0 } };

   for (unsigned count = 1; count <= 4; count++)
      for (unsigned n = 0; n < count; n++)
         for (unsigned c = 4; c-- > 0;)
            if (f.swizzle[c] == n)
               order[count - 1][n] = (uint8_t)c;
   t->numeric = f.numeric;
   if (cb_channels(t->channel, f.format, f.numeric, (const uint8_t(*)[4])order) == t->surface.cpp)
      return true;
   return mali_say(m, MALI_MISSING, "colours of format 0x%x in %u bytes",
                   (unsigned)BLEND(conversion), t->surface.cpp);
}

/* Where a program blends, what it hands over is written. */
static bool
take_programmed(struct mali_making *m, unsigned n)
{
   const struct mali_target *from = &m->frame->target[n];
   struct cb_target *t = &m->cb.target[n];

   if (from->raw)
      return mali_say(m, MALI_MISSING, "blending by a program of a raw target");
   t->surface = from->surface;
   t->write_mask = 15;
   memcpy(t->channel, from->channel, sizeof(t->channel));
   t->numeric = from->numeric;
   return true;
}

static bool
is_constant(uint8_t factor)
{
   return factor == FACTOR_CONSTANT_COLOR || factor == FACTOR_ONE_MINUS_CONSTANT_COLOR;
}

/* A constant is of as many bits as the target's first component, the uppermost of sixteen.  The
 * pipeline has one for all targets. */
static bool
take_constant(struct mali_making *m, const struct cb_target *t, uint32_t bits)
{
   const unsigned size = t->channel[0].bits && t->channel[0].bits <= 16 ? t->channel[0].bits : 8;
   const float constant = (float)(bits >> (16 - size)) / (float)((1u << size) - 1);

   if (!is_constant(t->blend.src_rgb) && !is_constant(t->blend.dst_rgb) &&
       !is_constant(t->blend.src_alpha) && !is_constant(t->blend.dst_alpha))
      return true;
   if (m->has_constant && m->cb.constant[0] != constant)
      return mali_say(m, MALI_MISSING, "targets with constants of their own");
   m->has_constant = true;
   for (unsigned c = 0; c < 4; c++)
      m->cb.constant[c] = constant;
   return true;
}

static bool
take_target(struct mali_making *m, unsigned n, const uint32_t *words)
{
   const struct mali_target *from = &m->frame->target[n];
   struct cb_target *t = &m->cb.target[n];

   if (!from->surface.host || !BLEND(enable) || BLEND(mode) == MALI_BLEND_off)
      return true;
   if (BLEND(mode) == MALI_BLEND_program)
      return take_programmed(m, n);
   if (BLEND(alpha_to_one))
      return mali_say(m, MALI_MISSING, "alpha that becomes one");
   if (BLEND(target) != n)
      return mali_say(m, MALI_MISSING, "blending of target %u to target %u", n,
                      (unsigned)BLEND(target));
   t->surface = from->surface;
   t->write_mask = (uint8_t)BLEND(mask);
   if (from->raw) {
      if (!take_raw(m, t, words))
         return false;
   } else {
      memcpy(t->channel, from->channel, sizeof(t->channel));
      t->numeric = from->numeric;
   }
   t->clamp = t->numeric == NUMERIC_UNORM || t->numeric == NUMERIC_SRGB;
   if (BLEND(mode) == MALI_BLEND_opaque)
      return true;
   t->blend.enable = true;
   if (!take_function(BLEND(rgb), &t->blend.src_rgb, &t->blend.dst_rgb, &t->blend.op_rgb) ||
       !take_function(BLEND(alpha), &t->blend.src_alpha, &t->blend.dst_alpha, &t->blend.op_alpha))
      return mali_say(m, MALI_MISSING, "blending by functions 0x%x and 0x%x", (unsigned)BLEND(rgb),
                      (unsigned)BLEND(alpha));
   return take_constant(m, t, (uint32_t)BLEND(constant));
}

bool
mali_take_colors(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   const unsigned count = draw->blends & 15;

   m->cb = (struct cb_state){ .mode = CB_COLORS, .logic = CB_LOGIC_COPY };
   m->sx = (struct sx_state){ .alpha_to_mask = FLAGS(alpha_to_coverage) };
   if (!draw->fragment.program)
      m->cb.mode = CB_OFF;
   for (unsigned n = 0; draw->fragment.program && n < count && n <= m->frame->targets; n++) {
      uint32_t words[MALI_WORDS_BLEND];

      if (!(FLAGS(target_mask) >> n & 1))
         continue;
      if (!mali_read_words(m, MALI_BLEND, (draw->blends & ~UINT64_C(15)) + n * sizeof(words), words,
                           MALI_WORDS_BLEND) ||
          !take_target(m, n, words))
         return false;
   }
   cb_finish(&m->cb);
   return true;
}
