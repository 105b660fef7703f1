/// Attributes of any plain type, or their errors.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5_attributes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace pleiad::files::hdf5 {
namespace {

constexpr std::size_t most_numbers = 64, most_characters = 256;

bool is_text(hid_t type) { return H5Tget_class(type) == H5T_STRING; }

/// The integers below an enumeration, or the type itself.
Object numbers_below(hid_t type) {
  if (H5Tget_class(type) == H5T_ENUM) return {H5Tget_super(type), H5Tclose};
  return {H5Tcopy(type), H5Tclose};
}

bool is_whole(hid_t type) { return is_plain_integer(numbers_below(type)); }

/// Includes the 80 and 128 bits of long doubles, which HDF5 rounds to double.
bool is_real(hid_t type) { return H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) <= 16; }

std::string one_text(hid_t attribute, hid_t type) {
  if (H5Tis_variable_str(type) > 0) {
    char* read = nullptr;
    const Object as{H5Tcopy(type), H5Tclose};
    if (H5Aread(attribute, as, &read) < 0 || read == nullptr) return {};
    const std::string value(read, ::strnlen(read, 2 * most_characters));
    H5free_memory(read);
    return value;
  }
  std::string value(std::min(H5Tget_size(type), std::size_t{1} << 16), '\0');
  if (value.size() != H5Tget_size(type) || H5Aread(attribute, type, value.data()) < 0) return {};
  value.resize(std::min(value.find('\0'), value.size()));
  if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) value.resize(value.find_last_not_of(' ') + 1);
  return value;
}

std::string class_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "a compound";
    case H5T_REFERENCE:
      return "a reference";
    case H5T_ARRAY:
      return "an array within one value";
    case H5T_VLEN:
      return "a row of variable length";
    case H5T_OPAQUE:
      return "opaque bytes";
    default:
      return "of a type that is no number";
  }
}

}  // namespace

struct Attributes::Found {
  Object id, type;
  std::size_t count = 0;
};

Attributes::Attributes(const Hdf5File& f, const char* group)
    : f_(f), own_(open_group(f, group)), object_(own_), path_(std::string("/") + group) {}

Attributes::Attributes(const Hdf5File& f, hid_t object, std::string path)
    : f_(f), object_(object), path_(std::move(path)) {}

void Attributes::refuse(const char* name, const std::string& is, const std::string& should) const {
  f_.refuse(fmt::format("{} is {}; it must be {}", path_of(name), is, should));
}

void Attributes::record(const char* name, const std::string& value) const {
  f_.said.insert_or_assign(path_of(name), value);
}

std::optional<Attributes::Found> Attributes::find(const char* name) const {
  record(name, "absent");
  if (object_ < 0 || H5Aexists(object_, name) == 0) return std::nullopt;
  Found a{{H5Aopen(object_, name, H5P_DEFAULT), H5Aclose}, {}, 0};
  if (!a.id.valid()) f_.refuse(fmt::format("{} cannot be opened: {}", path_of(name), last_error()));
  a.type = {H5Aget_type(a.id), H5Tclose};
  const Object space{H5Aget_space(a.id), H5Sclose};
  const auto points = space.valid() ? H5Sget_simple_extent_npoints(space) : -1;
  if (!a.type.valid() || points < 0)
    f_.refuse(fmt::format("{} cannot be read: {}", path_of(name), last_error()));
  a.count = std::size_t(points);
  return a;
}

void Attributes::refuse(const char* name, const Found& found, const std::string& should) const {
  if (found.count == 0) refuse(name, "empty", should);
  const bool text = is_text(found.type), number = is_whole(found.type) || is_real(found.type);
  if (found.count > 1)
    refuse(name, fmt::format("{} {}", found.count, number ? "numbers" : text ? "texts" : "values"), should);
  if (text) refuse(name, fmt::format("the text {}", in_quotes(one_text(found.id, found.type))), should);
  double value = 0;
  if (number && H5Aread(found.id, H5T_NATIVE_DOUBLE, &value) >= 0)
    refuse(name, fmt::format("{}", value), should);
  refuse(name, class_of(found.type), should);
}

Attributes::Found Attributes::need_numbers(const char* name, Found found, const std::string& should) const {
  if (found.count < 1 || found.count > most_numbers || !(is_whole(found.type) || is_real(found.type)))
    refuse(name, found, should);
  return found;
}

