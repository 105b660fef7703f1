/// Selects the engine of a problem, with the reason.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/splat.hpp"
#include "cpu/target.hpp"
#include "direct/why_not.hpp"
#include "engine/device.hpp"
#include "engine/host_engine.hpp"
#include "engine/softenings.hpp"
#include "integrate/individual.hpp"
#include "integrate/orbit_particles.hpp"
#include "ranks/agree.hpp"
#include "ranks/self.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

Masses masses_of(const ProblemFacts& facts) { return facts.equal_masses ? Masses::equal : Masses::any; }

constexpr std::array<std::string_view, 3> backends{"auto", "cpu", "cuda"};

void need_backend(const std::string& name) {
  if (std::find(backends.begin(), backends.end(), name) == backends.end())
    throw UsageError("no backend '" + name + "': it is one of auto, cpu, cuda" + did_you_mean(name, backends),
                     Error::Code::unknown_name);
}

/// Whether a scheme on the host makes the steps of single bodies on a GPU.
bool by_host(const ProblemFacts& facts) {
  return steps_by_host(facts.integrator, facts.close_groups, !facts.gravity.potentials.empty());
}

/// Whether some forces depend on velocities.
bool kicks_implicitly(const ProblemFacts& facts) {
  return std::ranges::any_of(facts.gravity.forces,
                             [](const AddedForce& force) { return kind_of(force).of_velocities; });
}

/// Number of GPUs of a method: the requested one for a kernel that is named and can be divided; else the
/// requested one or fewer, whichever is fastest, 0 meaning all. Measured on H200s, one-sided: 1034 G/s on one
/// and 1000 on two at 4096 bodies, 1842 and 3216 at 16384; symmetric steps: 1920 on one, 1812 on two and 1825
/// on four at 8192, 2179, 2506 and 3129 at 12288. The number of GPUs must not change the kernel, and with it
/// the result: fused steps that cannot be divided stay on one GPU.
int gpus_of(const ForceMethod& method, const ProblemFacts& facts, const EngineOptions& options) {
  const std::size_t n = facts.n;
  constexpr std::size_t multi_gpu_from = 12288;
  const int there = device_count(), asked = options.gpus;
  if (asked > there)
    throw ResourceError(fmt::format("gpus = {}: there {} {}; use fewer, or 0 for as many as make it faster",
                                    asked, there == 1 ? "is" : "are", there),
                        Error::Code::no_device);
  // Velocities travel in each kick; steps of single bodies are made on one.
  if (kicks_implicitly(facts) || in_blocks(facts.integrator)) return std::max(asked, 1);
  if (method.tree) return asked > 0 ? asked : facts.gravity.boundary.periodic ? 1 : gpus_for_tree(n, 0);
  if (method.steps != nullptr && !method.steps->divides) return 1;
  if (asked > 0 && options.method) return asked;
  if (n < multi_gpu_from || !method.kernel->traits.reproducible) return 1;
  return std::min(asked > 0 ? asked : there, 8);
}

constexpr std::string_view about_particles = "; test particles, which do not count, are pulled one-sidedly";

/// Selects by the table of measurements among kernels that the present GPU can run: the table is of a GPU
/// with clusters, many multiprocessors and much shared memory.
Choice chosen_on_device(const ProblemFacts& facts) {
  const auto all = catalogue();
  // No fused steps that all bodies share; of hermite4-block the kernel is that of energies.
  if (in_blocks(facts.integrator))
    return choose_device_kernel(facts.n, facts.precision, facts.gravity, masses_of(facts),
                                {.kernels = all.kernels});
  if (facts.massless > 0) {  // fused steps are of all bodies
    auto choice = choose_device_kernel(std::max<std::size_t>(facts.massive(), 1), facts.precision,
                                       facts.gravity, Masses::any, {.kernels = all.kernels});
    choice.why += about_particles;
    return choice;
  }
  std::vector<const StepKernel*> steps(all.steps.begin(), all.steps.end());
  for (;;) {
    auto choice = choose_device_kernel(facts.n, facts.precision, facts.gravity, masses_of(facts),
                                       {.kernels = all.kernels, .steps = steps});
    const auto* const first = choice.method.steps;
    if (first == nullptr || device_can_launch(*first, facts.n, facts.precision)) return choice;
    std::erase(steps, first);
  }
}

/// The table's choice on the CPU, for the bodies with mass.
Choice chosen_on_host(const ProblemFacts& facts) {
  auto choice = choose_direct_kernel(facts.massive(), facts.precision, facts.gravity);
  need_able(choice.method, facts);
  if (facts.massless > 0) choice.why += about_particles;
  if (facts.semi_active > 0)
    choice.why += fmt::format("; {} semi-active bod{} not pull each other", facts.semi_active,
                              facts.semi_active == 1 ? "y, which does" : "ies, which do");
  if (facts.massive() == 0) choice.why = "no body pulls all others, so that nothing is summed";
  return choice;
}

