/* SPDX-License-Identifier: MIT */
/*
 * Lifts what the device's pipeline around a program answers (docs/valhall-chip.rst): attributes,
 * windows, parameters, colours, coverage, depth.  Parameters at known offsets become
 * interpolations, as Cayman's are; the rest are messages, which device.c and texture.c run.
 * lift_texture.c has what samples.
 */
#include "port/format.h"
#include "valhall/program.h"

static const struct uop_operand none;

struct vh_message *
vh_new_message(struct vh_lift *l)
{
   struct vh_program *p = l->p;

   if (!uop_grow(&l->b, (void **)&p->messages, p->num_messages, &p->cap_messages,
                 sizeof(*p->messages)))
      return NULL;
   p->messages[p->num_messages] = (struct vh_message){
      .exec = l->info->exec,
      .reg = l->instr.staging[0].reg,
      .count = l->instr.staging[0].count,
      .window = VH_NO_WINDOW,
      .number = VH_BY_HANDLE,
      .ref = VH_NO_REF,
      .format = (uint8_t)valhall_get(&l->instr, VALHALL_MOD_REGISTER_FORMAT),
   };
   return &p->messages[p->num_messages++];
}

/* The message that was made last. */
static void
send(struct vh_lift *l, struct uop_operand a, struct uop_operand b, struct uop_operand c)
{
   uop_emit(&l->b, UOP_VH_MESSAGE, 0, a, b, c)->p.message.number = l->p->num_messages - 1;
}

/* A table's number of four bits. */
static uint32_t
unfold(uint32_t table)
{
   return table < 12 ? table : table + 48;
}

static uint32_t
vector_size(const struct vh_lift *l)
{
   return valhall_get(&l->instr, VALHALL_MOD_VECTOR_SIZE) + 1;
}

/* ------------------------------------------------------------------------------------------------
 * Attributes and windows
 */

/* A Mali's descriptor does not say whether integers become floats: the instruction does. */
static void
take_as_floats(const struct vh_lift *l, struct td_fetch *fetch)
{
   const unsigned format = valhall_get(&l->instr, VALHALL_MOD_REGISTER_FORMAT);

   if (l->p->mali && fetch->conversion == CONVERT_INT &&
       (format == VALHALL_REGISTER_FORMAT_F32 || format == VALHALL_REGISTER_FORMAT_F16))
      fetch->conversion = CONVERT_SCALED;
}

/* The element that a descriptor there describes. */
static uint32_t
add_element(struct vh_lift *l, uint32_t index)
{
   struct vh_program *p = l->p;
   const uint32_t *d = l->source->attributes + 8 * (size_t)index;

   if (!uop_grow(&l->b, (void **)&p->vtx, p->reads.num_vtx, &p->cap_vtx, sizeof(*p->vtx)))
      return VH_NO_REF;
   bind_decode_attribute(&p->vtx[p->reads.num_vtx], d);
   take_as_floats(l, &p->vtx[p->reads.num_vtx].fetch);
   return p->reads.num_vtx++;
}

static void
lift_attribute(struct vh_lift *l)
{
   const bool immediate = l->info->num_imm != 0;
   const bool address = l->info->exec == VALHALL_EXEC_LEA_ATTR; /* its table stands first */
   struct uop_operand id = vh_source_word(l, 0, 0), instance = vh_source_word(l, 1, 0);
   struct uop_operand handle =
      immediate ? vh_literal(l, unfold(l->instr.imm[!address]) << 24 | l->instr.imm[address])
                : vh_source_word(l, 2, 0);
   struct vh_message *m = vh_new_message(l);
   uint32_t value;

   if (!m)
      return;
   m->width = (uint8_t)vector_size(l);
   if (address || !vh_operand_value(l, &handle, &value)) {
      l->p->reads.descriptors = true;
      l->p->core.fetch_words_used = (uint32_t)(8 * l->source->num_attributes);
   } else if (value >> 24 == 1 && (value & 0xffffff) < l->source->num_attributes) {
      const uint32_t end = 8 * ((value & 0xffffff) + 1);
      if (l->p->core.fetch_words_used < end)
         l->p->core.fetch_words_used = end;
      const uint32_t ref = add_element(l, value & 0xffffff);
      m->ref = ref;
   }
   send(l, id, instance, handle);
}

