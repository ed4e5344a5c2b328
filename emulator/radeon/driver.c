/* SPDX-License-Identifier: MIT */
/*
 * The radeon driver as the front door sees it: the GPU is made, its ioctls are told
 * apart, and submissions go to the engine of their ring.
 */
#include "radeon/radeon.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>
#include <radeon_drm.h>

#include <atoll/capture.h>
#include <atoll/cayman/pm4.h>
#include <atoll/device.h>

#include "bind/binder.h"
#include "chip/chip.h"
#include "cp/cp.h"
#include "dma/dma.h"
#include "memory/pool.h"
#include "options.h"
#include "pass/next_draw.h"
#include "pass/pass.h"
#include "pass/probe.h"
#include "radeon/chip.h"
#include "radeon/remote.h"
#include "sanitize/sanitize.h"

uint64_t
radeon_ticks(const struct atoll_device *device)
{
   const uint64_t ns = device_ns(device);

   /* In two steps: the product of all of it would overflow after a week. */
   return ns / 1000000 * CHIP_CLOCK_KHZ + ns % 1000000 * CHIP_CLOCK_KHZ / 1000000;
}

/* Cayman's shader cores are what ATOLL_ISA says; those of other chips are what they are. */
static bool
may_have(const struct chip *chip, uint32_t isa)
{
   static const bool stock[ATOLL_ISAS] = {
#define ISA(NAME, name)
#define FAMILY_ISA(NAME, name) [ATOLL_ISA_##NAME] = true,
#define STOCK_ISA              FAMILY_ISA
#include <atoll/isas.def>
   };

   return chip->isa == ATOLL_ISA_CAYMAN ? !stock[isa] : isa == chip->isa;
}

/* ATOLL_ISA, or the chip's own. */
static uint32_t
choose_isa(void)
{
   static const char *const names[] = {
#define ISA(NAME, name) [ATOLL_ISA_##NAME] = #name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
   };
   const struct chip *chip = &chips[chip_choose()];
   const char *word = getenv("ATOLL_ISA");

   if (!word || !*word)
      return chip->isa;
   for (uint32_t n = 0; n < ATOLL_ISAS; n++)
      if (!strcmp(word, names[n]) && may_have(chip, n))
         return n;
   fprintf(stderr, "atoll: ATOLL_ISA=%s: the device has ", word);
   for (uint32_t n = 0, before = 0; n < ATOLL_ISAS; n++)
      if (may_have(chip, n))
         fprintf(stderr, "%s%s", before++ ? ", " : "", names[n]);
   fprintf(stderr, "; it is %s\n", names[chip->isa]);
   return chip->isa;
}

/* For the sanitizer's reports. */
static bool
pixel_of(const struct core_wave *wave, unsigned lane, int32_t at[2])
{
   struct probe_pixel pixel;

   if (!probe_pixel(wave, lane, &pixel))
      return false;
   at[0] = pixel.x;
   at[1] = pixel.y;
   return true;
}

static int
start(struct atoll_device *device)
{
   struct radeon *radeon = calloc(1, sizeof(*radeon));
   struct sanitizer *sanitizer = radeon ? sanitizer_from_environment(pixel_of) : NULL;
   /* What it finds must not depend on how many threads there are. */
   const unsigned reserve = sanitizer ? 0 : options_reserve();
   const struct gfx_options options = {
      .kernels = kernels_choose(),
      .binder = binder_of(device->isa),
      .threads = sanitizer ? 1 : options_threads() + reserve,
      .reserve = reserve,
      .times = getenv("ATOLL_TIMES"),
      .relaxed_order = options_word("ATOLL_ORDER", "relaxed"),
      .report = report_text,
      .report_data = device->report,
   };

   device->gpu = radeon;
   if (!radeon)
      return ENOMEM;
   radeon->chip = &chips[chip_choose()];
   radeon->has_vm = radeon->chip->has_vm;
   radeon->sanitizer = sanitizer;
   radeon->trace = options_debug("cs");
   radeon->strict = options_flag("ATOLL_STRICT");
   /* The clock of a capture must be one that a replay has, too. */
   radeon->device_clock = options_word("ATOLL_CLOCK", "device") || device->capture;
   pthread_mutex_init(&radeon->guilt_lock, NULL);
   options_budget(&radeon->budget);
   /* It takes several times as long, and that is no fault of a submission's. */
   if (sanitizer && !radeon->budget.set)
      radeon->budget.host_ns = radeon->budget.wall_ns = radeon->budget.patient_ns = 0;
   radeon->gfx = gfx_create(&options);
   if (radeon->gfx && sanitizer)
      gfx_set_observer(radeon->gfx, sanitizer_observer(sanitizer));
   return radeon->gfx ? 0 : ENOMEM;
}

static void
stop(struct atoll_device *device)
{
   struct radeon *radeon = radeon_of(device);

   gfx_destroy(radeon->gfx);
   radeon->gfx = NULL;
   sanitizer_destroy(radeon->sanitizer);
   radeon->sanitizer = NULL;
}

static void *
open_context(void)
{
   return cp_create(chip_choose());
}

static void
close_context(void *context)
{
   cp_destroy(context);
}

static int
radeon_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   switch (nr) {
   case DRM_RADEON_INFO:
      return radeon_info_ioctl(client, arg);
   case DRM_RADEON_CS:
      return radeon_submit_ioctl(client, arg);
   default:
      return radeon_gem_ioctl(client, nr, arg);
   }
}

static void
abandon(struct atoll_device *device)
{
   gfx_abandon(radeon_of(device)->gfx);
}

static uint64_t
clock_of(void *data)
{
   const struct atoll_device *device = data;
   const struct radeon *radeon = radeon_of(device);

   return radeon->device_clock ? gfx_counters(radeon->gfx)->cycles : radeon_ticks(device);
}

