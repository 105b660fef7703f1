/// Which engine runs a problem, and why.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "engine/device.hpp"
#include "engine/host_engine.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr std::array<std::string_view, 3> backends{"auto", "cpu", "cuda"};

void need_backend(const std::string& name) {
  if (std::find(backends.begin(), backends.end(), name) == backends.end())
    throw UsageError("no backend '" + name + "': it is one of auto, cpu, cuda" +
                     did_you_mean(name, backends));
}

Choice asked_for(const DirectKernel& kernel, Precision precision, const Gravity& gravity) {
  if (!kernel.has(precision))
    throw UsageError(fmt::format("kernel '{}' has no {} form; choose another kernel or precision",
                                 kernel.name, name_of(precision)));
  if (gravity.boundary.periodic && !kernel.traits.periodic)
    throw UsageError(
        fmt::format("kernel '{}' does not know periodic boxes; choose another kernel", kernel.name));
  return {.kernel = &kernel, .shape = {}, .why = "asked for"};
}

/// The GPU, when it is asked for by name or by a kernel's name, or by nothing and can be used.
Choice choose(std::size_t n, Precision precision, const Gravity& gravity, const EngineOptions& options) {
  const std::string& backend = options.backend;
  const bool wants_device = backend == "cuda" || options.kernel.starts_with("cuda/");
  if (wants_device)
    if (const auto why = why_no_device(); !why.empty())
      throw ResourceError(fmt::format("{} '{}' cannot be used: {}", backend == "cuda" ? "backend" : "kernel",
                                      backend == "cuda" ? backend : options.kernel, why));
  if (wants_device && options.jerks)
    throw UsageError(
        "integrator hermite4 needs jerks, which the GPU does not compute yet; use --backend cpu, or another "
        "integrator");
  if (options.kernel != "auto") {
    const auto& kernel = direct_kernel(options.kernel);
    if (backend != "auto" && backend != name_of(kernel.device))
      throw UsageError(fmt::format("kernel '{}' does not run on backend '{}'; leave one of the two to auto",
                                   kernel.name, backend));
    return asked_for(kernel, precision, gravity);
  }
  std::string why_not;
  if (backend != "cpu") {
    why_not = why_no_device();
    if (why_not.empty() && !options.jerks) return choose_device_kernel(n, precision, gravity);
    if (why_not.empty()) why_not = "hermite4 needs jerks, which the GPU does not compute yet";
  }
  auto choice = choose_direct_kernel(n, precision, gravity);
  if (built_for_devices && backend == "auto") choice.why += "; not on a GPU: " + why_not;
  return choice;
}

}  // namespace

std::size_t engine_bytes(std::size_t n, const EngineOptions& options) {
  // State (position and mass, velocity, sums), the host's copy of the bodies, and the buffer of an evaluation
  // with potential.
  const std::size_t real = options.precision == Precision::f32 ? 4 : 8;
  const std::size_t each = 4 * 4 * real + 7 * 8 + 8 + 1 + 4 * real;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, each, &bytes))
    throw ResourceError(fmt::format("{} bodies of {} bytes each exceed the address space", n, each));
  return bytes;
}

std::unique_ptr<Engine> make_engine(const Bodies& bodies, const Gravity& gravity,
                                    const EngineOptions& options) {
  need_backend(options.backend);
  if (options.threads < 0)
    throw UsageError(fmt::format("threads = {} must be >= 0 (0: all)", options.threads));
  set_threads(options.threads);
  auto choice = choose(bodies.size(), options.precision, gravity, options);
  if (choice.kernel->device == Device::cuda)
    return make_device_engine(bodies, gravity, std::move(choice), options.precision);
  switch (options.precision) {
    case Precision::f32:
      return std::make_unique<HostEngine<F32>>(bodies, gravity, std::move(choice), options.precision);
    case Precision::f64:
      return std::make_unique<HostEngine<F64>>(bodies, gravity, std::move(choice), options.precision);
    case Precision::mixed:
      break;
  }
  return std::make_unique<HostEngine<Mixed>>(bodies, gravity, std::move(choice), options.precision);
}

}  // namespace pleiad
