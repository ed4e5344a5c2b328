/* SPDX-License-Identifier: MIT */
/*
 * Quotients: gl-quotients.
 *
 * A fragment shader divides whole rows of pairs; each result is compared with what IEEE 754 says:
 *
 *  1. a / b where it is a float is that float, and so is mod(a, b) then: all products of two
 *     numbers below 512, all b / b, and random products of factors that have 24 bits together.
 *  2. Any other is no further away than its neighbour; how many are not the nearest is bounded.
 *  3. Remainders of whole numbers by whole constants are right below 2^22, those of multiples up to
 *     2^24.
 *  4. Zeros, infinities, NaN, and what overflows are what they are without a correction.
 *
 * The divisor varies, is a uniform, or is a constant; the quotient is of a scalar or of vectors.
 * Exit code 0, and the number of quotients, if all hold.
 */
#include "offscreen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 512, HEIGHT = 512, PAIRS = WIDTH * HEIGHT };

static float pairs[PAIRS][2], results[PAIRS][2];
static unsigned done, not_nearest;
static unsigned texture, program;
static uint32_t noise = 1;

static uint32_t
next(void)
{
   noise = noise * 1664525 + 1013904223;
   return noise >> 8;
}

static float
from_bits(uint32_t bits)
{
   float f;

   memcpy(&f, &bits, sizeof(f));
   return f;
}

static uint32_t
to_bits(float f)
{
   uint32_t bits;

   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

/* `divide` is GLSL of the quotient, with a and b. */
static unsigned
make(const char *declared, const char *divide)
{
   static const char vertex[] = "#version 120\nattribute vec4 position;\n"
                                "void main() { gl_Position = position; }\n";
   const bool fetches = offscreen_version() >= 30;
   char fragment[1000];

   snprintf(fragment, sizeof(fragment),
            "#version %s\nuniform sampler2D pairs; %s\n"
            "void main() { vec2 p = %s.xy;\n"
            "   float a = p.x, b = p.y; gl_FragColor = %s; }\n",
            fetches ? "130" : "120", declared,
            fetches ? "texelFetch(pairs, ivec2(gl_FragCoord.xy), 0)"
                    : "texture2D(pairs, gl_FragCoord.xy / 512.0)",
            divide);
   return offscreen_program(vertex, fragment);
}

static void
draw(void)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

   glBindTexture(GL_TEXTURE_2D, texture);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RG, GL_FLOAT, pairs);
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RG, GL_FLOAT, results);
}

static void
wrong(const char *what, unsigned n, float got, float right)
{
   fprintf(stderr, "%s of %a and %a is %a, not %a\n", what, (double)pairs[n][0],
           (double)pairs[n][1], (double)got, (double)right);
   exit(1);
}

/* `exact`: the quotient is a float, and the remainder zero if the quotient is whole. */
static void
check(const char *what, bool exact)
{
   draw();
   for (unsigned n = 0; n < PAIRS; n++) {
      const float a = pairs[n][0], b = pairs[n][1], q = a / b, got = results[n][0];
      const int apart = (int)(to_bits(got) - to_bits(q));
      if (exact ? to_bits(got) != to_bits(q) : apart < -1 || apart > 1)
         wrong(what, n, got, q);
      not_nearest += apart != 0;
      if (exact && q == floorf(q) && results[n][1] != 0)
         wrong("mod", n, results[n][1], 0);
   }
   done += PAIRS;
}

static const struct way {
   const char *name, *declared, *divide;
} ways[] = {
   { "a quotient", "", "vec4(a / b, mod(a, b), 0, 0)" },
   { "a quotient of vectors", "",
     "vec4((vec3(0.5 * a, a, a) / b).y, mod(vec3(a, 2.0, a), vec3(7.0, b, b)).z, 0, 0)" },
};

