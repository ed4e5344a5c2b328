/* SPDX-License-Identifier: MIT */
/*
 * ATOLL_DEBUG=td: a line for each lookup that is bound, with what it asks for, the sampler that it
 * got, and where that is the general one, why no faster one does the same.
 *
 *    td: 2D R8G8B8A8, linear linear, wrap repeat edge: linear_bytes_4, in series
 *    td: CUBE R16_FLOAT, point point, wrap edge edge: general (neither 2D nor 3D)
 */
#include <stdio.h>

#include "options.h"
#include "td/tex.h"

static const char *
format_name(unsigned format)
{
#define FORMAT(name, ...) [FORMAT_##name] = #name,
   static const char *const names[FORMATS] = {
      "none",
#include <atoll/formats.def>
   };

   return names[format];
}

/* Whether ATOLL_DEBUG has `td`: looked up once. */
static bool
prints(void)
{
   static signed char known; /* 0: not yet; 1: no; 2: yes */
   signed char now = __atomic_load_n(&known, __ATOMIC_RELAXED);

   if (!now) {
      now = options_debug("td") ? 2 : 1;
      __atomic_store_n(&known, now, __ATOMIC_RELAXED);
   }
   return now == 2;
}

void
K(td_print_choice)(const struct tex *t, const char *sampler, bool series, const char *why)
{
   static const char *const dims[] = {
      [TEXTURE_1D] = "1D",
      [TEXTURE_2D] = "2D",
      [TEXTURE_3D] = "3D",
      [TEXTURE_CUBE] = "CUBE",
      [TEXTURE_1D_ARRAY] = "1D array",
      [TEXTURE_2D_ARRAY] = "2D array",
      [TEXTURE_2D_SAMPLES] = "2D samples",
      [TEXTURE_2D_ARRAY_SAMPLES] = "2D array samples",
      [TEXTURE_BUFFER] = "buffer",
   };
   static const char *const filters[] = { "point", "linear", "aniso-point", "aniso-linear" };
   static const char *const mips[] = { "", " mip-point", " mip-linear" };
   static const char *const wraps[] = {
      "repeat", "mirror",        "edge", "mirror-edge", "half-border", "mirror-half-border",
      "border", "mirror-border",
   };

   if (!prints())
      return;
   fprintf(stderr, "td: %s %s, %s %s%s, wrap %s %s: %s%s%s%s%s\n", dims[t->dim],
           format_name(t->decode.format), filters[t->mag & 3], filters[t->min & 3], mips[t->mip],
           wraps[t->clamp[0]], wraps[t->clamp[1]], sampler ? sampler : "general",
           series ? ", in series" : "", sampler ? "" : " (", sampler ? "" : why,
           sampler ? "" : ")");
}
