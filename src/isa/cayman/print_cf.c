/* SPDX-License-Identifier: MIT */
/*
 * Prints the control-flow instructions of a listing: clause instructions, exports, memory writes,
 * branches.
 *
 * What a text spelled in another of the guide's ways is printed as it was read (respell).
 */
#include "print.h"

static void
print_kcache(struct isa_text *t, const struct cayman_cf *cf)
{
   bool visible = false;
   for (unsigned i = 0; i < 4; i++) {
      const struct cayman_kcache *k = &cf->kcache[i];
      if (k->mode == CAYMAN_KCACHE_NOP)
         continue;
      unsigned first = k->addr * 16u, lines = k->mode == CAYMAN_KCACHE_LOCK_1 ? 1 : 2;
      visible |= i >= 2 || k->index_mode;
      text_str(t, " KCACHE");
      text_uint(t, i, 0, ' ');
      text_str(t, "(CB");
      text_uint(t, k->bank, 0, ' ');
      text_str(t, k->mode == CAYMAN_KCACHE_LOCK_LOOP_INDEX ? ":AL+" : ":");
      text_uint(t, first, 0, ' ');
      text_char(t, '-');
      text_uint(t, first + 16 * lines - 1, 0, ' ');
      text_char(t, ')');
      if (k->index_mode) {
         text_str(t, " KCACHE");
         text_uint(t, i, 0, ' ');
         text_str(t, "_IDX");
         text_uint(t, k->index_mode - 1, 0, ' ');
      }
   }
   if (cf->extended && !visible)
      text_str(t, " EXTENDED");
}

static void
print_addr_count(struct isa_text *t, const struct cayman_item *item)
{
   text_char(t, ':');
   if (item->has_addr)
      text_property(t, "ADDR", item->cf.addr);
   if (item->has_count)
      text_property(t, "CNT", item->cf.count + 1u);
}

static void
print_export(struct isa_text *t, const struct cayman_cf *cf)
{
   static const char *const target[4] = { "PIX", "POS", "PARAM", "?" };

   text_str(t, cf->op == CAYMAN_CF_EXPORT_DONE ? "EXP_DONE: " : "EXP: ");
   if (cf->type == CAYMAN_EXPORT_PIXEL && cf->array_base == 61) {
      text_str(t, "PIXZ");
   } else {
      text_str(t, target[cf->type & 3]);
      text_uint(t, cf->array_base - (cf->type == CAYMAN_EXPORT_POS ? 60u : 0u), 0, ' ');
   }
   text_str(t, ", ");
   cayman_print_dst(t, cf->rw_gpr, cf->rw_rel, cf->sel);
   if (cf->elem_size)
      text_property(t, "ELEM_SIZE", cf->elem_size); /* means nothing here; stock r600 writes 3 */
}

const char *
cayman_mem_listing_name(unsigned op)
{
   return cayman_cf_listing_name(op);
}

static void
print_mem_write(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_cf *cf = &item->cf;

   text_str(t, cayman_mem_listing_name(cf->op));
   text_str(t, cayman_mem_type_name[cf->type & 3]);
   text_str(t, ": ");
   if (cf->form == CAYMAN_CF_FORM_RAT) {
      const char *rat = cayman_rat_info(cf->rat_op)->name;
      text_str(t, "RAT(");
      text_uint(t, cf->rat_id, 0, ' ');
      text_str(t, ") ");
      if (rat) {
         text_str(t, rat);
      } else {
         text_str(t, "OP_");
         text_uint(t, cf->rat_op, 0, ' ');
      }
      text_str(t, ", ");
      cayman_print_gpr(t, cf->index_gpr, false, 0);
      text_str(t, ", ");
   } else {
      size_t start = t->size;
      text_str(t, cf->op == CAYMAN_CF_MEM_WR_SCRATCH ? "VEC_PTR[" : "DWORD_PTR[");
      text_uint(t, cf->array_base, 0, ' ');
      if (cf->type & 1) {
         text_char(t, '+');
         cayman_print_gpr(t, cf->index_gpr, false, 0);
         text_str(t, ".x");
      }
      text_char(t, ']');
      cayman_respell(t, start, &item->written);
      text_str(t, ", ");
   }
   cayman_print_gpr(t, cf->rw_gpr, cf->rw_rel, CAYMAN_INDEX_LOOP);
   if (cf->comp_mask != 15) {
      text_char(t, '.');
      for (unsigned i = 0; i < 4; i++)
         text_char(t, cf->comp_mask >> i & 1 ? "xyzw"[i] : '_');
   }
   text_char(t, ',');
   if (cf->array_size)
      text_property(t, "ARRAY_SIZE", cf->array_size);
   text_property(t, "ELEM_SIZE", cf->elem_size);
   if (cf->rat_index_mode)
      text_property(t, "RAT_INDEX_MODE", cf->rat_index_mode);
}

static void
print_gws(struct isa_text *t, const struct cayman_cf *cf)
{
   text_property(t, "RESOURCE", cf->gws_resource);
   text_property(t, "VALUE", cf->gws_value);
   if (cf->gws_sign)
      text_str(t, " SIGN");
   if (cf->gws_val_index_mode)
      text_property(t, "VAL_INDEX_MODE", cf->gws_val_index_mode);
   if (cf->gws_rsrc_index_mode)
      text_property(t, "RSRC_INDEX_MODE", cf->gws_rsrc_index_mode);
}

/* Is the operand of a branch missing where it was read, since a property says it? */
static bool
operand_follows(const struct cayman_item *item, const char *characters)
{
   for (uint32_t i = 0; i < item->written.length; i++)
      if (strchr(characters, item->written.text[i]))
         return false;
   return item->written.text != NULL;
}

