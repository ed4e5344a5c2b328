/* SPDX-License-Identifier: MIT */
/*
 * Which thread a compute program runs as, local and global data, append counters, fences
 * (7.2.10, 7.2.12, 7.15 - 7.17); operations on UAVs and buffers are in uav.c.
 *
 * Areas of shared data follow one another in the order of their declarations.
 */
#include "direct/lift.h"

#include "core/share.h"

#define STAGE_DATA     (ROW_STAGE + 1)
#define STAGE_RESULT   (ROW_STAGE + 2)
#define MAX_SEMAPHORES 16u
#define MAX_COUNT      255u

/* --- which thread is this? -------------------------------------------------------------------- */
static struct uop_operand
groups_along(struct direct *d, unsigned axis)
{
   return direct_const(d, IL_DRIVER_CB, IL_DRV_GRID * 4 + axis);
}

/* a * b + c, modulo 2^32 */
static struct uop_operand
multiply_add(struct direct *d, struct uop_operand a, struct uop_operand b, struct uop_operand c)
{
   return DOP2(ADD_INT, DOP2(MULLO_UINT, a, b), c);
}

static struct uop_operand
flat_thread(struct direct *d)
{
   const uint32_t *block = d->out->block;
   struct uop_operand row =
      multiply_add(d, direct_row(0, 2), direct_literal(d, block[1]), direct_row(0, 1));
   return multiply_add(d, row, direct_literal(d, block[0]), direct_row(0, 0));
}

static struct uop_operand
flat_group(struct direct *d)
{
   struct uop_operand row = multiply_add(d, direct_row(1, 2), groups_along(d, 1), direct_row(1, 1));
   return multiply_add(d, row, groups_along(d, 0), direct_row(1, 0));
}

struct uop_operand
direct_thread(struct direct *d, unsigned type, unsigned comp)
{
   const uint32_t *block = d->out->block;

   switch (type) {
   case IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT:
      return flat_thread(d);
   case IL_REGTYPE_THREAD_GROUP_ID_FLAT:
      return flat_group(d);
   case IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT:
      return multiply_add(d, flat_group(d), direct_literal(d, block[0] * block[1] * block[2]),
                          flat_thread(d));
   default:
      break;
   }
   if (comp > 2)
      return direct_literal(d, 0);
   switch (type) {
   case IL_REGTYPE_THREAD_ID_IN_GROUP:
      return direct_row(0, comp);
   case IL_REGTYPE_THREAD_GROUP_ID:
      return direct_row(1, comp);
   default:
      return multiply_add(d, direct_row(1, comp), direct_literal(d, block[comp]),
                          direct_row(0, comp));
   }
}

/* --- addresses -------------------------------------------------------------------------------- */
struct uop_operand
direct_add(struct direct *d, struct uop_operand v, uint32_t n)
{
   return n ? DOP2(ADD_INT, v, direct_literal(d, n)) : v;
}

/* Bytes: element * stride + offset, or as it is. */
struct uop_operand
direct_bytes(struct direct *d, struct uop_operand element, uint32_t stride,
             struct uop_operand offset)
{
   return stride ? multiply_add(d, element, direct_literal(d, stride), offset) : element;
}

