/* SPDX-License-Identifier: MIT */
/*
 * VGT's cutting of topologies, against the tables of the OpenGL specification (10.1, and 13.4 for
 * the provoking vertex): counts, vertex order and winding, provoking vertex, application edges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "port/state.h"
#include "vgt/geometry.h"
#include "vgt/vgt.h"

struct row {
   uint8_t type;
   bool last;
   uint32_t count, n;
   uint32_t pos[3];
   uint8_t verts, provoking, edges;
};

/* clang-format off */
static const struct row rows[] = {
   { TOPOLOGY_POINTS, false, 5, 3, { 3 }, 1, 0, 7 },
   { TOPOLOGY_LINES,  false, 6, 2, { 4, 5 }, 2, 0, 7 },
   { TOPOLOGY_LINES,  true,  6, 2, { 4, 5 }, 2, 1, 7 },
   { TOPOLOGY_LINE_STRIP, true,  4, 2, { 2, 3 }, 2, 1, 7 },
   { TOPOLOGY_LINE_LOOP,  true,  4, 2, { 2, 3 }, 2, 1, 7 },
   { TOPOLOGY_LINE_LOOP,  true,  4, 3, { 3, 0 }, 2, 1, 7 },
   { TOPOLOGY_TRIANGLES,   false, 9, 2, { 6, 7, 8 }, 3, 0, 7 },
   { TOPOLOGY_TRIANGLES,   true,  9, 2, { 6, 7, 8 }, 3, 2, 7 },
   { TOPOLOGY_TRIANGLE_STRIP,  true,  6, 2, { 2, 3, 4 }, 3, 2, 7 },
   { TOPOLOGY_TRIANGLE_STRIP,  true,  6, 1, { 2, 1, 3 }, 3, 2, 7 },
   { TOPOLOGY_TRIANGLE_STRIP,  false, 6, 1, { 1, 3, 2 }, 3, 0, 7 },
   { TOPOLOGY_TRIANGLE_FAN,    true,  6, 2, { 0, 3, 4 }, 3, 2, 7 },
   { TOPOLOGY_TRIANGLE_FAN,    false, 6, 2, { 3, 4, 0 }, 3, 0, 7 },
   { TOPOLOGY_POLYGON,   true,  5, 0, { 1, 2, 0 }, 3, 2, 5 },
   { TOPOLOGY_POLYGON,   true,  5, 1, { 2, 3, 0 }, 3, 2, 1 },
   { TOPOLOGY_POLYGON,   true,  5, 2, { 3, 4, 0 }, 3, 2, 3 },
   { TOPOLOGY_QUADS,  false, 8, 2, { 4, 5, 6 }, 3, 0, 3 },
   { TOPOLOGY_QUADS,  false, 8, 3, { 4, 6, 7 }, 3, 0, 6 },
   { TOPOLOGY_QUADS,  true,  8, 2, { 4, 5, 7 }, 3, 2, 5 },
   { TOPOLOGY_QUADS,  true,  8, 3, { 5, 6, 7 }, 3, 2, 3 },
   { TOPOLOGY_QUAD_STRIP, true,  6, 0, { 2, 0, 3 }, 3, 2, 5 },
   { TOPOLOGY_QUAD_STRIP, true,  6, 1, { 0, 1, 3 }, 3, 2, 3 },
   { TOPOLOGY_LINES_ADJACENCY,  true, 8, 1, { 5, 6 }, 2, 1, 7 },
   { TOPOLOGY_TRIANGLES_ADJACENCY,  false, 12, 1, { 6, 8, 10 }, 3, 0, 7 },
};
/* clang-format on */

static void
order(void **state)
{
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const struct row *r = &rows[i];
      const struct vgt_prim p = vgt_primitive(r->type, r->last, r->count, r->n);

      assert_true(r->n < vgt_prims(r->type, r->count));
      for (unsigned k = 0; k < r->verts; k++)
         if (p.pos[k] != r->pos[k])
            fail_msg("row %u vertex %u: position %u, expected %u", i, k, p.pos[k], r->pos[k]);
      if (r->verts > 1)
         assert_int_equal(p.provoking, r->provoking);
      if (r->verts == 3)
         assert_int_equal(p.edges, r->edges);
   }
}

