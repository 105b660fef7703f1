#include "snapshots.hpp"

#include "io/files/wanted.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

namespace pleiad::fuzz {
namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Of a shape that the rest of the program relies on.
void check_shape(const FileContent& c) {
  const Snapshot& s = c.snapshot;
  const Bodies& b = s.bodies;
  const std::size_t n = b.size();
  require(n > 0, "bodies in what was accepted");
  for (const auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz})
    require(a->size() == n, "arrays of one length");
  require(b.id.size() == n && b.type.size() == n, "an id and a type for each body");
  for (const auto* a : {&s.ax, &s.ay, &s.az, &s.potential})
    require(a->empty() || a->size() == n, "fields of no body or of all");
  for (const Type t : b.type) require(std::size_t(t) < type_names.size(), "known types");
  for (const auto& note : c.notes) require(note.find('\n') == note.npos, "notes of one line");
}

/// The bodies in the order of files that group them by type.
Snapshot grouped(const Snapshot& s) {
  std::vector<std::size_t> order(s.bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return s.bodies.type[i]; });
  Snapshot t = s;
  const auto permute = [&](auto& a) {
    if (a.empty()) return;
    const auto before = a;
    for (std::size_t k = 0; k < order.size(); ++k) a[k] = before[order[k]];
  };
  Bodies& b = t.bodies;
  for (auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &b.mass, &t.ax, &t.ay, &t.az, &t.potential})
    permute(*a);
  permute(b.id), permute(b.type);
  return t;
}

void check_same(const Snapshot& a, const Snapshot& b, const std::string& format) {
  const Bodies &p = a.bodies, &q = b.bodies;
  const std::array<std::pair<const std::vector<double>*, const std::vector<double>*>, 7> columns{
      {{&p.x, &q.x},
       {&p.y, &q.y},
       {&p.z, &q.z},
       {&p.vx, &q.vx},
       {&p.vy, &q.vy},
       {&p.vz, &q.vz},
       {&p.mass, &q.mass}}};
  for (const auto& [x, y] : columns) require(same_bits(*x, *y), "the same bits after " + format);
  require(p.id == q.id && p.type == q.type, "the same ids and types after " + format);
  // TIPSY holds the time in units with G = 1: one rounding there and one back.
  const double roundings = format.starts_with("tipsy") ? 2 * std::numeric_limits<double>::epsilon() : 0;
  require(std::abs(a.time - b.time) <= roundings * std::abs(a.time), "the same time after " + format);
  require(a.boundary.periodic == b.boundary.periodic &&
              (!a.boundary.periodic || a.boundary.length == b.boundary.length),
          "the same space after " + format);
}

void check_written(const Folder& folder, const Snapshot& s, const Format& format) {
  const WriteOptions how{.format = &format, .units = {}, .provenance = {}};
  const std::string name(format.name);
  const auto file = folder / "written";
  if (refused([&] { write_snapshot(file, s, how); })) return;
  FileContent back;
  require(!refused([&] { back = read_snapshot(file); }), "reading what was written as " + name);
  check_shape(back);
  require(back.format == &format, "the format that was written, " + name);
  require(back.snapshot.bodies.size() == s.bodies.size(), "as many bodies after " + name);
  if (losses(s, how).empty()) check_same(format.kept.order ? s : grouped(s), back.snapshot, name);
  // What a format cannot keep is gone the first time.
  FileContent again;
  require(!refused([&] { write_snapshot(file, back.snapshot, how); }), "writing it again as " + name);
  require(!refused([&] { again = read_snapshot(file); }), "reading it again as " + name);
  check_same(back.snapshot, again.snapshot, name + ", written again");
}

BodyRange middle_of(std::size_t bodies) { return {bodies / 3, bodies - 2 * (bodies / 3)}; }

/// A part of what was read as a whole.
void check_part(const FileContent& whole, const FileContent& part) {
  const auto range = middle_of(whole.count);
  const auto same = [&](const auto& all, const auto& some) {
    if (all.empty()) return some.empty();
    const auto from = all.begin() + std::ptrdiff_t(range.first);
    return same_bits(std::decay_t<decltype(all)>(from, from + std::ptrdiff_t(range.count)), some);
  };
  const Snapshot &s = whole.snapshot, &t = part.snapshot;
  const Bodies &p = s.bodies, &q = t.bodies;
  require(whole.count == p.size() && part.count == whole.count, "the number of all bodies");
  require(same(p.x, q.x) && same(p.y, q.y) && same(p.z, q.z) && same(p.vx, q.vx) && same(p.vy, q.vy) &&
              same(p.vz, q.vz) && same(p.mass, q.mass) && same(p.id, q.id) && same(p.type, q.type),
          "the bodies of a part");
  require(same(s.ax, t.ax) && same(s.ay, t.ay) && same(s.az, t.az) && same(s.potential, t.potential),
          "the fields of a part");
}

}  // namespace

void check_file(const Folder& folder, const std::filesystem::path& file) {
  FileContent c, part;
  const bool bad = refused([&] { c = read_snapshot(file); });
  // What is wrong with bodies of other parts is not seen there.
  const bool bad_part =
      refused([&] { part = files::read_snapshot(file, {}, false, files::Wanted(middle_of)); });
  if (bad) return;
  require(!bad_part, "reading a part of what is read whole");
  check_part(c, part);
  check_shape(c);
  if (refused([&] { validate(c.snapshot.bodies, 1, "fuzz"); })) return;
  for (const Format* format : formats()) check_written(folder, c.snapshot, *format);
}

}  // namespace pleiad::fuzz
