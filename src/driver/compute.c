/* SPDX-License-Identifier: MIT */
/*
 * Dispatches.  A compute program runs as an LS and has the LS's constants, but resources and
 * samplers of its own.  Packets with the compute bit set what dispatches with that bit read, and
 * leave the registers of draws alone.
 *
 * Random access targets are written through the colour caches.  So these are flushed twice: before
 * a dispatch, for what draws wrote, and after it, for what it wrote itself.
 */
#include "emit.h"

#include "util/u_inlines.h"

#include <atoll/cayman/enums.h>

/* Everything that one dispatch needs fits in this. */
#define DISPATCH_DW 5120
/* VGT_DISPATCH_INITIATOR */
#define COMPUTE_SHADER_EN 1

static void
emit_program(struct atoll_context *ctx, const struct atoll_variant *v)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_program *p = &v->p;
   unsigned threads = p->block[0] * p->block[1] * p->block[2];

   /* Loops end by BREAK: the counter must not. */
   atoll_emit(cs, pm4_header(PM4_SET_LOOP_CONST, 2, false) | cs->header_bits);
   atoll_emit(cs, CAYMAN_LOOP_CONST_CS);
   atoll_emit(cs, 0x01000FFF);
   emit_context_seq(cs, R_SQ_PGM_START_LS, 3);
   atoll_emit(cs, (uint32_t)(v->bo->va >> 8));
   atoll_emit(cs, REG_FIELD(SQ_PGM_RESOURCES_LS, NUM_GPRS, p->num_gprs) |
                     REG_FIELD(SQ_PGM_RESOURCES_LS, DX10_CLAMP, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_LS, STACK_SIZE, p->stack));
   atoll_emit(cs, ctx->screen->backend->resources_2 |
                     REG_FIELD(SQ_PGM_RESOURCES_2_LS, RAT_TABLE, p->uavs_rat != 0));
   emit_context_reg(cs, R_SQ_LSTMP_RING_ITEMSIZE, p->scratch_dw);
   emit_context_reg(cs, R_SQ_LDS_ALLOC, p->lds_dw | DIV_ROUND_UP(threads, 64) << 14);
   emit_context_seq(cs, R_SPI_COMPUTE_INPUT_CNTL, 4);
   atoll_emit(cs, REG_FIELD(SPI_COMPUTE_INPUT_CNTL, TID_IN_GROUP_ENA, 1) |
                     REG_FIELD(SPI_COMPUTE_INPUT_CNTL, TGID_ENA, 1) |
                     REG_FIELD(SPI_COMPUTE_INPUT_CNTL, DISABLE_INDEX_PACK, 1));
   for (unsigned i = 0; i < 3; i++)
      atoll_emit(cs, p->block[i]);
   emit_context_reg(cs, R_CB_TARGET_MASK, 0xFFFFFFFF);
   emit_config_reg(cs, R_VGT_NUM_INDICES, threads);
   emit_config_reg(cs, R_VGT_COMPUTE_THREAD_GROUP_SIZE, threads);
   for (unsigned i = 0; i < 3; i++)
      emit_config_reg(cs, R_VGT_COMPUTE_START_X + 4 * i, 0);
   atoll_cs_add_bo(cs, v->bo, ATOLL_USAGE_READ);
}

static void
emit_dispatch(struct atoll_context *ctx, const uint32_t groups[3])
{
   struct atoll_cs *cs = &ctx->cs;
   atoll_emit(cs, pm4_header(PM4_DISPATCH_DIRECT, 4, atoll_predicated(ctx)) | cs->header_bits);
   for (unsigned i = 0; i < 3; i++)
      atoll_emit(cs, groups[i]);
   atoll_emit(cs, COMPUTE_SHADER_EN);
}

