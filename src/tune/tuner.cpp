#include "tune/tuner.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

constexpr double unmeasured = std::numeric_limits<double>::infinity();
// how much slower the first may be and stay first, and the limit for the next round
constexpr double as_fast = 1.01, close = 1.5;
constexpr int rounds = 4;

class Tuner {
 public:
  Tuner(const Case& what, const std::vector<Choice>& candidates, const EngineOptions& options,
        const MakeEngine& make, const Effort& effort, const Progress& progress)
      : what_(what),
        options_(options),
        make_(make),
        effort_(effort),
        progress_(progress),
        bodies_(bodies_of(what)) {
    for (const auto& choice : candidates) measured_.push_back({.method = choice.method, .gpus = choice.gpus});
  }
  std::vector<Measurement> all();

 private:
  void round(const std::vector<std::size_t>& alive, int number);
  void measure(Measurement& one, int round);
  double sample(Engine& engine, std::uint64_t steps);
  void need_same_velocities(Engine& engine);
  double best() const;

  const Case& what_;
  const EngineOptions& options_;
  const MakeEngine& make_;
  const Effort& effort_;
  const Progress& progress_;
  const Bodies bodies_;
  const StepPlan plan_{.integrator = &integrator_named("kdk"), .dt = 1.0 / 1024};
  std::vector<Measurement> measured_;
  Bodies reference_;  ///< after one step; empty: none made yet
  double start_ = effort_.clock();
};

double Tuner::best() const {
  double least = unmeasured;
  for (const auto& m : measured_)
    if (m.seconds > 0) least = std::min(least, m.seconds);
  return least;
}

/// Seconds a step. Looking whether all is finite waits for the steps to be done, if the engine did not.
double Tuner::sample(Engine& engine, std::uint64_t steps) {
  const double took = seconds_of(
      [&] {
        engine.advance(plan_, steps);
        if (!engine.finite())
          throw NumericalError("its bodies are no longer finite", Error::Code::not_finite);
      },
      effort_.clock);
  return took / double(steps);
}

/// Compares the velocities after one step, to a per mille of their change: far more than rounding errors, far
/// less than any mistake.
void Tuner::need_same_velocities(Engine& engine) {
  Bodies now = bodies_;
  engine.copy_to_host(now);
  if (reference_.empty()) {
    reference_ = std::move(now);
    return;
  }
  double off = 0, given = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto v = now.velocity(i), right = reference_.velocity(i), before = bodies_.velocity(i);
    off += dot(v - right, v - right);
    given += dot(right - before, right - before);
  }
  if (!(off <= 1e-6 * given)) throw NumericalError("its forces differ from those of the others");
}

void Tuner::measure(Measurement& one, int round) {
  auto options = options_;
  options.precision = what_.precision, options.method = one.method, options.gpus = one.gpus;
  const auto engine = make_(bodies_, gravity_of(what_), options);
  // The first step loads code and takes memory.
  double step = sample(*engine, 1);
  if (round == 0) need_same_velocities(*engine);
  one.seconds = step;
  if (step > effort_.hopeless && step > 4 * best()) return;
  // a run needs energies: shapes that cannot compute them are excluded
  if (round == 0) (void)engine->energies();
  const double length = effort_.shortest * (1 << round);
  // A first step is slow, and one alone is mostly waiting: as many as fill the sample, found by doubling.
  std::uint64_t steps = 1;
  for (step = sample(*engine, 1); step * double(steps) < length && steps < (1U << 16);)
    step = sample(*engine, steps *= 2);
  std::vector<double> samples{step};
  for (const double start = effort_.clock();
       samples.size() < 3U + 2 * unsigned(round) && effort_.clock() - start < 4 * length;)
    samples.push_back(sample(*engine, steps));
  std::ranges::sort(samples);
  one.seconds = samples[samples.size() / 2];
}

void Tuner::round(const std::vector<std::size_t>& alive, int number) {
  std::size_t done = 0;
  for (const auto k : alive) {
    auto& one = measured_[k];
    // The first round may take half of the time, so that the second can compare the best ones.
    if (effort_.clock() - start_ > (number == 0 ? 0.5 : 1.0) * effort_.seconds &&
        (number > 0 || best() < unmeasured)) {
      if (number == 0) one.left_out = "no time was left for it";
      continue;
    }
    if (progress_) progress_(fmt::format("{} of {}{}", ++done, alive.size(), number > 0 ? " again" : ""));
    const double before = one.seconds;
    try {
      measure(one, number);
    } catch (const std::exception& e) {
      one.seconds = 0;
      one.left_out = e.what();
    }
    // Other load of the machine only increases a measured time.
    if (number > 0 && one.seconds > 0) one.seconds = std::min(one.seconds, before);
  }
}

std::vector<Measurement> Tuner::all() {
  std::vector<std::size_t> alive(measured_.size());
  for (std::size_t k = 0; k < alive.size(); ++k) alive[k] = k;
  for (int number = 0; number < rounds && (number == 0 || alive.size() > 1); ++number) {
    round(alive, number);
    std::erase_if(alive, [&](std::size_t k) {
      return measured_[k].seconds == 0 || measured_[k].seconds > close * best();
    });
    std::ranges::stable_sort(alive, {}, [&](std::size_t k) { return measured_[k].seconds; });
    if (alive.size() > 2) alive.resize((alive.size() + 1) / 2);
  }
  if (best() == unmeasured)
    throw ResourceError(fmt::format("nothing computes {}: {}", name_of(what_),
                                    measured_.empty() ? "no kernel" : measured_.front().left_out));
  put_in_order(measured_);
  return std::move(measured_);
}

}  // namespace

void put_in_order(std::vector<Measurement>& measured) {
  const auto place = [](const Measurement& m) { return m.seconds > 0 ? m.seconds : unmeasured; };
  const auto faster = [&](const Measurement& a, const Measurement& b) { return place(a) < place(b); };
  if (measured.empty()) return;
  const double best = place(*std::ranges::min_element(measured, faster));
  const bool first_stays = place(measured.front()) < unmeasured && place(measured.front()) <= as_fast * best;
  std::stable_sort(measured.begin() + (first_stays ? 1 : 0), measured.end(), faster);
}

std::vector<Measurement> measure(const Case& what, const std::vector<Choice>& candidates,
                                 const EngineOptions& options, const MakeEngine& make, const Effort& effort,
                                 const Progress& progress) {
  return Tuner(what, candidates, options, make, effort, progress).all();
}

}  // namespace pleiad::tune
