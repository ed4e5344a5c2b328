/* SPDX-License-Identifier: MIT */
/*
 * Decodes descriptors of textures, samplers and buffers; see texture.h.  Those of textures and
 * samplers are decoded once for as long as they stay in a small cache.
 */
#include "chip/cayman/descriptors/texture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/descriptors/map.h"
#include "chip/cayman/descriptors/surface.h"
#include "chip/cayman/descriptors/tables.h"
#include "kernel.h"
#include "port/format.h"
#include "port/state.h"
#include "regs.h"
#include "port/tex_op.h"
#include "port/texture.h"

/* ---- Textures ---- */

static void
decode_format(struct texture *t, const uint32_t *w)
{
   t->format = cayman_format[REG_FIELD_GET(w[7], TEX_WORD7, DATA_FORMAT)];
   t->conversion = cayman_conversion[REG_FIELD_GET(w[4], TEX_WORD4, NUM_FORMAT_ALL)];
   t->sign[0] = cayman_sign[REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_X)];
   t->sign[1] = cayman_sign[REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_Y)];
   t->sign[2] = cayman_sign[REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_Z)];
   t->sign[3] = cayman_sign[REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_W)];
   t->byte_swap = cayman_byte_swap[REG_FIELD_GET(w[4], TEX_WORD4, ENDIAN_SWAP)];
   t->no_zero = REG_FIELD_GET(w[4], TEX_WORD4, SRF_MODE_ALL) == SRF_MODE_NO_ZERO;
   t->srgb = REG_FIELD_GET(w[4], TEX_WORD4, FORCE_DEGAMMA);
   t->swizzle[0] = cayman_swizzle[REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_X)];
   t->swizzle[1] = cayman_swizzle[REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_Y)];
   t->swizzle[2] = cayman_swizzle[REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_Z)];
   t->swizzle[3] = cayman_swizzle[REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_W)];
   t->anisotropy = REG_FIELD_GET(w[6], TEX_WORD6, MAX_ANISO_RATIO);
}

static void
decode_levels(struct texture *t, const uint32_t *w, uint8_t pipes, bool base_only)
{
   const struct format_info *f = &format_info[t->format];
   bool array = false, msaa = false;
   uint32_t depth = REG_FIELD_GET(w[1], TEX_WORD1, TEX_DEPTH) + 1;
   uint32_t pitch = (REG_FIELD_GET(w[0], TEX_WORD0, PITCH) + 1) * 8;
   unsigned last = REG_FIELD_GET(w[5], TEX_WORD5, LAST_LEVEL);

   t->dim = cayman_texture_dim[REG_FIELD_GET(w[0], TEX_WORD0, DIM)];
   t->width = REG_FIELD_GET(w[0], TEX_WORD0, TEX_WIDTH) + 1;
   t->height = REG_FIELD_GET(w[1], TEX_WORD1, TEX_HEIGHT) + 1;
   t->depth = 1;
   t->samples = 1;
   t->base_level = REG_FIELD_GET(w[4], TEX_WORD4, BASE_LEVEL);
   t->first_layer = REG_FIELD_GET(w[5], TEX_WORD5, BASE_ARRAY);
   t->layers = REG_FIELD_GET(w[5], TEX_WORD5, LAST_ARRAY);
   t->layers = t->layers < t->first_layer ? 1 : t->layers - t->first_layer + 1;

   struct surface s = {
      .width = t->width,
      .height = t->height,
      .depth = 1,
      .layers = 1,
      .pitch = pitch / f->width,
      .array_mode = REG_FIELD_GET(w[1], TEX_WORD1, ARRAY_MODE),
      .bytes = f->bytes,
      .block_w = f->width,
      .block_h = f->height,
   };
   switch (t->dim) {
   case TEXTURE_1D:
      s.height = t->height = 1;
      break;
   case TEXTURE_1D_ARRAY:
      s.height = t->height = 1;
      array = true;
      break;
   case TEXTURE_3D:
      s.depth = t->depth = depth;
      t->first_layer = 0;
      t->layers = 1;
      break;
   case TEXTURE_CUBE:
      s.layers = depth * 6;
      s.exact_layers = REG_FIELD_GET(w[7], TEX_WORD7, EXACT_CUBES);
      t->layers = (t->layers + 5) / 6 * 6;
      break;
   case TEXTURE_2D_ARRAY:
      array = true;
      break;
   case TEXTURE_2D_SAMPLES:
      msaa = true;
      break;
   case TEXTURE_2D_ARRAY_SAMPLES:
      array = msaa = true;
      break;
   default:
      break;
   }
   if (array)
      s.layers = depth;
   else if (t->dim != TEXTURE_CUBE)
      t->layers = 1;
   if (msaa) {
      t->samples = (uint8_t)(1u << (last > 4 ? 4 : last));
      t->base_level = 0;
      last = 0;
   }
   s.samples = t->samples;
   if (REG_FIELD_GET(w[7], TEX_WORD7, DEPTH_SAMPLE_ORDER))
      s.align_x = surface_plane_align(s.array_mode, t->width, pitch,
                                      REG_FIELD_GET(w[7], TEX_WORD7, BANK_HEIGHT));
   last = last > TEXTURE_LEVELS - 1 ? TEXTURE_LEVELS - 1 : last;
   t->base_level = t->base_level > last ? (uint8_t)last : t->base_level;
   last = base_only ? t->base_level : last;
   t->last_level = (uint8_t)last;
   surface_macro_tile(&s, pipes, REG_FIELD_GET(w[7], TEX_WORD7, BANK_WIDTH),
                      REG_FIELD_GET(w[7], TEX_WORD7, BANK_HEIGHT),
                      REG_FIELD_GET(w[7], TEX_WORD7, MACRO_TILE_ASPECT),
                      REG_FIELD_GET(w[7], TEX_WORD7, NUM_BANKS));

   struct surface_level levels[SURFACE_MAX_LEVELS];
   surface_layout(&s, last, levels);

   const uint64_t base = (uint64_t)w[2] << 8, mips = (uint64_t)w[3] << 8;
   for (unsigned l = t->base_level; l <= last; l++)
      t->level[l] = (struct texture_level){
         .va = (l ? mips : base) + levels[l].offset,
         .slice_bytes = levels[l].slice_bytes,
         .pitch = levels[l].pitch * s.bytes * s.samples,
      };
}

