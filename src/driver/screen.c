/* SPDX-License-Identifier: MIT */
/*
 * The screen: creation over either transport, names, limits that are not caps, and its end.
 *
 * A buffer that two descriptors of one open node lead to is one handle, at one address: the node
 * has one screen, which is given to whoever asks with any of its descriptors.
 *
 * A forked child has the screens of its parent, but not their device (winsys/winsys.h).  There a
 * screen is connected to a device of the child's when it is used first; its name and limits stay
 * true, since the device is the same.
 */
#include "screen.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include <atoll/device.h>

#include "frontend/sw_winsys.h"
#include "util/u_atomic.h"
#include "util/u_cpu_detect.h"
#include "util/u_debug.h"
#include "util/u_memory.h"
#include "util/u_screen.h"

#include "atoll_public.h"
#include "backend.h"
#include "context.h"
#include "no_memory.h"

static const struct debug_named_value debug_options[] = {
   { "il", ATOLL_DEBUG_IL, "Print each shader as AMD IL" },
   { "ir", ATOLL_DEBUG_IR, "Print the compiler's program after each pass" },
   { "isa", ATOLL_DEBUG_ISA, "Print each shader as machine code" },
   { "nir", ATOLL_DEBUG_NIR, "Print each shader as NIR" },
   { "shaderdb", ATOLL_DEBUG_SHADERDB, "Print each shader's statistics" },
   { "sync", ATOLL_DEBUG_SYNC, "Wait for each submission" },
   { "nocache", ATOLL_DEBUG_NOCACHE, "Do not use the shader cache" },
   { "cs", ATOLL_DEBUG_CS, "Print each command stream" },
   { "check", ATOLL_DEBUG_CHECK, "Read back each shader's IL, validate its machine code" },
   { "notes", ATOLL_DEBUG_NOTES, "Keep each shader's sources beside its code, for captures" },
   { "words", ATOLL_DEBUG_WORDS, "Print each shader's origin and its dwords" },
   DEBUG_NAMED_VALUE_END,
};

DEBUG_GET_ONCE_FLAGS_OPTION(atoll_debug, "ATOLL_DEBUG", debug_options, 0)
DEBUG_GET_ONCE_NUM_OPTION(atoll_threaded, "ATOLL_THREADED", -1)
DEBUG_GET_ONCE_NUM_OPTION(atoll_max_samples, "ATOLL_MAX_SAMPLES", 8)
DEBUG_GET_ONCE_BOOL_OPTION(atoll_draw_values, "ATOLL_DRAW_VALUES", true)

static const char *
get_name(struct pipe_screen *screen)
{
   return atoll_screen(screen)->name;
}

/* What stock r600 says: programs that know a vendor's drivers by this string know that one. */
static const char *
get_vendor(struct pipe_screen *screen)
{
   return "Mesa";
}

static const char *
get_device_vendor(struct pipe_screen *screen)
{
   return "AMD";
}

static int
get_shader_param(struct pipe_screen *screen, enum pipe_shader_type shader,
                 enum pipe_shader_cap param)
{
   const struct atoll_limits *limits = atoll_screen(screen)->backend->limits;
   if (shader >= PIPE_SHADER_TYPES || !(limits->stages >> shader & 1))
      return 0;
   switch (param) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return 1 << 20;
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return 32;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return shader == PIPE_SHADER_VERTEX ? 16 : 32;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return shader == PIPE_SHADER_FRAGMENT ? ATOLL_MAX_CB : 32;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return (int)limits->temps;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      /* GL's own state follows the program's uniforms in the same buffer. */
      return (int)limits->uniform_bytes;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return (int)limits->const_buffers;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return ATOLL_MAX_SAMPLERS;
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
      /* Half of them are for atomic counters, which the state tracker puts there, or which are
       * bound there (counters.c).  A chip without compute programs has no such memory. */
      if (!(limits->stages >> PIPE_SHADER_COMPUTE & 1))
         return 0;
      return limits->counters ? ATOLL_FIRST_COUNTERS : ATOLL_MAX_BUFFERS;
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS:
      return (int)limits->counters;
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS:
      return limits->counters ? ATOLL_NIR_COUNTER_BUFFERS : 0;
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
      return limits->stages >> PIPE_SHADER_COMPUTE & 1 ? ATOLL_MAX_IMAGES : 0;
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
   case PIPE_SHADER_CAP_TGSI_SQRT_SUPPORTED:
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
   case PIPE_SHADER_CAP_INTEGERS:
   case PIPE_SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE:
      return 1;
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
      return limits->indirect_temps;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_NIR | 1 << PIPE_SHADER_IR_TGSI;
   default:
      return 0;
   }
}

