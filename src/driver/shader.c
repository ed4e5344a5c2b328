/* SPDX-License-Identifier: MIT */
/*
 * Shaders: CSO creation, variants by key, NIR -> IL -> machine code, the disk cache, and the line
 * that shader-db reads.
 *
 * Making a CSO final (its NIR, and the variant that most draws want) touches nothing of a context:
 * where processors are left, a queue of the screen does it while the program goes on
 * (compilations.c); what may be refused is tried when it is linked (link.c). A CSO that is needed
 * and that nobody has begun is made at once, so that no thread waits for one that holds no work.
 * What a program does not depend on is cleared from its key, so that state changes do not compile
 * again. Code gets its address in the GPU's memory at its first use, on the thread that uses it:
 * addresses follow from what the program does, and not from when the queue came to it.
 */
#include "context.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_serialize.h"
#include "nir/tgsi_to_nir.h"
#include "util/blob.h"
#include "util/disk_cache.h"
#include "util/disk_cache_os.h"
#include "util/hex.h"
#include "util/mesa-blake3.h"
#include "util/mesa-sha1.h"
#include "util/u_debug.h"
#include "util/u_memory.h"

#include <atoll/notes.h>

#include "compiler/nir/nir_to_il.h"

#include "no_memory.h"
#include "notes.h"

/* Changes whenever the meaning of a cached entry does. */
#define CACHE_VERSION 45

/* ---- Compilation ---- */

static const char *
stage_name(const struct atoll_shader *shader)
{
   static const char *const names[PIPE_SHADER_TYPES] = {
      [PIPE_SHADER_VERTEX] = "VS",     [PIPE_SHADER_TESS_CTRL] = "TCS",
      [PIPE_SHADER_TESS_EVAL] = "TES", [PIPE_SHADER_GEOMETRY] = "GS",
      [PIPE_SHADER_FRAGMENT] = "FS",   [PIPE_SHADER_COMPUTE] = "CS",
   };
   return names[shader->stage];
}

static void
drop_code(struct atoll_variant *v)
{
   atoll_bo_unref(v->bo);
   free(v->words);
   free(v->icb);
   free(v->steps);
   free(v->notes);
   v->bo = NULL;
   v->words = v->icb = NULL;
   v->steps = NULL;
   v->notes = NULL;
}

static bool
upload(struct atoll_winsys *ws, struct atoll_variant *v)
{
   const size_t bytes = (size_t)v->p.num_dwords * 4;
   const size_t notes = ALIGN_POT(bytes + 256, ATOLL_NOTES_ALIGN);
   /* The fetch of instructions may run a little ahead of the end. */
   v->bo = atoll_bo_create(ws, v->notes ? notes + v->notes_bytes : bytes + 256, 256, 0);
   void *map = v->bo ? atoll_bo_map(v->bo) : NULL;
   if (!map)
      return false;
   memcpy(map, v->words, bytes);
   memset((char *)map + bytes, 0, 256);
   if (v->notes)
      atoll_put_notes((char *)map + notes, v->notes, v->notes_bytes, v->bo->va);
   return true;
}

static void
cache_key_of(struct atoll_screen *screen, const struct atoll_shader *shader,
             const struct atoll_key *key, cache_key out)
{
   struct {
      uint8_t hash[32];
      struct atoll_key key;
      uint32_t version;
      uint32_t stage;
      uint32_t draw_values;
   } data;
   memset(&data, 0, sizeof(data));
   memcpy(data.hash, shader->hash, sizeof(data.hash));
   data.key = *key;
   data.version = CACHE_VERSION;
   data.stage = shader->stage;
   data.draw_values = screen->draw_values;
   disk_cache_compute_key(screen->disk_cache, &data, sizeof(data), out);
}

static bool
cache_load(struct atoll_screen *screen, const struct atoll_shader *shader, struct atoll_variant *v)
{
   if (!shader->cacheable)
      return false;
   cache_key key;
   size_t size;
   cache_key_of(screen, shader, &v->key, key);
   uint8_t *data = disk_cache_get(screen->disk_cache, key, &size);
   if (!data)
      return false;
   const bool ok = atoll_read_entry(data, size, key, v);
   free(data);
   return ok;
}

