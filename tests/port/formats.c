/* SPDX-License-Identifier: MIT */
/*
 * The list of formats: what each row says fits itself, and what the texture unit reads of a target
 * is what the colour block makes the same bits of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "port/pack.h"
#include "port/format.h"
#include "port/state.h"
#include "td/decode.h"

#define FORMAT(name, cayman, ...) [FORMAT_##name] = #name " (" #cayman ")",
static const char *const names[FORMATS] = {
#include <atoll/formats.def>
};

static void
rows_fit_themselves(void **state)
{
   (void)state;
   assert_int_equal(format_info[FORMAT_NONE].bytes, 0);
   assert_int_equal(format_info[FORMAT_NONE].cls, CLASS_NONE);
   for (unsigned n = FORMAT_NONE + 1; n < FORMATS; n++) {
      const struct format_info *f = &format_info[n];
      const bool blocks = f->cls == CLASS_BLOCKS || f->cls == CLASS_SUBSAMPLED;
      unsigned bits = 0, channels = 0;

      while (channels < 4 && f->channel[channels].bits)
         channels++;
      assert_non_null(names[n]);
      if (f->cls == CLASS_NONE || !f->bytes || f->bytes > 16 || !channels ||
          channels != format_channels(f))
         fail_msg("%s: class %u, %u bytes, %u channels", names[n], f->cls, f->bytes, channels);
      for (unsigned c = 0; c < channels; c++) {
         if (f->channel[c].pos != bits || f->channel[c].bits > 32)
            fail_msg("%s: channel %u of %u bits at %u", names[n], c, f->channel[c].bits,
                     f->channel[c].pos);
         /* One dword has it: readers shift one. */
         if (!blocks && f->channel[c].pos / 32 != (bits + f->channel[c].bits - 1) / 32)
            fail_msg("%s: channel %u lies across dwords", names[n], c);
         bits += f->channel[c].bits;
      }
      /* A block's channels are those of its texels. */
      if (!blocks && (f->width != 1 || f->height != 1 || bits > 8u * f->bytes))
         fail_msg("%s: %u x %u texels of %u bits in %u bytes", names[n], f->width, f->height, bits,
                  f->bytes);
      if (blocks && (f->width < 2 || f->width & (f->width - 1) || f->target))
         fail_msg("%s: a block of %u x %u texels", names[n], f->width, f->height);
      if (f->cls == CLASS_PLAIN && bits != 8u * f->bytes)
         fail_msg("%s: %u bits in %u bytes", names[n], bits, f->bytes);
   }
}

/* Bits of a component as they are after reading and writing, which for -1 has one of two forms,
 * and for a float that is no number one of many. */
static uint32_t
canonical(const struct cb_channel *ch, uint32_t v)
{
   const uint32_t least = 1u << (ch->bits - 1);
   const unsigned mantissa = ch->bits == 16 ? 10 : ch->bits == 11 ? 6 : 5;
   const uint32_t infinity = 31u << mantissa;

   if (ch->type == NUMERIC_SNORM && v == least)
      return least + 1;
   if (ch->type == NUMERIC_FLOAT && ch->bits < 32 && (v & infinity) == infinity &&
       v & ((1u << mantissa) - 1))
      return infinity; /* left out */
   return v;
}

/* Element `raw` of a format through both units. */
static void
check(unsigned format, unsigned numeric, unsigned conversion, unsigned sign, const uint32_t raw[4])
{
   const uint8_t signs[4] = { (uint8_t)sign, (uint8_t)sign, (uint8_t)sign, (uint8_t)sign };
   const struct format_info *f = &format_info[format];
   struct cb_channel channel[4] = { { 0 } };
   static struct td_raw in;
   struct td_decode d;

   assert_int_equal(cb_channels(channel, format, numeric, NULL), f->bytes);
   td_decode_init(&d, format, conversion, signs, false, BYTE_SWAP_NONE, false);
   for (unsigned i = 0; i < 4; i++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         in.dword[i][l] = raw[i];
   for (unsigned c = 0; c < format_channels(f); c++) {
      const struct cb_channel *ch = &channel[c];
      const uint32_t mask = 0xffffffffu >> (32 - ch->bits);
      uint32_t value[VW], word[VW], read, wrote;

      assert_int_equal(ch->dword * 32 + ch->shift, f->channel[c].pos);
      vu v = td_decode_channel(&d, &in, c, 0);
      memcpy(value, &v, sizeof(value));
      v = pack_channel(ch, v);
      memcpy(word, &v, sizeof(word));
      read = canonical(ch, raw[ch->dword] >> ch->shift & mask);
      wrote = canonical(ch, word[0] >> ch->shift & mask);
      if (read != wrote)
         fail_msg("%s, numeric %u, channel %u: %08x becomes %08x, then %08x", names[format],
                  numeric, c, read, value[0], wrote);
   }
}

static void
targets_write_what_is_read(void **state)
{
   static const struct {
      uint8_t numeric, conversion, sign;
      unsigned bits; /* no more than these come through a float */
   } ways[] = {
      { NUMERIC_UNORM, CONVERT_NORM, CHANNEL_UNSIGNED, 24 },
      { NUMERIC_SNORM, CONVERT_NORM, CHANNEL_SIGNED, 16 },
      { NUMERIC_UINT, CONVERT_INT, CHANNEL_UNSIGNED, 32 },
      { NUMERIC_SINT, CONVERT_INT, CHANNEL_SIGNED, 32 },
      { NUMERIC_USCALED, CONVERT_SCALED, CHANNEL_UNSIGNED, 24 },
      { NUMERIC_SSCALED, CONVERT_SCALED, CHANNEL_SIGNED, 24 },
   };
   unsigned targets = 0;
   uint32_t seed = 1;

   (void)state;
   for (unsigned n = FORMAT_NONE + 1; n < FORMATS; n++) {
      const struct format_info *f = &format_info[n];
      struct cb_channel channel[4] = { { 0 } };

      if (!f->target) {
         assert_int_equal(cb_channels(channel, n, NUMERIC_UNORM, NULL), 0);
         continue;
      }
      targets++;
      for (unsigned w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
         unsigned most = 0;
         bool single = false;

         for (unsigned c = 0; c < 4; c++) {
            most = f->channel[c].bits > most ? f->channel[c].bits : most;
            single |= f->channel[c].bits == 1;
         }
         /* Of a float and an integer in one, the integer is read as such; and a sign alone has no
          * value. */
         if ((f->cls == CLASS_PLAIN && most > ways[w].bits) ||
             (f->cls == CLASS_FLOAT_INT && ways[w].numeric != NUMERIC_UINT) ||
             (ways[w].sign == CHANNEL_SIGNED && single))
            continue;
         for (unsigned round = 0; round < 300; round++) {
            uint32_t raw[4];

            for (unsigned i = 0; i < 4; i++) {
               seed = seed * 1664525 + 1013904223;
               raw[i] = round == 0 ? 0 : round == 1 ? ~0u : seed ^ seed >> 15;
            }
            check(n, ways[w].numeric, ways[w].conversion, ways[w].sign, raw);
         }
      }
   }
   assert_true(targets > 20);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_fit_themselves),
      cmocka_unit_test(targets_write_what_is_read),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
