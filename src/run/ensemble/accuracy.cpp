#include "run/ensemble/accuracy.hpp"

#include "control/roughness.hpp"
#include "core/threads.hpp"
#include "engine/arrays.hpp"
#include "engine/test_particles.hpp"
#include "run/kernel.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// The bodies that pull; all where none does.
Bodies pulling(const Bodies& bodies) {
  const ranks::Collective all(ranks::self(), bodies.size());
  const TestParticles particles(all, bodies.size(), [&](std::size_t i) { return bodies.mass[i] > 0; });
  return particles.any() && particles.massive() > 0 ? particles.massive_share(bodies) : bodies;
}

template <class P>
std::vector<Vec3<double>> found(const Member& m, const Bodies& bodies, std::span<const std::size_t> chosen,
                                Precision precision) {
  using Real = typename P::Position;
  std::vector<Mass<Real>> x(bodies.size());
  std::vector<Vec4<Real>> v(bodies.size());
  std::vector<Vec4<typename P::Sum>> sums(bodies.size());
  to_arrays<Real>(bodies, x, v);
  const auto method = choose_direct_kernel(bodies.size(), precision, m.gravity).method;
  method.kernel->template run<P>()({.targets = x,
                                    .sources = x,
                                    .sums = sums,
                                    .softening = m.gravity.softening,
                                    .boundary = m.gravity.boundary},
                                   method.shape);
  std::vector<Vec3<double>> a;
  for (const auto i : chosen)
    a.push_back(m.gravity.G * Vec3<double>{double(sums[i].x), double(sums[i].y), double(sums[i].z)});
  return a;
}

ForceErrors errors_of(const Member& m, Precision precision) {
  // Hermite's forces are sums in double precision, but closeness that these lose counts there too.
  if (m.method.integrator->needs_doubles) precision = Precision::f64;
  const auto bodies = pulling(m.state.bodies);
  const auto sample = sample_of(bodies, sample_size(bodies.size()));
  const auto exact = exact_accelerations(bodies, m.gravity, sample.bodies);
  const auto a = precision == Precision::f32   ? found<F32>(m, bodies, sample.bodies, precision)
                 : precision == Precision::f64 ? exact
                                               : found<Mixed>(m, bodies, sample.bodies, precision);
  return pleiad::errors_of(a, exact, sample, m.gravity.G, rounding_of(bodies, m.gravity, sample, exact));
}

}  // namespace

void settle_precision(Options& options, const std::vector<Member>& members, std::vector<std::string>& notes) {
  const auto limits = control::limits_of(demand_of(options), false);
  for (;;) {
    const auto precision = precision_named(options.engine.precision);
    std::vector<ForceErrors> errors(members.size());
    parallel_for(members.size(), [&](std::size_t k) {
      const OnThisThread alone;
      errors[k] = errors_of(members[k], precision);
    });
    const auto rough = [&](std::size_t k) {
      control::need_separation(errors[k], members[k].gravity.softening.eps);
      return control::too_rough(errors[k], limits);
    };
    std::size_t bad = 0;
    while (bad < members.size() && !rough(bad)) ++bad;
    if (bad == members.size()) return;
    options.engine.precision = name_of(control::better(precision, errors[bad], limits));
    notes.push_back(fmt::format("system {}: {} in {} precision, beyond {:g}: the ensemble takes {}", bad,
                                control::words_of(errors[bad]), name_of(precision), limits.better,
                                options.engine.precision));
  }
}

}  // namespace pleiad::run
