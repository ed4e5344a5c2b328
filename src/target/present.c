/* SPDX-License-Identifier: MIT */
/*
 * Pictures to X windows, while the next one is drawn.
 *
 * Mesa's GLX waits until the X server has copied a picture, EGL attaches the memory anew for each,
 * and both ask for the window's size before the next.  Here the copy is asked for on the same
 * connection, so that it comes before whatever the program asks next, and waited for when the
 * picture's memory is needed again.  The size would be told only after the copy; instead the
 * Present extension's events say that it has changed, as they do to drivers of GPUs.  Where the
 * program has asked the server for anything since, which may have been another size, the answer is
 * waited for as ever; and always by a connection that is not the program's, where events may come
 * later than the program's own.
 *
 * A request by XCB may first have Xlib send its own, for which it waits for a thread that has
 * locked the display; that thread would wait for the sender.  So the display is locked here, too,
 * while requests are sent, though not while answers are waited for.
 *
 * A window that is gone is no error of the program's: XCB hands it to the caller.
 */
#include <pthread.h>
#include <stdlib.h>
#include <xcb/present.h>
#include <xcb/shm.h>

#include "dri/dri_drawable.h"
#include "dri/dri_screen.h"
#include "frontend/sw_winsys.h"
#include "frontend/winsys_handle.h"
#include "util/format/u_format.h"
#include "util/list.h"
#include "util/simple_mtx.h"

#include "present.h"
#include "windows.h"

/* A display target in shared memory. */
struct picture {
   struct list_head link;
   const struct sw_displaytarget *dt; /* NULL: gone, and to be detached */
   unsigned width, height, stride;    /* pixels, pixels, bytes */
   xcb_shm_seg_t segment;             /* 0: not attached */
   bool shown;                        /* these are waited for: */
   xcb_void_cookie_t put;
   xcb_get_input_focus_cookie_t answer; /* the server is through with what came before */
};

/* A window.  Its size, once known, is known until events come or `last` is not followed by our next
 * request. */
struct window {
   const struct dri_drawable *drawable; /* NULL: none */
   xcb_window_t id;
   xcb_special_event_t *events; /* NULL: it has none, and its size is asked for as ever */
   uint32_t event_id;
   unsigned last; /* request of ours */
   bool known;
};

enum { WINDOWS = 8 };

/* What belongs to one of Mesa's window systems, that is to a screen of one connection. */
struct shower {
   struct list_head link;
   struct sw_winsys *winsys;
   struct sw_winsys real; /* its functions */
   xcb_connection_t *xcb; /* once it has shown something */
   Display *display;      /* that has it, or NULL */
   bool refused;          /* the server cannot see this machine's memory */
   bool has_events;       /* the Present extension's, in order with the program's */
   struct list_head pictures;
   struct window windows[WINDOWS];
   unsigned next_window;
};

/* Of the lists, never held while X is asked: a program may draw to windows of one connection on
 * several threads, and have locked it. */
static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;
static struct list_head showers = { &showers, &showers };
static void (*ask_size)(struct dri_drawable *); /* the same for all drawables */

static void
before_fork(void)
{
   simple_mtx_lock(&lock);
}

static void
after_fork(void)
{
   simple_mtx_unlock(&lock);
}

/* A child has the lists whole, and the lock free. */
static void
watch(void)
{
   pthread_atfork(before_fork, after_fork, after_fork);
}

static void
lock_display(const struct shower *s)
{
   if (s->display)
      XLockDisplay(s->display);
}

static void
unlock_display(const struct shower *s)
{
   if (s->display)
      XUnlockDisplay(s->display);
}

static struct shower *
shower_of(const struct sw_winsys *winsys)
{
   list_for_each_entry(struct shower, s, &showers, link)
   {
      if (s->winsys == winsys)
         return s;
   }
   return NULL;
}

