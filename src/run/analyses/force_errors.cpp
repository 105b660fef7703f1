/// The force errors, which the control of the accuracy measures: their table, and its sample in checkpoints.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "control/monitor.hpp"
#include "io/durable/durable.hpp"
#include "run/analysis.hpp"

#include <array>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view errors_table = "accuracy.txt";
constexpr std::string_view errors_columns =
    "# time step median p99 largest sample p99_low p99_high closest cancelled precision kernel";

constexpr const char* sample_name = "force_error_sample";

/// The last row of a table, with its line end; "" if there is none.
std::string last_row_of(const std::string& table) {
  const auto end = table.size() < 2 ? table.npos : table.rfind('\n', table.size() - 2);
  return end == table.npos ? "" : table.substr(end + 1);
}

/// The first errors make the table.
class ForceErrorsTable : public Output {
 public:
  using Output::Output;
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    if (resumed == nullptr || !resumed->appended_files.contains(std::string(errors_table))) return;
    open_table(errors_table, resumed, notes, {errors_columns});
    last_row_ = last_row_of(read_file(table_->file()));
  }
  void restore(const Checkpoint& c) override {
    if (const auto text = c.extra.find(sample_name); text != c.extra.end() && run_.watch != nullptr)
      run_.watch->restore(text->second, run_.division.bodies,
                          fmt::format("the checkpoint's {}", sample_name));
  }
  void save(Checkpoint& c) const override {
    if (run_.watch == nullptr) return;
    if (auto text = run_.watch->text(); !text.empty()) c.extra[sample_name] = std::move(text);
  }
  void see(const ForceErrors& e) override {
    if (!run_.leads()) return;
    std::vector<std::string> none;
    if (!table_) open_table(errors_table, nullptr, none, {errors_columns});
    const auto& s = run_.simulation;
    const auto d = s.describe();
    const auto row = fmt::format("{} {} {:.3e} {:.3e} {:.3e} {} {:.3e} {:.3e} {:.3e} {} {} {}", s.time(),
                                 s.step(), e.median, e.p99, e.largest, e.sample, e.p99_low, e.p99_high,
                                 e.closest, e.cancelled, d.precision, d.kernel());
    // A run that is resumed where it ended looks again, and finds the same.
    if (row + "\n" != last_row_) table_->append(row);
  }

 private:
  std::string last_row_;  ///< of the run that is resumed, with its end
};

constexpr std::array<std::string_view, 2> errors_keys{"solver.accuracy", "solver.check_every"};

}  // namespace

extern const Analysis analysis_force_errors{.name = "force_errors",
                                            .keys = errors_keys,
                                            .table = errors_table,
                                            .make = make_output<ForceErrorsTable>};

}  // namespace pleiad::run
