/* SPDX-License-Identifier: MIT */
/*
 * Import of what works on memory: buffers, images, local and global data, counters, barriers; and
 * of a thread's numbers (7.2.10, 7.2.12, 7.15 - 7.17).
 *
 *  1. A raw or structured UAV is a storage buffer: LD_BUFFER reads it by the byte.  Stores and
 *     atomic operations take the address that LEA_BUFFER gives, dword by dword: each may lie
 *     outside.
 *  2. A typed UAV is an image: LD_TEX, and LEA_TEX with ST_CVT or an atomic operation.  Coordinates
 *     beyond 16 bits are outside of any image.
 *  3. Local data is at workgroup_local_pointer, areas in the order of their declarations; global
 *     data in a window of its own, counters first.
 *  4. What no atomic operation does is tried with a comparison until nobody came in between.
 */
#include "import.h"

#include <string.h>

#define TABLE_IMAGE   5u
#define TABLE_STORAGE 6u
#define TABLE_TEXTURE 4u
#define WINDOW_GDS    12u

/* --- which thread is this? -------------------------------------------------------------------- */

static struct vc_operand
local(struct vc *c, unsigned axis)
{
   struct vc_operand r = vc_preloaded(c, axis < 2 ? 55 : 56);
   if (axis == 2)
      return r;
   r.select = axis ? VALHALL_SWIZZLES_16_BIT_H11 : VALHALL_SWIZZLES_16_BIT_H00;
   return vc_op1(c, VALHALL_OP_U16_TO_U32, r);
}

static struct vc_operand
multiply_add(struct vc *c, struct vc_operand a, struct vc_operand b, struct vc_operand d)
{
   return vc_add(c, vc_mul(c, a, b), d);
}

static struct vc_operand
flat_thread(struct vim *im)
{
   struct vc *c = im->c;
   const uint16_t *block = c->out->cs.block;
   struct vc_operand row = multiply_add(c, local(c, 2), vc_bits(block[1]), local(c, 1));
   return multiply_add(c, row, vc_bits(block[0]), local(c, 0));
}

static struct vc_operand
flat_group(struct vim *im)
{
   struct vc *c = im->c;
   c->out->cs.uses_grid = true;
   struct vc_operand row =
      multiply_add(c, vc_preloaded(c, 59), vim_driver(im, IL_DRV_GRID, 1), vc_preloaded(c, 58));
   return multiply_add(c, row, vim_driver(im, IL_DRV_GRID, 0), vc_preloaded(c, 57));
}

struct vc_operand
vim_thread(struct vim *im, unsigned regtype, unsigned comp)
{
   struct vc *c = im->c;
   const uint16_t *block = c->out->cs.block;

   switch (regtype) {
   case IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT:
      return flat_thread(im);
   case IL_REGTYPE_THREAD_GROUP_ID_FLAT:
      return flat_group(im);
   case IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT:
      return multiply_add(c, flat_group(im), vc_bits((uint32_t)block[0] * block[1] * block[2]),
                          flat_thread(im));
   case IL_REGTYPE_THREAD_ID_IN_GROUP:
      return comp > 2 ? vc_bits(0) : local(c, comp);
   case IL_REGTYPE_THREAD_GROUP_ID:
      return comp > 2 ? vc_bits(0) : vc_preloaded(c, 57 + comp);
   case IL_REGTYPE_ABSOLUTE_THREAD_ID:
      return comp > 2 ? vc_bits(0) : vc_preloaded(c, 60 + comp);
   default:
      vim_unsupported(im, "register type");
   }
}

/* --- atomic operations ------------------------------------------------------------------------ */

enum change { ADD, SUB, RSUB, INC, DEC, SMIN, SMAX, UMIN, UMAX, AND, OR, XOR, MSKOR, CMP, XCHG };

