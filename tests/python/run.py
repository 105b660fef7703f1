"""Runs the tests of one file by pytest; exit 77, skipped, where pytest or hypothesis is missing."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import sys

try:
    import hypothesis  # noqa: F401
    import pytest
except ImportError as e:
    print(f"{e}: pip install pytest hypothesis")
    sys.exit(77)

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-rs", *sys.argv[1:]]))
