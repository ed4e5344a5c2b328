/* SPDX-License-Identifier: MIT */
/*
 * What a back end makes of an IL program: machine words, and what a driver needs to program the
 * device around them.  The same for all instruction sets; what only one of them has says so.
 *
 * A back end is a struct shader_compiler.  It knows no Mesa and no device.
 */
#ifndef SHADER_H
#define SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct il_program;
struct il_target_caps;

/* The hardware's stages.  A vertex program is a VS, or an ES in front of a geometry shader (IL's
 * dcl_x_stage says which), or an LS in front of a hull shader, which is an HS; a domain program is
 * a VS or ES; a geometry program is a GS, and its copy shader a VS.  A compute program runs as an
 * LS. */
enum shader_stage {
   SHADER_STAGE_VS,
   SHADER_STAGE_PS,
   SHADER_STAGE_ES,
   SHADER_STAGE_GS,
   SHADER_STAGE_CS,
   SHADER_STAGE_LS,
   SHADER_STAGE_HS,
};

/* Barycentric pairs of a pixel shader, in the order in which the hardware loads them: pair n in GPR
 * n / 2, channels xy or zw. */
enum shader_bary {
   SHADER_BARY_PERSP_SAMPLE,
   SHADER_BARY_PERSP_CENTER,
   SHADER_BARY_PERSP_CENTROID,
   SHADER_BARY_LINEAR_SAMPLE,
   SHADER_BARY_LINEAR_CENTER,
   SHADER_BARY_LINEAR_CENTROID,
   SHADER_BARY_COUNT,
};

/* How SPI_PS_INPUT_CNTL_n is to treat a parameter. */
enum shader_ps_input_mode {
   SHADER_INPUT_SMOOTH, /* never flat */
   SHADER_INPUT_FLAT,
   SHADER_INPUT_COLOR, /* flat if the rasteriser's shade model is */
};

struct shader_ps_input {
   uint8_t slot; /* IL_LINK_* */
   uint8_t mode; /* enum shader_ps_input_mode */
};

#define SHADER_NO_PLACE UINT32_MAX

/* Immediate constants (IL icb[]) are read from the driver's constant buffer (15), from this vec4
 * on: the driver appends shader_code.icb there. */
#define SHADER_ICB_FIRST_VEC4 84

struct shader_code {
   uint32_t *words; /* malloc()ed; freed by shader_code_finish() */
   unsigned num_dwords;
   /* malloc()ed, num_dwords / 2: the instruction of the IL program (its index) that each 64 bits
    * were made for; SHADER_NO_PLACE: literals and padding. */
   uint32_t *places;

   char *ir; /* malloc()ed text, or NULL: see SHADER_COMPILE_PRINT_IR */

   enum shader_stage stage;
   unsigned num_gprs;   /* SQ_PGM_RESOURCES.NUM_GPRS, clause temporaries not counted.  A vertex
                         * shader's must also cover what the fetch shader writes: the driver takes
                         * the larger of this and 1 + the number of elements. */
   unsigned stack_size; /* SQ_PGM_RESOURCES.STACK_SIZE, in entries */

   /* numbers of shader-db's line */
   unsigned num_alu_groups, num_cf, num_loops;
   /* more numbers for people */
   unsigned num_alu_slots, num_clauses, num_fetches, num_spilled;

   /* resources */
   uint32_t const_buffers;       /* bit n: kcache bank n is read */
   uint32_t const_buffers_fetch; /* bit n: constant buffer n is read as resource n */
   uint32_t driver_vec4; /* the first vec4 of the driver's constants that bank IL_DRIVER_CB gives;
                          * 0 where that is not known */
   uint32_t driver_end;  /* one more than the last; 0: the same, or none */
   uint32_t textures;    /* bit n: resource CAYMAN_RESOURCE_TEXTURE + n */
   uint32_t samplers;
   unsigned scratch_vec4s; /* per lane; ring item size = 4 dwords * this */
   uint64_t uavs;          /* bit n: RAT n is written or operated on */
   uint64_t uavs_fetch;    /* bit n: UAV n is read as resource CAYMAN_RESOURCE_UAV + n */
   uint64_t uavs_return;   /* bit n: resource CAYMAN_RESOURCE_UAV_RETURN + n is read */
   bool uses_gds;          /* append counters (dword n of GDS: of UAV n) or global data */
   uint32_t *icb;          /* malloc()ed, num_icb vec4s; see SHADER_ICB_FIRST_VEC4 */
   unsigned num_icb;

