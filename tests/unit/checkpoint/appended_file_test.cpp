/// Tables grow by whole lines and are cut back to a checkpoint; a directory has one run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/appended_file.hpp"

#include "io/durable/durable.hpp"
#include "unit/checkpoint/sample.hpp"

#include <pleiad/error.hpp>

#include <atomic>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pleiad;
using namespace pleiad::test;
namespace fs = std::filesystem;

TEST(AppendedFile, CountsTheBytesOfWholeLines) {
  const Folder folder;
  auto table = AppendedFile::create(folder.path / "table.txt");
  EXPECT_EQ(table.flush_and_sync(), 0u);
  table.append("# time energy");
  EXPECT_EQ(table.flush_and_sync(), 14u);
  table.append("0.5 -0.25");
  EXPECT_EQ(table.size(), 24u);
  table.flush();
  EXPECT_EQ(read_file(table.file()), "# time energy\n0.5 -0.25\n");
  EXPECT_EQ(table.flush_and_sync(), 24u);
}

TEST(AppendedFile, ResumedIsByteForByteTheUninterruptedOne) {
  const Folder folder;
  const auto line = [](long k) { return "row " + std::to_string(k * k * k); };
  auto whole = AppendedFile::create(folder.path / "whole.txt");
  for (int k = 0; k < 30000; ++k) whole.append(line(k));
  whole.flush_and_sync();
  for (const int saved : {0, 1, 777, 29999}) {
    const auto file = folder.path / "cut.txt";
    std::uint64_t bytes = 0;
    {
      auto first = AppendedFile::create(file);
      for (int k = 0; k < saved; ++k) first.append(line(k));
      bytes = first.flush_and_sync();
      for (int k = saved; k < saved + 5000; ++k) first.append("lost " + line(k));
    }
    std::ofstream(file, std::ios::app) << "half a li";
    auto second = AppendedFile::resume(file, bytes);
    for (int k = saved; k < 30000; ++k) second.append(line(k));
    second.flush_and_sync();
    EXPECT_EQ(read_file(file), read_file(whole.file())) << "resumed after row " << saved;
  }
}

TEST(AppendedFile, RefusesToContinueWhatIsNotTheFileOfTheCheckpoint) {
  const Folder folder;
  const auto file = folder.path / "table.txt";
  const auto refusal = [&](std::uint64_t n) {
    return message_of<InputError>([&] { AppendedFile::resume(file, n); });
  };
  const std::string cannot = "cannot continue '" + file.string() + "': ";
  EXPECT_EQ(refusal(5), cannot + "it is missing; its first 5 bytes belong to the checkpoint");
  spoil(file, "abc\ndef\n");
  EXPECT_EQ(refusal(9), cannot + "it has 8 bytes; the checkpoint needs its first 9");
  EXPECT_EQ(refusal(6), cannot + "no line ends at byte 6; it was changed after the checkpoint");
  EXPECT_EQ(read_file(file), "abc\ndef\n") << "a refusal changes nothing";
  EXPECT_EQ(refusal(4), "");
  EXPECT_EQ(read_file(file), "abc\n");
}

// A file size limit makes write fail half-way through a piece, as a full disk does.
TEST(AppendedFile, LosesAndRepeatsNothingWhenTheDiskIsFullForAWhile) {
  const Folder folder;
  std::string expected;
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit tight{100001, limit.rlim_max};
  auto table = AppendedFile::create(folder.path / "table.txt");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  for (int k = 0; k < 30000; ++k) {
    const std::string line = "row " + std::to_string(k);
    expected += line + '\n';
    EXPECT_NO_THROW(table.append(line)) << "a full disk must not end a run here";
  }
  EXPECT_EQ(fs::file_size(table.file()), 100001u);
  EXPECT_NE(message_of<ResourceError>([&] { table.flush_and_sync(); }), "");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, old_action);
  EXPECT_EQ(table.flush_and_sync(), expected.size());
  EXPECT_EQ(read_file(table.file()), expected);
}

TEST(AppendedFile, DoesNotFillTheMemoryInsteadOfTheDisk) {
  auto table = AppendedFile::create("/dev/full");
  const std::string line((1 << 20) - 1, 'x');
  for (int mebibytes = 1; mebibytes < 64; ++mebibytes) EXPECT_NO_THROW(table.append(line));
  EXPECT_EQ(message_of<ResourceError>([&] { table.append(line); }),
            "cannot write '/dev/full': No space left on device");
}

/// Also when it is deleted meanwhile.
TEST(AppendedFile, IsPutOnTheDiskWhileLinesAreAppended) {
  const Folder folder;
  const auto file = folder.path / "table.txt";
  auto table = AppendedFile::create(file);
  std::atomic<bool> over = false;
  std::thread syncing([&] {
    for (int k = 0; !over; ++k) {
      if (k % 8 == 7) fs::remove(file);
      table.sync();
    }
  });
  std::string expected;
  for (int k = 0; k < 20000; ++k) {
    const std::string line = "row " + std::to_string(k);
    table.append(line);
    expected += line + "\n";
    if (k % 100 == 0) {
      EXPECT_EQ(table.flush(), expected.size());
    }
  }
  over = true;
  syncing.join();
  EXPECT_EQ(table.flush_and_sync(), expected.size());
  EXPECT_TRUE(read_file(file) == expected);
}

