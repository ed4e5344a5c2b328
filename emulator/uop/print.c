/* SPDX-License-Identifier: MIT */
/*
 * Prints lifted micro-operations: a line each, with name, result, operands and parameters, below
 * what they came from.
 *
 *    r12.x = MULADD r3.x, -|c4|, 0x3f800000  (1.0)
 */
#include <inttypes.h>
#include <string.h>

#include "uop/uop.h"

static void
print_row(FILE *out, uint32_t at)
{
   uint32_t component = at / COMP_BYTES;
   fprintf(out, "r%" PRIu32 ".%c", component / 4, "xyzw"[component % 4]);
}

static void
print_literal(FILE *out, const struct uop_code *code, uint32_t index, bool is_float)
{
   if (index >= code->num_literals) {
      fprintf(out, "l%" PRIu32 "?", index);
      return;
   }
   uint32_t bits = code->literals[index];
   float f;
   memcpy(&f, &bits, 4);
   if (is_float)
      fprintf(out, "%.9g", (double)f);
   else
      fprintf(out, "0x%" PRIx32, bits);
}

static void
print_operand(FILE *out, const struct uop_code *code, const struct uop_operand *v, char kind)
{
   fprintf(out, "%s%s%s", v->mods & UOP_NOT ? "~" : "", v->mods & UOP_NEG ? "-" : "",
           v->mods & UOP_ABS ? "|" : "");
   switch (v->kind) {
   case UOP_ROW:
      print_row(out, v->at);
      break;
   case UOP_UNIFORM:
      fprintf(out, "c%" PRIu32, v->at);
      break;
   case UOP_LITERAL:
      print_literal(out, code, v->at, kind == 'f');
      break;
   case UOP_DYNAMIC:
      fprintf(out, "d%" PRIu32, v->at);
      break;
   default:
      fprintf(out, "-");
      break;
   }
   if (v->mods & UOP_ABS)
      fputc('|', out);
}

#define X(name) #name,
static const char *const fails[] = { UOP_FAILS(X) };
static const char *const specials[] = { UOP_SPECIALS(X) };
static const char *const addresses[] = { UOP_ADDRESSES(X) };
#undef X

static const char *
name_of(const char *const *names, unsigned count, unsigned n)
{
   return n < count ? names[n] : "?";
}

static void
print_predicate(FILE *out, const struct uop_predicate *p)
{
   if (p->update_pred)
      fprintf(out, " update_pred");
   if (p->update_exec)
      fprintf(out, " fails:%s", name_of(fails, UOP_FAIL_COUNT, p->exec_op));
}

