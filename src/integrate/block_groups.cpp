#include "integrate/block_groups.hpp"

#include "core/threads.hpp"
#include "integrate/regularised.hpp"
#include "regular/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pleiad {
namespace {

/// Bodies and groups become one within this many sizes of the larger one.
constexpr double sizes_to_join = 3;
/// Parts are divided at this many times the distance at which they would join.
constexpr double hysteresis = 2;
/// The radius of a pair of mean mass, in half-mass radii over the number of bodies.
constexpr double radii_of_half_mass = 1;
/// So few bodies are one group, however far they are from each other.
constexpr std::size_t always_close = 3;

/// The distance from the centre of mass within which half of the mass is.
double half_mass_radius(const BlockBodies& all) {
  const auto& p = all.paths;
  Vec3<double> centre{};
  double mass = 0;
  for (std::size_t k = 0; k < p.pulling; ++k) centre += p.mass[k] * BodyPaths::at(p.x, k), mass += p.mass[k];
  centre *= 1 / mass;
  std::vector<std::pair<double, double>> by_distance;
  for (std::size_t k = 0; k < p.pulling; ++k)
    by_distance.emplace_back(norm(BodyPaths::at(p.x, k) - centre), p.mass[k]);
  std::ranges::sort(by_distance);
  double inside = 0;
  for (const auto& [r, m] : by_distance)
    if ((inside += m) >= mass / 2) return r;
  return 0;
}

}  // namespace

BlockGroups::BlockGroups(BlockBodies& all, const BlockSteps& blocks, double eta,
                         const std::optional<regular::PostNewtonian>& terms)
    : all_(all),
      eta_(eta),
      radius_(blocks.group_radius),
      motion_{.slow_down = blocks.slow_down, .terms = terms} {
  const std::size_t n = all.paths.pulling;
  at_.assign(n, nullptr), marked_.assign(n, 0);
  number_.resize(n), place_.resize(n);
  std::iota(number_.begin(), number_.end(), 0U), std::iota(place_.begin(), place_.end(), 0U);
  for (std::size_t k = 0; k < n; ++k)
    heaviest_ = std::max(heaviest_, all.paths.mass[k]), mean_ += all.paths.mass[k] / double(n);
}

void BlockGroups::choose_radius() {
  const auto n = double(number_.size());
  if (radius_ == 0 && number_.size() > always_close)
    radius_ = radii_of_half_mass * half_mass_radius(all_) / n;
  scale_ = radius_ > 0 ? radius_ / (2 * mean_) : std::numeric_limits<double>::infinity();
}

bool BlockGroups::restore(std::span<const Kept> kept) {
  const std::size_t n = kept.size();
  if (radius_ == 0 && n > 0) radius_ = kept[0][8];
  choose_radius();
  std::vector<std::vector<std::uint32_t>> numbers(n);
  bool sound = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double label = kept[i][7];
    if (label == 0) continue;
    if (!(label >= 1 && label <= double(i + 1) && label == std::floor(label))) return false;
    numbers[std::size_t(label) - 1].push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < n; ++i)
    sound = sound &&
            (numbers[i].empty() || (numbers[i].size() >= 2 && numbers[i].size() <= most_regularised_bodies &&
                                    numbers[i].front() == i));
  if (!sound) return false;
  for (const auto& of_group : numbers) {
    if (of_group.empty()) continue;
    std::vector<Member> members;
    for (const auto i : of_group) members.push_back(body(i));
    const auto first = of_group.front();
    put(first, of_group, std::move(members));
    auto& g = *group_at(first);
    g.size = kept[of_group[1]][0];
    std::vector<regular::Group::Chosen> chosen;
    for (std::size_t k = 1; k < of_group.size(); ++k)
      if (const auto& c = kept[of_group[k]]; c[3] > 0)
        chosen.push_back({{std::size_t(c[1]), std::size_t(c[2]), c[3]}, c[4], c[5]});
    g.begin(0, std::move(chosen));
    BodyPaths::set(all_.paths.a, first, {kept[first][0], kept[first][1], kept[first][2]});
    BodyPaths::set(all_.paths.j, first, {kept[first][3], kept[first][4], kept[first][5]});
    all_.steps[first] = kept[first][6];
    for (const auto i : of_group)
      if (i != first) take_away(i);
  }
  arrange();
  return true;
}

