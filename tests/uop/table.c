/* SPDX-License-Identifier: MIT */
/*
 * Every row of the table that needs no engine, with random operands of every kind and modifier and
 * random parameters, on special values and random ones: the general handler, the specialised ones,
 * fused ones and native code of every build, of one vector and of several at a time, give the same
 * bits and leave the same lanes, for waves with and without idle lanes; and so do runs of rows that
 * read each other's results.  `elsewhere` names the rows that an engine's wave, its bindings or its
 * memory are needed for, and the tests that run them; a row in neither fails.  What a row computes
 * is judged elsewhere, too (tests/sq/ops.c, tests/attila, tests/valhall, tests/direct); here, that
 * all ways to compute it are one.
 *
 *    test-uop-table ROUNDS    more rounds than four
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fp.h"
#include "isa/cayman/cayman.h"
#include "uop/bound.h"
#include "uop/coefficients.h"

#define ROWS     8u /* of operands */
#define RESULTS  8u
#define UNIFORMS 6u

typedef bool bind_fn(const struct uop_code *code, const struct uop_bind_options *options,
                     struct uop_binding *bindings, uint32_t count,
                     const struct uop_regions *regions, struct uop_bound *bound);
typedef void free_fn(struct uop_bound *bound);
bind_fn uop_bind_avx2, uop_bind_avx512;
free_fn uop_bound_free_avx2, uop_bound_free_avx512;

static const struct {
   const char *name;
   unsigned vector; /* lanes of one */
   bind_fn *bind;
   free_fn *free;
} builds[] = {
   { "sse2", 4, uop_bind_sse2, uop_bound_free_sse2 },
   { "avx2", 8, uop_bind_avx2, uop_bound_free_avx2 },
   { "avx512", 16, uop_bind_avx512, uop_bound_free_avx512 },
};
static unsigned num_builds, rounds = 4;
static uint64_t seed = 1;

static wave_lane file[ROWS + RESULTS], input[ROWS + RESULTS], first[ROWS + RESULTS];
static uint32_t uniforms[UNIFORMS + 1024]; /* and literals */

/* What is left in the wave beside its rows. */
static struct wave_left {
   uint64_t pred, pred_next, valid, fail;
   bool fail_pending;
   int32_t cf_idx[2];
   uint32_t clause_global;
   unsigned fp_single, fp_double;
   wave_lane ar;
} left, first_left;

/* Planes of the quads' primitives. */
#define INPUTS     2u
#define PRIMITIVES 3u
static struct spi_coef planes[PRIMITIVES][INPUTS][4];
static uint8_t primitive[WAVE_QUADS]; /* of each quad */

static const char *const elsewhere[UOP_COUNT] = {
   [UOP_PART] = "part of the micro-operation before it, and run by nothing",
   [UOP_GATHER_CONST] = "constants of a draw: tests/sq/flow.c, tests/direct",
   [UOP_LOAD_CONST] = "constants of a draw: tests/sq/groups.c, tests/direct",
   [UOP_CONSTANT_AT] = "constants of a draw: tests/direct",
   [UOP_LOAD_SPECIAL] = "values of a wave: tests/sq/ops.c, tests/direct",
   [UOP_BALLOT] = "a program's wave: tests/direct",
   [UOP_RETURN_PLACE] = "a wave's number: tests/sq/rats.c, tests/direct",
   [UOP_RETURNED] = "a return buffer: tests/direct",
   [UOP_BUFFER_LOAD] = "a random access target: tests/direct",
   [UOP_SHARED_INIT] = "shared registers of a work group: tests/direct",
   [UOP_SHARED_LOAD] = "shared registers of a work group: tests/direct",
   [UOP_SHARED_STORE] = "shared registers of a work group: tests/direct",
   [UOP_LDS] = "LDS of a work group: tests/sq/share.c",
   [UOP_LDS_DIRECT] = "LDS of a work group: tests/sq/share.c",
   [UOP_LDS_HEAD] = "LDS of a work group: tests/sq/share.c",
   [UOP_LDS_POP] = "LDS of a work group: tests/sq/share.c",
   [UOP_SET_LDS_SIZE] = "LDS of a work group: tests/sq/share.c",
   [UOP_BARRIER] = "waves of a work group: tests/core/workgroup.c",
   [UOP_VH_MEMORY] = "messages of an engine: tests/valhall/execute.c",
   [UOP_VH_MESSAGE] = "messages of an engine: tests/valhall/execute.c",
   [UOP_VH_SET_ROUND] = "an engine's state: tests/valhall/execute.c",
   [UOP_AT_ATTRIBUTE] = "inputs of an engine: tests/attila/execute.c",
   [UOP_AT_CONSTANT] = "an engine's constants: tests/attila/execute.c",
   [UOP_AT_DEPTH] = "an engine's state: tests/attila/execute.c",
   [UOP_AT_KILL] = "an engine's state: tests/attila/execute.c",
   [UOP_AT_KILL_SAMPLE] = "an engine's state: tests/attila/execute.c",
   [UOP_AT_LDA] = "messages of an engine: tests/attila/execute.c",
   [UOP_AT_SAMPLE] = "messages of an engine: tests/attila/execute.c",
   [UOP_AT_SETP] = "predicates of an engine: tests/attila/execute.c",
};

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 32);
}

