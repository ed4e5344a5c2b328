/* SPDX-License-Identifier: MIT */
/* See declare.h. */
#include "declare.h"

#include <string.h>

#define MAX_REGISTERS 65536u     /* of what is defined */
#define MAX_TEMPS     (1u << 20) /* back ends take fewer, front_describe() */
#define MAX_LITERALS  (1u << 20) /* those of the legaliser are above the program's */
#define MAX_THREADS   1024u      /* of a work group, and along an axis */

struct reader {
   struct il_declared *d;
   const struct il_declare_to *to;
   uint32_t at; /* index of the instruction in hand */
   bool refused;
};

static void
refuse(struct reader *r, const char *what)
{
   r->refused = true;
   r->to->refuse(r->to->data, r->at, what);
}

/* --- how many registers there are ------------------------------------------------------------- */

static void
count(struct reader *r, uint32_t *have, uint32_t number, uint32_t most)
{
   if (number < *have)
      return;
   if (number >= most)
      refuse(r, "register number out of range");
   else
      *have = number + 1;
}

static void
count_temps(struct reader *r, const struct il_ref *ref)
{
   for (; ref; ref = ref->index ? &ref->index->r : NULL)
      if (ref->type == IL_REGTYPE_TEMP)
         count(r, &r->d->num_temps, ref->num, MAX_TEMPS);
}

/* c#, i# and b# are kinds 0 to 2; 3: another register. */
static unsigned
kind_of(const struct il_ref *r)
{
   return r->type == IL_REGTYPE_CONST_FLOAT  ? 0
          : r->type == IL_REGTYPE_CONST_INT  ? 1
          : r->type == IL_REGTYPE_CONST_BOOL ? 2
                                             : 3;
}

static void
measure(struct reader *r)
{
   struct il_declared *d = r->d;

   for (r->at = 0; r->at < d->il->ninsts && !r->refused; r->at++) {
      const struct il_inst *inst = &d->il->insts[r->at];
      for (unsigned n = 0; n < inst->ndst; n++)
         count_temps(r, &inst->dst[n].r);
      for (unsigned n = 0; n < inst->nsrc; n++) {
         count_temps(r, &inst->src[n].r);
         count_temps(r, inst->src[n].dim2);
      }
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc)
         count(r, &d->num_literals, inst->src[0].r.num, MAX_LITERALS);
      else if (inst->op == IL_OP_DCL_INDEXED_TEMP_ARRAY && inst->nsrc)
         count(r, &d->num_arrays, inst->src[0].r.num, IL_MAX_ARRAYS);
      else if ((inst->op == IL_OP_DEF || inst->op == IL_OP_DEFB) && inst->ndst &&
               kind_of(&inst->dst[0].r) < 3)
         count(r, &d->num_defs[kind_of(&inst->dst[0].r)], inst->dst[0].r.num, MAX_REGISTERS);
   }
}

static bool
allocate(struct reader *r)
{
   struct il_declared *d = r->d;

   d->literal = r->to->alloc(r->to->data, (d->num_literals + 1) * sizeof(*d->literal));
   d->array = r->to->alloc(r->to->data, (d->num_arrays + 1) * sizeof(*d->array));
   bool ok = d->literal && d->array;
   for (unsigned k = 0; k < 3; k++) {
      d->def[k] = r->to->alloc(r->to->data, (d->num_defs[k] + 1) * sizeof(*d->def[k]));
      ok = ok && d->def[k];
   }
   return ok;
}

/* --- declarations ----------------------------------------------------------------------------- */

static void
define(struct reader *r, const struct il_inst *inst)
{
   const struct il_ref *ref = inst->ndst ? &inst->dst[0].r : NULL;
   const unsigned kind = ref ? kind_of(ref) : 3;

   if (kind < 3 && inst->ndata >= (inst->op == IL_OP_DEF ? 4u : 1u) && !r->d->def[kind][ref->num])
      r->d->def[kind][ref->num] = inst->data;
}

static void
declare_array(struct reader *r, const struct il_inst *inst)
{
   if (!inst->nsrc)
      return;
   if (inst->src[0].r.imm > IL_MAX_ARRAYS)
      refuse(r, "an array of more than 4096 elements");
   else
      r->d->array[inst->src[0].r.num].size = inst->src[0].r.imm;
}

