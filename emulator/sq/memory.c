/* SPDX-License-Identifier: MIT */
/*
 * What a wave does outside its registers: fetch clauses (through TD's binds), gradients, exports,
 * stream-out, scratch and the scatter buffer.  HD 6900 ISA guide 3.4, 5, 6.
 */
#include "sq/engine.h"
#include "uop/tell.h"

extern const struct kernels K(kernels);

#define ONE4  0x3f800000u, 0x3f800000u, 0x3f800000u, 0x3f800000u
#define ONE16 ONE4, ONE4, ONE4, ONE4
static const wave_lane zeros, ones = { ONE16, ONE16, ONE16, ONE16 };

static uint32_t *
component(struct exec *x, unsigned gpr, unsigned chan)
{
   return (uint32_t *)(x->file + REG(gpr, chan));
}

static uint32_t *
temporary(struct exec *x, unsigned n)
{
   return (uint32_t *)(x->file + TEMP(n));
}

static const uint32_t *
source(struct exec *x, unsigned gpr, unsigned sel)
{
   if (sel < 4)
      return component(x, gpr, sel);
   return sel == CAYMAN_SEL_1 ? ones : zeros;
}

/* ------------------------------------------------------------------------------------------------
 * Fetches
 */

/* d(src)/dx or d(src)/dy over the quad: lanes 0 1 are the upper row, 2 3 the lower one. */
V_INLINE void
gradient_of(uint32_t *dst, const uint32_t *src, bool vertical, bool fine, uint64_t lanes)
{
   for (unsigned i = 0; i < VECTORS; i++) {
      vf v = (vf)vu_load((const uint8_t *)src + i * (VW * 4)), d;
      if (fine && vertical)
         d = vf_quad_permute(v, 0xee) - vf_quad_permute(v, 0x44);
      else if (fine)
         d = vf_quad_permute(v, 0xf5) - vf_quad_permute(v, 0xa0);
      else if (vertical)
         d = vf_quad_lane(v, 2) - vf_quad_lane(v, 0);
      else
         d = vf_quad_lane(v, 1) - vf_quad_lane(v, 0);
      d = vf_canon(d);
      if (lanes == ~UINT64_C(0))
         vf_store((uint8_t *)dst + i * (VW * 4), d);
      else
         vf_store_masked((uint8_t *)dst + i * (VW * 4), vm_lanes(lanes, i), d);
   }
}

static void
gradient(uint32_t *dst, const uint32_t *src, bool vertical, bool fine, uint64_t lanes)
{
   if (vertical && fine)
      gradient_of(dst, src, true, true, lanes);
   else if (vertical)
      gradient_of(dst, src, true, false, lanes);
   else if (fine)
      gradient_of(dst, src, false, true, lanes);
   else
      gradient_of(dst, src, false, false, lanes);
}

static void
copy_lanes(uint32_t *dst, const uint32_t *src, uint64_t lanes)
{
   if (lanes == ~UINT64_C(0)) {
      lanes_copy(dst, src);
      return;
   }
   for (unsigned i = 0; i < VECTORS; i++) {
      vu_store_masked((uint8_t *)dst + i * (VW * 4), vm_lanes(lanes, i),
                      vu_load((const uint8_t *)src + i * (VW * 4)));
   }
}

/* An index that a destination overwrites is read from a copy. */
static const uint32_t *
protected_index(struct exec *x, const uint32_t *index, uint32_t *const dst[4])
{
   for (unsigned d = 0; d < 4; d++) {
      if (dst[d] == index) {
         uint32_t *copy = temporary(x, TEMP_FETCH);
         lanes_copy(copy, index);
         return copy;
      }
   }
   return index;
}

/* Of an index that may have left all there is: such a number is nobody's. */
static uint32_t
view_number(int64_t n)
{
   return n >= 0 && n < TD_VERTEX_BUFFERS ? (uint32_t)n : UINT32_MAX;
}

