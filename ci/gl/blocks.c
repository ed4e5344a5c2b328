/* SPDX-License-Identifier: MIT */
/*
 * Uploads of compressed blocks: gl-blocks.  Exit code 0, and the number of cases, if each texture
 * holds the bytes that were written to it, whole, in part, out of a larger picture, from a buffer,
 * to the faces of a cube and through a view; otherwise the reason is on stderr.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texels, blocks, and bytes of a layer of level 0; a block of BC3 has 16. */
enum { WIDTH = 52, HEIGHT = 36, LAYERS = 6, BX = WIDTH / 4, BY = HEIGHT / 4, BLOCK = 16 };
enum { FORMAT = GL_COMPRESSED_RGBA_S3TC_DXT5_EXT };

typedef uint8_t layers[LAYERS][BY][BX][BLOCK];

static unsigned cases;

static void
fill(void *data, size_t bytes)
{
   static uint32_t noise = 1;

   for (size_t i = 0; i < bytes; i++) {
      noise = noise * 1664525 + 1013904223;
      ((uint8_t *)data)[i] = (uint8_t)(noise >> 24);
   }
}

static void
same(const char *what, GLenum target, const layers want)
{
   static layers is;

   glGetCompressedTexImage(target, 0, is);
   if (memcmp(is, want, sizeof(is)) != 0) {
      fprintf(stderr, "%s: another block than was written\n", what);
      exit(1);
   }
   cases++;
}

static unsigned
array(int levels, int scale)
{
   unsigned name;

   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D_ARRAY, name);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, levels, FORMAT, WIDTH * scale, HEIGHT * scale, LAYERS);
   return name;
}

/* A part of some layers; its blocks lie in `from` as the pixel store says. */
static void
write_part(uint8_t (*want)[BY][BX][BLOCK], const void *data, const uint8_t *from, int row_blocks,
           int rows, int bytes)
{
   enum { X = 3, Y = 2, Z = 1, W = 5, H = 4, D = 3 };

   glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, X * 4, Y * 4, Z, W * 4, H * 4, D, FORMAT,
                             bytes, data);
   for (int z = 0; z < D; z++)
      for (int y = 0; y < H; y++)
         memcpy(want[Z + z][Y + y][X], from + (size_t)(z * rows + y) * row_blocks * BLOCK,
                W * BLOCK);
}

int
main(void)
{
   static layers want, other;
   static uint8_t picture[5][7][9][BLOCK];
   unsigned buffer, whole, view;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);

   array(1, 1);
   for (int turn = 0; turn < 2; turn++) {
      fill(want, sizeof(want));
      glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, WIDTH, HEIGHT, LAYERS, FORMAT,
                                sizeof(want), want);
      same("all layers", GL_TEXTURE_2D_ARRAY, (const uint8_t(*)[BY][BX][BLOCK])want);
   }
   fill(picture, sizeof(picture));
   write_part(want, picture, picture[0][0][0], 5, 4, 5 * 4 * 3 * BLOCK);
   same("a part", GL_TEXTURE_2D_ARRAY, (const uint8_t(*)[BY][BX][BLOCK])want);

   glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_WIDTH, 4);
   glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_HEIGHT, 4);
   glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_DEPTH, 1);
   glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_SIZE, BLOCK);
   glPixelStorei(GL_UNPACK_ROW_LENGTH, 9 * 4);
   glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 7 * 4);
   glPixelStorei(GL_UNPACK_SKIP_PIXELS, 2 * 4);
   glPixelStorei(GL_UNPACK_SKIP_ROWS, 3 * 4);
   glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
   write_part(want, picture, picture[1][3][2], 9, 7, 5 * 4 * 3 * BLOCK);
   same("a part of a picture", GL_TEXTURE_2D_ARRAY, (const uint8_t(*)[BY][BX][BLOCK])want);

   fill(picture, sizeof(picture));
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
   glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof(picture), picture, GL_STATIC_DRAW);
   write_part(want, NULL, picture[1][3][2], 9, 7, 5 * 4 * 3 * BLOCK);
   same("a part from a buffer", GL_TEXTURE_2D_ARRAY, (const uint8_t(*)[BY][BX][BLOCK])want);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
   glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
   glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
   glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
   glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
   glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);

   /* Level 1 and the layers from 1 on are level 0 and the first ones of the view. */
   whole = array(2, 2);
   fill(other, sizeof(other));
   glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 1, 0, 0, 0, WIDTH, HEIGHT, LAYERS, FORMAT,
                             sizeof(other), other);
   glGenTextures(1, &view);
   glTextureView(view, GL_TEXTURE_2D_ARRAY, whole, FORMAT, 1, 1, 1, LAYERS - 1);
   glBindTexture(GL_TEXTURE_2D_ARRAY, view);
   write_part(other + 1, picture, picture[0][0][0], 5, 4, 5 * 4 * 3 * BLOCK);
   glBindTexture(GL_TEXTURE_2D_ARRAY, whole);
   {
      static layers is;

      glGetCompressedTexImage(GL_TEXTURE_2D_ARRAY, 1, is);
      if (memcmp(is, other, sizeof(is)) != 0) {
         fprintf(stderr, "a view: another block than was written\n");
         return 1;
      }
      cases++;
   }

   /* Faces one by one. */
   glBindTexture(GL_TEXTURE_CUBE_MAP, (glGenTextures(1, &view), view));
   glTexStorage2D(GL_TEXTURE_CUBE_MAP, 1, FORMAT, WIDTH, WIDTH);
   for (unsigned face = 0; face < 6; face++) {
      static uint8_t in[BX * BX * BLOCK], out[BX * BX * BLOCK];
      const GLenum target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + face;

      fill(in, sizeof(in));
      glCompressedTexSubImage2D(target, 0, 0, 0, WIDTH, WIDTH, FORMAT, sizeof(in), in);
      glGetCompressedTexImage(target, 0, out);
      if (memcmp(in, out, sizeof(in)) != 0) {
         fprintf(stderr, "face %u: another block than was written\n", face);
         return 1;
      }
      cases++;
   }
   if (glGetError() != GL_NO_ERROR) {
      fprintf(stderr, "an error\n");
      return 1;
   }
   offscreen_close();
   printf("%u\n", cases);
   return 0;
}
