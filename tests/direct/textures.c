/* SPDX-License-Identifier: MIT */
/*
 * Random textures, samplers and images of typed UAVs, and the statements that use them.
 *
 * Resources: 0 and 2 are stages of shader model 3; 8 to 11 are alike but for format and size, so
 * that an index may choose among them; 12 and 13 are of any kind, 14 is a buffer, 15 has several
 * samples.  UAV 6 is an image of any format, UAV 7 one of dwords for atomic operations.
 *
 * Where a chip computes what Cayman's texture unit does itself (offers.snaps), operands are such
 * that both give the same bits:
 *
 *  1. Levels are within 16 of 0, and a bias, or a level that Cayman makes gradients of, is a whole
 *     number of 256ths.
 *  2. Of a direction the greatest component is a power of two, the others are 256ths.
 *  3. There is no bias of a comparison that leaves Cayman no room for it: it makes gradients of it,
 *     by other arithmetic.  Nor are integers gathered where a limit of coordinates or a
 *     cube's edge would show that Cayman's unit gathers at another offset, which its programs have
 *     to undo.
 */
#include "maker.h"

#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#define FIRST_ALIKE 8
#define FIRST_OTHER 12
#define TEX_BUFFER  14
#define TEX_SAMPLES 15
#define NUM_USED    8 /* samplers */
#define IMAGE       6
#define IMAGE_INT   7

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct texel_format {
   uint8_t format, number;
   bool is_signed, srgb;
};

static const struct texel_format float_formats[] = {
   { FMT_8, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_8_8_8_8, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_8_8_8_8, SQ_NUM_FORMAT_NORM, true, false },
   { FMT_8_8_8_8, SQ_NUM_FORMAT_NORM, false, true },
   { FMT_8_8, SQ_NUM_FORMAT_SCALED, true, false },
   { FMT_5_6_5, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_2_10_10_10, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_10_11_11_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_5_9_9_9_SHAREDEXP, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_16, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_16_16, SQ_NUM_FORMAT_NORM, true, false },
   { FMT_16_16_16_16_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_32_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_32_32_32_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_32_32_32_32_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_8_24, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_BC1, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_BC4, SQ_NUM_FORMAT_NORM, true, false },
   { FMT_BC7, SQ_NUM_FORMAT_NORM, false, false },
};
#define NUM_BLOCKS 3 /* at the end: compressed ones */

static const struct texel_format integer_formats[] = {
   { FMT_8_8_8_8, SQ_NUM_FORMAT_INT, false, false },
   { FMT_8, SQ_NUM_FORMAT_INT, true, false },
   { FMT_16_16, SQ_NUM_FORMAT_INT, true, false },
   { FMT_32, SQ_NUM_FORMAT_INT, false, false },
   { FMT_32_32_32_32, SQ_NUM_FORMAT_INT, false, false },
};

/* Formats of targets that any program may store to. */
static const struct texel_format image_formats[] = {
   { FMT_8_8_8_8, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_16_16, SQ_NUM_FORMAT_NORM, true, false },
   { FMT_32_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_16_16_16_16_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_32_32_32_32_FLOAT, SQ_NUM_FORMAT_NORM, false, false },
   { FMT_8_8_8_8, SQ_NUM_FORMAT_INT, false, false },
   { FMT_32_32, SQ_NUM_FORMAT_INT, true, false },
   { FMT_32_32_32_32, SQ_NUM_FORMAT_INT, false, false },
};

/* --- views ------------------------------------------------------------------------------------ */
static void
set_format(struct machine_texture *t, const struct texel_format *f, struct rng *r)
{
   t->format = f->format;
   t->num_format = f->number;
   t->is_signed = f->is_signed;
   t->srgb = f->srgb;
   for (unsigned c = 0; c < 4; c++)
      t->select[c] = (uint8_t)(rng_pick(r, 4) ? c : rng_pick(r, 6));
}

static unsigned
size(struct rng *r)
{
   static const uint8_t sizes[] = { 1, 2, 3, 4, 7, 8, 16, 17, 33 };
   return sizes[rng_pick(r, COUNT(sizes))];
}

