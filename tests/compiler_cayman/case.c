/* SPDX-License-Identifier: MIT */
/* See case.h. */
#include "case.h"

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"

#include "run_wave.h"

static struct run_wave r;
uint32_t case_constants[3][16][4];
uint32_t case_driver[IL_DRV_SIZE][4];

static const unsigned all_flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_FEW_GPRS };

static const uint32_t special_floats[] = {
   0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x40000000, 0x40490fdb,
   0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000, 0x00000001,
   0x807fffff, 0x477fe000, 0x477ff000, 0x38800000, 0x33000000, 0xb3000001, 0x4b000000, 0x4f000000,
   0xcf000000, 0x4f800000, 0x3fb504f3, 0xc0c90fdb, 0x42c80000, 0x3dcccccd, 0x3f7fffff, 0x3f800001,
};

static const uint32_t special_integers[] = {
   0,          1,          2,          3,          31,         32,         33,         63,
   0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x55555555, 0xaaaaaaaa, 0x00ff00ff,
   0x01020304, 0xff00ff00, 0xffffff81, 0x00008000, 0x00010000, 0x12345678, 0x0000ffff, 0x7fffff80,
   150,        0xffffff6a, 254,        0xffffff02, 600,        0xfffffda8, 0x00800000, 0x80ff7f01,
};

static const uint64_t special_doubles[] = {
   0,
   0x8000000000000000ull,
   0x3ff0000000000000ull,
   0xbff0000000000000ull,
   0x4008000000000000ull,
   0x3fd5555555555555ull,
   0x7ff0000000000000ull,
   0xfff0000000000000ull,
   0x7ff8000000000000ull,
   0x7fefffffffffffffull,
   0x0010000000000000ull,
   0x0000000000000001ull,
   0x41dfffffffc00000ull,
   0xc1e0000000000000ull,
   0x41efffffffe00000ull,
   0x41f0000000000000ull,
   0xc1e0000000200000ull,
   0x400921fb54442d18ull,
   0xbfe0000000000001ull,
   0x3fefffffffffffffull,
   0x4340000000000001ull,
   0x7fe0000000000000ull,
   0x001fffffffffffffull,
   0xc02e000000000000ull,
};

static uint64_t seed;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 33) ^ (uint32_t)(seed >> 17);
}

static void
fill(enum values kind, uint32_t v[4])
{
   switch (kind) {
   case FLOATS:
      for (unsigned c = 0; c < 4; c++)
         v[c] = rnd() % 4 ? special_floats[rnd() % 32] : rnd();
      break;
   case MODERATE:
      for (unsigned c = 0; c < 4; c++)
         v[c] = rnd() % 16 ? bits_of((float)((int)(rnd() % 8001) - 4000) / 1000.0f) : 0;
      break;
   case INTEGERS:
      for (unsigned c = 0; c < 4; c++)
         v[c] = rnd() % 4 ? special_integers[rnd() % 32] : rnd();
      break;
   case DOUBLES:
      for (unsigned c = 0; c < 4; c += 2) {
         uint64_t d = special_doubles[rnd() % (sizeof(special_doubles) / 8)];
         if (rnd() % 3 == 0)
            d = (uint64_t)rnd() << 32 | rnd();
         else if (rnd() % 3 == 0)
            d = 0x3ff0000000000000ull + ((uint64_t)(rnd() % 64) << 52) + ((uint64_t)rnd() << 20);
         v[c] = (uint32_t)d;
         v[c + 1] = (uint32_t)(d >> 32);
      }
      break;
   case WIDE_INTEGERS:
      for (unsigned c = 0; c < 4; c++) {
         unsigned how = rnd() % 4;
         v[c] = how == 0 ? rnd() : how == 1 ? 0 : how == 2 ? rnd() >> rnd() % 32 : 0xffffffff;
      }
      break;
   }
}

static bool
same(const struct kase *k, uint32_t got, uint32_t want)
{
   if (got == want)
      return true;
   if (k->tolerance == 0)
      return false;
   float a = as_float(got), b = as_float(want), size = fabsf(b) > 1 ? fabsf(b) : 1;
   return (a != a && b != b) || fabsf(a - b) <= k->tolerance * size;
}

static void
compile(const char *text, unsigned flags, struct shader_code *shader)
{
   struct il_error il_error;
   char error[256];
   struct il_program *il = il_parse(text, strlen(text), &il_error);

   if (!il) {
      print_message("%s", text);
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   }
   if (!cayman_compile(il, flags, shader, error, sizeof(error))) {
      print_message("%s", text);
      fail_msg("%s", error);
   }
   il_program_free(il);
}

/* Constant buffers read at a run-time index come through the fetch unit: vec4s. */
static void
fetch(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4], uint64_t lanes)
{
   const struct elements *desc = (const void *)(uintptr_t)bind->state[0];
   const uint32_t *from = desc->ring;

   for (unsigned l = 0; l < 64; l++) {
      uint64_t at = 4 * (uint64_t)index[l] + desc->offset / 4;
      for (unsigned c = 0; c < 4 && (lanes >> l & 1); c++) {
         if (dst[c]) {
            unsigned sel = desc->swizzle[c];
            dst[c][l] = sel <= SWIZZLE_W && at + sel < desc->ring_bytes / 4 ? from[at + sel] : 0;
         }
      }
   }
}

