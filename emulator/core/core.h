/* SPDX-License-Identifier: MIT */
/*
 * The shader core as the pipeline sees it.
 *
 * SPI, VGT and the dispatcher launch waves without knowing an instruction set.  A program says what
 * it needs and what can be seen of it (struct core_program).  A launcher fills the rows of the
 * entry values that the program takes (struct core_entry), a bind has what the wave reads besides
 * them, and the program's engine runs it: Cayman's mask stack (sq/run.c, also
 * for IL that runs directly), Valhall's PC a lane (valhall/run.c), ATTILA's predicates
 * (attila/run.c).  What leaves a wave is in its outputs, its rings, its group's memory and the
 * memory that its bind names.
 *
 * Programs and binds begin with a head that all may read.  What an instruction set has of its own
 * follows the head, and is its engine's.
 */
#ifndef ATOLL_CORE_H
#define ATOLL_CORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lanes.h"

struct core_bind;
struct core_engine;
struct core_observer;
struct core_rings;
struct exec;
struct pool;
struct tile;
struct uop;
struct uop_code;

/* ---- Programs ---- */

/* Stages as a graphics interface names them.  Where the hardware runs them under another name, that
 * is the instruction set's (enum sq_stage). */
enum core_stage {
   CORE_VERTEX,     /* alone before PA or the geometry shader */
   CORE_LOCAL,      /* vertices of patches */
   CORE_CONTROL,    /* tessellation control: hull */
   CORE_EVALUATION, /* tessellation evaluation: domain */
   CORE_GEOMETRY,
   CORE_COPY, /* emitted vertices of a geometry shader, read back from its ring */
   CORE_PIXEL,
   CORE_COMPUTE,
   CORE_STAGES,
};

/* The head of a lifted program. */
struct core_program {
   const struct core_engine *engine; /* of the kernel build that it is bound to; NULL: none yet */
   const char *error;                /* NULL, or why it cannot run (its waves fault at once) */
   uint32_t error_place;
   uint32_t words_used;       /* dwords of the code, for messages and the cache */
   uint32_t fetch_words_used; /* of what vertex fetches are described by */
   uint64_t va;               /* of the code, for messages; 0: it has none */
   bool counted;              /* what it executes is counted: every wave has to run */
   bool uses_kill;
   bool writes_memory; /* by more than its outputs and rings */
   /* The order of its writes can be seen: it stores, or reads back what an operation returned. */
   bool ordered;
   bool reads_slot; /* which wave runs beside it: must not be seen to differ (core_wave.slot) */
   bool uses_barrier;
   bool uses_global_sync; /* its waves wait for those of other groups */
   bool uses_scratch;
   uint32_t scratch_dwords; /* of a lane, that it can name; UINT32_MAX: what the registers give */
   bool lane_varying;       /* pixels: reads an entry value or parameter (false: one result) */
   bool needs_helpers;      /* pixels: derivatives or implicit LOD: helper lanes must run */
   bool loads_tile;         /* pixels: reads what is drawn where it is (kernels.tile_load) */
   bool stores_tile;        /* pixels: has struct core_stores */
   /* Rows from 0 on that its instructions name as registers, of an engine that tells an observer of
    * all that changes rows (core_observer.moved); 0: it does not. */
   uint16_t registers;
};

/* ---- Entry values ---- */

/* What a launcher can put into a wave's rows, a value to a row. */
enum core_value {
   CORE_VERTEX_INDEX,
   CORE_INSTANCE,
   CORE_PRIMITIVE,
   CORE_LANE,         /* number in the wave */
   CORE_GROUP_VERTEX, /* of the patches of a work group */
   CORE_PATCH,        /* of the work group */
   CORE_CONTROL_POINT,
   CORE_FACTORS, /* where those of the group go, bytes */
   CORE_DOMAIN_U,
   CORE_DOMAIN_V,
   CORE_RING_VERTEX, /* six: dword in the ring where the primitive's vertices start */
   CORE_INVOCATION = CORE_RING_VERTEX + 6,

   /* Barycentrics i and j of each pair; see enum core_pair. */
   CORE_BARYCENTRIC,
   CORE_POSITION = CORE_BARYCENTRIC + 12, /* x, y (pixel centre), z, w */
   CORE_FACE = CORE_POSITION + 4,         /* +1 front, -1 back */
   CORE_COVERAGE,                         /* mask of samples */
   CORE_COVERED,                          /* how many those are */
   CORE_PIXEL_X,                          /* integers */
   CORE_PIXEL_Y,
   CORE_SAMPLE,
   CORE_LAYER, /* of the target that the primitive goes to */