/* What few lookups have: none of it.  The rest is set for each. */
static void
clear_args(struct td_tex_args *args)
{
   for (unsigned c = 0; c < 3; c++) {
      args->grad_h[c] = args->grad_v[c] = NULL;
      args->offset[c] = NULL;
   }
   args->reference = NULL;
}
_Static_assert(offsetof(struct td_tex_args, grad_h) ==
                     offsetof(struct td_tex_args, valid) + sizeof(uint64_t) &&
                  offsetof(struct td_tex_args, reference) + sizeof(void *) ==
                     sizeof(struct td_tex_args),
               "a new argument of lookups wants a value here");

/* Tells an observer of lookups, and of LD which texels those are. */
static __attribute__((noinline)) void
tell_lookups(const struct exec *x, int64_t resource, const struct td_tex_bind *bind,
             const struct td_tex_args *args)
{
   for (uint64_t lanes = args->lanes; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint32_t at[4] = { args->src[0][lane], args->src[1][lane], args->src[2][lane],
                               args->src[3][lane] };
      struct td_element e;
      const bool known = K(kernels).td_tex_texel(bind, at, &e);

      uop_tell_access(x, &(struct core_access){
                            .memory = CORE_MEMORY_TEXTURE,
                            .how = CORE_READS,
                            .lane = (uint8_t)lane,
                            .number = (uint32_t)resource,
                            .address = e.at,
                            .bytes = e.bytes,
                            .image = true,
                            .limit = known ? e.size : CORE_NO_LIMIT,
                            .host = e.host,
                         });
   }
}

/* Of `args` what clear_args() clears is cleared, and left so. */
static void
fetch_texture(struct exec *x, const struct fetch *f, uint64_t lanes, struct td_tex_args *shared)
{
   const bool latches = f->uses_gradients || f->uses_offsets;
   struct td_tex_args own, *args = latches ? &own : shared;
   const unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
   const unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);

   if (latches)
      clear_args(args);
   for (unsigned c = 0; c < 4; c++) {
      args->src[c] = source(x, gpr, f->src_sel[c]);
      args->dst[c] = f->dst_sel[c] == CAYMAN_SEL_MASK ? NULL : component(x, to, c);
   }
   args->lanes = lanes;
   args->idle = sq_idle(x);
   args->valid = f->whole_quad ? lanes : x->lanes;
   for (unsigned c = 0; c < 3 && f->uses_gradients; c++) {
      args->grad_h[c] = (const float *)temporary(x, TEMP_GRAD + c);
      args->grad_v[c] = (const float *)temporary(x, TEMP_GRAD + 3 + c);
   }
   for (unsigned c = 0; c < 3 && f->uses_offsets; c++)
      args->offset[c] = temporary(x, TEMP_OFFSET + c);

   const struct sq_bind *bind = x->bind;
   const struct sq_tex_ref *ref = &x->program->head.tex[f->ref];
   if (!ref->indexed) {
      if (__builtin_expect(x->watcher != NULL, 0))
         tell_lookups(x, ref->resource, &bind->tex[f->ref], args);
      bind->tex[f->ref].run(&bind->tex[f->ref], args);
      return;
   }

   int64_t r = ref->resource + cf_index(x, f->resource_index);
   int64_t s = ref->sampler + cf_index(x, f->sampler_index);
   struct td_tex_bind made;
   td_views_bind_tex(bind->views, &K(kernels), &made, &ref->lookup, view_number(r), view_number(s));
   if (__builtin_expect(x->watcher != NULL, 0))
      tell_lookups(x, r, &made, args);
   made.run(&made, args);
}

/* The register after the table's first entry with that semantic; 0: there is none. */
unsigned
K(sq_semantic_gpr)(const struct sq_bind *bind, uint8_t semantic)
{
   for (unsigned n = 0; bind->semantics && semantic != SQ_NO_SEMANTIC && n < SQ_SEMANTICS; n++)
      if (bind->semantics[n] == semantic)
         return n + 1;
   return 0;
}

