/* SPDX-License-Identifier: MIT */
/*
 * How the CPU reaches buffers and textures. All storage is linear, so a map is a pointer to it,
 * after waiting for the device as far as the usage asks. Some cases go through other memory:
 *  - a busy buffer gets new storage if its old contents do not matter; else the device copies its
 *    new bytes when the map ends;
 *  - level 0 of a busy texture that is written whole gets new storage, too: the hardware is told
 *    the addresses of levels 0 and 1 apart, so the others stay where they are;
 *  - a few texels that replace some of a busy texture go to a staging texture, copied then;
 *  - depth with stencil lies in two planes and is packed and unpacked by the CPU; depth of 32 bits
 *    is of floats, which the CPU takes for integers and gives back as such;
 *  - a multisampled texture is reached through a resolved copy.
 */
#include "context.h"
#include "copy.h"
#include "format.h"

#include "util/format/u_format.h"
#include "util/u_cpu_detect.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_range.h"
#include "util/u_surface.h"
#include "util/u_threaded_context.h"
#include "util/u_transfer.h"
#include "util/u_upload_mgr.h"

struct atoll_transfer {
   struct threaded_transfer base;
   struct pipe_resource *staging; /* buffer or texture that is copied at the end */
   unsigned staging_offset;
   void *packed;                /* depth and stencil together */
   struct pipe_transfer *inner; /* of the staging texture, where that is mapped as one */
   bool unsync_pool;
};

const unsigned atoll_transfer_size = sizeof(struct atoll_transfer);

/* ---- Waiting ---- */

static bool
in_stream(struct atoll_context *ctx, const struct atoll_bo *bo, bool write_only)
{
   unsigned usage = atoll_cs_usage(&ctx->cs, bo);
   return write_only ? (usage & ATOLL_USAGE_WRITE) != 0 : usage != 0;
}

static bool
is_busy(struct atoll_context *ctx, struct atoll_bo *bo, bool write_only)
{
   return in_stream(ctx, bo, write_only) || atoll_bo_busy(bo, write_only);
}

/* Reading needs the device's writes to be over, writing all of its uses. False: would block. */
static bool
synchronise(struct atoll_context *ctx, struct atoll_bo *bo, unsigned usage)
{
   bool write_only = !(usage & PIPE_MAP_WRITE);
   if (in_stream(ctx, bo, write_only)) {
      if (usage & PIPE_MAP_DONTBLOCK) {
         atoll_flush(ctx);
         return false;
      }
      atoll_flush_and_wait(ctx);
   }
   if (usage & PIPE_MAP_DONTBLOCK)
      return !atoll_bo_busy(bo, write_only);
   atoll_bo_wait(bo, write_only);
   return true;
}

bool
atoll_is_resource_busy(struct pipe_screen *screen, struct pipe_resource *resource, unsigned usage)
{
   /* Streams that are not submitted are u_threaded_context's own business; that a texture gets new
    * storage meanwhile is not. */
   struct atoll_screen *ascreen = atoll_screen(screen);
   simple_mtx_lock(&ascreen->storage_lock);
   const struct atoll_resource *res = atoll_resource(resource);
   struct atoll_bo *bo = atoll_bo_ref(res->bo), *mips = res->mips ? atoll_bo_ref(res->mips) : NULL;
   simple_mtx_unlock(&ascreen->storage_lock);
   bool write_only = !(usage & PIPE_MAP_WRITE);
   bool busy = atoll_bo_busy(bo, write_only) || (mips && atoll_bo_busy(mips, write_only));
   atoll_bo_unref(bo);
   atoll_bo_unref(mips);
   return busy;
}

static struct atoll_transfer *
new_transfer(struct atoll_context *ctx, struct pipe_resource *resource, unsigned level,
             unsigned usage, const struct pipe_box *box)
{
   bool unsync = usage & TC_TRANSFER_MAP_THREADED_UNSYNC;
   struct atoll_transfer *t =
      slab_zalloc(unsync ? &ctx->transfer_pool_unsync : &ctx->transfer_pool);
   if (!t)
      return NULL;
   t->unsync_pool = unsync;
   pipe_resource_reference(&t->base.b.resource, resource);
   t->base.b.level = level;
   t->base.b.usage = usage;
   t->base.b.box = *box;
   return t;
}

