/* SPDX-License-Identifier: MIT */
/*
 * Chooses a lookup's sampler by its key (samplers.h).  With ATOLL_DEBUG=td that is a line, with
 * what the lookup asks for and its key, and where none fits, why not; loads, gathers and elements
 * of buffers have lines, too:
 *
 *    td: 2D R8G8B8A8, point point, wrap repeat edge: point BYTES 4 wraps_x normalized series
 *    td: 1D R16_FLOAT, point point, wrap edge edge: general (neither 2D nor 3D)
 *    td: 2D R8G8B8A8, load: load BYTES 4
 *    td: buffer R32G32_FLOAT, stride 8: fetch WORDS 2
 */
#include <stdio.h>

#include "options.h"
#include "td/kinds.h"
#include "td/samplers.h"
#include "td/window.h"

static const char *
format_name(unsigned format)
{
#define FORMAT(name, ...) [FORMAT_##name] = #name,
   static const char *const names[FORMATS] = {
      "none",
#include <atoll/formats.def>
   };

   return names[format];
}

/* Whether ATOLL_DEBUG has `td`: looked up once. */
static bool
prints(void)
{
   static signed char known; /* 0: not yet; 1: no; 2: yes */
   signed char now = __atomic_load_n(&known, __ATOMIC_RELAXED);

   if (!now) {
      now = options_debug("td") ? 2 : 1;
      __atomic_store_n(&known, now, __ATOMIC_RELAXED);
   }
   return now == 2;
}

void
K(td_key_print)(struct td_key key, char *out, size_t size)
{
#define NAME(loop, kind, size) [LOOP_##loop][kind][size] = #loop " " #kind " " #size,
   static const char *const names[LOOPS][KINDS][8] = { SAMPLERS(NAME) };
#undef NAME

   snprintf(out, size, "%s%s%s%s%s%s%s", names[key.loop][key.kind][key.size],
            key.wraps & 1 ? " wraps_x" : "", key.wraps & 2 ? " wraps_y" : "",
            key.wraps & 4 ? " wraps_z" : "", key.normalized ? " normalized" : "",
            key.one_level ? " one_level" : "", key.series ? " series" : "");
}

static const char *const dims[] = {
   [TEXTURE_1D] = "1D",
   [TEXTURE_2D] = "2D",
   [TEXTURE_3D] = "3D",
   [TEXTURE_CUBE] = "CUBE",
   [TEXTURE_1D_ARRAY] = "1D array",
   [TEXTURE_2D_ARRAY] = "2D array",
   [TEXTURE_2D_SAMPLES] = "2D samples",
   [TEXTURE_2D_ARRAY_SAMPLES] = "2D array samples",
   [TEXTURE_BUFFER] = "buffer",
};

static void
print_result(const char *choice, const char *why)
{
   if (why)
      fprintf(stderr, ": general (%s)\n", why);
   else
      fprintf(stderr, ": %s\n", choice);
}

static void
print_choice(const struct tex *t, const char *what, const char *choice, const char *why)
{
   static const char *const filters[] = { "point", "linear", "aniso-point", "aniso-linear" };
   static const char *const mips[] = { "", " mip-point", " mip-linear" };
   static const char *const wraps[] = {
      "repeat", "mirror",        "edge", "mirror-edge", "half-border", "mirror-half-border",
      "border", "mirror-border",
   };

   fprintf(stderr, "td: %s %s, %s%s %s%s, wrap %s %s", dims[t->dim], format_name(t->decode.format),
           what, filters[t->mag & 3], filters[t->min & 3], mips[t->mip], wraps[t->clamp[0]],
           wraps[t->clamp[1]]);
   print_result(choice, why);
}

void
K(td_print_load)(const struct tex *t, const char *choice, const char *why)
{
   if (!prints())
      return;
   fprintf(stderr, "td: %s %s, load", dims[t->dim], format_name(t->decode.format));
   print_result(choice, why);
}

void
K(td_print_fetch)(const struct td_decode *d, uint32_t stride, const char *choice, const char *why)
{
   if (!prints())
      return;
   fprintf(stderr, "td: buffer %s, stride %u", format_name(d->format), stride);
   print_result(choice, why);
}

static bool
is_layered(const struct tex *t)
{
   return t->dim == TEXTURE_2D_ARRAY || t->dim == TEXTURE_CUBE;
}

