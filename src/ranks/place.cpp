#include "ranks/place.hpp"

#include "ranks/agree.hpp"

#include <array>
#include <fstream>
#include <string>

#include <unistd.h>

namespace pleiad::ranks {
namespace {

/// Hosts may have the same name, in containers say; no two have started at one moment with the same number.
std::string host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return std::string(name.data()) + " " + boot;
}

}  // namespace

int number_on_host(Transport& transport) {
  const auto hosts = all_texts(transport, host());
  const auto mine = static_cast<std::size_t>(transport.rank());
  int before = 0;
  for (std::size_t r = 0; r < mine; ++r) before += hosts[r] == hosts[mine] ? 1 : 0;
  return before;
}

}  // namespace pleiad::ranks
