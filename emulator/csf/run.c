/* SPDX-License-Identifier: MIT */
/* The interpreter of command streams; csf.h has its rules. */
#include "csf/csf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontdoor/report.h"
#include "memory/vm.h"

/* One instruction on its way. */
struct run {
   struct cs_queue *q;
   const struct cs_env *env;
   uint64_t word, at;
   bool blocked, spent;
};

#define FIELD(instruction, name)        cs_field(run->word, CS_AT_##instruction##_##name)
#define SIGNED_FIELD(instruction, name) cs_signed_field(run->word, CS_AT_##instruction##_##name)

__attribute__((format(printf, 2, 3))) static void
complain(const struct run *run, const char *format, ...)
{
   char text[160];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   report_message(run->env->report, "%s, instruction at 0x%" PRIx64 " (%s, 0x%016" PRIx64 "): %s",
                  run->env->name, run->at, cs_name(run->word), run->word, text);
}

/* Ends the queue. */
static void
fail(const struct run *run, enum cs_exception exception)
{
   run->q->fatal = exception;
   run->q->fatal_at = run->at;
}

/* ---- Registers and memory ---- */

static uint64_t
read_pair(const struct run *run, uint64_t n)
{
   return run->q->regs[n] | (uint64_t)run->q->regs[n + 1] << 32;
}

static void
write_pair(const struct run *run, uint64_t n, uint64_t value)
{
   run->q->regs[n] = (uint32_t)value;
   run->q->regs[n + 1] = (uint32_t)(value >> 32);
}

static bool
load(const struct run *run, uint64_t address, void *data, size_t bytes)
{
   if (vm_read(run->env->vm, address, data, bytes) == bytes)
      return true;
   complain(run, "reads %zu bytes at 0x%" PRIx64 ", which are not mapped", bytes, address);
   fail(run, CS_BUS_FAULT);
   return false;
}

static bool
store(const struct run *run, uint64_t address, const void *data, size_t bytes)
{
   if (vm_extent(run->env->vm, address, bytes) == bytes &&
       vm_write(run->env->vm, address, data, bytes) == bytes)
      return true;
   complain(run, "writes %zu bytes at 0x%" PRIx64 ", which are not mapped", bytes, address);
   fail(run, CS_BUS_FAULT);
   return false;
}

/* ---- Values ---- */

static void
run_nothing(struct run *run)
{
   (void)run;
}

static void
run_move(struct run *run)
{
   write_pair(run, FIELD(MOVE, destination), FIELD(MOVE, immediate));
}

static void
run_move32(struct run *run)
{
   run->q->regs[FIELD(MOVE32, destination)] = (uint32_t)FIELD(MOVE32, immediate);
}

static void
run_add32(struct run *run)
{
   run->q->regs[FIELD(ADD_IMMEDIATE32, destination)] =
      run->q->regs[FIELD(ADD_IMMEDIATE32, source)] + (uint32_t)FIELD(ADD_IMMEDIATE32, immediate);
}

static void
run_add64(struct run *run)
{
   write_pair(run, FIELD(ADD_IMMEDIATE64, destination),
              read_pair(run, FIELD(ADD_IMMEDIATE64, source)) +
                 (uint64_t)SIGNED_FIELD(ADD_IMMEDIATE64, immediate));
}

static void
run_umin32(struct run *run)
{
   const uint32_t a = run->q->regs[FIELD(UMIN32, source1)];
   const uint32_t b = run->q->regs[FIELD(UMIN32, source2)];

   run->q->regs[FIELD(UMIN32, destination)] = a < b ? a : b;
}

/* A register that is loaded does not change where the next is loaded from. */
static void
run_load(struct run *run)
{
   const uint64_t mask = FIELD(LOAD_MULTIPLE, mask), base = FIELD(LOAD_MULTIPLE, base);
   const uint64_t address =
      read_pair(run, FIELD(LOAD_MULTIPLE, address)) + (uint64_t)SIGNED_FIELD(LOAD_MULTIPLE, offset);

   for (unsigned n = 0; n < 16; n++)
      if (mask >> n & 1 && !load(run, address + 4 * n, &run->q->regs[base + n], 4))
         return;
}

