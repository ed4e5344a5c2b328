# SPDX-License-Identifier: MIT
"""Small scenes off screen: llvmpipe's pictures, the same bits from every executor, thread and build, the same command
streams' memory from another compiler's device, and none without a device.
"""
import functools
import os

import common
from tests.registry import CHECKS, CHIPS, FOLDER, NOTHING, OTHER_ISAS, ended_well, variants
from tests.unit import sanitized


def run_scene(driver, scene, build=common.BUILD, **variables):
    """(path of the picture, output) of a scene."""
    kind = ''.join(f'-{name}={os.path.basename(value)}' for name, value in sorted(variables.items())
                   if value)
    if build != common.BUILD:
        kind += '-' + os.path.basename(build)
    path = os.path.join(FOLDER, 'scene', f'{scene}-{driver}{kind}.png')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        os.remove(path)
    env = common.applied(common.environment(driver, build=build), MESA_SHADER_CACHE_DISABLE='true',
                         **variables)
    code, output = common.run([common.tool('gl-scene'), scene, path], env, 120)
    ended_well(driver, code, output)
    if not os.path.exists(path):
        raise common.Problem(f'there is no picture\n{output.strip()[-2000:]}')
    return path, output


def draw_scene(driver, scene, build=common.BUILD, **variables):
    return run_scene(driver, scene, build, **variables)[0]


@functools.lru_cache(maxsize=None)
def plain_scene(driver, scene):
    """The picture as it comes: its path, and its bytes."""
    path = draw_scene(driver, scene)
    with open(path, 'rb') as file:
        return path, file.read()


def same_as_plain(driver, scene, **variables):
    """Whether VARIABLES leave the picture as it is, bit for bit; the program's output."""
    path, output = run_scene(driver, scene, **variables)
    with open(path, 'rb') as file:
        return file.read() == plain_scene(driver, scene)[1], output


def check_scene(driver, scene):
    ours = plain_scene(driver, scene)[0]
    same, text = common.same_picture(ours, plain_scene('llvmpipe', scene)[0])
    if not same:
        raise common.Problem(f"not llvmpipe's picture: {text} ({os.path.relpath(ours, common.TOP)})")
    return text


@functools.lru_cache(maxsize=None)
def all_scenes(*version):
    code, output = common.run([common.tool('gl-scene'), '--list', *version], common.plain_environment(), 60)
    if code != 0:
        raise common.Problem(f'gl-scene --list: {common.describe(code)}\n{output}')
    return output.split()


# What OpenGL with the old functions too goes up to, where that is not enough for all scenes.
LEVELS = {'attila': ['21'], 'r600-r600': ['21'], 'r600-rv770': ['30']}


def scenes_of(driver):
    # Stock r600 ignores polygon stipple and the smoothing of lines.  Chips of five slots do not over-rasterize,
    # as Atoll's driver does to smooth.
    ignored = ('stipple', 'smooth') if common.stock(driver) else ('smooth',) if driver in CHIPS else ()
    if driver == 'r600-rv770':
        ignored += ('beams',)  # of R700 the driver has four samples at other positions than llvmpipe
    return [s for s in all_scenes(*LEVELS.get(driver, ())) if s not in ignored]


def every_scene(driver, function):
    """FUNCTION of each scene that the driver can draw; how many those were."""
    count = 0
    for scene in scenes_of(driver):
        try:
            function(scene)
            count += 1
        except common.Problem as problem:
            raise common.Problem(f'{scene}: {problem}') from None
    return f'{count} scenes'


def check_control(driver):
    """And the program must live."""
    def one(scene):
        same, text = common.same_picture(draw_scene(driver, scene, **NOTHING),
                                         plain_scene('llvmpipe', scene)[0])
        if same:
            raise common.Problem(f'the picture is right without a shader having run: {text}')
    return every_scene(driver, one)


for _driver in ('atoll', 'r600', *CHIPS, *OTHER_ISAS):
    CHECKS.append((f'control/{_driver}', lambda driver=_driver: check_control(driver)))


def check_exact(driver, scene):
    """One picture, bit for bit, on any number of threads and any instruction set.  A GPU of panthor is in the
    program's process alone."""
    tried = [one for one in variants() if driver != 'panfrost' or 'ATOLL_DEVICE' not in one]
    for variables in tried:
        if not same_as_plain(driver, scene, **variables)[0]:
            raise common.Problem(f'another picture with {variables}')
    return ', '.join(value for one in tried for value in one.values())


def capture_path(driver, scene):
    return os.path.join(FOLDER, f'{scene}-{driver}.cs')


def captured(driver, scene, **variables):
    """The command streams of a scene, with the memory they use."""
    path = capture_path(driver, scene)
    if os.path.exists(path):
        os.remove(path)
    draw_scene(driver, scene, ATOLL_CS_CAPTURE=path, **variables)
    with open(path, 'rb') as file:
        return file.read()


def replayed(build, capture):
    code, output = common.run([os.path.join(build, 'emulator', 'tools', 'atoll-replay'), capture],
                              common.plain_environment(), 300)
    # 4: memory is not what it was when captured, since the program went on meanwhile.
    if code not in (0, 4):
        raise common.Problem(f'atoll-replay: {common.describe(code)}\n{output[-2000:]}')
    return [line.split()[3] for line in output.splitlines() if ' client ' in line]


def check_streams(driver, scene):
    """A scene's command streams leave the same memory on a device that the other compiler built."""
    captured(driver, scene)
    capture = capture_path(driver, scene)
    ours = replayed(common.BUILD, capture)
    sanitized('address', [['ninja', 'emulator/tools/atoll-replay']])
    theirs = replayed(os.path.join(common.BUILD, 'sanitizer', 'address'), capture)
    if not ours or ours != theirs:
        raise common.Problem(f'{len(ours)} and {len(theirs)} submissions, and not the same memory after')
    return f'{len(ours)} submissions'


def check_clang(driver, scene):
    """Another compiler's driver, shader compiler and device: the same picture."""
    pictures = []
    for build in (common.BUILD, os.environ['ATOLL_BUILD_CLANG']):
        with open(draw_scene(driver, scene, build), 'rb') as file:
            pictures.append(file.read())
    if pictures[0] != pictures[1]:
        raise common.Problem("clang's build draws another picture than gcc's")
    return f'{len(pictures[0])} bytes of PNG'


def declare_scenes():
    for driver in ('atoll', 'r600', *CHIPS, *OTHER_ISAS):
        for scene in scenes_of(driver):
            CHECKS.append((f'scene/{driver}/{scene}',
                           lambda driver=driver, scene=scene: check_scene(driver, scene)))
        for scene in scenes_of(driver):
            CHECKS.append((f'exact/{driver}/{scene}',
                           lambda driver=driver, scene=scene: check_exact(driver, scene)))
            CHECKS.append((f'streams/{driver}/{scene}',
                           lambda driver=driver, scene=scene: check_streams(driver, scene)))
            if 'ATOLL_BUILD_CLANG' in os.environ:
                CHECKS.append((f'clang/{driver}/{scene}',
                               lambda driver=driver, scene=scene: check_clang(driver, scene)))
