/* SPDX-License-Identifier: MIT */
/*
 * A thread of ATTILA, one value at a time: the reference that the device's executor is compared
 * with.  Written from the document's pseudo-code and apart from the lifter.
 */
#ifndef TESTS_ATTILA_THREAD_H
#define TESTS_ATTILA_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/attila/attila.h"

#define THREAD_REGISTERS 8
#define THREAD_CONSTANTS 300
#define THREAD_VERTICES  5

struct thread {
   uint32_t in[THREAD_REGISTERS][4], out[THREAD_REGISTERS][4], temp[THREAD_REGISTERS][4];
   uint32_t addr[ATTILA_ADDRESSES][4];
   bool pred[ATTILA_PREDICATES];
   int64_t acc[4];
   const uint32_t (*constants)[4]; /* [THREAD_CONSTANTS] */
   const uint32_t (*vertices)[4];  /* [THREAD_VERTICES], of every attribute */
   bool killed, has_depth;
   uint32_t depth;

   /* Of the last result: how far it may be from the truth; 0: these are the bits. */
   double value[4], tolerance[4];
};

/** One instruction that is no jump; its predicate holds. */
void thread_step(struct thread *t, const struct attila_inst *inst);

/** A program of at most `budget` instructions; false if there are more. */
bool thread_run(struct thread *t, const uint32_t *words, unsigned count, unsigned budget);

#endif /* TESTS_ATTILA_THREAD_H */
