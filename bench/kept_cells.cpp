#include "bench/kept_cells.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <memory>

namespace pleiad::bench {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// One solver on its way.
template <class P>
struct Follower {
  TreeSettings settings;
  std::unique_ptr<ForceSolver<P>> solver;
  std::vector<Vec4<typename P::Sum>> sums;
  std::vector<double> whole{}, builds{}, refreshes{}, moments{}, forces{};

  void evaluate(const std::vector<Mass<typename P::Position>>& x, const Softening& softening, int step) {
    whole.push_back(seconds_of(
        [&] { solver->evaluate({.targets = x, .sources = x, .sums = sums, .softening = softening}); }));
    const auto& w = solver->work();
    (step % settings.rebuild_every == 0 ? builds : refreshes).push_back(w.build);
    moments.push_back(w.moments), forces.push_back(w.forces);
  }
  KeptCells result(const Bodies& now, const Gravity& gravity, const Sample& sample,
                   std::span<const Vec3<double>> right) const {
    std::vector<Vec3<double>> found;
    for (const auto i : sample.bodies)
      found.push_back(
          {gravity.G * double(sums[i].x), gravity.G * double(sums[i].y), gravity.G * double(sums[i].z)});
    double all = 0;
    for (const double s : whole) all += s;
    auto work = solver->work();
    work.bodies = now.size();
    work.build = median(builds), work.moments = median(moments), work.forces = median(forces);
    return {.tried = {.method = ForceMethod{.tree = settings},
                      .seconds = all / double(whole.size()),
                      .errors = errors_of(found, right, sample, gravity.G),
                      .meets = true,
                      .work = work},
            .refresh = median(refreshes)};
  }
};

template <class P>
std::vector<KeptCells> measure(Bodies bodies, const Gravity& gravity, const TreeSettings& settings,
                               std::span<const int> keep, int steps, double dt) {
  using Real = typename P::Position;
  const std::size_t n = bodies.size();
  std::vector<Follower<P>> followers;
  for (const int k : keep) {
    if (k < 1 || steps % k != 0)
      throw UsageError("cells are kept for a number of steps that divides all of them");
    auto s = settings;
    s.rebuild_every = k;
    followers.push_back(
        {.settings = s, .solver = make_tree_solver<P>(s), .sums = std::vector<Vec4<typename P::Sum>>(n)});
  }
  auto leads = settings;
  leads.rebuild_every = 1;
  Follower<P> leader{
      .settings = leads, .solver = make_tree_solver<P>(leads), .sums = std::vector<Vec4<typename P::Sum>>(n)};
  std::vector<Mass<Real>> x(n);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < n; ++i)
      x[i] = {Real(bodies.x[i]), Real(bodies.y[i]), Real(bodies.z[i]), Real(bodies.mass[i])};
    for (auto& f : followers) f.evaluate(x, gravity.softening, step);
    if (step + 1 == steps) break;
    leader.evaluate(x, gravity.softening, 0);
    const double kick = gravity.G * dt;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& a = leader.sums[i];
      bodies.vx[i] += kick * double(a.x), bodies.vy[i] += kick * double(a.y),
          bodies.vz[i] += kick * double(a.z);
      bodies.x[i] += dt * bodies.vx[i], bodies.y[i] += dt * bodies.vy[i], bodies.z[i] += dt * bodies.vz[i];
    }
  }
  const auto sample = sample_of(bodies, sample_size(n));
  const auto right = exact_accelerations(bodies, gravity, sample.bodies);
  std::vector<KeptCells> all;
  for (const auto& f : followers) all.push_back(f.result(bodies, gravity, sample, right));
  return all;
}

}  // namespace

std::vector<KeptCells> measure_kept_cells(const Bodies& bodies, const Gravity& gravity, Precision precision,
                                          const TreeSettings& settings, std::span<const int> keep, int steps,
                                          double dt) {
  switch (precision) {
    case Precision::f32:
      return measure<F32>(bodies, gravity, settings, keep, steps, dt);
    case Precision::f64:
      return measure<F64>(bodies, gravity, settings, keep, steps, dt);
    case Precision::mixed:
      break;
  }
  return measure<Mixed>(bodies, gravity, settings, keep, steps, dt);
}

}  // namespace pleiad::bench
