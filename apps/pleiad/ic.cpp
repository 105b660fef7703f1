/// `pleiad ic`: initial conditions from a model, written as a snapshot, with their state and a first run to
/// try.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/json_text.hpp"
#include "core/print.hpp"
#include "first_run.hpp"
#include "format_option.hpp"
#include "ic_cosmology.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "summary.hpp"
#include "units_option.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

struct IcArguments {
  std::string model, n, out, format, units;
  std::vector<std::string> settings;
  std::uint64_t seed = 1;
  bool list = false, json = false;
};

/// The models to list: that of the command line, or all.
std::vector<const Model*> listed(const IcArguments& a) {
  if (!a.model.empty()) return {&model_named(a.model)};
  return {models().begin(), models().end()};
}

/// The default of a choice.
std::string_view default_word(const ModelParameter& p) { return p.words[static_cast<std::size_t>(p.value)]; }

void print_list(const IcArguments& a) {
  for (const Model* model : listed(a)) {
    print_out("{}: {}\n  at the origin: {}\n", model->name, model->idea, model->origin);
    for (const auto& p : model->parameters)
      if (p.words.empty())
        print_out("  {:<17}{:>8g}  {:<18} {}\n", p.name, p.value, fmt::format("[{:g}, {:g}]", p.low, p.high),
                  p.meaning);
      else
        print_out("  {:<17}{:>8}  {:<18} {}\n", p.name, default_word(p),
                  fmt::format("[{}]", fmt::join(p.words, ", ")), p.meaning);
  }
}

void print_list_as_json(const IcArguments& a) {
  auto all = nlohmann::ordered_json::array();
  for (const Model* model : listed(a)) {
    auto parameters = nlohmann::ordered_json::array();
    for (const auto& p : model->parameters) {
      parameters.push_back({{"name", p.name},
                            {"default", p.value},
                            {"low", p.low},
                            {"high", p.high},
                            {"meaning", p.meaning},
                            {"words", p.words}});
      if (!p.words.empty()) parameters.back()["default"] = default_word(p);
    }
    all.push_back({{"name", model->name},
                   {"idea", model->idea},
                   {"origin", model->origin},
                   {"suggested_softening", model->suggested_softening},
                   {"parameters", parameters}});
  }
  print_out("{}\n", json_text(all));
}

/// The command with every parameter, also those with their defaults, so that the file describes itself (where
/// it is cut, for example) and the same command makes the same file; then the point at the origin.
std::string provenance(const IcArguments& a, std::vector<std::string> settings) {
  const Model& model = model_named(a.model);
  for (const auto& p : model.parameters) {
    const auto given = [&](const std::string& s) { return s.starts_with(std::string(p.name) + "="); };
    if (std::ranges::none_of(settings, given))
      settings.push_back(p.words.empty() ? fmt::format("{}={}", p.name, p.value)
                                         : fmt::format("{}={}", p.name, default_word(p)));
  }
  return fmt::format("pleiad ic {} {} --seed {} # at the origin: {}", a.model, fmt::join(settings, " "),
                     a.seed, model.origin);
}

