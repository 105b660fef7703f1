/// The three lines that NVIDIA's sample nbody prints, for full steps of Pleiad.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/engine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace pleiad::bench {

struct SampleOptions {
  std::size_t n = 65536;
  std::uint64_t iterations = 10;
  EngineOptions engine{.precision = Precision::f32};
};

/// Semi-implicit Euler steps of a Plummer sphere, 20 (f64: 30) flops an interaction; the time is the host's,
/// from the first launch to the end of the last.
std::string cuda_samples_lines(const SampleOptions& options);

}  // namespace pleiad::bench
