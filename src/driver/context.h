/* SPDX-License-Identifier: MIT */
/*
 * The context: bound state, what of it the hardware has not been told yet, and the stream.
 *
 * Every bound state belongs to one or more atoms. An atom is a set of registers that is emitted
 * as a whole before the next draw when its bit in `dirty` is set. Registers do not survive a
 * stream, so a new stream starts with all bits set.
 */
#ifndef ATOLL_CONTEXT_H
#define ATOLL_CONTEXT_H

#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "util/list.h"
#include "util/slab.h"
#include "util/u_blitter.h"
#include "util/u_upload_mgr.h"

#include <atoll/cayman/pm4.h>
#include <atoll/cayman/registers.h>

#include "screen.h"
#include "shader.h"

#define ATOLL_MAX_VIEWPORTS  16
#define ATOLL_MAX_POINT_SIZE 8191.0f
#define ATOLL_MAX_CB         8
#define ATOLL_MAX_CONST      16
#define ATOLL_MAX_SAMPLERS   16
#define ATOLL_MAX_LOADED     256 /* uniforms that are looked at before values are made anew */
#define ATOLL_MAX_VBS        16
#define ATOLL_MAX_ELEMENTS   32
#define ATOLL_SO_BUFFERS     4
#define ATOLL_MAX_BUFFERS    32 /* of a stage: storage buffers, then atomic counters */
/* Where those of counters begin that are in global data. */
#define ATOLL_FIRST_COUNTERS ATOLL_NIR_FIRST_COUNTERS
#define ATOLL_MAX_IMAGES     16
#define ATOLL_SPARSE_PAGE    65536 /* bytes */
#define ATOLL_START_DW       512   /* that a stream may begin with */
_Static_assert(ATOLL_MAX_BUFFERS + ATOLL_MAX_IMAGES <= ATOLL_NIR_UAVS, "all of a stage are UAVs");
_Static_assert(ATOLL_FIRST_COUNTERS + ATOLL_NIR_COUNTER_BUFFERS == ATOLL_MAX_BUFFERS,
               "and counters");
/* First sampler view among a stage's resources; constant buffers come before. */
#define ATOLL_VIEW_RESOURCE 18
/* The ring that a program after ES or GS reads, among its stage's resources. */
#define ATOLL_RING_RESOURCE   17
#define ATOLL_ESGS_RING_BYTES 0x1C000
#define ATOLL_GSVS_RING_BYTES 0x4000000

/* Stages of the API, in the order in which they run. */
enum atoll_stage {
   ATOLL_VS,
   ATOLL_TCS,
   ATOLL_TES,
   ATOLL_GS,
   ATOLL_PS,
   ATOLL_CS,
   ATOLL_STAGES,
};

/* Order is emission order. */
enum atoll_atom {
   ATOM_FRAMEBUFFER,
   ATOM_BLEND,
   ATOM_BLEND_COLOR,
   ATOM_CB_MISC,
   ATOM_DSA,
   ATOM_STENCIL_REF,
   ATOM_ALPHA,
   ATOM_DB_MISC,
   ATOM_RASTERIZER,
   ATOM_POLY_OFFSET,
   ATOM_CLIP,
   ATOM_VIEWPORT,
   ATOM_SCISSOR,
   ATOM_CLIP_RECTS,
   ATOM_MSAA,
   ATOM_STAGES,
   ATOM_TESS,
   ATOM_RINGS,
   ATOM_ES,
   ATOM_GS,
   ATOM_VS,
   ATOM_PS,
   ATOM_PS_INPUTS,
   ATOM_FETCH,
   ATOM_VERTEX_BUFFERS,
   ATOM_STREAMOUT,
   ATOM_CONST, /* + stage */
   ATOM_VIEWS = ATOM_CONST + ATOLL_STAGES,
   ATOM_SAMPLERS = ATOM_VIEWS + ATOLL_STAGES,
   ATOM_MEMORY = ATOM_SAMPLERS + ATOLL_STAGES, /* what programs write */
   ATOM_COUNT = ATOM_MEMORY + ATOLL_STAGES,
};
#define ATOM_BIT(atom) (UINT64_C(1) << (atom))
#define ATOM_ALL       ((UINT64_C(1) << ATOM_COUNT) - 1)
/* An atom of each stage: ATOM_CONST, ATOM_VIEWS, ATOM_SAMPLERS or ATOM_MEMORY. */
#define ATOM_BITS_ALL_STAGES(atom) (((UINT64_C(1) << ATOLL_STAGES) - 1) << (atom))
#define ATOMS_OF_BUFFERS                                               \
   (ATOM_BIT(ATOM_VERTEX_BUFFERS) | ATOM_BITS_ALL_STAGES(ATOM_CONST) | \
    ATOM_BITS_ALL_STAGES(ATOM_VIEWS) | ATOM_BITS_ALL_STAGES(ATOM_MEMORY))
