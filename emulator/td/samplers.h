/* SPDX-License-Identifier: MIT */
/*
 * Which loop does a lookup: a key of named bits, lists of the samplers that there are, and one
 * table of these (choice.c).  For kernels only.
 *
 * A sampler is a loop for one kind of channels and one size of texels: K(td_LOOP_KIND_SIZE), which
 * the file of the loop makes of its list here, and each gives the bits that sample.c gives.  What
 * else is in the key a loop asks for itself, once a wave.
 */
#ifndef ATOLL_TD_SAMPLERS_H
#define ATOLL_TD_SAMPLERS_H

#include "td/tex.h"

/* S(loop, kind, size): `size` is dwords of a texel, but of BYTES bytes. */
#define POINT_SAMPLERS(S) /* points.c */ \
   S(point, BYTES, 1)                    \
   S(point, BYTES, 2)                    \
   S(point, BYTES, 4)                    \
   OTHER_SAMPLERS(S, point)              \
   S(point, INTS, 1)                     \
   S(point, INTS, 2)
#define BYTE_SAMPLERS(S) /* special.c: `blocks` are BC1 to BC3 and BC7 */ \
   S(linear, BYTES, 1)                                                    \
   S(linear, BYTES, 2)                                                    \
   S(linear, BYTES, 4)                                                    \
   S(blocks, BYTES, 4)
#define FLOAT_SAMPLERS(S)   /* special_float.c */ OTHER_SAMPLERS(S, linear)
#define COMPARE_SAMPLERS(S) /* special_float.c: of one channel */ \
   S(compare, UNORM, 1)                                           \
   S(compare, WORDS, 1)                                           \
   S(compare, WORDS, 2)
#define VOLUME_SAMPLERS(S) /* volume.c */ \
   S(volume, UNORM, 1)                    \
   S(volume, UNORM, 2)                    \
   S(volume, HALF, 1)                     \
   S(volume, HALF, 2)                     \
   S(volume, WORDS, 1)                    \
   S(volume, WORDS, 2)                    \
   S(volume, WORDS, 3)                    \
   S(volume, WORDS, 4)
#define OTHER_SAMPLERS(S, loop) \
   S(loop, UNORM, 1)            \
   S(loop, UNORM, 2)            \
   S(loop, SNORM, 1)            \
   S(loop, SNORM, 2)            \
   S(loop, SRGB, 1)             \
   S(loop, SHAREDEXP, 1)        \
   S(loop, HALF, 1)             \
   S(loop, HALF, 2)             \
   S(loop, SMALL, 1)            \
   S(loop, WORDS, 1)            \
   S(loop, WORDS, 2)            \
   S(loop, WORDS, 3)            \
   S(loop, WORDS, 4)
#define SAMPLERS(S)    \
   POINT_SAMPLERS(S)   \
   BYTE_SAMPLERS(S)    \
   FLOAT_SAMPLERS(S)   \
   COMPARE_SAMPLERS(S) \
   VOLUME_SAMPLERS(S)

/* The same of several lookups at once, K(td_series_LOOP_KIND_SIZE) (series.c). */
#define SERIES_SAMPLERS(S) \
   S(point, BYTES, 1)      \
   S(point, BYTES, 2)      \
   S(point, BYTES, 4)      \
   S(linear, BYTES, 1)     \
   S(linear, BYTES, 2)     \
   S(linear, BYTES, 4)

enum td_loop {
   LOOP_point,
   LOOP_linear,
   LOOP_blocks,
   LOOP_compare,
   LOOP_volume,
   LOOPS,
};

#define DECLARE(loop, kind, size) td_tex_fn K(td_##loop##_##kind##_##size);
SAMPLERS(DECLARE)
#undef DECLARE
#define DECLARE(loop, kind, size) td_tex_series_fn K(td_series_##loop##_##kind##_##size);
SERIES_SAMPLERS(DECLARE)
#undef DECLARE

/* A list's functions: each calls `run` with its kind and size. */
#define SAMPLER_OF(loop, kind, size, run)                              \
   void K(td_##loop##_##kind##_##size)(const struct td_tex_bind *bind, \
                                       const struct td_tex_args *args) \
   {                                                                   \
      run(bind, args, kind, size);                                     \
   }

/* What the bind runs, which may change how texels are decoded, and a line about it if ATOLL_DEBUG
 * has `td`. */
void K(td_choose_sampler)(struct td_tex_bind *bind, struct tex *t);

/* The loop of a key, for textures of two and three dimensions. */
td_tex_fn *K(td_sampler_of)(struct td_key key);

/* Layers and faces by the loops of two dimensions (layers.c), and why that does not do, or NULL. */
td_tex_fn K(td_sample_layers);
const char *K(td_layers_reason)(const struct tex *t);

/* Volumes of several levels. */
td_tex_fn K(td_sample_level);

/* The key in words. */
void K(td_key_print)(struct td_key key, char *out, size_t size);

/* The same of a gather (gather.c, or the general one). */
void K(td_choose_gather)(struct td_tex_bind *bind, struct tex *t);
td_tex_fn K(td_gather_near);

/* The same line of what has no key: `why` it is the general form, or NULL. */
void K(td_print_load)(const struct tex *t, const char *choice, const char *why);
void K(td_print_fetch)(const struct td_decode *d, uint32_t stride, const char *choice,
                       const char *why);

/* Of a point sampler: fills in t->points (points.c). */
void K(td_find_points)(struct tex *t);

#endif
