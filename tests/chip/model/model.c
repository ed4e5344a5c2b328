/* SPDX-License-Identifier: MIT */
/*
 * A chip made for tests; see model.h.
 *
 * Three things make it: memory (an address space), answers to what an instruction set asks of a
 * stage (struct source_ops, struct td_views_ops), and the blocks' states, written down as they are
 * meant.
 */
#include "model.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bind/binder.h"
#include "cb/cb.h"
#include "db/db.h"
#include "memory/arena.h"
#include "memory/bo.h"
#include "memory/space.h"
#include "pa/pa.h"
#include "pass/pass.h"
#include "pass/programs.h"
#include "port/format.h"
#include "port/rat.h"
#include "port/state.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "sx/sx.h"
#include "port/views.h"
#include "vgt/vgt.h"

/* The numbers under which all compilers look for texture 0 and for the driver's constants. */
#define TEXTURE          18u
#define DRIVER_CONSTANTS 15u

struct model {
   const struct scene *scene;
   struct gfx *gfx;
   struct vm *vm;
   struct arena *arena;
   struct bo *bo;
   struct td_views views; /* what every stage sees */
};

/* A stage: `source` is what an instruction set sees of it. */
struct model_stage {
   struct bind_source source; /* first */
   const struct model *model;
   const struct shader_code *code;
};

/* What the scene has for a stage, and where. */
static const struct {
   uint8_t stage;
   uint32_t program, driver, fetches; /* 0: it fetches nothing */
   size_t code;
} roles[] = {
   [CORE_VERTEX] = { STAGE_VS, VS_AT, DRIVER_VS_AT, FETCHES_AT, offsetof(struct scene, vs) },
   [CORE_PIXEL] = { STAGE_PS, PS_AT, DRIVER_PS_AT, 0, offsetof(struct scene, ps) },
   [CORE_COMPUTE] = { STAGE_CS, CS_AT, DRIVER_CS_AT, 0, offsetof(struct scene, cs) },
};

/* ---- Memory ---- */

static uint8_t *
at(const struct model *m, uint32_t offset)
{
   return vm_pointer(m->vm, SCENE_VA + offset);
}

const uint32_t *
model_memory(const struct model *m)
{
   return (const uint32_t *)(const void *)at(m, 0);
}

/* ---- What instructions find under numbers ---- */

static const struct texture *
view_texture(const struct td_views *views, uint32_t n, bool base_only, struct texture *room)
{
   (void)base_only;
   if (n != TEXTURE)
      return NULL;
   *room = (struct texture){
      .vm = views->vm,
      .format = FORMAT_R8G8B8A8,
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      .dim = TEXTURE_2D,
      .samples = 1,
      .width = TEXTURE_SIZE,
      .height = TEXTURE_SIZE,
      .depth = 1,
      .layers = 1,
      .level = { { .va = SCENE_VA + TEXTURE_AT,
                   .slice_bytes = 4 * TEXTURE_PITCH * TEXTURE_SIZE,
                   .pitch = 4 * TEXTURE_PITCH } },
   };
   return room;
}

static const struct sampler *
view_sampler(const struct td_views *views, uint32_t n, struct sampler *room)
{
   static const struct sampler linear = { .mag = FILTER_LINEAR, .min = FILTER_LINEAR }, none;

   (void)views;
   (void)room;
   return n == 0 ? &linear : &none;
}

static bool
view_buffer(const struct td_views *views, uint32_t n, struct elements *out)
{
   if (n != TD_VERTEX_BUFFERS)
      return false;
   *out = (struct elements){
      .vm = views->vm,
      .va = SCENE_VA + VERTICES_AT,
      .size = VERTICES * VERTEX_BYTES,
      .stride = VERTEX_BYTES,
   };
   return true;
}

/* ---- What a stage has ---- */

static const struct model_stage *
stage_of(const struct bind_source *source)
{
   return (const struct model_stage *)source;
}

static struct source_words
code(const struct bind_source *source, enum source_code part)
{
   const uint32_t program = roles[source->role].program, fetches = roles[source->role].fetches;
   const uint32_t offset = part == SOURCE_PROGRAM ? program : fetches;

   if (part == SOURCE_BLENDS || (part == SOURCE_FETCHES && !fetches))
      return (struct source_words){ 0 };
   return (struct source_words){
      SCENE_VA + offset, (const uint32_t *)(const void *)at(stage_of(source)->model, offset),
      (SCENE_BYTES - offset) / 4
   };
}

