/* SPDX-License-Identifier: MIT */
/*
 * Textures, images and buffers for vertex shaders that run on the processor.
 *
 * glRasterPos, with a shader, and feedback want what a vertex shader writes before there is a
 * pixel.  Mesa's state tracker interprets the shader then, in a draw context of its own that no
 * driver is asked about, and without LLVM leaves it there without anything to look a texture up
 * with.  src/target attaches this to every such context when it is made.  All resources are what
 * the state tracker has bound in it at the time.
 *
 * A shader may not end, and no device watches here.  Each of its loops reads a word of a buffer
 * that no program has, and is left when it is not zero; its lookup looks at the clock now and then,
 * too.  A draw may take what a submission may (ATOLL_BUDGET); one that takes more is
 * a reset, of which its context is guilty.
 */
#include "feedback.h"

#include "draw/draw_context.h"
#include "draw/draw_private.h"
#include "tgsi/tgsi_exec.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include <stdio.h>
#include <time.h>

#include "nir_builder.h"
#include "util/u_threaded_context.h"

#include "context.h"
#include "lookup.h"

/* The buffer that says whether to stop, and how often it is read before the clock is. */
#define STOP_BUFFER (PIPE_MAX_SHADER_BUFFERS - 1)
#define CLOCK_READS 1024

/* Each object is one of Mesa's, followed by the context. */
struct sampler {
   struct tgsi_sampler base;
   struct draw_context *draw;
};

struct image {
   struct tgsi_image base;
   struct draw_context *draw;
};

struct buffer {
   struct tgsi_buffer base;
   struct draw_context *draw;
};

struct feedback {
   struct sampler sampler; /* first: a draw context knows the whole by it */
   struct image image;
   struct buffer buffer;
   uint32_t stop;  /* what STOP_BUFFER holds */
   unsigned reads; /* of it since the clock */
   uint64_t end;   /* of the draw, by the thread's clock in nanoseconds; 0: whenever */
};

/* ---- Textures ---- */

static const struct pipe_sampler_view *
view_of(const struct tgsi_sampler *base, unsigned n)
{
   const struct draw_context *draw = ((const struct sampler *)base)->draw;
   const struct pipe_sampler_view *view =
      n < PIPE_MAX_SHADER_SAMPLER_VIEWS ? draw->sampler_views[PIPE_SHADER_VERTEX][n] : NULL;
   return view && view->texture ? view : NULL;
}

static struct pipe_context *
pipe_of(const struct tgsi_sampler *base)
{
   return ((const struct sampler *)base)->draw->pipe;
}

static void
put(float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE], unsigned lane, const union atoll_texel *t)
{
   for (unsigned c = 0; c < TGSI_NUM_CHANNELS; c++)
      memcpy(&rgba[c][lane], &t->u[c], sizeof(t->u[c]));
}

/* Where a target has what besides its coordinates, in the order s, t, r, c0, c1. */
struct arguments {
   uint8_t coords;
   int8_t layer, ref;
};

static struct arguments
arguments_of(const struct pipe_sampler_view *view)
{
   switch (view->target) {
   case PIPE_TEXTURE_1D:
      return (struct arguments){ 1, -1, 2 };
   case PIPE_TEXTURE_1D_ARRAY:
      return (struct arguments){ 1, 1, 2 };
   case PIPE_TEXTURE_2D_ARRAY:
      return (struct arguments){ 2, 2, 3 };
   case PIPE_TEXTURE_3D:
      return (struct arguments){ 3, -1, -1 };
   case PIPE_TEXTURE_CUBE:
      return (struct arguments){ 3, -1, 3 };
   case PIPE_TEXTURE_CUBE_ARRAY:
      return (struct arguments){ 3, 3, 4 };
   default:
      return (struct arguments){ 2, -1, 2 };
   }
}

