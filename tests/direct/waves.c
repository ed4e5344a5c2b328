/* SPDX-License-Identifier: MIT */
/*
 * One wave, directly and compiled, and the vertex and pixel shaders that run in one: results are
 * registers on one side and exports on the other.
 */
#include "wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atoll/cayman/descriptors.h"
#include "chip/chip.h"
#include "atoll/cayman/enums.h"

#define BUDGET (1u << 24)

/* A fetch of four dwords at dword `index`, as a descriptor of stride 4 makes it. */
static void
fetch_ring(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
           uint64_t lanes)
{
   const struct elements *desc = (const void *)(uintptr_t)bind->state[0];
   const uint32_t *ring = desc->ring;

   for (unsigned l = 0; l < WAVE_LANES; l++) {
      uint64_t at = (uint64_t)index[l] + desc->offset / 4;
      for (unsigned c = 0; c < 4 && (lanes >> l & 1); c++) {
         if (dst[c]) {
            unsigned sel = desc->swizzle[c];
            dst[c][l] = sel <= SWIZZLE_W && at + 4 <= desc->ring_bytes / 4 ? ring[at + sel] : 0;
         }
      }
   }
}

static void
bind_buffer(struct wave_run *w, unsigned n)
{
   const struct sq_vtx_ref *ref = &w->program->vtx[n];
   struct td_vtx_bind *bind = &w->vtx[n];
   struct elements buffer;
   bool driver = ref->resource == IL_DRIVER_CB;
   uint32_t words[8] = { 0 }, bytes = driver ? sizeof(w->driver) - 16 : sizeof(w->buffer) - 16;

   if (ref->resource == CAYMAN_RESOURCE_RING) {
      buffer = (struct elements){ .ring = w->ring, .ring_bytes = w->ring_bytes };
      td_fetch_elements(&w->ring_desc[n], &ref->fetch, &buffer, 0);
      bind->run = fetch_ring;
      bind->state[0] = (uintptr_t)&w->ring_desc[n];
      return;
   }
   uint32_t *memory = driver ? w->driver : w->buffer;
   unsigned stride = 16, uav = ref->resource - CAYMAN_RESOURCE_UAV,
            returned = ref->resource - CAYMAN_RESOURCE_UAV_RETURN, image = returned;
   const uint32_t *view = w->views ? machine_views_words(w->views, ref->resource) : NULL;
   if (view) {
      const bool there = cayman_decode_buffer(&buffer, view, w->views->vm);

      td_bind_fetch(w->kernels, bind, &ref->fetch, there ? &buffer : NULL, 0);
      return;
   }
   if (image < MACHINE_IMAGES && w->from->image[image].there) {
      memcpy(words, w->views->returned[image], sizeof(words));
      words[1] = sizeof(w->image_returns[image]) - 17;
      cayman_decode_buffer(&buffer, words, NULL);
      buffer.ring = w->image_returns[image];
      buffer.ring_bytes = sizeof(w->image_returns[image]) - 16;
      td_bind_fetch(w->kernels, bind, &ref->fetch, &buffer, 0);
      return;
   }
   if (uav < WAVE_UAVS || returned < WAVE_UAVS) {
      memory = uav < WAVE_UAVS ? w->memory->uav[uav] : w->memory->returns[returned];
      bytes = 4 * (uav < WAVE_UAVS ? UAV_DWORDS : WAVE_LANES);
      stride = 4;
   } else if (ref->resource == CAYMAN_RESOURCE_TEXTURE + SRV_BUFFER ||
              ref->resource == CAYMAN_RESOURCE_TEXTURE + SRV_STRUCTS) {
      stride = 4;
   }
   words[1] = bytes - 1;
   words[2] = REG_FIELD(BUF_WORD2, STRIDE, stride) |
              REG_FIELD(BUF_WORD2, DATA_FORMAT, CAYMAN_FMT_32_32_32_32_FLOAT) |
              REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, CAYMAN_NUM_FORMAT_INT);
   words[3] = REG_FIELD(BUF_WORD3, DST_SEL_Y, 1) | REG_FIELD(BUF_WORD3, DST_SEL_Z, 2) |
              REG_FIELD(BUF_WORD3, DST_SEL_W, 3);
   words[4] = bytes / stride;
   words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   cayman_decode_buffer(&buffer, words, NULL);
   buffer.ring = memory;
   buffer.ring_bytes = stride == 4 ? bytes + 12 : bytes;
   td_bind_fetch(w->kernels, bind, &ref->fetch, &buffer, 0);
}

