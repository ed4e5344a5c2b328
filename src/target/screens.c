/* SPDX-License-Identifier: MIT */
/*
 * What Mesa's pipe loader finds in this library: the screens it can create.
 *
 * The loader is built for a static target and refers by name to sw_screen_create_vk(), which makes
 * a screen for a program without a GPU node (X11 through drisw, surfaceless EGL), and to one
 * descriptor for each kernel driver it knows.  Both are Atoll: in process for the first, and
 * by the kernel driver name `radeon`, which the loader turns into `r600`, for a render node
 * that the shim provides.  There is no other rasteriser to fall back to: any other name fails, and
 * says so.
 */

#include <stdio.h>
#include <string.h>

#include "frontend/drm_driver.h"
#include "frontend/sw_driver.h"
#include "target-helpers/drm_helper_public.h"
#include "target-helpers/inline_debug_helper.h"
#include "target-helpers/sw_helper_public.h"
#include "util/os_misc.h"

#include "driver/atoll_public.h"

#include "present.h"

/* The screen for a program without a node.  GALLIUM_DRIVER may name this driver or nothing. */
struct pipe_screen *
sw_screen_create_vk(struct sw_winsys *winsys, const struct pipe_screen_config *config, bool sw_vk)
{
   const char *wanted = os_get_option("GALLIUM_DRIVER");

   if (sw_vk)
      return NULL;
   if (wanted && *wanted && strcmp(wanted, "atoll")) {
      fprintf(stderr,
              "atoll: GALLIUM_DRIVER=%s is not in this library, which holds 'atoll' alone\n",
              wanted);
      return NULL;
   }
   return atoll_screen_create_sw(winsys, &present_to_x, config);
}

static struct pipe_screen *
create_r600(int fd, const struct pipe_screen_config *config)
{
   struct pipe_screen *screen = atoll_screen_create_drm(fd, config);

   return screen ? debug_screen_wrap(screen) : NULL;
}

const struct drm_driver_descriptor r600_driver_descriptor = {
   .driver_name = "r600",
   .create_screen = create_r600,
};

/* A node of a kernel driver that is not ours: the program gets no screen, and hears why. */
static struct pipe_screen *
refuse(const char *name)
{
   fprintf(stderr, "atoll: a '%s' node needs a driver that is not in this library\n", name);
   return NULL;
}

#define REFUSED(driver)                                                                        \
   static struct pipe_screen *refuse_##driver(int fd, const struct pipe_screen_config *config) \
   {                                                                                           \
      return refuse(#driver);                                                                  \
   }                                                                                           \
   const struct drm_driver_descriptor driver##_driver_descriptor = {                           \
      .driver_name = #driver,                                                                  \
      .create_screen = refuse_##driver,                                                        \
   };

REFUSED(i915)
REFUSED(iris)
REFUSED(crocus)
REFUSED(nouveau)
REFUSED(r300)
REFUSED(radeonsi)
REFUSED(vmwgfx)
REFUSED(kgsl)
REFUSED(msm)
REFUSED(virtio_gpu)
REFUSED(v3d)
REFUSED(vc4)
REFUSED(panfrost)
REFUSED(panthor)
REFUSED(etnaviv)
REFUSED(tegra)
REFUSED(lima)
REFUSED(zink)
REFUSED(kmsro)
