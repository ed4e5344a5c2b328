/* SPDX-License-Identifier: MIT */
/* See probe.h.  A fragment is an event from when its primitive covers the pixel; it is open until
 * its outcome is known, which for one that joins a wave is when that wave is done. */
#include "pass/probe.h"

#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "memory/vm.h"
#include "pass/drawn.h"
#include "port/quads.h"

#define NO_EVENT SIZE_MAX

const char *
probe_outcome_text(unsigned outcome)
{
   static const char *const texts[] = {
#define X(name, text) [PROBE_##name] = text,
      PROBE_OUTCOMES(X)
#undef X
   };

   return outcome < PROBE_OUTCOME_COUNT ? texts[outcome] : "?";
}

void
probe_finish(struct probe *p)
{
   free(p->draws);
   free(p->events);
   *p = (struct probe){ 0 };
}

bool
probe_same(const struct target *a, const struct target *b)
{
   return a->va == b->va && a->slice_bytes == b->slice_bytes && a->row_bytes == b->row_bytes &&
          a->cpp == b->cpp && a->log2_samples == b->log2_samples;
}

bool
probe_follow(struct probe *p, uint64_t client, const struct target *surface, uint32_t x, uint32_t y,
             uint32_t layer, uint32_t sample)
{
   probe_finish(p);
   if (x >= surface->width || y >= surface->height || sample >> surface->log2_samples ||
       layer < surface->first_layer || layer - surface->first_layer >= surface->num_layers)
      return false;
   *p = (struct probe){
      .armed = true,
      .surface = *surface,
      .surface_client = client,
      .x = x,
      .y = y,
      .layer = layer,
      .sample = sample,
      .bytes = surface->cpp,
      .pixel_va = surface->va + layer * surface->slice_bytes + (uint64_t)y * surface->row_bytes +
                  ((uint64_t)x * surface->cpp << surface->log2_samples) +
                  (uint64_t)sample * surface->cpp,
   };
   return true;
}

/* Room for one more of an array's elements. */
static void *
grow(struct probe *p, void *array, size_t *max, size_t count, size_t size, size_t limit)
{
   const size_t more = *max ? *max * 2 : 256;
   void *grown;

   if (count < *max)
      return array;
   grown = count < limit ? realloc(array, more * size) : NULL;
   if (!grown) {
      p->lost++;
      return NULL;
   }
   *max = more;
   return grown;
}

static struct probe_event *
add(struct probe *p, enum probe_kind kind)
{
   struct probe_event *events =
      grow(p, p->events, &p->max_events, p->num_events, sizeof(*events), PROBE_EVENTS_MAX);
   struct probe_event *e;

   if (!events)
      return NULL;
   p->events = events;
   e = &events[p->num_events++];
   *e = (struct probe_event){ .kind = kind, .submission = p->submission, .draw = p->draw };
   return e;
}

/* ---- Draws ---- */

static bool
holds(const struct probe *p, const struct target *t)
{
   return p->armed && p->client == p->surface_client && t->host && probe_same(t, &p->surface) &&
          p->x < t->width && p->y < t->height && p->layer >= t->first_layer &&
          p->layer - t->first_layer < t->num_layers;
}

static bool
in_rect(const struct probe *p, const struct sc_rect *r)
{
   const int32_t x = (int32_t)p->x, y = (int32_t)p->y;

   return x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
}

static unsigned
pixel_of_quad(const struct probe *p)
{
   return (p->y & 1) * 2 + (p->x & 1);
}

static void
find_role(const struct probe *p, struct probe_draw *d, const struct draw_state *s)
{
   const struct cb_state *cb = s->cb;

   if (holds(p, &s->db->z))
      d->role = PROBE_Z;
   else if (holds(p, &s->db->s))
      d->role = PROBE_S;
   if (cb->mode == CB_RESOLVE && holds(p, &cb->resolve_dst))
      d->role = PROBE_RESOLVED;
   for (unsigned i = CB_TARGETS; i-- && cb->mode != CB_RESOLVE;)
      if (holds(p, &cb->target[i].surface)) {
         d->role = PROBE_COLOR;
         d->target = (uint8_t)i;
         d->blends = cb->target[i].blend.enable;
      }
}

