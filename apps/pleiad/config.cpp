/// `pleiad config`: the reference file, the table of keys, and a check of a configuration without running it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"

#include "added_forces/medium.hpp"
#include "capabilities/capabilities.hpp"
#include "commands.hpp"
#include "core/json_text.hpp"
#include "core/print.hpp"
#include "environment.hpp"
#include "io/durable/claims.hpp"
#include "run/run.hpp"

#include <pleiad/added_force.hpp>
#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

struct ConfigArguments {
  bool keys = false, json = false, capabilities = false, potentials = false, forces = false,
       effective = false, overwrite = false;
  std::string file;
  std::vector<std::string> settings;
};

void print_keys() {
  std::size_t width = 0;
  for (const auto& key : option_keys()) width = std::max(width, key.section.size() + key.key.size() + 1);
  for (const auto& key : option_keys())
    print_out("{:<{}}  {}  [{}{}{}]  {}\n", key.section + "." + key.key, width, key.default_value, key.type,
              key.range.empty() ? "" : ", ", key.range, key.meaning);
}

void print_keys_json() {
  auto all = nlohmann::ordered_json::array();
  for (const auto& key : option_keys())
    all.push_back({{"section", key.section},
                   {"key", key.key},
                   {"type", key.type},
                   {"default", key.default_value},
                   {"range", key.range},
                   {"meaning", key.meaning}});
  print_out("{}\n", json_text(all));
}

void print_potentials() {
  for (const auto& kind : potential_kinds()) {
    print_out("{}: {}\n", kind.name, kind.idea);
    for (const auto& p : kind.parameters)
      print_out("  {:<10} {}{}\n", p.name, p.meaning,
                p.required ? "" : fmt::format(" (default {:g})", p.value));
  }
  print_out("Each also takes (default 0, t being the time of the run):\n");
  for (const auto& p : common_potential_parameters()) print_out("  {:<10} {}\n", p.name, p.meaning);
  print_out("All numbers are in the units of the run.\n");
}

void print_forces() {
  for (const auto& kind : added_force_kinds()) {
    print_out("{}: {}\n", kind.name, kind.idea);
    for (const auto& p : kind.parameters)
      print_out("  {:<10} {}{}\n", p.name, p.meaning,
                p.required ? "" : fmt::format(" (default {:g})", p.value));
    print_out("  {:<10} {}\n", "on", name_of(kind.on));
    if (added::may_have_source(kind)) print_out("  {:<10} heaviest\n", "body");
  }
  print_out("The last ones are what each also takes, with the defaults above:\n");
  for (const auto& p : common_added_force_parameters()) print_out("  {:<10} {}\n", p.name, p.meaning);
  print_out("All numbers are in the units of the run.\n");
}

/// Uses the checks of a run, so that a run accepts the same file.
void check_file(const ConfigArguments& a) {
  run::Request request;
  request.cache = tuning_cache();
  request.overwrite = a.overwrite;
  Claims claims;
  claims.reads(a.file);
  request.claims = &claims;
  request.options = read_config(a.file, &request.notes);
  for (const auto& setting : a.settings)
    apply_setting(request.options, setting, std::nullopt, &request.notes);
  try {
    run::check(request);
  } catch (const Error& error) {
    throw Error(error.code(), a.file + ": " + error.what());
  }
  const Options& options = request.options;
  for (const auto& note : request.notes) print_err("pleiad: note: {}\n", note);
  if (a.effective) print_out("{}", to_toml(options));
  else print_out("{}: good\n", a.file);
}

}  // namespace

void add_config(Command app, int&) {
  auto a = std::make_shared<ConfigArguments>();
  auto config = app.add_subcommand("config", "Print the configuration reference, or check a file");
  config.add_flag("--keys", a->keys, "print a table of the keys: name, default, type and range, meaning");
  config.add_flag("--json", a->json, "print the table as JSON");
  config.add_flag(
      "--capabilities", a->capabilities,
      "print what may be combined, as Markdown: methods with boundaries, precisions, ranks, GPUs");
  config.add_flag("--potentials", a->potentials,
                  "print the kinds of external potentials with their parameters");
  config.add_flag("--forces", a->forces, "print the kinds of added forces with their parameters");
  config.footer(
      "Examples:\n"
      "  pleiad config > mine.toml          every key with its default, ready to edit\n"
      "  pleiad config check mine.toml\n"
      "  pleiad config check mine.toml --set time.dt=0.01 --effective");
  auto file_check = config.add_subcommand(
      "check", "Check whether `pleiad run FILE` would start; nothing is run or written");
  file_check.add_option("file", a->file, "configuration file (TOML)").required();
  file_check.add_option("--set", a->settings, "section.key=value, applied after the file; may be repeated")
      .allow_extra_args(false);
  file_check.add_flag("--effective", a->effective,
                      "print the effective configuration: every key with its value");
  file_check.add_flag("--overwrite", a->overwrite, "check as for `pleiad run --overwrite`");
  file_check.footer("Example:\n  pleiad config check mine.toml --effective > full.toml");
  file_check.callback([a] { check_file(*a); });
  config.callback([a, file_check] {
    if (file_check.parsed()) return;
    if (a->json) print_keys_json();
    else if (a->keys) print_keys();
    else if (a->capabilities) print_out("{}", capabilities_page());
    else if (a->potentials) print_potentials();
    else if (a->forces) print_forces();
    else print_out("{}", reference_config());
  });
}

}  // namespace pleiad::app
