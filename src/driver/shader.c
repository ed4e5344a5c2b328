/* SPDX-License-Identifier: MIT */
/*
 * Shaders: CSO creation, variants by key, NIR -> IL -> machine code, the disk cache, and the line
 * that shader-db reads.
 *
 * Creation makes the NIR final, compiles the variant that most draws want, and touches nothing of
 * a context but its debug callback: it runs on any thread. What a program does not depend on is
 * cleared from its key, so that state changes do not compile again.
 */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_serialize.h"
#include "nir/tgsi_to_nir.h"
#include "util/blob.h"
#include "util/disk_cache.h"
#include "util/hex.h"
#include "util/mesa-sha1.h"
#include "util/u_debug.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

#include <atoll/cayman/enums.h>

#include "compiler/nir/nir_to_il.h"
#include "isa/cayman/cayman.h"

/* Changes whenever the meaning of a cached entry does. */
#define CACHE_VERSION 1

/* ---- Machine code to register values ---- */

static void
fill_vs(struct atoll_program *p, const struct cayman_shader *s, const struct nir_shader *nir)
{
   p->num_params = MIN2(s->vs.num_params, 32);
   memcpy(p->param_slot, s->vs.param_slot, sizeof(p->param_slot));
   bool misc = s->vs.writes_point_size || s->vs.writes_edge_flag || s->vs.writes_layer ||
               s->vs.writes_viewport;
   p->pa_cl_vs_out_cntl =
      REG_FIELD(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, misc) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE, s->vs.writes_point_size) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_EDGE_FLAG, s->vs.writes_edge_flag) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX, s->vs.writes_layer) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX, s->vs.writes_viewport) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, s->vs.ccdist0) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA, s->vs.ccdist1);
   p->clip_mask = s->vs.clip_dist;
   p->cull_mask = s->vs.cull_dist;
   p->window_space = nir->info.vs.window_space_position;
   p->streamout = s->vs.streamout;
   p->so_buffers = s->vs.streamout_buffers;
   memcpy(p->so_stride, s->vs.streamout_stride, sizeof(p->so_stride));
}