static void
declare_input(struct reader *r, const struct il_inst *inst)
{
   if (!inst->ndst || inst->dst[0].r.type != IL_REGTYPE_INPUT || inst->dst[0].dim2)
      return; /* vCoverageMask and the like need no declaration here */
   if (inst->dst[0].r.num >= IL_MAX_INPUTS)
      refuse(r, "input register out of range");
   else
      r->d->input[inst->dst[0].r.num] =
         (struct il_declared_input){ true, (uint8_t)il_interp(inst), r->at };
}

static void
declare_output(struct reader *r, const struct il_inst *inst)
{
   if (!inst->ndst || inst->dst[0].r.type != IL_REGTYPE_OUTPUT)
      return;
   if (inst->dst[0].r.num >= IL_MAX_OUTPUTS)
      refuse(r, "output register out of range");
   else
      r->d->output[inst->dst[0].r.num] |= (uint8_t)il_dst_mask(&inst->dst[0]);
}

static void
declare_resource(struct reader *r, const struct il_inst *inst)
{
   const unsigned n = il_resource(inst), format = il_resource_format(inst, 0);

   if (n >= IL_MAX_RESOURCES) {
      refuse(r, "resource above 31");
      return;
   }
   r->d->resource[n] = (struct il_declared_resource){
      .declared = true,
      .unnorm = il_resource_unnorm(inst),
      .integer = format == IL_ELEMENTFORMAT_SINT || format == IL_ELEMENTFORMAT_UINT,
      .type = (uint8_t)il_resource_type(inst),
   };
}

static void
declare_uav(struct reader *r, const struct il_inst *inst)
{
   const bool extended = inst->op == IL_OP_DCL_X_UAV, plain = inst->op == IL_OP_DCL_UAV;
   const unsigned n = plain ? il_typed_uav(inst) : extended ? il_uav(inst) : il_number(inst);

   if (n >= IL_MAX_UAVS) {
      refuse(r, "UAV above 47");
      return;
   }
   r->d->uav[n] = (struct il_declared_buffer){
      .declared = true,
      .typed = extended || plain,
      .type = (uint8_t)(extended ? il_x_uav_type(inst)
                        : plain  ? il_uav_type(inst)
                                 : 0),
      .stride = inst->op == IL_OP_DCL_STRUCT_UAV && inst->ndata ? inst->data[0] : 0,
   };
}

static void
declare_srv(struct reader *r, const struct il_inst *inst)
{
   const unsigned n = il_number(inst);

   if (n >= IL_MAX_SRVS) {
      refuse(r, "read-only buffer above 31");
      return;
   }
   r->d->srv[n] = (struct il_declared_buffer){
      .declared = true,
      .stride = inst->op == IL_OP_DCL_STRUCT_SRV && inst->ndata ? inst->data[0] : 0,
   };
}

static void
declare_area(struct reader *r, const struct il_inst *inst, bool structured,
             struct il_declared_area *area, uint32_t *used, uint32_t all)
{
   uint64_t size = 0;

   if (inst->ndata < (structured ? 2u : 1u))
      return;
   size = structured ? (uint64_t)inst->data[0] * inst->data[1] : inst->data[0];
   size = (size + 3) & ~UINT64_C(3);
   if (size > all - *used || (structured && !inst->data[0])) {
      refuse(r, all == IL_LDS_BYTES ? "more than 32 KB of local data"
                                    : "more than 64 KB of global data");
      return;
   }
   *area = (struct il_declared_area){ true, *used, (uint32_t)size, structured ? inst->data[0] : 0 };
   *used += (uint32_t)size;
}

static void
declare_gds(struct reader *r, const struct il_inst *inst, bool counters)
{
   struct il_declared *d = r->d;
   const unsigned n = il_number(inst);

   if (n >= IL_MAX_AREAS) {
      refuse(r, "area of global data above 15");
      return;
   }
   if (!d->gds_bytes && counters)
      d->gds_bytes = IL_COUNTER_BYTES;
   declare_area(r, inst, inst->op == IL_OP_DCL_STRUCT_GDS, &d->gds[n], &d->gds_bytes, IL_GDS_BYTES);
}

