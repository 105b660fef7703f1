/// Pieces of gnuplot scripts that all plots share.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/process.hpp"
#include "render/render.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::render_detail {

/// A string that gnuplot takes literally.
inline std::string quoted(const std::string& text) {
  std::string q(1, '\'');
  for (const char c : text) q.append(c == '\'' ? 2 : 1, c);
  return q + '\'';
}

/// The suffix of a file name while the file is being drawn.
std::string unfinished();

/// Makes NAME.png, or NAME.svg where gnuplot has no PNG; `after` follows these names.
inline std::string terminal(const std::string& name, int width, int height, const std::string& after) {
  return fmt::format(
      "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {{\n"
      "  set terminal pngcairo size {1},{2} enhanced font 'Sans,13' linewidth 1.6; set output '{0}.png{3}'\n"
      "}} else {{ if (strstrt(GPVAL_TERMINALS, ' png ')) {{\n"
      "  set terminal png size {1},{2} enhanced; set output '{0}.png{3}'\n"
      "}} else {{\n"
      "  set terminal svg size {1},{2} enhanced font 'Sans,15'; set output '{0}.svg{3}'\n"
      "}} }}\n",
      name, width, height, after);
}

/// The key of a plot: above it, from the left, each line before its name.
inline constexpr const char* key_above =
    "set key above left Left reverse horizontal noautotitle samplen 1.5 spacing 1.1\n";

/// Numbers, lines, borders and grid.
inline constexpr const char* style =
    "set datafile missing 'nan'; set format '%g'\n"
    "set style line 1 lc rgb '#c2571a' lw 2; set style line 2 lc rgb '#3b5fc0' lw 2; set style line 3 lc "
    "rgb '#222222' lw 2\n"
    "set style line 4 lc rgb '#0f8a85' lw 2; set style line 5 lc rgb '#8a4fbf' lw 2\n"
    "set border 3 lc rgb '#444444'; set tics nomirror out textcolor rgb '#222222'; set grid lc rgb "
    "'#dddddd' lt 1 lw 0.6\n";

/// A picture by gnuplot: NAME with one of the endings, of the script NAME.gp, which stays next to it.
struct Drawing {
  std::string name;
  std::vector<std::string> endings;
  /// The script, whose pictures have `after` at the end of their names.
  std::function<std::string(const std::string& after)> script;
};
/// gnuplot at work on pictures in a directory, in one process beside this one. The process is ended with the
/// object.
class Gnuplot {
 public:
  /// Begins to draw; no file has its name yet. `stopped` ends it.
  Gnuplot(std::filesystem::path directory, std::vector<Drawing> drawings, std::function<bool()> stopped);
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;
  ~Gnuplot();
  /// Writes all scripts, waits for the process, and gives the pictures their names. False, with `why`, when
  /// gnuplot is not there or fails.
  bool finish(const Making& how, std::string& why);

 private:
  std::filesystem::path directory_;
  std::vector<Drawing> drawings_;
  std::atomic<bool> abandoned_ = false;
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> pictures_;  ///< while drawn, and then
  std::future<Outcome> drawn_;
};
/// Writes all scripts, then all pictures, in `directory`. False, with `why`, when gnuplot is not there or
/// fails.
bool draw(const std::filesystem::path& directory, const std::vector<Drawing>& drawings, const Making& how,
          std::string& why);
/// UsageError if the place of the script of a picture is taken by a file that does not begin with this mark
/// of ours.
void need_own_script(const std::filesystem::path& script, const std::filesystem::path& picture,
                     std::string_view mark);
/// Gives a file that another program has made its name, wherever the two are, and takes the old one away.
void deliver(const std::filesystem::path& made, const std::filesystem::path& file, AtomicWrite how);

}  // namespace pleiad::render_detail
