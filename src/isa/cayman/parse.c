/* SPDX-License-Identifier: MIT */
/*
 * Parser of listings (R600-family assembly language guide): lines and control-flow instructions.
 * White space means nothing but the end of a line; a line that starts with a property
 * goes on with the instruction above it.  Lines of the form NAME = value are header options, kept
 * as they are.
 */
#include "parse.h"

#include <stdarg.h>
#include <stdio.h>

static uint32_t
column_of(const struct parser *ps, const char *at)
{
   return (uint32_t)(at - ps->line_start) + 1;
}

bool
cayman_parse_fail(struct parser *ps, const char *at, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   isa_vfail(ps->error, ps->line, column_of(ps, at), format, args);
   va_end(args);
   return false;
}

void
cayman_parse_refuse(struct parser *ps, struct cayman_item *item, const char *at, const char *reason)
{
   if (!item->refused) {
      item->refused = reason;
      item->refused_column = column_of(ps, at);
   }
}

static void
add_cf_names(struct parser *ps)
{
   for (unsigned op = 0; op < CAYMAN_CF_OP_COUNT; op++) {
      const struct cayman_cf_info *info = cayman_cf_info(op);
      if (!(info->chips >> ps->vliw & 1) || info->form == CAYMAN_CF_FORM_ALU_EXT ||
          op == CAYMAN_CF_END)
         continue;
      const char *name = cayman_cf_listing_name(op);
      if (info->form == CAYMAN_CF_FORM_MEM || info->form == CAYMAN_CF_FORM_RAT) {
         cayman_parse_add_name(ps, NAME_MEM, name, op);
         continue;
      }
      cayman_parse_add_name(ps, NAME_CF, name, op);
      if (strcmp(name, info->name))
         cayman_parse_add_name(ps, NAME_CF, info->name, op);
   }
   cayman_parse_add_name(ps, NAME_CF, "LOOP_AL", CAYMAN_CF_LOOP_START);
   cayman_parse_add_name(ps, NAME_CF, "ENDLLOOP", CAYMAN_CF_LOOP_END); /* the guide's misprint */
   for (unsigned i = 0; i < cayman_num_foreign_cf; i++) {
      if (cayman_foreign_cf[i].chips >> ps->vliw & 1)
         continue;
      bool mem = strncmp(cayman_foreign_cf[i].name, "MEM_", 4) == 0;
      cayman_parse_add_name(ps, mem ? NAME_MEM : NAME_CF, cayman_foreign_cf[i].name,
                            CAYMAN_FOREIGN_OP + i);
   }
   for (unsigned op = 0; op < CAYMAN_RAT_OP_COUNT; op++)
      if (cayman_rat_info(op)->name)
         cayman_parse_add_name(ps, NAME_RAT, cayman_rat_info(op)->name, op);
}

/* ------------------------------------------------------------------------------------------------
 * Control flow
 */

/* The index of a pointer: R1.x, or R1. */
static bool
parse_pointer_index(struct parser *ps, struct cayman_item *item)
{
   uint8_t mode, chan = 0;
   bool rel;

   skip_blanks(ps);
   const char *at = ps->p;
   if (!cayman_scan_gpr(ps, item, &item->cf.index_gpr, &rel, &mode))
      return false;
   if (rel)
      cayman_parse_refuse(ps, item, at, "the index of a pointer is not indexed");
   at = ps->p;
   if (peek(ps, 0) == '.' && !cayman_scan_channel(ps, &chan))
      return false;
   return chan == 0 || cayman_parse_fail(ps, at, "the index is component x");
}

/* [5] or [5+R1.x], or the guide's [R1 + 5] */
static bool
parse_pointer(struct parser *ps, struct cayman_item *item, bool *indexed)
{
   const char *start = ps->p;
   uint32_t base = 0;

   if (!cayman_accept_text(ps, "DWORD_PTR[") && !cayman_accept_text(ps, "VEC_PTR["))
      return cayman_parse_fail(ps, ps->p, "expected DWORD_PTR[ or VEC_PTR[");
   skip_blanks(ps);
   if (is_digit(peek(ps, 0))) {
      if (!cayman_scan_uint(ps, 0x1fff, &base))
         return false;
      *indexed = accept_char(ps, '+');
      if (*indexed && !parse_pointer_index(ps, item))
         return false;
   } else {
      *indexed = true;
      if (!parse_pointer_index(ps, item))
         return false;
      if (accept_char(ps, '+')) {
         skip_blanks(ps);
         if (!cayman_scan_uint(ps, 0x1fff, &base))
            return false;
      }
   }
   item->cf.array_base = (uint16_t)base;
   if (!cayman_expect_char(ps, ']'))
      return false;
   item->written = span_from(ps, start);
   return true;
}

