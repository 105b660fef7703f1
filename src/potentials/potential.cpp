/// External potentials by name, and the checks of their parameters.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <potentials/kinds.hpp>  // written by CMake
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace {

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

static_assert([] {
  for (const auto& kind : potentials::kinds)
    if (kind.parameters.size() > Potential::most_parameters) return false;
  return true;
}());

/// The words of a text, without the blanks.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr std::string_view blanks = " \t";
  for (auto at = text.find_first_not_of(blanks); at != text.npos; at = text.find_first_not_of(blanks)) {
    const auto end = std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    text.remove_prefix(end);
  }
  return words;
}

int kind_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& kind : potentials::kinds) {
    if (kind.name == name) return static_cast<int>(names.size());
    names.push_back(kind.name);
  }
  throw UsageError(fmt::format("no potential '{}': it is one of {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)),
                   Error::Code::unknown_name);
}

/// Slot of a parameter: its index, or after all parameters that of an axis.
std::size_t slot_of(const PotentialKind& kind, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& p : kind.parameters) names.push_back(p.name);
  names.insert(names.end(), axes.begin(), axes.end());
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return k;
  throw UsageError(fmt::format("potential '{}' has no parameter '{}'; its parameters are {}{}", kind.name,
                               name, fmt::join(names, ", "), did_you_mean(name, names)),
                   Error::Code::unknown_name);
}

double number(const PotentialKind& kind, std::string_view name, std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end || !std::isfinite(value))
    throw UsageError(fmt::format("potential '{}': {} = '{}' is not a finite number", kind.name, name, text));
  return value;
}

}  // namespace

std::span<const PotentialKind> potential_kinds() { return potentials::kinds; }

Potential potential_of(std::string_view text) {
  const auto words = words_of(text);
  if (words.empty())
    throw UsageError(
        "a potential is empty: it must be KIND name=value ..., such as \"plummer mass=1 scale=2\"");
  Potential result;
  result.kind = kind_named(words.front());
  const auto& kind = potential_kinds()[static_cast<std::size_t>(result.kind)];
  std::array<std::optional<double>, Potential::most_parameters + axes.size()> values;
  for (const auto word : std::span(words).subspan(1)) {
    const auto equals = word.find('=');
    if (equals == word.npos)
      throw UsageError(fmt::format("potential '{}': '{}' must have the form name=value", kind.name, word));
    const auto name = word.substr(0, equals);
    auto& value = values[slot_of(kind, name)];
    if (value) throw UsageError(fmt::format("potential '{}': {} is given twice", kind.name, name));
    value = number(kind, name, word.substr(equals + 1));
  }
  for (std::size_t k = 0; k < kind.parameters.size(); ++k) {
    const auto& p = kind.parameters[k];
    if (!values[k] && p.required)
      throw UsageError(
          fmt::format("potential '{}' needs {}, its {}: add {}=VALUE", kind.name, p.name, p.meaning, p.name));
    const double value = result.parameters[k] = values[k].value_or(p.value);
    if (!(value >= p.low && value <= p.high))
      throw UsageError(fmt::format("potential '{}': {} = {} is out of range; it must be from {:g} to {:g}",
                                   kind.name, p.name, value, p.low, p.high));
  }
  const auto centre = [&](std::size_t axis) { return values[kind.parameters.size() + axis].value_or(0); };
  result.centre = {centre(0), centre(1), centre(2)};
  return result;
}

std::string text_of(const Potential& potential) {
  const auto& kind = potential_kinds()[static_cast<std::size_t>(potential.kind)];
  std::string text(kind.name);
  for (std::size_t k = 0; k < kind.parameters.size(); ++k)
    text += fmt::format(" {}={}", kind.parameters[k].name, potential.parameters[k]);
  const std::array centre{potential.centre.x, potential.centre.y, potential.centre.z};
  for (std::size_t k = 0; k < axes.size(); ++k)
    if (centre[k] != 0) text += fmt::format(" {}={}", axes[k], centre[k]);
  return text;
}

std::vector<Potential> potentials_of(std::span<const std::string> texts) {
  std::vector<Potential> all;
  for (const auto& text : texts) all.push_back(potential_of(text));
  return all;
}

std::string lines_of(std::span<const Potential> potentials) {
  std::string lines;
  for (const auto& p : potentials) lines += text_of(p) + '\n';
  return lines;
}

std::vector<Potential> potentials_of_lines(const std::string& lines) {
  std::vector<Potential> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) all.push_back(potential_of(line));
  return all;
}

}  // namespace pleiad
