# SPDX-License-Identifier: MIT
"""What ci's programs share: folders, the environment of each driver, a display, and reports.

The environments are here and nowhere else: `./atoll env` prints them, `./atoll run`, the checks,
piglit and the benchmarks start their programs in them.
"""
import contextlib
import ctypes
import glob
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def layout():
    """Where an installation has its parts, by paths from TOP, which is its share/atoll; nothing in a
    source tree."""
    try:
        with open(os.path.join(TOP, 'layout.json'), encoding='utf-8') as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


LAYOUT = layout()
COMMAND = 'atoll' if LAYOUT else './atoll'  # as one types it
BUILD = os.path.abspath(os.environ.get('ATOLL_BUILD') or os.path.join(TOP, 'build'))
PEERS = os.path.join(TOP, '.cache', 'peers')
NOOP = os.path.join(TOP, '.cache', 'noop')
PEERS_LIB = os.path.join(PEERS, 'usr', 'lib', 'x86_64-linux-gnu')
OUT = os.path.abspath('atoll-out') if LAYOUT else os.path.join(TOP, 'out')


def isas():
    """The names of the instruction sets: the lines of include/atoll/isas.def, which an installation has been told."""
    if LAYOUT:
        return LAYOUT['isas'].split()
    with open(os.path.join(TOP, 'include', 'atoll', 'isas.def'), encoding='utf-8') as file:
        return re.findall(r'^ISA\(\w+, (\w+)\)', file.read(), re.M)


def chips():
    """The names of the chips that the device can be: the lines of include/atoll/chips.def."""
    if LAYOUT:
        return LAYOUT['chips'].split()
    with open(os.path.join(TOP, 'include', 'atoll', 'chips.def'), encoding='utf-8') as file:
        return re.findall(r'^CHIP\(\w+, +(\w+),', file.read(), re.M)


DRIVERS = ('atoll', 'r600', 'panfrost', 'llvmpipe', 'softpipe')

# Mesa's panfrost and where its parts are there, as ci/panfrost builds it.
PANFROST = os.path.join(TOP, 'build-panfrost')
PANFROST_PARTS = ('src/egl', 'src/gallium/targets/dri', 'src/gbm')
PANFROST_EGL = 'src/egl/libEGL_mesa.so.0.0.0'

# The instruction sets that the device can execute (ATOLL_ISA), and what Atoll's driver is called on each:
# in the names of checks, results and expectation lists, and wherever a driver is asked for in here.
ISAS = {isa: 'atoll' if isa == 'cayman' else isa for isa in isas()}

# The chips (ATOLL_CHIP), and what stock r600 is called on each, in the same way.
CHIPS = {chip: 'r600' if chip == 'cayman' else f'r600-{chip}' for chip in chips()}
# And Atoll's driver, which has no code for these.
STOCK_CHIPS = ('rv770', 'r600')
OWN_CHIPS = {chip: 'atoll' if chip == 'cayman' else f'atoll-{chip}' for chip in CHIPS if chip not in STOCK_CHIPS}

# Drivers of other chips and kernels, which always run on the node.
ON_NODE = (*CHIPS.values(), 'panfrost')

# What GL_RENDERER has to contain.  Every check reads it before it believes a picture.
RENDERERS = {**{name: f'AMD {chip.upper()} (' for chip, name in CHIPS.items()},
             **{name: f'ATOLL {name.upper()} (' for name in ISAS.values()},
             **{name: f'AMD {chip.upper()} (atoll' for chip, name in OWN_CHIPS.items()},
             'panfrost': 'Mali-G610 (Panfrost)', 'llvmpipe': 'llvmpipe', 'softpipe': 'softpipe'}

# The build's sanitizer ('thread', 'address' or none), as ./atoll test --sanitize sets it.  Its
# runtime comes first in every program that loads Atoll's libraries, and its reports are files here.
SANITIZER = os.environ.get('ATOLL_SANITIZE', '')
REPORTS = os.path.join(OUT, 'test', 'sanitizer')
SLOWER = 15 if SANITIZER else 1

