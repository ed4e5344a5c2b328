/* SPDX-License-Identifier: MIT */
/* Memory that shaders write: storage buffers as raw UAVs, images as typed ones, shared memory as
 * local data, atomic counters as global data; barriers; the numbers that a compute shader's
 * invocation has.
 *
 * UAVs are numbered by atoll_nir_uavs(), which the driver asks as well: the buffers that a shader
 * uses, then its images.
 */
#include "translate.h"

/* -------------------------------------------------------------------------------- numbering -- */

/* The source that tells which buffer or image; -1: it is no such instruction. */
int
tr_memory_index(const nir_intrinsic_instr *intr, bool *image)
{
   *image = false;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ssbo:
   case nir_intrinsic_ssbo_atomic:
   case nir_intrinsic_ssbo_atomic_swap:
   case nir_intrinsic_get_ssbo_size:
      return 0;
   case nir_intrinsic_store_ssbo:
      return 1;
   case nir_intrinsic_image_load:
   case nir_intrinsic_image_store:
   case nir_intrinsic_image_atomic:
   case nir_intrinsic_image_atomic_swap:
   case nir_intrinsic_image_size:
      *image = true;
      return 0;
   default:
      return -1;
   }
}

static enum il_pixtex
image_type(const nir_intrinsic_instr *intr)
{
   bool array = nir_intrinsic_image_array(intr);
   switch (nir_intrinsic_image_dim(intr)) {
   case GLSL_SAMPLER_DIM_1D:
      return array ? IL_USAGE_PIXTEX_1DARRAY : IL_USAGE_PIXTEX_1D;
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_RECT:
      return array ? IL_USAGE_PIXTEX_2DARRAY : IL_USAGE_PIXTEX_2D;
   case GLSL_SAMPLER_DIM_3D:
      return IL_USAGE_PIXTEX_3D;
   case GLSL_SAMPLER_DIM_CUBE:
      return array ? IL_USAGE_PIXTEX_CUBEMAP_ARRAY : IL_USAGE_PIXTEX_CUBEMAP;
   case GLSL_SAMPLER_DIM_BUF:
      return IL_USAGE_PIXTEX_BUFFER;
   default:
      return IL_USAGE_PIXTEX_UNKNOWN;
   }
}

/* Counters have operations of their own; some count by one. */
struct counter_op {
   uint16_t op, read; /* without and with the old value as result; 0: there is none */
   int8_t one;        /* what is added, and not an operand */
   nir_atomic_op memory;
};

