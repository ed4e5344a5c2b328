/* SPDX-License-Identifier: MIT */
/* AMD IL in memory: programs, instructions, operands; builder and walker.
 *
 * A program is what a stream is (chapter 2): a header and a flat array of instructions in stream
 * order, declarations included, flow control structured (if/else/endif, whileloop/endloop, ...).
 * Control and modifier bits are kept as the stream has them, so that reading and writing give the
 * same bits; accessors below take the fields apart.  What the registers mean for GL is in
 * conventions.h.
 *
 * Everything a program points to lives in its arena and dies with il_program_free().
 */
#ifndef IL_H
#define IL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "enums.def"

/* -------------------------------------------------------------------- names from the tables -- */

enum il_opcode {
#define OP(value, name, ...) IL_OP_##name = value,
#include "opcodes.def"
#undef OP
   IL_OP_LAST = 483,
   IL_OP_X_FIRST = 0x4000,
};

/* The number that Appendix B prints (it forgets MOVA, 72). */
#define IL_OPCODE_DOC(value) ((value) < 72 ? (value) : (value)-1)

enum il_regtype {
#define REG(value, name, ...) IL_REGTYPE_##name = value,
#include "registers.def"
#undef REG
   IL_REGTYPE_LAST = 63,
};

#define X(m, v, t) IL_SHADER_##m = v,
enum il_shader { IL_SHADER_LIST(X) };
#undef X
#define X(m, v, t) IL_LANG_##m = v,
enum il_lang { IL_LANG_LIST(X) };
#undef X
#define X(m, v, t) IL_MATRIX_##m = v,
enum il_matrix { IL_MATRIX_LIST(X) };
#undef X
#define X(m, v, t) IL_DIVCOMP_##m = v,
enum il_divcomp { IL_DIVCOMP_LIST(X) };
#undef X
#define X(m, v, t) IL_ZEROOP_##m = v,
enum il_zeroop { IL_ZEROOP_LIST(X) };
#undef X
#define X(m, v, t) IL_MODCOMP_##m = v,
enum il_modcomp { IL_MODCOMP_LIST(X) };
#undef X
#define X(m, v, t) IL_COMPSEL_##m = v,
enum il_compsel { IL_COMPSEL_LIST(X) };
#undef X
#define X(m, v, t) IL_SHIFT_##m = v,
enum il_shift { IL_SHIFT_LIST(X) };
#undef X
#define X(m, v, t) IL_RELOP_##m = v,
enum il_relop { IL_RELOP_LIST(X) };
#undef X
#define X(m, v, t) IL_DEFVAL_##m = v,
enum il_defval { IL_DEFVAL_LIST(X) };
#undef X
#define X(m, v, t) IL_IMPORTSEL_##m = v,
enum il_importsel { IL_IMPORTSEL_LIST(X) };
#undef X
#define X(m, v, t) IL_IMPORTUSAGE_##m = v,
enum il_importusage { IL_IMPORTUSAGE_LIST(X) };
#undef X
#define X(m, v, t) IL_CMPVAL_##m = v,
enum il_cmpval { IL_CMPVAL_LIST(X) };
#undef X
#define X(m, v, t) IL_USAGE_PIXTEX_##m = v,
enum il_pixtex { IL_USAGE_PIXTEX_LIST(X) };
#undef X
#define X(m, v, t) IL_TEXCOORDMODE_##m = v,
enum il_texcoordmode { IL_TEXCOORDMODE_LIST(X) };
#undef X
#define X(m, v, t) IL_ELEMENTFORMAT_##m = v,
enum il_elementformat { IL_ELEMENTFORMAT_LIST(X) };
#undef X
#define X(m, v, t) IL_TEXSHADOWMODE_##m = v,
enum il_texshadowmode { IL_TEXSHADOWMODE_LIST(X) };
#undef X
#define X(m, v, t) IL_TEXFILTER_##m = v,
enum il_texfilter { IL_TEXFILTER_LIST(X) };
#undef X
#define X(m, v, t) IL_MIPFILTER_##m = v,
enum il_mipfilter { IL_MIPFILTER_LIST(X) };
#undef X
#define X(m, v, t) IL_ANISOFILTER_##m = v,
enum il_anisofilter { IL_ANISOFILTER_LIST(X) };
#undef X
#define X(m, v, t) IL_NOISETYPE_##m = v,
enum il_noisetype { IL_NOISETYPE_LIST(X) };
#undef X
#define X(m, v, t) IL_ADDR_##m = v,
enum il_addressing { IL_ADDR_LIST(X) };
#undef X
#define X(m, v, t) IL_INTERPMODE_##m = v,
enum il_interpmode { IL_INTERPMODE_LIST(X) };
#undef X
#define X(m, v, t) IL_TOPOLOGY_##m = v,
enum il_topology { IL_TOPOLOGY_LIST(X) };
#undef X
#define X(m, v, t) IL_OUTPUT_TOPOLOGY_##m = v,
enum il_output_topology { IL_OUTPUT_TOPOLOGY_LIST(X) };
#undef X
#define X(m, v, t) IL_LDS_SHARING_MODE_##m = v,
enum il_lds_sharing_mode { IL_LDS_SHARING_MODE_LIST(X) };
#undef X
#define X(m, v, t) IL_LOAD_STORE_DATA_SIZE_##m = v,
enum il_load_store_data_size { IL_LOAD_STORE_DATA_SIZE_LIST(X) };
#undef X
#define X(m, v, t) IL_UAV_ACCESS_TYPE_##m = v,
enum il_uav_access_type { IL_UAV_ACCESS_TYPE_LIST(X) };
#undef X
#define X(m, v, t) IL_FIRSTBIT_TYPE_##m = v,
enum il_firstbit_type { IL_FIRSTBIT_TYPE_LIST(X) };
#undef X
#define X(m, v, t) IL_TS_DOMAIN_##m = v,
enum il_ts_domain { IL_TS_DOMAIN_LIST(X) };
#undef X
#define X(m, v, t) IL_TS_PARTITION_##m = v,
enum il_ts_partition { IL_TS_PARTITION_LIST(X) };
#undef X
#define X(m, v, t) IL_TS_OUTPUT_##m = v,
enum il_ts_output { IL_TS_OUTPUT_LIST(X) };
#undef X
#define X(m, v, t) IL_UAV_##m = v,
enum il_uav_read_type { IL_UAV_LIST(X) };
#undef X
#define X(m, v, t) IL_SYSVAL_##m = v,
enum il_sysval { IL_SYSVAL_LIST(X) };
#undef X
#define X(m, v, t) IL_HW_STAGE_##m = v,
enum il_hw_stage { IL_HW_STAGE_LIST(X) };
#undef X
#define X(m, v, t) IL_GLOBAL_FLAG_##m = 1 << v,
enum il_global_flag { IL_GLOBAL_FLAG_LIST(X) };
#undef X
#define X(m, v, t) IL_FENCE_##m = 1 << v,
enum il_fence { IL_FENCE_LIST(X) };
#undef X

