/* SPDX-License-Identifier: MIT */
/* See debugger.h.  A command that goes on sets a goal; each packet and each instruction asks
 * whether it is one to stop at. */
#include "debugger.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <atoll/cayman/pm4.h>

#include "pass/pass.h"
#include "pass/probe.h"
#include "radeon/radeon.h"

#define MAX_BREAKS 64u
#define MAX_WORDS  8u

enum break_kind {
   BREAK_DRAW,
   BREAK_STAGE,
   BREAK_WAVE,
   BREAK_PIXEL,
   BREAK_AT,
   BREAK_PACKET,
   BREAK_ACCESS
};

struct breakpoint {
   bool used;
   uint8_t kind;  /* enum break_kind */
   char text[96]; /* as it was given */
   bool any_draw; /* else the draw */
   uint32_t submission, draw;
   uint8_t stage; /* enum core_stage; CORE_STAGES: any */
   uint32_t part, wave;
   uint32_t x, y;
   uint32_t origin;
   int opcode; /* of a packet; -1: any */
   uint8_t memory, how;
   uint64_t address, bytes;
};

/* What the run is for. */
enum goal {
   GOAL_BREAK, /* a breakpoint */
   GOAL_STEP,  /* the wave's next instruction, `steps` times */
   GOAL_WAVE,  /* the next wave */
   GOAL_DRAW,  /* the next draw */
   GOAL_STOP,  /* stop number `target` */
   GOAL_SCAN,  /* to stop number `target`; `found` is the last before it that fits */
};
enum scan { SCAN_WAVE, SCAN_BREAK };

struct debugger {
   struct play *play;
   struct gfx *gfx;
   struct probe probe;
   struct core_observer observer;
   FILE *commands;
   bool batch, failed, tty, quits;
   struct breakpoint breaks[MAX_BREAKS];

   /* The run. */
   uint64_t count; /* packets and instructions that came, the one at hand included */
   uint64_t wrong; /* submissions that left other memory than was captured */
   uint8_t goal, scan;
   uint64_t steps, target, found;
   bool leaves;                  /* the run is to be given up, */
   bool again;                   /* for another one */
   struct core_identity last;    /* of the wave at the newest stop */
   bool any;                     /* there was one */
   const struct breakpoint *hit; /* an access, at the next stop */
   struct core_access access;
   uint32_t access_at;

   /* The stop at hand. */
   struct look look; /* wave NULL: before a packet, or not in a wave at all */
   struct core_identity here;
   uint64_t here_count;
   bool in_run;
   uint64_t client;
};

/* Ctrl-C: the next instruction is one to stop at. */
static volatile sig_atomic_t interrupted;

static void
interrupt(int signal)
{
   (void)signal;
   interrupted = 1;
}

static bool
same_wave(const struct core_identity *a, const struct core_identity *b)
{
   return a->submission == b->submission && a->draw == b->draw && a->round == b->round &&
          a->part == b->part && a->wave == b->wave && a->stage == b->stage;
}

static bool
same_draw(const struct core_identity *a, const struct core_identity *b)
{
   return a->submission == b->submission && a->draw == b->draw;
}

/* ---- Whether to stop ---- */

static bool
has_pixel(const struct core_wave *wave, const struct breakpoint *b, unsigned *lane)
{
   struct probe_pixel pixel;

   for (unsigned n = 0; n < WAVE_LANES; n++)
      if ((wave->valid >> n & 1) && probe_pixel(wave, n, &pixel) && pixel.x == (int32_t)b->x &&
          pixel.y == (int32_t)b->y) {
         *lane = n;
         return true;
      }
   return false;
}

/* The breakpoint that an instruction is at; `begins`: the wave is another than at the stop before,
 * `draws`: the draw is. */
static const struct breakpoint *
find_break(struct debugger *d, const struct core_wave *wave, uint32_t origin, bool begins,
           bool draws)
{
   const struct core_identity *id = &wave->identity;

   for (unsigned n = 0; n < MAX_BREAKS; n++) {
      const struct breakpoint *b = &d->breaks[n];
      const bool stage = b->stage == CORE_STAGES || b->stage == id->stage;
      unsigned lane;

      if (!b->used || (!b->any_draw && (b->submission != id->submission || b->draw != id->draw)))
         continue;
      switch ((enum break_kind)b->kind) {
      case BREAK_DRAW:
         if (draws)
            return b;
         break;
      case BREAK_STAGE:
         if (begins && stage)
            return b;
         break;
      case BREAK_WAVE:
         if (begins && stage && b->part == id->part && b->wave == id->wave)
            return b;
         break;
      case BREAK_PIXEL:
         if (begins && id->stage == CORE_PIXEL && has_pixel(wave, b, &lane)) {
            d->look.lane = lane;
            return b;
         }
         break;
      case BREAK_AT:
         if (stage && b->origin == origin)
            return b;
         break;
      case BREAK_PACKET:
      case BREAK_ACCESS:
         break;
      }
   }
   return NULL;
}