static const struct counter_op *
counter_op(nir_intrinsic_op intrinsic)
{
#define ROW(name, op, one, memory) \
   [nir_intrinsic_atomic_counter_##name] = { IL_OP_GDS_##op, IL_OP_GDS_READ_##op, one, memory }
   static const struct counter_op table[nir_num_intrinsics] = {
      ROW(inc, ADD, 1, nir_atomic_op_iadd),
      ROW(pre_dec, SUB, -1, nir_atomic_op_iadd),
      ROW(post_dec, SUB, -1, nir_atomic_op_iadd),
      ROW(add, ADD, 0, nir_atomic_op_iadd),
      ROW(min, UMIN, 0, nir_atomic_op_umin),
      ROW(max, UMAX, 0, nir_atomic_op_umax),
      ROW(and, AND, 0, nir_atomic_op_iand),
      ROW(or, OR, 0, nir_atomic_op_ior),
      ROW(xor, XOR, 0, nir_atomic_op_ixor),
      [nir_intrinsic_atomic_counter_read] = { 0, IL_OP_GDS_LOAD },
      [nir_intrinsic_atomic_counter_exchange] = { IL_OP_GDS_STORE, IL_OP_GDS_READ_XCHG, 0,
                                                  nir_atomic_op_xchg },
      [nir_intrinsic_atomic_counter_comp_swap] = { IL_OP_GDS_CMP_STORE, IL_OP_GDS_READ_CMP_XCHG, 0,
                                                   nir_atomic_op_cmpxchg },
   };
#undef ROW
   return table[intrinsic].read ? &table[intrinsic] : NULL;
}

/* Calls `look` with each intrinsic of a shader. */
static void
each_intrinsic(const nir_shader *nir,
               void (*look)(const nir_shader *nir, const nir_intrinsic_instr *intr, void *data),
               void *data)
{
   nir_foreach_function_impl(impl, nir)
   {
      nir_foreach_block(block, impl)
      {
         nir_foreach_instr(instr, block)
         {
            if (instr->type == nir_instr_type_intrinsic)
               look(nir, nir_instr_as_intrinsic(instr), data);
         }
      }
   }
}

/* Buffers and images, by GL's numbers. */
struct named {
   bool counters; /* their buffers, too */
   uint32_t buffers, images;
   uint8_t types[32]; /* of images */
};

static void
find_named(const nir_shader *nir, const nir_intrinsic_instr *intr, void *data)
{
   struct named *named = data;
   bool image;
   int src = tr_memory_index(intr, &image);

   (void)nir;
   if (named->counters && counter_op(intr->intrinsic) &&
       nir_intrinsic_base(intr) < ATOLL_NIR_COUNTER_BUFFERS)
      named->buffers |= 1u << (ATOLL_NIR_FIRST_COUNTERS + nir_intrinsic_base(intr));
   if (src < 0 || !nir_src_is_const(intr->src[src]))
      return;
   unsigned index = MIN2(nir_src_as_uint(intr->src[src]), 31);
   if (image)
      named->types[index] = image_type(intr);
   *(image ? &named->images : &named->buffers) |= 1u << index;
}

void
atoll_nir_uavs(const struct nir_shader *nir, bool counters_in_memory, struct atoll_nir_uavs *out)
{
   struct named named = { .counters = counters_in_memory };

   memset(out, 0, sizeof(*out));
   each_intrinsic(nir, find_named, &named);
   unsigned count = util_bitcount(named.buffers) + util_bitcount(named.images);
   unsigned n = 0;
   out->count = count;
   u_foreach_bit(index, named.buffers)
   {
      if (n < ATOLL_NIR_UAVS)
         out->uav[n++] = (struct atoll_nir_uav){ .kind = ATOLL_NIR_BUFFER, .index = index };
   }
   u_foreach_bit(index, named.images)
   {
      if (n < ATOLL_NIR_UAVS)
         out->uav[n++] = (struct atoll_nir_uav){ .kind = ATOLL_NIR_IMAGE,
                                                 .index = index,
                                                 .type = named.types[index] };
   }
}

/* Where the counters of a buffer end that a program indexes: after the last array of them. */
static unsigned
end_of_counters(const nir_shader *nir, unsigned buffer)
{
   unsigned end = 0;
   nir_foreach_variable_with_modes(var, (nir_shader *)nir, nir_var_uniform)
   {
      if (glsl_contains_atomic(var->type) && var->data.binding == buffer)
         end = MAX2(end, var->data.offset + glsl_atomic_size(var->type));
   }
   return end ? end : ATOLL_NIR_COUNTER_BYTES;
}

static void
find_counters(const nir_shader *nir, const nir_intrinsic_instr *intr, void *data)
{
   struct atoll_nir_counters *out = data;

   if (!counter_op(intr->intrinsic) || nir_intrinsic_base(intr) >= ATOLL_NIR_COUNTER_BUFFERS)
      return;
   const unsigned buffer = nir_intrinsic_base(intr);
   const unsigned end = nir_src_is_const(intr->src[0]) ? nir_src_as_uint(intr->src[0]) + 4
                                                       : end_of_counters(nir, buffer);
   out->bytes[buffer] = MAX2(out->bytes[buffer], MIN2(end, ATOLL_NIR_COUNTER_BYTES));
   out->used |= (uint16_t)(1u << buffer);
   if (intr->intrinsic != nir_intrinsic_atomic_counter_read)
      out->changed |= (uint16_t)(1u << buffer);
}

void
atoll_nir_counters(const struct nir_shader *nir, struct atoll_nir_counters *out)
{
   memset(out, 0, sizeof(*out));
   if (nir->info.num_abos)
      each_intrinsic(nir, find_counters, out);
}

/* The UAV of an instruction's buffer or image, or of its counter's buffer. */
static unsigned
uav_of(struct translator *t, const nir_intrinsic_instr *intr)
{
   bool image;
   int src = tr_memory_index(intr, &image);
   uint8_t kind = image ? ATOLL_NIR_IMAGE : ATOLL_NIR_BUFFER;
   int64_t index = -1;
   if (t->uavs.count > ATOLL_NIR_UAVS) {
      tr_fail(t, "%u buffers and images that may be written, and there are %u", t->uavs.count,
              ATOLL_NIR_UAVS);
      return 0;
   }
   if (src >= 0 && nir_src_is_const(intr->src[src]))
      index = (int64_t)nir_src_as_uint(intr->src[src]);
   else if (counter_op(intr->intrinsic))
      index = ATOLL_NIR_FIRST_COUNTERS + nir_intrinsic_base(intr);
   for (unsigned n = 0; n < ATOLL_NIR_UAVS; n++)
      if (t->uavs.uav[n].kind == kind && t->uavs.uav[n].index == index)
         return n;
   tr_fail(t, "internal: %s of an unknown buffer or image",
           nir_intrinsic_infos[intr->intrinsic].name);
   return 0;
}

/* ------------------------------------------------------------------------------- operations -- */

/* `count` components of a value in a register of their own, or nothing when nobody reads it. */
static struct il_dst
results(struct translator *t, const nir_def *def)
{
   return tr_dst(tr_define(t, def, true), BITFIELD_MASK(def->num_components));
}

static struct il_dst
memory(unsigned mask)
{
   return il_dst_masked(il_dst(IL_REGTYPE_GENERIC_MEM, 0), mask);
}

/* A byte address: offset + base. */
static struct il_src
address(struct translator *t, const nir_src *offset, unsigned base)
{
   if (nir_src_is_const(*offset))
      return tr_bits(t, nir_src_as_uint(*offset) + base);
   struct il_src s[2] = { tr_scalar(t, offset->ssa, 0) };
   if (!base)
      return s[0];
   uint32_t temp = tr_temp(t);
   s[1] = tr_bits(t, base);
   tr_emit(t, IL_OP_I_ADD, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 1), 2, s);
   return il_replicate(il_src(IL_REGTYPE_TEMP, temp), 0);
}

