/* SPDX-License-Identifier: MIT */
/* What a program does that opens a render node itself, through GBM.
 *
 *    gl-node shaders   compiles programs in two threads at once, a context each, as shader-db's run
 *                      does, and reads each stage's statistics through KHR_debug
 *    gl-node share     draws into a GBM buffer through its dma-buf; another GBM device of the same
 *                      node imports the dma-buf and reads the pixels
 *    gl-node given     the same by a program that was given the open node: itself, started anew
 *    gl-node same      the same between two GBM devices of one descriptor and of a copy of it, both
 *                      ways; then the first one goes, and the second still reads
 *
 * libgbm is loaded by name: its header is not needed for nine functions. */
#define GL_GLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODE        "/dev/dri/renderD128"
#define ARGB8888    0x34325241u /* DRM fourcc AR24 */
#define USE_DRAW    (1u << 2)
#define USE_LINEAR  (1u << 4)
#define MAP_READ    1u
#define IMPORT_FD   0x5503u
#define SIZE        64
#define COLOR_BYTES 0xFF4080BFu /* what the colour below is in ARGB8888 */

struct gbm_device;
struct gbm_bo;
struct import_fd {
   int fd;
   uint32_t width, height, stride, format;
};

static struct {
   struct gbm_device *(*create_device)(int fd);
   struct gbm_bo *(*bo_create)(struct gbm_device *gbm, uint32_t width, uint32_t height,
                               uint32_t format, uint32_t flags);
   struct gbm_bo *(*bo_import)(struct gbm_device *gbm, uint32_t type, void *buffer, uint32_t flags);
   int (*bo_get_fd)(struct gbm_bo *bo);
   uint32_t (*bo_get_stride)(struct gbm_bo *bo);
   void *(*bo_map)(struct gbm_bo *bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                   uint32_t flags, uint32_t *stride, void **data);
   void (*bo_unmap)(struct gbm_bo *bo, void *data);
   void (*bo_destroy)(struct gbm_bo *bo);
   void (*device_destroy)(struct gbm_device *gbm);
} gbm;

static EGLDisplay display;

static void
need(bool ok, const char *what)
{
   if (ok)
      return;
   fprintf(stderr, "gl-node: %s failed (EGL error 0x%x)\n", what, eglGetError());
   exit(1);
}

static void
load_gbm(void)
{
   static const char *const names[] = { "gbm_create_device", "gbm_bo_create",
                                        "gbm_bo_import",     "gbm_bo_get_fd",
                                        "gbm_bo_get_stride", "gbm_bo_map",
                                        "gbm_bo_unmap",      "gbm_bo_destroy",
                                        "gbm_device_destroy" };
   void *library = dlopen("libgbm.so.1", RTLD_NOW), **slot = (void **)&gbm;
   need(library != NULL, "loading libgbm.so.1");
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      slot[i] = dlsym(library, names[i]);
      need(slot[i] != NULL, names[i]);
   }
}

static int
open_node(void)
{
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   need(fd >= 0, "opening " NODE);
   return fd;
}

static struct gbm_device *
create_device(int fd)
{
   struct gbm_device *device = gbm.create_device(fd);
   need(device != NULL, "gbm_create_device");
   return device;
}

static EGLContext
make_context(void)
{
   static const EGLint core[] = { EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  2,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE };
   need(eglBindAPI(EGL_OPENGL_API), "eglBindAPI");
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, core);
   need(context != EGL_NO_CONTEXT, "an OpenGL 3.2 core context");
   need(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "eglMakeCurrent");
   return context;
}

/* ---- Statistics ---- */

struct seen {
   unsigned vs, gs, fs, other;
};

