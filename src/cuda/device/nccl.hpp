/// NCCL, which moves data between the GPUs of processes: over NVLink or PCIe on a host, over the network
/// between hosts. It is looked for when it is needed, so that a program runs without it. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace pleiad::cuda {

/// "NCCL 2.28.9"; empty where there is none.
std::string nccl_version();

/// A group of processes with a GPU each. All calls are collective and, apart from the constructor, queued in
/// a stream of the GPU that was present when the group was made. ResourceError with NCCL's own words when a
/// call fails.
class NcclGroup {
 public:
  /// Names a group.
  using Id = std::array<char, 128>;
  /// A new name, for one process to make and all to use.
  static Id make_id();

  NcclGroup(const Id& id, int rank, int ranks);
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  ~NcclGroup();

  // Bytes begins[r] to begins[r + 1] are the part of rank r; all are multiples of eight.

  /// Part r of `data` from rank r to all others.
  void give_to_all(std::byte* data, std::span<const std::size_t> begins, void* stream) const;
  /// Adds up part r of the `data` of all ranks, as 64-bit integers, into `own` of rank r. Where one rank has
  /// a number and all others have zeros, the number arrives with all its bits.
  void add_up(const std::byte* data, std::span<const std::size_t> begins, std::byte* own, void* stream) const;
  /// Part r of `data` to rank r; part r of `to`, which begins at came[r], from rank r.
  void all_to_all(const std::byte* data, std::span<const std::size_t> begins, std::byte* to,
                  std::span<const std::size_t> came, void* stream) const;

 private:
  void* group_ = nullptr;
  int rank_, ranks_;
};

}  // namespace pleiad::cuda
