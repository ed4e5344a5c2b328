/* SPDX-License-Identifier: MIT */
/* The debugger's command line: what each command says, and what it leads to. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <atoll/cayman/pm4.h>

#include "debugger_internal.h"
#include "line.h"

#define MAX_WORDS 12u

struct words {
   unsigned count;
   char *word[MAX_WORDS];
};

static enum debugger_next
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
read_what(const struct words *w, struct breakpoint *b)
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
   if (!strcmp(kind, "il")) {
      b->kind = BREAK_IL;
      if (!to_number(what, &value) || !value || value > UINT32_MAX)
         return false;
      b->line = (uint32_t)value;
      if (w->count > 3)
         b->stage = (uint8_t)look_find_stage(w->word[3]);
      return w->count < 4 || (b->stage < CORE_STAGES && read_draw(w, 4, b));
   }
   if (!strcmp(kind, "marker")) {
      b->kind = BREAK_MARKER;
      return snprintf(b->name, sizeof(b->name), "%s", what) < (int)sizeof(b->name);
   }
   if (!strcmp(kind, "packet")) {
      b->kind = BREAK_PACKET;
      for (int n = 0; w->count > 2 && n < 256 && b->opcode < 0; n++)
         if (!strcasecmp(pm4_opcode_name((uint32_t)n), what))
            b->opcode = n;
      return w->count < 3 || b->opcode >= 0;
   }
   if (!strcmp(kind, "change")) {
      b->kind = BREAK_CHANGE;
      if (!*what || snprintf(b->name, sizeof(b->name), "%s", what) >= (int)sizeof(b->name))
         return false;
      if (w->count > 3)
         b->stage = (uint8_t)look_find_stage(w->word[3]);
      return w->count < 4 || (b->stage < CORE_STAGES && read_draw(w, 4, b));
   }
   if (!strcmp(kind, "read") || !strcmp(kind, "write") || !strcmp(kind, "access"))
      return read_access(w, b);
   return false;
}

/* What to stop at, and after `if` a condition. */
static bool
read_break(const struct words *w, struct breakpoint *b)
{
   struct words at = *w;
   unsigned n = 0;

   if (w->count > 1 && !strcmp(w->word[1], "marker"))
      return read_what(w, b);
   while (n < w->count && strcmp(w->word[n], "if") != 0)
      n++;
   at.count = n;
   if (!read_what(&at, b))
      return false;
   if (n == w->count)
      return true;
   return n + 4 == w->count && b->kind != BREAK_PACKET && b->kind != BREAK_ACCESS &&
          condition_read(&b->condition, w->word[n + 1], w->word[n + 2], w->word[n + 3]);
}

static enum debugger_next
do_break(struct debugger *d, const struct words *w)
{
   struct breakpoint b;
   unsigned n;

   if (w->count < 2) {
      for (n = 0; n < DEBUGGER_BREAKS; n++)
         if (d->breaks[n].used)
            printf("%u: %s\n", n + 1, d->breaks[n].text);
      return NEXT_PROMPT;
   }
   if (!read_break(w, &b))
      return refuse(
         "break draw S.N | stage NAME [S.N] | wave S.N STAGE PART WAVE | pixel X,Y [S.N] |\n"
         "  at N [STAGE [S.N]] | il LINE [STAGE [S.N]] | change REGISTER [STAGE [S.N]], and: if "
         "NAME "
         "OP NUMBER, if NAME is nan\n"
         "break packet [NAME] | marker [TEXT] | read|write|access MEMORY ADDRESS [BYTES]");
   n = debugger_free_break(d);
   if (n == DEBUGGER_BREAKS)
      return refuse("there are too many breakpoints");
   b.used = true;
   for (unsigned k = 1; k < w->count; k++) {
      const size_t at = strlen(b.text);

      snprintf(b.text + at, sizeof(b.text) - at, "%s%s", k > 1 ? " " : "", w->word[k]);
   }
   d->breaks[n] = b;
   debugger_find_observer(d);
   printf("breakpoint %u: %s\n", n + 1, b.text);
   return NEXT_PROMPT;
}

static enum debugger_next
do_delete(struct debugger *d, const struct words *w)
{
   uint64_t n = 0;

   if (w->count > 1 &&
       (!to_number(w->word[1], &n) || !n || n > DEBUGGER_BREAKS || !d->breaks[n - 1].used))
      return refuse("there is no such breakpoint");
   for (uint64_t k = 0; k < DEBUGGER_BREAKS; k++)
      if (!n || k == n - 1)
         d->breaks[k].used = false;
   debugger_find_observer(d);
   return NEXT_PROMPT;
}