static void
note_state(struct probe_state *n, const struct probe_draw *d, const struct draw_state *s)
{
   const struct pa_state *pa = s->pa;
   const struct cb_target *target = &s->cb->target[d->target];

   *n = (struct probe_state){
      .topology = s->vgt->topology,
      .viewport = pa->viewport[0],
      .scissor = s->sc->rect[0],
      .clip = pa->clip,
      .cull_front = pa->cull_front,
      .cull_back = pa->cull_back,
      .front_cw = pa->front_cw,
      .polygons = pa->poly_mode,
      .polygon_front = pa->poly_front,
      .polygon_back = pa->poly_back,
      .offsets = pa->offset_front || pa->offset_back,
      .offset_scale = pa->offset_scale[0],
      .offset_units = pa->offset_units[0],
      .point_half = pa->point_half_w,
      .line_half = pa->line_half,
      .sample_mask = s->sc->sample_mask[0],
      .z_test = s->db->z_test,
      .z_write = s->db->z_write,
      .z_func = s->db->z_func,
      .stencil = s->db->stencil,
      .face = { s->db->face[0], s->db->face[1] },
      .sx = *s->sx,
      .blend = target->blend,
      .logic = s->cb->logic,
      .num_inputs = (uint8_t)s->spi->num_inputs,
   };
   memcpy(n->blend_color, s->cb->constant, sizeof(n->blend_color));
   for (unsigned i = 0; i < s->spi->num_inputs && i < PROBE_INPUTS; i++) {
      n->param[i] = s->spi->input[i].param;
      n->flat |= (uint32_t)s->spi->input[i].flat << i;
   }
}

bool
probe_draw(struct probe *p, const struct draw_state *s)
{
   const struct cb_state *cb = s->cb;
   const struct sc_state *sc = s->sc;
   struct probe_draw *draws =
      grow(p, p->draws, &p->max_draws, p->num_draws, sizeof(*draws), PROBE_DRAWS_MAX);
   struct probe_draw *d;

   p->draw = s->number + 1;
   if (!draws)
      return false;
   p->draws = draws;
   d = &draws[p->num_draws++];
   *d = (struct probe_draw){
      .client = p->client,
      .submission = p->submission,
      .number = s->number,
      .primitives = (uint64_t)s->vgt->prims_per_instance * s->vgt->instances,
      .mode = (uint8_t)s->quads.mode,
      .rasterises = s->rasterises,
      .no_color = s->quads.no_color,
      .sampled =
         !sc->log2_samples || (sc->sample_mask[pixel_of_quad(p)] >> (p->sample & 7) & 1) != 0,
      .bound = cb->mode == CB_COLORS ? (uint8_t)cb->bound : 0,
      .program = s->ps->program ? s->ps->program->va : 0,
      .resolve = cb->mode == CB_RESOLVE ? cb->resolve_dst : (struct target){ 0 },
      .z = s->db->z,
      .s = s->db->s,
      .z_format = s->db->z_format,
   };
   for (unsigned i = 0; i < CB_TARGETS; i++) {
      d->color[i] = cb->target[i].surface;
      d->write_mask[i] = cb->target[i].write_mask;
      memcpy(d->channel[i], cb->target[i].channel, sizeof(d->channel[i]));
   }
   find_role(p, d, s);
   note_state(&d->state, d, s);
   for (unsigned v = 0; v < (s->pa->use_viewport ? SC_VIEWPORTS : 1); v++)
      d->in_scissor |= in_rect(p, &sc->rect[v]);
   return d->role != PROBE_NOTHING;
}

/* The record of a draw, which is of the submission that runs; NULL: there was no room. */
static const struct probe_draw *
draw_of(const struct probe *p, const struct draw_state *s)
{
   for (size_t n = p->num_draws; n-- && p->draws[n].submission == p->submission;)
      if (p->draws[n].number == s->number)
         return &p->draws[n];
   return NULL;
}

/* ---- Memory ---- */

