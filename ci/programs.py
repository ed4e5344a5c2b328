# SPDX-License-Identifier: MIT
"""Other people's programs with a fixed amount of work, for `./atoll bench --only programs`.

Each is started, does its frames as fast as it can, and ends: what counts is the time from its start to its
end, and the processor time of all of its processes, shader compilers included.  It prints GL_RENDERER, by
itself or through ci/capture.c.

In commands and variables {scenes} is ci/scenes, {work} a folder of the program's own, which is its home,
and {shared} one of all runs.  With browser=True the page says on the console when it begins and ends.
"""
import contextlib
import dataclasses
import os
import re
import resource
import signal
import subprocess
import tempfile
import time

import common

SCENES = os.path.join(common.TOP, 'ci', 'scenes')
FOLDER = os.path.join(common.OUT, 'bench-programs')
SWIFTSHADER = 'swiftshader'
TIME_LIMIT = 300

CHROMIUM = ('chromium', '--no-sandbox', '--ignore-gpu-blocklist', '--no-first-run', '--user-data-dir={work}/profile',
            '--window-size=820,700', '--disable-background-networking', '--disable-gpu-vsync',
            '--disable-frame-rate-limit', '--enable-logging=stderr', '--app=file://{scenes}/webgl.html#frames')


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    needs: tuple  # packages of Debian
    command: tuple
    ends: tuple = (0,)  # exit codes of a run that did its work
    browser: bool = False
    recorded: tuple = ()  # a command that llvmpipe runs once: it makes {shared}/NAME.trace
    variables: dict = dataclasses.field(default_factory=dict)


def vtk(kind):
    return '/usr/bin/python3', '-B', '{scenes}/volume.py', kind


PROGRAMS = (
    Program('apitrace', ('apitrace', 'apitrace-tracers', 'glmark2-x11'),
            ('glretrace', '--benchmark', '{shared}/apitrace.trace'),
            recorded=('apitrace', 'trace', '-o', '{shared}/apitrace.trace', 'glmark2', '-s', '640x480', '-b',
                      'refract:duration=2.0', '-b', 'shadow:duration=2.0', '-b', 'jellyfish:duration=2.0')),
    # 500 frames of a recorded game that is in the package; each has the same time in the game.
    Program('openarena', ('openarena',),
            ('openarena', '+set', 'r_mode', '-1', '+set', 'r_customwidth', '640', '+set', 'r_customheight', '480', '+set',
             'r_fullscreen', '0', '+set', 'com_hunkMegs', '512', '+set', 's_initsound', '0', '+set', 'net_enabled', '0',
             '+set', 'com_introplayed', '1', '+set', 'timedemo', '1', '+demo', 'demo088-test1', '+wait', '500', '+quit')),
    Program('vtk volume', ('python3-vtk9',), vtk('volume')),
    Program('vtk peeling', ('python3-vtk9',), vtk('peeling')),
    Program('qml', ('qmlscene', 'qml-module-qtquick2', 'qml-module-qtquick-window2'),
            ('/usr/lib/qt5/bin/qmlscene', '{scenes}/frames.qml'),
            variables={'QSG_RENDER_LOOP': 'basic', 'QT_LOGGING_RULES': 'qt.scenegraph.general=true'}),
    Program('mpv', ('mpv',),
            ('mpv', '--no-config', '--vo=gpu', '--gpu-context=x11egl', '--hwdec=no', '--no-audio', '--untimed',
             '--framedrop=no', '--opengl-swapinterval=0', '--profile=gpu-hq', '--osd-level=0', '--no-osc',
             '--geometry=960x540+0+0', '--frames=150',
             'av://lavfi:testsrc2=size=640x360:rate=25:duration=9')),
    Program('chromium', ('chromium',), CHROMIUM + ('--use-gl=angle', '--use-angle=gl-egl'), browser=True),
)

# The browser's own software renderer; beside it nothing of Mesa's is used.
BESIDE = dataclasses.replace(PROGRAMS[-1], command=CHROMIUM + ('--use-gl=angle', '--use-angle=swiftshader',
                                                               '--enable-unsafe-swiftshader'))


def missing(program):
    """What PROGRAM needs and is not there; ''.  VTK's modules come in several packages."""
    if 'python3-vtk9' in program.needs:
        code, _ = common.run(['/usr/bin/python3', '-c', 'import vtkmodules.vtkRenderingVolumeOpenGL2'],
                             common.plain_environment(), 120)
        return 'python3-vtk9' if code != 0 else ''
    absent = []
    for name in program.needs:
        code, output = common.run(['dpkg-query', '-W', '-f', '${Status}', name], common.plain_environment(), 60)
        if code != 0 or 'ok installed' not in output:
            absent.append(name)
    return ' '.join(absent)


