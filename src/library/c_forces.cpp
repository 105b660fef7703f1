/// The C interface: accelerations of bodies in arrays.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "library/c.hpp"

#include <pleiad/forces.hpp>

using namespace pleiad;
using namespace pleiad::c;

struct pleiad_solver {
  GravitySolver solver;
};

namespace {

ForceOptions options_of(const pleiad_force_options& o) {
  if (o.softening_count > 0) need(o.softenings, "softenings");
  const bool periodic = o.box[0] != 0 || o.box[1] != 0 || o.box[2] != 0;
  return {.softening = o.softening,
          .softening_kernel =
              named<SofteningKernel>(softening_kernel_names, o.softening_kernel, "softening_kernel"),
          .softening_rule = named<SofteningRule>(softening_rule_names, o.softening_rule, "softening_rule"),
          .softenings = {o.softenings, o.softenings + o.softening_count},
          .G = o.G,
          .accuracy = o.accuracy,
          .precision = precision_or_auto(o.precision),
          .box = {.periodic = periodic, .length = {o.box[0], o.box[1], o.box[2]}, .images = Images::all},
          .kernel = text_or(o.kernel, "auto"),
          .context = {.threads = o.threads, .cache = text_or(o.cache, "")}};
}

/// Checks pointers before spans are made of them.
void need_arrays(std::size_t n, const double* positions, const double* masses, const double* accelerations) {
  if (n == 0) return;
  need(positions, "positions"), need(masses, "masses"), need(accelerations, "accelerations");
}
std::span<double> maybe(double* numbers, std::size_t n) {
  return numbers == nullptr ? std::span<double>() : std::span(numbers, n);
}

}  // namespace

extern "C" {

void pleiad_force_defaults(pleiad_force_options* options) {
  if (options == nullptr) return;
  const ForceOptions o;
  *options = {.size = sizeof *options,
              .softening = o.softening,
              .G = o.G,
              .accuracy = o.accuracy,
              .precision = "auto",
              .kernel = "auto",
              .box = {0, 0, 0},
              .threads = 0,
              .cache = nullptr,
              .softening_kernel = "plummer",
              .softening_rule = "max",
              .softenings = nullptr,
              .softening_count = 0};
}

pleiad_status pleiad_solver_new(const pleiad_force_options* options, pleiad_solver** solver) {
  return guarded([&] {
    need(solver, "solver");
    const auto o = options_of(complete(options, pleiad_force_defaults));
    *solver = new pleiad_solver{GravitySolver(o)};
  });
}
pleiad_status pleiad_solver_accelerations(pleiad_solver* solver, size_t n, const double* positions,
                                          const double* masses, double* accelerations, double* potentials) {
  return guarded([&] {
    need(solver, "solver"), need_arrays(n, positions, masses, accelerations);
    solver->solver.accelerations(triples(positions, n), {masses, n}, triples(accelerations, n),
                                 maybe(potentials, n));
  });
}
pleiad_status pleiad_solver_accelerations_at(pleiad_solver* solver, size_t n_targets, const double* targets,
                                             size_t n, const double* positions, const double* masses,
                                             double* accelerations, double* potentials) {
  return guarded([&] {
    need(solver, "solver"), need_arrays(n, positions, masses, accelerations);
    if (n_targets > 0) need(targets, "targets"), need(accelerations, "accelerations");
    solver->solver.accelerations_at(triples(targets, n_targets), triples(positions, n), {masses, n},
                                    triples(accelerations, n_targets), maybe(potentials, n_targets));
  });
}
const char* pleiad_solver_kernel(const pleiad_solver* solver) {
  return solver == nullptr ? "" : solver->solver.kernel().c_str();
}
void pleiad_solver_free(pleiad_solver* solver) { delete solver; }

pleiad_status pleiad_accelerations(size_t n, const double* positions, const double* masses,
                                   const pleiad_force_options* options, double* accelerations,
                                   double* potentials) {
  return guarded([&] {
    need_arrays(n, positions, masses, accelerations);
    GravitySolver(options_of(complete(options, pleiad_force_defaults)))
        .accelerations(triples(positions, n), {masses, n}, triples(accelerations, n), maybe(potentials, n));
  });
}

}  // extern "C"