static void APIENTRY
message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
        const void *data)
{
   struct seen *seen = (struct seen *)data;
   char stage[4] = "";
   int n[6], end = 0;
   /* shader-db's run asserts all three, and its report parses the line. */
   if (source != GL_DEBUG_SOURCE_SHADER_COMPILER || type != GL_DEBUG_TYPE_OTHER ||
       severity != GL_DEBUG_SEVERITY_NOTIFICATION ||
       sscanf(text, "%3[A-Z] shader: %d dw, %d gprs, %d alu_groups, %d loops, %d cf, %d stack%n",
              stage, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &end) != 7 ||
       text[end] || n[0] <= 0 || n[4] <= 0)
      seen->other++;
   else if (!strcmp(stage, "VS"))
      seen->vs++;
   else if (!strcmp(stage, "GS"))
      seen->gs++;
   else if (!strcmp(stage, "FS"))
      seen->fs++;
   else
      seen->other++;
   if (seen->other)
      fprintf(stderr, "gl-node: message: %s\n", text);
}

static unsigned
stage(GLenum type, const char *format, unsigned number)
{
   char text[512];
   const char *source = text;
   GLint ok = 0;
   snprintf(text, sizeof(text), format, number);
   unsigned shader = glCreateShader(type);
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[1024];
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fprintf(stderr, "gl-node: %s\n", log);
      exit(1);
   }
   return shader;
}

static void *
compile(void *data)
{
   static const char vs[] = "#version 150\n in vec4 p; out vec4 c;\n"
                            "void main() { gl_Position = p * %u.5; c = p.yxwz; }";
   static const char gs[] =
      "#version 150\n layout(triangles) in;\n"
      "layout(triangle_strip, max_vertices = 3) out;\n"
      "in vec4 c[]; out vec4 d;\n"
      "void main() { for (int i = 0; i < 3; i++) {\n"
      "gl_Position = gl_in[i].gl_Position; d = c[i] + %u.0; EmitVertex(); } }";
   static const char fs[] = "#version 150\n in vec4 %s; out vec4 color;\n"
                            "void main() { color = sin(%s) * %%u.25; }";
   struct seen *seen = data;
   make_context();
   glEnable(GL_DEBUG_OUTPUT);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_FALSE);
   glDebugMessageControl(GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_OTHER,
                         GL_DEBUG_SEVERITY_NOTIFICATION, 0, NULL, GL_TRUE);
   glDebugMessageCallback(message, seen);
   for (unsigned i = 0; i < 16; i++) {
      char fs_text[512];
      bool with_gs = i & 1;
      snprintf(fs_text, sizeof(fs_text), fs, with_gs ? "d" : "c", with_gs ? "d" : "c");
      unsigned program = glCreateProgram();
      GLint ok = 0;
      glAttachShader(program, stage(GL_VERTEX_SHADER, vs, i));
      if (with_gs)
         glAttachShader(program, stage(GL_GEOMETRY_SHADER, gs, i));
      glAttachShader(program, stage(GL_FRAGMENT_SHADER, fs_text, i));
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
      need(ok, "glLinkProgram");
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

static int
shaders(void)
{
   struct seen seen[2] = { { 0 } };
   pthread_t thread[2];
   for (unsigned i = 0; i < 2; i++)
      need(!pthread_create(&thread[i], NULL, compile, &seen[i]), "pthread_create");
   for (unsigned i = 0; i < 2; i++) {
      pthread_join(thread[i], NULL);
      printf("thread %u: %u VS, %u GS, %u FS, %u other messages\n", i, seen[i].vs, seen[i].gs,
             seen[i].fs, seen[i].other);
      if (seen[i].vs < 16 || seen[i].gs < 8 || seen[i].fs < 16 || seen[i].other)
         return 1;
   }
   return 0;
}

/* ---- Sharing ---- */

/* Exits unless all pixels are of the colour. */
static void
check(struct gbm_bo *bo)
{
   uint32_t stride = 0;
   void *data = NULL;
   const char *map = gbm.bo_map(bo, 0, 0, SIZE, SIZE, MAP_READ, &stride, &data);
   need(map != NULL, "gbm_bo_map");
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         uint32_t pixel;
         memcpy(&pixel, map + (size_t)y * stride + 4 * x, 4);
         if (pixel != COLOR_BYTES) {
            fprintf(stderr, "gl-node: pixel %u, %u is %08x, not %08x\n", x, y, pixel, COLOR_BYTES);
            exit(1);
         }
      }
   }
   gbm.bo_unmap(bo, data);
}

