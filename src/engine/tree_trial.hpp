/// Bodies that stay in one place, the host's memory or a GPU's, while trees are tried on them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/self.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/kernel/tree.hpp>
#include <pleiad/precision.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

class TreeTrial {
 public:
  virtual ~TreeTrial() = default;
  /// Whether such trees can be tried here: where the tree must be divided among GPUs, those that can be.
  virtual bool can(const TreeSettings&) const { return true; }
  /// The tree of the evaluations that follow. UsageError for settings that this place or precision has not.
  virtual void take(const TreeSettings& settings) = 0;
  /// All pulls, from the bodies to the sums; returns when they are there. The first after `take` makes room
  /// too. Errors as of a ForceSolver, and on a GPU ResourceError when tree or lists do not fit.
  virtual void evaluate() = 0;
  /// Accelerations of the last evaluation, G included; on several ranks of bodies chosen among all.
  virtual std::vector<Vec3<double>> accelerations(std::span<const std::size_t> chosen) = 0;
  /// Accelerations of bodies of this rank.
  virtual std::vector<Vec3<double>> own_accelerations(std::span<const std::size_t> own) {
    return accelerations(own);
  }
  /// Work of the last evaluation. On a GPU it has bodies and memory only.
  virtual TreeWork work() const = 0;
};

/// ResourceError when there is no such place here, or too little memory. `ranks`: whose bodies these are;
/// calls are collective. `divide_tree`: as an engine on GPUs of these ranks has it.
std::unique_ptr<TreeTrial> make_tree_trial(Device where, const Bodies& bodies, const Gravity& gravity,
                                           Precision precision, ranks::Communicator& ranks = ranks::self(),
                                           DivideTree divide_tree = DivideTree::automatic);

}  // namespace pleiad
