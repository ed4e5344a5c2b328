/* SPDX-License-Identifier: MIT */
/* The general test of depth and stencil, on arrays of lanes in any order (kernels). */
#include "db/test.h"

V_INLINE vu
stencil_op(unsigned op, vu old, vu ref)
{
   switch (op) {
   case STENCIL_OP_ZERO:
      return vu_splat(0);
   case STENCIL_OP_REPLACE:
      return ref;
   case STENCIL_OP_INCREMENT_CLAMP:
      return vu_min(old + vu_splat(1), vu_splat(255));
   case STENCIL_OP_DECREMENT_CLAMP:
      return vu_max(old, vu_splat(1)) - vu_splat(1);
   case STENCIL_OP_INVERT:
      return ~old & vu_splat(255);
   case STENCIL_OP_INCREMENT_WRAP:
      return (old + vu_splat(1)) & vu_splat(255);
   case STENCIL_OP_DECREMENT_WRAP:
      return (old - vu_splat(1)) & vu_splat(255);
   default:
      return old;
   }
}

uint64_t
K(db_test)(const struct db_state *db, struct lanes_args *a, uint64_t cover)
{
   uint64_t pass = 0;

   a->z_changed = a->s_changed = 0;
   for (unsigned n = 0; n < VECTORS; n++) {
      const vm m = vm_lanes(cover, n);
      vm z_pass = m, s_pass = m;
      vu z_old = vu_splat(0), z_new = vu_splat(0);

      if (db->z_test || db->z_write) {
         z_new = encode_z(db->z_format, vf_load(a->z + n * VW));
         z_old = vu_load(a->z_mem + n * VW);
         z_pass = vm_and(m, compare_z(db->z_format, db->z_func, z_new, z_old));
      }
      if (db->stencil) {
         const vu old = vu_load(a->s_mem + n * VW);
         const vm back = vm_lanes(a->back, n);
         vu result = old;

         for (unsigned f = 0; f < 2; f++) {
            const struct db_face *face = &db->face[f];
            const vm on = f ? vm_and(m, back) : vm_andnot(m, back);

            if (!vm_any(on))
               continue;
            const vu ref =
               a->s_ref ? vu_load(a->s_ref + n * VW) & vu_splat(255) : vu_splat(face->ref);
            const vu mask = vu_splat(face->mask), write = vu_splat(face->write_mask);
            const vm ok = compare_int(face->func, (vi)(ref & mask), (vi)(old & mask));
            vu next = vu_select(
               vm_and(ok, z_pass), stencil_op(face->zpass, old, ref),
               vu_select(ok, stencil_op(face->zfail, old, ref), stencil_op(face->fail, old, ref)));

            next = (next & write) | (old & ~write);
            result = vu_select(on, next, result);
            s_pass = vm_andnot(s_pass, vm_andnot(on, ok));
         }
         vu_store(a->s_mem + n * VW, result);
         a->s_changed |= vm_to_lanes(vm_and(m, vu_ne(result, old)), n);
      }
      const vm ok = vm_and(z_pass, s_pass);
      pass |= vm_to_lanes(ok, n);
      if (db->z_write) {
         vu_store(a->z_mem + n * VW, vu_select(ok, z_new, z_old));
         a->z_changed |= vm_to_lanes(ok, n);
      }
      if (db->z_clear) {
         const vu clear = encode_z(db->z_format, vf_canon(vf_splat(db->z_clear_value)));

         vu_store_masked(a->z_mem + n * VW, m, clear);
         a->z_changed |= vm_to_lanes(m, n);
      }
      if (db->s_clear) {
         vu_store_masked(a->s_mem + n * VW, m, vu_splat(db->s_clear_value));
         a->s_changed |= vm_to_lanes(m, n);
      }
   }
   return pass;
}
