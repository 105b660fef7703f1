#include "tune/families.hpp"

#include "direct/why_not.hpp"
#include "tree/settings.hpp"
#include "tune/accuracy_parameter.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

/// Below this the sums of single precision are heard.
constexpr double needs_double = 3e-6;
/// The largest number of bodies for which walks were faster than the fast multipole method.
constexpr std::size_t few = 200'000;

/// Orders that were fastest for an accuracy, on Plummer spheres, galaxies and clusters of 3e3 to 1e6 bodies.
struct Orders {
  double accuracy;
  std::vector<int> fmm, walk, on_gpu, walk_on_gpu;
};
const Orders& orders_for(double accuracy) {
  static const std::array all{Orders{3e-3, {5, 4}, {1, 2}, {5, 4}, {2}},
                              Orders{5e-4, {5, 6}, {2}, {5, 6}, {2, 3}},
                              Orders{5e-5, {6, 8}, {2, 4}, {6}, {3}}, Orders{2e-6, {8}, {4, 5}, {6}, {3}},
                              Orders{0, {8}, {5}, {6}, {3}}};
  return *std::find_if(all.begin(), all.end(), [&](const Orders& o) { return accuracy >= o.accuracy; });
}

/// Accuracy parameters that gave about 1e-3 in measurements, scaled to the accuracy.
double tolerance_for(Solver solver, int order, double accuracy) {
  constexpr std::array multipoles{0.02, 0.02, 0.02, 0.03, 0.1, 0.3, 0.4, 0.5, 0.8};
  constexpr std::array walks{0.005, 0.005, 0.012, 0.03, 0.04, 0.06};
  const auto p = std::size_t(order);
  const double at = solver == Solver::fmm ? multipoles.at(std::min(p, multipoles.size() - 1))
                                          : walks.at(std::min(p, walks.size() - 1));
  return rounded(std::clamp(at * std::pow(accuracy / usual_accuracy, 1.35), 1e-9, 0.9));
}
double theta_for(Solver solver, int order, double accuracy) {
  constexpr std::array multipoles{0.3, 0.3, 0.4, 0.5, 0.62, 0.72, 0.78, 0.82, 0.85};
  const double at =
      solver == Solver::fmm ? multipoles.at(std::min(std::size_t(order), multipoles.size() - 1)) : 0.5;
  return rounded(std::clamp(at * std::pow(accuracy / usual_accuracy, 1.0 / (order + 1)), 0.01, 1.0));
}

/// What the pulls of a request must be right to, of which `net` is left.
double accuracy_of_pulls(const SolverRequest& request, double net) {
  return net * (request.accuracy > 0 ? request.accuracy : usual_accuracy);
}

TreeSettings family(const SolverRequest& request, Device where, Solver solver, int order, Mac mac,
                    double accuracy) {
  TreeSettings s{.device = where, .solver = solver, .order = order, .mac = mac};
  if (mac == Mac::error) s.tolerance = request.tolerance.value_or(tolerance_for(solver, order, accuracy));
  else s.theta = request.theta.value_or(theta_for(solver, order, accuracy));
  const bool walks = solver == Solver::barnes_hut;
  s.leaf_size = request.leaf_size.value_or(where == Device::cuda ? (walks ? 32 : 64) : (walks ? 64 : 96));
  if (walks) s.group = request.group.value_or(where == Device::cuda ? 64 : 256);
  s.structure = request.structure.value_or(Structure::octree);
  s.wide = accuracy < needs_double && where == Device::cpu;
  return s;
}

std::vector<Solver> solvers_of(const SolverRequest& request, Device where, std::size_t n) {
  if (request.solver) return {*request.solver};
  return n > few || where == Device::cuda ? std::vector{Solver::fmm, Solver::barnes_hut}
                                          : std::vector{Solver::barnes_hut, Solver::fmm};
}

std::vector<Mac> macs_of(const SolverRequest& request, Solver solver) {
  if (request.mac) return {*request.mac};
  if (request.theta) return {Mac::spheres};
  if (request.tolerance) return {Mac::error};
  // For walks the error's was faster wherever it was measured.
  return solver == Solver::fmm ? std::vector{Mac::error, Mac::spheres} : std::vector{Mac::error};
}

