/* SPDX-License-Identifier: MIT */
/* See debugger.h.  A command that goes on sets a goal; each packet and each instruction asks
 * whether it is one to stop at. */
#include "debugger_internal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <atoll/cayman/pm4.h>

#include "pass/next_draw.h"
#include "pass/pass.h"
#include "radeon/radeon.h"

/* Packets and instructions between two looks at the front end. */
#define POLL_STOPS 4096u

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

/* Whether an instruction is the first of the breakpoint's line. */
static bool
is_at_line(struct debugger *d, struct breakpoint *b, const struct core_wave *wave)
{
   const struct core_program *program = wave->bind->program;

   if (!program->va || (b->only_in && b->only_in != program->va))
      return false;
   if (b->line_in != program->va) {
      const struct source *s = sources_find(&d->look.sources, d->look.vm, program);
      uint32_t line = b->line;

      b->origin = s ? source_origin(s, &line) : LISTING_NONE;
      b->line_in = program->va;
   }
   return b->origin == wave->origin;
}

/* Whether an instruction is one that the breakpoint is about, but for its condition. */
static bool
is_at(struct debugger *d, struct breakpoint *b, const struct core_wave *wave, uint64_t *lanes)
{
   const struct core_identity *id = &wave->identity;
   const bool stage = b->stage == CORE_STAGES || b->stage == id->stage;
   unsigned lane;

   if (!b->used || (!b->any_draw && (b->submission != id->submission || b->draw != id->draw)))
      return false;
   *lanes = wave->at_origin;
   switch ((enum break_kind)b->kind) {
   case BREAK_DRAW:
      return d->draws;
   case BREAK_STAGE:
      return d->begins && stage;
   case BREAK_WAVE:
      return d->begins && stage && b->part == id->part && b->wave == id->wave;
   case BREAK_PIXEL:
      if (!d->begins || id->stage != CORE_PIXEL || !has_pixel(wave, b, &lane))
         return false;
      *lanes = UINT64_C(1) << lane;
      return true;
   case BREAK_AT:
      return stage &&
             (b->va ? b->va == look_address(wave, wave->origin) : b->origin == wave->origin);
   case BREAK_CHANGE:
      return stage;
   case BREAK_IL:
      return stage && is_at_line(d, b, wave);
   case BREAK_PACKET:
   case BREAK_ACCESS:
   case BREAK_MARKER:
      break;
   }
   return false;
}

/* The lanes in which the breakpoint's row is another than before the instruction before. */
static uint64_t
changed(struct breakpoint *b, const struct core_wave *wave, const void *state)
{
   struct core_seen seen;
   uint64_t lanes = 0;
   uint32_t n = 0;

   while (core_look(state, wave, n, &seen) &&
          (seen.kind != CORE_SEEN_ROW || strcasecmp(seen.name, b->name) != 0))
      n++;
   if (!core_look(state, wave, n, &seen))
      return 0;
   for (unsigned lane = 0; b->seen && same_wave(&b->seen_in, &wave->identity) && lane < WAVE_LANES;
        lane++)
      lanes |= (uint64_t)(b->row[lane] != seen.row[lane]) << lane;
   memcpy(b->row, seen.row, sizeof(b->row));
   b->seen = true;
   b->seen_in = wave->identity;
   return lanes;
}

/* The breakpoint that an instruction is at.  Without the wave's state: those with a condition are
 * not looked at, and `asks` says that there are such. */
