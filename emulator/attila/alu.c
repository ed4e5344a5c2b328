/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations that ATTILA alone needs.  Section names are those of the ATTILA Shader ISA.
 */
#include "attila/exec.h"
#include "uop/tell.h"

/* A predicate = a compared with b. */
void
K(uop_at_setp)(struct exec *x, const struct bound_uop *u)
{
   struct at_exec *e = (struct at_exec *)x;
   uint64_t pass = 0;

   for (unsigned i = 0; i < VECTORS; i++) {
      vu a = uop_src(x, u, 0, i), b = uop_src(x, u, 1, i);
      vm m;
      switch (u->p.setp.compare) {
      case UOP_EQUAL:
         m = vf_eq((vf)a, (vf)b);
         break;
      case UOP_GREATER:
         m = vf_gt((vf)a, (vf)b);
         break;
      case UOP_LESS:
         m = vf_gt((vf)b, (vf)a);
         break;
      case UOP_INTEGER | UOP_EQUAL:
         m = vu_eq(a, b);
         break;
      case UOP_INTEGER | UOP_GREATER:
         m = vi_gt((vi)a, (vi)b);
         break;
      default:
         m = vi_gt((vi)b, (vi)a);
         break;
      }
      pass |= vm_to_lanes(m, i);
   }
   pass ^= u->p.setp.invert ? ~UINT64_C(0) : 0;
   e->preds[u->p.setp.predicate] = (e->preds[u->p.setp.predicate] & ~x->lanes) | (pass & x->lanes);
}

/* KIL: lanes with a below zero. */
void
K(uop_at_kill)(struct exec *x, const struct bound_uop *u)
{
   struct at_exec *e = (struct at_exec *)x;
   uint64_t below = 0;

   for (unsigned i = 0; i < VECTORS; i++)
      below |= vm_to_lanes(vf_gt(vf_splat(0.0f), (vf)uop_src(x, u, 0, i)), i);
   e->wave->valid &= ~(below & x->lanes);
}

/* ZXP */
void
K(uop_at_depth)(struct exec *x, const struct bound_uop *u)
{
   struct core_outputs *out = ((struct at_exec *)x)->wave->outputs;

   for (unsigned i = 0; i < VECTORS; i++)
      vu_store_masked((uint8_t *)out->z[0] + i * (VW * 4), vm_lanes(x->lanes, i),
                      uop_src(x, u, 0, i));
   out->depth_lanes |= x->lanes;
}

/* A component of constant a + number; outside of all constants it is zero. */
void
K(uop_at_constant)(struct exec *x, const struct bound_uop *u)
{
   const uint32_t *address = (const uint32_t *)(x->file + u->src[0]);
   uint32_t *dst = (uint32_t *)(x->file + u->dst);

   for (uint64_t left = x->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      int64_t n = (int64_t)(int32_t)address[lane] + (int32_t)u->p.element.number;
      bool there = n >= 0 && n < ATTILA_CONSTANTS;
      dst[lane] = there ? x->uni[AT_UNI_CONSTANTS + 4 * n + u->p.element.comp] : 0;
   }
}

/* LDA: a component of an attribute of vertex a. */
void
K(uop_at_attribute)(struct exec *x, const struct bound_uop *u)
{
   const struct at_bind *bind = ((struct at_exec *)x)->bind;
   const struct at_attribute *attribute = &bind->attribute[u->p.element.number];
   uint32_t *dst = (uint32_t *)(x->file + u->dst);
   wave_lane index;

   for (unsigned i = 0; i < VECTORS; i++)
      vu_store((uint8_t *)index + i * (VW * 4), uop_src(x, u, 0, i));
   if (__builtin_expect(x->watcher != NULL, 0))
      uop_tell_lanes(x, CORE_MEMORY_BUFFER, u->p.element.bank, CORE_READS, x->lanes, index, 16,
                     4 * u->p.element.comp, 4);
   for (uint64_t left = x->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      bool there = index[lane] < attribute->count;
      dst[lane] = there ? attribute->words[4 * (size_t)index[lane] + u->p.element.comp] : 0;
   }
}

/* The rows that instructions get results in. */
static void
result_rows(const struct at_exec *e, uint32_t *rows[4])
{
   for (unsigned c = 0; c < 4; c++)
      rows[c] = (uint32_t *)e->wave->rows[e->program->temp_row + AT_RESULT + c];
}

