/* SPDX-License-Identifier: MIT */
/*
 * Random IL programs, compiled and executed on the device's shader core, against a scalar
 * interpreter: nested branches and loops, variables written on several paths, swizzles, masks,
 * indexed arrays, constants, literals, every integer operation and exact float arithmetic.  Each
 * program is compiled with and without optional rewriting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"

#include "run_wave.h"

#define NUM_TEMPS    12
#define NUM_CONSTS   40
#define NUM_LITERALS 16
#define ARRAY_SIZE   6
#define MAX_STMTS    600
#define NUM_OUT      6

static uint64_t seed;
static unsigned array_declared; /* elements: 6 fit into registers, many go to scratch memory */

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 33) ^ (uint32_t)(seed >> 17);
}

static unsigned
pick(unsigned n)
{
   return rnd() % n;
}

/* --- programs --------------------------------------------------------------------------------- */

enum operand_type { TEMP, INPUT, CONST, LITERAL, ARRAY_FIXED, ARRAY_INDEXED, CONST_INDEXED };

struct source {
   enum operand_type type;
   unsigned num;
   unsigned swz[4];
   unsigned index_comp; /* ARRAY_INDEXED, CONST_INDEXED: component of r11 (0..3) */
};

enum kind { OP, IF, LOOP, BREAK, CONTINUE };

struct stmt {
   enum kind kind;
   unsigned op;
   unsigned dst, mask;
   bool dst_array, dst_indexed;
   unsigned dst_index_comp;
   struct source src[3];
   bool zero, has_else;
   unsigned loop; /* counter register */
   int body[8], other[8];
   unsigned num_body, num_other;
};

struct op {
   const char *name;
   unsigned srcs;
};

enum {
   O_MOV,
   O_IADD,
   O_AND,
   O_OR,
   O_XOR,
   O_SHL,
   O_SHR,
   O_USHR,
   O_MUL,
   O_UMULH,
   O_IMULH,
   O_LT,
   O_GE,
   O_EQ,
   O_NE,
   O_ULT,
   O_UGE,
   O_CMOV,
   O_IMIN,
   O_IMAX,
   O_UMIN,
   O_UMAX,
   O_NOT,
   O_NEG,
   O_UDIV,
   O_UMOD,
   O_ITOF,
   O_FTOI,
   O_FADD,
   O_FMUL,
   O_FMAD,
   O_FLT,
   O_FGE,
   O_FEQ,
   O_FNE,
   O_FMIN,
   O_FMAX,
   O_UBFE,
   O_IBFE,
   O_CBITS,
   O_COUNT
};

static const struct op ops[O_COUNT] = {
   [O_MOV] = { "mov", 1 },
   [O_IADD] = { "iadd", 2 },
   [O_AND] = { "iand", 2 },
   [O_OR] = { "ior", 2 },
   [O_XOR] = { "ixor", 2 },
   [O_SHL] = { "ishl", 2 },
   [O_SHR] = { "ishr", 2 },
   [O_USHR] = { "ushr", 2 },
   [O_MUL] = { "imul", 2 },
   [O_UMULH] = { "umul_high", 2 },
   [O_IMULH] = { "imul_high", 2 },
   [O_LT] = { "ilt", 2 },
   [O_GE] = { "ige", 2 },
   [O_EQ] = { "ieq", 2 },
   [O_NE] = { "ine", 2 },
   [O_ULT] = { "ult", 2 },
   [O_UGE] = { "uge", 2 },
   [O_CMOV] = { "cmov_logical", 3 },
   [O_IMIN] = { "imin", 2 },
   [O_IMAX] = { "imax", 2 },
   [O_UMIN] = { "umin", 2 },
   [O_UMAX] = { "umax", 2 },
   [O_NOT] = { "inot", 1 },
   [O_NEG] = { "inegate", 1 },
   [O_UDIV] = { "udiv", 2 },
   [O_UMOD] = { "umod", 2 },
   [O_ITOF] = { "itof", 1 },
   [O_FTOI] = { "ftoi", 1 },
   [O_FADD] = { "add", 2 },
   [O_FMUL] = { "mul_ieee", 2 },
   [O_FMAD] = { "mad_ieee", 3 },
   [O_FLT] = { "lt", 2 },
   [O_FGE] = { "ge", 2 },
   [O_FEQ] = { "eq", 2 },
   [O_FNE] = { "ne", 2 },
   [O_FMIN] = { "min_ieee", 2 },
   [O_FMAX] = { "max_ieee", 2 },
   [O_UBFE] = { "ubit_extract", 3 },
   [O_IBFE] = { "ibit_extract", 3 },
   [O_CBITS] = { "icbits", 1 },
};

