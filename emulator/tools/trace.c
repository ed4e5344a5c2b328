/* SPDX-License-Identifier: MIT */
/* Records steps; see trace.h.  What is found in them: slice.c. */
#include "trace_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sq/sq.h"
#include "uop/exec.h"
#include "uop/uop.h"

/* Bytes of all that is kept. */
#define MOST_BYTES ((size_t)1 << 30)

/* Elements that an array begins with, and those of a wave, of which there are many. */
#define FIRST         64u
#define FIRST_OF_WAVE 8u

static bool
grow(struct trace *t, void **array, uint32_t count, uint32_t *cap, uint32_t first, size_t size)
{
   const uint32_t more = *cap ? 2 * *cap : first;
   void *grown;

   if (count < *cap)
      return true;
   t->bytes += (size_t)(more - *cap) * size;
   grown = t->bytes < MOST_BYTES ? realloc(*array, more * size) : NULL;
   if (!grown) {
      t->lost = true;
      return false;
   }
   *array = grown;
   *cap = more;
   return true;
}

/* ---- Waves ---- */

static bool
is_wanted(const struct trace *t, const struct core_identity *id)
{
   for (unsigned n = 0; n < t->num_wanted; n++)
      if (t->wanted[n].submission == id->submission && t->wanted[n].draw == id->draw &&
          id->part == (id->stage == CORE_PIXEL ? t->wanted[n].tile : t->wanted[n].batch))
         return true;
   return id->stage == CORE_COMPUTE;
}

/* The program that a wave runs; its text is of when it first ran. */
static uint32_t
program_of(struct trace *t, const struct core_wave *wave)
{
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct core_program *program = wave->bind->program;
   struct trace_program *p;

   for (uint32_t n = 0; n < t->num_programs; n++)
      if (t->programs[n].va == program->va && t->programs[n].words == program->words_used &&
          t->programs[n].submission == wave->identity.submission)
         return n;
   if (!grow(t, (void **)&t->programs, t->num_programs, &t->cap_programs, FIRST, sizeof(*p)))
      return UINT32_MAX;
   p = &t->programs[t->num_programs];
   *p = (struct trace_program){ .va = program->va,
                                .words = program->words_used,
                                .submission = wave->identity.submission };
   p->listed = listing_make(&p->listing, bind->vm, program);
   return t->num_programs++;
}

static void
begins(void *data, struct core_wave *wave)
{
   struct trace *t = data;
   struct trace_wave *w;
   uint32_t program;

   wave->observed = NULL;
   if (!wave->bind->program->registers || !is_wanted(t, &wave->identity) || t->lost)
      return;
   program = program_of(t, wave);
   if (program == UINT32_MAX ||
       !grow(t, (void **)&t->waves, t->num_waves, &t->cap_waves, FIRST, sizeof(*t->waves)) ||
       (t->bytes += sizeof(*w)) >= MOST_BYTES || !(w = calloc(1, sizeof(*w)))) {
      t->lost = true;
      return;
   }
   w->id = wave->identity;
   w->program = program;
   w->first_vertex = wave->first_vertex;
   w->active = wave->active;
   w->open = w->last_store = TRACE_NONE;
   t->waves[t->num_waves++] = w;
   wave->observed = w;
}

static void
ends(void *data, struct core_wave *wave)
{
   (void)data;
   wave->observed = NULL;
}

/* ---- Steps ---- */

static struct trace_step *
add(struct trace *t, struct trace_wave *w, const struct core_wave *wave, enum trace_kind kind)
{
   struct trace_step *s;

   w->open = TRACE_NONE;
   if (t->lost ||
       !grow(t, (void **)&w->steps, w->num_steps, &w->cap_steps, FIRST_OF_WAVE, sizeof(*s)))
      return NULL;
   t->bytes += sizeof(*w->visited); /* once a value is followed */
   s = &w->steps[w->num_steps++];
   *s = (struct trace_step){
      .number = t->number++,
      .kind = (uint8_t)kind,
      .origin = wave->origin,
      .group = wave->origin,
      .results = TRACE_NONE,
      .rows = TRACE_NONE,
      .barriers = w->barriers,
   };
   return s;
}

static void
take(struct trace_step *s, uint32_t row)
{
   for (unsigned n = 0; n < s->num_src; n++)
      if (s->src[n] == row)
         return;
   if (s->num_src < TRACE_SOURCES)
      s->src[s->num_src++] = (uint16_t)row;
}

/* Room for values of all lanes; TRACE_NONE: there is none. */
static uint32_t
room(struct trace *t, uint32_t dwords)
{
   const uint32_t at = t->num_values;

   if (t->cap_values - at < dwords &&
       !grow(t, (void **)&t->values, t->cap_values, &t->cap_values, FIRST, sizeof(*t->values)))
      return TRACE_NONE;
   t->num_values += dwords;
   return at;
}

