/* SPDX-License-Identifier: MIT */
/*
 * Bad values, and what becomes of them.
 *
 * Each component of a register has, in each lane, the number of the instruction that made what is
 * in it bad, or none.  When a wave begins, the registers that have no entry value are bad: nobody
 * wrote them.  Then, for each micro-operation:
 *
 *  1. The result is bad if an operand is, and it has the first such operand's maker.
 *  2. Of a value that is bad because it is not finite, a result is bad only while it is not finite
 *     itself: 1 / inf, or the smaller of inf and 1, is good again.
 *  3. A selection has what it chose and its condition; where a product or an AND has a zero that is
 *     good, the result is; and an OR of ones.
 *  4. Makers are operations on good values: a float result that is no number, an infinity; a
 *     shift, a division, a conversion of which the result is not defined; a read of what nobody
 *     wrote or of what is not there.
 *
 * A NaN or an infinity that comes from memory is not made here: isnan() is there to be used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitize/internal.h"
#include "uop/exec.h"
#include "uop/uop.h"

/* ------------------------------------------------------------------------------------------------
 * Makers
 */

static uint32_t
maker_hash(uint64_t program, uint32_t origin, unsigned kind)
{
   const uint64_t h =
      (program ^ (uint64_t)origin << 32 ^ (uint64_t)kind << 24) * UINT64_C(0x9e3779b97f4a7c15);

   return (uint32_t)(h >> 40) & (2 * (MAKERS_MAX + 1) - 1);
}

uint16_t
maker_number(struct sanitizer *s, const struct core_wave *wave, unsigned kind, bool floats,
             const char *text)
{
   const uint64_t program = wave->bind->program->va;
   const uint32_t origin = kind == SANITIZE_REGISTER ? UINT32_MAX : wave->origin;
   uint32_t n = maker_hash(program, origin, kind);
   struct maker *m;

   for (; s->index[n]; n = (n + 1) & (2 * (MAKERS_MAX + 1) - 1)) {
      m = &s->makers[s->index[n] - 1];
      if (m->program == program && m->origin == origin && m->kind == kind && m->floats == floats)
         return (uint16_t)s->index[n];
   }
   if (s->num_makers == MAKERS_MAX)
      return 0;
   if (s->num_makers == s->cap_makers) {
      const uint32_t cap = s->cap_makers ? 2 * s->cap_makers : 64;
      struct maker *more = realloc(s->makers, cap * sizeof(*more));

      if (!more)
         return 0;
      s->makers = more;
      s->cap_makers = cap;
   }
   m = &s->makers[s->num_makers++];
   *m = (struct maker){
      .kind = (uint8_t)kind, .floats = floats, .origin = origin, .program = program
   };
   snprintf(m->text, sizeof(m->text), "%s", text);
   s->index[n] = s->num_makers;
   return (uint16_t)s->num_makers;
}

/* The maker that a micro-operation is. */
static uint16_t
maker_of(struct sanitizer *s, const struct core_wave *wave, const struct uop_code *code,
         const struct uop *u, unsigned kind, bool floats)
{
   char text[sizeof(((struct maker *)0)->text)] = "";
   FILE *f = fmemopen(text, sizeof(text) - 1, "w");

   if (f) {
      uop_print_one(f, code, u);
      fclose(f);
   }
   return maker_number(s, wave, kind, floats, text);
}

/* ------------------------------------------------------------------------------------------------
 * Rows
 */

/* Lanes of `from` that `to` does not have yet. */
static void
take(struct bad *to, const struct bad *from, uint64_t lanes)
{
   uint64_t more = from->lanes & lanes & ~to->lanes;

   to->lanes |= more;
   for (; more; more &= more - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(more);

      to->maker[lane] = from->maker[lane];
   }
}

static void
put(struct bad *to, const struct bad *from, uint64_t lanes)
{
   to->lanes &= ~lanes;
   take(to, from, lanes);
}

static void
blame(struct bad *to, uint64_t lanes, uint16_t maker)
{
   uint64_t more = maker ? lanes & ~to->lanes : 0;

   to->lanes |= more;
   for (; more; more &= more - 1)
      to->maker[__builtin_ctzll(more)] = maker;
}

static struct bad *
row_at(struct shadow *w, uint32_t offset)
{
   const uint32_t row = offset / COMP_BYTES;

   return row < CORE_WAVE_ROWS ? &w->row[row] : NULL;
}

