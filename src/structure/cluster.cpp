#include "structure/cluster.hpp"

#include "core/threads.hpp"
#include "structure/neighbours.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

namespace pleiad::structure {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t neighbours = 6;

std::vector<double> densities_of(const std::vector<Component>& objects) {
  std::vector<Vec3<double>> places;
  for (const auto& object : objects) places.push_back(object.position);
  const Neighbours tree(places);
  std::vector<double> densities(objects.size());
  for_each_index(
      objects.size(),
      [&](std::size_t i) {
        const auto near = tree.nearest(i, neighbours);
        double mass = 0;
        for (std::size_t k = 0; k + 1 < near.size(); ++k) mass += objects[near[k].point].mass;
        densities[i] = mass / (4 * std::numbers::pi / 3 * std::pow(near.back().distance2, 1.5));
      },
      256);
  return densities;
}

/// Centre and core by the densities about the objects.
void find_core(ClusterMeasures& c, const std::vector<Component>& objects) {
  const auto rho = densities_of(objects);
  // Relative to the largest one, whose square may be no number.
  const double largest = *std::ranges::max_element(rho);
  if (!(largest > 0 && std::isfinite(largest)))
    throw InputError("seven stars are at one place: there is no density about them");
  double sum = 0, squares = 0, moments = 0;
  Vec3<double> x{}, v{};
  const auto origin = objects.front().position;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const double weight = rho[i] / largest;
    sum += weight, squares += weight * weight;
    x = x + weight * (objects[i].position - origin), v = v + weight * objects[i].velocity;
  }
  c.centre = origin + (1 / sum) * x, c.velocity = (1 / sum) * v;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto d = objects[i].position - c.centre;
    moments += (rho[i] / largest) * (rho[i] / largest) * dot(d, d);
  }
  c.core_radius = std::sqrt(moments / squares);
  c.core_density = double(neighbours - 2) / double(neighbours - 1) * largest * squares / sum;
}

/// The objects of one shell, and their velocities about the centre.
ClusterShell shell_of(const ClusterMeasures& c, const std::vector<Component>& objects,
                      std::span<const std::size_t> members) {
  ClusterShell shell;
  double radial = 0, radial2 = 0, tangential2 = 0;
  for (const auto i : members) {
    const auto& o = objects[i];
    const auto x = o.position - c.centre, v = o.velocity - c.velocity;
    const double r = norm(x), along = r > 0 ? dot(x, v) / r : 0;
    ++shell.objects, shell.stars += o.stars, shell.systems += o.system ? 1 : 0, shell.mass += o.mass;
    radial += o.mass * along, radial2 += o.mass * along * along;
    tangential2 += o.mass * std::max(0.0, dot(v, v) - along * along);
  }
  const double weight = members.empty() ? none : 1 / shell.mass, scatter = members.size() > 1 ? weight : none;
  shell.mean_mass = members.empty() ? none : shell.mass / double(shell.stars);
  shell.radial_velocity = weight * radial;
  shell.radial_dispersion = std::sqrt(std::max(0.0, radial2 - radial * shell.radial_velocity) * scatter);
  shell.tangential_dispersion = std::sqrt(tangential2 / 2 * scatter);
  return shell;
}

void find_shells(ClusterMeasures& c, const std::vector<Component>& objects) {
  std::vector<double> radii;
  for (const auto& object : objects) radii.push_back(norm(object.position - c.centre));
  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(radii[i], objects[i].star); });
  double enclosed = 0;
  std::size_t begin = 0, end = 0;
  for (const double fraction : shell_fractions) {
    // The last shell has all, whatever the rounding of the sum.
    while (end < order.size() && (fraction == 1 || enclosed < fraction * c.mass))
      enclosed += objects[order[end++]].mass;
    auto& shell = c.shells.emplace_back(shell_of(c, objects, std::span(order).subspan(begin, end - begin)));
    shell.fraction = fraction, shell.radius = radii[order[end - 1]];
    begin = end;
    if (fraction == 0.5) c.half_mass_radius = shell.radius;
  }
  for (const auto i : order) {
    if (!(radii[i] <= c.core_radius)) break;
    c.core_stars += objects[i].stars, c.core_mass += objects[i].mass;
  }
}

/// A third of the mean of m v^2 about the mean velocity.
double temperature_of(const ClusterMeasures& c, const std::vector<Component>& objects) {
  Vec3<double> momentum{};
  for (const auto& o : objects) momentum = momentum + o.mass * o.velocity;
  const auto mean = (1 / c.mass) * momentum;
  double sum = 0;
  for (const auto& o : objects) sum += o.mass * dot(o.velocity - mean, o.velocity - mean);
  return sum / (3 * double(objects.size()));
}

}  // namespace

ClusterMeasures measure_cluster(const Snapshot& snapshot, const Systems& systems) {
  const auto& objects = systems.objects;
  if (objects.empty()) throw InputError("no body has mass: there is no cluster");
  ClusterMeasures c;
  c.objects = objects.size();
  for (const auto& o : objects) c.stars += o.stars, c.mass += o.mass;
  for (const auto& s : systems.systems) ++(s.stars() == 2 ? c.binaries : c.hierarchies);
  if (objects.size() > neighbours) {
    find_core(c, objects);
  } else {
    for (const auto& o : objects)
      c.centre = c.centre + (o.mass / c.mass) * o.position,
      c.velocity = c.velocity + (o.mass / c.mass) * o.velocity;
    c.core_radius = c.core_density = none;
  }
  find_shells(c, objects);
  const double n = double(objects.size()), r = c.half_mass_radius;
  c.relaxation_time =
      objects.size() < 25 ? none : 0.138 * n * r * std::sqrt(r / (snapshot.G * c.mass)) / std::log(0.11 * n);
  c.kT = temperature_of(c, objects);
  return c;
}

}  // namespace pleiad::structure
