/* SPDX-License-Identifier: MIT */
/* The screen: what a compositor asks of it, the picture in ATOLL_SCREEN's file, and flips. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <drm_mode.h>

#include "door.h"

#define WIDTH  1024
#define HEIGHT 768
#define PITCH  (WIDTH * 4 + 256)
#define HEADER "P6\n1024 768\n255\n"

static char path[] = "/tmp/atoll-test-screen-XXXXXX";

#define MUST(c, request, arg) \
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_MODE_##request, arg), 0)
#define REFUSED(c, request, arg, error) \
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_MODE_##request, arg), -(error))

/* The ids of the CRTC and the connector, by way of what leads to them. */
static void
find(struct atoll_client *c, uint32_t *crtc, uint32_t *connector, struct drm_mode_modeinfo *mode)
{
   uint32_t encoder = 0;
   struct drm_mode_card_res res = { 0 };
   struct drm_mode_get_connector con = { .count_modes = 1,
                                         .modes_ptr = (uintptr_t)mode,
                                         .count_encoders = 1,
                                         .encoders_ptr = (uintptr_t)&encoder };
   struct drm_mode_get_encoder enc;

   MUST(c, GETRESOURCES, &res);
   assert_int_equal(res.count_crtcs, 1);
   assert_int_equal(res.count_encoders, 1);
   assert_int_equal(res.count_connectors, 1);
   res.crtc_id_ptr = (uintptr_t)crtc;
   res.connector_id_ptr = (uintptr_t)connector;
   MUST(c, GETRESOURCES, &res);
   con.connector_id = *connector;
   MUST(c, GETCONNECTOR, &con);
   assert_int_equal(con.connection, 1);
   assert_int_equal(mode->hdisplay, WIDTH);
   assert_int_equal(mode->vdisplay, HEIGHT);
   assert_int_equal(mode->clock * 1000 / mode->htotal / mode->vtotal, 60);
   enc = (struct drm_mode_get_encoder){ .encoder_id = encoder };
   MUST(c, GETENCODER, &enc);
   assert_int_equal(enc.crtc_id, *crtc);
   assert_int_equal(enc.possible_crtcs, 1);
   con.connector_id = 99;
   REFUSED(c, GETCONNECTOR, &con, ENOENT);
}

static void
plane(void **state)
{
   struct atoll_client *c = door_open();
   uint32_t id = 0, format[2] = { 0 }, type = 0;
   uint64_t value = 0;
   struct drm_mode_get_plane_res planes = { .count_planes = 1, .plane_id_ptr = (uintptr_t)&id };
   struct drm_mode_get_plane one = { .count_format_types = 2,
                                     .format_type_ptr = (uintptr_t)format };
   struct drm_mode_obj_get_properties props = { .count_props = 1,
                                                .props_ptr = (uintptr_t)&type,
                                                .prop_values_ptr = (uintptr_t)&value };
   struct drm_mode_get_property property = { 0 };
   struct drm_mode_property_enum words[4];
   struct drm_mode_connector_set_property dpms;
   struct drm_mode_cursor hidden = { .flags = DRM_MODE_CURSOR_BO };
   struct drm_mode_modeinfo mode;
   uint32_t crtc, connector;
   struct drm_set_client_cap atomic = { DRM_CLIENT_CAP_ATOMIC, 1 },
                             universal = { DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1 };

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_SET_MASTER, &id), 0);
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_SET_CLIENT_CAP, &atomic), -EINVAL);
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_SET_CLIENT_CAP, &universal), 0);
   MUST(c, GETPLANERESOURCES, &planes);
   assert_int_equal(planes.count_planes, 1);
   one.plane_id = id;
   MUST(c, GETPLANE, &one);
   assert_int_equal(one.possible_crtcs, 1);
   assert_int_equal(format[0], DRM_FORMAT_XRGB8888);
   props.obj_id = id;
   MUST(c, OBJ_GETPROPERTIES, &props);
   assert_int_equal(props.count_props, 1);
   assert_int_equal(value, 1); /* primary */
   property.prop_id = type;
   MUST(c, GETPROPERTY, &property);
   assert_string_equal(property.name, "type");

   find(c, &crtc, &connector, &mode);
   /* A screen without a lamp or a cursor. */
   props = (struct drm_mode_obj_get_properties){ .obj_id = connector };
   MUST(c, OBJ_GETPROPERTIES, &props);
   assert_int_equal(props.count_props, 1);
   props.props_ptr = (uintptr_t)&type;
   MUST(c, OBJ_GETPROPERTIES, &props);
   property = (struct drm_mode_get_property){ .prop_id = type,
                                              .count_enum_blobs = 4,
                                              .enum_blob_ptr = (uintptr_t)words };
   MUST(c, GETPROPERTY, &property);
   assert_string_equal(property.name, "DPMS");
   assert_string_equal(words[3].name, "Off");
   dpms = (struct drm_mode_connector_set_property){ words[3].value, type, connector };
   MUST(c, SETPROPERTY, &dpms);
   dpms.value = 77;
   REFUSED(c, SETPROPERTY, &dpms, EINVAL);
   property.prop_id = 99;
   REFUSED(c, GETPROPERTY, &property, ENOENT);
   MUST(c, CURSOR, &hidden);
   hidden.handle = 1;
   REFUSED(c, CURSOR, &hidden, ENXIO);
   atoll_client_close(c);
}

