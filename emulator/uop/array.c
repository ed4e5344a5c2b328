/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations on rows that a lane's value chooses: elements of arrays and tables, what another
 * lane has; and the face of a cube that a direction goes through.
 */
#include <math.h>

#include "uop/values.h"

static uint32_t
component(uint32_t row, unsigned chan)
{
   return (row * 4 + chan) * COMP_BYTES;
}

/* src[0]: index. */
void
K(uop_array_load)(struct exec *x, const struct bound_uop *u)
{
   wave_lane index;
   uint32_t *dst = uop_lanes_of(x, u->dst);

   uop_load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint32_t at = index[lane] + u->p.array.offset;
      dst[lane] = at < u->p.array.rows
                     ? uop_lanes_of(x, component(u->p.array.row + at, u->p.array.chan))[lane]
                     : 0;
   }
}

/* src[0]: value, src[1]: index. */
void
K(uop_array_store)(struct exec *x, const struct bound_uop *u)
{
   wave_lane value, index;

   uop_load(x, u, 0, value);
   uop_load(x, u, 1, index);
   FOR_LANES(lane, x->lanes)
   {
      uint32_t at = index[lane] + u->p.array.offset;
      if (at < u->p.array.rows)
         uop_lanes_of(x, component(u->p.array.row + at, u->p.array.chan))[lane] = value[lane];
   }
}

/* src[0]: a lane.  What that lane has in the row. */
void
K(uop_lane_read)(struct exec *x, const struct bound_uop *u)
{
   const uint32_t *row = uop_lanes_of(x, component(u->p.array.row, u->p.array.chan));
   wave_lane index;
   uint32_t *dst = uop_lanes_of(x, u->dst);

   uop_load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      dst[lane] = index[lane] < WAVE_LANES ? row[index[lane]] : 0;
   }
}

/* src[0]: value, src[1]: index, taken within the rows, a power of two.  All lanes get what one of
 * them writes, the last one's at last. */
void
K(uop_array_share)(struct exec *x, const struct bound_uop *u)
{
   wave_lane value, index;

   uop_load(x, u, 0, value);
   uop_load(x, u, 1, index);
   FOR_LANES(lane, x->lanes)
   {
      uint32_t *row = uop_lanes_of(
         x, component(u->p.array.row + (index[lane] & (u->p.array.rows - 1)), u->p.array.chan));
      for (unsigned l = 0; l < WAVE_LANES; l++)
         row[l] = value[lane];
   }
}

/* src[0]: index; src[1]: the first of the values. */
void
K(uop_table_at)(struct exec *x, const struct bound_uop *u)
{
   const uint32_t *table = (const uint32_t *)((const uint8_t *)x->uni + u->src[1]);
   wave_lane index;
   uint32_t *dst = uop_lanes_of(x, u->dst);

   uop_load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 4 * (uint64_t)(index[lane] + u->p.table.element) + u->p.table.chan;
      dst[lane] = at < u->p.table.dwords ? table[at] : 0;
   }
}

/* Four records: src[0] of the first three is a direction, x, y and z.  dst: s and t on the face it
 * goes through, twice the major axis, and the number of the face (OpenGL's table of faces).  Of
 * equal axes z comes before y, y before x. */
void
K(uop_cube_face)(struct exec *x, const struct bound_uop *u)
{
   wave_lane in[3];

   for (unsigned n = 0; n < 3; n++)
      uop_load(x, u + n, 0, in[n]);
   FOR_LANES(lane, x->lanes)
   {
      float v[3], out[4];
      for (unsigned n = 0; n < 3; n++)
         memcpy(&v[n], &in[n][lane], 4);
      float ax = fabsf(v[0]), ay = fabsf(v[1]), az = fabsf(v[2]);
      unsigned axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
      bool negative = v[axis] < 0.0f;
      out[0] = axis == 0 ? (negative ? v[2] : -v[2]) : axis == 2 && negative ? -v[0] : v[0];
      out[1] = axis == 1 ? (negative ? -v[2] : v[2]) : -v[1];
      out[2] = 2.0f * v[axis];
      out[3] = (float)(2 * axis + negative);
      for (unsigned n = 0; n < 4; n++) {
         uint32_t bits;
         memcpy(&bits, &out[n], 4);
         uop_lanes_of(x, u[n].dst)[lane] = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
      }
   }
}
