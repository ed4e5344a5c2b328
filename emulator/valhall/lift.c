/* SPDX-License-Identifier: MIT */
/*
 * Lifts a Valhall program: every instruction becomes a step.  Here: operands, and what an
 * instruction does to control.  lift_alu.c has the arithmetic, lift_message.c memory.
 */
#include "valhall/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_WORDS (1u << 20)

void
K(vh_fail)(struct vh_lift *l, const char *format, ...)
{
   struct vh_program *p = l->p;
   if (p->error) {
      return;
   }
   int n = snprintf(p->message, sizeof(p->message), "instruction %u: ", l->pc + 1);
   va_list args;
   va_start(args, format);
   vsnprintf(p->message + n, sizeof(p->message) - (size_t)n, format, args);
   va_end(args);
   p->error = p->message;
}

/* Room for one more in an array of the program. */
static bool
grow(struct vh_lift *l, void **array, uint32_t count, uint32_t *capacity, size_t size)
{
   if (count < *capacity) {
      return true;
   }
   uint32_t more = *capacity ? 2 * *capacity : 64;
   void *p = realloc(*array, more * size);
   if (!p) {
      l->oom = true;
      return false;
   }
   *array = p;
   *capacity = more;
   return true;
}

struct vh_operand
K(vh_register)(unsigned reg)
{
   return (struct vh_operand){ ROW(reg), false, ~0u, 0 };
}

static struct vh_operand
uniform(uint32_t dword)
{
   return (struct vh_operand){ 4 * dword, true, ~0u, 0 };
}

struct vh_operand
K(vh_temp)(struct vh_lift *l)
{
   if (ROW_TEMP + l->temps >= VH_ROWS) {
      K(vh_fail)(l, "%s needs more temporaries than there are", l->info->name);
      return K(vh_register)(ROW_TEMP);
   }
   return K(vh_register)(ROW_TEMP + l->temps++);
}

struct vh_operand
K(vh_literal)(struct vh_lift *l, uint32_t value)
{
   struct vh_program *p = l->p;
   for (uint32_t i = 0; i < p->num_literals; i++) {
      if (p->literals[i] == value) {
         return uniform(UNI_LITERALS + i);
      }
   }
   if (p->num_literals == UNI_MAX - UNI_LITERALS) {
      K(vh_fail)(l, "the program has more constants than %u", p->num_literals);
      return uniform(UNI_LITERALS);
   }
   if (grow(l, (void **)&p->literals, p->num_literals, &p->cap_literals, sizeof(uint32_t))) {
      p->literals[p->num_literals] = value;
      return uniform(UNI_LITERALS + p->num_literals++);
   }
   return uniform(0);
}

struct uop *
K(vh_emit)(struct vh_lift *l, uop_fn *fn, struct vh_operand to, unsigned num_src,
           const struct vh_operand *src)
{
   struct vh_program *p = l->p;
   if (!grow(l, (void **)&p->uops, p->num_uops, &p->cap_uops, sizeof(struct uop))) {
      return &l->nowhere;
   }
   struct uop *u = &p->uops[p->num_uops++];
   *u = (struct uop){ .fn = fn, .dst = to.offset, .length = 1 };
   for (unsigned n = 0; n < 3; n++) {
      /* Operands that are not there read the first: every handler may load three. */
      const struct vh_operand *o = &src[n < num_src ? n : 0];
      u->src[n] = o->offset;
      u->uni |= (uint8_t)(o->uni << n);
      u->keep[n] = o->keep;
      u->flip[n] = o->flip;
      u->mods |= (uint8_t)((o->keep != ~0u || o->flip != 0) << n);
   }
   return u;
}

struct vh_operand
K(vh_sq)(struct vh_lift *l, unsigned op, unsigned num_src, struct vh_operand a, struct vh_operand b,
         struct vh_operand c)
{
   struct vh_operand to = K(vh_temp)(l), src[3] = { a, b, c };
   K(vh_emit)(l, K(sq_alu_fn)(op), to, num_src, src)->op = (uint16_t)op;
   return to;
}

