/* SPDX-License-Identifier: MIT */
/*
 * A texture instruction with its texture and sampler: the private face of td_tex_bind.
 * For kernels only.
 */
#ifndef ATOLL_TD_TEX_H
#define ATOLL_TD_TEX_H

#include "port/state.h"
#include "td/decode.h"
#include "port/fetch.h"
#include "port/tex_op.h"
#include "port/texture.h"

struct tex_level {
   /* Element (0, 0) of layer 0: a host address when the texture is inside the mapped space, an
    * address of the device otherwise. */
   uint64_t base;
   uint32_t slice8; /* bytes between layers, / 8 */
   uint32_t pitch;  /* bytes between rows of elements */
};

/* The base level as points.c reads it, if coordinates are `usual`. */
struct tex_points {
   bool usual;
   float size[2];
   uint32_t pitch, window; /* texels of a row and of a window */
   int32_t end;            /* the last texel at which a window may begin */
};

/* What loops a lookup may take go by; see samplers.h. */
struct td_key {
   uint16_t loop : 3;       /* enum td_loop */
   uint16_t kind : 4;       /* enum kind */
   uint16_t size : 3;       /* of a texel: dwords, but of BYTES bytes */
   uint16_t wraps : 3;      /* bit a: axis a repeats; others end at the edge */
   uint16_t normalized : 1; /* x and y are */
   uint16_t one_level : 1;  /* whatever the coordinates are */
   uint16_t series : 1;     /* several lookups can be done at once */
};

struct tex {
   const struct vm *space;
   struct td_decode decode;
   uint32_t width, height, depth;   /* texels of level 0 */
   uint32_t base_array, num_layers; /* of the view; cubes count six */
   uint8_t op, dim, modifier;
   struct td_key key;        /* of special samplers */
   uint8_t base, levels;     /* levels: beyond the base one */
   uint8_t shift_x, shift_y; /* log2 of the block */
   uint8_t samples;
   bool inside;       /* every element can be read */
   bool near;         /* offsets from a level's base fit in 31 bits */
   bool compare;      /* a _C instruction */
   bool plain_gather; /* integers are gathered like other formats */
   uint8_t clamp[3], mag, min, mip, z_filter, aniso, compare_func;
   uint8_t reduction; /* enum reduction */
   bool truncate, cube_wrap, normalized[3];
   int16_t min_lod, max_lod, lod_bias; /* eight fraction bits */
   int8_t offset[3];                   /* half texels */
   uint8_t sel[4];                     /* of the resource: enum swizzle of each component */
   uint8_t dst_sel[4];                 /* of the instruction: enum swizzle of each register */
   /* For the special samplers: the register that takes a channel first, or -1; and what registers
    * have besides (enum swizzle).  `leading`: so many channels, the first ones, are all
    * that registers take; 0: it is not so.  `in_order`: and each has one register, and what else is
    * anywhere are `constants`. */
   int8_t first[4];
   uint8_t also[4], leading, in_order;
   bool constants;
   struct tex_points points;
   uint32_t border[4]; /* components, scaled as decode.unorm8 says */
   struct tex_level level[TEXTURE_LEVELS];
};

_Static_assert(sizeof(struct tex) <= sizeof(((struct td_tex_bind *)0)->state), "bind is too small");

V_INLINE const struct tex *
tex_of(const struct td_tex_bind *bind)
{
   return (const struct tex *)(const void *)bind->state;
}

/* Whether an axis repeats, for special samplers. */
V_INLINE bool
tex_wraps(const struct tex *t, unsigned axis)
{
   return t->key.wraps >> axis & 1;
}

V_INLINE uint32_t
tex_size(uint32_t size, unsigned level)
{
   return size >> level ? size >> level : 1;
}

/* Components that registers take, as bits. */
V_INLINE unsigned
td_components(const struct tex *t, const struct td_tex_args *args)
{
   unsigned bits = 0;

   for (unsigned i = 0; i < 4; i++)
      bits |= args->dst[i] && t->dst_sel[i] <= SWIZZLE_W ? 1u << t->dst_sel[i] : 0;
   return bits;
}

/* Whether results may be stored without a mask. */
V_INLINE bool
td_writes_all(const struct td_tex_args *args)
{
   return (args->lanes | args->idle) == ~UINT64_C(0);
}

/* At the binding, `first` to `constants`. */
static inline void
td_assign_outputs(struct tex *t)
{
   for (unsigned c = 0; c < 4; c++)
      t->first[c] = -1;
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = t->dst_sel[i];
      sel = sel <= SWIZZLE_W ? t->sel[sel] : sel;
      sel = sel > SWIZZLE_1 && t->dst_sel[i] <= SWIZZLE_W ? SWIZZLE_0 : sel;
      if (sel <= SWIZZLE_W && !t->decode.channel[sel].bits)
         sel = sel == SWIZZLE_W ? SWIZZLE_1 : SWIZZLE_0;
      t->also[i] = (uint8_t)sel;
      if (sel <= SWIZZLE_W && t->first[sel] < 0) {
         t->first[sel] = (int8_t)i;
         t->also[i] = SWIZZLE_NONE;
      }
   }
   unsigned count = 0;
   bool leading = true, in_order = true;
   t->constants = false;
   while (count < 4 && t->first[count] >= 0)
      count++;
   for (unsigned i = 0; i < 4; i++) {
      leading &= i < count || t->first[i] < 0;
      in_order &= t->also[i] > SWIZZLE_W;
      t->constants |= t->also[i] <= SWIZZLE_1;
   }
   t->leading = (uint8_t)(leading ? count : 0);
   t->in_order = (uint8_t)(leading && in_order ? count : 0);
}

/* One texel per lane: coordinates must be inside their level, `slice` counts from layer 0.  Lanes
 * that are not in the mask read zero. */
void K(td_fetch_texels)(const struct tex *t, const wave_lane level, const wave_lane x,
                        const wave_lane y, const wave_lane slice, const wave_lane *sample,
                        uint64_t lanes, struct td_raw *raw);

/* Writes components to registers: applies the instruction's DST_SEL. */
void K(td_write)(const struct tex *t, const struct td_tex_args *args, const wave_lane color[4]);

/* The general path: any format, dimension, filter. */
void K(td_sample_general)(const struct td_tex_bind *bind, const struct td_tex_args *args);
void K(td_gather_general)(const struct td_tex_bind *bind, const struct td_tex_args *args);
void K(td_lod_general)(const struct td_tex_bind *bind, const struct td_tex_args *args);

/* The entry of struct kernels.  texture NULL: results are zero. */
void K(td_bind_tex)(struct td_tex_bind *bind, const struct td_lookup *lookup,
                    const struct texture *texture, const struct sampler *sampler);

/* LD (load.c). */
td_tex_fn *K(td_load_choose)(struct tex *t);

#endif
