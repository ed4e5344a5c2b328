/* SPDX-License-Identifier: MIT */
/* Lists of the textual fields (chapter 7's syntax lines); see fields.h. */
#include "fields.h"

#define X(m, v, t)        { t, v },
#define NAMES(name, list) static const struct il_name name[] = { list(X){ NULL, 0 } };

NAMES(relop, IL_RELOP_LIST)
NAMES(cmpval, IL_CMPVAL_LIST)
NAMES(zeroop, IL_ZEROOP_LIST)
NAMES(matrix, IL_MATRIX_LIST)
NAMES(noise, IL_NOISETYPE_LIST)
NAMES(firstbit, IL_FIRSTBIT_TYPE_LIST)
NAMES(shadow, IL_TEXSHADOWMODE_LIST)
NAMES(coordmode, IL_TEXCOORDMODE_LIST)
NAMES(texfilter, IL_TEXFILTER_LIST)
NAMES(mipfilter, IL_MIPFILTER_LIST)
NAMES(aniso, IL_ANISOFILTER_LIST)
NAMES(defval, IL_DEFVAL_LIST)
NAMES(importsel, IL_IMPORTSEL_LIST)
NAMES(usage, IL_IMPORTUSAGE_LIST)
NAMES(interp, IL_INTERPMODE_LIST)
NAMES(topology, IL_TOPOLOGY_LIST)
NAMES(out_topology, IL_OUTPUT_TOPOLOGY_LIST)
NAMES(ts_domain, IL_TS_DOMAIN_LIST)
NAMES(ts_partition, IL_TS_PARTITION_LIST)
NAMES(ts_output, IL_TS_OUTPUT_LIST)
NAMES(sharing, IL_LDS_SHARING_MODE_LIST)
NAMES(format, IL_ELEMENTFORMAT_LIST)
NAMES(size, IL_LOAD_STORE_DATA_SIZE_LIST)
NAMES(uav_read, IL_UAV_LIST)
NAMES(sysval, IL_SYSVAL_LIST)
NAMES(hw_stage, IL_HW_STAGE_LIST)
const struct il_name il_names_pixtex[] = { IL_USAGE_PIXTEX_LIST(X){ NULL, 0 } };
static const struct il_name sharing_word[] = { { "_wavefrontRel", 0 },
                                               { "_wavefrontAbs", 1 },
                                               { NULL, 0 } };
static const struct il_name component[] = {
   { "x", 0 }, { "y", 1 }, { "z", 2 }, { "w", 3 }, { NULL, 0 }
};
#undef X

#define FLAG(name, bit)                                  \
   {                                                     \
      name, IL_FIELD_FLAG, IL_IN_CTL, bit, 1, true, NULL \
   }
#define UINT(name, lo, n)                                \
   {                                                     \
      name, IL_FIELD_UINT, IL_IN_CTL, lo, n, false, NULL \
   }
#define UINT0(name, lo, n)                              \
   {                                                    \
      name, IL_FIELD_UINT, IL_IN_CTL, lo, n, true, NULL \
   }
#define ENUM(name, lo, n, list)                          \
   {                                                     \
      name, IL_FIELD_ENUM, IL_IN_CTL, lo, n, false, list \
   }
#define ENUM0(name, lo, n, list)                        \
   {                                                    \
      name, IL_FIELD_ENUM, IL_IN_CTL, lo, n, true, list \
   }
#define PAREN(lo, n, list)                              \
   {                                                    \
      "", IL_FIELD_PAREN, IL_IN_CTL, lo, n, false, list \
   }
#define OPERAND(prefix, lo, n, list)                          \
   {                                                          \
      prefix, IL_FIELD_OPERAND, IL_IN_CTL, lo, n, false, list \
   }
#define SUFFIX(lo, n, list)                              \
   {                                                     \
      "", IL_FIELD_SUFFIX, IL_IN_CTL, lo, n, false, list \
   }
#define PRI_FLAG(name, bit)                              \
   {                                                     \
      name, IL_FIELD_FLAG, IL_IN_PRI, bit, 1, true, NULL \
   }
#define PRI_UINT0(name, lo, n)                          \
   {                                                    \
      name, IL_FIELD_UINT, IL_IN_PRI, lo, n, true, NULL \
   }
#define PRI_ENUM0(name, lo, n, list)                    \
   {                                                    \
      name, IL_FIELD_ENUM, IL_IN_PRI, lo, n, true, list \
   }
