/* SPDX-License-Identifier: MIT */
/*
 * atoll-debug: stops in a capture (debugger.h); says which draws it has, and of a pixel what became
 * of it: each fragment with the outcome of its tests, each other change of its memory, and a
 * verdict (history.h).
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dap.h"
#include "debugger.h"
#include "history.h"
#include "play.h"

enum { COMMANDS, BATCH, DAP, PORT, LIST, WHY, EXPECT, DRAW, TARGET, LAYER, MEMORY };

static const struct tool_option options[] = {
   [COMMANDS] = { "commands", 'x', "FILE", NULL, "do the debugger's commands in a file first" },
   [BATCH] = { "batch", 0, NULL, NULL, "end after them" },
   [DAP] = { "dap", 0, NULL, NULL,
             "speak the Debug Adapter Protocol on standard input and output" },
   [PORT] = { "port", 0, "N", NULL,
              "with --dap: with one client, on a port of 127.0.0.1; 0: any that is free" },
   [LIST] = { "list", 'l', NULL, NULL, "list surfaces and draws" },
   [WHY] = { "why", 'w', "X,Y[,SAMPLE]", NULL, "the history of a pixel, and why it is as it is" },
   [EXPECT] = { "expect", 'e', "R,G,B,A", NULL,
                "with --why: what it should be; the component that is farthest from it is "
                "explained" },
   [DRAW] = { "draw", 'd', "S.N", NULL,
              "with --why: of the first colour target of draw N of submission S (the last draw)" },
   [TARGET] = { "target", 't', "N", NULL,
                "with --why: of surface N of --list; with --draw: of its colour target N" },
   [LAYER] = { "layer", 0, "N", NULL, "with --why: of layer N of the surface (its first)" },
   [MEMORY] = { "memory", 0, "MIB", NULL,
                "what the capture's buffers may have together (1024, and 64 times the file)" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-debug",
   .usage = "[OPTION...] FILE",
   .summary =
      "A debugger of captures (atoll run --capture FILE writes one): breaks at packets, draws, "
      "stages,\n"
      "waves, pixels, instructions and accesses, steps forwards and backwards, and shows waves; "
      "its\n"
      "command help lists its commands.  Or it lists the draws of a capture, or says of a pixel\n"
      "which fragments reached it, what each test said and what it held.",
   .options = options,
};

/* N of "N", "N,..." or "N....", and what follows it; NULL: none. */
static const char *
number(const char *text, uint32_t *value)
{
   char *end;
   unsigned long n;

   errno = 0;
   n = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : (end = NULL, 0);
   *value = (uint32_t)n;
   return !end || errno || n > UINT32_MAX ? NULL : end;
}

static bool
numbers(const char *text, char between, uint32_t *value, unsigned least, unsigned most)
{
   for (unsigned n = 0; n < most; n++) {
      text = number(text, &value[n]);
      if (!text)
         return false;
      if (!*text)
         return n + 1 >= least;
      if (*text++ != between)
         return false;
   }
   return false;
}

static bool
four_numbers(const char *text, double value[4])
{
   for (unsigned n = 0; n < 4; n++) {
      char *end;

      value[n] = strtod(text, &end);
      if (end == text || *end != (n < 3 ? ',' : 0) || !isfinite(value[n]))
         return false;
      text = end + 1;
   }
   return true;
}

/* What the command line asks for. */
struct request {
   bool list, batch, dap, listens;
   uint32_t port;
   const char *commands;
   struct history_question question;
   uint32_t memory;
};

/* Reads the command line; TOOL_ARG_END, or an exit code. */
static int
read_options(struct tool_args *args, struct request *r)
{
   struct history_question *q = &r->question;
   uint32_t at[3] = { 0 }, draw[2] = { 0 };
   int option;

   while ((option = tool_next(args)) != TOOL_ARG_END) {
      bool good = true;

      switch (option) {
      case TOOL_ARG_EXIT:
         return args->exit_code;
      case COMMANDS:
         r->commands = args->value;
         break;
      case BATCH:
         r->batch = true;
         break;
      case DAP:
         r->dap = true;
         break;
      case PORT:
         r->listens = true;
         if (!tool_number(&tool, options[option].name, args->value, UINT16_MAX, &r->port))
            return TOOL_USAGE;
         break;
      case LIST:
         r->list = true;
         break;
      case WHY:
         q->asked = good = numbers(args->value, ',', at, 2, 3);
         q->x = at[0];
         q->y = at[1];
         q->sample = at[2];
         break;
      case EXPECT:
         q->expects = good = four_numbers(args->value, q->expected);
         break;
      case DRAW:
         q->by_draw = good = numbers(args->value, '.', draw, 2, 2);
         q->submission = draw[0];
         q->draw = draw[1];
         break;
      case TARGET:
         q->by_target = true;
         good = numbers(args->value, 0, &q->target, 1, 1);
         break;
      case LAYER:
         q->by_layer = true;
         good = numbers(args->value, 0, &q->layer, 1, 1);
         break;
      default:
         if (!tool_number(&tool, options[option].name, args->value, UINT32_MAX, &r->memory))
            return TOOL_USAGE;
      }
      if (!good)
         return tool_usage(&tool, "--%s=%s: %s expected", options[option].name, args->value,
                           options[option].value);
   }
   if (r->listens && !r->dap)
      return tool_usage(&tool, "--port goes with --dap");
   if (r->dap && (r->list || r->question.asked || r->commands || r->batch))
      return tool_usage(&tool, "with --dap the client says what is done");
   if (r->dap)
      return TOOL_ARG_END;
   if (!args->input)
      return tool_usage(&tool, "no input file");
   if (r->list && q->asked)
      return tool_usage(&tool, "--list and --why are two questions");
   if (!strcmp(args->input, "-") && !r->list && !q->asked && !r->batch)
      return tool_usage(&tool, "standard input has the commands: the capture needs a name");
   return TOOL_ARG_END;
}

static int
debug(struct play *p, const struct request *r)
{
   FILE *commands = r->commands ? fopen(r->commands, "re") : NULL;
   int code;

   if (r->commands && !commands) {
      fprintf(stderr, "%s: %s: %s\n", tool.name, r->commands, strerror(errno));
      return TOOL_SYSTEM;
   }
   code = debugger_run(p, commands, r->batch);
   if (commands)
      fclose(commands);
   return code;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   struct request request = { 0 };
   struct tool_file file;
   struct play p;
   int code = read_options(&args, &request);

   if (code != TOOL_ARG_END)
      return code;
   if (request.dap)
      return request.listens ? dap_listen(&tool, (uint16_t)request.port, args.input, request.memory)
                             : dap_serve(&tool, STDIN_FILENO, stdout, args.input, request.memory);
   code = play_read(&tool, args.input, &file);
   if (code)
      return code;
   /* A stop has one number, and takes the time that it takes; steps have an order. */
   if (!request.list)
      setenv("ATOLL_THREADS", "1", 1);
   if (!request.list && !request.question.asked)
      setenv("ATOLL_BUDGET", "none", 0);
   code = play_open(&p, &tool, &file, request.memory);
   if (!code)
      code = request.list             ? history_list(&p)
             : request.question.asked ? history_why(&p, &request.question)
                                      : debug(&p, &request);
   play_close(&p);
   free(file.data);
   return code;
}