static const struct {
   uint16_t uav, uav_read, lds, lds_read, gds, gds_read;
   uint8_t change;
} changes[] = {
#define ROW(name, gpu)                                                                  \
   {                                                                                    \
      IL_OP_UAV_##name, IL_OP_UAV_READ_##name, IL_OP_LDS_##name, IL_OP_LDS_READ_##name, \
         IL_OP_GDS_##name, IL_OP_GDS_READ_##name, gpu                                   \
   }
   ROW(ADD, ADD),
   ROW(SUB, SUB),
   ROW(RSUB, RSUB),
   ROW(MIN, SMIN),
   ROW(MAX, SMAX),
   ROW(UMIN, UMIN),
   ROW(UMAX, UMAX),
   ROW(AND, AND),
   ROW(OR, OR),
   ROW(XOR, XOR),
#undef ROW
   { IL_OP_UAV_UINC, IL_OP_UAV_READ_UINC, IL_OP_LDS_INC, IL_OP_LDS_READ_INC, IL_OP_GDS_INC,
     IL_OP_GDS_READ_INC, INC },
   { IL_OP_UAV_UDEC, IL_OP_UAV_READ_UDEC, IL_OP_LDS_DEC, IL_OP_LDS_READ_DEC, IL_OP_GDS_DEC,
     IL_OP_GDS_READ_DEC, DEC },
   { 0, 0, IL_OP_LDS_MSKOR, IL_OP_LDS_READ_MSKOR, IL_OP_GDS_MSKOR, IL_OP_GDS_READ_MSKOR, MSKOR },
   { IL_OP_UAV_CMP, IL_OP_UAV_READ_CMP_XCHG, IL_OP_LDS_CMP, IL_OP_LDS_READ_CMP_XCHG,
     IL_OP_GDS_CMP_STORE, IL_OP_GDS_READ_CMP_XCHG, CMP },
   { 0, IL_OP_UAV_READ_XCHG, 0, IL_OP_LDS_READ_XCHG, 0, IL_OP_GDS_READ_XCHG, XCHG },
};

/* The row of an operation, -1 if it is none; whether it wants the old value. */
static int
change_of(unsigned op, bool *returns)
{
   for (unsigned n = 0; n < sizeof(changes) / sizeof(*changes); n++) {
      *returns =
         op == changes[n].uav_read || op == changes[n].lds_read || op == changes[n].gds_read;
      if (*returns || op == changes[n].uav || op == changes[n].lds || op == changes[n].gds)
         return (int)n;
   }
   return -1;
}

/* What a message of memory works on: an address, and an offset in bytes that is in the word. */
struct place {
   struct vc_operand address;
   uint32_t offset;
};

#define MAX_ATOMIC_OFFSET 255u
#define MAX_OFFSET        32767u

/* One operation on a dword: the old value. */
static struct vc_operand
atomic(struct vim *im, unsigned op, struct place at, struct vc_operand value,
       const struct vc_operand *expected, bool returns)
{
   struct vc *c = im->c;
   struct vc_operand staged[2] = { value, expected ? *expected : value };
   unsigned count = expected ? 2 : 1;
   bool plain = !returns && !expected && op != VALHALL_ATOMIC_OPERATION_AXCHG;
   uint32_t vector = vc_collect(c, count, staged);
   struct vc_inst *inst = vc_new(c, plain ? VALHALL_OP_ATOM_I32 : VALHALL_OP_ATOM_RETURN_I32);

   inst->memory = VC_WRITE;
   inst->src[0] = at.address;
   inst->imm[0] = at.offset;
   inst->staging = vector;
   inst->staged = (uint8_t)count;
   vc_set(inst, VALHALL_MOD_ATOMIC_OPERATION, op);
   if (!plain) {
      vc_set(inst, VALHALL_MOD_COMPARE, expected != NULL);
      return vc_emit(c, inst, 1);
   }
   vc_append(c, inst);
   return vc_bits(0);
}

/* What becomes of a value by the changes that no operation makes. */
static struct vc_operand
changed(struct vc *c, enum change change, struct vc_operand old, struct vc_operand a,
        struct vc_operand b)
{
   struct vc_operand zero = vc_bits(0);

