#include "core/radii.hpp"

#include "core/kept_members.hpp"
#include "core/threads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace pleiad {
namespace by_distance {
namespace {

Sums total(std::vector<Sums> blocks) { return tree_sum(std::move(blocks)); }

/// Search for the place where the cumulative weight, nearest first, reaches `wanted`.
struct Search {
  Interval interval;
  std::uint64_t wanted = 0;  ///< of the weights in the interval
  double expected = 0;       ///< number of bodies in it
  Place place;
  bool done = false;
};

/// Continues in the part in which the weight is reached.
void narrow(Search& s, std::span<const std::uint64_t> weights, unsigned bits, double bodies_per_weight,
            std::size_t bodies) {
  std::size_t part = 0;
  while (weights[part] < s.wanted) s.wanted -= weights[part++];
  auto& in = s.interval;
  in.size = in.size > bits ? in.size - bits : 0;
  in.low += static_cast<std::uint64_t>(part) << in.size;
  s.expected = double(weights[part]) * bodies_per_weight;
  if (in.size > 0) return;
  if (!in.by_number)
    in = {.low = 0,
          .size = static_cast<unsigned>(std::bit_width(bodies)),
          .by_number = true,
          .r2 = std::bit_cast<double>(in.low)};
  else s.place = {in.r2, in.low}, s.done = true;
}

void finish(Search& s, std::vector<Found>& all) {
  std::ranges::sort(all, [](const Found& a, const Found& b) { return is_before(a.place, b.place); });
  auto at = all.begin();
  while (at->weight < s.wanted) s.wanted -= (at++)->weight;
  s.place = at->place, s.done = true;
}

/// Returns the weights to be reached, each between 1 and the argument, the weight of all members, which is
/// not 0.
using Wanted = std::function<std::vector<std::uint64_t>(std::uint64_t)>;

/// Two passes are enough as a rule: one narrows the whole range down to the bodies that share a dozen bits,
/// another to those that share two dozen; those few are sorted. Nothing when all weights are 0.
std::vector<Place> reached(Passes& passes, const Question& question, const Wanted& wanted_of) {
  const std::size_t n = passes.bodies();
  const Interval all;
  std::vector<std::uint64_t> weights;
  std::vector<AllFound> found;
  std::uint64_t total = 0;
  constexpr unsigned bits_of_one = 12, bits_of_several = 10;
  if (n <= most_found) {
    found = passes.find(question, {&all, 1});
    for (const auto& each : found[0].bodies) total += each.weight;
  } else {
    weights = passes.weights(question, {&all, 1}, bits_of_one);
    for (const auto weight : weights) total += weight;
  }
  if (total == 0) return {};
  const double bodies_per_weight = double(n) / double(total);
  std::vector<Search> searches;
  for (const auto wanted : wanted_of(total)) {
    auto& s = searches.emplace_back(Search{.interval = all, .wanted = wanted, .place = {}});
    if (weights.empty()) finish(s, found[0].bodies);
    else narrow(s, weights, bits_of_one, bodies_per_weight, n);
  }
  for (;;) {
    std::vector<Search*> open;
    for (auto& s : searches)
      if (!s.done) open.push_back(&s);
    if (open.empty()) break;
    std::vector<Interval> intervals;
    for (const auto* s : open) intervals.push_back(s->interval);
    if (std::ranges::any_of(open, [](const Search* s) { return s->expected > most_found / 2.0; })) {
      const unsigned bits = open.size() == 1 ? bits_of_one : bits_of_several;
      weights = passes.weights(question, intervals, bits);
      for (std::size_t k = 0; k < open.size(); ++k)
        narrow(*open[k], std::span(weights).subspan(k << bits, std::size_t{1} << bits), bits,
               bodies_per_weight, n);
    } else {
      found = passes.find(question, intervals);
      for (std::size_t k = 0; k < open.size(); ++k)
        if (found[k].count > most_found) open[k]->expected = double(found[k].count);
        else finish(*open[k], found[k].bodies);
    }
  }
  std::vector<Place> places;
  for (const auto& s : searches) places.push_back(s.place);
  return places;
}

Vec3<double> centre_of(const Sums& s) { return s.mass > 0 ? s.moment * (1 / s.mass) : Vec3<double>{}; }

/// `all`: the sums of all bodies.
Vec3<double> density_centre(Passes& passes, const Sums& all) {
  Question question{.members = {}, .centre = centre_of(all), .weigh = {}};
  auto& members = question.members;
  const std::size_t least = std::max<std::size_t>(passes.bodies() / 10, 1);
  // At most three times: a sixteenth is less than a tenth.
  for (std::size_t count = passes.bodies(); count / 2 >= least && count > 8; count /= 2) {
    const auto edge =
        reached(passes, question, [&](std::uint64_t) { return std::vector<std::uint64_t>{count / 2}; });
    members.spheres[members.count++] = {question.centre, edge.front()};
    const auto inner = total(passes.sums(members));
    if (!(inner.mass > 0)) break;
    question.centre = centre_of(inner);
  }
  return question.centre;
}

std::vector<double> lagrangian_radii(Passes& passes, Vec3<double> centre, std::span<const double> fractions,
                                     const Sums& all) {
  Question question{.members = {}, .centre = centre, .weigh = {.by_mass = true}};
  if (all.mass > 0 && std::isfinite(all.mass))
    question.weigh.units = std::ldexp(1.0, std::min(61 - std::ilogb(all.mass), 1023));
  auto places = reached(passes, question, [&](std::uint64_t total) {
    std::vector<std::uint64_t> wanted;
    for (const double fraction : fractions) {
      const double part = std::ceil(fraction * double(total));
      wanted.push_back(part >= double(total) ? total : part >= 1 ? static_cast<std::uint64_t>(part) : 1);
    }
    return wanted;
  });
  if (places.empty()) {  // without mass: the nearest
    question.weigh = {};
    places = reached(passes, question,
                     [&](std::uint64_t) { return std::vector<std::uint64_t>(fractions.size(), 1); });
  }
  std::vector<double> radii(fractions.size());
  for (std::size_t k = 0; k < places.size(); ++k) radii[k] = std::sqrt(places[k].r2);
  return radii;
}

struct Arrays {
  const Bodies& b;
  std::size_t size() const { return b.size(); }
  Vec3<double> position(std::size_t i) const { return b.position(i); }
  double mass(std::size_t i) const { return b.mass[i]; }
};
template <class T>
struct Packed {
  std::span<const Mass<T>> b;
  std::size_t size() const { return b.size(); }
  Vec3<double> position(std::size_t i) const { return {double(b[i].x), double(b[i].y), double(b[i].z)}; }
  double mass(std::size_t i) const { return double(b[i].m); }
};

/// Passes on the host: each thread has parts of the bodies and sums of its own, which are joined.
template <class All>
class HostPasses final : public Passes {
 public:
  explicit HostPasses(All all) : HostPasses(all, 0, all.size()) {}
  /// Passes over these bodies, which are those from `offset` on of `bodies`.
  HostPasses(All all, std::uint64_t offset, std::size_t bodies)
      : all_(all), offset_(offset), bodies_(bodies), kept_(all_, offset) {}
  HostPasses(const HostPasses&) = delete;
  HostPasses& operator=(const HostPasses&) = delete;
  std::size_t bodies() const override { return bodies_; }

