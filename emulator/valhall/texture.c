/* SPDX-License-Identifier: MIT */
/*
 * Texture messages of the device: what they read is brought into the form of Cayman's instructions,
 * and TD's samplers do the rest.
 *
 * A cube's x has the face in bits 29 to 31: those bits of a coordinate in [0, 1] are always 001.
 * Layers are integers, or floats of a Mali's samples; levels and biases are signed numbers of 8.8
 * bits.  The words of TEX_GRADIENT are the level in the low half of the first, and in the second
 * which derivatives were kept (1 and on; 0: none).
 */
#include "port/state.h"
#include "port/tex_op.h"
#include "uop/tell.h"
#include "valhall/access.h"
#include "valhall/element.h"

extern const struct kernels K(kernels);

static const wave_lane zeros;

/* What the instruction is given in a row, or nothing. */
static const uint32_t *
given(const struct vh_exec *e, int row)
{
   return row < 0 ? zeros : (const uint32_t *)(e->x.file + ROW((unsigned)row));
}

/* Signed 8.8 bits of the low half, as a float. */
static void
read_fixed(const uint32_t *from, wave_lane to)
{
   for (unsigned i = 0; i < VECTORS; i++) {
      const vi v = vi_sar((vi)vu_shl(vu_load(&from[i * VW]), 16), 16);
      vf_store(&to[i * VW], vf_from_vi(v) * vf_splat(0x1p-8f));
   }
}

/* An unsigned number that TD takes as a float. */
static void
read_layer(const uint32_t *from, wave_lane to)
{
   for (unsigned i = 0; i < VECTORS; i++) {
      const vu v = vu_min(vu_load(&from[i * VW]), vu_splat(8191));
      vf_store(&to[i * VW], vf_from_vi((vi)v));
   }
}

static void
signed_byte(const uint32_t *from, unsigned byte, wave_lane to)
{
   for (unsigned l = 0; l < WAVE_LANES; l++)
      to[l] = (uint32_t)(int32_t)(int8_t)(from[l] >> 8 * byte);
}

/* The coordinates of a direction on its face, from 1 to 2, and the number of the face. */
static void
find_face(const wave_lane direction[3], wave_lane place[3])
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      float d[3], s, t;

      for (unsigned a = 0; a < 3; a++)
         memcpy(&d[a], &direction[a][l], sizeof(d[a]));
      const float x = d[0] < 0 ? -d[0] : d[0], y = d[1] < 0 ? -d[1] : d[1];
      const float z = d[2] < 0 ? -d[2] : d[2];
      const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
      const float major = axis == 2 ? z : axis == 1 ? y : x;
      const bool negative = d[axis] < 0;

      switch (axis) {
      case 0:
         s = negative ? d[2] : -d[2], t = -d[1];
         break;
      case 1:
         s = d[0], t = negative ? -d[2] : d[2];
         break;
      default:
         s = negative ? -d[0] : d[0], t = -d[1];
         break;
      }
      const float face[3] = { s / major * 0.5f + 1.5f, t / major * 0.5f + 1.5f,
                              (float)(2 * axis + negative) };
      for (unsigned a = 0; a < 3; a++)
         memcpy(&place[a][l], &face[a], sizeof(face[a]));
   }
}

/* Coordinates of sampling: x, y and z or layer and face, then the level. */
static void
sampling_coords(const struct vh_exec *e, const struct vh_message *m, wave_lane src[4])
{
   const struct vh_texture *t = &m->texture;

   for (unsigned c = 0; c < 3; c++)
      lanes_copy(src[c], given(e, t->coord[c]));
   memset(src[3], 0, sizeof(wave_lane));
   if (t->layer >= 0 && (t->parameter || e->program->mali))
      lanes_copy(src[2], given(e, t->layer));
   else if (t->layer >= 0)
      read_layer(given(e, t->layer), src[2]);
   if (t->cube && t->parameter) {
      wave_lane direction[3];
      for (unsigned c = 0; c < 3; c++)
         lanes_copy(direction[c], given(e, t->coord[c]));
      find_face((const wave_lane *)direction, src);
      for (unsigned i = 0; i < VECTORS && t->layer >= 0; i++) {
         const vf layer = vf_rndne(vf_load(&given(e, t->layer)[i * VW]));
         vf_store(&src[2][i * VW],
                  vf_load(&src[2][i * VW]) + vf_clamp(layer, 0.0f, 2048.0f) * vf_splat(8.0f));
      }
   } else if (t->cube) {
      const uint32_t *x = given(e, t->coord[0]);
      for (unsigned i = 0; i < VECTORS; i++) {
         const vu word = vu_load(&x[i * VW]), face = vu_shr(word, 29);
         const vf s = (vf)((word & vu_splat(0x1fffffff)) | vu_splat(0x20000000));
         const vf u = vf_load(&src[1][i * VW]);
         vf z = vf_from_vi((vi)face);
         if (t->layer >= 0) {
            const vf layer = vf_clamp(vf_rndne(vf_load(&src[2][i * VW])), 0.0f, 8191.0f);
            z = z + layer * vf_splat(8.0f);
         }
         vf_store(&src[0][i * VW], s + vf_splat(1.0f));
         vf_store(&src[1][i * VW], u + vf_splat(1.0f));
         vf_store(&src[2][i * VW], z);
      }
   }
   if (t->lod >= 0)
      read_fixed(given(e, t->lod), src[3]);
}

