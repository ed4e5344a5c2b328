/* SPDX-License-Identifier: MIT */
/*
 * Random access targets of a program's own table, and of colour slots: what cayman_decode_rats()
 * makes of hand-made entries, also of RATs above 15, in a table that is cut short or not one at
 * all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "memory/vm.h"
#include "chip/cayman/cayman.h"
#include "port/rat.h"

#define BYTES   0x100000u
#define TABLE   0x2000u
#define DATA    0x10000u /* of RAT n: 256 bytes from DATA + 256 * n */
#define RETURNS 0x40000u

/* The address space, from 0; what follows it is not mapped. */
static uint8_t memory[BYTES] __attribute__((aligned(4096)));
static struct regs regs;
static struct rat rats[RATS];

uint64_t
vm_extent(const struct vm *vm, uint64_t va, uint64_t want)
{
   if (va >= BYTES)
      return 0;
   return want < BYTES - va ? want : BYTES - va;
}

void *
vm_pointer(const struct vm *vm, uint64_t va)
{
   return memory + va;
}

static const uint32_t buffer_of_dwords =
   REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) | REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UINT) |
   REG_FIELD(CB_COLOR0_INFO, RAT, 1) | REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_BUFFER);

static void
write_entry(unsigned n, uint32_t base, uint32_t info, uint32_t dim, uint32_t immed)
{
   const uint32_t words[8] = { base >> 8, 0, 0, 0, info, 0, dim, immed >> 8 };

   memcpy(memory + TABLE + n * sizeof(words), words, sizeof(words));
}

/* RAT n: a buffer of n + 1 dwords. */
static int
setup(void **state)
{
   memset(memory, 0, sizeof(memory));
   memset(&regs, 0, sizeof(regs));
   for (unsigned n = 0; n < RATS; n++)
      write_entry(n, DATA + 256 * n, buffer_of_dwords, n, 0);
   return 0;
}

static void
decode(uint64_t mask, uint32_t bytes)
{
   const uint32_t table[8] = {
      TABLE, bytes - 1, 0, 0, 0, 0, 0, REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER),
   };

   cayman_decode_rats(rats, mask, table, &regs, NULL);
}

static void
assert_empty(unsigned n)
{
   assert_null(rats[n].base);
   assert_int_equal(rats[n].range.size, 0);
}

static void
all_of_a_table(void **state)
{
   decode((UINT64_C(1) << RATS) - 1, RATS * 32);
   for (unsigned n = 0; n < RATS; n++) {
      assert_ptr_equal(rats[n].base, memory + DATA + 256 * n);
      assert_int_equal(rats[n].bytes, 4);
      assert_int_equal(rats[n].width, n + 1);
      assert_int_equal(rats[n].height, 1);
      assert_int_equal(rats[n].layers, 1);
      assert_int_equal(rats[n].range.va, DATA + 256 * n);
      assert_int_equal(rats[n].range.size, 4 * (n + 1));
      assert_null(rats[n].returns);
   }
}

static void
those_of_the_mask(void **state)
{
   const uint64_t mask = UINT64_C(1) << 3 | UINT64_C(1) << 16 | UINT64_C(1) << 47;

   decode(mask, RATS * 32);
   for (unsigned n = 0; n < RATS; n++)
      if (mask >> n & 1)
         assert_int_equal(rats[n].width, n + 1);
      else
         assert_empty(n);
}

/* An entry is there wholly or not at all. */
static void
a_table_that_is_cut(void **state)
{
   decode(~UINT64_C(0), 20 * 32);
   assert_int_equal(rats[19].width, 20);
   for (unsigned n = 20; n < RATS; n++)
      assert_empty(n);
   decode(~UINT64_C(0), 20 * 32 - 1);
   assert_int_equal(rats[18].width, 19);
   assert_empty(19);
}

static void
no_table(void **state)
{
   static const uint32_t nothing[8];
   const uint32_t unmapped[8] = {
      BYTES, RATS * 32 - 1, 0, 0, 0, 0, 0, REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER),
   };

   cayman_decode_rats(rats, ~UINT64_C(0), nothing, &regs, NULL);
   for (unsigned n = 0; n < RATS; n++)
      assert_empty(n);
   cayman_decode_rats(rats, ~UINT64_C(0), unmapped, &regs, NULL);
   for (unsigned n = 0; n < RATS; n++)
      assert_empty(n);
}

