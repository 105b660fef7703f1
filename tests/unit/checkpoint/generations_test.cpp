/// Two generations: the newest whole one is found, and saving never puts the last whole one at risk.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "unit/checkpoint/sample.hpp"

#include <pleiad/error.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pleiad;
using namespace pleiad::test;
namespace fs = std::filesystem;

namespace {

/// A folder with the generations 1 (previous) and 2 (newest).
struct TwoGenerations : Folder {
  fs::path newest = path / "checkpoint.pleiad", previous = path / "checkpoint.prev.pleiad";
  explicit TwoGenerations(std::size_t n = 20) {
    save_checkpoint(path, sample(n, 1));
    save_checkpoint(path, sample(n, 2));
  }
};

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// The id of a process that has ended.
pid_t dead_process() {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  ::waitpid(pid, nullptr, 0);
  return pid;
}

}  // namespace

TEST(NewFile, IsWholeOrNotThere) {
  const Folder folder;
  const fs::path file = folder.path / "file";
  write_file_atomically(file, [](NewFile& out) {
    out.append("0123");
    out.append("4567");
    out.write_at(2, "ab");
    EXPECT_EQ(read_file(out.name_for_others()), "01ab4567");
  });
  EXPECT_EQ(read_file(file), "01ab4567");
  const auto fails = [](NewFile& out) {
    out.append("half");
    throw ResourceError("no more");
  };
  EXPECT_THROW(write_file_atomically(file, fails), ResourceError);
  EXPECT_EQ(read_file(file), "01ab4567");
  EXPECT_EQ(files_in(folder.path), 1u);
  EXPECT_NE(message_of<ResourceError>([] {
              write_file_atomically("/dev/null", [](NewFile&) {});
            }).find("no regular file"),
            std::string::npos);
}

TEST(Generations, TheNewestIsLoadedWithoutAWarningAndTheOneBeforeIsKept) {
  const TwoGenerations run;
  const auto loaded = load_checkpoint(run.path);
  EXPECT_EQ(loaded.file, run.newest);
  EXPECT_EQ(loaded.warning, "");
  EXPECT_TRUE(same(loaded.checkpoint, sample(20, 2)));
  EXPECT_TRUE(same(decode(read_file(run.previous), "previous"), sample(20, 1)));
  EXPECT_EQ(files_in(run.path), 2u);
}

// The last check may pass just before another run takes the name of the directory.
TEST(Generations, ADirectoryThatTakesTheNameMeanwhileIsNotTouched) {
  const Folder box;
  const fs::path mine = box.path / "output", moved = box.path / "moved";
  fs::create_directory(mine);
  save_checkpoint(mine, sample(20, 1));
  save_checkpoint(mine, sample(20, 2), [&] {
    fs::rename(mine, moved);
    fs::create_directory(mine);
    save_checkpoint(mine, sample(20, 7));
  });
  EXPECT_TRUE(same(load_checkpoint(mine).checkpoint, sample(20, 7)));
  EXPECT_EQ(files_in(mine), 1u);
  EXPECT_TRUE(same(load_checkpoint(moved).checkpoint, sample(20, 2)));
  EXPECT_TRUE(same(decode(read_file(moved / "checkpoint.prev.pleiad"), "previous"), sample(20, 1)));
  EXPECT_EQ(files_in(moved), 2u);
}

TEST(Generations, DamageIsNeverLoadedSilentlyAndThePreviousOneIsUsedInstead) {
  const TwoGenerations run(40);
  const std::string whole = read_file(run.newest);
  Random draw(2024, 0);
  std::size_t silent = 0, fallen_back = 0, tried = 0;
  const auto attempt = [&](std::string_view bytes) {
    spoil(run.newest, bytes);
    ++tried;
    const auto loaded = load_checkpoint(run.path);
    silent += loaded.file != run.previous || loaded.warning.empty();
    fallen_back += same(loaded.checkpoint, sample(40, 1));
  };
  const auto flipped = [&](std::size_t byte, std::uint64_t bit) {
    std::string bytes = whole;
    bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << bit));
    return bytes;
  };
  for (int k = 0; k < 2000; ++k) attempt(flipped(draw.bits() % whole.size(), draw.bits() % 8));
  for (std::size_t byte = 0; byte < 40; ++byte) attempt(flipped(byte, draw.bits() % 8));
  for (int k = 0; k < 200; ++k) attempt(std::string_view(whole).substr(0, draw.bits() % whole.size()));
  attempt("");
  attempt(whole + "x");
  std::printf("%zu damaged files: %zu loaded silently, %zu times the previous generation\n", tried, silent,
              fallen_back);
  EXPECT_EQ(silent, 0u);
  EXPECT_EQ(fallen_back, tried);
}

