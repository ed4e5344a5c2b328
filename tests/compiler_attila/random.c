/* SPDX-License-Identifier: MIT */
/*
 * Random programs compiled for ATTILA and executed, against a model of IL in C that knows nothing
 * of either: r0 to r3 hold floats, r4 to r7 integers and booleans; branches and loops stand inside
 * each other.
 *
 *    test-compiler-attila-random [programs [seed]]
 */
#include "run.h"

#include <math.h>

#define MOST 60

enum kind {
   FLOAT2, /* float of floats */
   FLOAT1,
   FLOAT3,
   COMPARE, /* integer of floats */
   INT2,
   INT1,
   TO_INT,
   TO_FLOAT,
   CHOOSE_FLOAT, /* by an integer */
   CHOOSE_INT,
   IF,
   ELSE,
   ENDIF,
   LOOP, /* `count` times, in r8.component depth */
   BREAK,
   ENDLOOP,
};

static const struct {
   enum kind kind;
   const char *name;
} ops[] = {
   { FLOAT2, "add" },
   { FLOAT2, "mul_ieee" },
   { FLOAT2, "min_ieee" },
   { FLOAT2, "max_ieee" },
   { FLOAT1, "mov" },
   { FLOAT1, "frc" },
   { FLOAT1, "round_neginf" },
   { FLOAT1, "round_z" },
   { FLOAT1, "round_nearest" },
   { FLOAT3, "mad_ieee" },
   { COMPARE, "lt" },
   { COMPARE, "ge" },
   { COMPARE, "eq" },
   { COMPARE, "ne" },
   { INT2, "iadd" },
   { INT2, "imul" },
   { INT2, "ilt" },
   { INT2, "ige" },
   { INT2, "ieq" },
   { INT2, "ine" },
   { INT2, "ult" },
   { INT2, "uge" },
   { INT2, "iand" },
   { INT2, "ior" },
   { INT2, "ixor" },
   { INT2, "ishl" },
   { INT2, "ushr" },
   { INT2, "ishr" },
   { INT2, "udiv" },
   { INT2, "umod" },
   { INT2, "imin" },
   { INT2, "umax" },
   { INT1, "inot" },
   { INT1, "inegate" },
   { INT1, "mov" },
   { TO_INT, "ftoi" },
   { TO_INT, "ftou" },
   { TO_FLOAT, "itof" },
   { TO_FLOAT, "utof" },
   { CHOOSE_FLOAT, "cmov_logical" },
   { CHOOSE_INT, "cmov_logical" },
};
#define NUM_OPS (sizeof(ops) / sizeof(ops[0]))

struct stmt {
   enum kind kind;
   unsigned op, dst, mask;
   struct {
      unsigned reg, swz[4];
      bool neg;
   } src[3];
   unsigned count, depth, partner; /* of flow: its else or end, or beginning */
};

static uint64_t seed;

static uint32_t
rnd(uint32_t n)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 33) % n;
}

/* --- the model --- */

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

static uint32_t
bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return f != f ? 0x7fc00000u : u;
}

static uint32_t
float_op(const char *name, float a, float b, float c)
{
   if (!strcmp(name, "add"))
      return bits(a + b);
   if (!strcmp(name, "mul_ieee"))
      return bits(a * b);
   if (!strcmp(name, "mad_ieee")) {
      volatile float product = a * b;
      return bits(product + c);
   }
   if (!strcmp(name, "min_ieee"))
      return bits(fminf(a, b));
   if (!strcmp(name, "max_ieee"))
      return bits(fmaxf(a, b));
   if (!strcmp(name, "frc"))
      return bits(a - floorf(a));
   if (!strcmp(name, "round_neginf"))
      return bits(floorf(a));
   if (!strcmp(name, "round_z"))
      return bits(truncf(a));
   if (!strcmp(name, "round_nearest"))
      return bits(rintf(a));
   return bits(a);
}

static uint32_t
compare_op(const char *name, float a, float b)
{
   bool r = !strcmp(name, "lt")   ? a < b
            : !strcmp(name, "ge") ? a >= b
            : !strcmp(name, "eq") ? a == b
                                  : a != b;
   return r ? ~0u : 0;
}