/* Kind, format and size of a texture that a pixtex usage is the name of. */
static void
make_texture(struct machine_texture *t, unsigned kind, bool integer, const struct views *v,
             struct rng *r)
{
   static const uint8_t dims[] = {
      [IL_USAGE_PIXTEX_1D] = SQ_TEX_DIM_1D,
      [IL_USAGE_PIXTEX_2D] = SQ_TEX_DIM_2D,
      [IL_USAGE_PIXTEX_3D] = SQ_TEX_DIM_3D,
      [IL_USAGE_PIXTEX_CUBEMAP] = SQ_TEX_DIM_CUBEMAP,
      [IL_USAGE_PIXTEX_2DMSAA] = SQ_TEX_DIM_2D_MSAA,
      [IL_USAGE_PIXTEX_BUFFER] = SQ_TEX_DIM_1D,
      [IL_USAGE_PIXTEX_1DARRAY] = SQ_TEX_DIM_1D_ARRAY,
      [IL_USAGE_PIXTEX_2DARRAY] = SQ_TEX_DIM_2D_ARRAY,
      [IL_USAGE_PIXTEX_2DARRAYMSAA] = SQ_TEX_DIM_2D_ARRAY_MSAA,
      [IL_USAGE_PIXTEX_CUBEMAP_ARRAY] = SQ_TEX_DIM_CUBEMAP,
   };
   bool samples = kind == IL_USAGE_PIXTEX_2DMSAA || kind == IL_USAGE_PIXTEX_2DARRAYMSAA;
   bool buffer = kind == IL_USAGE_PIXTEX_BUFFER;
   unsigned floats = COUNT(float_formats) - (samples || buffer ? NUM_BLOCKS : 0);

   *t = (struct machine_texture){ .there = true,
                                  .is_buffer = buffer,
                                  .dim = dims[kind],
                                  .levels = 1,
                                  .samples = 1,
                                  .width = size(r),
                                  .height = 1,
                                  .depth = 1,
                                  .data = v->texels,
                                  .dwords = TEXEL_DWORDS - rng_pick(r, TEXEL_DWORDS / 2) };
   set_format(t,
              integer ? &integer_formats[rng_pick(r, COUNT(integer_formats))]
                      : &float_formats[rng_pick(r, floats)],
              r);
   if (t->dim == SQ_TEX_DIM_CUBEMAP)
      t->height = t->width;
   else if (t->dim != SQ_TEX_DIM_1D && t->dim != SQ_TEX_DIM_1D_ARRAY)
      t->height = size(r);
   if (t->dim == SQ_TEX_DIM_3D || kind == IL_USAGE_PIXTEX_1DARRAY ||
       kind == IL_USAGE_PIXTEX_2DARRAY || kind == IL_USAGE_PIXTEX_2DARRAYMSAA ||
       kind == IL_USAGE_PIXTEX_CUBEMAP_ARRAY)
      t->depth = 1 + rng_pick(r, 5);
   if (samples) {
      t->samples = (uint8_t)(2u << rng_pick(r, 3));
   } else if (!buffer) {
      t->levels = (uint8_t)(1 + rng_pick(r, 4));
      while (machine_texture_check(t, false))
         t->levels--;
   }
}

static void
make_sampler(struct machine_sampler *s, struct rng *r)
{
   bool aniso = rng_pick(r, 8) == 0;

   s->there = true;
   s->words[0] = REG_FIELD(SAMPLER_WORD0, CLAMP_X, rng_pick(r, 8)) |
                 REG_FIELD(SAMPLER_WORD0, CLAMP_Y, rng_pick(r, 8)) |
                 REG_FIELD(SAMPLER_WORD0, CLAMP_Z, rng_pick(r, 8)) |
                 REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, rng_pick(r, 2) | (aniso ? 2u : 0)) |
                 REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, rng_pick(r, 2) | (aniso ? 2u : 0)) |
                 REG_FIELD(SAMPLER_WORD0, Z_FILTER, rng_pick(r, 3)) |
                 REG_FIELD(SAMPLER_WORD0, MIP_FILTER, rng_pick(r, 3)) |
                 REG_FIELD(SAMPLER_WORD0, MAX_ANISO_RATIO, aniso ? 1 + rng_pick(r, 4) : 0) |
                 REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, rng_pick(r, 4)) |
                 REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, rng_pick(r, 8));
   s->words[1] = REG_FIELD(SAMPLER_WORD1, MIN_LOD, rng_pick(r, 3) ? 0 : rng_pick(r, 768)) |
                 REG_FIELD(SAMPLER_WORD1, MAX_LOD, rng_pick(r, 3) ? 4095 : rng_pick(r, 1024));
   s->words[2] = REG_FIELD(SAMPLER_WORD2, LOD_BIAS, rng_pick(r, 3) ? 0 : rng_next(r) & 0x3fff) |
                 REG_FIELD(SAMPLER_WORD2, TRUNCATE_COORD, rng_pick(r, 8) == 0) |
                 REG_FIELD(SAMPLER_WORD2, DISABLE_CUBE_WRAP, rng_pick(r, 4) == 0) |
                 REG_FIELD(SAMPLER_WORD2, TYPE, 1);
   for (unsigned c = 0; c < 4; c++)
      s->border.rgba[c] = rng_bits(r);
}