static const struct breakpoint *
find_break(struct debugger *d, const struct core_wave *wave, const void *state)
{
   const struct breakpoint *found = NULL;

   d->asks = false;
   for (unsigned n = 0; n < DEBUGGER_BREAKS; n++) {
      struct breakpoint *b = &d->breaks[n];
      const bool asks = b->condition.op || b->kind == BREAK_CHANGE;
      uint64_t lanes;

      if (!is_at(d, b, wave, &lanes))
         continue;
      d->asks |= asks && !state;
      if (asks && !state)
         continue;
      /* Each row is looked at, whatever else there is. */
      if (b->kind == BREAK_CHANGE)
         lanes = changed(b, wave, state);
      if (asks)
         lanes &= condition_lanes(&b->condition, wave, state);
      if (found || (asks && !lanes))
         continue;
      found = b;
      if (asks || b->kind == BREAK_PIXEL)
         d->look.lane = (unsigned)__builtin_ctzll(lanes);
   }
   return found;
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
   /* Another wave of a group runs where one waits at a barrier. */
   const bool beside = wave->group && same_draw(&d->here, id) && d->here.part == id->part &&
                       d->here.stage == id->stage && !same_wave(&d->here, id);
   const struct breakpoint *b;
   bool there = false;

   if (d->leaves)
      return false;
   d->count++;
   d->begins = !d->any || !same_wave(&d->last, id);
   d->draws = !d->any || !same_draw(&d->last, id);
   d->last = *id;
   d->any = true;
   d->asks = false;
   if (d->poll && d->count % POLL_STOPS == 0)
      d->poll(d);
   if (interrupted || d->interrupted) {
      interrupted = 0;
      d->interrupted = false;
      d->by = NULL;
      printf("interrupted\n");
      return true;
   }
   b = d->hit;
   if (!b)
      b = find_break(d, wave, NULL);
   d->by = b;
   switch ((enum goal)d->goal) {
   case GOAL_STOP:
      d->hit = NULL;
      d->asks = false;
      return d->count == d->target;
   case GOAL_SCAN:
      d->hit = NULL;
      if (d->asks && d->scan == SCAN_BREAK && d->count < d->target)
         return true;
      d->asks = false;
      return scanned(d, d->scan == SCAN_BREAK ? b != NULL : same_wave(&d->here, id));
   case GOAL_STEP:
      there = !beside && !--d->steps;
      break;
   case GOAL_WAVE:
      there = !same_wave(&d->here, id);
      break;
   case GOAL_DRAW:
      there = !same_draw(&d->here, id);
      break;
   case GOAL_BREAK:
      break;
   }
   d->there = there || b;
   return d->there || d->asks;
}

/* Whether the instruction is one to stop at after all, now that the wave's state is at hand. */
static bool
is_stop(struct debugger *d, const struct core_wave *wave, const void *state)
{
   const struct breakpoint *b;

   if (!d->asks)
      return true;
   b = find_break(d, wave, state);
   if (d->goal == GOAL_SCAN) {
      scanned(d, b != NULL);
      return false;
   }
   d->by = b ? b : d->by;
   return b || d->there;
}

static void
accessed(void *data, const struct core_wave *wave, const struct core_access *a)
{
   struct debugger *d = data;

   for (unsigned n = 0; n < DEBUGGER_BREAKS && !d->hit && !d->leaves; n++) {
      const struct breakpoint *b = &d->breaks[n];

      if (!b->used || b->kind != BREAK_ACCESS || b->memory != a->memory || !(b->how & a->how) ||
          a->address >= b->address + b->bytes || b->address >= a->address + a->bytes)
         continue;
      d->hit = b;
      d->access = *a;
      d->access_at = wave->origin;
   }
}

/* ---- What a run is for ---- */

void
debugger_find_observer(struct debugger *d)
{
   bool any = false;

   for (unsigned n = 0; n < DEBUGGER_BREAKS; n++)
      any |= d->breaks[n].used && d->breaks[n].kind == BREAK_ACCESS;
   d->observer.accessed = any ? accessed : NULL;
}

unsigned
debugger_free_break(const struct debugger *d)
{
   unsigned n = 0;

   while (n < DEBUGGER_BREAKS && d->breaks[n].used)
      n++;
   return n;
}

void
debugger_go(struct debugger *d, enum goal goal)
{
   d->goal = goal;
   d->leaves = false;
}

void
debugger_go_again(struct debugger *d, enum goal goal, uint64_t target)
{
   debugger_go(d, goal);
   d->target = target;
   d->leaves = d->again = true;
}

bool
debugger_go_back(struct debugger *d, enum scan scan)
{
   if (!d->here_count || (scan == SCAN_WAVE && !d->look.wave))
      return false;
   /* The stop before was the wave's, too: there is nothing to look for. */
   if (scan == SCAN_WAVE && !d->begins) {
      debugger_go_again(d, GOAL_STOP, d->here_count - 1);
      return true;
   }
   d->found = 0;
   d->scan = scan;
   debugger_go_again(d, GOAL_SCAN, d->here_count);
   return true;
}

void
debugger_quit(struct debugger *d)
{
   d->quits = true;
   d->leaves = true;
}

/* ---- Markers ---- */

/* Keeps a marker: draws run long after their packets. */
static void
add_marker(struct debugger *d, uint32_t submission, const char *text)
{
   struct marker *m;
   uint32_t of;

   if (d->num_markers == d->max_markers && d->max_markers < DEBUGGER_MARKERS) {
      const uint32_t max = d->max_markers ? 2 * d->max_markers : 64;

      m = realloc(d->markers, max * sizeof(*m));
      if (m) {
         d->markers = m;
         d->max_markers = max;
      }
   }
   if (d->num_markers == d->max_markers)
      return;
   m = &d->markers[d->num_markers++];
   m->submission = submission;
   m->draw = gfx_next_draw(d->gfx, &of);
   snprintf(m->text, sizeof(m->text), "%s", text);
}

