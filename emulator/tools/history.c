/* SPDX-License-Identifier: MIT */
/*
 * See history.h.  The verdict is the last event that wrote the pixel; if none did, what rejected
 * the fragments that reached it; if none did, why no primitive covered it.
 *
 * Below it are the draws that the value is of: the last that wrote, those before that it blended
 * with, and the newest after it that left nothing there; of each the state, and the instructions
 * that made its fragment (cause.h).  For them the capture is played a third time.
 */
#include "history.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/pm4.h>

#include "cause.h"
#include "core/core.h"
#include "memory/vm.h"
#include "pass/pass.h"
#include "pass/probe.h"
#include "pixel.h"
#include "port/state.h"
#include "radeon/radeon.h"
#include "trace.h"

/* ---- Playing ---- */

struct session {
   struct probe probe;
   uint64_t submissions, wrong;
   uint64_t hash;       /* of all submissions' hashes */
   struct trace *trace; /* or NULL */
   const void *pixel;   /* the sample's memory, as long as it is mapped */
};

static void
begin_submission(struct play *p, uint64_t client)
{
   struct session *s = p->data;
   const struct atoll_client *c = play_client(p, client);

   s->probe.client = client;
   if (s->trace && c && s->probe.armed && client == s->probe.surface_client &&
       vm_extent(c->vm, s->probe.pixel_va, s->probe.bytes))
      s->pixel = vm_pointer(c->vm, s->probe.pixel_va);
}

static void
count_hash(struct play *p, uint64_t client, uint64_t hash, uint64_t captured)
{
   struct session *s = p->data;

   (void)client;
   s->submissions++;
   s->wrong += hash != captured;
   s->hash = atoll_capture_mix(s->hash, hash);
}

/* Plays the capture with the probe.  Submissions count from 1 each time. */
static bool
run(struct play *p, struct session *s, bool hashes)
{
   struct gfx *gfx = radeon_of(p->device)->gfx;
   bool ok;

   p->data = s;
   p->submits = begin_submission;
   p->hashed = hashes ? count_hash : NULL;
   gfx_restart(gfx);
   gfx_set_probe(gfx, &s->probe);
   /* Without a trace the observer, if there is one, is the sanitizer's. */
   if (s->trace)
      gfx_set_observer(gfx, trace_observer(s->trace));
   ok = play_run(p);
   if (s->trace)
      gfx_set_observer(gfx, NULL);
   gfx_set_probe(gfx, NULL);
   if (s->probe.lost)
      fprintf(stderr, "%s: %" PRIu64 " draws or events are left out: there are too many\n",
              p->tool->name, s->probe.lost);
   return ok;
}

/* ---- Surfaces ---- */

enum surface_kind { COLOR, DEPTH, STENCIL };
static const char *const kind_names[] = { "colour", "depth", "stencil" };

struct surface {
   uint64_t client;
   uint8_t kind;         /* enum surface_kind */
   struct target target; /* of the last draw that has it */
   uint32_t num_layers;  /* up to the last that a draw had */
   struct cb_channel channel[4];
   uint8_t z_format;
   const struct probe_draw *first, *last;
   uint32_t draws;
};

struct surfaces {
   struct surface *list;
   size_t count, max;
   bool failed;
};

static struct surface *
find_surface(const struct surfaces *all, uint64_t client, const struct target *t)
{
   for (size_t n = 0; n < all->count; n++)
      if (all->list[n].client == client && probe_same(&all->list[n].target, t))
         return &all->list[n];
   return NULL;
}

static void
add_surface(struct surfaces *all, const struct probe_draw *d, const struct target *t, uint8_t kind,
            const struct cb_channel channel[4])
{
   struct surface *s = t->host ? find_surface(all, d->client, t) : NULL;

   if (!t->host || all->failed)
      return;
   if (!s) {
      if (all->count == all->max) {
         const size_t max = all->max ? 2 * all->max : 16;
         struct surface *list = realloc(all->list, max * sizeof(*list));

         all->failed = !list;
         if (!list)
            return;
         all->list = list;
         all->max = max;
      }
      s = &all->list[all->count++];
      *s = (struct surface){ .client = d->client, .first = d };
   }
   s->kind = kind;
   s->target = *t;
   if (t->first_layer + t->num_layers > s->num_layers)
      s->num_layers = t->first_layer + t->num_layers;
   if (channel)
      memcpy(s->channel, channel, sizeof(s->channel));
   s->z_format = d->z_format;
   s->draws += s->last != d;
   s->last = d;
}

