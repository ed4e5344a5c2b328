/* SPDX-License-Identifier: MIT */
/*
 * The compiler's program between IL and Valhall's words.
 *
 * A program is a list of blocks in the order in which they will stand.  A block falls into the next
 * one, or jumps, or does either by a condition.  A value is one register of 32 bits, or a vector of
 * several that follow one another: what a message moves, or a pair that is a 64-bit number.  Up to
 * the allocator every value is written by one instruction that stands above all readers (SSA), and
 * where ways meet VC_PHI chooses.  An operand names a value and a register of it.
 *
 * An instruction is a row of the instruction set's table (enum valhall_opcode) with its
 * modifiers, or one of two that are none: VC_PHI, and VC_COLLECT, which makes a vector of operands.
 *
 * Passes, each a file of its name, are listed in passes.def.
 */
#ifndef VALHALL_IR_H
#define VALHALL_IR_H

#include "valhall_compile.h"

#include "isa/text.h"
#include "isa/valhall/valhall.h"

#include "compiler/memory.h"

struct il_program;

enum vc_operand_kind {
   VC_NONE,
   VC_VALUE,
   VC_CONST,   /* bits known now */
   VC_UNIFORM, /* word of the uniforms */
   VC_SPECIAL, /* word of a special value */
};

struct vc_operand {
   uint8_t kind; /* enum vc_operand_kind */
   uint8_t comp; /* VALUE: register of it; SPECIAL: word */
   uint8_t page; /* SPECIAL */
   uint8_t select;
   bool neg, abs, invert;
   uint32_t value; /* VALUE: its number; CONST: bits; UNIFORM: word; SPECIAL: number */
};

enum vc_pseudo {
   VC_PHI = VALHALL_OP_COUNT, /* list: an operand for each way into the block */
   VC_COLLECT,                /* list: an operand for each register of the result */
};

enum vc_memory {
   VC_PURE,  /* may be left out, and be done once for twice */
   VC_READ,  /* may be left out */
   VC_WRITE, /* has to be done */
};

struct vc_inst {
   uint16_t op;    /* enum valhall_opcode, enum vc_pseudo */
   uint8_t memory; /* enum vc_memory */
   bool dead;
   uint8_t dest_comp; /* a copy: the register of dest */
   uint8_t flow;      /* VALHALL_FLOW_* */
   uint8_t slot;      /* of a message */
   uint8_t staged;    /* registers that are read as staging registers */
   uint8_t last;      /* sources that are not read again, a mask (live.c) */
   uint32_t place;    /* index of the instruction of the IL as written that it was made for */
   uint32_t dest;     /* value; 0: none */
   uint32_t staging;  /* vector that a message reads; 0: none */
   struct vc_operand src[VALHALL_MAX_SRCS];
   uint32_t imm[VALHALL_MAX_IMMS];
   uint8_t mod[VALHALL_MAX_MODS];
   struct vc_operand *list; /* VC_PHI, VC_COLLECT */
   uint32_t num_list;
   uint32_t position, block;
   struct vc_inst *chain; /* build.c: the next of its hash */
};

struct vc_value {
   uint8_t size;
   bool fixed;       /* preloaded in `reg` */
   bool short_lived; /* a spill's own, or copied into one: not spilled */
   uint8_t reg;
   uint32_t uses;
   struct vc_inst *def;
};

struct vc_block {
   struct vc_inst **insts;
   uint32_t num_insts, cap_insts;
   struct vc_inst **written; /* schedule.c: in the order in which they were made */
   struct vc_operand cond;   /* NONE: always */
   bool eq;                  /* jumps if the condition is zero */
   bool jumps, falls;        /* neither: the program's end */
   uint32_t target;
   uint32_t *preds;
   uint32_t num_preds, cap_preds;
   uint32_t loop_depth;
   uint32_t place;
   uint32_t start, end; /* positions in front of the first instruction, and of the jump */
   uint64_t *gen, *kill, *live_in; /* live.c */
};

struct vc_segment {
   uint32_t from, to;
};

/* Where a register of a value is needed. */
struct vc_live {
   struct vc_segment *segments;
   uint32_t count, cap;
};

#define VC_HASH 4096u

struct vc {
   const struct il_program *source; /* as written */
   const struct il_program *il;     /* as lowered */
   unsigned flags;
   bool copy; /* the copy program of a geometry program is wanted */
   struct shader_code *out;
   struct compile_memory mem;
   struct isa_text dump;

   struct vc_value *values; /* 0 is none */
   uint32_t num_values, cap_values;
   struct vc_block *blocks;
   uint32_t num_blocks, cap_blocks;
   uint32_t place;

   /* build.c: instructions that are known where building goes on */
   struct vc_inst *hash[VC_HASH];
   struct vc_inst **known;
   uint32_t num_known, cap_known;

