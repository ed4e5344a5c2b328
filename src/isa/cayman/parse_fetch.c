/* SPDX-License-Identifier: MIT */
/*
 * Parser of one instruction of a TEX or GDS clause: texture and buffer fetches, memory reads, GDS
 * operations.
 *
 *    SAMPLE R0, R0.xyxx, t1, s0 UNNORM(XYZW)
 *    VFETCH R0.xyz1, R0.x, f160 OFFSET(0xC) FORMAT(0x39)
 *    MEM_SCRATCH_READ_IND R1, VEC_PTR[0+R2.x], ARRAY_SIZE(3) ELEM_SIZE(3) FORMAT(0x22)
 *    GDS_ADD_RET R1.x___, R2.xyz
 */
#include "parse.h"

/* What the guide calls fetches of which the ISA document has another name, and its misprint. */
static const struct {
   const char *text;
   uint8_t op;
} alias[] = { { "GET_SAMPLE_INFO", CAYMAN_TEX_GET_NUMBER_OF_SAMPLES },
              { "GET_COMP_TEX_LOD", CAYMAN_TEX_GET_LOD },
              { "RESINFO_TEX", CAYMAN_TEX_GET_TEXTURE_RESINFO },
              { "FETCH4", CAYMAN_TEX_GATHER4 } },
  vtx[] = { { "VFETCH", CAYMAN_VTX_FETCH },
            { "VSEMANTIC", CAYMAN_VTX_SEMANTIC },
            { "RESINFO_BUFFER", CAYMAN_VTX_GET_BUFFER_RESINFO },
            { "VTX_FETCH", CAYMAN_VTX_FETCH },
            { "VTX_SEMANTIC", CAYMAN_VTX_SEMANTIC },
            { "VSEMATIC", CAYMAN_VTX_SEMANTIC } };
#define NUM_VTX_NAMES 3 /* the first of them, which are printed */

void
cayman_parse_add_fetch_names(struct parser *ps)
{
   for (unsigned op = 0; op < 32; op++)
      if (cayman_tex_info(op)->name)
         cayman_parse_add_name(ps, NAME_TEX, cayman_tex_info(op)->name, op);
   for (unsigned i = 0; i < sizeof(alias) / sizeof(*alias); i++)
      cayman_parse_add_name(ps, NAME_TEX, alias[i].text, alias[i].op);
   for (unsigned i = 0; i < cayman_num_foreign_tex; i++)
      cayman_parse_add_name(ps, NAME_TEX, cayman_foreign_tex[i].name, CAYMAN_FOREIGN_OP + i);
   for (unsigned i = 0; i < sizeof(vtx) / sizeof(*vtx); i++)
      cayman_parse_add_name(ps, NAME_VTX, vtx[i].text, i);
   for (unsigned op = 0; op < CAYMAN_GDS_OP_COUNT; op++)
      if (cayman_gds_info(op)->name)
         cayman_parse_add_name(ps, NAME_GDS, cayman_gds_info(op)->name, op);
}

static bool
is_name(struct cayman_span word, const char *s)
{
   return strlen(s) == word.length && memcmp(word.text, s, word.length) == 0;
}

/* A register with four selects; none stand for xyzw, `pad` for those after the last. */
static bool
parse_vector(struct parser *ps, struct cayman_item *item, uint8_t *gpr, bool *rel, uint8_t sel[4],
             uint8_t pad)
{
   unsigned count;
   uint8_t mode = CAYMAN_INDEX_LOOP;

   skip_blanks(ps);
   const char *at = ps->p;
   if (!cayman_scan_gpr(ps, item, gpr, rel, &mode) || !cayman_scan_selects(ps, sel, &count))
      return false;
   if (*rel && mode != CAYMAN_INDEX_LOOP)
      return cayman_parse_fail(ps, at, "fetches index with AL alone");
   for (unsigned i = count; i < 4; i++)
      sel[i] = count ? (pad == CAYMAN_SEL_MASK ? pad : sel[count - 1]) : (uint8_t)i;
   return true;
}

