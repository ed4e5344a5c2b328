/* SPDX-License-Identifier: MIT */
/*
 * Machine code for runs of micro-operations.  Lane-wise micro-operations in a row become a loop
 * over the wave's vectors, and values stay in registers.  A micro-operation that the emitter does
 * not know is interpreted between two such loops.  Results are the interpreter's, bit for bit.
 * native.c begins with an example.
 *
 * A predicate in the loop gives a mask: the lanes for which it holds (exec.pass).  What follows
 * from the mask is done after the loop, and so is COMMIT_PRED, because nothing in a loop depends on
 * the execution mask or on the predicate.
 *
 * Code lies in memory that is written through one mapping and run through another, or in pages of
 * a program's own (native_map.c).  Where the host refuses both, in the SSE2 build, and in programs
 * of 32 bits, which have half the registers, all micro-operations are interpreted.
 *
 * Names: a value is what a component holds at one point of the run.  An iteration of the loop takes
 * one to four vectors, its strips.  A slot holds a value in registers, one for each strip.  A value
 * that is read after the run is live-out: it must be in memory when the code ends.
 */
#ifndef ATOLL_UOP_NATIVE_H
#define ATOLL_UOP_NATIVE_H

#include "uop/bound.h"
#include "uop/native_map.h"
#include "uop/x86.h"

/* Whether this build makes any. */
#if defined(__x86_64__)
#define UOP_NATIVE (VW > 4)
#else
#define UOP_NATIVE false
#endif

#define NATIVE_SLOTS 16u
#define NATIVE_HOLDS 6u /* components that one slot may stand for */

/* Strips.  With several, one vector computes while another waits for a result, which helps in runs
 * that are longer than what the processor looks ahead; but each value needs as many registers, and
 * these must suffice.  With AVX2 the widest do not divide a wave: the last iteration takes what is
 * left. */
#if VW == 16
#define NATIVE_REGS      32u
#define NATIVE_WIDEST    4u
#define NATIVE_NARROWEST 2u
#else
#define NATIVE_REGS      14u
#define NATIVE_WIDEST    3u
#define NATIVE_NARROWEST 1u
#endif
#define NATIVE_WIDE_FROM 100u /* micro-operations of one instruction */
/* Mask registers: k1 to k4 are an operation's, k5 is native_canon()'s, and k6 and k7 hold the lanes
 * that write. */
#define NATIVE_CANON_MASK 5u
#define NATIVE_LANES_MASK 6u
/* Not for values, with VEX: the mask of lanes that write, which the widest loops do not have, and
 * a register for native_canon(). */
#define NATIVE_LANES   14u
#define NATIVE_SCRATCH 15u

/* The base registers point here in what they address, for short displacements. */
#define NATIVE_FILE_BIAS 8192
#define NATIVE_UNI_BIAS  512

/* Whole vectors that the code reads. */
enum {
   NATIVE_NAN,
   NATIVE_ZERO,
   NATIVE_HALF,
   NATIVE_ONE,
   NATIVE_TWO,
   NATIVE_FOUR,
   NATIVE_BELOW_ONE,
   NATIVE_2P16,
   NATIVE_2P31,
   NATIVE_SIGN,
   NATIVE_MAGNITUDE, /* all bits but the sign */
   NATIVE_ALL_BITS,
   NATIVE_31,
   NATIVE_INT_1,
   NATIVE_INT_16,
   NATIVE_INT_32,
   NATIVE_LOW_HALF, /* bits 15:0 */
   NATIVE_LOW_24,
   NATIVE_NAN64,
   NATIVE_ONE64,
   NATIVE_LANE_BITS, /* bit n in lane n */
   NATIVE_EVEN_LANES,
   NATIVE_ODD_LANES,
   NATIVE_HALF_0, /* numbers of the lanes that are half 0 of doubles, then of the others */
   NATIVE_HALF_1, /* the others first */
   NATIVE_INFINITY,
   NATIVE_MINUS_INFINITY,
   NATIVE_SMALLEST, /* 2^-126 */
   NATIVE_2P24,
   NATIVE_QUARTER,
   NATIVE_160, /* and less: 2^x is infinite or 0 */
   NATIVE_MINUS_160,
   NATIVE_256,
   NATIVE_FRACTION,       /* bits 22:0 */
   NATIVE_SQRT_HALF,      /* its bits, */
   NATIVE_ONE_ABOVE_SQRT, /* and 1.0's less those */
   NATIVE_INT_24,
   NATIVE_INT_127,
   NATIVE_CONSTANTS
};