/* Layouts of bits 31:16 of the opcode token ("control"); control.def has the fields. */
enum il_ctl {
   IL_CTL_NONE,      /* no field */
   IL_CTL_RELOP,     /* 2:0 il_relop */
   IL_CTL_CMP,       /* 2:0 il_relop, 7:5 il_cmpval */
   IL_CTL_ZEROOP,    /* 1:0 il_zeroop */
   IL_CTL_NRM,       /* 1:0 il_zeroop, 2 nrm4 */
   IL_CTL_IEEE,      /* 0 ieee */
   IL_CTL_FINE,      /* 7 fine */
   IL_CTL_NORMALIZE, /* 0 normalize */
   IL_CTL_ROUND,     /* 0 round */
   IL_CTL_REPEAT,    /* 0 repeat */
   IL_CTL_MATRIX,    /* 2:0 il_matrix */
   IL_CTL_NOISE,     /* 3:0 il_noisetype */
   IL_CTL_FIRSTBIT,  /* 15:0 il_firstbit_type */
   IL_CTL_STAGE,     /* 7:0 stage */
   IL_CTL_KILL,      /* 7:0 stage, 8 sample */
   IL_CTL_PARAM,     /* 7:0 parameter */
   IL_CTL_FENCE,     /* 6:0 il_fence bits */
   IL_CTL_STREAM,    /* 15:0 stream */
   IL_CTL_PHASE,     /* 15:0 instances */
   IL_CTL_COUNT,     /* 13:0 number */
   IL_CTL_DIMS,      /* 13:0 how many sizes follow */
   IL_CTL_SAMPLE, /* 7:0 resource, 11:8 sampler, 12 indexed, 13 address offset, 14/15 modifiers */
   IL_CTL_LOAD,   /* as SAMPLE, no sampler */
   IL_CTL_INFO,   /* 7:0 resource, 8 uint, 12 indexed, 14/15 modifiers */
   IL_CTL_TEXLD,  /* 7:0 stage, 8 centroid, 9 absolute, 11:10 il_texshadowmode, 14/15 modifiers */
   IL_CTL_DCLPT,  /* 7:0 stage, 10:8 il_pixtex, 12:11 il_texcoordmode, 13 cleartype */
   IL_CTL_MEMEXPORT,    /* 5:0 stream, 12:7 element offset */
   IL_CTL_ELEM,         /* 5:0 element */
   IL_CTL_ELEM_DCL,     /* 5:0 element, 15 import dword follows */
   IL_CTL_USAGE,        /* 4:0 il_importusage, 12:5 usage index, 15 import dword follows */
   IL_CTL_IMPORT,       /* 1:0 3:2 5:4 7:6 il_importsel, 8 center, 9 bias, 10 invert, 11 centered */
   IL_CTL_DEFAULT,      /* 1:0 3:2 5:4 7:6 il_defval */
   IL_CTL_DCL_CB,       /* 15 immediate buffer */
   IL_CTL_GLOBAL_FLAGS, /* 3:0 il_global_flag bits */
   IL_CTL_INPUT,  /* 4:0 il_importusage, 7:5 il_interpmode, 8 center, 9 bias, 10 invert, 11 centered
                   */
   IL_CTL_OUTPUT, /* 13:0 il_importusage */
   IL_CTL_TOPOLOGY,     /* 13:0 il_topology */
   IL_CTL_OUT_TOPOLOGY, /* 13:0 il_output_topology */
   IL_CTL_TS_DOMAIN,    /* 15:0 il_ts_domain */
   IL_CTL_TS_PARTITION, /* 15:0 il_ts_partition */
   IL_CTL_TS_OUTPUT,    /* 15:0 il_ts_output */
   IL_CTL_SHARING,      /* 13:0 il_lds_sharing_mode */
   IL_CTL_LDS_READ,     /* 1:0 il_lds_sharing_mode, 2 neighborExch */
   IL_CTL_LDS_WRITE,    /* 1:0 il_lds_sharing_mode, 7:2 lOffset */
   IL_CTL_RESOURCE,     /* 7:0 resource, 11:8 il_pixtex, 15 unnormalised */
   IL_CTL_DCL_UAV,      /* 3:0 id, 7:4 il_elementformat, 13:8 il_pixtex */
   IL_CTL_ID,           /* 13:0 id */
   IL_CTL_LDS_ID,       /* 3:0 id */
   IL_CTL_SRV,          /* 7:0 id, 12 indexed, 15 format dword follows */
   IL_CTL_UAV_RAW,      /* 9:0 id, 11:10 il_uav_read_type, 15 arena */
   IL_CTL_ARENA,     /* 9:0 id, 11:10 il_load_store_data_size, 13:12 il_uav_read_type, 15 atomic */
   IL_CTL_INTERFACE, /* 12:0 id, 13 dynamic */
   IL_CTL_MACRO,     /* 13:0 macro */
   IL_CTL_PREFIX,    /* 3:0 precise components */
   IL_CTL_SYSVAL,    /* 13:0 il_sysval */
   IL_CTL_HW_STAGE,  /* 13:0 il_hw_stage */
   IL_CTL_STREAMOUT, /* 1:0 buffer, 3:2 stream */
   IL_CTL_X_UAV,     /* 9:0 id, 15:10 il_pixtex */
};