/* The level of explicit derivatives, which are of coordinates: of texels. */
static float
level_of_derivatives(const struct pipe_sampler_view *view, float derivs[3][2][TGSI_QUAD_SIZE],
                     unsigned lane, bool unnormalized)
{
   float longest = 0.0f;
   int size[4];

   atoll_view_size(view, 0, size);
   for (unsigned axis = 0; axis < 2; axis++) {
      float square = 0.0f;
      for (unsigned d = 0; d < arguments_of(view).coords; d++) {
         const float texels =
            derivs[d][axis][lane] * (unnormalized ? 1.0f : (float)size[d == 2 ? 0 : d]);
         square += texels * texels;
      }
      longest = MAX2(longest, square);
   }
   return longest > 0.0f ? 0.5f * atoll_level_of(longest) : 0.0f;
}

static void
get_samples(struct tgsi_sampler *base, const unsigned view_index, const unsigned sampler_index,
            const float s[TGSI_QUAD_SIZE], const float t[TGSI_QUAD_SIZE],
            const float r[TGSI_QUAD_SIZE], const float c0[TGSI_QUAD_SIZE],
            const float c1[TGSI_QUAD_SIZE], float derivs[3][2][TGSI_QUAD_SIZE],
            const int8_t offset[3], enum tgsi_sampler_control control,
            float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   const struct draw_context *draw = ((const struct sampler *)base)->draw;
   const struct pipe_sampler_view *view = view_of(base, view_index);
   const struct pipe_sampler_state *state =
      sampler_index < PIPE_MAX_SAMPLERS ? draw->samplers[PIPE_SHADER_VERTEX][sampler_index] : NULL;
   const float *const given[5] = { s, t, r, c0, c1 };

   for (unsigned lane = 0; lane < TGSI_QUAD_SIZE; lane++) {
      union atoll_texel texel = { .f = { 0.0f, 0.0f, 0.0f, 1.0f } };
      if (view && state && view->target != PIPE_BUFFER) {
         const struct arguments where = arguments_of(view);
         struct atoll_lookup lookup = { .gather = -1 };
         for (unsigned d = 0; d < where.coords; d++)
            lookup.coord[d] = given[d][lane];
         if (where.layer >= 0)
            lookup.coord[where.coords] = given[where.layer][lane];
         if (where.ref >= 0)
            lookup.ref = given[where.ref][lane];
         if (control == TGSI_SAMPLER_LOD_EXPLICIT || control == TGSI_SAMPLER_LOD_BIAS)
            lookup.lod = c1[lane];
         else if (control == TGSI_SAMPLER_DERIVS_EXPLICIT)
            lookup.lod = level_of_derivatives(view, derivs, lane, state->unnormalized_coords);
         else if (control == TGSI_SAMPLER_GATHER)
            lookup.gather = (int)(fui(c1[lane]) & 3);
         memcpy(lookup.offset, offset, sizeof(lookup.offset));
         texel = atoll_sample(pipe_of(base), view, state, &lookup);
      }
      put(rgba, lane, &texel);
   }
}

static void
get_dims(struct tgsi_sampler *base, const unsigned view_index, int level, int dims[4])
{
   const struct pipe_sampler_view *view = view_of(base, view_index);
   memset(dims, 0, 4 * sizeof(dims[0]));
   if (view)
      atoll_view_size(view, level, dims);
}

