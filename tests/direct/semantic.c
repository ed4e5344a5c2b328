/* SPDX-License-Identifier: MIT */
/* See semantic.h. */
#include "semantic.h"

#include "atoll/cayman/descriptors.h"
#include "atoll/cayman/enums.h"
#include "chip/cayman/descriptors/texture.h"

static wave_lane file[SEMANTIC_ROWS][4];
static struct core_outputs exports __attribute__((aligned(64)));

uint32_t
semantic_bits(float f)
{
   uint32_t v;
   memcpy(&v, &f, 4);
   return v;
}

struct semantic *
semantic_new(void)
{
   size_t bytes = (sizeof(struct semantic) + 63) & ~(size_t)63;
   struct semantic *s = aligned_alloc(64, bytes);

   assert_non_null(s);
   memset(s, 0, bytes);
   s->kernels = kernels_choose();
   s->file = file;
   for (unsigned n = 0; n < SEMANTIC_UAVS; n++) {
      uint32_t bytes_each = n == 2 ? 16 : 4;
      s->rats[n] = (struct rat){ .base = (uint8_t *)s->uav[n],
                                 .kind = RAT_KIND_BUFFER,
                                 .bytes = (uint8_t)bytes_each,
                                 .width = 4 * SEMANTIC_DWORDS / bytes_each,
                                 .height = 1,
                                 .layers = 1,
                                 .row_bytes = sizeof(s->uav[n]),
                                 .slice_bytes = sizeof(s->uav[n]),
                                 .returns = (uint8_t *)s->returns[n],
                                 .return_bytes = sizeof(s->returns[n]) };
      for (unsigned c = 0; c < bytes_each / 4; c++) {
         s->rats[n].channel[c] =
            (struct cb_channel){ .bits = 32, .type = NUMERIC_UINT, .dword = (uint8_t)c };
      }
   }
   return s;
}

static void
bind_fetch(struct semantic *s, unsigned n)
{
   const struct sq_vtx_ref *ref = &s->direct.program->vtx[n];
   struct elements buffer;
   unsigned stride = ref->fetch.buffer_format ? 16 : 4;
   const uint32_t words[8] = {
      [1] = 4 * SEMANTIC_DWORDS - 1,
      [2] = REG_FIELD(BUF_WORD2, STRIDE, stride) |
            REG_FIELD(BUF_WORD2, DATA_FORMAT, CAYMAN_FMT_32_32_32_32_FLOAT) |
            REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, CAYMAN_NUM_FORMAT_INT),
      [3] = REG_FIELD(BUF_WORD3, DST_SEL_Y, 1) | REG_FIELD(BUF_WORD3, DST_SEL_Z, 2) |
            REG_FIELD(BUF_WORD3, DST_SEL_W, 3),
      [4] = 4 * SEMANTIC_DWORDS / stride,
      [7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER),
   };

   cayman_decode_buffer(&buffer, words, NULL);
   buffer.ring = s->buffer;
   buffer.ring_bytes = sizeof(s->buffer);
   td_bind_fetch(s->kernels, &s->vtx[n], &ref->fetch, &buffer, 0);
}

bool
semantic_lift(struct semantic *s, const char *text, char *error, size_t size)
{
   struct il_error where;
   struct il_program *il = il_parse(text, strlen(text), &where);

   if (!il)
      fail_msg("line %u: %s:\n%s", where.where, where.text, text);
   bool ok = direct_lift(s->kernels, il, 0, &s->direct, error, size);
   il_program_free(il);
   if (!ok)
      return false;
   const struct sq_program *p = s->direct.program;
   s->output_row = s->direct.output_row;
   assert_true(s->direct.num_rows <= SEMANTIC_ROWS && p->num_consts <= 256 && p->num_vtx <= 32);
   memset(s->file, 0, s->direct.num_rows * sizeof(file[0]));
   s->group = (struct core_group){ .lds = (uint8_t *)s->lds,
                                   .lds_bytes = s->direct.lds_bytes,
                                   .num_waves = 1 };
   s->rings.max_verts = s->direct.max_vertices;
   memset(s->rings.emitted, 0, sizeof(s->rings.emitted));
   memset(s->rings.restart, 0, sizeof(s->rings.restart));
   s->wave = (struct core_wave){ .rows = s->file[0],
                                 .active = ~UINT64_C(0),
                                 .valid = ~UINT64_C(0),
                                 .bind = &s->bind.core,
                                 .outputs = &exports,
                                 .group = &s->group,
                                 .rings = &s->rings };
   return true;
}

void
semantic_begin(struct semantic *s, const char *text)
{
   char error[256];

   if (!semantic_lift(s, text, error, sizeof(error)))
      fail_msg("%s:\n%s", error, text);
}

const char *
semantic_try(struct semantic *s)
{
   const struct sq_program *p = s->direct.program;

   s->bind = (struct sq_bind){
      .core = { .program = &p->core, .entry = &core_entry_all, .budget = 1 << 26 },
      .consts = s->consts,
      .vtx = s->vtx,
      .rats = s->rats,
      .gds = (uint8_t *)s->gds,
      .gds_bytes = sizeof(s->gds),
      .append = s->append,
      .ordered_count = &s->ordered_count,
      .gws = s->gws,
      .shared = s->shared
   };
   for (unsigned n = 0; n < 16; n++)
      s->bind.kcache[n] = (struct sq_kcache){ s->constant[n], sizeof(s->constant[n]) };
   for (uint32_t n = 0; n < p->num_consts; n++) {
      assert_true(p->consts[n].dword < 4 * 64);
      s->consts[n] = s->constant[p->consts[n].bank][p->consts[n].dword];
   }
   for (uint32_t n = 0; n < p->num_vtx; n++)
      bind_fetch(s, n);
   core_run(&s->wave);
   return s->wave.faulted ? s->wave.fault : NULL;
}

void
semantic_run(struct semantic *s)
{
   const char *fault = semantic_try(s);

   if (fault)
      fail_msg("%s", fault);
}

void
semantic_end(struct semantic *s)
{
   direct_free(s->kernels, &s->direct);
}

void
semantic_whole(struct semantic *s, const char *text)
{
   semantic_begin(s, text);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      s->file[0][0][lane] = s->file[1][0][lane] = lane;
   if (!strncmp(text, "il_cs", 5))
      memset(s->file[1][0], 0, sizeof(wave_lane));
   semantic_run(s);
   semantic_end(s);
}

const wave_lane *
semantic_output(const struct semantic *s, unsigned n)
{
   return s->file[s->output_row + n];
}
