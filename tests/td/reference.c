/* SPDX-License-Identifier: MIT */
/*
 * Sampling in double precision, one lane and one texel at a time, from the definitions of
 * OpenGL 4.5 section 8.14 and the eight wrap modes: what tests/td/sample.c compares with.
 */
#include "reference.h"

#include <math.h>

/* Texel of a wrap mode; false: the border. */
static bool
wrap(unsigned mode, int n, bool linear, int *i)
{
   switch (mode) {
   case SQ_TEX_WRAP:
      *i = ((*i % n) + n) % n;
      return true;
   case SQ_TEX_MIRROR: {
      int m = ((*i % (2 * n)) + 2 * n) % (2 * n);
      *i = m < n ? m : 2 * n - 1 - m;
      return true;
   }
   case SQ_TEX_MIRROR_ONCE_LAST_TEXEL:
   case SQ_TEX_MIRROR_ONCE_HALF_BORDER:
   case SQ_TEX_MIRROR_ONCE_BORDER:
      *i = *i < 0 ? -1 - *i : *i;
      break;
   default:
      break;
   }
   if (*i >= 0 && *i < n)
      return true;
   if (mode == SQ_TEX_CLAMP_BORDER || mode == SQ_TEX_MIRROR_ONCE_BORDER)
      return false;
   if (linear && (mode == SQ_TEX_CLAMP_HALF_BORDER || mode == SQ_TEX_MIRROR_ONCE_HALF_BORDER))
      return false;
   *i = *i < 0 ? 0 : n - 1;
   return true;
}

struct tap {
   int i;
   bool border;
   double weight;
};

/* One or two texels of an axis; u in texels. */
static unsigned
axis(const struct test_tex *t, unsigned mode, double u, int n, bool linear, struct tap tap[2])
{
   if (mode == SQ_TEX_CLAMP_HALF_BORDER)
      u = fmin(fmax(u, 0), n);
   if (mode == SQ_TEX_MIRROR_ONCE_HALF_BORDER)
      u = fmin(fmax(u, -n), n);
   double c = linear ? u - 0.5 : u, f = floor(c);
   unsigned taps = linear ? 2 : 1;
   for (unsigned k = 0; k < taps; k++) {
      tap[k].i = (int)f + (int)k;
      tap[k].border = !wrap(mode, n, linear, &tap[k].i);
      tap[k].weight = !linear ? 1 : k ? c - f : 1 - (c - f);
   }
   return taps;
}