static void
changed(struct probe *p, const uint8_t *now, enum probe_cause cause, uint32_t draw, uint32_t at,
        uint32_t header)
{
   struct probe_event *e;

   if (p->knows && memcmp(now, p->known, p->bytes) != 0 && (e = add(p, PROBE_CHANGE))) {
      memcpy(e->before, p->known, p->bytes);
      memcpy(e->after, now, p->bytes);
      e->draw = draw;
      e->change.cause = cause;
      e->change.at = at;
      e->change.header = header;
   }
   p->knows = true;
   memcpy(p->known, now, p->bytes);
}

void
probe_memory(struct probe *p, const struct vm *vm, enum probe_cause cause, uint32_t at,
             uint32_t header)
{
   uint8_t now[PROBE_BYTES] = { 0 };

   if (cause == PROBE_CPU) {
      p->submission++;
      p->draw = 0;
   }
   if (!p->armed || p->client != p->surface_client)
      return;
   vm_read(vm, p->pixel_va, now, p->bytes);
   changed(p, now, cause, p->draw, at, header);
}

/* ---- What no tile sees ---- */

/* Whether the primitive covers the pixel, whatever its rectangle. */
static bool
covers(const struct probe *p, const struct sc_state *sc, const struct sc_prim *prim)
{
   const unsigned pixel = pixel_of_quad(p), samples = 1u << sc->log2_samples;
   const unsigned first = sc->over ? 0 : p->sample, end = sc->over ? samples : p->sample + 1;

   for (unsigned s = first; s < end && s < SC_MAX_SAMPLES; s++) {
      bool inside = true;

      for (unsigned i = 0; i < prim->num_edges && i < 4; i++) {
         const int64_t a = prim->a[i], b = prim->b[i];
         int64_t e = a * p->x + b * p->y + prim->c[i];

         if (sc->msaa)
            e = 256 * e + prim->c_frac[i] +
                16 * (a * sc->sample_x[pixel][s] + b * sc->sample_y[pixel][s]);
         inside &= e >= 0;
      }
      if (inside)
         return true;
   }
   return false;
}

static const struct target *
surface_of(const struct probe_draw *d, const struct draw_state *s)
{
   switch (d->role) {
   case PROBE_COLOR:
      return &s->cb->target[d->target].surface;
   case PROBE_RESOLVED:
      return &s->cb->resolve_dst;
   case PROBE_Z:
      return &s->db->z;
   default:
      return &s->db->s;
   }
}

/* Whether the primitive goes to the layer; one that a target lacks and another has is its last. */
static bool
in_layer(const struct probe *p, const struct target *t, const struct sc_prim *prim)
{
   const uint32_t layer = prim->layer < t->num_layers ? prim->layer : t->num_layers - 1;

   return t->first_layer + layer == p->layer;
}

static void
count_missed(struct probe *p, const struct draw_state *s, const struct probe_draw *d,
             const struct batch *batch)
{
   const struct target *surface = surface_of(d, s);
   struct probe_event *e = NULL;

   for (uint32_t n = 0; n < batch->num_prims; n++) {
      const struct sc_prim *prim = &batch->prims[n];
      const int32_t x = (int32_t)p->x, y = (int32_t)p->y;
      const bool triangle = !prim->line && !prim->point;
      const bool culled = triangle && (prim->front_facing ? s->pa->cull_front : s->pa->cull_back);

      if (x < prim->min_x || x > prim->max_x || y < prim->min_y || y > prim->max_y ||
          !in_layer(p, surface, prim) || !covers(p, s->sc, prim) ||
          (!culled && in_rect(p, &s->sc->rect[prim->viewport % SC_VIEWPORTS])))
         continue;
      if (!e && !(e = add(p, PROBE_MISSED)))
         return;
      e->draw = s->number;
      if (culled && !e->missed.culled++)
         e->missed.first_culled = prim->primitive_id;
      if (!culled && !e->missed.scissored++)
         e->missed.first_scissored = prim->primitive_id;
   }
}