static void
cache_store(struct atoll_screen *screen, const struct atoll_shader *shader,
            const struct atoll_variant *v)
{
   if (!shader->cacheable)
      return;
   struct blob blob;
   cache_key key;
   cache_key_of(screen, shader, &v->key, key);
   blob_init(&blob);
   atoll_write_entry(&blob, key, v);
   if (!blob.out_of_memory)
      disk_cache_put(screen->disk_cache, key, blob.data, blob.size, NULL);
   blob_finish(&blob);
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
              const struct shader_code *code)
{
   if (il && screen->debug & ATOLL_DEBUG_IL) {
      char *text = il_print(il);
      fprintf(stderr, "; %s %u, IL\n%s\n", stage_name(shader), v->id, text ? text : "(no memory)");
      free(text);
   }
   if (code && screen->debug & ATOLL_DEBUG_ISA) {
      const struct shader_compiler *compiler = screen->backend->compiler;
      fprintf(stderr, "; %s %u, %s\n", stage_name(shader), v->id, compiler->text);
      compiler->disassemble(stderr, code->words, code->num_dwords);
      fputc('\n', stderr);
   }
}

/* One line that tells programs from where a variant's code comes, and its dwords. */
static void
print_words(const struct atoll_shader *shader, const struct shader_code *code, bool copy)
{
   const struct shader_info *info = &shader->nir->info;
   size_t size = 256 + code->num_dwords * 8, at;
   char source[BLAKE3_HEX_LEN], *line = malloc(size);
   if (!line)
      return;
   _mesa_blake3_format(source, info->source_blake3);
   at = (size_t)snprintf(line, size, "; words %s%s %s %.64s ", stage_name(shader),
                         copy ? "-copy" : "", source, info->name ? info->name : "-");
   for (uint32_t i = 0; i < code->num_dwords; i++)
      at += (size_t)snprintf(line + at, size - at, "%08x", code->words[i]);
   fprintf(stderr, "%s\n", line);
   free(line);
}

static void
check_program(const struct atoll_shader *shader, const struct shader_code *code)
{
   char error[256];
   if (!shader->screen->backend->compiler->validate(code, error, sizeof(error)))
      fprintf(stderr, "atoll: illegal %s: %s\n", stage_name(shader), error);
}

/* Why there is no program stays with the variant: the link fails for it (link.c), or each draw that
 * is left out says it (atoll_report_left_out()). */
static void
complain(struct util_debug_callback *debug, const struct atoll_shader *shader,
         struct atoll_variant *v, const char *why)
{
   fprintf(stderr, "atoll: %s %u: %s\n", stage_name(shader), v->id, why);
   util_debug_message(debug, ERROR, "%s %u cannot run: %s", stage_name(shader), v->id, why);
   if (!v->why)
      __atomic_store_n(&v->why, strdup(why), __ATOMIC_RELEASE);
}

/* IL to machine code in memory; or the copy program of a geometry program's. */
static bool
assemble(struct atoll_screen *screen, const struct atoll_shader *shader, struct atoll_variant *v,
         const struct il_program *il, const struct atoll_nir_values *values, bool copy,
         struct util_debug_callback *debug)
{
   const struct shader_compiler *compiler = screen->backend->compiler;
   struct shader_code code;
   char error[256] = "";
   const unsigned flags = (screen->debug & ATOLL_DEBUG_IR ? SHADER_COMPILE_PRINT_IR : 0) |
                          SHADER_COMPILE_SECONDS(atoll_winsys_info(screen->ws)->compile_s);
   const bool compiled = copy ? compiler->compile_copy(il, flags, &code, error, sizeof(error))
                              : compiler->compile(il, flags, &code, error, sizeof(error));
   if (code.ir)
      fprintf(stderr, "; %s %u, IR\n%s", stage_name(shader), v->id, code.ir);
   if (!compiled) {
      complain(debug, shader, v, error);
      shader_code_finish(&code);
      return false;
   }
   print_program(screen, shader, v, NULL, &code);
   if (screen->debug & ATOLL_DEBUG_WORDS)
      print_words(shader, &code, copy);
   if (screen->debug & ATOLL_DEBUG_CHECK)
      check_program(shader, &code);
   atoll_fill_program(&v->p, screen->backend, &code, shader->nir, &v->key);
   v->p.num_steps = values->num_steps;
   v->p.first_value = values->first;
   v->p.value_vec4s = values->vec4s;
   v->p.only_values = values->num_steps && code.driver_vec4 >= values->first &&
                      !(code.const_buffers_fetch >> IL_DRIVER_CB & 1);
   v->p.driver_vec4s = code.const_buffers_fetch >> IL_DRIVER_CB & 1 ? 0 : code.driver_end;
   bool ok = atoll_keep_code(v, code.words, code.icb, values->steps);
   if (ok && screen->debug & ATOLL_DEBUG_NOTES)
      v->notes = atoll_make_notes(shader->nir, il, &code, &v->notes_bytes);
   if (!ok)
      complain(debug, shader, v, "no memory for its code");
   shader_code_finish(&code);
   return ok;
}

