/* SPDX-License-Identifier: MIT */
/* See dap.h.  Requests are read where the debugger asks what comes next, and now and then while it
 * runs. */
#include "dap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atoll/cayman/pm4.h>

#include "dap_wire.h"
#include "debugger_internal.h"
#include "listing.h"
#include "memory/vm.h"

#define MAX_PROGRAMS     4096u
#define MAX_MEMORY       (1u << 20) /* bytes of a readMemory */
#define MAX_INSTRUCTIONS 4096

/* Owners of breakpoints: what sets them together.  From OWNER_SOURCE on: of a program's source. */
enum { OWNER_COMMAND, OWNER_INSTRUCTION, OWNER_FUNCTION, OWNER_DATA, OWNER_SOURCE };

/* variablesReference: of a scope SCOPE + lane * 8 + its number; of a row GRID + its number. */
enum { SCOPE_REGISTERS, SCOPE_MASKS, SCOPE_CONSTANTS, SCOPE_WAVE };
#define SCOPE 1
#define GRID  4096

/* Frames: lane * 4 + level + 1. */
enum { LEVEL_INSTRUCTION, LEVEL_WORK, LEVEL_DRAW, LEVELS };

/* A program that was stopped in. */
struct program {
   struct listing listing;
   char name[64];
};

struct dap {
   struct dap_wire wire;
   const struct tool *tool;
   const char *path;
   uint32_t memory;

   struct tool_file file;
   struct play play;
   struct debugger debugger;
   bool launched, configured, entry, over, stopped;
   int code;

   char *console; /* what was printed and is not told */
   size_t console_bytes;
   FILE *printed;

   struct program *programs;
   unsigned num_programs;

   const struct json_object *request;
   bool refused; /* it was answered so */
   bool goes;    /* the debugger is to go on */
};

/* ---- Answers ---- */

static void
answer(struct dap *a, bool ok, struct json_object *body, const char *message)
{
   struct json_object *o = json_object_new_object();
   const char *command = dap_text(a->request, "command");

   dap_add_number(o, "request_seq", dap_number(a->request, "seq", 0));
   dap_add_flag(o, "success", ok);
   dap_add_text(o, "command", command ? command : "");
   if (body)
      json_object_object_add(o, "body", body);
   if (message)
      dap_add_text(o, "message", message);
   dap_send(&a->wire, "response", o);
}

static void
refuse(struct dap *a, const char *why)
{
   answer(a, false, NULL, why);
}

static void
event(struct dap *a, const char *name, struct json_object *body)
{
   struct json_object *o = json_object_new_object();

   dap_add_text(o, "event", name);
   if (body)
      json_object_object_add(o, "body", body);
   dap_send(&a->wire, "event", o);
}

/* What was printed since it was last asked for; NULL: nothing. */
static struct json_object *
take_console(struct dap *a)
{
   struct json_object *text = NULL;

   fflush(a->printed);
   if (a->console_bytes)
      text = json_object_new_string_len(a->console, (int)a->console_bytes);
   rewind(a->printed);
   return text;
}

static void
tell_console(struct dap *a)
{
   struct json_object *text = take_console(a), *body;

   if (!text)
      return;
   body = json_object_new_object();
   dap_add_text(body, "category", "console");
   json_object_object_add(body, "output", text);
   event(a, "output", body);
}

/* ---- Programs ---- */

/* The number of a program in memory, MAX_PROGRAMS: there is none. */
static unsigned
find_program(const struct dap *a, uint64_t address)
{
   for (unsigned n = a->num_programs; n--;)
      if (address >= a->programs[n].listing.va &&
          address - a->programs[n].listing.va < a->programs[n].listing.bytes)
         return n;
   return MAX_PROGRAMS;
}

/* That of the wave that is stopped. */
static unsigned
program_here(struct dap *a)
{
   const struct look *l = &a->debugger.look;
   const struct core_program *p = l->wave->bind->program;
   unsigned n = p->va ? find_program(a, p->va) : MAX_PROGRAMS;
   struct program *grown;

   if (n < MAX_PROGRAMS && a->programs[n].listing.va == p->va &&
       a->programs[n].listing.bytes == p->words_used * 4)
      return n;
   if (a->num_programs == MAX_PROGRAMS ||
       !(grown = realloc(a->programs, (a->num_programs + 1) * sizeof(*grown))))
      return MAX_PROGRAMS;
   a->programs = grown;
   n = a->num_programs;
   if (!listing_make(&grown[n].listing, l->vm, p))
      return MAX_PROGRAMS;
   snprintf(grown[n].name, sizeof(grown[n].name), "%s-0x%" PRIx64 ".%s",
            look_stage(l->wave->identity.stage), p->va, p->engine->name);
   a->num_programs++;
   return n;
}

static struct json_object *
source_of(const struct dap *a, unsigned program)
{
   struct json_object *o = json_object_new_object();

   dap_add_text(o, "name", a->programs[program].name);
   dap_add_number(o, "sourceReference", program + 1);
   return o;
}

/* A number as the protocol's references to memory are. */
static bool
read_address(const char *text, uint64_t *address)
{
   char *end;

   if (!text || *text < '0' || *text > '9')
      return false;
   errno = 0;
   *address = strtoull(text, &end, 0);
   return !errno && !*end;
}

