/* SPDX-License-Identifier: MIT */
/*
 * MEM_RAT, MEM_RAT_CACHELESS and their combined forms: random access targets (port/rat.h; HD 6900
 * ISA 3.4.2, 6.4).
 *
 * INDEX_GPR.xyz is an element of a buffer or a texel's x, y and layer; the layer counts from the
 * view's first one.  Elements outside the surface, or of it outside mapped memory, are not written
 * and read as zero.
 *
 *   STORE_TYPED   RW_GPR.xyzw, converted to the surface's format, components of COMP_MASK.
 *   STORE_DWORD   dwords of COMP_MASK to x, x + 1 ... of a buffer, counted from its start; so does
 *                 STORE_RAW of the older instruction set.
 *   STORE_SHORT, _BYTE   RW_GPR.x to a unit of that size, counted from the buffer's start.
 *   others        an atomic operation on the element's first dword: RW_GPR.x with memory, z the
 *                 comparison of CMPXCHG, w the mask of MSKOR.  The _RTN forms leave the element
 *                 as it was before in the slot's return buffer, as element RW_GPR.y; NOP_RTN
 *                 changes nothing, so it loads.
 *
 * The combined forms have no INDEX_GPR: the element is RW_GPR.w, so typed stores have but x and y.
 */
#include "port/pack.h"
#include "core/share.h"
#include "port/rat.h"
#include "sq/engine.h"
#include "uop/tell.h"

/* Where the elements of all lanes lie, and which of them there are. */
struct rat_elements {
   uint64_t there;
   uint64_t offset[WAVE_LANES]; /* from the surface's base */
};

