/* SPDX-License-Identifier: MIT */
/*
 * Checks lifted micro-operations against the table.
 *
 *  1. An operation is one that there is; a PART only follows an operation of several records.
 *  2. An operation has its operands and no more; of what is not lane-wise it may have fewer.
 *  3. Rows lie in the register file, uniforms, literals and dynamic values in their tables.
 *  4. A scale, a clamp and a condition are only where there is a result that takes them.
 *  5. Several operations are done at once only if they can be (uop_can_fuse()).
 *  6. Parameters name what there is.
 *  7. The origin is an instruction of the program.
 */
#include <stdarg.h>
#include <string.h>

#include "core/share.h"
#include "uop/uop.h"

struct verifier {
   const struct uop_code *code;
   char *message;
   size_t size;
   uint32_t at;
};

static bool __attribute__((format(printf, 2, 3)))
wrong(const struct verifier *v, const char *format, ...)
{
   const struct uop *u = &v->code->uops[v->at];
   int n = snprintf(v->message, v->size, "micro-operation %u (%s): ", v->at,
                    u->op < UOP_COUNT ? uop_infos[u->op].name : "?");
   va_list args;
   va_start(args, format);
   if (n >= 0 && (size_t)n < v->size)
      vsnprintf(v->message + n, v->size - (size_t)n, format, args);
   va_end(args);
   return false;
}

static bool
row_ok(const struct verifier *v, uint32_t at)
{
   return at % COMP_BYTES == 0 && at / COMP_BYTES < v->code->num_components;
}

static bool
operand_ok(const struct verifier *v, unsigned n, const struct uop_operand *o)
{
   const struct uop_code *code = v->code;

   if (o->mods & ~(UOP_ABS | UOP_NEG | UOP_NOT))
      return wrong(v, "operand %u has unknown modifiers %x", n, o->mods);
   switch (o->kind) {
   case UOP_ROW:
      return row_ok(v, o->at) || wrong(v, "operand %u is outside the register file: %u", n, o->at);
   case UOP_UNIFORM:
      return o->at < code->num_uniforms ||
             wrong(v, "operand %u is uniform %u of %u", n, o->at, code->num_uniforms);
   case UOP_LITERAL:
      return o->at < code->num_literals ||
             wrong(v, "operand %u is literal %u of %u", n, o->at, code->num_literals);
   case UOP_DYNAMIC:
      return o->at < code->num_dynamic ||
             wrong(v, "operand %u is dynamic value %u of %u", n, o->at, code->num_dynamic);
   default:
      return wrong(v, "operand %u is of no kind", n);
   }
}

/* Bit n: record n writes its result. */
static unsigned
written(const struct uop *u)
{
   switch (uop_infos[u->op].params) {
   case UOP_PARAMS_group:
      return u->p.group.writes;
   case UOP_PARAMS_f64:
      return u->p.f64.writes;
   default:
      return uop_infos[u->op].records == 3 ? 3 : (1u << uop_infos[u->op].records) - 1;
   }
}

static bool
operands_ok(const struct verifier *v, const struct uop *u, const struct uop_info *info, bool all)
{
   unsigned count = 0;

   while (count < 3 && u->src[count].kind) {
      if (!operand_ok(v, count, &u->src[count]))
         return false;
      count++;
   }
   for (unsigned n = count; n < 3; n++)
      if (u->src[n].kind)
         return wrong(v, "operand %u without the one before it", n);
   if (count > info->operands || (all && count < info->operands))
      return wrong(v, "%u operands instead of %u", count, info->operands);
   return true;
}

static bool
result_ok(const struct verifier *v, const struct uop *u, const struct uop_info *info)
{
   bool is_row = info->result == UOP_RESULT_F || info->result == UOP_RESULT_B;

   if (u->when > UOP_IF_PRED || u->scale > UOP_SCALE_HALF)
      return wrong(v, "condition %u, scale %u", u->when, u->scale);
   if (info->result == UOP_RESULT_U && u->dst >= v->code->num_dynamic)
      return wrong(v, "result is dynamic value %u of %u", u->dst, v->code->num_dynamic);
   for (unsigned r = 0; is_row && r < info->records; r++)
      if ((written(u) >> r & 1) && !row_ok(v, u[r].dst))
         return wrong(v, "result %u is outside the register file: %u", r, u[r].dst);
   return true;
}

