#include "run/ranks/possible.hpp"

#include <pleiad/error.hpp>

#include <string>
#include <string_view>

namespace pleiad::run {

void need_possible(const Options& o, int ranks) {
  const auto refuse = [ranks](bool asked, std::string_view sentence) {
    if (asked && ranks > 1) throw UsageError("with several ranks " + std::string(sentence));
  };
  refuse(o.engine.gpus > 1, "each uses one GPU: start as many ranks as there are GPUs, with engine.gpus = 1");
}

}  // namespace pleiad::run
