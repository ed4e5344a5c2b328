/* SPDX-License-Identifier: MIT */
/*
 * Parser of one slot of an ALU group: operation, destination, operands.
 *
 *    x: MULADD_IEEE R3.z,  -|R0.x|,  KC0[1].y,  (0x3F800000, 1.0f).x
 */
#include "parse.h"

#include <math.h>

/* Spellings of AMD's own listings beside the names of the ISA guide. */
static const struct {
   const char *text;
   uint16_t op;
} alias[] = {
   { "LSHL", CAYMAN_ALU_LSHL_INT },
   { "LSHR", CAYMAN_ALU_LSHR_INT },
   { "ASHR", CAYMAN_ALU_ASHR_INT },
   { "I_TO_F", CAYMAN_ALU_INT_TO_FLT },
   { "U_TO_F", CAYMAN_ALU_UINT_TO_FLT },
   { "F_TO_I", CAYMAN_ALU_FLT_TO_INT },
   { "F_TO_U", CAYMAN_ALU_FLT_TO_UINT },
   { "RCP_e", CAYMAN_ALU_RECIP_IEEE },
   { "RCP_ff", CAYMAN_ALU_RECIP_FF },
   { "RCP_sat", CAYMAN_ALU_RECIP_CLAMPED },
   { "RSQ_e", CAYMAN_ALU_RECIPSQRT_IEEE },
   { "RECIPSQRT_IEEEE", CAYMAN_ALU_RECIPSQRT_IEEE }, /* the guide's misprint */
   { "RSQ_ff", CAYMAN_ALU_RECIPSQRT_FF },
   { "RSQ_sat", CAYMAN_ALU_RECIPSQRT_CLAMPED },
   { "SQRT_e", CAYMAN_ALU_SQRT_IEEE },
   { "EXP_e", CAYMAN_ALU_EXP_IEEE },
   { "LOG_e", CAYMAN_ALU_LOG_IEEE },
   { "LOG_sat", CAYMAN_ALU_LOG_CLAMPED },
   { "MUL_e", CAYMAN_ALU_MUL_IEEE },
   { "MULADD_e", CAYMAN_ALU_MULADD_IEEE },
   { "DOT4_e", CAYMAN_ALU_DOT4_IEEE },
};

void
cayman_parse_add_alu_names(struct parser *ps)
{
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      const char *name = cayman_alu_listing_name(ps->vliw, op);
      if (name && op != CAYMAN_ALU_LDS_IDX_OP)
         cayman_parse_add_name(ps, NAME_ALU, name, op);
   }
   for (unsigned i = 0; i < sizeof(alias) / sizeof(*alias); i++)
      cayman_parse_add_name(ps, NAME_ALU, alias[i].text, alias[i].op);
   for (unsigned i = 0; i < cayman_num_foreign_alu; i++)
      if (!(cayman_foreign_alu[i].chips >> ps->vliw & 1))
         cayman_parse_add_name(ps, NAME_ALU, cayman_foreign_alu[i].name, CAYMAN_FOREIGN_OP + i);
   for (unsigned op = 0; op < CAYMAN_LDS_OP_COUNT; op++)
      if (cayman_lds_info(op)->name)
         cayman_parse_add_name(ps, NAME_LDS, cayman_lds_info(op)->name, op);
   for (unsigned sel = 192; sel < 256; sel++)
      if (cayman_source_name(sel))
         cayman_parse_add_name(ps, NAME_SOURCE, cayman_source_name(sel), sel);
}

/* OP2_7, OP3_3 and LDS_OP_60: opcodes without a name */
static bool
parse_numbered_op(struct parser *ps, struct cayman_item *item, struct cayman_span word, bool *found)
{
   static const struct {
      const char *prefix;
      uint32_t max;
      uint16_t base;
   } forms[] = { { "OP2_", 255, 0 }, { "OP3_", 31, CAYMAN_OP3_BASE }, { "LDS_OP_", 63, 0 } };
   struct cayman_alu *alu = &item->slot.alu;

   *found = false;
   for (unsigned i = 0; i < 3; i++) {
      size_t n = strlen(forms[i].prefix);
      uint32_t value;
      if (word.length <= n || memcmp(word.text, forms[i].prefix, n) != 0 || !is_digit(word.text[n]))
         continue;
      ps->p = word.text + n;
      if (!cayman_scan_uint(ps, forms[i].max, &value))
         return false;
      if (i == 2) {
         alu->op = CAYMAN_ALU_LDS_IDX_OP;
         alu->lds_op = (uint8_t)value;
      } else {
         alu->op = (uint16_t)(forms[i].base + value);
         if (i == 1 && value < 4)
            return cayman_parse_fail(ps, word.text, "OP3 opcodes start at 4");
      }
      *found = true;
      return true;
   }
   return true;
}