   /* vertex shader (VS, ES; of a copy shader: all but the inputs) */
   struct {
      uint32_t inputs;        /* bit i: vertex element i is read */
      uint8_t input_mask[32]; /* its components */
      bool uses_vertex_id, uses_instance_id, uses_primitive_id;
      unsigned num_params;    /* at least 1 */
      uint8_t param_slot[32]; /* IL_LINK_* of parameter n; 0xff: a dummy that nothing reads */
      uint8_t pos_exports;    /* bit n: POSn is exported */
      bool writes_point_size, writes_edge_flag, writes_layer, writes_viewport; /* in POS1 x y z w */
      uint8_t clip_dist, cull_dist; /* bit n: distance n is written */
      /* clip and cull distances are exported as POS vectors after POS0 (and POS1 if any of the
       * above): distances 0-3 (clip or cull) and then 4-7; SQ sees them as CCDIST0 and CCDIST1. */
      bool ccdist0, ccdist1;
      bool streamout;
      uint8_t streamout_buffers;    /* bit n: buffer n is written */
      uint16_t streamout_stride[4]; /* dwords */
      uint16_t stream_buffers;      /* bit 4 s + b: stream s goes to buffer b */
   } vs;

   /* Geometry shader.  A vertex in the ESGS ring holds one vec4 for each link slot that the
    * geometry shader reads, in the order of slots: `input_slots` is what the ES must be told
    * (atoll_nir_key.link_slots). */
   struct {
      uint64_t input_slots;      /* bit per IL_LINK_* */
      unsigned input_dwords;     /* of one ESGS vertex: SQ_ESGS_RING_ITEMSIZE; at least 4 */
      unsigned vertex_dwords[4]; /* of one vertex of a stream: SQ_GS_VERT_ITEMSIZE_n; 0: not used.
                                  * SQ_GSVS_RING_ITEMSIZE is their sum times max_vertices, the
                                  * rings of the streams begin at the partial sums. */
      unsigned max_vertices, invocations;
      uint8_t input_prim;  /* enum il_topology */
      uint8_t output_prim; /* enum il_output_topology */
      bool uses_primitive_id;
   } gs;

   /* Tessellation.  A hull or domain shader tells which link slots it reads of a control point
    * (`input_slots`); the stage in front of it is told (dcl_x_link_slots).  Local data of a patch
    * is input_points * input_bytes of HS, then, from IL_DRV_TESS.x on, patch_bytes and
    * output_points * (output_bytes + own_bytes) of HS.  One patch a work group. */
   struct {
      bool domain_shader;    /* compiled from il_ds: a VS or ES without a fetch shader */
      uint64_t input_slots;  /* bit per IL_LINK_* */
      unsigned input_bytes;  /* of one input control point */
      unsigned output_bytes; /* of one output control point; LS: of one vertex */
      unsigned own_bytes;    /* of what HS alone reads of one; follows all the others */
      unsigned patch_bytes;  /* of the patch's own outputs */
      unsigned input_points; /* 0: whatever the draw has */
      unsigned output_points;
      uint8_t domain;      /* enum il_ts_domain */
      uint8_t partition;   /* enum il_ts_partition */
      uint8_t output_prim; /* enum il_ts_output */
      uint32_t max_factor; /* bits of a float; 0: not declared */
   } tess;

