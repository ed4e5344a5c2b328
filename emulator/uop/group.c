/* SPDX-License-Identifier: MIT */
/*
 * Operations that take more than one slot or that move values: reductions, CUBE, interpolation,
 * copies, indexed registers, address registers.
 */
#include "uop/bound.h"

/* The records of a group after the first: nothing runs them. */
void
K(uop_part)(struct exec *x, const struct bound_uop *u)
{
   (void)x;
   (void)u;
}

/* MOV that touches no bit. */
void
K(uop_copy)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   for (unsigned i = 0; i < VECTORS; i++)
      uop_store(x, u->dst, i, lanes, uop_src(x, u, 0, i));
}

/* ------------------------------------------------------------------------------------------------
 * Indexed registers.  Records of one operation with one index, u->length of them, are taken
 * together (bind.c).  Only lanes that run count: the others' indices may be anything.
 */

/* Few lanes are taken one by one: they are less than a vector of the widest build. */
#define FEW_LANES 12

/* Where in the file each lane's register lies; one that there is not is `beyond`.  True: it is the
 * same register for all of `lanes`, of which there are some. */
static bool
indexed_registers(const struct exec *x, const struct bound_uop *u, uint32_t beyond, uint64_t lanes,
                  wave_lane at)
{
   const vu first = vu_splat(u->p.reg.gpr), loop = vu_splat((uint32_t)x->loop_index);
   const vu whole = first + (u->p.reg.by_loop ? loop : vu_splat(x->ar[__builtin_ctzll(lanes)]));
   vu lane = (vu)vi_lane_index();
   bool alike = true;

   for (unsigned i = 0; i < VECTORS; i++, lane += vu_splat(VW)) {
      const vu gpr = first + (u->p.reg.by_loop ? loop : vu_load(x->ar + i * VW));
      const vm there = vu_lt(gpr, vu_splat(x->num_gprs));
      const vu row = vu_select(there, gpr, vu_splat(beyond));

      alike = alike && !vm_any(vm_and(vm_lanes(lanes, i), vu_ne(gpr, whole)));
      vu_store(at + i * VW, row * vu_splat(4 * COMP_BYTES) + vu_shl(lane, 2));
   }
   return alike;
}

static uint32_t *
indexed_row(const struct exec *x, const struct bound_uop *u)
{
   return (uint32_t *)(void *)(x->file + u->p.reg.chan * COMP_BYTES);
}

/* What each lane has in its register. */
V_INLINE vu
indexed_values(const uint32_t *row, const uint32_t *at)
{
#define AT(n) row[at[n] / 4]
#if VW == 16
   return (vu){ AT(0), AT(1), AT(2),  AT(3),  AT(4),  AT(5),  AT(6),  AT(7),
                AT(8), AT(9), AT(10), AT(11), AT(12), AT(13), AT(14), AT(15) };
#elif VW == 8
   return (vu){ AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7) };
#else
   return (vu){ AT(0), AT(1), AT(2), AT(3) };
#endif
#undef AT
}

void
K(uop_gather)(struct exec *x, const struct bound_uop *u)
{
   const uint64_t lanes = x->lanes;
   wave_lane at;

   if (!lanes)
      return;
   /* Beyond them register 0 is read: 4.6.3. */
   const bool alike = indexed_registers(x, u, 0, lanes, at);
   const unsigned first = (unsigned)__builtin_ctzll(lanes);
   const bool few = __builtin_popcountll(lanes) < FEW_LANES;

   for (unsigned n = 0; n < u->length; n++) {
      const uint32_t *row = indexed_row(x, u + n);
      uint32_t *dst = (uint32_t *)(void *)(x->file + u[n].dst);

      if (alike) {
         lanes_copy(dst, row + at[first] / 4 - first);
      } else if (few) {
         for (uint64_t left = lanes; left; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(left);

            dst[lane] = row[at[lane] / 4];
         }
      } else {
         for (unsigned lane = 0; lane < WAVE_LANES; lane += VW)
            vu_store(dst + lane, indexed_values(row, at + lane));
      }
   }
}

