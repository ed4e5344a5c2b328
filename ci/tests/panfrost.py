# SPDX-License-Identifier: MIT
"""Stock panfrost on the emulated Mali, where 'ci/panfrost build' has built it; and the programs' cases elsewhere."""
import os

import common
from tests.registry import CHECKS, check_program
from tests.scenes import check_exact, check_scene

# Those of OpenGL 3.1, but for what panfrost does not do (docs/mali.rst).
_SCENES = ('triangle', 'torus', 'mipmaps', 'blend', 'loop', 'targets', 'cube', 'beams', 'depth', 'transfers')


def _on_panfrost(run):
    if not os.path.exists(os.path.join(common.PANFROST, 'egl_vendor.json')):
        raise common.Skip("panfrost is not built: 'ci/panfrost build'")
    return run()


CHECKS.append(('renderer/panfrost', lambda: _on_panfrost(lambda: common.renderer('panfrost'))))
for _name in ('clears', 'dispatches'):
    for _driver in ('atoll', 'llvmpipe'):
        CHECKS.append((f'{_name}/{_driver}', lambda name=_name, driver=_driver: check_program(
            f'gl-{name}', driver, False)))
    CHECKS.append((f'{_name}/panfrost', lambda name=_name: _on_panfrost(lambda: check_program(
        f'gl-{name}', 'panfrost', False))))
for _scene in _SCENES:
    CHECKS.append((f'scene/panfrost/{_scene}', lambda scene=_scene: _on_panfrost(
        lambda: check_scene('panfrost', scene))))
    CHECKS.append((f'exact/panfrost/{_scene}', lambda scene=_scene: _on_panfrost(
        lambda: check_exact('panfrost', scene))))
