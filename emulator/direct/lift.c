/* SPDX-License-Identifier: MIT */
/*
 * Lifts an IL program; see direct.h.  The legaliser makes a program of the core (docs/il-core.rst)
 * of it; declarations give registers their rows, then every instruction becomes micro-operations. 
 * A run of them between two instructions of flow control is a clause of the executor; it serves
 * waves with and without diverged lanes alike.
 *
 * Messages and the origins of micro-operations name the instruction of the program as written.
 */
#include "direct/lift.h"

#include "fp.h"
#include "il/lower/lower.h"
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_UOPS (1u << 20)

/* As Cayman's compiler starts from. */
static const struct il_target_caps caps = {
   .has = 1u << IL_CORE_DOT | 1u << IL_CORE_DOUBLE | 1u << IL_CORE_OWNER,
};

void
direct_refuse(struct direct *d, const char *format, ...)
{
   struct program *p = d->p;
   const struct il_op_info *info = NULL;

   if (p->head.core.error)
      return;
   if (d->inst && d->place < d->source->ninsts)
      info = il_op_info(d->source->insts[d->place].op);
   va_list args;
   va_start(args, format);
   int n = vsnprintf(p->message, sizeof(p->message), format, args);
   va_end(args);
   if (n > 0 && (size_t)n < sizeof(p->message) && info) {
      snprintf(p->message + n, sizeof(p->message) - (size_t)n, " (%s at instruction %u)",
               info->name, d->place);
   }
   p->head.core.error = p->message;
   p->head.core.error_place = d->place;
}

uint32_t
direct_rows(struct direct *d, uint32_t count)
{
   uint32_t row = d->rows;
   if (count > MAX_ROWS - d->rows) {
      direct_refuse(d, "more registers than there is room for");
      return ROW_FIRST;
   }
   d->rows += count;
   return row;
}

/* The clause that is being lifted ends here. */
void
direct_close(struct direct *d)
{
   struct program *p = d->p;
   uint32_t count = p->code.num_uops - d->clause;

   if (!count)
      return;
   struct uop_run run = { d->clause, count };
   d->clause = p->code.num_uops;
   if (!uop_grow(&d->b, (void **)&p->cfs, p->num_cfs, &d->cap_cfs, sizeof(*p->cfs)))
      return;
   p->cfs[p->num_cfs++] = (struct sq_cf){
      .op = CAYMAN_CF_ALU,
      .pc = d->place,
      .origin = SQ_NO_ORIGIN,
      .cost = 4 * count,
      .plain = run,
      .masked = run,
      .has_barrier = d->barrier,
   };
   d->barrier = false;
}

struct sq_cf *
direct_cf(struct direct *d, unsigned op)
{
   struct program *p = d->p;

   direct_close(d);
   if (!uop_grow(&d->b, (void **)&p->cfs, p->num_cfs, &d->cap_cfs, sizeof(*p->cfs)))
      return &d->no_cf;
   p->cfs[p->num_cfs] =
      (struct sq_cf){ .op = (uint16_t)op, .pc = d->place, .origin = d->place, .cost = 4 };
   return &p->cfs[p->num_cfs++];
}

/* --- declarations ----------------------------------------------------------------------------- */

static void *
zeroed(struct direct *d, uint32_t count, size_t size)
{
   void *p = calloc(count ? count : 1, size);
   d->b.oom |= !p;
   return p;
}

/* The instruction at hand. */
static const struct il_inst *
go_to(struct direct *d, uint32_t n)
{
   const uint32_t place = il_place(d->il, n);

   d->pos = n;
   /* A program that was legalised before has the numbers of another. */
   d->place = d->b.origin = place < d->source->ninsts ? place : 0;
   return d->inst = &d->il->insts[n];
}

static void *
allocate(void *data, size_t bytes)
{
   return zeroed(data, 1, bytes);
}

static void
refuse(void *data, uint32_t inst, const char *what)
{
   struct direct *d = data;

   go_to(d, inst);
   direct_refuse(d, "%s", what);
}

static void
refuse_walk(void *data, const char *what)
{
   direct_refuse(data, "no meaning here for %s", what);
}

static void
declare(struct direct *d)
{
   const struct il_declare_to to = { allocate, refuse, d };

   il_declare(&d->decl, d->il, il_has_counters(d->source), &to);
   for (unsigned i = 0; i < 3; i++)
      d->out->block[i] = d->decl.block[i];
   d->out->lds_bytes = d->decl.lds_bytes;
   d->out->max_vertices = d->decl.gs.max_vertices;
   d->array_row = zeroed(d, d->decl.num_arrays, sizeof(*d->array_row));
   direct_temps_measure(d);
}

/* icb[]: consecutive literals. */
static void
declare_table(struct direct *d, const struct il_inst *inst)
{
   struct program *p = d->p;

   if (!d->decl.icb || !inst->ndata || d->decl.icb != inst->data + 1)
      return;
   d->icb = p->code.num_literals;
   for (uint32_t n = 1; n < inst->ndata; n++) {
      if (!uop_grow(&d->b, (void **)&p->code.literals, p->code.num_literals, &d->b.cap_literals,
                    sizeof(*p->code.literals)))
         return;
      p->code.literals[p->code.num_literals++] = inst->data[n];
   }
   d->icb_dwords = inst->ndata - 1;
}