/* Constants after those: coefficients of emulator/arith.h. */
#define NATIVE_COUNT(c) 1
enum { NATIVE_EXP2_COUNT = sizeof((char[]){ EXP2_TERMS(NATIVE_COUNT) }) };
enum { NATIVE_LOG2_COUNT = sizeof((char[]){ LOG2_TERMS(NATIVE_COUNT) }) };
enum { NATIVE_SIN_COUNT = sizeof((char[]){ SIN_TERMS(NATIVE_COUNT) }) };
enum {
   NATIVE_EXP2 = NATIVE_CONSTANTS,
   NATIVE_LOG2 = NATIVE_EXP2 + NATIVE_EXP2_COUNT,
   NATIVE_SIN = NATIVE_LOG2 + NATIVE_LOG2_COUNT,
   NATIVE_SIN_FIRST = NATIVE_SIN + NATIVE_SIN_COUNT,
   NATIVE_TERMS = NATIVE_SIN_FIRST + 1 - NATIVE_CONSTANTS
};

struct native_slot {
   bool pinned;   /* an operand of the micro-operation at hand */
   bool any_nan;  /* a NaN here need not be the canonical one yet */
   bool computed; /* whatever NaN is here may become the canonical one: no bits from elsewhere */
   bool is_mask;  /* all bits of a lane are equal */
   bool splat;    /* the first strip's register is all strips': never a result */
   uint8_t count; /* of holds; 0: free */
   bool fixed;    /* for a loop (native_flow.c) */
   uint16_t holds[NATIVE_HOLDS];
};

/* A region while it is emitted. */
struct native_flow {
   const struct bound_uop *last; /* of the clause at hand, of those that are emitted */
   bool passed, inverted;        /* its predicate's mask is still in a register or slot: */
   unsigned pass;
   unsigned stored; /* bits of exec.pass: masks of predicates before it */
   bool masked;     /* for waves that have diverged */

   unsigned depth;                   /* of branches, which are counted from 1: */
   bool else_waits[EXEC_FRAMES + 1]; /* lanes may be to run after its ELSE */
   size_t skip[EXEC_FRAMES + 1];     /* the jump to the end of its side, or 0 */

   /* The loop: */
   bool inside;
   bool continues, breaks_deep; /* lanes continue, or break out of a branch */
   bool continued;              /* some may have done so */
   size_t header, over;         /* where an iteration begins; the jump if there are too many */
   size_t exits[EXEC_LEAVES];
   unsigned num_exits, num_leaves;
   unsigned max_fixed;
   unsigned any_nan; /* bit per slot: fixed, and a NaN in it need not be the canonical one */
};

