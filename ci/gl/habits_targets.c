/* SPDX-License-Identifier: MIT */
/*
 * Tasks of gl-habits that are about what is drawn to and copied: framebuffers of every kind,
 * samples, copies between textures, read-back and uploads, mipmaps.
 */
#include "habits.h"

#include <EGL/egl.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = HABIT_SIDE * HABIT_SIDE * 4 };

static unsigned names[8], framebuffers[8], programs[4], target;
static uint8_t *memory;

static const char image_fragment[] = "#version 330\n"
                                     "in vec2 uv; out vec4 o; uniform sampler2D image;\n"
                                     "void main() { o = texture(image, uv); }\n";

static const char pattern_fragment[] =
   "#version 330\nin vec2 uv; out vec4 o;\n"
   "void main() { o = vec4(uv, fract(uv.x * 9.0 + uv.y * 5.0), 1.0); }\n";

static const char bright_fragment[] =
   "#version 330\nin vec2 uv; out vec4 o;\n"
   "void main() { o = vec4(uv * 3.0, fract(uv.x * 9.0) + 0.5, 0.5); }\n";

static const char sample_fragment[] =
   "#version 400\nin vec2 uv; out vec4 o;\n"
   "void main() { o = vec4(fract(uv * 50.0), float(gl_SampleID) / 4.0, 1.0); }\n";

static void
bound_target(void)
{
   int bound;

   glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
   target = (unsigned)bound;
}

/* A picture in the target, and memory of its size. */
static void
start_picture(void)
{
   bound_target();
   memory = realloc(memory, BYTES);
   if (!memory)
      memory = habit_alloc(BYTES);
   for (int i = 0; i < BYTES; i++)
      memory[i] = (uint8_t)habit_noise();
   programs[0] = habit_program(NULL, pattern_fragment);
   programs[1] = habit_program(NULL, image_fragment);
   glUseProgram(programs[0]);
}

/* Samples. */
static void
start_samples(void)
{
   start_picture();
   if (habit->body)
      habit_program(NULL, habit->body);
   glGenFramebuffers(1, framebuffers);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glGenRenderbuffers(2, names);
   glBindRenderbuffer(GL_RENDERBUFFER, names[0]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, HABIT_SIDE, HABIT_SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, HABIT_SIDE,
                                    HABIT_SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                             names[1]);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   if (habit->size) {
      glEnable(GL_SAMPLE_SHADING);
      glMinSampleShading(1);
   }
}

static void
resolve(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   habit_quad();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
   glBlitFramebuffer(0, 0, HABIT_SIDE, HABIT_SIDE, 0, 0, HABIT_SIDE, HABIT_SIDE,
                     GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
}

/* Blits: from a target with a texture, drawn once. */
static void
start_blit(void)
{
   start_picture();
   names[0] = habit_texture_target(GL_RGBA8, HABIT_SIDE, &framebuffers[0]);
   habit_quad();
   glBindFramebuffer(GL_FRAMEBUFFER, target);
}

static void
blit(int side, GLenum filter)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
   for (int i = 0; i < habit->count; i++)
      glBlitFramebuffer(0, 0, HABIT_SIDE, HABIT_SIDE, 0, 0, side, side, GL_COLOR_BUFFER_BIT,
                        filter);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
}

static void
blit_copy(void)
{
   blit(HABIT_SIDE, GL_NEAREST);
}

static void
blit_scaled(void)
{
   blit(HABIT_SIDE * 3 / 4, GL_LINEAR);
}

static void
blit_small(void)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
   for (int i = 0; i < habit->count; i++) {
      int x = i % 16 * 32, y = i / 16 % 16 * 32;

      glBlitFramebuffer(x, y, x + 16, y + 16, y, x, y + 16, x + 16, GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
   }
   glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
}

/* Copies from the target into a texture, which is then drawn. */
static void
start_copy(void)
{
   start_picture();
   habit_quad();
   names[0] = habit_texture(GL_TEXTURE_2D, 0, HABIT_SIDE, 1);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glUseProgram(programs[1]);
}

static void
draw_copied(void)
{
   glViewport(0, 0, 64, 64);
   habit_quad();
   glViewport(0, 0, HABIT_SIDE, HABIT_SIDE);
}

static void
copy_image(int i)
{
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, HABIT_SIDE, HABIT_SIDE, 0);
   draw_copied();
}

static void
copy_sub_image(int i)
{
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, HABIT_SIDE, HABIT_SIDE);
   draw_copied();
}

