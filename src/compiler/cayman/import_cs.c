/* SPDX-License-Identifier: MIT */
/*
 * Import of compute shaders' registers, local data, and unordered access views.
 *
 * Local data (HD 6900 ISA 7): an operation stands in slot x and takes a byte address and up to two
 * values; what it returns is copied from the queue in the group after it.
 *
 * A UAV is a RAT, of the program's own table (SQ_PGM_RESOURCES_2_x.RAT_TABLE).  Stores and
 * operations go to it by MEM_RAT.  What an operation returns is left in the RAT's return buffer, at
 * an address of the lane's own, (SE * 256 + wave) * 64 + lane, and fetched from there.  UAVs are
 * also bound as buffers and, if texels are more than an index away, as textures, for plain loads.
 */
#include "import.h"

#include <string.h>

void
im_cs_begin(struct importer *im)
{
   for (unsigned i = 0; i < 3; i++) {
      im->thread[i] = cc_input(im->c, 0, i);
      im->group[i] = cc_input(im->c, 1, i);
   }
   im->c->first_free_gpr = 2;
   if (!im->c->out->cs.block[0])
      im_unsupported(im, "a compute shader without dcl_num_thread_per_group");
}

/* --- which thread is this? -------------------------------------------------------------------- */

/* a * b + c; numbers of threads and groups fit into 24 bits. */
static struct cc_operand
multiply_add(struct importer *im, struct cc_operand a, struct cc_operand b, struct cc_operand c)
{
   return op_value(im_emit3(im, CAYMAN_ALU_MULADD_UINT24, a, b, c));
}

static struct cc_operand
groups_along(struct importer *im, unsigned axis)
{
   im->c->out->const_buffers |= 1u << IL_DRIVER_CB;
   im->c->out->cs.uses_grid = true;
   return op_kcache(IL_DRIVER_CB, IL_DRV_GRID, axis);
}

static struct cc_operand
flat_thread(struct importer *im)
{
   const uint16_t *block = im->c->out->cs.block;
   struct cc_operand flat = op_value(im->thread[0]);

   if (block[1] > 1 || block[2] > 1)
      flat = multiply_add(im, op_value(im->thread[1]), op_const(block[0]), flat);
   if (block[2] > 1) {
      flat =
         multiply_add(im, op_value(im->thread[2]), op_const((uint32_t)block[0] * block[1]), flat);
   }
   return flat;
}

static struct cc_operand
flat_group(struct importer *im)
{
   struct cc_operand row =
      multiply_add(im, op_value(im->group[2]), groups_along(im, 1), op_value(im->group[1]));
   struct cc_operand product =
      op_value(im_emit2(im, CAYMAN_ALU_MULLO_UINT, row, groups_along(im, 0)));
   return op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, product, op_value(im->group[0])));
}

struct cc_operand
im_thread_id(struct importer *im, unsigned type, unsigned comp)
{
   const uint16_t *block = im->c->out->cs.block;

   if (im->c->out->stage != SHADER_STAGE_CS)
      im_unsupported(im, "thread number outside a compute shader");
   switch (type) {
   case IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT:
      return flat_thread(im);
   case IL_REGTYPE_THREAD_GROUP_ID_FLAT:
      return flat_group(im);
   case IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT: {
      struct cc_operand size = op_const((uint32_t)block[0] * block[1] * block[2]);
      struct cc_operand first = op_value(im_emit2(im, CAYMAN_ALU_MULLO_UINT, flat_group(im), size));
      return op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, first, flat_thread(im)));
   }
   default:
      break;
   }
   if (comp > 2)
      return op_const(0);
   switch (type) {
   case IL_REGTYPE_THREAD_ID_IN_GROUP:
      return op_value(im->thread[comp]);
   case IL_REGTYPE_THREAD_GROUP_ID:
      return op_value(im->group[comp]);
   default:
      return multiply_add(im, op_value(im->group[comp]), op_const(block[comp]),
                          op_value(im->thread[comp]));
   }
}

/* --- local data ------------------------------------------------------------------------------- */

struct memory_op {
   uint16_t il, il_read; /* without and with the old value as result; 0: there is none */
   uint8_t op;
};

