/* SPDX-License-Identifier: MIT */
/*
 * Words to listing: the CF program with each clause's instructions under the CF instruction that
 * runs them, ALU groups and fetches counted through the whole program; then the words that belong
 * to neither, unless they are zeros between two parts.
 *
 * The listing says all that the words hold: cayman_assemble() gives them back, whatever they are.
 */
#include "listing.h"

#include <stdio.h>

/* Clauses may overlap, so a hostile program of n dwords could list n * 256 of them.  Listings of
 * real programs have no repetition: allow each dword to be listed this often on average. */
#define REPETITION 8

struct lister {
   enum cayman_vliw vliw;
   struct isa_text *text;
   const uint32_t *words;
   size_t num_dwords;
   uint8_t *covered;           /* one byte a dword */
   unsigned counter;           /* of groups and fetches */
   size_t budget;              /* dwords of clauses that may still be listed */
   cayman_comment_fn *comment; /* or NULL */
   void *data;
};

#define COMMENT_COLUMN 72

/* The item of the instruction at dword `at`. */
static void
list_item(struct lister *l, const struct cayman_item *item, size_t at)
{
   const char *comment = l->comment ? l->comment((uint32_t)(at / 2), l->data) : NULL;
   const size_t start = l->text->size;

   cayman_print_item(l->text, item, NULL);
   if (comment && !l->text->failed) {
      l->text->size--; /* the line goes on */
      text_pad(l->text, start, COMMENT_COLUMN);
      text_str(l->text, " ; ");
      text_str(l->text, comment);
      text_char(l->text, '\n');
   }
}

static void
cover(struct lister *l, size_t first, size_t count)
{
   memset(l->covered + first, 1, count);
}

static void
list_words(struct lister *l, enum cayman_item_kind kind, size_t first, size_t count)
{
   while (count > 0) {
      size_t n = count < 8 ? count : 8;
      struct cayman_item item = { .kind = (uint8_t)kind };
      item.words.addr = (uint32_t)(first / 2);
      item.words.words = l->words + first;
      item.words.count = (uint32_t)n;
      cayman_print_item(l->text, &item, NULL);
      first += n;
      count -= n;
   }
}

/* One group.  Literals that no source names are kept in the BITS of its last slot. */
static void
list_group(struct lister *l, const uint32_t *words, const struct cayman_alu_group *group)
{
   struct cayman_item items[CAYMAN_MAX_SLOTS];
   unsigned named = 0;

   memset(items, 0, group->num_slots * sizeof(items[0]));
   for (unsigned i = 0; i < group->num_slots; i++) {
      struct cayman_item *item = &items[i];
      item->vliw = (uint8_t)l->vliw;
      cayman_item_from_slot(item, words + 2 * i, &group->slot[i], group->literal);
      item->numbered = i == 0;
      item->number = l->counter;
      for (unsigned s = 0; s < item->slot.num_src; s++) {
         const struct cayman_alu_src *src = &item->slot.alu.src[s];
         if (src->sel == CAYMAN_SRC_LITERAL)
            named |= 1u << src->chan;
         item->slot.previous[s] = (int32_t)l->counter - 1;
      }
   }
   for (unsigned c = 0; c < group->num_literals; c++) {
      if (group->literal[c] && !(named >> c & 1)) {
         struct cayman_item *last = &items[group->num_slots - 1];
         last->num_bits = 2 + group->num_literals;
         memcpy(last->bits, words + 2 * (group->num_slots - 1), last->num_bits * sizeof(*words));
         break;
      }
   }
   for (unsigned i = 0; i < group->num_slots; i++)
      list_item(l, &items[i], (size_t)(words - l->words) + 2 * i);
   l->counter++;
}

static void
list_alu_clause(struct lister *l, size_t first, size_t count)
{
   while (count > 0) {
      struct cayman_alu_group group;
      int status = cayman_decode_alu_group(l->vliw, l->words + first, count, &group);

      if (status != CAYMAN_OK && status != CAYMAN_ERR_OPCODE) {
         text_str(l->text, "         ; ");
         text_str(l->text, cayman_status_name(status));
         text_char(l->text, '\n');
         list_words(l, CAYMAN_ITEM_RAW, first, count);
         return;
      }
      list_group(l, l->words + first, &group);
      first += group.num_dwords;
      count -= group.num_dwords;
   }
}

static void
list_fetch_clause(struct lister *l, size_t first, size_t count)
{
   for (; count >= 4; first += 4, count -= 4) {
      struct cayman_item item;
      memset(&item, 0, sizeof(item));
      item.vliw = (uint8_t)l->vliw;
      cayman_item_from_fetch(&item, l->words + first);
      item.numbered = true;
      item.number = l->counter++;
      list_item(l, &item, first);
   }
}