std::optional<std::vector<double>> Attributes::numbers(const char* name) const {
  auto found = find(name);
  if (!found) return std::nullopt;
  found = need_numbers(name, std::move(*found), "a row of numbers");
  std::vector<double> values(found->count);
  if (H5Aread(found->id, H5T_NATIVE_DOUBLE, values.data()) < 0)
    f_.refuse(fmt::format("{} cannot be read: {}", path_of(name), last_error()));
  record(name, fmt::format("{}", fmt::join(values, " ")));
  return values;
}

std::optional<std::vector<std::int64_t>> Attributes::wholes(const char* name) const {
  const std::string should = "a row of whole numbers";
  auto found = find(name);
  if (!found) return std::nullopt;
  found = need_numbers(name, std::move(*found), should);
  std::vector<std::int64_t> values(found->count);
  if (is_whole(found->type)) {
    if (H5Aread(found->id, H5T_NATIVE_INT64, values.data()) < 0)
      f_.refuse(fmt::format("{} cannot be read: {}", path_of(name), last_error()));
  } else {
    const auto reals = *numbers(name);
    for (std::size_t k = 0; k < reals.size(); ++k) {
      if (!(std::abs(reals[k]) <= 0x1p53 && reals[k] == std::floor(reals[k])))
        refuse(name, fmt::format("{}", fmt::join(reals, " ")), should);
      values[k] = std::int64_t(reals[k]);
    }
  }
  // HDF5 makes the largest number of all that are larger.
  if (std::ranges::find(values, std::numeric_limits<std::int64_t>::max()) != values.end())
    refuse(name, "above 2^63", should);
  record(name, fmt::format("{}", fmt::join(values, " ")));
  return values;
}

std::optional<double> Attributes::number(const char* name) const {
  auto found = find(name);
  if (!found) return std::nullopt;
  if (found->count != 1) refuse(name, *found, "one number");
  need_numbers(name, std::move(*found), "one number");
  return numbers(name)->front();
}

std::optional<std::int64_t> Attributes::whole(const char* name) const {
  auto found = find(name);
  if (!found) return std::nullopt;
  if (found->count != 1) refuse(name, *found, "one whole number");
  need_numbers(name, std::move(*found), "one whole number");
  return wholes(name)->front();
}

std::optional<bool> Attributes::flag(const char* name) const {
  const auto value = number(name);
  if (!value) return std::nullopt;
  if (*value != 0 && *value != 1) refuse(name, fmt::format("{}", *value), "0 or 1");
  return *value == 1;
}

std::optional<std::string> Attributes::word(const char* name) const {
  const auto found = find(name);
  if (!found) return std::nullopt;
  if (found->count != 1 || !is_text(found->type)) refuse(name, *found, "one text");
  auto value = one_text(found->id, found->type);
  if (value.empty() || value.size() > most_characters) refuse(name, *found, "one text that is not so long");
  record(name, in_quotes(value));
  return value;
}

std::optional<double> number_of(Names names, const std::function<bool(double)>& fits,
                                const std::string& should) {
  constexpr double rounding = 1e-5;  // of programs that write a number in single precision elsewhere
  std::optional<double> agreed;
  std::string who;
  for (const auto& [attributes, name] : names) {
    const auto value = attributes->number(name);
    if (!value) continue;
    if (!fits(*value)) attributes->refuse(name, fmt::format("{}", *value), should);
    if (agreed && !(std::abs(*value - *agreed) <= rounding * std::abs(*agreed)))
      attributes->refuse(name, fmt::format("{}", *value), fmt::format("{}, as {} says", *agreed, who));
    if (!agreed) agreed = value, who = attributes->path_of(name);
  }
  return agreed;
}

std::optional<bool> flag_of(Names names) {
  const auto value = number_of(
      names, [](double v) { return v == 0 || v == 1; }, "0 or 1");
  return value ? std::optional(*value == 1) : std::nullopt;
}

bool positive(double v) { return v > 0 && std::isfinite(v); }
bool not_negative(double v) { return v >= 0 && std::isfinite(v); }

std::string in_quotes(const std::string& text) {
  constexpr std::size_t most = 80;
  std::string line = text.substr(0, most);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return "'" + line + (text.size() > most ? "..." : "") + "'";
}

}  // namespace pleiad::files::hdf5
