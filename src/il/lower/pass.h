/* SPDX-License-Identifier: MIT */
/*
 * What the passes of the legaliser share: the program being read, the one being written, errors.
 *
 * A pass is a function that reads all of l->insts and appends what it makes of it; il_lower() calls
 * those that a program needs, one after the other.  Operands and data of what a pass makes are in
 * the new program's arena.  An instruction that a pass makes has the offset of the one that it is
 * made of.
 */
#ifndef IL_LOWER_PASS_H
#define IL_LOWER_PASS_H

#include <setjmp.h>

#include "il/lower/lower.h"

/* Subroutines and macros on top of each other; a deeper call is skipped (7.14). */
#define LOWER_MAX_CALLS 32

struct il_lower {
   const struct il_target_caps *caps;
   struct il_program *out;
   const struct il_inst *insts; /* what the pass in hand reads */
   uint32_t num_insts, first_main;
   struct il_inst *owned;    /* the same, if it is not the program's that is legalised */
   const struct il_inst *at; /* being legalised, or NULL */
   uint32_t next_temp, next_literal;
   uint32_t expansions;

   /* Components that are left of the temp for scalars (formula.h). */
   uint32_t scalar_temp;
   unsigned scalar_room;

   /* Constants in literals that the finished program declares in front. */
   struct lower_literal {
      uint32_t num; /* of the register */
      unsigned count;
      uint32_t bits[4];
   } * literals;
   uint32_t num_literals, cap_literals;
   /* The bits of those that the program itself declares, by number; NULL until a formula asks. */
   const uint32_t **declared;
   uint32_t num_declared;

   struct il_error *err;
   jmp_buf failed;
};

/* --- lower.c --- */
/** Ends the legalisation with a message. */
void __attribute__((noreturn, format(printf, 2, 3)))
lower_fail(struct il_lower *l, const char *format, ...);
/** Zeroed memory of the new program. */
void *lower_alloc(struct il_lower *l, size_t bytes);
/** Counts what may be nothing but more of itself. */
void lower_count_expansion(struct il_lower *l);

/* --- emit.c --- */
/** Changes a reference of a copy; the copy's own index has been changed. */
typedef void lower_ref_fn(struct il_lower *l, struct il_ref *r, void *data);
typedef void lower_visit_fn(const struct il_ref *r, void *data);
/** Appends an instruction as it is. */
struct il_inst *lower_add(struct il_lower *l, const struct il_inst *inst);
/** Appends a copy, its references changed. */
void lower_copy_inst(struct il_lower *l, const struct il_inst *from, lower_ref_fn *fn, void *data);
struct il_src lower_copy_src(struct il_lower *l, const struct il_src *from, lower_ref_fn *fn,
                             void *data);
struct il_dst lower_copy_dst(struct il_lower *l, const struct il_dst *from, lower_ref_fn *fn,
                             void *data);
/** All references of an instruction, second dimensions and indices included. */
void lower_visit_refs(const struct il_inst *inst, lower_visit_fn *fn, void *data);

void lower_emit(struct il_lower *l, unsigned op, unsigned ctl, const struct il_dst *dst,
                unsigned nsrc, const struct il_src *src);
/** An instruction without operands, with a condition, or to components of a temp. */
void lower_flow(struct il_lower *l, unsigned op);
void lower_if(struct il_lower *l, unsigned op, struct il_src condition);
void lower_op(struct il_lower *l, unsigned op, unsigned ctl, uint32_t num, unsigned mask,
              unsigned nsrc, struct il_src a, struct il_src b, struct il_src c);
/** These bits in all components. */
struct il_src lower_bits(struct il_lower *l, uint32_t bits);
/** An index for a reference. */
struct il_src *lower_index(struct il_lower *l, struct il_src index);
/** Lets a temp index what a# or aL indexed. */
void lower_index_ref(struct il_lower *l, struct il_ref *r, struct il_src index);

static inline struct il_src
lower_temp(uint32_t num, unsigned comp)
{
   return il_replicate(il_src(IL_REGTYPE_TEMP, num), comp);
}

static inline struct il_dst
lower_temp_dst(uint32_t num, unsigned mask)
{
   return il_dst_masked(il_dst(IL_REGTYPE_TEMP, num), mask);
}

/* --- the passes, in their order --- */
void lower_place_registers(struct il_lower *l);
void lower_expand_macros(struct il_lower *l);
void lower_select_bodies(struct il_lower *l);
void lower_inline_calls(struct il_lower *l);
void lower_repeat_phases(struct il_lower *l);
void lower_count_loops(struct il_lower *l);
void lower_move_addresses(struct il_lower *l);
void lower_load_globals(struct il_lower *l);
void lower_apply_modifiers(struct il_lower *l);
void lower_name_resources(struct il_lower *l);
void lower_address_owners(struct il_lower *l);
void lower_sample_levels(struct il_lower *l);
void lower_expand(struct il_lower *l);
/** Has an instruction modifiers that are not of the core? */
bool lower_has_modifiers(const struct il_inst *inst);
/** Does an instruction name a texture stage? */
bool lower_is_stage(const struct il_inst *inst);
/** Is an opcode of this group expanded for a target? */
bool lower_expands(const struct il_target_caps *caps, enum il_core core);

#endif
