/// Which engine runs a problem, and why.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/splat.hpp"
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

/// The table's choice.
Choice chosen(Device device, const Bodies& bodies, Precision precision, const Gravity& gravity) {
  return device == Device::cuda ? choose_device_kernel(bodies.size(), precision, gravity, masses_of(bodies))
                                : choose_direct_kernel(bodies.size(), precision, gravity);
}

void need_device(const EngineOptions& options) {
  const bool by_backend = options.backend == "cuda";
  if (const auto why = why_no_device(); !why.empty())
    throw ResourceError(fmt::format("{} '{}' cannot be used: {}", by_backend ? "backend" : "kernel",
                                    by_backend ? options.backend : options.kernel, why));
  if (options.jerks)
    throw UsageError(
        "integrator hermite4 needs jerks, which the GPU does not compute yet; use --backend cpu, or another "
        "integrator");
}

/// On how many GPUs a choice runs: on as many as were asked for with a kernel by name, which divides there;
/// else on so many or fewer, whatever is fastest, 0 meaning all. Measured on H200s, one-sided: 1034 G/s on
/// one and 1000 on two at 4096 bodies, 1842 and 3216 at 16384; symmetric steps: 1920 on one, 1812 on two and
/// 1825 on four at 8192, 2179, 2506 and 3129 at 12288. Another number of GPUs must not choose other kernels,
/// which have other bits: whole steps that do not divide stay on one.
int gpus_of(const Choice& choice, std::size_t n, const EngineOptions& options) {
  constexpr std::size_t several_from = 12288;
  const int there = device_count(), asked = options.gpus;
  if (asked > there)
    throw ResourceError(fmt::format("gpus = {}: there {} {}; use fewer, or 0 for as many as make it faster",
                                    asked, there == 1 ? "is" : "are", there));
  if (choice.tree) return asked > 0 ? asked : gpus_for_tree(n, 0);
  if (choice.steps != nullptr && !choice.steps->divides) return 1;
  if (asked > 0 && options.kernel != "auto") return asked;
  if (n < several_from || !choice.kernel->traits.reproducible) return 1;
  return std::min(asked > 0 ? asked : there, 8);
}

Choice asked_for(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options) {
  auto choice = choice_of(options.kernel);
  if (choice.tree && options.jerks)
    throw UsageError("integrator hermite4 needs jerks, which trees do not give; use another integrator");
  if (choice.tree && choice.tree->rebuild_every > 1)
    throw UsageError(fmt::format(
        "rebuild_every = {}: a run that is resumed would find other cells than one that is not, and "
        "end in other bits; leave it out (pleiad bench --experiment trees measures it)",
        choice.tree->rebuild_every));
  const Device device = choice.tree                ? choice.tree->device
                        : choice.kernel != nullptr ? choice.kernel->device
                                                   : Device::cuda;
  if (options.backend != "auto" && options.backend != name_of(device))
    throw UsageError(fmt::format("kernel '{}' does not run on backend '{}'; leave one of the two to auto",
                                 options.kernel, options.backend));
  if (choice.steps != nullptr && device == Device::cpu)
    throw UsageError(fmt::format("kernel '{}' is for the GPU, and '{}' for the CPU; choose one of them",
                                 choice.steps->name, choice.kernel->name));
  need_able(choice, bodies.size(), options.precision, gravity);
  if (choice.kernel == nullptr && !choice.tree) {
    const auto looks = chosen(device, bodies, options.precision, gravity);
    choice.kernel = looks.kernel, choice.shape = looks.shape;
  }
  choice.why = options.why;
  if (device == Device::cuda) choice.gpus = gpus_of(choice, bodies.size(), options);
  return choice;
}

Choice chosen_on_gpus(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options) {
  auto choice = chosen(Device::cuda, bodies, options.precision, gravity);
  choice.gpus = gpus_of(choice, bodies.size(), options);
  return choice;
}

