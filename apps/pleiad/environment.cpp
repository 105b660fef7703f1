#include "environment.hpp"

#include "engine/device.hpp"
#include "tune/cache.hpp"

#include <cstdlib>

namespace pleiad::app {

std::filesystem::path tuning_cache() {
  return tune::cache_file(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME"));
}

void obey_environment() {
  if (const char* fault = std::getenv("PLEIAD_CUDA_FAULT"); fault != nullptr) inject_device_fault(fault);
}

}  // namespace pleiad::app
