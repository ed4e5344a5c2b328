/* SPDX-License-Identifier: MIT */
/* What the compiler tells the driver, and what single rewritings do to the code: a needle in the
 * listing, or one that must not be there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/conventions.h"
#include "il/il.h"
#include "isa/cayman/cayman.h"

static struct shader_code shader;
static char *listing;

static void
release(void)
{
   shader_code_finish(&shader);
   free(listing);
   listing = NULL;
}

static void
compile_with(const char *text, unsigned flags)
{
   struct il_error il_error;
   char error[300];
   size_t size;
   struct il_program *il = il_parse(text, strlen(text), &il_error);

   release();
   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   if (!cayman_compile(il, flags, &shader, error, sizeof(error)))
      fail_msg("%s", error);
   il_program_free(il);
   FILE *f = open_memstream(&listing, &size);
   cayman_disassemble(f, shader.words, shader.num_dwords);
   fclose(f);
}

static void
compile(const char *text)
{
   compile_with(text, 0);
}

static void
has(const char *needle)
{
   if (!strstr(listing, needle))
      fail_msg("no \"%s\" in\n%s", needle, listing);
}

static void
has_not(const char *needle)
{
   if (strstr(listing, needle))
      fail_msg("\"%s\" in\n%s", needle, listing);
}

/* A pixel shader around a few lines; v32 and cb0 are there, o0 is written from r0. */
static void
pixel(const char *body)
{
   char text[4096];
   snprintf(text, sizeof(text),
            "il_ps_2_0\ndcl_cb cb0[8]\n"
            "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_resource_id(1)_type(cubemap)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_resource_id(2)_type(2darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_resource_id(3)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_resource_id(4)_type(buffer)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_resource_id(5)_type(1darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_resource_id(6)_type(2dmsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "dcl_input_generic_interp(linear) v32\n"
            "dcl_input_generic_interp(constant) v33\n"
            "dcl_output_generic o0\n"
            "dcl_literal l0, 0x3f800000, 0, 0x3e99999a, 1\n%smov o0, r0\nend\n",
            body);
   compile(text);
}

static unsigned
count(const char *needle)
{
   unsigned n = 0;
   for (const char *at = listing; (at = strstr(at, needle)); at++)
      n++;
   return n;
}

/* Copies, repetitions, and more constants than a group reads. */
static void
simplifying(void **state)
{
   (void)state;
   pixel("ge r1.x, v32.x, cb0[0].x\ncmov_logical r0, r1.x, l0.xxyz, l0.yxyz\n"); /* equal arms */
   assert_int_equal(count("CNDE"), 0);
   assert_int_equal(count("SETGE   "), 1);
   pixel("eq r1.x, v32.x, cb0[0].x\ncmov_logical r0, r1.x, l0.y, l0.x\n"); /* the opposite */
   has("SETNE   ");
   has_not("CNDE");
   pixel("ge r1.x, v32.x, cb0[0].x\ncmov_logical r0, r1.x, l0.y, l0.x\n"); /* not of NaN */
   has("CNDE");
   /* One clamp for two readers. */
   pixel("mul_ieee r1.x, v32.x, cb0[0].x\nmov_sat r2.x, r1.x\nadd r0, r2.x, r2.x_neg(x)\n");
   has("CLAMP");
   has_not("MOV");
   /* Equal instructions are one. */
   pixel("add r1.x, v32.x, cb0[0].x\nadd r2.x, v32.x, cb0[0].x\nmul_ieee r0, r1.x, r2.x\n");
   assert_int_equal(count(" ADD "), 1);
   assert_int_equal(count(" MUL_IEEE "), 1);
   /* A value beside inputs in an export: the inputs are copied, not the value. */
   compile("il_vs_2_0\ndcl_cb cb0[1]\ndcl_input_generic v0\ndcl_output_position o0\n"
           "mov r0.xy__, v0\nmov r0.__z_, cb0[0].x\nmov r0.___w, v0\nmov o0, r0\nend\n");
   assert_int_equal(count("MOV"), 1); /* and stay where they are */
   /* Three vectors of constant buffers: what the selects share is copied, once. */
   pixel("cmov_logical r0, cb0[0].x, cb0[1], cb0[2]\n");
   assert_int_equal(count("MOV"), 1);
   assert_int_equal(count("ALU: ADDR"), 1);
}

