/* SPDX-License-Identifier: MIT */
/* What the compute programs of dialect/ compute: a function of each one's name (dialect.h). */
#include "dialect.h"

#define EACH_THREAD(t) for (unsigned t = 0; t < THREADS; t++)
#define EACH(c)        for (unsigned c = 0; c < 4; c++)
#define GROUP          64

static void
put_word(struct world *w, unsigned e, unsigned c, uint32_t v)
{
   w->uav[0][4 * e + c] = v;
}

static void
fill(struct world *w)
{
   EACH_THREAD(t)
   {
      EACH(c)
      {
         put_g(w, 2 * t, c, cb(5, c));
         put_g(w, 2 * t + 1, c, cb(6, 3 - c));
      }
   }
}

static void
sample_in_compute(struct world *w)
{
   EACH_THREAD(t)
   {
      const unsigned x = t % 8, y = t % GROUP / 8;
      EACH(c)
      put_g(w, t, c, texel2(0, x, y, c) + (t < 64 ? texel2(1, y, x, c) : 0));
   }
}

static void
local_owners(struct world *w)
{
   EACH_THREAD(t)
   {
      const unsigned owner = 63 - t % GROUP;
      EACH(c)
      put_word(w, t, c, (owner + (c < 2 ? 0 : 100)) * (c & 1 ? 2 : 1));
   }
}

static void
local_neighbours(struct world *w)
{
   EACH_THREAD(t)
   EACH(c)
   put_word(w, t, c, 4 * ((t % GROUP & ~3u) + c) + t % 4);
}

static void
local_sum(struct world *w)
{
   EACH_THREAD(t)
   put_word(w, t, 0, t < GROUP ? 64 * 65 / 2 : 128 * 129 / 2 - 64 * 65 / 2);
}

static void
local_structures(struct world *w)
{
   EACH_THREAD(t)
   EACH(c)
   put_g(w, t, c, (float)(t % GROUP ^ 63) + cb(3, c == 3 ? 1 : c));
}

static void
local_atomics(struct world *w)
{
   uint32_t count[2][16] = { { 0 } };

   EACH_THREAD(t)
   count[t / GROUP][7 * t / 2 % 16]++;
   EACH_THREAD(t)
   if (t % GROUP < 16)
      put_word(w, t, 1, count[t / GROUP][t % GROUP]);
}

/* g[] is UAV 1 here. */
static void
views_and_globals(struct world *w)
{
   EACH_THREAD(t)
   {
      EACH(c)
      w->uav[1][4 * t + c] = w->uav[0][4 * t + c] + t;
      w->uav[1][4 * t + 2] = w->uav[1][4 * t + 3] = w->uav[1][4 * t];
      w->uav[0][4 * t + 1] = w->uav[0][4 * t + 2] = 0;
   }
}

static void
accumulate(struct world *w)
{
   EACH_THREAD(t)
   {
      put_g(w, t, 0, g_before(t, 0) + 4);
      put_g(w, t, 1, g_before(t, 1) + 2);
      put_g(w, t, 2, g_before(t, 2) * 16);
      put_g(w, t, 3, (g_before(t, 0) + 4) * 2 + g_before(t, 3));
   }
}

static void
conditional_moves(struct world *w)
{
   EACH_THREAD(t)
   {
      EACH(c)
      {
         const bool moves = t >> c & 1;
         if (moves)
            put_g(w, t, c, (float)t);
         if (c < 2)
            put_g(w, t + 128, c, moves ? (float)t : 1);
      }
   }
}

static uint32_t
divisor(uint32_t a, uint32_t b)
{
   return b ? divisor(b, a % b) : a;
}

static void
greatest_divisors(struct world *w)
{
   EACH_THREAD(t)
   {
      put_word(w, t, 0, divisor(t + 1, 36));
      put_word(w, t, 1, divisor(t + 1, 6 * t + 36));
   }
}