static void
get_texel(struct tgsi_sampler *base, const unsigned view_index, const int i[TGSI_QUAD_SIZE],
          const int j[TGSI_QUAD_SIZE], const int k[TGSI_QUAD_SIZE], const int lod[TGSI_QUAD_SIZE],
          const int8_t offset[3], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   const struct pipe_sampler_view *view = view_of(base, view_index);

   for (unsigned lane = 0; lane < TGSI_QUAD_SIZE; lane++) {
      union atoll_texel texel = { .f = { 0.0f, 0.0f, 0.0f, 1.0f } };
      if (view) {
         /* Coordinates that a target lacks are not set; a sample's number is passed as level. */
         const unsigned coords = arguments_of(view).coords;
         const bool layer = arguments_of(view).layer >= 0;
         const bool y = coords > 1 || layer, z = coords > 2 || (coords > 1 && layer);
         const bool levels = view->target != PIPE_BUFFER && view->target != PIPE_TEXTURE_RECT &&
                             view->texture->nr_samples <= 1;
         const int level = levels ? lod[lane] : 0;
         texel = atoll_fetch_texel(
            pipe_of(base), view, level, (int)((unsigned)i[lane] + (unsigned)(int)offset[0]),
            y ? (int)((unsigned)j[lane] + (unsigned)(coords > 1 ? offset[1] : 0)) : 0,
            z ? (int)((unsigned)k[lane] + (unsigned)(coords > 2 ? offset[2] : 0)) : 0);
      }
      put(rgba, lane, &texel);
   }
}

/* A vertex has no neighbours: whatever is looked up is of the first level. */
static void
query_lod(const struct tgsi_sampler *base, const unsigned view_index, const unsigned sampler_index,
          const float s[TGSI_QUAD_SIZE], const float t[TGSI_QUAD_SIZE],
          const float p[TGSI_QUAD_SIZE], const float c0[TGSI_QUAD_SIZE],
          const enum tgsi_sampler_control control, float mipmap[TGSI_QUAD_SIZE],
          float lod[TGSI_QUAD_SIZE])
{
   for (unsigned lane = 0; lane < TGSI_QUAD_SIZE; lane++)
      mipmap[lane] = lod[lane] = 0.0f;
}

/* ---- Images ---- */

static struct pipe_image_view *
image_of(const struct tgsi_image *base, unsigned n)
{
   const struct draw_context *draw = ((const struct image *)base)->draw;
   struct pipe_image_view *view =
      n < PIPE_MAX_SHADER_IMAGES ? draw->images[PIPE_SHADER_VERTEX][n] : NULL;
   return view && view->resource ? view : NULL;
}

static void
image_size(const struct pipe_image_view *view, int size[4])
{
   const struct pipe_resource *res = view->resource;
   size[1] = size[2] = size[3] = 1;
   if (res->target == PIPE_BUFFER) {
      size[0] = (int)(view->u.buf.size / util_format_get_blocksize(view->format));
      return;
   }
   const unsigned level = view->u.tex.level;
   const int layers = view->u.tex.last_layer - view->u.tex.first_layer + 1;
   size[0] = (int)u_minify(res->width0, level);
   if (res->target == PIPE_TEXTURE_1D_ARRAY) {
      size[1] = layers;
      return;
   }
   size[1] = (int)u_minify(res->height0, level);
   if (res->target == PIPE_TEXTURE_3D)
      size[2] = (int)u_minify(res->depth0, level);
   else if (res->target == PIPE_TEXTURE_CUBE_ARRAY)
      size[2] = layers / 6;
   else if (res->target != PIPE_TEXTURE_CUBE)
      size[2] = layers;
}

/* A mapped texel of an image; NULL: it has none there. */
struct mapped {
   void *texel;
   struct pipe_transfer *transfer;
   bool buffer;
};

