/* SPDX-License-Identifier: MIT */
/* NIR to IL: control flow, declarations, the driver's entry point.
 *
 * The body is translated first; what it turned out to need is declared after it, and the two parts
 * are exchanged at the end.
 */
#include "translate.h"

#include "compiler/glsl_types.h"
#include "nir_xfb_info.h"
#include "pipe/p_state.h"

static void translate_list(struct translator *t, const struct exec_list *list);

static void
translate_jump(struct translator *t, const nir_jump_instr *jump)
{
   switch (jump->type) {
   case nir_jump_break:
      tr_emit0(t, IL_OP_BREAK, 0, 0, NULL);
      break;
   case nir_jump_continue:
      tr_emit0(t, IL_OP_CONTINUE, 0, 0, NULL);
      break;
   case nir_jump_return:
   case nir_jump_halt:
      tr_emit0(t, IL_OP_RET_DYN, 0, 0, NULL);
      break;
   default:
      tr_fail(t, "not implemented: jump %u", jump->type);
   }
}

static void
translate_block(struct translator *t, const nir_block *block)
{
   nir_foreach_instr(instr, (nir_block *)block)
   {
      if (t->failed)
         return;
      switch (instr->type) {
      case nir_instr_type_alu:
         tr_alu(t, nir_instr_as_alu(instr));
         break;
      case nir_instr_type_intrinsic:
         tr_intrinsic(t, nir_instr_as_intrinsic(instr));
         break;
      case nir_instr_type_tex:
         tr_texture(t, nir_instr_as_tex(instr));
         break;
      case nir_instr_type_load_const:
         break; /* a literal when something reads it */
      case nir_instr_type_jump:
         translate_jump(t, nir_instr_as_jump(instr));
         break;
      case nir_instr_type_undef: {
         const nir_undef_instr *undef = nir_instr_as_undef(instr);
         static const uint32_t zeros[4];
         if (undef->def.index < t->num_values)
            t->values[undef->def.index] = tr_literal(t, zeros, 1);
         break;
      }
      default:
         tr_fail(t, "not implemented: NIR instruction type %u", instr->type);
      }
   }
}

static void
translate_if(struct translator *t, const nir_if *nif)
{
   struct il_src condition = tr_scalar(t, nif->condition.ssa, 0);
   bool has_else = !nir_cf_list_is_empty_block((struct exec_list *)&nif->else_list);
   tr_emit0(t, IL_OP_IF_LOGICALNZ, 0, 1, &condition);
   translate_list(t, &nif->then_list);
   if (has_else) {
      tr_emit0(t, IL_OP_ELSE, 0, 0, NULL);
      translate_list(t, &nif->else_list);
   }
   tr_emit0(t, IL_OP_ENDIF, 0, 0, NULL);
}

static void
translate_list(struct translator *t, const struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, (struct exec_list *)list)
   {
      if (t->failed)
         return;
      switch (node->type) {
      case nir_cf_node_block:
         translate_block(t, nir_cf_node_as_block(node));
         break;
      case nir_cf_node_if:
         translate_if(t, nir_cf_node_as_if(node));
         break;
      case nir_cf_node_loop:
         tr_emit0(t, IL_OP_WHILE, 0, 0, NULL);
         translate_list(t, &nir_cf_node_as_loop(node)->body);
         tr_emit0(t, IL_OP_ENDLOOP, 0, 0, NULL);
         break;
      default:
         tr_fail(t, "not implemented: control flow node %u", node->type);
      }
   }
}

/* ------------------------------------------------------------------------------ declarations -- */

static void
declare_size(struct translator *t, enum il_opcode op, enum il_regtype type, unsigned num,
             unsigned size)
{
   struct il_src s = il_array_src(t->p, type, num, size, NULL);
   tr_emit0(t, op, 0, 1, &s);
}

