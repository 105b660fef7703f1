#include "engine/softenings.hpp"

#include "core/threads.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/source_blocks.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <limits>
#include <numbers>

namespace pleiad {
namespace {

/// Calls add(sources) with the bodies of all ranks that have mass, in their order.
template <class Body, class HasMass, class Add>
void for_sources(const ranks::Collective& all, std::span<const Body> own, const HasMass& has_mass,
                 const Add& add) {
  std::vector<Body> massive;
  SourceBlocks<Body>(all).each(
      own, [&](std::size_t, std::span<const Body> block) { add(with_mass(block, has_mass, massive)); });
}

/// A body with velocity and low parts, also on its way to other ranks.
struct Moving {
  cpu::SoftenedBody x;
  Vec4<double> v;
  std::array<double, 6> low;
};

}  // namespace

Softening softening_of(const Bodies& own, const Softening& law, ranks::Communicator& ranks) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double least = none, most = -none;
  for (const double eps : own.softening) least = std::min(least, eps), most = std::max(most, eps);
  std::array<double, 3> found{-least, most, own.empty() || !own.softening.empty() ? 0.0 : 1.0};
  ranks.max(found);
  least = -found[0], most = found[1];
  if (least > most) {
    if (law.of != SofteningOf::all)
      throw UsageError("the law has softenings of bodies, and the bodies have none (Bodies::softening)");
    return {.eps = law.eps, .kernel = law.kernel};
  }
  if (found[2] > 0)
    throw UsageError("some bodies have softenings and others do not; all must have one, or none");
  if (least == most)
    return {.eps = law.rule == SofteningRule::quadratic ? least * std::numbers::sqrt2 : least,
            .kernel = law.kernel};
  return {.eps = least,
          .kernel = law.kernel,
          .rule = law.rule,
          .of = law.of == SofteningOf::types ? SofteningOf::types : SofteningOf::bodies};
}

std::vector<double> softenings_of(const Bodies& bodies, const Softening& law) {
  if (law.of == SofteningOf::all) return std::vector<double>(bodies.size(), law.eps);
  return bodies.softening;
}

template <class T>
std::vector<cpu::SoftenedBody> softened_bodies(const ranks::Collective& all, std::span<const Mass<T>> x,
                                               std::span<const double> eps) {
  std::vector<cpu::SoftenedBody> bodies(x.size());
  const std::size_t first = all.first();
  for_each_index(x.size(), [&](std::size_t i) {
    const auto& b = x[i];
    bodies[i] = {.x = {double(b.x), double(b.y), double(b.z), double(b.m)},
                 .eps = eps[i],
                 .number = double(first + i)};
  });
  return bodies;
}
template std::vector<cpu::SoftenedBody> softened_bodies(const ranks::Collective&,
                                                        std::span<const Mass<float>>,
                                                        std::span<const double>);
template std::vector<cpu::SoftenedBody> softened_bodies(const ranks::Collective&,
                                                        std::span<const Mass<double>>,
                                                        std::span<const double>);

std::vector<Vec3<double>> softened_exact(const ranks::Collective& all, std::span<const cpu::SoftenedBody> own,
                                         const Gravity& gravity, std::span<const std::size_t> chosen) {
  auto& comm = all.comm();
  const auto at = of_chosen(all, own.size(), chosen, [&](std::size_t i) { return own[i].x.position(); });
  const auto eps = of_chosen(all, own.size(), chosen, [&](std::size_t i) {
    return Vec3<double>{own[i].eps, 0, 0};
  });
  const std::size_t ranks = std::size_t(comm.ranks()), rank = std::size_t(comm.rank());
  const std::size_t begin = chosen.size() * rank / ranks, end = chosen.size() * (rank + 1) / ranks;
  std::vector<cpu::SoftenedBody> targets;
  for (std::size_t k = begin; k < end; ++k)
    targets.push_back({.x = {at[k].x, at[k].y, at[k].z, 0}, .eps = eps[k].x, .number = double(chosen[k])});
  std::vector<Vec4<double>> sums(targets.size());
  for_sources(all, own, has_mass, [&](std::span<const cpu::SoftenedBody> sources) {
    cpu::add_softened_pulls({.x = targets}, {.x = sources}, sums, gravity.softening, gravity.boundary);
  });
  std::vector<Vec3<double>> accelerations;
  for (const auto& sum : ranks::all_gather<Vec4<double>>(comm, std::span<const Vec4<double>>(sums)).data)
    accelerations.push_back(gravity.G * sum.xyz());
  return accelerations;
}

void softened_accelerations(const ranks::Collective& all, const SoftenedState& own,
                            std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks,
                            const Gravity& gravity) {
  std::ranges::fill(accelerations, Vec4<double>{});
  std::ranges::fill(jerks, Vec4<double>{});
  const auto bodies = softened_bodies<double>(all, own.x, own.eps);
  const cpu::SoftenedBodies targets{.x = bodies, .v = own.v, .low = own.low};
  std::vector<Moving> moving(bodies.size());
  for_each_index(bodies.size(), [&](std::size_t i) {
    moving[i] = {bodies[i], own.v[i], own.low.empty() ? std::array<double, 6>{} : own.low[i]};
  });
  for_sources(
      all, std::span<const Moving>(moving), [](const Moving& m) { return has_mass(m.x); },
      [&](std::span<const Moving> block) {
        std::vector<cpu::SoftenedBody> x;
        std::vector<Vec4<double>> v;
        std::vector<std::array<double, 6>> low;
        for (const auto& m : block) {
          x.push_back(m.x), v.push_back(m.v);
          if (!own.low.empty()) low.push_back(m.low);
        }
        const cpu::SoftenedBodies sources{.x = x, .v = v, .low = low};
        if (jerks.empty())
          cpu::add_softened_pulls(targets, sources, accelerations, gravity.softening, gravity.boundary);
        else
          cpu::add_softened_pulls_and_jerks(targets, sources, accelerations, jerks, gravity.softening,
                                            gravity.boundary);
      });
  for (auto& a : accelerations) a.w = 0;
}

}  // namespace pleiad
