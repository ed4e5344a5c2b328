/* SPDX-License-Identifier: MIT */
/*
 * Shaders: what a CSO keeps, its variants, and what the rest of the driver needs to know of one.
 *
 * A CSO can be used by several contexts at once. It holds the NIR, made final beside the program
 * or at its first use, and a list of variants by key, which grows under a lock and is never
 * shortened before the CSO dies.
 */
#ifndef ATOLL_SHADER_H
#define ATOLL_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/simple_mtx.h"
#include "util/u_queue.h"

#include <atoll/cayman/registers.h>

#include "compiler/nir/nir_to_il.h"
#include "compiler/shader.h"
#include "il/conventions.h"

#include "backend.h"

struct atoll_bo;
struct atoll_context;
struct atoll_screen;
struct blob;
struct nir_shader;
struct nir_shader_compiler_options;
struct util_debug_callback;

/** What a variant depends on beside its CSO. All of it becomes NIR or a declaration in the IL. */
struct atoll_key {
   uint8_t poly_stipple : 1;   /* PS */
   uint8_t point_smooth : 1;   /* PS, drawing points */
   uint8_t line_smooth : 1;    /* PS, drawing lines */
   uint8_t poly_smooth : 1;    /* PS, drawing polygons */
   uint8_t alpha_to_one : 1;   /* PS */
   uint8_t alpha_dither : 1;   /* PS: see alpha_samples */
   uint8_t own_sample : 1;     /* PS, run for each sample: the coverage is that sample's alone */
   uint8_t no_samples : 1;     /* PS: multisampling is off */
   uint8_t edge_flags : 1;     /* VS: polygon mode is not fill */
   uint8_t as_es : 1;          /* VS, TES: outputs go to the geometry shader */
   uint8_t target_samples : 1; /* PS that reads targets: they have several samples, */
   uint8_t target_layers : 1;  /* or layers */
   uint8_t primitive_id : 1;   /* VS, TES: the pixel shader reads the primitive's number */
   uint8_t whole_points : 1;   /* VS, TES, GS, drawing points: their sizes are rounded */
   uint8_t smooth_samples : 1; /* PS that smooths: IL_SMOOTH_SAMPLES are rasterised */
   uint8_t one_source : 1;     /* PS with a second source: blending reads none */
   uint8_t counters_in_memory : 1; /* with atomic counters: see counters.c */
   uint8_t makes_values : 1;       /* VS: the program does what else draw_values.c does */
   uint8_t alpha_samples;          /* PS, alpha is 1: samples that it says the coverage of before */
   uint8_t color_count;            /* PS that writes gl_FragColor, or several colours: targets */
   uint8_t as_ls;                  /* VS: outputs go to the control shader */
   uint8_t tess_domain;            /* TCS: enum tess_primitive_mode */
   uint16_t limited_references;    /* textures, a bit each: what is compared is limited to 0 to 1 */
   uint64_t link_slots; /* ES, LS, TCS: what the next stage reads, a bit per enum il_link */
   uint16_t block[3];   /* CS with groups of variable size: the size of the dispatch */
};

/** One PS input, in SPI order. */
struct atoll_ps_input {
   uint8_t slot; /* enum il_link */
   uint8_t mode; /* enum shader_ps_input_mode */
};

/** What the driver programs the device with; plain data, as the disk cache stores it. All zero: no
 * program. */
struct atoll_program {
   uint8_t num_gprs, stack;
   uint8_t num_params;                /* VS */
   uint8_t num_inputs;                /* PS */
   uint32_t scratch_dw;               /* per lane */
   uint32_t num_icb;                  /* vec4s of immediate constants after the driver's own */
   uint32_t num_steps;                /* that make values of uniforms for it, */
   uint32_t first_value, value_vec4s; /* which lie there in the driver's constants; */
   bool only_values;                  /* nothing else of these is read */
   uint32_t driver_vec4s;             /* that begin these, and may be read; 0: all */
   uint32_t num_dwords;
   uint32_t const_buffers, const_buffers_fetch; /* by IL's numbers */

   /* VS */
   uint8_t param_slot[32];
   uint32_t pa_cl_vs_out_cntl; /* less the enables of single distances */
   uint8_t clip_mask, cull_mask;
   bool window_space;
   bool streamout;
   uint16_t so_stream_buffers; /* bit 4 s + b: stream s goes to buffer b */
   uint16_t so_stride[4];      /* dwords */
   bool uses_primitive_id;     /* also GS */

   uint64_t input_slots; /* GS, TCS, TES: a bit per enum il_link */

   /* TCS */
   uint16_t input_bytes, output_bytes; /* of a control point */
   uint16_t patch_bytes;               /* of the patch's own outputs */
   uint8_t output_points;