   switch (change) {
   case RSUB:
      return vc_sub(c, a, old);
   case INC:
      return vc_csel(c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_GE, old, a, zero,
                     vc_add(c, old, vc_bits(1)));
   case DEC: {
      struct vc_operand less = vc_csel(c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_GT, old, a, a,
                                       vc_add(c, old, vc_bits(~0u)));
      return vc_csel(c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_EQ, old, zero, a, less);
   }
   default:
      return vc_or(c, vc_and(c, old, vc_not(c, a)), b);
   }
}

static struct vc_operand
try_until_done(struct vim *im, enum change change, struct place at, struct vc_operand a,
               struct vc_operand b)
{
   struct vc *c = im->c;

   im->vars[im->retry_var] = vc_at(vc_load(c, at.address, (int)at.offset, 1, VC_READ), 0);
   vim_loop(im, im->retry_var);
   struct vc_operand old = im->vars[im->retry_var];
   struct vc_operand wanted = changed(c, change, old, a, b);
   struct vc_operand seen = atomic(im, VALHALL_ATOMIC_OPERATION_AXCHG, at, wanted, &old, true);
   im->vars[im->retry_var] = seen;
   vim_break(im, vc_compare(c, VALHALL_OP_ICMP_OR_U32, VALHALL_CONDITION_EQ, seen, old));
   vim_endloop(im);
   return im->vars[im->retry_var];
}

static struct vc_operand
perform(struct vim *im, enum change change, struct place at, struct vc_operand a,
        struct vc_operand b, bool returns)
{
   static const uint8_t ops[] = {
      [ADD] = VALHALL_ATOMIC_OPERATION_AADD,   [SUB] = VALHALL_ATOMIC_OPERATION_AADD,
      [SMIN] = VALHALL_ATOMIC_OPERATION_ASMIN, [SMAX] = VALHALL_ATOMIC_OPERATION_ASMAX,
      [UMIN] = VALHALL_ATOMIC_OPERATION_AUMIN, [UMAX] = VALHALL_ATOMIC_OPERATION_AUMAX,
      [AND] = VALHALL_ATOMIC_OPERATION_AAND,   [OR] = VALHALL_ATOMIC_OPERATION_AOR,
      [XOR] = VALHALL_ATOMIC_OPERATION_AXOR,   [XCHG] = VALHALL_ATOMIC_OPERATION_AXCHG,
   };

   switch (change) {
   case RSUB:
   case INC:
   case DEC:
   case MSKOR:
      return try_until_done(im, change, at, a, b);
   case CMP: /* a where it was b */
      return atomic(im, VALHALL_ATOMIC_OPERATION_AXCHG, at, a, &b, returns);
   case SUB:
      a = vc_sub(im->c, vc_bits(0), a);
      break;
   default:
      break;
   }
   return atomic(im, ops[change], at, a, NULL, returns);
}

/* --- local and global data -------------------------------------------------------------------- */

/* The first byte that an instruction works on.  What is known of local data's is in the words, as
 * far as it and `more` bytes fit: offsets from the pointer do not wrap. */
static struct place
data_place(struct vim *im, const struct il_inst *inst, uint32_t base, uint32_t stride, bool global,
           uint32_t most)
{
   struct vc *c = im->c;
   bool vec = inst->op == IL_OP_LDS_LOAD_VEC || inst->op == IL_OP_LDS_STORE_VEC;
   struct vc_operand at = vim_bits(im, &inst->src[0], 0);

   if (stride) {
      at = multiply_add(c, at, vc_bits(stride),
                        vec ? vim_bits(im, &inst->src[1], 0) : vim_bits(im, &inst->src[0], 1));
   }
   struct vc_operand space = global ? vc_window(c, WINDOW_GDS)
                                    : vc_special(1, VALHALL_SPECIAL_1_WORKGROUP_LOCAL_POINTER, 0);
   if (global)
      c->out->uses_gds = true;
   at = vc_add(c, at, vc_bits(base));
   if (!global && at.kind == VC_CONST && at.value <= most)
      return (struct place){ space, at.value };
   return (struct place){ vc_address(c, space, at), 0 };
}