/* A stop that is not the goal of the run, but what it looks for. */
static bool
scanned(struct debugger *d, bool fits)
{
   if (d->count >= d->target) {
      d->leaves = true;
      gfx_abandon(d->gfx);
      d->play->quit = true;
   } else if (fits) {
      d->found = d->count;
   }
   return false;
}

static bool
stops(void *data, const struct core_wave *wave, uint32_t origin)
{
   struct debugger *d = data;
   const struct core_identity *id = &wave->identity;
   const bool begins = !d->any || !same_wave(&d->last, id);
   const bool draws = !d->any || !same_draw(&d->last, id);
   /* Another wave of a group runs where one waits at a barrier. */
   const bool beside = wave->group && same_draw(&d->here, id) && d->here.part == id->part &&
                       d->here.stage == id->stage && !same_wave(&d->here, id);
   const struct breakpoint *b;

   if (d->leaves)
      return false;
   d->count++;
   d->last = *id;
   d->any = true;
   if (interrupted) {
      interrupted = 0;
      printf("interrupted\n");
      return true;
   }
   b = d->hit;
   if (!b)
      b = find_break(d, wave, origin, begins, draws);
   switch ((enum goal)d->goal) {
   case GOAL_STOP:
      d->hit = NULL;
      return d->count == d->target;
   case GOAL_SCAN:
      d->hit = NULL;
      return scanned(d, d->scan == SCAN_BREAK ? b != NULL : same_wave(&d->here, id));
   case GOAL_STEP:
      if (!beside && !--d->steps)
         return true;
      break;
   case GOAL_WAVE:
      if (!same_wave(&d->here, id))
         return true;
      break;
   case GOAL_DRAW:
      if (!same_draw(&d->here, id))
         return true;
      break;
   case GOAL_BREAK:
      break;
   }
   return b != NULL;
}

static void
accessed(void *data, const struct core_wave *wave, const struct core_access *a)
{
   struct debugger *d = data;

   for (unsigned n = 0; n < MAX_BREAKS && !d->hit && !d->leaves; n++) {
      const struct breakpoint *b = &d->breaks[n];

      if (!b->used || b->kind != BREAK_ACCESS || b->memory != a->memory || !(b->how & a->how) ||
          a->address >= b->address + b->bytes || b->address >= a->address + a->bytes)
         continue;
      d->hit = b;
      d->access = *a;
      d->access_at = wave->origin;
   }
}

/* ---- Commands ---- */

struct words {
   unsigned count;
   char *word[MAX_WORDS];
};

/* What a command leads to. */
enum next { NEXT_PROMPT, NEXT_GO, NEXT_REFUSED };

static enum next
refuse(const char *what)
{
   printf("%s\n", what);
   return NEXT_REFUSED;
}

static bool
to_number(const char *text, uint64_t *value)
{
   char *end;

   errno = 0;
   *value = strtoull(text, &end, 0);
   return isdigit((unsigned char)*text) && !*end && !errno;
}

/* "S.N" or "X,Y". */
static bool
to_pair(const char *text, char between, uint32_t *a, uint32_t *b)
{
   char *end;

   if (!isdigit((unsigned char)*text))
      return false;
   *a = (uint32_t)strtoul(text, &end, 10);
   if (*end != between || !isdigit((unsigned char)end[1]))
      return false;
   *b = (uint32_t)strtoul(end + 1, &end, 10);
   return !*end;
}

/* Word n, a draw that need not be there. */
static bool
read_draw(const struct words *w, unsigned n, struct breakpoint *b)
{
   b->any_draw = n >= w->count;
   return b->any_draw || to_pair(w->word[n], '.', &b->submission, &b->draw);
}

