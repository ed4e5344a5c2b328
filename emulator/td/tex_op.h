/* SPDX-License-Identifier: MIT */
/* TEX_INST, HD 6900 ISA 9.4: what a texture instruction does (td_tex_desc.op). */
#ifndef ATOLL_TD_TEX_OP_H
#define ATOLL_TD_TEX_OP_H

enum td_tex_op {
   TD_LD = 3,
   TD_GET_RESINFO = 4,
   TD_GET_SAMPLES = 5,
   TD_GET_LOD = 6,
   TD_SAMPLE = 16,
   TD_SAMPLE_L = 17,
   TD_SAMPLE_LB = 18,
   TD_SAMPLE_LZ = 19,
   TD_SAMPLE_G = 20,
   TD_GATHER4 = 21,
   TD_SAMPLE_G_LB = 22,
   TD_GATHER4_O = 23,
   TD_SAMPLE_C = 24,
   TD_SAMPLE_C_L = 25,
   TD_SAMPLE_C_LB = 26,
   TD_SAMPLE_C_LZ = 27,
   TD_SAMPLE_C_G = 28,
   TD_GATHER4_C = 29,
   TD_SAMPLE_C_G_LB = 30,
   TD_GATHER4_C_O = 31,
};

#endif
