/// Measures trees on a GPU: time by phases, errors against direct sums in double
/// precision. pleiad_tree_phases MODEL N EPS f32|mixed REPEATS [potential] [periodic] -- SETTINGS..., where
/// MODEL is plummer, uncut, clumps, cube, young (a young universe), merger (two galaxies with halos, lengths
/// in kpc) or king-in-halo. periodic: cube, young and clumps in a box with all images, against Ewald's sums,
/// in place of open space.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/tree_bodies.hpp"
#include "bench/tree_program.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/evaluate.hpp"
#include "cuda/tree/forces.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace pleiad {
extern const DirectKernel direct_ewald;
}

using namespace pleiad;
using namespace pleiad::bench;

namespace {

constexpr std::size_t samples = 2000;
std::size_t sample(std::size_t k, std::size_t n) { return mixed(77 + k) % n; }

/// The value of a sorted sample that this part of it does not exceed.
double upto(double part, const std::vector<double>& sorted) {
  return sorted[std::size_t(part * double(sorted.size())) - 1];
}

std::vector<Vec4<double>> exact(const std::vector<Mass<double>>& bodies, const Boundary& boundary,
                                double eps) {
  std::vector<Mass<double>> targets;
  for (std::size_t k = 0; k < samples; ++k) targets.push_back(bodies[sample(k, bodies.size())]);
  std::vector<Vec4<double>> sums(samples);
  if (boundary.periodic) {
    for (auto& target : targets) target.m = 0;
    direct_ewald.f64({.targets = targets,
                      .sources = bodies,
                      .sums = sums,
                      .softening = {eps},
                      .boundary = boundary,
                      .self = PairProblem<F64>::none,
                      .potential = false},
                     {});
    return sums;
  }
  for (const auto* kernel : cuda_kernels())
    if (kernel->name == "cuda/naive")
      cuda::evaluate<F64>(*kernel, {.targets = targets,
                                    .sources = bodies,
                                    .sums = sums,
                                    .softening = {eps},
                                    .self = PairProblem<F64>::none,
                                    .potential = true});
  // Each sample met itself.
  for (std::size_t k = 0; k < samples; ++k)
    if (eps > 0) sums[k].w += targets[k].m / eps;
  return sums;
}

template <class P>
void measure(const std::vector<Mass<double>>& bodies, const Boundary& boundary,
             const std::vector<Vec4<double>>& right, double eps, int repeats, bool potential,
             const char* settings) {
  using Real = typename P::Position;
  const std::size_t n = bodies.size();
  std::vector<Mass<Real>> own;
  for (const auto& b : bodies) own.push_back({Real(b.x), Real(b.y), Real(b.z), Real(b.m)});
  const cuda::Stream stream;
  const cuda::Buffer<Mass<Real>> on_device(std::span<const Mass<Real>>(own), stream.get());
  cuda::Buffer<Vec4<Real>> sums(n, stream.get());
  sums.set_bytes(0xFF);
  const auto forces = cuda::tree::make_forces<P>(tree_settings_of(settings), stream.get());
  forces->measure_phases();
  std::vector<std::pair<double, cuda::tree::PhaseSeconds>> runs;
  std::vector<Vec4<Real>> first(n), last(n);
  for (int r = 0; r <= repeats; ++r) {
    forces->begin({.bodies = on_device.span(),
                   .sums = {{sums.data()}},
                   .softening = {eps},
                   .potential = potential,
                   .boundary = boundary});
    while (forces->go_on()) {
    }
    const auto phases = forces->phases();
    double all = 0;
    for (const double s : phases) all += s;
    if (r > 0) runs.emplace_back(all, phases);
    if (r == 0) sums.copy_to_host(first);
  }
  sums.copy_to_host(last);
  std::sort(runs.begin(), runs.end());
  const auto& median = runs[runs.size() / 2];
  std::vector<double> errors, potentials;
  for (std::size_t k = 0; k < samples; ++k) {
    const auto& a = last[sample(k, n)];
    const auto& e = right[k];
    const double dx = double(a.x) - e.x, dy = double(a.y) - e.y, dz = double(a.z) - e.z;
    const double error = std::sqrt((dx * dx + dy * dy + dz * dz) / (e.x * e.x + e.y * e.y + e.z * e.z));
    errors.push_back(std::isfinite(error) ? error : 1e9);
    potentials.push_back(std::abs(double(a.w) / e.w - 1));
  }
  std::sort(errors.begin(), errors.end()), std::sort(potentials.begin(), potentials.end());
  const auto work = forces->work();
  const bool walks = tree_settings_of(settings).solver == Solver::barnes_hut;
  const double targets = double(walks ? n : work.cells);
  std::printf("%s%s | %.3f ms |", settings, potential ? " +potential" : "", 1e3 * median.first);
  for (std::size_t k = 0; k < median.second.size(); ++k)
    std::printf(" %s %.3f", std::string(cuda::tree::phase_names[k]).c_str(), 1e3 * median.second[k]);
  std::printf(" | p50 %.1e p99 %.2e max %.1e", upto(0.5, errors), upto(0.99, errors), errors.back());
  if (potential && !boundary.periodic) std::printf(" phi %.1e", upto(0.99, potentials));
  std::printf(
      " | %.0f pairs/body %.0f far/%s (%.0f soft) | %zu cells %zu leaves depth %zu | %.0f B/body | %s\n",
      work.pairs / double(n), work.cell_pairs / targets, walks ? "body" : "cell",
      work.softened_cell_pairs / targets, work.cells, work.leaves, work.depth, double(work.bytes) / double(n),
      std::memcmp(first.data(), last.data(), n * sizeof first[0]) == 0 ? "same bits" : "OTHER BITS");
  std::fflush(stdout);
}

void run(int argc, char** argv) {
  const auto t =
      told(argc, argv, 1, {"potential", "periodic"},
           "pleiad_tree_phases MODEL N EPS f32|mixed REPEATS [potential] [periodic] -- SETTINGS...");
  const int repeats = number_of("REPEATS", t.own[0], 1);
  Boundary boundary;
  if (t.has("periodic")) {
    const double side = side_of(t.model);
    boundary = {.periodic = true, .length = {side, side, side}, .images = Images::all};
  }
  const auto bodies = bodies_of(t.model, t.n);
  const auto right = exact(bodies, boundary, t.eps);
  std::printf("%s N=%zu eps=%g %s%s\n", t.model.c_str(), t.n, t.eps, t.precision.c_str(),
              boundary.periodic ? " periodic" : "");
  for (const auto& settings : t.settings)
    (t.precision == "mixed" ? measure<Mixed> : measure<F32>)(bodies, boundary, right, t.eps, repeats,
                                                             t.has("potential"), settings.c_str());
}

}  // namespace

int main(int argc, char** argv) { return program("pleiad_tree_phases", argc, argv, run); }