static struct picture *
picture_of(struct shower *s, const struct sw_displaytarget *dt)
{
   list_for_each_entry(struct picture, p, &s->pictures, link)
   {
      if (p->dt == dt)
         return p;
   }
   return NULL;
}

/* ---- Sizes ---- */

static void
forget_window(xcb_connection_t *xcb, const struct window *w)
{
   if (!w->events)
      return;
   const xcb_void_cookie_t end =
      xcb_present_select_input_checked(xcb, w->event_id, w->id, XCB_PRESENT_EVENT_MASK_NO_EVENT);
   xcb_discard_reply(xcb, end.sequence);
   xcb_unregister_for_special_event(xcb, w->events);
}

static bool
has_present(xcb_connection_t *xcb)
{
   const xcb_query_extension_reply_t *there = xcb_get_extension_data(xcb, &xcb_present_id);
   xcb_present_query_version_reply_t *version =
      there && there->present
         ? xcb_present_query_version_reply(xcb, xcb_present_query_version(xcb, 1, 0), NULL)
         : NULL;

   free(version);
   return version != NULL;
}

/* Whether the window has been configured, as the events say that have come. */
static bool
read_events(xcb_connection_t *xcb, xcb_special_event_t *events)
{
   bool configured = false;

   for (xcb_generic_event_t *e; (e = xcb_poll_for_special_event(xcb, events)); free(e)) {
      const xcb_present_generic_event_t *present = (const void *)e;

      configured |= present->evtype == XCB_PRESENT_CONFIGURE_NOTIFY;
   }
   return configured;
}

/* Out of the table: the thread that draws to it has it for itself.  False: it is not there. */
static bool
take_window(const struct dri_drawable *drawable, struct shower **of, struct window *w)
{
   bool found = false;

   simple_mtx_lock(&lock);
   list_for_each_entry(struct shower, s, &showers, link)
   {
      for (unsigned i = 0; i < WINDOWS && !found; i++)
         if (s->windows[i].drawable == drawable) {
            *of = s;
            *w = s->windows[i];
            s->windows[i] = (struct window){ 0 };
            found = true;
         }
   }
   simple_mtx_unlock(&lock);
   return found;
}

/* Back into it; if it is full, another one makes room. */
static void
put_window(struct shower *s, const struct window *w)
{
   unsigned slot = 0;

   simple_mtx_lock(&lock);
   while (slot < WINDOWS && s->windows[slot].drawable)
      slot++;
   if (slot == WINDOWS)
      slot = s->next_window++ % WINDOWS;
   const struct window other = s->windows[slot];
   s->windows[slot] = *w;
   simple_mtx_unlock(&lock);
   forget_window(s->xcb, &other);
}

/* Called instead of the drawable's own function. */
static void
update_size(struct dri_drawable *drawable)
{
   struct shower *s;
   struct window w;

   if (!take_window(drawable, &s, &w)) {
      ask_size(drawable);
      return;
   }
   if (!w.events) {
      lock_display(s);
      put_window(s, &w);
      unlock_display(s);
      ask_size(drawable);
      return;
   }
   lock_display(s);
   const xcb_get_geometry_cookie_t asked = xcb_get_geometry(s->xcb, w.id);
   w.known &= !read_events(s->xcb, w.events) && asked.sequence == w.last + 1;
   w.last = asked.sequence;
   if (w.known) {
      xcb_discard_reply(s->xcb, asked.sequence);
   } else {
      unlock_display(s);
      xcb_get_geometry_reply_t *reply = xcb_get_geometry_reply(s->xcb, asked, NULL);
      lock_display(s);

      w.known = reply != NULL;
      if (reply) {
         drawable->w = reply->width;
         drawable->h = reply->height;
      }
      free(reply);
   }
   put_window(s, &w);
   unlock_display(s);
}

