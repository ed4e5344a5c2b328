# SPDX-License-Identifier: MIT
"""What programs do to a library, and what Atoll does in them."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import common
from tests.registry import CHECKS, OTHER_ISAS, WHOLE_ISAS, check, check_program


def check_host(case, driver='atoll'):
    command = [common.tool('gl-unload')] if case == 'unload' else [common.tool('gl-host'), case]
    more = {'ATOLL_BUDGET': '1'} if case.startswith('reset') else {}
    code, output = common.run(command, common.applied(common.environment(driver), **more), 120)
    if code != 0:
        raise common.Problem(f'{output.strip()[-2000:]} ({common.describe(code)})')
    if case != 'threads':
        common.check_renderer(driver, common.renderer_line(output))


HOST = ('rounding', 'traps', 'fork', 'contexts', 'shared', 'uploads', 'threads', 'reset')  # of OpenGL 2.1
for _name in (*HOST, 'unload', 'refused', 'limited', 'least', 'patch', 'fork-compiling', 'compilers', 'deleted'):
    CHECKS.append((f'host/{_name}', lambda name=_name: check_host(name)))
for _driver in OTHER_ISAS:
    for _name in HOST:
        CHECKS.append((f'host/{_driver}/{_name}', lambda driver=_driver, name=_name: check_host(name, driver)))
for _driver in WHOLE_ISAS:
    for _name in ('refused', 'limited', 'least'):
        CHECKS.append((f'host/{_driver}/{_name}', lambda driver=_driver, name=_name: check_host(name, driver)))
for _driver in ('atoll', *WHOLE_ISAS):
    for _name in ('arrays', 'views', 'threes', 'blocks', 'offsets', 'uniforms', 'rewrites', 'sequences'):
        CHECKS.append((f'{_name}/{_driver}', lambda driver=_driver, name=_name: check_program(
            f'gl-{name}', driver, True)))
for _driver in ('atoll', *OTHER_ISAS):
    CHECKS.append((f'nesting/{_driver}', lambda driver=_driver: check_program('gl-nesting', driver, False)))
    CHECKS.append((f'depths/{_driver}', lambda driver=_driver: check_program('gl-depths', driver, True)))
for _driver in ('atoll', *WHOLE_ISAS):
    CHECKS.append((f'references/{_driver}', lambda driver=_driver: check_program('gl-references', driver, True)))
# llvmpipe's divisions are the host's.
for _driver in ('atoll', 'llvmpipe', *OTHER_ISAS):
    CHECKS.append((f'quotients/{_driver}', lambda driver=_driver: check_program('gl-quotients', driver, False)))
for _driver in ('atoll', *WHOLE_ISAS):
    for _name in ('writes', 'subgroups'):
        CHECKS.append((f'{_name}/{_driver}', lambda driver=_driver, name=_name: check_program(
            f'gl-{name}', driver, False)))
for _driver in ('atoll', 'llvmpipe', *WHOLE_ISAS):
    for _name in ('interpolate', 'stencils'):
        CHECKS.append((f'{_name}/{_driver}', lambda driver=_driver, name=_name: check_program(
            f'gl-{name}', driver, False)))
for _driver in ('atoll', *OTHER_ISAS):
    CHECKS.append((f'bins/{_driver}', lambda driver=_driver: check_program('gl-bins', driver, True)))
# What takes for ever ends, whatever it is.
for _driver in ('atoll', 'r600', *OTHER_ISAS):
    CHECKS.append((f'budget/{_driver}', lambda driver=_driver: check_program(
        'gl-budget', driver, False, ATOLL_BUDGET='1', ATOLL_THREADS='2')))
# A device in another process may end, too.
for _driver in ('atoll', 'atoll-turks', *WHOLE_ISAS):
    CHECKS.append((f'ends/{_driver}', lambda driver=_driver: check_program(
        'gl-ends', driver, False, ATOLL_DEVICE='process', ATOLL_BUDGET='60')))
# And what takes long is done.
for _driver in ('atoll', *WHOLE_ISAS):
    CHECKS.append((f'long/{_driver}', lambda driver=_driver: check_program('gl-budget', driver, False, 'long')))
# llvmpipe judges what is expected.
for _driver in ('atoll', *OTHER_ISAS, 'llvmpipe'):
    for _name in ('indices', 'cubes'):
        CHECKS.append((f'{_name}/{_driver}', lambda driver=_driver, name=_name: check_program(
            f'gl-{name}', driver, driver != 'llvmpipe' and name == 'cubes')))
CHECKS.append(('host/memory', lambda: check_program('gl-memory', 'atoll', False)))
CHECKS.append(('host/large', lambda: check_program('gl-large', 'atoll', False)))


@check('host/virgl')
def _():
    """A guest whose OpenGL comes from virglrenderer on Atoll has 4.3, the layer's highest: it takes a
    uniform block for itself."""
    server = shutil.which('virgl_test_server')
    if not server:
        raise common.Skip('virgl_test_server is missing (virgl-server)')
    guest = {'GALLIUM_DRIVER': 'virpipe', 'EGL_PLATFORM': 'surfaceless', 'MESA_SHADER_CACHE_DISABLE': 'true'}
    with tempfile.TemporaryDirectory() as folder:
        guest['VTEST_SOCKET_NAME'] = path = os.path.join(folder, 'socket')
        host = subprocess.Popen(
            [server, '--no-fork', '--use-egl-surfaceless', f'--socket-path={path}'], env=common.applied(
                common.environment('atoll'), EGL_PLATFORM='surfaceless'),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=common.die_with_parent)
        try:
            for _ in range(100):
                if os.path.exists(path):
                    break
                time.sleep(0.1)
            env = common.applied(common.environment('llvmpipe'), **guest)
            code, output = common.run([common.tool('gl-offers')], env, 120)
            version = re.search(r'^core version (\S+)$', output, re.M)
            if code != 0 or not version or 'virgl' not in common.renderer_line(output):
                raise common.Problem(f'no guest: {common.describe(code)}\n{output.strip()[-1000:]}')
            if version.group(1) != '4.3':
                raise common.Problem(f'the guest has OpenGL {version.group(1)}')
        finally:
            host.terminate()
            host.wait()
    return f'OpenGL {version.group(1)}'


@check('host/spirv')
def _():
    with open(os.path.join(common.BUILD, 'meson-info', 'intro-dependencies.json'), encoding='utf-8') as file:
        if not any(one['name'] == 'SPIRV-Tools' for one in json.load(file)):
            raise common.Skip('built without SPIRV-Tools, which validate')
    return check_program('gl-spirv', 'atoll', False)


for _name in ('initialised', 'configured', 'terminated', 'used', 'kept', 'alive'):
    CHECKS.append((f'host/forks/{_name}', lambda name=_name: check_program('gl-forks', 'atoll', False, name)))

# llvmpipe's own glRasterPos reads no volumes.
for _driver in ('atoll', *WHOLE_ISAS):
    CHECKS.append((f'host/feedback/{_driver}', lambda driver=_driver: check_program('gl-feedback', driver, False)))
for _driver in ('atoll', *WHOLE_ISAS):
    CHECKS.append((f'host/reset-raster/{_driver}', lambda driver=_driver: check_host('reset-raster', driver)))
CHECKS.append(('host/reset/r600', lambda: check_host('reset', 'r600')))
for _driver in ('valhall', 'llvmpipe'):
    CHECKS.append((f'host/patch/{_driver}', lambda driver=_driver: check_host('patch', driver)))


def check_x11(tool, driver='atoll', *arguments):
    code, output = common.run([common.tool(tool), *arguments], common.applied(common.environment(driver)), 120)
    common.check_renderer(driver, common.renderer_line(output))
    if code != 0:
        raise common.Problem(f'{output.strip()[-2000:]} ({common.describe(code)})')


CHECKS.append(('host/front', lambda: check_x11('gl-front')))
for _name in ('glx', 'egl'):
    CHECKS.append((f'host/turns/{_name}', lambda name=_name: check_x11('gl-turns', 'atoll', name)))
CHECKS.append(('host/windows', lambda: check_x11('gl-windows')))
CHECKS.append(('host/forks/glx', lambda: check_x11('gl-forks', 'atoll', 'glx')))
for _driver in ('atoll', 'llvmpipe', *OTHER_ISAS):
    CHECKS.append((f'host/depth-visuals/{_driver}', lambda driver=_driver: check_x11('gl-depth-visuals', driver)))
CHECKS.append(('host/pixmap', lambda: check_x11('gl-pixmap')))
CHECKS.append(('host/pixmap/llvmpipe', lambda: check_x11('gl-pixmap', 'llvmpipe')))


@check('host/displays')
def _():
    one = os.environ['DISPLAY']
    with common.display(own=True):
        code, output = common.run([common.tool('gl-displays'), one, os.environ['DISPLAY']],
                                  common.applied(common.environment('atoll')), 120)
    if code != 0:
        raise common.Problem(f'{output.strip()[-2000:]} ({common.describe(code)})')
    common.check_renderer('atoll', common.renderer_line(output))


def check_fuzz(driver):
    """The corpus of each target of OpenGL's (./atoll fuzz finds more)."""
    program = os.path.join(common.BUILD, 'tests', 'fuzz', 'fuzz-replay-gl')
    code, output = common.run([program, os.path.join(common.TOP, 'tests', 'fuzz', 'corpus')],
                              common.applied(common.environment(driver)), 300)
    if code != 0:
        raise common.Problem(f'{common.describe(code)}\n{output.strip()[-2000:]}')
    return f'{sum(map(int, re.findall(r": ([0-9]+) inputs$", output, re.M)))} inputs'


for _driver in ('atoll', *WHOLE_ISAS):
    CHECKS.append((f'fuzz/{_driver}', lambda driver=_driver: check_fuzz(driver)))