static void
run_store(struct run *run)
{
   const uint64_t mask = FIELD(STORE_MULTIPLE, mask), base = FIELD(STORE_MULTIPLE, base);
   const uint64_t address = read_pair(run, FIELD(STORE_MULTIPLE, address)) +
                            (uint64_t)SIGNED_FIELD(STORE_MULTIPLE, offset);

   for (unsigned n = 0; n < 16; n++)
      if (mask >> n & 1 && !store(run, address + 4 * n, &run->q->regs[base + n], 4))
         return;
}

/* ---- Flow ---- */

/* The buffer that runs; there is one. */
static struct cs_frame *
frame(struct cs_queue *q)
{
   return &q->frames[q->depth - 1];
}

static bool
is_signed_true(uint64_t condition, int32_t value)
{
   switch (condition) {
   case CS_CONDITION_le:
      return value <= 0;
   case CS_CONDITION_gt:
      return value > 0;
   case CS_CONDITION_eq:
      return value == 0;
   case CS_CONDITION_ne:
      return value != 0;
   case CS_CONDITION_lt:
      return value < 0;
   case CS_CONDITION_ge:
      return value >= 0;
   default:
      return true;
   }
}

/* Relative to the next instruction, and inside of the buffer, or at its end. */
static void
run_branch(struct run *run)
{
   struct cs_frame *f = frame(run->q);
   const int64_t to = (int64_t)(f->at - f->start) + 8 * SIGNED_FIELD(BRANCH, offset);

   if (!is_signed_true(FIELD(BRANCH, condition), (int32_t)run->q->regs[FIELD(BRANCH, value)]))
      return;
   if (to < 0 || (uint64_t)to > f->end - f->start) {
      complain(run, "branches out of its buffer");
      fail(run, CS_INSTRUCTION_INVALID);
      return;
   }
   f->at = f->start + (uint64_t)to;
}

/* Whether a buffer can be called; its frame. */
static bool
take_buffer(const struct run *run, uint64_t address, uint32_t bytes, struct cs_frame *f)
{
   if (address % 8 || bytes % 8 || address + bytes < address) {
      complain(run, "a stream of %u bytes at 0x%" PRIx64, bytes, address);
      fail(run, CS_INSTRUCTION_INVALID);
      return false;
   }
   *f = (struct cs_frame){ address, address, address + bytes };
   return true;
}

static void
run_call(struct run *run)
{
   struct cs_queue *q = run->q;
   struct cs_frame f;

   if (!take_buffer(run, read_pair(run, FIELD(CALL, address)), q->regs[FIELD(CALL, length)], &f))
      return;
   if (q->depth == CS_CALLS) {
      complain(run, "calls are %u deep", CS_CALLS);
      fail(run, CS_CALL_STACK_OVERFLOW);
      return;
   }
   q->frames[q->depth++] = f;
}

static void
run_jump(struct run *run)
{
   struct cs_frame f;

   if (take_buffer(run, read_pair(run, FIELD(JUMP, address)), run->q->regs[FIELD(JUMP, length)],
                   &f))
      *frame(run->q) = f;
}

/* ---- Scoreboard, errors and progress ---- */

static void
add_progress(const struct run *run, uint64_t flag)
{
   run->q->progress += flag;
}

static void
run_wait(struct run *run)
{
   add_progress(run, FIELD(WAIT, progress));
}

static void
run_set_sb_entry(struct run *run)
{
   run->q->endpoint_slot = (unsigned)FIELD(SET_SB_ENTRY, endpoint);
   run->q->other_slot = (unsigned)FIELD(SET_SB_ENTRY, other);
}

static void
run_progress_store(struct run *run)
{
   run->q->progress = read_pair(run, FIELD(PROGRESS_STORE, source));
}

static void
run_progress_load(struct run *run)
{
   write_pair(run, FIELD(PROGRESS_LOAD, destination), run->q->progress);
}

static void
run_progress_wait(struct run *run)
{
   const uint64_t n = FIELD(PROGRESS_WAIT, queue);

   if (n >= run->env->group_queues) {
      complain(run, "the group has no queue %" PRIu64, n);
      fail(run, CS_INSTRUCTION_INVALID);
      return;
   }
   run->blocked = run->env->group[n].progress < read_pair(run, FIELD(PROGRESS_WAIT, source));
}

static void
run_error_barrier(struct run *run)
{
   run->q->error = CS_OK;
}

