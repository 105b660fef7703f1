#include "core/threads.hpp"
#include "cpu/update.hpp"
#include "direct/usual_precision.hpp"
#include "direct/why_not.hpp"
#include "engine/device_forces.hpp"
#include "engine/force_solver.hpp"
#include "engine/places.hpp"
#include "engine/softenings.hpp"
#include "library/planned.hpp"
#include "library/records.hpp"

#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Data kept between calls in one precision on the host.
template <class P>
struct OnHost {
  using Real = typename P::Position;
  std::vector<Mass<Real>> bodies{};
  std::vector<Vec4<Real>> sums{};
  KeptSolver<P> solver{};
};

}  // namespace

struct GravitySolver::State {
  ForceOptions options;
  Gravity gravity;
  Threads threads;
  /// Method by a plan or by name; unset: the table selects one for the number of bodies.
  std::optional<ForceMethod> found{};
  std::string why_found = "asked for";
  bool planned = false;
  std::string kernel{}, why{};
  std::tuple<OnHost<F32>, OnHost<F64>, OnHost<Mixed>> hosts{};
  std::tuple<std::unique_ptr<DeviceForces<float>>, std::unique_ptr<DeviceForces<double>>> devices{};

  explicit State(const ForceOptions& o)
      : options(o),
        gravity{.G = o.G, .softening = {.eps = o.softening, .kernel = o.softening_kernel}, .boundary = o.box},
        threads(o.context.threads) {
    if (o.context.threads < 0)
      throw UsageError(fmt::format("threads = {} must be >= 0 (0: all)", o.context.threads));
    check_law(gravity, o.accuracy);
    for (const double eps : o.softenings)
      if (!(eps >= 0 && eps <= 1e18))
        throw UsageError(fmt::format("a softening of {} must be finite, >= 0 and at most 1e+18", eps));
    found = force_method_of(o.kernel);
  }

  /// Takes the law for n bodies that pull, and all bodies with the targets apart. Returns the softenings of
  /// these, where it is not one Plummer softening of all.
  std::vector<double> take_law(std::size_t n, std::size_t all) {
    if (options.softenings.empty())
      return gravity.softening.plain() ? std::vector<double>() : std::vector<double>(all, options.softening);
    need_size("softenings", options.softenings.size(), n);
    Bodies lengths;
    lengths.softening = options.softenings;
    lengths.softening.resize(all, options.softening);
    gravity.softening = softening_of(
        lengths,
        {.kernel = options.softening_kernel, .rule = options.softening_rule, .of = SofteningOf::bodies});
    return gravity.softening.plain() ? std::vector<double>() : std::move(lengths.softening);
  }

  /// Precision for bodies in T whose masses are not on the host.
  template <class T>
  Precision precision() const {
    return options.precision.value_or(std::is_same_v<T, float> ? Precision::f32 : Precision::mixed);
  }
  template <class T>
  Precision precision(const MassShares& shares) const {
    if (options.precision || std::is_same_v<T, float>) return precision<T>();
    return usual_precision(shares, planned ? std::nullopt : found, gravity).precision;
  }

  /// Makes and keeps a plan, when one is due: `bodies` gives them to it.
  template <class GiveBodies>
  void plan(Device where, Precision precision, const GiveBodies& give) {
    if (planned || found || options.accuracy == 0) return;
    const auto engine = planned_engine(
        {.precision = precision, .backend = std::string(name_of(where)), .threads = options.context.threads},
        give(), gravity, options.accuracy, options.context);
    found = engine.method, why_found = engine.why;
    planned = true;
  }

  /// The method for n bodies there.
  Choice choose(Device where, Precision precision, std::size_t n) {
    Choice choice = found                   ? Choice{.method = *found, .why = why_found}
                    : where == Device::cuda ? choose_device_kernel(n, precision, gravity)
                                            : choose_direct_kernel(n, precision, gravity);
    auto& m = choice.method;
    if (place_of(m) != where || (m.kernel == nullptr && !m.tree))
      throw UsageError(fmt::format("kernel '{}' does not find forces of bodies in the memory of the {}",
                                   text_of(m), where == Device::cuda ? "GPU" : "host"));
    m.steps = nullptr, m.step_shape = {};
    need_able(m, {.n = n, .gravity = gravity, .precision = precision});
    return choice;
  }

  void tell(const Choice& choice) { kernel = text_of(choice.method), why = choice.why; }

  template <class P, class T>
  void find(Vectors<const T> targets, Vectors<const T> sources, std::span<const T> masses,
            const Vectors<T>& result, std::span<T> potentials, bool apart) {
    auto& host = std::get<OnHost<P>>(hosts);
    const std::size_t n = sources.size(), most = apart ? n + targets.size() : n;
    host.bodies.resize(most), host.sums.resize(most);
    const std::span all(host.bodies);
    pack<T>(sources, masses, all.first(n));
    if (apart) pack<T, typename P::Position>(targets, {}, all.subspan(n));
    cpu::wrap<typename P::Position>(all, gravity.boundary);
    find<P>(std::span(std::as_const(host.bodies)), n, !potentials.empty(), std::span(host.sums));
    unpack<T, typename P::Position>(std::span(std::as_const(host.sums)).subspan(apart ? n : 0), gravity.G,
                                    result, potentials);
  }

