/* SPDX-License-Identifier: MIT */
/*
 * VGT: the fixed-function tessellator.  Turns the tessellation factors of one patch into points of
 * the domain and the primitives between them, by the rules of Direct3D 11 (functional
 * specification, section 12), which OpenGL 4.0 admits: 16.16 fixed point, so that equal factors
 * give equal bits on every host, and an edge shared by two patches gets the same points from both.
 *
 * Pure: the result depends on the configuration and the factors alone.  Total: any bit pattern is
 * a factor.  A patch with an outer factor that is NaN, zero or negative is culled; all others are
 * clamped to what the partitioning allows (an inner NaN counts as the lower bound).
 *
 * A patch has at most TESS_MAX_POINTS points and TESS_MAX_PRIMS primitives; tess_batch_next() cuts
 * the primitives into batches of a bounded number of distinct points, in the order of generation.
 */
#ifndef ATOLL_VGT_TESSELLATOR_H
#define ATOLL_VGT_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

#define TESS_MAX_POINTS (65 * 65)
#define TESS_MAX_PRIMS  (64 * 64 * 2)

enum tess_domain {
   TESS_DOMAIN_ISOLINE,
   TESS_DOMAIN_TRIANGLE,
   TESS_DOMAIN_QUAD,
   TESS_DOMAINS,
};

enum tess_partitioning {
   TESS_INTEGER,
   TESS_POW2, /* the shader has rounded; here as TESS_INTEGER */
   TESS_FRACTIONAL_ODD,
   TESS_FRACTIONAL_EVEN,
};

enum tess_topology {
   TESS_OUT_POINT,
   TESS_OUT_LINE, /* of isolines; on the others, all points joined in their order */
   TESS_OUT_TRIANGLE_CW,
   TESS_OUT_TRIANGLE_CCW,
   TESS_TOPOLOGIES,
};

struct tess_config {
   uint8_t domain;       /* enum tess_domain; a larger value culls */
   uint8_t partitioning; /* enum tess_partitioning; the low two bits count */
   uint8_t topology;     /* enum tess_topology; isolines give lines for the triangles */
};

struct tess_factors {
   /* Isoline: density (number of lines), detail (segments of a line).
    * Triangle: edges u = 0, v = 0, w = 0.  Quad: edges u = 0, v = 0, u = 1, v = 1. */
   float outer[4];
   /* Triangle: one.  Quad: along u, along v. */
   float inner[2];
};

/* The points and primitives of one patch.  86 KB: a worker keeps one.  Zero it before first use. */
struct tess_patch {
   uint32_t num_points;
   uint32_t num_prims;
   uint32_t verts_per_prim; /* 1, 2 or 3 */
   float u[TESS_MAX_POINTS], v[TESS_MAX_POINTS];
   uint16_t index[TESS_MAX_PRIMS * 3]; /* num_prims x verts_per_prim; unused for points */

   /* What it was made from, to make it only once. */
   bool valid;
   struct tess_config config;
   struct tess_factors factors;
};

/* Tessellates.  Culled patches have no points.  Does nothing when the patch already holds the
 * result for equal factors. */
void tess_run(struct tess_patch *patch, const struct tess_config *config,
              const struct tess_factors *factors);

/* What a TF ring record holds for the domain: dwords (isoline 2, triangle 4, quad 6), of which the
 * first ones are the outer factors (2, 3, 4).  Isoline records start with the detail:
 * tess_unpack() puts every factor where struct tess_factors wants it. */
unsigned tess_factor_dwords(unsigned domain);
void tess_unpack(struct tess_factors *factors, unsigned domain, const uint32_t *record);

#define TESS_BATCH_POINTS 256
#define TESS_BATCH_PRIMS  512

/* A run of a patch's primitives with its own numbering of points. */
struct tess_batch {
   uint32_t num_points, num_prims;
   uint16_t point[TESS_BATCH_POINTS];    /* number in the patch; u[point[i]], v[point[i]] */
   uint16_t index[TESS_BATCH_PRIMS * 3]; /* into point[] */
   uint32_t first_prim;                  /* the batch's first primitive within the patch */
};

struct tess_cursor {
   uint32_t next_prim;
   uint32_t stamp;                 /* of the current batch; see mark */
   uint32_t mark[TESS_MAX_POINTS]; /* stamp << 16 | local number */
};

/* Starts at the patch's first primitive. */
void tess_cursor_start(struct tess_cursor *cursor);

/* The next batch: at most max_points distinct points (3 .. TESS_BATCH_POINTS) and max_prims
 * primitives (1 .. TESS_BATCH_PRIMS).  False when there is none. */
bool tess_batch_next(struct tess_cursor *cursor, const struct tess_patch *patch,
                     unsigned max_points, unsigned max_prims, struct tess_batch *batch);

#endif