static void
fill_ps(struct atoll_program *p, const struct cayman_shader *s, const struct nir_shader *nir)
{
   static const uint32_t bary_bit[CAYMAN_BARY_COUNT] = {
      [CAYMAN_BARY_PERSP_SAMPLE] = REG_FIELD(SPI_BARYC_CNTL, PERSP_SAMPLE_ENA, 1),
      [CAYMAN_BARY_PERSP_CENTER] = REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTER_ENA, 1),
      [CAYMAN_BARY_PERSP_CENTROID] = REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTROID_ENA, 1),
      [CAYMAN_BARY_LINEAR_SAMPLE] = REG_FIELD(SPI_BARYC_CNTL, LINEAR_SAMPLE_ENA, 1),
      [CAYMAN_BARY_LINEAR_CENTER] = REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTER_ENA, 1),
      [CAYMAN_BARY_LINEAR_CENTROID] = REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTROID_ENA, 1),
   };
   const unsigned persp = BITFIELD_BIT(CAYMAN_BARY_PERSP_SAMPLE) |
                          BITFIELD_BIT(CAYMAN_BARY_PERSP_CENTER) |
                          BITFIELD_BIT(CAYMAN_BARY_PERSP_CENTROID);

   p->num_inputs = MIN2(s->ps.num_inputs, 32);
   for (unsigned i = 0; i < p->num_inputs; i++) {
      p->inputs[i].slot = s->ps.input[i].slot;
      p->inputs[i].mode = s->ps.input[i].mode;
   }
   for (unsigned i = 0; i < CAYMAN_BARY_COUNT; i++)
      p->spi_baryc_cntl |= s->ps.bary >> i & 1 ? bary_bit[i] : 0;
   p->spi_in_control_0 =
      REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, MAX2(p->num_inputs, 1)) |
      REG_FIELD(SPI_PS_IN_CONTROL_0, PERSP_GRADIENT_ENA, (s->ps.bary & persp) != 0) |
      REG_FIELD(SPI_PS_IN_CONTROL_0, LINEAR_GRADIENT_ENA, (s->ps.bary & ~persp) != 0);
   if (s->ps.position_gpr >= 0) {
      p->spi_in_control_0 |= REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ENA, 1) |
                             REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ADDR, s->ps.position_gpr);
      p->spi_input_z = REG_FIELD(SPI_INPUT_Z, PROVIDE_Z_TO_SPI, 1);
   }
   if (s->ps.face_gpr >= 0)
      p->spi_in_control_1 |= REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA, 1) |
                             REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR, s->ps.face_gpr);
   if (s->ps.fixed_pt_gpr >= 0)
      p->spi_in_control_1 |=
         REG_FIELD(SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ENA, 1) |
         REG_FIELD(SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ADDR, s->ps.fixed_pt_gpr);

   p->spi_in_control_0 |= REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_SAMPLE, s->ps.per_sample);

   bool z = s->ps.exports_z || s->ps.exports_stencil || s->ps.exports_mask;
   p->exports_ps = REG_FIELD(SQ_PGM_EXPORTS_PS, EXPORT_Z, z) |
                   REG_FIELD(SQ_PGM_EXPORTS_PS, EXPORT_COLORS, s->ps.num_colors);
   if (!p->exports_ps)
      p->exports_ps = REG_FIELD(SQ_PGM_EXPORTS_PS, EXPORT_COLORS, 1);
   p->shader_mask = s->ps.color_mask;
   p->per_sample = s->ps.per_sample;

   unsigned layout = nir->info.fs.depth_layout;
   p->db_shader_control =
      REG_FIELD(DB_SHADER_CONTROL, MASK_EXPORT_ENABLE, s->ps.exports_mask) |
      REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, s->ps.exports_z) |
      REG_FIELD(DB_SHADER_CONTROL, STENCIL_EXPORT_ENABLE, s->ps.exports_stencil) |
      REG_FIELD(DB_SHADER_CONTROL, KILL_ENABLE, s->ps.kills) |
      REG_FIELD(DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER, s->ps.early_depth) |
      REG_FIELD(DB_SHADER_CONTROL, CONSERVATIVE_Z_EXPORT,
                layout == FRAG_DEPTH_LAYOUT_GREATER ? DB_EXPORT_GREATER_THAN_Z
                : layout == FRAG_DEPTH_LAYOUT_LESS  ? DB_EXPORT_LESS_THAN_Z
                                                    : DB_EXPORT_ANY_Z);
}

static void
fill_program(struct atoll_program *p, const struct cayman_shader *s, const struct nir_shader *nir)
{
   memset(p, 0, sizeof(*p));
   p->num_gprs = s->num_gprs;
   p->stack = s->stack_size;
   p->scratch_dw = s->scratch_vec4s * 4;
   p->num_icb = s->num_icb;
   p->num_dwords = s->num_dwords;
   p->const_buffers = s->const_buffers | (s->num_icb ? 1u << IL_DRIVER_CB : 0);
   p->const_buffers_fetch = s->const_buffers_fetch;
   p->num_alu_groups = s->num_alu_groups;
   p->num_loops = s->num_loops;
   p->num_cf = s->num_cf;
   if (s->stage == CAYMAN_STAGE_VS)
      fill_vs(p, s, nir);
   else
      fill_ps(p, s, nir);
}

/* ---- Compilation ---- */

static const char *
stage_name(const struct atoll_shader *shader)
{
   return shader->stage == PIPE_SHADER_VERTEX ? "VS" : "FS";
}

static bool
upload(struct atoll_screen *screen, struct atoll_variant *v, const uint32_t *words,
       const uint32_t *icb)
{
   /* The fetch of instructions may run a little ahead of the end. */
   v->bo = atoll_bo_create(screen->ws, v->p.num_dwords * 4 + 256, 256, 0);
   void *map = v->bo ? atoll_bo_map(v->bo) : NULL;
   if (map && v->p.num_icb) {
      v->icb = malloc(v->p.num_icb * 16);
      if (v->icb)
         memcpy(v->icb, icb, v->p.num_icb * 16);
   }
   if (!map || (v->p.num_icb && !v->icb)) {
      atoll_bo_unref(v->bo);
      v->bo = NULL;
      return false;
   }
   memcpy(map, words, v->p.num_dwords * 4);
   memset((char *)map + v->p.num_dwords * 4, 0, 256);
   return true;
}