   uint32_t scratch_bytes;  /* of a lane: arrays and spilled values */
   uint32_t near, near_end; /* free for values that are spilled: offsets of loads and stores */
   struct vc_live *live;    /* by unit */
   uint64_t *live_words;    /* of blocks' gen, kill and live_in */
   size_t num_live_words;   /* of which there is room */
   uint32_t *unit;          /* of a value: its first */
   uint32_t num_units;
   uint64_t registers; /* that may be used */
   uint64_t *busy;     /* allocate.c: registers in use after a position */
   uint32_t num_positions;
   uint8_t *wanted;       /* by position: where one found no register */
   bool apart;            /* the sides of a copy are not merged */
   struct vc_inst **code; /* flow.c: in order */
   uint32_t num_code, cap_code;
   uint32_t *block_at; /* of a block: its first instruction */
   bool *divergent;    /* by block: a branch that lanes may take differently goes there */
};

/* --- context (compile.c) ---------------------------------------------------------------------- */

/* Memory of the compilation and its failure, which ends it (compiler/memory.h). */
#define vc_alloc(c, bytes)                     compile_alloc(&(c)->mem, bytes)
#define vc_grow(c, array, count, cap, element) compile_grow(&(c)->mem, array, count, cap, element)
#define vc_fail(c, ...)                        compile_fail(&(c)->mem, __VA_ARGS__)
/** Adds the program to the dump if SHADER_COMPILE_PRINT_IR asks for it (print.c). */
void vc_print_after(struct vc *c, const char *pass);
/** The program as text (print.c). */
void vc_print(const struct vc *c, struct isa_text *text);

/* --- building (build.c) ----------------------------------------------------------------------- */

static inline struct vc_operand
vc_bits(uint32_t bits)
{
   return (struct vc_operand){ .kind = VC_CONST, .value = bits };
}
static inline struct vc_operand
vc_at(uint32_t value, unsigned comp)
{
   return (struct vc_operand){ .kind = VC_VALUE, .value = value, .comp = (uint8_t)comp };
}
static inline struct vc_operand
vc_uniform(uint32_t word)
{
   return (struct vc_operand){ .kind = VC_UNIFORM, .value = word };
}
static inline struct vc_operand
vc_special(unsigned page, unsigned number, unsigned word)
{
   return (struct vc_operand){
      .kind = VC_SPECIAL, .page = (uint8_t)page, .value = number, .comp = (uint8_t)word
   };
}
static inline struct vc_operand
vc_negate(struct vc_operand o)
{
   o.neg = !o.neg;
   return o;
}
static inline bool
vc_is(struct vc_operand o, uint32_t bits)
{
   return o.kind == VC_CONST && o.value == bits && !o.neg && !o.abs;
}
static inline bool
vc_is_message(unsigned op)
{
   return op < VALHALL_OP_COUNT && valhall_info(op)->unit >= VALHALL_UNIT_NONE;
}

/** A new value of so many registers. */
uint32_t vc_value(struct vc *c, unsigned size);
/** A register that holds something when the program begins. */
struct vc_operand vc_preloaded(struct vc *c, unsigned reg);
/** A new block after the last one, which does not fall into it yet. */
uint32_t vc_block(struct vc *c);
/** Control may come from block `from` to `to`. */
void vc_edge(struct vc *c, uint32_t from, uint32_t to);
/** An instruction that belongs nowhere yet. */
struct vc_inst *vc_new(struct vc *c, unsigned op);
/** At the end of the last block. */
struct vc_inst *vc_append(struct vc *c, struct vc_inst *inst);
void vc_insert(struct vc *c, uint32_t block, uint32_t at, struct vc_inst *inst);
/** The position of a modifier in an instruction's row; it must have it. */
unsigned vc_mod_at(unsigned op, enum valhall_modifier mod);
void vc_set(struct vc_inst *inst, enum valhall_modifier mod, unsigned value);
unsigned vc_get(const struct vc_inst *inst, enum valhall_modifier mod);
bool vc_has(unsigned op, enum valhall_modifier mod);
/** Registers that an instruction writes from its dest_comp on. */
unsigned vc_written(const struct vc *c, const struct vc_inst *inst);
/** The same value and modifiers? */
bool vc_same(struct vc_operand a, struct vc_operand b);
/** Registers that source n reads. */
unsigned vc_src_size(const struct vc_inst *inst, unsigned n);
/** Appends the instruction, or gives the result of an equal one that is known here. */
struct vc_operand vc_emit(struct vc *c, struct vc_inst *inst, unsigned size);
/** What is known after this point is forgotten by vc_forget(mark). */
uint32_t vc_known(const struct vc *c);
void vc_forget(struct vc *c, uint32_t mark);