/* A branch's name and what stands with it in front of the properties, which is cleared in cf. */
static void
print_branch_head(struct isa_text *t, const struct cayman_item *item, struct cayman_cf *cf)
{
   size_t start = t->size;

   text_str(t, cayman_cf_listing_name(cf->op));
   switch (cayman_cf_info(cf->op)->operand) {
   case CAYMAN_OPERAND_LOOP:
      text_str(t, cf->op == CAYMAN_CF_LOOP_START ? " AL, i" : " i");
      text_uint(t, cf->cf_const, 0, ' ');
      if (!operand_follows(item, "i"))
         cf->cf_const = 0;
      break;
   case CAYMAN_OPERAND_TARGET:
      text_char(t, ' ');
      text_uint(t, cf->addr, cf->op == CAYMAN_CF_CALL ? 2 : 0, '0');
      if (!operand_follows(item, "0123456789"))
         cf->addr = 0;
      break;
   case CAYMAN_OPERAND_POPS:
      text_str(t, " (");
      text_uint(t, cf->pop_count, 0, ' ');
      text_char(t, ')');
      if (!operand_follows(item, "("))
         cf->pop_count = 0;
      break;
   case CAYMAN_OPERAND_ACKS:
      text_str(t, ": OUTSTANDING_ACKS <= ");
      text_uint(t, cf->addr, 0, ' ');
      if (!operand_follows(item, "<"))
         cf->addr = 0;
      break;
   case CAYMAN_OPERAND_GWS:
      text_char(t, ' ');
      text_str(t, cayman_gws_name[cf->gws_op & 3]);
      break;
   default:
      break;
   }
   cayman_respell(t, start, &item->written);
}

/* A branch: its name, what the guide shows with it, then every other field that is not zero. */
static void
print_branch(struct isa_text *t, const struct cayman_item *item)
{
   struct cayman_cf cf = item->cf; /* fields are cleared as they are printed */
   const struct cayman_cf_info *info = cayman_cf_info(cf.op);
   bool loop = info->operand == CAYMAN_OPERAND_LOOP; /* the constant is printed as a loop's */

   if (cayman_cf_is_fetch(&cf) || cayman_cf_is_gds(&cf)) {
      text_str(t, cayman_cf_listing_name(cf.op));
      print_addr_count(t, item);
      cf.addr = cf.count = 0;
   } else {
      print_branch_head(t, item, &cf);
   }
   if (loop) {
      text_property(t, info->flow & CAYMAN_FLOW_ENDS_LOOP ? "PASS_JUMP_ADDR" : "FAIL_JUMP_ADDR",
                    cf.addr);
      cf.addr = 0;
   } else if (info->operand == CAYMAN_OPERAND_GWS) {
      print_gws(t, &cf);
   } else if (cf.count && info->operand == CAYMAN_OPERAND_STREAM) {
      text_property(t, "STREAM", cf.count);
      cf.count = 0;
   }
   if (cf.pop_count)
      text_property(t, "POP_CNT", cf.pop_count);
   if (cf.addr)
      text_property(t, "ADDR", cf.addr);
   if (cf.count)
      text_property(t, "COUNT", cf.count);
   if (cf.cond) {
      text_str(t, " CND(");
      text_str(t, cayman_cond_name[cf.cond & 3]);
      text_char(t, ')');
      if (!loop) {
         text_str(t, " b");
         text_uint(t, cf.cf_const, 0, ' ');
         cf.cf_const = 0;
      }
   }
   if (cf.cf_const)
      text_property(t, "CF_CONST", cf.cf_const);
   if (cf.jumptable_sel)
      text_property(t, "JUMPTABLE_SEL", cf.jumptable_sel);
}

/* Clause instructions of older chips have an address and a count, memory writes of theirs the rest
 * of the line as it was. */
static void
print_foreign(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_cf *cf = &item->cf;

   text_str(t, cayman_cf_listing_name(cf->op));
   if (cf->form == CAYMAN_CF_FORM_ALU) {
      print_addr_count(t, item);
      print_kcache(t, cf);
   }
}

void
cayman_text_cf(struct isa_text *t, const struct cayman_item *item)
{
   const struct cayman_cf *cf = &item->cf;

   if (item->undefined) {
      text_str(t, "UNDEFINED");
      cayman_print_bits(t, item);
      return;
   }
   if (cf->op >= CAYMAN_FOREIGN_OP) {
      print_foreign(t, item);
   } else {
      switch (cf->form) {
      case CAYMAN_CF_FORM_ALU:
         text_str(t, cayman_cf_listing_name(cf->op));
         print_addr_count(t, item);
         print_kcache(t, cf);
         break;
      case CAYMAN_CF_FORM_EXPORT:
         print_export(t, cf);
         break;
      case CAYMAN_CF_FORM_MEM:
      case CAYMAN_CF_FORM_RAT:
         print_mem_write(t, item);
         break;
      default:
         print_branch(t, item);
         break;
      }
   }
   if (cf->burst_count)
      text_property(t, "BURSTCNT", cf->burst_count);
   if (cf->mark)
      text_str(t, " MARK");
   if (cf->whole_quad_mode)
      text_str(t, " WHOLE_QUAD_MODE");
   if (cf->alt_const)
      text_str(t, " ALT_CONST");
   if (cf->valid_pixel_mode)
      text_str(t, " VPM");
   cayman_print_extras(t, item);
   if (!cf->barrier)
      text_str(t, " NO_BARRIER");
   if (cf->end)
      text_str(t, " END_OF_PROGRAM");
   cayman_print_bits(t, item);
}