/* A buffer with one colour all over, as a framebuffer. */
static uint32_t
framebuffer(struct atoll_client *c, uint32_t colour)
{
   struct drm_mode_fb_cmd2 cmd = {
      .width = WIDTH, .height = HEIGHT, .pixel_format = DRM_FORMAT_XRGB8888, .pitches = { PITCH }
   };
   uint32_t *pixels;

   cmd.handles[0] = door_create(c, PITCH * HEIGHT);
   pixels = door_map(c, cmd.handles[0], PITCH * HEIGHT);
   for (size_t i = 0; i < PITCH * HEIGHT / 4; i++)
      pixels[i] = i % (PITCH / 4) < WIDTH ? colour : 0xff123456;
   MUST(c, ADDFB2, &cmd);
   munmap(pixels, PITCH * HEIGHT);
   /* It keeps the buffer. */
   assert_int_equal(door_close(c, cmd.handles[0]), 0);
   return cmd.fb_id;
}

/* Whether the file is a picture of this colour alone. */
static bool
is_all(uint32_t colour)
{
   static uint8_t data[sizeof(HEADER) - 1 + WIDTH * HEIGHT * 3 + 1];
   FILE *file = fopen(path, "rb");
   size_t bytes = fread(data, 1, sizeof(data), file), at = sizeof(HEADER) - 1;

   fclose(file);
   if (bytes != sizeof(data) - 1 || memcmp(data, HEADER, at))
      return false;
   for (; at < bytes; at += 3)
      if (data[at] != (colour >> 16 & 0xff) || data[at + 1] != (colour >> 8 & 0xff) ||
          data[at + 2] != (colour & 0xff))
         return false;
   return true;
}

static void
pictures(void **state)
{
   struct atoll_client *c = door_open();
   struct drm_mode_crtc set = { .mode_valid = 1, .count_connectors = 1 }, get = { 0 };
   struct drm_mode_crtc_page_flip flip = { .flags = DRM_MODE_PAGE_FLIP_EVENT,
                                           .user_data = UINT64_C(0x123456789a) };
   struct drm_event_vblank event = { 0 };
   struct pollfd waiting = { .events = POLLIN };
   uint32_t connector, first, second;

   assert_int_equal(atoll_client_events(c), -1);
   find(c, &set.crtc_id, &connector, &set.mode);
   set.set_connectors_ptr = (uintptr_t)&connector;
   get.crtc_id = flip.crtc_id = set.crtc_id;
   first = framebuffer(c, 0xff2040c0);
   second = framebuffer(c, 0xffffa001);
   MUST(c, GETCRTC, &get);
   assert_false(get.mode_valid);
   flip.fb_id = second;
   REFUSED(c, PAGE_FLIP, &flip, EBUSY); /* nothing is shown */
   set.fb_id = 12345;
   REFUSED(c, SETCRTC, &set, ENOENT);
   set.fb_id = first;
   MUST(c, SETCRTC, &set);
   assert_true(is_all(0x2040c0));
   MUST(c, GETCRTC, &get);
   assert_int_equal(get.fb_id, first);

   MUST(c, PAGE_FLIP, &flip);
   assert_true(is_all(0xffa001));
   flip.fb_id = first;
   REFUSED(c, PAGE_FLIP, &flip, EBUSY);
   waiting.fd = atoll_client_events(c);
   assert_int_equal(poll(&waiting, 1, 60000), 1);
   assert_int_equal(atoll_client_read(c, &event, sizeof(event) - 1), -1);
   assert_int_equal(atoll_client_read(c, &event, sizeof(event)), sizeof(event));
   assert_int_equal(event.base.type, DRM_EVENT_FLIP_COMPLETE);
   assert_int_equal(event.base.length, sizeof(event));
   assert_true(event.user_data == flip.user_data);
   assert_int_equal(event.crtc_id, set.crtc_id);
   assert_int_equal(poll(&waiting, 1, 0), 0);
   MUST(c, PAGE_FLIP, &flip);
   assert_int_equal(atoll_client_read(c, &event, sizeof(event)), sizeof(event));

   /* What is shown may go: the screen is off. */
   MUST(c, RMFB, &first);
   REFUSED(c, RMFB, &first, ENOENT);
   MUST(c, GETCRTC, &get);
   assert_false(get.mode_valid);
   atoll_client_close(c); /* with the second still there */
}

