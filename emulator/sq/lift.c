/* SPDX-License-Identifier: MIT */
/*
 * Lifts a program: control flow, fetch clauses, and what the draw must bind (sq.h).  Any words give
 * a program; words that cannot run give one with `error` set.
 */
#include "sq/lift.h"

#include "fp.h"
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CFS 65536u
/* What a group leaves in a temporary is for the next one: nothing reads it that many
 * micro-operations after them. */
#define TEMP_LIFE 128u

void
lift_error(struct lift *l, const char *format, ...)
{
   struct program *p = l->p;
   if (p->head.core.error)
      return;
   int n = snprintf(p->message, sizeof(p->message),
                    "%sCF %u: ", l->fetch_shader ? "fetch subroutine, " : "", l->pc);
   va_list args;
   va_start(args, format);
   vsnprintf(p->message + n, sizeof(p->message) - (size_t)n, format, args);
   va_end(args);
   p->head.core.error = p->message;
   p->head.core.error_place = l->pc;
}

struct uop_operand
lift_const(struct lift *l, unsigned bank, uint32_t dword)
{
   uint32_t *count = &l->p->head.num_consts;
   for (uint32_t n = *count; n-- > 0 && n + 256 > *count;)
      if (l->consts[n].bank == bank && l->consts[n].dword == dword)
         return uop_uniform(n);
   if (!uop_grow(&l->b, (void **)&l->consts, *count, &l->cap_consts, sizeof(*l->consts)))
      return uop_uniform(0);
   l->consts[*count] = (struct sq_const_ref){ (uint8_t)bank, dword };
   return uop_uniform((*count)++);
}

/* What is read before it was certainly written is an entry register or must read as zero. */
void
lift_read(struct lift *l, unsigned gpr, unsigned chan)
{
   if (gpr < 128 && !(l->written[gpr] >> chan & 1)) {
      l->read_early[gpr] |= (uint8_t)(1u << chan);
      l->p->head.core.lane_varying = true;
   }
}

void
lift_write(struct lift *l, unsigned gpr, unsigned chan)
{
   if (gpr < 128 && l->depth == 0 && !l->unsure)
      l->written[gpr] |= (uint8_t)(1u << chan);
}

/* ------------------------------------------------------------------------------------------------
 * Control flow
 */
static void
lift_export(struct lift *l, const struct cayman_cf *cf, const uint32_t *words, struct sq_cf *out)
{
   struct sq_program *head = &l->p->head;
   out->type = cf->type;
   out->rw_gpr = cf->rw_gpr;
   out->rw_rel = cf->rw_rel;
   out->index_gpr = cf->index_gpr;
   out->elem_size = cf->elem_size & 3;
   out->burst_count = cf->burst_count;
   out->comp_mask = cf->comp_mask;
   out->array_base = (uint16_t)cayman_get(words[0], CAYMAN_CF_ALLOC_EXPORT_WORD0__ARRAY_BASE);
   out->array_size = cf->array_size;
   out->cost += 4u * (cf->burst_count + 1u);
   memcpy(out->sel, cf->sel, 4);

   for (unsigned b = 0; b <= cf->burst_count && cf->rw_gpr + b < 128; b++) {
      for (unsigned c = 0; c < 4; c++) {
         bool memory = cf->form != CAYMAN_CF_FORM_EXPORT;
         unsigned sel = memory ? (cf->comp_mask >> c & 1 ? c : CAYMAN_SEL_MASK) : cf->sel[c];
         if (sel > 3)
            continue;
         if (cf->rw_rel)
            l->p->clear_gprs = 128;
         else
            lift_read(l, cf->rw_gpr + b, sel);
      }
      if (cf->form != CAYMAN_CF_FORM_EXPORT || cf->type != CAYMAN_EXPORT_PIXEL)
         continue;
      unsigned to = out->array_base + b;
      if (to < 8)
         head->mrt_mask |= 1u << to;
   }
   if (cf->form == CAYMAN_CF_FORM_EXPORT &&
       (cf->type > CAYMAN_EXPORT_PARAM ||
        (cf->type == CAYMAN_EXPORT_PIXEL) != (l->source->stage == SQ_STAGE_PS)))
      lift_error(l, "export type %u in this stage", cf->type);
}

