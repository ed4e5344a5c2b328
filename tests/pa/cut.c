/* SPDX-License-Identifier: MIT */
/*
 * What is left of primitives that are cut, in each build: a triangle keeps its planes and its
 * offset's slope, a line its position, its width and its pattern, however far away its ends are.
 */
#include <math.h>
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
void pa_to_window_sse2(const struct pa_state *pa, struct pa_vertex *v);

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

enum { SIDE = 512 };

struct setting {
   struct draw_state draw;
   struct pa_state pa;
   struct sc_state sc;
   struct vgt_state vgt;
   struct worker worker;
   struct batch batch;
   struct front front;
};

static void
begin(struct setting *s, unsigned topology)
{
   pool_finish(&s->worker.pool);
   memset(s, 0, sizeof(*s));
   s->draw.pa = &s->pa;
   s->draw.sc = &s->sc;
   s->draw.vgt = &s->vgt;
   s->vgt.kind = (uint8_t)topology;
   s->sc.layers = 1;
   s->sc.line_repeat = 2;
   s->sc.rect[0] = (struct sc_rect){ 0, 0, SIDE, SIDE };
   s->pa.viewport[0] = (struct pa_viewport){ SIDE / 2, SIDE / 2, SIDE / 2, SIDE / 2, 0.5f, 0.5f };
   s->pa.w_is_w = true;
   s->pa.poly_front = s->pa.poly_back = POLYGON_FILL;
   s->pa.line_half = 4.0f;
   s->front.draw = &s->draw;
   s->front.worker = &s->worker;
   s->front.batch = &s->batch;
   s->front.num_prims = 1;
   s->front.edges[0] = 7;
   s->front.first_of_strip[0] = true;
}

/* Vertex n at window position (x, y) of a depth. */
static void
set_vertex(struct setting *s, unsigned n, double x, double y, double z, double w)
{
   struct pa_vertex *v = &s->front.vertex[n];

   *v = (struct pa_vertex){ .edge = true, .param = n };
   v->clip[0] = (float)((x / (SIDE / 2) - 1) * w);
   v->clip[1] = (float)((y / (SIDE / 2) - 1) * w);
   v->clip[2] = (float)((z * 2 - 1) * w);
   v->clip[3] = (float)w;
   pa_to_window_sse2(&s->pa, v);
   if (v->fx < PA_MIN_XY * 256 || v->fx > PA_MAX_XY * 256 || v->fy < PA_MIN_XY * 256 ||
       v->fy > PA_MAX_XY * 256)
      v->code |= PA_GUARD;
   if (w <= 0)
      v->code |= PA_W;
   s->front.codes |= v->code;
   s->front.prim[0][n] = (uint16_t)n;
   s->front.num_verts = n + 1;
}

static uint32_t seed;

static double
any(void)
{
   seed = seed * 1664525u + 1013904223u;
   return (double)(seed >> 8) / 16777216.0;
}

static void
three_vertices(struct setting *s, double spread)
{
   for (unsigned n = 0; n < 3; n++) {
      const double x = SIDE / 2 + (any() - 0.5) * spread, y = SIDE / 2 + (any() - 0.5) * spread;

      set_vertex(s, n, x, y, any(), 0.5 + 4 * any());
   }
}

static void
keeps_planes(void **state)
{
   const struct build *build = *state;
   struct setting *s = calloc(1, sizeof(*s));
   unsigned parts = 0, alone = 0;

   if (!can_run(build))
      skip();
   assert_non_null(s);
   for (unsigned round = 0; round < 500; round++) {
      struct sc_prim whole;

      for (unsigned cut = 0; cut < 2; cut++) {
         seed = round;
         begin(s, VGT_TRIANGLES);
         s->pa.offset_front = s->pa.offset_back = round & 1;
         s->pa.offset_scale[0] = s->pa.offset_scale[1] = 1.5f;
         s->pa.offset_units[0] = s->pa.offset_units[1] = 0x1p-23f;
         three_vertices(s, 3000);
         if (cut) {
            /* A distance that one vertex or two are beyond. */
            const unsigned beyond = 1 + round % 6;

            s->pa.clip_dist_mask = 1;
            for (unsigned n = 0; n < 3; n++) {
               s->front.dist[n][0] = (float)(beyond >> n & 1 ? -0.1 - any() : 0.1 + any());
               s->front.vertex[n].code |= beyond >> n & 1 ? PA_DIST : 0;
               s->front.codes |= s->front.vertex[n].code;
            }
         }
         build->batch(&s->front);
         if (!cut && s->batch.num_prims) {
            whole = s->batch.prims[0];
            alone++;
         }
         if (!cut && !s->batch.num_prims)
            break;
         for (uint32_t i = 0; cut && i < s->batch.num_prims; i++) {
            const struct sc_prim *p = &s->batch.prims[i];

            assert_int_equal(p->x0, whole.x0);
            assert_int_equal(p->y0, whole.y0);
            assert_int_equal(p->front_facing, whole.front_facing);
            assert_int_equal(p->perspective, whole.perspective);
            assert_memory_equal(p->z, whole.z, sizeof(p->z));
            assert_memory_equal(p->vertex, whole.vertex, sizeof(p->vertex));
            assert_memory_equal(p->pw, whole.pw, sizeof(p->pw));
            assert_memory_equal(p->pi, whole.pi, sizeof(p->pi));
            assert_memory_equal(p->lj, whole.lj, sizeof(p->lj));
            parts++;
         }
      }
   }
   assert_true(alone > 200 && parts > 200);
   pool_finish(&s->worker.pool);
   free(s);
}

