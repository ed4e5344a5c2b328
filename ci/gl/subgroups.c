/* SPDX-License-Identifier: MIT */
/*
 * What the invocations of a subgroup tell each other, in every stage and in divergent flow:
 * gl-subgroups.  Exit code 0, and the number of cases, if all is right; otherwise each case that
 * failed is on stderr.
 *
 * Before the flow diverges each invocation writes down which are in its subgroup.  Where only some
 * of them come, those alone vote and can be read: ballots, votes, the first invocation's value and
 * everyone's have to be those that follow from which ones come there.
 */
#include "pipelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 64, MANY = 100, WORDS = 256, TOO_LITTLE = 77 };

/* What an invocation writes: at 0 before the flow diverges, at PART where it does. */
enum {
   MASK,
   LANE = 2,
   COUNT,
   ODD,
   VOTES = 6,
   FIRST,
   FIRST_VECTOR,
   OWN = 11, /* of the invocation that the first one names: itself, as each does */
   FIRST_NEGATIVE,
   FIRST_BIT,
   IDS
};
enum { PART = 128 };
_Static_assert(IDS + LANES <= PART, "the words of one part");

static const char functions[] =
   "#extension GL_ARB_shader_ballot : require\n"
   "#extension GL_ARB_shader_group_vote : require\n"
   "#extension GL_ARB_gpu_shader_int64 : require\n"
   "layout(std430, binding = 0) buffer Results { uint results[]; };\n"
   "void look(int i, uint part) {\n"
   "   uint at = uint(i) * 256u + part;\n"
   "   uvec2 mask = unpackUint2x32(ballotARB(true)), odd = unpackUint2x32(ballotARB((i & 1) == "
   "1));\n"
   "   results[at] = mask.x; results[at + 1u] = mask.y;\n"
   "   results[at + 2u] = gl_SubGroupInvocationARB;\n"
   "   results[at + 3u]++;\n"
   "   results[at + 4u] = odd.x; results[at + 5u] = odd.y;\n"
   "   results[at + 6u] = uint(anyInvocationARB((i & 3) == 1)) |\n"
   "      uint(allInvocationsARB((i & 1) == 1)) << 1 | uint(allInvocationsARB(i > 4)) << 2 |\n"
   "      uint(allInvocationsEqualARB((i & 1) == 1)) << 3;\n"
   "   results[at + 7u] = readFirstInvocationARB(uint(i) * 0x01010101u);\n"
   "   vec3 v = readFirstInvocationARB(vec3(i, -i, float(i) * 0.5));\n"
   "   results[at + 8u] = floatBitsToUint(v.x); results[at + 9u] = floatBitsToUint(v.y);\n"
   "   results[at + 10u] = floatBitsToUint(v.z);\n"
   "   results[at + 11u] = readInvocationARB(uint(i) + 3000u, gl_SubGroupInvocationARB);\n"
   "   results[at + 12u] = uint(readFirstInvocationARB(-i));\n"
   "   results[at + 13u] = uint(readFirstInvocationARB(uint((i & 2) != 0)));\n"
   "   for (uint l = 0u; l < 64u; l++)\n"
   "      if (((l < 32u ? mask.x >> l : mask.y >> (l - 32u)) & 1u) != 0u)\n"
   "         results[at + 14u + l] = readInvocationARB(uint(i) + 1000u, l); }\n";

/* A statement, and which ones come to look() there: group(i) < 0 does not, and those of one
 * group come together. */
static int
all(int i)
{
   (void)i;
   return 0;
}

static int
third(int i)
{
   return i % 3 == 1 ? 0 : -1;
}

static int
sides(int i)
{
   return i % 3 == 1;
}

static int
above_5(int i)
{
   return i > 5 ? 0 : -1;
}

static int
both_bits(int i)
{
   return (i & 3) == 3 ? 0 : -1;
}

static int
continued(int i)
{
   return (i + 2) % 3 ? 0 : -1;
}

static int
from_7(int i)
{
   return i >= 7 ? 0 : -1;
}

static int
not_fourth(int i)
{
   return i % 4 ? 0 : -1;
}

static int
cases_of_4(int i)
{
   return i % 4 == 0 ? -1 : i % 4 == 1;
}

static int
only_11(int i)
{
   return i == 11 ? 0 : -1;
}

