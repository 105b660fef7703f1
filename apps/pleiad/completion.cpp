/// `pleiad completion`: scripts with which bash, zsh and fish complete commands, options and names.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/print.hpp"

#include <pleiad/files.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {
namespace {

using Words = std::vector<std::string>;

/// Names that an option takes, where these are known; for every command that has the option.
std::vector<std::pair<std::string, Words>> values() {
  Words integrator_names, formats, model_names;
  for (const auto* i : integrators()) integrator_names.emplace_back(i->name);
  for (const auto name : format_names()) formats.emplace_back(name);
  for (const auto* model : models()) model_names.emplace_back(model->name);
  return {{"--integrator", integrator_names},
          {"--precision", {"auto", "f32", "f64", "mixed"}},
          {"--backend", {"auto", "cpu", "cuda"}},
          {"--tuning", {"auto", "off", "force"}},
          {"--units", {"nbody", "galactic", "cluster", "solar", "si", "cgs"}},
          {"--format", formats},
          {"--model", model_names}};
}

/// Words of a command besides the names of its options: its subcommands, or the models of `ic`.
Words words_of(const Command& command) {
  auto words = command.subcommands();
  if (command.name() == "ic")
    for (const auto* model : models()) words.emplace_back(model->name);
  return words;
}

std::string bash_function(const Command& app) {
  std::string text = fmt::format(
      "_pleiad() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" words=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"{} help\"\n  else\n    case \"$before\" in\n",
      fmt::join(app.subcommands(), " "));
  for (const auto& [option, names] : values())
    text += fmt::format("      {}) words=\"{}\" ;;\n", option, fmt::join(names, " "));
  text += "      *) case \"${COMP_WORDS[1]}\" in\n";
  for (const auto& name : app.subcommands()) {
    const auto command = *app.subcommand(name);
    auto words = words_of(command);
    for (const auto& option : command.options()) words.push_back(option);
    text += fmt::format("        {}) words=\"{}\" ;;\n", name, fmt::join(words, " "));
  }
  text += fmt::format("        help) words=\"{}\" ;;\n      esac ;;\n    esac\n  fi\n",
                      fmt::join(app.subcommands(), " "));
  // Without a match the shell completes names of files.
  return text +
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\ncomplete -o default -F _pleiad pleiad\n";
}

/// A word of the shell in single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

std::string fish_lines(const Command& app) {
  std::string text;
  for (const auto& name : app.subcommands()) {
    const auto command = *app.subcommand(name);
    text += fmt::format("complete -c pleiad -n __fish_use_subcommand -f -a {} -d {}\n", name,
                        quoted(command.idea()));
    const auto here = fmt::format("complete -c pleiad -n '__fish_seen_subcommand_from {}'", name);
    if (const auto words = words_of(command); !words.empty())
      text += fmt::format("{} -a '{}'\n", here, fmt::join(words, " "));
    for (const auto& option : command.options()) {
      const bool is_long = option.starts_with("--");
      text += fmt::format("{} -{} {}{} -d {}\n", here, is_long ? 'l' : 's', option.substr(is_long ? 2 : 1),
                          command.takes_value(option) ? " -r" : "", quoted(command.idea_of(option)));
    }
    for (const auto& [option, names] : values())
      if (command.has_option(option))
        text += fmt::format("{} -l {} -x -a '{}'\n", here, option.substr(2), fmt::join(names, " "));
  }
  return text;
}

}  // namespace

void add_completion(Command app, int&) {
  auto shell = std::make_shared<std::string>();
  auto command = app.add_subcommand("completion", "Print a script for command completion in a shell");
  command.add_option("shell", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.footer(
      "Examples:\n  pleiad completion bash > ~/.local/share/bash-completion/completions/pleiad\n  pleiad "
      "completion zsh > ~/.zfunc/_pleiad    (with fpath+=~/.zfunc before compinit in ~/.zshrc)\n  pleiad "
      "completion fish > ~/.config/fish/completions/pleiad.fish");
  command.callback([app, shell] {
    if (*shell == "fish") print_out("{}", fish_lines(app));
    else if (*shell == "bash") print_out("{}", bash_function(app));
    else print_out("#compdef pleiad\nautoload -U +X bashcompinit && bashcompinit\n{}", bash_function(app));
  });
}

}  // namespace pleiad::app
