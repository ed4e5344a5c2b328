/* SPDX-License-Identifier: MIT */
/* See cause.h. */
#include "cause.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "debugger.h"
#include "pass/probe.h"
#include "port/state.h"
#include "trace.h"

/* Instructions of a stage that are named: the nearest to the value. */
#define STAGE_LINES    8u
#define POSITION_LINES 4u /* of the position, where something else is asked about */

static const char *const tests[] = {
   [TEST_NEVER] = "NEVER",
   [TEST_LESS] = "LESS",
   [TEST_EQUAL] = "EQUAL",
   [TEST_LESS_EQUAL] = "LESS_EQUAL",
   [TEST_GREATER] = "GREATER",
   [TEST_NOT_EQUAL] = "NOT_EQUAL",
   [TEST_GREATER_EQUAL] = "GREATER_EQUAL",
   [TEST_ALWAYS] = "ALWAYS",
};
static const char *const stencil_ops[] = {
   [STENCIL_OP_KEEP] = "KEEP",
   [STENCIL_OP_ZERO] = "ZERO",
   [STENCIL_OP_REPLACE] = "REPLACE",
   [STENCIL_OP_INCREMENT_CLAMP] = "INCREMENT_CLAMP",
   [STENCIL_OP_DECREMENT_CLAMP] = "DECREMENT_CLAMP",
   [STENCIL_OP_INVERT] = "INVERT",
   [STENCIL_OP_INCREMENT_WRAP] = "INCREMENT_WRAP",
   [STENCIL_OP_DECREMENT_WRAP] = "DECREMENT_WRAP",
};
static const char *const topologies[TOPOLOGIES] = {
   [TOPOLOGY_NONE] = "nothing",
   [TOPOLOGY_POINTS] = "points",
   [TOPOLOGY_LINES] = "lines",
   [TOPOLOGY_LINE_STRIP] = "a line strip",
   [TOPOLOGY_LINE_LOOP] = "a line loop",
   [TOPOLOGY_TRIANGLES] = "triangles",
   [TOPOLOGY_TRIANGLE_STRIP] = "a triangle strip",
   [TOPOLOGY_TRIANGLE_FAN] = "a triangle fan",
   [TOPOLOGY_QUADS] = "quads",
   [TOPOLOGY_QUAD_STRIP] = "a quad strip",
   [TOPOLOGY_POLYGON] = "a polygon",
   [TOPOLOGY_RECTANGLES] = "rectangles",
   [TOPOLOGY_LINES_ADJACENCY] = "lines with neighbours",
   [TOPOLOGY_LINE_STRIP_ADJACENCY] = "a line strip with neighbours",
   [TOPOLOGY_TRIANGLES_ADJACENCY] = "triangles with neighbours",
   [TOPOLOGY_TRIANGLE_STRIP_ADJACENCY] = "a triangle strip with neighbours",
   [TOPOLOGY_PATCHES] = "patches",
};
static const char *const polygon_modes[] = {
   [POLYGON_POINTS] = "points",
   [POLYGON_LINES] = "lines",
   [POLYGON_FILL] = "areas",
};
#define NAME(name, ...) #name,
static const char *const factors[] = { BLEND_FACTORS(NAME) };
static const char *const blend_ops[] = { BLEND_OPS(NAME) };
#undef NAME

#define NAMED(names, n) ((n) < sizeof(names) / sizeof(*(names)) && (names)[n] ? (names)[n] : "?")

/* ---- State ---- */