/* A line on standard error, at most one in a second. */
static void
say_cut(struct radeon *radeon, const struct job *job, const char *cut)
{
   const char *set = getenv("ATOLL_BUDGET");
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
   if (radeon->said == now.tv_sec)
      return;
   radeon->said = now.tv_sec;
   if (strstr(cut, NO_MEMORY)) {
      fprintf(stderr, "atoll: submission %llu is not complete, which is a reset: %s\n",
              (unsigned long long)job->seq, cut);
      return;
   }
   fprintf(stderr,
           "atoll: submission %llu was ended, which is a reset: %s.  ATOLL_BUDGET (%s%s) says what "
           "one may take\n",
           (unsigned long long)job->seq, cut, radeon->budget.set ? "now " : "not set",
           radeon->budget.set && set ? set : "");
}

/* What a probe asks at packets: what changed since the last began is that one's.  And what the
 * sanitizer hears of them: where there are memory barriers. */
struct probed {
   struct radeon *radeon;
   struct probe *probe;
   const struct vm *vm;
   uint32_t at, header; /* of the packet that runs; header 0: none yet */
};

static void
hear(const struct probed *p, const uint32_t *words)
{
   uint32_t submission, number;

   if (!words || pm4_op(*words) != PM4_NOP || pm4_payload(*words) < 2 ||
       words[1] != ATOLL_NOTE_ORDER)
      return;
   number = gfx_next_draw(p->radeon->gfx, &submission);
   sanitizer_order(p->radeon->sanitizer, submission, number, words[2]);
}

static void
probe_packet(void *data, uint32_t at, const uint32_t *words)
{
   struct probed *p = data;

   if (p->radeon->sanitizer)
      hear(p, words);
   if (!p->probe)
      return;
   if (p->header)
      probe_memory(p->probe, p->vm, PROBE_PACKET, p->at, p->header);
   p->at = at;
   p->header = words ? *words : 0;
   if (p->probe->packet && words)
      p->probe->packet(p->probe->data, p->probe->submission, at, words);
}

static void
execute(struct atoll_device *device, const struct job *job)
{
   struct radeon *radeon = radeon_of(device);
   struct atoll_client *client = job->client;
   struct probed probed = { .radeon = radeon, .probe = gfx_probe(radeon->gfx), .vm = client->vm };
   const struct cp_env env = {
      .gfx = radeon->gfx,
      .vm = client->vm,
      .report = device->report,
      .client = client->id,
      .seq = job->seq,
      .trace = radeon->trace,
      .ticks = clock_of,
      .ticks_data = device,
      .packet = probed.probe || radeon->sanitizer ? probe_packet : NULL,
      .packet_data = &probed,
   };
   const uint64_t faults = gfx_counters(radeon->gfx)->faults;

   const struct options_budget *budget = &radeon->budget;
   const bool patient = job->patient && budget->patient_ns;

   gfx_begin(radeon->gfx, &(struct gfx_limits){
                             .cycles = budget->cycles,
                             .host_ns = patient ? 0 : budget->host_ns,
                             .wall_ns = patient ? budget->patient_ns : budget->wall_ns,
                          });
   if (probed.probe)
      probe_memory(probed.probe, client->vm, PROBE_CPU, 0, 0);
   if (job->ring == RADEON_CS_RING_DMA)
      dma_execute(&env, job->words, job->num_words);
   else
      cp_execute(client->context, &env, job->words, job->num_words);
   if (probed.probe && job->ring == RADEON_CS_RING_DMA)
      probe_memory(probed.probe, client->vm, PROBE_DMA, 0, 0);
   gfx_end(radeon->gfx);
   if (gfx_counters(radeon->gfx)->faults == faults || gfx_was_abandoned(radeon->gfx))
      return;

   const char *cut = gfx_was_cut(radeon->gfx);

   radeon_blame(radeon, job, cut);
   if (cut)
      say_cut(radeon, job, cut);
}

static unsigned
counted(const struct atoll_device *device, uint64_t *counters)
{
   const struct gfx_counters *c = gfx_counters(radeon_of(device)->gfx);

   memcpy(counters, c, sizeof(*c));
   return sizeof(*c) / sizeof(*counters);
}
_Static_assert(sizeof(struct gfx_counters) / sizeof(uint64_t) <= ATOLL_CAPTURE_COUNTERS_MAX,
               "a capture has room for them");

static const struct frontdoor_driver drivers[CHIPS] = {
#define CHIP(NAME, chip_name, text, ...)           \
   [CHIP_##NAME] = {                               \
      .name = CHIP_DRIVER,                         \
      .date = "20080528",                          \
      .description = "Atoll's " text,              \
      .major = 2,                                  \
      .minor = 50,                                 \
      .patch = 0,                                  \
      .memory = CHIP_VRAM_BYTES + CHIP_GART_BYTES, \
      .va_start = CHIP_VA_START,                   \
      .import_domain = RADEON_GEM_DOMAIN_GTT,      \
      .start = start,                              \
      .stop = stop,                                \
      .open = open_context,                        \
      .close = close_context,                      \
      .ioctl = radeon_ioctl,                       \
      .abandon = abandon,                          \
      .remote = &radeon_remote,                    \
      .execute = execute,                          \
      .counted = counted,                          \
   },
#include <atoll/chips.def>
};

/* Here, above the front door: making the device chooses the GPU. */
struct atoll_device *
radeon_device(const struct device_setup *setup)
{
   return device_get(&drivers[chip_choose()], choose_isa, setup);
}

struct atoll_device *
atoll_device_get(void)
{
   return radeon_device(NULL);
}