static void
rewriting(void **state)
{
   (void)state;
   pixel("mul_ieee r1, v32, cb0[0]\nadd r0, r1, cb0[1]\n");
   has("MULADD_IEEE");
   has_not(" MUL_IEEE");
   pixel("mul_ieee r1, v32, cb0[0]\nadd r0, r1, r1\n"); /* two readers */
   has_not("MULADD_IEEE");
   pixel("lt r1.x, v32.x, l0.y\ncmov_logical r0, r1.x, cb0[0], cb0[1]\n");
   has_not("SETGT");
   has("CNDGT");
   pixel("ge r1, v32, cb0[0]\niand r0, r1, l0.x\n");
   has("SETGE   ");
   has_not("AND_INT");
   pixel("mov r1, v32\nmov r2, r1\nadd_sat r0, r2, r1_abs\n"); /* copies vanish */
   has("CLAMP");
   has_not("MOV");
   pixel("mov r0, v32\nlt r1.x, v32.x, v32.y\nif_logicalnz r1.x\nmul_ieee r0, v32, v32\nendif\n");
   has("PRED_SETGT");
   has_not("PRED_SETNE");
   pixel("mov r0, v32\nlt r1.x, v32.x, v32.y\ndiscard_logicalnz r1.x\n");
   has("KILLGT");
   assert_true(shader.ps.kills);
}

static void
arithmetic(void **state)
{
   (void)state;
   pixel("sin_vec r0, v32.x\n");
   has("0x3E22F983");
   has("FRACT");
   pixel("ishl r0, v32, v33\n"); /* the low five bits count */
   has_not("AND_INT");
   pixel("ftoi r0, v32\n");
   has_not("TRUNC");
   pixel("dp3_ieee r0, v32, v33\n"); /* three slots of a chain */
   has("y: DOT_IEEE    ____");
   has("MUL_IEEE    ____");
   pixel("dp3 r0, v32, v33\n"); /* the other rules' 0 would change the sign of a zero */
   has("DOT4 ");
   has("0.0f,  0.0f");
   pixel("dp4_ieee r0, v32, v33\n");
   has("DOT4_IEEE");
   has_not("MUL");
   pixel("rcp_vec_zeroop(infinity) r0, v32.x\n");
   has("RECIP_IEEE");
   pixel("rcp_vec r0, v32.x\n");
   has("RECIP_CLAMPED");
}

static void
textures(void **state)
{
   (void)state;
   pixel("sample_resource(0)_sampler(1) r0, v32.xy00\n");
   has(", t18, s1 NORM(XYZW)");
   assert_int_equal(shader.textures, 1);
   assert_int_equal(shader.samplers, 2);
   pixel("sample_resource(1)_sampler(0) r0, v32.xyz0\n");
   has("CUBE");
   has("UNNORM(Z)");
   /* The direction is a constant, and so are the coordinates on the face: (-z, -y) / 2 x + 1.5. */
   pixel("sample_resource(1)_sampler(0) r0, l0.xyzy\n");
   has_not("CUBE");
   has_not("RECIP");
   has("1.350000");
   has("1.5f");
   pixel("sample_resource(2)_sampler(0) r0, v32.xyz0\n");
   has("RNDNE");
   pixel("sample_resource(3)_sampler(0) r0, v32.xy00\n");
   has("UNNORM(XY)");
   pixel("sample_l_resource(0)_sampler(0)_aoffimmi(3,-1,0) r0, v32.xy00, v32.z\n");
   has("SAMPLE_L ");
   has("XOFFSET(3) YOFFSET(-1)");
   pixel("sample_g_resource(0)_sampler(0) r0, v32.xy00, v32.zwww, v33.xyyy\n");
   has("SET_GRADIENTS_H");
   has("SAMPLE_G ");
   pixel("sample_c_l_resource(5)_sampler(0) r0, v32.xy00, v32.z, v32.w\n");
   has("SAMPLE_C_G ");
   pixel("load_resource(4) r0, v33.x\n");
   has("VFETCH");
   has(", f22 ");
   pixel("dsx r0, v32\n");
   has("GET_GRADIENTS_H");
   has_not("FINE");
   /* Independent fetches share a clause. */
   pixel("sample_resource(0)_sampler(0) r1, v32.xy00\nsample_resource(0)_sampler(0) r2, v32.zw00\n"
         "add r0, r1, r2\n");
   has("TEX: ADDR(");
   has("CNT(2)\n");
}