static void
compile(struct atoll_screen *screen, struct atoll_shader *shader, struct atoll_variant *v,
        struct util_debug_callback *debug)
{
   const struct atoll_key *key = &v->key;
   struct atoll_nir_key nir_key = {
      .poly_stipple = key->poly_stipple,
      .point_smooth = key->point_smooth,
      .line_smooth = key->line_smooth,
      .poly_smooth = key->poly_smooth,
      .alpha_to_one = key->alpha_to_one,
      .alpha_samples = key->alpha_samples,
      .alpha_dither = key->alpha_dither,
      .own_sample = key->own_sample,
      .no_samples = key->no_samples,
      .target_samples = key->target_samples,
      .target_layers = key->target_layers,
      .one_source = key->one_source,
      .color_count = key->color_count,
      .edge_flags = key->edge_flags,
      .primitive_id = key->primitive_id,
      .whole_points = key->whole_points,
      .as_es = key->as_es,
      .as_ls = key->as_ls,
      .tess_domain = key->tess_domain,
      .link_slots = key->link_slots,
      .block = { key->block[0], key->block[1], key->block[2] },
      .counters_in_memory = key->counters_in_memory,
      .limited_references = key->limited_references,
   };
   char error[256] = "";

   if (screen->debug & ATOLL_DEBUG_NIR)
      nir_print_shader(shader->nir, stderr);
   static const struct atoll_nir_values none;
   struct atoll_nir_values values = none;
   struct il_program *il = atoll_nir_to_il(
      shader->nir, &nir_key, shader->so.num_outputs ? &shader->so : NULL,
      screen->draw_values && !key->makes_values ? &values : NULL, error, sizeof(error));
   if (!il) {
      complain(debug, shader, v, error);
      return;
   }
   if (screen->debug & ATOLL_DEBUG_CHECK)
      il = round_trip(il);
   print_program(screen, shader, v, il, NULL);

   if (assemble(screen, shader, v, il, &values, false, debug)) {
      if (!v->copy || assemble(screen, shader, v->copy, il, &none, true, debug))
         cache_store(screen, shader, v);
      else
         drop_code(v);
   }
   il_program_free(il);
   free(values.steps);
}

static void
tell(struct util_debug_callback *debug, const struct atoll_shader *shader,
     const struct atoll_variant *v)
{
   if (v->words)
      util_debug_message(debug, SHADER_INFO, "%s shader: %s", stage_name(shader), v->p.statistics);
}

static void
report(struct atoll_screen *screen, struct util_debug_callback *debug,
       const struct atoll_shader *shader, const struct atoll_variant *v)
{
   if (v->words && screen->debug & ATOLL_DEBUG_SHADERDB)
      fprintf(stderr, "%s shader: %s\n", stage_name(shader), v->p.statistics);
   tell(debug, shader, v);
}

static struct atoll_variant *
find_variant(struct atoll_variant *list, const struct atoll_key *key)
{
   for (struct atoll_variant *v = list; v; v = v->next)
      if (!memcmp(&v->key, key, sizeof(*key)))
         return v;
   return NULL;
}

