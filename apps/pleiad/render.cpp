/// `pleiad render`: pictures of snapshots with one view, and a movie of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/render.hpp"

#include "commands.hpp"
#include "core/print.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "io/files/comoving.hpp"
#include "numbers.hpp"
#include "types_option.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

namespace fs = std::filesystem;

struct RenderArguments {
  std::vector<std::string> files, types;
  std::vector<double> centre;
  std::string output, projection = "xy", movie, units;
  int size = 1024, rate = 25;
  double extent = 0;
};

std::array<int, 2> axes_of(const std::string& projection) {
  return {projection[0] - 'x', projection[1] - 'x'};
}

/// Leaves the bodies of the chosen types only.
void keep(Bodies& bodies, const std::vector<Type>& types) {
  if (types.empty()) return;
  Bodies kept;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (std::ranges::find(types, bodies.type[i]) == types.end()) continue;
    kept.add(bodies.mass[i], bodies.position(i), bodies.velocity(i), bodies.type[i]);
    kept.id.back() = bodies.id[i];
  }
  bodies = std::move(kept);
}

/// One file: --output, or next to it; several: numbered frames in the folder --output, or each next to its
/// snapshot.
std::vector<fs::path> pictures_of(const RenderArguments& a) {
  std::vector<fs::path> pictures;
  if (!a.output.empty() && a.files.size() == 1 && a.movie.empty() && !is_folder(a.output)) return {a.output};
  for (const fs::path file : a.files)
    pictures.push_back(a.output.empty()
                           ? fs::path(file).replace_extension(".png")
                           : fs::path(a.output) / fmt::format("frame_{:05}.png", pictures.size()));
  if (std::set<fs::path>(pictures.begin(), pictures.end()).size() < pictures.size())
    throw UsageError(
        "two of the snapshots would have the same picture; name a folder for them with --output");
  return pictures;
}

/// Claims the inputs and outputs, as far as they are known before anything is read.
Claims claims_of(const RenderArguments& a, const std::vector<fs::path>& pictures) {
  const auto folder_of = [&](const fs::path& file) {
    return !a.output.empty() && file.parent_path() == fs::path(a.output) ? Claims::Of::made
                                                                         : Claims::Of::there;
  };
  Claims claims;
  claims.reads_all(a.files);
  for (std::size_t k = 0; k < pictures.size(); ++k)
    claims.writes(pictures[k], fmt::format("the picture of '{}'", a.files[k]), folder_of(pictures[k]));
  claims.writes(a.movie, "--movie", folder_of(a.movie));
  return claims;
}

/// A movie takes every frame of its folder: those of an earlier one must not slip in.
void refuse_other_frames(const std::string& folder, const std::vector<fs::path>& pictures) {
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = entry.filename().string();
    if (!name.starts_with("frame_") || !name.ends_with(".png")) continue;
    if (std::none_of(pictures.begin(), pictures.end(),
                     [&](const fs::path& p) { return p.filename() == name; }))
      throw UsageError(folder + " holds " + name + " of another movie; remove it or name another folder");
  }
}

/// Properties that are not requested are fitted to the first snapshot, and kept. `comoving`: its time is ln
/// a.
View view_of(const Snapshot& snapshot, const RenderArguments& a, bool comoving) {
  View view = fit_view(snapshot, axes_of(a.projection), a.size);
  if (!a.centre.empty()) view.centre = {a.centre[0], a.centre[1], a.centre[2]};
  if (a.extent > 0) view.half_width = a.extent;
  view.comoving = comoving;
  return view;
}

/// The folder of the pictures, which goes away again if none comes into it.
class PicturesFolder {
 public:
  PicturesFolder(const fs::path& folder, const std::vector<fs::path>& pictures)
      : folder_(folder.empty() || pictures.front() == folder || path_exists(folder) ? fs::path() : folder) {
    if (!folder_.empty()) make_folders(folder_);
  }
  PicturesFolder(const PicturesFolder&) = delete;
  PicturesFolder& operator=(const PicturesFolder&) = delete;
  ~PicturesFolder() {
    std::error_code ignored;  // a folder with pictures stays
    if (!folder_.empty()) fs::remove(folder_, ignored);
  }

