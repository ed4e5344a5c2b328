// SPDX-License-Identifier: MIT
// Parallax and normal mapping: many varyings, dependent texture reads, a loop that breaks.
#version 130
in vec2 position;
out vec2 at;
out vec3 eye, light, tangent, binormal;
uniform vec3 camera;
void main()
{
   vec3 n = normalize(vec3(position, 1.5));
   tangent = normalize(cross(n, vec3(0.0, 1.0, 0.2)));
   binormal = cross(n, tangent);
   vec3 to_eye = camera + vec3(0.0, 0.0, 3.0) - vec3(position, 0.0);
   eye = vec3(dot(to_eye, tangent), dot(to_eye, binormal), dot(to_eye, n));
   light = vec3(dot(vec3(1.0, 2.0, 3.0), tangent), dot(vec3(1.0, 2.0, 3.0), binormal),
                dot(vec3(1.0, 2.0, 3.0), n));
   at = position * 2.0;
   gl_Position = vec4(position, 0.0, 1.0);
}
#fragment
#version 130
in vec2 at;
in vec3 eye, light, tangent, binormal;
out vec4 colour;
uniform sampler2D heights, normals, albedo;
void main()
{
   vec3 v = normalize(eye);
   vec2 p = at, step = v.xy / max(v.z, 0.2) * 0.01;
   float depth = 1.0;
   for (int i = 0; i < 12; i++) {
      if (textureLod(heights, p, 0.0).x >= depth)
         break;
      depth -= 1.0 / 12.0;
      p -= step;
   }
   vec3 n = normalize(texture(normals, p).xyz * 2.0 - 1.0 + vec3(0.0, 0.0, 0.01));
   vec3 l = normalize(light);
   float shine = pow(max(dot(reflect(-l, n), v), 0.0), 16.0);
   colour = texture(albedo, p) * max(dot(n, l), 0.1) + shine +
            vec4(tangent * 0.01 + binormal * 0.01, 0.0);
}