void
values_begin(struct sanitizer *s, const struct core_wave *wave, struct shadow *w)
{
   const unsigned registers = wave->bind->program->registers;
   const uint16_t nobody =
      sanitize_looks_for(s, SANITIZE_REGISTER) && registers
         ? maker_number(s, wave, SANITIZE_REGISTER, false, "a register that nobody wrote")
         : 0;

   for (unsigned n = 0; n < CORE_WAVE_ROWS; n++)
      w->row[n].lanes = 0;
   for (unsigned n = 0; n < registers && n < CORE_WAVE_ROWS; n++)
      if (nobody && !core_entry_filled(wave->bind->entry, n)) {
         w->row[n].lanes = wave->active;
         for (unsigned lane = 0; lane < WAVE_LANES; lane++)
            w->row[n].maker[lane] = nobody;
      }
   for (unsigned n = 0; n < 64; n++)
      w->queue[n][0].lanes = w->queue[n][1].lanes = 0;
   w->address.lanes = w->data.lanes = w->step[0].taken.lanes = 0;
   w->barriers = 0;
   w->synchronised = w->synchronises = 0;
}

/* An instruction, or a part of it, begins. */
static void
begin(struct shadow *w)
{
   w->step[0].taken.lanes = w->data.lanes = 0;
   if (w->synchronises)
      w->synchronised = w->synchronises;
   w->synchronises = 0;
}

void
values_loaded(const struct core_wave *wave, unsigned lane, uint16_t maker)
{
   blame(&shadow_of(wave)->step[0].taken, UINT64_C(1) << lane, maker);
}

/* ------------------------------------------------------------------------------------------------
 * Uses
 */

static const char *const role_names[CORE_ROLES] = {
   [CORE_ROLE_INDEX] = "is an address",
   [CORE_ROLE_LOADED] = "is loaded",
   [CORE_ROLE_STORED] = "is written to memory",
   [CORE_ROLE_TARGET] = "is the address of a write",
   [CORE_ROLE_COLOR] = "is exported as a colour",
   [CORE_ROLE_DEPTH] = "is exported as a depth",
   [CORE_ROLE_POSITION] = "is exported as a position",
   [CORE_ROLE_BRANCH] = "decides a branch",
};

/* Bad values of `lanes` are used. */
static void
used(struct sanitizer *s, const struct core_wave *wave, const struct bad *bad, unsigned role,
     const uint32_t *values, uint64_t lanes)
{
   for (lanes &= bad->lanes; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const struct maker *m = &s->makers[bad->maker[lane] - 1];
      const struct finding f = {
         .kind = m->kind,
         .wave = wave,
         .lane = (uint8_t)lane,
         .first = m->origin,
         .second = wave->origin,
         .variant = role,
      };
      const char *counts = wave->bind->program->engine->origin;
      char name[64], made[32] = "", value[48] = "";

      if (m->floats && (role == CORE_ROLE_BRANCH || role == CORE_ROLE_TARGET))
         continue;
      if (!findings_add(s->findings, &f))
         continue;
      sanitize_name(s, wave, lane, name, sizeof(name));
      if (m->origin != UINT32_MAX)
         snprintf(made, sizeof(made), " (%s %u)", counts, m->origin);
      if (values) {
         float number;

         memcpy(&number, &values[lane], 4);
         snprintf(value, sizeof(value), " 0x%x (%g)", values[lane], (double)number);
      }
      findings_tell(s->findings, &f, "in %s the value%s of %s%s %s (%s %u)", name, value, m->text,
                    made, role_names[role], counts, wave->origin);
   }
}

