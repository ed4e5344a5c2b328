/* SPDX-License-Identifier: MIT */
/*
 * Command streams that draw, by a mutator that knows what they are made of: a draw that is right
 * (cayman_draw.h), and records that change it and draw again.
 *
 * What must hold: each submission ends, no other client's memory is written or read, a client that
 * draws what is right has its picture afterwards, and nothing goes wrong that a sanitizer sees.
 */
#include "cayman_draw.h"
#include "records.h"

#define MAX_RECORDS 192u
#define MAX_WORDS   3900u /* of a struct ib; a record adds fewer than 40 */

enum {
   SET_FIELD,      /* `index` of the registers' fields becomes the value, the others stay */
   SET_CONTEXT,    /* a whole register */
   SET_CONFIG,     /* one of the config range */
   SET_DESCRIPTOR, /* field `index` of a resource or a sampler; `sub` says which slot */
   SET_WORD,       /* a dword of memory */
   SET_PROGRAM,    /* a dword of the two programs */
   SET_LARGE,      /* targets and scissors of up to 16384 x 16384 */
   SET_STAGES,     /* which stages there are, all with programs that are there */
   DRAW_AUTO,      /* `value` vertices; few, but for one time in four */
   DRAW_LIST,      /* with indices */
   DRAW_INDIRECT,  /* with arguments from memory */
   DISPATCH,       /* the vertex program, as a compute program */
   EVENT,          /* `index`, with an address */
   COPY,           /* CP_DMA */
   RAW,            /* a packet of the list with `sub` dwords of the value */
   SUBMIT,
   KINDS,
};

struct field {
   uint32_t at; /* a register's address; of descriptors the dword */
   uint8_t lsb, width;
};

static const struct field fields[] = {
#define FIELD(reg, field, lsb, width) { R_##reg, lsb, width },
#include <atoll/cayman/registers.def>
};

static const uint32_t registers[] = {
#define REG(name, address)                     address,
#define REGARRAY(name, address, stride, count) address, (address) + (stride) * ((count)-1),
#include <atoll/cayman/registers.def>
};

/* The names end with the dword's number; those of samplers are other packets. */
static const struct {
   const char *word;
   uint8_t lsb, width;
} descriptors[] = {
#define FIELD(word, field, lsb, width) { #word, lsb, width },
#include <atoll/cayman/descriptors.def>
};

static const uint8_t opcodes[] = {
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) opcode,
#include <atoll/cayman/packets.def>
};

/* What the packets before have set. */
static struct {
   uint32_t context[(CAYMAN_CONTEXT_END - CAYMAN_CONTEXT_BASE) / 4];
   uint32_t resource[16][8], sampler[8][3];
} now;

static bool
is_context(uint32_t reg)
{
   return reg >= CAYMAN_CONTEXT_BASE && reg < CAYMAN_CONTEXT_END;
}

static void
set_context(struct ib *ib, uint32_t reg, uint32_t value)
{
   if (!is_context(reg))
      return;
   now.context[(reg - CAYMAN_CONTEXT_BASE) / 4] = value;
   context(ib, reg, value);
}

/* Follows the state that the right draw set. */
static void
note_state(const struct ib *ib)
{
   memset(&now, 0, sizeof(now));
   for (uint32_t n = 0; n < ib->count; n += 1 + pm4_payload(ib->words[n]))
      if (pm4_op(ib->words[n]) == PM4_SET_CONTEXT_REG)
         now.context[ib->words[n + 1]] = ib->words[n + 2];
   draw_descriptors(now.resource[0], now.resource[8]);
}

/* `value` in the field, and the word's other bits. */
static uint32_t
with_field(uint32_t word, unsigned lsb, unsigned width, uint32_t value)
{
   const uint32_t mask = CAYMAN_WIDTH_MASK(width) << lsb;

   return (word & ~mask) | (value << lsb & mask);
}

static void
set_descriptor(struct ib *ib, struct fuzz_record r)
{
   const unsigned n = r.index % (sizeof(descriptors) / sizeof(descriptors[0]));
   const char *name = descriptors[n].word;
   const unsigned word = (unsigned)(name[strlen(name) - 1] - '0');
   const unsigned lsb = descriptors[n].lsb, width = descriptors[n].width;

   if (name[0] == 'S') {
      uint32_t *sampler = now.sampler[r.sub % 8];

      sampler[word] = with_field(sampler[word], lsb, width, r.value);
      IB_ADD(ib, PM4_SET_SAMPLER, r.sub % 8 * CAYMAN_SAMPLER_DWORDS, sampler[0], sampler[1],
             sampler[2]);
   } else {
      /* Pixel's slots, then vertices'. */
      const unsigned slot = r.sub % 16;
      uint32_t *resource = now.resource[slot];

      resource[word] = with_field(resource[word], lsb, width, r.value);
      draw_resource(ib, slot < 8 ? CAYMAN_RESOURCE_PS + slot : CAYMAN_RESOURCE_VS + slot - 8,
                    resource);
   }
}

