/* SPDX-License-Identifier: MIT */
/* Follows a value back through the steps of a trace; see trace.h. */
#include "trace_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/state.h"

/* A step, in a lane, that the value depends on. */
struct item {
   struct trace_wave *wave;
   uint32_t step;
   uint16_t distance;
   uint8_t lane;
   uint8_t part; /* trace_access.part */
   bool decides;
};

struct slice {
   struct trace *t;
   struct trace_lines *out;
   const struct trace_fragment *fragment; /* NULL: of no pixel */
   struct item *heap;                     /* the nearest first */
   size_t count, cap;
   bool failed;
};

/* How much farther than what is in a value are addresses that it was found at, and what decides
 * that its lane runs. */
#define ADDRESS_DISTANCE 3u
#define DECIDES_DISTANCE 3u
/* And than the first vertex the others, which mostly have the same instructions. */
#define VERTEX_DISTANCE 4u
/* Steps that are followed, the nearest first. */
#define MOST_ITEMS 4096u

static bool
begin(struct slice *s, struct trace *t, const struct trace_fragment *f, struct trace_lines *out)
{
   *s = (struct slice){ .t = t, .out = out, .fragment = f };
   *out = (struct trace_lines){ 0 };
   for (uint32_t n = 0; n < t->num_waves; n++) {
      struct trace_wave *w = t->waves[n];

      free(w->visited);
      w->visited = calloc(w->num_steps ? w->num_steps : 1, sizeof(*w->visited));
      s->failed |= !w->visited;
   }
   return !s->failed;
}

static void
swap(struct item *a, struct item *b)
{
   const struct item c = *a;

   *a = *b;
   *b = c;
}

static void
push_part(struct slice *s, struct trace_wave *w, uint32_t step, unsigned lane, unsigned part,
          unsigned distance, bool decides)
{
   size_t n = s->count;

   if (s->failed || ((w->visited[step][0] | w->visited[step][part]) >> lane & 1))
      return;
   if (s->count == s->cap) {
      const size_t cap = s->cap ? 2 * s->cap : 256;
      struct item *more = realloc(s->heap, cap * sizeof(*more));

      s->failed = !more;
      if (!more)
         return;
      s->heap = more;
      s->cap = cap;
   }
   w->visited[step][part] |= UINT64_C(1) << lane;
   s->heap[s->count++] = (struct item){ .wave = w,
                                        .step = step,
                                        .distance = (uint16_t)distance,
                                        .lane = (uint8_t)lane,
                                        .part = (uint8_t)part,
                                        .decides = decides };
   for (; n && s->heap[(n - 1) / 2].distance > s->heap[n].distance; n = (n - 1) / 2)
      swap(&s->heap[n], &s->heap[(n - 1) / 2]);
}

static void
push(struct slice *s, struct trace_wave *w, uint32_t step, unsigned lane, unsigned distance,
     bool decides)
{
   push_part(s, w, step, lane, 0, distance, decides);
}

/* The nearest item, taken out. */
static struct item
pop(struct slice *s)
{
   const struct item out = s->heap[0];
   size_t n = 0;

   s->heap[0] = s->heap[--s->count];
   for (;;) {
      size_t least = 2 * n + 1;

      if (least + 1 < s->count && s->heap[least + 1].distance < s->heap[least].distance)
         least++;
      if (least >= s->count || s->heap[n].distance <= s->heap[least].distance)
         return out;
      swap(&s->heap[n], &s->heap[least]);
      n = least;
   }
}

/* Which result of a step a row is in a lane; TRACE_RESULTS: none. */
static unsigned
result_of(const struct trace *t, const struct trace_step *step, uint32_t row, unsigned lane)
{
   if (!(step->lanes >> lane & 1))
      return TRACE_RESULTS;
   if (step->rows != TRACE_NONE && !step->gathers)
      return t->values[step->rows + lane] == row ? 0 : TRACE_RESULTS;
   for (unsigned n = 0; n < step->num_dst; n++)
      if (step->dst[n] == row)
         return n;
   return TRACE_RESULTS;
}

/* The last step before `end` that wrote the row; of one that loads several, this one. */
static void
push_row(struct slice *s, struct trace_wave *w, uint32_t row, uint32_t end, unsigned lane,
         unsigned distance, bool decides)
{
   for (uint32_t n = end; n--;)
      if (result_of(s->t, &w->steps[n], row, lane) < TRACE_RESULTS) {
         const unsigned result = result_of(s->t, &w->steps[n], row, lane);

         push_part(s, w, n, lane, w->steps[n].kind == TRACE_LOAD ? result + 1 : 0, distance,
                   decides);
         return;
      }
}

