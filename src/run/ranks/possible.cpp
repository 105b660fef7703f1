#include "run/ranks/possible.hpp"

#include "direct/why_not.hpp"

namespace pleiad::run {

void need_possible(const Options& o, int ranks) {
  need_able({}, {.gpus = o.engine.gpus, .on_ranks = ranks > 1});
}

}  // namespace pleiad::run
