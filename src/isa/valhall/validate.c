/* SPDX-License-Identifier: MIT */
/*
 * The rules of a Valhall program.  A message names the rule that is broken.
 *
 * Of one instruction: what its sources may name together, register pairs, numbers of staging
 * registers, where some values are allowed, which stage has it.  Between instructions: registers
 * that a message writes are used after its slot was waited on, slots 6 and 7 before the tile buffer
 * is used, `reconverge` where lanes part or meet, branches inside the program, an end.  The latter
 * follow all paths: a state holds on entry to an instruction if it holds on any path to it.  Lanes
 * do not part at a branch if its condition was made of uniforms and constants before any did.
 */
#include "internal.h"

#include <stdlib.h>

#define MAX_VALIDATED (1u << 20)

#define FAIL(...) isa_fail(error, 0, 0, __VA_ARGS__)

static bool
is_message(const struct valhall_info *info)
{
   return info->unit >= VALHALL_UNIT_NONE;
}

/* ATEST and BLEND may run in the execution engine, which has one slot only. */
static bool
reads_two_slots(unsigned opcode)
{
   return is_message(valhall_info(opcode)) && opcode != VALHALL_OP_ATEST &&
          opcode != VALHALL_OP_BLEND;
}

static bool
check_uniforms(const struct valhall_instr *instr, struct isa_error *error)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   bool message = is_message(info), two = reads_two_slots(instr->opcode);
   unsigned bytes[VALHALL_MAX_SRCS], num_bytes = 0, slots[VALHALL_MAX_SRCS], num_slots = 0;
   unsigned specials = 0, special = 0;

   for (unsigned n = 0; n < info->num_src; n++) {
      unsigned byte = instr->src[n].byte, i = 0;
      if (valhall_src_is_register(byte))
         continue;
      while (i < num_bytes && bytes[i] != byte)
         i++;
      if (i == num_bytes)
         bytes[num_bytes++] = byte;
      if (valhall_src_is_constant(byte))
         continue;
      for (i = 0; i < num_slots && slots[i] != byte >> 1; i++) {
      }
      if (i == num_slots) {
         slots[num_slots++] = byte >> 1;
         if (valhall_src_is_special(byte)) {
            specials++;
            special = byte >> 1 & 15;
         }
      }
   }
   if (specials > 1)
      return FAIL("an instruction reads one special value only");
   if (num_slots > (two ? 2u : 1u)) {
      return FAIL(two ? "a message reads two 64-bit uniform slots only"
                      : "an instruction reads one 64-bit uniform slot only");
   }
   if (num_bytes > 2)
      return FAIL("an instruction reads two words of uniforms and constants only");
   if (specials && message &&
       (instr->page == 3 || (instr->page == 0 && special == VALHALL_SPECIAL_0_WARP_ID))) {
      return FAIL(
         "a message does not read %s",
         valhall_value(instr->page == 3 ? VALHALL_ENUM_SPECIAL_3 : VALHALL_ENUM_SPECIAL_0, special)
            ->name);
   }
   return true;
}

static bool
check_pairs(const struct valhall_instr *instr, struct isa_error *error)
{
   const struct valhall_info *info = valhall_info(instr->opcode);

   for (unsigned n = 0; n < info->num_src; n++) {
      const struct valhall_src_info *src = valhall_src_info(info->src[n]);
      unsigned byte = instr->src[n].byte;
      if (src->bits == 64 && !instr->src[n].select && !valhall_src_is_constant(byte) && byte & 1) {
         return FAIL("source %u: a 64-bit source is an even pair: %s %u is odd", n,
                     valhall_src_is_register(byte) ? "register" : "word", byte & 63);
      }
   }
   if (info->shape == VALHALL_SHAPE_PAIR) {
      if (instr->dest & 1)
         return FAIL("a 64-bit result is an even register pair: r%u is odd", instr->dest);
      if (instr->mask != 3)
         return FAIL("a 64-bit result has no mask");
   }
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      if (instr->staging[n].count > 1 && instr->staging[n].reg & 1) {
         return FAIL("staging registers begin at an even register: r%u is odd",
                     instr->staging[n].reg);
      }
   }
   return true;
}