/* Decodes the few formats that filter tests use. */
static void
texel(const struct test_tex *t, const struct test_words *w, const struct vm *space, unsigned level,
      int x, int y, int z, double out[4])
{
   const struct surface_level *l = &w->levels[level];
   unsigned bytes = format_info[cayman_format[t->format]].bytes;
   uint64_t base = level ? w->mips + l->offset : 0;
   const uint8_t *p =
      space->data + base +
      surface_offset(l->pitch, l->slice_bytes, bytes, 1, (uint32_t)x, (uint32_t)y, (uint32_t)z, 0);
   double ch[4] = { 0, 0, 0, 1 };

   switch (t->format) {
   case FMT_8_8_8_8:
      for (unsigned c = 0; c < 4; c++)
         ch[c] = t->degamma && c < 3 ? (double)td_srgb_to_linear[p[c]] : p[c] / 255.0;
      break;
   case FMT_8:
      ch[0] = p[0] / 255.0;
      break;
   case FMT_16:
      ch[0] = (p[0] | p[1] << 8) / 65535.0;
      break;
   case FMT_5_6_5: {
      unsigned v = p[0] | (unsigned)p[1] << 8;
      ch[0] = (v & 31) / 31.0, ch[1] = (v >> 5 & 63) / 63.0, ch[2] = (v >> 11) / 31.0;
      break;
   }
   case FMT_32_32_32_32_FLOAT:
   case FMT_32_32_32_FLOAT:
   case FMT_32_FLOAT:
      for (unsigned c = 0; c < bytes / 4; c++) {
         float f;
         memcpy(&f, p + 4 * c, 4);
         ch[c] = (double)f;
      }
      break;
   default:
      fail_msg("the reference does not know format %u", t->format);
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = t->sel[c] < 4 ? ch[t->sel[c]] : t->sel[c] == 5;
}

static void
border(const struct test_tex *t, double out[4])
{
   for (unsigned c = 0; c < 4; c++) {
      double v = (double)test_float(t->border[c]);
      if (t->border_type != SQ_TEX_BORDER_COLOR_REGISTER)
         v = t->border_type == SQ_TEX_BORDER_COLOR_OPAQUE_WHITE ||
             (t->border_type == SQ_TEX_BORDER_COLOR_OPAQUE_BLACK && c == 3);
      out[c] = v;
   }
}

static bool
compare(unsigned func, double ref, double v)
{
   return func == 0   ? false
          : func == 1 ? ref < v
          : func == 2 ? ref == v
          : func == 3 ? ref <= v
          : func == 4 ? ref > v
          : func == 5 ? ref != v
          : func == 6 ? ref >= v
                      : true;
}

/* Weights are in 1/256. */
static bool
has_weight(const struct tap *tap)
{
   return rint(tap->weight * 256) != 0;
}

static double
reduced(const struct test_tex *t, double a, double b)
{
   return t->reduction == SQ_TEX_FILTER_MODE_MIN ? fmin(a, b) : fmax(a, b);
}

static void
at_level(const struct test_tex *t, const struct test_words *w, const struct vm *space,
         unsigned level, bool linear, const double coord[3], double ref, double out[4])
{
   bool has_y = t->dim != SQ_TEX_DIM_1D && t->dim != SQ_TEX_DIM_1D_ARRAY;
   bool has_z = t->dim == SQ_TEX_DIM_3D;
   unsigned size[3] = { t->width, has_y ? t->height : 1, has_z ? t->depth : 1 }, taps[3];
   struct tap tap[3][2];
   int layer = 0;

   for (unsigned a = 0; a < 3; a++) {
      int n = size[a] >> level ? (int)(size[a] >> level) : 1;
      double u = t->unnormalized ? coord[a] : coord[a] * n;
      taps[a] = 1;
      tap[a][0] = (struct tap){ 0, false, 1 };
      if (a == 0 || (a == 1 && has_y) || (a == 2 && has_z))
         taps[a] = axis(t, t->clamp[a], u + t->offset[a] * 0.5, n, linear, tap[a]);
   }
   if (!has_z) {
      layer = (int)rint(coord[2]);
      int last = (int)(t->last_array - t->base_array);
      bool array = t->dim == SQ_TEX_DIM_1D_ARRAY || t->dim == SQ_TEX_DIM_2D_ARRAY;
      layer = !array ? 0 : layer < 0 ? 0 : layer > last ? last : layer;
      layer += (int)t->base_array;
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = 0;
   bool first = true;
   for (unsigned k = 0; k < taps[2]; k++) {
      for (unsigned j = 0; j < taps[1]; j++) {
         for (unsigned i = 0; i < taps[0]; i++) {
            double v[4], weight = tap[0][i].weight * tap[1][j].weight * tap[2][k].weight;
            bool counts =
               has_weight(&tap[0][i]) && has_weight(&tap[1][j]) && has_weight(&tap[2][k]);
            if (tap[0][i].border || tap[1][j].border || tap[2][k].border)
               border(t, v);
            else
               texel(t, w, space, level, tap[0][i].i, tap[1][j].i, has_z ? tap[2][k].i : layer, v);
            if (t->op >= 24) {
               /* The first component that comes from the texel. */
               unsigned depth = 0;
               while (depth < 3 && t->sel[depth] > 3)
                  depth++;
               double pass = compare(t->compare, ref, v[depth]);
               for (unsigned c = 0; c < 4; c++)
                  v[c] = t->sel[c] < 4 ? pass : t->sel[c] == 5;
            }
            for (unsigned c = 0; c < 4; c++)
               out[c] = !t->reduction ? out[c] + weight * v[c]
                        : !counts     ? out[c]
                        : first       ? v[c]
                                      : reduced(t, out[c], v[c]);
            first &= !counts;
         }
      }
   }
}

void
reference_sample(const struct test_tex *t, const struct test_words *w, const struct vm *space,
                 const double coord[3], double lod, double ref, double out[4])
{
   lod = fmin(fmax(lod + (double)t->bias, (double)t->min_lod), (double)t->max_lod);
   bool linear = (lod > 0 ? t->min : t->mag) & 1;
   int levels = (int)(t->last_level - t->base_level);
   double c = t->mip == SQ_TEX_Z_FILTER_NONE ? 0 : fmin(fmax(lod, 0), levels);

   if (t->mip == SQ_TEX_Z_FILTER_POINT)
      c = ceil(c + 0.5) - 1;
   double f = c - floor(c), upper[4];
   unsigned level = t->base_level + (unsigned)floor(c);
   at_level(t, w, space, level, linear, coord, ref, out);
   if (f == 0)
      return;
   at_level(t, w, space, level + 1, linear, coord, ref, upper);
   for (unsigned k = 0; k < 4; k++)
      out[k] = t->reduction ? reduced(t, out[k], upper[k]) : out[k] * (1 - f) + upper[k] * f;
}
