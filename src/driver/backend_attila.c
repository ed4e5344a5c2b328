/* SPDX-License-Identifier: MIT */
/*
 * ATTILA's part of the table: vertex and pixel programs of OpenGL 2.1 and ES 2.0, of which the
 * compiler refuses what docs/attila-chip.rst lists; none of that is offered.
 */
#include "backend.h"

#include "pipe/p_defines.h"
#include "pipe/p_screen.h"

#include "compiler/attila/attila_compile.h"

/* Vectors of GL's own state that may follow a program's uniforms. */
#define STATE_VECTORS 64

static const struct atoll_limits limits = {
   .stages = 1u << PIPE_SHADER_VERTEX | 1u << PIPE_SHADER_FRAGMENT,
   .uniform_bytes = (ATTILA_CONSTANT_WINDOW - STATE_VECTORS) * 16,
   .const_buffers = 1,
   .temps = 64,
   .sure = 64,
   .wave = 64,
};

static void
limit_caps(struct pipe_caps *caps)
{
   caps->glsl_feature_level = 120;
   caps->glsl_feature_level_compatibility = 120;
   caps->essl_feature_level = 100;

   /* Lookups are by unit, in one, two or three dimensions or a cube, with or without a level. */
   caps->texture_buffer_objects = false;
   caps->max_texel_buffer_elements = 0;
   caps->fragment_shader_texture_lod = false;
   caps->fs_fine_derivative = false;
   caps->max_texture_array_layers = 0;
   caps->min_texel_offset = 0;
   caps->max_texel_offset = 0;
   caps->cube_map_array = false;
   caps->max_texture_gather_components = 0;
   caps->min_texture_gather_offset = 0;
   caps->max_texture_gather_offset = 0;
   caps->texture_query_lod = false;
   caps->texture_shadow_lod = false;
   caps->texture_query_samples = false;
   caps->texture_multisample = false;
   caps->sampler_reduction_minmax = false;
   caps->sampler_reduction_minmax_arb = false;

   /* A pixel's colours and depth, for all of its samples. */
   caps->max_dual_source_render_targets = 0;
   caps->shader_stencil_export = false;
   caps->framebuffer_no_attachment = false;
   caps->sample_shading = false;
   caps->programmable_sample_locations = false;
   caps->post_depth_coverage = false;
   caps->multiview = 0;

   /* Vertices come from buffers and go to the rasteriser. */
   caps->max_geometry_output_vertices = 0;
   caps->max_geometry_total_output_components = 0;
   caps->max_gs_invocations = 0;
   caps->max_shader_patch_varyings = 0;
   caps->glsl_tess_levels_as_inputs = false;
   caps->draw_parameters = false;
   caps->max_varyings = 16;
   caps->max_stream_output_buffers = 0;
   caps->stream_output_pause_resume = false;
   caps->stream_output_interleave_buffers = false;
   caps->max_stream_output_separate_components = 0;
   caps->max_stream_output_interleaved_components = 0;
   caps->max_vertex_streams = 0;
   caps->query_so_overflow = false;

   /* Numbers are of 32 bits; memory is not written. */
   caps->doubles = false;
   caps->int64 = false;
   caps->shader_pack_half_float = false;
   caps->compute = false;
   caps->fbfetch = 0;
   caps->fbfetch_coherent = false;
   caps->fbfetch_zs = false;
   caps->shader_group_vote = false;
   caps->shader_ballot = false;
   caps->shader_clock = false;
   caps->demote_to_helper_invocation = false;
   caps->shader_samples_identical = false;
   caps->opencl_integer_functions = false;
   caps->integer_multiply_32x16 = false;
   caps->gl_spirv = false;
   caps->image_atomic_float_add = false;
   caps->atomic_float_minmax = false;
   caps->tes_layer_viewport = false;
   caps->max_shader_buffer_size = 0;
   caps->max_combined_shader_buffers = 0;
   caps->max_combined_shader_output_resources = 0;
   caps->image_store_formatted = false;
   caps->image_load_formatted = false;
}

const struct atoll_backend atoll_backend_attila = {
   .compiler = &attila_compiler,
   .renderer = "ATOLL ATTILA (",
   .cache = "atoll-attila",
   .limits = &limits,
   .limit_caps = limit_caps,
   .attributes_add_base = true,
   .build_fetch = atoll_build_attributes,
};
