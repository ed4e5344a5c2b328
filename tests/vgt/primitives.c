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

#include <atoll/cayman/enums.h>

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
   { DI_PT_POINTLIST, false, 5, 3, { 3 }, 1, 0, 7 },
   { DI_PT_LINELIST,  false, 6, 2, { 4, 5 }, 2, 0, 7 },
   { DI_PT_LINELIST,  true,  6, 2, { 4, 5 }, 2, 1, 7 },
   { DI_PT_LINESTRIP, true,  4, 2, { 2, 3 }, 2, 1, 7 },
   { DI_PT_LINELOOP,  true,  4, 2, { 2, 3 }, 2, 1, 7 },
   { DI_PT_LINELOOP,  true,  4, 3, { 3, 0 }, 2, 1, 7 },
   { DI_PT_TRILIST,   false, 9, 2, { 6, 7, 8 }, 3, 0, 7 },
   { DI_PT_TRILIST,   true,  9, 2, { 6, 7, 8 }, 3, 2, 7 },
   { DI_PT_TRISTRIP,  true,  6, 2, { 2, 3, 4 }, 3, 2, 7 },
   { DI_PT_TRISTRIP,  true,  6, 1, { 2, 1, 3 }, 3, 2, 7 },
   { DI_PT_TRISTRIP,  false, 6, 1, { 1, 3, 2 }, 3, 0, 7 },
   { DI_PT_TRIFAN,    true,  6, 2, { 0, 3, 4 }, 3, 2, 7 },
   { DI_PT_TRIFAN,    false, 6, 2, { 3, 4, 0 }, 3, 0, 7 },
   { DI_PT_POLYGON,   true,  5, 0, { 1, 2, 0 }, 3, 2, 5 },
   { DI_PT_POLYGON,   true,  5, 1, { 2, 3, 0 }, 3, 2, 1 },
   { DI_PT_POLYGON,   true,  5, 2, { 3, 4, 0 }, 3, 2, 3 },
   { DI_PT_QUADLIST,  false, 8, 2, { 4, 5, 6 }, 3, 0, 3 },
   { DI_PT_QUADLIST,  false, 8, 3, { 4, 6, 7 }, 3, 0, 6 },
   { DI_PT_QUADLIST,  true,  8, 2, { 4, 5, 7 }, 3, 2, 5 },
   { DI_PT_QUADLIST,  true,  8, 3, { 5, 6, 7 }, 3, 2, 3 },
   { DI_PT_QUADSTRIP, true,  6, 0, { 2, 0, 3 }, 3, 2, 5 },
   { DI_PT_QUADSTRIP, true,  6, 1, { 0, 1, 3 }, 3, 2, 3 },
   { DI_PT_LINELIST_ADJ,  true, 8, 1, { 5, 6 }, 2, 1, 7 },
   { DI_PT_TRILIST_ADJ,  false, 12, 1, { 6, 8, 10 }, 3, 0, 7 },
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
      { DI_PT_POINTLIST, 7, 7 },
      { DI_PT_LINELIST, 7, 3 },
      { DI_PT_LINESTRIP, 1, 0 },
      { DI_PT_LINESTRIP, 7, 6 },
      { DI_PT_LINELOOP, 1, 0 },
      { DI_PT_LINELOOP, 7, 7 },
      { DI_PT_TRILIST, 8, 2 },
      { DI_PT_TRISTRIP, 2, 0 },
      { DI_PT_TRISTRIP, 8, 6 },
      { DI_PT_TRIFAN, 8, 6 },
      { DI_PT_POLYGON, 8, 6 },
      { DI_PT_QUADLIST, 11, 4 },
      { DI_PT_QUADSTRIP, 3, 0 },
      { DI_PT_QUADSTRIP, 9, 6 },
      { DI_PT_RECTLIST, 7, 2 },
      { DI_PT_NONE, 9, 0 },
      { DI_PT_PATCH, 9, 0 },
      { 63, 9, 0 },
      { DI_PT_POINTLIST, UINT32_MAX, UINT32_MAX },
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
               const bool points = type == DI_PT_POINTLIST;
               const bool lines = type == DI_PT_LINELIST || type == DI_PT_LINESTRIP ||
                                  type == DI_PT_LINELOOP || type == DI_PT_LINELIST_ADJ ||
                                  type == DI_PT_LINESTRIP_ADJ;

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
      { DI_PT_POINTLIST, 4, 2, { 2 } },
      { DI_PT_LINELOOP, 4, 3, { 3, 0 } },
      { DI_PT_TRISTRIP, 6, 2, { 2, 3, 4 } },
      { DI_PT_TRISTRIP, 6, 3, { 4, 3, 5 } },
      { DI_PT_TRIFAN, 6, 2, { 0, 3, 4 } },
      { DI_PT_LINELIST_ADJ, 8, 1, { 4, 5, 6, 7 } },
      { DI_PT_LINESTRIP_ADJ, 8, 3, { 3, 4, 5, 6 } },
      { DI_PT_TRILIST_ADJ, 12, 1, { 6, 7, 8, 9, 10, 11 } },
      { DI_PT_TRISTRIP_ADJ, 6, 0, { 0, 1, 2, 5, 4, 3 } },    /* the only one */
      { DI_PT_TRISTRIP_ADJ, 12, 0, { 0, 1, 2, 6, 4, 3 } },   /* the first */
      { DI_PT_TRISTRIP_ADJ, 12, 1, { 2, 5, 6, 8, 4, 0 } },   /* odd, in between */
      { DI_PT_TRISTRIP_ADJ, 12, 2, { 4, 2, 6, 10, 8, 7 } },  /* even, in between */
      { DI_PT_TRISTRIP_ADJ, 12, 3, { 6, 9, 10, 11, 8, 4 } }, /* odd, the last */
      { DI_PT_TRISTRIP_ADJ, 11, 2, { 4, 2, 6, 9, 8, 7 } },   /* even, the last */
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
