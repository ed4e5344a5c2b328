/* SPDX-License-Identifier: MIT */
/*
 * Unordered access views, read-only buffers and memory streams (7.5, 7.2.12, 7.15, 7.16).
 *
 * A UAV is a RAT; a raw or structured one and an arena are read as the buffer they are.  Stores go
 * a component at a time, lanes in ascending order.  Bytes and halves lie in a dword as their
 * addresses say, the lowest byte first; a half is at an even address.  Import element n of a memory
 * stream is resource n in its own format, export stream n is UAV n.
 */
#include "direct/lift.h"

#define STAGE_INDEX ROW_STAGE
#define STAGE_DATA  (ROW_STAGE + 1)

static const struct {
   uint16_t il, il_read;
   uint8_t op;
} uav_ops[] = {
#define ROW(name, op)                                          \
   {                                                           \
      IL_OP_UAV_##name, IL_OP_UAV_READ_##name, CAYMAN_RAT_##op \
   }
   ROW(ADD, ADD),
   ROW(SUB, SUB),
   ROW(RSUB, RSUB),
   ROW(MIN, MIN_INT),
   ROW(MAX, MAX_INT),
   ROW(UMIN, MIN_UINT),
   ROW(UMAX, MAX_UINT),
   ROW(AND, AND),
   ROW(OR, OR),
   ROW(XOR, XOR),
   ROW(UINC, INC_UINT),
   ROW(UDEC, DEC_UINT),
#undef ROW
   { IL_OP_UAV_CMP, IL_OP_UAV_READ_CMP_XCHG, CAYMAN_RAT_CMPXCHG_INT },
   { 0, IL_OP_UAV_READ_XCHG, CAYMAN_RAT_XCHG_RTN & 31 },
};

/* RAT `n` with the index in x, y, z and the data in their operands. */
static void
rat(struct direct *d, unsigned n, unsigned op, const struct uop_operand index[3],
    const struct uop_operand data[4], unsigned mask)
{
   for (unsigned c = 0; c < 3; c++)
      direct_move(d, REG(STAGE_INDEX, c), index[c]);
   for (unsigned c = 0; c < 4; c++)
      direct_move(d, REG(STAGE_DATA, c), data[c]);
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_MEM_RAT);
   cf->rat_id = (uint8_t)n;
   cf->rat_op = (uint8_t)op;
   cf->index_gpr = STAGE_INDEX;
   cf->rw_gpr = STAGE_DATA;
   cf->comp_mask = (uint8_t)mask;
   d->p->head.rats |= UINT64_C(1) << n;
   d->p->head.core.writes_memory = d->p->head.core.ordered = true;
}

/* Element of a buffer in x, or x, y and layer of a texel. */
static void
coordinates(struct direct *d, const struct il_inst *inst, unsigned n, struct uop_operand index[3])
{
   const struct il_src *src = &inst->src[0];

   index[0] = direct_src(d, src, 0);
   index[1] = index[2] = direct_literal(d, 0);
   if (!d->decl.uav[n].typed) {
      if (d->decl.uav[n].stride)
         index[0] = direct_bytes(d, index[0], d->decl.uav[n].stride, direct_src(d, src, 1));
      index[0] = DOP2(LSHR_INT, index[0], direct_literal(d, 2));
      return;
   }
   switch (d->decl.uav[n].type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_BUFFER:
      break;
   case IL_USAGE_PIXTEX_1DARRAY:
      index[2] = direct_src(d, src, 1); /* the layer is z */
      break;
   case IL_USAGE_PIXTEX_2D:
      index[1] = direct_src(d, src, 1);
      break;
   default:
      index[1] = direct_src(d, src, 1);
      index[2] = direct_src(d, src, 2);
      break;
   }
}

static struct uop_operand
return_place(struct direct *d)
{
   uint32_t to = direct_temp(d);
   uop_add(&d->b, UOP_RETURN_PLACE)->dst = to;
   return direct_at(to);
}

/* Element `index` of a resource, as its format says, or four dwords of it. */
static void
fetch(struct direct *d, unsigned resource, bool formatted, struct uop_operand index,
      struct uop_operand r[4])
{
   const struct sq_vtx_ref ref = {
      .resource = (uint16_t)resource,
      .adds = CAYMAN_FETCH_NO_INDEX_OFFSET,
      .fetch = { .kind = TD_FETCH_ELEMENTS,
                 .buffer_format = formatted,
                 .format = FORMAT_R32G32B32A32_FLOAT },
   };
   direct_fetch_buffer(d, &ref, index, r);
}

/* Dword `index` + `offset` of a buffer. */
static struct uop_operand
dword(struct direct *d, unsigned n, struct uop_operand index, unsigned offset)
{
   struct uop_operand v = direct_at(direct_temp(d));
   struct uop *u = uop_emit(&d->b, UOP_BUFFER_LOAD, v.at, index, index, index);

   u->p.buffer.number = (uint8_t)n;
   u->p.buffer.offset = offset;
   d->p->head.rats |= UINT64_C(1) << n;
   return v;
}