/* The dwords of an element that a fetch takes, a bit each; 0: it is not of whole dwords, or the
 * buffer says which. */
static unsigned
dwords_taken(const struct fetch *f, const struct td_fetch *fetch)
{
   const struct format_info *format = &format_info[fetch->format];
   const unsigned channels = format_channels(format);
   unsigned taken = 0;

   if (fetch->buffer_format || fetch->kind != TD_FETCH_ELEMENTS || !channels ||
       format->bytes != 4 * channels || format->channel[0].bits != 32)
      return 0;
   for (unsigned c = 0; c < 4; c++)
      if (f->dst_sel[c] != CAYMAN_SEL_MASK && fetch->swizzle[c] < channels)
         taken |= 1u << fetch->swizzle[c];
   return taken;
}

static __attribute__((noinline)) void
tell_elements(const struct exec *x, const struct fetch *f, const struct sq_vtx_ref *ref,
              int64_t resource, const struct td_vtx_bind *bind, const uint32_t *index,
              uint64_t lanes)
{
   const unsigned taken = dwords_taken(f, &ref->fetch);

   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      struct td_element e;

      K(kernels).td_vtx_element(bind, index[lane], &e);
      struct core_access access = {
         .memory = CORE_MEMORY_BUFFER,
         .how = CORE_READS,
         .lane = (uint8_t)lane,
         .number = (uint32_t)resource,
         .address = e.at,
         .bytes = e.bytes,
         .image = ref->fetch.buffer_format && resource >= SQ_IMAGE_RESOURCE &&
                  resource < SQ_FETCH_RESOURCE,
         /* Of attributes, the application's draw is at fault, not the program. */
         .limit = resource >= SQ_FETCH_RESOURCE ? CORE_NO_LIMIT : e.size,
         .host = e.host,
      };

      if (!taken || !e.host) {
         uop_tell_access(x, &access);
         continue;
      }
      access.bytes = 4;
      for (unsigned c = 0; c < 4; c++) {
         access.address = e.at + 4 * c;
         access.host = e.host + 4 * c;
         if (taken >> c & 1)
            uop_tell_access(x, &access);
      }
   }
}

static void
fetch_vertex(struct exec *x, const struct fetch *f, uint64_t lanes)
{
   unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
   unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);
   if (f->kind == FETCH_SEMANTIC) {
      to = K(sq_semantic_gpr)(x->bind, f->semantic);
      if (!to)
         return;
   }
   uint32_t *dst[4];
   for (unsigned c = 0; c < 4; c++)
      dst[c] = f->dst_sel[c] == CAYMAN_SEL_MASK ? NULL : component(x, to, c);
   const uint32_t *index = protected_index(x, source(x, gpr, f->src_sel[0]), dst);

   const struct sq_bind *bind = x->bind;
   const struct sq_vtx_ref *ref = &x->program->head.vtx[f->ref];
   if (!ref->indexed) {
      if (__builtin_expect(x->watcher != NULL, 0))
         tell_elements(x, f, ref, ref->resource, &bind->vtx[f->ref], index, lanes);
      bind->vtx[f->ref].run(&bind->vtx[f->ref], index, dst, lanes);
      return;
   }
   int64_t r = ref->resource + cf_index(x, f->resource_index);
   struct td_vtx_bind made;
   td_views_bind_fetch(bind->views, &K(kernels), &made, &ref->fetch, view_number(r), 0);
   if (__builtin_expect(x->watcher != NULL, 0))
      tell_elements(x, f, ref, r, &made, index, lanes);
   made.run(&made, index, dst, lanes);
}

/* Dword n of a lane's scratch lies at (n * 64 + lane) * 4: a dword of all lanes is a row.  How many
 * rows there are. */
static uint32_t
scratch_rows(const struct exec *x)
{
   return x->wave->scratch ? x->wave->scratch_bytes / 4 : 0;
}

