/* SPDX-License-Identifier: MIT */
/*
 * What the files that lift Cayman's machine code share (lift*.c).
 */
#ifndef ATOLL_SQ_LIFT_H
#define ATOLL_SQ_LIFT_H

#include "sq/program.h"

struct lift {
   struct program *p;
   const struct sq_program_source *source;
   enum cayman_vliw vliw; /* of the words at hand */
   struct uop_builder b;  /* of p->code */
   uint32_t cap_fetches, cap_cfs, cap_consts, cap_tex, cap_vtx, cap_series, cap_groups;
   struct sq_const_ref *consts;
   struct sq_tex_ref *tex;
   struct sq_vtx_ref *vtx;
   uint32_t pc;           /* of the CF instruction being lifted */
   const uint32_t *words; /* of the program or of its fetch subroutine, */
   uint32_t origin;       /* this is the number of its first dword (struct uop); words NULL: the
                           * clause is in neither, and all of it has the program's first */
   bool fetch_shader, latches;
   bool rat_loads; /* NOP_RTN */
   uint8_t rat_op; /* the commutative RAT operation that the program has */
   uint8_t gds_op; /* and that of GDS, + 1 */
   /* What has certainly been written: bit per component, and whether writes are certain now. */
   uint8_t written[128], read_early[128];
   int depth;
   bool unsure;
};

void lift_error(struct lift *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** A constant of the draw, listed once. */
struct uop_operand lift_const(struct lift *l, unsigned bank, uint32_t dword);
void lift_read(struct lift *l, unsigned gpr, unsigned chan);
void lift_write(struct lift *l, unsigned gpr, unsigned chan);
/* The program reaches `burst` + 1 elements of `size` dwords in an array of scratch. */
void lift_scratch(struct lift *l, unsigned base, unsigned array, unsigned burst, unsigned size);
void lift_scatter(struct lift *l); /* the program reads or writes the scatter buffer */
void lift_alu_clause(struct lift *l, const struct cayman_cf *cf, const uint32_t *words,
                     size_t num_dwords, struct sq_cf *out);
void lift_fetch_clause(struct lift *l, const uint32_t *words, unsigned count, struct sq_cf *out);
/** What is loaded before the program: into a clause before all others. */
void lift_inputs(struct lift *l, struct sq_cf *out);
/** When all is lifted: finds lookups that are done at once. */
void lift_series(struct lift *l);

#endif
