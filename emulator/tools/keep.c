/* SPDX-License-Identifier: MIT */
/* See keep.h. */
#include "keep.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frontdoor/device.h"
#include "frontdoor/report.h"
#include "memory/vm.h"
#include "parts.h"
#include "radeon/radeon.h"

#define REPORT_BYTES 65536u

/* What a trial's process leaves in memory that its parent sees. */
struct outcome {
   bool played; /* to the end */
   struct atoll_capture_header header;
   int code; /* of history_find() */
   struct history_memory memory;
   uint64_t resets;
   bool says[KEEP_MAX];                 /* FAULT: the text */
   uint8_t value[KEEP_MAX][KEEP_BYTES]; /* PIXEL */
   size_t num_hashes;
   uint64_t hashes[];
};

/* The process of a trial. */
struct trial {
   struct keep_trials *all;
   const char *records;
   size_t size;
   const char *environment;                 /* NULL: as it is */
   const struct history_question *question; /* of this pixel the memory is asked; NULL: of none */
   bool hashes;
   bool asks_report;
   struct outcome *outcome;
   char report[REPORT_BYTES];
};

/* ---- In the process of a trial ---- */

/* What can be seen after a submission.  Programs unmap their buffers at the end: a pixel is what it
 * was when its memory was last there. */
static void
look(struct play *p, uint64_t client)
{
   struct trial *t = p->data;
   struct outcome *o = t->outcome;

   (void)client;
   o->resets = radeon_of(p->device)->resets;
   if (t->asks_report)
      report_read(p->device->report, t->report, sizeof(t->report));
   for (unsigned n = 0; n < t->all->count; n++) {
      const struct keep *k = &t->all->keeps[n];
      const struct atoll_client *c = k->memory.bytes ? play_client(p, k->memory.client) : NULL;
      uint8_t value[KEEP_BYTES] = { 0 };

      if (k->kind == KEEP_FAULT && k->text)
         o->says[n] |= strstr(t->report, k->text) != NULL;
      if (c && c->vm && vm_read(c->vm, k->memory.va, value, k->memory.bytes) == k->memory.bytes)
         memcpy(o->value[n], value, sizeof(value));
   }
}

static void
note_hash(struct play *p, uint64_t client, uint64_t hash, uint64_t captured)
{
   struct trial *t = p->data;
   struct outcome *o = t->outcome;

   (void)client;
   (void)captured;
   if (o->num_hashes < t->all->num_hashes)
      o->hashes[o->num_hashes++] = hash;
}

static void
set_variables(const char *text)
{
   char *copy = strdup(text), *rest = copy;

   for (char *word; copy && (word = strtok_r(rest, ",", &rest));) {
      char *equals = strchr(word, '=');

      if (equals) {
         *equals = 0;
         setenv(word, equals + 1, 1);
      }
   }
   free(copy);
}

/* Nothing is told but what is asked of the user's own words. */
static void
be_quiet(void)
{
   if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
      _exit(TOOL_SYSTEM);
}

static _Noreturn void
play_trial(struct trial *t)
{
   static struct play p;

   if (!t->question)
      be_quiet();
   for (unsigned n = 0; n < t->all->count; n++)
      t->asks_report |= t->all->keeps[n].kind == KEEP_FAULT && t->all->keeps[n].text;
   alarm(t->all->seconds);
   if (t->environment)
      set_variables(t->environment);
   p = *t->all->play;
   p.records = t->records;
   p.size = t->size;
   p.data = t;
   p.submitted = look;
   p.hashed = t->hashes ? note_hash : NULL;
   if (play_device(&p))
      _exit(TOOL_SYSTEM);
   p.header.version = ATOLL_CAPTURE_VERSION;
   t->outcome->header = p.header;
   if (t->question) {
      p.submitted = NULL;
      t->outcome->code = history_find(&p, t->question, &t->outcome->memory);
      fflush(NULL);
   } else {
      t->outcome->played = play_run(&p);
   }
   _exit(TOOL_OK);
}

/* ---- Trials ---- */

