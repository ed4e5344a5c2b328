/* SPDX-License-Identifier: MIT */
/* The cache of lifted programs; see cache.h. */
#include "core/cache.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct entry {
   uint64_t va, fetch_va;
   unsigned stage;
   uint32_t state[CORE_SOURCE_STATE];
   uint32_t *words, *fetch_words;
   struct core_program *program;
   size_t bytes;                /* with all that it owns */
   struct entry *next;          /* of the bucket */
   struct entry *newer, *older; /* by last use */
};

#define BUCKETS 1024u

struct core_cache {
   const struct core_lifter *lifter;
   void *context;
   struct entry *buckets[BUCKETS];
   size_t bytes;
   struct entry *newest, *oldest;
   struct entry *last[8]; /* of each stage: what a draw most often wants */
};

static unsigned
bucket_of(uint64_t va, uint64_t fetch_va)
{
   uint64_t h = (va >> 8) * 0x9e3779b97f4a7c15ull ^ (fetch_va >> 8) * 0xc2b2ae3d27d4eb4full;
   return (unsigned)(h >> 40) % BUCKETS;
}

static void
unlink_use(struct core_cache *cache, struct entry *e)
{
   *(e->newer ? &e->newer->older : &cache->newest) = e->older;
   *(e->older ? &e->older->newer : &cache->oldest) = e->newer;
}

static void
link_newest(struct core_cache *cache, struct entry *e)
{
   e->newer = NULL;
   e->older = cache->newest;
   *(e->older ? &e->older->newer : &cache->oldest) = e;
   cache->newest = e;
}

static const struct core_program *
use(struct core_cache *cache, struct entry *e)
{
   if (cache->newest != e) {
      unlink_use(cache, e);
      link_newest(cache, e);
   }
   cache->last[e->stage & 7] = e;
   return e->program;
}

static void
free_entry(struct core_cache *cache, struct entry *e)
{
   if (e->program)
      cache->lifter->free(cache->context, e->program);
   free(e->words);
   free(e->fetch_words);
   free(e);
}

struct core_cache *
core_cache_create(const struct core_lifter *lifter, void *context)
{
   struct core_cache *cache = calloc(1, sizeof(*cache));
   if (cache) {
      cache->lifter = lifter;
      cache->context = context;
   } else if (lifter->close) {
      lifter->close(context);
   }
   return cache;
}

void
core_cache_destroy(struct core_cache *cache)
{
   if (!cache)
      return;
   for (unsigned b = 0; b < BUCKETS; b++) {
      for (struct entry *e = cache->buckets[b], *next; e; e = next) {
         next = e->next;
         free_entry(cache, e);
      }
   }
   if (cache->lifter->close)
      cache->lifter->close(cache->context);
   free(cache);
}

static bool
same_words(const uint32_t *have, uint32_t used, const uint32_t *words, size_t num_words)
{
   return used <= num_words && (used == 0 || memcmp(have, words, used * sizeof(*words)) == 0);
}

static bool
matches(const struct entry *e, const struct core_source *s)
{
   return e->va == s->va && e->fetch_va == s->fetch_va && e->stage == s->stage &&
          memcmp(e->state, s->state, sizeof(e->state)) == 0 &&
          (e->fetch_words != NULL) == (s->fetch_words != NULL) &&
          same_words(e->words, e->program->words_used, s->words, s->num_words) &&
          same_words(e->fetch_words, e->program->fetch_words_used, s->fetch_words,
                     s->num_fetch_words);
}

static uint32_t *
copy_words(const uint32_t *words, uint32_t count)
{
   uint32_t *copy = malloc(count ? count * sizeof(*copy) : 1);
   if (copy && count)
      memcpy(copy, words, count * sizeof(*copy));
   return copy;
}

const struct core_program *
core_cache_get(struct core_cache *cache, const struct core_source *source)
{
   struct entry *last = cache->last[source->stage & 7];
   if (last && matches(last, source))
      return use(cache, last);
   unsigned bucket = bucket_of(source->va, source->fetch_va);
   for (struct entry *e = cache->buckets[bucket]; e; e = e->next)
      if (matches(e, source))
         return use(cache, e);

   struct entry *e = calloc(1, sizeof(*e));
   if (!e)
      return NULL;
   e->va = source->va;
   e->fetch_va = source->fetch_va;
   e->stage = source->stage;
   memcpy(e->state, source->state, sizeof(e->state));
   e->program = cache->lifter->lift(cache->context, source);
   if (e->program) {
      e->program->va = source->va;
      e->words = copy_words(source->words, e->program->words_used);
      if (source->fetch_words)
         e->fetch_words = copy_words(source->fetch_words, e->program->fetch_words_used);
   }
   if (!e->program || !e->words || (source->fetch_words && !e->fetch_words)) {
      free_entry(cache, e);
      return NULL;
   }
   e->bytes = malloc_usable_size(e) + malloc_usable_size(e->words) +
              malloc_usable_size(e->fetch_words) + cache->lifter->bytes(e->program);
   cache->bytes += e->bytes;
   e->next = cache->buckets[bucket];
   cache->buckets[bucket] = e;
   link_newest(cache, e);
   cache->last[e->stage & 7] = e;
   return e->program;
}

size_t
core_cache_bytes(const struct core_cache *cache)
{
   return cache->bytes;
}

void
core_cache_trim(struct core_cache *cache, size_t limit)
{
   for (struct entry *e = cache->oldest, *newer; e && cache->bytes > limit; e = newer) {
      struct entry **p = &cache->buckets[bucket_of(e->va, e->fetch_va)];

      newer = e->newer;
      if (cache->last[e->stage & 7] == e)
         continue;
      while (*p != e)
         p = &(*p)->next;
      *p = e->next;
      unlink_use(cache, e);
      cache->bytes -= e->bytes;
      free_entry(cache, e);
   }
}