/* What dispatches need of the atoms; the rest is draws'. */
#define ATOMS_OF_COMPUTE                                                \
   (ATOM_BIT(ATOM_CONST + ATOLL_CS) | ATOM_BIT(ATOM_VIEWS + ATOLL_CS) | \
    ATOM_BIT(ATOM_SAMPLERS + ATOLL_CS) | ATOM_BIT(ATOM_MEMORY + ATOLL_CS))
#define ATOMS_OF_DRAWS (ATOM_ALL & ~ATOMS_OF_COMPUTE)

/** Cache work that must be done before the next draw. */
enum atoll_flush {
   FLUSH_TARGETS = 1 << 0, /* write back and invalidate CB and DB */
   FLUSH_READS = 1 << 1,   /* invalidate texture, vertex and constant caches */
   FLUSH_STREAMOUT = 1 << 2,
};

struct atoll_blend {
   uint32_t color_control, color_control_off; /* with and without CB writes */
   uint32_t target_mask;
   uint32_t control[ATOLL_MAX_CB];
   uint32_t alpha_to_mask;
   bool dual_source;
   bool alpha_to_one;
};

struct atoll_dsa {
   uint32_t depth_control;
   uint32_t alpha_control, alpha_ref;
   uint8_t valuemask[2], writemask[2];
   bool depth, stencil;
};

struct atoll_rasterizer {
   struct pipe_rasterizer_state state;
   bool whole_points; /* neither smooth nor sprites: the size of a point is rounded */
   uint32_t point_size, point_minmax, line_cntl;
   uint32_t interp_control, sc_mode_cntl_0, vtx_cntl, su_sc_mode_cntl;
   uint32_t clip_cntl;
   uint32_t line_stipple;
};

struct atoll_sampler {
   uint32_t words[3];
   bool border;
   union pipe_color_union border_color;
};

struct atoll_sampler_view {
   struct pipe_sampler_view base;
   uint32_t words[8]; /* addresses of textures are in; those of buffers are not */
   uint64_t va;       /* of the texture's BO when they were put in */
};

struct atoll_surface {
   struct pipe_surface base;
   /* Colour. */
   uint32_t cb_pitch, cb_slice, cb_view, cb_info, cb_attrib;
   uint64_t base_offset; /* of the level, from the BO's start */
   bool integer;
   /* Depth and stencil. */
   uint32_t db_z_info, db_stencil_info, db_depth_view, db_depth_size, db_depth_slice;
   uint64_t stencil_offset;
};

struct atoll_vertex_elements {
   unsigned count;
   struct atoll_bo *bo; /* fetch subroutine or descriptors */
   uint32_t buffer_mask;
   uint32_t twice_mask; /* buffers of instances, with half of the stride that was asked for */
   uint16_t strides[ATOLL_MAX_VBS];
   uint8_t excess[ATOLL_MAX_VBS];
};

struct atoll_constants {
   struct pipe_constant_buffer cb[ATOLL_MAX_CONST];
   uint32_t enabled; /* bit per buffer */
};

struct atoll_textures {
   struct atoll_sampler_view *views[ATOLL_MAX_SAMPLERS];
   struct atoll_sampler *samplers[ATOLL_MAX_SAMPLERS];
   uint32_t view_mask, sampler_mask;
   uint32_t null_mask;    /* slots that a shader may read and that have no view */
   uint32_t limited_mask; /* views of fixed-point depth that is floats in memory */
};

/* What a stage's shader may write. */
struct atoll_memory {
   struct pipe_shader_buffer buffers[ATOLL_MAX_BUFFERS];
   struct pipe_image_view images[ATOLL_MAX_IMAGES];
};

