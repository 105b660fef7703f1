"""mypy --strict finds nothing in the package FOLDER, stubs included; exit 77, skipped, where mypy is missing."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

configuration, folder = sys.argv[1:]
if subprocess.run([sys.executable, "-c", "import mypy"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
    print("no mypy: pip install mypy")
    sys.exit(77)
sys.exit(subprocess.run([sys.executable, "-m", "mypy", "--config-file", configuration, folder], check=False).returncode)
