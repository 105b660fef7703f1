/// The columns of all tables of measurements.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"

#include "bench/shapes.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

struct Field {
  Column column;
  Cell (*of)(const Row&, const Place&);
};

template <auto member>
Cell whole(const Row& row, const Place&) {
  return row.fill ? Cell(std::int64_t((*row.fill).*member)) : Cell();
}
template <auto member>
Cell real(const Row& row, const Place&) {
  return row.fill ? Cell((*row.fill).*member) : Cell();
}

const Field fields[] = {
    {{"kernel", "kernel"},
     [](const Row& r, const Place&) -> Cell { return std::string(r.what.kernel->name); }},
    {{"device", ""}, [](const Row&, const Place& p) -> Cell { return p.device(); }},
    {{"precision", "precision"},
     [](const Row& r, const Place&) -> Cell { return std::string(pleiad::name_of(r.what.precision)); }},
    {{"n", "N"}, [](const Row& r, const Place&) -> Cell { return std::int64_t(r.n); }},
    {{"masses", "masses"},
     [](const Row& r, const Place& p) -> Cell {
       return p.gpu ? Cell(std::string(pleiad::name_of(r.masses))) : Cell();
     }},
    {{"space", "space"},
     [](const Row& r, const Place&) -> Cell {
       const auto name = pleiad::bench::name_of(r.what.space);
       return name.empty() ? Cell() : Cell(std::string(name));
     }},
    {{"gpus", ""}, [](const Row&, const Place& p) -> Cell { return std::int64_t{p.gpu ? 1 : 0}; }},
    {{"threads", "threads"},
     [](const Row& r, const Place& p) -> Cell {
       return p.gpu ? Cell() : Cell(std::int64_t{r.what.threads});
     }},
    {{"shape", "shape"}, [](const Row& r, const Place&) -> Cell { return name_of(r.what.shape); }},
    {{"ms", "ms", "{:.4g}"}, [](const Row& r, const Place&) -> Cell { return 1e3 * r.timing.median; }},
    {{"spread", "+- %", "{:.1f}", 100}, [](const Row& r, const Place&) -> Cell { return r.timing.spread(); }},
    {{"interactions_per_second", "G/s", "{:.4g}", 1e-9},
     [](const Row& r, const Place&) -> Cell { return r.interactions_per_second(); }},
    {{"steps_per_second", "steps/s", "{:.5g}"},
     [](const Row& r, const Place&) -> Cell { return r.evaluations_per_second(); }},
    {{"gflops", "GFLOP/s", "{:.5g}"}, [](const Row& r, const Place&) -> Cell { return r.gflops(); }},
    {{"fraction_of_limit", "% limit", "{:.1f}", 100},
     [](const Row& r, const Place&) -> Cell { return r.fraction_of_limit(); }},
    {{"error_rms", "error rms", "{:.1e}"}, [](const Row& r, const Place&) -> Cell { return r.error.rms; }},
    {{"error_p99", "p99", "{:.1e}"}, [](const Row& r, const Place&) -> Cell { return r.error.p99; }},
    {{"error_max", "max", "{:.1e}"}, [](const Row& r, const Place&) -> Cell { return r.error.max; }},
    {{"disc_error_rms", "disc rms", "{:.1e}"},
     [](const Row& r, const Place&) -> Cell { return r.disc ? Cell(r.disc->error.rms) : Cell(); }},
    {{"disc_error_max", "max", "{:.1e}"},
     [](const Row& r, const Place&) -> Cell { return r.disc ? Cell(r.disc->error.max) : Cell(); }},
    {{"disc_interactions_per_second", "G/s", "{:.4g}", 1e-9},
     [](const Row& r, const Place&) -> Cell {
       return r.disc ? Cell(double(r.n) * double(r.n) / r.disc->seconds) : Cell();
     }},
    {{"registers", "regs"}, whole<&GpuFill::registers>},
    {{"shared_bytes", "shared"}, whole<&GpuFill::shared_bytes>},
    {{"local_bytes", ""}, whole<&GpuFill::local_bytes>},
    {{"blocks", "blocks"}, whole<&GpuFill::blocks>},
    {{"threads_per_block", ""}, whole<&GpuFill::threads>},
    {{"resident_blocks", "per SM"}, whole<&GpuFill::resident_blocks>},
    {{"waves", "waves", "{:.2f}"}, real<&GpuFill::waves>},
    {{"tail", "tail %", "{:.0f}", 100}, real<&GpuFill::tail>},
    {{"occupancy", "occ %", "{:.0f}", 100}, real<&GpuFill::occupancy>},
    {{"samples", ""}, [](const Row& r, const Place&) -> Cell { return std::int64_t(r.timing.samples); }},
    {{"limit_interactions_per_second", ""}, [](const Row& r, const Place&) -> Cell { return r.limit; }},
    {{"commit", ""}, [](const Row&, const Place& p) -> Cell { return p.machine.commit; }},
    {{"simd_target", ""},
     [](const Row&, const Place& p) -> Cell { return p.gpu ? Cell() : Cell(p.machine.simd_target); }},
    {{"compiler", ""},
     [](const Row&, const Place& p) -> Cell { return p.gpu ? Cell() : Cell(p.machine.compiler); }},
    {{"driver", ""}, [](const Row&, const Place& p) -> Cell { return p.gpu ? Cell(p.gpu->driver) : Cell(); }},
    {{"runtime", ""},
     [](const Row&, const Place& p) -> Cell { return p.gpu ? Cell(p.gpu->runtime) : Cell(); }}};

