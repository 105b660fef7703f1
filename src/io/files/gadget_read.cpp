/// Reading GADGET-1/2 binary: the bodies of its blocks, which have their meaning by label, or by place and
/// content.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/gadget_file.hpp"
#include "io/files/gadget_order.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using namespace gadget;

/// Bytes per number of a block that must hold `numbers` of them; InputError when it holds another amount.
std::size_t width_of(const GadgetFile& f, const Block* block, std::string_view label, std::uint64_t numbers) {
  if (block == nullptr) f.refuse(fmt::format("block '{}' is missing; the blocks are {}", label, f.list()));
  for (const std::size_t width : {4, 8})
    if (block->content.size() == width * numbers) return width;
  f.refuse(fmt::format("block '{}' has {} bytes; {} numbers need {} or {}; the blocks are {}", block->label,
                       block->content.size(), numbers, 4 * numbers, 8 * numbers, f.list()));
}

/// Bodies in `range` of the file go to the places from `first` on.
void read_vectors(const GadgetFile& f, std::string_view label, BodyRange range,
                  std::array<std::vector<double>*, 3> to, std::size_t first) {
  if (f.bodies == 0) return;
  const Block* block = f.find(label);
  const std::size_t width = width_of(f, block, label, 3 * f.bodies);
  for (std::size_t i = 0; i < range.count; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      (*to[k])[first + i] = real_at(block->content, 3 * (range.first + i) + k, width, f.order);
}

void read_masses(const GadgetFile& f, std::uint64_t individual, BodyRange range, Bodies& b,
                 std::size_t body) {
  const Block* block = f.find("MASS");
  const std::size_t width = individual > 0 ? width_of(f, block, "MASS", individual) : 0;
  std::size_t before = 0, in_block = 0;
  for (std::size_t t = 0; t < 6; ++t) {
    const auto of_type = range.among(before, f.count[t]);
    for (std::size_t i = of_type.first; i < of_type.first + of_type.count; ++i, ++body) {
      b.type[body] = Type(t);
      b.mass[body] = f.mass[t] > 0 ? f.mass[t] : real_at(block->content, in_block + i, width, f.order);
    }
    before += f.count[t];
    if (!(f.mass[t] > 0)) in_block += f.count[t];
  }
}

/// GADGET reads masses only for types without one in its table; another block of masses is not ignored
/// silently.
void note_unused_masses(const GadgetFile& f, FileContent& out) {
  const Block* block = f.find("MASS");
  if (block == nullptr || f.bodies == 0 || !may_be_masses(f, *block, f.bodies)) return;
  constexpr double rounding = 1e-6;
  const std::size_t width = block->content.size() / f.bodies;
  for (std::size_t t = 0, i = 0; t < 6; ++t)
    for (const auto end = i + f.count[t]; i < end; ++i)
      if (!(std::abs(real_at(block->content, i, width, f.order) - f.mass[t]) <= rounding * f.mass[t])) {
        out.notes.push_back(
            fmt::format("the block in the place of masses, {} bytes, differs from the header's mass table, "
                        "which is used, as GADGET "
                        "reads it",
                        block->content.size()));
        return;
      }
}

/// False when the file has no ids.
bool read_ids(const GadgetFile& f, BodyRange range, Bodies& b, std::size_t first) {
  const Block* block = f.find("ID  ");
  if (block == nullptr) return f.bodies == 0;
  const std::size_t width = width_of(f, block, "ID  ", f.bodies);
  for (std::size_t i = 0; i < range.count; ++i) {
    const std::size_t place = width * (range.first + i);
    b.id[first + i] = width == 4 ? number_at<std::uint32_t>(block->content, place, f.order)
                                 : number_at<std::uint64_t>(block->content, place, f.order);
  }
  return true;
}

/// Appends the bodies of one file that are in `range` of all; false when it has no ids. `before`: bodies of
/// the files before it.
bool append_bodies(GadgetFile& f, std::size_t before, BodyRange of_all, FileContent& out) {
  std::uint64_t individual = 0;
  for (std::size_t t = 0; t < 6; ++t) individual += f.mass[t] > 0 ? 0 : f.count[t];
  if (f.bodies > f.bytes.size() / 24)
    f.refuse(
        fmt::format("the header promises {} bodies, but the file has only {} bytes; it is cut off or damaged",
                    f.bodies, f.bytes.size()));
  Bodies& b = out.snapshot.bodies;
  const BodyRange range = of_all.among(before, f.bodies);
  const std::size_t first = b.size();
  b.resize(first + range.count);
  read_vectors(f, "POS ", range, {&b.x, &b.y, &b.z}, first);
  read_vectors(f, "VEL ", range, {&b.vx, &b.vy, &b.vz}, first);
  if (auto note = settle_order(f, individual); !note.empty() && before == 0)
    out.notes.push_back(std::move(note));
  read_masses(f, individual, range, b, first);
  if (std::any_of(f.mass.begin(), f.mass.end(), [](double m) { return m > 0; }) && before == 0)
    out.notes.push_back("masses of some types come from the header's mass table");
  if (individual == 0 && before == 0) note_unused_masses(f, out);
  for (const Block& block : f.blocks)
    if (before == 0 && std::find(labels.begin(), labels.end(), block.label) == labels.end())
      out.notes.push_back(fmt::format("block '{}' ({} bytes) skipped", block.label, block.content.size()));
  return read_ids(f, range, b, first);
}

void read_units(const GadgetFile& f, FileContent& out) {
  Snapshot& s = out.snapshot;
  s.units = units_named("galactic");
  double G = 0;
  if (f.units.starts_with(units_tag)) {
    const auto value = [&](std::size_t k) {
      return number_at<double>(f.units, units_tag.size() + 8 * k, f.order);
    };
    const bool scaled = value(0) != 0 || value(1) != 0 || value(2) != 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (scaled && !(value(k) > 0 && std::isfinite(value(k))))
        f.refuse(fmt::format("the header's unit {} is {}; it must be > 0", k, value(k)));
    s.units = scaled ? recognised_units(value(0), value(1), value(2)) : units_named("nbody");
    out.units_stated = true;
    G = value(3);
    if (!(G >= 0 && std::isfinite(G))) f.refuse(fmt::format("the header's G is {}; it must be > 0", G));
  }
  s.G = G > 0 ? G : s.units.G();
}

/// The parts of a set are pieces of one snapshot: their headers must agree in the values for the whole.
void need_one_set(const GadgetFile& first, const GadgetFile& part) {
  const auto agree = [&](const std::string& what, const auto& a, const auto& b) {
    if (!(a == b))
      part.refuse(fmt::format("the header's {} is {}, but in '{}' it is {}; all parts of a set must agree",
                              what, b, first.name, a));
  };
  agree("time", first.time, part.time), agree("redshift", first.redshift, part.redshift);
  agree("BoxSize", first.box, part.box), agree("Omega0", first.omega0, part.omega0);
  agree("HubbleParam", first.hubble, part.hubble), agree("number of files", first.files, part.files);
  for (std::size_t t = 0; t < 6; ++t) {
    if (first.count[t] > 0 && part.count[t] > 0)  // values for types without bodies have no meaning
      agree(fmt::format("mass of type {}", t), first.mass[t], part.mass[t]);
    agree(fmt::format("total of type {}", t), first.total[t], part.total[t]);
  }
  const auto states = [](const GadgetFile& f) { return f.units.starts_with(units_tag); };
  agree("statement of units", states(first), states(part));
  for (std::size_t at = units_tag.size(); states(first) && at < units_bytes; at += 8)
    agree("unit of length, mass or velocity, or G", number_at<double>(first.units, at, first.order),
          number_at<double>(part.units, at, part.order));
}

Cosmology read_cosmology(const GadgetFile& f, FileContent& out) {
  if (f.says_cosmology) return cosmology_of(f.hubble, f.time, f.redshift, f.omega0);
  if (f.redshift != 0)
    f.refuse(fmt::format(
        "redshift {} in GADGET-4's own header, which does not hold the HubbleParam and Omega0 that "
        "its numbers need; write HDF5, or use GADGET2_HEADER",
        f.redshift));
  out.notes.push_back(
      "GADGET-4's own header holds neither HubbleParam nor Omega0: the numbers are taken as they are");
  return {};
}

/// What a header states of the universe; OmegaLambda is the rest of a flat one where it is no density.
ComovingUniverse universe_of(const GadgetFile& f, double h) {
  const bool stated = f.omega_lambda >= -100 && f.omega_lambda <= 100;
  return {.omega_m = f.omega0, .omega_lambda = stated ? f.omega_lambda : 1 - f.omega0, .h = h};
}

}  // namespace

