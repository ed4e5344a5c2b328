/* SPDX-License-Identifier: MIT */
/*
 * R600 and R700: their registers and descriptors become Evergreen's, which the files of this folder
 * decode.
 *
 * A register is kept as it was written (struct regs, `own`).  One that Evergreen has as well is
 * written there at once; what has other fields is converted before a draw.  The lists are
 * in include/atoll/cayman/r600.def.
 */
#ifndef ATOLL_CHIP_CAYMAN_R600_H
#define ATOLL_CHIP_CAYMAN_R600_H

#include <stdbool.h>
#include <stdint.h>

struct regs;

/** Writes a context register as a stream has it. */
void r600_write_context(struct regs *r, uint32_t address, uint32_t value);

/** Writes a config register. */
void r600_write_config(struct regs *r, uint32_t address, uint32_t value);

/** Writes resource n of all, seven dwords.  False: no such resource. */
bool r600_write_resource(struct regs *r, uint32_t n, const uint32_t words[7]);

/** Writes sampler n, three dwords.  False: no such sampler. */
bool r600_write_sampler(struct regs *r, uint32_t n, const uint32_t words[3]);

/** Where Evergreen has the context register at an address: 0: nowhere, or with other fields. */
uint32_t r600_evergreen(uint32_t address);

/** Before a draw: converts what has changed. */
void r600_convert(struct regs *r);

/** What SPI loads before the pixel program (source_input(), bind/source.h), of registers as they
 *  are. */
void r600_inputs(const struct regs *r, uint32_t words[4]);

/** The same and what else lifting depends on, into a source's state. */
void r600_pixel_state(const struct regs *r, uint32_t *state);

#endif
