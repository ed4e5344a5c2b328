# SPDX-License-Identifier: MIT
"""The checks of ./atoll test, by kind.  Each module adds its own to registry.CHECKS."""
