/* SPDX-License-Identifier: MIT */
/*
 * Whole programs: declarations, the values that registers begin with, phases, and where results go;
 * see case.h.
 */
#include "maker.h"

#include <stddef.h>
#include <string.h>

/* Whether the stage exports a position. */
static bool
has_position(const struct maker *m)
{
   return m->stage == IL_SHADER_VERTEX || m->stage == IL_SHADER_GEOMETRY ||
          m->stage == IL_SHADER_DOMAIN;
}

static void
declare_literal(struct maker *m, unsigned n, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
   const uint32_t data[4] = { x, y, z, w };
   const struct il_src s = il_src(IL_REGTYPE_LITERAL, n);
   il_emit_data(m->p, IL_OP_DCL_LITERAL, 0, NULL, 1, &s, 4, data);
}

static void
declare_input(struct maker *m, unsigned n, unsigned usage, unsigned mode)
{
   struct il_dst d = il_dst(IL_REGTYPE_INPUT, n);
   il_emit(m->p, IL_OP_DCL_INPUT, usage | mode << 5, &d, 0, NULL);
}

static void
declare_number(struct maker *m, enum il_opcode op, uint32_t n)
{
   il_emit_data(m->p, op, 0, NULL, 0, NULL, 1, &n);
}

static void
declare_geometry(struct maker *m)
{
   il_emit(m->p, IL_OP_DCL_X_VERSION, IL_X_VERSION, NULL, 0, NULL);
   il_emit(m->p, IL_OP_DCL_INPUT_PRIMITIVE, IL_TOPOLOGY_TRIANGLE_ADJ, NULL, 0, NULL);
   il_emit(m->p, IL_OP_DCL_OUTPUT_TOPOLOGY, IL_OUTPUT_TOPOLOGY_TRIANGLE_STRIP, NULL, 0, NULL);
   il_emit(m->p, IL_OP_DCL_MAX_OUTPUT_VERTEX_COUNT, 1 + pick(m, 6), NULL, 0, NULL);
   for (unsigned n = 0; n < NUM_ATTRS; n++) {
      struct il_dst d = il_dst(IL_REGTYPE_INPUT, GS_VERTICES);
      d.dim2 = il_alloc(m->p, sizeof(*d.dim2));
      if (d.dim2) {
         d.dim2->type = IL_REGTYPE_INPUT;
         d.dim2->num = IL_LINK_GENERIC0 + n;
      }
      il_emit(m->p, IL_OP_DCL_INPUT, IL_IMPORTUSAGE_GENERIC, &d, 0, NULL);
   }
}

static void
declare_hull(struct maker *m)
{
   /* The next stage reads all outputs of control points. */
   const uint32_t slots[2] = { 0, (1u << NUM_VALUES) - 1 };

   il_emit(m->p, IL_OP_DCL_X_VERSION, IL_X_VERSION, NULL, 0, NULL);
   if (m->flat)
      il_emit(m->p, IL_OP_DCL_X_FLAT_HS, 0, NULL, 0, NULL);
   il_emit_data(m->p, IL_OP_DCL_X_LINK_SLOTS, 0, NULL, 0, NULL, 2, slots);
   declare_number(m, IL_OP_DCL_NUM_ICP, PATCH_POINTS);
   declare_number(m, IL_OP_DCL_NUM_OCP, PATCH_POINTS);
   il_emit(m->p, IL_OP_DCL_TS_DOMAIN, IL_TS_DOMAIN_TRI, NULL, 0, NULL);
   il_emit(m->p, IL_OP_DCL_TS_PARTITION, 0, NULL, 0, NULL);
   il_emit(m->p, IL_OP_DCL_TS_OUTPUT_PRIMITIVE, 3, NULL, 0, NULL);
}

