/* SPDX-License-Identifier: MIT */
/*
 * Valhall programs of the comparison, in the device's surroundings (docs/valhall-chip.rst): what
 * the tables and windows of a stage are, and the groups of compute programs.
 *
 * Memory that has addresses is an address space of its own, in which each UAV and the read-only
 * buffer has a region; what a program changed there is copied back.
 */
#include "wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atoll/cayman/descriptors.h"
#include "atoll/cayman/enums.h"
#include "machine.h"
#include "memory/arena.h"
#include "memory/space.h"
#include "valhall/valhall.h"

#define FIRST_VA     (UINT64_C(1) << 30)
#define REGION_BYTES UINT64_C(0x10000)
#define REGIONS      (MACHINE_BUFFERS + 1u) /* UAVs, and what is read only */
#define READ_ONLY    MACHINE_BUFFERS
#define ELEMENTS     256u /* of an attribute */
#define FETCHES      992u
#define BUDGET       (1u << 30)
#define GDS_BYTES    65536u

static struct {
   const struct vh_kernels *kernels;
   struct core_program *program;
   struct vh_bind bind;
   struct vh_device device;
   struct core_entry entry;
   struct td_vtx_bind vtx[MAX_VTX];
   struct td_tex_bind tex[MAX_TEX];
   struct td_vtx_bind buffers[MAX_TEX];
   struct rat rats[RATS];
   struct cayman_tables tables;
   uint32_t resources[MACHINE_RESOURCES][8];
   /* An element of four dwords for each vertex; a word more than there are. */
   uint32_t attribute[NUM_ATTRS][(ELEMENTS + 1) * 4];
   struct bo *bo;
   struct vm *vm; /* with nothing but the regions */
} v;

static uint64_t
region(unsigned n)
{
   return FIRST_VA + n * REGION_BYTES;
}

static uint32_t *
words_of(unsigned n)
{
   return vm_pointer(v.device.vm, region(n));
}

/* The address space: that of the textures if there is one. */
static bool
map_regions(struct vm *views)
{
   static struct arena *arena;

   if (!arena) {
      arena = arena_create(REGIONS * REGION_BYTES);
      v.bo = arena ? bo_create(arena, REGIONS * REGION_BYTES) : NULL;
      v.vm = v.bo ? vm_create() : NULL;
      if (!v.vm || vm_map(v.vm, FIRST_VA, v.bo))
         return false;
   }
   v.device.vm = views ? views : v.vm;
   if (views && vm_map(views, FIRST_VA, v.bo))
      return false;
   memset(words_of(0), 0, REGIONS * REGION_BYTES);
   return true;
}

static void
describe_buffer(unsigned resource, uint64_t va, uint32_t bytes)
{
   uint32_t *w = v.resources[DIRECT_RESOURCE_TEXTURE + resource];

   w[0] = (uint32_t)va;
   w[1] = bytes - 1;
   w[2] = REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, (uint32_t)(va >> 32)) |
          REG_FIELD(BUF_WORD2, STRIDE, 4) | REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_32) |
          REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, SQ_NUM_FORMAT_INT);
   w[4] = bytes / 4;
   w[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
}

static void
describe_uav(unsigned n, uint32_t bytes)
{
   v.rats[n] = (struct rat){ .va = region(n),
                             .base = (uint8_t *)words_of(n),
                             .kind = RAT_KIND_BUFFER,
                             .bytes = 4,
                             .width = bytes / 4,
                             .height = 1,
                             .layers = 1,
                             .row_bytes = bytes,
                             .slice_bytes = bytes,
                             .range = { region(n), bytes },
                             .channel = { { .bits = 32, .type = NUMERIC_UINT } } };
}

/* Descriptors of attributes: element n is of buffer n. */
static void
describe_attributes(uint32_t descriptors[NUM_ATTRS][8], const struct inputs *in)
{
   memset(descriptors, 0, NUM_ATTRS * sizeof(*descriptors));
   memset(v.attribute, 0, sizeof(v.attribute));
   for (unsigned n = 0; n < NUM_ATTRS; n++) {
      descriptors[n][0] = 5 | n << 8;
      descriptors[n][1] = FORMAT_R32G32B32A32 | CONVERT_INT << 8 | 1u << 23 | 2u << 26 | 3u << 29;
      for (unsigned l = 0; l < WAVE_LANES; l++)
         for (unsigned c = 0; c < 4; c++)
            v.attribute[n][4 * (in->ids[0][l] % ELEMENTS) + c] = in->attr[n][c][l];
   }
}

