/// GADGET-1 and GADGET-2 binary as formats: single precision, grouped by type; only the bodies, the time, the
/// units and G.
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
  const auto mark = [&](std::size_t at, Order order) {
    return start.size() >= at + 4 ? std::size_t{number_at<std::uint32_t>(start, at, order)} : 0;
  };
  auto found = Likeness::none;
  for (const auto order : {Order::little, Order::big}) {
    const std::size_t first = mark(0, order);
    if (labelled ? first != 8 || gadget::meant(start.substr(4, 4)) != "HEAD" : !gadget::is_header(first))
      continue;
    if (mark(first + 4, order) == first) return Likeness::strong;
    if (labelled || first == gadget::header_bytes) found = Likeness::slight;
  }
  return found;
}

template <bool labelled>
constexpr Format format{
    .name = labelled ? "gadget2" : "gadget1",
    .family = "GADGET (binary or HDF5)",
    .ending = labelled ? ".gadget2" : ".gadget1",
    .kept = {.G = true},
    .assumed_units = "galactic",
    .readers_units = "galactic",
    .likeness = likeness<labelled>,
    .read = [](const fs::path& file, bool, const Wanted& wanted) { return read_gadget(file, wanted); },
    .write = [](const fs::path& file, const Snapshot& snapshot, const WriteOptions&,
                const Share& share) { write_gadget(file, snapshot, labelled, share); },
    .need_writable = labelled ? need_gadget : need_unlabelled};

}  // namespace
}  // namespace files

extern constinit const Format format_gadget1 = files::format<false>;
extern constinit const Format format_gadget2 = files::format<true>;

}  // namespace pleiad
