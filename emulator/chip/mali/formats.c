/* SPDX-License-Identifier: MIT */
/* Pixel formats; see formats.h.  Numbers and names are those of Mesa's description of v10. */
#include "chip/mali/formats.h"

#include "chip/mali/mali.h"
#include "port/format.h"
#include "port/state.h"

enum kind {
   UNORM,
   SNORM,
   UINT,
   SINT,
   FLOATS,
   DEPTH,   /* the first component alone */
   STENCIL, /* where the clump format has it */
};

static const struct {
   uint8_t format, kind;
} formats[256] = {
   [64] = { FORMAT_R5G6B5, UNORM },
   [65] = { FORMAT_R5G5B5A1, UNORM },
   [66] = { FORMAT_R1G5B5A5, UNORM },
   [67] = { FORMAT_R10G10B10A2, UNORM },
   [68] = { FORMAT_R2G10B10A10, UNORM },
   [69] = { FORMAT_R10G10B10A2, SNORM },
   [71] = { FORMAT_R10G10B10A2, UINT },
   [73] = { FORMAT_R10G10B10A2, SINT },
   [75] = { FORMAT_R16, DEPTH },
   [76] = { FORMAT_R32_FLOAT, DEPTH },
   [77] = { FORMAT_R24G8, DEPTH },
   [89] = { FORMAT_R11G11B10_FLOAT, FLOATS },
   [91] = { FORMAT_R9G9B9E5, FLOATS },
   [93] = { FORMAT_R8, STENCIL },
   [99] = { FORMAT_R8, SNORM },
   [100] = { FORMAT_R16, SNORM },
   [101] = { FORMAT_R32, SNORM },
   [107] = { FORMAT_R8G8, SNORM },
   [108] = { FORMAT_R16G16, SNORM },
   [109] = { FORMAT_R32G32, SNORM },
   [115] = { FORMAT_R8G8B8, SNORM },
   [116] = { FORMAT_R16G16B16, SNORM },
   [117] = { FORMAT_R32G32B32, SNORM },
   [123] = { FORMAT_R8G8B8A8, SNORM },
   [124] = { FORMAT_R16G16B16A16, SNORM },
   [125] = { FORMAT_R32G32B32A32, SNORM },
   [131] = { FORMAT_R8, UINT },
   [132] = { FORMAT_R16, UINT },
   [133] = { FORMAT_R32, UINT },
   [139] = { FORMAT_R8G8, UINT },
   [140] = { FORMAT_R16G16, UINT },
   [141] = { FORMAT_R32G32, UINT },
   [147] = { FORMAT_R8G8B8, UINT },
   [148] = { FORMAT_R16G16B16, UINT },
   [149] = { FORMAT_R32G32B32, UINT },
   [155] = { FORMAT_R8G8B8A8, UINT },
   [156] = { FORMAT_R16G16B16A16, UINT },
   [157] = { FORMAT_R32G32B32A32, UINT },
   [163] = { FORMAT_R8, UNORM },
   [164] = { FORMAT_R16, UNORM },
   [165] = { FORMAT_R32, UNORM },
   [167] = { FORMAT_R32_FLOAT, FLOATS },
   [170] = { FORMAT_R4G4, UNORM },
   [171] = { FORMAT_R8G8, UNORM },
   [172] = { FORMAT_R16G16, UNORM },
   [173] = { FORMAT_R32G32, UNORM },
   [175] = { FORMAT_R32G32_FLOAT, FLOATS },
   [179] = { FORMAT_R8G8B8, UNORM },
   [180] = { FORMAT_R16G16B16, UNORM },
   [181] = { FORMAT_R32G32B32, UNORM },
   [183] = { FORMAT_R32G32B32_FLOAT, FLOATS },
   [186] = { FORMAT_R4G4B4A4, UNORM },
   [187] = { FORMAT_R8G8B8A8, UNORM },
   [188] = { FORMAT_R16G16B16A16, UNORM },
   [189] = { FORMAT_R32G32B32A32, UNORM },
   [191] = { FORMAT_R32G32B32A32_FLOAT, FLOATS },
   [195] = { FORMAT_R8, SINT },
   [196] = { FORMAT_R16, SINT },
   [197] = { FORMAT_R32, SINT },
   [199] = { FORMAT_R16_FLOAT, FLOATS },
   [203] = { FORMAT_R8G8, SINT },
   [204] = { FORMAT_R16G16, SINT },
   [205] = { FORMAT_R32G32, SINT },
   [207] = { FORMAT_R16G16_FLOAT, FLOATS },
   [211] = { FORMAT_R8G8B8, SINT },
   [212] = { FORMAT_R16G16B16, SINT },
   [213] = { FORMAT_R32G32B32, SINT },
   [215] = { FORMAT_R16G16B16_FLOAT, FLOATS },
   [219] = { FORMAT_R8G8B8A8, SINT },
   [220] = { FORMAT_R16G16B16A16, SINT },
   [221] = { FORMAT_R32G32B32A32, SINT },
   [223] = { FORMAT_R16G16B16A16_FLOAT, FLOATS },
   /* Of the tile buffer. */
   [224] = { FORMAT_R5G5B5A1, UNORM },
   [225] = { FORMAT_R5G5B5A1, UNORM },
   [226] = { FORMAT_R5G6B5, UNORM },
   [227] = { FORMAT_R5G6B5, UNORM },
   [232] = { FORMAT_R4G4B4A4, UNORM },
   [233] = { FORMAT_R4G4B4A4, UNORM },
   [237] = { FORMAT_R8G8B8A8, UNORM },
   [238] = { FORMAT_R10G10B10A2, UNORM },
};