/* `lanes` of `count` records to registers that there are. */
V_INLINE void
scatter(struct exec *x, const struct bound_uop *u, unsigned count, uint64_t lanes,
        const uint32_t *at)
{
   const uint32_t *src[4];
   uint32_t *row[4];

   for (unsigned n = 0; n < count; n++) {
      src[n] = (const uint32_t *)(const void *)(x->file + u[n].src[0]);
      row[n] = indexed_row(x, u + n);
   }
   if (lanes == ~UINT64_C(0)) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         for (unsigned n = 0; n < count; n++)
            row[n][at[lane] / 4] = src[n][lane];
      return;
   }
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);

      for (unsigned n = 0; n < count; n++)
         row[n][at[lane] / 4] = src[n][lane];
   }
}

void
K(uop_scatter)(struct exec *x, const struct bound_uop *u)
{
   const uint32_t none = UINT32_MAX / (4 * COMP_BYTES), end = x->num_gprs * 4 * COMP_BYTES;
   uint64_t lanes = uop_lanes(x, u), there = 0;
   wave_lane at;

   if (!lanes)
      return;
   const bool alike = indexed_registers(x, u, none, lanes, at);
   for (unsigned i = 0; i < VECTORS; i++)
      there |= vm_to_lanes(vu_lt(vu_load(at + i * VW), vu_splat(end)), i);
   lanes &= there;
   if (!lanes)
      return;
   if (alike) {
      const unsigned first = (unsigned)__builtin_ctzll(lanes);

      for (unsigned n = 0; n < u->length; n++) {
         uint32_t *to = indexed_row(x, u + n) + at[first] / 4 - first;

         for (unsigned i = 0; i < VECTORS; i++)
            vu_store_masked(to + i * VW, vm_lanes(lanes, i),
                            vu_load(x->file + u[n].src[0] + i * VW * 4));
      }
   } else if (u->length == 4) {
      scatter(x, u, 4, lanes, at);
   } else {
      for (unsigned n = 0; n < u->length; n++)
         scatter(x, u + n, 1, lanes, at);
   }
}

/* ------------------------------------------------------------------------------------------------
 * Modes and addresses
 */
void
K(uop_commit_pred)(struct exec *x, const struct bound_uop *u)
{
   x->pred = x->pred_next;
}

/* SET_MODE */
void
K(uop_set_mode)(struct exec *x, const struct bound_uop *u)
{
   x->fp_single = fp_mode(u->p.mode.single_mode);
   x->fp_double = fp_mode(u->p.mode.double_mode);
   x->fp_now = x->fp_single;
   _mm_setcsr(x->fp_now);
}

/* MOVA_INT.  What does not fit nine signed bits becomes -256. */
void
K(uop_mova)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   wave_lane value;
   for (unsigned i = 0; i < VECTORS; i++) {
      vi v = (vi)uop_src(x, u, 0, i);
      vm out = vm_or(vi_gt(v, vi_splat(255)), vi_lt(v, vi_splat(-256)));
      vu_store((uint8_t *)value + i * (VW * 4), (vu)vi_select(out, vi_splat(-256), v));
   }
   if (u->p.mova.to == UOP_ADDRESS_REGISTER) {
      for (unsigned i = 0; i < VECTORS; i++) {
         vu_store_masked((uint8_t *)x->ar + i * (VW * 4), vm_lanes(lanes, i),
                         vu_load((uint8_t *)value + i * (VW * 4)));
      }
      return;
   }
   if (!lanes)
      return;
   /* Wave-wide destinations take the first lane's value. */
   int32_t v = (int32_t)value[__builtin_ctzll(lanes)];
   switch (u->p.mova.to) {
   case UOP_ADDRESS_INDEX_0:
      x->cf_idx[0] = v;
      break;
   case UOP_ADDRESS_INDEX_1:
      x->cf_idx[1] = v;
      break;
   case UOP_ADDRESS_GLOBAL_BYTE_0:
   case UOP_ADDRESS_GLOBAL_BYTE_1:
   case UOP_ADDRESS_GLOBAL_BYTE_2:
   case UOP_ADDRESS_GLOBAL_BYTE_3: {
      unsigned shift = (u->p.mova.to - UOP_ADDRESS_GLOBAL_BYTE_0) * 8u;
      x->clause_global = (x->clause_global & ~(255u << shift)) | ((uint32_t)v & 255) << shift;
      break;
   }
   default:
      break;
   }
}