   CORE_THREAD,                      /* x, y, z in its group */
   CORE_THREAD_XY = CORE_THREAD + 3, /* both in one value, 16 bits each */
   CORE_GROUP,                       /* x, y, z */
   CORE_GLOBAL = CORE_GROUP + 3,     /* x, y, z of the thread among all */
   CORE_NUMBER = CORE_GLOBAL + 3,    /* of the thread among all, group by group */
   CORE_VALUES,
};

enum core_pair {
   CORE_PERSP_SAMPLE,
   CORE_PERSP_CENTER,
   CORE_PERSP_CENTROID,
   CORE_LINEAR_SAMPLE,
   CORE_LINEAR_CENTER,
   CORE_LINEAR_CENTROID,
   CORE_PAIRS,
};

#define CORE_WAVE_ROWS  576u /* of a wave's storage, temporaries included */
#define CORE_ENTRY_ROWS 512u /* of them, that may hold entry values */

/* Which row takes which value. */
struct core_entry {
   uint16_t place[CORE_VALUES];           /* row + 1; 0: the program does not take it */
   uint64_t filled[CORE_ENTRY_ROWS / 64]; /* bit per row: holds a value when the wave starts */
};

/* Where a chip puts the values of pixels and threads for programs that cannot say it themselves:
 * the first row of each, or CORE_NO_ROW. */
#define CORE_NO_ROW UINT16_MAX
struct core_layout {
   uint8_t pairs;      /* bit per enum core_pair: i and j of those that are set, */
   uint16_t pairs_row; /* from this row on */
   uint16_t position;  /* x, y, z, w */
   uint16_t face;      /* and two rows on, the coverage */
   uint16_t pixel;     /* x and y as integers, and three rows on, the sample */
   uint16_t thread, group;
};

/* One with all rows filled, by a launcher that names no values. */
extern const struct core_entry core_entry_all;

/** Adds a value; of two in one row, whichever the launcher writes last is there. */
static inline void
core_entry_take(struct core_entry *entry, unsigned value, unsigned row)
{
   if (row < CORE_ENTRY_ROWS) {
      entry->place[value] = (uint16_t)(row + 1);
      entry->filled[row / 64] |= UINT64_C(1) << row % 64;
   }
}

static inline bool
core_entry_filled(const struct core_entry *entry, unsigned row)
{
   return row < CORE_ENTRY_ROWS && entry->filled[row / 64] >> row % 64 & 1;
}

/** The row that takes a value; NULL: none. */
static inline uint32_t *
core_entry_row(const struct core_entry *entry, wave_lane *rows, unsigned value)
{
   return entry->place[value] ? rows[entry->place[value] - 1] : NULL;
}

/* ---- What a wave reads ---- */

struct core_stream_buffer {
   uint8_t *base; /* NULL: writes are dropped */
   uint64_t bytes;
   uint32_t stride; /* bytes per vertex */
   uint64_t offset; /* bytes added to vertex * stride */
};

/* The head of what all waves of one stage of a draw read. */
struct core_bind {
   const struct core_program *program;
   const struct core_entry *entry;
   uint64_t budget;        /* cycles of a wave; see core_wave.budget */
   uint64_t clock;         /* what a wave's own time counts from */
   uint32_t scratch_bytes; /* per lane, of the launcher's storage */
   struct core_stream_buffer stream[4];
   const struct core_observer *observer; /* looks at its waves; NULL: they run at full speed */
};

/* ---- What a wave may cost ---- */

/* What a worker's waves may cost.  Its launcher sets `cycles`; another thread may end what is under
 * way at any time, for the submission's time is used up. */
struct core_watch {
   atomic_bool expired;      /* nothing more is to be done; engines look between instructions */
   _Atomic(uint64_t *) loop; /* what a loop that runs as machine code compares its count with */
   uint64_t cycles;          /* of a wave */
};
#define CORE_CYCLES_MAX (UINT64_MAX / 2) /* no limit: sums of it and costs do not overflow */

/* The other thread has the loop's limit at hand; nobody's. */
#define CORE_LOOP_TAKEN ((uint64_t *)(uintptr_t)8)

static inline bool
core_expired(const struct core_watch *watch)
{
   return watch && __builtin_expect(atomic_load_explicit(&watch->expired, memory_order_relaxed), 0);
}