void
probe_missed(struct probe *p, const struct kernels *kernels, struct worker *worker,
             const struct draw_state *s, const struct batch *batch)
{
   const struct probe_draw *d = draw_of(p, s);
   const struct gfx_counters counters = worker->counters;
   const uint64_t spent = worker->spent;
   const int32_t x = (int32_t)p->x, y = (int32_t)p->y;
   struct batch again = { .first = batch->first, .count = batch->count };
   struct draw_state state = *s;
   struct pa_state pa = *s->pa;
   struct sc_state sc = *s->sc;
   bool hides = (pa.cull_front || pa.cull_back) && !pa.poly_mode;

   for (unsigned v = 0; v < SC_VIEWPORTS; v++) {
      struct sc_rect *r = &sc.rect[v];

      hides |= !in_rect(p, r) && (!v || pa.use_viewport);
      r->x0 = r->x0 < x ? r->x0 : x;
      r->y0 = r->y0 < y ? r->y0 : y;
      r->x1 = r->x1 > x + 1 ? r->x1 : x + 1;
      r->y1 = r->y1 > y + 1 ? r->y1 : y + 1;
   }
   /* What a second run would leave in memory is no look at the first. */
   if (!d || !hides || !s->rasterises || s->writes_memory || s->vgt->streams.buffers)
      return;
   sc.bounds = sc.rect[0];
   for (unsigned v = 1; v < SC_VIEWPORTS; v++) {
      const struct sc_rect *r = &sc.rect[v];

      sc.bounds.x0 = sc.bounds.x0 < r->x0 ? sc.bounds.x0 : r->x0;
      sc.bounds.y0 = sc.bounds.y0 < r->y0 ? sc.bounds.y0 : r->y0;
      sc.bounds.x1 = sc.bounds.x1 > r->x1 ? sc.bounds.x1 : r->x1;
      sc.bounds.y1 = sc.bounds.y1 > r->y1 ? sc.bounds.y1 : r->y1;
   }
   if (!pa.poly_mode)
      pa.cull_front = pa.cull_back = false;
   state.pa = &pa;
   state.sc = &sc;
   kernels->front_run(worker, &state, &again);
   count_missed(p, s, d, &again);
   worker->counters = counters;
   worker->spent = spent;
}

/* ---- Tiles ---- */

struct probe *
probe_begin(struct tile *t)
{
   struct probe *p = t->draw->probe;
   const uint32_t x = p->x - (uint32_t)t->x0, y = p->y - (uint32_t)t->y0;
   uint8_t now[PROBE_BYTES] = { 0 };
   bool clears = false;

   if (x >= TILE_SIZE || y >= TILE_SIZE)
      return NULL;
   p->current = NO_EVENT;
   p->open = p->num_events;
   for (unsigned i = 0; i < CB_TARGETS; i++)
      clears |= t->draw->cb->target[i].cmask != NULL;
   vm_read(t->draw->vm, p->pixel_va, now, p->bytes);
   changed(p, now, clears ? PROBE_CLEAR : PROBE_PACKET, t->draw->number, 0, 0);
   /* Every block goes by samples, no rectangle is filled, and every wave by segments. */
   t->key.simple = t->key.plain = false;
   t->key.masked = true;
   return p;
}

static void
look(struct probe *p, const struct draw_state *s, uint8_t *out)
{
   vm_read(s->vm, p->pixel_va, out, p->bytes);
}

/* A sample of depth or stencil: so many of its bytes. */
static uint32_t
read_plane(const struct probe *p, const struct target *t, unsigned bytes,
           const struct sc_prim *prim)
{
   const uint32_t sample = p->sample & ((1u << t->log2_samples) - 1);
   uint32_t value = 0;

   if (p->x < t->width && p->y < t->height)
      memcpy(&value, target_pixel(t, p->x, p->y, prim->layer) + (size_t)sample * t->cpp, bytes);
   return value;
}

static void
planes_before(const struct probe *p, struct probe_event *e, const struct draw_state *s,
              const struct sc_prim *prim)
{
   const struct db_state *db = s->db;

   e->fragment.has_z = db->z.host && (db->z_test || db->z_write || db->z_clear);
   e->fragment.has_s = db->s.host && (db->stencil || db->s_clear);
   if (e->fragment.has_z)
      e->fragment.z_before = read_plane(p, &db->z, db->z_bytes, prim);
   if (e->fragment.has_s)
      e->fragment.s_before = (uint8_t)read_plane(p, &db->s, 1, prim);
   e->fragment.tested = true;
}

