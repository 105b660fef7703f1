#include "cuda/device/fault.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <string>
#include <utility>

namespace pleiad::cuda {
namespace {

constexpr std::pair<std::string_view, ErrorClass> kinds[]{{"memory", ErrorClass::memory},
                                                          {"launch", ErrorClass::launch},
                                                          {"ecc", ErrorClass::ecc},
                                                          {"lost", ErrorClass::lost}};

struct Injected {
  std::optional<Fault> fault;
  std::atomic<std::uint64_t> calls = 0;
};
Injected& injected() {
  static Injected one;
  return one;
}

}  // namespace

Fault fault_named(std::string_view text) {
  const auto colon = text.find(':');
  std::uint64_t call = 0;
  const char* const last = text.data() + std::min(colon, text.size());
  const auto [end, error] = std::from_chars(text.data(), last, call);
  if (error == std::errc() && end == last && call > 0 && colon != text.npos)
    for (const auto& [name, error_class] : kinds)
      if (text.substr(colon + 1) == name) return {call, error_class};
  throw UsageError("PLEIAD_CUDA_FAULT='" + std::string(text) +
                   "' must be CALL:KIND, a call >= 1 and memory, launch, ecc or lost, as in 7:ecc");
}

void inject(std::optional<Fault> fault) {
  injected().fault = fault;
  injected().calls = 0;
}

std::optional<ErrorClass> next_fault() {
  auto& [fault, calls] = injected();
  const std::uint64_t call = ++calls;
  if (!fault || call < fault->call || (call > fault->call && !is_sticky(fault->error_class)))
    return std::nullopt;
  return fault->error_class;
}

}  // namespace pleiad::cuda