/* Holds the lock. */
static struct atoll_variant *
make_variant(struct atoll_shader *shader, const struct atoll_key *key,
             struct util_debug_callback *debug)
{
   struct atoll_screen *screen = shader->screen;
   struct atoll_variant *v = CALLOC_STRUCT(atoll_variant);
   if (!v) {
      atoll_no_memory(NULL);
      return NULL;
   }
   v->key = *key;
   v->id = __atomic_add_fetch(&screen->next_shader_id, 1, __ATOMIC_RELAXED);
   if (shader->stage == PIPE_SHADER_GEOMETRY) {
      v->copy = CALLOC_STRUCT(atoll_variant);
      if (!v->copy) {
         atoll_no_memory(NULL);
         FREE(v);
         return NULL;
      }
      v->copy->id = v->id;
   }
   if (!cache_load(screen, shader, v))
      compile(screen, shader, v, debug);
   report(screen, debug, shader, v);
   v->next = shader->variants;
   __atomic_store_n(&shader->variants, v, __ATOMIC_RELEASE);
   return v;
}

/* Holds the lock. Without memory the variant is as if it could not be compiled. */
static void
upload_variant(const struct atoll_shader *shader, struct atoll_variant *v,
               struct util_debug_callback *debug)
{
   if (!upload(shader->ws, v) || (v->copy && !upload(shader->ws, v->copy))) {
      complain(debug, shader, v, "no memory for its code");
      if (v->copy)
         drop_code(v->copy);
      atoll_bo_unref(v->bo);
      v->bo = NULL;
   }
   if (v->copy) {
      free(v->copy->words);
      free(v->copy->notes);
      v->copy->words = NULL;
      v->copy->notes = NULL;
   }
   free(v->notes);
   v->notes = NULL;
   free(v->words);
   __atomic_store_n(&v->words, NULL, __ATOMIC_RELEASE);
}

/* For changes to a CSO. Constants are folded in the default mode of arithmetic, whatever the
 * program or the thread that began this one has set. False: in a forked child, where the lock may
 * be held by a thread that is not there. */
static bool
lock_shader(struct atoll_shader *shader, fenv_t *callers)
{
   if (atoll_winsys_lost(shader->ws))
      return false;
   simple_mtx_lock(&shader->lock);
   fegetenv(callers);
   fesetenv(FE_DFL_ENV);
   return true;
}

static void
unlock_shader(struct atoll_shader *shader, const fenv_t *callers)
{
   fesetenv(callers);
   simple_mtx_unlock(&shader->lock);
}

struct atoll_variant *
atoll_get_variant(struct atoll_shader *shader, const struct atoll_key *key,
                  struct util_debug_callback *debug)
{
   fenv_t callers;

   atoll_finish_shader(shader, debug);
   struct atoll_variant *v =
      find_variant(__atomic_load_n(&shader->variants, __ATOMIC_ACQUIRE), key);
   if (v && !__atomic_load_n(&v->words, __ATOMIC_ACQUIRE))
      return v;

   if (!lock_shader(shader, &callers))
      return NULL;
   v = find_variant(shader->variants, key);
   if (!v)
      v = make_variant(shader, key, debug);
   if (v && v->words)
      upload_variant(shader, v, debug);
   unlock_shader(shader, &callers);
   return v;
}

/* Of a variant or its copy program; NULL: it has its program, or memory was out. */
static const char *
reason(const struct atoll_variant *v)
{
   const char *why = v ? __atomic_load_n(&v->why, __ATOMIC_ACQUIRE) : NULL;
   return why || !v ? why : reason(v->copy);
}

void
atoll_report_left_out(struct atoll_context *ctx, const struct atoll_shader *shader,
                      const struct atoll_variant *v)
{
   const char *why = reason(v);
   if (shader)
      util_debug_message(&ctx->base.debug, ERROR, "%s left out: its %s has no program (%s)",
                         shader->stage == PIPE_SHADER_COMPUTE ? "A dispatch is" : "Draws are",
                         stage_name(shader), why ? why : "out of memory");
}

/* ---- CSOs ---- */

