/* SPDX-License-Identifier: MIT */
/*
 * Formats. Plain formats are found by the sizes of their channels, lowest bits first, as
 * util_format_description lists them; the hardware names them from the highest bits down.
 *
 * HD 6900 ISA (DATA_FORMAT of VTX_WORD1_GPR) counts those of three dwords among textures' formats,
 * and the registers have 32_32_32_FLOAT for colour targets, which keeps integers' bits, too.
 * Stock r600 reads them from buffers alone: what is tiled has texels of a power of two.
 */
#include "format.h"

#include <string.h>

#include "util/format/u_format.h"
#include "util/macros.h"

#include <atoll/cayman/enums.h>

/* Columns of include/atoll/formats.def: uses of a format, and what its channels are. */
enum use { READ, DRAWN, PIXELS, ELEMENTS };
enum class { PLAIN, FLOAT, FLOAT_INT, SHARED_EXPONENT, BLOCKS, SUBSAMPLED };

struct plain {
   uint8_t size[4];
   uint8_t format;
   enum class class;
   enum use use;
};

#define FORMAT(name, cayman, number, bytes, width, height, class, use, ...) \
   { { __VA_ARGS__ }, number, class, use },
static const struct plain plain_formats[] = {
#include <atoll/formats.def>
};

/* The format of those sizes, for elements of buffers or at least for pixels. */
static const struct plain *
find_sizes(const uint8_t size[4], enum class class, enum use use)
{
   for (unsigned i = 0; i < ARRAY_SIZE(plain_formats); i++) {
      const struct plain *p = &plain_formats[i];
      if (p->use >= use && p->class == class && !memcmp(p->size, size, sizeof(p->size)))
         return p;
   }
   return NULL;
}

static const struct plain *
find_plain(const struct util_format_description *desc, enum use use, int *first_channel)
{
   int first = util_format_get_first_non_void_channel(desc->format);
   if (desc->layout != UTIL_FORMAT_LAYOUT_PLAIN || first < 0)
      return NULL;
   unsigned type = desc->channel[first].type;
   if (type == UTIL_FORMAT_TYPE_FIXED)
      return NULL;

   const enum class class = type == UTIL_FORMAT_TYPE_FLOAT ? FLOAT : PLAIN;
   uint8_t size[4] = { 0 };

   *first_channel = first;
   for (unsigned c = 0; c < desc->nr_channels; c++)
      size[c] = desc->channel[c].size;

   const struct plain *p = find_sizes(size, class, use);
   if (p || use != ELEMENTS || desc->nr_channels != 3 || size[0] != size[1] || size[0] != size[2])
      return p;
   /* Three channels that are fetched as four; the fourth is not selected. */
   size[3] = size[0];
   return find_sizes(size, class, use);
}

unsigned
atoll_select(unsigned swizzle)
{
   switch (swizzle) {
   case PIPE_SWIZZLE_X:
      return SQ_SEL_X;
   case PIPE_SWIZZLE_Y:
      return SQ_SEL_Y;
   case PIPE_SWIZZLE_Z:
      return SQ_SEL_Z;
   case PIPE_SWIZZLE_W:
      return SQ_SEL_W;
   case PIPE_SWIZZLE_1:
      return SQ_SEL_1;
   default:
      return SQ_SEL_0;
   }
}

static void
set_swizzle(uint8_t out[4], const uint8_t in[4])
{
   for (unsigned i = 0; i < 4; i++)
      out[i] = in[i] == PIPE_SWIZZLE_NONE ? PIPE_SWIZZLE_0 : in[i];
}

static bool
depth_stencil_tex_format(enum pipe_format format, struct atoll_tex_format *out)
{
   static const uint8_t xxxx[4] = { PIPE_SWIZZLE_X, PIPE_SWIZZLE_X, PIPE_SWIZZLE_X,
                                    PIPE_SWIZZLE_X };
   set_swizzle(out->swizzle, xxxx);
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      out->format = FMT_16;
      return true;
   case PIPE_FORMAT_Z24X8_UNORM:
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
      out->format = FMT_8_24;
      return true;
   case PIPE_FORMAT_Z32_UNORM: /* floats (atoll_depth_is_floats()) */
   case PIPE_FORMAT_Z32_FLOAT:
   case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
      out->format = FMT_32_FLOAT;
      return true;
   case PIPE_FORMAT_S8_UINT:
   case PIPE_FORMAT_X24S8_UINT:
   case PIPE_FORMAT_X32_S8X24_UINT:
      out->format = FMT_8;
      out->num_format = SQ_NUM_FORMAT_INT;
      out->stencil = true;
      return true;
   default:
      return false;
   }
}