static bool
read_access(const struct words *w, struct breakpoint *b)
{
   uint64_t bytes = 1;

   b->kind = BREAK_ACCESS;
   b->how = !strcmp(w->word[1], "read")    ? CORE_READS
            : !strcmp(w->word[1], "write") ? CORE_WRITES
                                           : 3;
   b->memory = 0;
   while (w->count > 2 && b->memory < CORE_MEMORY_COUNT &&
          strcasecmp(core_memory_name(b->memory), w->word[2]) != 0)
      b->memory++;
   if (w->count < 4 || b->memory == CORE_MEMORY_COUNT || !to_number(w->word[3], &b->address) ||
       (w->count > 4 && !to_number(w->word[4], &bytes)) || bytes > UINT32_MAX ||
       b->address > UINT64_MAX / 2)
      return false;
   b->bytes = bytes;
   return true;
}

static bool
read_break(const struct words *w, struct breakpoint *b)
{
   const char *kind = w->count > 1 ? w->word[1] : "";
   const char *what = w->count > 2 ? w->word[2] : "";
   uint64_t value;

   *b = (struct breakpoint){ .stage = CORE_STAGES, .any_draw = true, .opcode = -1 };
   if (!strcmp(kind, "draw")) {
      b->kind = BREAK_DRAW;
      return read_draw(w, 2, b);
   }
   if (!strcmp(kind, "stage")) {
      b->kind = BREAK_STAGE;
      b->stage = (uint8_t)look_find_stage(what);
      return b->stage < CORE_STAGES && read_draw(w, 3, b);
   }
   if (!strcmp(kind, "wave")) {
      uint64_t part, wave;

      b->kind = BREAK_WAVE;
      if (w->count != 6 || !read_draw(w, 2, b) || !to_number(w->word[4], &part) ||
          !to_number(w->word[5], &wave))
         return false;
      b->stage = (uint8_t)look_find_stage(w->word[3]);
      b->part = (uint32_t)part;
      b->wave = (uint32_t)wave;
      return b->stage < CORE_STAGES;
   }
   if (!strcmp(kind, "pixel")) {
      b->kind = BREAK_PIXEL;
      return to_pair(what, ',', &b->x, &b->y) && read_draw(w, 3, b);
   }
   if (!strcmp(kind, "at")) {
      b->kind = BREAK_AT;
      if (!to_number(what, &value) || value > UINT32_MAX)
         return false;
      b->origin = (uint32_t)value;
      if (w->count > 3)
         b->stage = (uint8_t)look_find_stage(w->word[3]);
      return w->count < 4 || (b->stage < CORE_STAGES && read_draw(w, 4, b));
   }
   if (!strcmp(kind, "packet")) {
      b->kind = BREAK_PACKET;
      for (int n = 0; w->count > 2 && n < 256 && b->opcode < 0; n++)
         if (!strcasecmp(pm4_opcode_name((uint32_t)n), what))
            b->opcode = n;
      return w->count < 3 || b->opcode >= 0;
   }
   if (!strcmp(kind, "read") || !strcmp(kind, "write") || !strcmp(kind, "access"))
      return read_access(w, b);
   return false;
}

static void
find_observer(struct debugger *d)
{
   bool any = false;

   for (unsigned n = 0; n < MAX_BREAKS; n++)
      any |= d->breaks[n].used && d->breaks[n].kind == BREAK_ACCESS;
   d->observer.accessed = any ? accessed : NULL;
}

static enum next
do_break(struct debugger *d, const struct words *w)
{
   struct breakpoint b;
   unsigned n = 0;

   if (w->count < 2) {
      for (n = 0; n < MAX_BREAKS; n++)
         if (d->breaks[n].used)
            printf("%u: %s\n", n + 1, d->breaks[n].text);
      return NEXT_PROMPT;
   }
   if (!read_break(w, &b))
      return refuse(
         "break draw S.N | stage NAME [S.N] | wave S.N STAGE PART WAVE | pixel X,Y [S.N] |\n"
         "  at N [STAGE [S.N]] | packet [NAME] | read|write|access MEMORY ADDRESS [BYTES]");
   while (n < MAX_BREAKS && d->breaks[n].used)
      n++;
   if (n == MAX_BREAKS)
      return refuse("there are too many breakpoints");
   b.used = true;
   for (unsigned k = 1; k < w->count; k++) {
      const size_t at = strlen(b.text);

      snprintf(b.text + at, sizeof(b.text) - at, "%s%s", k > 1 ? " " : "", w->word[k]);
   }
   d->breaks[n] = b;
   find_observer(d);
   printf("breakpoint %u: %s\n", n + 1, b.text);
   return NEXT_PROMPT;
}