static bool
parse_rat(struct parser *ps, struct cayman_item *item)
{
   uint32_t value;
   uint8_t mode;
   bool rel;

   if (!cayman_accept_text(ps, "RAT"))
      return cayman_parse_fail(ps, ps->p, "expected RAT(n)");
   if (!cayman_scan_bracketed(ps, 15, &value))
      return false;
   item->cf.rat_id = (uint8_t)value;
   skip_blanks(ps);
   const char *at = ps->p;
   if (cayman_accept_text(ps, "OP_")) {
      if (!cayman_scan_uint(ps, 63, &value))
         return false;
   } else {
      struct cayman_span word = scan_word(ps);
      int op = cayman_parse_name(ps, NAME_RAT, word.text, word.length);
      if (op < 0)
         return cayman_parse_fail(ps, at, "unknown RAT operation");
      value = (uint32_t)op;
   }
   item->cf.rat_op = (uint8_t)value;
   if (!cayman_expect_char(ps, ','))
      return false;
   skip_blanks(ps);
   return cayman_scan_gpr(ps, item, &item->cf.index_gpr, &rel, &mode);
}

/* Writes of older chips keep the text after their name. */
static bool
parse_foreign_write(struct parser *ps, struct cayman_item *item, const char *name)
{
   const char *start = name;
   while (ps->p < ps->end && *ps->p != '\n' && *ps->p != ';')
      ps->p++;
   const char *end = ps->p;
   while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
      end--;
   item->kind = CAYMAN_ITEM_TEXT;
   item->text = (struct cayman_span){ start, (uint32_t)(end - start) };
   return true;
}

static bool
parse_mem_write(struct parser *ps, struct cayman_item *item)
{
   struct cayman_cf *cf = &item->cf;
   unsigned count;
   uint8_t sel[4], mode;
   bool indexed = false;

   skip_blanks(ps);
   const char *at = ps->p;
   if (cf->form == CAYMAN_CF_FORM_RAT ? !parse_rat(ps, item) : !parse_pointer(ps, item, &indexed))
      return false;
   if (cf->form == CAYMAN_CF_FORM_MEM && indexed != (cf->type & 1)) {
      return cayman_parse_fail(ps, at,
                               indexed ? "an index needs the _IND form"
                                       : "the _IND form needs an index, [0+R1.x]");
   }
   if (!cayman_expect_char(ps, ','))
      return false;
   skip_blanks(ps);
   if (!cayman_scan_gpr(ps, item, &cf->rw_gpr, &cf->rw_rel, &mode))
      return false;
   at = ps->p;
   if (!cayman_scan_selects(ps, sel, &count))
      return false;
   cf->comp_mask = count ? 0 : 15;
   for (unsigned i = 0; i < count; i++) {
      if (sel[i] != i && sel[i] != CAYMAN_SEL_MASK)
         return cayman_parse_fail(ps, at, "expected a mask such as .xy__");
      cf->comp_mask |= (uint8_t)((sel[i] == i) << i);
   }
   accept_char(ps, ',');
   return true;
}

