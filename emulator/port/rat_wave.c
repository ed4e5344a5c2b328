/* SPDX-License-Identifier: MIT */
/*
 * See rat_wave.h.
 */
#include "port/rat_wave.h"

#include "core/share.h"
#include "port/pack.h"

void
K(rat_find)(const struct rat *rat, const uint32_t *const index[3], uint32_t step,
            struct rat_elements *e)
{
   static const wave_lane none;
   const bool rows = rat->kind != RAT_KIND_BUFFER && rat->kind != RAT_KIND_1D;
   const uint32_t *x = index[0];
   const uint32_t *y = rows && rat->kind != RAT_KIND_1D_ARRAY ? index[1] : none;
   const uint32_t *z = rows && rat->kind != RAT_KIND_2D ? index[2] : none;
   const uint64_t bytes = rat->bytes, row = rat->row_bytes, slice = rat->slice_bytes;

   e->there = 0;
   for (unsigned i = 0; i < VECTORS && rat->base; i++) {
      const vm in_x = vu_lt(vu_load(x + i * VW) + vu_splat(step), vu_splat(rat->width));
      const vm in_y = vu_lt(vu_load(y + i * VW), vu_splat(rat->height));
      const vm in_z = vu_lt(vu_load(z + i * VW), vu_splat(rat->layers));

      e->there |= (uint64_t)vm_bits(vm_and(in_x, vm_and(in_y, in_z))) << (i * VW);
   }
   if (!rows) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         e->offset[lane] = (uint32_t)(x[lane] + step) * bytes;
      return;
   }
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      e->offset[lane] = z[lane] * slice + y[lane] * row + (uint32_t)(x[lane] + step) * bytes;
}

void
K(rat_pack)(const struct rat *rat, const wave_lane values[4], unsigned components, wave_lane out[4],
            uint32_t mask[4])
{
   memset(mask, 0, 4 * sizeof(*mask));
   for (unsigned d = 0; d < (rat->bytes + 3u) / 4; d++)
      lanes_clear(out[d]);
   for (unsigned c = 0; c < 4; c++) {
      const struct cb_channel *ch = &rat->channel[c];

      if (!ch->bits)
         continue;
      if (components >> c & 1)
         mask[ch->dword & 3] |= (0xffffffffu >> (32 - ch->bits)) << ch->shift;
      for (unsigned i = 0; i < VECTORS; i++) {
         uint32_t *word = &out[ch->dword & 3][i * VW];

         vu_store(word, vu_load(word) | pack_channel(ch, vu_load(&values[c][i * VW])));
      }
   }
}

/* Whether lane n has the first lane's index and n more. */
static bool
follow(const uint32_t *index)
{
   const vu first = vu_splat(index[0]) + (vu)vi_lane_index();
   bool yes = true;

   for (unsigned i = 0; i < VECTORS; i++)
      yes = yes && !vm_any(vm_not(vu_eq(vu_load(index + i * VW), first + vu_splat(i * VW))));
   return yes;
}

/* Whether an element is a dword that is stored as it is. */
static bool
is_dword(const struct rat *rat)
{
   const struct cb_channel *ch = &rat->channel[0];

   return rat->bytes == 4 && ch->bits == 32 && !ch->shift && !ch->dword &&
          (ch->type == NUMERIC_UINT || ch->type == NUMERIC_SINT || ch->type == NUMERIC_FLOAT);
}

/* One dword of a buffer for each lane: vectors of lanes that follow each other are written whole.
 */
static void
store_elements(const struct rat *rat, const uint32_t *data, const uint32_t *index, uint32_t step,
               uint64_t lanes)
{
   uint8_t *base = rat->base;

   for (unsigned i = 0; i < VECTORS && base; i++) {
      const vu at = vu_load(index + i * VW) + vu_splat(step);
      const vm there = vm_and(vu_lt(at, vu_splat(rat->width)), vm_lanes(lanes, i));
      const uint32_t first = index[i * VW] + step;
      wave_lane to;

      if (!vm_any(vm_not(there)) && !vm_any(vu_ne(at, vu_splat(first) + (vu)vi_lane_index()))) {
         vu_storeu(base + (uint64_t)first * 4, vu_load(data + i * VW));
         continue;
      }
      vu_store(to, at);
      if (!vm_any(vm_not(there))) {
         for (unsigned n = 0; n < VW; n++)
            memcpy(base + (uint64_t)to[n] * 4, &data[i * VW + n], 4);
         continue;
      }
      for (uint32_t left = vm_bits(there); left; left &= left - 1) {
         const unsigned lane = (unsigned)__builtin_ctz(left);

         memcpy(base + (uint64_t)to[lane] * 4, &data[i * VW + lane], 4);
      }
   }
}