/* The surfaces of all draws, in the order of their first draws. */
static bool
find_surfaces(struct surfaces *all, const struct probe *p)
{
   for (size_t n = 0; n < p->num_draws; n++) {
      const struct probe_draw *d = &p->draws[n];

      for (unsigned i = 0; i < CB_TARGETS; i++)
         add_surface(all, d, &d->color[i], COLOR, d->channel[i]);
      add_surface(all, d, &d->resolve, COLOR, d->channel[0]);
      add_surface(all, d, &d->z, DEPTH, NULL);
      add_surface(all, d, &d->s, STENCIL, NULL);
   }
   if (all->failed)
      fprintf(stderr, "atoll-debug: no memory\n");
   return !all->failed;
}

static void
print_surface(const struct surface *s)
{
   const struct target *t = &s->target;

   printf("%s at 0x%" PRIx64 ", %ux%u, %u bytes a %s", kind_names[s->kind], t->va, t->width,
          t->height, t->cpp, t->log2_samples ? "sample" : "pixel");
   if (t->log2_samples)
      printf(", %u samples", 1u << t->log2_samples);
   if (s->num_layers > 1)
      printf(", %u layers", s->num_layers);
}

static void
print_draw_name(const struct probe_draw *d)
{
   printf("%u.%u", d->submission, d->number);
}

int
history_list(struct play *p)
{
   struct session s = { 0 };
   struct surfaces all = { 0 };
   int code = TOOL_REFUSED;

   if (run(p, &s, false)) {
      code = find_surfaces(&all, &s.probe) ? TOOL_OK : TOOL_SYSTEM;
      play_describe(p);
      for (size_t n = 0; n < all.count; n++) {
         printf("surface %zu: ", n);
         print_surface(&all.list[n]);
         printf("; client %" PRIu64 ", %u draws, ", all.list[n].client, all.list[n].draws);
         print_draw_name(all.list[n].first);
         printf(" to ");
         print_draw_name(all.list[n].last);
         printf("\n");
      }
      for (size_t n = 0; n < s.probe.num_draws; n++) {
         const struct probe_draw *d = &s.probe.draws[n];
         const char *between = "; surfaces ";

         printf("draw ");
         print_draw_name(d);
         printf(": %" PRIu64 " primitives%s", d->primitives,
                d->rasterises ? "" : ", none is rasterised");
         for (size_t k = 0; k < all.count; k++) {
            const struct surface *f = &all.list[k];
            bool has = f->client == d->client &&
                       (probe_same(&f->target, &d->z) || probe_same(&f->target, &d->s) ||
                        probe_same(&f->target, &d->resolve));

            for (unsigned i = 0; i < CB_TARGETS; i++)
               has |= f->client == d->client && probe_same(&f->target, &d->color[i]);
            if (has)
               printf("%s%zu", between, k);
            between = has ? ", " : between;
         }
         printf("\n");
      }
   }
   free(all.list);
   probe_finish(&s.probe);
   return code;
}

/* ---- Values ---- */

static void
print_component(const struct cb_channel *c, const uint8_t *bytes)
{
   const double value = pixel_component(c, bytes);

   printf(c->type == NUMERIC_UNORM || c->type == NUMERIC_SRGB || c->type == NUMERIC_SNORM ? "%.4g"
          : c->type == NUMERIC_FLOAT                                                      ? "%.6g"
                                                                                          : "%.0f",
          value);
}