static const struct {
   uint16_t il, op;
   bool store, is_signed;
} parts[] = {
   { IL_OP_LDS_LOAD, VALHALL_OP_LOAD_I32, false, false },
   { IL_OP_LDS_LOAD_BYTE, VALHALL_OP_LOAD_I8, false, true },
   { IL_OP_LDS_LOAD_UBYTE, VALHALL_OP_LOAD_I8, false, false },
   { IL_OP_LDS_LOAD_SHORT, VALHALL_OP_LOAD_I16, false, true },
   { IL_OP_LDS_LOAD_USHORT, VALHALL_OP_LOAD_I16, false, false },
   { IL_OP_LDS_STORE, VALHALL_OP_STORE_I32, true, false },
   { IL_OP_LDS_STORE_BYTE, VALHALL_OP_STORE_I8, true, false },
   { IL_OP_LDS_STORE_SHORT, VALHALL_OP_STORE_I16, true, false },
   { IL_OP_GDS_LOAD, VALHALL_OP_LOAD_I32, false, false },
   { IL_OP_GDS_STORE, VALHALL_OP_STORE_I32, true, false },
};

/* Loads of a part fill the register. */
static struct vc_operand
load_part(struct vim *im, unsigned op, bool is_signed, struct place at)
{
   struct vc_inst *inst = vc_new(im->c, op);
   inst->memory = VC_READ;
   inst->src[0] = at.address;
   inst->imm[0] = at.offset;
   if (op == VALHALL_OP_LOAD_I8)
      vc_set(inst, VALHALL_MOD_LOAD_LANE_8_BIT, VALHALL_LOAD_LANE_8_BIT_W0);
   else if (op == VALHALL_OP_LOAD_I16)
      vc_set(inst, VALHALL_MOD_LOAD_LANE_16_BIT, VALHALL_LOAD_LANE_16_BIT_W0);
   vc_set(inst, VALHALL_MOD_UNSIGNED, !is_signed);
   return vc_emit(im->c, inst, 1);
}

static void
store_part(struct vim *im, unsigned op, struct place at, struct vc_operand v)
{
   struct vc_operand plain = vc_plain(im->c, v);
   uint32_t vector = vc_collect(im->c, 1, &plain);
   struct vc_inst *inst = vc_new(im->c, op);
   inst->memory = VC_WRITE;
   inst->src[0] = at.address;
   inst->imm[0] = at.offset;
   inst->staging = vector;
   inst->staged = 1;
   vc_append(im->c, inst);
}