std::vector<int> some_orders(const SolverRequest& request, Device where, Solver solver, double accuracy) {
  if (request.order) return {*request.order};
  const auto& likely = orders_for(accuracy);
  if (where == Device::cuda) return solver == Solver::fmm ? likely.on_gpu : likely.walk_on_gpu;
  return solver == Solver::fmm ? likely.fmm : likely.walk;
}

}  // namespace

std::vector<TreeSettings> families(const SolverRequest& request, Device where, Precision precision,
                                   const Gravity& gravity, std::size_t n, double net) {
  const double accuracy = accuracy_of_pulls(request, net);
  std::vector<TreeSettings> likely, others;
  std::string why;
  for (const auto solver : solvers_of(request, where, n))
    for (const auto mac : macs_of(request, solver)) {
      // The first of each solver before the second of any.
      bool first = likely.empty() || likely.back().solver != solver;
      for (const int order : some_orders(request, where, solver, accuracy)) {
        const auto s = family(request, where, solver, order, mac, accuracy);
        if (auto reason = why_not(
                ForceMethod{.tree = s},
                {.gravity = {.boundary = gravity.boundary}, .precision = precision, .resumes = false})) {
          if (why.empty()) why = std::move(*reason);
          continue;
        }
        (first ? likely : others).push_back(s);
        // The effect of large leaves depends on the GPU, and costs little to measure.
        if (where == Device::cuda && solver == Solver::fmm && !request.leaf_size && request.accuracy > 0) {
          others.push_back(s);
          others.back().leaf_size = 2 * s.leaf_size;
        }
        first = false;
      }
    }
  if (likely.empty()) throw UsageError(why);
  likely.insert(likely.end(), others.begin(), others.end());
  return likely;
}

TreeSettings replanned(const TreeSettings& now, const SolverRequest& request, const Gravity& gravity,
                       double net, double measured) {
  const double accuracy = accuracy_of_pulls(request, net);
  TreeSettings next = now;
  for (const int order : some_orders(request, now.device, now.solver, accuracy)) {
    if (order > now.order) continue;
    if (order == now.order) break;
    TreeSettings other = now;
    other.order = order;
    if (why_not(ForceMethod{.tree = other}, {.gravity = {.boundary = gravity.boundary}, .resumes = false}))
      continue;
    next.order = order;
    if (now.mac == Mac::error) next.tolerance = tolerance_for(now.solver, order, accuracy);
    else next.theta = theta_for(now.solver, order, accuracy);
    break;
  }
  if (next.order == now.order) {
    ParameterSearch search(now, request.accuracy);
    search.found(measured);
    next = search.settings();
  }
  next.wide = next.wide && accuracy < needs_double;
  return next;
}

double net_of(const std::vector<Vec3<double>>& exact, const Sample& sample, double G) {
  if (exact.empty()) return 1;
  std::vector<double> sizes;
  for (const auto& a : exact) sizes.push_back(norm(a));
  const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  // A half of a full box pulls a body between the halves by 4 G M / L^2.
  constexpr double of_a_half = 4;
  const double pulls = of_a_half * G * sample.acceleration;
  const double net = pulls > 0 ? *middle / pulls : 1;
  // Of a perfect lattice nothing is left but rounding, which no setting reaches.
  constexpr double least = 1e-6;
  return std::isfinite(net) ? std::clamp(net, least, 1.0) : 1;
}

std::vector<int> leaves_of(const TreeSettings& s) {
  if (s.device == Device::cuda)
    return s.solver == Solver::fmm ? std::vector{32, 48, 64, 96, 128, 192}
                                   : std::vector{16, 24, 32, 48, 64, 96};
  return s.solver == Solver::fmm ? std::vector{32, 48, 64, 96, 128, 192} : std::vector{16, 32, 48, 64};
}

std::vector<int> groups_of(const TreeSettings& s) {
  if (s.solver != Solver::barnes_hut) return {};
  return s.device == Device::cuda ? std::vector{16, 32, 48, 64, 96, 128} : std::vector{32, 64, 128, 256};
}

}  // namespace pleiad::tune