static struct wave_memory memory[2]; /* compiled, directly */

/* UAV n of dwords; the export stream has four of them an element, of the same memory. */
static void
prepare_memory(struct wave_run *w, const struct inputs *in)
{
   memset(w->memory, 0, sizeof(*w->memory));
   for (unsigned n = 0; n <= WAVE_UAVS; n++) {
      bool stream = n == WAVE_UAVS;
      uint32_t *uav = w->memory->uav[stream ? STREAM_UAV : n], bytes = stream ? 16 : 4;
      uint64_t all = 4 * (uint64_t)UAV_DWORDS;
      struct rat *rat = &w->rats[stream ? EXPORT_STREAM : n];
      *rat = (struct rat){ .base = (uint8_t *)uav,
                           .kind = RAT_KIND_BUFFER,
                           .bytes = (uint8_t)bytes,
                           .width = (uint32_t)(all / bytes),
                           .height = 1,
                           .layers = 1,
                           .row_bytes = all,
                           .slice_bytes = all };
      for (unsigned c = 0; c < bytes / 4; c++) {
         rat->channel[c] =
            (struct cb_channel){ .bits = 32, .type = NUMERIC_UINT, .dword = (uint8_t)c };
      }
      if (!stream) {
         memcpy(uav, in->uav[n], sizeof(in->uav[0]));
         rat->returns = (uint8_t *)w->memory->returns[n];
         rat->return_bytes = 4 * WAVE_LANES;
      }
   }
   w->bind.rats = w->rats;
   w->bind.gds = (uint8_t *)w->memory->gds;
   w->bind.gds_bytes = 4 * GDS_DWORDS;
   w->bind.append = w->append;
   w->bind.ordered_count = &w->ordered_count;
}

const uint32_t *
wave_uav(unsigned n)
{
   return memory[1].uav[n];
}

bool
compare_memory(char *error, size_t size)
{
   for (unsigned i = 0; i < WAVE_UAVS * UAV_DWORDS + GDS_DWORDS; i++) {
      bool gds = i >= WAVE_UAVS * UAV_DWORDS;
      unsigned n = i / UAV_DWORDS, at = gds ? i - WAVE_UAVS * UAV_DWORDS : i % UAV_DWORDS;
      uint32_t a = gds ? memory[1].gds[at] : memory[1].uav[n][at];
      uint32_t b = gds ? memory[0].gds[at] : memory[0].uav[n][at];
      if (a != b) {
         snprintf(error, size, "%s %u, dword %u: %08x directly, %08x compiled",
                  gds ? "global data" : "UAV", gds ? 0 : n, at, a, b);
         return false;
      }
   }
   return true;
}

/* What the texture unit and fetches at an index find, and the targets of typed UAVs. */
static bool
bind_views(struct wave_run *w, const struct views *v)
{
   const struct sq_program *p = w->program;

   machine_views_finish(w->views);
   w->from = v;
   if (!machine_views_init(w->views, v->texture, v->sampler, v->image))
      return false;
   for (uint32_t i = 0; p && i < p->num_tex; i++) {
      const struct sq_tex_ref *ref = &p->tex[i];
      const struct cayman_view view = {
         .resource = machine_views_words(w->views, ref->resource),
         .sampler = w->views->sampler[ref->sampler % MACHINE_SAMPLERS],
         .border = &w->views->border[ref->sampler % MACHINE_SAMPLERS],
         .vm = w->views->vm,
         .pipes = chips[CHIP_CAYMAN].pipes,
      };
      cayman_bind_tex(w->kernels, &w->tex[i], &ref->lookup, &view);
   }
   for (unsigned n = 0; n < MACHINE_IMAGES; n++) {
      if (v->image[n].there) {
         machine_views_rat(w->views, &v->image[n], n, &w->rats[n]);
         w->rats[n].returns = (uint8_t *)w->image_returns[n];
         w->rats[n].return_bytes = sizeof(w->image_returns[n]) - 16;
      }
   }
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++)
      w->driver[IL_DRV_CUBES * 4 + n] = v->texture[n].depth;
   w->bind.tex = w->tex;
   w->tables = machine_views_tables(w->views);
   w->bind.views = &w->tables.views;
   w->bind.vm = w->views->vm;
   return true;
}

