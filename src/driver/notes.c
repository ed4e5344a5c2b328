/* SPDX-License-Identifier: MIT */
/*
 * Notes of programs and markers (atoll/notes.h), which ATOLL_DEBUG=notes asks for.
 *
 * What KHR_debug says reaches a Gallium driver in two ways: glDebugMessageInsert() of a marker is a
 * string, and a program's label is with its NIR.  GLSL is where MESA_SHADER_DUMP_PATH has Mesa
 * write it.
 */
#include "notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "util/mesa-blake3.h"
#include "util/os_misc.h"
#include "util/ralloc.h"

#include <atoll/notes.h>

#include "context.h"
#include "il/il.h"

#define MAX_SOURCE (1u << 20) /* bytes of a GLSL source */
#define MAX_MARKER 1024u      /* bytes of its text */

/* What grows; without memory it is dropped, and stays so. */
struct written {
   char *bytes;
   size_t size;
   bool failed;
};

static char *
grow(struct written *w, size_t size)
{
   char *grown = w->failed ? NULL : realloc(w->bytes, w->size + size);

   if (!grown) {
      w->failed = true;
      return NULL;
   }
   w->bytes = grown;
   memset(w->bytes + w->size, 0, size);
   w->size += size;
   return w->bytes + w->size - size;
}

static void
add_note(struct written *w, enum atoll_note_kind kind, const void *data, size_t size)
{
   const struct atoll_note note = { kind, (uint32_t)size };
   char *to = grow(w, sizeof(note) + ALIGN_POT(size, 8));

   if (!to)
      return;
   memcpy(to, &note, sizeof(note));
   memcpy(to + sizeof(note), data, size);
   ((struct atoll_notes *)(void *)w->bytes)->parts++;
}

static void
add_name(struct written *w, const struct nir_shader *nir)
{
   char name[512];
   const int length =
      snprintf(name, sizeof(name), "%s %s%s%s", gl_shader_stage_name(nir->info.stage),
               nir->info.name ? nir->info.name : "", nir->info.label ? ", " : "",
               nir->info.label ? nir->info.label : "");

   add_note(w, ATOLL_NOTE_NAME, name, MIN2((size_t)length, sizeof(name) - 1));
}

/* The file that Mesa has written the source to. */
static void
add_glsl(struct written *w, const struct nir_shader *nir)
{
   static const char *const kinds[] = {
      [MESA_SHADER_VERTEX] = "VS",   [MESA_SHADER_TESS_CTRL] = "TC", [MESA_SHADER_TESS_EVAL] = "TE",
      [MESA_SHADER_GEOMETRY] = "GS", [MESA_SHADER_FRAGMENT] = "FS",  [MESA_SHADER_COMPUTE] = "CS",
   };
   const char *folder = os_get_option("MESA_SHADER_DUMP_PATH");
   char hash[BLAKE3_HEX_LEN], *path, *text;
   FILE *file;

   if (!folder || nir->info.stage >= ARRAY_SIZE(kinds))
      return;
   _mesa_blake3_format(hash, nir->info.source_blake3);
   path = ralloc_asprintf(NULL, "%s/%s_%s.glsl", folder, kinds[nir->info.stage], hash);
   file = path ? fopen(path, "re") : NULL;
   text = file ? malloc(MAX_SOURCE) : NULL;
   if (text)
      add_note(w, ATOLL_NOTE_GLSL, text, fread(text, 1, MAX_SOURCE, file));
   free(text);
   if (file)
      fclose(file);
   ralloc_free(path);
}

static void
add_map(struct written *w, const struct il_program *il, const struct shader_code *code)
{
   const unsigned count = code->num_dwords / 2;
   uint32_t *lines = code->places ? malloc(count * sizeof(*lines) + 1) : NULL;

   if (!lines)
      return;
   /* A line each, and the shader's version before the main program. */
   for (unsigned n = 0; n < count; n++)
      lines[n] = code->places[n] < il->ninsts
                    ? code->places[n] + 1 + (code->places[n] >= il->first_main)
                    : 0;
   add_note(w, ATOLL_NOTE_MAP, lines, count * sizeof(*lines));
   free(lines);
}

void *
atoll_make_notes(const struct nir_shader *nir, const struct il_program *il,
                 const struct shader_code *code, size_t *size)
{
   const struct atoll_notes head = { .magic = ATOLL_NOTES_MAGIC };
   char *text = nir_shader_as_str((struct nir_shader *)(uintptr_t)nir, NULL);
   char *il_text = il_print(il), *to;
   struct written w = { 0 };

   to = grow(&w, sizeof(head));
   if (to)
      memcpy(to, &head, sizeof(head));
   add_name(&w, nir);
   add_glsl(&w, nir);
   if (text)
      add_note(&w, ATOLL_NOTE_NIR, text, strlen(text));
   if (il_text)
      add_note(&w, ATOLL_NOTE_IL, il_text, strlen(il_text));
   add_map(&w, il, code);
   ralloc_free(text);
   free(il_text);
   if (w.failed) {
      free(w.bytes);
      return NULL;
   }
   *size = w.size;
   ((struct atoll_notes *)(void *)w.bytes)->bytes = (uint32_t)w.size;
   return w.bytes;
}

void
atoll_put_notes(void *to, const void *notes, size_t size, uint64_t va)
{
   memcpy(to, notes, size);
   memcpy((char *)to + offsetof(struct atoll_notes, va), &va, sizeof(va));
}

void
atoll_emit_marker(struct pipe_context *pipe, const char *text, int length)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_cs *cs = &ctx->cs;
   const unsigned bytes = MIN2((unsigned)MAX2(length, 0), MAX_MARKER), dwords = (bytes + 3) / 4;

   atoll_need_space(ctx, 2 + dwords);
   atoll_emit(cs, pm4_header(PM4_NOP, 1 + dwords, false));
   atoll_emit(cs, ATOLL_MARKER);
   for (unsigned n = 0; n < dwords; n++) {
      uint32_t word = 0;

      memcpy(&word, text + 4 * n, MIN2(4, bytes - 4 * n));
      atoll_emit(cs, word);
   }
}
