# SPDX-License-Identifier: MIT
# Sphinx configuration: `sphinx-build -b html docs out/docs`.
project = 'Atoll'
author = 'The Atoll developers'
copyright = '2026, The Atoll developers'
extensions = []
html_theme = 'alabaster'
exclude_patterns = []
