#include "run/accuracy.hpp"

#include "control/sample.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {
constexpr const char* sample_name = "force_error_sample";
}  // namespace

void save_sample(const control::AccuracyWatch& watch, Checkpoint& c) {
  if (const auto* sample = watch.sample()) c.extra[sample_name] = control::text_of(*sample);
}

std::optional<Sample> saved_sample(const Checkpoint& c, std::size_t n) {
  const auto text = c.extra.find(sample_name);
  if (text == c.extra.end()) return std::nullopt;
  return control::sample_in(text->second, n, fmt::format("the checkpoint's {}", sample_name));
}

}  // namespace pleiad::run
