#include "run/spent.hpp"

#include "run/progress.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

std::string seconds(double s) { return s < 10 ? fmt::format("{:.2f} s", s) : duration(s); }

}  // namespace

std::string words_of(const Spent& s) {
  return fmt::format("steps {}, outputs {}, checkpoints {}, plots and movie {}; setup before these {}{}",
                     seconds(s.steps), seconds(s.outputs), seconds(s.checkpoints), seconds(s.ending),
                     seconds(s.setup), s.tuning > 0 ? fmt::format(" (tuning {})", seconds(s.tuning)) : "");
}

nlohmann::ordered_json json_of(const Spent& s) {
  return {{"setup", s.setup},     {"tuning", s.tuning},           {"steps", s.steps},
          {"outputs", s.outputs}, {"checkpoints", s.checkpoints}, {"ending", s.ending}};
}

}  // namespace pleiad::run
