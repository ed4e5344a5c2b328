/* SPDX-License-Identifier: MIT */
/*
 * Runs a program directly and compiled; see case.h.  A vertex or pixel program is one wave, its
 * results are registers on one side and exports on the other.  A compute program is what the tools'
 * machine runs; its results are memory.
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atoll/cayman/descriptors.h"
#include "atoll/cayman/enums.h"
#include "compiler/cayman/cayman_compile.h"
#include "direct/direct.h"
#include "il/conventions.h"
#include "isa/cayman/cayman.h"
#include "kernel.h"
#include "machine.h"
#include "sq/sq.h"

#define MAX_VTX       256
#define MAX_CONST     4096
#define SCRATCH_BYTES 8192u
#define BUDGET        (1u << 24)

static enum outcome
say(enum outcome o, char *error, size_t size, const char *text)
{
   snprintf(error, size, "%s", text);
   return o;
}

/* --- one wave ----------------------------------------------------------------------------------
 */
struct wave_run {
   const struct kernels *kernels;
   const struct sq_program *program;
   struct sq_wave wave;
   struct sq_bind bind;
   struct sq_exports *exports;
   struct spi_coef coef[64][4];
   uint32_t consts[MAX_CONST];
   struct td_vtx_bind vtx[MAX_VTX];
   uint32_t buffer[NUM_CONSTS * 4 + 4], driver[(IL_DRV_SIZE + 8) * 4 + 4];
};

static void
bind_buffer(struct wave_run *w, const struct sq_vtx_ref *ref, struct td_vtx_bind *bind)
{
   struct td_vtx_desc desc = ref->desc;
   bool driver = ref->resource == IL_DRIVER_CB;
   uint32_t words[8] = { 0 }, bytes = driver ? sizeof(w->driver) - 16 : sizeof(w->buffer) - 16;

   words[1] = bytes - 1;
   words[2] = REG_FIELD(BUF_WORD2, STRIDE, 16) |
              REG_FIELD(BUF_WORD2, DATA_FORMAT, CAYMAN_FMT_32_32_32_32_FLOAT) |
              REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, CAYMAN_NUM_FORMAT_INT);
   words[3] = REG_FIELD(BUF_WORD3, DST_SEL_Y, 1) | REG_FIELD(BUF_WORD3, DST_SEL_Z, 2) |
              REG_FIELD(BUF_WORD3, DST_SEL_W, 3);
   words[4] = bytes / 16;
   words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   desc.resource = words;
   desc.ring = driver ? w->driver : w->buffer;
   desc.ring_bytes = bytes;
   w->kernels->td_bind_vtx(bind, &desc);
}

/* Everything but the entry registers.  False: more than the test provides for. */
static bool
prepare(struct wave_run *w, const struct inputs *in, const struct cayman_shader *shader)
{
   const struct sq_program *p = w->program;

   if (p->num_consts > MAX_CONST || p->num_vtx > MAX_VTX || p->num_tex) {
      return false;
   }
   memcpy(w->buffer, in->constant, sizeof(in->constant));
   for (unsigned i = 0; i < IL_DRV_SIZE * 4; i++) {
      w->driver[i] = i * 0x01010101u;
   }
   for (unsigned i = 0; i < shader->num_icb * 4 && i < 32; i++) {
      w->driver[CAYMAN_ICB_FIRST_VEC4 * 4 + i] = shader->icb[i];
   }
   w->bind.kcache[0] = (struct sq_kcache){ w->buffer, sizeof(w->buffer) - 16 };
   w->bind.kcache[IL_DRIVER_CB] = (struct sq_kcache){ w->driver, sizeof(w->driver) - 16 };
   for (uint32_t i = 0; i < p->num_consts; i++) {
      const struct sq_kcache *k = &w->bind.kcache[p->consts[i].bank & 15];
      w->consts[i] = p->consts[i].dword * 4 < k->bytes ? k->base[p->consts[i].dword] : 0;
   }
   for (uint32_t i = 0; i < p->num_vtx; i++) {
      bind_buffer(w, &p->vtx[i], &w->vtx[i]);
   }
   w->bind.program = p;
   w->bind.consts = w->consts;
   w->bind.vtx = w->vtx;
   w->bind.cycle_budget = BUDGET;
   w->bind.scratch_bytes = SCRATCH_BYTES;
   w->wave.bind = &w->bind;
   w->wave.exports = w->exports;
   w->wave.active = w->wave.valid = ~UINT64_C(0);
   w->wave.scratch_bytes = SCRATCH_BYTES;
   return true;
}

