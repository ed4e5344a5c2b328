/* SPDX-License-Identifier: MIT */
/*
 * Strips with adjacency as lists, for geometry shaders.
 *
 * GL's triangle i of a strip of n, counted from 0, has these vertices of the strip (OpenGL 3.3,
 * table 2.4), corners and neighbours alternating:
 *    even i   2i      before  2i + 2  after   2i + 4  2i + 3
 *    odd i    2i + 2  before  2i      2i + 3  2i + 4  after
 * where `before` is 1 for the first triangle and 2i - 2 for others, and `after` is 2i + 5 for the
 * last and 2i + 6 for others. The device hands the odd ones over with another corner first, and
 * does not know an odd one from an even one after a restart.
 */
#include "context.h"

#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

struct strip {
   const void *indices; /* NULL: positions */
   unsigned index_size;
   uint32_t start;
};

static uint32_t
fetch(const struct strip *s, uint32_t at)
{
   at += s->start;
   switch (s->indices ? s->index_size : 0) {
   case 1:
      return ((const uint8_t *)s->indices)[at];
   case 2:
      return ((const uint16_t *)s->indices)[at];
   case 4:
      return ((const uint32_t *)s->indices)[at];
   default:
      return at;
   }
}

/* Triangles of `count` vertices from `first` on, six indices each. Returns how many there are. */
static unsigned
write_triangles(const struct strip *s, uint32_t first, uint32_t count, uint32_t *out)
{
   unsigned n = count >= 6 ? (count - 4) / 2 : 0;
   for (unsigned i = 0; i < n; i++, out += 6) {
      uint32_t at = first + 2 * i;
      uint32_t before = fetch(s, i ? at - 2 : at + 1);
      uint32_t after = fetch(s, i + 1 == n ? at + 5 : at + 6);
      bool odd = i & 1;
      out[0] = fetch(s, odd ? at + 2 : at);
      out[1] = before;
      out[2] = fetch(s, odd ? at : at + 2);
      out[3] = odd ? fetch(s, at + 3) : after;
      out[4] = fetch(s, at + 4);
      out[5] = odd ? after : fetch(s, at + 3);
   }
   return n;
}

static void
draw_one(struct atoll_context *ctx, const struct pipe_draw_info *info, unsigned drawid,
         const void *indices, const struct pipe_draw_start_count_bias *draw)
{
   struct strip s = { indices, info->index_size, draw->start };
   if (draw->count < 6 || draw->count > 1u << 26)
      return;

   struct pipe_draw_info list = *info;
   struct pipe_draw_start_count_bias range = { 0 };
   unsigned offset;
   uint32_t *out = NULL;
   list.index.resource = NULL;
   /* No more than one triangle for each two vertices. */
   u_upload_alloc(ctx->upload, 0, draw->count / 2 * 24, 4, &offset, &list.index.resource,
                  (void **)&out);
   if (!out)
      return;
   unsigned first = 0, triangles = 0;
   for (unsigned i = 0; i <= draw->count; i++) {
      bool cut = i == draw->count || (info->index_size && info->primitive_restart &&
                                      fetch(&s, i) == info->restart_index);
      if (!cut)
         continue;
      triangles += write_triangles(&s, first, i - first, out + 6 * triangles);
      first = i + 1;
   }
   list.mode = MESA_PRIM_TRIANGLES_ADJACENCY;
   list.index_size = 4;
   list.has_user_indices = false;
   list.take_index_buffer_ownership = false;
   list.primitive_restart = false;
   list.index_bounds_valid = false;
   range.start = offset / 4;
   range.count = 6 * triangles;
   range.index_bias = info->index_size ? draw->index_bias : 0;
   if (triangles)
      atoll_draw(ctx, &list, drawid, NULL, &range, 1, list.mode);
   pipe_resource_reference(&list.index.resource, NULL);
}

void
atoll_draw_strip_adjacency(struct atoll_context *ctx, const struct pipe_draw_info *info,
                           unsigned drawid_offset, const struct pipe_draw_start_count_bias *draws,
                           unsigned num_draws)
{
   struct pipe_transfer *transfer = NULL;
   const void *indices = NULL;

   if (info->index_size && info->has_user_indices) {
      indices = info->index.user;
   } else if (info->index_size) {
      indices = pipe_buffer_map(&ctx->base, info->index.resource, PIPE_MAP_READ, &transfer);
      if (!indices)
         return;
   }
   for (unsigned i = 0; i < num_draws; i++) {
      struct pipe_draw_start_count_bias draw = draws[i];
      if (transfer) {
         unsigned have = info->index.resource->width0 / info->index_size;
         draw.count = MIN2(draw.count, have - MIN2(draw.start, have));
      }
      draw_one(ctx, info, drawid_offset + (info->increment_draw_id ? i : 0), indices, &draw);
   }
   if (transfer)
      pipe_buffer_unmap(&ctx->base, transfer);
}
