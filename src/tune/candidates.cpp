#include "tune/candidates.hpp"

#include "direct/why_not.hpp"

#include <algorithm>

namespace pleiad::tune {
namespace {

double operations(const Cost& cost, Precision precision) {
  return precision == Precision::f32 ? cost.f32 : precision == Precision::f64 ? cost.f64 : cost.mixed;
}

struct Ranked {
  double operations;
  ForceMethod method;
};

/// A grid that does not grow with the bodies, and has so few threads that each would sum eight targets or
/// more, one after the other: nothing for this many. Three blocks take 15 s for one step of 65536 bodies on
/// an H200, a thousand times the best.
bool too_small(const LaunchShape& shape, std::size_t n) {
  return shape.blocks > 0 && 8 * std::size_t(shape.blocks) * std::size_t(shape.threads_per_block) < n;
}

std::vector<LaunchShape> shapes_of(std::span<const LaunchShape> listed) {
  if (listed.empty()) return {LaunchShape{}};
  return {listed.begin(), listed.end()};
}

}  // namespace

std::vector<Choice> candidates(const Case& what, const Catalogue& from) {
  const Gravity gravity = gravity_of(what);
  Choice first = what.where == Device::cuda
                     ? choose_device_kernel(what.n, what.precision, gravity, what.masses, from)
                     : choose_direct_kernel(what.n, what.precision, gravity);
  std::vector<Ranked> ranked;
  const auto add = [&](const ForceMethod& method, const Cost& cost) {
    if (!(method == first.method) &&
        !why_not(method, {.n = what.n, .gravity = gravity, .precision = what.precision}))
      ranked.push_back({operations(cost, what.precision), method});
  };
  if (what.where == Device::cuda)
    for (const auto* steps : from.steps)
      for (const auto& shape : shapes_of(steps->shapes))
        add({.kernel = first.method.kernel, .shape = first.method.shape, .steps = steps, .step_shape = shape},
            steps->fma_port_operations);
  for (const auto* kernel : from.kernels)
    if (kernel->device == what.where && kernel->traits.reproducible && kernel->traits.any_threads)
      for (const auto& shape : shapes_of(kernel->shapes))
        if (!too_small(shape, what.n)) add({.kernel = kernel, .shape = shape}, kernel->fma_port_operations);
  std::ranges::stable_sort(ranked, {}, &Ranked::operations);
  std::vector<Choice> all{std::move(first)};
  for (const auto& each : ranked) all.push_back({.method = each.method});
  return all;
}

std::vector<Choice> on_more_gpus(const Choice& on_one, int gpus) {
  std::vector<Choice> all{on_one};
  const bool divides = on_one.method.steps == nullptr || on_one.method.steps->divides;
  for (int count = 2; count <= gpus && divides; ++count) {
    all.push_back(on_one);
    all.back().gpus = count;
  }
  return all;
}

}  // namespace pleiad::tune
