/* SPDX-License-Identifier: MIT */
/* Tables of resources; see tables.h. */
#include "chip/mali/tables.h"

#include <string.h>

#include "chip/mali/formats.h"
#include "core/core.h"
#include "memory/pool.h"
#include "memory/vm.h"
#include "port/format.h"
#include "port/state.h"

#define ENTRY_BYTES      16u
#define DESCRIPTOR_BYTES 32u
#define TEXTURES         18u /* view that texture 0 is */
#define MAX_LEVELS       TEXTURE_LEVELS

static const struct mali_views *
views_of(const struct td_views *views)
{
   return (const struct mali_views *)views;
}

static const struct mali_stage *
stage_of(const struct bind_source *source)
{
   return (const struct mali_stage *)source;
}

/* Address and descriptors of a table. */
static uint64_t
find_table(const struct mali_views *v, uint32_t table, uint64_t *count)
{
   uint32_t words[MALI_WORDS_RESOURCE];

   *count = 0;
   if (table >= v->num_tables || vm_read(v->views.vm, v->resources + (uint64_t)table * ENTRY_BYTES,
                                         words, sizeof(words)) != sizeof(words))
      return 0;
   *count = mali_field(words, MALI_AT_RESOURCE_size) / DESCRIPTOR_BYTES;
   return mali_field(words, MALI_AT_RESOURCE_address);
}

bool
mali_read_descriptor(const struct mali_views *v, uint32_t table, uint32_t n, unsigned type,
                     uint32_t words[8])
{
   uint64_t count;
   const uint64_t address = find_table(v, table, &count);

   return n < count &&
          vm_read(v->views.vm, address + (uint64_t)n * DESCRIPTOR_BYTES, words, DESCRIPTOR_BYTES) ==
             DESCRIPTOR_BYTES &&
          (words[0] & 15) == type;
}

/* ---- Textures ---- */

#define TEXTURE(name) mali_field(words, MALI_AT_TEXTURE_##name)
#define PLANE(name)   mali_field(plane, MALI_AT_PLANE_##name)

static bool
read_plane(const struct vm *vm, const uint32_t *words, uint64_t n, uint32_t plane[MALI_WORDS_PLANE])
{
   const uint64_t bytes = MALI_WORDS_PLANE * 4;

   return vm_read(vm, TEXTURE(surfaces) + n * bytes, plane, bytes) == bytes &&
          PLANE(type) == MALI_TYPE_plane;
}

static uint8_t
dimension(const uint32_t *words, bool array)
{
   switch (TEXTURE(dimension)) {
   case MALI_DIMENSION_one:
      return array ? TEXTURE_1D_ARRAY : TEXTURE_1D;
   case MALI_DIMENSION_three:
      return TEXTURE_3D;
   case MALI_DIMENSION_cube:
      return TEXTURE_CUBE;
   default:
      return array ? TEXTURE_2D_ARRAY : TEXTURE_2D;
   }
}

static uint8_t
compose(const struct mali_format *format, unsigned channel)
{
   return channel < 4 ? format->swizzle[channel] : channel == 5 ? SWIZZLE_1 : SWIZZLE_0;
}

/* What does not change from level to level; NULL, or why it cannot be read. */
static const char *
decode_head(struct texture *t, struct mali_copy *copy, const struct vm *vm, const uint32_t *words)
{
   const bool cube = TEXTURE(dimension) == MALI_DIMENSION_cube;
   const uint32_t layers = ((uint32_t)TEXTURE(layers) + 1) * (cube ? 6 : 1);
   const unsigned levels = (unsigned)TEXTURE(levels) + 1, samples = 1u << TEXTURE(samples);
   uint32_t plane[MALI_WORDS_PLANE];
   struct mali_format format;

   if (levels > MAX_LEVELS || samples > 16 || (samples > 1 && levels > 1))
      return "a texture with so many levels or samples";
   if (TEXTURE(min_level))
      return "a texture that does not begin with its first level";
   if (!read_plane(vm, words, 0, plane))
      return "a texture's plane is not there";
   format = mali_decode_format((uint32_t)TEXTURE(format), (unsigned)PLANE(clump));
   if (format.format == FORMAT_NONE)
      return "a texture's format";
   *t = (struct texture){
      .vm = vm,
      .format = format.format,
      .conversion = format.conversion,
      .sign = { format.sign, format.sign, format.sign, format.sign },
      .srgb = format.srgb,
      .dim = dimension(words, layers > 1),
      .last_level = (uint8_t)(levels - 1),
      .samples = (uint8_t)samples,
      .anisotropy = 4,
      .width = (uint32_t)TEXTURE(width) + 1,
      .height = (uint32_t)TEXTURE(height) + 1,
      .depth = (uint32_t)TEXTURE(depth) + 1,
      .layers = layers,
   };
   if (samples > 1)
      t->dim = layers > 1 ? TEXTURE_2D_ARRAY_SAMPLES : TEXTURE_2D_SAMPLES;
   for (unsigned c = 0; c < 4; c++)
      t->swizzle[c] = compose(&format, TEXTURE(swizzle) >> 3 * c & 7);
   copy->vm = vm;
   copy->width = t->width;
   copy->height = t->height;
   copy->volume = t->dim == TEXTURE_3D;
   copy->slices = copy->volume ? t->depth : layers;
   copy->levels = (uint8_t)levels;
   copy->samples = (uint8_t)samples;
   copy->bytes = format_info[format.format].bytes;
   return NULL;
}

