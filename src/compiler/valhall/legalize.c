/* SPDX-License-Identifier: MIT */
/*
 * Constants and uniforms as an instruction can name them.
 *
 *  1. A source byte names one of 32 constants: as they are, with a sign where a source may have
 *     one, inverted, a half of one as a float, or a byte where a source selects bytes (0 to 31
 *     are all there).  Operands are swapped where that helps.
 *  2. An instruction that adds a constant to a register, or moves one, has it in its word.
 *  3. An instruction reads one 64-bit slot of uniforms (a message two), two words of uniforms and
 *     constants, one special value, and all are of one page.
 *  4. What does not fit comes from a register, into which a copy brings it; a block copies a word
 *     once, and both words of a 64-bit slot of uniforms at once.  Of the operands of which not
 *     all fit, that one is copied which is in a register already, or else the one that most
 *     instructions of the block would want there.
 */
#include "ir.h"

#define MAX_COPIES 16u /* that a block remembers */
#define MAX_WANTED 64u /* words that a block counts */

struct copies {
   struct vc_operand from[MAX_COPIES], to[MAX_COPIES];
   unsigned count, next;
   /* words of instructions that cannot name all of theirs */
   struct vc_operand wanted[MAX_WANTED];
   uint16_t times[MAX_WANTED];
   unsigned num_wanted;
};

static int
find_constant(uint32_t bits)
{
   const uint32_t *constants = valhall_constants();
   int found = -1;

   /* From the last to the first, without an end before it: a vector's work. */
   for (int n = (int)VALHALL_CONSTANTS; n-- > 0;)
      found = constants[n] == bits ? n : found;
   return found;
}

/* The selector of a byte of a word, -1: the source has none. */
static int
byte_selector(unsigned kind, unsigned byte)
{
   static const uint8_t words[4] = { VALHALL_SWIZZLES_32_BIT_B0, VALHALL_SWIZZLES_32_BIT_B1,
                                     VALHALL_SWIZZLES_32_BIT_B2, VALHALL_SWIZZLES_32_BIT_B3 };
   static const uint8_t lanes[4] = { VALHALL_LANES_8_BIT_B00, VALHALL_LANES_8_BIT_B11,
                                     VALHALL_LANES_8_BIT_B22, VALHALL_LANES_8_BIT_B33 };
   return kind == VALHALL_SRC_I32 ? words[byte] : kind == VALHALL_SRC_SHIFT ? lanes[byte] : -1;
}

/* A float that is half n of a word of the table, widened: its word and selector. */
static bool
find_half(uint32_t bits, uint32_t *word, uint8_t *select)
{
   const uint32_t exponent = bits >> 23 & 0xff;

   if (bits & 0x1fff || exponent < 113 || exponent > 142)
      return false;
   const uint32_t half = (bits >> 16 & 0x8000) | (exponent - 112) << 10 | (bits >> 13 & 0x3ff);
   for (unsigned n = 0; n < 64; n++) {
      if ((valhall_constant(n / 2) >> (n % 2 ? 16 : 0) & 0xffff) == half) {
         *word = valhall_constant(n / 2);
         *select = n % 2 ? VALHALL_WIDEN_H1 : VALHALL_WIDEN_H0;
         return true;
      }
   }
   return false;
}

/* Can the source name its constant?  Changes it so that it does. */
static bool
name_constant(const struct vc_inst *inst, unsigned n, struct vc_operand *o)
{
   unsigned kind = valhall_info(inst->op)->src[n];
   const struct valhall_src_info *src = valhall_src_info(kind);
   int selector = byte_selector(kind, o->value & 3);
   bool whole = !src->width || !o->select || kind == VALHALL_SRC_SHIFT;
   uint32_t word;
   uint8_t half;

   if (!whole)
      return find_constant(o->value) >= 0;
   if (selector >= 0 && o->value < 32 && (o->value || kind == VALHALL_SRC_SHIFT)) {
      o->select = (uint8_t)selector;
      o->value = valhall_constant(8 + o->value / 4);
      return true;
   }
   if (find_constant(o->value) >= 0)
      return true;
   if (src->negabs && src->bits == 32 && !o->abs && find_constant(o->value ^ 0x80000000) >= 0) {
      o->value ^= 0x80000000;
      o->neg = !o->neg;
      return true;
   }
   if (kind == VALHALL_SRC_F32 && find_half(o->value & 0x7fffffff, &word, &half)) {
      o->neg ^= o->value >> 31 && !o->abs;
      o->value = word;
      o->select = half;
      return true;
   }
   if (src->invert && find_constant(~o->value) >= 0) {
      o->value = ~o->value;
      o->invert = !o->invert;
      return true;
   }
   return false;
}

