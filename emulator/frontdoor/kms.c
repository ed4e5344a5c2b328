/* SPDX-License-Identifier: MIT */
/*
 * The screen; see kms.h.
 *
 * What the kernel calls legacy: one plane, one CRTC, one encoder and one connector, a mode that is
 * set with a framebuffer, and flips to another.  A flip shows at once and is told of at the next
 * vertical blank, which a timer of the kernel's makes: its descriptor is what a program can wait
 * for.  Framebuffers are linear, with 32 bits a pixel; others are refused when they are added.
 *
 * Each client has a screen of its own, made by its first ioctl here; all write the same file.
 */
#include "frontdoor/kms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>

#include "frontdoor/device.h"
#include "frontdoor/user.h"

/* One name space for all, as in the kernel; framebuffers come after. */
enum { PLANE = 1, CRTC, ENCODER, CONNECTOR, PLANE_TYPE, CONNECTOR_DPMS, FIRST_FRAMEBUFFER };

#define PERIOD_NS  (UINT64_C(1000000000) / KMS_HERTZ)
#define FILE_BYTES (sizeof(ppm_header) - 1 + KMS_WIDTH * KMS_HEIGHT * 3)

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
static const char ppm_header[] = "P6\n" TEXT(KMS_WIDTH) " " TEXT(KMS_HEIGHT) "\n255\n";

/* VESA's timings. */
static const struct drm_mode_modeinfo the_mode = {
   .clock = 65000,
   .hdisplay = KMS_WIDTH,
   .hsync_start = 1048,
   .hsync_end = 1184,
   .htotal = 1344,
   .vdisplay = KMS_HEIGHT,
   .vsync_start = 771,
   .vsync_end = 777,
   .vtotal = 806,
   .vrefresh = KMS_HERTZ,
   .flags = DRM_MODE_FLAG_NHSYNC | DRM_MODE_FLAG_NVSYNC,
   .type = DRM_MODE_TYPE_DRIVER | DRM_MODE_TYPE_PREFERRED,
   .name = TEXT(KMS_WIDTH) "x" TEXT(KMS_HEIGHT),
};

static const uint32_t formats[] = { DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888 };

struct framebuffer {
   struct framebuffer *next;
   uint32_t id;
   struct bo *bo; /* with a reference */
   uint32_t width, height, pitch, offset;
   const uint8_t *pixels; /* all of the buffer */
};

struct kms {
   pthread_mutex_t lock; /* taken before the client's */
   struct framebuffer *framebuffers;
   uint32_t last_id;
   uint32_t shown; /* framebuffer's id, 0: off */
   int file;       /* -1 as long as nothing was shown */
   int timer;
   bool flipping; /* the timer runs, for `flip` */
   struct drm_event_vblank flip;
};

bool
kms_wanted(void)
{
   const char *path = getenv("ATOLL_SCREEN");

   return path && *path;
}

/* The client's, made when it is asked for first; NULL on lack of memory or descriptors. */
static struct kms *
kms_get(struct atoll_client *client)
{
   pthread_mutex_lock(&client->lock);
   if (!client->kms) {
      struct kms *kms = calloc(1, sizeof(*kms));

      if (kms) {
         kms->last_id = FIRST_FRAMEBUFFER - 1;
         kms->file = -1;
         kms->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
         pthread_mutex_init(&kms->lock, NULL);
      }
      if (kms && kms->timer < 0) {
         free(kms);
         kms = NULL;
      }
      client->kms = kms;
   }
   pthread_mutex_unlock(&client->lock);
   return client->kms;
}

/* ---- Lists and facts ---- */

/* As many of `count` ids as the client has room for; `count` becomes how many they are. */
static bool
give_ids(struct atoll_client *client, const uint32_t *ids, uint32_t count, uint64_t address,
         uint32_t *room)
{
   const uint32_t fits = count < *room ? count : *room;

   *room = count;
   return !address || !fits || user_write(client, address, ids, fits * sizeof(*ids));
}

