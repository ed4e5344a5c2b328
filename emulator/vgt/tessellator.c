/* SPDX-License-Identifier: MIT */
/*
 * VGT: the fixed-function tessellator (Direct3D 11 functional specification, section 12; see
 * tessellator.h).
 *
 * A patch is a nest of closed rings of points.  The outermost has the outer factors along its
 * edges, every other one the inner factors less two segments per ring; the innermost is a row of
 * points, a single one, or an open centre that is filled on its own.  Between two rings lies a belt
 * of triangles for each edge.  A row of points is a walk along a ring: where it starts, which way.
 *
 * Positions are 16.16 fixed point from a table of rounded reciprocals.  A fractional factor lies
 * between the positions of the next lower and next higher factor with the wanted parity; the point
 * that is new in the higher one splits off its neighbour in an order given by the ruler function,
 * so that points move without jumps when the factor grows.
 */
#include <assert.h>
#include <string.h>

#include "vgt/tessellator.h"

#define ONE       65536u
#define HALF      32768u
#define ONE_THIRD 0x5555u
#define TWO_THIRD 0xaaaau

/* 1/n in 16 fraction bits, to nearest. */
static uint32_t
reciprocal(unsigned n)
{
   return n ? (2 * ONE + n) / (2 * n) : 0;
}

/* ---- One edge ---------------------------------------------------------------------------------
 */

struct axis {
   bool odd;
   int points; /* both ends included */
   int half;   /* points of the first half, the middle one of an even axis left out */
   int split;  /* the point that splits off in the higher factor */
   uint32_t fraction;
   uint32_t floor_step, ceil_step;
};

static uint32_t
fixed_ceil(uint32_t x)
{
   return (x + ONE - 1) & ~(ONE - 1);
}

static int
without_top_bit(int x)
{
   return x ? x & ~(1 << (31 - __builtin_clz((unsigned)x))) : 0;
}

/* A factor in [1, 64]; exact but for the rounding to nearest even. */
static uint32_t
to_fixed(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   const int shift = 23 - 16 - ((int)(bits >> 23) - 127); /* 7 .. 1 */
   uint32_t m = (bits & 0x7fffff) | 0x800000;
   if (shift < 1 || shift > 7)
      return ONE;
   const uint32_t unit = 1u << shift;
   if ((m & unit) || (m & (unit - 1)) > unit / 2)
      m += unit / 2;
   return m >> shift;
}

static void
axis_init(struct axis *a, uint32_t factor, bool odd)
{
   const uint32_t rounded = (factor + 1) / 2;
   a->odd = odd;
   a->points =
      odd ? (int)(fixed_ceil(HALF + rounded) * 2 >> 16) : (int)(fixed_ceil(rounded) * 2 >> 16) + 1;

   /* An inner factor of one is treated as even: it collapses to the middle. */
   const uint32_t h = odd || rounded == HALF ? rounded + HALF : rounded;
   const uint32_t lo = h & ~(ONE - 1), hi = fixed_ceil(h);
   const int lo_int = (int)(lo >> 16);
   a->fraction = h - lo;
   a->half = (int)(hi >> 16);
   if (lo == hi)
      a->split = a->half + 1;
   else if (!odd)
      a->split = without_top_bit(lo_int) * 2 + 1;
   else
      a->split = lo_int == 1 ? 0 : without_top_bit(lo_int - 1) * 2 + 1;
   a->floor_step = reciprocal((unsigned)(2 * lo_int - odd));
   a->ceil_step = reciprocal((unsigned)(2 * a->half - odd));
}

/* Where point n lies, 0 .. ONE.  The second half mirrors the first, so that an edge that is walked
 * from its other end has the same points. */
static uint32_t
axis_coordinate(const struct axis *a, int n)
{
   const bool mirrored = n >= a->half;
   if (mirrored)
      n = 2 * a->half - n - a->odd;
   if (n == a->half)
      return HALF;
   const uint32_t on_ceil = (uint32_t)n;
   const uint32_t on_floor = on_ceil - (n > a->split);
   const uint32_t x = (on_floor * a->floor_step * (ONE - a->fraction) +
                       on_ceil * a->ceil_step * a->fraction + HALF) >>
                      16;
   return mirrored ? ONE - x : x;
}

