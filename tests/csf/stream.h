/* SPDX-License-Identifier: MIT */
/* A queue with some memory, for tests of command streams. */
#ifndef TESTS_CSF_STREAM_H
#define TESTS_CSF_STREAM_H

#include <string.h>

#include "csf/csf.h"
#include "frontdoor/report.h"
#include "memory/arena.h"
#include "memory/space.h"

#define STREAM_BASE  UINT64_C(0x10000)
#define STREAM_BYTES 0x4000u
/* Code begins at the base, data half way. */
#define STREAM_DATA (STREAM_BASE + STREAM_BYTES / 2)

struct stream {
   struct arena *arena;
   struct bo *bo;
   struct vm *vm;
   struct report *report;
   struct cs_queue queue;
   uint64_t budget;
   uint32_t words; /* of code */
   unsigned endpoints;
   uint64_t endpoint; /* the last one's word */
   enum cs_exception answer;
   struct cs_env env;
};

static uint64_t
stream_clock(void *data)
{
   (void)data;
   return UINT64_C(0x123456789);
}

static enum cs_exception
stream_endpoint(void *data, const struct cs_env *env, const struct cs_queue *queue, uint64_t word)
{
   struct stream *s = data;

   (void)env;
   (void)queue;
   s->endpoints++;
   s->endpoint = word;
   return s->answer;
}

static inline bool
stream_init(struct stream *s)
{
   memset(s, 0, sizeof(*s));
   s->arena = arena_create(1 << 20);
   s->bo = s->arena ? bo_create(s->arena, STREAM_BYTES) : NULL;
   s->vm = vm_create();
   s->report = report_create();
   s->budget = 10000;
   s->env = (struct cs_env){
      .vm = s->vm,
      .report = s->report,
      .name = "queue",
      .group = &s->queue,
      .group_queues = 1,
      .budget = &s->budget,
      .timestamp = stream_clock,
      .cycles = stream_clock,
      .endpoint = stream_endpoint,
      .data = s,
   };
   return s->bo && s->vm && s->report && !vm_map(s->vm, STREAM_BASE, s->bo);
}

static inline void
stream_finish(struct stream *s)
{
   vm_destroy(s->vm);
   bo_unref(s->bo);
   arena_destroy(s->arena);
   report_destroy(s->report);
}

/* The word of an opcode and pairs of field and value, which end with STREAM_END. */
#define STREAM_END ((enum cs_field)0)
struct stream_operand {
   enum cs_field field;
   uint64_t value;
};

static inline uint64_t
stream_word(enum cs_opcode opcode, const struct stream_operand *operands)
{
   uint64_t word = (uint64_t)opcode << 56;

   for (; operands->field; operands++) {
      const unsigned start = operands->field & 0xff, bits = (unsigned)operands->field >> 8;

      word |= (operands->value & (UINT64_MAX >> (64 - bits))) << start;
   }
   return word;
}

static inline void
stream_add(struct stream *s, uint64_t word)
{
   vm_write(s->vm, STREAM_BASE + 8u * s->words++, &word, 8);
}

/* STREAM(s, MOVE, { CS_AT_MOVE_destination, 2 }, ...) */
#define STREAM_WORD(name, ...) \
   stream_word(CS_##name, (const struct stream_operand[]){ __VA_ARGS__, { STREAM_END, 0 } })
#define STREAM(s, name, ...) stream_add(s, STREAM_WORD(name, __VA_ARGS__))

static inline enum cs_result
stream_run(struct stream *s)
{
   cs_begin(&s->queue, STREAM_BASE, s->words * 8);
   return cs_run(&s->queue, &s->env);
}

#endif