/* The dwords after the operands (il_inst.data). */
enum il_data {
   IL_DATA_NONE,
   IL_DATA_WORD,      /* 1 integer */
   IL_DATA_WORD2,     /* 2 integers */
   IL_DATA_FLOAT,     /* 1 float */
   IL_DATA_BOOL,      /* 1, zero or not */
   IL_DATA_LABEL,     /* 1 */
   IL_DATA_FLOAT4,    /* x y z w */
   IL_DATA_BITS4,     /* x y z w, untyped */
   IL_DATA_FORMATS,   /* 1: 22:20 25:23 28:26 31:29 il_elementformat of x y z w */
   IL_DATA_DIMS,      /* as many as the control says (1-3) */
   IL_DATA_STRING,    /* count, then characters, 4 a dword */
   IL_DATA_BLOB,      /* count, then dwords */
   IL_DATA_TABLE,     /* count, then labels */
   IL_DATA_INTERFACE, /* array size, length, count, then table ids */
   IL_DATA_DCL_CB,    /* bit 15 of the control: count, then dwords, instead of the source */
   IL_DATA_MACRODEF,  /* 1: 7:0 inputs, 15:8 outputs, 16 outline; before the operands (none) */
   IL_DATA_MACROCALL, /* 1: 15:0 outputs, 31:16 inputs; before the operands */
};