static struct target_range
constants(const struct bind_source *source, unsigned n)
{
   return n == 0 ? (struct target_range){ SCENE_VA + CONSTANTS_AT, CONSTANT_BYTES }
          : n == DRIVER_CONSTANTS
             ? (struct target_range){ SCENE_VA + roles[source->role].driver, DRIVER_BYTES }
             : (struct target_range){ 0 };
}

/* They never change. */
static const struct td_views *
keep(const struct bind_source *source, const struct td_views *reuse)
{
   (void)reuse;
   return source->views;
}

/* As the compiler was promised; see compiler/shader.h. */
static void
layout(const struct bind_source *source, struct core_layout *out)
{
   if (source->role == CORE_PIXEL)
      out->pairs = stage_of(source)->code->ps.bary;
   else
      out->thread = 0, out->group = 4;
}

/* One buffer of dwords. */
static void
rats(const struct bind_source *source, uint64_t mask, struct rat *out)
{
   const struct target_range range = { SCENE_VA + OUT_AT, OUT_BYTES };

   memset(out, 0, RATS * sizeof(*out));
   if (!(mask & 1))
      return;
   out[0] = (struct rat){
      .va = range.va,
      .base = at(stage_of(source)->model, OUT_AT),
      .kind = RAT_KIND_BUFFER,
      .width = OUT_BYTES / 4,
      .height = 1,
      .layers = 1,
      .range = range,
   };
   out[0].bytes = (uint8_t)cb_channels(out[0].channel, FORMAT_R32, NUMERIC_UINT, NULL);
}

static const struct bind_source *
describe(struct model_stage *s, const struct model *m, enum core_stage role)
{
   static const struct source_ops ops = {
      .code = code,
      .constants = constants,
      .keep = keep,
      .layout = layout,
      .rats = rats,
   };
   const struct shader_code *shader =
      (const struct shader_code *)((const char *)m->scene + roles[role].code);

   *s = (struct model_stage){
      .source = {
         .ops = &ops,
         .views = &m->views,
         .vm = m->vm,
         .kernels = gfx_kernels(m->gfx),
         .pool = gfx_pool(m->gfx),
         .role = role,
         .stage = roles[role].stage,
         .state = { SOURCE_REGISTERS(shader->num_gprs, shader->stack_size) | SOURCE_CLAMP_NAN,
                    m->scene->keeps_halves ? SOURCE_KEEP_OTHERS : 0 },
      },
      .model = m,
      .code = shader,
   };
   return &s->source;
}

/* ---- What blocks are told ---- */

static void
describe_rasteriser(struct vgt_state *vgt, struct pa_state *pa, struct sc_state *sc)
{
   const struct sc_rect all = { 0, 0, PICTURE_SIZE, PICTURE_SIZE };
   const float half = PICTURE_SIZE / 2.0f;

   *vgt = (struct vgt_state){ .topology = TOPOLOGY_TRIANGLES, .index_max = UINT32_MAX };
   *pa = (struct pa_state){
      .viewport = { { half, half, half, half, 0.5f, 0.5f } },
      .clip = true,
      .clip_near = true,
      .clip_far = true,
      .w_is_w = true,
      .disc_x = 1,
      .disc_y = 1,
   };
   *sc = (struct sc_state){
      .rect = { all },
      .bounds = all,
      .width = PICTURE_SIZE,
      .height = PICTURE_SIZE,
      .layers = 1,
      .z_max = { 1 },
      .sample_mask = { 0xffff, 0xffff, 0xffff, 0xffff },
   };
}

/* Each input of the pixel program is what the vertex program exports under the same slot. */
static void
link_stages(struct spi_state *spi, const struct shader_code *vs, const struct shader_code *ps)
{
   *spi = (struct spi_state){ .num_inputs = ps->ps.num_inputs };
   for (unsigned i = 0; i < ps->ps.num_inputs; i++) {
      spi->input[i] = (struct spi_input){ .param = SPI_NO_PARAM, .defaults = { 0, 0, 0, 1 } };
      for (unsigned n = 0; n < vs->vs.num_params; n++)
         if (vs->vs.param_slot[n] == ps->ps.input[i].slot)
            spi->input[i].param = (uint8_t)n;
   }
}

static void
describe_targets(const struct model *m, struct sx_state *sx, struct db_state *db,
                 struct cb_state *cb)
{
   struct target_desc surface = {
      .pitch = PICTURE_SIZE,
      .slice_tiles = PICTURE_SIZE * PICTURE_SIZE / 64,
      .cpp = 4,
   };