/* Targets that are larger than what is mapped: what lies beyond reads zero, and is not written. */
static void
set_large(struct ib *ib, struct fuzz_record r)
{
   const uint32_t side = r.sub & 1 ? 16384 : 1 + r.value % 16384, pitch = (side + 7) & ~7u;
   const uint32_t target = R_CB_COLOR0_BASE + (r.index & 1) * 0x3c;
   const uint32_t br = side << 16 | side;

   set_context(ib, R_PA_SC_SCREEN_SCISSOR_BR, br);
   set_context(ib, R_PA_SC_WINDOW_SCISSOR_BR, br);
   set_context(ib, R_PA_SC_GENERIC_SCISSOR_BR, br);
   set_context(ib, R_PA_SC_VPORT_SCISSOR_0_BR, br);
   set_context(ib, target + R_CB_COLOR0_PITCH - R_CB_COLOR0_BASE, pitch / 8 - 1);
   set_context(ib, target + R_CB_COLOR0_SLICE - R_CB_COLOR0_BASE,
               (uint32_t)((uint64_t)pitch * side / 64 - 1));
   for (uint32_t reg = R_PA_CL_VPORT_XSCALE_0; r.sub & 2 && reg < R_PA_CL_VPORT_ZSCALE_0;
        reg += 4) {
      const float half = (float)side / 2;
      uint32_t bits;

      memcpy(&bits, &half, sizeof(bits));
      set_context(ib, reg, bits);
   }
}

static void
set_stages(struct ib *ib, struct fuzz_record r)
{
   static const uint32_t starts[] = { R_SQ_PGM_START_LS, R_SQ_PGM_START_HS, R_SQ_PGM_START_ES,
                                      R_SQ_PGM_START_GS };

   for (unsigned n = 0; n < 4; n++)
      set_context(ib, starts[n],
                  (uint32_t)(VA_BASE + (r.sub >> n & 1 ? DRAW_PS_AT : DRAW_VS_AT)) >> 8);
   set_context(ib, R_VGT_SHADER_STAGES_EN, r.value);
   set_context(ib, R_VGT_GS_MODE, r.index & 3);
   set_context(ib, R_VGT_GS_MAX_VERT_OUT, r.index >> 2 & 63);
   set_context(ib, R_VGT_LS_HS_CONFIG, (uint32_t)r.index * 0x101);
}

static uint32_t
address(struct fuzz_record r)
{
   return r.sub & 128 ? r.value : (uint32_t)VA_BASE + (r.value % DOOR_BYTES & ~3u);
}

static void
add_packet(struct ib *ib, struct fuzz_record r)
{
   const unsigned opcode = opcodes[r.index % sizeof(opcodes)], count = 1 + r.sub % 12;

   if (opcode == PM4_WAIT_REG_MEM)
      return; /* takes real time */
   ib->words[ib->count++] = pm4_header((enum pm4_opcode)opcode, count, r.sub >> 7) |
                            (r.sub >> 6 & 1 ? PM4_COMPUTE_BIT : 0);
   for (unsigned n = 0; n < count; n++)
      ib->words[ib->count++] = n == 1 ? r.value & 0xff : r.value >> (n & 3);
}

static void
dispatch(struct ib *ib, struct fuzz_record r)
{
   const uint32_t first = ib->count;

   program(ib, R_SQ_PGM_START_LS, R_SQ_PGM_RESOURCES_LS, DRAW_VS_AT);
   context(ib, R_SPI_COMPUTE_NUM_THREAD_X, r.index & 255);
   context(ib, R_SPI_COMPUTE_NUM_THREAD_X + 4, r.index >> 8 & 15);
   context(ib, R_SPI_COMPUTE_NUM_THREAD_X + 8, 1);
   context(ib, R_SQ_LDS_ALLOC, r.sub);
   IB_ADD(ib, PM4_DISPATCH_DIRECT, r.value & 0xffff, 1 + (r.value >> 16), 1, 1);
   for (uint32_t n = first; n < ib->count; n += 1 + pm4_payload(ib->words[n]))
      ib->words[n] |= PM4_COMPUTE_BIT;
}