/* Follows the drawable's size from now on, if its events can be had. */
static void
follow_window(struct shower *s, struct dri_drawable *drawable, xcb_window_t id, struct window *w)
{
   struct shower *of;
   const bool known = take_window(drawable, &of, w);
   const bool other = !known || of != s || w->id != id;

   if (other) {
      /* Another drawable had the same address before. */
      if (known)
         forget_window(of->xcb, w);
      *w = (struct window){ .drawable = drawable, .id = id };
      w->event_id = s->has_events ? xcb_generate_id(s->xcb) : 0;
      if (w->event_id)
         w->events = xcb_register_for_special_xge(s->xcb, &xcb_present_id, w->event_id, NULL);
   }
   /* Not only another window: another drawable of it may have the same address. */
   if (!w->events || (!other && drawable->update_drawable_info == update_size))
      return;
   xcb_generic_error_t *error = xcb_request_check(
      s->xcb, xcb_present_select_input_checked(s->xcb, w->event_id, id,
                                               XCB_PRESENT_EVENT_MASK_CONFIGURE_NOTIFY));
   if (error) {
      xcb_unregister_for_special_event(s->xcb, w->events);
      w->events = NULL;
      free(error);
      return;
   }
   w->known = false;
   if (drawable->update_drawable_info != update_size)
      ask_size = drawable->update_drawable_info;
   drawable->update_drawable_info = update_size;
}

/* ---- Pictures ---- */

/* Waits until the server is through with a picture. */
static void
finish_picture(xcb_connection_t *xcb, const struct picture *p)
{
   free(xcb_get_input_focus_reply(xcb, p->answer, NULL));
   /* This has come with the answer.  A window that is gone shows nothing. */
   free(xcb_request_check(xcb, p->put));
}

/* Those with a display target that is gone. */
static void
sweep_pictures(struct shower *s)
{
   struct list_head gone;

   list_inithead(&gone);
   simple_mtx_lock(&lock);
   list_for_each_entry_safe(struct picture, p, &s->pictures, link)
   {
      if (p->dt)
         continue;
      list_del(&p->link);
      list_add(&p->link, &gone);
   }
   simple_mtx_unlock(&lock);
   list_for_each_entry_safe(struct picture, p, &gone, link)
   {
      if (p->shown)
         finish_picture(s->xcb, p);
      xcb_shm_detach(s->xcb, p->segment);
      free(p);
   }
}

static bool
attach_picture(struct shower *s, struct picture *p, struct sw_displaytarget *dt)
{
   struct winsys_handle handle = { .type = WINSYS_HANDLE_TYPE_SHMID };

   if (p->segment)
      return true;
   if (!s->real.displaytarget_get_handle(s->winsys, dt, &handle))
      return false;
   const xcb_shm_seg_t segment = xcb_generate_id(s->xcb);
   /* As Mesa attaches it: the second cannot have it for writing if the first does not. */
   xcb_generic_error_t *error =
      xcb_request_check(s->xcb, xcb_shm_attach_checked(s->xcb, segment, handle.handle, 0));
   if (error) {
      free(error);
      s->refused = true;
      return false;
   }
   p->segment = segment;
   return true;
}

static bool
start(struct sw_winsys *winsys, struct sw_displaytarget *dt, void *private)
{
   struct dri_drawable *drawable = private;
   struct x_window to;
   struct window w;

   simple_mtx_lock(&lock);
   struct shower *s = shower_of(winsys);
   /* It is of the drawable that is presented, and stays. */
   struct picture *p = s && !s->refused ? picture_of(s, dt) : NULL;
   simple_mtx_unlock(&lock);
   if (!p || !x_window_of(drawable, &to))
      return false;
   if (!s->xcb) {
      s->has_events = to.programs_own && has_present(to.xcb);
      s->display = to.display;
      s->xcb = to.xcb;
   }
   lock_display(s);
   sweep_pictures(s);
   const bool attached = attach_picture(s, p, dt);
   if (attached) {
      follow_window(s, drawable, to.id, &w);
      p->put = xcb_shm_put_image_checked(s->xcb, to.id, to.gc, (uint16_t)(p->stride / 4),
                                         (uint16_t)p->height, 0, 0, (uint16_t)p->width,
                                         (uint16_t)p->height, 0, 0, to.depth,
                                         XCB_IMAGE_FORMAT_Z_PIXMAP, 0, p->segment, 0);
      p->answer = xcb_get_input_focus(s->xcb);
      p->shown = true;
      /* Somebody else's requests since the size was looked at count when it is looked at again. */
      w.known &= p->put.sequence == w.last + 1;
      w.last = p->answer.sequence;
      xcb_flush(s->xcb);
      put_window(s, &w);
   }
   unlock_display(s);
   return attached;
}