void
values_moved(void *data, const struct core_wave *wave, unsigned role, unsigned part, uint32_t row,
             uint64_t lanes)
{
   struct sanitizer *s = data;
   struct shadow *w = shadow_of(wave);

   (void)part;
   if (!w || row >= CORE_WAVE_ROWS)
      return;
   switch (role) {
   case CORE_ROLE_COORDINATE:
   case CORE_ROLE_PARAMETER:
   case CORE_ROLE_RING:
      break; /* not followed further */
   case CORE_ROLE_INDEX:
      begin(w);
      take(&w->step[0].taken, &w->row[row], lanes);
      break;
   case CORE_ROLE_LOADED:
      put(&w->row[row], &w->step[0].taken, lanes);
      break;
   case CORE_ROLE_TARGET:
      begin(w);
      used(s, wave, &w->row[row], role, wave->rows[row], lanes);
      break;
   default:
      used(s, wave, &w->row[row], role, wave->rows[row], lanes);
      break;
   }
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */

/* An operand's value, as the operation has it. */
static uint32_t
operand(const struct exec *x, const struct uop_code *code, const struct uop_operand *v,
        unsigned lane)
{
   uint32_t bits;

   switch (v->kind) {
   case UOP_ROW:
      bits = ((const uint32_t *)(const void *)(x->file + v->at))[lane];
      break;
   case UOP_UNIFORM:
      bits = x->uni[v->at];
      break;
   case UOP_LITERAL:
      bits = x->uni[code->num_uniforms + v->at];
      break;
   case UOP_DYNAMIC:
      bits = x->uni[code->num_uniforms + code->num_literals + v->at];
      break;
   default:
      return 0;
   }
   if (v->mods & UOP_ABS)
      bits &= 0x7fffffffu;
   if (v->mods & UOP_NEG)
      bits ^= 0x80000000u;
   return v->mods & UOP_NOT ? ~bits : bits;
}

static uint64_t
bad_lanes(struct shadow *w, const struct uop_operand *v)
{
   const struct bad *row = v->kind == UOP_ROW ? row_at(w, v->at) : NULL;

   return row ? row->lanes : 0;
}

static void
take_operand(struct shadow *w, struct step *t, const struct uop_operand *v, uint64_t lanes)
{
   const struct bad *row = v->kind == UOP_ROW ? row_at(w, v->at) : NULL;

   if (row && row->lanes & lanes)
      take(&t->taken, row, lanes);
}

/* How an operation treats bad operands.  The default: all count. */
enum treatment {
   ALL,
   SELECT_ZERO, /* operand 1 where 0 is 0, else 2 */
   SELECT_ABOVE,
   SELECT_NOT_BELOW,
   SELECT_ZERO_INT,
   SELECT_ABOVE_INT,
   SELECT_NOT_BELOW_INT,
   SELECT_BELOW,
   ABSORBS_ZERO, /* a good zero makes the result good */
   ABSORBS_ONES, /* and so does a good operand of ones */
};

/* What is not defined. */
enum hazard {
   NO_HAZARD,
   SHIFTS, /* by operand 1 */
   TO_INT, /* operand 0 */
   TO_UINT,
   DIVIDES,     /* by operand 0, a float */
   DIVIDES_INT, /* a whole number */
};

static const struct rule {
   uint8_t treatment, hazard;
} rules[UOP_COUNT] = {
   [UOP_CNDE] = { .treatment = SELECT_ZERO },
   [UOP_CNDGT] = { .treatment = SELECT_ABOVE },
   [UOP_CNDGE] = { .treatment = SELECT_NOT_BELOW },
   [UOP_CNDE_INT] = { .treatment = SELECT_ZERO_INT },
   [UOP_CNDGT_INT] = { .treatment = SELECT_ABOVE_INT },
   [UOP_CNDGE_INT] = { .treatment = SELECT_NOT_BELOW_INT },
   [UOP_AT_CMP] = { .treatment = SELECT_BELOW },
   [UOP_AND_INT] = { .treatment = ABSORBS_ZERO },
   [UOP_MUL] = { .treatment = ABSORBS_ZERO },
   [UOP_MUL_IEEE] = { .treatment = ABSORBS_ZERO },
   [UOP_MULLO_INT] = { .treatment = ABSORBS_ZERO },
   [UOP_MULLO_UINT] = { .treatment = ABSORBS_ZERO },
   [UOP_MUL_UINT24] = { .treatment = ABSORBS_ZERO },
   [UOP_OR_INT] = { .treatment = ABSORBS_ONES },
   [UOP_ASHR_INT] = { .hazard = SHIFTS },
   [UOP_LSHR_INT] = { .hazard = SHIFTS },
   [UOP_LSHL_INT] = { .hazard = SHIFTS },
   [UOP_FLT_TO_INT] = { .hazard = TO_INT },
   [UOP_FLT_TO_INT_RPI] = { .hazard = TO_INT },
   [UOP_FLT_TO_INT_FLOOR] = { .hazard = TO_INT },
   [UOP_FLT_TO_UINT] = { .hazard = TO_UINT },
   [UOP_RECIP_IEEE] = { .hazard = DIVIDES },
   [UOP_RECIPSQRT_IEEE] = { .hazard = DIVIDES },
   [UOP_AT_RSQ] = { .hazard = DIVIDES },
   [UOP_RECIP_UINT] = { .hazard = DIVIDES_INT },
};

static float
as_float(uint32_t bits)
{
   float f;

   memcpy(&f, &bits, 4);
   return f;
}

static bool
chooses_first(unsigned treatment, uint32_t condition)
{
   const float f = as_float(condition);

   switch (treatment) {
   case SELECT_ZERO:
      return f == 0;
   case SELECT_ABOVE:
      return f > 0;
   case SELECT_NOT_BELOW:
      return f >= 0;
   case SELECT_BELOW:
      return f < 0;
   case SELECT_ZERO_INT:
      return condition == 0;
   case SELECT_ABOVE_INT:
      return (int32_t)condition > 0;
   default:
      return (int32_t)condition >= 0;
   }
}

/* What an integer division by zero gave is dropped for all ones by code that divides: it stays what
 * it was.  So of a selection by a divisor, lanes in which `bad` is such a result. */
static uint64_t
divided(const struct sanitizer *s, const struct bad *bad, const struct exec *x,
        const struct uop_code *code, const struct uop_operand *instead, uint64_t lanes)
{
   uint64_t out = 0;

   for (uint64_t left = bad ? bad->lanes & lanes : 0; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      const struct maker *m = &s->makers[bad->maker[lane] - 1];

      out |= (uint64_t)(m->kind == SANITIZE_DIVISION && !m->floats &&
                        operand(x, code, instead, lane) == UINT32_MAX)
             << lane;
   }
   return out;
}

static void
take_selection(const struct sanitizer *s, struct shadow *w, struct step *t, const struct exec *x,
               const struct uop_code *code, const struct uop *u, unsigned treatment, uint64_t lanes)
{
   uint64_t first = 0;

   if (!((bad_lanes(w, &u->src[1]) | bad_lanes(w, &u->src[2])) & lanes)) {
      take_operand(w, t, &u->src[0], lanes);
      return;
   }
   for (uint64_t left = lanes; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);

      first |= (uint64_t)chooses_first(treatment, operand(x, code, &u->src[0], lane)) << lane;
   }
   take_operand(w, t, &u->src[0], lanes);
   take_operand(w, t, &u->src[1], lanes & first);
   if (treatment == SELECT_ZERO_INT && u->src[2].kind == UOP_ROW)
      first &= ~divided(s, row_at(w, u->src[2].at), x, code, &u->src[1], lanes & first);
   take_operand(w, t, &u->src[2], lanes & ~first);
}

