/* SPDX-License-Identifier: MIT */
/*
 * Lookups in layers of arrays and faces of cubes: each layer is a texture of two dimensions by
 * itself, and is looked up as such, for the lanes that are on it.  So is a level of a volume, if
 * all lanes filter on that one alone.
 *
 * A filter of a cube that reaches over the edge of a face (seamless ones do), and a quad that lies
 * on several faces and has a level from derivatives, take the general path; so do lanes of a wave
 * with more layers than pay.
 */
#include "td/sample.h"
#include "td/samplers.h"

/* Layers of a wave that are looked up one by one. */
#define FEW 4

/* Whether the result depends on the level of detail. */
static inline bool
has_levels(const struct tex *t)
{
   return t->levels || t->mag != t->min;
}

const char *
K(td_layers_reason)(const struct tex *t)
{
   const bool gradients = t->op == TD_SAMPLE_G || t->op == TD_SAMPLE_G_LB ||
                          t->op == TD_SAMPLE_C_G || t->op == TD_SAMPLE_C_G_LB;

   if (t->dim != TEXTURE_CUBE)
      return NULL;
   if (!t->normalized[0] || !t->normalized[1])
      return "a cube with coordinates in texels";
   if (gradients && has_levels(t))
      return "gradients of a cube";
   return NULL;
}

/* Lanes of quads of which all lanes are on one face. */
static uint64_t
whole_quads(const uint32_t *face)
{
   uint64_t lanes = 0;

   for (unsigned n = 0; n < VECTORS; n++) {
      const vu f = vu_load(&face[n * VW]);
      const vu differs = f ^ (vu)vf_quad_lane((vf)f, 0);
      const vu pair = differs | (vu)vf_quad_permute((vf)differs, 0xb1);
      const vu any = pair | (vu)vf_quad_permute((vf)pair, 0x4e);

      lanes |= vm_to_lanes(vu_eq(any, vu_splat(0)), n);
   }
   return lanes;
}

/* Lanes with filters that stay on their face: within [half a texel, size less half a texel], and a
 * bit, at the smallest level that counts.  What is no number does not. */
static uint64_t
inner_lanes(const struct tex *t, const struct td_coords *in, const uint32_t *level)
{
   const vf least = vf_splat(0.51f);
   uint64_t lanes = 0;

   for (unsigned n = 0; n < VECTORS; n++) {
      const vu size =
         vu_shrv(vu_splat(t->width), level ? vu_load(&level[n * VW]) : vu_splat(t->base));
      const vf texels = vf_from_vi(vi_max((vi)size, vi_splat(1))), most = texels - least;
      const vf s = vf_load(&in->s[0][n * VW]) * texels, u = vf_load(&in->s[1][n * VW]) * texels;
      const vm x = vm_and(vf_ge(s, least), vf_le(s, most));

      lanes |= vm_to_lanes(vm_and(x, vm_and(vf_ge(u, least), vf_le(u, most))), n);
   }
   return lanes;
}

/* Of a cube, those lanes that a face alone has the result of. */
static uint64_t
lanes_of_faces(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in)
{
   const bool derived = t->op == TD_SAMPLE || t->op == TD_SAMPLE_LB || t->op == TD_SAMPLE_C ||
                        t->op == TD_SAMPLE_C_LB;
   uint64_t lanes = args->lanes;
   struct td_lod lod;

   if (has_levels(t) && derived)
      lanes &= whole_quads(in->face);
   if (!t->cube_wrap || !lanes)
      return lanes;
   if (!t->levels)
      return lanes & inner_lanes(t, in, NULL);
   K(td_find_lod)(t, args, in, &lod);
   return lanes & inner_lanes(t, in, lod.level[1]);
}

/* Layers as they are numbered from the texture's first one. */
static void
find_layers(const struct tex *t, const uint32_t *z, wave_lane layer)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      const vf l = vf_clamp(vf_rndne(vf_loadu(&z[n * VW])), 0.0f, 65535.0f);
      const vi last = vi_splat((int32_t)t->num_layers - 1);

      vi_store(&layer[n * VW], vi_splat((int32_t)t->base_array) + vi_min(vi_trunc_raw(l), last));
   }
}

