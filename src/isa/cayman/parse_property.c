/* SPDX-License-Identifier: MIT */
/*
 * Properties: what stands after the operands of an instruction, in any order.
 *
 *    CLAMP  UPDATE_PRED  VEC_021        slots
 *    KCACHE0(CB1:0-15)  POP_CNT(1)      control flow
 *    FORMAT(0x22)  WHOLE_QUAD           fetches
 */
#include "parse.h"

/* Lines that a property may stand on. */
enum {
   ON_SLOT = 1 << 0,
   ON_CF = 1 << 1, /* any CF instruction */
   ON_TEX = 1 << 2,
   ON_VTX = 1 << 3,
   ON_MEM = 1 << 4, /* memory reads */
   ON_GDS = 1 << 5,
   ON_END = 1 << 6,
   ON_FETCH = ON_TEX | ON_VTX | ON_MEM | ON_GDS,
};

#define PROPERTIES(P)                           \
   P(BITS, ON_SLOT | ON_CF | ON_FETCH | ON_END) \
   P(END_OF_PROGRAM, ON_CF)                     \
   P(CLAMP, ON_SLOT)                            \
   P(PRED_SEL, ON_SLOT)                         \
   P(UPDATE_EXEC_MASK, ON_SLOT)                 \
   P(UPDATE_EXEC_MASK_BREAK, ON_SLOT)           \
   P(UPDATE_EXEC_MASK_CONTINUE, ON_SLOT)        \
   P(UPDATE_EXEC_MASK_KILL, ON_SLOT)            \
   P(UPDATE_PRED, ON_SLOT)                      \
   P(GPR, ON_SLOT)                              \
   P(VEC_012, ON_SLOT)                          \
   P(VEC_021, ON_SLOT)                          \
   P(VEC_120, ON_SLOT)                          \
   P(VEC_102, ON_SLOT)                          \
   P(VEC_201, ON_SLOT)                          \
   P(VEC_210, ON_SLOT)                          \
   P(SCL_210, ON_SLOT)                          \
   P(SCL_122, ON_SLOT)                          \
   P(SCL_212, ON_SLOT)                          \
   P(SCL_221, ON_SLOT)                          \
   P(FOG_MERGE, ON_SLOT)                        \
   P(ADDR, ON_CF)                               \
   P(CNT, ON_CF)                                \
   P(COUNT, ON_CF)                              \
   P(KCACHE0, ON_CF)                            \
   P(KCACHE1, ON_CF)                            \
   P(KCACHE2, ON_CF)                            \
   P(KCACHE3, ON_CF)                            \
   P(KCACHE0_IDX0, ON_CF)                       \
   P(KCACHE0_IDX1, ON_CF)                       \
   P(KCACHE0_IDX2, ON_CF)                       \
   P(KCACHE1_IDX0, ON_CF)                       \
   P(KCACHE1_IDX1, ON_CF)                       \
   P(KCACHE1_IDX2, ON_CF)                       \
   P(KCACHE2_IDX0, ON_CF)                       \
   P(KCACHE2_IDX1, ON_CF)                       \
   P(KCACHE2_IDX2, ON_CF)                       \
   P(KCACHE3_IDX0, ON_CF)                       \
   P(KCACHE3_IDX1, ON_CF)                       \
   P(KCACHE3_IDX2, ON_CF)                       \
   P(KCACHE_MODE0, ON_CF)                       \
   P(KCACHE_BANK, ON_CF)                        \
   P(EXTENDED, ON_CF)                           \
   P(WHOLE_QUAD_MODE, ON_CF)                    \
   P(USES_WATERFALL, ON_CF)                     \
   P(VPM, ON_CF)                                \
   P(VALID_PIX, ON_CF)                          \
   P(NO_BARRIER, ON_CF | ON_END)                \
   P(BARRIER, ON_CF)                            \
   P(MARK, ON_CF)                               \
   P(BURSTCNT, ON_CF | ON_MEM)                  \
   P(ELEM_SIZE, ON_CF | ON_MEM)                 \
   P(ARRAY_SIZE, ON_CF | ON_MEM)                \
   P(RAT_INDEX_MODE, ON_CF)                     \
   P(POP_CNT, ON_CF)                            \
   P(CF_CONST, ON_CF)                           \
   P(CND, ON_CF)                                \
   P(JUMPTABLE_SEL, ON_CF)                      \
   P(STREAM, ON_CF)                             \
   P(PASS_JUMP_ADDR, ON_CF)                     \
   P(FAIL_JUMP_ADDR, ON_CF)                     \
   P(RESOURCE, ON_CF)                           \
   P(VALUE, ON_CF)                              \
   P(SIGN, ON_CF)                               \
   P(VAL_INDEX_MODE, ON_CF)                     \
   P(RSRC_INDEX_MODE, ON_CF)                    \
   P(ALT_CONST, ON_CF | ON_TEX | ON_VTX)        \
   P(RIM, ON_TEX)                               \
   P(SIM, ON_TEX)                               \
   P(BIM, ON_VTX)                               \
   P(COMP, ON_TEX)                              \
   P(LDFPTR, ON_TEX)                            \
   P(FINE, ON_TEX)                              \
   P(INST_MOD, ON_TEX)                          \
   P(NORM, ON_TEX)                              \
   P(UNNORM, ON_TEX)                            \
   P(XOFFSET, ON_TEX)                           \
   P(YOFFSET, ON_TEX)                           \
   P(ZOFFSET, ON_TEX)                           \
   P(LOD, ON_TEX)                               \
   P(BC_FRAC_MODE, ON_TEX)                      \
   P(WHOLE_QUAD, ON_TEX | ON_VTX | ON_MEM)      \
   P(MEGAFETCH, ON_VTX)                         \
   P(OFFSET, ON_VTX)                            \
   P(FORMAT, ON_VTX | ON_MEM)                   \
   P(NUM_FORMAT_ALL, ON_VTX | ON_MEM)           \
   P(FORMAT_COMP_ALL, ON_VTX | ON_MEM)          \
   P(DX, ON_VTX | ON_MEM)                       \
   P(OGL, ON_VTX | ON_MEM)                      \
   P(ENDIAN, ON_VTX | ON_MEM)                   \
   P(FETCHTYPE, ON_VTX)                         \
   P(UNCACHED, ON_MEM)                          \
   P(SRC_SEL_Y, ON_VTX | ON_MEM)                \
   P(LDS_REQ, ON_VTX | ON_MEM)                  \
   P(COALESCED_READ, ON_VTX | ON_MEM)           \
   P(STRUCTURED_READ, ON_VTX)                   \
   P(CONST_BUF_NO_STRIDE, ON_VTX)               \
   P(SRC_GPR, ON_GDS)                           \
   P(UIM, ON_GDS)                               \
   P(ALLOC_CONSUME, ON_GDS)                     \
   P(UAV, ON_GDS)                               \
   P(BCAST_FIRST_REQ, ON_GDS)