static uint8_t scratch[WAVE_LANES * MAX_SCRATCH] __attribute__((aligned(64)));

static void
start_wave(struct wave_run *w)
{
   w->wave.outputs = w->outputs;
   w->wave.active = w->wave.valid = ~UINT64_C(0);
   w->wave.scratch_bytes = SCRATCH_BYTES;
}

/* Everything but the entry registers.  False: more than the test provides for. */
static bool
prepare(struct wave_run *w, const struct inputs *in, const struct shader_code *shader)
{
   const struct sq_program *p = w->program;

   if (p && (p->num_consts > MAX_CONST || p->num_vtx > MAX_VTX || p->num_tex > MAX_TEX))
      return false;
   memcpy(w->buffer, in->constant, sizeof(in->constant));
   for (unsigned i = 0; i < IL_DRV_SIZE * 4; i++)
      w->driver[i] = i * 0x01010101u;
   for (unsigned i = 0; i < IL_MAX_INTERFACES; i++)
      w->driver[IL_DRV_INTERFACES * 4 + i] = interface_table(i);
   for (unsigned i = 0; i < 32; i++) { /* of samples: 16ths of a pixel */
      const float place = (float)(i * 5 % 16) / 16.0f;
      memcpy(&w->driver[IL_DRV_SAMPLE_POS * 4 + i], &place, 4);
   }
   for (unsigned i = 0; i < shader->num_icb * 4 && i < MAX_ICB * 4; i++)
      w->driver[SHADER_ICB_FIRST_VEC4 * 4 + i] = shader->icb[i];
   if (!bind_views(w, &in->views))
      return false;
   if (!p) {
      prepare_memory(w, in);
      start_wave(w);
      return true;
   }
   w->bind.kcache[0] = (struct sq_kcache){ w->buffer, sizeof(w->buffer) - 16 };
   w->bind.kcache[IL_DRIVER_CB] = (struct sq_kcache){ w->driver, sizeof(w->driver) - 16 };
   prepare_memory(w, in);
   w->bind.core.program = &p->core;
   w->bind.consts = w->consts;
   w->bind.vtx = w->vtx;
   w->bind.core.budget = BUDGET;
   w->bind.core.scratch_bytes = SCRATCH_BYTES;
   w->wave.bind = &w->bind.core;
   start_wave(w);
   return true;
}

void
set_row(wave_lane (*gpr)[4], int row, unsigned chan, const wave_lane v)
{
   if (row >= 0)
      memcpy(gpr[row][chan], v, sizeof(wave_lane));
}

void
set_all(wave_lane (*gpr)[4], int row, unsigned chan, uint32_t v)
{
   for (unsigned l = 0; l < WAVE_LANES; l++)
      gpr[row][chan][l] = v;
}

/* --- either side ------------------------------------------------------------------------------ */
static struct core_outputs exports __attribute__((aligned(64)));
static wave_lane machine_file[CORE_WAVE_ROWS / 4][4], direct_file[DIRECT_ROWS][4];
static struct wave_run waves[2];
static struct machine_views views[2];

wave_lane (*wave_file(bool direct))[4]
{
   return direct ? direct_file : machine_file;
}

struct wave_run *
wave_direct(const struct il_program *il, uint32_t modes, const struct inputs *in,
            struct direct_program *direct, char *error, size_t size)
{
   static const struct shader_code none;
   struct wave_run *w = &waves[1];

   *w = (struct wave_run){
      .kernels = kernels_choose(), .outputs = &exports, .memory = &memory[1], .views = &views[1]
   };
   if (!direct_lift(w->kernels, il, modes, direct, error, size))
      return NULL;
   w->program = direct->program;
   if (direct->num_rows > DIRECT_ROWS || !prepare(w, in, &none)) {
      snprintf(error, size, "too many rows or constants");
      direct_free(w->kernels, direct);
      return NULL;
   }
   memset(direct_file, 0, CORE_WAVE_ROWS * sizeof(wave_lane));
   return w;
}

