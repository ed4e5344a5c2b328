/* SPDX-License-Identifier: MIT */
/*
 * Listing to words.
 *
 * A clause instruction with ADDR has its clause there; without, the assembler lays the clause out
 * after everything that has an address.  CNT and the numbers of CF instructions, where given, must
 * agree with what follows.  Parts may overlap if they agree in every bit, as shared clauses do;
 * gaps are zeros.
 *
 * A five-slot chip's END_OF_PROGRAM is a bit of the instruction above it; an ALU clause has none,
 * so a NOP with the bit comes after one.
 */
#include "listing.h"

#include <stdio.h>

/* 8-byte units that a program may span: what keeps a short text from asking for gigabytes. */
#define MAX_UNITS (1u << 20)

/* The clause under a CF instruction. */
struct clause {
   const struct cayman_item *item;
   struct cayman_cf cf;
   uint32_t pc;         /* CF index */
   size_t first, count; /* dwords in the pool of bodies */
};

struct assembler {
   const struct cayman_listing *listing;
   struct isa_error *error;
   struct clause *clauses;
   size_t num_clauses;
   uint32_t *body; /* clauses one after the other */
   size_t num_body, body_capacity;
   uint32_t *words;
   uint8_t *written; /* one byte a dword */
   size_t num_words, capacity;
};

static bool
fail_at(struct assembler *a, const struct cayman_item *item, const char *text)
{
   return isa_fail(a->error, item->line, item->column, "%s", text);
}

static bool
add_body(struct assembler *a, const uint32_t *words, size_t count)
{
   if (a->num_body + count > a->body_capacity) {
      size_t capacity = 2 * a->body_capacity + count + 256;
      uint32_t *body = realloc(a->body, capacity * sizeof(*body));
      if (!body)
         return isa_fail(a->error, 0, 0, "no memory");
      a->body = body;
      a->body_capacity = capacity;
   }
   memcpy(a->body + a->num_body, words, count * sizeof(*words));
   a->num_body += count;
   return true;
}

static bool
put_words(struct assembler *a, const struct cayman_item *item, size_t at, const uint32_t *words,
          size_t count)
{
   if (at + count > 2 * (size_t)MAX_UNITS) {
      return isa_fail(a->error, item->line, item->column,
                      "the program ends after %u quadwords, which is more than is assembled",
                      MAX_UNITS);
   }
   if (at + count > a->capacity) {
      size_t capacity = 2 * a->capacity + 256;
      while (capacity < at + count)
         capacity *= 2;
      uint32_t *grown = realloc(a->words, capacity * sizeof(*grown));
      if (!grown)
         return isa_fail(a->error, 0, 0, "no memory");
      a->words = grown;
      uint8_t *marks = realloc(a->written, capacity);
      if (!marks)
         return isa_fail(a->error, 0, 0, "no memory");
      a->written = marks;
      memset(a->words + a->capacity, 0, (capacity - a->capacity) * sizeof(*grown));
      memset(a->written + a->capacity, 0, capacity - a->capacity);
      a->capacity = capacity;
   }
   for (size_t i = 0; i < count; i++) {
      if (a->written[at + i] && a->words[at + i] != words[i]) {
         return isa_fail(a->error, item->line, item->column,
                         "overlaps what stands at quadword %zu, and differs from it", (at + i) / 2);
      }
      a->written[at + i] = 1;
      a->words[at + i] = words[i];
   }
   if (at + count > a->num_words)
      a->num_words = at + count;
   return true;
}

/* Why encoding a slot failed. */
static bool
slot_error(struct assembler *a, const struct cayman_item *item)
{
   return fail_at(a, item, "the slot says what its encoding cannot hold");
}

/* Slots ascend, and t is the last.  A five-slot chip finds by the operation, and by which channels
 * are taken, what t runs: the text must say the same. */
