/// See gnuplot.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/gnuplot.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/paths.hpp"
#include "render/process.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace pleiad::render_detail {
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds longest{60};

}  // namespace

std::string unfinished() { return ".tmp." + std::to_string(::getpid()); }

void deliver(const fs::path& made, const fs::path& file, AtomicWrite how) {
  const Descriptor in = open_file(made, O_RDONLY | O_NOFOLLOW);
  if (!in) fail(made, "read");
  how.sync = false;  // it can be made again
  const auto fill = [&](NewFile& out) {
    std::string piece(std::size_t{1} << 20, '\0');
    for (ssize_t n = 0; (n = read_all(in.get(), piece.data(), piece.size())) != 0;) {
      if (n < 0) fail(made, "read");
      out.append(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
    }
  };
  if (how.folder || !replaceable(file).empty()) write_file_atomically(file, fill, how);
  else write_file_atomically(file, read_file(made));
  ::unlink(made.c_str());
}

void need_own_script(const fs::path& script, const fs::path& picture, std::string_view mark) {
  if (!path_exists(script)) return;
  std::string text;
  try {
    text = read_file(script);
  } catch (const InputError&) {
    // Something else than a file.
  }
  if (!text.starts_with(mark))
    throw UsageError(
        fmt::format("'{}' is in the way: the script of '{}' would be written there, and it is none of "
                    "Pleiad's; move it, or name another plot",
                    script.string(), picture.string()));
}

namespace {

AtomicWrite unsynced(AtomicWrite how) {
  how.sync = false;
  return how;
}

/// One script for all pictures, each with the settings of a fresh gnuplot.
std::string script_of(const std::vector<Drawing>& drawings) {
  std::string all;
  for (const auto& drawing : drawings) all += drawing.script(unfinished()) + "set output\nreset session\n";
  return all;
}

}  // namespace

Gnuplot::Gnuplot(fs::path directory, std::vector<Drawing> drawings, std::function<bool()> stopped)
    : directory_(std::move(directory)), drawings_(std::move(drawings)) {
  for (const auto& drawing : drawings_)
    for (const auto& ending : drawing.endings) {
      const auto place = directory_ / (drawing.name + ending);
      pictures_.emplace_back(place.string() + unfinished(), place);
      ::unlink(pictures_.back().first.c_str());  // of an earlier process that had our id
    }
  const auto work = [this, script = script_of(drawings_), stopped = std::move(stopped)] {
    return run_program(
        {"gnuplot", "-"}, directory_, longest, [&] { return abandoned_ || stopped(); }, script);
  };
  try {
    drawn_ = std::async(std::launch::async, work);
  } catch (const std::system_error&) {  // no thread is to be had
    drawn_ = std::async(std::launch::deferred, work);
  }
}

Gnuplot::~Gnuplot() {
  abandoned_ = true;
  if (drawn_.valid() && drawn_.wait_for(std::chrono::seconds(0)) != std::future_status::deferred)
    drawn_.wait();
  for (const auto& [made, place] : pictures_) ::unlink(made.c_str());
}

bool Gnuplot::finish(const Making& how, std::string& why) {
  for (const auto& drawing : drawings_) {
    const auto script = directory_ / (drawing.name + ".gp");
    write_file_atomically(script, drawing.script(""), unsynced(how.place(script)));
  }
  const auto gnuplot = drawn_.get();
  why = gnuplot.good() ? "" : gnuplot.why("gnuplot");
  if (!gnuplot.good()) return false;
  for (const auto& [made, place] : pictures_)
    if (std::error_code absent; fs::is_regular_file(fs::symlink_status(made, absent)))
      deliver(made, place, how.place(place));
  return true;
}

bool draw(const fs::path& directory, const std::vector<Drawing>& drawings, const Making& how,
          std::string& why) {
  return Gnuplot(directory, drawings, how.stopped).finish(how, why);
}

}  // namespace pleiad::render_detail