static void
cache_key_of(struct atoll_screen *screen, const struct atoll_shader *shader,
             const struct atoll_key *key, cache_key out)
{
   struct {
      uint8_t sha1[20];
      struct atoll_key key;
      uint32_t version;
      uint32_t stage;
   } data;
   memset(&data, 0, sizeof(data));
   memcpy(data.sha1, shader->sha1, sizeof(data.sha1));
   data.key = *key;
   data.version = CACHE_VERSION;
   data.stage = shader->stage;
   disk_cache_compute_key(screen->disk_cache, &data, sizeof(data), out);
}

static bool
cache_load(struct atoll_screen *screen, const struct atoll_shader *shader, struct atoll_variant *v)
{
   if (!screen->disk_cache)
      return false;
   cache_key key;
   size_t size;
   cache_key_of(screen, shader, &v->key, key);
   uint8_t *data = disk_cache_get(screen->disk_cache, key, &size);
   if (!data)
      return false;
   bool ok = false;
   if (size >= sizeof(v->p)) {
      memcpy(&v->p, data, sizeof(v->p));
      if (size == sizeof(v->p) + (uint64_t)v->p.num_dwords * 4 + (uint64_t)v->p.num_icb * 16) {
         const uint32_t *words = (const uint32_t *)(data + sizeof(v->p));
         ok = upload(screen, v, words, words + v->p.num_dwords);
      }
   }
   free(data);
   return ok;
}

static void
cache_store(struct atoll_screen *screen, const struct atoll_shader *shader,
            const struct atoll_variant *v, const uint32_t *words, const uint32_t *icb)
{
   if (!screen->disk_cache)
      return;
   size_t words_size = v->p.num_dwords * 4, icb_size = v->p.num_icb * 16;
   uint8_t *data = malloc(sizeof(v->p) + words_size + icb_size);
   if (!data)
      return;
   memcpy(data, &v->p, sizeof(v->p));
   memcpy(data + sizeof(v->p), words, words_size);
   if (icb_size)
      memcpy(data + sizeof(v->p) + words_size, icb, icb_size);
   cache_key key;
   cache_key_of(screen, shader, &v->key, key);
   disk_cache_put(screen->disk_cache, key, data, sizeof(v->p) + words_size + icb_size, NULL);
   free(data);
}

/* The same program after it has been written and read: nothing may hide beside the IL. */
static struct il_program *
round_trip(struct il_program *il)
{
   uint32_t count = 0;
   struct il_error error;
   uint32_t *dwords = il_write(il, IL_NUMBERING_STREAM, &count, &error);
   struct il_program *copy = dwords ? il_read(dwords, count, IL_NUMBERING_STREAM, &error) : NULL;
   free(dwords);
   if (!copy) {
      fprintf(stderr, "atoll: IL does not survive being written and read: %s\n", error.text);
      return il;
   }
   il_program_free(il);
   return copy;
}

static void
print_program(struct atoll_screen *screen, const struct atoll_shader *shader,
              const struct atoll_variant *v, const struct il_program *il,
              const struct cayman_shader *code)
{
   if (il && screen->debug & ATOLL_DEBUG_IL) {
      char *text = il_print(il);
      fprintf(stderr, "; %s %u, IL\n%s\n", stage_name(shader), v->id, text ? text : "(no memory)");
      free(text);
   }
   if (code && screen->debug & ATOLL_DEBUG_ISA) {
      fprintf(stderr, "; %s %u, Cayman\n", stage_name(shader), v->id);
      cayman_disassemble(stderr, code->words, code->num_dwords);
      fputc('\n', stderr);
   }
}