bool
atoll_tex_format(enum pipe_format format, struct atoll_tex_format *out)
{
   const struct util_format_description *desc = util_format_description(format);
   *out = (struct atoll_tex_format){ 0 };

   if (desc->colorspace == UTIL_FORMAT_COLORSPACE_ZS)
      return depth_stencil_tex_format(format, out);
   if (desc->colorspace == UTIL_FORMAT_COLORSPACE_YUV)
      return false;
   set_swizzle(out->swizzle, desc->swizzle);
   out->degamma = desc->colorspace == UTIL_FORMAT_COLORSPACE_SRGB;

   switch (format) {
   case PIPE_FORMAT_RGTC1_SNORM:
   case PIPE_FORMAT_LATC1_SNORM:
      out->signs = 0x1;
      FALLTHROUGH;
   case PIPE_FORMAT_RGTC1_UNORM:
   case PIPE_FORMAT_LATC1_UNORM:
      out->format = FMT_BC4;
      return true;
   case PIPE_FORMAT_RGTC2_SNORM:
   case PIPE_FORMAT_LATC2_SNORM:
      out->signs = 0x3;
      FALLTHROUGH;
   case PIPE_FORMAT_RGTC2_UNORM:
   case PIPE_FORMAT_LATC2_UNORM:
      out->format = FMT_BC5;
      return true;
   case PIPE_FORMAT_DXT1_RGB:
   case PIPE_FORMAT_DXT1_RGBA:
   case PIPE_FORMAT_DXT1_SRGB:
   case PIPE_FORMAT_DXT1_SRGBA:
      out->format = FMT_BC1;
      return true;
   case PIPE_FORMAT_DXT3_RGBA:
   case PIPE_FORMAT_DXT3_SRGBA:
      out->format = FMT_BC2;
      return true;
   case PIPE_FORMAT_DXT5_RGBA:
   case PIPE_FORMAT_DXT5_SRGBA:
      out->format = FMT_BC3;
      return true;
   case PIPE_FORMAT_BPTC_RGBA_UNORM:
   case PIPE_FORMAT_BPTC_SRGBA:
      out->format = FMT_BC7;
      return true;
   case PIPE_FORMAT_BPTC_RGB_FLOAT:
      out->signs = 0x7;
      FALLTHROUGH;
   case PIPE_FORMAT_BPTC_RGB_UFLOAT:
      out->format = FMT_BC6;
      return true;
   case PIPE_FORMAT_FXT1_RGB:
   case PIPE_FORMAT_FXT1_RGBA:
      out->format = FMT_FXT1;
      return true;
   case PIPE_FORMAT_R9G9B9E5_FLOAT:
      out->format = FMT_5_9_9_9_SHAREDEXP;
      return true;
   case PIPE_FORMAT_R11G11B10_FLOAT:
      out->format = FMT_10_11_11_FLOAT;
      return true;
   default:
      break;
   }

   int first;
   const struct plain *p = find_plain(desc, PIXELS, &first);
   if (!p)
      return false;
   /* Scaled formats do not exist for textures. sRGB is decoded from 8 bits in x, y and z: an
    * alpha in y would be decoded too. */
   const struct util_format_channel_description *channel = &desc->channel[first];
   if (p->class == PLAIN && !channel->normalized && !channel->pure_integer)
      return false;
   if (p->class == PLAIN && channel->size == 32 && channel->normalized)
      return false;
   if (out->degamma && p->format != FMT_8 && p->format != FMT_8_8_8_8 &&
       (p->format != FMT_8_8 || desc->swizzle[3] == PIPE_SWIZZLE_Y))
      return false;
   out->format = p->format;
   if (channel->pure_integer)
      out->num_format = SQ_NUM_FORMAT_INT;
   /* Unused components get the sign of the others: the device is fastest with equal signs. */
   for (unsigned i = 0; i < desc->nr_channels; i++)
      if (desc->channel[i].type == UTIL_FORMAT_TYPE_SIGNED ||
          (desc->channel[i].type == UTIL_FORMAT_TYPE_VOID &&
           channel->type == UTIL_FORMAT_TYPE_SIGNED))
         out->signs |= 1 << i;
   return true;
}