static bool
parse_export(struct parser *ps, struct cayman_item *item)
{
   static const struct {
      const char *name;
      uint8_t type, base;
   } targets[] = { { "PIXZ", CAYMAN_EXPORT_PIXEL, 61 },
                   { "PIX", CAYMAN_EXPORT_PIXEL, 0 },
                   { "POS", CAYMAN_EXPORT_POS, 60 },
                   { "PARAM", CAYMAN_EXPORT_PARAM, 0 } };
   struct cayman_cf *cf = &item->cf;
   unsigned count, i;
   uint8_t mode;

   skip_blanks(ps);
   for (i = 0; i < 4 && !cayman_accept_text(ps, targets[i].name); i++) {
   }
   if (i == 4)
      return cayman_parse_fail(ps, ps->p, "expected an export target: PIX, PIXZ, POS or PARAM");
   cf->type = targets[i].type;
   cf->array_base = targets[i].base;
   if (i > 0) {
      uint32_t n;
      if (!cayman_scan_uint(ps, 8191u - targets[i].base, &n))
         return false;
      cf->array_base = (uint16_t)(cf->array_base + n);
   }
   if (!cayman_expect_char(ps, ','))
      return false;
   skip_blanks(ps);
   if (!cayman_scan_gpr(ps, item, &cf->rw_gpr, &cf->rw_rel, &mode))
      return false;
   if (!cayman_scan_selects(ps, cf->sel, &count))
      return false;
   for (unsigned c = count; c < 4; c++)
      cf->sel[c] = count ? CAYMAN_SEL_MASK : c;
   return true;
}

/* i3, the integer constant of a loop */
static bool
parse_loop_constant(struct parser *ps, struct cayman_item *item)
{
   uint32_t n;
   skip_blanks(ps);
   if (cayman_accept_text(ps, "AL")) {
      accept_char(ps, ',');
      skip_blanks(ps);
   }
   if (peek(ps, 0) != 'i')
      return true;
   ps->p++;
   if (!cayman_scan_uint(ps, 31, &n))
      return false;
   item->cf.cf_const = (uint8_t)n;
   return true;
}

static bool
parse_branch(struct parser *ps, struct cayman_item *item)
{
   struct cayman_cf *cf = &item->cf;
   uint32_t n;

   skip_blanks(ps);
   switch (cayman_cf_info(cf->op)->operand) {
   case CAYMAN_OPERAND_LOOP:
      return parse_loop_constant(ps, item);
   case CAYMAN_OPERAND_TARGET:
      if (!is_digit(peek(ps, 0)))
         return true; /* ADDR(n) is taken too */
      return cayman_scan_uint(ps, 0xffffff, &cf->addr);
   case CAYMAN_OPERAND_POPS:
      if (peek(ps, 0) != '(')
         return true;
      if (!cayman_scan_bracketed(ps, 7, &n))
         return false;
      cf->pop_count = (uint8_t)n;
      return true;
   case CAYMAN_OPERAND_ACKS:
      accept_char(ps, ':');
      skip_blanks(ps);
      if (!cayman_accept_text(ps, "OUTSTANDING_ACKS"))
         return true;
      skip_blanks(ps);
      if (!cayman_accept_text(ps, "<="))
         return cayman_parse_fail(ps, ps->p, "expected '<='");
      skip_blanks(ps);
      return cayman_scan_uint(ps, 0xffffff, &cf->addr);
   case CAYMAN_OPERAND_GWS: {
      unsigned i;
      for (i = 0; i < 4 && !cayman_accept_text(ps, cayman_gws_name[i]); i++) {
      }
      if (i == 4)
         return cayman_parse_fail(ps, ps->p, "expected SEMA_V, SEMA_P, BARRIER or INIT");
      cf->gws_op = (uint8_t)i;
      return true;
   }
   default:
      accept_char(ps, ':'); /* clauses */
      return true;
   }
}

/* Reads from memory were CF instructions once, with the names of the fetches that they are now but
 * for the colon after them. */
static bool
is_foreign_read(struct parser *ps, struct cayman_span word)
{
   static const char *const tails[] = { "_READ", "_READ_IND" };

   for (unsigned i = 0; i < 2; i++) {
      size_t n = strlen(tails[i]);
      if (word.length > n && memcmp(word.text + word.length - n, tails[i], n) == 0 &&
          cayman_parse_name(ps, NAME_MEM, word.text, word.length - n) >= 0) {
         skip_blanks(ps);
         return peek(ps, 0) == ':';
      }
   }
   return false;
}