static void
take_absorbed(const struct sanitizer *s, struct shadow *w, struct step *t, const struct exec *x,
              const struct uop_code *code, const struct uop *u, unsigned treatment, uint64_t lanes)
{
   const uint32_t absorbs = treatment == ABSORBS_ONES ? UINT32_MAX : 0;
   const uint32_t sign = u->op == UOP_MUL || u->op == UOP_MUL_IEEE ? 0x80000000u : 0;
   const uint64_t bad[2] = { bad_lanes(w, &u->src[0]) & lanes, bad_lanes(w, &u->src[1]) & lanes };

   for (unsigned n = 0; n < 2; n++) {
      uint64_t counts = bad[n];

      for (uint64_t left = bad[n] & ~bad[!n]; left; left &= left - 1) {
         const unsigned lane = (unsigned)__builtin_ctzll(left);

         /* Zero times infinity is none. */
         if ((operand(x, code, &u->src[!n], lane) & ~sign) == absorbs &&
             !s->makers[row_at(w, u->src[n].at)->maker[lane] - 1].floats)
            counts &= ~(UINT64_C(1) << lane);
      }
      take_operand(w, t, &u->src[n], counts);
   }
}

/* Lanes in which the result is not defined. */
static uint64_t
hazards(const struct exec *x, const struct uop_code *code, const struct uop *u, unsigned hazard,
        uint64_t lanes)
{
   uint64_t out = 0;

   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint32_t bits = operand(x, code, &u->src[hazard == SHIFTS], lane);
      const float f = as_float(bits);
      bool is;

      switch (hazard) {
      case SHIFTS:
         is = bits >= 32;
         break;
      case TO_INT:
         is = !(f >= -2147483648.0f && f < 2147483648.0f);
         break;
      case TO_UINT:
         is = !(f > -1.0f && f < 4294967296.0f);
         break;
      case DIVIDES:
         is = !(bits << 1);
         break;
      default:
         is = !bits;
         break;
      }
      out |= (uint64_t)is << lane;
   }
   return out;
}