/* The rows at which an access begins, of elements of `dwords`; true: that of all lanes is
 * rows[first lane]. */
static bool
scratch_elements(unsigned base, unsigned size, unsigned dwords, const uint32_t *index,
                 uint64_t lanes, wave_lane rows)
{
   const unsigned first = (unsigned)__builtin_ctzll(lanes);
   bool alike = true;

   if (!index) {
      rows[first] = base * dwords;
      return true;
   }
   for (unsigned i = 0; i < VECTORS; i++) {
      const vi at = vi_clamp((vi)vu_load(index + i * VW), 0, (int)size);

      vu_store(rows + i * VW, ((vu)at + vu_splat(base)) * vu_splat(dwords));
   }
   for (unsigned i = 0; i < VECTORS; i++) {
      const vm same = vu_eq(vu_load(rows + i * VW), vu_splat(rows[first]));

      alike = alike && !vm_any(vm_and(vm_lanes(lanes, i), vm_not(same)));
   }
   return alike;
}

/* Whether scratch has all elements that an access may name. */
static bool
scratch_inside(unsigned base, unsigned size, unsigned burst, unsigned dwords, uint32_t end)
{
   return (base + size + burst + 1) * dwords <= end;
}

/* Elements are read as a whole; of those that are written, the components of `mask`. */
static __attribute__((noinline)) void
tell_scratch(const struct exec *x, bool alike, const uint32_t *rows, unsigned burst,
             unsigned dwords, unsigned mask, uint64_t lanes)
{
   const uint32_t row = rows[__builtin_ctzll(lanes)];

   for (unsigned b = 0; b <= burst; b++) {
      for (uint64_t left = lanes; left; left &= left - 1) {
         const unsigned lane = (unsigned)__builtin_ctzll(left);
         const uint64_t at = 4 * ((uint64_t)(alike ? row : rows[lane]) + b * dwords);

         if (!mask)
            uop_tell(x, CORE_MEMORY_SCRATCH, 0, CORE_READS, lane, at, 4 * dwords);
         for (unsigned c = 0; c < dwords; c++)
            if (mask >> c & 1)
               uop_tell(x, CORE_MEMORY_SCRATCH, 0, CORE_WRITES, lane, at + 4 * c, 4);
      }
   }
}

/* Dword `index` of the scatter buffer; NULL: it ends before. */
static uint8_t *
scatter_dword(const struct exec *x, uint64_t index)
{
   const struct sq_bind *bind = x->bind;
   return index < bind->scatter_dwords ? bind->scatter + index * 4 : NULL;
}

/* What is beyond scratch is zero, like components that an element does not have. */
static void
fetch_scratch(struct exec *x, const struct fetch *f, uint64_t lanes)
{
   const unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
   const unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);
   const unsigned dwords = f->elem_size + 1u, end = scratch_rows(x);
   const uint32_t *scratch = (const uint32_t *)x->wave->scratch;
   wave_lane rows;
   const bool alike =
      scratch_elements(f->array_base, f->array_size, dwords,
                       f->indexed ? source(x, gpr, f->src_sel[0]) : NULL, lanes, rows);
   const uint32_t row = rows[__builtin_ctzll(lanes)];
   if (__builtin_expect(x->watcher != NULL, 0))
      tell_scratch(x, alike, rows, f->burst, dwords, 0, lanes);
   const bool inside = scratch_inside(f->array_base, f->array_size, f->burst, dwords, end);

   for (unsigned b = 0; b <= f->burst && to + b < 128; b++) {
      for (unsigned c = 0; c < 4; c++) {
         const unsigned sel = f->dst_sel[c], more = b * dwords + sel;
         uint32_t *dst = component(x, to + b, c);

         if (sel == CAYMAN_SEL_MASK)
            continue;
         if (sel >= dwords || !end) {
            copy_lanes(dst, sel == CAYMAN_SEL_1 ? ones : zeros, lanes);
         } else if (alike) {
            copy_lanes(dst, row + more < end ? scratch + (size_t)(row + more) * WAVE_LANES : zeros,
                       lanes);
         } else if (inside && lanes == ~UINT64_C(0)) {
            for (unsigned lane = 0; lane < WAVE_LANES; lane++)
               dst[lane] = scratch[(size_t)(rows[lane] + more) * WAVE_LANES + lane];
         } else {
            for (uint64_t left = lanes; left; left &= left - 1) {
               const unsigned lane = (unsigned)__builtin_ctzll(left);
               const uint32_t at = rows[lane] + more;

               dst[lane] = at < end ? scratch[(size_t)at * WAVE_LANES + lane] : 0;
            }
         }
      }
   }
}

