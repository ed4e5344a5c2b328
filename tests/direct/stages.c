/* SPDX-License-Identifier: MIT */
/*
 * Geometry, hull and domain shaders, directly and compiled.  Results of the compiled ones are
 * memory: the ring of emitted vertices, and the local data of a patch (docs/il.rst), laid out as
 * the compiler says.
 */
#include "wave.h"

#include <stdio.h>
#include <string.h>

#include "core/rings.h"

#define RING_DWORDS 16384
#define FIRST_SLOT  IL_LINK_GENERIC0
#define PATCH_BYTES 512
#define PRIMITIVE   77

/* Where a slot is among those of a mask. */
static unsigned
place_of(uint64_t slots, unsigned slot)
{
   return (unsigned)__builtin_popcountll(slots & (((uint64_t)1 << slot) - 1));
}

/* --- geometry shaders ------------------------------------------------------------------------- */
static uint32_t esgs[WAVE_LANES * GS_VERTICES * NUM_ATTRS * 4 + 16];
static uint32_t gsvs[WAVE_LANES * RING_DWORDS / 16];

static void
geometry_entry(wave_lane (*gpr)[4])
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      gpr[0][2][l] = 1000 + l;
      gpr[1][3][l] = l % 3;
   }
}

/* The vertices as rows, and as the ring has them; where they are there. */
static void
geometry_inputs(wave_lane (*direct)[4], uint32_t input_row, wave_lane place[GS_VERTICES],
                const struct shader_code *shader, const struct inputs *in)
{

   for (unsigned v = 0; v < GS_VERTICES; v++) {
      for (unsigned l = 0; l < WAVE_LANES; l++) {
         uint32_t at = (l * GS_VERTICES + v) * shader->gs.input_dwords;
         place[v][l] = at;
         for (unsigned i = 0; i < NUM_ATTRS * 4; i++) {
            unsigned slot = FIRST_SLOT + i / 4;
            if (shader->gs.input_slots >> slot & 1) {
               esgs[at + 4 * place_of(shader->gs.input_slots, slot) + i % 4] =
                  in->vertex[v][i / 4][i % 4][l];
            }
         }
      }
      for (unsigned i = 0; i < NUM_ATTRS * 4; i++) {
         set_row(direct, (int)(input_row + v * DIRECT_INPUTS + FIRST_SLOT + i / 4), i % 4,
                 in->vertex[v][i / 4][i % 4]);
      }
   }
}

/* The vertices of both sides, and the entry values of machine code. */
static void
geometry_start(struct wave_run *w, uint32_t input_row, const struct shader_code *shader,
               const struct inputs *in)
{
   static const uint8_t reg[6] = { 0, 0, 0, 1, 1, 1 }, chan[6] = { 0, 1, 3, 0, 1, 2 };
   static wave_lane place[GS_VERTICES];
   wave_lane(*gpr)[4] = wave_file(false);
   wave_lane primitive, invocation;

   geometry_inputs(wave_file(true), input_row, place, shader, in);
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      primitive[l] = 1000 + l;
      invocation[l] = l % 3;
   }
   if (is_of_cayman(w->isa)) {
      geometry_entry(gpr);
      for (unsigned v = 0; v < GS_VERTICES; v++)
         set_row(gpr, reg[v], chan[v], place[v]);
      return;
   }
   for (unsigned v = 0; v < GS_VERTICES; v++)
      wave_value(w, CORE_RING_VERTEX + v, place[v]);
   wave_value(w, CORE_PRIMITIVE, primitive);
   wave_value(w, CORE_INVOCATION, invocation);
}