/* Where a Mali's vertex has an output: those of the second program are the parameters, and of the
 * first, size and layer follow the position, four numbers on. */
static struct uop_operand
mali_output(struct vh_lift *l)
{
   struct uop_operand number = vh_source_word(l, 0, 0);
   uint32_t value;

   if (l->text->second && l->pc >= l->text->second)
      return vh_literal(l, 64);
   return vh_operand_value(l, &number, &value)
             ? vh_literal(l, 4 * value)
             : vh_op(l, UOP_LSHL_INT, number, vh_literal(l, 2), number);
}

static void
lift_window(struct vh_lift *l)
{
   const uint32_t table = unfold(l->instr.imm[0]), index = l->instr.imm[1];
   const bool there = table == 61 && index <= (l->p->mali ? VH_WINDOW_OUTPUTS : VH_WINDOW_GDS);

   if (there && index == VH_WINDOW_GDS)
      l->p->reads.gds = l->p->core.writes_memory = true;
   for (unsigned n = 0; n < l->instr.staging[0].count; n++)
      vh_move(l, vh_register((l->instr.staging[0].reg + n) & 63),
              n == 0 && l->p->mali ? mali_output(l)
                                   : vh_literal(l, there && n == 1 ? VH_WINDOW_HIGH | index : 0));
}

/* ------------------------------------------------------------------------------------------------
 * Parameters
 */

/* Where in the pixel. */
struct place {
   struct uop_operand i, j;
   unsigned pair;
   bool flat;
};

static struct uop_operand
op2(struct vh_lift *l, enum uop_id op, struct uop_operand a, struct uop_operand b)
{
   return vh_op(l, op, a, b, a);
}

/* v + x * dv/dx + y * dv/dy */
static struct uop_operand
moved(struct vh_lift *l, struct uop_operand v, struct uop_operand x, struct uop_operand y)
{
   struct uop_operand dx = vh_op(l, UOP_AT_RIGHT, v, v, v), dy = vh_op(l, UOP_AT_BELOW, v, v, v);
   struct uop_operand to = op2(l, UOP_ADD, v, op2(l, UOP_MUL_IEEE, x, dx));
   return op2(l, UOP_ADD, to, op2(l, UOP_MUL_IEEE, y, dy));
}

/* An offset of 8.8 bits, as a float. */
static struct uop_operand
fixed_offset(struct vh_lift *l, struct uop_operand word, unsigned lo)
{
   struct uop_operand n = vh_op(l, UOP_BFE_INT, word, vh_literal(l, lo), vh_literal(l, 16));
   n = vh_op(l, UOP_INT_TO_FLT, n, n, n);
   return op2(l, UOP_MUL_IEEE, n, vh_literal(l, 0x3b800000)); /* 1/256 */
}

static struct place
take_pair(struct vh_lift *l, unsigned pair)
{
   l->p->pairs |= 1u << pair;
   return (struct place){ .pair = pair,
                          .i = vh_register(ROW_BARYCENTRIC + 2 * pair),
                          .j = vh_register(ROW_BARYCENTRIC + 2 * pair + 1) };
}

