/* SPDX-License-Identifier: MIT */
/*
 * Notes of a program, or the payload of a marker.  What must hold: texts are strings, their lines
 * come to an end, and the map has what it says.
 */
#include "fuzz.h"
#include "notes.h"

static void
look_at(const struct notes *notes)
{
   uint32_t sum = 0;
   int length = 0;

   for (unsigned kind = 0; notes_name(kind); kind++)
      if (notes->text[kind])
         for (uint32_t line = 1; notes_text(notes->text[kind], line, &length); line++)
            FUZZ_CHECK(length >= 0);
   for (uint32_t n = 0; n <= notes->map_count; n++)
      sum += notes_line(notes, 2 * n);
   FUZZ_CHECK(sum || !notes_line(notes, UINT32_MAX));
}

FUZZ_ENTRY(capture_notes)
{
   char *bytes = malloc(size ? size : 1), text[64];
   uint32_t packet[64] = { 3u << 30 | 62u << 16 | 0x10u << 8 };
   struct notes notes;

   FUZZ_CHECK(bytes);
   if (size)
      memcpy(bytes, data, size);
   if (size)
      memcpy(packet + 1, data, size < sizeof(packet) - 4 ? size : sizeof(packet) - 4);
   if (notes_take(&notes, bytes, size)) {
      look_at(&notes);
      notes_finish(&notes);
   }
   if (notes_marker(packet, text, sizeof(text)))
      FUZZ_CHECK(strlen(text) < sizeof(text));
   return 0;
}
