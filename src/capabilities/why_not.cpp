/// Refusals, in the order in which a user would mend them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "added_forces/medium.hpp"
#include "capabilities/capabilities.hpp"
#include "capabilities/comoving.hpp"
#include "integrate/individual.hpp"
#include "integrate/orbit_map.hpp"
#include "integrate/regularised.hpp"
#include "potentials/hill_drift.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pleiad {
namespace {

using Reason = std::optional<std::string>;

constexpr bool is_tree(Family f) {
  return f == Family::cpu_barnes_hut || f == Family::cpu_fmm || f == Family::gpu_barnes_hut ||
         f == Family::gpu_fmm;
}
constexpr bool on_gpu(Family f) { return f >= Family::gpu_one_sided; }
/// Fused steps of many systems.
constexpr bool of_ensembles(Family f) { return f == Family::gpu_ensembles || f == Family::gpu_orbits; }

/// Whether a cell of the table and the method itself allow a combination.
constexpr bool can(Can cell, bool itself) { return cell != Can::no && itself; }

bool has(const Applicant& a, Precision precision) {
  const auto& row = capabilities(a.family);
  switch (precision) {
    case Precision::f32:
      return can(row.f32, a.f32);
    case Precision::f64:
      return can(row.f64, a.f64);
    case Precision::mixed:
      break;
  }
  return can(row.mixed, a.mixed);
}

bool knows(const Applicant& a, const Boundary& space) {
  const auto& row = capabilities(a.family);
  if (!space.periodic) return can(row.open, a.open);
  return space.all_images() ? can(row.all_images, a.all_images) : can(row.nearest, a.nearest);
}

Reason for_precision(const Applicant& a, Precision precision) {
  if (has(a, precision)) return {};
  return fmt::format("{}'{}' has no {} form; choose another kernel or precision",
                     is_tree(a.family) ? "" : "kernel ", a.name, name_of(precision));
}

Reason for_tree_in(const Applicant& a, const Boundary& space) {
  if (knows(a, space)) {
    if (!space.periodic || a.rebuild_every <= 1) return {};
    return "rebuild_every is for open space: in a periodic box bodies leave their cells at its faces";
  }
  return "trees in a periodic box need gravity.images = \"all\"; set it, or use direct sums";
}

Reason for_space(const Applicant& a, const Boundary& space) {
  if (is_tree(a.family)) return for_tree_in(a, space);
  if (knows(a, space)) return {};
  if (space.all_images())
    return fmt::format(
        "kernel '{}' has no Ewald summation (gravity.images = \"all\"); use cpu/ewald, a tree, or "
        "gravity.images = \"nearest\"",
        a.name);
  return fmt::format("kernel '{}' does not know {}; choose another kernel", a.name,
                     space.periodic ? "periodic boxes" : "open space");
}

/// A regularised group, beyond what Wisdom-Holman needs.
Reason for_regularised(const ProblemFacts& facts) {
  const auto refused = [&](std::string_view why) {
    return fmt::format("integrator {} {}; use gauss-radau", facts.integrator->name, why);
  };
  if (facts.n > most_regularised_bodies)
    return fmt::format("integrator {} takes at most {} bodies, not {}; use hermite4", facts.integrator->name,
                       most_regularised_bodies, facts.n);
  if (facts.massless > 0 && facts.n > 1)
    return refused("takes no test particles, which would change the steps of the other bodies");
  if (facts.gravity.dimension != 3) return refused("needs gravity.dimension = 3");
  if (facts.gravity.semi_active.any()) return refused("computes all pulls, without gravity.semi_active");
  if (!facts.gravity.forces.empty()) return refused("computes mutual gravity alone, without gravity.forces");
  return {};
}

/// Wisdom-Holman, beyond the needs of Gauss-Radau.
Reason for_orbits(const ProblemFacts& facts) {
  const auto cannot_have = [&](std::string_view what) {
    return fmt::format("integrator {} moves bodies {}, without {}; use gauss-radau or kdk",
                       facts.integrator->name,
                       regularises(facts.integrator) ? "as one group" : "on Kepler orbits", what);
  };
  if (facts.on_ranks) return cannot_have("several ranks");
  if (facts.gravity.boundary.periodic) return cannot_have("a periodic box");
  if (const auto& s = facts.gravity.softening; s.eps > 0 || !s.plain()) return cannot_have("softening");
  if (!facts.gravity.potentials.empty()) return cannot_have("gravity.potentials");
  if (facts.user_force) return cannot_have("a force of your own");
  return {};
}

/// Hermite's sixth order, beyond the needs of the fourth.
Reason for_snaps(const ProblemFacts& facts) {
  const auto& g = facts.gravity;
  const auto cannot_have = [&](std::string_view what) {
    return fmt::format(
        "integrator {} needs second derivatives of accelerations, which {} not have; use hermite4 or "
        "gauss-radau",
        facts.integrator->name, what);
  };
  if (!g.potentials.empty()) return cannot_have("gravity.potentials do");
  if (!g.forces.empty()) return cannot_have("gravity.forces do");
  if (facts.user_force) return cannot_have("a force of your own does");
  if (!g.softening.plain()) return cannot_have("splines and softenings of bodies do");
  if (g.semi_active.any()) return cannot_have("sums with gravity.semi_active do");
  return {};
}

/// Block time steps, whatever the method.
Reason for_blocks(const ProblemFacts& facts) {
  const auto& g = facts.gravity;
  const auto cannot_have = [&](std::string_view what) {
    return fmt::format("integrator {} evaluates sets of bodies by themselves, without {}; use kdk",
                       facts.integrator->name, what);
  };
  if (!g.forces.empty()) return cannot_have("gravity.forces");
  if (g.semi_active.any()) return cannot_have("gravity.semi_active");
  if (facts.user_force) return cannot_have("a force of your own");
  if (std::ranges::any_of(g.potentials, potentials::is_hill)) return cannot_have("the potential 'hill'");
  if (facts.pair_steps && !g.softening.plain())
    return fmt::format(
        "time.block_criterion = \"pairs\" is for one Plummer softening of all bodies; use \"acceleration\"");
  return {};
}

/// Close groups in these steps.
Reason for_close_groups(const ProblemFacts& facts) {
  const auto refused = [](std::string_view why) {
    return fmt::format("time.groups = \"regularised\" {}; use \"off\"", why);
  };
  const auto& g = facts.gravity;
  if (g.softening.eps > 0) return refused("is for pulls without gravity.softening");
  if (!g.potentials.empty()) return refused("is for mutual gravity alone, without gravity.potentials");
  if (g.dimension != 3) return refused("needs gravity.dimension = 3");
  if (facts.massless > 0) return refused("takes no test particles");
  return {};
}

/// Hermite's steps of each body, beyond the needs of those that are shared.
Reason for_block_hermite(const ProblemFacts& facts) {
  const auto& g = facts.gravity;
  const auto cannot_have = [&](std::string_view what) {
    return fmt::format(
        "integrator {} predicts bodies in open space with one Plummer softening, without {}; use "
        "hermite4",
        facts.integrator->name, what);
  };
  if (g.boundary.periodic) return cannot_have("a periodic box");
  if (!g.softening.plain()) return cannot_have("a spline or softenings of types and bodies");
  if (!g.forces.empty()) return cannot_have("gravity.forces");
  if (g.semi_active.any()) return cannot_have("gravity.semi_active");
  return facts.close_groups ? for_close_groups(facts) : Reason{};
}

/// And on a GPU.
Reason for_blocks_on_gpu(const Applicant& a, const ProblemFacts& facts) {
  const auto refused = [&](std::string_view why) {
    return fmt::format("integrator {} on a GPU {}; use --backend cpu", facts.integrator->name, why);
  };
  if (a.family == Family::gpu_fused_steps || a.family == Family::gpu_ensembles)
    return refused(fmt::format("sums forces of sets of bodies, which '{}' does not", a.name));
  if (facts.on_ranks) return refused("moves the bodies of one process, not of ranks");
  if (facts.pair_steps) return refused("takes no time.block_criterion = \"pairs\", as without a softening");
  if (facts.massless > 0) return refused("takes no test particles");
  return {};
}

/// And by this method.
Reason for_blocks(const Applicant& a, std::string_view text, const ProblemFacts& facts) {
  const auto name = facts.integrator->name;
  if (facts.symmetric_steps && on_gpu(a.family))
    return fmt::format(
        "time.symmetric_steps with integrator {} makes steps again on CPUs, not by '{}'; use --backend cpu",
        name, text);
  if (on_gpu(a.family))
    if (auto why = for_blocks_on_gpu(a, facts)) return why;
  if (facts.pair_steps && is_tree(a.family))
    return fmt::format(
        "integrator {} without a softening takes its steps from pairs of bodies, at which '{}' does not "
        "look; set gravity.softening, or solver.method = \"direct\"",
        name, text);
  return {};
}

/// Gauss-Radau, Wisdom-Holman.
Reason for_doubles(const Applicant& a, const ProblemFacts& facts) {
  const auto needs = fmt::format("integrator {} needs", facts.integrator->name);
  if (facts.precision != Precision::f64)
    return fmt::format("{} engine.precision = \"f64\": its errors are far below those of other precisions",
                       needs);
  if (facts.gravity.boundary.all_images())
    return fmt::format(
        "{} sums over pairs, not Ewald summation; use another integrator, or gravity.images = \"nearest\"",
        needs);
  if (capabilities(a.family).doubles == Can::yes) return {};
  if (is_tree(a.family))
    return fmt::format("{} forces without the errors of a tree; use another integrator, or direct sums",
                       needs);
  if (a.family == Family::gpu_ensembles && orbit_map_of(facts.integrator) != OrbitMap::none)
    return fmt::format("{} Kepler orbits, which kernel '{}' does not have; leave the kernel to auto", needs,
                       a.name);
  if (on_gpu(a.family))
    return fmt::format("{} its bodies on the CPU; use --backend cpu, or another integrator", needs);
  return fmt::format("{} other sums than those of kernel '{}'; use another one", needs, a.name);
}

/// Systems on Kepler orbits are moved by the map of a kernel.
Reason for_map(const Applicant& a, const ProblemFacts& facts) {
  if (orbit_map_of(facts.integrator) != OrbitMap::none) return {};
  return fmt::format(
      "kernel '{}' makes steps of wisdom-holman and wisdom-holman-jacobi, not of {}; leave the kernel to "
      "auto",
      a.name, facts.integrator != nullptr ? facts.integrator->name : "other integrators");
}

/// Hermite's steps of each body on a GPU.
Reason for_individual_steps(const Applicant& a, const ProblemFacts& facts) {
  const auto name = facts.integrator->name;
  if (capabilities(a.family).doubles == Can::no)
    return fmt::format("integrator {} needs sums that kernel '{}' does not have; use another one", name,
                       a.name);
  if (facts.on_ranks || !facts.gravity.potentials.empty())
    return fmt::format(
        "integrator {} moves its bodies on a GPU of one process by mutual gravity, {}; use --backend cpu",
        name, facts.on_ranks ? "not on ranks" : "without gravity.potentials");
  return {};
}

Reason for_jerks(const Applicant& a, const ProblemFacts& facts) {
  const auto name = facts.integrator->name;
  const auto needs = fmt::format("integrator {} needs jerks", name);
  if (facts.precision == Precision::f32)
    return fmt::format(
        "integrator {} needs precision f64 or mixed: its step criterion takes differences that single "
        "precision loses",
        name);
  if (facts.gravity.boundary.all_images())
    return fmt::format(
        "{}, which Ewald summation does not provide; use another integrator, or gravity.images = \"nearest\"",
        needs);
  if (capabilities(a.family).doubles == Can::yes) return {};
  if (is_tree(a.family))
    return fmt::format("{}, which trees do not provide; use another integrator, or direct sums", needs);
  if (has_individual_steps(facts.integrator) && on_gpu(a.family) && !of_ensembles(a.family))
    return for_individual_steps(a, facts);
  if (on_gpu(a.family))
    return fmt::format("{}, which the GPU does not compute yet; use --backend cpu, or another integrator",
                       needs);
  return fmt::format("{}, which kernel '{}' does not provide; use another one", needs, a.name);
}

Reason for_tree_on_ranks(const Applicant& a, const Boundary& space) {
  if (on_gpu(a.family)) {
    if (!knows(a, space) || !space.periodic) return {};
    return fmt::format(
        "'{}' computes a periodic box on one GPU of one process, not on several ranks; use one process, or "
        "--backend cpu",
        a.name);
  }
  if (a.fault) return a.fault;
  if (a.structure != Structure::octree)
    return fmt::format("structure '{}' is not available for several ranks, which divide an octree",
                       name_of(a.structure));
  if (a.rebuild_every > 1)
    return fmt::format("rebuild_every = {}: several ranks build the tree anew for every evaluation",
                       a.rebuild_every);
  return {};
}

Reason for_ranks(std::span<const Applicant> parts, std::string_view text, const ProblemFacts& facts) {
  const auto& last = parts.back();
  if (is_tree(last.family)) return for_tree_on_ranks(last, facts.gravity.boundary);
  const bool able = parts.size() == 1 && can(capabilities(last.family).ranks,
                                             on_gpu(last.family) ? last.reproducible
                                                                 : last.family != Family::cpu_one_sided ||
                                                                       last.name == "cpu/threads");
  if (able) return {};
  return fmt::format("kernel '{}' does not work with several ranks; use {}", text,
                     on_gpu(last.family)                   ? "cuda/split-reduced"
                     : facts.gravity.boundary.all_images() ? "cpu/ewald"
                                                           : "cpu/symmetric");
}

Reason for_gpus(std::span<const Applicant> parts, std::string_view text, const ProblemFacts& facts) {
  const auto& last = parts.back();
  if (!on_gpu(last.family))
    return fmt::format("gpus = {} cannot be used: {} runs on the CPU", facts.gpus, text);
  if (in_blocks(facts.integrator))
    return fmt::format("gpus = {} cannot be used: integrator {} moves its bodies on one GPU; choose one",
                       facts.gpus, facts.integrator->name);
  if (is_tree(last.family) && facts.gravity.boundary.periodic)
    return fmt::format("gpus = {} cannot be used: '{}' computes a periodic box on one GPU; choose one",
                       facts.gpus, last.name);
  for (const auto& part : parts) {
    if (can(capabilities(part.family).gpus, part.reproducible && part.on_gpus)) continue;
    if (!part.reproducible)
      return fmt::format(
          "kernel '{}' is not reproducible, so its sums are not divided among GPUs; choose another kernel or "
          "one GPU",
          part.name);
    if (part.family == Family::gpu_fused_steps)
      return fmt::format(
          "kernel '{}' makes its steps on one GPU; choose one GPU, or another kernel for {} of them",
          part.name, facts.gpus);
    return fmt::format("kernel '{}' cannot be divided among GPUs; choose another kernel or one GPU",
                       part.name);
  }
  return {};
}

Reason for_divided_tree(const Applicant& a, std::string_view text, const ProblemFacts& facts) {
  if (!facts.on_ranks || !on_gpu(a.family))
    return fmt::format(
        "engine.distribute_tree = yes is for several ranks with a GPU each, and this is {}; leave it to auto",
        facts.on_ranks ? "a run on CPUs, where ranks always divide a tree" : "one process");
  if (facts.precision == Precision::f64)
    return "engine.distribute_tree = yes is for single and mixed precision, not for engine.precision = "
           "\"f64\"";
  if (capabilities(a.family).divided_tree != Can::yes)
    return fmt::format("engine.distribute_tree = yes is for cuda/fmm, not for '{}'", text);
  return {};
}

/// Added forces, whatever the method.
Reason for_added_forces(const ProblemFacts& facts) {
  const auto& g = facts.gravity;
  if (g.boundary.periodic || g.dimension != 3)
    return "gravity.forces need open space and gravity.dimension = 3; leave them out, or the periodic box "
           "and "
           "the second dimension";
  if (std::ranges::any_of(g.potentials, potentials::is_hill))
    return "gravity.forces act in a frame at rest; leave them out, or the potential 'hill', whose frame "
           "turns";
  if (auto why = added::missing_medium(g)) return why;
  if (facts.integrator == nullptr || !facts.integrator->needs_jerks) return {};
  for (const auto& force : g.forces)
    if (const auto& kind = kind_of(force); !kind.has_jerks)
      return fmt::format(
          "{} needs the change of accelerations, which force '{}' does not say; choose another integrator, "
          "kdk "
          "for example",
          facts.integrator->name, kind.name);
  return {};
}

/// A softening that is not one Plummer length of all pairs, as a user sets it.
std::string_view words_of(const Softening& s) {
  if (s.of == SofteningOf::bodies) return "bodies with softenings of their own";
  if (s.kernel == SofteningKernel::spline) return "gravity.softening_kernel = \"spline\"";
  return "gravity.softening_by_type";
}

Reason for_softening(std::span<const Applicant> parts, std::string_view text, const ProblemFacts& facts) {
  const auto& softening = facts.gravity.softening;
  const auto& last = parts.back();
  const auto words = words_of(softening);
  if (is_tree(last.family) && capabilities(last.family).softenings == Can::no)
    return fmt::format(
        "{}: trees take it on CPUs, not '{}'; use --backend cpu, or solver.method = \"direct\"", words, text);
  if (of_ensembles(last.family))
    return fmt::format("{}: ensembles take it on CPUs, not '{}'; use --backend cpu", words, text);
  if (!is_tree(last.family)) {
    const std::string_view able = on_gpu(last.family) ? "cuda/split-reduced" : "cpu/threads";
    if (parts.size() == 1 && last.name == able) return {};
    return fmt::format("{}: computed by {}, not by '{}'; use that one", words, able, text);
  }
  if (softening.of == SofteningOf::bodies && softening.kernel == SofteningKernel::plummer)
    return fmt::format(
        "{}: trees, such as '{}', take them with gravity.softening_kernel = \"spline\"; set it, or "
        "solver.method = \"direct\"",
        words, text);
  if (facts.on_ranks && softening.kernel == SofteningKernel::spline)
    return fmt::format(
        "{}: trees take it on one process; use solver.method = \"direct\", or one process with threads",
        words);
  return {};
}

Reason for_semi_active(std::span<const Applicant> parts, std::string_view text, const ProblemFacts& facts) {
  const auto cannot = [](std::string_view obstacle) {
    return fmt::format("gravity.semi_active: {}", obstacle);
  };
  if (!facts.gravity.softening.plain())
    return cannot(
        "pairs have one Plummer softening; leave it out, or softenings of types and bodies and the spline");
  if (facts.gravity.boundary.all_images())
    return cannot("there are no sums over all images; use gravity.images = \"nearest\"");
  if (parts.empty()) return {};
  const auto& last = parts.back();
  if (on_gpu(last.family))
    return cannot(fmt::format("computed on CPUs, not by '{}'; use --backend cpu", text));
  if (is_tree(last.family))
    return cannot(fmt::format("computed by direct sums, not by '{}'; use solver.method = \"direct\"", text));
  return {};
}

/// The reason that holds for every method.
Reason for_any_method(const ProblemFacts& facts) {
  if (facts.on_ranks && facts.gpus > 1)
    return "with several ranks each uses one GPU: start as many ranks as there are GPUs, with gpus = 1";
  if (const auto& g = facts.gravity; !g.potentials.empty() && (g.boundary.periodic || g.dimension != 3))
    return "gravity.potentials need open space and gravity.dimension = 3; leave them out, or the periodic "
           "box "
           "and the second dimension";
  if (const auto& g = facts.gravity; g.boundary.all_images() && !g.softening.plain())
    return fmt::format("{}: there are no sums over all images; use gravity.images = \"nearest\"",
                       words_of(g.softening));
  const auto* scheme = facts.integrator;
  if (scheme != nullptr && scheme->needs_snaps)
    if (auto why = for_snaps(facts)) return why;
  if (!facts.gravity.forces.empty())
    if (auto why = for_added_forces(facts)) return why;
  if (scheme != nullptr && scheme->on_orbits)
    if (auto why = for_orbits(facts)) return why;
  if (regularises(scheme))
    if (auto why = for_regularised(facts)) return why;
  if (in_blocks(scheme))
    if (auto why = scheme->needs_jerks ? for_block_hermite(facts) : for_blocks(facts)) return why;
  const bool hill = std::ranges::any_of(facts.gravity.potentials, potentials::is_hill);
  if (std::ranges::count_if(facts.gravity.potentials, potentials::is_hill) > 1)
    return "gravity.potentials have more than one potential 'hill'; there is one frame";
  if (hill && scheme != nullptr && scheme->needs_doubles)
    return fmt::format(
        "{} takes no potential 'hill', whose Coriolis force is a part of the drift; choose another "
        "integrator, kdk for example",
        scheme->name);
  if (facts.user_force && scheme != nullptr && scheme->needs_jerks)
    return fmt::format(
        "{} needs the change of accelerations, which a force of your own does not say; choose another "
        "integrator, kdk for example",
        scheme->name);
  if (facts.user_force && facts.gpus > 1)
    return "this engine takes no force of your own; use the CPU or one GPU";
  return {};
}

/// A part by itself: precision, space and number of bodies.
Reason for_part(const Applicant& a, const ProblemFacts& facts) {
  if (facts.resumes && a.rebuild_every > 1)
    return fmt::format(
        "rebuild_every = {}: a resumed run would build other cells and have other bits; leave it out (pleiad "
        "bench --experiment trees measures it)",
        a.rebuild_every);
  if (a.fault) return a.fault;
  if (auto why = for_precision(a, facts.precision)) return why;
  if (auto why = for_space(a, facts.gravity.boundary)) return why;
  if (a.most_bodies > 0 && facts.n > a.most_bodies)
    return fmt::format("kernel '{}' takes at most {} bodies, not {}; choose another kernel", a.name,
                       a.most_bodies, facts.n);
  return {};
}

}  // namespace

