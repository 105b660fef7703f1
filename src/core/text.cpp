#include "core/text.hpp"

#include <array>

#include <fmt/format.h>

namespace pleiad {

std::size_t utf8_length(std::string_view text) {
  constexpr std::array<unsigned, 5> smallest_of_length{0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80       ? 1
                             : lead >> 5 == 6  ? 2
                             : lead >> 4 == 14 ? 3
                             : lead >> 3 == 30 ? 4
                                               : 0;
  if (length == 0 || length > text.size()) return 0;
  unsigned code = length == 1 ? lead : lead & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if (next >> 6 != 2) return 0;
    code = code << 6 | (next & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < smallest_of_length[length] || code > 0x10ffff || surrogate ? 0 : length;
}

bool is_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || text[0] == '\0') return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string one_line(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::string line;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_length(text);
    if (byte == '\n') line += "; ";
    else if (length == 0 || byte < 0x20 || byte == 0x7f) line += fmt::format("\\x{:02x}", byte);
    else line += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

}  // namespace pleiad
