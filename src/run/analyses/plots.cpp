/// Plots of the diagnostics table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <functional>
#include <utility>

namespace pleiad::run {
namespace {

constexpr std::array<std::string_view, 6> plots_files{"energy.gp", "energy.png", "energy.svg",
                                                      "radii.gp",  "radii.png",  "radii.svg"};

class Plots : public Output {
 public:
  using Output::Output;
  void begin_finish(const Ending& ending) override {
    if (!run_.options.output.plots) return;
    const auto& directory = run_.directory->path();
    try {
      begun_ = begin_diagnostics_plots(directory / "diagnostics.txt", directory, ending.how.stopped);
    } catch (const Error&) {
      // `finish` meets it again, and reports it.
    }
  }
  void finish(Ending& ending) override {
    auto& directory = *run_.directory;
    made_ = run_.options.output.plots && ending.made("plots", [&](std::string& why) {
      for (const auto file : plots_files) directory.file(std::string(file));
      const auto begun = std::exchange(begun_, {});
      return begun ? begun(why, ending.how)
                   : plot_diagnostics(directory.file("diagnostics.txt"), directory.path(), why, ending.how);
    });
  }
  Files files() const override {
    const auto file = [&](const char* name) { return made_ ? run_.directory->file(name).string() : ""; };
    return {{"energy_plot", file("energy.png")}, {"radii_plot", file("radii.png")}};
  }

 private:
  std::function<bool(std::string& why, const Making& how)> begun_;  ///< the plots that are being drawn
  bool made_ = false;
};

constexpr std::array<std::string_view, 1> plots_keys{"output.plots"};

}  // namespace

extern const Analysis analysis_plots{
    .name = "plots", .keys = plots_keys, .files = plots_files, .at_end = true, .make = make_output<Plots>};

}  // namespace pleiad::run