/* ---- What is stopped ---- */

/* The lane of a frame or thread, if a wave is stopped. */
static bool
choose_lane(struct dap *a, int64_t lane)
{
   if (!a->stopped || !a->debugger.look.wave || lane < 0 || lane >= WAVE_LANES)
      return false;
   a->debugger.look.lane = (unsigned)lane;
   return true;
}

static void
name_lane(const struct dap *a, unsigned lane, struct json_object *o)
{
   struct probe_pixel pixel;

   if (probe_pixel(a->debugger.look.wave, lane, &pixel))
      dap_add_format(o, "name", "lane %u: pixel %d,%d", lane, pixel.x, pixel.y);
   else
      dap_add_format(o, "name", "lane %u", lane);
}

static void
do_threads(struct dap *a, const struct json_object *args)
{
   const struct core_wave *wave = a->stopped ? a->debugger.look.wave : NULL;
   struct json_object *body = json_object_new_object(), *list = json_object_new_array();

   (void)args;
   for (unsigned n = 0; n < WAVE_LANES; n++) {
      struct json_object *o;

      if (wave ? !((wave->valid | wave->at_origin) >> n & 1) && n != a->debugger.look.lane : n > 0)
         continue;
      o = json_object_new_object();
      dap_add_number(o, "id", n + 1);
      if (wave)
         name_lane(a, n, o);
      else
         dap_add_text(o, "name", "the capture");
      json_object_array_add(list, o);
   }
   json_object_object_add(body, "threads", list);
   answer(a, true, body, NULL);
}

static void
add_frame(struct dap *a, struct json_object *frames, unsigned level)
{
   const struct debugger *d = &a->debugger;
   const struct look *l = &d->look;
   const struct core_identity *id = &l->wave->identity;
   struct json_object *o = json_object_new_object();
   struct probe_pixel pixel;
   uint32_t line = 0;

   dap_add_number(o, "id", l->lane * 4 + level + 1);
   if (level == LEVEL_INSTRUCTION) {
      const unsigned program = program_here(a);
      const uint64_t address = look_address(l->wave, l->wave->origin);

      dap_add_format(o, "name", "%s program, %s %u", look_stage(id->stage),
                     l->wave->bind->program->engine->origin, l->wave->origin);
      if (program < MAX_PROGRAMS) {
         line = listing_find(&a->programs[program].listing, l->wave->origin) + 1;
         json_object_object_add(o, "source", source_of(a, program));
      }
      if (address)
         dap_add_format(o, "instructionPointerReference", "0x%" PRIx64, address);
   } else if (level == LEVEL_WORK && probe_pixel(l->wave, l->lane, &pixel)) {
      dap_add_format(o, "name", "pixel %d,%d of primitive %u%s", pixel.x, pixel.y, pixel.primitive,
                     l->wave->valid >> l->lane & 1 ? "" : " (not covered)");
   } else if (level == LEVEL_WORK) {
      dap_add_format(o, "name", "wave %u of %s %u", id->wave,
                     id->stage == CORE_COMPUTE ? "group" : "batch", id->part);
   } else {
      dap_add_format(o, "name", "%s %u.%u of client %" PRIu64,
                     id->stage == CORE_COMPUTE ? "dispatch" : "draw", id->submission, id->draw,
                     l->client);
   }
   if (level != LEVEL_INSTRUCTION)
      dap_add_text(o, "presentationHint", "label");
   dap_add_number(o, "line", line);
   dap_add_number(o, "column", line ? 1 : 0);
   json_object_array_add(frames, o);
}

static void
do_stack(struct dap *a, const struct json_object *args)
{
   const int64_t first = dap_number(args, "startFrame", 0), levels = dap_number(args, "levels", 0);
   const struct debugger *d = &a->debugger;
   struct json_object *body = json_object_new_object(), *frames = json_object_new_array();
   unsigned total = 0;

   if (choose_lane(a, dap_number(args, "threadId", 1) - 1)) {
      total = LEVELS;
      for (unsigned n = 0; n < LEVELS; n++)
         if (n >= first && (levels <= 0 || n - first < levels))
            add_frame(a, frames, n);
   } else if (a->stopped && !d->ended) {
      struct json_object *o = json_object_new_object();

      total = 1;
      dap_add_number(o, "id", 1);
      dap_add_format(o, "name", "%s at dword %u of submission %u",
                     pm4_opcode_name(pm4_op(d->packet_header)), d->packet_at, d->packet_submission);
      dap_add_number(o, "line", 0);
      dap_add_number(o, "column", 0);
      json_object_array_add(frames, o);
   }
   json_object_object_add(body, "stackFrames", frames);
   dap_add_number(body, "totalFrames", total);
   answer(a, true, body, NULL);
}