/* --- local data ------------------------------------------------------------------------------- */
static const struct {
   uint16_t il, il_read;   /* without and with the old value as result */
   uint16_t gds, gds_read; /* the same of global data */
   uint8_t op;             /* enum core_share_op */
} share_ops[] = {
#define ROW(name, op)                                                                   \
   {                                                                                    \
      IL_OP_LDS_##name, IL_OP_LDS_READ_##name, IL_OP_GDS_##name, IL_OP_GDS_READ_##name, \
         CORE_ATOMIC_##op                                                               \
   }
   ROW(ADD, ADD),
   ROW(SUB, SUB),
   ROW(RSUB, RSUB),
   ROW(INC, INC),
   ROW(DEC, DEC),
   ROW(MIN, MIN_INT),
   ROW(MAX, MAX_INT),
   ROW(UMIN, MIN_UINT),
   ROW(UMAX, MAX_UINT),
   ROW(AND, AND),
   ROW(OR, OR),
   ROW(XOR, XOR),
   ROW(MSKOR, MSKOR),
#undef ROW
   { IL_OP_LDS_CMP, IL_OP_LDS_READ_CMP_XCHG, IL_OP_GDS_CMP_STORE, IL_OP_GDS_READ_CMP_XCHG,
     CORE_ATOMIC_COMPARE },
   { 0, IL_OP_LDS_READ_XCHG, 0, IL_OP_GDS_READ_XCHG, CORE_ATOMIC_EXCHANGE },
   { IL_OP_LDS_STORE, 0, IL_OP_GDS_STORE, 0, CORE_ATOMIC_EXCHANGE },
   { IL_OP_LDS_STORE_BYTE, 0, 0, 0, CORE_SHARE_STORE_8 },
   { IL_OP_LDS_STORE_SHORT, 0, 0, 0, CORE_SHARE_STORE_16 },
   { 0, IL_OP_LDS_LOAD, 0, IL_OP_GDS_LOAD, CORE_SHARE_LOAD },
   { 0, IL_OP_LDS_LOAD_BYTE, 0, 0, CORE_SHARE_LOAD_S8 },
   { 0, IL_OP_LDS_LOAD_UBYTE, 0, 0, CORE_SHARE_LOAD_U8 },
   { 0, IL_OP_LDS_LOAD_SHORT, 0, 0, CORE_SHARE_LOAD_S16 },
   { 0, IL_OP_LDS_LOAD_USHORT, 0, 0, CORE_SHARE_LOAD_U16 },
};

struct uop_operand
direct_lds_op(struct direct *d, unsigned op, bool returns, struct uop_operand address,
              struct uop_operand a, struct uop_operand b)
{
   uop_emit(&d->b, UOP_LDS, 0, address, a, b)->p.lds =
      (struct uop_lds){ .op = (uint8_t)op, .returns = returns };
   if (!returns)
      return address;
   uint32_t to = direct_temp(d);
   uop_add(&d->b, UOP_LDS_HEAD)->dst = to;
   uop_add(&d->b, UOP_LDS_POP);
   return direct_at(to);
}

static struct uop_operand
lds_load(struct direct *d, struct uop_operand address)
{
   const struct uop_operand zero = direct_literal(d, 0);

   return direct_lds_op(d, CORE_SHARE_LOAD, true, address, zero, zero);
}

static void
lds_store(struct direct *d, struct uop_operand address, struct uop_operand v)
{
   direct_lds_op(d, CORE_ATOMIC_EXCHANGE, false, address, v, direct_literal(d, 0));
}

/* GDS knows the same operations. */
static struct uop_operand
gds_op(struct direct *d, unsigned op, bool returns, struct uop_operand address,
       struct uop_operand a, struct uop_operand b)
{
   const struct uop_operand data[3] = { address, a, b };
   struct program *p = d->p;

   for (unsigned c = 0; c < 3; c++)
      direct_move(d, REG(STAGE_DATA, c), data[c]);
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_GDS);
   cf->valid_pixel_mode = d->il->shader == IL_SHADER_PIXEL;
   if (uop_grow(&d->b, (void **)&p->fetches, p->num_fetches, &d->cap_fetches,
                sizeof(*p->fetches))) {
      p->fetches[p->num_fetches] = (struct fetch){
         .kind = FETCH_GDS,
         .op = (uint8_t)op,
         .commutes = core_atomic_commutes(op) && !returns,
         .src_gpr = STAGE_DATA,
         .dst_gpr = STAGE_RESULT,
         .src_sel = { 0, 1, 2 },
         .dst_sel = { returns ? 0 : CAYMAN_SEL_MASK, CAYMAN_SEL_MASK, CAYMAN_SEL_MASK,
                      CAYMAN_SEL_MASK },
      };
      cf->first_fetch = p->num_fetches++;
      cf->num_fetches = 1;
   }
   p->head.core.writes_memory = p->head.core.ordered = p->head.uses_gds = true;
   return direct_row(STAGE_RESULT, 0);
}