static bool
runs_there(struct assembler *a, const struct cayman_item *const *slots, unsigned i, unsigned taken)
{
   const enum cayman_vliw vliw = a->listing->vliw;
   const struct cayman_item *item = slots[i];
   const struct cayman_alu *alu = &item->slot.alu;
   const struct cayman_alu *last = i && !slots[i - 1]->num_bits ? &slots[i - 1]->slot.alu : NULL;

   if (last && (last->trans || (!alu->trans && alu->dst_chan <= last->dst_chan))) {
      return fail_at(a, item,
                     cayman_five_slots(vliw)
                        ? "slots of a group stand in the order x, y, z, w, t, each once"
                        : "slots of a group stand in the order x, y, z, w, each once");
   }
   if (alu->trans == cayman_alu_is_trans(vliw, alu, taken))
      return true;
   return fail_at(a, item,
                  alu->trans
                     ? "t does not run it: it runs operations that only t has, and those of "
                       "one slot that may be in any, of a channel that another slot takes"
                     : "only t runs it");
}

/* A group: `count` slot items, adjacent but for text. */
static bool
encode_group(struct assembler *a, const struct cayman_item *const *slots, unsigned count)
{
   const enum cayman_vliw vliw = a->listing->vliw;
   uint32_t words[CAYMAN_MAX_GROUP_WORDS], literal[4] = { 0 };
   bool has_literal = false, given[4] = { false };
   unsigned max_chan = 0, num_literals = 0, explicit_literals = 0, taken = 0;

   for (unsigned i = 0; i < count; i++) {
      const struct cayman_item *item = slots[i];
      struct cayman_alu alu = item->slot.alu;
      const bool trans = alu.trans;
      if (!item->num_bits && !runs_there(a, slots, i, taken))
         return false;
      alu.last = i + 1 == count;
      int status = cayman_encode_alu(vliw, &alu, words + 2 * i);
      if (item->num_bits) {
         memcpy(words + 2 * i, item->bits, 2 * sizeof(*words));
         if (item->num_bits > 2) {
            explicit_literals = item->num_bits - 2;
            memcpy(literal, item->bits + 2, explicit_literals * sizeof(*literal));
            for (unsigned c = 0; c < explicit_literals; c++)
               given[c] = true;
         }
      } else if (status == CAYMAN_ERR_FIELD) {
         return slot_error(a, item);
      }
      cayman_decode_alu(vliw, words + 2 * i, &alu);
      taken |= trans ? 0 : 1u << alu.dst_chan;
      has_literal |= cayman_alu_selects_literal(&alu, &max_chan);
   }
   for (unsigned i = 0; i < count; i++) {
      const struct cayman_item *item = slots[i];
      for (unsigned s = 0; s < item->slot.num_src; s++) {
         const struct cayman_alu_src *src = &item->slot.alu.src[s];
         if (src->sel != CAYMAN_SRC_LITERAL)
            continue;
         if (given[src->chan] && literal[src->chan] != item->slot.literal[s]) {
            return isa_fail(a->error, item->line, item->column,
                            "the group's literal .%c has two values", "xyzw"[src->chan]);
         }
         given[src->chan] = true;
         literal[src->chan] = item->slot.literal[s];
      }
   }
   if (has_literal)
      num_literals = max_chan >= 2 ? 4 : 2;
   if (explicit_literals > num_literals)
      return fail_at(a, slots[count - 1], "BITS with literals that no operand selects");
   memcpy(words + 2 * count, literal, num_literals * sizeof(*words));
   return add_body(a, words, 2 * count + num_literals);
}

static bool
is_body(unsigned kind)
{
   return kind == CAYMAN_ITEM_SLOT || kind == CAYMAN_ITEM_FETCH || kind == CAYMAN_ITEM_RAW;
}

