#include "io/config/named_number.hpp"

#include <pleiad/error.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::config {

NamedNumber named_number(std::string_view text, const NamedForm& form) {
  const auto equals = text.find('=');
  NamedNumber found{.name = text.substr(0, equals)};
  const char* const end = text.data() + text.size();
  const auto read = equals == text.npos ? std::from_chars_result{text.data(), std::errc::invalid_argument}
                                        : std::from_chars(text.data() + equals + 1, end, found.number);
  if (found.name.empty() || read.ec != std::errc{} || read.ptr != end || !(found.number >= 0) ||
      !std::isfinite(found.number))
    throw UsageError(fmt::format("{}: '{}' must be \"{}\" with a {} >= 0, such as \"{}\"", form.key, text,
                                 form.form, form.number, form.example));
  return found;
}

}  // namespace pleiad::config