static const char *
lift_cayman(struct wave_run *w, const struct shader_code *shader, enum core_stage stage,
            uint32_t modes, bool interpret, const struct inputs *in)
{
   static const uint8_t stages[CORE_STAGES] = {
      [CORE_VERTEX] = SQ_STAGE_VS,   [CORE_EVALUATION] = SQ_STAGE_VS, [CORE_CONTROL] = SQ_STAGE_HS,
      [CORE_GEOMETRY] = SQ_STAGE_GS, [CORE_PIXEL] = SQ_STAGE_PS,
   };
   const bool five = w->isa == ISA_ID_evergreen;
   struct sq_program_source source = {
      .vliw = five ? CAYMAN_VLIW5 : CAYMAN_VLIW4,
      .stage = (enum sq_stage)stages[stage],
      .words = shader->words,
      .num_words = shader->num_dwords,
      .pgm_resources = shader->num_gprs | shader->stack_size << 8 | 1u << 21,
      .pgm_resources_2 = modes,
      .interpret = interpret,
   };
   uint32_t *fetch = NULL;

   /* The attributes are there: a fetch subroutine that does nothing. */
   if (stage == CORE_VERTEX) {
      source.num_fetch_words = five ? evergreen_build_fetch_shader(NULL, 0, &fetch)
                                    : cayman_build_fetch_shader(NULL, 0, &fetch);
      source.fetch_words = fetch;
   }
   w->program = w->lifted = w->kernels->sq_lift(&source);
   free(fetch);
   if (!w->lifted)
      return "no memory";
   if (!w->lifted->core.error && !prepare(w, in, shader))
      return "too many constants or fetches";
   return w->lifted->core.error;
}

struct wave_run *
wave_compiled(const struct shader_code *shader, enum core_stage stage, uint32_t modes,
              unsigned flags, const struct inputs *in, char *error, size_t size)
{
   const bool interpret = flags & CASE_INTERPRET;
   struct wave_run *w = &waves[0];

   *w = (struct wave_run){ .kernels = kernels_choose(),
                           .isa = isa_of(flags),
                           .outputs = &exports,
                           .memory = &memory[0],
                           .views = &views[0] };
   const char *wrong = NULL;
   bool ok = true;
   memset(machine_file, 0, sizeof(machine_file));
   if (is_of_cayman(w->isa))
      wrong = lift_cayman(w, shader, stage, modes, interpret, in);
   else if (!prepare(w, in, shader))
      wrong = "no memory";
   else if (w->isa == ISA_ID_valhall)
      ok = wave_valhall(w, shader, stage, interpret, in, error, size);
   else
      ok = wave_attila(w, shader, stage, interpret, in, error, size);
   if (!wrong && ok)
      return w;
   if (wrong)
      snprintf(error, size, "%s", wrong);
   wave_finish(w);
   return NULL;
}

void
wave_value(struct wave_run *w, unsigned value, const wave_lane v)
{
   uint32_t *row =
      is_of_cayman(w->isa) ? NULL : core_entry_row(w->wave.bind->entry, wave_file(false)[0], value);

   if (row)
      memcpy(row, v, sizeof(wave_lane));
}

void
wave_value_all(struct wave_run *w, unsigned value, uint32_t v)
{
   wave_lane all;

   for (unsigned l = 0; l < WAVE_LANES; l++)
      all[l] = v;
   wave_value(w, value, all);
}

/* Constants, fetches, and which entry registers there are. */
static void
begin_cayman(struct wave_run *w, unsigned loaded)
{
   const struct sq_program *p = w->program;

   for (uint32_t i = 0; i < p->num_consts; i++) {
      const struct sq_kcache *k = &w->bind.kcache[p->consts[i].bank & 15];
      w->consts[i] = p->consts[i].dword * 4 < k->bytes ? k->base[p->consts[i].dword] : 0;
   }
   for (uint32_t i = 0; i < p->num_vtx; i++)
      bind_buffer(w, i);
   memset(&w->entry, 0, sizeof(w->entry));
   for (unsigned row = 0; row < 4 * loaded; row++)
      w->entry.filled[row / 64] |= UINT64_C(1) << row % 64;
   w->bind.core.entry = &w->entry;
}