/* The opcode of a name such as MEM_EXPORT_WRITE_IND, without its tail; -1: no memory write. */
static int
parse_mem_name(struct parser *ps, struct cayman_span word, uint8_t *type)
{
   for (int i = 3; i >= 0; i--) {
      size_t n = strlen(cayman_mem_type_name[i]);
      if (word.length > n && memcmp(word.text + word.length - n, cayman_mem_type_name[i], n) == 0) {
         int op = cayman_parse_name(ps, NAME_MEM, word.text, word.length - n);
         if (op >= 0) {
            *type = (uint8_t)i;
            return op;
         }
      }
   }
   return -1;
}

/* `known` is cleared if the word is no CF instruction. */
static bool
parse_cf(struct parser *ps, struct cayman_item *item, struct cayman_span word, bool *known)
{
   struct cayman_cf *cf = &item->cf;
   uint8_t type = 0;
   int op = cayman_parse_name(ps, NAME_CF, word.text, word.length);

   if (op < 0)
      op = parse_mem_name(ps, word, &type);
   *known = op >= 0;
   if (op < 0 && is_foreign_read(ps, word)) {
      *known = true;
      cayman_parse_refuse(ps, item, word.text, "R600: Cayman reads memory in TEX clauses");
      return parse_foreign_write(ps, item, word.text);
   }
   if (op < 0)
      return true;
   item->kind = CAYMAN_ITEM_CF;
   cf->op = (uint16_t)op;
   cf->barrier = true;
   if (op >= CAYMAN_FOREIGN_OP) {
      cayman_parse_refuse(ps, item, word.text, cayman_foreign_cf[op - CAYMAN_FOREIGN_OP].reason);
      if (strncmp(cayman_foreign_cf[op - CAYMAN_FOREIGN_OP].name, "MEM_", 4) == 0)
         return parse_foreign_write(ps, item, word.text);
      cf->form = CAYMAN_CF_FORM_ALU;
      if (strstr(cayman_foreign_cf[op - CAYMAN_FOREIGN_OP].name, "REP")) {
         cf->form = CAYMAN_CF_FORM_BRANCH;
         return parse_foreign_write(ps, item, word.text);
      }
      accept_char(ps, ':');
      return true;
   }
   cf->form = cayman_cf_info(cf->op)->form;
   switch (cf->form) {
   case CAYMAN_CF_FORM_EXPORT:
      return cayman_expect_char(ps, ':') && parse_export(ps, item);
   case CAYMAN_CF_FORM_MEM:
   case CAYMAN_CF_FORM_RAT:
      cf->type = type;
      return cayman_expect_char(ps, ':') && parse_mem_write(ps, item);
   case CAYMAN_CF_FORM_ALU:
      return cayman_expect_char(ps, ':');
   default:
      if (!parse_branch(ps, item))
         return false;
      item->written = span_from(ps, word.text);
      while (item->written.text[item->written.length - 1] == ' ')
         item->written.length--;
      return true;
   }
}

/* ------------------------------------------------------------------------------------------------
 * Lines
 */

static struct cayman_item *
add_item(struct parser *ps)
{
   struct cayman_listing *l = ps->listing;

   if (l->num_items == l->capacity) {
      size_t capacity = l->capacity ? 2 * l->capacity : 64;
      struct cayman_item *items = realloc(l->items, capacity * sizeof(*items));
      if (!items) {
         cayman_parse_fail(ps, ps->p, "no memory");
         return NULL;
      }
      l->items = items;
      l->capacity = capacity;
   }
   struct cayman_item *item = &l->items[l->num_items++];
   memset(item, 0, sizeof(*item));
   item->vliw = ps->vliw;
   item->line = ps->line;
   item->column = column_of(ps, ps->p);
   return item;
}

static bool
parse_words(struct parser *ps, struct cayman_item *item)
{
   struct cayman_listing *l = ps->listing;
   uint32_t word;

   skip_blanks(ps);
   item->kind = CAYMAN_ITEM_RAW;
   if (cayman_accept_text(ps, "ADDR")) {
      item->kind = CAYMAN_ITEM_WORDS;
      if (!cayman_scan_bracketed(ps, 0xffffff, &item->words.addr))
         return false;
   }
   if (!cayman_expect_char(ps, ':'))
      return false;
   item->words.first = (uint32_t)l->num_pool;
   for (skip_blanks(ps); is_digit(peek(ps, 0)); skip_blanks(ps)) {
      if (!cayman_scan_uint(ps, UINT32_MAX, &word))
         return false;
      if (l->num_pool == l->pool_capacity) {
         size_t capacity = l->pool_capacity ? 2 * l->pool_capacity : 64;
         uint32_t *pool = realloc(l->pool, capacity * sizeof(*pool));
         if (!pool)
            return cayman_parse_fail(ps, ps->p, "no memory");
         l->pool = pool;
         l->pool_capacity = capacity;
      }
      l->pool[l->num_pool++] = word;
      item->words.count++;
   }
   if (item->words.count == 0)
      return cayman_parse_fail(ps, ps->p, "expected words");
   return true;
}