enum property {
#define P(name, on) PROPERTY_##name,
   PROPERTIES(P)
#undef P
};

static const struct {
   const char *name;
   uint8_t on;
} properties[] = {
#define P(name, on) { #name, on },
   PROPERTIES(P)
#undef P
};

void
cayman_parse_add_properties(struct parser *ps)
{
   for (unsigned i = 0; i < sizeof(properties) / sizeof(*properties); i++)
      cayman_parse_add_name(ps, NAME_PROPERTY, properties[i].name, i);
   /* The guide's misprints. */
   cayman_parse_add_name(ps, NAME_PROPERTY, "VARID_PIX", PROPERTY_VALID_PIX);
   cayman_parse_add_name(ps, NAME_PROPERTY, "CMD", PROPERTY_CND);
}

static unsigned
line_kind(const struct cayman_item *item)
{
   static const uint8_t fetch[] = { [CAYMAN_FETCH_NONE] = ON_FETCH,
                                    [CAYMAN_FETCH_TEX] = ON_TEX,
                                    [CAYMAN_FETCH_VTX] = ON_VTX,
                                    [CAYMAN_FETCH_MEM] = ON_MEM,
                                    [CAYMAN_FETCH_GDS] = ON_GDS };
   switch (item->kind) {
   case CAYMAN_ITEM_SLOT:
      return ON_SLOT;
   case CAYMAN_ITEM_CF:
      return ON_CF;
   case CAYMAN_ITEM_FETCH:
      return fetch[item->fetch.kind];
   case CAYMAN_ITEM_END:
      return ON_END;
   default:
      return 0;
   }
}