static enum debugger_next
go(struct debugger *d, enum goal goal)
{
   debugger_go(d, goal);
   return NEXT_GO;
}

static enum debugger_next
go_again(struct debugger *d, enum goal goal, uint64_t target)
{
   debugger_go_again(d, goal, target);
   return NEXT_GO;
}

static enum debugger_next
do_continue(struct debugger *d, const struct words *w)
{
   (void)w;
   return go(d, GOAL_BREAK);
}

static enum debugger_next
do_run(struct debugger *d, const struct words *w)
{
   (void)w;
   return go_again(d, GOAL_BREAK, 0);
}

static enum debugger_next
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

static enum debugger_next
do_reverse(struct debugger *d, const struct words *w)
{
   const bool far = strcmp(w->word[0], "reverse-continue") == 0 || !strcmp(w->word[0], "rc");

   if (!far && d->here_count && !d->look.wave)
      return refuse("the stop is in no wave");
   return debugger_go_back(d, far ? SCAN_BREAK : SCAN_WAVE) ? NEXT_GO
                                                            : refuse("nothing came before");
}

static enum debugger_next
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

static enum debugger_next
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

static enum debugger_next
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

static enum debugger_next
do_lane(struct debugger *d, const struct words *w)
{
   uint64_t n;

   if (w->count < 2 || !to_number(w->word[1], &n) || n >= WAVE_LANES)
      return refuse("lane N, below 64");
   d->look.lane = (unsigned)n;
   return NEXT_PROMPT;
}

static enum debugger_next
do_list(struct debugger *d, const struct words *w)
{
   uint64_t n = 11;

   if (!in_wave(d))
      return NEXT_REFUSED;
   if (w->count > 1 && (!to_number(w->word[1], &n) || n > 10000))
      return refuse("list [LINES]");
   look_list(&d->look, (unsigned)n);
   look_il(&d->look, (unsigned)n);
   return NEXT_PROMPT;
}

static enum debugger_next
do_source(struct debugger *d, const struct words *w)
{
   if (!in_wave(d))
      return NEXT_REFUSED;
   return look_text(&d->look, w->count > 1 ? w->word[1] : "il")
             ? NEXT_PROMPT
             : refuse("source [name | glsl | nir | il]: the program has no such notes; "
                      "ATOLL_DEBUG=notes makes them");
}

static enum debugger_next
do_backtrace(struct debugger *d, const struct words *w)
{
   (void)w;
   if (!in_wave(d))
      return NEXT_REFUSED;
   look_backtrace(&d->look);
   return NEXT_PROMPT;
}

static enum debugger_next
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

static enum debugger_next
do_quit(struct debugger *d, const struct words *w)
{
   (void)w;
   debugger_quit(d);
   return NEXT_GO;
}

static enum debugger_next do_help(struct debugger *d, const struct words *w);

static const struct command {
   const char *name, *letters;
   enum debugger_next (*run)(struct debugger *d, const struct words *w);
   const char *help;
} commands[] = {
   { "break", "b", do_break,
     "stop at a draw, stage, wave, pixel, instruction, line of IL, change of a register, packet, "
     "marker or access" },
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
   { "source", NULL, do_source, "the program's IL, or: source glsl, nir, name" },
   { "backtrace", "bt", do_backtrace, "from the lane to its pixel, primitive, wave and draw" },
   { "x", NULL, do_memory, "dwords of memory: x ADDRESS [DWORDS]" },
   { "lds", NULL, do_memory, "dwords of the group's LDS: lds ADDRESS [DWORDS]" },
   { "help", "h", do_help, "this list" },
   { "quit", "q", do_quit, "end" },
};

static enum debugger_next
do_help(struct debugger *d, const struct words *w)
{
   (void)d;
   (void)w;
   for (size_t n = 0; n < sizeof(commands) / sizeof(*commands); n++)
      printf("%-18s%-4s%s\n", commands[n].name, commands[n].letters ? commands[n].letters : "",
             commands[n].help);
   return NEXT_PROMPT;
}

