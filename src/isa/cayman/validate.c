/* SPDX-License-Identifier: MIT */
/*
 * Validator: is a program legal on the part?  The rules, with their sections of the HD 6900 ISA
 * guide; where the guide is silent or wrong the comment says what open drivers rely on.
 *
 *  1. Every opcode is defined, every clause and jump target lies inside the program, the CF program
 *     ends with END (a fetch shader with RETURN).  TC and GDS clauses are 16-byte aligned (3.3).
 *  2. Slots of a group are in x, y, z, w order; 64-bit, quad, replicated and previous-channel
 *     operations occupy the slots they need (4.1, 8.2).
 *  3. Read ports (4.7.7) and at most two kcache addresses per group (4.7.8.3); kcache operands lie
 *     in a locked window (4.6.3).
 *  4. PV is read from a slot of the previous group of the same clause that had an instruction
 *     (4.6.2) and was not 64-bit.
 *  5. One MOVA per group, not in a group that indexes, not last in its clause, and before the first
 *     use of AR in that clause (4.8.3, 4.9.5).
 *  6. One predicate or kill operation per group; kills are in the last group of a clause, in pixel
 *     shaders (4.8.1, 4.9.3), and, as open drivers have it, not while results wait in the LDS
 *     queue; one update of the execute mask in a clause that pushes.
 *  7. NEG and ABS on float operands, CLAMP and OMOD on float results only (4.7.2, 4.9.1).
 *  8. GPRs are declared or clause temporaries.  An OP3 may write an undeclared one to drop its
 *     result.
 *  9. No fetch reads a GPR's channel that an earlier fetch of its clause writes; SET_GRADIENTS and
 *     SET_TEXTURE_OFFSETS have their user after them in the same clause.
 * 10. Pushes, loops and pops balance, and fit the stack (3.6.5).
 * 11. The last export of each type, and only that, is EXPORT_DONE (8.1).
 * 12. LDS results are read while there are any, all reads of a group pop or none does, and the
 *     queue is empty at the clause's end (2.6.2, 7.3).  A pop takes from both queues, so one count
 *     serves both.
 * 13. GROUP_BARRIER is alone in its group, as open drivers have it.
 * 14. Of five-slot chips: the program ends with an instruction that says so; PS is read where the
 *     previous group of the clause had an instruction in t; ALU_BREAK and ALU_CONTINUE stand in a
 *     loop; a fetch of vertices is a mega-fetch.
 */
#include "cayman.h"

#include <stdarg.h>
#include <string.h>

struct validator {
   const uint32_t *words;
   size_t num_dwords;
   const struct cayman_limits *limits;
   char *error;
   size_t error_size;
   bool failed;

   /* where we are */
   uint32_t cf;
   int group, slot;
   bool alu; /* the clause is one */

   /* clause state */
   struct cayman_alu_group previous;
   bool has_previous, ar_valid, killed, mova_pending;
   unsigned exec_updates, lds_results;

   /* program state */
   unsigned pushes, loops;
   bool exports[4], export_done[4];
};

static void __attribute__((format(printf, 2, 3))) fail(struct validator *v, const char *format, ...)
{
   va_list args;
   int n = 0;

   if (v->failed)
      return;
   v->failed = true;
   if (!v->error_size)
      return;
   n = snprintf(v->error, v->error_size, "CF %u", v->cf);
   if (v->group >= 0 && n > 0 && (size_t)n < v->error_size) {
      n += snprintf(v->error + n, v->error_size - n, ", %s %d", v->alu ? "group" : "instruction",
                    v->group);
   }
   if (v->slot >= 0 && n > 0 && (size_t)n < v->error_size)
      n += snprintf(v->error + n, v->error_size - n, ", slot %c",
                    "xyzwt"[v->slot % CAYMAN_MAX_SLOTS]);
   if (n > 0 && (size_t)n + 2 < v->error_size)
      n += snprintf(v->error + n, v->error_size - n, ": ");
   if (n > 0 && (size_t)n < v->error_size) {
      va_start(args, format);
      vsnprintf(v->error + n, v->error_size - n, format, args);
      va_end(args);
   }
}

static bool
gpr_exists(const struct validator *v, unsigned gpr)
{
   return gpr < v->limits->num_gprs || (gpr >= 128 - v->limits->num_clause_temps && gpr < 128);
}

