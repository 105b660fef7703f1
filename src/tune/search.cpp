#include "tune/search.hpp"

#include "tune/families.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad::tune {
namespace {

constexpr double never = 1e300;
/// A accuracy parameter is left alone when this part of the accuracy is used: the time goes with the error to
/// the power 0.2 to 0.4, so that 4 % are lost, or 7 % where evaluations are long.
double used(double seconds) { return seconds < 0.5 ? 0.8 : 0.7; }
constexpr double time_by_error = 0.3;
/// Uncertainty of a single evaluation, because of other programs: settings slower by this factor may be the
/// faster ones.
constexpr double doubt = 1.2;
constexpr int most_trials_of_a_parameter = 6;

}  // namespace

TreeSearch::TreeSearch(Trial& trial, const SolverRequest& request, double direct, Progress progress,
                       std::vector<Measurement>& tried, const Budget& budget)
    : trial_(trial),
      request_(request),
      accuracy_(promised_accuracy(request)),
      direct_(request.solver ? never : direct),
      progress_(std::move(progress)),
      tried_(tried),
      budget_(budget) {}

const Measurement& TreeSearch::measure(const TreeSettings& settings, int least) {
  if (progress_) progress_(text_of(settings));
  const double start = trial_.now();
  const double rival = std::min(direct_, best_ ? best_->seconds : never);
  try {
    tried_.push_back(trial_.run(settings, enough * accuracy_, rival, least));
  } catch (const ResourceError&) {
    // Less room than these need is no reason against what is known to fit; of several ranks one alone may
    // lack it.
    if (!best_ || trial_.comm().ranks() > 1) throw;
    constexpr double no = std::numeric_limits<double>::infinity();
    tried_.push_back({.method = ForceMethod{.tree = settings},
                      .seconds = never,
                      .errors = {.p99 = no, .p99_high = no, .largest = no}});
  }
  took_ = trial_.now() - start;
  const auto& t = tried_.back();
  if (t.seconds < never) fastest_ = std::min(fastest_, t.seconds);
  if (t.meets && (!best_ || t.seconds < best_->seconds)) best_ = t;
  return t;
}

