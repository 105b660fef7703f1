/// Bodies on a GPU, on which trees are tried.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "engine/force_solver.hpp"
#include "engine/ranks_exchange.hpp"
#include "engine/tree_trial.hpp"
#include "ranks/collective.hpp"

namespace pleiad {

/// P: the precision policy, as of DeviceEngine.
template <class P>
class DeviceTrial final : public TreeTrial {
 public:
  using Real = typename P::Position;
  /// `ranks`, `divide_tree`: as of make_tree_trial. Each rank has a GPU, which has the positions of all
  /// bodies or, where the tree is divided, of its own.
  DeviceTrial(const Bodies& bodies, const Gravity& gravity, Precision precision, ranks::Communicator& ranks,
              DivideTree divide_tree);
  bool can(const TreeSettings& settings) const override;
  void take(const TreeSettings& settings) override;
  void evaluate() override;
  std::vector<Vec3<double>> accelerations(std::span<const std::size_t> chosen) override;
  std::vector<Vec3<double>> own_accelerations(std::span<const std::size_t> own) override;
  TreeWork work() const override { return solver_->work(); }

 private:
  /// Index of the first own body among those of the GPU.
  std::size_t first() const { return divided_ ? 0 : all_.first(); }
  std::span<const Mass<Real>> own() const { return x_.span().subspan(first(), n_); }

  Gravity gravity_;
  cuda::Stream stream_;
  ranks::Collective all_;
  std::unique_ptr<RanksExchange<Real>> exchange_;  ///< of several ranks
  bool divided_ = false;                           ///< the tree
  std::size_t n_;                                  ///< of this rank
  cuda::Buffer<Mass<Real>> x_;                     ///< of all, or of this rank
  cuda::Buffer<Vec4<Real>> sums_;                  ///< of this rank
  std::unique_ptr<ForceSolver<P>> solver_;
};

extern template class DeviceTrial<F32>;
extern template class DeviceTrial<F64>;
extern template class DeviceTrial<Mixed>;

}  // namespace pleiad