/* Its number among x, y, z, w, t. */
static unsigned
number_of(const struct cayman_alu *slot)
{
   return slot->trans ? CAYMAN_SLOT_T : slot->dst_chan;
}

/* The slot of that number, or NULL. */
static const struct cayman_alu *
slot_of(const struct cayman_alu_group *group, unsigned number)
{
   for (unsigned i = 0; i < group->num_slots; i++)
      if (number_of(&group->slot[i]) == number)
         return &group->slot[i];
   return NULL;
}

static bool
is_64bit(const struct validator *v, unsigned op)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(v->limits->vliw, op);
   return info->dst_type == CAYMAN_TYPE_F64 || info->src_type == CAYMAN_TYPE_F64;
}

static bool
same_op(const struct cayman_alu_group *group, unsigned chan, unsigned op)
{
   const struct cayman_alu *slot = slot_of(group, chan);
   return slot && slot->op == op;
}

static bool
same_operands(const struct cayman_alu *a, const struct cayman_alu *b, unsigned num_src)
{
   for (unsigned i = 0; i < num_src; i++)
      if (a->src[i].sel != b->src[i].sel || a->src[i].chan != b->src[i].chan ||
          a->src[i].rel != b->src[i].rel || a->src[i].neg != b->src[i].neg ||
          a->src[i].abs != b->src[i].abs)
         return false;
   return true;
}

/* Rule 2 */
static void
check_slot_class(struct validator *v, const struct cayman_alu_group *group,
                 const struct cayman_alu *slot)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(v->limits->vliw, slot->op);
   unsigned chan = slot->dst_chan;
   bool ok = true;

   switch (info->slots) {
   case CAYMAN_SLOTS_ANY:
   case CAYMAN_SLOTS_VECTOR: /* the decoder has put it where it runs */
   case CAYMAN_SLOTS_T:
   case CAYMAN_SLOTS_NONE:
      break;
   case CAYMAN_SLOTS_PAIR:
      ok = same_op(group, chan ^ 1, slot->op);
      break;
   case CAYMAN_SLOTS_PAIR_XY:
      ok = chan < 2 && same_op(group, chan ^ 1, slot->op);
      break;
   case CAYMAN_SLOTS_PAIR_ZW:
      ok = chan >= 2 && same_op(group, chan ^ 1, slot->op);
      break;
   case CAYMAN_SLOTS_QUAD:
      for (unsigned c = 0; c < 4 && ok; c++)
         ok = same_op(group, c, slot->op);
      break;
   case CAYMAN_SLOTS_XYZ:
      for (unsigned c = 0; c < 3 && ok; c++) {
         ok = same_op(group, c, slot->op);
         if (ok && info->src_type != CAYMAN_TYPE_F64)
            ok = same_operands(slot_of(group, c), slot, info->num_src);
      }
      break;
   case CAYMAN_SLOTS_NEXT:
      ok = chan < 3;
      break;
   case CAYMAN_SLOTS_INTERLEAVE:
      ok = chan < 2 && slot_of(group, chan + 2);
      break;
   case CAYMAN_SLOTS_X:
      ok = chan == 0;
      break;
   case CAYMAN_SLOTS_W:
      ok = chan == 3;
      break;
   }
   if (!ok) {
      const char *lds =
         slot->op == CAYMAN_ALU_LDS_IDX_OP ? cayman_lds_info(slot->lds_op)->name : NULL;
      fail(v, "%s does not occupy the slots it needs", lds ? lds : info->name);
   }
}

static bool
kcache_locked(const struct cayman_cf *cf, unsigned set, unsigned index)
{
   switch (cf->kcache[set].mode) {
   case CAYMAN_KCACHE_LOCK_1:
      return index < 16;
   case CAYMAN_KCACHE_LOCK_2:
   case CAYMAN_KCACHE_LOCK_LOOP_INDEX:
      return true;
   default:
      return false;
   }
}