/// Sweeps along the first axis.
void BlockGroups::find() {
  auto& p = all_.paths;
  const std::size_t n = p.pulling;
  choose_radius();
  std::vector<std::uint32_t> order(n), root(n);
  std::iota(order.begin(), order.end(), 0U), std::iota(root.begin(), root.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return p.x[0][k]; });
  p.x_now = p.x, p.v_now = p.v;
  // Of groups of bodies that are close: each has its lowest number.
  const auto root_of = [&](std::uint32_t k) {
    while (root[k] != k) k = root[k];
    return k;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto a = order[i], b = order[j];
      if (p.x[0][b] - p.x[0][a] > 2 * scale_ * heaviest_) break;
      if (!close(a, b)) continue;
      const auto first = root_of(a), second = root_of(b);
      root[std::max(first, second)] = std::min(first, second);
    }
  std::vector<std::vector<std::uint32_t>> joined(n);
  for (std::uint32_t k = 0; k < n; ++k) joined[root_of(k)].push_back(k);
  for (const auto& places : joined)
    if (places.size() > 1 && places.size() <= most_regularised_bodies) join(places);
  for (auto& g : groups_) g->size = g->extent(limit_of(*g));
  made_.clear();
  arrange();
}

double BlockGroups::distance_for(std::size_t a, std::size_t b) const {
  const double size = std::max(at_[a] != nullptr ? at_[a]->size : 0, at_[b] != nullptr ? at_[b]->size : 0);
  return std::max(scale_ * (all_.paths.mass[a] + all_.paths.mass[b]), sizes_to_join * size);
}

bool BlockGroups::close(std::size_t a, std::size_t b) const {
  const auto& p = all_.paths;
  const auto d = BodyPaths::at(p.x_now, b) - BodyPaths::at(p.x_now, a);
  const double within = distance_for(a, b), r2 = dot(d, d);
  if (!(r2 < within * within)) return false;
  if (std::isinf(scale_)) return true;
  const auto u = BodyPaths::at(p.v_now, b) - BodyPaths::at(p.v_now, a);
  return dot(d, u) < 0 || dot(u, u) / 2 < (p.mass[a] + p.mass[b]) / std::sqrt(r2);
}

std::vector<std::uint32_t> BlockGroups::numbers_at(std::size_t place) const {
  if (const auto* g = group_at(place)) return g->numbers();
  return {number_[place]};
}

std::vector<CloseGroup::Member> BlockGroups::members_at(std::size_t place) const {
  const auto& p = all_.paths;
  const auto& l = all_.low[place];
  const Centre at{{{p.x[0][place], l[0]}, {p.x[1][place], l[1]}, {p.x[2][place], l[2]}},
                  {{p.v[0][place], l[3]}, {p.v[1][place], l[4]}, {p.v[2][place], l[5]}}};
  if (const auto* g = group_at(place)) return g->members_at(at);
  return {{p.mass[place], at.x, at.v}};
}

/// Makes a body of one or more of these numbers.
void BlockGroups::put(std::size_t place, std::vector<std::uint32_t> numbers, std::vector<Member> members) {
  auto& p = all_.paths;
  for (const auto i : numbers) place_[i] = static_cast<std::uint32_t>(place);
  number_[place] = numbers.front();
  at_[place] = nullptr;
  Centre centre{members[0].x, members[0].v};
  p.mass[place] = members[0].mass;
  if (numbers.size() > 1) {
    auto g = std::make_unique<CloseGroup>(std::move(numbers), std::move(members), motion_);
    g->place = static_cast<std::uint32_t>(place);
    centre = g->centre(), p.mass[place] = g->mass(), at_[place] = g.get();
    const auto after = std::ranges::find_if(
        groups_, [&](const auto& other) { return other->numbers().front() > g->numbers().front(); });
    groups_.insert(after, std::move(g));
  }
  const regular::DoubleSum x[] = {centre.x.x, centre.x.y, centre.x.z},
                           v[] = {centre.v.x, centre.v.y, centre.v.z};
  for (std::size_t c = 0; c < 3; ++c) {
    p.x[c][place] = p.x_now[c][place] = x[c].high, all_.low[place][c] = x[c].low;
    p.v[c][place] = p.v_now[c][place] = v[c].high, all_.low[place][3 + c] = v[c].low;
    p.a[c][place] = p.j[c][place] = 0;
  }
  changed_ = true;
}

