/* SPDX-License-Identifier: MIT */
/*
 * atoll-replay: runs a capture (play.h), and compares the hash of memory after each submission with
 * the captured one; or runs it many times, changed at random, which the device must survive; or
 * makes it smaller (reduce.h).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "notes.h"
#include "pass/next_draw.h"
#include "pass/pass.h"
#include "pass/probe.h"
#include "pixel.h"
#include "play.h"
#include "port/worker.h"
#include "radeon/radeon.h"
#include "reduce.h"

enum { PNG, COUNTERS, NOTES, MUTATE, SEED, REDUCE, KEEP, TRIALS, MEMORY };

static const struct tool_option options[] = {
   [PNG] = { "png", 'p', "S.N[.T]:FILE", NULL,
             "run it up to draw N of submission S, and write its colour target T (the first) as "
             "PNG; T is z for depth" },
   [COUNTERS] = { "counters", 'c', NULL, NULL, "print what the device counted, at the end" },
   [NOTES] = { "notes", 0, NULL, NULL,
               "print markers, and the notes of programs where they first come" },
   [MUTATE] = { "mutate", 'm', "ROUNDS", NULL,
                "run it so many times, each time changed at random; 0: once, unchanged" },
   [SEED] = { "seed", 's', "N", NULL,
              "with --mutate: the first round's changes, the next round's are N + 1 (1)" },
   [REDUCE] = { "reduce", 'r', "OUT", NULL,
                "write what of it is needed to keep what --keep says to a file" },
   [KEEP] = { "keep", 'k', "WHAT", NULL,
              "pixel=X,Y[,SURFACE][:VALUE], fault[=TEXT], crash, different=NAME=VALUE,... or "
              "command=COMMAND; up to 8 times" },
   [TRIALS] = { "trials", 0, "N", NULL, "with --reduce: at most so many trials (20000)" },
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
      "each submission with the captured one; or writes what a draw drew as a picture; or makes "
      "it\n"
      "smaller; or runs it changed at random.  FILE is - for standard input.",
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

static void
print_counters(const struct play *p)
{
   const struct gfx_counters *c = gfx_counters(radeon_of(p->device)->gfx);

#define ONE(name) printf("%-18s %" PRIu64 "\n", #name, c->name);
#define FOUR(name)                                                                      \
   printf("%-18s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", #name, c->name[0], \
          c->name[1], c->name[2], c->name[3]);
   GFX_COUNTERS(ONE, FOUR)
#undef ONE
#undef FOUR
}

/* ---- A draw's picture ---- */

struct picture {
   bool asked, any_target, depth;
   uint32_t submission, draw, target;
   const char *file;

   struct play *play;
   struct probe probe;
   bool found;
   int code;
};

/* "S.N:FILE", "S.N.T:FILE" or "S.N.z:FILE". */
static bool
read_picture(const char *text, struct picture *p)
{
   int length = 0;

   p->asked = p->any_target = true;
   if (sscanf(text, "%9" SCNu32 ".%9" SCNu32 "%n", &p->submission, &p->draw, &length) < 2)
      return false;
   text += length;
   if (text[0] == '.' && text[1] == 'z') {
      p->depth = true;
      text += 2;
   } else if (*text == '.') {
      if (text[1] < '0' || text[1] > '7')
         return false;
      p->target = (uint32_t)(text[1] - '0');
      p->any_target = false;
      text += 2;
   }
   p->file = text + 1;
   return text[0] == ':' && text[1];
}

/* Once the draw has come, and before what comes next: it is drawn, and nothing after it is. */
static void
look(struct picture *p)
{
   struct gfx *gfx = radeon_of(p->play->device)->gfx;
   const struct probe_draw *d = p->probe.num_draws ? &p->probe.draws[p->probe.num_draws - 1] : NULL;
   const struct atoll_client *client;

   if (p->found || !d || d->submission != p->submission || d->number != p->draw)
      return;
   gfx_flush(gfx);
   for (unsigned t = 0; p->any_target && t < CB_TARGETS; t++)
      if (d->color[t].host) {
         p->target = t;
         break;
      }
   client = play_client(p->play, d->client);
   p->found = true;
   p->code = pixel_write(p->play->tool, p->file, client->vm, d, p->target, p->depth);
   p->play->quit = true;
   gfx_abandon(gfx);
}