/* Outputs that values go to, of the program or of a phase. */
static void
declare_outputs(struct maker *m)
{
   for (unsigned n = 0; n < (m->patch ? PATCH_VALUES : NUM_VALUES); n++) {
      struct il_dst d = il_dst(IL_REGTYPE_OUTPUT, output_base(m) + n);
      unsigned usage = !m->patch || n >= HULL_FACTORS ? IL_IMPORTUSAGE_GENERIC
                       : n + 1 < HULL_FACTORS         ? IL_IMPORTUSAGE_EDGE_TESSFACTOR
                                                      : IL_IMPORTUSAGE_INSIDE_TESSFACTOR;
      il_emit(m->p, IL_OP_DCL_OUTPUT, usage, &d, 0, NULL);
   }
   if (has_position(m)) {
      struct il_dst d = il_dst(IL_REGTYPE_OUTPUT, 0);
      il_emit(m->p, IL_OP_DCL_OUTPUT, IL_IMPORTUSAGE_POS, &d, 0, NULL);
   }
   for (unsigned n = 0; n < GS_CAPTURED && m->stage == IL_SHADER_GEOMETRY; n++) {
      struct il_dst d = il_dst(IL_REGTYPE_OUTPUT, IL_LINK_GENERIC0 + n);
      const uint32_t offset = 4 * n;
      il_emit_data(m->p, IL_OP_DCL_X_STREAMOUT, 1 | 1 << 2, &d, 0, NULL, 1, &offset);
   }
}

/* Makes of small numbers a direction, its greatest component a power of two, and a layer. */
static void
declare_direction(struct maker *m, unsigned n)
{
   static const uint32_t majors[] = { 0x3f800000, 0xbf800000, 0x40000000,
                                      0xc0000000, 0x3f000000, 0xbf000000 };
   const unsigned axis = pick(m, 3);
   uint32_t factor[3], sum[3];

   for (unsigned a = 0; a < 3; a++) {
      factor[a] = a == axis ? 0 : 0x3f800000;
      sum[a] = a == axis ? majors[pick(m, sizeof(majors) / sizeof(*majors))] : 0;
   }
   declare_literal(m, n, factor[0], factor[1], factor[2], 0x41000000);
   declare_literal(m, n + 1, sum[0], sum[1], sum[2], 0x40000000);
}

void
declare_literals(struct maker *m)
{
   for (unsigned n = 0; n < NUM_LITERALS; n++)
      declare_literal(m, n, rng_bits(m->r), rng_bits(m->r), rng_bits(m->r), rng_bits(m->r));
   declare_literal(m, L_SMALL, 0, 1, 2, 3);
   declare_literal(m, L_TEXEL, 15, 7, 3, 3);
   declare_literal(m, L_SCALE, 0x40400000, 0x41000000, 0xc0000000, 0x3fc00000);
   if (offers.snaps) {
      declare_literal(m, L_PLACE, 0x43800000, 0xc3000000, 0x3b800000, 0x3f7f0000);
      declare_literal(m, L_ONE, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000);
      declare_literal(m, L_LEVEL, 0x43800000, 0x3b800000, 0xc1800000, 0x41800000);
      for (unsigned n = 0; n < 2; n++)
         declare_direction(m, L_FACE + 2 * n);
   }
   if (m->rough) {
      uint32_t range, least;
      memcpy(&range, &m->rough->bound.range, 4);
      memcpy(&least, &m->rough->bound.least, 4);
      declare_literal(m, L_RANGE, range, range, range, range);
      declare_literal(m, L_LEAST, least, least, least, least);
   }
   declare_literal(m, L_LOOP, 0, 1 + pick(m, 4), 1, ~0u);
   declare_literal(m, L_MASKS, (LDS_BYTES / 2 - 1) & ~3u, LDS_BYTES / 16 - 1,
                   (UAV_DWORDS / 2 - 1) & 0x3fc, 0x3f);
}