TEST(DirectoryLock, IsHeldByOneAndFreeWhenItsHolderIsKilled) {
  const Folder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const DirectoryLock lock(folder.path);
    if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(message_of<ResourceError>([&] { DirectoryLock second(folder.path); }),
            "cannot use the output directory '" + folder.path.string() +
                "': another run is using it (process " + std::to_string(child) + ")");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]), ::close(ready[1]);
  EXPECT_NO_THROW(DirectoryLock again(folder.path));
}

TEST(DirectoryLock, SaysWhatIsWrongWithTheDirectory) {
  const Folder folder;
  const auto refusal = [](const fs::path& name) {
    const std::string why = message_of<ResourceError>([&] { DirectoryLock lock(name); });
    return why.substr(std::min(why.size(), why.find("': ") + 3));
  };
  EXPECT_EQ(refusal(folder.path / "gone"), "it does not exist");
  spoil(folder.path / "file", "x");
  EXPECT_EQ(refusal(folder.path / "file"), "it is not a directory");
  fs::create_directory(folder.path / "real");
  fs::create_symlink("real", folder.path / "link");
  const std::string link = "it is a symbolic link; name its target '" +
                           (fs::canonical(folder.path) / "real").string() + "' instead";
  EXPECT_EQ(refusal(folder.path / "link"), link);
  EXPECT_EQ(refusal(folder.path / "link/"), link);
  EXPECT_EQ(refusal(folder.path / "link/."), link);
  fs::create_symlink("nowhere", folder.path / "dangling");
  EXPECT_EQ(refusal(folder.path / "dangling"), "it is a symbolic link to nowhere");
  fs::create_symlink("/etc/hostname", folder.path / "real" / ".lock");
  EXPECT_EQ(refusal(folder.path / "real"), "its file '.lock' is a symbolic link; remove it");
  fs::remove(folder.path / "real" / ".lock");
  EXPECT_EQ(refusal(folder.path / "real"), "");
  EXPECT_EQ(refusal(folder.path / "real/"), "");
}

TEST(DirectoryLock, RefusesADirectoryThatCannotBeWritten) {
  const Folder folder;
  fs::create_directory(folder.path / "real");
  fs::permissions(folder.path / "real", fs::perms{0555});
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0) {  // root writes anywhere: try as nobody
      fs::permissions(folder.path, fs::perms{0755});
      if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    }
    const std::string why = message_of<ResourceError>([&] { DirectoryLock lock(folder.path / "real"); });
    ::_exit(why.ends_with("it cannot be written (Permission denied)") ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(AppendedFile, ANewOneHasNothingOfAnOldOne) {
  const Folder folder;
  const auto file = folder.path / "table.txt";
  spoil(file, "a longer table of an earlier run\n");
  auto table = AppendedFile::create(file);
  table.append("x");
  EXPECT_EQ(table.flush_and_sync(), 2u);
  EXPECT_EQ(read_file(file), "x\n");
}

TEST(AppendedFile, IsNeverWrittenThroughALink) {
  const Folder folder;
  const auto elsewhere = folder.path / "elsewhere.txt", link = folder.path / "table.txt";
  spoil(elsewhere, "of somebody else\n");
  fs::create_symlink(elsewhere, link);
  EXPECT_NE(message_of<ResourceError>([&] { AppendedFile::resume(link, 3); }), "");
  EXPECT_NE(message_of<ResourceError>([&] { AppendedFile::create(link); }), "");
  EXPECT_EQ(read_file(elsewhere), "of somebody else\n");
}

TEST(AppendedFile, ResumedCountsWhatWasThere) {
  const Folder folder;
  const auto file = folder.path / "table.txt";
  spoil(file, "one\ntwo\nlost\n");
  auto table = AppendedFile::resume(file, 8);
  EXPECT_EQ(table.flush_and_sync(), 8u);
  table.append("three");
  EXPECT_EQ(table.flush_and_sync(), 14u);
  EXPECT_EQ(read_file(file), "one\ntwo\nthree\n");
}

TEST(AppendedFile, TakesItsWaitingLinesAlong) {
  const Folder folder;
  {
    auto table = AppendedFile::create(folder.path / "first.txt");
    auto other = AppendedFile::create(folder.path / "second.txt");
    other.append("waits");
    table.append("waits too");
    table = std::move(other);
    EXPECT_EQ(table.file(), folder.path / "second.txt");
    EXPECT_EQ(table.flush_and_sync(), 6u);
  }
  EXPECT_EQ(read_file(folder.path / "second.txt"), "waits\n");
  EXPECT_EQ(read_file(folder.path / "first.txt"), "waits too\n");
}
