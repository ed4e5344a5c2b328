/* SPDX-License-Identifier: MIT */
/*
 * Entries of the shader cache: a variant's program as bytes, and back.
 *
 * A file may have been damaged, or written by anybody.  An entry begins with a hash of what follows
 * and of the name that it is kept by, so that neither other bytes nor another variant's pass for
 * it; and whatever it holds, no count that the driver goes by leaves its bounds.
 */
#include "shader.h"

#include <stdlib.h>
#include <string.h>

#include "util/blob.h"
#include "util/macros.h"
#include "util/mesa-blake3.h"

#include "context.h"
#include "draw_values.h"

#define HASH_BYTES 32

/* More than any compiler makes: bytes of an entry, vec4s of constants, dwords of a lane. */
#define MAX_ENTRY_BYTES (64u << 20)
#define MAX_ICB         4096u
#define MAX_SCRATCH_DW  (1u << 20)

static void
hash_entry(const uint8_t name[ATOLL_ENTRY_NAME], const void *data, size_t size,
           uint8_t hash[HASH_BYTES])
{
   struct mesa_blake3 state;
   _mesa_blake3_init(&state);
   _mesa_blake3_update(&state, name, ATOLL_ENTRY_NAME);
   _mesa_blake3_update(&state, data, size);
   _mesa_blake3_final(&state, hash);
}

/* A byte that is neither is no bool. */
static bool
is_bool(const bool *b)
{
   uint8_t byte;
   memcpy(&byte, b, sizeof(byte));
   return byte <= 1;
}

static bool
are_uavs(const struct atoll_nir_uavs *uavs)
{
   if (uavs->count > ARRAY_SIZE(uavs->uav))
      return false;
   for (unsigned i = 0; i < uavs->count; i++) {
      const struct atoll_nir_uav *uav = &uavs->uav[i];
      if ((uav->kind == ATOLL_NIR_BUFFER && uav->index >= ATOLL_MAX_BUFFERS) ||
          (uav->kind == ATOLL_NIR_IMAGE && uav->index >= ATOLL_MAX_IMAGES) ||
          uav->kind > ATOLL_NIR_IMAGE)
         return false;
   }
   return true;
}

static bool
are_counters(const struct atoll_nir_counters *counters)
{
   for (unsigned i = 0; i < ARRAY_SIZE(counters->bytes); i++)
      if (counters->bytes[i] > ATOLL_NIR_COUNTER_BYTES)
         return false;
   return true;
}

bool
atoll_is_program(const struct atoll_program *p)
{
   const bool *bools[] = {
      &p->window_space, &p->streamout,     &p->uses_primitive_id,
      &p->per_sample,   &p->writes_memory, &p->only_values,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(bools); i++)
      if (!is_bool(bools[i]))
         return false;
   /* Values of uniforms follow the tables. */
   if (p->num_steps > ATOLL_MAX_VALUE_STEPS || p->value_vec4s > ATOLL_MAX_VALUE_VEC4S ||
       (p->only_values && !p->num_steps) ||
       (p->num_steps &&
        (p->first_value < IL_DRV_SIZE + p->num_icb || p->first_value % ATOLL_VALUES_VEC4S ||
         p->first_value > ALIGN_POT(IL_DRV_SIZE + MAX_ICB, ATOLL_VALUES_VEC4S))))
      return false;
   return p->num_params <= ARRAY_SIZE(p->param_slot) && p->num_inputs <= ARRAY_SIZE(p->inputs) &&
          p->num_icb <= MAX_ICB && p->num_dwords <= MAX_ENTRY_BYTES / 4 &&
          p->scratch_dw <= MAX_SCRATCH_DW && are_uavs(&p->uavs) && are_counters(&p->counters) &&
          memchr(p->statistics, 0, sizeof(p->statistics)) != NULL;
}

static void
drop(struct atoll_variant *v)
{
   free(v->words);
   free(v->icb);
   free(v->steps);
   v->words = v->icb = NULL;
   v->steps = NULL;
}

bool
atoll_keep_code(struct atoll_variant *v, const uint32_t *words, const uint32_t *icb,
                const struct atoll_value_step *steps)
{
   const size_t bytes = (size_t)v->p.num_dwords * 4, icb_bytes = (size_t)v->p.num_icb * 16;
   const size_t step_bytes = v->p.num_steps * sizeof(*steps);
   v->words = malloc(MAX2(bytes, 1));
   v->icb = icb_bytes ? malloc(icb_bytes) : NULL;
   v->steps = step_bytes ? malloc(step_bytes) : NULL;
   if (!v->words || (icb_bytes && !v->icb) || (step_bytes && !v->steps)) {
      drop(v);
      return false;
   }
   memcpy(v->words, words, bytes);
   if (icb_bytes)
      memcpy(v->icb, icb, icb_bytes);
   if (step_bytes)
      memcpy(v->steps, steps, step_bytes);
   return true;
}

static bool
read_program(struct atoll_variant *v, struct blob_reader *blob)
{
   struct atoll_program p;
   blob_copy_bytes(blob, &p, sizeof(p));
   if (blob->overrun || !atoll_is_program(&p))
      return false;
   const uint32_t *words = blob_read_bytes(blob, (size_t)p.num_dwords * 4);
   const uint32_t *icb = blob_read_bytes(blob, (size_t)p.num_icb * 16);
   const struct atoll_value_step *steps = blob_read_bytes(blob, p.num_steps * sizeof(*steps));
   if (blob->overrun || !atoll_check_values(steps, p.num_steps, p.value_vec4s))
      return false;
   v->p = p;
   return atoll_keep_code(v, words, icb, steps);
}

static void
write_program(struct blob *blob, const struct atoll_variant *v)
{
   blob_write_bytes(blob, &v->p, sizeof(v->p));
   blob_write_bytes(blob, v->words, (size_t)v->p.num_dwords * 4);
   blob_write_bytes(blob, v->icb, (size_t)v->p.num_icb * 16);
   blob_write_bytes(blob, v->steps, v->p.num_steps * sizeof(*v->steps));
}

void
atoll_write_entry(struct blob *blob, const uint8_t name[ATOLL_ENTRY_NAME],
                  const struct atoll_variant *v)
{
   uint8_t hash[HASH_BYTES] = { 0 };
   blob_write_bytes(blob, hash, sizeof(hash));
   write_program(blob, v);
   if (v->copy)
      write_program(blob, v->copy);
   if (blob->out_of_memory)
      return;
   hash_entry(name, blob->data + HASH_BYTES, blob->size - HASH_BYTES, hash);
   blob_overwrite_bytes(blob, 0, hash, sizeof(hash));
}

bool
atoll_read_entry(const void *data, size_t size, const uint8_t name[ATOLL_ENTRY_NAME],
                 struct atoll_variant *v)
{
   const uint8_t *bytes = data;
   uint8_t hash[HASH_BYTES];
   struct blob_reader blob;

   if (size < HASH_BYTES || size > MAX_ENTRY_BYTES)
      return false;
   hash_entry(name, bytes + HASH_BYTES, size - HASH_BYTES, hash);
   if (memcmp(hash, bytes, HASH_BYTES))
      return false;
   blob_reader_init(&blob, bytes + HASH_BYTES, size - HASH_BYTES);
   if (!read_program(v, &blob))
      return false;
   if ((!v->copy || read_program(v->copy, &blob)) && blob.current == blob.end)
      return true;
   for (struct atoll_variant *read = v; read; read = read->copy)
      drop(read);
   return false;
}
