/// The door for outputs: which file it is, whatever it is called; what is refused, and what is not.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/claims.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <fstream>
#include <functional>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace pleiad;
using test::message_of;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << content;
}

/// Names that lead to a file that is there.
std::vector<fs::path> names_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  fs::create_symlink(file.filename(), folder / "soft");
  fs::create_symlink("soft", folder / "softer");
  fs::create_hard_link(file, folder / "hard");
  fs::create_directory_symlink(folder, folder / "here");
  return {file,
          folder / "." / file.filename(),
          folder / "here" / ".." / folder.filename() / file.filename(),
          folder / "here" / file.filename(),
          folder / "soft",
          folder / "softer",
          folder / "hard"};
}

AtomicWrite into(const std::shared_ptr<const OpenFolder>& folder, bool only_new) {
  AtomicWrite how;
  how.folder = folder, how.only_new = only_new;
  return how;
}

}  // namespace

TEST(Claims, KnowAFileByAnyNameInEitherOrder) {
  const test::Folder scratch;
  const fs::path file = scratch.path / "in.csv";
  write(file, "bodies");
  const Descriptor open = open_file(file, O_RDWR);
  auto names = names_of(file);
  names.emplace_back(fmt::format("/dev/fd/{}", open.get()));
  names.emplace_back(fmt::format("/proc/self/fd/{}", open.get()));
  for (const auto& input : names)
    for (const auto& output : names) {
      Claims reads_first;
      reads_first.reads(input);
      EXPECT_NE(message_of<UsageError>([&] { reads_first.writes(output, "--json"); }).find("is read"),
                std::string::npos)
          << input << " " << output;
      Claims writes_first;
      writes_first.writes(output, "--json");
      EXPECT_NE(message_of<UsageError>([&] { writes_first.reads(input); }).find("--json"), std::string::npos)
          << input << " " << output;
      Claims two;
      two.writes(input, "--csv");
      EXPECT_NE(message_of<UsageError>([&] { two.writes(output, "--json"); }).find("both write"),
                std::string::npos)
          << input << " " << output;
    }
  EXPECT_EQ(read_file(file), "bodies");
}

TEST(Claims, KnowAFileThatIsNotYetThere) {
  const test::Folder scratch;
  fs::create_symlink("new", scratch.path / "soft");
  for (const char* other : {"new", "./new", "x/../new", "soft"}) {
    fs::create_directories(scratch.path / "x");
    Claims claims;
    claims.writes(scratch.path / "new", "--csv");
    EXPECT_THROW(claims.writes(scratch.path / other, "--json"), UsageError) << other;
    EXPECT_NO_THROW(claims.writes(scratch.path / "newer", "--json"));
  }
  EXPECT_FALSE(fs::exists(scratch.path / "new"));
}

TEST(Claims, LeaveDevicesToEverybodyAndStandardOutputToOne) {
  Claims claims;
  claims.writes("/dev/null", "--csv");
  EXPECT_NO_THROW(claims.writes("/dev/null", "--json"));
  claims.writes("-", "--csv");
  EXPECT_THROW(claims.writes("-", "--json"), UsageError);
  EXPECT_THROW(claims.writes("/dev/stdout", "--json"), UsageError);
  EXPECT_NO_THROW(claims.writes("", "--json"));
}

TEST(Claims, RefuseWhatCannotBeWrittenBeforeItIs) {
  const test::Folder scratch;
  write(scratch.path / "file", "");
  Claims claims;
  for (const char* name : {"nowhere/x", "file/x"})
    EXPECT_THROW(claims.writes(scratch.path / name, "--csv"), ResourceError) << name;
  EXPECT_NO_THROW(claims.writes(scratch.path / "nowhere/x", "--csv", Claims::Of::made));
  EXPECT_THROW(claims.writes(scratch.path, "--csv"), ResourceError);
}

TEST(Claims, KeepTheFilesOfRunsAndTheOwnDirectory) {
  const test::Folder scratch;
  write(scratch.path / "old/manifest.txt", "# Files of this run: all\nsnapshots/a.csv\t0.5\ntable.txt\n");
  for (const char* name : {"old/snapshots/a.csv", "old/table.txt", "old/mine.txt"})
    write(scratch.path / name, "x");
  fs::create_directory_symlink(scratch.path / "old/snapshots", scratch.path / "link");
  Claims claims;
  for (const char* name :
       {"old/snapshots/a.csv", "old/table.txt", "old/manifest.txt", "link/a.csv", "old/.lock"})
    EXPECT_THROW(claims.writes(scratch.path / name, "OUT"), UsageError) << name;
  EXPECT_NO_THROW(claims.writes(scratch.path / "old/mine.txt", "OUT"));
  Claims own;
  own.owns(scratch.path / "new");
  EXPECT_THROW(own.writes(scratch.path / "new/a.rec", "--live-record", Claims::Of::made), UsageError);
  EXPECT_THROW(claims.owns(scratch.path / "old"), UsageError);
}

TEST(OpenFolder, GetsFilesWhateverItsNameLeadsTo) {
  const test::Folder scratch;
  const fs::path path = scratch.path / "snapshots";
  fs::create_directory(path);
  const auto folder = std::make_shared<const OpenFolder>(path);
  write_file_atomically(path / "a", "1", into(folder, true));
  EXPECT_THROW(write_file_atomically(path / "a", "2", into(folder, true)), ResourceError);
  EXPECT_EQ(read_file(path / "a"), "1");
  write_file_atomically(path / "a", "2", into(folder, false));
  EXPECT_EQ(read_file(path / "a"), "2");
  // A link is an entry like any other: what it leads to stays.
  write(scratch.path / "mine", "mine");
  fs::create_symlink("../mine", path / "b");
  EXPECT_THROW(write_file_atomically(path / "b", "3", into(folder, true)), ResourceError);
  EXPECT_TRUE(fs::is_symlink(path / "b"));
  write_file_atomically(path / "b", "3", into(folder, false));
  EXPECT_EQ(read_file(scratch.path / "mine"), "mine");
  fs::rename(path, scratch.path / "gone");
  for (const bool link : {true, false}) {
    fs::remove(path);
    write(scratch.path / "other/a", "mine");
    if (link) fs::create_directory_symlink("other", path);
    else fs::rename(scratch.path / "other", path);
    EXPECT_THROW(write_file_atomically(path / "a", "4", into(folder, false)), ResourceError);
    EXPECT_EQ(read_file(path / "a"), "mine");
  }
  EXPECT_THROW(OpenFolder(scratch.path / "nowhere"), ResourceError);
}