/* How the components of a shader's output go to the channels of the format. */
static int
component_swap(const struct util_format_description *desc)
{
   const uint8_t *s = desc->swizzle;
   switch (desc->nr_channels) {
   case 1:
      if (s[0] == PIPE_SWIZZLE_X)
         return SWAP_STD; /* R, L, I */
      if (s[3] == PIPE_SWIZZLE_X)
         return SWAP_ALT_REV; /* A */
      return -1;
   case 2:
      if (s[0] == PIPE_SWIZZLE_X && s[1] == PIPE_SWIZZLE_Y)
         return SWAP_STD;
      if (s[0] == PIPE_SWIZZLE_Y && s[1] == PIPE_SWIZZLE_X)
         return SWAP_STD_REV;
      if (s[0] == PIPE_SWIZZLE_X && s[3] == PIPE_SWIZZLE_Y)
         return SWAP_ALT; /* LA */
      if (s[0] == PIPE_SWIZZLE_Y && s[3] == PIPE_SWIZZLE_X)
         return SWAP_ALT_REV;
      return -1;
   case 3:
      if (s[0] == PIPE_SWIZZLE_X)
         return SWAP_STD;
      if (s[0] == PIPE_SWIZZLE_Z)
         return SWAP_STD_REV;
      return -1;
   case 4:
      /* The first and the last may be missing. */
      if (s[1] == PIPE_SWIZZLE_Y && s[2] == PIPE_SWIZZLE_Z)
         return SWAP_STD;
      if (s[1] == PIPE_SWIZZLE_Z && s[2] == PIPE_SWIZZLE_Y)
         return SWAP_STD_REV;
      if (s[1] == PIPE_SWIZZLE_Y && s[2] == PIPE_SWIZZLE_X)
         return SWAP_ALT;
      if (s[1] == PIPE_SWIZZLE_Z && s[2] == PIPE_SWIZZLE_W)
         return SWAP_ALT_REV;
      return -1;
   default:
      return -1;
   }
}

bool
atoll_cb_format(enum pipe_format format, struct atoll_cb_format *out)
{
   const struct util_format_description *desc = util_format_description(format);
   *out = (struct atoll_cb_format){ 0 };

   if (format == PIPE_FORMAT_R11G11B10_FLOAT) {
      out->format = FMT_10_11_11_FLOAT;
      out->number_type = NUMBER_FLOAT;
      out->swap = SWAP_STD;
      out->alpha_one = true;
      return true;
   }
   if (desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB &&
       desc->colorspace != UTIL_FORMAT_COLORSPACE_SRGB)
      return false;

   int first;
   const struct plain *p = find_plain(desc, PIXELS, &first);
   if (!p)
      return false;
   const struct util_format_channel_description *channel = &desc->channel[first];
   int swap = component_swap(desc);
   if (swap < 0)
      return false;

   if (desc->colorspace == UTIL_FORMAT_COLORSPACE_SRGB) {
      if (channel->size != 8)
         return false;
      out->number_type = NUMBER_SRGB;
   } else if (channel->type == UTIL_FORMAT_TYPE_FLOAT) {
      out->number_type = NUMBER_FLOAT;
   } else if (channel->pure_integer) {
      out->number_type = channel->type == UTIL_FORMAT_TYPE_SIGNED ? NUMBER_SINT : NUMBER_UINT;
      out->integer = true;
   } else if (channel->normalized && channel->size < 32) {
      out->number_type = channel->type == UTIL_FORMAT_TYPE_SIGNED ? NUMBER_SNORM : NUMBER_UNORM;
   } else {
      return false;
   }
   out->format = p->format;
   out->swap = swap;
   out->alpha_one = desc->swizzle[3] == PIPE_SWIZZLE_1;
   return true;
}

bool
atoll_db_format(enum pipe_format format, unsigned *z_format, bool *stencil)
{
   *stencil = false;
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      *z_format = DB_Z_16;
      return true;
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
      *stencil = true;
      FALLTHROUGH;
   case PIPE_FORMAT_Z24X8_UNORM:
      *z_format = DB_Z_24;
      return true;
   case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
      *stencil = true;
      FALLTHROUGH;
   case PIPE_FORMAT_Z32_UNORM: /* floats (atoll_depth_is_floats()) */
   case PIPE_FORMAT_Z32_FLOAT:
      *z_format = DB_Z_32_FLOAT;
      return true;
   case PIPE_FORMAT_S8_UINT:
      *stencil = true;
      *z_format = DB_Z_INVALID;
      return true;
   default:
      return false;
   }
}