/* Buffers and shared data. */
static void
declare_memory(struct maker *m)
{
   const uint32_t block[3] = { 16, CS_THREADS / 16, 1 };
   const uint32_t raw = LDS_BYTES / 2, structs[2] = { 8, LDS_BYTES / 16 }, stride = 16;

   if (m->stage == IL_SHADER_COMPUTE) {
      il_emit_data(m->p, IL_OP_DCL_NUM_THREAD_PER_GROUP, 3, NULL, 0, NULL, 3, block);
      il_emit_data(m->p, IL_OP_DCL_LDS, 0, NULL, 0, NULL, 1, &raw);
      il_emit_data(m->p, IL_OP_DCL_STRUCT_LDS, 1, NULL, 0, NULL, 2, structs);
      il_emit(m->p, IL_OP_DCL_RAW_UAV, 0, NULL, 0, NULL);
   }
   if (m->stage == IL_SHADER_COMPUTE || m->stage_memory) {
      il_emit(m->p, IL_OP_DCL_RAW_UAV, 1, NULL, 0, NULL);
      il_emit_data(m->p, IL_OP_DCL_STRUCT_UAV, 2, NULL, 0, NULL, 1, &stride);
   }
   if (m->stage == IL_SHADER_COMPUTE || (m->stage == IL_SHADER_PIXEL && m->stage_memory)) {
      il_emit_data(m->p, IL_OP_DCL_GDS, 0, NULL, 0, NULL, 1, &raw);
      il_emit_data(m->p, IL_OP_DCL_STRUCT_GDS, 1, NULL, 0, NULL, 2, structs);
   }
   il_emit(m->p, IL_OP_DCL_RAW_SRV, SRV_BUFFER, NULL, 0, NULL);
   il_emit_data(m->p, IL_OP_DCL_STRUCT_SRV, SRV_STRUCTS, NULL, 0, NULL, 1, &stride);
}

/* Of enum il_interpmode: those at each sample are the last two, flat is the first. */
static unsigned
interpolation(struct maker *m)
{
   const unsigned first = offers.flat ? IL_INTERPMODE_CONSTANT : IL_INTERPMODE_LINEAR;
   const unsigned end =
      offers.samples ? IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE : IL_INTERPMODE_LINEAR_SAMPLE - 1;

   return first + pick(m, end + 1 - first);
}

static void
declare(struct maker *m)
{
   struct il_src buffer = il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, NUM_CONSTS, NULL);
   struct il_src array = il_array_src(m->p, IL_REGTYPE_ITEMP, 0,
                                      pick(m, 4) || !offers.large_arrays ? ARRAY_SIZE : 90, NULL);
   uint32_t table[1 + 32];

   if (m->stage == IL_SHADER_GEOMETRY)
      declare_geometry(m);
   else if (m->stage == IL_SHADER_HULL)
      declare_hull(m);
   else if (m->extended)
      il_emit(m->p, IL_OP_DCL_X_VERSION, IL_X_VERSION, NULL, 0, NULL);
   declare_memory(m);
   declare_extras(m);
   il_emit(m->p, IL_OP_DCL_CONST_BUFFER, 0, NULL, 1, &buffer);
   table[0] = 32;
   for (unsigned i = 0; i < 32; i++)
      table[1 + i] = rng_bits(m->r);
   il_emit_data(m->p, IL_OP_DCL_CONST_BUFFER, 0x8000, NULL, 0, NULL, 33, table);
   il_emit(m->p, IL_OP_DCL_INDEXED_TEMP_ARRAY, 0, NULL, 1, &array);
   declare_literals(m);
   declare_textures(m);

   if (m->stage == IL_SHADER_VERTEX) {
      for (unsigned n = 0; n < NUM_ATTRS; n++)
         declare_input(m, n, IL_IMPORTUSAGE_GENERIC, 0);
      declare_input(m, IL_VS_INPUT_VERTEX_ID, IL_IMPORTUSAGE_VERTEXID, 0);
      declare_input(m, IL_VS_INPUT_INSTANCE_ID, IL_IMPORTUSAGE_INSTANCEID, 0);
   } else if (m->stage == IL_SHADER_PIXEL) {
      declare_input(m, IL_LINK_POSITION, IL_IMPORTUSAGE_POS, IL_INTERPMODE_LINEAR_NOPERSPECTIVE);
      declare_input(m, IL_PS_INPUT_FRONT_FACE, IL_IMPORTUSAGE_ISFRONTFACE, IL_INTERPMODE_CONSTANT);
      for (unsigned n = 0; n < NUM_ATTRS; n++)
         declare_input(m, 32 + n, IL_IMPORTUSAGE_GENERIC, interpolation(m));
   }
   if (m->stage != IL_SHADER_COMPUTE && m->stage != IL_SHADER_HULL)
      declare_outputs(m);
}