static bool
shared_data(struct vim *im, const struct il_inst *inst, bool global)
{
   struct vc *c = im->c;
   unsigned n = global ? il_number(inst) : il_lds(inst);
   struct vc_operand v[2] = { vc_bits(0), vc_bits(0) }, r[4];
   bool returns;

   if (inst->op == IL_OP_LDS_READ_VEC || inst->op == IL_OP_LDS_WRITE_VEC)
      vim_unsupported(im, "local data with owners");
   if (global ? n >= 16 || !im->decl.gds[n].declared : !im->decl.lds[n].size)
      vim_unsupported(im, "shared data that is not declared");
   const int row = change_of(inst->op, &returns);
   const struct place at =
      data_place(im, inst, global ? im->decl.gds[n].base : im->decl.lds[n].base,
                 global ? im->decl.gds[n].stride : im->decl.lds[n].stride, global,
                 row < 0 ? MAX_OFFSET - 12 : MAX_ATOMIC_OFFSET);
   if (inst->op == IL_OP_LDS_LOAD_VEC || inst->op == IL_OP_LDS_STORE_VEC) {
      for (unsigned i = 0; i < 4; i++) {
         r[i] = vc_bits(0);
         if (!(il_dst_mask(&inst->dst[0]) >> i & 1))
            continue;
         if (inst->op == IL_OP_LDS_LOAD_VEC) {
            r[i] = vc_at(vc_load(c, at.address, (int)(at.offset + 4 * i), 1, VC_READ), 0);
         } else {
            struct vc_operand one = vim_bits(im, &inst->src[2], i);
            vc_store(c, at.address, (int)(at.offset + 4 * i), 1, &one);
         }
      }
      if (inst->op == IL_OP_LDS_LOAD_VEC)
         vim_store(im, &inst->dst[0], r);
      return true;
   }
   for (unsigned k = 1; k < inst->nsrc && k < 3; k++)
      v[k - 1] = vim_bits(im, &inst->src[k], 0);
   for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
      if (parts[i].il != inst->op)
         continue;
      if (parts[i].store)
         store_part(im, parts[i].op, at, v[0]);
      else
         vim_store1(im, &inst->dst[0], load_part(im, parts[i].op, parts[i].is_signed, at));
      return true;
   }
   if (row < 0)
      return false;
   bool compares = changes[row].change == CMP; /* the comparison comes first */
   struct vc_operand old =
      perform(im, changes[row].change, at, compares ? v[1] : v[0], compares ? v[0] : v[1], returns);
   if (returns)
      vim_store1(im, &inst->dst[0], old);
   return true;
}

/* An alloc gives the counter, which then goes up; a consume takes one off and gives the rest. */
static void
append(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   bool alloc = inst->op == IL_OP_APPEND_BUF_ALLOC;
   unsigned n = il_number(inst);

   if (n >= IL_MAX_COUNTERS)
      vim_unsupported(im, "UAV above 11");
   c->out->uses_gds = true;
   struct place at = { vc_window(c, WINDOW_GDS), 4 * n };
   struct vc_operand step = vc_bits(alloc ? 1 : ~0u);
   struct vc_operand old = atomic(im, VALHALL_ATOMIC_OPERATION_AADD, at, step, NULL, true);
   vim_store1(im, &inst->dst[0], alloc ? old : vc_add(c, old, step));
}

/* --- buffers ---------------------------------------------------------------------------------- */

static struct vc_operand
buffer_address(struct vim *im, unsigned n, struct vc_operand byte)
{
   struct vc_inst *inst = vc_new(im->c, VALHALL_OP_LEA_BUFFER);
   inst->src[0] = byte;
   inst->src[1] = vc_bits(TABLE_STORAGE << 24 | n);
   return vc_emit(im->c, inst, 2);
}

/* A byte of a raw or structured buffer. */
static struct vc_operand
buffer_byte(struct vim *im, const struct il_src *src, uint32_t stride)
{
   struct vc_operand at = vim_bits(im, src, 0);
   if (stride)
      at = multiply_add(im->c, at, vc_bits(stride), vim_bits(im, src, 1));
   return at;
}

static void
load_dwords(struct vim *im, const struct il_inst *inst, uint32_t handle, struct vc_operand at)
{
   struct vc_operand r[4];
   uint32_t v = vc_load_buffer(im->c, handle, at, 4, VC_READ);
   for (unsigned i = 0; i < 4; i++)
      r[i] = vc_at(v, i);
   vim_store(im, &inst->dst[0], r);
}

/* Bytes and halves of a dword. */
static struct {
   uint16_t il;
   uint8_t bytes;
   bool store, is_signed;
} const pieces[] = {
   { IL_OP_UAV_BYTE_LOAD, 1, false, true },   { IL_OP_UAV_SHORT_LOAD, 2, false, true },
   { IL_OP_UAV_UBYTE_LOAD, 1, false, false }, { IL_OP_UAV_USHORT_LOAD, 2, false, false },
   { IL_OP_UAV_BYTE_STORE, 1, true, false },  { IL_OP_UAV_SHORT_STORE, 2, true, false },
   { IL_OP_UAV_ARENA_LOAD, 0, false, false }, { IL_OP_UAV_ARENA_STORE, 0, true, false },
};