static enum next
do_delete(struct debugger *d, const struct words *w)
{
   uint64_t n = 0;

   if (w->count > 1 &&
       (!to_number(w->word[1], &n) || !n || n > MAX_BREAKS || !d->breaks[n - 1].used))
      return refuse("there is no such breakpoint");
   for (uint64_t k = 0; k < MAX_BREAKS; k++)
      if (!n || k == n - 1)
         d->breaks[k].used = false;
   find_observer(d);
   return NEXT_PROMPT;
}

/* Goes on in the run at hand, or begins one. */
static enum next
go(struct debugger *d, enum goal goal)
{
   d->goal = goal;
   d->leaves = false;
   return NEXT_GO;
}

static enum next
go_again(struct debugger *d, enum goal goal, uint64_t target)
{
   go(d, goal);
   d->target = target;
   d->leaves = d->again = true;
   return NEXT_GO;
}

static enum next
do_continue(struct debugger *d, const struct words *w)
{
   (void)w;
   return go(d, GOAL_BREAK);
}

static enum next
do_run(struct debugger *d, const struct words *w)
{
   (void)w;
   return go_again(d, GOAL_BREAK, 0);
}

static enum next
do_step(struct debugger *d, const struct words *w)
{
   const char *what = w->count > 1 ? w->word[1] : "1";

   if (!strcmp(what, "wave"))
      return go(d, GOAL_WAVE);
   if (!strcmp(what, "draw"))
      return go(d, GOAL_DRAW);
   if (!to_number(what, &d->steps) || !d->steps)
      return refuse("step [N | wave | draw]");
   return go(d, GOAL_STEP);
}

static enum next
do_reverse(struct debugger *d, const struct words *w)
{
   if (!d->here_count)
      return refuse("nothing came before");
   d->found = 0;
   d->scan = strcmp(w->word[0], "reverse-continue") == 0 || !strcmp(w->word[0], "rc") ? SCAN_BREAK
                                                                                      : SCAN_WAVE;
   if (d->scan == SCAN_WAVE && !d->look.wave)
      return refuse("the stop is in no wave");
   return go_again(d, GOAL_SCAN, d->here_count);
}

static enum next
do_goto(struct debugger *d, const struct words *w)
{
   uint64_t n;

   if (w->count < 2 || !to_number(w->word[1], &n) || !n)
      return refuse("goto N");
   return go_again(d, GOAL_STOP, n);
}

static bool
in_wave(const struct debugger *d)
{
   if (!d->look.wave)
      printf("the stop is in no wave\n");
   return d->look.wave != NULL;
}

static enum next
do_print(struct debugger *d, const struct words *w)
{
   if (w->count < 2)
      return refuse("print NAME [all]");
   if (!in_wave(d))
      return NEXT_REFUSED;
   return look_print(&d->look, w->word[1], w->count > 2 && !strcmp(w->word[2], "all"))
             ? NEXT_PROMPT
             : refuse("the wave has nothing of that name");
}

static enum next
do_info(struct debugger *d, const struct words *w)
{
   const char *what = w->count > 1 ? w->word[1] : "";

   if (!strcmp(what, "breakpoints"))
      return do_break(d, &(struct words){ .count = 1 });
   if (!in_wave(d))
      return NEXT_REFUSED;
   if (!strcmp(what, "registers"))
      look_all(&d->look, CORE_SEEN_ROW);
   else if (!strcmp(what, "masks"))
      look_all(&d->look, CORE_SEEN_MASK);
   else if (!strcmp(what, "constants"))
      look_all(&d->look, CORE_SEEN_CONSTANT);
   else
      return refuse("info registers | masks | constants | breakpoints");
   return NEXT_PROMPT;
}

static enum next
do_lane(struct debugger *d, const struct words *w)
{
   uint64_t n;

   if (w->count < 2 || !to_number(w->word[1], &n) || n >= WAVE_LANES)
      return refuse("lane N, below 64");
   d->look.lane = (unsigned)n;
   return NEXT_PROMPT;
}

static enum next
do_list(struct debugger *d, const struct words *w)
{
   uint64_t n = 11;

   if (!in_wave(d))
      return NEXT_REFUSED;
   if (w->count > 1 && (!to_number(w->word[1], &n) || n > 10000))
      return refuse("list [LINES]");
   look_list(&d->look, (unsigned)n);
   return NEXT_PROMPT;
}

static enum next
do_backtrace(struct debugger *d, const struct words *w)
{
   (void)w;
   if (!in_wave(d))
      return NEXT_REFUSED;
   look_backtrace(&d->look);
   return NEXT_PROMPT;
}