/* Texture stages of shader model 3 are resources and samplers of their number. */
static void
stages(void **state)
{
   static const struct {
      const char *text, *needle;
   } cases[] = {
      { "texld_stage(2) r0, v32\n", "SAMPLE R" },
      { "texld_stage(2)_lodbias(120) r0, v32\n", "LOD(-0.5)" },
      { "texld_stage(2)_shadowmode(z) r0, v32\n", "SAMPLE_C R" },
      { "texld_stage(2)_sec(0x2) r0, v32\n", "XOFF" },
      { "texldb_stage(2) r0, v32, c1\n", "SAMPLE_LB R" },
      { "texldb_stage(2)_absolute r0, v32, c1\n", "SAMPLE_L R" },
      { "texldb_stage(2)_shadowmode(z) r0, v32, c1\n", "SAMPLE_C_LB R" },
      { "texldd_stage(2) r0, v32, c1, c2\n", "SAMPLE_G R" },
      { "texldms_stage(3) r0, v32\n", " LD R" },
      { "lod_stage(2) r0, v32\n", "GET_LOD R" },
      { "kill_stage(2)_sample v32\nmov r0, v32\n", "KILLGT" },
      { "kill_stage(2)_sample v32\nmov r0, v32\n", "SAMPLE R" }, /* of the texel */
   };
   char text[512];
   (void)state;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      snprintf(text, sizeof(text),
               "il_ps_2_0\ndclpt_stage(2)_type(2d)_coordmode(normalized)\n"
               "dclpt_stage(3)_type(2dmsaa)_coordmode(unnormalized)\n"
               "dcl_input_generic_interp(linear) v32\ndcl_output_generic o0\n%smov o0, r0\nend\n",
               cases[i].text);
      compile(text);
      has(cases[i].needle);
   }
   pixel("load_fptr_resource(6) r0.x___, r1\n");
   has(" LD R");
   has(" LDFPTR");
   pixel("memimport_elem(4) r0, v32\n");
   has("VFETCH R");
   has("f22");
   assert_int_equal(shader.textures, 1u << 4);
   pixel("memexport_exportStream(3)_elemOffset(2) v32, cb0[1]\nmov r0, v32\n");
   has("MEM_RAT");
   has("ADD_INT");
   assert_int_equal(shader.uavs, 1u << 3);
}

static void
constants(void **state)
{
   (void)state;
   pixel("add r0, cb0[1], cb0[2]\nmul_ieee r0, r0, cb0[3]\n");
   has("KCACHE0(CB0:0-15)");
   assert_int_equal(shader.const_buffers, 1);
   pixel("mov r0, cb0[v33.x+2]\n");
   has("VFETCH R0, R0.y, f0"); /* one for all components */
   has("ADD_INT");
   assert_int_equal(shader.const_buffers_fetch, 1);
}

static void
pixel_interface(void **state)
{
   (void)state;
   compile("il_ps_2_0\n"
           "dcl_input_position_interp(linear) v0\n"
           "dcl_input_color_interp(notused) v2\n"
           "dcl_input_generic_interp(noperspective) v40.xy__\n"
           "dcl_input_generic_interp(constant) v41.x___\n"
           "dcl_input_isfrontface v96\n"
           "dcl_output_generic o0\ndcl_output_generic o2.xy__\n"
           "add r0, v2, v0\n"
           "add r0, r0, v40.xyxy\nadd r0, r0, v41.x\n"
           "iand r0.w, r0.w, v96.x\n"
           "mov o0, r0\nmov o2.xy__, v40\nend\n");
   assert_int_equal(shader.ps.num_inputs, 3);
   assert_int_equal(shader.ps.input[0].slot, IL_LINK_COLOR0);
   assert_int_equal(shader.ps.input[0].mode, SHADER_INPUT_COLOR);
   assert_int_equal(shader.ps.input[1].mode, SHADER_INPUT_SMOOTH);
   assert_int_equal(shader.ps.input[2].mode, SHADER_INPUT_FLAT);
   assert_int_equal(shader.ps.bary, 1 << SHADER_BARY_PERSP_CENTER | 1 << SHADER_BARY_LINEAR_CENTER);
   assert_int_equal(shader.ps.position_gpr, 1);
   assert_int_equal(shader.ps.face_gpr, 2);
   assert_int_equal(shader.ps.fixed_pt_gpr, -1);
   assert_int_equal(shader.ps.color_mask, 0x30f);
   assert_int_equal(shader.ps.num_colors, 3);
   has("EXP: PIX0");
   has("EXP_DONE: PIX2");
   /* Nothing is written: the export is there all the same. */
   compile("il_ps_2_0\nend\n");
   has("EXP_DONE: PIX0, R0.____");
   assert_int_not_equal(shader.ps.bary, 0);
}

