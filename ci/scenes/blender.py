# SPDX-License-Identifier: MIT
"""For Blender's own Python: monkeys, a torus and a light in the default scene, drawn by Eevee in the viewport."""
import bpy

for number, place in enumerate(((-2, 0, 0), (0, 2, 0), (2, -1, 1))):
    bpy.ops.mesh.primitive_monkey_add(location=place)
    material = bpy.data.materials.new('m%d' % number)
    material.diffuse_color = (0.9, 0.3 * number, 0.2, 1)
    bpy.context.object.data.materials.append(material)
bpy.ops.mesh.primitive_torus_add(location=(0, 0, -0.5), major_radius=3)
bpy.context.preferences.view.show_splash = False
for area in bpy.context.screen.areas:
    if area.type == 'VIEW_3D':
        area.spaces[0].shading.type = 'MATERIAL'
