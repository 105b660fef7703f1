/// Every call that a save makes is made to fail, or to be the last one: a whole checkpoint is there
/// afterwards, each time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "faults/generation.hpp"
#include "io/checkpoint/appended_file.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <csignal>
#include <map>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pleiad;
using namespace pleiad::test;
namespace fs = std::filesystem;

namespace {

using Environment = std::map<std::string, std::string>;
constexpr std::uint64_t last_generation = 4, bodies = 30;

struct Ended {
  int status = 0;
  std::string output;
  bool killed() const { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }
  bool exited(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
  /// The last generation of which the program said `word`, or 0.
  std::uint64_t last(const std::string& word) const {
    std::istringstream lines(output);
    std::uint64_t found = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(word + " ")) found = std::strtoull(line.c_str() + word.size(), nullptr, 10);
    return found;
  }
};

/// Runs a program, with faults when there are any, and waits for its end.
Ended run(const std::vector<std::string>& command, const Environment& faults) {
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe_ends[1], STDOUT_FILENO);
    if (!faults.empty()) ::setenv("LD_PRELOAD", PLEIAD_FAULTIO, 1);
    for (const auto& [name, value] : faults) ::setenv(name.c_str(), value.c_str(), 1);
    // A sanitizer wants to be loaded first; it need not be.
    ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    std::vector<char*> words;
    for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  ::close(pipe_ends[1]);
  Ended ended;
  char buffer[4096];
  for (ssize_t n; (n = ::read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    ended.output.append(buffer, static_cast<std::size_t>(n));
  ::close(pipe_ends[0]);
  ::waitpid(child, &ended.status, 0);
  return ended;
}

Ended save(const fs::path& folder, std::uint64_t first, std::uint64_t last, Environment faults = {}) {
  if (!faults.empty()) faults["FAULT_DIR"] = folder.string();
  return run({PLEIAD_SAVE_GENERATIONS, folder.string(), std::to_string(first), std::to_string(last),
              std::to_string(bodies)},
             faults);
}

std::size_t temporaries(const fs::path& folder) {
  std::size_t n = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    n += entry.path().filename().string().find(".tmp.") != std::string::npos;
  return n;
}

/// Loads what is there: a generation that is whole in every bit, not older than the last that was said to be
/// saved, with its table.
std::uint64_t surviving(const fs::path& folder, const Ended& ended) {
  LoadedCheckpoint loaded;
  try {
    loaded = load_checkpoint(folder);
  } catch (const InputError& error) {
    EXPECT_EQ(ended.last("saved"), 0u) << error.what() << "\n" << ended.output;
    EXPECT_TRUE(std::string(error.what()).starts_with("there is no checkpoint")) << error.what();
    return 0;
  }
  const std::uint64_t g = loaded.checkpoint.snapshot.step;
  const std::uint64_t bytes = loaded.checkpoint.appended_files.at(table_name);
  EXPECT_GE(g, ended.last("saved")) << ended.output;
  EXPECT_LE(g, ended.last("trying")) << ended.output;
  EXPECT_TRUE(same(loaded.checkpoint, generation(g, bodies, bytes)));
  std::string lines;
  for (std::uint64_t k = 1; k <= g; ++k) lines += table_line(k) + "\n";
  EXPECT_EQ(read_file(folder / table_name).substr(0, bytes), lines);
  return g;
}

/// After any fault the run can be continued to its end, as if nothing had happened.
void continue_to_the_end(const fs::path& folder, std::uint64_t from) {
  constexpr std::string_view ours[]{"checkpoint."};
  remove_leftovers(folder, ours);
  EXPECT_EQ(temporaries(folder), 0u);
  const Ended ended = save(folder, from + 1, last_generation + 1);
  EXPECT_TRUE(ended.exited(0)) << ended.output;
  EXPECT_EQ(surviving(folder, ended), last_generation + 1);
  EXPECT_EQ(load_checkpoint(folder).warning, "");
}

struct Sweep {
  std::size_t points = 0, previous = 0, newest = 0, none = 0, failed_saves = 0;
};

/// One run for each k from 1 until one is not touched by its fault any more.
template <class Untouched>
Sweep sweep(const std::string& at, Environment faults, Untouched untouched, bool killed) {
  Sweep result;
  for (std::uint64_t k = 1;; ++k) {
    const Folder folder;
    faults[at] = std::to_string(k);
    const Ended ended = save(folder.path, 1, last_generation, faults);
    const std::uint64_t g = surviving(folder.path, ended);
    if (!killed) {
      EXPECT_EQ(temporaries(folder.path), 0u) << "k = " << k;
    }
    if (untouched(ended, k)) break;
    ++result.points;
    ++(g == 0 ? result.none : g == ended.last("trying") ? result.newest : result.previous);
    result.failed_saves += ended.exited(4);
    continue_to_the_end(folder.path, g);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << at << " = " << k << "\n" << ended.output;
      break;
    }
  }
  return result;
}

/// How many calls an undisturbed run makes, and what they are.
std::vector<std::string> calls_of_a_run(Environment faults = {}) {
  const Folder folder, elsewhere;
  faults["FAULT_TRACE"] = (elsewhere.path / "trace").string();
  const Ended ended = save(folder.path, 1, last_generation, faults);
  EXPECT_TRUE(ended.exited(0)) << ended.output;
  std::istringstream lines(read_file(elsewhere.path / "trace"));
  std::vector<std::string> calls;
  for (std::string k, name, path; lines >> k >> name >> path;)
    if (name != "unlink") calls.push_back(name + " " + fs::path(path).filename().string());
  for (auto& call : calls)  // the process id and the folder's name differ from run to run
    if (const auto mark = call.find(".tmp."); mark != std::string::npos) call.resize(mark + 4);
    else if (call.find("pleiad-test-") != std::string::npos)
      call = call.substr(0, call.find(' ')) + " FOLDER";
  return calls;
}

void print(const char* mode, const Sweep& s) {
  std::printf(
      "%-34s %3zu fault points: newest %zu, previous %zu, none yet %zu; saves reported failed in %zu\n", mode,
      s.points, s.newest, s.previous, s.none, s.failed_saves);
}

}  // namespace

