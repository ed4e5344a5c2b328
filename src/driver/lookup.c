/* SPDX-License-Identifier: MIT */
/*
 * Textures, looked up by the processor: for vertex shaders that Mesa interprets (feedback.c).
 *
 * One texel is mapped at a time, through the context, which waits for the device: no more than
 * glRasterPos and feedback need. All targets, wraps, filters and comparisons of the specification's
 * chapter 8.14 are there, with these simplifications: a face of a cube is not filtered across its
 * edges, anisotropy is not looked at, and of a multisampled texture every sample is the resolved
 * texel.
 */
#include "lookup.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_tile.h"

#define MAX_BLOCK 16 /* texels, a side */

/* ---- Texels ---- */

static unsigned
layers(const struct pipe_sampler_view *view)
{
   return view->u.tex.last_layer - view->u.tex.first_layer + 1u;
}

static bool
is_array(const struct pipe_sampler_view *view)
{
   return view->target == PIPE_TEXTURE_1D_ARRAY || view->target == PIPE_TEXTURE_2D_ARRAY;
}

static bool
is_cube(const struct pipe_sampler_view *view)
{
   return view->target == PIPE_TEXTURE_CUBE || view->target == PIPE_TEXTURE_CUBE_ARRAY;
}

static unsigned
dimensions(const struct pipe_sampler_view *view)
{
   switch (view->target) {
   case PIPE_BUFFER:
   case PIPE_TEXTURE_1D:
   case PIPE_TEXTURE_1D_ARRAY:
      return 1;
   case PIPE_TEXTURE_3D:
      return 3;
   default:
      return 2;
   }
}

void
atoll_view_size(const struct pipe_sampler_view *view, int level, int size[4])
{
   const struct pipe_resource *res = view->texture;
   if (view->target == PIPE_BUFFER) {
      size[0] = (int)(view->u.buf.size / util_format_get_blocksize(view->format));
      size[1] = size[2] = size[3] = 1;
      return;
   }
   const int levels = view->u.tex.last_level - view->u.tex.first_level + 1;
   const bool there = level >= 0 && level < levels;
   const unsigned real = there ? view->u.tex.first_level + (unsigned)level : 0;
   size[0] = there ? (int)u_minify(res->width0, real) : 0;
   size[1] = there ? (int)u_minify(res->height0, real) : 0;
   size[2] = there ? (int)u_minify(res->depth0, real) : 0;
   size[3] = levels;
   if (view->target == PIPE_TEXTURE_1D_ARRAY)
      size[1] = (int)layers(view);
   else if (view->target == PIPE_TEXTURE_2D_ARRAY)
      size[2] = (int)layers(view);
   else if (view->target == PIPE_TEXTURE_CUBE_ARRAY)
      size[2] = (int)layers(view) / 6;
}

static union atoll_texel
swizzled(const struct pipe_sampler_view *view, const union atoll_texel *t)
{
   const bool integer = util_format_is_pure_integer(view->format);
   const unsigned from[4] = { view->swizzle_r, view->swizzle_g, view->swizzle_b, view->swizzle_a };
   union atoll_texel out;
   for (unsigned c = 0; c < 4; c++)
      out.u[c] = from[c] <= PIPE_SWIZZLE_W   ? t->u[from[c]]
                 : from[c] == PIPE_SWIZZLE_1 ? (integer ? 1 : fui(1.0f))
                                             : 0;
   return out;
}

static union atoll_texel
fetch_element(struct pipe_context *pipe, const struct pipe_sampler_view *view, int x)
{
   const unsigned bytes = util_format_get_blocksize(view->format);
   union atoll_texel t = { { 0 } };
   struct pipe_transfer *transfer;
   if (x < 0 || (unsigned)x >= view->u.buf.size / bytes)
      return t;
   const void *map =
      pipe_buffer_map_range(pipe, view->texture, view->u.buf.offset + (unsigned)x * bytes, bytes,
                            PIPE_MAP_READ, &transfer);
   if (!map)
      return t;
   util_format_read_4(view->format, &t, sizeof(t), map, bytes, 0, 0, 1, 1);
   pipe_buffer_unmap(pipe, transfer);
   return swizzled(view, &t);
}