static struct mapped
map_texel(struct pipe_context *pipe, const struct pipe_image_view *view, int x, int y, int z,
          unsigned usage)
{
   const struct pipe_resource *res = view->resource;
   const unsigned bytes = util_format_get_blocksize(view->format);
   struct mapped m = { .buffer = res->target == PIPE_BUFFER };
   struct pipe_box box;
   int size[4];

   image_size(view, size);
   if (x < 0 || x >= size[0])
      return m;
   if (m.buffer) {
      m.texel = pipe_buffer_map_range(
         pipe, view->resource, view->u.buf.offset + (unsigned)x * bytes, bytes, usage, &m.transfer);
      return m;
   }
   const bool faces = res->target == PIPE_TEXTURE_CUBE || res->target == PIPE_TEXTURE_CUBE_ARRAY;
   if (res->target == PIPE_TEXTURE_1D)
      y = z = 0;
   if (res->target == PIPE_TEXTURE_2D || res->target == PIPE_TEXTURE_RECT)
      z = 0;
   if (y < 0 || y >= size[1])
      return m;
   if (res->target == PIPE_TEXTURE_1D_ARRAY) {
      z = y;
      y = 0;
   } else if (z < 0 ||
              z >= (faces ? view->u.tex.last_layer - view->u.tex.first_layer + 1 : size[2])) {
      return m;
   }
   u_box_3d(x, y, z + (res->target == PIPE_TEXTURE_3D ? 0 : view->u.tex.first_layer), 1, 1, 1,
            &box);
   m.texel = pipe->texture_map(pipe, view->resource, view->u.tex.level, usage, &box, &m.transfer);
   return m;
}

static void
unmap_texel(struct pipe_context *pipe, const struct mapped *m)
{
   if (m->texel && m->buffer)
      pipe_buffer_unmap(pipe, m->transfer);
   else if (m->texel)
      pipe_texture_unmap(pipe, m->transfer);
}

static void
load_image(const struct tgsi_image *base, const struct tgsi_image_params *params,
           const int s[TGSI_QUAD_SIZE], const int t[TGSI_QUAD_SIZE], const int r[TGSI_QUAD_SIZE],
           const int sample[TGSI_QUAD_SIZE], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   struct pipe_context *pipe = ((const struct image *)base)->draw->pipe;
   const struct pipe_image_view *view = image_of(base, params->unit);

   for (unsigned lane = 0; lane < TGSI_QUAD_SIZE; lane++) {
      union atoll_texel texel = { { 0 } };
      if (view && params->execmask >> lane & 1) {
         struct mapped m = map_texel(pipe, view, s[lane], t[lane], r[lane], PIPE_MAP_READ);
         if (m.texel)
            util_format_read_4(view->format, &texel, sizeof(texel), m.texel, 0, 0, 0, 1, 1);
         unmap_texel(pipe, &m);
      }
      put(rgba, lane, &texel);
   }
}

static void
store_image(const struct tgsi_image *base, const struct tgsi_image_params *params,
            const int s[TGSI_QUAD_SIZE], const int t[TGSI_QUAD_SIZE], const int r[TGSI_QUAD_SIZE],
            const int sample[TGSI_QUAD_SIZE], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   struct pipe_context *pipe = ((const struct image *)base)->draw->pipe;
   const struct pipe_image_view *view = image_of(base, params->unit);

   for (unsigned lane = 0; lane < TGSI_QUAD_SIZE; lane++) {
      if (!view || !(params->execmask >> lane & 1))
         continue;
      const float texel[4] = { rgba[0][lane], rgba[1][lane], rgba[2][lane], rgba[3][lane] };
      struct mapped m = map_texel(pipe, view, s[lane], t[lane], r[lane], PIPE_MAP_WRITE);
      if (m.texel)
         util_format_write_4(view->format, texel, sizeof(texel), m.texel, 0, 0, 0, 1, 1);
      unmap_texel(pipe, &m);
   }
}

/* The dword that an operation leaves where there was `old`. */
static uint32_t
operated(enum tgsi_opcode opcode, uint32_t old, uint32_t a, uint32_t b)
{
   switch (opcode) {
   case TGSI_OPCODE_ATOMUADD:
      return old + a;
   case TGSI_OPCODE_ATOMFADD:
      return fui(uif(old) + uif(a));
   case TGSI_OPCODE_ATOMXCHG:
      return a;
   case TGSI_OPCODE_ATOMCAS:
      return old == a ? b : old;
   case TGSI_OPCODE_ATOMAND:
      return old & a;
   case TGSI_OPCODE_ATOMOR:
      return old | a;
   case TGSI_OPCODE_ATOMXOR:
      return old ^ a;
   case TGSI_OPCODE_ATOMUMIN:
      return MIN2(old, a);
   case TGSI_OPCODE_ATOMUMAX:
      return MAX2(old, a);
   case TGSI_OPCODE_ATOMIMIN:
      return (uint32_t)MIN2((int32_t)old, (int32_t)a);
   case TGSI_OPCODE_ATOMIMAX:
      return (uint32_t)MAX2((int32_t)old, (int32_t)a);
   default:
      return old;
   }
}

