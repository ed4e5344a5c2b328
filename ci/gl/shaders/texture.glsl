// SPDX-License-Identifier: MIT
// A textured and tinted surface: the smallest program that a real one would have.
#version 130
in vec2 position;
out vec2 at;
void main()
{
   at = position * 0.5 + 0.5;
   gl_Position = vec4(position, 0.0, 1.0);
}
#fragment
#version 130
in vec2 at;
out vec4 colour;
uniform sampler2D image;
uniform vec4 tint;
void main()
{
   colour = texture(image, at) * (tint + 1.0);
}