/* ---- Factors ----------------------------------------------------------------------------------
 */

struct bounds {
   float low, high;
};

static struct bounds
factor_bounds(unsigned partitioning)
{
   switch (partitioning) {
   case TESS_FRACTIONAL_ODD:
      return (struct bounds){ 1, 63 };
   case TESS_FRACTIONAL_EVEN:
      return (struct bounds){ 2, 64 };
   default:
      return (struct bounds){ 1, 64 };
   }
}

static bool
whole(unsigned partitioning)
{
   return partitioning == TESS_INTEGER || partitioning == TESS_POW2;
}

/* A NaN becomes the lower bound. */
static float
clamp_factor(float f, struct bounds b)
{
   f = f > b.low ? f : b.low;
   return f < b.high ? f : b.high;
}

/* The next integer, of a value in [1, 64]. */
static float
round_up(float f)
{
   const float t = (float)(int)f;
   return t < f ? t + 1 : t;
}

static float
outer_factor(float f, unsigned partitioning)
{
   f = clamp_factor(f, factor_bounds(partitioning));
   return whole(partitioning) ? round_up(f) : f;
}

static bool
outer_parity(float f, unsigned partitioning)
{
   return whole(partitioning) ? (int)f & 1 : partitioning == TESS_FRACTIONAL_ODD;
}

/* Inside, a factor of one has no ring of its own and counts as even. */
static bool
inner_parity(float f, unsigned partitioning)
{
   return whole(partitioning) ? ((int)f & 1) && f != 1 : partitioning == TESS_FRACTIONAL_ODD;
}

/* ---- Output -----------------------------------------------------------------------------------
 */

static void
put_point(struct tess_patch *p, uint32_t u, uint32_t v)
{
   assert(p->num_points < TESS_MAX_POINTS);
   p->u[p->num_points] = (float)u * (1.0f / ONE);
   p->v[p->num_points] = (float)v * (1.0f / ONE);
   p->num_points++;
}

/* Takes the corners clockwise, in the domain's own orientation (v pointing down). */
static void
put_triangle(struct tess_patch *p, unsigned a, unsigned b, unsigned c)
{
   assert(p->num_prims < TESS_MAX_PRIMS);
   const bool cw = p->config.topology == TESS_OUT_TRIANGLE_CW;
   uint16_t *out = &p->index[p->num_prims++ * 3];
   out[0] = (uint16_t)a;
   out[1] = (uint16_t)(cw ? b : c);
   out[2] = (uint16_t)(cw ? c : b);
}

static void
put_line(struct tess_patch *p, unsigned a, unsigned b)
{
   assert(p->num_prims < TESS_MAX_PRIMS);
   uint16_t *out = &p->index[p->num_prims++ * 2];
   out[0] = (uint16_t)a;
   out[1] = (uint16_t)b;
}

/* ---- Rings and the belts between them ---------------------------------------------------------
 */

/* A walk along a ring of `size` points, numbered from `base`. */
struct row {
   int base, size, start, step;
};

static unsigned
row_at(const struct row *r, int i)
{
   int n = (r->start + r->step * i) % r->size;
   return (unsigned)(r->base + (n < 0 ? n + r->size : n));
}

/* A belt under construction: the last point used on either side. */
struct belt {
   struct tess_patch *patch;
   const struct row *out, *in;
   int o, i;
};

static void
advance_outside(struct belt *b)
{
   put_triangle(b->patch, row_at(b->out, b->o), row_at(b->out, b->o + 1), row_at(b->in, b->i));
   b->o++;
}

static void
advance_inside(struct belt *b)
{
   put_triangle(b->patch, row_at(b->in, b->i), row_at(b->out, b->o), row_at(b->in, b->i + 1));
   b->i++;
}

/* One cell of a belt with sides that advance together, cut from the inner row's near point to
 * the outer row's far one, or from the outer's near to the inner's far. */