static const struct memory_op lds_ops[] = {
   { IL_OP_LDS_ADD, IL_OP_LDS_READ_ADD, CAYMAN_LDS_ADD },
   { IL_OP_LDS_SUB, IL_OP_LDS_READ_SUB, CAYMAN_LDS_SUB },
   { IL_OP_LDS_RSUB, IL_OP_LDS_READ_RSUB, CAYMAN_LDS_RSUB },
   { IL_OP_LDS_INC, IL_OP_LDS_READ_INC, CAYMAN_LDS_INC },
   { IL_OP_LDS_DEC, IL_OP_LDS_READ_DEC, CAYMAN_LDS_DEC },
   { IL_OP_LDS_MIN, IL_OP_LDS_READ_MIN, CAYMAN_LDS_MIN_INT },
   { IL_OP_LDS_MAX, IL_OP_LDS_READ_MAX, CAYMAN_LDS_MAX_INT },
   { IL_OP_LDS_UMIN, IL_OP_LDS_READ_UMIN, CAYMAN_LDS_MIN_UINT },
   { IL_OP_LDS_UMAX, IL_OP_LDS_READ_UMAX, CAYMAN_LDS_MAX_UINT },
   { IL_OP_LDS_AND, IL_OP_LDS_READ_AND, CAYMAN_LDS_AND },
   { IL_OP_LDS_OR, IL_OP_LDS_READ_OR, CAYMAN_LDS_OR },
   { IL_OP_LDS_XOR, IL_OP_LDS_READ_XOR, CAYMAN_LDS_XOR },
   { IL_OP_LDS_MSKOR, IL_OP_LDS_READ_MSKOR, CAYMAN_LDS_MSKOR },
   { IL_OP_LDS_CMP, IL_OP_LDS_READ_CMP_XCHG, CAYMAN_LDS_CMP_STORE },
   { 0, IL_OP_LDS_READ_XCHG, CAYMAN_LDS_XCHG_RET - 32 },
   { IL_OP_LDS_STORE, 0, CAYMAN_LDS_WRITE },
   { IL_OP_LDS_STORE_BYTE, 0, CAYMAN_LDS_BYTE_WRITE },
   { IL_OP_LDS_STORE_SHORT, 0, CAYMAN_LDS_SHORT_WRITE },
   { 0, IL_OP_LDS_LOAD, CAYMAN_LDS_READ_RET - 32 },
   { 0, IL_OP_LDS_LOAD_BYTE, CAYMAN_LDS_BYTE_READ_RET - 32 },
   { 0, IL_OP_LDS_LOAD_UBYTE, CAYMAN_LDS_UBYTE_READ_RET - 32 },
   { 0, IL_OP_LDS_LOAD_SHORT, CAYMAN_LDS_SHORT_READ_RET - 32 },
   { 0, IL_OP_LDS_LOAD_USHORT, CAYMAN_LDS_USHORT_READ_RET - 32 },
};

struct cc_operand
im_lds_inst(struct importer *im, unsigned op, struct cc_operand address, struct cc_operand a,
            struct cc_operand b)
{
   struct compiler *c = im->c;
   bool returns = cayman_lds_info(op)->returns;
   struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, 1);

   inst->lane[0].op = CAYMAN_ALU_LDS_IDX_OP;
   inst->lane[0].lds_op = op;
   inst->lane[0].src[0] = address;
   inst->lane[0].src[1] = a;
   inst->lane[0].src[2] = b;
   inst->keep = true;
   inst->space = SPACE_LDS;
   inst->memory = cayman_lds_info(op)->num_src == 1 ? MEMORY_READ : MEMORY_WRITE;
   if (!returns)
      return op_none();
   struct inst *pop = cc_alu_inst(c, SHAPE_SCALAR, 1);
   pop->lane[0].op = CAYMAN_ALU_MOV;
   pop->lane[0].src[0] = op_special(CAYMAN_SRC_LDS_OQ_A_POP, 0);
   pop->lane[0].dst = cc_value(c);
   c->values[pop->lane[0].dst].def = pop;
   pop->keep = true;
   pop->pop_of = inst;
   inst->pop = pop;
   return op_value(pop->lane[0].dst);
}