static uint32_t
value(void)
{
   static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff,
      0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
      0x7f800001, 0xffffffff, 0x40490fdb, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800001,
      0x4f000000, 0xcf000000, 0x7fffffff, 0x3ff00000, 0x7ff00000, 0xfff80000, 0x000fffff,
      0x00000020, 0x0000001f, 0x00000002, 0x41200000,
   };
   switch (rnd() % 4) {
   case 0:
      return special[rnd() % (sizeof(special) / sizeof(*special))];
   case 1:
      return rnd();
   case 2:
      return rnd() % 40;
   default:
      return (rnd() & 0x80ffffff) | (0x3c000000 + (rnd() & 0x07000000));
   }
}

/* Operands of some of the first `rows` rows and elsewhere, of the same kinds. */
static void
random_operands(struct uop_builder *b, struct uop *u, unsigned op, const uint8_t kinds[3],
                unsigned rows)
{
   const struct uop_info *info = &uop_infos[op];

   for (unsigned s = 0; s < info->operands; s++) {
      struct uop_operand *o = &u->src[s];
      *o = kinds[s] == UOP_ROW       ? uop_row(rnd() % rows * COMP_BYTES)
           : kinds[s] == UOP_UNIFORM ? uop_uniform(rnd() % UNIFORMS)
                                     : uop_literal(b, value());
      if (info->kinds[s] == 'f')
         o->mods = rnd() % 4;
      else
         o->mods = rnd() % 4 == 0 ? UOP_NOT : 0;
   }
}

static void
random_kinds(uint8_t kinds[3])
{
   for (unsigned s = 0; s < 3; s++)
      kinds[s] = rnd() % 3 ? UOP_ROW : rnd() % 2 ? UOP_UNIFORM : UOP_LITERAL;
}

/* A row that a parameter names, by its byte. */
static uint32_t
random_row(void)
{
   return rnd() % (ROWS + RESULTS) * COMP_BYTES;
}

static void
random_predicate(struct uop_predicate *p)
{
   p->update_pred = rnd() % 2;
   p->update_exec = rnd() % 2;
}

