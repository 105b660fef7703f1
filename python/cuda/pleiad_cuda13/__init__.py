"""Pleiad's kernels for NVIDIA GPUs: the module `_core` once more, with them. `pleiad` imports it when it is needed."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