  std::vector<Sums> sums(const Members& members) override {
    kept_.ask(members, nullptr);
    std::vector<Sums> blocks(kept_.blocks());
    parallel_for(blocks.size(), [&](std::size_t b) {
      Sums lanes[Sums::lanes];
      kept_.each_of_block(
          b, [&](std::size_t i, double) { lanes[i % Sums::lanes].add(all_.mass(i), all_.position(i)); });
      for (unsigned half = Sums::lanes / 2; half > 0; half /= 2)
        for (unsigned lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
      blocks[b] = lanes[0];
    });
    return blocks;
  }

  std::vector<std::uint64_t> weights(const Question& question, std::span<const Interval> intervals,
                                     unsigned bits) override {
    std::vector<std::uint64_t> all(intervals.size() << bits);
    each_piece(question, [&](const auto& visit, std::mutex& joining) {
      std::vector<std::uint64_t> own(all.size());
      visit([&](std::size_t i, double r2) {
        for (std::size_t k = 0; k < intervals.size(); ++k)
          if (const auto part = part_of(intervals[k], bits, {r2, offset_ + i}); part != in_no_part)
            own[(k << bits) + part] += question.weigh(all_.mass(i));
      });
      const std::scoped_lock lock(joining);
      for (std::size_t k = 0; k < own.size(); ++k) all[k] += own[k];
    });
    return all;
  }

  std::vector<AllFound> find(const Question& question, std::span<const Interval> intervals) override {
    std::vector<AllFound> all(intervals.size());
    each_piece(question, [&](const auto& visit, std::mutex& joining) {
      std::vector<AllFound> own(intervals.size());
      visit([&](std::size_t i, double r2) {
        const Place place{r2, offset_ + i};
        for (std::size_t k = 0; k < intervals.size(); ++k)
          if (part_of(intervals[k], 0, place) == 0 && own[k].count++ < most_found)
            own[k].bodies.push_back({place, question.weigh(all_.mass(i))});
      });
      const std::scoped_lock lock(joining);
      for (std::size_t k = 0; k < intervals.size(); ++k) {
        all[k].count += own[k].count;
        all[k].bodies.insert(all[k].bodies.end(), own[k].bodies.begin(), own[k].bodies.end());
      }
    });
    for (auto& each : all)
      if (each.count > most_found) each.bodies.clear();
    return all;
  }

 private:
  /// Calls work(visit, mutex) for each piece of the blocks; visit(f) calls f(i, r2) for all members in it.
  template <class Work>
  void each_piece(const Question& question, const Work& work) {
    kept_.ask(question.members, &question.centre);
    const std::size_t n = kept_.blocks();
    const auto most = 4 * static_cast<std::size_t>(threads());
    const std::size_t pieces = std::clamp<std::size_t>(n / 4, 1, most);
    std::mutex joining;
    parallel_for(pieces, [&](std::size_t piece) {
      const auto visit = [&](const auto& each) {
        for (std::size_t b = n * piece / pieces; b < n * (piece + 1) / pieces; ++b)
          kept_.each_of_block(b, each);
      };
      work(visit, joining);
    });
  }

  All all_;
  std::uint64_t offset_;
  std::size_t bodies_;
  KeptMembers<All> kept_;
};

}  // namespace

template <class T>
std::unique_ptr<Passes> passes_over(std::span<const Mass<T>> part, std::size_t first, std::size_t bodies) {
  return std::make_unique<HostPasses<Packed<T>>>(Packed<T>{part}, first, bodies);
}
template std::unique_ptr<Passes> passes_over(std::span<const Mass<float>>, std::size_t, std::size_t);
template std::unique_ptr<Passes> passes_over(std::span<const Mass<double>>, std::size_t, std::size_t);

}  // namespace by_distance

Radii radii_of(by_distance::Passes& passes) {
  const auto all = by_distance::total(passes.sums({}));
  Radii radii{.centre = by_distance::density_centre(passes, all)};
  const auto lagrangian = by_distance::lagrangian_radii(passes, radii.centre, lagrangian_fractions, all);
  std::ranges::copy(lagrangian, radii.lagrangian.begin());
  return radii;
}

Radii radii_of(std::span<const Mass<float>> bodies) {
  by_distance::HostPasses<by_distance::Packed<float>> passes({bodies});
  return radii_of(passes);
}
Radii radii_of(std::span<const Mass<double>> bodies) {
  by_distance::HostPasses<by_distance::Packed<double>> passes({bodies});
  return radii_of(passes);
}
Radii radii_of(const Bodies& bodies) {
  by_distance::HostPasses<by_distance::Arrays> passes({bodies});
  return radii_of(passes);
}

std::vector<double> lagrangian_radii(const Bodies& bodies, Vec3<double> centre,
                                     std::span<const double> fractions) {
  by_distance::HostPasses<by_distance::Arrays> passes({bodies});
  return by_distance::lagrangian_radii(passes, centre, fractions, by_distance::total(passes.sums({})));
}
Vec3<double> density_centre(const Bodies& bodies) {
  by_distance::HostPasses<by_distance::Arrays> passes({bodies});
  return by_distance::density_centre(passes, by_distance::total(passes.sums({})));
}

}  // namespace pleiad