static bool
piece(struct vim *im, const struct il_inst *inst, unsigned n)
{
   static const uint8_t arena[4] = { 4, 2, 1, 0 }; /* enum il_load_store_data_size */
   unsigned i = 0;

   while (i < sizeof(pieces) / sizeof(*pieces) && pieces[i].il != inst->op)
      i++;
   if (i == sizeof(pieces) / sizeof(*pieces))
      return false;
   unsigned bytes = pieces[i].bytes ? pieces[i].bytes : arena[il_arena_size(inst)];
   if (im->decl.uav[n].typed || !bytes)
      vim_unsupported(im, "a part of a typed element");
   struct vc *c = im->c;
   struct vc_operand at =
      vc_and(c, buffer_byte(im, &inst->src[0], im->decl.uav[n].stride), vc_bits(~(bytes - 1)));
   if (pieces[i].store) {
      store_part(im,
                 bytes == 1   ? VALHALL_OP_STORE_I8
                 : bytes == 2 ? VALHALL_OP_STORE_I16
                              : VALHALL_OP_STORE_I32,
                 (struct place){ buffer_address(im, n, at), 0 }, vim_bits(im, &inst->src[1], 0));
      return true;
   }
   struct vc_inst *load = vc_new(c, bytes == 1   ? VALHALL_OP_LD_BUFFER_I8
                                    : bytes == 2 ? VALHALL_OP_LD_BUFFER_I16
                                                 : VALHALL_OP_LD_BUFFER_I32);
   load->memory = VC_READ;
   load->src[0] = at;
   load->src[1] = vc_bits(TABLE_STORAGE << 24 | n);
   if (bytes == 1)
      vc_set(load, VALHALL_MOD_LOAD_LANE_8_BIT, VALHALL_LOAD_LANE_8_BIT_W0);
   else if (bytes == 2)
      vc_set(load, VALHALL_MOD_LOAD_LANE_16_BIT, VALHALL_LOAD_LANE_16_BIT_W0);
   vc_set(load, VALHALL_MOD_UNSIGNED, !pieces[i].is_signed);
   vim_store1(im, &inst->dst[0], vc_emit(c, load, 1));
   return true;
}

/* --- images ----------------------------------------------------------------------------------- */

/* Has it no more than 16 bits anyway? */
static bool
is_narrow(const struct vc *c, struct vc_operand v)
{
   const struct vc_inst *def = v.kind == VC_VALUE ? c->values[v.value].def : NULL;

   if (v.kind == VC_CONST)
      return v.value <= 0xffff;
   if (!def || vc_get(def, VALHALL_MOD_NOT_RESULT) || vc_get(def, VALHALL_MOD_SIGNED))
      return false;
   if (def->op == VALHALL_OP_U16_TO_U32 || def->op == VALHALL_OP_U8_TO_U32)
      return true;
   if (def->op == VALHALL_OP_LSHIFT_AND_I32)
      return def->src[2].kind == VC_CONST && !def->src[2].invert && def->src[2].value <= 0xffff;
   return def->op == VALHALL_OP_RSHIFT_OR_I32 && def->src[1].kind == VC_CONST &&
          def->src[1].value >= 16 && vc_is(def->src[2], 0);
}

/* A coordinate in 16 bits. */
static struct vc_operand
narrow(struct vc *c, struct vc_operand v)
{
   return is_narrow(c, v) ? v : vc_umin(c, v, vc_bits(0xffff));
}

