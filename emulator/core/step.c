/* SPDX-License-Identifier: MIT */
/*
 * Waves under observers, and engines that are checked (step.h).
 */
#include "core/step.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rings.h"
#include "options.h"

/* ------------------------------------------------------------------------------------------------
 * Observers
 */

static void *
new_state(struct core_wave *wave)
{
   const size_t bytes = (wave->bind->program->engine->state_bytes + 63) & ~(size_t)63;
   void *state = aligned_alloc(64, bytes);

   if (!state) {
      wave->faulted = true;
      wave->fault = "no memory";
   }
   return state;
}

bool
core_start_observed(void *state, struct core_wave *wave)
{
   const struct core_observer *observer = wave->bind->observer;

   if (!core_start(state, wave))
      return false;
   if (observer && observer->begins)
      observer->begins(observer->data, wave);
   return true;
}

static enum core_stop
resume_watched(void *state, struct core_wave *wave, const struct core_observer *observer)
{
   enum core_stop stop;

   while ((stop = core_resume(state, wave, observer)) == CORE_STOPPED)
      if (observer->stopped)
         observer->stopped(observer->data, wave, state);
   if (observer->ends && (stop == CORE_DONE || stop == CORE_FAULT))
      observer->ends(observer->data, wave);
   return stop;
}

enum core_stop
core_resume_observed(void *state, struct core_wave *wave)
{
   return resume_watched(state, wave, wave->bind->observer);
}

/* To its end: its group has nobody else, and what a global barrier waits for does not run. */
static void
run_alone(struct core_wave *wave, const struct core_observer *observer)
{
   void *state = new_state(wave);
   enum core_stop stop = CORE_BARRIER;

   /* What an engine kept of the wave before is not of this one. */
   if (wave->kept)
      wave->kept->ready = false;
   if (state && core_start_observed(state, wave))
      while (stop == CORE_BARRIER)
         stop = resume_watched(state, wave, observer);
   if (stop == CORE_WAITING) {
      if (observer->ends)
         observer->ends(observer->data, wave);
      wave->faulted = true;
      wave->fault = CORE_WAITS_ALONE;
   }
   free(state);
}

void
core_run_observed(struct core_wave *wave)
{
   run_alone(wave, wave->bind->observer);
}

static void
name_part(struct core_seen *seen, const char *name)
{
   memset(seen, 0, sizeof(*seen));
   memcpy(seen->name, name, strnlen(name, sizeof(seen->name) - 1));
}

const char *
core_memory_name(unsigned memory)
{
#define X(name) #name,
   static const char *const names[] = { CORE_MEMORIES(X) };
#undef X

   return memory < CORE_MEMORY_COUNT ? names[memory] : "?";
}

void
core_seen_row(struct core_seen *seen, const char *name, const uint32_t *row)
{
   name_part(seen, name);
   seen->kind = CORE_SEEN_ROW;
   seen->row = row;
}

void
core_seen_mask(struct core_seen *seen, const char *name, uint64_t mask)
{
   name_part(seen, name);
   seen->kind = CORE_SEEN_MASK;
   seen->mask = mask;
}

void
core_seen_value(struct core_seen *seen, const char *name, uint32_t value)
{
   name_part(seen, name);
   seen->kind = CORE_SEEN_CONSTANT;
   seen->value = value;
}

/* ------------------------------------------------------------------------------------------------
 * What a wave left, in one number
 */

static uint64_t
mix(uint64_t hash, uint64_t value)
{
   hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
   return hash ^ hash >> 29;
}

/* Values of lanes; others hold anything. */
static uint64_t
mix_row(uint64_t hash, const uint32_t *row, uint64_t lanes)
{
   for (; lanes; lanes &= lanes - 1)
      hash = mix(hash, row[__builtin_ctzll(lanes)]);
   return hash;
}

static uint64_t
mix_rows(uint64_t hash, const wave_lane row[4], unsigned components, uint64_t lanes)
{
   for (unsigned c = 0; c < 4; c++)
      if (components >> c & 1)
         hash = mix_row(hash, row[c], lanes);
   return hash;
}

static uint64_t
mix_pixels(uint64_t hash, const struct core_outputs *e, uint64_t lanes)
{
   for (unsigned n = 0; n < 8; n++)
      for (unsigned c = 0; c < 4; c++)
         if (e->mrt_written >> n & 1 && e->component_mask[n] >> c & 1)
            hash = mix_row(hash, core_color(e, n, c), lanes);
   if (e->z_written)
      hash = mix_rows(hash, e->z, e->component_mask[8], lanes);
   return mix(mix(hash, e->lanes & lanes), e->mrt_written);
}

static uint64_t
mix_vertices(uint64_t hash, const struct core_outputs *e, uint64_t lanes)
{
   for (unsigned n = 0; n < 4; n++)
      if (e->pos_written >> n & 1)
         hash = mix_rows(hash, e->pos[n], 15, lanes);
   for (unsigned n = 0; n < 32; n++)
      if (e->param_written >> n & 1)
         hash = mix_rows(hash, e->param[n], 15, lanes);
   return mix(mix(hash, e->pos_written), e->param_written);
}

