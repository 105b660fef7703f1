#include "input_snapshot.hpp"

#include "io/durable/paths.hpp"
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

InputSnapshot read(const std::string& path, const std::optional<double>& time, const std::string& units,
                   Claims& claims) {
  claims.reads(path);
  if (is_input_folder(path)) {
    const auto run = live::timeline_of(path);
    const auto& list = run.setting.list;
    std::size_t best = list.size() - 1;
    for (std::size_t k = 0; time && k < list.size(); ++k)
      if (std::abs(list[k].time - *time) < std::abs(list[best].time - *time)) best = k;
    return {run.read(best), fmt::format("{}, {}", run.setting.title, list[best].name), run.setting.softening};
  }
  if (time) throw UsageError(fmt::format("--time is for the directory of a run; '{}' is none", path));
  auto content = read_snapshot(path, units.empty() ? std::nullopt : std::optional(units_named(units)));
  claims.reads_all(content.files);
  claims.reads_all(content.beside);
  return {std::move(content.snapshot), std::filesystem::path(path).filename().string(),
          content.suggested_softening.value_or(0)};
}

}  // namespace

InputSnapshot input_snapshot(const std::string& path, const std::optional<double>& time,
                             const std::string& units, Claims& claims) {
  auto input = read(path, time, units, claims);
  validate(input.snapshot.bodies, 1, path);  // 1: two bodies may be at one place
  return input;
}

std::string type_words(const std::vector<Type>& types) {
  if (types.empty()) return "all";
  std::vector<std::string_view> names;
  for (const Type type : types) names.push_back(type_names[static_cast<std::size_t>(type)]);
  return fmt::format("{}", fmt::join(names, "+"));
}

}  // namespace pleiad::app