# What could lead a program past the driver that was asked for.
FOREIGN = ('GALLIUM_DRIVER', 'LIBGL_ALWAYS_SOFTWARE', 'LIBGL_DRIVERS_PATH', 'LIBGL_KOPPER_DISABLE',
           'MESA_LOADER_DRIVER_OVERRIDE', 'DRI_PRIME', 'EGL_PLATFORM', 'RADEON_VA', 'RADEON_THREAD',
           'RADEON_GPU_ID', 'R600_DEBUG', 'ATOLL_ISA', 'ATOLL_CHIP', 'ATOLL_NODE', 'PAN_GPU_ID', 'PAN_MESA_DEBUG')


# glmark2's scenes that have to draw.
SCENES = ('build', 'texture', 'shading', 'bump', 'effect2d', 'pulsar', 'desktop', 'buffer', 'ideas',
          'jellyfish', 'terrain', 'shadow', 'refract', 'conditionals', 'function', 'loop')

# glmark2's own default list, and one scene for each remaining name that has to draw.
MARKS = (
    'build:use-vbo=false', 'build:use-vbo=true', 'texture:texture-filter=nearest',
    'texture:texture-filter=linear', 'texture:texture-filter=mipmap', 'shading:shading=gouraud',
    'shading:shading=blinn-phong-inf', 'shading:shading=phong', 'shading:shading=cel',
    'bump:bump-render=high-poly', 'bump:bump-render=normals', 'bump:bump-render=height',
    'effect2d:kernel=0,1,0;1,-4,1;0,1,0;', 'effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;',
    'pulsar:light=false:quads=5:texture=false',
    'desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4',
    'desktop:effect=shadow:windows=4',
    'buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=map',
    'buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=subdata',
    'buffer:columns=200:interleave=true:update-dispersion=0.9:update-fraction=0.5:update-method=map',
    'ideas:speed=duration', 'jellyfish', 'terrain', 'shadow', 'refract',
    'conditionals:fragment-steps=0:vertex-steps=0', 'conditionals:fragment-steps=5:vertex-steps=0',
    'conditionals:fragment-steps=0:vertex-steps=5', 'function:fragment-complexity=low:fragment-steps=5',
    'function:fragment-complexity=medium:fragment-steps=5',
    'loop:fragment-loop=false:fragment-steps=5:vertex-steps=5',
    'loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5',
    'loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5')

# Two pictures are the same if no more than this share of their pixels (per cent) differ by more
# than 16 of 255 in some channel, and the mean difference of a channel is no more than this.
PICTURE_SHARE, PICTURE_MEAN = 4.0, 2.0


class Problem(Exception):
    """Something that the person at the keyboard can act on; the message says what."""


class Skip(Exception):
    """A check that cannot run here; the message says why."""


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def ours(driver):
    """Whether DRIVER is Atoll's, on whatever instruction set or chip."""
    return driver in ISAS.values() or driver in OWN_CHIPS.values()


def stock(driver):
    """Whether DRIVER is Debian's r600, on whatever chip."""
    return driver in CHIPS.values()


def add_isa(parser):
    """The option --isa; what ATOLL_ISA says where it is not given."""
    isa = os.environ.get('ATOLL_ISA') or 'cayman'
    parser.add_argument('--isa', choices=ISAS, default=isa,
                        help="the device's instruction set, with Atoll's driver alone: cayman (default), "
                             'valhall or attila')


def add_chip(parser):
    """The option --chip; what ATOLL_CHIP says where it is not given."""
    parser.add_argument('--chip', choices=CHIPS, metavar='CHIP', default=os.environ.get('ATOLL_CHIP') or 'cayman',
                        help=f"the chip that the device is, with Atoll's driver or stock r600: {', '.join(CHIPS)} "
                             '(default: cayman)')