void
lift_scratch(struct lift *l, unsigned base, unsigned array, unsigned burst, unsigned size)
{
   uint32_t dwords = (base + array + burst + 1) * size;
   l->p->head.core.uses_scratch = true;
   if (dwords > l->p->head.core.scratch_dwords)
      l->p->head.core.scratch_dwords = dwords;
}

/* Nobody knows which element of the scatter buffer others read and write: in order, then. */
void
lift_scatter(struct lift *l)
{
   struct sq_program *head = &l->p->head;
   head->uses_scatter = head->core.writes_memory = head->core.ordered = head->core.lane_varying =
      true;
}

static void
lift_mem_export(struct lift *l, const struct cayman_cf *cf, const uint32_t *words,
                struct sq_cf *out)
{
   bool indexed = cf->type == CAYMAN_MEM_WRITE_IND || cf->type == CAYMAN_MEM_WRITE_IND_ACK;
   bool combined = cf->op == CAYMAN_CF_MEM_EXPORT_COMBINED;

   lift_export(l, cf, words, out);
   lift_scatter(l);
   if (combined)
      lift_read(l, cf->rw_gpr, 3);
   else if (indexed)
      lift_read(l, cf->index_gpr, 0);
   if (combined && (indexed || cf->burst_count))
      lift_error(l, "MEM_EXPORT_COMBINED with an index or a burst");
}

/* A RAT operation reads its index and as much of its data as it needs. */
static void
lift_rat(struct lift *l, const struct cayman_cf *cf, const uint32_t *words, struct sq_cf *out)
{
   struct sq_program *head = &l->p->head;
   const struct cayman_op_info *info = cayman_rat_info(cf->rat_op);

   bool combined =
      cf->op == CAYMAN_CF_MEM_RAT_COMBINED || cf->op == CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS;

   lift_export(l, cf, words, out);
   out->rat_id = cf->rat_id;
   out->rat_op = cf->rat_op;
   out->rat_index_mode = cf->rat_index_mode;
   out->rat_compares_w = cayman_five_slots(l->vliw);
   out->cost += 16;
   if (combined)
      lift_read(l, cf->rw_gpr, 3);
   if (combined && cf->burst_count)
      lift_error(l, "%s with a burst", cayman_cf_info(cf->op)->name);
   for (unsigned c = 0; c < 3; c++) {
      if (!combined)
         lift_read(l, cf->index_gpr, c);
      if (cf->rat_op != CAYMAN_RAT_STORE_TYPED)
         lift_read(l, cf->rw_gpr, c);
   }
   if (cf->rat_op == CAYMAN_RAT_MSKOR ||
       (cayman_five_slots(l->vliw) && (cf->rat_op & 31) == CAYMAN_RAT_CMPXCHG_INT))
      lift_read(l, cf->rw_gpr, 3);
   if (!info->name && cf->rat_op != SQ_RAT_STORE_RAW)
      lift_error(l, "not a RAT operation: %u", cf->rat_op);
   head->core.lane_varying = true;
   head->rats |= cf->rat_index_mode ? ~UINT64_C(0) : UINT64_C(1) << cf->rat_id;
   head->core.writes_memory = true;
   switch (cf->rat_op) {
   case CAYMAN_RAT_NOP:
   case CAYMAN_RAT_ADD:
   case CAYMAN_RAT_SUB:
   case CAYMAN_RAT_MIN_INT:
   case CAYMAN_RAT_MIN_UINT:
   case CAYMAN_RAT_MAX_INT:
   case CAYMAN_RAT_MAX_UINT:
   case CAYMAN_RAT_AND:
   case CAYMAN_RAT_OR:
   case CAYMAN_RAT_XOR:
      /* One of these operations commutes with itself, not with the others. */
      if (l->rat_op && cf->rat_op && l->rat_op != cf->rat_op)
         head->core.ordered = true;
      if (cf->rat_op)
         l->rat_op = cf->rat_op;
      break;
   case CAYMAN_RAT_NOP_RTN:
      l->rat_loads = true;
      break;
   default:
      head->core.ordered = true;
      break;
   }
}

