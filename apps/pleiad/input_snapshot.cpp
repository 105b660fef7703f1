#include "input_snapshot.hpp"

#include "io/durable/paths.hpp"
#include "io/files/comoving.hpp"
#include "live/timeline.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {
namespace {

/// The number of the entry that is nearest to a time; by default the last.
std::size_t nearest_to(const std::optional<double>& time, const std::vector<live::Setting::File>& list) {
  std::size_t best = list.size() - 1;
  for (std::size_t k = 0; time && k < list.size(); ++k)
    if (std::abs(list[k].time - *time) < std::abs(list[best].time - *time)) best = k;
  return best;
}

InputSnapshot of_file(FileContent content, const std::string& path, Claims& claims) {
  claims.reads_all(content.files);
  claims.reads_all(content.beside);
  return {.snapshot = std::move(content.snapshot),
          .name = std::filesystem::path(path).filename().string(),
          .eps = content.suggested_softening.value_or(0),
          .universe = content.universe};
}

std::optional<Units> units_asked(const std::string& units) {
  return units.empty() ? std::nullopt : std::optional(units_named(units));
}

InputSnapshot checked(InputSnapshot input, const std::string& path) {
  validate(input.snapshot.bodies, 1, path);  // 1: two bodies may be at one place
  return input;
}

[[noreturn]] void refuse_time(std::string_view option, const std::string& path) {
  throw UsageError(fmt::format("{} is for the directory of a run; '{}' is none", option, path));
}

}  // namespace

InputSnapshot input_snapshot(const std::string& path, const std::optional<double>& time,
                             const std::string& units, Claims& claims) {
  claims.reads(path);
  if (!is_input_folder(path)) {
    if (time) refuse_time("--time", path);
    return checked(of_file(read_snapshot(path, units_asked(units)), path, claims), path);
  }
  const auto run = live::timeline_of(path);
  const auto best = nearest_to(time, run.setting.list);
  return checked({.snapshot = run.read(best),
                  .name = fmt::format("{}, {}", run.setting.title, run.setting.list[best].name),
                  .eps = run.setting.softening},
                 path);
}

InputSnapshot comoving_snapshot(const std::string& path, const WhichSnapshot& which, const std::string& units,
                                Claims& claims) {
  claims.reads(path);
  if (!is_input_folder(path)) {
    if (which.time) refuse_time("--time", path);
    if (which.redshift) refuse_time("--redshift", path);
    return checked(of_file(files::read_comoving(path, units_asked(units)), path, claims), path);
  }
  if (which.time && which.redshift)
    throw UsageError("--time and --redshift both choose a snapshot of the run; give one of them");
  const auto run = live::timeline_of(path);
  // The time of a run in comoving coordinates is ln a.
  const auto time = which.redshift ? std::optional(-std::log1p(*which.redshift)) : which.time;
  const auto best = nearest_to(time, run.setting.list);
  auto content = run.read_comoving(best);
  if (which.redshift && !content.universe)
    throw UsageError(fmt::format("--redshift: '{}' is a run in static space; give --time", path));
  return checked({.snapshot = std::move(content.snapshot),
                  .name = fmt::format("{}, {}", run.setting.title, run.setting.list[best].name),
                  .eps = run.setting.softening,
                  .universe = content.universe},
                 path);
}

std::string type_words(const std::vector<Type>& types) {
  if (types.empty()) return "all";
  std::vector<std::string_view> names;
  for (const Type type : types) names.push_back(type_names[static_cast<std::size_t>(type)]);
  return fmt::format("{}", fmt::join(names, "+"));
}

}  // namespace pleiad::app
