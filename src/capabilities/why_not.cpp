/// Refusals of ways to compute forces, in the order in which a user would mend them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "added_forces/medium.hpp"
#include "capabilities/capabilities.hpp"
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

/// Whether the law has relativity of pairs.
bool has_pair_terms(const ProblemFacts& facts) {
  return std::ranges::any_of(facts.gravity.forces, added::is_between_pairs);
}

/// Relativity of pairs, whatever the method.
Reason for_pair_terms(const ProblemFacts& facts) {
  const auto& force = *std::ranges::find_if(facts.gravity.forces, added::is_between_pairs);
  const auto name = kind_of(force).name;
  if (facts.gravity.forces.size() > 1)
    return fmt::format(
        "force '{}' is taken by groups that take no other force, and once; leave the others out", name);
  const auto* scheme = facts.integrator;
  if (scheme == nullptr || regularises(scheme)) return {};
  if (in_blocks(scheme) && scheme->needs_jerks && facts.close_groups) return {};
  return fmt::format(
      "force '{}' acts in regularised groups, which {} does not make; use ar-chain, or hermite4-block with "
      "time.groups = \"regularised\"",
      name,
      in_blocks(scheme) && scheme->needs_jerks ? "hermite4-block with time.groups = \"off\"" : scheme->name);
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
  if (!facts.gravity.forces.empty() && !has_pair_terms(facts))
    return refused("takes no gravity.forces but 'post-newtonian-pairs'");
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
  if (!facts.gravity.potentials.empty() && !regularises(facts.integrator))
    return cannot_have("gravity.potentials");
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
  if (!g.forces.empty() && !has_pair_terms(facts)) return cannot_have("gravity.forces");
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
  if (facts.on_ranks)
    return fmt::format(
        "integrator {} moves its bodies on GPUs of one process, not on ranks; use --backend cpu", name);
  if (has_pair_terms(facts))
    return fmt::format("integrator {} has force 'post-newtonian-pairs' on CPUs alone; use --backend cpu",
                       name);
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
  if (steps_by_host(facts.integrator, facts.close_groups, !facts.gravity.potentials.empty())) return {};
  if (has_individual_steps(facts.integrator))
    return fmt::format(
        "gpus = {} cannot be used: integrator {} moves single bodies in open space on one GPU; choose one",
        facts.gpus, facts.integrator->name);
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
  if (has_pair_terms(facts)) return for_pair_terms(facts);
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
  if (facts.neighbours && on_gpu(last.family))
    return fmt::format(
        "time.neighbours = \"on\" sums the pulls of neighbours on CPUs, not by '{}'; use \"auto\", or "
        "--backend cpu",
        text);
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

}  // namespace pleiad