static enum next
do_memory(struct debugger *d, const struct words *w)
{
   const bool lds = !strcmp(w->word[0], "lds");
   uint64_t address, n = 4;

   if (w->count < 2 || !to_number(w->word[1], &address) ||
       (w->count > 2 && !to_number(w->word[2], &n)))
      return refuse("x ADDRESS [DWORDS]; lds ADDRESS [DWORDS]");
   if (lds && !in_wave(d))
      return NEXT_REFUSED;
   if (!lds && !d->look.vm)
      return refuse("no submission runs");
   if (lds)
      look_lds(&d->look, address, (unsigned)(n < 256 ? n : 256));
   else
      look_memory(d->look.vm, address, (unsigned)(n < 256 ? n : 256));
   return NEXT_PROMPT;
}

static enum next
do_quit(struct debugger *d, const struct words *w)
{
   (void)w;
   d->quits = true;
   d->leaves = true;
   return NEXT_GO;
}

static enum next do_help(struct debugger *d, const struct words *w);

static const struct command {
   const char *name, *letters;
   enum next (*run)(struct debugger *d, const struct words *w);
   const char *help;
} commands[] = {
   { "break", "b", do_break, "stop at a draw, stage, wave, pixel, instruction, packet or access" },
   { "delete", "d", do_delete, "delete breakpoint N, or all" },
   { "run", "r", do_run, "from the capture's beginning to a breakpoint" },
   { "continue", "c", do_continue, "to the next breakpoint" },
   { "step", "s", do_step, "the wave's next instruction, N of them, or: step wave, step draw" },
   { "reverse-step", "rs", do_reverse, "the wave's instruction before" },
   { "reverse-continue", "rc", do_reverse, "the breakpoint before" },
   { "goto", "g", do_goto, "stop number N" },
   { "lane", NULL, do_lane, "look at lane N" },
   { "print", "p", do_print, "a register, mask or constant; of all lanes: print NAME all" },
   { "info", "i", do_info, "info registers, masks, constants or breakpoints" },
   { "list", "l", do_list, "the instructions around the next, N lines" },
   { "backtrace", "bt", do_backtrace, "from the lane to its pixel, primitive, wave and draw" },
   { "x", NULL, do_memory, "dwords of memory: x ADDRESS [DWORDS]" },
   { "lds", NULL, do_memory, "dwords of the group's LDS: lds ADDRESS [DWORDS]" },
   { "help", "h", do_help, "this list" },
   { "quit", "q", do_quit, "end" },
};

static enum next
do_help(struct debugger *d, const struct words *w)
{
   (void)d;
   (void)w;
   for (size_t n = 0; n < sizeof(commands) / sizeof(*commands); n++)
      printf("%-18s%-4s%s\n", commands[n].name, commands[n].letters ? commands[n].letters : "",
             commands[n].help);
   return NEXT_PROMPT;
}

static enum next
execute(struct debugger *d, char *line)
{
   struct words w = { 0 };
   char *rest = line;

   for (char *word; (word = strtok_r(rest, " \t\r\n", &rest)) && w.count < MAX_WORDS;)
      w.word[w.count++] = word;
   if (!w.count || *w.word[0] == '#')
      return NEXT_PROMPT;
   for (size_t n = 0; n < sizeof(commands) / sizeof(*commands); n++)
      if (!strcmp(commands[n].name, w.word[0]) ||
          (commands[n].letters && !strcmp(commands[n].letters, w.word[0])))
         return commands[n].run(d, &w);
   return refuse("no such command; help lists them");
}

/* Commands until one goes on. */
static void
prompt(struct debugger *d)
{
   char line[512];

   for (;;) {
      FILE *from = d->commands ? d->commands : stdin;
      enum next next;

      if (d->tty && !d->commands)
         printf("(atoll) ");
      fflush(stdout);
      if ((!d->commands && d->batch) || !fgets(line, sizeof(line), from)) {
         if (d->commands && !d->batch) {
            d->commands = NULL;
            continue;
         }
         do_quit(d, NULL);
         return;
      }
      next = execute(d, line);
      d->failed |= next == NEXT_REFUSED;
      if (next == NEXT_GO)
         return;
   }
}

/* ---- Stops ---- */

/* The commands of a stop; the run ends where they ask for another. */
static void
interact(struct debugger *d)
{
   prompt(d);
   if (d->leaves && d->in_run) {
      gfx_abandon(d->gfx);
      d->play->quit = true;
   }
   d->look.wave = NULL;
   d->look.state = NULL;
}

