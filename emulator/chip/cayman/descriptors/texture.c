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
#include "kernel.h"
#include "port/format.h"
#include "port/state.h"
#include "regs.h"
#include "td/tex_op.h"
#include "td/texture.h"

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
decode_levels(struct texture *t, const uint32_t *w, bool base_only)
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
   surface_macro_tile(
      &s, REG_FIELD_GET(w[7], TEX_WORD7, BANK_WIDTH), REG_FIELD_GET(w[7], TEX_WORD7, BANK_HEIGHT),
      REG_FIELD_GET(w[7], TEX_WORD7, MACRO_TILE_ASPECT), REG_FIELD_GET(w[7], TEX_WORD7, NUM_BANKS));

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
cayman_decode_texture(struct texture *t, const uint32_t *words, const struct vm *vm, bool base_only)
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
   decode_levels(t, words, base_only);
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

void
cayman_decode_elements(struct elements *e, const struct cayman_vertex_fetch *f)
{
   const uint32_t *w = f->resource;
   unsigned format = f->data_format, num = f->num_format, comp = f->format_comp;
   unsigned srf = f->srf_mode, endian = f->endian;

   *e = (struct elements){ .vm = f->vm };
   for (unsigned i = 0; i < 4; i++)
      e->swizzle[i] = cayman_write[f->dst_sel[i] & 7];
   if (!w || REG_FIELD_GET(w[7], BUF_WORD7, TYPE) != SQ_RESOURCE_BUFFER)
      return;
   if (f->op == CAYMAN_VERTEX_BUFFER_RESINFO) {
      e->counted = true;
      e->count = w[4];
      return;
   }
   if (f->op != CAYMAN_VERTEX_FETCH && f->op != CAYMAN_VERTEX_SEMANTIC)
      return;
   if (f->use_const_fields) {
      /* A masked component of the resource still writes its register. */
      const uint8_t sel[8] = {
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_X)],
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_Y)],
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_Z)],
         cayman_swizzle[REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_W)],
         SWIZZLE_0,
         SWIZZLE_1,
         SWIZZLE_0,
         SWIZZLE_NONE,
      };
      format = REG_FIELD_GET(w[2], BUF_WORD2, DATA_FORMAT);
      num = REG_FIELD_GET(w[2], BUF_WORD2, NUM_FORMAT_ALL);
      comp = REG_FIELD_GET(w[2], BUF_WORD2, FORMAT_COMP_ALL);
      srf = REG_FIELD_GET(w[2], BUF_WORD2, SRF_MODE_ALL);
      endian = REG_FIELD_GET(w[2], BUF_WORD2, ENDIAN_SWAP);
      for (unsigned i = 0; i < 4; i++)
         e->swizzle[i] = sel[f->dst_sel[i] & 7];
   }
   e->format = cayman_format[format & 63];
   e->conversion = cayman_conversion[num & 3];
   e->sign = cayman_sign[comp & 1];
   e->no_zero = srf != SRF_MODE_ZERO_CLAMP_MINUS_ONE;
   e->byte_swap = cayman_byte_swap[endian & 3];
   e->va = w[0] | (uint64_t)REG_FIELD_GET(w[2], BUF_WORD2, BASE_ADDRESS_HI) << 32;
   e->size = (uint64_t)w[1] + 1;
   e->stride = f->const_buf_no_stride ? 0 : REG_FIELD_GET(w[2], BUF_WORD2, STRIDE);
   e->offset = f->offset;
   e->add = f->fetch_type == 0 ? f->base_vertex : f->fetch_type == 1 ? f->start_instance : 0;
   e->ring = f->ring;
   e->ring_bytes = f->ring_bytes;
}

/* ---- Binding ---- */

/* What descriptors were decoded to, by their words: draws repeat them.  A thread has its own. */
#define CACHE_LOG2 4

struct cached_texture {
   uint32_t words[8];
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

/* NULL: the words are no texture, nor a buffer. */
static const struct texture *
find_texture(struct cache *cache, const uint32_t *words, const struct vm *vm, bool base_only,
             struct cached_texture *own)
{
   struct cached_texture *c = cache ? &cache->texture[cache_slot(words[2] + words[0])] : own;

   if (!c->known || c->base_only != base_only || memcmp(c->words, words, sizeof(c->words)) != 0) {
      memcpy(c->words, words, sizeof(c->words));
      c->base_only = base_only;
      c->there = cayman_decode_texture(&c->texture, c->words, vm, base_only);
      c->known = true;
   }
   c->texture.vm = vm;
   return c->there ? &c->texture : NULL;
}

static const struct sampler *
find_sampler(struct cache *cache, const uint32_t *words, const struct cayman_border_color *border,
             struct cached_sampler *own)
{
   static const uint32_t none[3];
   const uint32_t *w = words ? words : none;
   struct cached_sampler *c = cache ? &cache->sampler[cache_slot(w[0] + w[1] + w[2])] : own;
   struct sampler *s = &c->sampler;

   if (!c->known || memcmp(c->words, w, sizeof(c->words)) != 0) {
      memcpy(c->words, w, sizeof(c->words));
      cayman_decode_sampler(s, c->words, NULL);
      c->known = true;
   }
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
   struct cache *cache = cache_here();
   struct cached_texture own_texture;
   struct cached_sampler own_sampler;

   own_texture.known = own_sampler.known = false;

   const struct sampler *sampler = find_sampler(cache, view->sampler, view->border, &own_sampler);
   const bool base_only = sampler->mip == MIP_FILTER_NONE && td_op_samples(lookup->op);
   const struct texture *texture =
      view->resource ? find_texture(cache, view->resource, view->vm, base_only, &own_texture)
                     : NULL;

   kernels->td_bind_tex(bind, lookup, texture, sampler);
}

void
cayman_bind_vtx(const struct kernels *kernels, struct td_vtx_bind *bind,
                const struct cayman_vertex_fetch *fetch)
{
   struct elements elements;

   cayman_decode_elements(&elements, fetch);
   kernels->td_bind_vtx(bind, &elements);
}
