/// The two kernels of a meeting (devices.hpp).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/several/devices.hpp"

namespace pleiad::cuda {

/// Longer than any step takes: a device that has not come by then never will.
inline constexpr unsigned long long patience_seconds = 60;

void announce(const Meetings& meetings, void* stream);
void await(const Meetings& meetings, void* stream);

}  // namespace pleiad::cuda