Reason why_not(std::span<const Applicant> parts, std::string_view text, const ProblemFacts& facts) {
  if (auto why = for_any_method(facts)) return why;
  if (facts.gravity.semi_active.any())
    if (auto why = for_semi_active(parts, text, facts)) return why;
  if (parts.empty()) return {};  // no method is chosen yet
  const auto& last = parts.back();
  if (!facts.gravity.softening.plain())
    if (auto why = for_softening(parts, text, facts)) return why;
  if (facts.on_ranks)
    if (auto why = for_ranks(parts, text, facts)) return why;
  if (facts.gravity.dimension == 2 && facts.gravity.boundary.all_images())
    return "gravity.images = \"all\" (Ewald summation) needs gravity.dimension = 3; with 2 use \"nearest\"";
  if (last.family == Family::gpu_orbits)
    if (auto why = for_map(last, facts)) return why;
  if (facts.adaptive && of_ensembles(last.family))
    return "adaptive steps of its own for each system are made on the CPU only";
  if (needs_doubles(facts.integrator))
    if (auto why = facts.integrator->needs_jerks ? for_jerks(last, facts) : for_doubles(last, facts))
      return why;
  if (facts.close_groups && on_gpu(last.family))
    return fmt::format(
        "time.groups = \"regularised\" integrates groups on CPUs, not by '{}'; use --backend cpu", text);
  if (in_blocks(facts.integrator) && !facts.integrator->needs_jerks)
    if (auto why = for_blocks(last, text, facts)) return why;
  if (on_gpu(last.family) && !on_gpu(parts.front().family))
    return fmt::format("kernel '{}' is for the GPU, and '{}' for the CPU; choose one of them", last.name,
                       parts.front().name);
  for (const auto& part : parts)
    if (auto why = for_part(part, facts)) return why;
  if (facts.user_force && capabilities(last.family).user_force == Can::no)
    return "fused steps of many systems take no force of your own; use --backend cpu";
  if (!facts.gravity.potentials.empty() && capabilities(last.family).potentials == Can::no)
    return "fused steps of many systems take no gravity.potentials; use --backend cpu";
  if (!facts.gravity.forces.empty() && capabilities(last.family).forces == Can::no)
    return fmt::format("ensembles take gravity.forces on CPUs, not '{}'; use --backend cpu", text);
  if (!facts.gravity.forces.empty() && facts.must_divide_tree && on_gpu(last.family))
    return "gravity.forces need the positions of all bodies on each GPU; leave engine.distribute_tree to "
           "auto, or gravity.forces out";
  if (facts.gpus > 1)
    if (auto why = for_gpus(parts, text, facts)) return why;
  return facts.must_divide_tree ? for_divided_tree(last, text, facts) : Reason{};
}