/* On formats of one dword: OpenGL has no others. */
static void
operate_image(const struct tgsi_image *base, const struct tgsi_image_params *params,
              enum tgsi_opcode opcode, const int s[TGSI_QUAD_SIZE], const int t[TGSI_QUAD_SIZE],
              const int r[TGSI_QUAD_SIZE], const int sample[TGSI_QUAD_SIZE],
              float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE],
              float rgba2[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   struct pipe_context *pipe = ((const struct image *)base)->draw->pipe;
   const struct pipe_image_view *view = image_of(base, params->unit);
   const bool dword = view && util_format_get_blocksize(view->format) == sizeof(uint32_t);

   for (unsigned lane = 0; lane < TGSI_QUAD_SIZE; lane++) {
      union atoll_texel texel = { { 0 } };
      if (dword && params->execmask >> lane & 1) {
         const uint32_t b = opcode == TGSI_OPCODE_ATOMCAS ? fui(rgba2[0][lane]) : 0;
         struct mapped m =
            map_texel(pipe, view, s[lane], t[lane], r[lane], PIPE_MAP_READ | PIPE_MAP_WRITE);
         if (m.texel) {
            memcpy(&texel.u[0], m.texel, sizeof(texel.u[0]));
            const uint32_t new = operated(opcode, texel.u[0], fui(rgba[0][lane]), b);
            memcpy(m.texel, &new, sizeof(new));
         }
         unmap_texel(pipe, &m);
      }
      put(rgba, lane, &texel);
   }
}

static void
image_dims(const struct tgsi_image *base, const struct tgsi_image_params *params, int dims[4])
{
   const struct pipe_image_view *view = image_of(base, params->unit);
   memset(dims, 0, 4 * sizeof(dims[0]));
   if (view)
      image_size(view, dims);
}

/* ---- Buffers ---- */

/* The processor's time that this thread has had. */
static uint64_t
thread_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
   return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static void
end_draw(struct feedback *f)
{
   struct atoll_context *ctx = atoll_context(threaded_context_unwrap_sync(f->sampler.draw->pipe));
   static const char why[] =
      "a vertex shader that ran on the processor, for glRasterPos, feedback or "
      "selection, took longer than it may";

   f->stop = ~0u;
   __atomic_store_n(&ctx->ended_feedback, true, __ATOMIC_RELAXED);
   fprintf(stderr,
           "atoll: a draw was ended, which is a reset: %s.  ATOLL_BUDGET says what one may "
           "take\n",
           why);
   util_debug_message(&ctx->base.debug, ERROR, "the context was reset: %s", why);
}

static void *
stop_word(struct feedback *f, uint32_t *size)
{
   if (f->end && !f->stop && ++f->reads == CLOCK_READS) {
      f->reads = 0;
      if (thread_ns() > f->end)
         end_draw(f);
   }
   *size = sizeof(f->stop);
   return &f->stop;
}

static void *
lookup_buffer(const struct tgsi_buffer *base, uint32_t unit, uint32_t *size)
{
   const struct draw_context *draw = ((const struct buffer *)base)->draw;
   if (unit == STOP_BUFFER)
      return stop_word((struct feedback *)draw->vs.tgsi.sampler, size);
   *size = 0;
   if (unit >= PIPE_MAX_SHADER_BUFFERS || !draw->pt.user.ssbos[PIPE_SHADER_VERTEX][unit].ptr)
      return NULL;
   *size = draw->pt.user.ssbos[PIPE_SHADER_VERTEX][unit].size;
   return (void *)draw->pt.user.ssbos[PIPE_SHADER_VERTEX][unit].ptr;
}

