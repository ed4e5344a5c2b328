/* SPDX-License-Identifier: MIT */
/*
 * What messages do to registers, whatever memory they reach.  Kernels only.
 */
#ifndef ATOLL_VALHALL_ACCESS_H
#define ATOLL_VALHALL_ACCESS_H

#include "valhall/exec.h"

V_INLINE uint32_t *
vh_row(const struct exec *x, unsigned reg)
{
   return (uint32_t *)(x->file + ROW(reg & (VH_REGISTERS - 1)));
}

static inline void
vh_write_loaded(const struct exec *x, const struct vh_message *m, const uint32_t data[4],
                unsigned lane)
{
   unsigned bits = 8u * m->bytes, registers = (m->width + 31u) / 32;
   uint32_t words[4] = { data[0], data[1], data[2], data[3] };

   /* Extend beyond the last bit that was loaded. */
   if (m->is_signed && bits % 32 && words[bits / 32] >> (bits % 32 - 1) & 1)
      words[bits / 32] |= ~0u << bits % 32;
   for (unsigned i = (bits + 31) / 32; i < registers; i++)
      words[i] = m->is_signed && words[i - 1] >> 31 ? ~0u : 0;
   if (m->width < 32) {
      uint32_t mask = ((1u << m->width) - 1) << m->shift;
      uint32_t *to = &vh_row(x, m->reg)[lane];
      *to = (*to & ~mask) | (words[0] << m->shift & mask);
      return;
   }
   for (unsigned i = 0; i < m->count && i < registers; i++)
      vh_row(x, m->reg + i)[lane] = words[i];
}

static inline uint64_t
vh_atomic_result(const struct vh_message *m, uint64_t old, uint64_t value, uint64_t expected)
{
   bool wide = m->bytes == 8;
   int64_t so = wide ? (int64_t)old : (int32_t)old, sv = wide ? (int64_t)value : (int32_t)value;

   switch (m->op) {
   case VALHALL_ATOMIC_OPERATION_AADD:
      return old + value;
   case VALHALL_ATOMIC_OPERATION_ASMIN:
      return so < sv ? old : value;
   case VALHALL_ATOMIC_OPERATION_ASMAX:
      return so > sv ? old : value;
   case VALHALL_ATOMIC_OPERATION_AUMIN:
      return old < value ? old : value;
   case VALHALL_ATOMIC_OPERATION_AUMAX:
      return old > value ? old : value;
   case VALHALL_ATOMIC_OPERATION_AAND:
      return old & value;
   case VALHALL_ATOMIC_OPERATION_AOR:
      return old | value;
   case VALHALL_ATOMIC_OPERATION_AXOR:
      return old ^ value;
   default:
      return !m->compare || old == expected ? value : old;
   }
}

static inline uint64_t
vh_atomic_with_one(const struct vh_message *m, uint64_t old)
{
   bool wide = m->bytes == 8;
   int64_t so = wide ? (int64_t)old : (int32_t)old;

   switch (m->op) {
   case VALHALL_ATOMIC_OPERATION_WITH_1_AINC:
      return old + 1;
   case VALHALL_ATOMIC_OPERATION_WITH_1_ADEC:
      return old - 1;
   case VALHALL_ATOMIC_OPERATION_WITH_1_AUMAX1:
      return old > 1 ? old : 1;
   case VALHALL_ATOMIC_OPERATION_WITH_1_ASMAX1:
      return so > 1 ? old : 1;
   default:
      return old | 1;
   }
}

/* Loads, stores and atomic operations of the device (device.c). */
void K(vh_device_memory)(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m);

/* Texture messages, images (texture.c, image.c). */
void K(vh_texture)(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m);
void K(vh_image)(struct vh_exec *e, const struct bound_uop *u, const struct vh_message *m);

/* Operand n in all lanes. */
V_INLINE void
vh_operand(const struct exec *x, const struct bound_uop *u, unsigned n, wave_lane out)
{
   for (unsigned i = 0; i < VECTORS; i++)
      vu_store(&out[i * VW], uop_src(x, u, n, i));
}

V_INLINE void
vh_copy_lanes(uint32_t *to, const uint32_t *from, uint64_t lanes)
{
   for (unsigned i = 0; i < VECTORS; i++)
      vu_store_masked(&to[i * VW], vm_lanes(lanes, i), vu_load(&from[i * VW]));
}

/* Lanes with effects outside of the wave: not helpers, nor discarded ones. */
V_INLINE uint64_t
vh_acting(const struct vh_exec *e)
{
   return e->program->stage == CORE_PIXEL ? e->x.lanes & e->wave->valid : e->x.lanes;
}

/* Lanes of `left` that have the value of its first. */
static inline uint64_t
vh_lanes_alike(const wave_lane value, uint64_t left)
{
   const uint32_t first = value[__builtin_ctzll(left)];
   uint64_t lanes = 0;

   for (uint64_t m = left; m; m &= m - 1)
      if (value[__builtin_ctzll(m)] == first)
         lanes |= m & -m;
   return lanes;
}

/* Whether two values of a register format lie in a register. */
V_INLINE bool
vh_is_half(unsigned format)
{
   return format == VALHALL_REGISTER_FORMAT_F16 || format == VALHALL_REGISTER_FORMAT_S16 ||
          format == VALHALL_REGISTER_FORMAT_U16;
}

/* A vector in the register format: halves lie two to a register.  `values` are floats of the float
 * formats, integers of the others. */
V_INLINE void
vh_write_vector(const struct exec *x, unsigned reg, unsigned count, unsigned format,
                const wave_lane *values, uint64_t lanes)
{
   const bool is_float = format == VALHALL_REGISTER_FORMAT_F16;

   if (!vh_is_half(format)) {
      for (unsigned c = 0; c < count; c++)
         vh_copy_lanes(vh_row(x, reg + c), values[c], lanes);
      return;
   }
   for (unsigned c = 0; c < count; c += 2) {
      uint32_t *to = vh_row(x, reg + c / 2);
      for (unsigned i = 0; i < VECTORS; i++) {
         vu v[2] = { vu_load(&values[c][i * VW]), vu_splat(0) };
         if (c + 1 < count)
            v[1] = vu_load(&values[c + 1][i * VW]);
         for (unsigned h = 0; h < 2; h++)
            v[h] = is_float ? vu_half_from_vf((vf)v[h]) : v[h] & vu_splat(0xffff);
         vu_store_masked(&to[i * VW], vm_lanes(lanes, i), v[0] | vu_shl(v[1], 16));
      }
   }
}

/* The other way round: floats, or extended integers. */
V_INLINE void
vh_read_vector(const struct exec *x, unsigned reg, unsigned count, unsigned format,
               wave_lane *values)
{
   const bool is_float = format == VALHALL_REGISTER_FORMAT_F16;

   for (unsigned c = 0; c < count; c++) {
      if (!vh_is_half(format)) {
         memcpy(values[c], vh_row(x, reg + c), sizeof(values[c]));
         continue;
      }
      const uint32_t *from = vh_row(x, reg + c / 2);
      for (unsigned i = 0; i < VECTORS; i++) {
         vu v = vu_load(&from[i * VW]);
         v = c & 1 ? vu_shr(v, 16) : v & vu_splat(0xffff);
         if (is_float)
            v = (vu)vf_from_half(v);
         else if (format == VALHALL_REGISTER_FORMAT_S16)
            v = (vu)vi_sar((vi)vu_shl(v, 16), 16);
         vu_store(&values[c][i * VW], v);
      }
   }
}

#endif