/* Whether the pixel's centre is inside. */
static bool
covers(const struct sc_prim *p, int x, int y)
{
   if (x < p->min_x || x > p->max_x || y < p->min_y || y > p->max_y)
      return false;
   for (unsigned k = 0; k < p->num_edges; k++)
      if ((int64_t)p->a[k] * x + (int64_t)p->b[k] * y + p->c[k] < 0)
         return false;
   return true;
}

static void
keeps_lines(void **state)
{
   const struct build *build = *state;
   struct setting *s = calloc(1, sizeof(*s));
   unsigned lines = 0;

   if (!can_run(build))
      skip();
   assert_non_null(s);
   for (double far = 20000; far < 1e13; far *= 30) {
      for (unsigned a = 0; a < 40; a++) {
         const double angle = 0.04 + a * 0.157, c = cos(angle), sn = sin(angle);

         begin(s, VGT_LINES);
         s->pa.line_expand = a % 3 == 1;
         s->pa.line_square = a % 3 == 2;
         s->sc.msaa = a % 3 != 0;
         set_vertex(s, 0, SIDE / 2 - (a & 1 ? far * c : 0), SIDE / 2 - (a & 1 ? far * sn : 0), 0.5,
                    1);
         set_vertex(s, 1, SIDE / 2 + far * c, SIDE / 2 + far * sn, 0.5, 1);
         build->batch(&s->front);
         assert_int_equal(s->batch.num_prims, 1);
         /* Along it, and beside it. */
         for (int d = 10; d < 240; d += 10) {
            const double x = SIDE / 2 + d * c, y = SIDE / 2 + d * sn;

            assert_true(covers(&s->batch.prims[0], (int)x, (int)y));
            assert_false(covers(&s->batch.prims[0], (int)floor(x - 9 * sn), (int)floor(y + 9 * c)));
         }
         lines++;
      }
   }
   assert_true(lines > 200);
   pool_finish(&s->worker.pool);
   free(s);
}

static void
keeps_pattern(void **state)
{
   const struct build *build = *state;
   struct setting *s = calloc(1, sizeof(*s));

   if (!can_run(build))
      skip();
   assert_non_null(s);
   /* 16 times line_repeat is a period. */
   for (double away = 3; away < 1e7; away *= 7) {
      begin(s, VGT_LINES);
      s->pa.line_stipple = true;
      s->pa.line_stipple_anew = true;
      set_vertex(s, 0, -away, 100.5, 0.5, 1);
      set_vertex(s, 1, 3 * SIDE, 100.5, 0.5, 1);
      build->batch(&s->front);
      assert_int_equal(s->batch.num_prims, 1);
      const struct sc_prim *p = &s->batch.prims[0];
      const double at_zero = p->stipple[0] - p->x0 * (double)p->stipple[1];
      const double wrong = fmod(at_zero - 0.5 - away, 32), end = fmod(away + 3 * SIDE, 32);

      assert_true(fabs(wrong) < 0.51 || fabs(wrong) > 31.49);
      assert_true(fabs(s->draw.stipple_count - end) < 1.1 ||
                  fabs(s->draw.stipple_count - end) > 30.9);
   }
   /* The pattern of one that is not seen goes on, too; of one that starts beyond the eye it
    * begins. */
   begin(s, VGT_LINES);
   s->pa.line_stipple = true;
   set_vertex(s, 0, -100, 100, 0.5, 1);
   set_vertex(s, 1, -90, 121, 0.5, 1);
   for (unsigned n = 0; n < 2; n++)
      s->front.vertex[n].code |= PA_LEFT;
   build->batch(&s->front);
   assert_int_equal(s->batch.num_prims, 0);
   assert_true(fabsf(s->draw.stipple_count - 21) < 0.01f);
   begin(s, VGT_LINES);
   s->pa.line_stipple = true;
   set_vertex(s, 0, 100, 100, 0.5, -1);
   set_vertex(s, 1, 100, 100, 0.5, 1);
   s->front.vertex[1].clip[0] = 0.3f;
   pa_to_window_sse2(&s->pa, &s->front.vertex[1]);
   build->batch(&s->front);
   assert_int_equal(s->batch.num_prims, 1);
   assert_true(s->draw.stipple_count >= 0.0f && s->draw.stipple_count < 32.0f);
   pool_finish(&s->worker.pool);
   free(s);
}

int
main(void)
{
   struct CMUnitTest tests[9];

   for (unsigned i = 0; i < 3; i++) {
      void *build = (void *)(uintptr_t)&builds[i];

      tests[3 * i] = (struct CMUnitTest){ "planes", keeps_planes, NULL, NULL, build };
      tests[3 * i + 1] = (struct CMUnitTest){ "lines", keeps_lines, NULL, NULL, build };
      tests[3 * i + 2] = (struct CMUnitTest){ "pattern", keeps_pattern, NULL, NULL, build };
   }
   return cmocka_run_group_tests(tests, NULL, NULL);
}
