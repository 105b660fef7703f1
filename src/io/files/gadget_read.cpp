/// Reading GADGET-1/2 binary: the blocks are found by their marks first, then given their meaning by label or
/// by place.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/files/bytes.hpp"
#include "io/files/gadget.hpp"
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

struct Block {
  std::string label;
  std::string_view content;
};

/// One file of a set, in memory.
struct GadgetFile {
  std::string name, bytes;
  Order order = Order::little;
  bool labelled = false;
  std::vector<Block> blocks{};
  std::array<std::uint64_t, 6> count{}, total{};
  std::array<double, 6> mass{};
  std::uint64_t bodies = 0;

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("'{}': {}", name, why));
  }
  template <class T>
  T header(std::size_t offset) const {
    return number_at<T>(blocks.front().content, offset, order);
  }
  const Block* find(std::string_view label) const {
    const auto it =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.label == label; });
    return it == blocks.end() ? nullptr : &*it;
  }
};

/// The next record's content; the two marks around it must agree and lie inside the file.
std::string_view next_record(const GadgetFile& f, std::size_t& offset) {
  const std::size_t left = f.bytes.size() - offset;
  if (left < 8)
    f.refuse(
        fmt::format("{} stray bytes after the last whole block, at byte {}; the file is cut off or damaged",
                    left, offset));
  const std::size_t length = number_at<std::uint32_t>(f.bytes, offset, f.order);
  if (length > left - 8)
    f.refuse(fmt::format(
        "the block at byte {} says {} bytes, but only {} are left; the file is cut off or damaged", offset,
        length, left - 8));
  const std::size_t end = number_at<std::uint32_t>(f.bytes, offset + 4 + length, f.order);
  if (end != length)
    f.refuse(fmt::format("the block at byte {} begins with length {} and ends with {}", offset, length, end));
  const auto content = std::string_view(f.bytes).substr(offset + 4, length);
  offset += 8 + length;
  return content;
}

void find_blocks(GadgetFile& f) {
  if (f.bytes.size() < 4) f.refuse("too short for a GADGET file");
  const auto mark = [&](Order order) { return number_at<std::uint32_t>(f.bytes, 0, order); };
  const auto known = [](std::uint32_t m) { return m == header_bytes || m == 8; };
  f.order = known(mark(Order::little)) ? Order::little : Order::big;
  if (!known(mark(f.order)))
    f.refuse(fmt::format("begins with the mark {}; a GADGET file begins with 256 or 8", mark(Order::little)));
  f.labelled = mark(f.order) == 8;
  for (std::size_t offset = 0; offset < f.bytes.size();) {
    Block block;
    if (f.labelled) {
      const auto label = next_record(f, offset);
      if (label.size() != 8)
        f.refuse(fmt::format("a label of {} bytes before byte {}; labels have 8", label.size(), offset));
      block.label = label.substr(0, 4);
    } else {
      block.label = f.blocks.size() < labels.size() ? std::string(labels[f.blocks.size()])
                                                    : "block " + std::to_string(f.blocks.size());
    }
    if (offset == f.bytes.size()) f.refuse(fmt::format("ends after the label '{}'", block.label));
    block.content = next_record(f, offset);
    f.blocks.push_back(std::move(block));
  }
  if (f.blocks.front().label != "HEAD")
    f.refuse(fmt::format("begins with block '{}' instead of HEAD", f.blocks.front().label));
  if (f.blocks.front().content.size() != header_bytes)
    f.refuse(fmt::format("a header of {} bytes; it must have 256", f.blocks.front().content.size()));
}