static void
do_scopes(struct dap *a, const struct json_object *args)
{
   static const struct {
      const char *name, *hint;
   } scopes[] = {
      [SCOPE_REGISTERS] = { "Registers", "registers" },
      [SCOPE_MASKS] = { "Masks", NULL },
      [SCOPE_CONSTANTS] = { "Constants", NULL },
      [SCOPE_WAVE] = { "Wave", NULL },
   };
   struct json_object *body = json_object_new_object(), *list = json_object_new_array();
   const int64_t frame = dap_number(args, "frameId", 0) - 1;

   if (choose_lane(a, frame >= 0 ? frame / 4 : -1))
      for (unsigned n = 0; n < sizeof(scopes) / sizeof(*scopes); n++) {
         struct json_object *o = json_object_new_object();

         dap_add_text(o, "name", scopes[n].name);
         if (scopes[n].hint)
            dap_add_text(o, "presentationHint", scopes[n].hint);
         dap_add_number(o, "variablesReference", SCOPE + frame / 4 * 8 + n);
         dap_add_flag(o, "expensive", n == SCOPE_CONSTANTS);
         json_object_array_add(list, o);
      }
   json_object_object_add(body, "scopes", list);
   answer(a, true, body, NULL);
}

static void
add_value(struct json_object *o, const char *name, uint32_t value)
{
   float f;

   memcpy(&f, &value, sizeof(f));
   dap_add_format(o, name, "0x%08x  %.9g  %d", value, (double)f, (int32_t)value);
}

/* A part of the wave's state, seen from the lane. */
static void
add_seen(const struct dap *a, struct json_object *o, const char *name, const struct core_seen *seen,
         uint32_t number)
{
   const unsigned lane = a->debugger.look.lane;

   switch ((enum core_seen_kind)seen->kind) {
   case CORE_SEEN_ROW:
      add_value(o, name, seen->row[lane]);
      dap_add_number(o, "variablesReference", GRID + number);
      dap_add_number(o, "indexedVariables", WAVE_LANES);
      return;
   case CORE_SEEN_MASK:
      dap_add_format(o, name, "%016" PRIx64, seen->mask);
      break;
   case CORE_SEEN_CONSTANT:
      add_value(o, name, seen->value);
      break;
   }
   dap_add_number(o, "variablesReference", 0);
}

static bool
row_is_zero(const uint32_t *row)
{
   uint32_t any = 0;

   for (unsigned n = 0; n < WAVE_LANES; n++)
      any |= row[n];
   return !any;
}

static struct json_object *
add_variable(struct json_object *list, const char *name)
{
   struct json_object *o = json_object_new_object();

   dap_add_text(o, "name", name);
   json_object_array_add(list, o);
   return o;
}

static void
list_scope(struct dap *a, struct json_object *list, unsigned scope)
{
   static const uint8_t kinds[] = { CORE_SEEN_ROW, CORE_SEEN_MASK, CORE_SEEN_CONSTANT };
   const struct look *l = &a->debugger.look;
   struct core_seen seen;

   if (scope == SCOPE_WAVE) {
      const struct core_identity *id = &l->wave->identity;
      const struct {
         const char *name;
         uint64_t value;
      } facts[] = {
         { "submission", id->submission },
         { "draw", id->draw },
         { "part", id->part },
         { "wave", id->wave },
         { "lane", l->lane },
         { "stop", a->debugger.count },
      };

      for (unsigned n = 0; n < sizeof(facts) / sizeof(*facts); n++) {
         struct json_object *o = add_variable(list, facts[n].name);

         dap_add_format(o, "value", "%" PRIu64, facts[n].value);
         dap_add_number(o, "variablesReference", 0);
      }
      return;
   }
   for (uint32_t n = 0; core_look(l->state, l->wave, n, &seen); n++)
      if (seen.kind == kinds[scope] && (seen.kind != CORE_SEEN_ROW || !row_is_zero(seen.row)))
         add_seen(a, add_variable(list, seen.name), "value", &seen, n);
}

static void
list_lanes(struct dap *a, struct json_object *list, uint32_t number, const struct json_object *args)
{
   const struct look *l = &a->debugger.look;
   const int64_t first = dap_number(args, "start", 0), count = dap_number(args, "count", 0);
   struct core_seen seen;

   if (!core_look(l->state, l->wave, number, &seen) || seen.kind != CORE_SEEN_ROW)
      return;
   for (unsigned n = 0; n < WAVE_LANES; n++) {
      struct json_object *o;
      char name[32];

      if (n < first || (count > 0 && n - first >= count))
         continue;
      snprintf(name, sizeof(name), "[%u]%s", n, l->wave->at_origin >> n & 1 ? "" : " -");
      o = add_variable(list, name);
      add_value(o, "value", seen.row[n]);
      dap_add_number(o, "variablesReference", 0);
   }
}

static void
do_variables(struct dap *a, const struct json_object *args)
{
   const int64_t reference = dap_number(args, "variablesReference", 0);
   struct json_object *body = json_object_new_object(), *list = json_object_new_array();

   if (reference >= GRID) {
      if (choose_lane(a, a->debugger.look.lane) && reference - GRID < UINT32_MAX)
         list_lanes(a, list, (uint32_t)(reference - GRID), args);
   } else if (reference >= SCOPE && (reference - SCOPE) % 8 <= SCOPE_WAVE &&
              choose_lane(a, (reference - SCOPE) / 8)) {
      list_scope(a, list, (unsigned)(reference - SCOPE) % 8);
   }
   json_object_object_add(body, "variables", list);
   answer(a, true, body, NULL);
}