Reason why_not(const SteppingFacts& s) {
  if (s.adaptive && s.on_orbits && !regularises(&integrator_named(s.integrator)))
    return fmt::format(
        "time.adaptive with integrator {}: its steps are of one length; leave it out, or use "
        "gauss-radau",
        s.integrator);
  if (s.adaptive && s.in_blocks)
    return fmt::format(
        "time.adaptive with integrator {}: each body has a step of its own, by time.eta, and none is longer "
        "than time.dt; leave time.adaptive out",
        s.integrator);
  if (s.in_blocks && s.blocks.criterion == BlockCriterion::acceleration && !(s.softening > 0))
    return "time.block_criterion = \"acceleration\" needs gravity.softening > 0, because the step is sqrt(2 "
           "eta "
           "softening / |a|); use \"pairs\"";
  const bool of_sets = s.integrator == "block-kdk";
  const BlockSteps groups{
      .groups = s.blocks.groups, .group_radius = s.blocks.group_radius, .slow_down = s.blocks.slow_down};
  if (groups != BlockSteps{} && s.integrator != "hermite4-block")
    return fmt::format(
        "time.groups, group_radius and slow_down are for integrator hermite4-block, not for {}; leave them "
        "out",
        s.integrator);
  if (groups != BlockSteps{} && groups.groups == CloseGroups::off)
    return "time.group_radius and slow_down are those of groups; set time.groups = \"regularised\", or leave "
           "them out";
  if (!(groups.group_radius >= 0 && std::isfinite(groups.group_radius)))
    return fmt::format("time.group_radius = {} must be finite and >= 0 (0: chosen from the bodies)",
                       groups.group_radius);
  if (!of_sets && s.blocks != groups)
    return fmt::format(
        "time.block_levels, block_criterion and single_step are for integrator block-kdk, not for {}; leave "
        "them out",
        s.integrator);
  if (s.adaptive && s.adapts_by_softening && !(s.softening > 0))
    return fmt::format(
        "time.adaptive with integrator {} needs gravity.softening > 0, because its step is eta "
        "sqrt(softening / |a|); or use hermite4, hermite6 or gauss-radau",
        s.integrator);
  if (s.symmetric_steps && !of_sets && !s.reads_backwards)
    return fmt::format(
        "time.symmetric_steps with integrator {}: its steps do not read the same backwards; use kdk, dkd, "
        "forest-ruth, blanes-moan4, yoshida6, kahan-li8 or block-kdk",
        s.integrator);
  if (s.symmetric_steps && !of_sets && !s.adaptive)
    return "time.symmetric_steps is for steps that change; set time.adaptive = true, or leave it out";
  if (s.particles_limit_step && !s.adaptive && !of_sets)
    return "time.particles_limit_step is for adaptive steps; set time.adaptive = true, or leave it out";
  if (std::ranges::find(corrector_orders, s.corrector) == corrector_orders.end())
    return fmt::format(
        "time.corrector = {}: there are correctors of the orders 3, 5, 7 and 11, and 0 is none", s.corrector);
  if (s.corrector != 0 && !s.takes_corrector)
    return fmt::format(
        "time.corrector = {} is for integrators wisdom-holman and wisdom-holman-jacobi, not for {}; leave it "
        "out",
        s.corrector, s.integrator);
  if (s.damping != 1 && !s.takes_damping)
    return fmt::format("time.damping = {} needs integrator euler; with {} it must be 1", s.damping,
                       s.integrator);
  return {};
}

