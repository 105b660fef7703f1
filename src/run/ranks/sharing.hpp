/// The distribution of a new run's bodies over the ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/part.hpp"
#include "ranks/communicator.hpp"
#include "ranks/division.hpp"

#include <pleiad/bodies.hpp>

#include <vector>

namespace pleiad::run {

/// The bodies that the division gives a rank.
Bodies part_of(const Bodies& all, const ranks::Division& division, int rank);

/// Each rank draws the bodies that the division gives it.
class RankSharing final : public Sharing {
 public:
  explicit RankSharing(ranks::Communicator& comm) : comm_(comm) {}
  const ranks::Division& division() const { return division_; }
  BodyRange part_of(std::size_t n) override;
  std::vector<Moments> all(std::vector<Moments> own) override;

 private:
  ranks::Communicator& comm_;
  ranks::Division division_;
};

}  // namespace pleiad::run