bool
atoll_depth_is_floats(enum pipe_format format)
{
   return format == PIPE_FORMAT_Z32_UNORM;
}

bool
atoll_vtx_format(enum pipe_format format, struct atoll_vtx_format *out)
{
   const struct util_format_description *desc = util_format_description(format);
   *out = (struct atoll_vtx_format){ 0 };
   set_swizzle(out->swizzle, desc->swizzle);

   if (format == PIPE_FORMAT_R11G11B10_FLOAT) {
      out->format = FMT_10_11_11_FLOAT;
      out->components = 3;
      return true;
   }
   int first;
   const struct plain *p = find_plain(desc, ELEMENTS, &first);
   if (!p || desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB)
      return false;
   const struct util_format_channel_description *channel = &desc->channel[first];
   if (channel->size == 32 && p->class == PLAIN && !channel->pure_integer)
      return false;
   out->format = p->format;
   out->components = desc->nr_channels;
   if (desc->nr_channels == 3 && (channel->size == 8 || channel->size == 16) &&
       p->size[0] == p->size[2])
      out->excess = channel->size / 8;
   if (p->class == PLAIN) {
      out->is_signed = channel->type == UTIL_FORMAT_TYPE_SIGNED;
      out->num_format = channel->pure_integer ? SQ_NUM_FORMAT_INT
                        : channel->normalized ? SQ_NUM_FORMAT_NORM
                                              : SQ_NUM_FORMAT_SCALED;
   }
   return true;
}

bool
atoll_is_format_supported(struct pipe_screen *screen, enum pipe_format format,
                          enum pipe_texture_target target, unsigned sample_count,
                          unsigned storage_sample_count, unsigned bind)
{
   struct atoll_tex_format tex;
   struct atoll_cb_format cb;
   struct atoll_vtx_format vtx;
   unsigned z;
   bool stencil;

   if (MAX2(sample_count, 1) != MAX2(storage_sample_count, 1))
      return false;
   if (sample_count > 1) {
      if (sample_count != 2 && sample_count != 4 && sample_count != 8)
         return false;
      if (target != PIPE_TEXTURE_2D && target != PIPE_TEXTURE_2D_ARRAY &&
          target != PIPE_TEXTURE_RECT)
         return false;
      if (format != PIPE_FORMAT_NONE && util_format_is_compressed(format))
         return false;
      if (format != PIPE_FORMAT_NONE && !atoll_cb_format(format, &cb) &&
          !atoll_db_format(format, &z, &stencil) &&
          !(atoll_tex_format(format, &tex) && tex.stencil))
         return false;
   }
   if (format == PIPE_FORMAT_NONE)
      return (bind & ~PIPE_BIND_RENDER_TARGET) == 0;
   if (util_format_get_num_planes(format) > 1)
      return false;

   bool ok_cb = target != PIPE_BUFFER && atoll_cb_format(format, &cb);
   if (bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT |
               PIPE_BIND_SHARED | PIPE_BIND_BLENDABLE)) {
      if (!ok_cb)
         return false;
      if ((bind & PIPE_BIND_BLENDABLE) && cb.integer)
         return false;
   }
   if (bind & PIPE_BIND_SAMPLER_VIEW) {
      if (target == PIPE_BUFFER) {
         /* Buffer textures have no excess bytes to read beyond their end. */
         if (!atoll_vtx_format(format, &vtx) || vtx.excess)
            return false;
      } else if (!atoll_tex_format(format, &tex)) {
         return false;
      }
   }
   if ((bind & PIPE_BIND_DEPTH_STENCIL) && !atoll_db_format(format, &z, &stencil))
      return false;
   if ((bind & PIPE_BIND_VERTEX_BUFFER) && !atoll_vtx_format(format, &vtx))
      return false;
   if ((bind & PIPE_BIND_INDEX_BUFFER) && format != PIPE_FORMAT_R8_UINT &&
       format != PIPE_FORMAT_R16_UINT && format != PIPE_FORMAT_R32_UINT)
      return false;
   if ((bind & PIPE_BIND_SHADER_IMAGE) &&
       (!atoll_cb_format(format, &cb) || !atoll_vtx_format(format, &vtx) || vtx.excess ||
        util_format_get_blocksize(format) == 12))
      return false;
   return true;
}
