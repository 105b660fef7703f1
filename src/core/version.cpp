#include "core/version.hpp"

namespace pleiad {
const char* version() { return PLEIAD_VERSION; }
}  // namespace pleiad
