#include "run/accuracy.hpp"

#include "tune/planner.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Rounding grows slowly, and steps of few bodies are short: a look takes at most a hundredth of the time of
/// the steps before it. A look at a tree takes about a fiftieth: see sample_size.
std::uint64_t usual_interval(std::size_t n, bool tree, bool on_gpu) {
  constexpr std::uint64_t shortest = 1024, longest = 16384, product = std::uint64_t{1} << 24;
  if (tree) return on_gpu ? 256 : 128;
  return std::clamp(product / std::max<std::uint64_t>(n, 1), shortest, longest);
}
/// Looks at a tree on the same sample: to draw one means to sort all bodies.
constexpr std::uint64_t looks_on_a_sample = 64;
constexpr const char* sample_name = "force_error_sample";

}  // namespace

void AccuracyWatch::changed() {
  tree_ = by_a_tree(simulation_);
  const auto asked = options_.solver.check_every;
  every_ = asked > 0 ? asked : usual_interval(simulation_.size(), tree_, simulation_.describe().gpus > 0);
}

ForceErrors AccuracyWatch::measure() {
  const auto step = simulation_.step();
  if (auto first = std::exchange(first_, {})) {
    sample_ = std::move(first->sample);
    return first->errors;
  }
  const bool drawn_anew = tree_ ? due() && step / every_ % looks_on_a_sample == 0 : true;
  if (!sample_ || drawn_anew) sample_ = simulation_.sample();
  return simulation_.force_errors(*sample_);
}

bool AccuracyWatch::look(bool may_correct) {
  const auto e = measure();
  const auto d = simulation_.describe();
  last_ = e, last_step_ = simulation_.step();
  tell_(fmt::format("{} {} {:.3e} {:.3e} {:.3e} {} {:.3e} {:.3e} {:.3e} {} {}", simulation_.time(),
                    simulation_.step(), e.median, e.p99, e.largest, e.sample, e.p99_low, e.p99_high,
                    e.closest, d.precision, d.kernel()));
  const bool rough = too_rough(e, options_, tree_);
  const bool loose = tree_ && options_.solver.accuracy > 0 && !(e.p99_high <= options_.solver.accuracy);
  if (may_correct) return rough || (loose && !tighten(e));
  if (rough || loose)
    note_(fmt::format("{} at the end, beyond {:g}: what the last steps did is less accurate than that",
                      words_of(e), allowed_error(options_)));
  return false;
}

/// False when the dial is at its end.
bool AccuracyWatch::tighten(const ForceErrors& errors) {
  const auto now = *simulation_.describe().method.tree;
  const double asked = options_.solver.accuracy;
  const auto next = tune::tightened(now, errors.p99_high, asked);
  if (next == now) return false;
  simulation_.retune({.tree = next});
  note_(fmt::format("the force error is {} at step {}, above {:g}: from now on {}", percentile_of(errors),
                    simulation_.step(), asked, text_of(next)));
  return true;
}

void AccuracyWatch::save(Checkpoint& c) const {
  if (!tree_ || !sample_) return;
  std::string text = fmt::format("{} {:a} {:a}", sample_->closest, sample_->separation, sample_->pull);
  for (std::size_t k = 0; k < sample_->bodies.size(); ++k)
    text += fmt::format(" {} {:.17g}", sample_->bodies[k], sample_->weights[k]);
  c.extra[sample_name] = std::move(text);
}

void AccuracyWatch::resume(const Checkpoint& c) {
  const auto text = c.extra.find(sample_name);
  if (text == c.extra.end()) return;
  std::istringstream in(text->second);
  std::string separation, pull, weight;
  Sample sample;
  in >> sample.closest >> separation >> pull;
  sample.separation = std::strtod(separation.c_str(), nullptr);
  sample.pull = std::strtod(pull.c_str(), nullptr);
  for (std::size_t body = 0; in >> body >> weight;) {
    if (body >= simulation_.size())
      throw InputError(
          fmt::format("the checkpoint's {} names body {} of {}", sample_name, body, simulation_.size()));
    sample.bodies.push_back(body), sample.weights.push_back(std::strtod(weight.c_str(), nullptr));
  }
  sample.closest = std::min(sample.closest, sample.bodies.size());
  if (!sample.bodies.empty()) sample_ = std::move(sample);
}

}  // namespace pleiad::run