struct native {
   struct x86 x;
   const struct uop_bind_options *options;
   const struct uop_code *code;
   uint32_t components;  /* of the register file; as a component's number: none */
   const uint32_t *kept; /* two temporaries that are live-out, or none */
   const uint64_t *dead; /* of its binding */
   bool masked;          /* stores keep the lanes that do not write */
   bool doubles;         /* the rounding mode is that of doubles */
   bool wanted;          /* the result of the micro-operation at hand is read */
   const uint16_t *then; /* its row of `uses` */
   unsigned passes;      /* predicates of the run so far */
   unsigned strips;      /* vectors of an iteration */
   unsigned num_slots;
   unsigned reloads;      /* values that had to make room, and are read again in the run */
   unsigned most_reloads; /* with more it is crowded */
   bool crowded;          /* an operation found no slot: the code is useless */
   struct native_slot slot[NATIVE_SLOTS];
   struct native_flow *flow; /* NULL: a run */
   /* By component. */
   int8_t *at;          /* its slot, or -1 */
   int8_t *fixed;       /* in a loop: its fixed slot, or -1 */
   bool *dirty;         /* memory has an older value */
   uint32_t *last;      /* the binding's last micro-operation that reads it, plus 1 */
   uint16_t *next;      /* micro-operation of the run that reads the value next */
   uint16_t (*uses)[4]; /* by micro-operation: what `next` becomes for src, dst */
};
#define NATIVE_MAX_RUN 1024u
/* Not read again in this run: live-out, or overwritten. */
#define NATIVE_LATER 0xfffeu
#define NATIVE_DEAD  0xffffu

/* An operand. */
struct native_value {
   enum { NATIVE_SLOT, NATIVE_FILE, NATIVE_UNI, NATIVE_CONSTANT } kind;
   unsigned slot;   /* or the constant */
   uint32_t offset; /* in file or uni */
};

/** True if native_emit() can do what `u` does. */
bool K(native_can)(const struct bound_uop *u);
/** Whether it is a predicate or a kill, of those that native_can() knows. */
bool K(native_is_predicate)(const struct bound_uop *u);
/** Whether a NaN that it gives may be another than the canonical one until native_canon(), and its
 *  result is never bits that were there before. */
bool K(native_is_arithmetic)(const struct bound_uop *u);
/** About how many operations of one instruction it is as long as. */
unsigned K(native_weight)(const struct bound_uop *u);
/** Whether an operation is a kill. */
bool K(uop_kills)(unsigned op);
/** Does what a predicate of native code changes; u->native: its number in exec.pass. */
void K(uop_pred_finish)(struct exec *x, const struct bound_uop *u);
/** The lanes for which a predicate of a region holds are in a mask (struct mask). */
void K(native_flow_pass)(struct native *n, const struct bound_uop *u, unsigned mask, bool inverted);
/** Code of a region, or none, which it says; false: the code is full. */
bool K(native_region)(struct native *n, const struct uop_bound *bound,
                      const struct uop_binding *bindings, struct uop_region *region);
/** Whether native_emit_64() can do what `u`, an operation of doubles of that form, does. */
bool K(native_can_64)(const struct bound_uop *u, unsigned form);
/** Emits one; the form, its immediate and its instruction are the table's. */
void K(native_emit_64)(struct native *n, const struct bound_uop *u, unsigned form, unsigned imm,
                       unsigned code);
/** Whether `u` is one that native_can() knows. */
bool K(native_is_64)(const struct bound_uop *u);
/** The rounding mode of doubles, or of floats, from here on. */
void K(native_mode)(struct native *n, bool doubles);
/** Emits one micro-operation. */
void K(native_emit)(struct native *n, const struct bound_uop *u);

/* Slots. */
/** A free slot, pinned until the micro-operation's end. */
unsigned K(native_take)(struct native *n);
/** Frees a slot that holds nothing. */
void K(native_release)(struct native *n, unsigned slot);
/** The slot's value becomes component dst's. */
void K(native_define)(struct native *n, uint32_t dst, unsigned slot);
/** Puts the canonical NaN where the slot has another. */
void K(native_canon)(struct native *n, unsigned slot);
/** Operand `k` of u, without its modifiers. */
struct native_value K(native_operand)(struct native *n, const struct bound_uop *u, unsigned k);
/** The slot of a value, loaded if need be. */
unsigned K(native_load)(struct native *n, struct native_value *v);
/** Writes a component's value from its slot to memory. */
void K(native_write_back)(struct native *n, unsigned component);
/** All that memory has not. */
void K(native_write_all)(struct native *n);
/** The same to its fixed slot, for the lanes that run (native_fixed.c). */
void K(native_settle)(struct native *n, unsigned component);
/** A component's value is not in its slot any more. */
void K(native_forget)(struct native *n, unsigned component);
/** It is in `slot`. */
void K(native_hold)(struct native *n, unsigned slot, unsigned component);