/* LDA in the pipeline: element a, or this instance's. */
void
K(uop_at_lda)(struct exec *x, const struct bound_uop *u)
{
   const struct at_exec *e = (const struct at_exec *)x;
   const struct at_element *element = &e->bind->elements[u->p.message.number];
   const uint32_t *instance = e->wave->rows[e->program->first[ATTILA_IN] + 1];
   wave_lane index;
   uint32_t *to[4];

   for (unsigned i = 0; i < VECTORS; i++) {
      vu n =
         element->divisor ? vu_load((const uint8_t *)instance + i * (VW * 4)) : uop_src(x, u, 0, i);
      vu_store((uint8_t *)index + i * (VW * 4), n);
   }
   for (unsigned lane = 0; element->divisor > 1 && lane < WAVE_LANES; lane++)
      index[lane] /= element->divisor;
   for (unsigned i = 0; i < VECTORS; i++) {
      uint8_t *p = (uint8_t *)index + i * (VW * 4);
      vu n = vu_load(p) + vu_splat(element->base);
      vu_store(p, element->twice ? n + n : n);
   }
   result_rows(e, to);
   for (uint64_t left = x->lanes; x->watcher && left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      struct td_element e;

      K(kernels).td_vtx_element(&element->fetch, index[lane], &e);
      uop_tell(x, CORE_MEMORY_BUFFER, u->p.message.number, CORE_READS, lane, e.at, e.bytes);
   }
   element->fetch.run(&element->fetch, index, to, x->lanes);
}

/* TEX and its kin. */
void
K(uop_at_sample)(struct exec *x, const struct bound_uop *u)
{
   const struct at_exec *e = (const struct at_exec *)x;
   const struct td_tex_bind *bind = &e->bind->tex[u->p.message.number];
   const bool helpers = e->program->head.core.needs_helpers;
   struct td_tex_args args = {
      .lanes = x->lanes,
      .valid = x->lanes,
      /* Others of its quad may see a lane's registers. */
      .idle = ~(helpers ? lanes_whole_quads(x->launch) : x->launch),
   };

   for (unsigned c = 0; c < 4; c++)
      args.src[c] = e->wave->rows[e->program->temp_row + AT_SOURCE + c];
   result_rows(e, args.dst);
   uop_tell_texture(x, u->p.message.number, x->lanes);
   bind->run(bind, &args);
}

/* KLS */
void
K(uop_at_kill_sample)(struct exec *x, const struct bound_uop *u)
{
   const struct at_exec *e = (const struct at_exec *)x;
   uint8_t *killed = (uint8_t *)e->wave->rows[e->program->temp_row + AT_KILLED];

   for (unsigned i = 0; i < VECTORS; i++) {
      uint8_t *p = killed + i * (VW * 4);
      vu old = vu_load(p);
      vm m = vm_and(vf_gt(vf_splat(0.0f), (vf)uop_src(x, u, 0, i)), vm_lanes(x->lanes, i));
      vu_store(p, vu_select(m, old | vu_splat(u->p.immediate.bits), old));
   }
}

/* To 16 fraction bits, to nearest even, limited to 32 bits; a NaN is 0. */
V_INLINE int64_t
to_fixed(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   double d = (double)f * 65536.0;
   if ((bits & 0x7fffffffu) > 0x7f800000u)
      return 0;
   if (d <= -2147483648.0)
      return INT32_MIN;
   if (d >= 2147483647.0)
      return INT32_MAX;
   /* Added to this, a number of at most 51 bits is rounded to an integer. */
   const double magic = 0x1.8p52;
   return (int64_t)((d + magic) - magic);
}

/* FXMUL, FXMAD and FXMAD2 on one component. */
void
K(uop_at_fixed)(struct exec *x, const struct bound_uop *u)
{
   uint32_t *low = (uint32_t *)(x->file + u->p.fixed.low),
            *high = (uint32_t *)(x->file + u->p.fixed.high);
   wave_lane src[3], result;

   lanes_clear(result);
   for (unsigned n = 0; n < 3; n++)
      for (unsigned i = 0; i < VECTORS; i++)
         vu_store((uint8_t *)src[n] + i * (VW * 4), uop_src(x, u, n, i));
   for (uint64_t left = x->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      uint64_t sum = (uint64_t)(to_fixed(src[0][lane]) * to_fixed(src[1][lane]));
      if (u->p.fixed.adds)
         sum += (uint64_t)to_fixed(src[2][lane]) << 16;
      if (u->p.fixed.ends) {
         sum += low[lane] | (uint64_t)high[lane] << 32;
         float f = (float)(int64_t)sum * 0x1p-32f;
         memcpy(&result[lane], &f, 4);
      } else {
         low[lane] = (uint32_t)sum;
         high[lane] = (uint32_t)(sum >> 32);
      }
   }
   if (u->p.fixed.ends) {
      for (unsigned i = 0; i < VECTORS; i++) {
         vu r = vu_load((const uint8_t *)result + i * (VW * 4));
         uop_store(x, u->dst, i, x->lanes, uop_post(x, u, r));
      }
   }
}