/* Vertices that lane `l` emitted to a stream. */
static bool
compare_vertices(const struct direct_program *direct, const struct shader_code *shader,
                 const struct inputs *in, unsigned stream, unsigned l, uint32_t count,
                 uint32_t item, char *error, size_t size)
{
   wave_lane(*rows)[4] = wave_file(true);
   unsigned dwords = shader->gs.vertex_dwords[stream];

   for (uint32_t v = 0; v < count; v++) {
      unsigned place = 0, slot = 0;
      for (unsigned n = 0; n < DIRECT_OUTPUTS; n++) {
         if (!direct->output_mask[n])
            continue;
         /* A stream other than the first has what is captured of it. */
         bool there = !stream || (n >= FIRST_SLOT && n < FIRST_SLOT + GS_CAPTURED);
         for (unsigned c = 0; there && c < 4; c++) {
            uint32_t a =
               rows[direct->vertex_row[stream] + v * direct->vertex_outputs + place][c][l];
            uint32_t b = gsvs[l * item + v * dwords + 4 * slot + c];
            if ((direct->output_mask[n] >> c & 1) && !is_near(a, b, bound_of(in, n, FIRST_SLOT))) {
               snprintf(error, size,
                        "o%u.%c of vertex %u, stream %u, lane %u: %08x directly, %08x compiled", n,
                        "xyzw"[c], v, stream, l, a, b);
               return false;
            }
         }
         slot += there;
         place++;
      }
   }
   return true;
}

static bool
compare_stream(const struct direct_program *direct, const struct shader_code *shader,
               const struct inputs *in, const struct core_rings *a, const struct core_rings *b,
               unsigned stream, char *error, size_t size)
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      uint32_t n = a->emitted[stream][l];
      if (n != b->emitted[stream][l]) {
         snprintf(error, size, "lane %u emits %u vertices to stream %u directly, %u compiled", l, n,
                  stream, b->emitted[stream][l]);
         return false;
      }
      if (a->restart[stream][0][l] != b->restart[stream][0][l]) {
         snprintf(error, size, "lane %u cuts stream %u at %08x directly, %08x compiled", l, stream,
                  a->restart[stream][0][l], b->restart[stream][0][l]);
         return false;
      }
      if (!compare_vertices(direct, shader, in, stream, l, n, b->ring[stream].stride, error, size))
         return false;
   }
   return true;
}

/* Where the lanes' items of a stream begin is where the stream does; lane after lane. */
static void
lay_out_rings(struct core_rings *rings, const struct shader_code *shader, unsigned stream)
{
   uint32_t item = shader->gs.vertex_dwords[stream] * shader->gs.max_vertices;

   rings->ring[stream] = (struct core_ring){ .base = gsvs, .stride = item, .item = item };
}

static enum outcome
run_geometry(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
             const struct inputs *in, unsigned flags, char *error, size_t size)
{
   static struct core_rings rings[2];
   struct direct_program direct;
   struct wave_run *d = wave_direct(il, modes, in, &direct, error, size), *w;
   enum outcome result = BROKEN;

   if (!d)
      return NOT_DIRECT;
   memset(rings, 0, sizeof(rings));
   w = wave_compiled(shader, CORE_GEOMETRY, modes, flags, in, error, size);
   if (w) {
      geometry_entry(wave_file(true));
      geometry_start(w, direct.input_row, shader, in);
      rings[0].max_verts = direct.max_vertices;
      rings[1].max_verts = shader->gs.max_vertices;
      d->wave.rings = &rings[0];
      w->wave.rings = &rings[1];
      w->ring = esgs;
      w->ring_bytes = sizeof(esgs);
      /* The streams one after the other: they share the memory. */
      result = wave_go(d, true, WAVE_ALL_LOADED, error, size) ? SAME : BROKEN;
      for (unsigned s = 0; result == SAME && s < DIRECT_STREAMS; s++) {
         if (!direct.vertex_row[s] && shader->gs.vertex_dwords[s] == 0)
            continue;
         memset(rings[1].ring, 0, sizeof(rings[1].ring));
         memset(rings[1].emitted, 0, sizeof(rings[1].emitted));
         memset(rings[1].restart, 0, sizeof(rings[1].restart));
         memset(gsvs, 0, sizeof(gsvs));
         lay_out_rings(&rings[1], shader, s);
         memset(wave_file(false), 0, CORE_WAVE_ROWS * sizeof(wave_lane));
         geometry_start(w, direct.input_row, shader, in);
         w->wave.active = w->wave.valid = ~UINT64_C(0);
         result = !wave_go(w, false, 2, error, size) ? BROKEN
                  : compare_stream(&direct, shader, in, &rings[0], &rings[1], s, error, size)
                     ? SAME
                     : DIFFERENT;
      }
      wave_finish(w);
   }
   direct_free(d->kernels, &direct);
   return result;
}