static struct place
find_place(struct vh_lift *l, bool linear)
{
   static const uint8_t pairs[4] = {
      [VALHALL_SAMPLE_MODE_CENTER] = CORE_PERSP_CENTER,
      [VALHALL_SAMPLE_MODE_CENTROID] = CORE_PERSP_CENTROID,
      [VALHALL_SAMPLE_MODE_SAMPLE] = CORE_PERSP_SAMPLE,
      [VALHALL_SAMPLE_MODE_EXPLICIT] = CORE_PERSP_CENTER,
   };
   const unsigned mode = valhall_get(&l->instr, VALHALL_MOD_SAMPLE_MODE);
   struct place p = take_pair(l, pairs[mode] + (linear ? 3u : 0));

   if (mode == VALHALL_SAMPLE_MODE_EXPLICIT) {
      struct uop_operand word = vh_source_word(l, 0, 0);
      struct uop_operand x = fixed_offset(l, word, 0), y = fixed_offset(l, word, 16);
      p.i = moved(l, p.i, x, y);
      p.j = moved(l, p.j, x, y);
   }
   return p;
}

/* Component `at` of the parameters in a row, into a row. */
static void
interpolate(struct vh_lift *l, struct uop_operand to, const struct place *place, uint32_t at)
{
   struct uop *u;

   if (at >= 32 * 4) {
      vh_move(l, to, vh_literal(l, 0));
      return;
   }
   u = place->flat ? uop_add(&l->b, UOP_INTERP_LOAD)
                   : uop_emit(&l->b, UOP_INTERP, 0, place->i, place->j, none);
   u->dst = to.at;
   u->p.interp = (struct uop_interp){ .input = (uint8_t)(at / 4), .comp = at & 3 };
}

/* Halves of two components; integers keep their low bits. */
static void
pack_halves(struct vh_lift *l, struct uop_operand to, struct uop_operand a, struct uop_operand b,
            bool is_float)
{
   const uint32_t mode = VALHALL_ROUND_MODE_RTE;

   if (is_float) {
      a = vh_imm(l, UOP_VH_HALF, mode, a, none, none);
      b = vh_imm(l, UOP_VH_HALF, mode, b, none, none);
   } else {
      a = op2(l, UOP_AND_INT, a, vh_literal(l, 0xffff));
   }
   vh_move(l, to, op2(l, UOP_OR_INT, a, op2(l, UOP_LSHL_INT, b, vh_literal(l, 16))));
}

/* `count` components from `at` on, into the staging registers. */
static void
interpolate_vector(struct vh_lift *l, const struct place *place, uint32_t at, uint32_t count,
                   bool halves, bool is_float)
{
   const unsigned reg = l->instr.staging[0].reg;

   l->p->coefficients = true;
   if (!halves) {
      for (uint32_t c = 0; c < count; c++)
         interpolate(l, vh_register((reg + c) & 63), place, at + c);
      return;
   }
   for (uint32_t c = 0; c < count; c += 2) {
      struct uop_operand v[2] = { vh_temp(l), vh_temp(l) };
      interpolate(l, v[0], place, at + c);
      interpolate(l, v[1], place, at + c + (c + 1 < count));
      pack_halves(l, vh_register((reg + c / 2) & 63), v[0], v[1], is_float);
   }
}

/* A parameter that is found as the program runs. */
static void
lift_parameter_by_place(struct vh_lift *l, const struct place *place, struct uop_operand at,
                        bool flat)
{
   struct vh_message *m = vh_new_message(l);

   if (!m)
      return;
   l->p->coefficients = true;
   m->width = (uint8_t)vector_size(l);
   m->compare = flat;
   if (l->info->exec == VALHALL_EXEC_LD_VAR_BUF)
      m->format = valhall_type_info(l->info->from)->bits == 16 || l->info->src[0] == VALHALL_SRC_R16
                     ? VALHALL_REGISTER_FORMAT_F16
                     : VALHALL_REGISTER_FORMAT_F32;
   send(l, flat ? at : place->i, flat ? at : place->j, at);
}

static bool
is_half_format(unsigned format)
{
   return format == VALHALL_REGISTER_FORMAT_F16 || format == VALHALL_REGISTER_FORMAT_S16 ||
          format == VALHALL_REGISTER_FORMAT_U16;
}

/* Of a parameter that a handle names, its first component; false: it is found as the program
 * runs. */