/* Dwords that a component mask leaves nothing of: memory is not read. */
static void
store_dwords(const struct rat *rat, const wave_lane data[4], unsigned dwords,
             const uint32_t *const index[3], uint32_t step, uint64_t lanes)
{
   if (dwords == 1 && rat->kind == RAT_KIND_BUFFER) {
      store_elements(rat, data[0], index[0], step, lanes);
      return;
   }
   uint8_t *base = rat->base;
   struct rat_elements e;

   K(rat_find)(rat, index, step, &e);
   for (lanes &= e.there; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);

      for (unsigned d = 0; d < dwords; d++)
         memcpy(base + e.offset[lane] + d * 4, &data[d][lane], 4);
   }
}

void
K(rat_store)(const struct rat *rat, const wave_lane values[4], unsigned components,
             const uint32_t *const index[3], uint32_t step, uint64_t lanes)
{
   const unsigned dwords = (rat->bytes + 3u) / 4;
   wave_lane data[4];
   uint32_t mask[4], all = UINT32_MAX;
   struct rat_elements e;

   if (rat->kind == RAT_KIND_BUFFER && components & 1 && is_dword(rat)) {
      store_elements(rat, values[0], index[0], step, lanes);
      return;
   }
   K(rat_pack)(rat, values, components, data, mask);
   for (unsigned d = 0; d < dwords; d++)
      all &= mask[d];
   if (rat->bytes >= 4 && all == UINT32_MAX) {
      store_dwords(rat, (const wave_lane *)data, dwords, index, step, lanes);
      return;
   }
   K(rat_find)(rat, index, step, &e);
   for (lanes &= e.there; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);

      rat_put(rat, rat->base + e.offset[lane], (const wave_lane *)data, lane, mask);
   }
}

/* Units of `size` bytes, counted from the start of a buffer. */
void
K(rat_store_units)(const struct rat *rat, unsigned size, const uint32_t *index, uint32_t step,
                   const uint32_t *data, uint64_t lanes)
{
   if (!rat->base || rat->kind != RAT_KIND_BUFFER)
      return;
   uint64_t bytes = (uint64_t)rat->width * rat->bytes;
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint64_t at = ((uint64_t)index[lane] + step) * size;
      if (at < bytes && bytes - at >= size)
         memcpy(rat->base + at, &data[lane], size);
   }
}

/* The first `count` components of some lanes of a vector to the dwords from `index` on, lane after
 * lane: of several with the same element the last one's stay. */
V_INLINE void
store_vector(uint8_t *base, const uint32_t *index, uint32_t step, vf v[4], unsigned count,
             uint32_t lanes)
{
   vf_transpose_quads(v);
   if (lanes == (uint32_t)((UINT64_C(1) << VW) - 1)) {
      for (unsigned lane = 0; lane < VW; lane++)
         memcpy(base + ((uint64_t)index[lane] + step) * 4,
                (const float *)&v[lane % 4] + (lane & ~3u), count * 4);
      return;
   }
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(lanes);

      memcpy(base + ((uint64_t)index[lane] + step) * 4, (const float *)&v[lane % 4] + (lane & ~3u),
             count * 4);
   }
}

/* Several components of each lane at once.  False: some lane's are not wholly inside, or may lie on
 * a part of another one's, so the order in which components are written can be seen. */
static bool
store_together(const struct rat *rat, const wave_lane values[4], unsigned components,
               const uint32_t *index, uint32_t step, uint64_t lanes)
{
   const unsigned count = components == 15 ? 4 : components == 7 ? 3 : components == 3 ? 2 : 0;
   const uint64_t dwords = (uint64_t)rat->width * rat->bytes / 4, last = (uint64_t)step + 4;
   vm bad = vm_none();

   if (!count || !lanes || !rat->base || rat->kind != RAT_KIND_BUFFER || dwords < last)
      return false;
   const vu end = vu_splat(dwords - last < UINT32_MAX ? (uint32_t)(dwords - last) : UINT32_MAX - 1);
   const vu first = vu_splat(index[__builtin_ctzll(lanes)]);
   for (unsigned i = 0; i < VECTORS; i++) {
      const vu at = vu_load(index + i * VW);
      const vm beside = vu_ne((at ^ first) & vu_splat(3), vu_splat(0));

      bad = vm_or(bad, vm_and(vm_or(vu_gt(at, end), beside), vm_lanes(lanes, i)));
   }
   if (vm_any(bad))
      return false;
   for (unsigned i = 0; i < VECTORS; i++) {
      const uint32_t some = (uint32_t)(lanes >> (i * VW)) & (uint32_t)((UINT64_C(1) << VW) - 1);
      vf v[4];

      for (unsigned c = 0; c < 4; c++)
         v[c] = vf_load(&values[c][i * VW]);
      switch (count) {
      case 4:
         store_vector(rat->base, index + i * VW, step, v, 4, some);
         break;
      case 3:
         store_vector(rat->base, index + i * VW, step, v, 3, some);
         break;
      default:
         store_vector(rat->base, index + i * VW, step, v, 2, some);
         break;
      }
   }
   return true;
}