static bool
run_program(const struct shader_code *shader)
{
   struct elements elements[8];
   struct td_vtx_bind vtx[8];

   r.source.words = shader->words;
   r.source.num_words = shader->num_dwords;
   r.lifted = r.kernels->sq_lift(&r.source);
   r.program = r.lifted;
   if (!r.program || r.program->num_vtx > 8)
      return false;
   for (uint32_t n = 0; n < r.program->num_vtx; n++) {
      unsigned bank = r.program->vtx[n].resource - CAYMAN_RESOURCE_CONST;
      bool driver = bank == IL_DRIVER_CB;
      assert_true((driver || bank < 3) && (shader->const_buffers_fetch >> bank & 1));
      const struct elements buffer = {
         .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
         .ring = driver ? case_driver : case_constants[bank],
         .ring_bytes = driver ? sizeof(case_driver) : sizeof(case_constants[bank]),
      };

      td_fetch_elements(&elements[n], &r.program->vtx[n].fetch, &buffer, 0);
      vtx[n] = (struct td_vtx_bind){ .run = fetch, .state = { (uintptr_t)&elements[n] } };
   }
   r.bind.vtx = vtx;
   return run_wave_again(&r);
}

static void
run_case(const struct kase *k, const char *prologue, enum values kinds[3], unsigned runs)
{
   static char text[16384];
   uint32_t *fs;
   unsigned fs_dwords = cayman_build_fetch_shader(NULL, 0, &fs);

   snprintf(text, sizeof(text),
            "%sil_vs_2_0\ndcl_input_generic v0\ndcl_input_generic v1\ndcl_input_generic v2\n"
            "dcl_output_position o0\ndcl_output_generic o32\n"
            "mov r1, v0\nmov r2, v1\nmov r3, v2\nmov r0, r1\n%s\nmov o0, r0\nmov o32, r0\n%s",
            prologue, k->text, strstr(k->text, "endmain") ? "" : "end\n");
   /* Subroutines stand after the main program. */
   char *functions = strstr(text, "endmain");
   if (functions) {
      char rest[4096];
      snprintf(rest, sizeof(rest), "%s", functions);
      char *tail = strstr(rest, "\nmov o0");
      if (tail)
         *tail = 0;
      snprintf(functions, sizeof(text) - (size_t)(functions - text),
               "mov o0, r0\nmov o32, r0\n%s\nend\n", rest);
   }
   for (unsigned f = 0; f < 3; f++) {
      struct shader_code shader;
      compile(text, all_flags[f], &shader);
      seed = 1;
      for (unsigned run = 0; run < runs; run++) {
         uint32_t v[64][3][4];
         run_wave_init(&r, SQ_STAGE_VS);
         r.source.pgm_resources = shader.num_gprs | shader.stack_size << 8 | 1 << 21;
         r.source.fetch_words = fs;
         r.source.num_fetch_words = fs_dwords;
         for (unsigned n = 0; n < 3; n++) {
            r.kcache[n] = &case_constants[n][0][0];
            r.kcache_bytes[n] = sizeof(case_constants[n]);
         }
         for (unsigned l = 0; l < 64; l++) {
            for (unsigned n = 0; n < 3; n++) {
               fill(kinds[n], v[l][n]);
               for (unsigned c = 0; c < 4; c++)
                  memcpy(&r.gpr[1 + n][c][l], &v[l][n][c], 4);
            }
         }
         if (!run_program(&shader)) {
            cayman_disassemble(stdout, shader.words, shader.num_dwords);
            fail_msg("the wave failed: %s",
                     r.program && r.program->core.error ? r.program->core.error : "faulted");
         }
         for (unsigned l = 0; l < 64; l++) {
            uint32_t want[4];
            memcpy(want, v[l][0], sizeof(want));
            k->want(v[l], want);
            for (unsigned c = 0; c < 4; c++) {
               uint32_t got;
               memcpy(&got, &r.outputs.param[0][c][l], 4);
               if ((k->mask >> c & 1) && !same(k, got, want[c])) {
                  if (getenv("ATOLL_TEST_LISTING")) {
                     cayman_disassemble(stdout, shader.words, shader.num_dwords);
                     fflush(stdout);
                  }
                  fail_msg("%s (flags %u): %c of %08x %08x %08x %08x, %08x %08x %08x %08x, "
                           "%08x %08x %08x %08x: %08x, expected %08x",
                           k->text, all_flags[f], "xyzw"[c], v[l][0][0], v[l][0][1], v[l][0][2],
                           v[l][0][3], v[l][1][0], v[l][1][1], v[l][1][2], v[l][1][3], v[l][2][0],
                           v[l][2][1], v[l][2][2], v[l][2][3], got, want[c]);
               }
            }
         }
         run_wave_free(&r);
      }
      shader_code_finish(&shader);
   }
   free(fs);
}

void
run_cases(const char *before, const struct kase *cases, unsigned count, enum values a,
          enum values b, enum values c, unsigned runs)
{
   enum values kinds[3] = { a, b, c };
   for (unsigned n = 0; n < count; n++)
      run_case(&cases[n], before, kinds, runs);
}
