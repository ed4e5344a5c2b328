/* SPDX-License-Identifier: MIT */
/* See dap.h.  Requests are read where the debugger asks what comes next, and now and then while it
 * runs; those that set breakpoints and those that go on are here, those that read are in
 * dap_look.c. */
#include "dap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dap_internal.h"

/* Owners of breakpoints: what sets them together.  From OWNER_SOURCE on: of a program's source. */
enum { OWNER_COMMAND, OWNER_INSTRUCTION, OWNER_FUNCTION, OWNER_DATA, OWNER_SOURCE };

/* ---- Answers ---- */

void
dap_answer(struct dap *a, bool ok, struct json_object *body, const char *message)
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

void
dap_refuse(struct dap *a, const char *why)
{
   dap_answer(a, false, NULL, why);
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

/* ---- Values and commands ---- */

static void
do_evaluate(struct dap *a, const struct json_object *args)
{
   const char *expression = dap_text(args, "expression"), *context = dap_text(args, "context");
   const int64_t frame = dap_number(args, "frameId", 0) - 1;
   struct json_object *body = json_object_new_object();
   char line[512];

   if (frame >= 0)
      dap_choose_lane(a, frame / 4);
   if (!expression || strlen(expression) >= sizeof(line)) {
      json_object_put(body);
      dap_refuse(a, "no expression, or one that is too long");
      return;
   }
   if (a->stopped && a->debugger.look.wave && dap_evaluate_name(a, expression, body)) {
      dap_answer(a, true, body, NULL);
      return;
   }
   if (!context || strcmp(context, "repl") != 0 || !a->stopped) {
      json_object_put(body);
      dap_refuse(a, a->stopped ? "nothing has that name" : "it is not stopped");
      return;
   }
   tell_console(a);
   strcpy(line, expression);
   a->goes = debugger_command(&a->debugger, line) == NEXT_GO;
   struct json_object *result = take_console(a);

   json_object_object_add(body, "result", result ? result : json_object_new_string(""));
   dap_add_number(body, "variablesReference", 0);
   dap_answer(a, true, body, NULL);
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
   if (!why && b->condition.op &&
       (b->kind == BREAK_PACKET || b->kind == BREAK_ACCESS || b->kind == BREAK_MARKER))
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
   dap_answer(a, true, body, NULL);
}

static struct breakpoint
break_at(uint64_t va)
{
   struct breakpoint b = { .kind = BREAK_AT, .stage = CORE_STAGES, .any_draw = true, .va = va };

   snprintf(b.text, sizeof(b.text), "at address 0x%" PRIx64, va);
   return b;
}

/* Of a program's IL: at the line, or the next that an instruction was made for. */
static void
break_at_il(struct dap *a, const struct json_object *args, const struct program *p, unsigned owner)
{
   struct json_object *list = json_object_new_array(), *asked = dap_member(args, "breakpoints");

   clear_breaks(a, owner);
   for (size_t n = 0; n < dap_elements(args, "breakpoints"); n++) {
      const struct json_object *one = json_object_array_get_idx(asked, n);
      const int64_t line = dap_number(one, "line", 0);
      uint32_t best = UINT32_MAX;
      struct json_object *o;

      for (uint32_t k = 0; k < p->notes.map_count; k++)
         if (p->notes.map[k] && p->notes.map[k] >= line && p->notes.map[k] < best)
            best = p->notes.map[k];

      struct breakpoint b = { .kind = BREAK_IL,
                              .stage = CORE_STAGES,
                              .any_draw = true,
                              .line = best,
                              .only_in = p->listing.va };

      snprintf(b.text, sizeof(b.text), "il %" PRIu32, best);
      o = set_break(a, list, one, owner, &b, best < UINT32_MAX ? NULL : "there is no instruction");
      if (best < UINT32_MAX)
         dap_add_number(o, "line", best);
   }
   finish_breaks(a, list);
}

/* Of a program's lines: at the line, or the first instruction after it. */
static void
do_source_breaks(struct dap *a, const struct json_object *args)
{
   const int64_t program = dap_number(dap_member(args, "source"), "sourceReference", 0) - 1;
   const struct program *il = dap_il_source(a, program + 1);

   if (il) {
      break_at_il(a, args, il, OWNER_SOURCE + (unsigned)program);
      return;
   }

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
         json_object_object_add(o, "source", dap_source_of(a, (unsigned)program, false));
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
      const bool good = dap_read_address(dap_text(one, "instructionReference"), &address);
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
      snprintf(id, sizeof(id),
               dap_read_address(name, &address) ? "SPACE %s %" PRId64 : "%s %" PRId64,
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
   dap_answer(a, true, body, NULL);
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

/* ---- Going on ---- */

/* The run goes on, if it is stopped. */
static bool
may_go(struct dap *a)
{
   if (!a->stopped)
      dap_refuse(a, "it is not stopped");
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
   dap_answer(a, true, body, NULL);
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
      dap_refuse(a, "nothing came before, or the stop is in no wave");
}

static void
do_pause(struct dap *a, const struct json_object *args)
{
   (void)args;
   a->debugger.interrupted = !a->stopped;
   dap_answer(a, true, NULL, NULL);
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
   dap_answer(a, true, body, NULL);
}

static void interact(struct debugger *d);
static void look_around(struct debugger *d);

static void
do_launch(struct dap *a, const struct json_object *args)
{
   const char *program = dap_text(args, "program");

   if (a->launched) {
      dap_refuse(a, "a capture is open");
      return;
   }
   program = program ? program : a->path;
   if (!program) {
      dap_refuse(a, "program: the name of a capture");
      return;
   }
   if (play_read(a->tool, program, &a->file)) {
      dap_refuse(a, "the capture cannot be read");
      return;
   }
   /* One thread: a stop has one number. */
   setenv("ATOLL_THREADS", "1", 1);
   setenv("ATOLL_BUDGET", "none", 0);
   a->file.name = strdup(program);
   if (play_open(&a->play, a->tool, &a->file, a->memory)) {
      dap_refuse(a, "it is no capture that this device can replay; standard error says why");
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
   dap_answer(a, true, NULL, NULL);
   event(a, "initialized", NULL);
}

static void
do_configured(struct dap *a, const struct json_object *args)
{
   (void)args;
   if (!a->launched) {
      dap_refuse(a, "no capture is open");
      return;
   }
   a->configured = true;
   dap_answer(a, true, NULL, NULL);
}

static void
do_disconnect(struct dap *a, const struct json_object *args)
{
   (void)args;
   if (a->launched)
      debugger_quit(&a->debugger);
   a->goes = a->over = true;
   dap_answer(a, true, NULL, NULL);
}

/* Nothing to do. */
static void
do_nothing(struct dap *a, const struct json_object *args)
{
   struct json_object *body = json_object_new_object();

   (void)args;
   json_object_object_add(body, "breakpoints", json_object_new_array());
   dap_answer(a, true, body, NULL);
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
   { "threads", dap_threads, true },
   { "stackTrace", dap_stack, true },
   { "scopes", dap_scopes, true },
   { "variables", dap_variables, true },
   { "evaluate", do_evaluate, true },
   { "source", dap_source, true },
   { "disassemble", dap_disassemble, true },
   { "readMemory", dap_memory, true },
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
         dap_refuse(a, "not a request that is known here");
      else if (requests[n].open && (!a->launched || a->over))
         dap_refuse(a, "no capture is open");
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
finish_program(struct program *p)
{
   listing_finish(&p->listing);
   notes_finish(&p->notes);
}

static void
finish(struct dap *a)
{
   for (unsigned n = 0; n < a->num_programs; n++)
      finish_program(&a->programs[n]);
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
