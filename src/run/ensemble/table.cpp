#include "run/ensemble/table.hpp"

#include "core/json_text.hpp"
#include "core/threads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

struct Cell {
  std::string name, text;
  bool number = true;
};

/// A row of ensemble.csv. The escaper is the farthest body that has gone, -1 when none has.
std::vector<Cell> row_of(std::size_t k, const Scan& scan, const Ensemble& ensemble, const History& h,
                         const Massless& massless, bool tells_massless) {
  std::vector<Cell> row{{"index", fmt::to_string(k)}, {"seed", fmt::to_string(scan.seed(k))}};
  const auto values = scan.values(k);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!scan.varied()[i].is_seed())  // it has its column
      row.push_back({scan.varied()[i].key, values[i], scan.varied()[i].numbers});
  const auto s = ensemble.snapshot(k);
  const auto add = [&](const char* name, auto value) { row.push_back({name, fmt::format("{}", value)}); };
  add("bodies", s.bodies.size());
  row.push_back({"status", std::string(name_of(ensemble.status(k))), false});
  add("time", s.time);
  add("steps", s.step);
  add("energy_start", h.first.energies.total());
  add("energy", h.last.energies.total());
  // Without two bodies that have mass there is no energy that could be wrong.
  const bool pairs = massless.massive() != 1;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  add("energy_error", pairs ? h.energy_error() : unknown);
  add("worst_energy_error", pairs ? h.worst_energy_error : unknown);
  add("angular_momentum_error", h.angular_momentum_error());
  add("closest", h.closest);
  add("virial_ratio", h.last.virial_ratio);
  add("half_mass_radius", h.last.half_mass_radius);
  add("bound", h.last.bound);
  add("escapers", h.last.escapers);
  row.push_back({"escaper", h.last.escapers > 0 ? fmt::to_string(h.last.escaper) : "-1"});
  add("escape_time", h.escape_time);
  if (tells_massless) add("massless_energy_change", massless.largest());
  row.push_back({"state_hash", state_hash(s.bodies), false});
  return row;
}

/// Texts with commas or quotes (a file's name may have them) in quotes.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted(1, '"');
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted.push_back('"');
  return quoted;
}

/// JSON has no infinite and no missing numbers: these are null.
nlohmann::ordered_json json_value(const Cell& cell) {
  if (!cell.number) return cell.text;
  if (cell.text.find_first_not_of("0123456789-+.e") != cell.text.npos) return nullptr;
  return nlohmann::ordered_json::parse(cell.text);
}

struct ManyValues {
  std::vector<double> values;
  double mean() const {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  }
  std::string quantiles(std::initializer_list<double> which) {
    std::sort(values.begin(), values.end());
    std::string text;
    for (const double q : which) text += fmt::format(",{:.9g}", quantile(values, q));
    return text;
  }
};

}  // namespace

void write_table(RunDirectory& directory, const Scan& scan, const Ensemble& ensemble,
                 const std::vector<History>& histories, const std::vector<Massless>& massless, bool json) {
  const bool tells_massless =
      std::ranges::any_of(massless, [](const auto& m) { return m.change().has_value(); });
  std::vector<std::vector<Cell>> rows(ensemble.size());
  parallel_for(rows.size(), [&](std::size_t k) {
    const OnThisThread alone;
    rows[k] = row_of(k, scan, ensemble, histories[k], massless[k], tells_massless);
  });
  std::string csv;
  auto array = nlohmann::ordered_json::array();
  for (const auto& row : rows) {
    std::string head, line;
    nlohmann::ordered_json object;
    for (const auto& cell : row) {
      if (!line.empty()) head += ',', line += ',';
      head += csv_text(cell.name);
      line += csv_text(cell.text);
      if (json) object[cell.name] = json_value(cell);
    }
    if (csv.empty()) csv = head + '\n';
    csv += line;
    csv += '\n';
    if (json) array.push_back(std::move(object));
  }
  directory.write("ensemble.csv", csv);
  if (json) directory.write("ensemble.json", json_text(array, 1) + "\n");
}

std::string times_head() {
  return "time,going,escaped,energy_error_50,energy_error_90,energy_error_worst,virial_ratio_mean,virial_"
         "ratio_10,"
         "virial_ratio_50,virial_ratio_90,half_mass_radius_mean,half_mass_radius_10,half_mass_radius_50,"
         "half_mass_radius_90,bound_mean,closest";
}

std::string times_row(double time, const Ensemble& ensemble, const std::vector<History>& histories,
                      const std::vector<Massless>& massless) {
  ManyValues error, virial, radius, bound, closest;
  std::size_t going = 0, escaped = 0;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    if (!is_good(ensemble.status(k))) continue;
    const auto& h = histories[k];
    if (massless[k].massive() != 1) error.values.push_back(std::abs(h.energy_error()));
    virial.values.push_back(h.last.virial_ratio);
    radius.values.push_back(h.last.half_mass_radius);
    bound.values.push_back(h.last.bound);
    closest.values.push_back(h.last.closest);
    going += ensemble.status(k) == MemberStatus::going;
    escaped += h.last.escapers > 0;
  }
  // The means first, in the order of the systems: sorting changes the order.
  const double virial_mean = virial.mean(), radius_mean = radius.mean();
  return fmt::format("{},{},{}{},{:.9g}{},{:.9g}{},{:.9g}{}", time, going, escaped,
                     error.quantiles({0.5, 0.9, 1}), virial_mean, virial.quantiles({0.1, 0.5, 0.9}),
                     radius_mean, radius.quantiles({0.1, 0.5, 0.9}), bound.mean(), closest.quantiles({0}));
}

}  // namespace pleiad::run
