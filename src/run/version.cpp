#include "run/version.hpp"

namespace pleiad::run {
std::string version() { return PLEIAD_VERSION; }
}  // namespace pleiad::run