const Field* field(std::string_view key) {
  const auto at =
      std::find_if(std::begin(fields), std::end(fields), [&](const Field& f) { return f.column.key == key; });
  return at == std::end(fields) ? nullptr : at;
}

bool one_kernel(const Table& table) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return text(table, row, "kernel") == text(table, table.rows[0], "kernel");
  });
}

constexpr std::string_view any_masses = ", any masses";

/// "cuda/tile block=128", "cpu/simd, 2 threads", "cuda/fp64-symmetric, any masses".
std::string name_of_series(const Table& table, const std::vector<Cell>& row, bool with_shape) {
  auto name = text(table, row, "kernel");
  if (const auto shape = text(table, row, "shape"); with_shape && shape != "default") name += " " + shape;
  if (const double threads = number(table, row, "threads"); threads > 0)
    name += fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
  if (text(table, row, "masses") == "any") name += any_masses;
  if (const auto space = text(table, row, "space"); !space.empty()) name += ", " + space;
  return name;
}

/// Of the points for one N in each series, the highest.
void keep_best(Panel& panel) {
  for (auto& series : panel.series) {
    std::sort(series.points.begin(), series.points.end());
    auto& p = series.points;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
      if (k + 1 == p.size() || p[k + 1][0] > p[k][0]) p[kept++] = p[k];
    p.resize(kept);
  }
}

/// A colour per kernel and shape, the same in all panels, whatever the number of threads and the masses; one
/// thread is dashed where there are more, and so are masses of any kind.
void colour(Plot& plot) {
  std::vector<std::string> names;
  for (auto& panel : plot.panels)
    for (auto& series : panel.series) {
      const auto name = series.name.substr(0, series.name.rfind(", "));
      auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) at = names.insert(at, name);
      series.colour = int(at - names.begin());
      series.dashed = series.name.ends_with(any_masses) || series.name.ends_with(", periodic plane") ||
                      (series.name.ends_with(", 1 thread") &&
                       std::any_of(panel.series.begin(), panel.series.end(), [&](const Series& other) {
                         return other.name != series.name && other.name.starts_with(name + ", ");
                       }));
    }
}

}  // namespace

