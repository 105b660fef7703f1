#include "cuda/steps/individual_bodies.hpp"

#include "core/clock.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace pleiad::cuda {
namespace {

/// Where the acceleration, the jerk and the step of a body are in Bodies::series, as on CPUs: behind what
/// other schemes keep there.
constexpr std::size_t first_kept = 12;

/// Whether every body has kept where to go on, and not another scheme.
bool has_kept(const Bodies& b) {
  return b.series.size() == b.size() && std::ranges::all_of(b.series, [](const auto& s) {
           return s[first_kept + 6] > 0 &&
                  std::all_of(s.begin(), s.begin() + first_kept, [](double c) { return c == 0; });
         });
}

}  // namespace

IndividualUnits units_of(double total, double dt) {
  if (!(total > 0)) return {};
  const int length = std::ilogb(std::cbrt(total * dt * dt));
  return {.length = length, .velocity = length - std::ilogb(dt), .mass = std::ilogb(total)};
}

std::size_t individual_bytes(std::size_t n) {
  // State, mass, step, level, place; and in the workplace two predicted bodies of 64 bytes, six sums, a
  // number and two shifts, with the rest of a last group for each block.
  constexpr std::size_t each = (numbers_of_state + 2) * 8 + 1 + 4 + 2 * 64 + 6 * 8 + 4 + 2 * 4;
  return (n + 256 * 16) * each;
}

IndividualBodies::IndividualBodies(const Bodies& b, const Settings& settings)
    : n_(b.size()),
      state_(numbers_of_state * n_, settings.stream),
      mass_(n_, settings.stream),
      steps_(n_, settings.stream),
      levels_(n_, settings.stream),
      places_(n_, settings.stream),
      progress_(1, settings.stream),
      mean_velocity_(3, settings.stream),
      has_low_(b.low.size() == n_),
      started_(has_kept(b)),
      most_blocks_(settings.most_blocks) {
  for (const bool pulls : {true, false})
    for (std::size_t i = 0; i < n_; ++i)
      if ((b.mass[i] > 0) == pulls) place_.push_back(unsigned(i)), pulling_ += pulls ? 1 : 0;
  std::vector<double> state(numbers_of_state * n_), mass(n_), steps(n_);
  for (std::size_t k = 0; k < n_; ++k) {
    const std::size_t i = place_[k];
    const double numbers[] = {b.x[i], b.y[i], b.z[i], b.vx[i], b.vy[i], b.vz[i]};
    for (std::size_t c = 0; c < 6; ++c) {
      state[c * n_ + k] = numbers[c];
      if (started_) state[(6 + c) * n_ + k] = b.series[i][first_kept + c];
      if (has_low_) state[(12 + c) * n_ + k] = b.low[i][c];
    }
    mass[k] = settings.G * b.mass[i];
    total_mass_ += mass[k];
    if (started_) steps[k] = b.series[i][first_kept + 6];
  }
  state_.copy_from_host(state), mass_.copy_from_host(mass), steps_.copy_from_host(steps);
  places_.copy_from_host(place_);
  problem_ = {.bodies = n_,
              .pulling = pulling_,
              .state = state_.data(),
              .mass = mass_.data(),
              .steps = steps_.data(),
              .levels = levels_.data(),
              .eps2 = settings.eps * settings.eps,
              .in_floats = settings.in_floats,
              .units = {},
              .mean_velocity = mean_velocity_.data(),
              .progress = progress_.data(),
              .grid = settings.grid,
              .stream = settings.stream};
  workplace_ = Buffer<unsigned char>(bytes_of_workplace(problem_), settings.stream);
  problem_.workplace = workplace_.data();
  wait(settings.stream);  // the arrays of the host end here
}

void IndividualBodies::find_start(double eta) {
  if (started_) return;
  problem_.eta = eta;
  find_accelerations_and_jerks(problem_);
  find_first_steps(problem_);
  started_ = true;
}