/* Texel coordinates: x, y, z or layer, then the level or sample; offsets are added here. */
static void
fetching_coords(const struct vh_exec *e, const struct vh_message *m, bool multisampled,
                wave_lane src[4])
{
   const struct vh_texture *t = &m->texture;
   const uint32_t *word = given(e, t->offset);
   wave_lane by;

   for (unsigned c = 0; c < 3; c++)
      lanes_copy(src[c], given(e, t->coord[c]));
   if (t->layer >= 0)
      lanes_copy(src[t->dim == VALHALL_DIMENSION_1D ? 1 : 2], given(e, t->layer));
   if (t->layer >= 0 && t->dim == VALHALL_DIMENSION_1D)
      lanes_copy(src[2], src[1]);
   for (unsigned c = 0; c < 3 && t->offset >= 0; c++) {
      if (t->coord[c] < 0)
         continue;
      signed_byte(word, c, by);
      for (unsigned i = 0; i < VECTORS; i++)
         vu_store(&src[c][i * VW], vu_load(&src[c][i * VW]) + vu_load(&by[i * VW]));
   }
   for (unsigned l = 0; l < WAVE_LANES; l++)
      src[3][l] = word[l] >> (multisampled ? 16 : 24) & 255;
}

/* What the instruction writes of its first or second texture: the components of its mask, as its
 * type says, in up to so many registers; returns how many. */
static unsigned
write_result(const struct vh_exec *e, const struct vh_message *m, wave_lane color[4], bool half,
             unsigned reg, unsigned registers)
{
   wave_lane packed[4];
   unsigned count = 0;

   for (unsigned c = 0; c < 4; c++)
      if (m->texture.mask >> c & 1)
         lanes_copy(packed[count++], color[c]);
   const unsigned format = !half                                  ? VALHALL_REGISTER_FORMAT_AUTO
                           : m->format == VALHALL_REGISTER_TYPE_U ? VALHALL_REGISTER_FORMAT_U16
                           : m->format == VALHALL_REGISTER_TYPE_S ? VALHALL_REGISTER_FORMAT_S16
                                                                  : VALHALL_REGISTER_FORMAT_F16;
   const unsigned room = half ? 2 * registers : registers;
   count = count < room ? count : room;
   vh_write_vector(&e->x, reg, count, format, (const wave_lane *)packed, e->x.lanes);
   return half ? (count + 1) / 2 : count;
}

/* Runs the instruction for lanes that have one texture and sampler. */
static void
run_bound(const struct vh_exec *e, const struct vh_message *m, const struct td_tex_bind *bind,
          const struct td_vtx_bind *buffer, uint64_t lanes, wave_lane color[4])
{
   const struct vh_texture *t = &m->texture;
   wave_lane src[4], offset[3], derivative[2][3];
   struct td_tex_args args = { .lanes = lanes, .valid = e->x.lanes };

   for (unsigned c = 0; c < 4; c++)
      args.dst[c] = color[c];
   if (t->op == TD_LD) {
      fetching_coords(e, m, bind->multisampled, src);
      if (buffer && buffer->run) {
         uint32_t *const to[4] = { color[0], color[1], color[2], color[3] };
         buffer->run(buffer, src[0], to, lanes);
         return;
      }
   } else {
      sampling_coords(e, m, src);
      if (t->compare >= 0)
         args.reference = given(e, t->compare);
   }
   for (unsigned c = 0; c < 4; c++)
      args.src[c] = src[c];
   if (m->exec == VALHALL_EXEC_TEX_GATHER && t->offset >= 0) {
      for (unsigned c = 0; c < 3; c++) {
         signed_byte(given(e, t->offset), c, offset[c]);
         args.offset[c] = offset[c];
      }
   }
   if (m->exec == VALHALL_EXEC_TEX_SINGLE && t->gradient >= 0) {
      const uint32_t *which = vh_row(&e->x, (unsigned)t->gradient + 1);
      memset(derivative, 0, sizeof(derivative));
      for (unsigned l = 0; l < WAVE_LANES; l++)
         for (unsigned n = 0; n < 6 && which[l] - 1 < e->program->gradients; n++)
            derivative[n / 3][n % 3][l] = e->gradient[which[l] - 1][n / 3][n % 3][l];
      /* TD wants them of half the direction.  Halves that are denormal are none, as where a Cayman
       * program halves them: 0 does not move a tap, however far along the other axes. */
      for (unsigned n = 0; n < 6 && t->cube; n++)
         for (unsigned i = 0; i < VECTORS; i++) {
            uint32_t *v = &derivative[n / 3][n % 3][i * VW];
            const vf half = vf_load(v) * vf_splat(0.5f);
            vf_store(v, vf_select(vf_lt(vf_abs(half), vf_splat(0x1p-126f)), vf_splat(0.0f), half));
         }
      for (unsigned c = 0; c < 3; c++) {
         args.grad_h[c] = (const float *)derivative[0][c];
         args.grad_v[c] = (const float *)derivative[1][c];
      }
   }
   bind->run(bind, &args);
}