/* Operations on the global synchronisation counters (3.8) see the order of waves. */
static void
lift_gws(struct lift *l, const struct cayman_cf *cf, struct sq_cf *out)
{
   struct sq_program *head = &l->p->head;
   head->core.uses_global_sync = head->core.writes_memory = head->core.ordered = true;
   out->gws_op = cf->gws_op;
   out->gws_resource = cf->gws_resource;
   out->gws_value = cf->gws_value;
   if (cf->gws_sign && cf->gws_value >= 512)
      out->gws_value -= 1024;
   out->gws_value_index = cf->gws_val_index_mode;
   out->rat_index_mode = cf->gws_rsrc_index_mode;
   if (cf->gws_val_index_mode > CAYMAN_CF_INDEX_1 &&
       (cf->gws_op == CAYMAN_GWS_INIT || cf->gws_op == CAYMAN_GWS_BARRIER))
      lift_error(l, "not implemented: a value mixed from both indices");
   if (cf->gws_rsrc_index_mode > CAYMAN_CF_INDEX_1)
      lift_error(l, "global wave sync with index mode %u", cf->gws_rsrc_index_mode);
}

static void
lift_jumptable(struct lift *l, const struct cayman_cf *cf)
{
   if (cf->jumptable_sel > SQ_JUMPTABLE_INDEX_1)
      lift_error(l, "jump table selected by %u", cf->jumptable_sel);
}

/* Nesting, for knowing when writes are certain. */
static void
track_depth(struct lift *l, const struct cayman_cf *cf)
{
   const unsigned flow = cayman_cf_info(cf->op)->flow;

   if (flow & (CAYMAN_FLOW_PUSHES | CAYMAN_FLOW_LOOPS))
      l->depth++;
   if (flow & CAYMAN_FLOW_ENDS_LOOP)
      l->depth--;
   l->depth -= (int)cayman_cf_pops(cf->op, cf->pop_count);
   if (flow & CAYMAN_FLOW_SKIPS && l->depth == 0)
      l->unsure = true;
   if (flow & CAYMAN_FLOW_CALLS && (!l->fetch_shader || flow & CAYMAN_FLOW_JUMPS))
      l->unsure = true;
   if (l->depth < 0)
      l->unsure = true;
}

static struct sq_cf *
add_cf(struct lift *l, unsigned op)
{
   struct program *p = l->p;

   if (!uop_grow(&l->b, (void **)&p->cfs, p->num_cfs, &l->cap_cfs, sizeof(*p->cfs)))
      return NULL;
   struct sq_cf *out = &p->cfs[p->num_cfs++];
   memset(out, 0, sizeof(*out));
   out->op = (uint16_t)op;
   out->pc = l->pc;
   out->origin = l->origin + 2 * l->pc;
   out->cost = 4;
   return out;
}

/* Cayman's instruction that does what a five-slot chip's does, where that is another. */
static unsigned
lifted_op(struct lift *l, const struct cayman_cf *cf)
{
   static const struct {
      uint16_t op, whole_quads;
   } wqm[] = {
      { CAYMAN_CF_PUSH, CAYMAN_CF_PUSH_WQM },
      { CAYMAN_CF_POP, CAYMAN_CF_POP_WQM },
      { CAYMAN_CF_ELSE, CAYMAN_CF_ELSE_WQM },
   };

   switch (cf->op) {
   case CAYMAN_CF_VC:
   case CAYMAN_CF_VC_TC:
      return CAYMAN_CF_TC;
   case CAYMAN_CF_VC_ACK:
      return CAYMAN_CF_TC_ACK;
   case CAYMAN_CF_ALU_BREAK:
   case CAYMAN_CF_ALU_CONTINUE:
      return CAYMAN_CF_ALU;
   default:
      break;
   }
   if (!cf->whole_quad_mode || cf->form == CAYMAN_CF_FORM_ALU)
      return cf->op;
   for (unsigned n = 0; n < sizeof(wqm) / sizeof(*wqm); n++)
      if (wqm[n].op == cf->op)
         return wqm[n].whole_quads;
   lift_error(l, "not implemented: %s with WHOLE_QUAD_MODE", cayman_cf_info(cf->op)->name);
   return cf->op;
}

