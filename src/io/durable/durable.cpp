#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

/// An open descriptor; close() is explicit where its failure matters.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  int close() {
    const int result = ::close(fd);
    fd = -1;
    return result;
  }
};

/// Removes the temporary file unless the rename has happened.
struct Temporary {
  fs::path name;
  bool renamed = false;
  ~Temporary() {
    if (!renamed) ::unlink(name.c_str());
  }
};

[[noreturn]] void fail(const fs::path& file, const char* action) {
  throw ResourceError(fmt::format("cannot {} '{}': {}", action, file.string(), std::strerror(errno)));
}

void write_all(int fd, std::string_view content, const fs::path& file) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(file, "write");
    if (n == 0) {
      errno = ENOSPC;
      fail(file, "write");
    }
    content.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

void write_file_atomically(const fs::path& file, std::string_view content, const AtomicWrite& how) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  Temporary temporary{file.string() + ".tmp." + std::to_string(::getpid())};
  Descriptor out{::open(temporary.name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644)};
  if (out.fd < 0) fail(file, "create");
  write_all(out.fd, content, file);
  if (how.sync && ::fsync(out.fd) != 0) fail(file, "sync");
  if (out.close() != 0) fail(file, "close");
  if (!how.previous_kept_as.empty()) {
    // A link, not a rename: at every instant at least one whole generation has a name.
    const fs::path link = how.previous_kept_as.string() + ".tmp." + std::to_string(::getpid());
    ::unlink(link.c_str());
    if (::link(file.c_str(), link.c_str()) == 0) {
      if (::rename(link.c_str(), how.previous_kept_as.c_str()) != 0) {
        ::unlink(link.c_str());
        fail(how.previous_kept_as, "keep");
      }
      // When both names are one file already, rename does nothing and leaves the link behind.
      ::unlink(link.c_str());
    } else if (errno != ENOENT) {
      fail(how.previous_kept_as, "keep");
    }
  }
  if (::rename(temporary.name.c_str(), file.c_str()) != 0) fail(file, "rename to");
  temporary.renamed = true;
  if (how.sync) {
    Descriptor directory{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (directory.fd < 0 || ::fsync(directory.fd) != 0) fail(folder, "sync");
  }
}

std::string read_file(const fs::path& file, std::size_t limit) {
  Descriptor in{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status {};
  const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("cannot read '{}': {}", file.string(), why)); };
  if (in.fd < 0 || ::fstat(in.fd, &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) refuse(fmt::format("it has {} bytes, more than the {} allowed here", size, limit));
  std::string content(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(in.fd, content.data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  content.resize(done);
  return content;
}

}  // namespace pleiad