/* The scatter buffer counts dwords (6.1). */
static void
fetch_scatter(struct exec *x, const struct fetch *f, uint64_t lanes)
{
   unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
   unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);
   wave_lane index;
   lanes_copy(index, source(x, gpr, f->src_sel[0]));

   for (unsigned b = 0; b <= f->burst && to + b < 128; b++) {
      for (uint64_t left = lanes; left; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         uint32_t value[8] = { 0, 0, 0, 0, 0, 0x3f800000u, 0, 0 };
         uint64_t at =
            (uint64_t)(f->indexed ? index[lane] : 0) + f->array_base + b * (f->elem_size + 1u);
         if (x->watcher)
            uop_tell(x, CORE_MEMORY_SCATTER, 0, CORE_READS, lane, at * 4, 4 * (f->elem_size + 1u));
         for (unsigned c = 0; c <= f->elem_size; c++) {
            const uint8_t *p = scatter_dword(x, at + c);
            if (p)
               memcpy(&value[c], p, 4);
         }
         for (unsigned c = 0; c < 4; c++)
            if (f->dst_sel[c] != CAYMAN_SEL_MASK)
               component(x, to + b, c)[lane] = value[f->dst_sel[c] & 7];
      }
   }
}

/* All lookups of a series, if that is how its sampler does them: how many that are beyond the
 * first; none otherwise. */
static unsigned
fetch_series(struct exec *x, const struct fetch *f, uint64_t lanes)
{
   const struct td_tex_series *s = &x->program->series[f->series - 1];
   const struct td_tex_bind *bind = &x->bind->tex[f->ref];

   if (!bind->run_series)
      return 0;
   bind->run_series(bind, s, x->file, lanes | sq_idle(x));
   return s->count - 1;
}

void
K(sq_lookup_args)(struct exec *x, const struct fetch *f, struct td_tex_args *args)
{
   clear_args(args);
   for (unsigned c = 0; c < 4; c++) {
      args->src[c] = source(x, f->src_gpr, f->src_sel[c]);
      args->dst[c] = f->dst_sel[c] == CAYMAN_SEL_MASK ? NULL : component(x, f->dst_gpr, c);
   }
}

void
K(sq_look_up)(struct exec *x, const struct sq_cf *cf, struct td_tex_args *kept)
{
   const struct fetch *f = x->program->fetches + cf->first_fetch, *end = f + cf->num_fetches;

   while (f < end) {
      const struct td_tex_bind *bind = &x->bind->tex[f->ref];
      const uint64_t whole = lanes_whole_quads(x->lanes) & x->launch;
      const uint64_t lanes = f->whole_quad ? whole : x->lanes;
      struct td_tex_args *args = &kept[f->kept - 1];
      const unsigned more = f->series ? fetch_series(x, f, lanes) : 0;

      if (!more) {
         args->lanes = args->valid = lanes;
         args->idle = sq_idle(x);
         bind->run(bind, args);
      }
      f += 1 + more;
   }
}