/* MULTIWRITE_ENABLE of R600 and R700: what goes to the first target goes to the others, too. */
static void
export_to_all(struct lift *l, struct sq_cf first)
{
   if (!(l->source->pgm_resources_2 & SOURCE_ALL_TARGETS) || l->source->stage != SQ_STAGE_PS ||
       !cayman_old_words(l->vliw) || first.type != CAYMAN_EXPORT_PIXEL || first.array_base ||
       first.burst_count)
      return;
   for (unsigned n = 1; n < 8; n++) {
      struct sq_cf *out = add_cf(l, first.op);

      if (!out)
         return;
      *out = first;
      out->array_base = (uint16_t)n;
   }
   l->p->head.mrt_mask |= 0xff;
}

/* Lifts what the walker finds in `words`; returns dwords used by the program and its clauses. */
static uint32_t
lift_flow(struct lift *l, const uint32_t *words, size_t num_dwords)
{
   struct program *p = l->p;
   uint32_t first = p->num_cfs;
   size_t used = 0;
   bool ended = false; /* by the instruction before */
   struct cayman_walk w;
   struct cayman_cf cf;
   int status;

   l->words = words;
   /* Dwords of the program come first, those of its fetch subroutine after them. */
   l->origin = l->fetch_shader ? (uint32_t)l->source->num_words : 0;
   cayman_walk_init(&w, l->vliw, words, num_dwords);
   while ((status = cayman_walk_next(&w, &cf)) != CAYMAN_END && !p->head.core.error && !l->b.oom) {
      if (ended && !add_cf(l, CAYMAN_CF_END))
         break;
      ended = cf.end;
      l->pc = w.pc;
      if (status < 0) {
         lift_error(l, "%s", cayman_status_name(status));
         break;
      }
      if (p->num_cfs - first >= MAX_CFS) {
         lift_error(l, "program too long");
         break;
      }
      struct sq_cf *out = add_cf(l, lifted_op(l, &cf));
      if (!out)
         break;
      out->cond = cf.cond;
      out->pop_count = cf.pop_count;
      out->count = cf.count;
      out->cf_const = cf.cf_const;
      out->valid_pixel_mode = cf.valid_pixel_mode;
      out->whole_quad_mode = cf.whole_quad_mode;
      out->jumptable_sel = cf.jumptable_sel;
      out->addr = cf.addr;
      out->target = cf.addr;
      if (w.next * 2u > used)
         used = w.next * 2u;
      if (cf.whole_quad_mode)
         p->head.core.needs_helpers = true;

      if (cayman_cf_is_alu(&cf) || cayman_cf_is_fetch(&cf) || cayman_cf_is_gds(&cf)) {
         const uint32_t *clause;
         size_t size;
         status = cayman_clause(words, num_dwords, &cf, &clause, &size);
         if (status < 0) {
            lift_error(l, "clause: %s", cayman_status_name(status));
            break;
         }
         size_t end = (size_t)(clause - words) + size;
         used = end > used ? end : used;
         const bool pushes = cayman_cf_info(cf.op)->flow & CAYMAN_FLOW_PUSHES;

         if (pushes)
            track_depth(l, &cf);
         if (cayman_cf_is_alu(&cf))
            lift_alu_clause(l, &cf, clause, size, out);
         else
            lift_fetch_clause(l, clause, cf.count + 1u, out);
         if (!pushes)
            track_depth(l, &cf);
         continue;
      }
      track_depth(l, &cf);
      const uint32_t *word = words + 2 * (size_t)w.pc;
      switch (cf.op) {
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
         lift_export(l, &cf, word, out);
         export_to_all(l, *out);
         break;
      case CAYMAN_CF_MEM_RAT:
      case CAYMAN_CF_MEM_RAT_CACHELESS:
      case CAYMAN_CF_MEM_RAT_COMBINED:
      case CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS:
         lift_rat(l, &cf, word, out);
         break;
      case CAYMAN_CF_MEM_EXPORT:
      case CAYMAN_CF_MEM_EXPORT_COMBINED:
         lift_mem_export(l, &cf, word, out);
         break;
      case CAYMAN_CF_GLOBAL_WAVE_SYNC:
         lift_gws(l, &cf, out);
         break;
      case CAYMAN_CF_JUMPTABLE:
         lift_jumptable(l, &cf);
         break;
      case CAYMAN_CF_MEM_WR_SCRATCH:
         lift_scratch(l, cayman_get(word[0], CAYMAN_CF_ALLOC_EXPORT_WORD0__ARRAY_BASE),
                      cf.array_size, cf.burst_count, (cf.elem_size & 3) + 1u);
         /* fall through */
      case CAYMAN_CF_MEM_RING:
      case CAYMAN_CF_MEM_RING1:
      case CAYMAN_CF_MEM_RING2:
      case CAYMAN_CF_MEM_RING3:
         lift_export(l, &cf, word, out);
         if (cf.type == CAYMAN_MEM_WRITE_IND || cf.type == CAYMAN_MEM_WRITE_IND_ACK)
            lift_read(l, cf.index_gpr, 0);
         break;
      case CAYMAN_CF_KILL:
         p->head.core.uses_kill = true;
         break;
      case CAYMAN_CF_CALL_FS:
         if (l->fetch_shader || !l->source->fetch_words)
            lift_error(l, "fetch subroutine called, and there is none");
         break;
      default:
         if (cayman_cf_info(cf.op)->flow & CAYMAN_FLOW_NEVER) {
            lift_error(l, "%s: nothing can wake the wave", cayman_cf_info(cf.op)->name);
            break;
         }
         if (cf.form == CAYMAN_CF_FORM_BRANCH)
            break; /* the engine finds all it needs in the instruction */
         if (cf.op >= CAYMAN_CF_MEM_STREAM0_BUF0 && cf.op <= CAYMAN_CF_MEM_STREAM3_BUF3) {
            lift_export(l, &cf, word, out);
            p->head.uses_stream = true;
            break;
         }
         lift_error(l, "not implemented: %s", cayman_cf_info(cf.op)->name);
         break;
      }
   }

   if (ended)
      add_cf(l, CAYMAN_CF_END);

   /* Targets are CF indices of this program. */
   for (uint32_t n = first; n < p->num_cfs && !p->head.core.error; n++) {
      struct sq_cf *cf_out = &p->cfs[n];
      if (!(cayman_cf_info(cf_out->op)->flow & CAYMAN_FLOW_JUMPS))
         continue;
      uint32_t lo = first, hi = p->num_cfs;
      while (lo < hi) {
         uint32_t mid = lo + (hi - lo) / 2;
         if (p->cfs[mid].pc < cf_out->target)
            lo = mid + 1;
         else
            hi = mid;
      }
      if (lo == p->num_cfs || p->cfs[lo].pc != cf_out->target) {
         l->pc = cf_out->pc;
         lift_error(l, "jump to %u, where no instruction starts", cf_out->target);
         break;
      }
      cf_out->target = lo;
   }
   return (uint32_t)used;
}