static void
find_elements(const struct rat *rat, const uint32_t *const index[3], uint32_t step,
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

/* RW_GPR.xyzw of all lanes in the surface's format, which has `dwords`. */
static void
pack(struct exec *x, const struct rat *rat, unsigned gpr, unsigned dwords, wave_lane out[4])
{
   for (unsigned d = 0; d < dwords; d++)
      lanes_clear(out[d]);
   for (unsigned c = 0; c < 4; c++) {
      const struct cb_channel *ch = &rat->channel[c];
      if (!ch->bits)
         continue;
      for (unsigned i = 0; i < VECTORS; i++) {
         uint8_t *word = (uint8_t *)out[ch->dword] + i * (VW * 4);
         vu v = vu_load(x->file + REG(gpr, c) + i * (VW * 4));
         vu_store(word, vu_load(word) | pack_channel(ch, v));
      }
   }
}

/* The bits of an element that a component mask lets change. */
static void
pixel_mask(const struct rat *rat, unsigned components, uint32_t mask[4])
{
   memset(mask, 0, 4 * sizeof(*mask));
   for (unsigned c = 0; c < 4; c++) {
      const struct cb_channel *ch = &rat->channel[c];
      if (ch->bits && (components >> c & 1))
         mask[ch->dword] |= (0xffffffffu >> (32 - ch->bits)) << ch->shift;
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

   find_elements(rat, index, step, &e);
   for (lanes &= e.there; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);

      for (unsigned d = 0; d < dwords; d++)
         memcpy(base + e.offset[lane] + d * 4, &data[d][lane], 4);
   }
}

static void
store_typed(struct exec *x, const struct rat *rat, unsigned components, unsigned gpr,
            const uint32_t *const index[3], uint32_t step, uint64_t lanes)
{
   unsigned size = rat->bytes < 4 ? rat->bytes : 4, dwords = (rat->bytes + 3u) / 4;
   wave_lane data[4];
   uint32_t mask[4], all = UINT32_MAX;
   struct rat_elements e;

   pack(x, rat, gpr, dwords, data);
   pixel_mask(rat, components, mask);
   for (unsigned d = 0; d < dwords; d++)
      all &= mask[d];
   if (size == 4 && all == UINT32_MAX) {
      store_dwords(rat, data, dwords, index, step, lanes);
      return;
   }
   find_elements(rat, index, step, &e);
   for (lanes &= e.there; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint8_t *p = rat->base + e.offset[lane];

      for (unsigned d = 0; d < dwords; d++) {
         uint32_t v = 0;
         memcpy(&v, p + d * 4, size);
         v = (v & ~mask[d]) | (data[d][lane] & mask[d]);
         memcpy(p + d * 4, &v, size);
      }
   }
}

/* Units of `size` bytes, counted from the start of a buffer. */
static void
store_units(const struct rat *rat, unsigned size, const uint32_t *index, uint32_t step,
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

/* RAT operation -> enum core_atomic; CORE_ATOMICS: it changes nothing. */
static unsigned
atomic_op(unsigned op)
{
   switch (op & 31) {
   case CAYMAN_RAT_XCHG_RTN & 31:
      return CORE_ATOMIC_EXCHANGE;
   case CAYMAN_RAT_CMPXCHG_INT:
      return CORE_ATOMIC_COMPARE;
   case CAYMAN_RAT_ADD:
      return CORE_ATOMIC_ADD;
   case CAYMAN_RAT_SUB:
      return CORE_ATOMIC_SUB;
   case CAYMAN_RAT_RSUB:
      return CORE_ATOMIC_RSUB;
   case CAYMAN_RAT_MIN_INT:
      return CORE_ATOMIC_MIN_INT;
   case CAYMAN_RAT_MIN_UINT:
      return CORE_ATOMIC_MIN_UINT;
   case CAYMAN_RAT_MAX_INT:
      return CORE_ATOMIC_MAX_INT;
   case CAYMAN_RAT_MAX_UINT:
      return CORE_ATOMIC_MAX_UINT;
   case CAYMAN_RAT_AND:
      return CORE_ATOMIC_AND;
   case CAYMAN_RAT_OR:
      return CORE_ATOMIC_OR;
   case CAYMAN_RAT_XOR:
      return CORE_ATOMIC_XOR;
   case CAYMAN_RAT_MSKOR:
      return CORE_ATOMIC_MSKOR;
   case CAYMAN_RAT_INC_UINT:
      return CORE_ATOMIC_INC;
   case CAYMAN_RAT_DEC_UINT:
      return CORE_ATOMIC_DEC;
   default:
      return CORE_ATOMICS;
   }
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

static void
operate(struct exec *x, const struct rat *rat, const struct sq_cf *cf, unsigned gpr,
        const uint32_t *const index[3], uint64_t lanes)
{
   const uint32_t *data = (const uint32_t *)(x->file + REG(gpr, 0));
   const uint32_t *to = (const uint32_t *)(x->file + REG(gpr, 1));
   bool returns = cf->rat_op >= CAYMAN_RAT_NOP_RTN;
   unsigned op = atomic_op(cf->rat_op);
   /* What the operation takes besides the data: a comparison, or a mask. */
   bool masked = op == CORE_ATOMIC_MSKOR, two = masked || op == CORE_ATOMIC_COMPARE;
   const uint32_t *other = (const uint32_t *)(x->file + REG(gpr, masked ? 3 : 2));
   struct rat_elements e;

   find_elements(rat, index, 0, &e);
   if (op == CORE_ATOMICS || rat->bytes < 4) {
      if (!returns)
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
      if (!returns)
         return;
   }
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint8_t *p = e.there >> lane & 1 ? rat->base + e.offset[lane] : NULL;
      uint8_t old[16] = { 0 };
      if (p && !one)
         was =
            core_atomic_at((uint32_t *)(void *)p, op, two ? other[lane] : data[lane], data[lane]);
      if (p)
         memcpy(old, &was, 4);
      if (one)
         was = core_atomic(op, was, data[lane], 0);
      uint64_t at = (uint64_t)to[lane] * rat->bytes;
      if (returns && at < rat->return_bytes && rat->return_bytes - at >= rat->bytes)
         memcpy(rat->returns + at, old, rat->bytes);
   }
}

/* One register of an instruction on target `id`. */
static __attribute__((noinline)) void
tell(const struct exec *x, uint32_t id, const struct rat *rat, const struct sq_cf *cf, unsigned gpr,
     const uint32_t *const index[3], unsigned components, uint32_t step, uint64_t lanes)
{
   const uint32_t *to = (const uint32_t *)(x->file + REG(gpr, 1)), bytes = rat->bytes;
   const bool returns = cf->rat_op >= CAYMAN_RAT_NOP_RTN;
   const bool changes = atomic_op(cf->rat_op) != CORE_ATOMICS && bytes >= 4;
   const uint32_t unit = cf->rat_op == CAYMAN_RAT_STORE_SHORT  ? 2
                         : cf->rat_op == CAYMAN_RAT_STORE_BYTE ? 1
                                                               : 4;
   struct rat_elements e;

   find_elements(rat, index, step, &e);
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint64_t at = ((uint64_t)index[0][lane] + step) * unit;

      switch (cf->rat_op) {
      case CAYMAN_RAT_STORE_TYPED:
         uop_tell(x, CORE_MEMORY_TARGET, id, CORE_WRITES, lane, e.offset[lane], bytes);
         break;
      case SQ_RAT_STORE_RAW:
      case CAYMAN_RAT_STORE_DWORD:
         for (unsigned c = 0; c < 4; c++)
            if (components >> c & 1)
               uop_tell(x, CORE_MEMORY_TARGET, id, CORE_WRITES, lane, at + 4 * c, unit);
         break;
      case CAYMAN_RAT_STORE_SHORT:
      case CAYMAN_RAT_STORE_BYTE:
         uop_tell(x, CORE_MEMORY_TARGET, id, CORE_WRITES, lane, at, unit);
         break;
      default:
         if (changes || returns)
            uop_tell(x, CORE_MEMORY_TARGET, id, CORE_READS | (changes ? CORE_WRITES : 0u), lane,
                     e.offset[lane], changes ? 4 : bytes);
         if (returns)
            uop_tell(x, CORE_MEMORY_RETURNS, id, CORE_WRITES, lane, (uint64_t)to[lane] * bytes,
                     bytes);
         break;
      }
   }
}

void
K(sq_rat)(struct exec *x, const struct sq_cf *cf)
{
   const struct sq_bind *bind = x->bind;
   int64_t id = cf->rat_id + cf_index(x, cf->rat_index_mode);
   if (!bind->rats || id < 0 || id >= RATS)
      return;

   const struct rat *rat = &bind->rats[id];
   uint64_t lanes = x->active;
   if (cf->valid_pixel_mode || x->program->stage == SQ_STAGE_PS)
      lanes &= x->valid;
   const uint32_t *index[3];
   const bool combined =
      cf->op == CAYMAN_CF_MEM_RAT_COMBINED || cf->op == CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS;
   static const wave_lane no_coordinate;
   for (unsigned c = 0; c < 3; c++)
      index[c] = combined ? no_coordinate : (const uint32_t *)(x->file + REG(cf->index_gpr, c));
   if (combined)
      index[0] = (const uint32_t *)(x->file + REG(indexed_gpr(x, cf->rw_gpr, cf->rw_rel), 3));

   /* Where the address is, there is no data; z is an operation's alone. */
   const unsigned components = combined ? cf->comp_mask & 3u : cf->comp_mask;
   for (unsigned b = 0; b <= cf->burst_count; b++) {
      unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);
      uint32_t step = b * (cf->array_size & 0xff);
      if (gpr > 127)
         break;
      const uint32_t *data = (const uint32_t *)(x->file + REG(gpr, 0));
      if (__builtin_expect(x->watcher != NULL, 0))
         tell(x, (uint32_t)id, rat, cf, gpr, index, components, step, lanes);
      switch (cf->rat_op) {
      case CAYMAN_RAT_STORE_TYPED:
         store_typed(x, rat, components, gpr, index, step, lanes);
         break;
      case SQ_RAT_STORE_RAW:
      case CAYMAN_RAT_STORE_DWORD:
         for (unsigned c = 0; c < 4; c++) {
            if (components >> c & 1)
               store_units(rat, 4, index[0], step + c, (const uint32_t *)(x->file + REG(gpr, c)),
                           lanes);
         }
         break;
      case CAYMAN_RAT_STORE_SHORT:
         store_units(rat, 2, index[0], step, data, lanes);
         break;
      case CAYMAN_RAT_STORE_BYTE:
         store_units(rat, 1, index[0], step, data, lanes);
         break;
      default:
         operate(x, rat, cf, gpr, index, lanes);
         break;
      }
   }
}