/** Before lanes change, or paths join: fixed slots and memory become right for all lanes. */
void K(native_settle_all)(struct native *n);
/** What has no fixed slot is in memory alone from here on. */
void K(native_forget_others)(struct native *n);
/** Chooses fixed slots for the loop that begins at `step`; false: no memory. */
bool K(native_choose_fixed)(struct native *n, const struct uop_bound *bound,
                            const struct uop_binding *bindings, const struct uop_step *step);
/** After the loop they are slots as others. */
void K(native_leave_fixed)(struct native *n);

/* Iterations. */
/** Where code may start. */
uint32_t K(native_align)(struct native *n);
/** All slots are free; up to `most_reloads` values may be read from memory again. */
void K(native_begin)(struct native *n, unsigned strips, unsigned most_reloads);
/** Loads the iteration's part of the execution mask, at rcx + `at`, for stores. */
void K(native_lanes)(struct native *n, int8_t at);
/** u[0] to u[count - 1] for one iteration; `more` follow in the binding, the first of them its
 *  micro-operation `end`. */
void K(native_emit_uops)(struct native *n, const struct bound_uop *u, uint32_t count, uint32_t more,
                         uint32_t end);
/** Moves the pointers to the next vectors, and jumps to `top` while there are any. */
void K(native_next_vectors)(struct native *n, size_t top);
/** Where a binding's micro-operations read each component last. */
void K(native_last_reads)(struct native *n, const struct bound_uop *u, uint32_t count);

static inline unsigned
native_reg(const struct native *n, unsigned slot, unsigned strip)
{
   return slot * n->strips + (n->slot[slot].splat ? 0 : strip);
}

/* Lanes of an iteration.  rcx points past their masks while it runs. */
static inline unsigned
native_step(const struct native *n)
{
   return VW * n->strips;
}

static inline struct native_value
native_constant(unsigned constant)
{
   return (struct native_value){ .kind = NATIVE_CONSTANT, .slot = constant };
}

static inline struct native_value
native_in(unsigned slot)
{
   return (struct native_value){ .kind = NATIVE_SLOT, .slot = slot };
}

/* As an instruction's last operand.  With VEX not for NATIVE_UNI. */
static inline struct x86_rm
native_rm(const struct native *n, const struct native_value *v, unsigned strip)
{
   struct x86_rm rm = { .mem = true, .reg = X86_DI };
   switch (v->kind) {
   case NATIVE_SLOT:
      return x86_reg(native_reg(n, v->slot, strip));
   case NATIVE_FILE:
      rm.disp = (int32_t)v->offset - NATIVE_FILE_BIAS + (int32_t)strip * VW * 4;
      break;
   case NATIVE_UNI:
      rm.reg = X86_SI;
      rm.disp = (int32_t)v->offset - NATIVE_UNI_BIAS;
      rm.splat = true;
      break;
   default:
      rm.reg = X86_DX;
      rm.disp = (int32_t)v->slot * VW * 4;
      break;
   }
   return rm;
}

/** The handler of a micro-operation, or of as many as its length says. */
uop_fn *K(uop_form)(const struct bound_uop *u, bool masked);
/** Room for `count` more, or NULL. */
struct bound_uop *K(uop_bound_add)(struct uop_bound *bound, uint32_t count);

/** Replaces bound runs by such with native code in them; false: nothing has changed. */
bool K(native_bind)(const struct uop_code *code, const struct uop_bind_options *options,
                    struct uop_binding *bindings, uint32_t count, const struct uop_regions *regions,
                    struct uop_bound *bound);

#endif