static void
load(struct direct *d, const struct il_inst *inst, unsigned n, const struct uop_operand index[3])
{
   struct uop_operand zero = direct_literal(d, 0), r[4] = { zero, zero, zero, zero };

   if (d->decl.uav[n].typed) {
      const struct uop_operand data[4] = { zero, return_place(d), zero, zero };
      rat(d, n, CAYMAN_RAT_NOP_RTN, index, data, 15);
      /* What NOP_RTN returned. */
      fetch(d, DIRECT_RESOURCE_RETURN + n, true, data[1], r);
   } else {
      for (unsigned c = 0; c < 4; c++)
         r[c] = dword(d, n, index[0], c);
   }
   direct_store(d, &inst->dst[0], r);
}

static void
store(struct direct *d, const struct il_inst *inst, unsigned n, const struct uop_operand index[3])
{
   struct uop_operand v[4], zero = direct_literal(d, 0);

   for (unsigned c = 0; c < 4; c++)
      v[c] = direct_src(d, &inst->src[1], c);
   if (d->decl.uav[n].typed) {
      rat(d, n, CAYMAN_RAT_STORE_TYPED, index, v, 15);
      return;
   }
   if (!inst->ndst) {
      direct_refuse(d, "a store of texels into a UAV of dwords");
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (il_dst_mask(&inst->dst[0]) >> c & 1) {
         const struct uop_operand at[3] = { direct_add(d, index[0], c), zero, zero };
         const struct uop_operand data[4] = { v[c], zero, zero, zero };
         rat(d, n, CAYMAN_RAT_STORE_TYPED, at, data, 1);
      }
   }
}

/* A read-only buffer: four dwords at a byte address. */
bool
direct_srv(struct direct *d, const struct il_inst *inst)
{
   unsigned n = il_srv(inst);
   struct uop_operand r[4];

   if (n >= IL_MAX_SRVS || !d->decl.srv[n].declared || il_indexed(inst)) {
      direct_refuse(d, "a read-only buffer that is not declared, or at an index");
      return true;
   }
   struct uop_operand at = direct_src(d, &inst->src[0], 0);
   if (d->decl.srv[n].stride)
      at = direct_bytes(d, at, d->decl.srv[n].stride, direct_src(d, &inst->src[0], 1));
   fetch(d, DIRECT_RESOURCE_TEXTURE + n, false, DOP2(LSHR_INT, at, direct_literal(d, 2)), r);
   direct_store(d, &inst->dst[0], r);
   return true;
}

/* How an instruction takes a part of a dword, or a dword of an arena. */
struct direct_part {
   unsigned bytes; /* 0: it does not */
   bool store, is_signed;
};

static struct direct_part
part_of(const struct il_inst *inst)
{
   static const uint8_t arena[4] = { 4, 2, 1, 0 }; /* enum il_load_store_data_size */

   switch (inst->op) {
   case IL_OP_UAV_ARENA_LOAD:
      return (struct direct_part){ .bytes = arena[il_arena_size(inst)] };
   case IL_OP_UAV_ARENA_STORE:
      return (struct direct_part){ .bytes = arena[il_arena_size(inst)], .store = true };
   case IL_OP_UAV_BYTE_LOAD:
      return (struct direct_part){ .bytes = 1, .is_signed = true };
   case IL_OP_UAV_SHORT_LOAD:
      return (struct direct_part){ .bytes = 2, .is_signed = true };
   case IL_OP_UAV_UBYTE_LOAD:
      return (struct direct_part){ .bytes = 1 };
   case IL_OP_UAV_USHORT_LOAD:
      return (struct direct_part){ .bytes = 2 };
   case IL_OP_UAV_BYTE_STORE:
      return (struct direct_part){ .bytes = 1, .store = true };
   case IL_OP_UAV_SHORT_STORE:
      return (struct direct_part){ .bytes = 2, .store = true };
   default:
      return (struct direct_part){ 0 };
   }
}

static void
store_part(struct direct *d, unsigned n, unsigned size, struct uop_operand at, struct uop_operand v)
{
   static const uint8_t op[5] = {
      [1] = CAYMAN_RAT_STORE_BYTE, [2] = CAYMAN_RAT_STORE_SHORT, [4] = CAYMAN_RAT_STORE_DWORD
   };
   struct uop_operand zero = direct_literal(d, 0);
   /* The RAT counts in parts. */
   const struct uop_operand index[3] = { DOP2(LSHR_INT, at, direct_literal(d, size / 2)), zero,
                                         zero };
   const struct uop_operand data[4] = { v, zero, zero, zero };

   rat(d, n, op[size], index, data, 1);
}