static void
cell_from_inside(struct belt *b)
{
   const unsigned i0 = row_at(b->in, b->i), i1 = row_at(b->in, b->i + 1);
   const unsigned o0 = row_at(b->out, b->o), o1 = row_at(b->out, b->o + 1);
   put_triangle(b->patch, i0, o0, o1);
   put_triangle(b->patch, i0, o1, i1);
   b->i++, b->o++;
}

static void
cell_from_outside(struct belt *b)
{
   const unsigned i0 = row_at(b->in, b->i), i1 = row_at(b->in, b->i + 1);
   const unsigned o0 = row_at(b->out, b->o), o1 = row_at(b->out, b->o + 1);
   put_triangle(b->patch, o0, i1, i0);
   put_triangle(b->patch, o0, o1, i1);
   b->i++, b->o++;
}

/* Inner rings: the outer row has two points more than the inner one's `n`. */
static void
stitch_regular(struct tess_patch *p, const struct row *out, const struct row *in, int n)
{
   struct belt b = { p, out, in, 0, 0 };
   int k = 0;
   advance_outside(&b);
   for (; k < n / 2; k++)
      cell_from_outside(&b);
   for (; k < n - 1; k++)
      cell_from_inside(&b);
   advance_outside(&b);
}

/* Where split number `position` of the ruler function is on a half edge of 32 segments,
 * inverted: for slot 0 .. 32 along the edge, the number of the split that creates it.  Slot 16 is
 * split 2^k of its level, and so on: bit-reversed order, level by level. */
static int
ruler(int slot)
{
   if (slot == 0)
      return 0;
   if (slot == 1)
      return 32;
   const int n = slot - 1; /* 1 .. 31 */
   const int zeros = __builtin_ctz((unsigned)n);
   return (1 << (4 - zeros)) + (n >> (zeros + 1));
}

/* The outermost belt: rows of any lengths.  A side advances at the slots that its factor has
 * already split, so the belt keeps its cuts when one factor grows. */
static void
stitch_transition(struct tess_patch *p, const struct row *out, const struct axis *outer,
                  const struct row *in, const struct axis *inner)
{
   struct belt b = { p, out, in, 0, 0 };
   const int no = outer->half - outer->odd, ni = inner->half - inner->odd;

   if (no > 0)
      advance_outside(&b);
   for (int slot = 1; slot <= 32; slot++) {
      if (ruler(slot) < ni)
         advance_inside(&b);
      if (ruler(slot) < no)
         advance_outside(&b);
   }
   if (inner->odd && outer->odd) {
      const unsigned i0 = row_at(in, b.i), i1 = row_at(in, b.i + 1);
      const unsigned o0 = row_at(out, b.o), o1 = row_at(out, b.o + 1);
      put_triangle(p, i0, o0, i1);
      put_triangle(p, i1, o0, o1);
      b.i++, b.o++;
   } else if (outer->odd) {
      put_triangle(p, row_at(in, b.i), row_at(out, b.o), row_at(out, b.o + 1));
      b.o++;
   } else if (inner->odd) {
      advance_inside(&b);
   }
   for (int slot = 32; slot >= 1; slot--) {
      if (ruler(slot) < no)
         advance_outside(&b);
      if (ruler(slot) < ni)
         advance_inside(&b);
   }
   if (no > 0)
      advance_outside(&b);
}

/* ---- Triangles --------------------------------------------------------------------------------
 */

