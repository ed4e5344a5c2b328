/* SPDX-License-Identifier: MIT */
/*
 * Programs as AMD's compilers and hand-written kernels of their time have them (docs/il.rst,
 * Dialects), each a file of dialect/: read, printed and read again, as text and as bits; executed
 * directly; compiled for Cayman in every way of compiling, and for Valhall where it has what they
 * need.  Results are those that dialect_pixel.c and dialect_compute.c work out in C.
 *
 *    test-direct-dialect [NAME]     one of them
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "dialect.h"
#include "wave.h"

#define LEAST_PROGRAMS 60
#define MAX_TEXT       16384

static const char *only;
static struct inputs in;

/* --- what they read --------------------------------------------------------------------------- */

static void
make_texture(unsigned n, unsigned dim, unsigned width, unsigned height, unsigned depth)
{
   uint32_t *texels = in.views.texels + 256 * n;

   in.views.texture[n] = (struct machine_texture){ .there = true,
                                                   .dim = (uint8_t)dim,
                                                   .format = FMT_32_32_32_32_FLOAT,
                                                   .num_format = SQ_NUM_FORMAT_NORM,
                                                   .levels = 1,
                                                   .samples = 1,
                                                   .select = { 0, 1, 2, 3 },
                                                   .width = width,
                                                   .height = height,
                                                   .depth = depth,
                                                   .data = texels,
                                                   .dwords = 256 };
   for (unsigned i = 0; i < 256; i++)
      texels[i] = bits_of(texel(n, i / 4, i % 4));
   in.views.sampler[n].there = true;
   in.views.sampler[n].words[0] = REG_FIELD(SAMPLER_WORD0, CLAMP_X, SQ_TEX_CLAMP_LAST_TEXEL) |
                                  REG_FIELD(SAMPLER_WORD0, CLAMP_Y, SQ_TEX_CLAMP_LAST_TEXEL) |
                                  REG_FIELD(SAMPLER_WORD0, CLAMP_Z, SQ_TEX_CLAMP_LAST_TEXEL);
   in.views.sampler[n].words[1] = REG_FIELD(SAMPLER_WORD1, MAX_LOD, 4095);
   in.views.sampler[n].words[2] = REG_FIELD(SAMPLER_WORD2, TYPE, 1);
}

static void
make_world(struct world *w)
{
   memset(&in, 0, sizeof(in));
   memset(w, 0, sizeof(*w));
   for (unsigned i = 0; i < NUM_CONSTS; i++) {
      for (unsigned c = 0; c < 4; c++)
         in.constant[i][c] = i < 8 ? bits_of(cb(i, c)) : (uint32_t)cb_int(i, c);
      for (unsigned half = 0; i >= 16 && half < 2; half++) {
         const double d = cb_double(i, half);
         memcpy(&in.constant[i][2 * half], &d, 8);
      }
   }
   make_texture(0, SQ_TEX_DIM_2D, 8, 8, 1);
   make_texture(1, SQ_TEX_DIM_2D, 8, 8, 1);
   make_texture(2, SQ_TEX_DIM_1D, 64, 1, 1);
   make_texture(3, SQ_TEX_DIM_3D, 4, 4, 4);
   for (unsigned l = 0; l < PIXELS; l++) {
      in.position[0][l] = bits_of((float)pixel_x(l) + 0.5f);
      in.position[1][l] = bits_of((float)pixel_y(l) + 0.5f);
      in.position[2][l] = bits_of(0.25f);
      in.position[3][l] = bits_of(1.0f);
      in.face[0][l] = bits_of(1.0f);
   }
   for (unsigned i = 0; i < UAV_DWORDS; i++) {
      in.uav[0][i] = bits_of(g_before(i / 4, i % 4));
      in.uav[1][i] = 5 * i;
   }
   memcpy(w->uav, in.uav, sizeof(w->uav));
}

/* --- what comes of it ------------------------------------------------------------------------- */

/* A zero's sign is nothing that these programs are about. */
static bool
is_equal(uint32_t is, uint32_t should)
{
   return is == should || !((is | should) << 1);
}

static unsigned
check_memory(const char *name, const uint32_t *is, const uint32_t *should, unsigned n)
{
   for (unsigned i = 0; i < UAV_DWORDS; i++) {
      if (!is_equal(is[i], should[i])) {
         print_message("%s: UAV %u, element %u.%c: %08x (%g), not %08x (%g)\n", name, n, i / 4,
                       "xyzw"[i % 4], is[i], (double)float_of(is[i]), should[i],
                       (double)float_of(should[i]));
         return 1;
      }
   }
   return 0;
}

static unsigned
check_outputs(const char *name, const struct world *w)
{
   for (unsigned i = 0; i < 4 * 4 * PIXELS; i++) {
      const unsigned n = i / 4 / PIXELS, c = i / PIXELS % 4, l = i % PIXELS;
      const uint32_t is = wave_pixel(n)[c][l], should = w->o[n][c][l];
      if ((w->written[n] >> c & 1) && !(w->ended >> l & 1) && !is_equal(is, should)) {
         print_message("%s: o%u.%c of pixel %u, %u: %08x (%g), not %08x (%g)\n", name, n, "xyzw"[c],
                       pixel_x(l), pixel_y(l), is, (double)float_of(is), should,
                       (double)float_of(should));
         return 1;
      }
   }
   return 0;
}