/* Whether anything can come from the cache: without a folder, as with MESA_SHADER_CACHE_DISABLE, it
 * is there for what the program keeps itself (EGL_ANDROID_blob_cache) and for glGetProgramBinary(),
 * which needs its name. */
static bool
has_entries(const struct disk_cache *cache)
{
   return cache && (cache->type != DISK_CACHE_NONE || cache->blob_get_cb || cache->foz_ro_cache);
}

/* Half of a program, where memory is short, is not a name for it. */
static void
hash_shader(struct atoll_shader *shader)
{
   struct blob blob;
   blob_init(&blob);
   nir_serialize(&blob, shader->nir, true);
   blob_write_bytes(&blob, &shader->so, sizeof(shader->so));
   shader->cacheable = !blob.out_of_memory;
   if (shader->cacheable)
      _mesa_blake3_compute(blob.data, blob.size, shader->hash);
   blob_finish(&blob);
}

static void
gather_info(struct atoll_shader *shader)
{
   const struct shader_info *info = &shader->nir->info;
   uint64_t read = info->inputs_read, written = info->outputs_written;

   atoll_nir_uavs(shader->nir, false, &shader->uavs);
   atoll_nir_counters(shader->nir, &shader->counters);
   shader->compares = (uint16_t)atoll_nir_compares(shader->nir);
   switch (shader->stage) {
   case PIPE_SHADER_VERTEX:
      shader->writes_edge_flag = (written & BITFIELD64_BIT(VARYING_SLOT_EDGE)) != 0;
      break;
   case PIPE_SHADER_TESS_EVAL:
      shader->tess_domain = info->tess._primitive_mode;
      break;
   case PIPE_SHADER_GEOMETRY:
      shader->output_prim = info->gs.output_primitive;
      break;
   case PIPE_SHADER_COMPUTE:
      shader->variable_groups = info->workgroup_size_variable;
      break;
   case PIPE_SHADER_FRAGMENT:
      shader->writes_second = info->fs.color_is_dual_source;
      shader->num_colors = MAX2(util_last_bit(written >> FRAG_RESULT_DATA0 & 0xff), 1);
      shader->counts_colors =
         (written & BITFIELD64_BIT(FRAG_RESULT_COLOR)) != 0 || shader->num_colors > 1;
      shader->reads_targets = (uint16_t)info->outputs_read;
      shader->reads_coverage = BITSET_TEST(info->system_values_read, SYSTEM_VALUE_SAMPLE_MASK_IN);
      shader->reads_samples =
         shader->reads_coverage || shader->reads_targets ||
         BITSET_TEST(info->system_values_read, SYSTEM_VALUE_SAMPLE_ID) ||
         BITSET_TEST(info->system_values_read, SYSTEM_VALUE_SAMPLE_POS) ||
         BITSET_TEST(info->system_values_read, SYSTEM_VALUE_SAMPLE_POS_OR_CENTER);
      shader->reads_primitive_id = (read & VARYING_BIT_PRIMITIVE_ID) ||
                                   BITSET_TEST(info->system_values_read, SYSTEM_VALUE_PRIMITIVE_ID);
      break;
   }
}

bool
atoll_reads_depth_stencil(const struct atoll_shader *ps)
{
   return (ps->reads_targets &
           (BITFIELD_BIT(FRAG_RESULT_DEPTH) | BITFIELD_BIT(FRAG_RESULT_STENCIL))) != 0;
}

/* Whether another stage than the rasteriser reads what it writes: what that reads is part of the
 * key (select.c), and not known yet. */
static bool
feeds_stage(const nir_shader *nir)
{
   return (nir->info.stage == MESA_SHADER_VERTEX || nir->info.stage == MESA_SHADER_TESS_EVAL) &&
          nir->info.next_stage > nir->info.stage && nir->info.next_stage < MESA_SHADER_FRAGMENT;
}

/* As it will most likely be used: with a buffer for each colour. */
static struct atoll_key
default_key(const struct atoll_shader *shader)
{
   struct atoll_key key;
   memset(&key, 0, sizeof(key));
   if (shader->counts_colors)
      key.color_count = shader->num_colors;
   if (shader->stage == PIPE_SHADER_TESS_CTRL)
      key.tess_domain = shader->nir->info.tess._primitive_mode;
   return key;
}