static bool
choose_program(struct atoll_context *ctx, const struct pipe_grid_info *info)
{
   struct atoll_key key;
   atoll_forget_deleted(ctx);
   if (!ctx->shaders[ATOLL_CS])
      return false;
   memset(&key, 0, sizeof(key));
   if (ctx->shaders[ATOLL_CS]->variable_groups)
      for (unsigned i = 0; i < 3; i++)
         key.block[i] = (uint16_t)info->block[i];
   key.limited_references = ctx->shaders[ATOLL_CS]->compares & ctx->textures[ATOLL_CS].limited_mask;
   key.counters_in_memory =
      ctx->shaders[ATOLL_CS]->counters.used && atoll_counters_in_memory(ctx, true);
   struct atoll_variant *v = atoll_get_variant(ctx->shaders[ATOLL_CS], &key, &ctx->base.debug);
   if (!v || !v->bo || !atoll_reserve_returns(ctx->screen, v)) {
      atoll_report_left_out(ctx, ctx->shaders[ATOLL_CS], v);
      return false;
   }
   if (ctx->variants[ATOLL_CS] != v)
      ctx->dirty |= ATOMS_OF_COMPUTE;
   ctx->variants[ATOLL_CS] = v;
   return true;
}

/* The numbers of groups; the program may ask for those of an indirect dispatch, so the CPU reads
 * them. */
static bool
count_groups(struct atoll_context *ctx, const struct pipe_grid_info *info, uint32_t groups[3])
{
   memcpy(groups, info->grid, sizeof(info->grid));
   if (info->indirect)
      pipe_buffer_read(&ctx->base, info->indirect, info->indirect_offset, 12, groups);
   return groups[0] && groups[1] && groups[2];
}

static void
launch_grid(struct pipe_context *pipe, const struct pipe_grid_info *info)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_cs *cs = &ctx->cs;
   uint32_t groups[6] = { 0 };

   if (ctx->noop || !count_groups(ctx, info, groups) || !choose_program(ctx, info))
      return;
   atoll_need_space(ctx, DISPATCH_DW);
   ctx->flush |= FLUSH_TARGETS | FLUSH_READS;
   atoll_emit_flush(ctx);
   atoll_emit_order(ctx);

   cs->header_bits = PM4_COMPUTE_BIT;
   emit_program(ctx, ctx->variants[ATOLL_CS]);
   atoll_look_at_copies(ctx, BITFIELD_BIT(ATOLL_CS));
   atoll_emit_atoms(ctx, ATOMS_OF_COMPUTE);
   ctx->drv_va[ATOLL_CS] = 0;
   atoll_update_driver_constants(ctx, ATOLL_CS, groups);
   cs->header_bits = 0;
   bool counts = atoll_load_counters(ctx, true);
   cs->header_bits = PM4_COMPUTE_BIT;
   emit_dispatch(ctx, groups);
   cs->header_bits = 0;

   emit_event(cs, EVENT_CS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   if (counts)
      atoll_store_counters(ctx, true);
   /* A later SURFACE_SYNC with targets hangs a Cayman without it. */
   atoll_emit(cs, pm4_header(PM4_DEALLOC_STATE, 1, false) | PM4_COMPUTE_BIT);
   atoll_emit(cs, 0);
   ctx->flush |= FLUSH_TARGETS | FLUSH_READS;
}

int
atoll_get_compute_param(struct pipe_screen *screen, enum pipe_shader_ir ir,
                        enum pipe_compute_cap param, void *ret)
{
   static const uint64_t dimension = 3, grid[3] = { 65535, 65535, 65535 },
                         block[3] = { 1024, 1024, 1024 }, threads = 1024, shared = 32768, none = 0;
   const uint64_t *value = &none;
   int size = 8;

   switch (param) {
   case PIPE_COMPUTE_CAP_GRID_DIMENSION:
      value = &dimension;
      break;
   case PIPE_COMPUTE_CAP_MAX_GRID_SIZE:
      value = grid;
      size = sizeof(grid);
      break;
   case PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE:
      value = block;
      size = sizeof(block);
      break;
   case PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK:
      value = &threads;
      break;
   case PIPE_COMPUTE_CAP_MAX_LOCAL_SIZE:
      value = &shared;
      break;
   case PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK:
      value = &threads; /* a program for each size */
      break;
   default:
      return 0;
   }
   if (ret)
      memcpy(ret, value, size);
   return size;
}

void
atoll_init_compute(struct atoll_context *ctx)
{
   ctx->base.launch_grid = launch_grid;
}