static bool
parse_op(struct parser *ps, struct cayman_item *item)
{
   struct cayman_alu *alu = &item->slot.alu;

   skip_blanks(ps);
   struct cayman_span word = scan_word(ps);
   int op = cayman_parse_name(ps, NAME_ALU, word.text, word.length);
   if (op >= 0) {
      alu->op = (uint16_t)op;
      const char *name = cayman_alu_listing_name(ps->vliw, alu->op);
      if (op >= CAYMAN_FOREIGN_OP) {
         cayman_parse_refuse(ps, item, word.text,
                             cayman_foreign_alu[op - CAYMAN_FOREIGN_OP].reason);
      } else if (strlen(name) != word.length || memcmp(name, word.text, word.length) != 0) {
         item->slot.name = word;
      }
   } else if ((op = cayman_parse_name(ps, NAME_LDS, word.text, word.length)) >= 0) {
      alu->op = CAYMAN_ALU_LDS_IDX_OP;
      alu->lds_op = (uint8_t)op;
   } else {
      bool found;
      if (!parse_numbered_op(ps, item, word, &found))
         return false;
      if (!found) {
         return cayman_parse_fail(ps, word.text, "unknown ALU operation '%.*s'",
                                  (int)(word.length < 40 ? word.length : 40), word.text);
      }
   }
   const char *at = ps->p;
   if (cayman_accept_text(ps, "*2"))
      alu->omod = CAYMAN_OMOD_M2;
   else if (cayman_accept_text(ps, "*4"))
      alu->omod = CAYMAN_OMOD_M4;
   else if (cayman_accept_text(ps, "/2"))
      alu->omod = CAYMAN_OMOD_D2;
   if (alu->omod && alu->op >= CAYMAN_OP3_BASE && alu->op < CAYMAN_FOREIGN_OP)
      return cayman_parse_fail(ps, at, "three-operand instructions have no output modifier");
   if (item->slot.name.text)
      item->slot.name.length = (uint32_t)(ps->p - item->slot.name.text);
   return true;
}

static bool
parse_destination(struct parser *ps, struct cayman_item *item, char unit)
{
   struct cayman_alu *alu = &item->slot.alu;
   uint8_t chan;

   skip_blanks(ps);
   const char *at = ps->p;
   if (alu->op == CAYMAN_ALU_LDS_IDX_OP) {
      uint32_t offset;
      if (!cayman_accept_text(ps, "OFFSET"))
         return cayman_parse_fail(ps, at, "expected OFFSET(n)");
      if (!cayman_scan_bracketed(ps, 63, &offset))
         return false;
      alu->lds_offset = (uint8_t)offset;
      return true;
   }
   if (alu->op == CAYMAN_ALU_MOVA_INT) {
      for (unsigned i = 0; i < 8; i++) {
         if (cayman_accept_text(ps, cayman_mova_name[i])) {
            alu->mova_dst = (uint8_t)i;
            return true;
         }
      }
      return cayman_parse_fail(ps, at, "expected A0.x, CF_PC, CF_IDX0, CF_IDX1 or a byte of CG");
   }
   if (peek(ps, 0) == '_') {
      while (peek(ps, 0) == '_')
         ps->p++;
      item->written = span_from(ps, at);
      if (alu->op >= CAYMAN_OP3_BASE && alu->op < CAYMAN_FOREIGN_OP) {
         return cayman_parse_fail(ps, at,
                                  "three-operand instructions always write; R123 is the custom");
      }
      return true;
   }
   alu->write_mask = true;
   if (!cayman_scan_gpr(ps, item, &alu->dst_gpr, &alu->dst_rel, &alu->index_mode))
      return false;
   at = ps->p;
   if (!cayman_scan_channel(ps, &chan))
      return false;
   if (alu->trans)
      alu->dst_chan = chan;
   else if (chan != alu->dst_chan)
      return cayman_parse_fail(ps, at, "slot %c writes channel %c only", unit, unit);
   return true;
}

