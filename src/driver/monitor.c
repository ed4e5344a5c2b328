/* SPDX-License-Identifier: MIT */
/*
 * The device's counters by name, as performance monitors and Gallium's HUD list them.  The device
 * counts exactly, so a counter is nothing but a query of OpenGL's under another number.
 */
#include "screen.h"

#include "pipe/p_defines.h"
#include "util/macros.h"

#include "context.h"

enum group {
   GROUP_GEOMETRY,
   GROUP_SHADERS,
   GROUP_PIXELS,
   GROUPS,
};

static const char *const group_names[GROUPS] = {
   [GROUP_GEOMETRY] = "Geometry",
   [GROUP_SHADERS] = "Shader invocations",
   [GROUP_PIXELS] = "Pixels",
};

static const struct {
   const char *name;
   enum group group;
   unsigned type, index; /* of the query */
} counters[] = {
   { "Vertices read", GROUP_GEOMETRY, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_IA_VERTICES },
   { "Primitives read", GROUP_GEOMETRY, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_IA_PRIMITIVES },
   { "Geometry shader primitives", GROUP_GEOMETRY, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_GS_PRIMITIVES },
   { "Primitives to clip", GROUP_GEOMETRY, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_C_INVOCATIONS },
   { "Primitives after clipping", GROUP_GEOMETRY, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_C_PRIMITIVES },
   { "Primitives captured", GROUP_GEOMETRY, PIPE_QUERY_PRIMITIVES_EMITTED, 0 },
   { "Vertex shader", GROUP_SHADERS, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_VS_INVOCATIONS },
   { "Control shader", GROUP_SHADERS, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_HS_INVOCATIONS },
   { "Evaluation shader", GROUP_SHADERS, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_DS_INVOCATIONS },
   { "Geometry shader", GROUP_SHADERS, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_GS_INVOCATIONS },
   { "Pixel shader", GROUP_SHADERS, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_PS_INVOCATIONS },
   { "Compute shader", GROUP_SHADERS, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
     PIPE_STAT_QUERY_CS_INVOCATIONS },
   { "Samples passed", GROUP_PIXELS, PIPE_QUERY_OCCLUSION_COUNTER, 0 },
};

void
atoll_resolve_query(unsigned *type, unsigned *index)
{
   if (*type < PIPE_QUERY_DRIVER_SPECIFIC ||
       *type - PIPE_QUERY_DRIVER_SPECIFIC >= ARRAY_SIZE(counters))
      return;
   const unsigned n = *type - PIPE_QUERY_DRIVER_SPECIFIC;
   *type = counters[n].type;
   *index = counters[n].index;
}

static int
get_info(struct pipe_screen *screen, unsigned index, struct pipe_driver_query_info *info)
{
   if (!info)
      return ARRAY_SIZE(counters);
   if (index >= ARRAY_SIZE(counters))
      return 0;
   *info = (struct pipe_driver_query_info){
      .name = counters[index].name,
      .query_type = PIPE_QUERY_DRIVER_SPECIFIC + index,
      .max_value.u64 = UINT64_MAX,
      .type = PIPE_DRIVER_QUERY_TYPE_UINT64,
      .result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_CUMULATIVE,
      .group_id = counters[index].group,
   };
   return 1;
}

static int
get_group_info(struct pipe_screen *screen, unsigned index,
               struct pipe_driver_query_group_info *info)
{
   if (!info)
      return GROUPS;
   if (index >= GROUPS)
      return 0;
   unsigned count = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(counters); i++)
      count += counters[i].group == index;
   *info = (struct pipe_driver_query_group_info){
      .name = group_names[index],
      .max_active_queries = count,
      .num_queries = count,
   };
   return 1;
}

void
atoll_init_screen_monitor(struct atoll_screen *screen)
{
   screen->base.get_driver_query_info = get_info;
   screen->base.get_driver_query_group_info = get_group_info;
}