/* --- hull and domain shaders ------------------------------------------------------------------ */
static uint32_t lds[8192], factors[8];

static void
patch_rows(wave_lane (*direct)[4], const struct direct_program *p, const struct inputs *in)
{
   for (unsigned n = 0; n < PATCH_POINTS; n++) {
      for (unsigned i = 0; i < NUM_ATTRS * 4; i++) {
         set_all(direct, (int)(p->input_row + n * DIRECT_INPUTS + FIRST_SLOT + i / 4), i % 4,
                 in->point[n][i / 4][i % 4]);
      }
   }
}

/* The slots of control points, from a byte of local data on. */
static void
fill_points(uint32_t byte, uint64_t slots, unsigned bytes, const struct inputs *in)
{
   for (unsigned n = 0; n < PATCH_POINTS; n++) {
      for (unsigned i = 0; i < NUM_ATTRS * 4; i++) {
         if (slots >> (FIRST_SLOT + i / 4) & 1) {
            lds[(byte + n * bytes) / 4 + 4 * place_of(slots, FIRST_SLOT + i / 4) + i % 4] =
               in->point[n][i / 4][i % 4];
         }
      }
   }
}

static void
hull_entry(wave_lane (*gpr)[4])
{
   set_all(gpr, 0, 0, PRIMITIVE);
   for (unsigned l = 0; l < PATCH_POINTS; l++)
      gpr[0][2][l] = l;
}

static void
hull_values(struct wave_run *w)
{
   wave_lane point;

   if (is_of_cayman(w->isa))
      hull_entry(wave_file(false));
   for (unsigned l = 0; l < WAVE_LANES; l++)
      point[l] = l < PATCH_POINTS ? l : 0;
   wave_value(w, CORE_CONTROL_POINT, point);
   wave_value_all(w, CORE_PRIMITIVE, PRIMITIVE);
}

static bool
compare_dword(const char *what, unsigned n, unsigned point, unsigned c, uint32_t direct,
              uint32_t compiled, char *error, size_t size)
{
   if (direct != compiled) {
      snprintf(error, size, "%s%u.%c of control point %u: %08x directly, %08x compiled", what, n,
               "xyzw"[c & 3], point, direct, compiled);
   }
   return direct == compiled;
}

static bool
is_flat(const struct il_program *il)
{
   for (uint32_t n = il->first_main; n < il->ninsts; n++)
      if (il->insts[n].op == IL_OP_DCL_X_FLAT_HS)
         return true;
   return false;
}

static bool
compare_patch(const struct direct_program *p, bool flat, const struct shader_code *shader,
              uint32_t base, char *error, size_t size)
{
   wave_lane(*rows)[4] = wave_file(true);
   unsigned place = 0;

   for (unsigned n = 0; n < DIRECT_OUTPUTS; n++) {
      for (unsigned i = 0; p->output_mask[n] && i < PATCH_POINTS * 4; i++) {
         unsigned point = i / 4, c = i % 4;
         uint32_t at = (base + PATCH_BYTES + point * shader->tess.output_bytes) / 4;
         if (!compare_dword("o", n, point, c, rows[p->output_row + n][c][point],
                            lds[at + 4 * place + c], error, size))
            return false;
      }
      place += p->output_mask[n] != 0;
   }
   for (unsigned i = 0; i < DIRECT_PATCH * 4; i++)
      if (!compare_dword("patch o", i / 4, 0, i % 4, rows[p->patch_row + i / 4][i % 4][0],
                         lds[base / 4 + i], error, size))
         return false;
   for (unsigned k = 0; k < HULL_FACTORS; k++) {
      unsigned row = !flat ? k : k + 1 < HULL_FACTORS ? 30 : 31;
      unsigned c = flat && k + 1 < HULL_FACTORS ? k : 0;
      if (!compare_dword("factor ", k, 0, 0, rows[p->patch_row + row][c][0], factors[k], error,
                         size))
         return false;
   }
   return true;
}