static void
free_transfer(struct atoll_context *ctx, struct atoll_transfer *t)
{
   pipe_resource_reference(&t->staging, NULL);
   pipe_resource_reference(&t->base.b.resource, NULL);
   /* An unsynchronised map ends on the driver's thread; any child pool may take it back. */
   slab_free(&ctx->transfer_pool, t);
}

/* ---- Buffers ---- */

/* Discards the contents of a buffer: it gets new storage. */
static bool
invalidate_buffer(struct atoll_context *ctx, struct atoll_resource *res)
{
   if (res->base.is_shared || res->base.is_user_ptr)
      return false;
   if (!is_busy(ctx, res->bo, false))
      return true;
   struct atoll_bo *bo = atoll_bo_create(ctx->ws, MAX2(res->base.b.width0, 1), 256, 0);
   if (!bo)
      return false;
   atoll_bo_unref(res->bo);
   res->bo = bo;
   ctx->dirty |= ATOMS_OF_BUFFERS;
   return true;
}

void
atoll_replace_buffer(struct pipe_context *pipe, struct pipe_resource *dst,
                     struct pipe_resource *src, unsigned num_rebinds, uint32_t rebind_mask,
                     uint32_t delete_buffer_id)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_resource *d = atoll_resource(dst), *s = atoll_resource(src);
   struct atoll_bo *old = d->bo;
   d->bo = atoll_bo_ref(s->bo);
   atoll_bo_unref(old);
   if (num_rebinds) {
      ctx->dirty |= ATOMS_OF_BUFFERS;
      if (ctx->so_begun)
         atoll_streamout_end(ctx);
   }
   util_idalloc_mt_free(&ctx->screen->buffer_ids, delete_buffer_id);
}

static void *
buffer_map(struct pipe_context *pipe, struct pipe_resource *resource, unsigned level,
           unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_resource *res = atoll_resource(resource);
   bool write = usage & PIPE_MAP_WRITE;

   if (write)
      atoll_put_in_order(ctx->screen, res);
   /* Bytes that nobody has written cannot be in use. */
   if (write && !(usage & (PIPE_MAP_UNSYNCHRONIZED | TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED)) &&
       !res->base.is_shared &&
       !util_ranges_intersect(&res->base.valid_buffer_range, box->x, box->x + box->width))
      usage |= PIPE_MAP_UNSYNCHRONIZED;
   if (usage & PIPE_MAP_DISCARD_RANGE && box->x == 0 && box->width == (int)resource->width0 &&
       !(usage & TC_TRANSFER_MAP_NO_INVALIDATE))
      usage |= PIPE_MAP_DISCARD_WHOLE_RESOURCE;
   if (usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE &&
       !(usage & (PIPE_MAP_UNSYNCHRONIZED | TC_TRANSFER_MAP_NO_INVALIDATE | PIPE_MAP_PERSISTENT))) {
      if (invalidate_buffer(ctx, res))
         usage |= PIPE_MAP_UNSYNCHRONIZED;
      else
         usage |= PIPE_MAP_DISCARD_RANGE;
   }

   struct atoll_transfer *t = new_transfer(ctx, resource, level, usage, box);
   if (!t)
      return NULL;
   void *map = NULL;
   if (usage & PIPE_MAP_PERSISTENT) {
      p_atomic_set(&res->stays_mapped, true);
      atoll_was_written(res);
   } else if (write && !(usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_DONTBLOCK)) &&
              atoll_writes_at_once(ctx, res)) {
      usage |= PIPE_MAP_UNSYNCHRONIZED;
   }
   if (usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE) &&
       !(usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_PERSISTENT | PIPE_MAP_READ)) &&
       is_busy(ctx, res->bo, false)) {
      /* The copy keeps the offset within 64 bytes, so that the pointer is aligned as promised. */
      unsigned skew = box->x % 64;
      u_upload_alloc(ctx->upload, 0, box->width + skew, 64, &t->staging_offset, &t->staging, &map);
      if (map) {
         map = (char *)map + skew;
         t->staging_offset += skew;
      }
   }
   if (!map) {
      if (!(usage & PIPE_MAP_UNSYNCHRONIZED) && !synchronise(ctx, res->bo, usage)) {
         free_transfer(ctx, t);
         return NULL;
      }
      map = atoll_bo_map(res->bo);
      if (!map) {
         free_transfer(ctx, t);
         return NULL;
      }
      map = (char *)map + box->x;
   }
   *out = &t->base.b;
   return map;
}