/* Memory as hexadecimal numbers, and what they mean. */
static void
print_memory(const struct surface *s, const uint8_t bytes[PROBE_BYTES])
{
   const unsigned cpp = s->target.cpp;
   const char *between = " (";
   uint32_t word;

   printf("0x");
   for (unsigned n = cpp; n--;)
      printf("%02x", bytes[n]);
   if (s->kind == DEPTH) {
      memcpy(&word, bytes, 4);
      printf(" (%.6g)", pixel_depth(s->z_format, word));
      return;
   }
   for (unsigned c = 0; c < 4 && s->kind == COLOR; c++) {
      if (!s->channel[c].bits || s->channel[c].bits > 32)
         continue;
      printf("%s%c ", between, "rgba"[c]);
      print_component(&s->channel[c], bytes);
      between = ", ";
   }
   if (*between == ',')
      printf(")");
}

/* What a program exported: floats, or the integers of a target of integers. */
static void
print_export(const struct surface *s, const uint32_t color[4])
{
   const uint8_t type = s->channel[0].type;

   printf("(");
   for (unsigned c = 0; c < 4; c++) {
      float f;

      memcpy(&f, &color[c], sizeof(f));
      printf(c ? ", " : "");
      if (type == NUMERIC_UINT)
         printf("%u", color[c]);
      else if (type == NUMERIC_SINT)
         printf("%d", (int32_t)color[c]);
      else
         printf("%.6g", (double)f);
   }
   printf(")");
}

/* ---- Events ---- */

static void
print_depth(const struct probe_draw *d, uint32_t raw)
{
   printf("%.6g", pixel_depth(d->z_format, raw));
}

static void
print_fragment(const struct surface *s, const struct probe_draw *d, const struct probe_event *e)
{
   printf("    primitive %u, %s", e->fragment.primitive,
          e->fragment.line    ? "a line"
          : e->fragment.point ? "a point"
          : e->fragment.front ? "front"
                              : "back");
   if (e->fragment.ran)
      printf("; wave %u of tile %u,%u, lane %u", e->fragment.wave, e->fragment.tile_x,
             e->fragment.tile_y, e->fragment.lane);
   printf(": %s\n", probe_outcome_text(e->fragment.outcome));
   if (e->fragment.tested && e->fragment.has_z) {
      printf("      depth %.6g against ", (double)e->fragment.z);
      print_depth(d, e->fragment.z_before);
      if (e->fragment.z_after != e->fragment.z_before) {
         printf(", then ");
         print_depth(d, e->fragment.z_after);
      }
      printf("\n");
   }
   if (e->fragment.tested && e->fragment.has_s) {
      printf("      stencil 0x%02x", e->fragment.s_before);
      if (e->fragment.s_after != e->fragment.s_before)
         printf(", then 0x%02x", e->fragment.s_after);
      printf("\n");
   }
   if (e->fragment.exported) {
      printf("      exported ");
      print_export(s, e->fragment.color);
      printf("\n");
   }
   if (e->fragment.outcome == PROBE_WRITTEN) {
      printf("      ");
      print_memory(s, e->before);
      printf(memcmp(e->before, e->after, PROBE_BYTES) ? ", then " : ", and the same after\n");
      if (memcmp(e->before, e->after, PROBE_BYTES)) {
         print_memory(s, e->after);
         printf("\n");
      }
   }
}

static void
print_cause(const struct probe_event *e)
{
   switch (e->change.cause) {
   case PROBE_CPU:
      printf("the program wrote it before submission %u", e->submission);
      break;
   case PROBE_DMA:
      printf("submission %u wrote it by the DMA ring", e->submission);
      break;
   case PROBE_CLEAR:
      printf("a fast clear is written out before draw %u.%u", e->submission, e->draw);
      break;
   default:
      if (e->change.header)
         printf("%s at dword %u of submission %u, after %u draws and dispatches, wrote it",
                pm4_opcode_name(pm4_op(e->change.header)), e->change.at, e->submission, e->draw);
      else
         printf("draws to other surfaces wrote it before draw %u.%u", e->submission, e->draw);
   }
}

/* Why no primitive of a draw made a fragment. */
static const char *
why_none(const struct probe_draw *d)
{
   return !d->primitives   ? "there are no primitives"
          : !d->rasterises ? "rasterisation is off"
          : !d->sampled    ? "the sample mask leaves out the sample"
          : !d->in_scissor ? "the pixel lies outside the scissor"
                           : "no primitive covers the pixel";
}