/* ---- Values and commands ---- */

/* The register, mask or constant of the name, or its first component. */
static bool
evaluate_name(struct dap *a, const char *name, struct json_object *body)
{
   const struct look *l = &a->debugger.look;
   const size_t length = strlen(name);
   struct core_seen seen;

   for (uint32_t n = 0; length && core_look(l->state, l->wave, n, &seen); n++)
      if (!strncasecmp(seen.name, name, length) &&
          (!seen.name[length] || seen.name[length] == '.')) {
         add_seen(a, body, "result", &seen, n);
         return true;
      }
   return false;
}

static void
do_evaluate(struct dap *a, const struct json_object *args)
{
   const char *expression = dap_text(args, "expression"), *context = dap_text(args, "context");
   const int64_t frame = dap_number(args, "frameId", 0) - 1;
   struct json_object *body = json_object_new_object();
   char line[512];

   if (frame >= 0)
      choose_lane(a, frame / 4);
   if (!expression || strlen(expression) >= sizeof(line)) {
      json_object_put(body);
      refuse(a, "no expression, or one that is too long");
      return;
   }
   if (a->stopped && a->debugger.look.wave && evaluate_name(a, expression, body)) {
      answer(a, true, body, NULL);
      return;
   }
   if (!context || strcmp(context, "repl") != 0 || !a->stopped) {
      json_object_put(body);
      refuse(a, a->stopped ? "nothing has that name" : "it is not stopped");
      return;
   }
   tell_console(a);
   strcpy(line, expression);
   a->goes = debugger_command(&a->debugger, line) == NEXT_GO;
   struct json_object *result = take_console(a);

   json_object_object_add(body, "result", result ? result : json_object_new_string(""));
   dap_add_number(body, "variablesReference", 0);
   answer(a, true, body, NULL);
   if (a->goes) {
      body = json_object_new_object();
      dap_add_number(body, "threadId", 1);
      event(a, "continued", body);
   }
}

/* ---- Breakpoints ---- */

static void
clear_breaks(struct dap *a, unsigned owner)
{
   for (unsigned n = 0; n < DEBUGGER_BREAKS; n++)
      if (a->debugger.breaks[n].owner == owner && owner != OWNER_COMMAND)
         a->debugger.breaks[n].used = false;
}

/* The condition that is asked for, if it is one. */
static bool
read_condition(const struct json_object *asked, struct condition *c)
{
   const char *text = dap_text(asked, "condition");
   char name[64], op[4], number[64], more;

   if (!text || !*text)
      return true;
   return sscanf(text, "%63s %3s %63s %c", name, op, number, &more) == 3 &&
          condition_read(c, name, op, number);
}

/* Sets `b` as it is asked for, or not: `why`; and says so. */
static struct json_object *
set_break(struct dap *a, struct json_object *list, const struct json_object *asked, unsigned owner,
          struct breakpoint *b, const char *why)
{
   const unsigned n = debugger_free_break(&a->debugger);
   struct json_object *o = json_object_new_object();

   if (!why && !read_condition(asked, &b->condition))
      why = "a condition is NAME == NUMBER, with != < <= > >= as well, or NAME is nan";
   if (!why && b->condition.op && (b->kind == BREAK_PACKET || b->kind == BREAK_ACCESS))
      why = "packets and accesses have no condition";

   if (!why && n == DEBUGGER_BREAKS)
      why = "there are too many breakpoints";
   dap_add_flag(o, "verified", !why);
   if (why) {
      dap_add_text(o, "message", why);
   } else {
      b->used = true;
      b->owner = owner;
      a->debugger.breaks[n] = *b;
      dap_add_number(o, "id", n + 1);
      if (b->va)
         dap_add_format(o, "instructionReference", "0x%" PRIx64, b->va);
   }
   json_object_array_add(list, o);
   return o;
}

static void
finish_breaks(struct dap *a, struct json_object *list)
{
   struct json_object *body = json_object_new_object();

   debugger_find_observer(&a->debugger);
   json_object_object_add(body, "breakpoints", list);
   answer(a, true, body, NULL);
}

static struct breakpoint
break_at(uint64_t va)
{
   struct breakpoint b = { .kind = BREAK_AT, .stage = CORE_STAGES, .any_draw = true, .va = va };

   snprintf(b.text, sizeof(b.text), "at address 0x%" PRIx64, va);
   return b;
}

/* Of a program's lines: at the line, or the first instruction after it. */
static void
do_source_breaks(struct dap *a, const struct json_object *args)
{
   const int64_t program = dap_number(dap_member(args, "source"), "sourceReference", 0) - 1;
   struct json_object *list = json_object_new_array(), *asked = dap_member(args, "breakpoints");
   const struct listing *l =
      program >= 0 && program < a->num_programs ? &a->programs[program].listing : NULL;

   if (l)
      clear_breaks(a, OWNER_SOURCE + (unsigned)program);
   for (size_t n = 0; n < dap_elements(args, "breakpoints"); n++) {
      const struct json_object *one = json_object_array_get_idx(asked, n);
      int64_t line = dap_number(one, "line", 0) - 1;
      struct breakpoint b = { 0 };
      struct json_object *o;

      while (l && line >= 0 && line < l->count && l->lines[line].origin == LISTING_NONE)
         line++;
      const bool there = l && line >= 0 && line < l->count;

      if (there)
         b = break_at(l->va + (uint64_t)l->lines[line].origin * l->unit);
      o = set_break(a, list, one, OWNER_SOURCE + (unsigned)program, &b,
                    !l      ? "no program that was stopped in has this source"
                    : there ? NULL
                            : "there is no instruction");
      if (there) {
         dap_add_number(o, "line", line + 1);
         json_object_object_add(o, "source", source_of(a, (unsigned)program));
      }
   }
   finish_breaks(a, list);
}