/* Valhall has no doubles, and no local data with owners (docs/il.rst, Limits). */
static bool
lacks(const struct il_program *p)
{
   for (uint32_t n = 0; n < p->ninsts; n++) {
      const struct il_op_info *info = il_op_info(p->insts[n].op);
      if (info->type == IL_TYPE_DOUBLE || p->insts[n].op == IL_OP_F_2_D ||
          p->insts[n].op == IL_OP_LDS_READ_VEC)
         return true;
   }
   return false;
}

static unsigned
run(const char *name, const struct il_program *p)
{
   static struct world w;
   const bool pixel = p->shader == IL_SHADER_PIXEL;
   world_fn *expect = pixel ? dialect_pixel(name) : dialect_compute(name);
   char error[256];

   if (!expect) {
      print_message("%s: nothing says what it should do\n", name);
      return 1;
   }
   make_world(&w);
   expect(&w);
   for (unsigned flags = 0; flags < (lacks(p) ? 8u : 16u); flags++) {
      const unsigned isa = flags & 8 ? CASE_VALHALL : 0;
      const enum outcome outcome = run_case(p, (flags & 7) | isa, 0, &in, error, sizeof(error));
      if (outcome != SAME) {
         print_message("%s: %s, flags %u: %s\n", name, isa ? "Valhall" : "Cayman", flags & 7,
                       error);
         return 1;
      }
   }
   unsigned wrong = pixel ? check_outputs(name, &w) : 0;
   for (unsigned n = 0; n < NUM_UAVS; n++)
      wrong += check_memory(name, pixel ? wave_uav(n) : group_uav(n), w.uav[n], n);
   return wrong;
}

/* --- text and bits ---------------------------------------------------------------------------- */

/* The canonical text is the same program, and printing that gives the same text. */
static unsigned
print_again(const char *name, const struct il_program *p)
{
   struct il_error err;
   char *text = il_print(p);
   struct il_program *q = il_parse(text, strlen(text), &err);
   char *again = q ? il_print(q) : NULL;
   const bool same = again && !strcmp(text, again) && il_equal(p, q);

   if (!same)
      print_message("%s: its text is another program\n%s", name, text);
   free(text);
   free(again);
   il_program_free(q);
   return !same;
}

static unsigned
write_again(const char *name, const struct il_program *p)
{
   unsigned wrong = 0;

   for (unsigned numbering = IL_NUMBERING_STREAM; numbering <= IL_NUMBERING_DOCUMENT; numbering++) {
      struct il_error err = { 0 };
      uint32_t count;
      uint32_t *words = il_write(p, (enum il_numbering)numbering, &count, &err);
      struct il_program *q =
         words ? il_read(words, count, (enum il_numbering)numbering, &err) : NULL;
      if (!q || !il_equal(p, q) || !il_validate(q, IL_STD_2_4, &err)) {
         print_message("%s: its bits are another program: %s\n", name, err.text);
         wrong++;
      } else if (print_again(name, q) || run(name, q)) {
         wrong++;
      }
      free(words);
      il_program_free(q);
   }
   return wrong;
}

static unsigned
try_file(const char *file)
{
   static char text[MAX_TEXT];
   char path[512], name[64];
   struct il_error err;

   snprintf(name, sizeof(name), "%.*s", (int)(strlen(file) - 3), file);
   snprintf(path, sizeof(path), "%s/%s", DIALECT_DIRECTORY, file);
   FILE *f = fopen(path, "rb");
   if (!f) {
      print_message("%s: cannot be read\n", path);
      return 1;
   }
   const size_t size = fread(text, 1, sizeof(text), f);
   fclose(f);
   struct il_program *p = il_parse(text, size, &err);
   if (!p) {
      print_message("%s:%u:%u: %s\n", file, err.where, err.column, err.text);
      return 1;
   }
   unsigned wrong;
   if (!il_validate(p, IL_STD_2_4, &err)) {
      print_message("%s: %s\n", file, err.text);
      wrong = 1;
   } else {
      wrong = run(name, p) || print_again(name, p) || write_again(name, p);
   }
   il_program_free(p);
   return wrong;
}

static void
programs(void **state)
{
   DIR *directory = opendir(DIALECT_DIRECTORY);
   unsigned count = 0, wrong = 0;

   (void)state;
   assert_non_null(directory);
   for (const struct dirent *d; (d = readdir(directory));) {
      const size_t n = strlen(d->d_name);
      if (n < 4 || strcmp(d->d_name + n - 3, ".il") != 0 ||
          (only && (strlen(only) != n - 3 || strncmp(only, d->d_name, n - 3) != 0)))
         continue;
      wrong += try_file(d->d_name);
      count++;
   }
   closedir(directory);
   print_message("%u programs\n", count);
   assert_int_equal(wrong, 0);
   assert_true(only ? count == 1 : count >= LEAST_PROGRAMS);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(programs) };

   only = argc > 1 ? argv[1] : NULL;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
