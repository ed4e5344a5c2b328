/* SPDX-License-Identifier: MIT */
/*
 * Lifts a Valhall program: every instruction becomes a step.  Here: operands, and what an
 * instruction does to control.  lift_alu.c has the arithmetic, lift_message.c memory.
 */
#include "fp.h"
#include "options.h"
#include "port/tex_op.h"
#include "uop/scalar.h"
#include "valhall/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS    (1u << 20)
#define MAX_LITERALS (UNI_MAX - UNI_CONSTS - VH_CONSTS)

void
vh_fail(struct vh_lift *l, const char *format, ...)
{
   struct vh_program *p = l->p;
   if (p->core.error)
      return;
   int n = snprintf(p->message, sizeof(p->message), "instruction %u: ", l->pc + 1);
   va_list args;
   va_start(args, format);
   vsnprintf(p->message + n, sizeof(p->message) - (size_t)n, format, args);
   va_end(args);
   p->core.error = p->message;
}

struct uop_operand
vh_register(unsigned reg)
{
   return uop_row(ROW(reg));
}

struct uop_operand
vh_temp(struct vh_lift *l)
{
   struct uop_operand to = uop_temp(&l->b);
   if (l->b.out_of_temps)
      vh_fail(l, "%s needs more temporaries than there are", l->info->name);
   return to;
}

struct uop_operand
vh_literal(struct vh_lift *l, uint32_t value)
{
   struct uop_operand v = uop_literal(&l->b, value);
   if (v.at >= MAX_LITERALS || l->b.full)
      vh_fail(l, "the program has more constants than %u", MAX_LITERALS);
   return v;
}

struct uop_operand
vh_op(struct vh_lift *l, enum uop_id op, struct uop_operand a, struct uop_operand b,
      struct uop_operand c)
{
   struct uop_operand to = vh_temp(l);
   uop_emit(&l->b, op, to.at, a, b, c);
   return to;
}

struct uop_operand
vh_imm(struct vh_lift *l, enum uop_id op, uint32_t imm, struct uop_operand a, struct uop_operand b,
       struct uop_operand c)
{
   struct uop_operand to = vh_temp(l);
   uop_emit(&l->b, op, to.at, a, b, c)->p.immediate.bits = imm;
   return to;
}

