/* SPDX-License-Identifier: MIT */
/*
 * The struct isa of Cayman and of the five-slot chips: the listing's header options say what the
 * validator must know, and what the validator finds gets the number of its line.
 */
#include "isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listing.h"

static struct cayman_limits
from_outside(enum cayman_vliw vliw, const struct isa_limits *given)
{
   return (struct cayman_limits){ .vliw = vliw,
                                  .num_gprs = given->num_gprs ? given->num_gprs : 124,
                                  .num_clause_temps = 4,
                                  .pixel_shader = given->stage == ISA_STAGE_PIXEL,
                                  .fetch_shader = given->stage == ISA_STAGE_FETCH };
}

/* The same, where the listing says what was not given. */
static struct cayman_limits
from_listing(const struct cayman_listing *l, const struct isa_limits *given)
{
   struct cayman_limits limits = from_outside(l->vliw, given);
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
      ends |= item->kind == CAYMAN_ITEM_END || (item->kind == CAYMAN_ITEM_CF && item->cf.end);
      if (item->kind == CAYMAN_ITEM_CF && item->cf.form == CAYMAN_CF_FORM_EXPORT)
         limits.pixel_shader |= item->cf.type == CAYMAN_EXPORT_PIXEL;
   }
   limits.fetch_shader = !ends;
   return limits;
}

static char
slot_letter(const struct cayman_alu *alu)
{
   return alu->trans ? 't' : "xyzw"[alu->dst_chan & 3];
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
   const struct cayman_item *found = NULL, *owner = NULL, *above = NULL;
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (item->kind == CAYMAN_ITEM_CF ||
          (item->kind == CAYMAN_ITEM_END && cayman_end_is_instruction(l->vliw, above))) {
         above = item;
         owner = pc == cf ? item : NULL;
         found = owner ? owner : found;
         pc += item->num_bits ? item->num_bits / 2 : item->cf.extended ? 2 : 1;
         count = 0;
      } else if (owner && n >= 2 &&
                 (item->kind == CAYMAN_ITEM_SLOT || item->kind == CAYMAN_ITEM_FETCH)) {
         count += item->numbered || item->kind == CAYMAN_ITEM_FETCH;
         if (count == inner + 1 && (item->numbered || (slot && item->kind == CAYMAN_ITEM_SLOT &&
                                                       slot_letter(&item->slot.alu) == slot)))
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
assemble_for(enum cayman_vliw vliw, const char *text, size_t length, const struct isa_limits *given,
             struct isa_binary *out, struct isa_error *error)
{
   *out = (struct isa_binary){ NULL };
   *error = (struct isa_error){ 0 };
   struct cayman_listing *l = cayman_listing_parse(vliw, text, length, error);
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
validate_for(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
             const struct isa_limits *given, struct isa_error *error)
{
   struct cayman_limits limits = from_outside(vliw, given);

   *error = (struct isa_error){ 0 };
   return cayman_validate(words, num_dwords, &limits, error->text, sizeof(error->text));
}

/* The functions of struct isa for one of the chips, and the struct. */
#define ISA(name_, title_, vliw_)                                                                 \
   static bool assemble_##name_(const char *text, size_t length, const struct isa_limits *limits, \
                                struct isa_binary *out, struct isa_error *error)                  \
   {                                                                                              \
      return assemble_for(vliw_, text, length, limits, out, error);                               \
   }                                                                                              \
   static char *disassemble_##name_(const uint32_t *words, size_t num_dwords, size_t *length)     \
   {                                                                                              \
      return cayman_listing_text(vliw_, words, num_dwords, length);                               \
   }                                                                                              \
   static bool validate_##name_(const uint32_t *words, size_t num_dwords,                         \
                                const struct isa_limits *limits, struct isa_error *error)         \
   {                                                                                              \
      return validate_for(vliw_, words, num_dwords, limits, error);                               \
   }                                                                                              \
   static char *reprint_##name_(const char *text, size_t length, struct isa_error *error)         \
   {                                                                                              \
      return cayman_reprint(vliw_, text, length, error);                                          \
   }                                                                                              \
   static bool row_##name_(unsigned i, struct isa_row *row)                                       \
   {                                                                                              \
      return cayman_row(vliw_, i, row);                                                           \
   }                                                                                              \
   const struct isa isa_##name_ = {                                                               \
      .id = ISA_ID_##name_,                                                                       \
      .name = #name_,                                                                             \
      .title = title_,                                                                            \
      .raw = "BITS(",                                                                             \
      .assemble = assemble_##name_,                                                               \
      .disassemble = disassemble_##name_,                                                         \
      .validate = validate_##name_,                                                               \
      .reprint = reprint_##name_,                                                                 \
      .row = row_##name_,                                                                         \
   };

ISA(cayman, "Cayman (Radeon HD 6900)", CAYMAN_VLIW4)
ISA(evergreen, "Evergreen and Northern Islands (Radeon HD 5000 and 6000)", CAYMAN_VLIW5)
ISA(r700, "R700 (Radeon HD 4000)", CAYMAN_R700)
ISA(r600, "R600 (Radeon HD 2000 and 3000)", CAYMAN_R600)