  /// Computes the pulls on the first `n` bodies by each other, or, if there are more bodies, by those after
  /// them; without G.
  template <class P, class Real = typename P::Position>
  void find(std::span<const Mass<Real>> bodies, std::size_t n, bool potential, std::span<Vec4<Real>> sums) {
    need_sound(bodies);
    const auto sources = bodies.first(n);
    const auto eps = take_law(n, bodies.size());
    if (massless(sources)) return (void)std::ranges::fill(sums, Vec4<Real>{});
    const auto precision = precision_of<P>();
    plan(Device::cpu, precision, [&] {
      auto planned_for = bodies_of(sources);
      if (gravity.softening.of != SofteningOf::all) planned_for.softening = options.softenings;
      return planned_for;
    });
    auto choice = choose(Device::cpu, precision, n);
    PairProblem<P> problem{.targets = sources,
                           .sources = sources,
                           .sums = sums,
                           .softening = gravity.softening,
                           .boundary = gravity.boundary,
                           .self = 0,
                           .potential = potential};
    auto& method = choice.method;
    if (!gravity.softening.plain()) {
      tell(choice);
      problem.targets = problem.sources = bodies;
      const ranks::Collective alone;
      make_softened_solver<P>(method, gravity, alone, eps)->evaluate(problem);
      return;
    }
    if (bodies.size() > n) {
      if (method.tree) problem.targets = problem.sources = bodies;
      else {
        if (!method.kernel->traits.separate_targets)
          choice = {.method = {.kernel = &direct_kernel("cpu/threads")},
                    .why = "targets are apart from the sources"};
        problem.targets = bodies.subspan(n), problem.sums = sums.subspan(n), problem.self = problem.none;
      }
    }
    tell(choice);
    auto& host = std::get<OnHost<P>>(hosts);
    host.solver.of(method, [&] { return make_host_solver<P>(method); }).evaluate(problem);
  }

  template <class P>
  static constexpr Precision precision_of() {
    return std::is_same_v<P, F32>   ? Precision::f32
           : std::is_same_v<P, F64> ? Precision::f64
                                    : Precision::mixed;
  }
  /// work(P{}) in the precision of bodies in T.
  template <class T, class Work>
  void in_precision(const MassShares& shares, const Work& work) {
    const WithThreads ours(threads);
    switch (precision<T>(shares)) {
      case Precision::f32:
        return work(F32{});
      case Precision::f64:
        return work(F64{});
      case Precision::mixed:
        return work(Mixed{});
    }
  }

  template <class T>
  void on_host(Vectors<const T> targets, Vectors<const T> sources, std::span<const T> masses,
               const Vectors<T>& result, std::span<T> potentials, bool apart) {
    need_size("masses", masses.size(), sources.size());
    need_size("the result", result.size(), targets.size());
    if (!potentials.empty()) need_size("potentials", potentials.size(), targets.size());
    if (targets.size() == 0) return;
    in_precision<T>(shares_of(masses),
                    [&]<class P>(P) { find<P, T>(targets, sources, masses, result, potentials, apart); });
  }

  template <class T>
  void records(std::span<const Mass<T>> bodies, std::span<Vec4<T>> result) {
    need_size("the result", result.size(), bodies.size());
    if (bodies.empty()) return;
    MassShares shares;
    for (const auto& body : bodies) shares.add(double(body.m));
    in_precision<T>(shares, [&]<class P>(P) {
      using Real = typename P::Position;
      if constexpr (std::is_same_v<Real, T>)
        if (!gravity.boundary.periodic) {
          find<P>(bodies, bodies.size(), options.potential, result);
          if (gravity.G != 1) unpack<T, T>(result, gravity.G, result);
          return;
        }
      auto& host = std::get<OnHost<P>>(hosts);
      host.bodies.resize(bodies.size()), host.sums.resize(bodies.size());
      for_each_index(bodies.size(), [&](std::size_t i) {
        host.bodies[i] = {Real(bodies[i].x), Real(bodies[i].y), Real(bodies[i].z), Real(bodies[i].m)};
      });
      cpu::wrap<Real>(host.bodies, gravity.boundary);
      find<P>(std::span(std::as_const(host.bodies)), bodies.size(), options.potential, std::span(host.sums));
      unpack<T, Real>(std::span(std::as_const(host.sums)), gravity.G, result);
    });
  }

