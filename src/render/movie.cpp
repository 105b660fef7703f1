/// Frames to a movie, through ffmpeg.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "render/gnuplot.hpp"
#include "render/process.hpp"
#include "render/render.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

bool any_frame(const fs::path& frames) {
  std::error_code error;
  for (fs::directory_iterator entry(frames, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("frame_") && name.ends_with(".png")) return true;
  }
  return false;
}

/// H.264 in 4:2:0 plays everywhere but needs even sides; ffmpeg without x264 still has MPEG-4.
std::vector<std::string> command(bool x264, int rate, const std::string& out) {
  std::vector<std::string> c{"ffmpeg",
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-nostdin",
                             "-y",
                             "-framerate",
                             std::to_string(rate),
                             "-pattern_type",
                             "glob",
                             "-i",
                             "frame_*.png",
                             "-vf",
                             "scale=trunc(iw/2)*2:trunc(ih/2)*2",
                             "-pix_fmt",
                             "yuv420p"};
  if (x264) c.insert(c.end(), {"-c:v", "libx264", "-preset", "medium", "-crf", "19"});
  else c.insert(c.end(), {"-c:v", "mpeg4", "-q:v", "3"});
  c.insert(c.end(), {"-movflags", "+faststart", "-f", "mp4", out});
  return c;
}

}  // namespace

bool make_movie(const fs::path& frames, const fs::path& movie, int frames_per_second, std::string& why,
                const Making& how) {
  if (frames_per_second < 1 || frames_per_second > 240) {
    why = "a movie has 1 to 240 frames per second, not " + std::to_string(frames_per_second);
    return false;
  }
  if (!any_frame(frames)) {
    why = "there is no frame_*.png in " + frames.string();
    return false;
  }
  std::error_code error;
  fs::path part;
  try {
    const fs::path whole = absolute_path(movie);
    const auto place = how.place(whole);
    const fs::path target = place.folder ? whole : replaceable(whole);
    const fs::path beside = target.empty() ? absolute_path(frames) / "movie.mp4" : target;
    part = beside.string() + render_detail::unfinished();
    fs::remove(part, error);  // of an earlier process that had our id
    for (const bool x264 : {true, false}) {
      const auto outcome = render_detail::run_program(command(x264, frames_per_second, part.string()), frames,
                                                      std::chrono::minutes(30), how.stopped);
      if (outcome.good()) {
        render_detail::deliver(part, whole, place);
        return true;
      }
      fs::remove(part, error);
      why = outcome.why("ffmpeg");
      if (outcome.output.find("libx264") == std::string::npos) return false;
    }
  } catch (const std::exception& failure) {
    why = failure.what();
    fs::remove(part, error);
  }
  return false;
}

}  // namespace pleiad
