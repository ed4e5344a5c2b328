/* SPDX-License-Identifier: MIT */
/*
 * Draws: what registers and descriptors say becomes the pipeline's state.
 *
 * A position program gives the window's coordinates and 1 / w, so that viewports change nothing;
 * depth is cut where the draw's bounds are.  A program of varyings, if there is one, runs after
 * that of positions, in the same waves.  blend.c has the colours.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/mali/formats.h"
#include "chip/mali/making.h"
#include "memory/pool.h"
#include "memory/vm.h"
#include "pass/pass.h"
#include "port/draw.h"
#include "port/format.h"
#include "port/state.h"

#define MAX_WORDS       32768u /* of 64 bits, that are looked at for a program */
#define MAX_BLEND_WORDS 1024u
#define MAX_VARYINGS    32u
#define MAX_UNIFORMS    128u /* of 64 bits */
#define MAX_THREAD      11u  /* thread_size: 32 KiB */
#define THREAD_UNIT     16u
#define MAX_POINT       1024.0f
#define MAX_BYTES       (1u << 22) /* indices of one byte that a draw may have */

#define FLAGS(name)     mali_field(draw->flags, MALI_AT_DRAW_FLAGS_##name)
#define PRIMITIVE(name) mali_field(&draw->primitive, MALI_AT_PRIMITIVE_FLAGS_##name)
#define PROGRAM(name)   mali_field(program, MALI_AT_SHADER_PROGRAM_##name)

bool
mali_say(struct mali_making *m, enum mali_result result, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   vsnprintf(m->text, MALI_TEXT, format, args);
   va_end(args);
   m->result = result;
   return false;
}

static float
as_float(uint32_t bits)
{
   float value;

   memcpy(&value, &bits, sizeof(value));
   return value;
}

bool
mali_read_words(struct mali_making *m, enum mali_descriptor descriptor, uint64_t address,
                uint32_t *words, unsigned count)
{
   const struct mali_env *env = m->frame->env;

   if (vm_read(env->vm, address, words, (uint64_t)count * 4) != (uint64_t)count * 4)
      return mali_say(m, MALI_UNMAPPED, "a descriptor at 0x%llx is not mapped",
                      (unsigned long long)address);
   if (env->trace)
      mali_print(stderr, descriptor, words);
   return true;
}

#define UNIT_BYTES 4096u

/* Bytes that are copied cost a unit for so many. */
static bool
pay(struct mali_making *m, uint64_t bytes)
{
   uint64_t *budget = m->frame->env->budget;

   if (*budget < bytes / UNIT_BYTES)
      return mali_say(m, MALI_EXHAUSTED, "a draw that takes too long");
   *budget -= bytes / UNIT_BYTES;
   return true;
}

/* ---- Stages ---- */

/* The words of a program, as far as they are mapped. */
static bool
take_program(struct mali_making *m, uint64_t address, struct source_words *words, unsigned *flush)
{
   const struct vm *vm = m->frame->env->vm;
   uint32_t program[MALI_WORDS_SHADER_PROGRAM];
   uint64_t bytes;

   if (!mali_read_words(m, MALI_SHADER_PROGRAM, address, program, MALI_WORDS_SHADER_PROGRAM))
      return false;
   if (PROGRAM(type) != MALI_TYPE_shader)
      return mali_say(m, MALI_FAULT, "a descriptor of type %u where a shader's should be",
                      (unsigned)PROGRAM(type));
   bytes = vm_extent(vm, PROGRAM(binary), MAX_WORDS * 8);
   if (bytes < 8 || PROGRAM(binary) % 8)
      return mali_say(m, MALI_UNMAPPED, "there is no program at 0x%llx",
                      (unsigned long long)PROGRAM(binary));
   *words =
      (struct source_words){ PROGRAM(binary), vm_pointer(vm, PROGRAM(binary)), bytes / 8 * 2 };
   *flush = (unsigned)PROGRAM(flush);
   if (*flush == MALI_FLUSH_abrupt)
      return mali_say(m, MALI_MISSING, "a program that flushes abruptly");
   return true;
}