static void
run_set_exception_handler(struct run *run)
{
   run->q->handler = read_pair(run, FIELD(SET_EXCEPTION_HANDLER, address));
   run->q->handler_length = run->q->regs[FIELD(SET_EXCEPTION_HANDLER, length)];
}

/* No memory is protected: the region's instructions are as others. */
static void
run_prot_region(struct run *run)
{
   (void)run;
}

static void
run_trace_point(struct run *run)
{
   if (!run->env->trace)
      return;
   fprintf(stderr, "atoll: %s: trace point:", run->env->name);
   for (uint64_t n = 0; n < FIELD(TRACE_POINT, count); n++)
      fprintf(stderr, " 0x%x", run->q->regs[FIELD(TRACE_POINT, base) + n]);
   fprintf(stderr, "\n");
}

/* There are no caches. */
static void
run_flush_cache(struct run *run)
{
   (void)run;
}

static void
run_store_state(struct run *run)
{
   const struct cs_env *env = run->env;
   const uint64_t address =
      read_pair(run, FIELD(STORE_STATE, address)) + (uint64_t)SIGNED_FIELD(STORE_STATE, offset);
   uint64_t value = 0;

   switch (FIELD(STORE_STATE, state)) {
   case CS_STATE_timestamp:
      value = env->timestamp(env->data);
      break;
   case CS_STATE_cycle_count:
      value = env->cycles(env->data);
      break;
   case CS_STATE_error_status:
      value = run->q->error;
      break;
   default: /* the counters never have a gap */
      break;
   }
   store(run, address, &value, sizeof(value));
}

/* ---- Synchronisation objects: a value of `bytes`, and whether its signaller had an error. ---- */

static void
sync_signal(const struct run *run, uint64_t address, unsigned bytes, bool adds, uint64_t data,
            bool propagate)
{
   uint64_t value = 0;
   const uint32_t status = run->q->error != CS_OK;

   if (adds && !load(run, address, &value, bytes))
      return;
   value += data;
   /* The status first: a waiter looks at it when it has seen the value. */
   if (!propagate || store(run, address + bytes, &status, sizeof(status)))
      store(run, address, &value, bytes);
}

static bool
is_unsigned_true(uint64_t condition, uint64_t a, uint64_t b)
{
   return is_signed_true(condition, a < b ? -1 : a > b);
}

static void
sync_wait(struct run *run, uint64_t condition, uint64_t address, unsigned bytes, uint64_t data,
          bool reject)
{
   uint64_t value = 0;
   uint32_t status = 0;

   if (!load(run, address, &value, bytes))
      return;
   if (!is_unsigned_true(condition, value, data)) {
      run->blocked = true;
      return;
   }
   if (!reject && load(run, address + bytes, &status, sizeof(status)) && status)
      run->q->error = CS_INHERIT_FAULT;
}

