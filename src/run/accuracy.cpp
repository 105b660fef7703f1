#include "run/accuracy.hpp"

#include "control/sample.hpp"
#include "io/durable/durable.hpp"
#include "run/table.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* sample_name = "force_error_sample";
constexpr std::string_view columns =
    "# time step median p99 largest sample p99_low p99_high closest precision kernel";

/// With its end; "" without one.
std::string last_row_of(const std::string& table) {
  const auto end = table.size() < 2 ? table.npos : table.rfind('\n', table.size() - 2);
  return end == table.npos ? "" : table.substr(end + 1);
}

}  // namespace

void AccuracyTable::begin(const std::filesystem::path& file, const Checkpoint* resumed, double time,
                          std::vector<std::string>* notes) {
  table_ = open_table(file, resumed, time, notes, {columns});
  if (resumed != nullptr) last_row_ = last_row_of(read_file(file));
}

void AccuracyTable::add(const Simulation& simulation, const ForceErrors& e) {
  const auto d = simulation.describe();
  const auto row = fmt::format("{} {} {:.3e} {:.3e} {:.3e} {} {:.3e} {:.3e} {:.3e} {} {}", simulation.time(),
                               simulation.step(), e.median, e.p99, e.largest, e.sample, e.p99_low, e.p99_high,
                               e.closest, d.precision, d.kernel());
  // A run that is resumed where it ended looks again, and finds the same.
  if (row + "\n" != last_row_) table_->append(row);
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
