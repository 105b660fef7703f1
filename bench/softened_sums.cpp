/// Measures direct sums on a GPU with a softening of each body. pleiad_softened_sums N PRECISION KERNEL RULE
/// EPS REPEATS: one JSON object with pairs a second of the median evaluation, and the errors of a sample
/// against sums in long double precision on the host. The bodies are a Plummer sphere of length 1 with
/// softenings from EPS to 2 EPS; EPS = 0: one Plummer softening of 0.01, by the same kernel without them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "cuda/device/device.hpp"
#include "engine/device_engine.hpp"
#include "engine/places.hpp"
#include "engine/softenings.hpp"
#include "reference/reference.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace pleiad;

namespace {

struct Task {
  std::size_t n = 0;
  Softening softening{};
  double eps = 0;
  int repeats = 0;
};

/// Accelerations of some bodies from the definition; G is 1.
std::vector<Vec3<double>> exact(const Bodies& bodies, const Gravity& gravity,
                                std::span<const std::size_t> chosen) {
  std::vector<Vec3<double>> accelerations;
  for (const auto& sum :
       reference::softened_pulls(chosen, places_of<double>(bodies), softenings_of(bodies, gravity.softening),
                                 gravity.softening, gravity.boundary))
    accelerations.push_back({double(sum.x), double(sum.y), double(sum.z)});
  return accelerations;
}

template <class P>
void measure(const Task& task, Precision precision) {
  auto bodies = model("plummer", {{"n", double(task.n)}}, 1).bodies;
  if (task.eps > 0)
    for (std::size_t i = 0; i < task.n; ++i)
      bodies.softening.push_back(task.eps * (1 + double(i % 101) / 100));
  Gravity gravity{.softening = task.softening};
  gravity.softening.eps = 0.01;
  gravity.softening = softening_of(bodies, gravity.softening);
  DeviceEngine<P> engine(bodies, gravity, {.method = *force_method_of("cuda/split-reduced")}, precision);
  engine.evaluate_again(2);
  std::vector<double> seconds;
  for (int k = 0; k < task.repeats; ++k) seconds.push_back(seconds_of([&] { engine.evaluate_again(1); }));
  std::ranges::sort(seconds);
  const double median = seconds[seconds.size() / 2], pairs = double(task.n) * double(task.n);
  const auto sample = engine.sample(bodies, 64);  // each pull of the reference takes some 20 ns
  const auto errors =
      errors_of(engine.computed_accelerations(sample.bodies).found, exact(bodies, gravity, sample.bodies));
  std::printf(
      "{\"device\": \"%s\", \"n\": %zu, \"precision\": \"%s\", \"kernel\": \"%s\", \"rule\": \"%s\", "
      "\"eps\": "
      "%g, \"seconds\": %.5g, \"fastest\": %.5g, \"slowest\": %.5g, \"pairs_per_s\": %.5g, \"error_median\": "
      "%.3g, \"error_99\": %.3g}\n",
      std::string(cuda::device_facts().name).c_str(), task.n, std::string(name_of(precision)).c_str(),
      std::string(name_of(task.softening.kernel)).c_str(), std::string(name_of(task.softening.rule)).c_str(),
      task.eps, median, seconds.front(), seconds.back(), pairs / median, errors.median, errors.p99);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "pleiad_softened_sums N PRECISION KERNEL RULE EPS REPEATS\n");
    return 2;
  }
  try {
    const auto precision = precision_named(argv[2]);
    const Task task{.n = std::strtoull(argv[1], nullptr, 10),
                    .softening = {.kernel = std::string_view(argv[3]) == "spline" ? SofteningKernel::spline
                                                                                  : SofteningKernel::plummer,
                                  .rule = std::string_view(argv[4]) == "quadratic" ? SofteningRule::quadratic
                                                                                   : SofteningRule::max},
                    .eps = std::strtod(argv[5], nullptr),
                    .repeats = std::max(1, std::atoi(argv[6]))};
    if (precision == Precision::f32) measure<F32>(task, precision);
    else if (precision == Precision::f64) measure<F64>(task, precision);
    else measure<Mixed>(task, precision);
  } catch (const Error& e) {
    std::fprintf(stderr, "pleiad_softened_sums: %s\n", e.what());
    return 4;
  }
  return 0;
}
