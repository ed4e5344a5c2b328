/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V modules: the good one of ci/gl/spirv_module.h, changed.  Records of eight bytes:
 *
 *    kind 0   the dword at `index` becomes the value
 *    kind 1   that of another dword of the module
 *    kind 2   the module ends there
 *    kind 3   the dwords from `index` on move up, and the value comes between
 *
 * What must hold: OpenGL refuses the module with an error, or it is dispatched and ends.
 */
#include "gl.h"
#include "records.h"

#include <EGL/egl.h>

#include "../../ci/gl/spirv_module.h"

#define WORDS     (sizeof(good) / sizeof(good[0]))
#define MAX_WORDS (2 * WORDS)
#define RESULTS   8

static void
run(const uint32_t *words, size_t count)
{
   static const GLuint number = 7, value = 6;
   static PFNGLSPECIALIZESHADERPROC specialize;
   const unsigned shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
   unsigned buffer;
   uint32_t results[RESULTS];
   int ok = 0;

   if (!specialize)
      specialize = (PFNGLSPECIALIZESHADERPROC)eglGetProcAddress("glSpecializeShader");
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(results), NULL, GL_DYNAMIC_COPY);
   glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V, words, (GLsizei)(count * 4));
   specialize(shader, "main", 1, &number, &value);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   FUZZ_CHECK(ok || glGetError() != GL_NO_ERROR);
   if (ok) {
      glAttachShader(program, shader);
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
   }
   if (ok) {
      glUseProgram(program);
      glDispatchCompute(RESULTS, 1, 1);
      glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
      glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(results), results);
   }
   glDeleteShader(shader);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
}

FUZZ_ENTRY(gl_spirv)
{
   size_t count = WORDS;

   if (size > 64 * 8)
      return 0;
   uint32_t *words = malloc(MAX_WORDS * sizeof(*words));
   FUZZ_CHECK(words);
   memcpy(words, good, sizeof(good));
   for (size_t n = 0; n < size / 8; n++) {
      const struct fuzz_record r = fuzz_record(data, n);
      const size_t at = count ? r.index % count : 0;

      switch (count ? r.kind % 4 : 2) {
      case 0:
         words[at] = r.value;
         break;
      case 1:
         words[at] = words[r.value % count];
         break;
      case 2:
         count = at;
         break;
      default:
         if (count == MAX_WORDS)
            break;
         memmove(words + at + 1, words + at, (count - at) * sizeof(*words));
         words[at] = r.value;
         count++;
      }
   }
   /* Where it lies, nothing follows. */
   uint32_t *module = malloc(count ? count * sizeof(*module) : 1);
   FUZZ_CHECK(module);
   memcpy(module, words, count * sizeof(*module));
   free(words);
   fuzz_gl_begin();
   run(module, count);
   fuzz_gl_end();
   free(module);
   return 0;
}

FUZZ_RECORDS(4)