/* Parameters within what the verifier allows. */
static void
random_params(struct uop_builder *b, struct uop *u)
{
   union uop_params *p = &u->p;

   switch (uop_infos[u->op].params) {
   case UOP_PARAMS_none:
      break;
   case UOP_PARAMS_immediate:
      p->immediate.bits = rnd() % 4;
      break;
   case UOP_PARAMS_predicate:
      random_predicate(&p->predicate);
      break;
   case UOP_PARAMS_group:
      p->group.writes = rnd() % 16;
      break;
   case UOP_PARAMS_f64:
      p->f64.writes = rnd() % 16;
      p->f64.doubles = rnd() % 2 ? 3 : 1 + rnd() % 3;
      /* Machine code knows those that change no mask. */
      if (rnd() % 4 == 0)
         random_predicate(&p->f64.predicate);
      break;
   case UOP_PARAMS_interp:
      p->interp.input = rnd() % INPUTS;
      p->interp.comp = rnd() % 4;
      p->interp.which = rnd() % 3;
      break;
   case UOP_PARAMS_register:
      p->reg.gpr = rnd() % 8;
      p->reg.chan = rnd() % 4;
      p->reg.by_loop = rnd() % 2;
      break;
   case UOP_PARAMS_mode:
      p->mode.single_mode = rnd() % 16;
      p->mode.double_mode = rnd() % 16;
      break;
   case UOP_PARAMS_mova:
      p->mova.to = rnd() % (CAYMAN_MOVA_CLAUSE_GLOBAL_0 + 4);
      break;
   case UOP_PARAMS_array:
      p->array.rows = 1u << rnd() % 3;
      p->array.row = rnd() % ((ROWS + RESULTS) / 4 - p->array.rows + 1);
      p->array.offset = rnd() % 4 ? rnd() % 3 : rnd();
      p->array.chan = rnd() % 4;
      break;
   case UOP_PARAMS_table:
      u->src[1] = uop_literal(b, value());
      for (unsigned n = 1; n < 8; n++)
         uop_literal(b, value());
      p->table.dwords = b->code->num_literals - u->src[1].at;
      p->table.element = rnd() % 3;
      p->table.chan = rnd() % 4;
      break;
   case UOP_PARAMS_pair:
      p->pair.op = rnd() % (UOP_PAIR_SEG_SUB + 1);
      p->pair.is_signed = rnd() % 2;
      break;
   case UOP_PARAMS_subgroup:
      p->subgroup.size = rnd() % 4;
      p->subgroup.operation = rnd() % 4;
      p->subgroup.inactive = rnd();
      break;
   case UOP_PARAMS_fixed:
      p->fixed.low = random_row();
      p->fixed.high = random_row();
      p->fixed.adds = rnd() % 2;
      p->fixed.ends = rnd() % 2;
      break;
   default:
      fail_msg("%s: nobody makes up its parameters", uop_infos[u->op].name);
   }
}

/* An operation of several records, each with operands and a result of its own. */
static void
make_records(struct uop_builder *b, unsigned op)
{
   const struct uop_info *info = &uop_infos[op];
   struct uop *u = uop_add(b, op);
   uint8_t kinds[3];

   for (unsigned r = 0; r < info->records; r++) {
      random_kinds(kinds);
      random_operands(b, &u[r], op, kinds, ROWS);
      u[r].dst = (ROWS + r) * COMP_BYTES;
      uop_normalise(&u[r]);
   }
   random_params(b, u);
   if (info->result == UOP_RESULT_F && info->params == UOP_PARAMS_group) {
      u->scale = rnd() % 4 == 0 ? rnd() % 4 : 0;
      u->clamp = rnd() % 4 == 0;
   }
}

/* `count` operations of one kind, with results that nobody reads. */
static void
make(struct uop_builder *b, unsigned op, unsigned count)
{
   const struct uop_info *info = &uop_infos[op];
   uint8_t kinds[3];

   if (info->records > 1) {
      make_records(b, op);
      return;
   }
   random_kinds(kinds);
   /* What reads its operand's neighbour too, and what reads no other kind. */
   if (info->params == UOP_PARAMS_pair || info->params == UOP_PARAMS_register)
      kinds[0] = kinds[1] = UOP_ROW;
   for (unsigned n = 0; n < count; n++) {
      struct uop *u = uop_add(b, op);
      u->dst = (ROWS + n) * COMP_BYTES;
      random_operands(b, u, op, kinds, ROWS);
      if (info->result == UOP_RESULT_F && count == 1) {
         u->scale = rnd() % 4 == 0 ? rnd() % 4 : 0;
         u->clamp = rnd() % 4 == 0;
      }
      if (count == 1 && rnd() % 8 == 0)
         u->when = rnd() % 3;
      random_params(b, u);
      /* One index for all of them, or several. */
      if (n && info->params == UOP_PARAMS_register && rnd() % 4) {
         u->p.reg.gpr = u[-1].p.reg.gpr;
         u->p.reg.by_loop = u[-1].p.reg.by_loop;
      }
      uop_normalise(u);
   }
}