bool
wave_go(struct wave_run *w, bool direct, unsigned loaded, char *error, size_t size)
{
   memset(scratch, 0, (size_t)WAVE_LANES * w->wave.scratch_bytes);
   w->wave.rows = wave_file(direct)[0];
   w->wave.scratch = scratch;
   if (is_of_cayman(w->isa))
      begin_cayman(w, loaded);
   else if (w->isa == ISA_ID_valhall)
      wave_valhall_begin(w);
   else
      wave_attila_begin(w);
   core_run(&w->wave);
   if (w->isa == ISA_ID_valhall)
      wave_valhall_end(w);
   if (w->wave.faulted) {
      snprintf(error, size, "fault at %u: %s", w->wave.fault_place,
               w->wave.fault ? w->wave.fault : "?");
   }
   return !w->wave.faulted;
}

void
wave_driver(struct wave_run *w, unsigned dword, uint32_t v)
{
   w->driver[dword] = v;
}

void
wave_finish(struct wave_run *w)
{
   if (w && w->lifted) {
      w->kernels->sq_program_free(w->lifted);
      w->lifted = NULL;
   }
   if (w && w->isa == ISA_ID_valhall)
      wave_valhall_finish();
   else if (w && w->isa == ISA_ID_attila)
      wave_attila_finish();
}

/* --- results ---------------------------------------------------------------------------------- */
bool
compare_output(unsigned reg, unsigned mask, const wave_lane direct[4], const wave_lane compiled[4],
               uint64_t lanes, const struct shader_bound *bound, char *error, size_t size)
{
   for (; lanes; lanes &= lanes - 1) {
      unsigned l = (unsigned)__builtin_ctzll(lanes);
      for (unsigned c = 0; c < 4; c++) {
         if ((mask >> c & 1) && !is_near(direct[c][l], compiled[c][l], bound)) {
            snprintf(
               error, size,
               "o%u.%c of lane %u: %08x %08x %08x %08x directly, %08x %08x %08x %08x compiled", reg,
               "xyzw"[c], l, direct[0][l], direct[1][l], direct[2][l], direct[3][l], compiled[0][l],
               compiled[1][l], compiled[2][l], compiled[3][l]);
            return false;
         }
      }
   }
   return true;
}

bool
compare_outputs(const struct direct_program *direct, wave_lane (*gpr)[4],
                const struct core_outputs *e, const struct shader_code *shader, uint64_t lanes,
                const struct inputs *in, char *error, size_t size)
{
   const unsigned first = shader->stage == SHADER_STAGE_PS ? 0 : IL_LINK_GENERIC0;

   for (unsigned n = 0; n < DIRECT_OUTPUTS; n++) {
      const wave_lane *compiled = NULL;
      if (shader->stage == SHADER_STAGE_PS && n < 8)
         compiled = e->mrt[n];
      else if (shader->stage == SHADER_STAGE_VS && n == 0)
         compiled = e->pos[0];
      for (unsigned p = 0; shader->stage == SHADER_STAGE_VS && p < shader->vs.num_params; p++)
         if (shader->vs.param_slot[p] == n)
            compiled = e->param[p];
      if (!direct->output_mask[n])
         continue;
      if (!compiled) {
         snprintf(error, size, "o%u is not exported", n);
         return false;
      }
      if (!compare_output(n, direct->output_mask[n], gpr[direct->output_row + n], compiled, lanes,
                          bound_of(in, n, first), error, size))
         return false;
   }
   return true;
}

/* --- vertex and pixel shaders ----------------------------------------------------------------- */
static void
vertex_entry(wave_lane (*gpr)[4], const struct inputs *in)
{
   set_row(gpr, 0, 0, in->ids[0]);
   set_row(gpr, 0, 3, in->ids[1]);
   set_row(gpr, 0, 2, in->ids[2]);
   for (unsigned i = 0; i < NUM_ATTRS * 4; i++)
      set_row(gpr, 1 + (int)i / 4, i % 4, in->attr[i / 4][i % 4]);
}