static bool
take_storage(struct mali_making *m, uint64_t address, uint32_t *bytes)
{
   uint32_t words[MALI_WORDS_LOCAL_STORAGE];
   unsigned size;

   *bytes = 0;
   if (!address)
      return true;
   if (!mali_read_words(m, MALI_LOCAL_STORAGE, address, words, MALI_WORDS_LOCAL_STORAGE))
      return false;
   size = (unsigned)mali_field(words, MALI_AT_LOCAL_STORAGE_thread_size);
   if (size > MAX_THREAD)
      return mali_say(m, MALI_MISSING, "threads with more than 32 KiB of storage");
   *bytes = THREAD_UNIT << size;
   return true;
}

static uint32_t
state_of(unsigned flush)
{
   return SOURCE_MALI | (flush == MALI_FLUSH_none   ? SOURCE_KEEP_SINGLES | SOURCE_KEEP_OTHERS
                         : flush == MALI_FLUSH_dx11 ? SOURCE_KEEP_OTHERS
                                                    : 0);
}

/* Words that are no client's. */
static struct source_words
own_words(const uint64_t *words, size_t count)
{
   return (struct source_words){ .words = (const uint32_t *)(const void *)words,
                                 .count = 2 * count };
}

/* All of a stage but its program. */
static bool
take_stage(struct mali_making *m, struct mali_stage *stage, enum core_stage role, unsigned number,
           const struct mali_run *run)
{
   const struct mali_env *env = m->frame->env;
   const uint64_t words = run->uniforms >> 56;
   enum mali_result result;
   const char *why;

   if (words > MAX_UNIFORMS)
      return mali_say(m, MALI_FAULT, "%u uniforms", 2 * (unsigned)words);
   stage->views = (struct mali_views){
      .views = { &mali_views_ops, env->vm, TD_VERTEX_BUFFERS },
      .resources = run->resources & ~UINT64_C(63),
      .num_tables = run->resources & 63,
      .rows = env->rows,
      .trace = env->trace,
   };
   stage->source = (struct bind_source){
      .ops = &mali_source_ops,
      .views = &stage->views.views,
      .vm = env->vm,
      .kernels = gfx_kernels(env->gfx),
      .pool = gfx_pool(env->gfx),
      .role = role,
      .stage = (uint8_t)number,
      .sprite_top = false,
   };
   stage->uniforms = run->uniforms << 16 >> 16;
   stage->uniform_bytes = (uint32_t)words * 8;
   result = mali_take_textures(&stage->views, env->budget, &why);
   return result ? mali_say(m, result, "%s", why)
                 : take_storage(m, run->storage, &stage->scratch_bytes);
}

/* An instance's elements are so many instances apart: of a multiplication and a shift, the divisor
 * that they stand for. */
static uint32_t
divisor(const uint32_t *attribute)
{
#define ATTRIBUTE(name) mali_field(attribute, MALI_AT_ATTRIBUTE_##name)
   const unsigned shift = (unsigned)ATTRIBUTE(divisor_r);
   const uint64_t factor = ATTRIBUTE(divisor_d) | UINT64_C(1) << 31;

   if (!ATTRIBUTE(instances))
      return 0;
   return ATTRIBUTE(kind) == MALI_ATTRIBUTE_divided
             ? (uint32_t)(((UINT64_C(1) << shift << 32) + factor / 2) / factor)
             : 1u << shift;
}

/* The attributes, as the binder has them: each has a buffer of its own. */
static bool
take_attributes(struct mali_making *m, struct mali_stage *stage)
{
   uint32_t attribute[8];

   while (stage->num_attributes < MALI_ATTRIBUTES &&
          mali_read_descriptor(&stage->views, MALI_TABLE_ATTRIBUTES, stage->num_attributes,
                               MALI_TYPE_attribute, attribute)) {
      uint32_t *out = stage->attributes[stage->num_attributes];
      const struct mali_format f = mali_decode_format((uint32_t)ATTRIBUTE(format), MALI_CLUMP_raw8);

      if (f.format == FORMAT_NONE)
         return mali_say(m, MALI_MISSING, "an attribute of format 0x%x",
                         (unsigned)ATTRIBUTE(format));
      out[0] = MALI_TYPE_attribute | stage->num_attributes << 8;
      out[1] = f.format | (uint32_t)f.conversion << 8 | (uint32_t)(f.sign == CHANNEL_SIGNED) << 10;
      for (unsigned c = 0; c < 4; c++)
         out[1] |= (uint32_t)f.swizzle[c] << (20 + 3 * c);
      out[2] = divisor(attribute);
      stage->num_attributes++;
   }
   return true;
#undef ATTRIBUTE
}

