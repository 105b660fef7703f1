#include "core/magnitude.hpp"
#include "doctor/doctor.hpp"
#include "run/memory.hpp"
#include "run/run.hpp"

#include <pleiad/engine.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::doctor {
namespace {

/// The largest n that an engine has room for; the memory that it needs grows with n.
std::size_t largest(std::size_t bytes, EngineOptions options) {
  std::size_t fits = 0, too_many = std::size_t{1} << 50;
  while (fits + 1 < too_many) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    (engine_bytes(middle, options) <= bytes ? fits : too_many) = middle;
  }
  return fits;
}

Finding sizes(const std::string& device, const std::string& backend, std::size_t bytes) {
  Finding f{Mark::ok, "largest number of bodies", device, ""};
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    const auto n = double(largest(bytes, {.precision = precision, .backend = backend}));
    f.text += fmt::format("{}{} {:.3g}", f.text.empty() ? "" : ", ", name_of(precision), n);
    f.numbers.emplace_back(name_of(precision), n);
  }
  return f;
}

}  // namespace

Findings examine_sizes() {
  const std::size_t host = run::available_memory();
  Findings found{sizes("CPU", "cpu", host)};
  // The host keeps a copy of the bodies.
  for (const auto& [device, free] : device_memories())
    found.push_back(sizes(device, "cuda", std::min(free, host)));
  return found;
}

Findings examine_run(const Options& options, const std::filesystem::path& cache) {
  constexpr const char* group = "this run";
  if (options.ensemble.active())
    return {
        {Mark::note, group, "ensemble", "pleiad run FILE.toml --dry-run says what its systems would need"}};
  run::Request request;
  request.options = options, request.cache = cache;
  const auto f = run::estimate(request);
  return {{Mark::ok, group, "bodies", fmt::format("{}", f.bodies), {{"bodies", double(f.bodies)}}},
          {Mark::ok, group, "device",
           fmt::format("{}, kernel {} ({})", f.engine.device, f.engine.kernel(), f.engine.why)},
          {f.bytes <= f.available_bytes ? Mark::ok : Mark::broken,
           group,
           "memory",
           fmt::format("{:.4g} MiB of {:.4g} available", double(f.bytes) / 0x1p20,
                       double(f.available_bytes) / 0x1p20),
           {{"memory_bytes", double(f.bytes)}}},
          {Mark::ok,
           group,
           "time",
           fmt::format("about {}{} for {:g} steps{}", f.at_least ? "or above " : "", duration(f.seconds()),
                       f.steps, f.at_least ? " or more (adaptive)" : ""),
           {{"seconds", f.seconds()}}}};
}

}  // namespace pleiad::doctor