/* What stands between the parentheses of a literal: 0x3F800000, 1.0f   or   1.0f */
static bool
parse_literal(struct parser *ps, struct cayman_item *item, unsigned n)
{
   const char *start = ps->p;

   if (peek(ps, 0) == '0' && (peek(ps, 1) == 'x' || peek(ps, 1) == 'X')) {
      if (!cayman_scan_uint(ps, UINT32_MAX, &item->slot.literal[n]))
         return false;
      skip_blanks(ps);
      if (peek(ps, 0) == ',') /* a comment for people */
         while (ps->p < ps->end && *ps->p != ')' && *ps->p != '\n')
            ps->p++;
   } else {
      char number[48], *end;
      size_t length = 0;
      while (length + 1 < sizeof(number) && (is_word(peek(ps, 0)) || strchr("+-.", peek(ps, 0))) &&
             peek(ps, 0))
         number[length++] = *ps->p++;
      number[length] = 0;
      bool numeric = length && (is_digit(number[0]) || strchr("+-.", number[0]));
      float value = numeric ? strtof(number, &end) : 0;
      if (!numeric || end == number || (*end && strcmp(end, "f") != 0) || !isfinite(value))
         return cayman_parse_fail(ps, start, "expected a number, (0x3F800000, 1.0f) or (1.0f)");
      memcpy(&item->slot.literal[n], &value, sizeof(value));
      item->slot.operand_text[n] = span_from(ps, start);
   }
   return cayman_expect_char(ps, ')');
}

/* KC0[5].x, KC0[AL+5].x */
static bool
parse_kcache(struct parser *ps, struct cayman_item *item, struct cayman_alu_src *src)
{
   static const uint16_t base[4] = { CAYMAN_SRC_KCACHE0, CAYMAN_SRC_KCACHE1, CAYMAN_SRC_KCACHE2,
                                     CAYMAN_SRC_KCACHE3 };
   uint32_t set, index;

   if (!cayman_scan_uint(ps, 3, &set) || !cayman_expect_char(ps, '['))
      return false;
   for (unsigned mode = 0; mode < 8 && !is_digit(peek(ps, 0)); mode++) {
      const char *at = ps->p;
      if (cayman_accept_text(ps, cayman_index_name[mode])) {
         if (peek(ps, 0) != '+') {
            ps->p = at;
            continue;
         }
         ps->p++;
         src->rel = true;
         item->slot.alu.index_mode = (uint8_t)mode;
      }
   }
   if (!cayman_scan_uint(ps, 31, &index))
      return false;
   src->sel = (uint16_t)(base[set] + index);
   return cayman_expect_char(ps, ']');
}

/* i0.x, b3, CB0[5].y: registers of control flow, and buffers by their name */
static bool
parse_foreign_source(struct parser *ps, struct cayman_item *item, unsigned n)
{
   const char *start = ps->p;
   bool buffer = *start == 'C';
   uint32_t number;
   uint8_t chan;

   ps->p += buffer ? 2 : 1;
   if (!cayman_scan_uint(ps, buffer ? 15 : 31, &number))
      return false;
   if (buffer && accept_char(ps, '[')) {
      while (is_word(peek(ps, 0)) || peek(ps, 0) == '.' || peek(ps, 0) == '+')
         ps->p++;
      if (!cayman_expect_char(ps, ']'))
         return false;
   }
   if (peek(ps, 0) == '.' && !cayman_scan_channel(ps, &chan))
      return false;
   cayman_parse_refuse(ps, item, start,
                       buffer ? "buffers are read through the windows of a clause, KC0 to KC3"
                              : "i and b are constants of control flow");
   item->slot.alu.src[n].sel = CAYMAN_SRC_TEXT;
   item->slot.operand_text[n] = span_from(ps, start);
   return true;
}

/* A name (0.5f, AL, QA.pop) or a number, with or without a channel. */
static bool
parse_named_source(struct parser *ps, struct cayman_item *item, unsigned n)
{
   struct cayman_alu_src *src = &item->slot.alu.src[n];
   const char *start = ps->p;
   char number[32];
   size_t length = 0;

   while (ps->p < ps->end && (is_word(*ps->p) || *ps->p == '.'))
      ps->p++;
   length = (size_t)(ps->p - start);
   int sel = cayman_parse_name(ps, NAME_SOURCE, start, length);
   if (sel < 0 && length > 2 && start[length - 2] == '.' && strchr("xyzw", start[length - 1])) {
      src->chan = (uint8_t)(strchr("xyzw", start[length - 1]) - "xyzw");
      length -= 2;
      sel = cayman_parse_name(ps, NAME_SOURCE, start, length);
   }
   if (sel < 0 && length > 1 && length < sizeof(number) && is_digit(*start)) {
      /* 1.000000: another way to write the constants */
      char *end;
      memcpy(number, start, length);
      number[length] = 0;
      double value = strtod(number, &end);
      if (*end == 0 || strcmp(end, "f") == 0) {
         sel = value == 0.0   ? CAYMAN_SRC_0
               : value == 0.5 ? CAYMAN_SRC_0_5
               : value == 1.0 ? CAYMAN_SRC_1
                              : -1;
         if (sel < 0) {
            return cayman_parse_fail(ps, start, "%s is no inline constant: write a literal, (%s).x",
                                     number, number);
         }
         item->slot.operand_text[n] = span_from(ps, start);
      }
   }
   if (sel < 0) {
      return cayman_parse_fail(ps, start, "unknown operand '%.*s'",
                               (int)(length < 40 ? length : 40), start);
   }
   src->sel = (uint16_t)sel;
   return true;
}

