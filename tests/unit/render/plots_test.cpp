/// Plots and movies: the scripts run and can be run again, and what is missing is said, not thrown.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "render/process.hpp"
#include "render/render.hpp"

#include <pleiad/error.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

using namespace pleiad;
using render_detail::run_program;
namespace fs = std::filesystem;

namespace {

bool on_path(const std::string& program) {
  return run_program({program, program == "ffmpeg" ? "-version" : "--version"}, ".", std::chrono::seconds(20))
      .good();
}

/// A folder of one test, gone with it; its name has what a shell would trip over.
struct Folder {
  fs::path path = fs::path(testing::TempDir()) / ("pleiad plots' $x " + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

/// PATH as long as the object lives.
struct Path {
  std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  explicit Path(const char* path) { setenv("PATH", path, 1); }
  ~Path() { setenv("PATH", before.c_str(), 1); }
};

fs::path table(const fs::path& folder, int rows, double scale = 1) {
  const fs::path file = folder / "diagnostics.txt";
  std::ofstream out(file);
  out << "# units: galactic\n# time step kinetic potential total energy_error px py pz lx ly lz cx cy cz "
         "virial_ratio r10 r25 r50 r75 r90\n";
  for (int k = 0; k < rows; ++k)
    out << 0.1 * k << ' ' << k << ' ' << scale << ' ' << -2 * scale << ' ' << -scale << ' '
        << scale * k * 1e-6 << " 0 0 0 0 0 0 0 0 0 0.5 " << scale << ' ' << 2 * scale << ' ' << 3 * scale
        << ' ' << 4 * scale << ' ' << 5 * scale << '\n';
  return file;
}

bool is_png(const fs::path& file) { return fs::exists(file) && read_file(file).starts_with("\x89PNG"); }

}  // namespace

TEST(Process, ReportsStatusOutputAndAbsence) {
  const auto good = run_program({"echo", "a b", "$HOME"}, "/", std::chrono::seconds(60));
  EXPECT_TRUE(good.good());
  EXPECT_EQ(good.output, "a b $HOME\n");
  const auto bad = run_program({"ls", "/nowhere at all"}, "/", std::chrono::seconds(60));
  EXPECT_TRUE(bad.started);
  EXPECT_NE(bad.status, 0);
  EXPECT_NE(bad.why("ls").find("/nowhere at all"), std::string::npos) << bad.why("ls");
  const auto none = run_program({"no-such-program-at-all"}, "/", std::chrono::seconds(60));
  EXPECT_FALSE(none.started);
  EXPECT_NE(none.why("it").find("No such file"), std::string::npos) << none.why("it");
}

TEST(Process, ReadsItsInput) {
  const std::string text(20'000, 'x');
  EXPECT_EQ(run_program(
                {"cat"}, "/", std::chrono::seconds(60), [] { return false; }, text)
                .output,
            text);
  EXPECT_EQ(run_program({"cat"}, "/", std::chrono::seconds(60)).output, "");
}

TEST(Process, IsStoppedWhenItTakesTooLong) {
  const auto before = std::chrono::steady_clock::now();
  const auto slow = run_program({"sleep", "300"}, "/", std::chrono::milliseconds(200));
  EXPECT_TRUE(slow.timed_out);
  EXPECT_FALSE(slow.good());
  // It closes its output and goes on: the limit holds all the same.
  const auto silent =
      run_program({"sh", "-c", "exec >/dev/null 2>&1; sleep 300"}, "/", std::chrono::milliseconds(200));
  EXPECT_TRUE(silent.timed_out);
  EXPECT_LE(std::chrono::steady_clock::now() - before, std::chrono::seconds(100));
}

TEST(Plots, AreMadeAndCanBeMadeAgainFromTheirScripts) {
  if (!on_path("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const Folder folder;
  std::string why;
  ASSERT_TRUE(plot_diagnostics(table(folder.path, 50), folder.path, why)) << why;
  for (const char* name : {"energy", "radii"}) {
    const fs::path png = folder.path / (std::string(name) + ".png");
    EXPECT_TRUE(is_png(png)) << png;
    fs::remove(png);
    const auto again =
        run_program({"gnuplot", std::string(name) + ".gp"}, folder.path, std::chrono::seconds(60));
    EXPECT_TRUE(again.good()) << again.output;
    EXPECT_TRUE(is_png(png)) << png;
  }
}

TEST(Plots, ThatAreBegunHaveTheirNamesWhenTheyAreFinished) {
  if (!on_path("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const Folder folder;
  const auto files = [&] {
    return std::distance(fs::directory_iterator(folder.path), fs::directory_iterator{});
  };
  const auto file = table(folder.path, 50);
  const auto never = [] { return false; };
  // One that is given up leaves nothing.
  { const auto given_up = begin_diagnostics_plots(file, folder.path, never); }
  EXPECT_EQ(files(), 1);
  const auto finish = begin_diagnostics_plots(file, folder.path, never);
  EXPECT_FALSE(fs::exists(folder.path / "energy.gp"));
  EXPECT_FALSE(fs::exists(folder.path / "energy.png"));
  std::string why;
  EXPECT_TRUE(finish(why, {})) << why;
  EXPECT_TRUE(is_png(folder.path / "energy.png"));
  EXPECT_TRUE(is_png(folder.path / "radii.png"));
  EXPECT_EQ(files(), 5) << "the table, two scripts, two pictures";
}

TEST(Plots, OfOneRowOrOfZerosWork) {
  if (!on_path("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const Folder folder;
  std::string why;
  EXPECT_TRUE(plot_diagnostics(table(folder.path, 1), folder.path, why)) << why;
  EXPECT_TRUE(plot_diagnostics(table(folder.path, 3, 0), folder.path, why)) << why;
  EXPECT_TRUE(is_png(folder.path / "radii.png"));
}

TEST(Plots, InAnotherFolderFindTheTable) {
  if (!on_path("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const Folder folder;
  fs::create_directories(folder.path / "plots");
  std::string why;
  EXPECT_TRUE(plot_diagnostics(table(folder.path, 5), folder.path / "plots", why)) << why;
  EXPECT_TRUE(is_png(folder.path / "plots" / "energy.png"));
}

TEST(Plots, WithoutGnuplotSaySoAndKeepTheScripts) {
  const Folder folder;
  const fs::path file = table(folder.path, 5);
  const Path nothing("/nowhere");
  std::string why;
  EXPECT_FALSE(plot_diagnostics(file, folder.path, why));
  EXPECT_NE(why.find("gnuplot"), std::string::npos) << why;
  EXPECT_TRUE(fs::exists(folder.path / "energy.gp"));
  EXPECT_TRUE(fs::exists(folder.path / "radii.gp"));
}

TEST(Plots, OfATableWithoutTheColumnsAreRefused) {
  const Folder folder;
  const fs::path file = folder.path / "other.txt";
  std::ofstream(file) << "# time step kinetic\n0 0 1\n";
  std::string why;
  EXPECT_THROW(plot_diagnostics(file, folder.path, why), InputError);
  EXPECT_THROW(plot_diagnostics(folder.path / "absent.txt", folder.path, why), InputError);
}

TEST(Movie, IsMadeOfTheFrames) {
  if (!on_path("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  const Folder folder;
  // Odd sides on purpose: H.264 wants even ones. A gap in the numbers, as a resumed run may leave it.
  for (const char* name : {"frame_00000.png", "frame_00001.png", "frame_00003.png"})
    write_png(folder.path / name, {65, 33, std::vector<std::uint8_t>(65 * 33 * 3, 90)});
  std::string why;
  const fs::path movie = folder.path / "movie.mp4";
  ASSERT_TRUE(make_movie(folder.path, movie, 25, why)) << why;
  EXPECT_EQ(read_file(movie).substr(4, 4), "ftyp");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator{}), 4);
}

TEST(Movie, ThatCannotBeMadeSaysWhy) {
  const Folder folder;
  std::string why;
  EXPECT_FALSE(make_movie(folder.path, folder.path / "m.mp4", 25, why));
  EXPECT_NE(why.find("frame_"), std::string::npos) << why;
  EXPECT_FALSE(make_movie(folder.path, folder.path / "m.mp4", 0, why));
  write_png(folder.path / "frame_00000.png", {2, 2, std::vector<std::uint8_t>(12)});
  const Path nothing("/nowhere");
  EXPECT_FALSE(make_movie(folder.path, folder.path / "m.mp4", 25, why));
  EXPECT_NE(why.find("ffmpeg"), std::string::npos) << why;
}