/* One of `count` words in brackets. */
static bool
choice(struct parser *ps, const char *const *words, unsigned count, uint8_t *value)
{
   if (!cayman_expect_char(ps, '('))
      return false;
   skip_blanks(ps);
   const char *at = ps->p;
   struct cayman_span word = scan_word(ps);
   for (unsigned i = 0; i < count; i++) {
      if (words[i] && strlen(words[i]) == word.length &&
          memcmp(words[i], word.text, word.length) == 0) {
         *value = (uint8_t)i;
         return cayman_expect_char(ps, ')');
      }
   }
   return cayman_parse_fail(ps, at, "unknown value '%.*s'",
                            (int)(word.length < 40 ? word.length : 40), word.text);
}

static bool
bracketed8(struct parser *ps, uint32_t max, uint8_t *field)
{
   uint32_t value;
   if (!cayman_scan_bracketed(ps, max, &value))
      return false;
   *field = (uint8_t)value;
   return true;
}

/* (-1.5): a number with `bits` fraction bits, from -low to high in its units */
static bool
fixed_point(struct parser *ps, unsigned bits, int low, int high, int8_t *field)
{
   bool negative;
   int value = 0, scale = 1 << bits;

   if (!cayman_expect_char(ps, '('))
      return false;
   skip_blanks(ps);
   const char *at = ps->p;
   negative = peek(ps, 0) == '-';
   ps->p += negative;
   if (!is_digit(peek(ps, 0)))
      return cayman_parse_fail(ps, at, "expected a number");
   while (is_digit(peek(ps, 0)) && value < 1000)
      value = value * 10 + (*ps->p++ - '0');
   value *= scale;
   if (peek(ps, 0) == '.') {
      unsigned digits = 0, numerator = 0, denominator = 1;
      ps->p++;
      for (; is_digit(peek(ps, 0)) && digits < 6; digits++) {
         numerator = numerator * 10 + (unsigned)(*ps->p++ - '0');
         denominator *= 10;
      }
      if (numerator * scale % denominator != 0)
         return cayman_parse_fail(ps, at, "the field has %u fraction bits", bits);
      value += (int)(numerator * scale / denominator);
   }
   value = negative ? -value : value;
   if (value < low || value > high) {
      return cayman_parse_fail(ps, at, "out of the field's range, %g to %g", (double)low / scale,
                               (double)high / scale);
   }
   *field = (int8_t)value;
   return cayman_expect_char(ps, ')');
}

/* (CB1:0-15), (CB1:AL+0-31) */
static bool
kcache(struct parser *ps, struct cayman_item *item, unsigned set)
{
   struct cayman_kcache *k = &item->cf.kcache[set];
   uint32_t bank, first, last;

   if (!cayman_expect_char(ps, '('))
      return false;
   const char *at = ps->p;
   if (!cayman_accept_text(ps, "CB"))
      return cayman_parse_fail(ps, at, "expected CB and the bank");
   if (!cayman_scan_uint(ps, 15, &bank) || !cayman_expect_char(ps, ':'))
      return false;
   bool loop = cayman_accept_text(ps, "AL+");
   at = ps->p;
   if (!cayman_scan_uint(ps, 4095, &first) || !cayman_expect_char(ps, '-') ||
       !cayman_scan_uint(ps, 4111, &last))
      return false;
   uint32_t size = last - first + 1;
   if (first % 16 || (size != 16 && size != 32) || (loop && size != 32))
      return cayman_parse_fail(ps, at, "a window is 16 or 32 constants from a multiple of 16");
   k->bank = (uint8_t)bank;
   k->addr = (uint8_t)(first / 16);
   k->mode = loop         ? CAYMAN_KCACHE_LOCK_LOOP_INDEX
             : size == 16 ? CAYMAN_KCACHE_LOCK_1
                          : CAYMAN_KCACHE_LOCK_2;
   item->cf.extended |= set >= 2;
   return cayman_expect_char(ps, ')');
}

