/* SPDX-License-Identifier: MIT */
/*
 * The draw contexts that Mesa's state tracker makes for glRasterPos and feedback.
 *
 * No driver hears of them, and Mesa is linked as it is: the linker sends the state tracker's calls
 * here (--wrap), and the driver gives each context what its interpreter looks textures up with,
 * bounds what a shader may take, and has it forget the shader when the draw is over.
 */
#include "draw/draw_context.h"
#include "pipe/p_state.h"

#include "driver/feedback.h"

struct draw_context *__real_draw_create(struct pipe_context *pipe);
struct draw_context *__wrap_draw_create(struct pipe_context *pipe);
void __real_draw_destroy(struct draw_context *draw);
void __wrap_draw_destroy(struct draw_context *draw);
void __real_draw_bind_vertex_shader(struct draw_context *draw, struct draw_vertex_shader *shader);
void __wrap_draw_bind_vertex_shader(struct draw_context *draw, struct draw_vertex_shader *shader);

struct draw_vertex_shader *__real_draw_create_vertex_shader(struct draw_context *draw,
                                                            const struct pipe_shader_state *state);
struct draw_vertex_shader *__wrap_draw_create_vertex_shader(struct draw_context *draw,
                                                            const struct pipe_shader_state *state);

struct draw_context *
__wrap_draw_create(struct pipe_context *pipe)
{
   struct draw_context *draw = __real_draw_create(pipe);
   if (draw && !atoll_feedback_attach(draw)) {
      __real_draw_destroy(draw);
      return NULL;
   }
   return draw;
}

void
__wrap_draw_destroy(struct draw_context *draw)
{
   if (draw)
      atoll_feedback_detach(draw);
   __real_draw_destroy(draw);
}

void
__wrap_draw_bind_vertex_shader(struct draw_context *draw, struct draw_vertex_shader *shader)
{
   __real_draw_bind_vertex_shader(draw, shader);
   if (shader)
      atoll_feedback_begin(draw);
   else
      atoll_feedback_forget(draw);
}

struct draw_vertex_shader *
__wrap_draw_create_vertex_shader(struct draw_context *draw, const struct pipe_shader_state *state)
{
   if (state->type == PIPE_SHADER_IR_NIR)
      atoll_feedback_bound(state->ir.nir);
   return __real_draw_create_vertex_shader(draw, state);
}
