/// One force evaluation as an experiment. What rounding can explain of an error at target i, with u the unit
/// roundoff of the arithmetic:
///
///     |da_i| <= u [ (32 + 2 sqrt N) S_i + 12 X R_i ] + 2 D_i,
///     S_i = sum_j |pull_ij|,  R_i = sum_j |pull_ij| / sqrt(d_ij^2 + eps^2)
///
/// 32 u is for each pull (differences, square, reciprocal root by approximation and Newton step, products).
///
/// Adding N terms one after the other errs by at most u |s_k| when the partial sum s_k is reached. While the
/// terms differ by more than an ulp of s_k these errors are a random walk: independent and without a mean, so
/// that (Higham and Mary) |sum of them| > lambda u sqrt(sum s_k^2) in 2 exp(-lambda^2 / 2) of all cases.
/// Where pulls have all directions the partial sums stay near S_i / 3 in the mean square; 2 sqrt(N) u is then
/// lambda = 6, less than 1e-7 for all three coordinates of 128 targets. Measured for one accumulator in
/// single precision, in Plummer spheres of 4096 to 262144: 0.16 sqrt(N) u S_i in the root of the mean square,
/// 0.6 at most.
///
/// The errors have a mean where all terms are alike to less than an ulp of the sum: each is then rounded the
/// same way, and the errors grow as N instead of its root. That befalls targets far outside, for which a
/// system is a point: from N = 1e6 on the outermost bodies of a sphere (measured: 2.1 sqrt(N) u S_i at
/// 1048576, 17 at 4194304). No probability helps there, but the effect can be had as it is: D_i is how far
/// one accumulator of the kernel's type for sums ends from the true sum when it is given the reference's
/// pulls in the order of the sources, and 2 is for kernels that round the pulls, or divide the sum,
/// otherwise. With all images of a box the splitting may lose 2e-6 in single and 1e-10 in double precision of
/// the pull of all mass at half the box besides. Sums in double precision have no D_i. Where D_i is large a
/// forgotten source may hide in it, but only there: the sample has 100 other targets.
///
/// X is max |x| and not 0 only for mixed precision, where positions are rounded to fp32 after a local origin
/// is subtracted, and in boxes of nearest images, where separations of up to the box are rounded before it is
/// taken off: both ends move by up to u 2X, which changes a pull by 3 x 2 x 2X u / d of itself. Targets
/// are compared through S_i, not |a_i|, because pulls cancel in the middle of a system without any kernel's
/// fault.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/force_problem.hpp"

#include "bench/timing.hpp"
#include "reference/reference.hpp"

#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// Payloads that no arithmetic produces: a quiet NaN of the machine has none.
float poison_of(float) { return std::bit_cast<float>(0x7fc0dead); }
double poison_of(double) { return std::bit_cast<double>(0x7ff80000deadbeef); }
bool poisoned(float x) { return std::bit_cast<std::uint32_t>(x) == 0x7fc0dead; }
bool poisoned(double x) { return std::bit_cast<std::uint64_t>(x) == 0x7ff80000deadbeef; }

/// Indices of the `count` bodies nearest to body `centre`: those that miss it most when a kernel forgets it
/// as a source.
template <class Real>
std::vector<std::size_t> neighbours(const std::vector<Mass<Real>>& bodies, std::size_t centre,
                                    std::size_t count) {
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto d = bodies[i].position() - bodies[centre].position();
    if (i != centre) near.emplace_back(double(dot(d, d)), i);
  }
  count = std::min(count, near.size());
  std::partial_sort(near.begin(), near.begin() + std::ptrdiff_t(count), near.end());
  std::vector<std::size_t> indices;
  for (std::size_t k = 0; k < count; ++k) indices.push_back(near[k].second);
  return indices;
}