static void
give(struct trace *t, struct trace_step *s, uint32_t row, const uint32_t *values)
{
   const uint32_t at = s->num_dst < TRACE_RESULTS ? room(t, WAVE_LANES) : TRACE_NONE;

   if (at == TRACE_NONE)
      return;
   if (values)
      memcpy(t->values + at, values, WAVE_LANES * sizeof(*values));
   else
      memset(t->values + at, 0, WAVE_LANES * sizeof(*values));
   if (!s->num_dst)
      s->results = at;
   s->dst[s->num_dst++] = (uint16_t)row;
}

static uint64_t
lanes_of(const struct exec *x, const struct uop *u)
{
   return x->lanes & (u->when == UOP_IF_PRED       ? x->pred
                      : u->when == UOP_UNLESS_PRED ? ~x->pred
                                                   : UINT64_MAX);
}

/* The register of each lane that an index names. */
static uint32_t
indexed_rows(struct trace *t, const struct exec *x, const struct uop *u)
{
   const uint32_t at = room(t, WAVE_LANES);

   for (unsigned lane = 0; lane < WAVE_LANES && at != TRACE_NONE; lane++) {
      const int64_t gpr =
         (int64_t)u->p.reg.gpr + (u->p.reg.by_loop ? x->loop_index : (int32_t)x->ar[lane]);

      t->values[at + lane] =
         gpr >= 0 && gpr < x->num_gprs ? (uint32_t)(4 * gpr) + u->p.reg.chan : TRACE_NONE;
   }
   return at;
}

static void
take_operand(struct trace_step *s, const struct exec *x, const struct uop_operand *v)
{
   if (v->kind == UOP_ROW)
      take(s, v->at / COMP_BYTES);
   else if (v->kind == UOP_UNIFORM && s->num_constants < 3)
      s->constant[s->num_constants++] = x->uni[v->at];
}

static void
before(struct trace *t, struct trace_wave *w, const struct exec *x, const struct uop *u,
       unsigned records)
{
   const struct uop_info *info = &uop_infos[u->op];
   struct trace_step *s =
      u->op == UOP_PART ? NULL : add(t, w, x->wave, u->op == UOP_LDS ? TRACE_STORE : TRACE_OP);

   if (!s)
      return;
   s->origin = u->origin;
   s->lds = u->op == UOP_LDS;
   s->lanes = lanes_of(x, u);
   for (unsigned r = 0; r < records; r++)
      for (unsigned n = 0; n < (u->op == UOP_LDS ? 1u : 3u); n++)
         take_operand(s, x, &u[r].src[n]);
   s->num_data = u->op == UOP_LDS ? 2 : 0;
   for (unsigned n = 0; n < s->num_data; n++)
      s->data[n] =
         u->src[n + 1].kind == UOP_ROW ? (uint16_t)(u->src[n + 1].at / COMP_BYTES) : TRACE_NOWHERE;
   if (u->when != UOP_ALWAYS)
      take(s, TRACE_PREDICATE);
   if (u->op == UOP_INTERP || u->op == UOP_INTERP_LOAD) {
      s->input = (uint16_t)(4 * u->p.interp.input + u->p.interp.comp + 1);
      s->num_src = 0;
   }
   if (u->op == UOP_GATHER || u->op == UOP_SCATTER) {
      s->rows = indexed_rows(t, x, u);
      s->gathers = u->op == UOP_GATHER;
      take(s, TRACE_ADDRESS);
   }
   if (u->op == UOP_LDS_HEAD && x->oq_count) {
      s->lanes = x->launch;
      take(s, TRACE_QUEUE + x->oq_head % 64 * 2 + u->p.queue.number);
   }
   if (u->op == UOP_BARRIER)
      w->barriers++;
   s->tests = info->effect == UOP_EFFECT_MASK;
   s->kills = s->tests && u->op >= UOP_KILLE && u->op <= UOP_KILLGE_UINT;
   s->branches = s->tests && !s->kills &&
                 (info->params == UOP_PARAMS_f64 ? u->p.f64.predicate.update_exec
                                                 : u->p.predicate.update_exec);
}

