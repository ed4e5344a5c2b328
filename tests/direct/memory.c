/* SPDX-License-Identifier: MIT */
/*
 * Random statements that use memory: local data, with owners too, UAVs, arenas, parts of dwords,
 * global data, counters and read-only buffers.  See maker.h.
 */
#include "maker.h"

/* Of the structured area, an element and an offset of its 8 bytes. */
static void
local_vector(struct maker *m)
{
   struct il_dst d = value_register(m);
   const struct il_src s[3] = { masked_address(m, 1),
                                il_replicate(il_src(IL_REGTYPE_LITERAL, L_SMALL), 0),
                                any_operand(m) };
   if (pick(m, 2)) {
      il_emit(m->p, IL_OP_LDS_LOAD_VEC, 1, &d, 2, s);
   } else {
      d = il_dst_masked(il_dst(IL_REGTYPE_GENERIC_MEM, 0), 1 + pick(m, 15));
      il_emit(m->p, IL_OP_LDS_STORE_VEC, 1, &d, 3, s);
   }
}

void
local_data(struct maker *m)
{
   static const uint16_t quiet[] = { IL_OP_LDS_ADD,        IL_OP_LDS_SUB,        IL_OP_LDS_RSUB,
                                     IL_OP_LDS_INC,        IL_OP_LDS_DEC,        IL_OP_LDS_MIN,
                                     IL_OP_LDS_MAX,        IL_OP_LDS_UMIN,       IL_OP_LDS_UMAX,
                                     IL_OP_LDS_AND,        IL_OP_LDS_OR,         IL_OP_LDS_XOR,
                                     IL_OP_LDS_MSKOR,      IL_OP_LDS_CMP,        IL_OP_LDS_STORE,
                                     IL_OP_LDS_STORE_BYTE, IL_OP_LDS_STORE_SHORT };
   static const uint16_t loud[] = {
      IL_OP_LDS_READ_ADD,   IL_OP_LDS_READ_SUB,      IL_OP_LDS_READ_RSUB,  IL_OP_LDS_READ_INC,
      IL_OP_LDS_READ_DEC,   IL_OP_LDS_READ_MIN,      IL_OP_LDS_READ_MAX,   IL_OP_LDS_READ_UMIN,
      IL_OP_LDS_READ_UMAX,  IL_OP_LDS_READ_AND,      IL_OP_LDS_READ_OR,    IL_OP_LDS_READ_XOR,
      IL_OP_LDS_READ_MSKOR, IL_OP_LDS_READ_CMP_XCHG, IL_OP_LDS_READ_XCHG,  IL_OP_LDS_LOAD,
      IL_OP_LDS_LOAD_BYTE,  IL_OP_LDS_LOAD_UBYTE,    IL_OP_LDS_LOAD_SHORT, IL_OP_LDS_LOAD_USHORT
   };
   struct il_dst d = value_register(m);
   bool is_quiet = pick(m, 2);
   if (pick(m, 6) == 0) {
      local_vector(m);
      return;
   }
   unsigned op = is_quiet ? quiet[pick(m, sizeof(quiet) / 2)] : loud[pick(m, sizeof(loud) / 2)];
   unsigned id = pick(m, 2); /* 0 raw, 1 structured: .xy is element and offset */
   struct il_src s[3] = { masked_address(m, id ? 1 : 0), one_component(m), one_component(m) };

   if (id) {
      s[0] =
         il_swizzle(il_src(IL_REGTYPE_TEMP, SCRATCH), 0, IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0);
   }
   il_emit(m->p, (enum il_opcode)op, id, is_quiet ? NULL : &d, il_op_info(op)->srcs, s);
}

void
barrier(struct maker *m)
{
   il_emit(m->p, IL_OP_FENCE, IL_FENCE_THREADS | IL_FENCE_LDS, NULL, 0, NULL);
}

