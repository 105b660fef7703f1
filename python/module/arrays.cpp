/// Arrays in and out: arguments are checked, never converted.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/arrays.hpp"

#include <pleiad/error.hpp>

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::python {
namespace {

template <class Array>
Array imported(nb::handle given, std::string_view name, std::string_view what) {
  Array array;
  if (!given.is_none() && nb::try_cast(given, array, false)) return array;
  const std::string type = nb::cast<std::string>(nb::str(given.type().attr("__name__")));
  throw UsageError(
      fmt::format("{} must be {}, not {} {}", name, what,
                  std::string_view("aeiou").find(type.front()) == std::string_view::npos ? "a" : "an", type));
}

}  // namespace

nb::ndarray<nb::ro, nb::device::cpu> host_array(nb::handle given, std::string_view name) {
  return imported<nb::ndarray<nb::ro, nb::device::cpu>>(given, name, "an array in the host's memory");
}
nb::ndarray<nb::device::cpu> host_array_to_fill(nb::handle given, std::string_view name) {
  return imported<nb::ndarray<nb::device::cpu>>(given, name, "a writable array in the host's memory");
}

std::string name_of(const nb::dlpack::dtype& type) {
  using Code = nb::dlpack::dtype_code;
  const auto named = [&](std::string_view kind) { return fmt::format("{}{}", kind, type.bits); };
  switch (Code(type.code)) {
    case Code::Int:
      return named("int");
    case Code::UInt:
      return named("uint");
    case Code::Float:
      return named("float");
    case Code::Complex:
      return named("complex");
    case Code::Bool:
      return "bool";
    default:
      return fmt::format("another type of {} bits", type.bits);
  }
}

void need_form(std::string_view name, const nb::dlpack::dtype& type, const nb::dlpack::dtype& wanted,
               std::size_t dimensions, const std::int64_t* shape, std::size_t columns,
               std::optional<std::size_t> rows) {
  if (type != wanted)
    throw UsageError(fmt::format("{} must be of type {}, not {}", name, name_of(wanted), name_of(type)));
  const bool fits = dimensions == (columns == 0 ? 1u : 2u) &&
                    (columns == 0 || std::size_t(shape[1]) == columns) &&
                    (!rows || std::size_t(shape[0]) == *rows);
  if (fits) return;
  std::vector<std::string> asked{rows ? std::to_string(*rows) : "n"};
  if (columns != 0) asked.push_back(std::to_string(columns));
  throw UsageError(fmt::format("{} must have the shape ({}{}), not ({}{})", name, fmt::join(asked, ", "),
                               asked.size() == 1 ? "," : "", fmt::join(shape, shape + dimensions, ", "),
                               dimensions == 1 ? "," : ""));
}

}  // namespace pleiad::python