/** A loop of machine code begins; it goes on while its count is at most *limit, which it reads each
 *  time.  `watch` may be NULL. */
static inline void
core_loop_begin(struct core_watch *watch, uint64_t *limit)
{
   if (watch)
      atomic_store_explicit(&watch->loop, limit, memory_order_release);
}

/** It has ended: from here on nobody writes *limit. */
static inline void
core_loop_end(struct core_watch *watch, uint64_t *limit)
{
   uint64_t *seen = limit;

   if (!watch || atomic_compare_exchange_strong(&watch->loop, &seen, NULL))
      return;
   while (atomic_load_explicit(&watch->loop, memory_order_acquire)) {
      /* Two stores of the other thread's. */
   }
}

/** The other thread: ends what the worker does.  To be called again until nothing is under way: a
 *  loop that is about to begin is not seen. */
static inline void
core_expire(struct core_watch *watch)
{
   uint64_t *limit;

   atomic_store(&watch->expired, true);
   limit = atomic_load(&watch->loop);
   if (!limit || !atomic_compare_exchange_strong(&watch->loop, &limit, CORE_LOOP_TAKEN))
      return;
   __atomic_store_n(limit, 0, __ATOMIC_RELAXED);
   atomic_store_explicit(&watch->loop, NULL, memory_order_release);
}

/* ---- Waves ---- */

/* What a wave exported.  Arrays are valid for lanes of the mask beside them. */
struct core_outputs {
   /* Vertices: positions (what else is in 1 to 3, PA's registers say) and parameters; bit n of
    * *_written: the array was exported. */
   wave_lane pos[4][4];
   wave_lane param[32][4];
   uint32_t pos_written, param_written;
   /* Pixels: colours; z: x depth, y stencil, z sample mask. */
   wave_lane mrt[8][4];
   wave_lane z[4];
   /* Components of colours that were left in the wave's rows (core_wave.keeps_rows), else NULL. */
   const uint32_t *left[8][4];
   uint32_t mrt_written, z_written;
   /* Those that have a depth of their own in z[0], if the draw takes it from there: all, but of
    * ATTILA's those that say so. */
   uint64_t depth_lanes;
   /* Of each colour (and z at index 8), which of the four components were not masked out. */
   uint8_t component_mask[9];
   /* Lanes that were active and valid at the last pixel export. */
   uint64_t lanes;
};

/* A component of a colour that was exported. */
static inline const uint32_t *
core_color(const struct core_outputs *e, unsigned target, unsigned component)
{
   const uint32_t *left = e->left[target][component];

   return left ? left : e->mrt[target][component];
}

/* What the pixels of a wave stored to samples of colour targets.  They are written as a colour is
 * that was exported, but for blending, and instead of one: after all tests, under the target's
 * mask. */
#define CORE_STORE_TARGETS 8u
#define CORE_STORE_SAMPLES 8u
struct core_stores {
   uint64_t any[CORE_STORE_TARGETS]; /* lanes that stored to a sample of the target */
   uint64_t lanes[CORE_STORE_TARGETS][CORE_STORE_SAMPLES];
   wave_lane value[CORE_STORE_TARGETS][CORE_STORE_SAMPLES][4]; /* of those lanes */
};

/* LDS of a work group: none has more. */
#define CORE_LDS_BYTES 32768u

/* What the waves of a work group share.  The launcher owns the storage; a group's waves run on one
 * thread. */
struct core_group {
   uint8_t *lds; /* of this group; NULL: none */
   uint32_t lds_bytes;
   /* Where in lds a lane's address 0 is, in bytes; lds_bytes counts from there.  For waves that
    * hold several groups of patches.  NULL: 0. */
   const uint32_t *lane_base;
   void *observed; /* the observer's, of this group; launchers clear it */
   uint8_t *tf;    /* control: where tessellation factors go, NULL: dropped */
   uint32_t tf_bytes;
   uint32_t num_waves; /* waves of the group */
};

/* A wave's name: it does not depend on how many threads there are, and no other wave of the
 * submission has it. */
struct core_identity {
   uint32_t submission; /* since the device was made */
   uint32_t draw;       /* or dispatch, of the submission */
   uint32_t round;      /* of a draw that draws its primitives so many at a time */
   uint32_t part;       /* batch of vertices, tile (y << 16 | x), or group */
   uint32_t wave;       /* in it */
   uint8_t stage;       /* enum core_stage */
};