/// Evaluations of one trial. Other programs disturb a single short one by more than the differences between
/// solvers, and settings that were unlucky are never measured again.
int TreeSearch::turns() const { return trial_.size() <= 200'000 ? 3 : 1; }

/// Whether another trial, as long as the last, ends within the time of a search: sixty evaluations by the
/// best settings, or a second; for a short run a part of it. Before any settings are accurate the fastest
/// tried ones count as the best.
bool TreeSearch::has_time() {
  constexpr double evaluations = 60, least = 1, part = 0.06, least_of_short = 0.3;
  const double each = best_ ? best_->seconds : fastest_;
  const double whole = std::max(least, evaluations * each);
  double most = whole;
  if (budget_.evaluations > 0)
    most = std::min(most, std::max(least_of_short, part * budget_.evaluations * each));
  const double ends = trial_.now() - budget_.began + took_;
  if (ends >= most && ends < whole) cut_short_ = true;
  return ends < most;
}

void TreeSearch::step(Candidate& c) {
  c.last = measure(c.parameter.settings(), turns());
  ++c.evaluations;
  const bool set = request_.accuracy == 0 ||
                   (c.parameter.settings().mac == Mac::error ? request_.tolerance : request_.theta);
  c.close = set || (c.last.meets && c.last.errors.p99_high >= used(c.last.seconds) * accuracy_);
  c.parameter.found(c.last.errors.p99_high);
}

double TreeSearch::expected(const Measurement& t) const {
  if (request_.accuracy == 0) return t.seconds;
  // Beyond this range the power law does not hold.
  const double off = std::clamp(t.errors.p99_high / (aim * accuracy_), 0.1, 10.0);
  return t.seconds * std::pow(off, time_by_error);
}

bool TreeSearch::may_win(const Candidate& c) const {
  const double time = expected(c.last);
  return time < doubt * direct_ && (!best_ || time < doubt * best_->seconds);
}

std::vector<TreeSearch::Candidate> TreeSearch::scan(std::span<const TreeSettings> families) {
  std::vector<Candidate> candidates;
  // As far from direct sums as that, no other family and no other accuracy parameter comes near them.
  constexpr double hopeless = 2;
  double fastest = never;
  for (const auto& family : families) {
    if (candidates.size() >= 2 && fastest > hopeless * direct_) break;
    if (!candidates.empty() && !has_time()) break;
    candidates.push_back({.parameter = ParameterSearch(family, accuracy_)});
    step(candidates.back());
    fastest = std::min(fastest, expected(candidates.back().last));
  }
  std::ranges::stable_sort(candidates, {}, [&](const Candidate& c) { return expected(c.last); });
  return candidates;
}

/// Accurate settings are searched for without a time limit, faster ones while there is time.
void TreeSearch::refine(Candidate& c) {
  while (!c.close && !c.parameter.ended() && c.evaluations < most_trials_of_a_parameter && may_win(c) &&
         (!best_ || has_time()))
    step(c);
}

bool TreeSearch::may_turn(const TreeSettings& s) const {
  return request_.accuracy > 0 &&
         !(s.mac == Mac::error ? request_.tolerance.has_value() : request_.theta.has_value());
}

/// The best with its accuracy parameter loosened while there is accuracy left: other leaves have other
/// errors, and those of few bodies do not follow a power of the accuracy parameter.
void TreeSearch::loosen() {
  constexpr int most = 3;
  for (int k = 0; k < most && best_->errors.p99_high < used(best_->seconds) * accuracy_ && has_time(); ++k) {
    const auto before = *best_->tree();
    const auto s = loosened(before);
    if (!may_turn(s) || s == before) return;
    measure(s, turns());
    if (*best_->tree() == before) return;
  }
}

/// Follows the values up from the best, or else down, as long as it becomes faster.
void TreeSearch::climb(std::span<const int> values, int TreeSettings::*number) {
  for (const bool up : {true, false}) {
    bool moved = false;
    while (has_time()) {
      auto s = *best_->tree();
      const auto above = std::ranges::upper_bound(values, s.*number);
      const auto from = std::ranges::lower_bound(values, s.*number);
      if (up ? above == values.end() : from == values.begin()) break;
      const double before = best_->seconds;
      s.*number = up ? *above : *(from - 1);
      const Measurement t = measure(s, turns());
      // Rougher and faster: perhaps still faster once it is accurate.
      if (!t.meets && may_turn(s) && expected(t) < before && std::isfinite(t.errors.p99_high) && has_time()) {
        ParameterSearch again(s, accuracy_);
        again.found(t.errors.p99_high);
        measure(again.settings());
      }
      if (!(best_->seconds < 0.97 * before)) break;
      moved = true;
    }
    if (moved) return;
  }
}

/// The fastest few again, in turns: a single evaluation is a matter of luck.
void TreeSearch::decide() {
  constexpr std::size_t few = 4;
  // Seconds, and turns: short evaluations are disturbed more, and cost little.
  constexpr double enough_time = 0.4;
  constexpr int most_turns = 8;
  std::vector<Measurement> finalists;
  for (const auto& t : tried_)
    if (t.meets && t.tree() != nullptr && t.seconds < doubt * best_->seconds) finalists.push_back(t);
  std::ranges::stable_sort(finalists, {}, &Measurement::seconds);
  // Settings that were measured twice are in the list twice.
  for (auto t = finalists.begin(); t != finalists.end(); ++t)
    finalists.erase(
        std::remove_if(t + 1, finalists.end(), [&](const Measurement& o) { return o.method == t->method; }),
        finalists.end());
  if (finalists.size() > few) finalists.resize(few);
  if (finalists.size() < 2) return;
  double spent = 0;
  for (int turn = 0; turn < most_turns && (turn == 0 || spent < enough_time) && has_time(); ++turn)
    for (const auto& t : finalists)
      if (has_time()) spent += 2 * measure(*t.tree(), 2).seconds;
}

std::optional<Measurement> TreeSearch::run(std::span<const TreeSettings> families, Search search) {
  if (request_.accuracy == 0 || search == Search::guess) families = families.first(1);
  auto candidates = scan(families);
  if (request_.accuracy == 0) {
    // A solver by name: its likeliest family, tightened until it meets the accuracy, or as far as possible.
    auto& c = candidates.front();
    while (!c.last.meets && !c.parameter.ended() && c.evaluations < most_trials_of_a_parameter) step(c);
    if (!best_) best_ = c.last;
    return best_;
  }
  if (search == Search::guess) {
    if (auto& c = candidates.front(); !c.close && !c.parameter.ended()) step(c);
    return best_;
  }
  for (auto& c : candidates) refine(c);
  if (!best_) return best_;
  if (best_->seconds > doubt * direct_) return best_;
  if (!request_.leaf_size) climb(leaves_of(*best_->tree()), &TreeSettings::leaf_size);
  if (!request_.group) climb(groups_of(*best_->tree()), &TreeSettings::group);
  loosen();
  decide();
  return best_;
}

}  // namespace pleiad::tune