/* UAV 1 is raw, UAV 2 structured with 16 bytes to an element. */
void
global_data(struct maker *m)
{
   static const uint16_t quiet[] = { IL_OP_UAV_ADD, IL_OP_UAV_SUB,  IL_OP_UAV_RSUB, IL_OP_UAV_MIN,
                                     IL_OP_UAV_MAX, IL_OP_UAV_UMIN, IL_OP_UAV_UMAX, IL_OP_UAV_AND,
                                     IL_OP_UAV_OR,  IL_OP_UAV_XOR,  IL_OP_UAV_CMP,  IL_OP_UAV_UINC,
                                     IL_OP_UAV_UDEC };
   static const uint16_t loud[] = {
      IL_OP_UAV_READ_ADD,  IL_OP_UAV_READ_SUB,  IL_OP_UAV_READ_RSUB, IL_OP_UAV_READ_MIN,
      IL_OP_UAV_READ_MAX,  IL_OP_UAV_READ_UMIN, IL_OP_UAV_READ_UMAX, IL_OP_UAV_READ_AND,
      IL_OP_UAV_READ_OR,   IL_OP_UAV_READ_XOR,  IL_OP_UAV_READ_XCHG, IL_OP_UAV_READ_CMP_XCHG,
      IL_OP_UAV_READ_UINC, IL_OP_UAV_READ_UDEC
   };
   bool is_struct = pick(m, 2);
   unsigned id = is_struct ? 2 : 1;
   struct il_dst d = value_register(m);
   struct il_src s[3] = { masked_address(m, is_struct ? 3 : 2), any_operand(m), one_component(m) };

   if (is_struct) {
      s[0] =
         il_swizzle(il_src(IL_REGTYPE_TEMP, SCRATCH), 0, IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0);
   }
   switch (pick(m, 4)) {
   case 0:
      il_emit(m->p, is_struct ? IL_OP_UAV_STRUCT_LOAD : IL_OP_UAV_RAW_LOAD, id, &d, 1, s);
      break;
   case 1: {
      struct il_dst mem = il_dst_masked(il_dst(IL_REGTYPE_GENERIC_MEM, 0), 1 + pick(m, 15));
      il_emit(m->p, is_struct ? IL_OP_UAV_STRUCT_STORE : IL_OP_UAV_RAW_STORE, id, &mem, 2, s);
      break;
   }
   case 2: {
      unsigned op = quiet[pick(m, sizeof(quiet) / 2)];
      il_emit(m->p, (enum il_opcode)op, id, NULL, il_op_info(op)->srcs, s);
      break;
   }
   default: {
      unsigned op = loud[pick(m, sizeof(loud) / 2)];
      il_emit(m->p, (enum il_opcode)op, id, &d, il_op_info(op)->srcs, s);
      break;
   }
   }
}

void
read_buffer(struct maker *m)
{
   struct il_dst d = value_register(m);
   bool is_struct = pick(m, 2);
   struct il_src at = masked_address(m, is_struct ? 3 : 2);

   if (is_struct)
      at = il_swizzle(at, 0, IL_COMPSEL_0, IL_COMPSEL_0, IL_COMPSEL_0);
   il_emit(m->p, is_struct ? IL_OP_SRV_STRUCT_LOAD : IL_OP_SRV_RAW_LOAD,
           is_struct ? SRV_STRUCTS : SRV_BUFFER, &d, 1, &at);
}

