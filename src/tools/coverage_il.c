/* SPDX-License-Identifier: MIT */
/*
 * What works of every row of IL's opcode list; see coverage.h.
 *
 * A row gets an instance made from its table row: registers for operands, zeros for data.  Encoding
 * and decoding are its binary stream out and in again, text the same for its text.  Validation and
 * execution take a whole program, in a stage that has the instruction and with what must stand
 * around it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"

#include "coverage.h"
#include "execution.h"

/* What stands before and after an instruction of flow control. */
static const struct {
   const char *name, *before, *after;
} frames[] = {
   { "if_logicalz", "", "endif\n" },
   { "if_logicalnz", "", "endif\n" },
   { "ifc", "", "endif\n" },
   { "ifnz", "", "endif\n" },
   { "else", "if_logicalnz r0.x\n", "endif\n" },
   { "endif", "if_logicalnz r0.x\n", "" },
   { "whileloop", "", "break\nendloop\n" },
   { "loop", "", "endloop\n" },
   { "endloop", "whileloop\nbreak\n", "" },
   { "break", "whileloop\n", "endloop\n" },
   { "breakc", "whileloop\n", "endloop\n" },
   { "break_logicalz", "whileloop\n", "endloop\n" },
   { "break_logicalnz", "whileloop\n", "endloop\n" },
   { "continue", "whileloop\nbreak\n", "endloop\n" },
   { "continuec", "whileloop\nbreak\n", "endloop\n" },
   { "continue_logicalz", "whileloop\nbreak\n", "endloop\n" },
   { "continue_logicalnz", "whileloop\nbreak\n", "endloop\n" },
   { "switch", "", "default\nbreak\nendswitch\n" },
   { "case", "switch r0.x\n", "break\nendswitch\n" },
   { "default", "switch r0.x\n", "break\nendswitch\n" },
   { "endswitch", "switch r0.x\ndefault\nbreak\n", "" },
   { "call", "", "endmain\nfunc 0\nret\nendfunc\n" },
   { "callnz", "", "endmain\nfunc 0\nret\nendfunc\n" },
   { "call_logicalz", "", "endmain\nfunc 0\nret\nendfunc\n" },
   { "call_logicalnz", "", "endmain\nfunc 0\nret\nendfunc\n" },
   { "fcall", "", "endmain\nfunc 0\nret\nendfunc\n" },
   { "func", "endmain\n", "ret\nendfunc\n" },
   { "endfunc", "endmain\nfunc 0\nret\n", "" },
   { "endphase", "hs_cp_phase\n", "" },
   { "hs_cp_phase", "", "endphase\n" },
   { "hs_fork_phase", "", "endphase\n" },
   { "hs_join_phase", "", "endphase\n" },
};

/* What must be declared in front of a row, by its category, then by its name. */
static const struct {
   int category; /* enum il_category */
   const char *prefix, *declarations;
} declarations[] = {
   { IL_CAT_VIRTUAL, "fcall",
     "dcl_function_body 0\ndcl_function_table_id(0) = {0}\n"
     "dcl_interface_ptr_id(0)_dynamic(0)[1][1] = {0}\n" },
   { IL_CAT_LDS, "lds_read_vec", "dcl_lds_size_per_thread 8\n" },
   { IL_CAT_LDS, "lds_write_vec", "dcl_lds_size_per_thread 8\n" },
   { IL_CAT_LDS, "", "dcl_lds_id(0) 1024\n" },
   { IL_CAT_GDS, "gds_", "dcl_gds_id(0) 1024\n" },
   { IL_CAT_UAV, "uav_arena", "dcl_arena_uav_id(0)\n" },
   { IL_CAT_UAV, "uav_struct", "dcl_struct_uav_id(0) 16\n" },
   { IL_CAT_UAV, "uav_load", "dcl_uav_id(0)_type(2d)_fmtx(uint)\n" },
   { IL_CAT_UAV, "uav_store", "dcl_uav_id(0)_type(2d)_fmtx(uint)\n" },
   { IL_CAT_UAV, "uav_", "dcl_raw_uav_id(0)\n" },
   { IL_CAT_SRV, "srv_struct", "dcl_struct_srv_id(0) 16\n" },
   { IL_CAT_SRV, "srv_", "dcl_raw_srv_id(0)\n" },
   { IL_CAT_IO, "texldms", "dclpt_stage(0)_type(2dmsaa)_coordmode(unnormalized)\n" },
   { IL_CAT_IO, "tex", "dclpt_stage(0)_type(2d)_coordmode(normalized)\n" },
   { IL_CAT_IO, "project", "dclpt_stage(0)_type(2d)_coordmode(normalized)\n" },
   { IL_CAT_IO, "lod", "dclpt_stage(0)_type(2d)_coordmode(normalized)\n" },
   { IL_CAT_IO, "load_fptr",
     "dcl_resource_id(0)_type(2dmsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n" },
   { IL_CAT_IO, "eval_", "dcl_input_generic_interp(linear) v32\n" },
};