static void
vertex_interface(void **state)
{
   (void)state;
   compile("il_vs_2_0\ndcl_x_version 1\n"
           "dcl_input_generic v0\ndcl_input_generic v5.xy__\ndcl_input_instanceid v33\n"
           "dcl_output_position o0\ndcl_output_pointsize o1.x___\ndcl_output_clipdistance o8.xy__\n"
           "dcl_output_generic o33\n"
           "mov o0, v0\nmov o1.x, v5.x\nmov o8.xy__, v5\nitof r0, v33.x\nmov o33, r0\nend\n");
   assert_int_equal(shader.vs.inputs, 0x21);
   assert_int_equal(shader.vs.input_mask[5], 3);
   assert_true(shader.vs.uses_instance_id);
   assert_true(shader.vs.writes_point_size);
   assert_int_equal(shader.vs.clip_dist, 3);
   assert_true(shader.vs.ccdist0 && !shader.vs.ccdist1);
   assert_int_equal(shader.vs.pos_exports, 7);
   assert_int_equal(shader.vs.num_params, 2);
   assert_int_equal(shader.vs.param_slot[0], IL_LINK_CLIP_DISTANCE0);
   assert_int_equal(shader.vs.param_slot[1], 33);
   has("00 CALL_FS");
   has("EXP: POS0, R1");
   has("EXP_DONE: POS2");
   has("EXP_DONE: PARAM1");
   compile("il_vs_2_0\ndcl_input_generic v0\ndcl_output_position o0\nmov o0, v0\nend\n");
   assert_int_equal(shader.vs.num_params, 1);
   assert_int_equal(shader.vs.param_slot[0], 0xff);
   has("EXP_DONE: PARAM0");
}

/* Registers of shader model 3 and before are inputs and outputs by link slot. */
static void
model3(void **state)
{
   (void)state;
   compile("il_vs_2_0\ndclv_elem(2) v1\ndclvout_usage(position)_usageIndex(0) oVtxOut0\n"
           "dclvout_usage(generic)_usageIndex(3) oVtxOut1\n"
           "dclvout_usage(color)_usageIndex(1) oVtxOut2\n"
           "mov oVtxOut0, v1\nadd oVtxOut1, v1, c0\nmov oVtxOut2, c1\nend\n");
   assert_int_equal(shader.vs.inputs, 4);
   assert_int_equal(shader.vs.num_params, 2);
   assert_int_equal(shader.vs.param_slot[0], IL_LINK_COLOR1);
   assert_int_equal(shader.vs.param_slot[1], IL_LINK_GENERIC0 + 3);
   assert_int_equal(shader.vs.pos_exports, 1);
   compile("il_vs_2_0\ndclv_elem(0) v0\nmov oPos, v0\nmov oSprite, c0.x\nmov vT3, v0\n"
           "mov vPriColor1, v0\nmov vFog, c0.y\nend\n");
   assert_true(shader.vs.writes_point_size);
   assert_int_equal(shader.vs.num_params, 3);
   assert_int_equal(shader.vs.param_slot[0], IL_LINK_BACK_COLOR0);
   assert_int_equal(shader.vs.param_slot[1], IL_LINK_FOG);
   assert_int_equal(shader.vs.param_slot[2], IL_LINK_TEXCOORD0 + 3);
   compile("il_ps_2_0\ndclpi vT1\ndclpi vPriColor0\nmul oC1, vT1, vPriColor0\n"
           "mul_ieee oC0, vT1, vFace.x\nend\n");
   assert_int_equal(shader.ps.num_inputs, 2);
   assert_int_equal(shader.ps.input[0].slot, IL_LINK_COLOR0);
   assert_int_equal(shader.ps.input[0].mode, SHADER_INPUT_COLOR);
   assert_int_equal(shader.ps.input[1].slot, IL_LINK_TEXCOORD0 + 1);
   assert_int_equal(shader.ps.num_colors, 2);
   assert_int_not_equal(shader.ps.face_gpr, -1);
   compile("il_ps_2_0\ndclpin_usage(generic)_usageIndex(5) vPixIn2\n"
           "add oC0, vPixIn2, vWinCoord\nend\n");
   assert_int_equal(shader.ps.input[0].slot, IL_LINK_GENERIC0 + 5);
   assert_int_not_equal(shader.ps.position_gpr, -1);
}

