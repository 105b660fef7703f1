/// The state of a run as sections of the container, and back: every field, every bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/sections.hpp"

#include <pleiad/checkpoint.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

namespace pleiad {
namespace {

using Names = std::array<std::string_view, 9>;
constexpr Names body_sections{"bodies.x",  "bodies.y",    "bodies.z",  "bodies.vx",  "bodies.vy",
                              "bodies.vz", "bodies.mass", "bodies.id", "bodies.type"};
constexpr std::array<std::string_view, 4> field_sections{"field.ax", "field.ay", "field.az",
                                                         "field.potential"};
constexpr std::array<std::string_view, 5> text_sections{"config", "code_version", "precision", "kernel",
                                                        "simd_target"};

/// Bodies::low, series and softening, when there are some: in `extra`, so that a checkpoint without it is as
/// it always was.
constexpr std::string_view low_entry = "bodies.low", series_entry = "bodies.series",
                           softening_entry = "bodies.softening";

// The structured bindings name every member: a member added later does not compile until it is saved too.
// `state` is a Checkpoint, const or not; the result refers to it.

/// Numbers of 8 bytes: section "run", in this order.
template <class State>
auto numbers(State& state) {
  auto& [snapshot, dt, start_time, reference_energy, next_output, config, version, precision, kernel, simd,
         files, extra] = state;
  auto& [time, step, bodies, units, G, boundary, ax, ay, az, potential] = snapshot;
  auto& [unit_name, physical, length_cm, mass_g, velocity_cm_s] = units;
  auto& [periodic, length, images] = boundary;
  return std::tie(time, step, dt, start_time, reference_energy, next_output, G, length.x, length.y, length.z,
                  length_cm, mass_g, velocity_cm_s);
}

template <class State>
auto body_arrays(State& state) {
  // low, series and softening: entries of `extra`
  auto& [x, y, z, vx, vy, vz, mass, id, type, low, series, softening] = state.snapshot.bodies;
  return std::tie(x, y, z, vx, vy, vz, mass, id, type);
}

template <class State>
auto field_arrays(State& state) {
  return std::tie(state.snapshot.ax, state.snapshot.ay, state.snapshot.az, state.snapshot.potential);
}

template <class State>
auto texts(State& state) {
  return std::tie(state.config, state.code_version, state.precision, state.kernel, state.simd_target);
}

/// Calls `action(name, member)` for each member of a tuple, with the name of its section.
template <std::size_t N, class Tuple, class Action>
void for_each(const std::array<std::string_view, N>& names, const Tuple& members, Action action) {
  static_assert(std::tuple_size_v<Tuple> == N);
  std::apply(
      [&](auto&... member) {
        std::size_t k = 0;
        (action(names[k++], member), ...);
      },
      members);
}

template <class T>
std::string_view raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

void put(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(std::string& out, double value) { put(out, std::bit_cast<std::uint64_t>(value)); }
void put(std::string& out, std::string_view text) {
  put(out, std::uint64_t{text.size()});
  out += text;
}

/// 0: open, 1: periodic with the nearest images, 2: with all images.
std::uint64_t space_of(const Boundary& space) {
  return !space.periodic ? 0 : space.images == Images::all ? 2 : 1;
}

/// Takes numbers and texts off a payload, never beyond its end.
class Fields {
 public:
  Fields(const container::Reader& reader, std::string_view section, std::string_view payload)
      : reader_(reader), section_(section), left_(payload) {}
  void get(std::uint64_t& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  void get(double& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  void get(std::string& text) {
    std::uint64_t length = 0;
    get(length);
    text = take(length);
  }
  void get(bool& flag) {
    std::uint64_t value = 0;
    get(value);
    if (value > 1) refuse(fmt::format("a flag has the value {}; it must be 0 or 1", value));
    flag = value == 1;
  }
  void get(Boundary& space) {
    std::uint64_t value = 0;
    get(value);
    if (value > 2) refuse(fmt::format("its space has the value {}; it must be 0, 1 or 2", value));
    space.periodic = value > 0, space.images = value == 2 ? Images::all : Images::nearest;
  }
  void finish() const {
    if (!left_.empty()) refuse(fmt::format("it has {} bytes too many", left_.size()));
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    reader_.refuse(fmt::format("section '{}'", section_), why);
  }
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) refuse("it is too short for what it should hold");
    const auto taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  const container::Reader& reader_;
  std::string_view section_, left_;
};

template <class Map>
std::string packed(const Map& map) {
  std::string out;
  put(out, std::uint64_t{map.size()});
  for (const auto& [name, value] : map) {
    put(out, std::string_view(name));
    put(out, value);
  }
  return out;
}

template <class Map>
void unpack(container::Reader& reader, std::string_view section, Map& map) {
  Fields fields(reader, section, reader.section(section));
  std::uint64_t count = 0;
  fields.get(count);
  for (std::uint64_t k = 0; k < count; ++k) {  // a count that lies runs into the end of the payload
    std::string name;
    fields.get(name);
    fields.get(map[name]);
  }
  fields.finish();
}

template <class T>
void read_array(container::Reader& reader, std::string_view section, std::uint64_t n, std::vector<T>& values,
                bool may_be_empty = false) {
  const auto payload = reader.section(section);
  if (may_be_empty && payload.empty()) return;
  if (payload.size() % sizeof(T) != 0 || payload.size() / sizeof(T) != n)
    reader.refuse(
        fmt::format("section '{}'", section),
        fmt::format("it has {} bytes; {} values of {} bytes must be there", payload.size(), n, sizeof(T)));
  values.resize(n);
  if (n > 0) std::memcpy(values.data(), payload.data(), payload.size());
}

void check_types(const container::Reader& reader, std::span<const Type> types) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (static_cast<std::size_t>(types[i]) >= type_names.size())
      reader.refuse("section 'bodies.type'", fmt::format("body {} has type {}; types are 0 to {}", i,
                                                         static_cast<int>(types[i]), type_names.size() - 1));
}

/// Checks the lengths before saving: a mistake in the program must not look like damage on the next start.
void check_lengths(const Checkpoint& checkpoint) {
  const std::size_t n = checkpoint.snapshot.bodies.size();
  const auto check = [&](std::string_view name, std::size_t size, bool may_be_empty) {
    if (size != n && !(may_be_empty && size == 0))
      throw InputError(
          fmt::format("cannot save a checkpoint: {} has {} entries for {} bodies", name, size, n));
  };
  for_each(body_sections, body_arrays(checkpoint),
           [&](auto name, const auto& a) { check(name, a.size(), false); });
  check(low_entry, checkpoint.snapshot.bodies.low.size(), true);
  check(series_entry, checkpoint.snapshot.bodies.series.size(), true);
  check(softening_entry, checkpoint.snapshot.bodies.softening.size(), true);
  for_each(field_sections, field_arrays(checkpoint),
           [&](auto name, const auto& a) { check(name, a.size(), true); });
}

/// The numbers of a body in an optional array.
template <std::size_t N>
std::span<const double> parts_of(const std::array<double, N>& values) {
  return values;
}
std::span<const double> parts_of(const double& value) { return {&value, 1}; }

/// Takes an optional array of the bodies out of `extra`.
template <class Values>
void unpack(const container::Reader& reader, std::string_view name, std::uint64_t n, Checkpoint& checkpoint,
            std::vector<Values>& values) {
  const auto entry = checkpoint.extra.find(std::string(name));
  if (entry == checkpoint.extra.end()) return;
  const std::string& bytes = entry->second;
  if (bytes.size() % sizeof(Values) != 0 || bytes.size() / sizeof(Values) != n)
    reader.refuse("section 'extra'", fmt::format("'{}' has {} bytes; {} values of {} bytes must be there",
                                                 name, bytes.size(), n, sizeof(Values)));
  values.resize(n);
  if (n > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const double part : parts_of(values[i]))
      if (!std::isfinite(part))
        reader.refuse("section 'extra'",
                      fmt::format("'{}' of body {} is {}; it must be finite", name, i, part));
  checkpoint.extra.erase(entry);
}

}  // namespace

void with_sections(const Checkpoint& checkpoint, const std::function<void(const container::Writer&)>& use) {
  check_lengths(checkpoint);
  const Snapshot& snapshot = checkpoint.snapshot;
  auto more = checkpoint.extra;
  if (!snapshot.bodies.low.empty()) more[std::string(low_entry)] = raw(snapshot.bodies.low);
  if (!snapshot.bodies.series.empty()) more[std::string(series_entry)] = raw(snapshot.bodies.series);
  if (!snapshot.bodies.softening.empty()) more[std::string(softening_entry)] = raw(snapshot.bodies.softening);
  const std::string files = packed(checkpoint.appended_files), extra = packed(more);
  std::string run;
  put(run, std::uint64_t{snapshot.bodies.size()});
  std::apply([&](const auto&... value) { (put(run, value), ...); }, numbers(checkpoint));
  put(run, std::uint64_t{snapshot.units.physical});
  put(run, space_of(snapshot.boundary));
  put(run, std::string_view(snapshot.units.name));

  container::Writer writer;
  writer.section("run", run);
  for_each(text_sections, texts(checkpoint),
           [&](auto name, const auto& text) { writer.section(name, text); });
  writer.section("appended_files", files);
  writer.section("extra", extra);
  for_each(body_sections, body_arrays(checkpoint),
           [&](auto name, const auto& a) { writer.section(name, raw(a)); });
  for_each(field_sections, field_arrays(checkpoint),
           [&](auto name, const auto& a) { writer.section(name, raw(a)); });
  use(writer);
}

std::string encode(const Checkpoint& checkpoint) {
  std::string bytes;
  with_sections(checkpoint, [&](const container::Writer& writer) {
    bytes.reserve(writer.size());
    writer.write([&](std::string_view piece) { bytes += piece; });
  });
  return bytes;
}

Checkpoint decode(std::string_view bytes, std::string_view origin) {
  container::Reader reader(bytes, origin);
  Checkpoint checkpoint;
  Snapshot& snapshot = checkpoint.snapshot;
  Fields run(reader, "run", reader.section("run"));
  std::uint64_t n = 0;
  run.get(n);
  std::apply([&](auto&... value) { (run.get(value), ...); }, numbers(checkpoint));
  run.get(snapshot.units.physical);
  run.get(snapshot.boundary);
  run.get(snapshot.units.name);
  run.finish();
  for_each(text_sections, texts(checkpoint), [&](auto name, auto& text) { text = reader.section(name); });
  unpack(reader, "appended_files", checkpoint.appended_files);
  unpack(reader, "extra", checkpoint.extra);
  for_each(body_sections, body_arrays(checkpoint),
           [&](auto name, auto& a) { read_array(reader, name, n, a); });
  unpack(reader, low_entry, n, checkpoint, checkpoint.snapshot.bodies.low);
  unpack(reader, series_entry, n, checkpoint, checkpoint.snapshot.bodies.series);
  unpack(reader, softening_entry, n, checkpoint, checkpoint.snapshot.bodies.softening);
  check_types(reader, snapshot.bodies.type);
  for_each(field_sections, field_arrays(checkpoint),
           [&](auto name, auto& a) { read_array(reader, name, n, a, true); });
  reader.finish();
  return checkpoint;
}

}  // namespace pleiad