enum il_type {
   IL_TYPE_NONE,
   IL_TYPE_FLOAT,
   IL_TYPE_INT,
   IL_TYPE_UINT,
   IL_TYPE_BITS,
   IL_TYPE_BOOL,
   IL_TYPE_DOUBLE,
   IL_TYPE_INT64,
   IL_TYPE_UINT64,
};

enum il_category {
   IL_CAT_MISC,
   IL_CAT_FLOAT,
   IL_CAT_FLOW,
   IL_CAT_DECL,
   IL_CAT_IO,
   IL_CAT_INT,
   IL_CAT_CONV,
   IL_CAT_DOUBLE,
   IL_CAT_BIT,
   IL_CAT_LDS,
   IL_CAT_MEMDECL,
   IL_CAT_UAV,
   IL_CAT_SRV,
   IL_CAT_GDS,
   IL_CAT_MEDIA,
   IL_CAT_VIRTUAL,
   IL_CAT_MACRO,
   IL_CAT_PREFIX,
};

enum il_stage_mask {
   IL_STAGE_NONE = 0,
   IL_STAGE_VS = 1 << IL_SHADER_VERTEX,
   IL_STAGE_PS = 1 << IL_SHADER_PIXEL,
   IL_STAGE_GS = 1 << IL_SHADER_GEOMETRY,
   IL_STAGE_CS = 1 << IL_SHADER_COMPUTE,
   IL_STAGE_HS = 1 << IL_SHADER_HULL,
   IL_STAGE_DS = 1 << IL_SHADER_DOMAIN,
   IL_STAGE_ALL = 63,
};

enum il_model { IL_MODEL_ANY, IL_MODEL_SM30, IL_MODEL_SM40 };

/* The components of one source that an instruction reads, counted after the swizzle. */
enum il_part {
   IL_PART_NONE,
   IL_PART_DST,    /* those that it writes */
   IL_PART_FORCED, /* the same, and those that the destination forces to 0 or 1 */
   IL_PART_X,
   IL_PART_XY,
   IL_PART_XYZ,
   IL_PART_Z,
   IL_PART_W,
   IL_PART_ALL,
   IL_PART_COORD, /* as many as its kind of texture has coordinates */
};

/* X(name, part of the first source, of the second, of all later ones) */
#define IL_READS_LIST(X)             \
   X(NONE, NONE, NONE, NONE)         \
   X(DST, DST, DST, DST)             \
   X(FORCED, FORCED, FORCED, FORCED) \
   X(X, X, X, X)                     \
   X(XY, XY, XY, XY)                 \
   X(XYZ, XYZ, XYZ, XYZ)             \
   X(W, W, W, W)                     \
   X(ALL, ALL, ALL, ALL)             \
   X(XY_XY_Z, XY, XY, Z)             \
   X(DST_X, DST, X, X)               \
   X(DST_XY, DST, XY, XY)            \
   X(COORD_X, COORD, X, X)           \
   X(COORD_XY, COORD, XY, XY)        \
   X(COORD_XYZ, COORD, XYZ, XYZ)

#define X(name, ...) IL_READS_##name,
enum il_reads { IL_READS_LIST(X) };
#undef X

/* What an instruction does to the order of execution. */
enum il_flow {
   IL_FLOW_NONE,   /* nothing */
   IL_FLOW_STATIC, /* nothing, nor anything else where it stands: declarations, comments */
   IL_FLOW_IF,
   IL_FLOW_ELSE,
   IL_FLOW_ENDIF,
   IL_FLOW_LOOP,
   IL_FLOW_ENDLOOP,
   IL_FLOW_SWITCH,
   IL_FLOW_LABEL, /* of a switch */
   IL_FLOW_ENDSWITCH,
   IL_FLOW_BREAK,
   IL_FLOW_CONTINUE,
   IL_FLOW_CALL,
   IL_FLOW_RETURN,
   IL_FLOW_FUNC,
   IL_FLOW_ENDFUNC,
   IL_FLOW_PHASE,
   IL_FLOW_ENDPHASE,
   IL_FLOW_END, /* of the main part, or of the program */
};

/* What legalises an opcode (src/il/lower): nothing, as it is of every core; a pass; a pass unless
 * the target has the group (il_target_caps). */