static void
check_source(struct validator *v, const struct cayman_cf *cf, const struct cayman_alu *slot,
             unsigned n)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(v->limits->vliw, slot->op);
   const struct cayman_alu_src *src = &slot->src[n];
   unsigned set, index;

   if (cayman_src_is_gpr(src->sel)) {
      if (!gpr_exists(v, src->sel))
         fail(v, "operand %u reads R%u, which is not declared", n, src->sel);
   } else if (cayman_src_is_kcache(src->sel, &set, &index)) {
      if (set >= 2 && !cf->extended) {
         fail(v, "operand %u uses kcache set %u without ALU_EXTENDED", n, set);
      } else if (!kcache_locked(cf, set, index)) {
         fail(v, "operand %u reads kcache set %u, constant %u, outside the locked window", n, set,
              index);
      }
   } else if (src->sel == CAYMAN_SRC_PV ||
              (src->sel == CAYMAN_SRC_PS && cayman_five_slots(v->limits->vliw))) {
      const bool scalar = src->sel == CAYMAN_SRC_PS;
      const struct cayman_alu *from =
         v->has_previous ? slot_of(&v->previous, scalar ? CAYMAN_SLOT_T : src->chan) : NULL;
      if ((!from || from->op == CAYMAN_ALU_NOP) && scalar) {
         fail(v, "operand %u reads PS, and slot t of the previous group wrote none", n);
      } else if (!from || from->op == CAYMAN_ALU_NOP) {
         fail(v, "operand %u reads PV.%c, which no slot of the previous group wrote", n,
              "xyzw"[src->chan]);
      } else if (is_64bit(v, from->op) || is_64bit(v, slot->op)) {
         fail(v, "operand %u forwards PV from or to a 64-bit operation", n);
      } else if (from->pred_sel) {
         fail(v, "operand %u reads PV of a predicated slot", n);
      } else if (from->op == CAYMAN_ALU_MOVA_INT) {
         fail(v, "operand %u reads PV of a MOVA", n);
      } else if (cayman_alu_info_of(v->limits->vliw, from->op)->flags & CAYMAN_ALU_FLAG_REDUCE &&
                 src->chan != 0) {
         fail(v, "operand %u reads PV.%c, but a reduction leaves its result in PV.x", n,
              "xyzw"[src->chan]);
      }
   } else if ((src->sel > 191 && src->sel < 217) || src->sel == 226 || src->sel == 239 ||
              src->sel == CAYMAN_SRC_PS || (src->sel > 319 && src->sel < 448) ||
              src->sel > CAYMAN_SRC_PARAM_LAST) {
      fail(v, "operand %u has the undefined select %u", n, src->sel);
   }
   if ((src->neg || src->abs) && info->src_type != CAYMAN_TYPE_F32 &&
       info->src_type != CAYMAN_TYPE_F64)
      fail(v, "operand %u of %s has a float modifier", n, info->name);
   if (src->rel) {
      if (!cayman_src_is_gpr(src->sel))
         fail(v, "operand %u: only GPRs are indexed here", n);
      else if ((slot->index_mode == CAYMAN_INDEX_AR_X ||
                slot->index_mode == CAYMAN_INDEX_GLOBAL_AR_X) &&
               !v->ar_valid)
         fail(v, "operand %u is indexed by AR, which this clause has not set", n);
   }
}

static void
check_slot(struct validator *v, const struct cayman_cf *cf, const struct cayman_alu *slot)
{
   const struct cayman_alu_info *info = cayman_alu_info_of(v->limits->vliw, slot->op);

   for (unsigned i = 0; i < info->num_src; i++)
      check_source(v, cf, slot, i);
   if (slot->bank_swizzle >=
       (unsigned)(slot->trans ? CAYMAN_SCALAR_SWIZZLE_COUNT : CAYMAN_BANK_SWIZZLE_COUNT))
      fail(v, "undefined bank swizzle %u", slot->bank_swizzle);
   if ((slot->clamp || slot->omod) && info->dst_type != CAYMAN_TYPE_F32 &&
       slot->op != CAYMAN_ALU_LDS_IDX_OP)
      fail(v, "%s has CLAMP or OMOD, but no float result", info->name);
   if (slot->write_mask && !info->op3 && slot->op != CAYMAN_ALU_MOVA_INT &&
       info->dst_type != CAYMAN_TYPE_NONE && !gpr_exists(v, slot->dst_gpr))
      fail(v, "writes R%u, which is not declared", slot->dst_gpr);
   if (slot->write_mask && slot->dst_rel && !v->ar_valid && slot->index_mode == CAYMAN_INDEX_AR_X)
      fail(v, "result is indexed by AR, which this clause has not set");
   if (slot->index_mode != CAYMAN_INDEX_AR_X && slot->index_mode < CAYMAN_INDEX_LOOP)
      fail(v, "undefined index mode %u", slot->index_mode);
   if (slot->index_mode > CAYMAN_INDEX_GLOBAL_AR_X)
      fail(v, "undefined index mode %u", slot->index_mode);
   if ((slot->op == CAYMAN_ALU_SET_CF_IDX0 || slot->op == CAYMAN_ALU_SET_CF_IDX1) && !v->ar_valid)
      fail(v, "%s of AR, which this clause has not set", info->name);
   if (slot->op == CAYMAN_ALU_MOVA_INT && slot->write_mask)
      fail(v, "MOVA_INT with WRITE_MASK");
   if ((slot->update_pred || slot->update_exec_mask) && !(info->flags & CAYMAN_ALU_FLAG_PRED))
      fail(v, "%s updates the predicate or the execute mask", info->name);
   if (slot->op == CAYMAN_ALU_LDS_IDX_OP && !cayman_lds_info(slot->lds_op)->name)
      fail(v, "undefined LDS operation %u", slot->lds_op);
}