static uint64_t
left_by(const struct core_wave *wave)
{
   const uint64_t lanes = wave->active;
   uint64_t hash = mix(mix(0, wave->valid & lanes), wave->faulted);

   if (wave->faulted)
      return hash;
   hash = mix(hash, wave->cycles);
   if (wave->outputs && wave->identity.stage == CORE_PIXEL)
      hash = mix_pixels(hash, wave->outputs, lanes & wave->valid & wave->outputs->lanes);
   else if (wave->outputs && wave->identity.stage != CORE_COMPUTE)
      hash = mix_vertices(hash, wave->outputs, lanes);
   /* Of waves of other stages, rings count nothing. */
   const bool emits = wave->rings && wave->identity.stage == CORE_GEOMETRY;
   for (unsigned n = 0; emits && n < CORE_STREAMS; n++)
      hash = mix_row(hash, wave->rings->emitted[n], lanes);
   return hash;
}

/* ------------------------------------------------------------------------------------------------
 * Engines that are checked
 */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool wanted, steps;
static FILE *waves;

static void
read_options(void)
{
   const char *name = getenv("ATOLL_WAVES");

   steps = options_flag("ATOLL_STEP");
   waves = name && *name ? fopen(name, "ae") : NULL;
   wanted = steps || waves;
}

void
core_set_engine(struct core_program *program, const struct core_engine *engine,
                const struct core_engine *checked)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, read_options);
   program->engine = wanted ? checked : engine;
   if (!waves)
      return;
   pthread_mutex_lock(&lock);
   fprintf(waves, "program %s words %" PRIu32 " %s\n", engine->name, program->words_used,
           program->error ? program->error : "lifted");
   fflush(waves);
   pthread_mutex_unlock(&lock);
}

/* A line: the wave's name, its program, what it left, and how often it stopped. */
static void
tell(const struct core_wave *wave, uint64_t stops)
{
   const struct core_identity *id = &wave->identity;
   const struct core_program *program = wave->bind->program;

   if (!waves)
      return;
   pthread_mutex_lock(&lock);
   fprintf(waves,
           "%s %" PRIu32 ".%" PRIu32 ".%" PRIu32 ".%u.%" PRIu32 ".%" PRIu32 " words %" PRIu32
           " lanes %016" PRIx64 " %s %016" PRIx64 " stops %" PRIu64 "\n",
           program->engine->name, id->submission, id->draw, id->round, id->stage, id->part,
           id->wave, program->words_used, wave->active, wave->faulted ? wave->fault : "left",
           left_by(wave), stops);
   fflush(waves);
   pthread_mutex_unlock(&lock);
}

static bool
stops_always(void *data, const struct core_wave *wave, uint32_t origin)
{
   (void)data;
   (void)wave;
   (void)origin;
   return true;
}

static const struct core_observer always = { .stops = stops_always };

/* What memory holds after what was there has moved. */
#define POISON 0xdb

/* What precedes the state of a wave. */
struct head {
   uint64_t stops;
};
_Static_assert(sizeof(struct head) <= CORE_STEP_HEAD, "there is no room for the head");

static void *
inner_state(const void *state)
{
   return (uint8_t *)(uintptr_t)state + CORE_STEP_HEAD;
}

static const struct core_engine *
inner(const struct core_wave *wave)
{
   return wave->bind->program->engine->inner;
}

bool
core_step_start(void *state, struct core_wave *wave)
{
   struct head *head = state;

   head->stops = 0;
   if (inner(wave)->start(inner_state(state), wave))
      return true;
   tell(wave, 0);
   return false;
}

enum core_stop
core_step_resume(void *state, struct core_wave *wave, const struct core_observer *until)
{
   struct head *head = state;
   enum core_stop stop;

   do {
      stop = inner(wave)->resume(inner_state(state), wave, until || !steps ? until : &always);
      head->stops += stop == CORE_STOPPED;
   } while (stop == CORE_STOPPED && !until);
   if (stop == CORE_DONE || stop == CORE_FAULT)
      tell(wave, head->stops);
   return stop;
}

bool
core_step_look(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
{
   return inner(wave)->look(inner_state(state), wave, n, seen);
}

/* A wave at full speed.  What the engine kept of the one before is moved first: it may hold no
 * address of where it was. */
static void
run_moved(struct core_wave *wave)
{
   static _Thread_local unsigned number;
   struct core_kept *const own = wave->kept;
   struct core_kept *memory = own ? aligned_alloc(64, 2 * sizeof(*memory)) : NULL;

   if (!memory) {
      inner(wave)->run(wave);
      return;
   }
   /* Never where it was written. */
   wave->kept = &memory[number++ % 2];
   *wave->kept = *own;
   memset(own->state, POISON, sizeof(own->state));
   inner(wave)->run(wave);
   *own = *wave->kept;
   memset(memory, POISON, 2 * sizeof(*memory));
   wave->kept = own;
   free(memory);
}

void
core_step_run(struct core_wave *wave)
{
   if (!steps) {
      run_moved(wave);
      tell(wave, 0);
      return;
   }

   run_alone(wave, &always);
   if (wave->faulted && wave->fault && !strcmp(wave->fault, CORE_WAITS_ALONE))
      tell(wave, 1);
}
