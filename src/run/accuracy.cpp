#include "run/accuracy.hpp"

#include "control/sample.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {
constexpr const char* sample_name = "force_error_sample";
}  // namespace

std::string accuracy_row(const Simulation& simulation, const ForceErrors& e) {
  const auto d = simulation.describe();
  return fmt::format("{} {} {:.3e} {:.3e} {:.3e} {} {:.3e} {:.3e} {:.3e} {} {}", simulation.time(),
                     simulation.step(), e.median, e.p99, e.largest, e.sample, e.p99_low, e.p99_high,
                     e.closest, d.precision, d.kernel());
}

std::string last_row_of(const std::string& table) {
  const auto end = table.size() < 2 ? table.npos : table.rfind('\n', table.size() - 2);
  return end == table.npos ? "" : table.substr(end + 1);
}

void save_sample(const control::AccuracyWatch& watch, Checkpoint& c) {
  if (const auto* sample = watch.sample()) c.extra[sample_name] = control::text_of(*sample);
}

std::optional<Sample> saved_sample(const Checkpoint& c, std::size_t n) {
  const auto text = c.extra.find(sample_name);
  if (text == c.extra.end()) return std::nullopt;
  return control::sample_in(text->second, n, fmt::format("the checkpoint's {}", sample_name));
}

}  // namespace pleiad::run