struct vh_operand
K(vh_own)(struct vh_lift *l, enum vh_uop op, uint32_t imm, struct vh_operand a, struct vh_operand b,
          struct vh_operand c)
{
   struct vh_operand to = K(vh_temp)(l), src[3] = { a, b, c };
   K(vh_emit)(l, K(vh_uop_fn)(op), to, 3, src)->imm[0] = imm;
   return to;
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */
static struct vh_operand
special(struct vh_lift *l, unsigned entry, unsigned word)
{
   switch (l->instr.page) {
   case 0:
      if (entry == VALHALL_SPECIAL_0_WARP_ID && word == 0) {
         return K(vh_register)(ROW_WARP);
      }
      return uniform(UNI_SPECIAL_0 + 2 * entry + word);
   case 1:
      return entry == VALHALL_SPECIAL_1_THREAD_LOCAL_POINTER ? K(vh_register)(ROW_THREAD + word)
             : entry == VALHALL_SPECIAL_1_WORKGROUP_LOCAL_POINTER ? uniform(UNI_WORKGROUP + word)
                                                                  : uniform(UNI_RESOURCES + word);
   default: {
      uint64_t pc = l->source->address + 8 * ((uint64_t)l->pc + 1);
      if (entry == VALHALL_SPECIAL_3_LANE_ID && word == 0) {
         return K(vh_register)(ROW_LANE);
      }
      if (entry == VALHALL_SPECIAL_3_PROGRAM_COUNTER) {
         return K(vh_literal)(l, (uint32_t)(pc >> 32 * word));
      }
      return K(vh_literal)(l, 0); /* core_id: there is one core */
   }
   }
}

struct vh_operand
K(vh_source_word)(struct vh_lift *l, unsigned n, unsigned high)
{
   unsigned byte = l->instr.src[n].byte;
   if (valhall_src_is_register(byte)) {
      return K(vh_register)(((byte & 63) + high) & 63);
   }
   if (valhall_src_is_uniform(byte)) {
      return uniform(UNI_FAU + (((l->instr.page << 6) + (byte & 63) + high) & 255));
   }
   if (valhall_src_is_special(byte)) {
      return special(l, byte >> 1 & 15, (byte & 1) | high);
   }
   /* A constant is extended with zeros. */
   return K(vh_literal)(l, high ? 0 : valhall_constant(byte & 31));
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
   while (name[1 + digits]) {
      digits++;
   }
   /* Two for four elements: the first and the last two. */
   unsigned at = digits == 1      ? 0
                 : digits < count ? e * digits / count
                 : e < digits     ? e
                                  : digits - 1;
   *lo = (unsigned)(name[1 + at] - '0') * *width;
}

struct vh_operand
K(vh_flush)(struct vh_lift *l, struct vh_operand a, bool half, uint32_t least_half)
{
   bool flushes = l->flush == VH_FLUSH_ALL || (l->flush == VH_FLUSH_FLOATS && !half);
   return flushes ? K(vh_own)(l, VH_FTZ, half ? least_half : LEAST_FLOAT, a, a, a) : a;
}

struct vh_operand
K(vh_element)(struct vh_lift *l, unsigned n, unsigned e, unsigned bits, unsigned count,
              unsigned class)
{
   struct vh_operand raw = K(vh_source_word)(l, n, 0);
   unsigned lo, width;

   selected(l, n, e, bits, count, &lo, &width);
   if (width < 32) {
      if (class == VALHALL_CLASS_F) {
         raw = lo ? K(vh_sq)(l, CAYMAN_ALU_LSHR_INT, 2, raw, K(vh_literal)(l, lo), raw) : raw;
         raw = K(vh_sq)(l, CAYMAN_ALU_FLT16_TO_FLT32, 1, raw, raw, raw);
      } else {
         raw = K(vh_sq)(l, class == VALHALL_CLASS_S ? CAYMAN_ALU_BFE_INT : CAYMAN_ALU_BFE_UINT, 3,
                        raw, K(vh_literal)(l, lo), K(vh_literal)(l, width));
      }
   }
   if (class == VALHALL_CLASS_F) {
      raw = K(vh_flush)(l, raw, width == 16, LEAST_HALF);
   }
   if (l->instr.src[n].abs) {
      raw.keep = 0x7fffffffu;
   }
   if (l->instr.src[n].neg) {
      raw.flip = 0x80000000u;
   }
   return raw;
}

/* ------------------------------------------------------------------------------------------------
 * Control
 */
static void
lift_condition(struct vh_lift *l, struct vh_step *step)
{
   struct vh_operand o = K(vh_source_word)(l, 0, 0);
   step->condition.src[0] = o.offset;
   step->condition.uni = o.uni;
   step->condition.mods = 0;
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
      step->target = (int64_t)l->pc + 1 + (int32_t)l->instr.imm[0];
      lift_condition(l, step);
      return;
   case VALHALL_EXEC_WAITS_ATTRIBUTE:
   case VALHALL_EXEC_WAITS_VARYING:
   case VALHALL_EXEC_WAITS_TEXTURE:
   case VALHALL_EXEC_WAITS_TILE:
   case VALHALL_EXEC_WAITS_BLEND:
   case VALHALL_EXEC_UNDOCUMENTED:
      K(vh_fail)(l, "%s: %s", info->name, valhall_exec_text(info->exec));
      return;
   case VALHALL_EXEC_LOAD:
   case VALHALL_EXEC_LD_BUFFER:
   case VALHALL_EXEC_LEA_BUFFER:
   case VALHALL_EXEC_STORE:
   case VALHALL_EXEC_ATOM:
   case VALHALL_EXEC_ATOM_RETURN:
   case VALHALL_EXEC_ATOM1_RETURN:
      K(vh_lift_message)(l, step);
      return;
   default:
      if (info->shape == VALHALL_SHAPE_PAIR) {
         K(vh_lift_pair)(l);
      } else {
         K(vh_lift_alu)(l);
      }
      if (info->exec == VALHALL_EXEC_DISCARD) {
         step->control = VH_DISCARD;
         step->condition = l->p->uops[l->p->num_uops - 1];
         step->condition.src[0] = step->condition.dst;
         step->condition.uni = step->condition.mods = 0;
      }
      return;
   }
}

