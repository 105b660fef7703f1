/// Launch shapes as text.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/shapes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError(
      fmt::format("shape '{}': it is a list like block=256,bodies=4,threads=1,stride=32,grid=128 of numbers "
                  "from 1 (threads per block, bodies per thread, threads per body, blocks that share the "
                  "sources of one, blocks), or default",
                  text));
}

}  // namespace

std::string name_of(const LaunchShape& shape) {
  std::string text;
  for (const auto& [word, number] : shape_words)
    if (shape.*number != 0) text += fmt::format("{}{}={}", text.empty() ? "" : ",", word, shape.*number);
  return text.empty() ? "default" : text;
}

LaunchShape shape_named(std::string_view text) {
  LaunchShape shape;
  if (text == "default") return shape;
  for (std::string_view rest = text; !rest.empty();) {
    const auto part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) refuse(text);
    const ShapeWord* field = nullptr;
    for (const auto& f : shape_words)
      if (f.word == part.substr(0, equals)) field = &f;
    if (field == nullptr) refuse(text);
    const auto number = part.substr(equals + 1);
    int value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size() || value < 1) refuse(text);
    shape.*field->number = value;
  }
  if (shape == LaunchShape{}) refuse(text);
  return shape;
}

}  // namespace pleiad::bench