static void
declare_constants(struct translator *t)
{
   u_foreach_bit(cb, t->cbs) declare_size(t, IL_OP_DCL_CONST_BUFFER, IL_REGTYPE_CONST_BUFF, cb,
                                          cb == IL_DRIVER_CB ? t->driver_vec4s : 4096);
   if (t->uses_icb) {
      unsigned words = DIV_ROUND_UP(t->nir->constant_data_size, 16) * 4;
      uint32_t *data = calloc(1 + words, 4);
      if (!data) {
         tr_fail(t, "out of memory");
         return;
      }
      data[0] = words;
      memcpy(data + 1, t->nir->constant_data, t->nir->constant_data_size);
      if (!il_emit_data(t->p, IL_OP_DCL_CONST_BUFFER, 0x8000, NULL, 0, NULL, 1 + words, data))
         tr_fail(t, "out of memory");
      free(data);
   }
   for (uint32_t l = 0; l < t->num_literals; l++) {
      struct il_src s = il_src(IL_REGTYPE_LITERAL, l);
      if (!il_emit_data(t->p, IL_OP_DCL_LITERAL, 0, NULL, 1, &s, 4, t->literals[l]))
         tr_fail(t, "out of memory");
   }
   for (uint32_t a = 0; a < t->next_array; a++)
      declare_size(t, IL_OP_DCL_INDEXED_TEMP_ARRAY, IL_REGTYPE_ITEMP, a, t->array_size[a]);
}

static void
declare_inputs(struct translator *t)
{
   for (unsigned i = 0; i < MAX_INPUTS; i++) {
      const struct input_decl *in = &t->inputs[i];
      if (in->mask)
         tr_emit(t, IL_OP_DCL_INPUT, il_ctl_input_usage(in->usage) | il_ctl_interp(in->interp),
                 il_dst_masked(il_dst(IL_REGTYPE_INPUT, i), in->mask), 0, NULL);
   }
}

/* ------------------------------------------------------------------------- geometry shaders -- */

static enum il_topology
input_topology(enum mesa_prim prim)
{
   switch (prim) {
   case MESA_PRIM_POINTS:
      return IL_TOPOLOGY_POINT;
   case MESA_PRIM_LINES:
      return IL_TOPOLOGY_LINE;
   case MESA_PRIM_LINES_ADJACENCY:
      return IL_TOPOLOGY_LINE_ADJ;
   case MESA_PRIM_TRIANGLES_ADJACENCY:
      return IL_TOPOLOGY_TRIANGLE_ADJ;
   default:
      return IL_TOPOLOGY_TRIANGLE;
   }
}

static void
declare_geometry(struct translator *t)
{
   const struct shader_info *info = &t->nir->info;
   unsigned out = info->gs.output_primitive == MESA_PRIM_POINTS ? IL_OUTPUT_TOPOLOGY_POINT_LIST
                  : info->gs.output_primitive == MESA_PRIM_LINE_STRIP
                     ? IL_OUTPUT_TOPOLOGY_LINE_STRIP
                     : IL_OUTPUT_TOPOLOGY_TRIANGLE_STRIP;
   tr_emit0(t, IL_OP_DCL_INPUT_PRIMITIVE, input_topology(info->gs.input_primitive), 0, NULL);
   tr_emit0(t, IL_OP_DCL_OUTPUT_TOPOLOGY, out, 0, NULL);
   tr_emit0(t, IL_OP_DCL_MAX_OUTPUT_VERTEX_COUNT, MIN2(info->gs.vertices_out, 0x3fff), 0, NULL);
   if (info->gs.invocations > 1)
      tr_emit0(t, IL_OP_DCL_NUM_INSTANCES, info->gs.invocations, 0, NULL);
   for (unsigned slot = 0; slot < IL_LINK_COUNT; slot++) {
      if (!t->vertex_input_mask[slot])
         continue;
      struct il_dst d =
         il_dst_masked(il_dst(IL_REGTYPE_INPUT, info->gs.vertices_in), t->vertex_input_mask[slot]);
      d.dim2 = il_alloc(t->p, sizeof(*d.dim2));
      if (!d.dim2) {
         tr_fail(t, "out of memory");
         return;
      }
      d.dim2->type = IL_REGTYPE_INPUT;
      d.dim2->num = slot;
      tr_emit(t, IL_OP_DCL_INPUT, tr_link_usage(slot), d, 0, NULL);
   }
}

