/* SPDX-License-Identifier: MIT */
/*
 * See machine.h.  Groups run one after the other (core/workgroup.h), so results are the same on
 * every host.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>

#include "core/workgroup.h"

#define GROUP_CYCLES 256u

static machine_run_fn *const runs[ISA_COUNT] = {
#define ISA(NAME, name) [ISA_ID_##name] = machine_run_##name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
};

static bool
say(char *error, size_t size, const char *text)
{
   snprintf(error, size, "%s", text);
   return false;
}

/* A dispatch of atoll-run's: what its waves leave. */
struct launch {
   struct machine *m;
   machine_wave_fn *ended;
   void *state;
   char *error;
   size_t error_size;
   bool failed;
};

static void
fail(struct launch *l, const struct core_workgroup *group, const struct core_wave *wave,
     const char *why)
{
   if (l->failed)
      return;
   l->failed = true;
   snprintf(l->error, l->error_size, "%s %u: %s (group %u,%u,%u, wave %u)",
            wave->bind->program->engine->place, wave->fault_place, why, group->place[0],
            group->place[1], group->place[2], wave->wave_in_group);
}

static void
wave_ended(void *context, const struct core_workgroup *group, const struct core_wave *wave)
{
   struct launch *l = context;

   if (wave->faulted)
      fail(l, group, wave, wave->fault ? wave->fault : "fault");
   else if (l->ended)
      l->ended(l->state, wave);
}

static bool
over_budget(const struct machine *m, char *error, size_t size)
{
   snprintf(error, size, "the run's budget of %llu cycles is used up",
            (unsigned long long)m->budget);
   return false;
}

bool
machine_dispatch(struct machine *m, const struct core_bind *bind, uint32_t num_rows,
                 machine_wave_fn *ended, void *state, char *error, size_t error_size)
{
   struct launch l = { m, ended, state, error, error_size, false };
   struct core_dispatch d = {
      .bind = bind,
      .num_rows = num_rows,
      .lds_bytes = m->lds_bytes,
      .slots = CORE_GROUP_WAVES,
      .limit = m->budget,
      .spent = &m->cycles,
      .ended = wave_ended,
   };
   struct core_workgroup *group = NULL;

   memcpy(d.block, m->threads, sizeof(d.block));
   memcpy(d.groups, m->groups, sizeof(d.groups));
   if (!core_dispatch_size(&d) || !core_workgroup_reserve(&group, &d)) {
      core_workgroup_free(group);
      return say(error, error_size, "no memory");
   }
   const uint64_t total = (uint64_t)d.groups[0] * d.groups[1] * d.groups[2];
   bool ok = true;
   for (uint64_t n = 0; n < total && ok; n++) {
      bool moved = false;
      if (m->cycles >= m->budget) {
         ok = over_budget(m, error, error_size);
         break;
      }
      m->cycles += GROUP_CYCLES;
      core_workgroup_begin(group, &d, n, 0);
      if (!core_workgroup_run(group, &d, &l, &moved)) {
         const unsigned first = (unsigned)__builtin_ctz(group->live);
         fail(&l, group, &group->wave[first], "waits for a group that does not run beside it");
      }
      ok = !l.failed;
      if (!ok && m->cycles > m->budget)
         over_budget(m, error, error_size);
   }
   core_workgroup_free(group);
   return ok;
}

bool
machine_run(struct machine *m, char *error, size_t error_size)
{
   struct core_dispatch size = { .block = { m->threads[0], m->threads[1], m->threads[2] } };

   if (!core_dispatch_size(&size))
      return say(error, error_size, "a group has 1 to 2048 threads");
   if (m->lds_bytes > CORE_LDS_BYTES)
      return say(error, error_size, "a group has at most 32768 bytes of LDS");
   m->cycles = 0;
   return runs[m->isa](m, error, error_size);
}