static void
copy_small(int i)
{
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, i * 8 % 480, 16, 7, i * 4 % 480, 32, 32);
   draw_copied();
}

static void
start_copy_textures(void)
{
   start_copy();
   names[1] = habit_texture(GL_TEXTURE_2D, 0, HABIT_SIDE, 1);
}

static void
copy_textures(int i)
{
   glCopyImageSubData(names[0], GL_TEXTURE_2D, 0, 0, 0, 0, names[1], GL_TEXTURE_2D, 0, 0, 0, 0,
                      HABIT_SIDE, HABIT_SIDE, 1);
   draw_copied();
}

/* Reading back. */
static void
start_read(void)
{
   start_picture();
   if (habit->body) {
      glGenBuffers(1, &names[1]);
      glBindBuffer(GL_PIXEL_PACK_BUFFER, names[1]);
      glBufferData(GL_PIXEL_PACK_BUFFER, BYTES, NULL, GL_STREAM_READ);
      glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   }
}

static void
read_pixels(void)
{
   habit_quad();
   glReadPixels(0, 0, HABIT_SIDE, HABIT_SIDE, (GLenum)habit->size, GL_UNSIGNED_BYTE, memory);
}

static void
read_floats(void)
{
   habit_quad();
   glReadPixels(0, 0, HABIT_SIDE, HABIT_SIDE / 4, GL_RGBA, GL_FLOAT, memory);
}

static void
read_by_buffer(void)
{
   const void *mapped;

   habit_quad();
   glBindBuffer(GL_PIXEL_PACK_BUFFER, names[1]);
   glReadPixels(0, 0, HABIT_SIDE, HABIT_SIDE, (GLenum)habit->size, GL_UNSIGNED_BYTE, NULL);
   mapped = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, BYTES, GL_MAP_READ_BIT);
   memcpy(memory, mapped, BYTES);
   glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static void
read_small(int i)
{
   habit_quad();
   glReadPixels(i * 8, 9, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, memory);
}

static void
read_depth(void)
{
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   habit_quad();
   glReadPixels(0, 0, HABIT_SIDE, HABIT_SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, memory);
}

static void
sum_read(double sums[static HABIT_SUMS])
{
   enum { PART = BYTES / 4 };

   for (int i = 0; i < 4; i++) {
      sums[i] = 0;
      for (int at = 0; at < PART; at++)
         sums[i] += (double)memory[i * PART + at] / PART;
   }
}

static void
get_texture(void)
{
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, memory);
}

static void
start_get(void)
{
   start_copy();
   memset(memory, 0, BYTES);
}

/* Uploads. */
static void
start_upload(void)
{
   start_copy();
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
   if (habit->body) {
      glGenBuffers(1, &names[1]);
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, names[1]);
      glBufferData(GL_PIXEL_UNPACK_BUFFER, BYTES, memory, GL_STREAM_DRAW);
   }
}

static void
upload(void)
{
   const GLenum type = (GLenum)habit->size;

   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, HABIT_SIDE, HABIT_SIDE,
                   type == GL_UNSIGNED_BYTE ? GL_BGRA : GL_RGBA, type, memory);
   draw_copied();
}

static void
upload_by_buffer(void)
{
   glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, BYTES, memory);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, HABIT_SIDE, HABIT_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   draw_copied();
}

static void
upload_small(int i)
{
   glTexSubImage2D(GL_TEXTURE_2D, 0, i % 16 * 32, i / 16 % 16 * 32, 24, 24, GL_RGBA,
                   GL_UNSIGNED_BYTE, memory + i * 64);
   draw_copied();
}

static void
upload_blocks(void)
{
   glCompressedTexImage2D(GL_TEXTURE_2D, 0, (GLenum)habit->count, HABIT_SIDE, HABIT_SIDE, 0,
                          HABIT_SIDE * HABIT_SIDE, memory);
   habit_quad();
}

static void
make_mipmaps(void)
{
   for (int i = 0; i < habit->count; i++) {
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, memory + i * 4096);
      glGenerateMipmap(GL_TEXTURE_2D);
   }
   draw_copied();
}

