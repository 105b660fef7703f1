#include "ranks/place.hpp"

#include "ranks/agree.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

namespace pleiad::ranks {

/// Name and boot identifier of the host: hosts, such as containers, may have equal names, but not equal boot
/// identifiers.
std::string host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return std::string(name.data()) + " " + boot;
}

int ranks_on_host(Communicator& comm) {
  const auto hosts = all_texts(comm, host());
  return static_cast<int>(std::ranges::count(hosts, hosts[static_cast<std::size_t>(comm.rank())]));
}

int number_on_host(Communicator& comm) {
  const auto hosts = all_texts(comm, host());
  const auto mine = static_cast<std::size_t>(comm.rank());
  int before = 0;
  for (std::size_t r = 0; r < mine; ++r) before += hosts[r] == hosts[mine] ? 1 : 0;
  return before;
}

std::string idle_processors(std::size_t used, std::size_t there) {
  if (used == 0 || 2 * used > there) return "";
  return fmt::format(
      "the ranks of this host may use {} of its {} processors, since they are bound to them: `mpirun "
      "--bind-to none`, or one rank for each NUMA node with `--map-by numa --bind-to numa`, uses all",
      used, there);
}

std::string idle_processors(Communicator& comm) {
  const auto hosts = all_texts(comm, host());
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = ::sched_getaffinity(0, sizeof mine, &mine) == 0;
  const auto all = all_gather(comm, mine);
  const long there = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (!known || there < 1) return "";
  cpu_set_t used;
  CPU_ZERO(&used);
  for (std::size_t r = 0; r < all.size(); ++r)
    if (hosts[r] == hosts.front()) CPU_OR(&used, &used, &all[r]);
  return idle_processors(static_cast<std::size_t>(CPU_COUNT(&used)), static_cast<std::size_t>(there));
}

}  // namespace pleiad::ranks
