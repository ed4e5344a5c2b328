# SPDX-License-Identifier: MIT
"""A slice of piglit through each driver."""
import os

import common
from tests.registry import CHECKS, WHOLE_ISAS


def check_piglit(driver, profile, *options):
    isa = next((isa for isa, name in common.ISAS.items() if name == driver), 'cayman')
    command = [os.path.join(common.TOP, 'ci', 'piglit'), '--driver',
               'atoll' if common.ours(driver) else driver, '--isa', isa, '--quiet',
               '--timeout', str(60 * common.SLOWER), *options, profile]
    code, output = common.run(command, dict(os.environ), 1800)
    last = output.strip().splitlines()[-1:] or ['no output']
    if code != 0:
        raise common.Problem(f'{common.describe(code)}\n{output.strip()[-3000:]}')
    return last[0]


def check_rotating(driver):
    """Another part of what the last sweep passed for each commit."""
    code, commit = common.run(['git', '-C', common.TOP, 'rev-parse', 'HEAD'], dict(os.environ), 60)
    if code != 0:
        raise common.Skip('this is no clone: no commit chooses the programs')
    return check_piglit(driver, 'gl31', '--known-good', '--fraction', '0.2', '--by', commit.strip())


for _driver in ('atoll', 'r600'):
    CHECKS.append((f'piglit/{_driver}/smoke', lambda driver=_driver: check_piglit(driver, 'smoke')))
    CHECKS.append((f'piglit/{_driver}/rotating', lambda driver=_driver: check_rotating(driver)))
for _driver in WHOLE_ISAS:
    CHECKS.append((f'piglit/{_driver}/smoke', lambda driver=_driver: check_piglit(driver, 'smoke')))
# ATTILA goes no further than OpenGL 2.1.
CHECKS.append(('piglit/attila/smoke', lambda: check_piglit('attila', 'smoke21')))