def with_isa(driver, isa, chip='cayman'):
    """DRIVER, one of DRIVERS, on that instruction set or chip."""
    if chip not in CHIPS:
        raise Problem(f"there is no chip '{chip}': {', '.join(CHIPS)}")
    if driver not in ('atoll', 'r600') and chip != 'cayman':
        raise Problem(f"{driver} has no code for {chip}: --chip goes with Atoll's driver and with --driver r600")
    if driver == 'atoll' and chip not in OWN_CHIPS:
        raise Problem(f"Atoll's driver has no code for {chip}: --chip {chip} goes with --driver r600")
    if chip != 'cayman' and isa != 'cayman':
        raise Problem(f'{chip} has an instruction set of its own: --isa goes without --chip')
    if driver == 'r600':
        driver = CHIPS[chip]
    if isa not in ISAS:
        raise Problem(f"there is no instruction set '{isa}': {', '.join(ISAS)}")
    if driver != 'atoll' and isa != 'cayman':
        raise Problem(f"{driver} has no code for {isa}: --isa goes with Atoll's driver")
    return driver if driver != 'atoll' else OWN_CHIPS[chip] if chip != 'cayman' else ISAS[isa]


def libraries(build=BUILD):
    """The folder with Atoll's OpenGL."""
    return os.path.normpath(os.path.join(TOP, LAYOUT['lib'])) if LAYOUT else os.path.join(build, 'lib')


def shim(build=BUILD):
    """The library that gives a program the render node."""
    folder = libraries() if LAYOUT else os.path.join(build, 'emulator', 'shim')
    return os.path.join(folder, 'libatoll-shim.so')


def built():
    """The version and the commit that the libraries were built from, as they say it themselves."""
    try:
        with open(shim(), 'rb') as file:
            found = re.search(rb'\0(\d+\.\d+\.\d+-(?:unknown|[0-9a-f]{7,40})(?:-dirty)?)\0', file.read())
    except OSError:
        found = None
    return found.group(1).decode() if found else 'not built'


def tools():
    """The folders with atoll-dis and the others."""
    if LAYOUT:
        return [os.path.normpath(os.path.join(TOP, LAYOUT['bin']))]
    return [os.path.join(BUILD, 'src', 'tools'), os.path.join(BUILD, 'emulator', 'tools')]