/* (XYZ) */
static bool
coords(struct parser *ps, uint8_t *mask)
{
   *mask = 0;
   if (!cayman_expect_char(ps, '('))
      return false;
   const char *at = ps->p;
   for (unsigned i = 0; i < 4; i++) {
      if (peek(ps, 0) == "XYZW"[i]) {
         ps->p++;
         *mask |= (uint8_t)(1u << i);
      }
   }
   return *mask ? cayman_expect_char(ps, ')')
                : cayman_parse_fail(ps, at, "expected coordinates of XYZW");
}

/* Words in brackets. */
static bool
bits(struct parser *ps, struct cayman_item *item)
{
   unsigned max = item->kind == CAYMAN_ITEM_SLOT ? 6 : 4;

   if (!cayman_expect_char(ps, '('))
      return false;
   item->num_bits = 0;
   do {
      skip_blanks(ps);
      if (item->num_bits == max)
         return cayman_parse_fail(ps, ps->p, "more words than the instruction has");
      if (!cayman_scan_uint(ps, UINT32_MAX, &item->bits[item->num_bits]))
         return false;
      item->num_bits++;
   } while (accept_char(ps, ','));
   if (item->num_bits % 2)
      return cayman_parse_fail(ps, ps->p, "instructions have an even number of words");
   return cayman_expect_char(ps, ')');
}

/* A property of older chips, kept as text from `at`. */
static bool
keep(struct parser *ps, struct cayman_item *item, const char *at, const char *reason)
{
   if (peek(ps, 0) == '(') {
      while (ps->p < ps->end && *ps->p != ')' && *ps->p != '\n')
         ps->p++;
      if (!cayman_expect_char(ps, ')'))
         return false;
   }
   if (item->num_extras == CAYMAN_MAX_EXTRAS)
      return cayman_parse_fail(ps, at, "too many properties of older chips");
   item->extra[item->num_extras++] = (struct cayman_span){ at, (uint32_t)(ps->p - at) };
   if (reason)
      cayman_parse_refuse(ps, item, at, reason);
   return true;
}

static bool
index_select(struct parser *ps, uint8_t *mode)
{
   static const char *const names[] = { NULL, "IDX0", "IDX1", "IDX2" };
   return choice(ps, names, 4, mode);
}

/* (BOOL) b3 */
static bool
condition(struct parser *ps, struct cayman_item *item)
{
   uint32_t n;
   if (!choice(ps, cayman_cond_name, 4, &item->cf.cond))
      return false;
   skip_blanks(ps);
   if (peek(ps, 0) == 'b' && is_digit(peek(ps, 1))) {
      ps->p++;
      if (!cayman_scan_uint(ps, 31, &n))
         return false;
      item->cf.cf_const = (uint8_t)n;
   }
   return true;
}

