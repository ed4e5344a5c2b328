/* SPDX-License-Identifier: MIT */
/*
 * Pictures of three channels for textures that have four.
 *
 * Mesa's conversion goes through a texel's channels one by one and stores each where the next step
 * reads it.  Where the two formats have one type and differ in the fourth channel alone, and in the
 * channels' order, a texel is a load and a store.  The linker sends Mesa's calls here (--wrap);
 * what is anything else goes on to Mesa.
 */
#include "main/format_utils.h"
#include "main/formats.h"

#include "driver/copy.h"

void __real__mesa_format_convert(void *dst, uint32_t dst_format, size_t dst_stride, void *src,
                                 uint32_t src_format, size_t src_stride, size_t width,
                                 size_t height, uint8_t *rebase_swizzle);
void __wrap__mesa_format_convert(void *dst, uint32_t dst_format, size_t dst_stride, void *src,
                                 uint32_t src_format, size_t src_stride, size_t width,
                                 size_t height, uint8_t *rebase_swizzle);

/* 0: none. */
static mesa_array_format
array_format(uint32_t format)
{
   return _mesa_format_is_mesa_array_format(format)
             ? format
             : _mesa_format_to_array_format((mesa_format)format);
}

/* Whether `channels` of a format are red, green and blue in order, or in the opposite one. */
static bool
has_order(mesa_array_format format, unsigned channels, bool *turned)
{
   uint8_t swizzle[4];

   if (!format || _mesa_array_format_get_num_channels(format) != (int)channels)
      return false;
   _mesa_array_format_get_swizzle(format, swizzle);
   *turned = swizzle[0] == 2;
   return swizzle[1] == 1 && swizzle[0] + swizzle[2] == 2 && swizzle[0] != 1 &&
          (channels == 3 || swizzle[3] == 3 || swizzle[3] == MESA_FORMAT_SWIZZLE_ONE);
}

/* What Mesa gives to an alpha that the source does not have; false: such a type is left to it. */
static bool
find_one(mesa_array_format format, uint32_t *one)
{
   const bool normalized = _mesa_array_format_is_normalized(format);

   switch (_mesa_array_format_get_datatype(format)) {
   case MESA_ARRAY_FORMAT_TYPE_UBYTE:
      *one = normalized ? 0xff : 1;
      return true;
   case MESA_ARRAY_FORMAT_TYPE_BYTE:
      *one = normalized ? 0x7f : 1;
      return true;
   case MESA_ARRAY_FORMAT_TYPE_USHORT:
      *one = normalized ? 0xffff : 1;
      return true;
   case MESA_ARRAY_FORMAT_TYPE_SHORT:
      *one = normalized ? 0x7fff : 1;
      return true;
   case MESA_ARRAY_FORMAT_TYPE_HALF:
      *one = 0x3c00;
      return true;
   case MESA_ARRAY_FORMAT_TYPE_FLOAT:
      *one = 0x3f800000;
      return true;
   case MESA_ARRAY_FORMAT_TYPE_UINT:
   case MESA_ARRAY_FORMAT_TYPE_INT:
      *one = 1;
      return !normalized;
   default:
      return false;
   }
}

void
__wrap__mesa_format_convert(void *dst, uint32_t dst_format, size_t dst_stride, void *src,
                            uint32_t src_format, size_t src_stride, size_t width, size_t height,
                            uint8_t *rebase_swizzle)
{
   const mesa_array_format to = array_format(dst_format), from = array_format(src_format);
   bool to_turned, from_turned;
   uint32_t one;

   if (rebase_swizzle || !has_order(to, 4, &to_turned) || !has_order(from, 3, &from_turned) ||
       _mesa_array_format_get_datatype(to) != _mesa_array_format_get_datatype(from) ||
       _mesa_array_format_is_normalized(to) != _mesa_array_format_is_normalized(from) ||
       !find_one(to, &one)) {
      __real__mesa_format_convert(dst, dst_format, dst_stride, src, src_format, src_stride, width,
                                  height, rebase_swizzle);
      return;
   }
   for (size_t row = 0; row < height; row++)
      atoll_widen((char *)dst + row * dst_stride, (const char *)src + row * src_stride, width,
                  (unsigned)_mesa_array_format_get_type_size(to), to_turned != from_turned, one);
}
