#include "encounters/search.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace pleiad::encounters {
namespace {

/// The box of a path, and of all within `reach` of it. A little more, because its faces are rounded.
SweptBox box_of(const Place& from, const Place& to, double h, double reach) {
  const auto hull = hull_of(from, to, h);
  SweptBox box{hull[0], hull[0]};
  for (const auto& point : hull) box.add(point);
  constexpr double more = 1e-14;
  for (const auto axis : {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z}) {
    const double by = reach * (1 + more) + more * std::max(std::abs(box.low.*axis), std::abs(box.high.*axis));
    box.low.*axis -= by, box.high.*axis += by;
  }
  return box;
}

/// Whether a path stays farther from the origin than `distance`, as its hull shows.
bool stays_beyond(const Place& from, const Place& to, double h, double distance) {
  const auto hull = hull_of(from, to, h);
  const auto middle = hull[0] + hull[1] + hull[2] + hull[3];
  const double length = norm(middle);
  double least = dot(middle, hull[0]);
  for (const auto& point : hull) least = std::min(least, dot(middle, point));
  return least > (1 + 1e-12) * distance * length;
}

/// Two bodies during a step. They are taken in the order of their ids, whatever their order is.
class Two {
 public:
  Two(const Matter& all, const Step& step, std::uint32_t i, std::uint32_t j)
      : all_(all), step_(step), h_(step.end - step.begin), i_(i), j_(j) {
    if (all.id[i_] > all.id[j_]) std::swap(i_, j_);
    from_ = step.from[j_] - step.from[i_], to_ = all.places[j_] - all.places[i_];
  }
  bool stay_beyond(double distance) const { return stays_beyond(from_, to_, h_, distance); }
  Descents descents() const { return descents_of(from_, to_, h_); }
  Path path() const { return Path(from_, to_, h_); }
  Event event(Kind kind, double s, const Gravity& gravity) const {
    const auto one = Path(step_.from[i_], all_.places[i_], h_).at(s);
    auto event = of_two(kind, one, path().at(s), all_.mass[i_], all_.mass[j_], gravity);
    event.time = s < 1 ? step_.begin + s * h_ : step_.end, event.step = step_.number;
    event.id = all_.id[i_], event.other = all_.id[j_];
    return event;
  }

 private:
  const Matter& all_;
  const Step& step_;
  double h_;
  std::uint32_t i_, j_;
  Place from_, to_;
};

/// The first contact of two bodies: when, in the time of the step, and whether they did not touch before.
struct Contact {
  double s = 0;
  bool begins = false;
};
std::optional<Contact> contact_of(const Descents& descents, const Path& path, double radii, bool first_step) {
  std::optional<Contact> inside;
  for (const auto& d : descents.all()) {
    if (!(d.to2 <= radii * radii)) continue;
    if (const auto s = crossing(path, d, radii); s && !(inside && inside->begins)) return Contact{*s, true};
    if (!inside) inside = Contact{d.begin, first_step && d.begin == 0};
  }
  return inside;
}

}  // namespace

Found Search::look(const Matter& matter, const Step& step) {
  Found found;
  if (limits_.distance > 0 || limits_.contacts) look_at_pairs(matter, step, found);
  if (limits_.escapes.radius > 0) look_for_escapes(matter, step, found);
  std::ranges::sort(found.events, [](const Event& a, const Event& b) { return before(a, b); });
  return found;
}

void Search::look_at_pairs(const Matter& matter, const Step& step, Found& found) {
  const std::size_t n = matter.size();
  const double h = step.end - step.begin, d = limits_.distance;
  boxes_.resize(n), idle_.resize(n);
  for_each_index(n, [&](std::size_t i) {
    boxes_[i] = box_of(step.from[i], matter.places[i], h, std::max(d / 2, matter.radius[i]));
    idle_[i] = matter.mass[i] > 0 ? 0 : 1;
  });
  std::vector<Found> parts(SweptTree::blocks(n));
  tree_.for_pairs(boxes_, idle_, [&](std::size_t block, std::uint32_t i, std::uint32_t j) {
    const double radii = limits_.contacts ? matter.radius[i] + matter.radius[j] : 0;
    const Two two(matter, step, i, j);
    if (two.stay_beyond(std::max(d, radii))) return;
    const auto descents = two.descents();
    if (descents.count == 0) return;
    auto& here = parts[block];
    std::optional<Contact> contact;
    if (radii > 0) contact = contact_of(descents, two.path(), radii, step.number == 1);
    if (contact) {
      here.touching.push_back({i, j});
      if (contact->begins || limits_.contacts_end)
        here.events.push_back(two.event(Kind::collision, contact->s, gravity_));
    }
    for (const auto& descent : descents.all()) {
      if (!descent.sharp || !(descent.to2 < d * d)) continue;
      if (contact && limits_.contacts_end && descent.end > contact->s) break;
      here.events.push_back(two.event(Kind::approach, descent.end, gravity_));
    }
  });
  for (const auto& part : parts) {
    found.events.insert(found.events.end(), part.events.begin(), part.events.end());
    found.touching.insert(found.touching.end(), part.touching.begin(), part.touching.end());
  }
}

void Search::look_for_escapes(const Matter& matter, const Step& step, Found& found) const {
  const double h = step.end - step.begin;
  const auto first = sphere_of(limits_.escapes, gravity_, matter.mass, step.from, step.begin),
             last = sphere_of(limits_.escapes, gravity_, matter.mass, matter.places, step.end);
  const auto &from = first.centre, &to = last.centre;
  const double first2 = first.radius * first.radius, last2 = last.radius * last.radius;
  found.motion = to.v;
  found.escaped = joined_blocks<std::uint32_t>(
      matter.size(), [&](std::size_t begin, std::size_t end, std::vector<std::uint32_t>& here) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto before = step.from[i].x - from.x;
          const auto now = matter.places[i] - to;
          if (!(dot(now.x, now.x) > last2)) continue;
          const bool inside_before = dot(before, before) <= first2, outwards = dot(now.x, now.v) > 0;
          if (inside_before || (outwards && (step.number == 1 || limits_.escapes_end)))
            here.push_back(static_cast<std::uint32_t>(i));
        }
      });
  for (const auto i : found.escaped) {
    const auto before = step.from[i] - from, now = matter.places[i] - to;
    const Path path(before, now, h);
    // Out of an infinite sphere, where tides did not pull, a body is let out by the last one.
    const double at_first = std::isinf(first.radius) ? last.radius : first.radius;
    const double s = dot(before.x, before.x) <= first2 ? leaving(path, at_first, last.radius) : 0;
    const auto about = path.at(s), own = Path(step.from[i], matter.places[i], h).at(s);
    found.events.push_back({.kind = Kind::escape,
                            .time = s < 1 ? step.begin + s * h : step.end,
                            .step = step.number,
                            .id = matter.id[i],
                            .mass = matter.mass[i],
                            .distance = norm(about.x),
                            .speed = norm(about.v),
                            .x = own.x,
                            .v = own.v});
  }
}

}  // namespace pleiad::encounters
