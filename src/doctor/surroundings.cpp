#include "doctor/doctor.hpp"
#include "render/process.hpp"

#include <chrono>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::doctor {
namespace {

namespace fs = std::filesystem;
constexpr const char* surroundings_group = "surroundings";

/// The version line of a program, or the feature that is missing without it.
Finding program(const char* name, const char* option, const char* missed) {
  const auto outcome = render_detail::run_program({name, option}, "/", std::chrono::seconds(5));
  const auto line = outcome.output.substr(0, outcome.output.find('\n'));
  if (outcome.good()) return {Mark::ok, surroundings_group, name, line.substr(0, line.find(" Copyright"))};
  return {Mark::note, surroundings_group, name,
          (outcome.started ? outcome.why(name) : "not found") + ": " + missed};
}

/// 22703 is 2.27.3.
Finding nccl() {
  void* const library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return {Mark::note, surroundings_group, "NCCL",
            "not found: the GPUs of several ranks exchange bodies through the host, slowly"};
  int number = 0;
  const auto version = reinterpret_cast<int (*)(int*)>(::dlsym(library, "ncclGetVersion"));
  const bool known = version != nullptr && version(&number) == 0;
  ::dlclose(library);
  return {Mark::ok, surroundings_group, "NCCL",
          (known ? fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100)
                 : std::string("of unknown version")) +
              "; moves bodies between the GPUs of several ranks"};
}

/// The first folder that there is, from the cache's upwards: the others are made when they are needed.
Finding about_cache(const fs::path& file) {
  constexpr const char* cost = "what `pleiad tune` measures is not kept";
  if (file.empty())
    return {Mark::note, surroundings_group, "cache",
            fmt::format("neither XDG_CACHE_HOME nor HOME is set: {}", cost)};
  fs::path folder = file.parent_path();
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  if (::access(folder.c_str(), W_OK) == 0)
    return {Mark::ok, surroundings_group, "cache", file.parent_path().string()};
  return {Mark::note, surroundings_group, "cache",
          fmt::format("'{}' cannot be written: {}", folder.string(), cost)};
}

}  // namespace

Findings examine_surroundings(const fs::path& cache) {
  return {program("ffmpeg", "-version", "no movies, only their pictures"),
          program("gnuplot", "--version", "no plots, only their tables"),
          program("mpirun", "--version", "a run stays on one machine"), nccl(), about_cache(cache)};
}

}  // namespace pleiad::doctor
