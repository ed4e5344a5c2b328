/* SPDX-License-Identifier: MIT */
/*
 * Compares two pictures of equal size: picture-diff A.png B.png
 *
 * Prints two figures: the share of pixels (per cent) in which some channel differs by more than 16
 * of 255, and the mean absolute difference over all channels (of 255).  The first finds missing or
 * displaced parts and is deaf to rounding and filter precision; the second finds a tint over all.
 * Alpha is left out: what a window shows has none.
 */
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t *
read_png(const char *path, png_image *image)
{
   uint8_t *pixels;

   *image = (png_image){ .version = PNG_IMAGE_VERSION };
   if (!png_image_begin_read_from_file(image, path))
      goto failed;
   image->format = PNG_FORMAT_RGBA;
   pixels = malloc(PNG_IMAGE_SIZE(*image));
   if (pixels && png_image_finish_read(image, NULL, pixels, 0, NULL))
      return pixels;
   free(pixels);
failed:
   fprintf(stderr, "cannot read %s: %s\n", path, image->message);
   return NULL;
}

int
main(int argc, char **argv)
{
   png_image a, b;
   uint8_t *p, *q;
   uint64_t sum = 0, different = 0, pixels;

   if (argc != 3) {
      fprintf(stderr, "usage: picture-diff A.png B.png\n");
      return 2;
   }
   p = read_png(argv[1], &a);
   q = read_png(argv[2], &b);
   if (!p || !q)
      return 1;
   if (a.width != b.width || a.height != b.height) {
      fprintf(stderr, "%ux%u and %ux%u pixels\n", a.width, a.height, b.width, b.height);
      return 1;
   }
   pixels = (uint64_t)a.width * a.height;
   for (uint64_t i = 0; i < pixels; i++) {
      int worst = 0;

      for (int c = 0; c < 3; c++) {
         int d = abs(p[i * 4 + (unsigned)c] - q[i * 4 + (unsigned)c]);

         sum += (unsigned)d;
         worst = d > worst ? d : worst;
      }
      different += worst > 16;
   }
   printf("%.3f %.3f\n", 100.0 * (double)different / (double)pixels,
          (double)sum / ((double)pixels * 3));
   free(p);
   free(q);
   return 0;
}