/* A line for a draw that has the surface, and all its events. */
static void
print_draw(const struct surface *s, const struct probe *p, const struct probe_draw *d)
{
   unsigned fragments = 0;

   printf("  draw ");
   print_draw_name(d);
   printf(": %" PRIu64 " primitives", d->primitives);
   if (d->role == PROBE_COLOR) {
      if (d->no_color || !(d->bound >> d->target & 1))
         printf(", no colour is written");
      else if ((d->write_mask[d->target] & 15) != 15)
         printf(", writes %s%s%s%s alone", d->write_mask[d->target] & 1 ? "r" : "",
                d->write_mask[d->target] & 2 ? "g" : "", d->write_mask[d->target] & 4 ? "b" : "",
                d->write_mask[d->target] & 8 ? "a" : "");
      if (d->blends)
         printf(", blends");
   } else if (d->role == PROBE_RESOLVED) {
      printf(", resolves to it");
   }
   for (size_t n = 0; n < p->num_events; n++) {
      const struct probe_event *e = &p->events[n];

      if (e->submission != d->submission || e->draw != d->number)
         continue;
      fragments += e->kind == PROBE_FRAGMENT;
      if (e->kind == PROBE_MISSED && e->missed.culled)
         printf("; %u that cover the pixel are culled for their facing, the first is %u",
                e->missed.culled, e->missed.first_culled);
      if (e->kind == PROBE_MISSED && e->missed.scissored)
         printf("; %u that cover the pixel are scissored there, the first is %u",
                e->missed.scissored, e->missed.first_scissored);
   }
   printf(fragments ? "\n" : "; no fragment: %s\n", why_none(d));
   for (size_t n = 0; n < p->num_events; n++) {
      const struct probe_event *e = &p->events[n];

      if (e->kind == PROBE_FRAGMENT && e->submission == d->submission && e->draw == d->number)
         print_fragment(s, d, e);
   }
}

/* All that happened, draw by draw; changes where they were noticed. */
static void
print_history(const struct surface *s, const struct probe *p)
{
   size_t change = 0;

   for (size_t n = 0; n <= p->num_draws; n++) {
      const struct probe_draw *d = n < p->num_draws ? &p->draws[n] : NULL;

      for (; change < p->num_events; change++) {
         const struct probe_event *e = &p->events[change];

         if (e->kind != PROBE_CHANGE)
            continue;
         if (d && (e->submission > d->submission ||
                   (e->submission == d->submission && e->draw > d->number)))
            break;
         printf("  ");
         print_cause(e);
         printf(": ");
         print_memory(s, e->before);
         printf(", then ");
         print_memory(s, e->after);
         printf("\n");
      }
      if (d && d->role != PROBE_NOTHING)
         print_draw(s, p, d);
   }
}

/* ---- The verdict ---- */

struct tally {
   unsigned outcome[PROBE_OUTCOME_COUNT];
   unsigned fragments, culled, scissored;
};

/* Whether an event is after another one.  What a draw missed is found before its fragments are. */
static bool
is_after(const struct probe_event *e, const struct probe_event *last)
{
   if (e->kind != PROBE_MISSED)
      return e > last;
   return e->submission > last->submission ||
          (e->submission == last->submission && e->draw > last->draw);
}

/* Counts what became of fragments; `last`: of those after it. */
static void
count(struct tally *t, const struct probe *p, const struct probe_event *last)
{
   for (size_t n = 0; n < p->num_events; n++) {
      const struct probe_event *e = &p->events[n];

      if (last && !is_after(e, last))
         continue;
      if (e->kind == PROBE_FRAGMENT) {
         t->outcome[e->fragment.outcome]++;
         t->fragments++;
      } else if (e->kind == PROBE_MISSED) {
         t->culled += e->missed.culled;
         t->scissored += e->missed.scissored;
      }
   }
}

/* "2 rejected by the depth test, 1 discarded by the pixel program" of those not written. */
static void
print_rejected(const struct tally *t)
{
   const char *between = "";

   for (unsigned o = 0; o < PROBE_OUTCOME_COUNT; o++) {
      if (!t->outcome[o] || o == PROBE_WRITTEN)
         continue;
      printf("%s%u %s", between, t->outcome[o], probe_outcome_text(o));
      between = ", ";
   }
   if (t->culled)
      printf("%s%u culled for their facing", between, t->culled);
   between = t->culled ? ", " : between;
   if (t->scissored)
      printf("%s%u outside the scissor", between, t->scissored);
}