TEST(Generations, TheWarningSaysWhatIsWrongAndWhatIsUsed) {
  const TwoGenerations run;
  spoil(run.newest, read_file(run.newest).substr(0, 700));
  const auto loaded = load_checkpoint(run.path);
  EXPECT_EQ(loaded.warning, run.newest.string() + ": header: the file has 700 bytes, " +
                                std::to_string(fs::file_size(run.previous)) +
                                " were written: it is truncated; continuing from the previous checkpoint '" +
                                run.previous.string() + "' (step 1)");
  fs::remove(run.newest);
  EXPECT_NE(load_checkpoint(run.path).warning.find("No such file"), std::string::npos);
}

TEST(Generations, WithoutAWholeOneTheRefusalNamesBoth) {
  const TwoGenerations run;
  spoil(run.newest, "");
  spoil(run.previous, "PK");
  const std::string why = message_of<InputError>([&] { load_checkpoint(run.path); });
  EXPECT_NE(why.find("checkpoint.pleiad: header: the file is empty"), std::string::npos) << why;
  EXPECT_NE(why.find("checkpoint.prev.pleiad: header: this is not a Pleiad checkpoint"), std::string::npos)
      << why;
  remove_checkpoints(run.path);
  remove_checkpoints(run.path);  // nothing there is no error
  EXPECT_EQ(files_in(run.path), 0u);
  EXPECT_NE(message_of<InputError>([&] { load_checkpoint(run.path); }).find("there is no checkpoint in"),
            std::string::npos);
}

TEST(Generations, SavingOverADamagedFileKeepsTheWholePreviousOne) {
  const TwoGenerations run;
  std::string bytes = read_file(run.newest);
  bytes[bytes.size() / 2] ^= 1;
  spoil(run.newest, bytes);
  save_checkpoint(run.path, sample(20, 3));
  EXPECT_TRUE(same(load_checkpoint(run.path).checkpoint, sample(20, 3)));
  EXPECT_TRUE(same(decode(read_file(run.previous), "previous"), sample(20, 1)));
}

TEST(Generations, AFolderOrAPipeInPlaceOfACheckpointIsRefusedAtOnce) {
  const TwoGenerations run;
  fs::remove(run.newest);
  ASSERT_EQ(::mkfifo(run.newest.c_str(), 0600), 0);
  EXPECT_NE(load_checkpoint(run.path).warning.find("not a regular file"), std::string::npos);
  fs::remove(run.newest);
  fs::create_directory(run.newest);
  EXPECT_NE(load_checkpoint(run.path).warning.find("not a regular file"), std::string::npos);
  EXPECT_NE(message_of<ResourceError>([&] { save_checkpoint(run.path, sample(20, 3)); }), "");
  EXPECT_TRUE(same(load_checkpoint(run.path).checkpoint, sample(20, 1)));
  EXPECT_EQ(files_in(run.path), 2u) << "the temporary file must be gone";
}

TEST(Generations, SavingIntoAFolderThatIsGoneSaysSo) {
  const std::string why = message_of<ResourceError>([&] { save_checkpoint("/nowhere/at/all", sample(2)); });
  EXPECT_EQ(why, "cannot open the folder '/nowhere/at/all': No such file or directory");
}

TEST(Leftovers, OfDeadProcessesAndOurNamesAloneAreRemoved) {
  const TwoGenerations run;
  const std::string dead = std::to_string(dead_process()), alive = std::to_string(::getppid()),
                    mine = std::to_string(::getpid());
  for (const auto& name :
       {"checkpoint.pleiad.tmp." + dead, "checkpoint.prev.pleiad.tmp." + dead,
        "snapshot_0003.hdf5.tmp." + mine, "checkpoint.pleiad.tmp." + alive, "thesis.tex.tmp." + dead,
        "checkpoint.pleiad.tmp." + dead + "x", std::string("checkpoint.pleiad.tmp."),
        std::string("checkpoint.pleiad.tmp.-1"), std::string("checkpoint.pleiad.tmp.0")})
    spoil(run.path / name, "half");
  fs::create_directory(run.path / ("checkpoint.tmp." + dead));
  constexpr std::string_view ours[]{"checkpoint.", "snapshot_"};
  EXPECT_EQ(remove_leftovers(run.path, ours), 3u);
  EXPECT_EQ(files_in(run.path), 2u + 6u + 1u);
  EXPECT_TRUE(same(load_checkpoint(run.path).checkpoint, sample(20, 2)));
  EXPECT_EQ(remove_leftovers(run.path / "not there", ours), 0u);
}

TEST(WriteFileAtomically, ReplacesTheWholeContentAndLeavesNothingBeside) {
  const Folder folder;
  write_file_atomically(folder.path / "a.txt", "first, and long");
  write_file_atomically(folder.path / "a.txt", "second", {.sync = false, .previous_kept_as = {}});
  EXPECT_EQ(read_file(folder.path / "a.txt"), "second");
  EXPECT_EQ(files_in(folder.path), 1u);
  EXPECT_NE(
      message_of<InputError>([&] { read_file(folder.path / "a.txt", 5); }).find("6 bytes, more than the 5"),
      std::string::npos);
}