/* Results are kept up to the last one where they may overwrite a source. */
static void
fetch_gradients(struct exec *x, const struct fetch *f, unsigned gpr, unsigned to, uint64_t lanes)
{
   const bool vertical = f->op == CAYMAN_TEX_GET_GRADIENTS_V, fine = f->inst_mod & 1;
   wave_lane result[4];
   unsigned made = 0;

   for (unsigned c = 0; c < 4; c++) {
      const unsigned sel = f->dst_sel[c];

      if (sel >= 4)
         continue;
      if (to != gpr)
         gradient(component(x, to, c), source(x, gpr, f->src_sel[sel]), vertical, fine, lanes);
      else if (!(made >> sel & 1))
         gradient(result[sel], source(x, gpr, f->src_sel[sel]), vertical, fine, ~0ull);
      made |= 1u << sel;
   }
   for (unsigned c = 0; c < 4; c++) {
      const unsigned sel = f->dst_sel[c];

      if (sel >= 4 ? sel != CAYMAN_SEL_MASK : to == gpr)
         copy_lanes(component(x, to, c), sel < 4 ? result[sel] : source(x, 0, sel), lanes);
   }
}

void
K(sq_fetch_clause)(struct exec *x, const struct sq_cf *cf)
{
   const struct fetch *f = x->program->fetches + cf->first_fetch;
   const unsigned count = cf->num_fetches;
   unsigned mode = x->fp_now;
   struct td_tex_args args;
   if (mode != FP_DEFAULT)
      _mm_setcsr(FP_DEFAULT);
   clear_args(&args);
   for (unsigned n = 0; n < count; n++, f++) {
      uint64_t lanes = x->lanes;
      if (f->whole_quad)
         lanes = lanes_whole_quads(lanes) & x->launch;
      if (!lanes)
         continue;
      unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
      unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);
      switch (f->kind) {
      case FETCH_TEX: {
         const unsigned more = f->series && count > 1 ? fetch_series(x, f, lanes) : 0;

         if (!more)
            fetch_texture(x, f, lanes, &args);
         n += more;
         f += more;
         break;
      }
      case FETCH_VTX:
      case FETCH_SEMANTIC:
         fetch_vertex(x, f, lanes);
         break;
      case FETCH_SCRATCH:
         fetch_scratch(x, f, lanes);
         break;
      case FETCH_SCATTER:
         fetch_scatter(x, f, lanes);
         break;
      case FETCH_GRADIENTS:
         fetch_gradients(x, f, gpr, to, lanes);
         break;
      case FETCH_SET_GRADIENTS: {
         unsigned first = f->op == CAYMAN_TEX_SET_GRADIENTS_V ? 3 : 0;
         for (unsigned c = 0; c < 3; c++)
            copy_lanes(temporary(x, TEMP_GRAD + first + c), source(x, gpr, f->src_sel[c]), ~0ull);
         break;
      }
      case FETCH_KEEP_GRADIENTS:
         for (unsigned c = 0; c < 3; c++) {
            const uint32_t *src = source(x, gpr, f->src_sel[c]);
            gradient(temporary(x, TEMP_GRAD + c), src, false, false, ~0ull);
            gradient(temporary(x, TEMP_GRAD + 3 + c), src, true, false, ~0ull);
         }
         break;
      case FETCH_SET_OFFSETS:
         for (unsigned c = 0; c < 3; c++)
            copy_lanes(temporary(x, TEMP_OFFSET + c), source(x, gpr, f->src_sel[c]), ~0ull);
         break;
      case FETCH_GDS:
      case FETCH_TF_WRITE:
         K(sq_gds)(x, f, lanes);
         break;
      default:
         break;
      }
   }
   if (mode != FP_DEFAULT)
      _mm_setcsr(mode);
}

void
K(sq_fetch_one)(struct exec *x, const struct fetch *f)
{
   const struct sq_cf one = {
      .first_fetch = (uint32_t)(f - x->program->fetches),
      .num_fetches = 1,
   };

   K(sq_fetch_clause)(x, &one);
}

/* ------------------------------------------------------------------------------------------------
 * Exports
 */