/// Facts for this number of GPUs.
ProblemFacts on_gpus(ProblemFacts facts, int gpus) {
  facts.gpus = gpus;
  return facts;
}

/// The table's choice.
Choice chosen(Device device, const ProblemFacts& facts, const EngineOptions& options) {
  if (device == Device::cpu) return chosen_on_host(facts);
  auto choice = chosen_on_device(facts);
  need_able(choice.method, facts);
  choice.gpus = gpus_of(choice.method, facts, options);
  if (facts.massless > 0 && options.gpus == 0) choice.gpus = 1;  // where they are apart
  need_able(choice.method, on_gpus(facts, choice.gpus));
  return choice;
}

Choice asked_for(const ProblemFacts& facts, const EngineOptions& options) {
  Choice choice{.method = *options.method, .why = options.why};
  auto& method = choice.method;
  const Device device = place_of(method);
  if (options.backend != "auto" && options.backend != name_of(device))
    throw UsageError(fmt::format("kernel '{}' does not run on backend '{}'; leave one of the two to auto",
                                 text_of(method), options.backend));
  if (method.ensemble != nullptr)
    throw UsageError(
        fmt::format("kernel '{}' is for ensembles; choose another kernel for one system", text_of(method)));
  need_able(method, facts);
  if (method.kernel == nullptr && !method.tree) {
    const auto diagnostic_sums =
        choose_device_kernel(facts.n, facts.precision, facts.gravity, masses_of(facts)).method;
    method.kernel = diagnostic_sums.kernel, method.shape = diagnostic_sums.shape;
  }
  if (device == Device::cuda) {
    choice.gpus = gpus_of(method, facts, options);
    need_able(method, on_gpus(facts, choice.gpus));
  }
  return choice;
}

/// A GPU is used if it, or a kernel of it, is requested by name, or if nothing is requested and a GPU is
/// usable.
Choice choose(const ProblemFacts& facts, const EngineOptions& options) {
  if (options.backend == "cuda" || (options.method && place_of(*options.method) == Device::cuda))
    need_device(options);
  if (options.method) return asked_for(facts, options);
  // A requested GPU was found above: a failure there is an error, never a reason for the CPU.
  if (options.backend == "cuda") return chosen(Device::cuda, facts, options);
  std::string why_not_there;
  if (options.backend == "auto") {
    why_not_there = why_no_device();
    // Each iteration of a kick is some launches and a wait: more than these take on a core.
    constexpr std::size_t few = 2048;
    if (why_not_there.empty() && kicks_implicitly(facts) && facts.massive() < few && facts.n < 16 * few)
      why_not_there = "kicks by forces of velocities of so few bodies are faster there";
    // Blocks of steps then have two or three bodies, whose pulls take a core no longer than two barriers of a
    // grid take; or a hundred, whose pulls take some cores no longer than a GPU takes to answer.
    const double few_alone = by_host(facts) ? 4096 : 512;
    if (why_not_there.empty() && in_blocks(facts.integrator) &&
        double(facts.massive()) * double(facts.n) < few_alone * few_alone)
      why_not_there = "steps of their own of so few bodies are faster there";
    if (why_not_there.empty()) try {
        return chosen(Device::cuda, facts, options);
      } catch (const UsageError& e) {
        why_not_there = obstacle_of(e.what());
      }
  }
  auto choice = chosen(Device::cpu, facts, options);
  if (built_for_devices && options.backend == "auto") choice.why += "; not on a GPU: " + why_not_there;
  return choice;
}

/// Whether all ranks have a GPU; ResourceError on every rank if a GPU is asked for and some have none.
bool gpus_everywhere(const EngineOptions& options, ranks::Communicator& ranks) {
  // Before any GPU is asked: what is asked holds memory of each process that asks.
  take_gpu_of(ranks);
  const bool asked =
      options.backend == "cuda" || (options.method && place_of(*options.method) == Device::cuda);
  const auto obstacles = ranks::all_texts(ranks, why_no_device());
  const auto without = std::ranges::find_if(obstacles, [](const auto& why) { return !why.empty(); });
  if (without == obstacles.end()) return true;
  if (asked)
    throw ResourceError(fmt::format("several ranks need a GPU each, and rank {} has none: {}",
                                    without - obstacles.begin(), *without),
                        Error::Code::no_device);
  return false;
}