Reason why_not(const BudgetFacts& b) {
  const auto refused = [&](std::string_view why) { return fmt::format("{} {}", b.key, why); };
  const bool positions = b.key == "time.position_error";
  if (!b.keeps_energy)
    return refused(
        "needs an energy that is kept: leave out fields that change with time and forces that take energy");
  if (b.damped)
    return refused(positions ? "with time.damping: its factor belongs to a step; state time.dt"
                             : "with time.damping: a damped run keeps no energy; leave out one of them");
  if (b.periodic)
    return refused(positions ? "needs open space; state time.dt"
                             : "needs open space: a periodic box has no scale for its energy; state time.dt");
  if (b.adaptive) return refused("chooses the steps itself; leave out time.adaptive");
  if (b.in_blocks)
    return refused(b.key.ends_with("position_error")
                       ? "chooses steps that all bodies share; leave it out, and state the step"
                       : "chooses steps that all bodies share, or those of block-kdk; leave it out, and "
                         "state time.dt");
  if (b.symmetric_steps) return refused("chooses how steps change; leave out time.symmetric_steps");
  if (b.on_orbits)
    return refused(
        "tries steps of all sizes, and steps on Kepler orbits or regularised ones have their own; state "
        "time.dt");
  if (b.reversed) return refused("with time.reverse: steps that change do not lead back; state time.dt");
  if (b.exact_steps)
    return refused(positions ? "chooses the steps itself; leave out time.exact_steps"
                             : "meets all times itself; leave out time.exact_steps");
  if (b.ensemble) return refused("is for runs of one system; state time.dt for an ensemble");
  if (b.encounters)
    return refused(positions
                       ? "is tried without [encounters]; leave out one of them"
                       : "may make steps again, and [encounters] are found once; leave out one of them");
  if (b.counts_steps)
    return refused(
        "may make steps again; leave out output.trajectory_ids and orbits_every, which count steps");
  return {};
}