unsigned
im_lds_write(struct importer *im, struct cc_operand address, unsigned mask, unsigned comp,
             const struct cc_operand value[4])
{
   const bool two = comp < 3 && mask >> comp >> 1 & 1;
   const struct cc_operand first = im_plain(im, value[comp]);
   const struct cc_operand next = two ? im_plain(im, value[comp + 1]) : op_const(0);

   im_lds_inst(im, two ? CAYMAN_LDS_WRITE_REL : CAYMAN_LDS_WRITE, address, first, next);
   return two ? comp + 1 : comp;
}

static struct cc_operand
scalar(struct importer *im, const struct il_src *src, unsigned comp)
{
   return im_plain(im, im_src(im, src, comp));
}

static struct cc_operand
add(struct importer *im, struct cc_operand a, uint32_t b)
{
   return b ? op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, a, op_const(b))) : a;
}

struct cc_operand
im_struct_address(struct importer *im, struct cc_operand element, uint32_t stride,
                  struct cc_operand offset, uint32_t base)
{
   struct cc_operand row = op_value(im_emit2(im, CAYMAN_ALU_MULLO_UINT, element, op_const(stride)));
   return add(im, op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, row, offset)), base);
}

static bool
lds(struct importer *im, const struct il_inst *inst)
{
   unsigned n = il_lds(inst);
   bool vec = inst->op == IL_OP_LDS_LOAD_VEC || inst->op == IL_OP_LDS_STORE_VEC;
   struct cc_operand result[4];

   if (!im->decl.lds[n].size)
      im_unsupported(im, "local data that is not declared");
   struct cc_operand address = scalar(im, &inst->src[0], 0);
   if (im->decl.lds[n].stride) {
      struct cc_operand offset = vec ? scalar(im, &inst->src[1], 0) : scalar(im, &inst->src[0], 1);
      address =
         im_struct_address(im, address, im->decl.lds[n].stride, offset, im->decl.lds[n].base);
   } else {
      address = add(im, address, im->decl.lds[n].base);
   }
   if (inst->op == IL_OP_LDS_LOAD_VEC) {
      for (unsigned i = 0; i < 4; i++) {
         result[i] = op_const(0);
         if (il_dst_mask(&inst->dst[0]) >> i & 1) {
            result[i] = im_lds_inst(im, CAYMAN_LDS_READ_RET, add(im, address, 4 * i), op_const(0),
                                    op_const(0));
         }
      }
      im_store(im, &inst->dst[0], result);
      return true;
   }
   if (inst->op == IL_OP_LDS_STORE_VEC) {
      const unsigned mask = il_dst_mask(&inst->dst[0]);
      struct cc_operand value[4];
      for (unsigned i = 0; i < 4; i++)
         value[i] = mask >> i & 1 ? im_src(im, &inst->src[2], i) : op_none();
      for (unsigned i = 0; i < 4; i++)
         if (mask >> i & 1)
            i = im_lds_write(im, add(im, address, 4 * i), mask, i, value);
      return true;
   }
   for (unsigned i = 0; i < sizeof(lds_ops) / sizeof(lds_ops[0]); i++) {
      bool returns = lds_ops[i].il_read == inst->op;
      if (!returns && lds_ops[i].il != inst->op)
         continue;
      struct cc_operand value[2] = { op_const(0), op_const(0) };
      for (unsigned k = 1; k < inst->nsrc && k < 3; k++)
         value[k - 1] = scalar(im, &inst->src[k], 0);
      result[0] = im_lds_inst(im, lds_ops[i].op + (returns ? 32 : 0), address, value[0], value[1]);
      if (returns) {
         result[1] = result[2] = result[3] = result[0];
         im_store(im, &inst->dst[0], result);
      }
      return true;
   }
   return false;
}

/* --- UAVs ------------------------------------------------------------------------------------- */

