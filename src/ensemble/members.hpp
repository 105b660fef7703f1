/// The interface of an ensemble to its members on the host or a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/ensemble.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pleiad {

class Members {
 public:
  virtual ~Members() = default;
  /// Each member that is going at most `limit` steps towards `time`; true when all that still go are there.
  virtual bool run_towards(double time, std::uint64_t limit, std::span<MemberStatus> statuses) = 0;
  void limit_steps(std::uint64_t most) { most_steps_ = most; }
  virtual const Gravity& gravity(std::size_t k) const = 0;
  virtual const Method& method(std::size_t k) const = 0;
  virtual const Clock& clock(std::size_t k) const = 0;
  virtual Snapshot snapshot(std::size_t k) = 0;
  virtual EngineDescription describe() const = 0;
  virtual double interactions() const = 0;
  /// See Ensemble::diagnose.
  virtual std::vector<MemberDiagnostics> diagnose(std::span<const std::size_t> which);

 protected:
  std::uint64_t most_steps() const { return most_steps_; }
  /// Number of steps, at most `limit`, that a member after `step` steps may still make.
  std::uint64_t allowed(std::uint64_t limit, std::uint64_t step) const {
    return most_steps_ == 0 ? limit : std::min(limit, most_steps_ - std::min(most_steps_, step));
  }

 private:
  std::uint64_t most_steps_ = 0;
};

/// Makes members on the GPU if it, or a kernel of it, is requested by name, or if nothing is requested and it
/// supports them and is faster; else on the CPU. `of_all_ranks`: the number of systems of the whole ensemble,
/// on which that depends; 0: these are all.
std::unique_ptr<Members> make_members(std::vector<Member> members, const EngineOptions& options,
                                      std::size_t of_all_ranks = 0);
/// `remark` is added to the reason for the kernel.
std::unique_ptr<Members> make_host_members(std::vector<Member> members, const EngineOptions& options,
                                           std::string remark);

}  // namespace pleiad