static bool
first_component(const struct vh_lift *l, const struct uop_operand *handle, uint32_t *at,
                bool *linear)
{
   const bool known = vh_operand_value(l, handle, at);

   *linear = known && *at >> 24 == 1;
   *at = (*at & 0xffffff) < 32 ? 4 * (*at & 0xffffff) : 128;
   return known;
}

static void
lift_parameter(struct vh_lift *l)
{
   const unsigned exec = l->info->exec,
                  format = valhall_get(&l->instr, VALHALL_MOD_REGISTER_FORMAT);
   const bool by_byte = exec == VALHALL_EXEC_LD_VAR_BUF, immediate = l->info->num_imm != 0;
   bool flat = exec == VALHALL_EXEC_LD_VAR_FLAT, linear = false, known = true;
   bool halves = is_half_format(format), is_float = format == VALHALL_REGISTER_FORMAT_F16;
   struct uop_operand where = none;
   uint32_t at = 0;

   if (by_byte) {
      const unsigned source = valhall_get(&l->instr, VALHALL_MOD_SOURCE_FORMAT);
      flat =
         source == VALHALL_SOURCE_FORMAT_SRC_FLAT32 || source == VALHALL_SOURCE_FORMAT_SRC_FLAT16;
      halves = l->instr.opcode == VALHALL_OP_LD_VAR_BUF_IMM_F16 ||
               l->instr.opcode == VALHALL_OP_LD_VAR_BUF_F16;
      is_float = source != VALHALL_SOURCE_FORMAT_SRC_FLAT16;
      if (immediate) {
         at = l->instr.imm[0];
      } else {
         where = vh_source_word(l, 1, 0);
         known = vh_operand_value(l, &where, &at);
      }
      if (known && at & 3)
         at &= ~3u; /* a component begins at a word */
      at /= 4;
   } else if (immediate) {
      linear = unfold(l->instr.imm[0]) == 1;
      at = 4 * l->instr.imm[1];
   } else {
      where = vh_source_word(l, flat ? 0 : 1, 0);
      known = first_component(l, &where, &at, &linear);
   }
   struct place place = { .flat = true };
   if (!flat) {
      place = find_place(l, linear);
      place.flat = false;
   }
   if (known)
      interpolate_vector(l, &place, at, vector_size(l), halves, is_float);
   else
      lift_parameter_by_place(l, &place, where, flat);
}

void
vh_lift_coordinates(struct vh_lift *l, uint32_t count)
{
   static const uint8_t pairs[8] = {
      [VALHALL_SAMPLE_AND_UPDATE_MODE_CENTER_STORE] = CORE_PERSP_CENTER,
      [VALHALL_SAMPLE_AND_UPDATE_MODE_CENTROID_STORE] = CORE_PERSP_CENTROID,
      [VALHALL_SAMPLE_AND_UPDATE_MODE_SAMPLE_STORE] = CORE_PERSP_SAMPLE,
      [VALHALL_SAMPLE_AND_UPDATE_MODE_EXPLICIT_STORE] = CORE_PERSP_CENTER,
      [VALHALL_SAMPLE_AND_UPDATE_MODE_CENTER_CLOBBER] = CORE_PERSP_CENTER,
      [VALHALL_SAMPLE_AND_UPDATE_MODE_SAMPLE_CLOBBER] = CORE_PERSP_SAMPLE,
      [VALHALL_SAMPLE_AND_UPDATE_MODE_RETRIEVE] = CORE_PERSP_CENTER,
   };
   const unsigned mode = valhall_get(&l->instr, VALHALL_MOD_SAMPLE_AND_UPDATE_MODE);
   const bool by_byte = l->instr.opcode == VALHALL_OP_VAR_TEX_BUF_SINGLE ||
                        l->instr.opcode == VALHALL_OP_VAR_TEX_BUF_GATHER ||
                        l->instr.opcode == VALHALL_OP_VAR_TEX_BUF_GRADIENT ||
                        l->instr.opcode == VALHALL_OP_VAR_TEX_BUF_DUAL;
   struct uop_operand where = vh_source_word(l, 1, 0);
   bool linear = false, known;
   uint32_t at = 0;

   known = by_byte ? vh_operand_value(l, &where, &at) : first_component(l, &where, &at, &linear);
   at = by_byte ? at / 4 : at;
   const struct place place = take_pair(l, pairs[mode] + (linear ? 3u : 0));
   l->p->coefficients = true;
   if (known) {
      for (uint32_t c = 0; c < count; c++)
         interpolate(l, vh_register(ROW_COORD + c), &place, at + c);
      return;
   }
   struct vh_message *m = vh_new_message(l);
   if (!m)
      return;
   m->exec = by_byte ? VALHALL_EXEC_LD_VAR_BUF : VALHALL_EXEC_LD_VAR;
   m->width = (uint8_t)(count < 4 ? count : 4);
   m->row = ROW_COORD;
   send(l, place.i, place.j, where);
}

