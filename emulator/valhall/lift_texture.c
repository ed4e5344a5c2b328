/* SPDX-License-Identifier: MIT */
/*
 * Lifts texture and image messages of the device; texture.c and image.c run them.
 *
 * Staging registers hold, of these in this order, what the instruction has: x, y, z, the second
 * half of explicit derivatives, the layer, the reference of a comparison, a word of offsets, the
 * level of detail or its bias, two words of a gradient.
 */
#include "td/tex_op.h"
#include "valhall/program.h"

static uint32_t
unfold(uint32_t table)
{
   return table < 12 ? table : table + 48;
}

/* Which texture and sampler its handles name, if that is known: slots of the stage, or none. */
static bool
find_slots(const struct vh_lift *l, const struct uop_operand handle[2], bool wide,
           uint32_t *resource, uint32_t *sampler)
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
   *resource = table[0] == 4 && index[0] < 4096 ? VH_TEXTURES + index[0] : UINT32_MAX;
   *sampler = table[1] == 3 ? index[1] : VH_NO_SAMPLER;
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

/* The next of the staging registers that the instruction reads, or -1. */
static int8_t
next(unsigned *used, unsigned count, bool there)
{
   return there && *used < count ? (int8_t)(*used)++ : -1;
}

static void
place_staging(struct vh_lift *l, struct vh_message *m)
{
   struct vh_texture *t = &m->texture;
   const unsigned count = l->instr.staging[1].count, exec = l->info->exec;
   const unsigned coords = t->dim == VALHALL_DIMENSION_1D   ? 1
                           : t->dim == VALHALL_DIMENSION_3D ? 3
                                                            : 2;
   const unsigned lod = valhall_get(&l->instr, VALHALL_MOD_LOD_MODE);
   const bool single = exec == VALHALL_EXEC_TEX_SINGLE;
   const bool given = exec == VALHALL_EXEC_TEX_GRADIENT &&
                      valhall_get(&l->instr, VALHALL_MOD_DERIVATIVE_ENABLE);
   const unsigned axes = given ? vh_gradient_axes(t->dim) : coords;
   unsigned used = 0;

   for (unsigned c = 0; c < 3; c++)
      t->coord[c] = next(&used, count, c < axes);
   t->gradient = -1;
   if (given) {
      t->gradient = next(&used, count, true);
      used = used + axes > count ? count : used + axes - 1;
   }
   t->layer = next(&used, count, valhall_get(&l->instr, VALHALL_MOD_ARRAY_ENABLE));
   t->compare = next(&used, count, valhall_get(&l->instr, VALHALL_MOD_SHADOW));
   t->offset = next(&used, count, valhall_get(&l->instr, VALHALL_MOD_TEXEL_OFFSET));
   t->lod =
      next(&used, count,
           single && (lod == VALHALL_LOD_MODE_EXPLICIT || lod == VALHALL_LOD_MODE_COMPUTED_BIAS));
   if (single && lod == VALHALL_LOD_MODE_GRDESC) {
      t->gradient = next(&used, count, used + 2 <= count);
      if (t->gradient < 0)
         t->op = TD_SAMPLE_LZ;
   }
}

/* The instruction's part of what TD binds. */
static struct td_tex_desc
describe(const struct vh_message *m)
{
   return (struct td_tex_desc){
      .op = m->texture.op,
      .inst_mod = m->texture.component,
      .coord_type = 15,
      .dst_sel = { 0, 1, 2, 3 },
      .src_sel = { 0, 1, 2, 3 },
      .plain_gather = true,
   };
}

static void
bind_known(struct vh_lift *l, struct vh_message *m, const struct uop_operand handle[2])
{
   struct vh_program *p = l->p;
   uint32_t resource, sampler, offset = 0;

   const unsigned word =
      m->texture.offset >= 0 ? (m->returned + (unsigned)m->texture.offset) & 63 : 0;
   const bool moved = m->texture.offset >= 0 && m->exec == VALHALL_EXEC_TEX_SINGLE;
   if (!find_slots(l, handle, m->texture.wide, &resource, &sampler) || (moved && !l->known[word])) {
      p->reads.descriptors = true;
      return;
   }
   if (moved)
      offset = l->value[word];
   if (!uop_grow(&l->b, (void **)&p->tex, p->reads.num_tex, &p->cap_tex, sizeof(*p->tex)))
      return;
   struct vh_tex_ref *ref = &p->tex[p->reads.num_tex];
   *ref = (struct vh_tex_ref){ .resource = resource, .sampler = sampler, .desc = describe(m) };
   for (unsigned a = 0; a < 3; a++)
      ref->desc.offset[a] = (int8_t)((int8_t)(offset >> 8 * a) * 2);
   m->ref = p->reads.num_tex++;
}

static void
lift_texture(struct vh_lift *l)
{
   const unsigned exec = l->info->exec;
   struct uop_operand handle[2] = { vh_source_word(l, 0, 0), vh_source_word(l, 0, 1) };
   struct vh_message *m = vh_new_message(l);

   if (!m)
      return;
   struct vh_texture *t = &m->texture;
   *t = (struct vh_texture){
      .wide = valhall_get(&l->instr, VALHALL_MOD_WIDE_INDICES),
      .dim = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_DIMENSION),
      .mask = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_WRITE_MASK),
      .half = valhall_get(&l->instr, VALHALL_MOD_REGISTER_WIDTH) == VALHALL_REGISTER_WIDTH_16,
      .cube = valhall_get(&l->instr, VALHALL_MOD_DIMENSION) == VALHALL_DIMENSION_CUBE,
   };
   m->format = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_REGISTER_TYPE);
   m->returned = l->instr.staging[1].reg; /* of the registers it reads, the first */
   switch (exec) {
   case VALHALL_EXEC_TEX_FETCH:
      t->op = TD_LD;
      break;
   case VALHALL_EXEC_TEX_SINGLE:
      t->op = sampling_op(l);
      break;
   case VALHALL_EXEC_TEX_GATHER:
      t->op = valhall_get(&l->instr, VALHALL_MOD_TEXEL_OFFSET) ? TD_GATHER4_O : TD_GATHER4;
      t->component = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_FETCH_COMPONENT);
      break;
   default:
      t->op = TD_GET_LOD;
      /* Before the limits, or the level that is accessed. */
      t->component = valhall_get(&l->instr, VALHALL_MOD_LOD_CLAMP_DISABLE) ? 0 : 1;
      break;
   }
   place_staging(l, m);
   if (t->compare >= 0)
      t->op = (uint8_t)(t->op + 8);
   if (exec == VALHALL_EXEC_TEX_GRADIENT && t->gradient >= 0) {
      /* The derivatives are kept as they are, for who names them. */
      if (l->gradients == VH_GRADIENTS)
         vh_fail(l, "the program has more than %u gradients", VH_GRADIENTS);
      m->number = (uint8_t)l->gradients++;
   } else {
      bind_known(l, m, handle);
   }
   uop_emit(&l->b, UOP_VH_MESSAGE, 0, handle[0], handle[1], handle[1])->p.message.number =
      l->p->num_messages - 1;
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
   default:
      lift_texture(l);
      return;
   }
}