/* Framebuffers that would be read outside their buffer, or wrongly. */
static void
bad_framebuffers(void **state)
{
   struct atoll_client *c = door_open();
   const struct drm_mode_fb_cmd2 good = { .width = 64,
                                          .height = 64,
                                          .pixel_format = DRM_FORMAT_ARGB8888,
                                          .handles = { door_create(c, 16384) },
                                          .pitches = { 256 } };
   struct drm_mode_fb_cmd2 bad = good;
   struct drm_mode_crtc set = { .mode_valid = 1, .count_connectors = 1 };
   struct drm_radeon_gem_set_tiling tiled = { good.handles[0], RADEON_TILING_MACRO, 256 };
   uint32_t connector;

   MUST(c, ADDFB2, &bad);
   find(c, &set.crtc_id, &connector, &set.mode);
   set.fb_id = bad.fb_id;
   REFUSED(c, SETCRTC, &set, ENOSPC); /* smaller than the screen */
   bad.height = 65;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   bad = good;
   bad.offsets[0] = 4;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   bad = good;
   bad.pitches[0] = 252;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   bad = good;
   bad.width = 0x40000001;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   bad = good;
   bad.height = 0;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   bad = good;
   bad.pixel_format = DRM_FORMAT_RGB565;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   bad = good;
   bad.handles[0] = 777;
   REFUSED(c, ADDFB2, &bad, ENOENT);
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_SET_TILING, &tiled), 0);
   bad = good;
   REFUSED(c, ADDFB2, &bad, EINVAL);
   atoll_client_close(c);
}

/* A file that cannot be written is said to be so, and nothing is shown. */
static void
bad_file(void **state)
{
   struct atoll_client *c = door_open();
   struct drm_mode_crtc set = { .mode_valid = 1, .count_connectors = 1 }, get = { 0 };
   uint32_t connector;

   find(c, &set.crtc_id, &connector, &set.mode);
   set.fb_id = framebuffer(c, 0);
   get.crtc_id = set.crtc_id;
   setenv("ATOLL_SCREEN", "/dev/null/screen", 1);
   REFUSED(c, SETCRTC, &set, ENOTDIR);
   setenv("ATOLL_SCREEN", "/dev/full", 1);
   REFUSED(c, SETCRTC, &set, ENOSPC);
   MUST(c, GETCRTC, &get);
   assert_false(get.mode_valid);
   setenv("ATOLL_SCREEN", path, 1);
   atoll_client_close(c);
}

static void
no_screen(void **state)
{
   struct atoll_client *c = door_open();
   struct drm_mode_card_res res = { 0 };

   unsetenv("ATOLL_SCREEN");
   REFUSED(c, GETRESOURCES, &res, EINVAL);
   setenv("ATOLL_SCREEN", path, 1);
   atoll_client_close(c);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane),    cmocka_unit_test(pictures),  cmocka_unit_test(bad_framebuffers),
      cmocka_unit_test(bad_file), cmocka_unit_test(no_screen),
   };
   int fd = mkstemp(path), result;

   if (fd < 0)
      return 1;
   close(fd);
   setenv("ATOLL_SCREEN", path, 1);
   result = cmocka_run_group_tests_name("kms", tests, NULL, NULL);
   unlink(path);
   return result;
}