/* What an engine need not find anew in each of a draw's waves; storage of the launcher's, which
 * clears `ready` before a wave that differs from the one before in more than lanes, coefficients
 * and what is in its rows, and until then leaves outputs as they are, `lanes` aside.  The engine
 * sets it, or not.  It finds addresses anew for each wave, so that a copy of the state at another
 * address, and rows at another, do as well. */
#define CORE_KEPT_BYTES (192u << 10)
struct core_kept {
   bool ready;
   uint8_t state[CORE_KEPT_BYTES] __attribute__((aligned(64)));
};

struct core_wave {
   wave_lane *rows; /* [CORE_WAVE_ROWS], or what the program says; 64-aligned.  Never read
                       uninitialised: the engine clears what the program may read and nobody
                       wrote */
   uint64_t valid;  /* in: covered lanes; out: those not killed */
   uint64_t active; /* in: lanes to run (covered lanes and helpers of their quads) */
   const struct core_bind *bind;
   struct core_outputs *outputs;
   /* The launcher leaves the rows as they are until it has read the outputs: colours may stay in
    * them. */
   bool keeps_rows;

   struct core_kept *kept; /* NULL: the engine begins anew */

   const struct tile *tile;    /* pixels: where they are drawn */
   struct core_stores *stores; /* of a program with stores_tile */

   /* Pixels: per quad that has lanes, [input][component] coefficients of its primitive, inputs
    * numbered as the program's.  `one_primitive`: all quads share coef[0]. */
   const struct spi_coef (*coef[WAVE_QUADS])[4];
   bool one_primitive;

   /* Streamout: lanes that may write, and their vertex slot in the buffers. */
   uint64_t stream_lanes;
   wave_lane stream_vertex;

   struct core_group *group; /* NULL: none */
   uint32_t wave_in_group;
   struct core_rings *rings; /* core/rings.h; NULL: writes and emitted vertices are dropped */

   struct core_identity identity;
   uint32_t first_vertex; /* of vertices that PA takes: number in the batch of lane 0's */
   /* HW_WAVE_ID, below 256: waves that run at the same time have different ones, so that each has
    * a slot in the buffers that memory operations return to.  A program that reads it must
    * not see how many threads there are: if it writes memory its waves run on one thread, in order
    * (but with ATOLL_ORDER=relaxed), if not it reads 0. */
   uint32_t slot;

   /* Scratch storage, private to the worker: scratch_bytes per lane. */
   uint8_t *scratch;
   uint32_t scratch_bytes;

   /* Cycles that it may have run when it stops; 0: what its bind says.  A launcher may change it
    * before core_resume(). */
   uint64_t budget;
   struct core_watch *watch; /* ends it at any time; NULL: nobody does */

   void *observed; /* the observer's, of this wave */

   /* Out. */
   uint64_t cycles; /* static cost of what ran */
   uint32_t synced; /* of its own, how many it got past */
   bool faulted;    /* budget exhausted or illegal instruction; `fault` says what */
   bool cut;        /* faulted, for its cycles or its submission's time are used up */
   const char *fault;
   uint32_t fault_place; /* CF index, or instruction */
   uint32_t origin;      /* of one that is stopped: the instruction that it is about to run, */
   uint64_t at_origin;   /* and the lanes that run it */
};

/* Cycles that the wave may take: its own, or the draw's. */
static inline uint64_t
core_budget(const struct core_wave *wave)
{
   return wave->budget ? wave->budget : wave->bind->budget;
}

/* The wave ends where it is, for what it may cost is used up: `why`, unless it is time. */
static inline const char *
core_cut(struct core_wave *wave, const char *why)
{
   wave->cut = true;
   return core_expired(wave->watch) ? "the time of the submission is used up" : why;
}

/* The state that the engine kept of the wave before, if this one finds it ready; else NULL. */
static inline void *
core_kept_state(const struct core_wave *wave)
{
   return wave->kept && wave->kept->ready && wave->active ? wave->kept->state : NULL;
}

/* ---- Engines ---- */

/* The fault of a wave that waits for another one's synchronisation and is alone. */
#define CORE_WAITS_ALONE "waits for a wave that does not run beside it"

/* What a wave came to when it was resumed. */
enum core_stop {
   CORE_DONE,
   CORE_BARRIER, /* waits at a barrier of its group */
   CORE_WAITING, /* waits for another wave's global synchronisation */
   CORE_STOPPED, /* is about to run an instruction that its observer wants to see */
   CORE_FAULT,   /* core_wave.fault says which */
};