/* Whether another stage reads what this one writes, from a ring or local data. */
static bool
is_linked(const struct translator *t)
{
   return t->key->as_es || t->key->as_ls || t->nir->info.stage == MESA_SHADER_TESS_CTRL;
}

static void
declare_stage(struct translator *t)
{
   const uint32_t slots[2] = { (uint32_t)t->key->link_slots, (uint32_t)(t->key->link_slots >> 32) };
   if (t->nir->info.stage == MESA_SHADER_TESS_CTRL)
      tr_declare_hull(t);
   else
      tr_emit0(t, IL_OP_DCL_X_STAGE, t->key->as_ls ? IL_HW_STAGE_LS : IL_HW_STAGE_ES, 0, NULL);
   if (!il_emit_data(t->p, IL_OP_DCL_X_LINK_SLOTS, 0, NULL, 0, NULL, 2, slots))
      tr_fail(t, "out of memory");
}

static void
declare_outputs(struct translator *t)
{
   for (unsigned slot = 0; slot < IL_LINK_COUNT; slot++)
      if (t->output_mask[slot])
         tr_emit(t, IL_OP_DCL_OUTPUT, tr_link_usage(slot),
                 il_dst_masked(il_dst(IL_REGTYPE_OUTPUT, slot), t->output_mask[slot]), 0, NULL);
   for (unsigned n = 0; n < 8; n++)
      if (t->color_mask[n])
         tr_emit(t, IL_OP_DCL_OUTPUT, IL_IMPORTUSAGE_GENERIC,
                 il_dst_masked(il_dst(IL_REGTYPE_OUTPUT, n), t->color_mask[n]), 0, NULL);
   if (t->writes_depth)
      tr_emit0(t, IL_OP_DCL_ODEPTH, 0, 0, NULL);
}

static void
declare_resources(struct translator *t)
{
   for (unsigned n = 0; n < ARRAY_SIZE(t->resources); n++) {
      const struct resource_decl *r = &t->resources[n];
      if (!r->used)
         continue;
      uint32_t formats = (uint32_t)r->format << 20 | (uint32_t)r->format << 23 |
                         (uint32_t)r->format << 26 | (uint32_t)r->format << 29;
      unsigned ctl =
         il_ctl_resource(n) | il_ctl_resource_type(r->type) | il_ctl_resource_unnorm(r->unnorm);
      if (!il_emit_data(t->p, IL_OP_DCL_RESOURCE, ctl, NULL, 0, NULL, 1, &formats))
         tr_fail(t, "out of memory");
   }
}

/* ------------------------------------------------------------------------------- streamout -- */

static void
streamout(struct translator *t, unsigned buffer, unsigned stream, unsigned location, unsigned first,
          unsigned comps, uint32_t offset)
{
   int slot = tr_link_slot(location);
   unsigned mask = BITFIELD_MASK(comps) << first & 15;
   if (slot < 0 || buffer > 3 || stream > 3) {
      tr_fail(t, "not implemented: streamout of output %u to buffer %u", location, buffer);
      return;
   }
   /* An output that is never written is undefined, but must exist. */
   t->output_mask[slot] |= mask;
   struct il_dst d = il_dst_masked(il_dst(IL_REGTYPE_OUTPUT, slot), mask);
   if (!il_emit_data(t->p, IL_OP_DCL_X_STREAMOUT,
                     il_ctl_streamout_buffer(buffer) | il_ctl_streamout_stream(stream), &d, 0, NULL,
                     1, &offset))
      tr_fail(t, "out of memory");
}

static void
streamout_stride(struct translator *t, unsigned buffer, uint32_t dwords)
{
   if (!il_emit_data(t->p, IL_OP_DCL_X_STREAMOUT_STRIDE, buffer, NULL, 0, NULL, 1, &dwords))
      tr_fail(t, "out of memory");
}