enum il_core {
   IL_CORE_YES,
   IL_CORE_MODEL3,
   IL_CORE_MACRO,
   IL_CORE_INTERFACE,
   IL_CORE_CALL,
   IL_CORE_PHASE, /* stays, but runs once */
   IL_CORE_LOOP,
   IL_CORE_ADDRESS,
   IL_CORE_STAGE,    /* a texture stage of shader model 3: a resource and a sampler */
   IL_CORE_OWNER,    /* local data with owners: of targets with waves of 64 threads */
   IL_CORE_GRADIENT, /* a level found from neighbours: stays in pixel shaders, which have them */
   IL_CORE_EXPAND,   /* a formula of others */
   /* groups that a target may have */
   IL_CORE_DOT,    /* sums of products */
   IL_CORE_DIVIDE, /* unsigned division of 32 bits */
   IL_CORE_INT64,
   IL_CORE_DOUBLE, /* there is no formula for these: a target without refuses them */
};

/* The part of a back end that makes code of an opcode. */
enum il_unit {
   IL_UNIT_NONE,
   IL_UNIT_ALU,  /* 32 bits */
   IL_UNIT_WIDE, /* 64 bits */
   IL_UNIT_FLOW,
   IL_UNIT_TEXTURE, /* sampling, loads, what is known of resources; derivatives */
   IL_UNIT_STREAM,  /* memory streams */
   IL_UNIT_SYSTEM,  /* system values, inputs, pixels that end */
   IL_UNIT_EMIT,    /* vertices of a geometry shader */
   IL_UNIT_PHASE,   /* phases of a hull shader */
   IL_UNIT_MEMORY,  /* buffers, local and global data, counters, barriers */
   IL_UNIT_COUNT,
};

/* When it does: always, by x of its source, or by the relation (control) of two. */
enum il_test { IL_TEST_NONE, IL_TEST_ZERO, IL_TEST_NONZERO, IL_TEST_RELATION };

struct il_op_info {
   const char *name; /* mnemonic without controls, "" when the document gives none */
   const char *page;
   uint16_t value;
   uint8_t dsts, srcs; /* without index sources */
   uint8_t type;       /* il_type */
   uint8_t ctl;        /* il_ctl */
   uint8_t data;       /* il_data */
   uint8_t category;   /* il_category */
   uint8_t stages;     /* il_stage_mask */
   uint8_t model;      /* il_model */
   uint8_t reads;      /* il_reads */
   uint8_t flow;       /* il_flow */
   uint8_t test;       /* il_test */
   uint8_t core;       /* il_core */
   uint8_t unit;       /* il_unit */
   bool shape_known;
};

enum il_reg_form { IL_FORM_BARE, IL_FORM_NUM, IL_FORM_ARRAY, IL_FORM_MEM, IL_FORM_PAIR };
enum il_reg_access { IL_ACCESS_R = 1, IL_ACCESS_W = 2, IL_ACCESS_RW = 3 };

struct il_reg_info {
   const char *name;
   uint8_t form, comps, access, stages, model;
};

/* The row of an opcode, or NULL for a number that no table row has. */
const struct il_op_info *il_op_info(unsigned opcode);

/** How deep the blocks are nested after an instruction, if they were DEPTH deep before it:
 *  conditions, loops and switches open one and close it.  Never below 0. */
unsigned il_block_depth(unsigned depth, unsigned opcode);

/* The row of a register type, or NULL. */
const struct il_reg_info *il_reg_info(unsigned regtype);

/* Table order walk for tests and tools: row i, or NULL after the last. */
const struct il_op_info *il_op_row(unsigned i);

/* ---------------------------------------------------------------------------- the program -- */

struct il_src;

/* One dimension of a register reference:  r5   x5[6]   cb0[r1.x+4]   v[r0.x+1]. */
struct il_ref {
   uint8_t type;     /* il_regtype */
   uint8_t rel;      /* il_addressing */
   bool has_imm;     /* x5[6], cb0[6]: the element is the immediate */
   bool extended;    /* num is 32 bits wide in the stream */
   uint8_t reserved; /* token bits 30:27, kept */
   uint32_t num;     /* register number */
   uint32_t imm;
   uint32_t rel_addr; /* rel == IL_ADDR_RELATIVE: the IL_Rel_Addr token */
   /* rel == IL_ADDR_REG_RELATIVE: scalar, added to imm, to num where there is none; of an array
    * register (cb#, x#, icb): its number is the array's; without imm it is the element itself. */
   struct il_src *index;
};

