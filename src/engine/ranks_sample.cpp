/// Neighbours along a curve, or a line, are found where a sort by its keys brings them: each rank has a range
/// of it, and a few bodies before and behind.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks_sample.hpp"

#include "core/room.hpp"
#include "core/threads.hpp"
#include "domain/cuts.hpp"
#include "domain/release.hpp"
#include "engine/device.hpp"
#include "engine/places.hpp"
#include "engine/rounding.hpp"
#include "engine/sampling.hpp"
#include "engine/softenings.hpp"
#include "ranks/agree.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace pleiad {
namespace {

using namespace sampling;

/// A body on its way to another rank, with its number among all.
struct Traveller {
  double x, y, z, mass;
  std::uint64_t number;
};

/// Received bodies; their velocities are not needed.
struct Arrived {
  Bodies bodies;
  Indices numbers;
  /// Converts these, with capacity for `more`.
  Arrived(std::span<const Traveller> some, std::size_t more) {
    const auto n = some.size();
    for (auto* each : {&bodies.x, &bodies.y, &bodies.z, &bodies.mass})
      resize_at_once(*each, n + more), each->resize(n);
    resize_at_once(numbers, n + more), numbers.resize(n);
    for_each_index(n, [&](std::size_t i) {
      const auto& t = some[i];
      auto& b = bodies;
      b.x[i] = t.x, b.y[i] = t.y, b.z[i] = t.z, b.mass[i] = t.mass;
      numbers[i] = std::uint32_t(t.number);
    });
  }
  Arrived() = default;
  void add(const Traveller& t) {
    auto& b = bodies;
    b.x.push_back(t.x), b.y.push_back(t.y), b.z.push_back(t.z), b.mass.push_back(t.mass);
    numbers.push_back(std::uint32_t(t.number));
  }
  Traveller at(std::uint32_t i) const {
    const auto& b = bodies;
    return {b.x[i], b.y[i], b.z[i], b.mass[i], numbers[i]};
  }
};

/// A close body, wherever it is.
struct FoundClose {
  Traveller body;
  double separation;
};

Sides collective_box(ranks::Communicator& comm, const Bodies& own) {
  auto box = box_of(own);
  std::array<double, 6> most{-box[0].low, -box[1].low, -box[2].low, box[0].high, box[1].high, box[2].high};
  comm.max(most);
  for (std::size_t a = 0; a < 3; ++a) box[a].low = -most[a], box[a].high = most[3 + a];
  return box;
}

class ClosestTogether {
 public:
  ClosestTogether(const ranks::Collective& all, const Bodies& own, std::size_t most)
      : all_(all), own_(own), most_(most) {}

  std::vector<FoundClose> find(const Sides& box) {
    const auto order = numbers_to(own_.size());
    // Where all are in one place the curve has their order.
    const bool grid = has_grid(box);
    auto along_curve = grid ? keys_along_curve(own_, order, box) : std::vector<std::uint64_t>(order.size());
    if (!grid)
      for (std::size_t i = 0; i < order.size(); ++i) along_curve[i] = all_.first() + i;
    search(std::move(along_curve), reach_on_curve, [&](const Bodies& here, auto&& keys, Indices& sorted) {
      if (grid) sort_within_keys(here, keys, sorted, all_.bodies(own_.size()));
    });
    search(keys_along_line(own_), reach_on_line, [](const Bodies&, auto&&, Indices&) {});
    return closest();
  }

 private:
  /// Sorts the bodies of all ranks by these keys of own ones, and searches along that order.
  template <class Refine>
  void search(std::vector<std::uint64_t> keys, std::size_t reach, const Refine& refine) {
    auto& comm = all_.comm();
    auto here = route(std::move(keys));
    auto sorted = numbers_to(here.numbers.size());
    sort_by(arrived_keys_, sorted);
    refine(here.bodies, std::span<const std::uint64_t>(arrived_keys_), sorted);
    // The first and the last few of each rank, so that each has those before and behind its own.
    std::vector<Traveller> first, last;
    const auto few = std::min(reach, sorted.size());
    for (std::size_t k = 0; k < few; ++k)
      first.push_back(here.at(sorted[k])), last.push_back(here.at(sorted[sorted.size() - few + k]));
    const auto firsts = ranks::all_gather<Traveller>(comm, first),
               lasts = ranks::all_gather<Traveller>(comm, last);
    const auto rank = std::size_t(comm.rank());
    const auto before = std::span(lasts.data).first(lasts.begins[rank]),
               behind = std::span(firsts.data).subspan(firsts.begins[rank + 1]);
    Indices order;
    const auto add = [&](std::span<const Traveller> some) {
      for (const auto& body : some) order.push_back(std::uint32_t(here.numbers.size())), here.add(body);
    };
    add(before.last(std::min(reach, before.size())));
    const auto begin = order.size();
    order.insert(order.end(), sorted.begin(), sorted.end());
    const auto end = order.size();
    add(behind.first(std::min(reach, behind.size())));
    Closest found(here.bodies, most_, here.numbers);
    search_along(here.bodies, order, begin, end, reach, most_, found, here.numbers);
    for (const auto& close : found.take()) found_.push_back({here.at(close.body), close.separation});
  }