/* ---- Loops ---- */

static bool
bound_loops(nir_builder *b, struct exec_list *list)
{
   bool any = false;

   foreach_list_typed(nir_cf_node, node, node, list)
   {
      if (node->type == nir_cf_node_if) {
         any |= bound_loops(b, &nir_cf_node_as_if(node)->then_list);
         any |= bound_loops(b, &nir_cf_node_as_if(node)->else_list);
      } else if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         bound_loops(b, &loop->body);
         b->cursor = nir_before_block(nir_loop_first_block(loop));
         nir_def *stop = nir_load_ssbo(b, 1, 32, nir_imm_int(b, STOP_BUFFER), nir_imm_int(b, 0),
                                       .access = ACCESS_VOLATILE, .align_mul = 4);
         nir_break_if(b, nir_ine_imm(b, stop, 0));
         any = true;
      }
   }
   return any;
}

void
atoll_feedback_bound(struct nir_shader *nir)
{
   bool any = false;

   /* The new breaks would add predecessors to phis: there are none without SSA. */
   nir_convert_from_ssa(nir, true, false);
   nir_foreach_function_impl(impl, nir)
   {
      nir_builder b = nir_builder_create(impl);
      const bool here = bound_loops(&b, &impl->body);
      nir_metadata_preserve(impl, here ? nir_metadata_none : nir_metadata_all);
      any |= here;
   }
   nir_lower_reg_intrinsics_to_ssa(nir);
   if (any)
      nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
}

/* ---- A context's ---- */

bool
atoll_feedback_attach(struct draw_context *draw)
{
   struct feedback *f = CALLOC_STRUCT(feedback);
   if (!f)
      return false;
   f->sampler.base = (struct tgsi_sampler){ get_samples, get_dims, get_texel, query_lod };
   f->image.base = (struct tgsi_image){ load_image, store_image, operate_image, image_dims };
   f->buffer.base = (struct tgsi_buffer){ lookup_buffer };
   f->sampler.draw = f->image.draw = f->buffer.draw = draw;
   draw_texture_sampler(draw, PIPE_SHADER_VERTEX, &f->sampler.base);
   draw_image(draw, PIPE_SHADER_VERTEX, &f->image.base);
   draw_buffer(draw, PIPE_SHADER_VERTEX, &f->buffer.base);
   return true;
}

void
atoll_feedback_begin(struct draw_context *draw)
{
   struct feedback *f = (struct feedback *)draw->vs.tgsi.sampler;
   struct atoll_context *ctx = atoll_context(threaded_context_unwrap_sync(draw->pipe));
   const struct atoll_winsys_info *info = atoll_winsys_info(ctx->ws);
   const uint64_t budget = ctx->cs.patient ? info->patience_ns : info->budget_ns;

   f->stop = f->reads = 0;
   f->end = budget ? thread_ns() + budget : 0;
}

/* The interpreter tells shaders apart by their addresses, and does not hear that one is deleted. */
void
atoll_feedback_forget(struct draw_context *draw)
{
   tgsi_exec_machine_bind_shader(draw->vs.tgsi.machine, NULL, NULL, NULL, NULL);
}

void
atoll_feedback_detach(struct draw_context *draw)
{
   struct feedback *f = (struct feedback *)draw->vs.tgsi.sampler;
   draw_texture_sampler(draw, PIPE_SHADER_VERTEX, NULL);
   draw_image(draw, PIPE_SHADER_VERTEX, NULL);
   draw_buffer(draw, PIPE_SHADER_VERTEX, NULL);
   FREE(f);
}