static const uint8_t hazard_kinds[] = {
   [SHIFTS] = SANITIZE_SHIFT,         [TO_INT] = SANITIZE_CONVERSION,
   [TO_UINT] = SANITIZE_CONVERSION,   [DIVIDES] = SANITIZE_DIVISION,
   [DIVIDES_INT] = SANITIZE_DIVISION,
};

/* Lanes of a row that hold neither an infinity nor a NaN; *nans: those that hold one. */
static uint64_t
not_finite(const uint32_t *row, uint64_t *nans)
{
   uint32_t any = 0;
   uint64_t out = 0;

   *nans = 0;
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      any |= (row[lane] & 0x7f800000u) == 0x7f800000u;
   for (unsigned lane = 0; any && lane < WAVE_LANES; lane++) {
      const bool is = (row[lane] & 0x7f800000u) == 0x7f800000u;

      out |= (uint64_t)is << lane;
      *nans |= (uint64_t)(is && row[lane] & 0x007fffffu) << lane;
   }
   return out;
}

/* The same of an operand. */
static uint64_t
operand_not_finite(const struct exec *x, const struct uop_code *code, const struct uop_operand *v,
                   uint64_t *nans)
{
   if (v->kind == UOP_ROW)
      return not_finite((const uint32_t *)(const void *)(x->file + v->at), nans);
   const uint32_t bits = operand(x, code, v, 0);
   const bool is = (bits & 0x7f800000u) == 0x7f800000u;

   *nans = is && bits & 0x007fffffu ? UINT64_MAX : 0;
   return is ? UINT64_MAX : 0;
}

/* Lanes of what was taken that are bad only while they are not finite, by their makers. */
static uint64_t
while_not_finite(const struct sanitizer *s, const struct bad *b)
{
   uint64_t out = 0;

   for (uint64_t left = b->lanes; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);

      out |= (uint64_t)s->makers[b->maker[lane] - 1].floats << lane;
   }
   return out;
}

/* ------------------------------------------------------------------------------------------------
 * Micro-operations
 */

static bool
is_float_operation(const struct uop_info *info)
{
   if (info->result != UOP_RESULT_F || info->params == UOP_PARAMS_interp ||
       info->params == UOP_PARAMS_f64 || !info->operands)
      return false;
   for (unsigned n = 0; n < info->operands; n++)
      if (info->kinds[n] != 'f')
         return false;
   return true;
}

/* Results that are copies of bits, whatever they mean. */
static bool
copies(const struct uop *u)
{
   return u->op == UOP_COPY || u->op == UOP_GATHER || u->op == UOP_LDS_HEAD ||
          u->op == UOP_ARRAY_LOAD || uop_infos[u->op].result == UOP_RESULT_F;
}

static uint64_t
lanes_of(const struct exec *x, const struct uop *u)
{
   return x->lanes & (u->when == UOP_IF_PRED       ? x->pred
                      : u->when == UOP_UNLESS_PRED ? ~x->pred
                                                   : UINT64_MAX);
}

/* Where a lane's register lies that an index names; NULL: there is none. */
static struct bad *
indexed(struct shadow *w, const struct exec *x, const struct uop *u, unsigned lane)
{
   const int64_t gpr =
      (int64_t)u->p.reg.gpr + (u->p.reg.by_loop ? x->loop_index : (int32_t)x->ar[lane]);

   return gpr < 0 || gpr >= x->num_gprs
             ? NULL
             : row_at(w, (uint32_t)(4 * gpr + u->p.reg.chan) * COMP_BYTES);
}

static void
take_indexed(struct shadow *w, struct step *t, const struct exec *x, const struct uop *u)
{
   if (!u->p.reg.by_loop)
      take(&t->taken, &w->address, t->lanes);
   for (uint64_t left = t->lanes; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      const struct bad *row = indexed(w, x, u, lane);

      if (row)
         take(&t->taken, row, UINT64_C(1) << lane);
   }
}