/// The GPU, when it is asked for by name or by a kernel's name, or by nothing and can be used.
Choice choose(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options) {
  const bool by_kernel = options.kernel.starts_with("cuda/") || options.kernel.starts_with("steps ");
  if (options.backend == "cuda" || by_kernel) need_device(options);
  if (options.kernel != "auto") return asked_for(bodies, gravity, options);
  std::string why_not;
  if (options.backend != "cpu") {
    // Asked for, it has been found above: whatever fails from now on is an error, never a reason for the CPU.
    if (options.backend != "cuda") why_not = why_no_device();
    if (why_not.empty() && gravity.boundary.all_images() && options.backend != "cuda")
      why_not = "the GPU knows nearest images only";
    if (why_not.empty() && !options.jerks) return chosen_on_gpus(bodies, gravity, options);
    if (why_not.empty()) why_not = "hermite4 needs jerks, which the GPU does not compute yet";
  }
  auto choice = chosen(Device::cpu, bodies, options.precision, gravity);
  if (built_for_devices && options.backend == "auto") choice.why += "; not on a GPU: " + why_not;
  return choice;
}

}  // namespace

int gpus_for_tree(std::size_t n, int most) {
  // What every GPU does alone and the queueing on all of them take a millisecond then: measured on H200s,
  // four are 1.2 times as fast as one, and slower at 2^18.
  constexpr std::size_t several_from = std::size_t{1} << 20;
  if (n < several_from) return 1;
  const int usable = std::min(device_count(), 8);
  return most == 0 ? std::max(usable, 1) : std::min(most, usable);
}

std::function<splat::Layers()> Engine::begin_layers(const splat::Request&) { return {}; }

void Engine::retune(const std::string& kernel) {
  throw UsageError(fmt::format("kernel '{}' cannot take over while a run goes on here", kernel));
}

std::size_t engine_bytes(std::size_t n, const EngineOptions& options) {
  // State (position and mass, velocity, sums), the host's copy of the bodies, the buffer of an evaluation
  // with potential, and a copy of three of these on its way to whoever looks.
  const std::size_t real = options.precision == Precision::f32 ? 4 : 8;
  const std::size_t each = 4 * 4 * real + 7 * 8 + 8 + 1 + 4 * real + 3 * 4 * real;
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
  if (options.gpus < 0)
    throw UsageError(fmt::format("gpus = {} must be >= 0 (0: as many as make it faster)", options.gpus));
  if (options.jerks && gravity.boundary.all_images())
    throw UsageError(
        "integrator hermite4 needs jerks, which are not there for all images of a periodic box; use another "
        "integrator, or gravity.images = \"nearest\"");
  if (gravity.dimension == 2 && gravity.boundary.all_images())
    throw UsageError("all images pull in three dimensions; with two use gravity.images = \"nearest\"");
  auto choice = choose(bodies, gravity, options);
  const bool on_host = (choice.tree ? choice.tree->device : choice.kernel->device) == Device::cpu;
  if (options.gpus > 1 && on_host) {
    const auto why = why_no_device();
    throw ResourceError(fmt::format("gpus = {} cannot be used: {}", options.gpus,
                                    why.empty() ? text_of(choice) + " runs on the CPU" : why));
  }
  if (!on_host) return make_device_engine(bodies, gravity, std::move(choice), options.precision);
  switch (options.precision) {
    case Precision::f32:
      return std::make_unique<HostEngine<F32>>(bodies, gravity, std::move(choice), options.precision,
                                               options.threads);
    case Precision::f64:
      return std::make_unique<HostEngine<F64>>(bodies, gravity, std::move(choice), options.precision,
                                               options.threads);
    case Precision::mixed:
      break;
  }
  return std::make_unique<HostEngine<Mixed>>(bodies, gravity, std::move(choice), options.precision,
                                             options.threads);
}

}  // namespace pleiad