struct atoll_so_target {
   struct pipe_stream_output_target base;
   struct atoll_bo *filled; /* 8 bytes: how far the buffer has been filled */
   bool filled_valid;
   uint32_t stride_dw;
};

struct atoll_query;

struct atoll_context {
   struct pipe_context base;
   struct threaded_context *tc;
   struct atoll_screen *screen;
   struct atoll_winsys *ws;
   struct atoll_cs cs;
   struct slab_child_pool transfer_pool, transfer_pool_unsync;
   struct u_upload_mgr *upload; /* of the driver's own thread */
   struct blitter_context *blitter;
   struct atoll_blend *resolve_blend;
   void *clear_shader; /* FS that writes a constant */
   bool blitting;
   bool noop;      /* nothing is drawn, cleared, blitted or dispatched (INTEL_blackhole_render) */
   bool rect_draw; /* positions are pixels: no clipping, no cut at the viewport */

   uint64_t dirty;                 /* enum atoll_atom */
   unsigned flush;                 /* enum atoll_flush */
   unsigned stream_start;          /* dwords that this stream begins with */
   unsigned start_dw;              /* of `start`; 0: not known yet */
   uint32_t start[ATOLL_START_DW]; /* what all streams begin with */
   uint64_t last_seq;              /* of this context's last submission */
   uint64_t replaced; /* bytes of textures that got new storage since one was waited for */
   uint32_t resets_seen, guilt_seen; /* by get_device_reset_status() */
   uint32_t guilt_said;              /* resets of which a debug message told, */
   uint32_t order_said;              /* the last that the stream has, of screen->orders; 0: none */
   uint32_t findings_said;           /* and findings of the sanitizer for shaders */
   uint32_t presents_seen;           /* of the screen, when targets were last looked at */

   /* Bound state. */
   struct pipe_framebuffer_state fb;
   struct atoll_blend *blend;
   struct atoll_dsa *dsa;
   struct atoll_rasterizer *rs;
   struct atoll_vertex_elements *elements;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_clip_state clip;
   struct pipe_viewport_state viewports[ATOLL_MAX_VIEWPORTS];
   struct pipe_scissor_state scissors[ATOLL_MAX_VIEWPORTS];
   unsigned num_window_rects;
   bool window_rects_include;
   struct pipe_scissor_state window_rects[4];
   struct pipe_poly_stipple stipple;
   unsigned sample_mask, min_samples;
   unsigned samples;       /* of the framebuffer, at least 1 */
   unsigned num_locations; /* the program's own positions of samples; 0: none */
   int8_t locations[16];   /* x, y of each in 1/16 pixel from the centre */
   int view;               /* layer of the targets that the draw goes to, -1: all that they have */
   struct pipe_vertex_buffer vbs[ATOLL_MAX_VBS];
   uint32_t vb_mask;
   struct atoll_constants constants[ATOLL_STAGES];
   /* Which of the constants and vertices that were emitted are copies, after so many writes. */
   uint32_t copied[ATOLL_STAGES], copied_vertices;
   uint32_t copy_writes[ATOLL_STAGES][ATOLL_MAX_CONST], copy_vertices_writes[ATOLL_MAX_VBS];
   struct atoll_textures textures[ATOLL_STAGES];
   struct atoll_memory memory[ATOLL_STAGES];
   struct atoll_shader *shaders[ATOLL_STAGES];
   struct atoll_variant *variants[ATOLL_STAGES]; /* of the draw; NULL: the stage is not used */
   uint64_t vertices;                            /* of the draw at hand */
   uint32_t small_draws;  /* of few vertices and with other uniforms, of this submission */
   uint32_t new_uniforms; /* stages, a bit each, that have got other ones, */
   uint32_t loaded[ATOLL_STAGES][ATOLL_MAX_LOADED]; /* and of what their values were made */
   /* That variants were selected for these shaders and for what else decides (select.c). */
   bool is_selected;
   struct atoll_selection {
      uint32_t prim, deletions, limited[2];
      bool makes_values;
   } selected;
   struct atoll_variant *hw_vs; /* what runs as the hardware's VS, before the rasteriser */
   uint32_t deletions;          /* of CSOs, on all contexts, when this one last looked */