/// Leaves a place without a body.
void BlockGroups::take_away(std::size_t place) {
  auto& p = all_.paths;
  if (const auto* g = group_at(place))
    std::erase_if(groups_, [&](const auto& other) { return other.get() == g; });
  at_[place] = nullptr, p.mass[place] = 0;
  for (auto* field : {&p.v, &p.a, &p.j}) BodyPaths::set(*field, place, {});
  all_.give(place, -1);
  changed_ = true;
}

std::size_t BlockGroups::free_place() {
  for (std::size_t k = 0; k < all_.paths.pulling; ++k)
    if (all_.levels[k] < 0) return k;
  return all_.paths.bodies = ++all_.paths.pulling, all_.paths.pulling - 1;
}

void BlockGroups::begin_step() {
  auto& p = all_.paths;
  p.x_now = p.x, p.v_now = p.v;
  fastest_ = heaviest_now_ = largest_ = 0;
  for (std::size_t k = 0; k < p.pulling; ++k) {
    fastest_ = std::max(fastest_, norm(BodyPaths::at(p.v, k)));
    heaviest_now_ = std::max(heaviest_now_, p.mass[k]);
  }
  for (const auto& g : groups_) largest_ = std::max(largest_, g->size);
  for_each_index(
      groups_.size(),
      [&](std::size_t i) {
        auto& g = *groups_[i];
        g.from = 0;
        g.find_near(all_, all_.steps[g.place], fastest_, heaviest_now_);
      },
      16);
}

void BlockGroups::advance(std::span<const std::uint32_t> active, double now) {
  for (const auto k : active) marked_[k] = 1;
  std::vector<CloseGroup*> moving;
  for (const auto& g : groups_)
    if (marked_[g->place] != 0 || std::ranges::any_of(g->near(), [&](auto k) { return marked_[k] != 0; }))
      moving.push_back(g.get());
  for (const auto k : active) marked_[k] = 0;
  std::vector<CloseGroup::Shifts> shifts(moving.size());
  std::vector<double> work(moving.size());
  for_each_index(
      moving.size(),
      [&](std::size_t i) {
        const double before = moving[i]->work();
        shifts[i] = moving[i]->advance(all_, now);
        work[i] = moving[i]->work() - before;
      },
      1);
  for (std::size_t i = 0; i < moving.size(); ++i) {
    work_ += work[i];
    if (shifts[i].empty()) continue;
    all_.shift(moving[i]->place, now, shifts[i][0].x, shifts[i][0].v);
    for (std::size_t k = 0; k < moving[i]->near().size(); ++k)
      all_.shift(moving[i]->near()[k], now, shifts[i][k + 1].x, shifts[i][k + 1].v);
  }
}