/* ------------------------------------------------------------------------------------------------
 * Four slots, u[0] to u[3] in order x y z w, give one result.  The slots share OMOD and CLAMP.
 */
static void
store_four(struct exec *x, const struct bound_uop *u, unsigned i, uint64_t lanes, vu r)
{
   r = uop_post(x, u, r);
   for (unsigned s = 0; s < 4; s++)
      if (u->p.group.writes >> s & 1)
         uop_store(x, u[s].dst, i, lanes, r);
}

/* Operands of a reduction: a value equal in all lanes is read again and again from `same`. */
struct dot_operand {
   const uint8_t *p;
   uint32_t step;
};

V_INLINE void
dot4(struct exec *x, const struct bound_uop *u, bool legacy, bool mods)
{
   vu same[4][2];
   struct dot_operand o[4][2];
   uint64_t lanes = uop_lanes(x, u);
   bool post = u->scale || u->clamp;
   vf nan = vf_opaque_nan();

   for (unsigned s = 0; s < 4; s++) {
      for (unsigned n = 0; n < 2; n++) {
         if (u[s].uni >> n & 1) {
            same[s][n] = uop_src(x, u + s, n, 0);
            o[s][n] = (struct dot_operand){ (const uint8_t *)&same[s][n], 0 };
         } else {
            o[s][n] = (struct dot_operand){ x->file + u[s].src[n], VW * 4 };
         }
      }
   }
   for (unsigned i = 0; i < VECTORS; i++) {
      vf sum = vf_splat(0.0f);
      for (unsigned s = 0; s < 4; s++) {
         vu v[2];
         for (unsigned n = 0; n < 2; n++) {
            v[n] = vu_load(o[s][n].p + i * o[s][n].step);
            if (mods && o[s][n].step)
               v[n] = (v[n] & vu_splat(u[s].keep[n])) ^ vu_splat(u[s].flip[n]);
         }
         vf p = legacy ? vf_mul_legacy((vf)v[0], (vf)v[1]) : (vf)v[0] * (vf)v[1];
         sum = s ? sum + p : p;
      }
      vu r = (vu)vf_canon_to(sum, nan);
      if (post)
         r = uop_post(x, u, r);
      for (unsigned s = 0; s < 4; s++)
         if (u->p.group.writes >> s & 1)
            uop_store(x, u[s].dst, i, lanes, r);
   }
}

/* ((x + y) + z) + w */
void
K(uop_dot4)(struct exec *x, const struct bound_uop *u)
{
   if (u[0].mods | u[1].mods | u[2].mods | u[3].mods)
      dot4(x, u, u->op == UOP_DOT4, true);
   else if (u->op == UOP_DOT4)
      dot4(x, u, true, false);
   else
      dot4(x, u, false, false);
}

void
K(uop_max4)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   for (unsigned i = 0; i < VECTORS; i++) {
      vf m = (vf)uop_src(x, u, 0, i);
      for (unsigned s = 1; s < 4; s++)
         m = vf_max_dx9(m, (vf)uop_src(x, u + s, 0, i));
      store_four(x, u, i, lanes, (vu)vf_canon(m));
   }
}

/* FLT_TO_UINT4: a byte from each slot. */
void
K(uop_pack4)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   for (unsigned i = 0; i < VECTORS; i++) {
      vu r = vu_splat(0);
      for (unsigned s = 0; s < 4; s++) {
         vu b = vu_min(vu_from_vf((vf)uop_src(x, u + s, 0, i)), vu_splat(255));
         r |= vu_shl(b, s * 8);
      }
      for (unsigned s = 0; s < 4; s++)
         if (u->p.group.writes >> s & 1)
            uop_store(x, u[s].dst, i, lanes, r);
   }
}

/* CUBE with src0 = z z x y and src1 = y x z z: x = T, y = S, z = 2 * major axis, w = face.
 * Faces: +x -x +y -y +z -z; an axis wins ties in the order z, y, x. */