static bool
is_register(const struct vc_operand *o)
{
   return o->kind == VC_VALUE;
}

/* An addition of a constant that has it in its word. */
static void
take_constant(struct vc_inst *inst)
{
   bool add = inst->op == VALHALL_OP_IADD_U32, real = inst->op == VALHALL_OP_FADD_F32;

   for (unsigned n = 0; n < 2 && (add || real); n++) {
      struct vc_operand *k = &inst->src[n], other = inst->src[!n];
      if (k->kind != VC_CONST || k->select || other.select || other.neg || other.abs ||
          !is_register(&other) || name_constant(inst, n, &(struct vc_operand){ .value = k->value }))
         continue;
      uint32_t bits = k->abs ? k->value & 0x7fffffff : k->value;
      bits ^= k->neg ? 0x80000000 : 0;
      if (real && vc_get(inst, VALHALL_MOD_CLAMP))
         continue;
      inst->op = real ? VALHALL_OP_FADD_IMM_F32 : VALHALL_OP_IADD_IMM_I32;
      inst->src[0] = other;
      inst->src[1] = (struct vc_operand){ 0 };
      inst->imm[0] = bits;
      for (unsigned i = 0; i < VALHALL_MAX_MODS; i++)
         inst->mod[i] = 0;
      return;
   }
}

/* The word that a copy would bring. */
static struct vc_operand
word_of(struct vc_operand o)
{
   o.neg = o.abs = o.invert = false;
   o.select = 0;
   return o;
}

static int
find_copy(const struct copies *known, struct vc_operand from)
{
   for (unsigned n = 0; n < known->count; n++)
      if (vc_same(known->from[n], from))
         return (int)n;
   return -1;
}

static void
remember(struct copies *known, struct vc_operand from, struct vc_operand to)
{
   unsigned slot = known->next++ % MAX_COPIES;
   known->from[slot] = from;
   known->to[slot] = to;
   known->count = known->next < MAX_COPIES ? known->next : MAX_COPIES;
}

static unsigned
times_wanted(const struct copies *known, struct vc_operand word)
{
   for (unsigned n = 0; n < known->num_wanted; n++)
      if (vc_same(known->wanted[n], word))
         return known->times[n];
   return 0;
}

/* One instruction brings both words of a 64-bit slot. */
static bool
is_pair_wanted(const struct copies *known, struct vc_operand from)
{
   const struct vc_operand other = vc_uniform(from.value ^ 1);
   return from.kind == VC_UNIFORM && times_wanted(known, other) && find_copy(known, other) < 0;
}

static struct vc_operand
copy(struct vc *c, uint32_t block, uint32_t *at, struct copies *known, struct vc_operand o)
{
   const struct vc_operand from = word_of(o);
   const int found = find_copy(known, from);
   struct vc_inst *inst;

   if (found >= 0) {
      struct vc_operand to = known->to[found];
      to.neg = o.neg, to.abs = o.abs, to.invert = o.invert, to.select = o.select;
      return to;
   }
   if (from.kind == VC_CONST && find_constant(from.value) < 0) {
      inst = vc_new(c, VALHALL_OP_IADD_IMM_I32);
      inst->src[0] = vc_bits(0);
      inst->imm[0] = from.value;
   } else if (is_pair_wanted(known, from)) {
      inst = vc_new_pair(c, vc_uniform(from.value & ~1u));
   } else {
      inst = vc_new(c, VALHALL_OP_MOV_I32);
      inst->src[0] = from;
   }
   const unsigned words = inst->op == VALHALL_OP_IADD_U64 ? 2 : 1;
   inst->dest = vc_value(c, words);
   inst->place = c->place;
   vc_insert(c, block, (*at)++, inst);
   struct vc_operand to = vc_at(inst->dest, words == 2 ? from.value & 1 : 0);
   remember(known, from, to);
   if (words == 2)
      remember(known, vc_uniform(from.value ^ 1), vc_at(inst->dest, !to.comp));
   to.neg = o.neg, to.abs = o.abs, to.invert = o.invert, to.select = o.select;
   return to;
}

