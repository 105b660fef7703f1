#include "engine/device_blocks.hpp"

#include "engine/device_softened.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace pleiad {
namespace {

template <class T>
void make_room(cuda::Buffer<T>& buffer, std::size_t size, void* stream) {
  if (buffer.size() >= size) return;
  buffer = {};  // frees memory before more is taken
  buffer = cuda::Buffer<T>(size, stream);
}

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

/// In one launch: each may have thousands of finer ones, and someone may want to stop the run.
constexpr std::uint64_t most_at_once = 16;

}  // namespace

/// Measured on an H200: a tree of up to 65536 bodies takes some 0.86 ms, at an error of 1e-3, and direct sums
/// are of 2.8e12 pairs a second in f32 and 7e11 in mixed.
std::size_t worth_a_device_tree(Precision precision) {
  constexpr double seconds_of_tree = 0.86e-3;
  const double pairs_per_second = precision == Precision::f32 ? 2.8e12 : 7e11;
  return std::size_t(std::sqrt(seconds_of_tree * pairs_per_second));
}

/// As HostBlocks, so that both have the same levels.
template <class P>
DeviceBlocks<P>::DeviceBlocks(Engine engine)
    : engine_(std::move(engine)),
      most_split_(engine_.method.tree ? 1.0 / 3 : 0.57735026918962576),
      divider_(engine_.n, engine_.stream),
      eps_(engine_.eps, engine_.stream),
      work_(1, engine_.stream) {
  sets_.push_back(std::make_unique<Set>());
  sets_[0]->count = engine_.n;
  cuda::wait(engine_.stream);  // until the softenings are there
}

template <class P>
cuda::StepCriterion DeviceBlocks<P>::criterion() const {
  return {.eta = plan_->eta,
          .eps = engine_.gravity.softening.eps,
          .G = engine_.gravity.G,
          .softenings = softened() ? eps_.data() : nullptr};
}

template <class P>
cuda::BodySet DeviceBlocks<P>::members(std::size_t set) const {
  const auto& s = *sets_[set];
  return {set == 0 ? nullptr : s.members.data(), s.count};
}

template <class P>
std::uint64_t DeviceBlocks<P>::advance(const StepPlan& plan, std::uint64_t steps) {
  engine_.begin();
  plan_ = &plan;
  // Sums by another arithmetic are not those of these steps.
  const bool small = are_small_alone();
  if (std::exchange(small_alone_, small) != small) forget_from(0);
  if (small && workplace_.size() == 0)
    workplace_ = cuda::Buffer<unsigned char>(cuda::bytes_of_set_workplace<P>(), engine_.stream);
  const bool alone = is_alone(0);
  const std::uint64_t before = evaluations_;
  work_.set_bytes(0);
  for (std::uint64_t k = 0; alone && k < steps; k += most_at_once) {
    const auto some = std::min(steps - k, most_at_once);
    start({}, unsigned(some));
    engine_.started(some);
  }
  for (std::uint64_t k = 0; !alone && k < steps; ++k) {
    from_ = plan.time_of(k), to_ = plan.time_of(k + 1);
    is_last_ = k + 1 == steps;
    make_block_step(*this, {}, plan.eta > 0 ? plan.blocks.levels : 1);
    engine_.started(1);
  }
  cuda::SetWork work;
  work_.copy_to_host({&work, 1});
  evaluations_ += work.evaluations, interactions_ += double(work.pairs);
  plan_ = nullptr;
  return evaluations_ - before;
}

template <class P>
bool DeviceBlocks<P>::are_small_alone() const {
  return engine_.terms.empty() && engine_.gravity.softening.plain() &&
         !engine_.gravity.boundary.all_images() && plan_->factors->constant();
}

/// The forces of all bodies by a tree are those of the tree, however few they are.
template <class P>
bool DeviceBlocks<P>::is_alone(std::size_t set) const {
  return sets_[set]->count <= cuda::most_members && small_alone_ && !(set == 0 && engine_.method.tree);
}

template <class P>
bool DeviceBlocks<P>::alone(const BlockStep& step) {
  if (!is_alone(std::size_t(step.set))) return false;
  start(step, 1);
  return true;
}

template <class P>
void DeviceBlocks<P>::start(const BlockStep& step, unsigned steps) {
  const auto set = std::size_t(step.set);
  auto& s = *sets_[set];
  make_room(s.sums, s.count, engine_.stream);
  engine_.moved();
  forget_from(step.set + 1);  // which move meanwhile
  cuda::set_steps<P>({.set = members(set),
                      .x = engine_.x,
                      .v = engine_.v,
                      .sums = s.sums.data(),
                      .current = std::exchange(s.current, true),
                      .step = {step.part, step.outer_first, step.outer_last, 0, step.level},
                      .steps = steps,
                      .dt = plan_->dt,
                      .levels = plan_->eta > 0 ? plan_->blocks.levels : 1,
                      .by = criterion(),
                      .most_split = share(),
                      .softening = engine_.gravity.softening,
                      .heaviest = engine_.heaviest,
                      .boundary = engine_.gravity.boundary,
                      .work = work_.data(),
                      .workplace = workplace_.data(),
                      .stream = engine_.stream});
}

template <class P>
void DeviceBlocks<P>::need_accelerations(int set, double at) {
  auto& s = *sets_[std::size_t(set)];
  if (std::exchange(s.current, true)) return;
  if (set > 0) evaluate(s, time_at(at));
  else if (!engine_.evaluate(time_at(at), is_last_ && at == 1)) return;
  ++evaluations_;
  interactions_ += double(s.count) * double(s.count);
}

