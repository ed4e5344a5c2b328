/* SPDX-License-Identifier: MIT */
/*
 * A lifted Valhall program, as lift*.c build it and run.c reads it.
 *
 * An instruction is a step: a run of micro-operations, then what it does to control.  Steps that
 * always follow one another are a block (uop/blocks.h).  The micro-operations are those of all
 * instruction sets (uop/uops.def) wherever one computes what is wanted; those that Valhall alone
 * needs are in alu.c.  Operands narrower than 32 bits are unpacked into temporaries, computed
 * as 32-bit values, and packed again.
 */
#ifndef ATOLL_VALHALL_PROGRAM_H
#define ATOLL_VALHALL_PROGRAM_H

#include "isa/valhall/valhall.h"
#include "uop/blocks.h"
#include "valhall/valhall.h"

#define ROW(n) ((n)*COMP_BYTES)

/* Rows after the registers. */
enum {
   ROW_LANE = VH_REGISTERS, /* lane in the warp */
   ROW_WARP,
   ROW_THREAD, /* thread_local_pointer, two rows */
   /* Entry values of pixels that no register has. */
   ROW_BARYCENTRIC = ROW_THREAD + 2, /* i and j of each pair */
   ROW_Z = ROW_BARYCENTRIC + 2 * CORE_PAIRS,
   ROW_W,
   ROW_Y,
   ROW_SAMPLE,
   ROW_COORD,                    /* four: a parameter's components that a texture message takes */
   ROW_VERTEX = ROW_BARYCENTRIC, /* r60 to r62 of a Mali's vertex, for its second program */
   ROW_TEMP = ROW_COORD + 4,
};
#define VH_VERTEX_FIRST 60u
#define VH_VERTEX_KEPT  3u
#define VH_LINEAR       59u /* the register that counts a vertex's outputs */
_Static_assert(ROW_TEMP + 44 <= VH_ROWS, "there are too few temporaries");

/* Words that control can come to, */
struct vh_reach {
   bool *reached;
   bool *target;   /* by other ways than from the word before, */
   bool *entry;    /* and by calls */
   uint32_t count; /* up to the last of them */
};

/* Dwords of the table of values that are equal in all lanes. */
enum {
   UNI_FAU = 0,
   UNI_SPECIAL_0 = VALHALL_UNIFORMS,
   UNI_WORKGROUP = UNI_SPECIAL_0 + 32,
   UNI_RESOURCES = UNI_WORKGROUP + 2,
   UNI_SPRITE = UNI_RESOURCES + 2, /* t of the point coordinate: a summand and a factor */
   UNI_CONSTS = UNI_SPRITE + 2,    /* what LD_BUFFER reads at known offsets; literals follow */
};

/* Upper words of addresses in the device's windows (table 61): beyond all memory. */
#define VH_WINDOW_HIGH 0x80000000u
enum vh_window {
   VH_WINDOW_OUTPUTS,
   VH_WINDOW_RING,
   VH_WINDOW_STREAM, /* four; of a copy program, the first is its ring */
   VH_WINDOW_BELLS = 6,
   VH_WINDOW_FACTORS,
   VH_WINDOW_FEEDBACK, /* four */
   VH_WINDOW_GDS = 12,
   VH_WINDOW_THREAD,
   VH_WINDOW_GROUP,
   VH_WINDOWS,
   VH_NO_WINDOW = 255,
};

#define VH_TABLE_CLOCK 9u /* of handles */

#define VH_NO_REF UINT32_MAX

#define VH_BLENDS 8u

/* The words that are lifted: a program and, after a word that nothing decodes, the blend programs
 * that it may call. */
struct vh_text {
   const uint64_t *words;
   uint64_t *joined; /* NULL: they are the source's; else the caller's to free */
   size_t count;
   uint32_t program;          /* words of the program itself */
   uint32_t split;            /* first of the others; 0: there are none */
   uint64_t address[2];       /* of words 0 and `split` */
   uint32_t blend[VH_BLENDS]; /* first word of a target's blend program; 0: it has none */
   uint32_t blend_words;      /* of the source's that matter */
   bool device, mali;
   uint32_t second; /* first word of the program of varyings; 0: there is none */
};

enum vh_control {
   VH_NEXT,
   VH_BRANCH,
   VH_BARRIER,
   VH_DISCARD,
   VH_JUMP, /* all lanes go to the target */
   VH_CALL, /* VH_BRANCH, to where `where` says */
};