static void
counts(void **state)
{
   static const struct {
      uint8_t type;
      uint32_t count, prims;
   } row[] = {
      { TOPOLOGY_POINTS, 7, 7 },
      { TOPOLOGY_LINES, 7, 3 },
      { TOPOLOGY_LINE_STRIP, 1, 0 },
      { TOPOLOGY_LINE_STRIP, 7, 6 },
      { TOPOLOGY_LINE_LOOP, 1, 0 },
      { TOPOLOGY_LINE_LOOP, 7, 7 },
      { TOPOLOGY_TRIANGLES, 8, 2 },
      { TOPOLOGY_TRIANGLE_STRIP, 2, 0 },
      { TOPOLOGY_TRIANGLE_STRIP, 8, 6 },
      { TOPOLOGY_TRIANGLE_FAN, 8, 6 },
      { TOPOLOGY_POLYGON, 8, 6 },
      { TOPOLOGY_QUADS, 11, 4 },
      { TOPOLOGY_QUAD_STRIP, 3, 0 },
      { TOPOLOGY_QUAD_STRIP, 9, 6 },
      { TOPOLOGY_RECTANGLES, 7, 2 },
      { TOPOLOGY_NONE, 9, 0 },
      { TOPOLOGY_PATCHES, 9, 0 },
      { 63, 9, 0 },
      { TOPOLOGY_POINTS, UINT32_MAX, UINT32_MAX },
   };

   for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++)
      assert_int_equal(vgt_prims(row[i].type, row[i].count), row[i].prims);
}

/* Whatever the count, no primitive names a vertex beyond it. */
static void
bounds(void **state)
{
   for (unsigned type = 0; type < 64; type++) {
      for (uint32_t count = 0; count < 40; count++) {
         const uint32_t prims = vgt_prims(type, count);

         for (uint32_t n = 0; n < prims; n++) {
            for (unsigned last = 0; last < 2; last++) {
               const struct vgt_prim p = vgt_primitive(type, last, count, n);
               const bool points = type == TOPOLOGY_POINTS;
               const bool lines = type == TOPOLOGY_LINES || type == TOPOLOGY_LINE_STRIP ||
                                  type == TOPOLOGY_LINE_LOOP || type == TOPOLOGY_LINES_ADJACENCY ||
                                  type == TOPOLOGY_LINE_STRIP_ADJACENCY;

               for (unsigned k = 0; k < (points ? 1 : lines ? 2 : 3); k++)
                  assert_true(p.pos[k] < count);
               assert_true(p.provoking < 3);
            }
         }
      }
   }
}

/* What a geometry shader is given (OpenGL 4.6, table 10.1), adjacent vertices included.
 * Odd triangles of a strip with adjacency are OpenGL's order rotated by two: stock r600 rotates
 * them back. */
static void
geometry_inputs(void **state)
{
   static const struct {
      uint8_t type;
      uint32_t count, n, pos[GEOMETRY_IN_VERTS];
   } row[] = {
      { TOPOLOGY_POINTS, 4, 2, { 2 } },
      { TOPOLOGY_LINE_LOOP, 4, 3, { 3, 0 } },
      { TOPOLOGY_TRIANGLE_STRIP, 6, 2, { 2, 3, 4 } },
      { TOPOLOGY_TRIANGLE_STRIP, 6, 3, { 4, 3, 5 } },
      { TOPOLOGY_TRIANGLE_FAN, 6, 2, { 0, 3, 4 } },
      { TOPOLOGY_LINES_ADJACENCY, 8, 1, { 4, 5, 6, 7 } },
      { TOPOLOGY_LINE_STRIP_ADJACENCY, 8, 3, { 3, 4, 5, 6 } },
      { TOPOLOGY_TRIANGLES_ADJACENCY, 12, 1, { 6, 7, 8, 9, 10, 11 } },
      { TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 6, 0, { 0, 1, 2, 5, 4, 3 } },    /* the only one */
      { TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 12, 0, { 0, 1, 2, 6, 4, 3 } },   /* the first */
      { TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 12, 1, { 2, 5, 6, 8, 4, 0 } },   /* odd, in between */
      { TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 12, 2, { 4, 2, 6, 10, 8, 7 } },  /* even, in between */
      { TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 12, 3, { 6, 9, 10, 11, 8, 4 } }, /* odd, the last */
      { TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 11, 2, { 4, 2, 6, 9, 8, 7 } },   /* even, the last */
   };

   for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
      uint32_t pos[GEOMETRY_IN_VERTS];

      geometry_primitive(row[i].type, row[i].count, row[i].n, pos);
      for (unsigned k = 0; k < geometry_in_verts(row[i].type); k++)
         if (pos[k] != row[i].pos[k])
            fail_msg("row %u vertex %u: position %u, expected %u", i, k, pos[k], row[i].pos[k]);
   }
   for (unsigned type = 0; type < 64; type++) {
      for (uint32_t count = 0; count < 40; count++) {
         for (uint32_t n = 0; n < vgt_prims(type, count); n++) {
            uint32_t pos[GEOMETRY_IN_VERTS];

            geometry_primitive(type, count, n, pos);
            for (unsigned k = 0; k < geometry_in_verts(type); k++)
               assert_true(pos[k] < count);
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(order),
      cmocka_unit_test(counts),
      cmocka_unit_test(bounds),
      cmocka_unit_test(geometry_inputs),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
