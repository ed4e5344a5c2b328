/* SPDX-License-Identifier: MIT */
/*
 * The X window of a drawable of EGL.
 */
#include "dri/dri_drawable.h"
#include "drivers/dri2/egl_dri2.h"

#include "windows_egl.h"

bool
egl_window_of(const struct dri_drawable *drawable, struct x_window *window)
{
   const struct dri2_egl_surface *surface = drawable->loaderPrivate;
   const _EGLDisplay *display = surface->base.Resource.Display;

   if (display->Platform != _EGL_PLATFORM_X11 || surface->base.Type != EGL_WINDOW_BIT)
      return false;
   *window = (struct x_window){
      .xcb = dri2_egl_display(display)->conn,
      .display = display->PlatformDisplay,
      .id = surface->drawable,
      .gc = surface->swapgc,
      .depth = (uint8_t)surface->depth,
      .programs_own = display->PlatformDisplay != NULL,
   };
   return window->xcb != NULL;
}