def environment(driver, node=False, build=BUILD):
    """What to set (a value) and to unset (None) for a program to meet DRIVER: one of DRIVERS, or of ISAS',
    CHIPS' or OWN_CHIPS' values.

    NODE gives Atoll's driver the render node, as a program that opens one through GBM needs.
    Stock r600 and panfrost always run on the node, off screen: an X server without DRI3 cannot show them.
    BUILD is the build folder with the driver and the device."""
    change = {name: None for name in FOREIGN}
    node_library = shim(build)
    if ours(driver):
        folder = libraries(build)
        need = [(os.path.join(folder, 'libgallium-25.0.7.so'),
                 "build it with './atoll test' or './atoll demo'")]
        change['GBM_BACKENDS_PATH'] = os.path.join(folder, 'gbm')
        change['__EGL_VENDOR_LIBRARY_FILENAMES'] = os.path.join(folder, 'egl_vendor.json')
    elif driver == 'panfrost':
        folder = ':'.join(os.path.join(PANFROST, part) for part in PANFROST_PARTS)
        need = [(os.path.join(PANFROST, 'egl_vendor.json'), "build panfrost with 'ci/panfrost build'")]
        change['GBM_BACKENDS_PATH'] = os.path.join(PANFROST, 'src', 'gbm', 'backends', 'dri')
        change['__EGL_VENDOR_LIBRARY_FILENAMES'] = os.path.join(PANFROST, 'egl_vendor.json')
        change['ATOLL_NODE'] = 'panthor'
        change['PAN_MESA_DEBUG'] = 'noafbc'  # which the device does not have yet
    elif LAYOUT:
        folder, need = None, []  # the system's own Mesa
    else:
        folder = PEERS_LIB
        need = [(os.path.join(PEERS, '.complete'), "fetch Debian's Mesa with 'ci/setup peers'")]
        change['GBM_BACKENDS_PATH'] = os.path.join(PEERS_LIB, 'gbm')
        change['__EGL_VENDOR_LIBRARY_FILENAMES'] = os.path.join(
            PEERS, 'usr', 'share', 'glvnd', 'egl_vendor.d', '50_mesa.json')
    change['__GLX_VENDOR_LIBRARY_NAME'] = 'mesa'
    if folder:
        change['LD_LIBRARY_PATH'] = join_path(folder, os.environ.get('LD_LIBRARY_PATH'))

    if driver in ON_NODE or node:
        if driver not in ON_NODE and not ours(driver):
            raise Problem(f'{driver} has no render node: --node goes with atoll, r600 and panfrost')
        need.append((node_library, "the render-node shim is not built: './atoll test' builds it"))
        change['LD_PRELOAD'] = join_path(node_library, os.environ.get('LD_PRELOAD'))
        change['EGL_PLATFORM'] = 'surfaceless'
    else:
        change['LIBGL_ALWAYS_SOFTWARE'] = '1'
        # Atoll's library knows no other, and a child without LD_LIBRARY_PATH meets a Mesa that knows
        # no Atoll.
        if not ours(driver):
            change['GALLIUM_DRIVER'] = driver
    if stock(driver):
        change['GALLIUM_DRIVER'] = 'r600'
        if driver != 'r600':
            change['ATOLL_CHIP'] = next(chip for chip, name in CHIPS.items() if name == driver)
    if driver in OWN_CHIPS.values() and driver != 'atoll':
        change['ATOLL_CHIP'] = next(chip for chip, name in OWN_CHIPS.items() if name == driver)
    elif ours(driver) and driver != 'atoll':
        change['ATOLL_ISA'] = next(isa for isa, name in ISAS.items() if name == driver)
    if SANITIZER and (ours(driver) or stock(driver)):
        change.update(sanitizer_environment(change.get('LD_PRELOAD', os.environ.get('LD_PRELOAD'))))

    for path, advice in need:
        if not os.path.exists(path):
            raise Problem(f'{os.path.relpath(path, TOP)} is missing: {advice}')
    return change


# What a user may set for drivers that read it, and a run keeps.
KEPT = {'EGL_PLATFORM': DRIVERS + tuple(ISAS.values()) + tuple(CHIPS.values()) + tuple(OWN_CHIPS.values()),
        **{name: tuple(CHIPS.values()) for name in ('R600_DEBUG', 'RADEON_VA', 'RADEON_THREAD')},
        'PAN_MESA_DEBUG': ('panfrost',)}


def user_environment(driver, node=False):
    """environment() for a program of the user's: its own settings stay where they make sense; the
    second value is a line on each that does not.  And the tools are on PATH."""
    change, warnings = environment(driver, node), []
    for name in FOREIGN:
        there = os.environ.get(name)
        if not there or change.get(name) == there:
            continue
        if driver in KEPT.get(name, ()):
            change.pop(name)
        elif change.get(name):
            warnings.append(f'{name}={there} becomes {change[name]}')
        elif name in KEPT:
            warnings.append(f'{name}={there} is dropped: it is for --driver {KEPT[name][0]}')
        else:
            warnings.append(f'{name}={there} is dropped: it could lead past {driver}')
    if change.get('EGL_PLATFORM', '') is None:
        change.pop('EGL_PLATFORM')
    path = os.environ.get('PATH', '/usr/bin:/bin').split(':')
    change['PATH'] = ':'.join([t for t in tools() if t not in path] + path)
    return change, warnings