/* Slots that a lane's handles name, with what else binds depend on.  Above a narrow handle, whether
 * coordinates are in texels. */
struct key {
   uint32_t word[2], offset;
};

static struct key
key_of(const struct vh_message *m, const wave_lane handle[2], unsigned which,
       const uint32_t *offset, unsigned lane)
{
   const bool moved = (m->exec == VALHALL_EXEC_TEX_SINGLE || m->exec == VALHALL_EXEC_TEX_DUAL) &&
                      m->texture.offset >= 0;

   return (struct key){ { handle[m->texture.wide ? 0 : which][lane],
                          m->texture.wide                ? handle[1][lane]
                          : vh_tells_texels(&m->texture) ? handle[1][lane] & 1
                                                         : 0 },
                        moved ? offset[lane] & 0xffffff : 0 };
}

static uint32_t
unfold(uint32_t table)
{
   return table < 12 ? table : table + 48;
}

static void
bind_key(const struct vh_exec *e, const struct vh_message *m, const struct key *key,
         struct td_tex_bind *bind, struct td_vtx_bind *buffer)
{
   const struct vh_device *d = e->bind->device;
   const uint32_t *w = key->word;
   const bool mali = e->program->mali, wide = m->texture.wide;
   const uint32_t texture =
      wide ? vh_slot(mali, 4, VH_TEXTURES, w[1] >> 24, w[1] & 0xffffff)
           : vh_slot(mali, 4, VH_TEXTURES, unfold(w[0] >> 27 & 15), w[0] >> 16 & 0x7ff);
   const uint32_t sampler = wide ? vh_slot(mali, 3, 0, w[0] >> 24, w[0] & 0xffffff)
                                 : vh_slot(mali, 3, 0, unfold(w[0] >> 11 & 15), w[0] & 0x7ff);
   struct td_lookup lookup = {
      .op = m->texture.op,
      .modifier = m->texture.component,
      .normalized = vh_coord_type(&m->texture, !m->texture.wide && w[1]),
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      .plain_gather = true,
   };
   for (unsigned a = 0; a < 3; a++)
      lookup.offset[a] = (int8_t)((int8_t)(key->offset >> 8 * a) * 2);
   vh_take_texels(d, d->views, &lookup, sampler);
   td_views_bind_tex(d->views, &K(kernels), bind, &lookup, texture, sampler);
   vh_bind_texels(d->views, &K(kernels), buffer, texture);
}

/* TEX_GRADIENT of explicit derivatives keeps them. */
static void
keep_derivatives(struct vh_exec *e, const struct vh_message *m, wave_lane color[4])
{
   const struct vh_texture *t = &m->texture;
   const unsigned axes = vh_gradient_axes(t->dim);

   if (m->number >= VH_GRADIENTS)
      return;
   for (unsigned a = 0; a < axes; a++) {
      vh_copy_lanes(e->gradient[m->number][0][a], given(e, t->coord[a]), e->x.lanes);
      vh_copy_lanes(e->gradient[m->number][1][a], vh_row(&e->x, (unsigned)t->gradient + a),
                    e->x.lanes);
   }
   memset(color, 0, 4 * sizeof(*color));
   for (unsigned l = 0; l < WAVE_LANES; l++)
      color[1][l] = m->number + 1u;
}

