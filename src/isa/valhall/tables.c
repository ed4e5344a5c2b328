/* SPDX-License-Identifier: MIT */
/*
 * Tables of the Valhall instruction set, made from the .def files: rows, modifiers, sources, enums.
 */
#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define NIL
#define M(id)                         VALHALL_MOD_##id,
#define I(name, lo, width, is_signed) { name, lo, width, is_signed },

static const struct valhall_info rows[VALHALL_OP_COUNT] = {
#define VALHALL_OP(id, name, unit, opcode, op2_lo, op2_mask, op2, shape, s0, s1, s2, s3, imms, \
                   mods, exec, from, to, text)                                                 \
   [VALHALL_OP_##id] = {                                                                       \
      name,                                                                                    \
      text,                                                                                    \
      opcode,                                                                                  \
      op2_lo,                                                                                  \
      op2_mask,                                                                                \
      op2,                                                                                     \
      VALHALL_UNIT_##unit,                                                                     \
      VALHALL_SHAPE_##shape,                                                                   \
      0,                                                                                       \
      0,                                                                                       \
      0,                                                                                       \
      { VALHALL_SRC_##s0, VALHALL_SRC_##s1, VALHALL_SRC_##s2, VALHALL_SRC_##s3 },              \
      { mods VALHALL_MOD_NO },                                                                 \
      { imms{ NULL, 0, 0, false } },                                                           \
      VALHALL_EXEC_##exec,                                                                     \
      VALHALL_TYPE_##from,                                                                     \
      VALHALL_TYPE_##to,                                                                       \
   },
#include "opcodes.def"
};