static unsigned
components(const struct valhall_instr *instr)
{
   return valhall_get(instr, VALHALL_MOD_VECTOR_SIZE) + 1;
}

/* Registers of so many values of a register format; 0: it does not say. */
static unsigned
format_registers(const struct valhall_instr *instr)
{
   switch (valhall_get(instr, VALHALL_MOD_REGISTER_FORMAT)) {
   case VALHALL_REGISTER_FORMAT_F16:
   case VALHALL_REGISTER_FORMAT_S16:
   case VALHALL_REGISTER_FORMAT_U16:
      return (components(instr) + 1) / 2;
   case VALHALL_REGISTER_FORMAT_AUTO:
      return 0;
   default:
      return components(instr);
   }
}

bool
valhall_wanted_registers(const struct valhall_instr *instr, unsigned n, unsigned *least,
                         unsigned *most)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   unsigned words = (valhall_type_info(info->from)->bits + 31u) / 32;

   *least = 0;
   switch (instr->opcode) {
   case VALHALL_OP_LD_VAR_BUF_F32:
   case VALHALL_OP_LD_VAR_BUF_IMM_F32:
      *least = components(instr);
      break;
   case VALHALL_OP_LD_VAR_BUF_F16:
   case VALHALL_OP_LD_VAR_BUF_IMM_F16:
      *least = (components(instr) + 1) / 2;
      break;
   case VALHALL_OP_LEA_BUF_IMM:
   case VALHALL_OP_LEA_BUFFER:
      *least = 2;
      break;
   case VALHALL_OP_LEA_ATTR:
   case VALHALL_OP_LEA_ATTR_IMM:
   case VALHALL_OP_LEA_TEX:
   case VALHALL_OP_LEA_TEX_IMM:
      *least = 3;
      break;
   case VALHALL_OP_ATEST:
   case VALHALL_OP_ZS_EMIT:
      *least = 1;
      break;
   case VALHALL_OP_TEX_FETCH:
   case VALHALL_OP_TEX_SINGLE:
   case VALHALL_OP_TEX_GATHER:
      if (n == 0) {
         unsigned values = (unsigned)__builtin_popcount(valhall_get(instr, VALHALL_MOD_WRITE_MASK));
         *least = valhall_get(instr, VALHALL_MOD_REGISTER_WIDTH) == VALHALL_REGISTER_WIDTH_16
                     ? (values + 1) / 2
                     : values;
      }
      break;
   case VALHALL_OP_TEX_DUAL:
      if (n == 0) {
         const unsigned values =
            (unsigned)__builtin_popcount(valhall_get(instr, VALHALL_MOD_WRITE_MASK));
         const unsigned widths[2] = { valhall_get(instr, VALHALL_MOD_REGISTER_WIDTH),
                                      valhall_get(instr, VALHALL_MOD_SECONDARY_REGISTER_WIDTH) };
         for (unsigned i = 0; i < 2; i++)
            *least += widths[i] == VALHALL_REGISTER_WIDTH_16 ? (values + 1) / 2 : values;
      }
      break;
   default:
      switch (info->exec) {
      case VALHALL_EXEC_LOAD:
      case VALHALL_EXEC_LD_BUFFER:
         /* Small values may be extended to 64 bits. */
         *least = words;
         if (valhall_get(instr, VALHALL_MOD_LOAD_LANE_8_BIT) == VALHALL_LOAD_LANE_8_BIT_D0 ||
             valhall_get(instr, VALHALL_MOD_LOAD_LANE_16_BIT) == VALHALL_LOAD_LANE_16_BIT_D0 ||
             valhall_get(instr, VALHALL_MOD_LOAD_LANE_32_BIT) == VALHALL_LOAD_LANE_32_BIT_D0)
            *least = 2;
         break;
      case VALHALL_EXEC_STORE:
         *least = words;
         break;
      case VALHALL_EXEC_ATOM:
         *least = words;
         break;
      case VALHALL_EXEC_ATOM_RETURN:
         *least = n == 1 && valhall_get(instr, VALHALL_MOD_COMPARE) ? 2 * words : words;
         break;
      case VALHALL_EXEC_ATOM1_RETURN:
         /* Without registers it returns nothing. */
         *most = words;
         if (instr->staging[n].count)
            *least = words;
         return true;
      default:
         *least = format_registers(instr);
         for (unsigned i = 0; i < info->num_mod; i++) {
            if (info->mod[i] == VALHALL_MOD_REGISTER_FORMAT) {
               *most = *least;
               return *least != 0;
            }
         }
         return false;
      }
   }
   *most = *least;
   return *least != 0;
}