/* Draws through `display` to a buffer that `device` made, and returns it as `other` imports it. */
static struct gbm_bo *
share(struct gbm_device *device, struct gbm_device *other)
{
   struct gbm_bo *bo = gbm.bo_create(device, SIZE, SIZE, ARGB8888, USE_DRAW | USE_LINEAR);
   need(bo != NULL, "gbm_bo_create");
   struct import_fd import = { gbm.bo_get_fd(bo), SIZE, SIZE, gbm.bo_get_stride(bo), ARGB8888 };
   need(import.fd >= 0, "gbm_bo_get_fd");

   const EGLint attributes[] = { EGL_WIDTH,
                                 SIZE,
                                 EGL_HEIGHT,
                                 SIZE,
                                 EGL_LINUX_DRM_FOURCC_EXT,
                                 ARGB8888,
                                 EGL_DMA_BUF_PLANE0_FD_EXT,
                                 import.fd,
                                 EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                 0,
                                 EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                 (EGLint)import.stride,
                                 EGL_NONE };
   PFNEGLCREATEIMAGEKHRPROC create_image =
      (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
   void (*image_texture)(GLenum, void *) =
      (void (*)(GLenum, void *))eglGetProcAddress("glEGLImageTargetTexture2DOES");
   need(create_image && image_texture, "finding eglCreateImageKHR");
   EGLImageKHR image =
      create_image(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
   need(image != EGL_NO_IMAGE_KHR, "importing the dma-buf as an EGL image");
   EGLContext context = make_context();
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   unsigned texture, target;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   image_texture(GL_TEXTURE_2D, image);
   glGenFramebuffers(1, &target);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   need(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
        "drawing to the image");
   glClearColor(0x40 / 255.0f, 0x80 / 255.0f, 0xBF / 255.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();

   struct gbm_bo *imported = gbm.bo_import(other, IMPORT_FD, &import, USE_DRAW);
   need(imported != NULL, "gbm_bo_import");
   check(imported);
   close(import.fd);
   gbm.bo_destroy(bo);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   return imported;
}

/* `second` is of the same open node as `first`, which `display` is of. */
static void
same(struct gbm_device *first, struct gbm_device *second)
{
   gbm.bo_destroy(share(second, first));
   struct gbm_bo *imported = share(first, second);
   eglTerminate(display);
   gbm.device_destroy(first);
   check(imported);
   gbm.bo_destroy(imported);
   gbm.device_destroy(second);
}

int
main(int argc, char **argv)
{
   if (argc == 2 && !strcmp(argv[1], "given")) {
      char number[12];
      snprintf(number, sizeof(number), "%d", open(NODE, O_RDWR));
      execl("/proc/self/exe", argv[0], "share", number, (char *)NULL);
      need(false, "starting itself");
   }
   load_gbm();
   int fd = argc == 3 ? atoi(argv[2]) : open_node();
   struct gbm_device *device = create_device(fd);
   display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
   need(display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL), "EGL on GBM");
   if (argc == 2 && !strcmp(argv[1], "shaders"))
      return shaders();
   if (argc >= 2 && !strcmp(argv[1], "share")) {
      share(device, create_device(open_node()));
      return 0;
   }
   if (argc == 2 && !strcmp(argv[1], "same")) {
      struct gbm_device *second = create_device(dup(fd)), *third = create_device(fd);
      gbm.bo_destroy(share(device, third));
      same(device, second);
      return 0;
   }
   fprintf(stderr, "usage: gl-node shaders|share|given|same\n");
   return 2;
}