static void
after(struct trace *t, struct trace_step *s, const struct exec *x, const struct uop *u,
      unsigned records)
{
   const struct uop_info *info = &uop_infos[u->op];
   const unsigned writes = info->params == UOP_PARAMS_group ? u->p.group.writes
                           : info->params == UOP_PARAMS_f64 ? u->p.f64.writes
                           : records > 1                    ? 15u
                                                            : 1u;

   if (u->op == UOP_MOVA_INT)
      give(t, s, TRACE_ADDRESS, x->ar);
   if (s->tests)
      give(t, s, TRACE_PREDICATE, NULL);
   if (u->op == UOP_LDS && u->p.lds.returns && x->oq_count) {
      const uint32_t entry = TRACE_QUEUE + (x->oq_head + x->oq_count - 1) % 64 * 2;

      give(t, s, entry, x->oq[(x->oq_head + x->oq_count - 1) % 64][0]);
      give(t, s, entry + 1, x->oq[(x->oq_head + x->oq_count - 1) % 64][1]);
   }
   if (info->result != UOP_RESULT_F && info->result != UOP_RESULT_B)
      return;
   for (unsigned r = 0; r < records; r++)
      if (writes >> r & 1)
         give(t, s, u[r].dst / COMP_BYTES, (const uint32_t *)(const void *)(x->file + u[r].dst));
}

static void
micro(void *data, const struct exec *x, const struct uop_code *code, const struct uop *u, bool done)
{
   struct trace *t = data;
   struct trace_wave *w = x->wave->observed;
   const unsigned together = uop_infos[u->op].records > 1 ? 1 : u->length;
   const unsigned records = uop_infos[u->op].records > 1 ? u->length : 1;

   (void)code;
   if (!w || u->op == UOP_PART)
      return;
   if (!done)
      w->first_of_op = w->num_steps;
   for (unsigned n = 0; n < together; n++)
      if (!done)
         before(t, w, x, &u[n], records);
      else if (w->first_of_op + n < w->num_steps)
         after(t, &w->steps[w->first_of_op + n], x, &u[n], records);
}

/* ---- Fetches, exports and memory ---- */

static void
moved(void *data, const struct core_wave *wave, unsigned role, unsigned part, uint32_t row,
      uint64_t lanes)
{
   struct trace *t = data;
   struct trace_wave *w = wave->observed;
   struct trace_step *s = NULL;

   if (!w || row >= CORE_WAVE_ROWS)
      return;
   if (w->open != TRACE_NONE)
      s = &w->steps[w->open];
   switch (role) {
   case CORE_ROLE_INDEX:
      s = add(t, w, wave, TRACE_LOAD);
      if (!s)
         return;
      w->open = w->num_steps - 1;
      if (lanes)
         take(s, row);
      break;
   case CORE_ROLE_COORDINATE:
      if (s)
         take(s, row);
      break;
   case CORE_ROLE_LOADED:
      if (!s)
         break;
      s->lanes = lanes;
      give(t, s, row, wave->rows[row]);
      break;
   case CORE_ROLE_TARGET:
      s = add(t, w, wave, TRACE_STORE);
      if (!s)
         return;
      w->last_store = w->num_steps - 1;
      s->lanes = lanes;
      take(s, row);
      break;
   case CORE_ROLE_STORED:
      if (w->last_store == TRACE_NONE || w->last_store != w->num_steps - 1)
         break;
      s = &w->steps[w->last_store];
      if (s->num_data < TRACE_DATA)
         s->data[s->num_data++] = (uint16_t)row;
      break;
   default:
      s = add(t, w, wave, TRACE_EXPORT);
      if (!s)
         return;
      s->role = (uint8_t)role;
      s->part = (uint16_t)part;
      s->lanes = lanes;
      take(s, row);
      give(t, s, TRACE_NOWHERE, wave->rows[row]);
      break;
   }
}

/* The sampler that an instruction names, by its text: "t18, s0". */
static void
describe_sampler(const struct trace_program *p, struct trace_step *s, const struct td_views *views)
{
   const uint32_t line = p->listed ? listing_find(&p->listing, s->group) : LISTING_NONE;
   const char *at = line != LISTING_NONE ? strstr(p->listing.lines[line].text, ", s") : NULL;
   const struct sampler *sampler;
   struct sampler room;

   if (!at)
      return;
   sampler = views->ops->sampler(views, (uint32_t)strtoul(at + 3, NULL, 10), &room);
   s->has_sampler = sampler;
   if (sampler) {
      memcpy(s->wrap, sampler->wrap, sizeof(s->wrap));
      s->mag = sampler->mag;
      s->min = sampler->min;
      s->mip = sampler->mip;
   }
}

/* What a number of a texture or buffer stands for. */
static void
describe(struct trace *t, struct trace_wave *w, struct trace_step *s, const struct core_wave *wave,
         const struct core_access *a)
{
   const struct td_views *views = ((const struct sq_bind *)wave->bind)->views;
   struct texture room;
   const struct texture *texture;
   struct elements e;

   if (s->described || !views)
      return;
   s->described = true;
   s->number_of = a->number;
   if (a->memory == CORE_MEMORY_TEXTURE) {
      texture = views->ops->texture(views, a->number, false, &room);
      if (texture) {
         s->is_texture = true;
         s->va = texture->level[texture->base_level % TEXTURE_LEVELS].va;
         s->width = texture->width;
         s->height = texture->height;
         describe_sampler(&t->programs[w->program], s, views);
      }
   } else if (views->ops->buffer(views, a->number, &e)) {
      s->va = e.va;
      s->stride = e.stride;
   }
}