static bool
uses_index(const struct validator *v, const struct cayman_alu *slot)
{
   bool rel = slot->dst_rel;
   for (unsigned i = 0; i < cayman_alu_info_of(v->limits->vliw, slot->op)->num_src; i++)
      rel |= slot->src[i].rel;
   return rel &&
          (slot->index_mode == CAYMAN_INDEX_AR_X || slot->index_mode == CAYMAN_INDEX_GLOBAL_AR_X);
}

/* Rule 3: kcache addresses, in pairs of channels */
static bool
kcache_ports(const struct validator *v, const struct cayman_alu_group *group)
{
   unsigned count = 0;
   uint32_t seen[2] = { 0, 0 };

   for (unsigned i = 0; i < group->num_slots; i++) {
      for (unsigned s = 0; s < cayman_alu_info_of(v->limits->vliw, group->slot[i].op)->num_src;
           s++) {
         const struct cayman_alu_src *src = &group->slot[i].src[s];
         unsigned set, index;
         if (!cayman_src_is_kcache(src->sel, &set, &index))
            continue;
         uint32_t key = (uint32_t)src->sel << 1 | src->chan >> 1;
         bool found = false;
         for (unsigned k = 0; k < count; k++)
            found |= seen[k] == key;
         if (!found) {
            if (count == 2)
               return false;
            seen[count++] = key;
         }
      }
   }
   return true;
}

/* Rule 12 */
static void
check_lds_queue(struct validator *v, const struct cayman_alu_group *group)
{
   bool peeks = false, pops = false;
   unsigned pushed = 0;

   for (unsigned i = 0; i < group->num_slots; i++) {
      const struct cayman_alu *slot = &group->slot[i];
      unsigned num_src = cayman_alu_info_of(v->limits->vliw, slot->op)->num_src;
      if (slot->op == CAYMAN_ALU_LDS_IDX_OP) {
         num_src = cayman_lds_info(slot->lds_op)->num_src;
         pushed += cayman_lds_info(slot->lds_op)->returns;
      }
      for (unsigned s = 0; s < num_src; s++) {
         unsigned sel = slot->src[s].sel;
         peeks |= sel == CAYMAN_SRC_LDS_OQ_A || sel == CAYMAN_SRC_LDS_OQ_B;
         pops |= sel == CAYMAN_SRC_LDS_OQ_A_POP || sel == CAYMAN_SRC_LDS_OQ_B_POP;
      }
   }
   if ((peeks || pops) && v->lds_results == 0)
      fail(v, "reads the LDS queue, which is empty");
   else if (peeks && pops)
      fail(v, "some reads of the LDS queue pop and some do not");
   v->lds_results -= pops && v->lds_results;
   v->lds_results += pushed;
}