bool
cayman_decode_texture(struct texture *t, const uint32_t *words, const struct vm *vm, uint8_t pipes,
                      bool base_only)
{
   const unsigned type = REG_FIELD_GET(words[7], TEX_WORD7, TYPE);

   t->vm = vm;
   if (type == SQ_RESOURCE_BUFFER) {
      t->dim = TEXTURE_BUFFER;
      t->width = words[4];
      return true;
   }
   if (type != SQ_RESOURCE_TEXTURE)
      return false;
   decode_format(t, words);
   if (t->format == FORMAT_NONE)
      return false;
   decode_levels(t, words, pipes, base_only);
   return true;
}

/* ---- Samplers ---- */

void
cayman_decode_sampler(struct sampler *s, const uint32_t *words,
                      const struct cayman_border_color *border)
{
   static const uint32_t none[3];
   const uint32_t *w = words ? words : none;

   *s = (struct sampler){
      .wrap = {
         cayman_wrap[REG_FIELD_GET(w[0], SAMPLER_WORD0, CLAMP_X)],
         cayman_wrap[REG_FIELD_GET(w[0], SAMPLER_WORD0, CLAMP_Y)],
         cayman_wrap[REG_FIELD_GET(w[0], SAMPLER_WORD0, CLAMP_Z)],
      },
      .mag = cayman_filter[REG_FIELD_GET(w[0], SAMPLER_WORD0, XY_MAG_FILTER)],
      .min = cayman_filter[REG_FIELD_GET(w[0], SAMPLER_WORD0, XY_MIN_FILTER)],
      .mip = cayman_mip_filter[REG_FIELD_GET(w[0], SAMPLER_WORD0, MIP_FILTER)],
      .slices = cayman_slice_filter[REG_FIELD_GET(w[0], SAMPLER_WORD0, Z_FILTER)],
      .anisotropy = REG_FIELD_GET(w[0], SAMPLER_WORD0, MAX_ANISO_RATIO),
      .compare = cayman_test[REG_FIELD_GET(w[0], SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION)],
      .reduction = cayman_reduction[REG_FIELD_GET(w[0], SAMPLER_WORD0, FILTER_MODE)],
      .border = cayman_border[REG_FIELD_GET(w[0], SAMPLER_WORD0, BORDER_COLOR_TYPE)],
      .truncate = REG_FIELD_GET(w[2], SAMPLER_WORD2, TRUNCATE_COORD),
      .cube_faces = REG_FIELD_GET(w[2], SAMPLER_WORD2, DISABLE_CUBE_WRAP),
      .srgb = REG_FIELD_GET(w[2], SAMPLER_WORD2, FORCE_DEGAMMA),
      .min_lod = (int16_t)REG_FIELD_GET(w[1], SAMPLER_WORD1, MIN_LOD),
      .max_lod = (int16_t)REG_FIELD_GET(w[1], SAMPLER_WORD1, MAX_LOD),
      .lod_bias =
         (int16_t)((int32_t)(REG_FIELD_GET(w[2], SAMPLER_WORD2, LOD_BIAS) << 18) >> 18),
   };
   if (border && s->border == BORDER_CUSTOM)
      memcpy(s->border_color, border->rgba, sizeof(s->border_color));
}