std::array<std::vector<std::uint32_t>, 2> BlockGroups::parts_of(const CloseGroup& g) const {
  const auto& members = g.members();
  if (members.size() == 2) {
    const auto d = regular::rounded(members[1].x - members[0].x),
               u = regular::rounded(members[1].v - members[0].v);
    if (dot(d, u) > 0 && norm(d) > hysteresis * scale_ * g.mass())
      return {std::vector<std::uint32_t>{0}, std::vector<std::uint32_t>{1}};
    return {};
  }
  std::vector<regular::DoubleVec> places;
  for (const auto& m : members) places.push_back(m.x);
  const auto order = regular::chain_order(places);
  double widest = 1;
  std::size_t cut = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    struct Part {
      double mass = 0;
      Vec3<double> x{}, v{};
      std::vector<Member> members;
    } parts[2];
    for (std::size_t i = 0; i < order.size(); ++i) {
      auto& part = parts[i < k ? 0 : 1];
      const auto& m = members[order[i]];
      part.members.push_back(m), part.mass += m.mass, part.x += m.mass * regular::rounded(m.x),
          part.v += m.mass * regular::rounded(m.v);
    }
    for (auto& part : parts) part.x *= 1 / part.mass, part.v *= 1 / part.mass;
    const auto d = parts[1].x - parts[0].x, u = parts[1].v - parts[0].v;
    const auto size = [&](const Part& part) { return extent_of(part.members, 2 * scale_ * part.mass); };
    const double limit =
        hysteresis * std::max(scale_ * g.mass(), sizes_to_join * std::max(size(parts[0]), size(parts[1])));
    if (dot(d, u) > 0 && norm(d) > widest * limit) widest = norm(d) / limit, cut = k;
  }
  std::array<std::vector<std::uint32_t>, 2> parts;
  for (std::size_t i = 0; cut > 0 && i < order.size(); ++i)
    parts[i < cut ? 0 : 1].push_back(static_cast<std::uint32_t>(order[i]));
  for (auto& part : parts) std::ranges::sort(part);
  if (!parts[0].empty() && parts[0].front() != 0) std::swap(parts[0], parts[1]);
  return parts;
}

void BlockGroups::split(std::size_t place, const std::array<std::vector<std::uint32_t>, 2>& parts) {
  const auto numbers = numbers_at(place);
  const auto members = members_at(place);
  const double from = all_.paths.from[place];
  int level = all_.levels[place];
  const std::size_t second = free_place();
  const std::size_t places[] = {place, second};
  if (auto* g = group_at(place)) std::erase_if(groups_, [&](const auto& other) { return other.get() == g; });
  for (std::size_t p = 0; p < 2; ++p) {
    std::vector<std::uint32_t> of_part;
    std::vector<Member> own;
    for (const auto i : parts[p]) of_part.push_back(numbers[i]), own.push_back(members[i]);
    put(places[p], std::move(of_part), std::move(own));
    all_.paths.from[places[p]] = from;
    if (auto* g = group_at(places[p])) g->size = g->extent(limit_of(*g)), g->from = from;
    made_.push_back(static_cast<std::uint32_t>(places[p]));
  }
  const auto& p = all_.paths;
  const double r = norm(BodyPaths::at(p.x, second) - BodyPaths::at(p.x, place)),
               speed = norm(BodyPaths::at(p.v, second) - BodyPaths::at(p.v, place)),
               mass = p.mass[place] + p.mass[second];
  level = all_.level_for(std::sqrt(eta_) / 4 * r / (speed + std::sqrt(mass / r)), level);
  for (const auto k : places) all_.give(k, level);
}

void BlockGroups::join(std::span<const std::uint32_t> places) {
  std::vector<std::pair<std::uint32_t, Member>> all;
  int level = 0;
  const double from = all_.paths.from[places[0]];
  for (const auto k : places) {
    const auto numbers = numbers_at(k);
    const auto members = members_at(k);
    for (std::size_t i = 0; i < numbers.size(); ++i) all.emplace_back(numbers[i], members[i]);
    level = std::max(level, int(all_.levels[k]));
  }
  std::ranges::sort(all, {}, &std::pair<std::uint32_t, Member>::first);
  const auto place = *std::ranges::min_element(places);
  for (const auto k : places) take_away(k);
  std::vector<std::uint32_t> numbers;
  std::vector<Member> members;
  for (auto& [number, member] : all) numbers.push_back(number), members.push_back(member);
  put(place, std::move(numbers), std::move(members));
  all_.paths.from[place] = from;
  all_.give(place, level);
  auto& g = *group_at(place);
  g.size = g.extent(limit_of(g)), g.from = from;
  largest_ = std::max(largest_, g.size), heaviest_now_ = std::max(heaviest_now_, g.mass());
  made_.push_back(static_cast<std::uint32_t>(place));
}

