/* SPDX-License-Identifier: MIT */
/*
 * Compressed texels, handed to the driver as others are.
 *
 * Mesa maps each slice of the texture and copies to it, always from the first byte to the last. The
 * driver has a way for all slices at once, which needs no map and knows which bytes are in a cache
 * (driver/copy.c). The linker sends Mesa's calls here (--wrap); what comes from a buffer, and
 * formats that Mesa decompresses itself, go on to Mesa.
 */
#include "main/mtypes.h"
#include "main/texstore.h"
#include "pipe/p_context.h"
#include "state_tracker/st_context.h"
#include "state_tracker/st_texture.h"
#include "util/box.h"

void __real__mesa_store_compressed_texsubimage(struct gl_context *ctx, GLuint dims,
                                               struct gl_texture_image *image, GLint x, GLint y,
                                               GLint z, GLsizei width, GLsizei height,
                                               GLsizei depth, GLenum format, GLsizei bytes,
                                               const GLvoid *data);
void __wrap__mesa_store_compressed_texsubimage(struct gl_context *ctx, GLuint dims,
                                               struct gl_texture_image *image, GLint x, GLint y,
                                               GLint z, GLsizei width, GLsizei height,
                                               GLsizei depth, GLenum format, GLsizei bytes,
                                               const GLvoid *data);

void
__wrap__mesa_store_compressed_texsubimage(struct gl_context *ctx, GLuint dims,
                                          struct gl_texture_image *image, GLint x, GLint y, GLint z,
                                          GLsizei width, GLsizei height, GLsizei depth,
                                          GLenum format, GLsizei bytes, const GLvoid *data)
{
   struct st_context *st = st_context(ctx);
   struct pipe_resource *dst = image->pt;
   struct compressed_pixelstore store;

   if (dims == 1 || !data || !dst || ctx->Unpack.BufferObj ||
       st_compressed_format_fallback(st, image->TexFormat)) {
      __real__mesa_store_compressed_texsubimage(ctx, dims, image, x, y, z, width, height, depth,
                                                format, bytes, data);
      return;
   }
   const struct gl_texture_object *texture = image->TexObject;
   const unsigned level = texture->pt == dst ? texture->Attrib.MinLevel + image->Level : 0;
   struct pipe_box box;

   _mesa_compute_compressed_pixelstore(dims, image->TexFormat, width, height, depth, &ctx->Unpack,
                                       &store);
   u_box_3d(x, y, z + (GLint)(image->Face + texture->Attrib.MinLayer), width, height,
            store.CopySlices, &box);
   st->pipe->texture_subdata(st->pipe, dst, level, 0, &box, (const char *)data + store.SkipBytes,
                             (unsigned)store.TotalBytesPerRow,
                             (uintptr_t)store.TotalBytesPerRow * (unsigned)store.TotalRowsPerSlice);
}
