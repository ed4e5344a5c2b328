/* SPDX-License-Identifier: MIT */
/*
 * Registers of shader model 3 and before become inputs and outputs by link slot (il/model3.h), with
 * the declarations that those need.  vFace is made of the front face's flag.
 *
 * Bodies of macros do not see these registers.
 */
#include "pass.h"

#include "il/conventions.h"
#include "il/model3.h"

struct placing {
   struct il_lower *l;
   struct il_model3 model;
   bool found;
   bool input[IL_LINK_COUNT], output[IL_LINK_COUNT]; /* declared */
   bool has_face;
   uint32_t face; /* temp */
};

static void
declare(struct il_lower *l, struct placing *p, const struct il_model3_place *place)
{
   bool *declared = place->output ? &p->output[place->slot] : &p->input[place->slot];
   struct il_dst reg = il_dst(place->output ? IL_REGTYPE_OUTPUT : IL_REGTYPE_INPUT, place->slot);

   if (!*declared) {
      *declared = true;
      lower_emit(l, place->output ? IL_OP_DCL_OUTPUT : IL_OP_DCL_INPUT,
                 place->output ? il_ctl_number(place->usage)
                               : il_ctl_input_usage(place->usage) | il_ctl_interp(place->interp),
                 &reg, 0, NULL);
   }
}

/* The input or output of a register that is one. */
static bool
place_of(struct il_lower *l, struct placing *p, const struct il_ref *r,
         struct il_model3_place *place)
{
   char error[128];

   if (!il_model3_register(r->type, p->model.pixel) ||
       (r->type == IL_REGTYPE_FACE && r->rel == IL_ADDR_ABSOLUTE))
      return false;
   if (!il_model3_place(&p->model, r, place, error, sizeof(error)))
      lower_fail(l, "not implemented: %s", error);
   return true;
}

static void
declare_ref(const struct il_ref *r, void *data)
{
   struct placing *p = data;
   struct il_model3_place place;

   if (place_of(p->l, p, r, &place))
      declare(p->l, p, &place);
}

static void
map_ref(struct il_lower *l, struct il_ref *r, void *data)
{
   struct placing *p = data;
   struct il_model3_place place;

   if (place_of(l, p, r, &place)) {
      r->type = place.output ? IL_REGTYPE_OUTPUT : IL_REGTYPE_INPUT;
      r->num = place.slot;
   } else if (il_model3_register(r->type, p->model.pixel)) {
      r->type = IL_REGTYPE_TEMP;
      r->num = p->face;
   }
}

static void
note_ref(const struct il_ref *r, void *data)
{
   struct placing *p = data;

   p->found |= il_model3_register(r->type, p->model.pixel);
   p->has_face |= r->type == IL_REGTYPE_FACE && p->model.pixel;
}

/* cmov_logical face, v96.x, 1.0, -1.0 */
static void
make_face(struct il_lower *l, struct placing *p)
{
   struct il_dst flag = il_dst(IL_REGTYPE_INPUT, IL_PS_INPUT_FRONT_FACE);
   struct il_src is_front = il_replicate(il_src(IL_REGTYPE_INPUT, IL_PS_INPUT_FRONT_FACE), 0);

   p->face = l->next_temp++;
   lower_emit(l, IL_OP_DCL_INPUT,
              il_ctl_input_usage(IL_IMPORTUSAGE_ISFRONTFACE) |
                 il_ctl_interp(IL_INTERPMODE_CONSTANT),
              &flag, 0, NULL);
   lower_op(l, IL_OP_CMOV_LOGICAL, 0, p->face, 15, 3, is_front, lower_bits(l, 0x3f800000),
            lower_bits(l, 0xbf800000));
}

/* Before the main part: what a subroutine or code after a return declares would go with it. */
static void
declare_all(struct il_lower *l, struct placing *p)
{
   for (uint32_t n = l->first_main; n < l->num_insts; n++) {
      const struct il_op_info *info = il_op_info(l->insts[n].op);

      l->at = &l->insts[n];
      if (!info || info->core != IL_CORE_MODEL3)
         lower_visit_refs(l->at, declare_ref, p);
   }
}

/* Does a DCLPI do more than name the register? */
static bool
changes_import(const struct il_inst *inst)
{
   return inst->op == IL_OP_DCLPI &&
          (il_select_x(inst) || il_select_y(inst) || il_select_z(inst) || il_select_w(inst) ||
           il_import_bias(inst) || il_import_invert(inst) || il_import_centered(inst));
}

void
lower_place_registers(struct il_lower *l)
{
   struct placing *p = lower_alloc(l, sizeof(*p));

   p->l = l;
   p->model.pixel = l->out->shader == IL_SHADER_PIXEL;
   for (uint32_t n = 0; n < l->num_insts; n++) {
      lower_visit_refs(&l->insts[n], note_ref, p);
      if (n >= l->first_main)
         il_model3_declare(&p->model, &l->insts[n]);
   }
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      if (n == l->first_main) {
         l->out->first_main = l->out->ninsts;
         declare_all(l, p);
         l->at = inst;
         if (p->has_face)
            make_face(l, p);
      }
      if (p->found && changes_import(inst))
         lower_fail(l, "not implemented: dclpi that changes what is imported");
      if (n < l->first_main)
         lower_add(l, inst);
      else if (!info || info->core != IL_CORE_MODEL3)
         lower_copy_inst(l, inst, map_ref, p);
   }
}