static void
check_program(const struct atoll_shader *shader, const struct cayman_shader *code)
{
   struct cayman_limits limits = {
      .num_gprs = code->num_gprs,
      .num_clause_temps = 4,
      .stack_entries = code->stack_size,
      .pixel_shader = shader->stage == PIPE_SHADER_FRAGMENT,
   };
   char error[256];
   if (!cayman_validate(code->words, code->num_dwords, &limits, error, sizeof(error)))
      fprintf(stderr, "atoll: illegal %s: %s\n", stage_name(shader), error);
}

static void
compile(struct atoll_screen *screen, struct atoll_shader *shader, struct atoll_variant *v)
{
   const struct atoll_key *key = &v->key;
   struct atoll_nir_key nir_key = {
      .poly_stipple = key->poly_stipple,
      .point_smooth = key->point_smooth,
      .line_smooth = key->line_smooth,
      .poly_smooth = key->poly_smooth,
      .alpha_to_one = key->alpha_to_one,
      .color_count = key->color_count,
      .edge_flags = key->edge_flags,
   };
   char error[256] = "";

   if (screen->debug & ATOLL_DEBUG_NIR)
      nir_print_shader(shader->nir, stderr);
   struct il_program *il = atoll_nir_to_il(
      shader->nir, &nir_key, shader->so.num_outputs ? &shader->so : NULL, error, sizeof(error));
   if (!il) {
      fprintf(stderr, "atoll: %s %u: %s\n", stage_name(shader), v->id, error);
      return;
   }
   if (screen->debug & ATOLL_DEBUG_CHECK)
      il = round_trip(il);
   print_program(screen, shader, v, il, NULL);

   struct cayman_shader code;
   if (!cayman_compile(il, 0, &code, error, sizeof(error))) {
      fprintf(stderr, "atoll: %s %u: %s\n", stage_name(shader), v->id, error);
      il_program_free(il);
      return;
   }
   il_program_free(il);
   print_program(screen, shader, v, NULL, &code);
   if (screen->debug & ATOLL_DEBUG_CHECK)
      check_program(shader, &code);
   fill_program(&v->p, &code, shader->nir);
   if (upload(screen, v, code.words, code.icb))
      cache_store(screen, shader, v, code.words, code.icb);
   cayman_shader_finish(&code);
}

static void
report(struct atoll_screen *screen, struct util_debug_callback *debug,
       const struct atoll_shader *shader, const struct atoll_variant *v)
{
#define SHADER_DB_LINE "%s shader: %d dw, %d gprs, %d alu_groups, %d loops, %d cf, %d stack"
   if (!v->bo)
      return;
   if (screen->debug & ATOLL_DEBUG_SHADERDB)
      fprintf(stderr, SHADER_DB_LINE "\n", stage_name(shader), v->p.num_dwords, v->p.num_gprs,
              v->p.num_alu_groups, v->p.num_loops, v->p.num_cf, v->p.stack);
   util_debug_message(debug, SHADER_INFO, SHADER_DB_LINE, stage_name(shader), v->p.num_dwords,
                      v->p.num_gprs, v->p.num_alu_groups, v->p.num_loops, v->p.num_cf, v->p.stack);
}

static struct atoll_variant *
find_variant(struct atoll_variant *list, const struct atoll_key *key)
{
   for (struct atoll_variant *v = list; v; v = v->next) {
      if (!memcmp(&v->key, key, sizeof(*key)))
         return v;
   }
   return NULL;
}

static struct atoll_variant *
get_variant(struct atoll_shader *shader, const struct atoll_key *key,
            struct util_debug_callback *debug)
{
   struct atoll_screen *screen = shader->screen;
   struct atoll_variant *v =
      find_variant(__atomic_load_n(&shader->variants, __ATOMIC_ACQUIRE), key);
   if (v)
      return v;

   simple_mtx_lock(&shader->lock);
   v = find_variant(shader->variants, key);
   if (!v) {
      v = CALLOC_STRUCT(atoll_variant);
      if (v) {
         v->key = *key;
         v->id = __atomic_add_fetch(&screen->next_shader_id, 1, __ATOMIC_RELAXED);
         if (!cache_load(screen, shader, v))
            compile(screen, shader, v);
         report(screen, debug, shader, v);
         v->next = shader->variants;
         __atomic_store_n(&shader->variants, v, __ATOMIC_RELEASE);
      }
   }
   simple_mtx_unlock(&shader->lock);
   return v;
}

