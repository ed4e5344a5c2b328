/* SPDX-License-Identifier: MIT */
/*
 * Rows that a wave of the pipeline begins with zeros: registers that may be read before an
 * instruction has written them, and outputs that none writes for certain.
 */
#include "attila/program.h"

#include <stdlib.h>

struct scan {
   const struct at_lifted *p;
   bool *written; /* [num_rows]: for certain, in all lanes */
   bool *needed;
};

static void
read_row(struct scan *s, uint32_t row)
{
   if (row < s->p->head.num_rows && !s->written[row])
      s->needed[row] = true;
}

static void
write_row(struct scan *s, uint32_t row)
{
   if (row < s->p->head.num_rows)
      s->written[row] = true;
}

/* What messages and sums read and write beside their operands lies after the registers. */
static void
scan_message(struct scan *s, const struct uop *u, bool certain)
{
   const struct uop_info *info = &uop_infos[u->op];
   const uint32_t own = s->p->temp_row;

   switch (u->op) {
   case UOP_AT_SAMPLE:
      for (unsigned c = 0; c < 4; c++)
         read_row(s, own + AT_SOURCE + c);
      break;
   case UOP_AT_LDA:
      /* The instance, instead of its operand. */
      read_row(s, s->p->first[ATTILA_IN] + 1);
      break;
   case UOP_AT_FIXED:
      for (unsigned n = 0; n < AT_SOURCE - AT_ACC; n++)
         read_row(s, own + AT_ACC + n);
      return;
   default:
      /* Others may name all of it. */
      if (info->result == UOP_RESULT_R || info->effect == UOP_EFFECT_MEMORY)
         for (uint32_t row = own; row < s->p->head.kept_rows; row++)
            read_row(s, row);
      return;
   }
   for (unsigned c = 0; c < 4 && certain; c++)
      write_row(s, own + AT_RESULT + c);
}

static void
scan_uop(struct scan *s, const struct uop *u, bool certain)
{
   const struct uop_info *info = &uop_infos[u->op];

   certain = certain && !u->when;
   for (unsigned n = 0; n < 3; n++)
      if (u->src[n].kind == UOP_ROW)
         read_row(s, u->src[n].at / COMP_BYTES);
   scan_message(s, u, certain);
   if ((info->result == UOP_RESULT_F || info->result == UOP_RESULT_B) && certain)
      write_row(s, u->dst / COMP_BYTES);
}

static void
scan_step(struct scan *s, const struct at_step *step, bool certain)
{
   for (uint32_t n = 0; n < step->count; n++)
      scan_uop(s, &s->p->code.uops[step->first + n], certain && !step->predicated);
   for (unsigned n = 0; n < 2; n++)
      if (step->operand[n].kind == AT_BOOL_ROW)
         read_row(s, step->operand[n].at / COMP_BYTES);
}

/* What leaves a wave: whole registers. */
static void
scan_outputs(struct scan *s)
{
   const struct at_program *head = &s->p->head;

   for (uint32_t n = 0; n < head->num_outputs; n++)
      for (unsigned c = 0; c < 4 && head->output_mask[n]; c++)
         read_row(s, head->output_row + 4 * n + c);
   if (head->kills_samples)
      read_row(s, head->kill_row);
}

bool
at_find_cleared(struct at_lifted *p)
{
   const uint32_t rows = p->head.num_rows;
   struct scan s = { p, calloc(rows, sizeof(bool)), calloc(rows, sizeof(bool)) };
   bool certain = true; /* every lane comes here before it goes on */

   p->cleared = calloc(rows, sizeof(*p->cleared));
   if (p->cleared && s.written && s.needed) {
      for (uint32_t n = 0; n < p->num_steps; n++) {
         scan_step(&s, &p->steps[n], certain);
         certain &= p->steps[n].control != AT_JUMP && !p->steps[n].end;
      }
      scan_outputs(&s);
      for (uint32_t row = 0; row < rows; row++)
         if (p->pipeline ? s.needed[row] : row < p->head.kept_rows)
            p->cleared[p->num_cleared++] = (uint16_t)row;
   }
   free(s.written);
   free(s.needed);
   return p->cleared;
}