static const struct flow {
   const char *text;
   int (*group)(int i);
} flows[] = {
   { "look(i, 128u);", all },
   { "if (i % 3 == 1) look(i, 128u);", third },
   { "if (i % 3 == 1) look(i, 128u); else look(i, 128u);", sides },
   { "for (int k = 0; k < i; k++) if (k == 5) look(i, 128u);", above_5 },
   { "if ((i & 1) != 0) { if ((i & 2) != 0) look(i, 128u); }", both_bits },
   { "for (int k = 0; k < 4; k++) { if ((i + k) % 3 == 0) continue; if (k == 2) look(i, 128u); }",
     continued },
   { "for (int k = 0; k < 16; k++) { if (k > i) break; if (k == 7) look(i, 128u); }", from_7 },
   { "int n = 0; while (true) { if (n++ >= i) break; if (n == 6) look(i, 128u); }", above_5 },
   { "if (i % 4 == 0) return; look(i, 128u);", not_fourth },
   { "switch (i % 4) { case 0: break; case 1: look(i, 128u); break; default: look(i, 128u); }",
     cases_of_4 },
   { "if (i == 11) look(i, 128u);", only_11 },
   { "for (int a = 0; a < 3; a++) for (int b = 0; b <= a; b++) if (i > 5 && a + b == 4)"
     " look(i, 128u);",
     above_5 },
};

enum { FLOWS = sizeof(flows) / sizeof(*flows) };

static unsigned cases, failed;

/* ---- Expectations ---- */

static uint64_t
mask_of(const uint32_t *part)
{
   return part[MASK] | (uint64_t)part[MASK + 1] << 32;
}

static uint32_t
bits(float x)
{
   uint32_t u;

   memcpy(&u, &x, sizeof(u));
   return u;
}

/* Whether all that invocation i has written of a part follows from which ones are there. */
static bool
follows(const uint32_t *part, unsigned i, uint64_t mask, const int number[LANES])
{
   uint64_t odd = 0;
   bool any = false, all_odd = true, all_high = true;
   int first = -1;
   bool good = part[COUNT] == 1 && mask_of(part) == mask && mask >> part[LANE] & 1 &&
               number[part[LANE]] == (int)i;

   for (unsigned l = 0; l < LANES; l++) {
      if (!(mask >> l & 1)) {
         good &= part[IDS + l] == 0;
         continue;
      }
      const int n = number[l];
      first = first < 0 ? n : first;
      odd |= (uint64_t)(n & 1) << l;
      any |= (n & 3) == 1;
      all_odd &= n & 1;
      all_high &= n > 4;
      good &= part[IDS + l] == (uint32_t)n + 1000;
   }
   const bool equal = odd == 0 || odd == mask;
   return good && part[ODD] == (uint32_t)odd && part[ODD + 1] == (uint32_t)(odd >> 32) &&
          part[VOTES] == ((uint32_t)any | (uint32_t)all_odd << 1 | (uint32_t)all_high << 2 |
                          (uint32_t)equal << 3) &&
          part[FIRST] == (uint32_t)first * 0x01010101u &&
          part[FIRST_VECTOR] == bits((float)first) && part[OWN] == (uint32_t)first + 3000 &&
          part[FIRST_VECTOR + 1] == bits((float)-first) &&
          part[FIRST_VECTOR + 2] == bits((float)first * 0.5f) &&
          part[FIRST_NEGATIVE] == (uint32_t)-first &&
          part[FIRST_BIT] == (uint32_t)((first & 2) != 0);
}

static bool
right(const uint32_t results[MANY][WORDS], const struct flow *flow, int count)
{
   for (unsigned i = 0; i < (unsigned)count; i++) {
      /* Which ones are in its subgroup, by lane. */
      const uint64_t whole = mask_of(results[i]);
      int number[LANES];
      uint64_t here = 0;

      for (unsigned l = 0; l < LANES; l++) {
         number[l] = whole >> l & 1 ? (int)results[i][IDS + l] - 1000 : -1;
         if (whole >> l & 1) {
            if (number[l] < 0 || number[l] >= count || results[number[l]][LANE] != l ||
                mask_of(results[number[l]]) != whole)
               return false;
            if (flow->group((int)i) >= 0 && flow->group(number[l]) == flow->group((int)i))
               here |= UINT64_C(1) << l;
         }
      }
      if (!follows(results[i], i, whole, number))
         return false;
      if (flow->group((int)i) < 0 ? results[i][PART + COUNT] != 0
                                  : !follows(results[i] + PART, i, here, number))
         return false;
   }
   return true;
}

/* ---- Programs ---- */