   *sx = (struct sx_state){ .alpha_func = TEST_ALWAYS };
   *db = (struct db_state){
      .z_format = DEPTH_FLOAT32,
      .z_test = true,
      .z_write = true,
      .z_func = TEST_LESS,
   };
   surface.va = SCENE_VA + DEPTH_AT;
   target_decode(&db->z, m->vm, &surface);
   db_finish(db);

   *cb = (struct cb_state){
      .target = { {
         .numeric = NUMERIC_UNORM,
         .write_mask = 15,
         .clamp = true,
         .blend = { true, FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA, BLEND_OP_ADD, FACTOR_ONE,
                    FACTOR_ONE_MINUS_SRC_ALPHA, BLEND_OP_ADD },
      } },
      .mode = CB_COLORS,
      .logic = 12, /* the source */
   };
   surface.va = SCENE_VA + COLOR_AT;
   surface.cpp = (uint8_t)cb_channels(cb->target[0].channel, FORMAT_R8G8B8A8, NUMERIC_UNORM, NULL);
   target_decode(&cb->target[0].surface, m->vm, &surface);
   cb_finish(cb);
}

/* ---- The chip ---- */

struct model *
model_create(const struct scene *scene, unsigned threads)
{
   static const struct td_views_ops views = { view_texture, view_sampler, view_buffer, NULL };
   const struct gfx_options options = {
      .kernels = kernels_choose(),
      .binder = binder_of(scene->isa),
      .threads = threads,
   };
   struct model *m = calloc(1, sizeof(*m));

   if (!m)
      return NULL;
   m->scene = scene;
   m->gfx = gfx_create(&options);
   m->vm = vm_create();
   m->arena = arena_create(SCENE_BYTES);
   m->bo = m->arena ? bo_create(m->arena, SCENE_BYTES) : NULL;
   m->views = (struct td_views){ &views, m->vm, TEXTURE + 1 };
   if (!m->gfx || !m->vm || !m->bo || vm_map(m->vm, SCENE_VA, m->bo)) {
      model_destroy(m);
      return NULL;
   }
   memcpy(at(m, 0), scene->memory, SCENE_BYTES);
   return m;
}

void
model_destroy(struct model *m)
{
   gfx_destroy(m->gfx);
   if (m->vm)
      vm_destroy(m->vm);
   if (m->bo)
      bo_unref(m->bo);
   if (m->arena)
      arena_destroy(m->arena);
   free(m);
}

uint64_t
model_draw(struct model *m)
{
   struct model_stage vs, ps;
   struct vgt_state vgt;
   struct pa_state pa;
   struct sc_state sc;
   struct spi_state spi;
   struct sx_state sx;
   struct db_state db;
   struct cb_state cb;

   gfx_begin(m->gfx, &(struct gfx_limits){ 0 });
   if (!gfx_begin_draw(m->gfx))
      return UINT64_MAX;

   struct stages stages = { .source = { [STAGE_VS] = describe(&vs, m, CORE_VERTEX),
                                        [STAGE_PS] = describe(&ps, m, CORE_PIXEL) } };

   if (gfx_find_stages(m->gfx, &stages))
      return UINT64_MAX;
   describe_rasteriser(&vgt, &pa, &sc);
   link_stages(&spi, &m->scene->vs, &m->scene->ps);
   describe_targets(m, &sx, &db, &cb);
   gfx_draw(m->gfx, &(struct gfx_draw){
                       .vm = m->vm,
                       .state = gfx_number(m->gfx),
                       .tables = gfx_number(m->gfx),
                       .count = VERTICES,
                       .instances = 1,
                       .vgt = &vgt,
                       .pa = &pa,
                       .sc = &sc,
                       .spi = &spi,
                       .sx = &sx,
                       .db = &db,
                       .cb = &cb,
                       .stages = &stages,
                    });
   gfx_flush(m->gfx);
   gfx_end(m->gfx);
   return gfx_counters(m->gfx)->faults;
}

uint64_t
model_dispatch(struct model *m)
{
   const struct shader_code *shader = &m->scene->cs;
   struct model_stage cs;
   struct gfx_dispatch d = {
      .block = { shader->cs.block[0], shader->cs.block[1], shader->cs.block[2] },
      .groups = { GROUPS, 1, 1 },
   };
   const char *why;

   gfx_begin(m->gfx, &(struct gfx_limits){ 0 });
   if (!gfx_begin_dispatch(m->gfx))
      return UINT64_MAX;
   d.source = describe(&cs, m, CORE_COMPUTE);
   d.program = gfx_find(m->gfx, d.source, &why);
   if (!d.program)
      return UINT64_MAX;
   gfx_dispatch(m->gfx, &d);
   gfx_end(m->gfx);
   return gfx_counters(m->gfx)->faults;
}
