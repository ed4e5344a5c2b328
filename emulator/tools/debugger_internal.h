/* SPDX-License-Identifier: MIT */
/* What the debugger's files share: the run, and what it stops for. */
#ifndef ATOLL_TOOLS_DEBUGGER_INTERNAL_H
#define ATOLL_TOOLS_DEBUGGER_INTERNAL_H

#include "condition.h"
#include "debugger.h"
#include "pass/probe.h"

struct gfx;
struct line;

#define DEBUGGER_BREAKS 64u

enum break_kind {
   BREAK_DRAW,
   BREAK_STAGE,
   BREAK_WAVE,
   BREAK_PIXEL,
   BREAK_AT,
   BREAK_PACKET,
   BREAK_ACCESS,
   BREAK_CHANGE, /* of a row */
   BREAK_IL,     /* a line of it */
   BREAK_MARKER, /* a packet that is one, with `name` in its text; "": any */
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
   uint64_t va;      /* not 0: of the instruction, in whatever program; instead of `origin` */
   uint32_t line;    /* IL: from 1 on; `origin` is the instruction */
   uint64_t line_in; /* IL: of this program, 0: not looked for yet; */
   uint64_t only_in; /* IL: not 0: in this program alone */
   int opcode;       /* of a packet; -1: any */
   uint8_t memory, how;
   uint64_t address, bytes;
   unsigned owner; /* the front end's; 0: a command */
   struct condition condition;

   /* CHANGE: the row as it was before the wave's instruction before. */
   char name[64];
   bool seen;
   struct core_identity seen_in;
   uint32_t row[WAVE_LANES];
};

/* A marker, and the draw that comes after it. */
struct marker {
   uint32_t submission, draw;
   char text[128];
};

#define DEBUGGER_MARKERS 65536u /* that are kept */

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
   /* At each stop, and where a run has ended: what is asked for until one goes on. */
   void (*interact)(struct debugger *d);
   /* Now and then while it runs: it may quit, or set `interrupted`.  NULL: nothing is called. */
   void (*poll)(struct debugger *d);
   void *front; /* the front end's */
   FILE *commands;
   struct line *line; /* what edits lines at a terminal; NULL: nothing does */
   char name[64];     /* that is offered there */
   bool batch, failed, tty, quits;
   bool interrupted; /* the next instruction is one to stop at */
   struct breakpoint breaks[DEBUGGER_BREAKS];

   /* The run. */
   struct marker *markers;
   uint32_t num_markers, max_markers;
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
   const struct breakpoint *by; /* that the newest stop is for; NULL: none */
   bool begins, draws;          /* the newest instruction is a wave's, a draw's first */
   bool there;                  /* it is one to stop at, */
   bool asks;                   /* or its wave's state says so */

   /* The stop at hand. */
   struct look look; /* wave NULL: before a packet, or not in a wave at all */
   struct core_identity here;
   uint64_t here_count;
   bool in_run, ended; /* `ended`: the stop is the capture's end */
   uint32_t packet_at, packet_submission, packet_header; /* of a stop before a packet */
};

/* ---- The run (debugger.c) ---- */

/** A debugger of the capture, with no breakpoint. */
void debugger_begin(struct debugger *d, struct play *p);
/** Runs as the goal says, and asks at each stop, until it is told to quit.  False: the capture
 *  cannot be played, or no further than this. */
bool debugger_play(struct debugger *d);
void debugger_end(struct debugger *d);

/** Goes on in the run at hand, or begins one. */
void debugger_go(struct debugger *d, enum goal goal);
/** In a run from the beginning. */
void debugger_go_again(struct debugger *d, enum goal goal, uint64_t target);
/** Back to the last stop before this one that fits.  False: there is none. */
bool debugger_go_back(struct debugger *d, enum scan scan);
void debugger_quit(struct debugger *d);
/** Breakpoints are others than they were. */
void debugger_find_observer(struct debugger *d);
/** A number for a breakpoint that is free, DEBUGGER_BREAKS: there is none. */
unsigned debugger_free_break(const struct debugger *d);

/* ---- Commands (commands.c) ---- */

/** Does what a line says. */
enum debugger_next { NEXT_PROMPT, NEXT_GO, NEXT_REFUSED };
enum debugger_next debugger_command(struct debugger *d, char *line);
/** A breakpoint of "stage pixel" and so on.  False: it is none. */
bool debugger_read_break(const char *text, struct breakpoint *b);

#endif
