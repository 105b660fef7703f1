/// A rung on the GPU, or its emulation, against the oracle.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "rung_checks.hpp"

#include "cuda/evaluate.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>

namespace pleiad::conformance {
namespace {

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

/// Scenes whose numbers single precision cannot hold as they are: most rungs do not rescale.
template <class P>
bool too_wide(const Scene& scene) {
  return (scene.name == "galaxy in cm" && !std::is_same_v<typename P::Math, double>) ||
         (scene.name == "far away" && std::is_same_v<P, F32>);
}

std::size_t targets_of(const Setup& s) { return s.count == 0 ? s.n : s.count; }
Boundary boundary_of(const Setup& s) { return {s.periodic, {1, 1, s.scene.name == "flat" ? 0.0 : 1.0}}; }

/// Bodies and the oracle's answer, asked for once for all kernels.
template <class P>
struct Answered {
  std::vector<Mass<typename P::Position>> sources;
  std::vector<Expected> wanted;
  double extent = 0;
};
template <class P>
const Answered<P>& answered(const Setup& s) {
  static std::map<std::tuple<std::string_view, std::size_t, bool, std::size_t, std::size_t>, Answered<P>>
      known;
  const auto [at, is_new] = known.try_emplace({s.scene.name, s.n, s.periodic, s.first, s.count});
  if (!is_new) return at->second;
  auto& a = at->second;
  a.sources = rounded<P>(bodies_of(s.scene, s.n, s.periodic));
  const auto wide = widened<typename P::Position>(a.sources);
  a.wanted = expected(std::span<const Mass<double>>(wide).subspan(s.first, targets_of(s)), wide,
                      {s.scene.eps}, boundary_of(s), static_cast<std::ptrdiff_t>(s.first));
  a.extent = s.periodic ? 1 : extent_of(wide);
  return a;
}

bool covered(const Traits& t, const Setup& s) {
  return (!s.periodic || t.periodic) && (!s.potential || t.potential) &&
         ((s.first == 0 && s.count == 0) || t.separate_targets);
}

template <class P>
void check(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  if (!kernel.has(precision_of<P>) || too_wide<P>(s.scene)) return;
  const auto words = [&] {
    return std::string(kernel.name) + " " + std::string(name_of(precision_of<P>)) + ", " +
           std::string(s.scene.name) + ", N = " + std::to_string(s.n) + ", shape " +
           std::to_string(shape.threads_per_block) + "/" + std::to_string(shape.bodies_per_thread) + "/" +
           std::to_string(shape.threads_per_body) + "/" + std::to_string(shape.source_splits) + "/" +
           std::to_string(shape.blocks) + (s.periodic ? ", periodic" : "") +
           (s.potential ? ", potential" : "");
  };
  if (covered(kernel.traits, s)) {
    EXPECT_LE((worst<P>(kernel, shape, s)), 1) << words();
  } else {
    EXPECT_THROW((worst<P>(kernel, shape, s)), UsageError) << words();
  }
}

}  // namespace

template <class P>
double worst(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  const auto& [sources, wanted, extent] = answered<P>(s);
  const std::size_t count = targets_of(s);
  const Boundary boundary = boundary_of(s);
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  std::vector<Vec4<typename P::Sum>> sums(count, {nan, nan, nan, nan});
  const PairProblem<P> problem{.targets = std::span(sources).subspan(s.first, count),
                               .sources = sources,
                               .sums = sums,
                               .softening = {s.scene.eps},
                               .boundary = boundary,
                               .self = static_cast<std::ptrdiff_t>(s.first),
                               .potential = s.potential,
                               .stream = nullptr};
  try {
    cuda::evaluate(kernel, problem, shape);
  } catch (const std::logic_error&) {  // the emulator found threads that wait in vain
    return std::numeric_limits<double>::infinity();
  }
  const auto e = errors<P>(sums, wanted, extent, s.potential,
                           moved_by<P>(kernel, widened<typename P::Position>(sources)));
  const double all = std::max(e.worst, e.worst_potential);
  return std::isnan(e.worst) || std::isnan(e.worst_potential) ? std::numeric_limits<double>::infinity() : all;
}
template double worst<F32>(const DirectKernel&, const LaunchShape&, const Setup&);
template double worst<F64>(const DirectKernel&, const LaunchShape&, const Setup&);
template double worst<Mixed>(const DirectKernel&, const LaunchShape&, const Setup&);

void check_rung(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  check<F32>(kernel, shape, s);
  check<F64>(kernel, shape, s);
  check<Mixed>(kernel, shape, s);
}

}  // namespace pleiad::conformance
