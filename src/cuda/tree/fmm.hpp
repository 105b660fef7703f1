/// The fast multipole method, wholly on one GPU or, in parts, on several. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/forces.hpp"

#include <memory>

namespace pleiad::cuda::tree {

/// Finds the accelerations that bodies give each other. It keeps its memory between evaluations, and nothing
/// else: the same bodies give the same bits, whatever came before. P: F32 or Mixed.
template <class P>
class Fmm final : public Forces<typename P::Position> {
 public:
  using Real = typename P::Position;
  /// UsageError for settings that it does not have.
  Fmm(const TreeSettings& settings, void* stream, FirstRoom room = {});
  ~Fmm() override;
  Fmm(const Fmm&) = delete;
  Fmm& operator=(const Fmm&) = delete;

  void begin(const Request<Real>& request) override;
  bool go_on() override;
  std::size_t bytes() const override;

  void measure_phases() override;
  PhaseSeconds phases() override;
  TreeWork work() override;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

extern template class Fmm<F32>;
extern template class Fmm<Mixed>;

}  // namespace pleiad::cuda::tree