/* Offsets from the base level fit in 32 signed bits. */
static bool
levels_are_near(const struct tex *t)
{
   for (unsigned l = t->base; l <= (unsigned)t->base + t->levels; l++) {
      int64_t from = (int64_t)(t->level[l].base - t->level[t->base].base);
      int64_t to = from + (int64_t)tex_size(t->height, l) * t->level[l].pitch + (1 << 18);

      if (t->dim == TEXTURE_3D)
         to += (int64_t)tex_size(t->depth, l) * t->level[l].slice8 * 8;
      /* Layers of smaller levels are nearer to each other. */
      if (is_layered(t))
         from -= (int64_t)(t->base_array + t->num_layers) *
                 ((int64_t)t->level[t->base].slice8 - t->level[l].slice8) * 8;
      if (from < INT32_MIN || to > INT32_MAX)
         return false;
   }
   return true;
}

/* Why no loop but the general one does it, whatever the channels are; NULL: others may. */
static const char *
find_reason(const struct tex *t)
{
   const bool volume = t->dim == TEXTURE_3D;

   if (t->reduction)
      return "least or greatest texels";
   if (!t->inside)
      return "not all of the texture is mapped";
   if (t->decode.byte_swap)
      return "bytes change ends";
   if (t->samples > 1)
      return "it has several samples";
   if (!volume && t->dim != TEXTURE_2D && !is_layered(t))
      return "neither 2D nor 3D";
   if (t->base_array && !is_layered(t))
      return "a layer of an array";
   if (t->aniso)
      return "an anisotropic filter";
   if (t->shift_x == 3)
      return "blocks of eight columns";
   if (!levels_are_near(t))
      return "levels lie too far apart";
   for (unsigned a = 0; a < (volume ? 3 : 2); a++) {
      if (t->clamp[a] == WRAP_REPEAT && !t->normalized[a])
         return "coordinates in texels repeat";
      if (t->clamp[a] != WRAP_REPEAT && t->clamp[a] != WRAP_CLAMP_TO_EDGE)
         return "it neither repeats nor clamps to the edge";
   }
   return K(td_layers_reason)(t);
}

/* The same of comparisons, of which there is one channel, the depth. */
static const char *
find_compare_key(struct tex *t, struct td_key *key)
{
   const struct td_decode *d = &t->decode;
   enum kind kind = BYTES;
   unsigned depth = 0;

   if (t->dim == TEXTURE_3D)
      return "a volume that compares";
   if (t->mag != FILTER_LINEAR || t->min != FILTER_LINEAR)
      return "points that compare";
   if (!key->one_level)
      return "it compares on several levels";
   while (depth < 3 && t->sel[depth] > SWIZZLE_W)
      depth++;
   if (t->sel[depth] > SWIZZLE_W || !d->channel[t->sel[depth]].bits)
      return "it compares with a constant";
   if (t->shift_x || !has_loops(d->bytes) || !kind_of(d, &kind) || td_decode_is_int(d))
      return "it compares with no depth";
   key->loop = LOOP_compare;
   key->kind = kind;
   key->size = (d->bytes + 3) / 4 & 7;
   /* All components are the comparison's. */
   for (unsigned c = 0; c < 4; c++)
      if (t->sel[c] <= SWIZZLE_W)
         t->sel[c] = t->sel[depth];
   return NULL;
}