/* A triangle over all of the target: no pixel is there for its neighbours alone. */
static const char covering[] = "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID "
                               ">> 1) * 4.0 - 1.0, 0, 1); }\n";

/* Stages with any number of invocations, MANY here: in several subgroups. */
static const char *const bodies_of_many[STAGES] = {
   [VS] = "void main() { touch(gl_VertexID); gl_Position = vec4(0, 0, 0, 1); }\n",
   [FS] = "out vec4 colour;\n"
          "void main() { ivec2 p = ivec2(gl_FragCoord.xy); touch(p.x + 10 * p.y);\n"
          "              colour = vec4(1); }\n",
   [CS] = "layout(local_size_x = 100) in;\n"
          "void main() { touch(int(gl_LocalInvocationIndex)); }\n",
};

static void
check(unsigned pipeline, enum stage stage, const struct flow *flow, bool many)
{
   static uint32_t results[MANY][WORDS];
   const bool whole = stage == FS;
   unsigned program = glCreateProgram(), buffer;
   char source[8192];

   memset(results, 0, sizeof(results));
   for (unsigned s = 0; s < STAGES; s++) {
      const struct offscreen_shader shader = { pipeline_bodies[s].type, source };

      if (!(pipeline & BIT(s)))
         continue;
      snprintf(source, sizeof(source), "#version 450\n%svoid touch(int i) { %s %s }\n%s",
               s == stage ? functions : "", s == stage ? "look(i, 0u);" : "",
               s == stage ? flow->text : "",
               s == VS && whole     ? covering
               : s == stage && many ? bodies_of_many[s]
                                    : pipeline_bodies[s].source);
      offscreen_attach(program, &shader, 1);
   }
   offscreen_link(program);
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(results), results, GL_DYNAMIC_COPY);
   if (whole || (many && stage == VS)) {
      if (many)
         glViewport(0, 0, 10, 10);
      glDrawArrays(whole ? GL_TRIANGLES : GL_POINTS, 0, whole ? 3 : MANY);
      glViewport(0, 0, SIDE, SIDE);
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
   } else {
      pipeline_run(pipeline, false, 1);
   }
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(results), results);
   cases++;
   if (!right(results, flow, many ? MANY : N)) {
      failed++;
      fprintf(stderr, "%s%s shader, pipeline %02x: %s\n", many ? "large " : "",
              pipeline_stage_names[stage], pipeline, flow->text);
   }
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
}

/* Whether a stage is not the same of the hardware's as in another pipeline.  A fragment shader's
 * invocations are those of points where others come before it, with helpers. */
static bool
runs_otherwise(unsigned pipeline, enum stage stage)
{
   if (!(pipeline & BIT(stage)))
      return false;
   if (stage == FS)
      return pipeline == (BIT(VS) | BIT(FS));
   if (pipeline & BIT(FS) || (pipeline & BIT(TES) && !(pipeline & BIT(TCS))))
      return false;
   /* As the hardware's VS, LS or ES, and as its VS or ES. */
   return !(pipeline & BIT(GS)) || stage == TES || (stage == GS && !(pipeline & BIT(TES))) ||
          (stage == VS && !(pipeline & BIT(TES)));
}

int
main(void)
{
   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   if (offscreen_version() < 45 ||
       !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_shader_ballot")) {
      fprintf(stderr, "OpenGL 4.5 with GL_ARB_shader_ballot is needed\n");
      return TOO_LITTLE;
   }
   pipeline_start();
   for (unsigned p = 0; p < PIPELINES; p++) {
      for (enum stage s = 0; s < STAGES; s++) {
         if (!runs_otherwise(pipelines[p], s))
            continue;
         /* All shapes in two stages, and a few in the others, where flow is the same. */
         const unsigned step = pipelines[p] == BIT(CS) || pipelines[p] == BIT(VS) ? 1 : 5;
         for (unsigned f = step == 1 ? 0 : 2; f < FLOWS; f += step)
            check(pipelines[p], s, &flows[f], false);
         for (unsigned f = 1; f < FLOWS && bodies_of_many[s]; f += 5)
            if (s == FS || !(pipelines[p] & ~BIT(s)))
               check(pipelines[p], s, &flows[f], true);
      }
   }
   if (glGetError() != GL_NO_ERROR) {
      fprintf(stderr, "an error\n");
      failed++;
   }
   offscreen_close();
   printf("%u\n", cases);
   return failed ? 1 : 0;
}