void
K(rat_store_dwords)(const struct rat *rat, const wave_lane values[4], unsigned components,
                    const uint32_t *index, uint32_t step, uint64_t lanes)
{
   if (store_together(rat, values, components, index, step, lanes))
      return;
   for (unsigned c = 0; c < 4; c++)
      if (components >> c & 1)
         K(rat_store_units)(rat, 4, index, step + c, values[c], lanes);
}

/* Mostly so many lanes are a row of a work group's pixels, and their texels follow each other. */
#define ROW_LANES 8

/* What an operation that changes nothing returns: the elements, of `bytes`, zero where there are
 * none. */
static inline void
return_elements(const struct rat *rat, const struct rat_elements *e, const uint32_t *to,
                uint64_t lanes, unsigned bytes)
{
   const uint64_t end = rat->return_bytes / bytes;
   const uint8_t *from = rat->base;
   uint8_t *returns = rat->returns;

   if (lanes == ~UINT64_C(0) && e->there == lanes && follow(to) &&
       to[0] <= UINT32_MAX - WAVE_LANES && to[0] + WAVE_LANES <= end) {
      returns += (uint64_t)to[0] * bytes;
      for (unsigned lane = 0; lane < WAVE_LANES; lane += ROW_LANES) {
         const uint64_t first = e->offset[lane];
         uint64_t differ = 0;

         for (unsigned i = 1; i < ROW_LANES; i++)
            differ |= e->offset[lane + i] ^ (first + i * bytes);
         if (!differ) {
            memmove(returns + lane * bytes, from + first, ROW_LANES * bytes);
            continue;
         }
         for (unsigned i = lane; i < lane + ROW_LANES; i++)
            memcpy(returns + i * bytes, from + e->offset[i], bytes);
      }
      return;
   }
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint64_t at = (uint64_t)to[lane] * bytes;

      if (to[lane] >= end)
         continue;
      if (e->there >> lane & 1)
         memcpy(returns + at, from + e->offset[lane], bytes);
      else
         memset(returns + at, 0, bytes);
   }
}

/* Whether all of `lanes`, of which there are some, have the same element. */
static bool
one_element(const struct rat_elements *e, uint64_t lanes)
{
   const uint64_t first = e->offset[__builtin_ctzll(lanes)], rest = lanes & (lanes - 1);
   uint64_t others = 0;

   if ((e->there & lanes) != lanes || (rest && e->offset[__builtin_ctzll(rest)] != first))
      return false;
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      others |= (e->offset[lane] ^ first) & -(lanes >> lane & 1);
   return !others;
}

/* Whether it is an element of a buffer, by its index alone. */
static bool
one_index(const struct rat *rat, const uint32_t *index, uint64_t lanes)
{
   const uint32_t first = index[__builtin_ctzll(lanes)];
   vm others = vm_none();

   if (rat->kind != RAT_KIND_BUFFER || !rat->base || first >= rat->width)
      return false;
   for (unsigned i = 0; i < VECTORS; i++) {
      const vm other = vu_ne(vu_load(index + i * VW), vu_splat(first));

      others = vm_or(others, vm_and(other, vm_lanes(lanes, i)));
   }
   return !vm_any(others);
}

V_INLINE vu
both(unsigned op, vu a, vu b)
{
   switch (op) {
   case CORE_ATOMIC_MIN_INT:
      return (vu)vi_min((vi)a, (vi)b);
   case CORE_ATOMIC_MAX_INT:
      return (vu)vi_max((vi)a, (vi)b);
   case CORE_ATOMIC_MIN_UINT:
      return vu_min(a, b);
   case CORE_ATOMIC_MAX_UINT:
      return vu_max(a, b);
   case CORE_ATOMIC_AND:
      return a & b;
   case CORE_ATOMIC_OR:
      return a | b;
   case CORE_ATOMIC_XOR:
      return a ^ b;
   default:
      return a + b;
   }
}

/* What an operation that commutes does with one dword for all of `lanes`, as one of them. */
static uint32_t
all_together(unsigned op, const uint32_t *data, uint64_t lanes)
{
   const bool counts = op == CORE_ATOMIC_ADD || op == CORE_ATOMIC_SUB || op == CORE_ATOMIC_XOR;
   const uint32_t first = data[__builtin_ctzll(lanes)], nothing = counts ? 0 : first;
   vu all = vu_splat(nothing);
   wave_lane each;
   uint32_t r;

   for (unsigned i = 0; i < VECTORS; i++)
      all = both(op, all, vu_select(vm_lanes(lanes, i), vu_load(data + i * VW), vu_splat(nothing)));
   vu_store(each, all);
   r = each[0];
   for (unsigned n = 1; n < VW; n++)
      r = core_atomic(op == CORE_ATOMIC_SUB ? CORE_ATOMIC_ADD : op, r, each[n], 0);
   return r;
}