static void
put_indexed(struct shadow *w, const struct step *t, const struct exec *x, const struct uop *u)
{
   for (uint64_t left = t->lanes; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      struct bad *row = indexed(w, x, u, lane);

      if (row)
         put(row, &t->taken, UINT64_C(1) << lane);
   }
}

/* Before it is executed: what it takes from its operands. */
static void
before(struct sanitizer *s, struct shadow *w, struct step *t, const struct exec *x,
       const struct uop_code *code, const struct uop *u)
{
   const struct uop_info *info = &uop_infos[u->op];
   const struct rule *rule = &rules[u->op];
   uint64_t infinite = 0, nans = 0, own;

   t->taken.lanes = 0;
   t->lanes = lanes_of(x, u);
   t->undefined = 0;
   if (u->op == UOP_BARRIER)
      access_barrier(s, x);
   if (u->op == UOP_GATHER)
      take_indexed(w, t, x, u);
   if (u->op == UOP_LDS_HEAD) {
      t->lanes = x->launch;
      if (x->oq_count)
         take(&t->taken, &w->queue[x->oq_head % 64][u->p.queue.number], t->lanes);
   }
   if (u->op == UOP_LDS) {
      take_operand(w, t, &u->src[0], t->lanes);
      for (unsigned n = 1; n < 3; n++) {
         const struct bad *row = u->src[n].kind == UOP_ROW ? row_at(w, u->src[n].at) : NULL;

         if (row)
            take(&w->data, row, t->lanes);
      }
      return;
   }
   if (rule->treatment == ABSORBS_ZERO || rule->treatment == ABSORBS_ONES) {
      take_absorbed(s, w, t, x, code, u, rule->treatment, t->lanes);
   } else if (rule->treatment != ALL) {
      take_selection(s, w, t, x, code, u, rule->treatment, t->lanes);
   } else {
      const unsigned records = info->records > 1 ? u->length : 1;

      for (unsigned r = 0; r < records; r++)
         for (unsigned n = 0; n < 3; n++)
            take_operand(w, t, &u[r].src[n], t->lanes);
   }
   if (info->effect == UOP_EFFECT_MASK)
      for (unsigned n = 0; n < info->operands; n++)
         if (u->src[n].kind == UOP_ROW && row_at(w, u->src[n].at))
            used(s, x->wave, row_at(w, u->src[n].at), CORE_ROLE_BRANCH,
                 (const uint32_t *)(const void *)(x->file + u->src[n].at), t->lanes);
   /* Of conversions, for what is divided, too. */
   if (rule->hazard && (sanitize_looks_for(s, hazard_kinds[rule->hazard]) ||
                        (hazard_kinds[rule->hazard] == SANITIZE_CONVERSION && t->taken.lanes)))
      t->undefined = hazards(x, code, u, rule->hazard,
                             t->lanes & ~(t->taken.lanes & ~while_not_finite(s, &t->taken)));
   t->numbers = t->ordered = 0;
   if (is_float_operation(info)) {
      const unsigned records = info->records > 1 ? u->length : 1;

      for (unsigned r = 0; r < records; r++)
         for (unsigned n = 0; n < info->operands; n++) {
            infinite |= operand_not_finite(x, code, &u[r].src[n], &own);
            nans |= own;
         }
      t->numbers = t->lanes & ~infinite;
      t->ordered = t->lanes & ~nans;
   }
}

/* What a division by zero gave and no integer can hold is converted: integers are divided so.  It
 * stays what it was, now whatever its bits are. */
static void
convert_divided(struct sanitizer *s, struct step *t, const struct core_wave *wave)
{
   struct bad *const to = &t->taken;

   for (uint64_t left = to->lanes & t->undefined; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      const struct maker *m = &s->makers[to->maker[lane] - 1];
      char text[sizeof(m->text)];

      if (m->kind != SANITIZE_DIVISION || !m->floats)
         continue;
      memcpy(text, m->text, sizeof(text));
      to->maker[lane] = maker_number(s, wave, SANITIZE_DIVISION, false, text);
      if (!to->maker[lane])
         to->lanes &= ~(UINT64_C(1) << lane);
   }
}

