/// The directory of a run: what is claimed, numbered, set aside, put back and deleted.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/directory.hpp"

#include "io/durable/durable.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <fstream>
#include <map>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;
using test::message_of;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << content;
}

std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().filename() != ".lock")
      files[fs::relative(entry.path(), directory).string()] = read_file(entry.path());
  return files;
}

std::shared_ptr<const OpenFolder> opened(const fs::path& folder) {
  return std::make_shared<const OpenFolder>(folder);
}

/// A run that has written two snapshots and a checkpoint.
void old_run(const fs::path& directory) {
  auto run = RunDirectory::claim(directory, false);
  run.make_folder("snapshots");
  for (const double time : {0.0, 0.5}) write(run.numbered("snapshots/snapshot_", 3, ".csv", time), "old");
  write(run.file("checkpoint.pleiad"), "old");
  run.keep();
}

}  // namespace

TEST(Manifest, NumbersBelongToTimesAndAreNeverUsedTwice) {
  const test::Folder folder;
  {
    Manifest manifest;
    manifest.open(opened(folder.path));
    EXPECT_EQ(manifest.numbered("s/a_", 3, ".x", 0), "s/a_000.x");
    EXPECT_EQ(manifest.numbered("s/a_", 3, ".x", 0.3), "s/a_001.x");
    EXPECT_EQ(manifest.numbered("s/b_", 3, ".x", 0.3), "s/b_000.x");
    EXPECT_EQ(manifest.numbered("s/a_", 3, ".x", 0), "s/a_000.x");
    manifest.add("table.txt");
    manifest.add("table.txt");
  }
  auto again = Manifest::read(folder.path);
  EXPECT_EQ(again.files().size(), 4u);
  again.open(opened(folder.path));
  EXPECT_EQ(again.numbered("s/a_", 3, ".x", 0.3), "s/a_001.x");
  EXPECT_EQ(again.numbered("s/a_", 3, ".x", 0.1 + 0.2), "s/a_002.x");  // another double than 0.3
  EXPECT_EQ(again.numbered("s/a_", 3, ".x", 1e300), "s/a_003.x");
}

TEST(Manifest, ForgetsALineThatWasCutOff) {
  const test::Folder folder;
  write(folder.path / "manifest.txt",
        "# Files of this run: all\na.txt\ns/snapshot_000.csv\t0\ns/snapshot_001.c");
  auto manifest = Manifest::read(folder.path);
  EXPECT_EQ(manifest.files().size(), 2u);
  manifest.open(opened(folder.path));
  EXPECT_EQ(manifest.numbered("s/snapshot_", 3, ".csv", 1), "s/snapshot_001.csv");
  EXPECT_EQ(read_file(folder.path / "manifest.txt"),
            "# Files of this run: all\na.txt\ns/snapshot_000.csv\t0\ns/snapshot_001.csv\t1\n");
}

TEST(Manifest, RefusesNamesThatLeadOutOfTheDirectory) {
  for (const char* name :
       {"../thesis.tex", "/etc/passwd", "snapshots/../../thesis.tex", ".", "..", "a//b", "./a", "a/"}) {
    const test::Folder folder;
    write(folder.path / "manifest.txt", "# Files of this run: all\n" + std::string(name) + "\n");
    EXPECT_NE(message_of<InputError>([&] { Manifest::read(folder.path); }).find("not the name of a file"),
              std::string::npos)
        << name;
  }
}

TEST(RunDirectory, ThatIsNotKeptLeavesNothing) {
  const test::Folder folder;
  {
    auto run = RunDirectory::claim(folder.path / "a" / "b", false);
    run.make_folder("snapshots");
    run.make_folder("pictures");
    write(run.numbered("snapshots/snapshot_", 3, ".csv", 0), "new");
    write(run.file("config.toml"), "new");
  }
  EXPECT_FALSE(fs::exists(folder.path / "a"));
  fs::create_directory(folder.path / "there");
  { const auto run = RunDirectory::claim(folder.path / "there", false); }
  EXPECT_TRUE(fs::is_empty(folder.path / "there"));
}

TEST(RunDirectory, PutsTheOldRunBackUntilTheNewOneIsKept) {
  const test::Folder folder;
  old_run(folder.path);
  write(folder.path / "notes.md", "mine");
  const auto before = files_of(folder.path);
  EXPECT_NE(
      message_of<UsageError>([&] { RunDirectory::claim(folder.path, false); }).find("already holds a run"),
      std::string::npos);
  {
    auto run = RunDirectory::claim(folder.path, true);
    EXPECT_TRUE(run.replaces());
    run.make_folder("snapshots");
    write(run.numbered("snapshots/snapshot_", 3, ".csv", 0), "new");
    write(run.file("diagnostics.txt"), "new");
  }
  EXPECT_EQ(files_of(folder.path), before);
  {
    auto run = RunDirectory::claim(folder.path, true);
    write(run.file("checkpoint.pleiad"), "new");
    run.keep();
  }
  const auto after = files_of(folder.path);
  EXPECT_EQ(after.size(), 3u);
  EXPECT_EQ(after.at("checkpoint.pleiad"), "new");
  EXPECT_EQ(after.at("notes.md"), "mine");
  EXPECT_FALSE(fs::exists(folder.path / "snapshots"));
}