static const struct valhall_mod_info mods[VALHALL_MOD_COUNT] = {
#define VALHALL_MOD(id, name, lo, width, en) \
   [VALHALL_MOD_##id] = { name, lo, width, VALHALL_ENUM_##en },
#include "fields.def"
};

static const struct valhall_src_info sources[VALHALL_SRC_COUNT] = {
#define VALHALL_SRC(id, bits, negabs, invert, wide, en, lo0, lo1, lo2, width) \
   [VALHALL_SRC_##id] = { bits, negabs, invert, wide, VALHALL_ENUM_##en, { lo0, lo1, lo2 }, width },
#include "fields.def"
};

static const struct valhall_type_info types[VALHALL_TYPE_COUNT] = {
#define VALHALL_TYPE(id, bits, count, class) \
   [VALHALL_TYPE_##id] = { bits, count, VALHALL_CLASS_##class },
#include "fields.def"
};

static const struct valhall_value_info values[VALHALL_ENUM_COUNT][16] = {
#define VALHALL_VALUE(en, id, number, text, standard) \
   [VALHALL_ENUM_##en][number] = { text, VALHALL_ENUM_##en, number, standard },
#include "enums.def"
};

static const char *const enum_texts[VALHALL_ENUM_COUNT] = {
#define VALHALL_ENUM(id, text) [VALHALL_ENUM_##id] = text,
#include "enums.def"
};

static const char *const exec_texts[VALHALL_EXEC_COUNT] = {
#define VALHALL_EXEC(id, text) [VALHALL_EXEC_##id] = text,
#include "fields.def"
};

static const uint32_t constants[VALHALL_CONSTANTS] = {
#define VALHALL_CONSTANT(index, value) [index] = value,
#include "fields.def"
};

static const uint32_t inactive[16] = {
#define VALHALL_INACTIVE(id, bits) [VALHALL_INACTIVE_RESULT_##id] = bits,
#include "fields.def"
};

static struct valhall_info infos[VALHALL_OP_COUNT];
/* Rows of an opcode: `first`, and then `next` of each; VALHALL_OP_COUNT ends. */
static uint16_t first[512], next[VALHALL_OP_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool made;

static uint64_t
bits(unsigned lo, unsigned width)
{
   return ((UINT64_C(1) << width) - 1) << lo;
}

static void
complete(struct valhall_info *info)
{
   while (info->num_src < VALHALL_MAX_SRCS && info->src[info->num_src])
      info->num_src++;
   while (info->num_imm < VALHALL_MAX_IMMS && info->imm[info->num_imm].name)
      info->num_imm++;
   while (info->num_mod < VALHALL_MAX_MODS && info->mod[info->num_mod])
      info->num_mod++;
   info->match = (uint64_t)info->opcode << 48 | (uint64_t)info->op2 << info->op2_lo;
   info->mask = bits(48, 9) | (uint64_t)info->op2_mask << info->op2_lo;
   /* Opcode, page, flow; the destination, staging registers or the placeholder. */
   uint64_t fields = info->mask | bits(57, 6) | bits(40, 8);
   for (unsigned n = 0; n < info->num_src; n++) {
      const struct valhall_src_info *src = &sources[info->src[n]];
      fields |= bits(valhall_src_lo(info, n), 8);
      fields |= src->negabs ? bits(VALHALL_NEG_BIT(n), 2) : 0;
      fields |= src->invert ? bits(VALHALL_NOT_BIT, 1) : 0;
      fields |= src->width ? bits(src->lo[n], src->width) : 0;
   }
   for (unsigned n = 0; n < info->num_imm; n++)
      fields |= bits(info->imm[n].lo, info->imm[n].width);
   for (unsigned n = 0; n < info->num_mod; n++)
      fields |= bits(mods[info->mod[n]].lo, mods[info->mod[n]].width);
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      struct valhall_staging s = valhall_staging(info, n);
      fields |= bits(s.reg_lo, 6) | bits(s.count_lo, 3);
   }
   info->fields = fields;
}

static void
make(void)
{
   for (unsigned i = 0; i < 512; i++)
      first[i] = VALHALL_OP_COUNT;
   for (unsigned i = VALHALL_OP_COUNT; i-- > 0;) {
      infos[i] = rows[i];
      complete(&infos[i]);
      next[i] = first[rows[i].opcode];
      first[rows[i].opcode] = (uint16_t)i;
   }
   atomic_store_explicit(&made, true, memory_order_release);
}

/* Every question comes through here, so that most of them end with one load. */
static void
need_tables(void)
{
   if (!atomic_load_explicit(&made, memory_order_acquire))
      pthread_once(&once, make);
}

const struct valhall_info *
valhall_info(unsigned opcode)
{
   need_tables();
   return &infos[opcode < VALHALL_OP_COUNT ? opcode : VALHALL_OP_NOP];
}

unsigned
valhall_find(uint64_t word)
{
   need_tables();
   unsigned i = first[word >> 48 & 0x1ff];
   while (i < VALHALL_OP_COUNT && (word & infos[i].mask) != infos[i].match)
      i = next[i];
   return i;
}

bool
valhall_has_opcode(unsigned opcode)
{
   need_tables();
   return first[opcode & 0x1ff] < VALHALL_OP_COUNT;
}

const struct valhall_mod_info *
valhall_mod_info(unsigned mod)
{
   return &mods[mod < VALHALL_MOD_COUNT ? mod : 0];
}

const struct valhall_src_info *
valhall_src_info(unsigned kind)
{
   return &sources[kind < VALHALL_SRC_COUNT ? kind : 0];
}

const struct valhall_type_info *
valhall_type_info(unsigned type)
{
   return &types[type < VALHALL_TYPE_COUNT ? type : 0];
}

bool
valhall_exec_is_fragment(unsigned exec)
{
   return exec == VALHALL_EXEC_DISCARD ||
          (exec >= VALHALL_EXEC_LD_VAR && exec <= VALHALL_EXEC_BRANCHZI);
}

const char *
valhall_exec_text(unsigned exec)
{
   return exec_texts[exec < VALHALL_EXEC_COUNT ? exec : 0];
}

const struct valhall_value_info *
valhall_value(unsigned en, unsigned value)
{
   if (en >= VALHALL_ENUM_COUNT || value >= 16 || !values[en][value].name)
      return NULL;
   return &values[en][value];
}

const struct valhall_value_info *
valhall_value_named(unsigned en, const char *name, size_t length)
{
   for (unsigned v = 0; en < VALHALL_ENUM_COUNT && v < 16; v++) {
      const char *s = values[en][v].name;
      if (s && strlen(s) == length && !memcmp(s, name, length))
         return &values[en][v];
   }
   return NULL;
}

const char *
valhall_enum_text(unsigned en)
{
   return en < VALHALL_ENUM_COUNT && enum_texts[en] ? enum_texts[en] : "flag";
}

const uint32_t *
valhall_constants(void)
{
   return constants;
}

uint32_t
valhall_constant(unsigned index)
{
   return constants[index % VALHALL_CONSTANTS];
}

uint32_t
valhall_inactive_value(unsigned value)
{
   return inactive[value & 15];
}

unsigned
valhall_constant_first(unsigned index)
{
   unsigned first_index = 0;
   while (constants[first_index] != valhall_constant(index))
      first_index++;
   return first_index;
}

unsigned
valhall_src_lo(const struct valhall_info *info, unsigned n)
{
   /* A 64-bit address is in the bits of two sources. */
   return 8 * (n + (n > 0 && sources[info->src[0]].wide));
}

unsigned
valhall_num_staging(const struct valhall_info *info)
{
   switch (info->shape) {
   case VALHALL_SHAPE_TEX:
   case VALHALL_SHAPE_ATOMIC:
      return 2;
   case VALHALL_SHAPE_WRITE:
   case VALHALL_SHAPE_READ:
   case VALHALL_SHAPE_VARTEX:
      return 1;
   default:
      return 0;
   }
}

struct valhall_staging
valhall_staging(const struct valhall_info *info, unsigned n)
{
   bool two = info->shape == VALHALL_SHAPE_TEX || info->shape == VALHALL_SHAPE_ATOMIC;
   if (two && n == 0)
      return (struct valhall_staging){ 16, 36, 1, true };
   if (info->shape == VALHALL_SHAPE_VARTEX)
      return (struct valhall_staging){ 40, 36, 1, true };
   return (struct valhall_staging){ 40, 33, 0, info->shape == VALHALL_SHAPE_WRITE };
}

unsigned
valhall_page_enum(unsigned page)
{
   static const uint8_t pages[4] = { VALHALL_ENUM_SPECIAL_0, VALHALL_ENUM_SPECIAL_1,
                                     VALHALL_ENUM_FLAG, VALHALL_ENUM_SPECIAL_3 };
   return pages[page & 3];
}

unsigned
valhall_get(const struct valhall_instr *instr, enum valhall_modifier mod)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   for (unsigned n = 0; n < info->num_mod; n++)
      if (info->mod[n] == mod)
         return instr->mod[n];
   return 0;
}