static unsigned
sampled_kind(struct rng *r)
{
   static const uint8_t kinds[] = { IL_USAGE_PIXTEX_1D,      IL_USAGE_PIXTEX_2D,
                                    IL_USAGE_PIXTEX_2D,      IL_USAGE_PIXTEX_3D,
                                    IL_USAGE_PIXTEX_CUBEMAP, IL_USAGE_PIXTEX_1DARRAY,
                                    IL_USAGE_PIXTEX_2DARRAY, IL_USAGE_PIXTEX_CUBEMAP_ARRAY };
   return kinds[rng_pick(r, offers.units ? 5 : COUNT(kinds))];
}

static void
make_image(struct machine_texture *t, const struct texel_format *f, unsigned *kind,
           const struct views *v, struct rng *r)
{
   static const uint8_t kinds[] = { IL_USAGE_PIXTEX_1D,      IL_USAGE_PIXTEX_2D,
                                    IL_USAGE_PIXTEX_3D,      IL_USAGE_PIXTEX_1DARRAY,
                                    IL_USAGE_PIXTEX_2DARRAY, IL_USAGE_PIXTEX_BUFFER };

   *kind = kinds[rng_pick(r, COUNT(kinds))];
   make_texture(t, *kind, false, v, r);
   set_format(t, f, r);
   t->levels = 1;
   t->width = 1 + rng_pick(r, 8);
   t->height = t->height > 8 ? 8 : t->height;
   for (unsigned c = 0; c < 4; c++)
      t->select[c] = (uint8_t)c; /* what a load gives is in the target's own order */
}

/* Whether coordinates may count texels. */
static bool
has_texels(unsigned kind)
{
   return !offers.units || kind == IL_USAGE_PIXTEX_1D || kind == IL_USAGE_PIXTEX_2D;
}

void
make_views(struct views *v, struct rng *r)
{
   memset(v, 0, sizeof(*v));
   v->used = rng_pick(r, 2);
   for (unsigned i = 0; i < TEXEL_DWORDS; i++)
      v->texels[i] = rng_bits(r);
   if (!v->used)
      return;
   for (unsigned n = 0; n < (offers.units ? MACHINE_SAMPLERS : NUM_USED); n++)
      make_sampler(&v->sampler[n], r);
   for (unsigned n = 0; n <= 2 && offers.stages; n += 2) {
      static const uint8_t kinds[] = { IL_USAGE_PIXTEX_1D,      IL_USAGE_PIXTEX_2D,
                                       IL_USAGE_PIXTEX_2D,      IL_USAGE_PIXTEX_3D,
                                       IL_USAGE_PIXTEX_CUBEMAP, IL_USAGE_PIXTEX_2DMSAA };
      v->kind[n] = kinds[rng_pick(r, COUNT(kinds))];
   }
   for (unsigned n = FIRST_ALIKE; n < TEX_BUFFER; n++) {
      bool again = n > FIRST_ALIKE && n < FIRST_OTHER;
      v->kind[n] = again ? v->kind[FIRST_ALIKE] : sampled_kind(r);
      v->integer[n] = again ? v->integer[FIRST_ALIKE] : !offers.units ? rng_pick(r, 4) == 0 : false;
   }
   if (!offers.units) {
      v->kind[TEX_BUFFER] = IL_USAGE_PIXTEX_BUFFER;
      v->kind[TEX_SAMPLES] = rng_pick(r, 2) ? IL_USAGE_PIXTEX_2DMSAA : IL_USAGE_PIXTEX_2DARRAYMSAA;
   }
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++) {
      v->unnorm[n] = rng_pick(r, 8) == 0 && has_texels(v->kind[n]);
      if (v->kind[n])
         make_texture(&v->texture[n], v->kind[n], v->integer[n], v, r);
   }
   if (offers.units)
      return;
   static const struct texel_format dwords = { FMT_32, SQ_NUM_FORMAT_INT, false, false };
   make_image(&v->image[IMAGE], &image_formats[rng_pick(r, COUNT(image_formats))],
              &v->image_kind[IMAGE], v, r);
   make_image(&v->image[IMAGE_INT], &dwords, &v->image_kind[IMAGE_INT], v, r);
}

/* --- declarations ----------------------------------------------------------------------------- */
static bool
has_stages(const struct maker *m)
{
   return offers.stages && (m->stage == IL_SHADER_VERTEX || m->stage == IL_SHADER_PIXEL);
}

static bool
has_images(const struct maker *m)
{
   if (offers.units)
      return false;
   return m->stage == IL_SHADER_COMPUTE || m->stage == IL_SHADER_PIXEL ||
          (m->stage == IL_SHADER_VERTEX && m->extended);
}