template <class P>
void DeviceBlocks<P>::make_solver(Set& s) {
  const bool small = engine_.method.tree && s.count < worth_a_device_tree(precision_of<P>) && !softened();
  if (std::exchange(s.small, small) != small) s.solver.reset();
  if (s.solver || small) return;
  if (!softened()) {
    s.solver = make_device_solver<P>(engine_.method, engine_.stream);
    return;
  }
  std::vector<std::uint32_t> members(s.count);
  cuda::copy_to_host(members.data(), s.members.data(), s.count * sizeof(std::uint32_t), engine_.stream);
  std::vector<double> eps(s.count);
  std::ranges::transform(members, eps.begin(), [&](std::uint32_t i) { return engine_.eps[i]; });
  s.solver = make_device_softened_solver<P>(engine_.gravity, eps, nullptr, engine_.stream);
}

template <class P>
void DeviceBlocks<P>::evaluate(Set& s, double time) {
  const auto& gravity = engine_.gravity;
  make_room(s.x, s.count, engine_.stream), make_room(s.sums, s.count, engine_.stream);
  cuda::gather(std::as_const(engine_).x, {s.members.data(), s.count}, s.x.data(), engine_.stream);
  const std::span<const Mass<Real>> x(s.x.data(), s.count);
  const std::span<Vec4<Real>> sums(s.sums.data(), s.count);
  make_solver(s);
  const PairProblem<P> problem{.targets = x,
                               .sources = x,
                               .sums = sums,
                               .softening = gravity.softening,
                               .heaviest = engine_.heaviest,
                               .boundary = gravity.boundary,
                               .self = 0,
                               .potential = false,
                               .stream = engine_.stream};
  if (s.small) {
    const auto sums_of_few =
        choose_device_kernel(s.count, precision_of<P>, gravity, Masses::any, {.kernels = catalogue().kernels})
            .method;
    sums_of_few.kernel->template run<P>()(problem, sums_of_few.shape);
  } else {
    s.solver->evaluate(problem);
  }
  for (auto& term : engine_.terms)
    term->add({.time = time, .G = gravity.G, .bodies = x, .sums = sums, .stream = engine_.stream});
}

template <class P>
Finer DeviceBlocks<P>::find_finer(const BlockStep& step) {
  const auto set = std::size_t(step.set);
  auto& s = *sets_[set];
  make_room(s.coarse, s.count, engine_.stream);
  const bool has_next = set + 1 < sets_.size(), has_after = set + 2 < sets_.size();
  const auto found = divider_.divide(members(set), sums_of(set), criterion(), step.part.length() * plan_->dt,
                                     has_next ? members(set + 1) : cuda::BodySet{},
                                     has_after ? members(set + 2) : cuda::BodySet{}, s.coarse.data());
  if (found.finer == 0) return Finer::none;
  if (double(found.finer) > share() * double(s.count)) return Finer::all;
  s.coarse_count = s.count - found.finer;
  if (!has_next) sets_.push_back(std::make_unique<Set>());
  auto& next = *sets_[set + 1];
  if (has_next && found.differ == 0) return Finer::some;
  next.count = found.finer, next.current = false;
  if (softened()) next.solver.reset();  // which has the softenings of its bodies
  make_room(next.members, next.count, engine_.stream);
  cuda::copy_on_device(next.members.data(), divider_.finer(), next.count * sizeof(std::uint32_t),
                       engine_.stream);
  // Bodies that are no longer in this set move without the finer sets that still have them.
  if (found.lost != 0) forget_from(step.set + 2);
  return Finer::some;
}

template <class P>
double DeviceBlocks<P>::kick_over(const StepPart& part) const {
  return engine_.gravity.G * part.length() * plan_->dt *
         plan_->factors->kick(time_at(part.begin), time_at(part.end));
}

template <class P>
void DeviceBlocks<P>::kick(int set, double length) {
  cuda::kick<Real>(members(std::size_t(set)), sums_of(std::size_t(set)), Real(length), engine_.v,
                   engine_.stream);
}

template <class P>
void DeviceBlocks<P>::drift(int set, const StepPart& part, bool coarse) {
  const auto& s = *sets_[std::size_t(set)];
  engine_.moved();
  const double length =
      part.length() * plan_->dt * plan_->factors->drift(time_at(part.begin), time_at(part.end));
  cuda::drift<Real>(coarse ? cuda::BodySet{s.coarse.data(), s.coarse_count} : members(std::size_t(set)),
                    engine_.v, Real(length), engine_.gravity.boundary, engine_.x, engine_.stream);
}

template <class P>
void DeviceBlocks<P>::forget_from(int set) {
  for (auto k = std::size_t(set); k < sets_.size(); ++k) sets_[k]->current = false;
}

template <class P>
std::size_t DeviceBlocks<P>::bytes() const {
  std::size_t bytes = divider_.bytes() + workplace_.size();
  for (const auto& s : sets_)
    bytes += (s->members.size() + s->coarse.size()) * sizeof(std::uint32_t) +
             s->x.size() * sizeof(Mass<Real>) + s->sums.size() * sizeof(Vec4<Real>) +
             (s->solver ? s->solver->bytes() : 0);
  return bytes;
}

template class DeviceBlocks<F32>;
template class DeviceBlocks<F64>;
template class DeviceBlocks<Mixed>;

}  // namespace pleiad
