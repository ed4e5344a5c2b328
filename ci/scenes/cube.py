# SPDX-License-Identifier: MIT
"""A turned cube in a window, by one library or another: cube.py pygame|pyglet|kivy|vtk|pyqtgraph|vispy

The picture is the same at every frame; the window redraws until the program is ended."""
import math
import sys

SIZE = 640, 480
# A face: its normal's axis and sign, and its colour.
FACES = [(axis, sign, [0.2 + 0.7 * (axis == c) + 0.1 * (sign > 0) for c in range(3)])
         for axis in range(3) for sign in (-1, 1)]


def corners(axis, sign):
    """The four corners of a face, around it."""
    for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        point = [0, 0, 0]
        point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3] = sign, u, v
        yield point


def fixed_function(gl):
    """Light, depth and a texture, as OpenGL 1.1 has them."""
    gl.glViewport(0, 0, *SIZE)
    gl.glMatrixMode(gl.GL_PROJECTION)
    gl.glLoadIdentity()
    gl.glFrustum(-0.4, 0.4, -0.3, 0.3, 1, 20)
    gl.glMatrixMode(gl.GL_MODELVIEW)
    gl.glLoadIdentity()
    gl.glTranslatef(0, 0, -6)
    gl.glRotatef(35, 1, 0, 0)
    gl.glRotatef(30, 0, 1, 0)
    for what in (gl.GL_DEPTH_TEST, gl.GL_LIGHTING, gl.GL_LIGHT0, gl.GL_COLOR_MATERIAL):
        gl.glEnable(what)
    gl.glClearColor(0.1, 0.2, 0.3, 1)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
    gl.glBegin(gl.GL_QUADS)
    for axis, sign, colour in FACES:
        gl.glColor3f(*colour)
        gl.glNormal3f(*(sign * (c == axis) for c in range(3)))
        for point in corners(axis, sign):
            gl.glVertex3f(*point)
    gl.glEnd()


def with_pygame():
    import pygame
    from OpenGL import GL
    pygame.display.init()
    pygame.display.set_mode(SIZE, pygame.OPENGL | pygame.DOUBLEBUF)
    while not pygame.event.peek(pygame.QUIT):
        fixed_function(GL)
        pygame.display.flip()
        pygame.event.pump()


def with_pyglet():
    import pyglet
    window = pyglet.window.Window(*SIZE)
    batch = pyglet.graphics.Batch()
    shapes = [pyglet.shapes.Circle(80 + 70 * i, 240 + 120 * math.sin(i), 60, batch=batch,
                                   color=(40 * i % 255, 255 - 30 * i, 120)) for i in range(8)]
    for shape in shapes:
        shape.opacity = 160
    label = pyglet.text.Label('Cayman', font_size=72, x=320, y=240, anchor_x='center', anchor_y='center',
                              batch=batch)

    @window.event
    def on_draw():
        window.clear()
        batch.draw()
    pyglet.clock.schedule_interval(lambda _: None, 1 / 60)
    pyglet.app.run()
    return label


def with_kivy():
    from kivy.config import Config
    Config.set('graphics', 'width', SIZE[0])
    Config.set('graphics', 'height', SIZE[1])
    from kivy.app import App
    from kivy.clock import Clock
    from kivy.graphics import Color, Ellipse, Line, Rectangle
    from kivy.uix.label import Label

    class Scene(App):
        def build(self):
            label = Label(text='Cayman', font_size=72)
            with label.canvas.before:
                Color(0.1, 0.2, 0.5)
                Rectangle(pos=(0, 0), size=SIZE)
                for i in range(8):
                    Color(i / 8, 1 - i / 8, 0.5, 0.7)
                    Ellipse(pos=(20 + 70 * i, 160 + 100 * math.sin(i)), size=(120, 120))
                    Line(points=[20, 60 * i, 620, 480 - 60 * i], width=4)
            Clock.schedule_interval(lambda _: label.canvas.ask_update(), 1 / 60)
            return label
    Scene().run()


def with_vtk():
    import vtkmodules.vtkInteractionStyle  # noqa: F401
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
    from vtkmodules.vtkCommonDataModel import vtkSuperquadric  # noqa: F401
    from vtkmodules.vtkFiltersSources import vtkConeSource, vtkSphereSource, vtkSuperquadricSource
    from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow
    renderer = vtkRenderer()
    renderer.SetBackground(0.1, 0.2, 0.4)
    renderer.SetBackground2(0.7, 0.8, 0.9)
    renderer.GradientBackgroundOn()
    sources = vtkConeSource(), vtkSphereSource(), vtkSuperquadricSource()
    sources[0].SetResolution(40)
    sources[1].SetPhiResolution(60)
    sources[1].SetThetaResolution(60)
    sources[2].ToroidalOn()
    for number, source in enumerate(sources):
        mapper = vtkPolyDataMapper()
        mapper.SetInputConnection(source.GetOutputPort())
        actor = vtkActor()
        actor.SetMapper(mapper)
        actor.SetPosition(1.3 * number, 0.2 * number, 0)
        actor.RotateX(50)
        actor.GetProperty().SetColor(*(0.3 + 0.6 * (c == number) for c in range(3)))
        actor.GetProperty().SetSpecular(0.5)
        actor.GetProperty().SetSpecularPower(20)
        actor.GetProperty().SetOpacity(0.6 if number == 2 else 1)
        renderer.AddActor(actor)
    window = vtkRenderWindow()
    window.SetSize(*SIZE)
    window.SetMultiSamples(0)
    window.AddRenderer(renderer)
    while True:
        window.Render()


def with_pyqtgraph():
    import numpy
    import pyqtgraph
    from pyqtgraph import opengl
    app = pyqtgraph.mkQApp()
    view = opengl.GLViewWidget()
    view.resize(*SIZE)
    view.setCameraPosition(distance=30, elevation=35, azimuth=40)
    view.addItem(opengl.GLGridItem())
    x = y = numpy.linspace(-8, 8, 60)
    z = 3 * numpy.sin(numpy.hypot(x[:, None], y[None, :]))
    view.addItem(opengl.GLSurfacePlotItem(x=x, y=y, z=z, shader='normalColor'))
    view.show()
    timer = pyqtgraph.QtCore.QTimer()
    timer.timeout.connect(view.update)
    timer.start(20)
    app.exec_()


def with_vispy():
    from vispy import app, scene
    canvas = scene.SceneCanvas(size=SIZE, show=True, bgcolor='#203040')
    view = canvas.central_widget.add_view()
    view.camera = scene.TurntableCamera(elevation=30, azimuth=30, distance=5)
    scene.visuals.Box(width=1, height=1, depth=1, color='#c06040', edge_color='white', parent=view.scene)
    scene.visuals.XYZAxis(parent=view.scene)
    app.run()


if __name__ == '__main__':
    globals()['with_' + sys.argv[1]]()