   /* GS */
   uint16_t esgs_item_dw;    /* of one input vertex in the ring */
   uint16_t gsvs_item_dw[4]; /* of one output vertex of each stream */
   uint16_t max_vertices;
   uint8_t invocations;

   /* PS */
   struct atoll_ps_input inputs[32];
   uint32_t spi_in_control_0, spi_in_control_1, spi_baryc_cntl, spi_input_z;
   uint32_t exports_ps, shader_mask, db_shader_control;
   bool per_sample;

   /* memory that is written, by IL's numbers */
   struct atoll_nir_uavs uavs;
   uint64_t uavs_rat;    /* written or operated on */
   uint64_t uavs_fetch;  /* read as buffers or textures */
   uint64_t uavs_return; /* operations have results */
   bool writes_memory;   /* these, or counters in global data */
   struct atoll_nir_counters counters;

   /* CS */
   uint16_t block[3];
   uint32_t lds_dw;

   char statistics[SHADER_DESCRIPTION_MAX]; /* shader-db's line */
};

struct atoll_variant {
   struct atoll_variant *next;
   struct atoll_key key;
   uint32_t id;
   struct atoll_bo *bo; /* machine code, NULL: compilation failed, or not uploaded yet */
   struct atoll_program p;
   uint32_t *words;                /* p.num_dwords until the code is uploaded, then NULL */
   uint32_t *icb;                  /* p.num_icb vec4s */
   struct atoll_value_step *steps; /* p.num_steps */
   struct atoll_variant *copy;     /* GS: the program that runs as the hardware's VS */
   void *notes;                    /* notes_bytes, until the code is uploaded, or NULL */
   size_t notes_bytes;
   char *why; /* atomic, malloc()ed: why there is none; set once */
};

/** Whether more samples are rasterised for a PS variant than the framebuffer has: it makes alpha of
 * those that smooth lines or polygons cover, or gets all pixels that a smooth point touches.  NULL:
 * no. */
static inline bool
atoll_smooths(const struct atoll_variant *v)
{
   return v && v->key.smooth_samples;
}

/** Whether the hardware's VS writes a viewport's number; NULL: no. */
static inline bool
atoll_chooses_viewport(const struct atoll_variant *v)
{
   return v && (v->p.pa_cl_vs_out_cntl & REG_FIELD_MASK(PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX));
}

struct atoll_shader {
   struct atoll_screen *screen;
   struct atoll_winsys *ws; /* of the context that created it */
   unsigned stage;          /* enum pipe_shader_type */
   struct nir_shader *nir;
   struct pipe_stream_output_info so;
   uint8_t hash[32]; /* of the final NIR and streamout, if cacheable */
   bool cacheable;
   struct atoll_nir_uavs uavs;         /* storage buffers and images, */
   struct atoll_nir_counters counters; /* and atomic counters */
   uint16_t compares;       /* textures that are looked up with a comparison, a bit each */
   bool counts_colors;      /* PS: gl_FragColor, or colours after the first */
   bool writes_second;      /* PS: a second source of blending */
   uint8_t num_colors;      /* PS: the highest colour that it writes + 1; 1 of gl_FragColor */
   bool reads_samples;      /* PS: the sample's number or position, or the coverage */
   bool reads_coverage;     /* PS */
   uint16_t reads_targets;  /* PS: bit per enum gl_frag_result */
   bool reads_primitive_id; /* PS */
   bool writes_edge_flag;   /* VS */
   bool variable_groups;    /* CS: a dispatch gives its groups' size */
   uint8_t output_prim;     /* GS: enum mesa_prim */
   uint8_t tess_domain;     /* TES: enum tess_primitive_mode */
   struct util_queue_fence queued; /* it waits for the screen's compilations, or is with them */
   simple_mtx_t lock;
   bool makes_values; /* VS, atomic: its draws are many and small (draw.c) */
   bool begun;        /* somebody makes it final */
   bool final;        /* the NIR, and all above that is gathered from it */
   struct atoll_variant *variants;
};

/** Whether a PS reads depth or stencil as they were. */
bool atoll_reads_depth_stencil(const struct atoll_shader *ps);

/** A primitive type beside enum mesa_prim: three corners of a rectangle. */
#define ATOLL_PRIM_RECTLIST 31

/** What NIR for the device's instruction set has to look like. */
const struct nir_shader_compiler_options *
atoll_screen_nir_options(const struct atoll_screen *screen);
/** Whether a CSO can be used without a wait. From any thread. */
bool atoll_is_final(const struct atoll_shader *shader);
/** Makes what a CSO holds final, if nobody has; waits for whoever is about it. From any thread. In
 * a forked child it does nothing. */
