/* SPDX-License-Identifier: MIT */
/* See pixel.h. */
#include "pixel.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/vm.h"
#include "pass/probe.h"
#include "tools/tool.h"

/* A float of 5 bits of exponent, without a sign unless it has 16. */
static double
small_float(uint32_t bits, unsigned size)
{
   const unsigned mantissa = size > 6 ? size - 5 - (size == 16) : 1;
   const uint32_t m = bits & ((1u << mantissa) - 1), e = bits >> mantissa & 31;
   const double sign = size == 16 && bits >> 15 ? -1.0 : 1.0;

   if (e == 31)
      return m ? (double)NAN : sign * (double)INFINITY;
   return sign * ldexp(e ? 1.0 + ldexp(m, -(int)mantissa) : ldexp(m, -(int)mantissa),
                       e ? (int)e - 15 : -14);
}

double
pixel_component(const struct cb_channel *c, const uint8_t *bytes)
{
   uint32_t word, v;
   float f;

   memcpy(&word, bytes + (c->dword & 3) * 4, 4);
   v = word >> c->shift & UINT32_MAX >> (32 - c->bits);
   const int32_t sv = (int32_t)(v << (32 - c->bits)) >> (32 - c->bits);
   const uint32_t max = UINT32_MAX >> (32 - c->bits);

   switch (c->type) {
   case NUMERIC_UNORM:
   case NUMERIC_SRGB:
      return (double)v / (double)max;
   case NUMERIC_SNORM:
      return fmax((double)sv / (double)(max >> 1), -1.0);
   case NUMERIC_USCALED:
   case NUMERIC_UINT:
      return v;
   case NUMERIC_SSCALED:
   case NUMERIC_SINT:
      return sv;
   default:
      memcpy(&f, &v, sizeof(f));
      return c->bits == 32 ? (double)f : small_float(v, c->bits);
   }
}

double
pixel_depth(unsigned format, uint32_t word)
{
   float f;

   memcpy(&f, &word, sizeof(f));
   return format == DEPTH_FLOAT32   ? (double)f
          : format == DEPTH_UNORM16 ? (word & 0xffff) / 65535.0
                                    : (word & 0xffffff) / 16777215.0;
}

/* ---- Pictures ---- */

struct picture {
   const struct probe_draw *draw;
   const struct target *target;
   const struct cb_channel *channel; /* [4]; NULL: depth */
};

static uint8_t
to_byte(double value, bool integer)
{
   value *= integer ? 1.0 : 255.0;
   return value >= 255.0 ? 255 : value > 0.0 ? (uint8_t)(value + 0.5) : 0;
}

/* A row of memory as RGBA, or grey. */
static void
convert_row(const struct picture *p, const uint8_t *memory, uint8_t *row)
{
   const struct target *t = p->target;
   const unsigned samples = 1u << t->log2_samples, channels = p->channel ? 4 : 1;

   for (uint32_t x = 0; x < t->width; x++)
      for (unsigned c = 0; c < channels; c++) {
         const struct cb_channel *channel = p->channel ? &p->channel[c] : NULL;
         const bool has = !channel || (channel->bits && channel->bits <= 32);
         double sum = 0;

         for (unsigned s = 0; has && s < samples; s++) {
            uint8_t pixel[PROBE_BYTES] = { 0 };
            uint32_t word;

            memcpy(pixel, memory + ((size_t)x * samples + s) * t->cpp, t->cpp);
            memcpy(&word, pixel, sizeof(word));
            sum += channel ? pixel_component(channel, pixel) : pixel_depth(p->draw->z_format, word);
         }
         row[x * channels + c] =
            !has ? (c == 3 ? 255 : 0)
                 : to_byte(sum / samples, channel && (channel->type == NUMERIC_UINT ||
                                                      channel->type == NUMERIC_SINT ||
                                                      channel->type == NUMERIC_USCALED ||
                                                      channel->type == NUMERIC_SSCALED));
      }
}

/* False: no memory, or libpng says no. */
static bool
write_png(FILE *file, const struct vm *vm, const struct picture *p)
{
   const struct target *t = p->target;
   const size_t bytes = (size_t)t->width * t->cpp << t->log2_samples;
   png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
   png_info *info = png ? png_create_info_struct(png) : NULL;
   uint8_t *memory = malloc(bytes), *row = malloc((size_t)t->width * 4);
   volatile bool ok = false;

   if (info && memory && row && !setjmp(png_jmpbuf(png))) {
      png_init_io(png, file);
      png_set_IHDR(png, info, t->width, t->height, 8,
                   p->channel ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                   PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png, info);
      for (uint32_t y = 0; y < t->height; y++) {
         vm_read(vm, t->va + t->first_layer * t->slice_bytes + (uint64_t)y * t->row_bytes, memory,
                 bytes);
         convert_row(p, memory, row);
         png_write_row(png, row);
      }
      png_write_end(png, info);
      ok = true;
   }
   png_destroy_write_struct(&png, &info);
   free(memory);
   free(row);
   return ok;
}

int
pixel_write(const struct tool *tool, const char *path, const struct vm *vm,
            const struct probe_draw *draw, unsigned target, bool depth)
{
   const struct picture p = { .draw = draw,
                              .target = depth ? &draw->z : &draw->color[target],
                              .channel = depth ? NULL : draw->channel[target] };
   FILE *file;
   bool ok;

   if (!p.target->host || !p.target->width || !p.target->height) {
      fprintf(stderr, "%s: draw %u.%u has no such target\n", tool->name, draw->submission,
              draw->number);
      return TOOL_REFUSED;
   }
   file = fopen(path, "wbe");
   ok = file && write_png(file, vm, &p);
   if (file && fclose(file))
      ok = false;
   if (!ok)
      fprintf(stderr, "%s: cannot write %s: %s\n", tool->name, path, strerror(errno));
   return ok ? TOOL_OK : TOOL_SYSTEM;
}
