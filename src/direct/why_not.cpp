/// Whether a run can use a force method: the only place with these checks and their messages.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/settings.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/ensemble_steps.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <fmt/format.h>

namespace pleiad {
namespace {

using Reason = std::optional<std::string>;

Reason no_form(std::string_view name, Precision precision) {
  return fmt::format("kernel '{}' has no {} form; choose another kernel or precision", name,
                     name_of(precision));
}
Reason unknown_space(std::string_view name, const Boundary& space) {
  if (space.all_images())
    return fmt::format(
        "kernel '{}' has no Ewald summation (gravity.images = \"all\"); use cpu/ewald, a tree on the CPU, or "
        "gravity.images = \"nearest\"",
        name);
  return fmt::format("kernel '{}' does not know {}; choose another kernel", name,
                     space.periodic ? "periodic boxes" : "open space");
}

/// Of steps as of ensembles: how many bodies they take, and in which space.
template <class Kernel>
Reason why_not_steps(const Kernel& k, std::size_t n, Precision precision, const Boundary& space) {
  if (!k.has(precision)) return no_form(k.name, precision);
  if (space.periodic && (!k.periodic || space.all_images())) return unknown_space(k.name, space);
  if (n > k.most_bodies)
    return fmt::format("kernel '{}' takes at most {} bodies, not {}; choose another kernel", k.name,
                       k.most_bodies, n);
  return {};
}

Reason why_no_jerks(const ForceMethod& method, Precision precision, const Boundary& space) {
  constexpr std::string_view needs = "integrator hermite4 needs jerks";
  if (precision == Precision::f32)
    return "integrator hermite4 needs precision f64 or mixed: its step criterion takes differences that "
           "single "
           "precision loses";
  if (space.all_images())
    return fmt::format(
        "{}, which Ewald summation does not provide; use another integrator, or gravity.images = \"nearest\"",
        needs);
  if (method.tree)
    return fmt::format("{}, which trees do not provide; use another integrator, or direct sums", needs);
  if (place_of(method) == Device::cuda)
    return fmt::format("{}, which the GPU does not compute yet; use --backend cpu, or another integrator",
                       needs);
  return {};
}

Reason why_not_tree(const TreeSettings& tree, Precision precision, const Boundary& space) {
  if (tree.rebuild_every > 1)
    return fmt::format(
        "rebuild_every = {}: a resumed run would build other cells and have other bits; leave it out (pleiad "
        "bench --experiment trees measures it)",
        tree.rebuild_every);
  return why_not(tree, precision, space);
}

}  // namespace

Reason why_not(const ForceMethod& method, std::size_t n, Precision precision, const Gravity& gravity,
               bool jerks) {
  const auto& space = gravity.boundary;
  if (gravity.dimension == 2 && space.all_images())
    return "gravity.images = \"all\" (Ewald summation) needs gravity.dimension = 3; with 2 use \"nearest\"";
  if (jerks)
    if (auto why = why_no_jerks(method, precision, space)) return why;
  if (method.tree) return why_not_tree(*method.tree, precision, space);
  if (method.ensemble != nullptr) return why_not_steps(*method.ensemble, n, precision, space);
  if (method.steps != nullptr && method.kernel != nullptr && method.kernel->device == Device::cpu)
    return fmt::format("kernel '{}' is for the GPU, and '{}' for the CPU; choose one of them",
                       method.steps->name, method.kernel->name);
  if (const auto* k = method.kernel) {
    if (!k->has(precision)) return no_form(k->name, precision);
    if (!k->traits.knows(space)) return unknown_space(k->name, space);
  }
  return method.steps != nullptr ? why_not_steps(*method.steps, n, precision, space) : Reason{};
}

void need_able(const ForceMethod& method, std::size_t n, Precision precision, const Gravity& gravity,
               bool jerks) {
  if (const auto why = why_not(method, n, precision, gravity, jerks)) throw UsageError(*why);
}

}  // namespace pleiad