static void
declare_block(struct reader *r, const struct il_inst *inst)
{
   struct il_declared *d = r->d;
   uint64_t threads = 1;

   /* A row of them, if the program says no more. */
   if (inst->op == IL_OP_DCL_MAX_THREAD_PER_GROUP && d->block[0])
      return;
   for (unsigned i = 0; i < 3; i++) {
      const uint32_t size = i < inst->ndata ? inst->data[i] : 1;
      threads *= size > MAX_THREADS ? 0 : size;
      d->block[i] = size;
   }
   if (!threads || threads > MAX_THREADS) {
      refuse(r, "size of the work group");
      d->block[0] = d->block[1] = d->block[2] = 1;
   }
}

static void
declare_vertices(struct reader *r, const struct il_inst *inst)
{
   static const uint8_t vertices[] = {
      [IL_TOPOLOGY_POINT] = 1,    [IL_TOPOLOGY_LINE] = 2,         [IL_TOPOLOGY_TRIANGLE] = 3,
      [IL_TOPOLOGY_LINE_ADJ] = 4, [IL_TOPOLOGY_TRIANGLE_ADJ] = 6,
   };
   struct il_declared *d = r->d;
   const unsigned n = il_number(inst);

   switch (inst->op) {
   case IL_OP_DCL_INPUT_PRIMITIVE:
      if (n >= sizeof(vertices)) {
         refuse(r, "patches as input of a geometry shader");
         break;
      }
      d->gs.input = n;
      d->gs.vertices = vertices[n] ? vertices[n] : 3;
      break;
   case IL_OP_DCL_OUTPUT_TOPOLOGY:
      d->gs.output = n;
      break;
   case IL_OP_DCL_MAX_OUTPUT_VERTEX_COUNT:
      if (n > 1024)
         refuse(r, "more than 1024 output vertices");
      else
         d->gs.max_vertices = n;
      break;
   default:
      if (n > 127)
         refuse(r, "more than 127 instances");
      else
         d->gs.instances = n;
      break;
   }
}

static void
declare_patch(struct reader *r, const struct il_inst *inst)
{
   struct il_declared *d = r->d;
   const uint32_t value = inst->ndata ? inst->data[0] : 0;

   switch (inst->op) {
   case IL_OP_DCL_X_FLAT_HS:
      d->tess.flat = true;
      break;
   case IL_OP_DCL_NUM_ICP:
      d->tess.input_points = value <= 32 ? value : 0;
      break;
   case IL_OP_DCL_NUM_OCP:
      if (value < 1 || value > 32)
         refuse(r, "number of output control points");
      else
         d->tess.output_points = value;
      break;
   case IL_OP_DCL_TS_DOMAIN:
      d->tess.domain = il_tessellation(inst) & 3;
      break;
   case IL_OP_DCL_TS_PARTITION:
      d->tess.partition = il_tessellation(inst) & 3;
      break;
   case IL_OP_DCL_TS_OUTPUT_PRIMITIVE:
      d->tess.output = il_tessellation(inst) & 3;
      break;
   default:
      d->tess.max_factor = value;
      break;
   }
}

