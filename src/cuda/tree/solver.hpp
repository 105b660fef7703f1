/// A tree's solver on the GPU for bodies on the host. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/forces.hpp"

namespace pleiad::cuda::tree {

/// Brings bodies to the device and sums back; P: F32 or Mixed.
template <class P>
std::unique_ptr<TreeSolver<P>> make_solver(const TreeSettings& settings, FirstRoom room = {});

}  // namespace pleiad::cuda::tree
