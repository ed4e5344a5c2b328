/* SPDX-License-Identifier: MIT */
/*
 * Vertices of strips, which are numbered by what the triangle before had, against those that are
 * numbered one triangle after the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vgt/gather.h"

static void
compare(const struct vgt_state *s, struct front *expected, struct front *got)
{
   const uint64_t total = (uint64_t)s->prims_per_instance * s->instances;

   for (uint64_t first = 0; first < total; first += BATCH_PRIMS) {
      const uint32_t count = total - first < BATCH_PRIMS ? (uint32_t)(total - first) : BATCH_PRIMS;
      struct gather_walk w = gather_walk(s, first), same = w;

      gather_start(expected);
      gather_start(got);
      expected->num_prims = got->num_prims = count;
      for (uint32_t i = 0; i < count; i++, gather_next(&w))
         gather_primitive(expected, &w, i);
      gather_strip(got, &same);
      assert_int_equal(got->num_verts, expected->num_verts);
      assert_memory_equal(got->index, expected->index, 4 * got->num_verts);
      assert_memory_equal(got->instance, expected->instance, 4 * got->num_verts);
      assert_memory_equal(got->prim_id, expected->prim_id, 4 * got->num_verts);
      assert_memory_equal(got->prim, expected->prim, count * sizeof(got->prim[0]));
      assert_memory_equal(got->provoking, expected->provoking, count);
      assert_memory_equal(got->edges, expected->edges, count);
      assert_memory_equal(got->first_of_strip, expected->first_of_strip,
                          count * sizeof(got->first_of_strip[0]));
      assert_memory_equal(got->prim_number, expected->prim_number, 4 * count);
   }
}

/* One strip, several with odd and even numbers of triangles, instances, repeated and limited
 * indices, batches that begin within a strip. */
static void
strips(void **state)
{
   static uint16_t indices[2048];
   struct front *expected = calloc(1, sizeof(*expected)), *got = calloc(1, sizeof(*got));
   uint32_t seed = 1;

   assert_non_null(expected);
   assert_non_null(got);
   for (unsigned round = 0; round < 400; round++) {
      struct vgt_segment segments[4];
      const unsigned num_segments = 1 + round % 4;
      struct vgt_state s = {
         .topology = TOPOLOGY_TRIANGLE_STRIP,
         .verts_per_prim = 3,
         .provoking_last = round >> 2 & 1,
         .indexed = round >> 3 & 1,
         .reuse = true,
         .index_bytes = 2,
         .indices = (const uint8_t *)indices,
         .indices_mapped = 2048,
         .index_offset = round >> 4 & 1 ? 5 : 0,
         .index_max = round >> 5 & 1 ? 100 : UINT32_MAX,
         .instances = 1 + round % 3,
         .num_segments = num_segments,
         .segments = segments,
      };
      uint32_t first = 0;

      for (unsigned i = 0; i < 2048; i++) {
         seed = seed * 1664525 + 1013904223;
         indices[i] = (uint16_t)(seed >> 24) >> (round >> 6 & 3);
      }
      for (unsigned i = 0; i < num_segments; i++) {
         seed = seed * 1664525 + 1013904223;
         segments[i] = (struct vgt_segment){ .first = first,
                                             .count = 3 + (seed >> 24),
                                             .first_prim = s.prims_per_instance };
         first += segments[i].count + 1;
         s.prims_per_instance += segments[i].count - 2;
      }
      compare(&s, expected, got);
   }
   free(expected);
   free(got);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(strips) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
