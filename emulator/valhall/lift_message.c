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

static bool
is_store(unsigned exec)
{
   return exec == VALHALL_EXEC_STORE || exec == VALHALL_EXEC_ATOM ||
          exec == VALHALL_EXEC_ATOM_RETURN || exec == VALHALL_EXEC_ATOM1_RETURN;
}

/* A dword of a constant buffer, as a value that is the same in all lanes; false: there is no more
 * room. */
static bool
constant(struct vh_lift *l, unsigned buffer, uint32_t byte, struct uop_operand *value)
{
   struct vh_program *p = l->p;
   uint32_t n = 0;

   while (n < p->reads.num_consts && (p->consts[n].buffer != buffer || p->consts[n].byte != byte))
      n++;
   if (n == p->reads.num_consts) {
      if (n == VH_CONSTS ||
          !uop_grow(&l->b, (void **)&p->consts, n, &p->cap_consts, sizeof(*p->consts)))
         return false;
      p->consts[p->reads.num_consts++] = (struct vh_const_ref){ (uint8_t)buffer, byte };
   }
   *value = uop_uniform(UNI_CONSTS + n);
   return true;
}

/* LD_BUFFER of whole dwords at a known offset; false: it is not such a one. */
static bool
load_constants(struct vh_lift *l, const struct vh_message *m, uint32_t byte)
{
   struct uop_operand v[4];
   const unsigned dwords = m->bytes / 4u;

   if (m->exec != VALHALL_EXEC_LD_BUFFER || m->bytes % 4 || byte % 4 || m->width != 8u * m->bytes ||
       byte > 0x10000)
      return false;
   for (unsigned n = 0; n < dwords; n++)
      if (!constant(l, m->number, byte + 4 * n, &v[n]))
         return false;
   for (unsigned n = 0; n < dwords && n < m->count; n++)
      vh_move(l, vh_register((m->reg + n) & 63), v[n]);
   return true;
}

/* LD_BUFFER and LEA_BUFFER of the device; true: nothing is left to be done. */
static bool
lift_buffer(struct vh_lift *l, struct vh_message *m, const struct uop_operand src[2])
{
   struct vh_program *p = l->p;
   uint32_t handle, byte;

   m->number = VH_BY_HANDLE;
   if (!vh_operand_value(l, &src[1], &handle)) {
      p->reads.buffers = (1u << VH_BUFFERS) - 1;
      p->reads.descriptors = p->reads.images = p->reads.addresses = true;
      p->core.writes_memory = true; /* what it reads may be written meanwhile */
      return false;
   }
   m->table = (uint8_t)(handle >> 24);
   handle &= 0xffffff;
   m->number = handle < VH_BY_HANDLE ? (uint8_t)handle : VH_BY_HANDLE - 1;
   switch (m->table) {
   case 0:
      p->reads.buffers |= handle < VH_BUFFERS ? 1u << handle : 0;
      return handle < VH_BUFFERS && vh_operand_value(l, &src[0], &byte) &&
             load_constants(l, m, byte);
   case 6:
      p->reads.images = p->reads.addresses = true;
      p->core.writes_memory = true;
      return false;
   case VH_TABLE_CLOCK:
      return false;
   default:
      p->reads.descriptors = true;
      return false;
   }
}

/* Which window an address of the device is known to be in. */
static void
find_window(struct vh_lift *l, struct vh_message *m, const struct uop_operand src[2])
{
   struct vh_program *p = l->p;
   uint32_t high, low;

   m->uniform = uop_is_uniform(&src[0]) && uop_is_uniform(&src[1]);
   if (!vh_operand_value(l, &src[1], &high) || (high & VH_WINDOW_HIGH) == 0) {
      p->reads.addresses = true;
      p->core.writes_memory |= is_store(m->exec);
      return;
   }
   high &= ~VH_WINDOW_HIGH;
   m->window = high < VH_WINDOWS ? (uint8_t)high : VH_WINDOWS;
   if (vh_operand_value(l, &src[0], &low)) {
      m->fixed = true;
      m->offset = (int32_t)(low + (uint32_t)m->offset);
   }
}

void
vh_lift_message(struct vh_lift *l)
{
   struct vh_program *p = l->p;
   const struct valhall_info *info = l->info;
   const struct valhall_instr *instr = &l->instr;
   struct vh_message m = {
      .exec = info->exec,
      .offset = (int32_t)instr->imm[0],
      .window = VH_NO_WINDOW,
      .ref = VH_NO_REF,
   };
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
   src[0] = vh_source_word(l, 0, 0);
   /* The high word of an address, or the handle of a buffer. */
   const bool address = valhall_src_info(info->src[0])->bits == 64;
   src[1] = address ? vh_source_word(l, 0, 1) : vh_source_word(l, 1, 0);
   if (p->device) {
      if (address)
         find_window(l, &m, src);
      else if (lift_buffer(l, &m, src))
         return;
   }
   p->messages[p->num_messages] = m;
   uop_emit(&l->b, UOP_VH_MEMORY, 0, src[0], src[1], src[1])->p.message.number = p->num_messages++;
}
