/// Pictures: bodies splatted by mass onto an image, plots through gnuplot, a movie through ffmpeg.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/durable.hpp"

#include <pleiad/snapshot.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pleiad {

namespace ranks {
class Communicator;
}

/// Direction and width of the view.
struct View {
  std::array<int, 2> axes{0, 1};  ///< axes across and up: 0 x, 1 y, 2 z
  Vec3<double> centre{};
  double half_width = 0;  ///< 0: chosen by fit_view
  int size = 1024;        ///< pixels per side
  bool comoving = false;  ///< times are ln a, shown as redshifts, and lengths comoving ones per h
};
/// A view centred on the bodies that holds 98 % of the mass with some margin; of the luminous mass (disc,
/// bulge, stars, gas) where there is any. All bodies when they are few; periodic boxes are shown whole.
/// Bodies that are not finite are left out.
View fit_view(const Snapshot& snapshot, std::array<int, 2> axes, int size);
/// Fits the view to the bodies of all ranks, of which each has its own. Collective.
View fit_view(const Snapshot& own, std::array<int, 2> axes, int size, ranks::Communicator& ranks);
/// Moves the view as little as holds `middle` within a twentieth of its half width from its centre: it stays
/// where bodies only tremble about it, and follows bodies that travel.
void follow(View& view, Vec3<double> middle);

/// 8-bit RGB, row by row from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The surface densities (mass per area, per type) shown as darkest and brightest. Not `set`: the first
/// picture chooses, and later ones of a movie follow; a type that appears later is added then.
struct Exposure {
  std::array<double, 6> low{}, high{};
  bool set = false;
};
/// Past positions of few bodies, by id, oldest first; drawn as fading lines, or dots (see sparse_path.hpp).
/// `render` adds the present positions.
struct Trails {
  std::map<std::uint64_t, std::vector<Vec3<double>>> paths;
  std::size_t longest = 2000;

  /// More bodies have none.
  static constexpr std::size_t most_bodies = 64;
  /// Adds the present positions of these bodies.
  void add(const Bodies& bodies);
};

/// Surface density per particle type (each with its own colour map), smoothed adaptively (a body's splat is
/// wider where bodies are few), log scale with automatic limits, a small scale bar and the time. Up to 64
/// bodies are drawn as discs, larger for larger masses. The same pixels for any number of threads. A view
/// without a half width is fitted. UsageError when the view makes no sense.
Image render(const Snapshot& snapshot, const View& view, Exposure& exposure, Trails* trails = nullptr);
/// Renders the bodies of all ranks, of which each has its own, in a view that has a half width. Rank 0 gets
/// the picture, with the pixels of one process, and only it changes exposure and trails; the others get an
/// empty one. In addition to its own bodies a rank needs memory for a few planes of pixels. Collective.
Image render(const Snapshot& own, const View& view, Exposure& exposure, Trails* trails,
             ranks::Communicator& ranks);
/// 8-bit PNG. UsageError for an image without 3 bytes for each pixel.
std::string encode_png(const Image& image);
/// Writes a PNG file, which is complete or absent.
void write_png(const std::filesystem::path& file, const Image& image, AtomicWrite how = {});

/// Files of other programs are moved to `place` when they are complete; the programs are killed when
/// `stopped` returns true.
struct Making {
  std::function<AtomicWrite(const std::filesystem::path&)> place = [](const auto&) { return AtomicWrite{}; };
  std::function<bool()> stopped = [] { return false; };
};
/// Plots from the diagnostics table (see src/run): energy.png and radii.png in `directory`, each next to the
/// gnuplot script that made it (run it there to make the plot again). False, with `why`, if gnuplot is
/// missing or fails; the scripts are then written all the same.
bool plot_diagnostics(const std::filesystem::path& table, const std::filesystem::path& directory,
                      std::string& why, const Making& how = {});
/// Begins these plots, which are drawn by a process beside this one until `stopped`. The returned function
/// finishes them as plot_diagnostics does; until then no file has its name.
std::function<bool(std::string& why, const Making& how)> begin_diagnostics_plots(
    const std::filesystem::path& table, const std::filesystem::path& directory,
    const std::function<bool()>& stopped);
/// A column of ensemble.csv that was varied. `step` is the distance of neighbours on a grid of even steps,
/// else 0.
struct EnsembleAxis {
  std::string name;
  double step = 0;
  bool logarithmic = false;
};
/// ensemble.png from ensemble.csv and ensemble_times.csv in `directory` (see src/run/ensemble), next to its
/// script. Two axes or more: maps of the lost body and its time over the first two, or of the energy error if
/// no body was lost; one axis: both against it; none: against time, and the distribution of energy errors.
/// `units` are those of the table, whose longest time decides between years, Myr and Gyr. False, with `why`,
/// as above.
bool plot_ensemble(const std::filesystem::path& directory, const std::vector<EnsembleAxis>& axes,
                   const Units& units, double longest_time, std::string& why, const Making& how = {});
/// Frames "frame_%05d.png" of a directory, in the order of their names, to an MP4; false, with `why`, when
/// ffmpeg is not there or fails.
bool make_movie(const std::filesystem::path& frames, const std::filesystem::path& movie,
                int frames_per_second, std::string& why, const Making& how = {});

}  // namespace pleiad
