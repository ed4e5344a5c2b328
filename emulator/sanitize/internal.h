/* SPDX-License-Identifier: MIT */
/* Between the sanitizer's files. */
#ifndef ATOLL_SANITIZE_INTERNAL_H
#define ATOLL_SANITIZE_INTERNAL_H

#include "core/core.h"
#include "sanitize/sanitize.h"

struct exec;
struct uop;
struct uop_code;

/* ---- Findings (findings.c) ---- */

struct findings;

struct findings *findings_create(const struct sanitizer_options *options);
void findings_destroy(struct findings *f);

/* What is known of one when it is found.  `first` and `second` are the two instructions: where the
 * value was made and where it is used, or the two sides of a race. */
struct finding {
   uint8_t kind; /* enum sanitize_kind */
   const struct core_wave *wave;
   uint8_t lane;
   uint32_t first, second; /* origins; UINT32_MAX: there is none */
   uint32_t variant;       /* of findings of the same instructions that are told apart */
};
/** Counts it; true: it is new, and findings_tell() is to be called. */
bool findings_add(struct findings *f, const struct finding *finding);
void findings_tell(struct findings *f, const struct finding *finding, const char *format, ...)
   __attribute__((format(printf, 3, 4)));
size_t findings_count(struct findings *f);
bool findings_read(struct findings *f, size_t n, char *text, size_t size, uint8_t *kind);
/** "vertex", "pixel" and so on. */
const char *findings_stage(unsigned stage);

/* ---- Values (values.c) ---- */

#define MAKERS_MAX 65535u /* of bad values, in all programs */

/* An instruction that made bad values.  A lane's number of it is its index + 1; 0: the value is
 * good. */
struct maker {
   uint8_t kind;
   bool floats; /* what it made is bad while it is not finite */
   uint32_t origin;
   uint64_t program;
   char text[104]; /* what it does */
};

typedef uint16_t made_lane[WAVE_LANES];

/* Bad values of a row. */
struct bad {
   uint64_t lanes;
   made_lane maker;
};

/* What is known of a wave beside its state. */
struct shadow {
   struct shadow *next; /* of those that no wave has */
   struct bad row[CORE_WAVE_ROWS];
   struct bad address;      /* AR.X */
   struct bad queue[64][2]; /* of LDS */
   uint32_t barriers;       /* that it got past */
   uint32_t order;          /* of its draw; 0: it is not known */
   uint64_t synchronised;   /* when it last did an atomic operation, */
   uint64_t synchronises;   /* and when the instruction at hand did one; 0: it did not */

   struct bad data; /* what the instruction at hand stores */
   /* The micro-operation at hand, and others that are done with it. */
   struct step {
      struct bad taken;   /* what results take from operands and memory */
      uint64_t lanes;     /* that write a result */
      uint64_t numbers;   /* those without a NaN or an infinity among the operands, */
      uint64_t ordered;   /* and without a NaN */
      uint64_t undefined; /* those of which the result is not defined */
   } step[4];
};

/* Shared memory of a group, or a dword of other memory. */
struct cell {
   uint64_t value; /* of the last write */
   uint64_t written_at, read_at[2];
   uint32_t writer, reader[2]; /* invocations + 1; 0: none */
   uint32_t writer_group, reader_group[2];
   uint32_t write_origin, read_origin[2];
   uint32_t write_epoch, read_epoch[2];
   uint16_t made; /* shared memory: maker of what is there */
   uint8_t write_bytes, read_bytes[2];
   uint8_t filled; /* bytes that were ever written */
   bool atomic;    /* the last write */
};

/* What is known of a work group. */
struct group_shadow {
   struct group_shadow *next;
   const struct core_group *group;
   uint32_t waves; /* that have begun, less those that ended */
   uint32_t started;
   uint32_t ended;
   uint32_t reached; /* barriers that some wave got past */
   uint32_t last;    /* origin of the newest barrier */
   bool uneven;      /* that was told */
   struct cell lds[CORE_LDS_BYTES / 4];
};

struct sanitizer {
   struct sanitizer_options options;
   struct core_observer observer;
   struct findings *findings;

   struct maker *makers;
   uint32_t num_makers, cap_makers;
   uint32_t index[2 * (MAKERS_MAX + 1)]; /* makers by hash: number, or 0 */

   struct shadow *shadows;      /* that no wave has */
   struct group_shadow *groups; /* the same of groups, */
   struct group_shadow *in_use; /* and those that have one */
   uint64_t now;                /* accesses so far */
   struct order *order;         /* NULL: nothing is known of it */

   /* Dwords of memory that invocations of the dispatch at hand accessed. */
   struct {
      uint32_t submission, number;
      uint64_t *key; /* address / 4 + 1; 0: free */
      struct cell *cell;
      uint32_t used, size; /* a power of two */
   } memory;
};

static inline bool
sanitize_looks_for(const struct sanitizer *s, unsigned kind)
{
   return s->options.kinds >> kind & 1;
}

/** "invocation 3 of group 5" and so on. */
void sanitize_name(const struct sanitizer *s, const struct core_wave *wave, unsigned lane,
                   char *text, size_t size);

static inline struct shadow *
shadow_of(const struct core_wave *wave)
{
   return wave->observed;
}

/** Number of the maker; 0: there are too many. */
uint16_t maker_number(struct sanitizer *s, const struct core_wave *wave, unsigned kind, bool floats,
                      const char *text);

/** A wave begins. */
void values_begin(struct sanitizer *s, const struct core_wave *wave, struct shadow *w);
/** What a lane loads has this maker. */
void values_loaded(const struct core_wave *wave, unsigned lane, uint16_t maker);
void values_micro(void *data, const struct exec *x, const struct uop_code *code,
                  const struct uop *u, bool done);
void values_moved(void *data, const struct core_wave *wave, unsigned role, unsigned part,
                  uint32_t row, uint64_t lanes);

/* ---- Accesses (access.c) ---- */

void access_begin(struct sanitizer *s, struct core_wave *wave);
void access_end(struct sanitizer *s, struct core_wave *wave);
void access_forget(struct sanitizer *s);
void access_seen(void *data, const struct core_wave *wave, const struct core_access *access);
void access_barrier(struct sanitizer *s, const struct exec *x);

/* ---- Order (order.c) ---- */

struct order;

void order_destroy(struct order *o);
/** The order of a wave's draw; 0: it is not known. */
uint32_t order_of(const struct sanitizer *s, const struct core_wave *wave);
/** An access to these bytes of a dword of host memory. */
void order_access(struct sanitizer *s, const struct core_wave *wave,
                  const struct core_access *access, uint64_t dword, uint8_t bytes);

#endif
