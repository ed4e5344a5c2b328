/* SPDX-License-Identifier: MIT */
/* See notes.h.  Memory and packets are what any program may have written. */
#include "notes.h"

#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/pm4.h>

#include "memory/vm.h"

#define MAX_NOTES (8u << 20) /* bytes that are read */
#define MAX_AFTER (1u << 20) /* bytes after a program in which they are looked for */
/* Bytes that are read of what has the head of notes and is none. */
#define MAX_VAIN (16u * MAX_NOTES)

const char *
notes_name(unsigned kind)
{
   static const char *const names[] = {
      [ATOLL_NOTE_NAME] = "name",
      [ATOLL_NOTE_GLSL] = "glsl",
      [ATOLL_NOTE_NIR] = "nir",
      [ATOLL_NOTE_IL] = "il",
   };

   return kind < sizeof(names) / sizeof(*names) ? names[kind] : NULL;
}

/* The bytes of the character of UTF-8 that a text begins with; 0: of none, or of a control
 * character. */
static size_t
character(const unsigned char *text, size_t size)
{
   const unsigned c = text[0], second = size > 1 ? text[1] : 0;
   const size_t bytes = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

   if (bytes == 1)
      return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f);
   /* Overlong, surrogates, beyond U+10FFFF, and U+0080 to U+009F. */
   if (c < 0xc2 || c > 0xf4 || bytes > size || (c == 0xe0 && second < 0xa0) ||
       (c == 0xed && second >= 0xa0) || (c == 0xf0 && second < 0x90) ||
       (c == 0xf4 && second >= 0x90) || (c == 0xc2 && second < 0xa0))
      return 0;
   for (size_t n = 1; n < bytes; n++)
      if ((text[n] & 0xc0) != 0x80)
         return 0;
   return bytes;
}

/* Texts go to a terminal.  NIR and IL are ASCII. */
static void
clean(char *text, size_t size, unsigned kind)
{
   const bool ascii = kind == ATOLL_NOTE_NIR || kind == ATOLL_NOTE_IL;

   for (size_t n = 0, bytes; n < size; n += bytes ? bytes : 1) {
      bytes = character((const unsigned char *)text + n, size - n);
      if (bytes > 1 && ascii)
         bytes = 0;
      if (!bytes)
         text[n] = text[n] == '\r' ? ' ' : '?';
   }
}

/* The parts, one after the other, each of which ends within the bytes. */
static bool
find_parts(struct notes *notes, size_t size)
{
   struct atoll_notes head;
   size_t at = sizeof(head);

   if (size < sizeof(head))
      return false;
   memcpy(&head, notes->bytes, sizeof(head));
   if (memcmp(head.magic, ATOLL_NOTES_MAGIC, sizeof(head.magic)) != 0 || head.bytes > size ||
       head.bytes < sizeof(head) || !head.parts)
      return false;
   for (uint32_t n = 0; n < head.parts; n++) {
      struct atoll_note note;
      char *text;

      if (head.bytes - at < sizeof(note))
         return false;
      memcpy(&note, notes->bytes + at, sizeof(note));
      at += sizeof(note);
      text = notes->bytes + at;
      const size_t padded = ((size_t)note.bytes + 7) / 8 * 8;

      if (padded > head.bytes - at)
         return false;
      if (notes_name(note.kind)) {
         clean(text, note.bytes, note.kind);
         notes->text[note.kind] = text;
      } else if (note.kind == ATOLL_NOTE_MAP) {
         notes->map = (const uint32_t *)(const void *)text;
         notes->map_count = note.bytes / 4;
      }
      at += padded;
   }
   return true;
}

/* Texts of whole multiples of 8 bytes are followed by the next part: what is used are copies, each
 * with a null byte, as far apart as the texts are but for their kinds. */