void
vh_move(struct vh_lift *l, struct uop_operand to, struct uop_operand from)
{
   uop_emit(&l->b, UOP_MOV, to.at, from, from, from);
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */
/* The device's: pointers are windows, and a blend descriptor is its target's number and the address
 * of a blend program. */
static struct uop_operand
device_special(struct vh_lift *l, unsigned entry, unsigned word)
{
   if (l->instr.page == 0) {
      const unsigned n = entry - VALHALL_SPECIAL_0_BLEND_DESCRIPTOR_0;
      const struct vh_text *text = l->text;

      if (entry < VALHALL_SPECIAL_0_BLEND_DESCRIPTOR_0 || n >= VH_BLENDS)
         return vh_literal(l, 0);
      if (!word)
         return vh_literal(l, n);
      return vh_literal(l, text->blend[n]
                              ? (uint32_t)vh_address_of(text->split, text->address, text->blend[n])
                              : 0);
   }
   if (entry == VALHALL_SPECIAL_1_THREAD_LOCAL_POINTER) {
      l->p->core.uses_scratch = true;
      return vh_literal(l, word ? VH_WINDOW_HIGH | VH_WINDOW_THREAD : 0);
   }
   return vh_literal(l, word && entry == VALHALL_SPECIAL_1_WORKGROUP_LOCAL_POINTER
                           ? VH_WINDOW_HIGH | VH_WINDOW_GROUP
                           : 0);
}

static struct uop_operand
special(struct vh_lift *l, unsigned entry, unsigned word)
{
   if (l->p->device && l->instr.page <= 1 &&
       !(l->instr.page == 0 && entry == VALHALL_SPECIAL_0_WARP_ID))
      return device_special(l, entry, word);
   switch (l->instr.page) {
   case 0:
      if (entry == VALHALL_SPECIAL_0_WARP_ID && word == 0)
         return vh_register(ROW_WARP);
      return uop_uniform(UNI_SPECIAL_0 + 2 * entry + word);
   case 1:
      if (entry == VALHALL_SPECIAL_1_THREAD_LOCAL_POINTER) {
         l->p->core.uses_scratch = true;
         return vh_register(ROW_THREAD + word);
      }
      return entry == VALHALL_SPECIAL_1_WORKGROUP_LOCAL_POINTER ? uop_uniform(UNI_WORKGROUP + word)
                                                                : uop_uniform(UNI_RESOURCES + word);
   default: {
      uint64_t pc = vh_address_of(l->text->split, l->text->address, l->pc) + 8;
      if (entry == VALHALL_SPECIAL_3_LANE_ID && word == 0)
         return vh_register(ROW_LANE);
      if (entry == VALHALL_SPECIAL_3_PROGRAM_COUNTER)
         return vh_literal(l, (uint32_t)(pc >> 32 * word));
      return vh_literal(l, 0); /* core_id: there is one core */
   }
   }
}

struct uop_operand
vh_source_word(struct vh_lift *l, unsigned n, unsigned high)
{
   unsigned byte = l->instr.src[n].byte;
   if (valhall_src_is_register(byte))
      return vh_register(((byte & 63) + high) & 63);
   if (valhall_src_is_uniform(byte))
      return uop_uniform(UNI_FAU + (((l->instr.page << 6) + (byte & 63) + high) & 255));
   if (valhall_src_is_special(byte))
      return special(l, byte >> 1 & 15, (byte & 1) | high);
   /* A constant is extended with zeros. */
   return vh_literal(l, high ? 0 : valhall_constant(byte & 31));
}

/* Where a selector puts element e of `count`: its name has a letter (b, h, w) and a digit for each
 * element, or one digit for all. */
static void
selected(const struct vh_lift *l, unsigned n, unsigned e, unsigned bits, unsigned count,
         unsigned *lo, unsigned *width)
{
   const struct valhall_src_info *src = valhall_src_info(l->info->src[n]);
   const struct valhall_value_info *value =
      src->width ? valhall_value(src->en, l->instr.src[n].select) : NULL;
   const char *name = value ? value->name : "none";

   *width = name[0] == 'b' ? 8 : name[0] == 'h' ? 16 : name[0] == 'w' ? 32 : 0;
   if (!*width) {
      *lo = e * bits;
      *width = bits;
      return;
   }
   unsigned digits = 0;
   while (name[1 + digits])
      digits++;
   /* Two for four elements: the first and the last two. */
   unsigned at = digits == 1      ? 0
                 : digits < count ? e * digits / count
                 : e < digits     ? e
                                  : digits - 1;
   *lo = (unsigned)(name[1 + at] - '0') * *width;
}

struct uop_operand
vh_flush(struct vh_lift *l, struct uop_operand a, bool half, uint32_t least_half)
{
   bool flushes = l->flush == VH_FLUSH_ALL || (l->flush == VH_FLUSH_FLOATS && !half);
   if (!flushes || (!half && vh_is_flushed(l, &a)))
      return a;
   return vh_imm(l, UOP_VH_FTZ, half ? least_half : LEAST_FLOAT, a, a, a);
}

/* A half that is known, and neither a denormal nor special, as a float. */
static bool
known_half(const struct vh_lift *l, const struct uop_operand *word, unsigned lo, uint32_t *value)
{
   uint32_t half;

   if (!vh_operand_value(l, word, &half))
      return false;
   half = half >> lo & 0xffff;
   const uint32_t exponent = half >> 10 & 31, rest = half & 0x7fff;
   *value = (half & 0x8000) << 16 | (rest ? (rest << 13) + (112u << 23) : 0);
   return !rest || (exponent && exponent < 31);
}

struct uop_operand
vh_element(struct vh_lift *l, unsigned n, unsigned e, unsigned bits, unsigned count, unsigned class)
{
   struct uop_operand raw = vh_source_word(l, n, 0);
   unsigned lo, width;
   uint32_t value;

   selected(l, n, e, bits, count, &lo, &width);
   if (width < 32) {
      if (class == VALHALL_CLASS_F && width == 16 && known_half(l, &raw, lo, &value)) {
         raw = vh_literal(l, value);
      } else if (class == VALHALL_CLASS_F) {
         raw = lo ? vh_op(l, UOP_LSHR_INT, raw, vh_literal(l, lo), raw) : raw;
         raw = vh_op(l, UOP_FLT16_TO_FLT32, raw, raw, raw);
      } else {
         raw = vh_op(l, class == VALHALL_CLASS_S ? UOP_BFE_INT : UOP_BFE_UINT, raw,
                     vh_literal(l, lo), vh_literal(l, width));
      }
   }
   if (class == VALHALL_CLASS_F)
      raw = vh_flush(l, raw, width == 16, LEAST_HALF);
   raw.mods = (uint8_t)((l->instr.src[n].abs ? UOP_ABS : 0) | (l->instr.src[n].neg ? UOP_NEG : 0));
   return raw;
}

/* ------------------------------------------------------------------------------------------------
 * Control
 */
static void
lift_condition(struct vh_lift *l, struct vh_step *step)
{
   step->condition = vh_source_word(l, 0, 0);
}

/* Operations that take floats apart, or put them together, as integers: the host's arithmetic
 * flushes none of their denormals. */
static bool
looks_at_bits(unsigned exec)
{
   switch (exec) {
   case VALHALL_EXEC_FLUSH:
   case VALHALL_EXEC_FREXPM:
   case VALHALL_EXEC_FREXPE:
   case VALHALL_EXEC_FLOGD:
   case VALHALL_EXEC_FADD_LSCALE:
   case VALHALL_EXEC_LDEXP:
   case VALHALL_EXEC_FEXP:
   case VALHALL_EXEC_FMA_RSCALE:
   case VALHALL_EXEC_FMA_RSCALE_N:
   case VALHALL_EXEC_FMA_RSCALE_LEFT:
   case VALHALL_EXEC_FMA_RSCALE_SCALE16:
   case VALHALL_EXEC_CUBE_SSEL:
   case VALHALL_EXEC_CUBE_TSEL:
   case VALHALL_EXEC_CUBEFACE1:
   case VALHALL_EXEC_CUBEFACE2:
      return true;
   default:
      return false;
   }
}

static void
lift_instr(struct vh_lift *l, struct vh_step *step)
{
   const struct valhall_info *info = l->info;

   switch (info->exec) {
   case VALHALL_EXEC_NOP:
      return;
   case VALHALL_EXEC_BARRIER:
      step->control = VH_BARRIER;
      return;
   case VALHALL_EXEC_BRANCHZ:
      step->control = VH_BRANCH;
      step->eq = valhall_get(&l->instr, VALHALL_MOD_EQ);
      step->combine = l->instr.src[0].select;
      step->target =
         vh_place_behind(l->text->split, l->text->count, l->pc, (int32_t)l->instr.imm[0]);
      lift_condition(l, step);
      return;
   case VALHALL_EXEC_UNDOCUMENTED:
      vh_fail(l, "%s: %s", info->name, valhall_exec_text(info->exec));
      return;
   case VALHALL_EXEC_LOAD:
   case VALHALL_EXEC_LD_BUFFER:
   case VALHALL_EXEC_LEA_BUFFER:
   case VALHALL_EXEC_STORE:
   case VALHALL_EXEC_ATOM:
   case VALHALL_EXEC_ATOM_RETURN:
   case VALHALL_EXEC_ATOM1_RETURN:
      vh_lift_message(l);
      return;
   default:
      if (info->exec >= VALHALL_EXEC_LD_ATTR) {
         if (l->p->device)
            vh_lift_device(l, step);
         else
            vh_fail(l, "%s: %s", info->name, valhall_exec_text(info->exec));
         return;
      }
      if (info->shape == VALHALL_SHAPE_PAIR) {
         vh_lift_pair(l);
      } else {
         const unsigned flush = l->flush;
         if (looks_at_bits(info->exec))
            l->flush = l->source->flush;
         vh_lift_alu(l);
         l->flush = flush;
      }
      if (info->exec == VALHALL_EXEC_DISCARD) {
         step->control = VH_DISCARD;
         if (l->p->code.num_uops)
            step->condition = uop_row(l->p->code.uops[l->p->code.num_uops - 1].dst);
      }
      return;
   }
}

static void
verify(struct vh_lift *l)
{
   const struct vh_program *p = l->p;
   char message[128];

   for (l->pc = 0; l->pc < p->num_steps && !p->core.error && !l->b.oom; l->pc++) {
      const struct uop_run run = { p->steps[l->pc].first, p->steps[l->pc].count };
      if (!uop_verify(&p->code, run, message, sizeof(message)))
         vh_fail(l, "%s", message);
   }
}

static void
listing(FILE *out, void *data, uint32_t origin)
{
   const struct vh_lift *l = data;
   size_t length;
   char *text = valhall_disassemble(&l->text->words[origin], 1, &length);

   fprintf(out, "  %5u  %s", origin, text ? text : "?\n");
   free(text);
}

static void
print(struct vh_lift *l)
{
   fprintf(stderr, "micro-operations of a Valhall program\n");
   uop_print(stderr, &l->p->code, (struct uop_run){ 0, l->p->code.num_uops }, listing, l);
}

/* Lanes stop after an instruction, which the engine then looks at. */
static bool
ends_block(const struct vh_step *step)
{
   return step->control != VH_NEXT || step->flow == VALHALL_FLOW_END ||
          step->flow == VALHALL_FLOW_DISCARD;
}

static bool
make_blocks(struct vh_lift *l, const bool *targets)
{
   struct vh_program *p = l->p;
   struct uop_run *runs = calloc(p->num_steps + 1, sizeof(*runs));
   bool *starts = calloc(p->num_steps + 1, sizeof(*starts));
   bool ok = runs && starts;

   for (uint32_t n = 0; ok && n < p->num_steps; n++) {
      const struct vh_step *step = &p->steps[n];
      runs[n] = (struct uop_run){ step->first, step->count };
      starts[n + 1] |= ends_block(step);
      starts[n] |= targets[n];
   }
   ok = ok && uop_blocks_make(&p->blocks, p->num_steps, runs, starts);
   for (uint32_t n = 0; ok && n < p->blocks.count; n++) {
      struct uop_block *b = &p->blocks.blocks[n];
      const struct vh_step *last = &p->steps[b->first + b->count - 1];
      if (last->control == VH_DISCARD && last->condition.kind == UOP_ROW)
         b->kept[0] = last->condition.at / COMP_BYTES;
   }
   free(runs);
   free(starts);
   return ok;
}

/* Where the first program of a vertex ends: the second one goes on, with registers that are its
 * own. */
static void
go_to_second(struct vh_lift *l, struct vh_step *step)
{
   if (step->control != VH_NEXT) {
      vh_fail(l, "%s ends the program of a position", l->info->name);
      return;
   }
   for (unsigned n = 0; n < VH_VERTEX_KEPT; n++)
      vh_move(l, vh_register(VH_VERTEX_FIRST + n), vh_register(ROW_VERTEX + n));
   step->flow = VALHALL_FLOW_NONE;
   step->control = VH_JUMP;
   step->target = l->text->second;
}

/* One after the other; those that control does not come to are left empty. */
static void
lift_steps(struct vh_lift *l)
{
   const struct vh_reach *reach = l->reach;
   struct isa_error error;

   for (l->pc = 0; l->pc < reach->count && !l->p->core.error && !l->b.oom; l->pc++) {
      struct vh_program *p = l->p;
      struct vh_step step = { .first = p->code.num_uops };

      if (!uop_grow(&l->b, (void **)&p->steps, p->num_steps, &p->cap_steps, sizeof(*p->steps)))
         return;
      if (reach->target[l->pc])
         vh_forget(l);
      if (l->p->mali && !l->pc && !reach->target[0] && l->p->stage == CORE_VERTEX)
         l->known[VH_LINEAR] = true; /* and zero: each vertex has outputs of its own */
      if (reach->reached[l->pc]) {
         step.entry = reach->entry[l->pc];
         if (!valhall_decode(l->text->words[l->pc], &l->instr, &error)) {
            vh_fail(l, "%s", error.text);
            return;
         }
         step.flow = l->instr.flow;
         l->info = valhall_info(l->instr.opcode);
         l->b.origin = l->pc;
         uop_free_temps(&l->b, 0);
         lift_instr(l, &step);
         if (l->pc < l->text->second && step.flow == VALHALL_FLOW_END)
            go_to_second(l, &step);
         vh_learn(l, step.first);
         step.count = p->code.num_uops - step.first;
      }
      p->steps[p->num_steps++] = step;
   }
}

/* Whether the coverage of a pixel may be another than SC's: something but ATEST writes its
 * register, or ATEST reads another. */
static void
find_coverage(struct vh_lift *l)
{
   for (uint32_t pc = 0; pc < l->reach->count; pc++) {
      struct valhall_instr instr;

      if (!l->reach->reached[pc] || !valhall_decode(l->text->words[pc], &instr, NULL))
         continue;
      const unsigned exec = valhall_info(instr.opcode)->exec;
      if (exec == VALHALL_EXEC_ATEST || exec == VALHALL_EXEC_ZS_EMIT) {
         const unsigned byte = instr.src[exec == VALHALL_EXEC_ATEST ? 0 : 2].byte;
         l->covers |= !valhall_src_is_register(byte) || (byte & 63) != 60;
      } else {
         l->covers |= (valhall_writes(&instr) & UINT64_C(1) << 60) != 0;
      }
   }
}

/* Levels that the quad's coordinates say. */
static bool
samples_by_quad(unsigned op)
{
   return op == TD_SAMPLE || op == TD_SAMPLE_LB || op == TD_SAMPLE_C || op == TD_SAMPLE_C_LB ||
          op == TD_GET_LOD;
}

/* Rows after the registers that differ between lanes. */
static void
look_at_operand(struct vh_program *p, const struct uop_operand *o)
{
   if (o->kind != UOP_ROW)
      return;
   p->core.lane_varying |= o->at >= ROW(ROW_LANE) && o->at < ROW(ROW_TEMP);
   p->numbers |= o->at >= ROW(ROW_LANE) && o->at <= ROW(ROW_WARP);
}

static bool
is_of_bits(const struct uop *u)
{
   const struct uop_info *info = &uop_infos[u->op];

   if (u->op == UOP_MOV)
      return u->scale == UOP_SCALE_1 && !u->clamp;
   return info->effect == UOP_EFFECT_LANE && info->result == UOP_RESULT_B &&
          info->operands == strspn(info->kinds, "b");
}

/* Messages after which a program computes nothing with floats. */
static void
find_last_messages(struct vh_program *p)
{
   for (uint32_t n = 0; n < p->num_steps; n++)
      if (p->steps[n].control != VH_NEXT && p->steps[n].control != VH_DISCARD)
         return;
   for (uint32_t n = p->code.num_uops; n-- > 0;) {
      const struct uop *u = &p->code.uops[n];

      if (u->op == UOP_VH_MESSAGE)
         p->messages[u->p.message.number].last = true;
      else if (!is_of_bits(u))
         return;
   }
}

/* What the device's launchers ask of a program. */
static void
describe(struct vh_lift *l)
{
   struct vh_program *p = l->p;
   const uint64_t preloaded = UINT64_C(31) << 58; /* of pixels */

   p->core.scratch_dwords = p->device ? UINT32_MAX : 0;
   p->core.uses_kill = p->core.needs_helpers = false;
   for (uint32_t n = 0; n < p->num_steps; n++) {
      p->core.uses_kill |= p->steps[n].control == VH_DISCARD;
      look_at_operand(p, &p->steps[n].condition);
   }
   for (uint32_t n = 0; n < p->code.num_uops; n++) {
      const uint16_t op = p->code.uops[n].op;
      const bool asks_lanes = op == UOP_VH_CLPER || op == UOP_VH_WMASK;
      p->core.needs_helpers |= asks_lanes || uop_infos[op].effect == UOP_EFFECT_QUAD;
      p->core.lane_varying |= asks_lanes;
      for (unsigned i = 0; i < 3; i++)
         look_at_operand(p, &p->code.uops[n].src[i]);
   }
   for (uint32_t n = 0; n < p->num_messages; n++) {
      const struct vh_message *m = &p->messages[n];
      p->core.needs_helpers |= samples_by_quad(m->texture.op);
   }
   p->core.lane_varying |= p->core.loads_tile || p->core.stores_tile;
   p->core.lane_varying |= p->coefficients || p->takes_z || p->takes_w || (p->live & preloaded);
   p->core.ordered = p->core.writes_memory;
   p->gradients = l->gradients;
   find_last_messages(p);
   p->reads.consts = p->consts;
   p->reads.vtx = p->vtx;
   p->reads.tex = p->tex;
}

static bool
lift_words(struct vh_lift *l)
{
   const struct vh_text *text = l->text;
   struct vh_reach reach;
   bool ok = vh_find_reached(text, &reach);

   if (ok) {
      if (!text->device && !l->source->open) {
         /* A tool's program is all that it is given, so that every word of it is checked. */
         memset(reach.reached, true, text->count * sizeof(*reach.reached));
         reach.count = (uint32_t)text->count;
      }
      l->reach = &reach;
      l->p->core.words_used = 2 * (reach.count < text->program ? reach.count : text->program);
      if (text->blend_words)
         l->p->core.fetch_words_used = 2 * text->blend_words;
      find_coverage(l);
      if (text->device)
         l->p->live = vh_live_at_entry(text, &reach, !l->covers);
      lift_steps(l);
      l->p->code.num_uniforms = UNI_CONSTS + l->p->reads.num_consts;
      l->p->code.num_messages = l->p->num_messages;
      describe(l);
      verify(l);
      if (options_debug("uop"))
         print(l);
      ok = !l->b.oom && make_blocks(l, reach.target);
   }
   vh_end_reach(&reach);
   return ok;
}

struct vh_program *
vh_lift(const struct vh_source *source)
{
   struct vh_lift l = { .source = source };
   l.p = calloc(1, sizeof(*l.p));
   if (!l.p)
      return NULL;
   if (source->count == 0 || source->count > MAX_WORDS) {
      vh_fail(&l, source->count ? "the program is too long" : "there is no program");
      return l.p;
   }
   if (source->flush > VH_FLUSH_ALL) {
      vh_fail(&l, "no document says what flush mode %u does", source->flush);
      return l.p;
   }
   l.flush = source->flush;
   l.p->fp_mode = FP_DEFAULT;
   if (source->device && source->flush == VH_FLUSH_FLOATS) {
      /* The host's arithmetic does the same: halves that are floats are no denormals. */
      l.p->fp_mode |= FP_FLUSH_IN | FP_FLUSH_OUT;
      l.flush = VH_FLUSH_NONE;
      l.host_flushes = true;
   }
   l.b = (struct uop_builder){
      .code = &l.p->code,
      .first_temp = ROW_TEMP,
      .end_temp = VH_ROWS,
   };
   l.p->code.num_components = VH_ROWS;
   l.p->device = source->device;
   l.p->mali = source->mali;
   l.p->stage = source->stage;
   struct vh_text text;
   bool ok = vh_make_text(&text, source);
   if (ok) {
      l.text = &text;
      l.p->code.num_origins = (uint32_t)text.count;
      l.p->split = text.split;
      l.p->second = text.second;
      memcpy(l.p->address, text.address, sizeof(text.address));
      ok = lift_words(&l);
   }
   free(text.joined);
   if (!ok) {
      vh_release(l.p);
      return NULL;
   }
   return l.p;
}

void
vh_release(struct vh_program *program)
{
   if (program) {
      free(program->steps);
      uop_code_free(&program->code);
      uop_blocks_free(&program->blocks);
      free(program->messages);
      free(program->consts);
      free(program->vtx);
      free(program->tex);
      free(program);
   }
}
