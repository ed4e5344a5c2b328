/* SPDX-License-Identifier: MIT */
/*
 * Runs a program directly and compiled; see case.h.  A compute program is what the tools' machine
 * runs; its results are memory.  The other stages are one wave (waves.c, stages.c).
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/attila/attila_compile.h"
#include "compiler/cayman/cayman_compile.h"
#include "compiler/valhall/valhall_compile.h"
#include "il/conventions.h"
#include "machine.h"

#include "maker.h"
#include "wave.h"

#define BUDGET (1u << 27)

/* --- bounds ----------------------------------------------------------------------------------- */
static float
float_of(uint32_t bits)
{
   float f;

   memcpy(&f, &bits, 4);
   return f;
}

/* Floats in their order, denormals as the zeros that they may become. */
static int64_t
ordinal(uint32_t bits)
{
   const int64_t magnitude = bits & 0x7fffffff;
   const int64_t place = magnitude < 0x00800000 ? 0 : magnitude - 0x007fffff;

   return bits >> 31 ? -place : place;
}

bool
is_near(uint32_t direct, uint32_t compiled, const struct shader_bound *bound)
{
   const float a = float_of(direct), b = float_of(compiled);

   if (direct == compiled)
      return true;
   if (!bound->ulps && !(bound->absolute > 0))
      return false;
   if (a != a || b != b)
      return a != a && b != b;
   const int64_t apart = ordinal(direct) - ordinal(compiled);
   return (apart < 0 ? -apart : apart) <= bound->ulps ||
          (a - b <= bound->absolute && b - a <= bound->absolute);
}

/* --- work groups ------------------------------------------------------------------------------ */
static uint32_t images[2][MACHINE_IMAGES][IMAGE_DWORDS];

static void
take_views(struct machine *m, const struct views *v, unsigned side)
{
   memcpy(m->texture, v->texture, sizeof(m->texture));
   memcpy(m->sampler, v->sampler, sizeof(m->sampler));
   memcpy(m->image, v->image, sizeof(m->image));
   for (unsigned n = 0; n < MACHINE_IMAGES; n++)
      m->image_out[n] = images[side][n];
}

bool
compare_images(const struct views *v, uint32_t (*direct)[IMAGE_DWORDS],
               uint32_t (*compiled)[IMAGE_DWORDS], char *error, size_t size)
{
   for (unsigned n = 0; n < MACHINE_IMAGES; n++) {
      uint32_t count = v->image[n].there ? machine_views_read(NULL, &v->image[n], n, NULL) : 0;
      for (uint32_t i = 0; i < count; i++) {
         if (direct[n][i] != compiled[n][i]) {
            snprintf(error, size, "image %u, dword %u: %08x directly, %08x compiled", n, i,
                     direct[n][i], compiled[n][i]);
            return false;
         }
      }
   }
   return true;
}

static uint32_t memory[2][4][UAV_DWORDS + MACHINE_PADDING];

const uint32_t *
group_uav(unsigned n)
{
   return memory[0][n];
}