static void
end_texts(struct notes *notes, size_t size)
{
   for (unsigned kind = 0; kind < ATOLL_NOTE_KINDS; kind++) {
      const char *text = notes->text[kind];
      struct atoll_note note;
      char *copy;

      if (!text)
         continue;
      memcpy(&note, text - sizeof(note), sizeof(note));
      copy = notes->bytes + size + (text - notes->bytes) + kind;
      memcpy(copy, text, note.bytes);
      copy[note.bytes] = 0;
      notes->text[kind] = copy;
   }
}

bool
notes_take(struct notes *notes, char *bytes, size_t size)
{
   /* The bytes, and then the same with room for a null byte after each text. */
   char *grown = size < MAX_NOTES ? realloc(bytes, 2 * size + ATOLL_NOTE_KINDS + 1) : NULL;

   *notes = (struct notes){ .bytes = grown ? grown : bytes };
   if (!grown || !find_parts(notes, size)) {
      notes_finish(notes);
      return false;
   }
   end_texts(notes, size);
   notes->size = 2 * size + ATOLL_NOTE_KINDS + 1;
   return true;
}

/* Notes from *at on, and before `end`, of the program `va`; 0: of any.  *at is where they are. */
static bool
find(struct notes *notes, const struct vm *vm, uint64_t va, uint64_t *at, uint64_t end,
     struct atoll_notes *head, uint64_t *vain)
{
   const uint64_t mask = ATOLL_NOTES_ALIGN - 1;

   *notes = (struct notes){ 0 };
   for (*at = (*at + mask) & ~mask; *at < end && *vain < MAX_VAIN; *at += ATOLL_NOTES_ALIGN) {
      char *all;

      if (vm_read(vm, *at, head, sizeof(*head)) < sizeof(*head))
         return false;
      if (memcmp(head->magic, ATOLL_NOTES_MAGIC, sizeof(head->magic)) != 0 ||
          (va && head->va != va) || head->bytes < sizeof(*head) || head->bytes > MAX_NOTES ||
          !head->parts || !(all = malloc(head->bytes)))
         continue;
      vm_read(vm, *at, all, head->bytes);
      if (notes_take(notes, all, head->bytes))
         return true;
      *vain += head->bytes;
   }
   return false;
}

bool
notes_read(struct notes *notes, const struct vm *vm, uint64_t va, uint32_t bytes)
{
   struct atoll_notes head;
   uint64_t at = va + bytes, vain = 0;

   return find(notes, vm, va, &at, at + MAX_AFTER, &head, &vain);
}

bool
notes_next(struct notes *notes, const struct vm *vm, uint64_t *va, uint64_t end, uint64_t *next,
           uint64_t *vain)
{
   struct atoll_notes head;

   *next = *va;
   if (!find(notes, vm, 0, next, end, &head, vain))
      return false;
   *va = head.va;
   *next += head.bytes;
   return true;
}

void
notes_finish(struct notes *notes)
{
   free(notes->bytes);
   *notes = (struct notes){ 0 };
}

uint32_t
notes_line(const struct notes *notes, uint32_t dword)
{
   return dword / 2 < notes->map_count ? notes->map[dword / 2] : 0;
}

const char *
notes_text(const char *text, uint32_t line, int *length)
{
   for (; text && line > 1; line--) {
      const char *end = strchr(text, '\n');

      text = end ? end + 1 : NULL;
   }
   if (!text || !line || !*text)
      return NULL;
   *length = (int)strcspn(text, "\n");
   return text;
}

bool
notes_marker(const uint32_t *packet, char *text, size_t size)
{
   size_t bytes;

   if (pm4_type(*packet) != 3 || pm4_op(*packet) != PM4_NOP || packet[1] != ATOLL_MARKER)
      return false;
   bytes = 4 * (size_t)(pm4_payload(*packet) - 1);
   bytes = bytes < size ? bytes : size - 1;
   memcpy(text, packet + 2, bytes);
   text[bytes] = 0;
   for (char *c = text; *c; c++)
      *c = *c < ' ' || *c > '~' ? '?' : *c;
   return true;
}
