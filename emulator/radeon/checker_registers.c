/* SPDX-License-Identifier: MIT */
/* What the kernel's checker thinks of each register. */
#include "radeon/checker_internal.h"

#include <pthread.h>
#include <stdbool.h>

#include <atoll/cayman/r600.h>

#include "chip/chip.h"

struct span {
   uint32_t first, last;
};

/*
 * What streams may write unchecked: the kernel's lists for Cayman and for Evergreen
 * (radeon/reg_srcs/cayman, evergreen), and what later kernels let pass: the list for virtual memory
 * has WAIT_UNTIL, CP_STRMOUT_CNTL and CP_COHER_*, stock r600 writes the sizes of filled streamout
 * buffers, and on five-slot chips SQ_STATIC_THREAD_MGMT_* and SQ_LDS_RESOURCE_MGMT.
 */
static const struct span free_spans[] = {
   { 0x0802C, 0x0802C }, { 0x08040, 0x08040 }, { 0x084FC, 0x084FC }, { 0x085F0, 0x085F4 },
   { 0x088B0, 0x088B0 }, { 0x088C4, 0x088C4 }, { 0x088D4, 0x088D4 }, { 0x08958, 0x08974 },
   { 0x08990, 0x089B0 }, { 0x08A14, 0x08A14 }, { 0x08A60, 0x08A60 }, { 0x08B10, 0x08B10 },
   { 0x08BF0, 0x08BF0 }, { 0x08C00, 0x08C04 }, { 0x08C10, 0x08C14 }, { 0x08D8C, 0x08D8C },
   { 0x08D94, 0x08D94 }, { 0x08DF8, 0x08DF8 }, { 0x08E20, 0x08E28 }, { 0x08E48, 0x08E48 },
   { 0x09100, 0x09100 }, { 0x0913C, 0x0913C }, { 0x09508, 0x09508 }, { 0x09830, 0x0983C },
   { 0x09854, 0x09854 }, { 0x0A400, 0x0A474 }, { 0x28000, 0x28004 }, { 0x2800C, 0x28010 },
   { 0x28028, 0x28034 }, { 0x2805C, 0x2805C }, { 0x28140, 0x28234 }, { 0x28240, 0x28244 },
   { 0x28250, 0x28354 }, { 0x2835C, 0x2835C }, { 0x28380, 0x28420 }, { 0x28430, 0x286F8 },
   { 0x28780, 0x2879C }, { 0x287CC, 0x287E0 }, { 0x28808, 0x2882C }, { 0x28844, 0x2884C },
   { 0x28860, 0x28864 }, { 0x28878, 0x2887C }, { 0x28890, 0x28894 }, { 0x288A8, 0x288A8 },
   { 0x288BC, 0x288C0 }, { 0x288D4, 0x288D8 }, { 0x288E8, 0x288F0 }, { 0x28A00, 0x28A40 },
   { 0x28A48, 0x28A5C }, { 0x28A6C, 0x28A6C }, { 0x28A84, 0x28A84 }, { 0x28A94, 0x28A94 },
   { 0x28AA0, 0x28AA4 }, { 0x28AB4, 0x28AB8 }, { 0x28AC0, 0x28AC8 }, { 0x28B28, 0x28B30 },
   { 0x28B38, 0x28B38 }, { 0x28B54, 0x28B58 }, { 0x28B6C, 0x28B90 }, { 0x28C00, 0x28C00 },
   { 0x28C08, 0x28C3C }, { 0x28F80, 0x28FFC },
};
static const struct span cayman_spans[] = {
   { 0x286FC, 0x28708 }, { 0x28720, 0x28724 }, { 0x28A70, 0x28A70 }, { 0x28AA8, 0x28AA8 },
   { 0x28BD4, 0x28BDC }, { 0x28BE4, 0x28BFC }, { 0x28C04, 0x28C04 },
};
static const struct span five_slot_spans[] = {
   { 0x08044, 0x0804C }, { 0x08C08, 0x08C0C }, { 0x08C18, 0x08C28 }, { 0x08E2C, 0x08E2C },
   { 0x09700, 0x09700 }, { 0x09714, 0x09714 }, { 0x28838, 0x28838 }, { 0x28B5C, 0x28B68 },
};

