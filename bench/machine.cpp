/// Machine and program of a measurement.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/machine.hpp"

#include "bench/peak.hpp"
#include "bench_commit.hpp"
#include "core/threads.hpp"

#include <fstream>

namespace pleiad::bench {
namespace {

/// Linux says it in /proc/cpuinfo: "model name" on x86, "CPU part" and the like on others.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown processor";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

Machine this_machine() {
  const int in_force = threads();
  set_threads(0);
  const int cores = threads();
  set_threads(in_force);
  return {.device = processor(),
          .compiler = compiler(),
          .commit = source_commit,
          .simd_target = std::string(peak_simd_target()),
          .cores = cores};
}

}  // namespace pleiad::bench
