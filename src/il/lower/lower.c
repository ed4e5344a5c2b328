/* SPDX-License-Identifier: MIT */
/*
 * The legaliser's entry: which passes a program needs, their order, memory and errors.
 *
 *  1. Registers of shader model 3 become inputs and outputs (place_registers.c).
 *  2. Macros are expanded with registers and literals of their own (expand_macros.c).
 *  3. Calls through interfaces become calls under conditions (select_bodies.c).
 *  4. Subroutines are expanded where they are called (inline_calls.c): after it the program is its
 *     main part alone.
 *  5. Phases of a hull shader that run several times become loops (repeat_phases.c).
 *  6. Counted loops become loops that count (count_loops.c), and the address registers temps
 *     (move_addresses.c).
 *  7. Global memory becomes loads and stores of a UAV (load_globals.c).
 *  8. Modifiers of sources that are formulas are applied (apply_modifiers.c).
 *  9. Texture stages become resources and samplers (name_resources.c).
 * 10. Local data with owners becomes local data like any other (address_owners.c).
 * 11. Where there are no derivatives, samples take level 0 (sample_levels.c).
 * 12. Opcodes that are formulas of others are expanded (expand.c).
 *
 * A program without any of it is left as it is.
 */
#include "pass.h"

#include "il/internal.h"
#include "il/model3.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXPANSIONS 16384
#define MAX_REGISTERS  65536

void
lower_fail(struct il_lower *l, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   if (l->err) {
      l->err->where = l->at ? l->at->offset : 0;
      l->err->column = 0;
      vsnprintf(l->err->text, sizeof(l->err->text), format, args);
   }
   va_end(args);
   longjmp(l->failed, 1);
}

void *
lower_alloc(struct il_lower *l, size_t bytes)
{
   void *p = il_alloc(l->out, bytes);

   if (!p)
      lower_fail(l, "out of memory");
   return p;
}

void
lower_count_expansion(struct il_lower *l)
{
   if (++l->expansions > MAX_EXPANSIONS)
      lower_fail(l, "not implemented: calls that expand more than %u times", MAX_EXPANSIONS);
}

/* --- which passes ----------------------------------------------------------------------------- */

enum {
   PLACE_REGISTERS,
   EXPAND_MACROS,
   SELECT_BODIES,
   INLINE_CALLS,
   REPEAT_PHASES,
   COUNT_LOOPS,
   MOVE_ADDRESSES,
   LOAD_GLOBALS,
   APPLY_MODIFIERS,
   NAME_RESOURCES,
   ADDRESS_OWNERS,
   SAMPLE_LEVELS,
   EXPAND,
   EXPAND_SUMS, /* formulas are of sums of products, too */
   PASS_COUNT
};

static void (*const passes[PASS_COUNT])(struct il_lower *l) = {
   [PLACE_REGISTERS] = lower_place_registers,
   [EXPAND_MACROS] = lower_expand_macros,
   [SELECT_BODIES] = lower_select_bodies,
   [INLINE_CALLS] = lower_inline_calls,
   [REPEAT_PHASES] = lower_repeat_phases,
   [COUNT_LOOPS] = lower_count_loops,
   [MOVE_ADDRESSES] = lower_move_addresses,
   [LOAD_GLOBALS] = lower_load_globals,
   [APPLY_MODIFIERS] = lower_apply_modifiers,
   [NAME_RESOURCES] = lower_name_resources,
   [ADDRESS_OWNERS] = lower_address_owners,
   [SAMPLE_LEVELS] = lower_sample_levels,
   [EXPAND] = lower_expand,
   [EXPAND_SUMS] = lower_expand,
};

struct scan {
   uint32_t temps, literals; /* above the highest number */
   bool pixel, vertex, model3, instance, global;
};

static void
note_ref(const struct il_ref *r, void *data)
{
   struct scan *s = data;

   switch (r->type) {
   case IL_REGTYPE_TEMP:
      s->temps = r->num >= s->temps ? r->num + 1 : s->temps;
      break;
   case IL_REGTYPE_LITERAL:
      s->literals = r->num >= s->literals ? r->num + 1 : s->literals;
      break;
   case IL_REGTYPE_SHADER_INSTANCE_ID:
      s->instance = true;
      break;
   case IL_REGTYPE_GLOBAL:
      s->global = true;
      break;
   default:
      s->model3 |= (s->pixel || s->vertex) && il_model3_register(r->type, s->pixel);
      break;
   }
}