static void
hash(struct world *w)
{
   EACH_THREAD(t)
   {
      uint32_t a = t, b = 0x9e3779b9;
      for (unsigned i = 8; i < 16; i++) {
         a = (a + (uint32_t)cb_int(i, 0)) ^ (uint32_t)cb_int(i, 1);
         b += a << 5 | a >> 27;
         a = a * 0x7f4a7c15 ^ b;
      }
      put_word(w, t, 0, a);
      put_word(w, t, 1, b);
   }
}

static void
bodies(struct world *w)
{
   EACH_THREAD(t)
   {
      double force = 0, mass = 0;
      for (unsigned i = 16; i < 24; i++) {
         const double apart = cb_double(i, 0) - (double)(t % GROUP);
         const double square = apart * apart;
         const double pull = 16.0 / (square + 1.0) * apart;
         force += pull;
         mass += cb_double(i, 1);
      }
      memcpy(&w->uav[0][4 * t], &force, 8);
      memcpy(&w->uav[0][4 * t + 2], &mass, 8);
   }
}

static void
scan(struct world *w)
{
   uint32_t s = 0;

   EACH_THREAD(t)
   {
      s = t % GROUP ? s + 3 * t : 3 * t;
      put_word(w, t, 1, s);
   }
}

static void
macros_in_loops(struct world *w)
{
   EACH_THREAD(t)
   {
      const uint64_t s = UINT64_C(4) * (t * 0x89abcdefu);
      put_word(w, t, 0, (uint32_t)s);
      put_word(w, t, 1, (uint32_t)(s >> 32));
   }
}

static void
groups(struct world *w)
{
   EACH_THREAD(t)
   {
      const unsigned in = t % GROUP;
      const uint32_t id[4] = { in % 16, in / 16, 0, t / GROUP };
      const uint32_t flat[4] = { t / GROUP, in / 16, 0, 0 };
      EACH(c)
      {
         put_word(w, t, c, id[c]);
         put_word(w, t + 128, c, flat[c]);
      }
   }
}

static void
deep_returns(struct world *w)
{
   EACH_THREAD(t)
   {
      uint32_t r[4] = { 0, t < 40 ? 0 : 11, 0, 0 };
      bool found = false;
      for (unsigned i = 0; i < 5 && !found; i++) {
         for (unsigned j = 0; j < 3 && !found; j++) {
            found = i + j == (t & 7);
            if (found) {
               r[2] = i;
               r[3] = j;
            } else {
               r[0]++;
            }
         }
      }
      r[0] += found ? 0 : 100;
      EACH(c)
      put_word(w, t, c, r[c]);
   }
}

static void
largest_group(struct world *w)
{
   for (unsigned t = 0; t < THREADS; t++) {
      put_word(w, t, 0, 3 * (t % 64));
      put_word(w, t, 1, 3 * (t % 64) + t / 64);
   }
}

static void
sizes_in_function(struct world *w)
{
   for (unsigned t = 0; t < THREADS; t++) {
      const unsigned i = t % 64;
      if (i >= 5)
         put_word(w, t, 0, t - 1);
      else
         for (unsigned c = 0; c < 4; c++)
            put_word(w, t, c, (uint32_t)cb_int(i + 8, c));
   }
}

#define ROW(name) \
   {              \
#name, name \
   }
static const struct {
   const char *name;
   world_fn *fn;
} rows[] = {
   ROW(fill),
   ROW(sample_in_compute),
   ROW(local_owners),
   ROW(local_neighbours),
   ROW(local_sum),
   ROW(local_structures),
   ROW(local_atomics),
   ROW(views_and_globals),
   ROW(accumulate),
   ROW(conditional_moves),
   ROW(greatest_divisors),
   ROW(hash),
   ROW(bodies),
   ROW(scan),
   ROW(macros_in_loops),
   ROW(groups),
   ROW(deep_returns),
   ROW(largest_group),
   ROW(sizes_in_function),
};

world_fn *
dialect_compute(const char *name)
{
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
      if (!strcmp(rows[i].name, name))
         return rows[i].fn;
   return NULL;
}