static int
resources(struct atoll_client *client, struct drm_mode_card_res *res)
{
   static const uint32_t crtc = CRTC, encoder = ENCODER, connector = CONNECTOR;

   res->count_fbs = 0;
   res->min_width = res->min_height = 1;
   res->max_width = res->max_height = 16384;
   return give_ids(client, &crtc, 1, res->crtc_id_ptr, &res->count_crtcs) &&
                give_ids(client, &encoder, 1, res->encoder_id_ptr, &res->count_encoders) &&
                give_ids(client, &connector, 1, res->connector_id_ptr, &res->count_connectors)
             ? 0
             : -EFAULT;
}

static int
encoder(struct drm_mode_get_encoder *enc)
{
   if (enc->encoder_id != ENCODER)
      return -ENOENT;
   enc->encoder_type = DRM_MODE_ENCODER_VIRTUAL;
   enc->crtc_id = CRTC;
   enc->possible_crtcs = 1;
   enc->possible_clones = 0;
   return 0;
}

static int
plane(struct atoll_client *client, struct kms *kms, struct drm_mode_get_plane *p)
{
   if (p->plane_id != PLANE)
      return -ENOENT;
   p->crtc_id = kms->shown ? CRTC : 0;
   p->fb_id = kms->shown;
   p->possible_crtcs = 1;
   p->gamma_size = 0;
   return give_ids(client, formats, sizeof(formats) / sizeof(formats[0]), p->format_type_ptr,
                   &p->count_format_types)
             ? 0
             : -EFAULT;
}

/* An object has one property at most: an enumeration. */
static const struct property {
   uint32_t object, id;
   const char *name;
   uint32_t flags;
   uint64_t value;
   uint32_t count;
   struct drm_mode_property_enum words[4];
} the_properties[] = {
   { PLANE, PLANE_TYPE, "type", DRM_MODE_PROP_IMMUTABLE, 1, 1, { { 1, "Primary" } } },
   /* The screen has no lamp to turn off: DPMS is taken note of nowhere. */
   { CONNECTOR,
     CONNECTOR_DPMS,
     "DPMS",
     0,
     DRM_MODE_DPMS_ON,
     4,
     { { DRM_MODE_DPMS_ON, "On" },
       { DRM_MODE_DPMS_STANDBY, "Standby" },
       { DRM_MODE_DPMS_SUSPEND, "Suspend" },
       { DRM_MODE_DPMS_OFF, "Off" } } },
};

#define NUM_PROPERTIES (sizeof(the_properties) / sizeof(the_properties[0]))

/* The property and its value, as give_ids() gives ids. */
static int
properties_of(struct atoll_client *client, uint32_t object, uint64_t ids, uint64_t values,
              uint32_t *room)
{
   const struct property *p = NULL;

   for (size_t i = 0; i < NUM_PROPERTIES; i++)
      if (the_properties[i].object == object)
         p = &the_properties[i];
   if (p && *room && values && !user_write(client, values, &p->value, sizeof(p->value)))
      return -EFAULT;
   return give_ids(client, p ? &p->id : NULL, p != NULL, ids, room) ? 0 : -EFAULT;
}

static int
connector(struct atoll_client *client, struct drm_mode_get_connector *con)
{
   static const uint32_t encoder = ENCODER;
   const bool modes = con->count_modes && con->modes_ptr;

   if (con->connector_id != CONNECTOR)
      return -ENOENT;
   if (!give_ids(client, &encoder, 1, con->encoders_ptr, &con->count_encoders) ||
       (modes && !user_write(client, con->modes_ptr, &the_mode, sizeof(the_mode))))
      return -EFAULT;
   con->count_modes = 1;
   con->encoder_id = ENCODER;
   con->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
   con->connector_type_id = 1;
   con->connection = 1; /* connected */
   con->mm_width = 271; /* at 96 dots an inch */
   con->mm_height = 203;
   con->subpixel = 1; /* unknown */
   return properties_of(client, CONNECTOR, con->props_ptr, con->prop_values_ptr, &con->count_props);
}

static const struct property *
find_property(uint32_t id)
{
   for (size_t i = 0; i < NUM_PROPERTIES; i++)
      if (the_properties[i].id == id)
         return &the_properties[i];
   return NULL;
}

