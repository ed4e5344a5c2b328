/* SPDX-License-Identifier: MIT */
/*
 * What a capture that is made smaller keeps: a pixel's value, a fault, a difference.
 *
 * Each trial is a process of its own, since a process has one device, which its environment makes,
 * and since what is tried may end it.
 */
#ifndef ATOLL_TOOLS_KEEP_H
#define ATOLL_TOOLS_KEEP_H

#include "history.h"
#include "play.h"

enum keep_kind {
   KEEP_PIXEL,
   KEEP_FAULT,     /* a submission is ended; with a text: the device says that */
   KEEP_CRASH,     /* the process that plays it ends by a signal */
   KEEP_DIFFERENT, /* hashes of memory, with other variables in the environment */
   KEEP_COMMAND,   /* a shell's command ends with 0 */
};

#define KEEP_BYTES 16u /* that a pixel has at most */

struct keep {
   uint8_t kind;     /* enum keep_kind */
   const char *text; /* FAULT: what is said, or NULL; DIFFERENT: NAME=VALUE,...; COMMAND */
   struct history_question question;
   struct history_memory memory; /* PIXEL: from keep_begin() on */
   bool by_value;
   uint8_t value[KEEP_BYTES];
};

#define KEEP_MAX 8u

struct keep_trials {
   const struct play *play; /* loaded, and without a device */
   struct keep keeps[KEEP_MAX];
   unsigned count;
   unsigned seconds;                   /* that a trial may take */
   uint64_t trials;                    /* so far */
   struct atoll_capture_header header; /* of what is written */
   void *shared;                       /* what a trial's process says */
   size_t num_hashes;                  /* there is room for */
};

/** Reads "pixel=X,Y[,SURFACE][:VALUE]", "fault[=TEXT]", "crash", "different=NAME=VALUE,..." or
 *  "command=COMMAND".  False: it is none of them. */
bool keep_read(const char *text, struct keep *keep);

/** Finds the pixels, and the values that are not given.  An exit code, after a message. */
int keep_begin(struct keep_trials *t);
void keep_end(struct keep_trials *t);

/** Whether what is to be kept is, by these records. */
bool keep_holds(struct keep_trials *t, const char *records, size_t size);

/** The hashes after these records' submissions; NULL: they cannot be played. */
const uint64_t *keep_hashes(struct keep_trials *t, const char *records, size_t size);

#endif