static const char *
declarations_of(const struct il_op_info *info)
{
   for (unsigned i = 0; i < sizeof(declarations) / sizeof(*declarations); i++)
      if (declarations[i].category == info->category &&
          !strncmp(info->name, declarations[i].prefix, strlen(declarations[i].prefix)))
         return declarations[i].declarations;
   return "";
}

/* Only beside declarations of shader model 3? */
static bool
of_model_3(const struct il_op_info *info)
{
   return info->model == IL_MODEL_SM30 || info->ctl == IL_CTL_STAGE;
}

static void
set_all(struct coverage_row *row, unsigned first, const char *reason)
{
   for (unsigned c = first; c < COVERAGE_COLUMNS; c++)
      snprintf(row->no[c], sizeof(row->no[c]), "%s", reason);
   snprintf(row->not_compiled, sizeof(row->not_compiled), "%s", reason);
}

/* Executed as it is, and compiled. */
static void
try_execution(const struct il_program *p, struct coverage_row *row)
{
   struct shader_code shader;
   char *no = row->no[COVERAGE_EXECUTE];

   if (execution_takes_il(p, no, sizeof(row->no[0])))
      no[0] = 0;
   if (cayman_compile(p, 0, &shader, row->not_compiled, sizeof(row->not_compiled))) {
      row->not_compiled[0] = 0;
      shader_code_finish(&shader);
   }
}

