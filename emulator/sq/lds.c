/* SPDX-License-Identifier: MIT */
/*
 * LDS operations of ALU clauses, and GDS clauses (HD 6900 ISA 7, 8.5, 8.6).
 *
 * Every LDS operation that returns something appends an entry to the wave's output queue: a value
 * for A and one for B in each lane.  An operand names the head's A or B; with POP the entry goes at
 * the end of the group, so every operand of a group sees the same head.  Reading an empty queue
 * gives zero; an entry that finds the queue full is lost.
 */
#include "sq/share.h"
#include "sq/uop.h"

static void
load_operand(const struct exec *x, const struct uop *u, unsigned n, wave_lane out)
{
   for (unsigned i = 0; i < VECTORS; i++)
      vu_store((uint8_t *)out + i * (VW * 4), uop_src(x, u, n, i));
}

/* op: enum cayman_lds_op; imm[0]: IDX_OFFSET in dwords. */
void
K(uop_lds)(struct exec *x, const struct uop *u)
{
   const struct cayman_op_info *info = cayman_lds_info(u->op);
   uint64_t lanes = uop_lanes(x, u);
   wave_lane s[3];
   for (unsigned n = 0; n < info->num_src; n++)
      load_operand(x, u, n, s[n]);

   const uint32_t *base = x->wave->group ? x->wave->group->lane_base : NULL;
   wave_lane(*entry)[2] = NULL;
   if (info->returns && x->oq_count < OQ_MAX) {
      entry = &x->oq[(x->oq_head + x->oq_count++) % OQ_MAX];
      lanes_clear((*entry)[0]);
      lanes_clear((*entry)[1]);
   }

   if (u->op == CAYMAN_LDS_WRITE) {
      for (; lanes; lanes &= lanes - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(lanes);
         sq_share_store(x->lds + (base ? base[lane] : 0), x->lds_bytes, s[0][lane], s[1][lane]);
      }
      return;
   }
   if (u->op == CAYMAN_LDS_READ_RET && entry) {
      for (; lanes; lanes &= lanes - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(lanes);
         (*entry)[0][lane] =
            sq_share_load(x->lds + (base ? base[lane] : 0), x->lds_bytes, s[0][lane]);
      }
      return;
   }
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint32_t src[3] = { 0 }, out[2];
      for (unsigned n = 0; n < info->num_src; n++)
         src[n] = s[n][lane];
      sq_share_op(x->lds + (base ? base[lane] : 0), x->lds_bytes, u->op, u->imm[0], src, out);
      if (entry) {
         (*entry)[0][lane] = out[0];
         (*entry)[1][lane] = out[1];
      }
   }
}

/* The head of queue A (imm[0] = 0) or B (1). */
void
K(uop_lds_head)(struct exec *x, const struct uop *u)
{
   uint32_t *dst = (uint32_t *)(x->file + u->dst);
   if (x->oq_count)
      lanes_copy(dst, x->oq[x->oq_head % OQ_MAX][u->imm[0]]);
   else
      lanes_clear(dst);
}

void
K(uop_lds_pop)(struct exec *x, const struct uop *u)
{
   (void)u;
   if (x->oq_count) {
      x->oq_count--;
      x->oq_head = (x->oq_head + 1) % OQ_MAX;
   }
}

/* GROUP_BARRIER: a wave alone in its group has nobody to wait for. */
void
K(uop_barrier)(struct exec *x, const struct uop *u)
{
   (void)u;
   x->waits = x->wave->group && x->wave->group->num_waves > 1;
}

/* SET_LDS_SIZE: src[0] bytes can be reached, never more than the group has. */
void
K(uop_set_lds_size)(struct exec *x, const struct uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   wave_lane size;
   if (!lanes)
      return;
   load_operand(x, u, 0, size);
   uint32_t n = size[__builtin_ctzll(lanes)], all = x->wave->group ? x->wave->group->lds_bytes : 0;
   x->lds_bytes = n < all ? n : all;
}

/* An instruction of a GDS clause: source x is the address, y and z are data; TF_WRITE stores a
 * tessellation factor.  Lanes go in ascending order. */
void
K(sq_gds)(struct exec *x, const struct fetch *f, uint64_t lanes)
{
   const struct sq_bind *bind = x->wave->bind;
   unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
   unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);
   wave_lane s[3], result[2];
   for (unsigned c = 0; c < 3; c++) {
      if (f->src_sel[c] < 4)
         lanes_copy(s[c], x->file + REG(gpr, f->src_sel[c]));
      else
         for (unsigned lane = 0; lane < WAVE_LANES; lane++)
            s[c][lane] = f->src_sel[c] == CAYMAN_SEL_1 ? 0x3f800000u : 0;
   }

   if (f->kind == FETCH_TF_WRITE) {
      const struct sq_group *group = x->wave->group;
      for (; group && group->tf && lanes; lanes &= lanes - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(lanes);
         sq_share_store(group->tf, group->tf_bytes, s[0][lane], s[1][lane]);
      }
      return;
   }

   for (uint64_t left = lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      uint32_t src[3] = { s[0][lane], s[1][lane], s[2][lane] }, out[2];
      sq_share_op(bind->gds, bind->gds ? bind->gds_bytes : 0, f->op, 0, src, out);
      result[0][lane] = out[0];
      result[1][lane] = out[1];
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned sel = f->dst_sel[c];
      uint32_t *dst = (uint32_t *)(x->file + REG(to, c));
      for (uint64_t left = lanes; left && sel != CAYMAN_SEL_MASK; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         dst[lane] = sel < 2 ? result[sel][lane] : sel == CAYMAN_SEL_1 ? 0x3f800000u : 0;
      }
   }
}
