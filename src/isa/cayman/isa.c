/* SPDX-License-Identifier: MIT */
/*
 * Cayman's struct isa: the listing's header options say what the validator must know, and what the
 * validator finds gets the number of its line.
 */
#include "isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listing.h"

static struct cayman_limits
from_outside(const struct isa_limits *given)
{
   return (struct cayman_limits){ .num_gprs = given->num_gprs ? given->num_gprs : 124,
                                  .num_clause_temps = 4,
                                  .pixel_shader = given->stage == ISA_STAGE_PIXEL,
                                  .fetch_shader = given->stage == ISA_STAGE_FETCH };
}

/* The same, where the listing says what was not given. */
static struct cayman_limits
from_listing(const struct cayman_listing *l, const struct isa_limits *given)
{
   struct cayman_limits limits = from_outside(given);
   uint32_t value;

   if (!given->num_gprs && cayman_listing_option(l, "SQ_PGM_RESOURCES:NUM_GPRS", &value))
      limits.num_gprs = value < 128 ? value : 128;
   if (cayman_listing_option(l, "NumClauseTemps", &value) && value <= 4)
      limits.num_clause_temps = value;
   if (cayman_listing_option(l, "SQ_PGM_RESOURCES:STACK_SIZE", &value))
      limits.stack_entries = value;
   if (given->stage != ISA_STAGE_ANY)
      return limits;
   if (cayman_listing_option(l, "ShaderType", &value)) {
      limits.pixel_shader = value == 1; /* IL_SHADER_PIXEL */
      return limits;
   }
   bool ends = false;
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      ends |= item->kind == CAYMAN_ITEM_END;
      if (item->kind == CAYMAN_ITEM_CF && item->cf.form == CAYMAN_CF_FORM_EXPORT)
         limits.pixel_shader |= item->cf.type == CAYMAN_EXPORT_PIXEL;
   }
   limits.fetch_shader = !ends;
   return limits;
}

/* The line of what the validator names: "CF 3, group 2, slot y: ...". */
static const struct cayman_item *
item_of(const struct cayman_listing *l, const char *message)
{
   unsigned cf = 0, inner = 0, pc = 0, count = 0;
   char slot = 0;
   int n = sscanf(message, "CF %u, group %u, slot %c", &cf, &inner, &slot);
   if (n < 2)
      n = sscanf(message, "CF %u, instruction %u", &cf, &inner);
   const struct cayman_item *found = NULL, *owner = NULL;
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (item->kind == CAYMAN_ITEM_CF || item->kind == CAYMAN_ITEM_END) {
         owner = pc == cf ? item : NULL;
         found = owner ? owner : found;
         pc += item->num_bits ? item->num_bits / 2 : item->cf.extended ? 2 : 1;
         count = 0;
      } else if (owner && n >= 2 &&
                 (item->kind == CAYMAN_ITEM_SLOT || item->kind == CAYMAN_ITEM_FETCH)) {
         count += item->numbered || item->kind == CAYMAN_ITEM_FETCH;
         if (count == inner + 1 &&
             (item->numbered || (slot && item->kind == CAYMAN_ITEM_SLOT &&
                                 "xyzw"[item->slot.alu.dst_chan & 3] == slot)))
            found = item;
      }
   }
   return found;
}

/* What stands before the code, or after it: header options and comments, line by line. */
static void
collect_text(const struct cayman_listing *l, bool after, struct isa_text *text)
{
   size_t first = 0, last = l->num_items;

   while (first < last && l->items[first].kind == CAYMAN_ITEM_TEXT)
      first++;
   while (last > first && l->items[last - 1].kind == CAYMAN_ITEM_TEXT)
      last--;
   for (size_t i = after ? last : 0; i < (after ? l->num_items : first); i++) {
      text_add(text, l->items[i].text.text, l->items[i].text.length);
      text_char(text, '\n');
   }
}

static bool
assemble(const char *text, size_t length, const struct isa_limits *given, struct isa_binary *out,
         struct isa_error *error)
{
   *out = (struct isa_binary){ NULL };
   *error = (struct isa_error){ 0 };
   struct cayman_listing *l = cayman_listing_parse(text, length, error);
   out->words = l ? cayman_listing_encode(l, &out->num_dwords, error) : NULL;
   bool ok = out->words != NULL;
   if (ok && given) {
      struct cayman_limits limits = from_listing(l, given);
      ok = cayman_validate(out->words, out->num_dwords, &limits, error->text, sizeof(error->text));
      const struct cayman_item *item = ok ? NULL : item_of(l, error->text);
      if (item) {
         error->line = item->line;
         error->column = item->column;
      }
   }
   if (ok) {
      struct isa_text before = { 0 }, after = { 0 };
      collect_text(l, false, &before);
      collect_text(l, true, &after);
      out->before = before.data;
      out->before_size = before.size;
      out->after = after.data;
      out->after_size = after.size;
   } else {
      free(out->words);
      *out = (struct isa_binary){ NULL };
   }
   cayman_listing_free(l);
   return ok;
}

static bool
validate(const uint32_t *words, size_t num_dwords, const struct isa_limits *given,
         struct isa_error *error)
{
   struct cayman_limits limits = from_outside(given);

   *error = (struct isa_error){ 0 };
   return cayman_validate(words, num_dwords, &limits, error->text, sizeof(error->text));
}

const struct isa isa_cayman = {
   .id = ISA_ID_cayman,
   .name = "cayman",
   .title = "Cayman (Radeon HD 6900)",
   .raw = "BITS(",
   .assemble = assemble,
   .disassemble = cayman_listing_text,
   .validate = validate,
   .reprint = cayman_reprint,
   .row = cayman_row,
};