/* What waitpid() says of the process; -1: there is none. */
static int
run(struct trial *t)
{
   int status = -1;
   pid_t child;

   t->outcome = t->all->shared;
   memset(t->outcome, 0, sizeof(*t->outcome));
   t->outcome->code = TOOL_SYSTEM;
   fflush(NULL);
   child = fork();
   if (!child)
      play_trial(t);
   while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
   return child < 0 ? -1 : status;
}

/* A hash of the submissions' hashes. */
static uint64_t
hash_of(const struct keep_trials *all)
{
   const struct outcome *o = all->shared;
   uint64_t hash = 0;

   for (size_t n = 0; n < o->num_hashes; n++)
      hash = atoll_capture_mix(hash, o->hashes[n]);
   return hash;
}

/* Whether the hashes are others with these variables. */
static bool
differs(struct trial *t, const char *variables, uint64_t hash)
{
   const struct outcome *o = t->all->shared;

   t->environment = variables;
   run(t);
   return o->played && hash_of(t->all) != hash;
}

/* A shell does the command with the records' file as its $1. */
static bool
command_holds(const struct keep_trials *all, const char *command, const char *records, size_t size)
{
   const char *folder = getenv("TMPDIR");
   char path[4096], *bytes = NULL;
   size_t num_bytes = 0;
   int file, status = -1;
   pid_t child = -1;
   bool ok;

   if (snprintf(path, sizeof(path), "%s/atoll-XXXXXX", folder && *folder ? folder : "/tmp") >=
       (int)sizeof(path))
      return false;
   file = mkstemp(path);
   ok = file >= 0 && parts_pack(&all->header, records, size, 1, &bytes, &num_bytes) &&
        write(file, bytes, num_bytes) == (ssize_t)num_bytes;
   free(bytes);
   if (file >= 0)
      close(file);
   fflush(NULL);
   if (ok)
      child = fork();
   if (!child) {
      be_quiet();
      alarm(all->seconds);
      execl("/bin/sh", "sh", "-c", command, "sh", path, (char *)NULL);
      _exit(127);
   }
   while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
   if (file >= 0)
      unlink(path);
   return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool
one_holds(const struct keep_trials *all, const struct keep *k, const struct outcome *o, int status)
{
   switch ((enum keep_kind)k->kind) {
   case KEEP_PIXEL:
      return o->played && !memcmp(o->value[k - all->keeps], k->value, KEEP_BYTES);
   case KEEP_FAULT:
      return k->text ? o->says[k - all->keeps] : o->played && o->resets;
   case KEEP_CRASH:
      return status != -1 && WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM;
   case KEEP_DIFFERENT:
   case KEEP_COMMAND:
      break;
   }
   return true;
}

bool
keep_holds(struct keep_trials *all, const char *records, size_t size)
{
   static struct trial t;
   const struct outcome *o = all->shared;
   bool plain = false, holds = true;
   uint64_t hash;
   int status = 0;

   all->trials++;
   t = (struct trial){ .all = all, .records = records, .size = size };
   for (unsigned n = 0; n < all->count; n++) {
      t.hashes |= all->keeps[n].kind == KEEP_DIFFERENT;
      plain |= all->keeps[n].kind != KEEP_COMMAND;
   }
   if (plain)
      status = run(&t);
   for (unsigned n = 0; plain && n < all->count && holds; n++)
      holds = one_holds(all, &all->keeps[n], o, status);
   hash = hash_of(all);
   if (t.hashes)
      holds &= o->played;
   for (unsigned n = 0; n < all->count && holds; n++)
      if (all->keeps[n].kind == KEEP_DIFFERENT)
         holds = differs(&t, all->keeps[n].text, hash);
      else if (all->keeps[n].kind == KEEP_COMMAND)
         holds = command_holds(all, all->keeps[n].text, records, size);
   return holds;
}

const uint64_t *
keep_hashes(struct keep_trials *all, const char *records, size_t size)
{
   static struct trial t;
   const struct outcome *o = all->shared;

   t = (struct trial){ .all = all, .records = records, .size = size, .hashes = true };
   run(&t);
   return o->played ? o->hashes : NULL;
}

/* ---- Beginning ---- */

/* A number in hexadecimal digits, as the history of a pixel has it: the last byte first. */
static bool
read_value(const char *text, uint8_t value[KEEP_BYTES])
{
   size_t length;

   memset(value, 0, KEEP_BYTES);
   text += 2 * !strncmp(text, "0x", 2);
   length = strlen(text);
   if (!length || length > 2 * KEEP_BYTES || strspn(text, "0123456789abcdefABCDEF") != length)
      return false;
   for (size_t n = 0; n < length; n++) {
      const int c = tolower((unsigned char)text[length - 1 - n]);

      value[n / 2] |= (uint8_t)((isdigit(c) ? c - '0' : c - 'a' + 10) << n % 2 * 4);
   }
   return true;
}

static bool
read_pixel(const char *text, struct keep *k)
{
   struct history_question *q = &k->question;
   int length = 0;

   q->asked = true;
   if (sscanf(text, "%9" SCNu32 ",%9" SCNu32 "%n", &q->x, &q->y, &length) < 2)
      return false;
   text += length;
   length = 0;
   if (*text == ',') {
      if (sscanf(text, ",%9" SCNu32 "%n", &q->target, &length) < 1)
         return false;
      q->by_target = true;
   }
   text += length;
   k->by_value = *text == ':';
   return k->by_value ? read_value(text + 1, k->value) : !*text;
}

bool
keep_read(const char *text, struct keep *k)
{
   static const char *const kinds[] = {
      [KEEP_PIXEL] = "pixel",         [KEEP_FAULT] = "fault",     [KEEP_CRASH] = "crash",
      [KEEP_DIFFERENT] = "different", [KEEP_COMMAND] = "command",
   };
   const size_t length = strcspn(text, "=");

   *k = (struct keep){ 0 };
   while (k->kind < sizeof(kinds) / sizeof(*kinds) &&
          (strlen(kinds[k->kind]) != length || strncmp(kinds[k->kind], text, length) != 0))
      k->kind++;
   if (text[length] && text[length + 1])
      k->text = text + length + 1;
   switch (k->kind) {
   case KEEP_PIXEL:
      return k->text && read_pixel(k->text, k);
   case KEEP_FAULT:
      return true;
   case KEEP_CRASH:
      return !k->text;
   case KEEP_DIFFERENT:
      return k->text && strchr(k->text, '=');
   case KEEP_COMMAND:
      return k->text;
   default:
      return false;
   }
}

/* How long the capture takes, and the values of pixels. */
static void
first_run(struct keep_trials *all)
{
   static struct trial t;
   const struct outcome *o = all->shared;
   struct timespec begin, end;

   t = (struct trial){ .all = all, .records = all->play->records, .size = all->play->size };
   all->seconds = 0;
   clock_gettime(CLOCK_MONOTONIC, &begin);
   run(&t);
   clock_gettime(CLOCK_MONOTONIC, &end);
   all->header = o->header;
   all->seconds = 10 + 4 * (unsigned)(end.tv_sec - begin.tv_sec);
   for (unsigned n = 0; n < all->count; n++)
      if (all->keeps[n].kind == KEEP_PIXEL && !all->keeps[n].by_value)
         memcpy(all->keeps[n].value, o->value[n], KEEP_BYTES);
}

int
keep_begin(struct keep_trials *all)
{
   const size_t size = sizeof(struct outcome) + all->num_hashes * sizeof(uint64_t);
   static struct trial t;

   all->shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (all->shared == MAP_FAILED) {
      all->shared = NULL;
      fprintf(stderr, "%s: %s\n", all->play->tool->name, strerror(errno));
      return TOOL_SYSTEM;
   }
   for (unsigned n = 0; n < all->count; n++) {
      const struct outcome *o = all->shared;

      if (all->keeps[n].kind != KEEP_PIXEL)
         continue;
      t = (struct trial){ .all = all,
                          .records = all->play->records,
                          .size = all->play->size,
                          .question = &all->keeps[n].question };
      run(&t);
      if (o->code)
         return o->code;
      all->keeps[n].memory = o->memory;
   }
   first_run(all);
   return TOOL_OK;
}

void
keep_end(struct keep_trials *all)
{
   if (all->shared)
      munmap(all->shared, sizeof(struct outcome) + all->num_hashes * sizeof(uint64_t));
   all->shared = NULL;
}
