/// Why a launch cannot be: its shape against the limits, in words. Pure, so that it is tested without a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/grid.hpp"

#include <cstddef>
#include <string_view>

namespace pleiad::cuda {

/// Limits of a device and of the registers of a kernel.
struct Limits {
  std::size_t threads = 1024, threads_by_registers = 1024, registers = 0, shared_bytes = 48 << 10,
              blocks = 0x7fffffff, blocks_y = 65535;
  std::size_t cluster = 1;   ///< the most blocks of a cluster; 1: the device has no clusters
  std::size_t together = 0;  ///< the most blocks that run at once; of interest when they must
};

/// Throws UsageError, with the requested number and the limit that it exceeds.
void need_within(const Limits& limits, std::string_view name, const Grid& grid);

/// ResourceError with both numbers when managed memory of `bytes` would not fit into the `free` bytes of the
/// device.
void need_free(std::size_t bytes, std::size_t free);

}  // namespace pleiad::cuda