Reason why_not(const LatticeFacts& l) {
  const auto refused = [](std::string_view why) { return fmt::format("time.lattice {}", why); };
  if (!l.leads_back)
    return refused(
        fmt::format("with integrator {}: its steps do not lead back; use kdk, dkd, forest-ruth, "
                    "blanes-moan4, yoshida6 or kahan-li8",
                    l.integrator));
  if (l.adaptive) return refused("needs steps of one length; leave out time.adaptive");
  if (l.chosen_steps)
    return refused(
        "needs steps of one length; leave out time.energy_error and position_error, and state time.dt");
  if (l.accuracy)
    return refused(
        "needs forces that depend on the bodies alone, and with solver.accuracy their method may change in "
        "the run; name a method with its settings as engine.kernel");
  if (l.single)
    return refused("needs a state in double precision; use engine.precision = \"mixed\" or \"f64\"");
  if (!l.unordered_kernel.empty())
    return refused(
        fmt::format("needs forces of the same bits on the way back, and kernel '{}' adds up in any order; "
                    "use another one",
                    l.unordered_kernel));
  if (l.ensemble) return refused("is for runs of one system; leave it out, or [ensemble]");
  if (l.periodic)
    return refused("needs open space: the sides of a box are no whole numbers of its units; leave out one");
  if (l.turning_frame)
    return refused("takes straight drifts, and in the potential 'hill' they are epicycles; leave out one");
  if (l.moving_fields)
    return refused(
        "needs forces that depend on the bodies alone; leave out potentials that change with time");
  if (l.of_velocities)
    return refused("needs forces of positions; leave out gravity.forces that depend on velocities");
  if (l.user_force)
    return refused("needs forces that depend on the bodies alone, and a force of your own may remember");
  if (l.changes_bodies)
    return refused(
        "needs all bodies on the way back; use encounters.on_collision = \"record\" or \"stop\" and "
        "on_escape likewise");
  return {};
}

