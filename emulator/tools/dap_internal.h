/* SPDX-License-Identifier: MIT */
/* What the adapter's files share: the session, and answers to requests. */
#ifndef ATOLL_TOOLS_DAP_INTERNAL_H
#define ATOLL_TOOLS_DAP_INTERNAL_H

#include "dap_wire.h"
#include "debugger_internal.h"
#include "listing.h"

/* A program that was stopped in. */
struct program {
   struct listing listing;
   struct notes notes; /* none: all zero */
   char name[64];
};

#define DAP_PROGRAMS 4096u

/* A sourceReference is 1 + a program's number: its listing; or that and DAP_PROGRAMS more: its
 * IL. */

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
   size_t noted; /* bytes of their notes */

   const struct json_object *request;
   bool goes; /* the debugger is to go on */
};

/* ---- Answers (dap.c) ---- */

/** Answers the request at hand; the body, NULL: none, is freed. */
void dap_answer(struct dap *a, bool ok, struct json_object *body, const char *message);
void dap_refuse(struct dap *a, const char *why);

/* ---- Requests that read (dap_look.c) ---- */

/** The lane of a frame or thread, if a wave is stopped. */
bool dap_choose_lane(struct dap *a, int64_t lane);
/** A program, or its IL, as the protocol's source. */
struct json_object *dap_source_of(const struct dap *a, unsigned program, bool il);
/** The program that has this source for its IL; NULL: none has. */
const struct program *dap_il_source(const struct dap *a, int64_t reference);
/** A number as the protocol's references to memory are. */
bool dap_read_address(const char *text, uint64_t *address);
/** The register, mask or constant of the name, or its first component, as `result`. */
bool dap_evaluate_name(struct dap *a, const char *name, struct json_object *body);

void dap_threads(struct dap *a, const struct json_object *args);
void dap_stack(struct dap *a, const struct json_object *args);
void dap_scopes(struct dap *a, const struct json_object *args);
void dap_variables(struct dap *a, const struct json_object *args);
void dap_memory(struct dap *a, const struct json_object *args);
void dap_disassemble(struct dap *a, const struct json_object *args);
void dap_source(struct dap *a, const struct json_object *args);

#endif
