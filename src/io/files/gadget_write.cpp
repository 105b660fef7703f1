/// Writing GADGET-1/2 binary: little-endian, single precision, one MASS block for all bodies, ids of 32 bits
/// where they fit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/bytes.hpp"
#include "io/files/gadget.hpp"
#include "io/files/gadget_order.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using namespace gadget;

constexpr std::size_t gadget_types = 6;
using Groups = std::array<std::vector<std::size_t>, gadget_types>;
using Counts = std::array<std::uint64_t, gadget_types>;

/// Numbers of all bodies.
Counts counts_of(const Groups& groups, const Share& share) {
  Counts counts{};
  std::ranges::transform(groups, counts.begin(), [](const auto& group) { return group.size(); });
  share.comm().sum(counts);
  return counts;
}

/// A block of the bodies, grouped by type: make(i, to) writes the bytes of body i.
struct NewBlock {
  std::string_view label;
  std::size_t bytes_each = 0;
  std::function<void(std::size_t i, char* to)> make;
};

template <class T>
char* put_at(char* to, T value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

class BlockWriter {
 public:
  BlockWriter(SharedFile& file, bool labelled) : file_(file), labelled_(labelled) {}

  void block(std::string_view label, std::string_view bytes) {
    begin(label, bytes.size());
    file_.append(bytes);
    end(bytes.size());
  }
  void block(const NewBlock& block, const Groups& groups) {
    const std::size_t size = block.bytes_each * file_.share().bodies();
    begin(block.label, size);
    for (const auto& group : groups)
      file_.append(Rows{group.size(), block.bytes_each, [&](std::size_t first, std::size_t n, char* to) {
                          for (std::size_t k = first; k < first + n; ++k, to += block.bytes_each)
                            block.make(group[k], to);
                        }});
    end(size);
  }

 private:
  void begin(std::string_view label, std::size_t size) {
    std::string bytes;
    if (labelled_) {
      append(bytes, std::uint32_t{8});
      bytes += label;
      append(bytes, std::uint32_t(size + 8));
      append(bytes, std::uint32_t{8});
    }
    append(bytes, std::uint32_t(size));
    file_.append(bytes);
  }
  void end(std::size_t size) {
    std::string bytes;
    append(bytes, std::uint32_t(size));
    file_.append(bytes);
  }

  SharedFile& file_;
  bool labelled_;
};

template <class T>
void put(std::string& header, std::size_t offset, T value) {
  header.replace(offset, sizeof(T), std::bit_cast<std::array<char, sizeof(T)>>(value).data(), sizeof(T));
}

std::string header_of(const Snapshot& s, const Counts& counts) {
  std::string h(header_bytes, '\0');
  for (std::size_t t = 0; t < gadget_types; ++t)
    for (const std::size_t offset : {at_count, at_total}) put(h, offset + 4 * t, std::uint32_t(counts[t]));
  put(h, at_time, s.time);
  put(h, at_files, std::int32_t{1});
  put(h, at_hubble, 1.0);
  if (s.boundary.periodic)
    put(h, at_box, std::max({s.boundary.length.x, s.boundary.length.y, s.boundary.length.z}));
  h.replace(at_units, units_tag.size(), units_tag);
  const Units& u = s.units;
  std::size_t offset = at_units + units_tag.size();
  for (const double v : {u.length_cm, u.mass_g, u.velocity_cm_s})
    put(h, offset, u.physical ? v : 0.0), offset += 8;
  if (s.G != u.G()) put(h, at_G, s.G);
  return h;
}

std::vector<NewBlock> blocks_of(const Bodies& b, const Share& share) {
  const auto vectors = [](std::string_view label, const auto& x, const auto& y, const auto& z) {
    return NewBlock{label, 12, [&x, &y, &z](std::size_t i, char* to) {
                      for (const double v : {x[i], y[i], z[i]}) to = put_at(to, float(v));
                    }};
  };
  const bool wide = any_wide_id(b, share);
  return {vectors("POS ", b.x, b.y, b.z), vectors("VEL ", b.vx, b.vy, b.vz),
          NewBlock{"ID  ", wide ? 8U : 4U,
                   [&b, wide](std::size_t i, char* to) {
                     wide ? put_at(to, b.id[i]) : put_at(to, std::uint32_t(b.id[i]));
                   }},
          NewBlock{"MASS", 4, [&b](std::size_t i, char* to) { put_at(to, float(b.mass[i])); }}};
}

void need_room(const NewBlock& block, std::size_t bodies) {
  const std::size_t size = block.bytes_each * bodies;
  if (size > std::numeric_limits<std::int32_t>::max())
    throw UsageError(fmt::format("GADGET binary blocks end at 2 GiB, and '{}' needs {} bytes; write hdf5",
                                 block.label, size));
}

}  // namespace

void need_gadget(const Snapshot& s, const WriteOptions&, const Share& share) {
  need_single(s, share);
  for (const auto& block : blocks_of(s.bodies, share)) need_room(block, share.bodies());
}

void need_unlabelled(const Snapshot& s, const WriteOptions& how, const Share& share) {
  need_gadget(s, how, share);
  const auto& mass = s.bodies.mass;
  const auto small = std::ranges::find_if(mass, [](double m) { return m > 0 && m < gadget::least_mass; });
  ranks::agree(share.comm(), [&] {
    if (small != mass.end())
      throw InputError(fmt::format(
          "the mass of body {}, {:g} in units {}, would be taken for an id in a file without labels, where "
          "masses must be 0 or at least {:g}; write gadget2 or hdf5, or convert to other units",
          share.first() + std::size_t(small - mass.begin()), *small, s.units.name, gadget::least_mass));
  });
}

void write_gadget(const fs::path& file, const Snapshot& s, bool labelled, const Share& share) {
  labelled ? need_gadget(s, {}, share) : need_unlabelled(s, {}, share);
  const auto groups = by_type(s.bodies);
  const auto counts = counts_of(groups, share);
  const auto blocks = blocks_of(s.bodies, share);
  write_shared(file, share, [&](SharedFile& out) {
    BlockWriter writer(out, labelled);
    writer.block("HEAD", header_of(s, counts));
    for (const auto& block : blocks) writer.block(block, groups);
  });
}

}  // namespace pleiad::files
