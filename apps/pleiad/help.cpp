#include "help.hpp"

#include <pleiad/models.hpp>

#include <algorithm>

namespace pleiad::app {

std::vector<std::string> with_help(Command app, std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    // A name that is no command is reported as such, instead of the general help.
    if (arguments.empty() || app.subcommand(arguments.front())) arguments.push_back("--help");
  }
  const auto is_help = [](const std::string& a) { return a == "--help" || a == "-h"; };
  const auto is_model = [](const std::string& a) {
    return std::ranges::any_of(models(), [&](const Model* model) { return model->name == a; });
  };
  if (arguments.size() > 2 && arguments[0] == "ic" && is_model(arguments[1]) &&
      std::ranges::any_of(arguments, is_help))
    return {"ic", arguments[1], "--list"};
  return arguments;
}

}  // namespace pleiad::app
