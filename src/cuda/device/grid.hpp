/// The shape of one launch, in plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::cuda {

struct Grid {
  unsigned blocks = 1, threads = 1, shared_bytes = 0;
  unsigned blocks_y = 1, threads_y = 1;
  /// Blocks that follow each other run at once and reach into each other's shared memory; they divide
  /// `blocks`.
  unsigned cluster = 1;
  bool together = false;  ///< all blocks run at once, so that they may wait for each other
};

}  // namespace pleiad::cuda
