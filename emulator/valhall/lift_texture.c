/* SPDX-License-Identifier: MIT */
/*
 * Lifts texture and image messages of the device; texture.c and image.c run them.
 *
 * Staging registers hold, of these in this order, what the instruction has: x, y, z, the second
 * half of explicit derivatives, the layer, the reference of a comparison, a word of offsets, the
 * level of detail or its bias, two words of a gradient.  Of VAR_TEX_* the parameter's components
 * are, in the same order, x, y, z, the layer and the reference.
 */
#include "port/state.h"
#include "port/tex_op.h"
#include "valhall/element.h"
#include "valhall/program.h"

static uint32_t
unfold(uint32_t table)
{
   return table < 12 ? table : table + 48;
}

/* Which texture and sampler its handles name, if that is known: slots of the stage, or none.  The
 * narrow form has both in a word. */
static bool
find_slots(const struct vh_lift *l, const struct uop_operand *handle, bool wide, uint32_t *resource,
           uint32_t *sampler)
{
   uint32_t word[2], table[2], index[2];

   if (!vh_operand_value(l, &handle[0], &word[0]))
      return false;
   if (wide) {
      if (!vh_operand_value(l, &handle[1], &word[1]))
         return false;
      table[0] = word[1] >> 24, index[0] = word[1] & 0xffffff;
      table[1] = word[0] >> 24, index[1] = word[0] & 0xffffff;
   } else {
      table[0] = unfold(word[0] >> 27 & 15), index[0] = word[0] >> 16 & 0x7ff;
      table[1] = unfold(word[0] >> 11 & 15), index[1] = word[0] & 0x7ff;
   }
   *resource = vh_slot(l->p->mali, 4, VH_TEXTURES, table[0], index[0]);
   *sampler = vh_slot(l->p->mali, 3, 0, table[1], index[1]);
   return true;
}

static uint8_t
sampling_op(const struct vh_lift *l)
{
   switch (valhall_get(&l->instr, VALHALL_MOD_LOD_MODE)) {
   case VALHALL_LOD_MODE_ZERO:
      return TD_SAMPLE_LZ;
   case VALHALL_LOD_MODE_EXPLICIT:
      return TD_SAMPLE_L;
   case VALHALL_LOD_MODE_COMPUTED_BIAS:
      return TD_SAMPLE_LB;
   case VALHALL_LOD_MODE_GRDESC:
      return TD_SAMPLE_G;
   default:
      return TD_SAMPLE;
   }
}

/* Where an instruction finds what it is given: registers, or the components of a parameter. */
struct given {
   unsigned first, count, used;
   bool registers;
};

/* The next row, or -1. */
static int8_t
next(struct given *g, bool there)
{
   if (!there || g->used == g->count)
      return -1;
   const unsigned row = g->first + g->used++;
   return (int8_t)(g->registers ? row & 63 : row);
}

static bool
is_single(unsigned exec)
{
   return exec == VALHALL_EXEC_TEX_SINGLE || exec == VALHALL_EXEC_TEX_DUAL;
}

static void
place_staging(struct vh_lift *l, struct vh_message *m, struct given *g)
{
   struct vh_texture *t = &m->texture;
   const unsigned exec = l->info->exec;
   const bool direction = t->dim == VALHALL_DIMENSION_CUBE && !g->registers;
   const unsigned coords = t->dim == VALHALL_DIMENSION_1D                ? 1
                           : t->dim == VALHALL_DIMENSION_3D || direction ? 3
                                                                         : 2;
   const unsigned lod = valhall_get(&l->instr, VALHALL_MOD_LOD_MODE);
   const bool single = is_single(exec);
   const bool given =
      exec == VALHALL_EXEC_TEX_GRADIENT && valhall_get(&l->instr, VALHALL_MOD_DERIVATIVE_ENABLE);
   const unsigned axes = given ? vh_gradient_axes(t->dim) : coords;

   for (unsigned c = 0; c < 3; c++)
      t->coord[c] = next(g, c < axes);
   t->gradient = -1;
   if (given) {
      t->gradient = next(g, true);
      g->used = g->used + axes > g->count ? g->count : g->used + axes - 1;
   }
   t->layer = next(g, valhall_get(&l->instr, VALHALL_MOD_ARRAY_ENABLE));
   t->compare = next(g, valhall_get(&l->instr, VALHALL_MOD_SHADOW));
   t->offset = next(g, valhall_get(&l->instr, VALHALL_MOD_TEXEL_OFFSET));
   t->lod = next(g, single &&
                       (lod == VALHALL_LOD_MODE_EXPLICIT || lod == VALHALL_LOD_MODE_COMPUTED_BIAS));
   if (single && lod == VALHALL_LOD_MODE_GRDESC) {
      t->gradient = next(g, g->used + 2 <= g->count);
      if (t->gradient < 0)
         t->op = TD_SAMPLE_LZ;
   }
}

