/* SPDX-License-Identifier: MIT */
/* What the debugger shows of a wave that is stopped. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "debugger.h"
#include "isa/isa.h"
#include "listing.h"
#include "memory/vm.h"
#include "pass/probe.h"

static const char *const stages[CORE_STAGES] = {
   [CORE_VERTEX] = "vertex",         [CORE_LOCAL] = "local",       [CORE_CONTROL] = "control",
   [CORE_EVALUATION] = "evaluation", [CORE_GEOMETRY] = "geometry", [CORE_COPY] = "copy",
   [CORE_PIXEL] = "pixel",           [CORE_COMPUTE] = "compute",
};

const char *
look_stage(unsigned stage)
{
   return stage < CORE_STAGES ? stages[stage] : "?";
}

unsigned
look_find_stage(const char *name)
{
   unsigned n = 0;

   while (n < CORE_STAGES && strcmp(stages[n], name) != 0)
      n++;
   return n;
}

uint64_t
look_address(const struct core_wave *wave, uint32_t origin)
{
   const struct core_program *program = wave->bind->program;
   const struct isa *isa = isa_find(program->engine->name, strlen(program->engine->name));

   return program->va && isa && origin < program->words_used
             ? program->va + (uint64_t)origin * 4 * (isa->dwords ? isa->dwords : 1)
             : 0;
}

void
look_where(const struct look *l)
{
   const struct core_wave *wave = l->wave;
   const struct core_identity *id = &wave->identity;

   printf("draw %u.%u, %s, part %u, wave %u", id->submission, id->draw, look_stage(id->stage),
          id->part, id->wave);
   if (id->round)
      printf(", round %u", id->round);
   printf(": %s %u, lanes %016" PRIx64 "\n", wave->bind->program->engine->origin, wave->origin,
          wave->at_origin);
}

void
look_backtrace(const struct look *l)
{
   const struct core_wave *wave = l->wave;
   const struct core_identity *id = &wave->identity;
   const struct core_program *program = wave->bind->program;
   struct probe_pixel pixel;

   printf("#0 %s %u of the %s program at 0x%" PRIx64 " (%s, %u words), lanes %016" PRIx64 "\n",
          program->engine->origin, wave->origin, look_stage(id->stage), program->va,
          program->engine->name, program->words_used, wave->at_origin);
   printf("#1 lane %u%s", l->lane, wave->at_origin >> l->lane & 1 ? "" : ", which does not run it");
   if (probe_pixel(wave, l->lane, &pixel))
      printf(": pixel %d,%d, layer %u, of primitive %u, %s%s", pixel.x, pixel.y, pixel.layer,
             pixel.primitive,
             pixel.line    ? "a line"
             : pixel.point ? "a point"
             : pixel.front ? "front"
                           : "back",
             wave->valid >> l->lane & 1 ? "" : " (not covered)");
   if (id->stage == CORE_PIXEL)
      printf("\n#2 wave %u of tile %u,%u", id->wave, id->part & 0xffff, id->part >> 16);
   else
      printf("\n#2 wave %u of %s %u", id->wave, id->stage == CORE_COMPUTE ? "group" : "batch",
             id->part);
   printf("\n#3 %s %u of submission %u, client %" PRIu64 "\n",
          id->stage == CORE_COMPUTE ? "dispatch" : "draw", id->draw, id->submission, l->client);
   if (l->marker)
      printf("#4 after the marker \"%s\"\n", l->marker);
}

/* ---- Listings ---- */

void
look_list(const struct look *l, unsigned lines)
{
   const struct core_program *program = l->wave->bind->program;
   struct listing listing;
   uint32_t here, first;

   if (l->wave->origin >= program->words_used) {
      printf("   (an instruction of the fetch subroutine)\n");
      return;
   }
   if (!listing_make(&listing, l->vm, program)) {
      printf("the program's words are not at hand\n");
      return;
   }
   here = listing_find(&listing, l->wave->origin);
   first = here != LISTING_NONE && here > lines / 2 ? here - lines / 2 : 0;
   for (uint32_t n = first; n < listing.count && n - first < lines; n++)
      printf("%s %s\n", n == here ? "=>" : "  ", listing.lines[n].text);
   listing_finish(&listing);
}

static const struct notes *
notes_of(struct look *l)
{
   const struct source *s = sources_find(&l->sources, l->vm, l->wave->bind->program);

   return s && s->noted ? &s->notes : NULL;
}