/* Without and with a result, for UAVs and for local data; 0: there is none. */
struct operation {
   uint16_t uav, uav_read, lds, lds_read;
};

static const struct operation *
operation_of(struct translator *t, nir_atomic_op op)
{
#define OP(name)                                                                       \
   {                                                                                   \
      IL_OP_UAV_##name, IL_OP_UAV_READ_##name, IL_OP_LDS_##name, IL_OP_LDS_READ_##name \
   }
   static const struct operation table[] = {
      [nir_atomic_op_iadd] = OP(ADD),
      [nir_atomic_op_imin] = OP(MIN),
      [nir_atomic_op_umin] = OP(UMIN),
      [nir_atomic_op_imax] = OP(MAX),
      [nir_atomic_op_umax] = OP(UMAX),
      [nir_atomic_op_iand] = OP(AND),
      [nir_atomic_op_ior] = OP(OR),
      [nir_atomic_op_ixor] = OP(XOR),
      [nir_atomic_op_xchg] = { 0, IL_OP_UAV_READ_XCHG, 0, IL_OP_LDS_READ_XCHG },
      [nir_atomic_op_cmpxchg] = { IL_OP_UAV_CMP, IL_OP_UAV_READ_CMP_XCHG, IL_OP_LDS_CMP,
                                  IL_OP_LDS_READ_CMP_XCHG },
   };
#undef OP
   static const struct operation none;
   if (op < ARRAY_SIZE(table) && table[op].uav_read)
      return &table[op];
   tr_fail(t, "not implemented: atomic operation %u", op);
   return &none;
}

/* An operation on one dword.  `s` has the address, the value, and for an exchange on condition the
 * third operand. */
static void
operate(struct translator *t, const nir_intrinsic_instr *intr, unsigned plain, unsigned read,
        unsigned ctl, unsigned nsrc, const struct il_src *s)
{
   if (plain && nir_def_is_unused((nir_def *)&intr->def)) {
      tr_emit0(t, plain, ctl, nsrc, s);
      return;
   }
   const struct tr_value *d = tr_define(t, &intr->def, false);
   tr_emit(t, read, ctl, tr_dst(d, 1), nsrc, s);
}

