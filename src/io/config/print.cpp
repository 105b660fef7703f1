/// Options as text: single values, the effective configuration, the reference file.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "io/config/keys.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace config {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Slot>> type_names_in_words{
    "text",          "number",          "whole number",          "whole number",
    "true or false", "list of numbers", "list of whole numbers", "list of texts"};

std::string toml(const std::string& text) { return toml_text(text); }
std::string toml(bool value) { return value ? "true" : "false"; }
std::string toml(int value) { return fmt::to_string(value); }
std::string toml(std::uint64_t value) { return fmt::to_string(value); }
// The shortest digits that read back to the same bits; a point, lest -0.0 be read as the whole number 0.
std::string toml(double value) {
  const std::string digits = fmt::format("{}", value);
  return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}
template <class T>
std::string toml(const std::vector<T>& values) {
  std::vector<std::string> parts;
  for (const T& value : values) parts.push_back(toml(value));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string bound(double value) { return std::abs(value) >= 0x1p62 ? "2^63 - 1" : fmt::format("{}", value); }

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string line;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text.size() > longest ? line + "..." : line;
}

std::string toml_text(std::string_view text) {
  std::string toml = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') toml += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      toml += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else toml += c;
  }
  return toml + '"';
}

std::string_view type_of(const Key& key) {
  Options options;
  return type_names_in_words[key.at(options).index()];
}

std::string range_of(const Key& key) {
  const Range& r = key.range;
  if (r.choices != nullptr) return fmt::format("one of {}", fmt::join(r.choices(), ", "));
  std::string range;
  if (std::isfinite(r.low) && std::isfinite(r.high))
    range = fmt::format("{} to {}", bound(r.low), bound(r.high));
  else if (std::isfinite(r.low)) range = fmt::format("{} {}", r.low_excluded ? ">" : ">=", bound(r.low));
  return r.minus_one ? "-1 or " + range : range;
}

std::string value_of(const Key& key, const Options& options) {
  Options copy = options;
  return std::visit([](const auto* value) { return toml(*value); }, key.at(copy));
}

}  // namespace config

std::vector<OptionKey> option_keys() {
  std::vector<OptionKey> all;
  for (const auto& key : config::keys()) {
    std::string range = config::range_of(key);
    if (!key.unit.empty()) range += fmt::format("{}{}", range.empty() ? "in " : ", in ", key.unit);
    all.push_back({std::string(key.section), std::string(key.name), std::string(config::type_of(key)),
                   config::value_of(key, Options{}), range, std::string(key.meaning)});
    for (const auto& f : config::former_names())
      if (f.section == key.section && f.name == key.name) all.back().former_name = f.former;
  }
  return all;
}

std::string to_toml(const Options& options) {
  std::string text;
  std::string_view section;
  for (const auto& key : config::keys()) {
    if (key.section != section) text += fmt::format("{}[{}]\n", section.empty() ? "" : "\n", key.section);
    section = key.section;
    text += fmt::format("{} = {}\n", key.name, config::value_of(key, options));
  }
  return text;
}

std::string reference_config() {
  std::string text =
      "# Every key of a Pleiad configuration, with its default value.\n"
      "# `pleiad config` prints this file; `pleiad config check FILE` checks yours, which need hold only "
      "what differs.\n"
      "# On the command line: `pleiad run FILE --set section.key=value`.\n";
  std::string_view section;
  for (const auto& key : config::keys()) {
    if (key.section != section)
      for (const auto& s : config::sections())
        if (s.name == key.section) text += fmt::format("\n# {}\n[{}]\n", s.meaning, s.name);
    section = key.section;
    const std::string range = config::range_of(key);
    text += fmt::format("\n# {}\n# {}{}{}{}{}\n{} = {}\n", key.meaning, config::type_of(key),
                        range.empty() ? "" : ", ", range, key.unit.empty() ? "" : ", in ", key.unit, key.name,
                        config::value_of(key, Options{}));
  }
  return text;
}

}  // namespace pleiad