static const char *
decode_level(struct texture *t, struct mali_copy *copy, const uint32_t *words, unsigned l)
{
   uint32_t plane[MALI_WORDS_PLANE], next[MALI_WORDS_PLANE];

   if (!read_plane(t->vm, words, l, plane))
      return "a texture's plane is not there";
   if (PLANE(kind) != MALI_PLANE_generic ||
       mali_clump_bytes((unsigned)PLANE(clump)) != format_info[t->format].bytes)
      return "a compressed texture";
   if (PLANE(order) != MALI_BLOCK_linear && PLANE(order) != MALI_BLOCK_u_interleaved)
      return "a texture that is neither linear nor u-interleaved";
   copy->blocks |= PLANE(order) == MALI_BLOCK_u_interleaved;
   copy->level[l] = PLANE(address);
   copy->row_stride[l] = (uint32_t)PLANE(row_stride);
   copy->slice_bytes[l] = PLANE(slice_stride);
   if (t->layers > 1 && t->samples == 1 && read_plane(t->vm, words, copy->levels + l, next))
      copy->slice_bytes[l] = mali_field(next, MALI_AT_PLANE_address) - PLANE(address);
   t->level[l] = (struct texture_level){
      .va = PLANE(address),
      .slice_bytes = copy->slice_bytes[l] & ((UINT64_C(1) << 35) - 8),
      .pitch = copy->row_stride[l],
   };
   return NULL;
}

/* Why it cannot be read; NULL: it is in *t.  With `budget`, a copy is made where one is needed. */
static const char *
decode_texture(struct texture *t, const struct mali_views *v, const uint32_t *words,
               uint64_t *budget)
{
   struct mali_copy copy;
   const char *why;

   memset(&copy, 0, sizeof(copy)); /* copies are compared by their bytes */
   why = decode_head(t, &copy, v->views.vm, words);
   for (unsigned l = 0; l < copy.levels && !why; l++)
      why = decode_level(t, &copy, words, l);
   if (why || (!copy.blocks && copy.samples == 1))
      return why;
   if (budget && (!v->rows || !mali_rows_make(v->rows, &copy, budget)))
      return "textures in blocks, or with samples, that take so much memory";
   return mali_rows_use(v->rows, &copy, t) ? NULL : "a texture that has changed since";
}

static enum mali_result
take_textures(const struct mali_views *v, uint32_t table, uint64_t *budget, const char **why)
{
   uint64_t count;

   find_table(v, table, &count);
   count = count < TD_VERTEX_BUFFERS ? count : TD_VERTEX_BUFFERS;
   for (uint32_t n = 0; n < count; n++) {
      uint32_t words[8], plane[MALI_WORDS_PLANE];
      struct texture t;

      *why = "descriptors of textures that take too long";
      if (!*budget)
         return MALI_EXHAUSTED;
      --*budget;
      if (!mali_read_descriptor(v, table, n, MALI_TYPE_texture, words))
         continue;
      if (v->trace)
         mali_print(stderr, MALI_TEXTURE, words);
      if (v->trace && read_plane(v->views.vm, words, 0, plane))
         mali_print(stderr, MALI_PLANE, plane);
      *why = decode_texture(&t, v, words, budget);
      if (*why)
         return MALI_MISSING;
   }
   return MALI_DONE;
}