static void
triangle_points(struct tess_patch *p, const struct axis outer[3], const struct axis *inner)
{
   for (int e = 0; e < 3; e++) {
      const int last = outer[e].points - 1;
      for (int k = 0; k < last; k++) {
         const uint32_t x = axis_coordinate(&outer[e], e == 1 ? k : last - k);
         put_point(p, e == 0 ? 0 : x, e == 0 ? x : e == 1 ? 0 : ONE - x);
      }
   }
   for (int ring = 1; ring < inner->points / 2; ring++) {
      const int last = inner->points - 1 - ring;
      /* An inner ring's distance from its edge is two thirds of its coordinate along the axis;
       * moving in shortens what is parallel to the edge by half of that distance at either end. */
      const uint32_t across = (axis_coordinate(inner, ring) * TWO_THIRD + HALF) >> 16;
      const uint32_t indent = (across + 1) / 2;
      for (int e = 0; e < 3; e++) {
         for (int k = ring; k < last; k++) {
            const uint32_t x = axis_coordinate(inner, e == 1 ? k : last - (k - ring)) - indent;
            switch (e) {
            case 0:
               put_point(p, across, x);
               break;
            case 1:
               put_point(p, x, across);
               break;
            default:
               put_point(p, x, ONE - x - across);
               break;
            }
         }
      }
   }
   if (!inner->odd)
      put_point(p, ONE_THIRD, ONE_THIRD);
}

static void
triangle_prims(struct tess_patch *p, const struct axis outer[3], const struct axis *inner)
{
   int base = 0;
   int size = outer[0].points + outer[1].points + outer[2].points - 3;
   int out_points[3] = { outer[0].points, outer[1].points, outer[2].points };
   int in_points = inner->points - 2;

   for (; in_points >= 1; in_points -= 2) {
      const int in_base = base + size;
      const int in_size = in_points > 1 ? 3 * (in_points - 1) : 1;
      int start = 0;
      for (int e = 0; e < 3; e++) {
         const struct row out = { base, size, start, 1 };
         const struct row in = { in_base, in_size, e * (in_points - 1), 1 };
         if (base == 0)
            stitch_transition(p, &out, &outer[e], &in, inner);
         else
            stitch_regular(p, &out, &in, in_points);
         start += out_points[e] - 1;
         out_points[e] = in_points;
      }
      base = in_base;
      size = in_size;
   }
   if (inner->odd)
      put_triangle(p, (unsigned)base, (unsigned)base + 1, (unsigned)base + 2);
}

/* ---- Quads ------------------------------------------------------------------------------------
 */

/* Axes: 0 along u, 1 along v.  Edges 0 (u = 0) and 2 (u = 1) run along v, 1 (v = 0) and 3 (v = 1)
 * along u. */
static void
quad_points(struct tess_patch *p, const struct axis outer[4], const struct axis inner[2])
{
   for (int e = 0; e < 4; e++) {
      const int last = outer[e].points - 1;
      for (int k = 0; k < last; k++) {
         const uint32_t x = axis_coordinate(&outer[e], e == 1 || e == 2 ? k : last - k);
         const uint32_t side = e >= 2 ? ONE : 0;
         put_point(p, e & 1 ? x : side, e & 1 ? side : x);
      }
   }
   const int shortest = inner[0].points < inner[1].points ? inner[0].points : inner[1].points;
   const int rings = shortest / 2;
   for (int ring = 1; ring < rings; ring++) {
      for (int e = 0; e < 4; e++) {
         const struct axis *along = &inner[!(e & 1)], *across = &inner[e & 1];
         const int last = along->points - 1 - ring;
         const uint32_t side = axis_coordinate(across, e < 2 ? ring : across->points - 1 - ring);
         for (int k = ring; k < last; k++) {
            const uint32_t x = axis_coordinate(along, e == 1 || e == 2 ? k : last - (k - ring));
            put_point(p, e & 1 ? x : side, e & 1 ? side : x);
         }
      }
   }
   /* The innermost ring of an even axis is a row along the other one. */
   if (inner[0].points > inner[1].points) {
      if (!inner[1].odd)
         for (int k = rings; k <= inner[0].points - 1 - rings; k++)
            put_point(p, axis_coordinate(&inner[0], k), HALF);
   } else if (!inner[0].odd) {
      for (int k = inner[1].points - 1 - rings; k >= rings; k--)
         put_point(p, HALF, axis_coordinate(&inner[1], k));
   }
}

/* The row along edge `e` of an inner ring of nu by nv points; with one point across, the ring is a
 * row that is walked twice, forth and back. */
