/* SPDX-License-Identifier: MIT */
/*
 * The rows of the chips, and registers that five-slot chips have elsewhere: what they say of
 * samples is what Cayman's say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/device.h>

#include "cb/cb.h"
#include "chip/cayman/cayman.h"
#include "chip/chip.h"
#include "db/db.h"
#include "pa/pa.h"
#include "sc/sc.h"

static void
rows(void **state)
{
   (void)state;
   for (unsigned n = 0; n < CHIPS; n++) {
      const struct chip *c = &chips[n];
      uint32_t seen = 0;

      assert_int_equal(1u << (c->old ? c->tiling >> 1 & 7 : c->tiling & 15), c->pipes);
      assert_int_equal(c->tiling >> 4 & 15, c->num_banks - 1); /* log2 of banks, less two */
      assert_int_equal(c->tiling >> 8 & 15, 0);
      for (unsigned p = 0; p < 8; p++) {
         const unsigned backend =
            c->old ? c->backend_map >> 2 * p & 3 : c->backend_map >> 4 * p & 15;

         assert_true(backend < c->backends);
         seen |= 1u << backend;
      }
      assert_int_equal(seen, (1u << c->backends) - 1);
      assert_int_equal(c->five_slots, c->isa != ATOLL_ISA_CAYMAN);
      assert_int_equal(c->old, c->isa == ATOLL_ISA_R600 || c->isa == ATOLL_ISA_R700);
      assert_int_not_equal(c->five_slots, c->has_vm);
      for (unsigned m = 0; m < n; m++) {
         assert_int_not_equal(c->pci_id, chips[m].pci_id);
         assert_string_not_equal(c->name, chips[m].name);
         assert_string_not_equal(c->text, chips[m].text);
      }
   }
   assert_int_equal(CHIP_CAYMAN, 0);
   assert_int_equal(chips[CHIP_CAYMAN].tiling, 0x1023);
   assert_int_equal(chips[CHIP_CAYMAN].backend_map, 0x76543210);
   assert_int_equal(chips[CHIP_TURKS].tiling, 0x0022);
   assert_int_equal(chips[CHIP_TURKS].backend_map, 0x1100);
   assert_int_equal(chips[CHIP_RV770].tiling, 0x0016);
   assert_int_equal(chips[CHIP_RV770].backend_map, 0xfa50);
}

static struct regs four = { .chip = CHIP_CAYMAN }, five = { .chip = CHIP_TURKS };

/* Sample n of pixel p. */
static void
set_sample(unsigned log2, unsigned p, unsigned n, uint32_t xy)
{
   static const uint32_t first[4] = {
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0,
   };
   const uint32_t at = R_EVERGREEN_PA_SC_AA_SAMPLE_LOCS_0 + 4 * (log2 == 3 ? 2 * p + n / 4 : p);

   four.context[(first[p] + n / 4 * 4 - CAYMAN_CONTEXT_BASE) / 4] |= xy << n % 4 * 8;
   five.context[(at - CAYMAN_CONTEXT_BASE) / 4] |= xy << n % 4 * 8;
}

static void
samples(void **state)
{
   static struct sc_state want, got;
   static struct pa_state pa[2];

   (void)state;
   for (unsigned log2 = 1; log2 <= 3; log2++) {
      memset(four.context, 0, sizeof(four.context));
      memset(five.context, 0, sizeof(five.context));
      for (unsigned p = 0; p < 4; p++)
         for (unsigned n = 0; n < 1u << log2; n++)
            set_sample(log2, p, n, (0x35 + 31 * p + 57 * n) & 0xff);
      regs_write(&four, R_PA_SC_AA_CONFIG, log2);
      regs_write(&five, R_EVERGREEN_PA_SC_AA_CONFIG, log2);
      regs_write(&four, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0x00220011);
      regs_write(&four, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0x00ff0033);
      regs_write(&five, R_EVERGREEN_PA_SC_AA_MASK, 0xff332211);
      regs_write(&four, R_PA_SC_CENTROID_PRIORITY_0, 0x76543210);
      regs_write(&four, R_DB_EQAA, REG_FIELD(DB_EQAA, PS_ITER_SAMPLES, log2));
      regs_write(&four, R_PA_SC_LINE_CNTL, REG_FIELD(PA_SC_LINE_CNTL, EXPAND_LINE_WIDTH, 1));
      regs_write(&five, R_EVERGREEN_PA_SC_LINE_CNTL,
                 REG_FIELD(PA_SC_LINE_CNTL, EXPAND_LINE_WIDTH, 1));
      regs_write(&four, R_PA_SU_VTX_CNTL, REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, 1));
      regs_write(&five, R_EVERGREEN_PA_SU_VTX_CNTL, REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, 1));
      regs_write(&four, R_PA_CL_GB_HORZ_DISC_ADJ, 0x40000000);
      regs_write(&five, R_EVERGREEN_PA_CL_GB_HORZ_DISC_ADJ, 0x40000000);
      regs_write(&four, R_PA_CL_GB_VERT_DISC_ADJ, 0x40400000);
      regs_write(&five, R_EVERGREEN_PA_CL_GB_VERT_DISC_ADJ, 0x40400000);
      for (unsigned n = 0; n < 2; n++) {
         struct regs *r = n ? &five : &four;

         regs_write(r, R_PA_SC_MODE_CNTL_0, REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE, 1));
         regs_write(r, R_PA_SC_MODE_CNTL_1, REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, 1));
         cayman_decode_sc(n ? &got : &want, r, NULL, 0);
         cayman_decode_pa(&pa[n], r);
      }
      assert_int_equal(got.log2_samples, log2);
      assert_int_equal(got.log2_iter, log2);
      assert_true(got.msaa);
      assert_memory_equal(&want, &got, sizeof(want));
      assert_true(pa[1].line_expand && !pa[1].pixel_center_integer && pa[1].disc_x == 2);
      assert_memory_equal(&pa[0], &pa[1], sizeof(pa[0]));
   }
   regs_write(&five, R_PA_SC_MODE_CNTL_1, 0);
   cayman_decode_sc(&got, &five, NULL, 0);
   assert_int_equal(got.log2_iter, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(rows), cmocka_unit_test(samples) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
