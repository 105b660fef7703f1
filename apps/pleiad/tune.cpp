/// `pleiad tune`: measures the fastest kernels on this machine, and stores them for runs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench_arguments.hpp"
#include "commands.hpp"
#include "core/json_text.hpp"
#include "core/print.hpp"
#include "environment.hpp"
#include "numbers.hpp"
#include "tune/candidates.hpp"
#include "tune/tuning.hpp"

#include <pleiad/error.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

using Json = nlohmann::ordered_json;

struct TuneArguments {
  std::vector<std::size_t> sizes;
  std::vector<std::string> precisions, masses;
  std::string backend = "auto";
  int gpus = 0;
  bool periodic = false, json = false, show = false, clear = false;
};

Json json_of(const tune::Case& what) {
  return {{"device", what.device},     {"precision", name_of(what.precision)},
          {"bodies", what.n},          {"masses", name_of(what.masses)},
          {"periodic", what.periodic}, {"most_gpus", what.gpus}};
}
Json json_of(const tune::Case& what, std::string_view kernel, int gpus, double step_seconds) {
  auto j = json_of(what);
  j["kernel"] = kernel;
  j["gpus"] = gpus;
  j["step_seconds"] = step_seconds;
  j["interactions_per_second"] = step_seconds > 0 ? double(what.n) * double(what.n) / step_seconds : 0;
  return j;
}

void print_row(bool best, double step_seconds, std::size_t n, int gpus, std::string_view kernel) {
  print_out("{} {:>12.5g} {:>12.4g} {:>5}  {}\n", best ? '*' : ' ', 1 / step_seconds,
            1e-9 * double(n) * double(n) / step_seconds, gpus, kernel);
}
void print_heading(std::string_view first) {
  print_out("{}\n  {:>12} {:>12} {:>5}  kernel\n", first, "steps/s", "G pairs/s", "GPUs");
}

bool is_best(const tune::Measurement& one, const tune::Tuned& tuned) {
  return one.method == tuned.method && one.gpus == tuned.entry.gpus;
}

void print_tuned(const tune::Tuned& tuned) {
  const auto& what = tuned.entry.what;
  print_heading(fmt::format("{} on {}", tune::name_of(what), what.device));
  for (const auto& m : tuned.table)
    if (m.seconds > 0) print_row(is_best(m, tuned), m.seconds, what.n, m.gpus, text_of(m.method));
  for (const auto& m : tuned.table)
    if (m.seconds == 0) print_out("  left out: {}: {}\n", text_of(m.method), m.left_out);
  print_out("\n");
}

void add_json(const tune::Tuned& tuned, Json& all) {
  for (const auto& m : tuned.table) {
    auto j = json_of(tuned.entry.what, text_of(m.method), m.gpus, m.seconds);
    j["best"] = is_best(m, tuned);
    j["left_out"] = m.left_out;
    all.push_back(std::move(j));
  }
}

std::vector<tune::Case> cases_of(const TuneArguments& a, const tune::TuningContext& tuning_context) {
  std::vector<tune::Case> cases;
  for (const auto& precision : a.precisions)
    for (const auto& masses : a.masses) {
      EngineOptions options{.precision = precision_named(precision), .backend = a.backend, .gpus = a.gpus};
      auto what = tune::case_of({}, tune::gravity_of({.device = {}, .periodic = a.periodic}), options,
                                tuning_context);
      what.masses = masses == name_of(Masses::equal) ? Masses::equal : Masses::any;
      auto sizes = a.sizes;
      if (sizes.empty() && what.where == Device::cpu) sizes = {64, 256, 1024, 4096};
      if (sizes.empty()) sizes = {64, 256, 1024, 4096, 16384, 65536, 262144};
      for (const auto n : sizes) {
        what.n = tune::rounded_up(n);
        cases.push_back(what);
      }
    }
  return cases;
}

void measure(const TuneArguments& a) {
  tune::TuningContext tuning_context;
  tuning_context.cache = tuning_cache();
  tuning_context.progress = show_progress;
  tuning_context.note = [](const std::string& text) {
    show_progress("");
    print_err("pleiad: note: {}\n", text);
  };
  if (const auto cache = tune::read_cache(tuning_context.cache); !cache.note.empty())
    tuning_context.note(cache.note);
  Json all = Json::array();
  for (const auto& what : cases_of(a, tuning_context)) {
    const EngineOptions options{.precision = what.precision, .backend = a.backend, .gpus = what.gpus};
    auto parts = {tune::on_one_gpu(what), what};
    for (const auto& part : std::span(parts.begin(), what.gpus > 1 ? 2 : 1)) {
      const auto tuned = tune::tune(part, options, tuning_context, true);
      show_progress("");
      if (a.json) add_json(tuned, all);
      else print_tuned(tuned);
    }
  }
  if (a.json) print_out("{}\n", json_text(all));
  else if (!tuning_context.cache.empty()) print_out("kept in {}\n", tuning_context.cache.string());
}

void show(const TuneArguments& a) {
  const auto file = tuning_cache();
  auto cache = tune::read_cache(file);
  // Plans of solvers are of the bodies that they were made for.
  std::erase_if(cache.entries, [](const tune::Entry& e) { return !e.what.request.empty(); });
  if (!cache.note.empty()) print_err("pleiad: note: {}\n", cache.note);
  if (a.json) {
    Json all = Json::array();
    for (const auto& e : cache.entries) all.push_back(json_of(e.what, e.kernel, e.gpus, e.seconds));
    print_out("{}\n", json_text(all));
    return;
  }
  if (cache.entries.empty()) print_out("nothing is tuned\n");
  for (const auto& e : cache.entries) {
    print_heading(fmt::format("{} on {}", tune::name_of(e.what), e.what.device));
    print_row(true, e.seconds, e.what.n, e.gpus, e.kernel);
  }
}

void execute(TuneArguments& a) {
  if (a.show && a.clear) throw UsageError("pleiad tune: --show and --clear exclude each other");
  if (a.show) return show(a);
  if (a.clear) {
    print_out("{}\n", tune::clear_cache(tuning_cache()) ? "deleted" : "nothing was tuned");
    return;
  }
  if (a.precisions.empty()) a.precisions = {"mixed"};
  if (a.masses.empty()) a.masses = {"equal", "any"};
  measure(a);
}

}  // namespace

void add_tune(Command app, int&) {
  auto tune = app.add_subcommand(
      "tune", "Measure which kernels are fastest on this machine; runs with engine.tuning = auto use them");
  const auto a = std::make_shared<TuneArguments>();
  tune.add_option("-n,--bodies", a->sizes,
                  "numbers of bodies, rounded up to quarters of powers of two (above 262144: as 262144)")
      .transform(whole_number(2));
  tune.add_option("--precision", a->precisions, "f32, mixed, f64 (default: mixed)");
  tune.add_option("--masses", a->masses, "equal, any (default: both)").one_of({"equal", "any"});
  tune.add_flag("--periodic", a->periodic, "periodic instead of open boundaries");
  tune.add_option("--gpus", a->gpus, "maximum number of GPUs (0: all)").transform(whole_number(0, 8));
  tune.add_option("--backend", a->backend, "auto, cpu, cuda");
  tune.add_flag("--json", a->json, "print the table as JSON");
  tune.add_flag("--show", a->show, "print the tuned kernels; measure nothing");
  tune.add_flag("--clear", a->clear, "delete the tuned kernels");
  tune.footer("Example: pleiad tune -n 4096 65536 --precision f32 mixed");
  tune.callback([a] { execute(*a); });
}

}  // namespace pleiad::app
