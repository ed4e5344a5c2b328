/* SPDX-License-Identifier: MIT */
/*
 * What tests of blocks and of waves have in common (kernels only).
 *
 * A UNORM depth is compared as the integer that would be stored: round(z * max).
 */
#ifndef ATOLL_DB_TEST_H
#define ATOLL_DB_TEST_H

#include "db/db.h"
#include "port/quads.h"
#include "sc/sc.h"
#include "sx/test.h"

/* The range fragments' depths are limited to. */
struct z_range {
   float lo, hi;
   bool on;
};

static inline struct z_range
z_range(const struct draw_state *draw, const struct sc_prim *prim)
{
   const struct db_state *db = draw->db;
   const unsigned v = prim->viewport & (SC_VIEWPORTS - 1);
   struct z_range r = { 0.0f, 1.0f, db->z_format != DEPTH_FLOAT32 };

   if (db->viewport_clamp) {
      const float lo = draw->sc->z_min[v], hi = draw->sc->z_max[v];

      r.lo = !r.on || lo > 0.0f ? lo : 0.0f;
      r.hi = !r.on || hi < 1.0f ? hi : 1.0f;
      r.on = true;
   }
   return r;
}

V_INLINE vf
limit(vf z, struct z_range r)
{
   return r.on ? vf_clamp(z, r.lo, r.hi) : vf_canon(z);
}

/* A depth of 0 to 1 as an integer. */
V_INLINE vu
encode_unorm(unsigned format, vf z)
{
   return (vu)vi_round_raw(z * vf_splat(format == DEPTH_UNORM16 ? 65535.0f : 16777215.0f));
}

/* The stored form: an integer, or the float's bits. */
V_INLINE vu
encode_z(unsigned format, vf z)
{
   return format == DEPTH_UNORM16 || format == DEPTH_UNORM24
             ? encode_unorm(format, vf_clamp(z, 0.0f, 1.0f))
             : (vu)z;
}

V_INLINE vm
compare_z(unsigned format, unsigned func, vu fragment, vu memory)
{
   if (format == DEPTH_FLOAT32)
      return compare_float(func, (vf)fragment, (vf)memory);
   if (format == DEPTH_UNORM24)
      memory &= vu_splat(0xffffff);
   return compare_int(func, (vi)fragment, (vi)memory);
}

/* The general test, on arrays of lanes. */
struct lanes_args {
   const uint32_t *z;             /* fragment depths, floats within the range */
   uint32_t *z_mem, *s_mem;       /* memory, 64 lanes each; changed there */
   const uint32_t *s_ref;         /* per lane, or NULL: the face's */
   uint64_t back;                 /* lanes of back faces */
   uint64_t z_changed, s_changed; /* out */
};

/* Lanes of `cover` that pass; memory is changed as the draw asks. */
uint64_t K(db_test)(const struct db_state *db, struct lanes_args *a, uint64_t cover);

static inline uint32_t
read_value(const uint8_t *p, unsigned bytes)
{
   if (bytes == 1)
      return *p;
   if (bytes == 2) {
      uint16_t v;
      memcpy(&v, p, sizeof(v));
      return v;
   }
   uint32_t v;
   memcpy(&v, p, sizeof(v));
   return bytes == 3 ? v & 0xffffff : v;
}

static inline void
write_value(uint8_t *p, unsigned bytes, uint32_t v)
{
   memcpy(p, &v, bytes);
}

#endif
