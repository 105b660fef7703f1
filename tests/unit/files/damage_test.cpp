/// Damaged files: each golden file cut off at 200 places and with 500 bytes changed at random is refused in
/// one line or read, never a crash.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/isolated.hpp"
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <iostream>
#include <mutex>
#include <new>
#include <thread>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pleiad {
namespace {

using golden::Folder;

/// True when the file was refused; fails the test when the refusal is not one helpful line or memory is
/// wasted.
bool refused(const std::filesystem::path& file, const std::string& what_was_done) {
  try {
    const FileContent c = read_snapshot(file);
    EXPECT_LE(c.snapshot.bodies.size(), 100000u) << what_was_done;  // the files have fewer than 20 kB
    return false;
  } catch (const Error& e) {
    const std::string line = e.what();
    EXPECT_EQ(line.find('\n'), line.npos) << what_was_done << ": " << line;
    EXPECT_TRUE(e.kind() == Error::Kind::input || e.kind() == Error::Kind::resource)
        << what_was_done << ": " << line;
    return true;
  }
}

TEST(Damage, CutOffFilesAreRefusedOrShorterTables) {
  const Folder folder;
  for (const auto& [name, good] : golden::all()) {
    int accepted = 0;
    const std::size_t points = std::min<std::size_t>(200, good.size());
    for (std::size_t k = 0; k < points; ++k) {
      const std::size_t length = k * good.size() / points;
      const std::string what = name + " cut off at " + std::to_string(length);
      accepted += !refused(folder.write("f", good.substr(0, length)), what);
    }
    // A table may end after any character of its last number; all others must notice.
    if (name != "csv") {
      EXPECT_EQ(accepted, 0) << name;
    }
  }
}

TEST(Damage, ChangedBytesNeverCrash) {
  const Folder folder;
  for (const auto& [name, good] : golden::all()) {
    Random random(20, std::hash<std::string>{}(name));
    int accepted = 0;
    for (int k = 0; k < 500; ++k) {
      std::string bad = good;
      const std::size_t at = random.bits() % good.size();
      const char to = char(random.bits());
      bad[at] = to;
      const std::string what =
          name + " with byte " + std::to_string(at) + " set to " + std::to_string(int(to));
      SCOPED_TRACE(what);
      accepted += !refused(folder.write("f", bad), what);
    }
    std::cout << name << ": " << good.size() << " bytes, 500 changes, " << 500 - accepted << " refused\n";
  }
}

TEST(Damage, AReaderThatCrashesTakesOnlyItsChildWithIt) {
  using files::read_isolated;
  const auto crash = [](const std::filesystem::path&) -> FileContent {
    std::raise(SIGSEGV);
    return {};
  };
  const auto leave = [](const std::filesystem::path&) -> FileContent { ::_exit(0); };
  const auto starve = [](const std::filesystem::path&) -> FileContent { throw std::bad_alloc(); };
  const auto refuse = [](const std::filesystem::path& f) -> FileContent {
    throw ResourceError(f.string() + " is too large");
  };
  for (const auto& reader : {std::function<FileContent(const std::filesystem::path&)>(crash), {leave}}) {
    try {
      read_isolated("evil.hdf5", reader);
      ADD_FAILURE() << "accepted";
    } catch (const InputError& e) {
      EXPECT_STREQ(e.what(), "'evil.hdf5': the HDF5 library crashes on it; the file is damaged");
    }
  }
  EXPECT_THROW(read_isolated("f", starve), std::bad_alloc);
  try {
    read_isolated("f", refuse);
    ADD_FAILURE() << "accepted";
  } catch (const ResourceError& e) {
    EXPECT_STREQ(e.what(), "f is too large");
  }
}

/// The child has a copy of the lock, which nobody releases there.
TEST(Damage, AReaderThatWaitsForALockOfAnotherThreadIsReplaced) {
  std::mutex lock;
  std::promise<void> locked;
  std::thread other([&] {
    const std::lock_guard hold(lock);
    locked.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  });
  locked.get_future().wait();
  int begun = 0;
  const auto read = [&](const std::filesystem::path&) {
    const std::lock_guard hold(lock);
    FileContent content;
    content.count = 3;
    return content;
  };
  EXPECT_EQ(files::read_isolated("f", read, [&] { ++begun; }).count, 3U);
  EXPECT_EQ(begun, 1);
  other.join();
  const std::lock_guard forever(lock);
  EXPECT_THROW(files::read_isolated("f", read), ResourceError);
}

TEST(Damage, AReaderEndsWithTheProgramThatAskedIt) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t program = ::fork();
  if (program == 0) {
    const auto wait = [&](const std::filesystem::path&) -> FileContent {
      const pid_t self = ::getpid();
      if (::write(ends[1], &self, sizeof self) == sizeof self) ::pause();
      return {};
    };
    try {
      files::read_isolated("slow.hdf5", wait);
    } catch (...) {
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  pid_t reader = 0;
  ASSERT_EQ(::read(ends[0], &reader, sizeof reader), ssize_t(sizeof reader));
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  char nothing = 0;  // the end of the pipe: nobody is left who could write to it
  pollfd end{ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&end, 1, 10000), 1) << "the reader " << reader << " stays";
  EXPECT_EQ(::read(ends[0], &nothing, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace pleiad