static void
declare(struct reader *r, const struct il_inst *inst, bool counters)
{
   struct il_declared *d = r->d;

   switch (inst->op) {
   case IL_OP_DCL_LITERAL:
      if (inst->nsrc && inst->ndata >= 4)
         d->literal[inst->src[0].r.num] = inst->data;
      break;
   case IL_OP_DEF:
   case IL_OP_DEFB:
      define(r, inst);
      break;
   case IL_OP_DCL_CONST_BUFFER:
      if (il_immediate(inst) && !d->icb && inst->ndata > 1) {
         d->icb = inst->data + 1;
         d->icb_dwords = inst->ndata - 1;
      }
      break;
   case IL_OP_DCL_INDEXED_TEMP_ARRAY:
      declare_array(r, inst);
      break;
   case IL_OP_DCL_INPUT:
      declare_input(r, inst);
      break;
   case IL_OP_DCL_OUTPUT:
      declare_output(r, inst);
      break;
   case IL_OP_DCL_RESOURCE:
      declare_resource(r, inst);
      break;
   case IL_OP_DCL_UAV:
   case IL_OP_DCL_X_UAV:
   case IL_OP_DCL_RAW_UAV:
   case IL_OP_DCL_ARENA_UAV:
   case IL_OP_DCL_STRUCT_UAV:
      declare_uav(r, inst);
      break;
   case IL_OP_DCL_RAW_SRV:
   case IL_OP_DCL_STRUCT_SRV:
      declare_srv(r, inst);
      break;
   case IL_OP_DCL_LDS:
   case IL_OP_DCL_STRUCT_LDS:
      declare_area(r, inst, inst->op == IL_OP_DCL_STRUCT_LDS, &d->lds[il_lds(inst)], &d->lds_bytes,
                   IL_LDS_BYTES);
      break;
   case IL_OP_DCL_GDS:
   case IL_OP_DCL_STRUCT_GDS:
      declare_gds(r, inst, counters);
      break;
   case IL_OP_DCL_MAX_THREAD_PER_GROUP:
   case IL_OP_DCL_NUM_THREAD_PER_GROUP:
      declare_block(r, inst);
      break;
   case IL_OP_DCL_GLOBAL_FLAGS:
      d->global_flags |= il_global_flags(inst);
      break;
   case IL_OP_DCL_X_STAGE:
      d->hw_stage = il_number(inst);
      break;
   case IL_OP_DCL_X_LINK_SLOTS:
      if (inst->ndata >= 2)
         d->link_slots = inst->data[0] | (uint64_t)inst->data[1] << 32;
      break;
   case IL_OP_DCL_INPUT_PRIMITIVE:
   case IL_OP_DCL_OUTPUT_TOPOLOGY:
   case IL_OP_DCL_MAX_OUTPUT_VERTEX_COUNT:
   case IL_OP_DCL_NUM_INSTANCES:
      declare_vertices(r, inst);
      break;
   case IL_OP_DCL_X_FLAT_HS:
   case IL_OP_DCL_NUM_ICP:
   case IL_OP_DCL_NUM_OCP:
   case IL_OP_DCL_TS_DOMAIN:
   case IL_OP_DCL_TS_PARTITION:
   case IL_OP_DCL_TS_OUTPUT_PRIMITIVE:
   case IL_OP_DCL_MAX_TESSFACTOR:
      declare_patch(r, inst);
      break;
   default:
      break;
   }
}

/* --- what is indexed at run time -------------------------------------------------------------- */

static void
note_index(const struct il_ref *r, bool written, struct il_declared *d)
{
   for (; r && r->rel != IL_ADDR_ABSOLUTE; r = r->index ? &r->index->r : NULL, written = false) {
      if (r->type == IL_REGTYPE_ITEMP && r->num < d->num_arrays)
         d->array[r->num].indexed = true;
      d->outputs_indexed |= r->type == IL_REGTYPE_OUTPUT && written;
   }
}

static void
note_indices(struct il_declared *d, const struct il_inst *inst)
{
   for (unsigned n = 0; n < inst->ndst; n++)
      note_index(&inst->dst[n].r, true, d);
   for (unsigned n = 0; n < inst->nsrc; n++) {
      note_index(&inst->src[n].r, false, d);
      note_index(inst->src[n].dim2, false, d);
   }
}

void
il_declare(struct il_declared *d, const struct il_program *il, bool counters,
           const struct il_declare_to *to)
{
   struct reader r = { .d = d, .to = to };

   d->il = il;
   measure(&r);
   if (r.refused || !allocate(&r))
      return;
   for (r.at = 0; r.at < il->ninsts; r.at++) {
      const struct il_op_info *info = il_op_info(il->insts[r.at].op);
      if (info && info->flow == IL_FLOW_STATIC)
         declare(&r, &il->insts[r.at], counters);
      else
         note_indices(d, &il->insts[r.at]);
   }
}

/* --- what can be asked of it ------------------------------------------------------------------ */

bool
il_has_counters(const struct il_program *il)
{
   for (uint32_t n = 0; n < il->ninsts; n++)
      if (il->insts[n].op == IL_OP_APPEND_BUF_ALLOC || il->insts[n].op == IL_OP_APPEND_BUF_CONSUME)
         return true;
   return false;
}

