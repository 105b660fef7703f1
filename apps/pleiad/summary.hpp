/// Properties of a snapshot, computed without a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/pull.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {

/// T / |W| about the centre of mass, without softening.
struct VirialRatio {
  double value = 0, standard_error = 0;
  std::string how;
};

struct Summary {
  std::array<std::size_t, 6> count{};
  std::array<double, 6> mass{};
  Vec3<double> low{}, high{};
  std::string problem;  ///< the reason why a run would refuse these bodies; the rest is then unset
  CentreOfMass centre;
  double half_mass_radius = 0;  ///< about the density centre
  std::optional<VirialRatio> virial;
};

/// The bodies and pairs that about a second allows on two cores: up to `all` bodies all pairs are summed,
/// and a sample has `sampled` pairs. A pair of all images costs as much as sixteen others, and their waves as
/// much as 500 pairs of each body; beyond `most` bodies that would be too long.
struct PairLimits {
  std::size_t all = 65536, sampled = std::size_t{1} << 28, most = std::numeric_limits<std::size_t>::max();
};
inline PairLimits pair_limits(const Boundary& boundary) {
  if (!boundary.all_images()) return {};
  return {.all = 8192, .sampled = std::size_t{1} << 25, .most = std::size_t{1} << 22};
}

/// Potentials at some places by all bodies of a periodic box and their images. A body at a place does not
/// count, but its images do.
inline std::vector<double> ewald_potentials(const Snapshot& s, const std::vector<Vec3<double>>& places) {
  std::vector<Mass<double>> sources(s.bodies.size()), targets(places.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto x = s.bodies.position(i);
    sources[i] = {x.x, x.y, x.z, s.bodies.mass[i]};
  }
  for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = {places[k].x, places[k].y, places[k].z, 0};
  std::vector<Vec4<double>> sums(targets.size());
  const PairProblem<Mixed> problem{.targets = targets,
                                   .sources = sources,
                                   .sums = sums,
                                   .boundary = s.boundary,
                                   .self = PairProblem<Mixed>::none,
                                   .potential = true};
  direct_kernel("cpu/ewald").mixed(problem, {});
  std::vector<double> potentials(sums.size());
  std::ranges::transform(sums, potentials.begin(), [](const auto& sum) { return sum.w; });
  return potentials;
}

/// Mean potential over the mass from bodies drawn by mass, with its standard error; G left out.
inline std::array<double, 2> sampled_potential(const Snapshot& s, std::size_t samples) {
  const Bodies& b = s.bodies;
  std::vector<double> cumulative(b.size()), potential(samples);
  double total = 0;
  for (std::size_t i = 0; i < b.size(); ++i) cumulative[i] = total += b.mass[i];
  std::vector<Vec3<double>> places(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    const double at = Random(1, k).uniform() * total;
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), at) - cumulative.begin();
    places[k] = b.position(std::min(std::size_t(found), b.size() - 1));
  }
  const Box<double> box(s.boundary);
  if (s.boundary.all_images()) potential = ewald_potentials(s, places);
  else
    parallel_for(samples, [&](std::size_t k) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        auto d = b.position(j) - places[k];
        if (s.boundary.periodic) d = minimum_image(d, box);
        potential[k] += pull(d, b.mass[j], 0.0).w;
      }
    });
  double mean = 0, square = 0;
  for (const double p : potential) mean += p / double(samples);
  for (const double p : potential) square += (p - mean) * (p - mean);
  return {mean, std::sqrt(square / double(samples - 1) / double(samples))};
}

/// None where the potential energy is not negative, or would take too long. `a`: a distance of the
/// snapshot times this is physical.
inline std::optional<VirialRatio> virial_ratio(const Snapshot& s, const CentreOfMass& centre, double a) {
  const Bodies& b = s.bodies;
  const std::size_t n = b.size();
  const auto limits = pair_limits(s.boundary);
  if (n > limits.most) return std::nullopt;
  const double kinetic = blocked_sum<double>(n, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = b.velocity(i) - centre.velocity;
      sum += 0.5 * b.mass[i] * dot(v, v);
    }
    return sum;
  });
  double potential = 0, error = 0;
  std::string how = "direct sum over all pairs";
  if (n <= limits.all) {
    potential = direct_energies(b, {.G = s.G, .softening = {}, .boundary = s.boundary}).potential;
  } else {
    const std::size_t samples = std::clamp<std::size_t>(limits.sampled / n, 64, 4096);
    const auto [mean, mean_error] = sampled_potential(s, samples);
    potential = 0.5 * s.G * centre.mass * mean, error = mean_error / std::abs(mean);
    how = fmt::format("potential at {} bodies drawn by mass", samples);
  }
  if (!(potential < 0)) return std::nullopt;
  const double ratio = kinetic / (-potential / a);
  return VirialRatio{ratio, ratio * error, how};
}

/// `a`: a distance of the snapshot times this is physical.
inline Summary summarise(const Snapshot& s, double a = 1) {
  Summary out;
  const Bodies& b = s.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) {
    ++out.count[std::size_t(b.type[i])];
    out.mass[std::size_t(b.type[i])] += b.mass[i];
  }
  const auto range = [](const std::vector<double>& v, double& low, double& high) {
    const auto [l, h] = std::minmax_element(v.begin(), v.end());
    low = *l, high = *h;
  };
  range(b.x, out.low.x, out.high.x), range(b.y, out.low.y, out.high.y), range(b.z, out.low.z, out.high.z);
  try {
    validate(b, 1, "a run would refuse this file");
  } catch (const InputError& refusal) {
    out.problem = refusal.what();
    return out;
  }
  out.centre = centre_of_mass(b);
  out.half_mass_radius = lagrangian_radii(b, density_centre(b), std::array{0.5}).front();
  out.virial = virial_ratio(s, out.centre, a);
  return out;
}

}  // namespace pleiad::app