static void
list_fetch_shader(const struct cayman_vertex_element *elements, unsigned count)
{
   struct cayman_limits limits = { .num_gprs = count + 1,
                                   .num_clause_temps = 4,
                                   .fetch_shader = true };
   uint32_t *words;
   char error[200];
   size_t size;
   unsigned n = cayman_build_fetch_shader(elements, count, &words);
   assert_int_not_equal(n, 0);
   if (!cayman_validate(words, n, &limits, error, sizeof(error)))
      fail_msg("%s", error);
   release();
   FILE *f = open_memstream(&listing, &size);
   cayman_disassemble(f, words, n);
   fclose(f);
   free(words);
}

static void
fetch_shader(void **state)
{
   struct cayman_vertex_element e[3] = {
      { .resource = 4,
        .offset = 12,
        .data_format = CAYMAN_FMT_32_32_32_FLOAT,
        .dst_sel = { 0, 1, 2, 5 } },
      { .resource = 5,
        .data_format = CAYMAN_FMT_8_8_8_8,
        .dst_sel = { 0, 1, 2, 3 },
        .instance_divisor = 1 },
      { .resource = 6,
        .data_format = CAYMAN_FMT_32,
        .dst_sel = { 0, 4, 4, 5 },
        .instance_divisor = 3 },
   };
   uint32_t *words;
   (void)state;
   list_fetch_shader(e, 3);
   has("VFETCH R1.xyz1, R0.x, f4 OFFSET(0xC) FORMAT(0x30)");
   has("VFETCH R2, R0.w, f5");
   has("FETCHTYPE(INSTANCE_DATA)");
   has("w: MULHI_UINT  R3.w,  R0.w,  (0x55555556");
   has("VFETCH R3.x001, R3.w, f6");
   has("RET");
   has_not("ADD_INT");
   assert_int_equal(cayman_build_fetch_shader(NULL, 0, &words), 4);
   free(words);
}

/* Strides beyond a resource's: the index counts twice.  32 divisions fill two clauses. */
static void
fetch_twice(void **state)
{
   struct cayman_vertex_element e[32];
   (void)state;
   for (unsigned i = 0; i < 32; i++) {
      e[i] = (struct cayman_vertex_element){ .data_format = CAYMAN_FMT_32,
                                             .dst_sel = { 0, 4, 4, 5 },
                                             .instance_divisor = 5,
                                             .twice = true };
   }
   e[0].instance_divisor = 0;
   e[1].instance_divisor = 1;
   list_fetch_shader(e, 32);
   has("w: ADD_INT     R1.w,  R0.x,  R0.x");
   has("VFETCH R1.x001, R1.w, f0 FORMAT(0xD)");
   has("w: ADD_INT     R2.w,  R0.w,  R0.w");
   has("w: MULHI_UINT  R3.w,  R0.w,  (0x33333334");
   has("w: ADD_INT     R3.w,  R3.w,  R3.w");
   has("w: ADD_INT     R32.w,  R32.w,  R32.w");
   has("VFETCH R32.x001, R32.w, f0");
}

/* More than 18 registers hold, all of it alive at once: inputs and results go to scratch memory,
 * and so does an array. */
/* The product of `count` values in a tree, written depth first, as r`first` of those from there on.
 * Returns the characters written. */
static size_t
product(char *text, size_t size, unsigned first, unsigned begin, unsigned count)
{
   if (count == 1)
      return (size_t)snprintf(
         text, size, "mad_ieee r%u, v32, cb0[%u].%c, cb0[%u]\nmul_ieee r%u, r%u, r%u.wzyx\n", first,
         begin % 8, "xyzw"[begin / 8], (begin + 3) % 8, first, first, first);
   const unsigned half = count / 2;
   size_t n = product(text, size, first + 1, begin, half);
   n += product(text + n, size - n, first + 2 * half, begin + half, half);
   return n + (size_t)snprintf(text + n, size - n, "mul_ieee r%u, r%u, r%u\n", first, first + 1,
                               first + 2 * half);
}

/* As wide as it goes it takes more registers than let all waves run; with few values alive at
 * a time as many groups do with fewer. */
static void
more_waves(void **state)
{
   char text[3072];
   (void)state;
   product(text, sizeof(text), 0, 0, 16);
   pixel(text);
   assert_in_range(shader.num_gprs, 1, 8);
   assert_in_range(shader.num_dwords, 1, 464);
}

