/* SPDX-License-Identifier: MIT */
/*
 * RUN_IDVS: a tiler's draws wait until a frame is rendered.
 *
 * The state that a tiler has for itself in its context holds a number: zero before its first draw,
 * then that of a list of draws, which are kept outside of the address space.  A group's lists are
 * so many, and have so many draws, as the limits say; where another is wanted, the oldest goes.
 */
#include "chip/mali/tiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/vm.h"

#define LISTS 64u
#define DRAWS 65536u /* of all lists */

#define TILER(name) mali_field(words, MALI_AT_TILER_CONTEXT_##name)
#define STATE_AT    (4 * (MALI_AT_TILER_CONTEXT_state >> 16))

struct mali_draws {
   struct mali_list lists[LISTS];
   uint64_t numbers; /* given out */
   uint32_t total;
};

struct mali_draws *
mali_draws_create(void)
{
   return calloc(1, sizeof(struct mali_draws));
}

void
mali_draws_destroy(struct mali_draws *draws)
{
   if (!draws)
      return;
   for (unsigned n = 0; n < LISTS; n++)
      free(draws->lists[n].draws);
   free(draws);
}

static struct mali_list *
find_number(struct mali_draws *draws, uint64_t number)
{
   for (unsigned n = 0; n < LISTS; n++)
      if (number && draws->lists[n].number == number)
         return &draws->lists[n];
   return NULL;
}

static void
drop(struct mali_draws *draws, struct mali_list *list)
{
   draws->total -= list->count;
   free(list->draws);
   *list = (struct mali_list){ 0 };
}

/* The oldest, or one that is free. */
static struct mali_list *
oldest(struct mali_draws *draws)
{
   struct mali_list *best = NULL;

   for (unsigned n = 0; n < LISTS; n++)
      if (!best || draws->lists[n].number < best->number)
         best = &draws->lists[n];
   return best;
}

static bool
add(struct mali_draws *draws, struct mali_list *list, const struct mali_draw *draw)
{
   while (draws->total >= DRAWS) {
      struct mali_list *old = NULL;

      for (unsigned n = 0; n < LISTS; n++) {
         struct mali_list *l = &draws->lists[n];

         if (l != list && l->count && (!old || l->number < old->number))
            old = l;
      }
      if (!old)
         return false;
      drop(draws, old);
   }
   if (list->count == list->room) {
      const uint32_t room = list->room ? 2 * list->room : 16;
      struct mali_draw *more = realloc(list->draws, room * sizeof(*more));

      if (!more)
         return false;
      list->draws = more;
      list->room = room;
   }
   list->draws[list->count++] = *draw;
   draws->total++;
   return true;
}

static bool
read_context(const struct mali_env *env, uint64_t tiler, uint32_t words[MALI_WORDS_TILER_CONTEXT])
{
   const uint64_t bytes = MALI_WORDS_TILER_CONTEXT * 4;

   if (vm_read(env->vm, tiler, words, bytes) != bytes)
      return false;
   if (env->trace)
      mali_print(stderr, MALI_TILER_CONTEXT, words);
   return true;
}

enum mali_result
mali_find_list(const struct mali_env *env, uint64_t tiler, const struct mali_list **list,
               const char **what)
{
   uint32_t words[MALI_WORDS_TILER_CONTEXT];

   *list = NULL;
   if (!tiler || !env->draws)
      return MALI_DONE;
   if (!read_context(env, tiler, words)) {
      *what = "the tiler's context is not mapped";
      return MALI_UNMAPPED;
   }
   *list = find_number(env->draws, TILER(state));
   if (*list || !TILER(state))
      return MALI_DONE;
   *what = "the draws of the frame's tiler are no longer there";
   return MALI_FAULT;
}

static enum mali_result
say(char text[MALI_TEXT], enum mali_result result, const char *what)
{
   snprintf(text, MALI_TEXT, "%s", what);
   return result;
}

enum mali_result
mali_idvs(const struct mali_env *env, uint64_t tiler, struct mali_draw *draw, char text[MALI_TEXT])
{
   uint32_t words[MALI_WORDS_TILER_CONTEXT];
   struct mali_list *list;

   if (!env->draws)
      return say(text, MALI_FAULT, "no memory");
   if (!read_context(env, tiler, words))
      return say(text, MALI_UNMAPPED, "the tiler's context is not mapped");
   if (TILER(layers))
      return say(text, MALI_MISSING, "layers");
   draw->first_provoking = TILER(first_provoking);
   list = find_number(env->draws, TILER(state));
   if (!list && TILER(state))
      return say(text, MALI_FAULT, "the tiler's state is none that it has left");
   if (!list) {
      list = oldest(env->draws);
      drop(env->draws, list);
      list->number = ++env->draws->numbers;
      if (vm_write(env->vm, tiler + STATE_AT, &list->number, sizeof(list->number)) !=
          sizeof(list->number))
         return say(text, MALI_UNMAPPED, "the tiler's context is not mapped");
   }
   return add(env->draws, list, draw) ? MALI_DONE
                                      : say(text, MALI_FAULT, "more draws than a tiler holds");
}
