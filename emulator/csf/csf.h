/* SPDX-License-Identifier: MIT */
/*
 * CSF: the command-stream frontend of a Mali of v10.  A stream is an array of 64-bit instructions
 * in the address space of its group; a queue has 96 registers of 32 bits, which streams keep from
 * one to the next, and a stack of calls.
 *
 * Rules:
 *  1. Any bits give a defined result: an instruction that is none, or names a register that is
 *     none, is a fatal fault, as is memory that is not there.
 *  2. What an instruction starts has completed when the next one begins, so that waits for slots
 *     of the scoreboard have nothing to wait for.  SYNC_WAIT* and PROGRESS_WAIT are what can block
 *     a queue: it stays at the instruction and is tried again.
 *  3. A fault of an endpoint is an error of the queue until ERROR_BARRIER: RUN_* do nothing, all
 *     else runs, and a SYNC_* that propagates errors says so.  A fatal fault ends the queue.
 *  4. Each instruction has a cost, and a stream that has spent its budget is exhausted.
 */
#ifndef ATOLL_CSF_H
#define ATOLL_CSF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;
struct vm;

#define CS_REGISTERS 96u
/* Of these the kernel's own instructions, at the end of the file, may use as many. */
#define CS_KERNEL_REGISTERS 4u
#define CS_SLOTS            8u /* of the scoreboard */
#define CS_CALLS            8u /* as deep as streams may call each other */
#define CS_QUEUES           8u /* of a group, at most */

enum cs_opcode {
#define CS_INSTRUCTION(name, opcode, cost, rule, run) CS_##name = opcode,
#include "csf/instructions.def"
};

/* CS_AT_instruction_field: its first bit, and its bits above that number. */
enum cs_field {
#define CS_FIELD(instruction, name, start, bits, kind) \
   CS_AT_##instruction##_##name = (start) | (bits) << 8,
#include "csf/instructions.def"
};

/* CS_kind_name. */
enum cs_value {
#define CS_VALUE(kind, name, number) CS_##kind##_##name = number,
#include "csf/instructions.def"
};

static inline uint64_t
cs_field(uint64_t word, enum cs_field field)
{
   return word >> (field & 0xff) & (UINT64_MAX >> (64 - ((unsigned)field >> 8)));
}

/* The same, sign-extended. */
static inline int64_t
cs_signed_field(uint64_t word, enum cs_field field)
{
   const unsigned start = field & 0xff, bits = (unsigned)field >> 8;

   return (int64_t)(word << (64 - start - bits)) >> (64 - bits);
}

/* Numbers of exceptions, as the kernel and the driver know them. */
enum cs_exception {
   CS_OK = 0,
   CS_UNRECOVERABLE = 0x41,
   CS_ENDPOINT_FAULT = 0x44,
   CS_BUS_FAULT = 0x48,
   CS_INSTRUCTION_INVALID = 0x49,
   CS_CALL_STACK_OVERFLOW = 0x4a,
   CS_INHERIT_FAULT = 0x4b,
   CS_SPENT = 0x100, /* not the chip's: an endpoint has spent the budget */
};

/* The name of an instruction, "unknown" where it is none. */
const char *cs_name(uint64_t word);

/* Writes an instruction's text, ended by a null byte; returns its length, as snprintf() does. */
size_t cs_print(uint64_t word, char *text, size_t size);

/* What is wrong with an instruction: NULL, or a text.  Without `strict`, only what cannot run;
 * with it, reserved bits, odd pairs and values without a name as well. */
const char *cs_check(uint64_t word, bool strict);

/* One buffer of instructions. */
struct cs_frame {
   uint64_t start, at, end; /* addresses */
};

struct cs_queue {
   uint32_t regs[CS_REGISTERS];
   struct cs_frame frames[CS_CALLS];
   unsigned depth; /* frames in use; 0: no stream is under way */
   unsigned endpoint_slot, other_slot;
   uint64_t progress;
   uint64_t heap; /* address of the tiler heap's context */
   uint64_t handler;
   uint32_t handler_length; /* of tiler_oom; 0: none */
   uint64_t tiling_started, tiling_completed, fragments_completed;
   enum cs_exception error; /* since the last ERROR_BARRIER */
   enum cs_exception fatal; /* nothing runs any more */
   uint64_t fatal_at;
};

struct cs_env {
   struct vm *vm;
   struct report *report;
   const char *name; /* of the queue, for messages */
   bool trace;       /* print every instruction to stderr */
   bool strict;
   /* Its group's queues, for PROGRESS_WAIT. */
   const struct cs_queue *group;
   unsigned group_queues;
   uint64_t *budget; /* costs come off */
   uint64_t (*timestamp)(void *data);
   uint64_t (*cycles)(void *data);
   /* Runs a RUN_* to its end: CS_OK, or what went wrong with it, of which CS_UNRECOVERABLE is
    * fatal and CS_SPENT exhausts the stream.  It reports that. */
   enum cs_exception (*endpoint)(void *data, const struct cs_env *env, const struct cs_queue *queue,
                                 uint64_t word);
   void *data;
};

enum cs_result {
   CS_FINISHED,
   CS_BLOCKED,   /* it waits for memory or for another queue */
   CS_FATAL,     /* queue->fatal says why */
   CS_EXHAUSTED, /* of its budget */
};

/* Begins a stream as the kernel's ring buffer calls it; the last one has ended. */
void cs_begin(struct cs_queue *queue, uint64_t address, uint32_t bytes);

/* Runs until it ends or cannot go on.  An instruction that blocks costs nothing. */
enum cs_result cs_run(struct cs_queue *queue, const struct cs_env *env);

#endif