static void
few_registers(void **state)
{
   char text[8192];
   size_t n = 0;
   (void)state;
   n += snprintf(text + n, sizeof(text) - n, "il_vs_2_0\ndcl_indexed_temp_array x0[6]\n");
   for (unsigned i = 0; i < 16; i++)
      n += snprintf(text + n, sizeof(text) - n, "dcl_input_generic v%u\n", i);
   n += snprintf(text + n, sizeof(text) - n,
                 "dcl_output_position o0\ndcl_cb cb0[1]\nmov x0[cb0[0].x], v0\n");
   for (unsigned i = 0; i < 32; i++) {
      n += snprintf(text + n, sizeof(text) - n, "mul_ieee r%u, v%u, v%u.yzwx\n", i + 1, i % 16,
                    (i * 7 + 3) % 16);
   }
   n += snprintf(text + n, sizeof(text) - n, "mov r0, x0[cb0[0].y]\nwhileloop\n");
   for (unsigned i = 0; i < 32; i++) {
      n +=
         snprintf(text + n, sizeof(text) - n, "mad_ieee r0, r%u, v%u, r0\nadd r%u, r%u, r0.wzyx\n",
                  i + 1, (i + 5) % 16, i + 1, i + 1);
   }
   snprintf(text + n, sizeof(text) - n,
            "break_logicalnz r0.x\nendloop\nadd r0, r0, v7\nmov o0, r0\nend\n");
   compile_with(text, SHADER_COMPILE_FEW_GPRS);
   assert_in_range(shader.num_gprs, 1, 18);
   assert_in_range(shader.num_spilled, 100, 400);
   has("MEM_SCRATCH_WRITE_IND");
   has("MEM_SCRATCH_READ");
   compile(text);
   assert_int_equal(shader.num_spilled, 0);
}

/* Arrays at run-time indices: channels side by side, elements stored in one group, registers free
 * again after the last access. */
static void
indexed_arrays(void **state)
{
   (void)state;
   compile("il_ps_2_0\ndcl_cb cb0[3]\ndcl_output_generic o0\n"
           "dcl_indexed_temp_array x0[3]\ndcl_indexed_temp_array x1[4]\n"
           "mov x0[0].x, cb0[1].x\nmov x0[1].x, cb0[1].y\nmov x0[2].x, cb0[1].z\n"
           "mov x1[0].x, cb0[1].w\nmov x1[1].x, cb0[1].z\nmov x1[2].x, cb0[1].y\n"
           "mov x1[3].x, cb0[1].x\n"
           "mov r0.x, x0[cb0[0].x].x\nmov r0.y, x1[cb0[0].x].x\n"
           "mov r0.z, x0[cb0[0].x].x\nmov r0.w, x1[cb0[0].x].x\nmov o0, r0\nend\n");
   assert_in_range(shader.num_gprs, 1, 6);
   has("R1[A0.x].x");
   has("R1[A0.x].y");
   /* The elements are gone when the second half begins: it takes nothing beside them. */
   compile("il_ps_2_0\ndcl_cb cb0[16]\ndcl_output_generic o0\ndcl_indexed_temp_array x0[8]\n"
           "mov x0[0], cb0[1]\nmov x0[1], cb0[2]\nmov x0[2], cb0[3]\nmov x0[3], cb0[4]\n"
           "mov x0[4], cb0[5]\nmov x0[5], cb0[6]\nmov x0[6], cb0[7]\nmov x0[7], cb0[8]\n"
           "mov r0, x0[cb0[0].x]\n"
           "add r1, r0, cb0[9]\nadd r2, r0, cb0[10]\nadd r3, r0, cb0[11]\nadd r4, r0, cb0[12]\n"
           "mul_ieee r5, r1, r2.yzwx\nmul_ieee r6, r3, r4.yzwx\nmul_ieee r5, r5, r6.wzyx\n"
           "mad_ieee r5, r1, r3, r5\nmad_ieee r5, r2, r4, r5\nmov o0, r5\nend\n");
   assert_in_range(shader.num_gprs, 9, 10);
   /* In a loop every element is kept from its beginning to its end. */
   compile("il_ps_2_0\ndcl_cb cb0[16]\ndcl_output_generic o0\ndcl_indexed_temp_array x0[4]\n"
           "mov x0[0], cb0[1]\nmov x0[1], cb0[2]\nmov x0[2], cb0[3]\nmov x0[3], cb0[4]\n"
           "mov r0, cb0[0]\nwhileloop\nmov r1, x0[r0.x]\nadd r2, r1, cb0[5]\nadd r3, r1, cb0[6]\n"
           "mul_ieee r2, r2, r3.wzyx\nadd r0, r0, r2\nbreak_logicalnz r0.y\nendloop\n"
           "mov o0, r0\nend\n");
   assert_in_range(shader.num_gprs, 7, 9);
   /* Channels of one element that are stored one by one need one group. */
   compile("il_ps_2_0\ndcl_cb cb0[3]\ndcl_output_generic o0\ndcl_indexed_temp_array x0[2]\n"
           "mov x0[0].x, cb0[1].x\nmov x0[0].y, cb0[1].y\nmov x0[1].z, cb0[1].z\n"
           "mov x0[1].w, cb0[1].w\nmov r0, x0[cb0[0].x]\nmov o0, r0\nend\n");
   has("      0  x: MOV         R1.x,  KC0[1].x\n         y: MOV         R1.y,  KC0[1].y\n"
       "         z: MOV         R2.z,  KC0[1].z\n         w: MOV         R2.w,  KC0[1].w\n");
}

