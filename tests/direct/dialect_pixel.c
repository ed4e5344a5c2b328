/* SPDX-License-Identifier: MIT */
/* What the pixel programs of dialect/ compute: a function of each one's name (dialect.h). */
#include "dialect.h"

#include <math.h>

/* Of every lane: its pixel, and the window coordinates v[0], v[1]. */
#define EACH_PIXEL(lane)                 \
   for (unsigned lane = 0, x = 0, y = 0; \
        lane < PIXELS && (x = pixel_x(lane), y = pixel_y(lane), x < PIXELS); lane++)
#define EACH(c) for (unsigned c = 0; c < 4; c++)
#define X       ((float)x + 0.5f)
#define Y       ((float)y + 0.5f)
#define XY(c)   ((c)&1 ? Y : X)

static uint32_t
all(bool condition)
{
   return condition ? UINT32_MAX : 0;
}

static float
saturated(float f)
{
   return f < 0 ? 0 : f > 1 ? 1 : f;
}

static void
copy(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, texel2(0, x, y, c));
}

static void
sum(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, texel2(0, x, y, c) + texel2(1, 7 - x, 7 - y, c));
}

static void
saxpy(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, cb(5, 1) * texel2(0, x, y, c) + texel2(1, x, y, c));
}

static void
gather(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, texel2(0, y, x, c));
}

static void
offsets(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         put(w, 0, c, l, texel2(0, 2 + x / 2 + 1, 2 + y / 2, c));
         put(w, 1, c, l, texel2(0, 2 + x / 2 - 1, 2 + y / 2 + 2, c));
      }
   }
}

static void
reduce_row(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         float s = 0;
         for (unsigned i = 0; i < 8; i++)
            s += texel2(0, i, y, c);
         put(w, 0, c, l, s);
      }
   }
}

static void
escape(struct world *w)
{
   EACH_PIXEL(l)
   {
      const float cx = X * 0.25f - 0.25f, cy = Y * 0.25f - 1.0f;
      float zx = 0, zy = 0, size = 0;
      unsigned n = 0;
      for (; n < 30; n++) {
         const float xx = zx * zx, yy = zy * zy;
         size = xx + yy;
         if (size > 4)
            break;
         const float xy = zx * zy;
         zy = xy + xy + cy;
         zx = xx - yy + cx;
      }
      for (unsigned c = 0; c < 3; c++)
         put(w, 0, c, l, (float)n);
      put(w, 0, 3, l, size);
   }
}

static const int divisors[4] = { 7, -3, 5, -11 };

static void
divide_integers(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, (float)(((int)(32 * x + y) - 28) / divisors[c]));
}

static void
remainders(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put_int(w, 0, c, l, (uint32_t)(((int)(8 * y + x) - 32) % divisors[c]));
}

static void
choose(struct world *w)
{
   EACH_PIXEL(l)
   {
      float a[4], b[4];
      EACH(c)
      {
         a[c] = texel2(0, x, y, c);
         b[c] = texel2(1, y, x, c) - 64;
      }
      EACH(c)
      {
         const float minus = -a[3 - c];
         put(w, 0, c, l, a[c] >= b[c] ? a[c] : b[c]);
         put(w, 1, c, l, a[0] < 40 ? (a[c] < b[c] ? a[c] : b[c]) : (minus > b[c] ? minus : b[c]));
      }
   }
}

static void
scatter(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         put_g(w, 8 * x + y, c, texel2(0, x, y, c));
         put(w, 0, c, l, texel2(0, x, y, c));
      }
   }
}

static void
scatter_parts(struct world *w)
{
   EACH_PIXEL(l)
   {
      const unsigned e = 4 * (8 * y + x);
      put_g(w, e, 0, X);
      put_g(w, e, 1, Y);
      put_g(w, e + 1, 1, X);
      put_g(w, e + 1, 3, 1);
      put_g(w, e + 2, 0, 0);
      put_g(w, e + 2, 2, Y);
      put_g(w, e + 3, 0, g_before(e + 3, 0) + g_before(e + 3, 3));
      EACH(c)
      put(w, 0, c, l, XY(c));
   }
}