/* The newest marker before a draw; NULL: there is none. */
static const char *
marker_before(const struct debugger *d, const struct core_identity *id)
{
   for (uint32_t n = d->num_markers; n--;) {
      const struct marker *m = &d->markers[n];

      if (m->submission < id->submission ||
          (m->submission == id->submission && m->draw <= id->draw))
         return m->text;
   }
   return NULL;
}

/* ---- Stops ---- */

/* The commands of a stop; the run ends where they ask for another. */
static void
interact(struct debugger *d)
{
   d->interact(d);
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

   if (d->leaves || !is_stop(d, wave, state))
      return;
   d->hit = NULL;
   d->here = wave->identity;
   d->here_count = d->count;
   d->look.wave = wave;
   d->look.marker = marker_before(d, &d->here);
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
   look_il(&d->look, 1);
   interact(d);
}

/* Whether a packet is one that the breakpoint is about. */
static bool
is_packet(const struct breakpoint *b, uint32_t header, bool marker, const char *text)
{
   return b->used && (b->kind == BREAK_PACKET
                         ? b->opcode < 0 || (uint32_t)b->opcode == pm4_op(header)
                         : b->kind == BREAK_MARKER && marker && strstr(text, b->name) != NULL);
}

static void
packet(void *data, uint32_t submission, uint32_t at, const uint32_t *words)
{
   struct debugger *d = data;
   const struct breakpoint *hit = NULL;
   const uint32_t header = *words;
   char text[128];
   const bool marker = notes_marker(words, text, sizeof(text));

   if (d->leaves)
      return;
   d->count++;
   if (marker)
      add_marker(d, submission, text);
   for (unsigned n = 0; n < DEBUGGER_BREAKS && !hit; n++)
      if (is_packet(&d->breaks[n], header, marker, text))
         hit = &d->breaks[n];
   d->by = hit;
   if (d->goal == GOAL_SCAN) {
      scanned(d, hit && d->scan == SCAN_BREAK);
      return;
   }
   if (d->goal == GOAL_STOP ? d->count != d->target : !hit)
      return;
   d->here_count = d->count;
   d->packet_at = at;
   d->packet_submission = submission;
   d->packet_header = header;
   printf("stop %" PRIu64 ": %s at dword %u of submission %u\n", d->count,
          pm4_opcode_name(pm4_op(header)), at, submission);
   if (marker)
      printf("marker \"%s\"\n", text);
   interact(d);
}

static void
begin_submission(struct play *p, uint64_t client)
{
   struct debugger *d = p->data;
   const struct atoll_client *c = play_client(p, client);

   d->probe.client = d->look.client = client;
   d->look.vm = c ? c->vm : NULL;
   /* Programs may lie elsewhere now. */
   sources_forget(&d->look.sources);
   for (unsigned n = 0; n < DEBUGGER_BREAKS; n++)
      d->breaks[n].line_in = 0;
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
   d->num_markers = 0;
   for (unsigned n = 0; n < DEBUGGER_BREAKS; n++)
      d->breaks[n].seen = false;
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
   d->ended = true;
   d->by = NULL;
   d->interact(d);
   d->ended = false;
   return !d->quits;
}

void
debugger_begin(struct debugger *d, struct play *p)
{
   *d = (struct debugger){
      .play = p,
      .gfx = radeon_of(p->device)->gfx,
      .observer = { .stops = stops, .stopped = stopped, .data = d },
   };
   p->data = d;
   p->submits = begin_submission;
   p->hashed = count_hash;
   signal(SIGINT, interrupt);
   gfx_set_probe(d->gfx, &d->probe);
   gfx_set_observer(d->gfx, &d->observer);
}

bool
debugger_play(struct debugger *d)
{
   bool ok = true;

   for (bool more = !d->quits; more && ok; more = ok && after_run(d))
      ok = play_again(d);
   return ok;
}

void
debugger_end(struct debugger *d)
{
   signal(SIGINT, SIG_DFL);
   gfx_set_observer(d->gfx, NULL);
   gfx_set_probe(d->gfx, NULL);
   probe_finish(&d->probe);
   sources_forget(&d->look.sources);
   free(d->markers);
   d->markers = NULL;
}
