/// Commands and their options. CLI11 parses them; it takes long to compile, so only one unit includes it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace pleiad::app {

/// A condition on a value. `apply` returns the error of a text ("" for none) and may rewrite it; `shown`
/// stands for the value in a command's help.
struct Rule {
  std::function<std::string(std::string&)> apply;
  std::string shown, name;
};

/// An option or a flag of a command; a handle.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required();
  /// The value in the help is the one that the variable holds now.
  Option capture_default_str();
  /// A list in one argument, such as 1,2,4.
  Option delimiter(char between);
  /// Requires `count` values.
  Option expected(int count);
  /// False: one value each time that the option occurs.
  Option allow_extra_args(bool allow);
  /// Refuses values that break the rule.
  Option check(const Rule& rule);
  /// Applies the rule, which may rewrite the text, before all checks.
  Option transform(const Rule& rule);
  Option one_of(std::vector<std::string> values);
  Option existing_file();
  Option existing_folder();
  /// Heading of the help under which the option stands.
  Option group(const std::string& heading);
  /// Name of the value in the help: "FILE" in "--json FILE". By default it is the name of the option.
  Option value_name(const std::string& name);

 private:
  CLI::Option* option_;
};

/// A command; a handle. Variables that are bound to options live as long as the command line.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_subcommand(const std::string& name, const std::string& idea);
  /// Requires at least and at most these numbers of subcommands.
  void require_subcommand(int least, int most);
  /// `names` as in "-n,--bodies"; without a dash it is an argument. T: a string, a number, or several or
  /// perhaps one of them; the types are listed in command_line.cpp.
  template <class T>
  Option add_option(const std::string& names, T& value, const std::string& help);
  Option add_flag(const std::string& names, bool& value, const std::string& help);
  /// A flag that may have a value, "--name=VALUE"; "true" without one.
  Option add_flag_with_value(const std::string& names, std::string& value, const std::string& help);
  void add_version_flag(const std::string& names, std::function<std::string()> version,
                        const std::string& help);
  /// Text below a command's help.
  void footer(const std::string& text);
  /// Action that is executed when the command line has been read.
  void callback(std::function<void()> action);

  /// Whether this command was given.
  [[nodiscard]] bool parsed() const;
  [[nodiscard]] bool is_root() const;
  [[nodiscard]] std::string name() const;
  /// The first of its subcommands that was given.
  [[nodiscard]] std::optional<Command> given() const;
  [[nodiscard]] std::vector<std::string> subcommands() const;
  /// "--name" and "-n" of all options.
  [[nodiscard]] std::vector<std::string> options() const;
  /// First line of the help.
  [[nodiscard]] std::string idea() const;
  /// First sentence of the help of an option.
  [[nodiscard]] std::string idea_of(const std::string& option) const;
  /// Whether an option has a value, else it is a flag.
  [[nodiscard]] bool takes_value(const std::string& option) const;
  /// The subcommand with this name, which need not have been given.
  [[nodiscard]] std::optional<Command> subcommand(const std::string& name) const;
  [[nodiscard]] bool has_option(const std::string& name) const;
  /// Arguments that no one took.
  [[nodiscard]] std::vector<std::string> remaining() const;

 private:
  CLI::App* app_;
};

/// The error in a command line, in the parser's words.
struct Mistake {
  std::string reason;
  bool incomplete = false;  ///< a command or an argument that must be there is not
  bool mismatch = false;    ///< an option has too few or too many values
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& idea);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command root();
  /// Executes the requested command, --help and --version included; or returns the error. The arguments are
  /// those after the name of the program.
  std::optional<Mistake> parse(std::vector<std::string> arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace pleiad::app