/* `count` operations of any kind that machine code is made of, on `rows` rows: each reads what
 * others have written. */
static void
make_run(struct uop_builder *b, unsigned count, unsigned rows)
{
   static const uint8_t ops[] = {
      UOP_ADD,      UOP_MUL_IEEE, UOP_MULADD_IEEE, UOP_FMA,   UOP_MUL,       UOP_MULADD,
      UOP_MAX_DX10, UOP_MIN,      UOP_FRACT,       UOP_FLOOR, UOP_SETGT,     UOP_CNDGE,
      UOP_COPY,     UOP_ADD_INT,  UOP_XOR_INT,     UOP_MOV,   UOP_SETE_DX10, UOP_INT_TO_FLT,
   };

   for (unsigned n = 0; n < count; n++) {
      /* Most are those that long programs are made of. */
      struct uop *u = uop_add(b, ops[rnd() % (rnd() % 2 ? 4 : sizeof(ops))]);
      uint8_t kinds[3];

      random_kinds(kinds);
      u->dst = rnd() % rows * COMP_BYTES;
      random_operands(b, u, u->op, kinds, rows);
      uop_normalise(u);
   }
}

/* As many as can be done at once are one. */
static void
fuse(struct uop_code *code, unsigned count)
{
   const struct uop *all[4];
   for (unsigned n = 0; n < count; n++)
      all[n] = &code->uops[n];
   if (count > 1 && uop_can_fuse(all, count))
      code->uops[0].length = (uint8_t)count;
}

struct way {
   unsigned build;
   enum { INTERPRETED, NATIVE, NATIVE_WIDE, NUM_WAYS } how;
   bool masked;
};

static const char *const ways[] = { "interpreted", "native", "native, wide" };

/* The vectors of a build that have quads of one primitive. */
static uint32_t
same_coef(unsigned vector)
{
   const unsigned quads = vector / 4;
   uint32_t same = 0;

   for (unsigned n = 0; n < WAVE_QUADS / quads; n++) {
      bool one = true;

      for (unsigned q = 1; q < quads; q++)
         one &= primitive[n * quads + q] == primitive[n * quads];
      same |= (uint32_t)one << n;
   }
   return same;
}

static void
run(const struct uop_code *code, struct way w, uint64_t lanes, unsigned mode, unsigned mode_64)
{
   const struct uop_bind_options options = {
      .native = w.how != INTERPRETED,
      .dx10_clamp = true,
      .wide_from = w.how == NATIVE_WIDE,
   };
   struct uop_run all = { 0, code->num_uops };
   struct uop_binding binding = {
      .plain = all,
      .masked = all,
      .native = true,
      .diverges = true,
      .kept = { UINT32_MAX, UINT32_MAX },
   };
   struct uop_bound bound = { 0 };
   struct exec x = {
      .file = (uint8_t *)file,
      .uni = uniforms,
      .lanes = w.masked ? lanes : ~UINT64_C(0),
      .launch = ~UINT64_C(0),
      .pred = UINT64_C(0x0123456789abcdef),
      .valid = UINT64_C(0xfedcba9876543210),
      .kills = true,
      .dx10_clamp = true,
      .fp_single = mode,
      .fp_now = mode,
      .fp_double = mode_64,
      .num_gprs = (ROWS + RESULTS) / 4,
      .loop_index = 1,
      .one_primitive = true,
   };

   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      x.coef[q] = (const struct spi_coef(*)[4])planes[primitive[q]];
      x.one_primitive &= primitive[q] == primitive[0];
   }
   x.same_coef = same_coef(builds[w.build].vector);
   for (unsigned l = 0; l < WAVE_LANES; l++)
      x.ar[l] = input[0][l] % 7 - 3;

   assert_true(builds[w.build].bind(code, &options, &binding, 1, NULL, &bound));
   x.code = bound.native;
   if (code->num_literals)
      memcpy(uniforms + UNIFORMS, code->literals, 4 * code->num_literals);
   memcpy(file, input, sizeof(file));
   const struct uop_run *r = w.masked ? &binding.masked : &binding.plain;
   unsigned old = fp_enter(mode);
   uop_run_bound(&x, bound.uops + r->first, r->count);
   fp_leave(old);
   memset(&left, 0, sizeof(left));
   left.pred = x.pred;
   left.pred_next = x.pred_next;
   left.valid = x.valid;
   left.fail = x.fail;
   left.fail_pending = x.fail_pending;
   memcpy(left.cf_idx, x.cf_idx, sizeof(left.cf_idx));
   left.clause_global = x.clause_global;
   left.fp_single = x.fp_single;
   left.fp_double = x.fp_double;
   memcpy(left.ar, x.ar, sizeof(left.ar));
   builds[w.build].free(&bound);
}