   /* What the hardware was told, where that is cheaper to compare than to emit. */
   bool draws_points; /* the next draw rasterises points */
   uint32_t last_prim, last_index_offset, last_start_instance, last_index_type;
   uint32_t last_restart, last_restart_index, last_num_instances;
   uint32_t start_instance; /* of the draw at hand */
   bool draw_state_known;
   uint32_t textures_emitted[ATOLL_STAGES]; /* by enum atoll_slot: what this stream has filled */
   bool no_memory; /* some was lacking, and a reset is not told yet (no_memory.c) */
   struct atoll_sampler_view spare_view;
   struct atoll_surface spare_surface;
   bool ended_feedback;     /* work of this context on the processor was cut short (feedback.c) */
   bool counters_in_memory; /* of the draw that variants are being chosen for */
   uint64_t drv_va[ATOLL_STAGES]; /* driver constants last uploaded, 0 if none */
   uint32_t drv_draw[6];

   /* Tessellation. */
   unsigned patch_vertices;
   float tess_outer[4], tess_inner[2]; /* levels without a control shader */
   struct atoll_passthrough *passthroughs;

   /* Streamout. */
   struct atoll_so_target *so_targets[ATOLL_SO_BUFFERS];
   unsigned num_so_targets;
   unsigned so_append; /* buffers that go on where they ended */
   bool so_begun;

   /* Queries. */
   struct list_head active_queries;
   unsigned num_occlusion, num_prims_generated;
   bool queries_suspended, queries_disabled;
   struct atoll_query *cond_query;
   bool cond_cond;
   enum pipe_render_cond_flag cond_mode;
   bool cond_forced_off;
};

static inline struct atoll_context *
atoll_context(struct pipe_context *pipe)
{
   return (struct atoll_context *)pipe;
}

/** The last shader before the rasteriser: its outputs are rasterised and captured. */
static inline struct atoll_shader *
atoll_last_vertex_shader(const struct atoll_context *ctx)
{
   return ctx->shaders[ATOLL_GS]    ? ctx->shaders[ATOLL_GS]
          : ctx->shaders[ATOLL_TES] ? ctx->shaders[ATOLL_TES]
                                    : ctx->shaders[ATOLL_VS];
}

static inline void
atoll_dirty(struct atoll_context *ctx, enum atoll_atom atom)
{
   ctx->dirty |= ATOM_BIT(atom);
}

/* ---- Packets ---- */

static inline void
emit_config_reg(struct atoll_cs *cs, uint32_t reg, uint32_t value)
{
   atoll_emit(cs, pm4_header(PM4_SET_CONFIG_REG, 2, false));
   atoll_emit(cs, (reg - CAYMAN_CONFIG_BASE) >> 2);
   atoll_emit(cs, value);
}
/** Header of `count` context registers from `reg` on; their values follow. */
static inline void
emit_context_seq(struct atoll_cs *cs, uint32_t reg, unsigned count)
{
   atoll_emit(cs, pm4_header(PM4_SET_CONTEXT_REG, count + 1, false) | cs->header_bits);
   atoll_emit(cs, (reg - CAYMAN_CONTEXT_BASE) >> 2);
}
static inline void
emit_context_reg(struct atoll_cs *cs, uint32_t reg, uint32_t value)
{
   emit_context_seq(cs, reg, 1);
   atoll_emit(cs, value);
}
static inline void
emit_ctl_const(struct atoll_cs *cs, uint32_t reg, uint32_t value)
{
   atoll_emit(cs, pm4_header(PM4_SET_CTL_CONST, 2, false));
   atoll_emit(cs, (reg - CAYMAN_CTL_CONST_BASE) >> 2);
   atoll_emit(cs, value);
}
static inline void
emit_event(struct atoll_cs *cs, enum cayman_event event, enum cayman_event_index index)
{
   atoll_emit(cs, pm4_header(PM4_EVENT_WRITE, 1, false));
   atoll_emit(cs, pm4_event(event, index));
}

/* context.c */
/** Makes room for `dw` dwords, submitting what is there if need be. */
void atoll_need_space(struct atoll_context *ctx, unsigned dw);
/** Submits the stream and starts a new one. Returns its sequence number. */
uint64_t atoll_flush(struct atoll_context *ctx);
/** The same, and waits for it; the caller's thread executes it, none is woken. */
void atoll_flush_and_wait(struct atoll_context *ctx);
/* present.c */
/** Before the bound targets are drawn to for the first time since one was presented or bound:
 * `cleared`, PIPE_CLEAR_COLOR bits of those that this clears. */
