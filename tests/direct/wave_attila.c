/* SPDX-License-Identifier: MIT */
/*
 * ATTILA programs of the comparison, in the device's pipeline (docs/attila-chip.rst): a wave of
 * vertices or pixels, with constants, attributes and textures of the inputs.
 */
#include "wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atoll/cayman/descriptors.h"
#include "atoll/cayman/enums.h"
#include "attila/attila.h"

#define ELEMENTS 256u /* of an attribute */
#define BUDGET   (UINT64_C(1) << 32)

static struct {
   const struct at_kernels *kernels;
   struct at_program *program;
   struct at_bind bind;
   struct at_element elements[NUM_ATTRS];
   struct td_tex_bind tex[MAX_TEX];
   uint32_t attribute[NUM_ATTRS][(ELEMENTS + 1) * 4];
   uint32_t *table;
} a;

static void
bind_elements(const struct kernels *kernels, const struct inputs *in, uint32_t base)
{
   memset(a.attribute, 0, sizeof(a.attribute));
   for (unsigned n = 0; n < NUM_ATTRS; n++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         for (unsigned c = 0; c < 4; c++)
            a.attribute[n][4 * (in->ids[0][l] % ELEMENTS) + c] = in->attr[n][c][l];
   for (uint32_t i = 0; i < a.program->num_attributes; i++) {
      const uint32_t bytes = ELEMENTS * 16;
      const struct td_fetch fetch = {
         .format = FORMAT_R32G32B32A32,
         .conversion = CONVERT_INT,
         .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      };
      const struct elements buffer = {
         .stride = 16,
         .size = bytes,
         .ring = a.attribute[a.program->attributes[i] % NUM_ATTRS],
         .ring_bytes = bytes,
      };

      a.elements[i] = (struct at_element){ .base = base };
      td_bind_fetch(kernels, &a.elements[i].fetch, &fetch, &buffer, 0);
   }
}

bool
wave_attila(struct wave_run *w, const struct shader_code *shader, enum core_stage stage,
            bool interpret, const struct inputs *in, char *error, size_t size)
{
   const struct cayman_tables tables = machine_views_tables(w->views);
   const struct at_source source = {
      .words = shader->words,
      .num_dwords = shader->num_dwords,
      .pixel = stage == CORE_PIXEL,
      .interpret = interpret,
      .pipeline = true,
      .cubes = at_cube_units(&tables.views),
   };

   a.kernels = at_kernels_of(w->kernels);
   a.program = a.kernels->lift(&source);
   const char *wrong = !a.program ? "no memory" : a.program->core.error;
   if (!wrong && (a.program->num_attributes > NUM_ATTRS || a.program->num_tex > MAX_TEX))
      wrong = "too many attributes or textures";
   if (!wrong) {
      a.table = malloc(a.program->table_dwords * sizeof(*a.table));
      wrong = a.table ? NULL : "no memory";
   }
   if (wrong) {
      snprintf(error, size, "%s", wrong);
      return false;
   }
   a.bind = (struct at_bind){
      .core = { .program = &a.program->core, .entry = &a.program->entry, .budget = BUDGET },
      .table = a.table,
      .elements = a.elements,
      .tex = a.tex,
   };
   at_bind_textures(w->kernels, a.program, &tables.views, a.tex);
   bind_elements(w->kernels, in, w->driver[IL_DRV_DRAW * 4 + 3]);
   w->wave.bind = &a.bind.core;
   return true;
}

void
wave_attila_begin(struct wave_run *w)
{
   const uint32_t *const constants[2] = { w->buffer, w->driver };
   const uint32_t dwords[2] = { sizeof(w->buffer) / 4 - 4, sizeof(w->driver) / 4 - 4 };

   at_fill_table(a.program, constants, dwords, a.table);
}

void
wave_attila_finish(void)
{
   if (a.program)
      a.kernels->free(a.program);
   a.program = NULL;
   free(a.table);
   a.table = NULL;
}
