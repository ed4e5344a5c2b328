/* SPDX-License-Identifier: MIT */
/*
 * The X window of a drawable, as Mesa's loaders keep it: GLX's, and EGL's (windows_egl.c; the two
 * loaders' headers do not go together).
 */
#include <dlfcn.h>
#include <string.h>
#include <X11/Xlib-xcb.h>

#include "dri/dri_drawable.h"
#include "dri/dri_screen.h"
#include "glxclient.h"
#include "drisw_priv.h"

#include "windows.h"
#include "windows_egl.h"

static bool
made_by(const struct dri_drawable *drawable, const char *library)
{
   Dl_info info;
   return dladdr((void *)drawable->screen->swrast_loader->getImage, &info) && info.dli_fname &&
          strstr(info.dli_fname, library);
}

bool
made_by_glx(const struct dri_drawable *drawable)
{
   return made_by(drawable, "libGLX_mesa.so");
}

bool
x_window_of(const struct dri_drawable *drawable, struct x_window *window)
{
   if (!made_by_glx(drawable))
      return made_by(drawable, "libEGL_mesa.so") && egl_window_of(drawable, window);
   const struct drisw_drawable *glx = drawable->loaderPrivate;
   *window = (struct x_window){
      .xcb = XGetXCBConnection(glx->base.psc->dpy),
      .display = glx->base.psc->dpy,
      .id = (xcb_drawable_t)glx->base.xDrawable,
      .gc = (xcb_gcontext_t)XGContextFromGC(glx->gc),
      .depth = (uint8_t)glx->xDepth,
      .programs_own = true,
   };
   return true;
}