static void
planes_after(const struct probe *p, struct probe_event *e, const struct draw_state *s,
             const struct sc_prim *prim)
{
   if (e->fragment.has_z)
      e->fragment.z_after = read_plane(p, &s->db->z, s->db->z_bytes, prim);
   if (e->fragment.has_s)
      e->fragment.s_after = (uint8_t)read_plane(p, &s->db->s, 1, prim);
}

/* A test's number has a bit for each outcome that passes: less, equal and greater. */
_Static_assert(TEST_LESS == 1 && TEST_EQUAL == 2 && TEST_GREATER == 4 && TEST_LESS_EQUAL == 3 &&
                  TEST_NOT_EQUAL == 5 && TEST_GREATER_EQUAL == 6 && TEST_ALWAYS == 7,
               "bits of tests");

static bool
compare(unsigned func, uint32_t a, uint32_t b)
{
   return func >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

/* Which test has rejected it. */
static enum probe_outcome
rejected(const struct probe_event *e, const struct db_state *db, const struct sc_prim *prim,
         uint32_t ref)
{
   const struct db_face *face = &db->face[!prim->front_facing];

   return db->stencil &&
                !compare(face->func, ref & face->mask, e->fragment.s_before & (uint32_t)face->mask)
             ? PROBE_STENCIL
             : PROBE_DEPTH;
}

/* The depth at the sample, as DB finds it of a block. */
static float
depth_of(const struct probe *p, const struct draw_state *s, const struct sc_prim *prim)
{
   const struct sc_state *sc = s->sc;
   const struct db_state *db = s->db;
   const unsigned pixel = pixel_of_quad(p), v = prim->viewport % SC_VIEWPORTS;
   const bool limited = db->z_format != DEPTH_FLOAT32;
   float dx = (float)((int32_t)p->x - prim->x0), dy = (float)((int32_t)p->y - prim->y0), z;

   if (sc->msaa && !sc->over) {
      dx += (float)sc->sample_x[pixel][p->sample & 7] * 0.0625f;
      dy += (float)sc->sample_y[pixel][p->sample & 7] * 0.0625f;
   }
   z = prim->z[0] + prim->z[1] * dx + prim->z[2] * dy + prim->z[3];
   if (limited)
      z = z > 0.0f ? z < 1.0f ? z : 1.0f : 0.0f;
   if (db->viewport_clamp)
      z = z > sc->z_min[v] ? z < sc->z_max[v] ? z : sc->z_max[v] : sc->z_min[v];
   return z;
}

/* Its outcome is known. */
static void
finish(struct probe *p, struct probe_event *e, const struct draw_state *s,
       enum probe_outcome outcome)
{
   e->fragment.outcome = outcome;
   look(p, s, e->after);
   memcpy(p->known, e->after, sizeof(p->known));
   p->current = NO_EVENT;
}

/* Tests are done, and have let it through: of depth or stencil that are followed that is all. */
static bool
finish_plane(struct probe *p, struct probe_event *e, const struct draw_state *s, unsigned role)
{
   const struct db_state *db = s->db;
   const bool writes = role == PROBE_Z ? db->z_write || db->z_clear : db->stencil || db->s_clear;

   if (role != PROBE_Z && role != PROBE_S)
      return false;
   finish(p, e, s, writes ? PROBE_WRITTEN : PROBE_NO_WRITE);
   return true;
}

static bool
clipped_by_rectangles(const struct probe *p, const struct sc_state *sc)
{
   unsigned held = 0;

   for (unsigned n = 0; n < 4; n++)
      held |= (unsigned)in_rect(p, &sc->cliprect[n]) << n;
   return sc->cliprects && !(sc->cliprect_rule >> held & 1);
}

static void
begin_fragment(struct tile *t, const struct sc_prim *prim)
{
   struct probe *p = t->probe;
   struct probe_event *e = add(p, PROBE_FRAGMENT);

   if (!e)
      return;
   p->current = p->num_events - 1;
   e->draw = t->draw->number;
   e->fragment.round = t->draw->round;
   e->fragment.primitive = prim->primitive_id;
   e->fragment.batch = (uint32_t)(t->batch->first / t->draw->vgt->batch_prims);
   memcpy(e->fragment.vertex, prim->vertex, sizeof(e->fragment.vertex));
   e->fragment.tile_x = (uint16_t)(t->x0 / TILE_SIZE);
   e->fragment.tile_y = (uint16_t)(t->y0 / TILE_SIZE);
   e->fragment.front = prim->front_facing;
   e->fragment.line = prim->line;
   e->fragment.point = prim->point;
   e->fragment.prim = prim;
   e->fragment.outcome = PROBE_OPEN;
   look(p, t->draw, e->before);
}

/* The draw's way ends here, whatever the program would give. */
static void
finish_block(struct tile *t, struct probe_event *e, const struct probe_draw *d)
{
   const struct draw_state *s = t->draw;
   enum probe_outcome outcome = PROBE_NO_WRITE;

   switch ((enum pixel_mode)t->key.mode) {
   case PIXEL_DEPTH_ONLY:
      break;
   case PIXEL_FILL:
      e->fragment.exported =
         d->role == PROBE_COLOR && (t->worker->outputs->mrt_written >> d->target & 1);
      for (unsigned c = 0; c < 4 && e->fragment.exported; c++)
         e->fragment.color[c] = core_color(t->worker->outputs, d->target, c)[0];
      if (!t->const_lanes)
         outcome = PROBE_DISCARDED;
      else if (d->role == PROBE_COLOR && (d->bound >> d->target & 1))
         outcome = PROBE_WRITTEN;
      break;
   case PIXEL_COPY:
   case PIXEL_RESOLVE:
      outcome = PROBE_WRITTEN;
      break;
   case PIXEL_PACK:
      t->probe->current = NO_EVENT;
      return;
   }
   finish(t->probe, e, s, outcome);
}

void
probe_block(struct tile *t, enum probe_step step, const struct sc_prim *prim, int32_t x, int32_t y,
            const uint64_t *samples)
{
   struct probe *p = t->probe;
   const struct draw_state *s = t->draw;
   const uint32_t dx = p->x - (uint32_t)x, dy = p->y - (uint32_t)y;
   const struct probe_draw *d;
   struct probe_event *e;
   uint64_t lanes = 0;

   if (dx >= PIXEL_BLOCK || dy >= PIXEL_BLOCK || (step != PROBE_COVERED && p->current == NO_EVENT))
      return;
   d = draw_of(p, s);
   if (!d || !in_layer(p, surface_of(d, s), prim))
      return;
   if (step == PROBE_FINISHED) {
      finish_block(t, &p->events[p->current], d);
      return;
   }
   for (unsigned n = 0; n < t->num_covered; n++)
      if (s->sc->over || n == p->sample || t->key.mode == PIXEL_RESOLVE)
         lanes |= samples[n];
   const bool left = lanes >> (dy * PIXEL_BLOCK + dx) & 1;

   if (step == PROBE_COVERED) {
      if (left)
         begin_fragment(t, prim);
      return;
   }
   e = &p->events[p->current];
   if (step == PROBE_CLIPPED && !left) {
      finish(p, e, s, clipped_by_rectangles(p, s->sc) ? PROBE_CLIPRECT : PROBE_STIPPLE);
   } else if (step == PROBE_CLIPPED) {
      if (t->key.early && t->db_block) {
         planes_before(p, e, s, prim);
         e->fragment.z = depth_of(p, s, prim);
      }
   } else if (e->fragment.tested) {
      planes_after(p, e, s, prim);
      if (!left)
         finish(p, e, s, rejected(e, s->db, prim, s->db->face[!prim->front_facing].ref));
      else
         finish_plane(p, e, s, d->role);
   }
}

/* The fragment under way that a primitive of the draw made. */
static struct probe_event *
find_open(struct probe *p, const struct sc_prim *prim)
{
   for (size_t n = p->open; n < p->num_events; n++) {
      struct probe_event *e = &p->events[n];

      if (e->kind == PROBE_FRAGMENT && e->fragment.outcome == PROBE_OPEN &&
          e->fragment.prim == prim)
         return e;
   }
   return NULL;
}

static void
ran(struct tile *t, struct probe_event *e, const struct probe_draw *d, unsigned lane, bool left)
{
   const struct core_outputs *outputs = t->worker->outputs;

   e->fragment.ran = !t->draw->spi->constant;
   e->fragment.lane = (uint8_t)lane;
   e->fragment.wave = t->core.identity.wave - 1;
   e->fragment.exported = left && d->role == PROBE_COLOR && (outputs->mrt_written >> d->target & 1);
   for (unsigned c = 0; c < 4 && e->fragment.exported; c++)
      e->fragment.color[c] = core_color(outputs, d->target, c)[lane];
   if (left)
      return;
   finish(t->probe, e, t->draw,
          t->core.faulted                ? PROBE_FAULT
          : !(t->core.valid >> lane & 1) ? PROBE_DISCARDED
                                         : PROBE_NO_EXPORT);
}

static void
step_lane(struct tile *t, enum probe_wave_step step, struct probe_event *e,
          const struct sc_prim *prim, unsigned lane, bool left)
{
   struct probe *p = t->probe;
   const struct draw_state *s = t->draw;
   const struct db_state *db = s->db;
   const struct probe_draw *d = draw_of(p, s);

   switch (step) {
   case PROBE_RAN:
      ran(t, e, d, lane, left);
      break;
   case PROBE_ALPHA_TESTED:
      if (!left)
         finish(p, e, s, PROBE_ALPHA);
      break;
   case PROBE_ALPHA_MASKED:
      if (!left)
         finish(p, e, s, PROBE_ALPHA_MASK);
      break;
   case PROBE_SAMPLE_MASKED:
      if (!left)
         finish(p, e, s, PROBE_SAMPLE_MASK);
      break;
   case PROBE_TESTS:
      if (!db->active)
         break;
      planes_before(p, e, s, prim);
      memcpy(&e->fragment.z, &t->z[lane], sizeof(e->fragment.z));
      look(p, s, e->before);
      break;
   case PROBE_TESTED_LATE: {
      const uint32_t ref = db->export_stencil && !db->forced_early
                              ? t->worker->outputs->z[1][lane] & 255
                              : db->face[!prim->front_facing].ref;

      planes_after(p, e, s, prim);
      if (!left)
         finish(p, e, s, rejected(e, db, prim, ref));
      else
         finish_plane(p, e, s, d->role);
      break;
   }
   case PROBE_COLORS:
      look(p, s, e->before);
      break;
   case PROBE_COLORED:
      finish(p, e, s,
             d->role == PROBE_COLOR && (s->cb->bound >> d->target & 1) ? PROBE_WRITTEN
                                                                       : PROBE_NO_WRITE);
      break;
   }
}

void
probe_wave(struct tile *t, enum probe_wave_step step, uint64_t among, uint64_t lanes)
{
   struct probe *p = t->probe;
   const struct pixel_wave *w = t->wave;

   if (!draw_of(p, t->draw))
      return;
   for (unsigned q = 0; q < w->num_quads; q++) {
      const uint32_t dx = p->x - (uint32_t)w->x[q], dy = p->y - (uint32_t)w->y[q];
      const unsigned lane = q * 4 + (dy & 1) * 2 + (dx & 1);
      struct probe_event *e;

      if (dx > 1 || dy > 1 || !(among >> lane & 1))
         continue;
      e = find_open(p, wave_prim(w, q));
      if (e)
         step_lane(t, step, e, wave_prim(w, q), lane, lanes >> lane & 1);
   }
}

bool
probe_pixel(const struct core_wave *wave, unsigned lane, struct probe_pixel *pixel)
{
   const struct tile *t = wave->tile;
   const unsigned quad = lane / 4;
   const struct sc_prim *prim;

   if (wave->identity.stage != CORE_PIXEL || !t || t->draw->spi->constant || !t->wave ||
       quad >= t->wave->num_quads)
      return false;
   prim = wave_prim(t->wave, quad);
   *pixel = (struct probe_pixel){
      .x = t->wave->x[quad] + (int32_t)(lane & 1),
      .y = t->wave->y[quad] + (int32_t)(lane >> 1 & 1),
      .layer = prim->layer,
      .primitive = prim->primitive_id,
      .front = prim->front_facing,
      .line = prim->line,
      .point = prim->point,
   };
   return true;
}
