/// What an ensemble asks of the place where its members live.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/ensemble.hpp>

#include <memory>
#include <string>
#include <vector>

namespace pleiad {

class Members {
 public:
  virtual ~Members() = default;
  /// Each member without a failure at most `limit` steps towards `time`; writes down failures; true when all
  /// others are there.
  virtual bool run_towards(double time, std::uint64_t limit, std::vector<std::string>& failures) = 0;
  virtual const Gravity& gravity(std::size_t k) const = 0;
  virtual const Method& method(std::size_t k) const = 0;
  virtual const Clock& clock(std::size_t k) const = 0;
  virtual Snapshot snapshot(std::size_t k) = 0;
  virtual EngineDescription describe() const = 0;
  virtual double interactions() const = 0;
};

std::unique_ptr<Members> make_host_members(std::vector<Member> members, const EngineOptions& options);

}  // namespace pleiad