/* What they may write and the kernel looks at. */
static const struct span tracked_spans[] = {
   { R_DB_DEPTH_CONTROL, R_DB_DEPTH_CONTROL },
   { 0x2803C, 0x2803C }, /* DB_DEPTH_INFO */
   { R_DB_Z_INFO, R_DB_STENCIL_INFO },
   { R_DB_DEPTH_VIEW, R_DB_DEPTH_VIEW },
   { R_DB_DEPTH_SIZE, R_DB_DEPTH_SIZE },
   { R_DB_HTILE_SURFACE, R_DB_HTILE_SURFACE },
   { R_VGT_STRMOUT_CONFIG, R_VGT_STRMOUT_BUFFER_CONFIG },
   { R_CB_TARGET_MASK, R_CB_SHADER_MASK }, /* CB_SHADER_MASK */
   /* Ring and item sizes. */
   { R_SQ_ESGS_RING_SIZE, R_SQ_ESGS_RING_SIZE },
   { R_SQ_GSVS_RING_SIZE, R_SQ_GSVS_RING_SIZE },
   { R_SQ_ESTMP_RING_SIZE, R_SQ_ESTMP_RING_SIZE },
   { R_SQ_GSTMP_RING_SIZE, R_SQ_GSTMP_RING_SIZE },
   { R_SQ_VSTMP_RING_SIZE, R_SQ_VSTMP_RING_SIZE },
   { R_SQ_PSTMP_RING_SIZE, R_SQ_PSTMP_RING_SIZE },
   { R_SQ_LSTMP_RING_SIZE, R_SQ_LSTMP_RING_SIZE },
   { R_SQ_HSTMP_RING_SIZE, R_SQ_HSTMP_RING_SIZE },
   { 0x08988, 0x08988 },
   { R_SQ_ESGS_RING_ITEMSIZE, 0x2893C },
   { R_SQ_LSTMP_RING_ITEMSIZE, R_SQ_DYN_GPR_RESOURCE_LIMIT_1 },
};

static const struct span cayman_tracked[] = {
   { R_DB_EQAA, R_DB_EQAA },
   { R_PA_SC_AA_CONFIG, R_PA_SC_AA_CONFIG },
};
static const struct span five_slot_tracked[] = {
   { R_EVERGREEN_PA_SC_AA_CONFIG, R_EVERGREEN_PA_SC_AA_CONFIG },
};

/* The same of the arrays, each member. */
#define TRACKED_ARRAYS(A)       \
   A(VGT_STRMOUT_BUFFER_SIZE_0) \
   A(VGT_STRMOUT_VTX_STRIDE_0)  \
   A(CB_COLOR0_PITCH)           \
   A(CB_COLOR0_SLICE)           \
   A(CB_COLOR0_VIEW)            \
   A(CB_COLOR0_INFO)            \
   A(CB_COLOR0_DIM)             \
   A(CB_COLOR0_CMASK_SLICE)     \
   A(CB_COLOR0_FMASK_SLICE)     \
   A(CB_COLOR0_CLEAR_WORD0)     \
   A(CB_COLOR0_CLEAR_WORD1)     \
   A(CB_COLOR0_CLEAR_WORD2)     \
   A(CB_COLOR0_CLEAR_WORD3)     \
   A(CB_COLOR8_PITCH)           \
   A(CB_COLOR8_SLICE)           \
   A(CB_COLOR8_VIEW)            \
   A(CB_COLOR8_INFO)            \
   A(CB_COLOR8_DIM)

#define ADDRESSES(R)         \
   R(SQ_ESGS_RING_BASE)      \
   R(SQ_GSVS_RING_BASE)      \
   R(SQ_ESTMP_RING_BASE)     \
   R(SQ_GSTMP_RING_BASE)     \
   R(SQ_VSTMP_RING_BASE)     \
   R(SQ_PSTMP_RING_BASE)     \
   R(SQ_LSTMP_RING_BASE)     \
   R(SQ_HSTMP_RING_BASE)     \
   R(SX_SCATTER_EXPORT_BASE) \
   R(CP_COHER_BASE)          \
   R(SQ_PGM_START_PS)        \
   R(SQ_PGM_START_VS)        \
   R(SQ_PGM_START_GS)        \
   R(SQ_PGM_START_ES)        \
   R(SQ_PGM_START_FS)        \
   R(SQ_PGM_START_HS)        \
   R(SQ_PGM_START_LS)        \
   R(DB_HTILE_DATA_BASE)     \
   R(DB_Z_READ_BASE)         \
   R(DB_STENCIL_READ_BASE)   \
   R(DB_Z_WRITE_BASE)        \
   R(DB_STENCIL_WRITE_BASE)