/* A pair of words that is no register: one that an instruction can read as it is, or a vector. */
static struct vc_operand
copy_pair(struct vc *c, uint32_t block, uint32_t *at, struct copies *known, struct vc_operand o)
{
   struct vc_inst *inst = vc_new(c, VC_COLLECT);
   inst->place = c->place;
   inst->list = vc_alloc(c, 2 * sizeof(*inst->list));
   inst->num_list = 2;
   for (unsigned w = 0; w < 2; w++) {
      struct vc_operand word = o;
      word.comp = (uint8_t)(o.kind == VC_SPECIAL ? o.comp + w : 0);
      word.value = o.kind == VC_UNIFORM ? o.value + w : o.kind == VC_CONST && w ? 0 : o.value;
      inst->list[w] = copy(c, block, at, known, word);
   }
   inst->dest = vc_value(c, 2);
   vc_insert(c, block, (*at)++, inst);
   return vc_at(inst->dest, 0);
}

struct words {
   unsigned slots, words, page;
   uint32_t slot[2];
   uint64_t word[2];
   bool has_page, special;
};

/* Does one more fit? */
static bool
fits(struct words *w, const struct vc_operand *o, bool two)
{
   uint64_t name =
      (uint64_t)o->kind << 60 | (uint64_t)o->value << 2 | (o->kind == VC_SPECIAL ? o->comp : 0u);
   uint32_t slot = o->kind == VC_UNIFORM ? o->value >> 1 : 1u << 20 | o->value;
   unsigned page = o->kind == VC_UNIFORM ? o->value >> 6 : o->page, i;

   for (i = 0; i < w->words && w->word[i] != name; i++) {
   }
   if (i < w->words)
      return true;
   if (w->words == 2)
      return false;
   if (o->kind != VC_CONST) {
      for (i = 0; i < w->slots && w->slot[i] != slot; i++) {
      }
      if (i == w->slots) {
         if (w->slots == (two ? 2u : 1u) || (o->kind == VC_SPECIAL && w->special))
            return false;
      }
      if (w->has_page && w->page != page)
         return false;
      if (i == w->slots)
         w->slot[w->slots++] = slot;
      w->has_page = true;
      w->page = page;
      w->special |= o->kind == VC_SPECIAL;
   }
   w->word[w->words++] = name;
   return true;
}

/* Can source `n` be named beside those in `w`?  Changes a constant so that it names it. */
static bool
can_name(const struct vc_inst *inst, unsigned n, struct vc_operand *o, struct words *w)
{
   const bool message = vc_is_message(inst->op), pair = vc_src_size(inst, n) == 2;
   const bool two = message && inst->op != VALHALL_OP_ATEST && inst->op != VALHALL_OP_BLEND;

   if (o->kind == VC_CONST && (!name_constant(inst, n, o) || (pair && o->value)))
      return false;
   if (pair && o->kind == VC_UNIFORM && o->value & 1)
      return false;
   if (message && o->kind == VC_SPECIAL && o->page == 3)
      return false;
   return fits(w, o, two);
}

/* Sources that are not named if those of `last`, a mask, are asked last: a mask. */
static unsigned
left_over(const struct vc_inst *inst, unsigned last)
{
   const unsigned count = valhall_info(inst->op)->num_src;
   struct words w = { 0 };
   unsigned left = 0;

   for (unsigned round = 0; round < 2; round++) {
      for (unsigned n = 0; n < count; n++) {
         struct vc_operand o = inst->src[n];
         if (!is_register(&o) && (last >> n & 1) == round && !can_name(inst, n, &o, &w))
            left |= 1u << n;
      }
   }
   return left;
}

