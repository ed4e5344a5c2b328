/* SPDX-License-Identifier: MIT */
/*
 * See texture_option.h.  A format is called as the device's documents call it, followed by how its
 * numbers are read: 8_8_8_8_unorm, 16_16_sint, 32_float, bc1_srgb.
 */
#include "texture_option.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/descriptors/map.h"
#include "port/format.h"

#define MAX_WORDS 16
#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))

struct word {
   const char *name;
   unsigned value;
};

enum { KIND_BUFFER = 8, KIND_CUBE_ARRAY };

static const struct word kind_words[] = {
   { "1d", SQ_TEX_DIM_1D },
   { "2d", SQ_TEX_DIM_2D },
   { "3d", SQ_TEX_DIM_3D },
   { "cube", SQ_TEX_DIM_CUBEMAP },
   { "1darray", SQ_TEX_DIM_1D_ARRAY },
   { "2darray", SQ_TEX_DIM_2D_ARRAY },
   { "cubearray", KIND_CUBE_ARRAY },
   { "2dms", SQ_TEX_DIM_2D_MSAA },
   { "2dmsarray", SQ_TEX_DIM_2D_ARRAY_MSAA },
   { "buffer", KIND_BUFFER },
};

#define FORMAT(name, cayman, number, ...) { #cayman, number },
static const struct word format_words[] = {
#include <atoll/formats.def>
};

/* num_format, signed, sRGB */
static const struct word number_words[] = {
   { "unorm", SQ_NUM_FORMAT_NORM },     { "snorm", SQ_NUM_FORMAT_NORM | 4 },
   { "uint", SQ_NUM_FORMAT_INT },       { "sint", SQ_NUM_FORMAT_INT | 4 },
   { "uscaled", SQ_NUM_FORMAT_SCALED }, { "sscaled", SQ_NUM_FORMAT_SCALED | 4 },
   { "srgb", SQ_NUM_FORMAT_NORM | 8 },  { "float", SQ_NUM_FORMAT_NORM | 16 },
};

static const struct word wrap_words[] = {
   { "wrap", SQ_TEX_WRAP },
   { "mirror", SQ_TEX_MIRROR },
   { "clamp", SQ_TEX_CLAMP_LAST_TEXEL },
   { "mirror-once", SQ_TEX_MIRROR_ONCE_LAST_TEXEL },
   { "half-border", SQ_TEX_CLAMP_HALF_BORDER },
   { "mirror-once-half-border", SQ_TEX_MIRROR_ONCE_HALF_BORDER },
   { "border", SQ_TEX_CLAMP_BORDER },
   { "mirror-once-border", SQ_TEX_MIRROR_ONCE_BORDER },
};

static const struct word filter_words[] = {
   { "point", SQ_TEX_XY_FILTER_POINT },
   { "linear", SQ_TEX_XY_FILTER_BILINEAR },
};

static const struct word mip_words[] = {
   { "none", SQ_TEX_Z_FILTER_NONE },
   { "point", SQ_TEX_Z_FILTER_POINT },
   { "linear", SQ_TEX_Z_FILTER_LINEAR },
};

static const struct word compare_words[] = {
   { "never", COMPARE_NEVER },   { "less", COMPARE_LESS },       { "equal", COMPARE_EQUAL },
   { "lequal", COMPARE_LEQUAL }, { "greater", COMPARE_GREATER }, { "notequal", COMPARE_NOTEQUAL },
   { "gequal", COMPARE_GEQUAL }, { "always", COMPARE_ALWAYS },
};

static const struct word border_words[] = {
   { "transparent", SQ_TEX_BORDER_COLOR_TRANS_BLACK },
   { "black", SQ_TEX_BORDER_COLOR_OPAQUE_BLACK },
   { "white", SQ_TEX_BORDER_COLOR_OPAQUE_WHITE },
};

/* The value of a word of `length` characters, -1: none of these. */
static int
look_up(const struct word *words, size_t count, const char *text, size_t length)
{
   for (size_t i = 0; i < count; i++)
      if (strlen(words[i].name) == length && !strncmp(words[i].name, text, length))
         return (int)words[i].value;
   return -1;
}
#define LOOK_UP(words, text) look_up(words, COUNT(words), text, strlen(text))

/* --- textures --------------------------------------------------------------------------------- */
static bool
parse_kind(const char *text, struct machine_texture *t)
{
   int kind = LOOK_UP(kind_words, text);

   t->is_buffer = kind == KIND_BUFFER;
   t->dim = kind == KIND_CUBE_ARRAY ? SQ_TEX_DIM_CUBEMAP
            : t->is_buffer          ? SQ_TEX_DIM_1D
                                    : (uint8_t)kind;
   return kind >= 0;
}

/* The channels that the format has, then 0, 0, 1. */
static void
default_select(struct machine_texture *t)
{
   unsigned channels = format_channels(&format_info[cayman_format[t->format]]);

   for (unsigned c = 0; c < 4; c++)
      t->select[c] = (uint8_t)(c < channels ? c : c == 3 ? SQ_SEL_1 : SQ_SEL_0);
}