static enum outcome
run_hull(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
         const struct inputs *in, unsigned flags, char *error, size_t size)
{
   struct core_group group = { .lds = (uint8_t *)lds,
                               .lds_bytes = sizeof(lds),
                               .num_waves = 1,
                               .tf = (uint8_t *)factors,
                               .tf_bytes = sizeof(factors) };
   uint32_t base = PATCH_POINTS * shader->tess.input_bytes;
   struct direct_program direct;
   struct wave_run *d = wave_direct(il, modes, in, &direct, error, size), *w;
   enum outcome result = BROKEN;

   if (!d)
      return NOT_DIRECT;
   hull_entry(wave_file(true));
   patch_rows(wave_file(true), &direct, in);
   d->wave.active = d->wave.valid = (1u << PATCH_POINTS) - 1;
   bool ok = wave_go(d, true, WAVE_ALL_LOADED, error, size);
   w = ok ? wave_compiled(shader, CORE_CONTROL, modes, flags, in, error, size) : NULL;
   if (w) {
      memset(lds, 0, sizeof(lds));
      memset(factors, 0, sizeof(factors));
      fill_points(0, shader->tess.input_slots, shader->tess.input_bytes, in);
      wave_driver(w, IL_DRV_TESS * 4, base);
      hull_values(w);
      w->wave.group = &group;
      w->wave.active = w->wave.valid = (1u << PATCH_POINTS) - 1;
      if (wave_go(w, false, 1, error, size))
         result = compare_patch(&direct, is_flat(il), shader, base, error, size) ? SAME : DIFFERENT;
      wave_finish(w);
   }
   direct_free(d->kernels, &direct);
   return result;
}

static void
domain_entry(wave_lane (*gpr)[4], const struct inputs *in)
{
   set_row(gpr, 0, 0, in->bary[0][0]);
   set_row(gpr, 0, 1, in->bary[0][1]);
   set_row(gpr, 0, 3, in->ids[2]);
}

static enum outcome
run_domain(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
           const struct inputs *in, unsigned flags, char *error, size_t size)
{
   struct core_group group = { .lds = (uint8_t *)lds, .lds_bytes = sizeof(lds), .num_waves = 1 };
   const uint32_t base = 256;
   struct direct_program direct;
   struct wave_run *d = wave_direct(il, modes, in, &direct, error, size), *w;
   enum outcome result = BROKEN;

   if (!d)
      return NOT_DIRECT;
   domain_entry(wave_file(true), in);
   patch_rows(wave_file(true), &direct, in);
   for (unsigned i = 0; i < DIRECT_PATCH * 4; i++)
      set_all(wave_file(true), (int)(direct.patch_row + i / 4), i % 4, in->patch[i / 4][i % 4]);
   bool ok = wave_go(d, true, WAVE_ALL_LOADED, error, size);
   w = ok ? wave_compiled(shader, CORE_EVALUATION, modes, flags, in, error, size) : NULL;
   if (w) {
      memset(lds, 0, sizeof(lds));
      memcpy(lds + base / 4, in->patch, sizeof(in->patch));
      fill_points(base + PATCH_BYTES, shader->tess.input_slots, shader->tess.input_bytes, in);
      wave_driver(w, IL_DRV_TESS * 4, base);
      if (is_of_cayman(w->isa))
         domain_entry(wave_file(false), in);
      wave_value(w, CORE_DOMAIN_U, in->bary[0][0]);
      wave_value(w, CORE_DOMAIN_V, in->bary[0][1]);
      wave_value(w, CORE_PRIMITIVE, in->ids[2]);
      w->wave.group = &group;
      if (wave_go(w, false, 1, error, size)) {
         result =
            compare_outputs(&direct, wave_file(true), w->outputs, shader, ~0ull, in, error, size)
               ? SAME
               : DIFFERENT;
      }
      wave_finish(w);
   }
   direct_free(d->kernels, &direct);
   return result;
}

enum outcome
run_stages(const struct il_program *il, const struct shader_code *shader, uint32_t modes,
           const struct inputs *in, unsigned flags, char *error, size_t size)
{
   switch (il->shader) {
   case IL_SHADER_GEOMETRY:
      return run_geometry(il, shader, modes, in, flags, error, size);
   case IL_SHADER_HULL:
      return run_hull(il, shader, modes, in, flags, error, size);
   default:
      return run_domain(il, shader, modes, in, flags, error, size);
   }
}