static void
finish_buffer_range(struct atoll_context *ctx, struct atoll_transfer *t, unsigned offset,
                    unsigned size)
{
   struct atoll_resource *res = atoll_resource(t->base.b.resource);
   unsigned dst = t->base.b.box.x + offset;
   if (t->staging) {
      struct pipe_box box;
      u_box_1d(t->staging_offset + offset, size, &box);
      ctx->base.resource_copy_region(&ctx->base, &res->base.b, 0, dst, 0, 0, t->staging, 0, &box);
   }
   atoll_was_written(res);
   util_range_add(&res->base.b, &res->base.valid_buffer_range, dst, dst + size);
}

static void
transfer_flush_region(struct pipe_context *pipe, struct pipe_transfer *transfer,
                      const struct pipe_box *box)
{
   struct atoll_transfer *t = (struct atoll_transfer *)transfer;
   if (transfer->resource->target == PIPE_BUFFER && transfer->usage & PIPE_MAP_WRITE &&
       transfer->usage & PIPE_MAP_FLUSH_EXPLICIT)
      finish_buffer_range(atoll_context(pipe), t, box->x, box->width);
}

static void
buffer_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_transfer *t = (struct atoll_transfer *)transfer;
   if (transfer->usage & PIPE_MAP_WRITE && !(transfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
      finish_buffer_range(ctx, t, 0, transfer->box.width);
   free_transfer(ctx, t);
}

/* ---- Textures ---- */

static char *
texel(const struct atoll_resource *res, const struct atoll_level *level, unsigned bytes, unsigned x,
      unsigned y, unsigned z)
{
   enum pipe_format format = res->base.b.format;
   char *map = atoll_bo_map(level == res->level ? res->bo : atoll_level_bo(res, 1));
   if (!map)
      return NULL;
   return map + level->offset + z * level->slice_bytes +
          (uint64_t)(y / util_format_get_blockheight(format)) * level->pitch * bytes +
          x / util_format_get_blockwidth(format) * bytes;
}

/* Copies between the two planes and the packed form of a depth-stencil box, a row. */
static void
pack_row(uint32_t *restrict packed, const uint32_t *restrict depth, const uint8_t *restrict stencil,
         int width, bool z32)
{
   for (int x = 0; x < width && z32; x++) {
      packed[2 * x] = depth[x];
      packed[2 * x + 1] = stencil[x];
   }
   for (int x = 0; x < width && !z32; x++)
      packed[x] = (depth[x] & 0xFFFFFF) | (uint32_t)stencil[x] << 24;
}

static void
unpack_row(uint32_t *restrict depth, uint8_t *restrict stencil, const uint32_t *restrict packed,
           int width, bool z32)
{
   for (int x = 0; x < width && z32; x++) {
      depth[x] = packed[2 * x];
      stencil[x] = (uint8_t)packed[2 * x + 1];
   }
   for (int x = 0; x < width && !z32; x++) {
      depth[x] = packed[x] & 0xFFFFFF;
      stencil[x] = packed[x] >> 24;
   }
}

static uint32_t
integer_depth(float depth)
{
   return depth > 0.0f ? (uint32_t)(MIN2(depth, 1.0f) * 4294967295.0 + 0.5) : 0;
}

static void
pack_floats(uint32_t *restrict packed, const float *restrict depth, int width)
{
   for (int x = 0; x < width; x++)
      packed[x] = integer_depth(depth[x]);
}

/* What was packed and is as it was keeps its float, of which some are one integer; `all`: nothing
 * was packed. */
static void
unpack_floats(float *restrict depth, const uint32_t *restrict packed, int width, bool all)
{
   for (int x = 0; x < width; x++)
      if (all || integer_depth(depth[x]) != packed[x])
         depth[x] = (float)(packed[x] / 4294967295.0);
}

#define DISCARDS (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE)

static void
convert_depth_stencil(const struct atoll_resource *res, const struct atoll_transfer *t, bool pack)
{
   const struct pipe_box *box = &t->base.b.box;
   unsigned l = t->base.b.level;
   bool floats = atoll_depth_is_floats(res->base.b.format);
   bool z32 = res->base.b.format == PIPE_FORMAT_Z32_FLOAT_S8X24_UINT;

   for (int z = 0; z < box->depth; z++) {
      for (int y = 0; y < box->height; y++) {
         uint32_t *depth =
            (uint32_t *)texel(res, &res->level[l], 4, box->x, box->y + y, box->z + z);
         uint8_t *stencil =
            floats ? NULL
                   : (uint8_t *)texel(res, &res->stencil[l], 1, box->x, box->y + y, box->z + z);
         uint32_t *packed = (uint32_t *)((char *)t->packed + z * t->base.b.layer_stride +
                                         (size_t)y * t->base.b.stride);
         if (floats && pack)
            pack_floats(packed, (const float *)depth, box->width);
         else if (floats)
            unpack_floats((float *)depth, packed, box->width, t->base.b.usage & DISCARDS);
         else if (pack)
            pack_row(packed, depth, stencil, box->width, z32);
         else
            unpack_row(depth, stencil, packed, box->width, z32);
      }
   }
}

static void *
map_depth_stencil(struct atoll_context *ctx, struct atoll_resource *res, struct atoll_transfer *t)
{
   const struct pipe_box *box = &t->base.b.box;
   unsigned usage = t->base.b.usage;

   if (!(usage & PIPE_MAP_UNSYNCHRONIZED) && !synchronise(ctx, res->bo, usage))
      return NULL;
   t->base.b.stride = box->width * util_format_get_blocksize(res->base.b.format);
   t->base.b.layer_stride = (uintptr_t)t->base.b.stride * box->height;
   t->packed = malloc(t->base.b.layer_stride * box->depth);
   if (!t->packed || !atoll_bo_map(res->bo))
      return NULL;
   /* What the caller does not write must not change. */
   if (!(usage & DISCARDS))
      convert_depth_stencil(res, t, true);
   return t->packed;
}

#define FAMILY_ZEN_5 0x1a

static enum atoll_copying
copying(void)
{
   if (__builtin_cpu_is("intel"))
      return ATOLL_COPY_AHEAD;
   return __builtin_cpu_is("amd") && util_get_cpu_caps()->x86_cpu_type >= FAMILY_ZEN_5
             ? ATOLL_COPY_STRINGS
             : ATOLL_COPY_VECTORS;
}

/* The most bytes of old storage of textures that may wait for the device while the program writes
 * new storage.  Beyond, the program's data leaves the core's own cache, or on AMD's processors the
 * core's share of the common one, and that costs more than waiting.  Intel's lose more by it. */
static uint64_t
replaced_limit(void)
{
   return __builtin_cpu_is("intel") ? 768 << 10 : 3 << 20;
}

static bool
is_discarded(unsigned usage)
{
   return usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE) &&
          !(usage & (PIPE_MAP_READ | PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_PERSISTENT));
}