static bool
gds(struct direct *d, const struct il_inst *inst)
{
   unsigned n = il_number(inst);
   struct uop_operand v[2] = { direct_literal(d, 0), direct_literal(d, 0) };

   if (n >= IL_MAX_AREAS || !d->decl.gds[n].size) {
      direct_refuse(d, "global data that is not declared");
      return true;
   }
   struct uop_operand address = direct_src(d, &inst->src[0], 0);
   if (d->decl.gds[n].stride)
      address = direct_bytes(d, address, d->decl.gds[n].stride, direct_src(d, &inst->src[0], 1));
   address = direct_add(d, address, d->decl.gds[n].base);
   for (unsigned i = 0; i < sizeof(share_ops) / sizeof(*share_ops); i++) {
      bool returns = share_ops[i].gds_read == inst->op;
      if (!returns && share_ops[i].gds != inst->op)
         continue;
      for (unsigned k = 1; k < inst->nsrc && k < 3; k++)
         v[k - 1] = direct_src(d, &inst->src[k], 0);
      struct uop_operand old = gds_op(d, share_ops[i].op, returns, address, v[0], v[1]);
      if (returns)
         direct_store(d, &inst->dst[0], (const struct uop_operand[]){ old, old, old, old });
      return true;
   }
   return false;
}

static bool
lds(struct direct *d, const struct il_inst *inst)
{
   unsigned n = il_lds(inst);
   bool vec = inst->op == IL_OP_LDS_LOAD_VEC || inst->op == IL_OP_LDS_STORE_VEC;
   struct uop_operand zero = direct_literal(d, 0), r[4] = { zero, zero, zero, zero };

   if (!d->decl.lds[n].size) {
      direct_refuse(d, "local data that is not declared");
      return true;
   }
   struct uop_operand address = direct_src(d, &inst->src[0], 0);
   if (d->decl.lds[n].stride) {
      address =
         direct_bytes(d, address, d->decl.lds[n].stride,
                      vec ? direct_src(d, &inst->src[1], 0) : direct_src(d, &inst->src[0], 1));
   }
   address = direct_add(d, address, d->decl.lds[n].base);

   if (vec) {
      unsigned mask = il_dst_mask(&inst->dst[0]);
      for (unsigned c = 0; c < 4; c++) {
         if (!(mask >> c & 1))
            continue;
         if (inst->op == IL_OP_LDS_LOAD_VEC)
            r[c] = lds_load(d, direct_add(d, address, 4 * c));
         else
            lds_store(d, direct_add(d, address, 4 * c), direct_src(d, &inst->src[2], c));
      }
      if (inst->op == IL_OP_LDS_LOAD_VEC)
         direct_store(d, &inst->dst[0], r);
      return true;
   }
   for (unsigned i = 0; i < sizeof(share_ops) / sizeof(*share_ops); i++) {
      bool returns = share_ops[i].il_read == inst->op;
      if (!returns && share_ops[i].il != inst->op)
         continue;
      for (unsigned k = 1; k < inst->nsrc && k < 3; k++)
         r[k - 1] = direct_src(d, &inst->src[k], 0);
      r[0] = direct_lds_op(d, share_ops[i].op, returns, address, r[0], r[1]);
      if (returns) {
         r[1] = r[2] = r[3] = r[0];
         direct_store(d, &inst->dst[0], r);
      }
      return true;
   }
   return false;
}