static void
read_globals(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         put(w, 0, c, l, g_before(8 * y + x + 5, c) - g_before(3, 3 - c));
         put(w, 1, c, l, g_before(8 * y + x, c / 2));
      }
   }
}

static void
doubles(struct world *w)
{
   EACH_PIXEL(l)
   {
      for (unsigned h = 0; h < 2; h++) {
         const double factor = h ? -2.5 : 1.5;
         const double a = (double)XY(h), b = (a + cb_double(17, h)) * factor;
         put_double(w, 0, h, l, b);
         put_double(w, 1, h, l, a * factor + b);
      }
   }
}

static void
divide_doubles(struct world *w)
{
   EACH_PIXEL(l)
   {
      put_double(w, 0, 0, l, (double)X / 3.0);
      put_double(w, 0, 1, l, 0.3 / (double)Y);
   }
}

static void
subtract_doubles(struct world *w)
{
   EACH_PIXEL(l)
   {
      const double a = (double)texel2(0, x, y, 0), b = (double)texel2(0, x, y, 1);
      put_double(w, 0, 0, l, a - b);
      put_double(w, 0, 1, l, 4.0 - a);
      put_int(w, 1, 0, l, all(a < 4.0));
      put_int(w, 1, 1, l, all(b >= 4.0));
      put_int(w, 1, 2, l, all(a == 4.0));
      put_int(w, 1, 3, l, 0);
   }
}

static void
multiply_matrices(struct world *w)
{
   EACH_PIXEL(l)
   for (unsigned h = 0; h < 2; h++)
      put_double(w, 0, h, l, (double)X * cb_double(16, h) + (double)Y * cb_double(18, h));
}

static void
nested_calls(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, ((X + cb(2, c)) * Y + XY(c)) * Y + cb(2, c));
}

static void
return_early(struct world *w)
{
   static const float l0[4] = { 4, 2, 6, 1 };

   EACH_PIXEL(l)
   {
      EACH(c)
      {
         const float nine = Y < 6 ? XY(c) + 2 : XY(c);
         put(w, 0, c, l, X >= 4 ? nine : Y < 4 ? l0[c] : nine + 1);
      }
   }
}

static void
return_from_loop(struct world *w)
{
   EACH_PIXEL(l)
   {
      float found = 0;
      uint32_t steps = 0;
      for (unsigned row = y; row < y + 3 && row < 8; row++) {
         float last = 0;
         for (unsigned at = 0; at < 8; at++) {
            last = texel2(0, at, row, 0);
            if (last >= 20)
               break;
            steps++;
         }
         found += last;
      }
      put(w, 0, 0, l, found);
      put_int(w, 0, 1, l, steps);
      put_int(w, 0, 2, l, 0);
      put_int(w, 0, 3, l, 0);
   }
}

static void
switch_(struct world *w)
{
   EACH_PIXEL(l)
   {
      float r[4] = { 0 };
      for (unsigned i = 1; i <= y; i++) {
         switch ((x + i) & 3) {
         case 0:
            r[0] += 1;
            break;
         case 1:
            r[1] += 1;
            /* fall through */
         case 2:
            r[2] += 10;
            continue;
         default:
            r[3] += 100;
            break;
         }
         r[0] += 1000;
      }
      EACH(c)
      put(w, 0, c, l, r[c]);
   }
}

static void
four_outputs(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         const float a = texel2(0, x, y, c), b = texel2(1, x, y, c);
         put(w, 0, c, l, a + b);
         put(w, 1, c, l, a - b);
         if (c < 2)
            put(w, 2, c, l, a * texel2(1, x, y, c + 2));
         put(w, 3, c, l, texel2(0, x, y, 3 - c));
      }
   }
}

static void
bits(struct world *w)
{
   EACH_PIXEL(l)
   {
      const uint32_t i = 8 * y + x;
      put_int(w, 0, 0, l, i & 0xf);
      put_int(w, 0, 1, l, i | 0xf0);
      put_int(w, 0, 2, l, i ^ 0xffffff00);
      put_int(w, 0, 3, l, ~i);
      put_int(w, 1, 0, l, i << 4);
      put_int(w, 1, 1, l, (uint32_t)((int32_t)~i >> 2));
      put_int(w, 1, 2, l, ~i >> 2);
      put_int(w, 1, 3, l, all(i < 16));
   }
}