/* One instance of the row at the end of the program. */
static struct il_inst *
emit_instance(struct il_program *p, const struct il_op_info *info)
{
   unsigned ctl = info->ctl == IL_CTL_DIMS ? 2 : 0, ndata = 0, nsrc = info->srcs;
   uint32_t data[8] = { 0 };
   struct il_src srcs[6];
   struct il_dst dst = il_dst(IL_REGTYPE_TEMP, 1);

   for (unsigned s = 0; s < 6; s++)
      srcs[s] = il_src(IL_REGTYPE_TEMP, 0);
   switch (info->data) {
   case IL_DATA_WORD:
   case IL_DATA_FLOAT:
   case IL_DATA_BOOL:
   case IL_DATA_LABEL:
   case IL_DATA_FORMATS:
   case IL_DATA_MACRODEF:
      ndata = 1;
      break;
   case IL_DATA_WORD2:
   case IL_DATA_DIMS:
      ndata = 2;
      break;
   case IL_DATA_FLOAT4:
   case IL_DATA_BITS4:
      ndata = 4;
      break;
   case IL_DATA_STRING:
   case IL_DATA_BLOB:
      data[0] = 1;
      ndata = 2;
      break;
   case IL_DATA_TABLE:
      data[0] = 1;
      ndata = 2;
      break;
   case IL_DATA_INTERFACE:
      data[2] = 1;
      ndata = 4;
      break;
   case IL_DATA_DCL_CB:
      srcs[0] = il_array_src(p, IL_REGTYPE_CONST_BUFF, 1, 4, NULL);
      nsrc = 1;
      break;
   default:
      break;
   }
   if (info->value == IL_OP_DCL_INDEXED_TEMP_ARRAY)
      srcs[0] = il_array_src(p, IL_REGTYPE_ITEMP, 1, 4, NULL);
   if (info->value == IL_OP_DCL_LITERAL)
      srcs[0] = il_src(IL_REGTYPE_LITERAL, 1);
   if (info->value == IL_OP_DCL_NUM_THREAD_PER_GROUP)
      data[0] = data[1] = 8;
   else if (info->value == IL_OP_DCL_STRUCT_LDS || info->value == IL_OP_DCL_STRUCT_GDS ||
            info->value == IL_OP_DCL_STRUCT_UAV)
      data[0] = data[1] = 16;
   if (info->value == IL_OP_DCL_NUM_OCP)
      data[0] = 3;
   if (!strncmp(info->name, "eval_", 5))
      srcs[0] = il_src(IL_REGTYPE_INPUT, 32); /* v0 is the position */
   if (info->category == IL_CAT_UAV && info->dsts && !strncmp(info->name, "uav_", 4) &&
       strstr(info->name, "store"))
      dst = il_dst(IL_REGTYPE_GENERIC_MEM, 0);
   if (info->category == IL_CAT_DECL && info->dsts) {
      /* v# is a vertex to dclv, an input to the rest. */
      enum il_regtype type = info->value == IL_OP_DCL_OUTPUT || info->value == IL_OP_DCL_X_STREAMOUT
                                ? IL_REGTYPE_OUTPUT
                             : info->value == IL_OP_DCLV  ? IL_REGTYPE_VERTEX
                             : info->value == IL_OP_INITV ? IL_REGTYPE_TEMP
                                                          : IL_REGTYPE_INPUT;
      dst = il_dst(type, 1);
   }
   return il_emit_data(p, info->value, ctl, info->dsts ? &dst : NULL, nsrc, srcs, ndata, data);
}

/* Binary out and in, text out and in. */
static void
try_forms(const struct il_op_info *info, struct coverage_row *row)
{
   struct il_program *p = il_program_new(IL_SHADER_PIXEL), *q;
   struct il_error err;
   uint32_t n;

   if (!p || !emit_instance(p, info) || !il_emit(p, IL_OP_END, 0, NULL, 0, NULL)) {
      set_all(row, 0, "no memory");
      il_program_free(p);
      return;
   }
   uint32_t *words = il_write(p, IL_NUMBERING_STREAM, &n, &err);
   if (!words) {
      set_all(row, COVERAGE_ENCODE, err.text);
   } else if (!(q = il_read(words, n, IL_NUMBERING_STREAM, &err)) || !il_equal(p, q)) {
      snprintf(row->no[COVERAGE_DECODE], sizeof(row->no[0]), "%s",
               q ? "other bits came back" : err.text);
      il_program_free(q);
   } else {
      il_program_free(q);
   }
   free(words);
   char *text = il_print(p);
   q = text ? il_parse(text, strlen(text), &err) : NULL;
   if (!q || !il_equal(p, q)) {
      snprintf(row->no[COVERAGE_TEXT], sizeof(row->no[0]), "%s",
               q      ? "other bits came back"
               : text ? err.text
                      : "no memory");
   }
   free(text);
   il_program_free(q);
   il_program_free(p);
}

static const char *const stage_header[] = {
   [IL_SHADER_VERTEX] = "il_vs_2_0\n",
   [IL_SHADER_PIXEL] = "il_ps_2_0\n",
   [IL_SHADER_GEOMETRY] = "il_gs_2_0\ndcl_input_primitive_triangle\n",
   [IL_SHADER_COMPUTE] = "il_cs_2_0\ndcl_num_thread_per_group 64, 1, 1\n",
   [IL_SHADER_HULL] = "il_hs_2_0\ndcl_num_ocp 3\n",
   [IL_SHADER_DOMAIN] = "il_ds_2_0\n",
};

