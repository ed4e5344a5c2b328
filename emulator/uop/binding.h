/* SPDX-License-Identifier: MIT */
/*
 * What binding takes and gives, for code outside the kernels.
 */
#ifndef ATOLL_UOP_BINDING_H
#define ATOLL_UOP_BINDING_H

#include "uop/uop.h"

struct bound_uop;
struct uop_native_pool; /* uop/native_map.h */

/* A bound program. */
struct uop_bound {
   struct bound_uop *uops;
   uint32_t num_uops, cap_uops;
   void *native; /* machine code, or NULL */
   uint32_t native_bytes;
   struct uop_native_pool *pool; /* where it is; NULL: it has pages of its own */
};

/* What is to be bound: a run for waves of which all lanes run, and one for others. */
struct uop_binding {
   struct uop_run plain, masked; /* in: of struct uop_code; out: of struct uop_bound */
   bool native;                  /* may be machine code: both are made from `masked` */
   bool diverges;                /* lanes may become inactive */
   bool joins;       /* always runs right after the one before it: their machine code may be one */
   uint32_t kept[2]; /* temporaries (components) that are live-out, or UINT32_MAX */
   /* Bit per component: not live-out; NULL: that is not known. */
   const uint64_t *dead;
};

/* Bindings in the order that they run in, with the branches and a loop among them, that may become
 * one function: then each vector of lanes goes through it for itself. */
enum uop_step_kind {
   UOP_STEP_CODE,
   UOP_STEP_TEST, /* lanes that fail a predicate of the code before: `op` says what becomes of them */
   UOP_STEP_PUSH, /* a branch, EXEC_FRAMES in each other at most */
   UOP_STEP_ELSE,
   UOP_STEP_POP,
   UOP_STEP_LOOP,
   UOP_STEP_END,
};

struct uop_step {
   uint8_t kind;     /* enum uop_step_kind */
   uint8_t op;       /* of TEST: enum uop_fail */
   uint32_t binding; /* of CODE */
};

struct uop_region {
   const struct uop_step *steps;
   uint32_t num_steps;
   bool diverges; /* see struct uop_binding */
   /* Out: there is code, and where it starts. */
   bool made;
   uint32_t plain, masked;
};

struct uop_regions {
   struct uop_region *regions;
   uint32_t count;
};

struct uop_bind_options {
   bool native;                   /* make machine code where it is known how */
   bool dx10_clamp;               /* see struct exec */
   uint32_t first_temp, end_temp; /* components that are not live-out of a run of native code */
   uint32_t temp_life; /* but within so many micro-operations of the same run; 0: to its end */
   uint32_t wide_from; /* runs this long may take several vectors at a time; 0: as is best */
   struct uop_native_pool *pool; /* for machine code, which must outlive it; NULL: own pages */
};

#endif