static const struct probe_draw *
draw_named(const struct probe *p, uint32_t submission, uint32_t number)
{
   for (size_t n = 0; n < p->num_draws; n++)
      if (p->draws[n].submission == submission && p->draws[n].number == number)
         return &p->draws[n];
   return NULL;
}

static void
print_written(const struct surface *s, const struct probe *p, const struct probe_event *e)
{
   const struct probe_draw *d = draw_named(p, e->submission, e->draw);
   const bool same = !memcmp(e->before, e->after, PROBE_BYTES);

   if (e->kind == PROBE_CHANGE) {
      print_cause(e);
      printf(": it is ");
      print_memory(s, e->after);
      return;
   }
   printf("written by primitive %u of draw %u.%u", e->fragment.primitive, e->submission, e->draw);
   if (d && d->program)
      printf(", by the program at 0x%" PRIx64, d->program);
   if (e->fragment.exported) {
      printf(", which gave ");
      print_export(s, e->fragment.color);
   }
   if (d && d->blends)
      printf("; blending made it ");
   else
      printf("; it is ");
   print_memory(s, e->after);
   if (same)
      printf(", as it was before");
   if (d && d->role == PROBE_COLOR && (d->write_mask[d->target] & 15) != 15)
      printf("; not all components are written");
}

/* Why the draws that have the surface made no fragment: how many for each reason. */
static void
print_reasons(const struct probe *p)
{
   const char *between = ": ";

   for (size_t n = 0; n < p->num_draws; n++) {
      const char *why = p->draws[n].role != PROBE_NOTHING ? why_none(&p->draws[n]) : NULL;
      unsigned same = 0;
      bool before = false;

      for (size_t k = 0; why && k < p->num_draws; k++) {
         const bool is = p->draws[k].role != PROBE_NOTHING && why_none(&p->draws[k]) == why;

         before |= is && k < n;
         same += is;
      }
      if (!why || before)
         continue;
      printf("%sof %u draw%s %s", between, same, same == 1 ? "" : "s", why);
      between = ", ";
   }
   if (*between == ':')
      printf(": no draw has the surface");
}

/* The last event before `end` that wrote the pixel, or NULL. */
static const struct probe_event *
last_write(const struct probe *p, const struct probe_event *end)
{
   while (end-- > p->events)
      if (end->kind == PROBE_CHANGE ||
          (end->kind == PROBE_FRAGMENT && end->fragment.outcome == PROBE_WRITTEN))
         return end;
   return NULL;
}

static void
print_verdict(const struct surface *s, const struct probe *p)
{
   const struct probe_event *last = p->num_events ? last_write(p, p->events + p->num_events) : NULL;
   struct tally all = { 0 }, later = { 0 };

   count(&all, p, NULL);
   printf("verdict: ");
   if (last) {
      print_written(s, p, last);
      count(&later, p, last);
      if (later.fragments || later.culled || later.scissored) {
         printf("; after that ");
         print_rejected(&later);
      }
   } else if (all.fragments) {
      printf("all that reached the pixel were lost: ");
      print_rejected(&all);
   } else if (all.culled || all.scissored) {
      printf("nothing was drawn there: ");
      print_rejected(&all);
   } else {
      printf("nothing was drawn there");
      print_reasons(p);
   }
   printf("\n");
}

/* ---- What it was made of ---- */

/* Draws that left nothing after the last write, and draws that are blended with, are named up to
 * so many. */
#define CAUSES_AFTER 2u
#define CAUSES       (TRACE_DRAWS - CAUSES_AFTER)

/* Whether a fragment of the draw has something of what was there before. */
static bool
keeps(const struct probe_draw *d)
{
   return d->role == PROBE_COLOR &&
          (d->blends || d->state.logic != CB_LOGIC_COPY || (d->write_mask[d->target] & 15) != 15);
}