#define DATA_ENUM(name, lo, n, list)                      \
   {                                                      \
      name, IL_FIELD_ENUM, IL_IN_DATA, lo, n, false, list \
   }
#define DATA_UINT(name, lo, n)                            \
   {                                                      \
      name, IL_FIELD_UINT, IL_IN_DATA, lo, n, false, NULL \
   }
#define DATA_FLAG(name, bit)                              \
   {                                                      \
      name, IL_FIELD_FLAG, IL_IN_DATA, bit, 1, true, NULL \
   }
#define END                         \
   {                                \
      NULL, 0, 0, 0, 0, false, NULL \
   }
#define LIST(name) static const struct il_field name[]

LIST(f_none) = { END };
LIST(f_relop) = { ENUM("relop", 0, 3, relop), END };
LIST(f_cmp) = { ENUM("relop", 0, 3, relop), ENUM("cmpval", 5, 3, cmpval), END };
LIST(f_zeroop) = { ENUM0("zeroop", 0, 2, zeroop), END };
LIST(f_nrm) = { FLAG("nrm4", 2), ENUM0("zeroop", 0, 2, zeroop), END };
LIST(f_ieee) = { FLAG("ieee", 0), END };
LIST(f_fine) = { FLAG("fine", 7), END };
LIST(f_normalize) = { FLAG("normalize", 0), END };
LIST(f_round) = { FLAG("round", 0), END };
LIST(f_repeat) = { FLAG("repeat", 0), END };
LIST(f_matrix) = { ENUM("matrix", 0, 3, matrix), END };
LIST(f_noise) = { ENUM("type", 0, 4, noise), END };
LIST(f_firstbit) = { PAREN(0, 16, firstbit), END };
LIST(f_stage) = { UINT("stage", 0, 8), END };
LIST(f_kill) = { UINT0("stage", 0, 8), FLAG("sample", 8), END };
LIST(f_param) = { UINT("param", 0, 8), END };
LIST(f_fence) = {
   FLAG("threads", 0),        FLAG("lds", 1),           FLAG("memory", 2), FLAG("sr", 3),
   FLAG("mem_write_only", 4), FLAG("mem_read_only", 5), FLAG("gds", 6),    END
};
LIST(f_stream) = { OPERAND("", 0, 16, NULL), END };
LIST(f_count) = { OPERAND("", 0, 14, NULL), END };
LIST(f_sample) = { UINT("resource", 0, 8),
                   UINT("sampler", 8, 4),
                   PRI_ENUM0("coordtype", 2, 2, coordmode),
                   PRI_ENUM0("compselect", 0, 2, component),
                   PRI_FLAG("uav", 4),
                   END };
LIST(f_load) = { UINT("resource", 0, 8), UINT0("sampler", 8, 4),
                 PRI_ENUM0("coordtype", 2, 2, coordmode), PRI_FLAG("uav", 4), END };
LIST(f_info) = { UINT("resource", 0, 8), PRI_FLAG("uav", 4), FLAG("uint", 8), END };
LIST(f_texld) = { UINT("stage", 0, 8),
                  FLAG("centroid", 8),
                  FLAG("absolute", 9),
                  ENUM0("shadowmode", 10, 2, shadow),
                  PRI_ENUM0("mag", 0, 3, texfilter),
                  PRI_ENUM0("min", 3, 3, texfilter),
                  PRI_ENUM0("volmag", 6, 3, texfilter),
                  PRI_ENUM0("volmin", 9, 3, texfilter),
                  PRI_ENUM0("mip", 12, 3, mipfilter),
                  PRI_ENUM0("aniso", 15, 3, aniso),
                  PRI_UINT0("lodbias", 18, 7),
                  END };
LIST(f_dclpt) = { UINT("stage", 0, 8), ENUM("type", 8, 3, il_names_pixtex),
                  ENUM("coordmode", 11, 2, coordmode), FLAG("cleartype", 13), END };
LIST(f_memexport) = { UINT("exportStream", 0, 6), UINT("elemOffset", 7, 6), END };
LIST(f_elem) = { UINT("elem", 0, 6), END };
LIST(f_elem_dcl) = { UINT("elem", 0, 6),
                     PRI_ENUM0("x", 0, 2, importsel),
                     PRI_ENUM0("y", 2, 2, importsel),
                     PRI_ENUM0("z", 4, 2, importsel),
                     PRI_ENUM0("w", 6, 2, importsel),
                     END };