/* Three vertices f, 0 to 2, at x = f (2 - f) 65535 and y = f (f - 1) 65535, which reach around all
 * of a frame; their varying is their position. */
static const uint64_t corners[] = {
   0x0090c0000019003c, /* U32_TO_F32 r0, r60 */
   0x00b2c11000d0d000, /* FMA.f32 r1, r0, 1.neg, 1 */
   0x00b2c10000d0d001, /* FMA.f32 r1, r1, 1, 1 */
   0x00b2c10400c00100, /* FMA.f32 r1, r0, r1, 0.neg */
   0x00b2c40400c0d601, /* FMA.f32 r4, r1, 65535, 0.neg */
   0x00b2c20400d0d000, /* FMA.f32 r2, r0, 1, 1.neg */
   0x00b2c20400c00200, /* FMA.f32 r2, r0, r2, 0.neg */
   0x00b2c50400c0d602, /* FMA.f32 r5, r2, 65535, 0.neg */
   0x0091c600000000c0, /* MOV.i32 r6, 0 */
   0x0091c700000000d0, /* MOV.i32 r7, 1 */
   0x085e820400000d3b, /* LEA_BUF_IMM.slot0.wait0 @r2:r3, r59, table:0xD, index:0x0 */
   0x0061440878000002, /* STORE.i128.slot1 @r4:r5:r6:r7, r2, offset:0 */
   0x7861440878004002, /* STORE.i128.slot1.end @r4:r5:r6:r7, r2, offset:64 */
};

static bool
take_vertices(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   struct mali_stage *stage = &m->vertex;
   unsigned flush, second_flush;
   struct source_words second;

   if (m->whole) {
      if (!take_stage(m, stage, CORE_VERTEX, STAGE_VS, &(struct mali_run){ 0 }))
         return false;
      stage->program = own_words(corners, sizeof(corners) / sizeof(*corners));
      stage->source.state[1] = state_of(MALI_FLUSH_none);
      m->stages.source[STAGE_VS] = &stage->source;
      return true;
   }
   if (!take_stage(m, stage, CORE_VERTEX, STAGE_VS, &draw->position) ||
       !take_program(m, draw->position.program, &stage->program, &flush) ||
       !take_attributes(m, stage))
      return false;
   stage->source.state[1] = state_of(flush);
   m->stages.source[STAGE_VS] = &stage->source;
   if (!PRIMITIVE(varyings))
      return true;
   if (draw->varying.resources != draw->position.resources ||
       draw->varying.uniforms != draw->position.uniforms)
      return mali_say(m, MALI_MISSING, "varyings with resources of their own");
   if (!take_program(m, draw->varying.program, &second, &second_flush))
      return false;
   if (second.va <= stage->program.va ||
       (second.va - stage->program.va) / 8 >= stage->program.count / 2 || flush != second_flush)
      return mali_say(m, MALI_MISSING, "a program of varyings apart from that of positions");
   stage->source.state[0] = (uint32_t)((second.va - stage->program.va) / 8);
   return true;
}

