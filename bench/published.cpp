/// The figures of the five published benchmarks, read once from the compiled-in text.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published.hpp"

#include "published_csv.hpp"

#include <pleiad/error.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t published_columns = 10;
constexpr std::string_view header = "source,hardware,experiment,kernel,n,block,other,value,unit,note";

/// The fields of a line of RFC 4180 without line breaks inside quotes.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (quoted && c == '"' && k + 1 < line.size() && line[k + 1] == '"') fields.back() += line[++k];
    else if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) fields.emplace_back();
    else fields.back() += c;
  }
  return fields;
}

/// The number that is the whole of `text`; nothing when it is none.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// "", "128" or "16x16": the threads, 0 when not told; nothing when it is none of these.
std::optional<int> threads_in(std::string_view text) {
  if (text.empty()) return 0;
  const auto cross = text.find('x');
  const auto first = number_in<int>(text.substr(0, cross));
  const auto second =
      cross == std::string_view::npos ? std::optional(1) : number_in<int>(text.substr(cross + 1));
  if (!first || !second) return {};
  return *first * *second;
}

Published published_in(std::string_view line, std::size_t line_number) {
  auto f = fields_of(line);
  if (f.size() != published_columns)
    throw UsageError(fmt::format("published values, line {}: {} fields, not {}", line_number, f.size(),
                                 published_columns));
  const auto n = f[4].empty() ? std::optional<std::size_t>(0) : number_in<std::size_t>(f[4]);
  const auto block = threads_in(f[5]);
  const auto value = number_in<double>(f[7]);
  if (!n || !block || !value || !(*value > 0) || !std::isfinite(*value))
    throw UsageError(
        fmt::format("published values, line {}: n '{}', block '{}' and value '{}' must be numbers",
                    line_number, f[4], f[5], f[7]));
  return {.source = std::move(f[0]),
          .hardware = std::move(f[1]),
          .experiment = std::move(f[2]),
          .kernel = std::move(f[3]),
          .n = *n,
          .block = *block,
          .other = std::move(f[6]),
          .value = *value,
          .unit = std::move(f[8]),
          .note = std::move(f[9])};
}

bool fits(const Published& p, const PublishedKey& key) {
  return p.source == key.source && (!key.experiment || p.experiment == *key.experiment) &&
         (!key.kernel || p.kernel == *key.kernel) && (!key.n || p.n == *key.n) &&
         (!key.block || p.block == *key.block) && (!key.other || p.other == *key.other);
}

}  // namespace

std::vector<Published> published_of_csv(std::string_view csv) {
  std::vector<Published> values;
  for (std::size_t line_number = 1; !csv.empty(); ++line_number) {
    const auto line = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(line.size() + 1, csv.size()));
    if (line_number > 1) values.push_back(published_in(line, line_number));
    else if (line != header) throw UsageError(fmt::format("published values, line 1: not '{}'", header));
  }
  return values;
}

std::span<const Published> published_values() {
  static const auto values = published_of_csv(published_csv);
  return values;
}

std::vector<const Published*> published(const PublishedKey& key) {
  std::vector<const Published*> found;
  for (const auto& p : published_values())
    if (fits(p, key)) found.push_back(&p);
  return found;
}

const Published* one_published(const PublishedKey& key) {
  const auto found = published(key);
  if (found.size() > 1)
    throw UsageError(fmt::format("{} published values of {} fit '{}', '{}': say more", found.size(),
                                 key.source, key.experiment.value_or("any"), key.kernel.value_or("any")));
  return found.empty() ? nullptr : found.front();
}

}  // namespace pleiad::bench
