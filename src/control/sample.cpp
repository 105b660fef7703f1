#include "control/sample.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace pleiad::control {

std::string text_of(const Sample& sample) {
  std::string text =
      fmt::format("{} {:a} {:a}:{:a}", sample.closest, sample.separation, sample.acceleration, sample.mass);
  for (std::size_t k = 0; k < sample.bodies.size(); ++k)
    text += fmt::format(" {} {:.17g}", sample.bodies[k], sample.weights[k]);
  if (!sample.particles.empty()) text += " particles";
  for (const auto body : sample.particles) text += fmt::format(" {}", body);
  return text;
}

std::optional<Sample> sample_in(const std::string& text, std::size_t n, std::string_view where) {
  std::istringstream in(text);
  std::string separation, acceleration, weight;
  Sample sample;
  in >> sample.closest >> separation >> acceleration;
  sample.separation = std::strtod(separation.c_str(), nullptr);
  sample.acceleration = std::strtod(acceleration.c_str(), nullptr);
  if (const auto mass = acceleration.find(':'); mass != acceleration.npos)
    sample.mass = std::strtod(acceleration.c_str() + mass + 1, nullptr);
  const auto need_body = [&](std::size_t body) {
    if (body >= n) throw InputError(fmt::format("{} names body {} of {}", where, body, n));
  };
  std::size_t body = 0;
  while (in >> body >> weight) {
    need_body(body);
    sample.bodies.push_back(body), sample.weights.push_back(std::strtod(weight.c_str(), nullptr));
  }
  in.clear();
  if (std::string word; in >> word && word == "particles")
    for (; in >> body; sample.particles.push_back(body)) need_body(body);
  sample.closest = std::min(sample.closest, sample.bodies.size());
  return sample.bodies.empty() ? std::nullopt : std::optional(std::move(sample));
}

}  // namespace pleiad::control
