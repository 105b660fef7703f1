/// The three lines that NVIDIA's sample nbody prints.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/cuda_samples.hpp"

#include "bench/measure.hpp"
#include "bench/timing.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <fmt/format.h>

namespace pleiad::bench {

std::string cuda_samples_lines(const SampleOptions& o) {
  if (o.n < 2) throw UsageError(fmt::format("N = {} must be at least 2", o.n));
  const std::string settings[] = {fmt::format("n={}", o.n)};
  const auto bodies = make_model("plummer", settings, 1).bodies;
  const Gravity gravity{.G = 1, .softening = {0.1}, .boundary = {}, .dimension = 3};
  const auto engine = make_engine(bodies, gravity, o.engine);
  const StepPlan plan{.integrator = &integrator_named("euler"), .dt = 1e-3, .damping = 1};
  engine->advance(plan, 1);
  const double seconds = seconds_of([&] { engine->advance(plan, o.iterations); });
  if (!engine->finite()) throw NumericalError("no figure: a position or velocity is not finite");
  const auto what = engine->describe();
  const double rate = double(o.n) * double(o.n) * double(o.iterations) / seconds;
  possible_limit(case_of(what, o.engine.precision), o.n, rate);
  const double flops = flops_per_interaction(o.engine.precision);
  return fmt::format(
      "{} bodies, total time for {} iterations: {:.3f} ms\n= {:.3f} billion interactions per second\n= "
      "{:.3f} "
      "{}-precision GFLOP/s at {} flops per interaction\n",
      o.n, o.iterations, 1e3 * seconds, 1e-9 * rate, 1e-9 * rate * flops,
      o.engine.precision == Precision::f64 ? "double" : "single", int(flops));
}

}  // namespace pleiad::bench