static struct stmt pool[MAX_STMTS];
static unsigned used, loops_used;
static uint32_t constants[NUM_CONSTS][4], literals[NUM_LITERALS][4];

/* r11 is kept to indices 0 .. ARRAY_SIZE - 1 (iand of 3 keeps it below 4). */
static struct source
random_source(void)
{
   struct source s = { 0 };
   for (unsigned i = 0; i < 4; i++)
      s.swz[i] = pick(4);
   if (pick(2))
      for (unsigned i = 0; i < 4; i++)
         s.swz[i] = i;
   switch (pick(16)) {
   case 0:
   case 1:
      s.type = INPUT;
      s.num = pick(2);
      break;
   case 2:
   case 3:
      s.type = CONST;
      s.num = pick(NUM_CONSTS);
      break;
   case 4:
   case 5:
      s.type = LITERAL;
      s.num = pick(NUM_LITERALS);
      break;
   case 6:
      s.type = ARRAY_FIXED;
      s.num = pick(ARRAY_SIZE);
      break;
   case 7:
      s.type = ARRAY_INDEXED;
      s.num = pick(ARRAY_SIZE - 3);
      s.index_comp = pick(4);
      break;
   default:
      s.type = TEMP;
      s.num = pick(NUM_TEMPS - 1);
      break;
   }
   return s;
}

static int
generate(unsigned depth, unsigned loop_depth)
{
   if (used == MAX_STMTS)
      return -1;
   int n = (int)used++;
   struct stmt *s = &pool[n];
   memset(s, 0, sizeof(*s));
   unsigned choice = pick(12);
   if (depth > 0 && choice < 2) {
      s->kind = IF;
      s->has_else = pick(2);
      s->zero = pick(2);
      s->src[0] = random_source();
   } else if (depth > 0 && choice == 2 && loop_depth < 3) {
      s->kind = LOOP;
      s->loop = loops_used++;
   } else if (loop_depth && choice == 3) {
      s->kind = pick(2) ? BREAK : CONTINUE;
      s->zero = pick(2);
      s->src[0] = random_source();
   } else {
      s->kind = OP;
      s->op = pick(O_COUNT);
      s->dst = pick(NUM_TEMPS);
      s->mask = 1 + pick(15);
      if (pick(8) == 0) {
         s->dst_array = true;
         s->dst = pick(ARRAY_SIZE);
         if (pick(2)) {
            s->dst_indexed = true;
            s->dst = pick(ARRAY_SIZE - 3);
            s->dst_index_comp = pick(4);
         }
      }
      for (unsigned i = 0; i < 3; i++)
         s->src[i] = random_source();
   }
   if (s->kind == IF || s->kind == LOOP) {
      unsigned count = 1 + pick(6);
      for (unsigned i = 0; i < count; i++) {
         int child = generate(depth - 1, loop_depth + (pool[n].kind == LOOP));
         if (child >= 0)
            pool[n].body[pool[n].num_body++] = child;
      }
      for (unsigned i = 0; pool[n].has_else && i < 1 + count / 2; i++) {
         int child = generate(depth - 1, loop_depth);
         if (child >= 0)
            pool[n].other[pool[n].num_other++] = child;
      }
   }
   return n;
}

/* --- text ------------------------------------------------------------------------------------- */

static char text[1 << 20];
static size_t length;

static void __attribute__((format(printf, 1, 2))) put(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   length += vsnprintf(text + length, sizeof(text) - length, format, args);
   va_end(args);
}

static void
put_source(const struct source *s)
{
   switch (s->type) {
   case TEMP:
      put("r%u", s->num);
      break;
   case INPUT:
      put("v%u", s->num);
      break;
   case CONST:
      put("cb0[%u]", s->num);
      break;
   case LITERAL:
      put("l%u", s->num);
      break;
   case ARRAY_FIXED:
      put("x0[%u]", s->num);
      break;
   default:
      put("x0[r%u.%c+%u]", NUM_TEMPS - 1, "xyzw"[s->index_comp], s -> num);
      break;
   }
   put(".%c%c%c%c", "xyzw"[s->swz[0]], "xyzw"[s->swz[1]], "xyzw"[s->swz[2]], "xyzw"[s->swz[3]]);
}