/* The linker leaves the map in the NIR; only shaders that never met it (TGSI) have it in the CSO.
 */
static bool
has_streamout(const struct translator *t, const struct pipe_stream_output_info *so)
{
   return t->nir->info.stage != MESA_SHADER_FRAGMENT && !is_linked(t) &&
          ((so && so->num_outputs) || (t->nir->xfb_info && t->nir->xfb_info->output_count));
}

static void
declare_streamout(struct translator *t, const struct pipe_stream_output_info *so)
{
   const nir_xfb_info *xfb = t->nir->xfb_info;
   if (!xfb || !xfb->output_count) {
      for (unsigned b = 0; b < 4; b++)
         if (so->stride[b])
            streamout_stride(t, b, so->stride[b]);
      for (unsigned i = 0; i < so->num_outputs; i++)
         streamout(t, so->output[i].output_buffer, so->output[i].stream,
                   so->output[i].register_index, so->output[i].start_component,
                   so->output[i].num_components, so->output[i].dst_offset);
      return;
   }
   for (unsigned b = 0; b < 4; b++)
      if (xfb->buffers_written >> b & 1)
         streamout_stride(t, b, t->nir->info.xfb_stride[b]);
   for (unsigned i = 0; i < xfb->output_count; i++) {
      const nir_xfb_output_info *o = &xfb->outputs[i];
      unsigned mask = o->component_mask;
      if (!mask)
         continue;
      streamout(t, o->buffer, xfb->buffer_to_stream[o->buffer], o->location, ffs(mask) - 1,
                util_bitcount(mask), o->offset / 4);
   }
}

/* ------------------------------------------------------------------------------------- whole -- */

/* IL 2.4 has 16 UAVs, and these and global data in two stages. */
static bool
extends_memory(const struct translator *t)
{
   gl_shader_stage stage = t->nir->info.stage;
   return t->uavs.count > 16 || ((t->uavs.count || t->counters.used) &&
                                 stage != MESA_SHADER_FRAGMENT && stage != MESA_SHADER_COMPUTE);
}

static void
declare(struct translator *t, const struct pipe_stream_output_info *so)
{
   const nir_shader *nir = t->nir;
   unsigned flags = IL_GLOBAL_FLAG_REFACTORING_ALLOWED;
   bool xfb = has_streamout(t, so);
   if (nir->info.stage == MESA_SHADER_FRAGMENT && nir->info.fs.early_fragment_tests)
      flags |= IL_GLOBAL_FLAG_FORCE_EARLY_DEPTH_STENCIL;
   if (t->uses_sysval || xfb || is_linked(t) || extends_memory(t) || t->cbs >> IL_DRIVER_CB)
      tr_emit0(t, IL_OP_DCL_X_VERSION, IL_X_VERSION, 0, NULL);
   tr_emit0(t, IL_OP_DCL_GLOBAL_FLAGS, flags, 0, NULL);
   if (is_linked(t))
      declare_stage(t);
   declare_constants(t);
   declare_inputs(t);
   if (nir->info.stage == MESA_SHADER_GEOMETRY)
      declare_geometry(t);

   /* The map adds to the masks, and the masks are declared first: emit it, then move it back. */
   uint32_t first = t->p->ninsts;
   if (xfb)
      declare_streamout(t, so);
   uint32_t maps = t->p->ninsts - first;
   declare_outputs(t);
   uint32_t outputs = t->p->ninsts - first - maps;
   if (maps && outputs && !t->p->oom) {
      struct il_inst *copy = malloc(maps * sizeof(*copy));
      if (!copy) {
         tr_fail(t, "out of memory");
         return;
      }
      struct il_inst *at = t->p->insts + first;
      memcpy(copy, at, maps * sizeof(*copy));
      memmove(at, at + maps, outputs * sizeof(*copy));
      memcpy(at + outputs, copy, maps * sizeof(*copy));
      free(copy);
   }
   declare_resources(t);
   tr_declare_memory(t);
}