static void
lift_special_parameter(struct vh_lift *l)
{
   struct place place;
   struct uop_operand v[2];
   uint32_t count = vector_size(l);

   switch (l->instr.imm[0]) {
   case 0:
      place = find_place(l, false);
      v[0] = place.i;
      v[1] = op2(l, UOP_ADD, uop_uniform(UNI_SPRITE),
                 op2(l, UOP_MUL_IEEE, uop_uniform(UNI_SPRITE + 1), place.j));
      break;
   case 2:
      l->p->takes_w = true;
      v[0] = vh_register(ROW_W);
      v[0] = vh_op(l, UOP_RECIP_IEEE, v[0], v[0], v[0]);
      v[1] = vh_literal(l, 0);
      break;
   case 3:
      l->p->takes_z = true;
      v[0] = vh_register(ROW_Z);
      v[1] = vh_literal(l, 0);
      break;
   default:
      vh_fail(l, "LD_VAR_SPECIAL has no value %u", l->instr.imm[0]);
      return;
   }
   if (is_half_format(valhall_get(&l->instr, VALHALL_MOD_REGISTER_FORMAT))) {
      pack_halves(l, vh_register(l->instr.staging[0].reg), v[0], v[1], true);
      return;
   }
   for (uint32_t c = 0; c < count && c < l->instr.staging[0].count; c++)
      vh_move(l, vh_register((l->instr.staging[0].reg + c) & 63), c < 2 ? v[c] : vh_literal(l, 0));
}

/* ------------------------------------------------------------------------------------------------
 * What leaves a pixel
 */
static void
lift_blend(struct vh_lift *l, struct vh_step *step)
{
   struct uop_operand target = vh_source_word(l, 0, 0);
   struct vh_message *m;
   uint32_t number;

   if (vh_blend_program(l->text, &l->instr)) {
      /* Its program takes the colour, by the instructions that follow. */
      step->flow = VALHALL_FLOW_NONE;
      return;
   }
   m = vh_new_message(l);
   if (!m)
      return;
   m->width = (uint8_t)vector_size(l);
   m->ends = step->flow == VALHALL_FLOW_END && !l->instr.imm[0];
   if (l->p->mali && !valhall_src_is_special(l->instr.src[0].byte))
      target = vh_op(l, UOP_LSHR_INT, target, vh_literal(l, 16), target); /* a descriptor's word */
   if (vh_operand_value(l, &target, &number))
      m->number = number & 7;
   send(l, target, target, target);
   step->control = l->instr.imm[0] ? VH_JUMP : VH_NEXT;
   step->target = vh_place_behind(l->text->split, l->text->count, l->pc, l->instr.imm[0]);
}

/* Operands: pixel indices and, of stores, coverage.  The conversion word says nothing that the
 * target does not. */
