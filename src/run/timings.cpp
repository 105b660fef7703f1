#include "run/timings.hpp"

#include <nlohmann/json.hpp>

namespace pleiad::run {
nlohmann::ordered_json json_of(const Timings& s) {
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