static bool
slot_property(struct parser *ps, struct cayman_item *item, enum property p, const char *at)
{
   struct cayman_alu *alu = &item->slot.alu;
   bool op3 = alu->op >= CAYMAN_OP3_BASE && alu->op < CAYMAN_FOREIGN_OP;
   uint32_t value;

   switch (p) {
   case PROPERTY_CLAMP:
      if (alu->op == CAYMAN_ALU_LDS_IDX_OP)
         return cayman_parse_fail(ps, at, "LDS operations have no CLAMP");
      alu->clamp = true;
      return true;
   case PROPERTY_PRED_SEL:
      if (!cayman_scan_bracketed(ps, 1, &value))
         return false;
      alu->pred_sel = (uint8_t)(value ? CAYMAN_PRED_SEL_ONE : CAYMAN_PRED_SEL_ZERO);
      return true;
   case PROPERTY_UPDATE_EXEC_MASK:
   case PROPERTY_UPDATE_EXEC_MASK_BREAK:
   case PROPERTY_UPDATE_EXEC_MASK_CONTINUE:
   case PROPERTY_UPDATE_EXEC_MASK_KILL:
      if (p != PROPERTY_UPDATE_EXEC_MASK && cayman_five_slots(ps->vliw)) {
         return cayman_parse_fail(ps, at,
                                  "the clause's instruction says what becomes of lanes: "
                                  "ALU_BREAK, ALU_CONTINUE");
      }
      if (op3 || (alu->omod && ps->vliw == CAYMAN_VLIW4)) {
         return cayman_parse_fail(ps, at,
                                  op3 ? "three-operand instructions update no mask"
                                      : "the output modifier's bits are those of the mask");
      }
      alu->update_exec_mask = true;
      alu->execute_mask_op = (uint8_t)(p - PROPERTY_UPDATE_EXEC_MASK);
      return true;
   case PROPERTY_UPDATE_PRED:
      if (op3)
         return cayman_parse_fail(ps, at, "three-operand instructions update no predicate");
      alu->update_pred = true;
      return true;
   case PROPERTY_GPR:
      return bracketed8(ps, 127, &alu->dst_gpr);
   case PROPERTY_FOG_MERGE:
      return keep(ps, item, at, "FOG_MERGE ended with R600");
   default:
      if (cayman_five_slots(ps->vliw) && alu->trans != (p >= PROPERTY_SCL_210)) {
         return cayman_parse_fail(ps, at,
                                  "SCL bank swizzles are slot t's, VEC those of the others");
      }
      alu->bank_swizzle =
         (uint8_t)(p - (cayman_five_slots(ps->vliw) && alu->trans ? PROPERTY_SCL_210
                                                                  : PROPERTY_VEC_012));
      if (p >= PROPERTY_SCL_210 && ps->vliw == CAYMAN_VLIW4) {
         cayman_parse_refuse(ps, item, at,
                             "SCL bank swizzles are the t unit's, which Cayman has not");
      } else if (alu->bank_swizzle == 0) {
         return keep(ps, item, at, NULL); /* the default, said aloud */
      }
      return true;
   }
}

