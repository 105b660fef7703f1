#include "run/memory.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

namespace pleiad::run {
namespace {

/// The number (in kB) after `key` in a file of /proc, or `otherwise`.
std::size_t proc_kilobytes(const char* file, std::string_view key, std::size_t otherwise) {
  std::ifstream in(file);
  std::string word;
  std::size_t value = 0;
  while (in >> word)
    if (word == key && in >> value) return value * 1024;
  return otherwise;
}

std::size_t number_in(const char* file, std::size_t otherwise) {
  std::ifstream in(file);
  std::size_t value = 0;
  return in >> value ? value : otherwise;
}

}  // namespace

std::size_t available_memory() {
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  std::size_t least = proc_kilobytes("/proc/meminfo", "MemAvailable:", unlimited);
  const std::size_t group = number_in("/sys/fs/cgroup/memory.max", unlimited),
                    used = number_in("/sys/fs/cgroup/memory.current", 0);
  if (group != unlimited) least = std::min(least, group - std::min(group, used));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const std::size_t mapped = proc_kilobytes("/proc/self/status", "VmSize:", 0), allowed = limit.rlim_cur;
    least = std::min(least, allowed - std::min(allowed, mapped));
  }
  return least;
}

void need_memory(std::size_t bytes, std::string_view what) {
  const std::size_t there = available_memory();
  if (bytes > there)
    throw ResourceError(fmt::format("{} need {:.3g} GiB of memory, {:.3g} GiB are available", what,
                                    double(bytes) / 0x1p30, double(there) / 0x1p30),
                        Error::Code::out_of_memory);
}

std::size_t run_bytes(std::size_t n, const EngineOptions& engine) {
  // Positions, velocities, masses, accelerations and potentials in double precision, ids, types; and, in a
  // snapshot, the order by types.
  constexpr std::size_t each = 11 * 8 + 8 + 1 + 8;
  std::size_t bytes = engine_bytes(n, engine), copied = 0;
  if (__builtin_mul_overflow(n, each, &copied) || __builtin_add_overflow(bytes, copied, &bytes))
    throw ResourceError(fmt::format("{} bodies exceed the address space", n), Error::Code::out_of_memory);
  return bytes;
}

}  // namespace pleiad::run