/* Whether the context draws to the texture or has it as an image: their registers stay. */
static bool
is_target(const struct atoll_context *ctx, const struct pipe_resource *b)
{
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++)
      if (ctx->fb.cbufs[i] && ctx->fb.cbufs[i]->texture == b)
         return true;
   for (unsigned stage = 0; stage < ATOLL_STAGES; stage++)
      for (unsigned i = 0; i < ATOLL_MAX_IMAGES; i++)
         if (ctx->memory[stage].images[i].resource == b)
            return true;
   return ctx->fb.zsbuf && ctx->fb.zsbuf->texture == b;
}

/* Whether all of level 0 is written while it is in use, and nobody but this context may know where
 * it lies: then it can move. */
static bool
wants_new_storage(struct atoll_context *ctx, const struct atoll_resource *res, unsigned level,
                  unsigned usage, const struct pipe_box *box)
{
   const struct pipe_resource *b = &res->base.b;
   int layers = b->target == PIPE_TEXTURE_3D ? b->depth0 : b->array_size;

   return is_discarded(usage) && level == 0 && box->width == (int)b->width0 &&
          box->height == (int)b->height0 && box->depth == layers && ctx->screen->sws && !res->dt &&
          !res->base.is_shared && !res->has_stencil && is_busy(ctx, res->bo, false) &&
          !is_target(ctx, b);
}

