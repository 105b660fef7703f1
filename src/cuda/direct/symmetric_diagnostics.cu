/// Diagnostics: the sweeps of the symmetric rungs with the potential in the same
/// pass, for rows and snapshots. For a pair two multiply-adds more than the
/// rung's, and a shuffle for every K of them: general masses 19 instruction
/// slots instead of 17, equal ones 17 instead of 15; in double precision 21
/// operations instead of
/// 18. One shape for each precision: between the rungs' large one and their
/// small one, whose sums of potentials still fit the registers. The forces of
/// steps are none of this: they keep their kernels and bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/diagnostic_sums.hpp"
#include "cuda/direct/scaled_source.hpp"
#include "cuda/direct/symmetric_f64.hpp"
#include "cuda/direct/symmetric_sum.hpp"

#include <type_traits>

namespace pleiad::cuda {
namespace {

template <class P, class M>
struct Diagnostic {
  using Precision = P;
  using Sums = ExactDiagnosticSums<M>;
  static constexpr std::string_view name = "a diagnostics by symmetric pairs";
  static constexpr const SymmetricSum<P>* diagnostic_sums = nullptr;
};
template <class P>
struct Singles : Diagnostic<P, float> {
  template <class Form, bool along_curve = false>
  static constexpr auto one =
      sweep_of<Form, ExactDiagnosticSums<float>, 2, 8, 8, 7, std::is_same_v<P, Mixed>, along_curve>(0);
  static auto sweeps(const LaunchShape&, std::size_t) {
    if constexpr (std::is_same_v<P, Mixed>)
      return std::array{one<EqualMass>, one<General>, one<FirstOf<EqualMass, General>, true>};
    else return std::array{one<EqualMass>, one<General>};
  }
};
struct Doubles : Diagnostic<F64, double> {
  static auto sweeps(const LaunchShape&, std::size_t) {
    return std::array{sweep_of<EqualMass64, Sums, 4, 4, 16, 3>(0),
                      sweep_of<Accelerations64, Sums, 4, 4, 16, 3>(0)};
  }
};

}  // namespace

constinit const SymmetricSum<F32> diagnostics_f32 = symmetric_sum_of<Singles<F32>>();
constinit const SymmetricSum<F64> diagnostics_f64 = symmetric_sum_of<Doubles>();
constinit const SymmetricSum<Mixed> diagnostics_mixed = symmetric_sum_of<Singles<Mixed>>();

}  // namespace pleiad::cuda
