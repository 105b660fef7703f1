/// The measured peak rate of multiply-adds, on which the limits of all formulations are based.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace pleiad::bench {

/// Which multiply-adds: in vectors of the widest kind or one at a time, in which type, on how many threads.
struct FmaKind {
  bool vector = true;
  bool f64 = false;
  int threads = 1;
  bool operator==(const FmaKind&) const = default;
};

/// Multiply-adds per second, each lane of a vector counted: the best of `trials` bursts of some 0.2 ms on all
/// threads at once, since whatever disturbs a burst makes it slower. Uses the vector instructions that the
/// kernels will use here. On a machine without fused multiply-add it counts multiplications, which share the
/// port.
double peak_fma(const FmaKind& kind, int trials);

/// Where a measurement gets its peaks from: peak_fma, or a test's own.
using PeakMeter = std::function<double(const FmaKind&, int trials)>;

/// The vector instruction set that peak_fma uses, and the lanes of its fp32 vectors.
std::string_view peak_simd_target();
int peak_lanes_f32();

}  // namespace pleiad::bench