/* What of a CSO can be made before it is used. Holds the lock. */
static void
make_final(struct atoll_shader *shader, struct util_debug_callback *debug)
{
   struct atoll_screen *screen = shader->screen;
   atoll_nir_lower(shader->nir, shader->so.num_outputs ? &shader->so : NULL,
                   screen->backend->limits->wave);
   gather_info(shader);
   if (has_entries(screen->disk_cache))
      hash_shader(shader);

   struct atoll_key key = default_key(shader);
   /* With a debug callback (shader-db) each shader is compiled, and reported, when it is linked. */
   if (!shader->variable_groups && (!feeds_stage(shader->nir) || (debug && debug->debug_message)))
      make_variant(shader, &key, debug);
   __atomic_store_n(&shader->final, true, __ATOMIC_RELEASE);
}

bool
atoll_is_final(const struct atoll_shader *shader)
{
   return __atomic_load_n(&shader->final, __ATOMIC_ACQUIRE);
}

void
atoll_finish_shader(struct atoll_shader *shader, struct util_debug_callback *debug)
{
   fenv_t callers;

   if (atoll_is_final(shader))
      return;
   __atomic_store_n(&shader->begun, true, __ATOMIC_RELAXED);
   if (!lock_shader(shader, &callers))
      return;
   if (!shader->final)
      make_final(shader, debug);
   unlock_shader(shader, &callers);
}

/* Compiles here unless another thread has begun to: waiting for its lock would cost the thread that
 * holds it, the program's, a wake-up. */
void
atoll_begin_shader(struct atoll_shader *shader)
{
   if (!__atomic_load_n(&shader->begun, __ATOMIC_RELAXED))
      atoll_finish_shader(shader, NULL);
}

char *
atoll_try_shader(struct atoll_shader *shader)
{
   fenv_t callers;

   atoll_finish_shader(shader, NULL);
   if (!atoll_is_final(shader) || !lock_shader(shader, &callers))
      return NULL;
   struct atoll_key key = default_key(shader);
   /* What the link does not know yet. */
   if (shader->stage == PIPE_SHADER_TESS_CTRL && !key.tess_domain)
      key.tess_domain = TESS_PRIMITIVE_QUADS;
   for (unsigned i = 0; i < 3 && shader->variable_groups; i++)
      key.block[i] = 1;
   const struct atoll_variant *v = find_variant(shader->variants, &key);
   if (!v)
      v = make_variant(shader, &key, NULL);
   const char *why = reason(v);
   char *text = why ? malloc(strlen(why) + 64) : NULL;
   if (text)
      sprintf(text, "no program for the %s shader: %s\n",
              _mesa_shader_stage_to_string(shader->nir->info.stage), why);
   unlock_shader(shader, &callers);
   return text;
}

struct atoll_shader *
atoll_new_shader(struct atoll_screen *screen, struct atoll_winsys *ws, unsigned stage,
                 struct nir_shader *nir)
{
   struct atoll_shader *shader = CALLOC_STRUCT(atoll_shader);
   if (!shader) {
      atoll_no_memory(NULL);
      return NULL;
   }
   shader->screen = screen;
   shader->ws = ws;
   shader->stage = stage;
   simple_mtx_init(&shader->lock, mtx_plain);
   util_queue_fence_init(&shader->queued);
   shader->nir = nir;
   return shader;
}

/* What the linker does not ask about (link.c), but wants to hear of. */
static bool
is_refused(struct atoll_shader *shader, const struct pipe_shader_state *state)
{
   if (!state->report_compile_error || !atoll_may_be_refused(shader->screen, shader->nir))
      return false;
   char **message = (char **)&state->error_message;
   *message = atoll_try_shader(shader);
   return *message != NULL;
}