/* Of UAVs the new value comes first, of local data the one to compare with. */
static void
uav_operation(struct translator *t, const nir_intrinsic_instr *intr, struct il_src place,
              unsigned first)
{
   const struct operation *op = operation_of(t, nir_intrinsic_atomic_op(intr));
   bool swap = nir_intrinsic_atomic_op(intr) == nir_atomic_op_cmpxchg;
   struct il_src s[3] = { place, tr_scalar(t, intr->src[first + swap].ssa, 0) };
   if (swap)
      s[2] = tr_scalar(t, intr->src[first].ssa, 0);
   operate(t, intr, op->uav, op->uav_read, uav_of(t, intr), 2 + swap, s);
}

static void
lds_operation(struct translator *t, const nir_intrinsic_instr *intr)
{
   const struct operation *op = operation_of(t, nir_intrinsic_atomic_op(intr));
   bool swap = nir_intrinsic_atomic_op(intr) == nir_atomic_op_cmpxchg;
   struct il_src s[3] = { address(t, &intr->src[0], nir_intrinsic_base(intr)),
                          tr_scalar(t, intr->src[1].ssa, 0) };
   if (swap)
      s[2] = tr_scalar(t, intr->src[2].ssa, 0);
   operate(t, intr, op->lds, op->lds_read, 0, 2 + swap, s);
}

/* A counter in global data. */
static void
counter_in_gds(struct translator *t, const nir_intrinsic_instr *intr)
{
   const struct counter_op *op = counter_op(intr->intrinsic);
   struct il_src s[3] = { address(t, &intr->src[0],
                                  nir_intrinsic_base(intr) * ATOLL_NIR_COUNTER_BYTES) };
   unsigned nsrc = nir_intrinsic_infos[intr->intrinsic].num_srcs;

   for (unsigned i = 1; i < nsrc; i++)
      s[i] = tr_scalar(t, intr->src[i].ssa, 0);
   if (op->one)
      s[nsrc++] = tr_bits(t, 1);
   operate(t, intr, op->op, op->read, 0, nsrc, s);
}

/* A counter in its buffer. */
static void
counter_in_memory(struct translator *t, const nir_intrinsic_instr *intr)
{
   const struct counter_op *op = counter_op(intr->intrinsic);
   struct il_src s[3] = { address(t, &intr->src[0], 0) };

   if (intr->intrinsic == nir_intrinsic_atomic_counter_read) {
      tr_emit(t, IL_OP_UAV_RAW_LOAD, uav_of(t, intr), results(t, &intr->def), 1, s);
      return;
   }
   const struct operation *uav = operation_of(t, op->memory);
   const bool swap = op->memory == nir_atomic_op_cmpxchg;
   s[1] = op->one ? tr_bits(t, (uint32_t)op->one) : tr_scalar(t, intr->src[1 + swap].ssa, 0);
   if (swap)
      s[2] = tr_scalar(t, intr->src[1].ssa, 0);
   operate(t, intr, uav->uav, uav->uav_read, uav_of(t, intr), 2 + swap, s);
}

static void
counter_operation(struct translator *t, const nir_intrinsic_instr *intr)
{
   const unsigned buffer = nir_intrinsic_base(intr), info = intr->intrinsic;

   if (buffer >= ATOLL_NIR_COUNTER_BUFFERS) {
      tr_fail(t, "internal: buffer %u of atomic counters", buffer);
      return;
   }
   if (t->key->counters_in_memory)
      counter_in_memory(t, intr);
   else
      counter_in_gds(t, intr);
   if (info != nir_intrinsic_atomic_counter_pre_dec || nir_def_is_unused((nir_def *)&intr->def))
      return;
   const struct tr_value *d = tr_value(t, &intr->def);
   const uint8_t x = 0;
   const struct il_src less[2] = { tr_src(d, &x, d, 1), tr_bits(t, ~0u) };
   tr_emit(t, IL_OP_I_ADD, 0, tr_dst(d, 1), 2, less);
}

static void
load_lds(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src s[2] = { address(t, &intr->src[0], nir_intrinsic_base(intr)), tr_bits(t, 0) };
   tr_emit(t, IL_OP_LDS_LOAD_VEC, 0, results(t, &intr->def), 2, s);
}

