#include "integrate/block_neighbours.hpp"

#include "core/threads.hpp"
#include "integrate/individual.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pleiad {
namespace {

/// The largest and the smallest radius, whose squares are numbers. All others are neighbours within the
/// largest one.
constexpr double everywhere = 1e150, nowhere = 1e-150;

/// The first regular steps, over the first steps.
constexpr double first_regular = 4;

}  // namespace

BlockNeighbours::BlockNeighbours(DoubleState& state, BlockBodies& all, double eta)
    : state_(state),
      all_(all),
      eta_(eta),
      wanted_(wanted_neighbours(all.paths.pulling)),
      lists_(all.paths.bodies),
      regular_(all.paths.bodies),
      from_(all.paths.bodies, 0),
      steps_(all.paths.bodies, 0),
      levels_(all.paths.bodies, 0),
      everyone_(all.paths.bodies) {
  const auto& p = all.paths;
  reach_.radius.assign(p.bodies, 0), reach_.ahead.assign(p.bodies, 0);
  reach_.weight.assign(BodyPaths::padded(p.bodies), 1);
  // Of pulls that change as fast, heavy bodies are farther away.
  double mean = 0;
  for (std::size_t k = 0; k < p.pulling; ++k) mean += p.mass[k] / double(p.pulling);
  for (std::size_t k = 0; k < p.pulling; ++k)
    if (p.mass[k] > mean) reach_.weight[k] = std::pow(p.mass[k] / mean, 2.0 / 3);
  std::iota(everyone_.begin(), everyone_.end(), 0U);
}

void BlockNeighbours::restore(std::span<const Kept> kept) {
  for (std::size_t k = 0; k < kept.size(); ++k) {
    regular_[k] = kept[k].regular;
    steps_[k] = reach_.ahead[k] = kept[k].step, reach_.radius[k] = kept[k].radius;
  }
  find_lists();
  sum_irregular();
}

BlockNeighbours::Kept BlockNeighbours::kept(std::size_t k) const {
  return {regular_[k], steps_[k], reach_.radius[k]};
}

/// From some of the others, in their order: as many are within it as are wanted.
void BlockNeighbours::choose_radius(std::size_t k) {
  constexpr std::size_t sample = 1024;
  const auto& p = all_.paths;
  if (p.pulling <= wanted_ + 1) {
    reach_.radius[k] = everywhere;
    return;
  }
  const std::size_t stride = std::max<std::size_t>(1, p.pulling / sample);
  std::vector<double> r2;
  for (std::size_t i = 0; i < p.pulling; i += stride) {
    const auto d = BodyPaths::at(p.x, i) - BodyPaths::at(p.x, k);
    if (i != k) r2.push_back(dot(d, d) / reach_.weight[i]);
  }
  const auto at = r2.begin() + std::ptrdiff_t(std::min(wanted_ / stride, r2.size() - 1));
  std::ranges::nth_element(r2, at);
  reach_.radius[k] = std::clamp(std::sqrt(*at), nowhere, everywhere);
}

void BlockNeighbours::adapt_radius(std::size_t k) {
  const std::size_t now = lists_[k].size(), others = all_.paths.pulling - (k < all_.paths.pulling ? 1 : 0);
  if (wanted_ >= others || now == wanted_ || (now == others && now < wanted_)) return;
  const double factor = std::cbrt(double(wanted_) / double(std::max<std::size_t>(now, 1)));
  reach_.radius[k] = std::clamp(reach_.radius[k] * std::clamp(factor, 0.8, 1.25), nowhere, everywhere);
}

std::span<NeighbourList* const> BlockNeighbours::lists_of(std::span<const std::uint32_t> chosen) {
  chosen_lists_.resize(chosen.size());
  for (std::size_t t = 0; t < chosen.size(); ++t) chosen_lists_[t] = &lists_[chosen[t]];
  return chosen_lists_;
}

void BlockNeighbours::find_start(double time) {
  const std::size_t n = everyone_.size();
  for_each_index(
      n, [&](std::size_t k) { choose_radius(k); }, 64);
  for (std::size_t k = 0; k < n; ++k)
    steps_[k] = reach_.ahead[k] = std::min(first_regular * all_.steps[k], all_.paths.unit);
  for (auto* sums : {&regular_a_, &regular_j_, &moved_a_, &moved_j_}) sums->resize(n);
  state_.evaluate_regular(all_.paths, 0, time, everyone_, reach_, lists_of(everyone_),
                          {regular_a_, regular_j_}, {moved_a_, moved_j_});
  for (std::size_t k = 0; k < n; ++k) regular_[k] = {regular_a_[k].xyz(), regular_j_[k].xyz()};
  sum_irregular();
}

void BlockNeighbours::set_levels() {
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    levels_[k] = static_cast<std::int8_t>(all_.level_for(steps_[k], 0));
    steps_[k] = all_.length_of(levels_[k]);
    if (all_.levels[k] < levels_[k]) all_.give(k, levels_[k]);
  }
}