/* ---- Lines ---- */

static void
print_bits(char *out, size_t size, uint32_t bits)
{
   float f;

   memcpy(&f, &bits, 4);
   /* Small integers are no floats that anyone means. */
   if (bits && !(bits & 0x7f800000u))
      snprintf(out, size, "%" PRIu32, bits);
   else
      snprintf(out, size, "%.6g", (double)f);
}

/* The text of an instruction, without what is in front of it. */
static const char *
text_of(const struct trace_program *p, const struct trace_step *step)
{
   uint32_t line = p->listed ? listing_find(&p->listing, step->group) : LISTING_NONE;
   const char *text;

   if (line == LISTING_NONE)
      return step->kind == TRACE_LOAD ? "vertex fetch" : "?";
   if (step->kind != TRACE_LOAD && step->kind != TRACE_EXPORT && step->origin > step->group &&
       line + (step->origin - step->group) / 2 < p->listing.count)
      line += (step->origin - step->group) / 2;
   text = p->listing.lines[line].text;
   while (isspace((unsigned char)*text) || (isdigit((unsigned char)*text)))
      text++;
   return text;
}

static void
append(char *out, size_t size, const char *text)
{
   const size_t length = strlen(out);

   snprintf(out + length, size - length, "%s", text);
}

static const char *const wraps[] = {
   [WRAP_REPEAT] = "REPEAT",
   [WRAP_MIRRORED_REPEAT] = "MIRRORED_REPEAT",
   [WRAP_CLAMP_TO_EDGE] = "CLAMP_TO_EDGE",
   [WRAP_MIRROR_CLAMP_TO_EDGE] = "MIRROR_CLAMP_TO_EDGE",
   [WRAP_CLAMP_TO_HALF_BORDER] = "CLAMP_TO_HALF_BORDER",
   [WRAP_MIRROR_CLAMP_TO_HALF_BORDER] = "MIRROR_CLAMP_TO_HALF_BORDER",
   [WRAP_CLAMP_TO_BORDER] = "CLAMP_TO_BORDER",
   [WRAP_MIRROR_CLAMP_TO_BORDER] = "MIRROR_CLAMP_TO_BORDER",
};
static const char *const filters[] = {
   [FILTER_POINT] = "POINT",
   [FILTER_LINEAR] = "LINEAR",
   [FILTER_ANISOTROPIC_POINT] = "ANISOTROPIC_POINT",
   [FILTER_ANISOTROPIC_LINEAR] = "ANISOTROPIC_LINEAR",
};

static void
print_sampler(const struct trace_step *step, char *out, size_t size)
{
   char text[128];

   if (!step->has_sampler)
      return;
   snprintf(text, sizeof(text), ", magnified %s, minified %s, wraps %s, %s", filters[step->mag & 3],
            filters[step->min & 3], wraps[step->wrap[0] & 7], wraps[step->wrap[1] & 7]);
   append(out, size, text);
}

/* Access n of a wave: what it reads, and then all that is written. */
static const struct trace_access *
access_at(const struct trace *t, const struct trace_wave *w, uint32_t n)
{
   return n < w->num_reads ? &w->reads[n] : &t->writes[n - w->num_reads];
}

/* Where a load reads in this lane. */
static void
print_access(const struct trace *t, const struct item *i, char *out, size_t size)
{
   const struct trace_step *step = &i->wave->steps[i->step];
   const struct trace_access *first = NULL;
   uint32_t bytes = 0;
   char text[96];

   if (step->described && step->is_texture) {
      snprintf(text, sizeof(text), "; texture %" PRIu32 ", %" PRIu32 "x%" PRIu32 " at 0x%" PRIx64,
               step->number_of, step->width, step->height, step->va);
      append(out, size, text);
      print_sampler(step, out, size);
      return;
   }
   for (uint32_t n = 0; step->accesses && n < i->wave->num_reads + t->num_writes; n++) {
      const struct trace_access *a = access_at(t, i->wave, n);

      if (a->wave != i->wave || a->step != i->step || a->lane != i->lane)
         continue;
      first = first ? first : a;
      bytes += a->bytes;
   }
   if (first && first->memory == CORE_MEMORY_BUFFER && step->described)
      snprintf(text, sizeof(text),
               "; %" PRIu32 " bytes of buffer at 0x%" PRIx64 ", byte %" PRIu64 ", stride %" PRIu32,
               bytes, step->va, first->address, step->stride);
   else if (first)
      snprintf(text, sizeof(text), "; %s at 0x%" PRIx64, core_memory_name(first->memory),
               first->address);
   append(out, size, first ? text : "");
}

