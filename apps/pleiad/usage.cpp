/// Messages for parse errors: unknown names are compared with options, commands and configuration
/// keys.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include "io/config/config.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {
namespace {

/// The command that was being read, and its full name.
struct Place {
  Command command;
  std::string name;
};
Place place_of(Command app) {
  Place place{app, app.name()};
  while (const auto given = place.command.given()) {
    place.command = *given;
    place.name.append(" ").append(given->name());
  }
  return place;
}

std::string hint(std::string_view name, const std::vector<std::string>& names) {
  return did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

/// Remedy for an option with the name of a key of the configuration, for commands with --set; `typos` takes
/// the nearest key.
std::string key_called(std::string_view option, Command command, bool typos) {
  if (!command.has_option("--set")) return {};
  std::string name(option.substr(std::min(option.find_first_not_of('-'), option.size())));
  std::ranges::replace(name, '-', '_');
  const auto keys = option_keys();
  if (typos) {
    std::vector<std::string_view> names;
    for (const auto& key : keys) names.push_back(key.key);
    name = std::string(nearest(name, names));
  }
  for (const auto& key : keys)
    if (key.key == name || (!key.former_name.empty() && key.former_name == name))
      return fmt::format("{} --set {}.{}=VALUE{}",
                         typos ? "; did you mean" : "; it is a key of the configuration:", key.section,
                         key.key, typos ? "?" : "");
  return {};
}

/// The option or the key that is nearest.
std::string nearest_called(const std::string& option, Command command) {
  auto names = command.options();
  const std::size_t options = names.size();
  if (command.has_option("--set"))
    for (const auto& key : option_keys()) names.push_back(fmt::format("--{}", key.key));
  const auto best = nearest(option, std::vector<std::string_view>(names.begin(), names.end()));
  const auto place = std::ranges::find(names, best) - names.begin();
  return static_cast<std::size_t>(place) < options ? hint(option, {std::string(best)})
                                                   : key_called(option, command, true);
}

std::string unknown(const std::string& argument, Command command) {
  const bool option = argument.size() > 1 && argument[0] == '-';
  const std::string name = option ? argument.substr(0, argument.find('=')) : argument;
  if (option) {
    std::string help = key_called(name, command, false);
    if (help.empty()) help = nearest_called(name, command);
    return fmt::format("no option '{}'{}", name, help);
  }
  const auto commands = command.subcommands();
  if (commands.empty()) return fmt::format("'{}' is one argument too many", name);
  std::error_code ignored;
  if (command.is_root() && std::filesystem::is_regular_file(name, ignored))
    return fmt::format("no command '{}'; did you mean 'pleiad run {}' or 'pleiad info {}'?", name, name,
                       name);
  const std::string nearest = hint(name, commands);
  return fmt::format("no command '{}'{}", name,
                     nearest.empty() ? fmt::format("; there are {}", fmt::join(commands, ", ")) : nearest);
}

/// The parser's own words, where they are good enough.
std::string reason_of(const Mistake& mistake, const Place& place) {
  const std::string& reason = mistake.reason;
  if (mistake.incomplete) {
    const auto commands = place.command.subcommands();
    return fmt::format(
        "{}; `{} --help` explains",
        commands.empty() ? reason : fmt::format("which command? There are {}", fmt::join(commands, ", ")),
        place.name);
  }
  if (mistake.mismatch && reason.ends_with(" missing"))
    return reason.substr(0, reason.find(':')) + " needs a value";
  return reason;
}

}  // namespace

std::string explain(Command app, const Mistake& mistake) {
  const Place place = place_of(app);
  const auto left = place.command.remaining();
  const auto first = std::ranges::find_if(left, [](const std::string& argument) { return argument != "--"; });
  return place.name + ": " +
         (first != left.end() ? unknown(*first, place.command) : reason_of(mistake, place));
}

}  // namespace pleiad::app
