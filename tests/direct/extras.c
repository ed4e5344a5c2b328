/* SPDX-License-Identifier: MIT */
/*
 * Statements of what GL has no use for: macros, interfaces, counted loops, the registers and memory
 * streams of shader model 3, what a driver's state decides.  See maker.h.
 */
#include "maker.h"

#include "il/conventions.h"

#define OLD_CONSTANT 20 /* c20 to c23, of def */
#define OLD_COUNTS   4  /* i0 to i3, of def */
#define OLD_INPUTS   3  /* v or vPixIn, declared the other way round */
#define OLD_USAGE    8  /* of vPixIn and oVtxOut: generic, from this number on */

/* --- registers of shader model 3 -------------------------------------------------------------- */

/* With a component of a0, or aL where a counted loop is open, added to its number or element. */
static struct il_src
relative(struct maker *m, struct il_src s)
{
   bool loop = m->counted && pick(m, 2);

   s.r.rel = IL_ADDR_RELATIVE;
   s.r.rel_addr = loop ? 1u << 16 : pick(m, 4) << 17;
   return s;
}

struct il_src
old_register(struct maker *m)
{
   switch (pick(m, m->in_macro ? 5 : 7)) { /* macros see no inputs and outputs by usage */
   case 5:
      return m->stage == IL_SHADER_VERTEX ? il_src(IL_REGTYPE_VERTEX, pick(m, OLD_INPUTS))
             : pick(m, 4)                 ? il_src(IL_REGTYPE_PINPUT, pick(m, OLD_INPUTS))
                                          : il_src(IL_REGTYPE_FACE, 0);
   case 6:
      return m->stage == IL_SHADER_VERTEX ? il_src(IL_REGTYPE_VERTEX, pick(m, OLD_INPUTS))
             : pick(m, 2)                 ? il_src(IL_REGTYPE_TEXCOORD, pick(m, 8))
                                          : il_src(IL_REGTYPE_WINCOORD, 0);
   case 0:
      return il_src(IL_REGTYPE_CONST_FLOAT, pick(m, OLD_CONSTANT + 4));
   case 1:
      return relative(m, il_src(IL_REGTYPE_CONST_FLOAT, pick(m, NUM_CONSTS)));
   case 2:
      return relative(m, il_array_src(m->p, IL_REGTYPE_ITEMP, 0, pick(m, 2), NULL));
   case 3:
      return relative(m, il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, pick(m, NUM_CONSTS), NULL));
   default:
      return il_replicate(il_src(IL_REGTYPE_ADDR, 0), pick(m, 4));
   }
}

struct il_src
old_boolean(struct maker *m)
{
   return il_src(IL_REGTYPE_CONST_BOOL, pick(m, 2));
}

/* mova a0, float(r8) */
void
move_address(struct maker *m)
{
   struct il_dst scratch = il_dst(IL_REGTYPE_TEMP, SCRATCH), a = il_dst(IL_REGTYPE_ADDR, 0);
   const struct il_src index = il_src(IL_REGTYPE_TEMP, INDEX);
   struct il_src value = il_src(IL_REGTYPE_TEMP, SCRATCH);

   il_emit(m->p, IL_OP_ITOF, 0, &scratch, 1, &index);
   value = il_swizzle(value, pick(m, 4), pick(m, 4), pick(m, 4), pick(m, 4));
   il_emit(m->p, IL_OP_MOVA, pick(m, 2), &a, 1, &value);
}

static void
declare_old(struct maker *m)
{
   for (unsigned n = 0; n < 4 + OLD_COUNTS; n++) {
      bool count = n >= 4;
      struct il_dst d = il_dst(count ? IL_REGTYPE_CONST_INT : IL_REGTYPE_CONST_FLOAT,
                               count ? n - 4 : OLD_CONSTANT + n);
      /* Rounds, the first aL and its step: at most 2 + 1 * 3 is added to an element. */
      const uint32_t data[4] = { count ? pick(m, 4) | pick(m, 2) << 8 : rng_bits(m->r),
                                 count ? pick(m, 3) : rng_bits(m->r),
                                 count ? pick(m, 2) : rng_bits(m->r), count ? 0 : rng_bits(m->r) };
      il_emit_data(m->p, IL_OP_DEF, 0, &d, 0, NULL, 4, data);
   }
   bool pixel = m->stage == IL_SHADER_PIXEL;
   for (unsigned n = 0; n < OLD_INPUTS; n++) {
      struct il_dst in = il_dst(pixel ? IL_REGTYPE_PINPUT : IL_REGTYPE_VERTEX, n);
      struct il_dst out = il_dst(IL_REGTYPE_VOUTPUT, n);
      unsigned usage = IL_IMPORTUSAGE_GENERIC | (OLD_USAGE + n) << 5;
      il_emit(m->p, pixel ? IL_OP_DCLPIN : IL_OP_DCLV, pixel ? usage : OLD_INPUTS - 1 - n, &in, 0,
              NULL);
      if (!pixel)
         il_emit(m->p, IL_OP_DCLVOUT, usage, &out, 0, NULL);
   }
   for (uint32_t n = 0; n < 2; n++) {
      struct il_dst d = il_dst(IL_REGTYPE_CONST_BOOL, n);
      il_emit_data(m->p, IL_OP_DEFB, 0, &d, 0, NULL, 1, &n);
   }
}