static bool
params_ok(const struct verifier *v, const struct uop *u, const struct uop_info *info)
{
   const union uop_params *p = &u->p;
   const struct uop_code *code = v->code;
   uint64_t end;

   switch (info->params) {
   case UOP_PARAMS_predicate:
      return p->predicate.exec_op < UOP_FAIL_COUNT || wrong(v, "mask %u", p->predicate.exec_op);
   case UOP_PARAMS_constant:
      return p->constant.bank_index <= UOP_INDEX_1 || wrong(v, "index %u", p->constant.bank_index);
   case UOP_PARAMS_special:
      return p->special.source < UOP_SPECIAL_COUNT || wrong(v, "source %u", p->special.source);
   case UOP_PARAMS_mova:
      return p->mova.to < UOP_ADDRESS_COUNT || wrong(v, "address %u", p->mova.to);
   case UOP_PARAMS_lds:
      return p->lds.op < CORE_SHARE_OPS || wrong(v, "operation %u", p->lds.op);
   case UOP_PARAMS_group:
      return p->group.writes < 1u << info->records || wrong(v, "writes %x", p->group.writes);
   case UOP_PARAMS_f64:
      return (p->f64.writes < 16 && p->f64.doubles >= 1 && p->f64.doubles <= 3 &&
              p->f64.predicate.exec_op < UOP_FAIL_COUNT) ||
             wrong(v, "writes %x of %u doubles", p->f64.writes, p->f64.doubles);
   case UOP_PARAMS_interp:
      return (p->interp.comp < 4 && p->interp.which < 3) || wrong(v, "component or coefficient");
   case UOP_PARAMS_register:
      return (p->reg.gpr < 128 && p->reg.chan < 4) || wrong(v, "register or channel");
   case UOP_PARAMS_queue:
      return p->queue.number < 2 || wrong(v, "queue %u", p->queue.number);
   case UOP_PARAMS_array:
      end = 4 * ((uint64_t)p->array.row + p->array.rows);
      return (p->array.chan < 4 && end <= code->num_components) ||
             wrong(v, "rows %u + %u", p->array.row, p->array.rows);
   case UOP_PARAMS_element:
      return p->element.comp < 4 || wrong(v, "component %u", p->element.comp);
   case UOP_PARAMS_table:
      end = u->src[1].at + (uint64_t)p->table.dwords;
      return (p->table.chan < 4 && u->src[1].kind == UOP_LITERAL && end <= code->num_literals) ||
             wrong(v, "the table ends at literal %u", (unsigned)end);
   case UOP_PARAMS_shared:
      return p->shared.chan < 4 || wrong(v, "channel %u", p->shared.chan);
   case UOP_PARAMS_pair:
      return p->pair.op <= UOP_PAIR_SEG_SUB || wrong(v, "pair operation %u", p->pair.op);
   case UOP_PARAMS_subgroup:
      return p->subgroup.size < 4 || wrong(v, "subgroup size %u", p->subgroup.size);
   case UOP_PARAMS_message:
      return p->message.number < code->num_messages || wrong(v, "message %u", p->message.number);
   case UOP_PARAMS_setp:
      return p->setp.predicate < code->num_predicates ||
             wrong(v, "predicate %u", p->setp.predicate);
   case UOP_PARAMS_fixed:
      return (row_ok(v, p->fixed.low) && row_ok(v, p->fixed.high)) || wrong(v, "accumulator");
   default:
      return true;
   }
}

/* Several of one operation at once. */
static bool
fused_ok(const struct verifier *v, const struct uop *u)
{
   const struct uop *all[4];

   if (u->length < 1 || u->length > 4)
      return wrong(v, "length %u", u->length);
   for (unsigned n = 0; n < u->length; n++)
      all[n] = &u[n];
   return u->length == 1 || uop_can_fuse(all, u->length) || wrong(v, "cannot be done at once");
}

static bool
one_ok(struct verifier *v, uint32_t left)
{
   const struct uop *u = &v->code->uops[v->at];

   if (u->op >= UOP_COUNT || u->op == UOP_PART)
      return wrong(v, "no operation");
   const struct uop_info *info = &uop_infos[u->op];
   if (info->records > 1 ? u->length != info->records : false)
      return wrong(v, "%u records instead of %u", u->length, info->records);
   if (u->length > left)
      return wrong(v, "the run ends within it");
   if (info->records == 1 && !fused_ok(v, u))
      return false;
   bool all = info->effect == UOP_EFFECT_LANE || info->effect == UOP_EFFECT_QUAD;
   all = all && info->params == UOP_PARAMS_none && info->records == 1;
   for (unsigned r = 0; r < u->length; r++) {
      const struct uop *part = u + r;
      if (r && part->op != (info->records > 1 ? (unsigned)UOP_PART : u->op))
         return wrong(v, "record %u is %u", r, part->op);
      if (part->origin >= v->code->num_origins)
         return wrong(v, "origin %u of %u", part->origin, v->code->num_origins);
      if (!operands_ok(v, part, info, all) || !params_ok(v, part, info))
         return false;
      if (info->records > 1)
         break;
   }
   for (unsigned r = 1; r < info->records; r++)
      if (u[r].op != UOP_PART || !operands_ok(v, u + r, info, false))
         return u[r].op == UOP_PART ? false : wrong(v, "record %u is none", r);
   return result_ok(v, u, info);
}

bool
uop_verify(const struct uop_code *code, struct uop_run run, char *message, size_t size)
{
   struct verifier v = { .code = code, .message = message, .size = size };

   if ((uint64_t)run.first + run.count > code->num_uops) {
      snprintf(message, size, "a run that ends at %llu of %u micro-operations",
               (unsigned long long)run.first + run.count, code->num_uops);
      return false;
   }
   for (v.at = run.first; v.at < run.first + run.count; v.at += code->uops[v.at].length)
      if (!one_ok(&v, run.first + run.count - v.at))
         return false;
   return true;
}