static uint64_t
level_0_bytes(const struct atoll_resource *res)
{
   return res->level[0].slice_bytes * res->level[0].slices;
}

/* False: there is no memory, or others use the texture. */
static bool
replace_level_0(struct atoll_context *ctx, struct atoll_resource *res)
{
   uint64_t bytes = level_0_bytes(res);
   struct atoll_bo *bo = atoll_bo_create(ctx->ws, bytes, 256, 0), *old = res->bo;
   if (!bo)
      return false;
   simple_mtx_lock(&ctx->screen->storage_lock);
   bool alone = !res->several_users;
   if (alone) {
      if (res->base.b.last_level && !res->mips)
         res->mips = atoll_bo_ref(old);
      res->bo = bo;
   }
   simple_mtx_unlock(&ctx->screen->storage_lock);
   atoll_bo_unref(alone ? old : bo);
   if (alone) {
      ctx->replaced += bytes;
      ctx->dirty |= ATOM_BITS_ALL_STAGES(ATOM_VIEWS);
   }
   return alone;
}

/* A staging texture costs a draw that copies it, and its bytes are written twice and read: for more
 * bytes than this, waiting is cheaper. */
#define STAGING_BYTES 16384

/* Whether all of the box is written, and sooner than the device is through with the texture. */
static bool
wants_staging(struct atoll_context *ctx, const struct atoll_resource *res, struct atoll_bo *bo,
              unsigned usage, const struct pipe_box *box)
{
   const struct pipe_resource *b = &res->base.b;
   uint64_t bytes = (uint64_t)box->width * box->height * box->depth * res->block_bytes;

   return is_discarded(usage) && bytes <= STAGING_BYTES && !res->has_depth && !res->has_stencil &&
          !util_format_is_compressed(b->format) && b->target != PIPE_TEXTURE_1D &&
          b->target != PIPE_TEXTURE_1D_ARRAY && is_busy(ctx, bo, false);
}

/* A texture of the box's size and the same format, written now and copied later. */
static void *
map_staging(struct atoll_context *ctx, struct atoll_resource *res, struct atoll_transfer *t)
{
   const struct pipe_box *box = &t->base.b.box;
   struct pipe_resource templ = {
      .target = res->base.b.target == PIPE_TEXTURE_3D ? PIPE_TEXTURE_3D
                : box->depth > 1                      ? PIPE_TEXTURE_2D_ARRAY
                                                      : PIPE_TEXTURE_2D,
      .format = res->base.b.format,
      .width0 = box->width,
      .height0 = box->height,
      .depth0 = res->base.b.target == PIPE_TEXTURE_3D ? box->depth : 1,
      .array_size = res->base.b.target == PIPE_TEXTURE_3D ? 1 : box->depth,
      .usage = PIPE_USAGE_STAGING,
   };
   t->staging = ctx->base.screen->resource_create(ctx->base.screen, &templ);
   if (!t->staging)
      return NULL;
   struct atoll_resource *staging = atoll_resource(t->staging);
   t->base.b.stride = staging->level[0].pitch * staging->block_bytes;
   t->base.b.layer_stride = staging->level[0].slice_bytes;
   return atoll_bo_map(staging->bo);
}

/* Between a multisampled texture and its single-sampled copy. */
static void
blit_samples(struct atoll_context *ctx, struct atoll_transfer *t, bool back)
{
   struct pipe_resource *samples = t->base.b.resource;
   struct pipe_blit_info info = { .filter = PIPE_TEX_FILTER_NEAREST };
   struct pipe_box copy;

   u_box_3d(0, 0, 0, t->base.b.box.width, t->base.b.box.height, t->base.b.box.depth, &copy);
   info.src.resource = back ? t->staging : samples;
   info.src.box = back ? copy : t->base.b.box;
   info.dst.resource = back ? samples : t->staging;
   info.dst.box = back ? t->base.b.box : copy;
   info.src.format = info.dst.format = samples->format;
   info.mask = util_format_get_mask(samples->format);
   atoll_blit(ctx, &info);
}