TEST(SaveOrder, IsSyncTheFileThenRenameThenSyncTheFolder) {
  const auto calls = calls_of_a_run();
  std::vector<std::string> last;  // the calls of the last generation: it keeps a previous one
  for (std::size_t i = calls.size(), renames = 0; i-- > 0;) {
    renames += calls[i] == "rename checkpoint.pleiad";
    if (renames == 2) break;
    last.insert(last.begin(), calls[i]);
  }
  const auto where = [&](const std::string& call) {
    const auto it = std::find(last.begin(), last.end(), call);
    EXPECT_NE(it, last.end()) << call << " is never called";
    return it - last.begin();
  };
  EXPECT_LT(where("fsync table.txt"), where("rename checkpoint.pleiad"));
  EXPECT_LT(where("write checkpoint.pleiad.tmp"), where("fsync checkpoint.pleiad.tmp"));
  EXPECT_LT(where("fsync checkpoint.pleiad.tmp"), where("close checkpoint.pleiad.tmp"));
  EXPECT_LT(where("close checkpoint.pleiad.tmp"), where("link checkpoint.prev.pleiad.tmp"));
  EXPECT_LT(where("link checkpoint.prev.pleiad.tmp"), where("rename checkpoint.prev.pleiad"));
  EXPECT_LT(where("rename checkpoint.prev.pleiad"), where("rename checkpoint.pleiad"));
  const auto renamed = std::find(last.begin(), last.end(), "rename checkpoint.pleiad");
  EXPECT_NE(std::find(renamed, last.end(), "fsync FOLDER"), last.end());
  std::printf("%zu calls in %llu generations; the last one:", calls.size(),
              static_cast<unsigned long long>(last_generation));
  for (const auto& call : last) std::printf(" %s;", call.c_str());
  std::printf("\n");
}

TEST(KillSweep, AtEveryCallTheCheckpointIsTheOldOrTheNewOne) {
  const auto survived = [](const Ended& e, std::uint64_t) { return e.exited(0); };
  const std::size_t calls = calls_of_a_run().size();
  for (const Environment& mode : {Environment{}, Environment{{"FAULT_TORN", "1"}},
                                  Environment{{"FAULT_TORN", "1"}, {"FAULT_SHORT", "700"}}}) {
    const Sweep s = sweep("FAULT_KILL_AT", mode, survived, true);
    print(mode.empty()       ? "kill -9"
          : mode.size() == 1 ? "kill -9 in half a write"
                             : "kill -9 among short writes",
          s);
    EXPECT_GE(s.points, calls) << "short writes make more of them";
    EXPECT_GT(s.newest, 0u);
    EXPECT_GT(s.previous, 0u);
  }
}

TEST(ErrnoSweep, NoFailingCallLosesAGenerationOrLeavesATemporaryFile) {
  for (const auto& [error, name] :
       {std::pair(ENOSPC, "ENOSPC"), {EIO, "EIO"}, {EDQUOT, "EDQUOT"}, {EACCES, "EACCES"}})
    for (const bool sticky : {false, true}) {
      Environment faults{{"FAULT_ERRNO", std::to_string(error)}};
      if (sticky) faults["FAULT_STICKY"] = "1";
      // Calls whose failure is no failure of the save exist (looking at the old generation): the end is where
      // all calls have been tried.
      const std::size_t calls = calls_of_a_run().size();
      const Sweep s = sweep(
          "FAULT_AT", faults, [&](const Ended&, std::uint64_t k) { return k > calls; }, false);
      print((std::string(name) + (sticky ? " from the k-th call on" : " once")).c_str(), s);
      EXPECT_GT(s.failed_saves, s.points / 2);
    }
}