/* PV3.x, PV(10).w, PS0 */
static bool
parse_previous(struct parser *ps, struct cayman_item *item, unsigned n)
{
   struct cayman_alu_src *src = &item->slot.alu.src[n];
   uint32_t number = UINT32_MAX;

   if (ps->p[-1] == 'S' && cayman_five_slots(ps->vliw)) {
      src->sel = CAYMAN_SRC_PS;
   } else if (ps->p[-1] == 'S') {
      src->sel = CAYMAN_FOREIGN_PS;
      cayman_parse_refuse(ps, item, ps->p - 2,
                          "PS is the result of the t unit, which Cayman has not");
   } else {
      src->sel = CAYMAN_SRC_PV;
   }
   if (peek(ps, 0) == '(') {
      const char *start = ps->p - 2;
      if (!cayman_scan_bracketed(ps, INT32_MAX, &number))
         return false;
      item->slot.operand_text[n] = span_from(ps, start);
   } else if (is_digit(peek(ps, 0)) && !cayman_scan_uint(ps, INT32_MAX, &number)) {
      return false;
   }
   item->slot.previous[n] = (int32_t)number;
   if (src->sel != CAYMAN_SRC_PV && peek(ps, 0) != '.')
      return true;
   return cayman_scan_channel(ps, &src->chan);
}

static bool
parse_source(struct parser *ps, struct cayman_item *item, unsigned n)
{
   struct cayman_alu *alu = &item->slot.alu;
   struct cayman_alu_src *src = &alu->src[n];
   uint8_t gpr, mode = alu->index_mode;
   uint32_t number;

   skip_blanks(ps);
   const char *start = ps->p;
   item->slot.previous[n] = -1;
   if (peek(ps, 0) == '-') {
      ps->p++;
      if (peek(ps, 0) == '1' && !is_word(peek(ps, 1)) &&
          !(peek(ps, 1) == '.' && is_digit(peek(ps, 2)))) {
         ps->p++;
         src->sel = CAYMAN_SRC_M_1_INT;
         return peek(ps, 0) != '.' || cayman_scan_channel(ps, &src->chan);
      }
      src->neg = true;
   }
   if (peek(ps, 0) == '-' && peek(ps, 1) == '1') {
      ps->p += 2;
      src->sel = CAYMAN_SRC_M_1_INT;
      return peek(ps, 0) != '.' || cayman_scan_channel(ps, &src->chan);
   }
   src->abs = peek(ps, 0) == '|';
   ps->p += src->abs;
   bool m_1 = peek(ps, 0) == '-' && peek(ps, 1) == '1';
   bool word_digit = is_digit(peek(ps, 1));

   if (m_1) {
      ps->p += 2;
      src->sel = CAYMAN_SRC_M_1_INT;
      if (peek(ps, 0) == '.' && !cayman_scan_channel(ps, &src->chan))
         return false;
   } else if (cayman_accept_text(ps, "(")) {
      src->sel = CAYMAN_SRC_LITERAL;
      if (!parse_literal(ps, item, n) || !cayman_scan_channel(ps, &src->chan))
         return false;
   } else if (word_digit && (peek(ps, 0) == 'R' || peek(ps, 0) == 'T')) {
      if (!cayman_scan_gpr(ps, item, &gpr, &src->rel, &alu->index_mode) ||
          !cayman_scan_channel(ps, &src->chan))
         return false;
      src->sel = gpr;
   } else if (word_digit && peek(ps, 0) == 'C') {
      cayman_parse_refuse(ps, item, ps->p, "C registers, the constant file, ended with R700");
      ps->p++;
      if (!cayman_scan_uint(ps, 511, &number))
         return false;
      src->sel = (uint16_t)(CAYMAN_FOREIGN_CONST + number);
      if ((peek(ps, 0) == '[' && !cayman_scan_index(ps, item, &src->rel, &alu->index_mode)) ||
          !cayman_scan_channel(ps, &src->chan))
         return false;
   } else if ((word_digit && strchr("ib", peek(ps, 0))) ||
              (is_digit(peek(ps, 2)) && peek(ps, 0) == 'C' && peek(ps, 1) == 'B')) {
      if (!parse_foreign_source(ps, item, n))
         return false;
   } else if (peek(ps, 2) != '_' && is_digit(peek(ps, 2)) && cayman_accept_text(ps, "KC")) {
      if (!parse_kcache(ps, item, src) || !cayman_scan_channel(ps, &src->chan))
         return false;
   } else if ((!is_word(peek(ps, 2)) || is_digit(peek(ps, 2))) &&
              (cayman_accept_text(ps, "PV") || cayman_accept_text(ps, "PS"))) {
      if (!parse_previous(ps, item, n))
         return false;
   } else if (is_digit(peek(ps, 5)) && cayman_accept_text(ps, "Param")) {
      if (!cayman_scan_uint(ps, CAYMAN_SRC_PARAM_LAST - CAYMAN_SRC_PARAM, &number) ||
          !cayman_scan_channel(ps, &src->chan))
         return false;
      src->sel = (uint16_t)(CAYMAN_SRC_PARAM + number);
   } else if (is_digit(peek(ps, 3)) && cayman_accept_text(ps, "SRC")) {
      if (!cayman_scan_uint(ps, 511, &number) || !cayman_scan_channel(ps, &src->chan))
         return false;
      src->sel = (uint16_t)number;
   } else if (!parse_named_source(ps, item, n)) {
      return false;
   }
   if (src->abs && !cayman_expect_char(ps, '|'))
      return false;
   if (src->abs && alu->op >= CAYMAN_OP3_BASE && alu->op < CAYMAN_FOREIGN_OP)
      return cayman_parse_fail(ps, start, "three-operand instructions have no absolute value");
   bool indexed = alu->dst_rel && alu->write_mask;
   for (unsigned i = 0; i < n; i++)
      indexed |= alu->src[i].rel;
   if (src->rel && indexed && mode != alu->index_mode)
      return cayman_parse_fail(ps, start, "an instruction has one index for all its operands");
   return true;
}