static void
print_blend(const struct probe_draw *d)
{
   const struct probe_state *s = &d->state;
   const struct cb_blend *b = &s->blend;

   printf("    colour: ");
   if (d->role == PROBE_Z || d->role == PROBE_S) {
      printf("of no interest\n");
      return;
   }
   if (!b->enable)
      printf("no blending");
   else
      printf("blended by %s of %s and %s, alpha by %s of %s and %s", NAMED(blend_ops, b->op_rgb),
             NAMED(factors, b->src_rgb), NAMED(factors, b->dst_rgb), NAMED(blend_ops, b->op_alpha),
             NAMED(factors, b->src_alpha), NAMED(factors, b->dst_alpha));
   if (b->enable)
      printf(", constant (%.6g, %.6g, %.6g, %.6g)", (double)s->blend_color[0],
             (double)s->blend_color[1], (double)s->blend_color[2], (double)s->blend_color[3]);
   if (s->logic != CB_LOGIC_COPY)
      printf("; logic operation 0x%02x", s->logic);
   printf("; writes %s%s%s%s%s\n", d->write_mask[d->target] & 1 ? "r" : "",
          d->write_mask[d->target] & 2 ? "g" : "", d->write_mask[d->target] & 4 ? "b" : "",
          d->write_mask[d->target] & 8 ? "a" : "", d->write_mask[d->target] & 15 ? "" : "nothing");
}

static void
print_tests(const struct probe_draw *d, bool front)
{
   const struct probe_state *s = &d->state;
   const struct db_face *face = &s->face[!front];

   printf("    tests: ");
   if (s->z_test || s->z_write)
      printf("depth %s, %s", NAMED(tests, s->z_func), s->z_write ? "written" : "not written");
   else
      printf("no depth test");
   if (s->stencil)
      printf("; stencil %s, reference %u, mask 0x%02x, fails %s, depth fails %s, passes %s, writes "
             "0x%02x",
             NAMED(tests, face->func), face->ref, face->mask, NAMED(stencil_ops, face->fail),
             NAMED(stencil_ops, face->zfail), NAMED(stencil_ops, face->zpass), face->write_mask);
   if (s->sx.alpha_test)
      printf("; alpha %s %.6g", NAMED(tests, s->sx.alpha_func), (double)s->sx.alpha_ref);
   if (s->sx.alpha_to_mask)
      printf("; alpha to coverage");
   if (s->offsets)
      printf("; depth offset by %.6g of the slope and %.6g", (double)s->offset_scale,
             (double)s->offset_units);
   printf("\n");
}

static void
print_raster(const struct probe_draw *d)
{
   const struct probe_state *s = &d->state;
   const struct pa_viewport *v = &s->viewport;
   const double w = fabs((double)v->xs), h = fabs((double)v->ys);

   printf("    primitives: %" PRIu64
          ", of %s; viewport %.6g,%.6g %.6gx%.6g%s, depth %.6g scaled by "
          "%.6g; scissor %d,%d to %d,%d; culls %s, front is %s",
          d->primitives, NAMED(topologies, s->topology), (double)v->xo - w, (double)v->yo - h,
          2 * w, 2 * h, v->ys < 0 ? " upside down" : "", (double)v->zo, (double)v->zs,
          s->scissor.x0, s->scissor.y0, s->scissor.x1, s->scissor.y1,
          s->cull_front && s->cull_back ? "all"
          : s->cull_front               ? "front"
          : s->cull_back                ? "back"
                                        : "none",
          s->front_cw ? "clockwise" : "counterclockwise");
   if (!s->clip)
      printf("; no clipping");
   if (s->polygons && (s->polygon_front != POLYGON_FILL || s->polygon_back != POLYGON_FILL))
      printf("; drawn as %s, backs as %s", NAMED(polygon_modes, s->polygon_front),
             NAMED(polygon_modes, s->polygon_back));
   if (s->topology == TOPOLOGY_POINTS)
      printf("; points of %.6g", 2.0 * (double)s->point_half);
   if (s->topology >= TOPOLOGY_LINES && s->topology <= TOPOLOGY_LINE_LOOP)
      printf("; lines of %.6g", 2.0 * (double)s->line_half);
   if (!d->rasterises)
      printf("; rasterisation is off");
   if (!d->sampled)
      printf("; sample mask 0x%04x", s->sample_mask);
   if (s->flat)
      printf("; flat inputs 0x%x", s->flat);
   printf("\n");
}

/* ---- Instructions ---- */

static bool
is_near(const struct trace_lines *all, const struct trace_line *line, unsigned most)
{
   unsigned nearer = 0;

   for (unsigned n = 0; n < all->count; n++) {
      const struct trace_line *other = &all->line[n];

      nearer +=
         other->stage == line->stage && other->program == line->program &&
         (other->distance < line->distance || (other->distance == line->distance && other < line));
   }
   return nearer < most;
}

