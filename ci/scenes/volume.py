# SPDX-License-Identifier: MIT
"""VTK with a fixed number of frames: volume.py volume|peeling

A volume of 64^3 values by ray casting, or translucent spheres one in the other by depth peeling, turned a
little each frame.  Names the renderer and ends."""
import math
import sys

import vtkmodules.vtkRenderingVolumeOpenGL2  # noqa: F401  registers what draws volumes
from vtkmodules.vtkCommonCore import vtkFloatArray
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPiecewiseFunction
from vtkmodules.vtkFiltersSources import vtkSphereSource
from vtkmodules.vtkRenderingCore import (vtkActor, vtkColorTransferFunction, vtkPolyDataMapper, vtkRenderer,
                                         vtkRenderWindow, vtkVolume, vtkVolumeProperty)
from vtkmodules.vtkRenderingVolume import vtkGPUVolumeRayCastMapper

SIDE, FRAMES = 64, {'volume': 20, 'peeling': 40}


def volume():
    image, values = vtkImageData(), vtkFloatArray()
    image.SetDimensions(SIDE, SIDE, SIDE)
    values.SetNumberOfValues(SIDE ** 3)
    steps = [math.sin(i * 0.3) for i in range(SIDE)]
    for z in range(SIDE):
        for y in range(SIDE):
            for x in range(SIDE):
                values.SetValue((z * SIDE + y) * SIDE + x, steps[x] * steps[y] + steps[z])
    image.GetPointData().SetScalars(values)
    mapper, opacity, colour = vtkGPUVolumeRayCastMapper(), vtkPiecewiseFunction(), vtkColorTransferFunction()
    mapper.SetInputData(image)
    for at, much in ((-2, 0), (0, 0.01), (1, 0.1), (2, 0.3)):
        opacity.AddPoint(at, much)
        colour.AddRGBPoint(at, 0.5 + at / 4, 0.5 - at / 6, 0.7)
    properties = vtkVolumeProperty()
    properties.SetScalarOpacity(opacity)
    properties.SetColor(colour)
    properties.SetInterpolationTypeToLinear()
    properties.ShadeOn()
    shown = vtkVolume()
    shown.SetMapper(mapper)
    shown.SetProperty(properties)
    return [shown]


def spheres():
    shown = []
    for i in range(8):
        source, mapper, actor = vtkSphereSource(), vtkPolyDataMapper(), vtkActor()
        source.SetRadius(0.4 + 0.15 * i)
        source.SetCenter(0.2 * i, 0.1 * (i % 3), 0)
        source.SetThetaResolution(48)
        source.SetPhiResolution(48)
        mapper.SetInputConnection(source.GetOutputPort())
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(0.2 + 0.1 * i, 0.9 - 0.1 * i, 0.5)
        actor.GetProperty().SetOpacity(0.4)
        shown.append(actor)
    return shown


def main():
    kind = sys.argv[1]
    window, renderer = vtkRenderWindow(), vtkRenderer()
    window.SetSize(500, 400)
    window.SetMultiSamples(0)
    window.AddRenderer(renderer)
    renderer.SetBackground(0.1, 0.2, 0.3)
    for one in volume() if kind == 'volume' else spheres():
        renderer.AddViewProp(one)
    if kind == 'peeling':
        window.SetAlphaBitPlanes(1)
        renderer.SetUseDepthPeeling(1)
        renderer.SetMaximumNumberOfPeels(16)
        renderer.SetOcclusionRatio(0)
    renderer.ResetCamera()
    for _ in range(FRAMES[kind]):
        renderer.GetActiveCamera().Azimuth(3)
        window.Render()
    found = [line for line in window.ReportCapabilities().splitlines() if 'renderer string' in line]
    print('GL_RENDERER:', found[0].split(':', 1)[1].strip() if found else 'none')


main()