PullAt BlockNeighbours::predicted(std::size_t k, double now) const {
  const double t = (now - from_[k]) * all_.paths.unit;
  const auto& [a, j] = regular_[k];
  return {a + t * j, j};
}

void BlockNeighbours::evaluate(std::span<const std::uint32_t> active, int least, double now, double time,
                               std::span<Vec4<double>> a, std::span<Vec4<double>> j) {
  ending_.clear(), among_active_.clear();
  for (std::size_t t = 0; t < active.size(); ++t)
    if (levels_[active[t]] >= least)
      ending_.push_back(active[t]), among_active_.push_back(static_cast<std::uint32_t>(t));
  const bool any = !ending_.empty();
  // The irregular part goes first: its lists are those of the step that ends.
  state_.evaluate_neighbours(all_.paths, now, false, active, lists_of(active), {a, j});
  irregular_.resize(active.size());
  for (std::size_t t = 0; t < active.size(); ++t) {
    irregular_[t] = {a[t].xyz(), j[t].xyz()};
    const auto regular = predicted(active[t], now);
    const auto whole_a = irregular_[t].a + regular.a, whole_j = irregular_[t].j + regular.j;
    a[t] = {whole_a.x, whole_a.y, whole_a.z, 0}, j[t] = {whole_j.x, whole_j.y, whole_j.z, 0};
  }
  if (!any) return;
  for (auto* sums : {&regular_a_, &regular_j_, &moved_a_, &moved_j_}) sums->resize(ending_.size());
  state_.evaluate_regular(all_.paths, now, time, ending_, reach_, lists_of(ending_), {regular_a_, regular_j_},
                          {moved_a_, moved_j_});
}

/// One of the bodies that end a regular step.
void BlockNeighbours::correct(std::size_t r, std::uint64_t end) {
  const std::size_t k = ending_[r];
  const double now = double(end) / double(BlockBodies::ticks), h = (now - from_[k]) * all_.paths.unit;
  const PullAt after{regular_a_[r].xyz(), regular_j_[r].xyz()}, moved{moved_a_[r].xyz(), moved_j_[r].xyz()};
  // By the neighbours of the step that ends.
  const PullAt as_before{after.a + moved.a, after.j + moved.j}, as_predicted = predicted(k, now);
  const auto da = as_before.a - as_predicted.a, dj = as_before.j - as_predicted.j;
  const auto dv = h / 2 * da - h * h / 12 * dj;
  all_.add(k, h / 2 * dv - h * h / 12 * da, dv);
  const double wanted = aarseth_step(eta_, as_before, higher_at_end(h, regular_[k], as_before));
  const auto& irregular = irregular_[among_active_[r]];
  regular_[k] = after;
  BodyPaths::set(all_.paths.a, k, irregular.a + moved.a + after.a);
  BodyPaths::set(all_.paths.j, k, irregular.j + moved.j + after.j);
  int level = levels_[k];
  if (level > 0 && wanted >= 2 * all_.length_of(level) && end % (BlockBodies::ticks >> (level - 1)) == 0)
    --level;
  level = all_.level_for(wanted, level);
  levels_[k] = static_cast<std::int8_t>(level), from_[k] = now;
  steps_[k] = reach_.ahead[k] = all_.length_of(level);
  adapt_radius(k);
}

void BlockNeighbours::end_regular_steps(std::uint64_t now) {
  for_each_index(
      ending_.size(), [&](std::size_t r) { correct(r, now); }, 512);
  for (const auto k : ending_)
    if (all_.levels[k] < levels_[k]) all_.give(k, levels_[k]);
}

/// Where all bodies are at one time, with what has moved.
void BlockNeighbours::find_lists() {
  auto& p = all_.paths;
  p.x_now = p.x, p.v_now = p.v;
  moved_a_.resize(everyone_.size()), moved_j_.resize(everyone_.size());
  state_.find_neighbours(p, everyone_, reach_, lists_of(everyone_), {moved_a_, moved_j_});
}

/// Irregular parts of all bodies where they are predicted, at the beginning of a step dt.
void BlockNeighbours::sum_irregular() {
  auto& p = all_.paths;
  std::vector<Vec4<double>> a(everyone_.size()), j(everyone_.size());
  state_.evaluate_neighbours(p, 0, true, everyone_, lists_of(everyone_), {a, j});
  for (const std::size_t k : everyone_) {
    BodyPaths::set(p.a, k, a[k].xyz() + regular_[k].a);
    BodyPaths::set(p.j, k, j[k].xyz() + regular_[k].j);
  }
}

void BlockNeighbours::end_step() {
  find_lists();
  for (const std::size_t k : everyone_)
    regular_[k].a -= moved_a_[k].xyz(), regular_[k].j -= moved_j_[k].xyz();
  sum_irregular();
  std::ranges::fill(from_, 0.0);
}

}  // namespace pleiad