void
declare_textures(struct maker *m)
{
   const struct views *v = m->views;

   for (unsigned n = 0; n < MACHINE_TEXTURES && v->used; n++) {
      if (n < FIRST_ALIKE && v->kind[n] && has_stages(m)) {
         unsigned mode = v->unnorm[n] ? IL_TEXCOORDMODE_UNNORMALIZED : IL_TEXCOORDMODE_NORMALIZED;
         il_emit(m->p, IL_OP_DCLPT, n | v->kind[n] << 8 | mode << 11, NULL, 0, NULL);
         m->mixed = true;
      } else if (n >= FIRST_ALIKE && v->kind[n]) {
         uint32_t format = v->integer[n] ? IL_ELEMENTFORMAT_UINT : IL_ELEMENTFORMAT_FLOAT;
         uint32_t formats = format << 20 | format << 23 | format << 26 | format << 29;
         il_emit_data(m->p, IL_OP_DCL_RESOURCE, n | v->kind[n] << 8 | (v->unnorm[n] ? 0x8000u : 0),
                      NULL, 0, NULL, 1, &formats);
      }
   }
   for (unsigned n = IMAGE; n <= IMAGE_INT && v->used && has_images(m); n++) {
      bool integer = v->image[n].num_format == SQ_NUM_FORMAT_INT;
      unsigned format = integer ? IL_ELEMENTFORMAT_UINT : IL_ELEMENTFORMAT_FLOAT;
      if (m->extended && pick(m, 2))
         il_emit(m->p, IL_OP_DCL_X_UAV, n | v->image_kind[n] << 10, NULL, 0, NULL);
      else
         il_emit(m->p, IL_OP_DCL_UAV, n | format << 4 | v->image_kind[n] << 8, NULL, 0, NULL);
   }
}

/* --- operands --------------------------------------------------------------------------------- */

/* The number of a sample: beyond 15 there is nothing. */
static struct il_src
sample_number(struct maker *m)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, SCRATCH);
   const struct il_src s[2] = { any_operand(m),
                                il_replicate(il_src(IL_REGTYPE_LITERAL, L_TEXEL), 0) };

   il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
   return il_src(IL_REGTYPE_TEMP, SCRATCH);
}

/* Any register, or mostly r9 with numbers that lie within a texture. */
static struct il_src
coordinates(struct maker *m, bool whole)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, SCRATCH);
   const struct il_src s[2] = { any_operand(m),
                                il_src(IL_REGTYPE_LITERAL, whole ? L_TEXEL : L_SCALE) };

   if (pick(m, 4) == 0)
      return s[0];
   if (whole) {
      il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
   } else if (pick(m, 2)) {
      il_emit(m->p, IL_OP_FRC, 0, &d, 1, s);
   } else {
      const struct il_src fraction[2] = { il_src(IL_REGTYPE_TEMP, SCRATCH), s[1] };
      il_emit(m->p, IL_OP_FRC, 0, &d, 1, s);
      il_emit(m->p, IL_OP_MUL, offers.ieee_alone, &d, 2, fraction);
   }
   struct il_src c = il_src(IL_REGTYPE_TEMP, SCRATCH);
   return pick(m, 3) ? c : il_swizzle(c, pick(m, 4), pick(m, 4), pick(m, 4), pick(m, 4));
}

/* Indices, alike in all lanes, for an instruction that has `count` sources; how many there are. */
static unsigned
indices(struct maker *m, struct il_src *src, unsigned count)
{
   struct il_src constant = il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), pick(m, 4));

   src[count] = src[count + 1] = constant;
   if (pick(m, 2)) {
      struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, INDICES), 1);
      const struct il_src s[2] = { il_replicate(il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0,
                                                             pick(m, NUM_CONSTS), NULL),
                                                pick(m, 4)),
                                   il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), 3) };
      il_emit(m->p, IL_OP_AND, 0, &d, 2, s);
      src[count] = il_replicate(il_src(IL_REGTYPE_TEMP, INDICES), 0);
      src[count + 1] = pick(m, 2) ? src[count] : constant;
   }
   return count + 2;
}