static int
get_screen_fd(struct pipe_screen *pscreen)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   if (screen->sws)
      return screen->sws->get_fd ? screen->sws->get_fd(screen->sws) : -1;
   return atoll_winsys_fd(screen->ws);
}

static void
query_memory_info(struct pipe_screen *pscreen, struct pipe_memory_info *info)
{
   const struct atoll_winsys_info *ws = atoll_winsys_info(atoll_screen(pscreen)->ws);
   memset(info, 0, sizeof(*info));
   info->total_device_memory = info->avail_device_memory = (unsigned)(ws->vram_size >> 10);
   info->total_staging_memory = info->avail_staging_memory = (unsigned)(ws->gart_size >> 10);
}

/* Process-wide by nature: descriptors and forks are. */
static simple_mtx_t nodes_lock = SIMPLE_MTX_INITIALIZER;
static struct atoll_screen *nodes;
static simple_mtx_t connecting = SIMPLE_MTX_INITIALIZER;

/* The locks may be held by threads that are not here. */
static void
in_child(void)
{
   simple_mtx_init(&nodes_lock, mtx_plain);
   simple_mtx_init(&connecting, mtx_plain);
}

static void
watch(void)
{
   pthread_atfork(NULL, NULL, in_child);
}

/* The window system's side stays the loader's. */
static void
destroy(struct pipe_screen *pscreen)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   atoll_finish_screen_shaders(screen);
   util_idalloc_mt_fini(&screen->buffer_ids);
   slab_destroy_parent(&screen->transfer_pool);
   atoll_bo_unref(screen->esgs_ring);
   atoll_bo_unref(screen->gsvs_ring);
   atoll_bo_unref(screen->uav_returns);
   simple_mtx_destroy(&screen->rings_lock);
   simple_mtx_destroy(&screen->storage_lock);
   atoll_winsys_destroy(screen->ws);
   FREE(screen);
}

/* Samples lie alike in all pixels: what programs know as gl_SamplePosition is one table. */
static void
get_sample_pixel_grid(struct pipe_screen *screen, unsigned samples, unsigned *width,
                      unsigned *height)
{
   *width = *height = 1;
}

static void
init_locks(struct atoll_screen *screen)
{
   slab_create_parent(&screen->transfer_pool, atoll_transfer_size, 64);
   simple_mtx_init(&screen->rings_lock, mtx_plain);
   simple_mtx_init(&screen->storage_lock, mtx_plain);
}

/* What the parent's threads were about stays as it is: nothing of it is freed. */
static void
connect_anew(struct atoll_screen *screen)
{
   struct atoll_winsys *ws = atoll_winsys_reconnect(screen->ws);

   if (ws && atoll_winsys_info(ws)->isa != atoll_winsys_info(screen->ws)->isa) {
      /* Another ATOLL_ISA: nothing that the program knows of the screen would be true. */
      atoll_winsys_destroy(ws);
      ws = NULL;
   }
   if (!ws)
      return;
   init_locks(screen);
   simple_mtx_init(&screen->buffer_ids.mutex, mtx_plain);
   screen->esgs_ring = screen->gsvs_ring = screen->uav_returns = NULL;
   screen->ws = ws;
   atoll_restart_screen_shaders(screen);
}

bool
atoll_reconnect_screen(struct atoll_screen *screen, bool for_context)
{
   if (likely(!atoll_winsys_lost(screen->ws)))
      return true;
   simple_mtx_lock(&connecting);
   if (atoll_winsys_lost(screen->ws) && (for_context || !p_atomic_read(&screen->num_contexts)))
      connect_anew(screen);
   simple_mtx_unlock(&connecting);
   return !atoll_winsys_lost(screen->ws);
}

/* Of Cayman's family, by the number that drivers know the chip by. */
static const char *
chip_name(uint32_t device_id)
{
   switch (device_id) {
#define CHIP(NAME, name, text, generation, pci_id, ...) \
   case 0x##pci_id:                                     \
      return #NAME;
#include <atoll/chips.def>
   default:
      return "CAYMAN";
   }
}

