# SPDX-License-Identifier: MIT
"""The docs, and which driver answers."""
import os
import re

import common
from tests.registry import CHECKS, OTHER_ISAS, check, must_fail


@check('docs')
def _():
    """Sphinx makes the pages and the manual pages, and complains of nothing."""
    for builder in ('html', 'man'):
        out = os.path.join(common.OUT, 'docs' if builder == 'html' else 'man')
        code, output = common.run(['/usr/bin/python3', '-m', 'sphinx', '-W', '-q', '-b', builder,
                                   os.path.join(common.TOP, 'docs'), out],
                                  common.plain_environment(), 300)
        if code != 0:
            raise common.Problem(f'{builder}: {output.strip()[-2000:] or common.describe(code)}')
    return ''


@check('renderer/atoll')
def _():
    return common.renderer('atoll')


@check('renderer/r600')
def _():
    return common.renderer('r600')


@check('renderer/chips')
def _():
    """Stock r600 and Atoll's driver meet each chip; a name that no chip has is refused, and another driver."""
    for driver in (*common.CHIPS.values(), *common.OWN_CHIPS.values()):
        common.renderer(driver)
    must_fail('renderer/r600', 'asked for r600, but', common.renderer, 'r600', ATOLL_CHIP='turks')
    must_fail('renderer/atoll', 'asked for atoll, but', common.renderer, 'atoll', ATOLL_CHIP='turks')
    for options, says in ((['--driver', 'r600', '--chip', 'nothing'], common.CHIPS),
                          (['--driver', 'llvmpipe', '--chip', 'turks'], ['--driver r600']),
                          (['--isa', 'valhall', '--chip', 'turks'], ['--isa'])):
        code, output = common.run([os.path.join(common.TOP, 'ci', 'launch'), 'env', *options],
                                  common.plain_environment(), 60)
        if not code or not all(word in output for word in says):
            raise common.Problem(f"{' '.join(options)}: {common.describe(code)}\n{output}")
    return f'{len(common.CHIPS)} chips'


for _driver in OTHER_ISAS:
    CHECKS.append((f'renderer/{_driver}', lambda driver=_driver: common.renderer(driver)))


@check('renderer/another-isa')
def _():
    """A driver on the wrong instruction set is noticed, and a wrong name refused."""
    for driver in OTHER_ISAS:
        must_fail(f'renderer/{driver}', f'asked for {driver}, but', common.renderer, driver, ATOLL_ISA='cayman')
        must_fail('renderer/atoll', 'asked for atoll, but', common.renderer, 'atoll', ATOLL_ISA=driver)
    code, output = common.run([os.path.join(common.TOP, 'ci', 'launch'), 'env', '--isa', 'nothing'],
                              common.plain_environment(), 60)
    if code != 2 or not all(isa in output for isa in common.ISAS):
        raise common.Problem(f'--isa nothing: {common.describe(code)}\n{output}')


@check('renderer/glx')
def _():
    env = common.applied(common.environment('atoll'))
    code, output = common.run(['glxinfo', '-B'], env, 60)
    found = re.search(r'OpenGL renderer string: (.*)', output)
    if code != 0 or not found:
        raise common.Problem(f'glxinfo: {common.describe(code)}\n{output[-1000:]}')
    common.check_renderer('atoll', found.group(1))
    return found.group(1)


@check('renderer/no-other-rasteriser')
def _():
    for name in ('softpipe', 'llvmpipe'):
        env = common.applied(common.environment('atoll'), GALLIUM_DRIVER=name)
        code, output = common.run([common.tool('gl-probe')], env, 60)
        if code == 0:
            raise common.Problem(f'GALLIUM_DRIVER={name} found a driver in our library:\n{output}')