/// Launches of some tenths of a second, after which someone may stop the run, and a screen's GPU can draw.
IndividualProgress IndividualBodies::launch_until(std::uint64_t end) {
  IndividualProgress now{.finest = finest_};
  progress_.copy_from_host({&now, 1});
  problem_.end = end;
  do {
    problem_.most_blocks = std::min(blocks_, most_blocks_);
    const double began = seconds();
    individual_steps(problem_);
    progress_.copy_to_host({&now, 1});
    const double took = seconds() - began;
    if (took < 0.1) blocks_ = std::min(2 * blocks_, most_blocks_);
    else if (took > 0.4) blocks_ = std::max<std::uint64_t>(blocks_ / 2, 1);
  } while (now.shrunk == 0 && now.now < end);
  finest_ = now.finest;
  return now;
}

IndividualProgress IndividualBodies::advance(double dt, double eta, std::uint64_t steps, double time) {
  // Times are counted within some steps, and never as far as 2^64.
  constexpr std::uint64_t most_steps = std::uint64_t{1} << 20;
  // The mean velocity is that where a step of all bodies begins: a run that goes on there finds the same.
  const std::uint64_t at_once = problem_.in_floats ? 1 : most_steps;
  IndividualProgress all;
  if (n_ == 0 || steps == 0) return all;
  find_start(eta);
  problem_.dt = dt, problem_.eta = eta;
  problem_.units = units_of(total_mass_, dt);
  find_levels(problem_);
  for (std::uint64_t made = 0; made < steps;) {
    const std::uint64_t some = std::min(steps - made, at_once);
    if (problem_.in_floats) find_mean_velocity(problem_);
    const auto done = launch_until(some << finest_step);
    all.blocks += done.blocks, all.moves += done.moves, all.redone += done.redone;
    all.now = done.now, all.finest = done.finest;
    if (done.shrunk != 0)
      throw NumericalError(
          fmt::format("the step of a body has shrunk to less than {:g} at time {}: two bodies are too "
                      "close; use softening",
                      std::ldexp(dt, -finest_step),
                      time + dt * (double(made) + std::ldexp(double(done.now), -finest_step))),
          Error::Code::step_too_small);
    made += some;
  }
  find_lengths(problem_);
  has_low_ = true;
  return all;
}

std::vector<double> IndividualBodies::state_on_host() const {
  std::vector<double> state(state_.size());
  state_.copy_to_host(state);
  return state;
}

void IndividualBodies::copy_to_host(Bodies& b) const {
  const auto state = state_on_host();
  for (std::size_t k = 0; k < n_; ++k) {
    const std::size_t i = place_[k];
    std::vector<double>* const fields[] = {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz};
    for (std::size_t c = 0; c < 6; ++c) (*fields[c])[i] = state[c * n_ + k];
  }
  keep(b);
}

void IndividualBodies::keep(Bodies& b) const {
  b.low.clear(), b.series.clear();
  if (!has_low_ && !started_) return;
  const auto state = state_on_host();
  if (has_low_) b.low.resize(n_);
  std::vector<double> steps(n_);
  if (started_) b.series.resize(n_), steps_.copy_to_host(steps);
  for (std::size_t k = 0; k < n_; ++k) {
    const std::size_t i = place_[k];
    for (std::size_t c = 0; c < 6; ++c) {
      if (has_low_) b.low[i][c] = state[(12 + c) * n_ + k];
      if (started_) b.series[i][first_kept + c] = state[(6 + c) * n_ + k];
    }
    if (started_) b.series[i][first_kept + 6] = steps[k];
  }
}

void IndividualBodies::give(Mass<double>* positions, Vec4<double>* velocities) const {
  give_bodies(problem_, places_.data(), positions, velocities);
}

void IndividualBodies::reverse_velocities() {
  cuda::reverse_velocities(problem_);
  started_ = false;
}

std::function<void()> IndividualBodies::keep_state() {
  std::vector<double> steps(n_);
  steps_.copy_to_host(steps);
  return [this, state = state_on_host(), steps = std::move(steps), low = has_low_, started = started_] {
    state_.copy_from_host(state), steps_.copy_from_host(steps);
    has_low_ = low, started_ = started;
    wait(problem_.stream);
  };
}

std::size_t IndividualBodies::bytes() const {
  return (state_.size() + mass_.size() + steps_.size()) * sizeof(double) + levels_.size() +
         workplace_.size() + places_.size() * sizeof(unsigned);
}

}  // namespace pleiad::cuda