static void
export_vec4(struct exec *x, const struct sq_cf *cf, unsigned gpr, wave_lane dst[4], uint64_t lanes,
            bool first)
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned sel = cf->sel[c];
      if (sel == CAYMAN_SEL_MASK)
         continue;
      const uint32_t *src = source(x, gpr, sel);
      if (first && lanes == x->launch)
         lanes_copy(dst[c], src);
      else
         copy_lanes(dst[c], src, lanes);
   }
}

/* A colour: copied, or left in its registers where they keep it and it is all that there is. */
static void
export_color(struct exec *x, const struct sq_cf *cf, unsigned gpr, unsigned to, uint64_t lanes)
{
   struct core_outputs *e = x->wave->outputs;
   const bool first = !(e->mrt_written >> to & 1);
   const bool leave = first && cf->ends && x->wave->keeps_rows;

   for (unsigned c = 0; c < 4; c++) {
      if (!first && e->left[to][c])
         lanes_copy(e->mrt[to][c], e->left[to][c]);
      e->left[to][c] = leave && cf->sel[c] != CAYMAN_SEL_MASK ? source(x, gpr, cf->sel[c]) : NULL;
   }
   if (!leave)
      export_vec4(x, cf, gpr, e->mrt[to], lanes, first);
}

void
K(sq_export)(struct exec *x, const struct sq_cf *cf)
{
   struct core_outputs *e = x->wave->outputs;
   uint64_t lanes = x->active & x->valid;
   uint8_t mask = 0;
   for (unsigned c = 0; c < 4; c++)
      mask |= (uint8_t)((cf->sel[c] != CAYMAN_SEL_MASK) << c);

   for (unsigned b = 0; b <= cf->burst_count; b++) {
      unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);
      unsigned to = cf->array_base + b;
      if (gpr > 127)
         break;
      switch (cf->type) {
      case CAYMAN_EXPORT_PIXEL:
         e->lanes = lanes;
         if (to < 8) {
            export_color(x, cf, gpr, to, lanes);
            e->mrt_written |= 1u << to;
            e->component_mask[to] |= mask;
         } else if (to == 61) {
            export_vec4(x, cf, gpr, e->z, lanes, !e->z_written);
            e->z_written = 1;
            e->component_mask[8] |= mask;
         }
         break;
      case CAYMAN_EXPORT_POS:
         if (to >= 60 && to < 64) {
            export_vec4(x, cf, gpr, e->pos[to - 60], lanes, !(e->pos_written >> (to - 60) & 1));
            e->pos_written |= 1u << (to - 60);
         }
         break;
      case CAYMAN_EXPORT_PARAM:
         if (to < 32) {
            export_vec4(x, cf, gpr, e->param[to], lanes, !(e->param_written >> to & 1));
            e->param_written |= 1u << to;
         }
         break;
      default:
         break;
      }
   }
}

/* MEM_STREAMs_BUFb: component c of the register to dword ARRAY_BASE + c of the vertex; a burst's
 * next register goes one element further. */
void
K(sq_stream_write)(struct exec *x, const struct sq_cf *cf)
{
   const struct core_stream_buffer *buffer =
      &x->bind->core.stream[(cf->op - CAYMAN_CF_MEM_STREAM0_BUF0) & 3];
   if (!buffer->base)
      return;
   for (unsigned b = 0; b <= cf->burst_count; b++) {
      unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);
      if (gpr > 127)
         break;
      for (uint64_t left = x->active & x->wave->stream_lanes; left; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         uint64_t at = buffer->offset + (uint64_t)x->wave->stream_vertex[lane] * buffer->stride +
                       ((uint64_t)cf->array_base + b * (cf->elem_size + 1u)) * 4;
         for (unsigned c = 0; c < 4; c++, at += 4) {
            if (!(cf->comp_mask >> c & 1))
               continue;
            if (x->watcher)
               uop_tell(x, CORE_MEMORY_STREAM, (cf->op - CAYMAN_CF_MEM_STREAM0_BUF0) & 3u,
                        CORE_WRITES, lane, at, 4);
            if (at < buffer->bytes && buffer->bytes - at >= 4)
               memcpy(buffer->base + at, &component(x, gpr, c)[lane], 4);
         }
      }
   }
}

