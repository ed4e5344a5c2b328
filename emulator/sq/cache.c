/* SPDX-License-Identifier: MIT */
/*
 * The cache of lifted programs.  A hit is an equal address and equal words: memory that a client
 * rewrote in place gives a new program.
 *
 * Nobody says when a program is deleted: its memory is given back, and no draw names it again.  So
 * programs stay in the order of their last use, and those behind it go when all together hold more
 * than the limit.
 */
#include "sq/counts.h"
#include "sq/program.h"
#include "uop/native_map.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct entry {
   uint64_t va, fetch_va;
   enum sq_stage stage;
   uint32_t pgm_resources, pgm_resources_2;
   uint32_t *words, *fetch_words;
   struct sq_program *program;
   size_t bytes;                /* with all that it owns */
   struct entry *next;          /* of the bucket */
   struct entry *newer, *older; /* by last use */
};

#define BUCKETS    1024u
#define PAGE_BYTES 4096u

struct sq_cache {
   const struct kernels *kernels;
   bool interpret;               /* ATOLL_NATIVE=0 */
   struct sq_counting *counting; /* NULL: off */
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

/* What the program holds: machine code has pages of its own. */
static size_t
program_bytes(const struct program *p)
{
   const void *const owned[] = {
      p,          p->head.consts, p->head.tex,      p->head.vtx,
      p->cfs,     p->code.uops,   p->code.literals, p->bound.uops,
      p->fetches, p->clear,
   };
   size_t bytes = (p->bound.native_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;

   for (unsigned i = 0; i < sizeof(owned) / sizeof(*owned); i++)
      bytes += malloc_usable_size((void *)owned[i]);
   return bytes;
}

static void
unlink_use(struct sq_cache *cache, struct entry *e)
{
   *(e->newer ? &e->newer->older : &cache->newest) = e->older;
   *(e->older ? &e->older->newer : &cache->oldest) = e->newer;
}

static void
link_newest(struct sq_cache *cache, struct entry *e)
{
   e->newer = NULL;
   e->older = cache->newest;
   *(e->older ? &e->older->newer : &cache->oldest) = e;
   cache->newest = e;
}

static const struct sq_program *
use(struct sq_cache *cache, struct entry *e)
{
   if (cache->newest != e) {
      unlink_use(cache, e);
      link_newest(cache, e);
   }
   cache->last[e->stage & 7] = e;
   return e->program;
}

static void
free_entry(struct sq_cache *cache, struct entry *e)
{
   if (e->program)
      cache->kernels->sq_program_free(e->program);
   free(e->words);
   free(e->fetch_words);
   free(e);
}

struct sq_cache *
sq_cache_create(const struct kernels *kernels)
{
   struct sq_cache *cache = calloc(1, sizeof(*cache));
   if (cache) {
      cache->kernels = kernels;
      cache->interpret = !uop_native_wanted();
      cache->counting = sq_counting_open(getenv("ATOLL_COUNTS"));
   }
   return cache;
}

void
sq_cache_destroy(struct sq_cache *cache)
{
   if (!cache)
      return;
   for (unsigned b = 0; b < BUCKETS; b++) {
      for (struct entry *e = cache->buckets[b], *next; e; e = next) {
         next = e->next;
         free_entry(cache, e);
      }
   }
   sq_counting_close(cache->counting);
   free(cache);
}

static bool
same_words(const uint32_t *have, uint32_t used, const uint32_t *words, size_t num_words)
{
   return used <= num_words && (used == 0 || memcmp(have, words, used * sizeof(*words)) == 0);
}

static bool
matches(const struct entry *e, uint64_t va, uint64_t fetch_va, const struct sq_program_source *s)
{
   return e->va == va && e->fetch_va == fetch_va && e->stage == s->stage &&
          e->pgm_resources == s->pgm_resources && e->pgm_resources_2 == s->pgm_resources_2 &&
          (e->fetch_words != NULL) == (s->fetch_words != NULL) &&
          same_words(e->words, e->program->core.words_used, s->words, s->num_words) &&
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

const struct sq_program *
sq_cache_get(struct sq_cache *cache, uint64_t va, uint64_t fetch_va,
             const struct sq_program_source *source)
{
   struct entry *last = cache->last[source->stage & 7];
   if (last && matches(last, va, fetch_va, source))
      return use(cache, last);
   unsigned bucket = bucket_of(va, fetch_va);
   for (struct entry *e = cache->buckets[bucket]; e; e = e->next)
      if (matches(e, va, fetch_va, source))
         return use(cache, e);

   struct entry *e = calloc(1, sizeof(*e));
   if (!e)
      return NULL;
   e->va = va;
   e->fetch_va = fetch_va;
   e->stage = source->stage;
   e->pgm_resources = source->pgm_resources;
   e->pgm_resources_2 = source->pgm_resources_2;
   struct sq_program_source made = *source;
   made.interpret |= cache->interpret;
   e->program = cache->kernels->sq_lift(&made);
   if (e->program) {
      e->words = copy_words(source->words, e->program->core.words_used);
      if (source->fetch_words)
         e->fetch_words = copy_words(source->fetch_words, e->program->fetch_words_used);
   }
   if (e->program && cache->counting) {
      e->program->counts = sq_counting_of(cache->counting, source, e->program);
      e->program->core.counted = e->program->counts != NULL;
   }
   if (!e->program || !e->words || (source->fetch_words && !e->fetch_words)) {
      free_entry(cache, e);
      return NULL;
   }
   e->bytes = malloc_usable_size(e) + malloc_usable_size(e->words) +
              malloc_usable_size(e->fetch_words) + program_bytes((struct program *)e->program);
   cache->bytes += e->bytes;
   e->next = cache->buckets[bucket];
   cache->buckets[bucket] = e;
   link_newest(cache, e);
   cache->last[e->stage & 7] = e;
   return e->program;
}

size_t
sq_cache_bytes(const struct sq_cache *cache)
{
   return cache->bytes;
}

void
sq_cache_trim(struct sq_cache *cache, size_t limit)
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