static const struct {
   uint8_t conversion, sign, numeric;
} kinds[] = {
   [UNORM] = { CONVERT_NORM, CHANNEL_UNSIGNED, NUMERIC_UNORM },
   [SNORM] = { CONVERT_NORM, CHANNEL_SIGNED, NUMERIC_SNORM },
   [UINT] = { CONVERT_INT, CHANNEL_UNSIGNED, NUMERIC_UINT },
   [SINT] = { CONVERT_INT, CHANNEL_SIGNED, NUMERIC_SINT },
   [FLOATS] = { CONVERT_NORM, CHANNEL_SIGNED, NUMERIC_FLOAT },
   [DEPTH] = { CONVERT_NORM, CHANNEL_UNSIGNED, NUMERIC_UNORM },
   [STENCIL] = { CONVERT_INT, CHANNEL_UNSIGNED, NUMERIC_UINT },
};

#define X SWIZZLE_X
#define Y SWIZZLE_Y
#define Z SWIZZLE_Z
#define W SWIZZLE_W
#define O SWIZZLE_0
#define I SWIZZLE_1

/* Numbers of orders and, red first, where a component lies. */
static const struct {
   uint8_t number, swizzle[4];
} orders[] = {
   { 0, { X, Y, Z, W } },   /* RGBA */
   { 2, { Y, X, Z, W } },   /* GRBA */
   { 4, { Z, Y, X, W } },   /* BGRA */
   { 8, { Y, Z, W, X } },   /* ARGB */
   { 10, { Z, Y, W, X } },  /* AGRB */
   { 12, { W, Z, Y, X } },  /* ABGR */
   { 16, { X, Y, Z, I } },  /* RGB1 */
   { 18, { Y, X, Z, I } },  /* GRB1 */
   { 20, { Z, Y, X, I } },  /* BGR1 */
   { 24, { Y, Z, W, I } },  /* 1RGB */
   { 26, { Z, Y, W, I } },  /* 1GRB */
   { 28, { W, Z, Y, I } },  /* 1BGR */
   { 226, { X, X, X, X } }, /* RRRR */
   { 227, { X, X, X, I } }, /* RRR1 */
   { 228, { X, X, X, Y } }, /* RRRA */
   { 229, { O, O, O, X } }, /* 000A */
   { 230, { O, O, O, I } }, /* 0001 */
   { 231, { O, O, O, O } }, /* 0000 */
   { 240, { X, O, O, O } }, /* R000 */
   { 242, { X, Z, Y, W } }, /* RBGA */
};

static bool
find_order(uint32_t number, uint8_t swizzle[4])
{
   for (unsigned n = 0; n < sizeof(orders) / sizeof(*orders); n++) {
      if (orders[n].number != number)
         continue;
      for (unsigned c = 0; c < 4; c++)
         swizzle[c] = orders[n].swizzle[c];
      return true;
   }
   return false;
}

/* Stencil lies beside depth, or alone; so does depth of more bits than a format for it has. */
static void
find_planes(struct mali_format *f, unsigned kind, unsigned clump)
{
   uint8_t where = X;

   if (kind == STENCIL && clump == MALI_CLUMP_x24s8) {
      f->format = FORMAT_R24G8;
      where = Y;
   } else if (kind == STENCIL && clump == MALI_CLUMP_x32s8x24) {
      f->format = FORMAT_R32_FLOAT_G8;
      where = Y;
   } else if (clump == MALI_CLUMP_d32x32) {
      f->format = FORMAT_R32_FLOAT_G8;
   }
   for (unsigned c = 0; c < 4; c++)
      f->swizzle[c] = c == 0 ? where : c == 3 ? I : O;
}

struct mali_format
mali_decode_format(uint32_t format, unsigned clump)
{
   const unsigned number = format >> 12 & 0xff, kind = formats[number].kind;
   struct mali_format f = {
      .format = formats[number].format,
      .conversion = kinds[kind].conversion,
      .sign = kinds[kind].sign,
      .numeric = kinds[kind].numeric,
      .srgb = format >> 20 & 1,
   };

   if (!find_order(format & 0xfff, f.swizzle))
      f.format = FORMAT_NONE;
   else if (f.format != FORMAT_NONE && (kind == DEPTH || kind == STENCIL))
      find_planes(&f, kind, clump);
   if (f.srgb && f.numeric == NUMERIC_UNORM)
      f.numeric = NUMERIC_SRGB;
   return f;
}

unsigned
mali_clump_bytes(unsigned clump)
{
   switch (clump) {
   case MALI_CLUMP_raw8:
   case MALI_CLUMP_s8:
   case MALI_CLUMP_a8:
   case MALI_CLUMP_l4a4:
      return 1;
   case MALI_CLUMP_raw16:
   case MALI_CLUMP_l8a8:
      return 2;
   case MALI_CLUMP_raw24:
      return 3;
   case MALI_CLUMP_raw32:
   case MALI_CLUMP_x24s8:
   case MALI_CLUMP_s8x24:
      return 4;
   case MALI_CLUMP_raw48:
      return 6;
   case MALI_CLUMP_raw64:
   case MALI_CLUMP_d32x32:
   case MALI_CLUMP_x32s8x24:
      return 8;
   case MALI_CLUMP_raw96:
      return 12;
   case MALI_CLUMP_raw128:
      return 16;
   default:
      return 0;
   }
}