#define ADDRESS_ARRAYS(A)       \
   A(ALU_CONST_CACHE_PS_0)      \
   A(ALU_CONST_CACHE_VS_0)      \
   A(ALU_CONST_CACHE_GS_0)      \
   A(ALU_CONST_CACHE_HS_0)      \
   A(ALU_CONST_CACHE_LS_0)      \
   A(VGT_STRMOUT_BUFFER_BASE_0) \
   A(CB_IMMED0_BASE)            \
   A(CB_COLOR0_BASE)            \
   A(CB_COLOR0_CMASK)           \
   A(CB_COLOR0_FMASK)           \
   A(CB_COLOR8_BASE)

/* R600's and R700's config registers that drivers write, and registers that hold addresses, or may.
 * The context registers are those of include/atoll/cayman/r600.def. */
static const struct span old_config[] = {
   { 0x08040, 0x08040 }, { 0x08490, 0x08490 }, { 0x085F0, 0x085F4 }, { 0x088C4, 0x088D4 },
   { 0x088E8, 0x088E8 }, { 0x08958, 0x08974 }, { 0x08A14, 0x08A14 }, { 0x08B40, 0x08B4C },
   { 0x08C00, 0x08C14 }, { 0x08C44, 0x08C44 }, { 0x08C4C, 0x08C4C }, { 0x08C54, 0x08C54 },
   { 0x08C5C, 0x08C5C }, { 0x08C64, 0x08C64 }, { 0x08C6C, 0x08C6C }, { 0x08D8C, 0x08D8C },
   { 0x09508, 0x09508 }, { 0x09714, 0x09714 }, { 0x09830, 0x0983C }, { 0x0A400, 0x0A51C },
   { 0x0A600, 0x0A71C }, { 0x0A800, 0x0A91C },
};
static const struct span old_context[] = {
#define R600_KEPT(first, last)                      { first, last },
#define R600_MOVED(name, address, count)            { address, (address) + 4 * ((count)-1) },
#define R600_REG(name, address)                     { address, address },
#define R600_REGARRAY(name, address, stride, count) { address, (address) + (stride) * ((count)-1) },
#include <atoll/cayman/r600.def>
};
static const struct span old_addresses[] = {
   { 0x08C40, 0x08C40 }, /* SQ_ESGS_RING_BASE, and the other rings' */
   { 0x08C48, 0x08C48 }, { 0x08C50, 0x08C50 }, { 0x08C58, 0x08C58 },
   { 0x08C60, 0x08C60 }, { 0x08C68, 0x08C68 }, { 0x2800C, 0x2800C }, /* DB_DEPTH_BASE */
   { 0x28014, 0x28014 },                                             /* DB_HTILE_DATA_BASE */
   { 0x28040, 0x2805C },                                             /* CB_COLORn_BASE */
   { 0x28840, 0x28840 }, /* SQ_PGM_START_PS, _VS, _GS, _ES, _FS */
   { 0x28858, 0x28858 }, { 0x2886C, 0x2886C }, { 0x28880, 0x28880 },
   { 0x28894, 0x28894 }, { 0x28940, 0x289FC }, /* ALU_CONST_CACHE */
   { 0x28AD8, 0x28AD8 },                       /* VGT_STRMOUT_BUFFER_BASE_n */
   { 0x28AE8, 0x28AE8 }, { 0x28AF8, 0x28AF8 }, { 0x28B08, 0x28B08 },
};
static const struct span old_relocations[] = {
   { 0x28010, 0x28010 }, /* DB_DEPTH_INFO */
   { 0x280A0, 0x280BC }, /* CB_COLORn_INFO */
   { 0x280C0, 0x280FC }, /* CB_COLORn_TILE, _FRAG */
};

