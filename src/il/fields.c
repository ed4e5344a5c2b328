/* SPDX-License-Identifier: MIT */
/* Lists of the textual fields (chapter 7's syntax lines); see fields.h. */
#include "fields.h"

/* Words that no enumeration of the document's lists: of DCL_LDS_SHARING_MODE (7-37), and the
 * components that FETCH4 gathers (7-76). */
#define WAVEFRONT_LIST(N)          \
   N(RELATIVE, 0, "_wavefrontRel") \
   N(ABSOLUTE, 1, "_wavefrontAbs")
#define COMPONENT_LIST(N) N(X, 0, "x") N(Y, 1, "y") N(Z, 2, "z") N(W, 3, "w")

#define NAMES(name, list, prefix, ...) \
   static const struct il_name name[] = IL_NAMES(list, prefix, __VA_ARGS__)
#define ALSO(text, value) { text, value, NULL },

NAMES(relop, IL_RELOP_LIST, "IL_RELOP_");
NAMES(cmpval, IL_CMPVAL_LIST, "IL_CMPVAL_");
NAMES(zeroop, IL_ZEROOP_LIST, "IL_ZEROOP_", ALSO("flt_max", IL_ZEROOP_FLTMAX));
NAMES(matrix, IL_MATRIX_LIST, "IL_MATRIX_");
NAMES(noise, IL_NOISETYPE_LIST, "IL_NOISETYPE_");
NAMES(firstbit, IL_FIRSTBIT_TYPE_LIST, "IL_FIRSTBIT_TYPE_");
NAMES(shadow, IL_TEXSHADOWMODE_LIST, "IL_TEXSHADOWMODE_");
NAMES(coordmode, IL_TEXCOORDMODE_LIST, "IL_TEXCOORDMODE_");
NAMES(texfilter, IL_TEXFILTER_LIST, "IL_TEXFILTER_");
NAMES(mipfilter, IL_MIPFILTER_LIST, "IL_MIPFILTER_");
NAMES(aniso, IL_ANISOFILTER_LIST, "IL_ANISOFILTER_");
NAMES(defval, IL_DEFVAL_LIST, "IL_DEFVAL_");
NAMES(importsel, IL_IMPORTSEL_LIST, "IL_IMPORTSEL_", ALSO("-", IL_IMPORTSEL_UNUSED));
NAMES(usage, IL_IMPORTUSAGE_LIST, "IL_IMPORTUSAGE_",
      ALSO("wincoord", IL_IMPORTUSAGE_POS)
         ALSO("primcoordtype", IL_IMPORTUSAGE_PIXEL_SAMPLE_COVERAGE));
NAMES(interp, IL_INTERPMODE_LIST, "IL_INTERPMODE_");
NAMES(topology, IL_TOPOLOGY_LIST, "IL_TOPOLOGY_");
NAMES(out_topology, IL_OUTPUT_TOPOLOGY_LIST, "IL_OUTPUT_TOPOLOGY_");
NAMES(ts_domain, IL_TS_DOMAIN_LIST, "IL_TS_DOMAIN_");
NAMES(ts_partition, IL_TS_PARTITION_LIST, "IL_TS_PARTITION_");
NAMES(ts_output, IL_TS_OUTPUT_LIST, "IL_TS_OUTPUT_");
NAMES(sharing, IL_LDS_SHARING_MODE_LIST, "IL_LDS_SHARING_MODE_");
NAMES(sharing_word, WAVEFRONT_LIST, "IL_LDS_SHARING_MODE_",
      ALSO("_wavefront_rel", 0) ALSO("_wavefront_abs", 1) ALSO("wavefront_rel", 0)
         ALSO("wavefront_abs", 1) ALSO("wavefrontRel", 0) ALSO("wavefrontAbs", 1));
NAMES(format, IL_ELEMENTFORMAT_LIST, "IL_ELEMENTFORMAT_");
NAMES(size, IL_LOAD_STORE_DATA_SIZE_LIST, "IL_LOAD_STORE_DATA_SIZE_");
NAMES(uav_read, IL_UAV_LIST, "IL_UAV_");
NAMES(sysval, IL_SYSVAL_LIST, "");
NAMES(hw_stage, IL_HW_STAGE_LIST, "");
NAMES(component, COMPONENT_LIST, "");
const struct il_name il_names_pixtex[] = IL_NAMES(IL_USAGE_PIXTEX_LIST, "IL_USAGE_PIXTEX_",
                                                  ALSO("2dms_array", IL_USAGE_PIXTEX_2DARRAYMSAA));