/* ---- CSOs ---- */

static void
hash_shader(struct atoll_shader *shader)
{
   struct blob blob;
   blob_init(&blob);
   nir_serialize(&blob, shader->nir, true);
   blob_write_bytes(&blob, &shader->so, sizeof(shader->so));
   _mesa_sha1_compute(blob.data, blob.size, shader->sha1);
   blob_finish(&blob);
}

static void *
create_shader(struct pipe_context *pipe, const struct pipe_shader_state *state, unsigned stage)
{
   struct atoll_screen *screen = atoll_screen(pipe->screen);
   struct atoll_shader *shader = CALLOC_STRUCT(atoll_shader);
   if (!shader)
      return NULL;
   shader->screen = screen;
   shader->stage = stage;
   simple_mtx_init(&shader->lock, mtx_plain);
   shader->so = state->stream_output;
   shader->nir = state->type == PIPE_SHADER_IR_TGSI
                    ? tgsi_to_nir(state->tokens, pipe->screen, false)
                    : state->ir.nir;
   atoll_nir_lower(shader->nir, shader->so.num_outputs ? &shader->so : NULL);
   const struct shader_info *info = &shader->nir->info;
   if (stage == PIPE_SHADER_FRAGMENT)
      shader->writes_frag_color = (info->outputs_written & BITFIELD64_BIT(FRAG_RESULT_COLOR)) != 0;
   else
      shader->writes_edge_flag = (info->outputs_written & BITFIELD64_BIT(VARYING_SLOT_EDGE)) != 0;
   hash_shader(shader);

   struct atoll_key key;
   memset(&key, 0, sizeof(key));
   if (shader->writes_frag_color)
      key.color_count = 1;
   get_variant(shader, &key, &pipe->debug);
   return shader;
}

static void *
create_vs(struct pipe_context *pipe, const struct pipe_shader_state *state)
{
   return create_shader(pipe, state, PIPE_SHADER_VERTEX);
}

static void *
create_fs(struct pipe_context *pipe, const struct pipe_shader_state *state)
{
   return create_shader(pipe, state, PIPE_SHADER_FRAGMENT);
}

static void
bind_vs(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->shaders[ATOLL_VS] = state;
}

static void
bind_fs(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->shaders[ATOLL_PS] = state;
}

static void
bind_nothing(struct pipe_context *pipe, void *state)
{
}

static void
delete_shader(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_shader *shader = state;

   for (unsigned i = 0; i < ATOLL_STAGES; i++) {
      if (ctx->shaders[i] == shader)
         ctx->shaders[i] = NULL;
   }
   while (shader->variants) {
      struct atoll_variant *v = shader->variants;
      shader->variants = v->next;
      for (unsigned i = 0; i < ATOLL_STAGES; i++) {
         if (ctx->variants[i] == v)
            ctx->variants[i] = NULL;
      }
      atoll_bo_unref(v->bo);
      free(v->icb);
      FREE(v);
   }
   simple_mtx_destroy(&shader->lock);
   ralloc_free(shader->nir);
   FREE(shader);
}

/* ---- Draws ---- */

static void
use_variant(struct atoll_context *ctx, enum atoll_stage stage, struct atoll_variant *v)
{
   const struct atoll_variant *old = ctx->variants[stage];
   if (old == v)
      return;
   ctx->variants[stage] = v;
   ctx->drv_va[stage] = 0;
   if (stage == ATOLL_VS)
      ctx->dirty |= ATOM_BIT(ATOM_VS) | ATOM_BIT(ATOM_CLIP) | ATOM_BIT(ATOM_CONST_VS) |
                    ATOM_BIT(ATOM_STREAMOUT) | ATOM_BIT(ATOM_SCISSOR);
   else
      ctx->dirty |= ATOM_BIT(ATOM_PS) | ATOM_BIT(ATOM_PS_INPUTS) | ATOM_BIT(ATOM_CB_MISC) |
                    ATOM_BIT(ATOM_DB_MISC) | ATOM_BIT(ATOM_CONST_PS) | ATOM_BIT(ATOM_MSAA);
}