static void
counted_loop(struct maker *m)
{
   const struct il_src count = il_src(IL_REGTYPE_CONST_INT, pick(m, OLD_COUNTS));
   unsigned repeat = pick(m, 4) == 0, outer = m->counted;

   il_emit(m->p, IL_OP_LOOP, repeat, NULL, 1, &count);
   m->counted |= !repeat;
   m->depth++;
   m->loop_depth++;
   statements(m, 1 + pick(m, 4));
   m->loop_depth--;
   m->depth--;
   m->counted = outer;
   il_emit(m->p, IL_OP_ENDLOOP, 0, NULL, 0, NULL);
}

/* r9.x = float(value & 63) */
static struct il_src
float_index(struct maker *m)
{
   struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
   const struct il_src at = masked_address(m, 3);

   il_emit(m->p, IL_OP_ITOF, 0, &d, 1, &at);
   return at;
}

static void
memory_stream(struct maker *m)
{
   struct il_src s[2] = { float_index(m), any_operand(m) };
   struct il_dst d = value_register(m);

   if (pick(m, 2))
      il_emit(m->p, IL_OP_MEMIMPORT, IMPORT_ELEMENT, &d, 1, s);
   else
      il_emit(m->p, IL_OP_MEMEXPORT, EXPORT_STREAM | pick(m, 5) << 7, NULL, 2, s);
}

/* What state decides; the driver's constants have it. */
static void
by_state(struct maker *m)
{
   struct il_dst d = value_register(m);
   struct il_src s = il_src(IL_REGTYPE_TEMP, pick(m, NUM_VALUES));

   /* The state is that of the register's number, which a macro's registers do not keep. */
   if (!m->in_macro && pick(m, 2)) {
      il_emit(m->p, IL_OP_COLORCLAMP, 0, &d, 1, &s);
      return;
   }
   s = il_swizzle(s, pick(m, 4), pick(m, 4), pick(m, 4), pick(m, 4));
   s.divcomp = IL_DIVCOMP_UNKNOWN;
   il_emit(m->p, IL_OP_PROJECT, pick(m, 17), &d, 1, &s);
}

static void
old_statement(struct maker *m)
{
   switch (pick(m, m->in_macro ? 5 : 6)) {
   case 0:
      move_address(m);
      break;
   case 5: {
      static const uint8_t outputs[] = { IL_REGTYPE_VOUTPUT, IL_REGTYPE_TEXCOORD,
                                         IL_REGTYPE_PRICOLOR, IL_REGTYPE_FOG };
      struct il_dst d = m->stage == IL_SHADER_PIXEL ? il_dst(IL_REGTYPE_PCOLOR, pick(m, NUM_VALUES))
                                                    : il_dst(outputs[pick(m, 4)], pick(m, 2));
      const struct il_src value = any_operand(m);
      d.r.num = d.r.type == IL_REGTYPE_FOG ? 0 : d.r.num;
      il_emit(m->p, IL_OP_MOV, 0, &d, 1, &value);
      break;
   }
   case 1:
      if (m->depth < 4 && m->loop_depth % 16 < 2)
         counted_loop(m);
      break;
   case 2:
      if (m->stage == IL_SHADER_PIXEL && offers.state)
         by_state(m);
      break;
   default:
      if (offers.streams)
         memory_stream(m);
      break;
   }
}

/* --- macros ----------------------------------------------------------------------------------- */
static void
move(struct maker *m, struct il_dst d, struct il_src s)
{
   il_emit(m->p, IL_OP_MOV, 0, &d, 1, &s);
}

/* Two of them, of which the second may call the first. */
void
make_macros(struct maker *m)
{
   for (unsigned id = 0; id < NUM_MACROS; id++) {
      unsigned ins = m->macro[id].ins = 1 + pick(m, 3), outs = m->macro[id].outs = 1 + pick(m, 3);
      const uint32_t counts = ins | outs << 8;

      il_emit_data(m->p, IL_OP_MACRODEF, id, NULL, 0, NULL, 1, &counts);
      declare_literals(m);
      for (unsigned n = 0; n < NUM_VALUES; n++) {
         struct il_src s = il_src(IL_REGTYPE_INPUT_ARG, n % ins);
         move(m, il_dst(IL_REGTYPE_TEMP, n), n & 1 ? il_swizzle(s, 1, 2, 3, 0) : s);
      }
      move(m, il_dst(IL_REGTYPE_TEMP, INDEX), il_src(IL_REGTYPE_INPUT_ARG, 0));
      keep_index_small(m);
      m->in_function = m->in_macro = true;
      m->stmts = 0;
      statements(m, 1 + pick(m, 5));
      m->in_function = m->in_macro = false;
      for (unsigned n = 0; n < outs; n++)
         move(m, il_dst(IL_REGTYPE_OUTPUT_ARG, n), il_src(IL_REGTYPE_TEMP, n + pick(m, 4)));
      il_emit(m->p, IL_OP_MACROEND, 0, NULL, 0, NULL);
      m->num_macros = id + 1;
   }
   m->stmts = 0;
   m->p->first_main = m->p->ninsts;
}