const struct il_name il_names_global_flag[] = IL_NAMES(IL_GLOBAL_FLAG_LIST, "");
const struct il_name il_names_divcomp[] = IL_NAMES(IL_DIVCOMP_LIST, "IL_DIVCOMP_");

/* Fields of the control. */
enum {
#define CTL(name, low, width) LOW_##name = low, WIDTH_##name = width,
#include "control.def"
#undef CTL
};
#define IN_CTL(text, form, field, omit, list)                                  \
   {                                                                           \
      text, IL_FIELD_##form, IL_IN_CTL, LOW_##field, WIDTH_##field, omit, list \
   }
#define FLAG(name, field)            IN_CTL(name, FLAG, field, true, NULL)
#define UINT(name, field)            IN_CTL(name, UINT, field, false, NULL)
#define UINT0(name, field)           IN_CTL(name, UINT, field, true, NULL)
#define ENUM(name, field, list)      IN_CTL(name, ENUM, field, false, list)
#define ENUM0(name, field, list)     IN_CTL(name, ENUM, field, true, list)
#define PAREN(field, list)           IN_CTL("", PAREN, field, false, list)
#define OPERAND(prefix, field, list) IN_CTL(prefix, OPERAND, field, false, list)
#define SUFFIX(field, list)          IN_CTL("", SUFFIX, field, false, list)
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
LIST(f_relop) = { ENUM("relop", relop, relop), END };
LIST(f_cmp) = { ENUM("relop", relop, relop), ENUM("cmpval", cmpval, cmpval), END };
LIST(f_zeroop) = { ENUM0("zeroop", zeroop, zeroop), END };
LIST(f_nrm) = { FLAG("nrm4", nrm4), ENUM0("zeroop", zeroop, zeroop), END };
LIST(f_ieee) = { FLAG("ieee", ieee), END };
LIST(f_fine) = { FLAG("fine", fine), END };
LIST(f_normalize) = { FLAG("normalize", normalize), END };
LIST(f_round) = { FLAG("round", round), END };
LIST(f_repeat) = { FLAG("repeat", repeat), END };
LIST(f_matrix) = { ENUM("matrix", matrix, matrix), END };
LIST(f_noise) = { ENUM("type", noise, noise), END };
LIST(f_firstbit) = { PAREN(firstbit, firstbit), END };
LIST(f_stage) = { UINT("stage", stage), END };
LIST(f_kill) = { UINT0("stage", stage), FLAG("sample", kill_sample), END };
LIST(f_param) = { UINT("param", param), END };
LIST(f_fence) = { FLAG("threads", fence_threads),
                  FLAG("lds", fence_lds),
                  FLAG("memory", fence_memory),
                  FLAG("sr", fence_sr),
                  FLAG("mem_write_only", fence_write_only),
                  FLAG("mem_read_only", fence_read_only),
                  FLAG("gds", fence_gds),
                  END };
LIST(f_stream) = { OPERAND("", emit_stream, NULL), END };
LIST(f_count) = { OPERAND("", number, NULL), END };
LIST(f_sample) = { UINT("resource", resource),
                   UINT("sampler", sampler),
                   PRI_ENUM0("coordtype", 2, 2, coordmode),
                   PRI_ENUM0("compselect", 0, 2, component),
                   PRI_FLAG("uav", 4),
                   END };
LIST(f_load) = { UINT("resource", resource), UINT0("sampler", sampler),
                 PRI_ENUM0("coordtype", 2, 2, coordmode), PRI_FLAG("uav", 4), END };
LIST(f_info) = { UINT("resource", resource), PRI_FLAG("uav", 4), FLAG("uint", info_uint), END };
LIST(f_texld) = { UINT("stage", stage),
                  FLAG("centroid", centroid),
                  FLAG("absolute", texel_absolute),
                  ENUM0("shadowmode", shadow_mode, shadow),
                  PRI_ENUM0("mag", 0, 3, texfilter),
                  PRI_ENUM0("min", 3, 3, texfilter),
                  PRI_ENUM0("volmag", 6, 3, texfilter),
                  PRI_ENUM0("volmin", 9, 3, texfilter),
                  PRI_ENUM0("mip", 12, 3, mipfilter),
                  PRI_ENUM0("aniso", 15, 3, aniso),
                  PRI_UINT0("lodbias", 18, 7),
                  END };
LIST(f_dclpt) = { UINT("stage", stage), ENUM("type", stage_type, il_names_pixtex),
                  ENUM("coordmode", coord_mode, coordmode), FLAG("cleartype", clear_type), END };