static void
check_products(void)
{
   for (unsigned n = 0; n < PAIRS; n++) {
      pairs[n][0] = (float)((n % 512 + 1) * (n / 512 + 1));
      pairs[n][1] = (float)(n % 512 + 1);
   }
   check("a product", true);
   for (unsigned n = 0; n < PAIRS; n++) {
      const unsigned bits = 1 + next() % 23;
      const float b = ldexpf((float)(next() >> (24 - bits) | 1), (int)(next() % 60) - 30);
      const float k = ldexpf((float)(next() >> bits | 1), (int)(next() % 60) - 30);
      pairs[n][0] = next() & 1 ? b * k : -b * k;
      pairs[n][1] = b;
   }
   check("a random product", true);
   for (unsigned n = 0; n < PAIRS; n++)
      pairs[n][0] = pairs[n][1] = from_bits(next() % (0x7e000000 - 0x20000000) + 0x20000000);
   check("a number and itself", true);
}

static void
check_any(const char *what)
{
   for (unsigned n = 0; n < PAIRS; n++) {
      pairs[n][0] =
         from_bits((next() & 1) << 31 | (next() % (0x5f000000 - 0x30000000) + 0x30000000));
      pairs[n][1] =
         from_bits((next() & 1) << 31 | (next() % (0x5f000000 - 0x30000000) + 0x30000000));
   }
   check(what, false);
}

static const uint32_t special[16] = {
   0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x7f7fffff,
   0xff7fffff, 0x00800000, 0x80800000, 0x01000000, 0x40490fdb, 0x42240000, 0xc2240000, 0x7e800000,
};

/* Of all pairs of these, or of those with `divisor`, as a times the reciprocal of b says; signs of
 * NaN apart. */
static void
check_special(const uint32_t *divisor)
{
   const unsigned count = divisor ? 16 : 256;

   for (unsigned n = 0; n < PAIRS; n++) {
      pairs[n][0] = from_bits(special[n % 16]);
      pairs[n][1] = from_bits(divisor ? *divisor : special[n / 16 % 16]);
   }
   draw();
   for (unsigned n = 0; n < count; n++) {
      const float a = pairs[n][0], b = pairs[n][1], q = a / b, got = results[n][0];
      /* The reciprocals of the largest numbers are denormals, and so are some quotients. */
      if (fabsf(b) > 0x1p126f && !isinf(b))
         continue;
      /* Parts of a uniform's reciprocal, or of the quotient, may be denormals here. */
      if (divisor &&
          ((fabsf(b) > 0x1p90f && isinf(a) && !isinf(b)) || (a != 0 && fabsf(a) < 0x1p-100f)))
         continue;
      /* Where halves of products are taken, those of huge numbers are not. */
      const bool huge = fabsf(q) > 0x1p114f && !isinf(q);
      const bool tiny = fabsf(q) < 0x1p-126f;
      if (isnan(q) ? !isnan(got)
          : tiny   ? (got != 0 && got != q) || signbit(got) != signbit(q)
          : huge   ? to_bits(got) - to_bits(q) + 1 > 2
                   : got != q)
         wrong("a special quotient", n, got, q);
   }
   done += count;
}

static void
check_special_uniforms(void)
{
   const unsigned p = make("uniform float d;", "vec4(a / d, mod(a, d), 0, 0)");

   glUseProgram(p);
   glUniform1i(glGetUniformLocation(p, "pairs"), 0);
   for (unsigned n = 0; n < 16; n++) {
      glUniform1f(glGetUniformLocation(p, "d"), from_bits(special[n]));
      check_special(&special[n]);
   }
   glDeleteProgram(p);
}