Reason why_not(const ComovingFacts& c) {
  const auto refused = [](std::string_view why) { return fmt::format("[cosmology] {}", why); };
  if (!c.splits)
    return refused(
        fmt::format("needs kicks and drifts that all bodies share, which {} does not make; use kdk, dkd, "
                    "forest-ruth, blanes-moan4, yoshida6 or kahan-li8",
                    c.integrator));
  if (c.ensemble) return refused("is for runs of one system; leave it out, or [ensemble]");
  if (c.open) return refused("needs a periodic box; use gravity.boundary = \"periodic\" with gravity.box");
  if (c.nearest)
    return refused("needs the forces of all images, without the mean density; use gravity.images = \"all\"");
  if (c.flat) return refused("needs three dimensions; leave out gravity.dimension = 2");
  if (c.potentials || c.forces)
    return refused("has mutual gravity alone; leave out gravity.potentials and gravity.forces");
  if (c.encounters) return refused("has no encounters of bodies; leave out [encounters]");
  if (c.lattice) return refused("has steps with factors that no lattice has; leave out time.lattice");
  if (c.chosen_steps)
    return refused(
        "keeps no energy that could have an error; leave out time.energy_error and position_error, and state "
        "time.dt in ln a");
  if (c.reversed) return refused("is made forward in time; leave out time.reverse");
  if (c.damped) return refused("is made without damping; leave out time.damping");
  if (c.paths)
    return refused(
        "records no single bodies; leave out output.trajectory_ids and orbits_every, and use "
        "output.snapshot_interval");
  if (c.error_term) return refused("has steps of another energy; leave out output.kdk_error_term");
  if (!c.hdf5)
    return refused("needs snapshots that say their scale factor; use output.snapshot_format = \"hdf5\"");
  if (c.viewed) return refused("has a time that the live view does not show; leave out --live");
  if (c.compared)
    return refused("has energies that converge does not compare; use `pleiad run` with two steps");
  return {};
}

