/* SPDX-License-Identifier: MIT */
/*
 * Sequences of OpenGL's calls: records of eight bytes, each a call with arguments made of it.
 * Objects are a few of each kind, so that what one call makes the next ones use, change and delete.
 *
 * What must hold: as in gl.h; errors of OpenGL's are as good as none.
 */
#include "gl.h"
#include "records.h"

#define MAX_RECORDS 96u
#define OBJECTS     4u
#define MEMORY      (256u * 1024)

static const GLenum formats[] = { GL_RGBA8,
                                  GL_R8,
                                  GL_RG16F,
                                  GL_RGBA32F,
                                  GL_RGB10_A2,
                                  GL_SRGB8_ALPHA8,
                                  GL_R32UI,
                                  GL_RGBA16I,
                                  GL_DEPTH24_STENCIL8,
                                  GL_DEPTH_COMPONENT32F,
                                  GL_R11F_G11F_B10F,
                                  GL_RGB9_E5,
                                  GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
                                  GL_STENCIL_INDEX8,
                                  GL_LUMINANCE8 };
static const GLenum targets[] = { GL_TEXTURE_2D,       GL_TEXTURE_3D,
                                  GL_TEXTURE_CUBE_MAP, GL_TEXTURE_1D,
                                  GL_TEXTURE_2D_ARRAY, GL_TEXTURE_RECTANGLE,
                                  GL_TEXTURE_BUFFER,   GL_TEXTURE_2D_MULTISAMPLE };
static const GLenum buffer_targets[] = { GL_ARRAY_BUFFER,         GL_ELEMENT_ARRAY_BUFFER,
                                         GL_PIXEL_PACK_BUFFER,    GL_PIXEL_UNPACK_BUFFER,
                                         GL_UNIFORM_BUFFER,       GL_SHADER_STORAGE_BUFFER,
                                         GL_DRAW_INDIRECT_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER,
                                         GL_QUERY_BUFFER,         GL_TEXTURE_BUFFER,
                                         GL_COPY_READ_BUFFER };
static const GLenum modes[] = {
   GL_POINTS,  GL_LINES,        GL_LINE_LOOP, GL_TRIANGLES,  GL_QUADS,      GL_TRIANGLE_STRIP,
   GL_PATCHES, GL_TRIANGLE_FAN, GL_POLYGON,   GL_QUAD_STRIP, GL_LINE_STRIP, GL_TRIANGLES_ADJACENCY
};
static const GLenum types[] = { GL_UNSIGNED_BYTE,        GL_FLOAT,       GL_UNSIGNED_SHORT,
                                GL_HALF_FLOAT,           GL_INT,         GL_UNSIGNED_INT_24_8,
                                GL_UNSIGNED_SHORT_5_6_5, GL_UNSIGNED_INT };
static const GLenum layouts[] = { GL_RGBA,         GL_RED, GL_BGRA,          GL_DEPTH_COMPONENT,
                                  GL_RGBA_INTEGER, GL_RGB, GL_DEPTH_STENCIL, GL_LUMINANCE };
static const GLenum caps[] = { GL_BLEND,
                               GL_DEPTH_TEST,
                               GL_STENCIL_TEST,
                               GL_SCISSOR_TEST,
                               GL_CULL_FACE,
                               GL_RASTERIZER_DISCARD,
                               GL_PRIMITIVE_RESTART,
                               GL_MULTISAMPLE,
                               GL_POLYGON_OFFSET_FILL,
                               GL_LOGIC_OP,
                               GL_FRAMEBUFFER_SRGB,
                               GL_CLIP_DISTANCE0,
                               GL_ALPHA_TEST,
                               GL_FOG,
                               GL_LIGHTING,
                               GL_TEXTURE_2D,
                               GL_LINE_SMOOTH,
                               GL_POLYGON_STIPPLE };
static const GLenum parameters[] = { GL_TEXTURE_MIN_FILTER,        GL_TEXTURE_WRAP_S,
                                     GL_TEXTURE_BASE_LEVEL,        GL_TEXTURE_MAX_LEVEL,
                                     GL_TEXTURE_COMPARE_MODE,      GL_TEXTURE_SWIZZLE_R,
                                     GL_TEXTURE_MAX_ANISOTROPY_EXT };
