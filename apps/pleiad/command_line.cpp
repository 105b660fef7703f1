/// The command line through CLI11.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

namespace pleiad::app {
namespace {
CLI::Validator validator_of(const Rule& rule) { return {rule.apply, rule.shown, rule.name}; }

/// "T_END" for "--t-end"; "" for an argument, whose name is in the help already.
std::string value_named_by(const CLI::Option& option) {
  if (option.get_positional()) return "";
  std::string name = option.get_lnames().empty() ? option.get_snames().front() : option.get_lnames().front();
  for (char& c : name) c = c == '-' ? '_' : char(std::toupper(static_cast<unsigned char>(c)));
  return name;
}
}  // namespace

Option Option::required() {
  option_->required();
  return *this;
}
Option Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}
Option Option::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}
Option Option::expected(int count) {
  option_->expected(count);
  return *this;
}
Option Option::allow_extra_args(bool allow) {
  option_->allow_extra_args(allow);
  return *this;
}
Option Option::check(const Rule& rule) {
  option_->check(validator_of(rule));
  return *this;
}
Option Option::transform(const Rule& rule) {
  option_->transform(validator_of(rule));
  return *this;
}
Option Option::one_of(std::vector<std::string> values) {
  option_->check(CLI::IsMember(std::move(values)));
  return *this;
}
Option Option::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}
Option Option::existing_folder() {
  option_->check(CLI::ExistingDirectory);
  return *this;
}
Option Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}
Option Option::value_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& idea) {
  return Command(app_->add_subcommand(name, idea));
}
void Command::require_subcommand(int least, int most) {
  app_->require_subcommand(std::size_t(least), std::size_t(most));
}
template <class T>
Option Command::add_option(const std::string& names, T& value, const std::string& help) {
  auto* option = app_->add_option(names, value, help);
  option->type_name(value_named_by(*option));
  return Option(option);
}
template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<int>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::size_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<double>&, const std::string&);

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return Option(app_->add_flag(names, value, help));
}
Option Command::add_flag_with_value(const std::string& names, std::string& value, const std::string& help) {
  return Option(app_->add_flag(names, value, help));
}
void Command::add_version_flag(const std::string& names, std::function<std::string()> version,
                               const std::string& help) {
  app_->set_version_flag(names, std::move(version), help);
}
void Command::footer(const std::string& text) { app_->footer(text); }
void Command::callback(std::function<void()> action) { app_->callback(std::move(action)); }

bool Command::parsed() const { return app_->parsed(); }
bool Command::is_root() const { return app_->get_parent() == nullptr; }
std::string Command::name() const { return app_->get_name(); }
std::optional<Command> Command::given() const {
  const auto commands = app_->get_subcommands();
  return commands.empty() ? std::nullopt : std::optional(Command(commands.front()));
}
std::vector<std::string> Command::subcommands() const {
  std::vector<std::string> names;
  for (const CLI::App* sub : std::as_const(*app_).get_subcommands({})) names.push_back(sub->get_name());
  return names;
}
std::vector<std::string> Command::options() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}
std::string Command::idea() const { return app_->get_description(); }
std::string Command::idea_of(const std::string& option) const {
  const auto* found = app_->get_option_no_throw(option);
  const std::string text = found == nullptr ? "" : found->get_description();
  std::string first = text.substr(0, text.find_first_of(";:([\n"));
  while (first.ends_with(' ')) first.pop_back();
  return first;
}
bool Command::takes_value(const std::string& option) const {
  const auto* found = app_->get_option_no_throw(option);
  return found != nullptr && found->get_items_expected_min() > 0;
}
std::optional<Command> Command::subcommand(const std::string& name) const {
  for (CLI::App* sub : app_->get_subcommands({}))
    if (sub->get_name() == name) return Command(sub);
  return std::nullopt;
}
bool Command::has_option(const std::string& name) const { return app_->get_option_no_throw(name) != nullptr; }
std::vector<std::string> Command::remaining() const { return app_->remaining(); }

CommandLine::CommandLine(const std::string& name, const std::string& idea)
    : app_(std::make_unique<CLI::App>(idea, name)) {}
CommandLine::~CommandLine() = default;

Command CommandLine::root() { return Command(app_.get()); }

std::optional<Mistake> CommandLine::parse(std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);  // as CLI11 takes them
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
      return Mistake{.reason = error.what(),
                     .incomplete = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr,
                     .mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr};
    app_->exit(error);  // prints the help or the version
  }
  return std::nullopt;
}

}  // namespace pleiad::app