static bool
check_staging(const struct valhall_instr *instr, struct isa_error *error)
{
   const struct valhall_info *info = valhall_info(instr->opcode);

   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      unsigned least, most, count = instr->staging[n].count;
      if (valhall_wanted_registers(instr, n, &least, &most) && (count < least || count > most))
         return FAIL("%s has %u staging registers here, not %u", info->name, least, count);
   }
   return true;
}

/* Values that only go together. */
static bool
check_values(const struct valhall_instr *instr, struct isa_error *error)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   unsigned slot = valhall_get(instr, VALHALL_MOD_SLOT);

   if (instr->opcode == VALHALL_OP_BARRIER) {
      if (slot != VALHALL_SLOT_SLOT7)
         return FAIL("BARRIER signals slot 7");
      if (instr->flow != VALHALL_FLOW_WAIT)
         return FAIL("BARRIER has the flow wait");
   } else if (slot == VALHALL_SLOT_SLOT7) {
      return FAIL("slot 7 is BARRIER's alone");
   }
   bool compares = info->exec == VALHALL_EXEC_ICMP_OR || info->exec == VALHALL_EXEC_ICMP_AND ||
                   info->exec == VALHALL_EXEC_FCMP_OR || info->exec == VALHALL_EXEC_FCMP_AND;
   if (compares && valhall_get(instr, VALHALL_MOD_RESULT_TYPE) == VALHALL_RESULT_TYPE_U1)
      return FAIL("the result u1 is that of the low half of a 64-bit comparison (ICMP_MULTI)");
   bool integers = info->exec == VALHALL_EXEC_ICMP_OR || info->exec == VALHALL_EXEC_ICMP_AND ||
                   info->exec == VALHALL_EXEC_ICMP_MULTI || info->exec == VALHALL_EXEC_CSEL;
   if (integers && valhall_get(instr, VALHALL_MOD_CONDITION) == VALHALL_CONDITION_TOTAL)
      return FAIL("the condition total is for floats");
   unsigned format = valhall_get(instr, VALHALL_MOD_SOURCE_FORMAT);
   if ((instr->opcode == VALHALL_OP_LD_VAR_BUF_F32 ||
        instr->opcode == VALHALL_OP_LD_VAR_BUF_IMM_F32) &&
       format == VALHALL_SOURCE_FORMAT_SRC_FLAT16)
      return FAIL("src_flat16 is for 16-bit varyings");
   if ((instr->opcode == VALHALL_OP_LD_VAR_BUF_F16 ||
        instr->opcode == VALHALL_OP_LD_VAR_BUF_IMM_F16) &&
       format == VALHALL_SOURCE_FORMAT_SRC_FLAT32)
      return FAIL("src_flat32 is for 32-bit varyings");
   return true;
}

