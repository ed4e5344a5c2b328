/* SPDX-License-Identifier: MIT */
/*
 * atoll-replay: runs a capture (play.h), and compares the hash of memory after each submission with
 * the captured one; or runs it many times, changed at random, which the device must survive.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "play.h"

enum { MUTATE, SEED, MEMORY };

static const struct tool_option options[] = {
   [MUTATE] = { "mutate", 'm', "ROUNDS", NULL,
                "run it so many times, each time changed at random; 0: once, unchanged" },
   [SEED] = { "seed", 's', "N", NULL,
              "with --mutate: the first round's changes, the next round's are N + 1 (1)" },
   [MEMORY] = { "memory", 0, "MIB", NULL,
                "what its buffers may have together (1024, and 64 times the file)" },
   TOOL_COMMON_OPTIONS,
};

/* Beside those of all tools. */
#define EXIT_DIFFERS 4

static const struct tool tool = {
   .name = "atoll-replay",
   .usage = "[OPTION...] FILE",
   .summary =
      "Runs a capture (atoll run --capture FILE writes one) and compares the hash of memory after\n"
      "each submission with the captured one; or runs it changed at random.  FILE is - for\n"
      "standard input.",
   .options = options,
   .exit_codes = "4 a hash differs",
};

struct result {
   uint64_t submissions, wrong;
   uint32_t frame;
};

/* Changed at random, so many times; an exit code. */
static int
play_rounds(struct play *p, uint32_t rounds, uint32_t seed)
{
   for (uint64_t round = 0; round < rounds; round++) {
      p->random = (seed + round) * UINT64_C(0x9e3779b97f4a7c15) | 1;
      if (!play_run(p))
         return TOOL_REFUSED;
   }
   printf("%u rounds survived\n", rounds);
   return TOOL_OK;
}

static void
count_hash(struct play *p, uint64_t client, uint64_t hash, uint64_t captured)
{
   struct result *result = p->data;

   result->submissions++;
   result->wrong += hash != captured;
   if (!p->random && p->frame != result->frame)
      printf("frame %u\n", p->frame);
   result->frame = p->frame;
   if (!p->random)
      printf("%6" PRIu64 " client %" PRIu64 " %016" PRIx64 "%s\n", result->submissions, client,
             hash, hash == captured ? "" : " differs");
}

static int
play_once(struct play *p)
{
   struct result result = { 0 };
   bool ok;

   play_describe(p);
   p->hashed = count_hash;
   p->data = &result;
   ok = play_run(p);
   printf("%" PRIu64 " submissions, %" PRIu64 " differ\n", result.submissions, result.wrong);
   return !ok ? TOOL_REFUSED : result.wrong ? EXIT_DIFFERS : TOOL_OK;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   uint32_t rounds = 0, seed = 1, memory = 0;
   struct tool_file file;
   struct play p;
   int option, code;

   while ((option = tool_next(&args)) != TOOL_ARG_END) {
      if (option == TOOL_ARG_EXIT)
         return args.exit_code;
      if (!tool_number(&tool, options[option].name, args.value, UINT32_MAX,
                       option == MUTATE ? &rounds
                       : option == SEED ? &seed
                                        : &memory))
         return TOOL_USAGE;
   }
   if (!args.input)
      return tool_usage(&tool, "no input file");
   code = play_read(&tool, args.input, &file);
   if (code)
      return code;
   /* Accidents are common here; none of them should take a minute. */
   if (rounds)
      setenv("ATOLL_BUDGET", "10000000c", 0);
   code = play_open(&p, &tool, &file, memory);
   if (!code)
      code = rounds ? play_rounds(&p, rounds, seed) : play_once(&p);
   play_close(&p);
   free(file.data);
   return code;
}