static void
put_mask(unsigned mask)
{
   put(".%c%c%c%c", mask & 1 ? 'x' : '_', mask & 2 ? 'y' : '_', mask & 4 ? 'z' : '_',
       mask & 8 ? 'w' : '_');
}

static void
put_stmt(const struct stmt *s)
{
   switch (s->kind) {
   case OP:
      put("%s ", ops[s->op].name);
      if (s->dst_array)
         if (s->dst_indexed)
            put("x0[r%u.%c+%u]", NUM_TEMPS - 1, "xyzw"[s->dst_index_comp], s -> dst);
         else
            put("x0[%u]", s->dst);
      else
         put("r%u", s->dst);
      put_mask(s->mask);
      for (unsigned i = 0; i < ops[s->op].srcs; i++) {
         put(", ");
         put_source(&s->src[i]);
      }
      put("\n");
      if (!s->dst_array && s->dst == NUM_TEMPS - 1)
         put("iand r%u, r%u, l%u\n", s->dst, s->dst, NUM_LITERALS);
      break;
   case IF:
      put("if_logical%s ", s->zero ? "z" : "nz");
      put_source(&s->src[0]);
      put("\n");
      for (unsigned i = 0; i < s->num_body; i++)
         put_stmt(&pool[s->body[i]]);
      if (s->has_else) {
         put("else\n");
         for (unsigned i = 0; i < s->num_other; i++)
            put_stmt(&pool[s->other[i]]);
      }
      put("endif\n");
      break;
   case LOOP:
      put("mov r%u.x, l%u.x\nwhileloop\n", 100 + s->loop, NUM_LITERALS + 1);
      put("ige r%u.y, r%u.x, l%u.y\nbreak_logicalnz r%u.y\n", 100 + s->loop, 100 + s->loop,
          NUM_LITERALS + 1, 100 + s->loop);
      put("iadd r%u.x, r%u.x, l%u.z\n", 100 + s->loop, 100 + s->loop, NUM_LITERALS + 1);
      for (unsigned i = 0; i < s->num_body; i++)
         put_stmt(&pool[s->body[i]]);
      put("endloop\n");
      break;
   default:
      put("%s_logical%s ", s->kind == BREAK ? "break" : "continue", s->zero ? "z" : "nz");
      put_source(&s->src[0]);
      put("\n");
      break;
   }
}

static void
put_program(const int *stmts, unsigned count)
{
   length = 0;
   put("il_vs_2_0\ndcl_cb cb0[%u]\n", NUM_CONSTS);
   put("dcl_input_generic v0\ndcl_input_generic v1\n");
   put("dcl_output_position o0\n");
   for (unsigned i = 0; i < NUM_OUT; i++)
      put("dcl_output_generic o%u\n", 32 + i);
   put("dcl_indexed_temp_array x0[%u]\n", array_declared);
   for (unsigned i = 0; i < NUM_LITERALS; i++) {
      put("dcl_literal l%u, 0x%08x, 0x%08x, 0x%08x, 0x%08x\n", i, literals[i][0], literals[i][1],
          literals[i][2], literals[i][3]);
   }
   put("dcl_literal l%u, 3, 3, 3, 3\n", NUM_LITERALS);
   put("dcl_literal l%u, 0, 5, 1, 0\n", NUM_LITERALS + 1);
   for (unsigned i = 0; i < NUM_TEMPS; i++)
      put("mov r%u, v%u.%s\n", i, i & 1, i & 2 ? "xyzw" : "wzyx");
   put("iand r%u, r%u, l%u\n", NUM_TEMPS - 1, NUM_TEMPS - 1, NUM_LITERALS);
   for (unsigned i = 0; i < ARRAY_SIZE; i++)
      put("mov x0[%u], cb0[%u]\n", i, i);
   for (unsigned i = 0; i < count; i++)
      put_stmt(&pool[stmts[i]]);
   put("mov o0, r0\n");
   for (unsigned i = 0; i < NUM_OUT; i++) {
      if (i < NUM_OUT - 1) {
         put("ixor r%u, r%u, r%u\n", i, i, i + NUM_OUT - 1);
         put("mov o%u, r%u\n", 32 + i, i);
      } else {
         put("mov o%u, x0[2]\n", 32 + i);
      }
   }
   put("end\n");
}