static void
bind_attributes(struct vh_device *d, const struct kernels *kernels)
{
   const struct vh_reads *reads = vh_reads(v.program);

   for (uint32_t i = 0; i < reads->num_vtx; i++) {
      const struct elements buffer = {
         .stride = 16,
         .size = ELEMENTS * 16,
         .ring = v.attribute[reads->vtx[i].view % NUM_ATTRS],
         .ring_bytes = ELEMENTS * 16,
      };

      td_bind_fetch(kernels, &v.vtx[i], &reads->vtx[i].fetch, &buffer, 0);
   }
   d->vtx = v.vtx;
}

/* Textures and samplers; the stage's resources hold buffers of dwords, too. */
static void
bind_textures(struct vh_device *d, const struct kernels *kernels, const struct machine_views *views)
{
   v.tables = machine_views_tables(views);
   v.tables.resources = (const uint32_t(*)[8])v.resources;
   v.tables.views.vm = d->vm;
   vh_bind_textures(kernels, vh_reads(v.program), &v.tables.views, &v.device, v.tex, v.buffers);
   d->tex = v.tex;
   d->tex_buffers = v.buffers;
   d->views = &v.tables.views;
}

static void
describe_images(const struct machine_views *views, const struct machine_texture *image)
{
   for (unsigned n = 0; n < MACHINE_IMAGES; n++)
      if (image[n].there)
         machine_views_rat(views, &image[n], n, &v.rats[n]);
}

/* The program, and a bind with empty tables. */
static bool
lift(const struct kernels *kernels, const struct shader_code *shader, enum core_stage stage,
     bool interpret, const uint32_t *attributes, struct vm *views, char *error, size_t size)
{
   const struct vh_source source = {
      .words = (const uint64_t *)(const void *)shader->words,
      .count = shader->num_dwords / 2,
      .flush = VH_FLUSH_FLOATS,
      .interpret = interpret,
      .device = true,
      .stage = stage,
      .attributes = attributes,
      .num_attributes = attributes ? NUM_ATTRS : 0,
   };

   memset(&v.device, 0, sizeof(v.device));
   memset(v.rats, 0, sizeof(v.rats));
   memset(v.resources, 0, sizeof(v.resources));
   v.kernels = vh_kernels_of(kernels);
   v.program = v.kernels->lift(&source);
   const char *wrong = !v.program ? "no memory" : v.program->error;
   if (!wrong && (vh_reads(v.program)->num_vtx > MAX_VTX || vh_reads(v.program)->num_tex > MAX_TEX))
      wrong = "too many fetches";
   if (!wrong && !map_regions(views))
      wrong = "no memory";
   if (!wrong)
      v.device.table = malloc(vh_table_dwords(v.program) * sizeof(uint32_t));
   if (!wrong && !v.device.table)
      wrong = "no memory";
   if (wrong) {
      snprintf(error, size, "%s", wrong);
      return false;
   }
   v.device.rats = v.rats;
   v.bind = (struct vh_bind){
      .core = { .program = v.program,
                .entry = v.program->engine->entry(v.program, stage, NULL, &v.entry),
                .budget = BUDGET },
      .device = &v.device,
   };
   return true;
}

void
wave_valhall_finish(void)
{
   if (v.program)
      v.kernels->free(v.program);
   v.program = NULL;
   free(v.device.table);
   v.device.table = NULL;
}

/* --- one wave --------------------------------------------------------------------------------- */