/* What is fetched and not read is not written, and what is captured stays where it is exported. */
static void
results_in_place(void **state)
{
   (void)state;
   pixel("sample_resource(0)_sampler(0) r1, v32.xy00\nmov r0, r1.y\n");
   has("SAMPLE R0._y__, ");
   compile("il_vs_2_0\ndcl_x_version 1\ndcl_cb cb0[4]\ndcl_output_position o0\n"
           "dcl_output_generic o32\ndcl_x_streamout_stride_buffer(0) 8\n"
           "dcl_x_streamout_buffer(0) o32._yz_, 4\ndcl_x_streamout_buffer(0) o32.___w, 1\n"
           "mul_ieee r0, cb0[0], cb0[1]\nmov o32, r0\nmov o0, r0\nend\n");
   has("BUF0_WRITE: DWORD_PTR[3], R0._yz_"); /* y at dword 4 */
   /* w cannot be at dword 1 - 3: x, which exports select */
   has("BUF0_WRITE: DWORD_PTR[1], R0.x___");
   assert_int_equal(count("MOV"), 0);
   /* A copy that a store needs does for the export, too. */
   compile("il_vs_2_0\ndcl_x_version 1\ndcl_cb cb0[4]\ndcl_output_position o0\n"
           "dcl_output_generic o32\ndcl_x_streamout_stride_buffer(0) 4\n"
           "dcl_x_streamout_buffer(0) o32, 0\ndcl_input_generic v0\n"
           "mov r0, v0.wzyx\nmov o32, r0\nmov o0, v0\nend\n");
   assert_int_equal(count("MOV"), 4);
}

/* Neighbours in local data are written two at a time. */
static void
local_pairs(void **state)
{
   (void)state;
   compile("il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_lds_id(0) 1024\n"
           "dcl_literal l0, 16, 0, 7, 9\nishl r1.x, vTidInGrpFlat.x, l0.z\n"
           "lds_store_vec_id(0) mem.xyz_, r1.x, l0.y, l0\n"
           "lds_store_vec_id(0) mem.x_z_, r1.x, l0.y, l0.wwww\nend\n");
   assert_int_equal(count("LDS_WRITE_REL OFFSET(1),"), 1);
   assert_int_equal(count("LDS_WRITE   "), 3);
}

/* An address that one block ties to others as a coordinate, and a later block stores to as it is:
 * two values that both must be in x are in two registers. */
static void
tied_then_stored(void **state)
{
   (void)state;
   compile_with("il_ps_2_0\ndcl_uav_id(0)_type(1d)_fmtx(uint)\ndcl_cb cb0[2]\n"
                "dcl_resource_id(0)_type(1d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
                "dcl_input_generic_interp(linear) v32\ndcl_output_generic o0\n"
                "add r1.x, cb0[0].x, cb0[0].y\nsample_l_resource(0)_sampler(0) r0, v32.xxxx, r1.x\n"
                "if_logicalnz cb0[1].x\nuav_store_id(0) r1.x, v32\nendif\nmov o0, r0\nend\n",
                SHADER_COMPILE_NO_OPT);
   char address[40], sample[40];
   const char *store = strstr(listing, "STORE_TYPED, R"), *fetch = strstr(listing, "SAMPLE_L R");
   assert_non_null(store);
   assert_non_null(fetch);
   assert_int_equal(sscanf(store, "STORE_TYPED, %39[R0-9]", address), 1);
   assert_int_equal(sscanf(strchr(fetch, ','), ", %39[R0-9]", sample), 1);
   /* v32.x is pinned by its interpolation: the address cannot be x of the same register. */
   assert_string_not_equal(address, sample);
}