static enum outcome
run_groups(const struct il_program *il, const struct shader_code *shader, unsigned flags,
           const struct inputs *in, char *error, size_t size)
{
   static uint32_t constant[NUM_CONSTS * 4 + MACHINE_PADDING], srv[UAV_DWORDS + MACHINE_PADDING];
   static uint32_t driver[(SHADER_ICB_FIRST_VEC4 + 8) * 4 + MACHINE_PADDING];
   char why[200] = "";

   memcpy(constant, in->constant, sizeof(in->constant));
   memcpy(srv, in->uav[1], sizeof(in->uav[1]));
   memset(driver, 0, sizeof(driver));
   driver[IL_DRV_GRID * 4] = CS_GROUPS;
   driver[IL_DRV_GRID * 4 + 1] = driver[IL_DRV_GRID * 4 + 2] = 1;
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++)
      driver[IL_DRV_CUBES * 4 + n] = in->views.texture[n].depth;
   for (unsigned i = 0; i < shader->num_icb * 4 && i < 32; i++)
      driver[SHADER_ICB_FIRST_VEC4 * 4 + i] = shader->icb[i];
   for (unsigned side = 0; side < 2; side++) {
      struct machine m = {
         .isa = flags & CASE_EVERGREEN ? ISA_ID_evergreen : ISA_ID_cayman,
         .words = shader->words,
         .num_dwords = shader->num_dwords,
         .num_gprs = shader->num_gprs > 2 ? shader->num_gprs : 2,
         .stack_entries = shader->stack_size,
         .direct = side ? NULL : il,
         .lds_bytes = 4 * shader->cs.lds_dwords,
         .threads = { shader->cs.block[0], shader->cs.block[1], shader->cs.block[2] },
         .groups = { CS_GROUPS, 1, 1 },
         .budget = BUDGET,
      };
      take_views(&m, &in->views, side);
      for (unsigned n = 0; n < 4; n++) {
         memcpy(memory[side][n], in->uav[n < 3 ? n : 2], sizeof(in->uav[n < 3 ? n : 2]));
         m.buffer[n < 3 ? n : ARENA_BUFFER] =
            (struct machine_buffer){ memory[side][n], UAV_DWORDS };
      }
      m.buffer[SRV_BUFFER] = m.buffer[SRV_STRUCTS] = (struct machine_buffer){ srv, UAV_DWORDS };
      m.constant[0] = (struct machine_buffer){ constant, NUM_CONSTS * 4 };
      m.constant[IL_DRIVER_CB] = (struct machine_buffer){ driver, (SHADER_ICB_FIRST_VEC4 + 8) * 4 };
      const bool valhall = side && (flags & CASE_VALHALL);
      if (!(valhall ? groups_valhall(&m, shader, flags & CASE_INTERPRET, why, sizeof(why))
                    : machine_run(&m, why, sizeof(why)))) {
         snprintf(error, size, "%s: %s", side ? "compiled" : "directly", why);
         return BROKEN;
      }
   }
   for (unsigned n = 0; n < 4; n++) {
      for (unsigned i = 0; i < UAV_DWORDS; i++) {
         const struct shader_bound *bound =
            bound_of(in, n ? 0 : i / 4 % NUM_VALUES, n ? NUM_VALUES : 0);
         if (!is_near(memory[0][n][i], memory[1][n][i], bound)) {
            snprintf(error, size,
                     "UAV %u, dword %u (of UAV 0: thread %u, r%u.%c): %08x directly, %08x compiled",
                     n < 3 ? n : ARENA_BUFFER, i, i / (NUM_VALUES * 4), i / 4 % NUM_VALUES,
                     "xyzw"[i % 4], memory[0][n][i], memory[1][n][i]);
            return DIFFERENT;
         }
      }
   }
   return compare_images(&in->views, images[0], images[1], error, size) ? SAME : DIFFERENT;
}

enum isa_id
isa_of(unsigned flags)
{
   return flags & CASE_VALHALL     ? ISA_ID_valhall
          : flags & CASE_ATTILA    ? ISA_ID_attila
          : flags & CASE_EVERGREEN ? ISA_ID_evergreen
                                   : ISA_ID_cayman;
}

enum outcome
run_case(const struct il_program *il, unsigned flags, uint32_t modes, const struct inputs *in,
         char *error, size_t error_size)
{
   struct shader_code shader;
   enum outcome result;

   error[0] = 0;
   if (!compiler_of(isa_of(flags))->compile(il, flags & CASE_COMPILE, &shader, error, error_size))
      return NOT_COMPILED;
   result = il->shader == IL_SHADER_COMPUTE
               ? run_groups(il, &shader, flags, in, error, error_size)
               : run_waves(il, &shader, modes, in, flags, error, error_size);
   shader_code_finish(&shader);
   return result;
}

/* --- reduction -------------------------------------------------------------------------------- */
static bool
ends_so(const struct il_program *il, unsigned flags, uint32_t modes, const struct inputs *in,
        enum outcome outcome)
{
   char error[256];
   return run_case(il, flags, modes, in, error, sizeof(error)) == outcome;
}