/* r9: a whole number of 256ths, from -1/2 up to 1/2. */
static struct il_src
snapped(struct maker *m, struct il_src from)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, SCRATCH);
   const struct il_src v = il_src(IL_REGTYPE_TEMP, SCRATCH),
                       l = il_src(IL_REGTYPE_LITERAL, L_PLACE);
   const struct il_src least[2] = { v, il_replicate(l, 3) };
   const struct il_src scaled[3] = { v, il_replicate(l, 0), il_replicate(l, 1) };
   const struct il_src back[2] = { v, il_replicate(l, 2) };

   il_emit(m->p, IL_OP_FRC, 0, &d, 1, &from);
   il_emit(m->p, IL_OP_MIN, 0, &d, 2, least); /* a number even of what is none */
   il_emit(m->p, IL_OP_MAD, 1, &d, 3, scaled);
   il_emit(m->p, IL_OP_ROUND_NEG_INF, 0, &d, 1, &v);
   il_emit(m->p, IL_OP_MUL, 1, &d, 2, back);
   return v;
}

/* r9: a direction, of one face or, lane by lane, one of two, and a layer from -2 up to 6. */
static struct il_src
direction(struct maker *m)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, SCRATCH), other = il_dst(IL_REGTYPE_TEMP, LEVEL);
   const struct il_src v = snapped(m, any_operand(m)), w = il_src(IL_REGTYPE_TEMP, LEVEL);
   const bool both = pick(m, 2);
   struct il_src s[2][3];

   for (unsigned n = 0; n < 2; n++) {
      s[n][0] = v;
      s[n][1] = il_src(IL_REGTYPE_LITERAL, L_FACE + 2 * n);
      s[n][2] = il_src(IL_REGTYPE_LITERAL, L_FACE + 2 * n + 1);
   }
   if (both)
      il_emit(m->p, IL_OP_MAD, 1, &other, 3, s[1]);
   il_emit(m->p, IL_OP_MAD, 1, &d, 3, s[0]);
   if (both) {
      const struct il_src either[3] = { one_component(m), v, w };
      il_emit(m->p, IL_OP_CMOV_LOGICAL, 0, &d, 3, either);
   }
   return v;
}

/* r12: a level within 16 of 0, if `whole` in 256ths. */
static struct il_src
level(struct maker *m, bool whole)
{
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, LEVEL);
   const struct il_src v = il_src(IL_REGTYPE_TEMP, LEVEL), l = il_src(IL_REGTYPE_LITERAL, L_LEVEL);
   const struct il_src least[2] = { any_operand(m), il_replicate(l, 2) };
   const struct il_src most[2] = { v, il_replicate(l, 3) };
   const struct il_src scaled[2] = { v, il_replicate(l, 0) };
   const struct il_src back[2] = { v, il_replicate(l, 1) };

   il_emit(m->p, IL_OP_MAX, 0, &d, 2, least);
   il_emit(m->p, IL_OP_MIN, 0, &d, 2, most);
   if (whole) {
      il_emit(m->p, IL_OP_MUL, 1, &d, 2, scaled);
      il_emit(m->p, IL_OP_ROUND_NEAR, 0, &d, 1, &v);
      il_emit(m->p, IL_OP_MUL, 1, &d, 2, back);
   }
   return v;
}

static bool
is_cube(unsigned kind)
{
   return kind == IL_USAGE_PIXTEX_CUBEMAP || kind == IL_USAGE_PIXTEX_CUBEMAP_ARRAY;
}

static void
offsets(struct maker *m, struct il_inst *inst, unsigned kind)
{
   if (inst && !is_cube(kind) && pick(m, 3) == 0) {
      int at[3];
      at[2] = (int)pick(m, 32) - 16;
      at[1] = (int)pick(m, 32) - 16;
      at[0] = pick(m, 4) ? (int)pick(m, 32) - 16 : (int)pick(m, 256);
      for (unsigned a = 0; a < 3 && offers.snaps; a++)
         at[a] &= ~1;
      il_set_aoff(inst, (int8_t)at[0], at[1], at[2]);
   }
}

static struct il_dst
result(struct maker *m)
{
   struct il_dst d = value_register(m);
   if (pick(m, 16) == 0)
      d.clamp = true;
   return d;
}

/* --- statements ------------------------------------------------------------------------------- */

/* Derivatives need all four pixels. */
static bool
all_pixels(const struct maker *m)
{
   return m->stage == IL_SHADER_PIXEL && !m->depth && !m->in_function && !m->returns;
}

static bool
fits(unsigned op, unsigned kind)
{
   switch (op) {
   case IL_OP_FETCH4:
   case IL_OP_FETCH4_C:
      return kind != IL_USAGE_PIXTEX_1D && kind != IL_USAGE_PIXTEX_1DARRAY &&
             kind != IL_USAGE_PIXTEX_3D;
   case IL_OP_FETCH4_PO:
   case IL_OP_FETCH4_PO_C:
      return kind == IL_USAGE_PIXTEX_2D || kind == IL_USAGE_PIXTEX_2DARRAY;
   default:
      return true;
   }
}