static void
lift_tile(struct vh_lift *l)
{
   struct uop_operand indices = vh_source_word(l, 0, 0), coverage = vh_source_word(l, 1, 0);
   struct vh_message *m = vh_new_message(l);

   if (!m)
      return;
   m->width = (uint8_t)vector_size(l);
   l->p->core.loads_tile |= l->info->exec == VALHALL_EXEC_LD_TILE;
   l->p->core.stores_tile |= l->info->exec == VALHALL_EXEC_ST_TILE;
   send(l, indices, coverage, coverage);
}

/* A call or a return: a branch if it is known where to. */
static void
lift_call(struct vh_lift *l, struct vh_step *step)
{
   const struct vh_text *text = l->text;
   uint32_t value;

   step->eq = valhall_get(&l->instr, VALHALL_MOD_EQ);
   step->combine = l->instr.src[0].select;
   step->condition = vh_source_word(l, 0, 0);
   step->where = vh_source_word(l, 1, 0);
   step->absolute = valhall_get(&l->instr, VALHALL_MOD_ABSOLUTE);
   step->control = VH_CALL;
   if (!vh_operand_value(l, &step->where, &value))
      return;
   step->control = VH_BRANCH;
   step->target = step->absolute
                     ? vh_place_at(text->split, text->address, text->count, l->pc, value)
                     : vh_place_behind(text->split, text->count, l->pc, (int32_t)value);
   if (step->target >= 0 && !l->reach->entry[step->target])
      step->target = -1;
}

/* Coverage that nobody changed is what SC found, and need not be handed back. */
static void
lift_coverage(struct vh_lift *l)
{
   const bool depth = l->info->exec == VALHALL_EXEC_ZS_EMIT;
   struct uop_operand coverage = vh_source_word(l, depth ? 2 : 0, 0);
   const bool plain = !l->covers && coverage.kind == UOP_ROW && coverage.at == ROW(60);

   if (depth || !plain) {
      struct vh_message *m = vh_new_message(l);
      if (!m)
         return;
      m->op = depth ? (uint8_t)(valhall_get(&l->instr, VALHALL_MOD_Z) |
                                valhall_get(&l->instr, VALHALL_MOD_STENCIL) << 1)
                    : 0;
      if (!plain)
         m->op |= 4;
      send(l, vh_source_word(l, 0, 0), vh_source_word(l, 1, 0), coverage);
   }
   if (l->instr.staging[0].count && !(plain && l->instr.staging[0].reg == 60))
      vh_move(l, vh_register(l->instr.staging[0].reg), coverage);
}

void
vh_lift_device(struct vh_lift *l, struct vh_step *step)
{
   if (l->p->stage != CORE_PIXEL && valhall_exec_is_fragment(l->info->exec)) {
      vh_fail(l, "%s is for pixel programs", l->info->name);
      return;
   }
   switch (l->info->exec) {
   case VALHALL_EXEC_LD_ATTR:
   case VALHALL_EXEC_LEA_ATTR:
      lift_attribute(l);
      return;
   case VALHALL_EXEC_LEA_BUF:
      lift_window(l);
      return;
   case VALHALL_EXEC_LD_VAR:
   case VALHALL_EXEC_LD_VAR_BUF:
   case VALHALL_EXEC_LD_VAR_FLAT:
      lift_parameter(l);
      return;
   case VALHALL_EXEC_LD_VAR_SPECIAL:
      lift_special_parameter(l);
      return;
   case VALHALL_EXEC_BLEND:
      lift_blend(l, step);
      return;
   case VALHALL_EXEC_LD_TILE:
   case VALHALL_EXEC_ST_TILE:
      lift_tile(l);
      return;
   case VALHALL_EXEC_BRANCHZI:
      lift_call(l, step);
      return;
   case VALHALL_EXEC_ATEST:
   case VALHALL_EXEC_ZS_EMIT:
      lift_coverage(l);
      return;
   default:
      vh_lift_texture(l);
      return;
   }
}