static void
print_values(const struct trace *t, const struct item *i, char *out, size_t size)
{
   const struct trace_step *step = &i->wave->steps[i->step];
   char text[40];

   *out = 0;
   for (unsigned n = 0; n < step->num_dst && step->results != TRACE_NONE; n++) {
      if (step->dst[n] == TRACE_PREDICATE || (step->dst[n] >= TRACE_QUEUE && n & 1))
         continue;
      print_bits(text, sizeof(text), t->values[step->results + n * WAVE_LANES + i->lane]);
      append(out, size, *out ? ", " : "");
      append(out, size, text);
   }
   for (unsigned n = 0; n < step->num_constants; n++) {
      print_bits(text, sizeof(text), step->constant[n]);
      append(out, size, n ? ", " : "; constant ");
      append(out, size, text);
   }
   print_access(t, i, out, size);
}

static void
add_line(struct slice *s, const struct item *i)
{
   const struct trace_step *step = &i->wave->steps[i->step];
   const struct trace_program *p = &s->t->programs[i->wave->program];
   struct trace_lines *out = s->out;
   struct trace_line *line;

   for (unsigned n = 0; n < out->count; n++)
      if (out->line[n].stage == i->wave->id.stage && out->line[n].program == p->va &&
          out->line[n].origin == step->origin) {
         if (i->distance < out->line[n].distance)
            out->line[n].distance = i->distance;
         return;
      }
   if (out->count == TRACE_LINES) {
      out->left_out++;
      return;
   }
   line = &out->line[out->count++];
   *line = (struct trace_line){
      .stage = i->wave->id.stage,
      .submission = i->wave->id.submission,
      .draw = i->wave->id.draw,
      .program = p->va,
      .group = step->group,
      .origin = step->origin,
      .distance = i->distance,
      .decides = i->decides,
   };
   snprintf(line->text, sizeof(line->text), "%s", text_of(p, step));
   print_values(s->t, i, line->values, sizeof(line->values));
}

static int
compare(const void *a, const void *b)
{
   const struct trace_line *x = a, *y = b;

   if (x->stage != y->stage)
      return x->stage < y->stage ? -1 : 1;
   if (x->program != y->program)
      return x->program < y->program ? -1 : 1;
   return x->origin < y->origin ? -1 : x->origin > y->origin;
}

/* ---- Ways to other waves ---- */

static bool
overlap(uintptr_t a, uint32_t a_bytes, uintptr_t b, uint32_t b_bytes)
{
   return a && b && a < b + b_bytes && b < a + a_bytes;
}

static void
name_race(struct slice *s, const struct trace_access *read, const struct trace_access *write)
{
   const struct trace_wave *r = read->wave, *w = write->wave;

   if (*s->out->race || r == w || r->id.stage != CORE_COMPUTE ||
       r->id.submission != w->id.submission || r->id.draw != w->id.draw ||
       r->id.part != w->id.part || r->steps[read->step].barriers != w->steps[write->step].barriers)
      return;
   snprintf(s->out->race, sizeof(s->out->race),
            "invocation %u reads LDS at 0x%" PRIx64 " (dword %u) and invocation %u writes it "
            "(dword %u): there is no barrier between them",
            r->id.wave * WAVE_LANES + read->lane, read->address, r->steps[read->step].origin,
            w->id.wave * WAVE_LANES + write->lane, w->steps[write->step].origin);
}

/* The write that a read had its value of, or NULL; of shared memory, writes that came too late are
 * named. */
static const struct trace_access *
find_writer(struct slice *s, const struct trace_access *read)
{
   const struct trace *t = s->t;
   const struct trace_access *last = NULL;

   for (uint32_t n = 0; n < t->num_writes; n++) {
      const struct trace_access *a = &t->writes[n];

      if (!overlap(a->host, a->bytes, read->host, read->bytes))
         continue;
      if (a->number < read->number && (!last || a->number >= last->number))
         last = a;
      if (read->memory == CORE_MEMORY_LDS && a->memory == CORE_MEMORY_LDS)
         name_race(s, read, a);
   }
   return last;
}