struct vh_step {
   uint32_t first, count; /* in uops */
   uint8_t control, flow;
   bool eq;         /* VH_BRANCH: taken if the condition is zero */
   uint8_t combine; /* VALHALL_COMBINE_* */
   int64_t target;
   struct uop_operand condition; /* VH_BRANCH, VH_DISCARD, VH_CALL */
   struct uop_operand where;     /* VH_CALL: lower word of an address, or instructions from here */
   bool absolute;
   bool entry; /* VH_CALLs may go here */
};

/* A message (struct uop_message). */
struct vh_message {
   uint8_t exec;  /* enum valhall_exec */
   uint8_t bytes; /* of memory */
   uint8_t op;    /* atomic operation */
   uint8_t reg;   /* first staging register read or written */
   uint8_t count;
   uint8_t returned; /* register of the old value */
   uint8_t num_returned;
   uint8_t shift, width; /* loads: bit that the value goes to, and bits that it is extended to */
   bool is_signed, compare;
   int32_t offset;
   /* The device's. */
   uint8_t window; /* enum vh_window that its address is known to be in */
   bool fixed;     /* and `offset` is into it */
   bool uniform;   /* its operands are the same in all lanes */
   uint8_t format; /* VALHALL_REGISTER_FORMAT_*, or of a texture VALHALL_REGISTER_TYPE_* */
   uint8_t table;  /* of the resources */
   uint8_t number; /* of a constant buffer, storage buffer, image or target; BIND_BY_HANDLE */
   uint32_t ref;   /* in the program's refs, or VH_NO_REF */
   uint8_t where;  /* varyings: enum core_pair */
   uint8_t row;    /* a parameter goes to rows from there on; 0: to registers */
   bool ends;      /* lanes do nothing after it */
   bool last;      /* no arithmetic of floats after it */
   struct vh_texture {
      uint8_t op;                   /* enum td_op */
      bool wide, cube, array, bias; /* bias: the word is added to the level */
      uint8_t dim, mask, component;
      /* Rows; -1: there is none.  The others of `gradient` are the next registers. */
      int8_t coord[3], layer, compare, offset, lod, gradient;
      bool parameter; /* they are one's: a layer is a float, a cube's coordinates a direction */
      bool half[2];   /* results of 16 bits: of the first texture, of the second */
      bool dual;      /* another texture at the same coordinates; its results follow the first's */
      uint32_t ref;   /* of the second */
   } texture;
};

/* Bit 0 of the word above a narrow handle says that coordinates are in texels: is there such a
 * word, which is neither another handle nor a parameter? */
static inline bool
vh_tells_texels(const struct vh_texture *t)
{
   return !t->wide && !t->dual && !t->parameter;
}

/* Which coordinates are normalised, as an instruction of Cayman has it. */
static inline uint8_t
vh_coord_type(const struct vh_texture *t, bool texels)
{
   const unsigned axes = t->dim == VALHALL_DIMENSION_1D   ? 1
                         : t->dim == VALHALL_DIMENSION_3D ? 3
                                                          : 2;
   return (uint8_t)(texels && !t->cube ? 15u & ~((1u << axes) - 1) : 15u);
}

/* TEX_GRADIENTs of a program that keep their derivatives: the second word of a result names one. */
#define VH_GRADIENTS 8u

/* Components of a derivative: a cube's is of its direction. */
static inline unsigned
vh_gradient_axes(unsigned dimension)
{
   return dimension == VALHALL_DIMENSION_1D ? 1 : dimension == VALHALL_DIMENSION_2D ? 2 : 3;
}

#define VH_BY_HANDLE 255u /* struct vh_message.number */

struct vh_program {
   struct core_program core; /* first */
   struct vh_step *steps;
   uint32_t num_steps, cap_steps;
   struct uop_code code;
   struct uop_blocks blocks;
   struct uop_bound bound;
   struct vh_message *messages;
   uint32_t num_messages, cap_messages;
   /* The device's. */
   bool device, mali;
   enum core_stage stage;
   uint32_t second, split; /* see struct vh_text */
   uint64_t address[2];
   uint64_t live;    /* registers that it may read before it writes them */
   unsigned fp_mode; /* MXCSR */
   bool numbers;     /* it reads its lane's number, or its warp's */
   bool coefficients, takes_z, takes_w;
   unsigned gradients; /* that are kept, at most VH_GRADIENTS */
   uint32_t pairs;     /* barycentrics that it takes, enum core_pair */
   struct vh_reads reads;
   struct vh_const_ref *consts;
   struct attribute *vtx;
   struct vh_tex_ref *tex;
   uint32_t cap_consts, cap_vtx, cap_tex;
   char message[256];
};

