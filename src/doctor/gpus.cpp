/// A build with CUDA: the driver, each GPU, and tests of its memory and arithmetic.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/catalogue.hpp"
#include "cuda/device/inventory.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/evaluate.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "doctor/doctor.hpp"
#include "doctor/health.hpp"
#include "doctor/nvml.hpp"
#include "doctor/self_test.hpp"

#include <pleiad/error.hpp>

#include <cstdint>
#include <functional>

#include <fmt/format.h>

namespace pleiad::doctor {
namespace {

std::string group_of(const cuda::Gpu& gpu) { return fmt::format("GPU {}", gpu.index); }

/// The finding of a test: wrong if it returns a message, or if a call fails.
Finding tested(const std::string& group, const std::string& subject, const std::string& good,
               const std::function<std::string()>& test) {
  std::string wrong;
  try {
    wrong = test();
  } catch (const Error& e) {
    wrong = e.what();
  }
  return {wrong.empty() ? Mark::ok : Mark::broken, group, subject, wrong.empty() ? good : wrong};
}

/// Two patterns through two places of the memory and back.
std::string wrong_memory() {
  constexpr std::size_t words = std::size_t{1} << 21;  // 16 MiB
  const cuda::Stream stream;
  for (const std::uint64_t seed : {0x9E3779B97F4A7C15u, ~0x9E3779B97F4A7C15u}) {
    std::vector<std::uint64_t> there(words), back(words);
    for (std::size_t i = 0; i < words; ++i) there[i] = (i + 1) * seed;
    cuda::Buffer<std::uint64_t> one(words, stream.get()), other(words, stream.get());
    one.copy_from_host(there);
    cuda::copy_on_device(other.data(), one.data(), words * sizeof(there[0]), stream.get());
    other.copy_to_host(back);
    for (std::size_t i = 0; i < words; ++i)
      if (back[i] != there[i])
        return fmt::format("{:#x} was written at byte {}, and {:#x} is read", there[i], 8 * i, back[i]);
  }
  return "";
}

std::string wrong_kernel() {
  for (const DirectKernel* kernel : cuda_kernels())
    if (kernel->name == "cuda/tile")
      return wrong_pulls([&](const PairProblem<F32>& p) { cuda::evaluate(*kernel, p); });
  return "this build has no kernel 'cuda/tile'";
}

void examine(const cuda::Gpu& gpu, const Nvml* nvml, Findings& found) {
  const auto group = group_of(gpu);
  found.push_back({gpu.why_not.empty() ? Mark::ok : Mark::broken,
                   group,
                   "device",
                   gpu.why_not.empty()
                       ? fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.0f} MHz", gpu.name,
                                     gpu.major, gpu.minor, gpu.multiprocessors, gpu.clock / 1e6)
                       : gpu.why_not,
                   {{"multiprocessors", gpu.multiprocessors}, {"clock_hz", gpu.clock}}});
  if (!gpu.why_not.empty()) return;
  if (gpu.code > 0)
    found.push_back(
        {Mark::ok, group, "code", fmt::format("runs that for {}.{}", gpu.code / 10, gpu.code % 10)});
  found.push_back(
      {Mark::ok,
       group,
       "memory",
       fmt::format("{:.1f} of {:.1f} GiB free", double(gpu.free) / 0x1p30, double(gpu.total) / 0x1p30),
       {{"free_bytes", double(gpu.free)}, {"total_bytes", double(gpu.total)}}});
  Health health = nvml != nullptr ? nvml->health(gpu.bus) : Health{};
  if (!health.ecc) health.ecc = gpu.ecc;
  const auto sick = findings_of(health, group);
  found.insert(found.end(), sick.begin(), sick.end());
  found.push_back(tested(group, "memory test", "16 MiB came back as written, twice", [&] {
    const cuda::OnDevice here(gpu.index);
    return wrong_memory();
  }));
  found.push_back(tested(group, "kernel test", "cuda/tile agrees with a plain sum on the CPU", [&] {
    const cuda::OnDevice here(gpu.index);
    return wrong_kernel();
  }));
}

/// One direction: tests whether the access that the driver reports works.
Finding access(int from, int to) {
  const std::string subject = fmt::format("{} -> {}", from, to);
  Finding f = tested("GPU pairs", subject, "direct access, proved by writing and reading",
                     [&] { return cuda::why_not_reachable(from, to); });
  if (f.mark == Mark::broken)
    f.text = "the driver says that there is direct access, but " + f.text + "; copies go through the host";
  return f;
}

void examine_pairs(const std::vector<cuda::Gpu>& gpus, Findings& found) {
  for (const auto& from : gpus)
    for (const auto& to : gpus) {
      if (from.index == to.index || !from.why_not.empty() || !to.why_not.empty()) continue;
      bool allowed = false;
      Finding f = tested("GPU pairs", fmt::format("{} -> {}", from.index, to.index), "", [&] {
        allowed = cuda::allow_access(from.index, to.index);
        return std::string();
      });
      if (f.mark == Mark::ok && !allowed)
        f.mark = Mark::note, f.text = "no direct access: copies go through the host";
      found.push_back(allowed ? access(from.index, to.index) : f);
    }
}

Finding about(const cuda::Driver& d, const Nvml* nvml) {
  using cuda::Presence;
  if (d.presence == Presence::no_driver)
    return {Mark::note, "GPU", "driver", "no NVIDIA driver: runs on the CPU"};
  const auto number = nvml != nullptr ? nvml->driver_version() : "";
  const auto name =
      fmt::format("NVIDIA driver{}{}, for CUDA {}", number.empty() ? "" : " ", number, d.version);
  if (d.presence == Presence::usable) return {Mark::ok, "GPU", "driver", name};
  return {d.presence == Presence::broken ? Mark::broken : Mark::note, "GPU", "driver",
          fmt::format("{}: {}; runs on the CPU", name, d.why)};
}

}  // namespace

Findings examine_gpus() {
  const auto driver = cuda::driver();
  const auto nvml = Nvml::open();
  Findings found{about(driver, nvml.get())};
  if (driver.presence == cuda::Presence::no_driver || driver.presence == cuda::Presence::no_gpu) return found;
  const auto gpus = cuda::all_gpus();
  for (const auto& gpu : gpus) examine(gpu, nvml.get(), found);
  examine_pairs(gpus, found);
  return found;
}

std::string cuda_of_this_build() {
  const auto d = cuda::driver();
  return fmt::format("{}, code for compute capability {}; newer GPUs compile it at the start", d.runtime,
                     d.capabilities);
}

std::vector<DeviceMemory> device_memories() {
  std::vector<DeviceMemory> all;
  for (const auto& gpu : cuda::all_gpus())
    if (gpu.why_not.empty()) all.push_back({group_of(gpu), gpu.free});
  return all;
}

}  // namespace pleiad::doctor