/// For several ranks: a method whose bits do not depend on their number. On their GPUs where GPUs are asked
/// for, or nothing is and all have one.
Choice collective_choose(const ProblemFacts& facts, const EngineOptions& options,
                         ranks::Communicator& ranks) {
  need_able({}, on_gpus(facts, options.gpus));
  const bool any_place = options.backend == "auto" && !options.method;
  const bool semi_active = facts.gravity.semi_active.any();
  const bool of_hosts = needs_doubles(options.integrator) || in_blocks(options.integrator);
  const bool on_cpus = of_hosts || semi_active;
  const bool gpus = options.backend != "cpu" && !(any_place && on_cpus) &&
                    (!options.method || place_of(*options.method) == Device::cuda) &&
                    gpus_everywhere(options, ranks);
  if (options.method) {
    need_able(*options.method, facts);
    return {.method = *options.method, .divide_tree = options.divide_tree, .why = options.why};
  }
  if (!gpus) {
    auto choice = chosen_on_host(facts);
    if (built_for_devices && any_place)
      choice.why += of_hosts      ? "; its integrator runs on CPUs"
                    : semi_active ? "; semi-active bodies are computed on CPUs"
                                  : "; not every rank has a GPU";
    return choice;
  }
  // Further needs of the integrator or a tree are checked below, with an error message.
  ProblemFacts sums = facts;
  sums.integrator = nullptr, sums.must_divide_tree = false;
  std::vector<const DirectKernel*> divisible;
  for (const auto* kernel : catalogue().kernels)
    if (!why_not({.kernel = kernel}, sums)) divisible.push_back(kernel);
  auto choice =
      choose_device_kernel(facts.n, facts.precision, facts.gravity, masses_of(facts), {.kernels = divisible});
  choice.divide_tree = options.divide_tree;
  need_able(choice.method, facts);
  return choice;
}

/// Whether the bodies of all ranks have one mass, which is not 0.
bool has_equal_masses(const Bodies& own, ranks::Communicator& ranks) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const auto [low, high] = std::ranges::minmax_element(own.mass);
  const bool any = !own.mass.empty();
  const double least = -ranks::max(ranks, any ? -*low : -none), most = ranks::max(ranks, any ? *high : -none);
  return least == most && most > 0;
}

/// Why a GPU does not carry the test particles of this problem, as OBSTACLE; empty if it does.
std::string why_not_carried(const ProblemFacts& facts) {
  if (facts.massless == 0) return "of which there are none";
  if (!facts.gravity.forces.empty()) return "without gravity.forces";
  if (facts.gravity.semi_active.any()) return "without gravity.semi_active";
  if (facts.massive() > most_that_carry)
    return fmt::format("with at most {} bodies with mass", most_that_carry);
  return {};
}

/// The test particles of a Wisdom-Holman map on a GPU, where the bodies with mass are on the CPU: if a GPU is
/// asked for, or nothing is, there is one, and it takes less time. Null: on the CPU, too.
std::unique_ptr<OrbitParticles> carried_particles(const ProblemFacts& facts, const EngineOptions& options) {
  if (!carries_orbits(options.integrator) || facts.on_ranks || facts.precision != Precision::f64) return {};
  if (options.backend == "cpu" || (options.method && place_of(*options.method) == Device::cuda)) return {};
  const auto obstacle = why_not_carried(facts);
  if (options.backend == "cuda") {
    need_device(options);
    if (!obstacle.empty())
      throw UsageError(fmt::format(
          "integrator {} moves bodies with mass on the CPU, and a GPU carries test particles alone, {}; use "
          "--backend cpu",
          options.integrator->name, obstacle));
    return make_device_orbit_particles();
  }
  // Fewer take less time on a CPU than a GPU takes to be made ready.
  constexpr std::size_t many = 16384;
  if (!obstacle.empty() || facts.massless < many || !why_no_device().empty()) return {};
  return make_device_orbit_particles();
}

template <class P>
std::unique_ptr<Engine> make_host_engine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                         const EngineOptions& options, ranks::Communicator& ranks,
                                         std::unique_ptr<OrbitParticles> carried = nullptr) {
  return std::make_unique<HostEngine<P>>(bodies, gravity, std::move(choice), options.precision,
                                         options.threads, ranks, options.particles_limit_step,
                                         std::move(carried));
}

}  // namespace

void need_device(const EngineOptions& options) {
  if (const auto why = why_no_device(); !why.empty())
    throw ResourceError(options.backend == "cuda"
                            ? fmt::format("backend 'cuda' cannot be used: {}", why)
                            : fmt::format("kernel '{}' cannot be used: {}", text_of(options.method), why),
                        Error::Code::no_device);
}

