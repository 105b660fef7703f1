#include "integrate/block_groups.hpp"

#include "core/threads.hpp"
#include "integrate/regularised.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pleiad {
namespace {

/// A pair is divided where the tide of others at apocentre is more than this share of its own pull.
constexpr double strongest_tide = 0.05;
/// Parts are divided at this many times the distance at which they would join.
constexpr double hysteresis = 2;
/// The radius of a pair of mean mass, in half-mass radii over the number of bodies.
constexpr double radii_of_half_mass = 1;
/// So few bodies are one group, however far they are from each other; in external fields within this share of
/// the distance at which the tide is as strong as their own pull.
constexpr std::size_t always_close = 3;
constexpr double share_in_field = 1.0 / 3;

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

BlockGroups::BlockGroups(BlockBodies& all, const DoubleState& state, const BlockSteps& blocks, double eta,
                         double time, const std::optional<regular::PostNewtonian>& terms, StepWatch* watch)
    : all_(all),
      field_(state),
      eta_(eta),
      watch_(watch),
      radius_(blocks.group_radius),
      motion_{.slow_down = blocks.slow_down, .terms = terms} {
  field_.begin_step(time, time);
  const std::size_t n = all.paths.pulling;
  all_.paths.all_now = true;  // what is near
  at_.assign(n, nullptr), marked_.assign(n, 0), watchers_.resize(n);
  number_.resize(n), place_.resize(n);
  std::iota(number_.begin(), number_.end(), 0U), std::iota(place_.begin(), place_.end(), 0U);
  into_ = number_;
  for (std::size_t k = 0; k < n; ++k) {
    heaviest_ = std::max(heaviest_, all.paths.mass[k]), mean_ += all.paths.mass[k] / double(n);
    if (watch != nullptr) largest_radius_ = std::max(largest_radius_, watch->radius(k));
  }
}

void BlockGroups::choose_radius() {
  const auto n = double(number_.size());
  if (radius_ == 0 && number_.size() > always_close)
    radius_ = radii_of_half_mass * half_mass_radius(all_) / n;
  if (radius_ == 0 && number_.size() > 1) radius_ = radius_in_field();
  scale_ = radius_ > 0 ? radius_ / (2 * mean_) : std::numeric_limits<double>::infinity();
}

/// The radius of few bodies: 0 where no field has a tide. The centre of mass of bodies that a field holds
/// apart may be anywhere, at a singular point of the field too.
double BlockGroups::radius_in_field() const {
  const auto& p = all_.paths;
  const auto first = BodyPaths::at(p.x, 0);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < number_.size(); ++k)
    nearest = std::min(nearest, norm(BodyPaths::at(p.x, k) - first));
  const double tide = field_.tide(0, first, nearest);
  return tide > 0 ? share_in_field * std::cbrt(2 * mean_ / tide) : 0;
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

/// A body or a whole group as one part, where it is predicted.
GroupPart BlockGroups::alone(std::size_t place) const {
  const auto& p = all_.paths;
  return {p.mass[place], BodyPaths::at(p.x_now, place), BodyPaths::at(p.v_now, place), 0, {}, 0};
}

/// About the centre of mass, with the radii of those that may touch.
std::vector<GroupPart> BlockGroups::parts_within(const CloseGroup& g) const {
  auto parts = parts_of(g.members(), scale_);
  for (auto& part : parts)
    for (const auto i : part.members) part.radius = std::max(part.radius, radius_of(g.numbers()[i]));
  return parts;
}

std::vector<GroupPart> BlockGroups::parts_at(std::size_t place) const {
  auto whole = alone(place);
  const auto* g = group_at(place);
  if (g == nullptr) {
    whole.radius = radius_of(number_[place]);
    return {whole};
  }
  auto parts = parts_within(*g);
  for (auto& part : parts) part.x += whole.x, part.v += whole.v;
  return parts;
}

bool BlockGroups::close(std::size_t a, std::size_t b) const {
  if (std::isinf(scale_)) return true;
  const auto near = [&](const GroupPart& one, const GroupPart& other, double tide) {
    const auto d = other.x - one.x;
    const double r = norm(d);
    if (!close_together(one, other, r, scale_, tide)) return false;
    const auto u = other.v - one.v;
    return dot(d, u) < 0 || dot(u, u) / 2 < (one.mass + other.mass) / r;
  };
  const auto any = [&](const std::vector<GroupPart>& some, const std::vector<GroupPart>& others,
                       double tide) {
    return std::ranges::any_of(some, [&](const GroupPart& one) {
      return std::ranges::any_of(others, [&](const GroupPart& other) { return near(one, other, tide); });
    });
  };
  const auto one = alone(a), other = alone(b);
  // The tide is a sum over all bodies: the last thing to find.
  const bool single = at_[a] == nullptr && at_[b] == nullptr;
  std::vector<GroupPart> of_a, of_b;
  if (!single) of_a = parts_at(a), of_b = parts_at(b);
  if (!(single ? near(one, other, 0) : any(of_a, of_b, 0))) return false;
  const auto centre = one.x + (other.mass / (one.mass + other.mass)) * (other.x - one.x);
  const double tidal = tide(centre, a, b);
  return single ? near(one, other, tidal) : any(of_a, of_b, tidal);
}

/// The sum of twice the mass over the cube of the distance, of all bodies but two.
double BlockGroups::tide(const Vec3<double>& at, std::size_t without, std::size_t and_without) const {
  const auto& p = all_.paths;
  const auto &x = p.x_now[0], &y = p.x_now[1], &z = p.x_now[2];
  double sum = 0;
  for (std::size_t k = 0; k < p.pulling; ++k) {
    if (k == without || k == and_without || all_.levels[k] < 0) continue;
    const double dx = x[k] - at.x, dy = y[k] - at.y, dz = z[k] - at.z, r2 = dx * dx + dy * dy + dz * dz;
    sum += p.mass[k] / (r2 * std::sqrt(r2));
  }
  return 2 * sum;
}

/// The distance of a body or group from others within which they may be close.
double BlockGroups::farthest_close(std::size_t place) const {
  const double own = at_[place] != nullptr ? at_[place]->size : 0, size = std::max(own, largest_);
  // Pairs are no wider than that of the heaviest bodies.
  const double mass = std::min(all_.paths.mass[place], 2 * heaviest_) + 2 * heaviest_;
  const double of_pairs = std::min(size, 4 * scale_ * heaviest_),
               touch = largest_radius_ > 0 ? 2 * radii_to_join * (largest_radius_ + of_pairs) : 0;
  return own + largest_ + std::max({scale_ * mass, sizes_to_join * of_pairs, touch});
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
    auto g = std::make_unique<CloseGroup>(std::move(numbers), std::move(members), motion_, watch_);
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
  p.changed.push_back(static_cast<std::uint32_t>(place));
  all_.near.replaced(p, place);
  changed_ = true;
}

/// Leaves a place without a body.
void BlockGroups::take_away(std::size_t place) {
  auto& p = all_.paths;
  if (const auto* g = group_at(place)) {
    watch(*g, false);
    std::erase_if(groups_, [&](const auto& other) { return other.get() == g; });
  }
  emptied_.push_back(static_cast<std::uint32_t>(place));
  at_[place] = nullptr, p.mass[place] = 0;
  for (auto* field : {&p.v, &p.a, &p.j}) BodyPaths::set(*field, place, {});
  all_.give(place, -1);
  p.changed.push_back(static_cast<std::uint32_t>(place));
  changed_ = true;
}

std::size_t BlockGroups::free_place() {
  for (std::size_t k = 0; k < all_.paths.pulling; ++k)
    if (all_.levels[k] < 0) return k;
  return all_.paths.bodies = ++all_.paths.pulling, all_.paths.pulling - 1;
}

void BlockGroups::begin_step(double begin, double end) {
  field_.begin_step(begin, end);
  auto& p = all_.paths;
  time_ = begin;
  largest_radius_ = 0;
  if (watch_ != nullptr)
    for (std::size_t i = 0; i < into_.size(); ++i)
      largest_radius_ = std::max(largest_radius_, watch_->radius(i));
  p.x_now = p.x, p.v_now = p.v;
  fastest_ = heaviest_now_ = largest_ = 0;
  for (std::size_t k = 0; k < p.pulling; ++k) {
    fastest_ = std::max(fastest_, norm(BodyPaths::at(p.v, k)));
    heaviest_now_ = std::max(heaviest_now_, p.mass[k]);
  }
  std::vector<CloseGroup*> all;
  for (const auto& g : groups_) {
    largest_ = std::max(largest_, g->size), g->from = 0, all.push_back(g.get());
    g->begin_step();
  }
  for (auto& of_place : watchers_) of_place.clear();
  all_.near.forget(), all_.near.look(p);
  find_near(all);
}

void BlockGroups::watch(const CloseGroup& g, bool on) {
  for (const auto k : g.near())
    if (on) watchers_[k].push_back(g.place);
    else std::erase(watchers_[k], g.place);
}

void BlockGroups::find_near(std::span<CloseGroup* const> groups) {
  for_each_index(
      groups.size(),
      [&](std::size_t i) {
        groups[i]->find_near(all_, all_.steps[groups[i]->place], fastest_, heaviest_now_);
      },
      16);
  for (const auto* g : groups) watch(*g, true);
}

std::vector<CloseGroup*> BlockGroups::concerned(std::span<const std::uint32_t> places) {
  std::vector<CloseGroup*> found;
  const auto add = [&](std::uint32_t place) {
    auto* g = group_at(place);
    if (g == nullptr || marked_[place] != 0) return;
    marked_[place] = 1, found.push_back(g);
  };
  for (const auto k : places) {
    add(k);
    for (const auto watcher : watchers_[k]) add(watcher);
  }
  for (const auto* g : found) marked_[g->place] = 0;
  std::ranges::sort(found, {}, [](const auto* g) { return g->numbers().front(); });
  return found;
}

void BlockGroups::advance(std::span<const std::uint32_t> active, double now) {
  auto moving = concerned(active);
  dissolved_.clear();
  while (!moving.empty()) {
    std::vector<CloseGroup::Shifts> shifts(moving.size());
    std::vector<double> work(moving.size());
    for_each_index(
        moving.size(),
        [&](std::size_t i) {
          const double before = moving[i]->work();
          shifts[i] = moving[i]->advance(all_, field_, now);
          work[i] = moving[i]->work() - before;
        },
        1);
    for (std::size_t i = 0; i < moving.size(); ++i) {
      work_ += work[i];
      if (shifts[i].empty()) continue;
      const auto& g = *moving[i];
      all_.shift(g.place, g.from, shifts[i][0].x, shifts[i][0].v);
      for (std::size_t k = 0; k < g.near().size(); ++k)
        all_.shift(g.near()[k], g.from, shifts[i][k + 1].x, shifts[i][k + 1].v);
    }
    if (watch_ == nullptr) return;
    for (const auto* g : moving)
      for (auto [moment, contact] : g->met()) {
        moment.time += time_;
        if (contact) watch_->tell_contact(moment);
        else watch_->tell_approach(moment);
      }
    std::erase_if(moving, [](const auto* g) { return !g->stopped(); });
    meet(moving);
    std::erase_if(moving, [&](auto* g) {
      if (g->numbers().size() > 1) return false;
      dissolve(*g);
      return true;
    });
  }
}

/// Members of groups that have stopped become what they are now, in the order of time and of first numbers.
void BlockGroups::meet(std::span<CloseGroup* const> stopped) {
  std::vector<CloseGroup*> order(stopped.begin(), stopped.end());
  std::ranges::stable_sort(order, {}, &CloseGroup::from);
  for (auto* g : order) {
    const auto changes = watch_->part(time_ + g->from * all_.paths.unit, states_at(g->from), g->touching());
    g->part(changes);
    let_go(changes);
    number_[g->place] = g->numbers().front();
  }
  std::ranges::sort(groups_, {}, [](const auto& g) { return g->numbers().front(); });
}

void BlockGroups::let_go(std::span<const StepWatch::Change> changes) {
  for (const auto& change : changes) {
    if (change.gone) into_[change.body] = change.into;
    else largest_radius_ = std::max(largest_radius_, watch_->radius(change.body));
  }
}

/// What is left of a group is a body on the path of its centre of mass.
void BlockGroups::dissolve(CloseGroup& g) {
  watch(g, false);
  at_[g.place] = nullptr;
  dissolved_.push_back(g.place);
  std::erase_if(groups_, [&](const auto& other) { return other.get() == &g; });
  changed_ = true;
}

void BlockGroups::part_single(std::span<const StepWatch::Change> changes) {
  auto& p = all_.paths;
  let_go(changes);
  double mass = 0;
  for (const auto& change : changes) {
    if (change.gone) continue;
    const auto place = place_[change.body];
    mass = p.mass[place];
    for (const auto& other : changes)
      if (other.gone && other.into == change.body) mass += p.mass[place_[other.body]];
    p.mass[place] = mass;
    BodyPaths::set(p.x, place, change.state.x), BodyPaths::set(p.v, place, change.state.v);
    BodyPaths::set(p.x_now, place, change.state.x), BodyPaths::set(p.v_now, place, change.state.v);
    all_.low[place] = {};
    p.changed.push_back(place);
    all_.near.replaced(p, place);
    heaviest_ = std::max(heaviest_, mass), heaviest_now_ = std::max(heaviest_now_, mass);
  }
  for (const auto& change : changes)
    if (change.gone) take_away(place_[change.body]);
}

std::vector<StepWatch::State> BlockGroups::states_at(double now) const {
  const auto& p = all_.paths;
  std::vector<StepWatch::State> all(into_.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (into_[i] != i) continue;
    const std::size_t k = place_[i];
    const double h = (now - p.from[k]) * p.unit;
    const auto a = BodyPaths::at(p.a, k), j = BodyPaths::at(p.j, k), v = BodyPaths::at(p.v, k);
    all[i] = {BodyPaths::at(p.x, k) + h * (v + (h / 2) * (a + (h / 3) * j)), v + h * (a + (h / 2) * j)};
    if (const auto* g = group_at(k)) {
      const auto& member =
          g->members()[std::size_t(std::ranges::find(g->numbers(), i) - g->numbers().begin())];
      all[i].x += regular::rounded(member.x), all[i].v += regular::rounded(member.v);
    }
  }
  return all;
}

std::uint32_t BlockGroups::body_at(std::size_t place) const {
  const auto* g = group_at(place);
  if (g == nullptr) return number_[place];
  const auto heaviest = std::ranges::max_element(g->members(), {}, &Member::mass);
  return g->numbers()[std::size_t(heaviest - g->members().begin())];
}

BlockGroups::Halves BlockGroups::halves_of(const CloseGroup& g) const {
  if (std::isinf(scale_)) return {};
  const auto& members = g.members();
  const double tidal = tide(BodyPaths::at(all_.paths.x_now, g.place), g.place, g.place);
  const auto stay = [&](const GroupPart& one, const GroupPart& other) {
    return close_together(one, other, norm(other.x - one.x) / hysteresis, scale_, tidal);
  };
  if (members.size() == 2) {
    const auto d = regular::rounded(members[1].x - members[0].x),
               u = regular::rounded(members[1].v - members[0].v);
    const auto parts = parts_of(members, scale_);
    const bool apart = parts.size() == 1 ? tidal * std::pow(parts[0].size, 3) > strongest_tide * g.mass()
                                         : dot(d, u) > 0 && !stay(parts[0], parts[1]);
    if (apart) return {std::vector<std::uint32_t>{0}, std::vector<std::uint32_t>{1}};
    return {};
  }
  // All that are linked to the first part, one by one.
  const auto parts = parts_within(g);
  std::vector<bool> linked(parts.size(), false);
  std::vector<std::size_t> next{0};
  linked[0] = true;
  while (!next.empty()) {
    const auto& from = parts[next.back()];
    next.pop_back();
    for (std::size_t k = 1; k < parts.size(); ++k)
      if (!linked[k] && stay(from, parts[k])) linked[k] = true, next.push_back(k);
  }
  Halves halves;
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (const auto i : parts[k].members) halves[linked[k] ? 0 : 1].push_back(i);
  if (halves[1].empty()) return {};
  for (auto& half : halves) std::ranges::sort(half);
  return halves;
}

void BlockGroups::split(std::size_t place, const Halves& parts) {
  const auto numbers = numbers_at(place);
  const auto members = members_at(place);
  const double from = all_.paths.from[place];
  int level = all_.levels[place];
  const std::size_t second = free_place();
  const std::size_t places[] = {place, second};
  if (auto* g = group_at(place)) {
    watch(*g, false);
    std::erase_if(groups_, [&](const auto& other) { return other.get() == g; });
  }
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

std::vector<BlockGroups::Candidate> BlockGroups::candidates_among(std::span<const std::uint32_t> active) {
  constexpr std::size_t worth_a_thread = 16;
  const auto& p = all_.paths;
  // Beside a group of three and more, whose members may be far from its centre, steps tell nothing; nor
  // beside one whose members may be as large as they are far.
  std::vector<const CloseGroup*> wide;
  for (const auto& g : groups_)
    if (g->members().size() > 2 || largest_radius_ > 0) wide.push_back(g.get());
  const auto beside_wide = [&](std::uint32_t k) {
    return std::ranges::any_of(wide, [&](const CloseGroup* g) {
      return norm(BodyPaths::at(p.x_now, k) - BodyPaths::at(p.x_now, g->place)) < farthest_close(g->place);
    });
  };
  // Within this distance two bodies have steps as short as this.
  const double longest = 2 * std::sqrt(eta_) * scale_ * std::sqrt(scale_);
  std::vector<Candidate> all;
  for (const auto k : active)
    if (group_at(k) != nullptr || all_.steps[k] <= longest * (p.mass[k] + heaviest_) || beside_wide(k))
      all.push_back({.place = k, .halves = {}, .close = {}});
  for_each_index(
      all.size(),
      [&](std::size_t i) {
        if (auto* g = group_at(all[i].place)) g->measure(limit_of(*g));
      },
      worth_a_thread);
  for (const auto& c : all)
    if (const auto* g = group_at(c.place)) largest_ = std::max(largest_, g->size);
  for_each_index(
      all.size(),
      [&](std::size_t i) {
        auto& [k, halves, near] = all[i];
        if (const auto* g = group_at(k)) halves = halves_of(*g);
        if (!halves[0].empty()) return;
        all_.within(k, farthest_close(k), [&](std::uint32_t j) {
          if (close(k, j)) near.push_back(j);
        });
      },
      worth_a_thread);
  return all;
}

const std::vector<std::uint32_t>& BlockGroups::regroup(std::span<const std::uint32_t> active) {
  auto& p = all_.paths;
  for (const auto k : active) {
    marked_[k] = 1;
    BodyPaths::set(p.x_now, k, BodyPaths::at(p.x, k)), BodyPaths::set(p.v_now, k, BodyPaths::at(p.v, k));
  }
  made_.clear(), emptied_.clear();
  all_.near.look(p);
  auto candidates = candidates_among(active);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<std::pair<std::uint32_t, Halves>> splits;
  for (auto& [k, halves, close] : candidates) {
    if (!halves[0].empty()) splits.emplace_back(k, std::move(halves));
    for (const auto j : close)
      if (marked_[j] != 0) pairs.emplace_back(std::min(k, j), std::max(k, j));
      else if (all_.levels[j] < all_.levels[k]) all_.give(j, all_.levels[k]);
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
  auto changed = emptied_;
  changed.insert(changed.end(), made.begin(), made.end());
  auto looking = made.empty() ? std::vector<CloseGroup*>{} : concerned(changed);
  for (const auto* g : looking) marked_[g->place] = 1;
  for (const auto k : active)
    if (auto* g = group_at(k); g != nullptr && marked_[k] == 0) looking.push_back(g);
  for (const auto* g : looking) marked_[g->place] = 0;
  for (const auto* g : looking) watch(*g, false);
  if (!made.empty()) all_.near.look(all_.paths);
  find_near(looking);
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
    auto next = std::make_unique<CloseGroup>((*old)->numbers(), members_at(k), motion_, watch_);
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
  next.paths.unit = all_.paths.unit, next.paths.all_now = true;
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
  while (into_[number] != number) number = into_[number];
  const std::size_t place = place_[number];
  if (const auto* g = group_at(place)) {
    const auto found = std::ranges::find(g->numbers(), number);
    return g->given()[std::size_t(found - g->numbers().begin())];
  }
  return members_at(place)[0];
}

BlockGroups::Kept BlockGroups::kept(std::size_t number) const {
  if (into_[number] != number) return {};
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