/* Memory that lanes reach. */
#define CORE_MEMORIES(X)                                                        \
   X(SPACE)     /* the address space: addresses are virtual */                  \
   X(BUFFER)    /* what a fetch has elements of */                              \
   X(TEXTURE)   /* of texels that a sampler chooses, address and bytes are 0 */ \
   X(TARGET)    /* random access targets */                                     \
   X(RETURNS)   /* what operations on a target return */                        \
   X(CONSTANTS) /* of a buffer, where a lane has an index of its own */         \
   X(LDS)                                                                       \
   X(GDS)                                                                       \
   X(COUNTERS) /* append counters */                                            \
   X(SCRATCH)                                                                   \
   X(RING)                                                                      \
   X(STREAM)                                                                    \
   X(SCATTER)                                                                   \
   X(FACTORS) /* of tessellation */
enum core_memory {
#define X(name) CORE_MEMORY_##name,
   CORE_MEMORIES(X)
#undef X
      CORE_MEMORY_COUNT,
};

/* One access of one lane, as its instruction asks for it, whether or not memory has it. */
enum { CORE_READS = 1, CORE_WRITES = 2 }; /* both: atomically */
struct core_access {
   uint8_t memory; /* enum core_memory */
   uint8_t how;    /* CORE_READS and CORE_WRITES */
   uint8_t lane;
   uint32_t number;  /* of the buffer, texture, target, ring or stream, where there are several */
   uint64_t address; /* bytes from its start */
   uint32_t bytes;
   bool image;       /* its elements are an image's */
   uint64_t limit;   /* bytes that there are; CORE_NO_LIMIT: not known */
   uint64_t value;   /* of a plain write: equal values have equal numbers */
   const void *host; /* of memory that may be accessed under other numbers, too: where it is */
};
#define CORE_NO_LIMIT UINT64_MAX

/** "LDS", "TARGET" and so on. */
const char *core_memory_name(unsigned memory);

/* What an instruction that is no micro-operation does with the values of a row. */
enum core_role {
   CORE_ROLE_INDEX,      /* takes an address from it */
   CORE_ROLE_COORDINATE, /* takes a texture's coordinate from it */
   CORE_ROLE_LOADED,     /* has put what it loaded there */
   CORE_ROLE_STORED,     /* writes them to memory, */
   CORE_ROLE_TARGET,     /* at an address that is in the row */
   CORE_ROLE_COLOR,      /* exports them */
   CORE_ROLE_DEPTH,
   CORE_ROLE_POSITION,
   CORE_ROLE_PARAMETER, /* to the pixel program */
   CORE_ROLE_RING,      /* to the next stage, in a ring */
   CORE_ROLE_BRANCH,    /* decides on them where the wave goes, or which lanes go on */
   CORE_ROLES,
};

/* What looks at a wave while it runs.  An instruction has an origin: the number of the machine word
 * that it begins with (core_engine.origin says what is counted), or of IL's instruction.  An
 * observed wave runs each micro-operation as it was lifted, none left out and none joined with
 * another, and leaves the same bits as at full speed. */
struct core_observer {
   /* Whether the wave stops before an instruction.  NULL: it does not. */
   bool (*stops)(void *data, const struct core_wave *wave, uint32_t origin);
   /* Called at each stop by core_run() and by what runs work groups.  It may look at the wave
    * (core_look()), which goes on when it returns.  NULL: nothing is called. */
   void (*stopped)(void *data, const struct core_wave *wave, const void *state);
   /* Called for each access to memory, lanes in ascending order, while the instruction that is at
    * wave->origin runs.  NULL: nothing is called. */
   void (*accessed)(void *data, const struct core_wave *wave, const struct core_access *access);
   /* The next four are called together or not at all, and `accessed` with them.  A wave is about to
    * run, and has ended.  NULL: nothing is called. */
   void (*begins)(void *data, struct core_wave *wave);
   void (*ends)(void *data, struct core_wave *wave);
   /* Each micro-operation of an instruction, before it is executed and when it is `done`. */
   void (*micro)(void *data, const struct exec *x, const struct uop_code *code, const struct uop *u,
                 bool done);
   /* What else takes values from rows, and puts some there: enum core_role.  `part`: of what is
    * exported, four times the export's number, and the component; of others, 0. */
   void (*moved)(void *data, const struct core_wave *wave, unsigned role, unsigned part,
                 uint32_t row, uint64_t lanes);
   void *data;
};

