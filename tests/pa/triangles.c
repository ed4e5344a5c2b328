/* SPDX-License-Identifier: MIT */
/*
 * Setup of vectors of triangles against setup of one, in each build: the same primitives, bit for
 * bit.  Polygon mode sets up one by one, and "both sides filled" is no other picture.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory/pool.h"
#include "pa/pa.h"
#include "port/state.h"
#include "sc/sc.h"
#include "vgt/front.h"
#include "vgt/vgt.h"

void pa_batch_sse2(struct front *front);
void pa_batch_avx2(struct front *front);
void pa_batch_avx512(struct front *front);

static const struct build {
   const char *name;
   void (*batch)(struct front *front);
} builds[] = {
   { "sse2", pa_batch_sse2 },
   { "avx2", pa_batch_avx2 },
   { "avx512", pa_batch_avx512 },
};

static bool
can_run(const struct build *b)
{
   __builtin_cpu_init();
   if (b->batch == pa_batch_avx2)
      return __builtin_cpu_supports("avx2");
   if (b->batch == pa_batch_avx512)
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
   return true;
}

static uint32_t seed;

static uint32_t
pick(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}

static float
any_float(void)
{
   static const float some[] = { 0.0f, 1.0f, -0.0f, 0.5f, 1e-30f, 3e30f };

   return pick(3) ? (float)pick(1 << 24) / (1 << 20) - 4.0f : some[pick(6)];
}

struct setting {
   struct draw_state draw;
   struct pa_state pa;
   struct sc_state sc;
   struct vgt_state vgt;
   struct worker worker;
};

/* A draw of some kind. */
static void
choose_state(struct setting *s)
{
   memset(s, 0, sizeof(*s));
   s->draw.pa = &s->pa;
   s->draw.sc = &s->sc;
   s->draw.vgt = &s->vgt;
   s->vgt.kind = VGT_TRIANGLES;
   s->sc.msaa = pick(2);
   s->sc.layers = 4;
   s->sc.rect[0] = (struct sc_rect){ (int32_t)pick(40), (int32_t)pick(40),
                                     100 + (int32_t)pick(16000), 100 + (int32_t)pick(16000) };
   s->pa.cull_front = !pick(3);
   s->pa.cull_back = !pick(3);
   s->pa.front_cw = pick(2);
   s->pa.persp_corr_dis = !pick(4);
   s->pa.use_layer = pick(2);
   s->pa.offset_front = !pick(3);
   s->pa.offset_back = !pick(3);
   s->pa.offset_float = pick(2);
   for (unsigned i = 0; i < 2; i++) {
      s->pa.offset_scale[i] = any_float();
      s->pa.offset_units[i] = any_float();
   }
   s->pa.poly_front = s->pa.poly_back = POLYGON_FILL;
}

/* Triangles from less than a pixel to all that setup can hold, some of them without an area. */
static void
choose_triangles(struct front *f)
{
   const unsigned scale = 3 + pick(21);

   f->num_verts = 3 + pick(200);
   f->num_prims = 1 + pick(BATCH_PRIMS);
   f->codes = 0;
   for (uint32_t n = 0; n < f->num_verts; n++) {
      struct pa_vertex *v = &f->vertex[n];

      *v = (struct pa_vertex){ .z = any_float(), .rw = pick(4) ? any_float() : 1.0f, .edge = true };
      v->fx = PA_MIN_XY * 256 + (int32_t)pick((PA_MAX_XY - PA_MIN_XY) * 256u);
      v->fy = PA_MIN_XY * 256 + (int32_t)pick((PA_MAX_XY - PA_MIN_XY) * 256u);
      if (scale < 23) {
         v->fx = 50 * 256 + (int32_t)pick(1u << scale);
         v->fy = 50 * 256 + (int32_t)pick(1u << scale);
      }
      v->param = f->param_base + n;
      v->layer = (uint16_t)(f->draw->pa->use_layer ? pick(6) : 0);
      v->code = pick(40) ? 0 : pick(2) ? PA_NAN : PA_LEFT;
      f->codes |= v->code;
   }
   for (unsigned i = 0; i < f->num_prims; i++) {
      for (unsigned k = 0; k < 3; k++)
         f->prim[i][k] = (uint16_t)pick(f->num_verts);
      f->provoking[i] = (uint8_t)pick(3);
      f->edges[i] = 7;
      f->prim_number[i] = pick(1 << 20);
   }
}

static void
run(struct front *f, struct batch *batch, const struct build *build, bool one_by_one)
{
   memset(batch, 0, sizeof(*batch));
   f->batch = batch;
   f->prim_capacity = 0;
   f->draw->pa->poly_mode = one_by_one;
   build->batch(f);
}

static void
same_primitives(void **state)
{
   const struct build *build = *state;
   struct front *f = aligned_alloc(64, (sizeof(*f) + 63) & ~(size_t)63);
   struct setting s;
   uint64_t drawn = 0, dropped = 0;

   if (!can_run(build))
      skip();
   assert_non_null(f);
   memset(f, 0, sizeof(*f));
   seed = 1;
   for (unsigned round = 0; round < 2000; round++) {
      struct batch one, many;

      choose_state(&s);
      f->draw = &s.draw;
      f->worker = &s.worker;
      f->param_base = pick(1000);
      choose_triangles(f);
      run(f, &one, build, true);
      run(f, &many, build, false);
      assert_int_equal(one.num_prims, many.num_prims);
      for (uint32_t i = 0; i < one.num_prims; i++)
         assert_memory_equal(&one.prims[i], &many.prims[i], offsetof(struct sc_prim, stipple));
      drawn += one.num_prims;
      dropped += f->num_prims - one.num_prims;
      pool_finish(&s.worker.pool);
   }
   assert_true(drawn > 10000 && dropped > 10000);
   free(f);
}

int
main(void)
{
   struct CMUnitTest tests[3];

   for (unsigned i = 0; i < 3; i++)
      tests[i] = (struct CMUnitTest){ builds[i].name, same_primitives, NULL, NULL,
                                      (void *)(uintptr_t)&builds[i] };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