static int
property(struct atoll_client *client, struct drm_mode_get_property *prop)
{
   const struct property *p = find_property(prop->prop_id);
   const uint32_t values = prop->count_values, words = prop->count_enum_blobs;

   if (!p)
      return -ENOENT;
   prop->flags = DRM_MODE_PROP_ENUM | p->flags;
   prop->count_values = prop->count_enum_blobs = p->count;
   memset(prop->name, 0, sizeof(prop->name));
   memcpy(prop->name, p->name, strlen(p->name));
   for (uint32_t i = 0; i < p->count; i++) {
      const uint64_t value = p->words[i].value;

      if (values >= p->count && prop->values_ptr &&
          !user_write(client, prop->values_ptr + i * sizeof(value), &value, sizeof(value)))
         return -EFAULT;
   }
   return words < p->count || !prop->enum_blob_ptr ||
                user_write(client, prop->enum_blob_ptr, p->words, p->count * sizeof(p->words[0]))
             ? 0
             : -EFAULT;
}

static int
set_property(const struct drm_mode_connector_set_property *set)
{
   return set->connector_id == CONNECTOR && set->prop_id == CONNECTOR_DPMS &&
                set->value <= DRM_MODE_DPMS_OFF
             ? 0
             : -EINVAL;
}

/* ---- Framebuffers ---- */

static struct framebuffer *
find(struct kms *kms, uint32_t id)
{
   struct framebuffer *fb = kms->framebuffers;

   while (fb && fb->id != id)
      fb = fb->next;
   return fb;
}

static int
add_framebuffer(struct atoll_client *client, struct kms *kms, struct drm_mode_fb_cmd2 *cmd)
{
   const uint64_t row = (uint64_t)cmd->width * 4;
   struct framebuffer *fb;
   struct bo *bo;
   void *pixels;

   if (cmd->flags || !cmd->width || !cmd->height || cmd->pitches[0] < row ||
       (cmd->pixel_format != formats[0] && cmd->pixel_format != formats[1]))
      return -EINVAL;
   bo = gem_lookup(client, cmd->handles[0]);
   if (!bo)
      return -ENOENT;
   fb = calloc(1, sizeof(*fb));
   if (!fb || bo->tiling ||
       cmd->offsets[0] + (uint64_t)cmd->pitches[0] * (cmd->height - 1) + row > bo->size) {
      const int error = fb ? -EINVAL : -ENOMEM;

      free(fb);
      gem_unref(client->device, bo);
      return error;
   }
   pthread_mutex_lock(&client->device->lock);
   pixels = bo_map(bo, NULL, bo->size, PROT_READ, MAP_SHARED, 0);
   pthread_mutex_unlock(&client->device->lock);
   if (pixels == MAP_FAILED) {
      free(fb);
      gem_unref(client->device, bo);
      return -ENOMEM;
   }
   *fb = (struct framebuffer){
      .next = kms->framebuffers,
      .id = ++kms->last_id,
      .bo = bo,
      .width = cmd->width,
      .height = cmd->height,
      .pitch = cmd->pitches[0],
      .offset = cmd->offsets[0],
      .pixels = pixels,
   };
   kms->framebuffers = fb;
   cmd->fb_id = fb->id;
   return 0;
}

static int
remove_framebuffer(struct atoll_client *client, struct kms *kms, uint32_t id)
{
   for (struct framebuffer **f = &kms->framebuffers; *f; f = &(*f)->next) {
      struct framebuffer *fb = *f;

      if (fb->id != id)
         continue;
      *f = fb->next;
      if (kms->shown == id)
         kms->shown = 0;
      munmap((void *)(uintptr_t)fb->pixels, fb->bo->size);
      gem_unref(client->device, fb->bo);
      free(fb);
      return 0;
   }
   return -ENOENT;
}

/* ---- Showing ---- */