/* Remainders of whole numbers by constants: all below 2^22, and multiples up to 2^24. */
static void
check_whole(unsigned c)
{
   char declared[100];

   snprintf(declared, sizeof(declared), "const float d = %u.0;", c);
   const unsigned p =
      make(declared, "vec4(mod(floor(a), d), mod(vec3(floor(b) * d + floor(a), 3.0, b).xz, d), 0)");
   glUseProgram(p);
   glUniform1i(glGetUniformLocation(p, "pairs"), 0);
   for (unsigned at = 0; at < 16; at++) {
      for (unsigned n = 0; n < PAIRS; n++) {
         const unsigned k = at * PAIRS + n;
         pairs[n][0] = k & 1 ? -(float)k : (float)k;
         pairs[n][1] = 0;
      }
      draw();
      for (unsigned n = 0; n < PAIRS; n++) {
         const int a = (int)pairs[n][0], rest = a % (int)c, right = rest < 0 ? rest + (int)c : rest;
         if (results[n][0] != (float)right || results[n][1] != (float)right)
            wrong("mod", n, results[n][0], (float)right);
      }
      done += PAIRS;
   }
   for (unsigned n = 0; n < PAIRS; n++) {
      const unsigned k = n % ((1u << 24) / c + 1);
      pairs[n][0] = n & 1 ? (float)(k * c) : -(float)(k * c);
      pairs[n][1] = 0;
   }
   draw();
   for (unsigned n = 0; n < PAIRS; n++)
      if (results[n][0] != 0 || results[n][1] != 0)
         wrong("mod", n, results[n][0], 0);
   done += PAIRS;
   glDeleteProgram(p);
}

/* Divisors that are uniforms, or constants of the program. */
static void
check_constant(float b)
{
   char declared[200];
   static const char *const of[2] = {
      "vec4(a / d, mod(a, d), 0, 0)",
      "vec4((vec2(2.0, a) / vec2(3.0, d)).y, mod(vec2(a), vec2(d, 2.0)).x, 0, 0)"
   };

   for (unsigned kind = 0; kind < 3; kind++) {
      if (kind == 0)
         snprintf(declared, sizeof(declared), "uniform float d;");
      else
         snprintf(declared, sizeof(declared), "const float d = %.9g%s;", (double)b,
                  b == floorf(b) && fabsf(b) < 1e6f ? ".0" : "");
      const unsigned p = make(declared, of[kind == 2]);
      glUseProgram(p);
      glUniform1i(glGetUniformLocation(p, "pairs"), 0);
      glUniform1f(glGetUniformLocation(p, "d"), b);
      for (unsigned n = 0; n < PAIRS; n++) {
         /* As many bits as the divisor leaves. */
         int exponent;
         uint32_t bits = (uint32_t)ldexpf(frexpf(fabsf(b), &exponent), 24);
         const unsigned room = (unsigned)__builtin_ctz(bits);
         float k = room ? (float)(n % (1u << (room < 18 ? room : 18))) : 1;
         pairs[n][1] = b;
         pairs[n][0] = b * (k == 0 ? 1 : k);
      }
      check("a product over a constant", true);
      for (unsigned n = 0; n < PAIRS; n++)
         pairs[n][0] =
            from_bits((next() & 1) << 31 | (next() % (0x5f000000 - 0x30000000) + 0x30000000));
      check("a quotient by a constant", false);
      glDeleteProgram(p);
   }
}

int
main(void)
{
   static const float divisors[] = { 41,   3, 7,    10,    255,        289,  49,  -41,
                                     0.1f, 2, 0.5f, 1e-3f, 6.2831853f, 1023, 1e6f };
   static const unsigned whole[] = { 289, 41, 7, 13, 255, 10, 15, 4095 };
   unsigned framebuffer, target;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   glGenTextures(1, &target);
   glBindTexture(GL_TEXTURE_2D, target);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, WIDTH, HEIGHT, 0, GL_RGBA, GL_FLOAT, NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
   glViewport(0, 0, WIDTH, HEIGHT);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32F, WIDTH, HEIGHT, 0, GL_RG, GL_FLOAT, NULL);

   for (unsigned w = 0; w < sizeof(ways) / sizeof(*ways); w++) {
      program = make(ways[w].declared, ways[w].divide);
      glUseProgram(program);
      check_products();
      check_any(ways[w].name);
      check_special(NULL);
   }
   check_special_uniforms();
   for (unsigned n = 0; n < sizeof(whole) / sizeof(*whole); n++)
      check_whole(whole[n]);
   for (unsigned n = 0; n < sizeof(divisors) / sizeof(*divisors); n++)
      check_constant(divisors[n]);
   fprintf(stderr, "%u of %u are not the nearest\n", not_nearest, done);
   if (not_nearest > done / 1000)
      return 1;
   printf("%u\n", done);
   offscreen_close();
   return 0;
}
