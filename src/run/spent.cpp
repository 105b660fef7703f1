#include "run/spent.hpp"

#include "run/progress.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

std::string seconds(double s) { return s < 10 ? fmt::format("{:.2f} s", s) : duration(s); }

}  // namespace

std::string words_of(const Spent& s) {
  const auto& [rows, snapshots, pictures, checkpoints] = s.waited;
  const auto& b = s.beside;
  std::string beside;
  if (b.snapshots + b.pictures + b.checkpoints > 0)
    beside = fmt::format("; beside the steps snapshots {}, pictures {}, checkpoints {}", seconds(b.snapshots),
                         seconds(b.pictures), seconds(b.checkpoints));
  return fmt::format(
      "steps {}, rows {}, snapshots {}, pictures {}, checkpoints {}, plots and movie {}{}; "
      "setup before these {}{}",
      seconds(s.steps), seconds(rows), seconds(snapshots), seconds(pictures), seconds(checkpoints),
      seconds(s.ending), beside, seconds(s.setup),
      s.tuning > 0 ? fmt::format(" (tuning {})", seconds(s.tuning)) : "");
}

nlohmann::ordered_json json_of(const Spent& s) {
  return {{"setup", s.setup},
          {"tuning", s.tuning},
          {"steps", s.steps},
          {"rows", s.waited.rows},
          {"snapshots", s.waited.snapshots},
          {"pictures", s.waited.pictures},
          {"checkpoints", s.waited.checkpoints},
          {"ending", s.ending},
          {"beside",
           {{"snapshots", s.beside.snapshots},
            {"pictures", s.beside.pictures},
            {"checkpoints", s.beside.checkpoints}}}};
}

}  // namespace pleiad::run