enum il_pixtex
il_texture_type(const struct il_declared *d, const struct il_inst *inst)
{
   const unsigned n = il_resource(inst);

   if (il_indexed(inst) && inst->restype != IL_USAGE_PIXTEX_UNKNOWN)
      return (enum il_pixtex)inst->restype;
   return n < IL_MAX_RESOURCES ? (enum il_pixtex)d->resource[n].type : IL_USAGE_PIXTEX_UNKNOWN;
}

static unsigned
coordinates(enum il_pixtex type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_BUFFER:
      return 1;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_1DARRAY:
      return 3;
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_2DARRAY:
   case IL_USAGE_PIXTEX_CUBEMAP:
      return 7;
   default:
      return 15;
   }
}

static void
visit(const struct il_src *src, unsigned mask, il_read_fn *fn, void *data)
{
   if (src->has_mod && src->divcomp != IL_DIVCOMP_NONE)
      mask = 15; /* one component divides the others */
   fn(src, mask, data);
   if (src->r.rel != IL_ADDR_ABSOLUTE && src->r.index)
      visit(src->r.index, 1, fn, data);
   if (src->dim2 && src->dim2->rel != IL_ADDR_ABSOLUTE && src->dim2->index)
      visit(src->dim2->index, 1, fn, data);
}

void
il_visit_reads(const struct il_declared *d, const struct il_inst *inst, il_read_fn *fn, void *data)
{
   for (unsigned n = 0; n < inst->nsrc; n++) {
      const enum il_part part = il_src_part(inst, n);
      visit(&inst->src[n],
            part == IL_PART_COORD ? coordinates(il_texture_type(d, inst))
                                  : il_part_mask(part, inst),
            fn, data);
   }
   for (unsigned n = 0; n < inst->ndst; n++)
      if (inst->dst[n].r.rel != IL_ADDR_ABSOLUTE && inst->dst[n].r.index)
         visit(inst->dst[n].r.index, 1, fn, data);
}

unsigned
il_swizzled_mask(const struct il_src *src, unsigned mask)
{
   unsigned read = 0;

   for (unsigned c = 0; c < 4; c++)
      if ((mask >> c & 1) && il_src_swz(src, c) < 4)
         read |= 1u << il_src_swz(src, c);
   return read;
}

const uint32_t *
il_defined(const struct il_declared *d, const struct il_ref *r)
{
   const unsigned kind = kind_of(r);

   return kind < 3 && r->rel == IL_ADDR_ABSOLUTE && r->num < d->num_defs[kind]
             ? d->def[kind][r->num]
             : NULL;
}

bool
il_sysval_constant(unsigned sysval, unsigned *vec4, unsigned *comp)
{
   static const struct {
      uint8_t vec4, comp;
   } constants[] = {
      [IL_SYSVAL_BASE_VERTEX] = { IL_DRV_DRAW, 0 },
      [IL_SYSVAL_BASE_INSTANCE] = { IL_DRV_DRAW, 1 },
      [IL_SYSVAL_DRAW_ID] = { IL_DRV_DRAW, 2 },
      [IL_SYSVAL_FIRST_VERTEX] = { IL_DRV_DRAW, 3 },
      [IL_SYSVAL_IS_INDEXED_DRAW] = { IL_DRV_DRAW2, 0 },
      [IL_SYSVAL_NUM_SAMPLES] = { IL_DRV_DRAW2, 1 },
   };
   if (sysval >= sizeof(constants) / sizeof(*constants) || !constants[sysval].vec4)
      return false;
   *vec4 = constants[sysval].vec4;
   *comp = constants[sysval].comp;
   return true;
}

bool
il_emits(const struct il_inst *inst)
{
   return inst->op == IL_OP_EMIT || inst->op == IL_OP_EMIT_THEN_CUT ||
          inst->op == IL_OP_EMIT_STREAM || inst->op == IL_OP_EMIT_THEN_CUT_STREAM;
}

bool
il_cuts(const struct il_inst *inst)
{
   return inst->op == IL_OP_CUT || inst->op == IL_OP_CUT_STREAM ||
          inst->op == IL_OP_EMIT_THEN_CUT || inst->op == IL_OP_EMIT_THEN_CUT_STREAM;
}

unsigned
il_stream_of(const struct il_inst *inst)
{
   return il_op_info(inst->op)->ctl == IL_CTL_STREAM ? il_emit_stream(inst) : 0;
}