Reason why_not(const EncounterFacts& e) {
  if (e.ensemble) return "[encounters] are found in runs of one system; leave them out, or [ensemble]";
  if (e.periodic) return "[encounters] need open space; leave them out, or gravity.boundary = \"periodic\"";
  if (e.in_blocks && !e.escapes_alone)
    return "approaches and collisions are found on the paths of whole steps, of which block time steps are "
           "parts for some bodies; leave encounters.escape_radius alone, or use another integrator";
  if (!e.one_softening)
    return "[encounters] compute pulls and energies with one Plummer softening; leave them out, or "
           "gravity.softening_kernel, softening_by_type and softening_of_bodies";
  if (e.changes_bodies && e.added_forces)
    return "bodies that merge or vanish may be those that gravity.forces come from, whose energies are not "
           "followed; use encounters.on_collision = \"record\" or \"stop\", or leave gravity.forces out";
  if (e.changes_bodies && e.semi_active)
    return "mergers and removals count the energy of all pairs, also of bodies that do not pull each other; "
           "use encounters.on_collision = \"record\" or \"stop\", or leave gravity.semi_active out";
  if (e.changes_bodies && e.hill)
    return "energies lost by mergers and removals are those in a frame at rest; use encounters.on_collision "
           "= "
           "\"record\" or \"stop\", or leave the potential 'hill' out";
  return {};
}

