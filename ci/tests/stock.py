# SPDX-License-Identifier: MIT
"""What Debian's stock r600 offers on the device and does under its own flags; flags of ours."""
import functools
import os
import re

import common
from tests.registry import CHECKS, WHOLE_ISAS, check
from tests.scenes import captured, every_scene, same_as_plain

# Made by ci/noop, which says how.
OFFERS = os.path.join(common.TOP, 'ci', 'r600-offers.txt')
VERSIONS = ('core version 4.5', 'compatibility version 4.5', 'es version 3.1')


@check('offers/r600')
def check_offers(**variables):
    """OpenGL's versions and all extensions are those that the same driver finds on a node without a
    GPU behind it, of other people's making."""
    with open(OFFERS, encoding='ascii') as file:
        expected = {line.strip() for line in file if not line.startswith('#')}
    variables = {'MESA_EXTENSION_OVERRIDE': None, 'MESA_GL_VERSION_OVERRIDE': None, **variables}
    found = set(common.offers(common.applied(common.environment('r600'), **variables)))
    wrong = [f'lacks {line}' for line in sorted(expected.union(VERSIONS) - found)]
    wrong += [f'has {line}' for line in sorted(found - expected)]
    if wrong:
        raise common.Problem('; '.join(wrong[:8]))
    return f'{len(found) - len(VERSIONS)} extensions in {len(VERSIONS)} kinds of context'


def check_same_offers(driver):
    """What the device's fixed functions can do is offered on any instruction set that can use it."""
    # With doubles in software Mesa draws no depth into colours by them.
    without = {f'{kind} GL_NV_copy_depth_to_color' for kind in ('core', 'compatibility', 'es')}
    cayman, found = ({*common.offers(common.applied(common.environment(d)), d)} for d in ('atoll', driver))
    wrong = [f'lacks {line}' for line in sorted(cayman - found - without)]
    wrong += [f'has {line}' for line in sorted(found - cayman)]
    if wrong:
        raise common.Problem('; '.join(wrong[:8]))
    return f'{len(found)} lines'


for _driver in WHOLE_ISAS:
    CHECKS.append((f'offers/{_driver}', lambda driver=_driver: check_same_offers(driver)))


CHECKS.append(('offers/llvmpipe', lambda: common.load('offers').compare()))


FLAGS = [('R600_DEBUG', flag) for flag in ('nodma', 'nohyperz', 'notiling', 'no2d')] + [('RADEON_VA', '1')]


@functools.lru_cache(maxsize=None)
def streams_with(flag, value):
    """Those of a scene that no flag leaves as they are.  Without the driver's thread, what it finds
    busy, and with that what it sends, does not depend on time."""
    return captured('r600', 'depth', RADEON_THREAD='false', **{flag: value})


def check_flags(flag, **variables):
    if streams_with(*flag) == streams_with('R600_DEBUG', None):
        raise common.Problem('the flag changes nothing in the streams')

    def one(scene):
        if not same_as_plain('r600', scene, **{flag[0]: flag[1]}, **variables)[0]:
            raise common.Problem('another picture than without the flag')
    return every_scene('r600', one)


for _flag in FLAGS:
    CHECKS.append((f'flags/{_flag[1] if _flag[1] != "1" else _flag[0]}',
                   lambda flag=_flag: check_flags(flag)))


@check('debug/ir')
def _():
    """The compiler prints its program after each pass, for each stage, and the picture is the same."""
    same, output = same_as_plain('atoll', 'depth', ATOLL_DEBUG='ir')
    if not same:
        raise common.Problem('another picture than without the flag')
    for line in (r'; VS \d+, IR', r'; FS \d+, IR', '; after import', '; after allocate'):
        if not re.search(f'^{line}$', output, re.M):
            raise common.Problem(f'no line "{line}"\n{output[-1000:]}')


@check('flags/samples')
def _():
    """What ATOLL_MAX_SAMPLES says is what a program is offered."""
    for value, samples in ((None, 8), ('4', 4), ('3', 2), ('1', 1), ('0', 1), ('64', 8)):
        env = common.applied(common.environment('atoll'), ATOLL_MAX_SAMPLES=value)
        code, output = common.run([common.tool('gl-probe'), '--samples'], env, 60)
        found = re.search(r'^GL_MAX_SAMPLES: (\d+)$', output, re.M)
        if code != 0 or not found or int(found.group(1)) != samples:
            raise common.Problem(f'ATOLL_MAX_SAMPLES={value}: not {samples} samples\n{output}')