static void
do_instruction_breaks(struct dap *a, const struct json_object *args)
{
   struct json_object *list = json_object_new_array(), *asked = dap_member(args, "breakpoints");

   clear_breaks(a, OWNER_INSTRUCTION);
   for (size_t n = 0; n < dap_elements(args, "breakpoints"); n++) {
      const struct json_object *one = json_object_array_get_idx(asked, n);
      uint64_t address;
      const bool good = read_address(dap_text(one, "instructionReference"), &address);
      struct breakpoint b =
         break_at(good ? address + (uint64_t)dap_number(one, "offset", 0) : UINT64_MAX);

      set_break(a, list, one, OWNER_INSTRUCTION, &b, good ? NULL : "no address");
   }
   finish_breaks(a, list);
}

/* Functions are what the command `break` takes: "pixel 100,100", "draw 1.2"; or a stage. */
static void
do_function_breaks(struct dap *a, const struct json_object *args)
{
   struct json_object *list = json_object_new_array(), *asked = dap_member(args, "breakpoints");

   clear_breaks(a, OWNER_FUNCTION);
   for (size_t n = 0; n < dap_elements(args, "breakpoints"); n++) {
      const struct json_object *one = json_object_array_get_idx(asked, n);
      const char *name = dap_text(one, "name");
      struct breakpoint b;
      char text[64];
      bool good;

      snprintf(text, sizeof(text), "stage %s", name ? name : "");
      good = name && (debugger_read_break(name, &b) || debugger_read_break(text, &b));
      set_break(a, list, one, OWNER_FUNCTION, &b,
                good ? NULL : "draw S.N, stage NAME, pixel X,Y, wave ..., packet NAME, or a stage");
   }
   finish_breaks(a, list);
}

/* A name is an address in the client's memory, or "LDS 16" and so on; or a scope's register. */
static void
do_data_info(struct dap *a, const struct json_object *args)
{
   static const char *const types[] = { "write", "read", "readWrite" };
   const bool row = dap_number(args, "variablesReference", 0) > 0;
   const char *name = dap_text(args, "name");
   struct json_object *body = json_object_new_object();
   struct breakpoint b;
   uint64_t address;
   char text[96], id[80];

   if (row)
      snprintf(id, sizeof(id), "change %s", name ? name : "");
   else
      snprintf(id, sizeof(id), read_address(name, &address) ? "SPACE %s %" PRId64 : "%s %" PRId64,
               name ? name : "", dap_number(args, "bytes", 4));
   snprintf(text, sizeof(text), "%s%s", row ? "" : "access ", id);
   if (!name || strpbrk(name, row ? " [" : "[") || !debugger_read_break(text, &b)) {
      json_object_object_add(body, "dataId", NULL);
      dap_add_text(body, "description", "an address, or a memory and an address in it: LDS 16");
   } else {
      struct json_object *list = json_object_new_array();

      for (unsigned n = 0; n < (row ? 1 : 3); n++)
         json_object_array_add(list, json_object_new_string(types[n]));
      dap_add_text(body, "dataId", id);
      dap_add_text(body, "description", id);
      json_object_object_add(body, "accessTypes", list);
   }
   answer(a, true, body, NULL);
}

static void
do_data_breaks(struct dap *a, const struct json_object *args)
{
   struct json_object *list = json_object_new_array(), *asked = dap_member(args, "breakpoints");

   clear_breaks(a, OWNER_DATA);
   for (size_t n = 0; n < dap_elements(args, "breakpoints"); n++) {
      const struct json_object *one = json_object_array_get_idx(asked, n);
      const char *id = dap_text(one, "dataId"), *type = dap_text(one, "accessType");
      struct breakpoint b;
      char text[96];

      snprintf(text, sizeof(text), "%s %s",
               id && !strncmp(id, "change ", 7)  ? ""
               : !type || !strcmp(type, "write") ? "write"
               : !strcmp(type, "read")           ? "read"
                                                 : "access",
               id ? id : "");
      set_break(a, list, one, OWNER_DATA, &b,
                debugger_read_break(text, &b) ? NULL : "no such memory");
   }
   finish_breaks(a, list);
}

/* ---- Memory and code ---- */