static void
start_mipmaps(void)
{
   start_copy();
   if (habit->size)
      glTexImage2D(GL_TEXTURE_2D, 0, habit->size, HABIT_SIDE, HABIT_SIDE, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, memory);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

/* Targets that are textures of `size`, and what reads them afterwards. */
static void
start_passes(void)
{
   start_picture();
   if (habit->body)
      programs[0] = habit_program(NULL, habit->body);
   for (unsigned i = 0; i < 2; i++) {
      names[i] = habit_texture_target((GLenum)habit->size, HABIT_SIDE, &framebuffers[i]);
      glClear(GL_COLOR_BUFFER_BIT);
   }
   glBindFramebuffer(GL_FRAMEBUFFER, target);
}

static void
draw_passes(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glUseProgram(programs[0]);
   habit_quad();
   glUseProgram(programs[1]);
   for (int i = 0; i < habit->count; i++) {
      glBindTexture(GL_TEXTURE_2D, names[i & 1]);
      glBindFramebuffer(GL_FRAMEBUFFER, i + 1 < habit->count ? framebuffers[~i & 1] : target);
      habit_quad();
   }
}

static void
draw_blended_passes(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glUseProgram(programs[0]);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
   for (int i = 0; i < habit->count; i++)
      habit_quad();
   glDisable(GL_BLEND);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glUseProgram(programs[1]);
   glBindTexture(GL_TEXTURE_2D, names[0]);
   habit_quad();
}

/* Several colours at once, and a pass that reads them all. */
static void
start_deferred(void)
{
   static const GLenum attachments[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                         GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3 };
   static const GLenum internals[] = { GL_RGBA8, GL_RGBA16F, GL_RGB10_A2, GL_R32F };

   start_picture();
   programs[0] = habit_program(
      NULL, "#version 330\nin vec2 uv; layout(location = 0) out vec4 a; layout(location = 1) out "
            "vec4 b;\n"
            "layout(location = 2) out vec4 c; layout(location = 3) out vec4 d;\n"
            "void main() { a = vec4(uv, 0.5, 1.0); b = vec4(normalize(vec3(uv - 0.5, 0.7)), 0.0);\n"
            "   c = vec4(fract(uv * 7.0), 0.2, 1.0); d = vec4(uv.x * uv.y); }\n");
   programs[2] = habit_program(
      NULL, "#version 330\nin vec2 uv; out vec4 o; uniform sampler2D g[4];\n"
            "void main() { vec3 n = normalize(texture(g[1], uv).xyz); vec4 c = texture(g[0], uv);\n"
            "   vec3 p = vec3(uv, texture(g[3], uv).x); o = vec4(0.0);\n"
            "   for (int i = 0; i < 8; i++) { vec3 l = normalize(vec3(i & 1, i >> 1 & 1, i >> 2) * "
            "2.0 - p);\n"
            "      o += c * max(dot(n, l), 0.0) * 0.2; }\n"
            "   o += texture(g[2], uv) * 0.1; }\n");
   glUniform1iv(habit_uniform("g"), 4, (const int[4]){ 0, 1, 2, 3 });
   glGenFramebuffers(1, framebuffers);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glGenTextures(4, names);
   for (unsigned i = 0; i < 4; i++) {
      glActiveTexture(GL_TEXTURE0 + i);
      glBindTexture(GL_TEXTURE_2D, names[i]);
      glTexStorage2D(GL_TEXTURE_2D, 1, internals[i], HABIT_SIDE, HABIT_SIDE);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glFramebufferTexture2D(GL_FRAMEBUFFER, attachments[i], GL_TEXTURE_2D, names[i], 0);
   }
   glActiveTexture(GL_TEXTURE0);
   glDrawBuffers(4, attachments);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
}

static void
draw_deferred(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glUseProgram(programs[0]);
   habit_quad();
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glUseProgram(programs[2]);
   habit_quad();
}

/* A depth texture drawn to, then compared with. */
static void
start_shadow_map(void)
{
   start_picture();
   programs[0] = habit_program(
      "#version 330\nvoid main() { int n = gl_VertexID / 3, k = gl_VertexID % 3;\n"
      "   gl_Position = vec4(vec2(n % 32 + (k & 1), n / 32 + (k >> 1)) / 16.0 - 1.0,\n"
      "      fract(float(n) * 0.37), 1.0); }\n",
      "#version 330\nvoid main() { }\n");
   programs[1] = habit_program(
      NULL, "#version 330\nin vec2 uv; out vec4 o; uniform sampler2DShadow image; void main() {\n"
            "   float s = 0.0; for (int i = 0; i < 4; i++)\n"
            "      s += texture(image, vec3(uv + vec2(i & 1, i >> 1) / 512.0, 0.6)) * 0.25;\n"
            "   o = vec4(s, uv * s, 1.0); }\n");
   glGenTextures(1, names);
   glBindTexture(GL_TEXTURE_2D, names[0]);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, HABIT_SIDE, HABIT_SIDE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glGenFramebuffers(1, framebuffers);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, names[0], 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
}

static void
draw_shadow_map(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glEnable(GL_DEPTH_TEST);
   glClear(GL_DEPTH_BUFFER_BIT);
   glUseProgram(programs[0]);
   glDrawArrays(GL_TRIANGLES, 0, 3072);
   glDisable(GL_DEPTH_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glUseProgram(programs[1]);
   habit_quad();
}

/* Faces of a cube, one after the other, and the cube looked up. */
static void
start_cube(void)
{
   start_picture();
   programs[1] = habit_program(
      NULL, "#version 330\nin vec2 uv; out vec4 o; uniform samplerCube image;\n"
            "void main() { o = texture(image, vec3(uv * 2.0 - 1.0, sin(uv.x * 9.0))); }\n");
   glGenTextures(1, names);
   glBindTexture(GL_TEXTURE_CUBE_MAP, names[0]);
   glTexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 128, 128);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glGenFramebuffers(1, framebuffers);
}

static void
draw_cube(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glViewport(0, 0, 128, 128);
   glUseProgram(programs[0]);
   for (unsigned i = 0; i < 6; i++) {
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, names[0], 0);
      habit_quad();
   }
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glViewport(0, 0, HABIT_SIDE, HABIT_SIDE);
   glUseProgram(programs[1]);
   habit_quad();
}