/* The instructions that follow item `i`; moves `i` to the last of them. */
static bool
encode_body(struct assembler *a, size_t *i, bool alu)
{
   const struct cayman_listing *l = a->listing;
   const unsigned most = cayman_five_slots(l->vliw) ? CAYMAN_MAX_SLOTS : 4;
   const struct cayman_item *slots[CAYMAN_MAX_SLOTS];
   unsigned count = 0;

   for (size_t n = *i + 1; n < l->num_items; n++) {
      const struct cayman_item *item = &l->items[n];
      if (item->kind == CAYMAN_ITEM_TEXT)
         continue;
      if (!is_body(item->kind))
         break;
      *i = n;
      if (count && (item->kind != CAYMAN_ITEM_SLOT || item->numbered)) {
         if (!encode_group(a, slots, count))
            return false;
         count = 0;
      }
      if (item->kind == CAYMAN_ITEM_SLOT) {
         if (!alu)
            return fail_at(a, item, "an ALU instruction in a fetch clause");
         if (count == most) {
            return fail_at(a, item,
                           most == 4 ? "a group has at most four slots; a number starts the next"
                                     : "a group has at most five slots; a number starts the next");
         }
         slots[count++] = item;
      } else if (item->kind == CAYMAN_ITEM_FETCH) {
         uint32_t words[4];
         if (alu)
            return fail_at(a, item, "a fetch in an ALU clause");
         if (item->num_bits == 4)
            memcpy(words, item->bits, sizeof(words));
         else if (item->num_bits || cayman_encode_fetch(l->vliw, &item->fetch, words) != CAYMAN_OK)
            return fail_at(a, item, "the fetch says what its encoding cannot hold");
         if (!add_body(a, words, 4))
            return false;
      } else if (!add_body(a, l->pool + item->words.first, item->words.count)) {
         return false;
      }
   }
   return !count || encode_group(a, slots, count);
}

bool
cayman_end_is_instruction(enum cayman_vliw vliw, const struct cayman_item *above)
{
   return vliw == CAYMAN_VLIW4 || !above || above->kind != CAYMAN_ITEM_CF || above->num_bits ||
          cayman_cf_is_alu(&above->cf) || above->cf.end;
}

/* One CF instruction: its words go to their address at once, its clause to the pool. */
static bool
encode_cf(struct assembler *a, size_t *i, uint32_t *pc)
{
   const struct cayman_item *item = &a->listing->items[*i];
   struct cayman_cf cf = item->cf;
   struct clause *above = a->num_clauses ? &a->clauses[a->num_clauses - 1] : NULL;

   if (item->kind == CAYMAN_ITEM_END && cayman_five_slots(a->listing->vliw)) {
      if (!cayman_end_is_instruction(a->listing->vliw, above ? above->item : NULL)) {
         above->cf.end = true;
         return true;
      }
      cf.op = CAYMAN_CF_NOP;
      cf.end = true;
   }
   bool clause = !item->undefined &&
                 (cayman_cf_is_alu(&cf) || cayman_cf_is_fetch(&cf) || cayman_cf_is_gds(&cf));

   if (item->kind == CAYMAN_ITEM_CF && item->numbered && item->number != *pc) {
      return isa_fail(a->error, item->line, item->column,
                      "CF instruction %u stands at %u (END_OF_PROGRAM and kcache sets 2 and 3 "
                      "take an instruction)",
                      item->number, *pc);
   }
   if (item->undefined && item->num_bits != 2)
      return fail_at(a, item, "an UNDEFINED instruction needs BITS");
   struct clause *c = &a->clauses[a->num_clauses++];
   *c = (struct clause){ item, cf, *pc, a->num_body, 0 };
   *pc += item->num_bits ? item->num_bits / 2 : cf.extended ? 2 : 1;
   if (!clause)
      return true;
   if (!encode_body(a, i, cayman_cf_is_alu(&cf)))
      return false;
   c->count = a->num_body - c->first;
   size_t unit = cayman_cf_is_alu(&cf) ? 2 : 4;
   if (c->count == 0) {
      return (item->has_addr && item->has_count) || item->num_bits ||
             fail_at(a, item, "a clause without instructions needs ADDR and CNT");
   }
   if (c->count % unit)
      return fail_at(a, item, "the clause's WORDS end inside an instruction");
   if (c->count / unit > (cayman_cf_is_alu(&cf) ? 128 : 64))
      return fail_at(a, item, "the clause is longer than CNT can say");
   if (item->has_count && c->count / unit != cf.count + 1u) {
      return isa_fail(a->error, item->line, item->column, "CNT(%u), but the clause has %zu",
                      cf.count + 1u, c->count / unit);
   }
   c->cf.count = (uint8_t)(c->count / unit - 1);
   return true;
}

