/* SPDX-License-Identifier: MIT */
/* Shared by the command processor's files. */
#ifndef ATOLL_CP_INTERNAL_H
#define ATOLL_CP_INTERNAL_H

#include "cp/cp.h"

#include <atoll/cayman/enums.h>
#include <atoll/cayman/pm4.h>
#include <atoll/cayman/registers.h>

#include "chip/cayman/draw.h"
#include "frontdoor/report.h"
#include "memory/vm.h"
#include "pass/pass.h"
#include "core/gws.h"

/* A write that waits for the pass to end: EOP data. */
struct cp_token {
   uint64_t va, value;
   uint8_t bytes; /* 0: nothing, 4 or 8 */
   bool timestamp;
};
#define CP_MAX_TOKENS 256u

/* What PIPELINESTAT_STOP stops. */
#define CP_STREAMS        4u
#define CP_PIPELINE_STATS 11u
#define CP_STAT_WORDS     (CP_STREAMS * 2 + CP_PIPELINE_STATS)
struct cp_stats {
   union {
      struct {
         uint64_t streams[CP_STREAMS][2]; /* primitives needed, written */
         uint64_t pipeline[CP_PIPELINE_STATS];
      };
      uint64_t words[CP_STAT_WORDS];
   };
};

struct cp_state {
   struct regs regs;
   struct cayman_decoded decoded; /* of `regs` */
   struct regs compute; /* of packets with the compute bit; config registers are those of `regs` */

   uint64_t index_base;
   uint32_t index_buffer_size; /* indices */
   uint32_t index_type;        /* enum cayman_index_type */
   uint32_t num_instances;
   uint64_t indirect_base;

   /* SET_PREDICATION: whether packets with the predicate bit execute, and the sums of a chain of
    * CONTINUE packets. */
   bool predicate;
   bool predicate_overflow;
   uint64_t predicate_samples;

   bool stats_stopped;
   bool stats_sampled;             /* by some query, ever */
   struct cp_stats stats_at_stop;  /* valid when stopped and sampled */
   struct cp_stats stats_excluded; /* counted while stopped */

   uint32_t wait_ms; /* what WAIT_REG_MEM may still spend in this IB */
   uint32_t skip;    /* dwords after this packet that are left out, or done with it */

   _Alignas(uint32_t) uint8_t gds[CP_GDS_BYTES];
   struct core_gws gws[CORE_GWS];

   struct cp_token tokens[CP_MAX_TOKENS];
   uint32_t num_tokens;
};

/* A packet under way. */
struct cp {
   struct cp_state *s;
   const struct cp_env *env;
   uint32_t at; /* dword of the header in the IB */
   uint32_t header;
   const uint32_t *payload;
   uint32_t count; /* payload dwords */
   uint32_t left;  /* dwords of the IB after them */
};

/* Says what is wrong with the packet, and which it is. */
void cp_complain(const struct cp *cp, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Ends the pass and writes the tokens. */
void cp_flush(const struct cp *cp);

/* Address from a low dword and the low 8 bits of a high one. */
static inline uint64_t
cp_address(uint32_t low, uint32_t high)
{
   return (uint64_t)(high & 0xff) << 32 | low;
}

/* Writes memory; complains when some of it is not mapped.  The pass must have ended. */
void cp_write(const struct cp *cp, uint64_t va, const void *data, uint64_t size);
/* Complains when less was written than there was. */
void cp_check_written(const struct cp *cp, uint64_t va, uint64_t size, uint64_t written);
/* Reads memory, zeros where it is not mapped.  The pass must have ended. */
void cp_read(const struct cp *cp, uint64_t va, void *data, uint64_t size);

/* What each packet does: see cayman/packets.def. */
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) \
   void cp_##run(const struct cp *cp);
#include <atoll/cayman/packets.def>

/* registers.c */
/* The registers that the packet sets or reads. */
struct regs *cp_bank(const struct cp *cp);
/* One of those that programs count in, by byte address; NULL after a message: it is none. */
uint32_t *cp_append_counter(const struct cp *cp, uint32_t address);
/* Any register by byte address: what COPY_DW and WAIT_REG_MEM name.  NULL outside of all ranges. */
uint32_t *cp_register(struct cp_state *s, uint32_t address);

/* trace.c: prints the packet, registers by name. */
void cp_trace(const struct cp *cp);

#endif
