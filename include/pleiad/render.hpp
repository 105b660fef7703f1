/// Pictures: bodies splatted by mass onto an image, plots through gnuplot, a movie through ffmpeg.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <pleiad/snapshot.hpp>

namespace pleiad {

/// Which way one looks, and how much one sees.
struct View {
  std::array<int, 2> axes{0, 1};  ///< axes across and up: 0 x, 1 y, 2 z
  Vec3<double> centre{};
  double half_width = 0;          ///< 0: chosen by fit_view
  int size = 1024;                ///< pixels per side
};
/// A view centred on the bodies that holds 98 % of the mass with some margin; periodic boxes are shown whole.
View fit_view(const Snapshot& snapshot, std::array<int, 2> axes, int size);

/// 8-bit RGB, row by row from the top.
struct Image { int width = 0, height = 0; std::vector<std::uint8_t> rgb; };

/// Surface density per particle type (each with its own colour map), smoothed adaptively (a body's splat is wider where bodies are few),
/// log scale with automatic limits, and a small scale bar. `exposure` fixes the limits between frames of a movie.
struct Exposure { std::array<double, 6> low{}, high{}; bool set = false; };
Image render(const Snapshot& snapshot, const View& view, Exposure& exposure);
void write_png(const std::filesystem::path& file, const Image& image);

/// Plots from the diagnostics table (see src/run): the gnuplot script is kept beside the picture. Returns false, with `why`, when gnuplot is not there.
bool plot_diagnostics(const std::filesystem::path& table, const std::filesystem::path& directory, std::string& why);
/// Frames "frame_%05d.png" of a directory to an MP4; false, with `why`, when ffmpeg is not there.
bool make_movie(const std::filesystem::path& frames, const std::filesystem::path& movie, int frames_per_second, std::string& why);

}  // namespace pleiad