void read_counts(GadgetFile& f) {
  for (std::size_t t = 0; t < 6; ++t) {
    f.count[t] = f.header<std::uint32_t>(at_count + 4 * t);
    f.total[t] = f.header<std::uint32_t>(at_total + 4 * t) +
                 (std::uint64_t{f.header<std::uint32_t>(at_total_high + 4 * t)} << 32);
    f.mass[t] = f.header<double>(at_mass + 8 * t);
    f.bodies += f.count[t];
    if (!(f.mass[t] >= 0 && std::isfinite(f.mass[t])))
      f.refuse(fmt::format("the header's mass of type {} is {}; it must be finite and >= 0", t, f.mass[t]));
  }
}

/// Bytes per number of a block that must hold `numbers` of them; InputError when it holds another amount.
std::size_t width_of(const GadgetFile& f, const Block* block, std::string_view label, std::uint64_t numbers) {
  if (block == nullptr) f.refuse(fmt::format("block '{}' is missing", label));
  for (const std::size_t width : {4, 8})
    if (block->content.size() == width * numbers) return width;
  f.refuse(fmt::format("block '{}' has {} bytes; {} numbers need {} or {}", block->label,
                       block->content.size(), numbers, 4 * numbers, 8 * numbers));
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

/// Small whole numbers read as floats are denormal: such a block holds ids, not masses.
bool looks_like_masses(const GadgetFile& f, const Block& block, std::uint64_t numbers) {
  for (const std::size_t width : {4, 8}) {
    if (numbers == 0 || block.content.size() != width * numbers) continue;
    for (std::size_t i = 0; i < numbers; ++i)
      if (const double m = real_at(block.content, i, width, f.order); !(m > 1e-30 && m < 1e30)) return false;
    return true;
  }
  return false;
}

/// Ids are optional, masses are not: a lone third block in an unlabelled file may be either.
void settle_third_block(GadgetFile& f, std::uint64_t individual_masses) {
  if (f.labelled || f.blocks.size() != 4 || individual_masses == 0) return;
  if (looks_like_masses(f, f.blocks[3], individual_masses)) f.blocks[3].label = "MASS";
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

GadgetFile load(const fs::path& file) {
  GadgetFile f{.name = file.string(), .bytes = read_file(file)};
  find_blocks(f);
  read_counts(f);
  return f;
}

/// Appends the bodies of one file that are in `range` of all; false when it has no ids. `before`: bodies of
/// the files before it.
bool append_bodies(GadgetFile& f, std::size_t before, BodyRange of_all, FileContent& out) {
  std::uint64_t individual = 0;
  for (std::size_t t = 0; t < 6; ++t) individual += f.mass[t] > 0 ? 0 : f.count[t];
  settle_third_block(f, individual);
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
  read_masses(f, individual, range, b, first);
  if (std::any_of(f.mass.begin(), f.mass.end(), [](double m) { return m > 0; }) && before == 0)
    out.notes.push_back("masses of some types come from the header's mass table");
  for (const Block& block : f.blocks)
    if (before == 0 && std::find(labels.begin(), labels.end(), block.label) == labels.end())
      out.notes.push_back(fmt::format("block '{}' ({} bytes) skipped", block.label, block.content.size()));
  return read_ids(f, range, b, first);
}

void read_units(const GadgetFile& f, FileContent& out) {
  out.snapshot.units = units_named("galactic");
  if (f.blocks.front().content.substr(at_units, units_tag.size()) == units_tag) {
    const auto value = [&](int k) { return f.header<double>(at_units + 8 + 8 * std::size_t(k)); };
    const bool scaled = value(0) != 0 || value(1) != 0 || value(2) != 0;
    for (int k = 0; k < 3; ++k)
      if (scaled && !(value(k) > 0 && std::isfinite(value(k))))
        f.refuse(fmt::format("the header's unit {} is {}; it must be > 0", k, value(k)));
    out.snapshot.units = scaled ? recognised_units(value(0), value(1), value(2)) : units_named("nbody");
    out.units_stated = true;
  }
  out.snapshot.G = out.snapshot.units.G();
}

/// A file of a set without its bodies: what it says of the whole.
GadgetFile head_of(const fs::path& file) {
  const GadgetFile whole = load(file);
  GadgetFile head{
      .name = whole.name, .bytes = std::string(whole.blocks.front().content), .order = whole.order};
  head.blocks.push_back({whole.blocks.front().label, head.bytes});
  head.total = whole.total, head.mass = whole.mass;
  return head;
}

/// The parts of a set are pieces of one snapshot: they must agree in all that the header says of the whole.
void need_one_set(const GadgetFile& first, const GadgetFile& part) {
  const auto agree = [&](const std::string& what, const auto& a, const auto& b) {
    if (!(a == b))
      part.refuse(fmt::format("the header's {} is {}, but in '{}' it is {}; all parts of a set must agree",
                              what, b, first.name, a));
  };
  const auto real = [&](const char* what, std::size_t offset) {
    agree(what, first.header<double>(offset), part.header<double>(offset));
  };
  real("time", at_time), real("redshift", at_redshift), real("BoxSize", at_box);
  real("Omega0", at_omega0), real("HubbleParam", at_hubble);
  agree("number of files", first.header<std::int32_t>(at_files), part.header<std::int32_t>(at_files));
  for (std::size_t t = 0; t < 6; ++t) {
    agree(fmt::format("mass of type {}", t), first.mass[t], part.mass[t]);
    agree(fmt::format("total of type {}", t), first.total[t], part.total[t]);
  }
  const auto units = [](const GadgetFile& f) { return f.blocks.front().content.substr(at_units, 32); };
  for (std::size_t k = 0; k < 3 && units(first) != units(part); ++k)
    real("unit of length, mass or velocity", at_units + units_tag.size() + 8 * k);
  agree("statement of units", units(first).starts_with(units_tag), units(part).starts_with(units_tag));
}

}  // namespace

FileContent read_gadget(const fs::path& file, const Wanted& wanted) {
  GadgetFile f = load(file);
  const auto total = f.total;
  const auto parts = parts_of(file, f.header<std::int32_t>(at_files));
  FileContent out;
  if (f.order == Order::big) out.notes.push_back("a big-endian file");
  if (parts.size() > 1) out.notes.push_back(fmt::format("a set of {} files", parts.size()));
  for (const auto& part : parts) out.files.push_back(part.string());
  const double box = f.header<double>(at_box);
  if (box != 0)
    out.notes.push_back(fmt::format("the header's BoxSize {} is not used: space is taken as open", box));
  read_units(f, out);
  out.snapshot.time = f.header<double>(at_time);
  if (!std::isfinite(out.snapshot.time)) f.refuse(fmt::format("the header's time is {}", out.snapshot.time));
  const Cosmology cosmology = cosmology_of(f.header<double>(at_hubble), out.snapshot.time,
                                           f.header<double>(at_redshift), f.header<double>(at_omega0));
  out.count = parts.size() > 1 ? std::accumulate(total.begin(), total.end(), std::uint64_t{0}) : f.bodies;
  const BodyRange range = wanted.of(out.count);
  std::array<std::uint64_t, 6> found{};
  bool ids = true;
  std::size_t before = 0;
  const auto head = parts.size() > 1 ? std::optional(head_of(parts[0])) : std::nullopt;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (head) need_one_set(*head, f = load(parts[k]));
    for (std::size_t t = 0; t < 6; ++t) found[t] += f.count[t];
    ids &= append_bodies(f, before, range, out);
    before += f.bodies;
  }
  for (std::size_t t = 0; t < 6; ++t)
    if (parts.size() > 1 && found[t] != total[t])
      throw InputError(fmt::format("'{}': the set holds {} bodies of type {}, but this header promises {}",
                                   file.string(), found[t], t, total[t]));
  if (out.count == 0) f.refuse("the header counts no bodies");
  if (!ids) make_ids(out, range.first);
  remove_cosmology(out, cosmology);
  return out;
}

}  // namespace pleiad::files