static void
constant_swizzles(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      put(w, 0, c, l, c & 1 ? 0 : 1);
      put(w, 1, 0, l, X + Y + 2);
      put(w, 1, 1, l, X + Y);
      put(w, 1, 2, l, 2);
      put(w, 1, 3, l, 2);
   }
}

static void
partial_masks(struct world *w)
{
   EACH_PIXEL(l)
   {
      put(w, 0, 0, l, 2);
      put(w, 0, 1, l, Y);
      put(w, 0, 2, l, 0);
      put(w, 0, 3, l, 3 * (float)(y + 2));
      put(w, 1, 0, l, 1);
      put(w, 1, 1, l, X);
      put(w, 1, 2, l, 1);
      put(w, 1, 3, l, 21);
   }
}

static void
masks(struct world *w)
{
   EACH_PIXEL(l)
   {
      put(w, 0, 0, l, (float)x);
      put(w, 0, 1, l, Y + 1);
      put(w, 0, 2, l, X + (float)y);
      put(w, 0, 3, l, Y + 2);
      put(w, 1, 0, l, X + 1);
      put(w, 1, 1, l, 1);
      put(w, 1, 2, l, X);
      put(w, 1, 3, l, 0);
   }
}

static void
modifiers(struct world *w)
{
   EACH_PIXEL(l)
   {
      float a[4], b[4];
      EACH(c)
      a[c] = texel2(0, x, y, c) * cb(1, c);
      EACH(c)
      {
         const float biased = cb(3, c) - 0.5f;
         b[c] = 2 * a[c / 2] + (c == 1 ? -biased : biased);
      }
      EACH(c)
      {
         const float d = fabsf(1 - a[c] + 2 * (b[0] - 0.5f));
         put(w, 0, c, l, c & 1 ? fabsf(a[3 - c]) : -fabsf(a[3 - c]));
         put(w, 1, c, l, b[c] < 0 ? -1 : b[c] > 0 ? 1 : 0);
         put(w, 2, c, l, (c ? d : -d) * -cb(1, c));
      }
   }
}

static void
result_modifiers(struct world *w)
{
   EACH_PIXEL(l)
   {
      const float a[4] = { X / 8, -Y / 2, X, 6 * Y };
      const float b[4] = { (a[0] + X) / 4, (a[1] + Y) / 4, saturated(X * 0.25f - 1),
                           saturated(1.5f * Y - 1) };
      EACH(c)
      put(w, 0, c, l, saturated(a[c]));
      put(w, 1, 0, l, saturated(b[0]));
      put(w, 1, 1, l, b[1] / 2);
      put(w, 1, 2, l, saturated(b[1]));
      put(w, 1, 3, l, b[3] / 2);
   }
}

static void
compare(struct world *w)
{
   EACH_PIXEL(l)
   {
      put_int(w, 0, 0, l, all(x == 3));
      put_int(w, 0, 1, l, all(x != 3));
      put_int(w, 0, 2, l, all(y >= 4));
      put_int(w, 0, 3, l, all(y < 7));
      put_int(w, 1, 0, l, all(x < 3));
      put_int(w, 1, 1, l, all(y >= 4));
      put_int(w, 1, 2, l, all(x < 7));
      put_int(w, 1, 3, l, UINT32_MAX);
   }
}

static void
dot_products(struct world *w)
{
   EACH_PIXEL(l)
   {
      float a[4], s = 0, ones = 0;
      EACH(c)
      {
         a[c] = texel2(0, x, y, c);
         s += a[c] * cb(2, c);
         ones += a[c];
         if (c)
            put(w, 0, c - 1, l, s);
      }
      put(w, 0, 3, l, ones);
      for (unsigned c = 0; c < 3; c++) {
         const unsigned d = (c + 1) % 3, e = (c + 2) % 3;
         put(w, 1, c, l, a[d] * cb(3, e) - a[e] * cb(3, d));
      }
      put(w, 1, 3, l, 1);
   }
}