/* The passes that a program needs, a bit each. */
static unsigned
find_passes(struct il_lower *l, const struct il_program *p)
{
   struct scan s = { .pixel = p->shader == IL_SHADER_PIXEL,
                     .vertex = p->shader == IL_SHADER_VERTEX };
   bool phase = false;
   unsigned depth = 0, needed = p->first_main ? 1u << EXPAND_MACROS : 0;

   for (uint32_t n = 0; n < p->ninsts; n++) {
      const struct il_inst *inst = &p->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      lower_visit_refs(inst, note_ref, &s);
      if (!info)
         continue;
      needed |= lower_has_modifiers(inst) ? 1u << APPLY_MODIFIERS : 0;
      if (lower_is_stage(inst))
         needed |= 1u << NAME_RESOURCES | (s.pixel ? 0 : 1u << SAMPLE_LEVELS);
      depth = il_block_depth(depth, inst->op);
      phase = info->flow == IL_FLOW_PHASE || (phase && info->flow != IL_FLOW_ENDPHASE);
      if (info->flow == IL_FLOW_RETURN && (depth || phase))
         needed |= 1u << INLINE_CALLS;
      switch (info->core) {
      case IL_CORE_MODEL3:
         s.model3 |= s.pixel || s.vertex;
         break;
      case IL_CORE_MACRO:
         needed |= 1u << EXPAND_MACROS;
         break;
      case IL_CORE_INTERFACE:
         needed |= 1u << SELECT_BODIES | 1u << INLINE_CALLS;
         break;
      case IL_CORE_CALL:
         needed |= 1u << INLINE_CALLS;
         break;
      case IL_CORE_PHASE:
         needed |= il_phase_runs(inst) > 1 ? 1u << REPEAT_PHASES : 0;
         break;
      case IL_CORE_LOOP:
         needed |= 1u << COUNT_LOOPS;
         break;
      case IL_CORE_ADDRESS:
         needed |= 1u << MOVE_ADDRESSES;
         break;
      case IL_CORE_OWNER:
         needed |= l->caps->has >> IL_CORE_OWNER & 1 ? 1u << ADDRESS_OWNERS : 0;
         break;
      case IL_CORE_GRADIENT:
         needed |= s.pixel ? 0 : 1u << SAMPLE_LEVELS;
         break;
      default:
         needed |= lower_expands(l->caps, info->core) ? 1u << EXPAND : 0;
         break;
      }
   }
   if (needed >> EXPAND & 1 && lower_expands(l->caps, IL_CORE_DOT))
      needed |= 1u << EXPAND_SUMS;
   needed |= s.model3 ? 1u << PLACE_REGISTERS : 0;
   needed |= s.global ? 1u << LOAD_GLOBALS : 0;
   needed |= s.instance && p->shader == IL_SHADER_HULL ? 1u << REPEAT_PHASES : 0;
   if (needed && (s.temps > MAX_REGISTERS || s.literals > MAX_REGISTERS))
      lower_fail(l, "not implemented: register number above %u", MAX_REGISTERS - 1);
   l->next_temp = s.temps;
   l->next_literal = s.literals;
   return needed;
}

/* --- the walk over the passes ----------------------------------------------------------------- */

static struct il_program *
new_program(const struct il_program *p)
{
   struct il_program *out = il_program_new(p->shader);

   if (out) {
      out->lang = p->lang;
      out->minor = p->minor;
      out->major = p->major;
      out->multipass = p->multipass;
      out->realtime = p->realtime;
      out->lang_reserved = p->lang_reserved;
      out->version_reserved = p->version_reserved;
   }
   return out;
}

/* The constants in front of all else. */
static void
declare_literals(struct il_lower *l)
{
   struct il_program *out = l->out;
   const uint32_t old = out->ninsts;

   l->at = NULL;
   for (uint32_t n = 0; n < l->num_literals; n++) {
      struct il_inst declare = { .op = IL_OP_DCL_LITERAL, .nsrc = 1, .ndata = 4 };
      declare.src = lower_index(l, il_src(IL_REGTYPE_LITERAL, l->literals[n].num));
      declare.data = lower_alloc(l, sizeof(l->literals[n].bits));
      memcpy(declare.data, l->literals[n].bits, sizeof(l->literals[n].bits));
      lower_add(l, &declare);
   }
   struct il_inst *declared = lower_alloc(l, l->num_literals * sizeof(*declared));
   memcpy(declared, out->insts + old, l->num_literals * sizeof(*declared));
   memmove(out->insts + l->num_literals, out->insts, old * sizeof(*out->insts));
   memcpy(out->insts, declared, l->num_literals * sizeof(*declared));
}

static void
run_passes(struct il_lower *l, unsigned needed)
{
   for (unsigned n = 0; n < PASS_COUNT; n++) {
      if (needed >> n & 1) {
         struct il_inst *read = l->out->insts;
         if (read) {
            free(l->owned);
            l->owned = read;
            l->insts = read;
            l->num_insts = l->out->ninsts;
            l->first_main = l->out->first_main;
         }
         l->out->insts = NULL;
         l->out->ninsts = l->out->cap = l->out->first_main = 0;
         l->at = NULL; /* what the pass before read */
         passes[n](l);
      }
   }
   declare_literals(l);
}

bool
il_lower(const struct il_program *p, const struct il_target_caps *caps, struct il_program **lowered,
         struct il_error *err)
{
   struct il_lower *l = calloc(1, sizeof(*l));
   volatile bool ok = false;

   *lowered = NULL;
   if (p->oom) {
      free(l);
      return il_fail(err, 0, 0, "the IL program is incomplete: out of memory");
   }
   if (!l)
      return il_fail(err, 0, 0, "out of memory");
   l->caps = caps;
   l->err = err;
   l->insts = p->insts;
   l->num_insts = p->ninsts;
   l->first_main = p->first_main;
   if (setjmp(l->failed) == 0) {
      unsigned needed = find_passes(l, p);
      if (needed) {
         l->out = new_program(p);
         if (!l->out)
            lower_fail(l, "out of memory");
         run_passes(l, needed);
         *lowered = l->out;
      }
      ok = true;
   } else {
      il_program_free(l->out);
   }
   free(l->owned);
   free(l->literals);
   free(l);
   return ok;
}