static void
check_group(struct validator *v, const struct cayman_cf *cf, struct cayman_alu_group *group)
{
   unsigned predicates = 0, movas = 0;
   bool indexed = false, kills = false, barrier = false;

   if (v->killed)
      fail(v, "an instruction follows a kill in the same clause");
   for (unsigned i = 0; i < group->num_slots; i++) {
      const struct cayman_alu *slot = &group->slot[i];
      const struct cayman_alu_info *info = cayman_alu_info_of(v->limits->vliw, slot->op);

      v->slot = (int)number_of(slot);
      check_slot(v, cf, slot);
      check_slot_class(v, group, slot);
      indexed |= uses_index(v, slot);
      movas += (info->flags & CAYMAN_ALU_FLAG_MOVA) != 0;
      kills |= (info->flags & CAYMAN_ALU_FLAG_KILL) != 0;
      barrier |= slot->op == CAYMAN_ALU_GROUP_BARRIER;
      if (info->flags & (CAYMAN_ALU_FLAG_PRED | CAYMAN_ALU_FLAG_KILL)) {
         /* a 64-bit predicate takes a pair of slots */
         predicates += is_64bit(v, slot->op) ? slot->dst_chan % 2 == 0 : 1;
      }
      if (slot->update_exec_mask)
         v->exec_updates += is_64bit(v, slot->op) ? slot->dst_chan % 2 == 0 : 1;
   }
   v->slot = -1;
   if (predicates > 1)
      fail(v, "more than one predicate or kill operation");
   if (movas > 1 || (movas && indexed))
      fail(v, "MOVA shares its group with another or with an indexed operand");
   if (kills && !v->limits->pixel_shader)
      fail(v, "a kill outside a pixel shader");
   if (kills && v->lds_results)
      fail(v, "a kill while results are in the LDS queue");
   if (barrier && group->num_slots > 1)
      fail(v, "GROUP_BARRIER shares its group");
   if (!cayman_read_ports(v->limits->vliw, group->slot, group->num_slots, false))
      fail(v, "read port conflict");
   if (!kcache_ports(v, group))
      fail(v, "more than two kcache addresses");
   check_lds_queue(v, group);
   v->killed = kills;
   v->mova_pending = movas > 0;
   v->ar_valid |= movas > 0;
}

static void
check_alu_clause(struct validator *v, const struct cayman_cf *cf, const uint32_t *words,
                 size_t num_dwords)
{
   v->has_previous = v->ar_valid = v->killed = v->mova_pending = false;
   v->exec_updates = v->lds_results = 0;
   v->alu = true;
   v->group = 0;
   while (num_dwords > 0 && !v->failed) {
      struct cayman_alu_group group;
      int status = cayman_decode_alu_group(v->limits->vliw, words, num_dwords, &group);

      v->slot = 0;
      if (status != CAYMAN_OK) {
         fail(v, "%s", cayman_status_name(status));
         return;
      }
      check_group(v, cf, &group);
      v->previous = group;
      v->has_previous = true;
      v->group++;
      words += group.num_dwords;
      num_dwords -= group.num_dwords;
   }
   v->group = v->slot = -1;
   if (v->mova_pending)
      fail(v, "MOVA in the last group of a clause");
   if (v->lds_results)
      fail(v, "%u results are left in the LDS queue", v->lds_results);
   if (cf->op == CAYMAN_CF_ALU_PUSH_BEFORE && v->exec_updates != 1)
      fail(v, "ALU_PUSH_BEFORE with %u updates of the execute mask", v->exec_updates);
}

/* Channels of GPRs written by the fetches so far */
struct gpr_set {
   uint8_t channels[128];
};

static void
check_sels(struct validator *v, const uint8_t *sel, unsigned count, bool mask_allowed)
{
   for (unsigned i = 0; i < count; i++)
      if (sel[i] == 6 || (sel[i] == 7 && !mask_allowed))
         fail(v, "undefined component select %u", sel[i]);
}

/* Channels that select from the GPR, as a mask. */
static unsigned
read_mask(const uint8_t *sel, unsigned count)
{
   unsigned mask = 0;
   for (unsigned i = 0; i < count; i++)
      mask |= sel[i] < 4 ? 1u << sel[i] : 0;
   return mask;
}

static unsigned
write_mask(const uint8_t sel[4])
{
   unsigned mask = 0;
   for (unsigned i = 0; i < 4; i++)
      mask |= (unsigned)(sel[i] != CAYMAN_SEL_MASK) << i;
   return mask;
}

static void
check_fetch_gprs(struct validator *v, struct gpr_set *written, unsigned src, unsigned src_mask,
                 unsigned dst, unsigned dst_mask)
{
   if (src_mask) {
      if (!gpr_exists(v, src))
         fail(v, "reads R%u, which is not declared", src);
      else if (written->channels[src & 127] & src_mask)
         fail(v, "reads R%u, which an earlier fetch of the clause writes", src);
   }
   if (dst_mask) {
      if (!gpr_exists(v, dst))
         fail(v, "writes R%u, which is not declared", dst);
      written->channels[dst & 127] |= dst_mask;
   }
}

