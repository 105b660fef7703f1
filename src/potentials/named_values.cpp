#include "potentials/named_values.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {

NamedValues::NamedValues(const Described& described, std::string_view text) : described_(described) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  for (auto at = text.find_first_not_of(blanks); at != text.npos; at = text.find_first_not_of(blanks)) {
    const auto end = std::min(text.find_first_of(blanks, at), text.size());
    words_.push_back(text.substr(at, end - at));
    text.remove_prefix(end);
  }
  if (words_.empty())
    throw UsageError(fmt::format("a {} is empty: it must be KIND name=value ..., such as \"{}\"",
                                 described_.what, described_.example));
}

std::size_t NamedValues::kind_among(std::span<const std::string_view> kinds) {
  const auto found = std::ranges::find(kinds, words_.front());
  if (found == kinds.end())
    throw UsageError(fmt::format("no {} '{}': it is one of {}{}", described_.what, words_.front(),
                                 fmt::join(kinds, ", "), did_you_mean(words_.front(), kinds)),
                     Error::Code::unknown_name);
  return static_cast<std::size_t>(found - kinds.begin());
}

void NamedValues::take(std::span<const std::string_view> names) {
  names_.assign(names.begin(), names.end());
  values_.assign(names.size(), {});
  for (const auto word : std::span(words_).subspan(1)) {
    const auto equals = word.find('=');
    if (equals == word.npos) refuse(fmt::format(": '{}' must have the form name=value", word));
    const auto name = word.substr(0, equals);
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw UsageError(fmt::format("{} '{}' has no parameter '{}'; its parameters are {}{}", described_.what,
                                   words_.front(), name, fmt::join(names, ", "), did_you_mean(name, names)),
                       Error::Code::unknown_name);
    auto& value = values_[static_cast<std::size_t>(found - names.begin())];
    if (value) refuse(fmt::format(": {} is given twice", name));
    value = word.substr(equals + 1);
  }
}

std::optional<double> NamedValues::number(std::size_t slot) const {
  const auto& text = values_[slot];
  if (!text) return std::nullopt;
  double value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, failure] = std::from_chars(text->data(), end, value);
  if (failure != std::errc{} || stop != end || !std::isfinite(value))
    refuse(fmt::format(": {} = '{}' is not a finite number", names_[slot], *text));
  return value;
}

double NamedValues::parameter(std::size_t slot, const PotentialParameter& p,
                              std::optional<double> known) const {
  const auto given = number(slot);
  if (!given && !known && p.required)
    refuse(fmt::format(" needs {}, {} {}: add {}=VALUE", p.name, described_.its, p.meaning, p.name));
  const double value = given ? *given : known.value_or(p.value);
  if (!(value >= p.low && value <= p.high))
    refuse(
        fmt::format(": {} = {} is out of range; it must be from {:g} to {:g}", p.name, value, p.low, p.high));
  return value;
}

void NamedValues::refuse(std::string_view why) const {
  throw UsageError(fmt::format("{} '{}'{}", described_.what, words_.front(), why));
}

}  // namespace pleiad