static const struct memory_op uav_ops[] = {
   { IL_OP_UAV_ADD, IL_OP_UAV_READ_ADD, CAYMAN_RAT_ADD },
   { IL_OP_UAV_SUB, IL_OP_UAV_READ_SUB, CAYMAN_RAT_SUB },
   { IL_OP_UAV_RSUB, IL_OP_UAV_READ_RSUB, CAYMAN_RAT_RSUB },
   { IL_OP_UAV_MIN, IL_OP_UAV_READ_MIN, CAYMAN_RAT_MIN_INT },
   { IL_OP_UAV_MAX, IL_OP_UAV_READ_MAX, CAYMAN_RAT_MAX_INT },
   { IL_OP_UAV_UMIN, IL_OP_UAV_READ_UMIN, CAYMAN_RAT_MIN_UINT },
   { IL_OP_UAV_UMAX, IL_OP_UAV_READ_UMAX, CAYMAN_RAT_MAX_UINT },
   { IL_OP_UAV_AND, IL_OP_UAV_READ_AND, CAYMAN_RAT_AND },
   { IL_OP_UAV_OR, IL_OP_UAV_READ_OR, CAYMAN_RAT_OR },
   { IL_OP_UAV_XOR, IL_OP_UAV_READ_XOR, CAYMAN_RAT_XOR },
   { IL_OP_UAV_UINC, IL_OP_UAV_READ_UINC, CAYMAN_RAT_INC_UINT },
   { IL_OP_UAV_UDEC, IL_OP_UAV_READ_UDEC, CAYMAN_RAT_DEC_UINT },
   { IL_OP_UAV_CMP, IL_OP_UAV_READ_CMP_XCHG, CAYMAN_RAT_CMPXCHG_INT },
   { 0, IL_OP_UAV_READ_XCHG, CAYMAN_RAT_XCHG_RTN - 32 },
};

struct inst *
im_rat(struct importer *im, unsigned n, unsigned op, const struct cc_operand index[3])
{
   value_id high = n >= 16 ? cc_mov(im->c, 0, op_const(n - n % 16)) : 0;
   struct inst *inst = im_export(im, CAYMAN_CF_MEM_RAT, CAYMAN_MEM_WRITE_IND_ACK, 0);

   for (unsigned i = 0; i < 3; i++)
      if (index[i].kind != OPERAND_NONE)
         inst->export.index[i] = index[i];
   /* RAT_ID has four bits; the rest comes as an index. */
   inst->export.proto.rat_id = n % 16;
   if (n >= 16) {
      inst->export.proto.rat_index_mode = CAYMAN_CF_INDEX_0;
      inst->ar = high;
   }
   inst->export.proto.rat_op = op;
   inst->export.proto.comp_mask = 15;
   inst->export.proto.elem_size = 0;
   inst->export.proto.mark = true;
   inst->memory = MEMORY_WRITE;
   inst->space = SPACE_UAV;
   im->c->memory_written = true;
   im->c->out->uavs |= UINT64_C(1) << n;
   return inst;
}

/* A value for a source that takes no constants. */
static struct cc_operand
as_value(struct importer *im, struct cc_operand o)
{
   return im_export_src(im, o, false);
}

/* The two counts: of the lanes below in the upper half, then that and those of the lower. */
struct cc_operand
im_lane(struct importer *im)
{
   struct compiler *c = im->c;
   struct inst *count = cc_alu_inst(c, SHAPE_FIXED, 2);
   value_id lane = cc_value(c);
   count->lane[0].op = CAYMAN_ALU_MBCNT_32LO_ACCUM_PREV_INT;
   count->lane[0].slot = 0;
   count->lane[0].src[0] = op_const(0xffffffff);
   count->lane[0].dst = lane;
   count->lane[1].op = CAYMAN_ALU_MBCNT_32HI_INT;
   count->lane[1].slot = 1;
   count->lane[1].src[0] = op_const(0xffffffff);
   c->values[lane].def = count;
   cc_pin(c, lane, 0);
   return op_value(lane);
}

/* Where this lane's results are left. */
static struct cc_operand
return_place(struct importer *im)
{
   struct cc_operand lane = im_lane(im);
   struct cc_operand wave = multiply_add(im, op_special(CAYMAN_SRC_SE_ID, 0), op_const(256),
                                         op_special(CAYMAN_SRC_HW_WAVE_ID, 0));
   return multiply_add(im, wave, op_const(64), lane);
}

/* Fetch what an operation returned. */
static struct inst *
returned(struct importer *im, unsigned n, struct cc_operand place)
{
   struct inst *fetch =
      im_buffer_fetch(im, CAYMAN_RESOURCE_UAV_RETURN + n, place, false, CAYMAN_VTX_FETCH);
   fetch->fetch[0].proto.vtx.data_format = CAYMAN_FMT_32_FLOAT;
   fetch->memory = MEMORY_READ;
   fetch->space = SPACE_UAV;
   im->c->out->uavs_return |= UINT64_C(1) << n;
   return fetch;
}