static bool
reads_gpr(const uint8_t *sel, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      if (sel[i] < 4)
         return true;
   return false;
}

static void
check_fetch_clause(struct validator *v, const struct cayman_cf *cf, const uint32_t *words,
                   size_t num_dwords)
{
   struct gpr_set written = { { 0, 0 } };
   bool gradients = false, offsets = false;

   v->alu = false;
   if (cf->addr & 1)
      fail(v, "clause is not 16-byte aligned");
   if (cf->count > 15)
      fail(v, "more than 16 instructions in a clause");
   if (cf->cond != CAYMAN_COND_ACTIVE)
      fail(v, "a fetch clause with a condition");
   v->group = 0;
   for (; num_dwords >= 4 && !v->failed; words += 4, num_dwords -= 4, v->group++) {
      struct cayman_fetch fetch;
      int status = cayman_decode_fetch(v->limits->vliw, words, &fetch);

      if (status != CAYMAN_OK) {
         fail(v, "%s", cayman_status_name(status));
         return;
      }
      if ((fetch.kind == CAYMAN_FETCH_GDS) != cayman_cf_is_gds(cf)) {
         fail(v, "instruction of the wrong kind for this clause");
         return;
      }
      switch (fetch.kind) {
      case CAYMAN_FETCH_TEX:
         check_sels(v, fetch.tex.dst_sel, 4, true);
         check_sels(v, fetch.tex.src_sel, 4, false);
         switch (fetch.tex.op) {
         case CAYMAN_TEX_SET_GRADIENTS_H:
         case CAYMAN_TEX_SET_GRADIENTS_V:
            gradients = true;
            break;
         case CAYMAN_TEX_SET_TEXTURE_OFFSETS:
            offsets = true;
            break;
         case CAYMAN_TEX_SAMPLE_G:
         case CAYMAN_TEX_SAMPLE_G_LB:
         case CAYMAN_TEX_SAMPLE_C_G:
         case CAYMAN_TEX_SAMPLE_C_G_LB:
            gradients = false;
            break;
         case CAYMAN_TEX_GATHER4_O:
         case CAYMAN_TEX_GATHER4_C_O:
            if (!offsets)
               fail(v, "gather with offsets that were not set in this clause");
            offsets = false;
            break;
         default:
            break;
         }
         check_fetch_gprs(v, &written, fetch.tex.src_gpr, read_mask(fetch.tex.src_sel, 4),
                          fetch.tex.dst_gpr, write_mask(fetch.tex.dst_sel));
         break;
      case CAYMAN_FETCH_VTX:
         check_sels(v, fetch.vtx.dst_sel, 4, true);
         if (cayman_five_slots(v->limits->vliw) && !fetch.vtx.mega_fetch)
            fail(v, "a mini-fetch");
         check_fetch_gprs(v, &written, fetch.vtx.src_gpr,
                          fetch.vtx.op == CAYMAN_VTX_GET_BUFFER_RESINFO ? 0
                                                                        : 1u << fetch.vtx.src_sel_x,
                          fetch.vtx.dst_gpr,
                          fetch.vtx.op == CAYMAN_VTX_SEMANTIC ? 0 : write_mask(fetch.vtx.dst_sel));
         break;
      case CAYMAN_FETCH_MEM:
         check_sels(v, fetch.mem.dst_sel, 4, true);
         for (unsigned i = 0; i <= fetch.mem.burst_count; i++) {
            check_fetch_gprs(v, &written, fetch.mem.src_gpr,
                             fetch.mem.indexed && i == 0 ? 1u << fetch.mem.src_sel_x : 0,
                             fetch.mem.dst_gpr + i, write_mask(fetch.mem.dst_sel));
         }
         break;
      default:
         check_sels(v, fetch.gds.dst_sel, 4, true);
         check_sels(v, fetch.gds.src_sel, 3, false);
         break;
      }
   }
   if (gradients || offsets)
      fail(v, "gradients or offsets are set, but not used in this clause");
   v->group = -1;
}

