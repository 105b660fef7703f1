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

Event event_at(Kind kind, double s, const TwoBodies& two, const Path& between, const Gravity& gravity) {
  const auto& [begin, end, number, starts, one, other] = two;
  const double h = end - begin;
  auto event = of_two(kind, Path(one.from, one.to, h).at(s), between.at(s), one.mass, other.mass, gravity);
  event.time = s < 1 ? begin + s * h : end, event.step = number;
  event.id = one.id, event.other = other.id;
  return event;
}

}  // namespace

bool look_at_two(const TwoBodies& two, const Limits& limits, const Gravity& gravity,
                 std::vector<Event>& events) {
  const double d = limits.distance, h = two.end - two.begin,
               radii = limits.contacts ? two.one.radius + two.other.radius : 0;
  const auto from = two.other.from - two.one.from, to = two.other.to - two.one.to;
  if (stays_beyond(from, to, h, std::max(d, radii))) return false;
  const auto descents = descents_of(from, to, h);
  if (descents.count == 0) return false;
  const Path path(from, to, h);
  std::optional<Contact> contact;
  if (radii > 0) contact = contact_of(descents, path, radii, two.starts);
  if (contact && (contact->begins || limits.contacts_end))
    events.push_back(event_at(Kind::collision, contact->s, two, path, gravity));
  for (const auto& descent : descents.all()) {
    if (!descent.sharp || !(descent.to2 < d * d)) continue;
    if (contact && limits.contacts_end && descent.end > contact->s) break;
    events.push_back(event_at(Kind::approach, descent.end, two, path, gravity));
  }
  return contact.has_value();
}

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
    // In the order of their ids, whatever the order of the bodies is.
    if (matter.id[i] > matter.id[j]) std::swap(i, j);
    const auto one = [&](std::uint32_t k) {
      return TwoBodies::One{matter.id[k], matter.mass[k], matter.radius[k], step.from[k], matter.places[k]};
    };
    const TwoBodies two{.begin = step.begin,
                        .end = step.end,
                        .number = step.number,
                        .starts = step.number == 1,
                        .one = one(i),
                        .other = one(j)};
    if (look_at_two(two, limits_, gravity_, parts[block].events))
      parts[block].touching.push_back({std::min(i, j), std::max(i, j)});
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