/* Of Cayman, of five-slot chips, and of R600 and R700. */
static struct classes {
   uint8_t config[(CAYMAN_CONFIG_END - CAYMAN_CONFIG_BASE) / 4];
   uint8_t context[CONTEXT_REGISTERS];
} classes[3];
static pthread_once_t classified = PTHREAD_ONCE_INIT;

static void
classify(struct classes *c, uint32_t first, uint32_t stride, uint32_t count, uint8_t class)
{
   for (uint32_t i = 0; i < count; i++) {
      uint32_t address = first + i * stride;

      if (address >= CAYMAN_CONTEXT_BASE)
         c->context[(address - CAYMAN_CONTEXT_BASE) / 4] = class;
      else
         c->config[(address - CAYMAN_CONFIG_BASE) / 4] = class;
   }
}

static void
classify_spans(struct classes *c, const struct span *spans, size_t count, uint8_t class)
{
   for (size_t i = 0; i < count; i++)
      classify(c, spans[i].first, 4, (spans[i].last - spans[i].first) / 4 + 1, class);
}

#define SPANS_OF(c, span, class) classify_spans(c, &(span), 1, class)
#define SPANS(c, spans, class)   classify_spans(c, spans, sizeof(spans) / sizeof(*(spans)), class)

static void
classify_chip(struct classes *c, bool five_slots)
{
   SPANS(c, free_spans, FREE);
   SPANS(c, tracked_spans, TRACKED);
   if (five_slots) {
      SPANS(c, five_slot_spans, FREE);
      SPANS(c, five_slot_tracked, TRACKED);
   } else {
      SPANS(c, cayman_spans, FREE);
      SPANS(c, cayman_tracked, TRACKED);
   }
#define TRACKED_ARRAY(name) classify(c, R_##name, name##__STRIDE, name##__COUNT, TRACKED);
   TRACKED_ARRAYS(TRACKED_ARRAY)
#define ADDRESS_REGISTER(name) classify(c, R_##name, 4, 1, ADDRESS);
   ADDRESSES(ADDRESS_REGISTER)
#define ADDRESS_ARRAY(name) classify(c, R_##name, name##__STRIDE, name##__COUNT, ADDRESS);
   ADDRESS_ARRAYS(ADDRESS_ARRAY)
   classify(c, R_CB_COLOR0_ATTRIB, CB_COLOR0_ATTRIB__STRIDE, CB_COLOR0_ATTRIB__COUNT, RELOCATION);
   classify(c, R_CB_COLOR8_ATTRIB, CB_COLOR8_ATTRIB__STRIDE, CB_COLOR8_ATTRIB__COUNT, RELOCATION);
}

static void
classify_old(struct classes *c)
{
   for (size_t i = 0; i < sizeof(old_context) / sizeof(*old_context); i++)
      SPANS_OF(c, old_context[i], FREE);
   SPANS(c, old_config, FREE);
   for (size_t i = 0; i < sizeof(old_addresses) / sizeof(*old_addresses); i++)
      SPANS_OF(c, old_addresses[i], ADDRESS);
   for (size_t i = 0; i < sizeof(old_relocations) / sizeof(*old_relocations); i++)
      SPANS_OF(c, old_relocations[i], RELOCATION);
}

bool
checker_holds_tiling(uint32_t address)
{
   return address == R_R600_DB_DEPTH_INFO ||
          (address >= R_R600_CB_COLOR0_INFO && address < R_R600_CB_COLOR0_TILE);
}

static void
classify_all(void)
{
   classify_chip(&classes[false], false);
   classify_chip(&classes[true], true);
   classify_old(&classes[2]);
}

enum checker_class
checker_register_class(const struct chip *chip, uint32_t address)
{
   const struct classes *c = &classes[chip->old ? 2 : chip->five_slots];

   pthread_once(&classified, classify_all);
   if (address >= CAYMAN_CONTEXT_BASE && address < CAYMAN_CONTEXT_END)
      return c->context[(address - CAYMAN_CONTEXT_BASE) / 4];
   if (address >= CAYMAN_CONFIG_BASE && address < CAYMAN_CONFIG_END)
      return c->config[(address - CAYMAN_CONFIG_BASE) / 4];
   return FORBIDDEN;
}