/* A result that is in a row. */
static void
result(struct sanitizer *s, struct shadow *w, struct step *t, const struct exec *x,
       const struct uop_code *code, const struct uop *u, const struct uop *record)
{
   const struct uop_info *info = &uop_infos[u->op];
   const unsigned hazard = rules[u->op].hazard;
   struct bad *row = row_at(w, record->dst);
   const bool maybe = copies(u) && (t->taken.lanes || t->ordered || t->undefined);
   uint64_t nans = 0, rest;
   uint64_t infinite =
      maybe ? not_finite((const uint32_t *)(const void *)(x->file + record->dst), &nans) : 0;
   struct bad *const to = &t->taken;
   const uint64_t taken = to->lanes;

   if (!row)
      return;
   if (hazard == TO_INT || hazard == TO_UINT)
      convert_divided(s, t, x->wave);
   to->lanes &= ~while_not_finite(s, to) | infinite;
   if (t->undefined) {
      const bool floats = hazard == DIVIDES;
      const bool looks = sanitize_looks_for(s, hazard_kinds[hazard]);
      const uint64_t lanes = looks ? t->undefined & (floats ? infinite : UINT64_MAX) : 0;

      if (lanes)
         blame(to, lanes, maker_of(s, x->wave, code, u, hazard_kinds[hazard], floats));
   }
   /* Another operation on what it does not have as a float makes nothing. */
   rest = is_float_operation(info) ? nans & t->ordered & ~to->lanes : 0;
   if (rest && sanitize_looks_for(s, SANITIZE_NAN))
      blame(to, rest, maker_of(s, x->wave, code, u, SANITIZE_NAN, true));
   rest = is_float_operation(info) ? infinite & ~nans & t->numbers & ~to->lanes : 0;
   if (rest && sanitize_looks_for(s, SANITIZE_INFINITY))
      blame(to, rest, maker_of(s, x->wave, code, u, SANITIZE_INFINITY, true));
   put(row, to, t->lanes);
   to->lanes = taken;
}

/* Rows that an array's store may have written hold what nobody follows. */
static void
forget_array(struct shadow *w, const struct uop_array *a, uint64_t lanes)
{
   for (uint32_t n = 0; n < 4 * a->rows && a->row + n < CORE_WAVE_ROWS; n++)
      w->row[a->row + n].lanes &= ~lanes;
}

static void
after(struct sanitizer *s, struct shadow *w, struct step *t, const struct exec *x,
      const struct uop_code *code, const struct uop *u)
{
   const struct uop_info *info = &uop_infos[u->op];
   const unsigned writes = info->params == UOP_PARAMS_group ? u->p.group.writes
                           : info->params == UOP_PARAMS_f64 ? u->p.f64.writes
                           : info->records > 1              ? 15u
                                                            : 1u;

   switch (u->op) {
   case UOP_MOVA_INT:
      put(&w->address, &t->taken, t->lanes);
      return;
   case UOP_SCATTER:
      put_indexed(w, t, x, u);
      return;
   case UOP_LDS:
      if (u->p.lds.returns && x->oq_count)
         for (unsigned n = 0; n < 2; n++)
            put(&w->queue[(x->oq_head + x->oq_count - 1) % 64][n], &t->taken, UINT64_MAX);
      return;
   case UOP_ARRAY_STORE:
   case UOP_ARRAY_SHARE:
      forget_array(w, &u->p.array, t->lanes);
      return;
   default:
      break;
   }
   if (info->result != UOP_RESULT_F && info->result != UOP_RESULT_B)
      return;
   for (unsigned r = 0; r < (info->records > 1 ? u->length : 1u); r++)
      if (writes >> r & 1)
         result(s, w, t, x, code, u, &u[r]);
}

void
values_micro(void *data, const struct exec *x, const struct uop_code *code, const struct uop *u,
             bool done)
{
   struct sanitizer *s = data;
   struct shadow *w = shadow_of(x->wave);
   const unsigned count = uop_infos[u->op].records > 1 ? 1 : u->length;

   if (!w)
      return;
   if (!done)
      begin(w);
   /* Several, where equal ones are done at once: none reads what another one writes. */
   for (unsigned n = 0; n < count && n < UOP_RECORDS; n++)
      if (done)
         after(s, w, &w->step[n], x, code, &u[n]);
      else
         before(s, w, &w->step[n], x, code, &u[n]);
}