/* t5, s3, f160 */
static bool
parse_id(struct parser *ps, char kind, uint32_t max, uint32_t *id)
{
   skip_blanks(ps);
   if (peek(ps, 0) != kind)
      return cayman_parse_fail(ps, ps->p, "expected %c and a number", kind);
   ps->p++;
   return cayman_scan_uint(ps, max, id);
}

static bool
parse_tex(struct parser *ps, struct cayman_item *item, unsigned op, struct cayman_span name)
{
   static const uint8_t xyzw[4] = { 0, 1, 2, 3 };
   struct cayman_tex *t = &item->fetch.tex;
   uint32_t resource, sampler;

   item->fetch.kind = CAYMAN_FETCH_TEX;
   if (op >= CAYMAN_FOREIGN_OP)
      cayman_parse_refuse(ps, item, name.text, cayman_foreign_tex[op - CAYMAN_FOREIGN_OP].reason);
   if (op >= CAYMAN_FOREIGN_OP || !is_name(name, cayman_tex_info(op)->name))
      item->written = name;
   t->op = (uint8_t)(op >= CAYMAN_FOREIGN_OP ? CAYMAN_TEX_SAMPLE : op);
   if (!parse_vector(ps, item, &t->dst_gpr, &t->dst_rel, t->dst_sel, CAYMAN_SEL_MASK) ||
       !cayman_expect_char(ps, ','))
      return false;
   skip_blanks(ps);
   item->omitted = op == CAYMAN_TEX_GET_NUMBER_OF_SAMPLES && peek(ps, 0) == 't';
   memcpy(t->src_sel, xyzw, sizeof(xyzw));
   if ((!item->omitted && (!parse_vector(ps, item, &t->src_gpr, &t->src_rel, t->src_sel, 0) ||
                           !cayman_expect_char(ps, ','))) ||
       !parse_id(ps, 't', 255, &resource) || !cayman_expect_char(ps, ',') ||
       !parse_id(ps, 's', 31, &sampler))
      return false;
   t->resource_id = (uint8_t)resource;
   t->sampler_id = (uint8_t)sampler;
   return true;
}

static bool
parse_vtx(struct parser *ps, struct cayman_item *item, unsigned op)
{
   struct cayman_vtx *v = &item->fetch.vtx;
   uint32_t id;
   uint8_t mode;
   unsigned count = 0;

   item->fetch.kind = CAYMAN_FETCH_VTX;
   v->op = (uint8_t)op;
   v->use_const_fields = true; /* until a FORMAT says otherwise */
   if (op == CAYMAN_VTX_SEMANTIC) {
      skip_blanks(ps);
      if (!cayman_accept_text(ps, "SemId"))
         return cayman_parse_fail(ps, ps->p, "expected SemId and a number");
      if (!cayman_scan_uint(ps, 255, &id) || !cayman_scan_selects(ps, v->dst_sel, &count))
         return false;
      v->semantic_id = (uint8_t)id;
      for (unsigned i = count; i < 4; i++)
         v->dst_sel[i] = (uint8_t)(count ? CAYMAN_SEL_MASK : i);
   } else if (!parse_vector(ps, item, &v->dst_gpr, &v->dst_rel, v->dst_sel, CAYMAN_SEL_MASK)) {
      return false;
   }
   if (!cayman_expect_char(ps, ','))
      return false;
   skip_blanks(ps);
   if (!cayman_scan_gpr(ps, item, &v->src_gpr, &v->src_rel, &mode) ||
       !cayman_scan_channel(ps, &v->src_sel_x))
      return false;
   if (!accept_char(ps, ',')) {
      item->omitted = true;
      cayman_parse_refuse(ps, item, ps->p, "a fetch names its buffer, f0 to f255");
      return true;
   }
   if (!parse_id(ps, 'f', 255, &id))
      return false;
   v->buffer_id = (uint8_t)id;
   return true;
}