static void
do_memory(struct dap *a, const struct json_object *args)
{
   const int64_t count = dap_number(args, "count", 0);
   const struct vm *vm = a->stopped ? a->debugger.look.vm : NULL;
   struct json_object *body;
   uint64_t address, size;
   uint8_t *bytes;

   if (!vm || !read_address(dap_text(args, "memoryReference"), &address) || count < 0) {
      refuse(a, vm ? "no address" : "no submission runs");
      return;
   }
   address += (uint64_t)dap_number(args, "offset", 0);
   size = count < MAX_MEMORY ? (uint64_t)count : MAX_MEMORY;
   bytes = calloc(1, size ? size : 1);
   size = bytes && size ? vm_extent(vm, address, size) : 0;
   if (size)
      vm_read(vm, address, bytes, size);
   body = json_object_new_object();
   dap_add_format(body, "address", "0x%" PRIx64, address);
   dap_add_bytes(body, "data", bytes, size);
   dap_add_number(body, "unreadableBytes", count - (int64_t)size);
   free(bytes);
   answer(a, true, body, NULL);
}

static int
by_origin(const void *a, const void *b)
{
   const struct listing_line *const *l = a, *const *m = b;

   return (*l)->origin < (*m)->origin ? -1 : (*l)->origin > (*m)->origin;
}

/* Instructions by ascending address, as they lie in memory. */
static void
do_disassemble(struct dap *a, const struct json_object *args)
{
   int64_t count = dap_number(args, "instructionCount", 0);
   struct json_object *body, *list;
   const struct listing_line **sorted;
   const struct listing *l;
   uint64_t address;
   unsigned program;
   int64_t all = 0, at;

   if (!read_address(dap_text(args, "memoryReference"), &address) || count < 0) {
      refuse(a, "no address");
      return;
   }
   address += (uint64_t)dap_number(args, "offset", 0);
   program = find_program(a, address);
   l = program < MAX_PROGRAMS ? &a->programs[program].listing : NULL;
   sorted = l ? malloc(l->count * sizeof(*sorted)) : NULL;
   for (uint32_t n = 0; sorted && n < l->count; n++)
      if (l->lines[n].origin != LISTING_NONE)
         sorted[all++] = &l->lines[n];
   if (sorted)
      qsort(sorted, (size_t)all, sizeof(*sorted), by_origin);
   at = 0;
   while (at < all && l->va + (uint64_t)sorted[at]->origin * l->unit < address)
      at++;
   const int64_t offset = dap_number(args, "instructionOffset", 0);

   at += offset < -MAX_INSTRUCTIONS  ? -MAX_INSTRUCTIONS
         : offset > MAX_INSTRUCTIONS ? MAX_INSTRUCTIONS
                                     : offset;
   count = count < MAX_INSTRUCTIONS ? count : MAX_INSTRUCTIONS;
   body = json_object_new_object();
   list = json_object_new_array();
   for (int64_t n = at; n < at + count; n++) {
      struct json_object *o = json_object_new_object();
      const struct listing_line *line = n >= 0 && n < all ? sorted[n] : NULL;

      if (line) {
         dap_add_format(o, "address", "0x%" PRIx64, l->va + (uint64_t)line->origin * l->unit);
         dap_add_text(o, "instruction", line->text);
         json_object_object_add(o, "location", source_of(a, program));
         dap_add_number(o, "line", line - l->lines + 1);
      } else {
         dap_add_format(o, "address", "0x%" PRIx64, address + (uint64_t)(n - at) * 8);
         dap_add_text(o, "instruction", "");
         dap_add_text(o, "presentationHint", "invalid");
      }
      json_object_array_add(list, o);
   }
   json_object_object_add(body, "instructions", list);
   free(sorted);
   answer(a, true, body, NULL);
}

static void
do_source(struct dap *a, const struct json_object *args)
{
   int64_t n = dap_number(dap_member(args, "source"), "sourceReference", 0);
   struct json_object *body;
   const struct listing *l;
   char *text = NULL;
   size_t size;
   FILE *file;

   n = (n ? n : dap_number(args, "sourceReference", 0)) - 1;
   if (n < 0 || n >= a->num_programs || !(file = open_memstream(&text, &size))) {
      refuse(a, "no such source");
      return;
   }
   l = &a->programs[n].listing;
   for (uint32_t k = 0; k < l->count; k++)
      fprintf(file, "%s\n", l->lines[k].text);
   fclose(file);
   body = json_object_new_object();
   dap_add_text(body, "content", text ? text : "");
   free(text);
   answer(a, true, body, NULL);
}

/* ---- Going on ---- */

/* The run goes on, if it is stopped. */
static bool
may_go(struct dap *a)
{
   if (!a->stopped)
      refuse(a, "it is not stopped");
   return a->stopped;
}

static void
went(struct dap *a, bool all)
{
   struct json_object *body = NULL;

   a->goes = true;
   if (all) {
      body = json_object_new_object();
      dap_add_flag(body, "allThreadsContinued", true);
   }
   answer(a, true, body, NULL);
}

/* Where the capture has ended, that is the end of the session. */
static void
go(struct dap *a, enum goal goal, bool all)
{
   if (!may_go(a))
      return;
   if (a->debugger.ended)
      debugger_quit(&a->debugger);
   else
      debugger_go(&a->debugger, goal);
   went(a, all);
}

static void
do_continue(struct dap *a, const struct json_object *args)
{
   (void)args;
   go(a, GOAL_BREAK, true);
}

static void
do_step(struct dap *a, const struct json_object *args)
{
   (void)args;
   a->debugger.steps = 1;
   go(a, GOAL_STEP, false);
}