enum mali_result
mali_take_textures(const struct mali_views *v, uint64_t *budget, const char **why)
{
   enum mali_result result = MALI_DONE;

   for (uint32_t table = 0; table < v->num_tables && !result; table++)
      result = take_textures(v, table, budget, why);
   return result;
}

/* Numbers of views that are of other tables than the usual one say so in the upper half. */
static bool
read_view(const struct td_views *views, uint32_t n, uint32_t usual, uint32_t first, unsigned type,
          uint32_t words[8])
{
   if (n >> 16)
      return mali_read_descriptor(views_of(views), (n >> 16) - 1, n & 0xffff, type, words);
   return n >= first && mali_read_descriptor(views_of(views), usual, n - first, type, words);
}

static const struct texture *
texture(const struct td_views *views, uint32_t n, bool base_only, struct texture *room)
{
   uint32_t words[8];

   (void)base_only;
   if (!read_view(views, n, MALI_TABLE_TEXTURES, TEXTURES, MALI_TYPE_texture, words) ||
       decode_texture(room, views_of(views), words, NULL))
      return NULL;
   return room;
}

/* ---- Samplers ---- */

#define SAMPLER(name) mali_field(words, MALI_AT_SAMPLER_##name)

static const uint8_t wraps[16] = {
   [MALI_WRAP_repeat] = WRAP_REPEAT,
   [MALI_WRAP_edge] = WRAP_CLAMP_TO_EDGE,
   [MALI_WRAP_border] = WRAP_CLAMP_TO_BORDER,
   [MALI_WRAP_mirrored] = WRAP_MIRRORED_REPEAT,
   [MALI_WRAP_mirrored_edge] = WRAP_MIRROR_CLAMP_TO_EDGE,
   [MALI_WRAP_mirrored_border] = WRAP_MIRROR_CLAMP_TO_BORDER,
};

static const uint8_t mips[4] = {
   [MALI_MIP_nearest] = MIP_FILTER_POINT,
   [MALI_MIP_none] = MIP_FILTER_NONE,
   [MALI_MIP_trilinear] = MIP_FILTER_LINEAR,
};

static const uint8_t reductions[4] = {
   [MALI_REDUCTION_average] = REDUCTION_BLEND,
   [MALI_REDUCTION_minimum] = REDUCTION_MIN,
   [MALI_REDUCTION_maximum] = REDUCTION_MAX,
};

/* The descriptor compares the texel with the reference. */
static const uint8_t compares[8] = {
   [MALI_TEST_never] = TEST_NEVER,
   [MALI_TEST_less] = TEST_GREATER,
   [MALI_TEST_equal] = TEST_EQUAL,
   [MALI_TEST_less_equal] = TEST_GREATER_EQUAL,
   [MALI_TEST_greater] = TEST_LESS,
   [MALI_TEST_not_equal] = TEST_NOT_EQUAL,
   [MALI_TEST_greater_equal] = TEST_LESS_EQUAL,
   [MALI_TEST_always] = TEST_ALWAYS,
};

static uint8_t
filter(bool nearest, bool anisotropic)
{
   return nearest ? FILTER_POINT : anisotropic ? FILTER_ANISOTROPIC_LINEAR : FILTER_LINEAR;
}

static uint8_t
log2_of(uint32_t n)
{
   uint8_t log = 0;

   while (n >> (log + 1))
      log++;
   return log;
}

static const struct sampler *
sampler(const struct td_views *views, uint32_t n, struct sampler *room)
{
   uint32_t words[8];
   bool anisotropic;

   *room = (struct sampler){ .border = BORDER_TRANSPARENT_BLACK };
   if (!read_view(views, n, MALI_TABLE_SAMPLERS, 0, MALI_TYPE_sampler, words))
      return room;
   anisotropic = SAMPLER(lod_algorithm) == MALI_LOD_anisotropic;
   *room = (struct sampler){
      .wrap = { wraps[SAMPLER(wrap_s)], wraps[SAMPLER(wrap_t)], wraps[SAMPLER(wrap_r)] },
      .mag = filter(SAMPLER(mag_nearest), anisotropic),
      .min = filter(SAMPLER(min_nearest), anisotropic),
      .mip = mips[SAMPLER(mip)],
      .slices = SLICE_FILTER_SAME,
      .anisotropy = anisotropic ? log2_of((uint32_t)SAMPLER(anisotropy) + 1) : 0,
      .compare = compares[SAMPLER(compare)],
      .reduction = reductions[SAMPLER(reduction)],
      .border = BORDER_CUSTOM,
      .cube_faces = !SAMPLER(seamless),
      .min_lod = (int16_t)SAMPLER(min_lod),
      .max_lod = (int16_t)SAMPLER(max_lod),
      .lod_bias = (int16_t)SAMPLER(lod_bias),
      .border_color = { (uint32_t)SAMPLER(border_r), (uint32_t)SAMPLER(border_g),
                        (uint32_t)SAMPLER(border_b), (uint32_t)SAMPLER(border_a) },
   };
   return room;
}

