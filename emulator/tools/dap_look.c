/* SPDX-License-Identifier: MIT */
/* The adapter's requests that read what is stopped: lanes, stacks, variables, memory and code. */
#include "dap_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <atoll/cayman/pm4.h>

#include "memory/vm.h"

#define MAX_MEMORY       (1u << 20) /* bytes of a readMemory */
#define MAX_INSTRUCTIONS 4096

/* variablesReference: of a scope SCOPE + lane * 8 + its number; of a row GRID + its number. */
enum { SCOPE_REGISTERS, SCOPE_MASKS, SCOPE_CONSTANTS, SCOPE_WAVE };
#define SCOPE 1
#define GRID  4096

/* Frames: lane * 4 + level + 1. */
enum { LEVEL_INSTRUCTION, LEVEL_IL, LEVEL_WORK, LEVEL_DRAW, LEVELS };

/* ---- Programs ---- */

/* The number of a program in memory, DAP_PROGRAMS: there is none. */
static unsigned
find_program(const struct dap *a, uint64_t address)
{
   for (unsigned n = a->num_programs; n--;)
      if (address >= a->programs[n].listing.va &&
          address - a->programs[n].listing.va < a->programs[n].listing.bytes)
         return n;
   return DAP_PROGRAMS;
}

/* That of the wave that is stopped. */
static unsigned
program_here(struct dap *a)
{
   const struct look *l = &a->debugger.look;
   const struct core_program *p = l->wave->bind->program;
   unsigned n = p->va ? find_program(a, p->va) : DAP_PROGRAMS;
   struct program *grown;

   if (n < DAP_PROGRAMS && a->programs[n].listing.va == p->va &&
       a->programs[n].listing.bytes == p->words_used * 4)
      return n;
   if (a->num_programs == DAP_PROGRAMS ||
       !(grown = realloc(a->programs, (a->num_programs + 1) * sizeof(*grown))))
      return DAP_PROGRAMS;
   a->programs = grown;
   n = a->num_programs;
   if (!listing_make(&grown[n].listing, l->vm, p))
      return DAP_PROGRAMS;
   if (a->noted >= NOTES_KEPT || !notes_read(&grown[n].notes, l->vm, p->va, 4 * p->words_used))
      grown[n].notes = (struct notes){ 0 };
   a->noted += grown[n].notes.size;
   snprintf(grown[n].name, sizeof(grown[n].name), "%s-0x%" PRIx64 ".%s",
            look_stage(l->wave->identity.stage), p->va, p->engine->name);
   a->num_programs++;
   return n;
}

struct json_object *
dap_source_of(const struct dap *a, unsigned program, bool il)
{
   struct json_object *o = json_object_new_object();

   dap_add_format(o, "name", "%s%s", a->programs[program].name, il ? ".il" : "");
   dap_add_number(o, "sourceReference", program + 1 + (il ? DAP_PROGRAMS : 0));
   return o;
}

const struct program *
dap_il_source(const struct dap *a, int64_t reference)
{
   const int64_t n = reference - 1 - DAP_PROGRAMS;

   return n >= 0 && n < a->num_programs && a->programs[n].notes.text[ATOLL_NOTE_IL]
             ? &a->programs[n]
             : NULL;
}

/* A number as the protocol's references to memory are. */
bool
dap_read_address(const char *text, uint64_t *address)
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
bool
dap_choose_lane(struct dap *a, int64_t lane)
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

void
dap_threads(struct dap *a, const struct json_object *args)
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
   dap_answer(a, true, body, NULL);
}

/* The line of the wave's IL; 0: unknown. */
static uint32_t
il_line(struct dap *a)
{
   struct look *l = &a->debugger.look;
   const unsigned program = program_here(a);
   const struct source *s = program < DAP_PROGRAMS && a->programs[program].notes.text[ATOLL_NOTE_IL]
                               ? sources_find(&l->sources, l->vm, l->wave->bind->program)
                               : NULL;

   return s ? source_line(s, l->wave->origin) : 0;
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
      if (program < DAP_PROGRAMS) {
         line = listing_find(&a->programs[program].listing, l->wave->origin) + 1;
         json_object_object_add(o, "source", dap_source_of(a, program, false));
      }
      if (address)
         dap_add_format(o, "instructionPointerReference", "0x%" PRIx64, address);
   } else if (level == LEVEL_IL) {
      line = il_line(a);
      dap_add_format(o, "name", "line %u of its IL", line);
      json_object_object_add(o, "source", dap_source_of(a, program_here(a), true));
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
   if (level != LEVEL_INSTRUCTION && level != LEVEL_IL)
      dap_add_text(o, "presentationHint", "label");
   dap_add_number(o, "line", line);
   dap_add_number(o, "column", line ? 1 : 0);
   json_object_array_add(frames, o);
}