static void
print_lines(const char *what, const struct trace_lines *lines, unsigned most)
{
   const struct trace_line *last = NULL;
   unsigned farther = lines->left_out;

   for (unsigned n = 0; n < lines->count; n++) {
      const struct trace_line *l = &lines->line[n];

      if (!is_near(lines, l, most)) {
         farther++;
         continue;
      }
      if (!last || last->stage != l->stage || last->program != l->program) {
         printf("    %s, %s program at 0x%" PRIx64, what, look_stage(l->stage), l->program);
         if (l->stage == CORE_COMPUTE)
            printf(", dispatch %u.%u", l->submission, l->draw);
         printf(":\n");
      }
      last = l;
      printf("      %5" PRIu32 "  %s%s%s%s\n", l->group, l->text, *l->values ? "  = " : "",
             l->values, l->decides ? "  (decides)" : "");
   }
   if (farther)
      printf("      and %u instructions farther away\n", farther);
   if (*lines->race)
      printf("    a barrier is missing: %s\n", lines->race);
}

/* ---- Draws ---- */

/* The newest fragment of a draw, or NULL. */
static const struct probe_event *
newest_fragment(const struct probe *p, const struct probe_draw *d)
{
   for (size_t n = p->num_events; n--;) {
      const struct probe_event *e = &p->events[n];

      if (e->kind == PROBE_FRAGMENT && e->submission == d->submission && e->draw == d->number)
         return e;
   }
   return NULL;
}

void
cause_want(struct trace *t, const struct probe *p, const struct probe_draw *d)
{
   const struct probe_event *e = newest_fragment(p, d);

   trace_want(t, d->submission, d->number, e ? e->fragment.batch : 0,
              e ? (uint32_t)e->fragment.tile_y << 16 | e->fragment.tile_x : 0);
}

void
cause_print(const struct probe *p, const struct probe_draw *d, struct trace *t, unsigned components)
{
   const struct probe_event *e = newest_fragment(p, d);
   struct trace_lines *lines = calloc(1, sizeof(*lines));
   struct trace_fragment f = {
      .submission = d->submission,
      .draw = d->number,
      .vertex = { 0, 1, 2 },
      .param = d->state.param,
      .num_params = d->state.num_inputs,
      .target = d->target,
   };

   printf("  draw %u.%u:\n", d->submission, d->number);
   if (e) {
      print_blend(d);
      print_tests(d, e->fragment.front);
   }
   print_raster(d);
   if (e) {
      f.round = e->fragment.round;
      f.part = (uint32_t)e->fragment.tile_y << 16 | e->fragment.tile_x;
      f.wave = e->fragment.wave;
      f.ran = e->fragment.ran;
      f.lane = e->fragment.lane;
      f.batch = e->fragment.batch;
      memcpy(f.vertex, e->fragment.vertex, sizeof(f.vertex));
   }
   if (!lines || !t) {
      free(lines);
      return;
   }
   if (e && e->fragment.outcome == PROBE_DISCARDED) {
      trace_discard(t, &f, lines);
      print_lines("discarded by", lines, STAGE_LINES);
   } else if (e && d->role == PROBE_COLOR) {
      trace_color(t, &f, components, lines);
      print_lines("colour", lines, STAGE_LINES);
      trace_depth(t, &f, lines);
      print_lines("depth", lines, STAGE_LINES);
   }
   trace_position(t, &f, lines);
   print_lines("position", lines, POSITION_LINES);
   free(lines);
}

void
cause_print_stored(struct trace *t, const void *host, uint32_t bytes)
{
   struct trace_lines *lines = calloc(1, sizeof(*lines));
   uint32_t submission, draw;

   if (lines && trace_stored(t, host, bytes, lines, &submission, &draw)) {
      printf("  dispatch %u.%u:\n", submission, draw);
      print_lines("stored", lines, STAGE_LINES);
   }
   free(lines);
}
