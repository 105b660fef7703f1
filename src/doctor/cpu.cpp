#include "core/threads.hpp"
#include "doctor/doctor.hpp"
#include "doctor/self_test.hpp"
#include "run/memory.hpp"

#include <pleiad/kernel/choice.hpp>
#include <pleiad/kernel/direct.hpp>

#include <fstream>
#include <thread>

#include <fmt/format.h>

namespace pleiad::doctor {
namespace {

constexpr const char* cpu_group = "CPU";

std::string model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name"))
      if (const auto at = line.find(": "); at != line.npos) return line.substr(at + 2);
  return "of unknown make";
}

Finding kernel_test() {
  const auto& kernel = *choose_direct_kernel(1000, Precision::f32, {}).method.kernel;
  const auto wrong = wrong_pulls([&](const PairProblem<F32>& p) { kernel.f32(p, {}); });
  return {wrong.empty() ? Mark::ok : Mark::broken, cpu_group, "kernel test",
          wrong.empty() ? fmt::format("{} agrees with a plain sum", kernel.name)
                        : fmt::format("{}: {}", kernel.name, wrong)};
}

}  // namespace

std::string instruction_set() {
  const std::string name(simd_target());
  return name.starts_with("AVX3") ? "AVX-512" : name;
}

Findings examine_cpu() {
  const std::size_t there = run::available_memory();
  return {{Mark::ok,
           cpu_group,
           "processor",
           fmt::format("{}, {} of its {} threads for this process", model(), threads(),
                       std::thread::hardware_concurrency()),
           {{"threads", threads()}}},
          {Mark::ok, cpu_group, "vectors",
           fmt::format("{}, {} numbers of single precision", instruction_set(), simd_lanes_f32())},
          {Mark::ok,
           cpu_group,
           "memory",
           fmt::format("{:.1f} GiB available", double(there) / 0x1p30),
           {{"available_bytes", double(there)}}},
          kernel_test()};
}

}  // namespace pleiad::doctor