static struct row
quad_row(int base, int nu, int nv, int e)
{
   if (nu == 1) { /* from the largest v down */
      const int n = nv;
      const struct row rows[4] = {
         { base, n, 0, 1 }, { base, n, n - 1, 1 }, { base, n, n - 1, -1 }, { base, n, 0, 1 }
      };
      return rows[e];
   }
   if (nv == 1) { /* from the smallest u up */
      const int n = nu;
      const struct row rows[4] = {
         { base, n, 0, 1 }, { base, n, 0, 1 }, { base, n, n - 1, 1 }, { base, n, n - 1, -1 }
      };
      return rows[e];
   }
   const int start[4] = { 0, nv - 1, nv + nu - 2, 2 * nv + nu - 3 };
   return (struct row){ base, 2 * (nu + nv) - 4, start[e], 1 };
}

/* The centre between the two long sides of the innermost ring: a strip of cells. */
static void
quad_centre(struct tess_patch *p, int base, int nu, int nv, bool along_u, bool longer_even)
{
   const int n = along_u ? nu : nv;
   const int size = 2 * n;
   const struct row out = { base, size, along_u ? 1 : 0, 1 };
   const struct row in = { base, size, along_u ? 0 : size - 1, -1 };
   struct belt b = { p, &out, &in, 0, 0 };
   if (along_u || longer_even) {
      for (int k = 0; k < n - 1; k++)
         cell_from_inside(&b);
      return;
   }
   /* Along v with cells on both sides of the middle: the middle cell is cut the other way. */
   for (int k = 0; k < n / 2 - 1; k++) {
      advance_outside(&b);
      put_triangle(p, row_at(&in, b.i), row_at(&out, b.o), row_at(&in, b.i + 1));
      b.i++;
   }
   cell_from_outside(&b);
   for (int k = n / 2 + 1; k < n; k++) {
      advance_outside(&b);
      put_triangle(p, row_at(&in, b.i), row_at(&out, b.o), row_at(&in, b.i + 1));
      b.i++;
   }
}

static void
quad_prims(struct tess_patch *p, const struct axis outer[4], const struct axis inner[2])
{
   const bool along_u = inner[0].points > inner[1].points;
   const struct axis *shorter = &inner[along_u ? 1 : 0], *longer = &inner[along_u ? 0 : 1];
   int base = 0, size = -4;
   for (int e = 0; e < 4; e++)
      size += outer[e].points;

   int nu = inner[0].points - 2, nv = inner[1].points - 2;
   for (; nu >= 1 && nv >= 1; nu -= 2, nv -= 2) {
      const int in_base = base + size;
      int start = 0;
      for (int e = 0; e < 4; e++) {
         const struct row in = quad_row(in_base, nu, nv, e);
         if (base == 0) {
            const struct row out = { 0, size, start, 1 };
            stitch_transition(p, &out, &outer[e], &in, &inner[!(e & 1)]);
            start += outer[e].points - 1;
         } else {
            const struct row out = quad_row(base, nu + 2, nv + 2, e);
            stitch_regular(p, &out, &in, e & 1 ? nu : nv);
         }
      }
      base = in_base;
      size = nu == 1 ? nv : nv == 1 ? nu : 2 * (nu + nv) - 4;
   }
   if (shorter->odd)
      quad_centre(p, base, nu + 2, nv + 2, along_u, !longer->odd);
}

/* ---- Patches ----------------------------------------------------------------------------------
 */

/* Points and lines need no connections: every point is one, or is joined to the one before it. */
static bool
unconnected(struct tess_patch *p)
{
   if (p->config.topology == TESS_OUT_POINT) {
      p->num_prims = p->num_points;
      return true;
   }
   if (p->config.topology == TESS_OUT_LINE) {
      for (uint32_t i = 1; i < p->num_points; i++)
         put_line(p, i - 1, i);
      return true;
   }
   return false;
}

/* Prepares the axes of a triangle or a quad: `outers` edges, `inners` axes.  True when all are one:
 * the domain itself. */