static void *
create_shader(struct pipe_context *pipe, const struct pipe_shader_state *state, unsigned stage)
{
   struct atoll_screen *screen = atoll_screen(pipe->screen);
   struct atoll_winsys *ws = atoll_context(pipe)->ws;
   struct atoll_shader *shader;

   if (state->type == PIPE_SHADER_IR_NIR) {
      shader = atoll_take_linked(screen, ws, state);
      if (shader) {
         for (const struct atoll_variant *v = shader->variants; v; v = v->next)
            tell(&pipe->debug, shader, v);
         return shader;
      }
   }
   shader = atoll_new_shader(screen, ws, stage,
                             state->type == PIPE_SHADER_IR_TGSI
                                ? tgsi_to_nir(state->tokens, pipe->screen, false)
                                : state->ir.nir);
   if (!shader)
      return NULL;
   shader->so = state->stream_output;
   if (is_refused(shader, state)) {
      atoll_free_shader(shader);
      return NULL;
   }
   /* What is said while it compiles is said on this thread. */
   if (pipe->debug.debug_message || !atoll_compile_aside(screen, shader))
      atoll_finish_shader(shader, &pipe->debug);
   return shader;
}

/* Draws and dispatches read of a bound CSO what is gathered when it is made final; one that never
 * is draws nothing. */
static void
bind_shader(struct pipe_context *pipe, enum atoll_stage slot, struct atoll_shader *shader)
{
   if (shader)
      atoll_finish_shader(shader, &pipe->debug);
   atoll_context(pipe)->is_selected = false;
   atoll_context(pipe)->shaders[slot] = shader && atoll_is_final(shader) ? shader : NULL;
}

#define STAGE(name, type, slot)                                                                 \
   static void *create_##name(struct pipe_context *pipe, const struct pipe_shader_state *state) \
   {                                                                                            \
      return create_shader(pipe, state, type);                                                  \
   }                                                                                            \
   static void bind_##name(struct pipe_context *pipe, void *state)                              \
   {                                                                                            \
      bind_shader(pipe, slot, state);                                                           \
   }

static void *
create_cs(struct pipe_context *pipe, const struct pipe_compute_state *state)
{
   struct pipe_shader_state shader = { .type = state->ir_type };
   if (state->ir_type == PIPE_SHADER_IR_TGSI)
      shader.tokens = state->prog;
   else
      shader.ir.nir = (void *)state->prog;
   return create_shader(pipe, &shader, PIPE_SHADER_COMPUTE);
}

static void
bind_cs(struct pipe_context *pipe, void *state)
{
   bind_shader(pipe, ATOLL_CS, state);
}

STAGE(vs, PIPE_SHADER_VERTEX, ATOLL_VS)
STAGE(tcs, PIPE_SHADER_TESS_CTRL, ATOLL_TCS)
STAGE(tes, PIPE_SHADER_TESS_EVAL, ATOLL_TES)
STAGE(gs, PIPE_SHADER_GEOMETRY, ATOLL_GS)
STAGE(fs, PIPE_SHADER_FRAGMENT, ATOLL_PS)

static void
free_variant(struct atoll_variant *v)
{
   if (!v)
      return;
   free_variant(v->copy);
   drop_code(v);
   free(v->why);
   FREE(v);
}

void
atoll_free_shader(struct atoll_shader *shader)
{
   while (shader->variants) {
      struct atoll_variant *v = shader->variants;
      shader->variants = v->next;
      free_variant(v);
   }
   simple_mtx_destroy(&shader->lock);
   util_queue_fence_destroy(&shader->queued);
   ralloc_free(shader->nir);
   FREE(shader);
}

/* What depended on a current variant cannot be told from the next one alone. */
static void
forget_variants(struct atoll_context *ctx)
{
   memset(ctx->variants, 0, sizeof(ctx->variants));
   ctx->hw_vs = NULL;
   ctx->is_selected = false;
   ctx->dirty = ATOM_ALL;
   memset(ctx->drv_va, 0, sizeof(ctx->drv_va));
}

void
atoll_forget_deleted(struct atoll_context *ctx)
{
   const uint32_t deletions = __atomic_load_n(&ctx->screen->deletions, __ATOMIC_ACQUIRE);

   if (ctx->deletions == deletions)
      return;
   ctx->deletions = deletions;
   forget_variants(ctx);
}

