/* SPDX-License-Identifier: MIT */
/*
 * Builds and runs scenes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "chip/cayman/cayman.h"
#include "chip/cayman/draw.h"
#include "memory/vm.h"
#include "pass/quads.h"
#include "scene.h"

static struct scene *current;

/* The address space of a scene is its memory. */
uint64_t
vm_extent(const struct vm *vm, uint64_t va, uint64_t want)
{
   if (va >= SCENE_BYTES)
      return 0;
   return want < SCENE_BYTES - va ? want : SCENE_BYTES - va;
}

void *
vm_pointer(const struct vm *vm, uint64_t va)
{
   return current->memory + va;
}

uint64_t
vm_read(const struct vm *vm, uint64_t va, void *data, uint64_t size)
{
   const uint64_t mapped = vm_extent(vm, va, size);

   memset(data, 0, size);
   memcpy(data, current->memory + va, mapped);
   return mapped;
}

void
gfx_fault(struct gfx *gfx, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fputc('\n', stderr);
}

void
gfx_cut(struct gfx *gfx, const char *format, ...)
{
   (void)gfx;
   fprintf(stderr, "cut: %s\n", format);
}

void
scene_mix(const struct stub_program *p, uint32_t x, uint32_t y, uint32_t sample, float c[4])
{
   const size_t place = ((size_t)y * SCENE_SIZE + x) * p->samples + sample;
   const uint8_t *old = current->memory + SCENE_COLOR + place * 4;
   const float odd = current->memory[SCENE_STENCIL + place] & 1 ? 0.125f : 0.0f;

   for (unsigned n = 0; n < 4; n++)
      c[n] = c[n] * 0.25f + (float)old[(n + 1) & 3] * 0.0029296875f + odd;
}

uint32_t
scene_random(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

struct scene *
scene_create(void)
{
   struct scene *s = calloc(1, sizeof(*s));

   s->memory = aligned_alloc(4096, SCENE_BYTES);
   memset(s->memory, 0, SCENE_BYTES);
   s->worker.rows = aligned_alloc(64, CORE_WAVE_ROWS * sizeof(*s->worker.rows));
   s->worker.outputs = aligned_alloc(64, (sizeof(*s->worker.outputs) + 63) & ~(size_t)63);
   s->worker.tile = aligned_alloc(64, (tile_storage_size() + 63) & ~(size_t)63);
   memset(s->worker.rows, 0, CORE_WAVE_ROWS * sizeof(*s->worker.rows));
   memset(s->worker.outputs, 0, sizeof(*s->worker.outputs));
   memset(s->worker.tile, 0, tile_storage_size());
   current = s;
   return s;
}

void
scene_destroy(struct scene *s)
{
   free(s->memory);
   free(s->worker.rows);
   free(s->worker.outputs);
   free(s->worker.tile);
   free(s);
}

void
scene_set(struct regs *r, uint32_t addr, uint32_t value)
{
   r->context[(addr - CAYMAN_CONTEXT_BASE) / 4] = value;
}

void
scene_registers(struct regs *r)
{
   const uint32_t size = SCENE_SIZE;
   const uint32_t br = size << 16 | size;

   memset(r, 0, sizeof(*r));
   scene_set(r, R_PA_SC_SCREEN_SCISSOR_BR, br);
   scene_set(r, R_PA_SC_WINDOW_SCISSOR_TL, 1u << 31);
   scene_set(r, R_PA_SC_WINDOW_SCISSOR_BR, br);
   scene_set(r, R_PA_SC_GENERIC_SCISSOR_TL, 1u << 31);
   scene_set(r, R_PA_SC_GENERIC_SCISSOR_BR, br);
   scene_set(r, R_PA_SC_CLIPRECT_RULE, 0xffff);
   scene_set(r, R_PA_SC_VPORT_ZMAX_0, 0x3f800000);

   scene_set(r, R_CB_COLOR0_BASE, SCENE_COLOR >> 8);
   scene_set(r, R_CB_COLOR0_PITCH, size / 8 - 1);
   scene_set(r, R_CB_COLOR0_SLICE, size * size / 64 - 1);
   scene_set(r, R_CB_COLOR0_INFO,
             REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
                REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_1D_TILED_THIN1));
   scene_set(r, R_CB_TARGET_MASK, 15);
   scene_set(r, R_CB_SHADER_MASK, 15);
   scene_set(r, R_CB_COLOR_CONTROL,
             REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL) |
                REG_FIELD(CB_COLOR_CONTROL, ROP3, 0xcc));

   scene_set(r, R_DB_Z_INFO, REG_FIELD(DB_Z_INFO, FORMAT, DB_Z_24));
   scene_set(r, R_DB_STENCIL_INFO, REG_FIELD(DB_STENCIL_INFO, FORMAT, DB_STENCIL_8));
   scene_set(r, R_DB_Z_WRITE_BASE, SCENE_DEPTH >> 8);
   scene_set(r, R_DB_STENCIL_WRITE_BASE, SCENE_STENCIL >> 8);
   scene_set(r, R_DB_DEPTH_SIZE,
             REG_FIELD(DB_DEPTH_SIZE, PITCH_TILE_MAX, size / 8 - 1) |
                REG_FIELD(DB_DEPTH_SIZE, HEIGHT_TILE_MAX, size / 8 - 1));
   scene_set(r, R_DB_DEPTH_SLICE, size * size / 64 - 1);
   scene_set(r, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, DB_EARLY_Z_THEN_LATE_Z));

   scene_set(r, R_SPI_VS_OUT_ID_0, 5);
   scene_set(r, R_SPI_PS_INPUT_CNTL_0, 5);
   scene_set(r, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 1));
   scene_set(r, R_SPI_BARYC_CNTL, REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTER_ENA, 1));
}