/* Is the rest of the line NAME = value?  Instructions have no '=' but the "<=" of WAIT_ACK. */
static bool
is_option(const struct parser *ps)
{
   for (const char *p = ps->p; p < ps->end && *p != '\n' && *p != ';'; p++)
      if (*p == '=')
         return p == ps->p || p[-1] != '<';
   return false;
}

static bool
keep_line(struct parser *ps, struct cayman_item *item)
{
   const char *start = ps->p;
   while (ps->p < ps->end && *ps->p != '\n')
      ps->p++;
   const char *end = ps->p;
   while (end > start && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
      end--;
   item->kind = CAYMAN_ITEM_TEXT;
   item->text = (struct cayman_span){ start, (uint32_t)(end - start) };
   return true;
}

/* The instruction after a number, or a line without one. */
static bool
parse_instruction(struct parser *ps, struct cayman_item *item)
{
   const char *at = ps->p;
   bool known;

   if (peek(ps, 1) == ':' && strchr("xyzwt", peek(ps, 0))) {
      char unit = *ps->p;
      ps->p += 2;
      return cayman_parse_slot(ps, item, unit);
   }
   struct cayman_span word = scan_word(ps);
   if (word.length == 9 && memcmp(word.text, "UNDEFINED", 9) == 0) {
      item->undefined = true;
      item->kind = CAYMAN_ITEM_CF;
      item->cf.barrier = true;
      return true;
   }
   if (word.length == 5 && memcmp(word.text, "WORDS", 5) == 0)
      return parse_words(ps, item);
   if (!parse_cf(ps, item, word, &known))
      return false;
   if (!known && !cayman_parse_fetch(ps, item, word, &known))
      return false;
   return known || cayman_parse_fail(ps, at, "unknown instruction '%.*s'",
                                     (int)(word.length < 40 ? word.length : 40), word.text);
}

static bool
parse_line(struct parser *ps)
{
   struct cayman_listing *l = ps->listing;

   skip_blanks(ps);
   if (l->num_items && is_word(peek(ps, 0)) && !is_option(ps)) {
      /* A property goes on with the line above. */
      struct cayman_item *last = &l->items[l->num_items - 1];
      const char *at = ps->p;
      struct cayman_span word = scan_word(ps);
      bool property = cayman_parse_name(ps, NAME_PROPERTY, word.text, word.length) >= 0;
      ps->p = at;
      if (property && last->kind >= CAYMAN_ITEM_CF && last->kind <= CAYMAN_ITEM_FETCH &&
          !(word.length == 14 && memcmp(word.text, "END_OF_PROGRAM", 14) == 0))
         return cayman_parse_properties(ps, last);
   }

   struct cayman_item *item = add_item(ps);
   if (!item)
      return false;
   char c = peek(ps, 0);
   if (ps->p == ps->end || c == '\n' || c == ';' || c == '*' || (!is_digit(c) && is_option(ps)))
      return keep_line(ps, item); /* asterisks: what AMD's tool says of a shader that it changed */
   if (cayman_accept_text(ps, "END_OF_PROGRAM")) {
      item->kind = CAYMAN_ITEM_END;
      item->cf =
         (struct cayman_cf){ .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH, .barrier = true };
      return cayman_parse_properties(ps, item);
   }
   if (is_digit(c)) {
      item->numbered = true;
      if (!cayman_scan_uint(ps, UINT32_MAX, &item->number))
         return false;
      skip_blanks(ps);
   }
   if (item->numbered && peek(ps, 0) == '.' && peek(ps, 1) == '.' && peek(ps, 2) == '.') {
      cayman_parse_refuse(ps, item, ps->p, "an ellipsis stands for instructions");
      return keep_line(ps, item);
   }
   if (!is_word(peek(ps, 0)))
      return cayman_parse_fail(ps, ps->p, "expected an instruction");
   if (!parse_instruction(ps, item))
      return false;
   if (item->kind == CAYMAN_ITEM_TEXT || item->kind >= CAYMAN_ITEM_WORDS)
      return true;
   return cayman_parse_properties(ps, item);
}

/* After an instruction only a comment may stand. */
static bool
end_line(struct parser *ps)
{
   skip_blanks(ps);
   if (peek(ps, 0) == ';') {
      struct cayman_item comment = { 0 };
      keep_line(ps, &comment);
      if (ps->listing->num_items)
         ps->listing->items[ps->listing->num_items - 1].comment = comment.text;
   }
   if (ps->ends) {
      struct cayman_item *item = add_item(ps);
      if (!item)
         return false;
      item->kind = CAYMAN_ITEM_END;
      item->cf =
         (struct cayman_cf){ .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH, .barrier = true };
      ps->ends = false;
   }
   if (ps->p == ps->end)
      return true;
   if (*ps->p != '\n')
      return cayman_parse_fail(ps, ps->p, "expected the end of the line or a property");
   ps->p++;
   ps->line++;
   ps->line_start = ps->p;
   return true;
}

void
cayman_listing_free(struct cayman_listing *listing)
{
   if (listing) {
      free(listing->items);
      free(listing->pool);
      free(listing);
   }
}

struct cayman_listing *
cayman_listing_parse(enum cayman_vliw vliw, const char *text, size_t length,
                     struct isa_error *error)
{
   struct parser *ps = calloc(1, sizeof(*ps));
   struct cayman_listing *listing = calloc(1, sizeof(*listing));
   bool ok = ps && listing;

   memset(error, 0, sizeof(*error));
   if (!ok) {
      isa_fail(error, 0, 0, "no memory");
   } else {
      ps->text = ps->p = ps->line_start = text;
      ps->end = text + length;
      ps->line = 1;
      ps->error = error;
      ps->vliw = listing->vliw = vliw;
      ps->listing = listing;
      add_cf_names(ps);
      cayman_parse_add_alu_names(ps);
      cayman_parse_add_fetch_names(ps);
      cayman_parse_add_properties(ps);
   }
   while (ok && ps->p < ps->end)
      ok = parse_line(ps) && end_line(ps);
   free(ps);
   if (!ok) {
      cayman_listing_free(listing);
      return NULL;
   }
   return listing;
}

bool
cayman_listing_option(const struct cayman_listing *listing, const char *name, uint32_t *value)
{
   size_t n = strlen(name);

   for (size_t i = 0; i < listing->num_items; i++) {
      const struct cayman_item *item = &listing->items[i];
      if (item->kind != CAYMAN_ITEM_TEXT || item->text.length <= n ||
          memcmp(item->text.text, name, n) != 0)
         continue;
      const char *p = item->text.text + n, *end = item->text.text + item->text.length;
      while (p < end && *p == ' ')
         p++;
      if (p == end || *p++ != '=')
         continue;
      while (p < end && *p == ' ')
         p++;
      uint64_t v = 0;
      const char *digits = p;
      for (; p < end && is_digit(*p) && v <= UINT32_MAX; p++)
         v = 10 * v + (uint64_t)(*p - '0');
      if (p > digits && v <= UINT32_MAX) {
         *value = (uint32_t)v;
         return true;
      }
   }
   return false;
}

char *
cayman_reprint(enum cayman_vliw vliw, const char *text, size_t length, struct isa_error *error)
{
   struct cayman_listing *listing = cayman_listing_parse(vliw, text, length, error);
   struct isa_text out = { 0 };

   if (!listing)
      return NULL;
   for (size_t i = 0; i < listing->num_items; i++)
      cayman_print_item(&out, &listing->items[i], listing);
   cayman_listing_free(listing);
   if (!text_reserve(&out, 1)) {
      free(out.data);
      isa_fail(error, 0, 0, "no memory");
      return NULL;
   }
   out.data[out.size] = 0;
   return out.data;
}