struct vh_program *
K(vh_lift)(const struct vh_source *source)
{
   struct vh_lift l = { .source = source };
   struct isa_error error;

   l.p = calloc(1, sizeof(*l.p));
   if (!l.p) {
      return NULL;
   }
   if (source->count == 0 || source->count > MAX_WORDS) {
      K(vh_fail)(&l, source->count ? "the program is too long" : "there is no program");
      return l.p;
   }
   if (source->flush > VH_FLUSH_ALL) {
      K(vh_fail)(&l, "no document says what flush mode %u does", source->flush);
      return l.p;
   }
   l.flush = source->flush;
   for (l.pc = 0; l.pc < source->count && !l.p->error && !l.oom; l.pc++) {
      struct vh_program *p = l.p;
      if (!valhall_decode(source->words[l.pc], &l.instr, &error)) {
         K(vh_fail)(&l, "%s", error.text);
         break;
      }
      if (!grow(&l, (void **)&p->steps, p->num_steps, &p->cap_steps, sizeof(*p->steps))) {
         break;
      }
      struct vh_step step = { .first = p->num_uops, .flow = l.instr.flow };
      l.info = valhall_info(l.instr.opcode);
      l.temps = 0;
      lift_instr(&l, &step);
      step.count = p->num_uops - step.first;
      p->steps[p->num_steps++] = step;
   }
   if (l.oom) {
      K(vh_free)(l.p);
      return NULL;
   }
   return l.p;
}

void
K(vh_free)(struct vh_program *program)
{
   if (program) {
      free(program->steps);
      free(program->uops);
      free(program->messages);
      free(program->literals);
      free(program);
   }
}

const char *
K(vh_error)(const struct vh_program *program)
{
   return program->error;
}