/* x and y, or x alone; the layer or z in the upper half of the other. */
static void
texel(struct vim *im, const struct il_inst *inst, unsigned n, struct vc_operand at[2])
{
   struct vc *c = im->c;
   const struct il_src *src = &inst->src[0];
   struct vc_operand x = vim_bits(im, src, 0), y = vc_bits(0), layer = vc_bits(0);

   switch (im->decl.uav[n].type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_BUFFER:
      at[0] = x;
      at[1] = vc_bits(0);
      return;
   case IL_USAGE_PIXTEX_1DARRAY:
      at[0] = x;
      at[1] = vc_shl(c, narrow(c, vim_bits(im, src, 1)), vc_bits(16));
      return;
   case IL_USAGE_PIXTEX_2D:
      y = vim_bits(im, src, 1);
      break;
   default:
      y = vim_bits(im, src, 1);
      layer = vim_bits(im, src, 2);
      break;
   }
   at[0] = vc_or(c, vc_shl(c, narrow(c, y), vc_bits(16)), narrow(c, x));
   at[1] = vc_shl(c, narrow(c, layer), vc_bits(16));
}

/* A texel of image n: its number is in the word, or in a register. */
static void
name_image(struct vc_inst *inst, unsigned n, const struct vc_operand at[2])
{
   inst->src[0] = at[0];
   inst->src[1] = at[1];
   if (n >= 16) {
      inst->src[2] = vc_bits(TABLE_IMAGE << 24 | n);
      return;
   }
   const bool index_first = inst->op == VALHALL_OP_LD_TEX_IMM;
   inst->imm[index_first ? 0 : 1] = n;
   inst->imm[index_first ? 1 : 0] = TABLE_IMAGE;
}

static struct vc_operand
image_address(struct vim *im, unsigned n, const struct vc_operand at[2])
{
   struct vc_inst *inst = vc_new(im->c, n < 16 ? VALHALL_OP_LEA_TEX_IMM : VALHALL_OP_LEA_TEX);
   name_image(inst, n, at);
   return vc_emit(im->c, inst, 3);
}

static void
image_load(struct vim *im, const struct il_inst *inst, unsigned n)
{
   struct vc *c = im->c;
   struct vc_inst *load = vc_new(c, n < 16 ? VALHALL_OP_LD_TEX_IMM : VALHALL_OP_LD_TEX);
   struct vc_operand at[2], r[4];

   texel(im, inst, n, at);
   load->memory = VC_READ;
   name_image(load, n, at);
   vc_set(load, VALHALL_MOD_VECTOR_SIZE, VALHALL_VECTOR_SIZE_V4);
   vc_set(load, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_AUTO);
   struct vc_operand v = vc_emit(c, load, 4);
   for (unsigned i = 0; i < 4; i++)
      r[i] = vc_word(v, i);
   vim_store(im, &inst->dst[0], r);
}

static void
image_store(struct vim *im, const struct il_inst *inst, unsigned n)
{
   struct vc *c = im->c;
   struct vc_operand at[2], v[4];

   for (unsigned i = 0; i < 4; i++)
      v[i] = vim_bits(im, &inst->src[1], i);
   texel(im, inst, n, at);
   struct vc_operand place = image_address(im, n, at);
   struct vc_inst *store = vc_new(c, VALHALL_OP_ST_CVT);
   store->memory = VC_WRITE;
   store->src[0] = place;
   store->src[1] = vc_word(place, 2);
   store->staging = vc_collect(c, 4, v);
   store->staged = 4;
   vc_set(store, VALHALL_MOD_VECTOR_SIZE, VALHALL_VECTOR_SIZE_V4);
   vc_set(store, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_AUTO);
   vc_append(c, store);
}

/* --- UAVs ------------------------------------------------------------------------------------- */

static void
uav_store(struct vim *im, const struct il_inst *inst, unsigned n)
{
   struct vc *c = im->c;
   struct vc_operand v[4];

   if (im->decl.uav[n].typed) {
      image_store(im, inst, n);
      return;
   }
   if (!inst->ndst)
      vim_unsupported(im, "a store of texels into a UAV of dwords");
   struct vc_operand at = buffer_byte(im, &inst->src[0], im->decl.uav[n].stride);
   for (unsigned i = 0; i < 4; i++)
      v[i] = vim_bits(im, &inst->src[1], i);
   for (unsigned i = 0; i < 4; i++)
      if (il_dst_mask(&inst->dst[0]) >> i & 1)
         vc_store(c, buffer_address(im, n, vc_add(c, at, vc_bits(4 * i))), 0, 1, &v[i]);
}

