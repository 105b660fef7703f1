#include "run/ranks/alike.hpp"

#include "core/version.hpp"
#include "ranks/agree.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <fmt/format.h>

namespace pleiad::run {

void need_alike(ranks::Communicator& comm, const std::string& config) {
  const auto mine = fmt::format("{}\n{}\n{}", version(), simd_target(), config);
  const auto all = ranks::all_texts(comm, mine);
  ranks::agree(comm, [&] {
    if (mine != all.front())
      throw UsageError(
          "its version, vector instructions or options are not those of rank 0; start the same program "
          "with the same options on equal processors");
  });
}

}  // namespace pleiad::run