static void
store_lds(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src s[3] = { address(t, &intr->src[1], nir_intrinsic_base(intr)), tr_bits(t, 0),
                          tr_vector(t, intr->src[0].ssa, intr->src[0].ssa->num_components) };
   tr_emit(t, IL_OP_LDS_STORE_VEC, 0, memory(nir_intrinsic_write_mask(intr)), 3, s);
}

static void
load_buffer(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src place = address(t, &intr->src[1], 0);
   tr_emit(t, IL_OP_UAV_RAW_LOAD, uav_of(t, intr), results(t, &intr->def), 1, &place);
}

static void
store_buffer(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src s[2] = { address(t, &intr->src[2], 0),
                          tr_vector(t, intr->src[0].ssa, intr->src[0].ssa->num_components) };
   tr_emit(t, IL_OP_UAV_RAW_STORE, uav_of(t, intr), memory(nir_intrinsic_write_mask(intr)), 2, s);
}

/* ----------------------------------------------------------------------------------- images -- */

static struct il_src
texel(struct translator *t, const nir_intrinsic_instr *intr)
{
   return tr_vector(t, intr->src[1].ssa, intr->src[1].ssa->num_components);
}

static void
store_image(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src s[2] = { texel(t, intr),
                          tr_vector(t, intr->src[3].ssa, intr->src[3].ssa->num_components) };
   tr_emit0(t, IL_OP_UAV_STORE, uav_of(t, intr), 2, s);
}

static void
load_image(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src place = texel(t, intr);
   tr_emit(t, IL_OP_UAV_LOAD, uav_of(t, intr), results(t, &intr->def), 1, &place);
}

/* Dword 3 n + c of the driver's constants: bytes of a buffer; width, height, layers of an image. */
static void
size(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned n = uav_of(t, intr);
   bool layers_second =
      intr->intrinsic == nir_intrinsic_image_size && t->uavs.uav[n].type == IL_USAGE_PIXTEX_1DARRAY;
   const struct tr_value *d = tr_define(t, &intr->def, false);
   t->cbs |= 1u << IL_DRIVER_CB;
   for (unsigned c = 0; c < intr->def.num_components; c++) {
      unsigned dword = 3 * n + (layers_second && c == 1 ? 2 : c);
      struct il_src s = il_replicate(
         il_array_src(t->p, IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB, IL_DRV_UAV_SIZE + dword / 4, NULL),
         dword % 4);
      tr_emit(t, IL_OP_MOV, 0, tr_dst(d, 1u << c), 1, &s);
   }
}

/* ------------------------------------------------------------------------------------- rest -- */

/* Where nothing is written there is nothing to order. */
static void
barrier(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned modes = nir_intrinsic_memory_modes(intr), flags = 0;
   bool compute = t->nir->info.stage == MESA_SHADER_COMPUTE;
   if (t->uavs.count && modes & (nir_var_mem_ssbo | nir_var_mem_global | nir_var_image))
      flags |= IL_FENCE_MEMORY;
   if (t->counters.used && modes & nir_var_mem_ssbo)
      flags |= IL_FENCE_GDS;
   if (compute && modes & nir_var_mem_shared)
      flags |= IL_FENCE_LDS;
   if (compute && nir_intrinsic_execution_scope(intr) >= SCOPE_WORKGROUP)
      flags |= IL_FENCE_THREADS | IL_FENCE_LDS;
   if (flags)
      tr_emit0(t, IL_OP_FENCE, flags, 0, NULL);
}

static void
thread_number(struct translator *t, const nir_def *def, struct il_src reg)
{
   tr_emit(t, IL_OP_MOV, 0, results(t, def), 1, &reg);
}