static bool
parse_format(const char *text, struct machine_texture *t)
{
   const char *last = strrchr(text, '_');
   char name[40] = "";
   size_t length = last ? (size_t)(last - text) : 0;
   int number = last ? LOOK_UP(number_words, last + 1) : -1, format;

   if (number < 0 || length > 30)
      return false;
   for (size_t i = 0; i < length; i++)
      name[i] = (char)toupper((unsigned char)text[i]);
   if (number & 16)
      memcpy(name + length, "_FLOAT", 7);
   format = LOOK_UP(format_words, name);
   if (format < 0)
      return false;
   t->format = (uint8_t)format;
   t->num_format = number & 3;
   t->is_signed = number >> 2 & 1;
   t->srgb = number >> 3 & 1;
   default_select(t);
   return true;
}

/* Whole numbers with x between them. */
static bool
parse_size(const char *text, struct machine_texture *t)
{
   uint32_t size[3] = { 1, 1, 1 };
   unsigned count = 0;

   for (; count < 3; count++) {
      char *end;
      unsigned long v = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
      if (v == 0 || v > 1u << 26)
         return false;
      size[count] = (uint32_t)v;
      text = end + 1;
      if (*end != 'x') {
         if (*end)
            return false;
         break;
      }
   }
   t->width = size[0];
   t->height = size[1];
   t->depth = size[2];
   if (t->dim == SQ_TEX_DIM_1D_ARRAY) {
      t->depth = size[1];
      t->height = 1;
   }
   return count < (t->dim == SQ_TEX_DIM_1D ? 1 : t->dim == SQ_TEX_DIM_1D_ARRAY ? 2 : 3);
}

static bool
parse_select(const char *text, uint8_t select[4])
{
   static const char names[] = "xyzw01";

   for (unsigned c = 0; c < 4; c++) {
      const char *p = text[c] ? strchr(names, text[c]) : NULL;
      if (!p)
         return false;
      select[c] = (uint8_t)(p - names);
   }
   return !text[4];
}

static bool
parse_small(const char *text, uint8_t *value)
{
   char *end;
   unsigned long v = strtoul(text, &end, 10);

   *value = (uint8_t)v;
   return end != text && !*end && v < 100;
}

/* One word; `n` is its index. */
static bool
texture_word(char *text, unsigned n, struct machine_texture *t)
{
   if (n == 0)
      return parse_kind(text, t);
   if (n == 1)
      return parse_format(text, t);
   if (n == 2)
      return parse_size(text, t);
   if (!strncmp(text, "levels=", 7))
      return parse_small(text + 7, &t->levels);
   if (!strncmp(text, "samples=", 8))
      return parse_small(text + 8, &t->samples);
   return !strncmp(text, "select=", 7) && parse_select(text + 7, t->select);
}

/* Cuts a copy of the option into its words.  Returns N, or -1. */
static int
cut(const char *text, unsigned count, char copy[256], char *words[MAX_WORDS], unsigned *num_words)
{
   char *end, *save = NULL;
   unsigned long n = strtoul(text, &end, 10);
   size_t length;

   if (end == text || *end != '=' || n >= count || !isdigit((unsigned char)*text))
      return -1;
   length = strlen(end + 1);
   if (length > 255)
      return -1;
   memcpy(copy, end + 1, length + 1);
   *num_words = 0;
   for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
      if (*num_words == MAX_WORDS)
         return -1;
      words[(*num_words)++] = w;
   }
   return (int)n;
}

int
texture_option(const struct tool *tool, const char *text, bool image, struct machine_texture *slots,
               unsigned count, const char **data)
{
   const char *what = image ? "image" : "texture", *tail = strstr(text, ",data=");
   struct machine_texture t = { .there = true, .levels = 1, .samples = 1 };
   char front[256], copy[256], *words[MAX_WORDS];
   size_t length = tail ? (size_t)(tail - text) : strlen(text);
   unsigned num_words = 0;
   int n = -1;

   *data = tail ? tail + 6 : NULL;
   if (length < sizeof(front)) {
      memcpy(front, text, length);
      front[length] = 0;
      n = cut(front, count, copy, words, &num_words);
   }
   if (n < 0 || num_words < 3) {
      tool_usage(tool, "--%s: expected N=KIND,FORMAT,SIZE with N below %u", what, count);
      return -1;
   }
   for (unsigned i = 0; i < num_words; i++) {
      if (!texture_word(words[i], i, &t)) {
         static const char *const expected[] = { "kind", "format", "size", "property" };
         tool_usage(tool, "--%s: '%s' is no %s of a texture", what, words[i],
                    expected[i < 3 ? i : 3]);
         return -1;
      }
   }
   if (!t.is_buffer && t.dim != SQ_TEX_DIM_3D && t.dim != SQ_TEX_DIM_1D_ARRAY &&
       t.dim != SQ_TEX_DIM_2D_ARRAY && t.dim != SQ_TEX_DIM_2D_ARRAY_MSAA &&
       strcmp(words[0], "cubearray") != 0 && t.depth != 1) {
      tool_usage(tool, "--%s: a %s has no third size", what, words[0]);
      return -1;
   }
   const char *wrong = machine_texture_check(&t, image);
   if (wrong) {
      tool_usage(tool, "--%s: %s", what, wrong);
      return -1;
   }
   slots[n] = t;
   return n;
}