/* --- interpreter ------------------------------------------------------------------------------ */

struct lane_state {
   uint32_t r[NUM_TEMPS][4], v[2][4], x[ARRAY_SIZE][4];
};

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

/* Denormals are flushed, NaN results are canonical. */
static float
in_float(uint32_t u)
{
   if (!(u & 0x7f800000))
      u &= 0x80000000;
   return as_float(u);
}

static uint32_t
out_float(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   if (f != f)
      return 0x7fc00000;
   return u & 0x7f800000 ? u : u & 0x80000000;
}

static uint32_t
read_source(const struct lane_state *l, const struct source *s, unsigned c)
{
   unsigned k = s->swz[c];
   switch (s->type) {
   case TEMP:
      return l->r[s->num][k];
   case INPUT:
      return l->v[s->num][k];
   case CONST:
      return constants[s->num][k];
   case LITERAL:
      return literals[s->num][k];
   case ARRAY_FIXED:
      return l->x[s->num][k];
   default:
      return l->x[s->num + l->r[NUM_TEMPS - 1][s->index_comp]][k];
   }
}

static uint32_t
mad(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t p = out_float(in_float(a) * in_float(b));
   return out_float(in_float(p) + in_float(c));
}

static uint32_t
fminmax(uint32_t a, uint32_t b, bool max)
{
   float x = in_float(a), y = in_float(b);
   if (x != x || y != y)
      return out_float(x != x ? y : x);
   if (x == y) { /* zeros of both signs */
      uint32_t u = out_float(x), v = out_float(y);
      return max ? u & v : u | v;
   }
   return out_float((x < y) != max ? x : y);
}