/* Where the programs of blending are: lower words of addresses, beside the pixel program. */
static bool
read_blends(struct mali_making *m, uint32_t low[MALI_TARGETS], bool *any)
{
   const struct mali_draw *draw = m->draw;
   const unsigned count = draw->blends & 15;

   *any = false;
   for (unsigned n = 0; n < count && n <= m->frame->targets; n++) {
      uint32_t words[MALI_WORDS_BLEND];

      low[n] = 0;
      if (!(FLAGS(target_mask) >> n & 1))
         continue;
      if (!mali_read_words(m, MALI_BLEND, (draw->blends & ~UINT64_C(15)) + n * sizeof(words), words,
                           MALI_WORDS_BLEND))
         return false;
      if (mali_field(words, MALI_AT_BLEND_enable) &&
          mali_field(words, MALI_AT_BLEND_mode) == MALI_BLEND_program)
         low[n] = (uint32_t)mali_field(words, MALI_AT_BLEND_program) & ~15u;
      *any |= low[n] != 0;
   }
   return true;
}

/* The binder takes them as it has them from registers: addresses, and then one run of words. */
static bool
take_blends(struct mali_making *m)
{
   const struct vm *vm = m->frame->env->vm;
   const uint64_t high = m->pixel.program.va & ~(uint64_t)UINT32_MAX, head = 8 * sizeof(uint32_t);
   uint32_t low[MALI_TARGETS] = { 0 }, first = UINT32_MAX, last = 0;
   uint64_t bytes;
   uint8_t *words;
   bool any;

   if (!m->draw->fragment.program)
      return true;
   if (!read_blends(m, low, &any))
      return false;
   if (!any)
      return true;
   for (unsigned n = 0; n < MALI_TARGETS; n++) {
      first = low[n] && low[n] < first ? low[n] : first;
      last = low[n] > last ? low[n] : last;
   }
   if (last - first > MAX_WORDS * 8 || first < head)
      return mali_say(m, MALI_MISSING, "programs of blending that lie far from each other");
   bytes = vm_extent(vm, high | first, last - first + MAX_BLEND_WORDS * 8) & ~UINT64_C(7);
   if (!pay(m, bytes))
      return false;
   words = bytes <= last - first ? NULL : pool_alloc(gfx_pool(m->frame->env->gfx), head + bytes);
   if (!words)
      return mali_say(m, MALI_UNMAPPED, "there is no program of blending at 0x%llx",
                      (unsigned long long)(high | first));
   memcpy(words, low, head);
   vm_read(vm, high | first, words + head, bytes);
   m->pixel.blends = (struct source_words){ (high | first) - head, (const uint32_t *)(void *)words,
                                            (head + bytes) / 4 };
   return true;
}

/* A pixel program that does nothing: NOP.end. */
static const uint64_t nothing[] = { 0x7800c00000000000 };

static bool
take_pixels(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   struct mali_stage *stage = &m->pixel;
   unsigned flush = MALI_FLUSH_none;

   if (!take_stage(m, stage, CORE_PIXEL, STAGE_PS, &draw->fragment))
      return false;
   if (draw->fragment.program) {
      if (!take_program(m, draw->fragment.program, &stage->program, &flush))
         return false;
   } else {
      stage->program = own_words(nothing, 1);
   }
   stage->source.state[1] = state_of(flush);
   stage->source.sprite_top = m->frame->point_origin_max_y;
   m->stages.source[STAGE_PS] = &stage->source;
   return take_blends(m);
}

static bool
find_programs(struct mali_making *m)
{
   const char *why = gfx_find_stages(m->frame->env->gfx, &m->stages);

   if (why)
      return mali_say(m, MALI_MISSING, "%s", why);
   m->stages.scratch_bytes[STAGE_VS] = m->vertex.scratch_bytes;
   m->stages.scratch_bytes[STAGE_PS] = m->pixel.scratch_bytes;
   return true;
}

/* ---- Vertices and primitives ---- */

static const uint8_t topologies[256] = {
   [MALI_PRIMITIVE_points] = TOPOLOGY_POINTS,
   [MALI_PRIMITIVE_lines] = TOPOLOGY_LINES,
   [MALI_PRIMITIVE_line_strip] = TOPOLOGY_LINE_STRIP,
   [MALI_PRIMITIVE_line_loop] = TOPOLOGY_LINE_LOOP,
   [MALI_PRIMITIVE_triangles] = TOPOLOGY_TRIANGLES,
   [MALI_PRIMITIVE_triangle_strip] = TOPOLOGY_TRIANGLE_STRIP,
   [MALI_PRIMITIVE_triangle_fan] = TOPOLOGY_TRIANGLE_FAN,
   [MALI_PRIMITIVE_polygon] = TOPOLOGY_POLYGON,
   [MALI_PRIMITIVE_quads] = TOPOLOGY_QUADS,
};