static bool
call_macro(struct maker *m)
{
   struct il_src src[3];

   if (!m->num_macros || m->expansions == MAX_EXPANSIONS)
      return false;
   unsigned id = pick(m, m->num_macros), ins = m->macro[id].ins, outs = m->macro[id].outs;
   const uint32_t counts = outs | ins << 16;
   for (unsigned n = 0; n < ins; n++)
      src[n] = any_operand(m);
   struct il_inst *inst = il_emit_data(m->p, IL_OP_MACROCALL, id, NULL, ins, src, 1, &counts);
   struct il_dst *dst = inst ? il_alloc(m->p, outs * sizeof(*dst)) : NULL;
   if (dst) {
      for (unsigned n = 0; n < outs; n++)
         dst[n] = value_register(m);
      inst->dst = dst;
      inst->ndst = (uint8_t)outs;
   }
   m->expansions++;
   return true;
}

/* --- interfaces ------------------------------------------------------------------------------- */

/* Tables of functions 1 and 2, two entries each; pointers 0 to 3 have tables 0 to 2, 4 and 5 have 1
 * and 3. */
static void
declare_interfaces(struct maker *m)
{
   const uint32_t tables[4][3] = { { 2, 1, 2 }, { 2, 2, 1 }, { 2, 1, 1 }, { 2, 2, 2 } };
   const uint32_t first[6] = { 4, 2, 3, 0, 1, 2 }, second[5] = { 2, 2, 2, 1, 3 };

   for (uint32_t n = 1; n <= 2; n++)
      il_emit_data(m->p, IL_OP_DCL_FUNCTION_BODY, 0, NULL, 0, NULL, 1, &n);
   for (unsigned n = 0; n < 4; n++)
      il_emit_data(m->p, IL_OP_DCL_FUNCTION_TABLE, n, NULL, 0, NULL, 3, tables[n]);
   il_emit_data(m->p, IL_OP_DCL_INTERFACE_PTR, 0 | 1 << 13, NULL, 0, NULL, 6, first);
   il_emit_data(m->p, IL_OP_DCL_INTERFACE_PTR, 4 | 1 << 13, NULL, 0, NULL, 5, second);
}

static void
call_interface(struct maker *m)
{
   const struct il_src instance = index_source(m);
   const uint32_t label = pick(m, 2);

   il_emit_data(m->p, IL_OP_FCALL, pick(m, 2) ? 4 : 0, NULL, 1, &instance, 1, &label);
}

void
declare_extras(struct maker *m)
{
   if (offers.calls && m->stage != IL_SHADER_HULL)
      declare_interfaces(m);
   if (m->old)
      declare_old(m);
   if (m->stage == IL_SHADER_COMPUTE) {
      il_emit(m->p, IL_OP_DCL_ARENA_UAV, ARENA_BUFFER, NULL, 0, NULL);
      il_emit(m->p, IL_OP_DCL_LDS_SIZE_PER_THREAD, OWNED_DWORDS, NULL, 0, NULL);
      il_emit(m->p, IL_OP_DCL_LDS_SHARING_MODE, pick(m, 2), NULL, 0, NULL);
   }
}

/* The ballot of a wave's threads, or the number of this one. */
static void
ballot(struct maker *m)
{
   struct il_dst d = value_register(m);
   struct il_src s = one_component(m);

   if (pick(m, 3))
      il_emit(m->p, IL_OP_X_BALLOT, 0, &d, 1, &s);
   else
      il_emit(m->p, IL_OP_X_SYSVAL, IL_SYSVAL_LANE, &d, 0, NULL);
}

bool
extra_statement(struct maker *m)
{
   bool pixel = m->stage == IL_SHADER_PIXEL, compute = m->stage == IL_SHADER_COMPUTE;

   if (offers.ballots && m->extended && !m->in_macro && pick(m, 4) == 0) {
      ballot(m);
      return true;
   }
   switch (pick(m, 5)) {
   case 0:
      return call_macro(m);
   case 1:
      if (!offers.calls || m->in_function || m->stage == IL_SHADER_HULL)
         return false;
      call_interface(m);
      return true;
   case 2:
      if (m->old)
         old_statement(m);
      return m->old;
   case 3:
      if (compute && offers.owners)
         owned_data(m);
      else if (!pixel && offers.memory)
         read_buffer(m);
      return !pixel && (offers.memory || (compute && offers.owners));
   default:
      if (compute && offers.owners && pick(m, 4) == 0)
         semaphore(m);
      else if (compute)
         part_of_dword(m);
      else if (m->stage_memory && (!pixel || pick(m, 2)))
         global_data(m);
      else if (m->stage_memory)
         shared_data(m);
      return compute || m->stage_memory;
   }
}