void
dap_stack(struct dap *a, const struct json_object *args)
{
   const int64_t first = dap_number(args, "startFrame", 0), levels = dap_number(args, "levels", 0);
   const struct debugger *d = &a->debugger;
   struct json_object *body = json_object_new_object(), *frames = json_object_new_array();
   unsigned total = 0;

   if (dap_choose_lane(a, dap_number(args, "threadId", 1) - 1)) {
      for (unsigned n = 0; n < LEVELS; n++) {
         if (n == LEVEL_IL && !il_line(a))
            continue;
         if (total >= first && (levels <= 0 || total - first < levels))
            add_frame(a, frames, n);
         total++;
      }
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
   dap_answer(a, true, body, NULL);
}

void
dap_scopes(struct dap *a, const struct json_object *args)
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

   if (dap_choose_lane(a, frame >= 0 ? frame / 4 : -1))
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
   dap_answer(a, true, body, NULL);
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

void
dap_variables(struct dap *a, const struct json_object *args)
{
   const int64_t reference = dap_number(args, "variablesReference", 0);
   struct json_object *body = json_object_new_object(), *list = json_object_new_array();

   if (reference >= GRID) {
      if (dap_choose_lane(a, a->debugger.look.lane) && reference - GRID < UINT32_MAX)
         list_lanes(a, list, (uint32_t)(reference - GRID), args);
   } else if (reference >= SCOPE && (reference - SCOPE) % 8 <= SCOPE_WAVE &&
              dap_choose_lane(a, (reference - SCOPE) / 8)) {
      list_scope(a, list, (unsigned)(reference - SCOPE) % 8);
   }
   json_object_object_add(body, "variables", list);
   dap_answer(a, true, body, NULL);
}

/* ---- Values and commands ---- */

/* The register, mask or constant of the name, or its first component. */
bool
dap_evaluate_name(struct dap *a, const char *name, struct json_object *body)
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

/* ---- Memory and code ---- */

void
dap_memory(struct dap *a, const struct json_object *args)
{
   const int64_t count = dap_number(args, "count", 0);
   const struct vm *vm = a->stopped ? a->debugger.look.vm : NULL;
   struct json_object *body;
   uint64_t address, size;
   uint8_t *bytes;

   if (!vm || !dap_read_address(dap_text(args, "memoryReference"), &address) || count < 0) {
      dap_refuse(a, vm ? "no address" : "no submission runs");
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
   dap_answer(a, true, body, NULL);
}

static int
by_origin(const void *a, const void *b)
{
   const struct listing_line *const *l = a, *const *m = b;

   return (*l)->origin < (*m)->origin ? -1 : (*l)->origin > (*m)->origin;
}

/* Instructions by ascending address, as they lie in memory. */
void
dap_disassemble(struct dap *a, const struct json_object *args)
{
   int64_t count = dap_number(args, "instructionCount", 0);
   struct json_object *body, *list;
   const struct listing_line **sorted;
   const struct listing *l;
   uint64_t address;
   unsigned program;
   int64_t all = 0, at;

   if (!dap_read_address(dap_text(args, "memoryReference"), &address) || count < 0) {
      dap_refuse(a, "no address");
      return;
   }
   address += (uint64_t)dap_number(args, "offset", 0);
   program = find_program(a, address);
   l = program < DAP_PROGRAMS ? &a->programs[program].listing : NULL;
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
         json_object_object_add(o, "location", dap_source_of(a, program, false));
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
   dap_answer(a, true, body, NULL);
}

void
dap_source(struct dap *a, const struct json_object *args)
{
   int64_t n = dap_number(dap_member(args, "source"), "sourceReference", 0);
   struct json_object *body;
   const struct listing *l;
   char *text = NULL;
   size_t size;
   FILE *file;

   n = (n ? n : dap_number(args, "sourceReference", 0)) - 1;
   if (dap_il_source(a, n + 1)) {
      body = json_object_new_object();
      dap_add_text(body, "content", dap_il_source(a, n + 1)->notes.text[ATOLL_NOTE_IL]);
      dap_answer(a, true, body, NULL);
      return;
   }
   if (n < 0 || n >= a->num_programs || !(file = open_memstream(&text, &size))) {
      dap_refuse(a, "no such source");
      return;
   }
   l = &a->programs[n].listing;
   for (uint32_t k = 0; k < l->count; k++)
      fprintf(file, "%s\n", l->lines[k].text);
   fclose(file);
   body = json_object_new_object();
   dap_add_text(body, "content", text ? text : "");
   free(text);
   dap_answer(a, true, body, NULL);
}
