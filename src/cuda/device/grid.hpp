/// The shape of one launch, in plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::cuda {

struct Grid {
  unsigned blocks = 1, threads = 1, shared_bytes = 0;
  unsigned blocks_y = 1, threads_y = 1;
};

}  // namespace pleiad::cuda