static void
stopped(void *data, const struct core_wave *wave, const void *state)
{
   struct debugger *d = data;
   const struct breakpoint *hit = d->hit;

   if (d->leaves)
      return;
   d->hit = NULL;
   d->here = wave->identity;
   d->here_count = d->count;
   d->look.wave = wave;
   d->look.state = state;
   if (hit)
      printf("breakpoint %u: lane %u at %u %s %u bytes of %s at 0x%" PRIx64 "\n",
             (unsigned)(hit - d->breaks) + 1, d->access.lane, d->access_at,
             d->access.how == CORE_READS    ? "read"
             : d->access.how == CORE_WRITES ? "wrote"
                                            : "changed",
             d->access.bytes, core_memory_name(d->access.memory), d->access.address);
   printf("stop %" PRIu64 ": ", d->count);
   look_where(&d->look);
   look_list(&d->look, 1);
   interact(d);
}

static void
packet(void *data, uint32_t submission, uint32_t at, uint32_t header)
{
   struct debugger *d = data;
   bool hit = false;

   if (d->leaves)
      return;
   d->count++;
   for (unsigned n = 0; n < MAX_BREAKS; n++)
      hit |= d->breaks[n].used && d->breaks[n].kind == BREAK_PACKET &&
             (d->breaks[n].opcode < 0 || (uint32_t)d->breaks[n].opcode == pm4_op(header));
   if (d->goal == GOAL_SCAN) {
      scanned(d, hit && d->scan == SCAN_BREAK);
      return;
   }
   if (d->goal == GOAL_STOP ? d->count != d->target : !hit)
      return;
   d->here_count = d->count;
   printf("stop %" PRIu64 ": %s at dword %u of submission %u\n", d->count,
          pm4_opcode_name(pm4_op(header)), at, submission);
   interact(d);
}

static void
begin_submission(struct play *p, uint64_t client)
{
   struct debugger *d = p->data;
   const struct atoll_client *c = play_client(p, client);

   d->probe.client = d->look.client = client;
   d->look.vm = c ? c->vm : NULL;
}

static void
count_hash(struct play *p, uint64_t client, uint64_t hash, uint64_t captured)
{
   struct debugger *d = p->data;

   (void)client;
   d->wrong += hash != captured;
}

/* One run from the capture's beginning.  False: the capture cannot be played. */
static bool
play_again(struct debugger *d)
{
   bool ok;

   gfx_restart(d->gfx);
   probe_finish(&d->probe);
   d->probe.packet = packet;
   d->probe.data = d;
   d->count = d->wrong = 0;
   d->leaves = d->again = d->any = false;
   d->hit = NULL;
   d->in_run = true;
   ok = play_run(d->play);
   d->in_run = false;
   d->look.vm = NULL;
   return ok;
}

/* What a run that was given up, or came to the capture's end, leads to.  False: no other run. */
static bool
after_run(struct debugger *d)
{
   if (d->quits || d->again)
      return !d->quits;
   if (d->goal == GOAL_SCAN) {
      if (d->found) {
         d->goal = GOAL_STOP;
         d->target = d->found;
         return true;
      }
      printf("nothing came before\n");
      d->goal = GOAL_STOP;
      return true;
   }
   printf("the capture ends after %" PRIu64 " packets and instructions\n", d->count);
   if (d->wrong)
      printf("%" PRIu64 " submissions left other memory than was captured\n", d->wrong);
   d->here_count = d->count + 1;
   prompt(d);
   return !d->quits;
}

int
debugger_run(struct play *p, FILE *file, bool batch)
{
   static struct debugger d;
   bool ok = true;

   d = (struct debugger){
      .play = p,
      .gfx = radeon_of(p->device)->gfx,
      .observer = { .stops = stops, .stopped = stopped, .data = &d },
      .commands = file,
      .batch = batch,
      .tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
   };
   p->data = &d;
   p->submits = begin_submission;
   p->hashed = count_hash;
   signal(SIGINT, interrupt);
   gfx_set_probe(d.gfx, &d.probe);
   gfx_set_observer(d.gfx, &d.observer);
   prompt(&d);
   for (bool more = !d.quits; more && ok; more = ok && after_run(&d))
      ok = play_again(&d);
   signal(SIGINT, SIG_DFL);
   gfx_set_observer(d.gfx, NULL);
   gfx_set_probe(d.gfx, NULL);
   probe_finish(&d.probe);
   return !ok || (batch && d.failed) ? TOOL_REFUSED : TOOL_OK;
}