static void
set(wave_lane (*gpr)[4], int row, unsigned chan, const wave_lane v)
{
   if (row >= 0) {
      memcpy(gpr[row][chan], v, sizeof(wave_lane));
   }
}

static void
vertex_entry(wave_lane (*gpr)[4], const struct inputs *in)
{
   set(gpr, 0, 0, in->ids[0]);
   set(gpr, 0, 3, in->ids[1]);
   set(gpr, 0, 2, in->ids[2]);
   for (unsigned i = 0; i < NUM_ATTRS * 4; i++) {
      set(gpr, 1 + (int)i / 4, i % 4, in->attr[i / 4][i % 4]);
   }
}

/* Barycentric pairs of `mask`, and the registers behind them. */
static void
pixel_entry(wave_lane (*gpr)[4], const struct inputs *in, unsigned mask, int position, int face,
            int fixed)
{
   unsigned pairs = 0;
   for (unsigned b = 0; b < 6; b++) {
      if (mask >> b & 1) {
         set(gpr, (int)pairs / 2, pairs % 2 * 2, in->bary[b][0]);
         set(gpr, (int)pairs / 2, pairs % 2 * 2 + 1, in->bary[b][1]);
         pairs++;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      set(gpr, position, c, in->position[c]);
      set(gpr, face, c, in->face[c]);
   }
   set(gpr, fixed, 3, in->sample);
}

static void
set_coefficients(struct wave_run *w, const struct inputs *in, unsigned to, unsigned slot)
{
   for (unsigned c = 0; c < 4; c++) {
      const float *p = in->coef[slot & 63][c];
      w->coef[to][c] = (struct spi_coef){ p[0], p[1], p[2], 0 };
   }
   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      w->wave.coef[q] = (const struct spi_coef(*)[4])w->coef;
   }
   w->wave.one_primitive = true;
}

static bool
run_wave(struct wave_run *w, wave_lane (*gpr)[4], uint8_t *scratch, unsigned loaded, char *error,
         size_t size)
{
   w->wave.gpr = gpr;
   w->wave.gprs_loaded = loaded;
   w->wave.scratch = scratch;
   w->kernels->sq_run(w->program, &w->wave);
   if (w->wave.faulted) {
      snprintf(error, size, "fault at %u: %s", w->wave.fault_pc,
               w->wave.fault ? w->wave.fault : "?");
   }
   return !w->wave.faulted;
}

/* One output's components of `mask`. */
static bool
compare_output(unsigned reg, unsigned mask, const wave_lane direct[4], const wave_lane compiled[4],
               uint64_t lanes, char *error, size_t size)
{
   for (; lanes; lanes &= lanes - 1) {
      unsigned l = (unsigned)__builtin_ctzll(lanes);
      for (unsigned c = 0; c < 4; c++) {
         if ((mask >> c & 1) && direct[c][l] != compiled[c][l]) {
            snprintf(
               error, size,
               "o%u.%c of lane %u: %08x %08x %08x %08x directly, %08x %08x %08x %08x compiled", reg,
               "xyzw"[c], l, direct[0][l], direct[1][l], direct[2][l], direct[3][l], compiled[0][l],
               compiled[1][l], compiled[2][l], compiled[3][l]);
            return false;
         }
      }
   }
   return true;
}

static bool
compare_outputs(const struct direct_program *direct, wave_lane (*gpr)[4],
                const struct sq_exports *e, const struct cayman_shader *shader, uint64_t lanes,
                char *error, size_t size)
{
   for (unsigned n = 0; n < DIRECT_OUTPUTS; n++) {
      const wave_lane *compiled = NULL;
      if (shader->stage == CAYMAN_STAGE_PS && n < 8) {
         compiled = e->mrt[n];
      } else if (shader->stage == CAYMAN_STAGE_VS && n == 0) {
         compiled = e->pos[0];
      }
      for (unsigned p = 0; shader->stage == CAYMAN_STAGE_VS && p < shader->vs.num_params; p++) {
         if (shader->vs.param_slot[p] == n) {
            compiled = e->param[p];
         }
      }
      if (!direct->output_mask[n]) {
         continue;
      }
      if (!compiled) {
         snprintf(error, size, "o%u is not exported", n);
         return false;
      }
      if (!compare_output(n, direct->output_mask[n], gpr[direct->output_row + n], compiled, lanes,
                          error, size)) {
         return false;
      }
   }
   return true;
}

