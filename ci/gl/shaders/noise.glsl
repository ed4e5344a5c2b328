// SPDX-License-Identifier: MIT
// Value noise in a loop of five octaves: arithmetic and transcendental functions.
#version 120
attribute vec2 position;
varying vec2 at;
void main()
{
   at = position * 4.0;
   gl_Position = vec4(position, 0.0, 1.0);
}
#fragment
#version 120
varying vec2 at;
uniform float time;
float lattice(vec2 p)
{
   return fract(sin(dot(p, vec2(12.9, 78.2))) * 437.5);
}
float smooth_noise(vec2 p)
{
   vec2 cell = floor(p), f = fract(p);
   vec2 u = f * f * (3.0 - 2.0 * f);
   float bottom = mix(lattice(cell), lattice(cell + vec2(1.0, 0.0)), u.x);
   float top = mix(lattice(cell + vec2(0.0, 1.0)), lattice(cell + vec2(1.0, 1.0)), u.x);
   return mix(bottom, top, u.y);
}
void main()
{
   float sum = 0.0, scale = 0.5;
   vec2 p = at + time;
   for (int i = 0; i < 5; i++) {
      sum += scale * smooth_noise(p);
      p *= 2.03;
      scale *= 0.5;
   }
   gl_FragColor = vec4(exp2(sum) - 1.0, sum, log2(1.0 + sum), 1.0);
}