static const GLenum values[] = { GL_NEAREST,
                                 GL_LINEAR_MIPMAP_LINEAR,
                                 GL_CLAMP_TO_BORDER,
                                 GL_REPEAT,
                                 0,
                                 3,
                                 1000,
                                 GL_COMPARE_REF_TO_TEXTURE,
                                 GL_ONE,
                                 GL_MIRRORED_REPEAT };
static const GLenum functions[] = { GL_ONE,           GL_ZERO,       GL_SRC_ALPHA,
                                    GL_DST_COLOR,     GL_SRC1_COLOR, GL_ONE_MINUS_SRC_ALPHA,
                                    GL_CONSTANT_COLOR };
static const GLenum tests[] = { GL_NEVER,   GL_LESS,   GL_ALWAYS,   GL_EQUAL,
                                GL_GREATER, GL_INVERT, GL_INCR_WRAP };
static const GLenum queries[] = { GL_SAMPLES_PASSED, GL_TIME_ELAPSED, GL_PRIMITIVES_GENERATED,
                                  GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, GL_ANY_SAMPLES_PASSED };
#define OF(list, n) list[(n) % (sizeof(list) / sizeof(list[0]))]

static GLuint textures[OBJECTS], buffers[OBJECTS], framebuffers[OBJECTS], query_names[OBJECTS],
   arrays[OBJECTS], programs[2];
static uint8_t *memory;

static const char vertex_source[] =
   "#version 130\nin vec4 a; in vec4 b; uniform mat4 m; out vec4 x; uniform sampler2D s;\n"
   "void main() { x = b + texture(s, a.xy); gl_Position = m * a; gl_PointSize = b.x; }";
static const char fragment_source[] =
   "#version 130\nin vec4 x; uniform sampler2D s; uniform vec4 c;\n"
   "void main() { gl_FragData[0] = texture(s, x.xy) + c; gl_FragData[1] = x; }";

enum {
   TEXTURE,
   IMAGE,
   SUB_IMAGE,
   STORAGE,
   MIPMAPS,
   PARAMETER,
   BUFFER,
   DATA,
   SUB_DATA,
   MAP,
   COPY,
   FRAMEBUFFER,
   ATTACH,
   BLIT,
   CLEAR,
   READ,
   ENABLE,
   DISABLE,
   BLEND,
   DEPTH,
   STENCIL,
   VIEWPORT,
   ATTRIBUTE,
   ARRAY,
   USE,
   UNIFORM,
   DRAW,
   DRAW_ELEMENTS,
   DRAW_INSTANCED,
   DRAW_INDIRECT,
   QUERY,
   RESULT,
   GET_IMAGE,
   COPY_IMAGE,
   IMMEDIATE,
   DELETE,
   FLUSH,
   RANGE,
   KINDS,
};

/* How much a call may ask for: small, but for one time in some. */
static GLsizei
side(uint32_t value)
{
   return (GLsizei)(value % 64 == 63 ? value >> 8 : value % 40);
}

static void
image(struct fuzz_record r, bool whole)
{
   const GLenum target = OF(targets, r.sub), format = OF(formats, r.index);
   const GLenum layout = OF(layouts, r.value >> 16), type = OF(types, r.value >> 20);
   const GLint level = (GLint)(r.index >> 12);
   const GLsizei width = (GLsizei)(r.value % 40), height = (GLsizei)(r.value >> 8 & 31);

   /* From memory of ours, of which there is enough for these; sizes beyond come from no memory. */
   if (whole && target == GL_TEXTURE_2D_MULTISAMPLE)
      glTexImage2DMultisample(target, (GLsizei)(r.value >> 28), format, width, height, GL_TRUE);
   else if (whole && (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY))
      glTexImage3D(target, level, (GLint)format, width, height, 5, 0, layout, type, memory);
   else if (whole && target == GL_TEXTURE_1D)
      glTexImage1D(target, level, (GLint)format, width, 0, layout, type, memory);
   else if (whole && target == GL_TEXTURE_BUFFER)
      glTexBuffer(target, format, OF(buffers, r.value));
   else if (whole)
      glTexImage2D(
         target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + r.value % 6 : target,
         level, (GLint)format, width, height, 0, layout, type, r.value >> 31 ? NULL : memory);
   else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY)
      glTexSubImage3D(target, level, width / 2, 1, 1, width, height, 3, layout, type, memory);
   else
      glTexSubImage2D(target, level, (GLint)(r.value >> 24), -1 + (GLint)(r.value >> 26 & 3), width,
                      height, layout, type, memory);
}