/* Clears of parts. */
static void
clear_parts(void)
{
   glEnable(GL_SCISSOR_TEST);
   for (int i = 0; i < habit->count; i++) {
      glScissor(i % 16 * 32, i / 16 % 16 * 32, 30, 30);
      glClearColor((float)(i % 16) / 16, 0.5f, 0.25f, 1);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   }
   glDisable(GL_SCISSOR_TEST);
}

static void
clear_all(int i)
{
   glClearColor((float)(i + 1) / 16, 0.5f, 0.25f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(i, 0, 4, 4);
   habit_quad();
   glDisable(GL_SCISSOR_TEST);
}

/* Copies and fills of buffers. */
static void
start_buffers(void)
{
   names[0] = habit_floats(GL_COPY_READ_BUFFER, 1 << 18);
   names[1] = habit_floats(GL_COPY_WRITE_BUFFER, 1 << 18);
}

static void
copy_buffers(int i)
{
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 1 << 20);
}

static void
fill_buffers(void)
{
   const float value = 0.25f;

   for (int i = 0; i < habit->count; i++)
      glClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R32F, 0, 1 << 19, GL_RED, GL_FLOAT, &value);
}

static void
sum_buffer(double sums[static HABIT_SUMS])
{
   float *values = habit_alloc(1 << 20);

   glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, 1 << 20, values);
   habit_sum_floats(sums, values, 1 << 18, 1000);
   free(values);
}

/* A buffer with memory for some of its pages, which change. */
static PFNGLBUFFERPAGECOMMITMENTARBPROC commit;

static void
start_sparse(void)
{
   int page = 65536;

   commit = (PFNGLBUFFERPAGECOMMITMENTARBPROC)eglGetProcAddress("glBufferPageCommitmentARB");
   start_picture();
   programs[0] = habit_program(
      NULL,
      "#version 430\nin vec2 uv; out vec4 o; layout(std430, binding = 0) buffer A { float a[]; };\n"
      "void main() { ivec2 q = ivec2(gl_FragCoord.xy); o = vec4(a[q.x * 64 + q.y], uv, 1.0); }\n");
   glGenBuffers(1, names);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, names[0]);
   glBufferStorage(GL_SHADER_STORAGE_BUFFER, 64 * page, NULL,
                   GL_DYNAMIC_STORAGE_BIT | GL_SPARSE_STORAGE_BIT_ARB);
   commit(GL_SHADER_STORAGE_BUFFER, 0, 8 * page, GL_TRUE);
   glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 8 * page, memory);
}

static void
draw_sparse(int i)
{
   commit(GL_SHADER_STORAGE_BUFFER, (8 + i) * 65536, 65536, GL_TRUE);
   habit_quad();
   commit(GL_SHADER_STORAGE_BUFFER, (8 + i) * 65536, 65536, GL_FALSE);
}

