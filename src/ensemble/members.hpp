/// What an ensemble asks of the place where its members live.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/ensemble.hpp>

#include <memory>
#include <span>
#include <vector>

namespace pleiad {

class Members {
 public:
  virtual ~Members() = default;
  /// Each member that is going at most `limit` steps towards `time`; true when all that still go are there.
  virtual bool run_towards(double time, std::uint64_t limit, std::span<Standing> standings) = 0;
  virtual const Gravity& gravity(std::size_t k) const = 0;
  virtual const Method& method(std::size_t k) const = 0;
  virtual const Clock& clock(std::size_t k) const = 0;
  virtual Snapshot snapshot(std::size_t k) = 0;
  virtual EngineDescription describe() const = 0;
  virtual double interactions() const = 0;
};

std::unique_ptr<Members> make_host_members(std::vector<Member> members, const EngineOptions& options);

}  // namespace pleiad
