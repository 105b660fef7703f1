/// A sample analysis, as those in src/run/analyses: the number of bodies faster than half their escape speed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace pleiad::test {
namespace {

using namespace pleiad::run;

constexpr std::string_view fast_table = "fast.txt";

class Fast : public Output {
 public:
  using Output::Output;
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    open_table(fast_table, resumed, notes, {"# time fast most"});
  }
  void restore(const Checkpoint& c) override { most_ = std::stoull(c.extra.at("most_fast")); }
  bool needs_potentials() const override { return true; }
  Task begin() override {
    return {.copy = Task::Copy::read, .fields = true, .work = [this](Snapshot& s) { count(s); }};
  }
  void save_after_work(Checkpoint& c) const override { c.extra["most_fast"] = std::to_string(most_); }

 private:
  void count(const Snapshot& s) {
    std::uint64_t fast = 0;
    const auto& b = s.bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Vec3<double> v{b.vx[i], b.vy[i], b.vz[i]};
      if (dot(v, v) > -s.potential[i] / 2) ++fast;
    }
    fast = ranks::sum(run_.ranks, fast);
    most_ = std::max(most_, fast);
    if (run_.leads()) table_->append(fmt::format("{} {} {}", s.time, fast, most_));
  }

  std::uint64_t most_ = 0;
};

}  // namespace

extern const Analysis analysis_fast{
    .name = "fast",
    .keys = {},
    .table = fast_table,
    .times = [](const Options& o) { return Times{.key = "fast.interval", .interval = 4 * o.time.dt}; },
    .make = make_output<Fast>};

}  // namespace pleiad::test
