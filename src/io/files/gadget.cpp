/// GADGET-1 and GADGET-2 binary as formats: single precision, grouped by type, nothing beside the bodies and
/// the time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/gadget.hpp"

#include "io/files/bytes.hpp"

namespace pleiad {
namespace files {
namespace {

/// The first block is begun by its mark, and ended by the same one.
template <bool labelled>
Likeness likeness(std::string_view start) {
  const auto has = [&](std::size_t at, std::uint32_t mark, Order order) {
    return start.size() >= at + 4 && number_at<std::uint32_t>(start, at, order) == mark;
  };
  auto found = Likeness::none;
  for (const auto order : {Order::little, Order::big}) {
    if (labelled ? !has(0, 8, order) || start.substr(4, 4) != "HEAD" : !has(0, 256, order)) continue;
    if (labelled ? has(12, 8, order) : has(260, 256, order)) return Likeness::strong;
    found = Likeness::slight;
  }
  return found;
}

template <bool labelled>
constexpr Format format{
    .name = labelled ? "gadget2" : "gadget1",
    .family = "GADGET (binary or HDF5)",
    .ending = labelled ? ".gadget2" : ".gadget1",
    .assumed_units = "galactic",
    .readers_units = "galactic",
    .likeness = likeness<labelled>,
    .read = [](const fs::path& file, bool, const Wanted& wanted) { return read_gadget(file, wanted); },
    .write = [](const fs::path& file, const Snapshot& snapshot, const WriteOptions&,
                const Share& share) { write_gadget(file, snapshot, labelled, share); }};

}  // namespace
}  // namespace files

extern constinit const Format format_gadget1 = files::format<false>;
extern constinit const Format format_gadget2 = files::format<true>;

}  // namespace pleiad
