/* SPDX-License-Identifier: MIT */
/* Between what records steps (trace.c) and what finds a value in them (slice.c). */
#ifndef ATOLL_TOOLS_TRACE_INTERNAL_H
#define ATOLL_TOOLS_TRACE_INTERNAL_H

#include "core/core.h"
#include "listing.h"
#include "trace.h"

#define TRACE_NONE    UINT32_MAX
#define TRACE_SOURCES 16u
#define TRACE_RESULTS 8u

/* What is no row of registers and holds values all the same. */
enum {
   TRACE_ADDRESS = CORE_WAVE_ROWS, /* AR */
   TRACE_PREDICATE,
   TRACE_NOWHERE, /* of exports: their value */
   TRACE_QUEUE,   /* of LDS: 64 entries of A and B */
};

enum trace_kind { TRACE_OP, TRACE_LOAD, TRACE_EXPORT, TRACE_STORE };

/* What of a step is followed: all, or one of what it loads or stores. */
#define TRACE_DATA  8u
#define TRACE_PARTS (1 + TRACE_DATA)

struct trace_step {
   uint64_t number; /* in the order of all waves' */
   uint64_t lanes;  /* that write results */
   uint32_t origin, group;
   uint8_t kind;         /* enum trace_kind */
   uint8_t role;         /* of an export: enum core_role, */
   uint16_t part;        /* and which component of which */
   uint16_t input;       /* component of an input that it interpolates, + 1; or 0 */
   bool tests;           /* its result is a predicate, too */
   bool branches, kills; /* it changes which lanes run, or are covered */
   bool gathers;         /* `rows` are sources, not results */
   bool accesses;        /* memory, as trace_access has it */
   uint8_t num_src, num_dst, num_constants;
   uint16_t src[TRACE_SOURCES], dst[TRACE_RESULTS];
   uint32_t constant[3];
   /* Of a store: the rows that go to memory, TRACE_NOWHERE: none; `src` is where. */
   uint8_t num_data;
   uint16_t data[TRACE_DATA];
   uint32_t results; /* in trace.values: those of the first dst, 64 lanes, and so on */
   uint32_t rows;    /* the same: a row a lane; or TRACE_NONE */
   uint32_t barriers;

   /* Of loads: what the resource is. */
   bool described, is_texture, lds;
   uint32_t number_of, stride, width, height;
   uint64_t va;
   bool has_sampler;
   uint8_t wrap[3], mag, min, mip; /* as of struct sampler */
};

struct trace_access;

struct trace_wave {
   struct core_identity id;
   uint32_t program, first_vertex;
   uint64_t active;
   struct trace_step *steps;
   uint32_t num_steps, cap_steps;
   struct trace_access *reads;
   uint32_t num_reads, cap_reads;
   uint64_t (*visited)[TRACE_PARTS]; /* lanes of each step, while a value is followed */

   /* While it runs. */
   uint32_t barriers;
   uint32_t open;        /* the load that has begun; or TRACE_NONE */
   uint32_t last_store;  /* the same of a store */
   uint32_t first_of_op; /* step of the micro-operation at hand */
   uint32_t ring_end, ring_next;
   uint8_t ring_lane;
};

struct trace_access {
   struct trace_wave *wave;
   uint32_t step;
   uint64_t number;
   uintptr_t host;
   uint64_t address;
   uint32_t bytes;
   uint64_t value;
   uint8_t lane, how, memory;
   uint8_t part; /* which of the step's data a write is of, + 1; 0: all */
};

struct trace_program {
   uint64_t va;
   uint32_t words, submission;
   bool listed;
   struct listing listing;
};

struct trace {
   struct core_observer observer;
   struct {
      uint32_t submission, draw, batch, tile;
   } wanted[TRACE_DRAWS];
   unsigned num_wanted;
   bool lost;
   size_t bytes;
   uint64_t number;
   struct trace_wave **waves;
   struct trace_program *programs;
   struct trace_access *writes; /* of all waves, and what both reads and writes */
   uint32_t *values;
   uint32_t num_waves, cap_waves, num_programs, cap_programs, num_writes, cap_writes;
   uint32_t num_values, cap_values;
};

#endif
