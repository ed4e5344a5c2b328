/* SPDX-License-Identifier: MIT */
/*
 * atoll-debug: says of a capture what its draws are, and of a pixel what became of it: each
 * fragment with the outcome of its tests, each other change of its memory, and a verdict.
 *
 * The capture is played twice.  The first time draws and surfaces are listed, the second time a
 * probe follows the pixel (pass/probe.h).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "play.h"

enum { LIST, WHY, DRAW, TARGET, LAYER, MEMORY };

static const struct tool_option options[] = {
   [LIST] = { "list", 'l', NULL, NULL, "list surfaces and draws" },
   [WHY] = { "why", 'w', "X,Y[,SAMPLE]", NULL, "the history of a pixel, and why it is as it is" },
   [DRAW] = { "draw", 'd', "S.N", NULL,
              "with --why: of the first colour target of draw N of submission S (the capture's "
              "last "
              "draw)" },
   [TARGET] = { "target", 't', "N", NULL,
                "with --why: of surface N of --list; with --draw: of its colour target N" },
   [LAYER] = { "layer", 0, "N", NULL, "with --why: of layer N of the surface (its first)" },
   [MEMORY] = { "memory", 0, "MIB", NULL,
                "what the capture's buffers may have together (1024, and 64 times the file)" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-debug",
   .usage = "--list|--why=X,Y[,SAMPLE] [OPTION...] FILE",
   .summary =
      "Says of a capture (ATOLL_CS_CAPTURE=FILE writes one) which draws it has, or of a pixel "
      "which\n"
      "fragments reached it, what each test said and what it held.  FILE is - for standard input.",
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

/* Reads the command line; TOOL_ARG_END, or an exit code. */
static int
read_options(struct tool_args *args, struct history_question *q, bool *list, uint32_t *memory)
{
   uint32_t at[3] = { 0 }, draw[2] = { 0 };
   int option;

   while ((option = tool_next(args)) != TOOL_ARG_END) {
      bool good = true;

      switch (option) {
      case TOOL_ARG_EXIT:
         return args->exit_code;
      case LIST:
         *list = true;
         break;
      case WHY:
         q->asked = good = numbers(args->value, ',', at, 2, 3);
         q->x = at[0];
         q->y = at[1];
         q->sample = at[2];
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
         if (!tool_number(&tool, options[option].name, args->value, UINT32_MAX, memory))
            return TOOL_USAGE;
      }
      if (!good)
         return tool_usage(&tool, "--%s=%s: %s expected", options[option].name, args->value,
                           options[option].value);
   }
   if (!args->input)
      return tool_usage(&tool, "no input file");
   if (*list == q->asked)
      return tool_usage(&tool, "one of --list and --why expected");
   return TOOL_ARG_END;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   struct history_question question = { 0 };
   uint32_t memory = 0;
   bool list = false;
   struct tool_file file;
   struct play p;
   int code = read_options(&args, &question, &list, &memory);

   if (code != TOOL_ARG_END)
      return code;
   code = play_read(&tool, args.input, &file);
   if (code)
      return code;
   code = play_open(&p, &tool, &file, memory);
   if (!code)
      code = list ? history_list(&p) : history_why(&p, &question);
   free(file.data);
   return code;
}