static struct sc_prim *
new_prim(struct scene_draw *d, const float color[3][4])
{
   const uint32_t n = d->batch.num_prims;

   if (n == SCENE_PRIMS)
      return NULL;
   struct sc_prim *p = &d->prims[n];
   memset(p, 0, sizeof(*p));
   for (unsigned v = 0; v < 3; v++) {
      p->vertex[v] = n * 3 + v;
      memcpy(&d->params[(n * 3 + v) * 4], color[v], 4 * sizeof(float));
   }
   p->front_facing = true;
   p->primitive_id = n;
   p->pw[0] = 1;
   d->batch.num_prims++;
   return p;
}

struct sc_prim *
scene_triangle(struct scene_draw *d, const int32_t xy[3][2], const float z[3],
               const float color[3][4])
{
   int64_t area = (int64_t)(xy[1][0] - xy[0][0]) * (xy[2][1] - xy[0][1]) -
                  (int64_t)(xy[2][0] - xy[0][0]) * (xy[1][1] - xy[0][1]);
   const unsigned order[3] = { 0, area > 0 ? 1 : 2, area > 0 ? 2 : 1 };
   int32_t lo[2] = { INT32_MAX, INT32_MAX }, hi[2] = { INT32_MIN, INT32_MIN };

   if (!area)
      return NULL;
   for (unsigned v = 0; v < 3; v++) {
      for (unsigned k = 0; k < 2; k++) {
         lo[k] = xy[v][k] < lo[k] ? xy[v][k] : lo[k];
         hi[k] = xy[v][k] > hi[k] ? xy[v][k] : hi[k];
      }
   }
   int32_t min[2], max[2];
   for (unsigned k = 0; k < 2; k++) {
      min[k] = lo[k] >> 8 < 0 ? 0 : lo[k] >> 8;
      max[k] = hi[k] >> 8 > SCENE_SIZE - 1 ? SCENE_SIZE - 1 : hi[k] >> 8;
      if (min[k] > max[k])
         return NULL;
   }
   struct sc_prim *p = new_prim(d, color);
   if (!p)
      return NULL;
   p->min_x = (int16_t)min[0], p->min_y = (int16_t)min[1];
   p->max_x = (int16_t)max[0], p->max_y = (int16_t)max[1];
   p->num_edges = 3;
   for (unsigned e = 0; e < 3; e++) {
      const int32_t *v = xy[order[e]], *w = xy[order[(e + 1) % 3]];
      const int32_t a = v[1] - w[1], b = w[0] - v[0];
      const bool inclusive = a > 0 || (a == 0 && b > 0);
      const int64_t c = (int64_t)a * (128 - v[0]) + (int64_t)b * (128 - v[1]) - (inclusive ? 0 : 1);

      p->a[e] = a;
      p->b[e] = b;
      p->c[e] = c >> 8;
      p->c_frac[e] = c & 255;
   }
   /* Planes through the vertices, at the centre of pixel (x0, y0). */
   p->x0 = min[0];
   p->y0 = min[1];
   const double x[3] = { xy[0][0] / 256.0, xy[1][0] / 256.0, xy[2][0] / 256.0 };
   const double y[3] = { xy[0][1] / 256.0, xy[1][1] / 256.0, xy[2][1] / 256.0 };
   const double det = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
   const double ix = (y[2] - y[0]) / det, iy = -(x[2] - x[0]) / det;
   const double jx = -(y[1] - y[0]) / det, jy = (x[1] - x[0]) / det;
   const double cx = p->x0 + 0.5 - x[0], cy = p->y0 + 0.5 - y[0];
   p->li[0] = (float)(ix * cx + iy * cy), p->li[1] = (float)ix, p->li[2] = (float)iy;
   p->lj[0] = (float)(jx * cx + jy * cy), p->lj[1] = (float)jx, p->lj[2] = (float)jy;
   for (unsigned k = 0; k < 3; k++)
      p->z[k] = (k ? 0 : z[0]) + (z[1] - z[0]) * p->li[k] + (z[2] - z[0]) * p->lj[k];
   return p;
}