void
look_il(struct look *l, unsigned lines)
{
   const struct notes *notes = notes_of(l);
   const uint32_t here =
      notes ? source_line(sources_find(&l->sources, l->vm, l->wave->bind->program), l->wave->origin)
            : 0;
   const uint32_t first = here > lines / 2 ? here - lines / 2 : 1;
   const char *text;
   int length;

   for (uint32_t n = first; here && n < first + lines; n++)
      if ((text = notes_text(notes->text[ATOLL_NOTE_IL], n, &length)))
         printf("%s il %u: %.*s\n", n == here ? "=>" : "  ", n, length, text);
}

bool
look_text(struct look *l, const char *name)
{
   const struct notes *notes = notes_of(l);
   unsigned kind = 0;

   while (notes_name(kind) && strcmp(notes_name(kind), name) != 0)
      kind++;
   if (!notes || !notes_name(kind) || !notes->text[kind])
      return false;
   printf("%s\n", notes->text[kind]);
   return true;
}

/* ---- Values ---- */

static void
print_value(uint32_t value)
{
   float f;

   memcpy(&f, &value, sizeof(f));
   printf("0x%08x  %.9g  %d", value, (double)f, (int32_t)value);
}

static void
print_row(const uint32_t *row, uint64_t lanes)
{
   for (unsigned n = 0; n < WAVE_LANES; n++) {
      float f;

      memcpy(&f, &row[n], sizeof(f));
      if (n % 4 == 0)
         printf("  %2u:", n);
      printf(" %c%08x %-12.6g", lanes >> n & 1 ? ' ' : '-', row[n], (double)f);
      if (n % 4 == 3)
         printf("\n");
   }
}

static void
print_seen(const struct look *l, const struct core_seen *seen, bool all)
{
   printf("%s = ", seen->name);
   switch (seen->kind) {
   case CORE_SEEN_MASK:
      printf("%016" PRIx64 "\n", seen->mask);
      break;
   case CORE_SEEN_ROW:
      if (all) {
         printf("(- where a lane does not run the instruction)\n");
         print_row(seen->row, l->wave->at_origin);
         break;
      }
      print_value(seen->row[l->lane]);
      printf("\n");
      break;
   default:
      print_value(seen->value);
      printf("\n");
   }
}

bool
look_print(const struct look *l, const char *name, bool all)
{
   const size_t length = strlen(name);
   struct core_seen seen;
   bool found = false;

   for (uint32_t n = 0; core_look(l->state, l->wave, n, &seen); n++) {
      /* A name, or all components of a register. */
      if (strncasecmp(seen.name, name, length) != 0 ||
          (seen.name[length] && seen.name[length] != '.'))
         continue;
      print_seen(l, &seen, all);
      found = true;
   }
   return found;
}

void
look_all(const struct look *l, unsigned kind)
{
   struct core_seen seen;

   for (uint32_t n = 0; core_look(l->state, l->wave, n, &seen); n++)
      if (seen.kind == kind && (kind != CORE_SEEN_ROW || seen.row[l->lane]))
         print_seen(l, &seen, false);
}

/* ---- Memory ---- */

static void
print_words(uint64_t address, const uint8_t *bytes, unsigned count)
{
   for (unsigned n = 0; n < count; n++) {
      uint32_t word;

      memcpy(&word, bytes + 4 * n, 4);
      if (n % 4 == 0)
         printf("%s0x%010" PRIx64 ":", n ? "\n" : "", address + 4 * n);
      printf(" %08x", word);
   }
   printf("\n");
}

void
look_memory(const struct vm *vm, uint64_t va, unsigned count)
{
   uint8_t bytes[256 * 4];

   count = count < 256 ? count : 256;
   if (vm_read(vm, va, bytes, 4 * count) < 4 * count)
      printf("not all of it is mapped; what is not reads 0\n");
   print_words(va, bytes, count);
}

void
look_lds(const struct look *l, uint64_t address, unsigned count)
{
   const struct core_group *group = l->wave->group;
   uint64_t base = address;
   uint8_t bytes[256 * 4] = { 0 };

   count = count < 256 ? count : 256;
   if (!group || !group->lds) {
      printf("the wave has no LDS\n");
      return;
   }
   if (group->lane_base)
      base += group->lane_base[l->lane];
   if (base >= CORE_LDS_BYTES || address >= group->lds_bytes) {
      printf("LDS has %u bytes\n", group->lds_bytes);
      return;
   }
   uint64_t have = group->lds_bytes - address;

   have = have < CORE_LDS_BYTES - base ? have : CORE_LDS_BYTES - base;
   count = count < have / 4 ? count : (unsigned)(have / 4);
   memcpy(bytes, group->lds + base, 4 * (size_t)count);
   print_words(address, bytes, count);
}