static void
print_params(FILE *out, const struct uop *u)
{
   const union uop_params *p = &u->p;

   switch (uop_infos[u->op].params) {
   case UOP_PARAMS_predicate:
      print_predicate(out, &p->predicate);
      break;
   case UOP_PARAMS_group:
      fprintf(out, " writes:%x", p->group.writes);
      break;
   case UOP_PARAMS_f64:
      fprintf(out, " writes:%x doubles:%u", p->f64.writes, p->f64.doubles);
      print_predicate(out, &p->f64.predicate);
      break;
   case UOP_PARAMS_interp:
      fprintf(out, " input:%u.%c", p->interp.input, "xyzw"[p->interp.comp & 3]);
      if (u->op == UOP_INTERP_LOAD)
         fprintf(out, " %s", p->interp.which == 0 ? "P0" : p->interp.which == 1 ? "P10" : "P20");
      break;
   case UOP_PARAMS_register:
      fprintf(out, " r[%u+%s].%c", p->reg.gpr, p->reg.by_loop ? "aL" : "AR.x",
              "xyzw"[p->reg.chan & 3]);
      break;
   case UOP_PARAMS_constant:
      fprintf(out, " bank:%u dword:%" PRIu32 " end:%" PRIu32, p->constant.bank, p->constant.dword,
              p->constant.end);
      if (p->constant.bank_index)
         fprintf(out, " bank_index:%u", p->constant.bank_index);
      fprintf(out, "%s%s", p->constant.moves ? " moves" : "", p->constant.by_loop ? " +aL" : "");
      break;
   case UOP_PARAMS_special:
      fprintf(out, " %s", name_of(specials, UOP_SPECIAL_COUNT, p->special.source));
      break;
   case UOP_PARAMS_mode:
      fprintf(out, " single:%u double:%u", p->mode.single_mode, p->mode.double_mode);
      break;
   case UOP_PARAMS_mova:
      fprintf(out, " to:%s", name_of(addresses, UOP_ADDRESS_COUNT, p->mova.to));
      break;
   case UOP_PARAMS_lds:
      fprintf(out, " op:%u%s offset:%" PRIu32, p->lds.op, p->lds.returns ? " returns" : "",
              p->lds.offset);
      break;
   case UOP_PARAMS_queue:
      fprintf(out, " queue:%c", "AB"[p->queue.number & 1]);
      break;
   case UOP_PARAMS_direct:
      fprintf(out, " offset:%" PRIu32 " stride:%" PRIu32, p->direct.offset, p->direct.stride);
      break;
   case UOP_PARAMS_array:
      fprintf(out, " r[%" PRIu32 "+%" PRIu32 "+].%c rows:%" PRIu32, p->array.row, p->array.offset,
              "xyzw"[p->array.chan & 3], p -> array.rows);
      break;
   case UOP_PARAMS_element:
      fprintf(out, " bank:%u number:%" PRId32 ".%c", p->element.bank, (int32_t)p->element.number,
              "xyzw"[p->element.comp & 3]);
      break;
   case UOP_PARAMS_table:
      fprintf(out, " element:%" PRIu32 ".%c dwords:%" PRIu32, p->table.element,
              "xyzw"[p->table.chan & 3], p -> table.dwords);
      break;
   case UOP_PARAMS_buffer:
      fprintf(out, " buffer:%u offset:%" PRIu32, p->buffer.number, p->buffer.offset);
      break;
   case UOP_PARAMS_shared:
      fprintf(out, " sr%" PRIu32 ".%c", p->shared.reg, "xyzw"[p->shared.chan & 3]);
      break;
   case UOP_PARAMS_immediate:
      fprintf(out, " imm:0x%" PRIx32, p->immediate.bits);
      break;
   case UOP_PARAMS_pair:
      fprintf(out, " op:%u%s", p->pair.op, p->pair.is_signed ? " signed" : "");
      break;
   case UOP_PARAMS_subgroup:
      fprintf(out, " lanes:%u operation:%u inactive:0x%" PRIx32, 2u << (p->subgroup.size & 3),
              p->subgroup.operation, p->subgroup.inactive);
      break;
   case UOP_PARAMS_message:
      fprintf(out, " message:%" PRIu32, p->message.number);
      break;
   case UOP_PARAMS_setp:
      fprintf(out, " p%u compare:%u%s", p->setp.predicate, p->setp.compare,
              p->setp.invert ? " invert" : "");
      break;
   case UOP_PARAMS_fixed:
      fprintf(out, "%s%s acc:", p->fixed.adds ? " adds" : "", p->fixed.ends ? " ends" : "");
      print_row(out, p->fixed.low);
      fputc(':', out);
      print_row(out, p->fixed.high);
      break;
   default:
      break;
   }
}

void
uop_print_one(FILE *out, const struct uop_code *code, const struct uop *u)
{
   if (u->op >= UOP_COUNT) {
      fprintf(out, "micro-operation %u, which there is not", u->op);
      return;
   }
   const struct uop_info *info = &uop_infos[u->op];
   if (u->when)
      fprintf(out, "%s ", u->when == UOP_IF_PRED ? "if pred:" : "unless pred:");
   if (info->result == UOP_RESULT_U)
      fprintf(out, "d%" PRIu32 " = ", u->dst);
   else if (info->result != UOP_RESULT_NONE && info->result != UOP_RESULT_R) {
      print_row(out, u->dst);
      fprintf(out, " = ");
   }
   fprintf(out, "%s", info->name);
   for (unsigned n = 0; n < info->operands && u->src[n].kind; n++) {
      fprintf(out, "%s", n ? ", " : " ");
      print_operand(out, code, &u->src[n], info->kinds[n]);
   }
   static const char *const scales[] = { "", " *2", " *4", " /2" };
   fprintf(out, "%s%s", scales[u->scale & 3], u->clamp ? " clamp" : "");
   print_params(out, u);
}

void
uop_print(FILE *out, const struct uop_code *code, struct uop_run run,
          void (*listing)(FILE *out, void *data, uint32_t origin), void *data)
{
   uint32_t last = UINT32_MAX;

   for (uint32_t n = run.first; n < run.first + run.count && n < code->num_uops; n++) {
      const struct uop *u = &code->uops[n];
      if (listing && u->origin != last)
         listing(out, data, u->origin);
      last = u->origin;
      fprintf(out, "   %6" PRIu32 "  %s", n, u->length > 1 ? "+ " : "  ");
      uop_print_one(out, code, u);
      fputc('\n', out);
   }
}
