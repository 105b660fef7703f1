#include "structure/systems.hpp"

#include "core/threads.hpp"
#include "structure/neighbours.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace pleiad::structure {
namespace {

/// Other components whose tide is counted.
constexpr std::size_t perturbers = 6;

/// The direction of the angular momentum.
Vec3<double> axis_of(const OrbitalElements& o) {
  const double across = std::sin(o.inclination);
  return {across * std::sin(o.node), -across * std::cos(o.node), std::cos(o.inclination)};
}

/// The search for systems among components that change as some are found.
class Search {
 public:
  Search(const Snapshot& s, std::span<const std::size_t> chosen) : G_(s.G) {
    const auto& b = s.bodies;
    for (const auto i : chosen)
      if (b.mass[i] > 0)
        found_.objects.push_back(
            {.mass = b.mass[i], .position = b.position(i), .velocity = b.velocity(i), .star = i});
  }

  Systems run() {
    while (found_.objects.size() > 1 && next()) {
    }
    std::ranges::sort(found_.objects, {}, &Component::star);
    return std::move(found_);
  }

 private:
  /// Joins all pairs of the present components. False if there were none.
  bool next() {
    auto& objects = found_.objects;
    std::vector<Vec3<double>> places;
    for (const auto& object : objects) places.push_back(object.position);
    const Neighbours tree(places);
    std::vector<std::size_t> nearest(objects.size());
    for_each_index(
        objects.size(), [&](std::size_t i) { nearest[i] = tree.nearest(i, 1).front().point; }, 256);
    std::vector<std::optional<BoundSystem>> pairs(objects.size());
    for_each_index(
        objects.size(),
        [&](std::size_t i) {
          const auto j = nearest[i];
          if (i < j && nearest[j] == i) pairs[i] = bound(i, j, tree);
        },
        256);
    std::vector<bool> part(objects.size());
    std::vector<Component> joined;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (!pairs[i]) continue;
      part[i] = part[nearest[i]] = true;
      for (const auto& component : {pairs[i]->first, pairs[i]->second})
        if (component.system) found_.systems[*component.system].outermost = false;
      joined.push_back(pairs[i]->together());
      joined.back().system = found_.systems.size();
      found_.systems.push_back(*std::move(pairs[i]));
    }
    if (joined.empty()) return false;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (!part[i]) joined.push_back(objects[i]);
    objects = std::move(joined);
    return true;
  }

  std::optional<BoundSystem> bound(std::size_t i, std::size_t j, const Neighbours& tree) const {
    BoundSystem s{.first = found_.objects[i], .second = found_.objects[j]};
    if (std::pair(-s.second.mass, s.second.star) < std::pair(-s.first.mass, s.first.star))
      std::swap(s.first, s.second);
    const auto d = s.second.position - s.first.position, v = s.second.velocity - s.first.velocity;
    const double mass = s.first.mass + s.second.mass, r2 = dot(d, d);
    if (!(r2 > 0) || !(dot(v, v) * std::sqrt(r2) < 2 * G_ * mass)) return std::nullopt;
    s.orbit = elements_of(G_ * mass, d, v);
    const double a = s.orbit.semi_major_axis, e = s.orbit.eccentricity, far = a * (1 + e);
    if (!(a > 0 && std::isfinite(a))) return std::nullopt;
    s.binding_energy = G_ * s.first.mass * s.second.mass / (2 * a);
    s.perturbation = 2 * tide(i, j, tree) * far * far * far / mass;
    if (!(s.perturbation < 1)) return std::nullopt;
    for (const auto& [inner, other] : {std::pair(&s.first, &s.second), std::pair(&s.second, &s.first)}) {
      if (!inner->system) continue;
      const auto& own = found_.systems[*inner->system].orbit;
      if (!(s.orbit.pericentre_distance > own.semi_major_axis * (1 + own.eccentricity))) return std::nullopt;
      const double angle = std::acos(std::clamp(dot(axis_of(own), axis_of(s.orbit)), -1.0, 1.0)),
                   ratio = stability_of(own, s.orbit, other->mass / inner->mass, angle);
      s.stability = s.stability ? std::min(*s.stability, ratio) : ratio;
    }
    return s;
  }

  /// sum(m / d^3) of the nearest components beside the pair, at its centre of mass.
  double tide(std::size_t i, std::size_t j, const Neighbours& tree) const {
    const auto &a = found_.objects[i], &b = found_.objects[j];
    const auto centre = a.position + b.mass / (a.mass + b.mass) * (b.position - a.position);
    double sum = 0;
    for (const auto& near : tree.nearest(i, perturbers + 1)) {
      if (near.point == j) continue;
      const auto& other = found_.objects[near.point];
      const double r = norm(other.position - centre);
      sum += other.mass / (r * r * r);
    }
    return sum;
  }

  double G_;
  Systems found_;
};

}  // namespace

Component BoundSystem::together() const {
  const double mass = first.mass + second.mass, part = second.mass / mass;
  return {.mass = mass,
          .position = first.position + part * (second.position - first.position),
          .velocity = first.velocity + part * (second.velocity - first.velocity),
          .stars = stars(),
          .star = std::min(first.star, second.star)};
}

double stability_of(const OrbitalElements& inner, const OrbitalElements& outer, double mass_ratio,
                    double inclination) {
  const double e = outer.eccentricity, shape = std::pow((1 + mass_ratio) * (1 + e) / std::sqrt(1 - e), 0.4),
               smallest = 2.8 * shape * (1 - 0.3 * inclination / std::numbers::pi) * inner.semi_major_axis;
  return outer.pericentre_distance / smallest;
}

Systems find_systems(const Snapshot& snapshot, std::span<const std::size_t> chosen) {
  if (snapshot.boundary.periodic)
    throw UsageError("bound systems are found in open space, and these bodies are in a periodic box");
  return Search(snapshot, chosen).run();
}

}  // namespace pleiad::structure