const std::vector<std::uint32_t>& BlockGroups::regroup(std::span<const std::uint32_t> active) {
  auto& p = all_.paths;
  for (const auto k : active) {
    marked_[k] = 1;
    BodyPaths::set(p.x_now, k, BodyPaths::at(p.x, k)), BodyPaths::set(p.v_now, k, BodyPaths::at(p.v, k));
  }
  made_.clear();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<std::pair<std::uint32_t, std::array<std::vector<std::uint32_t>, 2>>> splits;
  // Within this distance two bodies have steps as short as this.
  const double longest = 2 * std::sqrt(eta_) * scale_ * std::sqrt(scale_);
  for (const auto k : active) {
    if (auto* g = group_at(k)) {
      g->measure(limit_of(*g));
      largest_ = std::max(largest_, g->size);
      if (auto parts = parts_of(*g); !parts[0].empty()) {
        splits.emplace_back(k, std::move(parts));
        continue;
      }
    } else if (all_.steps[k] > longest * (p.mass[k] + heaviest_)) {
      continue;
    }
    const double own = at_[k] != nullptr ? at_[k]->size : 0,
                 most = std::max(scale_ * (p.mass[k] + heaviest_), sizes_to_join * std::max(own, largest_));
    all_.within(k, most, [&](std::uint32_t j) {
      if (!close(k, j)) return;
      if (marked_[j] != 0) pairs.emplace_back(std::min(k, j), std::max(k, j));
      else if (all_.levels[j] < all_.levels[k]) all_.give(j, all_.levels[k]);
    });
  }
  for (const auto k : active) marked_[k] = 0;
  if (pairs.empty() && splits.empty()) return made_;
  // Bodies that fall apart join no other one at the same time.
  std::vector<std::uint32_t> places;
  for (const auto& [a, b] : pairs) places.push_back(a), places.push_back(b);
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  std::erase_if(places, [&](std::uint32_t k) {
    return std::ranges::any_of(splits, [&](const auto& s) { return s.first == k; });
  });
  std::vector<std::uint32_t> root(places.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto index = [&](std::uint32_t k) {
    const auto found = std::ranges::lower_bound(places, k);
    return found != places.end() && *found == k ? std::size_t(found - places.begin()) : places.size();
  };
  const auto root_of = [&](std::size_t i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  for (const auto& [a, b] : pairs) {
    const auto i = index(a), j = index(b);
    if (i == places.size() || j == places.size()) continue;
    const auto first = root_of(i), second = root_of(j);
    root[std::max(first, second)] = static_cast<std::uint32_t>(std::min(first, second));
  }
  std::vector<std::vector<std::uint32_t>> joined(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) joined[root_of(i)].push_back(places[i]);
  for (const auto& each : joined) {
    std::size_t bodies = 0;
    for (const auto k : each) bodies += numbers_at(k).size();
    if (each.size() > 1 && bodies <= most_regularised_bodies) join(each);
  }
  for (const auto& [k, parts] : splits) split(k, parts);
  std::ranges::sort(made_);
  return made_;
}

void BlockGroups::look_around(std::span<const std::uint32_t> active, std::span<const std::uint32_t> made) {
  for (const auto k : active) marked_[k] = 1;
  for (const auto k : made) marked_[k] = 1;
  std::vector<CloseGroup*> looking;
  for (const auto& g : groups_)
    if (marked_[g->place] != 0 || (!made.empty() && std::ranges::any_of(g->near(), [&](auto k) {
          return all_.levels[k] < 0 || std::ranges::binary_search(made, k);
        })))
      looking.push_back(g.get());
  for (const auto k : active) marked_[k] = 0;
  for (const auto k : made) marked_[k] = 0;
  for_each_index(
      looking.size(),
      [&](std::size_t i) {
        looking[i]->find_near(all_, all_.steps[looking[i]->place], fastest_, heaviest_now_);
      },
      16);
}

void BlockGroups::end_step() {
  const double unit = all_.paths.unit;
  // put orders groups anew: a copy of the places.
  std::vector<std::uint32_t> places;
  for (const auto& g : groups_) places.push_back(g->place);
  const bool changed = changed_;
  for (const auto k : places) {
    auto& p = all_.paths;
    auto old = std::ranges::find_if(groups_, [&](const auto& g) { return g->place == k; });
    auto next = std::make_unique<CloseGroup>((*old)->numbers(), members_at(k), motion_);
    auto chosen = (*old)->chosen();
    for (auto& c : chosen) c.time -= unit;
    next->begin(0, std::move(chosen));
    next->place = k, next->size = (*old)->size;
    const auto& at = next->centre();
    const regular::DoubleSum x[] = {at.x.x, at.x.y, at.x.z}, v[] = {at.v.x, at.v.y, at.v.z};
    for (std::size_t c = 0; c < 3; ++c) {
      p.x[c][k] = x[c].high, all_.low[k][c] = x[c].low;
      p.v[c][k] = v[c].high, all_.low[k][3 + c] = v[c].low;
    }
    at_[k] = next.get();
    *old = std::move(next);
  }
  if (changed) arrange();
}

/// Brings the bodies in the order of their first numbers, without empty places.
void BlockGroups::arrange() {
  const std::size_t n = number_.size();
  std::vector<std::uint32_t> places;
  for (std::uint32_t k = 0; k < all_.paths.pulling; ++k)
    if (all_.levels[k] >= 0) places.push_back(k);
  std::ranges::sort(places, {}, [&](std::uint32_t k) { return number_[k]; });
  BlockBodies next;
  next.resize(n);
  next.paths.unit = all_.paths.unit;
  next.paths.bodies = next.paths.pulling = places.size();
  next.count = all_.count;
  std::vector<CloseGroup*> at(n, nullptr);
  std::vector<std::uint32_t> number(n, 0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t old = places[k];
    auto &to = next.paths, &from = all_.paths;
    to.mass[k] = from.mass[old], to.from[k] = from.from[old];
    for (const auto field :
         {&BodyPaths::x, &BodyPaths::v, &BodyPaths::a, &BodyPaths::j, &BodyPaths::x_now, &BodyPaths::v_now})
      BodyPaths::set(to.*field, k, BodyPaths::at(from.*field, old));
    next.low[k] = all_.low[old], next.steps[k] = all_.steps[old], next.levels[k] = all_.levels[old];
    at[k] = at_[old], number[k] = number_[old];
    if (at[k] != nullptr) at[k]->place = static_cast<std::uint32_t>(k);
    for (const auto i : at[k] != nullptr ? at[k]->numbers() : std::vector{number[k]})
      place_[i] = static_cast<std::uint32_t>(k);
  }
  for (std::size_t k = places.size(); k < n; ++k) next.levels[k] = -1;
  all_ = std::move(next), at_ = std::move(at), number_ = std::move(number);
  changed_ = false;
}

CloseGroup::Member BlockGroups::body(std::size_t number) const {
  const std::size_t place = place_[number];
  if (const auto* g = group_at(place)) {
    const auto found = std::ranges::find(g->numbers(), number);
    return g->given()[std::size_t(found - g->numbers().begin())];
  }
  return members_at(place)[0];
}

BlockGroups::Kept BlockGroups::kept(std::size_t number) const {
  const std::size_t place = place_[number];
  const double radius = radius_, step = all_.steps[place];
  const auto* g = group_at(place);
  const auto& p = all_.paths;
  if (g == nullptr || g->numbers().front() == number)
    return {p.a[0][place], p.a[1][place], p.a[2][place], p.j[0][place],
            p.j[1][place], p.j[2][place], step,          g == nullptr ? 0.0 : double(number + 1),
            radius};
  const auto chosen = g->chosen();
  const auto k = std::size_t(std::ranges::find(g->numbers(), number) - g->numbers().begin());
  Kept kept{};
  kept[0] = g->size;
  if (k <= chosen.size()) {
    const auto& c = chosen[k - 1];
    kept[1] = double(c.pair.first), kept[2] = double(c.pair.second), kept[3] = c.pair.factor;
    kept[4] = c.time, kept[5] = c.until;
  }
  kept[6] = step, kept[7] = double(g->numbers().front() + 1), kept[8] = radius;
  return kept;
}

}  // namespace pleiad
