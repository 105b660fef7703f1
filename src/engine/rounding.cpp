#include "engine/rounding.hpp"

#include "core/softened_pull.hpp"
#include "core/threads.hpp"
#include "engine/places.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/sampling.hpp"
#include "engine/softenings.hpp"
#include "engine/source_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pleiad {
namespace {

/// Upper bound of the acceleration of a body, if no two bodies are closer than in the sample: G M / r^2, with
/// softening at most 2 / sqrt(27) G M / eps^2, of a spline 0.34 G M / eps^2.
double strongest(const Gravity& gravity, const Sample& sample) {
  // Bodies move while a sample is kept, and it does not find every close pair.
  constexpr double closer = 4;
  const double r = sample.separation / closer, eps = gravity.softening.eps;
  const double unsoftened = 1 / (r * r), softened = 2 / std::sqrt(27.0) / gravity.softening.eps2();
  const double most = eps > 0 ? std::min(unsoftened, softened) : unsoftened;
  return most > 0 ? gravity.G * sample.mass * most : 0;
}

/// Sums of the magnitudes of the pulls of sources that come block by block, in the order of all bodies.
class Magnitudes {
 public:
  /// `eps`: softenings of the targets.
  Magnitudes(const std::vector<Vec3<double>>& targets, const std::vector<Vec3<double>>& eps,
             const Gravity& gravity)
      : targets_(targets),
        eps_(eps),
        softening_(gravity.softening),
        periodic_(gravity.boundary.periodic),
        box_(gravity.boundary),
        sums_(targets.size()) {}

  void add(std::span<const cpu::SoftenedBody> sources) {
    const bool plain = softening_.plain();
    parallel_for(targets_.size(), [&](std::size_t k) {
      double sum = sums_[k];
      for (const auto& source : sources) {
        const auto apart = source.x.position() - targets_[k];
        const auto d = periodic_ ? minimum_image(apart, box_) : apart;
        const double eps2 = plain ? softening_.eps2() : pair_eps2(softening_.rule, source.eps, eps_[k].x);
        sum += norm(softened_pull(d, source.x.m, eps2, softening_.kernel).xyz());
      }
      sums_[k] = sum;
    });
  }
  const std::vector<double>& sums() const { return sums_; }

 private:
  const std::vector<Vec3<double>>&targets_, &eps_;
  Softening softening_;
  bool periodic_;
  Box<double> box_;
  std::vector<double> sums_;
};

std::vector<double> magnitudes_of(const ranks::Collective& all, const Bodies& own, const Gravity& gravity,
                                  std::span<const std::size_t> chosen) {
  Gravity law = gravity;
  law.softening = softening_of(own, gravity.softening, all.comm());
  const auto eps = softenings_of(own, law.softening);
  const auto sources = softened_bodies<double>(all, places_of<double>(own), eps);
  const auto targets = of_chosen(all, own.size(), chosen, [&](std::size_t i) { return own.position(i); });
  const auto eps_there = of_chosen(all, own.size(), chosen, [&](std::size_t i) {
    return Vec3<double>{eps[i], 0, 0};
  });
  Magnitudes magnitudes(targets, eps_there, law);
  SourceBlocks<cpu::SoftenedBody>(all).each(
      sources, [&](std::size_t, std::span<const cpu::SoftenedBody> block) { magnitudes.add(block); });
  return magnitudes.sums();
}

}  // namespace

std::vector<double> collective_rounding(const ranks::Collective& all,
                                        const std::function<const Bodies&()>& own, const Gravity& gravity,
                                        const Sample& sample, std::span<const Vec3<double>> exact) {
  const double most = comparable * rounding_of_sums * strongest(gravity, sample);
  std::vector<std::size_t> places, chosen;
  for (std::size_t k = 0; k < exact.size(); ++k)
    if (!(norm(exact[k]) >= most)) places.push_back(k), chosen.push_back(sample.bodies[k]);
  if (chosen.empty()) return {};
  std::vector<double> rounding(exact.size());
  const auto magnitudes = magnitudes_of(all, own(), gravity, chosen);
  for (std::size_t k = 0; k < places.size(); ++k)
    rounding[places[k]] = rounding_of_sums * gravity.G * magnitudes[k];
  return rounding;
}

Bodies unrounded(const Bodies& bodies) {
  Bodies moved;
  moved.x = bodies.x, moved.y = bodies.y, moved.z = bodies.z, moved.mass = bodies.mass;
  for_each_index(bodies.size(), [&](std::size_t i) {
    std::uint64_t hash = 0;
    for (const double v : {bodies.x[i], bodies.y[i], bodies.z[i]})
      hash = sampling::mixed(hash, std::bit_cast<std::uint64_t>(v));
    for (auto* axis : {&moved.x, &moved.y, &moved.z}) {
      double& v = (*axis)[i];
      const float near = std::abs(float(v));
      const double spacing = std::nextafter(near, std::numeric_limits<float>::infinity()) - near;
      hash = sampling::mixed(hash, 0);
      if (const double by = (double(hash >> 11) * 0x1p-53 - 0.5) * spacing; std::isfinite(by)) v += by;
    }
  });
  return moved;
}

std::vector<double> rounding_of(const Bodies& bodies, const Gravity& gravity, const Sample& sample,
                                std::span<const Vec3<double>> exact) {
  Gravity law = gravity;
  law.softening = softening_of(bodies, gravity.softening);
  return collective_rounding(
      {}, [&]() -> const Bodies& { return bodies; }, law, sample, exact);
}

}  // namespace pleiad