static void
map_buffer(struct fuzz_record r)
{
   const GLenum target = OF(buffer_targets, r.sub);
   const GLintptr from = r.index % 4096;
   const GLsizeiptr length = (GLsizeiptr)(r.value % 8192);
   uint8_t *at = glMapBufferRange(target, from, length, r.value >> 16 & 0xff);

   if (at && r.value >> 16 & GL_MAP_WRITE_BIT && length)
      memset(at, r.sub, (size_t)length);
   if (r.value >> 31)
      glUnmapBuffer(target); /* else it stays mapped */
}

/* Pixels into a buffer, where one is bound, or into memory of ours. */
static void
read_pixels(struct fuzz_record r)
{
   glReadPixels((GLint)(r.value >> 24) - 16, -2, (GLsizei)(r.value % 40),
                (GLsizei)(r.value >> 8 & 31), OF(layouts, r.sub), OF(types, r.index), memory);
}

/* Indices and vertices lie in buffers alone. */
static bool
has_buffer(GLenum binding)
{
   GLint name = 0;

   glGetIntegerv(binding, &name);
   return name != 0;
}

static void
immediate(struct fuzz_record r)
{
   glBegin(OF(modes, r.sub));
   for (unsigned n = 0; n < r.index % 40; n++) {
      glColor4ub((GLubyte)n, r.sub, (GLubyte)r.value, 255);
      glVertex3f((float)(n % 3) - 1, (float)(r.value >> n % 32 & 3) - 1, (float)n / 20);
   }
   glEnd();
}

/* In this profile an array without a buffer is the program's memory, and there is none. */
static void
disable_arrays_without_buffers(void)
{
   for (GLuint n = 0; n < 16; n++) {
      GLint buffer = 0;

      glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
      if (!buffer)
         glDisableVertexAttribArray(n);
   }
}

static void
draw(struct fuzz_record r)
{
   const GLenum mode = OF(modes, r.sub), type = r.sub & 64 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
   const GLsizei count = r.value & 0xf000 ? (GLsizei)(r.value % 64) : (GLsizei)(r.value % 100000);
   const void *at = (const void *)(uintptr_t)(r.index & 0xfff);

   switch (r.kind % KINDS) {
   case DRAW:
      glDrawArrays(mode, r.index % 64, count);
      break;
   case DRAW_ELEMENTS:
      if (has_buffer(GL_ELEMENT_ARRAY_BUFFER_BINDING))
         glDrawElementsBaseVertex(mode, count, type, at, (GLint)(r.value >> 20) - 8);
      break;
   case DRAW_INSTANCED:
      glDrawArraysInstancedBaseInstance(mode, 0, count % 64, (GLsizei)(r.value >> 16 & 0xff),
                                        r.index);
      break;
   default:
      if (has_buffer(GL_DRAW_INDIRECT_BUFFER_BINDING))
         glMultiDrawArraysIndirect(mode, at, r.value & 3, 0);
   }
}

static void
delete_object(struct fuzz_record r)
{
   const unsigned n = r.index % OBJECTS;

   switch (r.sub % 5) {
   case 0:
      glDeleteTextures(1, textures + n);
      glGenTextures(1, textures + n);
      break;
   case 1:
      glDeleteBuffers(1, buffers + n);
      glGenBuffers(1, buffers + n);
      break;
   case 2:
      glDeleteFramebuffers(1, framebuffers + n);
      glGenFramebuffers(1, framebuffers + n);
      break;
   case 3:
      glDeleteVertexArrays(1, arrays + n);
      glGenVertexArrays(1, arrays + n);
      break;
   default:
      glDeleteQueries(1, query_names + n);
      glGenQueries(1, query_names + n);
   }
}