/* Whether z of the texture unit is taken, so that a comparison has no room for a level. */
static bool
takes_z(unsigned kind)
{
   return kind != IL_USAGE_PIXTEX_1D && kind != IL_USAGE_PIXTEX_2D;
}

static bool
has_bias(unsigned op)
{
   return op == IL_OP_SAMPLE_B || op == IL_OP_SAMPLE_C_B;
}

static bool
has_level(unsigned op)
{
   return has_bias(op) || op == IL_OP_SAMPLE_L || op == IL_OP_SAMPLE_C_L;
}

/* Whether a sampler limits coordinates where filters are, or cuts them. */
static bool
limits_filter(const struct machine_sampler *s)
{
   bool limits = REG_FIELD_GET(s->words[2], SAMPLER_WORD2, TRUNCATE_COORD);

   for (unsigned a = 0; a < 3; a++) {
      const uint32_t clamp = s->words[0] >> 3 * a & 7;
      limits |= clamp == SQ_TEX_CLAMP_HALF_BORDER || clamp == SQ_TEX_MIRROR_ONCE_HALF_BORDER;
   }
   return limits;
}

/* Rules 1 and 3: the operation to emit instead of `op`. */
static unsigned
snapped_op(struct maker *m, unsigned op, unsigned n, unsigned sampler, bool indexed)
{
   const unsigned kind = m->views->kind[n];

   switch (op) {
   case IL_OP_SAMPLE_G:
   case IL_OP_SAMPLE_C_G:
      if (m->in_macro || m->in_function || m->gradients == MAX_GRADIENTS)
         return op == IL_OP_SAMPLE_G ? IL_OP_SAMPLE_L : IL_OP_SAMPLE_C_L;
      m->gradients++;
      return op;
   case IL_OP_SAMPLE_C_B:
      return takes_z(kind) ? IL_OP_SAMPLE_C_LZ : op;
   case IL_OP_FETCH4:
   case IL_OP_FETCH4_C:
   case IL_OP_FETCH4_PO:
   case IL_OP_FETCH4_PO_C:
      return m->views->integer[n] &&
                   (indexed || is_cube(kind) || limits_filter(&m->views->sampler[sampler]))
                ? IL_OP_SAMPLE_L
                : op;
   default:
      return op;
   }
}

/* An operation that a texture unit of OpenGL 2.1 has. */
static unsigned
unit_op(struct maker *m, unsigned kind)
{
   static const uint16_t ops[] = { IL_OP_SAMPLE_L,    IL_OP_SAMPLE,   IL_OP_SAMPLE_B,
                                   IL_OP_SAMPLE_C_LZ, IL_OP_SAMPLE_C, IL_OP_SAMPLE_C_B,
                                   IL_OP_SAMPLE_C_L };
   const bool derive = all_pixels(m), compare = !takes_z(kind) && pick(m, 2);

   return compare  ? derive       ? ops[3 + pick(m, 4)]
                     : pick(m, 2) ? IL_OP_SAMPLE_C_LZ
                                  : IL_OP_SAMPLE_C_L
          : derive ? ops[pick(m, 3)]
                   : IL_OP_SAMPLE_L;
}

/* Coordinates of a sample, and then what else it has. */
static unsigned
sources(struct maker *m, unsigned op, unsigned n, struct il_src *s)
{
   const unsigned kind = m->views->kind[n], count = il_op_info(op)->srcs;

   s[0] = offers.snaps && is_cube(kind) ? direction(m) : coordinates(m, false);
   for (unsigned i = 1; i < count; i++) {
      const bool is_level = i == count - 1 && has_level(op);
      s[i] = is_level && offers.snaps
                ? level(m, has_bias(op) || (op == IL_OP_SAMPLE_C_L && takes_z(kind)))
                : any_operand(m);
   }
   return count;
}