void atoll_look_at_targets(struct atoll_context *ctx, unsigned cleared);
/** Whether that is due. */
static inline bool
atoll_targets_may_have_turned(const struct atoll_context *ctx)
{
   return ctx->presents_seen != p_atomic_read(&ctx->screen->presents);
}
/* emit.c */
void atoll_emit_start(struct atoll_context *ctx);
/** Emits what is dirty of the atoms in `mask`. */
void atoll_emit_atoms(struct atoll_context *ctx, uint64_t mask);
void atoll_emit_flush(struct atoll_context *ctx);
void atoll_emit_order(struct atoll_context *ctx);
/** Where sample `index` of `samples` lies in its pixel, in 0..1: usually (ctx is NULL), or in what
 * the context draws. */
void atoll_sample_position(const struct atoll_context *ctx, unsigned samples, unsigned index,
                           float out[2]);
void atoll_emit_constant_buffer(struct atoll_context *ctx, enum atoll_stage stage, unsigned index,
                                struct atoll_bo *bo, uint64_t va, unsigned size);
/* state.c, view.c, transfer.c, blit.c, query.c, streamout.c, draw.c */
/** PIPE_SHADER_* to enum atoll_stage, -1 if there is none. */
int atoll_stage_of(enum pipe_shader_type shader);
void atoll_init_state(struct atoll_context *ctx);
void atoll_init_views(struct atoll_context *ctx);
void atoll_init_transfer(struct atoll_context *ctx);
void atoll_init_blit(struct atoll_context *ctx);
void atoll_init_query(struct atoll_context *ctx);
void atoll_init_streamout(struct atoll_context *ctx);
void atoll_init_draw(struct atoll_context *ctx);
void atoll_init_shaders(struct atoll_context *ctx);
void atoll_init_compute(struct atoll_context *ctx);
void atoll_init_uavs(struct atoll_context *ctx);
void atoll_finish_uavs(struct atoll_context *ctx);
/* counters.c */
/** Gives a context, or what wraps it, the call that binds buffers of atomic counters. */
void atoll_init_counters(struct pipe_context *pipe);
/** Whether the programs of a draw or dispatch reach the memory of counters in another way, too. */
bool atoll_counters_in_memory(const struct atoll_context *ctx, bool compute);
/** Copies buffers of counters to global data before a draw or dispatch.  False: there are none. */
bool atoll_load_counters(struct atoll_context *ctx, bool compute);
/** Copies them back after it, when its waves have ended. */
void atoll_store_counters(struct atoll_context *ctx, bool compute);
/** Of a buffer; shaders do not reach what follows them. */
#define ATOLL_MAX_TEXELS (1u << 27)

/** Words of a buffer's texels. */
void atoll_buffer_words(uint32_t words[8], const struct atoll_resource *res,
                        enum pipe_format format, const uint8_t swizzle[4], unsigned offset,
                        unsigned size);
/** The same for `elements` elements at an address that the caller fills in; false: the format
 * cannot be fetched. */
bool atoll_element_words(uint32_t words[8], enum pipe_format format, const uint8_t swizzle[4],
                         unsigned elements);
/* fetch.c */
void *atoll_create_vertex_elements(struct pipe_context *pipe, unsigned count,
                                   const struct pipe_vertex_element *elements);
void atoll_delete_vertex_elements(struct pipe_context *pipe, void *state);
/* transfer.c */
/** Replaces the storage of `dst` by that of `src`, and tells the hardware where it is bound. */
void atoll_replace_buffer(struct pipe_context *pipe, struct pipe_resource *dst,
                          struct pipe_resource *src, unsigned num_rebinds, uint32_t rebind_mask,
                          uint32_t delete_buffer_id);
bool atoll_is_resource_busy(struct pipe_screen *screen, struct pipe_resource *resource,
                            unsigned usage);