/* ---- Buffers ---- */

#define BUFFER(name)    mali_field(words, MALI_AT_BUFFER_##name)
#define ATTRIBUTE(name) mali_field(attribute, MALI_AT_ATTRIBUTE_##name)

static struct target_range
find_buffer(const struct mali_views *v, uint32_t table, uint32_t n)
{
   uint32_t words[8];

   if (!mali_read_descriptor(v, table, n, MALI_TYPE_buffer, words))
      return (struct target_range){ 0, 0 };
   return (struct target_range){ BUFFER(address), BUFFER(size) };
}

/* The buffer of attribute n, from its first element on. */
static bool
attribute_buffer(const struct mali_views *v, uint32_t n, struct elements *out)
{
   uint32_t attribute[8];
   struct target_range range;
   uint64_t offset;

   if (!mali_read_descriptor(v, MALI_TABLE_ATTRIBUTES, n, MALI_TYPE_attribute, attribute))
      return false;
   range = find_buffer(v, (uint32_t)ATTRIBUTE(table), (uint32_t)ATTRIBUTE(buffer));
   offset = ATTRIBUTE(offset);
   if (offset >= range.size)
      return false;
   *out = (struct elements){
      .vm = v->views.vm,
      .format = FORMAT_NONE,
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      .stride = (uint32_t)ATTRIBUTE(stride),
      .va = range.va + offset,
      .size = range.size - offset,
   };
   return true;
}

static bool
buffer(const struct td_views *views, uint32_t n, struct elements *out)
{
   struct target_range range;

   if (n >= TD_VERTEX_BUFFERS)
      return attribute_buffer(views_of(views), n - TD_VERTEX_BUFFERS, out);
   if (n >= TEXTURES)
      return false;
   range = find_buffer(views_of(views), MALI_TABLE_CONSTANTS, n);
   *out = (struct elements){ .vm = views->vm, .va = range.va, .size = range.size };
   return range.size;
}

const struct td_views_ops mali_views_ops = {
   .texture = texture,
   .sampler = sampler,
   .buffer = buffer,
};

/* ---- Sources ---- */

static struct source_words
code(const struct bind_source *source, enum source_code part)
{
   const struct mali_stage *s = stage_of(source);

   switch (part) {
   case SOURCE_PROGRAM:
      return s->program;
   case SOURCE_FETCHES:
      return (struct source_words){ s->views.resources, s->attributes[0],
                                    (size_t)s->num_attributes * 8 };
   default:
      return s->blends;
   }
}

static bool
in_texels(const struct td_views *views, uint32_t n)
{
   uint32_t words[8];

   return read_view(views, n, MALI_TABLE_SAMPLERS, 0, MALI_TYPE_sampler, words) &&
          !SAMPLER(normalized);
}

static struct target_range
constants(const struct bind_source *source, unsigned n)
{
   return find_buffer(&stage_of(source)->views, MALI_TABLE_CONSTANTS, n);
}

static struct target_range
uniforms(const struct bind_source *source)
{
   return (struct target_range){ stage_of(source)->uniforms, stage_of(source)->uniform_bytes };
}

static const struct td_views *
keep(const struct bind_source *source, const struct td_views *reuse)
{
   struct mali_views *copy = pool_alloc(source->pool, sizeof(*copy));

   if (copy)
      *copy = reuse ? *views_of(reuse) : stage_of(source)->views;
   return copy ? &copy->views : NULL;
}

/* Targets lie where no view reaches. */
static bool
view_reads(const struct bind_source *source, uint32_t n, struct target_range range)
{
   (void)source;
   (void)n;
   (void)range;
   return false;
}

/* Programs say it themselves. */
static void
layout(const struct bind_source *source, struct core_layout *out)
{
   (void)source;
   (void)out;
}

const struct source_ops mali_source_ops = {
   .code = code,
   .constants = constants,
   .uniforms = uniforms,
   .in_texels = in_texels,
   .keep = keep,
   .view_reads = view_reads,
   .layout = layout,
};