/* Of one primitive, of some in a row, or of another in each quad. */
static void
random_planes(void)
{
   const unsigned shape = rnd() % 3;

   for (unsigned n = 0; n < PRIMITIVES * INPUTS * 4; n++) {
      float plane[3];

      for (unsigned k = 0; k < 3; k++)
         plane[k] = (float)(int32_t)rnd() / 65536.0f;
      (&planes[0][0][0])[n] = (struct spi_coef){
         .p0 = plane[0],
         .p10 = plane[1],
         .p20 = plane[2],
      };
   }
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      primitive[q] = (uint8_t)(shape == 0   ? 0
                               : shape == 1 ? q * PRIMITIVES / WAVE_QUADS
                                            : rnd() % PRIMITIVES);
}

/* All give what the first one gives. */
static void
all_ways(struct uop_code *code)
{
   struct uop_run all = { 0, code->num_uops };
   char message[256];
   const unsigned mode = fp_mode(rnd() % 16), mode_64 = fp_mode(rnd() % 16);

   if (!uop_verify(code, all, message, sizeof(message)))
      fail_msg("%s", message);
   for (unsigned n = 0; n < ROWS + RESULTS; n++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         input[n][l] = value();
   for (unsigned n = 0; n < UNIFORMS; n++)
      uniforms[n] = value();
   random_planes();
   const uint64_t lanes = rnd() | (uint64_t)rnd() << 32;
   for (unsigned masked = 0; masked < 2; masked++) {
      /* Fused, it is for whole waves alone. */
      uint8_t length = code->uops[0].length;
      code->uops[0].length = masked ? 1 : length;
      for (unsigned build = 0; build < num_builds; build++) {
         for (unsigned how = 0; how < NUM_WAYS; how++) {
            run(code, (struct way){ build, how, masked }, lanes, mode, mode_64);
            if (build + how == 0) {
               memcpy(first, file, sizeof(file));
               first_left = left;
            } else if (memcmp(&first_left, &left, sizeof(left)) != 0) {
               uop_print(stderr, code, all, NULL, NULL);
               fail_msg("%s, %s, %s: another state of the wave", builds[build].name, ways[how],
                        masked ? "masked" : "plain");
            } else if (memcmp(first, file, sizeof(file)) != 0) {
               uop_print(stderr, code, all, NULL, NULL);
               for (unsigned l = 0; l < WAVE_LANES; l++) {
                  for (unsigned n = 0; n < ROWS + RESULTS; n++) {
                     if (first[n][l] != file[n][l])
                        fail_msg("%s, %s, %s: lane %u of row %u is %08x, not %08x",
                                 builds[build].name, ways[how], masked ? "masked" : "plain", l, n,
                                 file[n][l], first[n][l]);
                  }
               }
            }
         }
      }
      code->uops[0].length = length;
   }
}

static void
all_ways_of(unsigned op, unsigned count)
{
   struct uop_code code = {
      .num_uniforms = UNIFORMS,
      .num_components = ROWS + RESULTS,
      .num_origins = 1,
   };
   struct uop_builder b = { .code = &code };

   make(&b, op, count);
   fuse(&code, count);
   all_ways(&code);
   uop_code_free(&code);
}

/* From values that leave registers for three vectors at a time to more than one vector has. */
static void
runs(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 150 * rounds; n++) {
      struct uop_code code = {
         .num_uniforms = UNIFORMS,
         .num_components = ROWS + RESULTS,
         .num_origins = 1,
      };
      struct uop_builder b = { .code = &code };

      make_run(&b, 2 + rnd() % (n % 8 ? 40 : 300), 2 + rnd() % (ROWS + RESULTS - 2));
      all_ways(&code);
      uop_code_free(&code);
   }
}