static bool
uav(struct vim *im, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   bool raw = info->ctl == IL_CTL_UAV_RAW || info->ctl == IL_CTL_ARENA, returns;
   unsigned n = raw ? il_uav(inst) : il_number(inst);
   struct vc_operand at[2];

   if (n >= IL_MAX_UAVS || !im->decl.uav[n].declared)
      vim_unsupported(im, "a UAV that is not declared");
   im->c->out->uavs |= UINT64_C(1) << n;
   if (piece(im, inst, n))
      return true;
   switch (inst->op) {
   case IL_OP_UAV_LOAD:
   case IL_OP_UAV_RAW_LOAD:
   case IL_OP_UAV_STRUCT_LOAD:
      if (im->decl.uav[n].typed) {
         image_load(im, inst, n);
      } else {
         load_dwords(im, inst, TABLE_STORAGE << 24 | n,
                     buffer_byte(im, &inst->src[0], im->decl.uav[n].stride));
      }
      return true;
   case IL_OP_UAV_STORE:
   case IL_OP_UAV_RAW_STORE:
   case IL_OP_UAV_STRUCT_STORE:
      uav_store(im, inst, n);
      return true;
   default:
      break;
   }
   int row = change_of(inst->op, &returns);
   if (row < 0)
      return false;
   struct vc_operand a = vim_bits(im, &inst->src[1], 0);
   struct place place = { .offset = 0 };
   struct vc_operand b = inst->nsrc > 2 ? vim_bits(im, &inst->src[2], 0) : vc_bits(0);
   if (im->decl.uav[n].typed) {
      texel(im, inst, n, at);
      place.address = image_address(im, n, at);
   } else {
      place.address = buffer_address(im, n, buffer_byte(im, &inst->src[0], im->decl.uav[n].stride));
   }
   struct vc_operand old = perform(im, changes[row].change, place, a, b, returns);
   if (returns)
      vim_store1(im, &inst->dst[0], old);
   return true;
}

static void
srv(struct vim *im, const struct il_inst *inst)
{
   unsigned n = il_srv(inst);

   if (n >= 32 || !im->decl.srv[n].declared || il_indexed(inst))
      vim_unsupported(im, "a read-only buffer that is not declared, or at an index");
   im->c->out->textures |= 1u << n;
   load_dwords(im, inst, TABLE_TEXTURE << 24 | n,
               buffer_byte(im, &inst->src[0], im->decl.srv[n].stride));
}

bool
vim_memory(struct vim *im, const struct il_inst *inst)
{
   switch (il_op_info(inst->op)->category) {
   case IL_CAT_LDS:
      return shared_data(im, inst, false);
   case IL_CAT_GDS:
      return shared_data(im, inst, true);
   case IL_CAT_UAV:
      return uav(im, inst);
   case IL_CAT_SRV:
      srv(im, inst);
      return true;
   default:
      break;
   }
   switch (inst->op) {
   case IL_OP_FENCE:
      /* The control points of a patch are one wave's. */
      if (il_fence_threads(inst) && !(im->il->shader == IL_SHADER_HULL && im->depth)) {
         struct vc_inst *barrier = vc_new(im->c, VALHALL_OP_BARRIER);
         barrier->memory = VC_WRITE;
         vc_set(barrier, VALHALL_MOD_SLOT, VALHALL_SLOT_SLOT7);
         vc_append(im->c, barrier);
         im->c->out->cs.uses_barrier = true;
      }
      return true;
   case IL_OP_APPEND_BUF_ALLOC:
   case IL_OP_APPEND_BUF_CONSUME:
      append(im, inst);
      return true;
   default:
      return false;
   }
}