/// A process may be killed at any moment of a replacement: here after each of its renames.
TEST(RunDirectory, RecoversFromAReplacementThatWasKilled) {
  const test::Folder pristine;
  old_run(pristine.path);
  const auto before = files_of(pristine.path);
  const std::vector<std::string> order{"manifest.txt", "checkpoint.pleiad", "snapshots/snapshot_000.csv",
                                       "snapshots/snapshot_001.csv"};
  for (std::size_t moved = 1; moved <= order.size(); ++moved) {
    const test::Folder folder;
    fs::copy(pristine.path, folder.path, fs::copy_options::recursive);
    for (std::size_t k = 0; k < moved; ++k) {
      fs::create_directories((folder.path / ".replaced" / order[k]).parent_path());
      fs::rename(folder.path / order[k], folder.path / ".replaced" / order[k]);
    }
    if (moved == order.size()) {  // and the new run has begun to write
      write(folder.path / "manifest.txt",
            "# Files of this run: all\nconfig.toml\nsnapshots/snapshot_000.csv\t0\n");
      write(folder.path / "config.toml", "new");
      write(folder.path / "snapshots/snapshot_000.csv", "new");
    }
    { const auto run = RunDirectory::reopen(folder.path); }
    EXPECT_EQ(files_of(folder.path), before) << moved;
    EXPECT_FALSE(fs::exists(folder.path / ".replaced"));
  }
  // With its first checkpoint the new run stands.
  const test::Folder folder;
  fs::copy(pristine.path, folder.path, fs::copy_options::recursive);
  fs::create_directory(folder.path / ".replaced");
  fs::create_directory(folder.path / ".replaced/snapshots");
  for (const auto& name : order) fs::rename(folder.path / name, folder.path / ".replaced" / name);
  write(folder.path / "manifest.txt", "# Files of this run: all\ncheckpoint.pleiad\n");
  write(folder.path / "checkpoint.pleiad", "new");
  { const auto run = RunDirectory::reopen(folder.path); }
  EXPECT_EQ(files_of(folder.path).at("checkpoint.pleiad"), "new");
  EXPECT_FALSE(fs::exists(folder.path / ".replaced"));
}

/// It was killed before its first checkpoint, while it wrote a snapshot.
TEST(RunDirectory, TakesWhatAKilledRunWasWritingForAFileOfThatRun) {
  const test::Folder folder;
  old_run(folder.path);
  const auto half = folder.path / "snapshots/snapshot_001.csv.tmp.999999999";
  write(half, "half");
  const auto strange = folder.path / "snapshots/snapshot_077.csv.tmp.999999999";
  write(strange, "of no run");
  EXPECT_NE(message_of<UsageError>([&] { RunDirectory::claim(folder.path, true); }).find("snapshot_077"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(half));
  fs::remove(strange);
  {
    auto run = RunDirectory::claim(folder.path, true);
    EXPECT_FALSE(fs::exists(half));
    run.make_folder("snapshots");
    write(run.numbered("snapshots/snapshot_", 3, ".csv", 5).string() + ".tmp.999999999",
          "half of the new one");
    // Killed here: what it was writing is cleared away when the old run is put back.
    fs::copy(folder.path, folder.path.string() + "-killed", fs::copy_options::recursive);
  }
  const test::Folder killed;
  fs::remove(killed.path);
  fs::rename(folder.path.string() + "-killed", killed.path);
  fs::remove(killed.path / ".lock");
  { const auto run = RunDirectory::claim(killed.path, true); }
  for (const auto& [name, content] : files_of(killed.path)) EXPECT_EQ(name.find(".tmp."), name.npos) << name;
}

TEST(RunDirectory, NeverTouchesFilesOfOthers) {
  for (const char* name :
       {"diagnostics.txt", "config.toml", "snapshots/snapshot_007.hdf5", "pictures/frame_00000.png",
        "final_states.csv", "snapshots/member_000001_000.csv", "movie.mp4"})
    for (const bool overwrite : {false, true}) {
      const test::Folder folder;
      write(folder.path / name, "theirs");
      const auto look = message_of<UsageError>([&] { RunDirectory::need_claimable(folder.path, overwrite); });
      const auto claim = message_of<UsageError>([&] { RunDirectory::claim(folder.path, overwrite); });
      EXPECT_NE(claim.find(name), std::string::npos) << claim;
      EXPECT_EQ(look, claim);
      EXPECT_EQ(files_of(folder.path).size(), 1u) << name;
      EXPECT_FALSE(fs::exists(folder.path / ".lock"));
    }
}

TEST(RunDirectory, RefusesToReplaceItsOwnInput) {
  const test::Folder folder;
  old_run(folder.path / "run");
  fs::create_directory_symlink(folder.path / "run", folder.path / "link");
  for (const fs::path& input : {folder.path / "run/snapshots/snapshot_001.csv",
                                folder.path / "link/snapshots/../snapshots/snapshot_001.csv"})
    EXPECT_NE(message_of<UsageError>([&] {
                Claims claims;
                claims.reads(input);
                RunDirectory::claim(folder.path / "run", true, claims);
              }).find("initial conditions"),
              std::string::npos);
}

TEST(RunDirectory, NoticesThatItWasMovedOrReplaced) {
  const test::Folder folder;
  auto run = RunDirectory::claim(folder.path / "run", false);
  EXPECT_NO_THROW(run.file("a.txt"));
  fs::rename(folder.path / "run", folder.path / "gone");
  EXPECT_THROW(run.file("b.txt"), ResourceError);
  fs::create_directory(folder.path / "run");
  EXPECT_THROW(run.file("b.txt"), ResourceError);
  EXPECT_THROW(run.numbered("snapshot_", 3, ".csv", 0), ResourceError);
  EXPECT_FALSE(run.is_same());
}