  /// The bodies whose keys are of this rank's part, in the order of their numbers where keys are equal.
  Arrived route(std::vector<std::uint64_t> keys) {
    auto& comm = all_.comm();
    auto order = numbers_to(keys.size());
    sort_by(keys, order);
    const auto below = [&](std::span<const std::uint64_t> bounds) {
      return domain::count_below(keys, {}, bounds);
    };
    const auto cuts = domain::find_cuts(comm, {keys.size(), keys.size()}, below, most_in_one_place);
    std::vector<std::size_t> begins;
    for (const auto& count : below(cuts.keys)) begins.push_back(count.bodies);
    std::vector<Traveller> leaving;
    resize_at_once(leaving, order.size());
    for_each_index(order.size(), [&](std::size_t k) {
      const auto i = order[k];
      leaving[k] = {own_.x[i], own_.y[i], own_.z[i], own_.mass[i], all_.first() + i};
    });
    arrived_keys_ = ranks::all_to_all<std::uint64_t>(comm, keys, begins).data;
    const auto came = ranks::all_to_all<Traveller>(comm, leaving, begins).data;
    domain::release(leaving);
    return {came, 2 * reach_on_curve};
  }

  /// The closest pairs that all ranks have found along both.
  std::vector<FoundClose> closest() const {
    auto found = ranks::all_gather<FoundClose>(all_.comm(), found_).data;
    std::ranges::sort(found, [](const FoundClose& a, const FoundClose& b) {
      return std::tie(a.body.number, a.separation) < std::tie(b.body.number, b.separation);
    });
    const auto again = std::ranges::unique(found, {}, [](const FoundClose& f) { return f.body.number; });
    found.erase(again.begin(), again.end());
    Arrived bodies;
    for (const auto& each : found) bodies.add(each.body);
    Closest closest(bodies.bodies, most_, bodies.numbers);
    for (std::size_t k = 0; k < found.size(); ++k) closest.add(found[k].separation, std::uint32_t(k));
    std::vector<FoundClose> first;
    for (const auto& close : closest.take()) first.push_back(found[close.body]);
    return first;
  }