/* Draws that had the surface after an event (NULL: all), the newest first. */
static unsigned
draws_after(const struct probe *p, const struct probe_event *last, const struct probe_draw **out,
            unsigned count)
{
   const unsigned most = count + CAUSES_AFTER;

   for (size_t n = p->num_draws; n-- && count < most;) {
      const struct probe_draw *d = &p->draws[n];

      if (last &&
          (d->submission < last->submission ||
           (d->submission == last->submission &&
            (d->number < last->draw || (d->number == last->draw && last->kind == PROBE_FRAGMENT)))))
         break;
      if (d->role != PROBE_NOTHING)
         out[count++] = d;
   }
   return count;
}

/* The draws that the value is of, the newest first, and then those after them. */
static unsigned
draws_of(const struct probe *p, const struct probe_draw *out[TRACE_DRAWS])
{
   const struct probe_event *const last =
      p->num_events ? last_write(p, p->events + p->num_events) : NULL;
   const struct probe_event *e = last;
   unsigned count = 0;

   while (e && e->kind == PROBE_FRAGMENT && count < CAUSES) {
      const struct probe_draw *d = draw_named(p, e->submission, e->draw);

      if (!d)
         break;
      if (!count || out[count - 1] != d)
         out[count++] = d;
      if (!keeps(d))
         break;
      e = last_write(p, e);
   }
   return draws_after(p, last, out, count);
}

/* The component of a colour that is farthest from what is expected, as a bit; all, if none is. */
static unsigned
find_wrong(const struct surface *s, const uint8_t *bytes, const struct history_question *q)
{
   double farthest = 0;
   unsigned wrong = 4;

   for (unsigned c = 0; c < 4 && q->expects && s->kind == COLOR; c++) {
      const double is = s->channel[c].bits && s->channel[c].bits <= 32
                           ? pixel_component(&s->channel[c], bytes)
                           : q->expected[c];
      const double far = fabs(is - q->expected[c]);

      if (far > farthest) {
         farthest = far;
         wrong = c;
      }
   }
   if (wrong == 4)
      return 15;
   const double expected = q->expected[wrong];

   printf("  %c is %.4g, where %.4g is expected\n", "rgba"[wrong],
          pixel_component(&s->channel[wrong], bytes), expected);
   return 1u << wrong;
}

/* Has the probe follow the pixel that is asked about, of all layers that draws have.  False, after
 * a message: the surface does not have it. */
static bool
follow_pixel(const struct play *p, struct probe *probe, const struct surface *s,
             const struct history_question *q)
{
   struct target target = s->target;

   target.first_layer = 0;
   target.num_layers = s->num_layers;
   if (probe_follow(probe, s->client, &target, q->x, q->y,
                    q->by_layer ? q->layer : s->target.first_layer, q->sample))
      return true;
   tool_error(p->file, 0, 0, "the surface (%ux%u, %u samples, %u layers) has no such pixel",
              target.width, target.height, 1u << target.log2_samples, s->num_layers);
   return false;
}

/* Plays it once more, with a trace of the draws.  False: the capture cannot be played. */
static bool
explain(struct play *p, const struct probe *probe, const struct surface *s,
        const struct history_question *q)
{
   struct session session = { .trace = trace_create() };
   const struct probe_event *last =
      probe->num_events ? last_write(probe, probe->events + probe->num_events) : NULL;
   const struct probe_draw *draws[TRACE_DRAWS];
   const unsigned count = draws_of(probe, draws);
   const unsigned components = find_wrong(s, probe->known, q);
   bool ok = true;

   if (!session.trace)
      return true;
   for (unsigned n = 0; n < count; n++)
      cause_want(session.trace, probe, draws[n]);
   if (follow_pixel(p, &session.probe, s, q))
      ok = run(p, &session, false);
   if (ok && last && last->kind == PROBE_CHANGE && session.pixel)
      cause_print_stored(session.trace, session.pixel, probe->bytes);
   for (unsigned n = 0; n < count && ok; n++) {
      const struct probe_draw *d =
         draw_named(&session.probe, draws[n]->submission, draws[n]->number);

      if (d)
         cause_print(&session.probe, d, session.trace, components);
   }
   if (trace_lost(session.trace))
      printf("not all instructions of the draws are there: they are too many\n");
   trace_destroy(session.trace);
   probe_finish(&session.probe);
   return ok;
}