/* Indexed registers in a row, of one index or of several, do what they do one after the other. */
static void
check_indexed(unsigned op, unsigned count, bool alike, uint64_t lanes)
{
   struct uop_code code = {
      .num_uniforms = UNIFORMS,
      .num_components = ROWS + RESULTS,
      .num_origins = 1,
   };
   struct uop_builder b = { .code = &code };
   static wave_lane expected[ROWS + RESULTS];

   make(&b, op, count);
   for (unsigned n = 0; n < count; n++)
      code.uops[n].when = UOP_ALWAYS;
   for (unsigned n = 0; n < count; n++)
      code.uops[n].dst = rnd() % (ROWS + RESULTS) * COMP_BYTES;
   for (unsigned n = 0; n < ROWS + RESULTS; n++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         input[n][l] = n == 0 && alike ? 5 : rnd();
   memcpy(expected, input, sizeof(expected));
   for (unsigned n = 0; n < count; n++) {
      const struct uop *u = &code.uops[n];

      for (unsigned l = 0; l < WAVE_LANES; l++) {
         const uint32_t gpr = u->p.reg.gpr + (u->p.reg.by_loop ? 1 : input[0][l] % 7 - 3);
         const bool there = gpr < (ROWS + RESULTS) / 4;
         const uint32_t row = (there ? gpr : 0) * 4 + u->p.reg.chan;

         if (!(lanes >> l & 1))
            continue;
         if (op == UOP_GATHER)
            expected[u->dst / COMP_BYTES][l] = expected[row][l];
         else if (there)
            expected[row][l] = expected[u->src[0].at / COMP_BYTES][l];
      }
   }
   for (unsigned build = 0; build < num_builds; build++) {
      run(&code, (struct way){ build, INTERPRETED, true }, lanes, fp_mode(0), fp_mode(0));
      for (unsigned n = 0; n < ROWS + RESULTS; n++)
         for (unsigned l = 0; l < WAVE_LANES; l++)
            if ((lanes >> l & 1 || op == UOP_SCATTER) && file[n][l] != expected[n][l])
               fail_msg("%s, %s, %u at once: lane %u of row %u is %08x, not %08x",
                        builds[build].name, uop_infos[op].name, count, l, n, file[n][l],
                        expected[n][l]);
   }
   uop_code_free(&code);
}

static void
indexed(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 300 * rounds; n++) {
      const uint64_t some = rnd() | (uint64_t)rnd() << 32;
      const uint64_t lanes[] = { ~UINT64_C(0), some, UINT64_C(1) << rnd() % 64, some & 0xf00f00 };

      check_indexed(n % 2 ? UOP_GATHER : UOP_SCATTER, 1 + rnd() % 6, rnd() % 4 == 0, lanes[n % 4]);
   }
}

static void
rows(void **state)
{
   unsigned tried = 0, fused = 0, others = 0;

   (void)state;
   for (unsigned op = 0; op < UOP_COUNT; op++) {
      if (elsewhere[op]) {
         others++;
         continue;
      }
      tried++;
      for (unsigned n = 0; n < 8 * rounds; n++)
         all_ways_of(op, 1);
      if (uop_infos[op].form != UOP_FORM_FUSED)
         continue;
      for (unsigned n = 0; n < 8 * rounds; n++)
         all_ways_of(op, 2 + n % 3);
      fused++;
   }
   print_message("%u rows, %u of them fused; %u need an engine\n", tried, fused, others);
   assert_int_equal(tried + others, UOP_COUNT);
   assert_int_equal(others, 29);
   assert_int_equal(fused, 9);
}

int
main(int argc, char **argv)
{
   num_builds = __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") ? 3
                : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")        ? 2
                                                                                         : 1;
   if (argc > 1)
      rounds = (unsigned)strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = { cmocka_unit_test(rows), cmocka_unit_test(indexed),
                                       cmocka_unit_test(runs) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