static void
move(struct maker *m, struct il_dst d, struct il_src s)
{
   il_emit(m->p, IL_OP_MOV, 0, &d, 1, &s);
}

static void
prologue(struct maker *m)
{
   move(m, il_dst(IL_REGTYPE_TEMP, INDEX), il_src(IL_REGTYPE_LITERAL, L_SMALL));
   for (unsigned n = 0; n < NUM_VALUES; n++) {
      struct il_src s = il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, n, NULL);
      if (m->stage == IL_SHADER_VERTEX) {
         s = n == 7   ? il_replicate(il_src(IL_REGTYPE_INPUT, 32), 0)
             : n == 6 ? il_replicate(il_src(IL_REGTYPE_INPUT, 33), 0)
                      : il_src(IL_REGTYPE_INPUT, n % NUM_ATTRS);
      } else if (m->stage == IL_SHADER_PIXEL) {
         s = il_src(IL_REGTYPE_INPUT, 32 + n % NUM_ATTRS);
      } else if (m->stage != IL_SHADER_COMPUTE) {
         s = any_input(m);
         s.has_mod = false;
      } else if (n < 2) {
         s = il_replicate(
            il_src(n ? IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT : IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT, 0),
            0);
      }
      if (n & 1) {
         s = il_swizzle(s, 3, 2, 1, 0);
         if (m->stage == IL_SHADER_COMPUTE && n == 1)
            s = il_replicate(s, 0);
      }
      move(m, il_dst(IL_REGTYPE_TEMP, n), s);
   }
   /* Values that differ from thread to thread. */
   if (m->stage == IL_SHADER_COMPUTE) {
      for (unsigned n = 2; n < 6; n++) {
         struct il_dst d = il_dst(IL_REGTYPE_TEMP, n),
                       e = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
         const struct il_src shift[2] = { il_replicate(
                                             il_src(IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT, 0), 0),
                                          il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), 2) };
         const struct il_src at = il_replicate(il_src(IL_REGTYPE_TEMP, SCRATCH), 0);
         il_emit(m->p, IL_OP_I_SHL, 0, &e, 2, shift);
         il_emit(m->p, IL_OP_UAV_RAW_LOAD, 1, &d, 1, &at);
      }
   }
   move(m, il_dst(IL_REGTYPE_TEMP, INDEX), il_src(IL_REGTYPE_TEMP, 7));
   keep_index_small(m);
   for (unsigned n = 0; n < ARRAY_SIZE; n++) {
      move(m, il_array_dst(m->p, IL_REGTYPE_ITEMP, 0, n, NULL),
           il_array_src(m->p, IL_REGTYPE_CONST_BUFF, 0, n, NULL));
   }
   if (m->old)
      move_address(m);
   /* For those that return early. */
   for (unsigned n = 0; n < NUM_VALUES && m->stage != IL_SHADER_COMPUTE; n++)
      move(m, il_dst(IL_REGTYPE_OUTPUT, output_base(m) + n), il_src(IL_REGTYPE_TEMP, n));
   if (m->rough)
      move(m, il_dst(IL_REGTYPE_TEMP, ROUGH), il_src(IL_REGTYPE_TEMP, ROUGH_OUTPUT));
   if (has_position(m))
      move(m, il_dst(IL_REGTYPE_OUTPUT, 0), il_src(IL_REGTYPE_TEMP, 0));
}