enum il_src_flag {
   IL_SRC_INVERT = 1 << 0,
   IL_SRC_BIAS = 1 << 1,
   IL_SRC_X2 = 1 << 2,
   IL_SRC_SIGN = 1 << 3,
   IL_SRC_ABS = 1 << 4,
   IL_SRC_CLAMP = 1 << 5,
   /* What else il_src_modifiers() tells of. */
   IL_SRC_NEG = 1 << 6,
   IL_SRC_DIVCOMP = 1 << 7,
   IL_SRC_EACH = 0xff,
};

struct il_src {
   struct il_ref r;
   struct il_ref *dim2; /* v[1][2]: the second dimension, or NULL */
   bool has_mod;        /* a modifier token is there; false: identity swizzle, no modifiers */
   uint8_t swz[4];      /* il_compsel */
   uint8_t neg;         /* bit per component */
   uint8_t flags;       /* il_src_flag */
   uint8_t divcomp;     /* il_divcomp */
   uint8_t reserved;    /* modifier token bits 31:25, kept */
};

struct il_dst {
   struct il_ref r;
   struct il_ref *dim2;
   bool has_mod;      /* false: writes xyzw */
   uint8_t comp[4];   /* il_modcomp */
   bool clamp;        /* _sat */
   uint8_t shift;     /* il_shift */
   uint32_t reserved; /* modifier token bits 31:13, kept */
};

struct il_inst {
   uint16_t op;     /* il_opcode */
   uint16_t ctl;    /* token bits 31:16; see il_ctl and the accessors */
   uint16_t prefix; /* bits 31:16 of a PREFIX token in front; 3:0 = precise components */
   bool has_prefix;
   uint8_t ndst, nsrc; /* nsrc counts index sources, which come last */
   uint16_t reserved;
   uint32_t pri, sec; /* modifier dwords, present when control bits 15 / 14 say so */
   uint32_t restype;  /* il_pixtex, when control bit 12 (indexed) is set */
   uint32_t aoff;     /* texel offsets u 7:0, v 15:8, w 23:16, signed 7.1; control bit 13 */
   uint32_t ndata;
   struct il_dst *dst;
   struct il_src *src;
   uint32_t *data;  /* see il_data; counts included */
   uint32_t offset; /* dword offset in the stream or line in the text it came from */
   /* Of a lowered program: 1 + the index, in the program as written, of the instruction that this
    * one was made for; 0: as written. */
   uint32_t place;
};

struct il_arena;

struct il_program {
   uint8_t lang; /* il_lang */
   uint8_t minor, major;
   uint8_t shader; /* il_shader */
   bool multipass, realtime;
   uint32_t lang_reserved;   /* bits 31:8 of IL_Lang, kept */
   uint8_t version_reserved; /* bits 31:26 of IL_Version, kept */
   uint32_t ninsts, cap;
   uint32_t first_main;   /* macro definitions stand before the header: insts[0 .. first_main-1] */
   struct il_inst *insts; /* the last one is END in a complete program */
   struct il_arena *arena;
   bool oom; /* an allocation failed; the program must not be used */
};

/* An empty program for a stage.  NULL when memory is out. */
struct il_program *il_program_new(enum il_shader shader);

/* Frees the program and everything it points to.  NULL is allowed. */
void il_program_free(struct il_program *p);

/* Zeroed memory that lives as long as the program; NULL when out (p->oom is then set). */
void *il_alloc(struct il_program *p, size_t bytes);

/* ----------------------------------------------------------------------------- accessors -- */

/* Index, in the program as written, of the instruction that insts[n] is or was made for. */
static inline uint32_t
il_place(const struct il_program *p, uint32_t n)
{
   return n < p->ninsts && p->insts[n].place ? p->insts[n].place - 1 : n;
}

/* il_resource(inst), il_relop(inst), ...: a field of the control; il_ctl_resource(5), ...: a
 * control with this in the field. */
#define CTL(name, low, width)                                \
   static inline unsigned il_##name(const struct il_inst *i) \
   {                                                         \
      return i->ctl >> (low) & ((1u << (width)) - 1);        \
   }                                                         \
   static inline unsigned il_ctl_##name(unsigned value)      \
   {                                                         \
      return (value & ((1u << (width)) - 1)) << (low);       \
   }
#include "control.def"
#undef CTL

