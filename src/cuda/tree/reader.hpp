/// Reads a list of cells, a warp at a time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/tree/cells.hpp"

namespace pleiad::cuda::tree {

/// Reads the lists of chunks. The number of the next chunk is loaded at once, and is there when it is needed.
class Reader {
 public:
  __device__ Reader(const Lists& lists, List list)
      : lists_(lists), chunk_(list.chunk), left_(list.count), next_(0) {}
  /// The next entries, one per lane; false at the end. Lanes beyond the end get the first one again.
  __device__ bool read(std::uint32_t& entry) {
    if (left_ == 0) return false;
    here_ = left_ < Lists::chunk ? left_ : Lists::chunk;
    left_ -= here_;
    if (left_ > 0) next_ = lists_.next[chunk_];
    const std::uint32_t slot = unsigned(lane_id()) < here_ ? unsigned(lane_id()) : 0;
    entry = lists_.entries[std::size_t{chunk_} * Lists::chunk + slot];
    chunk_ = next_;
    return true;
  }
  /// Number of entries that were read last, and whether this lane's is one of them.
  __device__ std::uint32_t count() const { return here_; }
  __device__ bool mine() const { return unsigned(lane_id()) < here_; }

 private:
  const Lists& lists_;
  std::uint32_t chunk_, left_, next_, here_ = 0;
};

}  // namespace pleiad::cuda::tree
