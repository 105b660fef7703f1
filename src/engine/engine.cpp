/// Which engine runs a problem, and why.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "engine/host_engine.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <array>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr std::array<std::string_view, 2> backends{"auto", "cpu"};

void need_backend(const std::string& name) {
  if (name == "auto" || name == "cpu") return;
  if (name == "cuda")
    throw ResourceError(
        "backend 'cuda' is not in this build, which has CPU kernels only; use --backend cpu or auto");
  throw UsageError("no backend '" + name + "': it is one of auto, cpu" + did_you_mean(name, backends));
}

Choice choose(std::size_t n, Precision precision, const Gravity& gravity, const EngineOptions& options) {
  if (options.kernel == "auto") return choose_direct_kernel(n, precision, gravity);
  const auto& kernel = direct_kernel(options.kernel);
  if (!kernel.has(precision))
    throw UsageError(fmt::format("kernel '{}' has no {} form; choose another kernel or precision",
                                 kernel.name, name_of(precision)));
  if (gravity.boundary.periodic && !kernel.traits.periodic)
    throw UsageError(
        fmt::format("kernel '{}' does not know periodic boxes; choose another kernel", kernel.name));
  return {.kernel = &kernel, .shape = {}, .why = "asked for"};
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