/* The stage that PA had the draw's vertices of, and the wave and lane of one of them. */
static struct trace_wave *
vertex_wave(const struct slice *s, uint32_t vertex, unsigned *lane)
{
   static const uint8_t stages[] = { CORE_COPY, CORE_EVALUATION, CORE_VERTEX };
   const struct trace_fragment *f = s->fragment;

   for (unsigned n = 0; n < sizeof(stages); n++) {
      bool any = false;

      for (uint32_t i = 0; i < s->t->num_waves; i++) {
         struct trace_wave *w = s->t->waves[i];

         if (w->id.stage != stages[n] || w->id.submission != f->submission ||
             w->id.draw != f->draw || w->id.round != f->round || w->id.part != f->batch)
            continue;
         any = true;
         *lane = vertex - w->first_vertex;
         if (vertex >= w->first_vertex && *lane < WAVE_LANES && (w->active >> *lane & 1))
            return w;
      }
      if (any)
         return NULL;
   }
   return NULL;
}

/* The exports of a role of the primitive's vertices; `part`: which, or all. */
static void
push_vertices(struct slice *s, unsigned role, uint32_t part, unsigned distance)
{
   unsigned lane;

   for (unsigned v = 0; v < 3 && s->fragment; v++) {
      struct trace_wave *w = vertex_wave(s, s->fragment->vertex[v], &lane);

      for (uint32_t n = 0; w && n < w->num_steps; n++) {
         const struct trace_step *step = &w->steps[n];

         if (step->kind == TRACE_EXPORT && step->role == role && (step->lanes >> lane & 1) &&
             (part == TRACE_NONE || step->part == part))
            push(s, w, n, lane, distance + (v ? VERTEX_DISTANCE : 0), false);
      }
   }
}

/* ---- Following ---- */

/* Whether what a step takes are addresses: of LDS and of buffers. */
static bool
is_address(const struct trace_step *step)
{
   return step->kind == TRACE_STORE || (step->kind == TRACE_LOAD && !step->is_texture);
}

/* The value that a write put into memory.  False: it is not known. */
static bool
written(const struct trace *t, const struct trace_access *a, uint32_t *value)
{
   const struct trace_step *step = &a->wave->steps[a->step];

   if (a->memory == CORE_MEMORY_RING && step->results != TRACE_NONE) {
      *value = t->values[step->results + a->lane];
      return true;
   }
   *value = (uint32_t)a->value;
   return a->part != 0;
}

/* The writes that a load had its values of: of one result, those of that value, if any. */
static void
follow_reads(struct slice *s, const struct item *i, const struct trace_step *step)
{
   const struct trace *t = s->t;
   bool alike = step->kind == TRACE_LOAD && i->part && step->results != TRACE_NONE;
   const uint32_t loaded =
      alike ? t->values[step->results + (i->part - 1u) * WAVE_LANES + i->lane] : 0;

   for (unsigned pass = 0; pass < 2 && step->accesses && t->num_writes; pass++, alike = false) {
      bool any = false;

      for (uint32_t n = 0; n < i->wave->num_reads + t->num_writes; n++) {
         const struct trace_access *a = access_at(t, i->wave, n);
         const struct trace_access *last;
         uint32_t value;

         if (a->wave != i->wave || a->step != i->step || a->lane != i->lane ||
             !(a->how & CORE_READS) || !(last = find_writer(s, a)) ||
             (alike && (!written(t, last, &value) || value != loaded)))
            continue;
         any = true;
         push_part(s, last->wave, last->step, last->lane, last->part, i->distance + 1u, i->decides);
      }
      if (any || !alike)
         return;
   }
}