/// About 128 targets: evenly spread over the indices, the first and last few, and the neighbours of the first
/// and last body.
template <class Real>
std::vector<std::size_t> choose_sample(const std::vector<Mass<Real>>& bodies) {
  constexpr std::size_t spread = 112, edge = 4;
  const std::size_t n = bodies.size();
  std::set<std::size_t> chosen;
  for (std::size_t k = 0; k < std::min(n, spread); ++k) chosen.insert(k * n / std::min(n, spread));
  for (std::size_t k = 0; k < std::min(n, edge); ++k) chosen.insert({k, n - 1 - k});
  for (const std::size_t centre : {std::size_t{0}, n - 1})
    for (const auto i : neighbours(bodies, centre, edge)) chosen.insert(i);
  return {chosen.begin(), chosen.end()};
}

/// S_i, R_i and D_i of the bound above.
struct Magnitudes {
  double pulls = 0, gradients = 0, drift = 0, mass = 0;
};

template <class Sum>
Magnitudes magnitudes(std::span<const Mass<double>> bodies, std::size_t target, double eps,
                      const Boundary& space) {
  Magnitudes of;
  Vec3<Sum> one{};
  Vec3<double> all{};
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    of.mass += bodies[j].m;
    if (j == target) continue;
    auto d = bodies[j].position() - bodies[target].position();
    if (space.periodic) d = minimum_image(d, Box<double>(space));
    const auto a = pull(d, bodies[j].m, eps * eps).xyz();
    const double p = norm(a);
    of.pulls += p;
    of.gradients += p / std::sqrt(dot(d, d) + eps * eps);
    one += {Sum(a.x), Sum(a.y), Sum(a.z)};
    all += a;
  }
  of.drift = norm(Vec3<double>{double(one.x), double(one.y), double(one.z)} - all);
  return of;
}

template <class P>
class Problem final : public ForceProblem {
 public:
  using Real = typename P::Position;
  using Sum = typename P::Sum;

  Problem(const Bodies& b, Softening softening, const Boundary& space)
      : softening_(softening), space_(space), masses_(masses_of(b)), bodies_(b.size()), sums_(b.size()) {
    for (std::size_t i = 0; i < b.size(); ++i)
      bodies_[i] = {Real(b.x[i]), Real(b.y[i]), Real(b.z[i]), Real(b.mass[i])};
  }

  std::size_t size() const override { return bodies_.size(); }
  Masses masses() const override { return masses_; }

  void poison() override {
    const Sum nan = poison_of(Sum{});
    std::fill(sums_.begin(), sums_.end(), Vec4<Sum>{nan, nan, nan, nan});
    if (gpu_) gpu_->put(sums_);
  }

  void evaluate(const DirectKernel& kernel, const LaunchShape& shape) override {
    if (kernel.device == Device::cuda) (void)seconds_on_gpu(kernel, shape, 1, false);
    else
      kernel.template run<P>()({.targets = bodies_,
                                .sources = bodies_,
                                .sums = sums_,
                                .softening = softening_,
                                .boundary = space_},
                               shape);
  }

  void evaluate(const StepKernel& kernel, const LaunchShape& shape) override {
    need_gpu();
    stale_ = true;
    gpu_->evaluate(kernel, shape);
  }

  void take(std::span<const Vec3<double>> pulls) override {
    stale_ = false;
    for (std::size_t i = 0; i < pulls.size(); ++i)
      sums_[i] = {Sum(pulls[i].x), Sum(pulls[i].y), Sum(pulls[i].z), Sum(0)};
  }

  double seconds(const DirectKernel& kernel, const LaunchShape& shape, int count, bool cold) override {
    return kernel.device == Device::cuda ? seconds_on_gpu(kernel, shape, count, cold)
                                         : ForceProblem::seconds(kernel, shape, count, cold);
  }
  std::optional<GpuFill> fill() const override { return gpu_ ? std::optional(gpu_->fill()) : std::nullopt; }

