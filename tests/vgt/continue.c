/* SPDX-License-Identifier: MIT */
/*
 * A draw that continues another has the vertices and primitives that it has alone; what number or
 * memory tells apart does not continue.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory/arena.h"
#include "memory/pool.h"
#include "memory/space.h"
#include "port/state.h"
#include "vgt/gather.h"

#define INDICES 4096u
#define VA      UINT64_C(0x100000)

static const uint8_t topologies[] = {
   TOPOLOGY_POINTS,       TOPOLOGY_LINES,     TOPOLOGY_LINE_STRIP,
   TOPOLOGY_LINE_LOOP,    TOPOLOGY_TRIANGLES, TOPOLOGY_TRIANGLE_STRIP,
   TOPOLOGY_TRIANGLE_FAN, TOPOLOGY_QUADS,     TOPOLOGY_QUAD_STRIP,
};

static uint32_t
pick(uint32_t *seed, uint32_t below)
{
   *seed = *seed * 1664525 + 1013904223;
   return (*seed >> 8) % below;
}

/* Appends the draw's primitives to `out`: three vertices' keys, the provoking one and the number
 * of each.  Returns how many. */
static uint32_t
list_prims(const struct vgt_state *s, struct front *f, uint32_t (*out)[5])
{
   for (uint32_t first = 0; first < s->prims_per_instance; first += BATCH_PRIMS) {
      struct gather_walk w = gather_walk(s, first);

      gather_start(f);
      for (uint32_t i = 0; i < BATCH_PRIMS && first + i < s->prims_per_instance; i++, out++) {
         gather_primitive(f, &w, i);
         gather_next(&w);
         memset(*out, 0, sizeof(*out));
         for (unsigned k = 0; k < s->verts_per_prim; k++)
            (*out)[k] = f->index[f->prim[i][k]];
         (*out)[3] = f->provoking[i] | (uint32_t)f->edges[i] << 8 | f->first_of_strip[i] << 16;
         (*out)[4] = f->prim_number[i];
      }
   }
   return s->prims_per_instance;
}

static struct gfx_draw
any_draw(struct vm *vm, struct vgt_state *v, bool indexed, uint32_t *seed)
{
   const uint32_t count = 1 + pick(seed, 40);

   v->index_offset = pick(seed, 100);
   return (struct gfx_draw){
      .vm = vm,
      .indexed = indexed,
      .index_bytes = 2,
      .index_va = VA + 2 * pick(seed, INDICES - 40),
      .index_max = 40,
      .count = count,
      .instances = 1,
      .vgt = v,
   };
}

static void
same_as_alone(void **state)
{
   static uint32_t alone[4096][5], joined[4096][5];
   struct front *f = calloc(1, sizeof(*f));
   struct vm *vm = vm_create();
   struct arena *arena = arena_create(INDICES * 2);
   struct bo *bo = arena ? bo_create(arena, INDICES * 2) : NULL;
   const struct core_watch watch = { 0 };
   struct pool pool = { 0 };
   uint32_t seed = 7;
   unsigned continued = 0;

   (void)state;
   assert_non_null(f);
   assert_non_null(vm);
   assert_non_null(bo);
   assert_int_equal(vm_map(vm, VA, bo), 0);
   for (unsigned i = 0; i < INDICES; i++)
      ((uint16_t *)vm_pointer(vm, VA))[i] = (uint16_t)pick(&seed, 300);
   for (unsigned round = 0; round < 2000; round++) {
      struct vgt_state first = {
         .topology = topologies[pick(&seed, sizeof(topologies))],
         .provoking_last = pick(&seed, 2),
         .primitive_id = pick(&seed, 2),
         .index_min = pick(&seed, 20),
         .index_max = pick(&seed, 2) ? UINT32_MAX : 250,
      };
      const bool indexed = pick(&seed, 2);
      struct vgt_state all = first;
      struct gfx_draw draw = any_draw(vm, &all, indexed, &seed);
      uint32_t prims = 0;

      if (indexed)
         draw.index_va = VA;
      assert_null(vgt_begin(&all, &draw, &pool, &watch));
      prims += list_prims(&all, f, alone);
      for (unsigned n = 0; n < 30; n++) {
         struct vgt_state next = first, one;

         draw = any_draw(vm, &next, indexed, &seed);
         const uint32_t before = all.ia_vertices;
         if (!vgt_continue(&all, &draw, NULL, &pool)) {
            assert_int_equal(all.ia_vertices, before);
            assert_int_equal(all.prims_per_instance, prims);
            continue;
         }
         continued++;
         assert_int_equal(all.ia_vertices, before + draw.count);
         one = next;
         assert_null(vgt_begin(&one, &draw, &pool, &watch));
         prims += list_prims(&one, f, alone + prims);
      }
      assert_int_equal(list_prims(&all, f, joined), prims);
      for (uint32_t i = 0; i < prims; i++)
         assert_memory_equal(joined[i], alone[i], sizeof(alone[i]));
      pool_reset(&pool);
   }
   assert_true(continued > 10000);
   pool_finish(&pool);
   vm_destroy(vm);
   bo_unref(bo);
   arena_destroy(arena);
   free(f);
}

/* What is no plain list of vertices, or not all in memory. */
static void
what_stays_apart(void **state)
{
   struct vm *vm = vm_create();
   struct arena *arena = arena_create(INDICES * 2);
   struct bo *bo = arena ? bo_create(arena, INDICES * 2) : NULL;
   const struct core_watch watch = { 0 };
   const struct vgt_state plain = { .topology = TOPOLOGY_TRIANGLES, .index_max = UINT32_MAX };
   struct pool pool = { 0 };

   (void)state;
   assert_non_null(vm);
   assert_non_null(bo);
   assert_int_equal(vm_map(vm, VA, bo), 0);
   for (unsigned n = 0; n <= 13; n++) {
      struct vgt_state all = plain, next = plain;
      struct gfx_draw draw = { .vm = vm,
                               .count = 3,
                               .instances = 1,
                               .vgt = &all,
                               .indexed = n > 8,
                               .index_bytes = 2,
                               .index_va = VA + 8,
                               .index_max = 3 };
      static const uint32_t immediate[2] = { 0 };

      next.topology = n == 1 ? TOPOLOGY_LINES : n == 2 ? TOPOLOGY_POLYGON : plain.topology;
      next.restart = n == 3;
      next.gs = n == 4;
      next.streams.on = n == 5;
      next.provoking_last = n == 6;
      next.index_min = n == 7;
      assert_null(vgt_begin(&all, &draw, &pool, &watch));
      draw.vgt = &next;
      draw.instances = n == 8 ? 2 : 1;
      draw.index_va += n == 9 ? (uint64_t)-2 : n == 10 ? 1 : n == 11 ? INDICES * 2 - 10 : 2;
      draw.index_max = n == 12 ? 2 : 3;
      draw.immediate = n == 13 ? immediate : NULL;
      if (vgt_continue(&all, &draw, NULL, &pool) != (n == 0))
         fail_msg("case %u", n);
   }
   pool_finish(&pool);
   vm_destroy(vm);
   bo_unref(bo);
   arena_destroy(arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_alone),
      cmocka_unit_test(what_stays_apart),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
