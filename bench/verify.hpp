/// Every kernel against the reference, for users: kernels x precisions x shapes x difficult sizes x
/// scenes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"

#include <span>
#include <vector>

namespace pleiad::bench {

struct VerifyOptions {
  std::span<const DirectKernel* const> kernels;
  std::vector<Precision> precisions;  ///< empty: all
  std::vector<std::size_t> sizes;     ///< empty: awkward ones
};

/// A row per kernel and precision: cases, the worst error as a fraction of what rounding allows, where that
/// was, and the verdict. Failures are listed in `refused`.
Report verify(const VerifyOptions& options, const Progress& progress);

}  // namespace pleiad::bench