/* Clauses without an address go after everything that has one. */
static void
address_clauses(struct assembler *a, uint32_t num_cf)
{
   size_t next = num_cf;

   for (size_t i = 0; i < a->num_clauses; i++) {
      const struct clause *c = &a->clauses[i];
      if (c->count && c->item->has_addr && c->cf.addr + c->count / 2 > next)
         next = c->cf.addr + c->count / 2;
   }
   for (size_t i = 0; i < a->num_clauses; i++) {
      struct clause *c = &a->clauses[i];
      if (c->count && !c->item->has_addr) {
         if (!cayman_cf_is_alu(&c->cf))
            next = (next + 1) & ~(size_t)1;
         c->cf.addr = (uint32_t)next;
         next += c->count / 2;
      }
   }
}

static bool
write_all(struct assembler *a)
{
   const struct cayman_listing *l = a->listing;

   for (size_t i = 0; i < a->num_clauses; i++) {
      const struct clause *c = &a->clauses[i];
      uint32_t words[4];
      unsigned count = 0;
      if (c->item->num_bits) {
         count = c->item->num_bits;
         memcpy(words, c->item->bits, count * sizeof(*words));
      } else {
         int status = CAYMAN_OK;
         if (c->cf.extended) {
            status = cayman_encode_extended(&c->cf, words);
            count = 2;
         }
         if (status != CAYMAN_OK ||
             cayman_encode_cf_of(a->listing->vliw, &c->cf, words + count) != CAYMAN_OK)
            return fail_at(a, c->item, "the instruction says what its encoding cannot hold");
         count += 2;
      }
      if (!put_words(a, c->item, 2 * (size_t)c->pc, words, count))
         return false;
   }
   for (size_t i = 0; i < a->num_clauses; i++) {
      const struct clause *c = &a->clauses[i];
      if (c->count && !put_words(a, c->item, 2 * (size_t)c->cf.addr, a->body + c->first, c->count))
         return false;
   }
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (item->kind == CAYMAN_ITEM_WORDS &&
          !put_words(a, item, 2 * (size_t)item->words.addr, l->pool + item->words.first,
                     item->words.count))
         return false;
   }
   return true;
}

static bool
assemble(struct assembler *a)
{
   const struct cayman_listing *l = a->listing;
   uint32_t pc = 0;

   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (item->refused) {
         return isa_fail(a->error, item->line, item->refused_column, "not for %s: %s",
                         cayman_vliw_name(l->vliw), item->refused);
      }
   }
   a->clauses = calloc(l->num_items + 1, sizeof(*a->clauses));
   if (!a->clauses)
      return isa_fail(a->error, 0, 0, "no memory");
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (is_body(item->kind))
         return fail_at(a, item, "no clause instruction stands above this");
      if ((item->kind == CAYMAN_ITEM_CF || item->kind == CAYMAN_ITEM_END) && !encode_cf(a, &i, &pc))
         return false;
   }
   address_clauses(a, pc);
   if (!write_all(a))
      return false;
   return a->num_words || isa_fail(a->error, 0, 0, "the text holds no instruction");
}

uint32_t *
cayman_listing_encode(const struct cayman_listing *listing, size_t *num_dwords,
                      struct isa_error *error)
{
   struct assembler a = { .listing = listing, .error = error };
   bool ok = assemble(&a);

   free(a.clauses);
   free(a.body);
   free(a.written);
   if (!ok) {
      free(a.words);
      return NULL;
   }
   *num_dwords = a.num_words;
   return a.words;
}

uint32_t *
cayman_assemble(const char *text, size_t length, size_t *num_dwords, struct isa_error *error)
{
   struct cayman_listing *listing = cayman_listing_parse(CAYMAN_VLIW4, text, length, error);

   if (!listing)
      return NULL;
   uint32_t *words = cayman_listing_encode(listing, num_dwords, error);
   cayman_listing_free(listing);
   return words;
}
