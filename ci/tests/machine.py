# SPDX-License-Identifier: MIT
"""Checks of ./atoll test that are about the machine around the driver: processes that may not have
what it usually takes, settings that lead past it, an installation, and a sweep in parts.
"""
import contextlib
import ctypes
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

import common
from tests.registry import CHECKS, check

MIB = 1 << 20
CI = os.path.join(common.TOP, 'ci')


def refuse_memfd():
    """For a child: memfd_create() is refused from now on, as in a sandbox."""
    load, equal, answer = 0x20, 0x15, 0x06  # BPF: the system call's number; if it is; return
    errno_eperm, allow, number = 0x00050001, 0x7fff0000, 319
    code = b''.join(struct.pack('=HBBI', *word) for word in (
        (load, 0, 0, 0), (equal, 0, 1, number), (answer, 0, 0, errno_eperm), (answer, 0, 0, allow)))
    text = ctypes.create_string_buffer(code, len(code))
    program = struct.pack('@HP', len(code) // 8, ctypes.addressof(text))
    libc = ctypes.CDLL(None)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        raise OSError('no seccomp')


def limited(name, size):
    return lambda: resource.setrlimit(name, (size, size))


def covered(path, options):
    """For a child: from now on it sees an empty file system at PATH, of its own."""
    def prepare():
        new_user, new_mounts, private = 0x10000000, 0x20000, 0x44000
        libc = ctypes.CDLL(None, use_errno=True)
        if (libc.unshare(new_mounts | (new_user if os.geteuid() else 0)) or
                libc.mount(b'none', b'/', None, private, None) or
                libc.mount(b'none', path.encode(), b'tmpfs', 0, options.encode())):
            raise OSError(ctypes.get_errno(), 'no mounts of its own')
    return prepare


@contextlib.contextmanager
def control_group(limit):
    """A control group that may have LIMIT bytes: its folder."""
    old, new = '/sys/fs/cgroup/memory', '/sys/fs/cgroup'
    first = os.path.exists(os.path.join(old, 'memory.limit_in_bytes'))
    folder = os.path.join(old if first else new, f'atoll-test-{os.getpid()}')
    try:
        os.mkdir(folder)
    except OSError as error:
        raise common.Skip(f'no control group can be made here: {error.strerror}') from None
    try:
        try:
            with open(os.path.join(folder, 'memory.limit_in_bytes' if first else 'memory.max'), 'w',
                      encoding='ascii') as file:
                file.write(str(limit))
        except OSError as error:
            raise common.Skip(f'no control group limits memory here: {error.strerror}') from None
        yield folder
    finally:
        os.rmdir(folder)


SCENE = 'torus'


def scene(path, prepare=None, **variables):
    """What the small scene prints as its picture goes to PATH, in a child that PREPARE makes poorer."""
    env = common.applied(common.environment('atoll'), **variables)
    try:
        code, output = common.run([common.tool('gl-scene'), SCENE, path], env, 60, preexec_fn=prepare)
    except subprocess.SubprocessError:
        raise common.Skip('this machine does not let a process be limited so') from None
    if code != 0:
        raise common.Problem(f'{output.strip()[-1000:]} ({common.describe(code)})')
    common.check_renderer('atoll', common.renderer_line(output))
    with open(path, 'rb') as file:
        return output, file.read()


def drawn(prepare, says='', **variables):
    """A limited process draws what any does, bit for bit; SAYS is in its output."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'picture.png')
        output, picture = scene(path, prepare, **variables)
        if picture != scene(path)[1]:
            raise common.Problem('it draws another picture')
    if says not in output:
        raise common.Problem(f"it does not say '{says}':\n{output[-1000:]}")
    return says


def drawn_in_control_group(limit):
    """The same with LIMIT bytes of memory for the program and all it starts."""
    with control_group(limit) as folder:
        def enter():
            with open(os.path.join(folder, 'cgroup.procs'), 'w', encoding='ascii') as file:
                file.write(str(os.getpid()))
        drawn(enter)
        for name in ('memory.max_usage_in_bytes', 'memory.peak'):
            with contextlib.suppress(FileNotFoundError), open(os.path.join(folder, name), encoding='ascii') as file:
                return f'at most {int(file.read()) // MIB} MiB'
    return ''


def refused(prepare, says):
    """No context there, and a message that tells why."""
    env = common.applied(common.environment('atoll'))
    code, output = common.run([common.tool('gl-probe')], env, 60, preexec_fn=prepare)
    if code == 0 or code is None or code < 0 or says not in output:
        raise common.Problem(f"'{says}' was expected:\n{output[-1000:]} ({common.describe(code)})")
    return says


def card():
    """The node's folder has a card, and EGL's GBM platform starts on it."""
    env = common.applied(common.environment('atoll', node=True))
    code, output = common.run([sys.executable, '-B', '-c', 'import os\nfor n in sorted(os.listdir("/dev/dri")):'
                               ' s = os.stat("/dev/dri/" + n); print(n, os.minor(s.st_rdev))'], env, 60)
    if output.split() != ['card0', '0', 'renderD128', '128']:
        raise common.Problem(f'/dev/dri has {output.strip()}')
    code, output = common.run(['eglinfo', '-B'], env, 60)
    found = re.search(r'^GBM platform:\n(?:.*\n)*?EGL driver name: (.*)', output, re.M)
    if not found or 'platform:' in found.group(0)[len('GBM platform:'):]:
        raise common.Problem(f"EGL's GBM platform does not start ({common.describe(code)})")
    return found.group(1)


def screen():
    """The card has a screen where ATOLL_SCREEN names a file, which shows what was flipped to."""
    def run(path, **variables):
        env = common.applied(common.environment('atoll', node=True), **variables)
        return common.run([common.tool('gl-screen'), path], env, 60)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'screen.ppm')
        code, output = run(path, ATOLL_SCREEN=path)
        if code != 0:
            raise common.Problem(f'{output.strip()[-1000:]} ({common.describe(code)})')
        common.check_renderer('atoll', common.renderer_line(output))
        code, output = run(path, ATOLL_SCREEN=path, ATOLL_BUDGET='1c')
        if 'is not 2060c0' not in output:
            raise common.Problem('the picture is right without a draw having been executed')
        code, output = run(path, ATOLL_SCREEN=None)
        if 'finding a screen' not in output and "the card's master" not in output:
            raise common.Problem(f'there is a screen without ATOLL_SCREEN:\n{output[-500:]}')


def settings():
    """./atoll run keeps what makes sense, and says what it drops."""
    show = ['env']
    env = common.applied({}, EGL_PLATFORM='wayland', R600_DEBUG='nodma', GALLIUM_DRIVER='llvmpipe', DISPLAY=':0')
    code, output = common.run([os.path.join(CI, 'launch'), 'run', *show], env, 60)
    lines = output.splitlines()
    if code != 0 or 'EGL_PLATFORM=wayland' not in lines:
        raise common.Problem(f'EGL_PLATFORM is not kept:\n{output[-1000:]}')
    if any(line.startswith(('GALLIUM_DRIVER=', 'R600_DEBUG=')) for line in lines):
        raise common.Problem(f'GALLIUM_DRIVER and R600_DEBUG reach the program:\n{output[-1000:]}')
    for says in ('atoll: GALLIUM_DRIVER=llvmpipe is dropped', 'atoll: R600_DEBUG=nodma is dropped'):
        if not any(line.startswith(says) for line in lines):
            raise common.Problem(f"it does not say '{says}'")
    path = next(line for line in lines if line.startswith('PATH='))
    if not shutil.which('atoll-dis', path=path[5:]):
        raise common.Problem('atoll-dis is not on PATH')
    code, output = common.run([os.path.join(CI, 'launch'), 'run', '--driver', 'r600', *show], env, 60)
    if 'R600_DEBUG=nodma' not in output.splitlines():
        raise common.Problem(f'R600_DEBUG does not reach r600:\n{output[-1000:]}')


def capturing():
    """./atoll run --capture keeps the frames that --frames says, and they leave the same memory when replayed."""
    def launched(*options):
        command = [os.path.join(CI, 'launch'), 'run', *options, 'glmark2', '-b', 'texture:duration=1', '--size', '64x64']
        return common.run(command, dict(os.environ), 100)

    def replayed(*words):
        got, output = common.run([os.path.join(common.BUILD, 'emulator', 'tools', 'atoll-replay'), *words],
                                 dict(os.environ), 100)
        if got != 0:
            raise common.Problem(f'{words} does not replay: {common.describe(got)}\n{output[-1000:]}')
        return output.splitlines()

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'few')
        code, output = launched('--capture', path, '--frames', '5-6')
        lines = replayed(path) if code == 0 else [output]
        frames = [line for line in lines if line.startswith('frame ')]
        if frames != ['frame 5', 'frame 6'] or not lines[-1].endswith(' 0 differ'):
            raise common.Problem(f'frames 5 and 6 are not captured:\n{lines}')
        # A lit cube: in the middle neither colour nor depth are what it was cleared to.
        from PIL import Image
        for target in '', '.z':
            picture = os.path.join(folder, 'picture.png')
            replayed(f'--png=2.1{target}:{picture}', path)
            with Image.open(picture) as image:
                if image.size != (64, 64) or image.getpixel((32, 32)) == image.getpixel((0, 0)):
                    raise common.Problem(f'the picture of draw 2.1{target} is not of a cube')
        code, output = launched('--capture', path, '--frames', '1000000')
        if code != 0 or 'nothing was captured: the program ended before the frame' not in output:
            raise common.Problem(f'nothing is said of a frame that does not come:\n{output[-1000:]}')
        for options, says in ((['--frames', '3'], 'name its FILE'), (['--capture', path, '--frames', '3-2'], '--frames 3-2: '),
                              (['--capture', path, '--driver', 'llvmpipe'], 'llvmpipe has no device')):
            code, output = launched(*options)
            if code == 0 or says not in output:
                raise common.Problem(f'{options}: {common.describe(code)}\n{output[-1000:]}')
    return f'{lines[-1]}'


def noting():
    """./atoll run --capture keeps markers and labels of KHR_debug and shaders' sources, and atoll-debug breaks at lines of IL."""
    tools = os.path.join(common.BUILD, 'emulator', 'tools')
    with tempfile.TemporaryDirectory() as folder:
        path, script = os.path.join(folder, 'notes'), os.path.join(folder, 'commands')
        code, output = common.run([os.path.join(CI, 'launch'), 'run', '--node', '--capture', path, common.tool('gl-notes')],
                                  dict(os.environ), 100)
        if code != 0:
            raise common.Problem(f'gl-notes: {common.describe(code)}\n{output[-1000:]}')
        code, output = common.run([os.path.join(tools, 'atoll-replay'), '--notes', path], dict(os.environ), 100)
        for says in ('MESA_SHADER_FRAGMENT GLSL1, the tinted one', '   color = sqrt(light) * tint;', 'mul_ieee ', '@load_interpolated_input',
                     'before draw 0: the whole', 'before draw 1: a half, ?[1m not more'):
            if code != 0 or says not in output:
                raise common.Problem(f"'{says}' is not among the notes:\n{output[-3000:]}")
        # The line that multiplies the two coordinates, and the group that does.
        lines = output[output.rindex('il_ps_2_0'):].splitlines()
        line = next(n for n, text in enumerate(lines, 1) if text.startswith('mul_ieee '))
        with open(script, 'w', encoding='ascii') as file:
            file.write(f'break il {line} pixel\ncontinue\nlist 1\nbacktrace\n')
        code, output = common.run([os.path.join(tools, 'atoll-debug'), '--batch', '-x', script, path], dict(os.environ), 100)
        for says in (f'=> il {line}: {lines[line - 1]}', 'MUL_IEEE', '#4 after the marker "the whole"'):
            if code != 0 or says not in output:
                raise common.Problem(f"'{says}' is not what the debugger says:\n{output[-3000:]}")
    return f'line {line}'


def installation():
    """Installed, moved, used, and removed without a trace."""
    with tempfile.TemporaryDirectory() as top:
        first, moved = os.path.join(top, 'first'), os.path.join(top, 'moved')
        code, output = common.run([os.path.join(CI, 'install'), '--prefix', first], dict(os.environ), 600)
        if code != 0:
            raise common.Problem(f'install: {common.describe(code)}\n{output.strip()[-1000:]}')
        os.rename(first, moved)
        command = os.path.join(moved, 'bin', 'atoll')
        env = {**common.plain_environment(), 'HOME': top}
        env.pop('ATOLL_BUILD', None)
        probe = subprocess.run(['find', moved, '-name', 'gl-probe'], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.strip()
        for words in (['run', probe], ['run', '--node', probe]):
            code, output = common.run([command, *words], env, 300, cwd=top)
            common.check_renderer('atoll', common.renderer_line(output))
        code, output = common.run([command, 'doctor'], env, 300, cwd=top)
        if code != 0:
            raise common.Problem(f'doctor: {common.describe(code)}\n{output.strip()[-1000:]}')
        code, output = common.run([command, 'uninstall'], env, 300, cwd=top)
        left = [os.path.join(folder, name) for folder, _, names in os.walk(moved) for name in names]
        if code != 0 or left:
            raise common.Problem(f'uninstall leaves {left[:3]}\n{output[-500:]}')
        return output.strip()


def shards():
    """Three parts, one of them interrupted, judged as one run is."""
    piglit = [os.path.join(CI, 'piglit'), '--quiet']
    chosen = ['--filter', 'glsl-1.[12]0.*(built-in|tex)', 'smoke']

    def ended(*words, code=0):
        got, output = common.run([*piglit, *words], dict(os.environ), 300)
        if got != code:
            raise common.Problem(f'{" ".join(words)}: {common.describe(got)}\n{output[-1000:]}')
        return output.strip().splitlines()[-1]

    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f'{number}.jsonl') for number in (1, 2, 3)]
        whole = ended(*chosen)
        for number, path in enumerate(files, 1):
            ended('--shard', f'{number}/3', '--resume', path, *chosen)
        # A machine that was lost: two results are gone, and half a third.
        with open(files[1], encoding='utf-8') as file:
            lines = file.read().splitlines(keepends=True)
        with open(files[1], 'w', encoding='utf-8') as file:
            file.writelines(lines[:-3] + [lines[-3][:len(lines[-3]) // 2]])
        says = ended('--merge', *files, code=1)
        if ' programs are in none of these files' not in says:
            raise common.Problem(f'an incomplete sweep is judged: {says}')
        ended('--shard', '2/3', '--resume', files[1], *chosen)
        parts = ended('--merge', *files)
        if parts != whole:
            raise common.Problem(f'{parts}; at once: {whole}')
        says = ended('--shard', '2/3', '--resume', files[1], '--driver', 'r600', *chosen, code=1)
        if 'is of another sweep' not in says:
            raise common.Problem(f'results of two sweeps are mixed: {says}')
        return parts


def checks():
    """Each as (name, function), for ./atoll test."""
    space = resource.RLIMIT_AS
    return [
        ('limits/address-space', lambda: drawn(limited(space, 4000000000), 'the GPU\'s has 1024 MiB instead of 8192')),
        ('limits/no-address-space', lambda: refused(limited(space, 140 * MIB), 'has no room for a client')),
        ('limits/data', lambda: drawn(limited(resource.RLIMIT_DATA, 256 * MIB))),
        ('limits/file-size', lambda: drawn(limited(resource.RLIMIT_FSIZE, 512 * MIB))),
        ('limits/open-files', lambda: drawn(limited(resource.RLIMIT_NOFILE, 32))),
        ('limits/no-memfd', lambda: drawn(refuse_memfd)),
        ('limits/small-shm', lambda: drawn(covered('/dev/shm', 'size=4m'))),
        ('limits/no-proc', lambda: drawn(covered('/proc', 'size=1m'))),
        ('limits/control-group', lambda: drawn_in_control_group(64 * MIB)),
        ('limits/one-processor',
         lambda: drawn(lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))),
        ('limits/home', lambda: drawn(None, HOME='/dev/null/home', XDG_CACHE_HOME='/dev/null/home')),
        ('launch/settings', settings),
        ('launch/capture', capturing),
        ('launch/notes', noting),
        ('node/card', card),
        ('node/screen', screen),
        ('install', installation),
        ('piglit/shards', shards),
    ]


def check_node(case):
    code, output = common.run([common.tool('gl-node'), case],
                              common.applied(common.environment('atoll', node=True),
                                             MESA_SHADER_CACHE_DISABLE='true'), 120)
    if code != 0:
        raise common.Problem(f'{output.strip()[-2000:]} ({common.describe(code)})')
    return output.strip().splitlines()[-1]


for _name in ('shaders', 'share', 'given', 'same'):
    CHECKS.append((f'node/{_name}', lambda name=_name: check_node(name)))


CHECKS += checks()


@check('i386')
def _():
    root = os.environ.get('ATOLL_I386')
    if not root:
        raise common.Skip('ATOLL_I386 names no root of Debian for i386: ci/i386 makes one')
    code, output = common.run([os.path.join(common.TOP, 'ci', 'i386'), root], dict(os.environ), 14400)
    if code == 77:
        raise common.Skip(output.strip().splitlines()[-1])
    if code != 0:
        raise common.Problem(f'{output.strip()[-2000:]} ({common.describe(code)})')
    return f"{len(re.findall(r'^[a-z]+/[a-z]+ +[0-9a-f]{16}$', output, re.M))} pictures as in 64 bits"


@check('soak/short')
def check_soak():
    """Four processes that draw, compile, fork and die; ./atoll soak has more, for longer."""
    bad, text = common.load('soak').run(4, 1, 'atoll')
    if bad:
        raise common.Problem('; '.join(bad))
    return text


@check('faults/sample')
def check_faults():
    """What each call of a few programs for memory, files or threads does when it fails; ./atoll faults has more."""
    pattern = r'^(cayman/(triangle|feedback|compute)|valhall/geometry|attila/triangle|node/triangle)$'
    code, output = common.run([os.path.join(CI, 'faults'), pattern], dict(os.environ), 900)
    last = output.strip().splitlines()[-1:] or ['no output']
    if code != 0:
        raise common.Problem(f'{common.describe(code)}\n{output.strip()[-2000:]}')
    return last[0]