void print_as_json(const IcArguments& a, const Snapshot& s, const Summary& summary, const FirstRun& run,
                   const std::string& line) {
  const auto vector = [](const Vec3<double>& v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
  nlohmann::ordered_json out{{"file", a.out},
                             {"model", a.model},
                             {"seed", a.seed},
                             {"bodies", s.bodies.size()},
                             {"units", s.units.name},
                             {"G", s.G},
                             {"mass", summary.centre.mass},
                             {"half_mass_radius", summary.half_mass_radius},
                             {"virial_ratio", nullptr},
                             {"origin", model_named(a.model).origin},
                             {"centre_of_mass", vector(summary.centre.position)},
                             {"centre_of_mass_velocity", vector(summary.centre.velocity)},
                             {"softening", run.eps},
                             {"time_step", run.dt},
                             {"run", nullptr}};
  if (!line.empty()) out["run"] = line;
  if (summary.virial) out["virial_ratio"] = summary.virial->value;
  print_out("{}\n", json_text(out));
}

/// The state goes to stderr when the bodies themselves go to stdout.
void print_as_text(const IcArguments& a, const Snapshot& s, const Summary& summary, const FirstRun& run,
                   const std::string& line) {
  const auto& c = summary.centre;
  std::string text;
  const auto add = [&text]<class... T>(fmt::format_string<T...> format, T&&... values) {
    text += fmt::format(format, std::forward<T>(values)...);
  };
  add("{}: {} bodies of model {}, seed {}, in units {}\n", a.out, s.bodies.size(), a.model, a.seed,
      described(s.units));
  add("mass             {:.10g}\n", c.mass);
  add("half-mass radius {:.6g}\n", summary.half_mass_radius);
  if (summary.virial) add("T/|W|            {:.6g} ({})\n", summary.virial->value, summary.virial->how);
  else add("T/|W|            not defined: there is no pair\n");
  add("at the origin    {}\n", model_named(a.model).origin);
  add("centre of mass   {:.3g} {:.3g} {:.3g}\n", c.position.x, c.position.y, c.position.z);
  add("its velocity     {:.3g} {:.3g} {:.3g}\n", c.velocity.x, c.velocity.y, c.velocity.z);
  add("softening        {}\n", run.eps > 0 ? fmt::format("{:g}", run.eps) : "none needed");
  add("time step        {:g}\n", run.dt);
  if (!line.empty()) add("to simulate it:  {}\n", line);
  (is_standard_output(a.out) ? write_err : write_out)(text);
}

void make(const IcArguments& a) {
  if (a.model.empty()) throw UsageError("pleiad ic: give the name of a model; pleiad ic --list shows them");
  if (const auto hint = did_you_mean(a.model, std::array<std::string_view, 1>{"cosmology"}); !hint.empty())
    throw UsageError(fmt::format("pleiad ic: no model '{}'{}", a.model, hint));
  if (a.out.empty()) throw UsageError("pleiad ic: give the file to write, as in -o " + a.model + ".hdf5");
  if (a.json && is_standard_output(a.out))
    throw UsageError("pleiad ic: --json and the bodies cannot both go to stdout; write the bodies to a file");
  const Format& format = format_for(a.out, a.format, "pleiad ic");
  Claims().writes(a.out, "--output");
  auto settings = a.settings;
  if (!a.n.empty()) settings.push_back("n=" + a.n);
  Snapshot s = make_model(a.model, settings, a.seed);
  double eps = model_named(a.model).suggested_softening;
  if (const auto units = units_in(a.units)) {
    if (*units != s.units) eps *= s.units.length_cm / units->length_cm;
    convert(s, *units);
  }
  const auto summary = summarise(s);
  const auto run = first_run(s, eps, summary.half_mass_radius);
  const WriteOptions how{.format = &format,
                         .units = {},
                         .provenance = provenance(a, settings),
                         .suggested_softening = eps,
                         .suggested_step = run.dt};
  write_snapshot(a.out, s, how);
  // A device or a pipe cannot be read again.
  const auto line = replaceable(a.out).empty() ? "" : run_line(a.out, format, s, run);
  (a.json ? print_as_json : print_as_text)(a, s, summary, run, line);
  for (const auto& lost : losses(s, how)) print_err("not kept in {}: {}\n", a.out, lost);
}

/// What stands before the name of a command below would have no effect.
void need_nothing_before_cosmology(const IcArguments& a) {
  if (a.model.empty() && a.settings.empty() && a.n.empty() && a.out.empty() && a.format.empty() &&
      a.units.empty() && a.seed == IcArguments{}.seed && !a.list && !a.json)
    return;
  throw UsageError(
      "pleiad ic cosmology: its options come after its name, as in pleiad ic cosmology --box 100 -n 128 -o "
      "box.hdf5; pleiad ic cosmology --help explains them");
}

}  // namespace

void add_ic(Command app, int&) {
  auto a = std::make_shared<IcArguments>();
  auto ic = app.add_subcommand("ic", "Generate initial conditions from a model");
  ic.add_option("MODEL", a->model, "Name of a model, see --list");
  ic.add_option("SETTINGS", a->settings, "Parameters of the model, as name=value");
  ic.add_option("-n", a->n, "Number of bodies, short for n=N; 1e6 is accepted");
  ic.add_option(
        "--seed", a->seed,
        "Random seed: the same seed gives the same bodies on every machine and for any number of threads; it "
        "gives one model the same random numbers for all its parameters, so take another for independent "
        "bodies")
      .transform(seed_number())
      .capture_default_str();
  ic.add_option("-o,--output", a->out, "Output file; its extension selects the format");
  ic.add_option("--format", a->format,
                fmt::format("{} [by the file's extension]", fmt::join(format_names(), ", ")));
  ic.add_option("--units", a->units, fmt::format("Convert to these units: {} [the model's own]", units_help));
  ic.add_flag("--list", a->list, "List the parameters of MODEL, or of all models: default, [range], meaning");
  ic.add_flag("--json", a->json, "Print the summary, or the list of models, as JSON");
  ic.footer(
      "Examples:\n"
      "  pleiad ic plummer -n 4096 --seed 42 -o plummer.hdf5\n"
      "  pleiad ic galaxy --list\n"
      "  pleiad ic encounter pericentre=8 i1=30 i2=60 -n 60000 -o encounter.hdf5\n"
      "  pleiad ic cluster imf=kroupa half_mass_radius=2 binaries=0.2 -n 5000 -o cluster.hdf5\n"
      "  pleiad ic cosmology --box 100 -n 128 -o box.hdf5");
  const auto cosmology = add_ic_cosmology(ic, [a] { need_nothing_before_cosmology(*a); });
  ic.callback([a, cosmology] {
    if (cosmology.parsed()) return;
    if (!a->list) make(*a);
    else if (a->json) print_list_as_json(*a);
    else print_list(*a);
  });
}

}  // namespace pleiad::app