/* The level of TEX_GRADIENT, in the low half of the first word. */
static void
encode_level(const struct vh_message *m, wave_lane color[4])
{
   for (unsigned i = 0; i < VECTORS; i++) {
      const vf level = vf_clamp(vf_load(&color[m->texture.component][i * VW]), -127.0f, 127.0f);
      const vi fixed = vi_round_raw(level * vf_splat(256.0f));
      vu_store(&color[0][i * VW], (vu)fixed & vu_splat(0xffff));
   }
   memset(color[1], 0, 3 * sizeof(*color));
}

/* The first texture of the instruction, or the second. */
static void
run_texture(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m,
            unsigned which, wave_lane color[4])
{
   const struct vh_device *d = e->bind->device;
   const uint32_t *offset = given(e, m->texture.offset);
   const uint32_t ref = which ? m->texture.ref : m->ref;
   wave_lane handle[2];

   memset(color, 0, 4 * sizeof(*color));
   if (ref != VH_NO_REF) {
      run_bound(e, m, &d->tex[ref], &d->tex_buffers[ref], e->x.lanes, color);
      return;
   }
   vh_operand(&e->x, u, 0, handle[0]);
   vh_operand(&e->x, u, 1, handle[1]);
   for (uint64_t left = e->x.lanes; left;) {
      const struct key key =
         key_of(m, (const wave_lane *)handle, which, offset, (unsigned)__builtin_ctzll(left));
      struct td_tex_bind bind;
      struct td_vtx_bind buffer;
      uint64_t lanes = 0;

      for (uint64_t l = left; l; l &= l - 1) {
         const struct key other =
            key_of(m, (const wave_lane *)handle, which, offset, (unsigned)__builtin_ctzll(l));
         if (!memcmp(&key, &other, sizeof(key)))
            lanes |= l & -l;
      }
      left &= ~lanes;
      bind_key(e, m, &key, &bind, &buffer);
      run_bound(e, m, &bind, &buffer, lanes, color);
   }
}

/* Whether the registers are TD's arguments as they are: coordinates alone, of one known texture, to
 * whole registers. */
static bool
is_plain(const struct vh_message *m)
{
   const struct vh_texture *t = &m->texture;

   return (m->exec == VALHALL_EXEC_TEX_SINGLE || m->exec == VALHALL_EXEC_VAR_TEX_SINGLE) &&
          m->ref != VH_NO_REF && t->op != TD_LD && !t->half[0] && !t->cube && t->layer < 0 &&
          t->lod < 0 && t->compare < 0 && t->gradient < 0;
}

static void
run_plain(const struct vh_exec *e, const struct vh_message *m)
{
   const struct vh_texture *t = &m->texture;
   const struct td_tex_bind *bind = &e->bind->device->tex[m->ref];
   const bool helpers = e->program->core.needs_helpers;
   struct td_tex_args args = {
      .lanes = e->x.lanes,
      .valid = e->x.lanes,
      /* Others of its quad may see a lane's registers. */
      .idle = ~(helpers ? lanes_whole_quads(e->x.launch) : e->x.launch),
   };
   wave_lane copies[3];
   unsigned written = 0;

   for (unsigned c = 0; c < 4; c++)
      if (t->mask >> c & 1 && written < m->count)
         args.dst[c] = vh_row(&e->x, m->reg + written++);
   args.src[3] = zeros;
   for (unsigned c = 0; c < 3; c++) {
      args.src[c] = given(e, t->coord[c]);
      for (unsigned d = 0; d < 4; d++) {
         if (args.dst[d] != args.src[c])
            continue;
         memcpy(copies[c], args.src[c], sizeof(copies[c]));
         args.src[c] = copies[c];
      }
   }
   bind->run(bind, &args);
}

void
K(vh_texture)(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m)
{
   const struct vh_texture *t = &m->texture;
   const bool level =
      m->exec == VALHALL_EXEC_TEX_GRADIENT || m->exec == VALHALL_EXEC_VAR_TEX_GRADIENT;
   wave_lane color[2][4];

   uop_tell_texture(&e->x, m->ref, e->x.lanes);
   if (is_plain(m)) {
      run_plain(e, m);
      return;
   }
   if (level && t->gradient >= 0) {
      keep_derivatives(e, m, color[0]);
   } else {
      run_texture(e, u, m, 0, color[0]);
      if (level)
         encode_level(m, color[0]);
   }
   if (t->dual)
      run_texture(e, u, m, 1, color[1]);
   const unsigned used = write_result(e, m, color[0], t->half[0], m->reg, m->count);
   if (t->dual)
      write_result(e, m, color[1], t->half[1], m->reg + used, m->count - used);
}