static void
epilogue(struct maker *m)
{
   /* An element of the array, too. */
   struct il_dst sum = il_dst(IL_REGTYPE_TEMP, 0);
   struct il_src index = index_source(m);
   const struct il_src both[2] = { il_src(IL_REGTYPE_TEMP, 0),
                                   il_array_src(m->p, IL_REGTYPE_ITEMP, 0, 1, &index) };
   il_emit(m->p, IL_OP_I_XOR, 0, &sum, 2, both);

   for (unsigned n = 0; n < NUM_VALUES; n++) {
      struct il_src value = il_src(IL_REGTYPE_TEMP, m->rough && n == ROUGH_OUTPUT ? ROUGH : n);
      if (m->stage != IL_SHADER_COMPUTE) {
         move(m, il_dst(IL_REGTYPE_OUTPUT, output_base(m) + n), value);
         continue;
      }
      struct il_dst at = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 1);
      struct il_dst mem = il_dst(IL_REGTYPE_GENERIC_MEM, 0);
      const uint32_t offset = 16 * n;
      const struct il_src place[3] = {
         il_replicate(il_src(IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT, 0), 0),
         il_replicate(il_src(IL_REGTYPE_LITERAL, L_MASKS + 1), 0),
         il_replicate(il_src(IL_REGTYPE_LITERAL, L_MASKS + 2 + n), 0),
      };
      const struct il_src store[2] = { il_replicate(il_src(IL_REGTYPE_TEMP, SCRATCH), 0), value };
      if (n == 0)
         declare_literal(m, L_MASKS + 1, 16 * NUM_VALUES, 0, 0, 0);
      declare_literal(m, L_MASKS + 2 + n, offset, 0, 0, 0);
      il_emit(m->p, IL_OP_U_MAD, 0, &at, 3, place);
      il_emit(m->p, IL_OP_UAV_RAW_STORE, 0, &mem, 2, store);
   }
}

/* One phase of a hull shader. */
static void
phase(struct maker *m, enum il_opcode op, unsigned instances)
{
   m->patch = op != IL_OP_HS_CP_PHASE;
   m->has_patch_phase |= m->patch;
   il_emit(m->p, op, m->patch ? instances : 0, NULL, 0, NULL);
   declare_outputs(m);
   prologue(m);
   statements(m, 3 + pick(m, 12));
   epilogue(m);
   il_emit(m->p, IL_OP_ENDPHASE, 0, NULL, 0, NULL);
   m->patch = false;
}

static void
phases(struct maker *m)
{
   phase(m, IL_OP_HS_CP_PHASE, 1);
   for (unsigned n = pick(m, 3); n > 0; n--) {
      m->stmts = 0;
      phase(m, IL_OP_HS_FORK_PHASE, 1 + pick(m, 3));
   }
   if (pick(m, 2)) {
      m->stmts = 0;
      phase(m, IL_OP_HS_JOIN_PHASE, 1);
   }
}

/* vpc[n] at r8.x + n, and vocp[r8.x][slot] of the first output. */
static void
exchange(struct maker *m)
{
   struct il_src index = index_source(m);
   struct il_src other = il_src(IL_REGTYPE_OUTPUTCP, 0);

   other.dim2 = il_alloc(m->p, sizeof(*other.dim2));
   other.r.index = il_alloc(m->p, sizeof(*other.r.index));
   if (!other.dim2 || !other.r.index)
      return;
   other.r.rel = IL_ADDR_REG_RELATIVE;
   *other.r.index = index;
   other.dim2->type = IL_REGTYPE_OUTPUT;
   other.dim2->num = output_base(m) + pick(m, NUM_VALUES);
   il_emit(m->p, IL_OP_FENCE, IL_FENCE_THREADS | IL_FENCE_LDS, NULL, 0, NULL);
   move(m, il_dst(IL_REGTYPE_TEMP, 1), other);
   move(m, il_dst(IL_REGTYPE_PATCHCONST, 30), il_src(IL_REGTYPE_TEMP, 2));
   move(m, il_dst(IL_REGTYPE_PATCHCONST, 31), il_src(IL_REGTYPE_TEMP, 1));

   struct il_dst patch = il_dst(IL_REGTYPE_PATCHCONST, 3);
   patch.r.rel = IL_ADDR_REG_RELATIVE;
   patch.r.index = other.r.index;
   move(m, patch, il_src(IL_REGTYPE_TEMP, 3));
   il_emit(m->p, IL_OP_FENCE, IL_FENCE_THREADS | IL_FENCE_LDS, NULL, 0, NULL);
   move(m, il_dst(IL_REGTYPE_OUTPUT, output_base(m)), il_src(IL_REGTYPE_PATCHCONST, 5));
}