/* query.c */
void atoll_suspend_queries(struct atoll_context *ctx);
void atoll_resume_queries(struct atoll_context *ctx);
/** Whether draws are subject to predication now. */
bool atoll_predicated(const struct atoll_context *ctx);
void atoll_emit_predication(struct atoll_context *ctx);
/* tess.c */
void atoll_init_tess(struct atoll_context *ctx);
/** Frees the control shaders that stand in for one of the program's. */
void atoll_free_passthroughs(struct atoll_context *ctx);
/** The bound control shader, or one of our own; NULL: no memory. */
struct atoll_shader *atoll_control_shader(struct atoll_context *ctx);
/** The stages of patches, or their numbers, have changed. */
void atoll_dirty_patches(struct atoll_context *ctx);
/** Whether a patch of the draw has room in local data. */
bool atoll_fits_patches(struct atoll_context *ctx);
/** What an evaluation shader's vertices make: points, lines or triangles. */
unsigned atoll_tessellated_prim(const struct atoll_shader *tes);
void atoll_fill_tess_constants(const struct atoll_context *ctx, enum atoll_stage stage,
                               uint32_t *c);
/* streamout.c */
void atoll_streamout_begin(struct atoll_context *ctx);
void atoll_streamout_end(struct atoll_context *ctx);
/* view.c */
/** Puts a texture's addresses into its view's words, if it has moved. */
void atoll_update_view(struct atoll_sampler_view *view);
/** Says that `ctx` may know where a texture lies. */
void atoll_add_user(struct atoll_context *ctx, struct atoll_resource *res);
/** The descriptor by which a program reads a target, as `format`. */
void atoll_target_words(uint32_t words[8], const struct pipe_surface *surface,
                        enum pipe_format format);
/** That by which a program reads an image, no buffer: by x, y and, if it is `layered`, layer or
 * slice. */
void atoll_image_words(uint32_t words[8], const struct pipe_image_view *image, bool layered);
/* uav.c */
/** Makes the buffer of results if a program asks for it; false: no memory. */
bool atoll_reserve_returns(struct atoll_screen *screen, const struct atoll_variant *v);
/** What a program may ask of its UAVs' sizes, in the driver's constants. */
void atoll_fill_uav_sizes(const struct atoll_context *ctx, enum atoll_stage stage,
                          uint32_t *constants);
/* draw_copies.c */
/** Whether the processor may write a buffer now, which then nothing uses. */
bool atoll_writes_at_once(struct atoll_context *ctx, struct atoll_resource *res);
/** Says that it wrote one. */
void atoll_was_written(struct atoll_resource *res);
/** Copies between buffers, offsets and size in bytes and in range, where that may be done now. */
bool atoll_copy_at_once(struct atoll_context *ctx, struct atoll_resource *dst, uint64_t dst_offset,
                        struct atoll_resource *src, uint64_t src_offset, uint64_t size);
/**
 * A copy of `size` bytes of a buffer from `offset` for draws of this stream, and `excess` zeros: a
 * reference of the caller's, and its own offset. NULL, and `offset` stays: they read the buffer.
 */
struct pipe_resource *atoll_copy_for_draw(struct atoll_context *ctx, struct pipe_resource *buffer,
                                          unsigned *offset, uint64_t size, unsigned excess);
/** Makes what is emitted of the stages dirty of which draws of the stream have an old copy. */
void atoll_look_at_copies(struct atoll_context *ctx, unsigned stages);
/* draw.c */
/** Uploads and binds the driver's constants where they changed; `draw` is of the draw or dispatch.
 */
void atoll_update_driver_constants(struct atoll_context *ctx, enum atoll_stage stage,
                                   const uint32_t draw[6]);
/** Says in the debug output that a draw is not done. */
void atoll_leave_out(struct atoll_context *ctx, const char *why);
/** Draws `prim`: an enum mesa_prim or ATOLL_PRIM_RECTLIST. */
void atoll_draw(struct atoll_context *ctx, const struct pipe_draw_info *info,
                unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws, unsigned prim);
/* adjacency.c */
/** Draws strips of triangles with adjacency as lists. */
void atoll_draw_strip_adjacency(struct atoll_context *ctx, const struct pipe_draw_info *info,
                                unsigned drawid_offset,
                                const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
/* blit.c */
void atoll_init_blitter(struct atoll_context *ctx);
/** Saves what u_blitter changes. */
void atoll_blitter_begin(struct atoll_context *ctx, unsigned ops);
void atoll_blitter_end(struct atoll_context *ctx);
/** Of the driver's own, whatever the program has switched off. */
void atoll_blit(struct atoll_context *ctx, const struct pipe_blit_info *info);

#endif
