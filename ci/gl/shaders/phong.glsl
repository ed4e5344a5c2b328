// SPDX-License-Identifier: MIT
// Four lights, lit at each pixel.
#version 120
attribute vec2 position;
varying vec3 normal;
varying vec3 place;
uniform mat4 view;
void main()
{
   place = vec3(position, sqrt(max(0.0, 1.0 - dot(position, position))));
   normal = mat3(view) * place + place;
   gl_Position = vec4(position, 0.0, 1.0);
}
#fragment
#version 120
varying vec3 normal;
varying vec3 place;
uniform vec4 lights[4];
uniform vec3 diffuse, specular;
void main()
{
   vec3 n = normalize(normal + vec3(0.0, 0.0, 0.1));
   vec3 sum = vec3(0.05);
   for (int i = 0; i < 4; i++) {
      vec3 towards = normalize(lights[i].xyz + vec3(float(i), 1.0, 2.0) - place);
      vec3 mirrored = reflect(-towards, n);
      sum += max(dot(n, towards), 0.0) * (diffuse + 0.2);
      sum += pow(max(mirrored.z, 0.0), 24.0) * (specular + 0.3);
   }
   gl_FragColor = vec4(sum, 1.0);
}