/* ------------------------------------------------------------------------------------------------
 * Programs
 */
static void
list_clears(struct program *p, const struct lift *l)
{
   uint32_t count = 0;
   p->clear = malloc((128 * 4 + 10) * sizeof(*p->clear));
   if (!p->clear)
      return;
   for (unsigned g = 0; g < 128; g++) {
      for (unsigned c = 0; c < 4; c++) {
         bool early = l->read_early[g] >> c & 1 || l->unsure || g < p->clear_gprs;
         if (early && (g < p->head.num_gprs || g >= 120 || (l->read_early[g] >> c & 1)))
            p->clear[count++] = REG(g, c);
      }
   }
   for (unsigned n = 0; l->latches && n < 10; n++)
      p->clear[count++] = TEMP(TEMP_GRAD + n);
   p->num_clear = count;
}

/* Exports that are followed by nothing but exports up to the end. */
static void
mark_last_exports(struct program *p)
{
   bool ends = false;

   for (uint32_t n = p->num_cfs; n-- > p->entry;) {
      struct sq_cf *cf = &p->cfs[n];
      const bool exports = cf->op == CAYMAN_CF_EXPORT || cf->op == CAYMAN_CF_EXPORT_DONE;

      if (cf->op == CAYMAN_CF_END)
         ends = true;
      else if (!exports && cf->op != CAYMAN_CF_NOP)
         ends = false;
      cf->ends = ends && exports;
   }
}