static uint32_t
int_op(const char *name, uint32_t a, uint32_t b)
{
   const int32_t sa = (int32_t)a, sb = (int32_t)b;

   if (!strcmp(name, "iadd"))
      return a + b;
   if (!strcmp(name, "imul"))
      return a * b;
   if (!strcmp(name, "ilt"))
      return sa < sb ? ~0u : 0;
   if (!strcmp(name, "ige"))
      return sa >= sb ? ~0u : 0;
   if (!strcmp(name, "ieq"))
      return a == b ? ~0u : 0;
   if (!strcmp(name, "ine"))
      return a != b ? ~0u : 0;
   if (!strcmp(name, "ult"))
      return a < b ? ~0u : 0;
   if (!strcmp(name, "uge"))
      return a >= b ? ~0u : 0;
   if (!strcmp(name, "iand"))
      return a & b;
   if (!strcmp(name, "ior"))
      return a | b;
   if (!strcmp(name, "ixor"))
      return a ^ b;
   if (!strcmp(name, "ishl"))
      return a << (b & 31);
   if (!strcmp(name, "ushr"))
      return a >> (b & 31);
   if (!strcmp(name, "ishr"))
      return (uint32_t)(sa >> (b & 31));
   if (!strcmp(name, "udiv"))
      return b ? a / b : ~0u;
   if (!strcmp(name, "umod"))
      return b ? a % b : ~0u;
   if (!strcmp(name, "imin"))
      return sa < sb ? a : b;
   if (!strcmp(name, "umax"))
      return a > b ? a : b;
   if (!strcmp(name, "inot"))
      return ~a;
   return !strcmp(name, "inegate") ? 0u - a : a;
}

static uint32_t
to_int(const char *name, float f)
{
   if (f != f)
      return 0;
   if (!strcmp(name, "ftoi"))
      return f >= 2147483648.0f    ? 0x7fffffff
             : f <= -2147483648.0f ? 0x80000000
                                   : (uint32_t)(int32_t)f;
   return f >= 4294967296.0f ? ~0u : f <= 0 ? 0 : (uint32_t)f;
}

static void
assign(const struct stmt *s, uint32_t r[9][4])
{
   const char *name = ops[s->op].name;
   uint32_t result[4];

   for (unsigned c = 0; c < 4; c++) {
      uint32_t v[3];
      float f[3];
      for (unsigned n = 0; n < 3; n++) {
         v[n] = r[s->src[n].reg][s->src[n].swz[c]];
         f[n] = as_float(s->src[n].neg ? v[n] ^ 0x80000000u : v[n]);
      }
      switch (s->kind) {
      case FLOAT1:
      case FLOAT2:
      case FLOAT3:
         result[c] = float_op(name, f[0], f[1], f[2]);
         break;
      case COMPARE:
         result[c] = compare_op(name, f[0], f[1]);
         break;
      case TO_INT:
         result[c] = to_int(name, f[0]);
         break;
      case TO_FLOAT:
         result[c] = !strcmp(name, "itof") ? bits((float)(int32_t)v[0]) : bits((float)v[0]);
         break;
      case CHOOSE_FLOAT:
      case CHOOSE_INT:
         result[c] = v[0] ? v[1] : v[2];
         break;
      default:
         result[c] = int_op(name, v[0], v[1]);
      }
   }
   for (unsigned c = 0; c < 4; c++)
      if (s->mask >> c & 1)
         r[s->dst][c] = result[c];
}

static void
model(const struct stmt *s, unsigned count, uint32_t r[9][4])
{
   for (unsigned n = 0; n < count; n++) {
      const bool holds = r[s[n].src[0].reg][s[n].src[0].swz[0]] != 0;
      switch (s[n].kind) {
      case IF:
         if (!holds)
            n = s[n].partner;
         break;
      case ELSE:
         n = s[n].partner;
         break;
      case LOOP:
         r[8][s[n].depth] = 0;
         break;
      case BREAK: /* at its beginning: counted out, or by a condition */
         if (r[8][s[n].depth] >= s[n].count || (s[n].mask && holds))
            n = s[n].partner;
         else
            r[8][s[n].depth]++;
         break;
      case ENDLOOP:
         n = s[n].partner;
         break;
      case ENDIF:
         break;
      default:
         assign(&s[n], r);
      }
   }
}

/* --- making programs --- */

static void
random_source(struct stmt *s, unsigned n, bool integer)
{
   s->src[n].reg = rnd(4) + 4 * integer;
   const unsigned all = rnd(4);
   const bool broadcast = rnd(2);
   for (unsigned c = 0; c < 4; c++)
      s->src[n].swz[c] = broadcast ? all : rnd(4);
   s->src[n].neg = false;
}