bool
atoll_update_shaders(struct atoll_context *ctx, unsigned prim)
{
   struct atoll_shader *vs = ctx->shaders[ATOLL_VS], *ps = ctx->shaders[ATOLL_PS];
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   struct atoll_key key;

   if (!vs || !ps)
      return false;
   memset(&key, 0, sizeof(key));
   key.edge_flags = vs->writes_edge_flag && (s->fill_front != PIPE_POLYGON_MODE_FILL ||
                                             s->fill_back != PIPE_POLYGON_MODE_FILL);
   struct atoll_variant *v = get_variant(vs, &key, &ctx->base.debug);
   if (!v || !v->bo)
      return false;
   use_variant(ctx, ATOLL_VS, v);

   memset(&key, 0, sizeof(key));
   unsigned shape = prim == ATOLL_PRIM_RECTLIST ? MESA_PRIM_TRIANGLES : u_reduced_prim(prim);
   if (shape == MESA_PRIM_TRIANGLES) {
      bool fill = s->fill_front == PIPE_POLYGON_MODE_FILL;
      key.poly_stipple = s->poly_stipple_enable && fill && prim != ATOLL_PRIM_RECTLIST;
      shape = s->fill_front == PIPE_POLYGON_MODE_LINE    ? MESA_PRIM_LINES
              : s->fill_front == PIPE_POLYGON_MODE_POINT ? MESA_PRIM_POINTS
                                                         : shape;
   }
   key.point_smooth = s->point_smooth && shape == MESA_PRIM_POINTS;
   key.alpha_to_one = ctx->blend->alpha_to_one && s->multisample && ctx->samples > 1;
   if (ps->writes_frag_color)
      key.color_count = MAX2(ctx->fb.nr_cbufs, 1);
   v = get_variant(ps, &key, &ctx->base.debug);
   if (!v || !v->bo)
      return false;
   use_variant(ctx, ATOLL_PS, v);
   return true;
}

void
atoll_init_shaders(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->create_vs_state = create_vs;
   pipe->bind_vs_state = bind_vs;
   pipe->delete_vs_state = delete_shader;
   pipe->create_fs_state = create_fs;
   pipe->bind_fs_state = bind_fs;
   pipe->delete_fs_state = delete_shader;
   /* u_blitter and the state tracker unbind stages that are not there. */
   pipe->bind_gs_state = bind_nothing;
   pipe->bind_tcs_state = bind_nothing;
   pipe->bind_tes_state = bind_nothing;
}

/* ---- Screen ---- */

static const void *
get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                     enum pipe_shader_type shader)
{
   return atoll_nir_options();
}

static struct disk_cache *
get_disk_cache(struct pipe_screen *screen)
{
   return atoll_screen(screen)->disk_cache;
}

void
atoll_init_screen_shaders(struct atoll_screen *screen)
{
   screen->base.get_compiler_options = get_compiler_options;
   screen->base.get_disk_shader_cache = get_disk_cache;
   if (screen->debug & (ATOLL_DEBUG_IL | ATOLL_DEBUG_ISA | ATOLL_DEBUG_NIR | ATOLL_DEBUG_CHECK |
                        ATOLL_DEBUG_NOCACHE))
      return;

   struct mesa_sha1 sha1;
   unsigned char digest[20];
   char id[41];
   _mesa_sha1_init(&sha1);
   if (!disk_cache_get_function_identifier(atoll_init_screen_shaders, &sha1))
      return;
   _mesa_sha1_final(&sha1, digest);
   mesa_bytes_to_hex(id, digest, 20);
   screen->disk_cache = disk_cache_create("atoll-cayman", id, 0);
}

void
atoll_finish_screen_shaders(struct atoll_screen *screen)
{
   if (screen->disk_cache)
      disk_cache_destroy(screen->disk_cache);
}