/* Additions of zero and their like are no instructions. */
static void
neutral_operands(void **state)
{
   (void)state;
   pixel("iadd r1, v33, l0.y\nishl r1, r1, l0.y\nior r1, l0.y, r1\niand r1, r1, l1\n"
         "ixor r1, r1, l0.y\nushr r1, r1, l0.y\nishr r1, r1, l0.y\nmov r0, r1\n"
         "dcl_literal l1, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff\n");
   has_not("_INT ");
   pixel("ishl r1, l0.w, v33\nmov r0, r1\n");
   assert_int_equal(count("LSHL_INT"), 4);
}

/* Short sides of a branch have no JUMP, a break has no branch. */
static void
control_flow(void **state)
{
   (void)state;
   const char *const fetches =
      "sample_resource(0)_sampler(0) r3, r0.xy00\nmul_ieee r3, r3, cb0[1]\n"
      "sample_resource(0)_sampler(0) r3, r3.xy00\nadd r0, r0, r3\n";
   char text[1000];

   pixel("mov r0, v32\nif_logicalnz v33.x\nmul_ieee r0, r0, cb0[1]\nelse\nadd r0, r0, "
         "cb0[2]\nendif\n");
   has("01 ALU_ELSE_AFTER:");
   has("02 ALU_POP_AFTER:");
   has_not("JUMP");
   snprintf(text, sizeof(text),
            "mov r0, v32\nif_logicalnz v33.x\n%selse\nadd r0, r0, cb0[2]\nendif\n", fetches);
   pixel(text);
   has("01 JUMP ADDR(5)\n");
   has("05 ALU_ELSE_AFTER:");
   has("06 ALU_POP_AFTER:");
   snprintf(text, sizeof(text),
            "mov r0, v32\nif_logicalnz v33.x\nadd r0, r0, cb0[2]\nelse\n%sendif\n", fetches);
   pixel(text);
   has("02 ELSE POP_CNT(1) ADDR(7)\n");
   has("06 ALU_POP_AFTER:");
   has_not("JUMP");

   snprintf(text, sizeof(text),
            "mov r0, v32\nmov r1, v33\nwhileloop\nige r2.x, r1.x, l0.w\nbreak_logicalnz r2.x\n"
            "iadd r1.x, r1.x, l0.w\n%sendloop\n",
            fetches);
   pixel(text);
   has("UPDATE_EXEC_MASK_BREAK");
   has("03 JUMP ADDR(8)\n"); /* to the loop's end */
   has("08 ENDLOOP");
   has_not("PUSH");
   has_not("POP");
   pixel("mov r0, v32\nmov r1, v33\nwhileloop\niadd r1.x, r1.x, l0.w\nige r2.x, r1.x, l0.w\n"
         "break_logicalnz r2.x\nadd r0, r0, r0\nendloop\n");
   has("UPDATE_EXEC_MASK_BREAK");
   has_not("JUMP ");
}

static void
same_words_every_time(void **state)
{
   (void)state;
   const char *body = "mul_ieee r1, v32, cb0[0]\nsample_resource(0)_sampler(0) r2, r1.xy00\n"
                      "mad_ieee r0, r1, r2, cb0[3]\nsin_vec r0.x, r0.y\n";
   pixel(body);
   char *first = strdup(listing);
   pixel(body);
   assert_string_equal(first, listing);
   free(first);
}

static int
finish(void **state)
{
   (void)state;
   release();
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewriting),        cmocka_unit_test(simplifying),
      cmocka_unit_test(arithmetic),       cmocka_unit_test(textures),
      cmocka_unit_test(stages),           cmocka_unit_test(constants),
      cmocka_unit_test(pixel_interface),  cmocka_unit_test(vertex_interface),
      cmocka_unit_test(fetch_shader),     cmocka_unit_test(fetch_twice),
      cmocka_unit_test(model3),           cmocka_unit_test(more_waves),
      cmocka_unit_test(few_registers),    cmocka_unit_test(indexed_arrays),
      cmocka_unit_test(results_in_place), cmocka_unit_test(local_pairs),
      cmocka_unit_test(tied_then_stored), cmocka_unit_test(neutral_operands),
      cmocka_unit_test(control_flow),     cmocka_unit_test(same_words_every_time),
   };
   return cmocka_run_group_tests(tests, NULL, finish);
}
