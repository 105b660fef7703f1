/// Frames to a movie, through ffmpeg.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
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

/// Moves the finished film to where it shall be, or writes it into what is not to be replaced.
void deliver(const fs::path& part, const fs::path& movie, const fs::path& target) {
  if (target.empty()) return write_file_atomically(movie, read_file(part));
  std::error_code failed;
  fs::rename(part, target, failed);
  if (failed)
    throw ResourceError("cannot rename '" + part.string() + "' to '" + target.string() +
                        "': " + failed.message());
}

}  // namespace

bool make_movie(const fs::path& frames, const fs::path& movie, int frames_per_second, std::string& why) {
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
    const fs::path target = replaceable(absolute_path(movie));
    const fs::path beside = target.empty() ? absolute_path(frames) / "movie.mp4" : target;
    part = beside.string() + ".tmp." + std::to_string(getpid());
    for (const bool x264 : {true, false}) {
      const auto outcome = render_detail::run_program(command(x264, frames_per_second, part.string()), frames,
                                                      std::chrono::minutes(30));
      if (outcome.good()) {
        deliver(part, movie, target);
        fs::remove(part, error);
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