/* Out of the wave. */
static void
do_out(struct dap *a, const struct json_object *args)
{
   (void)args;
   go(a, GOAL_WAVE, false);
}

static void
do_back(struct dap *a, const struct json_object *args)
{
   const char *command = dap_text(a->request, "command");

   (void)args;
   if (!may_go(a))
      return;
   if (debugger_go_back(&a->debugger, strcmp(command, "stepBack") ? SCAN_BREAK : SCAN_WAVE))
      went(a, false);
   else
      refuse(a, "nothing came before, or the stop is in no wave");
}

static void
do_pause(struct dap *a, const struct json_object *args)
{
   (void)args;
   a->debugger.interrupted = !a->stopped;
   answer(a, true, NULL, NULL);
}

/* ---- Beginning and end ---- */

static void
do_initialize(struct dap *a, const struct json_object *args)
{
   static const char *const can[] = {
      "supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
      "supportsInstructionBreakpoints",   "supportsDataBreakpoints",
      "supportsDataBreakpointBytes",      "supportsStepBack",
      "supportsDisassembleRequest",       "supportsReadMemoryRequest",
      "supportsEvaluateForHovers",        "supportsTerminateRequest",
      "supportsSteppingGranularity",      "supportsConditionalBreakpoints",
   };
   struct json_object *body = json_object_new_object();

   (void)args;
   for (unsigned n = 0; n < sizeof(can) / sizeof(*can); n++)
      dap_add_flag(body, can[n], true);
   answer(a, true, body, NULL);
}

static void interact(struct debugger *d);
static void look_around(struct debugger *d);

static void
do_launch(struct dap *a, const struct json_object *args)
{
   const char *program = dap_text(args, "program");

   if (a->launched) {
      refuse(a, "a capture is open");
      return;
   }
   program = program ? program : a->path;
   if (!program) {
      refuse(a, "program: the name of a capture");
      return;
   }
   if (play_read(a->tool, program, &a->file)) {
      refuse(a, "the capture cannot be read");
      return;
   }
   /* One thread: a stop has one number. */
   setenv("ATOLL_THREADS", "1", 1);
   setenv("ATOLL_BUDGET", "none", 0);
   a->file.name = strdup(program);
   if (play_open(&a->play, a->tool, &a->file, a->memory)) {
      refuse(a, "it is no capture that this device can replay; standard error says why");
      play_close(&a->play);
      free(a->file.data);
      free((char *)(uintptr_t)a->file.name);
      a->file = (struct tool_file){ 0 };
      return;
   }
   debugger_begin(&a->debugger, &a->play);
   a->debugger.interact = interact;
   a->debugger.poll = look_around;
   a->debugger.front = a;
   a->launched = true;
   a->entry = dap_flag(args, "stopOnEntry");
   answer(a, true, NULL, NULL);
   event(a, "initialized", NULL);
}

static void
do_configured(struct dap *a, const struct json_object *args)
{
   (void)args;
   if (!a->launched) {
      refuse(a, "no capture is open");
      return;
   }
   a->configured = true;
   answer(a, true, NULL, NULL);
}

static void
do_disconnect(struct dap *a, const struct json_object *args)
{
   (void)args;
   if (a->launched)
      debugger_quit(&a->debugger);
   a->goes = a->over = true;
   answer(a, true, NULL, NULL);
}

/* Nothing to do. */
static void
do_nothing(struct dap *a, const struct json_object *args)
{
   struct json_object *body = json_object_new_object();

   (void)args;
   json_object_object_add(body, "breakpoints", json_object_new_array());
   answer(a, true, body, NULL);
}

static const struct {
   const char *command;
   void (*run)(struct dap *a, const struct json_object *args);
   bool open; /* a capture must be */
} requests[] = {
   { "initialize", do_initialize, false },
   { "launch", do_launch, false },
   { "configurationDone", do_configured, false },
   { "disconnect", do_disconnect, false },
   { "terminate", do_disconnect, false },
   { "setExceptionBreakpoints", do_nothing, false },
   { "setBreakpoints", do_source_breaks, true },
   { "setInstructionBreakpoints", do_instruction_breaks, true },
   { "setFunctionBreakpoints", do_function_breaks, true },
   { "dataBreakpointInfo", do_data_info, true },
   { "setDataBreakpoints", do_data_breaks, true },
   { "threads", do_threads, true },
   { "stackTrace", do_stack, true },
   { "scopes", do_scopes, true },
   { "variables", do_variables, true },
   { "evaluate", do_evaluate, true },
   { "source", do_source, true },
   { "disassemble", do_disassemble, true },
   { "readMemory", do_memory, true },
   { "continue", do_continue, true },
   { "next", do_step, true },
   { "stepIn", do_step, true },
   { "stepOut", do_out, true },
   { "stepBack", do_back, true },
   { "reverseContinue", do_back, true },
   { "pause", do_pause, true },
};

