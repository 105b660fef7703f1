/// Parse errors in words: unknown names are looked up among the options, the commands and the configuration's
/// keys.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include <pleiad/config.hpp>
#include <pleiad/error.hpp>

#include <CLI/CLI.hpp>
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
  const CLI::App* command;
  std::string name;
};
Place place_of(const CLI::App& app) {
  Place place{&app, app.get_name()};
  while (!place.command->get_subcommands().empty()) {
    place.command = place.command->get_subcommands().front();
    place.name += " " + place.command->get_name();
  }
  return place;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

std::string hint(std::string_view name, const std::vector<std::string>& names) {
  return did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

/// How to set the key of the configuration that `option` is called like, for commands with --set; `typos`
/// takes the nearest one.
std::string key_called(std::string_view option, const CLI::App& command, bool typos) {
  if (command.get_option_no_throw("--set") == nullptr) return {};
  std::string name(option.substr(std::min(option.find_first_not_of('-'), option.size())));
  std::ranges::replace(name, '-', '_');
  const auto keys = option_keys();
  if (typos) {
    std::vector<std::string_view> names;
    for (const auto& key : keys) names.push_back(key.key);
    name = std::string(nearest(name, names));
  }
  for (const auto& key : keys)
    if (key.key == name)
      return fmt::format("{} --set {}.{}=VALUE{}",
                         typos ? "; did you mean" : "; it is a key of the configuration:", key.section,
                         key.key, typos ? "?" : "");
  return {};
}

/// The option or the key that is nearest.
std::string nearest_called(const std::string& option, const CLI::App& command) {
  auto names = option_names(command);
  const std::size_t options = names.size();
  if (command.get_option_no_throw("--set") != nullptr)
    for (const auto& key : option_keys()) names.push_back("--" + key.key);
  const auto best = nearest(option, std::vector<std::string_view>(names.begin(), names.end()));
  const auto place = std::ranges::find(names, best) - names.begin();
  return static_cast<std::size_t>(place) < options ? hint(option, {std::string(best)})
                                                   : key_called(option, command, true);
}

std::string unknown(const std::string& argument, const CLI::App& command) {
  const bool option = argument.size() > 1 && argument[0] == '-';
  const std::string name = option ? argument.substr(0, argument.find('=')) : argument;
  if (option) {
    std::string help = key_called(name, command, false);
    if (help.empty()) help = nearest_called(name, command);
    return fmt::format("no option '{}'{}", name, help);
  }
  const auto commands = command_names(command);
  if (commands.empty()) return fmt::format("'{}' is one argument too many", name);
  std::error_code ignored;
  if (command.get_parent() == nullptr && std::filesystem::is_regular_file(name, ignored))
    return fmt::format("no command '{}'; did you mean 'pleiad run {}' or 'pleiad info {}'?", name, name,
                       name);
  const std::string nearest = hint(name, commands);
  return fmt::format("no command '{}'{}", name,
                     nearest.empty() ? fmt::format("; there are {}", fmt::join(commands, ", ")) : nearest);
}

/// The parser's own words, where they are good enough.
std::string reason_of(const CLI::ParseError& error, const Place& place) {
  std::string reason = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const auto commands = command_names(*place.command);
    return fmt::format(
        "{}; `{} --help` explains",
        commands.empty() ? reason : fmt::format("which command? There are {}", fmt::join(commands, ", ")),
        place.name);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && reason.ends_with(" missing"))
    return reason.substr(0, reason.find(':')) + " needs a value";
  return reason;
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const Place place = place_of(app);
  const auto left = place.command->remaining();
  const auto first = std::ranges::find_if(left, [](const std::string& argument) { return argument != "--"; });
  return place.name + ": " +
         (first != left.end() ? unknown(*first, *place.command) : reason_of(error, place));
}

}  // namespace pleiad::app