/* --- samplers --------------------------------------------------------------------------------- */
static bool
parse_float(const char *text, float least, float most, float *value)
{
   char *end;
   *value = strtof(text, &end);
   return end != text && !*end && *value >= least && *value <= most;
}

static bool
parse_border(const char *text, struct machine_sampler *s)
{
   int type = LOOK_UP(border_words, text);

   s->words[0] &= ~REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, 3);
   if (type >= 0) {
      s->words[0] |= REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, (unsigned)type);
      return true;
   }
   s->words[0] |= REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, SQ_TEX_BORDER_COLOR_REGISTER);
   for (unsigned c = 0; c < 4; c++) {
      char *end;
      float v = strtof(text, &end);
      if (end == text || *end != (c < 3 ? '/' : 0))
         return false;
      memcpy(&s->border.rgba[c], &v, 4);
      text = end + 1;
   }
   return true;
}

static bool
set_field(uint32_t *word, unsigned lsb, unsigned width, int value)
{
   if (value < 0)
      return false;
   *word = (*word & ~(((1u << width) - 1) << lsb)) | (uint32_t)value << lsb;
   return true;
}

/* NAME=VALUE, or the name of a filter alone. */
static bool
sampler_word(const char *text, struct machine_sampler *s)
{
   const char *value = strchr(text, '=');
   uint32_t *w = s->words;
   float f;

   if (!value) {
      int filter = LOOK_UP(filter_words, text);
      return set_field(&w[0], 9, 2, filter) && set_field(&w[0], 11, 2, filter);
   }
   size_t length = (size_t)(value - text);
   value++;
#define IS(name) (length == strlen(name) && !strncmp(text, name, length))
   if (IS("mag") || IS("min"))
      return set_field(&w[0], IS("mag") ? 9 : 11, 2, LOOK_UP(filter_words, value));
   if (IS("mip"))
      return set_field(&w[0], 15, 2, LOOK_UP(mip_words, value));
   if (IS("wrap")) {
      int mode = LOOK_UP(wrap_words, value);
      return set_field(&w[0], 0, 3, mode) && set_field(&w[0], 3, 3, mode) &&
             set_field(&w[0], 6, 3, mode);
   }
   if (IS("x") || IS("y") || IS("z"))
      return set_field(&w[0], 3 * (unsigned)(text[0] - 'x'), 3, LOOK_UP(wrap_words, value));
   if (IS("compare"))
      return set_field(&w[0], 22, 3, LOOK_UP(compare_words, value));
   if (IS("border"))
      return parse_border(value, s);
   if (IS("aniso")) {
      if (!parse_float(value, 1, 16, &f) || (f != 2 && f != 4 && f != 8 && f != 16))
         return false;
      w[0] |= 1u << 10 | 1u << 12; /* both filters' anisotropic forms */
      return set_field(&w[0], 17, 3, __builtin_ctz((unsigned)f));
   }
   if (IS("minlod") || IS("maxlod")) {
      return parse_float(value, 0, 15.99f, &f) &&
             set_field(&w[1], IS("minlod") ? 0 : 12, 12, (int)(f * 256));
   }
   if (IS("bias")) {
      return parse_float(value, -31.99f, 31.99f, &f) &&
             set_field(&w[2], 0, 14, (int)((uint32_t)(int)(f * 256) & 0x3fff));
   }
#undef IS
   return false;
}

bool
sampler_option(const struct tool *tool, const char *text, struct machine_sampler *slots,
               unsigned count)
{
   struct machine_sampler s = { .there = true,
                                .words = { 0, REG_FIELD(SAMPLER_WORD1, MAX_LOD, 0xfff),
                                           REG_FIELD(SAMPLER_WORD2, TYPE, 1) } };
   char copy[256], *words[MAX_WORDS];
   unsigned num_words = 0;
   int n = cut(text, count, copy, words, &num_words);

   if (n < 0) {
      tool_usage(tool, "--sampler: expected N=WORD[,WORD...] with N below %u", count);
      return false;
   }
   for (unsigned i = 0; i < num_words; i++) {
      if (!sampler_word(words[i], &s)) {
         tool_usage(tool, "--sampler: '%s' is no property of a sampler", words[i]);
         return false;
      }
   }
   slots[n] = s;
   return true;
}