Reason why_not(const MassLossFacts& m) {
  const auto refused = [](std::string_view why) { return fmt::format("stars.mass_loss {}", why); };
  if (m.ensemble) return refused("is for runs of one system; leave it out, or [ensemble]");
  if (m.periodic) return refused("needs open space; leave it out, or gravity.boundary = \"periodic\"");
  if (m.added_forces)
    return refused("counts the energy of mutual gravity and potentials; leave it out, or gravity.forces");
  if (m.hill) return refused("counts the energy in a frame at rest; leave it out, or the potential 'hill'");
  if (m.semi_active)
    return refused("counts the energy of all pairs of bodies; leave it out, or gravity.semi_active");
  if (!m.one_softening)
    return refused(
        "counts the energy with one Plummer softening; leave it out, or gravity.softening_kernel, "
        "softening_by_type and softening_of_bodies");
  if (m.merges)
    return refused(
        "goes by the age of each star, which a merger has not; use encounters.on_collision = \"record\" or "
        "\"stop\"");
  if (m.chosen_steps)
    return refused(
        "changes the energy within the run; leave out time.energy_error and position_error, and state "
        "time.dt");
  if (m.leads_back) return refused("does not lead back; leave out time.lattice and time.reverse");
  if (m.error_term) return refused("changes the masses; leave out output.kdk_error_term");
  return {};
}

}  // namespace pleiad