TEST(InterruptSweep, AnInterruptedCallIsRepeated) {
  for (const std::string call : {"open", "write", "fsync", "close"}) {
    const std::size_t calls = calls_of_a_run().size();
    std::size_t hits = 0;
    for (std::size_t k = 1; k <= calls; ++k) {
      const Folder folder;
      const Ended ended = save(
          folder.path, 1, last_generation,
          {{"FAULT_AT", std::to_string(k)}, {"FAULT_ERRNO", std::to_string(EINTR)}, {"FAULT_ONLY", call}});
      EXPECT_TRUE(ended.exited(0)) << call << " interrupted at call " << k << "\n" << ended.output;
      hits += surviving(folder.path, ended) == last_generation;
    }
    EXPECT_EQ(hits, calls) << call;
  }
}

TEST(ShortWrites, AreContinued) {
  for (const std::string most : {"1", "7", "1000"}) {
    const Folder folder;
    const Ended ended = save(folder.path, 1, last_generation, {{"FAULT_SHORT", most}});
    EXPECT_TRUE(ended.exited(0)) << ended.output;
    EXPECT_EQ(surviving(folder.path, ended), last_generation);
  }
  const std::size_t calls = calls_of_a_run().size();
  const Sweep s = sweep(
      "FAULT_AT", {{"FAULT_SHORT", "5"}}, [&](const Ended&, std::uint64_t k) { return k > calls; }, false);
  print("a write of 5 bytes at most, once", s);
  EXPECT_EQ(s.newest, s.points);
}

// FAT and some network file systems have no hard links: the older generation is then kept by a rename.
TEST(NoHardLinks, StillLeaveAWholeGenerationAtEveryInstant) {
  const Environment no_links{{"FAULT_ONLY", "link"},
                             {"FAULT_AT", "1"},
                             {"FAULT_STICKY", "1"},
                             {"FAULT_ERRNO", std::to_string(EPERM)}};
  const Folder folder;
  const Ended ended = save(folder.path, 1, last_generation, no_links);
  EXPECT_TRUE(ended.exited(0)) << ended.output;
  EXPECT_EQ(surviving(folder.path, ended), last_generation);
  EXPECT_TRUE(fs::exists(folder.path / "checkpoint.prev.pleiad"));
  print("kill -9 without hard links",
        sweep(
            "FAULT_KILL_AT", no_links, [](const Ended& e, std::uint64_t) { return e.exited(0); }, true));
}

// A real full disk: 1 MiB, of which two generations take two thirds, so that there is no room for a third.
TEST(FullDisk, OfOneMebibyteLosesNothing) {
  const Folder folder;
  const std::string script =
      "mount -t tmpfs -o size=1m tmpfs \"$1\" || exit 77\n"
      "\"$2\" \"$1\" 1 2 3700 || exit 1\n"  // 3700 bodies: 352 KiB a generation
      "\"$2\" \"$1\" 3 4 3700; test $? -eq 4 || exit 2\n"
      "ls \"$1\" | grep -F .tmp. && exit 3\n"
      "cp \"$1\"/* \"$3\"; umount \"$1\"\n";
  const Folder kept;
  Ended ended;
  for (const std::vector<std::string>& namespaces :
       {std::vector<std::string>{"unshare", "-Urm"}, {"unshare", "-m"}}) {
    auto command = namespaces;
    for (const std::string& word :
         {std::string("sh"), std::string("-c"), script, std::string("sh"), folder.path.string(),
          std::string(PLEIAD_SAVE_GENERATIONS), kept.path.string()})
      command.push_back(word);
    ended = run(command, {});
    const bool refused = ended.output.empty() && (ended.exited(1) || ended.exited(77) || ended.exited(127));
    if (!refused) break;
  }
  if (ended.output.empty())
    GTEST_SKIP() << "this machine permits neither user namespaces nor mounting: no tiny disk to fill";
  EXPECT_TRUE(ended.exited(0)) << ended.output;
  EXPECT_NE(ended.output.find("No space left on device"), std::string::npos) << ended.output;
  const auto loaded = load_checkpoint(kept.path);
  EXPECT_EQ(loaded.warning, "");
  EXPECT_EQ(loaded.checkpoint.snapshot.step, 2u);
  EXPECT_TRUE(same(loaded.checkpoint, generation(2, 3700, 2 * table_line(1).size() + 2)));
  std::printf("on the full disk: %s", ended.output.c_str());
}
