/* SPDX-License-Identifier: MIT */
/*
 * A scene drawn one pixel at a time, with nothing of the device's but the order of operations
 * that it promises.
 */
#include <math.h>

#include "port/state.h"
#include "scene.h"

struct pixel {
   float c[4], z;
   bool front;
};

static bool
compare(unsigned func, double a, double b)
{
   switch (func) {
   case TEST_NEVER:
      return false;
   case TEST_LESS:
      return a < b;
   case TEST_EQUAL:
      return a == b;
   case TEST_LESS_EQUAL:
      return a <= b;
   case TEST_GREATER:
      return a > b;
   case TEST_NOT_EQUAL:
      return a != b;
   case TEST_GREATER_EQUAL:
      return a >= b;
   default:
      return true;
   }
}

static uint8_t
stencil(unsigned op, uint8_t old, uint8_t ref)
{
   switch (op) {
   case STENCIL_OP_ZERO:
      return 0;
   case STENCIL_OP_REPLACE:
      return ref;
   case STENCIL_OP_INCREMENT_CLAMP:
      return old == 255 ? 255 : old + 1;
   case STENCIL_OP_DECREMENT_CLAMP:
      return old ? old - 1 : 0;
   case STENCIL_OP_INVERT:
      return (uint8_t)~old;
   case STENCIL_OP_INCREMENT_WRAP:
      return (uint8_t)(old + 1);
   case STENCIL_OP_DECREMENT_WRAP:
      return (uint8_t)(old - 1);
   default:
      return old;
   }
}

static float
clampf(float x, float lo, float hi)
{
   x = x > lo ? x : lo;
   return x < hi ? x : hi;
}

/* Whether the pixel passes; depth and stencil memory are updated. */
static bool
depth_stencil(struct scene *s, const struct db_state *db, size_t at, const struct pixel *px)
{
   uint8_t *zp = s->memory + SCENE_DEPTH, *sp = s->memory + SCENE_STENCIL + at;
   const float z = clampf(px->z, 0, 1);
   bool z_pass = true, s_pass = true;
   uint32_t fragment = 0;

   if (db->z_format == DEPTH_UNORM16) {
      uint16_t old, new = (uint16_t)lrintf(z * 65535.0f);
      memcpy(&old, zp + at * 2, 2);
      fragment = new;
      z_pass = compare(db->z_func, new, old);
   } else if (db->z_format == DEPTH_UNORM24) {
      uint32_t old;
      memcpy(&old, zp + at * 4, 4);
      fragment = (uint32_t)lrintf(z * 16777215.0f);
      z_pass = compare(db->z_func, fragment, old & 0xffffff);
   } else {
      float old;
      memcpy(&old, zp + at * 4, 4);
      memcpy(&fragment, &z, 4);
      z_pass = compare(db->z_func, z, old);
   }
   if (db->stencil) {
      const struct db_face *f = &db->face[px->front ? 0 : 1];
      const uint8_t old = *sp;

      s_pass = compare(f->func, f->ref & f->mask, old & f->mask);
      uint8_t new = stencil(!s_pass ? f->fail : !z_pass ? f->zfail : f->zpass, old, f->ref);
      *sp = (uint8_t)((new & f->write_mask) | (old & ~f->write_mask));
   }
   if (!z_pass || !s_pass)
      return false;
   if (db->z_write)
      memcpy(zp + at * (db->z_format == DEPTH_UNORM16 ? 2 : 4), &fragment,
             db->z_format == DEPTH_UNORM16 ? 2 : 4);
   return true;
}

static float
half_to_float(uint32_t h)
{
   const int e = h >> 10 & 31, m = h & 1023;
   float v = e == 31 ? (m ? NAN : INFINITY)
             : e     ? ldexpf((float)(m | 1024), e - 25)
                     : ldexpf((float)m, -24);

   return h & 0x8000 ? -v : v;
}