/* The counter goes up after an alloc, which gives what it was; a consume gives what is left. */
static void
append(struct direct *d, const struct il_inst *inst)
{
   bool alloc = inst->op == IL_OP_APPEND_BUF_ALLOC;
   unsigned n = il_number(inst);
   struct uop_operand one = direct_literal(d, 1);

   if (n >= IL_MAX_COUNTERS) {
      direct_refuse(d, "a counter above 11");
      return;
   }
   struct uop_operand v = gds_op(d, alloc ? CORE_ATOMIC_ADD : CORE_ATOMIC_SUB, true,
                                 direct_literal(d, 4 * n), one, direct_literal(d, 0));
   if (!alloc)
      v = DOP2(SUB_INT, v, one);
   direct_store(d, &inst->dst[0], (const struct uop_operand[]){ v, v, v, v });
}

/* --- fences and the rest ---------------------------------------------------------------------- */
static void
fence(struct direct *d, const struct il_inst *inst)
{
   if (!il_fence_threads(inst))
      return; /* memory is in order */
   if (d->decl.tess.flat && !direct_in_block(d))
      return; /* the control points of a patch are one wave's */
   if (d->il->shader != IL_SHADER_COMPUTE) {
      direct_refuse(d, "a barrier of threads inside a block");
      return;
   }
   /* In a block, a wave waits where any of its threads does. */
   uop_add(&d->b, UOP_BARRIER);
   d->barrier = d->p->head.core.uses_barrier = true;
}

/* A semaphore is the resource of global wave sync with its number, and begins with 255 at most; a
 * wave asks once, whatever the number of its threads. */
static void
semaphore(struct direct *d, const struct il_inst *inst)
{
   unsigned n = il_number(inst);
   bool init = inst->op == IL_OP_SEMAPHORE_INIT;
   uint8_t op = init                                 ? CAYMAN_GWS_INIT
                : inst->op == IL_OP_SEMAPHORE_SIGNAL ? CAYMAN_GWS_SEMA_V
                                                     : CAYMAN_GWS_SEMA_P;

   if (n >= MAX_SEMAPHORES) {
      direct_refuse(d, "semaphore above %u", MAX_SEMAPHORES - 1);
      return;
   }
   if (init) {
      struct uop_operand most = direct_literal(d, MAX_COUNT);
      struct uop_operand v = DOP2(MIN_UINT, direct_src(d, &inst->src[0], 0), most);
      uop_emit(&d->b, UOP_MOVA_INT, 0, v, v, v)->p.mova.to = UOP_ADDRESS_INDEX_0;
   }
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_GLOBAL_WAVE_SYNC);
   cf->gws_op = op;
   cf->gws_resource = (uint8_t)n;
   cf->gws_value_index = init ? CAYMAN_CF_INDEX_0 : 0;
   d->p->head.core.uses_global_sync = d->p->head.core.writes_memory = d->p->head.core.ordered =
      true;
}

bool
direct_init_shared(struct direct *d)
{
   uop_emit(&d->b, UOP_SHARED_INIT, 0, direct_const(d, 0, 0), direct_const(d, 0, 1),
            direct_const(d, 0, 2));
   d->p->head.core.writes_memory = d->p->head.core.ordered = true;
   return true;
}

bool
direct_memory(struct direct *d, const struct il_inst *inst)
{
   switch (il_op_info(inst->op)->category) {
   case IL_CAT_LDS:
      return lds(d, inst);
   case IL_CAT_GDS:
      return gds(d, inst);
   case IL_CAT_UAV:
      return direct_uav(d, inst);
   case IL_CAT_SRV:
      return direct_srv(d, inst);
   default:
      break;
   }
   switch (inst->op) {
   case IL_OP_FENCE:
      fence(d, inst);
      return true;
   case IL_OP_APPEND_BUF_ALLOC:
   case IL_OP_APPEND_BUF_CONSUME:
      append(d, inst);
      return true;
   case IL_OP_SEMAPHORE_INIT:
   case IL_OP_SEMAPHORE_SIGNAL:
   case IL_OP_SEMAPHORE_WAIT:
      semaphore(d, inst);
      return true;
   default:
      return false;
   }
}
