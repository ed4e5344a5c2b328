/* SPDX-License-Identifier: MIT */
/*
 * Branches that are short become instructions that depend on their condition, and a break or
 * continue alone in a branch takes the branch's condition: a jump costs an instruction, and
 * threads that part have to meet again.
 *
 * What is in such a branch must not depend on another predicate, and must not set p1.
 */
#include "ir.h"

#define MOST 8 /* instructions of both sides */

static bool
fits(const struct ac_inst *i)
{
   if (ac_is_flow(i) || i->predicated || attila_info(i->op)->forms & ATTILA_FORM_ALWAYS)
      return false;
   return attila_info(i->op)->result != ATTILA_RESULT_PRED;
}

/* A branch that begins at n: where it ends, 0 if it does not fit; *other is the else. */
static uint32_t
short_branch(const struct ac_compiler *c, uint32_t n, uint32_t *other)
{
   *other = 0;
   for (uint32_t k = n + 1, size = 0; k < c->num_insts; k++) {
      const struct ac_inst *i = &c->insts[k];
      if (i->op == AC_ENDIF)
         return k;
      if (i->op == AC_ELSE && !*other) {
         *other = k;
         continue;
      }
      if (!fits(i) || ++size > MOST)
         return 0;
   }
   return 0;
}

static bool
leaves_loop(const struct ac_compiler *c, uint32_t n)
{
   return n + 2 < c->num_insts && c->insts[n + 2].op == AC_ENDIF &&
          (c->insts[n + 1].op == AC_BREAK || c->insts[n + 1].op == AC_CONTINUE) &&
          !c->insts[n + 1].predicated;
}

void
ac_predicate(struct ac_compiler *c)
{
   uint32_t kept = 0;

   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst branch = c->insts[n];
      uint32_t other, end;

      if (branch.op == AC_IF && leaves_loop(c, n)) {
         struct ac_inst leave = c->insts[n + 1];
         leave.predicated = true;
         leave.pred = branch.pred;
         leave.invert = branch.invert;
         c->insts[kept++] = leave;
         n += 2;
      } else if (branch.op == AC_IF && (end = short_branch(c, n, &other))) {
         for (uint32_t k = n + 1; k < end; k++) {
            if (k == other)
               continue;
            c->insts[kept] = c->insts[k];
            c->insts[kept].predicated = true;
            c->insts[kept].pred = branch.pred;
            c->insts[kept].invert = branch.invert ^ (other && k > other);
            kept++;
         }
         n = end;
      } else {
         c->insts[kept++] = branch;
      }
   }
   c->num_insts = kept;
}