static void
look_at_packet(void *data, uint32_t submission, uint32_t at, const uint32_t *words)
{
   (void)submission;
   (void)at;
   (void)words;
   look(data);
}

static void
begin_submission(struct play *play, uint64_t client)
{
   struct picture *p = play->data;

   p->probe.client = client;
}

static void
look_after(struct play *play, uint64_t client, uint64_t hash, uint64_t captured)
{
   (void)client;
   (void)hash;
   (void)captured;
   look(play->data);
}

static int
play_picture(struct play *play, struct picture *p)
{
   struct gfx *gfx = radeon_of(play->device)->gfx;
   bool ok;

   p->play = play;
   p->probe.packet = look_at_packet;
   p->probe.data = p;
   play->data = p;
   play->submits = begin_submission;
   play->hashed = look_after;
   gfx_set_probe(gfx, &p->probe);
   ok = play_run(play);
   gfx_set_probe(gfx, NULL);
   probe_finish(&p->probe);
   if (!ok || p->found)
      return ok ? p->code : TOOL_REFUSED;
   tool_error(play->file, 0, 0, "the capture has no draw %u.%u", p->submission, p->draw);
   return TOOL_REFUSED;
}

/* ---- Notes ---- */

struct noting {
   struct play *play;
   struct probe probe;
   uint64_t vain;  /* as of notes_next() */
   uint64_t *seen; /* the addresses of programs */
   size_t num_seen;
};

static bool
is_new(struct noting *n, uint64_t va)
{
   uint64_t *grown;

   for (size_t k = 0; k < n->num_seen; k++)
      if (n->seen[k] == va)
         return false;
   grown = realloc(n->seen, (n->num_seen + 1) * sizeof(*grown));
   if (!grown)
      return false;
   n->seen = grown;
   n->seen[n->num_seen++] = va;
   return true;
}

static void
print_notes(const struct notes *notes, uint64_t va)
{
   printf("program 0x%" PRIx64 "\n", va);
   for (unsigned kind = 0; notes_name(kind); kind++)
      if (notes->text[kind])
         printf("--- %s\n%s\n", notes_name(kind), notes->text[kind]);
}

/* Before a submission: the programs that lie in the client's memory. */
static void
note_programs(struct play *p, uint64_t client)
{
   struct noting *n = p->data;
   const struct atoll_client *c = play_client(p, client);
   uint64_t size = 0;

   n->probe.client = client;
   for (uint64_t at = 0; c && play_buffer_after(p, client, &at, &size); at += size) {
      struct notes notes;
      uint64_t next;

      for (uint64_t va = at; notes_next(&notes, c->vm, &va, at + size, &next, &n->vain);
           va = next) {
         if (is_new(n, va))
            print_notes(&notes, va);
         notes_finish(&notes);
      }
   }
}

static void
note_marker(void *data, uint32_t submission, uint32_t at, const uint32_t *words)
{
   const struct noting *n = data;
   char text[1024];
   uint32_t of;
   const uint32_t draw = gfx_next_draw(radeon_of(n->play->device)->gfx, &of);

   if (notes_marker(words, text, sizeof(text)))
      printf("marker at dword %u of submission %u, before draw %u: %s\n", at, submission, draw,
             text);
}

static int
play_notes(struct play *play)
{
   struct gfx *gfx = radeon_of(play->device)->gfx;
   struct noting n = { .play = play, .probe = { .packet = note_marker } };
   bool ok;

   n.probe.data = &n;
   play->data = &n;
   play->submits = note_programs;
   play_describe(play);
   gfx_set_probe(gfx, &n.probe);
   ok = play_run(play);
   gfx_set_probe(gfx, NULL);
   probe_finish(&n.probe);
   free(n.seen);
   return ok ? TOOL_OK : TOOL_REFUSED;
}