/* A hull shader of OpenGL's kind. */
static void
flat(struct maker *m)
{
   declare_outputs(m);
   prologue(m);
   statements(m, 3 + pick(m, 16));
   epilogue(m);
   exchange(m);
}

struct il_program *
make_program(struct rng *r, enum il_shader stage, const struct views *views, struct about *about)
{
   struct maker m = { .r = r, .p = il_program_new(stage), .stage = stage, .views = views };

   if (!m.p)
      return NULL;
   /* A derivative needs all four pixels. */
   m.flat = stage == IL_SHADER_HULL && pick(&m, 4) == 0;
   m.returns = offers.returns && pick(&m, 3) == 0 && !m.flat;
   m.mixed = m.old =
      (stage == IL_SHADER_VERTEX || stage == IL_SHADER_PIXEL) && pick(&m, 4) == 0 && offers.old;
   m.stage_memory = (stage == IL_SHADER_PIXEL || stage == IL_SHADER_VERTEX) && !m.old &&
                    pick(&m, 2) && offers.memory;
   m.extended = stage == IL_SHADER_GEOMETRY || stage == IL_SHADER_HULL ||
                (stage == IL_SHADER_COMPUTE && pick(&m, 2)) ||
                (m.stage_memory && (stage == IL_SHADER_VERTEX || pick(&m, 2)));
   m.rough = stage == IL_SHADER_HULL ? NULL : choose_rough(&m);
   if (pick(&m, 4) == 0)
      make_macros(&m);
   declare(&m);
   if (stage == IL_SHADER_HULL) {
      about->statements = m.p->ninsts;
      (m.flat ? flat : phases)(&m);
   } else {
      prologue(&m);
      about->statements = m.p->ninsts;
      statements(&m, 4 + pick(&m, 24));
      if (has_position(&m))
         move(&m, il_dst(IL_REGTYPE_OUTPUT, 0), il_src(IL_REGTYPE_TEMP, 1));
      epilogue(&m);
   }
   if (stage == IL_SHADER_GEOMETRY && pick(&m, 4))
      il_emit(m.p, IL_OP_EMIT, 0, NULL, 0, NULL);
   if (offers.calls) {
      il_emit(m.p, IL_OP_ENDMAIN, 0, NULL, 0, NULL);
      m.in_function = true;
      for (uint32_t n = 1; n <= 2; n++) {
         il_emit_data(m.p, IL_OP_FUNC, 0, NULL, 0, NULL, 1, &n);
         m.stmts = 0;
         statements(&m, 1 + pick(&m, 5));
         if (stage == IL_SHADER_HULL && (n == 1 || m.has_patch_phase)) {
            m.patch = n == 2;
            move(&m, il_dst(IL_REGTYPE_OUTPUT, output_base(&m) + pick(&m, NUM_VALUES)),
                 il_src(IL_REGTYPE_TEMP, pick(&m, NUM_VALUES)));
            m.patch = false;
         }
         il_emit(m.p, IL_OP_RET, 0, NULL, 0, NULL);
         if (m.p->ninsts % 2) /* ret alone is an end, too */
            il_emit(m.p, IL_OP_ENDFUNC, 0, NULL, 0, NULL);
      }
   }
   il_emit(m.p, IL_OP_END, 0, NULL, 0, NULL);
   about->mixed = m.mixed;
   about->textures = m.textures;
   about->bound = m.rough ? m.rough->bound : (struct shader_bound){ 0 };
   if (m.p->oom) {
      il_program_free(m.p);
      return NULL;
   }
   return m.p;
}