static void
results_of(struct importer *im, struct inst *fetch, unsigned mask, struct cc_operand result[4])
{
   for (unsigned i = 0; i < 4; i++) {
      result[i] = op_const(0);
      if (mask >> i & 1) {
         fetch->fetch[0].dst[i] = cc_value(im->c);
         im->c->values[fetch->fetch[0].dst[i]].def = fetch;
         result[i] = op_value(fetch->fetch[0].dst[i]);
      }
   }
}

/* Element of a buffer, or x, y and layer of a texel. */
static void
coordinates(struct importer *im, const struct il_inst *inst, unsigned n, struct cc_operand index[3])
{
   const struct il_src *src = &inst->src[0];
   unsigned count = 1;

   index[1] = index[2] = op_none();
   if (!im->decl.uav[n].typed) {
      struct cc_operand bytes = scalar(im, src, 0);
      if (im->decl.uav[n].stride)
         bytes = im_struct_address(im, bytes, im->decl.uav[n].stride, scalar(im, src, 1), 0);
      index[0] = op_value(im_emit2(im, CAYMAN_ALU_LSHR_INT, bytes, op_const(2)));
      return;
   }
   switch (im->decl.uav[n].type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_BUFFER:
      break;
   case IL_USAGE_PIXTEX_2D:
      count = 2;
      break;
   default:
      count = 3;
      break;
   }
   for (unsigned i = 0; i < count; i++)
      index[i] = as_value(im, scalar(im, src, i));
   if (im->decl.uav[n].type == IL_USAGE_PIXTEX_1DARRAY) {
      index[2] = as_value(im, scalar(im, src, 1)); /* the layer is z */
      index[1] = as_value(im, op_const(0));
   }
}

static void
load_uav(struct importer *im, const struct il_inst *inst, unsigned n,
         const struct cc_operand index[3])
{
   unsigned mask = il_dst_mask(&inst->dst[0]);
   struct cc_operand result[4];
   struct inst *fetch;

   if (!im->decl.uav[n].typed || im->decl.uav[n].type == IL_USAGE_PIXTEX_BUFFER) {
      fetch = im_buffer_fetch(im, CAYMAN_RESOURCE_UAV + n, index[0], im->decl.uav[n].typed,
                              CAYMAN_VTX_FETCH);
   } else {
      const struct cc_operand at[4] = { index[0], index[1], index[2], op_const(0) };

      fetch = im_texel_fetch(im, CAYMAN_RESOURCE_UAV - CAYMAN_RESOURCE_TEXTURE + n, at);
   }
   fetch->memory = MEMORY_READ;
   fetch->space = SPACE_UAV;
   im->c->out->uavs_fetch |= UINT64_C(1) << n;
   results_of(im, fetch, mask, result);
   im_store(im, &inst->dst[0], result);
}

static void
store_uav(struct importer *im, const struct il_inst *inst, unsigned n,
          const struct cc_operand index[3])
{
   struct inst *store;

   if (im->decl.uav[n].typed) {
      struct cc_operand value[4];
      for (unsigned i = 0; i < 4; i++)
         value[i] = as_value(im, im_src(im, &inst->src[1], i));
      store = im_rat(im, n, CAYMAN_RAT_STORE_TYPED, index);
      memcpy(store->export.src, value, sizeof(value));
      return;
   }
   if (!inst->ndst)
      im_unsupported(im, "a store of texels into a UAV of dwords");
   const unsigned mask = il_dst_mask(&inst->dst[0]);
   const bool single = !(mask & (mask - 1));
   const unsigned first = single && mask ? (unsigned)__builtin_ctz(mask) : 0;
   struct cc_operand value[4] = { op_none(), op_none(), op_none(), op_none() };
   for (unsigned i = 0; i < 4; i++)
      if (mask >> i & 1)
         value[i - first] = as_value(im, scalar(im, &inst->src[1], i));
   if (!mask)
      return;
   const struct cc_operand at[3] = { add(im, index[0], first), op_none(), op_none() };
   store = im_rat(im, n, single ? CAYMAN_RAT_STORE_TYPED : CAYMAN_RAT_STORE_DWORD, at);
   memcpy(store->export.src, value, sizeof(value));
   store->export.proto.comp_mask = single ? 1 : mask;
}