void
direct_note_output(struct direct *d, const struct il_dst *dst, bool patch)
{
   uint8_t *written = patch ? d->out->patch_mask : d->out->output_mask;
   unsigned count = patch ? DIRECT_PATCH : DIRECT_OUTPUTS;

   if (dst->r.rel != IL_ADDR_ABSOLUTE)
      memset(written, 15, count);
   else if (dst->r.num < count)
      written[dst->r.num] |= (uint8_t)il_dst_written(dst);
}

/* That a destination is a result. */
static void
note_result(struct direct *d, const struct il_dst *dst)
{
   struct direct_program *out = d->out;
   unsigned mask = il_dst_written(dst);

   switch (dst->r.type) {
   case IL_REGTYPE_OUTPUT:
      /* A vertex has them all; else a store notes it. */
      if (d->il->shader == IL_SHADER_GEOMETRY)
         direct_note_output(d, dst, false);
      break;
   case IL_REGTYPE_PATCHCONST:
      direct_note_output(d, dst, true);
      break;
   case IL_REGTYPE_DEPTH:
   case IL_REGTYPE_DEPTH_LE:
   case IL_REGTYPE_DEPTH_GE:
      out->special_mask |= (uint8_t)((mask & 1) << DIRECT_DEPTH);
      break;
   case IL_REGTYPE_STENCIL:
      out->special_mask |= (uint8_t)((mask & 1) << DIRECT_STENCIL);
      break;
   case IL_REGTYPE_OMASK:
      out->special_mask |= (uint8_t)((mask & 1) << DIRECT_MASK);
      break;
   case IL_REGTYPE_EDGEFLAG:
      out->special_mask |= (uint8_t)((mask & 1) << DIRECT_EDGE_FLAG);
      break;
   default:
      break;
   }
}

/* Rows of what is written, and which results there are. */
static void
place_registers(struct direct *d)
{
   d->out->output_row = direct_rows(d, DIRECT_OUTPUTS);
   d->out->special_row = direct_rows(d, DIRECT_SPECIALS);
   for (uint32_t n = 0; n < d->il->ninsts && !d->p->head.core.error; n++) {
      const struct il_inst *inst = go_to(d, n);
      if (il_op_info(inst->op)->flow != IL_FLOW_STATIC) {
         for (unsigned k = 0; k < inst->ndst; k++)
            note_result(d, &inst->dst[k]);
         direct_temps_place(d);
      } else if (inst->op == IL_OP_DCL_INDEXED_TEMP_ARRAY && inst->nsrc) {
         const uint32_t number = inst->src[0].r.num;
         d->array_row[number] = direct_rows(d, d->decl.array[number].size);
      } else if (inst->op == IL_OP_DCL_CONST_BUFFER) {
         declare_table(d, inst);
      }
   }
}

/* --- the program ------------------------------------------------------------------------------ */

static bool
go_on_to(void *data, uint32_t pos)
{
   struct direct *d = data;

   go_to(d, pos);
   d->pool = 0;
   if (d->p->code.num_uops > MAX_UOPS || d->p->num_cfs > MAX_UOPS)
      direct_refuse(d, "too long a program");
   return !d->p->head.core.error && !d->b.oom;
}

/* What no compiler makes code of. */
static bool
other(struct direct *d, const struct il_inst *inst)
{
   return inst->op == IL_OP_INIT_SR && direct_init_shared(d);
}

static bool
instruction(void *data, const struct il_inst *inst, enum il_unit unit)
{
   static bool (*const units[IL_UNIT_COUNT])(struct direct *, const struct il_inst *) = {
      [IL_UNIT_NONE] = other,           [IL_UNIT_ALU] = direct_alu,
      [IL_UNIT_WIDE] = direct_alu_wide, [IL_UNIT_TEXTURE] = direct_texture,
      [IL_UNIT_STREAM] = direct_stream, [IL_UNIT_SYSTEM] = direct_system,
      [IL_UNIT_EMIT] = direct_emit,     [IL_UNIT_PHASE] = direct_phase,
      [IL_UNIT_MEMORY] = direct_memory,
   };
   struct direct *d = data;
   const char *why = direct_refusal(inst->op);

   if (why)
      direct_refuse(d, "%s", why);
   return why || (units[unit] && units[unit](d, inst));
}

static void
instructions(struct direct *d)
{
   const struct il_walk_to to = { d, go_on_to, instruction, refuse_walk, &direct_flow };

   if (!il_walk(&d->walk, d->il, &to) && !d->b.oom)
      direct_refuse(d, "a program without an end");
   if (d->in_phase)
      direct_refuse(d, "the end of the program in a phase");
   d->inst = NULL;
}

