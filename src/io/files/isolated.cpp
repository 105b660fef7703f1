/// A child process that reads, a pipe, and the same order of the content at both ends.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/isolated.hpp"

#include "core/threads.hpp"
#include "io/durable/descriptor.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <new>
#include <type_traits>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pleiad::files {
namespace {

/// First word of the child's message, which ends with `end_mark`.
enum class Answer : std::uint64_t { content = 0x706c6561, error = 0x6572726f, memory = 0x6d656d6f };
constexpr std::uint64_t end_mark = 0x656e64656e64;

struct Outgoing {
  int pipe;
  const fs::path& file;
  void raw(const void* bytes, std::size_t size) {
    std::string_view rest(static_cast<const char*>(bytes), size);
    write_all(pipe, rest, file);
  }
};
/// The child waits for a lock that another thread of this process held at the fork: no thread releases the
/// copy.
struct Locked {};

struct Incoming {
  int pipe;
  const fs::path& file;
  pid_t child;
  void raw(void* bytes, std::size_t size) {
    await();
    const auto got = read_all(pipe, static_cast<char*>(bytes), size);
    if (got < 0 || std::size_t(got) != size)
      throw InputError(
          fmt::format("'{}': the HDF5 library crashes on it; the file is damaged", file.string()),
          Error::Code::damaged_file);
  }

 private:
  /// Returns when there are bytes to read, or the child has ended.
  void await() const {
    constexpr int milliseconds = 100;
    for (int waits = 0; waits < 2;) {
      pollfd ready{pipe, POLLIN, 0};
      const int count = ::poll(&ready, 1, milliseconds);
      if (count > 0 || (count < 0 && errno != EINTR)) return;
      waits = waits_for_a_lock() ? waits + 1 : 0;
    }
    throw Locked();
  }
  /// It has one thread, so it waits forever. False if the system does not report its state.
  bool waits_for_a_lock() const {
    std::ifstream call(fmt::format("/proc/{}/syscall", child));
    long number = 0;
    return call >> number && number == SYS_futex;
  }
};

template <class Pipe, class T>
void pass(Pipe& pipe, T& value) {
  if constexpr (requires { value.resize(value.size()); }) {
    std::uint64_t size = value.size();
    pass(pipe, size);
    if constexpr (std::is_same_v<Pipe, Incoming>) value.resize(size);
    if constexpr (std::is_trivially_copyable_v<typename T::value_type>)
      pipe.raw(value.data(), size * sizeof(value[0]));
    else
      for (auto& element : value) pass(pipe, element);
  } else {
    static_assert(std::is_trivially_copyable_v<T>);
    pipe.raw(&value, sizeof(value));
  }
}

template <class Pipe, class... T>
void pass_all(Pipe& pipe, T&... values) {
  (pass(pipe, values), ...);
}

template <class Pipe>
void pass_content(Pipe& pipe, FileContent& c) {
  Snapshot& s = c.snapshot;
  Bodies& b = s.bodies;
  Units& u = s.units;
  pass_all(pipe, c.units_stated, c.notes, c.files, c.count, c.box, c.suggested_softening, c.suggested_step,
           s.time, s.step, s.G, s.boundary, c.universe);
  pass_all(pipe, u.name, u.physical, u.length_cm, u.mass_g, u.velocity_cm_s);
  pass_all(pipe, b.x, b.y, b.z, b.vx, b.vy, b.vz, b.mass, b.id, b.type, b.softening, s.ax, s.ay, s.az,
           s.potential);
}

/// Quiet, without a core file, and with an end even where a damaged file sends the library round in circles.
void confine(const fs::path& file, pid_t parent) {
  // No reader without one who listens: it ends with its parent, also when it waits for something.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  std::error_code unknown;
  const auto size = fs::file_size(file, unknown);
  const rlim_t seconds = 60 + (unknown ? 0 : size / 1000000);
  const rlimit no_core{0, 0}, time{seconds, seconds};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &time);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPIPE}) std::signal(signal, SIG_DFL);
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void child(const fs::path& file, const std::function<FileContent(const fs::path&)>& read,
                        int pipe, pid_t parent) {
  try {
    confine(file, parent);
    const OnThisThread alone;  // the others are the parent's
    Outgoing out{pipe, file};
    Answer answer = Answer::content;
    std::uint64_t end = end_mark;
    try {
      FileContent content = read(file);
      pass(out, answer);
      pass_content(out, content);
    } catch (const Error& refusal) {
      answer = Answer::error;
      Error::Code code = refusal.code();
      std::string what = refusal.what();
      pass_all(out, answer, code, what);
    } catch (const std::bad_alloc&) {
      pass(out, answer = Answer::memory);
    }
    pass(out, end);
  } catch (...) {
    // The parent detects that the message has no end.
  }
  ::_exit(0);
}

FileContent receive(const fs::path& file, int pipe, pid_t child) {
  Incoming in{pipe, file, child};
  FileContent content;
  Answer answer{};
  Error::Code code{};
  std::string what;
  std::uint64_t end = 0;
  pass(in, answer);
  if (answer == Answer::content) pass_content(in, content);
  if (answer == Answer::error) pass_all(in, code, what);
  pass(in, end);
  if (end != end_mark)
    throw InputError(fmt::format("'{}': the HDF5 library fails on it; the file is damaged", file.string()),
                     Error::Code::damaged_file);
  if (answer == Answer::error) {
    const auto kind = Error(code, what).kind();
    if (kind == Error::Kind::input) throw InputError(what, code);
    throw ResourceError(what, kind == Error::Kind::resource ? code : Error::Code::unavailable);
  }
  if (answer == Answer::memory) throw std::bad_alloc();
  return content;
}

/// Waits for the child, and ends it first unless its message has come.
struct Child {
  pid_t pid;
  bool done = false;
  ~Child() {
    if (!done) ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
};

FileContent read_in_child(const fs::path& file, const std::function<FileContent(const fs::path&)>& read,
                          const std::function<void()>& begun) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return read(file);
  Descriptor from(ends[0]), to(ends[1]);
  const pid_t self = ::getpid(), pid = ::fork();
  if (pid < 0) return read(file);
  if (pid == 0) child(file, read, to.get(), self);
  Child waited{pid};
  to = Descriptor();
  begun();
  FileContent content = receive(file, from.get(), pid);
  waited.done = true;
  return content;
}

}  // namespace

FileContent read_isolated(const fs::path& file, const std::function<FileContent(const fs::path&)>& read,
                          const std::function<void()>& begun) {
  constexpr int most = 20;
  for (int k = 0; k < most; ++k) {
    try {
      return read_in_child(
          file, read, k == 0 ? begun : [] {});
    } catch (const Locked&) {
      // The next child finds the lock free, or another that is held.
    }
  }
  throw ResourceError(
      fmt::format("cannot read '{}': the process that reads it needs a lock that a thread of this one holds",
                  file.string()));
}

}  // namespace pleiad::files