  std::string unwritten() const override {
    fetch();
    std::size_t missing = 0, first_missing = 0, bad = 0, first_bad = 0;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const auto& s = sums_[i];
      if (poisoned(s.x) || poisoned(s.y) || poisoned(s.z) || poisoned(s.w)) {
        if (missing++ == 0) first_missing = i;
      } else if (!(std::isfinite(s.x) && std::isfinite(s.y) && std::isfinite(s.z) && std::isfinite(s.w))) {
        if (bad++ == 0) first_bad = i;
      }
    }
    if (missing > 0)
      return fmt::format("left {} of {} sums unwritten, the first that of body {}", missing, size(),
                         first_missing);
    if (bad > 0)
      return fmt::format("{} of {} sums are not finite, the first that of body {}", bad, size(), first_bad);
    return "";
  }

  ForceError error() override {
    fetch();
    if (sample_.empty()) prepare_reference();
    ForceError error{.sample = sample_.size()};
    std::vector<double> relative;
    double squares = 0;
    for (std::size_t k = 0; k < sample_.size(); ++k) {
      const auto& s = sums_[sample_[k]];
      const double off = double(norm(Vec3<long double>{s.x, s.y, s.z} - exact_[k].xyz()));
      relative.push_back(off / double(norm(exact_[k].xyz())));
      squares += relative.back() * relative.back();
      // Written so that NaN stays and is seen.
      if (!(off / allowed_[k] <= error.excess)) error.excess = off / allowed_[k];
    }
    std::sort(relative.begin(), relative.end());
    error.rms = std::sqrt(squares / double(relative.size()));
    error.p99 = relative[std::size_t(std::ceil(0.99 * double(relative.size()))) - 1];
    error.max = relative.back();
    return error;
  }

 private:
  void prepare_reference() {
    constexpr double u = double(std::numeric_limits<typename P::Math>::epsilon()) / 2;
    const bool rounds_positions =
        sizeof(typename P::Math) < sizeof(Real) || (space_.periodic && !space_.all_images());
    std::vector<Mass<double>> exact_bodies;
    double extent = 0;
    for (const auto& b : bodies_) {
      exact_bodies.push_back({double(b.x), double(b.y), double(b.z), double(b.m)});
      if (rounds_positions) extent = std::max(extent, norm(exact_bodies.back().position()));
    }
    sample_ = choose_sample(bodies_);
    const auto& l = space_.length;
    const double cut = 0.5 * std::min({l.x, l.y, l.z}), part = sizeof(typename P::Math) == 4 ? 2e-6 : 1e-10;
    const double split = space_.all_images() ? part / (cut * cut) : 0;
    exact_ = reference::pulls(sample_, exact_bodies, softening_, space_);
    for (const auto i : sample_) {
      const auto m = magnitudes<Sum>(exact_bodies, i, softening_.eps, space_);
      allowed_.push_back(u * ((32 + 2 * std::sqrt(double(size()))) * m.pulls + 12 * extent * m.gradients) +
                         2 * m.drift + split * m.mass);
    }
  }

  void need_gpu() {
    if (gpu_) return;
    gpu_ = make_gpu_forces<P>(bodies_, softening_, space_);
    gpu_->put(sums_);
  }
  double seconds_on_gpu(const DirectKernel& kernel, const LaunchShape& shape, int count, bool cold) {
    need_gpu();
    stale_ = true;
    return gpu_->seconds(kernel, shape, count, cold);
  }
  /// The sums from the GPU, when it has new ones.
  void fetch() const {
    if (std::exchange(stale_, false)) gpu_->get(sums_);
  }

  Softening softening_;
  Boundary space_;
  Masses masses_;
  std::vector<Mass<Real>> bodies_;
  mutable std::vector<Vec4<Sum>> sums_;
  mutable bool stale_ = false;
  std::unique_ptr<GpuForces<P>> gpu_;
  std::vector<std::size_t> sample_;
  std::vector<Vec4<long double>> exact_;
  std::vector<double> allowed_;
};

}  // namespace

double ForceProblem::seconds(const DirectKernel& kernel, const LaunchShape& shape, int count, bool) {
  return seconds_of([&] {
    for (int k = 0; k < count; ++k) evaluate(kernel, shape);
  });
}

std::unique_ptr<ForceProblem> make_force_problem(const Bodies& bodies, Softening softening,
                                                 Precision precision, const Boundary& space) {
  switch (precision) {
    case Precision::f32:
      return std::make_unique<Problem<F32>>(bodies, softening, space);
    case Precision::f64:
      return std::make_unique<Problem<F64>>(bodies, softening, space);
    case Precision::mixed:
      break;
  }
  return std::make_unique<Problem<Mixed>>(bodies, softening, space);
}

}  // namespace pleiad::bench