#define SYNC(bits, data_of)                                                                     \
   static void run_sync_add##bits(struct run *run)                                              \
   {                                                                                            \
      sync_signal(run, read_pair(run, FIELD(SYNC_ADD##bits, address)), bits / 8, true,          \
                  data_of(run, FIELD(SYNC_ADD##bits, data)), FIELD(SYNC_ADD##bits, propagate)); \
   }                                                                                            \
   static void run_sync_set##bits(struct run *run)                                              \
   {                                                                                            \
      sync_signal(run, read_pair(run, FIELD(SYNC_SET##bits, address)), bits / 8, false,         \
                  data_of(run, FIELD(SYNC_SET##bits, data)), FIELD(SYNC_SET##bits, propagate)); \
   }                                                                                            \
   static void run_sync_wait##bits(struct run *run)                                             \
   {                                                                                            \
      sync_wait(run, FIELD(SYNC_WAIT##bits, condition),                                         \
                read_pair(run, FIELD(SYNC_WAIT##bits, address)), bits / 8,                      \
                data_of(run, FIELD(SYNC_WAIT##bits, data)), FIELD(SYNC_WAIT##bits, reject));    \
   }

static uint64_t
read_one(const struct run *run, uint64_t n)
{
   return run->q->regs[n];
}

SYNC(32, read_one)
SYNC(64, read_pair)

/* ---- Tiler heaps, of which the tiler needs no memory ---- */

static void
run_heap_set(struct run *run)
{
   run->q->heap = read_pair(run, FIELD(HEAP_SET, address));
}

static void
run_heap_operation(struct run *run)
{
   switch (FIELD(HEAP_OPERATION, operation)) {
   case CS_HEAP_tiling_started:
      run->q->tiling_started++;
      break;
   case CS_HEAP_tiling_completed:
      run->q->tiling_completed++;
      break;
   case CS_HEAP_fragment_completed:
      run->q->fragments_completed++;
      break;
   default:
      break;
   }
}

static void
run_finish_tiling(struct run *run)
{
   add_progress(run, FIELD(FINISH_TILING, progress));
}

static void
run_finish_fragment(struct run *run)
{
   run->q->fragments_completed += FIELD(FINISH_FRAGMENT, fragment_completed);
}

/* ---- Endpoints ---- */

_Static_assert((int)CS_AT_RUN_COMPUTE_progress == CS_AT_RUN_IDVS_progress &&
                  (int)CS_AT_RUN_COMPUTE_progress == CS_AT_RUN_TILING_progress &&
                  (int)CS_AT_RUN_COMPUTE_progress == CS_AT_RUN_FRAGMENT_progress &&
                  (int)CS_AT_RUN_COMPUTE_progress == CS_AT_RUN_FULLSCREEN_progress &&
                  (int)CS_AT_RUN_COMPUTE_progress == CS_AT_RUN_COMPUTE_INDIRECT_progress,
               "one bit for all");

static void
run_endpoint(struct run *run)
{
   const struct cs_env *env = run->env;
   enum cs_exception exception;

   if (run->q->error == CS_OK) {
      exception = env->endpoint(env->data, env, run->q, run->word);
      if (exception == CS_UNRECOVERABLE)
         fail(run, exception);
      else if (exception == CS_SPENT)
         run->spent = true;
      else
         run->q->error = exception;
   }
   add_progress(run, FIELD(RUN_COMPUTE, progress));
}

/* ---- The loop ---- */

static const struct instruction {
   void (*run)(struct run *run);
   uint8_t cost;
} instructions[256] = {
#define CS_INSTRUCTION(name, opcode, cost, rule, run) [opcode] = { run_##run, cost },
#include "csf/instructions.def"
};

void
cs_begin(struct cs_queue *queue, uint64_t address, uint32_t bytes)
{
   queue->frames[0] = (struct cs_frame){ address, address, address + bytes };
   queue->depth = bytes ? 1 : 0;
}

/* Leaves the buffers that have ended. */
static void
leave(struct cs_queue *q)
{
   while (q->depth && frame(q)->at >= frame(q)->end)
      q->depth--;
}

static void
trace(const struct run *run)
{
   char text[256];

   cs_print(run->word, text, sizeof(text));
   fprintf(stderr, "atoll: %s: 0x%010" PRIx64 ": %*s%s\n", run->env->name, run->at,
           2 * (int)(run->q->depth - 1), "", text);
}

/* The next instruction.  False: there is none that could run. */
static bool
fetch(struct run *run)
{
   const char *wrong;

   if (!load(run, run->at, &run->word, sizeof(run->word)))
      return false;
   if (run->env->trace)
      trace(run);
   wrong = cs_check(run->word, run->env->strict);
   if (!wrong)
      return true;
   complain(run, "%s", wrong);
   fail(run, CS_INSTRUCTION_INVALID);
   return false;
}

enum cs_result
cs_run(struct cs_queue *q, const struct cs_env *env)
{
   leave(q);
   while (!q->fatal && q->depth) {
      struct cs_frame *f = frame(q);
      struct run run = { .q = q, .env = env, .at = f->at };
      const struct instruction *i;

      if (!fetch(&run))
         break;
      i = &instructions[run.word >> 56];
      if (*env->budget < i->cost) {
         complain(&run, "the stream has spent its budget");
         return CS_EXHAUSTED;
      }
      *env->budget -= i->cost;
      f->at += 8;
      i->run(&run);
      if (run.spent)
         return CS_EXHAUSTED;
      if (run.blocked) {
         f->at -= 8;
         *env->budget += i->cost;
         return CS_BLOCKED;
      }
      leave(q);
   }
   return q->fatal ? CS_FATAL : CS_FINISHED;
}
