# SPDX-License-Identifier: MIT
"""The debugger's --why names the cause of planted faults; ./atoll planted has all of them."""
import common
from tests.registry import check

# Of each stage and most kinds.
SAMPLE = ('swizzle-components-pixel', 'sign-subtracted-vertex', 'precision-integer-geometry', 'uniform-other-control',
          'varying-scalar-evaluation', 'operation-sum-compute', 'texture-unit-pixel', 'BLEND_DEST', 'MASK_GREEN',
          'DEPTH_GREATER', 'VIEWPORT_HALF', 'SCISSOR_RIGHT', 'CULL_ALL', 'STENCIL_REFERENCE', 'UNIFORM_VALUE',
          'ATTRIBUTE_OFFSET', 'TEXTURE_BOUND', 'SAMPLER_FILTER', 'barrier-reversed')


def planted():
    return common.load('planted')


@check('planted/sample')
def _():
    all_of_them = {fault.name: fault for fault in planted().faults()}
    answers = planted().ask_all([all_of_them[name] for name in SAMPLE], 2)
    good, problems, text = planted().summary(answers)
    if problems or not good:
        raise common.Problem('; '.join(f'{answer.fault.name}: not named: {", ".join(wrong)}'
                                       for answer, wrong in problems))
    return text


@check('planted/list')
def _():
    """There are enough, of all kinds and stages."""
    faults = planted().faults()
    kinds, stages = {fault.kind for fault in faults}, {fault.stage for fault in faults}
    wanted = {'swizzle', 'sign', 'precision', 'uniform', 'attribute', 'varying', 'state', 'blend', 'depth', 'viewport',
              'texture', 'barrier'}
    if len(faults) < 200 or len({fault.name for fault in faults}) != len(faults) or wanted - kinds or len(stages) != 7:
        raise common.Problem(f'{len(faults)} faults, kinds {", ".join(sorted(kinds))}, stages {", ".join(sorted(stages))}')
    return f'{len(faults)} faults of {len(kinds)} kinds'


@check('control/planted')
def _():
    """An answer without instructions is not right, nor one about another draw."""
    module = planted()
    fault = next(fault for fault in module.faults() if fault.name == 'swizzle-components-pixel')
    answer = module.ask(fault)
    before, after = {'FS': {'healthy'}}, {'FS': {module.instruction('  2  EXP_DONE: PIX0, R1.yxzw  = 1')}}
    listing = 'draw 1.1: x; surfaces 0\ndraw 1.2: x; surfaces 0\ndraw 1.3: x; surfaces 0\n'
    if not module.judge(fault, answer.text, '', listing, before, after).instruction:
        raise common.Problem('the answer is not the one that is known')
    if module.judge(fault, answer.text.replace('yxzw', 'xyzw'), '', listing, before, after).instruction:
        raise common.Problem('an answer without the instruction passes')
    if module.judge(fault, answer.text.replace('draw 1.2', 'draw 1.9'), '', listing, before, after).draw:
        raise common.Problem('an answer about another draw passes')