static void
act(struct cayman_draw *d, struct fuzz_record r)
{
   struct ib *ib = &d->ib;
   const uint32_t at = address(r);

   switch (r.kind % KINDS) {
   case SET_FIELD: {
      const struct field *f = &fields[r.index % (sizeof(fields) / sizeof(fields[0]))];

      if (is_context(f->at))
         set_context(
            ib, f->at,
            with_field(now.context[(f->at - CAYMAN_CONTEXT_BASE) / 4], f->lsb, f->width, r.value));
      else
         config(ib, f->at, r.value << f->lsb);
      break;
   }
   case SET_CONTEXT:
      set_context(ib, registers[r.index % (sizeof(registers) / sizeof(registers[0]))], r.value);
      break;
   case SET_CONFIG:
      config(ib, r.sub & 1 ? R_VGT_PRIMITIVE_TYPE : CAYMAN_CONFIG_BASE + r.index % 0x2c00 / 4 * 4,
             r.value);
      break;
   case SET_DESCRIPTOR:
      set_descriptor(ib, r);
      break;
   case SET_WORD:
      d->door.mem[r.index % (DOOR_BYTES / 4)] = r.value;
      break;
   case SET_PROGRAM:
      d->door.mem[(r.index & 1 ? DRAW_PS_AT : DRAW_VS_AT) / 4 + r.sub % 64] = r.value;
      break;
   case SET_LARGE:
      set_large(ib, r);
      break;
   case SET_STAGES:
      set_stages(ib, r);
      break;
   case DRAW_AUTO:
      IB_ADD(ib, PM4_NUM_INSTANCES, r.sub & 4 ? r.index : 1);
      IB_ADD(ib, PM4_DRAW_INDEX_AUTO, r.sub & 3 ? r.value % 64 : r.value, DI_SRC_SEL_AUTO_INDEX);
      break;
   case DRAW_LIST:
      IB_ADD(ib, PM4_INDEX_TYPE, r.index & 3);
      IB_ADD(ib, PM4_DRAW_INDEX, at, r.sub & 64 ? r.sub : 0, r.sub & 3 ? r.index % 64 : r.value,
             DI_SRC_SEL_DMA);
      break;
   case DRAW_INDIRECT:
      IB_ADD(ib, PM4_SET_BASE, 1, (uint32_t)VA_BASE + DRAW_ARGS_AT, 0);
      for (unsigned n = 0; n < 5; n++)
         d->door.mem[DRAW_ARGS_AT / 4 + n] = r.sub >> n & 1 ? r.value : r.index % 64;
      if (r.sub & 32)
         IB_ADD(ib, PM4_DRAW_INDIRECT, 0, DI_SRC_SEL_AUTO_INDEX);
      else
         IB_ADD(ib, PM4_DRAW_INDEX_INDIRECT, 0, DI_SRC_SEL_DMA);
      break;
   case DISPATCH:
      dispatch(ib, r);
      break;
   case EVENT:
      IB_ADD(ib, PM4_EVENT_WRITE, pm4_event((enum cayman_event)(r.index & 63), r.sub & 7), at & ~7u,
             0);
      break;
   case COPY:
      IB_ADD(ib, PM4_CP_DMA, at, (uint32_t)(r.sub & 3) << 29, (uint32_t)VA_BASE + r.index, 0,
             r.value & 0x1fffff);
      break;
   case RAW:
      add_packet(ib, r);
      break;
   default:
      draw_submit(d);
   }
}

/* The right draw by a client of its own: each pixel is the first of draw_memory()'s texels. */
static FUZZ_UNSEEN void
check_right(void)
{
   static struct cayman_draw d;

   if (!d.door.c)
      d.door = door_begin();
   draw_memory(&d);
   draw_state(&d);
   IB_ADD(&d.ib, PM4_DRAW_INDEX_AUTO, 6, DI_SRC_SEL_AUTO_INDEX);
   draw_submit(&d);
   for (uint32_t i = 0; i < DRAW_SIDE * DRAW_SIDE; i++) {
      uint32_t texel = 0;
      float pixel[4];

      memcpy(pixel, d.door.mem + DRAW_COLOR_AT / 4 + 4 * i, sizeof(pixel));
      for (unsigned c = 0; c < 4; c++) {
         FUZZ_CHECK(pixel[c] >= 0 && pixel[c] <= 1);
         texel |= (uint32_t)(pixel[c] * 255 + 0.5f) << 8 * c;
      }
      FUZZ_CHECK(texel == 0xff030507);
   }
}

FUZZ_ENTRY(draws)
{
   if (size > MAX_RECORDS * 8)
      return 0;
   struct cayman_draw *d = draw_begin();
   draw_memory(d);
   draw_state(d);
   note_state(&d->ib);
   for (size_t n = 0; n < size / 8; n++) {
      if (d->ib.count > MAX_WORDS)
         draw_submit(d);
      act(d, fuzz_record(data, n));
   }
   IB_ADD(&d->ib, PM4_DRAW_INDEX_AUTO, 6, DI_SRC_SEL_AUTO_INDEX);
   draw_submit(d);
   draw_end(d);
   check_right();
   return 0;
}

FUZZ_RECORDS(KINDS)