static void
check_export(struct validator *v, const struct cayman_cf *cf)
{
   if (cf->form == CAYMAN_CF_FORM_EXPORT) {
      check_sels(v, cf->sel, 4, true);
      if (cf->type > CAYMAN_EXPORT_PARAM)
         fail(v, "undefined export type");
      if (v->export_done[cf->type & 3])
         fail(v, "export after the EXPORT_DONE of its type");
      if ((cf->type == CAYMAN_EXPORT_PIXEL) != v->limits->pixel_shader)
         fail(v, "export of a type that this stage does not have");
      v->exports[cf->type & 3] = true;
      v->export_done[cf->type & 3] = cf->op == CAYMAN_CF_EXPORT_DONE;
      if (!reads_gpr(cf->sel, 4))
         return;
   } else if (cf->type & 1 && !gpr_exists(v, cf->index_gpr)) {
      fail(v, "indexes with R%u, which is not declared", cf->index_gpr);
   }
   for (unsigned i = 0; i <= cf->burst_count; i++)
      if (cf->rw_gpr + i >= v->limits->num_gprs)
         fail(v, "stores R%u, which is not declared", cf->rw_gpr + i);
}

/* Rule 10, in program order: structured code leaves the depth as it found it on every path. */
static void
check_stack(struct validator *v, const struct cayman_cf *cf)
{
   const unsigned flow = cayman_cf_info(cf->op)->flow;
   const unsigned pop = cayman_cf_pops(cf->op, cf->pop_count);

   if (flow & CAYMAN_FLOW_PUSHES)
      v->pushes++;
   if (flow & CAYMAN_FLOW_LOOPS)
      v->loops++;
   if (flow & CAYMAN_FLOW_LEAVES_LOOP && v->loops == 0)
      fail(v, "break or continue outside a loop");
   if (flow & CAYMAN_FLOW_ENDS_LOOP) {
      if (v->loops == 0) {
         fail(v, "LOOP_END without a loop");
         return;
      }
      v->loops--;
   }
   if (pop > v->pushes) {
      fail(v, "more pops than pushes");
      return;
   }
   v->pushes -= pop;
   if (v->limits->stack_entries && v->loops + (v->pushes + 3) / 4 > v->limits->stack_entries)
      fail(v, "the stack of %u entries overflows", v->limits->stack_entries);
}

bool
cayman_validate(const uint32_t *words, size_t num_dwords, const struct cayman_limits *limits,
                char *error, size_t error_size)
{
   struct validator v;
   struct cayman_walk walk;
   struct cayman_cf cf;
   uint32_t farthest = 0;
   int status;

   memset(&v, 0, sizeof(v));
   v.words = words;
   v.num_dwords = num_dwords;
   v.limits = limits;
   v.error = error;
   v.error_size = error_size;
   v.group = v.slot = -1;
   if (error_size)
      error[0] = 0;

   cayman_walk_init(&walk, limits->vliw, words, num_dwords);
   while (!v.failed && (status = cayman_walk_next(&walk, &cf)) != CAYMAN_END) {
      const uint32_t *clause;
      size_t clause_dwords;

      v.cf = walk.pc;
      if (status != CAYMAN_OK) {
         fail(&v, "%s", cayman_status_name(status));
         break;
      }
      if (cayman_cf_info(cf.op)->flow & (CAYMAN_FLOW_JUMPS | CAYMAN_FLOW_NAMES) &&
          cf.addr > farthest)
         farthest = cf.addr;
      int err = cayman_clause(words, num_dwords, &cf, &clause, &clause_dwords);
      if (err == CAYMAN_ERR_RANGE)
         fail(&v, "%s", cayman_status_name(err));
      else if (err == CAYMAN_OK && cayman_cf_is_alu(&cf))
         check_alu_clause(&v, &cf, clause, clause_dwords);
      else if (err == CAYMAN_OK)
         check_fetch_clause(&v, &cf, clause, clause_dwords);
      else if (cf.form >= CAYMAN_CF_FORM_MEM)
         check_export(&v, &cf);
      check_stack(&v, &cf);
      if (cf.op == CAYMAN_CF_END || cf.end || (limits->fetch_shader && cf.op == CAYMAN_CF_RETURN)) {
         if (v.pushes || v.loops)
            fail(&v, "the program ends inside a branch or loop");
      }
   }
   if (!v.failed && farthest >= walk.next)
      fail(&v, "a jump leaves the program");
   for (unsigned t = 0; t < 3 && !v.failed; t++)
      if (v.exports[t] && !v.export_done[t])
         fail(&v, "the last export of type %u is not EXPORT_DONE", t);
   return !v.failed;
}