/* The instruction's part of what TD binds. */
static struct td_lookup
describe(const struct vh_message *m, bool texels)
{
   return (struct td_lookup){
      .op = m->texture.op,
      .modifier = m->texture.component,
      .normalized = vh_coord_type(&m->texture, texels),
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      .plain_gather = true,
   };
}

/* What a handle names, if that is known, for the binder; else VH_NO_REF. */
static uint32_t
bind_known(struct vh_lift *l, const struct vh_message *m, const struct uop_operand *handle)
{
   struct vh_program *p = l->p;
   uint32_t resource, sampler, offset = 0, upper = 0;
   const int8_t word = m->texture.offset;
   const bool moved = word >= 0 && is_single(m->exec);

   if (!find_slots(l, handle, m->texture.wide, &resource, &sampler) || (moved && !l->known[word]) ||
       (vh_tells_texels(&m->texture) && !vh_operand_value(l, &handle[1], &upper))) {
      p->reads.descriptors = true;
      return VH_NO_REF;
   }
   if (moved)
      offset = l->value[word];
   if (!uop_grow(&l->b, (void **)&p->tex, p->reads.num_tex, &p->cap_tex, sizeof(*p->tex)))
      return VH_NO_REF;
   struct vh_tex_ref *ref = &p->tex[p->reads.num_tex];
   *ref = (struct vh_tex_ref){ .resource = resource,
                               .sampler = sampler,
                               .lookup = describe(m, upper & 1) };
   for (unsigned a = 0; a < 3; a++)
      ref->lookup.offset[a] = (int8_t)((int8_t)(offset >> 8 * a) * 2);
   return p->reads.num_tex++;
}

/* A level that no operand gives is 0. */
static uint8_t
operation(const struct vh_lift *l)
{
   uint8_t op;

   switch (l->info->exec) {
   case VALHALL_EXEC_TEX_FETCH:
      return TD_LD;
   case VALHALL_EXEC_TEX_SINGLE:
   case VALHALL_EXEC_TEX_DUAL:
      return sampling_op(l);
   case VALHALL_EXEC_VAR_TEX_SINGLE:
   case VALHALL_EXEC_VAR_TEX_DUAL:
      op = sampling_op(l);
      return op == TD_SAMPLE ? op : TD_SAMPLE_LZ;
   case VALHALL_EXEC_TEX_GATHER:
   case VALHALL_EXEC_VAR_TEX_GATHER:
      return valhall_get(&l->instr, VALHALL_MOD_TEXEL_OFFSET) ? TD_GATHER4_O : TD_GATHER4;
   default:
      return TD_GET_LOD;
   }
}

/* The component of a gather; of a level, the one before the limits or the one that is accessed. */
static uint8_t
component(const struct vh_lift *l, unsigned op)
{
   if (op == TD_GET_LOD)
      return valhall_get(&l->instr, VALHALL_MOD_LOD_CLAMP_DISABLE) ? 0 : 1;
   return (uint8_t)valhall_get(&l->instr, VALHALL_MOD_FETCH_COMPONENT);
}

static struct vh_message *
new_texture_message(struct vh_lift *l)
{
   struct vh_message *m = vh_new_message(l);

   if (!m)
      return NULL;
   m->texture = (struct vh_texture){
      .dim = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_DIMENSION),
      .cube = valhall_get(&l->instr, VALHALL_MOD_DIMENSION) == VALHALL_DIMENSION_CUBE,
      .op = operation(l),
      .component = component(l, operation(l)),
      .ref = VH_NO_REF,
   };
   m->format = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_REGISTER_TYPE);
   return m;
}

static void
send(struct vh_lift *l, const struct uop_operand handle[2])
{
   uop_emit(&l->b, UOP_VH_MESSAGE, 0, handle[0], handle[1], handle[1])->p.message.number =
      l->p->num_messages - 1;
}

static void
bind_textures(struct vh_lift *l, struct vh_message *m, const struct uop_operand handle[2])
{
   if (m->texture.compare >= 0 && m->texture.op != TD_GET_LOD)
      m->texture.op = (uint8_t)(m->texture.op + 8);
   m->ref = bind_known(l, m, handle);
   if (m->texture.dual)
      m->texture.ref = bind_known(l, m, m->texture.wide ? handle : &handle[1]);
}

