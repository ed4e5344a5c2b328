// SPDX-License-Identifier: MIT
// Skinning in the vertex shader (indexed uniforms), nested branches and integers in the other.
#version 130
in vec2 position;
out vec3 shade;
uniform mat4 bones[16];
void main()
{
   ivec2 index = ivec2(abs(position) * 15.0);
   vec4 p = vec4(position, 0.0, 1.0);
   vec4 moved = (bones[index.x] * p) * 0.5 + (bones[index.y] * p) * 0.5;
   shade = moved.xyz + vec3(position, 1.0);
   gl_Position = p + moved * 0.001;
}
#fragment
#version 130
in vec3 shade;
out vec4 colour;
uniform int mode;
void main()
{
   ivec2 cell = ivec2(gl_FragCoord.xy) >> 2;
   int pattern = (cell.x ^ cell.y) & 15;
   vec3 c = shade;
   if (pattern > 7) {
      if ((pattern & 1) != mode)
         c = c.zxy * 0.5;
      else
         c = sqrt(abs(c));
   } else {
      for (int i = 0; i < pattern; i++)
         c = c * 0.9 + 0.03;
   }
   if (c.x + c.y < -1.5)
      discard;
   colour = vec4(c, float(pattern) / 15.0);
}
