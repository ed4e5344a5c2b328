/* SPDX-License-Identifier: MIT */
/*
 * Programs for the sanitizer for shaders: gl-hazards NAME... draws or dispatches those of that
 * name, gl-hazards --list prints the names, each with the kinds that are to be found in it, or
 * `none`.
 *
 * Half of them have a fault each; the others do what looks like one and is none.  Compute programs
 * run as 2 groups of 128 invocations (two waves) on a buffer of 1024 words that hold 0, 1, 2 ...;
 * pixel programs fill a target, with `x` from 0 to 15 and `zero`, a uniform that is 0.
 */
#include "offscreen.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 1024, SIZE = 16, TOO_LITTLE = 77 };

static const struct hazard {
   const char *name, *kinds;
   bool pixels;
   const char *declared, *body;
} hazards[] = {
   /* Races in shared memory. */
   { "race-neighbour", "races", false, "shared uint s[128];",
     "s[i] = i; w[g * 128u + i] = s[i ^ 1u];" },
   { "race-far", "races,shared", false, "shared uint s[128];",
     "s[i] = i; w[g * 128u + i] = s[127u - i];" },
   { "race-after", "races", false, "shared uint s[128];",
     "s[i] = i; barrier(); uint v = s[(i + 1u) % 128u]; s[i] = v * 3u; barrier(); w[g * 128u + i] "
     "= s[i];" },
   { "race-one-word", "races", false, "shared uint s;", "s = i; barrier(); w[g * 128u + i] = s;" },
   { "race-loop", "races", false, "shared uint s[128];",
     "s[i] = i; barrier(); for (uint n = 64u; n > 0u; n >>= 1u) if (i < n) s[i] += s[i + n]; "
     "barrier(); w[g * 128u + i] = s[0];" },
   { "race-loop-late", "races,shared", false, "shared uint s[128];",
     "s[i] = i; for (uint n = 64u; n > 0u; n >>= 1u) { if (i < n) s[i] += s[i + n]; barrier(); } "
     "w[g * 128u + i] = s[0];" },
   { "race-clear", "races", false, "shared uint s[4];",
     "if (i < 4u) s[i] = 0u; atomicAdd(s[(i + 1u) % 4u], 1u); barrier(); w[g * 128u + i] = s[i % "
     "4u];" },
   { "race-shift", "races", false, "shared uint s[129];",
     "s[i] = i; if (i == 0u) s[128] = 9u; barrier(); s[i] = s[i + 1u]; barrier(); w[g * 128u + i] "
     "= s[i];" },
   { "race-flag", "races", false, "shared uint s; shared uint f;",
     "if (i == 0u) { s = 5u; f = 1u; } w[g * 128u + i] = s + f; " },
   { "race-vector", "races,shared", false, "shared vec4 s[128];",
     "s[i] = vec4(i); w[g * 128u + i] = uint(s[(i + 64u) % 128u].z);" },
   /* Races in buffers, of a group and between groups. */
   { "race-buffer", "races", false, "",
     "w[g * 128u + i] = i; memoryBarrierBuffer(); w[256u + g * 128u + i] = "
     "w[g * 128u + (i ^ 1u)];" },
   { "race-groups", "races", false, "", "w[i] = g;" },
   { "race-groups-read", "races", false, "",
     "w[g * 128u + i] = i + 7u; barrier(); w[512u + g * 128u + i] = w[(1u - g) * 128u + i];" },
   { "race-counter", "races", false, "", "w[0] = w[0] + 1u + i;" },
   { "race-atomic", "races", false, "", "if (i == 0u) w[0] = g + 1u; else atomicAdd(w[0], 1u);" },
   { "honest-reduce", "none", false, "shared uint s[128];",
     "s[i] = i; barrier(); for (uint n = 64u; n > 0u; n >>= 1u) { if (i < n) s[i] += s[i + n]; "
     "barrier(); } "
     "w[g * 128u + i] = s[0];" },
   { "honest-same-value", "none", false, "shared uint s;",
     "s = 7u; barrier(); w[g * 128u + i] = s;" },
   { "honest-histogram", "none", false, "shared uint s[4];",
     "if (i < 4u) s[i] = 0u; barrier(); atomicAdd(s[i % 4u], 1u); barrier(); w[g * 128u + i] = s[i "
     "% 4u];" },
   { "honest-counter", "none", false, "", "w[4u + g * 128u + i] = atomicAdd(w[0], 1u);" },
   { "honest-last-group", "none", false, "shared uint last;",
     "w[256u + g * 128u + i] = i; memoryBarrierBuffer(); barrier(); "
     "if (i == 0u) last = atomicAdd(w[0], 1u); barrier(); "
     "if (last == 1u && atomicAdd(w[1], 0u) != 99u) w[512u + i] = w[256u + i] + w[384u + i];" },
   { "honest-transpose", "none", false, "shared uint s[128];",
     "s[i % 8u * 16u + i / 8u] = i; barrier(); w[g * 128u + i] = s[i];" },
   /* Barriers. */
   { "barrier-half", "barriers", false, "", "if (i % 2u == 0u) barrier(); w[g * 128u + i] = i;" },
   { "barrier-one", "barriers", false, "",
     "if (w[g * 128u + i] != 3u) barrier(); w[g * 128u + i] = i;" },
   { "barrier-loop", "barriers", false, "",
     "for (uint n = 0u; n < i % 5u + 1u; n++) barrier(); w[g * 128u + i] = i;" },
   { "barrier-return", "barriers", false, "",
     "if (i >= 100u) return; barrier(); w[g * 128u + i] = i;" },
   { "barrier-wave", "barriers", false, "", "if (i < 64u) barrier(); w[g * 128u + i] = i;" },
   { "barrier-sides", "barriers", false, "",
     "if (i < 64u) { w[i] = 1u; barrier(); w[512u + i] = 2u; } else { w[768u + i] = 4u; barrier(); "
     "w[900u] = 3u; }" },
   { "honest-uniform", "none", false, "",
     "if (w[1023] == 1023u) barrier(); for (uint n = 0u; n < w[5]; n++) barrier(); w[8u + g * 128u "
     "+ i] = i;" },
   { "honest-loop", "none", false, "",
     "for (uint n = 0u; n < 1u + w[1023] % 7u; n++) barrier(); w[g * 128u + i] = i;" },
   /* Shared memory that nobody wrote. */
   { "shared-all", "shared", false, "shared uint s[128];", "w[g * 128u + i] = s[i];" },
   { "shared-half", "shared", false, "shared uint s[128];",
     "if (i < 64u) s[i] = i; barrier(); w[g * 128u + i] = s[i];" },
   { "shared-sum", "shared", false, "shared uint s[256];",
     "s[i] = i; barrier(); w[g * 128u + i] = s[i] + s[i + 1u];" },
   { "shared-count", "shared", false, "shared uint s;",
     "atomicAdd(s, 1u); barrier(); w[g * 128u + i] = s;" },
   { "shared-branch", "shared", false, "shared uint s[128];",
     "if (s[i] > 4u) w[g * 128u + i] = 3u;" },
   { "honest-unused", "none", false, "shared uint s[256];",
     "s[i] = i; barrier(); uint v = s[i + 1u]; w[g * 128u + i] = i < 127u ? v : 5u;" },
   /* Beyond the end of buffers. */
   { "bounds-write", "bounds", false, "", "w[1000u + i] = i;" },
   { "bounds-read", "bounds", false, "", "w[g * 128u + i] = w[960u + i];" },
   { "bounds-far", "bounds", false, "", "w[512u + g * 128u + i] = w[i * 4096u];" },
   { "bounds-negative", "bounds", false, "", "w[512u + g * 128u + i] = w[i - 1u];" },
   { "bounds-atomic", "bounds", false, "", "atomicAdd(w[1020u + i], 1u);" },
   { "honest-guard", "none", false, "",
     "uint n = 960u + i; uint v = n < 1024u ? w[n] : 0u; w[g * 128u + i] = v;" },
   { "honest-length", "none", false, "",
     "uint n = 900u + g * 128u + i; if (n < uint(w.length())) w[n] = 1u;" },
   /* Numbers. */
   { "nan-root", "nan", true, "", "color = vec4(sqrt(-1.0 - x));" },
   { "nan-log", "nan", true, "", "color = vec4(log2(-1.0 - x));" },
   { "nan-buffer", "nan", false, "", "w[g * 128u + i] = floatBitsToUint(sqrt(-1.0 - float(i)));" },
   { "nan-position", "divisions", true, "#define AT / (zero * position.x)", "color = vec4(1);" },
   { "divide", "divisions", true, "", "color = vec4(x / (zero * x));" },
   { "divide-normalize", "divisions", true, "", "color = vec4(normalize(vec3(zero * x)), 1);" },
   { "divide-buffer", "divisions", false, "",
     "w[512u + g * 128u + i] = floatBitsToUint(1.0 / float(w[0]));" },
   { "divide-some", "divisions", true, "", "color = vec4(1.0 / (x - 7.5));" },
   { "infinity-exp", "infinities", true, "", "color = vec4(exp2(200.0 + x));" },
   { "honest-select", "none", true, "",
     "float q = 1.0 / (x - 7.5); color = vec4(x == 7.5 ? 1.0 : q);" },
   { "honest-clamp", "none", true, "", "color = vec4(clamp(1.0 / (x - 7.5), 0.0, 1.0));" },
   { "honest-isnan", "none", true, "", "float q = sqrt(-x); color = vec4(isnan(q) ? 0.5 : q);" },
   { "honest-discard", "none", true, "", "if (x == 7.5) discard; color = vec4(1.0 / (x - 7.5));" },
   { "honest-branch", "none", true, "",
     "color = vec4(0); if (x != 7.5) color = vec4(sin(1.0 / (x - 7.5)));" },
   /* Conversions and shifts. */
   { "convert-large", "conversions", false, "", "w[g * 128u + i] = uint(int(float(i) * 1e9));" },
   { "convert-negative", "conversions", false, "", "w[g * 128u + i] = uint(-2.0 - float(i));" },
   { "convert-nan", "conversions", false, "",
     "w[g * 128u + i] = uint(int(sqrt(-1.0 - float(i))));" },
   { "shift-over", "shifts", false, "", "w[g * 128u + i] = 1u << i;" },
   { "shift-signed", "shifts", false, "", "w[g * 128u + i] = uint(int(g) + 5 >> int(i));" },
   { "honest-convert", "none", false, "",
     "w[g * 128u + i] = i < 2u ? uint(int(float(i) * 1e9)) : 3u;" },
   { "honest-shift", "none", false, "", "w[g * 128u + i] = i < 32u ? 1u << i : 0u;" },
};

