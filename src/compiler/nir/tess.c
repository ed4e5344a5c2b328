/* SPDX-License-Identifier: MIT */
/* Tessellation control and evaluation shaders, which are IL's hull and domain shaders: control
 * points by link slot, the patch's outputs as vpc#, barriers, what a hull shader declares.
 *
 *   per-vertex inputs     vicp[point][slot]
 *   per-vertex outputs    o#slot of the own control point, vocp[point][slot] of any
 *   patch outputs         vpc0..29 by location, levels in vpc30 (outer) and vpc31 (inner)
 *
 * A slot of a control point has a constant number here: an index becomes a choice (see
 * atoll_nir_lower_points).  One of the patch's outputs may have an index.
 */
#include "translate.h"

#include "nir_builder.h"

#define PATCH_OUTER 30
#define PATCH_INNER 31

/* --------------------------------------------------------------------------- NIR lowering -- */

static nir_intrinsic_instr *
at_slot(nir_builder *b, nir_intrinsic_instr *intr, unsigned offset_src, unsigned n)
{
   nir_intrinsic_instr *copy = nir_instr_as_intrinsic(nir_instr_clone(b->shader, &intr->instr));
   copy->src[offset_src] = nir_src_for_ssa(nir_imm_int(b, n));
   nir_builder_instr_insert(b, &copy->instr);
   return copy;
}

/* Slots of control points at an index: a load of each, or a store in a branch. */
static bool
choose_slot(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   bool store = intr->intrinsic == nir_intrinsic_store_per_vertex_output;
   if (!store && intr->intrinsic != nir_intrinsic_load_per_vertex_input &&
       intr->intrinsic != nir_intrinsic_load_per_vertex_output)
      return false;
   unsigned offset_src = store ? 2 : 1, slots = nir_intrinsic_io_semantics(intr).num_slots;
   nir_def *offset = intr->src[offset_src].ssa, *result = NULL;
   if (nir_src_is_const(intr->src[offset_src]))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   for (unsigned n = 0; n < slots; n++) {
      if (store) {
         nir_push_if(b, nir_ieq_imm(b, offset, n));
         at_slot(b, intr, offset_src, n);
         nir_pop_if(b, NULL);
         continue;
      }
      nir_def *value = &at_slot(b, intr, offset_src, n)->def;
      result = result ? nir_bcsel(b, nir_ieq_imm(b, offset, n), value, result) : value;
   }
   if (store)
      nir_instr_remove(&intr->instr);
   else
      nir_def_replace(&intr->def, result);
   return true;
}

bool
atoll_nir_lower_points(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, choose_slot, nir_metadata_none, NULL);
}

/* --------------------------------------------------------------------------- control points -- */

/* vicp[point][slot] or vocp[point][slot] */
static void
load_point(struct translator *t, const nir_intrinsic_instr *intr, enum il_regtype type)
{
   int slot = tr_slot_of(t, intr, &intr->src[1], "a control point's slot");
   if (slot < 0)
      return;
   tr_load_from(t, &intr->def, tr_vertex_register(t, type, &intr->src[0], slot),
                nir_intrinsic_component(intr));
}

static void
store_point(struct translator *t, const nir_intrinsic_instr *intr)
{
   int slot = tr_slot_of(t, intr, &intr->src[2], "a control point's slot");
   if (slot < 0)
      return;
   unsigned first = nir_intrinsic_component(intr), mask = nir_intrinsic_write_mask(intr);
   t->output_mask[slot] |= mask << first & 15;
   tr_store_to(t, intr, il_dst(IL_REGTYPE_OUTPUT, slot), first, mask, false);
}

/* ------------------------------------------------------------------------- patch's outputs -- */

static int
patch_number(unsigned location)
{
   switch (location) {
   case VARYING_SLOT_TESS_LEVEL_OUTER:
      return PATCH_OUTER;
   case VARYING_SLOT_TESS_LEVEL_INNER:
      return PATCH_INNER;
   default:
      return location >= VARYING_SLOT_PATCH0 && location < VARYING_SLOT_PATCH0 + PATCH_OUTER
                ? (int)(location - VARYING_SLOT_PATCH0)
                : -1;
   }
}

/* The register of a patch's output; its index, if it has one, is in `index`. */
static bool
patch_register(struct translator *t, const nir_intrinsic_instr *intr, const nir_src *offset,
               struct il_ref *r)
{
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   int n = patch_number(location);
   if (n >= 0 && nir_src_is_const(*offset))
      n += MIN2(nir_src_as_uint(*offset), 32);
   if (n < 0 || n > PATCH_INNER) {
      tr_fail(t, "not implemented: patch variable %s",
              gl_varying_slot_name_for_stage(location, t->nir->info.stage));
      return false;
   }
   r->type = IL_REGTYPE_PATCHCONST;
   r->num = n;
   if (nir_src_is_const(*offset))
      return true;
   r->rel = IL_ADDR_REG_RELATIVE;
   r->index = il_alloc(t->p, sizeof(*r->index));
   if (!r->index) {
      tr_fail(t, "out of memory");
      return false;
   }
   *r->index = tr_scalar(t, offset->ssa, 0);
   return true;
}