def sanitizer_environment(preload):
    """What a program needs besides for a build under a sanitizer; PRELOAD is its LD_PRELOAD.

    The programs themselves, and the rest of the system, are not instrumented: the thread sanitizer
    does not look at what they do, and the address sanitizer not at what they leak."""
    os.makedirs(REPORTS, exist_ok=True)
    options = {'log_path': os.path.join(REPORTS, 'report'), 'print_stacktrace': '1'}
    lists = os.path.join(TOP, 'ci', 'sanitizers')
    if SANITIZER == 'thread':
        runtimes, name = ['libtsan.so'], 'TSAN_OPTIONS'
        options.update(suppressions=os.path.join(lists, 'thread.txt'), history_size='7', exitcode='0',
                       ignore_noninstrumented_modules='1', die_after_fork='0')
    else:
        runtimes, name = ['libasan.so', 'libubsan.so'], 'ASAN_OPTIONS'
        # 64 MiB of what is freed are held back, not 256: resident memory is flat sooner.
        options.update(detect_leaks='0', verify_asan_link_order='0', quarantine_size_mb='64')
    found = [subprocess.run(['gcc', '-print-file-name=' + runtime], check=True, text=True,
                            stdout=subprocess.PIPE).stdout.strip() for runtime in runtimes]
    change = {'LD_PRELOAD': ':'.join(filter(None, [*map(os.path.realpath, found), preload])),
              'ATOLL_SIMD': 'sse2',  # the kernels that are checked
              name: ':'.join(f'{key}={value}' for key, value in options.items())}
    if SANITIZER == 'address':
        # UBSan writes to the program's own output: the program must end for it to be noticed.
        change['UBSAN_OPTIONS'] = 'halt_on_error=1:print_stacktrace=1:suppressions=' + os.path.join(
            lists, 'undefined.txt')
    return change


def sanitizer_reports():
    """What sanitizers have reported since this was asked last, as text; '' if nothing."""
    text = ''
    if SANITIZER and os.path.isdir(REPORTS):
        for name in sorted(os.listdir(REPORTS)):
            path = os.path.join(REPORTS, name)
            with open(path, encoding='utf-8', errors='replace') as file:
                text += file.read()
            os.remove(path)
    return text


def join_path(first, rest):
    """FIRST before what is there already, each folder once."""
    parts = [first] + [p for p in (rest or '').split(':') if p and p != first]
    return ':'.join(parts)


def collected(folder, ending, member):
    """What the processes wrote that the sanitizer for shaders looked at, as one document: the lists of that name
    follow each other."""
    whole = {member: []}
    for path in sorted(glob.glob(os.path.join(folder, '*.' + ending))):
        with open(path, encoding='utf-8') as file:
            one = json.load(file)
        whole = dict(one, **{member: whole[member] + one[member]})
    return whole


def applied(change, **more):
    """The present environment with CHANGE (and MORE) applied."""
    env = dict(os.environ)
    for name, value in {**change, **more}.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    return env


def plain_environment():
    """The present environment without any driver of ours: for an X server, or a tool."""
    return applied({name: None for name in FOREIGN + ('LD_LIBRARY_PATH', 'LD_PRELOAD')})


def die_with_parent():
    """For a child: receive SIGTERM when the process that started it dies."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@contextlib.contextmanager
def display(size='1280x1024', own=False):
    """The DISPLAY to use: the one that is set, or (none set, or OWN) an Xvfb for as long as this
    lasts.  Sets it in this process's environment."""
    before = os.environ.get('DISPLAY')
    if before and not own:
        yield before
        return
    if not shutil.which('Xvfb'):
        raise Problem("there is no DISPLAY and no Xvfb: 'ci/setup packages' installs it")
    read, write = os.pipe()
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            ['Xvfb', '-displayfd', str(write), '-screen', '0', size + 'x24', '-nolisten', 'tcp',
             '-noreset', '+extension', 'GLX'],
            pass_fds=[write], env=plain_environment(), stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, preexec_fn=die_with_parent)
        os.close(write)
        try:
            with os.fdopen(read) as pipe:
                number = pipe.readline().strip()
            if not number:
                log.seek(0)
                raise Problem('Xvfb did not start: ' + log.read().decode(errors='replace').strip())
            os.environ['DISPLAY'] = ':' + number
            yield os.environ['DISPLAY']
        finally:
            if before is None:
                os.environ.pop('DISPLAY', None)
            else:
                os.environ['DISPLAY'] = before
            server.terminate()
            server.wait()