unsigned
vc_copies(const struct vc_inst *inst)
{
   return inst->op < VALHALL_OP_COUNT ? (unsigned)__builtin_popcount(left_over(inst, 0)) : 0;
}

/* Counts the words of an instruction that cannot name all of them. */
static void
note_words(struct copies *known, const struct vc_inst *inst)
{
   if (!vc_copies(inst))
      return;
   for (unsigned k = 0; k < valhall_info(inst->op)->num_src; k++) {
      const struct vc_operand word = word_of(inst->src[k]);
      unsigned n = 0;
      if (is_register(&word))
         continue;
      while (n < known->num_wanted && !vc_same(known->wanted[n], word))
         n++;
      if (n == MAX_WANTED)
         continue;
      known->wanted[n] = word;
      known->times[n]++;
      known->num_wanted += n == known->num_wanted;
   }
}

/* Which sources come from a register: a mask. */
static unsigned
choose_copies(const struct copies *known, const struct vc_inst *inst)
{
   const unsigned count = valhall_info(inst->op)->num_src;
   unsigned best = left_over(inst, 0), least = UINT32_MAX;

   if (!best)
      return 0;
   for (unsigned last = 0; last < 1u << count; last++) {
      const unsigned left = left_over(inst, last);
      unsigned cost = 0, gain = 0;
      for (unsigned n = 0; n < count; n++) {
         const struct vc_operand word = word_of(inst->src[n]);
         if (!(left >> n & 1))
            continue;
         cost += find_copy(known, word) < 0;
         gain += times_wanted(known, word);
      }
      cost = (cost << 16) + 0xffff - (gain < 0xffff ? gain : 0xffff);
      if (cost < least) {
         least = cost;
         best = left;
      }
   }
   return best;
}

/* The operands of logic without a shift may be swapped: the first selects bytes. */
static void
commute(struct vc_inst *inst)
{
   struct vc_inst other = *inst;

   if ((inst->op != VALHALL_OP_LSHIFT_AND_I32 && inst->op != VALHALL_OP_LSHIFT_OR_I32 &&
        inst->op != VALHALL_OP_LSHIFT_XOR_I32) ||
       !vc_is(inst->src[1], 0) || inst->src[0].select || inst->src[2].invert)
      return;
   other.src[0] = inst->src[2];
   other.src[2] = inst->src[0];
   if (vc_copies(&other) < vc_copies(inst))
      *inst = other;
}

static void
legalize(struct vc *c, uint32_t block, uint32_t *at, struct copies *known, struct vc_inst *inst)
{
   const unsigned copies = choose_copies(known, inst);
   struct words w = { 0 };

   for (unsigned n = 0; n < valhall_info(inst->op)->num_src; n++) {
      struct vc_operand *o = &inst->src[n];
      if (copies >> n & 1) {
         *o = vc_src_size(inst, n) == 2 ? copy_pair(c, block, at, known, *o)
                                        : copy(c, block, at, known, *o);
      } else if (!is_register(o)) {
         can_name(inst, n, o, &w);
      }
   }
}

void
vc_legalize(struct vc *c)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct copies known = { .count = 0 };
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++)
         if (c->blocks[n].insts[i]->op < VALHALL_OP_COUNT)
            note_words(&known, c->blocks[n].insts[i]);
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++) {
         struct vc_inst *inst = c->blocks[n].insts[i];
         if (inst->op >= VALHALL_OP_COUNT)
            continue;
         c->place = inst->place;
         take_constant(inst);
         commute(inst);
         legalize(c, n, &i, &known, inst);
      }
      struct vc_block *b = &c->blocks[n];
      uint32_t end = b->num_insts;
      c->place = b->place;
      if (b->cond.kind == VC_SPECIAL ||
          (b->cond.kind == VC_CONST && find_constant(b->cond.value) < 0))
         b->cond = copy(c, n, &end, &known, b->cond);
   }
}