  template <class T>
  void on_device(const DeviceArrays<T>& bodies) {
    const auto& targets = bodies.targets ? *bodies.targets : bodies.positions;
    need_size("the result", bodies.accelerations.size(), targets.size());
    auto& device = std::get<std::unique_ptr<DeviceForces<T>>>(devices);
    if (!device) device = make_device_forces<T>(precision<T>());
    if (!options.softenings.empty())
      throw UsageError("softenings of bodies are for bodies in the memory of the host");
    if (targets.size() == 0) return;
    const std::size_t n = bodies.positions.size();
    if (n > 0) plan(Device::cuda, precision<T>(), [&] { return device->copy(bodies); });
    auto choice = choose(Device::cuda, precision<T>(), n);
    if (bodies.targets && !choice.method.tree && !choice.method.kernel->traits.separate_targets) {
      choice = {.method = {.kernel = &direct_kernel("cuda/split-reduced")},
                .why = "targets are apart from the sources"};
      need_able(choice.method, {.n = n, .gravity = gravity, .precision = precision<T>()});
    }
    tell(choice);
    device->find(bodies, gravity, choice.method);
  }
  template <class T>
  void on_device(const OnDevice<T>& b) {
    on_device(DeviceArrays<T>{.positions = b.positions,
                              .masses = b.masses,
                              .mass_stride = b.mass_stride,
                              .targets = b.targets,
                              .accelerations = b.accelerations,
                              .potentials = b.potentials,
                              .potential = b.potentials != nullptr,
                              .stream = b.stream});
  }
  template <class T>
  void on_device(const RecordsOnDevice<T>& b) {
    const auto* x = b.bodies.data();
    auto* a = b.result.data();
    if (b.bodies.empty())
      return on_device(DeviceArrays<T>{.accelerations = {nullptr, nullptr, nullptr, b.result.size()}});
    on_device(DeviceArrays<T>{.positions = {&x->x, &x->y, &x->z, b.bodies.size(), 4},
                              .masses = &x->m,
                              .mass_stride = 4,
                              .accelerations = {&a->x, &a->y, &a->z, b.result.size(), 4},
                              .potentials = &a->w,
                              .potential_stride = 4,
                              .potential = options.potential,
                              .stream = b.stream});
  }
};

GravitySolver::GravitySolver(const ForceOptions& options) : state_(std::make_unique<State>(options)) {}
GravitySolver::~GravitySolver() = default;
GravitySolver::GravitySolver(GravitySolver&&) noexcept = default;
GravitySolver& GravitySolver::operator=(GravitySolver&&) noexcept = default;

void GravitySolver::accelerations(Vectors<const double> x, std::span<const double> m, Vectors<double> a,
                                  std::span<double> potentials) {
  state_->on_host(x, x, m, a, potentials, false);
}
void GravitySolver::accelerations(Vectors<const float> x, std::span<const float> m, Vectors<float> a,
                                  std::span<float> potentials) {
  state_->on_host(x, x, m, a, potentials, false);
}
void GravitySolver::accelerations_at(Vectors<const double> targets, Vectors<const double> sources,
                                     std::span<const double> m, Vectors<double> a,
                                     std::span<double> potentials) {
  state_->on_host(targets, sources, m, a, potentials, true);
}
void GravitySolver::accelerations_at(Vectors<const float> targets, Vectors<const float> sources,
                                     std::span<const float> m, Vectors<float> a,
                                     std::span<float> potentials) {
  state_->on_host(targets, sources, m, a, potentials, true);
}
void GravitySolver::accelerations(std::span<const Mass<double>> bodies, std::span<Vec4<double>> result) {
  state_->records(bodies, result);
}
void GravitySolver::accelerations(std::span<const Mass<float>> bodies, std::span<Vec4<float>> result) {
  state_->records(bodies, result);
}
void GravitySolver::accelerations(const OnDevice<double>& bodies) { state_->on_device(bodies); }
void GravitySolver::accelerations(const OnDevice<float>& bodies) { state_->on_device(bodies); }
void GravitySolver::accelerations(const RecordsOnDevice<double>& bodies) { state_->on_device(bodies); }
void GravitySolver::accelerations(const RecordsOnDevice<float>& bodies) { state_->on_device(bodies); }

const std::string& GravitySolver::kernel() const { return state_->kernel; }
const std::string& GravitySolver::why() const { return state_->why; }
void GravitySolver::plan_again() {
  state_->planned = false;
  state_->found = force_method_of(state_->options.kernel);
}

void accelerations(Vectors<const double> x, std::span<const double> m, Vectors<double> a,
                   const ForceOptions& options, std::span<double> potentials) {
  GravitySolver(options).accelerations(x, m, a, potentials);
}
void accelerations(Vectors<const float> x, std::span<const float> m, Vectors<float> a,
                   const ForceOptions& options, std::span<float> potentials) {
  GravitySolver(options).accelerations(x, m, a, potentials);
}

namespace {
template <class T>
Field<T> field_of(const Vectors<const T>& x, std::span<const T> m, const ForceOptions& options) {
  Field<T> field;
  field.accelerations.resize(x.size());
  if (options.potential) field.potentials.resize(x.size());
  GravitySolver(options).accelerations(x, m, field.accelerations, std::span<T>(field.potentials));
  return field;
}
}  // namespace

Field<double> accelerations(Vectors<const double> x, std::span<const double> m, const ForceOptions& options) {
  return field_of<double>(x, m, options);
}
Field<float> accelerations(Vectors<const float> x, std::span<const float> m, const ForceOptions& options) {
  return field_of<float>(x, m, options);
}

}  // namespace pleiad