static void
temp_arrays(struct world *w)
{
   EACH_PIXEL(l)
   {
      float a[10][4];
      for (unsigned i = 0; i < 10; i++)
         EACH(c)
      a[i][c] = (float)i * XY(c);
      a[3][1] = 0.5f;
      EACH(c)
      put(w, 0, c, l, a[x][c] - a[y + 1][3 - c]);
   }
}

static void
constants_by_index(struct world *w)
{
   EACH_PIXEL(l)
   {
      const unsigned n = (x + y) & 3;
      EACH(c)
      put(w, 0, c, l, cb(n, c) + cb(n + 2, 3 - c) + cb(x, 0));
   }
}

static void
late_declarations(struct world *w)
{
   EACH_PIXEL(l)
   {
      put(w, 0, 0, l, X * 2 + cb(7, 0) + 10);
      put(w, 0, 1, l, Y * 3 + cb(7, 1) - 0.25f);
      put(w, 0, 2, l, X * 0.5f + cb(7, 2) + 1);
      put(w, 0, 3, l, 0);
   }
}

static void
discard(struct world *w)
{
   EACH_PIXEL(l)
   {
      const unsigned n = (x + y) & 3;
      w->ended |= (uint64_t)!n << l;
      EACH(c)
      put(w, 0, c, l, (float)n + XY(c));
   }
}

static void
macros(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         const float a = texel2(0, x, y, c), b = 40.0f - 10.0f * (float)c;
         const float most = a >= b ? a : b;
         put(w, 0, c, l, most * 0.5f);
         put(w, 1, c, l, most * 1.5f);
      }
   }
}

static void
nested_macros(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         const int a = 2 * (int)(c & 1 ? y : x) + 100 * (int)(c + 1);
         put(w, 0, c, l, (float)(2 * a + 2 * (int)x + 100));
      }
   }
}

static float
halvings(unsigned n)
{
   unsigned steps = 0;
   for (; n != 1 && steps < 20; steps++)
      n = n & 1 ? 3 * n + 1 : n / 2;
   return (float)steps;
}

static void
macro_flow(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, halvings(8 * y + x + (c & 1 ? 9 : 1)));
}

static void
case_and_blanks(struct world *w)
{
   static const float factor[4] = { 1.5f, 2.5f, -1, 2 };

   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, XY(c) * factor[c] - 2);
}

static void
one_line(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         const float a = texel2(0, x, y, c) * (float)(c + 1);
         put(w, 0, c, l, texel2(0, x, y, 0) < 4 ? a + (float)(c + 1) : a - cb(3, c));
      }
   }
}

static void
window_coordinates(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         put_g(w, 8 * y + x, c, XY(c + 1));
         put(w, 0, c, l, XY(c));
      }
   }
}

static void
load(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         put(w, 0, c, l, texel2(0, x, y, c));
         put(w, 1, c, l, x < 7 ? texel2(0, x + 1, y, c) : 0);
      }
   }
}

static void
rounding(struct world *w)
{
   EACH_PIXEL(l)
   {
      const float a = 0.75f * X - 3, b = 0.75f * Y - 3;
      put(w, 0, 0, l, floorf(a));
      put(w, 0, 1, l, nearbyintf(b));
      put(w, 0, 2, l, truncf(a));
      put(w, 0, 3, l, ceilf(b));
      put(w, 1, 0, l, a - floorf(a));
      put(w, 1, 1, l, fabsf(b));
      put(w, 1, 2, l, a < 0 ? -1 : a > 0 ? 1 : 0);
      put(w, 1, 3, l, (float)(y % 2) + 0.5f);
   }
}

static void
powers(struct world *w)
{
   EACH_PIXEL(l)
   {
      const float a = (float)(1u << x), b = (float)(1u << y);
      put(w, 0, 0, l, a);
      put(w, 0, 1, l, b);
      put(w, 0, 2, l, (float)x);
      put(w, 0, 3, l, (float)y);
      put(w, 1, 0, l, a / 4);
      put(w, 1, 1, l, b * 4);
      put(w, 1, 2, l, 1 / a);
      put(w, 1, 3, l, 1 / a);
   }
}

