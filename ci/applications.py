# SPDX-License-Identifier: MIT
"""The programs that `./atoll apps` runs, each with a scene that is the same every time.

A row says which packages of Debian the program needs, how it is started, and how its picture is taken:

  frame=N      the N-th frame, while the program's clock stands still within a frame (ci/capture.c)
  neither      of its largest window, once two looks at the screen a second apart show the same
  writes=True  the program draws without a window, writes {picture} itself and ends
  node=True    on Atoll it gets the render node; llvmpipe has none

In commands and variables {scenes} is ci/scenes, {work} a folder of the program's own, which is its home,
and {picture} where the picture goes.  The renderer is what GL_RENDERER was at the first swap of buffers; with
title=True the window's title tells it, and the frames, and nothing is loaded into the program.
"""
import dataclasses
import math
import os
import shutil
from typing import Callable, Optional

import common

SCENES = os.path.join(common.TOP, 'ci', 'scenes')


@dataclasses.dataclass(frozen=True)
class App:
    name: str
    packages: tuple
    command: tuple
    frame: int = 0
    writes: bool = False
    title: bool = False
    node: bool = False
    variables: dict = dataclasses.field(default_factory=dict)
    before: Optional[Callable] = None  # of the folder: writes what the program reads
    recorded: tuple = ()  # a command that llvmpipe runs once, before both: it makes a file in {shared}
    wait: float = 120  # seconds to the first frame, at most
    settle: float = 3  # seconds from the first frame to the first look


def file_with(name, text):
    """Something to do before: the file NAME of the program's folder, with its sub-folders."""
    def write(work):
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    return write


def torus(work):
    """A torus as a PLY file, with normals that its reader works out."""
    rings, sides = 64, 32
    lines = ['ply', 'format ascii 1.0', f'element vertex {rings * sides}', 'property float x', 'property float y',
             'property float z', f'element face {rings * sides}', 'property list uchar int vertex_indices', 'end_header']
    for i in range(rings):
        for j in range(sides):
            a, b = 2 * math.pi * i / rings, 2 * math.pi * j / sides
            far = 1 + 0.4 * math.cos(b)
            lines.append(f'{far * math.cos(a):.5f} {far * math.sin(a):.5f} {0.4 * math.sin(b):.5f}')
    for i in range(rings):
        for j in range(sides):
            k, m = (i + 1) % rings, (j + 1) % sides
            lines.append(f'4 {i * sides + j} {k * sides + j} {k * sides + m} {i * sides + m}')
    file_with('torus.ply', '\n'.join(lines) + '\n')(work)


# The winter sky of 2020, with the time stopped.  A script, since Stellarium takes its defaults instead of a file
# of settings that does not hold all of them.
SKY = ('core.setDate("2020-12-21T20:00:00");\ncore.setTimeRate(0);\n'
       'core.setObserverLocation(2.35, 48.85, 35, 0, "Paris", "Earth");\ncore.moveToAltAzi("25", "180", 0);\n'
       'StelMovementMgr.zoomTo(60, 0);\nConstellationMgr.setFlagLines(true);\nConstellationMgr.setFlagLabels(true);\n')


def script(library):
    return '/usr/bin/python3', '-B', '{scenes}/cube.py', library


# Lines of all the colours that a terminal has.
COLOURS = ('i=0; while [ $i -lt 20 ]; do printf "\\033[3$((i % 8));4$((i / 3))mCayman %02d ABCDEFGHIJKLM'
           ' nopqrstuvwxyz 0123456789\\033[0m\\n" $i; i=$((i + 1)); done; exec sleep 600')

SDL = '/usr/libexec/installed-tests/SDL2/'

FIREFOX = ''.join(f'user_pref("{name}", {value});\n' for name, value in (
    ('webgl.force-enabled', 'true'), ('webgl.disabled', 'false'),
    ('browser.shell.checkDefaultBrowser', 'false'),
    ('datareporting.policy.dataSubmissionEnabled', 'false'), ('browser.aboutwelcome.enabled', 'false'),
    ('webgl.sanitize-unmasked-renderer', 'false'), ('security.sandbox.content.level', '0'), ('security.sandbox.gpu.level', '0'),
    ('app.normandy.enabled', 'false'), ('toolkit.telemetry.enabled', 'false'), ('browser.tabs.firefox-view', 'false'),
    ('termsofuse.acceptedVersion', '999'), ('browser.startup.homepage_override.mstone', '"ignore"')))