/* Texel offset of axis 0-2 in half texels. */
static inline int
il_aoff(const struct il_inst *i, unsigned axis)
{
   return il_has_aoff(i) ? (int8_t)(i->aoff >> (8 * axis)) : 0;
}

/* FETCH4: which component is gathered, 0-3. */
static inline unsigned
il_gather_comp(const struct il_inst *i)
{
   return il_has_pri(i) ? i->pri & 3 : 0;
}

/* How often a phase of a hull shader runs, at least once. */
static inline unsigned
il_phase_runs(const struct il_inst *i)
{
   return il_phase(i) > 1 ? il_phase(i) : 1;
}

/* IL_ADDR_RELATIVE: by aL, else by a component of an address register. */
static inline bool
il_rel_loop(const struct il_ref *r)
{
   return r->rel_addr >> 16 & 1;
}

static inline unsigned
il_rel_register(const struct il_ref *r)
{
   return r->rel_addr & 0xffff;
}

static inline unsigned
il_rel_component(const struct il_ref *r)
{
   return r->rel_addr >> 17 & 3;
}

/* Components (bit mask) marked _prec. */
static inline unsigned
il_prec(const struct il_inst *i)
{
   return i->has_prefix ? i->prefix & 15 : 0;
}

/* The selector of component c with the absent modifier token understood. */
static inline enum il_compsel
il_src_swz(const struct il_src *s, unsigned c)
{
   return s->has_mod ? (enum il_compsel)s->swz[c] : (enum il_compsel)c;
}

static inline bool
il_src_neg(const struct il_src *s, unsigned c)
{
   return s->has_mod && (s->neg >> c & 1);
}

static inline bool
il_src_abs(const struct il_src *s)
{
   return s->has_mod && (s->flags & IL_SRC_ABS);
}

/* The modifiers that a source has, beside its swizzle. */
static inline unsigned
il_src_modifiers(const struct il_src *s)
{
   return !s->has_mod ? 0
                      : s->flags | (s->neg ? IL_SRC_NEG : 0u) |
                           (s->divcomp != IL_DIVCOMP_NONE ? IL_SRC_DIVCOMP : 0u);
}

static inline enum il_modcomp
il_dst_comp(const struct il_dst *d, unsigned c)
{
   return d->has_mod ? (enum il_modcomp)d->comp[c] : IL_MODCOMP_WRITE;
}

/* Components the instruction's own result is written to (forced 0/1 are not in it). */
static inline unsigned
il_dst_mask(const struct il_dst *d)
{
   unsigned m = 0;
   for (unsigned c = 0; c < 4; c++)
      m |= (unsigned)(il_dst_comp(d, c) == IL_MODCOMP_WRITE) << c;
   return m;
}

/* The power of two that a result is scaled by. */
static inline int
il_dst_scale(const struct il_dst *d)
{
   static const int8_t exponents[] = { 0, 1, 2, 3, -1, -2, -3 };
   return d->has_mod && d->shift < sizeof(exponents) ? exponents[d->shift] : 0;
}

static inline bool
il_dst_sat(const struct il_dst *d)
{
   return d->has_mod && d->clamp;
}

/* Added to a sample's level after its limits, with four fraction bits (LODBIAS of a stage). */
static inline int
il_lod_bias(const struct il_inst *i)
{
   const int bias = il_has_pri(i) ? (int)(i->pri >> 18 & 127) : 0;
   return bias - (bias & 64 ? 128 : 0);
}

/* dcl_input / dcl_output */
static inline enum il_importusage
il_usage(const struct il_inst *i)
{
   return (enum il_importusage)(i->op == IL_OP_DCL_INPUT ? il_input_usage(i) : il_number(i));
}

/* dcl_resource */
static inline enum il_elementformat
il_resource_format(const struct il_inst *i, unsigned c)
{
   return (enum il_elementformat)(i->ndata ? i->data[0] >> (20 + 3 * c) & 7 : 0);
}

/* Walker: `il_foreach(inst, program)`. */
#define il_foreach(inst, p) \
   for (struct il_inst *inst = (p)->insts; inst != (p)->insts + (p)->ninsts; inst++)

/* Moves of whatever there is: they take all that floats take (2.2.5, 2.2.7). */
bool il_is_move(unsigned op);

/* The modifiers that sources of an opcode may have (2.2.7, Table 2.10). */
unsigned il_op_modifiers(const struct il_op_info *info);

/* Which components an instruction reads of source `s`; of an index at run time, x. */
enum il_part il_src_part(const struct il_inst *inst, unsigned s);

