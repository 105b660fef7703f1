/// Writing GADGET-1/2 binary: little-endian, single precision, one MASS block for all bodies, ids of 32 bits
/// where they fit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/bytes.hpp"
#include "io/files/gadget.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using namespace gadget;

/// A file that grows block by block.
struct Writer {
  std::string bytes;
  bool labelled = false;

  template <class Fill>
  void block(std::string_view label, std::size_t size, Fill fill) {
    if (size > std::numeric_limits<std::int32_t>::max())
      throw UsageError(
          fmt::format("GADGET binary blocks end at 2 GiB, and '{}' needs {} bytes; write hdf5", label, size));
    if (labelled) {
      append(bytes, std::uint32_t{8});
      bytes += label;
      append(bytes, std::uint32_t(size + 8));
      append(bytes, std::uint32_t{8});
    }
    append(bytes, std::uint32_t(size));
    fill();
    append(bytes, std::uint32_t(size));
  }
};

template <class T>
void put(std::string& header, std::size_t offset, T value) {
  header.replace(offset, sizeof(T), std::bit_cast<std::array<char, sizeof(T)>>(value).data(), sizeof(T));
}

std::string header_of(const Snapshot& s, const std::array<std::vector<std::size_t>, 6>& groups) {
  std::string h(header_bytes, '\0');
  for (std::size_t t = 0; t < 6; ++t)
    for (const std::size_t offset : {at_count, at_total})
      put(h, offset + 4 * t, std::uint32_t(groups[t].size()));
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
  return h;
}

}  // namespace

std::string gadget_image(const Snapshot& s, bool labelled) {
  need_single(s);
  const Bodies& b = s.bodies;
  const std::size_t n = b.size();
  const auto groups = by_type(b);
  const auto each = [&](auto visit) {
    for (const auto& group : groups)
      for (const std::size_t i : group) visit(i);
  };
  Writer out{.bytes = {}, .labelled = labelled};
  out.bytes.reserve(n * 36 + 512);
  out.block("HEAD", header_bytes, [&] { out.bytes += header_of(s, groups); });
  const auto vectors = [&](std::string_view label, const auto& x, const auto& y, const auto& z) {
    out.block(label, 12 * n, [&] {
      each([&](std::size_t i) {
        for (const double v : {x[i], y[i], z[i]}) append(out.bytes, float(v));
      });
    });
  };
  vectors("POS ", b.x, b.y, b.z);
  vectors("VEL ", b.vx, b.vy, b.vz);
  const bool wide = std::any_of(b.id.begin(), b.id.end(), [](std::uint64_t id) { return id > 0xffffffff; });
  out.block("ID  ", (wide ? 8 : 4) * n, [&] {
    each([&](std::size_t i) {
      wide ? append(out.bytes, b.id[i]) : append(out.bytes, std::uint32_t(b.id[i]));
    });
  });
  out.block("MASS", 4 * n, [&] { each([&](std::size_t i) { append(out.bytes, float(b.mass[i])); }); });
  return std::move(out.bytes);
}

}  // namespace pleiad::files