const struct habit habits_targets[] = {
   { "samples-resolve", 33, start_samples, resolve },
   { "samples-shaded", 40, start_samples, resolve, .size = 1, .body = sample_fragment },
   { "blit", 33, start_blit, blit_copy, .count = 4 },
   { "blit-scaled", 33, start_blit, blit_scaled, .count = 2 },
   { "blit-small", 33, start_blit, blit_small, .count = 256 },
   { "copy-tex-image", 33, start_copy, .each = copy_image, .count = 4 },
   { "copy-tex-sub-image", 33, start_copy, .each = copy_sub_image, .count = 4 },
   { "copy-tex-small", 33, start_copy, .each = copy_small, .count = 200 },
   { "copy-textures", 43, start_copy_textures, .each = copy_textures, .count = 4 },
   { "read-rgba", 33, start_read, read_pixels, .sum = sum_read, .size = GL_RGBA },
   { "read-bgra", 33, start_read, read_pixels, .sum = sum_read, .size = GL_BGRA },
   { "read-rgb", 33, start_read, read_pixels, .sum = sum_read, .size = GL_RGB },
   { "read-floats", 33, start_read, read_floats, .sum = sum_read, .size = GL_RGBA },
   { "read-depth", 33, start_read, read_depth, .sum = sum_read },
   { "read-single-pixels", 33, start_read, .each = read_small, .count = 50 },
   { "read-by-buffer", 33, start_read, read_by_buffer, .sum = sum_read, .size = GL_BGRA,
     .body = "" },
   { "get-tex-image", 33, start_get, get_texture, .sum = sum_read },
   { "upload-bgra", 33, start_upload, upload, .size = GL_UNSIGNED_BYTE },
   { "upload-shorts", 33, start_upload, upload, .size = GL_UNSIGNED_SHORT_5_5_5_1 },
   { "upload-small", 33, start_upload, .each = upload_small, .count = 256 },
   { "upload-by-buffer", 33, start_upload, upload_by_buffer, .size = GL_UNSIGNED_BYTE, .body = "" },
   { "upload-bc3", 33, start_upload, upload_blocks, .count = 0x83f3 },
   { "upload-bc7", 42, start_upload, upload_blocks, .count = GL_COMPRESSED_RGBA_BPTC_UNORM },
   { "mipmaps", 33, start_mipmaps, make_mipmaps, .count = 2 },
   { "mipmaps-srgb", 33, start_mipmaps, make_mipmaps, .count = 2, .size = GL_SRGB8_ALPHA8 },
   { "mipmaps-floats", 33, start_mipmaps, make_mipmaps, .count = 2, .size = GL_RGBA16F },
   { "passes-rgba8", 33, start_passes, draw_passes, .count = 6, .size = GL_RGBA8 },
   { "passes-rgba16f", 33, start_passes, draw_passes, .count = 6, .size = GL_RGBA16F,
     .body = bright_fragment },
   { "passes-rgba32f", 33, start_passes, draw_passes, .count = 6, .size = GL_RGBA32F,
     .body = bright_fragment },
   { "passes-r11g11b10f", 33, start_passes, draw_passes, .count = 6, .size = GL_R11F_G11F_B10F,
     .body = bright_fragment },
   { "blend-rgba16f", 33, start_passes, draw_blended_passes, .count = 4, .size = GL_RGBA16F,
     .body = bright_fragment },
   { "blend-rgba32f", 33, start_passes, draw_blended_passes, .count = 4, .size = GL_RGBA32F,
     .body = bright_fragment },
   { "blend-srgb", 33, start_passes, draw_blended_passes, .count = 4, .size = GL_SRGB8_ALPHA8 },
   { "deferred-shading", 33, start_deferred, draw_deferred },
   { "shadow-map", 33, start_shadow_map, draw_shadow_map },
   { "cube-target", 33, start_cube, draw_cube },
   { "clear-parts", 33, start_picture, clear_parts, .count = 512 },
   { "clears", 33, start_picture, .each = clear_all, .count = 8 },
   { "copy-buffers", 33, start_buffers, .each = copy_buffers, .sum = sum_buffer, .count = 8 },
   { "fill-buffers", 43, start_buffers, fill_buffers, .sum = sum_buffer, .count = 8 },
   { "sparse-buffer", 45, start_sparse, .each = draw_sparse, .count = 4,
     .extension = "GL_ARB_sparse_buffer" },
   { 0 },
};