static void
list_clause(struct lister *l, const struct cayman_cf *cf)
{
   const uint32_t *clause;
   size_t count;
   int err = cayman_clause(l->words, l->num_dwords, cf, &clause, &count);

   if (err == CAYMAN_ERR_RANGE) {
      text_str(l->text, "         ; ");
      text_str(l->text, cayman_status_name(err));
      text_char(l->text, '\n');
      return;
   }
   if (err != CAYMAN_OK)
      return;
   size_t first = (size_t)(clause - l->words);
   if (count > l->budget) {
      text_str(l->text, "         ; not listed: clauses overlap too often\n");
      return;
   }
   l->budget -= count;
   cover(l, first, count);
   if (cayman_cf_is_alu(cf))
      list_alu_clause(l, first, count);
   else
      list_fetch_clause(l, first, count);
}

/* Does the quadword at dword `i` hold what no instruction covered?  Zeros in between are what the
 * assembler fills gaps with; the last quadword gives the program its length. */
static bool
is_left(const struct lister *l, size_t i)
{
   size_t n = l->num_dwords - i < 2 ? l->num_dwords - i : 2;
   bool left = false;
   for (size_t k = 0; k < n; k++)
      left |= !l->covered[i + k] && (l->words[i + k] || i + 2 >= l->num_dwords);
   return left;
}

static void
list_rest(struct lister *l)
{
   for (size_t i = 0; i < l->num_dwords;) {
      size_t end = i;
      while (end < l->num_dwords && end - i < 8 && is_left(l, end))
         end += 2;
      if (end > i)
         list_words(l, CAYMAN_ITEM_WORDS, i, (end < l->num_dwords ? end : l->num_dwords) - i);
      i = end > i ? end : i + 2;
   }
}

static bool
list_program(struct isa_text *text, enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
             cayman_comment_fn *comment, void *data)
{
   struct lister l = {
      .vliw = vliw,
      .text = text,
      .words = words,
      .num_dwords = num_dwords,
      .covered = calloc(num_dwords + 1, 1),
      .budget = REPETITION * num_dwords + 1024,
      .comment = comment,
      .data = data,
   };
   struct cayman_walk walk;
   struct cayman_cf cf;
   int status;

   if (!l.covered)
      return false;
   cayman_walk_init(&walk, vliw, words, num_dwords);
   while ((status = cayman_walk_next(&walk, &cf)) == CAYMAN_OK || status == CAYMAN_ERR_OPCODE) {
      struct cayman_item item;

      memset(&item, 0, sizeof(item));
      item.vliw = (uint8_t)vliw;
      cayman_item_from_cf(&item, words + 2 * (size_t)walk.pc, 2 * (walk.next - walk.pc), &cf);
      item.numbered = true;
      item.number = walk.pc;
      list_item(&l, &item, 2 * (size_t)walk.pc);
      cover(&l, 2 * (size_t)walk.pc, 2 * (size_t)(walk.next - walk.pc));
      if (!item.undefined)
         list_clause(&l, &cf);
   }
   if (status != CAYMAN_END) {
      text_str(text, "; ");
      text_str(text, cayman_status_name(status));
      text_char(text, '\n');
   }
   list_rest(&l);
   free(l.covered);
   return !text->failed;
}

char *
cayman_listing_commented(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
                         cayman_comment_fn *comment, void *data, size_t *length)
{
   struct isa_text text = { 0 };

   if (!list_program(&text, vliw, words, num_dwords, comment, data) || !text_reserve(&text, 1)) {
      free(text.data);
      return NULL;
   }
   text.data[text.size] = 0;
   if (length)
      *length = text.size;
   return text.data;
}

char *
cayman_listing_text(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords, size_t *length)
{
   return cayman_listing_commented(vliw, words, num_dwords, NULL, NULL, length);
}

void
cayman_disassemble_for(FILE *f, enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords)
{
   size_t length;
   char *text = cayman_listing_text(vliw, words, num_dwords, &length);

   if (text) {
      fwrite(text, 1, length, f);
      free(text);
   } else {
      fputs("; no memory for the listing\n", f);
   }
}

void
cayman_disassemble(FILE *f, const uint32_t *words, size_t num_dwords)
{
   cayman_disassemble_for(f, CAYMAN_VLIW4, words, num_dwords);
}

static void
put_text(FILE *f, struct isa_text *text)
{
   if (!text->failed)
      fwrite(text->data, 1, text->size, f);
   free(text->data);
}

void
cayman_print_alu_slot(FILE *f, enum cayman_vliw vliw, const struct cayman_alu *alu,
                      const uint32_t literal[4])
{
   struct isa_text text = { 0 };
   struct cayman_item item = { .vliw = (uint8_t)vliw };
   uint32_t words[2];

   cayman_encode_alu(vliw, alu, words);
   cayman_item_from_slot(&item, words, alu, literal);
   cayman_text_slot(&text, &item);
   put_text(f, &text);
}

void
cayman_print_fetch(FILE *f, const struct cayman_fetch *fetch)
{
   struct isa_text text = { 0 };
   struct cayman_item item = { 0 };
   uint32_t words[4];

   if (cayman_encode_fetch(CAYMAN_VLIW4, fetch, words) == CAYMAN_ERR_OPCODE) {
      fputs("UNDEFINED", f);
      return;
   }
   cayman_item_from_fetch(&item, words);
   cayman_text_fetch(&text, &item);
   put_text(f, &text);
}
