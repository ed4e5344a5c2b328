// SPDX-License-Identifier: MIT
// A textured and tinted surface: the smallest program that a real one would have.
#version 120
attribute vec2 position;
varying vec2 at;
void main()
{
   at = position * 0.5 + 0.5;
   gl_Position = vec4(position, 0.0, 1.0);
}
#fragment
#version 120
varying vec2 at;
uniform sampler2D image;
uniform vec4 tint;
void main()
{
   gl_FragColor = texture2D(image, at) * (tint + 1.0);
}