static void
wait(struct sw_winsys *winsys, struct sw_displaytarget *dt)
{
   simple_mtx_lock(&lock);
   struct shower *s = shower_of(winsys);
   struct picture *p = s ? picture_of(s, dt) : NULL;
   const struct picture shown = p && p->shown ? *p : (struct picture){ 0 };
   xcb_connection_t *xcb = s ? s->xcb : NULL;
   if (p)
      p->shown = false;
   simple_mtx_unlock(&lock);
   if (shown.shown)
      finish_picture(xcb, &shown);
}

const struct atoll_presenter present_to_x = { .start = start, .wait = wait };

/* ---- Mesa's window system ---- */

static struct sw_displaytarget *
displaytarget_create(struct sw_winsys *winsys, unsigned usage, enum pipe_format format,
                     unsigned width, unsigned height, unsigned alignment, const void *front_private,
                     unsigned *stride)
{
   simple_mtx_lock(&lock);
   struct shower *s = shower_of(winsys);
   simple_mtx_unlock(&lock);
   struct sw_displaytarget *dt = s->real.displaytarget_create(winsys, usage, format, width, height,
                                                              alignment, front_private, stride);
   struct picture *p = NULL;
   /* Requests have 16 bits for sizes. */
   if (dt && !front_private && util_format_get_blocksize(format) == 4 && width < 32768 &&
       height < 32768)
      p = calloc(1, sizeof(*p));
   if (p) {
      p->dt = dt;
      p->width = width;
      p->height = height;
      p->stride = *stride;
      simple_mtx_lock(&lock);
      list_add(&p->link, &s->pictures);
      simple_mtx_unlock(&lock);
   }
   return dt;
}

/* The connection may be closed by now: what the server has of it is given back with the next
 * picture, or with the connection. */
static void
displaytarget_destroy(struct sw_winsys *winsys, struct sw_displaytarget *dt)
{
   simple_mtx_lock(&lock);
   struct shower *s = shower_of(winsys);
   struct picture *p = picture_of(s, dt);
   if (p && p->segment) {
      p->dt = NULL;
   } else if (p) {
      list_del(&p->link);
      free(p);
   }
   simple_mtx_unlock(&lock);
   s->real.displaytarget_destroy(winsys, dt);
}

static void
destroy(struct sw_winsys *winsys)
{
   simple_mtx_lock(&lock);
   struct shower *s = shower_of(winsys);
   list_del(&s->link);
   simple_mtx_unlock(&lock);
   list_for_each_entry_safe(struct picture, p, &s->pictures, link) free(p);
   s->real.destroy(winsys);
   free(s);
}

void
present_wrap(struct sw_winsys *winsys)
{
   static pthread_once_t watched = PTHREAD_ONCE_INIT;
   struct shower *s = winsys ? calloc(1, sizeof(*s)) : NULL;

   if (!s)
      return;
   pthread_once(&watched, watch);
   s->winsys = winsys;
   s->real = *winsys;
   list_inithead(&s->pictures);
   winsys->displaytarget_create = displaytarget_create;
   winsys->displaytarget_destroy = displaytarget_destroy;
   winsys->destroy = destroy;
   simple_mtx_lock(&lock);
   list_add(&s->link, &showers);
   simple_mtx_unlock(&lock);
}
