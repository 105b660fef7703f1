/// Trees tried on bodies: how long one evaluation takes, and how wrong it is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/arrays.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/tree.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace pleiad::tune {

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One that was tried.
struct Tried {
  std::string kernel;  ///< text of the choice; of direct sums "auto"
  double seconds = 0;  ///< of one evaluation
  ForceErrors errors;  ///< 0 of direct sums, whose rounding is not the planner's matter
  bool meets = false;
  TreeWork work{};  ///< of the last evaluation
};

template <class P>
class Trial {
 public:
  using Real = typename P::Position;
  Trial(const Bodies& bodies, const Gravity& gravity)
      : gravity_(gravity), x_(bodies.size()), sums_(bodies.size()) {
    std::vector<Vec4<Real>> v(bodies.size());
    to_arrays<Real>(bodies, x_, v);
    chosen_ = sample_of(bodies.size(), sample_size(bodies.size()));
    exact_ = exact_accelerations(bodies, gravity, chosen_);
  }

  std::size_t size() const { return x_.size(); }

  /// The shortest of up to three evaluations: other programs take time now and then. One is enough when it
  /// misses the accuracy, takes long, or loses clearly against a `rival` of so many seconds.
  Tried run(const TreeSettings& settings, double accuracy, double rival = 1e300) {
    constexpr double longest = 0.3;  // of all evaluations together
    const auto solver = make_tree_solver<P>(settings);
    double best = evaluate(*solver), spent = best;
    const auto errors = errors_of(found(), exact_);
    const bool meets = errors.p99 <= accuracy;
    for (int k = 1; k < 3 && meets && best < 1.5 * rival && spent + best < longest; ++k) {
      const double took = evaluate(*solver);
      best = std::min(best, took), spent += took;
    }
    return {.kernel = text_of(settings),
            .seconds = best,
            .errors = errors,
            .meets = meets,
            .work = solver->work()};
  }

 private:
  double evaluate(TreeSolver<P>& solver) {
    const double start = seconds();
    solver.evaluate({.targets = x_,
                     .sources = x_,
                     .sums = sums_,
                     .softening = gravity_.softening,
                     .boundary = gravity_.boundary});
    return seconds() - start;
  }
  std::vector<Vec3<double>> found() const {
    std::vector<Vec3<double>> a(chosen_.size());
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const auto& s = sums_[chosen_[k]];
      a[k] = {gravity_.G * double(s.x), gravity_.G * double(s.y), gravity_.G * double(s.z)};
    }
    return a;
  }

  const Gravity& gravity_;
  std::vector<Mass<Real>> x_;
  std::vector<Vec4<typename P::Sum>> sums_;
  std::vector<std::size_t> chosen_;
  std::vector<Vec3<double>> exact_;
};

}  // namespace pleiad::tune
