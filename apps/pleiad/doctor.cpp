/// `pleiad doctor`: checks the hardware and software of this machine, and their limits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor.hpp"

#include "commands.hpp"
#include "core/print.hpp"
#include "environment.hpp"
#include "exit.hpp"
#include "io/config/config.hpp"
#include "io/durable/claims.hpp"
#include "output.hpp"
#include "version.hpp"

#include <pleiad/error.hpp>

#include <memory>
#include <string>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

struct DoctorArguments {
  std::string config;
  bool json = false;
};

void append(doctor::Findings& all, const doctor::Findings& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// An impossible run is a finding too; a configuration that cannot be read is the user's mistake, reported at
/// once.
doctor::Findings about_run(const Options& options) {
  try {
    return doctor::examine_run(options, tuning_cache());
  } catch (const Error& e) {
    return {{doctor::Mark::broken, "this run", "forecast", e.what()}};
  }
}

void execute(const DoctorArguments& a, int& result) {
  Options options;
  Claims().reads(a.config);
  if (!a.config.empty()) options = read_config(a.config);
  doctor::Findings found;
  append(found, doctor::examine_program(name_and_commit()));
  append(found, doctor::examine_gpus());
  append(found, doctor::examine_cpu());
  append(found, doctor::examine_surroundings(tuning_cache()));
  append(found, doctor::examine_sizes());
  if (!a.config.empty()) append(found, about_run(options));
  print_out("{}", a.json ? doctor::as_json(found) : doctor::as_text(found, use_colour(stdout)));
  if (doctor::any_broken(found)) result = static_cast<int>(Exit::resource);
}

}  // namespace

void add_doctor(Command app, int& result) {
  const auto a = std::make_shared<DoctorArguments>();
  auto doctor = app.add_subcommand(
      "doctor", "Check this machine: GPUs, libraries, memory; what works and how many bodies fit");
  doctor.add_option("config", a->config, "FILE.toml: also forecast the memory and time of this run");
  doctor.add_flag("--json", a->json, "print the findings as JSON");
  doctor.footer(
      "Each line is marked ok, note (something optional is missing) or broken.\n"
      "Exit code 4 when something is broken.\nExample: pleiad doctor run.toml");
  doctor.callback([a, &result] { execute(*a, result); });
}

}  // namespace pleiad::app
