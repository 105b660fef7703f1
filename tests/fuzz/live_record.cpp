/// Recordings of the live view, which may be anybody's: frames are followed or refused, never trusted.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/recorded.hpp"
#include "live/recording.hpp"
#include "target.hpp"

using namespace pleiad;
using namespace pleiad::fuzz;

namespace {

void check_frame(std::string_view frame, live::Shown& shown) {
  const auto header = live::header_of(frame);
  require(!header || header->payload() + live::FrameHeader::bytes == frame.size(),
          "as many bytes as it says");
  if (!live::add_frame(frame, shown)) return;
  require(header.has_value(), "only a frame is shown");
  require(shown.positions.size() == std::size_t{3} * header->points && shown.types.size() == header->points,
          "as many points as it says");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  live::RecordReader reader(text_of(data, size));
  live::Shown shown;
  while (const auto entry = reader.next())
    if (entry->frame) check_frame(entry->bytes, shown);
  const auto file = folder.write("a.rec", text_of(data, size));
  refused([&] {
    const auto timeline = live::recorded_film(file);
    require(!timeline.setting.list.empty(), "a film has a frame");
    for (const std::size_t k : {timeline.setting.list.size() - 1, std::size_t{0}})
      require(timeline.read(k).bodies.size() * 6 <= size, "no more bodies than bytes");
  });
  return 0;
}