static void
follow(struct slice *s, const struct item *i)
{
   struct trace_wave *w = i->wave;
   const struct trace_step *step = &w->steps[i->step];
   const unsigned next = i->distance + 1u;

   add_line(s, i);
   for (unsigned n = 0; n < step->num_data; n++)
      if (step->data[n] != TRACE_NOWHERE && (!i->part || i->part == n + 1))
         push_row(s, w, step->data[n], i->step, i->lane, next, i->decides);
   for (unsigned n = 0; n < step->num_src; n++)
      push_row(s, w, step->src[n], i->step, i->lane,
               next + (is_address(step) ? ADDRESS_DISTANCE : 0), i->decides);
   if (step->rows != TRACE_NONE && step->gathers)
      push_row(s, w, s->t->values[step->rows + i->lane], i->step, i->lane, next, i->decides);
   if (step->input && s->fragment && (step->input - 1u) / 4 < s->fragment->num_params)
      push_vertices(s, CORE_ROLE_PARAMETER,
                    4u * s->fragment->param[(step->input - 1u) / 4] + (step->input - 1u) % 4, next);
   follow_reads(s, i, step);
   /* What let the lane come here. */
   for (uint32_t n = i->step; n--;)
      if (w->steps[n].branches && (w->steps[n].lanes >> i->lane & 1))
         push(s, w, n, i->lane, i->distance + DECIDES_DISTANCE, true);
}

static void
finish(struct slice *s)
{
   for (unsigned n = 0; s->count && n < MOST_ITEMS; n++) {
      const struct item i = pop(s);

      follow(s, &i);
   }
   free(s->heap);
   qsort(s->out->line, s->out->count, sizeof(s->out->line[0]), compare);
}

/* The wave that a fragment was shaded in. */
static struct trace_wave *
pixel_wave(const struct slice *s)
{
   const struct trace_fragment *f = s->fragment;

   for (uint32_t n = 0; n < s->t->num_waves; n++) {
      struct trace_wave *w = s->t->waves[n];

      if (w->id.stage == CORE_PIXEL && w->id.submission == f->submission && w->id.draw == f->draw &&
          w->id.part == f->part && (!f->ran || (w->id.round == f->round && w->id.wave == f->wave)))
         return w;
   }
   return NULL;
}

/* Exports of the pixel program. */
static void
push_exports(struct slice *s, unsigned role, unsigned number, unsigned components)
{
   struct trace_wave *w = pixel_wave(s);

   for (uint32_t n = 0; w && n < w->num_steps; n++) {
      const struct trace_step *step = &w->steps[n];

      if (step->kind == TRACE_EXPORT && step->role == role && step->part / 4 == number &&
          (components >> step->part % 4 & 1) && (step->lanes >> s->fragment->lane & 1))
         push(s, w, n, s->fragment->lane, 0, false);
   }
}

void
trace_color(struct trace *t, const struct trace_fragment *f, unsigned components,
            struct trace_lines *out)
{
   struct slice s;

   if (begin(&s, t, f, out))
      push_exports(&s, CORE_ROLE_COLOR, f->target, components);
   finish(&s);
}

void
trace_depth(struct trace *t, const struct trace_fragment *f, struct trace_lines *out)
{
   struct slice s;

   if (begin(&s, t, f, out))
      push_exports(&s, CORE_ROLE_DEPTH, 61, 15);
   finish(&s);
}

void
trace_discard(struct trace *t, const struct trace_fragment *f, struct trace_lines *out)
{
   struct trace_wave *w;
   struct slice s;

   if (begin(&s, t, f, out)) {
      w = pixel_wave(&s);
      for (uint32_t n = 0; w && n < w->num_steps; n++)
         if (w->steps[n].kills && (w->steps[n].lanes >> f->lane & 1))
            push(&s, w, n, f->lane, 0, true);
   }
   finish(&s);
}

void
trace_position(struct trace *t, const struct trace_fragment *f, struct trace_lines *out)
{
   struct slice s;

   if (begin(&s, t, f, out))
      push_vertices(&s, CORE_ROLE_POSITION, TRACE_NONE, 0);
   finish(&s);
}

bool
trace_stored(struct trace *t, const void *host, uint32_t bytes, struct trace_lines *out,
             uint32_t *submission, uint32_t *draw)
{
   const struct trace_access *last = NULL;
   struct slice s;

   if (begin(&s, t, NULL, out)) {
      for (uint32_t n = 0; n < t->num_writes; n++) {
         const struct trace_access *a = &t->writes[n];

         if (overlap(a->host, a->bytes, (uintptr_t)host, bytes))
            last = a;
      }
      if (last) {
         push(&s, last->wave, last->step, last->lane, 0, false);
         *submission = last->wave->id.submission;
         *draw = last->wave->id.draw;
      }
   }
   finish(&s);
   return last;
}