Place place_of(Device device) {
  return {this_machine(), device == Device::cuda ? std::optional(this_gpu()) : std::nullopt};
}

std::string heading_of(const Place& p) {
  if (const auto& gpu = p.gpu)
    return fmt::format("{}, {} multiprocessors at {:.0f} MHz under load, CUDA {} (driver {}); Pleiad {}",
                       gpu->name, gpu->multiprocessors, 1e-6 * gpu->clock, gpu->runtime, gpu->driver,
                       p.machine.commit);
  return fmt::format("{}, {}, {} cores; Pleiad {}, {}", p.machine.device, p.machine.simd_target,
                     p.machine.cores, p.machine.commit, p.machine.compiler);
}

std::string heading_of(const Table& earlier) {
  const auto& rows = earlier.rows;
  const auto measured = std::find_if(rows.begin(), rows.end(),
                                     [&](const auto& row) { return !text(earlier, row, "commit").empty(); });
  if (measured == rows.end()) return "measured earlier";
  const auto device = text(earlier, rows.back(), "device");
  return fmt::format("measured on {} by Pleiad {}",
                     device.empty() ? text(earlier, *measured, "device") : device,
                     text(earlier, *measured, "commit"));
}

Column column(std::string_view key) {
  const auto* f = field(key);
  return f == nullptr ? Column{std::string(key), std::string(key)} : f->column;
}

void show_as(Table& table, const Table& model) {
  Table shown;
  std::vector<std::size_t> from;
  const auto take = [&](const Column& as, std::size_t c) {
    shown.columns.push_back(as);
    from.push_back(c);
  };
  const auto place = [](const Table& t, const std::string& key) {
    return std::size_t(std::ranges::find(t.columns, key, &Column::key) - t.columns.begin());
  };
  for (const auto& as : model.columns)
    if (const auto c = place(table, as.key); c < table.columns.size()) take(as, c);
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (place(model, table.columns[c].key) == model.columns.size()) take(table.columns[c], c);
  for (const auto& row : table.rows) {
    auto& cells = shown.rows.emplace_back();
    for (const auto c : from) cells.push_back(row[c]);
  }
  table = std::move(shown);
}

void name_simd_target(Table& table, const Machine& machine) {
  constexpr std::string_view key = "simd_target";
  if (std::ranges::find(table.columns, key, &Column::key) != table.columns.end()) return;
  for (auto& row : table.rows)
    row.push_back(text(table, row, "device") == machine.device ? Cell(machine.simd_target) : Cell());
  table.columns.push_back(column(key));
}

Table evaluations() {
  Table table;
  for (const auto& f : fields) table.columns.push_back(f.column);
  return table;
}

std::vector<Cell> cells_of(const Row& row, const Place& place) {
  std::vector<Cell> cells;
  for (const auto& f : fields) cells.push_back(f.of(row, place));
  return cells;
}

std::vector<Cell> cells_of(const Row& row, const Place& place, std::span<const std::string_view> keys) {
  std::vector<Cell> cells;
  for (const auto key : keys) cells.push_back(field(key)->of(row, place));
  return cells;
}

std::optional<Plot> plot_of_evaluations(const Table& table) {
  if (table.rows.empty()) return {};
  Plot plot{.title = "Direct sums on " + text(table, table.rows[0], "device"),
            .x_label = "bodies",
            .y_label = "10^9 interactions per second",
            .panels = {}};
  const bool shapes = one_kernel(table);
  for (const auto* precision : {"f32", "mixed", "f64"}) {
    Panel panel{.title = precision};
    for (const auto& row : table.rows)
      if (text(table, row, "precision") == precision)
        panel.add(name_of_series(table, row, shapes), number(table, row, "n"),
                  1e-9 * number(table, row, "interactions_per_second"));
    keep_best(panel);
    if (!panel.series.empty()) plot.panels.push_back(std::move(panel));
  }
  colour(plot);
  return plot;
}

}  // namespace pleiad::bench