def environment(program, driver, work):
    runtime = os.path.join(work, 'run')
    os.mkdir(runtime, 0o700)
    env = common.applied(
        common.plain_environment() if driver == SWIFTSHADER else common.environment(driver),
        PATH='/usr/local/bin:/usr/bin:/bin:/usr/games', HOME=work, XDG_RUNTIME_DIR=runtime, XDG_CONFIG_HOME=None,
        XDG_CACHE_HOME=None, XDG_DATA_HOME=None, WAYLAND_DISPLAY=None, LC_ALL='C.UTF-8', NO_AT_BRIDGE='1',
        QT_QPA_PLATFORM='xcb', SDL_VIDEODRIVER='x11', SDL_AUDIODRIVER='dummy', ALSOFT_DRIVERS='null', vblank_mode='0',
        MESA_SHADER_CACHE_DISABLE='true', **program.variables)
    if not program.browser:
        env['LD_PRELOAD'] = common.join_path(common.tool('libatoll-capture.so'), env.get('LD_PRELOAD'))
        env['ATOLL_CAPTURE_LOG'] = os.path.join(work, 'swaps')
    return env


def renderers(program, work, output):
    text = output
    for name in os.listdir(work):
        if name.startswith('swaps.'):
            with open(os.path.join(work, name), encoding='utf-8', errors='replace') as file:
                text += file.read()
    return re.findall(r'GL_RENDERER: (.*?)(?: frames:|"|$)', text, re.M)


def session_seconds(leader):
    """Processor seconds so far of LEADER's session, its dead children included."""
    ticks = 0
    for number in os.listdir('/proc'):
        if not number.isdigit():
            continue
        try:
            with open(f'/proc/{number}/stat', encoding='utf-8', errors='replace') as file:
                words = file.read().rpartition(')')[2].split()
        except OSError:
            continue
        if int(words[3]) == leader:
            ticks += sum(map(int, words[11:15]))
    return ticks / os.sysconf('SC_CLK_TCK')


def end_session(leader):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def browse(process, path):
    """Wall and processor seconds between the page's two messages."""
    begin, deadline = None, time.monotonic() + TIME_LIMIT
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
        with open(path, encoding='utf-8', errors='replace') as file:
            text = file.read()
        if begin is None and 'frames begin' in text:
            begin = time.monotonic(), session_seconds(process.pid)
        found = re.search(r'frames end ([\d.]+)', text)
        if found and begin:
            return float(found.group(1)) / 1000, session_seconds(process.pid) - begin[1]
    raise common.Problem('the page did not end: ' + text.strip()[-300:])


def run(program, driver):
    """Wall and processor seconds of PROGRAM's work on DRIVER."""
    os.makedirs(FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='atoll-program-', ignore_cleanup_errors=True) as work:
        words = {'scenes': SCENES, 'work': work, 'shared': FOLDER}
        command = [word.format(**words) for word in program.command]
        log = os.path.join(work, 'output')
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(log, 'wb') as file:
            begin = time.monotonic()
            process = subprocess.Popen(command, env=environment(program, driver, work), cwd=work,
                                       stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                       start_new_session=True)
            try:
                if program.browser:
                    wall, processor = browse(process, log)
                else:
                    code = process.wait(TIME_LIMIT)
                    wall = time.monotonic() - begin
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            except subprocess.TimeoutExpired:
                raise common.Problem(f'it did not end within {TIME_LIMIT} s') from None
            finally:
                end_session(process.pid)
                process.wait()
        with open(log, encoding='utf-8', errors='replace') as file:
            output = file.read()
        if not program.browser and code not in program.ends:
            raise common.Problem(f'{common.describe(code)}: {output.strip()[-300:]}')
        names = renderers(program, work, output)
        if not names:
            raise common.Problem(f'it names no GL_RENDERER: {output.strip()[-300:]}')
        for name in names:
            if driver == SWIFTSHADER and 'SwiftShader' not in name:
                raise common.Problem(f"asked for SwiftShader, but GL_RENDERER is '{name}'")
            if driver != SWIFTSHADER:
                common.check_renderer(driver, name)
        return wall, processor


def record(program):
    """What the program replays, unless it is there."""
    path = os.path.join(FOLDER, program.name + '.trace')
    if not program.recorded or os.path.exists(path):
        return
    os.makedirs(FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='atoll-program-') as work:
        command = [word.format(scenes=SCENES, work=work, shared=FOLDER) for word in program.recorded]
        code, output = common.run(command, common.applied(common.environment('llvmpipe'), HOME=work), TIME_LIMIT)
    if code != 0 or not os.path.exists(path):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        raise common.Problem(f'nothing was recorded: {common.describe(code)}: {output.strip()[-300:]}')


def measure(drivers, rounds, only=()):
    """{program: {driver: [(wall, processor), ...]}}: the drivers alternating, the browser on SwiftShader, too."""
    result = {}
    chosen = [program for program in PROGRAMS if not only or program.name in only]
    progress = common.Progress(len(chosen) * rounds, 'atoll: programs')
    for program in chosen:
        absent = missing(program)
        if absent:
            common.say(f'atoll: {program.name}: not installed: {absent}')
            continue
        who = list(drivers) + ([SWIFTSHADER] if program.browser else [])
        runs = result[program.name] = {driver: [] for driver in who}
        with common.display('1280x1024', own=True):
            try:
                record(program)
            except common.Problem as problem:
                common.say(f'atoll: {program.name}: {problem}')
                continue
            for turn in range(rounds):
                for driver in who if turn % 2 == 0 else who[::-1]:
                    try:
                        runs[driver].append(run(BESIDE if driver == SWIFTSHADER else program, driver))
                    except common.Problem as problem:
                        common.say(f'atoll: {program.name} on {driver}: {problem}')
                progress.step(program.name)
    progress.close()
    return result
