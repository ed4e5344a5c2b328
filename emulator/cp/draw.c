/* SPDX-License-Identifier: MIT */
/*
 * Draw packets and the state they take from others (INDEX_TYPE, INDEX_BASE, NUM_INSTANCES,
 * SET_BASE).
 */
#include "cp/internal.h"

static void
draw(const struct cp *cp, struct cayman_draw *d)
{
   struct cp_state *s = cp->s;

   d->regs = &s->regs;
   d->vm = cp->env->vm;
   d->index_bytes = s->index_type == VGT_INDEX_32 ? 4 : 2;
   d->instances = s->num_instances;
   if (!d->count || !d->instances)
      return;
   cayman_draw(&s->decoded, cp->env->gfx, d);
}

void
cp_set_base(const struct cp *cp)
{
   if ((cp->payload[0] & 0xf) != 1) {
      cp_complain(cp, "base %u, only 1 (indirect draws) is known", cp->payload[0] & 0xf);
      return;
   }
   cp->s->indirect_base = cp_address(cp->payload[1], cp->payload[2]);
}

void
cp_index_base(const struct cp *cp)
{
   cp->s->index_base = cp_address(cp->payload[0], cp->payload[1]);
}

void
cp_index_buffer_size(const struct cp *cp)
{
   cp->s->index_buffer_size = cp->payload[0];
}

void
cp_index_type(const struct cp *cp)
{
   uint32_t type = cp->payload[0];

   if (REG_FIELD_GET(type, VGT_DMA_INDEX_TYPE, INDEX_TYPE) > VGT_INDEX_32 ||
       REG_FIELD_GET(type, VGT_DMA_INDEX_TYPE, SWAP_MODE))
      cp_complain(cp, "index type 0x%X, only 0 (16 bits) and 1 (32 bits) are known", type);
   cp->s->index_type = REG_FIELD_GET(type, VGT_DMA_INDEX_TYPE, INDEX_TYPE);
}

void
cp_num_instances(const struct cp *cp)
{
   /* Zero draws one instance. */
   cp->s->num_instances = cp->payload[0] ? cp->payload[0] : 1;
}

void
cp_draw_index(const struct cp *cp)
{
   draw(cp, &(struct cayman_draw){
               .indexed = true,
               .index_va = cp_address(cp->payload[0], cp->payload[1]),
               .index_max = cp->payload[2],
               .count = cp->payload[2],
            });
}

void
cp_draw_index_2(const struct cp *cp)
{
   draw(cp, &(struct cayman_draw){
               .indexed = true,
               .index_va = cp_address(cp->payload[1], cp->payload[2]),
               .index_max = cp->payload[0],
               .count = cp->payload[3],
            });
}

/* `count` indices from number `first` of the buffer that INDEX_BASE and INDEX_BUFFER_SIZE name. */
static void
draw_from_base(const struct cp *cp, uint32_t first, uint32_t count)
{
   const struct cp_state *s = cp->s;
   uint64_t bytes = s->index_type == VGT_INDEX_32 ? 4 : 2;

   draw(cp, &(struct cayman_draw){
               .indexed = true,
               .index_va = s->index_base + first * bytes,
               .index_max = s->index_buffer_size > first ? s->index_buffer_size - first : 0,
               .count = count,
            });
}

void
cp_draw_index_offset(const struct cp *cp)
{
   draw_from_base(cp, cp->payload[0], cp->payload[1]);
}

/* As DRAW_INDEX_OFFSET, but the packet says how many indices the buffer has. */
void
cp_draw_index_offset_2(const struct cp *cp)
{
   cp->s->index_buffer_size = cp->payload[0];
   draw_from_base(cp, cp->payload[1], cp->payload[2]);
}

void
cp_draw_index_auto(const struct cp *cp)
{
   const struct regs *regs = &cp->s->regs;
   uint32_t count = cp->payload[0];

   if (REG_FIELD_GET(cp->payload[1], VGT_DRAW_INITIATOR, USE_OPAQUE)) {
      /* As many vertices as streamout has left in the buffer. */
      uint32_t filled = reg(regs, R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE);
      uint32_t offset = reg(regs, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET);
      uint32_t stride = reg(regs, R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE);

      count = stride && filled > offset ? (filled - offset) / stride : 0;
   }
   draw(cp, &(struct cayman_draw){ .count = count });
}

/* Each dword after the initiator draws vertices of its own range, as primitives of its own type. */
void
cp_draw_index_multi_auto(const struct cp *cp)
{
   struct regs *regs = &cp->s->regs;
   const uint32_t type = reg(regs, R_VGT_PRIMITIVE_TYPE);
   const uint32_t offset = reg(regs, R_VGT_INDX_OFFSET);
   const uint32_t groups = cp->count - 2;

   if (cp->payload[0] > groups)
      cp_complain(cp, "%u groups of primitives, the packet holds %u", cp->payload[0], groups);
   for (uint32_t i = 0; i < groups && i < cp->payload[0]; i++) {
      const uint32_t group = cp->payload[2 + i];

      regs_write(regs, R_VGT_PRIMITIVE_TYPE,
                 REG_FIELD(VGT_PRIMITIVE_TYPE, PRIM_TYPE, group >> 16 & 0x1f));
      regs_write(regs, R_VGT_INDX_OFFSET, offset + (group & 0xffff));
      draw(cp, &(struct cayman_draw){ .count = group >> 21 });
   }
   regs_write(regs, R_VGT_PRIMITIVE_TYPE, type);
   regs_write(regs, R_VGT_INDX_OFFSET, offset);
}

void
cp_draw_index_immd(const struct cp *cp)
{
   uint32_t per_dword = cp->s->index_type == VGT_INDEX_32 ? 1 : 2;
   uint32_t count = cp->payload[0];

   if (count > (cp->count - 2) * per_dword) {
      cp_complain(cp, "%u indices, the packet holds %u", count, (cp->count - 2) * per_dword);
      count = (cp->count - 2) * per_dword;
   }
   draw(cp, &(struct cayman_draw){
               .indexed = true,
               .immediate = cp->payload + 2,
               .index_max = count,
               .count = count,
            });
}

/* Reads the arguments of an indirect draw, and loads what CP keeps of them in registers. */
static bool
indirect(const struct cp *cp, uint32_t *args, unsigned num_args)
{
   struct cp_state *s = cp->s;
   uint64_t va = s->indirect_base + cp->payload[0];
   uint32_t *base = cp_register(s, R_SQ_VTX_BASE_VTX_LOC);
   uint32_t *start = cp_register(s, R_SQ_VTX_START_INST_LOC);

   cp_flush(cp);
   if (vm_extent(cp->env->vm, va, num_args * 4) < num_args * 4) {
      cp_complain(cp, "arguments at 0x%llX are not mapped", (unsigned long long)va);
      return false;
   }
   cp_read(cp, va, args, num_args * 4);
   *base = args[num_args - 2];
   *start = args[num_args - 1];
   s->num_instances = args[1];
   s->regs.dirty |= REGS_DIRTY_BASES;
   return true;
}

void
cp_draw_indirect(const struct cp *cp)
{
   uint32_t args[4]; /* vertices, instances, first vertex, first instance */

   if (indirect(cp, args, 4))
      draw(cp, &(struct cayman_draw){ .count = args[0] });
}

void
cp_draw_index_indirect(const struct cp *cp)
{
   uint32_t args[5]; /* indices, instances, first index, base vertex, first instance */

   if (indirect(cp, args, 5))
      draw_from_base(cp, args[2], args[0]);
}