static void
bitonic(struct world *w)
{
   EACH_PIXEL(l)
   {
      const unsigned i = 8 * y + x, other = i & 4 ? i - 4 : i + 4;
      const float a = texel(2, i, 0), b = texel(2, other, 0);
      const bool least = !(i & 4) == !(i & 8);
      put(w, 0, 0, l, (a < b) == least ? a : b);
   }
}

static void
volume(struct world *w)
{
   EACH_PIXEL(l)
   EACH(c)
   put(w, 0, c, l, texel(3, y / 2 * 16 + y / 2 * 4 + x / 2, c));
}

static void
matrix(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         float s = 0;
         for (unsigned i = 0; i < 4; i++)
            s += texel2(0, x, y, i) * cb(i, c);
         put(w, 0, c, l, s);
      }
   }
}

static void
nested_loops(struct world *w)
{
   EACH_PIXEL(l)
   {
      uint32_t r[4] = { 0 };
      for (unsigned i = 2; i < x; i += 2) {
         for (unsigned j = 1; j <= 5; j++) {
            if (j == y)
               continue;
            r[0] += j;
            if (++r[1] >= 3)
               r[2] += i;
         }
         r[3]++;
      }
      EACH(c)
      put_int(w, 0, c, l, r[c]);
   }
}

static void
relations(struct world *w)
{
   EACH_PIXEL(l)
   {
      float r[4] = { 0 };
      for (unsigned i = 1; i <= 7; i++) {
         r[(float)i <= X ? 0 : 1] += 1;
         if (i == 6)
            r[2] += Y;
      }
      r[3] = Y >= 4.5f ? 1 : 0;
      EACH(c)
      put(w, 0, c, l, r[c] + r[3 - c]);
   }
}

static void
conditional_calls(struct world *w)
{
   EACH_PIXEL(l)
   {
      EACH(c)
      {
         float r = (float)(c + 1);
         if (x & 1)
            r = x < 3 ? 5 : 5 * 2 - 1;
         put(w, 0, c, l, y < 4 ? r : r - 1);
      }
   }
}

static double
root(double a)
{
   double r = 1;
   for (unsigned i = 0; i < 4; i++)
      r = (r + a / r) * 0.5;
   return r;
}

static void
doubles_in_functions(struct world *w)
{
   EACH_PIXEL(l)
   {
      put_double(w, 0, 0, l, root((double)X * (double)X));
      put_double(w, 0, 1, l, root((double)Y));
   }
}

#define ROW(name) \
   {              \
#name, name \
   }
static const struct {
   const char *name;
   world_fn *fn;
} rows[] = {
   ROW(copy),
   ROW(sum),
   ROW(saxpy),
   ROW(gather),
   ROW(offsets),
   ROW(reduce_row),
   ROW(escape),
   ROW(divide_integers),
   ROW(remainders),
   ROW(choose),
   ROW(scatter),
   ROW(scatter_parts),
   ROW(read_globals),
   ROW(doubles),
   ROW(divide_doubles),
   ROW(subtract_doubles),
   ROW(multiply_matrices),
   ROW(nested_calls),
   ROW(return_early),
   ROW(return_from_loop),
   { "switch", switch_ },
   ROW(four_outputs),
   ROW(bits),
   ROW(constant_swizzles),
   ROW(masks),
   ROW(partial_masks),
   ROW(modifiers),
   ROW(result_modifiers),
   ROW(compare),
   ROW(dot_products),
   ROW(temp_arrays),
   ROW(constants_by_index),
   ROW(late_declarations),
   ROW(discard),
   ROW(macros),
   ROW(nested_macros),
   ROW(macro_flow),
   ROW(case_and_blanks),
   ROW(one_line),
   ROW(window_coordinates),
   ROW(load),
   ROW(rounding),
   ROW(powers),
   ROW(bitonic),
   ROW(volume),
   ROW(matrix),
   ROW(nested_loops),
   ROW(relations),
   ROW(conditional_calls),
   ROW(doubles_in_functions),
};

world_fn *
dialect_pixel(const char *name)
{
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
      if (!strcmp(rows[i].name, name))
         return rows[i].fn;
   return NULL;
}
