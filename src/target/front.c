/* SPDX-License-Identifier: MIT */
/*
 * What a window shows, read for its front buffer.
 *
 * Mesa's GLX asks Xlib for it; Xlib's error handler ends the program where the X server has nothing
 * to give: of a window that is not shown, that lies beyond the screen, or that is gone.  Here XCB
 * asks, which hands an error to the caller, and the front buffer stays what it was.  Mesa's EGL
 * does so itself.  Mesa is linked as it is: the linker sends the making of its window system here
 * (--wrap).
 */
#include <stdlib.h>
#include <string.h>
#include <X11/Xlib-xcb.h>

#include "dri/dri_drawable.h"
#include "dri/dri_screen.h"
#include "frontend/drisw_api.h"
#include "glxclient.h"
#include "drisw_priv.h"
#include "util/macros.h"
#include "util/simple_mtx.h"

#include "present.h"
#include "windows.h"

struct sw_winsys *__real_dri_create_sw_winsys(const struct drisw_loader_funcs *funcs);
struct sw_winsys *__wrap_dri_create_sw_winsys(const struct drisw_loader_funcs *funcs);

/* As much of the rectangle as the window has, into rows of STRIDE bytes. */
static void
get_image(struct dri_drawable *drawable, int x, int y, unsigned width, unsigned height,
          unsigned stride, void *data)
{
   const __DRIswrastLoaderExtension *loader = drawable->screen->swrast_loader;
   if (!made_by_glx(drawable)) {
      loader->getImage2(drawable, x, y, width, height, stride, data, drawable->loaderPrivate);
      return;
   }
   const struct drisw_drawable *glx = drawable->loaderPrivate;
   xcb_connection_t *xcb = XGetXCBConnection(glx->base.psc->dpy);
   xcb_drawable_t id = glx->base.xDrawable;
   xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(xcb, xcb_get_geometry(xcb, id), NULL);
   if (!size)
      return;
   int right = MIN2(x + (int)width, size->width), bottom = MIN2(y + (int)height, size->height);
   free(size);
   if (x >= right || y >= bottom)
      return;
   xcb_get_image_reply_t *image = xcb_get_image_reply(
      xcb,
      xcb_get_image(xcb, XCB_IMAGE_FORMAT_Z_PIXMAP, id, x, y, right - x, bottom - y, UINT32_MAX),
      NULL);
   if (!image)
      return;
   unsigned row = xcb_get_image_data_length(image) / (bottom - y);
   for (int i = 0; i < bottom - y; i++)
      memcpy((char *)data + (size_t)i * stride, xcb_get_image_data(image) + (size_t)i * row,
             MIN2(row, stride));
   free(image);
}

struct sw_winsys *
__wrap_dri_create_sw_winsys(const struct drisw_loader_funcs *funcs)
{
   /* Mesa has a table with shared memory, and one without: a copy of each, the same for all. */
   static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;
   static struct drisw_loader_funcs copies[2];
   struct drisw_loader_funcs *copy = &copies[funcs->put_image_shm != NULL];
   simple_mtx_lock(&lock);
   if (!copy->get_image) {
      *copy = *funcs;
      copy->get_image = get_image;
   }
   simple_mtx_unlock(&lock);
   struct sw_winsys *winsys = __real_dri_create_sw_winsys(copy);
   if (copy->put_image_shm)
      present_wrap(winsys);
   return winsys;
}