/* Scratch counts elements (6.1). */
void
K(sq_scratch_write)(struct exec *x, const struct sq_cf *cf)
{
   const bool indexed = cf->type == CAYMAN_MEM_WRITE_IND || cf->type == CAYMAN_MEM_WRITE_IND_ACK;
   const unsigned dwords = cf->elem_size + 1u, end = scratch_rows(x);
   const uint64_t lanes = x->active;
   uint32_t *scratch = (uint32_t *)x->wave->scratch;
   wave_lane rows;

   if (!lanes)
      return;
   const bool alike =
      scratch_elements(cf->array_base, cf->array_size, dwords,
                       indexed ? component(x, cf->index_gpr, 0) : NULL, lanes, rows);
   const uint32_t row = rows[__builtin_ctzll(lanes)];
   if (__builtin_expect(x->watcher != NULL, 0))
      tell_scratch(x, alike, rows, cf->burst_count, dwords, cf->comp_mask, lanes);
   const bool inside = scratch_inside(cf->array_base, cf->array_size, cf->burst_count, dwords, end);

   for (unsigned b = 0; b <= cf->burst_count; b++) {
      const unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);

      if (gpr > 127)
         break;
      for (unsigned c = 0; c < dwords; c++) {
         const uint32_t *src = component(x, gpr, c);
         const unsigned more = b * dwords + c;

         if (!(cf->comp_mask >> c & 1))
            continue;
         if (alike) {
            if (row + more < end)
               copy_lanes(scratch + (size_t)(row + more) * WAVE_LANES, src, lanes);
            continue;
         }
         if (inside && lanes == ~UINT64_C(0)) {
            for (unsigned lane = 0; lane < WAVE_LANES; lane++)
               scratch[(size_t)(rows[lane] + more) * WAVE_LANES + lane] = src[lane];
            continue;
         }
         for (uint64_t left = lanes; left; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(left);
            const uint32_t at = rows[lane] + more;

            if (at < end)
               scratch[(size_t)at * WAVE_LANES + lane] = src[lane];
         }
      }
   }
}

/* MEM_EXPORT: dwords from ARRAY_BASE + INDEX_GPR.x on, a burst's next register after them.
 * MEM_EXPORT_COMBINED: RW_GPR.xy to RW_GPR.w.  Beyond the buffer nothing is written. */
void
K(sq_scatter_write)(struct exec *x, const struct sq_cf *cf)
{
   bool combined = cf->op == CAYMAN_CF_MEM_EXPORT_COMBINED;
   bool indexed = cf->type == CAYMAN_MEM_WRITE_IND || cf->type == CAYMAN_MEM_WRITE_IND_ACK;
   unsigned dwords = combined ? 2 : cf->elem_size + 1u;
   uint64_t lanes = x->active;
   if (cf->valid_pixel_mode)
      lanes &= x->valid;

   for (unsigned b = 0; b <= cf->burst_count; b++) {
      unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);
      if (gpr > 127)
         break;
      const uint32_t *index = component(x, combined ? gpr : cf->index_gpr, combined ? 3 : 0);
      for (uint64_t left = lanes; left; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         uint64_t at =
            (uint64_t)(combined || indexed ? index[lane] : 0) + cf->array_base + b * dwords;
         for (unsigned c = 0; c < dwords; c++) {
            uint8_t *p = scatter_dword(x, at + c);
            if (x->watcher && (cf->comp_mask >> c & 1))
               uop_tell(x, CORE_MEMORY_SCATTER, 0, CORE_WRITES, lane, (at + c) * 4, 4);
            if (p && (cf->comp_mask >> c & 1))
               memcpy(p, &component(x, gpr, c)[lane], 4);
         }
      }
   }
}