union atoll_texel
atoll_fetch_texel(struct pipe_context *pipe, const struct pipe_sampler_view *view, int level, int x,
                  int y, int z)
{
   float block[MAX_BLOCK * MAX_BLOCK][4] = { { 0 } };
   union atoll_texel t = { { 0 } };
   struct pipe_transfer *transfer;
   struct pipe_box box;
   int size[4];

   if (view->target == PIPE_BUFFER)
      return fetch_element(pipe, view, x);
   atoll_view_size(view, level, size);
   if (view->target == PIPE_TEXTURE_1D_ARRAY) {
      z = y;
      y = 0;
   }
   const int depth = view->target == PIPE_TEXTURE_3D ? size[2] : (int)layers(view);
   const int height = dimensions(view) > 1 ? size[1] : 1;
   if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= height || z >= depth)
      return t;
   /* Formats that are compressed come in blocks. */
   const int w = (int)util_format_get_blockwidth(view->format);
   const int h = (int)util_format_get_blockheight(view->format);
   const int in_x = x % w, in_y = y % h;
   if (w > MAX_BLOCK || h > MAX_BLOCK)
      return t;
   u_box_3d(x - in_x, y - in_y, z + (view->target == PIPE_TEXTURE_3D ? 0 : view->u.tex.first_layer),
            MIN2(w, size[0] - (x - in_x)), MIN2(h, height - (y - in_y)), 1, &box);
   const void *map =
      pipe->texture_map(pipe, view->texture, view->u.tex.first_level + (unsigned)level,
                        PIPE_MAP_READ, &box, &transfer);
   if (!map)
      return t;
   pipe_get_tile_rgba(transfer, map, 0, 0, (unsigned)box.width, (unsigned)box.height, view->format,
                      block);
   pipe_texture_unmap(pipe, transfer);
   memcpy(&t, block[in_y * box.width + in_x], sizeof(t));
   return swizzled(view, &t);
}

/* ---- Filters ---- */

/* A number of texels as an integer, whatever it is. */
static int
whole(float x)
{
   return x != x ? 0 : (int)floorf(CLAMP(x, -1e9f, 1e9f));
}

/* The texel that a coordinate means; false: the border. */
static bool
wrap(unsigned mode, bool linear, int *i, int size)
{
   int at = *i;
   switch (mode) {
   case PIPE_TEX_WRAP_REPEAT:
      at = (at % size + size) % size;
      break;
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
      at = (at % (2 * size) + 2 * size) % (2 * size);
      at = at < size ? at : 2 * size - 1 - at;
      break;
   case PIPE_TEX_WRAP_MIRROR_CLAMP:
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
      at = at < 0 ? -1 - at : at;
      break;
   default:
      break;
   }
   *i = CLAMP(at, 0, size - 1);
   if (mode == PIPE_TEX_WRAP_CLAMP_TO_BORDER || mode == PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER ||
       (linear && (mode == PIPE_TEX_WRAP_CLAMP || mode == PIPE_TEX_WRAP_MIRROR_CLAMP)))
      return *i == at;
   return true;
}

struct footprint {
   struct pipe_context *pipe;
   const struct pipe_sampler_view *view;
   const struct pipe_sampler_state *state;
   const struct atoll_lookup *lookup;
   float coord[3]; /* in a face */
   int layer;
   bool compare;
};

static float
compared(const struct footprint *p, float depth)
{
   const float ref =
      util_format_is_float(p->view->format) ? p->lookup->ref : CLAMP(p->lookup->ref, 0.0f, 1.0f);
   switch (p->state->compare_func) {
   case PIPE_FUNC_LESS:
      return ref < depth;
   case PIPE_FUNC_EQUAL:
      return ref == depth;
   case PIPE_FUNC_LEQUAL:
      return ref <= depth;
   case PIPE_FUNC_GREATER:
      return ref > depth;
   case PIPE_FUNC_NOTEQUAL:
      return ref != depth;
   case PIPE_FUNC_GEQUAL:
      return ref >= depth;
   default:
      return p->state->compare_func == PIPE_FUNC_ALWAYS;
   }
}

/* One texel of a footprint, or the border; compared, if the sampler does. */
static union atoll_texel
tap(const struct footprint *p, int level, bool linear, const int size[4], const int at[3])
{
   const unsigned mode[3] = { p->state->wrap_s, p->state->wrap_t, p->state->wrap_r };
   int i[3] = { 0, 0, p->layer };
   bool inside = true;
   union atoll_texel t;

   for (unsigned d = 0; d < dimensions(p->view); d++) {
      i[d] = at[d];
      inside &=
         wrap(is_cube(p->view) ? PIPE_TEX_WRAP_CLAMP_TO_EDGE : mode[d], linear, &i[d], size[d]);
   }
   if (!inside) {
      memcpy(&t, &p->state->border_color, sizeof(t));
      t = swizzled(p->view, &t);
   } else if (p->view->target == PIPE_TEXTURE_1D_ARRAY) {
      t = atoll_fetch_texel(p->pipe, p->view, level, i[0], p->layer, 0);
   } else {
      t = atoll_fetch_texel(p->pipe, p->view, level, i[0], i[1], i[2]);
   }
   if (p->compare) {
      t.f[0] = t.f[1] = t.f[2] = compared(p, t.f[0]);
      t.f[3] = 1.0f;
   }
   return t;
}