  static constexpr std::uint64_t most_in_one_place = 64;  ///< resolution of the cuts
  const ranks::Collective& all_;
  const Bodies& own_;
  std::size_t most_;
  std::vector<std::uint64_t> arrived_keys_;
  std::vector<FoundClose> found_;
};

/// A body that the sample may be drawn from.
struct Candidate {
  Traveller body;
  std::uint64_t type;
};

/// About `some` bodies on rank 0, nothing on others, in the order of their numbers. See sampling::thinned; if
/// hashes distinguish few bodies, they are taken at equal distances.
std::vector<Candidate> candidates(const ranks::Collective& all, const Bodies& own, std::size_t some) {
  auto& comm = all.comm();
  const std::size_t n = all.bodies(own.size());
  Indices kept;
  const auto keep = [&](const auto& wanted) {
    kept = joined_blocks<std::uint32_t>(own.size(), [&](std::size_t begin, std::size_t end, Indices& here) {
      for (std::size_t i = begin; i < end; ++i)
        if (wanted(i)) here.push_back(std::uint32_t(i));
    });
  };
  if (n <= 2 * some) {
    keep([](std::size_t) { return true; });
  } else {
    keep([&, limit = hash_limit(some, n)](std::size_t i) { return hash_of(own, i) < limit; });
    if (!about(ranks::sum(comm, kept.size()), some))
      keep([&, every = n / some](std::size_t i) { return (all.first() + i) % every == 0; });
  }
  std::vector<Candidate> leaving;
  for (const auto i : kept)
    leaving.push_back({{own.x[i], own.y[i], own.z[i], own.mass[i], all.first() + i},
                       i < own.type.size() ? std::uint64_t(own.type[i]) : 0});
  return ranks::gather_to_root<Candidate>(comm, leaving).data;
}

/// Draws the bodies of the sample on rank 0, in addition to the closest.
void draw_on_first(const ranks::Collective& all, std::vector<Candidate> from, std::size_t n, std::size_t most,
                   Sample& sample) {
  auto& comm = all.comm();
  const auto known = sample.bodies.size();
  std::vector<std::uint64_t> bodies;
  std::vector<double> weights;
  if (comm.rank() == 0) {
    Arrived here;
    for (const auto& each : from) here.add(each.body), here.bodies.type.push_back(Type(each.type));
    const auto count = from.size();
    domain::release(from);
    std::vector<bool> taken(count);
    for (const auto body : sample.bodies) {
      const auto place = std::ranges::lower_bound(here.numbers, body);
      if (place != here.numbers.end() && *place == body)
        taken[std::size_t(place - here.numbers.begin())] = true;
    }
    Sample drawn{.weights = sample.weights, .closest = sample.closest};
    drawn.bodies.resize(known);
    draw_rest(here.bodies, numbers_to(count), taken, n, most, drawn);
    for (std::size_t k = known; k < drawn.bodies.size(); ++k) bodies.push_back(here.numbers[drawn.bodies[k]]);
    weights = drawn.weights;
  }
  for (const auto body : ranks::all_gather<std::uint64_t>(comm, bodies).data) sample.bodies.push_back(body);
  sample.weights = ranks::all_gather<double>(comm, weights).data;
}

}  // namespace

Sample collective_sample(const ranks::Collective& all, const Bodies& own, std::size_t most) {
  if (all.comm().ranks() == 1) return sample_of(own, most);
  const std::size_t n = all.bodies(own.size());
  const auto box = collective_box(all.comm(), own);
  const auto closest = ClosestTogether(all, own, std::min({most_closest, n, most / 2})).find(box);
  const double mass = all.blocked_sum<double>(own.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += own.mass[i];
    return sum;
  });
  Sample sample{.weights = std::vector<double>(closest.size(), 1.0),
                .closest = closest.size(),
                .separation = closest.empty() ? Side().low : closest.front().separation,
                .widest = closest.empty() ? Side().low : closest.back().separation,
                .acceleration = typical_acceleration(mass, box),
                .mass = mass};
  for (const auto& c : closest) sample.bodies.push_back(c.body.number);
  draw_on_first(all, candidates(all, own, n <= most ? n : looked_at * most), n, most, sample);
  return sample;
}

std::vector<Vec3<double>> exact_on(Device where, ranks::Communicator& ranks, const Bodies& own,
                                   const Gravity& gravity, std::span<const std::size_t> chosen) {
  const bool plain = softening_of(own, gravity.softening, ranks).plain();
  const auto& space = gravity.boundary;
  const bool known = !space.periodic || (space.all_images() && ranks.ranks() == 1);
  const bool on_gpu = where == Device::cuda && known && plain;
  if (on_gpu) return exact_on_device(ranks, own, gravity, chosen);
  return collective_exact_of({ranks, own.size()}, own, gravity, chosen);
}

std::vector<Vec3<double>> of_chosen(const ranks::Collective& all, std::size_t own,
                                    std::span<const std::size_t> chosen,
                                    const std::function<Vec3<double>(std::size_t)>& of) {
  return of_chosen_at_once(all, own, chosen, [&](std::span<const std::size_t> some) {
    std::vector<Vec3<double>> vectors;
    for (const auto i : some) vectors.push_back(of(i));
    return vectors;
  });
}

std::vector<Vec3<double>> of_chosen_at_once(const ranks::Collective& all, std::size_t own,
                                            std::span<const std::size_t> chosen, const OfSome& of) {
  struct Found {
    std::uint64_t place;
    Vec3<double> vector;
  };
  std::vector<std::size_t> mine;
  std::vector<Found> here;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (const auto i = chosen[k] - all.first(); chosen[k] >= all.first() && i < own)
      mine.push_back(i), here.push_back({k, {}});
  for (auto place = here.begin(); const auto& vector : of(mine)) place++->vector = vector;
  std::vector<Vec3<double>> vectors(chosen.size());
  for (const auto& each : ranks::all_gather<Found>(all.comm(), here).data) vectors[each.place] = each.vector;
  return vectors;
}

}  // namespace pleiad