static void
lift_texture(struct vh_lift *l)
{
   const unsigned exec = l->info->exec;
   struct uop_operand handle[2] = { vh_source_word(l, 0, 0), vh_source_word(l, 0, 1) };
   struct vh_message *m = new_texture_message(l);
   struct given g = { l->instr.staging[1].reg, l->instr.staging[1].count, 0, true };

   if (!m)
      return;
   struct vh_texture *t = &m->texture;
   t->wide = valhall_get(&l->instr, VALHALL_MOD_WIDE_INDICES);
   t->mask = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_WRITE_MASK);
   t->dual = exec == VALHALL_EXEC_TEX_DUAL;
   t->half[0] = valhall_get(&l->instr, VALHALL_MOD_REGISTER_WIDTH) == VALHALL_REGISTER_WIDTH_16;
   t->half[1] =
      valhall_get(&l->instr, VALHALL_MOD_SECONDARY_REGISTER_WIDTH) == VALHALL_REGISTER_WIDTH_16;
   place_staging(l, m, &g);
   if (exec == VALHALL_EXEC_TEX_GRADIENT && t->gradient >= 0) {
      /* The derivatives are kept as they are, for the instructions that name them. */
      if (l->gradients == VH_GRADIENTS)
         vh_fail(l, "the program has more than %u gradients", VH_GRADIENTS);
      m->number = (uint8_t)l->gradients++;
   } else {
      bind_textures(l, m, handle);
   }
   send(l, handle);
}

/* Source 0 names textures and samplers in the narrow form, source 1 the parameter. */
static void
lift_varying_texture(struct vh_lift *l)
{
   const unsigned exec = l->info->exec,
                  width = valhall_get(&l->instr, VALHALL_MOD_VARYING_TEXTURE_REGISTER_WIDTH);
   struct given g = { ROW_COORD, 4, 0, false };

   struct vh_message places = { .texture.dim =
                                   (uint8_t)valhall_get(&l->instr, VALHALL_MOD_DIMENSION) };
   place_staging(l, &places, &g);
   vh_lift_coordinates(l, g.used);
   struct uop_operand handle[2] = { vh_source_word(l, 0, 0), vh_source_word(l, 0, 1) };
   struct vh_message *m = new_texture_message(l);
   if (!m)
      return;
   struct vh_texture *t = &m->texture;
   g.used = 0;
   place_staging(l, m, &g);
   t->parameter = true;
   t->dual = exec == VALHALL_EXEC_VAR_TEX_DUAL;
   t->half[0] = !(width & 1);
   t->half[1] = !(width & 2);
   t->mask = t->op == TD_GET_LOD ? 3 : 15;
   bind_textures(l, m, handle);
   send(l, handle);
}

/* Images: the coordinates, and which. */
static void
lift_image(struct vh_lift *l)
{
   const bool store = l->info->exec == VALHALL_EXEC_ST_CVT, immediate = l->info->num_imm == 2;
   struct uop_operand a = vh_source_word(l, 0, 0), b, c;
   struct vh_message *m = vh_new_message(l);
   uint32_t value;

   if (!m)
      return;
   l->p->reads.images = true;
   m->width = (uint8_t)(valhall_get(&l->instr, VALHALL_MOD_VECTOR_SIZE) + 1);
   if (store) {
      l->p->core.writes_memory = true;
      m->offset = (int32_t)l->instr.imm[0];
      b = vh_source_word(l, 0, 1);
      c = vh_source_word(l, 1, 0); /* the conversion word */
   } else {
      const bool address = l->info->exec == VALHALL_EXEC_LEA_TEX;
      b = vh_source_word(l, 1, 0);
      c = immediate ? vh_literal(l, unfold(l->instr.imm[address ? 0 : 1]) << 24 |
                                       l->instr.imm[address ? 1 : 0])
                    : vh_source_word(l, 2, 0);
      /* What is read may be what an earlier wave wrote, and its address be written through. */
      l->p->core.writes_memory = true;
   }
   if (vh_operand_value(l, &c, &value))
      m->uniform = true;
   uop_emit(&l->b, UOP_VH_MESSAGE, 0, a, b, c)->p.message.number = l->p->num_messages - 1;
}

void
vh_lift_texture(struct vh_lift *l)
{
   switch (l->info->exec) {
   case VALHALL_EXEC_LD_TEX:
   case VALHALL_EXEC_LEA_TEX:
   case VALHALL_EXEC_ST_CVT:
      lift_image(l);
      return;
   case VALHALL_EXEC_VAR_TEX_SINGLE:
   case VALHALL_EXEC_VAR_TEX_GATHER:
   case VALHALL_EXEC_VAR_TEX_GRADIENT:
   case VALHALL_EXEC_VAR_TEX_DUAL:
      lift_varying_texture(l);
      return;
   default:
      lift_texture(l);
      return;
   }
}