/* The file, opened when it is written first.  0 or a negative errno. */
static int
write_picture(struct kms *kms, const uint8_t *picture)
{
   size_t done = 0;

   if (kms->file < 0)
      kms->file = open(getenv("ATOLL_SCREEN"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   while (kms->file >= 0 && done < FILE_BYTES) {
      const ssize_t some = pwrite(kms->file, picture + done, FILE_BYTES - done, (off_t)done);

      if (some < 0 && errno != EINTR)
         break;
      done += some > 0 ? (size_t)some : 0;
   }
   if (done < FILE_BYTES) {
      const int error = errno;

      fprintf(stderr, "atoll: ATOLL_SCREEN: %s: %s\n", getenv("ATOLL_SCREEN"), strerror(error));
      return -error;
   }
   return 0;
}

/* The screen's part of the framebuffer into the file.  What draws it has to have ended. */
static int
show(struct atoll_client *client, struct kms *kms, uint32_t id)
{
   const struct framebuffer *fb = find(kms, id);
   uint8_t *picture, *to;
   int result;

   if (!fb)
      return -ENOENT;
   if (fb->width < KMS_WIDTH || fb->height < KMS_HEIGHT)
      return -ENOSPC;
   picture = malloc(FILE_BYTES);
   if (!picture)
      return -ENOMEM;
   queue_wait(client->device, atomic_load(&fb->bo->last_seq));
   memcpy(picture, ppm_header, sizeof(ppm_header) - 1);
   to = picture + sizeof(ppm_header) - 1;
   for (unsigned y = 0; y < KMS_HEIGHT; y++) {
      const uint8_t *from = fb->pixels + fb->offset + (size_t)y * fb->pitch;

      for (unsigned x = 0; x < KMS_WIDTH; x++, from += 4) {
         *to++ = from[2];
         *to++ = from[1];
         *to++ = from[0];
      }
   }
   result = write_picture(kms, picture);
   free(picture);
   if (!result)
      kms->shown = id;
   return result;
}

static int
set_crtc(struct atoll_client *client, struct kms *kms, const struct drm_mode_crtc *crtc)
{
   if (crtc->crtc_id != CRTC)
      return -ENOENT;
   if (!crtc->mode_valid) {
      kms->shown = 0;
      return 0;
   }
   if (crtc->x || crtc->y || crtc->mode.hdisplay != KMS_WIDTH ||
       crtc->mode.vdisplay != KMS_HEIGHT || crtc->count_connectors != 1)
      return -EINVAL;
   return show(client, kms, crtc->fb_id);
}

static int
get_crtc(const struct kms *kms, struct drm_mode_crtc *crtc)
{
   if (crtc->crtc_id != CRTC)
      return -ENOENT;
   crtc->fb_id = kms->shown;
   crtc->x = crtc->y = 0;
   crtc->gamma_size = 0;
   crtc->mode_valid = kms->shown != 0;
   if (kms->shown)
      crtc->mode = the_mode;
   return 0;
}

/* Has the timer end at the next vertical blank, which `flip` will tell. */
static int
await_blank(struct kms *kms, uint64_t user_data)
{
   struct itimerspec at = { 0 };
   struct timespec now;
   uint64_t ns;

   clock_gettime(CLOCK_MONOTONIC, &now);
   ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
   ns = (ns / PERIOD_NS + 1) * PERIOD_NS;
   at.it_value.tv_sec = (time_t)(ns / 1000000000);
   at.it_value.tv_nsec = (long)(ns % 1000000000);
   if (timerfd_settime(kms->timer, TFD_TIMER_ABSTIME, &at, NULL))
      return -errno;
   kms->flipping = true;
   kms->flip = (struct drm_event_vblank){
      .base = { DRM_EVENT_FLIP_COMPLETE, sizeof(kms->flip) },
      .user_data = user_data,
      .tv_sec = (uint32_t)(ns / 1000000000),
      .tv_usec = (uint32_t)(ns % 1000000000 / 1000),
      .sequence = (uint32_t)(ns / PERIOD_NS),
      .crtc_id = CRTC,
   };
   return 0;
}

static int
flip(struct atoll_client *client, struct kms *kms, const struct drm_mode_crtc_page_flip *args)
{
   int result;

   if (args->crtc_id != CRTC)
      return -ENOENT;
   if (args->flags & ~(uint32_t)DRM_MODE_PAGE_FLIP_EVENT)
      return -EINVAL;
   if (!kms->shown || kms->flipping)
      return -EBUSY;
   result = show(client, kms, args->fb_id);
   if (!result && args->flags & DRM_MODE_PAGE_FLIP_EVENT)
      result = await_blank(kms, args->user_data);
   return result;
}

/* There is no cursor, which may be hidden. */
static int
cursor(const struct drm_mode_cursor *args)
{
   return args->flags & DRM_MODE_CURSOR_BO && args->handle ? -ENXIO : 0;
}

/* ---- The way in ---- */

static int
dispatch(struct atoll_client *client, struct kms *kms, unsigned nr, void *arg)
{
   struct drm_mode_get_plane_res *planes = arg;
   struct drm_mode_obj_get_properties *props = arg;
   static const uint32_t the_plane = PLANE;

   switch (nr) {
   case _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES):
      return resources(client, arg);
   case _IOC_NR(DRM_IOCTL_MODE_GETCONNECTOR):
      return connector(client, arg);
   case _IOC_NR(DRM_IOCTL_MODE_GETENCODER):
      return encoder(arg);
   case _IOC_NR(DRM_IOCTL_MODE_GETPLANERESOURCES):
      return give_ids(client, &the_plane, 1, planes->plane_id_ptr, &planes->count_planes) ? 0
                                                                                          : -EFAULT;
   case _IOC_NR(DRM_IOCTL_MODE_GETPLANE):
      return plane(client, kms, arg);
   case _IOC_NR(DRM_IOCTL_MODE_OBJ_GETPROPERTIES):
      return properties_of(client, props->obj_id, props->props_ptr, props->prop_values_ptr,
                           &props->count_props);
   case _IOC_NR(DRM_IOCTL_MODE_SETPROPERTY):
      return set_property(arg);
   case _IOC_NR(DRM_IOCTL_MODE_GETPROPERTY):
      return property(client, arg);
   case _IOC_NR(DRM_IOCTL_MODE_ADDFB2):
      return add_framebuffer(client, kms, arg);
   case _IOC_NR(DRM_IOCTL_MODE_RMFB):
      return remove_framebuffer(client, kms, *(uint32_t *)arg);
   case _IOC_NR(DRM_IOCTL_MODE_GETCRTC):
      return get_crtc(kms, arg);
   case _IOC_NR(DRM_IOCTL_MODE_SETCRTC):
      return set_crtc(client, kms, arg);
   case _IOC_NR(DRM_IOCTL_MODE_PAGE_FLIP):
      return flip(client, kms, arg);
   case _IOC_NR(DRM_IOCTL_MODE_CURSOR):
      return cursor(arg);
   default:
      return -EINVAL; /* gamma, leases, atomic requests: programs do without */
   }
}

int
kms_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   struct kms *kms;
   int result;

   if (!kms_wanted())
      return -EINVAL;
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_SET_MASTER):
   case _IOC_NR(DRM_IOCTL_DROP_MASTER):
      return 0;
   case _IOC_NR(DRM_IOCTL_SET_CLIENT_CAP):
      return ((struct drm_set_client_cap *)arg)->capability == DRM_CLIENT_CAP_UNIVERSAL_PLANES
                ? 0
                : -EINVAL;
   default:
      break;
   }
   kms = kms_get(client);
   if (!kms)
      return -ENOMEM;
   pthread_mutex_lock(&kms->lock);
   result = dispatch(client, kms, nr, arg);
   pthread_mutex_unlock(&kms->lock);
   return result;
}

