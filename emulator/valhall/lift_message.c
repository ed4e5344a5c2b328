/* SPDX-License-Identifier: MIT */
/*
 * Lifts loads, stores and atomic operations; memory.c runs them.
 */
#include "valhall/program.h"

/* Where a load puts its value: `shift` in the first register, extended to `width` bits.  Values
 * of whole registers are written as they are. */
static void
load_lane(const struct vh_lift *l, struct vh_message *m)
{
   static const uint8_t lane_8[8][2] = { { 0, 8 },  { 8, 8 },   { 16, 8 }, { 24, 8 },
                                         { 0, 16 }, { 16, 16 }, { 0, 32 }, { 0, 64 } };
   static const uint8_t lane_16[4][2] = { { 0, 16 }, { 16, 16 }, { 0, 32 }, { 0, 64 } };
   unsigned lane;

   m->is_signed = !valhall_get(&l->instr, VALHALL_MOD_UNSIGNED);
   m->width = (uint8_t)(32 * ((m->bytes + 3u) / 4));
   if (m->bytes == 1) {
      lane = valhall_get(&l->instr, VALHALL_MOD_LOAD_LANE_8_BIT);
      m->shift = lane_8[lane][0];
      m->width = lane_8[lane][1];
   } else if (m->bytes == 2) {
      lane = valhall_get(&l->instr, VALHALL_MOD_LOAD_LANE_16_BIT);
      m->shift = lane_16[lane][0];
      m->width = lane_16[lane][1];
   } else if (m->bytes == 4 &&
              valhall_get(&l->instr, VALHALL_MOD_LOAD_LANE_32_BIT) == VALHALL_LOAD_LANE_32_BIT_D0) {
      m->width = 64;
   }
}

void
vh_lift_message(struct vh_lift *l)
{
   struct vh_program *p = l->p;
   const struct valhall_info *info = l->info;
   const struct valhall_instr *instr = &l->instr;
   struct vh_message m = { .exec = info->exec, .offset = (int32_t)instr->imm[0] };
   struct uop_operand src[2];

   if (!uop_grow(&l->b, (void **)&p->messages, p->num_messages, &p->cap_messages,
                 sizeof(*p->messages)))
      return;
   m.bytes = (uint8_t)(valhall_type_info(info->from)->bits / 8);
   m.reg = instr->staging[0].reg;
   m.count = instr->staging[0].count;
   switch (info->exec) {
   case VALHALL_EXEC_LOAD:
   case VALHALL_EXEC_LD_BUFFER:
      load_lane(l, &m);
      break;
   case VALHALL_EXEC_ATOM:
      m.op = (uint8_t)valhall_get(instr, VALHALL_MOD_ATOMIC_OPERATION);
      break;
   case VALHALL_EXEC_ATOM_RETURN:
      m.op = (uint8_t)valhall_get(instr, VALHALL_MOD_ATOMIC_OPERATION);
      m.compare = valhall_get(instr, VALHALL_MOD_COMPARE);
      m.returned = m.reg;
      m.num_returned = m.count;
      m.reg = instr->staging[1].reg;
      m.count = instr->staging[1].count;
      break;
   case VALHALL_EXEC_ATOM1_RETURN:
      m.op = (uint8_t)valhall_get(instr, VALHALL_MOD_ATOMIC_OPERATION_WITH_1);
      m.returned = m.reg;
      m.num_returned = m.count;
      m.count = 0;
      break;
   default:
      break;
   }
   p->messages[p->num_messages] = m;
   src[0] = vh_source_word(l, 0, 0);
   /* The high word of an address, or the handle of a buffer. */
   src[1] = valhall_src_info(info->src[0])->bits == 64 ? vh_source_word(l, 0, 1)
                                                       : vh_source_word(l, 1, 0);
   uop_emit(&l->b, UOP_VH_MEMORY, 0, src[0], src[1], src[1])->p.message.number = p->num_messages++;
}
