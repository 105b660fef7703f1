/// One case of conformance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/conformance.hpp"

#include "bench/gpu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>

namespace pleiad::conformance {
namespace {

std::size_t targets_of(const Setup& s) { return s.count == 0 ? s.n : s.count; }
Boundary boundary_of(const Setup& s) {
  const bool flat = s.scene.name == "flat" && s.images == Images::nearest;
  return {.periodic = s.periodic, .length = {1, 1, flat ? 0.0 : 1.0}, .images = s.images};
}

/// Bodies and the oracle's answer, asked for once for all kernels.
template <class P>
struct Answered {
  std::vector<Mass<typename P::Position>> sources;
  std::vector<Expected> wanted;
  double extent = 0;
};
template <class P>
const Answered<P>& answered(const Setup& s) {
  static std::map<std::tuple<std::string_view, std::size_t, bool, std::size_t, std::size_t, Images>,
                  Answered<P>>
      known;
  const auto [at, is_new] = known.try_emplace({s.scene.name, s.n, s.periodic, s.first, s.count, s.images});
  if (!is_new) return at->second;
  auto& a = at->second;
  a.sources = rounded<P>(bodies_of(s.scene, s.n, s.periodic));
  const auto wide = widened<typename P::Position>(a.sources);
  a.wanted = expected(std::span<const Mass<double>>(wide).subspan(s.first, targets_of(s)), wide,
                      {s.scene.eps}, boundary_of(s), static_cast<std::ptrdiff_t>(s.first));
  a.extent = s.periodic ? 1 : extent_of(wide);
  return a;
}

}  // namespace

std::string name_of(const Setup& s) {
  return std::string(s.scene.name) + ", N = " + std::to_string(s.n) +
         (s.count != 0
              ? ", targets " + std::to_string(s.first) + " to " + std::to_string(s.first + s.count - 1)
              : "") +
         (s.periodic ? ", periodic" : "") + (s.images == Images::all ? ", all images" : "") +
         (s.potential ? ", potential" : "");
}

bool covered(const DirectKernel& kernel, const Setup& s) {
  const auto& t = kernel.traits;
  return t.knows(boundary_of(s)) && (!s.potential || t.potential) &&
         ((s.first == 0 && s.count == 0) || t.separate_targets);
}

// Positions 1000 away from the origin are 1000 times coarser in single precision than the scene's structure;
// squares of lengths in cm overflow it unless a kernel rescales them, as those on the CPU do in open space.
template <class P>
bool holds(const DirectKernel& kernel, const Setup& s) {
  const bool single = !std::is_same_v<typename P::Math, double>;
  if (s.scene.name == "galaxy in cm" && single) return kernel.device == Device::cpu && !s.periodic;
  if (s.scene.name == "galaxy in cm") return !s.periodic;
  return !(s.scene.name == "far away" && std::is_same_v<P, F32>);
}
template bool holds<F32>(const DirectKernel&, const Setup&);
template bool holds<F64>(const DirectKernel&, const Setup&);
template bool holds<Mixed>(const DirectKernel&, const Setup&);

template <class P>
double worst(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  const auto& [sources, wanted, extent] = answered<P>(s);
  const std::size_t count = targets_of(s);
  const Boundary boundary = boundary_of(s);
  double heaviest = 0;
  for (const auto& body : sources) heaviest = std::max(heaviest, double(body.m));
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  std::vector<Vec4<typename P::Sum>> sums(count, {nan, nan, nan, nan});
  const PairProblem<P> problem{.targets = std::span(sources).subspan(s.first, count),
                               .sources = sources,
                               .sums = sums,
                               .softening = {s.scene.eps},
                               .heaviest = heaviest,
                               .boundary = boundary,
                               .self = static_cast<std::ptrdiff_t>(s.first),
                               .potential = s.potential,
                               .stream = nullptr};
  try {
    if (kernel.device == Device::cuda) bench::evaluate_on_gpu<P>(kernel, problem, shape);
    else kernel.template run<P>()(problem, shape);
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

}  // namespace pleiad::conformance