LIST(f_usage) = { ENUM("usage", 0, 5, usage),      UINT("usageIndex", 5, 8),
                  PRI_ENUM0("x", 0, 2, importsel), PRI_ENUM0("y", 2, 2, importsel),
                  PRI_ENUM0("z", 4, 2, importsel), PRI_ENUM0("w", 6, 2, importsel),
                  PRI_FLAG("centroid", 8),         PRI_FLAG("constant", 9),
                  PRI_FLAG("no_perspective", 10),  END };
LIST(f_import) = {
   ENUM("x", 0, 2, importsel), ENUM("y", 2, 2, importsel), ENUM("z", 4, 2, importsel),
   ENUM("w", 6, 2, importsel), FLAG("center", 8),          FLAG("bias", 9),
   FLAG("invert", 10),         FLAG("centered", 11),       END
};
LIST(f_default) = { ENUM("x", 0, 2, defval), ENUM("y", 2, 2, defval), ENUM("z", 4, 2, defval),
                    ENUM("w", 6, 2, defval), END };
LIST(f_input) = { ENUM("usage", 0, 5, usage),
                  ENUM0("interp", 5, 3, interp),
                  FLAG("center", 8),
                  FLAG("bias", 9),
                  FLAG("invert", 10),
                  FLAG("centered", 11),
                  END };
LIST(f_output) = { ENUM("usage", 0, 14, usage), END };
LIST(f_topology) = { SUFFIX(0, 14, topology), END };
LIST(f_out_topology) = { OPERAND("", 0, 14, out_topology), END };
LIST(f_ts_domain) = { OPERAND("ts_domain_", 0, 16, ts_domain), END };
LIST(f_ts_partition) = { OPERAND("", 0, 16, ts_partition), END };
LIST(f_ts_output) = { OPERAND("", 0, 16, ts_output), END };
LIST(f_sharing) = { OPERAND("", 0, 14, sharing_word), END };
LIST(f_lds_read) = { FLAG("neighborExch", 2), ENUM("sharingMode", 0, 2, sharing), END };
LIST(f_lds_write) = { UINT0("lOffset", 2, 6), ENUM("sharingMode", 0, 2, sharing), END };
LIST(f_resource) = { UINT("id", 0, 8),
                     ENUM("type", 8, 4, il_names_pixtex),
                     DATA_ENUM("fmtx", 20, 3, format),
                     DATA_ENUM("fmty", 23, 3, format),
                     DATA_ENUM("fmtz", 26, 3, format),
                     DATA_ENUM("fmtw", 29, 3, format),
                     END };
LIST(f_dcl_uav) = { UINT("id", 0, 4), ENUM("type", 8, 6, il_names_pixtex),
                    ENUM("fmtx", 4, 4, format), END };
LIST(f_id) = { UINT("id", 0, 14), END };
LIST(f_lds_id) = { UINT("id", 0, 4), END };
LIST(f_lds_resource) = { UINT("resource", 0, 4), END };
LIST(f_srv) = { UINT("id", 0, 8), END };
LIST(f_uav_raw) = { UINT("id", 0, 10), ENUM0("cache", 10, 2, uav_read), FLAG("arena", 15), END };
LIST(f_arena) = { UINT("id", 0, 10), ENUM("size", 10, 2, size), ENUM0("cache", 12, 2, uav_read),
                  FLAG("atomic", 15), END };
LIST(f_interface) = { UINT("id", 0, 13), UINT("dynamic", 13, 1), END };
LIST(f_mdef) = { PAREN(0, 14, NULL), DATA_UINT("out", 8, 8), DATA_UINT("in", 0, 8),
                 DATA_FLAG("outline", 16), END };
LIST(f_mcall) = { PAREN(0, 14, NULL), END };
LIST(f_sysval) = { ENUM("id", 0, 14, sysval), END };
LIST(f_hw_stage) = { OPERAND("", 0, 14, hw_stage), END };
LIST(f_streamout) = { UINT("buffer", 0, 2), UINT0("stream", 2, 2), END };