static union atoll_texel
sample_level(const struct footprint *p, int level, bool linear)
{
   const unsigned mode[3] = { p->state->wrap_s, p->state->wrap_t, p->state->wrap_r };
   const unsigned dims = dimensions(p->view);
   const bool integer = util_format_is_pure_integer(p->view->format);
   union atoll_texel sum = { { 0 } };
   int size[4], first[3] = { 0 };
   float part[3] = { 0 };

   linear |= p->lookup->gather >= 0;
   atoll_view_size(p->view, level, size);
   for (unsigned d = 0; d < dims; d++) {
      float x = p->coord[d];
      if (!p->state->unnormalized_coords) {
         if (mode[d] == PIPE_TEX_WRAP_REPEAT && !is_cube(p->view))
            x -= floorf(x); /* before precision is lost */
         x *= (float)size[d];
      }
      if (mode[d] == PIPE_TEX_WRAP_CLAMP)
         x = CLAMP(x, 0.0f, (float)size[d]);
      x += (float)p->lookup->offset[d] - (linear ? 0.5f : 0.0f);
      first[d] = whole(x);
      part[d] = linear ? CLAMP(x - (float)first[d], 0.0f, 1.0f) : 0.0f;
   }
   if (p->lookup->gather >= 0) {
      static const int corner[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
      for (unsigned n = 0; n < 4; n++) {
         const int at[3] = { first[0] + corner[n][0], first[1] + corner[n][1] };
         sum.u[n] = tap(p, level, true, size, at).u[p->compare ? 0 : p->lookup->gather];
      }
      return sum;
   }
   if (!linear || integer)
      return tap(p, level, linear, size, first);
   for (unsigned n = 0; n < 1u << dims; n++) {
      float weight = 1.0f;
      int at[3];
      for (unsigned d = 0; d < 3; d++) {
         at[d] = first[d] + (int)(n >> d & 1);
         if (d < dims)
            weight *= n >> d & 1 ? part[d] : 1.0f - part[d];
      }
      const union atoll_texel t = tap(p, level, true, size, at);
      for (unsigned c = 0; weight > 0.0f && c < 4; c++)
         sum.f[c] += weight * t.f[c];
   }
   return sum;
}

/* ---- Lookups ---- */

/* The face of a cube that a direction points at, and where. */
static int
face_of(const float dir[3], float coord[2])
{
   const float x = fabsf(dir[0]), y = fabsf(dir[1]), z = fabsf(dir[2]);
   const unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
   const bool negative = dir[axis] < 0.0f;
   const float major = MAX3(x, y, z);
   const float s = axis == 0   ? (negative ? dir[2] : -dir[2])
                   : axis == 1 ? dir[0]
                               : (negative ? -dir[0] : dir[0]);
   const float t = axis != 1 ? -dir[1] : negative ? -dir[2] : dir[2];

   coord[0] = major > 0.0f ? (s / major + 1.0f) * 0.5f : 0.5f;
   coord[1] = major > 0.0f ? (t / major + 1.0f) * 0.5f : 0.5f;
   return (int)(2 * axis + negative);
}

float
atoll_level_of(float texels)
{
   const uint32_t bits = fui(texels);
   return (float)((int)(bits >> 23 & 0xff) - 127) + uif((bits & 0x7fffff) | 0x3f800000) - 1.0f;
}

union atoll_texel
atoll_sample(struct pipe_context *pipe, const struct pipe_sampler_view *view,
             const struct pipe_sampler_state *state, const struct atoll_lookup *lookup)
{
   struct footprint p = { pipe, view, state, lookup };
   const int last = view->u.tex.last_level - view->u.tex.first_level;

   memcpy(p.coord, lookup->coord, sizeof(p.coord));
   p.compare = state->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE;
   if (is_cube(view)) {
      const int cubes = MAX2((int)layers(view) / 6, 1);
      const int cube = view->target == PIPE_TEXTURE_CUBE_ARRAY ? whole(lookup->coord[3] + 0.5f) : 0;
      p.layer = face_of(lookup->coord, p.coord) + 6 * CLAMP(cube, 0, cubes - 1);
   } else if (is_array(view)) {
      const int layer = whole(lookup->coord[dimensions(view)] + 0.5f);
      p.layer = CLAMP(layer, 0, (int)layers(view) - 1);
   }

   const float biased = lookup->lod + state->lod_bias;
   const float lod = CLAMP(biased, state->min_lod, MAX2(state->min_lod, state->max_lod));
   if (lookup->gather >= 0 || lod <= 0.0f || state->min_mip_filter == PIPE_TEX_MIPFILTER_NONE)
      return sample_level(&p, 0,
                          (lod <= 0.0f ? state->mag_img_filter : state->min_img_filter) ==
                             PIPE_TEX_FILTER_LINEAR);
   const bool linear = state->min_img_filter == PIPE_TEX_FILTER_LINEAR;
   if (state->min_mip_filter == PIPE_TEX_MIPFILTER_NEAREST)
      return sample_level(&p, CLAMP(whole(lod + 0.5f), 0, last), linear);
   const int level = CLAMP(whole(lod), 0, last);
   union atoll_texel t = sample_level(&p, level, linear);
   if (level < last && !util_format_is_pure_integer(view->format)) {
      const union atoll_texel next = sample_level(&p, level + 1, linear);
      const float part = lod - (float)level;
      for (unsigned c = 0; c < 4; c++)
         t.f[c] += part * (next.f[c] - t.f[c]);
   }
   return t;
}