bool
tr_memory(struct translator *t, const nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ssbo:
      load_buffer(t, intr);
      break;
   case nir_intrinsic_store_ssbo:
      store_buffer(t, intr);
      break;
   case nir_intrinsic_ssbo_atomic:
   case nir_intrinsic_ssbo_atomic_swap:
      uav_operation(t, intr, address(t, &intr->src[1], 0), 2);
      break;
   case nir_intrinsic_get_ssbo_size:
   case nir_intrinsic_image_size:
      size(t, intr);
      break;
   case nir_intrinsic_image_load:
      load_image(t, intr);
      break;
   case nir_intrinsic_image_store:
      store_image(t, intr);
      break;
   case nir_intrinsic_image_atomic:
   case nir_intrinsic_image_atomic_swap:
      uav_operation(t, intr, texel(t, intr), 3);
      break;
   case nir_intrinsic_load_shared:
      load_lds(t, intr);
      break;
   case nir_intrinsic_store_shared:
      store_lds(t, intr);
      break;
   case nir_intrinsic_shared_atomic:
   case nir_intrinsic_shared_atomic_swap:
      lds_operation(t, intr);
      break;
   case nir_intrinsic_barrier:
      barrier(t, intr);
      break;
   case nir_intrinsic_load_workgroup_id:
      thread_number(t, &intr->def, il_src(IL_REGTYPE_THREAD_GROUP_ID, 0));
      break;
   case nir_intrinsic_load_global_invocation_id:
      thread_number(t, &intr->def, il_src(IL_REGTYPE_ABSOLUTE_THREAD_ID, 0));
      break;
   case nir_intrinsic_load_local_invocation_id:
      thread_number(t, &intr->def, il_src(IL_REGTYPE_THREAD_ID_IN_GROUP, 0));
      break;
   case nir_intrinsic_load_num_workgroups:
      t->cbs |= 1u << IL_DRIVER_CB;
      thread_number(t, &intr->def,
                    il_array_src(t->p, IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB, IL_DRV_GRID, NULL));
      break;
   default:
      if (!counter_op(intr->intrinsic))
         return false;
      counter_operation(t, intr);
   }
   return true;
}

/* ----------------------------------------------------------------------------- declarations -- */

static void
declare_uav(struct translator *t, unsigned n)
{
   const struct atoll_nir_uav *uav = &t->uavs.uav[n];
   unsigned type = uav->type;
   switch (uav->kind) {
   case ATOLL_NIR_BUFFER:
      tr_emit0(t, IL_OP_DCL_RAW_UAV, n, 0, NULL);
      break;
   case ATOLL_NIR_IMAGE:
      /* The faces of cubes are layers; the format is the RAT's. */
      if (type == IL_USAGE_PIXTEX_CUBEMAP || type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY)
         type = IL_USAGE_PIXTEX_2DARRAY;
      if (type == IL_USAGE_PIXTEX_UNKNOWN)
         tr_fail(t, "not implemented: images of several samples");
      if (n < 16)
         tr_emit0(t, IL_OP_DCL_UAV, il_ctl_typed_uav(n) | il_ctl_uav_type(type), 0, NULL);
      else
         tr_emit0(t, IL_OP_DCL_X_UAV, il_ctl_uav(n) | il_ctl_x_uav_type(type), 0, NULL);
      break;
   default:
      break;
   }
}

void
tr_declare_memory(struct translator *t)
{
   const struct shader_info *info = &t->nir->info;
   if (info->stage == MESA_SHADER_COMPUTE) {
      const uint32_t block[3] = { info->workgroup_size[0], info->workgroup_size[1],
                                  info->workgroup_size[2] };
      uint32_t bytes = ALIGN_POT(info->shared_size, 4);
      if (!il_emit_data(t->p, IL_OP_DCL_NUM_THREAD_PER_GROUP, 3, NULL, 0, NULL, 3, block) ||
          (bytes && !il_emit_data(t->p, IL_OP_DCL_LDS, 0, NULL, 0, NULL, 1, &bytes)))
         tr_fail(t, "out of memory");
   }
   for (unsigned n = 0; n < ATOLL_NIR_UAVS; n++)
      declare_uav(t, n);
   uint32_t data = 0;
   for (unsigned n = 0; n < ATOLL_NIR_COUNTER_BUFFERS; n++)
      if (t->counters.bytes[n])
         data = n * ATOLL_NIR_COUNTER_BYTES + t->counters.bytes[n];
   if (data && !il_emit_data(t->p, IL_OP_DCL_GDS, 0, NULL, 0, NULL, 1, &data))
      tr_fail(t, "out of memory");
}