/* The same as a mask; of IL_PART_COORD, which depends on the kind of texture, all four. */
unsigned il_part_mask(enum il_part part, const struct il_inst *inst);

/* Calls fn for every source of an instruction, index sources of its operands included (deepest
 * first), and those of destinations. */
void il_visit_srcs(struct il_inst *inst, void (*fn)(struct il_src *src, void *data), void *data);

/* ------------------------------------------------------------------------------- builder -- */
/* Operands are values: build them, then give them to il_emit(), which copies.  The builder never
 * fails half way: when memory is out p->oom is set and later calls do nothing useful. */

struct il_dst il_dst(enum il_regtype type, unsigned num);    /* all four components */
struct il_dst il_dst_masked(struct il_dst d, unsigned mask); /* mask of components */
struct il_dst il_dst_saturate(struct il_dst d);
struct il_src il_src(enum il_regtype type, unsigned num);
struct il_src il_swizzle(struct il_src s, unsigned x, unsigned y, unsigned z, unsigned w);
struct il_src il_replicate(struct il_src s, unsigned c); /* .cccc of the register */
struct il_src il_negate(struct il_src s);                /* flips all four */
struct il_src il_absolute(struct il_src s);              /* clears earlier negates */

/* x5[elem], cb0[elem], icb[elem]; with an index: [index + elem].  index must select one
 * component; it is copied. */
struct il_src il_array_src(struct il_program *p, enum il_regtype type, unsigned num, unsigned elem,
                           const struct il_src *index);
struct il_dst il_array_dst(struct il_program *p, enum il_regtype type, unsigned num, unsigned elem,
                           const struct il_src *index);

/* Appends an instruction with room for its operands and data; NULL when memory is out or the
 * opcode has no row.  Fields not given are zero and may be filled in. */
struct il_inst *il_emit(struct il_program *p, enum il_opcode op, unsigned ctl,
                        const struct il_dst *dst, unsigned nsrc, const struct il_src *src);

/* Same with data dwords. */
struct il_inst *il_emit_data(struct il_program *p, enum il_opcode op, unsigned ctl,
                             const struct il_dst *dst, unsigned nsrc, const struct il_src *src,
                             unsigned ndata, const uint32_t *data);

/* Marks components as precise (the _prec prefix). */
void il_set_prec(struct il_inst *inst, unsigned mask);

/* Sets texel offsets, in half texels, and the control bit. */
void il_set_aoff(struct il_inst *inst, int u, int v, int w);

/* Sets the primary modifier dword and its control bit. */
void il_set_pri(struct il_inst *inst, uint32_t pri);

/* -------------------------------------------------------------------------------- errors -- */

struct il_error {
   uint32_t where; /* dword offset (binary), line (text) or instruction index (validator) */
   uint32_t column;
   char text[200];
};

/* -------------------------------------------------------------------------------- binary -- */

/* Numbering of opcodes after MUL: what real streams hold, or what Appendix B prints. */
enum il_numbering { IL_NUMBERING_STREAM, IL_NUMBERING_DOCUMENT };

/* Writes the program as dwords.  Returns a malloc()ed array and its length in dwords, or NULL and
 * the error. */
uint32_t *il_write(const struct il_program *p, enum il_numbering numbering, uint32_t *ndwords,
                   struct il_error *err);

/* Reads a stream of ndwords.  Total: any input gives a program or NULL and an error. */
struct il_program *il_read(const uint32_t *dwords, uint32_t ndwords, enum il_numbering numbering,
                           struct il_error *err);

/* ---------------------------------------------------------------------------------- text -- */

/* The program in canonical text.  malloc()ed, NUL-terminated; NULL when memory is out. */
char *il_print(const struct il_program *p);

/* One instruction, without newline, into buf (always terminated).  Returns the full length. */
size_t il_print_inst(const struct il_program *p, const struct il_inst *inst, char *buf,
                     size_t size);

/* Parses text of len bytes.  NULL and an error with line and column when it is not IL. */
struct il_program *il_parse(const char *text, size_t len, struct il_error *err);

/* ----------------------------------------------------------------------------- validator -- */

enum il_standard { IL_STD_EXTENDED, IL_STD_2_4 };

/* True when the program obeys the rules; else the first rule broken, by name and section. */
bool il_validate(const struct il_program *p, enum il_standard std, struct il_error *err);

/* True when both programs hold the same bits. */
bool il_equal(const struct il_program *a, const struct il_program *b);

#endif