/* Global data (atomic operations that return), append counters, a read-only buffer. */
void
shared_data(struct maker *m)
{
   static const uint16_t loud[] = {
      IL_OP_GDS_READ_ADD,   IL_OP_GDS_READ_SUB,  IL_OP_GDS_READ_RSUB,     IL_OP_GDS_READ_INC,
      IL_OP_GDS_READ_DEC,   IL_OP_GDS_READ_MIN,  IL_OP_GDS_READ_MAX,      IL_OP_GDS_READ_UMIN,
      IL_OP_GDS_READ_UMAX,  IL_OP_GDS_READ_AND,  IL_OP_GDS_READ_OR,       IL_OP_GDS_READ_XOR,
      IL_OP_GDS_READ_MSKOR, IL_OP_GDS_READ_XCHG, IL_OP_GDS_READ_CMP_XCHG, IL_OP_GDS_LOAD
   };
   static const uint16_t quiet[] = { IL_OP_GDS_ADD,   IL_OP_GDS_SUB,   IL_OP_GDS_RSUB,
                                     IL_OP_GDS_INC,   IL_OP_GDS_DEC,   IL_OP_GDS_MIN,
                                     IL_OP_GDS_MAX,   IL_OP_GDS_UMIN,  IL_OP_GDS_UMAX,
                                     IL_OP_GDS_AND,   IL_OP_GDS_OR,    IL_OP_GDS_XOR,
                                     IL_OP_GDS_MSKOR, IL_OP_GDS_STORE, IL_OP_GDS_CMP_STORE };
   struct il_dst d = value_register(m);

   switch (pick(m, 4)) {
   case 0:
      il_emit(m->p, pick(m, 2) ? IL_OP_APPEND_BUF_ALLOC : IL_OP_APPEND_BUF_CONSUME, 1 + pick(m, 2),
              &d, 0, NULL);
      break;
   case 1:
      read_buffer(m);
      break;
   default: {
      bool returns = pick(m, 2);
      unsigned op = returns ? loud[pick(m, sizeof(loud) / 2)] : quiet[pick(m, sizeof(quiet) / 2)];
      unsigned id = pick(m, 2);
      struct il_src s[3] = { masked_address(m, id ? 1 : 0), one_component(m), one_component(m) };
      if (id) {
         s[0] = il_swizzle(il_src(IL_REGTYPE_TEMP, SCRATCH), 0, IL_COMPSEL_0, IL_COMPSEL_0,
                           IL_COMPSEL_0);
      }
      il_emit(m->p, (enum il_opcode)op, id, returns ? &d : NULL, il_op_info(op)->srcs, s);
      break;
   }
   }
}

void
part_of_dword(struct maker *m)
{
   static const uint16_t loads[] = { IL_OP_UAV_BYTE_LOAD, IL_OP_UAV_SHORT_LOAD,
                                     IL_OP_UAV_UBYTE_LOAD, IL_OP_UAV_USHORT_LOAD,
                                     IL_OP_UAV_ARENA_LOAD };
   static const uint16_t stores[] = { IL_OP_UAV_BYTE_STORE, IL_OP_UAV_SHORT_STORE,
                                      IL_OP_UAV_ARENA_STORE };
   struct il_dst d = value_register(m);
   bool load = pick(m, 2);
   unsigned op = load ? loads[pick(m, 5)] : stores[pick(m, 3)];
   bool arena = op == IL_OP_UAV_ARENA_LOAD || op == IL_OP_UAV_ARENA_STORE;
   unsigned size = arena ? pick(m, 3) : 0; /* enum il_load_store_data_size */
   const struct il_src s[2] = { masked_address(m, 3), any_operand(m) };

   il_emit(m->p, (enum il_opcode)op, arena ? ARENA_BUFFER | size << 10 : 1, load ? &d : NULL,
           load ? 1 : 2, s);
}

void
owned_data(struct maker *m)
{
   struct il_dst d = value_register(m), mem = il_dst(IL_REGTYPE_GENERIC_MEM, 0);
   unsigned mode = pick(m, 2); /* relative or absolute */

   if (pick(m, 2)) {
      const struct il_src value = any_operand(m);
      mem = il_dst_masked(mem, 1 + pick(m, 15));
      il_emit(m->p, IL_OP_LDS_WRITE_VEC, mode | pick(m, OWNED_DWORDS - 3) << 2, &mem, 1, &value);
      return;
   }
   struct il_dst at = il_dst_masked(il_dst(IL_REGTYPE_TEMP, SCRATCH), 2);
   const struct il_src offset = index_source(m);
   masked_address(m, 3);
   il_emit(m->p, IL_OP_MOV, 0, &at, 1, &offset);
   const struct il_src place = il_swizzle(il_src(IL_REGTYPE_TEMP, SCRATCH), 0, 1, 1, 1);
   il_emit(m->p, IL_OP_LDS_READ_VEC, mode | pick(m, 2) << 2, &d, 1, &place);
}

/* A wave that has signalled may wait; what the others do, it has signalled as well. */
void
semaphore(struct maker *m)
{
   const struct il_src count = one_component(m);
   unsigned n = pick(m, 16);

   il_emit(m->p, IL_OP_SEMAPHORE_INIT, n, NULL, 1, &count);
   il_emit(m->p, IL_OP_SEMAPHORE_SIGNAL, n, NULL, 0, NULL);
   il_emit(m->p, IL_OP_SEMAPHORE_WAIT, n, NULL, 0, NULL);
}