static bool
prepare(struct axis *outer, unsigned outers, struct axis *inner, unsigned inners,
        const struct tess_factors *f, unsigned partitioning)
{
   uint32_t fixed_outer[4], fixed_inner[2];
   bool odd_outer[4], odd_inner[2], one = true, frame = false;
   /* One and a half units of the last bit: what still rounds to one. */
   const float above_one = 1.0f + 0.5f / ONE;

   for (unsigned i = 0; i < outers; i++) {
      const float x = outer_factor(f->outer[i], partitioning);
      frame |= x > above_one;
      odd_outer[i] = outer_parity(x, partitioning);
      fixed_outer[i] = to_fixed(x);
      one &= fixed_outer[i] == ONE;
   }
   /* With two inner factors, each makes room for the other's ring. */
   for (unsigned i = 0; i < inners && inners == 2; i++)
      frame |= f->inner[i] > above_one;

   struct bounds b = factor_bounds(partitioning);
   if (partitioning == TESS_FRACTIONAL_ODD && frame)
      b.low = 1.0f + 1.0f / ONE;
   for (unsigned i = 0; i < inners; i++) {
      float x = clamp_factor(f->inner[i], b);
      x = whole(partitioning) ? round_up(x) : x;
      odd_inner[i] = inner_parity(x, partitioning);
      fixed_inner[i] = to_fixed(x);
      one &= fixed_inner[i] == ONE;
   }
   if (one)
      return true;

   for (unsigned i = 0; i < outers; i++)
      axis_init(&outer[i], fixed_outer[i], odd_outer[i]);
   for (unsigned i = 0; i < inners; i++) {
      axis_init(&inner[i], fixed_inner[i], odd_inner[i]);
      const int least = odd_inner[i] ? 4 : 3; /* the first belt may be of no width */
      inner[i].points = inner[i].points > least ? inner[i].points : least;
   }
   return false;
}

static void
run_triangle(struct tess_patch *p, const struct tess_factors *f, unsigned partitioning)
{
   struct axis outer[3], inner[1];
   if (prepare(outer, 3, inner, 1, f, partitioning)) {
      put_point(p, 0, ONE);
      put_point(p, 0, 0);
      put_point(p, ONE, 0);
      if (!unconnected(p))
         put_triangle(p, 0, 1, 2);
      return;
   }
   triangle_points(p, outer, inner);
   if (!unconnected(p))
      triangle_prims(p, outer, inner);
}

static void
run_quad(struct tess_patch *p, const struct tess_factors *f, unsigned partitioning)
{
   struct axis outer[4], inner[2];
   if (prepare(outer, 4, inner, 2, f, partitioning)) {
      put_point(p, 0, 0);
      put_point(p, ONE, 0);
      put_point(p, ONE, ONE);
      put_point(p, 0, ONE);
      if (!unconnected(p)) {
         put_triangle(p, 0, 1, 3);
         put_triangle(p, 1, 2, 3);
      }
      return;
   }
   quad_points(p, outer, inner);
   if (!unconnected(p))
      quad_prims(p, outer, inner);
}

static void
run_isoline(struct tess_patch *p, const struct tess_factors *f, unsigned partitioning)
{
   const float density = outer_factor(f->outer[0], TESS_INTEGER);
   const float detail = outer_factor(f->outer[1], partitioning);
   struct axis v, u;
   axis_init(&v, to_fixed(density), outer_parity(density, TESS_INTEGER));
   axis_init(&u, to_fixed(detail), outer_parity(detail, partitioning));

   /* No line at v = 1: the next patch has it. */
   for (int line = 0; line < v.points - 1; line++) {
      const uint32_t y = axis_coordinate(&v, line);
      for (int k = 0; k < u.points; k++) {
         put_point(p, axis_coordinate(&u, k), y);
         if (k && p->config.topology != TESS_OUT_POINT)
            put_line(p, p->num_points - 2, p->num_points - 1);
      }
   }
   if (p->config.topology == TESS_OUT_POINT)
      p->num_prims = p->num_points;
}

static bool
culled(const struct tess_factors *f, unsigned domain)
{
   static const uint8_t outers[] = { 2, 3, 4 };
   if (domain > TESS_DOMAIN_QUAD)
      return true;
   for (unsigned i = 0; i < outers[domain]; i++)
      if (!(f->outer[i] > 0))
         return true;
   return false;
}