static bool
cf_property(struct parser *ps, struct cayman_item *item, enum property p, const char *at)
{
   struct cayman_cf *cf = &item->cf;
   bool clause = cf->form == CAYMAN_CF_FORM_ALU || cayman_cf_is_fetch(cf) || cayman_cf_is_gds(cf);
   bool memory = cf->form >= CAYMAN_CF_FORM_MEM;
   bool branch = cf->form == CAYMAN_CF_FORM_BRANCH || cf->form == CAYMAN_CF_FORM_GWS;
   uint32_t value;
   bool fits = true; /* the form has the field */

   switch (p) {
   case PROPERTY_END_OF_PROGRAM:
      if (cayman_five_slots(ps->vliw)) {
         if (cf->form == CAYMAN_CF_FORM_ALU)
            return cayman_parse_fail(ps, at, "an ALU clause does not end the program");
         cf->end = true;
         return true;
      }
      cayman_parse_refuse(ps, item, at, "Cayman ends with an instruction of its own");
      ps->ends = true;
      return true;
   case PROPERTY_ADDR:
   case PROPERTY_PASS_JUMP_ADDR:
   case PROPERTY_FAIL_JUMP_ADDR:
      fits = branch || clause;
      item->has_addr = true;
      if (!cayman_scan_bracketed(ps, 0xffffff, &cf->addr))
         return false;
      break;
   case PROPERTY_CNT:
      fits = clause;
      item->has_count = true;
      if (!cayman_scan_bracketed(ps, cf->form == CAYMAN_CF_FORM_ALU ? 128 : 64, &value))
         return false;
      if (value == 0)
         return cayman_parse_fail(ps, at, "a clause has at least one instruction");
      cf->count = (uint8_t)(value - 1);
      break;
   case PROPERTY_COUNT:
   case PROPERTY_STREAM:
      fits = branch && !clause;
      if (!bracketed8(ps, 63, &cf->count))
         return false;
      break;
   case PROPERTY_KCACHE0:
   case PROPERTY_KCACHE1:
   case PROPERTY_KCACHE2:
   case PROPERTY_KCACHE3:
      fits = cf->form == CAYMAN_CF_FORM_ALU;
      if (!kcache(ps, item, p - PROPERTY_KCACHE0))
         return false;
      break;
   case PROPERTY_KCACHE_MODE0:
   case PROPERTY_KCACHE_BANK:
      return keep(ps, item, at, "written KCACHE0(CBn:first-last) here");
   case PROPERTY_USES_WATERFALL:
      return keep(ps, item, at, "waterfalls ended with R700");
   case PROPERTY_BARRIER:
      return keep(ps, item, at, NULL); /* the default, said aloud */
   case PROPERTY_VALID_PIX:
      cf->valid_pixel_mode = true;
      fits = branch || memory;
      break;
   case PROPERTY_EXTENDED:
      fits = cf->form == CAYMAN_CF_FORM_ALU;
      cf->extended = true;
      break;
   case PROPERTY_WHOLE_QUAD_MODE:
      if ((cf->form != CAYMAN_CF_FORM_ALU && !(cayman_five_slots(ps->vliw) && branch)) ||
          cf->op >= CAYMAN_FOREIGN_OP)
         return keep(ps, item, at, "only ALU clauses have WHOLE_QUAD_MODE");
      cf->whole_quad_mode = true;
      break;
   case PROPERTY_ALT_CONST:
      fits = cf->form == CAYMAN_CF_FORM_ALU;
      cf->alt_const = true;
      break;
   case PROPERTY_VPM:
      fits = branch || memory;
      cf->valid_pixel_mode = true;
      break;
   case PROPERTY_NO_BARRIER:
      cf->barrier = false;
      break;
   case PROPERTY_MARK:
      fits = memory;
      cf->mark = true;
      break;
   case PROPERTY_BURSTCNT:
      fits = memory;
      if (!bracketed8(ps, 15, &cf->burst_count))
         return false;
      break;
   case PROPERTY_ELEM_SIZE:
      fits = memory;
      if (!bracketed8(ps, 3, &cf->elem_size))
         return false;
      break;
   case PROPERTY_ARRAY_SIZE:
      fits = memory && cf->form != CAYMAN_CF_FORM_EXPORT;
      if (!cayman_scan_bracketed(ps, 4095, &value))
         return false;
      cf->array_size = (uint16_t)value;
      break;
   case PROPERTY_RAT_INDEX_MODE:
      fits = cf->form == CAYMAN_CF_FORM_RAT;
      if (!bracketed8(ps, 3, &cf->rat_index_mode))
         return false;
      break;
   case PROPERTY_POP_CNT:
      fits = branch;
      if (!bracketed8(ps, 7, &cf->pop_count))
         return false;
      break;
   case PROPERTY_CF_CONST:
      fits = branch;
      if (!bracketed8(ps, 31, &cf->cf_const))
         return false;
      break;
   case PROPERTY_CND:
      fits = branch;
      if (!condition(ps, item))
         return false;
      break;
   case PROPERTY_JUMPTABLE_SEL:
      fits = branch;
      if (!bracketed8(ps, 7, &cf->jumptable_sel))
         return false;
      break;
   case PROPERTY_RESOURCE:
      fits = cf->form == CAYMAN_CF_FORM_GWS;
      if (!bracketed8(ps, 31, &cf->gws_resource))
         return false;
      break;
   case PROPERTY_VALUE:
      fits = cf->form == CAYMAN_CF_FORM_GWS;
      if (!cayman_scan_bracketed(ps, 1023, &value))
         return false;
      cf->gws_value = (uint16_t)value;
      break;
   case PROPERTY_SIGN:
      fits = cf->form == CAYMAN_CF_FORM_GWS;
      cf->gws_sign = true;
      break;
   case PROPERTY_VAL_INDEX_MODE:
      fits = cf->form == CAYMAN_CF_FORM_GWS;
      if (!bracketed8(ps, 3, &cf->gws_val_index_mode))
         return false;
      break;
   case PROPERTY_RSRC_INDEX_MODE:
      fits = cf->form == CAYMAN_CF_FORM_GWS;
      if (!bracketed8(ps, 3, &cf->gws_rsrc_index_mode))
         return false;
      break;
   default: { /* KCACHEn_IDXm */
      unsigned n = p - PROPERTY_KCACHE0_IDX0;
      fits = cf->form == CAYMAN_CF_FORM_ALU;
      cf->kcache[n / 3].index_mode = (uint8_t)(n % 3 + 1);
      cf->extended = true;
      break;
   }
   }
   return fits ||
          cayman_parse_fail(ps, at, "%s does not belong to this instruction", properties[p].name);
}