/* Barycentric pairs of `mask`, and the registers after them. */
static void
pixel_entry(wave_lane (*gpr)[4], const struct inputs *in, unsigned mask, int position, int face,
            int fixed)
{
   unsigned pairs = 0;
   for (unsigned b = 0; b < 6; b++) {
      if (mask >> b & 1) {
         set_row(gpr, (int)pairs / 2, pairs % 2 * 2, in->bary[b][0]);
         set_row(gpr, (int)pairs / 2, pairs % 2 * 2 + 1, in->bary[b][1]);
         pairs++;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      set_row(gpr, position, c, in->position[c]);
      set_row(gpr, face, c, in->face[c]);
   }
   set_row(gpr, fixed, 3, in->sample);
}

static void
set_coefficients(struct wave_run *w, const struct inputs *in, unsigned to, unsigned slot)
{
   for (unsigned c = 0; c < 4; c++) {
      const float *p = in->coef[slot & 63][c];
      w->coef[to][c] = (struct spi_coef){ p[0], p[1], p[2], 0 };
   }
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      w->wave.coef[q] = (const struct spi_coef(*)[4])w->coef;
   w->wave.one_primitive = true;
}

/* What the two programs left in the images. */
static bool
compare_waves_images(const struct views *v, char *error, size_t size)
{
   static uint32_t now[2][MACHINE_IMAGES][IMAGE_DWORDS];

   for (unsigned side = 0; side < 2; side++) {
      for (unsigned n = 0; n < MACHINE_IMAGES; n++)
         if (v->image[n].there)
            machine_views_read(&views[side], &v->image[n], n, now[1 - side][n]);
   }
   return compare_images(v, now[0], now[1], error, size);
}

/* The vertex without what attributes add to it, and what they add. */
static void
vertex_values(struct wave_run *w, const struct inputs *in)
{
   wave_lane vertex;

   for (unsigned l = 0; l < WAVE_LANES; l++)
      vertex[l] = in->ids[0][l] - w->driver[IL_DRV_DRAW * 4 + 3];
   wave_value(w, CORE_VERTEX_INDEX, vertex);
   wave_value(w, CORE_INSTANCE, in->ids[1]);
   wave_value(w, CORE_PRIMITIVE, in->ids[2]);
}

static enum outcome
run_vertices(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
             const struct inputs *in, unsigned flags, char *error, size_t size)
{
   struct direct_program direct;
   struct wave_run *d = wave_direct(il, modes, in, &direct, error, size), *w;
   enum outcome result = BROKEN;

   if (!d)
      return NOT_DIRECT;
   vertex_entry(wave_file(true), in);
   bool ok = wave_go(d, true, WAVE_ALL_LOADED, error, size);

   w = ok ? wave_compiled(shader, CORE_VERTEX, modes, flags, in, error, size) : NULL;
   if (w) {
      if (is_of_cayman(w->isa))
         vertex_entry(wave_file(false), in);
      vertex_values(w, in);
      if (wave_go(w, false, 1 + NUM_ATTRS, error, size)) {
         result =
            compare_outputs(&direct, wave_file(true), &exports, shader, ~0ull, in, error, size) &&
                  compare_memory(error, size) && compare_waves_images(&in->views, error, size)
               ? SAME
               : DIFFERENT;
      }
      wave_finish(w);
   }
   direct_free(d->kernels, &direct);
   return result;
}

/* The whole number in a float of half a pixel more. */
static uint32_t
pixel_number(uint32_t bits)
{
   float f;

   memcpy(&f, &bits, 4);
   return (uint32_t)f;
}

static void
pixel_values(struct wave_run *w, const struct inputs *in)
{
   wave_lane x, y;

   for (unsigned l = 0; l < WAVE_LANES; l++) {
      x[l] = pixel_number(in->position[0][l]);
      y[l] = pixel_number(in->position[1][l]);
   }
   for (unsigned n = 0; n < 12; n++)
      wave_value(w, CORE_BARYCENTRIC + n, in->bary[n / 2][n % 2]);
   for (unsigned c = 0; c < 4; c++)
      wave_value(w, CORE_POSITION + c, in->position[c]);
   wave_value(w, CORE_PIXEL_X, x);
   wave_value(w, CORE_PIXEL_Y, y);
   wave_value(w, CORE_FACE, in->face[0]);
   wave_value(w, CORE_COVERAGE, in->face[2]);
   wave_value(w, CORE_SAMPLE, in->sample);
}

/* The entry registers that machine code asks for; how many. */
static unsigned
pixel_registers(struct wave_run *w, const struct shader_code *shader, const struct inputs *in)
{
   const int rows[] = { shader->ps.position_gpr, shader->ps.face_gpr, shader->ps.fixed_pt_gpr };
   unsigned loaded = ((unsigned)__builtin_popcount(shader->ps.bary) + 1) / 2;

   if (is_of_cayman(w->isa))
      pixel_entry(wave_file(false), in, shader->ps.bary, rows[0], rows[1], rows[2]);
   pixel_values(w, in);
   for (unsigned i = 0; i < 3; i++)
      loaded = rows[i] + 1 > (int)loaded ? (unsigned)rows[i] + 1 : loaded;
   for (unsigned n = 0; n < shader->ps.num_inputs; n++)
      set_coefficients(w, in, n, shader->ps.input[n].slot);
   set_coefficients(w, in, shader->ps.num_inputs, 0);
   return loaded;
}

/* Valhall finds the position of a sample from the driver's constants. */
static void
sample_positions(const struct wave_run *w, wave_lane position[4], const struct inputs *in)
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      for (unsigned axis = 0; axis < 2; axis++) {
         float f;
         memcpy(&f, &w->driver[IL_DRV_SAMPLE_POS * 4 + 2 * in->sample[l] + axis], 4);
         f = (float)pixel_number(in->position[axis][l]) + f;
         memcpy(&position[axis][l], &f, 4);
      }
   }
}

