/// Measures the scales of the error-controlled MAC (Dehnen 2014, Computational Astrophysics and
/// Cosmology 1, 1, sections 3.3 and 4.4).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_SCALES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_SCALES_INL_H_
#undef PLEIAD_TREE_SCALES_INL_H_
#else
#define PLEIAD_TREE_SCALES_INL_H_
#endif

#include "core/threads.hpp"
#include "tree/cpu/accelerations.hpp"
#include "tree/cpu/moments-inl.h"
#include "tree/cpu/pass.hpp"
#include "tree/scales.hpp"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

/// P_n = |sum m (x - c)^n|, the norm of the tensor of order n: it is m r^n for one body, whatever the
/// direction. Of order p, which has not been computed: about r P_(p-1), or r^2 P_(p-2) where odd
/// orders cancel, as between two equal bodies.
template <int p, class M>
void measure_powers(std::uint32_t c, const Moments<M>& up, Scales& scales) {
  const M* record = up.record(c);
  const double unit = double(record[Record<p>::unit]);
  double factorial[p + 1] = {1}, power[p + 1] = {double(record[Record<p>::m])}, scale = unit;
  for (int n = 1; n <= p; ++n) factorial[n] = n * factorial[n - 1];
  for (int n = 2; n < p; ++n) {
    scale *= unit;
    double sum = 0;
    for (int id = below(n); id < below(n + 1); ++id) {
      // A moment is the sum over (a! b! c!), up to its sign; the tensor has n! / (a! b! c!) such components.
      const auto e = exponents(id);
      const double m = double(record[Record<p>::full + moment_index(id) - 1]);
      sum += m * m * factorial[e.a] * factorial[e.b] * factorial[e.c];
    }
    power[n] = scale * std::sqrt(factorial[n] * sum);
  }
  power[p] = up.radius[c] * std::max(power[p - 1], up.radius[c] * power[p - 2]);
  for (int n = 0; n <= p; ++n)
    scales.weights[std::size_t(n)][c] = power[n] * factorial[p] / (factorial[n] * factorial[p - n]);
}

/// Powers of all cells that have none yet.
template <int p, class M>
void measure_powers(const Tree& tree, const Moments<M>& up, Scales& scales) {
  const std::size_t cells = tree.cells.size();
  constexpr std::size_t piece = 256;
  scales.resize(cells, p);
  parallel_for((cells + piece - 1) / piece, [&](std::size_t b) {
    for (std::size_t c = b * piece; c < std::min(cells, (b + 1) * piece); ++c)
      if (!tree.given(std::uint32_t(c))) measure_powers<p>(std::uint32_t(c), up, scales);
  });
}

/// The parts of an evaluation that are the same for all methods.
template <int p, class M>
void prepare(const Tree& tree, Memory<M>& memory, const Pass& pass) {
  const bool by_error = pass.tolerance > 0;
  if (pass.does(Stage::moments)) {
    make_moments<p>(tree, memory.moments);
    if (by_error) measure_powers<p>(tree, memory.moments, memory.scales);
  }
  if (by_error && pass.does(Stage::accelerations))
    measure_accelerations(tree, memory.moments, pass, memory.scales);
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