int gpus_for_tree(std::size_t n, int most) {
  // The serial work of each GPU and the queueing on all of them take a millisecond then: measured on H200s,
  // four are 1.2 times as fast as one, and slower at 2^18.
  constexpr std::size_t multi_gpu_from = std::size_t{1} << 20;
  if (n < multi_gpu_from) return 1;
  const int usable = std::min(device_count(), 8);
  return most == 0 ? std::max(usable, 1) : std::min(most, usable);
}

std::function<splat::ImagePlanes()> Engine::begin_image_planes(const splat::Request&) { return {}; }

std::string EngineDescription::kernel() const { return text_of(method) + (others ? " and others" : ""); }

void Engine::set_user_force(UserForce, double) {
  throw UsageError("this engine takes no force of your own; use the CPU or one GPU");
}

void Engine::retune(const ForceMethod& method) {
  throw UsageError(fmt::format("this engine cannot switch to kernel '{}' during a run", text_of(method)));
}

std::size_t engine_bytes(std::size_t n, const EngineOptions& options) {
  // State (position and mass, velocity, sums), the host's copy of the bodies, the buffer of an evaluation
  // with potential, and a copy of three of these for diagnostics and outputs.
  const std::size_t real = options.precision == Precision::f32 ? 4 : 8;
  const std::size_t each = 4 * 4 * real + 7 * 8 + 8 + 1 + 4 * real + 3 * 4 * real;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, each, &bytes))
    throw ResourceError(fmt::format("{} bodies of {} bytes each exceed the address space", n, each),
                        Error::Code::out_of_memory);
  return bytes;
}

std::unique_ptr<Engine> make_engine(const Bodies& bodies, const Gravity& law, const EngineOptions& asked) {
  cpu::need_simd_target();
  EngineOptions options = asked;
  Gravity gravity = law;
  // Hermite's forces are sums in double precision, and so are its energies and the reference of its errors.
  if (options.integrator != nullptr && options.integrator->needs_jerks &&
      options.precision == Precision::mixed)
    options.precision = Precision::f64;
  need_backend(options.backend);
  if (options.threads < 0)
    throw UsageError(fmt::format("threads = {} must be >= 0 (0: all)", options.threads));
  if (options.gpus < 0)
    throw UsageError(fmt::format("gpus = {} must be >= 0 (0: as many as make it faster)", options.gpus));
  auto& ranks = ranks::or_self(options.ranks);
  gravity.softening = softening_of(bodies, law.softening, ranks);
  auto facts = facts_of(bodies, gravity, options.precision);
  facts.integrator = options.integrator;
  facts.pair_steps = in_blocks(options.integrator) && options.blocks.by_pairs(gravity.softening.eps);
  facts.symmetric_steps = options.symmetric_steps;
  facts.close_groups = options.blocks.groups != CloseGroups::off;
  facts.neighbours = options.blocks.neighbours == Neighbours::on;
  facts.must_divide_tree = options.divide_tree == DivideTree::yes;
  facts.on_ranks = ranks.ranks() > 1, facts.n = ranks::sum(ranks, bodies.size());
  facts.massless = ranks::sum(ranks, facts.massless);
  facts.semi_active = ranks::sum(ranks, facts.semi_active);
  if (facts.on_ranks) facts.equal_masses = has_equal_masses(bodies, ranks);
  auto carried = carried_particles(facts, options);
  if (carried) options.backend = "cpu";
  auto choice = facts.on_ranks ? collective_choose(facts, options, ranks) : choose(facts, options);
  const bool on_host = place_of(choice.method) == Device::cpu;
  if (carried) choice.why += fmt::format("; {} test particles on the GPU", facts.massless), options.gpus = 1;
  if (facts.massless > 0 && options.particles_limit_step)
    choice.why += "; test particles limit the step, and so change the bits of the other bodies";
  if (options.gpus > 1 && on_host) {
    const auto why = why_no_device();
    throw ResourceError(why.empty() ? *why_not(choice.method, on_gpus(facts, options.gpus))
                                    : fmt::format("gpus = {} cannot be used: {}", options.gpus, why),
                        Error::Code::no_device);
  }
  if (!on_host && has_individual_steps(options.integrator))
    return make_individual_engine(
        bodies, gravity, choice, asked.precision,
        {.by_host = by_host(facts), .gpus = choice.gpus, .threads = options.threads});
  if (!on_host) return make_device_engine(bodies, gravity, std::move(choice), options.precision, ranks);
  switch (options.precision) {
    case Precision::f32:
      return make_host_engine<F32>(bodies, gravity, std::move(choice), options, ranks);
    case Precision::f64:
      return make_host_engine<F64>(bodies, gravity, std::move(choice), options, ranks, std::move(carried));
    case Precision::mixed:
      break;
  }
  return make_host_engine<Mixed>(bodies, gravity, std::move(choice), options, ranks);
}

}  // namespace pleiad