static void
random_stmt(struct stmt *s)
{
   s->op = rnd(NUM_OPS);
   s->kind = ops[s->op].kind;
   const bool floats = s->kind <= COMPARE || s->kind == TO_INT;
   const bool to_float = s->kind < COMPARE || s->kind == TO_FLOAT || s->kind == CHOOSE_FLOAT;

   s->dst = rnd(4) + 4 * !to_float;
   s->mask = 1 + rnd(15);
   if (rnd(2))
      s->mask = 1u << rnd(4);
   for (unsigned n = 0; n < 3; n++)
      random_source(s, n, s->kind == CHOOSE_FLOAT ? n == 0 : !floats);
   for (unsigned n = 0; n < 3 && s->kind <= COMPARE; n++)
      s->src[n].neg = rnd(4) == 0;
}

static unsigned
random_program(struct stmt *s)
{
   unsigned open[4], depth = 0, count = 0;

   while (count < MOST - 12 || depth) {
      struct stmt *now = &s[count];
      const unsigned what = count >= MOST - 12 ? 1 : rnd(12);
      memset(now, 0, sizeof(*now));
      if (what == 0 && depth < 3) {
         now->kind = IF;
         random_source(now, 0, true);
         open[depth++] = count++;
      } else if (what == 2 && depth < 2) {
         now->kind = LOOP;
         now->depth = depth;
         open[depth++] = count++;
         s[count] =
            (struct stmt){ .kind = BREAK, .count = 1 + rnd(4), .depth = depth - 1, .mask = rnd(2) };
         random_source(&s[count++], 0, true);
      } else if (what == 1 && depth) {
         const unsigned begin = open[--depth];
         now->partner = begin;
         if (s[begin].kind == LOOP) {
            now->kind = ENDLOOP;
            s[begin + 1].partner = count;
         } else if (s[begin].kind == IF && rnd(2) && count < MOST - 12) {
            now->kind = ELSE;
            s[begin].partner = count;
            open[depth++] = count;
         } else {
            now->kind = ENDIF;
            s[begin].partner = count;
         }
         count++;
      } else {
         random_stmt(now);
         count++;
      }
   }
   return count;
}

static int
print_source(char *to, size_t size, const struct stmt *s, unsigned n, unsigned comps)
{
   char text[5] = { 0 };
   for (unsigned c = 0; c < comps; c++)
      text[c] = "xyzw"[s->src[n].swz[c]];
   return snprintf(to, size, "r%u.%s%s", s->src[n].reg, text, s->src[n].neg ? "_neg(xyzw)" : "");
}

static void
print_program(const struct stmt *s, unsigned count, char *to, size_t size)
{
   static const unsigned num_src[] = {
      [FLOAT2] = 2, [FLOAT1] = 1, [FLOAT3] = 3,   [COMPARE] = 2,      [INT2] = 2,
      [INT1] = 1,   [TO_INT] = 1, [TO_FLOAT] = 1, [CHOOSE_FLOAT] = 3, [CHOOSE_INT] = 3
   };
   size_t at = 0;
#define ADD(...) at += (size_t)snprintf(to + at, size - at, __VA_ARGS__)
   ADD("il_vs_2_0\ndcl_literal l0, 0, 1, 2, 3\ndcl_literal l1, 4, 5, 6, 7\n");
   for (unsigned n = 0; n < 4; n++)
      ADD("dcl_input_usage(generic) v%u\n", n);
   ADD("dcl_output_usage(position) o0\n");
   for (unsigned n = 0; n < 4; n++)
      ADD("dcl_output_usage(generic) o%u\n", 32 + n);
   for (unsigned n = 0; n < 4; n++)
      ADD("mov r%u, v%u\n", n < 2 ? n : n + 2, n);
   ADD("mov r2, v0.wzyx\nmov r3, v1.yzwx\nmov r6, v2.wxyz\nmov r7, v3.zyxw\nmov r8, l0.x\n");
   for (unsigned n = 0; n < count; n++) {
      char mask[5] = "____";
      for (unsigned c = 0; c < 4; c++)
         if (s[n].mask >> c & 1)
            mask[c] = "xyzw"[c];
      switch (s[n].kind) {
      case IF:
         ADD("if_logicalnz ");
         at += (size_t)print_source(to + at, size - at, &s[n], 0, 1);
         break;
      case ELSE:
         ADD("else");
         break;
      case ENDIF:
         ADD("endif");
         break;
      case LOOP:
         ADD("mov r8.%.*s%c, l0.x\nwhileloop", (int)s[n].depth, "___", "xyzw"[s[n].depth]);
         break;
      case BREAK:
         ADD("ige r9.x, r8.%c, l%u.%c\nbreak_logicalnz r9.x\n", "xyzw"[s[n].depth], s[n].count / 4,
             "xyzw"[s[n].count % 4]);
         if (s[n].mask) {
            ADD("break_logicalnz ");
            at += (size_t)print_source(to + at, size - at, &s[n], 0, 1);
            ADD("\n");
         }
         ADD("iadd r8.%.*s%c, r8.%c, l0.y", (int)s[n].depth, "___", "xyzw"[s[n].depth],
             "xyzw"[s[n].depth]);
         break;
      case ENDLOOP:
         ADD("endloop");
         break;
      default:
         ADD("%s r%u.%s", ops[s[n].op].name, s[n].dst, mask);
         for (unsigned k = 0; k < num_src[s[n].kind]; k++) {
            ADD(", ");
            at += (size_t)print_source(to + at, size - at, &s[n], k, 4);
         }
      }
      ADD("\n");
   }
   ADD("mov o0, r8\nmov o32, r0\nmov o33, r1\nmov o34, r4\nmov o35, r5\nend\n");
#undef ADD
}