/* ---- The command line ---- */

/* What it asks for. */
struct request {
   uint32_t rounds, seed, memory, trials;
   bool counters, notes;
   const char *reduced;
   struct picture picture;
   struct keep_trials keep;
};

/* The number that an option has. */
static uint32_t *
number_of(struct request *r, int option)
{
   return option == MUTATE   ? &r->rounds
          : option == SEED   ? &r->seed
          : option == TRIALS ? &r->trials
                             : &r->memory;
}

/* An option with its value; TOOL_ARG_END, or an exit code. */
static int
read_option(struct request *r, int option, const char *value)
{
   switch (option) {
   case COUNTERS:
      r->counters = true;
      return TOOL_ARG_END;
   case NOTES:
      r->notes = true;
      return TOOL_ARG_END;
   case PNG:
      if (read_picture(value, &r->picture))
         return TOOL_ARG_END;
      return tool_usage(&tool, "--png=%s: %s expected", value, options[PNG].value);
   case REDUCE:
      r->reduced = value;
      return TOOL_ARG_END;
   case KEEP:
      if (r->keep.count == KEEP_MAX)
         return tool_usage(&tool, "--keep: no more than %u", KEEP_MAX);
      if (keep_read(value, &r->keep.keeps[r->keep.count++]))
         return TOOL_ARG_END;
      return tool_usage(&tool,
                        "--keep=%s: pixel=X,Y[,SURFACE][:VALUE], fault[=TEXT], crash, "
                        "different=NAME=VALUE,... or command=COMMAND expected",
                        value);
   default:
      return tool_number(&tool, options[option].name, value, UINT32_MAX, number_of(r, option))
                ? TOOL_ARG_END
                : TOOL_USAGE;
   }
}

/* Reads the command line; TOOL_ARG_END, or an exit code. */
static int
read_options(struct tool_args *args, struct request *r)
{
   int option, code;

   while ((option = tool_next(args)) != TOOL_ARG_END) {
      if (option == TOOL_ARG_EXIT)
         return args->exit_code;
      code = read_option(r, option, args->value);
      if (code != TOOL_ARG_END)
         return code;
   }
   if (!args->input)
      return tool_usage(&tool, "no input file");
   if (r->rounds && (r->counters || r->notes || r->picture.asked))
      return tool_usage(&tool, "what is changed at random has no picture and counts nothing");
   if (r->reduced ? !r->keep.count : r->keep.count)
      return tool_usage(&tool, "--reduce and --keep go together");
   if (r->reduced && (r->rounds || r->counters || r->notes || r->picture.asked))
      return tool_usage(&tool, "--reduce does nothing else");
   return TOOL_ARG_END;
}

/* Runs the capture as it is asked for; an exit code. */
static int
play(struct play *p, struct request *r)
{
   int code = play_device(p);

   if (!code)
      code = r->rounds          ? play_rounds(p, r->rounds, r->seed)
             : r->picture.asked ? play_picture(p, &r->picture)
             : r->notes         ? play_notes(p)
                                : play_once(p);
   if (r->counters && p->device)
      print_counters(p);
   return code;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   struct request r = { .seed = 1, .trials = 20000 };
   struct tool_file file;
   struct play p;
   int code = read_options(&args, &r);

   if (code != TOOL_ARG_END)
      return code;
   code = play_read(&tool, args.input, &file);
   if (code)
      return code;
   /* Accidents are common here; none of them should take a minute. */
   if (r.rounds)
      setenv("ATOLL_BUDGET", "10000000c", 0);
   r.keep.play = &p;
   code = play_load(&p, &tool, &file, r.memory);
   if (!code)
      code = r.reduced ? reduce(&r.keep, r.trials, r.reduced) : play(&p, &r);
   play_close(&p);
   free(file.data);
   return code;
}