bool
wave_valhall(struct wave_run *w, const struct shader_code *shader, enum core_stage stage,
             bool interpret, const struct inputs *in, char *error, size_t size)
{
   uint32_t descriptors[NUM_ATTRS][8];
   struct vh_device *d = &v.device;

   if (16 * shader->scratch_vec4s > MAX_SCRATCH) {
      snprintf(error, size, "too much scratch");
      return false;
   }
   if (16 * shader->scratch_vec4s > SCRATCH_BYTES)
      w->wave.scratch_bytes = 16 * shader->scratch_vec4s;
   describe_attributes(descriptors, in);
   if (!lift(w->kernels, shader, stage, interpret, stage == CORE_VERTEX ? descriptors[0] : NULL,
             w->views->vm, error, size))
      return false;
   v.bind.core.scratch_bytes = w->wave.scratch_bytes;
   d->constants[0] = (struct vh_buffer){ w->buffer, sizeof(w->buffer) - 16 };
   d->constants[IL_DRIVER_CB] = (struct vh_buffer){ w->driver, sizeof(w->driver) - 16 };
   memcpy(v.resources, w->views->resource, sizeof(v.resources));
   if (!in->views.texture[SRV_BUFFER].there)
      describe_buffer(SRV_BUFFER, region(READ_ONLY), sizeof(w->buffer) - 16);
   describe_buffer(SRV_STRUCTS, region(READ_ONLY), sizeof(w->buffer) - 16);
   memcpy(words_of(READ_ONLY), w->buffer, sizeof(w->buffer) - 16);
   for (unsigned n = 0; n < WAVE_UAVS; n++)
      describe_uav(n, 4 * UAV_DWORDS);
   describe_images(w->views, in->views.image);
   bind_attributes(d, w->kernels);
   bind_textures(d, w->kernels, w->views);
   d->gds = (uint8_t *)w->memory->gds;
   d->gds_bytes = sizeof(w->memory->gds);
   d->factor_bytes = 4 * HULL_FACTORS;
   w->wave.bind = &v.bind.core;
   return true;
}

void
wave_valhall_begin(struct wave_run *w)
{
   for (unsigned n = 0; n < WAVE_UAVS; n++)
      memcpy(words_of(n), w->memory->uav[n], 4 * UAV_DWORDS);
   v.device.base_vertex = w->driver[IL_DRV_DRAW * 4 + 3];
   v.device.ring = w->ring;
   v.device.ring_bytes = w->ring_bytes;
   vh_fill_table(&v.bind);
}

void
wave_valhall_end(struct wave_run *w)
{
   for (unsigned n = 0; n < WAVE_UAVS; n++)
      memcpy(w->memory->uav[n], words_of(n), 4 * UAV_DWORDS);
}

/* --- groups ----------------------------------------------------------------------------------- */

bool
groups_valhall(struct machine *m, const struct shader_code *shader, bool interpret, char *error,
               size_t size)
{
   static uint8_t gds[GDS_BYTES];
   const struct kernels *kernels = kernels_choose();
   struct vh_device *d = &v.device;
   struct machine_views views;
   bool ok = machine_views_init(&views, m->texture, m->sampler, m->image);

   ok = ok && lift(kernels, shader, CORE_COMPUTE, interpret, NULL, views.vm, error, size);
   if (ok)
      memcpy(v.resources, views.resource, sizeof(v.resources));
   for (unsigned n = 0; ok && n < MACHINE_BUFFERS; n++) {
      const struct machine_buffer *b = &m->buffer[n];
      const unsigned at = n == SRV_STRUCTS ? SRV_BUFFER : n;
      if (!b->words)
         continue;
      memcpy(words_of(at), b->words, 4 * (size_t)b->count);
      if (!m->texture[n].there)
         describe_buffer(n, region(at), 4 * b->count);
      describe_uav(n, 4 * b->count);
   }
   for (unsigned n = 0; ok && n < MACHINE_CONSTANTS; n++)
      d->constants[n] = (struct vh_buffer){ m->constant[n].words, 4 * m->constant[n].count };
   if (ok) {
      memset(gds, 0, sizeof(gds));
      d->gds = gds;
      d->gds_bytes = sizeof(gds);
      describe_images(&views, m->image);
      bind_textures(d, kernels, &views);
      v.bind.core.budget = 0;
      v.bind.core.scratch_bytes = v.program->uses_scratch ? 16 * shader->scratch_vec4s : 0;
      vh_fill_table(&v.bind);
      m->cycles = 0;
      ok = machine_dispatch(m, &v.bind.core, VH_ROWS, NULL, NULL, error, size);
   }
   for (unsigned n = 0; ok && n < MACHINE_BUFFERS; n++)
      if (m->buffer[n].words && n != SRV_STRUCTS)
         memcpy(m->buffer[n].words, words_of(n), 4 * (size_t)m->buffer[n].count);
   for (unsigned n = 0; ok && n < MACHINE_IMAGES; n++)
      if (m->image[n].there)
         machine_views_read(&views, &m->image[n], n, m->image_out[n]);
   wave_valhall_finish();
   machine_views_finish(&views);
   return ok;
}