enum { HAZARDS = sizeof(hazards) / sizeof(*hazards) };

static void
compute(const struct hazard *h)
{
   char source[2000];
   uint32_t words[WORDS];
   unsigned buffer, program = glCreateProgram();

   snprintf(source, sizeof(source),
            "#version 430\nlayout(local_size_x = 128) in;\n"
            "layout(std430, binding = 0) buffer Words { uint w[]; };\n%s\n"
            "void main() { uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x; %s }\n",
            h->declared, h->body);
   offscreen_attach(program, &(struct offscreen_shader){ GL_COMPUTE_SHADER, source }, 1);
   offscreen_link(program);
   for (unsigned n = 0; n < WORDS; n++)
      words[n] = n;
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(words), words, GL_DYNAMIC_COPY);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glUseProgram(program);
   glDispatchCompute(2, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glFinish();
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

static void
pixels(const struct hazard *h)
{
   char vertex[1000], fragment[2000];
   unsigned program;

   snprintf(vertex, sizeof(vertex),
            "#version 130\nuniform float zero;\n#define AT\n%s%s\nin vec4 position;\n"
            "void main() { gl_Position = vec4(position.xy, 0, 1 AT); }\n",
            *h->declared ? "#undef AT\n" : "", h->declared);
   snprintf(fragment, sizeof(fragment),
            "#version 130\nuniform float zero;\nout vec4 color;\n"
            "void main() { float x = gl_FragCoord.x; %s }\n",
            h->body);
   offscreen_color_target(SIZE, SIZE);
   program = offscreen_program(vertex, fragment);
   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "zero"), 0);
   glRectf(-1, -1, 1, 1);
   glFinish();
   glDeleteProgram(program);
}

int
main(int argc, char **argv)
{
   if (argc == 2 && !strcmp(argv[1], "--list")) {
      for (unsigned n = 0; n < HAZARDS; n++)
         printf("%s %s\n", hazards[n].name, hazards[n].kinds);
      return 0;
   }
   if (!offscreen_open())
      return 1;
   for (int a = 1; a < argc; a++) {
      unsigned n = 0;

      while (n < HAZARDS && strcmp(hazards[n].name, argv[a]))
         n++;
      if (n == HAZARDS) {
         fprintf(stderr, "gl-hazards: there is no '%s'\n", argv[a]);
         return 2;
      }
      if (!hazards[n].pixels && offscreen_version() < 43)
         return TOO_LITTLE;
      (hazards[n].pixels ? pixels : compute)(&hazards[n]);
   }
   offscreen_close();
   return 0;
}