/* ---- Buffers ---- */

bool
cayman_decode_buffer(struct elements *b, const uint32_t *w, const struct vm *vm)
{
   if (!w || REG_FIELD_GET(w[7], BUF_WORD7, TYPE) != SQ_RESOURCE_BUFFER)
      return false;
   *b = (struct elements){
      .vm = vm,
      .format = cayman_format[REG_FIELD_GET(w[2], BUF_WORD2, DATA_FORMAT)],
      .conversion = cayman_conversion[REG_FIELD_GET(w[2], BUF_WORD2, NUM_FORMAT_ALL)],
      .sign = cayman_sign[REG_FIELD_GET(w[2], BUF_WORD2, FORMAT_COMP_ALL)],
      .byte_swap = cayman_byte_swap[REG_FIELD_GET(w[2], BUF_WORD2, ENDIAN_SWAP)],
      .no_zero = REG_FIELD_GET(w[2], BUF_WORD2, SRF_MODE_ALL) != SRF_MODE_ZERO_CLAMP_MINUS_ONE,
      .swizzle = {
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_X)],
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_Y)],
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_Z)],
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_W)],
      },
      .count = w[4],
      .stride = REG_FIELD_GET(w[2], BUF_WORD2, STRIDE),
      .va = w[0] | (uint64_t)REG_FIELD_GET(w[2], BUF_WORD2, BASE_ADDRESS_HI) << 32,
      .size = (uint64_t)w[1] + 1,
   };
   return true;
}

/* ---- Binding ---- */

/* What descriptors were decoded to, by their words: draws repeat them.  A thread has its own. */
#define CACHE_LOG2 4

struct cached_texture {
   uint32_t words[8];
   uint8_t pipes;
   bool known, base_only, there;
   struct texture texture;
};

struct cached_sampler {
   uint32_t words[3];
   bool known;
   struct sampler sampler; /* a border's colour is not kept */
};

struct cache {
   struct cached_texture texture[1 << CACHE_LOG2];
   struct cached_sampler sampler[1 << CACHE_LOG2];
};

/* Not a thread-local variable: a library that is loaded late has room for a few bytes of those. */
static pthread_key_t cache_key;
static pthread_once_t cache_once = PTHREAD_ONCE_INIT;
static bool cache_kept;

static void
cache_init(void)
{
   cache_kept = pthread_key_create(&cache_key, free) == 0;
}

/* Not inline: once a thread. */
static __attribute__((noinline)) struct cache *
make_cache(void)
{
   struct cache *c = calloc(1, sizeof(*c));

   if (c && pthread_setspecific(cache_key, c) != 0) {
      free(c);
      c = NULL;
   }
   return c;
}

/* This thread's; NULL: there is none. */
static struct cache *
cache_here(void)
{
   pthread_once(&cache_once, cache_init);
   if (!cache_kept)
      return NULL;

   struct cache *c = pthread_getspecific(cache_key);

   return c ? c : make_cache();
}

static unsigned
cache_slot(uint32_t words)
{
   return words * 0x9e3779b1u >> (32 - CACHE_LOG2);
}

/* The texture of the words, as the cache has it or in *room; NULL: they are none, nor a buffer. */
static const struct texture *
find_texture(const uint32_t *words, const struct vm *vm, uint8_t pipes, bool base_only,
             struct texture *room)
{
   struct cache *cache = cache_here();

   if (!cache)
      return cayman_decode_texture(room, words, vm, pipes, base_only) ? room : NULL;

   struct cached_texture *c = &cache->texture[cache_slot(words[2] + words[0])];

   if (!c->known || c->base_only != base_only || c->pipes != pipes ||
       memcmp(c->words, words, sizeof(c->words)) != 0) {
      memcpy(c->words, words, sizeof(c->words));
      c->base_only = base_only;
      c->pipes = pipes;
      c->there = cayman_decode_texture(&c->texture, c->words, vm, pipes, base_only);
      c->known = true;
   }
   c->texture.vm = vm;
   return c->there ? &c->texture : NULL;
}

static const struct sampler *
find_sampler(const uint32_t *words, const struct cayman_border_color *border, bool fractions,
             struct sampler *room)
{
   static const uint32_t none[3];
   const uint32_t *w = words ? words : none;
   struct cache *cache = cache_here();

   if (!cache) {
      cayman_decode_sampler(room, w, border);
      room->border_fractions = fractions;
      return room;
   }

   struct cached_sampler *c = &cache->sampler[cache_slot(w[0] + w[1] + w[2])];
   struct sampler *s = &c->sampler;

