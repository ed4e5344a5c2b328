/* SPDX-License-Identifier: MIT */
/*
 * What the driver says it can do: OpenGL 4.6, core and compatibility profile, and ES 3.2.
 * Nothing is listed that is not there; what the hardware could do beyond waits for its driver code.
 */
#include "screen.h"

#include <xf86drm.h>
#include "util/u_math.h"
#include "util/u_screen.h"

#include "backend.h"
#include "context.h"

void
atoll_init_caps(struct atoll_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;
   const struct atoll_winsys_info *info = atoll_winsys_info(screen->ws);

   u_init_pipe_screen_caps(&screen->base, 0);

   /* Versions. */
   caps->glsl_feature_level = 460;
   caps->glsl_feature_level_compatibility = 460;
   caps->essl_feature_level = 320;

   /* Textures. */
   caps->npot_textures = true;
   caps->string_marker = screen->debug & ATOLL_DEBUG_NOTES;
   caps->anisotropic_filter = true;
   caps->texture_mirror_clamp = true;
   caps->texture_mirror_clamp_to_edge = true;
   caps->texture_swizzle = true;
   caps->texture_shadow_map = true;
   caps->seamless_cube_map = true;
   caps->seamless_cube_map_per_texture = true;
   caps->texture_float_linear = true;
   caps->texture_half_float_linear = true;
   caps->texture_buffer_objects = true;
   caps->texture_buffer_offset_alignment = 16; /* images' (set_base() in uav.c) */
   caps->max_texel_buffer_elements = ATOLL_MAX_TEXELS;
   caps->fragment_shader_texture_lod = true;
   caps->fragment_shader_derivatives = true;
   caps->fs_fine_derivative = true;
   caps->texture_border_color_quirk = PIPE_QUIRK_TEXTURE_BORDER_COLOR_SWIZZLE_R600;
   caps->texture_transfer_modes = PIPE_TEXTURE_TRANSFER_DEFAULT;
   caps->null_textures = true; /* all components are 0 */
   caps->max_texture_2d_size = 16384;
   caps->max_texture_3d_levels = 12;
   caps->max_texture_cube_levels = 15;
   caps->max_texture_array_layers = 2048;
   caps->min_texel_offset = -8;
   caps->max_texel_offset = 7;
   caps->max_texture_anisotropy = 16.0f;
   caps->max_texture_lod_bias = 16.0f;
   caps->copy_between_compressed_and_plain_formats = true;
   caps->sampler_view_target = true;
   caps->gl_clamp = true;
   caps->texture_barrier = true;
   caps->cube_map_array = true;
   caps->max_texture_gather_components = 4;
   caps->min_texture_gather_offset = -8;
   caps->max_texture_gather_offset = 7;
   caps->texture_query_lod = true;
   caps->texture_shadow_lod = true;
   caps->texture_query_samples = true;
   caps->sampler_reduction_minmax = true;
   caps->sampler_reduction_minmax_arb = true;

   /* Targets and blending. */
   caps->max_render_targets = ATOLL_MAX_CB;
   caps->max_dual_source_render_targets = 1;
   caps->fbfetch = ATOLL_MAX_CB;
   caps->fbfetch_coherent = true;
   caps->fbfetch_zs = true;
   caps->multiview = 2; /* in fragment shaders, too */
   caps->mixed_framebuffer_sizes = true;
   caps->mixed_colorbuffer_formats = true;
   caps->mixed_color_depth_bits = true;
   caps->blend_equation_separate = true;
   caps->indep_blend_enable = true;
   caps->indep_blend_func = true;
   caps->alpha_test = true;
   caps->shader_stencil_export = true;
   caps->framebuffer_no_attachment = true;
   caps->surface_reinterpret_blocks = false;
   caps->dest_surface_srgb_control = true;
   caps->dithering = false;
   caps->texture_multisample = true;
   caps->sample_shading = true;
   caps->programmable_sample_locations = true;
   caps->post_depth_coverage = true;
   caps->alpha_to_coverage_dither_control = true;

   /* Geometry. */
   caps->primitive_restart = true;
   caps->primitive_restart_fixed_index = true;
   caps->vs_instanceid = true;
   caps->start_instance = true;
   caps->vertex_element_instance_divisor = true;
   caps->max_vertex_buffers = ATOLL_MAX_VBS;
   caps->max_vertex_attrib_stride = 2048;
   caps->max_vertex_element_src_offset = 2047;
   caps->vertex_input_alignment = PIPE_VERTEX_INPUT_ALIGNMENT_NONE;
   caps->user_vertex_buffers = false;
   caps->signed_vertex_buffer_offset = false;
   caps->quads_follow_provoking_vertex_convention = true;
   caps->depth_clip_disable = true;
   caps->depth_clip_disable_separate = true;
   caps->clip_halfz = true;
   caps->polygon_offset_clamp = true;
   caps->polygon_offset_units_unscaled = true;
   caps->clip_planes = 0; /* lowered to clip distances */
   caps->cull_distance = true;
   caps->flatshade = true;
   caps->two_sided_color = false;
   caps->vertex_color_unclamped = true;
   caps->vertex_color_clamped = false;
   caps->fragment_color_clamped = false;
   caps->vs_window_space_position = true;
   caps->vs_layer_viewport = true;
   caps->tes_layer_viewport = true;
   caps->max_geometry_output_vertices = 1024;
   caps->max_geometry_total_output_components = 16384;
   caps->max_gs_invocations = 32;
   caps->doubles = true;
   caps->int64 = true;
   caps->max_shader_patch_varyings = 30;
   caps->glsl_tess_levels_as_inputs = true;
   caps->draw_indirect = true;
   caps->multi_draw_indirect = true;
   caps->multi_draw_indirect_params = true;
   caps->draw_parameters = true;
   caps->max_viewports = ATOLL_MAX_VIEWPORTS;
   caps->viewport_subpixel_bits = 8;
   caps->rasterizer_subpixel_bits = 8;
   caps->max_varyings = 32;
   caps->max_window_rectangles = 4;
   caps->min_line_width = caps->min_line_width_aa = 1;
   caps->min_point_size = caps->min_point_size_aa = 1;
   caps->point_size_granularity = caps->line_width_granularity = 0.125f;
   caps->max_line_width = caps->max_line_width_aa = 4095.0f;
   caps->max_point_size = caps->max_point_size_aa = ATOLL_MAX_POINT_SIZE;

   /* Shaders. */
   caps->tgsi_texcoord = true;
   caps->fs_coord_origin_upper_left = true;
   caps->fs_coord_pixel_center_half_integer = true;
   caps->fs_face_is_integer_sysval = true;
   caps->shareable_shaders = true;
   caps->shader_array_components = true;
   caps->constant_buffer_offset_alignment = 16;
   caps->max_constant_buffer_size = 65536;
   caps->shader_pack_half_float = true;
   caps->shader_group_vote = true;
   caps->shader_ballot = true;
   caps->shader_clock = true;
   caps->gl_spirv = true;
   caps->prefer_imm_arrays_as_constbuf = false;
   caps->packed_uniforms = false;
   caps->nir_images_as_deref = false;
   caps->glsl_zero_init = 0;
   caps->demote_to_helper_invocation = true;
   caps->call_finalize_nir_in_linker = true; /* where a shader may be refused (link.c) */
   caps->shader_samples_identical = true;
   caps->opencl_integer_functions = true;
   caps->integer_multiply_32x16 = true;

   /* Memory that shaders write. */
   caps->compute = true;
   caps->shader_buffer_offset_alignment = 16;
   caps->max_shader_buffer_size = 1 << 27;
   caps->image_store_formatted = true;
   caps->image_load_formatted = true;
   caps->image_atomic_float_add = true;
   caps->atomic_float_minmax = true;
   caps->robust_buffer_access_behavior = true;

   /* Streamout. */
   caps->max_stream_output_buffers = ATOLL_SO_BUFFERS;
   caps->stream_output_pause_resume = true;
   caps->stream_output_interleave_buffers = true;
   caps->max_stream_output_separate_components = 128;
   caps->max_stream_output_interleaved_components = 128;
   caps->max_vertex_streams = 4;

   /* Queries. */
   caps->occlusion_query = true;
   caps->query_time_elapsed = true;
   caps->query_timestamp = true;
   caps->timer_resolution = DIV_ROUND_UP(1000000, MAX2(info->crystal_khz, 1));
   caps->conditional_render = true;
   caps->conditional_render_inverted = true;
   caps->query_so_overflow = true;
   caps->query_buffer_object = true;
   caps->query_pipeline_statistics = true;
   caps->query_pipeline_statistics_single = true;
   caps->performance_monitor = true;

   /* Memory. */
   caps->min_map_buffer_alignment = 64;
   caps->buffer_map_persistent_coherent = true;
   caps->allow_mapped_buffers_during_execution = true;
   caps->map_unsynchronized_thread_safe = true;
   caps->can_bind_const_buffer_as_vertex = true;
   caps->invalidate_buffer = true;
   caps->query_memory_info = true;
   caps->sparse_buffer_page_size = ATOLL_SPARSE_PAGE;
   caps->uma = true;
   caps->resource_from_user_memory = info->user_memory;
   caps->memobj = info->in_process;
   caps->video_memory = (unsigned)MIN2(info->vram_size >> 20, UINT64_C(4096));
   caps->max_texture_upload_memory_budget = 64 << 20;
   caps->hardware_gl_select = false;
   caps->device_reset_status_query = true;
   caps->frontend_noop = true;
   caps->dmabuf = screen->sws ? 0 : DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
   caps->endianness = PIPE_ENDIAN_LITTLE;
   caps->vendor_id = 0x1002;
   caps->device_id = info->device_id;
   caps->accelerated = 1;

   if (screen->backend->limit_caps)
      screen->backend->limit_caps(caps);
}