static void
accessed(void *data, const struct core_wave *wave, const struct core_access *a)
{
   struct trace *t = data;
   struct trace_wave *w = wave->observed;
   struct trace_step *s;
   uintptr_t host = (uintptr_t)a->host;
   const struct trace_access *last;
   struct trace_access *out;
   uint8_t part = 0;
   uint32_t n;

   if (!w || !w->num_steps || t->lost)
      return;
   n = w->open != TRACE_NONE ? w->open : w->num_steps - 1;
   /* Dwords of a ring: the exports that came last, one for all lanes, and then the next. */
   if (a->memory == CORE_MEMORY_RING) {
      if (w->ring_end != w->num_steps) {
         w->ring_end = w->ring_next = w->num_steps;
         while (w->ring_next && w->steps[w->ring_next - 1].role == CORE_ROLE_RING &&
                w->steps[w->ring_next - 1].group == wave->origin &&
                w->steps[w->ring_next - 1].kind == TRACE_EXPORT)
            w->ring_next--;
      } else if (a->lane <= w->ring_lane) {
         w->ring_next++;
      }
      w->ring_lane = a->lane;
      n = w->ring_next;
   }
   if (n >= w->num_steps)
      return;
   s = &w->steps[n];
   if (a->memory == CORE_MEMORY_TEXTURE || a->memory == CORE_MEMORY_BUFFER)
      describe(t, w, s, wave, a);
   if (a->memory == CORE_MEMORY_LDS && wave->group && wave->group->lds)
      host = (uintptr_t)wave->group->lds + a->address +
             (wave->group->lane_base ? wave->group->lane_base[a->lane] : 0);
   /* A lane's dwords come one after the other; the row that holds the value is it. */
   if (s->kind == TRACE_STORE && a->how == CORE_WRITES && a->bytes == 4) {
      last = t->num_writes ? &t->writes[t->num_writes - 1] : NULL;
      part = last && last->wave == w && last->step == n && last->lane == a->lane ? last->part : 0;
      while (part < s->num_data &&
             (s->data[part] >= CORE_WAVE_ROWS || wave->rows[s->data[part]][a->lane] != a->value))
         part++;
      part = part < s->num_data ? part + 1 : 0;
   }
   if (a->how & CORE_WRITES) {
      if (!grow(t, (void **)&t->writes, t->num_writes, &t->cap_writes, FIRST, sizeof(*out)))
         return;
      out = &t->writes[t->num_writes++];
   } else {
      if (!grow(t, (void **)&w->reads, w->num_reads, &w->cap_reads, FIRST_OF_WAVE, sizeof(*out)))
         return;
      out = &w->reads[w->num_reads++];
   }
   s->accesses = true;
   *out = (struct trace_access){
      .wave = w,
      .step = n,
      .number = s->number,
      .host = host,
      .address = a->address,
      .bytes = a->bytes,
      .lane = a->lane,
      .how = a->how,
      .memory = a->memory,
      .part = part,
      .value = a->value,
   };
}

/* ---- The trace ---- */

struct trace *
trace_create(void)
{
   struct trace *t = calloc(1, sizeof(*t));

   if (t)
      t->observer = (struct core_observer){
         .begins = begins,
         .ends = ends,
         .accessed = accessed,
         .micro = micro,
         .moved = moved,
         .data = t,
      };
   return t;
}

void
trace_destroy(struct trace *t)
{
   if (!t)
      return;
   for (uint32_t n = 0; n < t->num_waves; n++) {
      free(t->waves[n]->steps);
      free(t->waves[n]->visited);
      free(t->waves[n]->reads);
      free(t->waves[n]);
   }
   for (uint32_t n = 0; n < t->num_programs; n++)
      listing_finish(&t->programs[n].listing);
   free(t->waves);
   free(t->programs);
   free(t->values);
   free(t->writes);
   free(t);
}

void
trace_want(struct trace *t, uint32_t submission, uint32_t draw, uint32_t batch, uint32_t tile)
{
   if (t->num_wanted == TRACE_DRAWS)
      return;
   t->wanted[t->num_wanted].submission = submission;
   t->wanted[t->num_wanted].draw = draw;
   t->wanted[t->num_wanted].batch = batch;
   t->wanted[t->num_wanted++].tile = tile;
}

const struct core_observer *
trace_observer(const struct trace *t)
{
   return &t->observer;
}

bool
trace_lost(const struct trace *t)
{
   return t->lost;
}