/* Whatever the words are, what they become obeys the table. */
static void
verify(struct lift *l)
{
   struct program *p = l->p;
   char message[128];

   for (uint32_t n = 0; n < p->num_cfs; n++) {
      const struct uop_run runs[] = { p->cfs[n].prologue, p->cfs[n].plain, p->cfs[n].masked };
      l->pc = p->cfs[n].pc;
      for (unsigned r = 0; r < 3; r++)
         if (!uop_verify(&p->code, runs[r], message, sizeof(message)))
            lift_error(l, "%s", message);
   }
}

struct program *
sq_lift_program(const struct sq_program_source *source)
{
   struct program *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   struct lift l = { .p = p, .source = source, .vliw = source->vliw, .b = { .code = &p->code } };
   p->stage = source->stage;
   p->forgets = source->forgets;
   p->pool = source->pool;
   p->head.num_gprs = source->pgm_resources & 0xff;
   if (p->head.num_gprs > 128)
      p->head.num_gprs = 128;
   p->head.core.registers = (uint16_t)(4 * p->head.num_gprs);
   p->stack_entries = source->pgm_resources >> 8 & 0xff;
   p->vliw = source->vliw;
   p->dx10_clamp = source->pgm_resources >> 21 & 1;
   uint32_t mode = source->pgm_resources_2;
   p->head.rat_table = mode >> 31; /* RAT_TABLE */
   p->fp_single = fp_mode_single(mode);
   p->fp_double = fp_mode_double(mode);

   /* The subroutine is called first of all, so its writes come before the program's reads. */
   if (source->fetch_words) {
      l.fetch_shader = true;
      p->head.core.fetch_words_used = lift_flow(&l, source->fetch_words, source->num_fetch_words);
      l.fetch_shader = false;
   }
   uint32_t main_entry = p->num_cfs;
   if (cayman_old_words(source->vliw) && source->stage == SQ_STAGE_PS) {
      struct sq_cf *inputs = add_cf(&l, CAYMAN_CF_ALU);

      if (inputs)
         lift_inputs(&l, inputs);
   }
   p->fs_entry = source->fetch_words ? 0 : UINT32_MAX;
   p->head.core.words_used = lift_flow(&l, source->words, source->num_words);
   p->entry = main_entry;
   for (uint32_t n = main_entry; n < p->num_cfs; n++) {
      p->head.alu_groups += p->cfs[n].groups;
      p->head.alu_slots += p->cfs[n].slots;
   }
   mark_last_exports(p);
   /* Otherwise its writes were certain too early. */
   if (main_entry && (main_entry == p->num_cfs || p->cfs[main_entry].op != CAYMAN_CF_CALL_FS))
      l.unsure = true;
   if (l.b.full || p->head.num_consts + p->code.num_literals + p->code.num_dynamic > UNI_MAX)
      lift_error(&l, "too many constants");

   /* What is wrong may lie anywhere: the same again only if all words are the same. */
   if (p->head.core.error) {
      p->head.core.words_used = (uint32_t)source->num_words;
      p->head.core.fetch_words_used = source->fetch_words ? (uint32_t)source->num_fetch_words : 0;
   }
   p->head.core.ordered |= l.rat_loads && l.rat_op;
   p->head.consts = l.consts;
   p->head.tex = l.tex;
   p->head.vtx = l.vtx;
   p->code.num_uniforms = p->head.num_consts;
   p->code.num_components = CORE_WAVE_ROWS;
   p->temps.first = TEMP(0) / COMP_BYTES;
   p->temps.end = p->code.num_components;
   p->temps.life = TEMP_LIFE;
   p->code.num_origins = (uint32_t)(source->num_words + source->num_fetch_words);
   if (!p->head.core.error)
      verify(&l);
   if (!p->head.core.error)
      lift_series(&l);
   if (options_debug("uop"))
      sq_program_print(stderr, p, source);
   list_clears(p, &l);
   if (l.b.oom || !p->clear || (!p->head.core.error && !sq_find_regions(p))) {
      sq_program_release(p);
      return NULL;
   }
   return p;
}

void
sq_program_release(struct program *p)
{
   free((void *)p->head.consts);
   free((void *)p->head.tex);
   free((void *)p->head.vtx);
   free(p->cfs);
   uop_code_free(&p->code);
   free(p->fetches);
   free(p->series);
   free(p->clear);
   free(p->regions);
   free(p->steps);
   free(p->lifted);
   free(p->groups);
   free(p);
}