static bool
check_registers(const struct valhall_instr *instr, struct isa_error *error)
{
   uint64_t outside = (valhall_reads(instr) | valhall_writes(instr)) & UINT64_C(0x0000ffffffff0000);
   if (outside) {
      return FAIL("with 32 registers there are r0 to r15 and r48 to r63, not r%u",
                  (unsigned)__builtin_ctzll(outside));
   }
   return true;
}

static bool
check_stage(const struct valhall_instr *instr, struct isa_error *error)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   if (instr->flow == VALHALL_FLOW_DISCARD)
      return FAIL("the flow discard is for fragment shaders");
   if (valhall_exec_is_fragment(info->exec))
      return FAIL("%s is for fragment shaders", info->name);
   return true;
}

bool
valhall_validate_instr(const struct valhall_instr *instr, const struct valhall_limits *limits,
                       struct isa_error *error)
{
   return check_uniforms(instr, error) && check_pairs(instr, error) &&
          check_staging(instr, error) && check_values(instr, error) &&
          (limits->registers != 32 || check_registers(instr, error)) &&
          (limits->stage != VALHALL_STAGE_OTHER || check_stage(instr, error));
}

/* ------------------------------------------------------------------------------------------------
 * Between instructions
 */

/* What messages may still do when an instruction is reached, and what lanes may differ in. */
struct state {
   uint64_t write[3];  /* registers that messages of slots 0, 1, 2 write */
   uint64_t divergent; /* registers that lanes may have different values in */
   uint8_t tile;       /* bits 6 and 7: slots of the tile buffer that nobody waited on */
   bool parted;        /* lanes may have taken different ways */
   bool reached, queued;
};

struct program {
   const uint64_t *words;
   size_t count;
   struct state *states;
   uint32_t *queue;
   size_t num_queued;
};

/* Slots that a flow waits on. */
static unsigned
waited(unsigned flow)
{
   return flow <= VALHALL_FLOW_WAIT012    ? flow
          : flow == VALHALL_FLOW_WAIT0126 ? 0x47
          : flow == VALHALL_FLOW_WAIT     ? 0xc7
                                          : 0;
}

/* A condition that is the same in all lanes: 0 never, 1 always, -1 not known before it runs. */
static int
constant_condition(const struct valhall_instr *instr)
{
   unsigned byte = instr->src[0].byte, part = instr->src[0].select;
   if (!valhall_src_is_constant(byte) ||
       (part != VALHALL_COMBINE_NONE && part != VALHALL_COMBINE_H0 && part != VALHALL_COMBINE_H1))
      return -1;
   uint32_t value = valhall_constant(byte & 31);
   value = part == VALHALL_COMBINE_H0   ? value & 0xffff
           : part == VALHALL_COMBINE_H1 ? value >> 16
                                        : value;
   return (value != 0) != valhall_get(instr, VALHALL_MOD_EQ);
}

/* Where an instruction goes on: at most two words. */
static unsigned
successors(const struct valhall_instr *instr, size_t pc, int64_t next[2])
{
   unsigned n = 0;
   if (instr->opcode == VALHALL_OP_BRANCHZ) {
      int always = constant_condition(instr);
      if (always != 0)
         next[n++] = (int64_t)pc + 1 + (int32_t)instr->imm[0];
      if (always == 1)
         return n;
   } else if (instr->opcode == VALHALL_OP_BLEND && instr->flow != VALHALL_FLOW_END &&
              instr->imm[0]) {
      next[n++] = (int64_t)pc + 1 + instr->imm[0];
   }
   /* A blend shader may be called after a BLEND that ends; a call may return. */
   if (instr->flow != VALHALL_FLOW_END)
      next[n++] = (int64_t)pc + 1;
   return n;
}

/* May the fragment go on after it although the program may end here? */
static bool
may_continue(const struct valhall_instr *instr)
{
   return (instr->opcode == VALHALL_OP_BLEND && instr->flow == VALHALL_FLOW_END);
}

/* A call of a blend shader need not return. */
static bool
may_stop(const struct valhall_instr *instr)
{
   return instr->opcode == VALHALL_OP_BRANCHZI;
}

