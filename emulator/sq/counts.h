/* SPDX-License-Identifier: MIT */
/*
 * What programs execute, counted as the chip would issue it: for each wave of 64 lanes that runs an
 * ALU clause with at least one lane, the clause's groups and the instructions in them (slots;
 * literals are none), whatever executor runs them and however many of the lanes are active.  A
 * clause without lanes is skipped and counts nothing.
 *
 * ATOLL_COUNTS=FILE asks for it: at the device's end, each program that ran adds a line to FILE,
 * tab-separated:
 *
 *    stage  waves  clauses  groups  slots  fetches  gprs  has-groups  has-slots  words
 *
 * `stage` is the hardware's; waves to fetches were executed, its fetch subroutine's included; gprs
 * to words are what the program has: registers, groups and slots, and its dwords in hexadecimal.
 * Programs of equal words in one stage are one program.
 */
#ifndef ATOLL_SQ_COUNTS_H
#define ATOLL_SQ_COUNTS_H

#include <stdatomic.h>
#include <stdint.h>

struct sq_program;
struct sq_program_source;

struct sq_counts {
   _Atomic uint64_t waves, clauses, groups, slots, fetches;
};

/* From any worker. */
static inline void
sq_counts_wave(struct sq_counts *c)
{
   atomic_fetch_add_explicit(&c->waves, 1, memory_order_relaxed);
}

static inline void
sq_counts_alu(struct sq_counts *c, unsigned groups, unsigned slots)
{
   atomic_fetch_add_explicit(&c->clauses, 1, memory_order_relaxed);
   atomic_fetch_add_explicit(&c->groups, groups, memory_order_relaxed);
   atomic_fetch_add_explicit(&c->slots, slots, memory_order_relaxed);
}

static inline void
sq_counts_fetch(struct sq_counts *c, unsigned fetches)
{
   atomic_fetch_add_explicit(&c->fetches, fetches, memory_order_relaxed);
}

/* Of one device.  Not thread-safe: the CP thread's. */
struct sq_counting;

/* NULL without a file name, or on lack of memory. */
struct sq_counting *sq_counting_open(const char *file);

/* Writes the file and frees all counts. */
void sq_counting_close(struct sq_counting *counting);

/* Where `program`, lifted from `source`, counts; lives until the close.  NULL on lack of memory. */
struct sq_counts *sq_counting_of(struct sq_counting *counting,
                                 const struct sq_program_source *source,
                                 const struct sq_program *program);

#endif