static uint32_t
compute(unsigned op, uint32_t a, uint32_t b, uint32_t c)
{
   float fa = in_float(a), fb = in_float(b);
   switch (op) {
   case O_MOV:
      return a;
   case O_IADD:
      return a + b;
   case O_AND:
      return a & b;
   case O_OR:
      return a | b;
   case O_XOR:
      return a ^ b;
   case O_SHL:
      return a << (b & 31);
   case O_SHR:
      return (uint32_t)((int32_t)a >> (b & 31));
   case O_USHR:
      return a >> (b & 31);
   case O_MUL:
      return a * b;
   case O_UMULH:
      return (uint64_t)a * b >> 32;
   case O_IMULH:
      return (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32;
   case O_LT:
      return (int32_t)a < (int32_t)b ? ~0u : 0;
   case O_GE:
      return (int32_t)a >= (int32_t)b ? ~0u : 0;
   case O_EQ:
      return a == b ? ~0u : 0;
   case O_NE:
      return a != b ? ~0u : 0;
   case O_ULT:
      return a < b ? ~0u : 0;
   case O_UGE:
      return a >= b ? ~0u : 0;
   case O_CMOV:
      return a ? b : c;
   case O_IMIN:
      return (int32_t)a < (int32_t)b ? a : b;
   case O_IMAX:
      return (int32_t)a > (int32_t)b ? a : b;
   case O_UMIN:
      return a < b ? a : b;
   case O_UMAX:
      return a > b ? a : b;
   case O_NOT:
      return ~a;
   case O_NEG:
      return -a;
   case O_UDIV:
      return b ? a / b : ~0u;
   case O_UMOD:
      return b ? a % b : ~0u;
   case O_ITOF:
      return out_float((float)(int32_t)a);
   case O_FTOI:
      if (fa != fa)
         return 0;
      if (fa >= 2147483648.0f)
         return 0x7fffffff;
      if (fa <= -2147483648.0f)
         return 0x80000000;
      return (uint32_t)(int32_t)fa;
   case O_FADD:
      return out_float(fa + fb);
   case O_FMUL:
      return out_float(fa * fb);
   case O_FMAD:
      return mad(a, b, c);
   case O_FLT:
      return fa < fb ? ~0u : 0;
   case O_FGE:
      return fa >= fb ? ~0u : 0;
   case O_FEQ:
      return fa == fb ? ~0u : 0;
   case O_FNE:
      return fa != fb ? ~0u : 0;
   case O_FMIN:
      return fminmax(a, b, false);
   case O_FMAX:
      return fminmax(a, b, true);
   case O_UBFE: {
      unsigned width = a & 31, offset = b & 31;
      if (!width)
         return 0;
      return width + offset >= 32 ? c >> offset : c << (32 - width - offset) >> (32 - width);
   }
   case O_IBFE: {
      unsigned width = a & 31, offset = b & 31;
      if (!width)
         return 0;
      return (uint32_t)(width + offset >= 32
                           ? (int32_t)c >> offset
                           : (int32_t)(c << (32 - width - offset)) >> (32 - width));
   }
   case O_CBITS:
      return __builtin_popcount(a);
   default:
      return 0;
   }
}

enum outcome { GO_ON, LEAVE_BREAK, LEAVE_CONTINUE };

static enum outcome
interpret(struct lane_state *l, const struct stmt *s)
{
   switch (s->kind) {
   case OP: {
      uint32_t result[4], element[4] = { 0 };
      for (unsigned c = 0; c < 4; c++) {
         uint32_t v[3] = { 0 };
         for (unsigned i = 0; i < ops[s->op].srcs; i++)
            v[i] = read_source(l, &s->src[i], c);
         element[c] = compute(s->op, v[0], v[1], v[2]);
         result[c] = element[c];
      }
      uint32_t *dst =
         s->dst_array ? l->x[s->dst + (s->dst_indexed ? l->r[NUM_TEMPS - 1][s->dst_index_comp] : 0)]
                      : l->r[s->dst];
      for (unsigned c = 0; c < 4; c++)
         if (s->mask >> c & 1)
            dst[c] = result[c];
      for (unsigned c = 0; c < 4 && !s->dst_array && s->dst == NUM_TEMPS - 1; c++)
         dst[c] &= 3;
      return GO_ON;
   }
   case IF: {
      bool taken = (read_source(l, &s->src[0], 0) == 0) == s->zero;
      const int *list = taken ? s->body : s->other;
      unsigned count = taken ? s->num_body : s->num_other;
      for (unsigned i = 0; i < count; i++) {
         enum outcome o = interpret(l, &pool[list[i]]);
         if (o != GO_ON)
            return o;
      }
      return GO_ON;
   }
   case LOOP:
      for (unsigned n = 0; n < 5; n++) {
         for (unsigned i = 0; i < s->num_body; i++) {
            enum outcome o = interpret(l, &pool[s->body[i]]);
            if (o == LEAVE_BREAK)
               return GO_ON;
            if (o == LEAVE_CONTINUE)
               break;
         }
      }
      return GO_ON;
   default:
      if ((read_source(l, &s->src[0], 0) == 0) != s->zero)
         return GO_ON;
      return s->kind == BREAK ? LEAVE_BREAK : LEAVE_CONTINUE;
   }
}

/* --- the test --------------------------------------------------------------------------------- */

static struct run_wave r;

static uint32_t
interesting(void)
{
   switch (pick(8)) {
   case 0:
      return pick(8);
   case 1:
      return -pick(8);
   case 2:
      return pick(64);
   case 3:
      return out_float((float)(int)pick(2000) - 1000);
   case 4:
      return out_float(((float)(int)pick(2000) - 1000) / 64);
   case 5:
      return rnd() & rnd();
   case 6:
      return 0x3f800000;
   default:
      return rnd();
   }
}

static void
run_one(const int *stmts, unsigned count, unsigned flags, uint32_t *fs, unsigned fs_dwords)
{
   struct il_error il_error;
   struct shader_code shader;
   char error[256];

   put_program(stmts, count);
   struct il_program *il = il_parse(text, length, &il_error);
   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   if (!cayman_compile(il, flags, &shader, error, sizeof(error))) {
      print_message("%s", text);
      fail_msg("%s", error);
   }
   il_program_free(il);

   run_wave_init(&r, SQ_STAGE_VS);
   r.source.pgm_resources = shader.num_gprs | shader.stack_size << 8 | 1 << 21;
   r.source.fetch_words = fs;
   r.source.num_fetch_words = fs_dwords;
   r.kcache[0] = &constants[0][0];
   r.kcache_bytes[0] = sizeof(constants);
   struct lane_state lanes[64];
   for (unsigned l = 0; l < 64; l++) {
      struct lane_state *s = &lanes[l];
      memset(s, 0, sizeof(*s));
      for (unsigned i = 0; i < 2; i++) {
         for (unsigned c = 0; c < 4; c++) {
            s->v[i][c] = interesting();
            memcpy(&r.gpr[1 + i][c][l], &s->v[i][c], 4);
         }
      }
      for (unsigned i = 0; i < NUM_TEMPS; i++)
         for (unsigned c = 0; c < 4; c++)
            s->r[i][c] = s->v[i & 1][i & 2 ? c : 3 - c];
      for (unsigned c = 0; c < 4; c++)
         s->r[NUM_TEMPS - 1][c] &= 3;
      for (unsigned i = 0; i < ARRAY_SIZE; i++)
         memcpy(s->x[i], constants[i], 16);
      for (unsigned i = 0; i < count; i++)
         interpret(s, &pool[stmts[i]]);
   }
   if (!run_wave(&r, shader.words, shader.num_dwords)) {
      cayman_disassemble(stdout, shader.words, shader.num_dwords);
      fail_msg("the wave failed: %s",
               r.program && r.program->core.error ? r.program->core.error : "faulted");
   }
   for (unsigned i = 0; i < NUM_OUT; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < 64; l++) {
            uint32_t got, want = i < NUM_OUT - 1 ? lanes[l].r[i][c] ^ lanes[l].r[i + NUM_OUT - 1][c]
                                                 : lanes[l].x[2][c];
            memcpy(&got, &r.outputs.param[i][c][l], 4);
            if (got != want) {
               print_message("%s", text);
               cayman_disassemble(stdout, shader.words, shader.num_dwords);
               fflush(stdout);
               fail_msg("flags %u, output %u.%c, lane %u: %08x, expected %08x", flags, i, "xyzw"[c],
                        l, got, want);
            }
         }
      }
   }
   run_wave_free(&r);
   shader_code_finish(&shader);
}