/* May lanes take a branch differently? */
static bool
is_divergent(const struct valhall_instr *instr, const struct state *state)
{
   return instr->opcode == VALHALL_OP_BRANCHZ && valhall_src_is_register(instr->src[0].byte) &&
          state->divergent >> (instr->src[0].byte & 63) & 1;
}

/* An ALU's result is the same in all lanes that have come the same way, if its sources are. */
static void
step_divergence(const struct valhall_instr *instr, struct state *state)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   bool differs = is_message(info) || state->parted || info->exec == VALHALL_EXEC_CLPER ||
                  info->exec == VALHALL_EXEC_WMASK ||
                  (valhall_reads(instr) & state->divergent) != 0;
   for (unsigned n = 0; n < info->num_src; n++)
      differs |= valhall_src_is_special(instr->src[n].byte);
   uint64_t written = valhall_writes(instr);
   state->divergent = differs ? state->divergent | written : state->divergent & ~written;
   state->parted |= is_divergent(instr, state);
}

static void
step(const struct valhall_instr *instr, struct state *state)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   unsigned slots = waited(instr->flow);

   if (is_message(info)) {
      /* ATEST has no field: it signals slot 0. */
      unsigned slot = valhall_get(instr, VALHALL_MOD_SLOT);
      if (slot < 3)
         state->write[slot] |= valhall_writes(instr);
   }
   for (unsigned s = 0; s < 3; s++)
      if (slots >> s & 1)
         state->write[s] = 0;
   state->tile &= (uint8_t)~slots;
   step_divergence(instr, state);
}

static void
reach(struct program *p, size_t pc, const struct state *state)
{
   struct state *at = &p->states[pc];
   bool changed = !at->reached || (state->tile & ~at->tile) ||
                  (state->divergent & ~at->divergent) || (state->parted && !at->parted);

   at->reached = true;
   at->tile |= state->tile;
   at->divergent |= state->divergent;
   at->parted |= state->parted;
   for (unsigned s = 0; s < 3; s++) {
      changed |= (state->write[s] & ~at->write[s]) != 0;
      at->write[s] |= state->write[s];
   }
   if (changed && !at->queued) {
      at->queued = true;
      p->queue[p->num_queued++] = (uint32_t)pc;
   }
}

static bool
flow_states(struct program *p, const struct valhall_limits *limits, struct isa_error *error)
{
   struct state entry = { .divergent = UINT64_MAX };
   if (limits->stage != VALHALL_STAGE_BLEND)
      entry.tile = 0xc0;
   reach(p, 0, &entry);
   while (p->num_queued) {
      size_t pc = p->queue[--p->num_queued];
      struct state state = p->states[pc];
      struct valhall_instr instr;
      int64_t next[2];

      p->states[pc].queued = false;
      valhall_decode(p->words[pc], &instr, NULL);
      step(&instr, &state);
      unsigned n = successors(&instr, pc, next);
      for (unsigned i = 0; i < n; i++) {
         if (next[i] >= 0 && next[i] < (int64_t)p->count) {
            reach(p, (size_t)next[i], &state);
         } else if (next[i] == (int64_t)pc + 1 || instr.opcode != VALHALL_OP_BRANCHZ) {
            if (!may_stop(&instr)) {
               return isa_fail(error, (unsigned)pc + 1, 0,
                               "the program runs beyond its last instruction: it has no end");
            }
         } else {
            return isa_fail(error, (unsigned)pc + 1, 0,
                            "the branch leaves the program: its target is instruction %lld",
                            (long long)next[i]);
         }
      }
      if (may_continue(&instr) && pc + 1 < p->count)
         reach(p, pc + 1, &state);
   }
   return true;
}