/* Entries that are no RATs, have no format, or name memory that is not there. */
static void
odd_entries(void **state)
{
   write_entry(16, DATA, buffer_of_dwords & ~REG_FIELD_MASK(CB_COLOR0_INFO, RAT), 7, 0);
   write_entry(17, DATA, buffer_of_dwords & ~REG_FIELD_MASK(CB_COLOR0_INFO, FORMAT), 7, 0);
   write_entry(18, BYTES - 256, buffer_of_dwords, 0xffffffff, 0);
   write_entry(19, BYTES, buffer_of_dwords, 7, 0);
   write_entry(20, DATA, buffer_of_dwords, 7, RETURNS);
   write_entry(21, DATA, buffer_of_dwords, 7, BYTES - 256);
   decode(~UINT64_C(0), RATS * 32);
   assert_empty(16);
   assert_empty(17);
   assert_int_equal(rats[18].width, 64); /* dwords to the end of memory */
   assert_int_equal(rats[18].range.size, 256);
   assert_empty(19);
   assert_ptr_equal(rats[20].returns, memory + RETURNS);
   assert_int_equal(rats[20].return_bytes, 4 * 32768); /* a dword for each lane in flight */
   assert_int_equal(rats[20].return_range.va, RETURNS);
   assert_int_equal(rats[21].return_bytes, 256);
   assert_int_equal(rats[22].width, 23);
}

/* Layers 2 and 3 of a surface of 24 x 10 RGBA8 texels, with a pitch of 32. */
static void
a_surface(void **state)
{
   const uint32_t words[8] = {
      DATA >> 8,
      REG_FIELD(CB_COLOR0_PITCH, PITCH_TILE_MAX, 32 / 8 - 1),
      REG_FIELD(CB_COLOR0_SLICE, SLICE_TILE_MAX, 32 * 16 / 64 - 1),
      REG_FIELD(CB_COLOR0_VIEW, SLICE_START, 2) | REG_FIELD(CB_COLOR0_VIEW, SLICE_MAX, 3),
      REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
         REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED) |
         REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
         REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_TEXTURE2D),
      0,
      REG_FIELD(CB_COLOR0_DIM, WIDTH_MAX, 24 - 1) | REG_FIELD(CB_COLOR0_DIM, HEIGHT_MAX, 10 - 1),
      0,
   };

   memcpy(memory + TABLE + 33 * sizeof(words), words, sizeof(words));
   decode(UINT64_C(1) << 33, RATS * 32);
   assert_int_equal(rats[33].width, 24);
   assert_int_equal(rats[33].height, 10);
   assert_int_equal(rats[33].layers, 2);
   assert_int_equal(rats[33].row_bytes, 32 * 4);
   assert_int_equal(rats[33].slice_bytes, 32 * 16 * 4);
   assert_ptr_equal(rats[33].base, memory + DATA + 2 * 32 * 16 * 4);
   assert_int_equal(rats[33].bytes, 4);
   assert_int_equal(rats[33].channel[3].shift, 24);
}

/* Colour slots end at 11, whatever the mask says. */
static void
colour_slots(void **state)
{
   const struct {
      uint32_t base, info, dim;
   } slot[2] = {
      { R_CB_COLOR0_BASE + 7 * CB_COLOR0_BASE__STRIDE,
        R_CB_COLOR0_INFO + 7 * CB_COLOR0_BASE__STRIDE,
        R_CB_COLOR0_DIM + 7 * CB_COLOR0_BASE__STRIDE },
      { REG_AT(CB_COLOR8_BASE, 3), REG_AT(CB_COLOR8_INFO, 3), REG_AT(CB_COLOR8_DIM, 3) },
   };

   for (unsigned i = 0; i < 2; i++) {
      regs.context[(slot[i].base - CAYMAN_CONTEXT_BASE) / 4] = (DATA + 256 * i) >> 8;
      regs.context[(slot[i].info - CAYMAN_CONTEXT_BASE) / 4] = buffer_of_dwords;
      regs.context[(slot[i].dim - CAYMAN_CONTEXT_BASE) / 4] = 9 + i;
   }
   cayman_decode_rats(rats, ~UINT64_C(0), NULL, &regs, NULL);
   for (unsigned n = 0; n < RATS; n++)
      if (n != 7 && n != 11)
         assert_empty(n);
   assert_ptr_equal(rats[7].base, memory + DATA);
   assert_int_equal(rats[7].width, 10);
   assert_ptr_equal(rats[11].base, memory + DATA + 256);
   assert_int_equal(rats[11].width, 11);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(all_of_a_table, setup),
      cmocka_unit_test_setup(those_of_the_mask, setup),
      cmocka_unit_test_setup(a_table_that_is_cut, setup),
      cmocka_unit_test_setup(no_table, setup),
      cmocka_unit_test_setup(odd_entries, setup),
      cmocka_unit_test_setup(a_surface, setup),
      cmocka_unit_test_setup(colour_slots, setup),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