/* Samples are no texels: the CPU sees them resolved, and writes to all alike. */
static void *
map_samples(struct atoll_context *ctx, struct atoll_transfer *t)
{
   const struct pipe_box *box = &t->base.b.box;
   const struct pipe_resource *b = t->base.b.resource;
   struct pipe_resource templ = {
      .target = box->depth > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D,
      .format = b->format,
      .width0 = box->width,
      .height0 = box->height,
      .depth0 = 1,
      .array_size = box->depth,
      .bind = b->bind & ~(PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED),
   };
   struct pipe_box whole;

   t->staging = ctx->base.screen->resource_create(ctx->base.screen, &templ);
   if (!t->staging)
      return NULL;
   if (!(t->base.b.usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE)))
      blit_samples(ctx, t, false);
   u_box_3d(0, 0, 0, box->width, box->height, box->depth, &whole);
   unsigned usage = t->base.b.usage & (PIPE_MAP_READ | PIPE_MAP_WRITE);
   void *map = ctx->base.texture_map(&ctx->base, t->staging, 0, usage, &whole, &t->inner);
   if (!map)
      return NULL;
   t->base.b.stride = t->inner->stride;
   t->base.b.layer_stride = t->inner->layer_stride;
   return map;
}

/* A level where it lies, or will from now on. */
static void *
map_level(struct atoll_context *ctx, struct atoll_resource *res, struct atoll_transfer *t)
{
   const unsigned level = t->base.b.level;
   const struct pipe_box *box = &t->base.b.box;
   unsigned usage = t->base.b.usage;

   atoll_add_user(ctx, res);
   const bool moves = wants_new_storage(ctx, res, level, usage, box);
   /* What would move but for what waits already waits once, for many uploads that move then. */
   const bool full = moves && ctx->replaced + 2 * level_0_bytes(res) > replaced_limit();
   if (!moves || full || !replace_level_0(ctx, res)) {
      struct atoll_bo *bo = atoll_level_bo(res, level);
      void *map =
         !full && wants_staging(ctx, res, bo, usage, box) ? map_staging(ctx, res, t) : NULL;
      if (map)
         return map;
      if (!(usage & PIPE_MAP_UNSYNCHRONIZED)) {
         if (!synchronise(ctx, bo, usage))
            return NULL;
         ctx->replaced = 0;
      }
   }
   pipe_resource_reference(&t->staging, NULL);
   if (res->dt_front)
      atoll_fetch_front(ctx->screen, res);
   t->base.b.stride = res->level[level].pitch * res->block_bytes;
   t->base.b.layer_stride = res->level[level].slice_bytes;
   return texel(res, &res->level[level], res->block_bytes, box->x, box->y, box->z);
}

/* The address of the box's first texel, and the strides in `t`; NULL: no memory, or it would block.
 * What `t` holds then is freed by finish_texture(). */
static void *
begin_texture(struct atoll_context *ctx, struct atoll_resource *res, struct atoll_transfer *t)
{
   atoll_touch_display(res, false);
   if (res->base.b.nr_samples > 1)
      return map_samples(ctx, t);
   if ((res->has_depth && res->has_stencil) || atoll_depth_is_floats(res->base.b.format))
      return map_depth_stencil(ctx, res, t);
   return map_level(ctx, res, t);
}

static void texture_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer);

/* What was written goes where it belongs. */
static void
finish_texture(struct atoll_context *ctx, struct atoll_transfer *t)
{
   struct pipe_transfer *transfer = &t->base.b;
   bool write = transfer->usage & PIPE_MAP_WRITE;

   if (t->packed && write)
      convert_depth_stencil(atoll_resource(transfer->resource), t, false);
   if (t->inner) {
      texture_unmap(&ctx->base, t->inner);
      if (write)
         blit_samples(ctx, t, true);
   } else if (t->staging && write) {
      struct pipe_box box;
      u_box_3d(0, 0, 0, transfer->box.width, transfer->box.height, transfer->box.depth, &box);
      ctx->base.resource_copy_region(&ctx->base, transfer->resource, transfer->level,
                                     transfer->box.x, transfer->box.y, transfer->box.z, t->staging,
                                     0, &box);
   }
   free(t->packed);
   pipe_resource_reference(&t->staging, NULL);
}