LIST(f_memexport) = { UINT("exportStream", export_stream), UINT("elemOffset", export_offset), END };
LIST(f_elem) = { UINT("elem", element), END };
LIST(f_elem_dcl) = { UINT("elem", element),           PRI_ENUM0("x", 0, 2, importsel),
                     PRI_ENUM0("y", 2, 2, importsel), PRI_ENUM0("z", 4, 2, importsel),
                     PRI_ENUM0("w", 6, 2, importsel), END };
LIST(f_usage) = { ENUM("usage", input_usage, usage), UINT("usageIndex", usage_index),
                  PRI_ENUM0("x", 0, 2, importsel),   PRI_ENUM0("y", 2, 2, importsel),
                  PRI_ENUM0("z", 4, 2, importsel),   PRI_ENUM0("w", 6, 2, importsel),
                  PRI_FLAG("centroid", 8),           PRI_FLAG("constant", 9),
                  PRI_FLAG("no_perspective", 10),    END };
LIST(f_import) = { ENUM("x", select_x, importsel),
                   ENUM("y", select_y, importsel),
                   ENUM("z", select_z, importsel),
                   ENUM("w", select_w, importsel),
                   FLAG("center", import_center),
                   FLAG("bias", import_bias),
                   FLAG("invert", import_invert),
                   FLAG("centered", import_centered),
                   END };
LIST(f_default) = { ENUM("x", select_x, defval), ENUM("y", select_y, defval),
                    ENUM("z", select_z, defval), ENUM("w", select_w, defval), END };
LIST(f_input) = { ENUM("usage", input_usage, usage),
                  ENUM0("interp", interp, interp),
                  FLAG("center", import_center),
                  FLAG("bias", import_bias),
                  FLAG("invert", import_invert),
                  FLAG("centered", import_centered),
                  END };
LIST(f_output) = { ENUM("usage", number, usage), END };
LIST(f_topology) = { SUFFIX(number, topology), END };
LIST(f_out_topology) = { OPERAND("", number, out_topology), END };
LIST(f_ts_domain) = { OPERAND("ts_domain_", tessellation, ts_domain), END };
LIST(f_ts_partition) = { OPERAND("", tessellation, ts_partition), END };
LIST(f_ts_output) = { OPERAND("", tessellation, ts_output), END };
LIST(f_sharing) = { OPERAND("", number, sharing_word), END };
LIST(f_lds_read) = { FLAG("neighborExch", exchange), ENUM("sharingMode", sharing_mode, sharing),
                     END };
LIST(f_lds_write) = { UINT0("lOffset", owner_offset), ENUM("sharingMode", sharing_mode, sharing),
                      END };
LIST(f_resource) = { UINT("id", resource),
                     ENUM("type", resource_type, il_names_pixtex),
                     DATA_ENUM("fmtx", 20, 3, format),
                     DATA_ENUM("fmty", 23, 3, format),
                     DATA_ENUM("fmtz", 26, 3, format),
                     DATA_ENUM("fmtw", 29, 3, format),
                     END };
LIST(f_dcl_uav) = { UINT("id", typed_uav), ENUM("type", uav_type, il_names_pixtex),
                    ENUM("fmtx", uav_format, format), END };
LIST(f_id) = { UINT("id", number), END };
LIST(f_lds_id) = { UINT("id", lds), END };
LIST(f_lds_resource) = { UINT("resource", lds), END };
LIST(f_srv) = { UINT("id", srv), END };
LIST(f_uav_raw) = { UINT("id", uav), ENUM0("cache", uav_cache, uav_read), FLAG("arena", uav_arena),
                    END };
LIST(f_x_uav) = { UINT("id", uav), ENUM("type", x_uav_type, il_names_pixtex), END };
LIST(f_arena) = { UINT("id", uav), ENUM("size", arena_size, size),
                  ENUM0("cache", arena_cache, uav_read), FLAG("atomic", arena_atomic), END };
LIST(f_interface) = { UINT("id", interface), UINT("dynamic", dynamic), END };
LIST(f_mdef) = { PAREN(macro, NULL), DATA_UINT("out", 8, 8), DATA_UINT("in", 0, 8),
                 DATA_FLAG("outline", 16), END };
LIST(f_mcall) = { PAREN(macro, NULL), END };
LIST(f_sysval) = { ENUM("id", number, sysval), END };
LIST(f_hw_stage) = { OPERAND("", number, hw_stage), END };
LIST(f_streamout) = { UINT("buffer", streamout_buffer), UINT0("stream", streamout_stream), END };

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
   case IL_CTL_X_UAV:
      return f_x_uav;
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