/* Nearest even, by trying. */
static uint32_t
float_to_half(float f)
{
   uint32_t best = 0;
   const float a = fabsf(f);

   if (a >= 65520.0f) {
      best = 0x7c00;
   } else {
      uint32_t lo = 0, hi = 0x7bff;
      while (lo < hi) {
         uint32_t mid = (lo + hi + 1) / 2;
         if (half_to_float(mid) <= a)
            lo = mid;
         else
            hi = mid - 1;
      }
      const double below = (double)a - half_to_float(lo);
      const double above = (lo + 1 == 0x7c00 ? 65536.0 : half_to_float(lo + 1)) - (double)a;
      best = below < above || (below == above && !(lo & 1)) ? lo : lo + 1;
   }
   return best | (signbit(f) ? 0x8000 : 0);
}

static double
srgb_to_linear(double c)
{
   return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static uint32_t
bits_of(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static float
unpack(const struct cb_channel *c, const uint32_t *word, bool by_reciprocal)
{
   const uint32_t max = 0xffffffffu >> (32 - c->bits), v = word[c->dword] >> c->shift & max;
   float f;

   switch (c->type) {
   case NUMERIC_UNORM:
      return by_reciprocal ? (float)v * (1.0f / 255.0f) : (float)v / (float)max;
   case NUMERIC_SNORM: {
      int32_t i = (int32_t)(v << (32 - c->bits)) >> (32 - c->bits);
      f = (float)i / (float)(max >> 1);
      return f > -1.0f ? f : -1.0f;
   }
   case NUMERIC_SRGB:
      return (float)srgb_to_linear(v / 255.0);
   case NUMERIC_FLOAT:
      if (c->bits == 16)
         return half_to_float(v);
      memcpy(&f, &v, 4);
      return f;
   default:
      return 0;
   }
}

static uint32_t
pack(const struct cb_channel *c, float x)
{
   const uint32_t max = 0xffffffffu >> (32 - c->bits);
   const int32_t smax = (int32_t)(max >> 1);
   const uint32_t raw = bits_of(x);

   switch (c->type) {
   case NUMERIC_UNORM:
      return (uint32_t)lrintf(clampf(x, 0, 1) * (float)max);
   case NUMERIC_SNORM:
      return (uint32_t)lrintf(clampf(x, -1, 1) * (float)smax) & max;
   case NUMERIC_UINT:
      return raw < max ? raw : max;
   case NUMERIC_SINT: {
      int32_t i = (int32_t)raw;
      i = i < -smax - 1 ? -smax - 1 : i > smax ? smax : i;
      return (uint32_t)i & max;
   }
   case NUMERIC_SRGB: {
      uint32_t code = 0;
      while (code < 255 && clampf(x, 0, 1) >= (float)srgb_to_linear((code + 0.5) / 255.0))
         code++;
      return code;
   }
   default:
      return c->bits == 16 ? float_to_half(x) : raw;
   }
}

static float
factor(unsigned f, unsigned n, const float *s, const float *d, const float *k)
{
   switch (f) {
   case FACTOR_ONE:
      return 1;
   case FACTOR_SRC_COLOR:
   case FACTOR_SRC1_COLOR:
      return s[n];
   case FACTOR_ONE_MINUS_SRC_COLOR:
   case FACTOR_ONE_MINUS_SRC1_COLOR:
      return 1 - s[n];
   case FACTOR_SRC_ALPHA:
   case FACTOR_SRC1_ALPHA:
      return s[3];
   case FACTOR_ONE_MINUS_SRC_ALPHA:
   case FACTOR_ONE_MINUS_SRC1_ALPHA:
      return 1 - s[3];
   case FACTOR_DST_ALPHA:
      return d[3];
   case FACTOR_ONE_MINUS_DST_ALPHA:
      return 1 - d[3];
   case FACTOR_DST_COLOR:
      return d[n];
   case FACTOR_ONE_MINUS_DST_COLOR:
      return 1 - d[n];
   case FACTOR_SRC_ALPHA_SATURATE:
      return n == 3 ? 1 : s[3] < 1 - d[3] ? s[3] : 1 - d[3];
   case FACTOR_CONSTANT_COLOR:
      return k[n];
   case FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return 1 - k[n];
   case FACTOR_CONSTANT_ALPHA:
      return k[3];
   case FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return 1 - k[3];
   default:
      return 0;
   }
}

static float
blend(unsigned sf, unsigned df, unsigned func, unsigned n, const float *s, const float *d,
      const float *k)
{
   const float a = sf == FACTOR_ZERO ? 0 : s[n] * factor(sf, n, s, d, k);
   const float b = df == FACTOR_ZERO ? 0 : d[n] * factor(df, n, s, d, k);

   switch (func) {
   case BLEND_OP_MIN:
      return s[n] < d[n] ? s[n] : d[n];
   case BLEND_OP_MAX:
      return s[n] > d[n] ? s[n] : d[n];
   case BLEND_OP_SUBTRACT:
      return a - b;
   case BLEND_OP_REVERSE_SUBTRACT:
      return b - a;
   default:
      return df == FACTOR_ZERO ? a : a + b; /* a -0 stays one */
   }
}

static void
color(struct scene *s, const struct cb_state *cb, size_t place, const float *src)
{
   const struct cb_target *t = &cb->target[0];
   const unsigned cpp = t->surface.cpp;
   uint8_t *at = s->memory + SCENE_COLOR + place * cpp;
   uint32_t old[4] = { 0 }, out[4] = { 0 };
   float c[4], d[4], k[4], r[4];

   if (!(cb->bound & 1))
      return;
   memcpy(old, at, cpp);
   for (unsigned n = 0; n < 4; n++) {
      const float lo = t->numeric == NUMERIC_SNORM ? -1 : 0;

      c[n] = t->clamp ? clampf(src[n], lo, 1) : src[n];
      k[n] = t->clamp ? clampf(cb->constant[n], lo, 1) : cb->constant[n];
      d[n] = t->channel[n].bits ? unpack(&t->channel[n], old, t->key.layout == CB_LAYOUT_BYTES)
                                : n == 3;
   }
   for (unsigned n = 0; n < 4; n++) {
      const struct cb_blend *b = &t->blend;

      r[n] = src[n];
      if (b->enable)
         r[n] = n < 3 ? blend(b->src_rgb, b->dst_rgb, b->op_rgb, n, c, d, k)
                      : blend(b->src_alpha, b->dst_alpha, b->op_alpha, n, c, d, k);
      if (t->channel[n].bits)
         out[t->channel[n].dword] |= pack(&t->channel[n], r[n]) << t->channel[n].shift;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (t->key.logic) {
         uint32_t v = 0;
         for (unsigned bit = 0; bit < 32; bit++) {
            unsigned index = (out[i] >> bit & 1) * 2 + (old[i] >> bit & 1);
            v |= (uint32_t)(cb->logic >> index & 1) << bit;
         }
         out[i] = v;
      }
      out[i] = (out[i] & t->pixel_mask[i]) | (old[i] & ~t->pixel_mask[i]);
   }
   memcpy(at, out, cpp);
}

/* The samples that alpha keeps of the quad's pixel `pixel`, bit n for sample n. */
static unsigned
alpha_mask(const struct sx_state *sx, unsigned pixel, float alpha, unsigned samples)
{
   double part = sx->alpha_to_mask_offset[pixel] / 4.0 + sx->alpha_to_mask_round / 8.0;
   double count = floor((double)alpha * samples + part);

   return count <= 0 ? 0 : (1u << (count < samples ? (unsigned)count : samples)) - 1;
}

/* `covered`: bit n for sample n. */
static void
draw_pixel(struct scene *s, const struct scene_draw *d, const struct sc_prim *p, int x, int y,
           unsigned covered)
{
   const struct drawn *st = &d->state;
   const unsigned samples = st->sc.over ? 1 : 1u << st->sc.log2_samples;
   const unsigned pixel = (unsigned)((x & 1) + (y & 1) * 2);
   const float dx = (float)(x - p->x0), dy = (float)(y - p->y0);
   const float i = p->li[0] + p->li[1] * dx + p->li[2] * dy;
   const float j = p->lj[0] + p->lj[1] * dx + p->lj[2] * dy;
   const float *v0 = d->params + p->vertex[0] * 4, *v1 = d->params + p->vertex[1] * 4,
               *v2 = d->params + p->vertex[2] * 4;
   struct pixel px;

   if (st->sc.over) {
      covered &= st->sc.sample_mask[pixel];
      if (!covered)
         return;
   }
   px.front = p->front_facing;
   for (unsigned n = 0; n < 4; n++) {
      px.c[n] = d->program.color[n];
      if (d->program.kind != STUB_CONSTANT)
         px.c[n] = v0[n] + i * (v1[n] - v0[n]) + j * (v2[n] - v0[n]);
   }
   if (d->program.kind == STUB_COVERAGE)
      px.c[3] = (float)__builtin_popcount(covered) / 8;
   if (d->program.kind == STUB_KILL && !(px.c[3] >= 0.5f))
      return;
   if (st->sx.alpha_test && !compare(st->sx.alpha_func, px.c[3], st->sx.alpha_ref))
      return;
   if (st->sx.alpha_to_mask && st->sc.msaa && !st->sc.over)
      covered &= alpha_mask(&st->sx, pixel, px.c[3], samples);
   float shaded[SC_MAX_SAMPLES][4];
   unsigned passed = 0;

   for (unsigned n = 0; n < samples; n++) {
      const size_t at = ((size_t)y * SCENE_SIZE + (size_t)x) * samples + n;
      const float sx = st->sc.over ? dx : dx + (float)st->sc.sample_x[pixel][n] / 16;
      const float sy = st->sc.over ? dy : dy + (float)st->sc.sample_y[pixel][n] / 16;

      if (!(covered & st->sc.sample_mask[pixel] & 1u << n) && samples > 1)
         continue;
      memcpy(shaded[n], px.c, sizeof(shaded[n]));
      if (d->program.kind == STUB_TARGET)
         scene_mix(&d->program, (uint32_t)x, (uint32_t)y, n, shaded[n]);
      px.z = p->z[0] + p->z[1] * sx + p->z[2] * sy + p->z[3];
      if (d->program.kind == STUB_DEPTH && st->db.export_z)
         px.z = fabsf(px.c[0]);
      if ((st->db.z_test || st->db.z_write || st->db.stencil) &&
          !depth_stencil(s, &st->db, at, &px))
         continue;
      if (st->db.count)
         s->worker.counters.samples_passed++;
      passed |= 1u << n;
   }
   for (unsigned n = 0; n < samples; n++) {
      if (d->program.kind == STUB_COVERAGE && st->db.coverage_after_tests)
         shaded[n][3] = (float)__builtin_popcount(passed) / 8;
      if (passed & 1u << n)
         color(s, &st->cb, ((size_t)y * SCENE_SIZE + (size_t)x) * samples + n, shaded[n]);
   }
}

void
scene_reference(struct scene *s)
{
   memset(&s->worker.counters, 0, sizeof(s->worker.counters));
   for (unsigned i = 0; i < s->num_draws; i++) {
      const struct scene_draw *d = &s->draws[i];
      const struct sc_state *sc = &d->state.sc;

      for (uint32_t k = 0; k < d->batch.num_prims; k++) {
         const struct sc_prim *p = &d->prims[k];

         for (int y = p->min_y; y <= p->max_y; y++) {
            for (int x = p->min_x; x <= p->max_x; x++) {
               unsigned covered = 0;

               for (unsigned n = 0; n < 1u << sc->log2_samples; n++) {
                  const unsigned pixel = (unsigned)((x & 1) + (y & 1) * 2);
                  const int64_t sx = sc->sample_x[pixel][n], sy = sc->sample_y[pixel][n];
                  bool inside = true;

                  for (unsigned e = 0; e < p->num_edges; e++)
                     inside &= 256 * ((int64_t)p->a[e] * x + (int64_t)p->b[e] * y + p->c[e]) +
                                  p->c_frac[e] + 16 * (p->a[e] * sx + p->b[e] * sy) >=
                               0;
                  covered |= (unsigned)inside << n;
               }
               if (covered)
                  draw_pixel(s, d, p, x, y, covered);
            }
         }
      }
   }
}