static bool
parse_mem(struct parser *ps, struct cayman_item *item, unsigned op, bool indexed)
{
   struct cayman_mem *m = &item->fetch.mem;
   uint32_t base;
   uint8_t mode;

   item->fetch.kind = CAYMAN_FETCH_MEM;
   m->op = (uint8_t)op;
   m->indexed = indexed;
   if (!parse_vector(ps, item, &m->dst_gpr, &m->dst_rel, m->dst_sel, CAYMAN_SEL_MASK) ||
       !cayman_expect_char(ps, ','))
      return false;
   skip_blanks(ps);
   if (!cayman_accept_text(ps, "VEC_PTR[") && !cayman_accept_text(ps, "DWORD_PTR["))
      return cayman_parse_fail(ps, ps->p, "expected VEC_PTR[");
   if (!cayman_scan_uint(ps, 0x1fff, &base))
      return false;
   m->array_base = (uint16_t)base;
   if (indexed && (!cayman_expect_char(ps, '+') ||
                   !cayman_scan_gpr(ps, item, &m->src_gpr, &m->src_rel, &mode) ||
                   !cayman_scan_channel(ps, &m->src_sel_x)))
      return false;
   if (!cayman_expect_char(ps, ']'))
      return false;
   accept_char(ps, ',');
   return true;
}

static bool
parse_gds(struct parser *ps, struct cayman_item *item, unsigned op, unsigned gds_op)
{
   struct cayman_gds *g = &item->fetch.gds;
   uint8_t sel[4], mode;
   unsigned count;
   bool rel;

   item->fetch.kind = CAYMAN_FETCH_GDS;
   g->op = (uint8_t)op;
   g->gds_op = (uint8_t)gds_op;
   if (op == CAYMAN_MEM_GDS) {
      if (!parse_vector(ps, item, &g->dst_gpr, &rel, g->dst_sel, CAYMAN_SEL_MASK) ||
          !cayman_expect_char(ps, ','))
         return false;
      g->dst_rel_mode = rel;
   }
   skip_blanks(ps);
   if (!cayman_scan_gpr(ps, item, &g->src_gpr, &rel, &mode))
      return false;
   g->src_rel_mode = rel;
   const char *at = ps->p;
   if (!cayman_scan_selects(ps, sel, &count))
      return false;
   if (count != 3)
      return cayman_parse_fail(ps, at, "expected three selects: address and two data");
   memcpy(g->src_sel, sel, 3);
   return true;
}

/* `known` is cleared if the word is no fetch. */
bool
cayman_parse_fetch(struct parser *ps, struct cayman_item *item, struct cayman_span word,
                   bool *known)
{
   int op = cayman_parse_name(ps, NAME_TEX, word.text, word.length);

   memset(&item->fetch, 0, sizeof(item->fetch));
   item->kind = CAYMAN_ITEM_FETCH;
   *known = true;
   if (op >= 0)
      return parse_tex(ps, item, (unsigned)op, word);
   op = cayman_parse_name(ps, NAME_VTX, word.text, word.length);
   if (op >= 0) {
      item->written = op >= NUM_VTX_NAMES ? word : (struct cayman_span){ 0 };
      return parse_vtx(ps, item, vtx[op].op);
   }
   if (is_name(word, "MEM_SCRATCH_READ") || is_name(word, "MEM_SCRATCH_READ_IND"))
      return parse_mem(ps, item, CAYMAN_MEM_RD_SCRATCH, word.length > 16);
   if (is_name(word, "MEM_SCATTER_READ") || is_name(word, "MEM_SCATTER_READ_IND"))
      return parse_mem(ps, item, CAYMAN_MEM_RD_SCATTER, word.length > 16);
   if (is_name(word, "TF_WRITE"))
      return parse_gds(ps, item, CAYMAN_MEM_TF_WRITE, 0);
   if (word.length > 4 && memcmp(word.text, "GDS_", 4) == 0) {
      op = cayman_parse_name(ps, NAME_GDS, word.text + 4, word.length - 4);
      if (op >= 0)
         return parse_gds(ps, item, CAYMAN_MEM_GDS, (unsigned)op);
   }
   *known = false;
   return true;
}