static wave_lane pixels[8][4];

const wave_lane *
wave_pixel(unsigned n)
{
   return pixels[n];
}

static enum outcome
run_pixels(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
           const struct inputs *in, unsigned flags, char *error, size_t size)
{
   struct direct_program direct;
   struct wave_run *d = wave_direct(il, modes, in, &direct, error, size), *w;
   enum outcome result = BROKEN;

   if (!d)
      return NOT_DIRECT;
   pixel_entry(wave_file(true), in, 63, 3, 4, 5);
   if ((flags & CASE_VALHALL) && shader->ps.per_sample)
      sample_positions(d, wave_file(true)[3], in);
   for (unsigned n = 0; n < 64; n++)
      set_coefficients(d, in, n, n);
   bool ok = wave_go(d, true, WAVE_ALL_LOADED, error, size);
   uint64_t valid = d->wave.valid;
   memcpy(pixels, wave_file(true)[direct.output_row], sizeof(pixels));

   w = ok ? wave_compiled(shader, CORE_PIXEL, modes, flags, in, error, size) : NULL;
   if (w) {
      unsigned loaded = pixel_registers(w, shader, in);
      ok = wave_go(w, false, loaded, error, size);
      if (ok && w->wave.valid != valid) {
         snprintf(error, size, "pixels left: %016llx directly, %016llx compiled",
                  (unsigned long long)valid, (unsigned long long)w->wave.valid);
         result = DIFFERENT;
      } else if (ok) {
         bool same =
            compare_outputs(&direct, wave_file(true), &exports, shader, valid, in, error, size) &&
            compare_memory(error, size) && compare_waves_images(&in->views, error, size);
         result = same ? SAME : DIFFERENT;
      }
      wave_finish(w);
   }
   direct_free(d->kernels, &direct);
   return result;
}

enum outcome
run_waves(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
          const struct inputs *in, unsigned flags, char *error, size_t size)
{
   switch (il->shader) {
   case IL_SHADER_PIXEL:
      return run_pixels(il, shader, modes, in, flags, error, size);
   case IL_SHADER_VERTEX:
      return run_vertices(il, shader, modes, in, flags, error, size);
   default:
      return run_stages(il, shader, modes, in, flags, error, size);
   }
}