static void *
texture_map(struct pipe_context *pipe, struct pipe_resource *resource, unsigned level,
            unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_transfer *t = new_transfer(ctx, resource, level, usage, box);
   if (!t)
      return NULL;
   if (usage & PIPE_MAP_WRITE)
      atoll_put_in_order(ctx->screen, atoll_resource(resource));
   void *map = begin_texture(ctx, atoll_resource(resource), t);
   if (!map) {
      free(t->packed);
      free_transfer(ctx, t);
      return NULL;
   }
   *out = &t->base.b;
   return map;
}

static void
texture_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_transfer *t = (struct atoll_transfer *)transfer;
   finish_texture(ctx, t);
   free_transfer(ctx, t);
}

/* Texels that the caller has together: no transfer outlives the call. */
static void
texture_subdata(struct pipe_context *pipe, struct pipe_resource *resource, unsigned level,
                unsigned usage, const struct pipe_box *box, const void *data, unsigned stride,
                uintptr_t layer_stride)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_resource *res = atoll_resource(resource);
   const enum pipe_format format = resource->format;
   struct atoll_transfer t = {
      .base.b = {
         .resource = resource,
         .level = level,
         .usage = usage | PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE,
         .box = *box,
      },
   };

   char *map = begin_texture(ctx, res, &t);
   if (map) {
      const struct atoll_lines lines = {
         .bytes = (size_t)util_format_get_nblocksx(format, box->width) *
                  util_format_get_blocksize(format),
         .lines = util_format_get_nblocksy(format, box->height),
         .slices = (unsigned)box->depth,
         .dst_stride = t.base.b.stride,
         .dst_slice = t.base.b.layer_stride,
         .src_stride = (int)stride,
         .src_slice = layer_stride,
      };
      bool down = __atomic_load_n(&res->written_up, __ATOMIC_RELAXED);
      __atomic_store_n(&res->written_up, !down, __ATOMIC_RELAXED);
      atoll_copy_lines(map, data, &lines, down, copying());
      finish_texture(ctx, &t);
   } else {
      free(t.packed);
      pipe_resource_reference(&t.staging, NULL);
   }
}

static void
invalidate_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   if (resource->target == PIPE_BUFFER) {
      struct atoll_resource *res = atoll_resource(resource);
      if (invalidate_buffer(atoll_context(pipe), res))
         util_range_set_empty(&res->base.valid_buffer_range);
   }
}

/* A sparse buffer has all of its addresses from the start, and memory where it is touched: what is
 * committed gets it at once, and what is not any more gives it back. */
static bool
resource_commit(struct pipe_context *pipe, struct pipe_resource *resource, unsigned level,
                struct pipe_box *box, bool commit)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_resource *res = atoll_resource(resource);
   const uint64_t offset = (uint64_t)(unsigned)box->x, size = (uint64_t)(unsigned)box->width;

   if (commit)
      return atoll_bo_populate(res->bo, offset, size);
   if (atoll_cs_usage(&ctx->cs, res->bo))
      atoll_flush_and_wait(ctx);
   atoll_bo_wait(res->bo, false);
   atoll_bo_discard(res->bo, offset, size);
   return true;
}

void
atoll_init_transfer(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->buffer_map = buffer_map;
   pipe->buffer_unmap = buffer_unmap;
   pipe->transfer_flush_region = transfer_flush_region;
   pipe->texture_map = texture_map;
   pipe->texture_unmap = texture_unmap;
   pipe->buffer_subdata = u_default_buffer_subdata;
   pipe->texture_subdata = texture_subdata;
   pipe->clear_texture = u_default_clear_texture;
   pipe->invalidate_resource = invalidate_resource;
   pipe->resource_commit = resource_commit;
}