/* Bytes and halves of raw UAVs, and dwords, bytes and halves of arenas.  A part of a dword is
 * loaded with its dword; the RAT stores it, at an address counted in its size. */
static bool
parts(struct importer *im, const struct il_inst *inst, unsigned n)
{
   static const uint8_t store_op[3] = { CAYMAN_RAT_STORE_DWORD, CAYMAN_RAT_STORE_SHORT,
                                        CAYMAN_RAT_STORE_BYTE };
   unsigned size; /* enum il_load_store_data_size */
   bool store = false, is_signed = false;

   switch (inst->op) {
   case IL_OP_UAV_ARENA_STORE:
      store = true;
      size = il_arena_size(inst);
      break;
   case IL_OP_UAV_ARENA_LOAD:
      size = il_arena_size(inst);
      break;
   case IL_OP_UAV_BYTE_STORE:
   case IL_OP_UAV_SHORT_STORE:
      store = true;
      size = inst->op == IL_OP_UAV_BYTE_STORE ? IL_LOAD_STORE_DATA_SIZE_BYTE
                                              : IL_LOAD_STORE_DATA_SIZE_SHORT;
      break;
   case IL_OP_UAV_BYTE_LOAD:
   case IL_OP_UAV_SHORT_LOAD:
   case IL_OP_UAV_UBYTE_LOAD:
   case IL_OP_UAV_USHORT_LOAD:
      is_signed = inst->op == IL_OP_UAV_BYTE_LOAD || inst->op == IL_OP_UAV_SHORT_LOAD;
      size = inst->op == IL_OP_UAV_BYTE_LOAD || inst->op == IL_OP_UAV_UBYTE_LOAD
                ? IL_LOAD_STORE_DATA_SIZE_BYTE
                : IL_LOAD_STORE_DATA_SIZE_SHORT;
      break;
   default:
      return false;
   }
   if (im->decl.uav[n].typed || size > 2)
      im_unsupported(im, "a part of a typed element");
   struct cc_operand bytes = scalar(im, &inst->src[0], 0);
   if (im->decl.uav[n].stride)
      bytes = im_struct_address(im, bytes, im->decl.uav[n].stride, scalar(im, &inst->src[0], 1), 0);
   if (store) {
      struct cc_operand value = as_value(im, scalar(im, &inst->src[1], 0));
      struct cc_operand at[3] = { as_value(im, E2(LSHR_INT, bytes, op_const(2 - size))), op_none(),
                                  op_none() };
      struct inst *rat = im_rat(im, n, store_op[size], at);
      rat->export.src[0] = value;
      rat->export.proto.comp_mask = 1;
      return true;
   }
   struct cc_operand result[4];
   struct inst *fetch =
      im_buffer_fetch(im, CAYMAN_RESOURCE_UAV + n, as_value(im, E2(LSHR_INT, bytes, op_const(2))),
                      false, CAYMAN_VTX_FETCH);
   fetch->memory = MEMORY_READ;
   fetch->space = SPACE_UAV;
   im->c->out->uavs_fetch |= UINT64_C(1) << n;
   results_of(im, fetch, 1, result);
   if (size != IL_LOAD_STORE_DATA_SIZE_DWORD) {
      struct cc_operand shift =
         E2(LSHL_INT, E2(AND_INT, bytes, op_const(size == 1 ? 2 : 3)), op_const(3));
      struct cc_operand width = op_const(size == 1 ? 16 : 8);
      result[0] =
         is_signed ? E3(BFE_INT, result[0], shift, width) : E3(BFE_UINT, result[0], shift, width);
   }
   result[1] = result[2] = result[3] = result[0];
   im_store(im, &inst->dst[0], result);
   return true;
}