/* Signs of zeros and of what is no number do not count. */
static bool
same(uint32_t a, uint32_t b, bool is_float)
{
   return a == b ||
          (is_float && (!((a | b) << 1) || (a << 1 > 0xff000000u && b << 1 > 0xff000000u)));
}

static void
one_program(void)
{
   static struct stmt s[MOST + 8];
   static struct run r;
   static char text[20000];
   static const uint32_t special[] = { 0,          1,   2,   31,       32,      0x7fffffff,
                                       0x80000000, ~0u, ~0u, 0xff00ff, 1u << 24 };
   const unsigned count = random_program(s);

   print_program(s, count, text, sizeof(text));
   memset(&r, 0, sizeof(r));
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      for (unsigned n = 0; n < 4; n++) {
         for (unsigned c = 0; c < 4; c++) {
            float f = (float)((int)rnd(4001) - 2000) / (rnd(2) ? 64.0f : 1.0f);
            memcpy(&r.inputs[n][l][c], &f, 4);
            if (n >= 2)
               r.inputs[n][l][c] = rnd(2) ? special[rnd(11)] : rnd(~0u);
         }
      }
   }
   struct il_program *il = run_parse(text);
   for (unsigned f = 0; f < sizeof(run_flags) / sizeof(run_flags[0]); f++) {
      run_program(il, run_flags[f], &r);
      for (unsigned l = 0; l < WAVE_LANES; l++) {
         uint32_t m[9][4] = { { 0 } };
         static const uint8_t swz[4][4] = {
            { 3, 2, 1, 0 }, { 1, 2, 3, 0 }, { 3, 0, 1, 2 }, { 2, 1, 0, 3 }
         };
         for (unsigned n = 0; n < 4; n++) {
            const unsigned first = n < 2 ? n : n + 2;
            memcpy(m[first], r.inputs[n][l], 16);
            for (unsigned c = 0; c < 4; c++)
               m[first + 2][c] = r.inputs[n][l][swz[n][c]];
         }
         model(s, count, m);
         for (unsigned n = 0; n < 4; n++) {
            for (unsigned c = 0; c < 4; c++) {
               const uint32_t want = m[n < 2 ? n : n + 2][c], got = r.outputs[n][l][c];
               if (same(got, want, n < 2))
                  continue;
               print_message("%s", text);
               fail_msg("flags %u, vertex %u, output %u.%u: %08x, not %08x", run_flags[f], l, n, c,
                        got, want);
            }
         }
      }
   }
   il_program_free(il);
}

static unsigned long programs = 300;

static void
against_model(void **state)
{
   (void)state;
   for (unsigned long n = 0; n < programs; n++)
      one_program();
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(against_model) };

   if (argc > 1)
      programs = strtoul(argv[1], NULL, 0);
   seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