static const uint8_t index_sizes[8] = {
   [MALI_INDEX_bytes] = 1,
   [MALI_INDEX_halves] = 2,
   [MALI_INDEX_words] = 4,
};

static bool
take_primitives(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   const unsigned size = index_sizes[PRIMITIVE(index)];

   if (PRIMITIVE(views) || PRIMITIVE(layer) || PRIMITIVE(scissors) || PRIMITIVE(number))
      return mali_say(m, MALI_MISSING, "layers, views, scissors or numbers of primitives");
   if (PRIMITIVE(size) == MALI_SIZE_single)
      return mali_say(m, MALI_MISSING, "sizes of points that are floats");
   if (FLAGS(invert_alpha))
      return mali_say(m, MALI_MISSING, "coverage by what alpha leaves");
   if (PRIMITIVE(index) && !size)
      return mali_say(m, MALI_FAULT, "indices of no size");
   m->vgt = (struct vgt_state){
      .topology = topologies[PRIMITIVE(mode)],
      .provoking_last = !draw->first_provoking,
      .restart = PRIMITIVE(restart) && size,
      .restart_index = size ? UINT32_MAX >> (32 - 8 * size) : 0,
      .index_offset = draw->base_vertex,
      .index_max = UINT32_MAX,
   };
   if (m->vgt.topology == TOPOLOGY_NONE)
      return mali_say(m, MALI_FAULT, "primitives of no type");
   if (draw->first_instance)
      return mali_say(m, MALI_MISSING, "a first instance");
   return true;
}

/* Indices of one byte become words. */
static bool
widen_indices(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   const uint32_t left =
      draw->index_bytes > draw->first_index ? draw->index_bytes - draw->first_index : 0;
   uint8_t *bytes;

   if (draw->count > MAX_BYTES)
      return mali_say(m, MALI_MISSING, "%u indices of one byte", draw->count);
   if (!pay(m, draw->count))
      return false;
   m->indices = malloc((size_t)draw->count * 5 + 1);
   if (!m->indices)
      return mali_say(m, MALI_FAULT, "no memory");
   bytes = (uint8_t *)(m->indices + draw->count);
   memset(bytes, 0, draw->count);
   vm_read(m->frame->env->vm, draw->indices + draw->first_index, bytes,
           draw->count < left ? draw->count : left);
   for (uint32_t n = 0; n < draw->count; n++)
      m->indices[n] = bytes[n];
   return true;
}

static void
take_setup(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   const float size = as_float(draw->size), z0 = as_float(draw->min_z), z1 = as_float(draw->max_z);
   const float half = size > 0 ? (size < MAX_POINT ? size : MAX_POINT) / 2 : 0.5f;

   m->pa = (struct pa_state){
      .in_window = true,
      .w_is_w = true,
      .misc_export = PRIMITIVE(size) == MALI_SIZE_half,
      .use_point_size = PRIMITIVE(size) == MALI_SIZE_half,
      .disc_x = 1,
      .disc_y = 1,
      .cull_front = FLAGS(cull_front),
      .cull_back = FLAGS(cull_back),
      .front_cw = !FLAGS(front_ccw),
      .provoking_last = !draw->first_provoking,
      .point_half_w = half,
      .point_half_h = half,
      .point_min = 0.5f,
      .point_max = MAX_POINT / 2,
      .line_half = half,
      .line_expand = m->frame->log2_samples && !FLAGS(single_lines),
   };
   for (unsigned n = 0; n < PA_VIEWPORTS; n++)
      m->pa.viewport[n] = (struct pa_viewport){ 1, 0, 1, 0, 1, 0 };
   if (PRIMITIVE(cull_near)) {
      m->pa.ucp_mask |= 1;
      m->pa.ucp[0][2] = 1;
      m->pa.ucp[0][3] = -(z0 < z1 ? z0 : z1);
   }
   if (PRIMITIVE(cull_far)) {
      m->pa.ucp_mask |= 2;
      m->pa.ucp[1][2] = -1;
      m->pa.ucp[1][3] = z0 < z1 ? z1 : z0;
   }
}