/* The surface that is asked about, of a session that listed them; NULL after a message. */
static const struct surface *
choose(const struct play *p, const struct surfaces *all, const struct probe *probe,
       const struct history_question *q)
{
   const struct probe_draw *d = NULL;
   const struct target *t = NULL;

   if (q->by_target && !q->by_draw) {
      if (q->target < all->count)
         return &all->list[q->target];
      tool_error(p->file, 0, 0, "no surface %u: the capture's draws have %zu", q->target,
                 all->count);
      return NULL;
   }
   if (q->by_draw)
      d = draw_named(probe, q->submission, q->draw);
   for (size_t n = probe->num_draws; n-- && !q->by_draw && !d;)
      d = probe->draws[n].bound ? &probe->draws[n] : NULL;
   for (unsigned i = 0; d && i < CB_TARGETS && !t; i++)
      if (d->color[i].host && (!q->by_target || i == q->target))
         t = &d->color[i];
   if (d && !q->by_target) {
      if (d->resolve.host)
         t = &d->resolve;
      t = t ? t : d->z.host ? &d->z : d->s.host ? &d->s : NULL;
   }
   if (t)
      return find_surface(all, d->client, t);
   if (!d && q->by_draw)
      tool_error(p->file, 0, 0, "the capture has no draw %u.%u", q->submission, q->draw);
   else
      tool_error(p->file, 0, 0, "the draw has no such target");
   return NULL;
}

/* The second time, with the pixel followed; the first one's draws are still there. */
static int
follow(struct play *p, const struct session *first, const struct surface *s,
       const struct history_question *q)
{
   struct session session = { 0 };
   bool ok;

   if (!follow_pixel(p, &session.probe, s, q))
      return TOOL_REFUSED;
   ok = run(p, &session, true);
   if (ok) {
      printf("pixel %u,%u", q->x, q->y);
      if (s->target.log2_samples)
         printf(", sample %u", q->sample);
      if (s->num_layers > 1)
         printf(", layer %u", session.probe.layer);
      printf(" of ");
      print_surface(s);
      printf("\n");
      print_history(s, &session.probe);
      print_verdict(s, &session.probe);
      ok = explain(p, &session.probe, s, q);
      if (session.hash != first->hash)
         printf("the second run left other memory than the first: its history may not be this\n");
      if (session.wrong)
         printf("%" PRIu64 " of %" PRIu64 " submissions left other memory than was captured\n",
                session.wrong, session.submissions);
   }
   probe_finish(&session.probe);
   return ok ? TOOL_OK : TOOL_REFUSED;
}

/* The surfaces of a capture's draws, and the one that is asked about.  An exit code. */
static int
find(struct play *p, struct session *s, struct surfaces *all, const struct history_question *q,
     bool hashes, const struct surface **surface)
{
   if (!run(p, s, hashes))
      return TOOL_REFUSED;
   if (!find_surfaces(all, &s->probe))
      return TOOL_SYSTEM;
   *surface = choose(p, all, &s->probe, q);
   return *surface ? TOOL_OK : TOOL_REFUSED;
}

int
history_find(struct play *p, const struct history_question *q, struct history_memory *memory)
{
   struct session s = { 0 };
   struct surfaces all = { 0 };
   struct probe probe = { 0 };
   const struct surface *surface;
   int code = find(p, &s, &all, q, false, &surface);

   if (!code && !follow_pixel(p, &probe, surface, q))
      code = TOOL_REFUSED;
   *memory = (struct history_memory){ probe.surface_client, probe.pixel_va, probe.bytes };
   free(all.list);
   probe_finish(&s.probe);
   return code;
}

int
history_why(struct play *p, const struct history_question *q)
{
   struct session s = { 0 };
   struct surfaces all = { 0 };
   const struct surface *surface;
   int code = find(p, &s, &all, q, true, &surface);

   if (!code)
      code = follow(p, &s, surface, q);
   free(all.list);
   probe_finish(&s.probe);
   return code;
}