void
K(uop_cube)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   for (unsigned i = 0; i < VECTORS; i++) {
      vf cz = (vf)uop_src(x, u, 0, i), cy = (vf)uop_src(x, u, 1, i);
      vf cx = (vf)uop_src(x, u + 1, 1, i), zero = vf_splat(0.0f);
      vf ax = vf_abs(cx), ay = vf_abs(cy), az = vf_abs(cz);
      vm z_wins = vm_and(vf_ge(az, ax), vf_ge(az, ay));
      vm y_wins = vm_andnot(vf_ge(ay, ax), z_wins);

      vm nx = vf_lt(cx, zero), ny = vf_lt(cy, zero), nz = vf_lt(cz, zero);
      vf ncy = vf_neg(cy), ncz = vf_neg(cz), ncx = vf_neg(cx);

      vf s = vf_select(nx, cz, ncz), t = ncy, major = cx;
      vf face = vf_keep(nx, vf_splat(1.0f));
      s = vf_select(y_wins, cx, s);
      t = vf_select(y_wins, vf_select(ny, ncz, cz), t);
      major = vf_select(y_wins, cy, major);
      face = vf_select(y_wins, vf_select(ny, vf_splat(3.0f), vf_splat(2.0f)), face);
      s = vf_select(z_wins, vf_select(nz, ncx, cx), s);
      t = vf_select(z_wins, ncy, t);
      major = vf_select(z_wins, cz, major);
      face = vf_select(z_wins, vf_select(nz, vf_splat(5.0f), vf_splat(4.0f)), face);

      vf result[4] = { t, s, major * vf_splat(2.0f), face };
      for (unsigned c = 0; c < 4; c++)
         if (u->p.group.writes >> c & 1)
            uop_store(x, u[c].dst, i, lanes, uop_post(x, u, (vu)vf_canon(result[c])));
   }
}

/* ------------------------------------------------------------------------------------------------
 * Interpolation.
 */
V_INLINE vf
coefficients(const struct exec *x, unsigned input, unsigned comp, unsigned i)
{
   if (x->same_coef >> i & 1)
      return vf_splat_quad(&x->coef[i * (VW / 4)][input][comp].p0);
   const float *p[VW / 4];
   for (unsigned q = 0; q < VW / 4; q++)
      p[q] = &x->coef[i * (VW / 4) + q][input][comp].p0;
   return vf_load_quads(p);
}

/* src[0] = i, src[1] = j: (p0 + p10 * i) + p20 * j. */
void
K(uop_interp)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   bool one = x->one_primitive, post = u->scale || u->clamp;
   vf nan = vf_opaque_nan();
   vf c = coefficients(x, u->p.interp.input, u->p.interp.comp, 0);
   vf p0 = vf_quad_lane(c, 0), p10 = vf_quad_lane(c, 1), p20 = vf_quad_lane(c, 2);
   for (unsigned n = 0; n < VECTORS; n++) {
      vf i = (vf)uop_src(x, u, 0, n), j = (vf)uop_src(x, u, 1, n);
      if (!one && n) {
         c = coefficients(x, u->p.interp.input, u->p.interp.comp, n);
         p0 = vf_quad_lane(c, 0), p10 = vf_quad_lane(c, 1), p20 = vf_quad_lane(c, 2);
      }
      vu r = (vu)vf_canon_to((p0 + p10 * i) + p20 * j, nan);
      if (post)
         r = uop_post(x, u, r);
      uop_store(x, u->dst, n, lanes, r);
   }
}

/* P0, P10 or P20 itself. */
void
K(uop_interp_load)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   for (unsigned n = 0; n < VECTORS; n++) {
      vf c = coefficients(x, u->p.interp.input, u->p.interp.comp, n);
      vf r = u->p.interp.which == 0   ? vf_quad_lane(c, 0)
             : u->p.interp.which == 1 ? vf_quad_lane(c, 1)
                                      : vf_quad_lane(c, 2);
      uop_store(x, u->dst, n, lanes, uop_post(x, u, (vu)r));
   }
}