def run(command, env, timeout, **more):
    """Run COMMAND; (exit code, output).  A code below zero is a signal; 'timeout' a code of None.
    The program and what it started are killed at the time-out (seconds; longer under a sanitizer)."""
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True, **more)
    try:
        output = process.communicate(timeout=timeout * SLOWER)[0]
        return process.returncode, output.decode(errors='replace')
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0].decode(errors='replace')
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        raise


def load(name):
    """A program of ci as a module, without running it."""
    global main_guard
    loader = importlib.machinery.SourceFileLoader('atoll_' + name, os.path.join(TOP, 'ci', name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('atoll_' + name, loader))
    guard, main_guard = main_guard, lambda main: None
    try:
        loader.exec_module(module)
    finally:
        main_guard = guard
    return module


def tool(name):
    """A program of ours that the build leaves in <build>/ci."""
    path = os.path.join(libraries() if LAYOUT else os.path.join(BUILD, 'ci'), name)
    if not os.path.exists(path):
        raise Problem(f"{os.path.relpath(path, TOP)} is missing: './atoll test' builds it")
    return path


def other_sums(ours, theirs):
    """Which of the numbers that gl-habits tells a task's result by are not near the other driver's; none
    if one of the two has no numbers."""
    pairs = [(float(a), float(b)) for a, b in zip(ours, theirs)]
    return [i for i, (a, b) in enumerate(pairs) if not abs(a - b) <= max(0.5, 0.03 * max(abs(a), abs(b)))]


def renderer(driver, node=False, **more):
    """GL_RENDERER of an off-screen context on DRIVER; a Problem if it is another driver's."""
    code, output = run([tool('gl-probe')], applied(environment(driver, node), **more), 60)
    found = renderer_line(output)
    if code != 0 or not found:
        raise Problem(f'{driver}: no OpenGL context: {output.strip()[-2000:] or describe(code)}')
    check_renderer(driver, found)
    return found


def check_renderer(driver, name):
    """Refuse a GL_RENDERER that is not DRIVER's.  Atoll and r600 share the chip's name."""
    if RENDERERS[driver] not in name or (stock(driver) and 'atoll' in name):
        raise Problem(f"asked for {driver}, but GL_RENDERER is '{name}'")


def picture(driver, command, frame, path, timeout=120, offscreen=False, **more):
    """Frame FRAME of COMMAND, a GLX or EGL program, on DRIVER as a PNG in PATH.  Needs a display.
    OFFSCREEN: the program uses EGL, and draws off screen on the render node.  MORE is for its
    environment.  Returns what it printed."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    env = applied(environment(driver, offscreen), ATOLL_CAPTURE=path,
                  ATOLL_CAPTURE_FRAME=str(frame), **more)
    if offscreen:
        env['ATOLL_CAPTURE_OFFSCREEN'] = '1'
    env['LD_PRELOAD'] = join_path(tool('libatoll-capture.so'), env.get('LD_PRELOAD'))
    if os.path.exists(path):
        os.remove(path)
    code, output = run(command, env, timeout)
    if code != 0 or not os.path.exists(path):
        raise Problem(f'{driver}: {" ".join(command)}: {describe(code)}\n{output.strip()[-2000:]}')
    check_renderer(driver, renderer_line(output))
    return output


def noop_environment():
    """What environment() gives for stock r600, on Mesa's own no-op render node, told to be a Cayman:
    it executes nothing, and nothing of Atoll is in the process."""
    subprocess.run([os.path.join(TOP, 'ci', 'setup'), 'noop'], check=True)
    peers, noop = version(PEERS), version(NOOP)
    if peers != noop:
        raise Problem(f'the driver is {peers} and the no-op node {noop}: fetch both anew')
    shim = os.path.join(NOOP, 'usr', 'lib', 'x86_64-linux-gnu', 'libradeon_noop_drm_shim.so')
    return {**environment('r600'), 'LD_PRELOAD': shim, 'RADEON_GPU_ID': 'CAYMAN',
            'MESA_LOADER_DRIVER_OVERRIDE': 'r600'}


def version(folder):
    """Of the packages that ci/setup unpacked in FOLDER."""
    with open(os.path.join(folder, '.complete'), encoding='ascii') as file:
        return file.read().strip()


def offers(env, driver='r600'):
    """What gl-offers prints: versions of OpenGL and extensions, a line each, in ENV on DRIVER."""
    code, output = run([tool('gl-offers')], env, 60)
    if code != 0:
        raise Problem(f'gl-offers: {describe(code)}\n{output.strip()[-1000:]}')
    check_renderer(driver, renderer_line(output))
    return re.findall(r'^(?:core|compatibility|es) \S+.*$', output, re.M)


def renderer_line(output):
    """the first GL_RENDERER in a program's output; '' if it did not."""
    found = re.search(r'GL_RENDERER:\s*(.*)', output)
    return found.group(1).strip() if found else ''


def picture_difference(one, other):
    """(share of differing pixels in per cent, mean difference of a channel) of two PNG files."""
    code, output = run([tool('picture-diff'), one, other], plain_environment(), 60)
    if code != 0:
        raise Problem(f'cannot compare {one} with {other}: {output.strip()}')
    share, mean = output.split()
    return float(share), float(mean)


def same_picture(one, other, slack=1):
    """Whether two PNG files show the same within SLACK times the bounds; the figures as text."""
    share, mean = picture_difference(one, other)
    return (share <= slack * PICTURE_SHARE and mean <= slack * PICTURE_MEAN,
            f'{share:.2f} % of pixels differ, mean difference {mean:.2f}')


def describe(code):
    if code is None:
        return 'timed out'
    if code < 0:
        with contextlib.suppress(ValueError):
            return f'killed by {signal.Signals(-code).name}'
        return f'killed by signal {-code}'
    return f'exit code {code}'


class Progress:
    """A line that counts and estimates: rewritten on a terminal, a new one now and then elsewhere."""

    def __init__(self, total, what, every=30.0):
        self.total, self.what, self.every = total, what, every
        self.start = self.last = time.monotonic()
        self.tty = sys.stderr.isatty()
        self.begun = None  # what was done before this run's first item
        self.done = 0  # as step() counts

    def left(self, done, now):
        """What the rest will take at the rate so far, once that is known; ''."""
        if self.begun is None:
            self.begun = max(0, done - 1)
        if done - self.begun < 3 or now - self.start < 5 or done >= self.total:
            return ''
        seconds = (now - self.start) * (self.total - done) / (done - self.begun)
        return f', {seconds / 60:.0f} min left' if seconds >= 90 else f', {seconds:.0f} s left'

    def show(self, done, note=''):
        now = time.monotonic()
        note += self.left(done, now)
        if self.tty:
            if now - self.last >= 0.1 or done == self.total:
                sys.stderr.write(f'\r\x1b[K{self.what} {done}/{self.total} {note}')
                sys.stderr.flush()
                self.last = now
        elif now - self.last >= self.every or done == self.total:
            say(f'{self.what} {done}/{self.total} {note} ({now - self.start:.0f} s)')
            self.last = now

    def step(self, note=''):
        """One more is done."""
        self.done += 1
        self.show(self.done, note)

    def close(self):
        if self.tty:
            sys.stderr.write('\r\x1b[K')
            sys.stderr.flush()


def main_guard(main):
    """Run MAIN; a Problem becomes a message and exit code 1, an interruption 130."""
    try:
        sys.exit(main())
    except Problem as problem:
        say(f'atoll: {problem}')
        sys.exit(1)
    except KeyboardInterrupt:
        say('atoll: interrupted')
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(141)
