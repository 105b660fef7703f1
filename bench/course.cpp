/// Numbers of the rungs in the course.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/course.hpp"

#include "direct/absent.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// First value of DirectKernel::rung on the GPU, less one.
constexpr int on_gpu = 100;

/// The whole text as a number, such as "102".
std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && !text.empty() ? std::optional(number) : std::nullopt;
}

/// Rung of a number of version 0.3, whose course had no numbers 123 and 124.
int rung_of_former(int number) {
  constexpr int first_after_gap = 125;
  if (number >= first_after_gap) return number - 2;
  return number < first_after_gap - 2 ? number : 0;
}

/// Rung of "cuda/2" or of a former number; nothing for other texts.
std::optional<int> rung_of(std::string_view text) {
  for (const auto& [device, first] : {std::pair<std::string_view, int>{"cpu/", 0}, {"cuda/", on_gpu}})
    if (text.starts_with(device))
      if (const auto number = number_of(text.substr(device.size())))
        return *number > 0 && *number < on_gpu ? first + *number : 0;
  const auto former = number_of(text);
  return former ? std::optional(rung_of_former(*former)) : std::nullopt;
}

}  // namespace

int number_in_course(int rung) { return rung % on_gpu; }

std::string kernel_of_number(std::string_view text) {
  const auto rung = rung_of(text);
  if (!rung) return std::string(text);
  int cpu = 0, gpu = 0;
  std::string_view name;
  const auto look_at = [&](int own, std::string_view its_name) {
    (own < on_gpu ? cpu : gpu) = std::max(own < on_gpu ? cpu : gpu, number_in_course(own));
    if (own == *rung) name = its_name;
  };
  for (const auto* kernel : direct_kernels()) look_at(kernel->rung, kernel->name);
  for (const auto& absent : absent_kernels()) look_at(absent.rung, absent.name);
  if (name.empty())
    throw UsageError(
        fmt::format("no rung '{}': the course has cpu/1 to cpu/{} and cuda/1 to cuda/{}", text, cpu, gpu),
        Error::Code::unknown_name);
  return std::string(name);
}

}  // namespace pleiad::bench