static bool
part(struct direct *d, const struct il_inst *inst, unsigned n)
{
   const struct il_src *src = &inst->src[0];
   struct direct_part p = part_of(inst);

   if (!p.bytes || d->decl.uav[n].typed) {
      if (inst->op == IL_OP_UAV_ARENA_LOAD || inst->op == IL_OP_UAV_ARENA_STORE || p.bytes) {
         direct_refuse(d, "a part of a typed element");
         return true;
      }
      return false;
   }
   struct uop_operand at = direct_src(d, src, 0);
   if (d->decl.uav[n].stride)
      at = direct_bytes(d, at, d->decl.uav[n].stride, direct_src(d, src, 1));
   if (p.store) {
      store_part(d, n, p.bytes, at, direct_src(d, &inst->src[1], 0));
      return true;
   }
   struct uop_operand v = dword(d, n, DOP2(LSHR_INT, at, direct_literal(d, 2)), 0);
   if (p.bytes < 4) {
      struct uop_operand bit =
         DOP2(LSHL_INT, DOP2(AND_INT, at, direct_literal(d, 4 - p.bytes)), direct_literal(d, 3));
      struct uop_operand bits = direct_literal(d, 8 * p.bytes);
      v = p.is_signed ? DOP3(BFE_INT, v, bit, bits) : DOP3(BFE_UINT, v, bit, bits);
   }
   direct_store(d, &inst->dst[0], (const struct uop_operand[]){ v, v, v, v });
   return true;
}

bool
direct_uav(struct direct *d, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   bool raw = info->ctl == IL_CTL_UAV_RAW || info->ctl == IL_CTL_ARENA;
   unsigned n = raw ? il_uav(inst) : il_number(inst), i = 0;
   struct uop_operand index[3], zero = direct_literal(d, 0), r[4];

   if (n >= IL_MAX_UAVS || !d->decl.uav[n].declared) {
      direct_refuse(d, "a UAV that is not declared");
      return true;
   }
   if (part(d, inst, n))
      return true;
   switch (inst->op) {
   case IL_OP_UAV_LOAD:
   case IL_OP_UAV_RAW_LOAD:
   case IL_OP_UAV_STRUCT_LOAD:
      coordinates(d, inst, n, index);
      load(d, inst, n, index);
      return true;
   case IL_OP_UAV_STORE:
   case IL_OP_UAV_RAW_STORE:
   case IL_OP_UAV_STRUCT_STORE:
      coordinates(d, inst, n, index);
      store(d, inst, n, index);
      return true;
   default:
      break;
   }
   while (i < sizeof(uav_ops) / sizeof(*uav_ops) && uav_ops[i].il != inst->op &&
          uav_ops[i].il_read != inst->op)
      i++;
   if (i == sizeof(uav_ops) / sizeof(*uav_ops))
      return false;
   bool returns = uav_ops[i].il_read == inst->op;
   coordinates(d, inst, n, index);
   /* The value, the slot of what comes back, what to compare with. */
   const struct uop_operand data[4] = { direct_src(d, &inst->src[1], 0),
                                        returns ? return_place(d) : zero,
                                        inst->nsrc > 2 ? direct_src(d, &inst->src[2], 0) : zero,
                                        zero };
   rat(d, n, uav_ops[i].op + (returns ? 32u : 0), index, data, 15);
   if (returns) {
      uint32_t to = direct_temp(d);
      struct uop *u = uop_emit(&d->b, UOP_RETURNED, to, data[1], data[1], data[1]);
      u->p.buffer.number = (uint8_t)n;
      r[0] = r[1] = r[2] = r[3] = direct_at(to);
      direct_store(d, &inst->dst[0], r);
   }
   return true;
}

/* --- memory streams --------------------------------------------------------------------------- */
static struct uop_operand
whole(struct direct *d, const struct il_src *src)
{
   return DOP1(FLT_TO_INT, DOP1(FLOOR, direct_src(d, src, 0)));
}

bool
direct_stream(struct direct *d, const struct il_inst *inst)
{
   bool import = inst->op == IL_OP_MEMIMPORT;
   unsigned n = import ? il_element(inst) : il_export_stream(inst);
   unsigned limit = import ? IL_MAX_SRVS : IL_MAX_UAVS;
   struct uop_operand index[3], v[4];

   if (n >= limit) {
      direct_refuse(d, "memory stream above %u", limit - 1);
      return true;
   }
   index[0] = whole(d, &inst->src[0]);
   if (import) {
      fetch(d, DIRECT_RESOURCE_TEXTURE + n, true, index[0], v);
      direct_store(d, &inst->dst[0], v);
      return true;
   }
   index[0] = direct_add(d, index[0], il_export_offset(inst));
   index[1] = index[2] = direct_literal(d, 0);
   for (unsigned c = 0; c < 4; c++)
      v[c] = direct_src(d, &inst->src[1], c);
   rat(d, n, CAYMAN_RAT_STORE_TYPED, index, v, 15);
   return true;
}
