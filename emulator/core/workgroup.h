/* SPDX-License-Identifier: MIT */
/*
 * Work groups of compute programs.
 *
 * The threads of a group are numbered x first; 64 of them make a wave, so a group of fewer has a
 * wave of fewer lanes.  A group runs on one thread of the host, one wave after the other up to the
 * next barrier; a wave that has ended is not waited for.  Its LDS is zero at the start.
 */
#ifndef ATOLL_CORE_WORKGROUP_H
#define ATOLL_CORE_WORKGROUP_H

#include <stddef.h>

#include "core/core.h"

#define CORE_GROUP_THREADS 2048u /* more than software may ask for */
#define CORE_GROUP_WAVES   (CORE_GROUP_THREADS / WAVE_LANES)

struct core_workgroup;

/* What the groups of a dispatch have in common. */
struct core_dispatch {
   const struct core_bind *bind;
   uint32_t block[3];            /* threads of a group */
   uint32_t groups[3], first[3]; /* how many, and where the first one is */
   uint32_t threads, waves;      /* of a group; core_dispatch_size() */
   uint32_t num_rows;            /* of a wave's storage */
   uint32_t lds_bytes;
   uint32_t submission, number; /* of the dispatch, in a wave's identity */
   uint32_t slots;              /* that core_wave.slot of a group's waves may use */

   /* Cycles that all waves together may run, and have run; NULL: each as many as its bind says.
    * For dispatches that run on one thread. */
   uint64_t limit, *spent;

   /* Called when a wave has ended. */
   void (*ended)(void *context, const struct core_workgroup *group, const struct core_wave *wave);
};

/* A group in flight, and storage for its waves. */
struct core_workgroup {
   /* Of the group that runs. */
   uint64_t number;
   uint32_t place[3];
   struct core_group shared;
   uint32_t first_slot;
   uint32_t fresh;   /* waves that have not begun */
   uint32_t live;    /* that have not ended */
   uint32_t barrier; /* that wait at a barrier of the group */
   /* The launcher's, which says what each of its waves may cost; NULL: no limit.  Set before
    * it begins. */
   struct core_watch *watch;
   struct core_wave wave[CORE_GROUP_WAVES];

   /* Storage. */
   unsigned num_waves; /* that there is room for */
   uint32_t num_rows;
   wave_lane *rows;
   uint8_t *state;
   size_t state_bytes; /* of a wave */
   uint8_t *scratch;   /* NULL before the first program that needs it */
   uint64_t scratch_bytes;
   uint8_t *lds;
   struct core_outputs *outputs;
};

/** Counts threads and waves of a group; false: there are none, or too many. */
bool core_dispatch_size(struct core_dispatch *dispatch);

/** Makes storage for one of the dispatch's groups, or makes it larger; false: out of memory. */
bool core_workgroup_reserve(struct core_workgroup **group, const struct core_dispatch *dispatch);
void core_workgroup_free(struct core_workgroup *group);

/** Readies group `number` of the dispatch, x first. */
void core_workgroup_begin(struct core_workgroup *group, const struct core_dispatch *dispatch,
                          uint64_t number, uint32_t first_slot);

/** Runs a group's waves, in rounds, up to barriers and ends.  False: it has not ended, because all
 *  waves wait for other groups; *moved is set if one of them got further before. */
bool core_workgroup_run(struct core_workgroup *group, const struct core_dispatch *dispatch,
                        void *context, bool *moved);

#endif