static void
sample(struct maker *m)
{
   static const uint16_t any[] = { IL_OP_SAMPLE_G,   IL_OP_SAMPLE_L,   IL_OP_SAMPLE_L,
                                   IL_OP_SAMPLE_C_L, IL_OP_SAMPLE_C_G, IL_OP_SAMPLE_C_LZ,
                                   IL_OP_FETCH4,     IL_OP_FETCH4_C,   IL_OP_FETCH4_PO,
                                   IL_OP_FETCH4_PO_C };
   static const uint16_t implicit[] = { IL_OP_SAMPLE,   IL_OP_SAMPLE,     IL_OP_SAMPLE_B,
                                        IL_OP_SAMPLE_C, IL_OP_SAMPLE_C_B, IL_OP_GETLOD };
   bool derive = all_pixels(m) && pick(m, 2);
   unsigned op = derive ? implicit[pick(m, COUNT(implicit))] : any[pick(m, COUNT(any))];
   unsigned n = FIRST_ALIKE + pick(m, TEX_BUFFER - FIRST_ALIKE), kind = m->views->kind[n];
   bool indexed = n == FIRST_ALIKE && pick(m, 2) && !offers.units;
   unsigned sampler = pick(m, indexed ? NUM_USED - 3 : NUM_USED);
   struct il_dst d = result(m);
   struct il_src s[8];

   if (!fits(op, kind))
      op = IL_OP_SAMPLE_L;
   if (offers.units) {
      op = unit_op(m, kind);
      sampler = n;
   }
   if (offers.snaps)
      op = snapped_op(m, op, n, sampler, indexed);
   unsigned count = sources(m, op, n, s);
   count = indexed ? indices(m, s, count) : count;
   if (offers.units && op == IL_OP_SAMPLE && pick(m, 4) == 0) {
      s[0].has_mod = true;
      s[0].divcomp = IL_DIVCOMP_W;
   }
   struct il_inst *inst =
      il_emit(m->p, (enum il_opcode)op, n | sampler << 8 | (indexed ? 0x1000u : 0), &d, count, s);
   if (offers.units)
      return;
   if (inst && indexed && pick(m, 2))
      inst->restype = kind;
   if (inst && pick(m, 4) == 0) {
      bool gather = op >= IL_OP_FETCH4_C || op == IL_OP_FETCH4;
      il_set_pri(inst, (gather ? pick(m, 4) : 0) | pick(m, 3) << 2);
   }
   offsets(m, inst, kind);
}

static void
load(struct maker *m)
{
   unsigned n = FIRST_ALIKE + pick(m, TEX_SAMPLES + 1 - FIRST_ALIKE), kind = m->views->kind[n];
   bool pointers = n == TEX_SAMPLES && pick(m, 4) == 0 && offers.pointers;
   bool indexed = n == FIRST_ALIKE && pick(m, 2);
   struct il_dst d = result(m);
   struct il_src s[8];
   unsigned count = 1;

   if (is_cube(kind)) {
      n = TEX_BUFFER;
      kind = IL_USAGE_PIXTEX_BUFFER;
      indexed = false;
   }
   s[0] = coordinates(m, true);
   count = indexed ? indices(m, s, count) : count;
   offsets(m,
           il_emit(m->p, pointers ? IL_OP_LOAD_FPTR : IL_OP_LOAD, n | (indexed ? 0x1000u : 0), &d,
                   count, s),
           kind);
}

static void
query(struct maker *m)
{
   unsigned n = FIRST_ALIKE + pick(m, TEX_SAMPLES + 1 - FIRST_ALIKE), count = 0;
   bool indexed = n == FIRST_ALIKE && pick(m, 2);
   struct il_dst d = value_register(m);
   unsigned op = IL_OP_RESINFO;
   struct il_src s[8];

   if (n == TEX_BUFFER && pick(m, 2)) {
      op = IL_OP_BUFINFO;
   } else if (n != TEX_BUFFER && pick(m, 4) == 0) {
      op = IL_OP_SAMPLEINFO;
   } else if (m->stage == IL_SHADER_PIXEL && pick(m, 4) == 0) {
      op = IL_OP_SAMPLEPOS;
      n = pick(m, 2) ? n : 4; /* not declared: the render target */
      indexed = false;
      m->mixed |= n == 4;
   }
   if (il_op_info(op)->srcs)
      s[count++] = op == IL_OP_SAMPLEPOS ? sample_number(m) : coordinates(m, true);
   count = indexed ? indices(m, s, count) : count;
   il_emit(m->p, (enum il_opcode)op, n | pick(m, 2) << 8 | (indexed ? 0x1000u : 0), &d, count, s);
}