static enum sq_stage
stage(const struct il_program *il)
{
   switch (il->shader) {
   case IL_SHADER_PIXEL:
      return SQ_STAGE_PS;
   case IL_SHADER_GEOMETRY:
      return SQ_STAGE_GS;
   case IL_SHADER_COMPUTE:
      return SQ_STAGE_CS;
   case IL_SHADER_HULL:
      return SQ_STAGE_HS;
   default:
      return SQ_STAGE_VS;
   }
}

static void
lift(struct direct *d)
{
   declare(d);
   if (d->b.oom || d->p->head.core.error)
      return;
   place_registers(d);
   if (d->il->shader == IL_SHADER_PIXEL)
      direct_pixel_begin(d);
   direct_stage_begin(d);
   instructions(d);
   direct_cf(d, CAYMAN_CF_END);
}

/* Every register reads as zero before it is written, but for those that the launcher fills. */
static void
list_clears(struct direct *d)
{
   struct program *p = d->p;
   uint32_t count = 4 * (d->rows - ROW_POOL);

   p->clear = malloc(count * sizeof(*p->clear));
   for (uint32_t n = 0; p->clear && n < count; n++) {
      uint32_t row = ROW_POOL + n / 4;
      if (row < d->first_kept || row >= d->last_kept)
         p->clear[p->num_clear++] = REG(row, n % 4);
   }
   d->b.oom |= !p->clear;
}

static void
verify(struct direct *d)
{
   struct program *p = d->p;
   char message[128];

   for (uint32_t n = 0; n < p->num_cfs && !p->head.core.error && !d->b.oom; n++) {
      d->place = p->cfs[n].pc;
      if (!uop_verify(&p->code, p->cfs[n].masked, message, sizeof(message)))
         direct_refuse(d, "%s", message);
   }
}

static void
listing(FILE *out, void *data, uint32_t origin)
{
   const struct direct *d = data;
   char text[256] = "";

   il_print_inst(d->source, &d->source->insts[origin], text, sizeof(text));
   fprintf(out, "  %5u  %s\n", origin, text);
}

static void
print(struct direct *d)
{
   const struct program *p = d->p;

   fprintf(stderr, "micro-operations of an IL program\n");
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      fprintf(stderr, "%02u %s\n", n, cayman_cf_info(p->cfs[n].op)->name);
      uop_print(stderr, &p->code, p->cfs[n].masked, listing, d);
   }
}

/* `lowered`: NULL if the program is of the core as it is. */
static bool
legalise(struct direct *d, struct il_program **lowered)
{
   struct il_error problem = { 0 };

   if (il_lower(d->source, &caps, lowered, &problem)) {
      d->il = *lowered ? *lowered : d->source;
      if (il_is_core(d->il, &caps, &problem))
         return true;
   }
   for (uint32_t n = 0; n < d->source->ninsts && problem.where && !d->inst; n++) {
      if (d->source->insts[n].offset == problem.where) {
         d->inst = &d->source->insts[n];
         d->place = n;
      }
   }
   direct_refuse(d, "%s", problem.text);
   return false;
}

bool
direct_lift_program(const struct il_program *il, uint32_t pgm_resources_2,
                    struct direct_program *out, char *error, size_t error_size)
{
   struct direct *d = calloc(1, sizeof(*d));
   struct program *p = calloc(1, sizeof(*p));
   struct il_program *lowered = NULL;

   memset(out, 0, sizeof(*out));
   if (!d || !p) {
      free(d);
      free(p);
      snprintf(error, error_size, "out of memory");
      return false;
   }
   d->p = p;
   d->b.code = &p->code;
   d->source = il;
   d->out = out;
   d->rows = ROW_FIRST;
   out->block[0] = out->block[1] = out->block[2] = 0;
   p->stage = stage(il);
   p->head.num_gprs = 128;
   p->head.core.lane_varying = true;
   p->stack_entries = 4 * STACK_MAX;
   p->dx10_clamp = true;
   p->tokens = true;
   p->fs_entry = UINT32_MAX;
   p->fp_single = fp_mode_single(pgm_resources_2);
   p->fp_double = fp_mode_double(pgm_resources_2);
   if (legalise(d, &lowered))
      lift(d);
   direct_close(d);
   if (d->b.full ||
       (uint64_t)p->head.num_consts + p->code.num_literals + p->code.num_dynamic > UNI_MAX)
      direct_refuse(d, "too many constants");
   p->head.consts = d->consts;
   p->head.tex = d->tex;
   p->head.vtx = d->vtx;
   p->code.num_uniforms = p->head.num_consts;
   p->code.num_components = d->rows * 4;
   p->code.num_origins = il->ninsts;
   verify(d);
   if (options_debug("uop"))
      print(d);
   list_clears(d);
   out->num_rows = d->rows;
   out->program = &p->head;
   if (d->b.oom || p->head.core.error) {
      snprintf(error, error_size, "%s", p->head.core.error ? p->head.core.error : "out of memory");
      sq_program_release(p);
      memset(out, 0, sizeof(*out));
   }
   direct_temps_free(d);
   free(d->decl.literal);
   free(d->decl.array);
   for (unsigned k = 0; k < 3; k++)
      free(d->decl.def[k]);
   free(d->array_row);
   free(d);
   il_program_free(lowered);
   return out->program != NULL;
}