/* The observer, if it wants to know of accesses; else NULL. */
static inline const struct core_observer *
core_watcher(const struct core_observer *until)
{
   return until && until->accessed ? until : NULL;
}

enum core_seen_kind {
   CORE_SEEN_ROW,      /* a value a lane: `row` */
   CORE_SEEN_MASK,     /* a bit a lane: `mask` */
   CORE_SEEN_CONSTANT, /* one value for all lanes: `value` */
};

/* A part of a wave's state, under the name that the instruction set has for it. */
struct core_seen {
   char name[24];
   uint8_t kind;        /* enum core_seen_kind */
   const uint32_t *row; /* [WAVE_LANES] */
   uint64_t mask;
   uint32_t value;
};

/* For engines: what a part is. */
void core_seen_row(struct core_seen *seen, const char *name, const uint32_t *row);
void core_seen_mask(struct core_seen *seen, const char *name, uint64_t mask);
void core_seen_value(struct core_seen *seen, const char *name, uint32_t value);

/* What runs the programs of an instruction set, in one kernel build. */
struct core_engine {
   const char *name;   /* of the instruction set */
   const char *place;  /* what core_wave.fault_place counts */
   const char *origin; /* what core_wave.origin counts */
   size_t state_bytes; /* of core_start()'s state */
   /* Where a program of a stage finds its entry values, in a chip that has them so: NULL, for
    * stages and programs that do not depend on it.  It may be put into *room. */
   const struct core_entry *(*entry)(const struct core_program *program, enum core_stage stage,
                                     const struct core_layout *layout, struct core_entry *room);
   bool (*start)(void *state, struct core_wave *wave);
   enum core_stop (*resume)(void *state, struct core_wave *wave, const struct core_observer *until);
   bool (*look)(const void *state, const struct core_wave *wave, uint32_t n,
                struct core_seen *seen);
   void (*run)(struct core_wave *wave);
   /* A copy, from `pool`, of a bind: fetches from the ring of its stage read `ring` of the
    * launcher's instead; NULL: no memory. */
   struct core_bind *(*with_ring)(const struct core_bind *bind, const uint32_t *ring,
                                  uint64_t dwords, struct pool *pool);
   const struct core_engine *inner; /* of one that checks another (step.h): that one */
};

/* Makes a wave ready to run up to stops, for groups of waves that wait for each other and for
 * observers.  `state` is storage of engine->state_bytes, 64-aligned, that holds the wave's state in
 * between.  It keeps no address: core_resume() finds all of them in `wave`, so that a copy of the
 * state, of the wave's rows and of its group's memory is the wave as it was then.  False: there is
 * nothing to run. */
static inline bool
core_start(void *state, struct core_wave *wave)
{
   return wave->bind->program->engine->start(state, wave);
}

/* Runs up to a barrier, a stop of `until`'s, or the wave's end.  A wave that is stopped goes on
 * with the instruction that it is stopped at.  `until` NULL: at full speed. */
static inline enum core_stop
core_resume(void *state, struct core_wave *wave, const struct core_observer *until)
{
   return wave->bind->program->engine->resume(state, wave, until);
}

/* Part n of a stopped wave's state: rows, masks and constants; false: there are no more. */
static inline bool
core_look(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
{
   return wave->bind->program->engine->look(state, wave, n, seen);
}

/* Whether the wave stops before an instruction, which is at the origin. */
static inline bool
core_stops(const struct core_observer *until, struct core_wave *wave, uint32_t origin,
           uint64_t lanes)
{
   wave->origin = origin;
   wave->at_origin = lanes;
   return until->stops && until->stops(until->data, wave, origin);
}

/** core_start() under the bind's observer, if it has one (step.c). */
bool core_start_observed(void *state, struct core_wave *wave);
/** core_resume() under the bind's observer, which sees the stops; the wave goes on after each
 *  (step.c). */
enum core_stop core_resume_observed(void *state, struct core_wave *wave);
/** Runs a wave that is alone to its end under its bind's observer (step.c). */
void core_run_observed(struct core_wave *wave);

/* Runs a wave to its end. */
static inline void
core_run(struct core_wave *wave)
{
   if (__builtin_expect(wave->bind->observer != NULL, 0))
      core_run_observed(wave);
   else
      wave->bind->program->engine->run(wave);
}

#endif