/* The same that depends on the channels: finds these and the loop. */
static const char *
find_key(struct tex *t, struct td_key *key)
{
   const bool linear = (t->mag | t->min) & FILTER_LINEAR, volume = t->dim == TEXTURE_3D;
   const unsigned axes = volume ? 3 : 2;
   struct td_decode d = t->decode;
   enum kind kind = BYTES;

   *key = (struct td_key){
      .loop = volume   ? LOOP_volume
              : linear ? LOOP_linear
                       : LOOP_point,
      .normalized = t->normalized[0] && t->normalized[1],
      .one_level = !t->levels || t->mip == MIP_FILTER_NONE,
   };
   for (unsigned a = 0; a < axes; a++)
      key->wraps |= (t->clamp[a] == WRAP_REPEAT) << a;
   if (t->compare)
      return find_compare_key(t, key);
   if (volume && t->shift_x)
      return "a volume of blocks";
   /* Everything between texels, in all directions. */
   if (volume && (!(t->mag & t->min & FILTER_LINEAR) || t->z_filter == SLICE_FILTER_POINT))
      return "a volume that is not filtered in all directions";
   if (!volume && !linear && t->mip == MIP_FILTER_LINEAR)
      return "levels are blended, and texels within them are not";
   if (t->shift_x == 1)
      return "texels share channels";
   if (d.unorm8 && t->shift_x && linear) {
      key->loop = LOOP_blocks;
      key->size = 4;
   } else if (d.unorm8 && !t->shift_x) {
      key->size = d.bytes & 7;
      key->series = !linear || t->mag == t->min;
      key->series &= key->one_level;
   } else {
      /* Blocks as td_block_read() gives them. */
      if (t->shift_x)
         d.bytes = (uint8_t)(4 * td_block_dwords(d.format));
      if (!has_loops(d.bytes))
         return "texels of three or six bytes";
      if (!kind_of(&d, &kind))
         return "channels of that kind have no loop";
      key->size = (d.bytes + 3) / 4 & 7;
   }
   key->kind = kind;
   return NULL;
}

td_tex_fn *
K(td_sampler_of)(struct td_key key)
{
#define ROW(loop, kind, size) [LOOP_##loop][kind][size] = K(td_##loop##_##kind##_##size),
   static td_tex_fn *const samplers[LOOPS][KINDS][8] = { SAMPLERS(ROW) };
#undef ROW

   return samplers[key.loop][key.kind][key.size];
}

void
K(td_choose_sampler)(struct td_tex_bind *bind, struct tex *t)
{
#define ROW(loop, kind, size) [LOOP_##loop][size] = K(td_series_##loop##_##kind##_##size),
   static td_tex_series_fn *const series[LOOPS][8] = { SERIES_SAMPLERS(ROW) };
#undef ROW
   const char *why = find_reason(t);

   if (!why && (t->offset[0] || t->offset[1] || (t->dim == TEXTURE_3D && t->offset[2])))
      why = "the instruction has offsets";
   if (!why)
      why = find_key(t, &t->key);
   if (!why) {
      bind->run = K(td_sampler_of)(t->key);
      why = bind->run ? NULL : "texels of that kind and size have no loop";
   }
   if (why) {
      bind->run = K(td_sample_general);
   } else {
      t->key.series &= !is_layered(t);
      td_assign_outputs(t);
      bind->run_series = t->key.series ? series[t->key.loop][t->key.size] : NULL;
      /* What a point sampler reads is not summed. */
      if (t->key.loop == LOOP_point) {
         t->decode.unorm8 = false;
#if WINDOWS
         K(td_find_points)(t);
#endif
      }
      if (is_layered(t))
         bind->run = K(td_sample_layers);
      else if (t->dim == TEXTURE_3D && !t->key.one_level)
         bind->run = K(td_sample_level);
   }
   if (!prints())
      return;
   char key[96];
   if (!why)
      K(td_key_print)(t->key, key, sizeof(key));
   print_choice(t, "", key, why);
}

/* Why it is the general form, or NULL. */
static const char *
find_gather_reason(const struct tex *t)
{
   const char *why = find_reason(t);

   if (why)
      return why;
   if (t->dim != TEXTURE_2D)
      return t->dim == TEXTURE_3D ? "a volume" : "layers";
   if (t->compare)
      return "it compares";
   if (td_decode_is_int(&t->decode) && !t->plain_gather)
      return "integers as Cayman gathers them";
   if (t->shift_x)
      return "texels of blocks";
   if (!has_loops(t->decode.bytes))
      return "texels of three or six bytes";
   return t->sel[t->modifier & 3] > SWIZZLE_W ? "a constant" : NULL;
}

void
K(td_choose_gather)(struct td_tex_bind *bind, struct tex *t)
{
   const char *why = find_gather_reason(t);

   bind->run = why ? K(td_gather_general) : K(td_gather_near);
   for (unsigned a = 0; a < 2; a++)
      t->key.wraps |= (t->clamp[a] == WRAP_REPEAT) << a;
   if (prints())
      print_choice(t, t->compare ? "gather that compares, " : "gather, ", "gather", why);
}