struct sc_prim *
scene_rect(struct scene_draw *d, int32_t x0, int32_t y0, int32_t x1, int32_t y1, float z,
           const float color[4])
{
   float colors[3][4];

   for (unsigned v = 0; v < 3; v++)
      memcpy(colors[v], color, sizeof(colors[v]));
   struct sc_prim *p = new_prim(d, colors);
   if (!p)
      return NULL;
   p->min_x = (int16_t)x0, p->min_y = (int16_t)y0;
   p->max_x = (int16_t)(x1 - 1), p->max_y = (int16_t)(y1 - 1);
   p->num_edges = 4;
   p->a[0] = 256, p->c[0] = -(int64_t)x0 * 256 + 128;
   p->b[1] = 256, p->c[1] = -(int64_t)y0 * 256 + 128;
   p->a[2] = -256, p->c[2] = (int64_t)x1 * 256 - 128;
   p->b[3] = -256, p->c[3] = (int64_t)y1 * 256 - 128;
   p->x0 = x0;
   p->y0 = y0;
   p->z[0] = z;
   return p;
}

void
scene_finish(struct scene *s)
{
   const int tiles = (SCENE_SIZE + TILE_SIZE - 1) / TILE_SIZE;
   struct cayman_decoded decoded;
   const struct gfx_draw draw = {
      .pa = &decoded.pa,
      .sc = &decoded.sc,
      .spi = &decoded.spi,
      .sx = &decoded.sx,
      .db = &decoded.db,
      .cb = &decoded.cb,
   };

   s->pass.draws = s->pass_draws;
   s->pass.num_draws = s->num_draws;
   s->pass.tiles_x = s->pass.tiles_y = (uint32_t)tiles;
   for (unsigned i = 0; i < s->num_draws; i++) {
      struct scene_draw *d = &s->draws[i];
      struct drawn *st = &d->state;
      struct batch *b = &d->batch;
      uint32_t n = 0;

      d->program.head.lane_varying = d->program.kind != STUB_CONSTANT;
      d->program.head.engine = &stub_engine;
      d->program.head.uses_kill = d->program.kind == STUB_KILL;
      memset(st, 0, sizeof(*st));
      drawn_link(st);
      cayman_decode_blocks(&decoded, &d->regs, NULL);
      drawn_take(st, &draw, NULL);
      struct core_layout layout = { .position = CORE_NO_ROW,
                                    .face = CORE_NO_ROW,
                                    .pixel = CORE_NO_ROW,
                                    .thread = CORE_NO_ROW,
                                    .group = CORE_NO_ROW };

      cayman_layout(&layout, CORE_PIXEL, &d->regs);
      st->spi.entry =
         *d->program.head.engine->entry(&d->program.head, CORE_PIXEL, &layout, &st->spi.entry);
      spi_program(&st->spi, &d->program.head);
      d->bind = (struct core_bind){ .program = &d->program.head, .entry = &st->spi.entry };
      st->head.ps = &d->bind;
      st->head.index = i;
      st->head.reads_targets = d->program.kind == STUB_TARGET;
      st->head.quads = quads_key(&st->head);

      b->prims = d->prims;
      b->params = d->params;
      b->num_inputs = 1;
      b->num_vertices = b->num_prims * 3;
      b->bin_start = d->bin_start;
      b->bin_prims = d->bin_prims;
      b->tile_x0 = b->tile_y0 = 0;
      b->tile_x1 = b->tile_y1 = (int16_t)(tiles - 1);
      for (int ty = 0; ty < tiles; ty++) {
         for (int tx = 0; tx < tiles; tx++) {
            d->bin_start[ty * tiles + tx] = n;
            for (uint32_t k = 0; k < b->num_prims; k++) {
               const struct sc_prim *p = &d->prims[k];

               if (p->min_x >> TILE_LOG2 <= tx && p->max_x >> TILE_LOG2 >= tx &&
                   p->min_y >> TILE_LOG2 <= ty && p->max_y >> TILE_LOG2 >= ty)
                  d->bin_prims[n++] = k;
            }
            d->bin_start[ty * tiles + tx + 1] = n;
         }
      }
      s->pass_draws[i] = (struct pass_draw){
         &st->head, b, 1, b->tile_x0, b->tile_y0, b->tile_x1, b->tile_y1,
      };
   }
}

void tile_run_sse2(struct worker *worker, struct pass *pass, unsigned x, unsigned y);
void tile_run_avx2(struct worker *worker, struct pass *pass, unsigned x, unsigned y);
void tile_run_avx512(struct worker *worker, struct pass *pass, unsigned x, unsigned y);

bool
scene_can_run(unsigned build)
{
   __builtin_cpu_init();
   switch (build) {
   case SCENE_SSE2:
      return true;
   case SCENE_AVX2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
   default:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
   }
}

void
scene_run(struct scene *s, unsigned build)
{
   current = s;
   memset(&s->worker.counters, 0, sizeof(s->worker.counters));
   for (unsigned y = 0; y < s->pass.tiles_y; y++) {
      for (unsigned x = 0; x < s->pass.tiles_x; x++)
         if (build == SCENE_SSE2)
            tile_run_sse2(&s->worker, &s->pass, x, y);
         else if (build == SCENE_AVX2)
            tile_run_avx2(&s->worker, &s->pass, x, y);
         else
            tile_run_avx512(&s->worker, &s->pass, x, y);
   }
}