/* Does what a message asks for, if it is a request. */
static void
serve(struct dap *a, struct json_object *message)
{
   const char *type = dap_text(message, "type"), *command = dap_text(message, "command");
   size_t n = 0;

   a->request = message;
   if (type && !strcmp(type, "request") && command) {
      while (n < sizeof(requests) / sizeof(*requests) && strcmp(requests[n].command, command) != 0)
         n++;
      if (n == sizeof(requests) / sizeof(*requests))
         refuse(a, "not a request that is known here");
      else if (requests[n].open && (!a->launched || a->over))
         refuse(a, "no capture is open");
      else
         requests[n].run(a, dap_member(message, "arguments"));
   }
   a->request = NULL;
   json_object_put(message);
}

static const char *
reason_of(const struct debugger *d)
{
   if (d->by)
      return d->by->owner == OWNER_INSTRUCTION ? "instruction breakpoint"
             : d->by->owner == OWNER_FUNCTION  ? "function breakpoint"
             : d->by->owner == OWNER_DATA      ? "data breakpoint"
                                               : "breakpoint";
   return d->ended ? "end" : d->goal == GOAL_BREAK ? "pause" : "step";
}

/* The debugger has stopped: until a request goes on. */
static void
interact(struct debugger *d)
{
   struct dap *a = d->front;
   struct json_object *body = json_object_new_object();

   a->stopped = true;
   a->goes = false;
   tell_console(a);
   dap_add_text(body, "reason", a->entry ? "entry" : reason_of(d));
   if (d->ended)
      dap_add_text(body, "description", "the end of the capture");
   dap_add_number(body, "threadId", d->look.wave ? d->look.lane + 1 : 1);
   dap_add_flag(body, "allThreadsStopped", true);
   if (d->by) {
      struct json_object *ids = json_object_new_array();

      json_object_array_add(ids, json_object_new_int((int)(d->by - d->breaks) + 1));
      json_object_object_add(body, "hitBreakpointIds", ids);
   }
   a->entry = false;
   event(a, "stopped", body);
   while (!a->goes) {
      struct json_object *message = dap_read(&a->wire);

      if (message)
         serve(a, message);
      else
         debugger_quit(d);
      a->goes |= !message;
   }
   a->stopped = false;
}

/* What has come while it runs. */
static void
look_around(struct debugger *d)
{
   struct dap *a = d->front;

   while (!a->over && dap_has(&a->wire)) {
      struct json_object *message = dap_read(&a->wire);

      if (message)
         serve(a, message);
      else
         do_disconnect(a, NULL);
   }
}

static void
play(struct dap *a)
{
   struct debugger *d = &a->debugger;
   struct json_object *body = json_object_new_object();
   bool ok;

   debugger_go(d, a->entry ? GOAL_STOP : GOAL_BREAK);
   d->target = 1;
   ok = debugger_play(d);
   debugger_end(d);
   tell_console(a);
   a->code = ok ? TOOL_OK : TOOL_REFUSED;
   dap_add_number(body, "exitCode", a->code);
   event(a, "exited", body);
   event(a, "terminated", NULL);
}

static void
finish(struct dap *a)
{
   for (unsigned n = 0; n < a->num_programs; n++)
      listing_finish(&a->programs[n].listing);
   free(a->programs);
   if (a->launched) {
      play_close(&a->play);
      free(a->file.data);
      free((char *)(uintptr_t)a->file.name);
   }
   free(a->wire.bytes);
}

int
dap_serve(const struct tool *tool, int in, FILE *out, const char *path, uint32_t memory)
{
   struct dap *a = calloc(1, sizeof(*a));
   FILE *standard = stdout;
   bool played = false;
   int code;

   if (!a)
      return TOOL_SYSTEM;
   *a = (struct dap){
      .wire = { .in = in, .out = out }, .tool = tool, .path = path, .memory = memory
   };
   a->printed = open_memstream(&a->console, &a->console_bytes);
   if (!a->printed) {
      free(a);
      return TOOL_SYSTEM;
   }
   stdout = a->printed;
   signal(SIGPIPE, SIG_IGN);
   for (struct json_object *message; !a->over && (message = dap_read(&a->wire));) {
      serve(a, message);
      if (a->configured && !played) {
         played = true;
         play(a);
      }
   }
   if (a->launched && !played)
      debugger_end(&a->debugger);
   stdout = standard;
   fclose(a->printed);
   free(a->console);
   finish(a);
   code = a->code;
   free(a);
   return code;
}

int
dap_listen(const struct tool *tool, uint16_t port, const char *path, uint32_t memory)
{
   struct sockaddr_in address = { .sin_family = AF_INET,
                                  .sin_port = htons(port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
   socklen_t size = sizeof(address);
   const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
   int client = -1, code = TOOL_SYSTEM;
   FILE *out;

   if (listener >= 0 && !setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) &&
       !bind(listener, (struct sockaddr *)&address, size) && !listen(listener, 1) &&
       !getsockname(listener, (struct sockaddr *)&address, &size)) {
      fprintf(stderr, "%s: listening on 127.0.0.1:%u\n", tool->name, ntohs(address.sin_port));
      client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
   }
   out = client >= 0 ? fdopen(client, "w") : NULL;
   if (out)
      code = dap_serve(tool, client, out, path, memory);
   else
      fprintf(stderr, "%s: port %u: %s\n", tool->name, port, strerror(errno));
   if (out)
      fclose(out);
   else if (client >= 0)
      close(client);
   if (listener >= 0)
      close(listener);
   return code;
}
