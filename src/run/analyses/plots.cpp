/// Plots of the diagnostics table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"

#include <array>

namespace pleiad::run {
namespace {

constexpr std::array<std::string_view, 6> plots_files{"energy.gp", "energy.png", "energy.svg",
                                                      "radii.gp",  "radii.png",  "radii.svg"};

class Plots : public Output {
 public:
  using Output::Output;
  void finish(Ending& ending) override {
    auto& directory = *run_.directory;
    made_ = run_.options.output.plots && ending.made("plots", [&](std::string& why) {
      for (const auto file : plots_files) directory.file(std::string(file));
      return plot_diagnostics(directory.file("diagnostics.txt"), directory.path(), why, ending.how);
    });
  }
  Files files() const override {
    const auto file = [&](const char* name) { return made_ ? run_.directory->file(name).string() : ""; };
    return {{"energy_plot", file("energy.png")}, {"radii_plot", file("radii.png")}};
  }

 private:
  bool made_ = false;
};

constexpr std::array<std::string_view, 1> plots_keys{"output.plots"};

}  // namespace

extern const Analysis analysis_plots{
    .name = "plots", .keys = plots_keys, .files = plots_files, .at_end = true, .make = make_output<Plots>};

}  // namespace pleiad::run