static void
load_patch(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src s = il_src(IL_REGTYPE_PATCHCONST, 0);
   if (patch_register(t, intr, &intr->src[0], &s.r))
      tr_load_from(t, &intr->def, s, nir_intrinsic_component(intr));
}

static void
store_patch(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   struct il_dst d = il_dst(IL_REGTYPE_PATCHCONST, 0);
   if (location == VARYING_SLOT_BOUNDING_BOX0 || location == VARYING_SLOT_BOUNDING_BOX1)
      return; /* a hint */
   if (patch_register(t, intr, &intr->src[1], &d.r))
      tr_store_to(t, intr, d, nir_intrinsic_component(intr), nir_intrinsic_write_mask(intr), false);
}

/* ------------------------------------------------------------------------------ the rest -- */

/* Patches' outputs are local data. */
static void
barrier(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned modes = nir_intrinsic_memory_modes(intr), fence = IL_FENCE_LDS;
   if (modes & (nir_var_mem_ssbo | nir_var_mem_global | nir_var_image))
      fence |= IL_FENCE_MEMORY;
   if (nir_intrinsic_execution_scope(intr) >= SCOPE_WORKGROUP)
      fence |= IL_FENCE_THREADS;
   tr_emit0(t, IL_OP_FENCE, fence, 0, NULL);
}

static void
load_constant(struct translator *t, const nir_def *def, unsigned vec4, unsigned first)
{
   t->cbs |= 1u << IL_DRIVER_CB;
   tr_load_from(t, def, il_array_src(t->p, IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB, vec4, NULL), first);
}

static bool
system_value(struct translator *t, const nir_intrinsic_instr *intr)
{
   const nir_def *def = &intr->def;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_invocation_id:
      tr_load_from(t, def, il_replicate(il_src(IL_REGTYPE_OCP_ID, 0), 0), 0);
      return true;
   case nir_intrinsic_load_primitive_id:
      tr_load_from(t, def, il_replicate(il_src(IL_REGTYPE_VPRIM, 0), 0), 0);
      return true;
   case nir_intrinsic_load_tess_coord_xy:
      tr_load_from(t, def, il_src(IL_REGTYPE_DOMAINLOCATION, 0), 0);
      return true;
   case nir_intrinsic_load_patch_vertices_in:
      load_constant(t, def, IL_DRV_TESS, 1);
      return true;
   case nir_intrinsic_load_tess_level_outer_default:
      load_constant(t, def, IL_DRV_TESS_LEVELS, 0);
      return true;
   case nir_intrinsic_load_tess_level_inner_default:
      load_constant(t, def, IL_DRV_TESS_LEVELS + 1, 0);
      return true;
   case nir_intrinsic_barrier:
      /* An evaluation shader has no outputs that another one reads. */
      if (t->nir->info.stage != MESA_SHADER_TESS_CTRL)
         return false;
      barrier(t, intr);
      return true;
   default:
      return false;
   }
}

bool
tr_tess(struct translator *t, const nir_intrinsic_instr *intr)
{
   bool control = t->nir->info.stage == MESA_SHADER_TESS_CTRL;
   if (!control && t->nir->info.stage != MESA_SHADER_TESS_EVAL)
      return false;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_per_vertex_input:
      load_point(t, intr, IL_REGTYPE_INPUTCP);
      return true;
   case nir_intrinsic_load_per_vertex_output:
      load_point(t, intr, IL_REGTYPE_OUTPUTCP);
      return true;
   case nir_intrinsic_store_per_vertex_output:
      store_point(t, intr);
      return true;
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_output:
      load_patch(t, intr);
      return true;
   case nir_intrinsic_store_output:
      if (!control)
         return false; /* as a vertex shader's */
      store_patch(t, intr);
      return true;
   default:
      return system_value(t, intr);
   }
}

static unsigned
domain(enum tess_primitive_mode mode)
{
   return mode == TESS_PRIMITIVE_QUADS      ? IL_TS_DOMAIN_QUAD
          : mode == TESS_PRIMITIVE_ISOLINES ? IL_TS_DOMAIN_ISOLINE
                                            : IL_TS_DOMAIN_TRI;
}

/* The evaluation shader knows the domain; it is in the key. */
void
tr_declare_hull(struct translator *t)
{
   const uint32_t points = t->nir->info.tess.tcs_vertices_out;
   tr_emit0(t, IL_OP_DCL_X_FLAT_HS, 0, 0, NULL);
   if (!il_emit_data(t->p, IL_OP_DCL_NUM_OCP, 0, NULL, 0, NULL, 1, &points))
      tr_fail(t, "out of memory");
   tr_emit0(t, IL_OP_DCL_TS_DOMAIN, domain(t->key->tess_domain), 0, NULL);
}