static enum outcome
run_waves(const struct il_program *il, const struct cayman_shader *shader, uint32_t modes,
          const struct inputs *in, bool interpret, char *error, size_t size)
{
   static struct sq_exports exports __attribute__((aligned(64)));
   static uint8_t scratch[WAVE_LANES * SCRATCH_BYTES] __attribute__((aligned(64)));
   static wave_lane file[WAVE_GPRS][4], direct_file[4096][4];
   static struct wave_run w;
   const struct kernels *kernels = kernels_choose();
   struct direct_program direct;
   bool pixel = il->shader == IL_SHADER_PIXEL;
   struct cayman_shader none = { 0 };
   enum outcome result = BROKEN;

   if (!direct_lift(kernels, il, modes, &direct, error, size)) {
      return NOT_DIRECT;
   }
   if (direct.num_rows > sizeof(direct_file) / sizeof(direct_file[0])) {
      direct_free(kernels, &direct);
      return say(BROKEN, error, size, "too many rows");
   }
   w = (struct wave_run){ .kernels = kernels, .program = direct.program, .exports = &exports };
   bool ok = prepare(&w, in, &none);
   if (pixel) {
      pixel_entry(direct_file, in, 63, 3, 4, 5);
      for (unsigned n = 0; n < 64; n++) {
         set_coefficients(&w, in, n, n);
      }
   } else {
      vertex_entry(direct_file, in);
   }
   ok = ok && run_wave(&w, direct_file, scratch, direct.gprs_loaded, error, size);
   uint64_t valid = w.wave.valid;

   struct sq_program_source source = {
      .stage = pixel ? SQ_STAGE_PS : SQ_STAGE_VS,
      .words = shader->words,
      .num_words = shader->num_dwords,
      .pgm_resources = shader->num_gprs | shader->stack_size << 8 | 1u << 21,
      .pgm_resources_2 = modes,
      .interpret = interpret,
   };
   /* The attributes are there: a fetch subroutine that does nothing. */
   uint32_t *fetch = NULL;
   if (!pixel) {
      source.num_fetch_words = cayman_build_fetch_shader(NULL, 0, &fetch);
      source.fetch_words = fetch;
   }
   struct sq_program *compiled = ok ? kernels->sq_lift(&source) : NULL;
   if (compiled && compiled->error) {
      say(BROKEN, error, size, compiled->error);
   } else if (compiled) {
      w = (struct wave_run){ .kernels = kernels, .program = compiled, .exports = &exports };
      ok = prepare(&w, in, shader);
      memset(scratch, 0, sizeof(scratch));
      memset(file, 0, sizeof(file));
      unsigned loaded = 1 + NUM_ATTRS;
      if (pixel) {
         const int rows[] = { shader->ps.position_gpr, shader->ps.face_gpr,
                              shader->ps.fixed_pt_gpr };
         pixel_entry(file, in, shader->ps.bary, rows[0], rows[1], rows[2]);
         loaded = ((unsigned)__builtin_popcount(shader->ps.bary) + 1) / 2;
         for (unsigned i = 0; i < 3; i++) {
            loaded = rows[i] + 1 > (int)loaded ? (unsigned)rows[i] + 1 : loaded;
         }
         for (unsigned n = 0; n < shader->ps.num_inputs; n++) {
            set_coefficients(&w, in, n, shader->ps.input[n].slot);
         }
         set_coefficients(&w, in, shader->ps.num_inputs, 0);
      } else {
         vertex_entry(file, in);
      }
      ok = ok && run_wave(&w, file, scratch, loaded, error, size);
      if (ok && pixel && w.wave.valid != valid) {
         snprintf(error, size, "pixels left: %016llx directly, %016llx compiled",
                  (unsigned long long)valid, (unsigned long long)w.wave.valid);
         result = DIFFERENT;
      } else if (ok) {
         result = compare_outputs(&direct, direct_file, &exports, shader, pixel ? valid : ~0ull,
                                  error, size)
                     ? SAME
                     : DIFFERENT;
      }
   }
   if (compiled) {
      kernels->sq_program_free(compiled);
   }
   free(fetch);
   direct_free(kernels, &direct);
   return result;
}

/* --- work groups -------------------------------------------------------------------------------
 */