const struct il_field *
il_fields(enum il_ctl ctl, unsigned op)
{
   switch (ctl) {
   case IL_CTL_NONE:
   case IL_CTL_DIMS:
   case IL_CTL_DCL_CB:
   case IL_CTL_GLOBAL_FLAGS:
   case IL_CTL_PREFIX:
      return f_none;
   case IL_CTL_RELOP:
      return f_relop;
   case IL_CTL_CMP:
      return f_cmp;
   case IL_CTL_ZEROOP:
      return f_zeroop;
   case IL_CTL_NRM:
      return f_nrm;
   case IL_CTL_IEEE:
      return f_ieee;
   case IL_CTL_FINE:
      return f_fine;
   case IL_CTL_NORMALIZE:
      return f_normalize;
   case IL_CTL_ROUND:
      return f_round;
   case IL_CTL_REPEAT:
      return f_repeat;
   case IL_CTL_MATRIX:
      return f_matrix;
   case IL_CTL_NOISE:
      return f_noise;
   case IL_CTL_FIRSTBIT:
      return f_firstbit;
   case IL_CTL_STAGE:
      return f_stage;
   case IL_CTL_KILL:
      return f_kill;
   case IL_CTL_PARAM:
      return f_param;
   case IL_CTL_FENCE:
      return f_fence;
   case IL_CTL_STREAM:
   case IL_CTL_PHASE:
      return f_stream;
   case IL_CTL_COUNT:
      return f_count;
   case IL_CTL_SAMPLE:
      return f_sample;
   case IL_CTL_LOAD:
      return f_load;
   case IL_CTL_INFO:
      return f_info;
   case IL_CTL_TEXLD:
      return f_texld;
   case IL_CTL_DCLPT:
      return f_dclpt;
   case IL_CTL_MEMEXPORT:
      return f_memexport;
   case IL_CTL_ELEM:
      return f_elem;
   case IL_CTL_ELEM_DCL:
      return f_elem_dcl;
   case IL_CTL_USAGE:
      return f_usage;
   case IL_CTL_IMPORT:
      return f_import;
   case IL_CTL_DEFAULT:
      return f_default;
   case IL_CTL_INPUT:
      return f_input;
   case IL_CTL_OUTPUT:
      return f_output;
   case IL_CTL_TOPOLOGY:
      return f_topology;
   case IL_CTL_OUT_TOPOLOGY:
      return f_out_topology;
   case IL_CTL_TS_DOMAIN:
      return f_ts_domain;
   case IL_CTL_TS_PARTITION:
      return f_ts_partition;
   case IL_CTL_TS_OUTPUT:
      return f_ts_output;
   case IL_CTL_SHARING:
      return f_sharing;
   case IL_CTL_LDS_READ:
      return f_lds_read;
   case IL_CTL_LDS_WRITE:
      return f_lds_write;
   case IL_CTL_RESOURCE:
      return f_resource;
   case IL_CTL_DCL_UAV:
      return f_dcl_uav;
   case IL_CTL_ID:
      return f_id;
   case IL_CTL_LDS_ID:
      /* The document writes lds_add_id(n) but lds_read_add_resource(n) (7.16). */
      return il_op_info(op)->dsts && op != IL_OP_LDS_LOAD &&
                   !(op >= IL_OP_LDS_LOAD_BYTE && op <= IL_OP_LDS_LOAD_USHORT)
                ? f_lds_resource
                : f_lds_id;
   case IL_CTL_SRV:
      return f_srv;
   case IL_CTL_UAV_RAW:
      return f_uav_raw;
   case IL_CTL_ARENA:
      return f_arena;
   case IL_CTL_INTERFACE:
      return f_interface;
   case IL_CTL_MACRO:
      return op == IL_OP_MACRODEF ? f_mdef : f_mcall;
   case IL_CTL_SYSVAL:
      return f_sysval;
   case IL_CTL_HW_STAGE:
      return f_hw_stage;
   case IL_CTL_STREAMOUT:
      return f_streamout;
   }
   return f_none;
}

uint16_t
il_structural_bits(enum il_ctl ctl)
{
   uint16_t bits = il_ctl_has_modifier_bits(ctl) ? 0xc000 : 0;
   switch (ctl) {
   case IL_CTL_SAMPLE:
   case IL_CTL_LOAD:
      return bits | 0x3000;
   case IL_CTL_INFO:
   case IL_CTL_SRV:
      return bits | 0x1000;
   case IL_CTL_RESOURCE:
   case IL_CTL_DCL_CB:
      return bits | 0x8000;
   case IL_CTL_DIMS:
      return bits | 0x3fff;
   case IL_CTL_GLOBAL_FLAGS:
      return bits | 0x000f;
   default:
      return bits;
   }
}