static bool
tex_property(struct parser *ps, struct cayman_item *item, enum property p, const char *at)
{
   static const char *const component[4] = { "X", "Y", "Z", "W" };
   struct cayman_tex *t = &item->fetch.tex;
   uint8_t mask;

   switch (p) {
   case PROPERTY_RIM:
      return index_select(ps, &t->resource_index_mode);
   case PROPERTY_SIM:
      return index_select(ps, &t->sampler_index_mode);
   case PROPERTY_COMP:
      return choice(ps, component, 4, &t->inst_mod);
   case PROPERTY_LDFPTR:
   case PROPERTY_FINE:
      t->inst_mod = 1;
      return true;
   case PROPERTY_INST_MOD:
      return bracketed8(ps, 3, &t->inst_mod);
   case PROPERTY_NORM:
      if (!coords(ps, &mask))
         return false;
      t->coord_type |= mask;
      return true;
   case PROPERTY_UNNORM:
      return coords(ps, &mask); /* what no NORM names is not normalised */
   case PROPERTY_XOFFSET:
   case PROPERTY_YOFFSET:
   case PROPERTY_ZOFFSET:
      return fixed_point(ps, 1, -16, 15, &t->offset[p - PROPERTY_XOFFSET]);
   case PROPERTY_LOD:
      return fixed_point(ps, 4, -64, 63, &t->lod_bias);
   case PROPERTY_WHOLE_QUAD:
      t->fetch_whole_quad = true;
      return true;
   case PROPERTY_ALT_CONST:
      t->alt_const = true;
      return true;
   default:
      return keep(ps, item, at, "BC_FRAC_MODE ended with R700");
   }
}

/* The format of a buffer fetch or memory read. */
static bool
format_property(struct parser *ps, struct cayman_item *item, enum property p, const char *at)
{
   static const char *const num[4] = { "NORM", "INT", "SCALED", "3" };
   static const char *const sign[2] = { "UNSIGNED", "SIGNED" };
   static const char *const endian[4] = { "NONE", "8IN16", "8IN32", "3" };
   struct cayman_vtx *v = &item->fetch.vtx;
   struct cayman_mem *m = &item->fetch.mem;
   bool vtx = item->fetch.kind == CAYMAN_FETCH_VTX;
   uint8_t value = 0;

   switch (p) {
   case PROPERTY_FORMAT:
      if (!bracketed8(ps, 63, vtx ? &v->data_format : &m->data_format))
         return false;
      if (vtx)
         v->use_const_fields = false;
      return true;
   case PROPERTY_NUM_FORMAT_ALL:
      return choice(ps, num, 4, vtx ? &v->num_format_all : &m->num_format_all);
   case PROPERTY_FORMAT_COMP_ALL: {
      const char *start = ps->p;
      if (cayman_accept_text(ps, "(UNSIGNED_BIASED)")) {
         ps->p = start;
         return keep(ps, item, at, "biased formats ended with R700");
      }
      if (!choice(ps, sign, 2, &value))
         return false;
      *(vtx ? &v->format_comp_all : &m->format_comp_all) = value;
      return true;
   }
   case PROPERTY_DX:
      return keep(ps, item, at, NULL); /* the default, said aloud */
   case PROPERTY_OGL:
      *(vtx ? &v->srf_mode_all : &m->srf_mode_all) = true;
      return true;
   default:
      return choice(ps, endian, 4, vtx ? &v->endian_swap : &m->endian_swap);
   }
}