static enum outcome
run_groups(const struct il_program *il, const struct cayman_shader *shader, const struct inputs *in,
           char *error, size_t size)
{
   static uint32_t memory[2][3][UAV_DWORDS + MACHINE_PADDING];
   static uint32_t constant[NUM_CONSTS * 4 + MACHINE_PADDING];
   static uint32_t driver[(CAYMAN_ICB_FIRST_VEC4 + 8) * 4 + MACHINE_PADDING];
   char why[200] = "";

   memcpy(constant, in->constant, sizeof(in->constant));
   memset(driver, 0, sizeof(driver));
   driver[IL_DRV_GRID * 4] = CS_GROUPS;
   driver[IL_DRV_GRID * 4 + 1] = driver[IL_DRV_GRID * 4 + 2] = 1;
   for (unsigned i = 0; i < shader->num_icb * 4 && i < 32; i++) {
      driver[CAYMAN_ICB_FIRST_VEC4 * 4 + i] = shader->icb[i];
   }
   for (unsigned side = 0; side < 2; side++) {
      struct machine m = {
         .words = shader->words,
         .num_dwords = shader->num_dwords,
         .num_gprs = shader->num_gprs > 2 ? shader->num_gprs : 2,
         .stack_entries = shader->stack_size,
         .direct = side ? NULL : il,
         .lds_bytes = 4 * shader->cs.lds_dwords,
         .threads = { 16, CS_THREADS / 16, 1 },
         .groups = { CS_GROUPS, 1, 1 },
         .budget = BUDGET,
      };
      for (unsigned n = 0; n < 3; n++) {
         memcpy(memory[side][n], in->uav[n], sizeof(in->uav[n]));
         m.buffer[n] = (struct machine_buffer){ memory[side][n], UAV_DWORDS };
      }
      m.constant[0] = (struct machine_buffer){ constant, NUM_CONSTS * 4 };
      m.constant[IL_DRIVER_CB] = (struct machine_buffer){ driver, (CAYMAN_ICB_FIRST_VEC4 + 8) * 4 };
      if (!machine_run(&m, why, sizeof(why))) {
         snprintf(error, size, "%s: %s", side ? "compiled" : "directly", why);
         return BROKEN;
      }
   }
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned i = 0; i < UAV_DWORDS; i++) {
         if (memory[0][n][i] != memory[1][n][i]) {
            snprintf(error, size,
                     "UAV %u, dword %u (of UAV 0: thread %u, r%u.%c): %08x directly, %08x compiled",
                     n, i, i / (NUM_VALUES * 4), i / 4 % NUM_VALUES, "xyzw"[i % 4], memory[0][n][i],
                     memory[1][n][i]);
            return DIFFERENT;
         }
      }
   }
   return SAME;
}

enum outcome
run_case(const struct il_program *il, unsigned flags, uint32_t modes, const struct inputs *in,
         char *error, size_t error_size)
{
   struct cayman_shader shader;
   enum outcome result;

   error[0] = 0;
   if (!cayman_compile(il, flags & 3, &shader, error, error_size)) {
      return NOT_COMPILED;
   }
   result = il->shader == IL_SHADER_COMPUTE
               ? run_groups(il, &shader, in, error, error_size)
               : run_waves(il, &shader, modes, in, flags >> 2 & 1, error, error_size);
   cayman_shader_finish(&shader);
   return result;
}

/* --- reduction ---------------------------------------------------------------------------------
 */
static bool
differs(const struct il_program *il, unsigned flags, uint32_t modes, const struct inputs *in)
{
   char error[256];
   return run_case(il, flags, modes, in, error, sizeof(error)) == DIFFERENT;
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
      return true;
   default:
      return false;
   }
}

static bool
closes(unsigned op)
{
   return op == IL_OP_ENDIF || op == IL_OP_ENDLOOP || op == IL_OP_ENDSWITCH || op == IL_OP_ENDFUNC;
}

/* The instruction that closes what `at` opens; `at` itself if it opens nothing. */
static uint32_t
end_of(const struct il_program *p, uint32_t at)
{
   unsigned depth = 0;
   for (uint32_t n = at; n < p->ninsts; n++) {
      depth += opens(p->insts[n].op);
      depth -= depth && closes(p->insts[n].op);
      if (!depth) {
         return n;
      }
   }
   return p->ninsts - 1;
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
      if (!inside || (shell && !own)) {
         q.insts[q.ninsts++] = p->insts[n];
      }
   }
   return q;
}

struct il_program
reduce(const struct il_program *il, uint32_t first, unsigned flags, uint32_t modes,
       const struct inputs *in)
{
   struct il_program best = without(il, 1, 0, false);
   bool progress = true;

   for (unsigned round = 0; progress && round < 20; round++) {
      progress = false;
      for (uint32_t n = best.ninsts; n-- > first;) {
         unsigned op = n < best.ninsts ? best.insts[n].op : IL_OP_END;
         if (op == IL_OP_END || closes(op) || op == IL_OP_DCL_NUM_THREAD_PER_GROUP) {
            continue;
         }
         for (unsigned shell = 0; shell < (opens(op) && op != IL_OP_FUNC ? 2 : 1); shell++) {
            struct il_program q = without(&best, n, end_of(&best, n), shell);
            if (differs(&q, flags, modes, in)) {
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