/* The instance in a program of a stage that has it: validated, executed and compiled. */
static void
try_program(const struct il_op_info *info, struct coverage_row *row)
{
   static const uint8_t order[] = { IL_SHADER_PIXEL,    IL_SHADER_VERTEX, IL_SHADER_COMPUTE,
                                    IL_SHADER_GEOMETRY, IL_SHADER_HULL,   IL_SHADER_DOMAIN };
   const char *before = "", *after = "";
   struct il_program *p = il_program_new(IL_SHADER_PIXEL);
   struct il_inst *inst = p ? emit_instance(p, info) : NULL;
   unsigned stage = IL_SHADER_PIXEL;
   struct il_error err;
   char line[200], text[1024];

   if (!inst || !info->stages) {
      const char *no_stage = inst ? execution_il_refusal(inst->op) : NULL;
      il_program_free(p);
      set_all(row, COVERAGE_VALIDATE,
              !inst      ? "no memory"
              : no_stage ? no_stage
                         : "no stage has it");
      return;
   }
   il_print_inst(p, inst, line, sizeof(line));
   il_program_free(p);
   for (unsigned i = 0; i < sizeof(order); i++) {
      if (info->stages >> order[i] & 1) {
         stage = order[i];
         break;
      }
   }
   for (unsigned i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
      if (!strcmp(frames[i].name, info->name)) {
         before = frames[i].before;
         after = frames[i].after;
      }
   }
   bool extension = info->value >= IL_OP_X_FIRST && info->value != IL_OP_DCL_X_VERSION;
   bool decl = info->category == IL_CAT_DECL || info->category == IL_CAT_MEMDECL;
   bool macro = info->category == IL_CAT_MACRO;
   if (macro && info->value != IL_OP_MACROCALL)
      line[0] = 0; /* of the definition in front */
   snprintf(text, sizeof(text), "%s%s%s%s%s%s%s%s%s\n%send\n",
            macro ? "mdef(0)_out(0)_in(0)\nmend\n" : "", stage_header[stage],
            extension ? "dcl_x_version 1\n" : "",
            stage == IL_SHADER_PIXEL && info->value != IL_OP_DCL_OUTPUT && !of_model_3(info)
               ? "dcl_output_generic o0\n"
               : "",
            decl || of_model_3(info)
               ? info->value == IL_OP_DCL_X_STREAMOUT ? "dcl_output_generic o1\n" : ""
               : "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
            declarations_of(info), decl ? "" : "mov r0, r0\n", before, line, after);
   p = il_parse(text, strlen(text), &err);
   if (!p) {
      set_all(row, COVERAGE_VALIDATE, err.text);
      return;
   }
   if (!il_validate(p, IL_STD_EXTENDED, &err))
      set_all(row, COVERAGE_VALIDATE, err.text);
   else
      try_execution(p, row);
   il_program_free(p);
}

bool
coverage_il_row(unsigned i, struct coverage_row *row)
{
   const struct il_op_info *info = il_op_row(i);

   if (!info)
      return false;
   memset(row, 0, sizeof(*row));
   row->isa = "il";
   row->kind = info->value >= IL_OP_X_FIRST ? "EXT" : "IL";
   row->name = info->name[0] ? info->name : "-";
   row->number = info->value;
   row->instruction = true;
   if (!info->shape_known) {
      set_all(row, 0, "Appendix B names it and nothing says its operands");
      return true;
   }
   if (info->value == IL_OP_END || info->value == IL_OP_PREFIX)
      return true; /* part of every program; of the instruction after it */
   if (info->value == IL_OP_MACRODEF) {
      try_program(info, row); /* stands in front of the header, where no form of one row is */
      return true;
   }
   try_forms(info, row);
   if (!row->no[COVERAGE_TEXT][0])
      try_program(info, row);
   else
      set_all(row, COVERAGE_VALIDATE, row->no[COVERAGE_TEXT]);
   return true;
}
