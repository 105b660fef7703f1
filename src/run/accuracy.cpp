#include "run/accuracy.hpp"

#include "io/durable/durable.hpp"
#include "run/table.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* watch_name = "force_error_sample";
constexpr std::string_view columns =
    "# time step median p99 largest sample p99_low p99_high closest cancelled precision kernel";

/// With its end; "" without one.
std::string last_row_of(const std::string& table) {
  const auto end = table.size() < 2 ? table.npos : table.rfind('\n', table.size() - 2);
  return end == table.npos ? "" : table.substr(end + 1);
}

}  // namespace

void AccuracyTable::begin(RunDirectory& directory, const Checkpoint* resumed, double time,
                          std::vector<std::string>* notes) {
  table_ = open_table(directory, accuracy_name, resumed, time, notes, {columns});
  if (resumed != nullptr) last_row_ = last_row_of(read_file(table_->file()));
}

void AccuracyTable::add(const Simulation& simulation, const ForceErrors& e) {
  const auto d = simulation.describe();
  const auto row = fmt::format("{} {} {:.3e} {:.3e} {:.3e} {} {:.3e} {:.3e} {:.3e} {} {} {}",
                               simulation.time(), simulation.step(), e.median, e.p99, e.largest, e.sample,
                               e.p99_low, e.p99_high, e.closest, e.cancelled, d.precision, d.kernel());
  // A run that is resumed where it ended looks again, and finds the same.
  if (row + "\n" != last_row_) table_->append(row);
}

void save_watch(const control::AccuracyWatch& watch, Checkpoint& c) {
  if (auto text = watch.text(); !text.empty()) c.extra[watch_name] = std::move(text);
}

void restore_watch(control::AccuracyWatch& watch, const Checkpoint& c, std::size_t n) {
  if (const auto text = c.extra.find(watch_name); text != c.extra.end())
    watch.restore(text->second, n, fmt::format("the checkpoint's {}", watch_name));
}

}  // namespace pleiad::run