/* Puts insts[body .. n-1] in front of insts[0 .. body-1]. */
static void
rotate(struct translator *t, uint32_t body)
{
   uint32_t decls = t->p->ninsts - body;
   struct il_inst *copy = malloc((size_t)decls * sizeof(*copy));
   if (!copy) {
      tr_fail(t, "out of memory");
      return;
   }
   memcpy(copy, t->p->insts + body, (size_t)decls * sizeof(*copy));
   memmove(t->p->insts + decls, t->p->insts, (size_t)body * sizeof(*copy));
   memcpy(t->p->insts, copy, (size_t)decls * sizeof(*copy));
   free(copy);
}

static void
translate(struct translator *t, const struct pipe_stream_output_info *so)
{
   nir_function_impl *impl = nir_shader_get_entrypoint((nir_shader *)t->nir);
   nir_index_ssa_defs(impl);
   t->num_values = impl->ssa_alloc;
   t->values = calloc(MAX2(t->num_values, 1), sizeof(*t->values));
   if (!t->values) {
      tr_fail(t, "out of memory");
      return;
   }
   translate_list(t, &impl->body);
   uint32_t body = t->p->ninsts;
   declare(t, so);
   if (t->failed || t->p->oom) {
      tr_fail(t, "out of memory");
      return;
   }
   rotate(t, body);
   tr_emit0(t, IL_OP_END, 0, 0, NULL);
}

struct il_program *
atoll_nir_to_il(const struct nir_shader *nir, const struct atoll_nir_key *key,
                const struct pipe_stream_output_info *so, struct atoll_nir_values *values,
                char *error, size_t error_size)
{
   struct il_error invalid;
   struct translator t = {
      .key = key,
      .error = error,
      .error_size = error_size,
      .scalars_used = 4,
      .pair_used = 4,
   };
   gl_shader_stage stage = nir->info.stage;

   if (values)
      *values = (struct atoll_nir_values){ 0 };
   if (error_size)
      error[0] = 0;
   static const uint8_t shaders[MESA_SHADER_STAGES] = {
      [MESA_SHADER_VERTEX] = IL_SHADER_VERTEX,    [MESA_SHADER_TESS_CTRL] = IL_SHADER_HULL,
      [MESA_SHADER_TESS_EVAL] = IL_SHADER_DOMAIN, [MESA_SHADER_GEOMETRY] = IL_SHADER_GEOMETRY,
      [MESA_SHADER_FRAGMENT] = IL_SHADER_PIXEL,   [MESA_SHADER_COMPUTE] = IL_SHADER_COMPUTE,
   };
   if (stage > MESA_SHADER_COMPUTE) {
      tr_fail(&t, "not implemented: %s shaders", gl_shader_stage_name(stage));
      return NULL;
   }
   atoll_nir_uavs(nir, key->counters_in_memory, &t.uavs);
   if (!key->counters_in_memory)
      atoll_nir_counters(nir, &t.counters);
   nir_shader *clone = nir_shader_clone(NULL, nir);
   t.nir = clone;
   t.p = il_program_new(shaders[stage]);
   if (clone && t.p) {
      atoll_nir_lower_key(clone, key);
      if (clone->xfb_info)
         nir_gather_xfb_info_from_intrinsics(clone);
      atoll_nir_lower_late(clone, values);
      t.driver_vec4s = values && values->vec4s ? values->first + values->vec4s : IL_DRV_SIZE;
      translate(&t, so);
   } else {
      tr_fail(&t, "out of memory");
   }
   if (!t.failed && !il_validate(t.p, IL_STD_EXTENDED, &invalid))
      tr_fail(&t, "internal: invalid IL: instruction %u: %s", invalid.where, invalid.text);
   if (t.failed) {
      il_program_free(t.p);
      t.p = NULL;
      if (values) {
         free(values->steps);
         *values = (struct atoll_nir_values){ 0 };
      }
   }
   ralloc_free(clone);
   free(t.values);
   free(t.literals);
   free(t.literal_used);
   return t.p;
}
