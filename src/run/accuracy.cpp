#include "run/accuracy.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {
constexpr const char* sample_name = "force_error_sample";
}  // namespace

void save_sample(const control::AccuracyWatch& watch, Checkpoint& c) {
  const auto* sample = watch.sample();
  if (sample == nullptr) return;
  std::string text = fmt::format("{} {:a} {:a}", sample->closest, sample->separation, sample->acceleration);
  for (std::size_t k = 0; k < sample->bodies.size(); ++k)
    text += fmt::format(" {} {:.17g}", sample->bodies[k], sample->weights[k]);
  c.extra[sample_name] = std::move(text);
}

std::optional<Sample> saved_sample(const Checkpoint& c, std::size_t n) {
  const auto text = c.extra.find(sample_name);
  if (text == c.extra.end()) return std::nullopt;
  std::istringstream in(text->second);
  std::string separation, acceleration, weight;
  Sample sample;
  in >> sample.closest >> separation >> acceleration;
  sample.separation = std::strtod(separation.c_str(), nullptr);
  sample.acceleration = std::strtod(acceleration.c_str(), nullptr);
  for (std::size_t body = 0; in >> body >> weight;) {
    if (body >= n)
      throw InputError(fmt::format("the checkpoint's {} names body {} of {}", sample_name, body, n));
    sample.bodies.push_back(body), sample.weights.push_back(std::strtod(weight.c_str(), nullptr));
  }
  sample.closest = std::min(sample.closest, sample.bodies.size());
  return sample.bodies.empty() ? std::nullopt : std::optional(std::move(sample));
}

}  // namespace pleiad::run
