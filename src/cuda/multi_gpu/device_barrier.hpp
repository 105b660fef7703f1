/// The two kernels of a device barrier (devices.hpp).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/multi_gpu/devices.hpp"

namespace pleiad::cuda {

/// Longer than any step takes: a device that has not come by then never will.
inline constexpr unsigned long long patience_seconds = 60;

void signal(const BarrierState& barrier_state, void* stream);
void wait_for_signals(const BarrierState& barrier_state, void* stream);

}  // namespace pleiad::cuda