   /* pixel shader */
   struct {
      unsigned num_inputs; /* parameters: SPI_PS_INPUT_CNTL_0.. and NUM_INTERP, may be 0 */
      struct shader_ps_input input[32];
      uint8_t bary;        /* bit per enum shader_bary that must be loaded; never 0 */
      int8_t position_gpr; /* -1: not needed */
      int8_t face_gpr;     /* x: front face (sign), z: sample coverage; -1 */
      int8_t fixed_pt_gpr; /* w: sample index; -1 */
      bool per_sample;     /* uses the sample index or sample interpolation */
      uint32_t color_mask; /* bits 4n+3:4n: components of colour n that are written */
      unsigned num_colors; /* highest exported colour + 1 */
      bool exports_z, exports_stencil, exports_mask;
      bool kills;
      bool early_depth; /* IL asks for forced early depth and stencil */
   } ps;

   /* compute shader: R0.xyz is the thread in its group, R1.xyz the group */
   struct {
      uint16_t block[3];   /* threads of a group */
      unsigned lds_dwords; /* SQ_LDS_ALLOC */
      bool uses_barrier;
      bool uses_grid; /* reads the number of groups from the driver's constants */
   } cs;
};

/* Flags of shader_compiler.compile(). */
enum shader_compile_flags {
   SHADER_COMPILE_NO_OPT = 1 << 0,   /* no optional rewriting: for comparing results */
   SHADER_COMPILE_FEW_GPRS = 1 << 1, /* 18 GPRs, as if there were no more: for testing spills */
   SHADER_COMPILE_PRINT_IR = 1 << 2, /* the compiler's program after each pass, in `ir` */
   SHADER_COMPILE_SCALAR = 1 << 3,   /* ATTILA: in the form of the scalar machine */
   SHADER_COMPILE_SECONDS__SHIFT = 8,
};

/* In the same flags: the seconds of the thread's processor time after which it fails; 0: none. */
#define SHADER_COMPILE_SECONDS(n) \
   (((n) < 0xffffffu ? (unsigned)(n) : 0xffffffu) << SHADER_COMPILE_SECONDS__SHIFT)

/* How far results of an operation of IL's core may be from those that IL has: both NaN, or no more
 * than so many ulps apart (denormals count as zeros), or no more than
 * `absolute`. */
struct shader_bound {
   uint16_t ulps;
   float absolute;
   float range;    /* of operands for which it holds, to both sides of 0; 0: all */
   float least;    /* the least magnitude of operands for which it holds */
   bool magnitude; /* it is the operation on the operand's magnitude */
};

/** Room for what describe() says. */
#define SHADER_DESCRIPTION_MAX 320

/** A back end of IL. */
struct shader_compiler {
   const char *name; /* of the instruction set, as ATOLL_ISA has it */
   const char *text; /* the same for people */
   const struct il_target_caps *caps;
   /** Compiles a program.  True, and fills `out`; or false with a message in `error` ("not
    * implemented: dmul at 12", ...) and an `out` that is empty but for the `ir` that was asked for.
    * Any valid IL program is accepted or refused with a message; nothing in it traps.  Thread safe,
    * no global state; the same program gives the same words. */
   bool (*compile)(const struct il_program *il, unsigned flags, struct shader_code *out,
                   char *error, size_t error_size);
   /** The copy program of a geometry program: the one that reads emitted vertices from the ring of
    * vertices, streams them out and exports those of stream 0.  `il` is the program that the
    * geometry program was compiled from; `out` describes a vertex program. */
   bool (*compile_copy)(const struct il_program *il, unsigned flags, struct shader_code *out,
                        char *error, size_t error_size);
   /** Whether an opcode of the core (il/lower) is computed by other operations than IL's, and then
    * how well; NULL: all have IL's bits. */
   bool (*bound)(unsigned il_op, struct shader_bound *bound);
   /** Does the code keep its instruction set's rules?  False: `error` says which it breaks. */
   bool (*validate)(const struct shader_code *code, char *error, size_t error_size);
   /** What shader-db's line says after the stage. */
   void (*describe)(const struct shader_code *code, char text[SHADER_DESCRIPTION_MAX]);
   /** Prints the words. */
   void (*disassemble)(FILE *file, const uint32_t *words, unsigned num_dwords);
};

/** Frees what compile() allocated; the structure itself is the caller's. */
void shader_code_finish(struct shader_code *code);

#endif /* SHADER_H */
