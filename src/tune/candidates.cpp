#include "tune/candidates.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

namespace pleiad::tune {
namespace {

double operations(const Cost& cost, Precision precision) {
  return precision == Precision::f32 ? cost.f32 : precision == Precision::f64 ? cost.f64 : cost.mixed;
}

struct Ranked {
  double operations;
  Choice choice;
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

bool computes(const Choice& choice, const Case& what) {
  try {
    need_able(choice, what.n, what.precision, gravity_of(what));
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

std::vector<Choice> candidates(const Case& what, const Catalogue& from) {
  const Gravity gravity = gravity_of(what);
  Choice first = what.where == Device::cuda
                     ? choose_device_kernel(what.n, what.precision, gravity, what.masses, from)
                     : choose_direct_kernel(what.n, what.precision, gravity);
  std::vector<Ranked> ranked;
  const auto add = [&](const Choice& choice, const Cost& cost) {
    if (computes(choice, what) && text_of(choice) != text_of(first))
      ranked.push_back({operations(cost, what.precision), choice});
  };
  if (what.where == Device::cuda)
    for (const auto* steps : from.steps)
      for (const auto& shape : shapes_of(steps->shapes))
        add({.kernel = first.kernel, .shape = first.shape, .steps = steps, .step_shape = shape, .why = {}},
            steps->fma_port_operations);
  for (const auto* kernel : from.kernels)
    if (kernel->device == what.where && kernel->traits.reproducible && kernel->traits.any_threads)
      for (const auto& shape : shapes_of(kernel->shapes))
        if (!too_small(shape, what.n))
          add({.kernel = kernel, .shape = shape, .why = {}}, kernel->fma_port_operations);
  std::ranges::stable_sort(ranked, {}, &Ranked::operations);
  std::vector<Choice> all{std::move(first)};
  for (auto& each : ranked) all.push_back(std::move(each.choice));
  return all;
}

std::vector<Choice> on_more_gpus(const Choice& on_one, int gpus) {
  std::vector<Choice> all{on_one};
  const bool divides = on_one.steps == nullptr || on_one.steps->divides;
  for (int count = 2; count <= gpus && divides; ++count) {
    all.push_back(on_one);
    all.back().gpus = count;
  }
  return all;
}

}  // namespace pleiad::tune