/* Too many, or too few. */
static bool
wrong_operands(struct parser *ps, const char *at, unsigned op, unsigned wanted)
{
   const char *name = cayman_alu_listing_name(ps->vliw, op);
   return cayman_parse_fail(ps, at, "%s has %u operand%s", name ? name : "it", wanted,
                            wanted == 1 ? "" : "s");
}

bool
cayman_parse_slot(struct parser *ps, struct cayman_item *item, char unit)
{
   struct cayman_alu *alu = &item->slot.alu;

   item->kind = CAYMAN_ITEM_SLOT;
   if (unit == 't') {
      alu->trans = true;
      if (ps->vliw == CAYMAN_VLIW4) {
         cayman_parse_refuse(ps, item, ps->p - 2,
                             "Cayman has no t unit: a group has slots x, y, z and w");
      }
   } else {
      alu->dst_chan = (uint8_t)(strchr("xyzw", unit) - "xyzw");
   }
   if (!parse_op(ps, item) || !parse_destination(ps, item, unit))
      return false;
   bool foreign = alu->op >= CAYMAN_FOREIGN_OP;
   unsigned wanted = foreign ? 3 : cayman_listed_sources(ps->vliw, alu);
   const char *at = ps->p;
   if (alu->op >= CAYMAN_OP3_BASE && alu->op != CAYMAN_ALU_LDS_IDX_OP && !foreign)
      alu->write_mask = true;
   while (accept_char(ps, ',')) {
      if (item->slot.num_src == wanted)
         return wrong_operands(ps, ps->p - 1, alu->op, wanted);
      if (!parse_source(ps, item, item->slot.num_src))
         return false;
      item->slot.num_src++;
   }
   if (item->slot.num_src == 1 && wanted == 2 && !foreign &&
       cayman_alu_info_of(ps->vliw, alu->op)->flags & CAYMAN_ALU_FLAG_PRED) {
      alu->src[1].sel = CAYMAN_SRC_0; /* PRED_SETE ____, R4.w compares with 0 */
      return true;
   }
   if (item->slot.num_src < wanted && !foreign)
      return wrong_operands(ps, at, alu->op, wanted);
   return true;
}