static void
run_programs(unsigned first, unsigned programs, unsigned statements, unsigned depth, unsigned flags)
{
   uint32_t *fs;
   unsigned fs_dwords = cayman_build_fetch_shader(NULL, 0, &fs);

   assert_int_not_equal(fs_dwords, 0);
   array_declared = array_declared ? array_declared : ARRAY_SIZE;
   for (unsigned p = 0; p < programs; p++) {
      int stmts[64];
      unsigned count = 0;
      seed = first + p;
      used = loops_used = 0;
      for (unsigned i = 0; i < NUM_CONSTS * 4; i++)
         constants[i / 4][i % 4] = interesting();
      for (unsigned i = 0; i < NUM_LITERALS * 4; i++)
         literals[i / 4][i % 4] = interesting();
      for (unsigned i = 0; i < statements; i++) {
         int s = generate(depth, 0);
         if (s >= 0)
            stmts[count++] = s;
      }
      uint64_t data_seed = seed;
      run_one(stmts, count, flags, fs, fs_dwords);
      seed = data_seed;
      run_one(stmts, count, flags | SHADER_COMPILE_NO_OPT, fs, fs_dwords);
   }
   free(fs);
}

static void
straight_line(void **state)
{
   (void)state;
   run_programs(1, 300, 20, 0, 0);
}

static void
branches_and_loops(void **state)
{
   (void)state;
   run_programs(10001, 400, 12, 4, 0);
}

static void
long_programs(void **state)
{
   (void)state;
   run_programs(20001, 40, 60, 3, 0);
}

static void
few_registers(void **state)
{
   (void)state;
   run_programs(30001, 100, 20, 3, SHADER_COMPILE_FEW_GPRS);
}

static void
arrays_in_memory(void **state)
{
   (void)state;
   array_declared = 100;
   run_programs(40001, 100, 16, 3, 0);
   run_programs(50001, 30, 16, 3, SHADER_COMPILE_FEW_GPRS);
   array_declared = 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight_line),    cmocka_unit_test(branches_and_loops),
      cmocka_unit_test(long_programs),    cmocka_unit_test(few_registers),
      cmocka_unit_test(arrays_in_memory),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
