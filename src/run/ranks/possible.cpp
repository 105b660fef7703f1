#include "run/ranks/possible.hpp"

#include <pleiad/error.hpp>

#include <string>
#include <string_view>

namespace pleiad::run {

void need_possible_on_ranks(const Options& o) {
  const auto refuse = [](bool asked, std::string_view sentence) {
    if (asked) throw UsageError("with several ranks " + std::string(sentence));
  };
  refuse(o.engine.gpus > 1, "each uses one GPU: start as many ranks as there are GPUs, with engine.gpus = 1");
}

}  // namespace pleiad::run
