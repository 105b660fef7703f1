/// Kernels that every check must reject.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <span>

namespace pleiad {
std::span<const DirectKernel* const> broken_kernels();
}