static int32_t
most(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

static int32_t
least(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

#define SCISSOR(name) ((int32_t)mali_field(draw->scissor, MALI_AT_SCISSOR_##name))

static void
take_pixel_limits(struct mali_making *m)
{
   const struct mali_frame *frame = m->frame;
   const struct mali_draw *draw = m->draw;
   struct sc_rect rect = {
      most(SCISSOR(min_x), (int32_t)frame->box.min_x),
      most(SCISSOR(min_y), (int32_t)frame->box.min_y),
      least(SCISSOR(max_x), (int32_t)frame->box.max_x) + 1,
      least(SCISSOR(max_y), (int32_t)frame->box.max_y) + 1,
   };

   if (rect.x0 >= rect.x1 || rect.y0 >= rect.y1)
      rect = (struct sc_rect){ 0, 0, 0, 0 };
   m->sc = (struct sc_state){
      .bounds = rect,
      .width = frame->width,
      .height = frame->height,
      .layers = 1,
      .line_repeat = 1,
      .msaa = frame->log2_samples && FLAGS(multisample),
      .log2_samples = frame->log2_samples,
      .log2_iter = FLAGS(per_sample) ? frame->log2_samples : 0,
   };
   for (unsigned n = 0; n < SC_VIEWPORTS; n++) {
      m->sc.rect[n] = rect;
      m->sc.z_min[n] = 0;
      m->sc.z_max[n] = 1;
   }
   for (unsigned p = 0; p < 4; p++) {
      m->sc.sample_mask[p] = (uint16_t)FLAGS(sample_mask);
      memcpy(m->sc.sample_x[p], frame->sample_x, sizeof(frame->sample_x));
      memcpy(m->sc.sample_y[p], frame->sample_y, sizeof(frame->sample_y));
   }
   for (unsigned n = 0; n < SC_MAX_SAMPLES; n++)
      m->sc.centroid_order[n] = (uint8_t)n;
}

static void
take_inputs(struct mali_making *m)
{
   const uint32_t count = m->draw->varying_bytes / 16;

   m->spi = (struct spi_state){ .num_inputs = count < MAX_VARYINGS ? count : MAX_VARYINGS };
   for (uint32_t n = 0; n < m->spi.num_inputs; n++)
      m->spi.input[n].param = (uint8_t)n;
}

/* ---- Depth and stencil ---- */

#define ZS(name) mali_field(words, MALI_AT_DEPTH_STENCIL_##name)

static const uint8_t tests[8] = {
   [MALI_TEST_never] = TEST_NEVER,
   [MALI_TEST_less] = TEST_LESS,
   [MALI_TEST_equal] = TEST_EQUAL,
   [MALI_TEST_less_equal] = TEST_LESS_EQUAL,
   [MALI_TEST_greater] = TEST_GREATER,
   [MALI_TEST_not_equal] = TEST_NOT_EQUAL,
   [MALI_TEST_greater_equal] = TEST_GREATER_EQUAL,
   [MALI_TEST_always] = TEST_ALWAYS,
};

static const uint8_t stencil_ops[8] = {
   [MALI_STENCIL_keep] = STENCIL_OP_KEEP,
   [MALI_STENCIL_replace] = STENCIL_OP_REPLACE,
   [MALI_STENCIL_zero] = STENCIL_OP_ZERO,
   [MALI_STENCIL_invert] = STENCIL_OP_INVERT,
   [MALI_STENCIL_add_wrap] = STENCIL_OP_INCREMENT_WRAP,
   [MALI_STENCIL_subtract_wrap] = STENCIL_OP_DECREMENT_WRAP,
   [MALI_STENCIL_add_clamp] = STENCIL_OP_INCREMENT_CLAMP,
   [MALI_STENCIL_subtract_clamp] = STENCIL_OP_DECREMENT_CLAMP,
};

static struct db_face
face(uint64_t field, uint64_t ref, uint64_t mask, uint64_t write_mask)
{
   const uint32_t word = (uint32_t)field;

   return (struct db_face){
      .func = tests[mali_field(&word, MALI_AT_STENCIL_FACE_test)],
      .fail = stencil_ops[mali_field(&word, MALI_AT_STENCIL_FACE_fail)],
      .zfail = stencil_ops[mali_field(&word, MALI_AT_STENCIL_FACE_z_fail)],
      .zpass = stencil_ops[mali_field(&word, MALI_AT_STENCIL_FACE_pass)],
      .ref = (uint8_t)ref,
      .mask = (uint8_t)mask,
      .write_mask = (uint8_t)write_mask,
   };
}

/* Units of fixed-point depth count halves of the least step; those of floats are relative. */
static void
take_bias(struct mali_making *m, const uint32_t *words)
{
   static const float half_steps[] = {
      [DEPTH_NONE] = 0x1p-25f,
      [DEPTH_UNORM16] = 0x1p-17f,
      [DEPTH_UNORM24] = 0x1p-25f,
      [DEPTH_FLOAT32] = 0x1p-23f,
   };
   const float units = as_float((uint32_t)ZS(z_units)) * half_steps[m->frame->z_format];
   const float factor = as_float((uint32_t)ZS(z_factor));

   m->pa.offset_front = m->pa.offset_back = ZS(z_bias);
   m->pa.offset_scale[0] = m->pa.offset_scale[1] = factor;
   m->pa.offset_units[0] = m->pa.offset_units[1] = units;
   m->pa.offset_clamp = as_float((uint32_t)ZS(z_bias_clamp));
   m->pa.offset_float = m->frame->z_format == DEPTH_FLOAT32;
}

static bool
take_depth(struct mali_making *m)
{
   const struct mali_frame *frame = m->frame;
   const struct mali_draw *draw = m->draw;
   const float z0 = as_float(draw->min_z), z1 = as_float(draw->max_z);
   uint32_t words[MALI_WORDS_DEPTH_STENCIL];

   if (!mali_read_words(m, MALI_DEPTH_STENCIL, draw->depth_stencil, words,
                        MALI_WORDS_DEPTH_STENCIL))
      return false;
   if (ZS(type) != MALI_TYPE_depth_stencil)
      return mali_say(m, MALI_FAULT, "a descriptor of type %u where depth's should be",
                      (unsigned)ZS(type));
   if (ZS(z_source) < MALI_Z_SOURCE_fixed_function)
      return mali_say(m, MALI_MISSING, "depth that is a bound");
   m->db = (struct db_state){
      .z = frame->z,
      .s = frame->s,
      .z_format = frame->z_format,
      .z_test = ZS(z_write) || ZS(z_test) != MALI_TEST_always,
      .z_write = ZS(z_write),
      .z_func = tests[ZS(z_test)],
      .stencil = ZS(s_test),
      .face = { face(ZS(front), ZS(front_ref), ZS(front_mask), ZS(front_write_mask)),
                face(ZS(back), ZS(back_ref), ZS(back_mask), ZS(back_write_mask)) },
      .forced_early = FLAGS(update) == MALI_KILL_force_early,
      .late_order = FLAGS(update) == MALI_KILL_force_late,
      .drops = FLAGS(changes_coverage),
      .export_z = ZS(z_source) == MALI_Z_SOURCE_shader,
      .export_stencil = ZS(s_from_shader),
      .export_mask = FLAGS(changes_coverage) && frame->log2_samples,
      .viewport_clamp = true,
      .count = FLAGS(occlusion) != MALI_OCCLUSION_off,
   };
   if (ZS(z_clamp) == MALI_CLAMP_bounds) {
      for (unsigned n = 0; n < SC_VIEWPORTS; n++) {
         m->sc.z_min[n] = z0 < z1 ? z0 : z1;
         m->sc.z_max[n] = z0 < z1 ? z1 : z0;
      }
   }
   take_bias(m, words);
   db_finish(&m->db);
   return true;
}

/* ---- Drawing ---- */

static bool
make(struct mali_making *m)
{
   if (!take_primitives(m) || !take_vertices(m) || !take_pixels(m) || !find_programs(m))
      return false;
   take_setup(m);
   take_pixel_limits(m);
   take_inputs(m);
   return take_depth(m) && mali_take_colors(m) &&
          (index_sizes[mali_field(&m->draw->primitive, MALI_AT_PRIMITIVE_FLAGS_index)] != 1 ||
           widen_indices(m));
}

/* A query counts samples, or notes that there are some. */
static void
count_samples(const struct mali_frame *frame, const struct mali_draw *draw, uint64_t before)
{
   struct vm *vm = frame->env->vm;
   uint64_t passed, value = 0;

   gfx_flush(frame->env->gfx);
   passed = gfx_counters(frame->env->gfx)->samples_passed - before;
   vm_read(vm, draw->occlusion, &value, sizeof(value));
   value = FLAGS(occlusion) == MALI_OCCLUSION_counter ? value + passed : value | (passed != 0);
   vm_write(vm, draw->occlusion, &value, sizeof(value));
}

static void
hand_over(struct mali_making *m)
{
   const struct mali_draw *draw = m->draw;
   struct gfx *gfx = m->frame->env->gfx;
   const unsigned size = index_sizes[PRIMITIVE(index)];
   const uint32_t indices = size ? draw->index_bytes / size : 0;
   const bool counts = FLAGS(occlusion) != MALI_OCCLUSION_off;
   const struct gfx_draw d = {
      .vm = m->frame->env->vm,
      .state = gfx_number(gfx),
      .tables = gfx_number(gfx),
      .indexed = size,
      .index_bytes = m->indices ? sizeof(*m->indices) : size,
      .index_va = draw->indices + (uint64_t)draw->first_index * size,
      .index_max = indices > draw->first_index ? indices - draw->first_index : 0,
      .immediate = m->indices,
      .count = draw->count,
      .instances = draw->instances,
      .vgt = &m->vgt,
      .pa = &m->pa,
      .sc = &m->sc,
      .spi = &m->spi,
      .sx = &m->sx,
      .db = &m->db,
      .cb = &m->cb,
      .stages = &m->stages,
   };
   uint64_t before;

   if (counts)
      gfx_flush(gfx);
   before = gfx_counters(gfx)->samples_passed;
   gfx_draw(gfx, &d);
   if (counts)
      count_samples(m->frame, draw, before);
}

static enum mali_result
render(const struct mali_frame *frame, const struct mali_draw *draw, bool whole,
       char text[MALI_TEXT])
{
   struct mali_making *m;
   enum mali_result result = MALI_DONE;

   if (!draw->count || !draw->instances)
      return MALI_DONE;
   if (!*frame->env->budget) {
      snprintf(text, MALI_TEXT, "the frame's draws take too long");
      return MALI_EXHAUSTED;
   }
   --*frame->env->budget;
   if (!gfx_begin_draw(frame->env->gfx)) {
      snprintf(text, MALI_TEXT, "the frame takes too long");
      return MALI_EXHAUSTED;
   }
   m = calloc(1, sizeof(*m));
   if (!m) {
      snprintf(text, MALI_TEXT, "no memory");
      return MALI_FAULT;
   }
   m->frame = frame;
   m->draw = draw;
   m->text = text;
   m->whole = whole;
   if (make(m))
      hand_over(m);
   else
      result = m->result;
   free(m->indices);
   free(m);
   return result;
}

enum mali_result
mali_render(const struct mali_frame *frame, const struct mali_draw *draw, char text[MALI_TEXT])
{
   return render(frame, draw, false, text);
}

enum mali_result
mali_render_whole(const struct mali_frame *frame, struct mali_draw *draw, char text[MALI_TEXT])
{
   draw->count = 3;
   draw->instances = 1;
   draw->primitive = MALI_PRIMITIVE_triangles;
   draw->varying_bytes = 16;
   draw->scissor[0] = 0;
   draw->scissor[1] = UINT32_MAX;
   return render(frame, draw, true, text);
}
