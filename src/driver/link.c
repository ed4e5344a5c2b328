/* SPDX-License-Identifier: MIT */
/*
 * What the linker hears of a shader: whether there is a program for it.
 *
 *  1. A small shader always has one, and nobody waits for it: it is compiled beside the program
 *     (compilations.c).
 *  2. Any other is compiled when it is linked, as it most likely will be used.  If that is refused,
 *     the link fails, and the reason is in the program's info log.
 *  3. What was compiled at the link is what the state tracker then creates of the same NIR; the
 *     last few wait here for that.
 *  4. Fragment programs in assembly have no linker.  Their creation reports the same
 *     (pipe_shader_state.error_message).
 *
 * What a later variant lacks is said in the debug output by the draws that are left out
 * (atoll_report_left_out()).
 */
#include "context.h"

#include <stdlib.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_serialize.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/blob.h"
#include "util/mesa-blake3.h"
#include "util/u_memory.h"

/* CSOs that wait for their creation: those of a program. */
#define MAX_LINKED PIPE_SHADER_TYPES
/* Vec4s of private arrays, varyings of one direction, and depth of control flow for which there
 * always is room. */
#define SURE_VEC4S    (IL_ARRAY_VEC4S / 4)
#define SURE_VARYINGS 30
#define SURE_DEPTH    32

struct atoll_linked {
   struct atoll_linked *next;
   uint8_t hash[BLAKE3_OUT_LEN];
   struct atoll_shader *shader;
};

/* ---- What is sure to compile ---- */

static unsigned
depth_of(const struct exec_list *list)
{
   unsigned most = 0;

   foreach_list_typed(nir_cf_node, node, node, list)
   {
      unsigned depth = 0;
      if (node->type == nir_cf_node_if) {
         const nir_if *branch = nir_cf_node_as_if(node);
         depth = 1 + MAX2(depth_of(&branch->then_list), depth_of(&branch->else_list));
      } else if (node->type == nir_cf_node_loop) {
         depth = 1 + depth_of(&nir_cf_node_as_loop(node)->body);
      }
      most = MAX2(most, depth);
   }
   return most;
}

static bool
has_room(const struct nir_shader *nir, const nir_function_impl *impl, unsigned most)
{
   unsigned instructions = 0;
   uint64_t vec4s = 0;

   nir_foreach_block(block, (nir_function_impl *)impl)
   {
      instructions += exec_list_length(&block->instr_list);
      if (instructions > most)
         return false;
   }
   nir_foreach_function_temp_variable(var, impl) vec4s +=
      glsl_count_vec4_slots(var->type, false, true);
   nir_foreach_variable_with_modes(var, (nir_shader *)nir, nir_var_shader_temp) vec4s +=
      glsl_count_vec4_slots(var->type, false, true);
   return vec4s <= SURE_VEC4S && depth_of(&impl->body) <= SURE_DEPTH;
}

bool
atoll_may_be_refused(const struct atoll_screen *screen, const struct nir_shader *nir)
{
   const struct shader_info *info = &nir->info;

   if (info->num_ssbos + info->num_images > IL_MAX_UAVS ||
       util_bitcount64(info->inputs_read) > SURE_VARYINGS ||
       util_bitcount64(info->outputs_written) > SURE_VARYINGS)
      return true;
   nir_foreach_function_impl(impl, (nir_shader *)nir)
   {
      if (!has_room(nir, impl, screen->backend->limits->sure))
         return true;
   }
   return false;
}

/* ---- Links ---- */

static bool
hash_nir(const nir_shader *nir, uint8_t hash[BLAKE3_OUT_LEN])
{
   struct blob blob;
   blob_init(&blob);
   nir_serialize(&blob, nir, true);
   const bool ok = !blob.out_of_memory;
   if (ok)
      _mesa_blake3_compute(blob.data, blob.size, hash);
   blob_finish(&blob);
   return ok;
}

static void
free_linked(struct atoll_linked *linked)
{
   atoll_free_shader(linked->shader);
   FREE(linked);
}

/* The newest first; the oldest goes when there are too many. */
static void
keep_linked(struct atoll_screen *screen, struct atoll_linked *linked)
{
   struct atoll_linked **slot = &screen->linked, *oldest;

   simple_mtx_lock(&screen->linked_lock);
   linked->next = screen->linked;
   screen->linked = linked;
   for (unsigned n = 0; n < MAX_LINKED && *slot; n++)
      slot = &(*slot)->next;
   oldest = *slot;
   *slot = NULL;
   simple_mtx_unlock(&screen->linked_lock);
   if (oldest)
      free_linked(oldest);
}

/* pipe_screen.finalize_nir: a message fails the link.  It becomes a format. */
static char *
try_link(struct pipe_screen *pscreen, struct nir_shader *nir)
{
   struct atoll_screen *screen = atoll_screen(pscreen);

   if (atoll_winsys_lost(screen->ws) || !atoll_may_be_refused(screen, nir))
      return NULL;
   struct atoll_linked *linked = CALLOC_STRUCT(atoll_linked);
   if (!linked)
      return NULL;
   nir_shader *clone = nir_shader_clone(NULL, nir);
   linked->shader =
      atoll_new_shader(screen, screen->ws, pipe_shader_type_from_mesa(nir->info.stage), clone);
   if (!linked->shader) {
      ralloc_free(clone);
      FREE(linked);
      return NULL;
   }
   const bool named = hash_nir(nir, linked->hash);
   char *message = atoll_try_shader(linked->shader);
   for (char *c = message; c && *c; c++)
      *c = *c == '%' ? '/' : *c;
   if (message || !named)
      free_linked(linked);
   else
      keep_linked(screen, linked);
   return message;
}

/* What the CSO's state says of streamout is not known at the link. */
struct atoll_shader *
atoll_take_linked(struct atoll_screen *screen, struct atoll_winsys *ws,
                  const struct pipe_shader_state *state)
{
   struct atoll_linked *found = NULL;
   uint8_t hash[BLAKE3_OUT_LEN];

   if (!__atomic_load_n(&screen->linked, __ATOMIC_RELAXED) || atoll_winsys_lost(screen->ws) ||
       state->stream_output.num_outputs || !atoll_may_be_refused(screen, state->ir.nir) ||
       !hash_nir(state->ir.nir, hash))
      return NULL;
   simple_mtx_lock(&screen->linked_lock);
   for (struct atoll_linked **slot = &screen->linked; *slot && !found; slot = &(*slot)->next) {
      if ((*slot)->shader->ws == ws && !memcmp((*slot)->hash, hash, sizeof(hash))) {
         found = *slot;
         *slot = found->next;
         break;
      }
   }
   simple_mtx_unlock(&screen->linked_lock);
   if (!found)
      return NULL;
   struct atoll_shader *shader = found->shader;
   FREE(found);
   ralloc_free(state->ir.nir);
   return shader;
}

void
atoll_init_links(struct atoll_screen *screen)
{
   /* What the parent of a forked child had is left where it is. */
   simple_mtx_init(&screen->linked_lock, mtx_plain);
   screen->linked = NULL;
   screen->base.finalize_nir = try_link;
}

void
atoll_finish_links(struct atoll_screen *screen)
{
   while (screen->linked) {
      struct atoll_linked *linked = screen->linked;
      screen->linked = linked->next;
      free_linked(linked);
   }
   simple_mtx_destroy(&screen->linked_lock);
}