void atoll_finish_shader(struct atoll_shader *shader, struct util_debug_callback *debug);
/** The same for whoever does not need the CSO: what another thread is about stays with it. */
void atoll_begin_shader(struct atoll_shader *shader);
/** The variant for `key`, compiled and uploaded if need be; `bo` is NULL if that failed. From any
 * thread. */
struct atoll_variant *atoll_get_variant(struct atoll_shader *shader, const struct atoll_key *key,
                                        struct util_debug_callback *debug);
/** Says in the debug output that what `shader` (or NULL) is bound for is not done, and why its
 * variant `v` (or NULL: memory is out) has no program. */
void atoll_report_left_out(struct atoll_context *ctx, const struct atoll_shader *shader,
                           const struct atoll_variant *v);
/** A CSO, of NIR that it owns from then on, or NULL without memory; nothing of it is made. */
struct atoll_shader *atoll_new_shader(struct atoll_screen *screen, struct atoll_winsys *ws,
                                      unsigned stage, struct nir_shader *nir);
/** Frees a CSO that no context has bound, or ever had. */
void atoll_free_shader(struct atoll_shader *shader);
/** Compiles a CSO as it most likely will be used. NULL, or a line for the program's info log,
 * malloc()ed: there is no program, and why. */
char *atoll_try_shader(struct atoll_shader *shader);
/** Before a draw or a dispatch: of what other contexts deleted nothing is current any more. */
void atoll_forget_deleted(struct atoll_context *ctx);
/* link.c */
void atoll_init_links(struct atoll_screen *screen);
void atoll_finish_links(struct atoll_screen *screen);
/** Whether a program for it is more than a small one, so that there may be none. */
bool atoll_may_be_refused(const struct atoll_screen *screen, const struct nir_shader *nir);
/** The CSO that was made of a shader's NIR when it was linked, or NULL. The NIR is freed then. */
struct atoll_shader *atoll_take_linked(struct atoll_screen *screen, struct atoll_winsys *ws,
                                       const struct pipe_shader_state *state);
/* compilations.c */
void atoll_init_compilations(struct atoll_screen *screen);
/** Compiles a program and drops it, so that what compilations touch is in memory. */
void atoll_warm_compiler(struct atoll_screen *screen);
void atoll_finish_compilations(struct atoll_screen *screen);
/** Has a thread make the CSO final; false: there is none. */
bool atoll_compile_aside(struct atoll_screen *screen, struct atoll_shader *shader);
/** No thread has to do with the CSO any more; false: in a forked child, and nobody knows how far
 * one got, so that nothing of it may be freed. */
bool atoll_drop_compilation(struct atoll_shader *shader);
/* heap.c */
/** Asks for memory that compilers are going to take. */
void atoll_reserve_heap(void);
/** Takes memory for the next program, where a thread has been given one to compile. */
void atoll_reserve_ahead(struct atoll_screen *screen);
/** Touches that and gives it back, unless something waits to be compiled. From any thread. */
void atoll_touch_ahead(struct atoll_screen *screen);
/* entry.c */
#define ATOLL_ENTRY_NAME 20 /* bytes, a cache_key */
/** Whether all counts are within their bounds. */
bool atoll_is_program(const struct atoll_program *p);
/** Copies of a program's words and constants, until it is uploaded. */
bool atoll_keep_code(struct atoll_variant *v, const uint32_t *words, const uint32_t *icb,
                     const struct atoll_value_step *steps);
/** A variant's program, and its copy shader's if it has one, as an entry of the disk cache. */
void atoll_write_entry(struct blob *blob, const uint8_t name[ATOLL_ENTRY_NAME],
                       const struct atoll_variant *v);
/** The same back into `v`. False: the bytes are no entry of that name; nothing is kept of them. */
bool atoll_read_entry(const void *data, size_t size, const uint8_t name[ATOLL_ENTRY_NAME],
                      struct atoll_variant *v);
/* program.c */
void atoll_fill_program(struct atoll_program *p, const struct atoll_backend *backend,
                        const struct shader_code *s, const struct nir_shader *nir,
                        const struct atoll_key *key);
/* select.c */
/** Chooses the variants of the bound shaders for a draw of `prim`; false: nothing can be drawn. */
bool atoll_update_shaders(struct atoll_context *ctx, unsigned prim);
void atoll_init_screen_shaders(struct atoll_screen *screen);
/** In a forked child, what the parent's threads did for the screen: with threads of the child's. */
void atoll_restart_screen_shaders(struct atoll_screen *screen);
void atoll_finish_screen_shaders(struct atoll_screen *screen);

#endif