/* Slots of the tile buffer that an instruction wants waited on before. */
static unsigned
wants_waited(unsigned opcode)
{
   switch (opcode) {
   case VALHALL_OP_ATEST:
   case VALHALL_OP_ZS_EMIT:
      return 0x40;
   case VALHALL_OP_BLEND:
   case VALHALL_OP_LD_TILE:
   case VALHALL_OP_ST_TILE:
      return 0xc0;
   default:
      return 0;
   }
}

static bool
check_state(const struct valhall_instr *instr, const struct state *state, unsigned line,
            struct isa_error *error)
{
   uint64_t touched = valhall_reads(instr) | valhall_writes(instr);
   for (unsigned s = 0; s < 3; s++) {
      if (state->write[s] & touched) {
         return isa_fail(error, line, 0,
                         "r%u is used, but slot %u, which brings it, was not waited on",
                         (unsigned)__builtin_ctzll(state->write[s] & touched), s);
      }
   }
   unsigned missing = wants_waited(instr->opcode) & state->tile;
   if (missing) {
      return isa_fail(error, line, 0, "%s needs the flow %s before it: slot %u was not waited on",
                      valhall_info(instr->opcode)->name, missing & 0x80 ? "wait" : "wait0126",
                      missing & 0x40 ? 6 : 7);
   }
   return true;
}

/* `reconverge` is due at a branch that lanes may take differently, and where control falls into
 * such a branch's target. */
static bool
check_reconverge(struct program *p, size_t pc, const struct valhall_instr *instr,
                 struct isa_error *error)
{
   if (!is_divergent(instr, &p->states[pc]))
      return true;
   if (instr->flow != VALHALL_FLOW_RECONVERGE) {
      return isa_fail(error, (unsigned)pc + 1, 0,
                      "a branch that lanes may take differently has the flow reconverge");
   }
   int64_t target = (int64_t)pc + 1 + (int32_t)instr->imm[0], next[2];
   if (target < 1 || target == (int64_t)pc + 1 || !p->states[target - 1].reached)
      return true;
   struct valhall_instr before;
   valhall_decode(p->words[target - 1], &before, NULL);
   unsigned n = successors(&before, (size_t)target - 1, next);
   bool falls = n && next[n - 1] == target;
   if (falls && before.flow != VALHALL_FLOW_RECONVERGE) {
      return isa_fail(error, (unsigned)target, 0,
                      "instruction %lld is a divergent branch's target: the one before it, "
                      "which falls into it, has the flow reconverge",
                      (long long)target);
   }
   return true;
}

static bool
check_paths(struct program *p, const struct valhall_limits *limits, struct isa_error *error)
{
   if (!flow_states(p, limits, error))
      return false;
   for (size_t pc = 0; pc < p->count; pc++) {
      struct valhall_instr instr;
      if (!p->states[pc].reached)
         continue;
      valhall_decode(p->words[pc], &instr, NULL);
      if (!check_state(&instr, &p->states[pc], (unsigned)pc + 1, error) ||
          !check_reconverge(p, pc, &instr, error))
         return false;
   }
   return true;
}

bool
valhall_validate(const uint64_t *words, size_t count, const struct valhall_limits *limits,
                 struct isa_error *error)
{
   for (size_t pc = 0; pc < count; pc++) {
      struct valhall_instr instr;
      if (!valhall_decode(words[pc], &instr, error) ||
          !valhall_validate_instr(&instr, limits, error)) {
         if (error)
            error->line = (unsigned)pc + 1;
         return false;
      }
   }
   if (count == 0)
      return isa_fail(error, 0, 0, "there is no program");
   if (count > MAX_VALIDATED)
      return isa_fail(error, 0, 0, "the program is longer than %u instructions", MAX_VALIDATED);
   struct program p = { .words = words, .count = count };
   p.states = calloc(count, sizeof(*p.states));
   p.queue = calloc(count, sizeof(*p.queue));
   bool ok =
      p.states && p.queue ? check_paths(&p, limits, error) : isa_fail(error, 0, 0, "no memory");
   free(p.queue);
   free(p.states);
   return ok;
}