void
tess_run(struct tess_patch *patch, const struct tess_config *config,
         const struct tess_factors *factors)
{
   if (patch->valid && !memcmp(&patch->config, config, sizeof(*config)) &&
       !memcmp(&patch->factors, factors, sizeof(*factors)))
      return;
   patch->valid = true;
   patch->config = *config;
   patch->config.topology &= 3;
   patch->factors = *factors;
   patch->num_points = patch->num_prims = 0;
   patch->verts_per_prim =
      patch->config.topology == TESS_OUT_POINT                                           ? 1
      : patch->config.topology == TESS_OUT_LINE || config->domain == TESS_DOMAIN_ISOLINE ? 2
                                                                                         : 3;
   const unsigned partitioning = config->partitioning & 3;
   if (culled(factors, config->domain))
      return;
   switch (config->domain) {
   case TESS_DOMAIN_TRIANGLE:
      run_triangle(patch, factors, partitioning);
      break;
   case TESS_DOMAIN_QUAD:
      run_quad(patch, factors, partitioning);
      break;
   default:
      run_isoline(patch, factors, partitioning);
      break;
   }
}

unsigned
tess_factor_dwords(unsigned domain)
{
   return domain == TESS_DOMAIN_ISOLINE    ? 2
          : domain == TESS_DOMAIN_TRIANGLE ? 4
          : domain == TESS_DOMAIN_QUAD     ? 6
                                           : 0;
}

void
tess_unpack(struct tess_factors *factors, unsigned domain, const uint32_t *record)
{
   memset(factors, 0, sizeof(*factors));
   switch (domain) {
   case TESS_DOMAIN_ISOLINE:
      memcpy(&factors->outer[0], &record[1], 4);
      memcpy(&factors->outer[1], &record[0], 4);
      break;
   case TESS_DOMAIN_TRIANGLE:
      memcpy(factors->outer, record, 12);
      memcpy(factors->inner, record + 3, 4);
      break;
   case TESS_DOMAIN_QUAD:
      memcpy(factors->outer, record, 16);
      memcpy(factors->inner, record + 4, 8);
      break;
   default:
      break;
   }
}

/* ---- Batches ----------------------------------------------------------------------------------
 */

void
tess_cursor_start(struct tess_cursor *cursor)
{
   memset(cursor, 0, sizeof(*cursor));
}

bool
tess_batch_next(struct tess_cursor *cursor, const struct tess_patch *patch, unsigned max_points,
                unsigned max_prims, struct tess_batch *batch)
{
   const unsigned n = patch->verts_per_prim;

   assert(max_points >= 3 && max_points <= TESS_BATCH_POINTS);
   assert(max_prims >= 1 && max_prims <= TESS_BATCH_PRIMS);
   batch->num_points = batch->num_prims = 0;
   batch->first_prim = cursor->next_prim;
   cursor->stamp++;

   while (cursor->next_prim < patch->num_prims && batch->num_prims < max_prims) {
      unsigned at[3], fresh = 0;
      for (unsigned k = 0; k < n; k++) {
         const uint32_t prim = cursor->next_prim;
         const unsigned v =
            patch->config.topology == TESS_OUT_POINT ? prim : patch->index[prim * n + k];
         assert(v < patch->num_points);
         at[k] = v;
         fresh += cursor->mark[at[k]] >> 16 != cursor->stamp;
      }
      if (batch->num_points + fresh > max_points)
         break;
      for (unsigned k = 0; k < n; k++) {
         uint32_t *mark = &cursor->mark[at[k]];
         if (*mark >> 16 != cursor->stamp) {
            *mark = cursor->stamp << 16 | batch->num_points;
            batch->point[batch->num_points++] = (uint16_t)at[k];
         }
         batch->index[batch->num_prims * n + k] = (uint16_t)*mark;
      }
      batch->num_prims++;
      cursor->next_prim++;
   }
   return batch->num_prims > 0;
}