FileContent read_gadget(const fs::path& file, const Wanted& wanted) {
  GadgetFile f = load(file);
  const auto total = f.total;
  const auto parts = parts_of(file, f.files);
  FileContent out;
  if (f.order == Order::big) out.notes.push_back("a big-endian file");
  if (parts.size() > 1) out.notes.push_back(fmt::format("a set of {} files", parts.size()));
  for (const auto& part : parts) out.files.push_back(part.string());
  if (f.box > 0) take_box(out, {f.box, f.box, f.box}, wanted);
  read_units(f, out);
  out.snapshot.time = f.time;
  const Cosmology cosmology = read_cosmology(f, out);
  out.count = parts.size() > 1 ? std::accumulate(total.begin(), total.end(), std::uint64_t{0}) : f.bodies;
  const BodyRange range = wanted.of(out.count);
  std::array<std::uint64_t, 6> found{};
  bool ids = true;
  std::size_t before = 0;
  auto head = parts.size() > 1 ? std::optional(head_of(load(parts[0]))) : std::nullopt;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (head) need_one_set(*head, f = load(parts[k]));
    // A type that the parts before it lack has the mass that the first part with such bodies gives it.
    for (std::size_t t = 0; head && t < 6; ++t)
      if (head->count[t] == 0) head->count[t] = f.count[t], head->mass[t] = f.mass[t];
    for (std::size_t t = 0; t < 6; ++t) found[t] += f.count[t];
    ids &= append_bodies(f, before, range, out);
    before += f.bodies;
  }
  if (out.count == 0) f.refuse("the header counts no bodies");
  // A file that stands alone may state nothing.
  const bool promises = parts.size() > 1 || total != std::array<std::uint64_t, 6>{};
  for (std::size_t t = 0; t < 6; ++t)
    if (promises && found[t] != total[t])
      throw InputError(fmt::format("'{}': the {} holds {} bodies of type {}, but this header promises {}",
                                   file.string(), parts.size() > 1 ? "set" : "one file that there is",
                                   found[t], t, total[t]));
  if (!ids) make_ids(out, range.first);
  settle_cosmology(out, cosmology, universe_of(f, cosmology.h), wanted);
  return out;
}

}  // namespace pleiad::files