 private:
  fs::path folder_;  ///< that was made
};

void draw(const RenderArguments& a) {
  const auto types = types_in(a.types);
  if (!a.movie.empty() && a.output.empty())
    throw UsageError("--movie needs --output DIR, the folder for its frames");
  const std::vector<fs::path> pictures = pictures_of(a);
  auto claims = claims_of(a, pictures);
  if (!a.movie.empty() && path_exists(a.output)) refuse_other_frames(a.output, pictures);
  const PicturesFolder folder(a.output, pictures);
  View view;
  Exposure exposure;
  Trails trails;
  for (std::size_t k = 0; k < a.files.size(); ++k) {
    FileContent content = files::read_comoving(
        a.files[k], a.units.empty() ? std::nullopt : std::optional(units_named(a.units)));
    claims.reads_all(content.files);
    claims.reads_all(content.beside);
    if (k == 0)
      for (const std::string& note : content.notes) print_err("{}: {}\n", a.files[k], note);
    Snapshot& snapshot = content.snapshot;
    const bool comoving = content.universe.has_value();
    if (k > 0 && comoving != view.comoving)
      throw InputError(
          fmt::format("'{}' and '{}' cannot be shown in one view: only one of them is of comoving bodies",
                      a.files[0], a.files[k]));
    if (comoving) snapshot.time = std::log(snapshot.time);
    keep(snapshot.bodies, types);
    if (snapshot.bodies.empty())
      throw InputError(a.files[k] + " has no bodies of type " + fmt::format("{}", fmt::join(a.types, ", ")));
    if (k == 0) view = view_of(snapshot, a, comoving);
    write_png(pictures[k], render(snapshot, view, exposure, a.files.size() > 1 ? &trails : nullptr));
    if (!is_standard_output(pictures[k])) print_out("{}\n", pictures[k].string());
  }
  if (a.movie.empty()) return;
  std::string why;
  if (!make_movie(a.output, a.movie, a.rate, why)) throw ResourceError("no movie: " + why);
  if (!is_standard_output(a.movie)) print_out("{}\n", a.movie);
}

}  // namespace

void add_render(Command app, int&) {
  auto a = std::make_shared<RenderArguments>();
  auto render = app.add_subcommand("render", "Draw pictures of snapshots, or a movie");
  render
      .add_option("FILE", a->files,
                  "Snapshots in any format; all are drawn with the view and exposure of the first")
      .required();
  render.add_option(
      "-o,--output", a->output,
      "The picture, or for several snapshots the folder for frame_00000.png, ... [beside each snapshot]");
  render.add_option("--projection", a->projection, "Horizontal and vertical axis: xy, xz or yz")
      .one_of({"xy", "xz", "yz"})
      .capture_default_str();
  render.add_option("--size", a->size, "Width and height in pixels")
      .transform(whole_number(16, 16384))
      .capture_default_str();
  render
      .add_option("--extent", a->extent,
                  "Half of the width shown, in the snapshot's units [fitted to the first]")
      .check(number(0, 1e300, true));
  render.add_option("--centre", a->centre, "x,y,z of the centre of the view [fitted to the first]")
      .delimiter(',')
      .expected(3)
      .check(number(-1e300, 1e300));
  render
      .add_option("--types", a->types,
                  std::string("Draw only these types, separated by commas: ") + types_help)
      .delimiter(',');
  render.add_option("--units", a->units,
                    "Units of files that state none: nbody, galactic, cluster, solar, si, cgs");
  render.add_option("--movie", a->movie,
                    "Also encode the pictures as this MP4 (needs ffmpeg and --output DIR)");
  render.add_option("--fps", a->rate, "Pictures per second of the movie")
      .transform(whole_number(1, 240))
      .capture_default_str();
  render.footer(
      "Examples:\n  pleiad render galaxy.hdf5 -o galaxy.png --projection xz --types disc,bulge\n  pleiad "
      "render output/snapshot_*.hdf5 -o frames --movie encounter.mp4\nPrints the names of the files written. "
      "Up to 64 bodies are drawn as discs with their trajectories.");
  render.callback([a] { draw(*a); });
}

}  // namespace pleiad::app