   if (!c->known || memcmp(c->words, w, sizeof(c->words)) != 0) {
      memcpy(c->words, w, sizeof(c->words));
      cayman_decode_sampler(s, c->words, NULL);
      c->known = true;
   }
   s->border_fractions = fractions;
   if (s->border == BORDER_CUSTOM) {
      static const struct cayman_border_color black;

      memcpy(s->border_color, border ? border->rgba : black.rgba, sizeof(s->border_color));
   }
   return s;
}

void
cayman_bind_tex(const struct kernels *kernels, struct td_tex_bind *bind,
                const struct td_lookup *lookup, const struct cayman_view *view)
{
   struct texture texture_room;
   struct sampler sampler_room;
   const struct sampler *sampler =
      find_sampler(view->sampler, view->border, view->border_fractions, &sampler_room);
   const bool base_only = sampler->mip == MIP_FILTER_NONE && td_op_samples(lookup->op);
   const struct texture *texture =
      view->resource ? find_texture(view->resource, view->vm, view->pipes, base_only, &texture_room)
                     : NULL;

   kernels->td_bind_tex(bind, lookup, texture, sampler);
}

/* ---- Tables ---- */

static const uint32_t *
resource(const struct cayman_tables *t, uint32_t n)
{
   return n < t->views.count ? t->resources[n] : NULL;
}

static const struct texture *
view_texture(const struct td_views *views, uint32_t n, bool base_only, struct texture *room)
{
   const struct cayman_tables *t = (const struct cayman_tables *)views;
   const uint32_t *words = resource(t, n);

   return words ? find_texture(words, views->vm, t->pipes, base_only, room) : NULL;
}

static const struct sampler *
view_sampler(const struct td_views *views, uint32_t n, struct sampler *room)
{
   const struct cayman_tables *t = (const struct cayman_tables *)views;
   const bool there = n < t->num_samplers;

   return find_sampler(there ? t->samplers[n] : NULL, there && t->borders ? &t->borders[n] : NULL,
                       t->border_fractions, room);
}

static bool
view_buffer(const struct td_views *views, uint32_t n, struct elements *out)
{
   const struct cayman_tables *t = (const struct cayman_tables *)views;
   const uint32_t *words = n < TD_VERTEX_BUFFERS ? resource(t, n)
                           : n - TD_VERTEX_BUFFERS < t->num_fetches
                              ? t->fetches[n - TD_VERTEX_BUFFERS]
                              : NULL;

   return cayman_decode_buffer(out, words, views->vm);
}

static bool
view_query(const struct td_views *views, uint32_t n, struct td_query *out)
{
   const uint32_t *w = resource((const struct cayman_tables *)views, n);
   const unsigned type = w ? REG_FIELD_GET(w[7], TEX_WORD7, TYPE) : 0;

   if (w && type == SQ_RESOURCE_BUFFER) {
      *out = (struct td_query){ .dim = TEXTURE_BUFFER, .width = w[4] };
      return true;
   }
   if (!w || type != SQ_RESOURCE_TEXTURE)
      return false;

   const unsigned dim = cayman_texture_dim[REG_FIELD_GET(w[0], TEX_WORD0, DIM)];
   const bool msaa = dim == TEXTURE_2D_SAMPLES || dim == TEXTURE_2D_ARRAY_SAMPLES;
   const uint32_t first = REG_FIELD_GET(w[5], TEX_WORD5, BASE_ARRAY);
   const uint32_t last = REG_FIELD_GET(w[5], TEX_WORD5, LAST_ARRAY);
   const uint32_t base = msaa ? 0 : REG_FIELD_GET(w[4], TEX_WORD4, BASE_LEVEL);
   const uint32_t top = REG_FIELD_GET(w[5], TEX_WORD5, LAST_LEVEL);
   const uint32_t width = (REG_FIELD_GET(w[0], TEX_WORD0, TEX_WIDTH) + 1) >> base;
   const uint32_t height = (REG_FIELD_GET(w[1], TEX_WORD1, TEX_HEIGHT) + 1) >> base;
   const uint32_t depth = (REG_FIELD_GET(w[1], TEX_WORD1, TEX_DEPTH) + 1) >> base;

   *out = (struct td_query){
      .dim = (uint8_t)dim,
      .width = width ? width : 1,
      .height = height ? height : 1,
      .depth = dim == TEXTURE_3D ? depth ? depth : 1
               : last >= first   ? last - first + 1
                                 : 1,
      .levels = !msaa && top >= base ? top - base + 1 : 1,
      .samples = msaa ? 1u << top : 1,
   };
   return true;
}

const struct td_views_ops cayman_views_ops = {
   .texture = view_texture,
   .sampler = view_sampler,
   .buffer = view_buffer,
   .query = view_query,
};