static struct pipe_screen *
create(struct atoll_winsys *ws, struct sw_winsys *sws, const struct atoll_presenter *presenter)
{
   static pthread_once_t watched = PTHREAD_ONCE_INIT;
   pthread_once(&watched, watch);
   const struct atoll_backend *backend = ws ? atoll_backend(atoll_winsys_info(ws)->isa) : NULL;
   if (ws && !backend)
      fprintf(stderr, "atoll: there is no compiler for the device's instruction set, number %u\n",
              atoll_winsys_info(ws)->isa);
   struct atoll_screen *screen = backend ? CALLOC_STRUCT(atoll_screen) : NULL;
   if (!screen) {
      if (backend)
         atoll_no_memory(NULL);
      if (ws)
         atoll_winsys_destroy(ws);
      return NULL;
   }
   screen->ws = ws;
   screen->backend = backend;
   screen->sws = sws;
   screen->presenter = presenter;
   screen->debug = (unsigned)debug_get_option_atoll_debug();
   struct atoll_finding none;
   const int findings = atoll_winsys_finding(ws, 0, &none);
   screen->sanitized = !findings || findings == -ENOENT;
   /* A second thread pays where cores are left beside the device's workers. */
   long threaded = debug_get_option_atoll_threaded();
   screen->threaded = threaded >= 0 ? threaded != 0 : util_get_cpu_caps()->nr_cpus >= 8;
   screen->max_samples = (unsigned)CLAMP(debug_get_option_atoll_max_samples(), 1, 8);
   screen->draw_values = backend->limits->draw_values && debug_get_option_atoll_draw_values();
   snprintf(screen->name, sizeof(screen->name), "%s%s%s%s)", backend->renderer ? "" : "AMD ",
            backend->renderer ? backend->renderer : chip_name(atoll_winsys_info(ws)->device_id),
            backend->renderer ? "" : " (atoll, ", sws ? "in process" : "DRM");
   init_locks(screen);
   util_idalloc_mt_init_tc(&screen->buffer_ids);

   struct pipe_screen *s = &screen->base;
   s->destroy = destroy;
   s->get_name = get_name;
   s->get_vendor = get_vendor;
   s->get_device_vendor = get_device_vendor;
   s->get_shader_param = get_shader_param;
   s->get_compute_param = atoll_get_compute_param;
   s->get_screen_fd = get_screen_fd;
   s->query_memory_info = query_memory_info;
   s->get_sample_pixel_grid = get_sample_pixel_grid;
   s->context_create = atoll_context_create;
   atoll_init_screen_resources(screen);
   atoll_init_screen_memory(screen);
   atoll_init_screen_present(screen);
   atoll_init_screen_fences(screen);
   atoll_init_screen_queries(screen);
   atoll_init_screen_monitor(screen);
   atoll_init_screen_shaders(screen);
   atoll_init_caps(screen);
   return s;
}

struct pipe_screen *
atoll_screen_create_sw(struct sw_winsys *winsys, const struct atoll_presenter *presenter,
                       const struct pipe_screen_config *config)
{
   struct atoll_winsys *ws = atoll_winsys_create_device();
   if (!ws)
      fprintf(stderr, "atoll: the emulated device cannot be created\n");
   return create(ws, winsys, presenter);
}

/* Gives back a screen on a node; it ends with the last reference. */
static void
give_back(struct pipe_screen *pscreen)
{
   simple_mtx_lock(&nodes_lock);
   bool last = --pscreen->refcnt == 0;
   if (last) {
      struct atoll_screen **slot = &nodes;
      while (*slot != atoll_screen(pscreen))
         slot = &(*slot)->next;
      *slot = (*slot)->next;
   }
   /* Its addresses must be free before a new screen on the same node gives them out. */
   if (last)
      destroy(pscreen);
   simple_mtx_unlock(&nodes_lock);
}

struct pipe_screen *
atoll_screen_create_drm(int fd, const struct pipe_screen_config *config)
{
   simple_mtx_lock(&nodes_lock);
   struct atoll_screen *screen = nodes;
   while (screen && !atoll_winsys_has_node(screen->ws, fd))
      screen = screen->next;
   if (!screen) {
      struct pipe_screen *made = create(atoll_winsys_create_drm(fd), NULL, NULL);
      if (made) {
         made->destroy = give_back;
         screen = atoll_screen(made);
         screen->next = nodes;
         nodes = screen;
      }
   }
   if (screen)
      screen->base.refcnt++;
   simple_mtx_unlock(&nodes_lock);
   return screen ? &screen->base : NULL;
}