/* A buffer that is only read: four dwords at a byte address. */
static void
srv(struct importer *im, const struct il_inst *inst)
{
   unsigned n = il_srv(inst);
   struct cc_operand bytes = scalar(im, &inst->src[0], 0), result[4];

   if (n >= 32 || !im->decl.srv[n].declared)
      im_unsupported(im, "SRV that is not declared");
   if (im->decl.srv[n].stride)
      bytes = im_struct_address(im, bytes, im->decl.srv[n].stride, scalar(im, &inst->src[0], 1), 0);
   if (il_indexed(inst))
      im_unsupported(im, "an SRV at a run-time index");
   struct inst *fetch =
      im_buffer_fetch(im, CAYMAN_RESOURCE_TEXTURE + n,
                      as_value(im, E2(LSHR_INT, bytes, op_const(2))), false, CAYMAN_VTX_FETCH);
   im->c->out->textures |= 1u << n;
   results_of(im, fetch, il_dst_mask(&inst->dst[0]), result);
   im_store(im, &inst->dst[0], result);
}

static bool
uav(struct importer *im, const struct il_inst *inst)
{
   const struct memory_op *op = NULL;
   const struct il_op_info *info = il_op_info(inst->op);
   unsigned n =
      info->ctl == IL_CTL_UAV_RAW || info->ctl == IL_CTL_ARENA ? il_uav(inst) : il_number(inst);
   struct cc_operand index[3], result[4], place = op_none();

   if (n >= IL_MAX_UAVS || !im->decl.uav[n].declared)
      im_unsupported(im, "UAV that is not declared");
   if (parts(im, inst, n))
      return true;
   switch (inst->op) {
   case IL_OP_UAV_LOAD:
   case IL_OP_UAV_RAW_LOAD:
   case IL_OP_UAV_STRUCT_LOAD:
      coordinates(im, inst, n, index);
      load_uav(im, inst, n, index);
      return true;
   case IL_OP_UAV_STORE:
   case IL_OP_UAV_RAW_STORE:
   case IL_OP_UAV_STRUCT_STORE:
      coordinates(im, inst, n, index);
      store_uav(im, inst, n, index);
      return true;
   default:
      break;
   }
   for (unsigned i = 0; i < sizeof(uav_ops) / sizeof(uav_ops[0]); i++)
      if (inst->op == uav_ops[i].il || inst->op == uav_ops[i].il_read)
         op = &uav_ops[i];
   if (!op)
      return false;
   bool returns = inst->op == op->il_read;
   coordinates(im, inst, n, index);
   struct cc_operand value = as_value(im, scalar(im, &inst->src[1], 0)), compare = op_none();
   if (inst->nsrc > 2)
      compare = as_value(im, scalar(im, &inst->src[2], 0));
   if (returns)
      place = return_place(im);
   struct inst *operation = im_rat(im, n, op->op + (returns ? 32 : 0), index);
   operation->export.src[0] = value;
   operation->export.src[1] = place;
   operation->export.src[im->c->chip->compared] = compare;
   if (returns) {
      results_of(im, returned(im, n, place), 1, result);
      result[1] = result[2] = result[3] = result[0];
      im_store(im, &inst->dst[0], result);
   }
   return true;
}

void
im_barrier(struct importer *im)
{
   struct inst *inst = cc_alu_inst(im->c, SHAPE_SCALAR, 1);

   inst->lane[0].op = CAYMAN_ALU_GROUP_BARRIER;
   inst->memory = MEMORY_BARRIER;
   inst->keep = true;
}

static void
fence(struct importer *im, const struct il_inst *inst)
{
   struct compiler *c = im->c;

   if (il_fence(inst) &
       (IL_FENCE_GDS | IL_FENCE_MEMORY | IL_FENCE_MEM_WRITE_ONLY | IL_FENCE_MEM_READ_ONLY)) {
      struct inst *wait = im_export(im, CAYMAN_CF_WAIT_ACK, 0, 0);
      wait->memory = MEMORY_BARRIER;
   }
   if (il_fence_threads(inst)) {
      if (c->out->stage != SHADER_STAGE_CS && (!im->decl.tess.flat || im->walk->depth))
         im_unsupported(im, "a barrier of threads here");
      im_barrier(im);
      c->out->cs.uses_barrier = true;
   }
}

bool
im_memory(struct importer *im, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);

   if (inst->op == IL_OP_FENCE) {
      fence(im, inst);
      return true;
   }
   if (info->category == IL_CAT_LDS && inst->nsrc)
      return lds(im, inst);
   if (info->category == IL_CAT_SRV && inst->nsrc) {
      srv(im, inst);
      return true;
   }
   return im_gds(im, inst) || (info->category == IL_CAT_UAV && inst->nsrc && uav(im, inst));
}
