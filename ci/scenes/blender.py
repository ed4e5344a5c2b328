# SPDX-License-Identifier: MIT
"""For Blender's own Python: blender.py PICTURE.  Monkeys, a torus and a light, rendered by Eevee."""
import sys

import bpy
import gpu

for number, place in enumerate(((-2, 0, 0), (0, 2, 0), (2, -1, 1))):
    bpy.ops.mesh.primitive_monkey_add(location=place)
    material = bpy.data.materials.new('m%d' % number)
    material.diffuse_color = (0.9, 0.3 * number, 0.2, 1)
    material.use_nodes = True
    material.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (0.9, 0.3 * number, 0.2, 1)
    bpy.context.object.data.materials.append(material)
bpy.ops.mesh.primitive_torus_add(location=(0, 0, -0.5), major_radius=3)
scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.taa_render_samples = 4
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 640, 480, 100
scene.render.filepath = sys.argv[-1]
bpy.ops.render.render(write_still=True)
print('GL_RENDERER:', gpu.platform.renderer_get())
print('frames: 1', flush=True)
