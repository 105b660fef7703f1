#include "dry_run.hpp"

#include "core/json_text.hpp"
#include "core/magnitude.hpp"
#include "core/print.hpp"

#include <nlohmann/json.hpp>

namespace pleiad::app {
namespace {

using nlohmann::ordered_json;

void print_device(const EngineDescription& d, const std::string& why_precision) {
  print_out("device     {}, {} thread{}, kernel {} ({}), precision {}{}\n", d.device, d.threads,
            d.threads == 1 ? "" : "s", d.kernel(), d.why, d.precision,
            why_precision.empty() ? "" : fmt::format(" ({})", why_precision));
}

void print_memory(std::size_t bytes, std::size_t available, std::size_t ranks = 1) {
  print_out("memory     {:.4g} MiB of {:.4g} MiB available{}\n", double(bytes) / 0x1p20,
            double(available) / 0x1p20, ranks == 1 ? "" : ", for each rank");
}

void print_note(const std::string& note) {
  if (!note.empty()) print_out("note       {}\n", note);
}

void print_forecast_json(const run::Forecast& f) {
  const auto& d = f.engine;
  const ordered_json j{{"bodies", f.bodies},
                       {"ranks", f.ranks},
                       {"steps", f.steps},
                       {"steps_at_least", f.at_least},
                       {"memory_bytes", f.bytes},
                       {"available_bytes", f.available_bytes},
                       {"evaluation_seconds", f.evaluation_seconds},
                       {"look_seconds", f.diagnostic_seconds},
                       {"seconds", f.seconds()},
                       {"snapshots", f.snapshots},
                       {"rows", f.rows},
                       {"pictures", f.pictures},
                       {"disk_bytes", f.disk_bytes},
                       {"device", d.device},
                       {"kernel", d.kernel()},
                       {"precision", d.precision},
                       {"note", f.note}};
  print_out("{}\n", json_text(j));
}

void print_forecast_json(const run::EnsembleForecast& f) {
  const auto& d = f.engine;
  const ordered_json j{{"systems", f.systems},
                       {"points", f.points},
                       {"bodies_of_the_first", f.bodies},
                       {"steps", f.steps},
                       {"steps_at_least", f.at_least},
                       {"memory_bytes", f.bytes},
                       {"available_bytes", f.available_bytes},
                       {"step_seconds", f.step_seconds},
                       {"seconds", f.seconds()},
                       {"looks", f.diagnosed},
                       {"device", d.device},
                       {"kernel", d.kernel()},
                       {"precision", d.precision},
                       {"note", f.note}};
  print_out("{}\n", json_text(j));
}

}  // namespace

void print_forecast(const run::Forecast& f, bool json) {
  if (json) return print_forecast_json(f);
  const double n = double(f.bodies);
  print_out("bodies     {}\n", f.bodies);
  print_device(f.engine, f.why_precision);
  print_memory(f.bytes, f.available_bytes, f.ranks);
  print_out("steps      {:g}{}, {:.3g} s per force evaluation ({}{}/s)\n", f.steps,
            f.at_least    ? " or more (adaptive)"
            : f.in_blocks ? " of all bodies"
                          : "",
            f.evaluation_seconds, metric((f.tree ? n : n * n) / f.evaluation_seconds),
            f.tree ? "bodies" : "interactions");
  print_out("time       about {}{}\n", f.at_least || f.in_blocks ? "or above " : "", duration(f.seconds()));
  print_out("snapshots  {}, about {:.4g} MiB on disk; diagnostics rows {}, pictures {}\n", f.snapshots,
            f.disk_bytes / 0x1p20, f.rows, f.pictures);
  print_note(f.note);
}

void print_forecast(const run::EnsembleForecast& f, bool json) {
  if (json) return print_forecast_json(f);
  print_out("systems    {} at {} point{} of the scan, the first of {} bodies\n", f.systems, f.points,
            f.points == 1 ? "" : "s", f.bodies);
  print_device(f.engine, f.why_precision);
  print_memory(f.bytes, f.available_bytes);
  print_out("steps      {:g}{}, {:.3g} s for one of every system ({}interactions/s)\n", f.steps,
            f.at_least ? " or more (adaptive)" : "", f.step_seconds, metric(f.interactions_per_second));
  print_out("time       about {}{}; diagnostics of all systems {} times\n", f.at_least ? "or above " : "",
            duration(f.seconds()), f.diagnosed);
  print_note(f.note);
}

}  // namespace pleiad::app
