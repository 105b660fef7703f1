#include "control/block_forecast.hpp"

#include "cpu/pair_clocks.hpp"
#include "ranks/gather.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace pleiad::control {

double EvaluationTime::of(double n) const {
  return std::min(std::max(least, n * (body + pair * n)), std::max(tree_least, n * tree_body));
}

EvaluationTime evaluation_time(const ForceMethod& method) {
  const bool tree = method.tree.has_value();
  // One H200: no evaluation is shorter than its launches, and those of a tree wait for one another.
  if (place_of(method) == Device::cuda)
    return tree ? EvaluationTime{.least = 10, .pair = 6e-7, .tree_least = 800, .tree_body = 1.2e-3}
                : EvaluationTime{.least = 10, .pair = 6e-7};
  // A core of an AMD EPYC with AVX2, in double precision.
  return tree ? EvaluationTime{.least = 2, .body = 0.05, .pair = 6.6e-4, .tree_least = 2, .tree_body = 2.7}
              : EvaluationTime{.least = 2, .body = 0.05, .pair = 6.6e-4};
}

int WantedSteps::place_of(double step) {
  const double place = std::floor(per_octave * (std::log2(step) + octaves / 2));
  return int(std::clamp(place, 0.0, double(per_octave * octaves)));
}

void WantedSteps::add(double step) {
  // Nothing limits the steps of a body far from all others: it has the longest one.
  const int last = int(counts_.size()) - 1;
  ++counts_[std::size_t(step > 0 ? std::min(place_of(step), last) : 0)];
}

void WantedSteps::sum(ranks::Communicator& ranks) { ranks.sum(counts_); }

double WantedSteps::scale(double eta) const { return std::pow(eta, 1.0 / power_); }
double WantedSteps::eta(double scale) const { return std::pow(scale, power_); }

double WantedSteps::bodies() const {
  return double(std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
}

double WantedSteps::below(double step) const {
  // A boundary of two places is itself a place of its own, whatever its rounding.
  const auto end = counts_.begin() + place_of(step * (1 + 1e-9));
  return double(std::accumulate(counts_.begin(), end, std::uint64_t{0}));
}

double WantedSteps::longest() const {
  for (std::size_t k = counts_.size() - 1; k-- > 0;)
    if (counts_[k] > 0) return std::exp2(double(k + 1) / per_octave - octaves / 2);
  return 0;
}

namespace {

/// sqrt(2 eps / |a|) of each body.
WantedSteps wanted_by_acceleration(Simulation& simulation, ranks::Communicator& ranks) {
  const auto& softening = simulation.gravity().softening;
  const auto now = simulation.snapshot_with_fields();
  const auto& b = now.bodies;
  const bool massive = !ranks::all(ranks, std::ranges::none_of(b.mass, [](double m) { return m > 0; }));
  WantedSteps wanted(2);
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!(b.mass[i] > 0) && massive) continue;
    const double eps = b.softening.empty() ? softening.eps : b.softening[i];
    wanted.add(std::sqrt(2 * eps / norm(Vec3<double>{now.ax[i], now.ay[i], now.az[i]})));
  }
  wanted.sum(ranks);
  return wanted;
}

/// The time in which a body and another one would fall together or pass each other. Every rank looks at all.
WantedSteps wanted_by_pairs(Simulation& simulation, ranks::Communicator& ranks) {
  const auto& gravity = simulation.gravity();
  const auto all = ranks::bodies_of_all(ranks, simulation.snapshot().bodies);
  const bool massive = std::ranges::any_of(all.mass, [](double m) { return m > 0; });
  WantedSteps wanted(1);
  std::vector<cpu::PairMember> members(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) members[i] = {all.position(i), all.velocity(i), all.mass[i]};
  std::vector<std::uint32_t> partners(all.size());
  cpu::find_partners(members, 0, gravity, massive, partners);
  constexpr double small = 0x1p-7;  // where the change of a step within itself is small
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!(all.mass[i] > 0) && massive) continue;
    wanted.add(partners[i] == cpu::no_partner
                   ? std::numeric_limits<double>::infinity()
                   : 1 / (small * cpu::rate_of_pair(members[i], members[partners[i]], gravity, small)));
  }
  return wanted;
}

}  // namespace

WantedSteps wanted_steps(Simulation& simulation, const BlockSteps& blocks, ranks::Communicator& ranks) {
  return blocks.by_pairs(simulation.gravity().softening.eps) ? wanted_by_pairs(simulation, ranks)
                                                             : wanted_by_acceleration(simulation, ranks);
}

std::string BlockForecast::text() const {
  return fmt::format("blocks of {} level{}, forecast {:.2g} times cheaper than shared steps", levels,
                     levels == 1 ? "" : "s", gain());
}

BlockForecast block_forecast(const WantedSteps& wanted, double dt, double eta, const BlockSteps& blocks,
                             const EvaluationTime& time) {
  const double scale = wanted.scale(eta), all = wanted.bodies();
  BlockForecast f;
  double set = all, steps = 1, found_anew = 0;
  for (int level = 0;; ++level, steps *= 2) {
    const double finer = level + 1 < blocks.levels ? std::min(set, wanted.below(dt / steps / scale)) : 0;
    // Where a part costs as much as all, all go: see BlockState::most_split.
    if (finer > 0 && (blocks.single_step || 3 * time.of(finer) > time.of(set))) continue;
    f.work += (steps + found_anew) * time.of(set), ++f.levels;
    if (!(finer > 0)) break;
    found_anew = steps, set = finer;
  }
  f.work /= time.of(all), f.shared = steps;
  return f;
}

double cheapest_dt(const WantedSteps& wanted, double most, double eta, const BlockSteps& blocks,
                   const EvaluationTime& time) {
  const double longest = std::min(most, wanted.longest() > 0 ? wanted.scale(eta) * wanted.longest() : most);
  double best = longest, least = std::numeric_limits<double>::infinity();
  // Levels are an octave apart: beyond some octaves below the longest step nothing is new.
  constexpr int octaves = 6, per_octave = 8;
  for (int k = 0; k < octaves * per_octave; ++k) {
    const double dt = longest * std::exp2(-double(k) / per_octave);
    if (const double work = block_forecast(wanted, dt, eta, blocks, time).work / dt; work < least)
      least = work, best = dt;
  }
  return best;
}

}  // namespace pleiad::control