/* The words of a line.  A marker's text is one: all that is left. */
static void
split(char *line, struct words *w)
{
   static const char blank[] = " \t\r\n";
   char *rest = line;

   w->count = 0;
   for (char *word; (word = strtok_r(rest, blank, &rest)) && w->count < MAX_WORDS;) {
      w->word[w->count++] = word;
      if (w->count == 2 && !strcmp(word, "marker")) {
         size_t length;

         rest += strspn(rest, blank);
         for (length = strlen(rest); length && strchr(blank, rest[length - 1]); length--)
            rest[length - 1] = 0;
         if (length)
            w->word[w->count++] = rest;
         return;
      }
   }
}

enum debugger_next
debugger_command(struct debugger *d, char *line)
{
   struct words w;

   split(line, &w);
   if (!w.count || *w.word[0] == '#')
      return NEXT_PROMPT;
   for (size_t n = 0; n < sizeof(commands) / sizeof(*commands); n++)
      if (!strcmp(commands[n].name, w.word[0]) ||
          (commands[n].letters && !strcmp(commands[n].letters, w.word[0])))
         return commands[n].run(d, &w);
   return refuse("no such command; help lists them");
}

bool
debugger_read_break(const char *text, struct breakpoint *b)
{
   char line[sizeof(b->text) + 8];
   struct words w;

   if (snprintf(line, sizeof(line), "break %s", text) >= (int)sizeof(line))
      return false;
   split(line, &w);
   if (!read_break(&w, b))
      return false;
   b->used = true;
   snprintf(b->text, sizeof(b->text), "%s", text);
   return true;
}

/* ---- Completion ---- */

/* The words that may come after others. */
static const struct {
   const char *after, *words[16];
} completions[] = {
   { "break",
     { "access", "at", "change", "draw", "il", "marker", "packet", "pixel", "read", "stage", "wave",
       "write" } },
   { "info", { "breakpoints", "constants", "masks", "registers" } },
   { "source", { "glsl", "il", "name", "nir" } },
   { "step", { "draw", "wave" } },
};

/* The n-th register, mask or constant of the wave. */
static const char *
name_at(struct debugger *d, unsigned n)
{
   struct core_seen seen;

   if (!d->look.wave || !core_look(d->look.state, d->look.wave, n, &seen))
      return NULL;
   snprintf(d->name, sizeof(d->name), "%s", seen.name);
   return d->name;
}

static const char *
word_at(void *data, const struct line_context *c, unsigned n)
{
   struct debugger *d = data;

   if (!c->count)
      return n < sizeof(commands) / sizeof(*commands) ? commands[n].name : NULL;
   if (c->count == 2 && !strcmp(c->words[0], "break") && !strcmp(c->words[1], "stage"))
      return n < CORE_STAGES ? look_stage(n) : NULL;
   if ((c->count == 1 && !strcmp(c->words[0], "print")) ||
       (c->count == 2 && !strcmp(c->words[0], "break") && !strcmp(c->words[1], "change")))
      return name_at(d, n);
   for (unsigned k = 0; c->count == 1 && k < sizeof(completions) / sizeof(*completions); k++)
      if (!strcmp(completions[k].after, c->words[0]))
         return n < 16 ? completions[k].words[n] : NULL;
   return NULL;
}

/* Commands until one goes on. */
static void
prompt(struct debugger *d)
{
   char line[512];

   for (;;) {
      FILE *from = d->commands ? d->commands : stdin;
      enum debugger_next next;

      if (d->tty && !d->commands && !d->line)
         printf("(atoll) ");
      fflush(stdout);
      if ((!d->commands && d->batch) ||
          !(d->line && !d->commands ? line_read(d->line, line, sizeof(line))
                                    : fgets(line, sizeof(line), from) != NULL)) {
         if (d->commands && !d->batch) {
            d->commands = NULL;
            continue;
         }
         do_quit(d, NULL);
         return;
      }
      next = debugger_command(d, line);
      d->failed |= next == NEXT_REFUSED;
      if (next == NEXT_GO)
         return;
   }
}

int
debugger_run(struct play *p, FILE *file, bool batch)
{
   static struct debugger d;
   bool ok;

   debugger_begin(&d, p);
   d.interact = prompt;
   d.commands = file;
   d.batch = batch;
   d.tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
   if (d.tty)
      d.line = line_open("(atoll) ", word_at, &d);
   prompt(&d);
   ok = debugger_play(&d);
   line_close(d.line);
   debugger_end(&d);
   return !ok || (batch && d.failed) ? TOOL_REFUSED : TOOL_OK;
}