static bool
fetch_property(struct parser *ps, struct cayman_item *item, enum property p, const char *at)
{
   static const char *const fetch_type[4] = { "VERTEX_DATA", "INSTANCE_DATA", "NO_INDEX_OFFSET",
                                              "3" };
   struct cayman_vtx *v = &item->fetch.vtx;
   struct cayman_mem *m = &item->fetch.mem;
   struct cayman_gds *g = &item->fetch.gds;
   bool vtx = item->fetch.kind == CAYMAN_FETCH_VTX;
   uint32_t value;

   if (item->fetch.kind == CAYMAN_FETCH_TEX)
      return tex_property(ps, item, p, at);
   switch (p) {
   case PROPERTY_FORMAT:
   case PROPERTY_NUM_FORMAT_ALL:
   case PROPERTY_FORMAT_COMP_ALL:
   case PROPERTY_DX:
   case PROPERTY_OGL:
   case PROPERTY_ENDIAN:
      return format_property(ps, item, p, at);
   case PROPERTY_SRC_SEL_Y:
      return bracketed8(ps, 3, vtx ? &v->src_sel_y : &m->src_sel_y);
   case PROPERTY_LDS_REQ:
      *(vtx ? &v->lds_req : &m->lds_req) = true;
      return true;
   case PROPERTY_COALESCED_READ:
      *(vtx ? &v->coalesced_read : &m->coalesced_read) = true;
      return true;
   case PROPERTY_STRUCTURED_READ:
      return bracketed8(ps, 3, &v->structured_read);
   case PROPERTY_CONST_BUF_NO_STRIDE:
      v->const_buf_no_stride = true;
      return true;
   case PROPERTY_SRC_GPR:
      return bracketed8(ps, 127, &g->src_gpr2);
   case PROPERTY_UIM:
      return index_select(ps, &g->uav_index_mode);
   case PROPERTY_BIM:
      return index_select(ps, &v->buffer_index_mode);
   case PROPERTY_OFFSET:
      if (!cayman_scan_bracketed(ps, 0xffff, &value))
         return false;
      v->offset = (uint16_t)value;
      return true;
   case PROPERTY_FETCHTYPE:
      return choice(ps, fetch_type, 4, &v->fetch_type);
   case PROPERTY_WHOLE_QUAD:
      *(vtx ? &v->fetch_whole_quad : &m->fetch_whole_quad) = true;
      return true;
   case PROPERTY_ALT_CONST:
      v->alt_const = true;
      return true;
   case PROPERTY_MEGAFETCH:
      if (ps->vliw == CAYMAN_VLIW4)
         return keep(ps, item, at, "Cayman has no mega-fetch");
      v->mega_fetch = true;
      return bracketed8(ps, 63, &v->mega_fetch_count);
   case PROPERTY_BURSTCNT:
      return bracketed8(ps, 15, &m->burst_count);
   case PROPERTY_ELEM_SIZE:
      return bracketed8(ps, 3, &m->elem_size);
   case PROPERTY_ARRAY_SIZE:
      if (!cayman_scan_bracketed(ps, 4095, &value))
         return false;
      m->array_size = (uint16_t)value;
      return true;
   case PROPERTY_UNCACHED:
      m->uncached = true;
      return true;
   case PROPERTY_ALLOC_CONSUME:
      g->alloc_consume = true;
      return true;
   case PROPERTY_UAV:
      return bracketed8(ps, 15, &g->uav_id);
   default:
      g->bcast_first_req = true;
      return true;
   }
}

bool
cayman_parse_properties(struct parser *ps, struct cayman_item *item)
{
   for (;;) {
      skip_blanks(ps);
      const char *at = ps->p;
      if (!is_word(peek(ps, 0)))
         return true;
      struct cayman_span word = scan_word(ps);
      int p = cayman_parse_name(ps, NAME_PROPERTY, word.text, word.length);
      if (p < 0) {
         return cayman_parse_fail(ps, at, "unknown property '%.*s'",
                                  (int)(word.length < 40 ? word.length : 40), word.text);
      }
      unsigned kind = line_kind(item);
      if (!(properties[p].on & kind)) {
         return cayman_parse_fail(ps, at, "%s does not belong to this instruction",
                                  properties[p].name);
      }
      bool ok;
      if (p == PROPERTY_BITS) {
         ok = bits(ps, item);
         if (ok && item->undefined && item->num_bits == 4)
            item->kind = CAYMAN_ITEM_FETCH;
      } else if (item->undefined) {
         return cayman_parse_fail(ps, at, "an UNDEFINED instruction is nothing but BITS");
      } else if (kind == ON_SLOT) {
         ok = slot_property(ps, item, (enum property)p, at);
      } else if (kind == ON_CF || kind == ON_END) {
         ok = cf_property(ps, item, (enum property)p, at);
      } else {
         ok = fetch_property(ps, item, (enum property)p, at);
      }
      if (!ok)
         return false;
   }
}