int
atoll_client_events(struct atoll_client *client)
{
   int fd;

   if (client->remote)
      return -1;
   pthread_mutex_lock(&client->lock);
   fd = client->kms ? client->kms->timer : -1;
   pthread_mutex_unlock(&client->lock);
   return fd;
}

ssize_t
atoll_client_read(struct atoll_client *client, void *buffer, size_t size)
{
   struct kms *kms = client->kms;
   struct drm_event_vblank event;
   uint64_t times;

   if (size < sizeof(event)) {
      errno = EINVAL;
      return -1;
   }
   if (read(kms->timer, &times, sizeof(times)) < 0)
      return -1;
   pthread_mutex_lock(&kms->lock);
   event = kms->flip;
   kms->flipping = false;
   pthread_mutex_unlock(&kms->lock);
   if (!user_write(client, (uintptr_t)buffer, &event, sizeof(event))) {
      errno = EFAULT;
      return -1;
   }
   return sizeof(event);
}

void
kms_close(struct atoll_client *client)
{
   struct kms *kms = client->kms;

   if (!kms)
      return;
   while (kms->framebuffers)
      remove_framebuffer(client, kms, kms->framebuffers->id);
   if (kms->file >= 0)
      close(kms->file);
   close(kms->timer);
   pthread_mutex_destroy(&kms->lock);
   free(kms);
}