static bool
is_current(const struct atoll_context *ctx, const struct atoll_variant *v)
{
   for (unsigned i = 0; i < ATOLL_STAGES; i++)
      if (ctx->variants[i] == v)
         return true;
   return ctx->hw_vs == v || (v->copy && ctx->hw_vs == v->copy);
}

static void
delete_shader(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_shader *shader = state;

   for (unsigned i = 0; i < ATOLL_STAGES; i++)
      if (ctx->shaders[i] == shader)
         ctx->shaders[i] = NULL;
   if (!atoll_drop_compilation(shader))
      return;
   bool current = false;
   for (const struct atoll_variant *v = shader->variants; v; v = v->next)
      current |= is_current(ctx, v);
   /* The other contexts look for themselves. */
   if (__atomic_fetch_add(&shader->screen->deletions, 1, __ATOMIC_ACQ_REL) == ctx->deletions)
      ctx->deletions++;
   if (current)
      forget_variants(ctx);
   atoll_free_shader(shader);
}

/* ---- Context and screen ---- */

void
atoll_init_shaders(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->create_vs_state = create_vs;
   pipe->bind_vs_state = bind_vs;
   pipe->delete_vs_state = delete_shader;
   pipe->create_gs_state = create_gs;
   pipe->bind_gs_state = bind_gs;
   pipe->delete_gs_state = delete_shader;
   pipe->create_fs_state = create_fs;
   pipe->bind_fs_state = bind_fs;
   pipe->delete_fs_state = delete_shader;
   pipe->create_compute_state = create_cs;
   pipe->bind_compute_state = bind_cs;
   pipe->delete_compute_state = delete_shader;
   pipe->create_tcs_state = create_tcs;
   pipe->bind_tcs_state = bind_tcs;
   pipe->delete_tcs_state = delete_shader;
   pipe->create_tes_state = create_tes;
   pipe->bind_tes_state = bind_tes;
   pipe->delete_tes_state = delete_shader;
}

const struct nir_shader_compiler_options *
atoll_screen_nir_options(const struct atoll_screen *screen)
{
   const struct atoll_limits *limits = screen->backend->limits;
   return atoll_nir_options(limits->doubles, limits->fuses, limits->dots);
}

static const void *
get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                     enum pipe_shader_type shader)
{
   return atoll_screen_nir_options(atoll_screen(screen));
}

static struct disk_cache *
get_disk_cache(struct pipe_screen *screen)
{
   return atoll_screen(screen)->disk_cache;
}

static void
open_cache(struct atoll_screen *screen)
{
   struct mesa_sha1 sha1;
   unsigned char digest[20];
   char id[41];

   if (screen->debug &
       (ATOLL_DEBUG_IL | ATOLL_DEBUG_ISA | ATOLL_DEBUG_NIR | ATOLL_DEBUG_CHECK |
        ATOLL_DEBUG_NOCACHE | ATOLL_DEBUG_WORDS | ATOLL_DEBUG_IR | ATOLL_DEBUG_NOTES))
      return;
   _mesa_sha1_init(&sha1);
   if (!disk_cache_get_function_identifier(atoll_init_screen_shaders, &sha1))
      return;
   _mesa_sha1_final(&sha1, digest);
   mesa_bytes_to_hex(id, digest, 20);
   screen->disk_cache = disk_cache_create(screen->backend->cache, id, 0);
}

void
atoll_init_screen_shaders(struct atoll_screen *screen)
{
   atoll_reserve_heap();
   atoll_init_compilations(screen);
   atoll_init_links(screen);
   screen->base.get_compiler_options = get_compiler_options;
   screen->base.get_disk_shader_cache = get_disk_cache;
   open_cache(screen);
}

void
atoll_restart_screen_shaders(struct atoll_screen *screen)
{
   atoll_finish_compilations(screen);
   atoll_init_compilations(screen);
   atoll_init_links(screen);
   /* The parent's stays open: processes that share a file's position do not share its lock. */
   screen->disk_cache = NULL;
   open_cache(screen);
}

void
atoll_finish_screen_shaders(struct atoll_screen *screen)
{
   atoll_finish_compilations(screen);
   atoll_finish_links(screen);
   if (screen->disk_cache)
      disk_cache_destroy(screen->disk_cache);
}
