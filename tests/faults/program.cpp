#include "faults/program.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pleiad::test {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Program::Program(const std::vector<std::string>& words, const Environment& environment,
                 const std::filesystem::path& folder)
    : out_(folder / "out"), err_(folder / "err") {
  auto copies = words;
  std::vector<char*> arguments;
  for (auto& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error("fork failed");
  if (child_ > 0) return;
  const int streams[]{::open("/dev/null", O_RDONLY), ::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
                      ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)};
  for (int k = 0; k < 3; ++k) ::dup2(streams[k], k);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(60);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

Program::~Program() {
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

void Program::signal(int number) const { ::kill(child_, number); }

ProgramEnd Program::wait() {
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out_),
          content_of(err_)};
}

}  // namespace pleiad::test
