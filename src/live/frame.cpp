#include "live/frame.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace pleiad::live {
namespace {

constexpr std::uint32_t frame_magic = 0x31464c50;  // "PLF1"
static_assert(std::endian::native == std::endian::little,
              "the bytes of frames are written as they are in memory");

template <class T>
void put(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void take(const char*& in, T& value) {
  std::memcpy(&value, in, sizeof value);
  in += sizeof value;
}

}  // namespace

std::uint64_t FrameHeader::payload() const {
  const std::uint64_t one = (kind == FrameKind::delta ? 3U : 6U) + ((flags & has_colours) != 0 ? 1U : 0U) +
                            ((flags & has_types) != 0 ? 1U : 0U);
  if (kind != FrameKind::picture) return one * points;
  return std::uint64_t{2} * width * height + (points > 0 ? bytes + one * points : 0);
}

void append(std::string& out, const FrameHeader& h) {
  put(out, frame_magic);
  put(out, h.kind), put(out, h.flags), put(out, h.stride);
  put(out, h.sequence), put(out, h.base);
  put(out, h.time), put(out, h.step), put(out, h.bodies);
  put(out, h.points), put(out, h.width);
  put(out, h.box.corner), put(out, h.box.size), put(out, h.centre);
  put(out, h.high), put(out, h.low), put(out, h.height);
}

std::optional<FrameHeader> header_of(std::string_view frame) {
  if (frame.size() < FrameHeader::bytes) return std::nullopt;
  FrameHeader h;
  std::uint32_t first = 0;
  std::uint8_t kind = 0;
  const char* in = frame.data();
  take(in, first);
  take(in, kind), take(in, h.flags), take(in, h.stride);
  take(in, h.sequence), take(in, h.base);
  take(in, h.time), take(in, h.step), take(in, h.bodies);
  take(in, h.points), take(in, h.width);
  take(in, h.box.corner), take(in, h.box.size), take(in, h.centre);
  take(in, h.high), take(in, h.low), take(in, h.height);
  if (first != frame_magic || kind > static_cast<std::uint8_t>(FrameKind::picture)) return std::nullopt;
  h.kind = static_cast<FrameKind>(kind);
  if (h.payload() != frame.size() - FrameHeader::bytes) return std::nullopt;
  return h;
}

std::uint16_t half_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const float size = std::abs(value);
  if (!(size < 65520.0F)) return static_cast<std::uint16_t>(sign | (size == size ? 0x7c00U : 0x7e00U));
  // Below 2^-14 the numbers are 2^-24 apart.
  if (size < 0x1p-14F)
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::nearbyint(size * 0x1p24F)));
  const auto rest = bits & 0x7fffffffU, rounded = rest + 0xfffU + (rest >> 13 & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112U << 10)));
}

}  // namespace pleiad::live