/* An operation on dwords.  `one`: all lanes have the same, which memory has seen changed; `was` was
 * there. */
V_INLINE void
operate_on_dwords(const struct rat *rat, const struct rat_elements *e, unsigned op,
                  const uint32_t *data, const uint32_t *other, const uint32_t *to, uint64_t lanes,
                  bool alone, bool one, uint32_t was)
{
   const uint64_t end = rat->return_bytes / 4;
   const uint64_t there = e->there;
   uint8_t *base = rat->base, *returns = rat->returns;

   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint8_t *p = base + e->offset[lane];
      uint32_t next;

      if (one) {
         next = core_atomic(op, was, data[lane], 0);
      } else if (!(there >> lane & 1)) {
         next = was = 0;
      } else if (alone) {
         memcpy(&was, p, 4);
         next = core_atomic(op, was, other[lane], data[lane]);
         memcpy(p, &next, 4);
      } else {
         next = was = core_atomic_at((uint32_t *)(void *)p, op, other[lane], data[lane]);
      }
      if (to && to[lane] < end)
         memcpy(returns + (uint64_t)to[lane] * 4, &was, 4);
      was = next;
   }
}

void
K(rat_operate)(const struct rat *rat, unsigned op, const uint32_t *data, const uint32_t *other,
               const uint32_t *to, const uint32_t *const index[3], uint64_t lanes, bool alone)
{
   struct rat_elements e;

   if (lanes && !to && rat->bytes >= 4 && core_atomic_commutes(op) &&
       one_index(rat, index[0], lanes)) {
      uint8_t *p = rat->base + (uint64_t)index[0][__builtin_ctzll(lanes)] * rat->bytes;

      core_atomic_at((uint32_t *)(void *)p, op, all_together(op, data, lanes), 0);
      return;
   }
   K(rat_find)(rat, index, 0, &e);
   if (op == CORE_ATOMICS || rat->bytes < 4) {
      if (!to)
         return;
      switch (rat->bytes) {
      case 1:
         return_elements(rat, &e, to, lanes, 1);
         return;
      case 2:
         return_elements(rat, &e, to, lanes, 2);
         return;
      case 4:
         return_elements(rat, &e, to, lanes, 4);
         return;
      case 8:
         return_elements(rat, &e, to, lanes, 8);
         return;
      case 16:
         return_elements(rat, &e, to, lanes, 16);
         return;
      default:
         return;
      }
   }
   /* On one dword for all lanes memory sees one operation; each lane returns what it would have
    * found. */
   const bool one = lanes && core_atomic_commutes(op) && one_element(&e, lanes);
   uint32_t was = 0;
   if (one) {
      uint8_t *p = rat->base + e.offset[__builtin_ctzll(lanes)];

      was = core_atomic_at((uint32_t *)(void *)p, op, all_together(op, data, lanes), 0);
      if (!to)
         return;
   }
   if (rat->bytes == 4) {
      switch (op) {
#define OPERATE(name)                                                                          \
   case CORE_ATOMIC_##name:                                                                    \
      operate_on_dwords(rat, &e, CORE_ATOMIC_##name, data, other, to, lanes, alone, one, was); \
      return;
         OPERATE(ADD)
         OPERATE(MIN_INT)
         OPERATE(MAX_INT)
         OPERATE(MIN_UINT)
         OPERATE(MAX_UINT)
         OPERATE(AND)
         OPERATE(OR)
         OPERATE(XOR)
         OPERATE(EXCHANGE)
         OPERATE(COMPARE)
#undef OPERATE
      default:
         operate_on_dwords(rat, &e, op, data, other, to, lanes, alone, one, was);
         return;
      }
   }
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint8_t *p = e.there >> lane & 1 ? rat->base + e.offset[lane] : NULL;
      uint8_t old[16] = { 0 };
      if (p && !one)
         was = core_atomic_at((uint32_t *)(void *)p, op, other[lane], data[lane]);
      if (p)
         memcpy(old, &was, 4);
      if (one)
         was = core_atomic(op, was, data[lane], 0);
      const uint64_t at = to ? (uint64_t)to[lane] * rat->bytes : 0;
      if (to && at < rat->return_bytes && rat->return_bytes - at >= rat->bytes)
         memcpy(rat->returns + at, old, rat->bytes);
   }
}
