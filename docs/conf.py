# SPDX-License-Identifier: MIT
# Sphinx configuration: `sphinx-build -b html docs out/docs`.
project = 'Atoll'
author = 'The Atoll developers'
copyright = '2026, The Atoll developers'
extensions = []
html_theme = 'alabaster'
exclude_patterns = []

# `sphinx-build -b man docs out/man`
man_pages = [
    ('man/atoll', 'atoll', 'OpenGL on an emulated GPU', [], 1),
    ('man/atoll-as', 'atoll-as', 'assemble machine code', [], 1),
    ('man/atoll-debug', 'atoll-debug', 'debug a capture, and say what became of a pixel', [], 1),
    ('man/atoll-device', 'atoll-device', 'the emulated GPU in a process of its own', [], 1),
    ('man/atoll-dis', 'atoll-dis', 'disassemble machine code', [], 1),
    ('man/atoll-il', 'atoll-il', 'read, check and convert AMD IL', [], 1),
    ('man/atoll-ilc', 'atoll-ilc', 'compile AMD IL to Cayman machine code', [], 1),
    ('man/atoll-replay', 'atoll-replay', 'run a capture of the device again', [], 1),
    ('man/atoll-run', 'atoll-run', 'run a compute program', [], 1),
]