struct vc_operand vc_op1(struct vc *c, unsigned op, struct vc_operand a);
struct vc_operand vc_op2(struct vc *c, unsigned op, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_op3(struct vc *c, unsigned op, struct vc_operand a, struct vc_operand b,
                         struct vc_operand d);
struct vc_operand vc_add(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_sub(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_mul(struct vc *c, struct vc_operand a, struct vc_operand b);
/** Logic: an LSHIFT_* opcode, without a shift. */
struct vc_operand vc_logic(struct vc *c, unsigned op, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_and(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_or(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_xor(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_not(struct vc *c, struct vc_operand a);
struct vc_operand vc_shl(struct vc *c, struct vc_operand a, struct vc_operand n);
struct vc_operand vc_shr(struct vc *c, struct vc_operand a, struct vc_operand n, bool is_signed);
/** ~0 or 0. */
struct vc_operand vc_compare(struct vc *c, unsigned op, unsigned condition, struct vc_operand a,
                             struct vc_operand b);
/** a cond b ? x : y */
struct vc_operand vc_csel(struct vc *c, unsigned op, unsigned condition, struct vc_operand a,
                          struct vc_operand b, struct vc_operand x, struct vc_operand y);
/** x where `cond` is not zero, else y. */
struct vc_operand vc_choose(struct vc *c, struct vc_operand cond, struct vc_operand x,
                            struct vc_operand y);
struct vc_operand vc_umin(struct vc *c, struct vc_operand a, struct vc_operand b);
/** (mask & a) | (~mask & b) */
struct vc_operand vc_bfi(struct vc *c, struct vc_operand mask, struct vc_operand a,
                         struct vc_operand b);
struct vc_operand vc_fadd(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_fmul(struct vc *c, struct vc_operand a, struct vc_operand b);
struct vc_operand vc_fma(struct vc *c, struct vc_operand a, struct vc_operand b,
                         struct vc_operand d);
/** Moves a pair: of uniforms, or of a constant and 0.  Belongs nowhere yet. */
struct vc_inst *vc_new_pair(struct vc *c, struct vc_operand pair);
struct vc_operand vc_round(struct vc *c, struct vc_operand a, unsigned mode);
/** A float's modifiers carried out. */
struct vc_operand vc_plain(struct vc *c, struct vc_operand a);
/** A vector of operands; one register's value is no vector. */
uint32_t vc_collect(struct vc *c, unsigned n, const struct vc_operand *o);
/** A store and a load of n registers at an address (a pair). */
void vc_store(struct vc *c, struct vc_operand address, int offset, unsigned n,
              const struct vc_operand *o);
uint32_t vc_load(struct vc *c, struct vc_operand address, int offset, unsigned n,
                 enum vc_memory memory);
/** Address `offset` after a pair's. */
struct vc_operand vc_address(struct vc *c, struct vc_operand pair, struct vc_operand offset);
/** Word `w` of a pair. */
struct vc_operand vc_word(struct vc_operand pair, unsigned w);
/** LD_BUFFER of n registers: of a handle, at a byte. */
uint32_t vc_load_buffer(struct vc *c, uint32_t handle, struct vc_operand offset, unsigned n,
                        enum vc_memory memory);
/** An address in window `index` of table 61. */
struct vc_operand vc_window(struct vc *c, unsigned index);

/* --- passes ----------------------------------------------------------------------------------- */

#define PASS(name, when) void vc_##name(struct vc *c);
#include "passes.def"

/** Copies that an instruction needs of the constants and uniforms it cannot name (legalize.c). */
unsigned vc_copies(const struct vc_inst *inst);
/** Messages early, as long as they bring no more than `window` registers at once; 0: as written. */
void vc_schedule(struct vc *c, uint32_t window);
/** Loads and constants after the branches before their readers; false: none moved. */
bool vc_sink(struct vc *c);
/** Gives values registers of c->registers; false: one has none where c->wanted says. */
bool vc_allocate(struct vc *c);
/** Finds where registers are needed. */
void vc_find_live(struct vc *c);
/** The most registers that are needed at one position. */
unsigned vc_pressure(struct vc *c);
/** Values into thread storage; false: nothing is left that could be. */
bool vc_spill(struct vc *c, unsigned count);
/** What is preloaded gets a value of its own, which may be spilled. */
void vc_split(struct vc *c);
void vc_flow(struct vc *c);
void vc_encode(struct vc *c);
/** Uses of all values, counted anew. */
void vc_count_uses(struct vc *c);
/** Takes out what is dead. */
void vc_remove_dead(struct vc *c);
/** Calls fn for every operand that an instruction reads. */
void vc_visit(struct vc_inst *inst, void (*fn)(struct vc_operand *o, unsigned size, void *data),
              void *data);

/** shader_compiler.bound; the table is import_alu.c's. */
bool vc_bound(unsigned il_op, struct shader_bound *bound);

#endif /* VALHALL_IR_H */