static bool
opens(unsigned op)
{
   switch (op) {
   case IL_OP_IF_LOGICALZ:
   case IL_OP_IF_LOGICALNZ:
   case IL_OP_IFC:
   case IL_OP_WHILE:
   case IL_OP_SWITCH:
   case IL_OP_FUNC:
   case IL_OP_HS_CP_PHASE:
   case IL_OP_HS_FORK_PHASE:
   case IL_OP_HS_JOIN_PHASE:
      return true;
   default:
      return false;
   }
}

/* Blocks that are no use without their ends. */
static bool
whole(unsigned op)
{
   return op == IL_OP_FUNC || op == IL_OP_HS_CP_PHASE || op == IL_OP_HS_FORK_PHASE ||
          op == IL_OP_HS_JOIN_PHASE;
}

static bool
closes(unsigned op)
{
   return op == IL_OP_ENDIF || op == IL_OP_ENDLOOP || op == IL_OP_ENDSWITCH ||
          op == IL_OP_ENDFUNC || op == IL_OP_ENDPHASE;
}

/* The instruction that closes what `at` opens; `at` itself if it opens nothing. */
static uint32_t
end_of(const struct il_program *p, uint32_t at)
{
   unsigned depth = 0;
   for (uint32_t n = at; n < p->ninsts; n++) {
      depth += opens(p->insts[n].op);
      depth -= depth && closes(p->insts[n].op);
      if (!depth)
         return n;
   }
   return p->ninsts - 1;
}

/* What keeps an index small, or a coordinate to values that both sides treat alike: without it
 * anything may differ. */
static bool
limits_value(const struct il_inst *inst)
{
   if (inst->ndst && inst->dst[0].r.type == IL_REGTYPE_TEMP && offers.snaps &&
       (inst->dst[0].r.num == SCRATCH || inst->dst[0].r.num == LEVEL))
      return true;
   return (inst->op == IL_OP_AND || inst->op == IL_OP_MOV) && inst->ndst &&
          inst->dst[0].r.type == IL_REGTYPE_TEMP && inst->dst[0].r.num >= INDEX &&
          inst->dst[0].r.num <= INDICES;
}

/* Without [from, to]; then, if `shell`, only its first and last instruction, and an else of its
 * own. */
static struct il_program
without(const struct il_program *p, uint32_t from, uint32_t to, bool shell)
{
   struct il_program q = *p;
   unsigned depth = 0;

   q.insts = malloc(p->ninsts * sizeof(*q.insts));
   q.ninsts = 0;
   for (uint32_t n = 0; q.insts && n < p->ninsts; n++) {
      bool inside = n >= from && n <= to;
      unsigned op = p->insts[n].op;
      depth += inside && opens(op);
      bool own = n == from || n == to || (depth == 1 && op == IL_OP_ELSE);
      depth -= inside && depth && closes(op);
      if (!inside || (shell && !own))
         q.insts[q.ninsts++] = p->insts[n];
   }
   return q;
}

struct il_program
reduce(const struct il_program *il, uint32_t first, unsigned flags, uint32_t modes,
       const struct inputs *in, enum outcome outcome)
{
   struct il_program best = without(il, 1, 0, false);
   bool progress = true;

   for (unsigned round = 0; progress && round < 20; round++) {
      progress = false;
      for (uint32_t n = best.ninsts; n-- > first;) {
         unsigned op = n < best.ninsts ? best.insts[n].op : IL_OP_END;
         if (op == IL_OP_END || closes(op) || op == IL_OP_DCL_NUM_THREAD_PER_GROUP ||
             op == IL_OP_DCL_OUTPUT || op == IL_OP_DCL_X_LINK_SLOTS || limits_value(&best.insts[n]))
            continue;
         for (unsigned shell = 0; shell < (opens(op) && !whole(op) ? 2 : 1); shell++) {
            struct il_program q = without(&best, n, end_of(&best, n), shell);
            if (ends_so(&q, flags, modes, in, outcome)) {
               free(best.insts);
               best = q;
               progress = true;
               break;
            }
            free(q.insts);
         }
      }
   }
   return best;
}