static uint64_t
lanes_equal(const uint32_t *v, uint32_t to)
{
   uint64_t lanes = 0;

   for (unsigned n = 0; n < VECTORS; n++)
      lanes |= vm_to_lanes(vu_eq(vu_load(&v[n * VW]), vu_splat(to)), n);
   return lanes;
}

/* One layer as a texture. */
static void
make_flat(const struct tex *t, uint32_t layer, struct td_tex_bind *bind)
{
   struct tex *flat = (struct tex *)(void *)bind->state;

   memcpy(flat, t, offsetof(struct tex, level));
   flat->dim = TEXTURE_2D;
   flat->base_array = 0;
   flat->num_layers = 1;
   for (unsigned l = t->base; l <= (unsigned)t->base + t->levels; l++) {
      flat->level[l] = t->level[l];
      flat->level[l].base += (uint64_t)layer * t->level[l].slice8 * 8;
   }
   bind->run_series = NULL;
   bind->multisampled = false;
}

void
K(td_sample_layers)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   const struct tex *t = tex_of(bind);
   td_tex_fn *const run = K(td_sampler_of)(t->key);
   struct td_tex_args some = *args;
   struct td_tex_bind flat;
   wave_lane layer, copy[4];
   struct td_coords in;
   uint64_t left = args->lanes;

   if (!left)
      return;
   if (t->dim == TEXTURE_CUBE) {
      td_read_coords(t, args, &in);
      left = lanes_of_faces(t, args, &in);
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&layer[n * VW], vu_load(&in.layer[n * VW]) + vu_load(&in.face[n * VW]));
      some.src[0] = in.s[0];
      some.src[1] = in.s[1];
   } else {
      find_layers(t, args->src[2], layer);
   }
   uint64_t others = args->lanes & ~left;
   const uint64_t first = left ? lanes_equal(layer, layer[__builtin_ctzll(left)]) & left : 0;

   if (first && first == args->lanes) {
      make_flat(t, layer[__builtin_ctzll(left)], &flat);
      run(&flat, &some);
      return;
   }
   /* What is written must not be what is read later. */
   struct td_tex_args general = *args;
   for (unsigned c = 0; c < 4; c++) {
      lanes_copy(copy[c], args->src[c]);
      general.src[c] = copy[c];
      if (some.src[c] == args->src[c])
         some.src[c] = copy[c];
   }
   some.idle = general.idle = 0;
   for (unsigned n = 0; n < FEW && left; n++) {
      const uint32_t l = layer[__builtin_ctzll(left)];

      some.lanes = left & lanes_equal(layer, l);
      left &= ~some.lanes;
      make_flat(t, l, &flat);
      run(&flat, &some);
   }
   general.lanes = others | left;
   if (general.lanes)
      K(td_sample_general)(bind, &general);
}

void
K(td_sample_level)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   const struct tex *t = tex_of(bind);
   uint64_t same = 0;
   struct td_tex_bind flat;
   struct td_coords in;
   struct td_lod lod;

   if (!args->lanes)
      return;
   td_read_coords(t, args, &in);
   K(td_find_lod)(t, args, &in, &lod);
   const uint32_t level = lod.level[0][__builtin_ctzll(args->lanes)];

   same = lanes_equal(lod.level[0], level) & lod.linear & ~lod.between;
   if (args->lanes & ~same) {
      K(td_sample_general)(bind, args);
      return;
   }
   struct tex *one = (struct tex *)(void *)flat.state;

   memcpy(one, t, offsetof(struct tex, level));
   one->level[level] = t->level[level];
   one->base = (uint8_t)level;
   one->levels = 0;
   flat.run_series = NULL;
   flat.multisampled = false;
   K(td_sampler_of)(t->key)(&flat, args);
}