static void
act(struct fuzz_record r)
{
   const GLint small = side(r.value);

   switch (r.kind % KINDS) {
   case TEXTURE:
      glActiveTexture(GL_TEXTURE0 + (r.sub >> 4 & 3));
      glBindTexture(OF(targets, r.sub), textures[r.index % OBJECTS]);
      break;
   case IMAGE:
   case SUB_IMAGE:
      if (!has_buffer(GL_PIXEL_UNPACK_BUFFER_BINDING))
         image(r, r.kind % KINDS == IMAGE);
      break;
   case STORAGE:
      if (r.sub & 1)
         glTexStorage3D(OF(targets, r.sub >> 1), r.value & 7, OF(formats, r.index), small, small,
                        4);
      else
         glTexStorage2D(OF(targets, r.sub >> 1), r.value & 7, OF(formats, r.index), small,
                        side(r.value >> 6));
      break;
   case MIPMAPS:
      glGenerateMipmap(OF(targets, r.sub));
      break;
   case PARAMETER:
      glTexParameteri(OF(targets, r.sub), OF(parameters, r.index), (GLint)OF(values, r.value));
      break;
   case BUFFER:
      glBindBuffer(OF(buffer_targets, r.sub), buffers[r.index % OBJECTS]);
      break;
   case DATA:
      if (r.sub & 128)
         glBufferStorage(OF(buffer_targets, r.sub), r.value % MEMORY, memory, r.index & 0x1ff);
      else
         glBufferData(OF(buffer_targets, r.sub), r.value % MEMORY, memory, GL_DYNAMIC_DRAW);
      break;
   case SUB_DATA:
      glBufferSubData(OF(buffer_targets, r.sub), r.index, r.value % (MEMORY / 2),
                      memory + r.index % 1024);
      break;
   case MAP:
      map_buffer(r);
      break;
   case COPY:
      glCopyBufferSubData(OF(buffer_targets, r.sub), OF(buffer_targets, r.sub >> 4), r.index % 4096,
                          r.index >> 4, r.value % 65536);
      break;
   case FRAMEBUFFER:
      glBindFramebuffer(r.sub & 1 ? GL_READ_FRAMEBUFFER : GL_FRAMEBUFFER,
                        framebuffers[r.index % OBJECTS]);
      break;
   case ATTACH:
      glFramebufferTexture(GL_FRAMEBUFFER,
                           r.sub & 4 ? GL_DEPTH_STENCIL_ATTACHMENT
                                     : GL_COLOR_ATTACHMENT0 + (r.sub & 3),
                           textures[r.index % OBJECTS], (GLint)(r.value % 5));
      break;
   case BLIT:
      glBlitFramebuffer(0, 0, small, side(r.value >> 6), (GLint)r.index % 40, -3,
                        side(r.value >> 12), 9, r.sub & 1 ? GL_COLOR_BUFFER_BIT : r.sub << 8,
                        r.sub & 2 ? GL_LINEAR : GL_NEAREST);
      break;
   case CLEAR:
      glClearColor((float)r.sub, 0.5f, 0, 1);
      glClear(r.index);
      break;
   case READ:
      if (!has_buffer(GL_PIXEL_PACK_BUFFER_BINDING))
         read_pixels(r);
      break;
   case ENABLE:
      glEnable(OF(caps, r.index));
      break;
   case DISABLE:
      glDisable(OF(caps, r.index));
      break;
   case BLEND:
      glBlendFuncSeparate(OF(functions, r.sub), OF(functions, r.index), OF(functions, r.value),
                          GL_ONE);
      glColorMask(r.value >> 8 & 1, 1, r.value >> 9 & 1, 1);
      break;
   case DEPTH:
      glDepthFunc(OF(tests, r.sub));
      glDepthMask(r.index & 1);
      glDepthRange((double)r.sub / 64, 1);
      break;
   case STENCIL:
      glStencilFuncSeparate(GL_FRONT, OF(tests, r.sub), (GLint)r.value, r.index);
      glStencilOp(OF(tests, r.value), GL_KEEP, OF(tests, r.index));
      break;
   case VIEWPORT:
      glViewport((GLint)r.sub - 128, 0, (GLsizei)(r.value & 0xffff), r.index);
      glScissor(r.sub & 7, 0, small, r.index & 63);
      break;
   case ATTRIBUTE:
      if (has_buffer(GL_ARRAY_BUFFER_BINDING)) {
         glVertexAttribPointer(r.sub % 16, (GLint)(r.value & 7), OF(types, r.value >> 3),
                               r.value >> 8 & 1, (GLsizei)(r.value >> 16 & 255),
                               (const void *)(uintptr_t)r.index);
         glEnableVertexAttribArray(r.sub % 16);
         glVertexAttribDivisor(r.sub % 16, r.value >> 24 & 3);
      }
      break;
   case ARRAY:
      glBindVertexArray(arrays[r.index % OBJECTS]);
      break;
   case USE:
      glUseProgram(r.sub & 1 ? programs[0] : 0);
      break;
   case UNIFORM:
      glUniform4f((GLint)r.index % 8, (float)r.value, -1, 0, (float)r.sub);
      break;
   case DRAW:
   case DRAW_ELEMENTS:
   case DRAW_INSTANCED:
   case DRAW_INDIRECT:
      disable_arrays_without_buffers();
      draw(r);
      break;
   case QUERY:
      if (r.sub & 16)
         glEndQuery(OF(queries, r.sub & 7));
      else
         glBeginQuery(OF(queries, r.sub & 7), query_names[r.index % OBJECTS]);
      break;
   case RESULT:
      if (!has_buffer(GL_QUERY_BUFFER_BINDING)) {
         GLuint64 result;
         glGetQueryObjectui64v(query_names[r.index % OBJECTS], GL_QUERY_RESULT, &result);
      }
      break;
   case GET_IMAGE:
      if (!has_buffer(GL_PIXEL_PACK_BUFFER_BINDING))
         glGetnTexImage(OF(targets, r.sub), (GLint)(r.value & 7), OF(layouts, r.index),
                        OF(types, r.value >> 3), MEMORY, memory);
      break;
   case COPY_IMAGE:
      glCopyImageSubData(textures[r.sub & 3], OF(targets, r.sub >> 2), (GLint)(r.index & 3), 0, 0,
                         0, textures[r.sub >> 5 & 3], OF(targets, r.index >> 2), 0, 1, 1, 0, small,
                         side(r.value >> 6), 1 + (r.sub >> 7));
      break;
   case IMMEDIATE:
      disable_arrays_without_buffers();
      immediate(r);
      break;
   case DELETE:
      delete_object(r);
      break;
   case FLUSH:
      if (r.sub & 1)
         glFinish();
      else
         glFlush();
      break;
   default:
      glBindBufferRange(r.sub & 1 ? GL_UNIFORM_BUFFER : GL_SHADER_STORAGE_BUFFER, r.sub >> 1 & 7,
                        buffers[r.index % OBJECTS], r.value & 0xff00, r.value >> 16);
   }
}

FUZZ_ENTRY(gl_calls)
{
   if (size > MAX_RECORDS * 8)
      return 0;
   if (!memory)
      memory = malloc(MEMORY);
   FUZZ_CHECK(memory);
   for (unsigned n = 0; n < MEMORY; n++)
      memory[n] = (uint8_t)(n * 7 + n / 256);
   fuzz_gl_begin();
   glGenTextures(OBJECTS, textures);
   glGenBuffers(OBJECTS, buffers);
   glGenFramebuffers(OBJECTS, framebuffers);
   glGenQueries(OBJECTS, query_names);
   glGenVertexArrays(OBJECTS, arrays);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   programs[0] = fuzz_gl_program(vertex_source, fragment_source);
   FUZZ_CHECK(programs[0]);
   for (size_t n = 0; n < size / 8; n++)
      act(fuzz_record(data, n));
   glUseProgram(programs[0]);
   glFinish();
   fuzz_gl_end();
   return 0;
}

FUZZ_RECORDS(KINDS)