static void
stage(struct maker *m)
{
   static const uint16_t implicit[] = { IL_OP_TEXLD, IL_OP_TEXLDB, IL_OP_TEXLDD, IL_OP_LOD };
   unsigned n = 2 * pick(m, 2), kind = m->views->kind[n], ctl = n;
   unsigned op = all_pixels(m) ? implicit[pick(m, COUNT(implicit))]
                 : pick(m, 2)  ? IL_OP_TEXLDB
                               : IL_OP_TEXLDD;
   struct il_dst d = result(m);
   struct il_src s[3] = { coordinates(m, false), any_operand(m), any_operand(m) };

   if (all_pixels(m) && kind != IL_USAGE_PIXTEX_2DMSAA && pick(m, 8) == 0) {
      il_emit(m->p, IL_OP_KILL, n | 1u << 8, NULL, 1, s); /* where a texel is negative */
      return;
   }
   if (op == IL_OP_TEXLDB && (!all_pixels(m) || pick(m, 2)))
      ctl |= 1u << 9; /* absolute */
   if (kind == IL_USAGE_PIXTEX_2DMSAA) {
      op = IL_OP_TEXLDMS;
      ctl = n;
   }
   if (op != IL_OP_LOD && op != IL_OP_TEXLDMS && pick(m, 3) == 0 &&
       (kind == IL_USAGE_PIXTEX_1D || kind == IL_USAGE_PIXTEX_2D))
      ctl |= IL_TEXSHADOWMODE_Z << 10;
   struct il_inst *inst = il_emit(m->p, (enum il_opcode)op, ctl, &d, il_op_info(op)->srcs, s);
   if (inst && op != IL_OP_LOD && pick(m, 3) == 0) {
      inst->ctl |= 0x4000;
      inst->sec = rng_next(m->r) & (op == IL_OP_TEXLDMS ? 0x031f1f1f : 0x00ffffff);
   }
   if (inst && op != IL_OP_LOD && op != IL_OP_TEXLDMS && pick(m, 3) == 0) {
      inst->ctl |= 0x8000;
      inst->pri = pick(m, 128) << 18;
   }
}

/* Typed UAVs: an image of floats or integers, and one of dwords. */
static void
image(struct maker *m)
{
   static const uint16_t quiet[] = { IL_OP_UAV_ADD, IL_OP_UAV_SUB,  IL_OP_UAV_RSUB, IL_OP_UAV_MIN,
                                     IL_OP_UAV_MAX, IL_OP_UAV_UMIN, IL_OP_UAV_UMAX, IL_OP_UAV_AND,
                                     IL_OP_UAV_OR,  IL_OP_UAV_XOR,  IL_OP_UAV_CMP,  IL_OP_UAV_UINC,
                                     IL_OP_UAV_UDEC };
   static const uint16_t loud[] = { IL_OP_UAV_READ_ADD,  IL_OP_UAV_READ_MIN,
                                    IL_OP_UAV_READ_UMAX, IL_OP_UAV_READ_XOR,
                                    IL_OP_UAV_READ_XCHG, IL_OP_UAV_READ_CMP_XCHG,
                                    IL_OP_UAV_READ_UINC, IL_OP_UAV_READ_UDEC };
   struct il_dst d = value_register(m);
   struct il_src s[3] = { coordinates(m, true), any_operand(m),
                          il_replicate(any_operand(m), pick(m, 4)) };
   unsigned what = pick(m, 4), n = IMAGE + pick(m, 2), op;

   switch (what) {
   case 0:
      il_emit(m->p, IL_OP_UAV_LOAD, n, &d, 1, s);
      return;
   case 1:
      il_emit(m->p, IL_OP_UAV_STORE, n, NULL, 2, s);
      return;
   default:
      op = what == 2 ? quiet[pick(m, COUNT(quiet))] : loud[pick(m, COUNT(loud))];
      s[1] = il_replicate(s[1], pick(m, 4));
      il_emit(m->p, (enum il_opcode)op, IMAGE_INT, what == 2 ? NULL : &d, il_op_info(op)->srcs, s);
      return;
   }
}

/* An input at another position in the pixel. */
static void
evaluate(struct maker *m)
{
   static const uint16_t ops[] = { IL_OP_EVAL_CENTROID, IL_OP_EVAL_SNAPPED,
                                   IL_OP_EVAL_SAMPLE_INDEX };
   unsigned op = ops[pick(m, COUNT(ops))];
   struct il_dst d = value_register(m);
   struct il_src s[2] = { il_src(IL_REGTYPE_INPUT, IL_LINK_GENERIC0 + pick(m, NUM_ATTRS)),
                          op == IL_OP_EVAL_SAMPLE_INDEX ? sample_number(m) : any_operand(m) };

   if (op == IL_OP_EVAL_SNAPPED && offers.snaps)
      s[1] = snapped(m, s[1]);
   il_emit(m->p, (enum il_opcode)op, 0, &d, il_op_info(op)->srcs, s);
}

bool
texture_statement(struct maker *m)
{
   if (all_pixels(m) && pick(m, 12) == 0 && offers.samples) {
      evaluate(m);
      return true;
   }
   if (!m->views->used)
      return false;
   m->textures = true;
   if (offers.units) {
      sample(m);
      return true;
   }
   switch (pick(m, 8)) {
   case 0:
      load(m);
      break;
   case 1:
      query(m);
      break;
   case 2:
      if (has_stages(m)) {
         stage(m);
         break;
      }
      /* fall through */
   case 3:
      if (has_images(m)) {
         image(m);
         break;
      }
      /* fall through */
   default:
      sample(m);
      break;
   }
   return true;
}
