/* SPDX-License-Identifier: MIT */
/*
 * Tables of the sRGB transfer function.  Only basic operations on doubles make them, so that
 * every host has the same ones: x^2.4 is x^2 times the fifth root of x^2.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "port/srgb.h"

struct cb_srgb cb_srgb;

static double
fifth_root(double x)
{
   double y = 1.0;

   for (unsigned i = 0; i < 60; i++) {
      double y2 = y * y, y4 = y2 * y2;

      y = (4.0 * y + x / y4) / 5.0;
   }
   return y;
}

static double
to_linear(double c)
{
   if (c <= 0.04045)
      return c / 12.92;

   double t = (c + 0.055) / 1.055;
   return t * t * fifth_root(t * t);
}

static void
make_tables(void)
{
   for (unsigned n = 0; n < 256; n++) {
      cb_srgb.decode[n] = (float)to_linear(n / 255.0);
      cb_srgb.threshold[n] = n ? (float)to_linear((n - 0.5) / 255.0) : 0.0f;
   }
   cb_srgb.threshold[256] = INFINITY;

   unsigned code = 0;
   for (uint32_t i = 0; i < 2048; i++) {
      uint32_t bits = (CB_SRGB_FIRST + i) << 16;
      float x;

      memcpy(&x, &bits, sizeof(x));
      while (code < 255 && cb_srgb.threshold[code + 1] <= x)
         code++;
      cb_srgb.first[i] = code;
   }
}

void
cb_srgb_init(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, make_tables);
}