struct vh_lift {
   struct vh_program *p;
   const struct vh_source *source;
   const struct vh_text *text;
   struct valhall_instr instr;
   const struct valhall_info *info;
   uint32_t pc;
   unsigned flush;    /* enum vh_flush, of what is read and computed now */
   bool host_flushes; /* what its arithmetic reads and gives, all but what takes floats apart */
   const struct vh_reach *reach;
   unsigned gradients; /* that its TEX_GRADIENTs keep */
   bool covers; /* something but ATEST wrote r60, or read the mask of samples from elsewhere */
   /* What rows are known to hold, in the lanes that run here. */
   bool known[VH_ROWS];
   bool flushed[VH_ROWS]; /* no denormal, where the host flushes those */
   uint32_t value[VH_ROWS];
   struct uop_builder b; /* of p->code */
};

/* Building blocks (lift.c). */
struct uop_operand vh_temp(struct vh_lift *l);
struct uop_operand vh_literal(struct vh_lift *l, uint32_t value);
struct uop_operand vh_register(unsigned reg);
/* An operation into a new temporary. */
struct uop_operand vh_op(struct vh_lift *l, enum uop_id op, struct uop_operand a,
                         struct uop_operand b, struct uop_operand c);
/* One that has an immediate. */
struct uop_operand vh_imm(struct vh_lift *l, enum uop_id op, uint32_t imm, struct uop_operand a,
                          struct uop_operand b, struct uop_operand c);
void vh_move(struct vh_lift *l, struct uop_operand to, struct uop_operand from);
/* Half `high` (of a 64-bit source) of what source n names, without its selector. */
struct uop_operand vh_source_word(struct vh_lift *l, unsigned n, unsigned high);
/* A float, or what a half became, without denormals if the program flushes those of that format;
 * `least_half` says whether a half is there as its bits. */
struct uop_operand vh_flush(struct vh_lift *l, struct uop_operand a, bool half,
                            uint32_t least_half);
/* Element e of source n as a 32-bit value of the class. */
struct uop_operand vh_element(struct vh_lift *l, unsigned n, unsigned e, unsigned bits,
                              unsigned count, unsigned class);
void vh_lift_alu(struct vh_lift *l);
void vh_lift_pair(struct vh_lift *l);
void vh_lift_message(struct vh_lift *l);
/* Components of the parameter that VAR_TEX_* name, as floats in ROW_COORD and on
 * (lift_device.c). */
void vh_lift_coordinates(struct vh_lift *l, uint32_t count);
/* Instructions of the device's pipeline (lift_device.c, lift_texture.c). */
void vh_lift_device(struct vh_lift *l, struct vh_step *step);
void vh_lift_texture(struct vh_lift *l);
/* A message of the instruction, for the caller to fill; NULL: no memory. */
struct vh_message *vh_new_message(struct vh_lift *l);
/* A source's text (flow.c).  False: no memory. */
bool vh_make_text(struct vh_text *text, const struct vh_source *source);
/* False: no memory.  Either way vh_end_reach() frees it. */
bool vh_find_reached(const struct vh_text *text, struct vh_reach *reach);
void vh_end_reach(struct vh_reach *reach);
/* Of the target of a BLEND's blend descriptor; 0: it has no program. */
uint32_t vh_blend_program(const struct vh_text *text, const struct valhall_instr *instr);
uint64_t vh_address_of(uint32_t split, const uint64_t address[2], uint32_t pc);
/* The word that lies `offset` after the next, or at an address with `pc`'s upper word; -1: none. */
int64_t vh_place_behind(uint32_t split, size_t count, uint32_t pc, int64_t offset);
int64_t vh_place_at(uint32_t split, const uint64_t address[2], size_t count, uint32_t pc,
                    uint32_t low);
/* Registers that may be read before they are written.  `plain_coverage`: that of a pixel is SC's,
 * and what hands it over reads nothing. */
uint64_t vh_live_at_entry(const struct vh_text *text, const struct vh_reach *reach,
                          bool plain_coverage);
/* Values that are known (known.c). */
void vh_forget(struct vh_lift *l);
void vh_learn(struct vh_lift *l, uint32_t first_uop);
bool vh_operand_value(const struct vh_lift *l, const struct uop_operand *o, uint32_t *value);
/** Is a float no denormal, where those are flushed (known.c)? */
bool vh_is_flushed(const struct vh_lift *l, const struct uop_operand *o);
void vh_fail(struct vh_lift *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lifts a program, for no build; NULL: no memory. */
struct vh_program *vh_lift(const struct vh_source *source);
void vh_release(struct vh_program *program);

#endif
