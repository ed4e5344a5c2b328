# SPDX-License-Identifier: MIT
"""Programs that judge values themselves: counters, images, fetches, samplers; in strict mode, and without a device."""
import re

import common
from tests.registry import (CHECKS, NOTHING, OTHER_ISAS, WHOLE_ISAS, WRONG_VALUES, check, check_program,
                            ended_well, must_fail, variants)
from tests.scenes import every_scene, same_as_plain
from tests.stock import FLAGS, check_flags, check_offers


def counted(driver, stage, **variables):
    """The cases of gl-counters, each with the hash of its values."""
    env = common.applied(common.environment(driver), MESA_SHADER_CACHE_DISABLE='true', **variables)
    code, output = common.run([common.tool('gl-counters'), stage], env, 120)
    ended_well(driver, code, output)
    return re.findall(r'^\S+ [0-9a-f]{16}$', output, re.M)


def check_counters(driver, stage, **more):
    """Values that atomic operations hand out: right in any order, and in the same one always."""
    first = None
    for variables in variants():
        lines = counted(driver, stage, **variables, **more)
        if not lines:
            raise common.Problem(f'no case with {variables}')
        first = first or lines
        if lines != first:
            wrong = [a.split()[0] for a, b in zip(lines, first) if a != b]
            raise common.Problem(f'other values with {variables}: {", ".join(wrong)}')
    return f'{len(first)} cases'


for _driver in ('atoll', 'r600', *WHOLE_ISAS):
    for _stage in ('compute', 'fragment'):
        CHECKS.append((f'counters/{_driver}/{_stage}',
                       lambda driver=_driver, stage=_stage: check_counters(driver, stage)))


def check_images(driver, **variables):
    """Every kind of image and every format comes through a shader's loads and stores."""
    env = common.applied(common.environment(driver), MESA_SHADER_CACHE_DISABLE='true', **variables)
    code, output = common.run([common.tool('gl-images')], env, 120)
    ended_well(driver, code, output)
    return output.strip().splitlines()[-1] + ' images'


for _driver in ('atoll', 'r600', *WHOLE_ISAS):
    CHECKS.append((f'images/{_driver}', lambda driver=_driver: check_images(driver)))


# llvmpipe takes the mean of two levels' least or greatest texels where they are floats.
CHECKS.append(('fetch/llvmpipe', lambda: check_program('gl-fetch', 'llvmpipe', False)))
for _driver in ('atoll', *WHOLE_ISAS):
    for _name in ('fetch', 'reduce'):
        CHECKS.append((f'{_name}/{_driver}', lambda driver=_driver, name=_name: check_program(
            f'gl-{name}', driver, True)))


# Stock r600 smooths no lines, and has points of the size that a program asks for, be it none.
for _driver, _groups in (('atoll', ()), ('valhall', ()), ('attila', ()), ('r600', ('depth', 'lines', 'rectangles'))):
    CHECKS.append((f'primitives/{_driver}', lambda driver=_driver, groups=_groups: check_program(
        'gl-primitives', driver, driver == 'atoll', *groups)))


def check_samplers(driver, **variables):
    """Texture lookups in every stage answer what the textures' contents say."""
    env = common.applied(common.environment(driver), MESA_SHADER_CACHE_DISABLE='true', **variables)
    code, output = common.run([common.tool('gl-samplers')], env, 120)
    ended_well(driver, code, output)
    return output.strip().splitlines()[-1] + ' lookups in a stage'


# Not r600: its compiler ends the process at a comparison in a rectangle.
for _driver in ('atoll', 'llvmpipe', *WHOLE_ISAS):
    CHECKS.append((f'samplers/{_driver}', lambda driver=_driver: check_samplers(driver)))


def check_strict(driver):
    """What a kernel's checker would refuse is not in the streams, and nothing else changes."""
    variables = {'ATOLL_STRICT': '1', 'ATOLL_DEBUG': 'device'}

    def one(scene):
        same, output = same_as_plain(driver, scene, **variables)
        if 'refused' in output:
            raise common.Problem(output.strip()[-2000:])
        if not same:
            raise common.Problem('another picture')
    text = every_scene(driver, one)
    if driver == 'attila':
        return text
    for stage in ('compute', 'fragment'):
        if counted(driver, stage, **variables) != counted(driver, stage):
            raise common.Problem(f'{stage}: other values')
    check_images(driver, **variables)
    if driver != 'r600':
        check_samplers(driver, **variables)
        check_program('gl-fetch', driver, False, **variables)
        check_program('gl-reduce', driver, False, **variables)
    return text


for _driver in ('atoll', 'r600', *OTHER_ISAS):
    CHECKS.append((f'strict/{_driver}', lambda driver=_driver: check_strict(driver)))


@check('control/offers')
def _():
    must_fail('offers/r600', 'lacks compatibility GL_ARB_compute_shader', check_offers,
              MESA_EXTENSION_OVERRIDE='-GL_ARB_compute_shader')
    must_fail('offers/r600', 'lacks compatibility version 4.5', check_offers, MESA_GL_VERSION_OVERRIDE='4.4COMPAT')


@check('control/flags')
def _():
    for flag in FLAGS:
        must_fail(f'flags/{flag[1]}', r'\w+: another picture than without the flag', check_flags, flag, **NOTHING)
    must_fail('flags/none', 'the flag changes nothing in the streams', check_flags, ('R600_DEBUG', 'none'))


@check('control/counters')
def _():
    for driver in ('atoll', 'r600'):
        for stage in ('compute', 'fragment'):
            must_fail(f'counters/{driver}/{stage}', WRONG_VALUES, check_counters, driver, stage, **NOTHING)
        must_fail(f'images/{driver}', WRONG_VALUES, check_images, driver, **NOTHING)


@check('control/samplers')
def _():
    must_fail('samplers/atoll', WRONG_VALUES, check_samplers, 'atoll', **NOTHING)
    must_fail('fetch/atoll', WRONG_VALUES, check_program, 'gl-fetch', 'atoll', False, **NOTHING)
    must_fail('reduce/atoll', WRONG_VALUES, check_program, 'gl-reduce', 'atoll', False, **NOTHING)
    for name in ('arrays', 'quotients', 'views', 'threes', 'uniforms', 'writes', 'interpolate', 'stencils', 'subgroups', 'depths',
                 'references', 'nesting', 'sequences'):
        must_fail(f'{name}/atoll', WRONG_VALUES, check_program, f'gl-{name}', 'atoll', False, **NOTHING)
