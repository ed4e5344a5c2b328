/* SPDX-License-Identifier: MIT */
/* Images of several samples as buffers of texels: UAVs have no samples.
 *
 * The samples of a texel are adjacent, then come texels, rows and layers.  What the driver's
 * constants say of the "buffer" (IL_DRV_UAV_SIZE) is
 *
 *   width | samples << 16      height | 64 texels of a row << 16      layers
 *
 * A sample that the image has not is the buffer's element ~0, which it has not either. */
#include "translate.h"

#include "nir_builder.h"

#define ROW_UNIT 64

struct extent {
   nir_def *width, *height, *layers, *samples, *row; /* of a row the texels */
};

static struct extent
extent_of(nir_builder *b, const nir_intrinsic_instr *intr)
{
   nir_def *words = nir_image_size(
      b, 3, 32, intr->src[0].ssa, nir_imm_int(b, 0), .image_dim = GLSL_SAMPLER_DIM_BUF,
      .format = nir_intrinsic_format(intr), .access = nir_intrinsic_access(intr));
   nir_def *first = nir_channel(b, words, 0), *second = nir_channel(b, words, 1);
   return (struct extent){
      .width = nir_iand_imm(b, first, 0xffff),
      .height = nir_iand_imm(b, second, 0xffff),
      .layers = nir_channel(b, words, 2),
      .samples = nir_ushr_imm(b, first, 16),
      .row = nir_imul_imm(b, nir_ushr_imm(b, second, 16), ROW_UNIT),
   };
}

static nir_def *
element_of(nir_builder *b, const nir_intrinsic_instr *intr, const struct extent *e)
{
   nir_def *place = intr->src[1].ssa, *sample = intr->src[2].ssa;
   nir_def *x = nir_channel(b, place, 0), *y = nir_channel(b, place, 1);
   nir_def *inside = nir_iand(b, nir_iand(b, nir_ult(b, x, e->width), nir_ult(b, y, e->height)),
                              nir_ult(b, sample, e->samples));
   nir_def *row = y;
   if (nir_intrinsic_image_array(intr)) {
      nir_def *layer = nir_channel(b, place, 2);
      inside = nir_iand(b, inside, nir_ult(b, layer, e->layers));
      row = nir_iadd(b, nir_imul(b, layer, e->height), y);
   }
   nir_def *texel = nir_iadd(b, nir_imul(b, row, e->row), x);
   nir_def *element = nir_iadd(b, nir_imul(b, texel, e->samples), sample);
   return nir_bcsel(b, inside, element, nir_imm_int(b, -1));
}

static bool
lower(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_image_load:
   case nir_intrinsic_image_store:
   case nir_intrinsic_image_atomic:
   case nir_intrinsic_image_atomic_swap:
   case nir_intrinsic_image_size:
   case nir_intrinsic_image_samples:
      break;
   default:
      return false;
   }
   if (nir_intrinsic_image_dim(intr) != GLSL_SAMPLER_DIM_MS)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   const struct extent e = extent_of(b, intr);
   if (intr->intrinsic == nir_intrinsic_image_samples ||
       intr->intrinsic == nir_intrinsic_image_size) {
      nir_def *size[3] = { e.width, e.height, e.layers };
      nir_def_replace(&intr->def, intr->intrinsic == nir_intrinsic_image_samples
                                     ? e.samples
                                     : nir_vec(b, size, intr->def.num_components));
      return true;
   }
   nir_def *zero = nir_imm_int(b, 0), *element = element_of(b, intr, &e);
   nir_src_rewrite(&intr->src[1], nir_vec4(b, element, zero, zero, zero));
   nir_src_rewrite(&intr->src[2], zero);
   nir_intrinsic_set_image_dim(intr, GLSL_SAMPLER_DIM_BUF);
   nir_intrinsic_set_image_array(intr, false);
   return true;
}

bool
atoll_nir_lower_image_samples(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower, nir_metadata_control_flow, NULL);
}