APPS = (
    # Mesa's and SDL's own demonstrations, and a benchmark.
    App('glxgears', ('mesa-utils',), ('glxgears',), frame=10),
    App('es2gears', ('mesa-utils',), ('es2gears_x11',), frame=10),
    App('glmark2', ('glmark2-x11',), ('glmark2', '-b', 'jellyfish:duration=60'), frame=10),
    App('glmark2-es2', ('glmark2-es2-x11',), ('glmark2-es2', '-b', 'refract:duration=60'), frame=10),
    App('sdl2-gl', ('libsdl2-tests',), (SDL + 'testgl2', '--windows', '1'), frame=20),
    App('sdl2-gles', ('libsdl2-tests',), (SDL + 'testgles2',), frame=20),
    App('apitrace', ('apitrace', 'apitrace-tracers', 'glmark2-x11'), ('glretrace', '{shared}/mark.trace'), frame=5,
        recorded=('apitrace', 'trace', '-o', '{shared}/mark.trace', 'glmark2', '-s', '640x480', '-b',
                  'refract:duration=3.0')),
    # Toolkits.
    App('gtk4-glarea', ('gtk-4-examples',), ('gtk4-demo', '--run=glarea'), variables={'GSK_RENDERER': 'gl'}),
    App('gtk4-widgets', ('gtk-4-examples',), ('gtk4-widget-factory',), variables={'GSK_RENDERER': 'gl'}),
    App('gtk3-glarea', ('gtk-3-examples',), ('gtk3-demo', '--run=glarea')),
    App('qml5', ('qmlscene', 'qml-module-qtquick2', 'qml-module-qtquick-window2'),
        ('/usr/lib/qt5/bin/qmlscene', '{scenes}/scene.qml')),
    App('qml6', ('qml-qt6', 'qml6-module-qtquick', 'qml6-module-qtquick-window', 'qml6-module-qtqml-workerscript'),
        ('/usr/lib/qt6/bin/qml', '{scenes}/scene.qml'), variables={'QSG_RHI_BACKEND': 'opengl'}),
    # Python.
    App('pygame', ('python3-pygame', 'python3-opengl'), script('pygame')),
    App('pyglet', ('python3-pyglet',), script('pyglet')),
    App('kivy', ('python3-kivy',), script('kivy')),
    App('moderngl', ('python3-moderngl', 'python3-pil'),
        ('/usr/bin/python3', '-B', '{scenes}/offscreen.py', '{picture}', '200'), writes=True),
    App('pyqtgraph', ('python3-pyqtgraph', 'python3-opengl', 'python3-pyqt5', 'python3-pyqt5.qtopengl'),
        script('pyqtgraph'), variables={'PYQTGRAPH_QT_LIB': 'PyQt5'}),
    App('vispy', ('python3-vispy', 'python3-pyqt5'), script('vispy'), variables={'QT_API': 'pyqt5'}),
    App('vtk', ('python3-vtk9',), script('vtk')),
    # Video, terminals, compositors.
    App('mpv', ('mpv',), ('mpv', '--no-config', '--vo=gpu', '--gpu-context=x11egl', '--hwdec=no', '--ao=null', '--pause',
                          '--osd-level=0', '--no-osc', '--geometry=640x480+0+0', '--start=2',
                          'av://lavfi:testsrc2=size=640x480:rate=25:duration=9')),
    App('gstreamer', ('gstreamer1.0-tools', 'gstreamer1.0-gl', 'gstreamer1.0-plugins-base'),
        ('gst-launch-1.0', 'videotestsrc', 'pattern=smpte75', '!', 'video/x-raw,width=640,height=480', '!', 'glupload',
         '!', 'glcolorconvert', '!', 'gleffects_bulge', '!', 'glimagesink'), variables={'GST_GL_WINDOW': 'x11'}),
    App('kitty', ('kitty',),
        ('kitty', '--config=NONE', '-o', 'cursor_blink_interval=0', '-o', 'remember_window_size=no', '-o',
         'initial_window_width=800', '-o', 'initial_window_height=500', '-o', 'update_check_interval=0', 'sh', '-c', COLOURS)),
    App('alacritty', ('alacritty',), ('alacritty', '-e', 'sh', '-c', COLOURS)),
    App('weston', ('weston',),
        ('sh', '-c', 'weston --backend=x11-backend.so --width=800 --height=600 --shell=kiosk-shell.so --idle-time=0 '
         '--socket=inner & until [ -S "$XDG_RUNTIME_DIR/inner" ]; do sleep 0.2; done; '
         'WAYLAND_DISPLAY=inner exec weston-image "$1"', 'sh', os.path.join(common.TOP, 'docs', 'images', 'glmark2.png'))),
    App('sway', ('sway', 'xwayland', 'swaybg', 'grim', 'mpv'), ('{scenes}/sway.sh', '{picture}'), writes=True, node=True,
        wait=300),
    # Things to build and to look at.
    App('love', ('love',), ('love', '{scenes}/love')),
    App('godot', ('godot3',), ('godot3', '--audio-driver', 'Dummy', '--video-driver', 'GLES3', '--path', '{work}/godot'),
        before=lambda work: shutil.copytree(os.path.join(SCENES, 'godot'), os.path.join(work, 'godot')), settle=30),
    App('openscad', ('openscad',), ('openscad', '{scenes}/solid.scad')),
    App('meshlab', ('meshlab',), ('meshlab', '{work}/torus.ply'), before=torus),
    App('gmsh', ('gmsh',), ('gmsh', '{work}/torus.ply'), before=torus),
    App('solvespace', ('solvespace',), ('solvespace',)),
    App('goxel', ('goxel',), ('goxel',)),
    App('pymol', ('pymol',), ('pymol', '-q', '{work}/scene.pml'),
        before=file_with('scene.pml', 'fragment trp\nshow spheres\nset sphere_scale, 0.4\nshow sticks\nturn x, 40\n')),
    App('avogadro', ('avogadro',), ('avogadro2', '{work}/water.xyz'),
        before=file_with('water.xyz', '3\nwater\nO 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n')),
    App('stellarium', ('stellarium',), ('stellarium', '--full-screen', 'no', '--startup-script', 'sky.ssc'),
        before=file_with('.stellarium/scripts/sky.ssc', SKY), settle=25),
    App('blender', ('blender',),
        ('blender', '--factory-startup', '--background', '--python', '{scenes}/blender.py', '--', '{picture}'),
        writes=True, wait=600),
    App('freecad', ('freecad',), ('freecad', '{work}/solids.FCMacro'), settle=20,
        variables={'QTWEBENGINE_DISABLE_SANDBOX': '1', 'QTWEBENGINE_CHROMIUM_FLAGS': '--disable-gpu'},
        before=file_with('solids.FCMacro', 'import FreeCAD, FreeCADGui\nd = FreeCAD.newDocument("Solids")\n'
                         'for i, kind in enumerate(("Box", "Cylinder", "Sphere", "Torus")):\n'
                         '    o = d.addObject("Part::" + kind, kind)\n'
                         '    o.Placement.Base = FreeCAD.Vector(25 * i, 10 * i, 0)\nd.recompute()\n'
                         'v = FreeCADGui.ActiveDocument.ActiveView\nv.viewIsometric()\nv.fitAll()\n')),
    App('paraview', ('paraview', 'python3-paraview'), ('paraview', '--dr', '--script={scenes}/paraview.py'), settle=20),
    # Games.
    App('minetest', ('minetest',), ('minetest', '--config', '{work}/minetest.conf'),
        before=file_with('minetest.conf', 'screen_w = 800\nscreen_h = 600\nmenu_clouds = false\nenable_sound = false\n'
                         'screen_width = 800\nscreen_height = 600\n')),
    App('scummvm', ('scummvm',), ('scummvm', '--gfx-mode=opengl', '--config={work}/scummvm.ini', '--no-fullscreen')),
    # Its first question.  Of a race the pictures are another each time, on one driver, too.
    App('supertuxkart', ('supertuxkart',), ('supertuxkart', '--windowed', '--screensize=800x600', '--no-sound'),
        wait=600, settle=30),
    App('openarena', ('openarena',),
        ('openarena', '+set', 'r_mode', '4', '+set', 'r_fullscreen', '0', '+set', 's_initsound', '0', '+set', 'timedemo',
         '1', '+set', 'com_introplayed', '1', '+demo', 'demo088-test1'), frame=300),
    # Browsers: WebGL 2.
    App('chromium', ('chromium',),
        ('chromium', '--no-sandbox', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--no-first-run',
         '--user-data-dir={work}/profile', '--window-size=820,700', '--disable-background-networking',
         '--app=file://{scenes}/webgl.html'), title=True),
    App('firefox', ('firefox-esr',),
        ('firefox-esr', '--no-remote', '--profile', '{work}/profile', '--width', '820', '--height', '700',
         'file://{scenes}/webgl.html'), title=True, variables={'MOZ_X11_EGL': '1', 'MOZ_DISABLE_CONTENT_SANDBOX': '1'},
        before=file_with('profile/user.js', FIREFOX)),
)

# Four light ones of different libraries, for ./atoll test; ci/setup installs what they need.
LIGHT = ('sdl2-gl', 'gtk4-glarea', 'qml5', 'moderngl')
